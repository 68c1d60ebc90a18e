"""The harness for transfer functions itself."""

from __future__ import annotations

from lockorder.static.interp.summary import State
from walks import analysed, walking

TEXT = """
struct Pool { std::mutex mutex; Pool *next; Pool *all[4]; void g(Pool *other) { mutex.lock(); } };
std::mutex global;
namespace ns { std::mutex inner; }
void f(Pool *p) { std::lock_guard<std::mutex> hold(global); p->g(nullptr); }
"""


def test_paths_have_the_names_of_the_text() -> None:
    here = walking(TEXT)
    for name in ("global", "p.mutex", "p.next.mutex", "p.all.[].mutex", "p.all.[3]", "?.mutex"):
        assert here.name(here.at(name)) == name
    assert here.name(here.at("ns::inner")) == "ns::inner"


def test_this_is_of_the_function_that_is_walked() -> None:
    here = walking(TEXT, "Pool::g")
    assert here.at("this.mutex").method == here.usr("Pool::g")


def test_callees_are_known_and_nothing_is_walked_above() -> None:
    here = walking(TEXT)
    assert here.engine.summary(here.usr("Pool::g")).takes
    assert not here.engine.is_walked(here.usr("f"))
    assert here.orders() == set()


def test_a_run_records() -> None:
    here = walking(TEXT)
    assert here.run().ends
    assert here.orders() == {("global", "Pool::mutex")}


def test_nothing_is_shared_between_tests() -> None:
    walking(TEXT).run()
    assert walking(TEXT).orders() == set()
    assert set(analysed(TEXT).found.orders) == {("global", "Pool::mutex")}


def test_states_have_what_was_asked_for() -> None:
    here = walking(TEXT)
    state = here.holding("global", "p.mutex")
    assert here.held(state) == ["global", "p.mutex"]
    assert here.given_up(State()) == set()
