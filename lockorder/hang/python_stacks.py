"""Stacks of live Python processes, all of them in a second, and none of them stopped: by py-spy.

It reads the interpreter's memory from outside, names threads as `threading` does, and functions
with their classes.  A process that runs meanwhile may show a stack that never was: only what two
looks show alike is believed.  Native functions are not in it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec

from lockorder.hang.stacks import Stacks, ThreadStack, Variables
from lockorder.model import Frame

#: Seconds for one process, and bytes that are read of an answer.
PATIENCE, _MOST = 2.0, 1 << 26
TOOL = "py-spy"


class _Local(msgspec.Struct):
    name: str
    addr: int


class _Frame(msgspec.Struct):
    name: str
    filename: str
    line: int = 0
    locals: list[_Local] | None = None


class _Thread(msgspec.Struct):
    frames: list[_Frame]
    os_thread_id: int | None = None
    thread_name: str | None = None
    owns_gil: bool = False


def program() -> str:
    """The installed py-spy; "": there is none."""
    beside = Path(sysconfig.get_path("scripts"), TOOL)
    near = Path(sys.executable).with_name(TOOL)
    for each in (beside, near):
        if os.access(each, os.X_OK):
            return str(each)
    return shutil.which(TOOL) or ""


def of_processes(pids: Iterable[int], patience: float = PATIENCE) -> dict[int, Stacks]:
    """The stacks of each process; those of which none could be had say why in ``problems``."""
    wanted = list(pids)
    tool = program() if wanted else ""
    if not tool:
        return {p: Stacks({}, "", ("py-spy is not installed",)) for p in wanted}
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as pool:
        return dict(zip(wanted, pool.map(lambda p: _of(tool, p, patience), wanted), strict=True))


def variables(pid: int, patience: float = PATIENCE) -> list[Variables]:
    """Where the objects are that functions of *pid* have in their variables; none if not known."""
    tool = program()
    threads = _asked(tool, pid, patience, "--locals") if tool else "no"
    if isinstance(threads, str):
        return []
    return [
        Variables(t.os_thread_id or 0, _shown(f), {v.name: v.addr for v in f.locals or ()})
        for t in threads
        for f in reversed(t.frames)
    ]


def _of(tool: str, pid: int, patience: float) -> Stacks:
    threads = _asked(tool, pid, patience)
    if isinstance(threads, str):
        return Stacks({}, "", (f"{TOOL}: {threads}",))
    found = {}
    for thread in threads:
        tid = thread.os_thread_id or 0
        if not tid and len(threads) == 1:
            tid = pid
        if tid:
            chain = tuple(_shown(f) for f in reversed(thread.frames))
            name = thread.thread_name or ""
            found[tid] = ThreadStack(tid, name, chain, (), thread.owns_gil, python=True)
    return Stacks(found, TOOL) if found else Stacks({}, "", (f"{TOOL}: found no thread",))


def _shown(frame: _Frame) -> Frame:
    return Frame(frame.name, frame.filename, max(0, frame.line))


def _asked(tool: str, pid: int, patience: float, *more: str) -> list[_Thread] | str:
    """The threads of a process, or why there are none."""
    command = [tool, "dump", "--json", "--nonblocking", "--pid", str(pid), *more]
    environment = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "RUST_BACKTRACE")}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=patience,
            env=environment, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"took more than {patience:.0f} s"
    except OSError as error:
        return error.strerror or str(error)
    try:
        return msgspec.json.decode(done.stdout[:_MOST], type=list[_Thread])
    except msgspec.DecodeError:
        said = done.stderr[:_MOST].decode(errors="replace").strip().splitlines()
        line = next((line for line in said if line.startswith("Error")), said[0] if said else "")
        return line.removeprefix("Error: ")[:200] or "said nothing that could be read"
