"""Waits under locks, hazards and misuse in recorded runs: found where they are, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.model import Finding, Level
from lockorder.recorded.analyse import analyse, to_document, traces_in
from runtime_probe.layout import CallFlag, GroupMisuseKind, Kind, LockFlag, MisuseKind
from traces import EXCLUSIVE, SHARED, Program, Recording

THREAD, CONDITION, GPU, RANKS = 1, 2, 3, 4
SYNC, LAUNCH, LIMIT = CallFlag.DEVICE_SYNC, CallFlag.LAUNCH, CallFlag.TIMED
WAIT, HAZARD = "blocking-under-lock", "device-sync-hazard"


@pytest.fixture
def findings(tmp_path: Path) -> object:
    """Findings on recordings of one program."""

    def judge(*recordings: Recording) -> list[Finding]:
        for recording in recordings:
            recording.write(tmp_path)
        batch = analyse(traces_in(tmp_path), symbols=recordings[0].program)
        assert batch.problems == []
        return list(to_document(batch).findings)

    return judge


def rules(found: list[Finding]) -> list[str]:
    return [f.rule for f in found]


# -- calls that wait --------------------------------------------------------------------------


def test_a_wait_under_a_lock(findings) -> None:
    program = Program()
    some = []
    for rank, longest in ((0, 2_000_000), (1, 3_400_000_000)):
        r = Recording(program, pid=rank + 1, rank=rank)
        sync = r.call("cudaStreamSynchronize", GPU)
        r.blocked(r.thread(), sync, [(r.named("a"), EXCLUSIVE)], times=3, longest_ns=longest)
        some.append(r)
    (finding,) = findings(*some)
    assert (finding.rule, finding.level, finding.locks) == (WAIT, Level.WARNING, ("a",))
    assert finding.message == (
        "cudaStreamSynchronize waits for the GPU while a is held; the longest wait of 6 was 3.4 s"
        "; seen in ranks 0-1"
    )
    assert finding.fix == "release a before cudaStreamSynchronize"


@pytest.mark.parametrize("known", [True, False])
def test_where_a_lock_was_taken_this_time(findings, known: bool) -> None:
    """The stack is that of the first time; the function that took it now is still running."""
    r = Recording()
    finish, end = ("finish", "app.cpp", 40), ("end", "app.cpp", 20)
    first = (("begin", "app.cpp", 9), ("set_up", "app.cpp", 6), ("main", "app.cpp", 2))
    r.blocked(
        r.thread(), r.call("cudaStreamSynchronize", GPU), [(r.named("a"), EXCLUSIVE)],
        above=(finish, end), taken=first if known else (),
    )  # fmt: skip
    (finding,) = findings(r)
    (side,) = finding.participants
    assert [f.function for f in side.held[0].chain] == ["main", "end", "finish"]
    assert side.held[0].chain[-1].line == 39
    assert [f.function for f in side.chain] == ["main", "end", "finish", "wait_here"]


def test_a_lock_that_a_function_took_which_has_come_back(findings) -> None:
    r = Recording()
    first = (("take", "app.cpp", 9), ("set_up", "app.cpp", 6), ("main", "app.cpp", 2))
    r.blocked(
        r.thread(), r.call("cudaStreamSynchronize", GPU), [(r.named("a"), EXCLUSIVE)], taken=first
    )
    (finding,) = findings(r)
    chain = finding.participants[0].held[0].chain
    assert [f.function for f in chain] == ["main", "set_up", "take"]


def test_a_wait_without_a_lock(findings) -> None:
    r = Recording()
    r.blocked(r.thread(), r.call("cudaStreamSynchronize", GPU), [])
    assert findings(r) == []


def test_a_condition_gives_its_own_mutex_up(findings) -> None:
    r = Recording()
    own, other, thread = r.named("own"), r.named("other"), r.thread()
    wait = r.call("pthread_cond_wait", CONDITION)
    r.blocked(thread, wait, [(own, EXCLUSIVE)], own=own)
    assert findings(r) == []
    r.blocked(thread, wait, [(own, EXCLUSIVE), (other, EXCLUSIVE)], own=own)
    assert [f.locks for f in findings(r)] == [("other",)]


def test_a_wait_with_a_time_limit_is_a_note(findings) -> None:
    r = Recording()
    r.blocked(r.thread(), r.call("sem_timedwait", 5, LIMIT), [(r.named("a"), EXCLUSIVE)])
    assert [f.level for f in findings(r)] == [Level.NOTE]


def test_a_call_that_does_not_wait(findings) -> None:
    r = Recording()
    r.blocked(r.thread(), r.call("ncclAllReduce", 0, LAUNCH), [(r.named("a"), EXCLUSIVE)])
    assert findings(r) == []


def test_the_gil_is_a_lock_too(findings) -> None:
    r = Recording()
    r.blocked(r.thread(), r.call("pthread_join", THREAD), [(r.lock(1, Kind.GIL), EXCLUSIVE)])
    (finding,) = findings(r)
    assert finding.locks == ("Python GIL",)
    assert "gil_scoped_release" in finding.fix


@pytest.mark.parametrize("takes", [True, False])
def test_joining_a_thread_that_takes_the_lock(findings, takes: bool) -> None:
    r = Recording()
    a, b = r.named("a"), r.named("b")
    main, worker = r.thread("main"), r.thread("worker", pthread=0xABC)
    r.edge(worker, b, a if takes else r.named("c"))
    r.blocked(main, r.call("pthread_join", THREAD), [(a, EXCLUSIVE)], obj=0xABC)
    (finding,) = findings(r)
    assert finding.level is (Level.ERROR if takes else Level.WARNING)
    assert ("which 100:101 worker needs" in finding.message) is takes


def test_the_lock_that_orders_launches_and_syncs(findings) -> None:
    r = Recording()
    order, other, thread = r.named("free_mutex"), r.named("other"), r.thread()
    end, free = r.call("ncclGroupEnd", RANKS, LAUNCH), r.call("cudaFree", GPU, SYNC)
    r.blocked(thread, end, [(order, EXCLUSIVE)])
    assert rules(findings(r)) == [WAIT]
    r.blocked(thread, free, [(order, EXCLUSIVE)])
    assert findings(r) == []
    r.blocked(thread, free, [(order, EXCLUSIVE), (other, EXCLUSIVE)], at=("g", "app.cpp", 90))
    assert [(f.rule, f.locks) for f in findings(r)] == [(WAIT, ("other",))]
    join = r.call("pthread_join", THREAD)
    r.blocked(thread, join, [(order, EXCLUSIVE)], at=("h", "app.cpp", 95))
    assert [f.locks for f in findings(r)] == [("free_mutex",), ("other",)]


def test_the_lock_that_orders_in_another_rank(findings) -> None:
    program = Program()
    some = []
    for rank, both in enumerate((False, True)):
        r = Recording(program, pid=rank + 1, rank=rank)
        thread, order = r.thread(), r.named("free_mutex")
        r.blocked(thread, r.call("cudaFree", GPU, SYNC), [(order, EXCLUSIVE)])
        if both:
            r.blocked(thread, r.call("ncclGroupEnd", RANKS, LAUNCH), [(order, EXCLUSIVE)])
        some.append(r)
    assert rules(findings(some[0])) == [WAIT]
    assert findings(*some) == []


def test_the_gil_orders_nothing(findings) -> None:
    r = Recording()
    thread, gil = r.thread(), r.lock(1, Kind.GIL)
    for call in (r.call("cudaFree", GPU, SYNC), r.call("ncclGroupEnd", RANKS, LAUNCH)):
        r.blocked(thread, call, [(gil, EXCLUSIVE)])
    assert rules(findings(r)) == [WAIT] * 2


# -- a device that is synchronised between launches -------------------------------------------


@pytest.mark.parametrize(
    ("same_thread", "launch_locks", "sync_locks", "mode", "fires"),
    [
        (False, "", "", EXCLUSIVE, True),
        (False, "a", "", EXCLUSIVE, True),
        (False, "a", "b", EXCLUSIVE, True),
        (False, "a", "a", SHARED, True),
        (False, "a", "a", EXCLUSIVE, False),
        (False, "ab", "cb", EXCLUSIVE, False),
        (True, "", "", EXCLUSIVE, False),
    ],
)
def test_device_sync_hazards(
    findings, same_thread: bool, launch_locks: str, sync_locks: str, mode: int, fires: bool
) -> None:
    r = Recording()
    locks = {name: r.named(name, Kind.RWLOCK) for name in "abc"}
    one, other = r.thread("launches"), r.thread("frees")
    launch, free = r.call("ncclGroupEnd", 0, LAUNCH), r.call("cudaFree", 0, SYNC)
    r.blocked(one, launch, [(locks[n], mode) for n in launch_locks], at=("go", "a.cpp", 5))
    who = one if same_thread else other
    r.blocked(who, free, [(locks[n], mode) for n in sync_locks], at=("trim", "b.cpp", 9))
    found = findings(r)
    assert rules(found) == [HAZARD] * fires
    if fires:
        assert [p.chain[-1].function for p in found[0].participants] == ["trim", "go"]


@pytest.mark.parametrize(
    ("communicators", "level"),
    [((1,), Level.NOTE), ((2,), Level.WARNING), ((0,), Level.WARNING), ((1, 2), Level.WARNING)],
)
def test_a_process_that_is_one_rank(findings, communicators: tuple[int, ...], level: Level) -> None:
    """None of its launches waits behind another one; where one process is more, the hazard is."""
    program, recordings = Program(), []
    for rank, count in enumerate(communicators):
        r = Recording(program, pid=rank + 1, rank=rank)
        for number in range(count):
            r.communicator(4096 + number, ranks=2, rank=rank)
        r.blocked(r.thread("a"), r.call("ncclGroupEnd", 0, LAUNCH), [], at=("go", "a.cpp", 5))
        r.blocked(r.thread("b"), r.call("cudaFree", 0, SYNC), [], at=("trim", "b.cpp", 9))
        recordings.append(r)
    found = [f for f in findings(*recordings) if f.rule == HAZARD]
    assert [f.level for f in found] == [level]


def test_threads_that_never_met_cannot_disturb_each_other(findings) -> None:
    r = Recording()
    one = r.thread(start_ns=1, end_ns=10)
    other = r.thread(start_ns=20)
    r.blocked(one, r.call("ncclGroupEnd", 0, LAUNCH), [])
    r.blocked(other, r.call("cudaFree", 0, SYNC), [])
    assert findings(r) == []


def test_a_sync_before_the_other_thread_was_started(findings) -> None:
    """By its thread, or by one that that started: nothing that comes later can meet it."""
    for launches_first in (False, True):
        r = Recording()
        main = r.thread("main", start_ns=1)
        between = r.thread("between", start_ns=50, creator=main)
        worker = r.thread("worker", start_ns=90, creator=between)
        launch, free = r.call("ncclGroupEnd", 0, LAUNCH), r.call("cudaFree", 0, SYNC)
        calls = [launch, free] if launches_first else [free, launch]
        r.blocked(main, calls[0], [], times=3, longest_ns=4, time_ns=10, last_ns=30)
        r.blocked(worker, calls[1], [], time_ns=95, last_ns=95, longest_ns=1)
        assert findings(r) == []


def test_a_first_sync_that_took_long_and_a_last_one_before_the_other_thread(findings) -> None:
    """What counts is when the thread's creation began: that is after the call, in one thread."""
    r = Recording()
    launch, free = r.call("ncclGroupEnd", 0, LAUNCH), r.call("cudaFree", 0, SYNC)
    main = r.thread("main", start_ns=1)
    worker = r.thread("worker", start_ns=60, creator=main, created_ns=40)
    r.blocked(main, free, [], times=6, longest_ns=50, time_ns=10, last_ns=30)
    r.blocked(worker, launch, [], time_ns=95, last_ns=95, longest_ns=1)
    assert findings(r) == []


@pytest.mark.parametrize(
    "why", ["later", "still there", "a stranger", "not known", "created before"]
)
def test_a_sync_that_the_other_thread_can_meet(findings, why: str) -> None:
    r = Recording()
    launch, free = r.call("ncclGroupEnd", 0, LAUNCH), r.call("cudaFree", 0, SYNC)
    main = r.thread("main", start_ns=1, wait_call=free if why == "still there" else 0)
    worker = r.thread("worker", start_ns=90, creator=0 if why == "a stranger" else main,
                      created_ns=20 if why == "created before" else 0)  # fmt: skip
    last = {"later": 91, "not known": 0}.get(why, 30)
    r.blocked(main, free, [], times=3, longest_ns=4, time_ns=10, last_ns=last)
    r.blocked(worker, launch, [], time_ns=95, last_ns=95, longest_ns=1)
    assert rules(findings(r)) == [HAZARD]


@pytest.mark.parametrize("freed", [5, 30])
def test_a_sync_after_the_other_thread_has_ended(findings, freed: int) -> None:
    r = Recording()
    main, worker = r.thread("main", start_ns=1), r.thread("worker", start_ns=2, end_ns=20)
    r.blocked(main, r.call("cudaFree", 0, SYNC), [], time_ns=freed, last_ns=40)
    r.blocked(worker, r.call("ncclGroupEnd", 0, LAUNCH), [], time_ns=9, last_ns=9)
    assert rules(findings(r)) == [HAZARD] * (freed == 5)


@pytest.mark.parametrize("library", ["libnccl.so.2", "librccl.so.1", "libncclient.so"])
def test_what_nccl_allocates_itself(findings, library: str) -> None:
    r = Recording()
    r.module(f"/opt/{library}", 0x70_0000, 0x70_0000, 0x71_0000)
    r.blocked(r.thread(), r.call("ncclGroupEnd", 0, LAUNCH), [])
    r.blocked(r.thread(), r.call("cudaMalloc", 0, SYNC), [], at=0x70_1234)
    assert rules(findings(r)) == [HAZARD] * (library == "libncclient.so")


# -- groups of NCCL calls ---------------------------------------------------------------------


@pytest.mark.parametrize("kind", [GroupMisuseKind.SYNC, GroupMisuseKind.MIXED])
def test_what_does_not_belong_in_a_group(findings, kind: GroupMisuseKind) -> None:
    program = Program()
    some = []
    for rank in range(2):
        r = Recording(program, pid=rank + 1, rank=rank)
        r.group_misuse(r.thread("main"), kind, r.call("someCall", GPU, CallFlag.SYNC))
        some.append(r)
    (finding,) = findings(*some)
    assert (finding.rule, finding.level) == ("group-misuse", Level.WARNING)
    assert finding.message.startswith("someCall inside an NCCL group ")
    assert finding.message.endswith("; seen in ranks 0-1")
    begin, call = (p.chain[-1].function for p in finding.participants)
    assert (begin, call) == ("begin_group", f"wrong_group_{int(kind)}")


def test_a_process_that_ends_inside_a_group(findings) -> None:
    r = Recording()
    r.group_misuse(r.thread("main"), GroupMisuseKind.EXIT)
    (finding,) = findings(r)
    assert (finding.rule, len(finding.participants)) == ("group-imbalance", 2)
    assert "begun in begin_group is still open when the process exits" in finding.message


def test_an_end_that_nobody_had_begun(findings) -> None:
    r = Recording()
    end = r.call("ncclGroupEnd", 0, LAUNCH)
    r.group_misuse(r.thread("main"), GroupMisuseKind.NOT_BEGUN, end, begun=False)
    (finding,) = findings(r)
    assert finding.rule == "group-imbalance"
    assert "ends an NCCL group that its thread has not begun" in finding.message


@pytest.mark.parametrize(("depth", "end_ns", "fires"), [(2, 9, True), (2, 0, False), (0, 9, False)])
def test_a_thread_that_has_ended(findings, depth: int, end_ns: int, fires: bool) -> None:
    """A group that is open where the process ended meanwhile is no mistake."""
    r = Recording()
    pc = r.pc(("launch_all", "app.cpp", 4))
    r.thread(end_ns=end_ns, group=(depth, 0, pc if depth else 0, 3))
    found = findings(r)
    assert rules(found) == ["group-imbalance"] * fires
    if fires:
        assert "begun in launch_all is still open when its thread ends" in found[0].message


# -- misuse -----------------------------------------------------------------------------------

_MISUSES = {
    MisuseKind.UNLOCK_NOT_HELD: "unlock-not-held",
    MisuseKind.DESTROY_HELD: "destroy-while-held",
    MisuseKind.EXIT_HELD: "lock-held-at-thread-exit",
    MisuseKind.FORK_HELD: "lock-held-across-fork",
}


@pytest.mark.parametrize("kind", _MISUSES)
def test_misuse(findings, kind: MisuseKind) -> None:
    r = Recording(rank=1)
    main, worker, lock = r.thread("main"), r.thread("worker"), r.named("a")
    for _ in range(2):  # the same place twice is one finding
        r.misuse(main, kind, lock, holder=worker, pc=r.pc(("take", "app.cpp", 8)))
    (finding,) = findings(r)
    assert (finding.rule, finding.level) == (_MISUSES[kind], Level.WARNING)
    assert finding.message.startswith("a is ")
    assert finding.message.endswith("; seen in rank 1")
    assert [p.who for p in finding.participants] == ["100:100 main", "100:101 worker"]
    assert finding.participants[1].held[0].chain[-1].function == "take"


@pytest.mark.parametrize(
    ("kind", "lock", "flags"),
    [
        (MisuseKind.UNLOCK_NOT_HELD, Kind.SEMAPHORE, 0),
        (MisuseKind.UNLOCK_NOT_HELD, Kind.MUTEX, LockFlag.ERRORCHECK),
        (MisuseKind.EXIT_HELD, Kind.MUTEX, LockFlag.ROBUST),
        (MisuseKind.EXIT_HELD, Kind.SEMAPHORE, 0),
        (MisuseKind.DESTROY_HELD, Kind.SEMAPHORE, 0),
        (MisuseKind.FORK_HELD, Kind.GIL, 0),
    ],
)
def test_what_is_none(findings, kind: MisuseKind, lock: Kind, flags: int) -> None:
    r = Recording()
    r.misuse(r.thread(), kind, r.named("a", lock, flags))
    assert findings(r) == []


def test_a_python_lock_that_others_release_is_a_signal(findings) -> None:
    r = Recording()
    thread, lock = r.thread(), r.named("a", Kind.PYTHON_LOCK)
    r.misuse(thread, MisuseKind.EXIT_HELD, lock)
    assert rules(findings(r)) == ["lock-held-at-thread-exit"]
    r.misuse(thread, MisuseKind.UNLOCK_NOT_HELD, lock)
    assert findings(r) == []


# -- a thread that waits for itself -----------------------------------------------------------


def test_a_recorded_self_deadlock(findings) -> None:
    r = Recording()
    r.misuse(r.thread(), MisuseKind.SELF_DEADLOCK, r.named("a"), pc=r.pc(("take", "app.cpp", 8)))
    (finding,) = findings(r)
    assert (finding.rule, finding.level) == ("self-deadlock", Level.ERROR)
    assert finding.participants[0].held[0].chain[-1].function == "take"


@pytest.mark.parametrize("stands", [True, False])
def test_what_came_of_it(findings, stands: bool) -> None:
    """An error-checking mutex refuses: nobody is told to have waited for himself."""
    r = Recording()
    lock = r.named("a", flags=0 if stands else LockFlag.ERRORCHECK)
    r.misuse(r.thread(waits_for=lock if stands else 0), MisuseKind.SELF_DEADLOCK, lock)
    (finding,) = findings(r)
    assert ("waited for itself" in finding.reason) is stands
    assert ("EDEADLK" in finding.reason) is not stands


@pytest.mark.parametrize(
    ("flags", "modes", "fires"),
    [
        (0, (EXCLUSIVE, EXCLUSIVE), True),
        (0, (SHARED, EXCLUSIVE), True),
        (0, (SHARED, SHARED), False),
        (LockFlag.RECURSIVE, (EXCLUSIVE, EXCLUSIVE), False),
        (LockFlag.ERRORCHECK, (EXCLUSIVE, EXCLUSIVE), False),
    ],
)
def test_a_thread_that_stands_at_its_own_lock(findings, flags: int, modes, fires: bool) -> None:
    r = Recording()
    lock = r.named("a", Kind.RWLOCK, flags)
    stack = r.stack(("again", "app.cpp", 9), ("main", "app.cpp", 3))
    pc = r.pc(("main", "app.cpp", 2))
    r.thread(held=[(lock, modes[0], 0, 1, pc)], waits_for=lock, wait_how=modes[1], wait_stack=stack)
    assert rules(findings(r)) == ["self-deadlock"] * fires


def test_a_thread_that_waits_for_another(findings) -> None:
    r = Recording()
    a, b = r.named("a"), r.named("b")
    r.thread(held=[(a, 0, 0, 1, 0)], waits_for=b)
    assert findings(r) == []
