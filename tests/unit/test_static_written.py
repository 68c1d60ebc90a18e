"""What functions write to, by themselves and by what they call."""

from __future__ import annotations

import pytest

from lockorder.static import analyse as analysis
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.engine import Engine
from lockorder.static.program.written import how_passed, passing

SOURCE = """
bool flag;
int measure();
struct Box {
    Box() { full = false; }
    void fill() { full = true; }
    virtual void seal() { sealed = true; }
    bool look() const { return full; }
    bool full, sealed;
    bool *outside;
};
void set() { flag = true; }
void set_below() { set(); }
void ring_a(int n);
void ring_b(int n) { if (n) ring_a(n - 1); set(); }
void ring_a(int n) { if (n) ring_b(n - 1); }
void fresh() { Box box; box.full = true; }
void given(Box *box) { box->full = true; }
void by_dispatch(Box *box) { box->seal(); }
void by_lambda() { bool mine = false; auto go = [&] { mine = true; }; go(); }
struct Ring { void (*on)(Ring *); };
void turn(Ring *ring) { ring->on(ring); }
void turned(Ring *ring) { set(); turn(ring); }
void begin(Ring *ring) { ring->on = turned; }
void alias() { bool &same = flag; same = measure() > 1; }
void reference(bool &b) { b = true; }
void hands_on(bool *b) { reference(*b); }
void keeps(Box &box, bool &b) { box.outside = &b; }
void reads(const bool &b, bool c, const int *d) { measure(); }
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("written")
    (folder / "a.cpp").write_text(SOURCE)
    found: list[Engine] = []
    run = analysis.run_engine
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "run_engine", lambda *a: found.append(run(*a)) or found[-1])
        analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False))
    return found[0]


def key(engine: Engine, name: str) -> str:
    (usr,) = engine.program.named(name)
    return usr


def names(engine: Engine, written: int) -> set[str]:
    return {v.name for u, v in engine.program.variables.items() if engine.written.has(written, [u])}


@pytest.mark.parametrize(
    ("function", "surely", "perhaps"),
    [
        ("set", {"flag"}, {"flag"}),
        ("set_below", {"flag"}, {"flag"}),
        ("ring_a", {"flag"}, {"flag"}),
        ("ring_b", {"flag"}, {"flag"}),
        ("turn", set(), {"flag"}),  # though who may be called comes back to it
        ("turned", {"flag"}, {"flag"}),
        ("fresh", set(), set()),
        ("Box::Box", set(), set()),
        ("given", {"Box::full"}, {"Box::full"}),
        ("by_lambda", {"mine"}, {"mine"}),
        ("alias", {"flag"}, {"flag"}),
        ("by_dispatch", {"Box::sealed"}, {"Box::sealed"}),
        ("reads", set(), set()),
    ],
)
def test_members_and_globals(
    engine: Engine, function: str, surely: set[str], perhaps: set[str]
) -> None:
    usr = key(engine, function)
    assert names(engine, engine.written.surely[usr]) == surely
    assert names(engine, engine.written.perhaps[usr]) == perhaps


@pytest.mark.parametrize(
    ("function", "through"),
    [("reference", {0}), ("hands_on", {0}), ("keeps", {1}), ("reads", set()), ("given", set())],
)
def test_parameters(engine: Engine, function: str, through: set[int]) -> None:
    assert engine.written.through[key(engine, function)] == through


def test_how_arguments_are_passed(engine: Engine) -> None:
    assert passing(engine.program, key(engine, "reads")) == (False, "---")
    assert passing(engine.program, key(engine, "keeps")) == (False, "&&")
    assert passing(engine.program, key(engine, "hands_on")) == (False, "*")
    assert passing(engine.program, key(engine, "Box::fill")) == (True, "")
    assert passing(engine.program, key(engine, "Box::look")) == (False, "")
    assert passing(engine.program, "nobody knows") == (False, "")


def test_the_last_one_of_a_pack_stands_for_all_that_follow() -> None:
    assert [how_passed("-&+", at) for at in range(4)] == ["-", "&", "&", "&"]
    assert [how_passed("-&", at) for at in range(3)] == ["-", "&", ""]


@pytest.mark.parametrize(
    ("name", "elsewhere"),
    [
        ("Box::fill", set()),  # only in its own object
        ("Box::seal", set()),
        ("given", {"Box::full"}),
        ("by_dispatch", {"Box::sealed"}),
        ("set", {"flag"}),
    ],
)
def test_what_others_objects_may_lose(engine: Engine, name: str, elsewhere: set[str]) -> None:
    written = engine.written.elsewhere[key(engine, name)]
    assert names(engine, written) == elsewhere
