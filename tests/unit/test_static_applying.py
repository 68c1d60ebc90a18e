"""Calls of functions whose summary is known: names are translated, orders follow, states go on."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.model import Certainty, How, Mode
from lockorder.static.interp import dependence, lockables, outcomes
from lockorder.static.interp.apply import apply, call_callables, frame_of
from lockorder.static.interp.callees import callables_of, fitting, operators_of
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.handed_on import HandedOn, with_gap
from lockorder.static.interp.summary import (
    Bits,
    Deferred,
    Either,
    Flag,
    Gate,
    Guard,
    Has,
    Held,
    Needs,
    Outcome,
    Receiver,
    Site,
    State,
    Summary,
    Taken,
)
from lockorder.static.interp.translation import Translation
from lockorder.static.program.effects import Issued
from lockorder.static.program.paths import ENTRY, RETURNED, UNKNOWN, Path, Paths
from lockorder.static.program.steps import GUARDED, LOCKED, Method
from walks import BLOCKING, EXCLUSIVE, SHARED, Walking, walking

TEXT = """
struct Base { virtual void run() {} };
struct Left : Base { void run() override {} };
struct Right : Base { void run() override {} };
struct Node { std::mutex mutex; Node *next; int number; void touch(Node *other, bool flag) {} };
std::mutex a, b;
std::unique_lock<std::mutex> guard;
Left left; Right right;
Node one, two;
void callee(Node *p, bool flag, std::unique_lock<std::mutex> own, int mask, Base *base) {}
void f(Node *n, bool chosen, int bits, Base *any) { one.touch(&two, true); }
"""


@pytest.fixture
def here() -> Walking:
    return walking(TEXT)


def names(here: Walking, *args: Paths, state: State | None = None, base: Paths = (), of="callee"):
    frame = Frame(args, base, here.result, here.site())
    return Translation(here.walk, state or State(), here.usr(of), frame)


def parameter(here: Walking, number: int, *steps: str, of: str = "callee") -> Path:
    usr = here.engine.program.functions[here.usr(of)].params[number]
    path = Path.of_variable(usr)
    for step in steps:
        path = path.then(here.variable(step))
    return path


# -- translation -----------------------------------------------------------------------------------


def test_a_parameter_is_the_argument(here: Walking) -> None:
    found = names(here, here.all("n")).paths(parameter(here, 0, "mutex"))
    assert here.names(found) == ["n.mutex"]


def test_a_global_stays_what_it_is(here: Walking) -> None:
    assert names(here, here.all("n")).paths(here.at("a")) == here.all("a")


def test_one_of_two_arguments_is_either(here: Walking) -> None:
    found = names(here, here.all("one", "two")).paths(parameter(here, 0, "mutex"))
    assert here.names(found) == ["one.mutex", "two.mutex"]


def test_the_object_is_what_the_method_is_called_on(here: Walking) -> None:
    own = Path.of_this(here.usr("Node::touch"), (here.variable("mutex"),))
    assert here.names(names(here, base=here.all("two"), of="Node::touch").paths(own)) == [
        "two.mutex"
    ]


def test_an_unknown_object_is_some_object(here: Walking) -> None:
    own = Path.of_this(here.usr("Node::touch"), (here.variable("mutex"),))
    assert here.names(names(here, of="Node::touch").paths(own)) == ["?.mutex"]


def test_what_comes_back_is_the_result(here: Walking) -> None:
    assert names(here).paths(RETURNED) == (here.result,)


def test_members_lead_where_they_lead_in_the_caller(here: Walking) -> None:
    state = State(env={here.at("n.next"): here.all("two")})
    found = names(here, here.all("n"), state=state).paths(parameter(here, 0, "next", "mutex"))
    assert here.names(found) == ["two.mutex"]


def test_a_number_has_no_members(here: Walking) -> None:
    translation = names(here, (Path.of_literal("nullptr"),))
    assert translation.paths(parameter(here, 0, "mutex")) == ()
    assert translation.one(parameter(here, 0, "mutex")) == UNKNOWN


def test_behind_a_guard_are_its_locks(here: Walking) -> None:
    state = State(guards={here.at("guard"): Guard(here.all("a", "b"), True)})
    translation = names(here, (), (), here.all("guard"), state=state)
    found = translation.paths(parameter(here, 2).then(GUARDED))
    assert here.names(found) == ["a", "b"]


def test_behind_an_unknown_guard_callers_know(here: Walking) -> None:
    found = names(here, (), (), here.all("guard")).paths(parameter(here, 2).then(GUARDED))
    assert found == (here.at("guard").then(GUARDED),)


def test_a_guard_by_value_moves_in(here: Walking) -> None:
    state = State(guards={here.at("guard"): Guard(here.all("a"), True)})
    assert names(here, (), (), here.all("guard"), state=state).moved_guards == [here.at("guard")]
    assert names(here, (), (), here.all("guard")).moved_guards == []


def test_gates_are_translated(here: Walking) -> None:
    gates = frozenset((Gate(parameter(here, 0, "mutex"), SHARED),))
    assert names(here, here.all("one")).gates(gates) == {Gate(here.at("one.mutex"), SHARED)}


def test_what_is_given_up_is_translated(here: Walking) -> None:
    given_up = frozenset((parameter(here, 0, "mutex"),))
    assert names(here, here.all("one")).released(given_up) == {here.at("one.mutex")}


@given(st.permutations(["next", "mutex", "number"]), st.integers(0, 3), st.integers(0, 3))
def test_translation_composes(steps: list[str], one: int, other: int) -> None:
    """Through two calls a path goes as through one with the arguments of both."""
    here = walking(TEXT)
    low, high = sorted((one, other))
    third, second, first = steps[:low], steps[low:high], steps[high:]

    def along(path: Path, steps: list[str]) -> Path:
        for step in steps:
            path = path.then(here.variable(step))
        return path

    start = along(parameter(here, 0), first)
    middle = along(parameter(here, 0, of="f"), second)
    top = along(here.at("one"), third)
    inner = names(here, (middle,)).paths(start)
    twice = tuple(q for p in inner for q in names(here, (top,), of="f").paths(p))
    (whole,) = names(here, (top,), of="f").paths(middle)
    assert twice == names(here, (whole,)).paths(start)


def test_translations_with_one_key_name_alike(here: Walking) -> None:
    assert names(here, here.all("one")).key() == names(here, here.all("one")).key()
    assert names(here, here.all("one")).key() != names(here, here.all("two")).key()


# -- conditions on parameters ----------------------------------------------------------------------


def needs(here: Walking, need: object, *args: Paths, state: State | None = None) -> Needs | None:
    return names(here, *args, state=state).needs(frozenset((need,)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "truth", "holds"),
    [("true", True, True), ("true", False, False), ("0", False, True), ("0", True, False)],
)
def test_a_flag_that_is_handed_in_decides(
    here: Walking, text: str, truth: bool, holds: bool
) -> None:
    need = Flag(parameter(here, 1).variable, truth)
    found = needs(here, need, (), (Path.of_literal(text),))
    assert found == (frozenset() if holds else None)


def test_a_flag_that_is_handed_on_is_for_the_next_caller(here: Walking) -> None:
    need = Flag(parameter(here, 1).variable, True)
    assert needs(here, need, (), here.all("chosen")) == {Flag(here.at("chosen").variable, True)}


def test_a_flag_of_which_nothing_is_known_may_be(here: Walking) -> None:
    need = Flag(parameter(here, 1).variable, True)
    assert needs(here, need, (), here.all("n.number")) == frozenset()


@pytest.mark.parametrize(("text", "holds"), [("1", True), ("3", True), ("4", False)])
def test_bits_of_an_argument(here: Walking, text: str, holds: bool) -> None:
    need = Bits(parameter(here, 3).variable, "1", True)
    found = needs(here, need, (), (), (), (Path.of_literal(text),))
    assert found == (frozenset() if holds else None)


def test_bits_that_are_handed_on(here: Walking) -> None:
    need = Bits(parameter(here, 3).variable, "1", True)
    found = needs(here, need, (), (), (), here.all("bits"))
    assert found == {need._replace(parameter=here.at("bits").variable)}


@pytest.mark.parametrize(
    ("given", "body", "runs"),
    [
        ("left", "Left::run", True),
        ("left", "Right::run", False),
        ("left", "Base::run", False),  # Left has its own
        ("any", "Left::run", True),
        ("any", "Base::run", True),
    ],
)
def test_which_body_a_virtual_call_runs(here: Walking, given: str, body: str, runs: bool) -> None:
    need = Receiver(parameter(here, 4), here.usr(body))
    assert (needs(here, need, (), (), (), (), here.all(given)) is not None) is runs


@pytest.mark.parametrize(
    ("given", "ends", "possible"),
    [
        ("left", "Left", True),
        ("left", "Right", False),
        ("left", "Base", False),  # it is more than that
        ("any", "Left", True),
        ("any", "Base", True),
        ("any", "Nowhere", True),  # nothing is known of that class
    ],
)
def test_as_what_an_object_ends(here: Walking, given: str, ends: str, possible: bool) -> None:
    need = Receiver(parameter(here, 4), f"~{ends}")
    assert (needs(here, need, (), (), (), (), here.all(given)) is not None) is possible


def test_one_object_ends_as_one_class(here: Walking) -> None:
    left, right = (Receiver(here.at("any"), f"~{c}") for c in ("Left", "Right"))
    known = names(here)
    assert known.are_possible(frozenset((left,)))
    assert not known.are_possible(frozenset((left, right)))
    run = Receiver(here.at("any"), here.usr("Left::run"))
    assert known.are_possible(frozenset((left, run)))
    assert not known.are_possible(frozenset((right, run)))


def test_one_of_several_ends(here: Walking) -> None:
    some = Either(parameter(here, 4), frozenset(("~Right", here.usr("Left::run"))))
    assert needs(here, some, (), (), (), (), here.all("left")) == frozenset()
    assert needs(here, some, (), (), (), (), here.all("any")) == {
        some._replace(path=here.at("any"))
    }
    none = Either(parameter(here, 4), frozenset(("~Right", "~Base")))
    assert needs(here, none, (), (), (), (), here.all("left")) is None
    left = Receiver(here.at("any"), "~Left")
    assert not names(here).are_possible(frozenset((left, none._replace(path=here.at("any")))))


def test_nothing_is_called_on_null(here: Walking) -> None:
    need = Receiver(parameter(here, 4), here.usr("Left::run"))
    assert needs(here, need, (), (), (), (), (Path.of_literal("nullptr"),)) is None


def test_the_object_that_is_handed_on_is_for_the_next_caller(here: Walking) -> None:
    need = Receiver(parameter(here, 4), here.usr("Left::run"))
    found = needs(here, need, (), (), (), (), here.all("any"))
    assert found == {need._replace(path=here.at("any"))}


def test_one_object_has_versions_of_one_class(here: Walking) -> None:
    left, right = (Receiver(here.at("any"), here.usr(f"{c}::run")) for c in ("Left", "Right"))
    known = names(here)
    assert known.are_possible(frozenset((left,)))
    assert known.are_possible(frozenset((left, right._replace(path=here.at("left")))))
    assert not known.are_possible(frozenset((left, right)))


@pytest.mark.parametrize("truth", [True, False])
def test_whether_the_gil_is_had(here: Walking, truth: bool) -> None:
    gil = Path.of_named("Python GIL")
    need = Has("Python GIL", truth)
    had = State((Held(gil, EXCLUSIVE, BLOCKING, here.site()),))
    assert needs(here, need, state=had) == (frozenset() if truth else None)
    gone = State(released=frozenset((gil,)))
    assert needs(here, need, state=gone) == (None if truth else frozenset())
    assert needs(here, need) == {need}


# -- places of calls -------------------------------------------------------------------------------


def test_a_place_in_a_callee_comes_after_the_call() -> None:
    frame = Frame((), (), UNKNOWN, Site("f", 1, 0))
    assert list(frame.inside(Site("g", 2, 0)).along()) == [
        Site("f", 1, 0, Site("g", 2, 0)),
        Site("g", 2, 0),
    ]


def test_chains_are_appended_to_chains() -> None:
    frame = Frame((), (), UNKNOWN, Site("f", 1, 0, Site("g", 2, 0)))
    inside = frame.inside(Site("h", 3, 0, Site("i", 4, 0)))
    assert [s.function for s in inside.along()] == ["f", "g", "h", "i"]


def test_a_method_by_pointer_has_its_object_first(here: Walking) -> None:
    frame = frame_of(
        here.walk, here.usr("Node::touch"), [here.all("one"), here.all("two"), ()], UNKNOWN,
        here.site(),
    )  # fmt: skip
    assert (frame.base, frame.args) == (here.all("one"), (here.all("two"), ()))


def test_a_function_by_pointer_has_none(here: Walking) -> None:
    frame = frame_of(here.walk, here.usr("callee"), [here.all("one")], UNKNOWN, here.site())
    assert (frame.base, frame.args) == ((), (here.all("one"),))


# -- what a callee does ----------------------------------------------------------------------------

LOCKING = """
struct Node { std::mutex mutex, other; Node *next; };
std::mutex a, b;
Node one, two;
void takes(Node *p) { std::lock_guard<std::mutex> hold(p->mutex); }
void twice(Node *p, Node *q) {
  std::lock_guard<std::mutex> x(p->mutex); std::lock_guard<std::mutex> y(q->mutex);
}
void keeps(Node *p) { p->mutex.lock(); }
void gives(Node *p) { p->mutex.unlock(); }
void away(Node *p) {
  p->mutex.unlock(); { std::lock_guard<std::mutex> hold(b); } p->mutex.lock();
}
bool tries(Node *p) { return p->mutex.try_lock(); }
std::unique_lock<std::mutex> guards(Node *p) { return std::unique_lock<std::mutex>(p->mutex); }
struct Fresh { ~Fresh() {} }; Fresh fresh() { Fresh mine; return mine; }
Node *chosen() { return &two; }
int number() { return 7; }
void set(Node *p) { p->next = &two; }
void if_set(Node *p, bool flag) { if (flag) p->mutex.lock(); }
void never() { abort(); }
void throws(Node *p) { p->mutex.lock(); throw 1; }
void calls(void (*callback)()) { std::lock_guard<std::mutex> hold(a); callback(); }
void taker() { std::lock_guard<std::mutex> hold(b); }
void others(Node *p) { p->other.lock(); }
void leave(Node *p) { p->other.unlock(); }
void f(Node *n, Node *m) {}
"""


@pytest.fixture
def call() -> Walking:
    return walking(LOCKING)


def applied(here: Walking, name: str, *args: Paths, state: State | None = None) -> list[State]:
    frame = Frame(args, (), here.result, here.site(9))
    return apply(here.walk, state or State(), here.usr(name), frame)


def test_what_a_callee_takes_comes_after_what_is_held(call: Walking) -> None:
    applied(call, "takes", call.all("one"), state=call.holding("a"))
    assert call.orders() == {("a", "Node::mutex")}


def test_what_a_callee_takes_callers_are_told(call: Walking) -> None:
    applied(call, "takes", call.all("n"))
    assert call.taken() == {"n.mutex"}


def test_a_lock_that_the_callee_takes_again(call: Walking) -> None:
    applied(call, "takes", call.all("one"), state=call.holding("one.mutex"))
    assert call.again() == {"Node::mutex"}


def test_the_lock_of_another_object_is_another(call: Walking) -> None:
    applied(call, "takes", call.all("two"), state=call.holding("one.mutex"))
    assert call.again() == set()


def test_an_order_of_two_parameters_is_one_of_the_arguments(call: Walking) -> None:
    applied(call, "twice", call.all("n"), call.all("m"))
    assert call.kept_orders() == {("n.mutex", "m.mutex")}


def test_two_parameters_that_are_one_object_are_taken_twice(call: Walking) -> None:
    applied(call, "twice", call.all("one"), call.all("one"))
    assert call.again() == {"Node::mutex"}


def test_what_a_callee_keeps_is_held(call: Walking) -> None:
    (after,) = applied(call, "keeps", call.all("n"))
    assert call.held(after) == ["n.mutex"]
    assert after.held[0].site.inner is not None


def test_of_one_of_two_objects_either_lock_is_perhaps_held(call: Walking) -> None:
    (after,) = applied(call, "keeps", call.all("one", "two"))
    assert [(call.name(h.path), h.either) for h in after.held] == [
        ("one.mutex", True),
        ("two.mutex", True),
    ]
    (free,) = applied(call, "gives", call.all("one", "two"), state=after)
    assert free.held == ()


def test_what_a_callee_gives_up_is_not(call: Walking) -> None:
    (after,) = applied(call, "gives", call.all("n"), state=call.holding("a", "n.mutex"))
    assert call.held(after) == ["a"]


def test_what_a_callee_gives_up_of_the_callers(call: Walking) -> None:
    (after,) = applied(call, "gives", call.all("n"))
    assert call.given_up(after) == {"n.mutex"}


def test_given_up_and_taken_again_it_is_held_all_the_time(call: Walking) -> None:
    (after,) = applied(call, "away", call.all("n"), state=call.holding("n.mutex"))
    assert call.held(after) == ["n.mutex"]
    assert call.given_up(after) == set()


def test_what_is_taken_while_it_is_given_up_does_not_come_after_it(call: Walking) -> None:
    applied(call, "away", call.all("n"), state=call.holding("n.mutex"))
    assert ("Node::mutex", "b") not in call.orders()


def test_who_does_not_hold_it_is_left_as_it_was(call: Walking) -> None:
    (after,) = applied(call, "away", call.all("n"))
    assert (after.held, after.released) == ((), frozenset())


def test_a_callee_that_tries_has_two_ends(call: Walking) -> None:
    ways = applied(call, "tries", call.all("n"))
    told = {tuple(call.held(w)): w.facts.get(call.result) for w in ways}
    assert told == {("n.mutex",): True, (): False}


def test_a_guard_that_comes_back_is_the_callers(call: Walking) -> None:
    (after,) = applied(call, "guards", call.all("n"))
    assert after.guards[call.result].owned
    assert [h.guard for h in after.held] == [call.result]


def test_an_object_that_comes_back_is_known(call: Walking) -> None:
    (after,) = applied(call, "chosen")
    assert after.env[call.result] == call.all("two")


def test_a_number_that_comes_back_is_known(call: Walking) -> None:
    (after,) = applied(call, "number")
    assert after.env[call.result] == (Path.of_literal("7"),)


def test_what_a_callee_writes_is_there(call: Walking) -> None:
    (after,) = applied(call, "set", call.all("one"))
    assert call.value(after, "one.next") == ["two"]


def test_a_flag_that_is_handed_in_decides_what_is_taken(call: Walking) -> None:
    applied(call, "if_set", call.all("n"), (Path.of_literal("false"),))
    assert call.taken() == set()
    applied(call, "if_set", call.all("n"), (Path.of_literal("true"),))
    assert call.taken() == {"n.mutex"}


def test_after_a_callee_that_never_returns_comes_nothing(call: Walking) -> None:
    assert applied(call, "never") == []


def test_an_exception_leaves_with_what_the_callee_kept(call: Walking) -> None:
    assert applied(call, "throws", call.all("n")) == []
    (jump,) = call.walk.jumps
    assert jump.kind == "throw"
    assert [(call.name(h.path), h.leaked) for h in jump.state.held] == [("n.mutex", True)]


def test_a_callback_is_called_with_what_is_held_there(call: Walking) -> None:
    applied(call, "calls", (Path.of_function(call.usr("taker")),))
    assert call.orders() == {("a", "b")}


def test_the_same_call_is_recorded_once(call: Walking) -> None:
    applied(call, "takes", call.all("n"))
    before = call.walk.records
    applied(call, "takes", call.all("n"))
    assert call.walk.records == before


def test_with_something_else_held_it_is_another_call(call: Walking) -> None:
    applied(call, "takes", call.all("n"))
    applied(call, "takes", call.all("n"), state=call.holding("a"))
    assert call.orders() == {("a", "Node::mutex")}


def test_the_call_is_remembered_with_what_is_held(call: Walking) -> None:
    applied(call, "taker", state=call.holding("a"))
    call.engine.contexts.solve(call.program, set(), lambda a, b: True)
    assert call.engine.contexts.sometimes(call.usr("taker")) == {Gate(call.at("a"), EXCLUSIVE)}


# -- callables -------------------------------------------------------------------------------------

CALLABLES = """
std::mutex a, b, c;
struct Functor { void operator()() { std::lock_guard<std::mutex> hold(b); } };
Functor object; Functor *pointer;
void first() { std::lock_guard<std::mutex> hold(b); }
void second(int) { std::lock_guard<std::mutex> hold(c); }
void (*stored)();
void set(bool n) { stored = first; }
void f(void (*given)()) {}
"""


@pytest.fixture
def callables() -> Walking:
    return walking(CALLABLES)


def called(here: Walking, *callees: Path, held: tuple[str, ...] = ("a",)) -> list[State]:
    return call_callables(here.walk, here.holding(*held), callees, (), here.result, here.site(9))


def test_a_function_is_called(callables: Walking) -> None:
    called(callables, Path.of_function(callables.usr("first")))
    assert callables.orders() == {("a", "b")}


def test_an_object_is_called_by_its_operator(callables: Walking) -> None:
    called(callables, callables.at("object"))
    assert callables.orders() == {("a", "b")}


def test_what_is_stored_is_called(callables: Walking) -> None:
    called(callables, callables.at("stored"))
    assert callables.orders() == {("a", "b")}


def test_what_a_caller_handed_in_is_for_callers(callables: Walking) -> None:
    (after,) = called(callables, callables.at("given"))
    assert callables.deferred() == {"given"}
    assert callables.held(after) == ["a"]


def test_of_two_each_is_possible(callables: Walking) -> None:
    both = tuple(Path.of_function(callables.usr(n)) for n in ("first", "second"))
    called(callables, *both)
    found = {pair: e.order.taken.certainty for pair, (e,) in callables.engine.found.orders.items()}
    assert found == {("a", "b"): Certainty.POSSIBLE, ("a", "c"): Certainty.POSSIBLE}


def test_one_alone_is_certain(callables: Walking) -> None:
    called(callables, Path.of_function(callables.usr("first")))
    ((emitted,),) = callables.engine.found.orders.values()
    assert emitted.order.taken.certainty is Certainty.CERTAIN


def test_functions_and_objects_can_be_called(callables: Walking) -> None:
    first = Path.of_function(callables.usr("first"))
    (operator,) = operators_of(callables.walk, callables.at("object"))
    args = [(first,), callables.all("object", "a", "pointer")]
    assert callables_of(callables.walk, args) == (first, Path.of_function(operator))


def test_those_that_take_so_many_arguments(callables: Walking) -> None:
    targets = [callables.usr("first"), callables.usr("second")]
    assert fitting(callables.walk, targets, 1) == targets[1:]


def test_without_arguments_nobody_knows(callables: Walking) -> None:
    targets = [callables.usr("first"), callables.usr("second")]
    assert fitting(callables.walk, targets, 0) == targets


def test_where_none_fits_all_may_be(callables: Walking) -> None:
    targets = [callables.usr("first"), callables.usr("second")]
    assert fitting(callables.walk, targets, 5) == targets


# -- handed on -------------------------------------------------------------------------------------


def handing(*names: str) -> tuple[HandedOn, Walking]:
    here = walking("std::mutex a;" + "".join(f"void {n}() {{}}" for n in (*names, "f")))
    return HandedOn(here.engine.program.functions, here.walk.identities), here


def note(handed: HandedOn, here: Walking, caller: str, callee: str, line: int, **more) -> None:
    site = Site(here.usr(caller), line, 0)
    handed.note(here.usr(caller), here.usr(callee), Frame((), (), UNKNOWN, site, **more))


def test_a_gap_is_filled_with_the_shortest_way() -> None:
    handed, here = handing("g", "h", "i")
    for caller, callee, line in (("f", "g", 1), ("g", "h", 2), ("h", "i", 3), ("f", "i", 4)):
        note(handed, here, caller, callee, line)
    chain = with_gap(here.usr("f"), Site(here.usr("i"), 9, 0), Certainty.CERTAIN)
    assert [s.line for s in handed.filled(chain).along()] == [4, 9]


def test_a_way_is_as_sure_as_the_acquisition() -> None:
    handed, here = handing("g", "i")
    note(handed, here, "f", "i", 4, certainty=Certainty.POSSIBLE)
    note(handed, here, "f", "g", 1)
    note(handed, here, "g", "i", 2)
    for sure, lines in ((Certainty.CERTAIN, [1, 2, 9]), (Certainty.POSSIBLE, [4, 9])):
        chain = with_gap(here.usr("f"), Site(here.usr("i"), 9, 0), sure)
        assert [s.line for s in handed.filled(chain).along()] == lines


def test_its_own_acquisition_needs_no_way() -> None:
    site = Site("f", 9, 0)
    assert with_gap("f", site, Certainty.CERTAIN) is site


def test_a_name_that_callers_have_too_is_settled() -> None:
    handed, here = handing()
    taken = Taken(here.at("a"), EXCLUSIVE, BLOCKING, here.site())
    assert handed.is_settled(taken)
    assert not handed.is_settled(taken._replace(released=frozenset(here.all("a"))))
    assert not handed.is_settled(taken._replace(path=UNKNOWN))
    assert not handed.is_settled(taken._replace(path=Issued(here.at("a"), "x")))


def test_a_doubt_is_made_once() -> None:
    handed, here = handing()
    taken = Taken(here.at("a"), EXCLUSIVE, BLOCKING, here.site())
    doubted = handed.doubted(taken, Certainty.POSSIBLE, "why")
    assert (doubted.certainty, doubted.why) == (Certainty.POSSIBLE, "why")
    assert handed.doubted(taken, Certainty.POSSIBLE, "why") is doubted
    assert handed.doubted(taken, Certainty.CERTAIN, "") is taken


# -- objects of a template's parameter -------------------------------------------------------------

TEMPLATES = """
struct Plain { std::mutex m; int n; void lock() { m.lock(); } void unlock() { m.unlock(); } };
struct Silent { int n; };
std::mutex a;
Plain plain; Silent silent;
std::unique_lock<std::mutex> guard;
template <class T> struct Holder { T inside; void g(T *other, int n) { other->lock(); } };
template <class T> void f(T *object, Plain *known) { object->lock(); }
void user() { f(&plain, &plain); plain.n++; Holder<Plain> h; h.g(&plain, 1); }
"""


def templates(function: str = "f") -> Walking:
    here = walking(TEMPLATES, "user")
    usr = next(u for u, x in here.engine.program.functions.items() if x.name == function)
    here.function = here.engine.program.functions[usr]
    here.walk = here.engine.activation(here.function)
    return here


@pytest.mark.parametrize(("name", "found"), [("object", True), ("known", False), ("a", False)])
def test_of_a_templates_parameter_only_callers_know_the_class(name: str, found: bool) -> None:
    here = templates()
    assert dependence.is_template_parameter(here.engine, here.at(name)) is found


def test_its_lock_stays_a_step_until_then() -> None:
    here = templates()
    locks = lockables.locks_of(here.walk, State(), here.at("object"))
    assert locks == (here.at("object").then(LOCKED),)


@pytest.mark.parametrize(("name", "found"), [("a", ["a"]), ("plain", ["plain"]), ("silent", [])])
def test_what_lock_of_a_known_object_takes(name: str, found: list[str]) -> None:
    here = templates()
    assert here.names(lockables.locks_of(here.walk, State(), here.at(name))) == found


def test_of_a_guard_it_takes_what_that_refers_to() -> None:
    here = templates()
    state = State(guards={here.at("guard"): Guard(here.all("a"), False)})
    assert lockables.locks_of(here.walk, state, here.at("guard")) == here.all("a")
    unknown = lockables.locks_of(here.walk, State(), here.at("guard"))
    assert unknown == (here.at("guard").then(GUARDED),)


def test_nothing_is_locked_in_what_nobody_knows() -> None:
    here = templates()
    assert lockables.locks_of(here.walk, State(), UNKNOWN) == ()


@pytest.mark.parametrize(("method", "found"), [("lock", True), ("size", False)])
def test_only_methods_that_lock_are_read_as_such(method: str, found: bool) -> None:
    here = templates()
    states = lockables.operate(
        here.walk, State(), method, here.all("object"), [], here.result, here.site()
    )
    assert (states is not None) is found


def test_a_method_with_arguments_is_no_lock() -> None:
    here = templates()
    args = [here.all("a")]
    found = lockables.untyped(
        here.walk, State(), "lock", here.all("object"), args, here.result, here.site()
    )
    assert found is None


@pytest.mark.parametrize("owned", [True, False])
def test_a_guard_is_told_whether_it_owns(owned: bool) -> None:
    here = templates()
    at = here.at("guard")
    state = State(guards={at: Guard(here.all("a"), not owned)})
    assert lockables.owning(state, at, owned).guards[at].owned is owned
    assert lockables.owning(state, here.at("a"), owned) is state


# -- ways back -------------------------------------------------------------------------------------


def after(here: Walking, *ways: Outcome, state: State | None = None) -> list[State]:
    before = state or State()
    frame = Frame((here.all("n"),), (), here.result, here.site())
    translation = Translation(here.walk, before, here.usr("takes"), frame)
    return outcomes.after_call(
        here.walk, before, here.usr("takes"), Summary({}, outcomes=ways), translation, frame, False
    )


def lock(path: Path, **more: object) -> Held:
    held = Held(path, Mode.EXCLUSIVE, How.BLOCKING, Site("g", 1, 1))
    return held._replace(**more)  # type: ignore[arg-type]


def test_there_is_a_state_for_each_way(call: Walking) -> None:
    ways = after(call, Outcome(), Outcome(held=(lock(call.at("a")),)))
    assert [call.held(w) for w in ways] == [[], ["a"]]


@pytest.mark.parametrize("needed", [True, False])
def test_what_was_given_up_here_and_is_taken_there_is_the_callers_again(
    call: Walking, needed: bool
) -> None:
    a = call.at("a")
    call.walk.needed = frozenset((a,) if needed else ())
    (way,) = after(call, Outcome(held=(lock(a),)), state=State(released=frozenset((a,))))
    assert (way.released, [h.guard for h in way.held]) == (frozenset(), [ENTRY] if needed else [])


def test_one_of_several_is_not_the_one_that_was_given_up(call: Walking) -> None:
    a = call.at("a")
    state = State(released=frozenset((a,)))
    (way,) = after(call, Outcome(held=(lock(a, either=True),)), state=state)
    assert (way.released, call.held(way)) == (frozenset((a,)), ["a"])


def test_of_strangers_only_what_all_ways_take_is_held(call: Walking) -> None:
    stranger = lock(UNKNOWN.then(call.variable("mutex")))
    assert [call.held(w) for w in after(call, Outcome(), Outcome(held=(stranger,)))] == [[], []]
    both = after(call, Outcome(held=(stranger,)), Outcome(held=(stranger,), flag=True))
    assert [len(w.held) for w in both] == [1, 1]


def test_of_strangers_only_what_all_ways_give_up_is_gone(call: Walking) -> None:
    stranger = frozenset((UNKNOWN.then(call.variable("mutex")),))
    assert [w.released for w in after(call, Outcome(), Outcome(released=stranger))] == [
        frozenset(), frozenset(),
    ]  # fmt: skip
    assert [w.released for w in after(call, Outcome(released=stranger))] == [stranger]


def test_a_way_that_returns_a_flag_says_so(call: Walking) -> None:
    ways = after(call, Outcome(flag=True), Outcome(flag=False))
    assert [w.facts[call.result] for w in ways] == [True, False]


def test_a_method_that_is_not_here_is_found_later(call: Walking) -> None:
    """A step behind an object of a class that only callers know."""
    path = call.at("n").then(Method("unknown"))
    found = call_callables(call.walk, State(), (path,), (), call.result, call.site())
    assert found == [State()]
    assert call.deferred() == set()


def test_a_guard_that_a_lambda_captured_is_the_callers(here: Walking) -> None:
    state = State(guards={here.at("guard"): Guard(here.all("a"), True)})
    found = names(here, state=state).paths(here.at("guard").then(GUARDED))
    assert here.names(found) == ["a"]


def test_other_paths_of_the_caller_stay_as_they_are(here: Walking) -> None:
    state = State(env={here.at("one.next"): here.all("two")})
    assert names(here, state=state).paths(here.at("one.next")) == here.all("one.next")


def test_what_a_closure_knows_its_holder_by_is_the_holder(here: Walking) -> None:
    captured = here.at("n.next")
    frame = Frame((), (), here.result, here.site(), holder=here.at("two"), known_as=(captured,))
    translation = Translation(here.walk, State(), here.usr("callee"), frame)
    assert here.names(translation.paths(captured.then(here.field("mutex")))) == ["two.mutex"]
    assert here.names(translation.paths(here.at("one.mutex"))) == ["one.mutex"]
    assert not translation.is_plain


def test_an_object_that_comes_back_has_the_type_that_is_declared(call: Walking) -> None:
    (after,) = applied(call, "fresh")
    assert after.env.get(call.result) == (call.result,)
    assert call.walk.identities.made_types[call.result.root] == "Fresh"


def test_what_a_template_deletes_ends_where_its_class_is_known() -> None:
    here = walking(
        "std::mutex a, b; struct N { ~N() { std::lock_guard<std::mutex> l(b); } };"
        "template <class T> void end(T *p) { delete p; } void f(N *n) { end(n); }"
    )
    apply(
        here.walk, here.holding("a"), here.usr("end"),
        Frame((here.all("n"),), (), here.result, here.site()),
    )  # fmt: skip
    assert here.orders() == {("a", "b")}


@pytest.mark.parametrize("own", [False, True])
def test_what_a_callee_gives_up_callers_have_lost_unless_it_was_taken_here(own: bool) -> None:
    here = walking("std::mutex a; void runs() { PyRun_SimpleString(0); } void f() {}")
    gil = Path.of_named("Python GIL")
    state = here.holding("a")
    held = Held(gil, EXCLUSIVE, BLOCKING, here.site(), None if own else ENTRY)
    frame = Frame((), (), here.result, here.site(9))
    apply(here.walk, state.but(held=(held, *state.held)), here.usr("runs"), frame)
    (emitted,) = (e for each in here.engine.found.orders.values() for e in each)
    assert emitted.order.taken.released == (frozenset() if own else {gil})


def test_which_function_an_object_was_given_is_for_callers_to_know() -> None:
    here = walking(
        "std::mutex a, b; struct Ops { void (*run)(); }; struct Pool { Ops *ops; };"
        "void one() { a.lock(); a.unlock(); } void other() { b.lock(); b.unlock(); }"
        "Ops first = {one}, second = {other}; Pool left, right;"
        "void begin(Pool *p, Ops *o) { p->ops = o; }"
        "void start() { begin(&left, &first); begin(&right, &second); }"
        "void f(Pool *p) { p->ops->run(); }"
    )
    here.run()
    needs = {here.name(t.path): t.needs for each in here.walk.taken.values() for t in each}
    assert {n.function for n in needs["a"]} == {here.usr("one")}
    assert all(not s.facts for s in (j.state for j in here.walk.jumps))


@pytest.mark.parametrize("either", [True, False])
def test_what_a_callee_perhaps_keeps_is_perhaps_held(call: Walking, either: bool) -> None:
    (way,) = after(call, Outcome(held=(lock(call.at("a"), either=either),)))
    assert [h.either for h in way.held] == [either]


@pytest.mark.parametrize("either", [True, False])
def test_what_is_perhaps_held_around_a_callback_is_no_gate(call: Walking, either: bool) -> None:
    callee = call.usr("calls")
    parameter_ = Path.of_variable(call.program.functions[callee].params[0])
    held_there = (lock(call.at("one.mutex"), either=either), lock(call.at("a")))
    deferred = Deferred(parameter_, (), held_there, Site(callee, 5, 0))
    call.engine.learn({callee: Summary({}, deferred=(deferred,))})
    applied(call, "calls", (Path.of_function(call.usr("taker")),))
    (emitted,) = call.engine.found.orders["a", "b"]
    assert bool(emitted.order.gates) is not either
