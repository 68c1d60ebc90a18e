"""The written form: it comes back as it was, byte for byte the same, and nothing else is read."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphs import edge, ex, gate, graph_of, here, random_witnesses, rd, rel
from lockorder.model import (
    FORMAT_VERSION,
    Acquisition,
    Certainty,
    Confidence,
    Coverage,
    Document,
    DocumentError,
    EdgeWitness,
    FileCoverage,
    Finding,
    Frame,
    HeldLock,
    How,
    Instance,
    Level,
    Lock,
    LockKind,
    Mode,
    Participant,
    decode,
    encode,
    fingerprint,
)

GOLDEN = Path(__file__).parents[1] / "golden" / f"document-v{FORMAT_VERSION}.json"


# Whole documents.

_text = st.text(max_size=6)
_count = st.integers(0, 2**40)
_ids = st.sampled_from("ABCDE")
_modes = st.sampled_from(list(Mode))
_frames = st.builds(Frame, _text, _text, _count, _count)
_instances = st.none() | st.builds(Instance, _text, st.booleans(), _text)
_taken = st.builds(
    Acquisition,
    _ids,
    st.lists(_frames, max_size=3).map(tuple),
    _modes,
    st.sampled_from(list(How)),
    _instances,
)
_held = st.builds(HeldLock, _ids, _modes, _instances)
_edges = st.builds(
    EdgeWitness,
    _taken,
    _taken,
    st.lists(_held, max_size=2).map(tuple),
    st.none() | _text,
    st.sampled_from(Certainty),
    _text,
)
_participants = st.builds(
    Participant,
    _text,
    st.lists(_taken, max_size=2).map(tuple),
    st.none() | _taken,
    _text,
    _count,
    st.lists(_text, max_size=2).map(tuple),
)
_findings = st.builds(
    Finding,
    rule=_text,
    level=st.sampled_from(list(Level)),
    confidence=st.sampled_from(list(Confidence)),
    reason=_text,
    message=_text,
    fix=_text,
    locks=st.lists(_ids, max_size=3).map(tuple),
    participants=st.lists(_participants, max_size=2).map(tuple),
    fingerprint=_text,
)
_files = st.builds(
    FileCoverage,
    _text,
    *[_count] * 6,
    headers_missing=st.lists(_text, max_size=2).map(tuple),
    errors=_count,
)
_coverage = st.builds(
    Coverage,
    st.lists(_files, max_size=2).map(tuple),
    *[_count] * 3,
    st.lists(_text, max_size=2).map(tuple),
)
_locks = st.tuples(
    *(st.builds(Lock, st.just(i), _text, st.sampled_from(list(LockKind)), _text, _count)
      for i in "ABCDE")
)  # fmt: skip
_documents = st.builds(
    Document,
    tool=_text,
    origin=_text,
    locks=_locks,
    writers=st.lists(_ids, unique=True).map(lambda ids: tuple(sorted(ids))),
    edges=st.lists(_edges, max_size=4, unique=True).map(tuple),
    findings=st.lists(_findings, max_size=2).map(tuple),
    coverage=st.none() | _coverage,
    problems=st.lists(_text, max_size=2).map(tuple),
)
_thorough = settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
)


def small_document() -> Document:
    """Two locks in two orders, with every kind of field in use."""
    locks = ("Pool::mutex", "Queue::mutex")
    push = EdgeWitness(
        held=Acquisition(
            locks[0], (Frame("main", "main.cpp", 3), Frame("Pool::grow", "pool.cpp", 10, 5))
        ),
        taken=Acquisition(
            locks[1],
            (Frame("Pool::grow", "pool.cpp", 10, 5), Frame("Queue::push", "queue.cpp", 20, 7)),
            instance=Instance("queue", slot="Pool::queue"),
        ),
        thread="main",
    )
    drain = EdgeWitness(
        held=Acquisition(locks[1], (Frame("Queue::drain", "queue.cpp", 30),), Mode.SHARED),
        taken=Acquisition(
            locks[0],
            (Frame("Queue::drain", "queue.cpp", 31),),
            how=How.TIMED,
            instance=Instance("::pool", absolute=True),
        ),
        gates=(HeldLock("::config", Mode.SHARED, Instance("::config", absolute=True)),),
        certainty=Certainty.POSSIBLE,
        why="one of 2 overrides of Sink::drain",
    )
    finding = Finding(
        rule="lock-order-cycle",
        level=Level.NOTE,
        confidence=Confidence.MEDIUM,
        reason="a time limit breaks it",
        message="Pool::mutex and Queue::mutex are taken in two orders",
        fix="take Pool::mutex first",
        locks=locks,
        participants=(
            Participant("main", (push.held,), push.taken, also=2, others=("Pool::shrink",)),
            Participant("Queue::drain", (drain.held,), drain.taken, waits="up to 5 s"),
        ),
        fingerprint=fingerprint("lock-order-cycle", locks, ("Queue::push", "Queue::drain")),
    )
    return Document(
        tool="lockorder 0",
        origin="recorded",
        locks=(
            Lock(locks[0], locks[0], LockKind.RECURSIVE, "pool.h", 7),
            Lock(locks[1], locks[1], LockKind.SHARED, "queue.h", 9),
        ),
        writers=(locks[1],),
        edges=(push, drain),
        findings=(finding,),
        coverage=Coverage(
            (FileCoverage("queue.cpp", 9, 8, 1, 3, 2, 1, ("cuda.h",), 1),), 4, 9, 7, ("bad.cpp",)
        ),
        problems=("bad.cpp: not found", "a name in Gr\u00fcn"),
    )


@_thorough
@given(_documents)
def test_a_document_comes_back_as_it_was(document: Document) -> None:
    written = encode(document)
    read = decode(written)
    assert read == document
    assert encode(read) == written


@_thorough
@given(_documents)
def test_a_graph_comes_back_as_it_was(document: Document) -> None:
    graph = document.graph()
    graph.check_invariants()
    read = decode(encode(Document.from_graph(graph))).graph()
    assert read.locks == graph.locks == {lock.id: lock for lock in document.locks}
    assert read.writers == graph.writers >= set(document.writers)
    assert list(read.edges()) == list(graph.edges())
    for pair in graph.edges():
        assert read.witnesses(*pair) == graph.witnesses(*pair)


def test_what_is_left_out_is_the_default() -> None:
    assert encode(Document()) == b'{\n "format": "lockorder-result",\n "version": 1\n}\n'
    assert decode(encode(Document())) == Document()


# The bytes.


def test_the_written_form_is_the_golden_one() -> None:
    assert encode(small_document()) == GOLDEN.read_bytes(), (
        f"What encode() writes is no longer {GOLDEN.name}.  Files written before must stay "
        "readable: if a reader of the old form would misread the new one, raise FORMAT_VERSION "
        "and add a golden file of that number; if only new optional fields came, write the file "
        "anew with encode(small_document()) and name the change in CHANGELOG.md."
    )


def test_the_golden_file_is_read() -> None:
    assert decode(GOLDEN.read_bytes()) == small_document(), (
        f"{GOLDEN.name} is a result that a released lockorder could have written.  It must be "
        "read as before, or be refused: raise FORMAT_VERSION."
    )


_WRITE = """
import random, sys
from graphs import graph_of, random_witnesses
from lockorder.model import Document, encode
graph = graph_of(random_witnesses(random.Random(3)), ["F", "E", "D", "C"])
sys.stdout.buffer.write(encode(Document.from_graph(graph)))
"""


def test_the_bytes_do_not_depend_on_the_hash_seed() -> None:
    written = set()
    for seed in ("0", "1", "2"):
        path = os.pathsep.join(sys.path)
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path}
        command = [sys.executable, "-c", _WRITE]
        written.add(subprocess.run(command, env=environment, check=True, stdout=-1).stdout)
    assert len(written) == 1
    graph = graph_of(random_witnesses(random.Random(3)), ["F", "E", "D", "C"])
    assert written == {encode(Document.from_graph(graph))}
    assert len(graph) > 0
    assert len(graph.writers) > 3


def test_locks_writers_and_edges_are_sorted() -> None:
    document = Document.from_graph(graph_of([edge("C", "B"), edge("A", "C"), edge("A", "B")], "CA"))
    assert [lock.id for lock in document.locks] == ["A", "B", "C"]
    assert document.writers == ("A", "B", "C")
    pairs = [(w.held.lock, w.taken.lock) for w in document.edges]
    assert pairs == [("A", "B"), ("A", "C"), ("C", "B")]


def test_from_graph_takes_the_other_fields() -> None:
    document = Document.from_graph(graph_of([edge("A", "B")]), tool="t", problems=("p",))
    assert (document.tool, document.problems, document.origin) == ("t", ("p",), "static")


# What is refused.

NESTED = b'{"format":"lockorder-result","version":1,"new":' + b"[" * 100_000


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        pytest.param(b"", "not a lockorder result", id="empty"),
        pytest.param(b"lockorder", "not a lockorder result", id="text"),
        pytest.param(b"\x7fELF\x02\x01\x01\x00", "not a lockorder result", id="a program"),
        pytest.param(b"\xff\xfe{\x00}\x00", "not a lockorder result", id="UTF-16"),
        pytest.param(b"[]", "not a lockorder result", id="a list"),
        pytest.param(b"null", "not a lockorder result", id="null"),
        pytest.param(b"{}", "no format field", id="another object"),
        pytest.param(b'{"version":1}', "no format field", id="no format"),
        pytest.param(b'{"format":"sarif","version":1}', "no format field", id="another format"),
        pytest.param(b'{"format":1,"version":1}', "not a lockorder result", id="a number"),
        pytest.param(b'{"format":"lockorder-result"}', "version 0", id="no version"),
        pytest.param(
            b'{"format":"lockorder-result","version":"1"}',
            "not a lockorder result",
            id="version text",
        ),
        pytest.param(
            b'{"format":"lockorder-result","version":1}{}', "not a lockorder result", id="two"
        ),
        pytest.param(
            b'{"format":"lockorder-result","version":1,"tool":"\xff"}',
            "lockorder result",
            id="Latin 1",
        ),
        pytest.param(NESTED, "lockorder result", id="nested without end"),
    ],
)
def test_what_is_no_result_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(DocumentError, match=reason):
        decode(data)


@pytest.mark.parametrize("version", [FORMAT_VERSION + 1, FORMAT_VERSION + 40, 0, -1])
def test_another_version_is_refused_and_both_are_named(version: int) -> None:
    written = encode(msgspec.structs.replace(small_document(), version=version))
    with pytest.raises(DocumentError, match=rf"version {version}, .* reads {FORMAT_VERSION}\b"):
        decode(written)


def test_a_newer_version_is_refused_before_its_fields_are_looked_at() -> None:
    with pytest.raises(DocumentError, match="result version 2"):
        decode(b'{"format":"lockorder-result","version":2,"locks":"elsewhere"}')


def test_a_truncated_result_is_refused() -> None:
    whole = GOLDEN.read_bytes().rstrip()
    for length in range(len(whole)):
        with pytest.raises(DocumentError):
            decode(whole[:length])


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ('"locks":{}', r"\$\.locks"),
        ('"locks":[{"id":"A"}]', "name"),
        ('"locks":[{"id":1,"name":"A"}]', r"\$\.locks\[0\]\.id"),
        ('"locks":[{"id":"A","name":"A","kind":"door"}]', "door"),
        ('"locks":[{"id":"A","name":"A","line":"7"}]', r"\$\.locks\[0\]\.line"),
        ('"writers":"A"', r"\$\.writers"),
        ('"writers":[null]', r"\$\.writers"),
        ('"edges":[{"held":{"lock":"A","chain":[]}}]', "taken"),
        (
            '"edges":[{"held":{"lock":"A","chain":[]},"taken":{"lock":"B","chain":[]},'
            '"certainty":4}]',
            r"\$\.edges\[0\]\.certainty",
        ),
        ('"findings":[{"rule":"lock-order-cycle"}]', "level"),
        ('"coverage":[]', r"\$\.coverage"),
        ('"problems":[1]', r"\$\.problems"),
    ],
)
def test_a_field_of_the_wrong_type_is_refused_and_named(fields: str, where: str) -> None:
    data = f'{{"format":"lockorder-result","version":1,{fields}}}'.encode()
    with pytest.raises(DocumentError, match="damaged lockorder result") as caught:
        decode(data)
    caught.match(where)


def test_a_damaged_byte_is_refused_or_read_and_nothing_else() -> None:
    whole = GOLDEN.read_bytes()
    rng = random.Random("bytes")
    outcomes = {"read": 0, "refused": 0}
    for _ in range(2_000):
        at = rng.randrange(len(whole))
        damaged = whole[:at] + bytes([rng.randrange(256)]) + whole[at + 1 :]
        try:
            decode(damaged)
            outcomes["read"] += 1
        except DocumentError:
            outcomes["refused"] += 1
    assert min(outcomes.values()) > 100, outcomes


@pytest.mark.parametrize("pair", [("A", "lost"), ("lost", "A")])
def test_an_edge_with_an_unknown_lock_is_refused(pair: tuple[str, str]) -> None:
    document = Document(locks=(Lock("A", "A"),), edges=(edge(*pair),))
    with pytest.raises(DocumentError, match="an edge names an unknown lock 'lost'"):
        decode(encode(document)).graph()


# Fingerprints are part of the written form: baselines are keyed by them.


def test_fingerprints_stay_what_they_are() -> None:
    name = fingerprint("lock-order-cycle", ["A", "B"], ["f", "g"])
    assert name == "6b27cb175758ad5dfb0e2e8cdd9df484"


def test_fingerprints_differ_in_rule_locks_and_functions() -> None:
    names = [
        fingerprint(*parts)
        for parts in (
            ("r", ["A", "B"], ["f"]),
            ("s", ["A", "B"], ["f"]),
            ("r", ["B", "A"], ["f"]),
            ("r", ["A"], ["B", "f"]),
            ("r", ["A", "B", "f"], []),
            ("r", ["AB"], ["f"]),
            ("r", ["A", "B"], ["g"]),
        )
    ]
    assert len(set(names)) == len(names)
    assert all(len(name) == 32 and int(name, 16) >= 0 for name in names)


# Small parts with a meaning of their own.


def test_locks_held_starts_with_the_edge_s_own() -> None:
    w = edge(rd("A", rel("this")), ex("B"), gate("G", here("g")))
    assert w.locks_held == (HeldLock("A", Mode.SHARED, rel("this")), gate("G", here("g")))


@pytest.mark.parametrize(
    ("one", "other", "possible"),
    [
        (rel("this"), None, True),
        (rel("this"), rel("other"), True),
        (here("a"), here("a"), True),
        (here("a"), here("b"), False),
        (here("a"), rel("this"), True),
        (rel("this", "S"), rel("this", "T"), False),
        (rel("this", "S"), rel("that", "S"), True),
        (rel("this", "S"), rel("this"), True),
        (here("a", "S"), rel("this", "T"), False),
    ],
)
def test_which_instances_can_be_one_object(
    one: Instance, other: Instance | None, possible: bool
) -> None:
    assert one.may_be(other) is possible
    assert other is None or other.may_be(one) is possible


def test_coverage_shares() -> None:
    files = (
        FileCoverage("a", calls=8, calls_seen=6, headers_missing=("z.h", "b.h")),
        FileCoverage("b", calls=2, calls_seen=2, locks=4, locks_seen=1, headers_missing=("b.h",)),
    )
    coverage = Coverage(files)
    assert coverage.calls_share == 0.8
    assert coverage.locks_share == 0.25
    assert coverage.headers_missing == ("b.h", "z.h")
    assert Coverage().calls_share == Coverage().locks_share == 1.0
