"""Who runs an initialiser that others wait for: by stacks, where its memory does not say so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lockorder.hang import once_flags
from lockorder.hang.image import Image, Stopped
from lockorder.hang.waits import Wait
from lockorder.hang.waits_frames import Kind
from lockorder.hang.waits_names import Names

#: Functions around an initialiser that runs once: who is inside of one has it.
_ONCE = ("call_once", "pthread_once", "gthread_once")


def runners(
    image: Image,
    names: Names,
    threads: Mapping[int, Stopped],
    functions_of: Mapping[int, Sequence[str]],
    found: Sequence[Wait],
) -> dict[int, int]:
    """Who runs the initialisers that others wait for: whose stack is inside of one."""
    waits = [w for w in found if not w.owner_tid and w.kind in (Kind.GUARD, Kind.ONCE)]
    flags = {wait.address for wait in waits if wait.kind is Kind.ONCE}
    holders = dict(once_flags.runners(image, names, flags))
    for wait in waits:
        if wait.address in holders:
            continue
        caller = _caller(functions_of.get(wait.tid, ()), wait.kind)
        inside = [
            tid
            for tid, functions in functions_of.items()
            if _may_run(names, threads, tid, wait, caller)
            and _is_inside(functions, caller, wait.kind)
        ]
        if caller and len(inside) == 1:
            holders[wait.address] = inside[0]
    return holders


def _may_run(
    names: Names, threads: Mapping[int, Stopped], tid: int, wait: Wait, caller: str
) -> bool:
    """Whether a thread may be in an initialiser that its stack's memory does not tell of."""
    if wait.kind is Kind.ONCE:
        # Of one that runs right now nobody knows where its stack ends.
        return tid in threads and not threads[tid].sp
    # Where the static's function was inlined, to be in the caller twice says nothing.
    name = names.name_of(wait.address)
    return tid != wait.tid or caller.rpartition("::")[2] in name.rpartition("::")[0]


def _caller(functions: Sequence[str], kind: Kind) -> str:
    """The function whose initialiser is waited for, of a chain that ends in the wait."""
    for at in range(len(functions) - 1, 0, -1):
        name = functions[at]
        waits = "cxa_guard_acquire" in name if kind is Kind.GUARD else _is_once(name)
        if waits and not (kind is Kind.ONCE and _is_once(functions[at - 1])):
            return functions[at - 1]
    return ""


def _is_once(function: str) -> bool:
    return any(word in function for word in _ONCE)


def _is_inside(functions: Sequence[str], caller: str, kind: Kind) -> bool:
    """Whether a thread has gone on from *caller*, and does not wait for its initialiser itself.

    One that comes back to the same initialiser from inside of it does both.
    """
    for at, function in enumerate(functions):
        if not caller or function != caller:
            continue
        after = functions[at + 1 :]
        if kind is Kind.GUARD:
            inside = bool(after) and "cxa_guard_acquire" not in after[0]
        else:
            # Beyond call_once's own functions something of the program runs.
            depth = next((i for i, name in enumerate(after) if _is_once(name)), -1)
            waits = any("futex" in name for name in after[: depth + 3])
            inside = depth >= 0 and len(after) > depth + 1 and not waits
        if inside:
            return True
    return False
