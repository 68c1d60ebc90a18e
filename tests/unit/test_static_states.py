"""States that meet, ways that are compared, and what was so when a function began."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lockorder.bounds import FEW_WAYS, STATES, Bound
from lockorder.static.interp import balance, premises, untouched
from lockorder.static.interp.joining import merge, paired
from lockorder.static.interp.known import AtFirst, Emptied, EndWaits, Fact, LastOwner
from lockorder.static.interp.summary import Guard, Held, Outcome, Site, State, Summary
from lockorder.static.interp.walking import Jump
from lockorder.static.interp.ways import Ways
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from walks import BLOCKING, EXCLUSIVE, Walking, walking

SITE = Site("f", 1, 1)
A, B, C = Path.of_variable("a"), Path.of_variable("b"), Path.of_variable("c")
ONE, TWO, ZERO, NULL = (Path.of_literal(t) for t in ("1", "2", "0", "nullptr"))


def held(path: Path, inner: bool = False, **more: object) -> Held:
    site = Site("f", 1, 1, SITE) if inner else SITE
    return Held(path, EXCLUSIVE, BLOCKING, site)._replace(**more)  # type: ignore[arg-type]


def joined(*states: State) -> State:
    (found,) = merge(list(states), no_cut)
    return found


def no_cut(bound: Bound) -> None:
    raise AssertionError(bound)


# -- joining ---------------------------------------------------------------------------------------

PLACES = st.sampled_from([A, B, C])
VALUES = st.sampled_from([ONE, TWO, ZERO, NULL, Path.of_variable("x"), Path.of_variable("y")])
MARKS: list[Fact] = [A, B, Emptied(A), LastOwner(A), EndWaits(B), AtFirst(A, "")]
STATES_ = st.builds(
    State,
    held=st.sampled_from([(), (held(C),)]),
    env=st.dictionaries(PLACES, st.lists(VALUES, min_size=1, max_size=2, unique=True).map(tuple)),
    facts=st.dictionaries(st.sampled_from(MARKS), st.booleans()),
    released=st.sampled_from([frozenset(), frozenset((A,))]),
    freed=st.sampled_from([frozenset(), frozenset((B,))]),
)


class View(NamedTuple):
    """A state without the order of what is known in it."""

    key: object
    env: object
    facts: object
    freed: object


def view(state: State) -> View:
    env = frozenset((p, frozenset(v)) for p, v in state.env.items())
    return View(state.key(), env, frozenset(state.facts.items()), state.freed)


def views(states: list[State]) -> frozenset[View]:
    return frozenset(map(view, states))


@given(STATES_)
def test_a_state_joined_with_itself_is_that(state: State) -> None:
    assert joined(state, state) is state


@given(STATES_, STATES_)
@example(State(env={A: (ONE,)}, facts={A: False}), State(env={A: (ZERO,)}, facts={A: True}))
def test_which_comes_first_makes_no_difference(one: State, other: State) -> None:
    assert views(merge([one, other], no_cut)) == views(merge([other, one], no_cut))


@given(STATES_, STATES_)
def test_joined_twice_there_is_nothing_new(one: State, other: State) -> None:
    once = merge([one, other], no_cut)
    assert views(merge([*once, one, other], no_cut)) == views(once)


@given(STATES_, STATES_)
def test_states_are_joined_where_they_lock_alike(one: State, other: State) -> None:
    assert len(merge([one, other], no_cut)) == (1 if one.key() == other.key() else 2)


@given(STATES_, STATES_)
def test_no_fact_comes_from_nowhere(one: State, other: State) -> None:
    for state in merge([one, other], no_cut):
        for fact, truth in state.facts.items():
            if not isinstance(fact, Path | Emptied):
                assert truth in (one.facts.get(fact), other.facts.get(fact))


def test_values_that_differ_are_kept_side_by_side() -> None:
    one, other = State(env={A: (ONE,)}), State(env={A: (TWO,)})
    assert joined(one, other).env == {A: (ONE, TWO)}


def test_a_number_that_is_known_on_one_way_only_is_not_known() -> None:
    assert joined(State(env={A: (ONE,)}), State()).env == {}
    assert joined(State(), State(env={A: (ONE,)})).env == {}


def test_an_object_that_is_known_on_one_way_only_stays() -> None:
    assert joined(State(env={A: (B,)}), State()).env == {A: (B,)}


def test_facts_that_differ_are_forgotten() -> None:
    assert joined(State(facts={A: True}), State(facts={A: False})).facts == {}
    assert joined(State(facts={A: True}), State(facts={A: True})).facts == {A: True}


def test_what_was_set_to_one_and_found_to_be_true_is_true() -> None:
    one, other = State(env={A: (ONE,)}), State(facts={A: True})
    assert joined(one, other).facts == {A: True}
    assert joined(other, one).facts == {A: True}


def test_what_was_set_to_zero_and_found_to_be_true_is_either() -> None:
    assert joined(State(env={A: (ZERO,)}), State(facts={A: True})).facts == {}


def test_moved_from_on_one_way_and_null_on_the_other_it_is_empty() -> None:
    one, other = State(facts={Emptied(A): True}), State(facts={A: False})
    assert joined(one, other).facts.get(Emptied(A)) is True


def test_moved_from_on_one_way_only_it_may_own_something() -> None:
    assert joined(State(facts={Emptied(A): True}), State()).facts == {}


def test_perhaps_the_last_owner_is_perhaps_the_last() -> None:
    assert joined(State(facts={LastOwner(A): True}), State()).facts == {LastOwner(A): True}


def test_what_was_freed_on_either_way_was_freed() -> None:
    one, other = State(freed=frozenset((A,))), State(freed=frozenset((B,)))
    assert joined(one, other).freed == {A, B}


def test_many_ways_give_up_what_each_of_them_does() -> None:
    some = [frozenset((A, Path.of_variable(str(n)))) for n in range(FEW_WAYS + 1)]
    assert joined(*(State(released=r) for r in some)).released == {A}


def test_few_ways_stay_apart() -> None:
    some = [State(released=frozenset((Path.of_variable(str(n)),))) for n in range(FEW_WAYS)]
    assert len(merge(some, no_cut)) == FEW_WAYS


def test_too_many_states_are_cut_and_told() -> None:
    cuts: list[Bound] = []
    many = [State((held(Path.of_variable(str(n))),)) for n in range(STATES.limit + 1)]
    assert len(merge(many, cuts.append)) == STATES.limit
    assert cuts == [STATES]


def test_calls_that_belong_together_ask_the_same() -> None:
    """Of four ways of a call that takes and one that gives up two are real."""
    nothing, both = State(), State(freed=frozenset((A,)))
    kept, lost = State((held(A, inner=True),)), State(released=frozenset((A,)))
    assert paired([nothing, both, kept, lost]) == [nothing, both]


def test_a_lock_that_is_taken_here_is_no_callees() -> None:
    ways = [State(freed=frozenset((A,))), State((held(A),)), State(released=frozenset((A,)))]
    assert paired(ways) == ways


def test_without_a_way_that_does_both_they_are_two_things() -> None:
    ways = [State(), State((held(A, inner=True),)), State(released=frozenset((A,)))]
    assert paired(ways) == ways


# -- on every way ----------------------------------------------------------------------------------


def test_wrong_on_every_way_is_wrong() -> None:
    ways = Ways()
    ways.note("rule", A, SITE, True)
    ways.note("rule", A, SITE, True)
    assert list(ways.wrong()) == [("rule", A, SITE, None)]


def test_right_on_one_way_is_right() -> None:
    ways = Ways()
    ways.note("rule", A, SITE, True)
    ways.note("rule", A, SITE, False)
    assert list(ways.wrong()) == []


def test_places_objects_and_rules_are_told_apart() -> None:
    ways = Ways()
    ways.note("rule", A, SITE, False)
    for key in (("other", A, SITE), ("rule", B, SITE), ("rule", A, Site("f", 2, 1))):
        ways.note(*key, True)
    assert len(list(ways.wrong())) == 3


def test_the_lock_that_is_held_is_told() -> None:
    ways = Ways()
    ways.note("rule", A, SITE, held(B))
    assert [h for *_, h in ways.wrong()] == [held(B)]


# -- what some paths keep --------------------------------------------------------------------------

BALANCE = """
std::mutex a, b;
std::mutex all[4];
sem_t signal;
bool told(); int status(); int *pointer(); void f();
bool told() { return true; }
int status() { return 0; }
int *pointer() { return nullptr; }
void f() {}
"""


class Ends:
    """Ways out of a function of which each keeps or gives up a lock."""

    def __init__(self, function: str = "f", lock: str = "a") -> None:
        self.here = walking(BALANCE, function)
        self.lock = self.here.at(lock)

    def keeps(self, line: int = 1, status: str = "") -> Jump:
        return self._jump(State((held(self.lock),)), line, status)

    def gives_up(self, line: int = 2, status: str = "") -> Jump:
        return self._jump(State(freed=frozenset((self.lock,))), line, status)

    def _jump(self, state: State, line: int, status: str) -> Jump:
        jump = Jump("return", state, line=line)
        jump.status = status
        return jump

    def told(self, *returned: Jump, thrown: tuple[Jump, ...] = ()) -> list[tuple[int, str]]:
        balance.check(self.here.walk, returned, thrown)
        return [(u.line, u.how) for u in self.here.engine.found.unbalanced.values()]


def test_a_way_that_keeps_what_another_gives_up() -> None:
    ends = Ends()
    assert ends.told(ends.keeps(5), ends.gives_up()) == [(5, "return")]


def test_ways_that_all_keep_it_are_meant() -> None:
    ends = Ends()
    assert ends.told(ends.keeps(1), ends.keeps(2)) == []


def test_one_way_alone_is_compared_with_nothing() -> None:
    ends = Ends()
    assert ends.told(ends.keeps()) == []


def test_what_is_perhaps_held_is_perhaps_kept() -> None:
    ends = Ends()
    perhaps = Jump("return", State((held(ends.lock, either=True),)))
    assert ends.told(perhaps, ends.gives_up()) == []


def test_an_exception_that_keeps_it() -> None:
    ends = Ends()
    assert ends.told(ends.gives_up(), thrown=(ends.keeps(7),)) == [(7, "exception")]


@pytest.mark.parametrize(
    ("function", "kept", "given", "found"),
    [
        ("told", "true", "false", False),
        ("told", "false", "true", True),
        ("told", "true", "true", True),
        ("status", "0", "-1", False),
        ("status", "-1", "0", True),
        ("status", "0", "0", True),
    ],
)
def test_callers_are_told_by_what_is_returned(
    function: str, kept: str, given: str, found: bool
) -> None:
    ends = Ends(function)
    assert bool(ends.told(ends.keeps(status=kept), ends.gives_up(status=given))) is found


def test_a_guard_that_lives_on_keeps_it() -> None:
    ends = Ends()
    guard = Path.of_variable("guard")
    state = State((held(ends.lock, guard=guard),), guards={guard: Guard((ends.lock,), True)})
    assert ends.told(Jump("return", state), ends.gives_up()) == []


def test_semaphores_are_given_up_elsewhere() -> None:
    ends = Ends(lock="signal")
    assert ends.told(ends.keeps(), ends.gives_up()) == []


def test_an_element_that_one_way_keeps_is_told() -> None:
    ends = Ends(lock="all.[]")
    assert ends.told(ends.keeps(), ends.gives_up()) == [(1, "return")]


# -- at first --------------------------------------------------------------------------------------

PREMISES = """
struct Hold {
  void first() { if (held) { held = false; } }
  void late() { held = true; if (held) { } }
  void again() { while (number) { if (held) { held = false; } } }
  void number_is() { if (number == 3) { } }
  void never() { if (pointer != nullptr) { } }
  void both() { if (held && pointer) { } }
  void calls() { touch(); if (held) { } }
  void touch() { held = false; }
  void peeks() { look(); if (held) { } }
  void look() const {}
  static void of(Hold *other) { if (other->held) { } }
  bool held; int number; int *pointer;
};
"""


def at_first(function: str, truth: bool = True) -> set[tuple[str, str, bool]]:
    here = walking(PREMISES, f"Hold::{function}")
    branch = here.statements(f.If)[0]
    state = premises.tested(here.walk, branch, branch.cond, truth, State())
    return {
        (here.name(k.path), k.literal, v) for k, v in state.facts.items() if isinstance(k, AtFirst)
    }


@pytest.mark.parametrize(
    ("function", "found"),
    [
        ("first", {("this.held", "", True)}),
        ("late", set()),
        ("again", set()),
        ("number_is", {("this.number", "3", True)}),
        ("never", {("this.pointer", "", True)}),
        ("both", {("this.held", "", True), ("this.pointer", "", True)}),
        ("calls", set()),
        ("peeks", {("this.held", "", True)}),
        ("of", {("other.held", "", True)}),
    ],
)
def test_what_a_test_says_of_the_begin(function: str, found: set[tuple[str, str, bool]]) -> None:
    assert at_first(function) == found


@pytest.mark.parametrize(
    ("function", "found"),
    [("first", {("this.held", "", False)}), ("both", set()), ("late", set())],
)
def test_on_the_other_way(function: str, found: set[tuple[str, str, bool]]) -> None:
    assert at_first(function, truth=False) == found


def test_what_was_so_at_first_outlives_a_write() -> None:
    fact = AtFirst(A, "")
    walk, state = walking("void f() {}").walk, State(facts={fact: True, A: False})
    assert premises.premises(walk, state) == {premises.Premise(A, "", True)}


class Fitting:
    """A call of ``drop``, whose ways differ by whether ``held`` was set at first."""

    def __init__(self) -> None:
        text = "struct Hold { void drop() {} bool held; }; void f(Hold *h) { h->drop(); }"
        self.here: Walking = walking(text)
        self.own = Path.of_this(self.here.usr("Hold::drop"), (self.here.variable("held"),))
        self.gives, self.keeps = (
            Outcome(
                released=frozenset((A,)) if truth else frozenset(),
                premises=frozenset((premises.Premise(self.own, "", truth),)),
            )
            for truth in (True, False)
        )

    def ways(self, *facts: bool) -> tuple[Outcome, ...]:
        here = self.here
        state = State(facts=dict.fromkeys(here.all("h.held"), *facts) if facts else {})
        frame = premises.Frame((), here.all("h"), here.result, here.site())
        names = premises.Translation(here.walk, state, here.usr("Hold::drop"), frame)
        summary = Summary({}, outcomes=(self.gives, self.keeps))
        return premises.fitting(here.walk, state, summary, names).outcomes


def test_of_the_ways_back_those_fit_that_the_caller_knows() -> None:
    call = Fitting()
    assert call.ways(True) == (call.gives,)
    assert call.ways(False) == (call.keeps,)


def test_where_the_caller_knows_nothing_all_fit() -> None:
    call = Fitting()
    assert call.ways() == (call.gives, call.keeps)


@pytest.mark.parametrize(
    ("body", "is_so"),
    [
        ("g(h);", True),
        ("h->held = true; g(h);", True),
        ("h = other; g(h);", False),
        ("g(other); g(h);", True),
        ("change(&h); g(h);", False),
    ],
)
def test_a_parameter_is_as_it_was_until_something_writes_to_it(body: str, is_so: bool) -> None:
    text = (
        "struct Hold { bool held; }; void g(Hold *) {} void change(Hold **);"
        f"void f(Hold *h, Hold *other) {{ {body} }}"
    )
    here = walking(text)
    call = [c for c in here.statements(f.Call) if here.program.called(c) == "g"][-1]
    assert (
        untouched.is_as_at_first(here.walk, here.site(call.line, call.column), here.at("h"))
        is is_so
    )


@pytest.mark.parametrize(("kept", "given"), [(True, False), (False, True)])
def test_a_pointer_that_is_returned_is_success(kept: bool, given: bool) -> None:
    ends = Ends("pointer")
    keeps = ends.keeps(status="" if kept else "nullptr")
    gives = ends.gives_up(status="nullptr" if kept else "")
    for jump in (keeps, gives):
        jump.value = () if jump.status else (A,)
    assert bool(ends.told(keeps, gives)) is given


OWNING = """
struct Owner { std::unique_ptr<int> kept; void other();
  void first() { kept.reset(); } void late() { other(); kept.reset(); kept.reset(); } };
"""


def owning(state: State) -> tuple[Walking, State, int]:
    here = walking(OWNING, "Owner::first")
    call = here.call("reset")
    site = here.site(call.line, call.column)
    after, new = premises.owning(here.walk, state, site, here.at("this.kept"))
    return here, after, len(new)


def test_what_a_call_ends_was_there_at_first() -> None:
    here, after, new = owning(State())
    assert (after.facts, new) == ({AtFirst(here.at("this.kept"), ""): True}, 1)


def test_what_is_known_already_is_not_new() -> None:
    _, before, _ = owning(State())
    _, after, new = owning(before)
    assert (after, new) == (before, 0)


def test_after_a_write_nobody_knows_what_was_there() -> None:
    here = walking(OWNING, "Owner::late")
    call = here.statements(f.Call)[-1]
    site = here.site(call.line, call.column)
    state = State()
    assert premises.owning(here.walk, state, site, here.at("this.kept")) == (state, ())


def asked(draft: bool) -> bool:
    """Whether a callee that asks for ``held`` gets an answer from a caller that knows it."""
    text = "struct Hold { void drop() {} bool held; }; void f(Hold *h) { h->drop(); }"
    here = walking(text)
    callee = here.usr("Hold::drop")
    premise = premises.Premise(Path.of_this(callee, (here.field("held"),)), "", True)
    here.engine.asked.ask(callee, frozenset((premise,)))
    here.engine.is_draft = draft
    state = State(facts={here.at("h.held"): False})
    frame = premises.Frame((), here.all("h"), here.result, here.site())
    premises.answer(here.walk, state, callee, frame)
    return not here.engine.asked.may_be(callee, frozenset((premise,)), lambda function: False)


def test_callers_answer_what_they_know() -> None:
    assert asked(draft=False)


def test_in_a_draft_nobody_answers() -> None:
    assert not asked(draft=True)
