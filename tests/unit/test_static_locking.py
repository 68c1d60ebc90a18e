"""Locks that are taken and given up, on one state at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.knowledge.load import Operation
from lockorder.model import Certainty
from lockorder.static.interp import lock_functions, lock_methods, locking, misuse
from lockorder.static.interp.summary import Gate, Guard, Held, Rank, State
from lockorder.static.program.paths import ENTRY, UNKNOWN, Path
from walks import BLOCKING, EXCLUSIVE, SHARED, TIMED, TRY, Walking, walking

TEXT = """
std::mutex a, b, c;
std::recursive_mutex again;
std::shared_mutex both;
sem_t signal;
struct Node { std::mutex mutex; Node *next; Node *all[4]; };
Node *nodes;
void f(Node *p, Node *q) {}
"""
GIL = Path.of_named("Python GIL")


@pytest.fixture
def here() -> Walking:
    return walking(TEXT)


def take(here: Walking, state: State, *names: str, together: bool = False) -> State:
    return locking.acquire(
        here.walk, state, here.all(*names), EXCLUSIVE, BLOCKING, here.site(9), together=together
    )


# -- taking ---------------------------------------------------------------------------------------


def test_what_is_taken_is_held(here: Walking) -> None:
    assert here.held(take(here, State(), "a")) == ["a"]


def test_the_state_before_stays_as_it_was(here: Walking) -> None:
    before = here.holding("a")
    take(here, before, "b")
    assert here.held(before) == ["a"]


def test_an_order_arises_from_each_that_is_held(here: Walking) -> None:
    take(here, here.holding("a", "b"), "c")
    assert here.orders() == {("a", "c"), ("b", "c")}


def test_with_nothing_held_no_order_arises(here: Walking) -> None:
    take(here, State(), "a")
    assert here.orders() == set()


def test_locks_that_are_taken_together_have_no_order(here: Walking) -> None:
    after = take(here, here.holding("c"), "a", "b", together=True)
    assert here.orders() == {("c", "a"), ("c", "b")}
    assert [h.either for h in after.held[1:]] == [False, False]


def test_one_of_several_is_not_held_for_sure(here: Walking) -> None:
    after = take(here, State(), "a", "b")
    assert [h.either for h in after.held] == [True, True]
    assert here.orders() == set()


def test_one_alone_is_held_for_sure(here: Walking) -> None:
    assert not take(here, State(), "a").held[0].either


def test_one_of_several_need_not_be_the_same_again(here: Walking) -> None:
    take(here, take(here, State(), "a", "b"), "a", "b")
    assert here.again() == set()


def test_a_loop_that_takes_one_after_the_other_has_its_order(here: Walking) -> None:
    take(here, take(here, State(), "a", "b"), "a", "b")
    assert here.orders() == set()


def test_one_of_several_at_another_place_comes_after(here: Walking) -> None:
    first = take(here, State(), "a", "b")
    locking.acquire(here.walk, first, here.all("a", "b"), EXCLUSIVE, BLOCKING, here.site(10))
    assert here.orders() == {("a", "b"), ("b", "a")}


def test_a_mutex_that_is_held_is_taken_again(here: Walking) -> None:
    take(here, here.holding("a"), "a")
    assert here.again() == {"a"}
    assert here.orders() == set()


def test_a_recursive_mutex_may_be_taken_again(here: Walking) -> None:
    after = take(here, here.holding("again"), "again")
    assert here.again() == set()
    assert here.held(after) == ["again", "again"]


def test_its_holder_takes_a_recursive_mutex_at_once(here: Walking) -> None:
    """Nobody is waited for: no order of what was taken in between."""
    take(here, here.holding("again", "a"), "again")
    assert here.orders() == set()


def test_two_readers_are_a_deadlock_only_if_a_writer_comes_between(here: Walking) -> None:
    state = here.holding("both", mode=SHARED)
    locking.acquire(here.walk, state, here.all("both"), SHARED, BLOCKING, here.site())
    (again,) = here.engine.found.self_locks.values()
    assert again.taken.certainty == Certainty.POSSIBLE
    assert again.taken.why == locking.READS_AGAIN


@pytest.mark.parametrize(("first", "second"), [(SHARED, EXCLUSIVE), (EXCLUSIVE, SHARED)])
def test_a_reader_that_writes_waits_for_itself(here: Walking, first, second) -> None:
    state = here.holding("both", mode=first)
    locking.acquire(here.walk, state, here.all("both"), second, BLOCKING, here.site())
    assert here.again() == {"both"}


@pytest.mark.parametrize("how", [TRY, TIMED])
def test_who_does_not_wait_for_ever_is_no_deadlock(here: Walking, how) -> None:
    state = here.holding("a")
    locking.acquire(here.walk, state, here.all("a"), EXCLUSIVE, how, here.site())
    assert here.again() == set()


def test_the_same_member_of_two_parameters_is_for_callers(here: Walking) -> None:
    take(here, here.holding("p.mutex"), "q.mutex")
    assert here.kept_orders() == {("p.mutex", "q.mutex")}


def test_the_lock_of_a_parameter_taken_twice_is_the_same(here: Walking) -> None:
    take(here, here.holding("p.mutex"), "p.mutex")
    assert here.again() == {"Node::mutex"}


def test_what_is_held_is_a_gate_for_the_others(here: Walking) -> None:
    take(here, here.holding("a", "b"), "c")
    found = {pair: emitted.order.gates for pair, (emitted,) in here.engine.found.orders.items()}
    assert found["a", "c"] == {Gate(here.at("b"), EXCLUSIVE)}
    assert found["b", "c"] == {Gate(here.at("a"), EXCLUSIVE)}


def test_what_is_perhaps_held_is_no_gate(here: Walking) -> None:
    state = here.holding("a", "b")
    state = state.but(held=(state.held[0]._replace(either=True), state.held[1]))
    take(here, state, "c")
    ((emitted,),) = [e for p, e in here.engine.found.orders.items() if p == ("b", "c")]
    assert emitted.order.gates == frozenset()


# -- of objects that were compared -----------------------------------------------------------------


def test_objects_that_were_compared_have_no_free_order(here: Walking) -> None:
    rank = Rank(here.at("p"), here.at("q"))
    state = here.holding("p.mutex").but(ranks=frozenset((rank,)))
    take(here, state, "q.mutex")
    assert here.kept_orders() == set()
    assert here.orders() == set()


def test_ranked_both_ways_they_have_none(here: Walking) -> None:
    rank = frozenset((Rank(here.at("p"), here.at("q")),))
    take(here, here.holding("p.mutex").but(ranks=rank), "q.mutex")
    take(here, here.holding("q.mutex").but(ranks=rank), "p.mutex")
    assert here.orders() == {("Node::mutex", "Node::mutex")}


def test_a_comparison_of_others_says_nothing(here: Walking) -> None:
    rank = Rank(here.at("p"), here.at("nodes"))
    take(here, here.holding("p.mutex").but(ranks=frozenset((rank,))), "q.mutex")
    assert here.kept_orders() == {("p.mutex", "q.mutex")}


# -- giving up -------------------------------------------------------------------------------------


def test_what_was_taken_here_is_no_callers(here: Walking) -> None:
    after = locking.release(here.walk, here.holding("a", "b"), here.all("a"))
    assert here.held(after) == ["b"]
    assert here.given_up(after) == set()
    assert after.freed == {here.at("a")}


def test_what_was_not_taken_here_is_the_callers(here: Walking) -> None:
    after = locking.release(here.walk, here.holding("b"), here.all("a"))
    assert here.held(after) == ["b"]
    assert here.given_up(after) == {"a"}
    assert after.freed == frozenset()


def test_the_last_one_goes_first(here: Walking) -> None:
    after = locking.release(here.walk, here.holding("again", "b", "again"), here.all("again"))
    assert [(here.name(h.path), h.site.line) for h in after.held] == [("again", 1), ("b", 2)]


@pytest.mark.parametrize("order", [(SHARED, EXCLUSIVE), (EXCLUSIVE, SHARED)])
def test_a_reader_gives_up_as_a_reader(here: Walking, order) -> None:
    held = tuple(Held(here.at("both"), m, BLOCKING, here.site()) for m in order)
    after = locking.release(here.walk, State(held), here.all("both"), SHARED)
    assert [h.mode for h in after.held] == [EXCLUSIVE]


def test_a_lock_is_known_by_another_expression(here: Walking) -> None:
    """Where one lock of the class is held it must be that one."""
    after = locking.release(here.walk, here.holding("p.mutex"), here.all("q.mutex"))
    assert after.held == ()


def test_of_two_of_a_class_nobody_knows_which(here: Walking) -> None:
    before = here.holding("p.mutex", "p.next.mutex")
    after = locking.release(here.walk, before, here.all("q.mutex"))
    assert len(after.held) == 2
    assert here.given_up(after) == {"q.mutex"}


def test_the_entrys_lock_is_the_callers(here: Walking) -> None:
    held = Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), ENTRY)
    after = locking.release(here.walk, State((held,)), here.all("a"))
    assert after.held == ()
    assert here.given_up(after) == {"a"}


def test_the_callers_lock_is_taken_back(here: Walking) -> None:
    away = locking.release(here.walk, State(), here.all("a"))
    after = take(here, away, "a")
    assert after.held == ()
    assert here.given_up(after) == set()


def test_taking_it_back_waits_with_the_others_held(here: Walking) -> None:
    away = locking.release(here.walk, here.holding("b"), here.all("a"))
    take(here, away, "a")
    assert here.orders() == {("b", "a")}


def test_what_an_entry_needs_is_held_again_when_it_is_taken_back(here: Walking) -> None:
    here.walk.needed = frozenset(here.all("a"))
    after = take(here, State(released=frozenset(here.all("a"))), "a")
    assert [(here.name(h.path), h.guard) for h in after.held] == [("a", ENTRY)]


def test_who_posts_a_semaphore_without_having_waited_notifies(here: Walking) -> None:
    locking.release(here.walk, State(), here.all("signal"))
    assert [e.kind for e in here.engine.found.events.values()] == ["notify"]


def test_who_gives_a_mutex_up_notifies_nobody(here: Walking) -> None:
    locking.release(here.walk, State(), here.all("a"))
    assert here.engine.found.events == {}


@given(st.lists(st.sampled_from("abc"), unique=True), st.data())
def test_taken_and_given_up_in_any_order_nothing_is_left(names: list[str], data) -> None:
    here = walking(TEXT)
    state = State()
    for name in names:
        state = take(here, state, name)
    for name in data.draw(st.permutations(names)):
        state = locking.release(here.walk, state, here.all(name))
    assert (state.held, state.released) == ((), frozenset())


# -- attempts --------------------------------------------------------------------------------------


def attempt(here: Walking, how=TRY, success: bool = True) -> list[State]:
    state = State(facts={here.result: True})
    return locking.attempt(
        here.walk, state, state, here.all("a"), EXCLUSIVE, how, here.result, here.site(),
        success=success,
    )  # fmt: skip


def test_an_attempt_has_two_ends(here: Walking) -> None:
    won, lost = attempt(here)
    assert (here.held(won), here.held(lost)) == (["a"], [])
    assert (won.facts[here.result], lost.facts[here.result]) == (True, False)


def test_success_may_be_zero(here: Walking) -> None:
    won, lost = attempt(here, success=False)
    assert (won.facts[here.result], lost.facts[here.result]) == (False, True)


def test_who_waits_for_ever_wins(here: Walking) -> None:
    (won,) = attempt(here, BLOCKING)
    assert here.held(won) == ["a"]
    assert here.result not in won.facts


def test_an_attempt_is_remembered(here: Walking) -> None:
    won, lost = attempt(here)
    (tried,) = here.walk.log.tries
    assert (won.facts[tried.key], lost.facts[tried.key]) == (True, False)


def test_what_waits_for_ever_is_no_attempt(here: Walking) -> None:
    attempt(here, BLOCKING)
    assert here.walk.log.tries == []


def test_the_result_undoes_what_no_guard_holds(here: Walking) -> None:
    won, _ = attempt(here)
    assert won.held[0].undo == here.result


def test_an_attempt_makes_no_order_into_the_lock_that_can_deadlock(here: Walking) -> None:
    state = here.holding("b")
    locking.attempt(
        here.walk, state, state, here.all("a"), EXCLUSIVE, TRY, here.result, here.site()
    )
    ((emitted,),) = here.engine.found.orders.values()
    assert emitted.order.taken.how is TRY


# -- methods and functions ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "mode", "held"),
    [("acquire", EXCLUSIVE, ["a"]), ("acquire", SHARED, ["a"]), ("release", EXCLUSIVE, [])],
)
def test_operations(here: Walking, what: str, mode, held: list[str]) -> None:
    before = here.holding("a") if what == "release" else State()
    operation = Operation(what, mode)
    (after,) = locking.operate_lock(
        here.walk, before, here.all("a"), operation, here.result, here.site()
    )
    assert here.held(after) == held
    assert [h.mode for h in after.held] == [mode] * len(held)


def test_a_method_that_gives_a_guard(here: Walking) -> None:
    operation = Operation("guard", EXCLUSIVE)
    (after,) = locking.operate_lock(
        here.walk, State(), here.all("a"), operation, here.result, here.site()
    )
    assert after.guards[here.result] == Guard(here.all("a"), True)
    assert after.held[0].guard == here.result


def test_behind_a_guard_are_its_locks(here: Walking) -> None:
    guard = Path.of_variable("guard")
    state = State(guards={guard: Guard(here.all("a", "b"), True)})
    assert locking.behind(state, guard) == here.all("a", "b")
    assert locking.behind(state, here.at("c")) == here.all("c")


def call(here: Walking, name: str, *args: Path, state: State | None = None) -> list[State]:
    known = here.walk.knowledge.functions[name]
    return lock_functions.call_lock_function(
        here.walk, state or State(), known, (), [(a,) for a in args], here.result, here.site()
    )


def test_a_function_that_may_fail_leaves_two_states(here: Walking) -> None:
    won, lost = call(here, "pthread_mutex_trylock", here.at("a"))
    assert (here.held(won), here.held(lost)) == (["a"], [])
    assert (won.facts[here.result], lost.facts[here.result]) == (False, True)  # zero is success


def test_all_arguments_are_taken_together(here: Walking) -> None:
    (after,) = call(here, "std::lock", here.at("a"), here.at("b"))
    assert here.held(after) == ["a", "b"]
    assert here.orders() == set()
    assert not any(h.either for h in after.held)


def test_guards_among_all_arguments_own_their_locks_then(here: Walking) -> None:
    guard = Path.of_variable("guard")
    state = State(guards={guard: Guard(here.all("a"), False)})
    (after,) = call(here, "std::lock", guard, here.at("b"), state=state)
    assert after.guards[guard].owned
    assert here.held(after) == ["a", "b"]


def test_the_number_that_says_success(here: Walking) -> None:
    won, lost = call(here, "std::try_lock", here.at("a"), here.at("b"))
    assert here.held(won) == ["a", "b"]
    assert won.env[here.result] == (Path.of_literal("-1"),)
    assert here.held(lost) == []
    assert here.result not in lost.env


def test_a_named_lock_is_taken(here: Walking) -> None:
    (after,) = call(here, "PyGILState_Ensure")
    assert [h.lock.named != "" for h in after.held] == [True]


def test_an_attribute_makes_a_mutex_recursive() -> None:
    here = walking("pthread_mutex_t m; pthread_mutexattr_t attr; void f() {}")
    kind = Path.of_literal("PTHREAD_MUTEX_RECURSIVE")
    lock_functions.make_recursive(
        here.walk, "pthread_mutexattr_settype", [here.all("attr"), (kind,)]
    )
    assert not here.walk.identities.reentrant(here.at("m"))
    lock_functions.make_recursive(
        here.walk, "pthread_mutex_init", [here.all("m"), here.all("attr")]
    )
    assert here.walk.identities.reentrant(here.at("m"))


def test_another_attribute_does_not() -> None:
    here = walking("pthread_mutex_t m; pthread_mutexattr_t attr, other; void f() {}")
    kind = Path.of_literal("PTHREAD_MUTEX_RECURSIVE")
    lock_functions.make_recursive(
        here.walk, "pthread_mutexattr_settype", [here.all("other"), (kind,)]
    )
    lock_functions.make_recursive(
        here.walk, "pthread_mutex_init", [here.all("m"), here.all("attr")]
    )
    assert not here.walk.identities.reentrant(here.at("m"))


# -- methods of classes of the program -------------------------------------------------------------

SPIN = """
struct Spin {
  void lock() { while (flag.exchange(true)) wait(); }
  void unlock() { flag.store(false); }
  bool try_lock() { return !flag.exchange(true); }
  void wait();
  std::atomic<bool> flag{false};
};
struct Wrapped { void lock() { m.lock(); } void unlock() { m.unlock(); } std::mutex m; };
void f() {}
"""


def test_a_class_with_a_lock_inside_is_none_itself() -> None:
    here = walking(SPIN)
    body = here.usr("Wrapped::lock")
    assert not lock_methods.is_own_lock(here.walk, "Wrapped::lock", [body])


def test_methods_of_other_names_are_none_of_locks() -> None:
    here = walking(SPIN)
    assert not lock_methods.is_own_lock(here.walk, "Spin::wait", [here.usr("Spin::lock")])


def test_a_guard_in_a_pair_is_the_pairs() -> None:
    here = walking(
        "std::mutex a; std::pair<std::unique_lock<std::mutex>, int> kept;"
        "void f() { kept.first.unlock(); }"
    )
    whole = here.at("kept")
    state = State(guards={whole: Guard(here.all("a"), True)})
    state = state.but(held=(Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), whole),))
    first = next(u for u, v in here.program.variables.items() if v.name.endswith("::first"))
    (after,) = lock_methods.on_guard(
        here.walk, state, "std::unique_lock", whole.then(first), Operation("release", EXCLUSIVE),
        here.result, here.site(),
    )  # fmt: skip
    assert after.held == ()
    assert not after.guards[whole].owned


# -- misuse ----------------------------------------------------------------------------------------


def unlock(here: Walking, state: State, name: str) -> None:
    misuse.unlocked(here.walk, state, here.all(name), here.site(3))


def test_unlocked_twice(here: Walking) -> None:
    unlock(here, locking.release(here.walk, here.holding("a"), here.all("a")), "a")
    assert here.misuses() == {("unlock-not-held", "a")}


def test_unlocked_twice_of_the_callers(here: Walking) -> None:
    unlock(here, locking.release(here.walk, State(), here.all("a")), "a")
    assert here.misuses() == {("unlock-not-held", "a")}


def test_unlocked_once_the_lock_may_be_the_callers(here: Walking) -> None:
    unlock(here, State(), "a")
    assert here.misuses() == set()


def test_taken_again_in_between(here: Walking) -> None:
    away = locking.release(here.walk, here.holding("a"), here.all("a"))
    unlock(here, take(here, away, "a"), "a")
    assert here.misuses() == set()


def test_unlocked_twice_on_one_way_only(here: Walking) -> None:
    unlock(here, locking.release(here.walk, here.holding("a"), here.all("a")), "a")
    unlock(here, here.holding("a"), "a")
    assert here.misuses() == set()


@pytest.mark.parametrize("name", ["again", "signal", "nodes.all.[].mutex"])
def test_what_can_be_had_twice_or_is_one_of_many(here: Walking, name: str) -> None:
    unlock(here, locking.release(here.walk, here.holding(name), here.all(name)), name)
    assert here.misuses() == set()


def test_deleted_while_held(here: Walking) -> None:
    misuse.deleted(here.walk, here.holding("p.mutex"), here.at("p"), here.site())
    assert here.misuses() == {("destroy-while-held", "p")}


def test_what_is_only_reached_from_it_lives_on(here: Walking) -> None:
    misuse.deleted(here.walk, here.holding("p.next.mutex"), here.at("p"), here.site())
    assert here.misuses() == set()


def test_another_object_of_the_class_is_held(here: Walking) -> None:
    misuse.deleted(here.walk, here.holding("q.mutex"), here.at("p"), here.site())
    assert here.misuses() == set()


# -- code that is not here -------------------------------------------------------------------------


def test_a_lock_that_is_handed_out_may_be_given_up(here: Walking) -> None:
    after = locking.handed_out(here.walk, here.holding("a", "b"), [here.all("a")])
    assert [h.leaked for h in after.held] == [True, False]


def test_a_guards_lock_is_not_given_up_elsewhere(here: Walking) -> None:
    state = here.holding("a")
    state = state.but(held=(state.held[0]._replace(guard=Path.of_variable("guard")),))
    assert locking.handed_out(here.walk, state, [here.all("a")]) is state


def test_unknown_objects_are_no_locks_of_ours(here: Walking) -> None:
    state = here.holding("a")
    assert locking.handed_out(here.walk, state, [(UNKNOWN,)]) is state
