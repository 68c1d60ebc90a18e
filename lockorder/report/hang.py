"""A hung job for people: one sentence to act on, then the evidence, then what each thread is at."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.text import Text

from lockorder.model import Document, Finding, Frame, Level, ProcessState, ThreadState
from lockorder.report.text import printable

#: Threads of a process and frames of a stack that are shown; a machine's formats have all.
THREADS, FRAMES = 12, 6
#: Rules whose findings say most of a hung job, in order.
FIRST = ("stuck-rank", "deadlock", "self-deadlock", "collective-mismatch")


def headline(findings: Sequence[Finding], processes: Sequence[ProcessState]) -> str:
    """The one sentence: what the worst finding says, else what the processes are at."""
    serious = [f for f in findings if f.level is not Level.NOTE]
    if serious:
        return ordered(serious)[0].message
    if not processes:
        return "no deadlock is to be seen in what was recorded"
    said = []
    for process in processes[:4]:
        said.append(f"{process.process} {at(process)}")
    more = f", and {len(processes) - 4} more" if len(processes) > 4 else ""
    return f"not a deadlock, as far as can be seen: {'; '.join(said)}{more}"


def at(process: ProcessState) -> str:
    """What a process is at, by its first thread, and by any other that works."""
    if not process.threads:
        return "shows no thread"
    thread = min(process.threads, key=lambda t: (t.tid != process.pid, t.tid))
    working = [t for t in process.threads if t.doing == "runs"]
    if thread.doing == "runs":
        return f"is computing{_inside(thread)}"
    if working:
        return f"is computing in thread {working[0].tid}{_inside(working[0])}"
    return f"{thread.doing or 'waits'}{_inside(thread)}"


def _inside(thread: ThreadState) -> str:
    frame = next((f for f in reversed(thread.chain) if f.file), None)
    if frame is None:
        frame = thread.chain[-1] if thread.chain else None
    return f" (in {_place(frame)})" if frame is not None else ""


def _place(frame: Frame) -> str:
    where = f", {frame.file.rsplit('/', 1)[-1]}:{frame.line}" if frame.file else ""
    return f"{frame.function}{where}"


def ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What holds up most first: the ranks that others wait for, then circles, then the rest."""
    levels = list(Level)
    return tuple(
        sorted(
            findings,
            key=lambda f: (
                levels.index(f.level),
                FIRST.index(f.rule) if f.rule in FIRST else len(FIRST),
            ),
        )
    )


def write_headline(document: Document, console: Console) -> None:
    """Print the one sentence."""
    _print(console, document.headline, "bold")
    console.print()


def write(document: Document, console: Console) -> None:
    """Print the threads of each process, those that wait for something first."""
    for process in document.processes:
        _print(console, f"{process.process}: {process.command}"[:200], "bold")
        waiting = {w.who for w in process.waits if w.owners or w.kind in ("ranks", "gil")}
        threads = sorted(process.threads, key=lambda t: (t.who not in waiting, t.tid))
        for thread in threads[:THREADS]:
            gil = ", has the GIL" if thread.gil else ""
            _print(
                console,
                f"  thread {thread.tid} {thread.name}: {thread.doing or 'not known'}{gil}",
            )
            for frame in thread.chain[-FRAMES:]:
                _print(console, f"      {_place(frame)}", "dim")
        if len(threads) > THREADS:
            _print(console, f"  and {len(threads) - THREADS} more threads (--format json has all)")
        console.print()


def _print(console: Console, text: str, style: str = "") -> None:
    console.print(Text(printable(text), style), soft_wrap=True)
