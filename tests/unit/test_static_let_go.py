"""What objects let go of where they are assigned to as a whole."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.pointsto import PointsTo
from walks import walking

TEXT = """
struct Thing { ~Thing(); };
Thing::~Thing() {}
struct Inner { int before; std::shared_ptr<Thing> shared; };
struct Outer {
  Inner inner; Thing *plain; std::unique_ptr<int> number; std::unique_ptr<Thing> own;
};
struct Written { std::shared_ptr<Thing> shared; Written &operator=(const Written &); };
struct Around { Written written; Around *next; };
template <class T> struct Of { std::shared_ptr<T> shared; };
Outer outer; Around around; Of<Thing> of;
void f() {}
"""


@pytest.mark.parametrize(
    ("cls", "ways"),
    [
        ("Inner", ["shared"]),
        ("Outer", ["inner.shared", "own"]),
        ("Written", []),
        ("Around", []),
        ("Of", []),
        ("Thing", []),
        ("", []),
    ],
)
def test_what_an_assignment_of_the_whole_lets_go_of(cls: str, ways: list[str]) -> None:
    program, knowledge = walking(TEXT).program, builtin()
    lifetimes = Lifetimes(program, knowledge, PointsTo(program, knowledge))
    names = [
        ".".join(program.variables[usr].name.rpartition("::")[2] for usr in way)
        for way, _ in lifetimes.let_go(cls)
    ]
    assert names == ways
