"""Members that lead opposite ways: from a parent to its children, and from a child to its parent.

``a`` keeps ``b`` in one member, and ``b`` keeps ``a`` in another: where one function sees to both
(callees included), whoever goes along the one may come from where the other leads.  Two members
that are set each on its own (the two children of a node) lead the same way as far as anybody can
tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.link import Program
from lockorder.static.program.paths import is_element
from lockorder.static.program.places import THIS

#: Calls that are looked into from one function, and links that are followed from there.
_DEPTH, _MOST = 3, 64


class Link(NamedTuple):
    """The object *held* is kept in *member* of *keeper*; both are names in one function."""

    keeper: str
    member: str
    held: str


class Opposites:
    """Answers for the members of one program."""

    def __init__(self, program: Program, lifetimes: Lifetimes) -> None:
        self._program = program
        self._lifetimes = lifetimes
        self._links: dict[str, frozenset[Link]] = {}
        self._opposite: set[tuple[str, str]] = set()
        self._is_known = False

    def is_member(self, step: str) -> bool:
        """Whether a step goes by a member of the program's own, and not to an element."""
        return not (is_element(step) or self._program.is_standard(step))

    def of(self, one: str, other: str) -> str | None:
        """Why two members of a class lead opposite ways, in words; None where they do not."""
        if not self._is_known:
            self._find()
        if (one, other) not in self._opposite:
            return None
        return " and ".join(sorted(map(self._name, (one, other)))) + " lead opposite ways"

    def _name(self, usr: str) -> str:
        known = self._program.variables.get(usr)
        return known.name.rpartition("::")[2] if known is not None else usr

    def _find(self) -> None:
        self._is_known = True
        for usr in self._program.functions:
            links = self._links_of(usr, _DEPTH)
            kept: dict[tuple[str, str], set[str]] = {}
            for link in links:
                kept.setdefault((link.keeper, link.held), set()).add(link.member)
            for (keeper, held), members in kept.items():
                back = kept.get((held, keeper), set()) if held != keeper else set()
                self._opposite.update((a, b) for a in members for b in back if a != b)

    # -- what one function links ------------------------------------------------------------------

    def _links_of(self, usr: str, depth: int) -> frozenset[Link]:
        known = self._links.get(usr)
        if known is None:
            function = self._program.functions.get(usr)
            self._links[usr] = frozenset()  # meanwhile, where functions call each other
            found = frozenset(self._made_in(function, depth)) if function is not None else ()
            known = self._links[usr] = frozenset(found)
        return known

    def _made_in(self, function: f.Function, depth: int) -> Iterator[Link]:
        names = _Names(self._program, function)
        for statement in walk(function.body):
            if isinstance(statement, f.Assign):
                yield from self._kept(names, statement.target, [statement.value])
            elif isinstance(statement, f.Call):
                target = statement.target
                base = target.base if isinstance(target, f.Fn | f.Name) else None
                bodies = self._program.body_of(target.usr) if isinstance(target, f.Fn) else ()
                if statement.type:
                    made = f"result:{statement.id}"
                    for body in self._constructors(statement):
                        yield from self._inside(names, body, made, statement.args, depth)
                elif len(bodies) == 1:
                    this = names.of(base) if base is not None else THIS
                    yield from self._inside(names, bodies[0], this, statement.args, depth)
                elif base is not None:
                    yield from self._kept(names, base, statement.args)
            elif isinstance(statement, f.Make):
                for body in self._program.body_of(statement.ctor) if statement.ctor else ():
                    made = f"made:{statement.id}"
                    yield from self._inside(names, body, made, statement.args, depth)

    def _constructors(self, call: f.Call) -> Sequence[str]:
        owned = self._lifetimes.owned(call.type)[:1]
        return [
            body
            for spelling in owned
            for body in self._lifetimes.constructors(self._program.split(spelling)[0])
            if len(self._program.functions[body].params) == len(call.args)
        ]

    def _kept(self, names: _Names, place: f.Value, values: Sequence[f.Value]) -> Iterator[Link]:
        """*values* are kept in a member, or put into the container that it is."""
        while isinstance(place, f.Elem):
            place = place.base
        if not isinstance(place, f.Field):
            return
        keeper = names.of(place.base)
        for value in values if keeper else ():
            held = names.of(value)
            if held and held != keeper:
                yield Link(keeper, place.usr, held)

    def _inside(
        self, names: _Names, body: str, this: str, args: Sequence[f.Value], depth: int
    ) -> Iterator[Link]:
        """What a callee links, in the caller's names."""
        if not depth:
            return
        params = self._program.functions[body].params
        there = {THIS: this}
        there.update(zip(params, map(names.of, args), strict=False))
        for link in sorted(self._links_of(body, depth - 1))[:_MOST]:
            keeper, held = there.get(link.keeper, ""), there.get(link.held, "")
            if keeper and held and keeper != held:
                yield Link(keeper, link.member, held)


class _Names:
    """One name for each object of a function, whatever variables it goes by."""

    def __init__(self, program: Program, function: f.Function) -> None:
        self._program = program
        self._same: dict[str, f.Value] = {}
        self._calls: dict[int, f.Call] = {}
        #: members of ``this`` that are what the variable is that they were set from
        self._members: dict[str, f.Value] = {}
        for statement in walk(function.body):
            if isinstance(statement, f.Local) and statement.value is not None:
                self._same[statement.usr] = statement.value
            elif isinstance(statement, f.Assign) and isinstance(statement.target, f.Field):
                if isinstance(statement.target.base, f.This):
                    self._members.setdefault(statement.target.usr, statement.value)
            elif isinstance(statement, f.Call):
                self._calls[statement.id] = statement

    def of(self, value: f.Value | None, depth: int = _DEPTH) -> str:
        """The name of an object; empty where there is none."""
        if isinstance(value, f.This):
            return THIS
        if isinstance(value, f.Made):
            return f"made:{value.make}"
        if isinstance(value, f.Var):
            same = self._same.get(value.usr)
            known = self.of(same, depth - 1) if depth and same is not None else ""
            return known or value.usr
        if isinstance(value, f.Result):
            return self._returned(value.call, depth)
        if isinstance(value, f.Field) and isinstance(value.base, f.This):
            same = self._members.get(value.usr)
            return self.of(same, depth - 1) if depth and isinstance(same, f.Var | f.Made) else ""
        return ""

    def _returned(self, number: int, depth: int) -> str:
        """What a call made, or handed through: ``std::move(x)``, ``x.get()``."""
        call = self._calls.get(number)
        if call is None or not depth:
            return ""
        if call.type:
            return f"result:{number}"
        target = call.target
        if not isinstance(target, f.Fn) or self._program.body_of(target.usr):
            return ""
        if target.base is not None:
            return self.of(target.base, depth - 1)
        return self.of(call.args[0], depth - 1) if len(call.args) == 1 else ""
