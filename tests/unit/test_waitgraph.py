"""Who can end whose wait: what is dead, what is told of it; against a naive oracle."""

from __future__ import annotations

import itertools

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs import graph, process, thread, waits, who
from lockorder.model import ProcessState, ThreadState, Wait
from lockorder.waitgraph import Node, WaitGraph, first_of

ONE, TWO, THREE = who(1, 1), who(1, 2), who(1, 3)


def names(nodes: list[Node]) -> list[str]:
    return [node.who for node in nodes]


# -- what is dead ----------------------------------------------------------------------------------


def test_a_circle_of_owners_is_dead_and_who_waits_for_it() -> None:
    found = graph(
        process(
            1,
            thread(1, waits(owners=(TWO,))),
            thread(2, waits(owners=(THREE,))),
            thread(3, waits(owners=(TWO,))),
        )
    )
    assert found.dead == found.hopeless == {ONE, TWO, THREE}


def test_who_waits_for_somebody_that_works_is_not_dead() -> None:
    found = graph(
        process(
            1, thread(1, waits(owners=(TWO,))), thread(2, waits(by=(1,))), thread(3, moved="works")
        )
    )
    assert found.dead == found.hopeless == set()


def test_all_wait_for_each_other_without_owners() -> None:
    """Two threads at an empty queue: nobody is left who could put."""
    found = graph(process(1, thread(1, waits(by=(1,))), thread(2, waits(by=(1,)))))
    assert found.dead == {ONE, TWO}


def test_nothing_known_is_no_proof() -> None:
    """One wait of which nobody knows who ends it, and nothing is dead."""
    found = graph(process(1, thread(1, waits(by=(1,))), thread(2, waits("futex"))))
    assert found.dead == set()


@pytest.mark.parametrize(
    ("wait", "dead", "hopeless"),
    [
        (waits(by=(1,), timed=True), False, True),
        (waits("sleep", lock="nanosleep", timed=True), False, False),
        (waits("io", lock="nanosleep", timed=True), False, False),
        # For so long that nobody waits for its end.
        (waits("io", lock="nanosleep", by=(1,)), False, False),
        (waits("io", lock="accept", outside="a connection"), False, False),
        (waits("io", lock="poll", outside="a connection", timed=True), False, False),
        (waits(gone="thread 9, which ended"), True, True),
        (None, False, False),
    ],
)
def test_what_one_thread_alone_is(wait: Wait | None, dead: bool, hopeless: bool) -> None:
    found = graph(process(1, thread(1, wait)))
    assert (found.dead == {ONE}, found.hopeless == {ONE}) == (dead, hopeless)


def test_who_is_stopped_ends_nothing() -> None:
    for options in ({"state": "T"}, {"state": "t"}, {"doing": "is stopped by a signal"}):
        found = graph(process(1, thread(1, waits(owners=(TWO,))), thread(2, **options)))
        assert found.dead == {ONE, TWO}
        assert names(found.stopped(found.nodes[ONE])) == [ONE, TWO]
    assert found.stopped(graph(process(1, thread(1))).nodes[ONE]) == []


def test_another_process_can_end_it() -> None:
    reader = process(1, thread(1, waits("io", by=(2,))))
    moving = graph(reader, process(2, thread(2, moved="line")))
    assert moving.dead == set()
    both = graph(reader, process(2, thread(2, waits("io", by=(1,)))))
    assert both.dead == {ONE, who(2, 2)}


def test_tasks_are_as_alive_as_their_loop() -> None:
    """A loop that is in a lock runs nobody, and one in its selector waits for what tasks do."""
    task = ("task 1:1:a", waits("task", by=(1,)))
    state = ThreadState(who=task[0], tid=1, kind="task", name="a")
    for wait, alive in (
        (waits("io", lock="epoll_wait", outside="a connection"), True),
        (waits(by=(1,)), False),
        (None, True),
    ):
        found = graph(process(1, thread(1, wait, kind="loop"), (state, task[1])))
        assert (task[0] not in found.dead) == alive
        if not alive:
            assert names(found.enders(found.nodes[task[0]])) == [ONE]


def barrier() -> Wait:
    return waits("ranks", lock="barrier", by=(1,))


@pytest.mark.parametrize(
    ("other", "hopeless"),
    [
        (thread(2, moved="works"), False),
        (thread(2, waits("sleep", lock="nanosleep", timed=True)), False),
        (thread(2, waits("ranks", lock="broadcast", by=(2,))), True),
        (thread(2, waits(by=(2,))), True),
    ],
)
def test_a_rank_waits_for_the_other_ranks(
    other: tuple[ThreadState, Wait | None], hopeless: bool
) -> None:
    """Others may be elsewhere, so that it is never for sure that nothing can wake it."""
    found = graph(process(1, thread(1, barrier()), rank=0), process(2, other, rank=1))
    assert ONE not in found.dead
    assert (ONE in found.hopeless) == hopeless
    assert names(found.chain(found.nodes[ONE])) == [ONE]


def test_a_rank_of_which_no_other_is_looked_at() -> None:
    alone = graph(process(1, thread(1, barrier()), rank=0))
    worker = process(3, thread(3, waits(by=(3,))), rank=1, role="worker")
    for found in (alone, graph(*alone.processes, worker)):
        assert ONE not in found.hopeless


# -- what is told of it ----------------------------------------------------------------------------


def test_a_chain_ends_where_it_closes() -> None:
    found = graph(
        process(
            1,
            thread(1, waits(owners=(TWO,))),
            thread(2, waits(owners=(THREE,))),
            thread(3, waits(owners=(TWO,))),
        )
    )
    assert names(found.chain(found.nodes[ONE])) == [ONE, TWO, THREE, TWO]


def test_a_chain_leads_to_the_other_process() -> None:
    """Of a process without a name for the thread it is the first one."""
    found = graph(
        process(1, thread(1, waits("io", by=(2,)))),
        process(2, thread(3, moved="works"), thread(2, waits("io", outside="somebody"))),
    )
    assert names(found.chain(found.nodes[ONE])) == [ONE, who(2, 2)]


def test_a_chain_goes_on_where_only_one_is_left() -> None:
    """Who stands by, and who waits for the very same, ends nothing."""
    queue = waits("python-lock", by=(1,), lock="queue")
    nodes = [
        thread(1, queue),
        thread(2, queue),
        thread(3, waits(by=(1,), lock="other")),
        thread(4, waits(by=(1,), lock="pool"), line=None),
    ]
    found = graph(process(1, *nodes))
    assert names(found.chain(found.nodes[ONE]))[:2] == [ONE, THREE]
    assert found.is_idle(found.nodes[who(1, 4)])
    two = graph(process(1, *nodes, thread(5, waits(by=(1,), lock="third"))))
    assert names(two.chain(two.nodes[ONE])) == [ONE]  # any of two could


def test_without_any_stack_who_goes_on_is_not_idle() -> None:
    """No tool was there: a thread that works may be the program's own."""
    first = thread(1, waits("futex", by=(1,)), line=None)
    works, stands = thread(2, moved="works", line=None), thread(3, waits("futex"), line=None)
    bare = graph(process(1, first, works, stands))
    assert not bare.is_idle(bare.nodes[TWO])
    assert bare.is_idle(bare.nodes[THREE])
    assert names(bare.way_on(bare.nodes[ONE])) == [ONE, TWO]
    told = graph(process(1, thread(1, waits("futex", by=(1,))), works, stands))
    assert told.is_idle(told.nodes[TWO])  # a library's, as its stack shows


def test_a_loop_in_its_selector_stands_by() -> None:
    found = graph(process(1, thread(1, waits("io", lock="epoll_wait"), kind="loop")))
    assert found.is_idle(found.nodes[ONE])


def test_the_way_on_is_the_shortest_and_by_the_programs_own() -> None:
    found = graph(
        process(
            1,
            thread(1, waits(by=(1,))),
            thread(2, moved="works", line=None),
            thread(3, moved="works"),
        )
    )
    assert names(found.way_on(found.nodes[ONE])) == [ONE, THREE]
    dead = graph(process(1, thread(1, waits(by=(1,))), thread(2, waits(by=(1,)))))
    assert dead.way_on(dead.nodes[ONE]) == []


def test_knots_are_apart() -> None:
    found = graph(
        process(1, thread(1, waits(by=(1,))), thread(2, waits(by=(1,)))),
        process(7, thread(7, waits(by=(7,))), thread(8, waits(owners=(who(7, 7),)))),
        process(9, thread(9, moved="works")),
    )
    knots = sorted(sorted(names(knot)) for knot in found.knots(found.dead))
    assert knots == [[ONE, TWO], [who(7, 7), who(7, 8)]]


def test_the_first_of_a_knot_is_a_ranks_first_thread() -> None:
    worker = process(1, thread(1), role="worker", rank=0)
    rank = process(5, thread(6), thread(5), role="rank", rank=0)
    found = graph(worker, rank)
    assert first_of(list(found.nodes.values())).who == who(5, 5)


def test_a_process_without_its_first_thread_has_one() -> None:
    found = graph(process(1, thread(3), thread(2)))
    main = found.main(found.processes[0])
    assert main is not None
    assert main.who == TWO
    assert graph(process(1)).main(process(1)) is None


# -- any job ---------------------------------------------------------------------------------------

_PIDS = (10, 20, 30)
_ALL = [who(pid, pid + n) for pid in _PIDS for n in range(3)]
_wait = st.none() | st.builds(
    lambda kind, owners, by, timed, outside, gone: waits(
        kind, owners=tuple(owners), by=tuple(by), timed=timed, outside=outside, gone=gone,
        lock="nanosleep" if kind == "sleep" else "",
    ),
    st.sampled_from(["mutex", "io", "sleep", "join", "ranks", "gpu"]),
    st.lists(st.sampled_from(_ALL), max_size=2, unique=True),
    st.lists(st.sampled_from(_PIDS), max_size=2, unique=True),
    st.booleans(),
    st.sampled_from(["", "", "", "somebody"]),
    st.sampled_from(["", "", "", "thread 5"]),
)  # fmt: skip
_threads = st.tuples(
    _wait, st.sampled_from(["", "", "", "works", "polls"]), st.sampled_from("SSSST")
)


@st.composite
def _jobs(draw: st.DrawFn) -> list[ProcessState]:
    made = []
    for pid in draw(st.lists(st.sampled_from(_PIDS), min_size=1, unique=True)):
        found = draw(st.lists(_threads, min_size=1, max_size=3))
        made.append(
            process(
                pid,
                *[
                    thread(pid + n, wait, moved=moved, state=state)
                    for n, (wait, moved, state) in enumerate(found)
                ],
                rank=draw(st.sampled_from([-1, pid])),
            )
        )
    return made


def _naive(job: list[ProcessState], pollers: bool) -> set[str]:
    """The threads from which no way over who ends each wait leads to one that goes on."""
    wait_of = {w.who: w for p in job for w in p.waits}
    threads = {t.who: t for p in job for t in p.threads}
    members = {p.process: [t.who for t in p.threads] for p in job}

    def goes_on(one: str) -> bool:
        wait, state = wait_of.get(one), threads[one]
        if state.state == "T":
            return False
        if wait is None or state.moved == "works" or wait.outside:
            return True
        if wait.kind == "sleep" or (wait.kind == "ranks" and not others(one)):
            return True
        if wait.timed or wait.kind in ("ranks", "gpu"):
            return not pollers
        return not wait.owners and not wait.by and not wait.gone

    def others(one: str) -> list[str]:
        mine = next(p.rank for p in job if any(t.who == one for t in p.threads))
        return [p.threads[0].who for p in job if p.rank not in (-1, mine)]

    def after(one: str) -> list[str]:
        wait = wait_of.get(one)
        if wait is None or wait.gone or threads[one].state == "T":
            return []
        if wait.owners:
            return [o.who for o in wait.owners if o.who in threads]
        found = [t for name in wait.by for t in members.get(name, []) if t != one]
        return [*found, *others(one)] if wait.kind == "ranks" else found

    def comes(one: str, met: frozenset[str]) -> bool:
        return goes_on(one) or any(
            comes(other, met | {other}) for other in after(one) if other not in met
        )

    return {one for one in threads if not comes(one, frozenset({one}))}


@given(_jobs())
def test_dead_is_what_has_no_way_to_who_goes_on(job: list[ProcessState]) -> None:
    found = WaitGraph(job)
    assert found.dead == _naive(job, pollers=False)
    assert found.hopeless == _naive(job, pollers=True)
    assert found.dead <= found.hopeless


@given(_jobs())
def test_ways_are_ways(job: list[ProcessState]) -> None:
    """Each step is to who can end the wait before; they end, and where they say."""
    found = WaitGraph(job)
    for node in found.nodes.values():
        for way in (found.way_on(node), found.chain(node), found.stopped(node)):
            for first, second in itertools.pairwise(way):
                others = [w.process for w in found.processes if w.process in first.wait.by]  # type: ignore[union-attr]
                assert second in found.enders(first) or second.process.process in others
        way, stopped = found.way_on(node), found.stopped(node)
        if way:
            assert way[0] is node
            assert found.goes_on(way[-1])
        assert not stopped or stopped[-1].is_stopped
        chain = found.chain(node)
        assert chain[0] is node
        assert len({n.who for n in chain}) >= len(chain) - 1
        # Who waits and is not dead has a way on; of who goes on by itself nobody asks.
        if not found.goes_on(node) and not node.is_stopped:
            assert bool(way) == (node.who not in found.dead)


@given(_jobs())
def test_knots_part_the_dead(job: list[ProcessState]) -> None:
    found = WaitGraph(job)
    knots = [set(names(knot)) for knot in found.knots(found.dead)]
    assert set().union(*knots) == found.dead
    assert sum(map(len, knots)) == len(found.dead)
    for knot in knots:
        assert {n.who for w in knot for n in found.enders(found.nodes[w])} & found.dead <= knot


@given(_jobs())
def test_the_order_says_nothing(job: list[ProcessState]) -> None:
    mixed = [
        msgspec.structs.replace(
            p, threads=tuple(reversed(p.threads)), waits=tuple(reversed(p.waits))
        )
        for p in reversed(job)
    ]
    assert WaitGraph(mixed).dead == WaitGraph(job).dead
