"""Names of single locks in a trace that is still written."""

from __future__ import annotations

from pathlib import Path

from lockorder.recorded.process import Process
from lockorder.recorded.symbolize import Symbolizer
from runtime_probe.errors import TraceError
from runtime_probe.symbols import Symbols
from runtime_probe.trace import read_trace


class LockNames:
    """Asks each trace once for a lock: that reads all of the file, and perhaps large libraries."""

    def __init__(self) -> None:
        self._symbolizer = Symbolizer(Symbols())
        self._known: dict[tuple[Path, int], str] = {}

    def name(self, trace: Path, lock: int) -> str:
        """The name of its class, "" where none is known."""
        if (trace, lock) not in self._known:
            self._known[trace, lock] = self._look_up(trace, lock)
        return self._known[trace, lock]

    def _look_up(self, trace: Path, lock: int) -> str:
        try:
            read = read_trace(trace)
        except TraceError:
            return ""
        if lock not in read.locks:
            return ""
        read.locks = {lock: read.locks[lock]}
        process = Process(read, self._symbolizer)
        return process.declared[process.classes[lock]].name
