"""One child process: signals are passed on to it, and it is looked at while it runs."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from types import FrameType
from typing import Protocol

_PASSED_ON = (
    signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGUSR1, signal.SIGUSR2,
    signal.SIGTSTP, signal.SIGCONT,
)  # fmt: skip
#: What a terminal sends to its whole foreground group, the child included (termios(3), ISIG).
_FROM_TERMINAL = (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP)
#: si_code of a signal that another process sent is not positive (sigaction(2)).
_SI_USER = 0


class Onlooker(Protocol):
    """Who is told of the job while it runs."""

    @property
    def every(self) -> float:
        """Seconds between two looks."""

    def look(self, pid: int) -> None:
        """One look; *pid* is the job's first process."""

    def pause(self) -> None:
        """The job and its onlooker are about to be stopped (Ctrl-Z), or go on after that."""


def run_child(
    argv: Sequence[str],
    environment: Mapping[str, str],
    onlooker: Onlooker | None,
    *,
    without_stdin: bool = False,
) -> int:
    """Start *argv* and wait for its end; *without_stdin*: it has /dev/null there.

    Returns:
        Its exit code, or -N when signal N killed it.

    Raises:
        OSError: it cannot be started.
    """
    stdin = subprocess.DEVNULL if without_stdin else None
    if threading.current_thread() is not threading.main_thread():  # signals are not ours
        return subprocess.Popen(argv, env=environment, stdin=stdin).wait()
    early: list[int] = []
    with _noted(early):  # from before the start: nobody shall end us alone
        child = subprocess.Popen(argv, env=environment, stdin=stdin)
        with _blocked() as signals:
            for number in early:
                child.send_signal(number)
            return _wait(child, signals, onlooker)


def _wait(
    child: subprocess.Popen[bytes], signals: frozenset[signal.Signals], onlooker: Onlooker | None
) -> int:
    due = time.monotonic() + (onlooker.every if onlooker is not None else 0.0)
    while True:
        code = child.poll()
        if code is not None:
            return code
        patience = max(0.0, due - time.monotonic()) if onlooker is not None else 3600.0
        info = signal.sigtimedwait(signals, patience)
        if info is not None and info.si_signo != signal.SIGCHLD:
            _pass_on(child, info, onlooker)
        if onlooker is not None and time.monotonic() >= due:
            onlooker.look(child.pid)
            due = time.monotonic() + onlooker.every


def _pass_on(
    child: subprocess.Popen[bytes], info: signal.struct_siginfo, onlooker: Onlooker | None
) -> None:
    """Give the child what it has not had: Ctrl-C reaches it by itself, which decides what becomes
    of it."""
    number = signal.Signals(info.si_signo)
    if number not in _FROM_TERMINAL or info.si_code <= _SI_USER:
        child.send_signal(number)
    # A shell that had the terminal meanwhile may have changed it (SIGSTOP comes unannounced).
    if onlooker is not None and number in (signal.SIGTSTP, signal.SIGCONT):
        onlooker.pause()
    if number == signal.SIGTSTP:
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGTSTP])  # stops here
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTSTP])


@contextlib.contextmanager
def _noted(early: list[int]) -> Iterator[None]:
    """Signals that arrive before they are blocked end up in *early*.

    A handler, and not yet the mask, since a child inherits the mask and begins without handlers
    (execve(2)). What is ignored stays so: nohup(1) means it. The stop signal keeps its meaning.
    """

    def note(number: int, frame: FrameType | None) -> None:
        early.append(number)

    before = {}
    for number in _PASSED_ON:
        if number not in (signal.SIGTSTP, signal.SIGCONT) and (
            signal.getsignal(number) is not signal.SIG_IGN
        ):
            before[number] = signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextlib.contextmanager
def _blocked() -> Iterator[frozenset[signal.Signals]]:
    """The signals that are waited for instead of handled: only so one learns who sent them."""
    wanted = frozenset(
        s for s in (*_PASSED_ON, signal.SIGCHLD) if signal.getsignal(s) is not signal.SIG_IGN
    )
    before = signal.pthread_sigmask(signal.SIG_BLOCK, wanted)
    try:
        yield wanted
    finally:
        # The Ctrl-C that ended the child is not meant for the report that follows.
        over = wanted & {*_FROM_TERMINAL, signal.SIGCHLD, signal.SIGCONT}
        while signal.sigtimedwait(over, 0) is not None:
            pass
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
