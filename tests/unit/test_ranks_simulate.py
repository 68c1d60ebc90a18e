"""Rows of operations played against each other: who meets whom, and who waits for ever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.ranks.conditions import ask
from lockorder.ranks.effects import Op
from lockorder.ranks.flatten import Row
from lockorder.ranks.simulate import ANY, NOBODY, Outcome, Play, play
from lockorder.ranks.values import LOCAL, RANK, Comm, Const, Tup, Unknown, Value

JOB = Comm("the whole job", (0, 1))
JOB3 = Comm("the whole job", (0, 1, 2))
PAIR = Comm("pair", (0, 1))


def meet(name: str = "barrier", comm: Value | None = JOB, request: int = 0, **agreed: Value) -> Op:
    return Op(
        kind="collective",
        name=name,
        chain=(),
        comm=comm,
        agreed=tuple(agreed.items()),
        request=request,
    )


def message(kind_: Any, peer: int | str, tag: int | str, comm: Value, more: dict[str, Any]) -> Op:
    return Op(kind=kind_, name=kind_, chain=(), comm=comm, peer=Const(peer), tag=Const(tag), **more)


def send(peer: int | str, tag: int | str = 0, comm: Value = JOB, **more: Any) -> Op:
    return message("send", peer, tag, comm, more)


def recv(peer: int | str, tag: int | str = 0, comm: Value = JOB, **more: Any) -> Op:
    return message("recv", peer, tag, comm, more)


def probe(peer: int | str, tag: int | str = 0) -> Op:
    return Op(kind="probe", name="probe", chain=(), comm=JOB, peer=Const(peer), tag=Const(tag))


def wait(*numbers: int) -> Op:
    return Op(kind="wait", name="wait", chain=(), waits=numbers)


OPEN, CLOSE = Op(kind="open", name="begin", chain=()), Op(kind="close", name="end", chain=())
JOIN = Op(kind="join", name="join", chain=())


def ended(*rows: Sequence[Op], strict: bool = False, ends: Sequence[str] = ()) -> Outcome:
    made = [Row(steps=list(r), end=ends[i] if ends else "end") for i, r in enumerate(rows)]
    return play(made, strict)


def kind(*rows: Sequence[Op], strict: bool = False) -> str:
    return ended(*rows, strict=strict).kind


# -- collectives ----------------------------------------------------------------------------------


def test_all_issue_the_same() -> None:
    row = [meet(), meet("reduce"), meet()]
    assert kind(row, row) == "done"
    assert kind([], []) == "done"


def test_who_does_not_come_is_waited_for() -> None:
    outcome = ended([meet("reduce"), meet()], [meet("reduce")])
    assert outcome.kind == "stuck"
    assert [o.name if o else None for o in outcome.at.values()] == ["barrier", None]


def test_another_operation_does_not_fit() -> None:
    outcome = ended([meet("reduce")], [meet("barrier")])
    assert (outcome.kind, outcome.what) == ("differs", "operation")
    assert {o.name for o in outcome.ops if o} == {"reduce", "barrier"}


def test_on_two_communicators_order_counts() -> None:
    """Each waits for the other on the communicator that the other has not come to."""
    ours = [meet("a", JOB), meet("b", PAIR)]
    theirs = [meet("b", PAIR), meet("a", JOB)]
    assert kind(ours, theirs) == "stuck"
    assert kind(ours, ours) == "done"


def test_who_is_in_no_group_is_not_waited_for() -> None:
    assert kind([meet("a", PAIR)], [meet("a", PAIR)], []) == "done"
    assert kind([meet("a", PAIR)], [], []) == "stuck"


def test_who_is_no_member_passes() -> None:
    """What a rank outside of a group issues on it does nothing."""
    assert kind([meet("a", PAIR)], [meet("a", PAIR)], [meet("a", PAIR)]) == "done"


def test_members_that_only_answers_know_are_those_who_issue() -> None:
    some = Comm("some", None, asked=ask("in some"))
    assert kind([meet("a", some)], [], []) == "done"
    assert kind([meet("a", some)] * 2, [meet("a", some)], []) == "stuck"


@pytest.mark.parametrize(
    ("ours", "theirs", "what"),
    [
        (Const(0), Const(0), ""),
        (Const(0), Const(1), "root"),
        (Const(0), Unknown("x"), ""),
        (Unknown("x"), Unknown("y"), ""),
        (Unknown("x", frozenset((RANK,))), Unknown("x", frozenset((RANK,))), "root"),
        (Unknown("x", frozenset((LOCAL + "d",))), Const(0), "root"),
        (Unknown("SUM", path="mpi.SUM"), Unknown("MAX", path="mpi.MAX"), "root"),
        (Unknown("SUM", path="mpi.SUM"), Unknown("SUM", path="mpi.SUM"), ""),
        (Unknown("op()", path="op()"), Unknown("other()", path="other()"), ""),
        (Tup((Const(0), Const(1))), Tup((Const(0), Const(1))), ""),
        (Tup((Const(0), Const(1))), Tup((Const(1), Const(0))), "root"),
        (Tup((Const(0),)), Tup((Const(0), Const(1))), "root"),
    ],
)
def test_what_all_must_agree_on(ours: Value, theirs: Value, what: str) -> None:
    """Only what is known to be unlike, or is a rank's own, is a disagreement."""
    outcome = ended([meet(root=ours)], [meet(root=theirs)])
    assert (outcome.kind, outcome.what) == (("differs", what) if what else ("done", ""))


INT, DOUBLE = Unknown("INT", path="MPI_INT"), Unknown("DOUBLE", path="MPI_DOUBLE")
MADE = Unknown("vector", path="MPI_Type_vector()")


@pytest.mark.parametrize(
    ("ours", "theirs", "what"),
    [
        ((4, INT), (4, INT), ""),
        ((4, INT), (8, INT), "count"),
        ((4, INT), (4, DOUBLE), "datatype"),
        ((4, MADE), (1, MADE), ""),
        ((1, MADE), (3, DOUBLE), ""),
    ],
)
def test_counts_are_compared_for_one_plain_type(
    ours: tuple[int, Value], theirs: tuple[int, Value], what: str
) -> None:
    rows = [[meet(count=Const(n), datatype=kind_)] for n, kind_ in (ours, theirs)]
    outcome = ended(*rows)
    assert (outcome.kind, outcome.what) == (("differs", what) if what else ("done", ""))


def test_the_sides_of_an_intercommunicator_name_the_root_differently() -> None:
    ours, theirs = Comm("bridge", (0, 1, 2), side=(0, 1)), Comm("bridge", (0, 1, 2), side=(2,))
    root, nobody, rank = (
        [meet(comm=comm, root=Const(value))]
        for comm, value in ((ours, "root"), (ours, "nobody"), (theirs, 0))
    )
    assert kind(root, nobody, rank) == "done"
    assert kind(root, [meet(comm=ours, root=Const(0))], rank) == "differs"


def test_what_is_begun_only_waits_at_its_wait() -> None:
    begun = meet("a", request=1)
    assert kind([begun, meet(), wait(1)], [meet("a"), meet()]) == "done"
    assert kind([begun, wait(1), meet()], [meet()]) == "differs"
    assert kind([meet("a", PAIR, 1), meet("b"), wait(1)], [meet("b"), meet("a", PAIR)]) == "done"


def test_what_is_begun_and_never_met_is_told() -> None:
    outcome = ended([meet("a", request=1)], [])
    assert outcome.kind == "unmatched"
    assert outcome.ranks == (0, 1)


def test_join_answers_for_who_is_through() -> None:
    """A rank with fewer rounds joins: the others' collectives do not wait for it."""
    assert kind([meet(), meet(), JOIN], [meet(), JOIN]) == "done"
    assert kind([JOIN, meet("a")], [meet(), meet(), JOIN, meet("a")]) == "done"
    assert kind([meet(), JOIN], [meet()]) == "stuck"


def test_join_of_a_later_rank_answers_for_it() -> None:
    assert kind([meet(), meet(), JOIN, meet("a")], [JOIN, meet("a")]) == "done"


def test_a_rank_that_fails_ends_the_job() -> None:
    rows = [[meet(), meet()], [meet()]]
    assert ended(*rows, ends=("end", "fail")).kind == "failed"
    assert ended(*rows, ends=("end", "end")).kind == "stuck"


def test_a_rank_that_never_comes_to_its_failure_does_not_end_the_job() -> None:
    assert ended([meet("a")], [meet("a"), meet("b")], ends=("end", "fail")).kind == "stuck"


# -- messages -------------------------------------------------------------------------------------


@pytest.mark.parametrize("strict", [False, True])
def test_a_send_and_its_receive(strict: bool) -> None:
    assert kind([send(1)], [recv(0)], strict=strict) == "done"
    assert kind([recv(1)], [send(0)], strict=strict) == "done"
    assert kind([recv(1)], [recv(0)], strict=strict) == "stuck"
    assert kind([recv(1)], [], strict=strict) == "stuck"


def test_all_send_first() -> None:
    rows = [[send(1), recv(1)], [send(0), recv(0)]]
    assert kind(*rows) == "done"
    assert kind(*rows, strict=True) == "stuck"


def test_sends_that_wait_and_sends_that_never_do() -> None:
    assert kind(*[[send(1 - r, rendezvous=True), recv(1 - r)] for r in (0, 1)]) == "stuck"
    assert kind(*[[send(1 - r, buffered=True), recv(1 - r)] for r in (0, 1)], strict=True) == "done"


def test_a_send_that_nobody_receives() -> None:
    assert kind([send(1)], []) == "unmatched"
    assert kind([send(1)], [], strict=True) == "stuck"


def test_tags_and_senders_must_fit() -> None:
    assert kind([send(1, 7)], [recv(0, 7)]) == "done"
    assert kind([send(1, 7)], [recv(0, 8)]) == "stuck"
    assert kind([send(1, 7)], [recv(0, ANY)]) == "done"
    assert kind([send(1)], [recv(ANY)]) == "done"
    assert kind([send(1)], [recv(2, comm=JOB3)], []) == "stuck"
    unknown = Op(kind="recv", name="recv", chain=(), comm=JOB, peer=Const(0), tag=Unknown("t"))
    assert kind([send(1, 7)], [unknown]) == "done"


def test_communicators_must_fit() -> None:
    assert kind([send(1, comm=PAIR)], [recv(0, comm=JOB)]) == "stuck"
    assert kind([send(1, comm=PAIR)], [recv(0, comm=PAIR)]) == "done"


def test_messages_of_one_kind_are_received_in_order() -> None:
    """A receive with a tag passes over others; each message is received once."""
    assert kind([send(1, 1), send(1, 2)], [recv(0, 2), recv(0, 1)]) == "done"
    assert kind([send(1, 1), send(1, 1)], [recv(0, 1), recv(0, 1)]) == "done"
    assert kind([send(1, 1)], [recv(0, 1), recv(0, 1)]) == "stuck"
    assert kind([send(1, 1), send(1, 2)], [recv(0, 2), recv(0, 1)], strict=True) == "stuck"


def test_any_sender_takes_one_of_each() -> None:
    job = Comm("the whole job", (0, 1, 2))
    rows = [[recv(ANY, comm=job)] * 2, [send(0, comm=job)], [send(0, comm=job)]]
    assert kind(*rows, strict=True) == "done"
    assert kind([recv(ANY, comm=job)] * 3, *rows[1:]) == "stuck"


def test_nobody_is_never_waited_for() -> None:
    assert kind([send(NOBODY), recv(NOBODY)], [], strict=True) == "done"


def test_a_peer_that_is_no_rank() -> None:
    for one in (send(2), recv(-1), send(5)):
        outcome = ended([one], [])
        assert (outcome.kind, outcome.ranks) == ("outside", (0, 0))


def test_peers_are_counted_in_the_group() -> None:
    group = Comm("group", (1, 2))
    assert kind([], [send(1, comm=group)], [recv(0, comm=group)]) == "done"
    assert kind([], [send(2, comm=group)], []) == "outside"
    absolute = [[], [send(2, comm=group, absolute=True)], [recv(1, comm=group, absolute=True)]]
    assert kind(*absolute) == "done"
    assert kind([], [send(0, comm=group, absolute=True)], [], []) == "stranger"
    assert kind([], [send(4, comm=group, absolute=True)], [], []) == "outside"


def test_the_root_is_in_the_group() -> None:
    group = Comm("group", (1, 2))
    for root, how in ((0, "stranger"), (1, "done"), (2, "done")):
        row = [msgspec.structs.replace(meet(comm=group), root=Const(root))]
        assert kind([], row, row) == how
    alone = [msgspec.structs.replace(meet(comm=group), root=Const(0))]
    assert kind(alone, [], []) == "done"  # who is not in the group does nothing


def test_what_is_begun_may_cross() -> None:
    rows = [[send(1 - r, request=1), recv(1 - r, request=2), wait(1, 2)] for r in (0, 1)]
    assert kind(*rows, strict=True) == "done"
    early = [[send(1 - r, request=1), wait(1), recv(1 - r)] for r in (0, 1)]
    assert kind(*early, strict=True) == "stuck"
    assert kind(*early) == "done"


def test_receives_that_are_waited_for_too_early() -> None:
    rows = [[recv(1 - r, request=1), wait(1), send(1 - r)] for r in (0, 1)]
    assert kind(*rows) == "stuck"


def test_a_group_is_begun_as_a_whole() -> None:
    rows = [[OPEN, send(1 - r), recv(1 - r), CLOSE] for r in (0, 1)]
    assert kind(*rows, strict=True) == "done"
    assert kind([OPEN, send(1), CLOSE], [], strict=True) == "stuck"


def test_a_group_inside_of_a_group() -> None:
    rows = [[OPEN, OPEN, send(1 - r), recv(1 - r), CLOSE, CLOSE] for r in (0, 1)]
    assert kind(*rows, strict=True) == "done"


def test_what_is_begun_in_an_inner_group_is_waited_for_at_the_outer_end() -> None:
    rows = [[OPEN, OPEN, send(1 - r), CLOSE, recv(1 - r), CLOSE] for r in (0, 1)]
    assert kind(*rows, strict=True) == "done"


def test_collectives_in_a_group_meet_in_any_order_of_communicators() -> None:
    ours = [OPEN, meet("a", JOB), meet("b", PAIR), CLOSE]
    theirs = [OPEN, meet("b", PAIR), meet("a", JOB), CLOSE]
    assert kind(ours, theirs) == "done"


@pytest.mark.parametrize("strict", [False, True])
def test_a_probe_leaves_the_message(strict: bool) -> None:
    assert kind([send(1)], [probe(0), recv(0)], strict=strict) == "done"
    assert kind([], [probe(0)], strict=strict) == "stuck"


def test_a_probe_takes_nothing() -> None:
    assert kind([send(1)], [probe(0)]) == "unmatched"


def test_messages_and_collectives_wait_for_each_other() -> None:
    assert kind([meet(), send(1)], [recv(0), meet()]) == "stuck"
    assert kind([send(1), meet()], [recv(0), meet()], strict=True) == "done"


def test_a_wait_for_what_was_never_begun_is_over() -> None:
    assert kind([wait(9)], [wait()]) == "done"


def test_who_waits_is_told_for_each_rank() -> None:
    outcome = ended([recv(1)], [meet()])
    assert {r: o.name if o else None for r, o in outcome.at.items()} == {0: "recv", 1: "barrier"}


def test_unknown_communicators_have_all_ranks() -> None:
    made = Play([Row(), Row()], False)
    assert made.members_of(Unknown("g")) == (0, 1)
    assert made.members_of(None) == (0, 1)
    assert made.members_of(Comm("x", (1,))) == (1,)


# -- against a naive version ----------------------------------------------------------------------

SIZE = 3
GROUPS = {"job": (0, 1, 2), "side": (0, 1)}
steps = st.tuples(st.sampled_from(sorted(GROUPS)), st.sampled_from("xy"))
row_lists = st.lists(st.lists(steps, max_size=4), min_size=SIZE, max_size=SIZE)
Rows = list[list[tuple[str, str]]]


def meets(rows: Rows) -> bool:
    """Each communicator's members issue the same on it, and all orders go together in one."""
    after: dict[tuple[str, int], set[tuple[str, int]]] = {}
    for name, members in GROUPS.items():
        if len({tuple(what for comm, what in rows[r] if comm == name) for r in members}) > 1:
            return False
    for row in rows:
        seen: dict[str, int] = {}
        events: list[tuple[str, int]] = []
        for comm, _ in row:
            events.append((comm, seen.get(comm, 0)))
            seen[comm] = seen.get(comm, 0) + 1
        for i, event in enumerate(events):
            after.setdefault(event, set()).update(events[i + 1 :])
    reached = {e: set(later) for e, later in after.items()}
    for _ in reached:
        for later in reached.values():
            for event in list(later):
                later |= reached[event]
    return all(event not in later for event, later in reached.items())


def fires(rows: Rows) -> bool:
    """All orders in which collectives may happen, tried one after the other."""
    todo, known = [(0,) * SIZE], set()
    while todo:
        at = todo.pop()
        if at in known:
            continue
        known.add(at)
        if all(at[r] == len(rows[r]) for r in range(SIZE)):
            return True
        for name, members in GROUPS.items():
            next_ = {rows[r][at[r]] if at[r] < len(rows[r]) else None for r in members}
            if len(next_) == 1 and (one := next_.pop()) is not None and one[0] == name:
                todo.append(tuple(n + (r in members) for r, n in enumerate(at)))
    return False


def _played(rows: Rows) -> str:
    comms = {name: Comm(name, members) for name, members in GROUPS.items()}
    return kind(*([meet(what, comms[comm]) for comm, what in row] for row in rows))


def _members_only(rows: Rows) -> Rows:
    return [[s for s in row if r in GROUPS[s[0]]] for r, row in enumerate(rows)]


@given(row_lists)
def test_rows_of_collectives_meet_where_they_do_for_a_naive_reader(rows: Rows) -> None:
    rows = _members_only(rows)
    assert (_played(rows) == "done") is meets(rows) is fires(rows)


@given(st.lists(steps, max_size=5), st.integers(0, 5), st.sampled_from("xy"))
def test_one_change_to_rows_that_meet(row: list[tuple[str, str]], at: int, what: str) -> None:
    """Equal rows meet; with one more operation on one rank they do not."""
    rows = _members_only([row] * SIZE)
    assert _played(rows) == "done"
    longer = [list(r) for r in rows]
    longer[1].insert(min(at, len(longer[1])), ("job", what))
    assert _played(longer) != "done"
    assert not meets(longer)
    assert not fires(longer)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)), max_size=6))
def test_messages_that_are_all_begun_are_all_received(messages: list[tuple[int, int, int]]) -> None:
    """Each message begun on both sides, in any number: whoever waits for all of them has them."""
    rows: list[list[Op]] = [[], [], []]
    for number, (source, target, tag) in enumerate(messages, start=1):
        rows[source].append(send(target, tag, JOB3, request=number))
        rows[target].append(recv(source, tag, JOB3, request=100 + number))
    for row in rows:
        row.append(wait(*(o.request for o in row)))
    assert kind(*rows, strict=True) == "done"


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=6))
def test_what_is_done_where_all_sends_wait_is_done_where_none_does(
    messages: list[tuple[int, int]],
) -> None:
    rows: list[list[Op]] = [[], [], []]
    for number, (source, target) in enumerate(messages):
        rows[source].append(send(target, 0, JOB3))
        rows[target].insert(number % (len(rows[target]) + 1), recv(source, 0, JOB3))
    if kind(*rows, strict=True) == "done":
        assert kind(*rows) == "done"
