"""What is over by a call is not done again: threads, flags, elements that were moved out."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.interp import calls, ended, every, left, swapped
from lockorder.static.interp.known import AtFirst, Emptied, NotAll, Over
from lockorder.static.interp.summary import State
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import ELEMENT
from tests.unit.walks import Walking, analysed, walking

TEXT = """
struct Worker {
  std::thread thread; bool up; int left; std::atomic<bool> flag{false}; std::once_flag once;
  void stop() { if (!up) return; up = false; thread.join(); }
  void mark() { if (!up) return; up = false; }
  void release() { if (--left == 0) thread.join(); }
  void begin() { thread = std::thread([this] { up = false; }); }
  void set(bool x) { if (x) thread.join(); }
};
struct Owner {
  Worker worker; Worker other;
  void close() { worker.stop(); other.stop(); worker.begin(); worker.mark(); }
};
"""
PLACE = ("f", 3, 4)


def _walk(function: str) -> Walking:
    return walking(TEXT, function)


def _thread(act: Walking) -> Path:
    return act.at("this.thread")


class TestEnded:
    def test_a_thread_that_was_waited_for_is_over_for_any_wait(self) -> None:
        act = _walk("Worker::stop")
        after = ended.waited(act.walk, State(), (_thread(act),), act.site())
        assert ended.is_over(after, _thread(act), PLACE)
        assert ended.are_over(after, (_thread(act),), act.site(9))
        assert not ended.are_over(after, (), act.site(9))

    def test_a_wait_at_one_place_says_nothing_of_another(self) -> None:
        act = _walk("Worker::stop")
        state = State(facts={Over(_thread(act), PLACE): True})
        assert ended.is_over(state, _thread(act), PLACE)
        assert not ended.is_over(state, _thread(act), ("f", 4, 4))
        assert not ended.is_over(state, act.at("this.up"), PLACE)

    @pytest.mark.parametrize(
        ("function", "told"),
        [("Worker::stop", True), ("Worker::release", False), ("Worker::set", False)],
    )
    def test_who_asks_an_argument_or_counts_may_wait_again(self, function: str, told: bool) -> None:
        act = _walk(function)
        ended.waited(act.walk, State(), (_thread(act),), act.site(4))
        found = ended.waited_for(act.walk, [State()])
        place = ended.place_of(act.site(4))
        assert (Over(_thread(act), place) in found) is told

    def test_what_holds_on_all_ways_is_left(self) -> None:
        act = _walk("Worker::set")
        over = Over(_thread(act))
        both = [State(facts={over: True}), State(facts={over: True})]
        assert ended.waited_for(act.walk, both) == {over}
        assert ended.waited_for(act.walk, [both[0], State()]) == frozenset()

    def test_a_new_thread_may_be_any(self) -> None:
        act = _walk("Owner::close")
        state = State(facts={Over(act.at("this.worker.thread")): True})
        assert ended.anew(state).facts == {}
        assert ended.anew(State()).facts == {}
        begin, stop = act.usr("Worker::begin"), act.usr("Worker::stop")
        assert ended.after_call(act.walk, state, begin).facts == {}
        assert ended.after_call(act.walk, state, stop).facts == state.facts

    def test_what_a_wait_needs_is_one_certain_thread(self) -> None:
        act = _walk("Worker::stop")
        (need,) = ended.needed(act.walk, (_thread(act),), act.site(4))
        assert need.path == _thread(act)
        assert ended.needed(act.walk, (), act.site(4)) == frozenset()

    def test_as_before(self) -> None:
        act = _walk("Worker::stop")
        old, new = Over(_thread(act)), Over(act.at("this.up"))
        before = State(facts={old: True})
        after = ended.as_before(before, State(facts={old: True, new: True}))
        assert after.facts == {old: True}


class TestEvery:
    def test_what_is_so_of_each_is_so_of_all(self) -> None:
        act = _walk("Owner::close")
        element = act.at("this.worker").then(ELEMENT)
        one = Over(element.then("t"), PLACE, one=True)
        state = State(facts={one: True, Emptied(element): True})
        (before,) = every.before([state], act.at("this.worker"))
        assert before.facts == {}
        (after,) = every.after(act.walk, [state], act.at("this.worker"))
        assert after.facts == {
            one._replace(one=False): True, Emptied(element): True, Emptied(element, True): True
        }  # fmt: skip

    def test_another_loop_says_nothing(self) -> None:
        act = _walk("Owner::close")
        state = State(facts={Emptied(act.at("this.worker").then(ELEMENT)): True})
        assert every.before([state], None) == [state]
        assert every.after(act.walk, [state], None) == [state]
        assert every.after(act.walk, [state], act.at("this.other"))[0].facts == state.facts


class TestLeft:
    def test_a_flag_that_was_set_or_found_so(self) -> None:
        engine = analysed(TEXT)
        (usr,) = engine.program.named("Worker::mark")
        (outcome,) = engine.summary(usr).outcomes
        up = Path.of_this(usr).then(Walking(engine, "Worker::stop").field("up"))
        assert (up, False) in outcome.left

    def test_it_is_known_of_the_object_of_the_call(self) -> None:
        act = _walk("Owner::close")
        call = act.call("mark")
        (after,) = calls.call(act.walk, call, State())
        assert after.facts.get(act.at("this.worker.up")) is False
        assert act.at("this.other.up") not in after.facts
        assert left.by_each(act.walk, [], []) == []


class TestSwapped:
    def test_the_old_value_says_what_was_there_at_first(self) -> None:
        act = walking(
            TEXT.replace("if (!up) return;", "if (flag.exchange(true)) return;"), "Worker::stop"
        )
        call = act.call("exchange")
        site, flag = act.site(call.line, call.column), act.at("this.flag")
        given = ((Path.of_literal("true"),), ())
        state = swapped.after(
            act.walk, State(), "std::atomic::exchange", (flag,), given, act.result, site
        )
        assert state.facts[flag] is True
        first = AtFirst(flag, "")
        ties = {fact.parts for fact in state.facts if isinstance(fact, NotAll)}
        assert ties == {
            frozenset(((act.result, True), (first, False))),
            frozenset(((act.result, False), (first, True))),
        }

    def test_other_functions_say_nothing(self) -> None:
        act = _walk("Worker::stop")
        state = State()
        flag = (act.at("this.flag"),)
        again = swapped.after(act.walk, state, "f", flag, (), act.result, act.site())
        assert again is state
        assert "std::atomic::exchange" in builtin().atomics
