"""Locks that a thread has several times over, and loops that try until they succeed."""

from __future__ import annotations

import pytest

from lockorder.static.interp import counted, flags, levels, locking, spins
from lockorder.static.interp.known import Tried
from lockorder.static.interp.summary import Held, Outcome, State
from lockorder.static.interp.tries import Log, Round, Try
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import ENTRY, Path
from walks import BLOCKING, EXCLUSIVE, TRY, Walking, walking

GIL = Path.of_named("Python GIL")
TEXT = "std::mutex a, b; void f() {}"


@pytest.fixture
def here() -> Walking:
    return walking(TEXT)


def having(here: Walking, number: int, *guards: Path | None) -> State:
    """A thread that ensured the GIL so often; *guards* of the first ones."""
    guards = (*guards, *[None] * (number - len(guards)))
    return State(tuple(Held(GIL, EXCLUSIVE, BLOCKING, here.site(), g) for g in guards))


# -- levels ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_every_level_is_given_up(here: Walking, number: int) -> None:
    after, _ = levels.give_up(here.walk, having(here, number), (GIL,))
    assert after.held == ()
    assert after.released == {GIL}


def test_other_locks_stay(here: Walking) -> None:
    state = having(here, 2)
    state = state.but(held=(*state.held, *here.holding("a").held))
    after, _ = levels.give_up(here.walk, state, (GIL,))
    assert here.held(after) == ["a"]


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_what_was_saved_comes_back(here: Walking, number: int) -> None:
    before = having(here, number)
    saved = levels.save(here.walk, before, (GIL,), here.site())
    back, paths = levels.restored(saved, (GIL,))
    after = locking.acquire(here.walk, back, paths, EXCLUSIVE, BLOCKING, here.site())
    assert [h.path for h in after.held] == [GIL] * number
    assert after.released == frozenset()


@pytest.mark.parametrize("number", [1, 2])
def test_what_comes_back_is_held_for_sure(here: Walking, number: int) -> None:
    saved = levels.save(here.walk, having(here, number), (GIL,), here.site())
    back, paths = levels.restored(saved, (GIL,))
    after = locking.acquire(here.walk, back, paths, EXCLUSIVE, BLOCKING, here.site())
    assert not any(h.either for h in after.held)


def test_the_callers_level_comes_back_as_the_callers(here: Walking) -> None:
    here.walk.needed = frozenset((GIL,))
    saved = levels.save(here.walk, having(here, 1, ENTRY), (GIL,), here.site())
    back, paths = levels.restored(saved, (GIL,))
    after = locking.acquire(here.walk, back, paths, EXCLUSIVE, BLOCKING, here.site())
    assert [h.guard for h in after.held] == [ENTRY]


def test_restored_where_nothing_was_saved_it_is_one(here: Walking) -> None:
    state = State()
    assert levels.restored(state, (GIL,)) == (state, (GIL,))


def test_what_was_saved_is_restored_once(here: Walking) -> None:
    saved = levels.save(here.walk, having(here, 2), (GIL,), here.site())
    back, _ = levels.restored(saved, (GIL,))
    assert levels.restored(back, (GIL,)) == (back, (GIL,))


# -- tries and loops -------------------------------------------------------------------------------


def test_tries_at_one_place_are_one_fact(here: Walking) -> None:
    one, other = (Try(here.all(n), EXCLUSIVE, here.site(3, 4)) for n in "ab")
    assert one.key == other.key == Tried(3, 4)


def test_tries_at_two_places_are_two_facts(here: Walking) -> None:
    one, other = (Try(here.all("a"), EXCLUSIVE, here.site(3, column)) for column in (4, 5))
    assert one.key != other.key


def test_a_mark_counts_what_came_before() -> None:
    log = Log()
    assert log.mark() == (0, 0)
    log.given.append(GIL)
    assert log.mark() == (0, 1)


class Trying:
    """A loop that tries ``a``; what it gave back, and who comes round and out of it."""

    def __init__(self, here: Walking) -> None:
        self.here = here
        self.attempt = Try(here.all("a"), EXCLUSIVE, here.site(5))
        here.walk.log.tries.append(self.attempt)

    def state(self, won: bool | None, *held: str) -> State:
        state = self.here.holding(*held)
        return state if won is None else state.but(facts={self.attempt.key: won})

    def note(self, entering: State, back: State, *left: State) -> None:
        spins.note(self.here.walk, Round((0, 0), [entering], [back], list(left)))


@pytest.fixture
def loop(here: Walking) -> Trying:
    return Trying(here)


def test_who_leaves_only_with_the_lock_has_waited(here: Walking, loop: Trying) -> None:
    loop.note(loop.state(None, "b"), loop.state(False, "b"), loop.state(True, "b", "a"))
    assert here.orders() == {("b", "a")}
    ((emitted,),) = here.engine.found.orders.values()
    assert emitted.order.taken.how is BLOCKING


def test_who_also_leaves_without_it_has_not(here: Walking, loop: Trying) -> None:
    back = loop.state(False, "b")
    loop.note(loop.state(None, "b"), back, loop.state(True, "b", "a"), back)
    assert here.orders() == set()


def test_a_loop_that_nobody_leaves_says_nothing(here: Walking, loop: Trying) -> None:
    loop.note(loop.state(None, "b"), loop.state(False, "b"))
    assert here.orders() == set()


def test_what_is_given_back_on_the_way_is_not_held_meanwhile(here: Walking, loop: Trying) -> None:
    here.walk.log.given.extend(here.all("b"))
    back = loop.state(False, "b").but(freed=frozenset(here.all("b")))
    loop.note(loop.state(None, "b"), back, loop.state(True, "b", "a"))
    assert here.orders() == set()


def test_who_comes_round_with_it_does_not_wait(here: Walking, loop: Trying) -> None:
    loop.note(loop.state(None, "b"), loop.state(True, "b", "a"), loop.state(True, "b", "a"))
    assert here.orders() == set()


def test_a_lock_that_was_not_held_before_is_none_that_it_waits_with(
    here: Walking, loop: Trying
) -> None:
    loop.note(loop.state(None), loop.state(False, "b"), loop.state(True, "b", "a"))
    assert here.orders() == set()


# -- flags that are locks --------------------------------------------------------------------------

FLAG = """
std::atomic<bool> busy{false};
std::mutex a;
void take() { while (busy.exchange(true)) {} }
void give() { busy.store(false); }
void both() { while (busy.exchange(true)) {} busy.store(false); }
void f() { busy.exchange(true); }
"""


def flag_call(here: Walking, state: State, args: tuple[Path, ...] = ()) -> list[State] | None:
    (event,) = here.statements(f.Call)
    return flags.call(here.walk, event, state, [args], here.result, here.site())


def test_a_swap_in_a_loop_tries_to_take_the_flag() -> None:
    here = walking(FLAG, "take")
    won, lost = flag_call(here, State())
    assert (here.held(won), here.held(lost)) == (["busy"], [])
    assert (won.facts[here.result], lost.facts[here.result]) == (False, True)
    assert [h.how for h in won.held] == [TRY]


def test_a_store_gives_it_up() -> None:
    here = walking(FLAG, "give")
    (after,) = flag_call(here, here.holding("busy", "a"))
    assert here.held(after) == ["a"]


def test_a_program_without_such_loops_has_no_such_flags() -> None:
    here = walking("std::atomic<bool> busy{false}; void f() { busy.exchange(true); }")
    assert flag_call(here, State()) is None


def test_an_assignment_of_zero_gives_a_flag_up() -> None:
    text = (
        "int busy; void both() { while (__sync_lock_test_and_set(&busy, 1)) {} busy = 0; }"
        "void f() { busy = 0; }"
    )
    here = walking(text)
    (event,) = here.statements(f.Assign)
    assert flags.assign(here.walk, event, here.holding("busy")).held == ()


def test_other_assignments_give_nothing_up() -> None:
    text = (
        "int busy, other; void both() { while (__sync_lock_test_and_set(&busy, 1)) {} busy = 0; }"
        "void f() { other = 0; }"
    )
    here = walking(text)
    (event,) = here.statements(f.Assign)
    state = here.holding("busy")
    assert flags.assign(here.walk, event, state) is state


# -- counted ---------------------------------------------------------------------------------------

COUNTED = """
struct Lock {
  void lock() { if (owner == self()) { ++count; return; } m.lock(); owner = self(); count = 1; }
  void unlock() { if (--count == 0) { owner = 0; m.unlock(); } }
  static long self();
  std::mutex m; long owner; int count;
};
std::mutex a;
void f() {}
"""


def outcomes(here: Walking, *held: bool) -> list[Outcome]:
    """Ways of which these take the lock, and others do not."""
    lock = Held(here.walk.identities.outer(here.at("this.m")), EXCLUSIVE, BLOCKING, here.site())
    return [Outcome(held=(lock,) if h else ()) for h in held]


def counting(here: Walking, takes: bool) -> dict[object, bool]:
    return here.engine.wrappers.counted.setdefault(here.function.usr, {})


def test_a_way_that_finds_its_thread_as_owner_has_taken_it_too() -> None:
    here = walking(COUNTED, "Lock::lock")
    assert list(here.engine.wrappers.counted.get(here.function.usr, {}).values()) == [True]
    found = counted.once(here.walk, outcomes(here, True, False))
    assert [len(o.held) for o in found] == [1, 1]


def test_where_no_way_takes_it_none_does() -> None:
    here = walking(COUNTED, "Lock::lock")
    found = counted.once(here.walk, outcomes(here, False, False))
    assert [len(o.held) for o in found] == [0, 0]


def test_a_way_with_another_result_has_failed() -> None:
    here = walking(COUNTED, "Lock::lock")
    won, lost = outcomes(here, True, False)
    found = counted.once(here.walk, [won._replace(flag=True), lost._replace(flag=False)])
    assert [len(o.held) for o in found] == [1, 0]


def test_a_way_that_only_counts_down_has_given_it_up_too() -> None:
    here = walking(COUNTED, "Lock::unlock")
    path = here.walk.identities.outer(here.at("this.m"))
    found = counted.once(here.walk, [Outcome(released=frozenset((path,))), Outcome()])
    assert [o.released for o in found] == [{path}, {path}]


def test_functions_that_count_nothing_are_left_alone() -> None:
    here = walking(COUNTED)
    ways = [Outcome(released=frozenset(here.all("a"))), Outcome()]
    assert counted.once(here.walk, ways) == ways


def test_a_builtin_that_swaps_is_given_the_flag() -> None:
    here = walking(
        "int busy; void both() { while (__sync_lock_test_and_set(&busy, 1)) {} busy = 0; }"
        "void f() { __sync_lock_test_and_set(&busy, 1); }"
    )
    ways = flag_call(here, State(), here.all("busy"))
    assert ways is not None
    assert [here.held(w) for w in ways] == [["busy"], []]
