"""Which pointers lead to one object for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.link import Program
from lockorder.static.program.steady import Steady, first_steady

SOURCE = """
#include <memory>
#include <utility>
struct Node { int n; };
void set(Node *&where, Node *to) { where = to; }
void out(Node **where);
void look(Node &node) { node.n++; }
struct Box {
    Box(Node *a, Node *b) : born(a), moved(a), fixed(b), same(*b) {}
    explicit Box(Node *a) : born(a), fixed(a), same(*a) { moved = a; }
    void setup(Node *a) { late = a; twice = a; from_outside = a; handed = a; }
    void change(Node *a) { moved = a; twice = a; }
    void clear() { born = nullptr; late = nullptr; owner.reset(); }
    void ask() { out(&from_outside); out(&asked); set(handed, nullptr); look(*born); }
    void take(std::shared_ptr<Node> a) { owner = std::move(a); shared = owner; }
    void swap(Box &o) { std::swap(traded, o.traded); shared.swap(o.shared); }
    void again() { renewed = std::make_unique<Node>(); renewed.reset(new Node); }
    Node *born, *moved, *late = nullptr, *twice, *from_outside, *asked, *handed, *never;
    Node *const fixed;
    Node &same;
    Node inside;
    std::shared_ptr<Node> owner, shared, traded;
    std::unique_ptr<Node> renewed;
};
Node *once = new Node;
Node *set_up;
Node *changed = new Node;
void start(Node *a) { set_up = a; changed = a; }
"""

STEADY = {
    "born", "late", "asked", "never", "fixed", "same", "inside", "owner", "once", "set_up",
}  # fmt: skip
CHANGED = {
    "moved", "twice", "from_outside", "handed", "shared", "traded", "renewed", "changed",
}  # fmt: skip


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("steady")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse(
        [folder / "a.cpp"], Options(root=folder, inline=True, cache=False)
    ).engine.program


def key(program: Program, name: str) -> str:
    (usr,) = [
        u
        for u, v in program.variables.items()
        if v.kind in ("field", "global") and v.name.rpartition("::")[2] == name
    ]
    return usr


@pytest.mark.parametrize("name", sorted(STEADY | CHANGED))
def test_steady(program: Program, name: str) -> None:
    """A place where the value is set, or none; null and making the object do not count."""
    assert Steady(program).is_steady(key(program, name)) is (name in STEADY)


def test_where_the_way_is_steady(program: Program) -> None:
    steady = Steady(program)
    born, moved = key(program, "born"), key(program, "moved")
    assert first_steady(steady, ()) == 0
    assert first_steady(steady, (born, born)) == 0
    assert first_steady(steady, (born, moved, born)) == 2
    assert first_steady(steady, (born, "[]")) == 2


def test_nothing_is_known_of_what_was_not_declared(program: Program) -> None:
    assert not Steady(program).is_steady("c:@nowhere")


def test_sources_are_written(tmp_path: Path) -> None:
    """A member that only a name says is set at a place, too."""
    (tmp_path / "a.cpp").write_text(
        "struct Node;\nstruct Box { Node *kept; Box(Node *a) : kept(a) {} };\n"
        "template <class T> void put(T &box, Node *a) { box.kept = a; }\n"
    )
    program = analyse([tmp_path], Options(root=tmp_path, inline=True, cache=False)).engine.program
    assert not Steady(program).is_steady(key(program, "kept"))
