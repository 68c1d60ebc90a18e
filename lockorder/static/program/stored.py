"""Which object keeps a callable, as the callable's own captures know it.

``bus.hook = [this] { this->bus.stop(); }`` runs where the bus runs its hook: ``this->bus`` is then
the object whose member ``hook`` it is.  So it is where a method keeps what it is given.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.places import is_near
from lockorder.static.program.steps import Steps

#: A method, and the number of one of its parameters.
_Parameter = tuple[str, int]
#: Ways from ``this`` to members.
_Ways = frozenset[Steps]
#: What methods keep, as far as it is known.
_Known = Callable[[_Parameter], _Ways]
#: Variables (by key) and calls (by number) that were followed on the way to a value.
_Seen = AbstractSet[str | int]


class Stored:
    """Answers for the lambdas of one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._kept: dict[_Parameter, _Ways] = {}
        #: by lambda and member: the objects whose member it is
        self._homes: dict[tuple[str, str], set[Path]] | None = None

    def owners(self, closure: str, member: str) -> Paths:
        """The objects that keep *closure* in *member*, in the closure's terms."""
        if self._homes is None:
            self._homes = {}
            for function in self._program.functions.values():
                for found, place in self._in(function):
                    home = place.owner
                    self._homes.setdefault((found, place.last), set()).add(home)
        return tuple(sorted(self._homes.get((closure, member), ())))

    def _in(self, function: f.Function) -> Iterator[tuple[str, Path]]:
        """Lambdas that *function* puts into members, and these."""
        names = _Names(self._program, function)
        for statement in f.walk(function.body):
            if isinstance(statement, f.Assign):
                place = names.path(statement.target)
                if place is not None and place.steps:
                    yield from ((c, place) for c in names.closures(statement.value))
            elif isinstance(statement, f.Call):
                for at, arg in enumerate(statement.args):
                    for closure in names.closures(arg):
                        for place in self._places(names, statement, at, self._keeps):
                            yield closure, place

    def _places(self, names: _Names, call: f.Call, at: int, keeps: _Known) -> Iterator[Path]:
        """Members that keep argument *at* of a call."""
        target = call.target
        base = names.path(target.base) if isinstance(target, f.Fn | f.Name) else None
        if base is None:
            return
        bodies = self._program.body_of(target.usr) if isinstance(target, f.Fn) else ()
        for body in bodies:
            for steps in keeps((body, at)):
                yield functools.reduce(Path.then, steps, base)
        if not bodies and base.steps:
            yield base  # put into a container

    def _keeps(self, parameter: _Parameter) -> _Ways:
        """Ways from ``this`` to where a method keeps its parameter.

        Methods that hand it to each other are read until nothing is new.  What lies over many other
        objects is in some object of its class, which the callable knows by no name.
        """
        if parameter not in self._kept:
            found: dict[_Parameter, _Ways] = {parameter: frozenset()}

            def known(asked: _Parameter) -> _Ways:
                kept = self._kept.get(asked)
                return kept if kept is not None else found.setdefault(asked, frozenset())

            is_new = True
            while is_new:
                before = dict(found)
                for each in before:
                    found[each] = self._read(each, known)
                is_new = found != before
            self._kept.update(found)
        return self._kept[parameter]

    def _read(self, parameter: _Parameter, keeps: _Known) -> _Ways:
        """The same, as one look at its text tells."""
        method, at = parameter
        function = self._program.functions.get(method)
        if function is None or function.kind != "method" or at >= len(function.params):
            return frozenset()
        found: set[Steps] = set()
        names = _Names(self._program, function)
        for statement in f.walk(function.body):
            places: Iterator[Path] | Sequence[Path] = ()
            if isinstance(statement, f.Assign) and names.is_of(
                statement.value, function.params[at]
            ):
                place = names.path(statement.target)
                places = (place,) if place is not None and place.steps else ()
            elif isinstance(statement, f.Call):
                places = [
                    place
                    for i, arg in enumerate(statement.args)
                    if names.is_of(arg, function.params[at])
                    for place in self._places(names, statement, i, keeps)
                ]
            found.update(
                p.steps
                for p in places
                if p.method == function.usr and is_near(self._program, p.steps)
            )
        return frozenset(found)


class _Names:
    """Objects of one function by one path each: a parameter that a member keeps is that member."""

    def __init__(self, program: Program, function: f.Function) -> None:
        self._program = program
        home = program.home(function)
        self._this = Path.of_this(home.usr if home is not None else function.usr)
        self._same: dict[str, f.Value] = {}
        self._calls: dict[int, f.Call] = {}
        self._made: dict[int, f.Make] = {}
        assigned: dict[str, int] = {}
        for statement in f.walk(function.body):
            if isinstance(statement, f.Local) and statement.value is not None:
                self._same[statement.usr] = statement.value
            elif isinstance(statement, f.Call):
                self._calls[statement.id] = statement
            elif isinstance(statement, f.Make):
                self._made[statement.id] = statement
            elif isinstance(statement, f.Assign):
                target, value = statement.target, statement.value
                if isinstance(target, f.Var):
                    assigned[target.usr] = assigned.get(target.usr, 0) + 1
                elif (
                    isinstance(target, f.Field)
                    and isinstance(target.base, f.This)
                    and isinstance(value, f.Var)
                    and _refers(program, target.usr)
                ):
                    self._same.setdefault(value.usr, target)
        for usr in assigned:
            self._same.pop(usr, None)

    def path(self, value: f.Value | None, seen: _Seen = frozenset()) -> Path | None:
        """Where an object is; None where it has no such name."""
        if isinstance(value, f.This):
            return self._this
        if isinstance(value, f.Elem):
            return self.path(value.base, seen)
        if isinstance(value, f.Field):
            base = self.path(value.base, seen)
            return base.then(value.usr) if base is not None else None
        if isinstance(value, f.Whole):
            part = self.path(value.base, seen)
            found = part.whole(value.usr) if part is not None else None
            return found if found is not None and not found.is_unknown else None
        if isinstance(value, f.Var):
            same = self._same.get(value.usr) if value.usr not in seen else None
            found = self.path(same, seen | {value.usr}) if same is not None else None
            return found if found is not None else Path.of_variable(value.usr)
        if isinstance(value, f.Result) and value.call not in seen:  # an element of a container
            call = self._calls.get(value.call)
            if call is not None and isinstance(call.target, f.Fn) and call.target.base is not None:
                inside = not self._program.body_of(call.target.usr)
                return self.path(call.target.base, seen | {value.call}) if inside else None
        return None

    def closures(self, value: f.Value | None) -> Iterator[str]:
        """Lambdas that a value is, or is made from."""
        for each in self._from(value):
            if isinstance(each, f.Closure):
                yield each.usr

    def is_of(self, value: f.Value | None, param: str) -> bool:
        """Whether a value is that parameter, a copy of it or what is left by moving it."""
        return any(isinstance(v, f.Var) and v.usr == param for v in self._from(value))

    def _from(self, value: f.Value | None) -> Iterator[f.Value]:
        """A value, and all that it is made from."""
        pending, seen = [value], list[f.Value | None]()
        while pending:
            each = pending.pop(0)
            if each is not None and each not in seen:
                seen.append(each)
                yield each
                pending.extend(self._inside(each))

    def _inside(self, value: f.Value | None) -> Sequence[f.Value]:
        if isinstance(value, f.Var):
            same: Mapping[str, f.Value] = self._same
            return (same[value.usr],) if value.usr in same else ()
        if isinstance(value, f.AnyOf):
            return value.values
        if isinstance(value, f.Made):
            made = self._made.get(value.make)
            return made.args if made is not None else ()
        if isinstance(value, f.Result):  # std::move(x), std::bind(x, ...)
            call = self._calls.get(value.call)
            alone = call is not None and isinstance(call.target, f.Fn) and call.target.base is None
            return call.args[:1] if call is not None and alone else ()
        return ()


def _refers(program: Program, usr: str) -> bool:
    return program.is_indirect(program.type_of(usr))
