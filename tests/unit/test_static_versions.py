"""What a version of a virtual function leaves, and flags that only fall."""

from __future__ import annotations

import pytest

from lockorder.static.interp import versions
from lockorder.static.interp.summary import State
from lockorder.static.program.falls import Falls
from walks import walking

TEXT = """
struct Base { virtual ~Base() = default; virtual void stop() = 0; };
struct Nothing : Base { void stop() override {} };
struct Lines : Base {
  Lines() { open = true; busy = true; }
  void stop() override { open = false; busy = false; }
  void again() { busy = true; }
  void hand() { bool &name = lent; name = true; }
  bool open; bool busy; bool lent = false; std::atomic<bool> flag{false};
};
struct Loud : Lines { void stop() override {} };
struct Owner { Lines *lines; Base *base; void run() { base->stop(); lines->stop(); } };
struct Copied { bool done = false; void finish() { done = true; } };
void copy(Copied &a, Copied &b) { a = b; }
struct Whole { bool over = false; void complete() { over = true; } };
"""


def _body(act: object, name: str) -> str:
    program = act.walk.program  # type: ignore[attr-defined]
    (found,) = (u for u, f in program.functions.items() if f.name == name)
    return found


def test_what_one_version_leaves_is_so_for_objects_that_have_no_such_member() -> None:
    act = walking(TEXT, "Owner::run")
    base, flag = act.at("this.lines"), act.at("this.lines.open")
    lines, nothing = _body(act, "Lines::stop"), _body(act, "Nothing::stop")
    after = [(lines, [State(facts={flag: False})]), (nothing, [State()])]
    first, second = versions.shared(act.walk, State(), base, after)
    assert first.facts[flag] is False
    assert second.facts[flag] is False


def test_not_for_a_class_below_with_a_version_of_its_own() -> None:
    act = walking(TEXT, "Owner::run")
    base, flag = act.at("this.lines"), act.at("this.lines.open")
    after = [
        (_body(act, "Lines::stop"), [State(facts={flag: False})]),
        (_body(act, "Loud::stop"), [State()]),
    ]
    assert flag not in versions.shared(act.walk, State(), base, after)[1].facts


@pytest.mark.parametrize(
    ("member", "only"),
    [
        ("this.open", False),
        ("this.busy", None),
        ("this.lent", None),
        ("this.flag", None),
    ],
)
def test_what_statements_outside_of_constructors_make_of_a_member(
    member: str, only: bool | None
) -> None:
    act = walking(TEXT, "Lines::stop")
    assert Falls(act.walk.program).only(act.at(member).last) is only


def test_an_object_that_is_copied_over_has_anything() -> None:
    act = walking(TEXT, "Copied::finish")
    assert Falls(act.walk.program).only(act.at("this.done").last) is None
    act = walking(TEXT, "Whole::complete")
    assert Falls(act.walk.program).only(act.at("this.over").last) is True
