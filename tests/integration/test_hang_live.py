"""Live processes that hang, and others that only look like it: who waits for what."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from compilers import CannotBuildError, compiler

from hung import PROGRAMS, running
from lockorder.hang.procfs import LiveImage, tree
from lockorder.hang.procfs_errors import HangError
from lockorder.hang.waits import Wait, Waits
from lockorder.hang.waits_frames import Kind

LOCKS = (Kind.MUTEX, Kind.RWLOCK, Kind.JOIN, Kind.ONCE, Kind.GUARD)
Build = Callable[[str], Path]


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """Builds a program of fixtures/programs/hang, once for each name."""
    folder = tmp_path_factory.mktemp("hang")

    def made(name: str) -> Path:
        program = folder / name.removesuffix(".c").removesuffix(".cpp")
        if not program.exists():
            standard = "-std=gnu11" if name.endswith(".c") else "-std=c++17"
            try:
                command = [*compiler(name[name.index(".") :]), standard, "-O1", "-g", "-pthread"]
            except CannotBuildError as missing:
                pytest.skip(str(missing))
            subprocess.run([*command, "-o", program, PROGRAMS / name], check=True)
        return program

    return made


@pytest.mark.parametrize(
    ("name", "kind", "detail"),
    [
        ("two", Kind.MUTEX, ""),
        ("three", Kind.MUTEX, ""),
        ("posix", Kind.MUTEX, ""),
        ("recursive", Kind.MUTEX, "recursive"),
        ("adaptive", Kind.MUTEX, "adaptive"),
        ("errorcheck", Kind.MUTEX, "error-checking"),
        ("robust", Kind.MUTEX, ""),
        ("shared", Kind.RWLOCK, "to write"),
        ("timed", Kind.MUTEX, ""),
        ("launched", Kind.MUTEX, ""),
    ],
)
def test_circles(build: Build, name: str, kind: Kind, detail: str) -> None:
    with running([build("deadlocks.cpp"), name]) as hung:
        found = hung.owners((kind,), len(hung.objects))
        others = dict(zip("abc", "bca" if name == "three" else "ba", strict=False))
        assert found == {
            thread: (kind, hung.objects[other], other)
            for thread, other in others.items()
            if thread in hung.threads
        }
        waits = [w for w in Waits(LiveImage(hung.pid)).find() if w.kind is kind]
        assert {w.detail for w in waits} == {detail}
        assert {w.limited for w in waits} == {name == "timed"}


def test_priority_inheritance(build: Build) -> None:
    with running([build("deadlocks.cpp"), "inherit"]) as hung:
        assert hung.owners(LOCKS, 1) == {"a": (Kind.MUTEX, hung.objects["b"], "b")}


def test_names_of_locks(build: Build) -> None:
    with running([build("deadlocks.cpp"), "two"]) as hung:
        names = Waits(LiveImage(hung.pid)).names
        assert names.name_of(hung.objects["a"]) == "first_mutex"
        assert names.name_of(hung.objects["b"]) == "second_mutex"
    with running([build("deadlocks.cpp"), "posix"]) as hung:
        names = Waits(LiveImage(hung.pid)).names
        place = hung.objects["a"]
        assert names.name_of(place, "mutex") == f"mutex at {place:#x} in [stack]"


def test_taken_again(build: Build) -> None:
    with running([build("deadlocks.cpp"), "self"]) as hung:
        mutex = hung.objects["a"]
        assert hung.owners(LOCKS, 1) == {"a": (Kind.MUTEX, mutex, "a")}


def test_taken_again_and_refused(build: Build) -> None:
    with running([build("deadlocks.cpp"), "self-checked"]) as hung:
        found = hung.until(bool)
        assert [(wait.kind, wait.detail) for wait in found] == [(Kind.CALL, "pause")]


def test_join(build: Build) -> None:
    with running([build("deadlocks.cpp"), "join"]) as hung:
        found = hung.until(lambda found: len(found) == 2)
        joiner, joined = found
        assert joiner[:4] == (hung.threads["a"], Kind.JOIN, 0, joined.tid)
        assert joined[1:4] == (Kind.MUTEX, hung.objects["a"], joiner.tid)


@pytest.mark.parametrize("name", ["ended", "forked"])
def test_holder_that_is_not_there(build: Build, name: str) -> None:
    with running([build("deadlocks.cpp"), name]) as hung:
        (wait,) = hung.until(lambda found: len(found) == 1)
        assert wait[:4] == (hung.threads["a"], Kind.MUTEX, hung.objects["a"], 0)
        assert "which is not there" in wait.detail


@pytest.mark.parametrize(("name", "kind"), [("static", Kind.GUARD), ("once", Kind.ONCE)])
def test_initialisers(build: Build, name: str, kind: Kind) -> None:
    with running([build("initialisers.cpp"), name]) as hung:
        found = hung.owners(LOCKS, 2)
        assert found["initialiser"] == (Kind.MUTEX, hung.objects["mutex"], "holder")
        assert (found["holder"][0], found["holder"][2]) == (kind, "")
        waits = Waits(LiveImage(hung.pid))
        what = waits.names.name_of(found["holder"][1])
        expected = {"static": "guard variable for (anonymous namespace)::by_static()::made"}
        assert what == expected.get(name, "flag")
        # Whose stack is inside the initialiser is known from elsewhere.
        holders = {found["holder"][1]: hung.threads["initialiser"]}
        owners = {w.tid: w.owner_tid for w in waits.find(holders=holders)}
        assert owners[hung.threads["holder"]] == hung.threads["initialiser"]


@pytest.mark.parametrize("name", ["moving", "ordered", "readers"])
def test_locks_that_move(build: Build, name: str) -> None:
    """However often one looks: nobody waits for himself in the end."""
    with running([build("lookalikes.cpp"), name]) as hung:
        waits = Waits(LiveImage(hung.pid))
        for _ in range(200):
            found = waits.find(pause=0.0)
            owners = {wait.tid: wait.owner_tid for wait in found if wait.kind in LOCKS}
            for tid in owners:
                met = [tid]
                while owners.get(met[-1]):
                    met.append(owners[met[-1]])
                    assert len(met) <= len(owners) + 1, found


@pytest.mark.parametrize(
    ("name", "kind"),
    [("condition", Kind.CONDITION), ("semaphore", Kind.SEMAPHORE), ("sleeping", Kind.CALL)],
)
def test_waits_without_owners(build: Build, name: str, kind: Kind) -> None:
    with running([build("lookalikes.cpp"), name]) as hung:
        found = hung.owners((kind,), len(hung.threads))
        place = 0 if kind is Kind.CALL else hung.objects["a"]
        found = {name: wait for name, wait in found.items() if name in hung.threads}
        assert found == dict.fromkeys(hung.threads, (kind, place, ""))


@pytest.mark.parametrize("name", ["computing", "reading"])
def test_slow_holders(build: Build, name: str) -> None:
    """Who has the lock is true, and it does not wait for any."""
    with running([build("lookalikes.cpp"), name]) as hung:
        assert hung.owners(LOCKS, 1) == {"b": (Kind.MUTEX, hung.objects["a"], "a")}


def test_static_without_symbols(tmp_path: Path) -> None:
    """Locks and owners are in memory; only names are in symbols."""
    for name in ("deadlocks", "initialisers"):
        try:
            command = [*compiler(".cpp"), "-std=c++17", "-O1", "-static", "-s", "-pthread", "-w"]
        except CannotBuildError as missing:
            pytest.skip(str(missing))
        source = PROGRAMS / f"{name}.cpp"
        if subprocess.run([*command, "-o", tmp_path / name, source], check=False).returncode:
            pytest.skip("no static libraries")
    with running([tmp_path / "deadlocks", "two"]) as hung:
        a, b = hung.objects["a"], hung.objects["b"]
        assert hung.owners(LOCKS, 2) == {"a": (Kind.MUTEX, b, "b"), "b": (Kind.MUTEX, a, "a")}
    with running([tmp_path / "initialisers", "static"]) as hung:
        found = hung.owners(LOCKS, 2)
        assert found["initialiser"] == (Kind.MUTEX, hung.objects["mutex"], "holder")
        assert found["holder"][0] is Kind.GUARD


def test_many_threads(build: Build) -> None:
    with running([build("crowd.c"), "200"]) as hung:
        hung.owners(LOCKS, 202)
        start = time.monotonic()
        found = Waits(LiveImage(hung.pid)).find()
        assert time.monotonic() - start < 2
        holder = hung.threads["holder"]
        assert sum(wait.owner_tid == holder for wait in found) == 201


def test_launcher(build: Build) -> None:
    with running([build("deadlocks.cpp"), "launched"]) as hung:
        assert hung.pid != hung.process.pid
        assert hung.pid in tree(hung.process.pid)
        assert len(tree(hung.process.pid)) == 3


def test_inside_a_pid_namespace(build: Build) -> None:
    unshare = ["unshare", "--pid", "--fork"]
    if (
        shutil.which("unshare") is None
        or subprocess.run([*unshare, "true"], check=False).returncode
    ):
        pytest.skip("may not make a PID namespace")
    with running([*unshare, build("deadlocks.cpp"), "two"]) as hung:
        outside = tree(hung.process.pid)[-1]
        assert set(hung.threads.values()) == {2, 3}  # what mutexes say, too
        image = LiveImage(outside)
        assert (image.pid, image.outside) == (1, outside)
        hung.pid = outside
        found = hung.owners(LOCKS, 2)
        assert {name: owner for name, (_, _, owner) in found.items()} == {"a": "b", "b": "a"}


def test_process_that_ends(build: Build) -> None:
    with running([build("deadlocks.cpp"), "two"]) as hung:
        image = LiveImage(hung.pid)
        waits = Waits(image)
        hung.process.send_signal(signal.SIGKILL)
        hung.process.wait()
        assert waits.find() == []
        assert image.threads() == []
        assert image.mappings() == []
        assert image.read(hung.objects["a"], 8) is None
        with pytest.raises(HangError, match="no such process"):
            LiveImage(hung.pid)


def test_process_that_ends_while_it_is_looked_at(build: Build) -> None:
    with running([build("deadlocks.cpp"), "two"]) as hung:
        waits = Waits(LiveImage(hung.pid))

        def kill(_seconds: float) -> None:
            hung.process.kill()
            hung.process.wait()

        assert waits.find(sleep=kill) == []


def test_thread_that_moves_on_between_the_looks(build: Build) -> None:
    """A signal is enough: the thread waits again, but was awake meanwhile."""
    with running([build("lookalikes.cpp"), "reading"]) as hung:
        hung.owners(LOCKS, 1)
        image = LiveImage(hung.pid)
        waits = Waits(image)

        def stop(_seconds: float) -> None:
            hung.process.send_signal(signal.SIGSTOP)
            while any(thread.state != "T" for thread in image.threads()):
                time.sleep(0.001)  # continuing takes back a stop that has not come yet
            hung.process.send_signal(signal.SIGCONT)
            while any(thread.state == "T" for thread in image.threads()):
                time.sleep(0.001)

        assert [wait for wait in waits.find(sleep=stop) if wait.owner_tid] == []


def test_first_thread_has_ended() -> None:
    """The process goes on without it: its memory is found through another thread."""
    source = (
        "import ctypes, threading, os, time\n"
        "threading.Thread(target=lambda: (os.write(1, b'ready\\n'), time.sleep(100))).start()\n"
        "ctypes.CDLL(None).syscall(60 if os.uname().machine == 'x86_64' else 93, 0)\n"
    )
    with running([sys.executable, "-c", source]) as hung:

        def has_ended(found: list[Wait]) -> bool:
            return all(wait.tid != hung.pid for wait in found)

        hung.until(has_ended)
        image = LiveImage(hung.pid)
        assert image.mappings()
        assert Waits(image).python is not None


def test_another_users_process(build: Build) -> None:
    """Really refused by the kernel: the looker has another user's id, and no rights."""
    source = (
        "import sys\n"
        "from lockorder.hang.procfs import LiveImage\n"
        "from lockorder.hang.procfs_errors import HangError\n"
        "import os\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        "try: LiveImage(int(sys.argv[1]))\n"
        "except HangError as error: print(error)\n"
    )
    with running([build("deadlocks.cpp"), "two"]) as hung:
        command = [sys.executable, "-c", source, str(hung.pid)]
        answer = subprocess.run(command, capture_output=True, text=True, check=False)
        if "PermissionError" in answer.stderr:
            pytest.skip("may not become another user")
        assert answer.stdout.startswith(f"process {hung.pid}: it belongs to another user (uid 0")
        assert f"sudo lockorder hang --pid {hung.pid}" in answer.stdout
