"""Functions that take a lock and keep it: what their holder may do, and what decides that.

A class may remember who has its lock, and let its holder pass, only in objects that were made so:
``if (again_ && owner_ == self)``, ``again_ ? many_.lock() : once_.lock()``.  Then the member
*decides*: with each value that it can have, the functions that take the lock are looked at without
the branches that are not taken, and it is the same question as for any other lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lockorder.model import LockKind
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program import decided, recursion, siblings
from lockorder.static.program.link import Program
from lockorder.static.program.places import Place, argument_for, near

_Seen = AbstractSet[tuple[str, Place]]


class Where(NamedTuple):
    """That a member of the object that is the lock has this value."""

    field: str
    text: str


class Answers(NamedTuple):
    """What is known of places, for whoever asks about takers."""

    #: what a value names in a function
    place: Callable[[f.Function, f.Value | None], Place | None]
    #: the lock that what is at a place is inside of
    outer: Callable[[Place], Place]
    #: fields that the result of a call depends on
    asked: Callable[[f.Call], Iterable[str]]
    #: the kind of what lies in a field
    kind: Callable[[str], LockKind | None]


def strictest(kinds: Iterable[LockKind | None]) -> LockKind | None:
    """Of the kinds that are known, one that the holder may not take again, if there is one."""
    known = {k for k in kinds if k is not None}
    once = sorted(known - {LockKind.RECURSIVE}, key=str)
    return next(iter(once or known), None)


class Takers:
    """Answers about functions, and the calls in them that take what is at a place."""

    def __init__(
        self, program: Program, takings: Mapping[str, Mapping[Place, set[int]]], ask: Answers
    ) -> None:
        self._program = program
        self._takings = takings
        self._ask = ask

    def is_by_hand(
        self, usr: str, place: Place, how: Where | None = None, seen: _Seen = frozenset()
    ) -> bool:
        """Whether a function passes the taking by where its thread has the lock already."""
        block, left = self._left(usr, place, how)
        if not left:
            return False
        if recursion.is_by_hand(block, left.keys(), self._ask.asked):
            return True
        if (usr, place) in seen:
            return True  # as far as this way tells
        seen = {*seen, (usr, place)}
        return all(
            (inner := self._same(usr, place, call))
            and all(self.is_by_hand(u, p, how, seen) for u, p in inner)
            for call in left.values()
        )

    def kind(
        self, usr: str, place: Place, how: Where | None = None, seen: _Seen = frozenset()
    ) -> LockKind | None:
        """The kind of lock that a function takes as the one at *place*; None if it takes none."""
        if self.is_by_hand(usr, place, how):
            return LockKind.RECURSIVE
        _, left = self._left(usr, place, how)
        kinds = set[LockKind | None]()
        for call in left.values() if (usr, place) not in seen else ():
            inner = self._same(usr, place, call)
            further = {*seen, (usr, place)}
            kinds.update(self.kind(u, p, how, further) for u, p in inner)
            if not inner:
                kinds.update(map(self._ask.kind, self._fields(usr, call)))
        return strictest(kinds)

    def _left(self, usr: str, place: Place, how: Where | None) -> tuple[f.Block, dict[int, f.Call]]:
        """A body where the object is so, and the calls that are left of those that take."""
        calls = self._takings.get(usr, {}).get(place, set())
        if not calls:
            return f.Block([]), {}
        function = self._program.functions[usr]
        known: decided.Known = decided.nothing
        if how is not None:
            known = siblings.knows(function, place, how.field, how.text, self._ask.place)
        block = decided.where(function.body, known)
        taking = (s for s in walk(block) if isinstance(s, f.Call) and s.id in calls)
        return block, {s.id: s for s in taking}

    def _same(self, usr: str, place: Place, call: f.Call) -> list[tuple[str, Place]]:
        """What a call runs to take the very lock that is at *place*, and its name there."""
        found = []
        for body in self._bodies(call):
            for inner in self._takings.get(body, {}):
                if self._there(usr, body, call, inner) == place:
                    found.append((body, inner))
        return found

    def _fields(self, usr: str, call: f.Call) -> Iterator[str]:
        """Fields that what a call takes lies in."""
        target = call.target
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        function = self._program.functions[usr]
        for value in (base, *call.args):
            place = self._ask.place(function, value)
            if place is not None and place.last and self._ask.kind(place.last) is not None:
                yield place.last

    def _there(self, usr: str, body: str, call: f.Call, inner: Place) -> Place | None:
        mine, value = argument_for(inner.root, self._program.functions[body], call)
        base = self._ask.place(self._program.functions[usr], value) if mine else None
        if base is None:
            return None
        return self._ask.outer(near(self._program, inner.within(base)))

    def _bodies(self, call: f.Call) -> tuple[str, ...]:
        target = call.target
        return self._program.body_of(target.usr) if isinstance(target, f.Fn) else ()


class Deciders:
    """Members that decide of which kind the lock is that their object is."""

    def __init__(
        self,
        program: Program,
        takers: Takers,
        ask: Answers,
        of_class: Mapping[str, Iterable[tuple[str, Place]]],
        others: Mapping[str, Iterable[str]],
    ) -> None:
        """*of_class*: by a class that is a lock, the functions that take it, and where they have
        it; *others*, all functions that take or give it up."""
        self._program = program
        self._takers = takers
        self._ask = ask
        self._of_class = of_class
        self._known: dict[Where, LockKind | None] = {}
        #: the class, by such a member
        self.members: dict[str, str] = {}
        #: what an object of a class is that its holder may not take again
        self.once: dict[str, LockKind] = {}
        for cls, taking in sorted(of_class.items()):
            values: dict[str, set[str]] = {}
            for usr, place in taking:
                for field, text in siblings.tested(program, usr, place, ask.place):
                    values.setdefault(field, set(siblings.FLAG)).add(text)
            changed = {w for u in others.get(cls, ()) for w in siblings.written(program, u)}
            for field, texts in sorted(values.items()):
                if field not in changed:
                    self._choose(cls, field, texts)

    def kind(self, field: str, text: str) -> LockKind | None:
        """The kind of an object in which a member is that literal."""
        how = Where(field, text)
        if how not in self._known:
            taking = self._of_class[self.members[field]]
            self._known[how] = strictest(self._takers.kind(u, place, how) for u, place in taking)
        return self._known[how]

    def _choose(self, cls: str, field: str, texts: set[str]) -> None:
        self.members[field] = cls
        kinds = {k for k in (self.kind(field, t) for t in texts) if k is not None}
        once = sorted(kinds - {LockKind.RECURSIVE}, key=str)
        if LockKind.RECURSIVE in kinds and once:
            self.once.setdefault(cls, once[0])
        else:
            del self.members[field]
