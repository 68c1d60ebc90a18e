"""Threads of which an object has one at a time, and what a caller holds by its callee's names."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.model import Mode
from lockorder.static.interp.handed import seen
from lockorder.static.interp.summary import Gate
from lockorder.static.program import roots
from lockorder.static.program.link import Program
from lockorder.static.program.paths import UNKNOWN, Path
from lockorder.static.program.runners import Runners
from walks import STANDARD, facts_of

THREADS = (
    STANDARD
    + """
namespace std { class thread { public: thread(); template <class F, class... A> explicit
thread(F &&f, A &&...a); thread(thread &&); thread &operator=(thread &&); void join();
bool joinable(); void detach(); void swap(thread &); }; }
void keep(std::thread &);
struct S {
  void loop();
  void f() { %s }
  std::thread one; std::thread other;
};
"""
)


def _members(text: str) -> list[str]:
    """What takes the threads that ``S::f`` makes, by what its members are called."""
    program = Program([facts_of(THREADS % text)])
    runners = Runners(program, builtin())
    function = next(u for u, x in program.functions.items() if x.name == "S::f")
    found = [runners.member((function, str(n))) for n in range(4)]
    return [program.variables[x].name.rpartition("::")[2] for x in found if x]


def test_a_member_takes_a_thread() -> None:
    assert _members("one = std::thread(&S::loop, this);") == ["one"]
    assert _members("one = std::thread(&S::loop, this); if (one.joinable()) one.join();") == ["one"]


LETS_GO = (
    "one.detach();", "keep(one);", "other = static_cast<std::thread &&>(one);", "one.swap(other);",
)  # fmt: skip


@pytest.mark.parametrize("text", LETS_GO)
def test_what_lets_go_of_a_thread_makes_room_for_another(text: str) -> None:
    assert _members("one = std::thread(&S::loop, this); " + text) == []


def test_the_thread_of_another_object_is_not_its_own() -> None:
    assert _members("S *s = this; s->one = std::thread(&S::loop, this);") == []


# -- what a caller holds --------------------------------------------------------------------------

TEXT = """
struct Node { int lock; Node *next; } all;
void callee(Node *n);
void callee(Node *n) { callee(n->next); }
void caller(Node *a, Node *b) { callee(a); }
"""


@pytest.fixture(scope="module")
def program() -> Program:
    return Program([facts_of(TEXT)])


def _variable(program: Program, name: str) -> str:
    return next(u for u, x in program.variables.items() if x.name == name)


def _seen(program: Program, held: Path, given: Path) -> set[object]:
    """What *held* is in ``callee``, which gets *given*."""
    callee = next(u for u, x in program.functions.items() if x.name == "callee")
    parameter = Path.of_variable(program.functions[callee].params[0])
    gates = seen([Gate(held, Mode.EXCLUSIVE)], ((given, parameter),), callee, program)
    assert all(gate.mode is Mode.EXCLUSIVE for gate in gates)
    return {gate.path for gate in gates}


def test_what_is_handed_over_has_the_parameters_name(program: Program) -> None:
    a, n = (Path.of_variable(_variable(program, x)) for x in ("a", "n"))
    assert _seen(program, a.then("lock"), a) == {n.then("lock")}
    assert _seen(program, a.then("next").then("lock"), a.then("next")) == {n.then("lock")}


def test_what_is_not_handed_over_keeps_its_name(program: Program) -> None:
    a, b = (Path.of_variable(_variable(program, x)) for x in ("a", "b"))
    assert _seen(program, b.then("lock"), a) == {b.then("lock")}


def test_a_global_has_both_names(program: Program) -> None:
    whole, n = (Path.of_variable(_variable(program, x)) for x in ("all", "n"))
    assert _seen(program, whole.then("lock"), whole) == {whole.then("lock"), n.then("lock")}


def test_in_recursion_a_name_is_another_objects(program: Program) -> None:
    """``n->lock`` is held, and ``callee(n->next)`` is called: its ``n`` is another one."""
    n = Path.of_variable(_variable(program, "n"))
    assert _seen(program, n.then("lock"), n.then("next")) == {Path(UNKNOWN.root, ("lock",))}


def test_locks_without_an_object_stay_what_they_are(program: Program) -> None:
    a = Path.of_variable(_variable(program, "a"))
    gil = Path(roots.Named("GIL"))
    assert _seen(program, gil, a) == {gil}
