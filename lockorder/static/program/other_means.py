"""Locks that are made by means that nothing is known of, beside one that is known.

A program may have a lock in two forms behind one interface: one around a mutex, and one of its own
(numbers that are compared and swapped, a list of those who wait, semaphores).  What the second does
can hardly be seen; by what its functions leave undone a call through the interface would take the
lock or not, and give it up or not, each way on its own, and callers would go on with all of them.
But both override the same two functions, and of one it is known that they take and give up the
object.  So they do that in the other form, too.
"""

from __future__ import annotations

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program
from lockorder.static.program.wrappers import Wrappers


class OtherMeans:
    """Classes that are locks as others are which override the same functions."""

    def __init__(self, program: Program, knowledge: Knowledge, wrappers: Wrappers) -> None:
        self._program = program
        self._knowledge = knowledge
        #: such classes, each with those whose locks are known
        self.classes: dict[str, set[str]] = {}
        taking = self._swaps(wrappers, True)
        giving = self._swaps(wrappers, False) if taking else {}
        for (cls, known), swapped in giving.items():
            if not swapped.isdisjoint(taking.get((cls, known), ())):
                self.classes.setdefault(cls, set()).add(known)

    def among(self, bodies: list[str]) -> list[str]:
        """Those of *bodies*, of one virtual call, that tell what it does to the object's lock."""
        if not self.classes or len(bodies) < 2:
            return bodies
        of = {body: self._program.functions[body].cls for body in bodies}
        there = set(of.values())
        return [b for b in bodies if there.isdisjoint(self.classes.get(of[b], ()))]

    def _swaps(self, wrappers: Wrappers, takes: bool) -> dict[tuple[str, str], set[str]]:
        """By a class of which no lock is known, and one whose methods take their object or give it
        up: what methods of the former swap that override the same functions.
        """
        functions = self._program.functions
        found: dict[tuple[str, str], set[str]] = {}
        for usr in wrappers.of_own_object(takes):
            for over in functions[usr].overrides:
                for other in self._program.overriders(over):
                    cls = functions[other].cls
                    if cls not in wrappers.classes and not wrappers.knows(other):
                        here = cls, functions[usr].cls
                        found.setdefault(here, set()).update(self._swapped(other))
        return found

    def _swapped(self, usr: str) -> set[str]:
        """Members of its object that a method compares and swaps, by methods that it calls, too."""
        found, seen, pending = set[str](), {usr}, [usr]
        while pending:
            for statement in walk(self._program.functions[pending.pop()].body):
                target = statement.target if isinstance(statement, f.Call) else None
                if not isinstance(statement, f.Call) or not isinstance(target, f.Fn | f.Name):
                    continue
                known = self._knowledge.atomics.get(self._program.called(statement))
                at = known.object if known is not None and known.result else None
                value = target.base if at == "this" else None
                if isinstance(at, int) and at < len(statement.args):
                    value = statement.args[at]
                if isinstance(value, f.Field) and isinstance(value.base, f.This):
                    found.add(value.usr)
                if isinstance(target, f.Fn) and isinstance(target.base, f.This):
                    more = [b for b in self._program.body_of(target.usr) if b not in seen]
                    seen.update(more)
                    pending += more
        return found
