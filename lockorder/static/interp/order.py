"""In which order functions are summarised: callees first, or as a walk needs them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.static.program.callgraph import CallGraph


class Order:
    """Groups of functions that call each other, callees first; which of them are still to come.

    The call graph is made before any walk, and a walk can find a call that it does not have (of a
    method by the class that an object turns out to have, say): what that needs is taken at once.
    """

    def __init__(self) -> None:
        self._groups: Sequence[list[str]] = ()
        #: By function that is still to come: the number of its group.
        self._coming: dict[str, int] = {}
        #: Functions that are being walked, and those that wait for them.
        self._open: set[str] = set()
        self._over = True

    def begin(self, groups: Sequence[list[str]]) -> None:
        """Nothing has been taken of *groups*, which are in order."""
        self._groups = groups
        self._coming = {usr: number for number, group in enumerate(groups) for usr in group}
        self._over = False

    def __iter__(self) -> Iterator[list[str]]:
        """Each group that has not been taken when its turn comes."""
        for group in self._groups:
            if self.comes(group):
                yield group
        self._over = True

    @property
    def is_over(self) -> bool:
        """Whether every group has been walked."""
        return self._over

    @property
    def left(self) -> int:
        """How many functions are still to come."""
        return len(self._coming)

    def comes(self, group: Sequence[str]) -> bool:
        """Whether it is still to come."""
        return group[0] in self._coming

    def take(self, group: Sequence[str]) -> None:
        """It is walked now."""
        self._open.update(group)
        for usr in group:
            del self._coming[usr]

    def close(self, group: Sequence[str]) -> None:
        """It has been walked."""
        self._open.difference_update(group)

    def up_to(self, usr: str, calls: CallGraph) -> list[list[str]]:
        """The groups that are still to come and that *usr* needs, its own last.

        No group where one of them calls what is being walked: it would know nothing of that.
        """
        functions, found = calls.program.functions, set[int]()
        seen, pending = {usr}, [usr]
        while pending:
            function = pending.pop()
            if function in self._open:
                return []
            number = self._coming.get(function)
            if number is None:
                continue
            found.add(number)
            fresh = {c for c in calls.callees(functions[function]) if c not in seen}
            seen |= fresh
            pending.extend(fresh)
        return [self._groups[number] for number in sorted(found)]
