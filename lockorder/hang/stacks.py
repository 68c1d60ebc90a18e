"""Stacks of a process' threads, from what is there: pystack, else eu-stack, gdb or cuda-gdb.

pystack merges native and Python frames and knows who holds the GIL; it wants a Python process.  For
others the tools that most machines have are asked.  All of them stop the process for a moment.
"""

from __future__ import annotations

import math
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from lockorder.model import Frame

#: Seconds that one tool may take, and bytes that it may say.
PATIENCE, _MOST = 60.0, 1 << 26

_WORKER = [sys.executable, "-m", "lockorder.hang.stack_worker"]
#: A tool inherits the signals that its caller has blocked, and gdb waits for SIGCHLD.
_UNBLOCKED = [
    sys.executable, "-I", "-S", "-c",
    "import os, signal, sys; signal.pthread_sigmask(signal.SIG_SETMASK, ()); "
    "os.execv(sys.argv[1], sys.argv[1:])",
]  # fmt: skip
#: A gdb, which images for GPUs have where they have no other one.
_CUDA_GDB = "cuda-gdb"
_GDB_THREAD = re.compile(r'^Thread \d+ \((?:Thread 0x[0-9a-f]+ )?\(?LWP (\d+)\)?\)?(?: "(.*?)")?')
_GDB_FRAME = re.compile(
    r"^#\d+\s+(?:0x[0-9a-f]+ in )?(.+) \([^()]*\)(?: at (.+):(\d+)| from (\S+))?$"
)
_EU_THREAD = re.compile(r"^TID (\d+):")
_EU_FRAME = re.compile(r"^#\d+\s+0x[0-9a-f]+\s+(?:- \d+\s+)?(\S.*?)(?: - (\S+))?$")
_EU_PLACE = re.compile(r"^\s+(\S.*?):(\d+)(?::\d+)?$")


class ThreadStack(msgspec.Struct, frozen=True):
    """A thread's stack: *chain* is outermost first, Python's functions among the native ones.

    ``functions`` are the native ones by name, innermost first; ``gil``: it holds the GIL.
    """

    tid: int
    name: str = ""
    chain: tuple[Frame, ...] = ()
    functions: tuple[str, ...] = ()
    gil: bool = False
    python: bool = False


class Variables(msgspec.Struct, frozen=True):
    """Where the objects are that a function of Python's has in its variables, by their names."""

    tid: int
    frame: Frame
    objects: dict[str, int]


class Stacks(msgspec.Struct, frozen=True):
    """Stacks by thread id; ``tool`` gave them, "": nobody could; ``problems`` say why.

    ``asked`` is what pystack was asked for them.
    """

    threads: dict[int, ThreadStack]
    tool: str = ""
    problems: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()


def variables(found: Stacks) -> list[Variables]:
    """The variables of Python's functions on stacks that were found, as far as they are known."""
    if not found.asked:
        return []
    try:
        out, _ = _said([*_WORKER, "variables", *found.asked])
        return msgspec.json.decode(out, type=list[Variables])
    except (_NoStackError, msgspec.DecodeError):
        return []


def of_process(pid: int, python: bool, until: float = math.inf) -> Stacks:
    """The stacks of a live process, which has a Python interpreter in it or not.

    A tool that is not ready at *until* (of the monotonic clock) is ended: the process goes on.
    """
    ways = [("eu-stack", ["-p", str(pid), "-s", "-i"]), ("gdb", ["-p", str(pid)])]
    if not _has_cuda(pid):  # whose work on the GPU it would stop as well
        ways.append((_CUDA_GDB, ["-p", str(pid)]))
    return _first(["pid", str(pid)] if python else [], ways, until)


def _has_cuda(pid: int) -> bool:
    """Whether a process has CUDA's driver in it, or may have."""
    try:
        return "/libcuda.so" in Path(f"/proc/{pid}/maps").read_text(errors="replace")
    except OSError:
        return True


def _found(tool: str) -> str | None:
    """Where a tool is; that of CUDA is often not in the search path."""
    found = shutil.which(tool)
    if found is None and tool == _CUDA_GDB:
        found = shutil.which(tool, path="/usr/local/cuda/bin")
    return found


def merged(python: Stacks, native: Stacks) -> Stacks:
    """Both of one process: threads by their native stacks where there are any, named by Python.

    A tool that reads both may have had the process at a later moment: where Python's frames are
    others by now, those of the looks stay.
    """
    found = dict(python.threads)
    for tid, stack in native.threads.items():
        known = found.get(tid)
        mine = [(f.file, f.line) for f in known.chain] if known is not None else []
        theirs = [(f.file, f.line) for f in stack.chain if f.file.endswith(".py")]
        if known is None or not mine:
            found[tid] = stack
        elif mine == theirs:
            chain = _qualified(stack.chain, known.chain)
            found[tid] = msgspec.structs.replace(stack, chain=chain, name=known.name, gil=known.gil)
        elif not theirs:
            found[tid] = msgspec.structs.replace(
                known, chain=(*known.chain, *stack.chain), functions=stack.functions
            )
    tools = " and ".join(t for t in (python.tool, native.tool) if t)
    return Stacks(found, tools, (*python.problems, *native.problems))


def _qualified(chain: tuple[Frame, ...], names: tuple[Frame, ...]) -> tuple[Frame, ...]:
    """*chain* with the names that Python's frames have in *names*, in order."""
    better = iter(names)
    return tuple(
        Frame(next(better).function, f.file, f.line) if f.file.endswith(".py") else f for f in chain
    )


def of_core(core: Path, exe: Path | None, python: bool) -> Stacks:
    """The stacks in a core file; *exe* is the program, where it is known."""
    program = [str(exe)] if exe is not None else []
    ways = [
        ("eu-stack", ["--core", str(core), *(["-e", *program] if program else []), "-s", "-i"]),
        ("gdb", ["-c", str(core), *program]),
        (_CUDA_GDB, ["-c", str(core), *program]),
    ]
    return _first(["core", str(core), *program] if python and program else [], ways)


def _first(
    pystack: list[str], ways: list[tuple[str, list[str]]], until: float = math.inf
) -> Stacks:
    problems = []
    if pystack:
        try:
            return _pystack(pystack, until)
        except _NoStackError as error:
            problems.append(f"pystack: {error}")
    for tool, arguments in ways:
        program = _found(tool)
        if program is None:
            continue
        try:
            read = _eu_stack if tool == "eu-stack" else _gdb
            threads = read(program, arguments, until)
        except _NoStackError as error:
            problems.append(f"{tool}: {error}")
            continue
        return Stacks(threads, tool, tuple(problems))
    if not any(_found(tool) for tool, _ in ways):
        problems.append("no stacks: install elfutils (eu-stack) or gdb, and look again")
    return Stacks({}, "", tuple(problems))


class _NoStackError(Exception):
    """A tool said nothing that could be used."""


def _said(command: list[str], until: float = math.inf) -> tuple[str, str]:
    """What a tool writes to stdout and stderr."""
    patience = min(PATIENCE, until - time.monotonic())
    if patience <= 0:
        raise _NoStackError("no time was left for it")
    environment = {
        k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "DEBUGINFOD_URLS")
    }
    if signal.pthread_sigmask(signal.SIG_BLOCK, ()):
        command = [*_UNBLOCKED, shutil.which(command[0]) or command[0], *command[1:]]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience,
            env={**environment, "LC_ALL": "C"}, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise _NoStackError(f"took more than {patience:.0f} s") from None
    except OSError as error:
        raise _NoStackError(error.strerror or str(error)) from None
    out = done.stdout[:_MOST].decode(errors="replace")
    problem = done.stderr[:_MOST].decode(errors="replace").strip()
    if done.returncode != 0 and not out:
        raise _NoStackError(_last_line(problem) or f"ended with {done.returncode}")
    return out, problem


def _last_line(text: str) -> str:
    return text.rsplit("\n", 1)[-1].strip()[:200]


def _pystack(arguments: list[str], until: float) -> Stacks:
    out, problem = _said([*_WORKER, *arguments], until)
    try:
        found = msgspec.json.decode(out, type=list[ThreadStack])
    except msgspec.DecodeError:
        raise _NoStackError(_last_line(problem) or "said nothing that could be read") from None
    if not found:
        raise _NoStackError("found no thread")
    return Stacks({stack.tid: stack for stack in found}, "pystack", asked=tuple(arguments))


def _stacks(raw: dict[int, tuple[str, list[Frame]]]) -> dict[int, ThreadStack]:
    """From innermost-first frames."""
    if not raw:
        raise _NoStackError("found no thread")
    return {
        tid: ThreadStack(
            tid=tid, name=name, chain=tuple(reversed(frames)),
            functions=tuple(f.function for f in frames),
        )
        for tid, (name, frames) in raw.items()
    }  # fmt: skip


def _gdb(program: str, arguments: list[str], until: float) -> dict[int, ThreadStack]:
    settings = ("auto-load off", "debuginfod enabled off", "pagination off", "width 0",
                "print frame-arguments none", "print address off", "confirm off")  # fmt: skip
    command = [program, "-nx", "-nh", "-batch"]
    for setting in settings:
        command += ["-iex", f"set {setting}"]
    out, _ = _said([*command, *arguments, "-ex", "thread apply all backtrace 200"], until)
    raw: dict[int, tuple[str, list[Frame]]] = {}
    frames: list[Frame] = []
    for line in out.splitlines():
        thread = _GDB_THREAD.match(line)
        if thread:
            frames = []
            raw[int(thread[1])] = (thread[2] or "", frames)
            continue
        frame = _GDB_FRAME.match(line)
        if frame:
            frames.append(Frame(frame[1], frame[2] or "", int(frame[3] or 0)))
    return _stacks(raw)


def _eu_stack(program: str, arguments: list[str], until: float) -> dict[int, ThreadStack]:
    out, _ = _said([program, "-n", "200", *arguments], until)
    raw: dict[int, tuple[str, list[Frame]]] = {}
    frames: list[Frame] = []
    for line in out.splitlines():
        thread = _EU_THREAD.match(line)
        if thread:
            frames = []
            raw[int(thread[1])] = ("", frames)
            continue
        place = _EU_PLACE.match(line)
        if place and frames:
            frames[-1] = Frame(frames[-1].function, place[1], int(place[2]))
            continue
        frame = _EU_FRAME.match(line)
        if frame:
            frames.append(Frame(frame[1]))
    return _stacks(raw)
