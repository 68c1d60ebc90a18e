"""Guards: objects that have locks until they die, moved, swapped and kept in containers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.knowledge.load import Operation
from lockorder.static.interp import guards
from lockorder.static.interp.summary import Guard, Held, State
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import ELEMENT, GUARDED
from walks import BLOCKING, EXCLUSIVE, SHARED, TRY, Walking, walking

TEXT = """
std::mutex a, b, c;
std::shared_mutex both;
std::timed_mutex timed;
std::unique_lock<std::mutex> one, other;
std::vector<std::unique_lock<std::mutex>> many;
struct Null { void lock() {} void unlock() {} };
Null nothing;
struct Inner { std::mutex mutex; };
struct Outer {
  void lock() { inner->mutex.lock(); }
  void unlock() { inner->mutex.unlock(); }
  Inner *inner;
};
Outer outer;
void f(std::unique_lock<std::mutex> &from, std::mutex *p) {
  (void)std::adopt_lock; (void)std::defer_lock; (void)std::try_to_lock;
  nothing.lock(); outer.lock();
}
"""
UNIQUE, LOCK_GUARD, SCOPED = "std::unique_lock", "std::lock_guard", "std::scoped_lock"
NOW = Path.of_variable("guard")


@pytest.fixture
def here() -> Walking:
    return walking(TEXT)


def construct(
    here: Walking, kind: str, *args: Paths, state: State | None = None, at: Path = NOW
) -> list[State]:
    known = here.walk.knowledge.guards[kind]
    return guards.construct_guard(here.walk, state or State(), at, known, args, here.site())


def owner(here: Walking, at: Path, *names: str, owned: bool = True, extra: State | None = None):
    """A state in which *at* is a guard of these."""
    state = extra or State()
    mine = tuple(Held(here.at(n), EXCLUSIVE, BLOCKING, here.site(), at) for n in names)
    return state.but(
        guards={**state.guards, at: Guard(here.all(*names), owned)},
        held=(*state.held, *mine) if owned else state.held,
    )


# -- construction ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [LOCK_GUARD, UNIQUE, SCOPED])
def test_a_guard_takes_what_it_is_made_of(here: Walking, kind: str) -> None:
    (after,) = construct(here, kind, here.all("a"))
    assert [(here.name(h.path), h.guard) for h in after.held] == [("a", NOW)]
    assert after.guards[NOW].owned


def test_one_that_is_given_nothing_owns_nothing(here: Walking) -> None:
    (after,) = construct(here, UNIQUE)
    assert after.guards[NOW] == Guard((), False)
    assert after.held == ()


def test_a_deferred_one_waits(here: Walking) -> None:
    (after,) = construct(here, UNIQUE, here.all("a"), here.all("std::defer_lock"))
    assert after.guards[NOW] == Guard(here.all("a"), False)
    assert after.held == ()


def test_one_that_adopts_takes_nothing_and_owns(here: Walking) -> None:
    state = here.holding("a")
    (after,) = construct(here, UNIQUE, here.all("a"), here.all("std::adopt_lock"), state=state)
    assert after.guards[NOW].owned
    assert after.held == state.held


def test_what_takes_nothing_is_noted_as_a_place(here: Walking) -> None:
    construct(here, UNIQUE, here.all("a"), here.all("std::defer_lock"))
    assert here.site()[:3] in here.engine.found.takes_nothing


def test_what_takes_something_is_not(here: Walking) -> None:
    construct(here, UNIQUE, here.all("a"))
    assert here.site()[:3] not in here.engine.found.takes_nothing


def test_one_that_tries_may_fail(here: Walking) -> None:
    won, lost = construct(here, UNIQUE, here.all("a"), here.all("std::try_to_lock"))
    assert [(h.how, h.guard) for h in won.held] == [(TRY, NOW)]
    assert lost.held == ()
    assert (won.guards[NOW].owned, lost.guards[NOW].owned) == (True, False)


def test_what_is_tried_has_a_site(here: Walking) -> None:
    construct(here, UNIQUE, here.all("a"), here.all("std::try_to_lock"))
    assert here.engine.found.sites[here.site()[:3]] == {"a"}


def test_one_with_a_time_limit_may_fail(here: Walking) -> None:
    won, lost = construct(here, UNIQUE, here.all("timed"), (Path.of_literal("5"),))
    assert (here.held(won), here.held(lost)) == (["timed"], [])


def test_several_are_taken_together(here: Walking) -> None:
    (after,) = construct(here, SCOPED, here.all("a"), here.all("b"))
    assert here.held(after) == ["a", "b"]
    assert here.orders() == set()
    assert not any(h.either for h in after.held)


def test_each_of_several_comes_after_what_is_held(here: Walking) -> None:
    construct(here, SCOPED, here.all("a"), here.all("b"), state=here.holding("c"))
    assert here.orders() == {("c", "a"), ("c", "b")}


def test_one_of_two_is_not_both(here: Walking) -> None:
    (after,) = construct(here, LOCK_GUARD, here.all("a", "b"))
    assert [h.either for h in after.held] == [True, True]


def test_a_shared_guard_reads(here: Walking) -> None:
    (after,) = construct(here, "std::shared_lock", here.all("both"))
    assert [h.mode for h in after.held] == [SHARED]


def test_a_lock_whose_methods_do_nothing_is_not_taken(here: Walking) -> None:
    (after,) = construct(here, LOCK_GUARD, here.all("nothing"))
    assert after.held == ()


def test_a_lock_that_leads_to_another_takes_that(here: Walking) -> None:
    (after,) = construct(here, LOCK_GUARD, here.all("outer"))
    assert here.held(after) == ["outer.inner.mutex"]


FAIR = """
std::mutex a;
struct Fair {
  void lock() { std::unique_lock<std::mutex> s(mutex); while (taken) freed.wait(s); taken = true; }
  void unlock() { std::lock_guard<std::mutex> s(mutex); taken = false; freed.notify_one(); }
  std::mutex mutex; std::condition_variable freed; bool taken;
};
Fair fair;
void f() {}
"""


def test_what_lock_takes_on_its_way_comes_after_what_is_held() -> None:
    here = walking(FAIR)
    (after,) = construct(here, LOCK_GUARD, here.all("fair"), state=here.holding("a"))
    assert here.held(after) == ["a", "fair"]
    assert {("a", "Fair::mutex"), ("a", "fair")} <= here.orders()


def test_what_unlock_takes_on_its_way_comes_after_what_is_held() -> None:
    here = walking(FAIR)
    state = owner(here, NOW, "fair", extra=here.holding("a"))
    after = guards.drop_guard(here.walk, state, NOW)
    assert here.held(after) == ["a"]
    assert {("a", "Fair::mutex"), ("fair", "Fair::mutex")} <= here.orders()


def test_what_lock_leaves_locked_is_taken_once(here: Walking) -> None:
    construct(here, LOCK_GUARD, here.all("outer"), state=here.holding("a"))
    ((_, emitted),) = here.engine.found.orders.items()
    assert [e.order.taken.site.inner for e in emitted] == [None]


def test_made_from_another_guard_it_takes_nothing(here: Walking) -> None:
    state = owner(here, here.at("one"), "a")
    (after,) = construct(here, UNIQUE, here.all("one"), state=state)
    assert [h.guard for h in after.held] == [NOW]
    assert not after.guards[here.at("one")].owned


def test_made_from_one_of_two_guards_there_are_two_ways(here: Walking) -> None:
    state = owner(here, here.at("other"), "b", extra=owner(here, here.at("one"), "a"))
    ways = construct(here, UNIQUE, here.all("one", "other"), state=state)
    assert [here.names(w.guards[NOW].paths) for w in ways] == [["a"], ["b"]]


def test_guards_in_a_container_are_one_and_have_all_locks(here: Walking) -> None:
    place = here.at("many.[]")
    (first,) = construct(here, UNIQUE, here.all("a"), at=place)
    (second,) = construct(here, UNIQUE, here.all("b"), state=first, at=place)
    assert here.names(second.guards[place].paths) == ["a", "b"]


def test_another_guard_of_one_name_has_its_own_lock(here: Walking) -> None:
    (first,) = construct(here, UNIQUE, here.all("a"))
    (second,) = construct(here, UNIQUE, here.all("b"), state=first)
    assert here.names(second.guards[NOW].paths) == ["b"]


# -- named locks, and guards that give up ---------------------------------------------------------


def test_a_guard_of_a_named_lock_needs_no_argument(here: Walking) -> None:
    (after,) = construct(here, "pybind11::gil_scoped_acquire")
    assert [h.path for h in after.held] == [Path.of_named("Python GIL")]


def test_one_that_releases_gives_up_until_it_dies(here: Walking) -> None:
    gil = Path.of_named("Python GIL")
    held = State((Held(gil, EXCLUSIVE, BLOCKING, here.site()),))
    (away,) = construct(here, "pybind11::gil_scoped_release", state=held)
    assert away.held == ()
    back = guards.drop_guard(here.walk, away, NOW)
    assert [h.path for h in back.held] == [gil]


def test_the_named_lock_that_comes_back_is_held_for_sure(here: Walking) -> None:
    gil = Path.of_named("Python GIL")
    held = State((Held(gil, EXCLUSIVE, BLOCKING, here.site()),))
    (away,) = construct(here, "pybind11::gil_scoped_release", state=held)
    back = guards.drop_guard(here.walk, away, NOW)
    assert not any(h.either for h in back.held)


def test_the_callers_named_lock_comes_back_to_the_caller(here: Walking) -> None:
    (away,) = construct(here, "pybind11::gil_scoped_release")
    assert away.released == {Path.of_named("Python GIL")}
    back = guards.drop_guard(here.walk, away, NOW)
    assert (back.held, back.released) == ((), frozenset())


# -- the end ---------------------------------------------------------------------------------------


def test_a_guard_that_dies_gives_its_lock_up(here: Walking) -> None:
    state = owner(here, NOW, "a", extra=here.holding("b"))
    after = guards.drop_guard(here.walk, state, NOW)
    assert here.held(after) == ["b"]
    assert NOW not in after.guards


def test_one_that_owns_nothing_gives_nothing_up(here: Walking) -> None:
    state = owner(here, NOW, "a", owned=False, extra=here.holding("a"))
    after = guards.drop_guard(here.walk, state, NOW)
    assert here.held(after) == ["a"]


def test_what_is_no_guard_ends_without_a_trace(here: Walking) -> None:
    state = here.holding("a")
    assert guards.drop_guard(here.walk, state, NOW) is state


def test_guards_of_a_container_give_up_all_they_have(here: Walking) -> None:
    place = here.at("many.[]")
    state = owner(here, place, "a", "b", extra=here.holding("c"))
    assert here.held(guards.drop_guard(here.walk, state, place)) == ["c"]


# -- methods ---------------------------------------------------------------------------------------


def operate(here: Walking, state: State, what: str, how=BLOCKING) -> list[State]:
    operation = Operation(what, EXCLUSIVE, how)
    return guards.operate_guard(here.walk, state, NOW, operation, here.result, here.site())


def test_unlock_gives_up_and_the_guard_owns_no_longer(here: Walking) -> None:
    (after,) = operate(here, owner(here, NOW, "a"), "release")
    assert after.held == ()
    assert after.guards[NOW] == Guard(here.all("a"), False)


def test_lock_takes_it_again(here: Walking) -> None:
    (after,) = operate(here, owner(here, NOW, "a", owned=False), "acquire")
    assert [(here.name(h.path), h.guard) for h in after.held] == [("a", NOW)]
    assert after.guards[NOW].owned


def test_try_lock_of_a_guard_may_fail(here: Walking) -> None:
    won, lost = operate(here, owner(here, NOW, "a", owned=False), "acquire", TRY)
    assert (won.guards[NOW].owned, lost.guards[NOW].owned) == (True, False)


@pytest.mark.parametrize("owned", [True, False])
def test_it_knows_whether_it_owns(here: Walking, owned: bool) -> None:
    (after,) = operate(here, owner(here, NOW, "a", owned=owned), "owns")
    assert after.facts[here.result] is owned


def test_what_it_hands_out_stays_locked(here: Walking) -> None:
    (after,) = operate(here, owner(here, NOW, "a"), "disown")
    assert here.held(after) == ["a"]
    assert not after.guards[NOW].owned
    assert after.env[here.result] == here.all("a")


def test_the_callers_guard_stands_for_a_lock_that_it_knows(here: Walking) -> None:
    operation = Operation("release", EXCLUSIVE)
    (after,) = guards.operate_guard(
        here.walk, State(), here.at("from"), operation, here.result, here.site()
    )
    assert after.released == {here.at("from").then(GUARDED)}


# -- moves -----------------------------------------------------------------------------------------


def test_a_moved_guard_keeps_the_lock(here: Walking) -> None:
    one, other = here.all("one", "other")
    after = guards.move_guard(owner(here, one, "a"), one, other)
    assert [h.guard for h in after.held] == [other]
    assert (after.guards[one].owned, after.guards[other].owned) == (False, True)


def test_what_is_no_guard_cannot_be_moved(here: Walking) -> None:
    state = here.holding("a")
    assert guards.move_guard(state, *here.all("one", "other")) is state


def test_moved_into_a_container_it_is_beside_the_others(here: Walking) -> None:
    place = here.at("many.[]")
    state = owner(here, here.at("one"), "b", extra=owner(here, place, "a"))
    after = guards.move_guard(state, here.at("one"), place)
    assert here.names(after.guards[place].paths) == ["a", "b"]


def test_a_container_takes_all_guards_of_another(here: Walking) -> None:
    place, new = here.at("many.[]"), Path.of_variable("new")
    after = guards.move_inside(owner(here, place, "a"), here.at("many"), new)
    assert guards.has_inside(after, new)
    assert [h.guard for h in after.held] == [new.then(ELEMENT)]


def test_a_guard_is_not_inside_of_itself(here: Walking) -> None:
    assert not guards.has_inside(owner(here, NOW, "a"), NOW)


@given(st.booleans(), st.booleans())
def test_swapped_twice_nothing_has_changed(first: bool, second: bool) -> None:
    here = walking(TEXT)
    one, other = here.all("one", "other")
    state = owner(here, other, "b", owned=second, extra=owner(here, one, "a", owned=first))
    once = guards.swap_guards(state, one, other)
    assert once.guards[one] == state.guards[other]
    assert guards.swap_guards(once, one, other) == state


def test_only_guards_are_swapped(here: Walking) -> None:
    state = owner(here, here.at("one"), "a")
    assert guards.swap_guards(state, *here.all("one", "other")) is state
