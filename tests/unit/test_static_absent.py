"""Which tests of a function say that the entry of a map is new when it is filled."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.program.absent import TAKEN_OUT, Absent, Test
from lockorder.static.program.callgraph import CallGraph
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.pointsto import PointsTo
from walks import walking

TEXT = """
struct owner { owner &operator=(const owner &); };
struct entry { owner second; };
struct place { bool operator==(const place &) const; entry *operator->(); };
bool operator!=(const place &, const place &);
template <class K, class V> struct flat_map {
  V &operator[](const K &); place find(const K &); place end(); bool contains(const K &) const;
  void insert(const K &, const V &); unsigned long size() const;
};
void outside();
struct table {
  void there(int k, owner o) { if (all.find(k) != all.end()) return; all[k] = o; }
  void same(int k, owner o) { place p = all.find(k); if (p == all.end()) all[k] = o; }
  void contained(int k, owner o) { if (all.contains(k)) return; all[k] = o; }
  void counted(int k, owner o) { if (all.contains(k)) return; n = all.size(); all[k] = o; }
  void apart(int k, int l, owner o) { if (all.contains(l)) return; all[k] = o; }
  void others(int k, owner o) { if (more.contains(k)) return; all[k] = o; }
  void changed(int k, owner o) { if (all.contains(k)) return; k = 3; all[k] = o; }
  void filled(int k, owner o) { if (all.contains(k)) return; put(k, o); all[k] = o; }
  void noted(int k, owner o) { if (all.contains(k)) return; note(); outside(); all[k] = o; }
  void rounds(int k, owner o) { if (all.contains(k)) return; while (n) all[k] = o; }
  void scoped(int k, owner o) { bool is; { is = all.contains(k); } if (!is) all[k] = o; }
  void open(int k, owner o) { if (all.contains(k)) return; m.unlock(); m.lock(); all[k] = o; }
  void untested(int k, owner o) { all[k] = o; }
  void taken(int k, owner o) {
    place p = all.find(k); owner was; if (p != all.end()) was = std::move(p->second); all[k] = o; }
  void erased(int k, owner o) { if (all.contains(k)) return; all.erase(k + 1); all[k] = o; }
  void left(int k, owner o) {
    place p = all.find(k); owner was; if (p == all.end()) was = std::move(p->second); all[k] = o; }
  void put(int k, owner o) { all.insert(k, o); }
  void note() { ++n; }
  flat_map<int, owner> all, more; int n; std::mutex m;
};
void f() {}
"""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("there", {"contained": False, "compared": False}),
        ("same", {"contained": False, "compared": True}),
        ("contained", {"contained": False}),
        ("counted", {}),
        ("apart", {}),
        ("others", {}),
        ("changed", {}),
        ("filled", {}),
        ("noted", {"contained": False}),
        ("rounds", {}),
        ("scoped", {}),
        ("open", {}),
        ("untested", {}),
        ("erased", {}),
    ],
)
def test_what_says_that_an_entry_is_new(name: str, told: dict[str, bool]) -> None:
    found, kinds = _tests(name)
    assert {kinds[call]: truth for call, truth in found} == told


@pytest.mark.parametrize(("name", "taken"), [("taken", True), ("left", False), ("there", False)])
def test_values_that_are_taken_out_before(name: str, taken: bool) -> None:
    found, _ = _tests(name)
    assert (TAKEN_OUT in found) == taken


def _tests(name: str) -> tuple[tuple[Test, ...], dict[int, str]]:
    """The tests of a function's last assignment, and the kinds of its calls."""
    program, knowledge = walking(TEXT).program, builtin()
    points_to = PointsTo(program, knowledge)
    calls = CallGraph(program, points_to, Lifetimes(program, knowledge, points_to))
    function = next(x for x in program.functions.values() if x.name == f"table::{name}")
    made = [s for s in f.walk(function.body) if isinstance(s, f.Call)]
    filled = [c for c in made if program.called(c) == "owner::operator="][-1]
    found = Absent(program, knowledge, calls).tests(function, (filled.line, filled.column))
    kinds = {c.id: "compared" if "operator" in program.called(c) else "contained" for c in made}
    return found, kinds
