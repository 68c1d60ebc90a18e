"""Which lock a Python frame has, or wants, by its source."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.hang.with_statements import held, is_handed_over, wanted
from lockorder.model import Frame

SOURCE = """
def work(self):
    with self.outer:
        with self.ready:
            while not self.items:
                self.ready.wait()
        self.other.acquire()
"""


def test_what_is_held(tmp_path: Path) -> None:
    path = tmp_path / "job.py"
    path.write_text(SOURCE)
    file = str(path)

    def names(*chain: Frame) -> list[str]:
        return [each.name for each in held(chain)]

    assert names(Frame("work", file, 3)) == []
    assert names(Frame("Job.work", file, 4)) == ["self.outer"]
    assert names(Frame("work", file, 5)) == ["self.outer", "self.ready"]
    assert names(Frame("work", file, 7)) == ["self.outer"]
    assert names(Frame("other", file, 7)) == []
    assert names(Frame("native", "/src/native.cpp", 7)) == names() == []
    # A condition's lock is given back while it is waited for.
    waits = Frame("Condition.wait", "/usr/lib/python3.11/threading.py", 320)
    assert names(Frame("work", file, 6), Frame("native"), waits) == ["self.outer"]


def test_what_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "job.py"
    path.write_text(SOURCE)
    for line, name in ((3, "self.outer"), (4, "self.ready"), (7, "self.other")):
        found = wanted([Frame("work", str(path), line), Frame("native")])
        assert found is not None
        assert found.name == name
    assert wanted([Frame("work", str(path), 6)]) is None
    assert wanted([Frame("work", str(tmp_path / "missing.py"), 3)]) is None
    assert wanted([Frame("native")]) is None


ACQUIRES = """\
def work(job):
    job.outer.acquire()
    job.ready.wait()
    job.tried.acquire(False)
    job.outer.release()
    job.inner.acquire()
    job.ready.wait()


def other(job):
    job.ready.wait()
"""


def test_what_was_acquired_and_not_released(tmp_path: Path) -> None:
    path = tmp_path / "job.py"
    path.write_text(ACQUIRES)

    def names(function: str, line: int) -> list[str]:
        return [each.name for each in held([Frame(function, str(path), line)])]

    assert names("work", 2) == []  # it is being asked for
    assert names("work", 3) == ["job.outer"]
    assert names("work", 4) == ["job.outer"]
    assert names("work", 6) == []
    assert names("work", 7) == ["job.inner"]
    assert names("other", 11) == []


@pytest.mark.parametrize(
    ("text", "handed"),
    [
        ("    lock.acquire()\n    work()\n    lock.release()\n", False),
        ("    lock.acquire()\n    work()\n", False),
        ("    lock.acquire()\n    work(lock)\n", True),
        ("    lock.acquire()\n    work(then=[lock])\n", True),
        ("    lock.acquire()\n    work(lock.release)\n", True),
        ("    lock.acquire()\n    work(blocked)\n\ndef other(it):\n    it.release()\n", True),
        ("    lock.acquire()\n    work()\n\ndef other(it):\n    it.acquire()\n", False),
    ],
)
def test_who_may_give_it_back(tmp_path: Path, text: str, handed: bool) -> None:
    path = tmp_path / "job.py"
    path.write_text("def job(lock):\n" + text)
    (kept,) = held([Frame("job", str(path), 3)])
    assert (kept.name, kept.by_with, is_handed_over(kept)) == ("lock", False, handed)
