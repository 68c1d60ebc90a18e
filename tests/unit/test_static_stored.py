"""Which object keeps a lambda, as the lambda knows it."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.engine import Engine

SOURCE = """
#include <functional>
#include <map>
struct Bus {
    std::function<void()> hook, other;
    std::map<int, std::function<void()>> all;
    void on(std::function<void()> h) { set(std::move(h)); }
    void set(std::function<void()> s) { hook = s; }
    void add(int k, std::function<void()> h) { all[k] = h; }
};
struct Refers {
    explicit Refers(Bus &b) : bus(b) { b.hook = [this] { bus.on(nullptr); }; }
    Bus &bus;
};
struct Part { Bus bus; void go() { auto f = [this] { bus.on(nullptr); }; bus.on(f); } };
struct Table { Bus *bus; void go() { bus->add(1, [this] { bus->on(nullptr); }); } };
struct Twice { Bus a, b; void go() { auto f = [this] { a.on(b.hook); }; a.hook = f; b.hook = f; } };
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("stored")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False)).engine


@pytest.mark.parametrize(
    ("home", "member", "known_as"),
    [
        ("Refers::Refers", "hook", ["bus"]),
        ("Part::go", "hook", ["bus"]),
        ("Part::go", "other", []),
        ("Table::go", "all", ["bus"]),
        ("Twice::go", "hook", ["a", "b"]),
    ],
)
def test_owners(engine: Engine, home: str, member: str, known_as: list[str]) -> None:
    program = engine.program
    closure = next(u for u, f in program.functions.items() if f.name == f"{home}::(lambda)")
    field = next(u for u, v in program.variables.items() if v.name == f"Bus::{member}")
    found = engine.stored.owners(closure, field)
    assert [path.steps[-1].rpartition("@")[2] for path in found] == known_as
