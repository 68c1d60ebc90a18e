"""What containers, futures and threads say of themselves, and what replaces a future."""

from __future__ import annotations

import pytest

from lockorder.static.interp import emptiness, handles, questions
from lockorder.static.interp.known import NotAll
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from walks import Walking, analysed, walking

TEXT = """
std::mutex held;
void work();
void other();
struct Jobs {
  std::vector<int> queue; std::future<int> run; std::thread worker; bool on;
  bool asked() { return queue.empty(); }
  bool behind() { return run.valid(); }
  void changed() { queue.push_back(1); queue.at(0); queue.clear(); run.get(); worker.detach(); }
  void kept() { bool was = on; bool none = queue.empty(); (void)was; (void)none; }
};
"""


def _call(walk: Walking, method: str) -> tuple[f.Call, str, tuple[Path, ...]]:
    call = walk.call(method)
    assert isinstance(call.target, f.Fn)
    base = walk.walk.values.of(call.target.base, State())
    return call, walk.program.called(call), base


def _asked(walk: Walking, method: str, state: State) -> State:
    call, _, base = _call(walk, method)
    found = emptiness.asked(walk.walk, call, state, method, base, walk.result)
    assert found is not None
    return found


def _after(walk: Walking, method: str, state: State) -> State:
    call, name, base = _call(walk, method)
    (found,) = emptiness.after(walk.walk, call, [state], name, base)
    return found


@pytest.mark.parametrize("empty", [True, False])
def test_what_a_container_says_is_a_fact_of_it(empty: bool) -> None:
    walk = walking(TEXT, "Jobs::asked")
    state = _asked(walk, "empty", State())
    answered = walk.walk.values.assume(f.Result(99), empty, state)
    assert answered is not None
    assert answered.facts[walk.at("this.queue")] is not empty
    assert _asked(walk, "empty", answered).facts[walk.result] is empty


def test_what_a_future_says_is_the_truth_of_its_place() -> None:
    walk = walking(TEXT, "Jobs::behind")
    assert _asked(walk, "valid", State()).env[walk.result] == (walk.at("this.run"),)
    known = State(facts={walk.at("this.run"): False})
    assert _asked(walk, "valid", known).facts[walk.result] is False


@pytest.mark.parametrize(
    ("method", "place", "left"),
    [
        ("push_back", "this.queue", None),
        ("at", "this.queue", True),
        ("clear", "this.queue", False),
        ("get", "this.run", False),
        ("detach", "this.worker", False),
    ],
)
def test_what_a_method_leaves(method: str, place: str, left: bool | None) -> None:
    walk = walking(TEXT, "Jobs::changed")
    before = State(facts={walk.at(place): True})
    assert _after(walk, method, before).facts.get(walk.at(place)) is left


def test_a_local_is_tied_to_the_member_that_it_was_read_from() -> None:
    walk = walking(TEXT, "Jobs::kept")
    was = walk.statements(f.Local)[0]
    (clause, other) = questions.kept(walk.walk, was, State()).facts
    assert isinstance(clause, NotAll)
    assert isinstance(other, NotAll)
    assert {fact for fact, _ in clause.parts} == {walk.at("was"), walk.at("this.on")}


def test_the_answer_of_a_call_tells_what_it_left() -> None:
    walk = walking(TEXT, "Jobs::asked")
    place = walk.at("this.on")
    ways = [State(facts={walk.result: True, place: False}), State(facts={walk.result: False})]
    tied = questions.told_by_ways(State(), ways, walk.result)
    clause = NotAll(frozenset(((walk.result, True), (place, True))))
    assert all(state.facts.get(clause) for state in tied)
    assert questions.told_by_ways(State(), ways[:1], walk.result) == ways[:1]


REPLACED = """
std::mutex held; void work();
struct Jobs {
  std::future<int> run; bool on;
  void begin() { run = std::async(work); }
  void f() { std::lock_guard<std::mutex> hold(held); %s }
};
"""


@pytest.mark.parametrize(
    ("text", "waits"),
    [
        ("run = std::async(work);", True),
        ("if (!run.valid()) run = std::async(work);", False),
        ("if (run.valid()) run = std::async(work);", True),
        ("if (!run.valid()) begin();", False),
        ("if (!run.valid()) { begin(); run = std::async(work); }", True),
        ("std::future<int> mine; mine = std::async(work); mine.wait();", True),
        ("run = std::future<int>(); run = std::async(work);", False),
    ],
)
def test_who_replaces_a_future_waits_for_what_was_there(text: str, waits: bool) -> None:
    found = analysed(REPLACED % text).found.blocked
    assert bool(found) is waits


def test_what_was_asked_is_settled_where_it_is_assigned() -> None:
    walk = walking(REPLACED % "run = std::async(work);", "Jobs::begin")
    (assign,) = walk.statements(f.Assign)
    place = walk.at("this.run")
    state = State(facts={place: False})
    assert handles.replaced(walk.walk, assign, place, (), state).facts.get(place) is None
