"""Which tests of a function say that the entry of a map is new when it is filled."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.program.absent import Absent
from lockorder.static.program.callgraph import CallGraph
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.pointsto import PointsTo
from walks import walking

TEXT = """
struct owner { owner &operator=(const owner &); };
struct place { bool operator==(const place &) const; };
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
    ],
)
def test_what_says_that_an_entry_is_new(name: str, told: dict[str, bool]) -> None:
    program, knowledge = walking(TEXT).program, builtin()
    points_to = PointsTo(program, knowledge)
    calls = CallGraph(program, points_to, Lifetimes(program, knowledge, points_to))
    function = next(x for x in program.functions.values() if x.name == f"table::{name}")
    made = [s for s in f.walk(function.body) if isinstance(s, f.Call)]
    filled = next(c for c in made if program.called(c) == "owner::operator=")
    found = Absent(program, knowledge, calls).tests(function, (filled.line, filled.column))
    kinds = {c.id: "compared" if "operator" in program.called(c) else "contained" for c in made}
    assert {kinds[call]: truth for call, truth in found} == told
