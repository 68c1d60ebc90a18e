"""What comes into pointers and rows of pointers, as the texts of all functions say."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.program.writes import Writes, inside
from walks import walking

TEXT = """
struct thing {};
void outside(thing *&t);
struct owner {
  std::shared_ptr<thing> set, reset, swapped; thing *handed; std::vector<thing *> row, filled;
  void f1(std::shared_ptr<thing> t) { set = t; }
  void f2() { swapped.swap(set); }
  void f3() { outside(handed); }
  void f4(thing *t) { row.push_back(t); row[0] = t; }
  void f5(std::vector<thing *> &other) { filled.swap(other); }
};
void f() {}
"""


@pytest.mark.parametrize(
    ("name", "written", "elements", "changed"),
    [
        ("set", 1, 0, True),
        ("reset", 0, 0, False),
        ("swapped", 0, 0, True),
        ("handed", 0, 0, True),
        ("row", 0, 2, False),
        ("filled", 0, 0, True),
    ],
)
def test_what_is_written(name: str, written: int, elements: int, changed: bool) -> None:
    program = walking(TEXT).program
    texts = Writes(program, builtin())
    texts.read()
    usr = next(u for u, v in program.variables.items() if v.name == f"owner::{name}")
    assert (len(texts.writes.get(usr, ())) > 0) is (written > 0)
    assert len(texts.writes.get(inside(usr), ())) == elements
    assert (usr in texts.changed) is changed
