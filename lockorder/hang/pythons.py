"""CPython's global interpreter lock in a process: where it is, and which thread has it.

3.13 and newer describe their own layout (_Py_DebugOffsets, in pycore_debug_offsets.h).  For older
ones it is written down here, from the debug information of their builds; the order of fields before
those used does not depend on x86-64 or aarch64.  Nothing found is believed before it fits: the
lock's numbers, and a holder that belongs to this interpreter and is a living thread.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Collection
from pathlib import Path
from typing import NamedTuple

from lockorder.hang.image import Image
from lockorder.hang.mutexes import thread_at
from lockorder.hang.waits_names import Module, Names

_COOKIE = b"xdebugpy"
_MAX_INTERPRETERS = 64
_LONGEST_INTERVAL = 3_600_000_000  # microseconds
_COND_SIZE = 48  # pthread_cond_t


class Layout(NamedTuple):
    """Offsets: of the runtime, of an interpreter, of a thread's state, and of the lock.

    ``gil`` is where an interpreter points to its lock, or (``in_runtime``) where the one lock is
    inside the runtime; there may be several, of which the right one fits.  ``locked`` is inside
    the lock; the holder is before it, the number of switches and the condition behind it.
    ``native`` -1: threads' ids are only in their pthread_t.
    """

    head: int
    next: int
    gils: tuple[int, ...]
    in_runtime: bool
    holder: int
    locked: int
    enabled: int
    interp: int
    thread: int
    native: int


_V39 = Layout(32, 0, (352,), True, 8, 16, -1, 16, 176, -1)
#: By 3.x.  In 3.12.0 the lock's pointer is eight bytes earlier than in 3.12.1.
_LAYOUTS = {
    9: _V39,
    10: _V39,
    11: Layout(40, 0, (360,), True, 8, 16, -1, 16, 152, 160),
    12: Layout(40, 0, (384, 376, 392), False, 8, 16, -1, 16, 136, 144),
}


class Gil(NamedTuple):
    """One lock: sub-interpreters may have their own (PEP 684).

    ``holder`` is the thread that has it, 0: nobody, or nobody that is known.  ``switches`` counts
    how often it went from one thread to another.  Threads that wait for it wait for a word from
    ``condition`` to ``condition_end``.
    """

    address: int
    locked: bool
    holder: int
    switches: int
    condition: int
    condition_end: int

    def is_waited_for_at(self, word: int) -> bool:
        """Whether a thread that waits for *word* waits for this lock."""
        return self.condition <= word < self.condition_end


class Python:
    """The interpreter of one process; `find` makes it."""

    def __init__(self, image: Image, runtime: int, version: int, layout: Layout) -> None:
        self._image, self._layout = image, layout
        #: Where _PyRuntime is.
        self.runtime = runtime
        #: 3.x
        self.version = version

    def gils(self, tids: Collection[int]) -> list[Gil]:
        """The locks as they are now; *tids* are the threads that live.  Empty: none that fits."""
        layout = self._layout
        interpreters = self.interpreters()
        if layout.in_runtime:
            places = [self.runtime + offset for offset in layout.gils]
        else:
            places = []
            for interpreter in interpreters:
                places += [self._word(interpreter + offset) for offset in layout.gils]
        found: dict[int, Gil] = {}
        for place in places:
            gil = self._gil(place, interpreters, tids) if place and place not in found else None
            if gil is not None:
                found[place] = gil
        return list(found.values())

    def interpreters(self) -> list[int]:
        """The addresses of the interpreters' states."""
        found: list[int] = []
        at = self._word(self.runtime + self._layout.head)
        while at and at not in found and len(found) < _MAX_INTERPRETERS:
            found.append(at)
            at = self._word(at + self._layout.next)
        return found

    def _gil(self, at: int, interpreters: list[int], tids: Collection[int]) -> Gil | None:
        layout = self._layout
        # interval, last_holder, locked, (4 bytes of nothing), switch_number
        content = self._image.read(at + layout.holder - 8, 32)
        if content is None or not interpreters:
            return None
        interval, state, locked, switches = struct.unpack("<QQixxxxQ", content)
        if not 0 < interval <= _LONGEST_INTERVAL or locked not in (0, 1):
            return None
        if layout.enabled >= 0 and not self._is_enabled(at):
            return None
        if state and self._word(state + layout.interp) not in interpreters:
            return None
        holder = self.thread(state, tids) if state and locked else 0
        condition = at + layout.locked + 16
        return Gil(at, bool(locked), holder, switches, condition, condition + _COND_SIZE)

    def _is_enabled(self, at: int) -> bool:
        content = self._image.read(at + self._layout.enabled, 4)
        return content is not None and int.from_bytes(content, "little") != 0

    def thread(self, state: int, tids: Collection[int]) -> int:
        """The thread of a PyThreadState, 0: none of *tids*.

        A fork leaves the id in it as it was, not pthread_t's.
        """
        tid = thread_at(self._image, self._word(state + self._layout.thread))
        if tid in tids:
            return tid
        if self._layout.native >= 0:
            tid = self._word(state + self._layout.native)
        return tid if tid in tids else 0

    def _word(self, at: int) -> int:
        content = self._image.read(at, 8)
        return int.from_bytes(content, "little") if content is not None else 0


def find(image: Image, names: Names) -> Python | None:
    """The interpreter in *image*, None where there is none, or none that is known."""
    for module in _candidates(image, names):
        place = names.address(module, "_PyRuntime")
        if place is None:
            continue
        runtime, size = place
        version = _version(image, names, module, runtime, size)
        described = _described(image, runtime, version)
        layout = described if described is not None else _LAYOUTS.get(version)
        if layout is not None:
            return Python(image, runtime, version, layout)
    return None


def _candidates(image: Image, names: Names) -> list[Module]:
    """A shared libpython first, then the program: one may embed the other."""
    shared = [m for m in names.modules if Path(m.path).name.startswith("libpython3.")]
    programs = [m for m in names.modules if m not in shared and _is_program(m, image)]
    return shared + programs


def is_named_python(module: Module) -> bool:
    """Whether a file is called as an interpreter or its library is; all extensions have the word
    somewhere in theirs (``_json.cpython-311-x86_64-linux-gnu.so``).
    """
    return Path(module.path).name.startswith(("python", "libpython"))


def _is_program(module: Module, image: Image) -> bool:
    return module.path == image.exe or is_named_python(module)


def _version(image: Image, names: Names, module: Module, runtime: int, size: int) -> int:
    """The x of 3.x; 0: not known."""
    place = names.address(module, "Py_Version")  # 3.11 and newer
    content = image.read(place[0], 4) if place is not None else None
    if content is None and image.read(runtime, 8) == _COOKIE:
        content = image.read(runtime + 8, 4)
    if content is not None:
        number = int.from_bytes(content, "little")
        return number >> 16 & 0xFF if number >> 24 == 3 else 0
    match = re.search(r"python3\.(\d+)", Path(module.path).name)
    if match is not None:
        return int(match[1])
    return {656: 9, 672: 10}.get(size, 0)


def _described(image: Image, runtime: int, version: int) -> Layout | None:
    """The layout that an interpreter from 3.13 on has written down; None: it has not."""
    content = image.read(runtime, 320)
    if content is None or content[:8] != _COOKIE or version < 13:
        return None
    words = struct.unpack("<40Q", content)
    # 3.14 has one field more, after the first four (threads_main).
    later = 1 if version >= 14 else 0
    free_threaded, head = words[2], words[5]
    interpreter, gil = words[6:], words[14 + later :]
    pointer, inside, enabled, locked, holder = gil[:5]
    state = words[(19 if later == 0 else 22) :]
    if not inside <= holder < locked < inside + 256:
        return None
    return Layout(
        head=head,
        next=interpreter[2],
        gils=(pointer,),
        in_runtime=False,
        holder=holder - inside,
        locked=locked - inside,
        enabled=enabled if free_threaded else -1,
        interp=state[3],
        thread=state[5],
        native=state[6],
    )
