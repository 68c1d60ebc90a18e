"""``lockorder hang`` from end to end: real hangs, live and from core files, and look-alikes."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import platform
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from compilers import CannotBuildError, compiler

from dumps import Job, stuck
from hung import PROGRAMS, Hung, running
from lockorder.hang.procfs import LiveImage, tree
from lockorder.hang.waits import Waits
from lockorder.hang.waits_frames import Kind
from runtime_probe.errors import ShimMissingError
from runtime_probe.launch import shim_path

Build = Callable[..., Path]
SHELL = shutil.which("gdb") or shutil.which("eu-stack")

pytestmark = pytest.mark.skipif(SHELL is None, reason="no stacks here: install gdb or elfutils")


class Harm:
    """What a pickle would do if it were loaded."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.path}",)


class Told(NamedTuple):
    """What the command said, as text and for machines."""

    code: int
    text: str
    errors: str
    document: dict[str, Any]

    @property
    def first(self) -> str:
        return self.text.partition("\n")[0]

    def findings(self, *rules: str) -> list[dict[str, Any]]:
        return [f for f in self.document.get("findings", []) if f["rule"] in rules]


def ask(*arguments: str | Path, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "lockorder", "hang", *map(str, arguments)]
    if "--pid" in command:
        command += ["--wait", "0.3"]  # what stands here stands for good
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def tell(*arguments: str | Path) -> Told:
    text, machine = ask(*arguments, "-v"), ask(*arguments, "--format", "json")
    assert text.returncode == machine.returncode, text.stderr + machine.stderr
    assert "Traceback" not in text.stderr + machine.stderr
    document = json.loads(machine.stdout) if machine.stdout else {}
    return Told(text.returncode, text.stdout, text.stderr, document)


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds a program of fixtures/programs/hang, once for each name and flags."""
    folder = tmp_path_factory.mktemp("hang")

    def made(name: str, *flags: str) -> Path:
        program = folder / f"{Path(name).stem}{''.join(flags)}"
        if not program.exists():
            standard = "-std=gnu11" if name.endswith(".c") else "-std=c++17"
            try:
                tools = compiler(name[name.index(".") :])
            except CannotBuildError as missing:
                pytest.skip(str(missing))
            options = [standard, "-O1", "-pthread", *(flags or ("-g",))]
            subprocess.run([*tools, *options, "-o", program, PROGRAMS / name], check=True)
        return program

    return made


class Case(NamedTuple):
    """A hang: the threads in it by what each waits for and who has that, and the first line."""

    program: str
    name: str
    waits: dict[str, tuple[str, str]]
    rule: str = "deadlock"


CASES = [
    Case("deadlocks.cpp", "two", {"a": ("second_mutex", "b"), "b": ("first_mutex", "a")}),
    Case(
        "deadlocks.cpp",
        "three",
        {"a": ("second_mutex", "b"), "b": ("third_mutex", "c"), "c": ("first_mutex", "a")},
    ),
    Case("deadlocks.cpp", "shared", {"a": ("second_shared", "b"), "b": ("first_shared", "a")}),
    Case("deadlocks.cpp", "self", {"a": ("self(int)::mutex", "a")}, "self-deadlock"),
    Case("deadlocks.cpp", "join", {"a": ("end of thread", "b"), "b": ("first_mutex", "a")}),
    Case("deadlocks.cpp", "ended", {"a": ("plain", "")}),
    Case(
        "initialisers.cpp",
        "static",
        {"holder": ("by_static()::made", "initialiser"), "initialiser": ("registry", "holder")},
    ),
    Case(
        "initialisers.cpp",
        "once",
        {"holder": ("flag", "initialiser"), "initialiser": ("registry", "holder")},
    ),
    Case(
        "initialisers.cpp",
        "static-self",
        {"initialiser": ("static_needs_itself()::made", "initialiser")},
        "self-deadlock",
    ),
    Case(
        "initialisers.cpp", "once-self", {"initialiser": ("flag", "initialiser")}, "self-deadlock"
    ),
    Case("deadlocks.cpp", "launched", {"a": ("second_mutex", "b"), "b": ("first_mutex", "a")}),
]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
ACROSS = (Kind.MUTEX, Kind.RWLOCK, Kind.JOIN, Kind.ONCE, Kind.GUARD)


def settled(hung: Hung, count: int) -> None:
    """Waits until so many threads wait."""
    hung.owners(ACROSS, count)


def check(told: Told, hung: Hung, case: Case, process: int = 0) -> None:
    """The right threads, locks and owners, in the first line and in the finding."""
    process = process or hung.pid
    assert told.code == 1, told.text + told.errors
    (finding,) = told.findings("deadlock", "self-deadlock")
    assert finding["rule"] == case.rule
    assert finding["confidence"] == "high"
    assert told.first == finding["message"] == told.document["headline"]
    tids = {name: f"thread {process}:{hung.threads[name]}" for name in case.waits}
    (state,) = [p for p in told.document["processes"] if p["pid"] == process]
    waits = {w["who"]: w for w in state["waits"] if w.get("owners") or w.get("gone")}
    for name, (lock, owner) in case.waits.items():
        assert lock.rpartition("::")[2] in told.first
        assert tids[name] in told.first
        (wait,) = [w for who, w in waits.items() if f"{who} ".startswith(f"{tids[name]} ")]
        assert lock.rpartition("::")[2] in (wait.get("lock") or "end of thread")
        owners = [o["who"] for o in wait.get("owners", [])]
        assert [o.partition(" ")[2].split()[0] for o in owners] == (
            [tids[owner].partition(" ")[2]] if owner else []
        )
    assert len(finding["participants"]) == max(len(case.waits), 1 + (case.name == "ended"))
    assert "where the locks were taken" in told.text


@each_case
def test_live(build: Build, case: Case) -> None:
    with running([build(case.program), case.name]) as hung:
        settled(hung, len(case.waits))
        launched = case.name == "launched"
        target = hung.process.pid if launched else hung.pid
        told = tell("--pid", str(target))
        check(told, hung, case)
        # Both sides say where they are.
        (finding,) = told.findings("deadlock", "self-deadlock")
        assert any(p.get("taken", {}).get("chain") for p in finding["participants"])
        assert ".cpp:" in told.text


def core_of(hung: Hung, folder: Path) -> Path:
    """A copy of the process, by gcore; skips where that may not be made."""
    if shutil.which("gcore") is None:
        pytest.skip("no gcore here: install gdb")
    command = ["gcore", "-o", str(folder / "core"), str(hung.pid)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    core = folder / f"core.{hung.pid}"
    if not core.exists():
        pytest.skip(f"gcore may not: {done.stderr.strip()[-200:]}")
    return core


@each_case
def test_from_a_core(build: Build, case: Case, tmp_path: Path) -> None:
    with running([build(case.program), case.name]) as hung:
        settled(hung, len(case.waits))
        core = core_of(hung, tmp_path)
    check(tell("--core", core), hung, case)
    if case.name == "two":
        program = build(case.program)
        check(tell("--core", core, "--exe", program), hung, case)


def by_the_kernel(build: Build, name: str, folder: Path) -> tuple[Hung, Path]:
    """A process that was ended by SIGQUIT, and its core; skips where the kernel writes none."""
    if Path("/proc/sys/kernel/core_pattern").read_text().strip() != "core":
        pytest.skip("the kernel gives cores to another program here")
    shell = ["sh", "-c", 'ulimit -c unlimited && exec "$@"', "sh"]
    with running([*shell, build("deadlocks.cpp"), name], cwd=folder) as hung:
        settled(hung, 2)
        hung.process.send_signal(signal.SIGQUIT)
        hung.process.wait(240)  # a loaded machine writes a core of this size slowly
    cores = list(folder.glob("core*"))
    if not cores:
        pytest.skip("no core was written")
    return hung, cores[0]


def test_a_core_that_the_kernel_wrote(build: Build, tmp_path: Path) -> None:
    """SIGQUIT, as somebody does who has nothing else."""
    hung, core = by_the_kernel(build, "two", tmp_path)
    check(tell("--core", core), hung, CASES[0])


@pytest.mark.parametrize("case", [CASES[0], CASES[3], CASES[4]], ids=lambda case: case.name)
def test_stripped(build: Build, case: Case, tmp_path: Path) -> None:
    """Owners are in memory: less is said of names, and nothing that is wrong."""
    with running([build(case.program, "-s"), case.name]) as hung:
        settled(hung, len(case.waits))
        live = tell("--pid", str(hung.pid))
        core = core_of(hung, tmp_path)
    for told in (live, tell("--core", core)):
        assert told.code == 1
        (finding,) = told.findings(case.rule)
        assert told.first == finding["message"]
        for name in case.waits:
            assert f"thread {hung.pid}:{hung.threads[name]}" in told.first
        assert "no debug information" in told.text


def test_in_another_namespace(build: Build) -> None:
    unshare = shutil.which("unshare")
    into = [unshare or "", "--pid", "--fork"]
    if unshare is None or subprocess.run([*into, "true"], check=False).returncode:
        pytest.skip("may not make a PID namespace")
    with running([*into, build("deadlocks.cpp"), "two"]) as hung:
        inside = tree(hung.process.pid)[-1]
        hung.pid = inside
        settled(hung, 2)
        told = tell("--pid", str(hung.process.pid))
        check(told, hung, CASES[0], inside)
        assert "deadlocks.cpp" in told.text


def test_mutexes_that_processes_share(build: Build) -> None:
    with running([build("shared_memory.c"), "crossed"]) as hung:
        child = tree(hung.pid)[-1]
        for pid in (hung.pid, child):
            assert hung.until(lambda found: any(w.kind is Kind.MUTEX for w in found), pid)
        told = tell("--pid", str(hung.pid))
        alone = tell("--pid", str(hung.pid), "--no-children")
    assert told.code == 1, told.text + told.errors
    (finding,) = told.findings("deadlock")
    assert (finding["confidence"], told.first) == ("high", finding["message"])
    for pid in (hung.pid, child):
        assert f"process {pid}" in told.first
        assert f"thread {pid}:{pid}" in told.first
    # Of one that is not looked at nothing is known, but that it could end it.
    assert (alone.code, alone.findings("deadlock", "self-deadlock")) == (1, [])
    assert alone.first.endswith(f"ends only by process {child}, which was not looked at")


def test_a_shared_mutex_whose_owner_ended(build: Build) -> None:
    """Nobody has its id any more (if somebody had, that would not be who took the mutex)."""
    with running([build("shared_memory.c"), "ended"]) as hung:
        hung.until(lambda found: any(w.kind is Kind.MUTEX for w in found))
        told = tell("--pid", str(hung.pid))
    assert (told.code, told.findings("self-deadlock")) == (1, [])
    (finding,) = told.findings("deadlock")
    assert told.first.startswith(f"thread {hung.pid}:{hung.pid} ")
    assert "which ended without unlocking" in told.first
    waiting, gone = finding["participants"]
    assert waiting["who"].split()[1] == f"{hung.pid}:{hung.pid}"
    assert gone["who"].startswith("thread ")


#: Inside of a PID namespace: starts the program, copies it when both its threads wait, ends it.
_INSIDE = """
"$1" two > "$2/said" & pid=$!
until [ "$(cat /proc/$pid/task/*/syscall 2>&1 | grep -c '^202 ')" -ge 2 ]; do
  kill -0 $pid || exit 1
done
gcore -o "$2/core" $pid > "$2/gcore" 2>&1
kill -9 $pid
"""


def test_from_a_core_of_another_namespace(build: Build, tmp_path: Path) -> None:
    unshare = shutil.which("unshare")
    into = [unshare or "", "--pid", "--fork", "--mount-proc"]
    if unshare is None or subprocess.run([*into, "true"], check=False).returncode:
        pytest.skip("may not make a PID namespace")
    if shutil.which("gcore") is None or platform.machine() != "x86_64":
        pytest.skip("no gcore here: install gdb")
    program = build("deadlocks.cpp")
    subprocess.run([*into, "sh", "-c", _INSIDE, "sh", program, tmp_path], timeout=60, check=False)
    cores = list(tmp_path.glob("core.*"))
    if not cores:
        pytest.skip("gcore may not")
    told = tell("--core", cores[0], "--exe", program)
    (finding,) = told.findings("deadlock")
    assert (told.code, told.first) == (1, finding["message"])
    assert "first_mutex" in told.first
    assert "second_mutex" in told.first


# -- Python ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the extension module, for the interpreter that runs this."""
    folder = tmp_path_factory.mktemp("extension")
    code = "import sysconfig; print(sysconfig.get_path('include'))"
    headers = subprocess.check_output([sys.executable, "-c", code], text=True).strip()
    if not Path(headers, "Python.h").exists():
        pytest.skip("no headers of Python's")
    try:
        tools = compiler(".cpp")
    except CannotBuildError as missing:
        pytest.skip(str(missing))
    options = ["-std=c++17", "-O1", "-g", "-shared", "-fPIC", "-pthread", f"-I{headers}"]
    source, module = PROGRAMS / "gil_extension.cpp", folder / "gil_extension.so"
    subprocess.run([*tools, *options, "-o", module, source], check=True)
    return folder


@pytest.mark.parametrize("source", ["live", "core"])
def test_the_gil_against_a_mutex(extension: Path, source: str, tmp_path: Path) -> None:
    script = PROGRAMS / "python_locks.py"
    program = Path(sys.executable).resolve()
    with running(["env", f"PYTHONPATH={extension}", program, script, "extension"]) as hung:
        hung.owners((Kind.GIL, Kind.MUTEX), 2)
        if source == "live":
            told = tell("--pid", str(hung.pid))
        else:
            core = core_of(hung, tmp_path)
    if source == "core":
        told = tell("--core", core)
    assert told.code == 1, told.errors
    python, native = (f"thread {hung.pid}:{hung.threads[n]}" for n in ("python", "native"))
    (finding,) = told.findings("deadlock")
    assert told.first == finding["message"]
    for part in (python, native, "waits for the mutex cache_mutex", "waits for the GIL, which"):
        assert part in told.first
    assert "python_locks.py" in told.text


@pytest.mark.parametrize("source", ["live", "core"])
def test_locks_of_python(source: str, tmp_path: Path) -> None:
    program = Path(sys.executable).resolve()
    with running([program, PROGRAMS / "python_locks.py", "crossed"]) as hung:
        hung.owners((Kind.PYTHON_LOCK,), 2)
        if source == "live":
            told = tell("--pid", str(hung.pid))
        else:
            core = core_of(hung, tmp_path)
    if source == "core":
        told = tell("--core", core)
    assert told.code == 1, told.text + told.errors
    (finding,) = told.findings("deadlock")
    assert finding["confidence"] == "high"
    a, b = (f"thread {hung.pid}:{hung.threads[name]}" for name in "ab")
    assert a in told.first
    assert b in told.first
    assert "the Python lock other" in told.first
    # Where each was taken is in the source.
    assert all(p["held"][0]["chain"] for p in finding["participants"])


@pytest.mark.parametrize(
    ("name", "lock"),
    [("again", "inventory"), ("method", "self.lock")],
)
def test_a_python_lock_taken_again(name: str, lock: str) -> None:
    program = Path(sys.executable).resolve()
    with running([program, PROGRAMS / "python_locks.py", name]) as hung:
        hung.owners((Kind.PYTHON_LOCK,), 1)
        told = tell("--pid", str(hung.pid))
    assert told.code == 1, told.text + told.errors
    (finding,) = told.findings("self-deadlock")
    assert finding["confidence"] == "high"
    assert re.search(
        rf"waits for the Python lock {lock} at python_locks.py:\d+, which it has itself, "
        r"since python_locks.py:\d+$",
        told.first,
    )
    assert f"thread {hung.pid}:{hung.threads['a']}" in told.first
    (side,) = finding["participants"]
    assert side["held"][0]["chain"][-1]["line"] != side["taken"]["chain"][-1]["line"]


def test_a_python_lock_acquired_again(tmp_path: Path) -> None:
    """Without ``with``: nobody in the whole source gives it back."""
    script = tmp_path / "shelf.py"
    script.write_text(
        "import os, signal, threading\n"
        "signal.alarm(120)\n"
        "def fill():\n"
        "    shelf = threading.Lock()\n"
        "    shelf.acquire()\n"
        "    os.write(1, b'thread a %d\\nready\\n' % threading.get_native_id())\n"
        "    shelf.acquire()\n"
        "fill()\n"
    )
    with running([Path(sys.executable).resolve(), script]) as hung:
        hung.owners((Kind.PYTHON_LOCK,), 1)
        told = tell("--pid", str(hung.pid))
    assert told.code == 1, told.text + told.errors
    (finding,) = told.findings("self-deadlock")
    assert finding["confidence"] == "medium"  # its owner is in the source alone
    assert told.first.endswith(
        "waits for the Python lock shelf at shelf.py:7, which it has itself, since shelf.py:5"
    )


@pytest.mark.parametrize(
    ("name", "code"),
    # Who could end the first two stands still itself.
    [("tree", 1), ("told", 1), ("behind", 0), ("reentrant", 0)],
)
def test_a_python_lock_of_the_same_name(name: str, code: int) -> None:
    """Another object's lock, one that another thread will release, one that lets its owner in."""
    program = Path(sys.executable).resolve()
    with running([program, PROGRAMS / "python_locks.py", name]) as hung:
        if name != "reentrant":
            hung.owners((Kind.PYTHON_LOCK,), 1)
        told = tell("--pid", str(hung.pid))
    assert (told.code, told.findings("deadlock", "self-deadlock")) == (code, [])
    if code:
        # Of a lock that is a signal nobody is the owner.
        whose = {"tree": r"for {}", "told": r"which only {} could end"}[name]
        assert re.search(
            whose.format(r"thread Thread-1 \(\w+\)")
            + r", and thread Thread-1 \(\w+\) is in sigwait "
            r"\(a signal\) at python_locks.py:\d+; that ends only by a signal$",
            told.first,
        )


# -- ranks -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def ranks(build: Build, *arguments: str) -> Iterator[list[Hung]]:
    """Four ranks, of which rank 2 is deadlocked or asleep, and the others wait for it."""
    with contextlib.ExitStack() as stack:
        started = []
        for rank in range(4):
            environment = {**os.environ, "RANK": str(rank)}
            command = [build("ranks.cpp"), "2", *arguments]
            started.append(stack.enter_context(running(command, env=environment)))
        if not arguments:
            settled(started[2], 3)
        for rank in (0, 1, 3):
            started[rank].owners((Kind.CONDITION,), 1)
        yield started


def check_ranks(told: Told, hung: Hung) -> None:
    """The rank, its threads and locks, and where the others wait, in the first line."""
    assert told.code == 1, told.text + told.errors
    finding = told.document["findings"][0]
    assert finding["rule"] == "stuck-rank"
    assert told.first == finding["message"]
    assert told.first.startswith("rank 2 holds up the job: rank 2 is deadlocked: ")
    assert re.search(
        r"\. ranks 0-1, 3 in MPI_Barrier at ranks.cpp:\d+, called at ranks.cpp:\d+ wait for it$",
        told.first,
    )
    for name, lock in (("a", "queue_mutex"), ("b", "cache_mutex")):
        thread = f"thread {hung.pid}:{hung.threads[name]}"
        assert re.search(rf"{thread}( ranks)? waits for the mutex {lock} at \S+, which", told.first)
    assert told.findings("deadlock")


def test_ranks_that_wait_for_one(build: Build, tmp_path: Path) -> None:
    with ranks(build) as started:
        check_ranks(tell("--pid", *[str(rank.pid) for rank in started]), started[2])
        # As on four machines: each looks at its own, and the files are put together.
        for number, rank in enumerate(started):
            ask("--pid", str(rank.pid), "--snapshot", tmp_path / f"{number}.json")
        check_ranks(tell(tmp_path), started[2])
        cores = [core_of(rank, tmp_path) for rank in started]
    check_ranks(tell("--core", *cores), started[2])


def test_ranks_that_wait_for_one_that_sleeps(build: Build) -> None:
    with ranks(build, "sleep") as started:
        told = tell("--pid", *[str(rank.pid) for rank in started])
    assert told.code == 0  # it comes in the end
    assert re.fullmatch(
        r"(the job is slow: )?rank 2 holds up the job: .*\bsleeps "
        r"at ranks.cpp:\d+( \(process \d+\))?\. "
        r"ranks 0-1, 3 in MPI_Barrier at ranks.cpp:\d+, called at ranks.cpp:\d+ wait for it",
        told.first,
    )
    assert told.findings("deadlock") == []


def test_snapshots_beside_flight_recorder_dumps(build: Build, tmp_path: Path) -> None:
    """What the ranks issued, and what their threads are at, are one story."""
    with ranks(build) as started:
        for number, rank in enumerate(started):
            ask("--pid", str(rank.pid), "--snapshot", tmp_path / f"{number}.json")
    job = Job(4)
    job.collective("all_reduce")
    job.collective("barrier", (1,), ranks=[0, 1, 3])
    for rank in (0, 1, 3):
        stuck(job.entries[rank])
    job.write(tmp_path)
    victim = tmp_path / "victim"
    (tmp_path / "nccl_trace_rank_4").write_bytes(pickle.dumps({"version": Harm(victim)}))
    told = tell(tmp_path)
    assert told.code == 2
    assert not victim.exists()
    assert "nccl_trace_rank_4: " in told.errors
    assert told.first.startswith("rank 2 holds up the job: rank 2 is deadlocked: ")
    (finding,) = told.findings("stuck-rank")
    assert "was never issued by rank 2" in finding["reason"]


def test_beside_a_recorded_run(build: Build, tmp_path: Path) -> None:
    """The trace of the very run tells where the locks were taken that the process only holds."""
    try:
        shim_path()
    except ShimMissingError as missing:
        pytest.skip(str(missing))
    recorded = [sys.executable, "-m", "lockorder", "run", "-o", tmp_path / "run", "--"]
    with running([*recorded, build("deadlocks.cpp"), "two"]) as hung:
        hung.pid = tree(hung.process.pid)[-1]
        settled(hung, 2)
        told = tell(tmp_path / "run", "--pid", str(hung.pid))
    assert told.code == 1
    (finding,) = told.findings("deadlock")
    assert told.first == finding["message"]
    for side in finding["participants"]:
        assert side["held"][0]["chain"][-1]["file"].endswith("deadlocks.cpp")
    assert "where the locks were taken" not in told.text
    assert told.findings("lock-order-cycle")


def test_a_flight_recorder_is_asked(tmp_path: Path) -> None:
    """A byte through its pipe makes it write what it has."""
    job = Job(2)
    job.collective("all_reduce")
    job.collective("barrier", (1,), ranks=[0])
    stuck(job.entries[0][-1:])
    (tmp_path / "ready").mkdir()
    other, mine = job.write(tmp_path / "ready", ranks=[1]), job.write(tmp_path, ranks=[0])[0]
    mine.rename(tmp_path / "content")
    os.mkfifo(tmp_path / "ask_0.pipe")
    code = (
        "import os, signal, sys, time\n"
        "signal.alarm(60)\n"
        "pipe = os.open('ask_0.pipe', os.O_RDONLY | os.O_NONBLOCK)\n"
        "os.write(1, b'ready\\n')\n"
        "while not os.read(pipe, 1): time.sleep(0.01)\n"
        "open('dump_0', 'wb').write(open('content', 'rb').read())\n"
        "time.sleep(60)\n"
    )
    environment = {
        **os.environ,
        "RANK": "0",
        "TORCH_NCCL_DEBUG_INFO_PIPE_FILE": f"{tmp_path}/ask_",
        "TORCH_NCCL_DEBUG_INFO_TEMP_FILE": f"{tmp_path}/dump_",
    }
    command = [sys.executable, "-c", code]
    with running(command, env=environment, cwd=tmp_path) as hung:
        done = ask("--pid", str(hung.pid), *other)
    assert done.returncode == 1, done.stderr
    assert "rank 1 never came to operation 2" in done.stdout


# -- what is none ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "moves"),
    [
        ("moving", True),
        ("ordered", True),
        ("readers", True),
        ("condition", False),
        ("semaphore", False),
        ("sleeping", False),
        ("tasks", False),
        ("flags", False),
        ("computing", True),
        ("reading", False),
    ],
)
def test_lookalikes(build: Build, name: str, moves: bool, tmp_path: Path) -> None:
    """Their first thread waits for a signal, which may come."""
    with running([build("lookalikes.cpp"), name]) as hung:
        if name in ("computing", "reading"):
            settled(hung, 1)
        told = tell("--pid", str(hung.pid))
        core = core_of(hung, tmp_path) if name in ("ordered", "condition", "computing") else None
    assert told.code == 0, told.text
    assert told.findings("deadlock", "self-deadlock") == []
    assert told.first.startswith("the job moves: ") == moves
    assert re.search(
        r"lookalikes is in pause \(a signal\) at lookalikes.cpp:\d+: it waits for a signal, from "
        "outside of the job$",
        told.first,
    )
    if name in ("computing", "reading"):
        assert f"which thread {hung.pid}:{hung.threads['a']} lookalikes has" in told.text
    assert "not known" not in told.text or name in ("moving", "ordered", "readers")
    if core is not None:
        # One moment's picture has no circle either.
        old = tell("--core", core)
        assert (old.code, old.findings("deadlock", "self-deadlock")) == (0, [])
        assert old.first.startswith("no lock cycle found at that moment: lookalikes ")


@pytest.mark.parametrize("flags", [("-O2",), ("-O0", "-g"), ("-O2", "-s")], ids=" ".join)
def test_tasks_that_wait_for_a_promise(build: Build, flags: tuple[str, ...]) -> None:
    """However much of call_once is inlined, and whatever names are left."""
    with running([build("lookalikes.cpp", *flags), "tasks"]) as hung:
        hung.owners((Kind.FUTEX,), 2)
        told = tell("--pid", str(hung.pid))
    assert (told.code, told.findings("deadlock", "self-deadlock")) == (0, [])
    waits = [w for p in told.document["processes"] for w in p["waits"]]
    assert "once" not in {w["kind"] for w in waits}


def test_timed_circle(build: Build) -> None:
    """It ends by itself: no deadlock, unless that is so far away that nobody waits for it."""
    with running([build("deadlocks.cpp"), "timed"]) as hung:
        settled(hung, 2)
        told = tell("--pid", str(hung.pid))
    assert (told.code, told.findings("deadlock", "self-deadlock")) == (0, [])
    with running([build("deadlocks.cpp"), "timed-far"]) as hung:
        settled(hung, 2)
        told = tell("--pid", str(hung.pid))
    assert told.code == 1
    assert told.first.startswith(f"2 threads of process {hung.pid} on ")


def test_stopped(build: Build) -> None:
    with running([build("lookalikes.cpp"), "moving"]) as hung:
        hung.process.send_signal(signal.SIGSTOP)
        end = time.monotonic() + 10
        while any(t.state != "T" for t in LiveImage(hung.pid).threads()):
            assert time.monotonic() < end
        told = tell("--pid", str(hung.pid))
        assert told.code == 1
        assert "is stopped by a signal (SIGSTOP" in told.first
        (finding,) = told.findings("stuck-process")
        assert finding["fix"].startswith(f"let it go on: kill -CONT {hung.pid}; ")
        # Looking at it does not let it go on.
        assert {t.state for t in LiveImage(hung.pid).threads()} == {"T"}


# -- snapshots, and what cannot be looked at -------------------------------------------------------


@pytest.fixture
def snapshots(build: Build, tmp_path: Path) -> tuple[Path, Hung]:
    """Two ranks' snapshots, of which the second is deadlocked."""
    folder = tmp_path / "snapshots"
    folder.mkdir()
    with running([build("lookalikes.cpp"), "condition"], env={**os.environ, "RANK": "0"}) as rank:
        assert ask("--pid", str(rank.pid), "--snapshot", folder / "0.json").returncode == 0
    with running([build("deadlocks.cpp"), "two"], env={**os.environ, "RANK": "1"}) as hung:
        settled(hung, 2)
        assert ask("--pid", str(hung.pid), "--snapshot", folder / "1.json").returncode == 1
    return folder, hung


def test_snapshots(snapshots: tuple[Path, Hung]) -> None:
    folder, hung = snapshots
    assert (folder / "0.json").stat().st_mode & 0o777 == 0o600
    told = tell(folder)
    assert told.code == 1
    (finding,) = told.findings("deadlock")
    for name, lock in (("a", "second_mutex"), ("b", "first_mutex")):
        assert f"rank 1, thread {hung.pid}:{hung.threads[name]}" in finding["message"]
        assert lock in finding["message"]
    assert [p["rank"] for p in told.document["processes"]] == [0, 1]


def test_snapshots_that_are_not(snapshots: tuple[Path, Hung]) -> None:
    """Each is named, and what the others say is told."""
    folder, _ = snapshots
    good = (folder / "1.json").read_bytes()
    (folder / "cut.json").write_bytes(good[: len(good) // 2])
    (folder / "newer.json").write_bytes(good.replace(b'"version": 1', b'"version": 99'))
    (folder / "types.json").write_bytes(good.replace(b'"processes": [', b'"processes": [7, '))
    (folder / "deep.json").write_bytes(
        b'{"lockorder": "snapshot", "processes": ' + b"[" * 100000 + b"]" * 100000
    )
    os.truncate(_copied(folder / "0.json", folder / "huge.json"), 1 << 40)
    (folder / "dangling.json").symlink_to(folder / "nowhere")
    (folder / "loop").symlink_to(folder)
    os.mkfifo(folder / "pipe.json")
    told = tell(folder)
    assert told.code == 2
    assert len(told.findings("deadlock")) == 1
    for name in ("cut", "types", "deep", "huge"):
        assert f"{name}.json: " in told.errors, name
    (version,) = [line for line in told.errors.splitlines() if "newer.json" in line]
    assert "version 99" in version


def _copied(source: Path, target: Path) -> Path:
    target.write_bytes(source.read_bytes())
    return target


def test_a_snapshot_goes_nowhere_else(build: Build, tmp_path: Path) -> None:
    """Not through a symbolic link that somebody put there."""
    (tmp_path / "link").symlink_to(tmp_path / "victim")
    with running([build("deadlocks.cpp"), "two"]) as hung:
        done = ask("--pid", str(hung.pid), "--snapshot", tmp_path / "link")
    assert done.returncode == 2
    assert "link: cannot write" in done.stderr
    assert not (tmp_path / "victim").exists()


def kernel_thread() -> str:
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            if "\nVmSize:" not in status.read_text() and not Path(status.parent, "exe").exists():
                return status.parent.name
        except OSError:
            continue
    return ""


def test_nothing_to_look_at(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    (tmp_path / "text").write_text("this is no core\n")
    cases = [
        (["--pid", str(ended.pid)], f"process {ended.pid}: there is no such process"),
        (["--core", tmp_path / "text"], "text: "),
        (["--core", tmp_path / "missing"], "missing: No such file"),
        (["--core", tmp_path], "no trace"),
        ([tmp_path / "missing"], "missing"),
        ([tmp_path], "no trace"),
        (["--core", tmp_path / "text", "--exe", "/bin/true", "/bin/false"], "--exe"),
    ]
    kernel = kernel_thread()
    if kernel:
        cases.append((["--pid", kernel], f"process {kernel}: "))
    for arguments, says in cases:
        done = ask(*arguments)
        assert done.returncode == 2, arguments
        assert says in done.stderr, done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr
        assert done.stdout == ""


@pytest.fixture
def alone() -> list[str]:
    """The command that runs another where no other processes are."""
    unshare = shutil.which("unshare")
    into = [unshare or "", "--pid", "--fork", "--mount-proc"]
    if unshare is None or subprocess.run([*into, "true"], check=False).returncode:
        pytest.skip("may not make a PID namespace")
    return into


#: Starts a rank and a program that is none, and looks at whatever is there.
_RANK_AND_OTHER = """
RANK=3 "$1" two > "$3" & "$1" two > "$3.other" &
until grep -q ready "$3" && grep -q ready "$3.other"; do sleep 0.1; done
"$2" -m lockorder hang --wait 0.3 --format json
"""


def test_all_jobs_that_are_here(build: Build, alone: list[str], tmp_path: Path) -> None:
    """Without arguments they are looked for: what a launcher gave a rank."""
    script = [_RANK_AND_OTHER, "sh", build("deadlocks.cpp"), sys.executable, tmp_path / "said"]
    command = [*alone, "sh", "-c", *script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    assert [p["rank"] for p in document["processes"]] == [3]
    assert document["findings"][0]["rule"] == "deadlock"


def test_no_job_is_here(alone: list[str]) -> None:
    command = [*alone, sys.executable, "-m", "lockorder", "hang"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "no job is seen on this machine" in done.stderr
    assert len(done.stderr.splitlines()) == 1, done.stderr


#: Starts a program that has NCCL in its memory, and looks at whatever is there.
_HAS_NCCL = """
"$1" -c "
import mmap, signal, sys
with open(sys.argv[1]) as file:
    mapped = mmap.mmap(file.fileno(), 0, flags=mmap.MAP_PRIVATE, prot=$3)
print('ready', flush=True)
signal.pause()
" "$2" > "$2.said" &
until grep -q ready "$2.said"; do sleep 0.1; done
"$1" -m lockorder hang --wait 0.3 --format json
"""


@pytest.mark.parametrize("protection", [1, 5], ids=["reads", "runs"])
def test_who_only_reads_nccl_is_of_no_job(
    alone: list[str], tmp_path: Path, protection: int
) -> None:
    library = tmp_path / "libnccl.so.2"
    library.write_bytes(bytes(8))
    script = [_HAS_NCCL, "sh", sys.executable, library, str(protection)]
    command = [*alone, "sh", "-c", *script]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    said = "no job is seen on this machine" in done.stderr
    assert said == (protection == 1), done.stderr
    assert done.returncode in ({2} if said else {0, 1})


def test_ourselves() -> None:
    """Nobody can tell of itself what it waits for; it says so, and does not hang."""
    code = (
        "import os, sys; from lockorder.cli import main;"
        "sys.exit(main(['hang', '--pid', str(os.getpid())]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert "this is lockorder itself" in done.stderr


def test_another_users_process(build: Build) -> None:
    """What to change is in the message, and what was asked for beside it is told."""
    code = (
        "import os, sys\n"
        # This interpreter's folders may be closed to others: what is loaded late is loaded now.
        "import networkx, lockorder, lockorder.commands.hang, lockorder.knowledge\n"
        "lockorder.__version__, lockorder.knowledge.builtin()\n"
        "from lockorder.cli import main\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "sys.exit(main(['hang', '--pid', sys.argv[1]]))\n"
    )
    with running([build("deadlocks.cpp"), "two"]) as hung:
        command = [sys.executable, "-c", code, str(hung.pid)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "in <module>\n" in done.stderr and "PermissionError" in done.stderr:
        pytest.skip("may not become another user")
    assert done.returncode == 2
    assert f"sudo lockorder hang --pid {hung.pid}" in done.stderr


def test_one_of_several_cannot_be_looked_at(build: Build) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    with running([build("deadlocks.cpp"), "two"]) as hung:
        settled(hung, 2)
        told = tell("--pid", str(ended.pid), str(hung.pid))
    assert told.code == 2
    assert len(told.findings("deadlock")) == 1
    assert f"process {ended.pid}: " in told.errors


# -- figures ---------------------------------------------------------------------------------------


def test_two_hundred_threads(build: Build) -> None:
    with running([build("crowd.c"), "200"]) as hung:
        settled(hung, 202)
        start = time.monotonic()
        done = ask("--pid", str(hung.pid))
        taken = time.monotonic() - start
    assert done.returncode == 1
    assert done.stdout.startswith(f"2 threads of process {hung.pid}")
    # 0.9 s on a quiet machine.
    assert taken < 2 + os.getloadavg()[0], taken


def test_a_large_core(build: Build, tmp_path: Path) -> None:
    """8 GiB, of which next to nothing was ever used."""
    hung, path = by_the_kernel(build, "large", tmp_path)
    core = path.stat()
    assert core.st_size > 8 << 30
    if core.st_blocks * 512 > 1 << 30:
        pytest.skip("this file system has no holes in files")
    command = [sys.executable, "-c", _MEASURED, "hang", "--core", str(path)]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    taken = time.monotonic() - start
    assert done.stdout.startswith(f"2 threads of process {hung.pid} (core) are deadlocked"), (
        done.stderr
    )
    used = int(done.stderr.rsplit(maxsplit=1)[-1])
    # 1.2 s and 77 MiB on a quiet machine, gdb's included.
    assert used < 500 << 10
    assert taken < 10 + os.getloadavg()[0], taken


_MEASURED = """
import resource, subprocess, sys
code = subprocess.run([sys.executable, "-m", "lockorder", *sys.argv[1:]]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
"""


def test_names_after_time(build: Build) -> None:
    """Waits keep their kind when a debugger was there before: only the call's number changes."""
    with running([build("deadlocks.cpp"), "timed"]) as hung:
        settled(hung, 2)
        ask("--pid", str(hung.pid))
        found = Waits(LiveImage(hung.pid)).find()
        assert sum(w.kind is Kind.MUTEX and w.limited for w in found) == 2
