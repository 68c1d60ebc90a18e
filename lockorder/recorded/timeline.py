"""Timelines of recorded processes, in the model's terms: whole, or what a result has room for.

What a result keeps is chosen before anything is looked up, since names cost most.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from lockorder import __version__
from lockorder.model import Arrow, Document, Frame, Lock, Span, SpanKind
from lockorder.recorded import standing
from lockorder.recorded.merge import renamed
from lockorder.recorded.moments import Link, Moment, moments
from lockorder.recorded.names import final
from lockorder.recorded.parts import Part, together
from lockorder.recorded.process import MODES, Process
from lockorder.recorded.symbolize import Names, Symbolizer
from runtime_probe.errors import TraceError
from runtime_probe.symbols import Symbols
from runtime_probe.trace import read_trace

#: What a result keeps of a process: spans, innermost frames of each place.
MAX_SPANS, MAX_FRAMES = 64, 4
#: Nanoseconds that a time may lie from the begin of its process: two years.  What is further away
#: is damage, and would make a picture of nothing else.
_FAR = 1 << 56
#: Kinds that tell of a problem come before those that a program has thousands of.
_WEIGHT = {
    SpanKind.WAIT: 0, SpanKind.MISUSE: 0, SpanKind.HOLD: 1, SpanKind.BLOCK: 1, SpanKind.THREAD: 2,
    SpanKind.ORDER: 3, SpanKind.COLLECTIVE: 3, SpanKind.CALL: 3,
}  # fmt: skip


def part(process: Process, concerned: frozenset[str] | None = None) -> Part:
    """What *process* did; with *concerned*, classes of locks, only what a result keeps of it."""
    header = process.trace.header
    found = moments(process)
    base = header.start_real_ns - header.start_monotonic_ns
    known = [m for m in found.moments if _believable(m, header.start_monotonic_ns, base)]
    missing = dict(found.missing)
    if len(known) < len(found.moments):
        missing["spans with times that cannot be"] = len(found.moments) - len(known)
    kept = known if concerned is None else _chosen(process, known, concerned)
    writer = _Writer(process, base, None if concerned is None else MAX_FRAMES)
    return Part(
        header.host,
        [writer.span(m) for m in kept],
        [writer.arrow(link) for link in found.links if abs(link.since) < _FAR],
        concerned is not None and has_trouble(process, concerned),
        len(known) - len(kept),
        missing,
    )


def has_trouble(process: Process, concerned: frozenset[str]) -> bool:
    """Whether findings speak of the process, or one of its threads waits for a lock at the end."""
    waiting = (t.waits_for and not t.end_ns for t in process.trace.threads.values())
    return bool(concerned) or any(waiting)


def _believable(moment: Moment, start: int, base: int) -> bool:
    ends = (moment.start, moment.end or moment.start)
    return all(abs(t - start) < _FAR and t + base > 0 for t in ends)


def _chosen(
    process: Process, known: Sequence[Moment], concerned: frozenset[str]
) -> Sequence[Moment]:
    """What tells most: what goes on at the end, then the locks that findings speak of, then by
    kind; the newest first."""
    if len(known) <= MAX_SPANS:
        return known

    def weight(moment: Moment) -> tuple[int, int, int]:
        locks = (moment.lock, *moment.held)
        about = any(process.classes.get(lock) in concerned for lock in locks)
        waits = moment.going and moment.kind is not SpanKind.THREAD
        return (0 if waits else 1 if about else 2, _WEIGHT[moment.kind], -moment.start)

    best = set(sorted(range(len(known)), key=lambda at: weight(known[at]))[:MAX_SPANS])
    return [moment for at, moment in enumerate(known) if at in best]


class _Writer:
    """Moments of one process in words."""

    def __init__(self, process: Process, base: int, frames: int | None) -> None:
        self.process, self.base, self.frames = process, base, frames
        self.label = standing.process_name(process)
        self.taken: dict[tuple[int, int, int], tuple[Frame, ...]] = {}

    def span(self, moment: Moment) -> Span:
        process, header = self.process, self.process.trace.header
        thread = process.trace.threads.get(moment.thread)
        chain = self._chain(moment)
        if self.frames is not None:
            chain = chain[-self.frames :]
        return Span(
            process=self.label,
            rank=header.rank,
            pid=header.pid,
            thread=process.thread(moment.thread),
            tid=thread.tid if thread is not None else 0,
            kind=moment.kind,
            lock=process.classes[moment.lock] if moment.lock else "",
            instance=process.instance(moment.lock).owner if moment.lock else "",
            name=moment.name,
            mode=MODES[moment.mode],
            start_ns=moment.start + self.base,
            end_ns=moment.end + self.base if moment.end else 0,
            held=tuple(process.classes[lock] for lock in moment.held),
            chain=chain,
            detail=moment.detail,
            times=moment.times,
            approximate=moment.approximate,
        )

    def _chain(self, moment: Moment) -> tuple[Frame, ...]:
        process = self.process
        if process.trace.stack(moment.stack):
            return process.chain(moment.stack)
        if moment.kind in (SpanKind.WAIT, SpanKind.HOLD):
            key = (moment.thread, moment.lock, moment.pc)
            if key not in self.taken:  # it looks at every order
                self.taken[key] = standing.taken(process, *key)
            return self.taken[key]
        return process.places.chain((moment.pc,)) if moment.pc else ()

    def arrow(self, link: Link) -> Arrow:
        process = self.process
        threads = process.trace.threads
        return Arrow(
            process=self.label,
            from_thread=process.thread(link.holder),
            from_tid=threads[link.holder].tid,
            from_ns=link.held_from + self.base,
            to_thread=process.thread(link.waiter),
            to_tid=threads[link.waiter].tid,
            to_ns=link.since + self.base,
            lock=process.classes[link.lock] if link.lock else "",
            instance=process.instance(link.lock).owner if link.lock else "",
        )


def read_whole(paths: Iterable[Path], symbols: Names | None = None) -> Document:
    """A result that has all of the timeline of *paths*, the locks in it, and no findings.

    Files that cannot be believed are its problems.
    """
    known = symbols or Symbols()
    symbolizer = Symbolizer(known)
    parts: list[Part] = []
    locks: dict[str, Lock] = {}
    problems: list[str] = []
    for path in paths:
        try:
            trace = read_trace(path)
        except TraceError as error:
            problems.append(str(error))
            continue
        if trace.damage:
            problems.append(f"{path}: {trace.damage}; what could be read of it counts")
        process = Process(trace, symbolizer)
        parts.append(part(process))
        for name, lock in process.declared.items():
            locks.setdefault(name, lock)
    names, renamed_locks = final(locks.values())
    return Document(
        tool=f"lockorder {__version__}",
        origin="recorded",
        locks=tuple(sorted(renamed_locks, key=lambda lock: lock.id)),
        problems=tuple(problems),
        notes=tuple(sorted(known.problems)),
        timeline=renamed(together(parts, len(parts)), names),
    )
