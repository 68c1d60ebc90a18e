"""Which two elements of a table a function uses, and whether anything says which comes first."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.engine import Engine
from lockorder.static.parse import facts as f

SOURCE = """
#include <algorithm>
#include <utility>
void use(int);
void change(int &);
int find(int);
struct Pair { int a, b; };
int t[9];
struct Door { int lock; int *far; int &its() { return lock; } int *there() { return &lock; }
              int &others() { return *far; } };
Door doors[9];
void its(int i, int j) { use(doors[i].its()); use(doors[j].its()); }
void there(int i, int j) { use(*doors[i].there()); use(*doors[j].there()); }
void others(int i, int j) { use(doors[i].others()); use(doors[j].others()); }
void two(int i, int j) { use(t[i]); use(t[j]); }
void copies(int i, int j) { int a = i; const int b = j; use(t[a]); use(t[b]); }
void same(int i) { int a = i; use(t[a]); use(t[i]); }
void members(const Pair &p) { use(t[p.a]); use(t[p.b]); }
void found(int i, int j) { int a = find(i), b = find(j); use(t[a]); use(t[b]); }
void found_same(int i) { int a = find(i), b = find(i); use(t[a]); use(t[b]); }
void least(int i, int j) { int a = std::min(i, j), b = std::max(i, j); use(t[a]); use(t[b]); }
void less(int i, int j) { if (i < j) { use(t[i]); use(t[j]); } }
void chosen(int i, int j) { bool swap = j < i; use(t[i]); use(t[j]); }
void counted(int i, int j) { ++j; use(t[i]); use(t[j]); }
void lent(int i, int j) { change(j); use(t[i]); use(t[j]); }
void swapped(int i, int j) { std::swap(i, j); use(t[i]); use(t[j]); }
void loop(int n) { for (int i = 0; i < n; ++i) { use(t[i]); use(t[n]); } }
static void sorted(int i, int j) { use(t[i]); use(t[j]); }
void sorts(int i, int j) { if (i < j) sorted(i, j); else sorted(j, i); sorted(1, 2); }
static void unsorted(int i, int j) { use(t[i]); use(t[j]); }
void hands_on(int i, int j) { unsorted(i, j); }
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("indexes")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False)).engine


@pytest.mark.parametrize(
    ("name", "free"),
    [
        ("two", True),
        ("copies", True),
        ("same", False),
        ("members", True),
        ("found", True),
        ("found_same", False),
        ("least", False),
        ("less", False),
        ("chosen", False),
        ("counted", False),
        ("lent", False),
        ("swapped", False),
        ("loop", False),
        ("sorted", False),
        ("unsorted", True),
        ("its", True),
        ("there", True),
    ],
)
def test_two_elements(engine: Engine, name: str, free: bool) -> None:
    (usr,) = engine.program.named(name)
    function = engine.program.functions[usr]
    body = engine.indexes.body(function)
    uses = [
        s
        for s in f.walk(function.body)
        if isinstance(s, f.Call) and engine.program.called(s) == "use"
    ]
    one, other = (body.index_at(s.line, s.column) for s in uses)
    assert one is not None
    assert other is not None
    assert engine.indexes.are_free(function, one, other) is free
    assert engine.indexes.are_free(function, other, one) is free


def test_no_element_there(engine: Engine) -> None:
    (usr,) = engine.program.named("two")
    assert engine.indexes.body(engine.program.functions[usr]).index_at(1, 1) is None


def test_what_a_member_leads_to_may_be_one_for_all(engine: Engine) -> None:
    (usr,) = engine.program.named("others")
    function = engine.program.functions[usr]
    body = engine.indexes.body(function)
    calls = [s for s in f.walk(function.body) if isinstance(s, f.Call)]
    assert [body.index_at(s.line, s.column) for s in calls if s.args] == [None, None]
