"""Who runs a once flag's function, by what is on the stacks."""

from __future__ import annotations

import struct

from lockorder.hang.image import Mapping
from lockorder.hang.once_flags import runners
from lockorder.hang.waits_frames import Kind, kind_of
from lockorder.hang.waits_names import Names
from test_hang_waits import AT, Made

CODE = 0x5600_0000_0000
FLAG, OTHER = AT + 8, AT + 16
STACKS = AT + 0x8000


class Stacked(Made):
    """Two stacks, side by side in one mapping, and some code."""

    def __init__(self) -> None:
        super().__init__()
        self.waits(11, FLAG, 128, 1)
        self.waits(12, FLAG, 128, 1)
        self.stopped = [
            thread._replace(sp=STACKS + 0x1000 * number)
            for number, thread in enumerate(self.stopped)
        ]

    def mappings(self) -> list[Mapping]:
        code = Mapping(CODE, CODE + 4096, "r-xp", 0, "/usr/lib/libc.so.6")
        return [*super().mappings(), code]

    def push(self, number: int, handler: int, argument: int, at: int = 0x100) -> None:
        self.put(STACKS + 0x1000 * number + at, "QQ", handler, argument)

    def runners(self, *flags: int) -> dict[int, int]:
        return dict(runners(self, Names(self), flags))


def test_the_one_that_runs_it() -> None:
    image = Stacked()
    image.push(1, CODE + 0x10, FLAG)
    image.push(0, CODE + 0x10, OTHER)
    assert image.runners(FLAG) == {FLAG: 12}
    assert image.runners(FLAG, OTHER) == {FLAG: 12, OTHER: 11}
    assert image.runners() == {}


def test_who_only_knows_the_flag() -> None:
    """A waiter has its address on the stack, too: as an argument, beside other data."""
    image = Stacked()
    image.push(0, 7, FLAG)
    image.push(0, STACKS, FLAG, at=0x200)
    image.push(1, CODE + 0x10, FLAG, at=0x101)  # not where the compiler puts words
    image.memory[0x8000 - 16 : 0x8000] = struct.pack("<QQ", CODE + 0x10, FLAG)  # below the stack
    assert image.runners(FLAG) == {}


def test_two_that_seem_to() -> None:
    image = Stacked()
    image.push(0, CODE + 0x10, FLAG)
    image.push(1, CODE + 0x10, FLAG)
    assert image.runners(FLAG) == {}


def test_a_wait_inside_of_the_function() -> None:
    """Only a wait of pthread_once's own is one for the flag."""
    once = ("__pthread_once_slow", "std::call_once", "main")
    for inner in ((), ("futex_wait",), ("__GI___lll_lock_wait", "futex_wait_simple")[::-1]):
        assert kind_of((*inner, *once)) is Kind.ONCE, inner
    for inner in (("syscall", "std::__atomic_futex_unsigned_base::_M_futex_wait_until"),
                  ("syscall",), ("futex_wait", "task"), ("??",)):  # fmt: skip
        assert kind_of((*inner, *once)) is None, inner
    assert kind_of(("pthread_cond_wait", "task", *once)) is Kind.CONDITION
    assert kind_of(("syscall", "__cxa_guard_acquire", "main")) is Kind.GUARD
    assert kind_of(("syscall", "task", "__cxa_guard_acquire")) is None
