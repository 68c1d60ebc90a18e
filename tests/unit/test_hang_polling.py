"""Which loops only look for something, by their sources."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from lockorder.hang import polling
from lockorder.model import Frame

LOOKS = {
    "flag": ("while not done:\n    time.sleep(0.1)  # here", "while not done"),
    "event": ("while not done.is_set():\n    time.sleep(0.1)  # here", "while not done.is_set()"),
    "spin": ("while not flag:  # here\n    pass", "while not flag"),
    "child": (
        "while child.poll() is None:\n    time.sleep(1)  # here",
        "while child.poll() is None",
    ),
    "queue": (
        "while True:\n    try:\n        item = q.get(timeout=1)  # here\n"
        "    except Empty:\n        continue\n    use(item)",
        "",
    ),
    "lock": (
        "while True:\n    try:\n        fcntl.flock(f, LOCK_EX | LOCK_NB)  # here\n"
        "        break\n    except OSError:\n        time.sleep(1)",
        "",
    ),
    "leaves": ("while True:\n    if done.is_set():\n        break\n    time.sleep(1)  # here", ""),
    "task": ("while not done:\n    await asyncio.sleep(1)  # here", "while not done"),
}  # fmt: skip
WORKS = {
    "heartbeat": "while not stop.wait(1):\n    beat()  # here",
    "counts": "while not flag:\n    n += 1  # here",
    "sleeps for ever": "while True:\n    time.sleep(60)  # here",
    "asks the file system": "while not exists(name):\n    time.sleep(1)  # here",
    "works in a branch": (
        "while True:\n    if due.is_set():\n        work()\n    time.sleep(1)  # here"
    ),
    "queue, and then it goes on": (
        "while True:\n    try:\n        item = q.get(timeout=1)  # here\n"
        "    except Empty:\n        pass\n    flush()"
    ),
    "of a call's result": "while not state().is_set():\n    time.sleep(1)  # here",
    "takes a lock": "while True:\n    with lock:\n        done.wait(1)  # here",
    "has a deadline": "while time.monotonic() < end:\n    time.sleep(1)  # here",
    "has a deadline inside": (
        "while not done.is_set():\n    if time.time() > end:\n        break\n"
        "    time.sleep(1)  # here"
    ),
    "waits until something comes": "while True:\n    meeting.wait()  # here",
    "takes what comes": "while not done:\n    q.get()  # here",
    "a lock of a file": "while not done:\n    fcntl.flock(f, LOCK_EX)  # here",
    "no loop": "time.sleep(1)  # here",
    "a for": "for each in names:\n    time.sleep(1)  # here",
}


def found(tmp_path: Path, body: str) -> polling.Poll | None:
    file = tmp_path / "program.py"
    file.write_text("async def function():\n" + textwrap.indent(body, "    ") + "\n")
    line = next(n for n, t in enumerate(file.read_text().splitlines(), 1) if "# here" in t)
    return polling.of(Frame("function", str(file), line))


@pytest.mark.parametrize("name", LOOKS)
def test_looks(tmp_path: Path, name: str) -> None:
    body, text = LOOKS[name]
    poll = found(tmp_path, body)
    assert poll is not None
    assert poll.text == text
    assert poll.children == (name == "child")
    assert poll.locks == (name == "lock")


@pytest.mark.parametrize("name", WORKS)
def test_works(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, WORKS[name]) is None


def test_what_is_asked_first_comes_first(tmp_path: Path) -> None:
    poll = found(tmp_path, LOOKS["queue"][0])
    assert poll is not None
    assert poll.calls[0] == ("q", "get")
    assert (poll.first, poll.last) == (2, 7)


def test_without_a_source() -> None:
    assert polling.of(Frame("function", "/nowhere/program.py", 3)) is None
