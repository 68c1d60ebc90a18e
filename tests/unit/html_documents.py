"""Results for the tests of the page: large ones, ranks, footprints, times, hostile names."""

from __future__ import annotations

import random
from typing import NamedTuple

import msgspec

import report_documents as documents
from lockorder.model import (
    Acquisition,
    Confidence,
    Document,
    EdgeWitness,
    Finding,
    Frame,
    HeldLock,
    Level,
    Lock,
    LockStatistics,
    Participant,
    ProcessState,
    ProcessSummary,
    Run,
    Table,
    ThreadState,
    Wait,
)

#: What must never become anything but text.
HOSTILE = (
    "</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!--<script>", "-->",
    "\u202egnp.exe", "\u2066x\u2069", "a\x00b\x1b[31mc\x07", "javascript:alert(1)",
    "'\"`${alert(1)}", "\u2028\u2029", "{{ 7*7 }}{% raw %}", "&lt;b&gt;&amp;",
    "x" * 5000, "\ud800", "שלום", "\n</pre>",
)  # fmt: skip


def large(edges: int = 5000, locks: int = 1500, levels: int = 9) -> Document:
    """A graph with some circles, in a shape that programs have: a few locks are met everywhere.

    *levels*: how many locks a thread can hold at once.
    """
    chance = random.Random(1)
    ids = [f"lock:{n}" for n in range(locks)]
    made = [
        Lock(i, f"comm::Module{n % 40}::Class{n}::mutex_", file=f"src/module{n % 40}.h", line=n + 1)
        for n, i in enumerate(ids)
    ]
    orders: dict[tuple[int, int], None] = {}
    while len(orders) < edges - 12:
        a, b = (int(locks * chance.random() ** power) for power in (2, 0.8))
        if a * levels // locks < b * levels // locks:
            orders[a, b] = None
    back = [(b, a) for a, b in list(orders)[:12]]
    pairs = [*orders, *back]
    witnesses = tuple(_witness(ids[a], ids[b], a, b, chance) for a, b in pairs)
    return Document(
        tool="lockorder 1.2.3",
        locks=tuple(made),
        edges=witnesses,
        findings=tuple(_cycle(ids[b], ids[a], a, b, chance) for b, a in back),
    )


def _chain(lock: int, chance: random.Random) -> tuple[Frame, ...]:
    depth = chance.randrange(3, 9)
    frames = [Frame(f"Class{(lock + d) % 700}::step{d}", f"src/part{(lock + d) % 300}.cpp", 10 + d)
              for d in range(depth)]  # fmt: skip
    return (*frames, Frame(f"Class{lock}::lock", f"src/module{lock % 40}.cpp", lock + 1))


def _witness(held: str, taken: str, a: int, b: int, chance: random.Random) -> EdgeWitness:
    return EdgeWitness(
        Acquisition(held, _chain(a, chance)),
        Acquisition(taken, _chain(b, chance)),
        (HeldLock("lock:0"),) if chance.random() < 0.1 else (),
        f"worker {a % 8}" if chance.random() < 0.5 else None,
    )


def _cycle(first: str, second: str, a: int, b: int, chance: random.Random) -> Finding:
    return Finding(
        rule="lock-order-cycle",
        level=Level.ERROR,
        confidence=Confidence.HIGH,
        reason="every step is resolved",
        message=f"Class{a}::mutex_ and Class{b}::mutex_ are taken in opposite orders",
        fix="take them in one order everywhere",
        locks=(first, second),
        participants=(
            Participant("x", (Acquisition(first, _chain(a, chance)),),
                        Acquisition(second, _chain(b, chance))),
            Participant("y", (Acquisition(second, _chain(b, chance)),),
                        Acquisition(first, _chain(a, chance))),
        ),
        fingerprint=f"{a:032}",
    )  # fmt: skip


def recorded() -> Document:
    """A run with ranks that part, communicators that cost, and tables."""
    ranks = documents.cycle(
        rule="collective-mismatch",
        message="ranks 0-2 and rank 3 disagree on operation 118 of world (ranks 0-3)",
        fix="issue the same collectives in the same order on every rank",
        locks=(),
        participants=(
            Participant("ranks 0-2", (), waits="all_reduce of 1,024 float32 (sum), its 118th",
                        chain=(Frame("train_step", "train.py", 88),)),
            Participant("rank 3", (), waits="broadcast of 16 float32 with root 0, its 118th",
                        chain=(Frame("validate", "train.py", 140),)),
        ),
        table=Table(
            ("operation", "ranks 0-1", "rank 2", "rank 3"),
            (
                ("  117", *["all_reduce of 1,024 float32\n  at train.py:88"] * 3),
                ("> 118", *["all_reduce of 1,024 float32\n  at train.py:88"] * 2,
                 "broadcast of 16 float32 with root 0\n  at train.py:140"),
                ("  119", *["all_gather of 4 int64\n  at train.py:91"] * 2, "-"),
            ),
        ),
    )  # fmt: skip
    cost = documents.cycle(
        rule="communicator-footprint",
        level=Level.WARNING,
        message="4 communicators of 8 ranks made here cost a rank 8.0 GiB of pinned memory",
        fix="share resources (ncclCommSplit with splitShare = 1)",
        locks=(),
        participants=(Participant("rank 2", (), waits="ncclCommInitRank, the making",
                                  chain=(Frame("init_groups", "groups.cpp", 41),)),),
        table=Table(
            ("", "host", "pinned", "shared", "device", "threads", "descriptors"),
            (
                ("making one", "3.0 MiB", "2.0 GiB", "8.0 MiB", "20.0 MiB", "2", "5"),
                ("all of a rank", "16.0 MiB", "8.0 GiB", "32.0 MiB", "480.0 MiB", "8", "20"),
                ("8, projected", "256.0 MiB", "16.0 GiB", "64.0 MiB", "1.5 GiB", "16", "40"),
            ),
        ),
    )  # fmt: skip
    small = documents.small()
    return msgspec.structs.replace(
        small,
        origin="recorded",
        coverage=None,
        problems=(),
        accepted=(),
        findings=(documents.cycle(), ranks, cost),
        run=Run(
            (ProcessSummary(file="trace-rank0-a-1.lot", rank=0, threads=9, locks=2, orders=2),),
            (
                LockStatistics("p", 120_000, 310, 90_000_000, 4_100_000, 51_000_000, 3),
                LockStatistics("q", 88_000, 12, 1_000_000, 900_000, 2_000_000, 2),
            ),
        ),
    )


class Span(NamedTuple):
    """A span, as a timeline has them."""

    process: str
    thread: str
    kind: str
    lock: str
    start_ns: int
    end_ns: int


class Times(NamedTuple):
    """A timeline."""

    spans: tuple[Span, ...]


def times() -> Times:
    """Two threads that meet; the second wait has not ended."""
    ms = 1_000_000
    return Times((
        Span("rank 0", "compute", "hold", "p", 2 * ms, 30 * ms),
        Span("rank 0", "compute", "wait", "q", 12 * ms, 0),
        Span("rank 0", "comm <b>", "hold", "q", 6 * ms, 30 * ms),
        Span("rank 0", "comm <b>", "wait", "p", 17 * ms, 0),
        Span("rank 0", "reader", "hold", "p", 0, 2 * ms),
        Span("rank 0", "elsewhere", "hold", "other", 0, 30 * ms),
    ))  # fmt: skip


def hung() -> Document:
    """Two threads that wait for each other."""
    frames = (Frame("main", "main.cpp", 9), Frame("Pool::grow", "pool.cpp", 4))
    threads = (
        ThreadState("7:7", 7, "main", "waits for Pool::mutex_, which 8 has", frames),
        ThreadState("7:8", 8, "worker", "waits for Queue::mutex_, which 7 has", frames, gil=True),
        ThreadState("7:9", 9, "idle"),
    )
    waits = (Wait(who="7:7", process="7", kind="mutex", lock="p"),)
    process = ProcessState(process="rank 0 (7)", pid=7, rank=0, command="python train.py",
                           threads=threads, waits=waits, tool="pystack")  # fmt: skip
    dead = documents.cycle(rule="deadlock", message="2 threads of rank 0 wait for each other")
    return Document(
        tool="lockorder 1.2.3", origin="hung", headline=dead.message,
        locks=documents.small().locks, findings=(dead,), processes=(process,),
    )  # fmt: skip


def hostile() -> Document:
    """Every text of a result is one of ``HOSTILE``."""
    found = []
    locks = []
    for n, text in enumerate(HOSTILE):
        frame = Frame(text, text, n)
        locks += [Lock(f"a{n}", text, file=text, line=n), Lock(f"b{n}", f"{text}{n}")]
        sides = (
            Participant(text, (Acquisition(f"a{n}", (frame,)),), Acquisition(f"b{n}", (frame,)),
                        waits=text, also=2, others=(text,)),
            Participant(text, (Acquisition(f"b{n}", (frame,)),), Acquisition(f"a{n}", (frame,))),
        )  # fmt: skip
        found.append(
            documents.cycle(
                rule=text if n % 2 else "lock-order-cycle",
                message=text,
                fix=text,
                reason=text,
                locks=(f"a{n}", f"b{n}"),
                participants=sides,
                fingerprint=text,
                table=Table((text, text), ((text, text),)),
            )
        )
    thread = ThreadState(HOSTILE[0], 1, HOSTILE[1], HOSTILE[0], (Frame(HOSTILE[0], HOSTILE[1]),))
    return Document(
        tool=HOSTILE[0],
        locks=tuple(locks),
        findings=tuple(found),
        edges=tuple(
            EdgeWitness(p.held[0], p.taken, (HeldLock("a0"),), text, 1, text)
            for f, text in zip(found, HOSTILE, strict=True)
            for p in f.participants
            if p.taken is not None
        ),
        problems=HOSTILE,
        notes=HOSTILE,
        processes=(
            ProcessState(process=HOSTILE[0], pid=1, command=HOSTILE[1], threads=(thread,),
                         notes=HOSTILE),
        ),
    )  # fmt: skip
