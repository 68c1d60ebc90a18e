"""Where the objects were made that a lambda is left with, and those that a pointer leads to."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.origins import Birthplaces
from lockorder.static.program.paths import Path
from lockorder.static.program.pointsto import PointsTo
from walks import walking

TEXT = """
void outside(struct later *&l);
template <class T> struct list { void push_back(T); T &back(); };
struct later {
  template <class F> void then(F next) { all.push_back(next); }
  template <class F> void elsewhere(F next, later *other) { other->then(next); }
  void self() { then([] {}); }
  list<void (*)()> all;
};
list<later *> everything;
struct holder { later *own; holder() : own(new later) {} later *get() { return own; } };
later *make() { return new later; }
later *either(bool b) { later *l = make(); if (b) l = nullptr; return l; }
void by_result() { later *l = make(); l->then([] {}); }
void by_choice(bool b) { later *l = either(b); l->then([] {}); }
void by_parameter(later *l) { l->then([] {}); }
void calls_it() { by_parameter(new later); }
void by_member(holder *h) { later *l = h->get(); l->then([] {}); }
void by_list() { later *l = everything.back(); l->then([] {}); }
void by_anybody(later *l) { l->then([] {}); }
void by_reference() { later *l = new later; outside(l); l->then([] {}); }
void by_other() { later *l = new later; l->elsewhere([] {}, everything.back()); }
void calls_self() { later *l = new later; l->self(); }
void by_row() {
  std::vector<later *> row; row.push_back(new later);
  later *l = row.back(); l->then([] {});
}
void by_filled_row() {
  std::vector<later *> row; row.push_back(new later); row.back() = everything.back();
  later *l = row.back(); l->then([] {});
}
void by_moved_row(holder *h) {
  std::vector<later *> row; row.push_back(h->get());
  auto other = std::move(row);
  for (later *l : other) l->then([] {});
}
void f() {}
"""


def found(program: Program, name: str) -> tuple[set[str], set[str]]:
    """Names of the functions in which objects were made: of its lambda's, and of its local's."""
    function = next(x for x in program.functions.values() if x.name == name)
    inner = next(x for x in program.functions.values() if x.parent == function.usr)
    member = next(u for u, v in program.variables.items() if v.name == "later::all")
    places = Birthplaces(program, builtin(), PointsTo(program, builtin()))
    local = next((s for s in f.walk(function.body) if isinstance(s, f.Local)), None)
    made = places.of_path(Path.of_variable(local.usr)) if local is not None else None
    left = places.left_with(inner.usr, member)
    return tuple({program.name_of(u) for u, _ in each or ()} for each in (left, made))  # type: ignore[return-value]


@pytest.mark.parametrize(
    ("name", "left", "made"),
    [
        ("by_result", "make", "make"),
        ("by_choice", "make", "make"),
        ("by_parameter", "calls_it", ""),
        ("by_member", "holder::holder", "holder::holder"),
        ("by_list", "", ""),
        ("by_anybody", "", ""),
        ("by_reference", "", ""),
        ("by_other", "", "by_other"),
        ("later::self", "calls_self", ""),
        ("by_row", "by_row", "by_row"),
        ("by_filled_row", "", "by_filled_row"),
        ("by_moved_row", "holder::holder", "by_moved_row"),
    ],
)
def test_where_objects_were_made(name: str, left: str, made: str) -> None:
    program = walking(TEXT).program
    assert found(program, name) == ({left} - {""}, {made} - {""})
