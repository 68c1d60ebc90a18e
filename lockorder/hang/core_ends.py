"""Who can end a wait, as far as the cores of several processes say: children and shared memory.

A core has its process' parent (NT_PRPSINFO) and the files that are mapped (NT_FILE), but nothing of
what is at the other end of a pipe or a socket.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from lockorder.hang.ends import Ends, child_waited_for
from lockorder.hang.image import Image, Stopped
from lockorder.hang.image import Mapping as Mapped

#: Mappings of these are of files that only processes of one family share.
_SHARED = ("/dev/shm/", "/dev/zero", "/memfd:", "/SYSV")


class Core(NamedTuple):
    """What the core of one process says that the others ask: its parent, what it has mapped."""

    pid: int
    parent: int
    shared: tuple[Mapped, ...]


def core_of(image: Image, parent: int) -> Core:
    """That of an opened core."""
    shared = (m for m in image.mappings() if m.path.startswith(_SHARED))
    return Core(image.pid, parent, tuple(shared))


class CoreEnds:
    """The same answers as those of `lockorder.hang.ends.Kernel`, for the process of one core."""

    def __init__(self, pid: int, cores: Mapping[int, Core]) -> None:
        self._pid, self._cores = pid, cores

    def ends(self, image: Image, thread: Stopped, call: str) -> Ends | None:
        """Who ends a wait for a child process; None for any other."""
        if call not in ("wait", "vfork") or len(thread.arguments) < 2:
            return None
        mine = [core.pid for core in self._cores.values() if core.parent == image.pid]
        if call == "vfork":
            return Ends("exec", tuple(mine))
        wanted = child_waited_for(thread)
        found = [wanted] if wanted else mine
        return Ends("the end of a child process", tuple(sorted(found)))

    def sharers(self, _pid: int, address: int) -> tuple[int, ...]:
        """Processes with cores that have the file mapped which *address* lies in."""
        mine = self._mapped(self._cores[self._pid].shared, address)
        if mine is None:
            return (self._pid,)
        cores = self._cores.values()
        others = (core.pid for core in cores if any(m.path == mine.path for m in core.shared))
        return tuple(sorted({self._pid, *others}))

    def locked_by_others(self, _pid: int) -> tuple[tuple[int, ...], str]:
        """Nothing is known of files' locks."""
        return (), ""

    @staticmethod
    def _mapped(mappings: Iterable[Mapped], address: int) -> Mapped | None:
        return next((m for m in mappings if m.start <= address < m.end), None)
