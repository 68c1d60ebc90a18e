"""Which places of a function have the only reference to an object."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.program.companions import Companions
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.paths import Path
from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.sole import Sole
from walks import walking

TEXT = """
struct node { int used; };
struct lent { lent *self() { keep(this); return this; } void keep(lent *l); };
typedef std::shared_ptr<node> pointer;
void take(pointer &all);
void one(pointer &p) { if (p.use_count() == 1) { pointer q = std::move(p); q->used = 1; } }
void other_way(pointer &p) { if (p.use_count() != 1) return; else { pointer q = std::move(p); } }
void both(pointer &p, bool b) { if (b && p.use_count() == 1) { pointer q = std::move(p); } }
void either(pointer &p, bool b) { if (b || p.use_count() == 1) { pointer q = std::move(p); } }
void two(pointer &p) { if (p.use_count() == 2) { pointer q = std::move(p); } }
void not_one(pointer &p) { if (p.use_count() == 1) {} else { pointer q = std::move(p); } }
void another(pointer &p, pointer &o) { if (p.use_count() == 1) { pointer q = std::move(o); } }
void touched(pointer &p) { if (p.use_count() == 1) { take(p); pointer q = std::move(p); } }
void copied(pointer &p) { if (p.use_count() == 1) { pointer q = p; } }
void assigned(pointer &p, pointer &o) {
  if (p.use_count() == 1) { pointer q = std::move(p); q = o; }
}
void handed_out(std::shared_ptr<lent> &p) {
  if (p.use_count() == 1) { std::shared_ptr<lent> q = std::move(p); }
}
void f() {}
"""


@pytest.mark.parametrize(
    ("name", "sole"),
    [
        ("one", True),
        ("other_way", True),
        ("both", True),
        ("either", False),
        ("two", False),
        ("not_one", False),
        ("another", False),
        ("touched", False),
        ("copied", False),
        ("assigned", False),
        ("handed_out", False),
    ],
)
def test_who_has_the_only_reference(name: str, sole: bool) -> None:
    program, knowledge = walking(TEXT).program, builtin()
    points_to = PointsTo(program, knowledge)
    lifetimes = Lifetimes(program, knowledge, points_to)
    companions = Companions(program, knowledge, lifetimes, points_to)
    function = next(x for x in program.functions.values() if x.name == name)
    local = next(s for s in f.walk(function.body) if isinstance(s, f.Local))
    found = Sole(program, knowledge, companions).owners(function)
    assert found == ((Path.of_variable(local.usr),) if sole else ())
