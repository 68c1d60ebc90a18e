"""The state of a rank's program: what is written in a branch, undone, and joined behind it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from lockorder.ranks import conditions
from lockorder.ranks.effects import Choice, Decision
from lockorder.ranks.machine import MISSING, Machine, World, assigned, leaves
from lockorder.ranks.values import FILES, LOCAL, NONE, RANK, Const, Either, Tup, Unknown
from ranks_run import machines, read

MINE = frozenset((RANK,))
KEY = (1, "x")
Q = conditions.ask("q", True, "q")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    program = read(tmp_path, "x = 1\n")
    made = machines(program)[0]
    made.script(program.sources[0])
    return made


@pytest.mark.parametrize(
    ("world", "text"),
    [(World(2, 2), "2 ranks"), (World(4, 2), "4 ranks on 2 nodes"), (World(3, 3), "3 ranks")],
)
def test_jobs_in_words(world: World, text: str) -> None:
    assert str(world) == text


def test_what_is_undone_was_never_there(machine: Machine) -> None:
    machine.set(KEY, Const(1))
    machine.open()
    machine.set(KEY, Const(2))
    machine.set((1, "y"), Const(3))
    assert machine.get((1, "y")) is not None
    written = machine.close()
    assert {k: getattr(v, "value", None) for k, v in written.items()} == {KEY: 2, (1, "y"): 3}
    held = machine.get(KEY)
    assert isinstance(held, Const)
    assert held.value == 1
    assert machine.get((1, "y")) is None


def test_journals_inside_of_journals(machine: Machine) -> None:
    machine.open()
    machine.set(KEY, Const(1))
    machine.open()
    machine.set(KEY, Const(2))
    machine.keep(machine.close())
    assert getattr(machine.get(KEY), "value", None) == 2
    machine.close()
    assert machine.get(KEY) is None


def test_joined_values(machine: Machine) -> None:
    one, two = Const(1), Const(2)
    assert machine.joined(Q, MINE, one, one) is one
    assert machine.joined(Q, MINE, MISSING, two) is two
    assert machine.joined(Q, MINE, one, MISSING) is one
    either = machine.joined(Q, MINE, one, two)
    assert isinstance(either, Either)
    assert (either.first, either.second, either.depends) == (one, two, MINE)


def test_what_the_file_system_says_does_not_last_behind_its_branch(machine: Machine) -> None:
    deps = frozenset((FILES + "exists",))
    assert machine.joined(Q, deps, Const(1), Const(2)).depends == NONE


def test_joined_values_do_not_grow_without_end(machine: Machine) -> None:
    value = machine.joined(Q, NONE, Const(0), Const(1))
    for i in range(20):
        value = machine.joined(
            conditions.ask(f"q{i}"), frozenset((LOCAL + "d",)), value, Const(i + 2)
        )
    depth = 0
    while isinstance(value, Either):
        value, depth = value.first, depth + 1
    assert depth < 10


def test_a_branch_of_what_is_known_runs_one_arm(machine: Machine) -> None:
    ran: list[str] = []

    def arm(name: str) -> bool:
        ran.append(name)
        return name == "first"

    assert machine.branch(conditions.TRUE, NONE, "", lambda: arm("first"), lambda: arm("second"))
    assert not machine.branch(
        conditions.FALSE, MINE, "w", lambda: arm("first"), lambda: arm("second")
    )
    assert ran == ["first", "second"]
    (decision,) = [i for i in machine.out if isinstance(i, Decision)]
    assert (decision.taken, decision.written) == (False, "w")


def test_a_branch_of_a_question_runs_both(machine: Machine) -> None:
    def first() -> bool:
        machine.set(KEY, Const(1))
        return True

    def second() -> bool:
        assert machine.get(KEY) is None
        machine.leave("return")
        return False

    assert machine.branch(Q, MINE, "q", first, second)
    (choice,) = [i for i in machine.out if isinstance(i, Choice)]
    assert (choice.first, len(choice.second)) == ([], 1)
    assert getattr(machine.get(KEY), "value", None) == 1


def test_what_no_arm_survives_is_over(machine: Machine) -> None:
    def goes() -> bool:
        machine.leave("return")
        return False

    assert not machine.branch(Q, MINE, "q", goes, goes)


def test_what_stands_in_a_rank_s_own_branch_is_its_own(machine: Machine) -> None:
    """A constant that is set there is not the same on all ranks."""
    assert machine.under(Const(1), "x").depends == NONE
    machine.control.append(MINE)
    for value in (Const(1), Unknown("u"), Tup((Const(1),))):
        assert RANK in machine.under(value, "x").depends
    machine.control.pop()


def test_labels_say_the_way(machine: Machine) -> None:
    plain = machine.label("a")
    machine.path.append("f@3")
    assert machine.label("a") != plain
    machine.path.pop()
    assert machine.label("a") == plain


# -- what statements change, and whether they leave -----------------------------------------------


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a = 1", "a"), ("a, (b, *c) = x", "a b c"), ("a += 1", "a"), ("a[i] = 1", "a"),
        ("for a in b: c = 1", "a c"), ("with x as a: pass", "a"), ("a.append(b)", "a"),
        ("a.copy_(b)", "a"), ("f(a)", ""), ("def f(): a = 1", ""), ("a: int = 1", "a"),
        ("f(lambda: (x := 1))", ""), ("if (a := 1): pass", "a"), ("a.item()", ""),
        ("a.__len__()", ""),
    ],
)  # fmt: skip
def test_assigned(text: str, names: str) -> None:
    found = {x.id for x in assigned(ast.parse(text).body) if isinstance(x, ast.Name)}
    assert found == set(names.split())


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("pass", ""), ("for x in y:\n  break", ""), ("if x:\n  raise y", "function"),
        ("def f():\n  return 1", ""), ("lambda: 1", ""), ("while x:\n  continue", ""),
        ("def f():\n  pass\nraise x", "function"), ("class C:\n  x = 1", ""),
        ("while x:\n  return", "function"), ("break", "loop"), ("if x:\n  continue", "round"),
        ("if x:\n  continue\nelse:\n  break", "loop"),
        ("if x:\n  break\nfor x in y:\n  return", "function"),
    ],
)  # fmt: skip
def test_leaves(text: str, what: str) -> None:
    assert leaves(ast.parse(text).body) == what
