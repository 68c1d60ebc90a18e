"""Results that the tests of all formats render."""

from __future__ import annotations

from pathlib import Path

import msgspec
from hypothesis import strategies as st

from lockorder.model import (
    DECLARED,
    Accepted,
    Acquisition,
    Confidence,
    Coverage,
    Document,
    FileCoverage,
    Finding,
    Frame,
    How,
    Level,
    Lock,
    Mode,
    Participant,
    ProcessState,
    Table,
    ThreadState,
)
from lockorder.rules import Origin, Rule

POOL = """\
// A pool: Größe in Blöcken.
void Pool::grow() {
    std::lock_guard<std::mutex> hold(mutex_);
    /* größer */ queue_.push(this);  // ``queue_``
}
"""
QUEUE = """\
void Queue::push(Pool *pool) {
    std::lock_guard<std::mutex> hold(mutex_);
}
void Queue::drain() {
    std::shared_lock<std::shared_mutex> hold(mutex_);
    pool_->grow();  // [x](y) | <b>
}
"""
PAGE = """Two threads take locks in two orders.

## What it does
Finds std::lock_guard<std::mutex> and `lock_guard<T>`
in two orders.

## Example
    lock_guard<mutex> a(x);
"""
RULES = (
    Rule(
        "lock-order-cycle",
        Level.ERROR,
        (Origin.SOURCES,),
        "Two threads take locks in two orders",
        PAGE,
        iter,
    ),
    Rule("stuck-rank", Level.ERROR, (Origin.HANGS,), "A rank is stuck", "A rank is stuck.", iter),
)


def sources(root: Path) -> Path:
    """A repository below *root*, with the project in a folder of it; returns that folder."""
    project = root / "repository" / "src dir"
    project.mkdir(parents=True)
    (root / "repository" / ".git").mkdir()
    (project / "pool.cpp").write_text(POOL, "utf-8")
    (project / "queue.cpp").write_text(QUEUE, "utf-8")
    return project


def cycle(**changed: object) -> Finding:
    """Two threads, with chains, modes and what else shows the order."""
    grow = Frame("Pool::grow", "pool.cpp", 3, 33)
    call = Frame("Pool::grow", "pool.cpp", 4, 20)  # bytes: behind an ö and a ß
    push = Frame("Queue::push", "queue.cpp", 2, 33)
    drain = Frame("Queue::drain", "queue.cpp", 5, 5)
    back = Frame("Queue::drain", "queue.cpp", 6, 5)
    made = Finding(
        rule="lock-order-cycle",
        level=Level.ERROR,
        confidence=Confidence.HIGH,
        reason="every step is resolved",
        message="Pool::mutex_ and Queue::mutex_ are taken in opposite orders",
        fix="take Pool::mutex_ first",
        locks=("p", "q"),
        participants=(
            Participant(
                "Pool::grow",
                (Acquisition("p", (grow,)),),
                Acquisition("q", (call, push)),
                also=3,
                others=("Pool::shrink",),
            ),
            Participant(
                "Queue::drain",
                (Acquisition("q", (drain,), Mode.SHARED),),
                Acquisition("p", (back, grow), how=How.TIMED),
            ),
        ),
        fingerprint="0123456789abcdef0123456789abcdef",
    )
    return msgspec.structs.replace(made, **changed)


def small() -> Document:
    """A static result with something of everything."""
    declared = cycle(
        level=Level.WARNING,
        confidence=Confidence.MEDIUM,
        message="Queue::mutex_ is held where Pool::mutex_ has to come first",
        fingerprint="declared",
        participants=(
            Participant(
                DECLARED,
                (Acquisition("p", ()),),
                Acquisition("q", (Frame("", "pool.cpp", 1), Frame("", "/etc/orders", 7))),
            ),
            cycle().participants[1],
        ),
    )
    ranks = Finding(
        rule="stuck-rank",
        level=Level.NOTE,
        confidence=Confidence.LOW,
        reason="seen in one dump",
        message="rank 1 never came to all_reduce 7",
        fix="look at rank 1",
        locks=(),
        participants=(
            Participant(
                "rank 1",
                (),
                waits="the launch of `all_reduce`",
                chain=(Frame("start_thread"), Frame("main", "train.py", 12), Frame("libnccl+0x7")),
            ),
        ),
        fingerprint="stuck",
        table=Table(("rank", "does"), (("0", "all_reduce\n7"), ("1", "<nothing> | *yet*"))),
    )
    coverage = Coverage(
        (FileCoverage("pool.cpp", 4, 4, 0, 1, 1), FileCoverage("queue.cpp", 9, 8, 1, 3, 2, 1,
         ("cuda.h", "nccl.h"), 1)), 4, 9, 7)  # fmt: skip
    return Document(
        tool="lockorder 1.2.3",
        locks=(
            Lock("p", "Pool::mutex_", file="pool.h", line=7),
            Lock("q", "Queue::mutex_", file="queue.h", line=9),
        ),
        findings=(ranks, declared, cycle()),
        accepted=(
            Accepted(finding=cycle(), by="comment", place="pool.cpp:3", reason="start-up only"),
            Accepted(finding=cycle(), by="baseline", place="baseline.json"),
            Accepted(finding=cycle(), by="baseline", place="baseline.json"),
        ),
        coverage=coverage,
        problems=("gone.cpp: no such file",),
        notes=("trainer: not on this machine",),
    )


def hung() -> Document:
    """A hung job without a finding."""
    thread = ThreadState("7:7 main", 7, "main", "waits for a file", (Frame("read", "io.c", 3),))
    return Document(
        tool="lockorder 1.2.3",
        origin="hung",
        headline="no lock cycle found: 7 waits for a file",
        processes=(ProcessState(process="7", pid=7, command="cat <x>", threads=(thread,)),),
    )


# -- anything ------------------------------------------------------------------------------------

#: Pieces that mean something to a terminal, to Markdown, to HTML, to a runner, to SARIF.
NASTY = (
    "`", "``", "```", "~~~", "*", "_", "**bold**", "[x](http://a.b)", "![i](u)", "<b>", "<script>",
    "</details>", "<!--", "-->", "&amp;", "&#42;", "|", "\\", "\\|", "\n", "\r", "\r\n", "\t", "%",
    "%0A", "::error::", "::", ",", ":", "\x1b[31m", "\x07", "\u202e", "\u2066", "\u2028", "\0",
    "{0}", "[a](1)", "- ", "# ", "1. ", "> ", "\n\n", "www.a.b", "http://a.b", "@you", "$x$", "ä",
    "\U0001f600", "    ", "../", "/", "?", "a#b", " ", "---", "===", "##[error]",
)  # fmt: skip
texts = st.lists(st.sampled_from(NASTY) | st.text(max_size=4), max_size=5).map("".join)
_frames = st.builds(Frame, texts, texts, st.integers(0, 9), st.integers(0, 70))
_chains = st.lists(_frames, max_size=3).map(tuple)
_taken = st.builds(
    Acquisition, st.sampled_from("ABC"), _chains, st.sampled_from(Mode), st.sampled_from(How)
)
_participants = st.builds(
    Participant,
    texts | st.just(DECLARED),
    st.lists(_taken, min_size=1, max_size=2).map(tuple),
    st.none() | _taken,
    texts,
    st.integers(0, 4),
    st.lists(texts, max_size=2).map(tuple),
    _chains,
)
_tables = st.builds(
    Table,
    st.tuples(texts, texts),
    st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
)
_alone = st.builds(
    Finding,
    rule=st.sampled_from(("lock-order-cycle", "other")) | texts.filter(bool),
    level=st.sampled_from(Level),
    confidence=st.sampled_from(Confidence),
    reason=texts,
    message=texts,
    fix=texts,
    locks=st.lists(st.sampled_from("ABC"), max_size=3).map(tuple),
    participants=st.lists(_participants, max_size=3).map(tuple),
    fingerprint=st.sampled_from(("f", "g")),
    table=st.none() | _tables,
)
_findings = st.builds(
    lambda finding, folded: msgspec.structs.replace(finding, folded=tuple(folded)),
    _alone,
    st.lists(_alone, max_size=2),
)
documents = st.builds(
    Document,
    tool=texts,
    locks=st.tuples(*(st.builds(Lock, st.just(i), texts, file=texts, line=st.integers(0, 9))
                      for i in "ABC")),
    findings=st.lists(_findings, max_size=3).map(tuple),
    accepted=st.lists(
        st.builds(Accepted, finding=_findings, by=texts, place=texts), max_size=1
    ).map(tuple),
    coverage=st.none() | st.builds(
        Coverage, st.lists(st.builds(FileCoverage, texts, headers_missing=st.tuples(texts)),
                           max_size=1).map(tuple)),
    problems=st.lists(texts, max_size=2).map(tuple),
    notes=st.lists(texts, max_size=2).map(tuple),
    headline=texts,
)  # fmt: skip
