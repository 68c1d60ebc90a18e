"""A watchdog for a program that may hang: it says why, in a file, while the program stands still.

    import lockorder.watchdog

    lockorder.watchdog.start(timeout=300)

What watches is a small process of its own, which needs no GIL of the program's: it sees as well a
program whose GIL is never given up. It looks at the program from outside, as ``lockorder hang``
does, stops and attaches to nothing unless that was asked for (*native*), and ends with the program.

With ``LOCKORDER_WATCHDOG=300`` in the environment, ``import lockorder.watchdog`` is enough.
``python -m lockorder.watchdog run 300 -- CMD ...`` watches a command that is not changed at all.
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import itertools
import json
import math
import mmap
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lockorder.hang import watches
from lockorder.hang.ranks import rank_of

__all__ = ["WatchdogError", "beat", "start", "start_from_environment", "stop"]

TIMEOUT, FOLDER, WATCHED = "LOCKORDER_WATCHDOG", "LOCKORDER_WATCHDOG_DIR", "LOCKORDER_WATCHED"
#: Where torchrun wants a rank to leave its error: LOGS/attempt_0/RANK/error.json.
_ERROR_FILE = "TORCHELASTIC_ERROR_FILE"
_YAMA, _PR_SET_PTRACER = "/proc/sys/kernel/yama/ptrace_scope", 0x59616D61  # prctl(2)
_COUNTER = 8  # bytes that beats are counted in
#: Seconds that the other process may take to begin.
_PATIENCE = 60.0
_BEGIN = (
    "import json, sys; told = json.loads(sys.argv[1]); sys.path[:] = told.pop('path'); "
    "from lockorder import watchdog; watchdog._companion(told)"
)


class WatchdogError(RuntimeError):
    """The watchdog cannot be started; the text says why."""


class _Watched:
    """This program as it is watched: where its beats are counted, and how to end the watching."""

    def __init__(self, beats: int, line: int) -> None:
        self._memory = mmap.mmap(beats, _COUNTER)
        self._count = itertools.count(1)
        self._line = line

    def beat(self) -> None:
        self._memory[:] = next(self._count).to_bytes(_COUNTER, sys.byteorder)

    def end(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._line, b"\n")
        self.forget()

    def forget(self) -> None:
        """Children of a fork are not watched."""
        with contextlib.suppress(OSError):
            os.close(self._line)


_watched: _Watched | None = None


def start(
    timeout: float = 300.0,
    folder: str | os.PathLike[str] | None = None,
    *,
    every: float | None = None,
    native: bool = False,
) -> None:
    """Watch this program from now on; a watchdog that was started before is replaced.

    When its main thread has stood at one line of the program for *timeout*, waiting, the job on
    this machine is examined. Unless somebody in it works, the answer is written to
    ``lockorder-hang-HOST-rankRANK-PID-TIME.txt`` and ``.json``, and one line to stderr names the
    file: once for each standstill. A program that calls ``beat`` is judged by that alone: an
    answer is written when none came for *timeout*.

    Args:
        timeout: seconds without progress.
        folder: where answers go, made where it is missing. Default: ``LOCKORDER_WATCHDOG_DIR``,
            else the folder of torchrun's logs (``--log-dir``), else the working directory.
        every: seconds between two looks; default: a tenth of *timeout*, at least 1.
        native: attach for native stacks (pystack, eu-stack, gdb), too, before an answer is written.
            That stops a process for a moment, and can end some calls that wait with EINTR.

    Raises:
        ValueError: *timeout* or *every* is no positive, finite number.
        WatchdogError: *folder* cannot be written, or the other process does not start.
    """
    global _watched  # noqa: PLW0603
    for name, value in (("timeout", timeout), ("every", every)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise ValueError(f"{name}: {value!r}: a positive number of seconds is needed")
    place = Path(folder) if folder is not None else _folder()
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WatchdogError(f"{place}: {error.strerror}") from None
    if not os.access(place, os.W_OK | os.X_OK):
        raise WatchdogError(f"{place}: cannot be written")
    stop()
    told: dict[str, Any] = {
        "path": [os.path.abspath(p) for p in sys.path],
        "pid": os.getpid(),
        "rank": rank_of(os.environ),
        "timeout": float(timeout),
        "every": float(every) if every is not None else max(1.0, timeout / 10),
        "folder": str(place.absolute()),
        "native": native,
    }
    try:
        _watched = _begun(told)
    except OSError as error:
        raise WatchdogError(f"cannot start {sys.executable}: {error.strerror}") from None


def stop() -> None:
    """End the watching; nothing is to be ended where there is none."""
    global _watched
    before, _watched = _watched, None
    if before is not None:
        before.end()


def beat() -> None:
    """Say that the program makes progress; from the first time on nothing else counts as such.

    For a training loop once a step. Takes less than a microsecond, does nothing where nobody
    watches, and may be called from any thread.
    """
    if _watched is not None:
        _watched.beat()


def start_from_environment() -> None:
    """Start as ``LOCKORDER_WATCHDOG`` says: seconds; "" or 0: not. Done when this is imported.

    Nothing is raised: what is wrong goes to stderr. A process that a watched one has started is
    not watched itself, unless it has a rank of its own: it is looked at with the other.
    """
    text, rank = os.environ.get(TIMEOUT, "").strip(), rank_of(os.environ)
    if text in ("", "0") or os.environ.get(WATCHED) == str(rank):
        return
    try:
        start(float(text))
    except ValueError:
        _complain(f"{TIMEOUT}={text}: a positive number of seconds is needed")
    except WatchdogError as error:
        _complain(str(error))
    else:
        os.environ[WATCHED] = str(rank)


def _complain(text: str) -> None:
    with contextlib.suppress(OSError, ValueError, AttributeError):  # pythonw has no stderr
        print(f"lockorder: warning: no watchdog: {text}", file=sys.stderr)


def _folder() -> Path:
    named = os.environ.get(FOLDER, "")
    if named:
        return Path(named)
    error = os.environ.get(_ERROR_FILE, "")
    # Without --log-dir torchrun's logs go where nobody looks.
    if error and not error.startswith(f"{tempfile.gettempdir()}{os.sep}"):
        return Path(error).absolute().parent.parent
    return Path.cwd()


def _begun(told: dict[str, Any]) -> _Watched:
    """Start the process that watches.  Raises OSError, WatchdogError."""
    if "python" not in os.path.basename(sys.executable or "").lower():
        # A program that has an interpreter in it: it would be started once more.
        raise WatchdogError(f"sys.executable is no interpreter: {sys.executable!r}")
    if not hasattr(os, "memfd_create"):
        raise WatchdogError("it needs Linux")
    beats = os.memfd_create("lockorder-beats", os.MFD_CLOEXEC)
    end, line = os.pipe2(os.O_CLOEXEC)
    try:
        os.ftruncate(beats, _COUNTER)
        watched = _Watched(beats, line)
        told |= {"beats": beats, "end": end}
        ours = (TIMEOUT, WATCHED, "LD_PRELOAD", "LOCKORDER_TRACE_DIR")
        environment = {k: v for k, v in os.environ.items() if k not in ours}
        environment[watches.VARIABLE] = str(os.getpid())
        command = [sys.executable, "-c", _BEGIN, json.dumps(told), "lockorder-watchdog"]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment,
            pass_fds=(beats, end), start_new_session=True, timeout=_PATIENCE, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        os.close(line)
        raise WatchdogError(f"{sys.executable} did not start in {_PATIENCE:.0f} s") from None
    except OSError:
        os.close(line)
        raise
    finally:
        os.close(beats)
        os.close(end)
    if not done.stdout.strip().isdigit():
        os.close(line)
        raise WatchdogError(f"{sys.executable} ended with {done.returncode}")
    _allow(int(done.stdout))
    return watched


def _allow(pid: int) -> None:
    """Let a process look at this one, where Yama restricts that to those that started it."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        if int(Path(_YAMA).read_text(encoding="ascii")) == 1:
            ctypes.CDLL(None).prctl(_PR_SET_PTRACER, ctypes.c_ulong(pid), 0, 0, 0)


def _companion(told: dict[str, Any]) -> None:
    """What the process that ``start`` began does.

    The one that watches is no child of the program's: that may wait for all of its children, and
    nobody who ends a tree of processes or asks for one has to know of it.
    """
    pid = os.fork()
    if pid:
        os.write(1, b"%d\n" % pid)
        os._exit(0)
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.close(nothing)
    importlib.import_module("lockorder.commands.watcher").companion(told)


def _forget() -> None:
    global _watched
    before, _watched = _watched, None
    if before is not None:
        before.forget()


os.register_at_fork(after_in_child=_forget)

if __name__ == "__main__":
    sys.exit(importlib.import_module("lockorder.commands.watcher").program(sys.argv[1:]))
start_from_environment()
