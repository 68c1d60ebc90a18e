"""Who else may have an object that is ending with its last reference.

Only somebody who has the object wants its locks.  Whoever is waited for while it ends may be such a
one: a thread of its own, or a worker that was handed a callable with the object in it.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.names import innermost_element
from lockorder.static.program.effects import Wait
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.link import Program
from lockorder.static.program.pointsto import PointsTo


class Companions:
    """Answers by class."""

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        lifetimes: Lifetimes,
        points_to: PointsTo,
    ) -> None:
        self._program = program
        self._knowledge = knowledge
        self._lifetimes = lifetimes
        self._points_to = points_to
        self._bare: dict[str, bool] = {}
        #: lambdas that run where they stand, and nowhere else
        self._here: frozenset[str] | None = None
        self._inside: dict[str, frozenset[str]] = {}
        self._known: dict[tuple[str, Wait], bool] = {}
        #: classes whose objects are handed out by their own code
        self._handing: set[str] | None = None
        #: classes whose objects functions that others call run on, or have pointers to
        self._shown: set[str] | None = None

    def have(self, wait: Wait, cls: str) -> bool:
        """Whether those that *wait* is for may have the object of *cls* that ends.

        Other processes and the driver do not.  A thread does that runs a function of the object's
        class, or that wakes the waiter by a part of the object; any thread may where the object
        hands itself out.  Of all others nobody knows.
        """
        key = cls, wait
        if key not in self._known:
            self._known[key] = self._have(wait, cls)
        return self._known[key]

    def _have(self, wait: Wait, cls: str) -> bool:
        known = self._knowledge.blocking(wait.name)
        if known is not None and known.waits_for not in ("a thread", "the GPU"):
            return False
        if not wait.about or cls not in self._program.classes:
            return True
        if self.hands_out(cls):
            return True
        return any(self.leads_to(each, cls) for each in wait.about)

    def hands_out(self, cls: str) -> bool:
        """Whether code of an object of *cls*, or of what lies in it, hands it to others."""
        return not self._handed_out().isdisjoint(self.inside(cls))

    def is_reached_bare(self, cls: str) -> bool:
        """Whether somebody may have the address of an object of *cls* without a reference to it.

        Its own code hands it out, or a function that others call runs on it or names a pointer to
        such.  A deleter, which is called at the end, has it alone.
        """
        known = self._bare.get(cls)
        if known is None:
            known = self._bare[cls] = self._is_reached_bare(cls)
        return known

    def _is_reached_bare(self, cls: str) -> bool:
        family = self._program.family(cls)
        return not (
            self._handed_out().isdisjoint(family) and self._shown_to_others().isdisjoint(family)
        )

    def _shown_to_others(self) -> set[str]:
        """Classes whose objects functions that others call run on, or have pointers to."""
        if self._shown is None:
            self._shown = set()
            others = self._points_to.taken - self._points_to.all_deleters()
            for usr, function in self._program.functions.items():
                inside = function.kind == "lambda"
                if (usr in self._runs_here()) if inside else (usr not in others):
                    continue
                home = self._program.home(function)
                if not inside and home is not None:
                    self._shown.add(home.cls)
                self._shown.update(self._pointed_at(function))
        return self._shown

    def _pointed_at(self, function: f.Function) -> Iterator[str]:
        """Classes that plain pointers and references lead to which a function has from others."""
        for statement in f.walk(function.body):
            for value in f.values(statement):
                if not isinstance(value, f.Var | f.Field):
                    continue
                variable = self._program.variables.get(value.usr)
                own = variable is not None and variable.owner == function.usr
                if own and value.usr not in function.params:
                    continue  # made of what it has
                spelling = self._program.type_of(value.usr).removesuffix("const").rstrip()
                if spelling.endswith(("*", "&")):
                    yield self._program.split(spelling.rstrip("*& ").removeprefix("const "))[0]

    def leads_to(self, key: str, cls: str) -> bool:
        """Whether a thread's function, or the object by which a thread is woken, is of a class."""
        function = self._program.functions.get(key)
        owner = ""
        if function is not None:
            home = self._program.home(function)
            owner = home.cls if home is not None else ""
            if not self.inside(cls).isdisjoint(self._named_in(function)):
                return True
        variable = self._program.variables.get(key)
        if variable is not None and variable.kind == "field":
            owner = variable.name.rpartition("::")[0]
        return owner not in self._program.classes or owner in self.inside(cls)

    def _named_in(self, function: f.Function) -> Iterator[str]:
        """Classes of the variables that a function's text has."""
        for statement in f.walk(function.body):
            for value in f.values(statement):
                if isinstance(value, f.Var):
                    spelling = self._program.pointee(self._program.type_of(value.usr))
                    yield self._program.split(spelling)[0]

    def inside(self, cls: str) -> frozenset[str]:
        """A class with all below and above it, and those of what lies in its objects."""
        known = self._inside.get(cls)
        if known is None:
            found: set[str] = set()
            pending = [cls]
            while pending:
                for each in self._program.family(pending.pop()) - found:
                    found.add(each)
                    declared = self._program.classes.get(each)
                    for field in declared.fields if declared is not None else ():
                        pending += self._held_in(self._program.type_of(field))
            known = self._inside[cls] = frozenset(found)
        return known

    def _held_in(self, spelling: str) -> list[str]:
        """Classes of what is a part of an object of a type, and lives as long as it does."""
        if spelling.rstrip().endswith(("*", "&")):
            return []
        name = self._program.split(innermost_element(spelling))[0]
        if name in self._program.classes:
            return [name]
        owner = self._knowledge.owners.get(name)
        if owner is None or (owner.pointer and owner.shared):
            return []
        return [c for each in self._lifetimes.owned(spelling) for c in self._held_in(each)]

    def _handed_out(self) -> set[str]:
        """Classes of which some function hands its object to others, or writes it down."""
        if self._handing is None:
            self._handing = set()
            for function in self._program.functions.values():
                home = self._program.home(function)
                if home is not None and home.cls and self._hands_out(function):
                    self._handing.add(home.cls)
        return self._handing

    def _hands_out(self, function: f.Function) -> bool:
        inside = function.kind == "lambda" and function.usr not in self._runs_here()
        for statement in f.walk(function.body):
            if inside and any(isinstance(v, f.This) for v in f.values(statement)):
                return True
            if isinstance(statement, f.Call | f.Make) and f.This() in statement.args:
                return True
            if isinstance(statement, f.Assign | f.Local) and statement.value == f.This():
                return True
        return False

    def _runs_here(self) -> frozenset[str]:
        """Lambdas that nobody keeps: whoever is handed one calls it before he returns.

        Any other may go anywhere, with what it has.
        """
        if self._here is None:
            makers: dict[str, set[str]] = {}
            for function in self._program.functions.values():
                for statement in f.walk(function.body):
                    for value in f.values(statement):
                        if isinstance(value, f.Closure):
                            makers.setdefault(value.usr, set()).add(function.usr)
            self._here = frozenset(
                closure
                for closure, users in makers.items()
                if all(
                    self._only_called(self._program.functions[usr], f.Closure(closure), set())
                    for usr in users
                )
            )
        return self._here

    def _only_called(
        self, function: f.Function, value: f.Value, seen: set[tuple[str, str]]
    ) -> bool:
        """Whether a function only calls the callable *value*, or hands it to such as do that."""
        names: list[f.Value] = [value]
        for statement in f.walk(function.body):
            if isinstance(statement, f.EndTemporaries):
                continue
            used = [v for v in f.values(statement) if v in names]
            if not used:
                continue
            if isinstance(statement, f.Local) and statement.value in names:
                names.append(f.Var(statement.usr))
            elif isinstance(statement, f.Make) and self._is_callable(statement.type):
                names.append(f.Made(statement.id))
            elif not isinstance(statement, f.Call) or not self._calls(statement, names, seen):
                return False
        return True

    def _is_callable(self, spelling: str) -> bool:
        owner = self._knowledge.owners.get(self._program.split(spelling)[0])
        return owner is not None and owner.callable

    def _calls(self, call: f.Call, names: list[f.Value], seen: set[tuple[str, str]]) -> bool:
        """Whether what has one of *names* is called in a call, and not kept by it."""
        target, k = call.target, self._knowledge
        name = self._program.called(call)
        if name in k.same_functions:
            names.append(f.Result(call.id))
            return True
        places = [i for i, v in enumerate(call.args) if v in names]
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        if not places:
            called = name.endswith("operator()") if isinstance(target, f.Fn) else base is None
            return called and (base in names or target in names)
        bodies = self._program.body_of(target.usr) if isinstance(target, f.Fn) else ()
        if bodies and not call.virtual:
            return all(self._parameter(usr, i, seen) for usr in bodies for i in places)
        kept = k.keepers | k.starters | k.registers.keys() | k.binders.keys()
        return base is None and k.is_standard(name) and name not in kept

    def _parameter(self, usr: str, at: int, seen: set[tuple[str, str]]) -> bool:
        function = self._program.functions[usr]
        if at >= len(function.params):
            return False
        key = usr, function.params[at]
        if key in seen:
            return True
        seen.add(key)
        return self._only_called(function, f.Var(function.params[at]), seen)
