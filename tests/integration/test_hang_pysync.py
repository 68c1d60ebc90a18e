"""What Python's threads wait for, and who has it, against what the program knows of itself."""

from __future__ import annotations

import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from hung import interpreters
from lockorder.hang.pysync import Sync
from lockorder.hang.pytasks import Task, holders, tasks
from lockorder.hang.waits import Waits
from lockorder.hang.waits_frames import Kind
from test_hang_pyframes import look_at, said

each_python = pytest.mark.parametrize("python", interpreters(), ids=str)
_LOCKS = (Kind.PYTHON_LOCK, Kind.SEMAPHORE)
_PATIENCE = 20.0


@each_python
def test_waits(python: Path) -> None:
    with said(python, "python_sync.py") as (image, (told, more)):
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
            assert found.lock, name
            if name == "waits_for_import":
                assert [t.name for t in sync.responsible(found)] == ["imports"]
                continue
            assert found.operation == each["operation"], name
            assert found.object == each["object"], name
            if each["lock"]:
                assert found.lock == each["lock"], name
            assert found.named is not None, name
            assert found.named.name == each["name"], name
            owners = [h.thread.name for h in sync.holders(found.lock)]
            assert owners == ([each["holder"]] if each["holder"] else []), name
            guards = [h.thread.name for h in sync.guards(found.lock)]
            assert guards == (["by_guard"] if name == "waits_for_guard" else []), name
            expected = {
                "joins": "holder", "waits_for_pool": "pool_0", "waits_for_queued": "pool_0"
            }.get(name, each["holder"])  # fmt: skip
            responsible = [t.name for t in sync.responsible(found)]
            assert responsible == ([expected] if expected else []), name
        runner = sync.runner(more["future"])
        assert runner is not None
        assert runner.name.startswith("pool")
        assert sync.workers(more["queued"]) == [runner]
        assert sync.workers(more["future"]) == []
        assert sync.runner(more["queued"]) is None
        for at, pid in more["children"]:
            assert sync.child(at) == pid
        assert sync.child(more["future"]) == 0


@each_python
def test_tasks(python: Path) -> None:
    with said(python, "python_tasks.py") as (image, told):
        look = look_at(image)
        sync = Sync(look)
        found = {task.name: task for task in tasks(sync)}
        running = [task for task in found.values() if task.running is not None]
        assert [task.frames[-1].code.name for task in running] == ["main"]
        assert running[0].frames[0].code.name == "main"
        assert found.keys() - {running[0].name} == told.keys()
        for name, each in told.items():
            task = found[name]
            assert task.address == each["address"], name
            assert task.thread is not None, name
            assert task.thread.tid == image.pid, name
            frames = [[f.code.name, f.line] for f in reversed(task.frames)]
            assert frames[: len(each["coroutines"])] == each["coroutines"], name
            assert task.operation == each["operation"], name
            # wait_for awaits the task itself from 3.12 on.
            assert task.kind.rpartition(".")[2] == each["kind"] or not each["kind"], name
            if each["object"]:
                assert task.object == each["object"], name
            assert task.name_of_object == each["name"] or not each["kind"], name
            own = task.frames[-1].code.file  # asyncio itself is inside of something, too
            objects = [h.object for h in task.held if h.frame.code.file == own]
            expected = each["held"]
            assert len(objects) == len(expected), name
            assert all(e in (o, 0) for o, e in zip(objects, expected, strict=True)), name
            assert sorted(set(task.needs) & by_address(found.values()).keys()) == each["needs"], (
                name
            )
            assert task.future, name
        left, right = found["left"], found["right"]
        assert [t.name for t, _ in holders(sync, list(found.values()), left.object)] == ["right"]
        assert [t.name for t, _ in holders(sync, list(found.values()), right.object)] == ["left"]
        waited = found["conditioned"].object
        assert holders(sync, list(found.values()), waited) == []


def by_address(found: Iterable[Task]) -> dict[int, Task]:
    return {task.address: task for task in found}
