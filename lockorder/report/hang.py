"""A hung job for people: one sentence to act on, then the evidence, then what each thread is at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from lockorder.model import Confidence, Document, Finding, Frame, Level, ProcessState, ThreadState
from lockorder.report.text import printable
from lockorder.rules import job_words as words
from lockorder.waitgraph import WaitGraph

#: Threads of a process and frames of a stack that are shown; a machine's formats have all.
THREADS, FRAMES = 12, 6
_ADDRESS = re.compile(r"0x[0-9a-f]+")
#: Threads that are named as being at the same, and characters of a function's name.
_LIKE, _LONG = 4, 100
#: Rules whose findings say most of a hung job, in order.
FIRST = (
    "collective-mismatch", "communicator-order-cycle", "stuck-rank", "deadlock", "self-deadlock",
    "stuck-process",
)  # fmt: skip


def headline(
    findings: Sequence[Finding], processes: Sequence[ProcessState], problems: Sequence[str] = ()
) -> str:
    """The one sentence: what the worst finding says, else what moved while it was looked at."""
    serious = [f for f in findings if f.level is not Level.NOTE]
    if serious:
        return ordered(serious)[0].message
    if problems:
        return f"not everything that was asked for could be looked at: {problems[0]}"
    graph = WaitGraph(processes)
    mains = [m for p in processes if (m := graph.main(p)) is not None]
    moving = [m for m in mains if m.thread.goes_on and m.process.role != "worker"]
    notes = [f for f in findings if f.rule in ("stuck-rank", "stuck-process")]
    if moving and not any(f.rule == "stuck-rank" for f in notes):
        said = words.together(moving, len(mains) > 1)
        return f"the job moves: {said}"
    if notes:
        message = ordered(notes)[0].message
        # Who waits for the GIL wakes up again and again, and does nothing.
        woken = any(
            n.thread.moved and not (n.wait is not None and n.wait.kind == "gil")
            for n in graph.nodes.values()
            if n.thread.kind == "loop" or not graph.is_idle(n)
        )
        slow = "the job is slow" if ordered(notes)[0].rule == "stuck-rank" else "the job moves"
        return f"{slow}: {message}" if woken else message
    live = any(p.source == "live" for p in processes)
    others = [n for n in graph.nodes.values() if n.thread.goes_on]
    if others:
        return f"the job moves: {words.together(others, len(processes) > 1)}"
    if not processes:
        return "no deadlock is to be seen in what was recorded"
    said = words.together(mains, len(mains) > 1)
    if live:
        return f"no lock cycle found: {said}"
    return f"no lock cycle found at that moment: {said}"


def _place(frame: Frame) -> str:
    where = f", {frame.file.rsplit('/', 1)[-1]}:{frame.line}" if frame.file else ""
    function = frame.function
    if len(function) > _LONG:  # templates
        function = f"{function[: _LONG - 3]}..."
    return f"{function}{where}"


def ordered(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """What says most of the cause first.

    Of a rank that is known to be stuck it says more than what that rank did not issue.
    """
    levels = list(Level)
    return tuple(
        sorted(
            findings,
            key=lambda f: (
                levels.index(f.level),
                f.rule != "stuck-rank" or f.confidence is not Confidence.HIGH,
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
        alike = _alike(threads)
        for thread, others in alike[:THREADS]:
            gil = ", has the GIL" if thread.gil else ""
            name = f"{thread.tid} {thread.name}".rstrip()
            _print(console, f"  thread {name}: {_doing(thread, process)}{gil}{others}")
            for frame in thread.chain[-FRAMES:]:
                _print(console, f"      {_place(frame)}", "dim")
        if len(alike) > THREADS:
            _print(console, f"  and {len(alike) - THREADS} more threads (--format json has all)")
        console.print()
    if document.headline:
        for hint in hints(document):
            _print(console, f"more: {hint}", "dim")


def _doing(thread: ThreadState, process: ProcessState) -> str:
    if thread.doing:
        return thread.doing
    return "waits and goes on by turns" if process.source == "live" else "not known"


def _alike(threads: Sequence[ThreadState]) -> list[tuple[ThreadState, str]]:
    """One of all that are at the same, as the workers of a pool are, and which others are."""
    found: dict[tuple[object, ...], list[ThreadState]] = {}
    for thread in threads:
        doing = _ADDRESS.sub("", thread.doing)
        place = tuple((f.function, f.line) for f in thread.chain)
        # Without a stack nothing says that two are alike.
        key = (doing, thread.gil, place) if place else (thread.tid,)
        found.setdefault(key, []).append(thread)
    told = []
    for first, *others in found.values():
        ids = ", ".join(str(other.tid) for other in others[:_LIKE])
        more = f" and {len(others) - _LIKE} more" if len(others) > _LIKE else ""
        told.append((first, f"; the same: {ids}{more}" if others else ""))
    return told


def hints(document: Document) -> Iterator[str]:
    """What would tell more than is known here."""
    held = [h for f in document.findings if f.rule in FIRST for p in f.participants for h in p.held]
    if held and not all(h.chain for h in held):
        yield (
            "where the locks were taken is not in the process: start it with "
            "`lockorder run -- CMD`, and that is told, too"
        )
    bare = [p.process for p in document.processes if p.threads and not p.tool]
    if bare:
        yield (
            f"without stacks for {bare[0]}"
            + (f" and {len(bare) - 1} more" if len(bare) > 1 else "")
            + ": install elfutils (eu-stack) or gdb, with the right to trace (ptrace: "
            "the same user, root, or a container's --cap-add=SYS_PTRACE)"
        )
    nameless = [
        p.process
        for p in document.processes
        if p.tool and any(not any(f.file for f in w.chain) for w in p.waits if w.owners or w.gone)
    ]
    if nameless:
        yield f"{nameless[0]} has no debug information (-g): with it, files and lines are told"
    if document.findings and any(p.source == "live" for p in document.processes):
        yield (
            "to keep it for later: --snapshot FILE, or a core: gcore PID (one that the kernel "
            "writes needs `ulimit -c unlimited` before the start)"
        )


def _print(console: Console, text: str, style: str = "") -> None:
    console.print(Text(printable(text), style), soft_wrap=True)
