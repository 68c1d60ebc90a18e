"""Functions of Python among the native frames of a stack, and locks by the lines that made them.

A stack is written as its frames, innermost first: of the interpreter, of an extension, of libc;
``loop`` is a call of the interpreter's loop. What is told is outermost first.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.recorded.process import Process
from lockorder.recorded.python_stacks import is_loop, is_standard
from lockorder.recorded.symbolize import Symbolizer
from runtime_probe.layout import Kind, LockFlag
from runtime_probe.trace import read_trace
from traces import ENTRY, Program, Recording

INTERPRETER = Program("/usr/bin/python3.11", "aa")
LIBC = Program("/lib/x86_64-linux-gnu/libc.so.6", "bb")
EXTENSION = Program("/app/fast.so", "cc")
PROBE = Program("/opt/liblockorder_probe.so", "dd")
#: The same interpreter without symbols.
STRIPPED = Program("/opt/bin/python3.12", "ee")
LIBRARY = "/usr/lib/python3.11"
SIZE = 0x200000

LOCK_NEW = ("thread_PyThread_allocate_lock", "_threadmodule.c", 700)
LOOP = ("_PyEval_EvalFrameDefault.cold", "ceval.c", 5000)


class Several:
    """Answers for the program that has a place."""

    problems: tuple[str, ...] = ()

    def lookup(self, path: str, build_id: str, offset: int) -> list[tuple[str, str, int]]:
        of_each = (p.lookup(path, build_id, offset) for p in (INTERPRETER, LIBC, EXTENSION, PROBE))
        return next(filter(None, of_each), [])

    def data_symbol(self, path: str, build_id: str, offset: int) -> str | None:
        return None


class Run(Recording):
    """A process of an interpreter that is a program of its own, with an extension loaded."""

    def __init__(self) -> None:
        super().__init__(INTERPRETER)
        self.bases = {INTERPRETER.path: self.bias}
        for number, program in enumerate((LIBC, EXTENSION, PROBE, STRIPPED)):
            base = self.bases[program.path] = 0x7F00_0000_0000 + number * 0x1000_0000
            self.module(program.path, base, base, base + SIZE, program.build_id)
        self.places: dict[tuple[str, str, int], int] = {}

    def at(self, program: Program, function: str, file: str = "", line: int = 1) -> int:
        """A call in *function*."""
        return self.bases[program.path] + program.call((function, file, line))

    def of(self, file: str, function: str, line: int, entry: bool = False) -> int:
        """A function of Python in a stack."""
        key = (file, function, line)
        if key not in self.places:
            self.places[key] = self.place(*key)
        return self.places[key] | (ENTRY if entry else 0)

    @property
    def loop(self) -> int:
        return self.bases[INTERPRETER.path] + INTERPRETER.call(LOOP)

    @property
    def step(self) -> int:
        return self.at(EXTENSION, "step", "fast.c", 7)

    @property
    def start(self) -> list[int]:
        """How a program begins."""
        named = (
            (INTERPRETER, "Py_BytesMain"),
            (LIBC, "__libc_start_main"),
            (INTERPRETER, "_start"),
        )
        return [self.at(*each) for each in named]


@pytest.fixture
def run() -> Run:
    return Run()


def process_of(run: Run, tmp_path: Path) -> Process:
    return Process(read_trace(run.write(tmp_path)), Symbolizer(Several()))


def told(run: Run, stack: int, tmp_path: Path) -> list[str]:
    """The chain of a stack, as functions."""
    return [f.function for f in process_of(run, tmp_path).chain(stack)]


def script(run: Run, *functions: str) -> list[int]:
    """Functions of one script, innermost first; those with a * were called by C."""
    return [
        run.of("/app/t.py", name.rstrip("*"), 10 + i, name.endswith("*"))
        for i, name in enumerate(functions)
    ]


# -- which functions stand where ----------------------------------------------------------------


def test_functions_stand_where_the_loop_runs_them(run: Run, tmp_path: Path) -> None:
    """Two calls of the loop: between them the extension that the outer one called."""
    taken = run.at(INTERPRETER, "PyThread_acquire_lock_timed")
    python = script(run, "take", "inner*", "outer", "<module>*")
    stack = run.stack(taken, run.loop, run.step, run.loop, *run.start, python=python)
    frames = process_of(run, tmp_path).chain(stack)
    assert [(f.function, f.file, f.line) for f in frames] == [
        ("<module>", "/app/t.py", 13),
        ("outer", "/app/t.py", 12),
        ("step", "fast.c", 7),
        ("inner", "/app/t.py", 11),
        ("take", "/app/t.py", 10),
    ]


@pytest.mark.parametrize(
    ("functions", "expected"),
    [
        (("a*", "b*", "c*"), ["c", "step", "b", "step", "a"]),
        (("a", "b*", "c*"), ["c", "step", "b", "a"]),
        # Without a mark the innermost call has them all.
        (("a", "b", "c"), ["step", "step", "c", "b", "a"]),
    ],
)
def test_marks_of_entries_divide(
    run: Run, tmp_path: Path, functions: tuple[str, ...], expected: list[str]
) -> None:
    native = [run.loop, run.step, run.loop, run.step, run.loop, *run.start]
    if functions == ("a", "b*", "c*"):
        del native[:2]
    stack = run.stack(*native, python=script(run, *functions))
    assert told(run, stack, tmp_path) == expected


def test_a_native_stack_that_was_cut_short(run: Run, tmp_path: Path) -> None:
    """Python's functions go on where it ends."""
    python = script(run, "take*", "middle*", "outer*", "<module>*")
    stack = run.stack(run.loop, run.step, run.loop, python=python)
    assert told(run, stack, tmp_path) == ["<module>", "outer", "middle", "step", "take"]


def test_a_native_stack_that_was_cut_short_in_an_extension(run: Run, tmp_path: Path) -> None:
    """40 frames are kept: up to 3.10, those of a dozen functions of Python."""
    stack = run.stack(run.loop, run.step, python=script(run, "take*", "outer*"))
    assert told(run, stack, tmp_path) == ["outer", "step", "take"]


def test_a_stack_of_python_that_was_cut_short(run: Run, tmp_path: Path) -> None:
    """Calls of the loop whose functions are not known leave nothing."""
    stack = run.stack(
        run.loop, run.step, run.loop, run.loop, *run.start, python=script(run, "take*", "outer")
    )
    assert told(run, stack, tmp_path) == ["outer", "step", "take"]


def test_an_interpreter_without_the_name_of_its_loop(run: Run, tmp_path: Path) -> None:
    """Each row of its frames is one call of it; the outermost has all that are left."""
    base = run.bases[STRIPPED.path]
    rows = [base + 0x100, base + 0x200, run.step, base + 0x300, base + 0x400]
    python = script(run, "take", "inner*", "outer*", "<module>*")
    stack = run.stack(*rows, python=python)
    assert told(run, stack, tmp_path) == ["<module>", "outer", "step", "inner", "take"]


def test_without_frames_of_python_the_interpreters_own_are_told(run: Run, tmp_path: Path) -> None:
    stack = run.stack(run.loop, run.step, run.loop)
    assert told(run, stack, tmp_path) == [LOOP[0], "step", LOOP[0]]


def test_an_interpreter_that_is_linked_into_a_program(tmp_path: Path) -> None:
    """Its functions are known by their names."""
    own = Recording(Program("/opt/app/trainer"))
    python = [own.place("/app/t.py", "take", 3) | ENTRY]
    calls = (("_PyEval_EvalFrameDefault", "", 0), ("PyRun_SimpleString", "", 0))
    stack = own.stack(("_PyMutex_Lock", "", 0), *calls, ("main", "app.c", 9), python=python)
    process = Process(read_trace(own.write(tmp_path)), Symbolizer(own.program))
    assert [f.function for f in process.chain(stack)] == ["main", "take"]


def test_how_threads_begin_is_left_out(run: Run, tmp_path: Path) -> None:
    """Of libc below the loop; what it calls back inside of it, stays."""
    sort = run.at(LIBC, "qsort")
    begin = [run.at(INTERPRETER, "thread_run"), run.at(LIBC, "start_thread"), run.at(LIBC, "clone")]
    python = script(run, "compare*", "run*")
    stack = run.stack(run.loop, run.step, sort, run.step, run.loop, *begin, python=python)
    assert told(run, stack, tmp_path) == ["run", "step", "qsort", "step", "compare"]


def test_the_machinery_of_imports_is_left_out(run: Run, tmp_path: Path) -> None:
    python = [
        run.of("/app/lib.py", "<module>", 2, entry=True),
        *[run.of("<frozen importlib._bootstrap>", name, 1) for name in ("_load", "_find")],
        run.of("<frozen importlib._bootstrap>", "_gcd_import", 1, entry=True),
        run.of("/app/t.py", "<module>", 1, entry=True),
    ]
    stack = run.stack(run.loop, run.loop, run.loop, *run.start, python=python)
    frames = process_of(run, tmp_path).chain(stack)
    assert [f.file for f in frames] == ["/app/t.py", "/app/lib.py"]


def test_a_frame_without_a_place_keeps_its_stand(run: Run, tmp_path: Path) -> None:
    python = [*script(run, "take*"), ENTRY, *script(run, "<module>*")]
    stack = run.stack(run.loop, run.step, run.loop, run.step, run.loop, python=python)
    assert told(run, stack, tmp_path) == ["<module>", "step", "?", "step", "take"]


@pytest.mark.parametrize("function", ["_PyEval_EvalFrameDefault", LOOP[0]])
def test_the_loop_by_its_name(function: str) -> None:
    assert is_loop(function)
    assert not is_loop(function.removeprefix("_"))


@pytest.mark.parametrize(
    ("file", "standard"),
    [
        ("/usr/lib/python3.11/queue.py", True),
        ("/usr/lib64/python3.14t/threading.py", True),
        ("<frozen runpy>", True),
        ("/usr/lib/python3/dist-packages/yaml/reader.py", False),
        ("/venv/lib/python3.11/site-packages/lib/pool.py", False),
        ("/home/me/lib/python/queue.py", False),
        ("<string>", False),
    ],
)
def test_the_standard_library(file: str, standard: bool) -> None:
    assert is_standard(file) is standard


# -- where something is done --------------------------------------------------------------------


def test_the_site_is_the_innermost_line_outside_of_the_standard_library(
    run: Run, tmp_path: Path
) -> None:
    library = [run.of(f"{LIBRARY}/queue.py", "Queue.get", 180, entry=True)]
    native = [run.at(PROBE, "sem_wait"), run.at(INTERPRETER, "PyThread_acquire_lock"), run.loop]
    stack = run.stack(*native, run.loop, python=[*library, *script(run, "work*")])
    site = process_of(run, tmp_path).site(stack)
    assert site is not None
    assert (site.function, site.file, site.line) == ("work", "/app/t.py", 10)


def test_the_site_of_an_extension_is_its_own(run: Run, tmp_path: Path) -> None:
    stack = run.stack(run.at(LIBC, "malloc"), run.step, run.loop, python=script(run, "work*"))
    site = process_of(run, tmp_path).site(stack)
    assert site is not None
    assert (site.function, site.file) == ("step", "fast.c")


@pytest.mark.parametrize(
    ("innermost", "python"),
    [
        ([INTERPRETER], True),
        ([PROBE, INTERPRETER], True),
        ([LIBC, INTERPRETER], True),
        ([EXTENSION, INTERPRETER], False),
        ([LIBC, EXTENSION, INTERPRETER], False),
    ],
)
def test_who_made_the_call(
    run: Run, tmp_path: Path, innermost: list[Program], python: bool
) -> None:
    stack = run.stack(*[run.at(p, "f") for p in innermost], python=script(run, "work*"))
    process = process_of(run, tmp_path)
    trace = process.trace
    assert process.places.is_python(trace.stack(stack), trace.python_frames(stack)) is python
    assert not process.places.is_python(trace.stack(stack), ())


# -- what locks are called ----------------------------------------------------------------------


def name_of(run: Run, tmp_path: Path, *, native: list[int], python: list[int]) -> str:
    """What a Python lock that a stack made is called."""
    made = run.stack(*native, python=python)
    lock = run.lock(0x10, Kind.SEMAPHORE, LockFlag.ON_STACK, made=made)
    process = process_of(run, tmp_path)
    return process.declared[process.classes[lock]].name


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (LOCK_NEW[0], "Lock made at t.py:3"),
        ("rlock_new", "RLock made at t.py:3"),
        ("something_new", "semaphore made at t.py:3"),
        ("simplequeue_new", "SimpleQueue made at t.py:3"),
    ],
)
def test_a_lock_is_called_by_the_line_that_made_it(
    run: Run, tmp_path: Path, function: str, name: str
) -> None:
    native = [
        run.at(INTERPRETER, "PyThread_allocate_lock"),
        run.at(INTERPRETER, function),
        run.loop,
    ]
    python = [run.of("/app/t.py", "<module>", 3, entry=True)]
    assert name_of(run, tmp_path, native=[*native, run.loop], python=python) == name


def test_a_lock_inside_of_another_object_is_called_by_that(run: Run, tmp_path: Path) -> None:
    python = [
        run.of(f"{LIBRARY}/queue.py", "Queue.__init__", 42),
        run.of("/app/t.py", "Jobs.__init__", 4, entry=True),
        run.of("/app/t.py", "<module>", 9, entry=True),
    ]
    native = [run.at(INTERPRETER, LOCK_NEW[0]), run.loop, run.loop]
    assert name_of(run, tmp_path, native=native, python=python) == (
        "Queue made at t.py:4 (in queue.py:42)"
    )


def test_a_lock_inside_of_an_object_inside_of_another(run: Run, tmp_path: Path) -> None:
    """It is called by the outermost one, which the program asked for."""
    python = [
        run.of(f"{LIBRARY}/threading.py", "Condition.__init__", 230),
        run.of(f"{LIBRARY}/threading.py", "Event.__init__", 550),
        run.of(f"{LIBRARY}/threading.py", "Thread.__init__", 870),
        run.of("/app/t.py", "<module>", 4, entry=True),
    ]
    native = [run.at(INTERPRETER, LOCK_NEW[0]), run.loop]
    assert name_of(run, tmp_path, native=native, python=python) == (
        "Thread made at t.py:4 (in threading.py:230)"
    )


def test_a_constructor_that_does_not_say_its_class(run: Run, tmp_path: Path) -> None:
    python = [run.of(f"{LIBRARY}/queue.py", "__init__", 42, entry=True)]
    python += [run.of("/app/t.py", "<module>", 4, entry=True)]
    native = [run.at(INTERPRETER, LOCK_NEW[0]), run.loop, run.loop]
    assert name_of(run, tmp_path, native=native, python=python) == (
        "queue.py made at t.py:4 (in queue.py:42)"
    )


def test_a_lock_of_a_library_made_by_a_thread_of_the_standard_library(
    run: Run, tmp_path: Path
) -> None:
    """The library's line made it, and the standard library only called that."""
    python = [
        run.of("/venv/lib/python3.11/site-packages/lib/pool.py", "Pool.grow", 7),
        run.of(f"{LIBRARY}/threading.py", "Thread.run", 982),
        run.of(f"{LIBRARY}/threading.py", "Thread._bootstrap", 1002, entry=True),
    ]
    native = [run.at(INTERPRETER, LOCK_NEW[0]), run.loop]
    assert name_of(run, tmp_path, native=native, python=python) == "Lock made at pool.py:7"


def test_a_lock_that_nothing_but_the_standard_library_made(run: Run, tmp_path: Path) -> None:
    python = [
        run.of(f"{LIBRARY}/concurrent/futures/thread.py", "_worker", 80),
        run.of(f"{LIBRARY}/threading.py", "Thread._bootstrap", 1002, entry=True),
    ]
    native = [run.at(INTERPRETER, LOCK_NEW[0]), run.loop]
    assert name_of(run, tmp_path, native=native, python=python) == (
        "semaphore made at threading.py:1002 (in thread.py:80)"
    )


def test_a_lock_of_an_extension_is_no_lock_of_python(run: Run, tmp_path: Path) -> None:
    python = [run.of("/app/t.py", "<module>", 3, entry=True)]
    native = [run.step, run.loop]
    assert name_of(run, tmp_path, native=native, python=python) == (
        "semaphore made in step (fast.c:7)"
    )


def test_locks_of_two_lines_are_two_and_of_one_line_one(run: Run, tmp_path: Path) -> None:
    native = [run.at(INTERPRETER, LOCK_NEW[0]), run.loop]
    stacks = [
        run.stack(*native, python=[run.of("/app/t.py", "make", line, entry=True)])
        for line in (3, 4)
    ]
    locks = [
        run.lock(0x10 * n, Kind.SEMAPHORE, LockFlag.ON_STACK, made=stacks[n % 2]) for n in range(4)
    ]
    process = process_of(run, tmp_path)
    classes = [process.classes[lock] for lock in locks]
    assert classes[0] == classes[2]
    assert classes[1] == classes[3]
    assert classes[0] != classes[1]
