"""Variables that come to life and are assigned, and writes that no statement shows."""

from __future__ import annotations

import pytest

from lockorder.static.interp import stores, unseen
from lockorder.static.interp.known import Emptied, EndWaits, Equal, LastOwner
from lockorder.static.interp.summary import Guard, Held, State, are_numbers
from lockorder.static.interp.truths import Truths
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import ELEMENT
from walks import BLOCKING, EXCLUSIVE, Walking, walking

TEXT = """
struct Node { std::mutex mutex; Node *next; int count; bool flag; std::unique_ptr<Node> own; };
std::mutex a, b;
Node one, two; Node *chosen; int number, other; bool told;
std::unique_lock<std::mutex> guard, second;
union Both { int first; int last; }; Both both;
int status(); bool ask(); Node *find(); void change(int &); void look(int);
void write_number() { number = 1; }
void write_count(Node *n) { n->count = 1; }
void f(Node *p, Node *q, int given) { %s }
"""
ONE, TWO, NULL = (Path.of_literal(t) for t in ("1", "2", "nullptr"))


def saying(body: str) -> Walking:
    return walking(TEXT % body)


def assigned(here: Walking, state: State | None = None, number: int = 0) -> State:
    event = here.statements(f.Assign)[number]
    return stores.assign(here.walk, event, state or State())


def declared(here: Walking, state: State | None = None, number: int = 0) -> State:
    return stores.declare(here.walk, here.statements(f.Local)[number], state or State())


# -- assignments -----------------------------------------------------------------------------------


def test_a_variable_is_what_it_was_set_to() -> None:
    here = saying("number = 1;")
    assert here.value(assigned(here), "number") == ["lit:1"]


def test_a_pointer_leads_where_it_was_set_to() -> None:
    here = saying("chosen = p;")
    assert here.value(assigned(here), "chosen") == ["p"]


def test_a_member_is_written_where_its_object_is() -> None:
    here = saying("chosen->next = q;")
    state = State(env={here.at("chosen"): here.all("one")})
    assert here.value(assigned(here, state), "one.next") == ["q"]


def test_of_two_objects_nobody_knows_which_is_written() -> None:
    here = saying("chosen->next = q;")
    state = State(env={here.at("chosen"): here.all("one", "two")})
    after = assigned(here, state)
    assert "q" not in here.value(after, "one.next")
    assert "q" not in here.value(after, "two.next")


def test_what_nobody_knows_is_not_what_it_was() -> None:
    here = saying("number = status();")
    state = State(env={here.at("number"): (ONE,)})
    assert "lit:1" not in here.value(assigned(here, state), "number")


def test_what_was_known_of_the_old_value_is_void() -> None:
    here = saying("number = 1;")
    place = here.at("number")
    state = State(facts={place: False, Equal(place, TWO): True})
    assert assigned(here, state).facts == {}


def test_facts_of_others_stay() -> None:
    here = saying("number = 1;")
    state = State(facts={here.at("other"): False})
    assert assigned(here, state).facts == state.facts


def test_the_outcome_of_a_test_is_kept_with_it() -> None:
    here = saying("told = !given;")
    state = State(facts={here.at("given"): False})
    assert assigned(here, state).facts[here.at("told")] is True


def test_an_assigned_guard_moves() -> None:
    here = saying("guard = std::move(second);")
    one, other = here.all("guard", "second")
    call = here.walk.values.result(here.call("move").id)
    state = State(
        (Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), other),),
        env={call: (other,)},
        guards={one: Guard((), False), other: Guard(here.all("a"), True)},
    )
    after = assigned(here, state)
    assert [h.guard for h in after.held] == [one]
    assert not after.guards[other].owned


def test_what_the_target_held_is_given_up_first() -> None:
    here = saying("guard = std::move(second);")
    one, other = here.all("guard", "second")
    call = here.walk.values.result(here.call("move").id)
    state = State(
        (Held(here.at("b"), EXCLUSIVE, BLOCKING, here.site(), one),),
        env={call: (other,)},
        guards={one: Guard(here.all("b"), True), other: Guard(here.all("a"), False)},
    )
    assert assigned(here, state).held == ()


def test_writing_to_one_member_of_a_union_changes_the_others() -> None:
    here = saying("both.first = 1;")
    state = State(env={here.at("both.last"): (TWO,)})
    after = assigned(here, state)
    assert here.value(after, "both.last") == []
    assert here.value(after, "both.first") == ["lit:1"]


def test_a_reference_writes_to_what_it_names() -> None:
    here = saying("int &r = number; r = 2;")
    state = declared(here)
    assert here.value(assigned(here, state), "number") == ["lit:2"]


def test_a_pointer_to_a_number_writes_there() -> None:
    here = saying("int *r = &number; *r = 2;")
    state = declared(here)
    assert here.value(assigned(here, state), "number") == ["lit:2"]


def test_a_status_tells_from_now_on_by_the_variable_that_has_it() -> None:
    here = saying("number = status();")
    result = here.walk.values.result(here.call("status").id)
    lock = Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), undo=result)
    assert [h.undo for h in assigned(here, State((lock,))).held] == [here.at("number")]


# -- declarations ----------------------------------------------------------------------------------


def test_a_local_is_what_it_is_begun_with() -> None:
    here = saying("int n = 1;")
    assert here.value(declared(here), "n") == ["lit:1"]


def test_a_local_that_is_begun_again_is_new() -> None:
    """In the next round of a loop, say."""
    here = saying("std::unique_ptr<Node> n;")
    place = here.at("n")
    marks = {Emptied(place): True, LastOwner(place): True, EndWaits(place): True}
    assert not set(marks) - {Emptied(place)} & set(declared(here, State(facts=marks)).facts)


@pytest.mark.parametrize("told", [False, True])
def test_a_future_that_is_not_there_is_not_waited_for(told: bool) -> None:
    """``if (!future.valid()) future = std::async(...)``."""
    here = walking("std::future<int> kept; int work();\nvoid f() { kept = std::async(work); }")
    result = here.walk.values.result(here.statements(f.Call)[0].id)
    kept = here.at("kept")
    state = State(env={result: (result,)}, facts={EndWaits(result): True, kept: told})
    after = stores.assign(here.walk, here.statements(f.Assign)[0], state)
    assert (EndWaits(result) in after.facts, after.facts.get(kept)) == (told, None)


def test_a_guard_lives_until_its_block_ends() -> None:
    here = saying("std::unique_lock<std::mutex> mine(a);")
    made = here.walk.values.made(here.statements(f.Make)[0].id)
    state = State(
        (Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), made),),
        guards={made: Guard(here.all("a"), True)},
    )
    after = declared(here, state)
    mine = here.at("mine")
    assert [h.guard for h in after.held] == [mine]
    assert (mine in after.guards, made in after.guards) == (True, False)
    assert after.alive == (mine,)


def test_a_plain_number_does_not_end() -> None:
    here = saying("int n = 1;")
    assert declared(here).alive == ()


def test_a_reference_does_not_take_a_guard_over() -> None:
    here = saying("std::unique_lock<std::mutex> &mine = guard;")
    one = here.at("guard")
    state = State(guards={one: Guard(here.all("a"), True)})
    after = declared(here, state)
    assert after.guards == state.guards
    assert here.value(after, "mine") == ["guard"]


LISTED = """
struct Noisy { std::mutex *m; int n; ~Noisy() { std::lock_guard<std::mutex> l(*m); } };
struct Told { int &number; int plain; };
std::mutex a, b; int number;
void f() { %s }
"""


def test_members_of_a_local_begin_as_what_is_listed() -> None:
    here = walking(LISTED % "Noisy n{&b, 3};")
    after = declared(here)
    assert here.value(after, "n.m") == ["b"]
    assert here.value(after, "n.n") == ["lit:3"]
    assert here.value(after, "n") == []


def test_such_a_local_ends_as_others_do() -> None:
    here = walking(LISTED % "std::lock_guard<std::mutex> x(a); Noisy n{&b, 3};")
    here.run()
    assert here.orders() == {("a", "b")}


def test_a_member_that_refers_to_a_number_is_that_place() -> None:
    here = walking(LISTED % "Told t{number, 4};")
    state = State(env={here.at("number"): (ONE,)})
    after = declared(here, state)
    assert here.value(after, "t.number") == ["number"]
    assert here.value(after, "number") == []  # may change by this name


ARRAYS = """
struct Node { std::mutex mutex; };
Node one, two; std::mutex a, b, c;
void f(int i) { %s }
"""


def test_elements_of_a_local_begin_as_what_is_listed() -> None:
    here = walking(ARRAYS % "Node *all[] = {&one, &two};")
    after = declared(here)
    assert [here.value(after, f"all.[{n}]") for n in (0, 1)] == [["one"], ["two"]]
    assert here.value(after, "all.[]") == ["one", "two"]
    assert here.value(after, "all") == []


def test_guards_that_are_listed_end_with_their_array() -> None:
    listed = "std::unique_lock<std::mutex>(a), std::unique_lock<std::mutex>(b)"
    here = walking(ARRAYS % f"{{ std::unique_lock<std::mutex> all[] = {{{listed}}}; }} c.lock();")
    (way,) = here.run().outcomes
    assert [here.name(h.path) for h in way.held] == ["c"]
    assert here.orders() == {("a", "b")}


def test_one_of_them_can_be_given_up_before() -> None:
    listed = "std::unique_lock<std::mutex>(a), std::unique_lock<std::mutex>(b)"
    here = walking(
        ARRAYS % f"std::unique_lock<std::mutex> all[] = {{{listed}}}; all[0].unlock(); c.lock();"
    )
    here.run()
    assert here.orders() == {("a", "b"), ("b", "c")}


@pytest.mark.parametrize("kind", ["std::unique_lock<std::mutex> all[2]",
                                  "std::vector<std::unique_lock<std::mutex>> all"])  # fmt: skip
@pytest.mark.parametrize("index", ["0", "i"])
def test_an_element_takes_a_guard_over(kind: str, index: str) -> None:
    body = f"{{ {kind}; all[{index}] = std::unique_lock<std::mutex>(a); b.lock(); }} c.lock();"
    here = walking(ARRAYS % body)
    (way,) = here.run().outcomes
    assert here.orders() == {("a", "b"), ("b", "c")}
    assert [here.name(h.path) for h in way.held] == ["b", "c"]


def test_a_number_goes_into_no_element() -> None:
    here = walking("int all[2]; void f(int i) { all[i] = 3; }")
    state = State()
    assert stores.assign(here.walk, here.statements(f.Assign)[0], state) is state


def test_in_the_next_round_its_members_are_new() -> None:
    here = walking(LISTED % "Noisy n{&b, 3};")
    state = State(env={here.at("n").then("old"): (ONE,)})
    assert here.at("n").then("old") not in declared(here, state).env


# -- other names -----------------------------------------------------------------------------------


def test_a_renamed_object_is_known_by_its_new_name_only() -> None:
    old, new = Path.of_made("f", "1"), Path.of_variable("new")
    lock = Held(old.then("m"), EXCLUSIVE, BLOCKING, walking(TEXT % "").site(), old)
    state = State(
        (lock,), {old.then("x"): (old.then("y"),)}, {old: Guard((old.then("m"),), True)},
        {Emptied(old): True},
    )  # fmt: skip
    after = stores.rename(state, old, new)
    assert after.env == {new.then("x"): (new.then("y"),)}
    assert after.guards == {new: Guard((new.then("m"),), True)}
    assert after.facts == {Emptied(new): True}
    assert [(h.path, h.guard) for h in after.held] == [(new.then("m"), new)]


def test_renamed_there_and_back_nothing_has_changed() -> None:
    old, new = Path.of_made("f", "1"), Path.of_variable("new")
    state = State(env={old.then("x"): (ONE,)}, facts={Emptied(old): True})
    assert stores.rename(stores.rename(state, old, new), new, old) == state


def test_others_are_left_alone() -> None:
    state = State(env={Path.of_variable("x"): (ONE,)}, facts={Path.of_variable("x"): True})
    assert stores.rename(state, Path.of_made("f", "1"), Path.of_variable("new")) == state


# -- writes of callees -----------------------------------------------------------------------------


def numbers(here: Walking, *names: str) -> State:
    return State(env=dict.fromkeys(here.all(*names), (TWO,)))


def test_what_a_callee_writes_is_not_known_any_more() -> None:
    here = saying("write_number();")
    state = numbers(here, "number", "other")
    after = unseen.by_callee(here.walk, state, here.usr("write_number"))
    assert here.names(after.env) == ["other"]


def test_a_callee_that_writes_nothing_changes_nothing() -> None:
    here = walking("int number; void nothing() {} void f() { nothing(); }")
    state = numbers(here, "number")
    assert unseen.by_callee(here.walk, state, here.usr("nothing")) is state


def test_a_member_may_be_written_in_any_object_of_the_class() -> None:
    here = saying("write_count(p);")
    state = numbers(here, "one.count", "p.count", "number")
    after = unseen.by_callee(here.walk, state, here.usr("write_count"))
    assert here.names(after.env) == ["number"]


def test_a_test_is_void_where_the_write_is_sure() -> None:
    here = saying("write_number();")
    state = State(facts={here.at("number"): True, here.at("other"): True})
    after = unseen.by_callee(here.walk, state, here.usr("write_number"))
    assert set(after.facts) == {here.at("other")}


# -- writes of other threads -----------------------------------------------------------------------


def test_others_may_write_to_what_all_can_see() -> None:
    here = saying("int mine = 2; write_number();")
    after = unseen.elsewhere(here.walk, numbers(here, "number", "mine"))
    assert here.names(after.env) == ["mine"]


def test_what_nothing_writes_to_stays() -> None:
    here = saying("")
    after = unseen.elsewhere(here.walk, numbers(here, "other"))
    assert here.names(after.env) == ["other"]


@pytest.mark.parametrize("tests", [True, False])
def test_tests_are_void_where_others_had_the_lock(tests: bool) -> None:
    here = saying("")
    state = State(facts={here.at("number"): True})
    assert bool(unseen.elsewhere(here.walk, state, tests).facts) is not tests


# -- arguments -------------------------------------------------------------------------------------


def handed(here: Walking, name: str) -> unseen.Handed | None:
    call = here.call(name)
    target = call.target
    assert isinstance(target, f.Fn)
    return unseen.handed_to(here.walk, target.usr, call.args, target.base, call.id)


def test_an_argument_by_reference_may_be_written_to() -> None:
    here = saying("change(number);")
    found = handed(here, "change")
    assert found is not None
    after = unseen.settled(here.walk, found, here.result, State(), numbers(here, "number", "other"))
    assert here.names(after.env) == ["other"]


def test_an_argument_by_value_is_not() -> None:
    here = saying("look(number);")
    found = handed(here, "look")
    state = numbers(here, "number")
    after = state if found is None else unseen.settled(here.walk, found, here.result, state, state)
    assert after == state


def test_what_a_callee_wrote_through_its_parameter_is_there() -> None:
    here = walking("void set(int *p) { *p = 7; } void f() { int n = 1; set(&n); }")
    ends = here.walk.block(here.function.body, [State()])
    assert [here.value(s, "n") for s in ends] == [["lit:7"]]


@pytest.mark.parametrize(
    ("values", "found"), [((), False), ((ONE,), True), ((ONE, Path.of_variable("x")), False)]
)
def test_what_is_nothing_but_numbers(values: tuple[Path, ...], found: bool) -> None:
    assert are_numbers(values) is found
    place = Path.of_variable("place")
    state = State(env={place: values})
    assert (state.numbers == (place,)) is found
    assert state.but(held=()).numbers == state.numbers
    assert state.with_value(place, ()).numbers == ()


# -- values that are either 0 or 1 -----------------------------------------------------------------


def asked(body: str) -> bool:
    """Whether what the first branch asks is one."""
    here = saying(body)
    return Truths(here.program, here.function).has(here.condition())


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("if (told) {}", True),
        ("if (p->flag) {}", True),
        ("if (number) {}", False),
        ("if (p->count) {}", False),
        ("if (ask()) {}", True),
        ("if (status()) {}", False),
        ("int n = 1; if (n) {}", True),
        ("int n = 2; if (n) {}", False),
        ("int n = 1; n = 5; if (n) {}", False),
        ("int n = !given; if (n) {}", True),
        ("int n = 0; change(n); if (n) {}", True),
        ("int n = given < 3; if (n) {}", True),
        ("int n = 0; n = n; if (n) {}", True),
    ],
)
def test_either_zero_or_one(body: str, found: bool) -> None:
    assert asked(body) is found


# -- values and conditions -------------------------------------------------------------------------


def ways(here: Walking, state: State | None = None) -> tuple[State | None, State | None]:
    before = state or State()
    values = here.walk.values
    return tuple(values.assume(here.condition(), t, before) for t in (True, False))  # type: ignore


@pytest.mark.parametrize(
    ("condition", "env", "found"),
    [
        ("number", "1", (True, False)),
        ("number", "0", (False, True)),
        ("!number", "1", (False, True)),
        ("number == 1", "1", (True, False)),
        ("number == 2", "1", (False, True)),
        ("number != 2", "1", (True, False)),
        ("number && other", "0", (False, True)),
        ("number || other", "1", (True, False)),
        ("number < 5", "1", (True, False)),
        ("number > 5", "1", (False, True)),
        ("number && other", "1", (True, True)),
    ],
)
def test_what_a_number_decides(condition: str, env: str, found: tuple[bool, bool]) -> None:
    here = saying(f"if ({condition}) {{}}")
    state = State(env={here.at("number"): (Path.of_literal(env),)})
    assert tuple(w is not None for w in ways(here, state)) == found


@pytest.mark.parametrize("condition", ["number", "given == 3", "given < mine", "p->flag"])
def test_what_was_tested_comes_out_the_same(condition: str) -> None:
    here = saying(f"int mine = status(); if ({condition}) {{}}")
    yes, no = ways(here)
    assert yes is not None
    assert no is not None
    assert ways(here, yes)[1] is None
    assert ways(here, no)[0] is None


def test_both_sides_of_a_conjunction_are_known() -> None:
    here = saying("if (number && other) {}")
    yes, no = ways(here)
    assert yes is not None
    assert no is not None
    assert {here.name(k) for k in yes.facts if isinstance(k, Path)} == {"number", "other"}
    assert not any(isinstance(k, Path) for k in no.facts)


def test_a_result_that_is_not_zero_undoes_the_lock() -> None:
    here = saying("if (status()) {}")
    result = here.walk.values.result(here.call("status").id)
    lock = Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), undo=result)
    yes, no = ways(here, State((lock,)))
    assert yes is not None
    assert no is not None
    assert (here.held(yes), here.held(no)) == ([], ["a"])


def test_one_of_two_values_by_its_condition() -> None:
    here = saying("chosen = given ? p : q;")
    value = here.statements(f.Assign)[0].value
    both = here.walk.values.of(value, State())
    assert here.names(both) == ["p", "q"]
    known = State(facts={here.at("given"): True})
    assert here.names(here.walk.values.of(value, known)) == ["p"]
    assert len(here.walk.values.split(value, State())) == 2
    assert len(here.walk.values.split(value, known)) == 1


def test_forgotten_is_what_was_known_of_a_place() -> None:
    here = saying("")
    place = here.at("number")
    state = State(facts={place: True, Equal(place, ONE): False, here.at("other"): True})
    assert set(stores.forget(state, place).facts) == {here.at("other")}


def test_a_forgotten_status_undoes_nothing() -> None:
    here = saying("")
    lock = Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), undo=here.result)
    assert [h.undo for h in stores.forget(State((lock,)), here.result).held] == [None]


def test_null_is_what_it_is() -> None:
    assert NULL.literal == "nullptr"


def test_another_element_is_another_object() -> None:
    """``for (auto &p : owners)``: what one round moved from is none of the next one's."""
    here = walking("std::vector<std::unique_ptr<int>> all; void f() { for (auto &p : all) {} }")
    local = [s for s in here.statements(f.Local) if isinstance(s.value, f.Elem)]
    place = here.at("all.[]")
    state = State(facts={Emptied(place): True})
    assert Emptied(place) not in stores.declare(here.walk, local[-1], state).facts


@pytest.mark.parametrize(
    ("body", "found"), [("int &r = number;", ["number"]), ("int r = number;", ["lit:2"])]
)
def test_a_reference_to_a_number_is_its_place(body: str, found: list[str]) -> None:
    here = saying(body)
    assert here.value(declared(here, numbers(here, "number")), "r") == found


@pytest.mark.parametrize(("name", "stays"), [("many", False), ("mine", True)])
def test_containers_that_others_know_may_have_new_elements(name: str, stays: bool) -> None:
    here = walking("std::vector<int> many; void g() {} void f() { std::vector<int> mine; g(); }")
    moved, other = Emptied(here.at(name).then(ELEMENT)), Emptied(here.at("many"))
    state = State(facts={moved: True, other: True})
    after = unseen.by_callee(here.walk, state, here.usr("g"))
    assert (moved in after.facts, other in after.facts) == (stays, True)
