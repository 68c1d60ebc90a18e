"""Which members lead opposite ways."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.directions import Directions
from lockorder.static.interp.engine import Engine
from lockorder.static.program.opposites import Opposites
from lockorder.static.program.steps import ELEMENT

SOURCE = """
#include <memory>
#include <utility>
#include <vector>
struct Made {
    explicit Made(Made *p) : parent(p) {}
    void open() { kids.push_back(std::make_unique<Made>(this)); }
    std::vector<std::unique_ptr<Made>> kids;
    Made *parent;
};
struct Set {
    void add(std::shared_ptr<Set> kid) {
        kid->adopt(this);
        auto same = std::move(kid);
        kids.push_back(same);
        newest = same;
    }
    void adopt(Set *by) { parent = by; }
    std::vector<std::shared_ptr<Set>> kids;
    std::shared_ptr<Set> newest;
    Set *parent;
};
struct Tree { void grow() { left = new Tree; right = new Tree; } Tree *left, *right; };
struct End { End *far; void set(End *e) { far = e; } };
void join(End *a, End *b) { a->far = b; b->far = a; }
struct Far { Far *far; void set(Far *e) { far = e; } };
void join(Far &a, Far &b) { a.set(&b); b.set(&a); }
struct Either { Either *far; };
void join(Either *a, Either *b, bool c) { if (c) a->far = b; else b->far = a; }
struct Unset { Unset *one, *other; };
void ring(Tree *t) { t->left = t; t->right = t; ring(t->left); }
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("opposites")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False)).engine


@pytest.mark.parametrize(
    ("one", "other", "opposite"),
    [
        ("Made::kids", "Made::parent", True),
        ("Set::kids", "Set::parent", True),
        ("Set::newest", "Set::parent", True),
        ("Set::kids", "Set::newest", False),  # both are given the same
        ("Tree::left", "Tree::right", False),  # each is set on its own
        ("Unset::one", "Unset::other", False),  # nothing is known
        ("End::far", "End::far", True),
        ("Far::far", "Far::far", True),
        ("Either::far", "Either::far", False),  # one way or the other
    ],
)
def test_opposite(engine: Engine, one: str, other: str, opposite: bool) -> None:
    """The same for both, whichever is asked for first."""
    keys = {v.name: u for u, v in engine.program.variables.items()}
    opposites = Opposites(engine.program, engine.lifetimes)
    for pair in ((one, other), (other, one)):
        why = opposites.of(keys[pair[0]], keys[pair[1]])
        assert (why is not None) is opposite
        assert why is None or all(name.rpartition("::")[2] in why for name in pair)


def test_directions(engine: Engine) -> None:
    """The first order of each way is kept, and told with what goes against it."""
    keys = {v.name: u for u, v in engine.program.variables.items()}
    kids, parent = (keys["Made::kids"], ELEMENT), (keys["Made::parent"],)
    ways: Directions[str] = Directions(Opposites(engine.program, engine.lifetimes))
    assert ways.facing("m", (kids, True), "down") == []
    assert ways.facing("m", (kids, True), "down again") == []
    assert ways.facing("other", (parent, True), "elsewhere") == []
    assert [o for o, _ in ways.facing("m", (parent, True), "up")] == ["up", "down"]
    assert ways.facing("m", (kids, False), "back") == [("back", ""), ("down", "")]
    assert ways.facing("m", ((*kids, *parent), True), "far") == []
