"""Folding loses nothing, hides nothing severer, and does not depend on the order of findings."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from lockorder.commands.common import exit_code
from lockorder.folding import fold, unfold
from lockorder.model import (
    DECLARED,
    Acquisition,
    Confidence,
    Document,
    Finding,
    Frame,
    Level,
    Participant,
    decode,
    encode,
)

LOCKS, LINES = "ABC", range(1, 7)


def at(line: int) -> Frame:
    return Frame(f"f{line}", "a.cpp", line, 1)


def side(held: str, there: int, taken: str, *ways: int) -> Participant:
    """Who holds *held* since line *there* and takes *taken* at the last of *ways*."""
    return Participant(
        f"f{there}", (Acquisition(held, (at(there),)),), Acquisition(taken, tuple(map(at, ways)))
    )


def finding(rule: str, *sides: Participant, **changed: object) -> Finding:
    made = Finding(
        rule=rule,
        level=Level.ERROR,
        confidence=Confidence.HIGH,
        reason="r",
        message="m",
        fix="f",
        locks=tuple(p.held[0].lock for p in sides),
        participants=sides,
        fingerprint="0",
    )
    return msgspec.structs.replace(made, **changed)


def cycle(*sides: Participant, **changed: object) -> Finding:
    return finding("lock-order-cycle", *sides, **changed)


def again(*sides: Participant, **changed: object) -> Finding:
    return finding("self-deadlock", *sides, **changed)


def shape(findings: Iterable[Finding]) -> list[tuple[str, list[str]]]:
    return [(f.message, [x.message for x in f.folded]) for f in findings]


SIDES = st.builds(
    side,
    st.sampled_from(LOCKS),
    st.sampled_from(LINES),
    st.sampled_from(LOCKS),
    st.sampled_from(LINES),
    st.sampled_from(LINES),
)
BLOCKED = st.builds(
    lambda p: Participant(p.who, p.held, waits="join", chain=p.taken.chain if p.taken else ()),
    SIDES,
)
FINDINGS = st.lists(
    st.builds(
        lambda rule, sides, level, sure, number: finding(
            rule, *sides, level=level, confidence=sure, fingerprint=str(number)
        ),
        st.sampled_from(
            (
                "lock-order-cycle",
                "gil-lock-cycle",
                "self-deadlock",
                "blocking-under-lock",
                "lock-not-released",
                "device-sync-hazard",
                "a-rule-that-nobody-knows",
            )
        ),
        st.lists(SIDES | BLOCKED, max_size=3),
        st.sampled_from(Level),
        st.sampled_from(Confidence),
        st.integers(0, 9),
    ),
    max_size=12,
)


def content(findings: Iterable[Finding]) -> Counter[bytes]:
    return Counter(msgspec.json.encode(f) for f in findings)


# For any findings.


@given(FINDINGS)
def test_nothing_is_lost_and_nothing_is_made_up(findings: list[Finding]) -> None:
    told = fold(findings)
    assert content(unfold(told)) == content(findings)
    assert all(not x.folded for f in told for x in f.folded), "nothing is folded twice"


@given(FINDINGS)
def test_what_is_folded_is_neither_severer_nor_surer(findings: list[Finding]) -> None:
    levels, sure = list(Level), list(Confidence)
    for told in fold(findings):
        for other in told.folded:
            best, rest = levels.index(told.level), levels.index(other.level)
            assert best <= rest
            assert best < rest or sure.index(told.confidence) <= sure.index(other.confidence)


@given(FINDINGS)
def test_the_exit_code_is_that_of_all(findings: list[Finding]) -> None:
    everything = Document(findings=tuple(findings))
    told = Document(findings=fold(findings))
    assert exit_code(told, False, False) == exit_code(everything, False, False)


@given(FINDINGS, st.randoms(use_true_random=False))
def test_the_order_of_findings_does_not_matter(findings: list[Finding], rng: random.Random) -> None:
    shuffled = list(findings)
    rng.shuffle(shuffled)
    assert content(fold(shuffled)) == content(fold(findings))


@given(FINDINGS)
def test_what_is_told_keeps_its_order(findings: list[Finding]) -> None:
    left = iter(msgspec.json.encode(f) for f in findings)
    for told in fold(findings):
        alone = msgspec.structs.replace(told, folded=())
        assert msgspec.json.encode(alone) in left


@given(FINDINGS)
def test_folding_again_changes_nothing(findings: list[Finding]) -> None:
    told = fold(findings)
    assert fold(told) == told
    assert fold(unfold(told)) == told


@given(FINDINGS)
def test_without_the_one_that_is_told_the_next_one_is(findings: list[Finding]) -> None:
    """Whoever accepts what is told is told of the rest, until nothing is left."""
    left = list(findings)
    seen: list[Finding] = []
    while left:
        told = fold(left)
        assert told
        seen += [msgspec.structs.replace(f, folded=()) for f in told]
        left = [x for f in told for x in f.folded]
    assert content(seen) == content(findings)


@given(FINDINGS)
def test_accepting_one_brings_up_the_best_of_those_below_it(findings: list[Finding]) -> None:
    for told in fold(findings):
        if told.folded:
            rest = list(unfold(fold(findings)))
            rest.remove(msgspec.structs.replace(told, folded=()))
            now = {msgspec.json.encode(msgspec.structs.replace(f, folded=())) for f in fold(rest)}
            under = {msgspec.json.encode(x) for x in told.folded}
            above = {msgspec.json.encode(x) for f in fold(rest) if f.folded for x in f.folded}
            assert under <= now | above


@given(FINDINGS)
def test_a_result_that_was_written_folds_alike(findings: list[Finding]) -> None:
    told = Document(findings=fold(findings))
    assert decode(encode(told)).findings == told.findings
    assert fold(decode(encode(told)).findings) == told.findings


# What has one cause, and what has not.


def test_a_common_side_is_one_cause() -> None:
    shared = side("A", 1, "B", 2)
    short = cycle(shared, side("B", 3, "A", 4), message="short")
    long = cycle(shared, side("B", 5, "C", 6), side("C", 5, "A", 6), message="long")
    assert shape(fold([long, short])) == [("short", ["long"])]


def test_the_same_locks_elsewhere_are_another_cause() -> None:
    one = cycle(side("A", 1, "B", 2), side("B", 3, "A", 4), message="one")
    other = cycle(side("A", 5, "B", 2), side("B", 3, "A", 6), message="other")
    assert shape(fold([one, other])) == [("one", []), ("other", [])]


def test_more_locks_alone_are_no_common_cause() -> None:
    two = cycle(side("A", 1, "B", 2), side("B", 3, "A", 4), message="two")
    more = cycle(side("A", 1, "C", 2), side("C", 1, "B", 2), side("B", 5, "A", 6), message="more")
    assert shape(fold([two, more])) == [("two", []), ("more", [])]


def test_two_objects_of_a_class_that_locks_itself_elsewhere() -> None:
    itself = again(side("A", 1, "A", 2), message="itself")
    ring = cycle(side("A", 3, "A", 4), side("A", 3, "A", 4), message="ring")
    assert shape(fold([itself, ring])) == [("itself", []), ("ring", [])]


def test_two_objects_and_one_at_the_same_places() -> None:
    itself = again(side("A", 1, "A", 2), message="itself")
    ring = cycle(side("A", 1, "A", 2), side("A", 3, "A", 4), message="ring")
    assert shape(fold([itself, ring])) == [("itself", ["ring"])]


def test_one_place_by_every_caller_is_one_cause() -> None:
    callers = [again(side("A", n, "A", n, 6), message=f"{n}") for n in (1, 2, 3)]
    assert shape(fold(callers)) == [("1", ["2", "3"])]


def test_one_step_to_many_places_is_one_cause() -> None:
    steps = [again(side("A", 1, "A", 2, n), message=f"{n}") for n in (3, 4, 5)]
    assert shape(fold(steps)) == [("3", ["4", "5"])]


def test_two_steps_to_two_places_are_two() -> None:
    steps = [again(side("A", 1, "A", n, n + 1), message=f"{n}") for n in (2, 4)]
    assert shape(fold(steps)) == [("2", []), ("4", [])]


def test_a_function_that_takes_any_lock_is_no_place() -> None:
    """Both ways end in one ``Mutex::lock``: its callers are the places."""

    def locked(*lines: int) -> Participant:
        first, *rest = lines
        held = Acquisition("A", (at(first), at(6)))
        return Participant("f", (held,), Acquisition("A", (*map(at, rest), at(6))))

    two = [again(locked(1, 2), message="one"), again(locked(3, 4), message="other")]
    assert shape(fold(two)) == [("one", []), ("other", [])]


def test_declarations_are_no_cause() -> None:
    declared = Participant(DECLARED, (Acquisition("A", (at(1),)),), Acquisition("B", (at(1),)))
    two = [
        cycle(declared, side("B", n, "A", n + 1), message=f"{n}", locks=("B", "A")) for n in (2, 4)
    ]
    assert shape(fold(two)) == [("2", []), ("4", [])]


def test_the_surest_is_told_though_it_is_longer() -> None:
    shared = side("A", 1, "B", 2)
    guess = cycle(shared, side("B", 3, "A", 4), message="guess", confidence=Confidence.MEDIUM)
    sure = cycle(shared, side("B", 5, "C", 6), side("C", 5, "A", 6), message="sure")
    assert shape(fold([guess, sure])) == [("sure", ["guess"])]


def test_a_circle_of_calls_is_one_cause_with_what_it_takes() -> None:
    low = {"confidence": Confidence.LOW, "level": Level.WARNING}
    first = again(side("A", 1, "A", 1, 2, 3, 4, 1), message="first", **low)
    second = again(side("B", 3, "B", 3, 5, 6, 4, 3), message="second", **low)
    inside = cycle(side("A", 1, "B", 2, 6), side("B", 3, "A", 4, 2), message="inside", **low)
    apart = cycle(side("A", 1, "C", 7), side("C", 8, "A", 2), message="apart", **low)
    sure = cycle(side("A", 1, "B", 2, 6), side("B", 3, "A", 4, 2), message="sure")
    assert shape(fold([first, second, inside, apart])) == [
        ("first", ["second", "inside"]),
        ("apart", []),
    ]
    assert shape(fold([first, second, sure])) == [("first", ["second"]), ("sure", [])]


def waiting(held: str, *ways: int) -> Finding:
    """Who holds *held* since the first of *ways* is at a wait at the last of them."""
    waits = Participant(
        f"f{ways[0]}",
        (Acquisition(held, (at(ways[0]),)),),
        waits="join",
        chain=tuple(map(at, ways)),
    )
    return finding("blocking-under-lock", waits, message=held, fingerprint=held)


def test_one_wait_deep_below_several_locks_is_told_once() -> None:
    deep = [waiting("A", 1, 4, 5, 6), waiting("B", 2, 4, 5, 6), waiting("C", 3, 5, 6)]
    assert shape(fold(deep)) == [("C", ["A", "B"])]


def test_a_wait_that_the_holder_sees_is_its_own() -> None:
    near = [waiting("A", 1, 6), waiting("B", 2, 6), waiting("C", 3, 4, 6)]
    assert [told for told, _ in shape(fold(near))] == ["A", "B", "C"]


def test_one_wait_that_was_recorded_is_told_once_whatever_was_held() -> None:
    """A thread waits under all of its locks at once; functions of sources may hold one each."""

    def recorded(lock: str, who: str, *ways: int) -> Finding:
        held = (Acquisition(lock, (at(3), at(4))),)
        side = Participant(who, held, waits="join", chain=tuple(map(at, ways)))
        return finding("blocking-under-lock", side, message=lock, fingerprint=lock)

    thread = [recorded("A", "thread 1", 3, 4), recorded("B", "thread 1", 3, 4)]
    assert shape(fold(thread)) == [("A", ["B"])]
    other_way = [recorded("A", "thread 1", 3, 4), recorded("B", "thread 1", 5, 4)]
    assert len(fold(other_way)) == 2
    sources = [recorded("A", "f3", 3, 4), recorded("B", "f3", 3, 4)]
    assert len(fold(sources)) == 2


def calling(waits: str, line: int, *functions: str) -> Finding:
    """A wait in calls of *functions*, each of which the one before calls in its own *line* + 1."""
    chain = tuple(Frame(name, "a.cpp", line + at, 1) for at, name in enumerate(functions))
    held = (Acquisition("A", (at(1),)),)
    side = Participant("work", held, waits=f"{waits}, for other ranks", chain=chain)
    return finding("blocking-under-lock", side, message=waits, fingerprint=waits)


def test_how_a_call_that_waits_comes_to_wait_is_no_other_wait() -> None:
    call = calling("Work::wait", 1, "step")
    body = calling("recv", 1, "step", "Ring::Work::wait", "receive")
    assert shape(fold([body, call])) == [("Work::wait", ["recv"])]


def test_what_a_call_that_waits_is_given_is_another_one() -> None:
    call = calling("wait", 1, "step")
    given = calling("recv", 1, "step", "step::(lambda)")
    elsewhere = calling("send", 7, "step", "Ring::wait")
    assert len(fold([call, given, elsewhere])) == 3
