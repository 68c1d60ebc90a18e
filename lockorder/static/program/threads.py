"""Threads that a function starts and waits for, by what stands for them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import ELEMENT

#: A thread that nothing known to the caller stands for: detached, say.
_ANY = "?"
#: Between the names of a handle.
_STEP = "\t"


class Net:
    """What a call of a function leaves: threads that run on, and ones that it has waited for."""

    __slots__ = ("joined", "running")

    def __init__(self) -> None:
        #: functions of threads, by the handle
        self.running: dict[str, tuple[str, ...]] = {}
        self.joined: set[str] = set()


class Threads:
    """Which threads run at the point that is being walked.

    Only straight-line order counts: a join on one branch is taken for a join.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._function = ""
        self._is_main = False
        self._net = Net()
        #: Of functions that start threads or wait for some.
        self._nets: dict[str, Net] = {}
        self._homes: dict[str, str] | None = None
        self._overlaps: set[frozenset[str]] = set()
        #: Threads that are started elsewhere: when they end is not known.
        self._loose: set[str] = set()

    def begin(self, function: f.Function) -> None:
        """A walk through *function* begins."""
        self._function = function.usr
        self._is_main = function.name == "main"
        self._nets.pop(function.usr, None)
        self._net = Net()
        self._homes = None

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Other functions are walked, in the midst of one."""
        kept = self._function, self._is_main, self._net, self._homes
        try:
            yield
        finally:
            self._function, self._is_main, self._net, self._homes = kept

    def _home(self, function: f.Function, made: Path) -> str:
        """The handle that gets the thread *made*."""
        if made.is_variable:
            return handle(made)
        if self._homes is None:
            self._homes = {}
            for statement in walk(function.body):
                self._note_homes(function, statement)
        return self._homes.get(":".join(made.maker), "")

    def _note_homes(self, function: f.Function, statement: f.Stmt) -> None:
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
        assert self._homes is not None
        if isinstance(value, f.Made):
            self._homes[f"{function.usr}:{value.make}"] = home
        elif isinstance(value, f.Result):
            self._homes[f"{function.usr}:r{value.call}"] = home

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
        if not self._is_main:
            self._loose.update(targets)
        for target in targets:
            for others in self._net.running.values():
                self._overlaps.update(frozenset((target, other)) for other in others)
            if repeated:
                self._overlaps.add(frozenset((target,)))
        home = (self._home(function, made) or handle(made)) if made is not None else _ANY
        self._run(home, targets)

    def _run(self, home: str, targets: Sequence[str]) -> None:
        self._nets[self._function] = self._net
        known = self._net.running.get(home, ())
        self._net.running[home] = tuple(dict.fromkeys((*known, *targets)))

    def called(self, function: f.Function, callee: str) -> bool:
        """*function* calls *callee*, with what that does to threads; whether it does anything."""
        net = self._nets.get(callee)
        if net is None:
            return False
        if function.usr == self._function and net is not self._net:
            self.joined(function, sorted(net.joined))
            for home, targets in net.running.items():
                self._run(home if self._is_lasting(home) else _ANY, targets)
        return True

    def _is_lasting(self, home: str) -> bool:
        """Whether a handle is a global's, which callers know by the same name."""
        variable = self._program.variables.get(home.split(_STEP, maxsplit=1)[0])
        return variable is not None and variable.kind in ("global", "static", "member", "field")

    def elsewhere(self, targets: Sequence[str]) -> None:
        """A library's own threads run *targets*."""
        self._loose.update(targets)

    def overlap(self, a: str, b: str) -> bool:
        """Whether threads in *a* and in *b* can run at the same time."""
        return bool({a, b} & self._loose) or frozenset((a, b)) in self._overlaps

    def joined(self, function: f.Function, threads: Sequence[str]) -> None:
        """*function* waits for the threads of these handles."""
        if function.usr != self._function:
            return
        for thread in threads:
            known = [home for home in self._net.running if _stands_for(thread, home)]
            for home in known:
                del self._net.running[home]
            if not known and thread:
                self._nets[self._function] = self._net
                self._net.joined.add(thread)

    @property
    def none_runs(self) -> bool:
        """Whether all threads that the function has started are over."""
        return not self._net.running


def handle(path: Path) -> str:
    """The name of what stands for a thread at *path*."""
    return _STEP.join((path.variable or str(path.root), *map(str, path.steps)))


def _stands_for(joined: str, started: str) -> bool:
    """Whether a wait for *joined* is one for *started*: a loop over elements waits for all."""
    if joined == started:
        return True
    mine, theirs = joined.split(_STEP), started.split(_STEP)
    return len(mine) == len(theirs) and all(
        a == b or (a == str(ELEMENT) and b.startswith("["))
        for a, b in zip(mine, theirs, strict=True)
    )
