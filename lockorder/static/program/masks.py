"""Which functions block signals for a while, and which come back with signals blocked.

A mask belongs to a thread (POSIX.1-2017, ``pthread_sigmask``).  Which signals are in a set is not
asked: code that blocks some is taken to block those that matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockorder.knowledge.schema import Callback
from lockorder.static.parse import facts as f
from lockorder.static.program.callgraph import CallGraph
from lockorder.static.program.link import Program


class Masks:
    """How each function changes the mask, callees first."""

    def __init__(
        self, program: Program, call_graph: CallGraph, callbacks: Iterable[Callback]
    ) -> None:
        self._program = program
        self._call_graph = call_graph
        known = [callback for callback in callbacks if callback.interrupts]
        self._masks = {name for callback in known for name in callback.masks}
        self._unblocks = {value for callback in known for value in callback.unblocks}
        self._restores = {value for callback in known for value in callback.restores}
        #: by function: whether signals are blocked after each change, in the order of its text
        self._changes: dict[str, list[bool]] = {}
        for group in call_graph.groups():
            found = {usr: list(self._find(program.functions[usr])) for usr in group}
            self._changes.update((usr, each) for usr, each in found.items() if each)

    def blocks(self, usr: str) -> bool:
        """Whether signals are blocked while a part of this function runs, by what it calls."""
        return True in self._changes.get(usr, ())

    def _find(self, function: f.Function) -> Iterator[bool]:
        """Its changes; calls within a group of functions that call each other change nothing."""
        changed = False
        for call in f.walk(function.body):
            if not isinstance(call, f.Call):
                continue
            for blocked in self._by(function, call, changed):
                changed = True
                yield blocked

    def _by(self, function: f.Function, call: f.Call, changed: bool) -> Iterator[bool]:
        """What a call does to the mask; one that puts an old mask back ends what came before."""
        if self._program.called(call) in self._masks:
            how = call.args[0].text if call.args and isinstance(call.args[0], f.Lit) else ""
            yield how not in self._unblocks and not (changed and how in self._restores)
        elif self._changes:
            callees = self._call_graph.called(function, call)
            ends = [self._changes[usr][-1] for usr in callees if usr in self._changes]
            if ends:
                yield any(ends)
