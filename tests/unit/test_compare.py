"""A static result and runs, joined by lock identity."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.compare import compare
from lockorder.compare.join import Sources, normal
from lockorder.model import (
    Acquisition,
    Confidence,
    Coverage,
    Document,
    EdgeWitness,
    FileCoverage,
    Finding,
    Frame,
    HeldLock,
    Instance,
    LeftOut,
    Level,
    Lock,
    LockKind,
    LockSites,
    Participant,
    Verdict,
)

#: Where the sources take their locks, one a line of pool.cpp.
LINES = {"Pool::mutex_": 10, "Log::mutex_": 20, "g_table": 30, "Group::mutex_": 40}
KINDS = {"Python GIL": LockKind.GIL}
BUILD = "/build/tree/src/pool.cpp"


def site(lock: str, line: int | None = None) -> Frame:
    return Frame(f"use{LINES[lock]}", "src/pool.cpp", line or LINES[lock], 3)


def declared(lock: str) -> Lock:
    return Lock(lock, lock, KINDS.get(lock, LockKind.MUTEX))


def taken(lock: str) -> Acquisition:
    return Acquisition(lock, (site(lock),))


def finding(*locks: str) -> Finding:
    sides = zip(locks, (*locks[1:], locks[0]), strict=True)
    return Finding(
        rule="lock-order-cycle", level=Level.ERROR, confidence=Confidence.MEDIUM, reason="guessed",
        message="m", fix="f", locks=locks, fingerprint="1",
        participants=tuple(Participant(f"in{a}", (taken(a),), taken(b)) for a, b in sides),
    )  # fmt: skip


def static(*pairs: tuple[str, str], left_out: tuple[LeftOut, ...] = ()) -> Document:
    """Sources that show these orders, and a cycle where two of them are opposite."""
    opposite = [finding(a, b) for a, b in pairs if (b, a) in pairs and a < b]
    return Document(
        locks=tuple(declared(n) for n in LINES),
        edges=tuple(EdgeWitness(taken(a), taken(b)) for a, b in pairs),
        sites=tuple(LockSites(declared(n), (site(n),)) for n in LINES),
        left_out=left_out,
        findings=tuple(opposite),
        coverage=Coverage((FileCoverage("src/pool.cpp"),)),
    )


def live(name: str, *frames: Frame) -> Acquisition:
    """A recorded acquisition of a class that is called after where it is first taken."""
    return Acquisition(f"mutex first taken in {name}", frames, instance=Instance("0x1", True))


def at(lock: str, line: int | None = None) -> Acquisition:
    here = Frame(f"use{LINES[lock]}", BUILD, line or LINES[lock])
    return live(lock, Frame("main", "/build/tree/src/main.cpp", 3), here)


def run(*witnesses: EdgeWitness, findings: tuple[Finding, ...] = ()) -> Document:
    names = {a.lock for w in witnesses for a in (w.held, w.taken)}
    return Document(
        origin="recorded",
        locks=tuple(Lock(n, n) for n in sorted(names)),
        edges=witnesses,
        findings=findings,
    )


def order(a: str, b: str, thread: str = "7:1 t", gates: tuple[HeldLock, ...] = ()) -> EdgeWitness:
    return EdgeWitness(at(a), at(b), gates, thread)


A, B, C = "Pool::mutex_", "Log::mutex_", "g_table"


def verdicts(document: Document) -> list[tuple[str, str, Verdict]]:
    assert document.comparison is not None
    return [(o.held, o.taken, o.verdict) for o in document.comparison.orders]


# -- orders ---------------------------------------------------------------------------------------


def test_predicted_left_out_and_missed() -> None:
    known = static((A, B), left_out=(LeftOut(A, C, "only at the start"),))
    found = compare(known, [("run", run(order(A, B), order(A, C), order(B, C)))])
    assert verdicts(found) == [
        (B, C, Verdict.MISSED), (A, C, Verdict.LEFT_OUT), (A, B, Verdict.PREDICTED),
    ]  # fmt: skip
    assert found.comparison is not None
    assert found.comparison.recall == pytest.approx(2 / 3)
    assert found.origin == "compared"


def test_predicted_orders_that_never_ran() -> None:
    found = compare(static((A, B), (B, C)), [("run", run(order(A, B)))])
    assert found.comparison is not None
    assert found.comparison.never_ran == ((B, C),)


def test_several_runs_add_up() -> None:
    found = compare(static((A, B), (B, C)), [("1", run(order(A, B))), ("2", run(order(B, C)))])
    assert found.comparison is not None
    assert found.comparison.never_ran == ()
    assert found.comparison.runs == ("1", "2")


def test_code_that_was_not_analysed_is_no_blind_spot() -> None:
    foreign = live("lib", Frame("lib::flush", "/usr/src/lib/flush.cpp", 9))
    nameless = live("libfoo.so+0x10", Frame("libfoo.so+0x10"))
    witnesses = [EdgeWitness(at(A), other, thread="7:1") for other in (foreign, nameless)]
    found = compare(static((A, B)), [("run", run(*witnesses))])
    assert verdicts(found) == []
    assert found.comparison is not None
    assert found.comparison.outside == 2
    assert found.comparison.recall == 1.0
    assert [u.why for u in found.comparison.unjoined] == [
        "lib::flush (flush.cpp) was not analysed",
        "libfoo.so+0x10 was not analysed, or has no debug information",
    ]


def test_an_acquisition_in_the_sources_that_the_analysis_does_not_see() -> None:
    unseen = live("unseen", Frame("other", BUILD, 77))
    found = compare(static((A, B)), [("run", run(EdgeWitness(at(A), unseen, thread="7:1")))])
    assert verdicts(found) == [(A, "", Verdict.MISSED)]
    assert found.comparison is not None
    assert "sees no lock taken at src/pool.cpp:77" in found.comparison.orders[0].why


# -- identity -------------------------------------------------------------------------------------


def joined(
    recorded: Acquisition, name: str | None = None, kind: LockKind = LockKind.MUTEX
) -> set[str]:
    lock = Lock(recorded.lock, name or recorded.lock, kind)
    return set(Sources(static((A, B))).join(recorded, lock).locks)


def test_by_line() -> None:
    assert joined(at(A)) == {A}


def test_by_a_line_near_it_in_the_same_function() -> None:
    assert joined(at(A, LINES[A] + 2)) == {A}
    assert joined(at(A, LINES[A] + 5)) == set()
    assert joined(live("x", Frame("another", BUILD, LINES[A] + 1))) == set()


def test_by_name() -> None:
    nowhere = live("g_table", Frame("?"))
    assert joined(nowhere, "g_table") == {C}
    assert joined(nowhere, "(anonymous namespace)::g_table") == {C}
    assert joined(nowhere, "g_table+0x10") == set()


def test_by_function_where_it_takes_one_lock() -> None:
    assert joined(live("x", Frame("use10"))) == {A}
    assert joined(live("x", Frame("Pool::use(int)::{lambda()#1}::operator()"))) == set()


def test_through_wrappers_of_locks() -> None:
    wrapper = Frame("util::SpinMutex::lock", "/build/tree/util/spin.h", 12)
    guard = Frame("util::Guard<util::SpinMutex>::Guard", "/build/tree/util/spin.h", 20)
    here = Frame("use10", BUILD, LINES[A])
    assert joined(live("x", here, guard, wrapper)) == {A}
    other = Frame("util::Table::find", "/build/tree/util/table.h", 12)
    assert joined(live("x", here, other)) == set()


def test_files_by_the_end_of_their_paths() -> None:
    sources = Sources(
        Document(
            sites=(LockSites(declared(A), (Frame("f", "a/x/pool.cpp", 1),)),
                   LockSites(declared(B), (Frame("g", "b/x/pool.cpp", 1),))),
            coverage=Coverage((FileCoverage("a/x/pool.cpp"), FileCoverage("b/x/pool.cpp"))),
        )
    )  # fmt: skip
    assert sources.file("/home/u/a/x/pool.cpp") == "a/x/pool.cpp"
    assert sources.file("/home/u/b/x/pool.cpp") == "b/x/pool.cpp"
    assert sources.file("/home/u/c/x/pool.cpp") is None  # either
    assert sources.file("/usr/include/pool.cpp") is None
    assert sources.file("pool.h") is None


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("std::map<int, int>::operator[](int const&)", "std::map::operator[]"),
        ("ns::(anonymous namespace)::g_mutex", "ns::g_mutex"),
        ("f(int)::mutex", "f::mutex"),
        ("A<int (*)(char)>::g()::m", "A::g::m"),
        ("A::operator()(int) const", "A::operator()"),
        ("x::operator<<(std::ostream&)", "x::operator<<"),
        ("f[abi:cxx11]()", "f"),
    ],
)
def test_names_as_both_sides_spell_them(spelled: str, name: str) -> None:
    assert normal(spelled) == name


@given(st.text(alphabet="ab:<>()*&-=[] ,~0", max_size=40))
def test_any_name_has_a_normal_form(name: str) -> None:
    assert len(normal(name)) <= len(name)


# -- findings -------------------------------------------------------------------------------------


def said(*witnesses: EdgeWitness, findings: tuple[Finding, ...] = ()) -> Finding:
    found = compare(static((A, B), (B, A)), [("run", run(*witnesses, findings=findings))])
    return found.findings[0]


def test_confirmed_by_both_sides() -> None:
    found = said(order(A, B), order(B, A, "7:2 u"))
    assert found.run.startswith("confirmed by a run")
    assert found.confidence is Confidence.HIGH
    lives = [p.live.thread for p in found.participants if p.live is not None]
    assert sorted(t or "" for t in lives) == ["7:1 t", "7:2 u"]


def test_one_side_never_ran() -> None:
    found = said(order(A, B))
    assert found.run in {f"seen in part: in{x} did not run in this order" for x in (A, B)}
    assert found.confidence is Confidence.MEDIUM
    assert sum(p.live is not None for p in found.participants) == 1


def test_no_side_was_seen() -> None:
    assert said(order(A, C)).run == "no side was seen in a run"


@pytest.mark.parametrize(
    "second",
    [
        order(B, A),
        order(B, A, "8:2 other process"),
        order(B, A, "7:2 u", (HeldLock("G", instance=Instance("0x9", True)),)),
    ],
    ids=["one thread", "two processes", "a gate lock"],
)
def test_sides_that_cannot_meet(second: EdgeWitness) -> None:
    gates = second.gates
    found = said(order(A, B, gates=gates), second)
    assert found.run.startswith("all sides were seen, by one thread")
    assert found.confidence is Confidence.MEDIUM


def test_what_was_confirmed_comes_first() -> None:
    both = static((A, B), (B, A), (B, C), (C, B))
    found = compare(both, [("run", run(order(B, C), order(C, B, "7:2 u")))])
    assert [bool(f.run.startswith("confirmed")) for f in found.findings] == [True, False]


LOCKS = st.sampled_from([A, B, C])


@given(st.lists(st.tuples(LOCKS, LOCKS)), st.lists(st.tuples(LOCKS, LOCKS)))
def test_recall_is_what_was_predicted_of_what_ran(
    predicted: list[tuple[str, str]], ran: list[tuple[str, str]]
) -> None:
    found = compare(static(*predicted), [("run", run(*(order(a, b) for a, b in ran)))])
    assert found.comparison is not None
    live_pairs = set(ran)
    expected = len(live_pairs & set(predicted)) / len(live_pairs) if live_pairs else 1.0
    assert found.comparison.recall == pytest.approx(expected)
    assert set(found.comparison.never_ran) == set(predicted) - live_pairs
