"""What is read of CPython's memory against what the process says of itself, by each interpreter."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from hung import PROGRAMS, interpreters
from lockorder.hang import pyframes, pythons
from lockorder.hang.procfs import LiveImage, tree
from lockorder.hang.pyheld import held
from lockorder.hang.waits_names import Names

each_python = pytest.mark.parametrize("python", interpreters(), ids=str)


@contextmanager
def said(python: Path, program: str, before: Sequence[str] = ()) -> Iterator[tuple[LiveImage, Any]]:
    """A program that runs, and what it says of itself; *before* is a command that starts it."""
    command = [*before, python, PROGRAMS / program]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            told = json.loads(process.stdout.readline())
            assert process.stdout.readline() == "ready\n"
            yield LiveImage(tree(process.pid)[1] if before else process.pid), told
        finally:
            for pid in reversed(tree(process.pid)):
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)


def look_at(image: LiveImage) -> pyframes.Look:
    python = pythons.find(image, Names(image))
    assert python is not None
    look = pyframes.look_at(image, python)
    assert look is not None
    return look


@each_python
def test_stacks(python: Path) -> None:
    with said(python, "python_stacks.py") as (image, told):
        look = look_at(image)
        stacks = look.stacks()
        assert stacks.tool == "memory"
        assert not stacks.problems
        main = stacks.threads[image.pid]
        assert main.name == "MainThread"
        assert [f.function for f in main.chain] == ["<module>", "main"]
        names = {thread.name: thread for thread in look.threads}
        for name, expected in told.items():
            stack = stacks.threads[expected["native"]]
            assert stack.name == name
            assert stack.python
            places = [(f.file, f.line) for f in stack.chain]
            assert places == [(f["file"], f["line"]) for f in expected["frames"]], name
            for frame, of_frame in zip(stack.chain, expected["frames"], strict=True):
                if of_frame["function"]:
                    assert frame.function == of_frame["function"]
                else:
                    assert frame.function.rpartition(".")[2] == of_frame["name"]
            for own, of_frame in zip(names[name].frames[::-1], expected["frames"], strict=True):
                assert look.locals(own) == of_frame["locals"], (name, of_frame)


@each_python
def test_methods(python: Path) -> None:
    """Functions are named with their classes in versions, too, whose code does not say them."""
    with said(python, "python_stacks.py") as (image, told):
        stacks = look_at(image).stacks()
        functions = {
            name: [f.function for f in stacks.threads[t["native"]].chain]
            for name, t in told.items()
        }
        assert {"Derived.method", "Plain.method", "Plain.inner"} <= set(functions["derived"])
        assert {"Plain.kept_by_inner", "Plain.inner"} <= set(functions["kept by inner"])
        assert "Plain.of_class" in functions["of-class"]
        assert "Plain.value" in functions["property"]
        assert functions["method"][:3] == [
            "Thread._bootstrap", "Thread._bootstrap_inner", "Thread.run",
        ]  # fmt: skip


@each_python
def test_objects(python: Path) -> None:
    with said(python, "python_objects.py") as (image, told):
        objects = look_at(image).objects
        for name, (at, expected) in told["attributes"].items():
            assert objects.attributes(at) == expected, name
            for key, value in expected.items():
                assert objects.attribute(at, key) == value
            assert objects.attribute(at, "nothing") == 0
        for name, (at, items) in told["containers"].items():
            assert objects.items(at) == items, name
            assert objects.entries(at) is None
        for name, (at, entries) in told["dicts"].items():
            assert objects.entries(at) == [(k, v) for k, v in entries], name
            assert objects.items(at) is None
        for name, (at, value) in told["values"].items():
            if isinstance(value, str):
                assert objects.text(at) == value
                assert objects.integer(at) is None
            else:
                assert objects.integer(at) == value, name
                assert objects.text(at) is None
            assert objects.boolean(at) is (value if isinstance(value, bool) else None)
        plain = told["class"]
        assert objects.is_class(plain)
        assert objects.qualified(plain) == "Plain"
        assert objects.text(objects.attribute(plain, "shared")) == "of the class"
        assert objects.type_name(told["containers"]["deque"][0]) == "collections.deque"


@each_python
def test_held(python: Path) -> None:
    with said(python, "python_held.py") as (image, told):
        look = look_at(image)
        threads = {thread.tid: thread for thread in look.threads}
        for name, expected in told.items():
            thread = threads[expected["native"]]
            found = [h for frame in thread.frames for h in held(look, frame)]
            assert [h.object for h in found] == [at for at, _ in expected["held"]], name
            for own, (_, line) in zip(found, expected["held"], strict=True):
                assert own.line == line, name


@each_python
def test_interpreter_inside(python: Path) -> None:
    with said(python, "python_inside.py") as (image, (tid, lock)):
        look = look_at(image)
        stack = look.stacks().threads[tid]
        functions = [f.function for f in stack.chain]
        assert stack.name == "outer"
        assert functions[-3:] == ["run", "<module>", "inside"]
        own = [thread for thread in look.threads if thread.tid == tid]
        assert len(own) == 2
        inside = [h.object for t in own for frame in t.frames for h in held(look, frame)]
        assert inside == [lock]


@each_python
def test_moving(python: Path) -> None:
    """What a process that runs shows was there, even if not all at once."""
    with said(python, "python_busy.py") as (image, own):
        whole = 0
        lines: list[int] = []
        for _ in range(40):
            look = look_at(image)
            assert len(look.threads) <= 4
            for thread in look.threads:
                whole += thread.whole
                for frame in thread.frames:
                    held(look, frame)
                    if frame.code.file == str(PROGRAMS / "python_busy.py"):
                        assert frame.code.name in (*own, "<module>")
                        lines.append(frame.line)
        assert whole > 100
        # A frame's code and its place may be of two moments.
        assert sum(0 < line < 60 for line in lines) > 0.95 * len(lines)


@each_python
def test_namespace(python: Path) -> None:
    """Threads have the ids that they have in their own PID namespace, as images have them."""
    unshare = shutil.which("unshare")
    into = [unshare or "", "--pid", "--fork"]
    if unshare is None or subprocess.run([*into, "true"], check=False).returncode:
        pytest.skip("no PID namespace may be made here")
    with said(python, "python_stacks.py", into) as (image, told):
        assert image.pid == 1
        stacks = look_at(image).stacks()
        assert stacks.threads[1].name == "MainThread"
        for name, expected in told.items():
            assert stacks.threads[expected["native"]].name == name
