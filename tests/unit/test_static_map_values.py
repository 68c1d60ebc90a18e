"""What comes into a map as values, and where nobody can say."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.program.map_values import MapValues, UnknownValuesError
from lockorder.static.program.writes import Writes
from walks import walking

TEXT = """
namespace std {
template <class T> struct place { T *operator->(); T &operator*(); };
template <class T> bool operator!=(const place<T> &, const place<T> &);
template <class K, class V> struct unordered_map {
  using place = std::place<std::pair<const K, V>>;
  V &operator[](const K &); place find(const K &); place end(); void erase(place);
  place emplace(const K &, V); void swap(unordered_map &);
};
}
struct thing {};
using things = std::unordered_map<int, thing *>;
void anywhere(std::pair<const int, thing *> &);
struct owner {
  things set, made, swapped, handed, lent, slots, unused;
  void f1(int k, thing *t) {
    set[k] = t;
    auto at = set.find(k);
    if (at != set.end()) set.erase(at);
  }
  void f2(int k, thing *t) { made.emplace(k, t); }
  void f3(things &other) { swapped.swap(other); }
  void f4(int k) { anywhere(*handed.find(k)); }
  things &f5() { return lent; }
  void f6(int k, thing *t) { thing *&slot = slots[k]; slot = t; }
};
void f(std::pair<const int, thing *> &part) { if (part.second) anywhere(part); }
"""


def values() -> tuple[dict[str, str], MapValues]:
    """Keys of members by name, and who answers."""
    program = walking(TEXT).program
    named = {v.name: u for u, v in program.variables.items() if v.kind == "field"}
    return named, MapValues(program, builtin(), Writes(program, builtin()))


@pytest.mark.parametrize(("name", "count"), [("set", 1), ("made", 1), ("unused", 0)])
def test_what_comes_into_a_map(name: str, count: int) -> None:
    named, maps = values()
    assert len(maps.of(named[f"owner::{name}"], named["std::pair::second"])) == count


@pytest.mark.parametrize("name", ["swapped", "handed", "lent", "slots"])
def test_where_others_may_come_into_it(name: str) -> None:
    named, maps = values()
    with pytest.raises(UnknownValuesError):
        maps.of(named[f"owner::{name}"], named["std::pair::second"])


def test_values_are_the_second_parts_of_elements() -> None:
    named, maps = values()
    assert maps.is_value(named["std::pair::second"])
    assert not maps.is_value(named["owner::set"])
