"""Stacks of threads that no tool may stop: by the return addresses that lie on them.

A thread in state D keeps a debugger waiting, and one that writes loses the rest of what it writes
when it is stopped.  Where such a thread stands /proc/PID/syscall says (its program counter and its
stack pointer), and its memory can be read as it is.  A word on the stack that points behind a call
instruction is most likely the return address of a call that is not over; where that call names its
target, the target must be the function that was found before.  What an earlier call has left behind
lies there as well and can be taken for one: the result is a guess, and is told as one.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from lockorder.hang.image import AARCH64, Image, Stopped
from lockorder.hang.stacks import Stacks, ThreadStack
from lockorder.hang.waits_names import Names
from lockorder.model import Frame

TOOL = "return addresses on the stack"
#: Bytes of a stack that are looked at, and frames that are kept: what waits lies near its end.
_DEEP, _MOST = 1 << 16, 24
#: x86-64's calls through a register or memory: ff /2, which is 2, 3, 6 or 7 bytes long.
_INDIRECT = (2, 3, 6, 7)
_DIRECT = 5  # e8, and four bytes of distance


def stacks_of(image: Image, names: Names) -> Stacks:
    """The stacks of all threads that are in a system call, innermost frames last."""
    found = {}
    for thread in image.threads():
        chain = tuple(reversed([*_frames(image, names, thread)]))
        if chain:
            found[thread.tid] = ThreadStack(
                tid=thread.tid, name=thread.name, chain=chain,
                functions=tuple(f.function for f in reversed(chain)),
            )  # fmt: skip
    return Stacks(found, TOOL if found else "")


def _frames(image: Image, names: Names, thread: Stopped) -> Iterator[Frame]:
    """A thread's frames, innermost first."""
    if not thread.sp or not names.is_code(thread.pc):
        return
    yield from _named(names, thread.pc)
    mapping = names.mapping(thread.sp)
    end = min(mapping.end, thread.sp + _DEEP) if mapping is not None else thread.sp
    content = image.read(thread.sp, (end - thread.sp) // 8 * 8) or b""
    inner, known = names.function(thread.pc), 1
    for (word,) in struct.iter_unpack("<Q", content):
        target = _target_before(image, word) if names.is_code(word) else None
        if target is None:
            continue
        # The call of a function in another object goes over a stub, which has no name.
        called = names.function(target) if target else ""
        frames = [*_named(names, word - 1)] if not (called and inner and called != inner) else []
        if not frames:
            continue
        yield from frames
        inner, known = names.function(word - 1), known + 1
        if known == _MOST:
            return


def _named(names: Names, address: int) -> Iterator[Frame]:
    for function, file, line in names.frames(address):
        if function:
            yield Frame(function, file, line)


def _target_before(image: Image, address: int) -> int | None:
    """Where the call instruction that ends at *address* goes to; None: there is none.

    0: that is in a register or in memory.
    """
    if image.machine == AARCH64:
        word = int.from_bytes(image.read(address - 4, 4) or b"", "little")
        if word & 0xFC00_0000 == 0x9400_0000:  # BL
            distance = (word & 0x03FF_FFFF) << 2
            return address - 4 + distance - ((distance >> 27) << 28)
        return 0 if word & 0xFFFF_FC1F == 0xD63F_0000 else None  # BLR
    code = image.read(address - 7, 7)
    if code is None:
        return None
    if code[-_DIRECT] == 0xE8:
        return int(address + struct.unpack("<i", code[-4:])[0])
    indirect = any(code[-n] == 0xFF and code[1 - n] >> 3 & 7 == 2 for n in _INDIRECT)
    return 0 if indirect else None
