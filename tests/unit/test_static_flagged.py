"""Calls that wait unless a bit is set: which ways are left on which it may not be."""

from __future__ import annotations

import pytest

from lockorder.static.interp import flagged
from lockorder.static.interp.known import Operation
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from walks import Walking, analysed, walking

TEXT = """
int measure();
void look(int flags);
void f(int numeric, int changed, int given) {
  int by_choice = 2 | (numeric ? 1 : 0);
  int always = 2 | 1;
  int never = 2;
  int later = 2 | 1;
  if (measure()) later = 2;
  if (measure()) changed = 0;
  int by_changed = 2 | (changed ? 1 : 0);
  look(by_choice); look(always); look(never); look(later); look(by_changed); look(given);
}
"""


@pytest.fixture(scope="module")
def here() -> Walking:
    return walking(TEXT)


def left(here: Walking, name: str, state: State | None = None) -> list[State]:
    value = f.Var(here.at(name).variable)
    return flagged.without(here.walk, value, "1", State() if state is None else state)


def test_a_bit_that_is_always_set_leaves_no_way(here: Walking) -> None:
    assert left(here, "always") == []


def test_a_bit_that_is_never_set_leaves_the_state_as_it_is(here: Walking) -> None:
    assert left(here, "never") == [State()]


def test_a_choice_leaves_the_way_without_the_bit(here: Walking) -> None:
    (way,) = left(here, "by_choice")
    assert way.facts == {here.at("numeric"): False}


def test_a_choice_that_is_known_leaves_none(here: Walking) -> None:
    assert left(here, "by_choice", State(facts={here.at("numeric"): True})) == []


@pytest.mark.parametrize("name", ["later", "by_changed"])
def test_what_may_have_changed_is_not_asked_again(here: Walking, name: str) -> None:
    (way,) = left(here, name)
    assert here.at("changed") not in way.facts


def test_a_parameter_is_for_callers_to_tell(here: Walking) -> None:
    (way,) = left(here, "given")
    assert way.facts == {Operation("&", here.at("given"), Path.of_literal("1")): False}


HINTS = """
struct addrinfo { int ai_flags; int ai_family; };
extern "C" int getaddrinfo(const char *, const char *, const addrinfo *, addrinfo **);
std::mutex held;
void f(bool asked) {
  std::lock_guard<std::mutex> hold(held);
  addrinfo hints{}, *found;
  %s
  getaddrinfo("a", "1", %s, &found);
}
"""


@pytest.mark.parametrize(
    ("before", "given", "waits"),
    [
        ("hints.ai_flags = 4;", "&hints", False),
        ("hints.ai_flags = 4 | 1;", "&hints", False),
        ("hints.ai_flags = 1;", "&hints", True),
        ("hints.ai_family = 4;", "&hints", True),
        ("hints.ai_flags = 1; if (asked) hints.ai_flags = 4;", "&hints", True),
        ("hints.ai_flags = 4;", "nullptr", True),
    ],
)
def test_a_bit_of_a_member_of_what_is_pointed_to(before: str, given: str, waits: bool) -> None:
    assert bool(analysed(HINTS % (before, given)).found.blocked) is waits
