"""What a call without a declaration makes ends with its full-expression ([class.temporary])."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from walks import facts_of

TEXT = """
struct Guard { int read; Guard(); ~Guard(); };
template <typename T> int f(T &file) {
  %s
  return 0;
}
"""
LOST = """
namespace coro { template <typename T> struct Task {}; }
coro::Task<int> f(bool on) {
  %s
}
"""


def _body(text: str) -> list[f.Stmt]:
    return f.walk(next(x for x in facts_of(text).functions if x.name == "f").body)


def _ended(text: str) -> set[int]:
    """The calls of which the result ends with its statement."""
    ends = (e for e in _body(text) if isinstance(e, f.EndTemporaries))
    return {-1 - number for end in ends for number in end.made}


@pytest.mark.parametrize(
    "statement",
    [
        "file.lock()->read = 1;",
        "file.lock();",
        "auto copied = *file.lock();",
        "auto copied = file.lock()->read;",
        "return *file.lock();",
    ],
)
def test_a_temporary_ends(statement: str) -> None:
    assert _ended(TEXT % statement) == {0}


@pytest.mark.parametrize(
    "statement",
    ["auto guard = file.lock();", "const auto &guard = file.lock();", "return file.lock();"],
)
def test_what_has_a_name_or_is_returned_lives_on(statement: str) -> None:
    assert _ended(TEXT % statement) == set()


@pytest.mark.parametrize(
    ("statement", "ended"),
    [
        ("co_return *lost(missing::one);", True),
        ("co_return (*lost(missing::one));", True),
        ("co_return lost(missing::one);", False),
        ("auto copied = *lost(missing::one); missing::use(copied);", True),
    ],
)
def test_what_is_read_from_the_text(statement: str, ended: bool) -> None:
    assert (0 in _ended(LOST % statement)) is ended


@pytest.mark.parametrize(
    "statement", ["co_return 1;", "if (on) co_return 1;", "co_return lost(missing::one);"]
)
def test_a_coroutine_returns(statement: str) -> None:
    assert [e for e in _body(LOST % statement) if isinstance(e, f.Return)]


def test_a_lambda_of_its_own_returns_alone() -> None:
    text = LOST % "auto one = []() -> coro::Task<int> { co_return 1; }; missing::use(one);"
    assert not [e for e in _body(text) if isinstance(e, f.Return)]


@pytest.mark.parametrize(
    ("statement", "awaited"),
    [
        ("co_await lost(missing::one);", True),
        ("co_return co_await (lost(missing::one));", True),
        ("co_await *lost(missing::one);", False),
        ("auto task = lost(missing::one); co_await task;", False),
    ],
)
def test_which_calls_are_awaited(statement: str, awaited: bool) -> None:
    call = next(e for e in _body(LOST % statement) if isinstance(e, f.Call))
    assert call.awaited is awaited


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("co_return 1;", True),
        ("int x = co_await lost(missing::one);", True),
        ("co_yield 1;", True),
        ("auto one = []() -> coro::Task<int> { co_return 1; }; missing::use(one);", False),
    ],
)
def test_which_functions_are_coroutines(statement: str, found: bool) -> None:
    functions = facts_of(LOST % statement).functions
    assert next(x for x in functions if x.name == "f").coroutine is found
    assert all(x.coroutine for x in functions if x.kind == "lambda")
