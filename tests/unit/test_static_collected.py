"""What walks found, kept in terms of named locks: what is told, what is left out, and why."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.bounds import CONTEXTS, DEFERRED, GATES, ORDERS, Cuts
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp import dead, elements, locking
from lockorder.static.interp.asked import EXCLUDED
from lockorder.static.interp.collected import OWN, STARTUP, Misused, Unbalanced, innermost
from lockorder.static.interp.contexts import CallSite, Contexts
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.recorder import Recorder
from lockorder.static.interp.sharing import Sharing
from lockorder.static.interp.summary import (
    EMPTY,
    Deferred,
    Gate,
    Held,
    Order,
    Premise,
    Rank,
    Site,
    State,
    Taken,
)
from lockorder.static.interp.whole_program import Entered
from lockorder.static.program.effects import Group, Wait
from lockorder.static.program.escapes import Escapes
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import ELEMENT, Element, Method
from walks import BLOCKING, EXCLUSIVE, SHARED, TRY, Walking, analysed, program_of, walking

TEXT = """
std::mutex a, b, c;
std::recursive_mutex again;
struct Node { std::mutex mutex, other; Node *next; Node *all[4];
              Node() {} ~Node() {} void g() {} };
Node one, two;
void helper(Node *p) { p->mutex.lock(); p->mutex.unlock(); }
void f(Node *p, Node *q, int i, int j) {}
"""


@pytest.fixture
def here() -> Walking:
    return walking(TEXT)


def held(here: Walking, name: str, line: int = 1, mode: Mode = EXCLUSIVE, **more) -> Held:
    return Held(here.at(name), mode, BLOCKING, here.site(line))._replace(**more)


def taken(here: Walking, name: str, line: int = 2, how: How = BLOCKING, **more) -> Taken:
    return Taken(here.at(name), EXCLUSIVE, how, here.site(line))._replace(**more)


def order(here: Walking, first: str, second: str, *gates: str, line: int = 1, **more) -> Order:
    inside = frozenset(Gate(here.at(g), EXCLUSIVE) for g in gates)
    return Order(held(here, first, line), taken(here, second, **more), inside)


def keep(here: Walking, *orders: Order) -> list[bool]:
    return [here.engine.found.order(here.function, o) for o in orders]


# -- orders ----------------------------------------------------------------------------------------


def test_an_order_of_two_named_locks_is_kept(here: Walking) -> None:
    assert keep(here, order(here, "a", "b")) == [True]
    assert here.orders() == {("a", "b")}


def test_an_order_of_a_parameter_is_not(here: Walking) -> None:
    here.walk.identities.of(here.at("p"))
    found = Order(
        held(here, "a"), Taken(here.at("p"), EXCLUSIVE, BLOCKING, here.site()), frozenset()
    )
    assert keep(here, found) == [False]


def test_the_same_order_is_kept_once(here: Walking) -> None:
    keep(here, order(here, "a", "b"), order(here, "a", "b"))
    assert [len(e) for e in here.engine.found.orders.values()] == [1]


def test_from_another_place_it_is_another(here: Walking) -> None:
    keep(here, order(here, "a", "b"), order(here, "a", "b", line=7))
    assert [len(e) for e in here.engine.found.orders.values()] == [2]


def test_under_another_gate_it_is_another(here: Walking) -> None:
    keep(here, order(here, "a", "b"), order(here, "a", "b", "c"))
    assert [len(e) for e in here.engine.found.orders.values()] == [2]


@pytest.mark.parametrize("first", [Certainty.POSSIBLE, Certainty.CERTAIN])
def test_of_two_alike_the_surer_one_stays(here: Walking, first: Certainty) -> None:
    other = Certainty.CERTAIN if first is Certainty.POSSIBLE else Certainty.POSSIBLE
    keep(here, *(order(here, "a", "b", certainty=c) for c in (first, other)))
    ((emitted,),) = here.engine.found.orders.values()
    assert emitted.order.taken.certainty is Certainty.CERTAIN


def test_too_many_of_one_pair_are_told(here: Walking) -> None:
    keep(here, *(order(here, "a", "b", line=n) for n in range(ORDERS.limit + 1)))
    assert [len(e) for e in here.engine.found.orders.values()] == [ORDERS.limit]
    assert [b for b, _ in here.engine.cuts.rows()] == [ORDERS]


def test_what_happens_in_a_group_is_kept_apart(here: Walking) -> None:
    begun = Held(Group("nccl"), EXCLUSIVE, BLOCKING, here.site(3))
    keep(here, Order(begun, taken(here, "a"), frozenset()))
    assert here.orders() == set()
    assert list(here.engine.found.grouped) == [here.site(3)]


def test_a_wait_under_a_lock_is_kept_apart(here: Walking) -> None:
    waits = Taken(Wait("join"), EXCLUSIVE, BLOCKING, here.site())
    keep(here, Order(held(here, "a"), waits, frozenset()))
    assert here.orders() == set()
    assert here.blocked() == {("a", "join")}


def test_members_of_an_object_under_construction_have_no_order() -> None:
    here = walking(TEXT, "Node::Node")
    here.program.building = frozenset((here.function.usr,))
    keep(here, order(here, "this.mutex", "this.other"))
    assert here.orders() == set()
    assert list(here.engine.found.left_out) == [("Node::mutex", "Node::other")]


def test_of_an_object_that_dies_nobody_waits_for_the_lock() -> None:
    here = walking(TEXT, "Node::~Node")
    waits = Taken(Wait("join"), EXCLUSIVE, BLOCKING, here.site())
    keep(here, Order(held(here, "this.mutex"), waits, frozenset()))
    assert here.blocked() == set()
    keep(here, Order(held(here, "a"), waits, frozenset()))
    assert here.blocked() == {("a", "join")}


def test_one_lock_of_two_parameters_is_in_no_order_with_itself(here: Walking) -> None:
    keep(here, order(here, "p.mutex", "q.mutex"))
    assert here.orders() == {("Node::mutex", "Node::mutex")}


@pytest.mark.parametrize("second", ["p.next.mutex", "p.all.[].mutex", "?.mutex"])
def test_a_child_comes_after_its_parent(here: Walking, second: str) -> None:
    keep(here, order(here, "p.mutex", second))
    assert here.orders() == set()


def test_there_and_back_is_no_rank(here: Walking) -> None:
    keep(here, order(here, "p.mutex", "p.next.mutex"), order(here, "p.next.mutex", "p.mutex"))
    assert here.orders() == {("Node::mutex", "Node::mutex")}


def test_compared_the_same_way_they_are_ranked(here: Walking) -> None:
    found, rank = here.engine.found, Rank(here.at("p"), here.at("q"))
    found.ranked(here.function, order(here, "p.mutex", "q.mutex"), rank)
    found.ranked(here.function, order(here, "p.mutex", "q.mutex", line=5), rank)
    assert here.orders() == set()
    found.ranked(here.function, order(here, "q.mutex", "p.mutex"), rank)
    assert here.orders() == {("Node::mutex", "Node::mutex")}


def test_by_what_changes_under_the_locks_nothing_is_ranked(here: Walking) -> None:
    found, by = here.engine.found, here.at("p.next").last
    rank = Rank(here.at("p"), here.at("q"), by)
    found.ranked(here.function, order(here, "p.mutex", "q.mutex"), rank)
    found.changed(here.at("p"), by, [held(here, "q.mutex", 1)])
    found.settle_ranks()
    assert here.orders() == set()
    found.changed(here.at("p"), by, [held(here, "p.mutex", 1)])
    found.settle_ranks()
    assert here.orders() == {("Node::mutex", "Node::mutex")}


def test_before_the_first_thread_nothing_can_meet(here: Walking) -> None:
    here.engine.found.alone(here.function, order(here, "a", "b"))
    assert here.orders() == set()
    assert here.engine.found.left_out == {("a", "b"): STARTUP}


def test_one_object_is_locked_twice_before_any_thread() -> None:
    text = """struct Only { std::mutex mutex; }; Only only;
              void f(int i) { Only *same = &only; Only &other = only; }"""
    here = walking(text)
    here.engine.found.alone(here.function, order(here, "same.mutex", "other.mutex"))
    assert here.again() == {"Only::mutex"}
    here = walking(text + "Only another;")
    here.engine.found.alone(here.function, order(here, "same.mutex", "other.mutex"))
    assert here.again() == set()


def test_what_no_caller_lets_happen_is_left_out(here: Walking) -> None:
    premise = frozenset((Premise(here.at("i"), "", True),))
    keep(here, order(here, "a", "b", needs=premise), order(here, "a", "c"))
    here.engine.found.leave_out_excluded(lambda function, premises: False)
    assert here.orders() == {("a", "c")}
    assert here.engine.found.left_out == {("a", "b"): EXCLUDED}


def test_what_some_caller_lets_happen_stays(here: Walking) -> None:
    premise = frozenset((Premise(here.at("i"), "", True),))
    keep(here, order(here, "a", "b", needs=premise))
    here.engine.found.leave_out_excluded(lambda function, premises: premises == premise)
    assert here.orders() == {("a", "b")}


# -- taken again -----------------------------------------------------------------------------------


def self_lock(here: Walking, name: str, line: int = 2, **more) -> None:
    here.engine.found.self_lock(here.function, held(here, name), taken(here, name, line, **more))


def test_a_mutex_that_is_taken_again_is_kept(here: Walking) -> None:
    self_lock(here, "a")
    assert here.again() == {"a"}


@pytest.mark.parametrize("name", ["again", "?.mutex", "one.all.[].mutex"])
def test_what_may_be_taken_again_or_be_another_is_not(here: Walking, name: str) -> None:
    self_lock(here, name)
    assert here.again() == set()


def test_the_surest_and_shortest_story_is_told(here: Walking) -> None:
    inner = Site("g", 5, 0)
    found = here.engine.found
    long = Site(here.function.usr, 2, 0, Site("h", 3, 0, inner))
    short = Site(here.function.usr, 4, 0, inner)
    for site, certainty in ((long, Certainty.CERTAIN), (short, Certainty.CERTAIN)):
        again = Taken(here.at("a"), EXCLUSIVE, BLOCKING, site, certainty=certainty)
        found.self_lock(here.function, held(here, "a"), again)
    assert [s.taken.site for s in found.self_locks.values()] == [short]


# -- other things ----------------------------------------------------------------------------------


def test_where_a_lock_is_taken_is_noted(here: Walking) -> None:
    here.engine.found.note_site(taken(here, "a", 5))
    assert here.engine.found.sites[here.function.usr, 5, 0] == {"a"}


def test_a_wait_is_no_place_of_a_lock(here: Walking) -> None:
    before = dict(here.engine.found.sites)
    here.engine.found.note_site(Taken(Wait("x"), EXCLUSIVE, BLOCKING, here.site(5)))
    assert here.engine.found.sites == before


@pytest.mark.parametrize(
    ("mode", "how", "found"),
    [(EXCLUSIVE, BLOCKING, True), (SHARED, BLOCKING, False), (EXCLUSIVE, TRY, False)],
)
def test_who_can_keep_readers_out(here: Walking, mode: Mode, how: How, found: bool) -> None:
    here.engine.found.note_writer(Taken(here.at("c"), mode, how, here.site()))
    assert ("c" in here.engine.found.writers) is found


def test_what_code_elsewhere_gets_is_noted(here: Walking) -> None:
    here.engine.found.hand_out(here.at("one"), here.at("a"))
    assert {"Node", "a"} <= here.engine.found.outside


def test_an_event_has_what_is_held_there_but_no_groups(here: Walking) -> None:
    begun = Held(Group("nccl"), EXCLUSIVE, BLOCKING, here.site())
    state = State((held(here, "a"), begun))
    here.engine.found.event("sync", "x", "", here.function, here.site(), state)
    (event,) = here.engine.found.events.values()
    assert event.held == {Gate(here.at("a"), EXCLUSIVE)}


def test_the_last_place_of_a_chain() -> None:
    assert innermost(Site("f", 1, 0, Site("g", 2, 0))) == Site("g", 2, 0)


def test_drafts_keep_nothing(here: Walking) -> None:
    draft = here.engine.found.draft()
    assert draft.order(here.function, order(here, "a", "b"))
    draft.self_lock(here.function, held(here, "a"), taken(here, "a"))
    draft.note_site(taken(here, "a"))
    draft.note_writer(taken(here, "a"))
    draft.event("sync", "x", "", here.function, here.site(), State())
    kept = (draft.orders, draft.self_locks, draft.sites, draft.writers, draft.events)
    assert not any(kept)


# -- dead functions --------------------------------------------------------------------------------


def test_what_dead_functions_do_is_not_told(here: Walking) -> None:
    found = here.engine.found
    keep(here, order(here, "a", "b"))
    self_lock(here, "a")
    found.event("sync", "x", "", here.function, here.site(), State())
    found.unbalance(Unbalanced(here.function.usr, held(here, "a"), 1, "return"))
    found.misused(Misused("rule", here.function.usr, here.at("a"), here.site(), None))
    dead.leave_out(found, lambda usr: usr == here.function.usr)
    assert here.orders() == set()
    kept = (found.self_locks, found.events, found.unbalanced, found.misuses)
    assert not any(kept)
    assert found.left_out["a", "b"] == dead.DEAD


def test_what_others_do_is(here: Walking) -> None:
    keep(here, order(here, "a", "b"))
    self_lock(here, "a")
    dead.leave_out(here.engine.found, lambda usr: usr == "another")
    assert (here.orders(), here.again()) == ({("a", "b")}, {"a"})


# -- what a walk records for its callers -----------------------------------------------------------


def test_an_order_that_only_callers_can_name_is_kept_for_them(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    lock = Held(here.at("p"), EXCLUSIVE, BLOCKING, here.site())
    recorder.record_order(Order(lock, taken(here, "a"), frozenset()))
    assert [(here.name(o.held.path), here.name(o.taken.path)) for o in recorder.orders] == [
        ("p", "a")
    ]


def test_one_that_an_earlier_one_covers_is_not_kept_twice(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    recorder.record_order(order(here, "a", "b"))
    recorder.record_order(order(here, "a", "b", "c"))
    assert [len(e) for e in here.engine.found.orders.values()] == [1]


def test_under_a_lock_that_leaked_it_counts_once_that_is_released(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    leaked = held(here, "a", leaked=True)
    recorder.record_order(Order(leaked, taken(here, "b"), frozenset()))
    assert here.orders() == set()
    recorder.confirm(leaked)
    assert here.orders() == {("a", "b")}


def test_what_was_so_at_first_is_asked_of_callers(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    premise = Premise(here.at("i"), "", True)
    recorder.record_order(order(here, "a", "b"), frozenset((premise,)))
    assert list(here.engine.asked.questions(here.function.usr)) == [premise[:2]]
    ((emitted,),) = here.engine.found.orders.values()
    assert emitted.order.taken.needs == {premise}


def test_nothing_is_new_where_one_that_is_told_covers_it(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    recorder.record_taken(taken(here, "b"))
    recorder.record_order(order(here, "a", "b"))
    further = taken(here, "b", line=9, inside=frozenset({Gate(here.at("a"), EXCLUSIVE)}))
    assert recorder.is_told(further, (), frozenset())
    assert recorder.is_told(further, (held(here, "a"),), frozenset())


@pytest.mark.parametrize(
    "around",
    [
        {"name": "c"},
        {"name": "a", "line": 7},
        {"name": "a", "mode": SHARED},
        {"name": "a", "leaked": True},
        {"name": "b"},
    ],
)
def test_an_order_after_another_lock_is_new(here: Walking, around: dict[str, Any]) -> None:
    recorder = Recorder(here.engine, here.function)
    recorder.record_taken(taken(here, "b"))
    recorder.record_order(order(here, "a", "b"))
    assert not recorder.is_told(taken(here, "b"), (held(here, **around),), frozenset())


def test_less_around_it_or_more_certain_is_new(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    gate = frozenset({Gate(here.at("c"), EXCLUSIVE)})
    known = taken(here, "b", inside=gate, certainty=Certainty.POSSIBLE)
    recorder.record_taken(known)
    recorder.record_order(Order(held(here, "a"), known, gate))
    around = (held(here, "a"),)
    assert recorder.is_told(known, around, frozenset())
    assert not recorder.is_told(known._replace(inside=frozenset()), around, frozenset())
    assert not recorder.is_told(known._replace(certainty=Certainty.CERTAIN), around, frozenset())
    assert not recorder.is_told(taken(here, "b", how=TRY), around, frozenset())


def test_what_is_told_again_is_asked_of_callers_all_the_same(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    premise = Premise(here.at("i"), "", True)
    again = taken(here, "b")
    recorder.taken_again(here.function.usr, again, again.path, frozenset((premise,)))
    assert list(here.engine.asked.questions(here.function.usr)) == [premise[:2]]


def test_what_a_callee_takes_is_noted_by_its_name_here(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    recorder.taken_again(here.usr("helper"), taken(here, "b", line=9), here.at("c"), frozenset())
    assert here.engine.found.sites[here.function.usr, 9, 0] == {
        i.lock for i in here.walk.identities.of(here.at("c"))
    }


def test_what_lies_in_one_call_has_one_call_chain(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    frame = Frame((), (), here.at("p"), here.site(4))
    one = taken(here, "a")
    other = one._replace(path=here.at("b"))
    chains = [recorder.chain(frame, "callee", each) for each in (one, other)]
    assert chains[0] is chains[1]
    assert [s.line for s in chains[0].along()][::2] == [4, 2]
    assert recorder.chain(frame, "another", one) != chains[0]


def test_a_lock_that_leaked_is_not_taken_again_for_sure(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    recorder.record_self_deadlock(held(here, "a", leaked=True), taken(here, "a"), frozenset())
    assert here.again() == set()


def test_a_callers_lock_that_is_taken_again_is_for_callers(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    lock = Held(here.at("p"), EXCLUSIVE, BLOCKING, here.site())
    again = Taken(here.at("p"), EXCLUSIVE, BLOCKING, here.site(2))
    recorder.record_self_deadlock(lock, again, frozenset())
    assert [here.name(o.taken.path) for o in recorder.orders] == ["p"]
    assert here.again() == set()


def test_many_gates_are_few_and_that_is_told(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    gates = frozenset(Gate(Path.of_variable(str(n)), EXCLUSIVE) for n in range(GATES.limit + 1))
    recorder.record_taken(taken(here, "a", inside=gates))
    assert [b for b, _ in here.engine.cuts.rows()] == [GATES]


def test_calls_of_what_a_caller_handed_in_are_kept(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    recorder.record_deferred(Deferred(here.at("p"), (), (), here.site()))
    assert len(recorder.deferred) == 1


def test_calls_of_anything_else_are_not(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    recorder.record_deferred(Deferred(here.at("one"), (), (), here.site()))
    assert recorder.deferred == ()


def test_many_kept_calls_are_few_and_that_is_told(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    for number in range(DEFERRED.limit + 1):
        callee = here.at("p").then(Method(str(number)))
        recorder.record_deferred(Deferred(callee, (), (), here.site()))
    assert len(recorder.deferred) == DEFERRED.limit
    assert [b for b, _ in here.engine.cuts.rows()] == [DEFERRED]


# -- contexts --------------------------------------------------------------------------------------

FUNCTIONS = "main f g h"
GATES_ = [Gate(Path.of_variable(str(n)), EXCLUSIVE) for n in "abc"]


def functions() -> Program:
    text = "".join(f"void {n}() {{}}" for n in FUNCTIONS.split() if n != "main")
    return program_of(f"{text} int main() {{ return 0; }}")


class Calls:
    """Calls between functions, with what is held and given up around each."""

    def __init__(self) -> None:
        self.program = functions()
        self.cuts = Cuts()
        self.contexts = Contexts(self.cuts)

    def usr(self, name: str) -> str:
        (usr,) = self.program.named(name)
        return usr

    def add(self, caller: str, callee: str, *held: Gate, released: tuple[Path, ...] = ()) -> None:
        site = CallSite(self.usr(caller), self.usr(callee), frozenset(held), frozenset(released))
        self.contexts.add(site)

    def solved(self) -> Contexts:
        self.contexts.solve(self.program, set(), lambda a, b: True)
        return self.contexts


def test_what_every_caller_holds_is_held() -> None:
    calls = Calls()
    calls.add("main", "f", GATES_[0], GATES_[1])
    calls.add("h", "f", GATES_[0])
    assert calls.solved().entry(calls.usr("f")) == (frozenset((GATES_[0],)),)


def test_what_one_caller_does_not_hold_is_not() -> None:
    calls = Calls()
    calls.add("main", "f", GATES_[0])
    calls.add("h", "f")
    assert calls.solved().entry(calls.usr("f")) == (frozenset(),)


def test_callers_that_hold_different_locks_are_two_contexts() -> None:
    calls = Calls()
    calls.add("main", "f", GATES_[0])
    calls.add("h", "f", GATES_[1])
    assert set(calls.solved().entry(calls.usr("f"))) == {
        frozenset((GATES_[0],)), frozenset((GATES_[1],)),
    }  # fmt: skip


def test_what_is_held_around_a_caller_is_held_around_what_it_calls() -> None:
    calls = Calls()
    calls.add("main", "f", GATES_[0])
    calls.add("f", "g", GATES_[1])
    assert calls.solved().entry(calls.usr("g")) == (frozenset(GATES_[:2]),)


def test_what_is_given_up_before_is_not() -> None:
    calls = Calls()
    calls.add("main", "f", GATES_[0])
    calls.add("f", "g", released=(GATES_[0].path,))
    assert calls.solved().entry(calls.usr("g")) == (frozenset(),)


def test_what_some_way_holds_is_held_sometimes() -> None:
    calls = Calls()
    calls.add("main", "f", GATES_[0])
    calls.add("h", "f", GATES_[1])
    calls.add("f", "g")
    assert calls.solved().sometimes(calls.usr("g")) == frozenset(GATES_[:2])


def test_a_thread_holds_nothing() -> None:
    calls = Calls()
    calls.add("main", "f", GATES_[0])
    calls.contexts.thread(calls.usr("f"), "place", True, False)
    assert calls.solved().entry(calls.usr("f")) == (frozenset(),)


def test_what_only_main_reaches_is_of_mains_thread() -> None:
    calls = Calls()
    calls.add("main", "f")
    calls.contexts.thread(calls.usr("g"), "place", True, False)
    calls.add("g", "h")
    found = calls.solved()
    assert found.only_thread(calls.usr("f")) == "main"
    assert found.only_thread(calls.usr("h")) != "main"


def test_what_two_threads_reach_is_of_neither() -> None:
    calls = Calls()
    calls.add("main", "f")
    calls.contexts.thread(calls.usr("g"), "place", True, False)
    calls.add("g", "f")
    assert calls.solved().only_thread(calls.usr("f")) is None


@pytest.mark.parametrize(("repeated", "many"), [(True, True), (False, False)])
def test_threads_of_a_loop_are_many(repeated: bool, many: bool) -> None:
    calls = Calls()
    calls.contexts.thread(calls.usr("g"), "place", False, repeated)
    assert calls.contexts.many(calls.usr("g")) is many


def test_threads_from_two_places_are_many() -> None:
    calls = Calls()
    for place in ("one", "other"):
        calls.contexts.thread(calls.usr("g"), place, True, False)
    assert calls.contexts.many(calls.usr("g"))


def test_entries_lead_to_what_they_call() -> None:
    calls = Calls()
    calls.add("main", "f")
    calls.add("f", "g")
    found = calls.solved().entries_of({calls.usr("g")})
    assert found == {calls.usr("g"): frozenset((calls.usr("main"),))}


def test_too_many_contexts_are_one_that_is_told() -> None:
    calls = Calls()
    for number in range(CONTEXTS.limit + 1):
        calls.add("main", "f", GATES_[0], Gate(Path(f"v:{number}x"), EXCLUSIVE))
    assert calls.solved().entry(calls.usr("f")) == (frozenset((GATES_[0],)),)
    assert [b for b, _ in calls.cuts.rows()] == [CONTEXTS]


CALLS = st.lists(
    st.tuples(
        st.sampled_from(["main", "f", "g"]),
        st.sampled_from(["f", "g", "h"]),
        st.frozensets(st.sampled_from(GATES_), max_size=2),
    ),
    max_size=6,
)


@given(CALLS)
def test_contexts_are_those_of_all_ways(edges: list[tuple[str, str, frozenset[Gate]]]) -> None:
    """Against a walk over all ways from the roots, kept as minimal sets."""
    calls = Calls()
    for caller, callee, gates in edges:
        calls.add(caller, callee, *gates)
    found = calls.solved()
    callees = {callee for _, callee, _ in edges}
    reached: set[tuple[str, frozenset[Gate]]] = set()
    for roots in (set(FUNCTIONS.split()) - callees, set(FUNCTIONS.split())):
        # At last those that only functions call which nothing enters.
        names = {n for n, _ in reached}
        pending = [(n, frozenset[Gate]()) for n in roots - names]
        reached.update(pending)
        while pending:
            name, around = pending.pop()
            for caller, callee, gates in edges:
                here = (callee, around | gates)
                if caller == name and here not in reached:
                    reached.add(here)
                    pending.append(here)
    for name in FUNCTIONS.split():
        sets = {s for n, s in reached if n == name}
        minimal = {s for s in sets if not any(other < s for other in sets)}
        if minimal:
            assert set(found.entry(calls.usr(name))) == minimal


# -- whose objects ---------------------------------------------------------------------------------

SHARING = """
struct Node { std::mutex mutex; };
Node global; Node *kept;
void helper(Node *p) { p->mutex.lock(); p->mutex.unlock(); }
void mine() { Node node; helper(&node); }
void theirs() { helper(&global); }
void keeps() { Node node; kept = &node; helper(&node); }
void f(Node *p, Node *q) {}
"""


def own(*callers: str) -> bool:
    text = SHARING
    for name in ("mine", "theirs", "keeps"):
        if name not in callers:
            text = "\n".join(x for x in text.split("\n") if f"void {name}(" not in x)
    engine = analysed(text)
    (helper,) = engine.program.named("helper")
    path = Path.of_variable(engine.program.functions[helper].params[0])
    field = next(u for u, v in engine.program.variables.items() if v.name == "Node::mutex")
    return engine.sharing.is_own(helper, path.then(field))


@pytest.mark.parametrize(
    ("callers", "found"),
    [
        (("mine",), True),
        (("theirs",), False),
        (("mine", "theirs"), False),
        (("keeps",), False),
        ((), False),
    ],
)
def test_nobody_else_has_what_every_caller_has_alone(callers: tuple[str, ...], found: bool) -> None:
    assert own(*callers) is found


def test_an_order_of_such_objects_is_left_out() -> None:
    engine = analysed(
        "struct Node { std::mutex mutex; }; std::mutex a; void f() { Node node;"
        "node.mutex.lock(); a.lock(); a.unlock(); node.mutex.unlock(); }"
    )
    assert OWN in engine.found.left_out.values()


class Handing:
    """Calls of ``helper``, noted by hand."""

    def __init__(self, *entered: str) -> None:
        self.here = walking(SHARING)
        program, engine = self.here.program, self.here.engine
        escapes = Escapes(program, engine.knowledge, engine.lifetimes)
        self.sharing = Sharing(program, engine.knowledge, escapes, Contexts(Cuts()), set(entered))
        self.helper = self.here.usr("helper")
        parameter = program.functions[self.helper].params[0]
        self.path = Path.of_variable(parameter, (self.here.field("mutex"),))

    def call(self, caller: str, *args: Path) -> None:
        self.sharing.note(self.helper, self.here.usr(caller), (), tuple((a,) for a in args))

    def local(self, function: str) -> Path:
        owner = self.here.usr(function)
        (usr,) = (u for u, v in self.here.program.variables.items() if v.owner == owner)
        return Path.of_variable(usr)


def test_what_one_caller_made_for_itself_is_its_own() -> None:
    calls = Handing()
    calls.call("mine", calls.local("mine"))
    assert calls.sharing.is_own(calls.helper, calls.path)


def test_what_another_one_shares_is_not() -> None:
    calls = Handing()
    calls.call("mine", calls.local("mine"))
    calls.call("theirs", calls.here.at("global"))
    assert not calls.sharing.is_own(calls.helper, calls.path)


def test_whose_address_is_taken_gets_anything() -> None:
    calls = Handing(Handing().helper)
    calls.call("mine", calls.local("mine"))
    assert calls.sharing.is_entered(calls.helper)
    assert not calls.sharing.is_own(calls.helper, calls.path)


def test_who_is_entered_from_outside_gets_anything() -> None:
    calls = Handing()
    calls.call("mine", calls.local("mine"))
    calls.sharing.enter(calls.helper)
    assert not calls.sharing.is_own(calls.helper, calls.path)


def test_callers_tell_which_of_two_objects_comes_first() -> None:
    calls = Handing()
    calls.call("theirs", calls.here.at("global"))
    one, asked = calls.path, list[tuple[Path, Path]]()

    def judged(a: Path, b: Path) -> bool:
        asked.append((a, b))
        return True

    assert calls.sharing.is_told_by_callers(calls.helper, one, one, judged)
    assert asked == [(calls.here.at("global.mutex"),) * 2]
    assert not calls.sharing.is_told_by_callers(calls.helper, one, one, lambda a, b: False)


def test_without_callers_nobody_tells() -> None:
    calls = Handing()
    same = calls.path
    assert not calls.sharing.is_told_by_callers(calls.helper, same, same, lambda a, b: True)


@pytest.mark.parametrize(
    ("spelling", "found"),
    [("next", True), ("mutex", False), (ELEMENT, False)],
)
def test_what_only_leads_to_an_object(here: Walking, spelling: str, found: bool) -> None:
    step = spelling if spelling == ELEMENT else here.field(spelling)
    assert here.engine.sharing.is_indirect(step) is found


# -- two elements of one table ---------------------------------------------------------------------

TABLE = """
struct Node { std::mutex mutex; };
Node all[8];
void f(int i, int j) { %s all[i].mutex.lock(); all[j].mutex.lock(); }
"""


def two_elements(before: str = "", state: State | None = None) -> int:
    here = walking(TABLE % before)
    first, second = (here.site(c.line, c.column) for c in here.statements(elements.f.Call)[-2:])
    path = here.at("all.[].mutex")
    both = Order(
        Held(path, EXCLUSIVE, BLOCKING, first), Taken(path, EXCLUSIVE, BLOCKING, second),
        frozenset(),
    )  # fmt: skip
    return len(elements.ranks(here.walk, state or State(), both))


def test_indexes_that_callers_choose_rank_nothing() -> None:
    assert two_elements() == 2


def test_compared_indexes_are_an_order() -> None:
    assert two_elements("if (i >= j) return;") == 0


def test_the_same_index_is_one_element() -> None:
    here = walking(TABLE.replace("all[j]", "all[i]") % "")
    first, second = (here.site(c.line, c.column) for c in here.statements(elements.f.Call)[-2:])
    path = here.at("all.[].mutex")
    both = Order(
        Held(path, EXCLUSIVE, BLOCKING, first), Taken(path, EXCLUSIVE, BLOCKING, second),
        frozenset(),
    )  # fmt: skip
    assert elements.ranks(here.walk, State(), both) == ()


def test_locks_of_no_table_are_not_asked(here: Walking) -> None:
    assert elements.ranks(here.walk, State(), order(here, "a", "a")) == ()


# -- the whole program -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "found"), [("a", True), ("p.mutex", True), ("p", True), ("one.mutex", True)]
)
def test_what_callers_can_name(here: Walking, name: str, found: bool) -> None:
    assert here.engine.nameable(here.function, here.at(name)) is found


def test_another_functions_parameter_they_cannot(here: Walking) -> None:
    other = here.engine.program.functions[here.usr("helper")].params[0]
    assert not here.engine.nameable(here.function, Path.of_variable(other))
    assert here.engine.is_parameter(Path.of_variable(other))


def test_a_local_is_gone_with_its_call() -> None:
    here = walking("struct N {}; N global; void f(N *p) { N mine; }")
    assert here.engine.is_gone(here.at("mine"))
    assert here.engine.is_gone(here.at("p"))
    assert not here.engine.is_gone(here.at("global"))


def test_unless_a_lambda_may_take_it_elsewhere() -> None:
    here = walking(
        "void keep(void *); void f() { int mine; auto g = [&] { mine = 1; }; keep(&g); }"
    )
    assert not here.engine.is_gone(here.at("mine"))


@pytest.mark.parametrize(
    ("cls", "found"), [("Spin", True), ("Inside", False), ("Answers", False), ("Half", False)]
)
def test_which_classes_are_locks_by_their_methods(cls: str, found: bool) -> None:
    engine = analysed(
        "void relax(); std::mutex a;"
        "struct Spin { void lock() { relax(); } void unlock() { relax(); } };"
        "struct Inside { void lock() { a.lock(); } void unlock() { a.unlock(); } };"
        "struct Answers { bool lock() { relax(); return true; } void unlock() { relax(); } };"
        "struct Half { void lock() { relax(); } };"
    )
    assert engine.is_lockable(cls) is found


def test_a_call_that_is_counted_twice_is_one(here: Walking) -> None:
    before = here.engine.calls_made
    for _ in range(2):
        here.engine.count_call(here.function, 7)
    assert here.engine.calls_made == before + 1


def test_in_a_draft_nothing_is_counted(here: Walking) -> None:
    before = here.engine.calls_made
    with here.engine.drafting():
        here.engine.count_call(here.function, 7)
    assert here.engine.calls_made == before


def test_what_is_entered_with_a_lock_has_it_around() -> None:
    here = walking("std::mutex a; void job() { a.lock(); a.unlock(); } void f() {}")
    gil = Path.of_named("Python GIL")
    state = State((Held(gil, EXCLUSIVE, BLOCKING, here.site()),))
    here.engine.walk_entry(here.usr("job"), (), here.site(), state)
    assert ("Python GIL", "a") in here.engine.found.orders


def test_entries_are_told_apart() -> None:
    one = Entered("b", "GIL", "t", Site("b", 1, 0))
    assert one != one._replace(target="other")


def test_a_walk_of_its_own_rank_is_recorded(here: Walking) -> None:
    """What ``record_order`` of locking does without ranks."""
    locking.record_order(here.walk, State(), order(here, "a", "b"))
    assert here.orders() == {("a", "b")}


def test_of_one_class_callers_may_know_that_it_is_one_object() -> None:
    """``this`` and an argument: an order for the program, and a question for callers."""
    here = walking("struct Node { std::mutex mutex; void g(Node *p) {} }; void f() {}", "Node::g")
    recorder = Recorder(here.engine, here.function)
    recorder.record_order(order(here, "this.mutex", "p.mutex"))
    assert len(recorder.orders) == 1


def test_of_two_globals_there_is_nothing_to_ask(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    recorder.record_order(order(here, "one.mutex", "two.mutex"))
    assert recorder.orders == ()


def test_many_gates_of_an_order_are_few_and_that_is_told(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    gates = frozenset(Gate(Path.of_variable(str(n)), EXCLUSIVE) for n in range(GATES.limit + 1))
    recorder.record_order(order(here, "a", "b")._replace(gates=gates))
    ((emitted,),) = here.engine.found.orders.values()
    assert len(emitted.order.gates) == GATES.limit
    assert [b for b, _ in here.engine.cuts.rows()] == [GATES]


def test_only_what_has_grown_is_told_again(here: Walking) -> None:
    recorder = Recorder(here.engine, here.function)
    told: list[str] = []
    for name in ("grown", "same"):
        recorder.calls_inside[name] = [lambda summary, name=name: told.append(name)]
    recorder.catch_up({"grown": EMPTY})
    assert told == ["grown"]


def test_what_no_caller_lets_happen_is_not_taken_again(here: Walking) -> None:
    premise = frozenset((Premise(here.at("i"), "", True),))
    self_lock(here, "a", needs=premise)
    here.engine.found.leave_out_excluded(lambda function, premises: False)
    assert here.again() == set()


def test_what_some_caller_lets_happen_is_taken_again(here: Walking) -> None:
    premise = frozenset((Premise(here.at("i"), "", True),))
    self_lock(here, "b", needs=premise)
    here.engine.found.leave_out_excluded(lambda function, premises: True)
    assert here.again() == {"b"}


@pytest.mark.parametrize(
    ("steps", "found"), [((Element("1"), Element("2")), True), ((Element("1"), ELEMENT), False)]
)
def test_two_elements_by_number_have_no_rank(steps: tuple[str, str], found: bool) -> None:
    here = walking("std::mutex all[4]; void f() {}")
    keep(here, order(here, *(f"all.{s}" for s in steps)))
    assert bool(here.orders()) is found


DEAD = """
std::mutex a, b;
class Pool {
  void never() { a.lock(); b.lock(); b.unlock(); a.unlock(); below(); }
  void below() { b.lock(); a.lock(); a.unlock(); b.unlock(); }
 public:
  void used() { %s }
};
"""


@pytest.mark.parametrize(("body", "found"), [("", set()), ("below();", {("b", "a")})])
def test_what_nothing_can_call_is_dead(body: str, found: set[tuple[str, str]]) -> None:
    engine = analysed(DEAD % body)
    assert set(engine.found.orders) == found


@pytest.mark.parametrize(
    ("test", "ranks"),
    [("if (i < j)", 1), ("if (i > j)", 1), ("if (i != j)", 2)],
)
def test_on_a_way_on_which_indexes_were_compared_they_are_ranked(test: str, ranks: int) -> None:
    here = walking(
        "struct Node { std::mutex mutex; }; Node all[8]; void f(int i, int j) {"
        f" {test} {{ all[i].mutex.lock(); all[j].mutex.lock(); }} }}"
    )
    state = here.walk.values.assume(here.condition(), True, State())
    assert state is not None
    first, second = (here.site(c.line, c.column) for c in here.statements(elements.f.Call)[-2:])
    path = here.at("all.[].mutex")
    both = Order(
        Held(path, EXCLUSIVE, BLOCKING, first), Taken(path, EXCLUSIVE, BLOCKING, second),
        frozenset(),
    )  # fmt: skip
    assert len(elements.ranks(here.walk, state, both)) == ranks


@pytest.mark.parametrize("is_dead", [True, False])
def test_what_dead_functions_do_in_a_group_is_not_told(here: Walking, is_dead: bool) -> None:
    begun = Held(Group("nccl"), EXCLUSIVE, BLOCKING, here.site(3))
    keep(here, Order(begun, taken(here, "a"), frozenset()))
    dead.leave_out(here.engine.found, lambda usr: is_dead)
    assert [len(each) for each in here.engine.found.grouped.values()] == [0 if is_dead else 1]
