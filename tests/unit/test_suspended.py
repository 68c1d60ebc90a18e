"""Which calls of coroutines are told as starts of tasks."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.knowledge.load import TASK
from lockorder.static.parse import facts as f
from lockorder.static.program import suspended
from lockorder.static.program.link import Program
from walks import facts_of

TEXT = """
struct Pool {};
template <typename T> struct Task {
  Task scheduleOn(Pool &pool);
  int start();
};
Task<int> wrapped(Task<int> inner);
Task<int> called(void (*run)(int), int with);
template <typename F> Task<int> invoked(F run, int with);
Task<int> made(int x) { return {}; }
Task<int> lazy(int x) { co_return x; }
void use(int x);
Task<int> home(Pool &pool) {
  %s
}
"""


def _starts(statement: str) -> list[f.Call]:
    program = Program([facts_of(TEXT % statement)])
    suspended.begin(program, builtin())
    home = next(x for x in program.functions.values() if x.name == "home")
    calls = [s for s in f.walk(home.body) if isinstance(s, f.Call)]
    return [c for c in calls if isinstance(c.target, f.Fn) and c.target.usr == TASK]


@pytest.mark.parametrize(
    "statement",
    [
        "lazy(1).scheduleOn(pool).start();",
        "wrapped(lazy(1)).scheduleOn(pool).start();",
        "wrapped(wrapped(lazy(1))).scheduleOn(pool).start();",
        "use(lazy(1).scheduleOn(pool).start());",
        "auto task = lazy(1); task.scheduleOn(pool).start();",
    ],
)
def test_it_is_begun_elsewhere(statement: str) -> None:
    (start,) = _starts(statement)
    function, argument = start.args
    assert isinstance(function, f.Fn)
    assert "lazy" in function.usr
    assert argument == f.Lit("1")


@pytest.mark.parametrize(
    "statement",
    [
        "lazy(1).scheduleOn(pool);",
        "lazy(1);",
        "wrapped(lazy(1));",
        "made(1).scheduleOn(pool).start();",
        "wrapped(made(1)).scheduleOn(pool).start();",
        "co_await lazy(1);",
        "co_await lazy(1).scheduleOn(pool).start();",
        "auto task = lazy(1); task = lazy(2); auto other = made(1); other.start();",
    ],
)
def test_it_is_not_begun_elsewhere(statement: str) -> None:
    assert _starts(statement) == []


def test_a_lambda_that_is_handed_over() -> None:
    (start,) = _starts(
        "auto one = [](int x) -> Task<int> { co_return x; };"
        " invoked(one, 1).scheduleOn(pool).start();"
    )
    assert isinstance(start.args[0], f.Made)
    assert start.args[1:] == [f.Lit("1")]


def test_a_lambda_that_is_no_coroutine() -> None:
    assert not _starts(
        "auto one = [](int x) { return made(x); }; invoked(one, 1).scheduleOn(pool).start();"
    )
