"""Mutexes that are made so that their holder may take them again, wherever that is said.

An attribute says so, or an argument, or the value that a mutex begins with; attributes are made by
helpers, kept in objects, or shared.  What a function says of its parameters is said of what its
callers pass; the rest goes by the field or variable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.facts import parts, walk
from lockorder.static.program.link import Program
from lockorder.static.program.places import LASTING, THIS, Place, argument_for, near, place_of

#: How the key of a function begins that gives a member what it starts with.
INITIALISER = "nsdmi:"
#: What a lock is where a flag is set, and where it is not; or the member that decides by its value.
By = tuple[bool, bool] | str


class Said(NamedTuple):
    """That the attribute (or the lock that is *made*) at *place* is recursive, or is not.

    Or that it is what the attribute or parameter at *of* says, *by* which that is decided.
    """

    made: bool
    place: Place
    recursive: bool
    of: Place | None = None
    by: By | None = None


class RecursiveLocks:
    """Which variables and fields are recursive locks."""

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        outer: Callable[[Place], Place] = lambda place: place,
    ) -> None:
        """*outer*: the lock that what is at a place is inside of."""
        self._program = program
        self._knowledge = knowledge
        self._said: dict[str, dict[Said, None]] = {}
        self._aliases: dict[str, dict[str, f.Value | None]] = {}
        self._made: dict[str, dict[int, f.Value]] = {}
        #: functions that something calls
        self._called: frozenset[str] = frozenset()
        for function in program.functions.values():
            self._read(function)
        self._spread()
        #: by variable or field: whether each lock that is made there is recursive
        self.objects = self._resolve(outer) if self._said else {}
        self._outer = outer

    @property
    def keys(self) -> frozenset[str]:
        """Variables and fields that are recursive locks."""
        return frozenset(key for key, recursive in self.objects.items() if recursive)

    def seen(self, outer: Callable[[Place], Place]) -> dict[str, bool]:
        """Of the locks that these are inside of: whether each is recursive."""
        self._outer = outer
        return self._resolve(outer) if self._said else {}

    def by_default(self, cls: str) -> bool | None:
        """Whether a lock that is an object of *cls* is recursive where nobody gives it anything."""
        told = set[bool]()
        for usr, said in self._said.items() if cls else ():
            function = self._program.functions[usr]
            if function.cls != cls or not self._makes(function):
                continue
            for each in said:
                if each.made and self._outer(each.place) == Place(THIS):
                    known = self._by_default(function, each)
                    if known is not None:
                        told.add(known)
        return all(told) if told else None

    def _makes(self, function: f.Function) -> bool:
        decl = self._program.decls.get(function.usr)
        begins = function.usr.startswith(INITIALISER)
        return begins or (function.kind == "constructor" and decl is not None and not decl.required)

    def _by_default(self, function: f.Function, said: Said) -> bool | None:
        of, by = self._through(function.usr, said)
        if of is None:
            return said.recursive
        if of.steps or of.root not in function.params:
            return None
        decl = self._program.decls[function.usr]
        at = function.params.index(of.root) - len(function.params)
        text = decl.defaults[at] if -at <= len(decl.defaults) else ""
        return self._told(f.Lit(text), by) if text else None

    # -- what functions say themselves ------------------------------------------------------------

    def _read(self, function: f.Function) -> None:
        k = self._knowledge
        if not function.params:
            under: dict[int, tuple[str, bool]] = {}
        else:
            under = dict(_under_flags(function.body, frozenset(function.params)))
        for statement in walk(function.body):
            if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn | f.Name):
                name = self._program.called(statement)
                if name in k.recursive_set and len(statement.args) > 1:
                    self._read_maker(function, False, statement, under)
                elif name in k.recursive_init and len(statement.args) > 1:
                    self._read_maker(function, True, statement, under)
            elif isinstance(statement, f.Assign):
                self._read_value(function, statement.target, statement.value)
            elif isinstance(statement, f.Local) and statement.value is not None:
                self._read_value(function, f.Var(statement.usr), statement.value)

    def _read_maker(
        self, function: f.Function, made: bool, call: f.Call, under: Mapping[int, tuple[str, bool]]
    ) -> None:
        place = self._place(function, call.args[0])
        if place is None:
            return
        for value in call.args[1:2]:
            known = self._kind(value)
            flag, by = self._chosen(function, value)
            if known and call.id in under:
                flag, truth = under[call.id]
                by = (truth, not truth)
            if flag and by is not None:
                self._say(function.usr, Said(made, place, False, Place(flag), by))
            elif known is not None:
                self._say(function.usr, Said(made, place, known))
            else:
                of = self._place(function, value)
                if of is not None:
                    self._say(function.usr, Said(made, place, False, of))

    def _chosen(self, function: f.Function, value: f.Value) -> tuple[str, tuple[bool, bool] | None]:
        """The flag parameter that a kind of the form ``flag ? one : other`` is chosen by."""
        if not isinstance(value, f.AnyOf) or len(value.values) != 2:
            return "", None
        cond, turned = value.cond, isinstance(value.cond, f.Not)
        if isinstance(cond, f.Not):
            cond = cond.value
        kinds = [self._kind(v) for v in value.values]
        if not isinstance(cond, f.Var) or cond.usr not in function.params or None in kinds:
            return "", None
        first, second = map(bool, reversed(kinds) if turned else kinds)
        return cond.usr, (first, second)

    def _read_value(self, function: f.Function, target: f.Value, value: f.Value) -> None:
        if isinstance(value, f.Lit | f.AnyOf) and any(map(self._begins, _literals(value))):
            place = self._place(function, target)
            if place is not None:
                self._say(function.usr, Said(True, place, True))
                self._say(function.usr, Said(False, place, True))

    def _begins(self, literal: str) -> bool:
        k = self._knowledge
        return self._is_recursive(literal) or literal.startswith(k.recursive_initialisers)

    def _kind(self, value: f.Value | None) -> bool | None:
        """Whether a kind is recursive; None where it is no literal."""
        texts = [t for t in _literals(value) if t]
        if not texts:
            return None
        return all(self._is_recursive(t) for t in texts)

    def _is_recursive(self, literal: str) -> bool:
        return not self._knowledge.recursive_values.isdisjoint(numbers.names_of(literal))

    def _say(self, function: str, said: Said) -> bool:
        known = self._said.setdefault(function, {})
        if said in known:
            return False
        known[said] = None
        return True

    def _place(self, function: f.Function, value: f.Value | None) -> Place | None:
        if isinstance(value, f.Made):
            value = self._made_in(function).get(value.make)
        if isinstance(value, f.Result):
            return self._returned(function, value)
        aliases = self._aliases.get(function.usr)
        if aliases is None:
            aliases = self._aliases[function.usr] = {
                s.usr: s.value for s in walk(function.body) if isinstance(s, f.Local)
            }
        return place_of(self._program, function, value, aliases, locals_too=True)

    def _returned(self, function: f.Function, value: f.Result) -> Place | None:
        """What lasts longer than the function that returns it."""
        for call in walk(function.body):
            if isinstance(call, f.Call) and call.id == value.call and isinstance(call.target, f.Fn):
                for body in self._program.body_of(call.target.usr):
                    callee = self._program.functions[body]
                    for statement in walk(callee.body):
                        if isinstance(statement, f.Return) and isinstance(statement.value, f.Var):
                            variable = self._program.variables.get(statement.value.usr)
                            if variable is not None and variable.kind in LASTING:
                                return Place(statement.value.usr)
        return None

    def _made_in(self, function: f.Function) -> dict[int, f.Value]:
        """Where the objects end up that *function* makes."""
        found = self._made.get(function.usr)
        if found is None:
            found = self._made[function.usr] = {}
            for s in walk(function.body):
                if isinstance(s, f.Local) and isinstance(s.value, f.Made):
                    found[s.value.make] = f.Var(s.usr)
                elif isinstance(s, f.Assign) and isinstance(s.value, f.Made):
                    found[s.value.make] = s.target
        return found

    # -- what they say by what they call ----------------------------------------------------------

    def _spread(self) -> None:
        if not self._said:
            return
        functions = self._program.functions
        callers: dict[str, list[tuple[f.Function, f.Call | f.Make]]] = {}
        for function in functions.values():
            for statement in walk(function.body):
                usr = ""
                if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                    usr = statement.target.usr
                elif isinstance(statement, f.Make):
                    usr = statement.ctor
                if usr and isinstance(statement, f.Call | f.Make):
                    for body in self._program.body_of(usr):
                        callers.setdefault(body, []).append((function, statement))
        self._called = frozenset(callers)
        pending = deque(sorted(self._said))
        while pending:
            callee = pending.popleft()
            for caller, call in callers.get(callee, ()):
                if self._pass_on(functions[callee], caller, call) and caller.usr not in pending:
                    pending.append(caller.usr)

    def _pass_on(self, callee: f.Function, caller: f.Function, call: f.Call | f.Make) -> bool:
        grown = False
        for said in list(self._said[callee.usr]):
            place = self._translated(said.place, callee, caller, call)
            if place is None:
                continue
            of, by = self._through(callee.usr, said)
            recursive = said.recursive
            if of is not None:
                mine, value = argument_for(of.root, callee, call)
                if mine:
                    kind = self._told(value, by) if not of.steps else None
                    of = None if kind is not None else self._translated(of, callee, caller, call)
                    if of is None or of.root not in caller.params:
                        of, by = (of, by) if by is None else (None, None)
                        kind = True if said.by is not None and kind is None else kind
                    if kind is None and of is None:
                        continue
                    recursive = bool(kind)
                else:
                    known = self._kinds_of(callee.usr).get(of.key)
                    of, recursive = (of, recursive) if known is None else (None, known)
            grown |= self._say(
                caller.usr, Said(said.made, place, recursive, of, by if of else None)
            )
        return grown

    def _told(self, value: f.Value | None, by: By | None) -> bool | None:
        """The kind that an argument says: by itself, or by the flag that it is."""
        if by is None:
            return self._kind(value)
        if isinstance(by, str):
            return None
        number = numbers.number_of(value.text) if isinstance(value, f.Lit) else None
        return None if number is None else by[0] if number else by[1]

    def _through(self, function: str, said: Said) -> tuple[Place | None, By | None]:
        """The parameter that decides what an attribute says, where one does."""
        for other in self._said[function] if said.of is not None and said.by is None else ():
            if not other.made and other.place == said.of and other.of is not None:
                return other.of, other.by
        return said.of, said.by

    def _translated(
        self, place: Place, callee: f.Function, caller: f.Function, call: f.Call | f.Make
    ) -> Place | None:
        mine, value = argument_for(place.root, callee, call)
        if not mine:
            return None
        if place.root == THIS and isinstance(call, f.Make):
            value = f.Made(call.id)
        base = self._place(caller, value)
        return near(self._program, place.within(base)) if base is not None else None

    # -- which it is ------------------------------------------------------------------------------

    def _kinds_of(self, function: str) -> dict[str, bool]:
        """What a function itself says of its attributes."""
        found: dict[str, bool] = {}
        for said in self._said.get(function, ()):
            if not said.made and said.of is None:
                found[said.place.key] = found.get(said.place.key, True) and said.recursive
        return found

    def _resolve(self, outer: Callable[[Place], Place]) -> dict[str, bool]:
        attributes: dict[str, bool] = {}
        for function in sorted(self._said):
            for key, recursive in self._kinds_of(function).items():
                attributes[key] = attributes.get(key, True) and recursive
        made: dict[str, bool] = {}
        for function, said in sorted(self._said.items()):
            mine = self._kinds_of(function)
            params = self._program.functions[function].params
            for each in said:
                place = outer(each.place)
                if not each.made or (place.root in (THIS, *params) and not place.steps):
                    continue
                recursive = each.recursive
                if each.of is not None:
                    key = each.of.key
                    of, by = self._through(function, each)
                    if of is not None and of.root in params and not of.steps:
                        if by is None or function in self._called:
                            continue  # callers say which
                        recursive = True  # as somebody may
                    else:
                        recursive = mine.get(key, attributes.get(key, False))
                made[place.key] = made.get(place.key, True) and recursive
        return made


def _under_flags(block: f.Block, flags: AbstractSet[str]) -> Iterator[tuple[int, tuple[str, bool]]]:
    """By number of a call: the parameter that is tested around it, and what it must be."""
    for statement in block.body:
        tested = _test(statement.cond) if isinstance(statement, f.If) else None
        if isinstance(statement, f.If) and tested is not None and tested[0] in flags:
            usr, truth = tested
            for part, here in ((statement.then, truth), (statement.orelse, not truth)):
                for inner in walk(part) if part is not None else ():
                    if isinstance(inner, f.Call):
                        yield inner.id, (usr, here)
            continue
        for part in parts(statement):
            yield from _under_flags(part, flags)


def _test(condition: f.Value | None) -> tuple[str, bool] | None:
    if isinstance(condition, f.Not):
        inner = _test(condition.value)
        return (inner[0], not inner[1]) if inner is not None else None
    return (condition.usr, True) if isinstance(condition, f.Var) else None


def _literals(value: f.Value | None) -> Iterator[str]:
    if isinstance(value, f.Lit):
        yield value.text
    elif isinstance(value, f.AnyOf):
        for each in value.values:
            yield from _literals(each)
