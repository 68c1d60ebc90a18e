"""Which way the loops of a function go through a table, and what finds an element of one."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.engine import Engine
from lockorder.static.parse import facts as f
from lockorder.static.program.rounds import Rounds, parted

SOURCE = """
#include <list>
#include <map>
void use(int);
void see(int);
int t[9];
std::list<int> l;
std::map<int, int> m;
void up() { for (int i = 0; i < 9; ++i) use(t[i]); }
void down() { for (int i = 8; i >= 0; i--) use(t[i]); }
void counted() { int i = 0; while (i < 9) { use(t[i]); i += 2; } }
void back() { unsigned i = 9; while (i-- > 0) use(t[i]); }
void sum() { for (int i = 0; i < 9; i = i + 1) use(t[i]); }
void both(bool b) { int i = 0; while (i < 9) { use(t[i]); if (b) ++i; else --i; } }
void inner() { int i = 0; while (i < 9) { use(t[i]); for (; i < 3; ++i) see(i); } }
void stays(int i) { while (t[i]) use(t[i]); }
void each() { for (int &x : t) use(x); }
void first_on() { for (auto it = l.begin(); it != l.end(); ++it) use(*it); }
void last_on() { for (auto it = l.rbegin(); it != l.rend(); ++it) use(*it); }
void turned() { auto it = l.end(); while (it != l.begin()) { --it; use(*it); } }
void next(int i) { use(t[i]); use(t[i + 1]); }
void before(int i) { int j = i - 1; use(t[i]); use(t[j]); }
void same(int i) { use(t[i + 1]); use(t[i + 1]); }
void changed(int i) { use(t[i]); ++i; use(t[i + 1]); }
void in_turn() { for (int i = 1; i < 9; ++i) { use(t[i]); use(t[i - 1]); } }
int &at(int k) { return t[k % 3]; }
int &of(int k, int r) { (void)k; return t[r]; }
int &any(int k) { return k ? t[k] : m[2]; }
int *found(int k) { auto it = m.find(k); if (it == m.end()) return nullptr; return &it->second; }
int &fixed(int k) { (void)k; return t[0]; }
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("rounds")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False)).engine


def _uses(engine: Engine, name: str) -> tuple[f.Function, list[tuple[int, int]]]:
    (usr,) = engine.program.named(name)
    function = engine.program.functions[usr]
    return function, [
        (s.line, s.column)
        for s in f.walk(function.body)
        if isinstance(s, f.Call) and engine.program.called(s) == "use"
    ]


@pytest.mark.parametrize(
    ("name", "by"),
    [
        ("up", 1),
        ("down", -1),
        ("counted", 2),
        ("back", -1),
        ("sum", 1),
        ("both", None),
        ("inner", None),
        ("stays", None),
        ("each", 1),
        ("first_on", 1),
        ("last_on", -1),
        ("turned", -1),
    ],
)
def test_a_loop_goes_one_way(engine: Engine, name: str, by: int | None) -> None:
    function, (place,) = _uses(engine, name)
    assert engine.indexes.body(function).way(place, place) == by


@pytest.mark.parametrize(
    ("name", "way"),
    [("next", 1), ("before", -1), ("same", 0), ("changed", None), ("in_turn", -1)],
)
def test_neighbours(engine: Engine, name: str, way: int | None) -> None:
    function, (one, other) = _uses(engine, name)
    assert engine.indexes.body(function).way(one, other) == way


@pytest.mark.parametrize(
    ("name", "at"), [("at", 0), ("of", 1), ("any", None), ("found", 0), ("fixed", None)]
)
def test_functions_find_elements_by_a_parameter(engine: Engine, name: str, at: int | None) -> None:
    (usr,) = engine.program.named(name)
    assert engine.indexes.chooser(usr) == at


def test_outside_of_loops_nothing_goes_on(engine: Engine) -> None:
    (usr,) = engine.program.named("changed")
    function = engine.program.functions[usr]
    rounds = Rounds(engine.program, function)
    assert rounds.around(1, 1) is None
    assert rounds.moved(None, function.params[0]) is None
    assert not rounds.goes_on(function.params[0])


def test_sums_are_parted() -> None:
    i = f.Var("i")
    assert parted(f.Op("-", f.Op("+", i, f.Lit("3")), f.Lit("1"))) == (i, 2)
    assert parted(f.Op("+", i, f.Lit("n"))) == (f.Op("+", i, f.Lit("n")), 0)
