"""What watches a program from outside (``lockorder.watchdog``): its process, and its command.

A standstill is noticed by cheap looks, far apart: the first thread's processor time, and its lines
of Python. Only then the job is examined as `lockorder hang` does it, and where that sees somebody
who works, nothing is written, unless the program counts its steps itself (beats).
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import math
import mmap
import os
import select
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from lockorder import meaning
from lockorder.commands.common import UsageError, say
from lockorder.commands.examining import MACHINE, PATIENCE, Examined, examine, file_stem, keep
from lockorder.hang import collected, jobs, motion
from lockorder.hang.looks import Looks, Taken
from runtime_probe.child import run_child
from runtime_probe.processes import tree

#: Seconds between two looks whether the program still runs, where the kernel does not tell it.
_ALIVE_EVERY = 1.0
#: And between two tries for the lock that another rank's watchdog has.
_LOCK_EVERY = 0.2
_Places = tuple[tuple[str, int], ...]


class Watcher:
    """Looks at the processes of a program again and again."""

    def __init__(self, told: dict[str, Any], job: Callable[[], list[int]]) -> None:
        """*job*: the processes whose trees are examined; *told* is what `start` was told."""
        self._pid: int = told["pid"]
        self._rank: int = told["rank"]
        self._timeout: float = told["timeout"]
        self._every: float = told["every"]
        self._folder = Path(told["folder"])
        self._native: bool = told["native"]
        self._job = job
        self._beats: mmap.mmap | None = None
        self._looks: Looks | None = None
        self._pids: frozenset[int] = frozenset()
        self._counts: dict[int, motion.Look] = {}
        self._places: dict[int, _Places] = {}
        self._beat = b""
        self._since = time.monotonic()
        self._told = False
        self._warned = False

    def count_beats(self, descriptor: int) -> None:
        """Read the program's beats from there."""
        self._beats = mmap.mmap(descriptor, 8, prot=mmap.PROT_READ)

    def watch(self, watched: Callable[[], list[int]]) -> None:
        """Watch for ever the processes that *watched* gives at each look."""
        while True:
            time.sleep(self._every)
            try:
                self._look(watched())
            except Exception as error:
                # Whatever comes up: the next look may be better, and the program goes on.
                self._warn(f"{type(error).__name__}: {error}")

    def _look(self, pids: Sequence[int]) -> None:
        if self._moves(pids):
            self._since, self._told = time.monotonic(), False
        elif not self._told and time.monotonic() - self._since >= self._timeout:
            self._standstill()

    @property
    def _has_beats(self) -> bool:
        return self._beats is not None and any(self._beats[:])

    def _moves(self, pids: Sequence[int]) -> bool:
        """Whether something has moved since the last look."""
        if self._beats is not None and self._has_beats:
            before, self._beat = self._beat, self._beats[:]
            return before != self._beat
        looks = self._looks
        if looks is None or self._pids != frozenset(pids):
            self._pids, self._counts, self._places = frozenset(pids), {}, {}
            found = collected.Collected()
            self._looks = looks = Looks(found, frozenset([self._pid]), lambda _: None)
            looks.open(pids)
            if found.problems:
                self._warn(f"{found.problems[0]}; only beats are seen")
        if not looks.images:
            return True  # nobody can say that it does not
        taken = looks.take()
        places = {pid: _places(taken, pid) for pid in taken.counts}
        moved = any(
            _works(pid, self._counts.get(pid), now) or places[pid] != self._places.get(pid)
            for pid, now in taken.counts.items()
            if now.threads  # it may have ended
        )
        self._counts, self._places = taken.counts, places
        return moved

    def _standstill(self) -> None:
        seconds = time.monotonic() - self._since
        beats = self._has_beats
        with _one_at_a_time():
            if self._is_answered():
                self._told = True
                return
            examined = examine(self._job(), attach=self._native, stood=self._timeout)
            if not (examined.serious or beats) and examined.goes_on:
                self._since = time.monotonic()  # it waits for somebody who works
                return
            self._told = True
            self._write(examined, seconds, beats)

    def _write(self, examined: Examined, seconds: float, beats: bool) -> None:
        who = (
            f"rank {self._rank} (process {self._pid})"
            if self._rank >= 0
            else f"process {self._pid}"
        )
        what = "no beat" if beats else "no progress"
        heading = f"lockorder watchdog: {what} of {who} for {seconds:.0f} s"
        when = time.strftime("%Y%m%d-%H%M%S")
        stem = f"lockorder-{file_stem(self._rank, self._pid, when)}"
        try:
            text, *_ = keep(examined, self._folder, stem, [heading])
        except OSError as error:
            said = f"{error.filename or self._folder}: {error.strerror or error}"
            self._warn(f"cannot write: {said}; {examined.document.headline}")
            return
        _tell(f"{heading}: {text}: {examined.document.headline}")

    def _is_answered(self) -> bool:
        """Whether another rank's watchdog has examined this process since it stands still.

        That it does is noticed later than it begins, and by each rank's watchdog at its own time.
        """
        begun = time.time() - (time.monotonic() - self._since) - self._timeout
        for path in self._folder.glob(f"lockorder-{MACHINE}-*.json"):
            with contextlib.suppress(OSError, collected.SnapshotError):
                if path.stat().st_mtime < begun:
                    continue
                for process in collected.read_snapshot(path).processes:
                    first = process.first if process.pid == self._pid else None
                    if first is not None and not first.goes_on:
                        return True
        return False

    def _warn(self, text: str) -> None:
        if not self._warned:
            self._warned = True
            _tell(f"lockorder: warning: watchdog of process {self._pid}: {text}")


def _tell(line: str) -> None:
    # The program may have closed its stderr, or nobody reads it any more.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        say([line])


def _works(pid: int, before: motion.Look | None, now: motion.Look) -> bool:
    """Whether a process' first thread has used its core; it has where it is seen first."""
    done = motion.between(before, now).get(pid) if before is not None else None
    return done is None or done.works


def _places(taken: Taken, pid: int) -> _Places:
    stacks = taken.stacks.get(pid)
    if stacks is None:
        return ()
    first = next((s for tid, s in stacks.threads.items() if tid == pid), None)
    return meaning.places(first.chain) if first is not None else ()


@contextlib.contextmanager
def _one_at_a_time() -> Iterator[None]:
    """All ranks of a node stand still together: one answer is enough for them."""
    path = Path(tempfile.gettempdir(), f"lockorder-watchdog-{os.geteuid()}.lock")
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError:
        yield  # then each says it
        return
    try:
        if os.fstat(descriptor).st_uid == os.geteuid():
            _lock(descriptor, time.monotonic() + PATIENCE)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, end: float) -> None:
    """Lock a file; whoever has it longer than an examination takes is not waited for."""
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(_LOCK_EVERY)


def companion(told: dict[str, Any]) -> None:
    """Watch the program that started this, until it ends or does not want it any more."""
    pid: int = told["pid"]
    threading.Thread(target=_end_with, args=(pid, told["end"]), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with contextlib.suppress(OSError):
        os.nice(19)
    watcher = Watcher(told, lambda: jobs.of(pid))
    watcher.count_beats(told["beats"])
    watcher.watch(lambda: [pid])


def _end_with(pid: int, end: int) -> None:
    """End this process with the process *pid*, or when something comes through the pipe *end*."""
    poll = select.poll()
    poll.register(end, select.POLLIN)
    limit = None
    try:
        poll.register(os.pidfd_open(pid), select.POLLIN)
    except ProcessLookupError:
        os._exit(0)
    except OSError:  # an old kernel, or a filter
        limit = _ALIVE_EVERY * 1000
    while True:
        for descriptor, event in poll.poll(limit):
            if descriptor != end or event & select.POLLIN:
                os._exit(0)
            poll.unregister(end)  # the program has closed it, and may go on for long
        if limit is not None and not os.path.exists(f"/proc/{pid}"):
            os._exit(0)


class _Begun:
    """Notes the command's process as soon as it runs (runtime_probe.child.Onlooker)."""

    def __init__(self, begin: Callable[[int], None]) -> None:
        self._begin: Callable[[int], None] | None = begin

    @property
    def every(self) -> float:
        """Seconds until the next look: there is only one."""
        return 0.01 if self._begin is not None else 3600.0

    def look(self, pid: int) -> None:
        """Start to watch."""
        begin, self._begin = self._begin, None
        if begin is not None:
            begin(pid)

    def pause(self) -> None:
        """Nothing is shown."""


def program(arguments: Sequence[str]) -> int:
    """``python -m lockorder.watchdog run SECONDS -- CMD``: the command's exit code, as `run` has
    it."""
    parser = argparse.ArgumentParser("python -m lockorder.watchdog", description=__doc__)
    verbs = parser.add_subparsers(required=True, metavar="run")
    run = verbs.add_parser("run", help="run a command, and say why it hangs, if it does")
    run.add_argument("timeout", type=_seconds, metavar="SECONDS", help="without any progress")
    run.add_argument("--folder", type=Path, default=Path(os.environ.get("LOCKORDER_WATCHDOG_DIR")
                     or "."), help="where answers go (default: here)")  # fmt: skip
    run.add_argument("--every", type=_seconds, metavar="SECONDS",
                     help="between two looks (default: a tenth, at least 1)")  # fmt: skip
    run.add_argument("--native", action="store_true",
                     help="attach for native stacks, too, before an answer is written")  # fmt: skip
    run.add_argument("command", nargs=argparse.REMAINDER, metavar="CMD", help="after --")
    args = parser.parse_args(arguments)
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        run.error("no command: run SECONDS -- CMD ...")

    def begin(pid: int) -> None:
        told = {
            "pid": pid, "rank": -1, "timeout": args.timeout, "folder": str(args.folder.absolute()),
            "every": args.every or max(1.0, args.timeout / 10), "native": args.native,
        }  # fmt: skip
        watcher = Watcher(told, lambda: [pid])
        threading.Thread(target=watcher.watch, args=(lambda: watched(pid),), daemon=True).start()

    try:
        args.folder.mkdir(parents=True, exist_ok=True)
        # What watches from here need not be watched from within.
        environment = {k: v for k, v in os.environ.items() if k != "LOCKORDER_WATCHDOG"}
        code = run_child(command, environment, _Begun(begin))
    except (OSError, UsageError) as error:
        say([f"lockorder: error: {error}"])
        return 2
    sys.stdout.flush()
    return code if code >= 0 else 128 - code


def watched(pid: int) -> list[int]:
    """Of a tree of processes those that tell whether it moves: its ranks, else all."""
    found = tree(pid)
    ranks = [p for p in found if jobs.is_rank(p)]
    return ranks or found


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if math.isfinite(value := float(text)) and value > 0:
            return value
    raise argparse.ArgumentTypeError(f"{text!r}: a positive number of seconds is needed")
