"""Python's frames in recorded stacks, and its locks by the lines that made them, by each CPython.

``LOCKORDER_EXTRA_PYTHONS`` names further ones, with ``:`` between their paths. The threads of all
scripts run one after the other: nothing hangs.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from selftest.support import record

from hung import interpreters
from lockorder import cli
from lockorder.recorded.analyse import analyse, to_document, traces_in
from runtime_probe.layout import HeaderFlag
from runtime_probe.records import Trace
from runtime_probe.trace import FILE_PATTERN, read_trace

EXTRA = "LOCKORDER_EXTRA_PYTHONS"
PYTHONS = [*interpreters(), *map(Path, filter(None, os.environ.get(EXTRA, "").split(":")))]
NO_314 = pytest.mark.skip(reason=f"no CPython 3.14 here, and none in {EXTRA}")
each_python = pytest.mark.parametrize(
    "python",
    [
        *PYTHONS,
        *([] if any("3.14" in p.name for p in PYTHONS) else [pytest.param(None, marks=NO_314)]),
    ],
    ids=lambda python: str(python or "python3.14"),
)
#: Frames that are kept of a stack, and that are told of it.
KEPT, TOLD = 96, 64

BEGIN = """
import threading

first = threading.Lock()  # first
second = threading.Lock()  # second

def in_threads(*works):
    for work in works:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
"""
NESTED = """
def take(lock):
    lock.acquire()  # held

def both(one, other):
    take(one)
    with other:  # taken
        pass
    one.release()

def forth():
    both(first, second)  # forth

def back():
    both(second, first)  # back

in_threads(forth, back)
"""
#: Each with a lock that is held in the line `# held`, and one that is taken in `# taken`.
SHAPES = {
    "generator": """
def holding(lock):
    with lock:  # held
        yield
        yield

def both(one, other):
    for _ in holding(one):
        with other:  # taken
            pass

in_threads(lambda: both(first, second), lambda: both(second, first))
""",
    "coroutine": """
import asyncio

async def inner(lock):
    await asyncio.sleep(0)
    with lock:  # taken
        await asyncio.sleep(0)

async def both(one, other):
    with one:  # held
        await inner(other)

in_threads(lambda: asyncio.run(both(first, second)), lambda: asyncio.run(both(second, first)))
""",
    "class": """
class Pair:
    def __init__(self, one, other):
        self.one, self.other = one, other

    def __enter__(self):
        self.one.acquire()  # held

    def __exit__(self, *_):
        self.one.release()

    @property
    def both(self):
        with self:
            return self.inner()

    def inner(self):
        def closure():
            self.other.acquire()  # taken
            self.other.release()
        closure()

in_threads(lambda: Pair(first, second).both, lambda: Pair(second, first).both)
""",
    "callback": """
def compare(locks):
    locks[0].acquire()  # held
    sorted([locks[1]], key=taken)
    locks[0].release()

def taken(lock):
    with lock:  # taken
        return 0

in_threads(
    lambda: list(map(compare, [(first, second)])), lambda: list(map(compare, [(second, first)]))
)
""",
    "long lines": """
def both(one, other):
    with one:  # held
        if (
            1
"""
    + "            + 1\n" * 300
    + """
        ):
            other.acquire()  # taken
            other.release()

in_threads(lambda: both(first, second), lambda: both(second, first))
""",
}


#: What is done with locks that is no inversion.
CLEAN = {
    "one order": """
def both():
    with first, second:
        pass

in_threads(both, both)
""",
    "under a lock of both": """
gate = threading.Lock()

def both(one, other):
    with gate, one, other:
        pass

in_threads(lambda: both(first, second), lambda: both(second, first))
""",
    "one after the other": """
def both(one, other):
    with one:
        pass
    one.acquire(timeout=9)
    one.release()
    with other:
        pass

in_threads(lambda: both(first, second), lambda: both(second, first))
""",
    "taken again": """
again = threading.RLock()

def both():
    with again, first, again:
        pass
    with again:
        with first:
            pass

in_threads(both, both)
""",
    "waits": """
import os, queue

changed, jobs, done = threading.Condition(), queue.Queue(), threading.Event()
ready, begin = os.pipe()

def wait():
    with changed:
        os.write(begin, b"1")
        changed.wait()
    jobs.get()
    jobs.task_done()
    done.set()

def wake():
    os.read(ready, 1)
    with changed:
        changed.notify_all()
    jobs.put(1)
    jobs.join()
    done.wait()

threads = [threading.Thread(target=work) for work in (wait, wake)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
""",
    "locks of one line in one order": """
many = [threading.Lock() for _ in range(3)]

def climb():
    for one, other in zip(many, many[1:]):
        with one, other:
            pass

in_threads(climb, climb)
""",
}


class Finding(NamedTuple):
    """Of a finding what is asked for here; chains as (function, file, line), innermost last."""

    message: str
    held: list[list[tuple[str, str, int]]]
    taken: list[list[tuple[str, str, int]]]


def script(folder: Path, text: str, name: str = "t.py") -> Path:
    path = folder / name
    path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
    return path


def line(path: Path, mark: str) -> int:
    """The line that ends with a comment."""
    (found,) = (
        number
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if text.endswith(f"# {mark}")
    )
    return found


def findings_of_run(python: Path, path: Path, folder: Path) -> list[Finding]:
    """The cycles that ``lockorder run`` tells, by their messages."""
    result = folder / "result.json"
    command = [sys.executable, "-m", "lockorder", "run", "-q", "-o", folder / "traces"]
    command += ["--format", "json", "--output", result, "--", python, "-S", "-B", path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return cycles(result)


def findings(python: Path, path: Path, folder: Path) -> list[Finding]:
    """The same, analysed in this process: its start would cost more than all the rest."""
    result, traces = folder / "result.json", folder / "traces"
    done = record([str(python), "-S", "-B", str(path)], os.environ, traces)
    assert done == (b"", b"", 0)
    code = cli.main(["analyze", "-q", "--format", "json", "--output", str(result), str(traces)])
    found = cycles(result)
    assert code == bool(found)
    return found


def cycles(document: Path) -> list[Finding]:
    found = json.loads(document.read_text()).get("findings", [])
    others = [f for f in found if f["rule"] != "lock-order-cycle"]
    assert not {f["level"] for f in others} & {"error", "warning"}
    return sorted(
        Finding(
            f["message"],
            [frames(held) for p in f["participants"] for held in p["held"]],
            [frames(p["taken"]) for p in f["participants"]],
        )
        for f in found
        if f not in others
    )


def frames(side: dict[str, Any]) -> list[tuple[str, str, int]]:
    """Without the names of classes, which code does not know before 3.11."""
    return [
        (f["function"].rpartition(".")[2], os.path.basename(f.get("file", "")), f.get("line", 0))
        for f in side["chain"]
    ]


def the_trace(folder: Path) -> Trace:
    (path,) = folder.glob(FILE_PATTERN)
    return read_trace(path)


@each_python
def test_chains_and_locks_are_lines_of_python(python: Path, tmp_path: Path) -> None:
    path = script(tmp_path, BEGIN + NESTED)
    (found,) = findings_of_run(python, path, tmp_path)
    # Whose interpreter has no symbols, does not say what sort of lock it is.
    locks = [rf"(L|Python l)ock made at t\.py:{line(path, w)}" for w in ("first", "second")]
    assert re.match(f"{locks[0]} and {locks[1]} are taken in opposite orders", found.message)
    held, taken = line(path, "held"), line(path, "taken")
    for at, name in enumerate(("forth", "back")):
        outer = [(name, "t.py", line(path, name)), ("both", "t.py", taken - 1)]
        assert found.held[at][-3:] == [*outer, ("take", "t.py", held)]
        assert found.taken[at][-2:] == [outer[0], ("both", "t.py", taken)]
        (thread,) = {file for _, file, _ in found.held[at][:-3]}
        assert thread == "threading.py"


@each_python
def test_the_process_says_that_its_frames_are_read(python: Path, tmp_path: Path) -> None:
    done = record([python, "-S", "-c", "import threading"], os.environ, tmp_path / "traces")
    assert done.code == 0, done.stderr
    flags = the_trace(tmp_path / "traces").header.flags
    assert flags == HeaderFlag.PYTHON | HeaderFlag.PYTHON_READ


@each_python
def test_two_inversions_are_two_findings(python: Path, tmp_path: Path) -> None:
    """They share the lines of the threading module, not their own."""
    path = script(
        tmp_path,
        BEGIN
        + """
import queue

changed = threading.Condition()  # condition
jobs = queue.Queue()  # queue

def one():
    with first, second:
        pass

def other():
    with second, first:
        pass

def put():
    with changed:
        jobs.put(1)
        changed.notify()

def count():
    with jobs.mutex:
        with changed:
            pass

in_threads(one, other, put, count)
""",
    )
    plain = [line(path, "first"), line(path, "second")]
    other = [line(path, "condition"), line(path, "queue")]
    found = findings(python, path, tmp_path)
    numbers = [sorted(map(int, re.findall(r"t\.py:(\d+)", f.message))) for f in found]
    assert sorted(numbers) == sorted([plain, other])
    (message,) = (f.message for f in found if f"t.py:{other[0]}" in f.message)
    assert re.search(rf"Queue made at t\.py:{other[1]} \(in queue\.py:\d+\)", message)
    assert re.search(rf"Condition made at t\.py:{other[0]} \(in threading\.py:\d+\)", message)


@each_python
@pytest.mark.parametrize("case", CLEAN)
def test_no_inversion(python: Path, tmp_path: Path, case: str) -> None:
    assert findings(python, script(tmp_path, BEGIN + CLEAN[case]), tmp_path) == []


@each_python
def test_what_another_thread_releases_is_a_signal(python: Path, tmp_path: Path) -> None:
    """In no order with locks. Who waits for it under one may be told so, but not under the GIL."""
    path = script(
        tmp_path,
        BEGIN
        + """
def hold():
    second.acquire()
    with first:
        pass

def await_it():
    with first:
        with second:
            pass

in_threads(hold, second.release, await_it)
""",
    )
    traces = tmp_path / "traces"
    done = record([str(python), "-S", "-B", str(path)], os.environ, traces)
    assert done == (b"", b"", 0)
    found = to_document(analyse(traces_in(traces))).findings
    assert "lock-order-cycle" not in {f.rule for f in found}
    assert not [f.message for f in found if "GIL" in f.message]


@each_python
def test_a_condition_is_held_again_after_a_wait(python: Path, tmp_path: Path) -> None:
    path = script(
        tmp_path,
        BEGIN
        + """
import os

changed = threading.Condition()  # condition
ready, begin = os.pipe()

def wait():
    with changed:
        os.write(begin, b"1")
        changed.wait()
        with first:  # taken
            pass

def wake():
    os.read(ready, 1)
    with first:
        with changed:
            changed.notify()

threads = [threading.Thread(target=work) for work in (wait, wake)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
""",
    )
    (found,) = findings(python, path, tmp_path)
    assert f"Condition made at t.py:{line(path, 'condition')}" in found.message
    assert ("wait", "t.py", line(path, "taken")) in [side[-1] for side in found.taken]


@each_python
def test_a_try_waits_for_nobody(python: Path, tmp_path: Path) -> None:
    if not python.name.endswith("3.14"):
        pytest.skip("a blocking acquire tries first, by the same call")
    path = script(
        tmp_path,
        BEGIN
        + """
def both(one, other):
    with one:
        for arguments in ((False,), (0,)):
            assert other.acquire(*arguments)
            other.release()
        assert other.acquire(blocking=False)
        other.release()

in_threads(lambda: both(first, second), lambda: both(second, first))
""",
    )
    assert findings(python, path, tmp_path) == []


@each_python
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(python: Path, tmp_path: Path, shape: str) -> None:
    path = script(tmp_path, BEGIN + SHAPES[shape])
    (found,) = findings(python, path, tmp_path)
    assert [side[-1][2] for side in found.held] == [line(path, "held")] * 2
    assert [side[-1][2] for side in found.taken] == [line(path, "taken")] * 2
    assert {side[-1][1] for side in found.held + found.taken} == {"t.py"}


@each_python
def test_executed_text(python: Path, tmp_path: Path) -> None:
    """It has a name and lines, if no file."""
    path = script(
        tmp_path,
        BEGIN
        + """
text = compile("with one:\\n  with other:\\n    pass\\n", "<made>", "exec")
def run(one, other):
    exec(text, {"one": one, "other": other})

in_threads(lambda: run(first, second), lambda: run(second, first))
""",
    )
    (found,) = findings(python, path, tmp_path)
    for side, number in [(s, 1) for s in found.held] + [(s, 2) for s in found.taken]:
        assert side[-1] == ("<module>", "<made>", number)
        assert side[-2][:2] == ("run", "t.py")


@each_python
def test_names_that_are_not_ascii(python: Path, tmp_path: Path) -> None:
    """Strings of one, two and four bytes a character."""
    text = BEGIN + NESTED.replace("take(", "schließen(").replace("both(", "両方(")
    path = script(tmp_path, text, "größe_🔒.py")
    (found,) = findings(python, path, tmp_path)
    held, taken = line(path, "held"), line(path, "taken")
    assert f"made at {path.name}:{line(path, 'first')}" in found.message
    assert {side[-1] for side in found.held} == {("schließen", path.name, held)}
    assert {side[-1] for side in found.taken} == {("両方", path.name, taken)}


@each_python
def test_a_long_name_keeps_its_end(python: Path, tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["very_long_name_" * 10] * 12)
    name = "f" * 1500
    text = BEGIN + NESTED.replace("take(", f"{name}(")
    path = script(tmp_path, f"exec(compile({text!r}, {str(folder / 't.py')!r}, 'exec'))")
    (found,) = findings(python, path, tmp_path)
    function, file, _ = found.held[0][-1]
    assert (set(function), file) == ({"f"}, "t.py")
    assert len(function) >= 1000


@each_python
def test_deep_recursion(python: Path, tmp_path: Path) -> None:
    """Of 300 levels the innermost ones are told."""
    path = script(
        tmp_path,
        BEGIN
        + """
def deeper(levels, one, other):
    if levels:
        return deeper(levels - 1, one, other)  # deeper
    with one:  # held
        with other:  # taken
            pass

in_threads(lambda: deeper(300, first, second), lambda: deeper(300, second, first))
""",
    )
    (found,) = findings(python, path, tmp_path)
    held, deeper = line(path, "held"), line(path, "deeper")
    for side in found.held:
        assert side[-1] == ("deeper", "t.py", held)
        assert side[-TOLD:-1] == [("deeper", "t.py", deeper)] * (TOLD - 1)
    trace = the_trace(tmp_path / "traces")
    assert max(len(each) for each in trace.python.values()) == KEPT


BARE = """
#include <pthread.h>
#include <stddef.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *one, pthread_mutex_t *other)
{
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
}
static void *bare(void *unused)
{
    both(&b, &a);
    return unused;
}
int cross(void);
int cross(void)
{
    pthread_t thread;
    both(&a, &b);
    if (pthread_create(&thread, NULL, bare, NULL) != 0)
        return 1;
    return pthread_join(thread, NULL);
}
"""


@each_python
def test_a_thread_that_python_does_not_know(
    python: Path, tmp_path: Path, c_compiler: list[str]
) -> None:
    """It has no frames of Python; one that gave up the GIL for the call has its own."""
    source, library = tmp_path / "bare.c", tmp_path / "libbare.so"
    source.write_text(BARE)
    flags = ["-g", "-O1", "-fno-optimize-sibling-calls", "-shared", "-fPIC", "-pthread"]
    subprocess.run([*c_compiler, *flags, "-o", library, source], check=True)
    text = f"import ctypes\ndef call():\n    return ctypes.CDLL({str(library)!r}).cross()  # call\n"
    path = script(tmp_path, text + "assert call() == 0\n")
    (found,) = findings(python, path, tmp_path)
    outer, inner = sorted(found.taken, key=lambda side: side[0][0] != "<module>")
    assert ("call", "t.py", line(path, "call")) in outer
    assert [f for f, _, _ in outer[-2:]] == ["cross", "both"]
    assert [f for f, _, _ in inner] == ["bare", "both"]


@each_python
def test_a_forked_child_holds_none_of_the_interpreters_locks(python: Path, tmp_path: Path) -> None:
    """Nor the GIL, which is noted with the mutex that is taken without giving it up."""
    path = script(
        tmp_path,
        """
import ctypes, os, threading

libc, mutex = ctypes.PyDLL(None), ctypes.create_string_buffer(64)
lock, other = threading.RLock(), threading.Lock()
libc.pthread_mutex_lock(mutex)
with lock:
    pid = os.fork()
    with other:
        pass
libc.pthread_mutex_unlock(mutex)
if pid:
    assert os.waitpid(pid, 0)[1] == 0
""",
    )
    done = record([python, "-S", "-W", "ignore", path], os.environ, tmp_path / "traces")
    assert done.code == 0, done.stderr
    traces = [read_trace(p) for p in (tmp_path / "traces").glob(FILE_PATTERN)]
    (trace,) = (t for t in traces if t.header.flags & HeaderFlag.FORKED)
    (thread,) = trace.threads.values()
    assert thread.held == ()
    assert trace.misuses == []


def test_extra_pythons_are_there() -> None:
    """One that was asked for by name and is not there must not go unnoticed."""
    missing = [p for p in PYTHONS if not p.is_file()]
    assert missing == []
