"""What Python's threads wait for, and who has it, against what the program knows of itself."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hung import interpreters
from lockorder.hang.pysync import Sync
from lockorder.hang.waits import Waits
from lockorder.hang.waits_frames import Kind
from test_hang_pyframes import look_at, said

each_python = pytest.mark.parametrize("python", interpreters(), ids=str)
_LOCKS = (Kind.PYTHON_LOCK, Kind.SEMAPHORE)
_PATIENCE = 20.0


@each_python
def test_waits(python: Path) -> None:
    with said(python, "python_sync.py") as (image, told):
        waits = Waits(image)
        wanted = {each["native"] for each in told.values()}
        end = time.monotonic() + _PATIENCE
        words: dict[int, int] = {}
        while not words.keys() >= wanted and time.monotonic() < end:
            words = {w.tid: w.address for w in waits.find() if w.kind in _LOCKS}
        look = look_at(image)
        sync = Sync(look)
        threads = {thread.tid: thread for thread in look.threads}
        assert threads.keys() >= wanted
        for name, each in told.items():
            thread = threads[each["native"]]
            found = sync.waiting(thread, words[thread.tid])
            assert found.operation == each["operation"], name
            assert found.object == each["object"], name
            assert found.lock, name
            if each["lock"]:
                assert found.lock == each["lock"], name
            assert found.named is not None, name
            assert found.named.name == each["name"], name
            owners = [h.thread.name for h in sync.holders(found.lock)]
            assert owners == ([each["holder"]] if each["holder"] else []), name
