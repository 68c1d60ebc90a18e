"""Which thread runs the function of a pthread_once_t, by what that call leaves on its stack.

Before the function runs, pthread_once pushes a handler that would reset the flag, with the flag's
address behind the handler's (nptl/pthread_once.c; musl's does alike).  Whoever only waits for the
flag has not come that far.  So one who waits inside of the function for the same flag is seen, too,
and two flags that one function uses are told apart, with symbols or without.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Collection, Iterator, Mapping, Sequence

from lockorder.hang.image import Image, Stopped
from lockorder.hang.waits_names import Names

_MOST = 1 << 23  # bytes of a stack that are read
_CHUNK = 1 << 16


def runners(image: Image, names: Names, flags: Collection[int]) -> Mapping[int, int]:
    """By the address of a flag, the thread that runs its function; only where it is one."""
    found: dict[int, set[int]] = {}
    for tid, start, end in _stacks(image.threads(), names) if flags else ():
        for flag in _pushed(_read(image, start, end), names, flags):
            found.setdefault(flag, set()).add(tid)
    return {flag: tids.pop() for flag, tids in found.items() if len(tids) == 1}


def _stacks(threads: Sequence[Stopped], names: Names) -> Iterator[tuple[int, int, int]]:
    """The used part of each thread's stack.  Two without a guard between them are one mapping."""
    starts = sorted({thread.sp for thread in threads if thread.sp})
    following = dict(itertools.pairwise(starts))
    for thread in threads:
        mapping = names.mapping(thread.sp) if thread.sp else None
        if mapping is not None:
            start = thread.sp & ~7
            end = min(mapping.end, following.get(thread.sp, mapping.end), start + _MOST)
            yield thread.tid, start, end & ~7


def _read(image: Image, start: int, end: int) -> bytes:
    """As much as can be had: a file of a core may end early."""
    content = bytearray()
    for at in range(start, end, _CHUNK):
        part = image.read(at, min(_CHUNK, end - at))
        if part is None:
            break
        content += part
    return bytes(content)


def _pushed(stack: bytes, names: Names, flags: Collection[int]) -> Iterator[int]:
    for flag in flags:
        word = struct.pack("<Q", flag)
        at = stack.find(word, 8)
        while at >= 0:
            handler = int.from_bytes(stack[at - 8 : at], "little")
            if at % 8 == 0 and names.is_code(handler):
                yield flag
                break
            at = stack.find(word, at + 1)
