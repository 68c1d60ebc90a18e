"""Damaged memory, and memory that changes while it is read: no exception, no endless loop."""

from __future__ import annotations

import random
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from hung import interpreters
from lockorder.hang import pyframes, pythons
from lockorder.hang.corefile import CoreImage
from lockorder.hang.image import Image, Mapping, Stopped
from lockorder.hang.pyheld import held
from lockorder.hang.pysync import Sync
from lockorder.hang.pytasks import tasks
from lockorder.hang.waits_names import Names
from test_hang_pyframes import said

each_python = pytest.mark.parametrize("python", interpreters(), ids=str)
_LOOKS = 15
_PATIENCE = 10.0  # seconds of our own a look


class Damaged:
    """An image some of whose bytes are others, from one place on."""

    def __init__(self, image: Image, seed: int) -> None:
        self._image, self._random = image, random.Random(seed)
        self._rate = self._random.choice([0.0005, 0.01, 0.1])
        self._left_alone = self._random.randrange(200)
        self.pid, self.outside, self.machine = image.pid, image.outside, image.machine
        self.exe, self.command, self.problems = image.exe, image.command, list(image.problems)

    def threads(self) -> Sequence[Stopped]:
        return self._image.threads()

    def mappings(self) -> Sequence[Mapping]:
        return self._image.mappings()

    def read(self, address: int, size: int) -> bytes | None:
        content = self._image.read(address, size)
        self._left_alone -= 1
        if content is None or self._left_alone > 0:
            return content
        chosen = self._random
        if chosen.random() < 0.02:
            return None
        if chosen.random() < 0.02:
            return chosen.randbytes(size)
        damaged = bytearray(content)
        for _ in range(int(size * self._rate * chosen.random() * 2)):
            place = chosen.randrange(size)
            # What may be believed: a size, a pointer to something else, anything.
            if chosen.random() < 0.5 or place + 8 > size:
                damaged[place] = chosen.choice([0, 1, 0x7F, 0x80, 0xFF, chosen.randrange(256)])
            else:
                other = chosen.randrange(size) & ~7
                damaged[place & ~7 : (place & ~7) + 8] = content[other : other + 8].ljust(8, b"\0")
        return bytes(damaged[:size])


def ask_everything(look: pyframes.Look) -> None:
    look.stacks()
    sync = Sync(look)
    for task in tasks(sync):
        sync.holders(task.object)
    for thread in look.threads[:20]:
        waiting = sync.waiting(thread, 0x1000)
        sync.holders(waiting.lock or waiting.object)
        sync.thread_of(waiting.object)
        sync.name_of_thread(waiting.object)
    for thread in look.threads[:20]:
        look.thread_objects(thread.interpreter)
        for frame in thread.frames[:30]:
            held(look, frame)
            for value in list(look.locals(frame).values())[:30]:
                objects = look.objects
                objects.attributes(value)
                objects.items(value)
                objects.entries(value)
                objects.text(value)
                objects.integer(value)
                objects.qualified(value)


@each_python
@pytest.mark.parametrize(
    "program", ["python_held.py", "python_stacks.py", "python_sync.py", "python_tasks.py"]
)
def test_damaged(python: Path, program: str) -> None:
    with said(python, program) as (image, _):
        found = pythons.find(image, Names(image))
        assert found is not None
        tids = {thread.tid for thread in image.threads()}
        for seed in range(_LOOKS):
            damaged = Damaged(image, seed)
            began = time.process_time()
            look = pyframes.look_at(damaged, found, tids)
            if look is not None:
                ask_everything(look)
            assert time.process_time() - began < _PATIENCE, seed


@each_python
def test_core(python: Path, tmp_path: Path) -> None:
    """A core shows what the process shows."""
    if shutil.which("gcore") is None:
        pytest.skip("no gcore here: install gdb")
    with said(python, "python_held.py") as (image, told):
        live = pythons.find(image, Names(image))
        assert live is not None
        expected = pyframes.stacks(image, live)
        command = ["gcore", "-o", str(tmp_path / "core"), str(image.pid)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        path = tmp_path / f"core.{image.pid}"
        if not path.exists():
            pytest.skip(f"gcore may not: {done.stderr.strip()[-200:]}")
    with CoreImage(path) as core:
        found = pythons.find(core, Names(core))
        assert found is not None
        look = pyframes.look_at(core, found)
        assert look is not None
        assert look.stacks() == expected
        threads = {thread.tid: thread for thread in look.threads}
        for name, each in told.items():
            thread = threads[each["native"]]
            objects = [h.object for frame in thread.frames for h in held(look, frame)]
            assert objects == [at for at, _ in each["held"]], name
