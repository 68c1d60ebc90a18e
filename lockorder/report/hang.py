"""A hung job for people: one sentence to act on, then the evidence, then what each thread is at."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from lockorder.model import Document, Finding, Frame, Level, ProcessState, ThreadState
from lockorder.report.text import printable

#: Threads of a process and frames of a stack that are shown; a machine's formats have all.
THREADS, FRAMES = 12, 6
_ADDRESS = re.compile(r"0x[0-9a-f]+")
#: Threads that are named as being at the same, and characters of a function's name.
_LIKE, _LONG = 4, 100
#: Rules whose findings say most of a hung job, in order.
FIRST = ("stuck-rank", "deadlock", "self-deadlock", "collective-mismatch")


def headline(findings: Sequence[Finding], processes: Sequence[ProcessState]) -> str:
    """The one sentence: what the worst finding says, else what the processes are at."""
    serious = [f for f in findings if f.level is not Level.NOTE]
    if serious:
        return ordered(serious)[0].message
    slow = next((f for f in findings if f.rule == "stuck-rank"), None)
    if slow is not None:
        return slow.message
    if not processes:
        return "no deadlock is to be seen in what was recorded"
    said = []
    for process in processes[:4]:
        said.append(f"{process.process} {at(process)}")
    more = f", and {len(processes) - 4} more" if len(processes) > 4 else ""
    return f"not a deadlock, as far as can be seen: {'; '.join(said)}{more}"


def at(process: ProcessState) -> str:
    """What a process is at: by whom others wait for, else its first thread, or any that works."""
    if not process.threads:
        return "shows no thread"
    thread = min(process.threads, key=lambda t: (t.tid != process.pid, t.tid))
    if all(t.doing.startswith("is stopped") for t in process.threads):
        return thread.doing
    working = [t for t in process.threads if t.doing == "runs"]
    holder = _holder(process)
    if holder is not None and thread.doing != "runs":
        return holder
    if thread.doing == "runs":
        return f"is computing{_inside(thread)}"
    if working:
        return f"is computing in thread {working[0].tid}{_inside(working[0])}"
    return f"{thread.doing or 'waits'}{_inside(thread)}"


def _holder(process: ProcessState) -> str | None:
    """The thread for whose lock most others wait, directly or not; None: nobody waits so."""
    waits = {w.who: w for w in process.waits if w.owners and not w.timed}
    ends: Counter[str] = Counter()
    for wait in waits.values():
        seen, who = {wait.who}, wait.owners[0].who
        while who in waits and who not in seen:
            seen.add(who)
            who = waits[who].owners[0].who
        ends[who] += 1
    by_name = {t.who: t for t in process.threads}
    for who, count in ends.most_common():
        holder = by_name.get(who)
        if holder is None or who in waits:
            continue
        last = next((w for w in waits.values() if w.owners[0].who == who), None)
        if last is None or last.kind == "join":
            continue
        they = "1 thread waits" if count == 1 else f"{count} threads wait"
        doing = {"runs": "is computing"}.get(holder.doing, holder.doing or "waits")
        lock = f"{last.lock}, which" if last.lock else "what"
        waits_too = doing.startswith("waits")
        what = "has a holder that waits itself" if waits_too else "has a slow holder"
        return f"{what}: {they} for {lock} thread {holder.tid} has, and that one " + (
            f"{doing}{_inside(holder)}"
        )
    return None


def _inside(thread: ThreadState) -> str:
    # Files of the C library, and of the interpreter, have no full path.
    own = [f for f in thread.chain if f.file.startswith("/") or f.file.endswith(".py")]
    frame = own[-1] if own else next((f for f in reversed(thread.chain) if f.file), None)
    if frame is None:
        frame = thread.chain[-1] if thread.chain else None
    return f" (in {_place(frame)})" if frame is not None else ""


def _place(frame: Frame) -> str:
    where = f", {frame.file.rsplit('/', 1)[-1]}:{frame.line}" if frame.file else ""
    function = frame.function
    if len(function) > _LONG:  # templates
        function = f"{function[: _LONG - 3]}..."
    return f"{function}{where}"


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
