"""Cycles of recorded runs: what must be found, and, with equal weight, what must not."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from lockorder.model import Confidence, Document, Finding, Level
from lockorder.recorded.analyse import analyse, to_document, traces_in
from runtime_probe.layout import Kind, LockFlag, MisuseKind, RecordType
from traces import BLOCKING, EXCLUSIVE, SHARED, TIMED, TRY, Program, Recording

RULE = "lock-order-cycle"


@pytest.fixture
def judged(tmp_path: Path) -> object:
    """Judge recordings of one program together."""

    def judge(*recordings: Recording) -> Document:
        for recording in recordings:
            recording.write(tmp_path)
        batch = analyse(traces_in(tmp_path), symbols=recordings[0].program)
        assert batch.problems == []
        return to_document(batch)

    return judge


class Two:
    """One process with two threads and the locks a and b."""

    def __init__(self, **about: int) -> None:
        self.r = Recording(**about)  # type: ignore[arg-type]
        self.main, self.worker = self.r.thread("main"), self.r.thread("worker")
        self.a, self.b = self.r.named("a"), self.r.named("b")


def rules(document: Document) -> list[str]:
    return [f.rule for f in document.findings]


def cycle_of(document: Document) -> Finding:
    (finding,) = document.findings
    return finding


# -- two threads ------------------------------------------------------------------------------


def test_two_threads_in_opposite_orders(judged) -> None:
    two = Two(rank=3)
    two.r.edge(two.main, two.a, two.b)
    two.r.edge(two.worker, two.b, two.a)
    finding = cycle_of(judged(two.r))
    assert (finding.rule, finding.level) == (RULE, Level.ERROR)
    assert finding.confidence is Confidence.HIGH
    assert finding.message == "a and b are taken in opposite orders; seen in rank 3"
    assert finding.locks == ("a", "b")
    assert [p.who for p in finding.participants] == ["100:100 main", "100:101 worker"]
    first = finding.participants[0]
    assert [(f.function, f.line) for f in first.held[0].chain] == [("main", 3), ("take_1_2", 11)]
    assert first.taken is not None
    assert [(f.function, f.line) for f in first.taken.chain] == [("main", 3), ("take_1_2", 12)]


def test_one_thread_alone(judged) -> None:
    two = Two()
    two.r.edge(two.main, two.a, two.b)
    two.r.edge(two.main, two.b, two.a)
    assert rules(judged(two.r)) == []


def test_two_threads_in_one_order(judged) -> None:
    two = Two()
    two.r.edge(two.main, two.a, two.b)
    two.r.edge(two.worker, two.a, two.b)
    assert rules(judged(two.r)) == []


def test_two_processes_do_not_meet(judged) -> None:
    program = Program()
    one, other = Recording(program, pid=1), Recording(program, pid=2)
    for r, order in ((one, ("a", "b")), (other, ("b", "a"))):
        r.edge(r.thread(), *map(r.named, order))
    assert rules(judged(one, other)) == []


def test_threads_that_never_met_are_less_sure(judged) -> None:
    r = Recording()
    a, b = r.named("a"), r.named("b")
    r.edge(r.thread("early", start_ns=1, end_ns=10), a, b)
    r.edge(r.thread("late", start_ns=20, end_ns=30), b, a)
    finding = cycle_of(judged(r))
    assert finding.confidence is Confidence.MEDIUM
    assert "never ran at the same time" in finding.reason


def _start_up(
    late: int, *, main_again: bool = False, by_main: bool = True, also: bool = False
) -> Recording:
    """One thread goes b-a at 1 (and maybe at 3), another, begun at *late*, goes a-b at 2."""
    r = Recording()
    a, b = r.named("a"), r.named("b")
    main = r.thread("main", start_ns=1)
    first = main if by_main else r.thread("first", start_ns=1)
    worker = r.thread("worker", start_ns=late + 1, created_ns=late)
    r.edge(first, b, a)
    r.clock = late
    r.edge(worker, a, b)
    if main_again:
        r.edge(first, b, a)
    if also:
        r.edge(r.thread("other", start_ns=late), b, a)
    return r


def test_what_main_did_before_it_started_the_others(judged) -> None:
    finding = cycle_of(judged(_start_up(late=100)))
    assert finding.confidence is Confidence.MEDIUM
    assert "before the other threads were started" in finding.reason
    # It went that way later, too; or a thread did that was there all the time.
    assert cycle_of(judged(_start_up(late=100, main_again=True))).confidence is Confidence.HIGH
    assert cycle_of(judged(_start_up(late=100, by_main=False))).confidence is Confidence.HIGH


def test_better_evidence_than_mains(judged) -> None:
    """What main did first, and a worker does all the time, is told of the worker."""
    finding = cycle_of(judged(_start_up(late=100, also=True)))
    assert finding.confidence is Confidence.HIGH
    assert not any("main" in p.who for p in finding.participants)


def test_what_main_did_after_the_others_had_ended(judged) -> None:
    for end, sure in ((50, Confidence.MEDIUM), (0, Confidence.HIGH), (200, Confidence.HIGH)):
        r = Recording()
        a, b = r.named("a"), r.named("b")
        main, worker = r.thread("main", start_ns=1), r.thread("worker", start_ns=2, end_ns=end)
        r.edge(worker, a, b)
        r.clock = 100
        r.edge(main, b, a)
        finding = cycle_of(judged(r))
        assert finding.confidence is sure
        assert ("had ended" in finding.reason) is (sure is Confidence.MEDIUM)


def test_a_thread_id_that_is_used_again_is_another_thread(judged) -> None:
    r = Recording()
    a, b = r.named("a"), r.named("b")
    r.edge(r.thread("w", tid=7, end_ns=100), a, b)
    r.edge(r.thread("w", tid=7, end_ns=200), b, a)
    assert [p.who for p in cycle_of(judged(r)).participants] == ["100:7#1 w", "100:7#2 w"]


# -- gates ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sides", "modes", "fires"),
    [
        ((True, True), (EXCLUSIVE, EXCLUSIVE), False),
        ((True, False), (EXCLUSIVE, EXCLUSIVE), True),
        ((False, True), (EXCLUSIVE, EXCLUSIVE), True),
        ((True, True), (SHARED, EXCLUSIVE), False),
        ((True, True), (SHARED, SHARED), True),
    ],
)
def test_a_gate_lock(judged, sides, modes, fires: bool) -> None:
    two = Two()
    gate = two.r.named("gate", Kind.RWLOCK)
    gates = [[(gate, mode)] if side else [] for side, mode in zip(sides, modes, strict=True)]
    two.r.edge(two.main, two.a, two.b, gates=gates[0])
    two.r.edge(two.worker, two.b, two.a, gates=gates[1])
    assert rules(judged(two.r)) == [RULE] * fires


def test_the_fewest_gates_of_an_order_count(judged) -> None:
    two = Two()
    gate = [(two.r.named("gate"), EXCLUSIVE)]
    two.r.edge(two.main, two.a, two.b, gates=gate)
    two.r.edge(two.main, two.a, two.b)
    two.r.edge(two.worker, two.b, two.a, gates=gate)
    assert rules(judged(two.r)) == [RULE]


# -- readers, try-lock, time limits -----------------------------------------------------------


def test_readers_alone(judged) -> None:
    r = Recording()
    main, worker = r.thread(), r.thread()
    a, b = r.named("a", Kind.RWLOCK), r.named("b", Kind.RWLOCK)
    r.edge(main, a, b, modes=(SHARED, SHARED))
    r.edge(worker, b, a, modes=(SHARED, SHARED))
    assert rules(judged(r)) == []


def test_readers_with_writers_between_them(judged) -> None:
    r = Recording()
    main, worker, c = r.thread(), r.thread(), r.named("c")
    a, b = r.named("a", Kind.RWLOCK), r.named("b", Kind.RWLOCK)
    r.edge(main, a, b, modes=(SHARED, SHARED))
    r.edge(worker, b, a, modes=(SHARED, SHARED))
    r.edge(worker, c, a)
    r.edge(worker, c, b)
    finding = cycle_of(judged(r))
    assert finding.confidence is Confidence.MEDIUM
    assert "writer" in finding.reason


def test_a_reader_and_a_writer(judged) -> None:
    r = Recording()
    main, worker = r.thread(), r.thread()
    a, b = r.named("a", Kind.RWLOCK), r.named("b")
    r.edge(main, a, b, modes=(SHARED, EXCLUSIVE))
    r.edge(worker, b, a, modes=(EXCLUSIVE, EXCLUSIVE))
    assert rules(judged(r)) == [RULE]


@pytest.mark.parametrize(
    ("hows", "expected"),
    [
        ((BLOCKING, TRY), None),
        ((TRY, BLOCKING), Level.ERROR),  # won by try-lock, but held
        ((BLOCKING, TIMED), Level.NOTE),
        ((TIMED, BLOCKING), Level.ERROR),
    ],
)
def test_try_lock_and_time_limits(judged, hows, expected: Level | None) -> None:
    two = Two()
    two.r.edge(two.main, two.a, two.b, hows=hows)
    two.r.edge(two.worker, two.b, two.a)
    found = judged(two.r).findings
    assert [f.level for f in found] == ([expected] if expected else [])


# -- kinds and identity -----------------------------------------------------------------------


def test_the_gil_has_a_rule_of_its_own(judged) -> None:
    r = Recording()
    main, worker = r.thread(), r.thread()
    gil, a = r.lock(0x10, Kind.GIL), r.named("a")
    r.edge(main, gil, a)
    r.edge(worker, a, gil)
    finding = cycle_of(judged(r))
    assert finding.rule == "gil-lock-cycle"
    assert "Python GIL" in finding.locks


def test_a_semaphore_that_others_post_is_no_lock(judged) -> None:
    r = Recording()
    main, worker = r.thread(), r.thread()
    a, s = r.named("a"), r.named("s", Kind.SEMAPHORE)
    r.edge(main, a, s)
    r.edge(worker, s, a)
    assert rules(judged(r)) == [RULE]
    r.misuse(main, MisuseKind.UNLOCK_NOT_HELD, s)
    assert rules(judged(r)) == []


def test_a_semaphore_that_turns_out_to_be_a_signal(judged) -> None:
    r = Recording()
    main, worker = r.thread(), r.thread()
    a, s = r.named("a"), r.named("s", Kind.SEMAPHORE)
    r.edge(main, a, s)
    r.edge(worker, s, a)
    assert rules(judged(r)) == [RULE]
    body = r.form.lock.pack(Kind.SEMAPHORE, LockFlag.SIGNAL, 0, 1, 0, 0, 0, 0)
    r.record(RecordType.LOCK, s, body)  # again, with what is known now
    assert rules(judged(r)) == []


def test_two_generations_of_an_address_are_two_locks(judged) -> None:
    r = Recording()
    main, worker = r.thread(), r.thread()
    at, first = 0x7000_0000_1000, r.stack(("make", "pool.cpp", 7))
    b = r.named("b")
    older, newer = (r.lock(at, generation=g, first=first) for g in (1, 2))
    r.edge(main, older, b)
    r.edge(worker, b, newer)
    assert rules(judged(r)) == []
    r.edge(worker, b, older)
    assert rules(judged(r)) == [RULE]


def test_two_objects_of_one_class(judged) -> None:
    r = Recording()
    main, worker = r.thread(), r.thread()
    made = r.stack(("Pool::Pool()", "pool.cpp", 7), ("main", "app.cpp", 1))
    one, other = (r.lock(0x7000_0000_1000 + n, made=made) for n in (0, 64))
    r.edge(main, one, other)
    assert rules(judged(r)) == []
    r.edge(worker, other, one)
    finding = cycle_of(judged(r))
    name = "mutex made in Pool::Pool (pool.cpp:7)"
    assert finding.message.startswith(f"two objects' {name} are taken in no fixed order")
    assert finding.confidence is Confidence.HIGH
    assert set(finding.locks) == {"mutex of Pool::Pool (pool.cpp)"}


def test_three_threads_in_a_circle(judged) -> None:
    r = Recording()
    threads = [r.thread() for _ in range(3)]
    locks = [r.named(n) for n in "abc"]
    for i in range(3):
        r.edge(threads[i], locks[i], locks[(i + 1) % 3])
    finding = cycle_of(judged(r))
    assert finding.locks == ("a", "b", "c")
    assert len(finding.participants) == 3


def test_two_threads_do_not_close_a_circle_of_three(judged) -> None:
    r = Recording()
    threads = [r.thread() for _ in range(2)]
    locks = [r.named(n) for n in "abc"]
    for i in range(3):
        r.edge(threads[i % 2], locks[i], locks[(i + 1) % 3])
    assert rules(judged(r)) == []


def test_orders_of_lost_locks_are_counted(judged) -> None:
    two = Two()
    two.r.edge(two.main, two.a, 77)
    document = judged(two.r)
    assert document.run is not None
    assert document.run.processes[0].lost == {"orders_unknown": 1}


# -- ranks and names --------------------------------------------------------------------------


def ranks(count: Iterable[int], lines: int = 0, swap: bool = False) -> list[Recording]:
    """The same cycle in each rank, at other addresses; *lines* and *swap* vary what may vary."""
    found = []
    program = Program()
    for rank in count:
        r = Recording(program, pid=100 + rank, rank=rank, bias=(0x5500 + rank) << 32)
        if swap:
            r.stack(("another", "app.cpp", 9))
        main, worker = r.thread(), r.thread()
        made = r.stack(("malloc", "x.c", 1), ("Log::Log()", "log.cpp", 20 + lines))
        a, log = r.named("a"), r.lock(0x7000_0000_1000 * (rank + 1), made=made)
        for thread, order in ((main, (a, log)), (worker, (log, a))):
            r.edge(thread, *order, target_stack=r.stack(("f", "app.cpp", 5 + lines)))
        found.append(r)
    return found


def test_the_same_cycle_in_eight_ranks_is_one(judged) -> None:
    document = judged(*ranks(range(8)))
    finding = cycle_of(document)
    assert finding.message.endswith("; seen in ranks 0-7")
    assert {p.who.split(":")[0] for p in finding.participants} == {"100"}
    assert len(document.locks) == 2
    assert document.run is not None
    assert [p.rank for p in document.run.processes] == list(range(8))


def test_some_of_the_ranks(judged) -> None:
    quiet = Recording(pid=7, rank=4)
    quiet.thread()
    finding = cycle_of(judged(*ranks([0, 1, 2, 5]), quiet))
    assert finding.message.endswith("; seen in ranks 0-2, 5")


def test_fingerprints_survive_moved_lines_and_other_ranks(tmp_path: Path) -> None:
    prints = set()
    for number, some in enumerate((ranks([0]), ranks([3, 4], lines=30), ranks([1], swap=True))):
        folder = tmp_path / str(number)
        folder.mkdir()
        for r in some:
            r.write(folder)
        batch = analyse(traces_in(folder), symbols=some[0].program)
        prints.add(cycle_of(to_document(batch)).fingerprint)
    assert len(prints) == 1


def test_the_order_of_files_changes_nothing(tmp_path: Path) -> None:
    some = ranks(range(4))
    for r in some:
        r.write(tmp_path)
    paths = traces_in(tmp_path)
    assert [p.name.split("-")[1] for p in paths] == ["rank0", "rank1", "rank2", "rank3"]
    one = to_document(analyse(paths, symbols=some[0].program))
    assert to_document(analyse(paths, symbols=some[0].program)) == one


def test_locks_on_a_stack_are_never_globals(judged) -> None:
    r = Recording()
    thread = r.thread()
    first = r.stack(("Latch::Latch()", "latch.h", 4))
    on_stack = r.lock(r.bias + r.program.variable("v"), flags=LockFlag.ON_STACK, first=first)
    r.edge(thread, r.named("a"), on_stack)
    names = {lock.name for lock in judged(r).locks}
    assert names == {"a", "mutex first taken in Latch::Latch (latch.h:4)"}
