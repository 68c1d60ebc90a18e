"""Threads that a function starts and waits for, by the variables that stand for them."""

from __future__ import annotations

from collections.abc import Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path

#: A thread that no variable stands for: detached, or started in a callee.
_ANY = "?"


class Threads:
    """Which threads of ``main`` run at the point that is being walked.

    Only straight-line order counts: a join on one branch is taken for a join.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._function = ""
        self._homes: dict[str, str] = {}
        self._running: dict[str, tuple[str, ...]] = {}
        self._overlaps: set[frozenset[str]] = set()
        #: Threads that are started elsewhere: when they end is not known.
        self._loose: set[str] = set()

    def begin(self, function: f.Function) -> None:
        """A walk through *function* begins."""
        if function.name != "main":
            return
        self._function = function.usr
        self._running = {}
        self._homes = {}
        for statement in walk(function.body):
            if isinstance(statement, f.Local) and statement.value is not None:
                self._note(function, statement.value, statement.usr)
            elif isinstance(statement, f.Assign) and isinstance(statement.target, (f.Var, f.Field)):
                self._note(function, statement.value, statement.target.usr)
            elif isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                base = statement.target.base
                if isinstance(base, (f.Var, f.Field)):  # threads.push_back(std::thread(f))
                    for argument in statement.args:
                        self._note(function, argument, base.usr)

    def _note(self, function: f.Function, value: f.Value, home: str) -> None:
        if isinstance(value, f.Made):
            self._homes[f"made:{function.usr}:{value.make}"] = home
        elif isinstance(value, f.Result):
            self._homes[f"made:{function.usr}:r{value.call}"] = home

    def started(
        self,
        function: f.Function,
        made: Path | None,
        targets: Sequence[str] = (),
        repeated: bool = False,
    ) -> None:
        """*function* starts a thread in one of *targets*; the object *made* stands for it."""
        if function.usr != self._function:
            self._loose.update(targets)
            return
        for target in targets:
            for others in self._running.values():
                self._overlaps.update(frozenset((target, other)) for other in others)
            if repeated:
                self._overlaps.add(frozenset((target,)))
        home = ""
        if made is not None:
            home = self._homes.get(made.root, "")
            if not home and made.root.startswith("v:"):
                home = made.root[2:]
        self._running[home or _ANY] = (*self._running.get(home or _ANY, ()), *targets)

    def elsewhere(self, targets: Sequence[str]) -> None:
        """A library's own threads run *targets*."""
        self._loose.update(targets)

    def overlap(self, a: str, b: str) -> bool:
        """Whether threads in *a* and in *b* can run at the same time."""
        return bool({a, b} & self._loose) or frozenset((a, b)) in self._overlaps

    def joined(self, function: f.Function, threads: Sequence[str]) -> bool:
        """*function* waits for *threads* (keys of variables); whether none is left running."""
        if function.usr != self._function:
            return False
        for thread in threads:
            self._running.pop(thread, None)
        return not self._running
