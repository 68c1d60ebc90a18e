"""What is known of an object by how it was made: predicates, answers, copies."""

from __future__ import annotations

import pytest

from lockorder.static.interp import copies, questions, unseen
from lockorder.static.interp.known import Equal, NotAll
from lockorder.static.interp.summary import State
from lockorder.static.interp.values import number_truth
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from lockorder.static.program.predicates import Predicates, asked, kept_conditions
from walks import Walking, analysed, program_of, walking

TEXT = """
enum Kind { NUMBER, LIST, OBJECT };
int counter;
struct Value {
  Kind kind; bool lent;
  Kind of() const { return kind; }
  bool is_object() const { return kind == OBJECT; }
  bool is_plain() const { return !is_object(); }
  bool is_lent_object() const { return lent && is_object(); }
  bool by_branch() const { if (lent) return true; return kind == LIST; }
  bool counted() const { ++counter; return lent; }
  bool again() const { return again(); }
  bool of_global() const { return counter == 3; }
  virtual bool may_be() const { return lent; }
  bool by_virtual() const { return may_be(); }
  bool same_as(const Value &other) const { return kind == other.kind; }
};
bool is_list(const Value &value) { return value.kind == LIST; }
Value *one();
void here(Value &value, Value *other) { if (value.is_object()) counter = 1; (void)other; }
"""


@pytest.fixture(scope="module")
def predicates() -> Predicates:
    return Predicates(program_of(TEXT))


def _usr(predicates: Predicates, name: str) -> str:
    (usr,) = predicates._program.named(name)
    return usr


@pytest.mark.parametrize(
    "name", ["of", "is_object", "is_plain", "is_lent_object", "by_branch", "may_be", "same_as"]
)
def test_a_method_that_only_answers_is_a_predicate(predicates: Predicates, name: str) -> None:
    assert predicates.of(_usr(predicates, f"Value::{name}")) is not None


@pytest.mark.parametrize("name", ["counted", "again", "of_global", "by_virtual"])
def test_one_that_does_more_or_asks_for_more_is_none(predicates: Predicates, name: str) -> None:
    assert predicates.of(_usr(predicates, f"Value::{name}")) is None


def test_nested_questions_become_one(predicates: Predicates) -> None:
    found = predicates.of(_usr(predicates, "Value::is_plain"))
    assert isinstance(found, f.Not)
    assert isinstance(found.value, f.Compare)
    assert isinstance(found.value.left, f.Field)
    assert found.value.left.base == f.This()


def test_branches_become_one_condition(predicates: Predicates) -> None:
    found = predicates.of(_usr(predicates, "Value::by_branch"))
    assert isinstance(found, f.Both)
    assert found.either


def test_at_a_call_the_question_is_about_the_argument(predicates: Predicates) -> None:
    usr = _usr(predicates, "is_list")
    found = predicates.at(f.Call(0, f.Fn(usr), [f.Var("mine")], 1, 1), usr)
    assert isinstance(found, f.Compare)
    assert found.left == f.Field(f.Var("mine"), found.left.usr)  # type: ignore[union-attr]
    few = predicates.at(f.Call(0, f.Fn(usr), [], 1, 1), usr)
    assert few is None  # an argument that is not written down


def test_an_oracle_agrees_for_all_kinds(predicates: Predicates) -> None:
    """Each question of one member, evaluated by hand for each kind."""
    kinds = {"0": 0, "1": 1, "2": 2}
    wanted = {"is_object": lambda k: k == 2, "is_plain": lambda k: k != 2}
    for name, told in wanted.items():
        found = predicates.of(_usr(predicates, f"Value::{name}"))
        for text, number in kinds.items():
            assert _evaluated(found, text) is told(number)


def _evaluated(value: f.Value | None, kind: str) -> bool:
    if isinstance(value, f.Not):
        return not _evaluated(value.value, kind)
    assert isinstance(value, f.Compare)
    assert isinstance(value.right, f.Lit | f.Field)
    sides = [kind if isinstance(s, f.Field) else s.text for s in (value.left, value.right)]  # type: ignore[union-attr]
    numbers = [s.rpartition("=")[2] for s in sides]
    return (numbers[0] == numbers[1]) is value.equal


# -- answers --------------------------------------------------------------------------------------


@pytest.fixture
def here() -> Walking:
    return walking(TEXT, "here")


def _answered(here: Walking, state: State) -> State:
    call = here.call("is_object")
    result = here.walk.values.result(call.id)
    return questions.answered(here.walk, call, here.usr("Value::is_object"), result, state)


@pytest.mark.parametrize(("number", "truth"), [("2", True), ("1", False), ("0", False)])
def test_a_member_that_is_known_decides_the_answer(here: Walking, number: str, truth: bool) -> None:
    state = State(env={here.at("value.kind"): (Path.of_literal(number),)})
    result = here.walk.values.result(here.call("is_object").id)
    assert _answered(here, state).facts[result] is truth


def test_an_answer_that_a_branch_asks_for_decides_the_member(here: Walking) -> None:
    after = _answered(here, State())
    assert all(isinstance(fact, NotAll) for fact in after.facts)
    assert after.facts
    yes = here.walk.values.assume(here.condition(), True, after)
    assert yes is not None
    told = [k for k in yes.facts if isinstance(k, Equal) and k.left == here.at("value.kind")]
    assert len(told) == 1
    assert yes.facts[told[0]]


def test_calls_that_a_branch_asks_for_are_found(here: Walking) -> None:
    assert asked(here.function) == {here.call("is_object").id}


def test_a_condition_in_a_local_is_kept_while_it_is_set_once() -> None:
    text = TEXT + "void two(Value &v) { bool a = v.is_object(); bool b = a; b = true; if (a) ; }"
    there = walking(text, "two")
    kept = kept_conditions(there.function)
    assert there.variable("a") in kept
    assert there.variable("b") not in kept


# -- copies ---------------------------------------------------------------------------------------

COPIES = TEXT + "struct Box { Value value; Value *to; }; void put(Box &box, Value &v, Value &w) {}"


def test_numbers_of_an_object_are_copied_with_it() -> None:
    there = walking(COPIES, "put")
    env = {there.at("v.kind"): (Path.of_literal("1"),), there.at("w"): (there.at("v"),)}
    copies.into(env, there.at("v"), there.at("w"))
    assert env[there.at("w.kind")] == (Path.of_literal("1"),)
    assert there.at("w") not in env  # an object of its own now


def test_without_numbers_another_name_stays_one() -> None:
    there = walking(COPIES, "put")
    env = {there.at("w"): (there.at("v"),)}
    copies.into(env, there.at("v"), there.at("w"))
    assert env == {there.at("w"): (there.at("v"),)}


def test_what_is_known_of_members_ends_with_the_object() -> None:
    there = walking(COPIES, "put")
    kind, other = there.at("v.kind"), there.at("w.kind")
    known = {kind: (Path.of_literal("1"),), other: (Path.of_literal("2"),)}
    state = State(env=known, facts={Equal(kind, Path.of_literal("1")): True})
    after = unseen.without_parts(state, there.at("v"))
    assert after.env == {other: (Path.of_literal("2"),)}
    assert not after.facts


def test_a_member_is_an_object_of_its_own_or_leads_to_one() -> None:
    there = walking(COPIES, "put")
    assert copies.is_copied(there.walk, there.at("box.value"))
    assert not copies.is_copied(there.walk, there.at("box.to"))
    assert not copies.is_copied(there.walk, there.at("box"))


def test_members_begin_as_they_are_declared() -> None:
    text = "struct Gate { bool open = true; int *to = nullptr; Gate() {} }; Gate gate;"
    engine = analysed(text)
    (ctor,) = engine.program.named("Gate::Gate")
    told = {p.last: v for p, v in engine.summary(ctor).outcomes[0].bindings}
    names = {u.rpartition("@")[2]: number_truth(v[0].literal) for u, v in told.items()}
    assert names == {"open": True, "to": False}
