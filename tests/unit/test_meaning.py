"""What stacks of Python's mean: the program's own line, and the operation that it is in."""

from __future__ import annotations

import pytest

from lockorder import meaning
from lockorder.model import Frame

STANDARD, INSTALLED = "/usr/lib/python3.11", "/venv/lib/python3.11/site-packages"


def frames(*lines: str) -> list[Frame]:
    """``function file:line``, outermost first; S/ and I/ are the standard library and installed."""
    found = []
    for each in lines:
        function, _, place = each.rpartition(" ")
        file, _, number = place.rpartition(":")
        file = file.replace("S/", f"{STANDARD}/", 1) if file.startswith("S/") else file
        file = file.replace("I/", f"{INSTALLED}/", 1) if file.startswith("I/") else file
        found.append(Frame(function, file, int(number)))
    return found


BEGIN = ("Thread._bootstrap S/threading.py:1002", "Thread._bootstrap_inner S/threading.py:1045")


@pytest.mark.parametrize(
    ("chain", "line", "operation"),
    [
        (
            ["<module> /job/train.py:9", "step /job/train.py:88", "Queue.get S/queue.py:171",
             "Condition.wait S/threading.py:320"],
            "train.py:88", "Queue.get",
        ),
        (
            ["<module> /job/a.py:5", "Thread.join S/threading.py:1112",
             "Thread._wait_for_tstate_lock S/threading.py:1132"],
            "a.py:5", "Thread.join",
        ),
        # The program called something private: the first public one says more.
        (
            ["main /job/a.py:5", "_recv S/multiprocessing/connection.py:383",
             "Connection.recv S/multiprocessing/connection.py:250"],
            "a.py:5", "Connection.recv",
        ),
        # What wraps anything names nothing.
        (
            ["main /job/a.py:5", "wrapper I/torch/distributed/c10d_logger.py:81",
             "all_reduce I/torch/distributed/distributed_c10d.py:2810"],
            "a.py:5", "all_reduce",
        ),
        (
            ["main /job/a.py:5", "decorate.<locals>.wrapped I/x/y.py:3", "Base.run I/x/y.py:9"],
            "a.py:5", "Base.run",
        ),
        # Classes that are bases for others' are called by the others' name.
        (
            ["main /job/a.py:5", "BaseProcess.join S/multiprocessing/process.py:149",
             "Popen.wait S/multiprocessing/popen_fork.py:43"],
            "a.py:5", "Process.join",
        ),
        # How a thread begins is no line of anybody's.
        ([*BEGIN, "Thread.run S/threading.py:982", "work /job/a.py:7"], "a.py:7", ""),
        (
            [*BEGIN, "Thread.run S/threading.py:982", "_worker S/concurrent/futures/thread.py:81"],
            "", "_worker",
        ),
        # All is installed: the line is that of the package that waits in another one.
        (
            ["<module> I/trainer/__main__.py:3", "Trainer.fit I/trainer/loop.py:31",
             "Store.wait I/torch/store.py:12"],
            "loop.py:31", "Store.wait",
        ),
        ([], "", ""),
        # Of what is in no file nothing can be shown.
        (["<module> <string>:1", "take <string>:5"], "", "take"),
        (["<module> /job/a.py:1", "<lambda> I/x/y.py:5"], "a.py:1", ""),
    ],
)  # fmt: skip
def test_of(chain: list[str], line: str, operation: str) -> None:
    found = meaning.of(frames(*chain))
    at = "" if found.line is None else f"{found.line.file.rpartition('/')[2]}:{found.line.line}"
    assert (at, found.operation) == (line, operation)


def test_python_is_told_from_native_frames() -> None:
    """What is below Python's is not asked; a stack without it is read as one of C++."""
    mixed = [*frames("<module> /job/a.py:3"), Frame("sem_wait", "sem_wait.c", 60)]
    assert meaning.of(mixed).line == mixed[0]
    native = [
        Frame("main", "/job/main.cpp", 20),
        Frame("Pool::take(int)", "/job/pool.cpp", 9),
        Frame("std::mutex::lock()", "/usr/include/c++/12/bits/std_mutex.h", 100),
        Frame("pthread_mutex_lock@plt", "pthread_mutex_lock.c", 93),
    ]
    found = meaning.of(native)
    assert (found.line, found.operation) == (native[1], "std::mutex::lock")
    assert meaning.of(native[3:]) == (None, "")


@pytest.mark.parametrize(
    ("file", "standard", "own"),
    [
        (f"{STANDARD}/threading.py", True, False),
        (f"{INSTALLED}/torch/nn.py", False, False),
        ("/usr/lib/python3/dist-packages/yaml/reader.py", False, False),
        ("/opt/py/lib/python3.13t/queue.py", True, False),
        ("<frozen importlib._bootstrap>", True, False),
        ("/home/a/python3.11/train.py", False, True),
        ("/job/lib/python/train.py", False, True),
        ("/job/kernel.pyx", False, True),
        ("train.py", False, True),
        ("/job/main.cpp", False, False),
    ],
)
def test_whose_a_file_is(file: str, standard: bool, own: bool) -> None:
    assert meaning.is_standard(file) == standard
    assert meaning.is_own(Frame("f", file, 1)) == own


def test_places_change_with_the_programs_own_lines() -> None:
    """Where it has any; how far a library's loop has come says nothing then."""
    chain = frames("main /job/a.py:5", "Queue.get S/queue.py:171")
    other = frames("main /job/a.py:5", "Queue.get S/queue.py:180")
    assert meaning.places(chain) == meaning.places(other) == (("/job/a.py", 5),)
    assert meaning.places(chain[1:]) != meaning.places(other[1:])
    assert meaning.places([Frame("f", "/job/a.cpp", 1)]) == ()
