"""``lockorder.watchdog``: what stands still is told in a file, and nothing else is touched."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lockorder.hang.collected import read_snapshot
from lockorder.hang.jobs import is_rank
from lockorder.hang.watches import VARIABLE
from runtime_probe.processes import tree

pytestmark = pytest.mark.timeout(60)

START = "watchdog.start(timeout=0.5, folder='told', every=0.1)\n"
PROGRAM = """\
import ctypes, os, signal, sys, threading, time
from lockorder import watchdog

ready = lambda: print("ready", flush=True)

def locks():
    first, second, met = threading.Lock(), threading.Lock(), threading.Barrier(2)

    def other():
        with second:
            met.wait()
            with first:
                pass

    threading.Thread(target=other).start()
    with first:
        met.wait()
        ready()
        with second:  # MINE
            pass

def gil():
    threading.Thread(target=lambda: [time.sleep(0.001) for _ in iter(int, 1)], daemon=True).start()
    ready()
    ctypes.PyDLL(None).pause()  # GIL

# What goes on does so for three times what is too long, and ends.
END = time.monotonic() + 1.5

def beats():
    def beat():
        while True:
            watchdog.beat()
            time.sleep(0.01)

    thread = threading.Thread(target=beat, daemon=True)
    thread.start()
    ready()
    thread.join(1.5)

def no_beat():
    watchdog.beat()
    ready()
    while True:
        pass

def works():
    ready()
    while time.monotonic() < END:
        sum(range(100))

def waits_for_work():
    def work():
        while time.monotonic() < END:
            sum(range(100))

    thread = threading.Thread(target=work)
    thread.start()
    ready()
    thread.join()

def stopped():
    watchdog.stop()
    ready()
    threading.Event().wait(1.5)

def both():
    ready()
    while not os.path.exists("go"):
        pass
    threading.Event().wait()

def rests():
    ready()
    signal.pause()  # REST

"""


def line_of(mark: str) -> str:
    (number,) = [n for n, line in enumerate(PROGRAM.splitlines(), 1) if f"# {mark}" in line]
    return f"program.py:{number}"


def watchers(pid: int) -> list[int]:
    """The processes that watch *pid*."""
    wanted = f"{VARIABLE}={pid}".encode()
    found = []
    for name in filter(str.isdecimal, os.listdir("/proc")):
        try:
            if wanted in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                found.append(int(name))
        except OSError:
            continue
    return found


@contextmanager
def program(
    folder: Path, what: str, begin: str = START, **variables: str
) -> Iterator[subprocess.Popen[str]]:
    """A program that has come to where it stands, or works."""
    (folder / "program.py").write_text(f"{PROGRAM}{begin}{what}()\n")
    with subprocess.Popen(
        [sys.executable, "program.py"], cwd=folder, env={**os.environ, **variables}, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> str:
    """The line that the watchdog writes."""
    assert process.stderr is not None
    return process.stderr.readline()


def has_ended(pid: int) -> bool:
    """Whether a process ends in time."""
    try:
        poll = select.poll()
        poll.register(os.pidfd_open(pid), select.POLLIN)
    except ProcessLookupError:
        return True
    return bool(poll.poll(20_000))


def told(folder: Path) -> list[Path]:
    return sorted(folder.glob("told/lockorder-hang-*.txt"))


@pytest.mark.parametrize(("what", "mark"), [("locks", "MINE"), ("gil", "GIL"), ("rests", "REST")])
def test_a_standstill_is_told_once_with_its_own_line(tmp_path: Path, what: str, mark: str) -> None:
    with program(tmp_path, what, RANK="3") as process:
        line = said(process)
        (text,) = told(tmp_path)
        assert f"no progress of rank 3 (process {process.pid})" in line
        assert str(text) in line
        assert re.fullmatch(rf"lockorder-hang-.+-rank3-{process.pid}-\d+-\d+\.txt", text.name)
        answer = text.read_text()
        assert line_of(mark) in answer.partition("\n")[0]
        assert "the job moves" not in answer.partition("\n")[0]
        assert process.poll() is None
    snapshot = text.with_suffix(".json")
    done = subprocess.run(
        [sys.executable, "-m", "lockorder", "hang", snapshot],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.partition("\n")[0] == answer.partition("\n")[0]
    assert done.returncode == (0 if what == "rests" else 1), done.stderr
    if what == "gil":
        assert "and has the GIL meanwhile: " in line


@pytest.mark.parametrize("what", ["works", "beats", "waits_for_work", "stopped"])
def test_what_goes_on_is_left_alone(tmp_path: Path, what: str) -> None:
    with program(tmp_path, what) as process:
        (_, errors) = process.communicate(timeout=30)
    assert (errors, told(tmp_path), process.returncode) == ("", [], 0)


def test_stop(tmp_path: Path) -> None:
    code = f"""
import os
from lockorder import watchdog
{START}
print(os.getpid(), flush=True)
input()
watchdog.stop()
print("stopped", flush=True)
input()
"""
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        (watcher,) = watchers(int(process.stdout.readline()))
        process.stdin.write("\n")
        process.stdin.flush()
        assert process.stdout.readline() == "stopped\n"
        assert has_ended(watcher)
        process.stdin.write("\n")


def test_ranks_that_stand_together_have_one_answer(tmp_path: Path) -> None:
    job = {"MASTER_PORT": "29517", "WORLD_SIZE": "2", "TMPDIR": str(tmp_path)}
    with (
        program(tmp_path, "both", RANK="0", **job) as one,
        program(tmp_path, "both", RANK="1", **job) as other,
    ):
        (tmp_path / "go").touch()
        ready, _, _ = select.select([one.stderr, other.stderr], [], [])
        line = ready[0].readline()
        (lock,) = tmp_path.glob("lockorder-watchdog-*.lock")
        with lock.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # behind the other one, which waits for it
        (text,) = told(tmp_path)
    assert str(text) in line
    # Whoever started them has their pipes, and may be looked at, too.
    ranks = {p.rank for p in read_snapshot(text.with_suffix(".json")).processes}
    assert ranks - {-1} == {0, 1}


def test_beats_that_end_are_told_whatever_else_goes_on(tmp_path: Path) -> None:
    with program(tmp_path, "no_beat") as process:
        assert f"no beat of process {process.pid}" in said(process)


def test_the_watcher_ends_with_the_program_and_is_none_of_its_children(tmp_path: Path) -> None:
    with program(tmp_path, "rests") as process:
        (watcher,) = watchers(process.pid)
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
        assert children == ""
        process.send_signal(signal.SIGKILL)
        assert has_ended(watcher)


def test_by_the_environment(tmp_path: Path) -> None:
    variables = {"LOCKORDER_WATCHDOG": "0.5", "LOCKORDER_WATCHDOG_DIR": "told"}
    with program(tmp_path, "locks", begin="", **variables) as process:
        assert "are deadlocked" in said(process)
        assert len(told(tmp_path)) == 1


@pytest.mark.parametrize("value", ["soon", "-1", "inf"])
def test_a_wrong_variable_is_said_and_the_program_goes_on(tmp_path: Path, value: str) -> None:
    with program(tmp_path, "works", begin="", LOCKORDER_WATCHDOG=value) as process:
        assert f"LOCKORDER_WATCHDOG={value}: a positive number" in said(process)
        assert watchers(process.pid) == []


def test_children_are_not_watched_again(tmp_path: Path) -> None:
    child = "import subprocess; subprocess.run([sys.executable, '-c', 'import lockorder.watchdog'])"
    begin = f"{child}\n"
    with program(tmp_path, "works", begin=begin, LOCKORDER_WATCHDOG="60") as process:
        assert len(watchers(process.pid)) == 1


@pytest.mark.parametrize(
    ("call", "error"),
    [("start(0)", "ValueError"), ("start(every=-1)", "ValueError"),
     ("start(folder='/proc/none')", "WatchdogError")],
)  # fmt: skip
def test_what_cannot_be_started(tmp_path: Path, call: str, error: str) -> None:
    code = f"from lockorder import watchdog; watchdog.{call}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert error in done.stderr.rpartition("\n  ")[2]


@pytest.mark.parametrize("launched", [False, True])
def test_a_command_that_is_not_changed(tmp_path: Path, launched: bool) -> None:
    (tmp_path / "program.py").write_text(f"{PROGRAM}locks()\n")
    job = [sys.executable, "program.py"]
    if launched:  # a launcher moves all the time
        job = ["sh", "-c", f"RANK=0 {sys.executable} program.py & while kill -0 $!; do :; done"]
    command = [sys.executable, "-m", "lockorder.watchdog", "run", "--folder", "told",
               "--every", "0.1", "0.5", "--", *job]  # fmt: skip
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert "are deadlocked" in said(process)
        assert len(told(tmp_path)) == 1
        ranks = [pid for pid in tree(process.pid) if is_rank(pid)]
        process.send_signal(signal.SIGTERM)
        for rank in ranks:  # its launcher leaves it alone
            os.kill(rank, signal.SIGKILL)
        assert process.stderr is not None
        process.stderr.read()  # nobody gets a SIGPIPE
    assert len(ranks) == launched
    assert process.returncode == 128 + signal.SIGTERM
