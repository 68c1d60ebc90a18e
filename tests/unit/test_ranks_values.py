"""Values of a program on paper: their names, what they depend on, what ranks compute from them."""

from __future__ import annotations

import ast
import operator
from typing import Any

import pytest

from lockorder.ranks import conditions
from lockorder.ranks.values import (
    COUNT,
    FILES,
    LOCAL,
    MESSAGE,
    NONE,
    RANK,
    THROUGH,
    Class,
    Comm,
    Const,
    Either,
    Function,
    Method,
    Module,
    Obj,
    Request,
    Rows,
    Super,
    Truth,
    Tup,
    Unknown,
    Value,
    computed,
    counted,
    counting,
    depends,
    differs,
    lasting,
    named,
    same,
)

MINE = frozenset((RANK,))
RANKS = Const(1, MINE, "rank", (0, 1, 2))


class _Named:
    name = "module"


def _class(name: str, number: int = 1) -> Class:
    node = ast.parse(f"class {name}: pass").body[0]
    assert isinstance(node, ast.ClassDef)
    return Class(node, _Named(), name, (), None, number)


def test_a_short_name_is_itself() -> None:
    assert named("rank(world)") == "rank(world)"


def test_a_long_name_is_cut_and_stays_its_own() -> None:
    """Two long texts that begin alike have two names, and one text always the same one."""
    first, second = named("x" * 500 + "a"), named("x" * 500 + "b")
    assert first == named("x" * 500 + "a")
    assert first != second
    assert len(first) < 80


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Const(3), "3"),
        (Const("a"), "'a'"),
        (Const(3, MINE, "rank"), "rank"),
        (Const(3, MINE), "3"),
        (Const(3, NONE, "unused"), "3"),
        (Tup((Const(1), Const(2))), "(1,2)"),
        (Obj(7, None, "list@main:3", "list"), "list@main:3"),
        (Unknown("loss"), "loss"),
        (Truth(conditions.ask("lt(a,b)"), NONE), "lt(a,b)"),
        (Method(Const("a"), "upper"), "'a'.upper"),
        (Rows("zip", (Unknown("a"), Unknown("b"))), "zip(a,b)"),
        (Either(conditions.ask("q"), NONE, Const(1), Const(2)), "(q?1:2)"),
        (Comm("the whole job", (0, 1)), "the whole job"),
        (Request((1,)), "request"),
        (Module(_Named()), "module"),
        (_class("Trainer"), "Trainer"),
        (Super(_class("Trainer"), Unknown("x")), "super(Trainer)"),
        (Function(None, None, "f"), "f"),
        (Function(None, None, "f", bound=Unknown("trainer")), "trainer.f"),
    ],
)
def test_names(value: Value, name: str) -> None:
    """A constant is called by its expression only where that depends on the rank."""
    assert value.id == name


def test_what_is_in_a_row_it_depends_on() -> None:
    row = Tup((Const(1), Unknown("x", frozenset((MESSAGE,)))), MINE)
    assert row.depends == {RANK, MESSAGE}
    assert Tup((), MINE).depends == {RANK}


def test_of_two_it_depends_on_the_condition_and_on_both() -> None:
    value = Either(
        conditions.ask("q", True), MINE, Unknown("a", frozenset(("local:a",))),
        Unknown("b", frozenset(("local:b",))),
    )  # fmt: skip
    assert value.depends == {RANK, "local:a", "local:b"}


def test_methods_and_rows_depend_on_what_they_are_of() -> None:
    value = Unknown("x", MINE)
    assert Method(value, "m").depends == MINE
    assert Rows("enumerate", (value, Const(1))).depends == MINE
    assert Obj(1, None, "o").depends == NONE


def test_nothing_depends_on_nothing() -> None:
    assert depends() == NONE
    assert depends(Const(1), RANKS) == MINE


# -- same -----------------------------------------------------------------------------------------

_NODE = ast.parse("def f(): pass").body[0]


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        (Const(1), Const(1), True),
        (Const(1), Const(2), False),
        (Const(1), Const(True), False),
        (Const(1), Const(1.0), False),
        (Const(1), Const(1, MINE), False),
        (Const(1), Unknown("1"), False),
        (Obj(1, None, "a"), Obj(1, None, "b"), True),
        (Obj(1, None, "a"), Obj(2, None, "a"), False),
        (Request((1, 2)), Request((1, 2)), True),
        (Request((1,)), Request((2,)), False),
        (Function(_NODE, None, "f"), Function(_NODE, None, "g"), True),
        (Function(_NODE, None, "f"), Function(None, None, "f"), False),
        (Unknown("x"), Unknown("x"), True),
        (Unknown("x"), Unknown("x", MINE), False),
        (Unknown("x"), Unknown("y"), False),
        (Tup((Const(1),)), Tup((Const(1),)), True),
        (Tup((Const(1),)), Tup((Const(2),)), False),
        (Comm("a", (0,)), Comm("a", (0,)), True),
        (Comm("a", (0,)), Comm("b", (0,)), False),
    ],
)
def test_same(first: Value, second: Value, alike: bool) -> None:
    assert same(first, second) is alike
    assert same(second, first) is alike


def test_a_method_of_two_objects_is_two() -> None:
    mine, theirs = Obj(1, None, "a"), Obj(2, None, "b")
    bound = Function(_NODE, None, "f", bound=mine)
    assert same(bound, Function(_NODE, None, "f", bound=mine))
    assert not same(bound, Function(_NODE, None, "f", bound=theirs))


def test_a_value_is_the_same_as_itself() -> None:
    for value in (Const(float("nan")), Unknown("x", MINE), Obj(1, None, "o")):
        assert same(value, value)


# -- computed -------------------------------------------------------------------------------------


def test_what_is_computed_from_plain_numbers_is_plain() -> None:
    value = computed(operator.add, (Const(1), Const(2)), "sum")
    assert (value.value, value.deps, value.ranks) == (3, NONE, None)


def test_what_is_computed_from_the_rank_is_known_for_each() -> None:
    value = computed(operator.mul, (RANKS, Const(10)), "mul")
    assert (value.value, value.deps, value.ranks, value.id) == (10, MINE, (0, 10, 20), "mul")


def test_what_is_the_same_on_all_ranks_depends_on_none() -> None:
    """``rank // 8`` of three ranks is no question of the rank."""
    value = computed(operator.floordiv, (RANKS, Const(8)), "node")
    assert (value.value, value.deps) == (0, NONE)


def test_two_of_the_same_rank_are_joined_rank_by_rank() -> None:
    value = computed(operator.sub, (RANKS, RANKS), "zero")
    assert (value.value, value.deps) == (0, NONE)


def test_types_count() -> None:
    """``True`` on one rank and 1 on the others are not the same."""

    def first_is_true(rank: int) -> object:
        return True if rank == 0 else 1

    value = computed(first_is_true, (RANKS,), "x")
    assert value.deps == MINE
    assert value.ranks == (True, 1, 1)


def test_where_other_ranks_are_not_known_it_stays_theirs() -> None:
    value = computed(operator.mul, (Const(1, MINE, "x"), Const(0)), "mul")
    assert (value.value, value.deps, value.ranks) == (0, MINE, None)


def test_what_fails_on_another_rank_alone_is_known_here_only() -> None:
    """``6 // rank`` on rank 1: rank 0 divides by nought."""
    value = computed(operator.floordiv, (Const(6), RANKS), "div")
    assert (value.value, value.deps, value.ranks) == (6, MINE, None)


def test_what_fails_here_raises() -> None:
    with pytest.raises(ZeroDivisionError):
        computed(operator.floordiv, (Const(6), Const(0, MINE, "rank", (0, 1))), "div")


# -- dependencies ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deps", "expected"),
    [
        ((), False),
        ((RANK,), True),
        ((f"{RANK}:group",), True),
        ((LOCAL + "time",), True),
        ((FILES + "listdir",), True),
        ((THROUGH + "model",), False),
        ((COUNT + RANK,), False),
        ((THROUGH + "model", RANK), True),
    ],
)
def test_differs(deps: tuple[str, ...], expected: bool) -> None:
    """How many parts something has, and through which model it went, is not what it is."""
    assert differs(frozenset(deps)) is expected


def test_counting_and_counted_are_each_other_s_inverse() -> None:
    deps = frozenset((RANK, LOCAL + "data", THROUGH + "model", COUNT + "x"))
    assert counted(counting(deps)) == {RANK, LOCAL + "data", "x"}
    assert counting(deps) >= deps
    assert counting(counting(deps)) == counting(deps)


def test_what_is_not_counted_has_no_count() -> None:
    assert counted(frozenset((RANK, LOCAL + "data"))) == NONE
    assert counting(NONE) == NONE


def test_what_a_file_system_says_does_not_last() -> None:
    """Both arms of ``if not exists(f)`` make the same of it, but for what they do."""
    deps = frozenset((RANK, FILES + "exists", COUNT + FILES + "exists", LOCAL + "x"))
    assert lasting(deps) == {RANK, LOCAL + "x"}


def test_constants_of_unusual_types() -> None:
    values: tuple[Any, ...] = (None, b"x", ..., 1j)
    for value in values:
        assert Const(value).id == repr(value)
