"""Who can end a wait, by what several cores say of each other."""

from __future__ import annotations

from typing import cast

import pytest

from lockorder.cli import parser
from lockorder.hang.core_ends import Core, CoreEnds, core_of
from lockorder.hang.ends import child_waited_for
from lockorder.hang.image import Image, Mapping, Stopped

_WAIT4, _WAITID = 61, 247


class _Image:
    def __init__(self, pid: int, *mappings: Mapping) -> None:
        self.pid = pid
        self._mappings = mappings

    def mappings(self) -> tuple[Mapping, ...]:
        return self._mappings


def image(pid: int, *mappings: Mapping) -> Image:
    return cast(Image, _Image(pid, *mappings))


def mapped(start: int, path: str) -> Mapping:
    return Mapping(start, start + 4096, "rw-p", 0, path)


def thread(call: int, *arguments: int) -> Stopped:
    return Stopped(1, "", "", call, (*arguments, 0, 0, 0, 0)[:6], 0, 0, {})


@pytest.mark.parametrize(
    ("call", "arguments", "child"),
    [
        (_WAIT4, (7, 0), 7),
        (_WAIT4, (0xFFFF_FFFF, 0), 0),
        (_WAITID, (1, 7), 7),
        (_WAITID, (0, 7), 0),
    ],
)
def test_which_child_is_waited_for(call: int, arguments: tuple[int, int], child: int) -> None:
    assert child_waited_for(thread(call, *arguments, 0, 0)) == child


CORES = {
    1: Core(1, 0, (mapped(0x1000, "/dev/shm/sem.a (deleted)"),)),
    2: Core(2, 1, (mapped(0x9000, "/dev/shm/sem.a (deleted)"),)),
    3: Core(3, 1, (mapped(0x1000, "/dev/shm/sem.b (deleted)"),)),
    4: Core(4, 3, ()),
}


def test_a_wait_for_a_child() -> None:
    ends = CoreEnds(1, CORES)
    one = ends.ends(image(1), thread(_WAIT4, 2, 0, 0, 0), "wait")
    assert one is not None
    assert one.pids == (2,)
    any_of_them = ends.ends(image(1), thread(_WAIT4, 0xFFFF_FFFF, 0, 0, 0), "wait")
    assert any_of_them is not None
    assert any_of_them.pids == (2, 3)


def test_nothing_is_known_of_pipes() -> None:
    ends = CoreEnds(1, CORES)
    assert ends.ends(image(1), thread(0, 5, 0, 0, 0), "read") is None
    assert ends.locked_by_others(1) == ((), "")


def test_who_shares_memory() -> None:
    assert CoreEnds(1, CORES).sharers(0, 0x1010) == (1, 2)
    assert CoreEnds(3, CORES).sharers(0, 0x1010) == (3,)
    assert CoreEnds(1, CORES).sharers(0, 0x5000) == (1,)


def test_what_counts_as_shared() -> None:
    own, lib = mapped(0x1000, "/dev/shm/x"), mapped(0x3000, "/lib/libc.so.6")
    assert core_of(image(9, own, lib), 4) == Core(9, 4, (own,))


def test_cores_may_be_named_one_by_one() -> None:
    given = parser().parse_args(["hang", "--core", "a", "--core", "b", "c", "--pid", "1"])
    assert [str(p) for p in given.core] == ["a", "b", "c"]
