"""Members that lead opposite ways: from a parent to its children, and from a child to its parent.

``a`` keeps ``b`` in one member, and ``b`` keeps ``a`` in another: where one function sees to both
(callees included), whoever goes along the one may come from where the other leads.  Two members
that are set each on its own (the two children of a node) lead the same way as far as anybody can
tell.  A member is its own opposite where two objects get each other there (two ends of one line).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.link import Program
from lockorder.static.program.places import THIS
from lockorder.static.program.steps import Step, is_element, member

#: Variables (by key) and calls (by number) that were followed on the way to a name.
_Seen = AbstractSet[str | int]


class Link(NamedTuple):
    """The object *held* is kept in *member* of *keeper*; both are names in one function."""

    keeper: str
    member: str
    held: str


class _Inside(NamedTuple):
    """A call of *body*, whose names for objects are *there* in its caller."""

    caller: str
    body: str
    there: dict[str, str]


class Opposites:
    """Answers for the members of one program."""

    def __init__(self, program: Program, lifetimes: Lifetimes) -> None:
        self._program = program
        self._lifetimes = lifetimes
        self._opposite: set[tuple[str, str]] = set()
        self._is_known = False

    def is_member(self, step: Step) -> bool:
        """Whether a step goes by a member of the program's own, and not to an element."""
        return not (is_element(step) or self._program.is_standard(member(step)))

    def of(self, one: str, other: str) -> str | None:
        """Why two members of a class lead opposite ways, in words; None where they do not."""
        if not self._is_known:
            self._find()
        if (one, other) not in self._opposite:
            return None
        if one == other:
            return f"two objects have each other as {self._name(one)}"
        return " and ".join(sorted(map(self._name, (one, other)))) + " lead opposite ways"

    def _name(self, usr: str) -> str:
        known = self._program.variables.get(usr)
        return known.name.rpartition("::")[2] if known is not None else usr

    def _find(self) -> None:
        self._is_known = True
        all_links = self._all_links()
        for usr, links in all_links.items():
            kept: dict[tuple[str, str], set[str]] = {}
            for link in links:
                kept.setdefault((link.keeper, link.held), set()).add(link.member)
            for (keeper, held), members in kept.items():
                back = kept.get((held, keeper), set()) if held != keeper else set()
                self._opposite.update(
                    (a, b)
                    for a in members
                    for b in back
                    if a != b or self._are_peers(usr, Link(keeper, a, held), all_links)
                )

    def _are_peers(self, usr: str, link: Link, all_links: Mapping[str, AbstractSet[Link]]) -> bool:
        """Whether two objects get each other in one member, for sure, where a function links them.

        One way *or* the other is how lists are joined: before a node, or behind it.
        """
        wanted = {link, Link(link.held, link.member, link.keeper)}
        names = Names(self._program, self._program.functions[usr])
        blocks = [self._program.functions[usr].body]
        while blocks:
            here = set[Link]()
            for statement in blocks.pop().body:
                blocks.extend(f.parts(statement))
                for each in self._made_by(names, statement):
                    if isinstance(each, Link):
                        here.add(each)
                    else:
                        here.update(self._handed_up(all_links[each.body], each.there))
            if wanted <= here:
                return True
        return False

    def _all_links(self) -> dict[str, set[Link]]:
        """What each function links, its callees included: they hand on until nothing is new."""
        links: dict[str, set[Link]] = {}
        callers: dict[str, list[_Inside]] = {}
        for usr, function in self._program.functions.items():
            made = links.setdefault(usr, set())
            for each in self._made_in(function):
                if isinstance(each, Link):
                    made.add(each)
                else:
                    callers.setdefault(each.body, []).append(each)
        pending = [usr for usr, found in links.items() if found]
        while pending:
            callee = pending.pop()
            for call in callers.get(callee, ()):
                known = links[call.caller]
                new = set(self._handed_up(links[callee], call.there)) - known
                if new:
                    known |= new
                    pending.append(call.caller)
        return links

    def _handed_up(self, links: Iterable[Link], there: dict[str, str]) -> Iterator[Link]:
        """*links* of a callee, in the caller's names."""
        for link in links:
            keeper, held = there.get(link.keeper, ""), there.get(link.held, "")
            if keeper and held and keeper != held:
                yield Link(keeper, link.member, held)

    # -- what one function links ------------------------------------------------------------------

    def _made_in(self, function: f.Function) -> Iterator[Link | _Inside]:
        names = Names(self._program, function)
        for statement in walk(function.body):
            yield from self._made_by(names, statement)

    def _made_by(self, names: Names, statement: f.Stmt) -> Iterator[Link | _Inside]:
        """What one statement links, and the call that it is."""
        if isinstance(statement, f.Assign):
            yield from self._kept(names, statement.target, [statement.value])
        elif isinstance(statement, f.Call):
            target = statement.target
            base = target.base if isinstance(target, f.Fn | f.Name) else None
            bodies = self._program.body_of(target.usr) if isinstance(target, f.Fn) else ()
            if statement.type:
                made = f"result:{statement.id}"
                for body in self._constructors(statement):
                    yield self._inside(names, body, made, statement.args)
            elif len(bodies) == 1:
                this = names.of(base) if base is not None else THIS
                yield self._inside(names, bodies[0], this, statement.args)
            elif base is not None:
                yield from self._kept(names, base, statement.args)
        elif isinstance(statement, f.Make):
            for body in self._program.body_of(statement.ctor) if statement.ctor else ():
                made = f"made:{statement.id}"
                yield self._inside(names, body, made, statement.args)

    def _constructors(self, call: f.Call) -> Sequence[str]:
        owned = self._lifetimes.owned(call.type)[:1]
        return [
            body
            for spelling in owned
            for body in self._lifetimes.constructors(self._program.split(spelling)[0])
            if len(self._program.functions[body].params) == len(call.args)
        ]

    def _kept(self, names: Names, place: f.Value, values: Sequence[f.Value]) -> Iterator[Link]:
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

    def _inside(self, names: Names, body: str, this: str, args: Sequence[f.Value]) -> _Inside:
        there = {THIS: this}
        params = self._program.functions[body].params
        there.update(zip(params, map(names.of, args), strict=False))
        return _Inside(names.function, body, there)


class Names:
    """One name for each object of a function, whatever variables it goes by."""

    def __init__(self, program: Program, function: f.Function) -> None:
        self._program = program
        self.function = function.usr
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

    def of(self, value: f.Value | None) -> str:
        """The name of an object; empty where there is none."""
        return self._of(value, frozenset())

    def _of(self, value: f.Value | None, seen: _Seen) -> str:
        if isinstance(value, f.This):
            return THIS
        if isinstance(value, f.Made):
            return f"made:{value.make}"
        if isinstance(value, f.Var):
            same = self._same.get(value.usr) if value.usr not in seen else None
            return (self._of(same, seen | {value.usr}) if same is not None else "") or value.usr
        if isinstance(value, f.Result):
            return self._returned(value.call, seen)
        if isinstance(value, f.Field) and isinstance(value.base, f.This):
            same = self._members.get(value.usr) if value.usr not in seen else None
            is_named = isinstance(same, f.Var | f.Made)
            return self._of(same, seen | {value.usr}) if is_named else ""
        return ""

    def _returned(self, number: int, seen: _Seen) -> str:
        """What a call made, or handed through: ``std::move(x)``, ``x.get()``."""
        call = self._calls.get(number)
        if call is None or number in seen:
            return ""
        if call.type:
            return f"result:{number}"
        target = call.target
        if not isinstance(target, f.Fn) or self._program.body_of(target.usr):
            return ""
        if target.base is not None:
            return self._of(target.base, seen | {number})
        return self._of(call.args[0], seen | {number}) if len(call.args) == 1 else ""
