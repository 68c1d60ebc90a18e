"""What moved between two looks: counters of made-up processes, and of real ones."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lockorder.hang import motion
from lockorder.hang.motion import Count, Look, Motion, between
from lockorder.hang.procfs_files import Proc

STATUS = """Name:\tmade
State:\t{state} (sleeping)
Pid:\t{tid}
Uid:\t0\t0\t0\t0
voluntary_ctxt_switches:\t{switches}
nonvoluntary_ctxt_switches:\t1
"""
STAT = "{tid} (a) name) S 1 1 1 0 -1 0 0 0 0 0 {user} {system} 0 0 20 0 1 0 {started} 0 0\n"


def made(root: Path, tid: int, **facts: str) -> None:
    """A thread of process 7."""
    place = root / "7/task" / str(tid)
    place.mkdir(parents=True, exist_ok=True)
    known = {"state": "S", "switches": "4", "user": "0", "system": "0", "started": "50", **facts}
    (place / "status").write_text(STATUS.format(tid=tid, **known))
    (place / "stat").write_text(STAT.format(tid=tid, **known))
    for name in ("sched", "schedstat"):
        if name in facts:
            (place / name).write_text(facts[name])


@pytest.fixture
def proc(tmp_path: Path) -> Proc:
    (tmp_path / "self").mkdir()
    return Proc(str(tmp_path))


def look(proc: Proc) -> Look:
    return motion.look(7, proc, motion.Clock(proc))


# -- one look --------------------------------------------------------------------------------------


def test_as_finely_as_the_kernel_tells(proc: Proc, tmp_path: Path) -> None:
    made(tmp_path, 8, schedstat="1500000 0 0\n", user="300", system="100")
    made(tmp_path, 9, user="300", system="100", state="R")
    made(tmp_path, 10, schedstat="damaged\n", user="300", system="100")
    found = look(proc).threads
    assert {tid: each.state for tid, each in found.items()} == {8: "S", 9: "R", 10: "S"}
    assert found[8].cpu == pytest.approx(0.0015)
    assert found[9].cpu == found[10].cpu == pytest.approx(400 / motion._HERTZ)
    assert found[8].switches == 5
    assert found[8].started == 50


def test_when_it_last_ran_is_told_in_our_time(proc: Proc, tmp_path: Path) -> None:
    (tmp_path / "self/sched").write_text("me (1)\nse.exec_start   :   100000.500000\n")
    made(tmp_path, 8, sched="made (8)\nse.exec_start   :    40000.500000\n")
    made(tmp_path, 9)
    found = look(proc).threads
    assert found[8].ran == pytest.approx(time.time() - 60, abs=5)
    assert found[9].ran == 0.0
    (tmp_path / "self/sched").unlink()
    assert look(proc).threads[8].ran == 0.0


def test_who_ends_meanwhile_is_left_out(proc: Proc, tmp_path: Path) -> None:
    made(tmp_path, 8)
    made(tmp_path, 9)
    (tmp_path / "7/task/9/stat").unlink()
    made(tmp_path, 10)
    (tmp_path / "7/task/10/stat").write_text("10 (cut\n")
    assert list(look(proc).threads) == [8]
    assert motion.look(99, proc, motion.Clock(proc)).threads == {}


# -- two looks -------------------------------------------------------------------------------------


def after(seconds: float, before: Count | None, now: Count) -> Motion:
    threads = {} if before is None else {8: before}
    (found,) = between(Look(100.0, threads), Look(100.0 + seconds, {8: now})).values()
    return found


BEFORE = Count(50, "S", 1.0, 10, 1000.0)


@pytest.mark.parametrize(
    ("now", "works", "stands"),
    [
        (BEFORE, False, True),
        (BEFORE._replace(switches=11), False, False),
        (BEFORE._replace(cpu=1.001), False, False),  # looked whether there is something to do
        (BEFORE._replace(cpu=1.5, switches=11), True, False),
        (BEFORE._replace(cpu=0.9), False, True),  # clocks of cores differ
    ],
)
def test_what_a_thread_did(now: Count, works: bool, stands: bool) -> None:
    found = after(2.0, BEFORE, now)
    assert (found.works, found.stands, found.is_new) == (works, stands, False)
    assert found.seconds == 2.0


def test_a_new_thread_is_motion() -> None:
    """Also where it has the id of one that has ended."""
    for before in (None, BEFORE._replace(started=49)):
        found = after(2.0, before, BEFORE)
        assert found.is_new
        assert found.works
        assert not found.stands
    assert between(Look(1.0, {8: BEFORE}), Look(3.0, {})) == {}


def test_little_work_counts_by_the_time_that_it_had() -> None:
    short, long = (
        after(0.2, BEFORE, BEFORE._replace(cpu=1.01)),
        after(20.0, BEFORE, BEFORE._replace(cpu=1.01)),
    )
    assert short.works
    assert not long.works


# -- real ones -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "works", "stands"),
    [
        ("while True: pass", True, False),
        ("import signal; signal.pause()", False, True),
        ("import time\nwhile True: time.sleep(0.02)", False, False),
    ],
)
def test_real_processes(code: str, works: bool, stands: bool) -> None:
    command = [sys.executable, "-c", f"import os; os.write(1, b'ready\\n')\n{code}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout is not None
            process.stdout.readline()
            proc = Proc()
            clock = motion.Clock(proc)
            time.sleep(0.2)
            first = motion.look(process.pid, proc, clock)
            time.sleep(0.5)
            found = between(first, motion.look(process.pid, proc, clock))[process.pid]
        finally:
            process.send_signal(signal.SIGKILL)
    assert (found.works, found.stands) == (works, stands), found
    assert found.since == 0.0 or abs(found.since - time.time()) < 60
