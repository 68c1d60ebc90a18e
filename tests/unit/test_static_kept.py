"""What an object keeps for others, and whether one is so new that it keeps nothing."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.program.kept import Kept
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import ELEMENT
from walks import walking

TEXT = """
void outside(struct future &);
template <class T> struct list { void push_back(T); void swap(list &); T *begin(); T *end(); };
struct future {
  future(); explicit future(int n);
  void then(void (*next)()); void complete(); void add_and_complete(); void in_place();
  list<void (*)()> next, other; int value;
};
future::future() {}
future::future(int n) { next.push_back(nullptr); }
void future::then(void (*n)()) { next.push_back(n); }
void future::complete() { value = 1; list<void (*)()> run; run.swap(next); for (auto each : run) each(); }
void future::add_and_complete() {
  next.push_back(nullptr);
  list<void (*)()> run; run.swap(next); for (auto each : run) each();
}
void future::in_place() { list<void (*)()> run; run.swap(next); run.swap(other); for (auto each : run) each(); }
future *all;
void fresh() { future x; x.complete(); }
void filled() { future x; x.then(nullptr); x.complete(); }
void handed() { future x; outside(x); x.complete(); }
void begun() { future x(1); x.complete(); }
void copied(future &other) { future x(other); x.complete(); }
void others(future &x) { x.complete(); }
void before_loop() { future x; for (int i = 0; i < 2; ++i) { x.complete(); x.then(nullptr); } }
void in_loop() { for (int i = 0; i < 2; ++i) { future x; x.complete(); x.then(nullptr); } }
void returns(bool b) { future x; if (b) { x.then(nullptr); return; } x.complete(); }
void goes_on(bool b) { future x; if (b) { x.then(nullptr); } x.complete(); }
void handles(bool b) { future x; try { x.then(nullptr); return; } catch (int) { x.complete(); } }
void captured() { future x; auto add = [&x] { x.then(nullptr); }; add(); x.complete(); }
"""  # noqa: E501


@pytest.fixture(name="program", scope="module")
def fixture_program() -> Program:
    return walking(TEXT + "void f() {}").program


def named(program: Program, name: str) -> f.Function:
    return next(u for u in program.functions.values() if u.name == name)


def field(program: Program, name: str) -> str:
    return next(u for u, v in program.variables.items() if v.name == f"future::{name}")


@pytest.mark.parametrize(
    ("name", "new"),
    [
        ("fresh", True),
        ("filled", False),
        ("handed", False),
        ("begun", False),
        ("copied", False),
        ("others", False),
        ("before_loop", False),
        ("in_loop", True),
        ("returns", True),
        ("goes_on", False),
        ("handles", False),
        ("captured", False),
    ],
)
def test_what_is_new(program: Program, name: str, new: bool) -> None:
    function = named(program, name)
    call = next(
        s
        for s in f.walk(function.body)
        if isinstance(s, f.Call) and program.called(s) == "future::complete"
    )
    variable = next(u for u, v in program.variables.items() if v.name.endswith("x")
                    and v.owner == function.usr)  # fmt: skip
    path = Path.of_variable(variable).then(field(program, "next"))
    assert Kept(program, builtin()).is_new(function, (call.line, call.column), path) is new


@pytest.mark.parametrize(
    ("name", "member"), [("complete", "next"), ("add_and_complete", ""), ("in_place", "")]
)
def test_where_a_container_was_filled_from(program: Program, name: str, member: str) -> None:
    function = named(program, f"future::{name}")
    run = next(s for s in f.walk(function.body) if isinstance(s, f.Local) and s.usr.count("@run"))
    call = [s for s in f.walk(function.body) if isinstance(s, f.Call)][-1]
    called = Path.of_variable(run.usr).then(ELEMENT)
    found = Kept(program, builtin()).source(function, called, (call.line, call.column))
    wanted = Path.of_this(function.usr).then(field(program, member)) if member else None
    assert found == wanted
