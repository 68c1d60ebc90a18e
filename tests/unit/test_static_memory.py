"""Processes that read sources end alone where libclang wants all memory of the machine."""

from __future__ import annotations

import os
import resource

import pytest

from lockorder.bounds import READING_MEMORY
from lockorder.static.driver import workers
from lockorder.static.driver.slots import Slots
from lockorder.static.parse import isolated


def allowed(_: int = 0) -> int:
    return resource.getrlimit(resource.RLIMIT_AS)[0]


def grasping(_: int) -> int:
    """As much as libclang wants for some files, and its end where it does not get that."""
    try:
        return len(bytearray(READING_MEMORY))
    except MemoryError:
        os.abort()


def test_libclang_alone_has_a_limit() -> None:
    before = allowed()
    assert isolated.call(False, allowed) <= READING_MEMORY
    assert allowed() == before


def test_whoever_wants_more_has_crashed() -> None:
    with pytest.raises(isolated.Crash):
        isolated.call(False, grasping, 0)


def test_so_have_workers() -> None:
    with Slots(1, allowed, workers._begin) as slots:
        slots.start(0)
        ((_, found),) = slots.done()
    assert found is not None
    assert found <= READING_MEMORY
    with Slots(1, grasping, workers._begin) as slots:
        slots.start(0)
        assert slots.done() == [(0, None)]
