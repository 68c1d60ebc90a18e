"""What never changes, and has to be so for an order: of the object of a lock, or of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lockorder.model import Fixed
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Member, Needs
from lockorder.static.parse import numbers
from lockorder.static.program.effects import What
from lockorder.static.program.paths import Path


class FixedNeeds:
    """The conditions of acquisitions, in the model's terms."""

    def __init__(self, engine: Engine, relative: Callable[[str], str]) -> None:
        self._known = engine.fixed
        self._variables = engine.program.variables
        self._relative = relative

    def of_program(self, needs: Needs) -> tuple[Fixed, ...]:
        """What is so as long as the program runs."""
        found = (
            _fixed(need, self._place([need.path.variable, *need.path.members]))
            for need in _members(needs)
            if self._known.is_of_program(need.path)
        )
        return tuple(sorted(set(found)))

    def of_object(self, lock: What, needs: Needs) -> tuple[Fixed, ...]:
        """What is so as long as the object lives that *lock* is a part of."""
        found: set[Fixed] = set()
        if not isinstance(lock, Path):
            return ()
        for need in _members(needs):
            if not self._known.is_member(need.path):
                continue
            way = self._known.way(need.path.owner, lock)
            if way is not None:
                parts = self._place([need.path.last])
                found.add(_fixed(need, f"{parts} of the object that has {way}"))
        return tuple(sorted(found))

    def _place(self, usrs: Sequence[str]) -> str:
        """A member or global by its name, and where it is declared."""
        first, *inner = [self._variables[usr] for usr in usrs]
        last = inner[-1] if inner else first
        name = ".".join([first.name, *(v.name.rpartition("::")[2] for v in inner)])
        return f"{name} ({self._relative(last.file)}:{last.line})"


def _members(needs: Needs) -> Iterable[Member]:
    return (need for need in needs if isinstance(need, Member))


def _fixed(need: Member, where: str) -> Fixed:
    if need.literal and numbers.number_of(need.literal) != 0:
        return Fixed(where, need.literal, need.truth)
    return Fixed(where, "0", need.truth == bool(need.literal))
