"""Numbers and flags that are the same for as long as whoever has them lives.

A ``const`` member, or one that nothing but constructors writes to: what one thread finds there
every other one finds, of the same object.  A global is so where it is ``const``, or where nobody
outside of its file can name it and nothing but its initialiser writes to it.
"""

from __future__ import annotations

from collections.abc import Collection

from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.places import LASTING
from lockorder.static.program.written import Written


class Fixed:
    """Answers for the members and globals of one program."""

    def __init__(self, program: Program, written: Written, unchanged: Collection[str]) -> None:
        self._program = program
        self._written = written
        self._unchanged = unchanged
        self._known: dict[str, bool] = {}

    def is_member(self, path: Path) -> bool:
        """Whether *path* is a number of an object that has it for as long as it lives."""
        return bool(path.steps) and isinstance(path.steps[-1], str) and self._is(path.last)

    def is_global(self, usr: str) -> bool:
        """Whether it is a global number that the program has for as long as it runs."""
        return self._program.is_lasting(usr) and self._is(usr)

    def is_of_program(self, path: Path) -> bool:
        """Whether *path* is such a number, or one in a global object."""
        if not path.is_variable or not self._program.is_lasting(path.variable):
            return False
        if not path.steps:
            return self._is(path.variable)
        return self.is_member(path) and self._are_parts(Path(path.root, path.steps[:-1]), 0)

    def way(self, owner: Path, part: Path) -> str | None:
        """How *part* lies in the object at *owner*: one text for one way.

        None where it is no part of it: where a pointer leads there, or an index.
        """
        if not part.is_within(owner) or not self._are_parts(part, len(owner.steps)):
            return None
        return ".".join(map(str, part.steps[len(owner.steps) :]))

    def _are_parts(self, path: Path, after: int) -> bool:
        """Whether all steps of *path* but the first ones lead to a part of what is before them."""
        usrs = [str(s) for s in path.steps[after:] if isinstance(s, str)]
        if not after and path.is_variable and not path.steps[after:]:
            usrs.append(path.variable)
        if len(path.steps[after:]) > len(usrs):
            return False
        return not any(self._program.is_indirect(self._program.type_of(u)) for u in usrs)

    def _is(self, usr: str) -> bool:
        known = self._known.get(usr)
        if known is None:
            known = self._known[usr] = self._find(usr)
        return known

    def _find(self, usr: str) -> bool:
        variable = self._program.variables.get(usr)
        if variable is None or variable.kind not in ("field", *LASTING):
            return False
        spelling = variable.type.strip()
        if self._program.is_indirect(spelling) or "volatile" in spelling:
            return False
        if spelling.startswith("const "):
            return True
        if variable.kind == "field":
            return not self._written.has(self._written.anywhere, (usr,))
        return usr in self._unchanged
