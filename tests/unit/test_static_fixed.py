"""Numbers and flags that never change, of the program and of objects."""

from __future__ import annotations

import pytest

from lockorder.model import Fixed
from lockorder.static.interp import of_object
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.known import Equal, Fact
from lockorder.static.interp.summary import Member, Needs, State
from lockorder.static.program.fixed import Fixed as Kept
from lockorder.static.program.paths import Path
from lockorder.static.results.fixed_needs import FixedNeeds
from walks import Walking, analysed, walking

SOURCE = """
int other();
extern "C" char *getenv(const char *);
enum class Kind { one, two };
struct Inner { const int level; int tries; };
struct Box {
    Box(int a, Kind k) : born(a), kind(k), changed(a), inner{a, a}, behind(&inner) {}
    void set(int a) { changed = a; inner.tries = a; }
    int born;
    const Kind kind;
    int changed;
    Inner inner;
    Inner *behind;
    volatile const int mapped = 0;
    std::mutex lock;
    std::mutex *far;
};
static const bool from_environment = getenv("X") != nullptr;
static int never_set;
static int set_here;
static volatile int by_a_debugger;
int others_may_set;
const int limit = other();
static Box box(1, Kind::one);
void g(int n) { set_here = n; if (never_set + by_a_debugger + others_may_set) set_here = 1; }
"""


def at(body: str) -> Walking:
    return walking(f"{SOURCE} void f(Box *b) {{ {body} }}")


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ("b.born", True),
        ("b.kind", True),
        ("b.changed", False),
        ("b.inner.level", True),
        ("b.inner.tries", False),
        ("b.behind", False),  # a pointer is no number
        ("b.behind.level", True),  # of the object that it leads to
        ("b.mapped", False),
        ("b", False),
    ],
)
def test_members_that_an_object_keeps(what: str, found: bool) -> None:
    here = at("")
    assert here.engine.fixed.is_member(here.at(what)) is found


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ("from_environment", True),
        ("never_set", True),
        ("set_here", False),
        ("by_a_debugger", False),
        ("others_may_set", False),
        ("limit", True),
        ("box.born", True),
        ("box.changed", False),
        ("box.inner.level", True),
        ("box.behind.level", False),  # which object that is may change
        ("b.born", False),  # of which object nobody knows
    ],
)
def test_numbers_that_the_program_keeps(what: str, found: bool) -> None:
    here = at("")
    assert here.engine.fixed.is_of_program(here.at(what)) is found


@pytest.mark.parametrize(
    ("owner", "part", "found"),
    [
        ("b", "b.lock", True),
        ("b", "b.inner.tries", True),
        ("b.inner", "b.inner.tries", True),
        ("b", "b.far", False),
        ("b", "b.behind.tries", False),
        ("b.inner", "b.lock", False),
    ],
)
def test_what_is_a_part_of_an_object(owner: str, part: str, found: bool) -> None:
    here = at("")
    assert (here.engine.fixed.way(here.at(owner), here.at(part)) is not None) is found


def test_ways_tell_parts_apart() -> None:
    here = at("")
    box, lock = here.at("b"), here.at("b.lock")
    assert here.engine.fixed.way(box, lock) != here.engine.fixed.way(box, here.at("b.born"))
    assert here.engine.fixed.way(box, lock) == here.engine.fixed.way(
        here.at("box"), here.at("box.lock")
    )


def test_what_has_internal_linkage_is_fixed_where_nothing_writes_to_it() -> None:
    here = at("")
    usr = here.variable("set_here")
    assert Kept(here.program, here.engine.written, {usr}).is_global(usr)
    assert not Kept(here.program, here.engine.written, ()).is_global(usr)


# -- what a state knows, and what the model is told -----------------------------------------------


def test_a_state_tells_what_never_changes() -> None:
    here = at("")
    facts: dict[Fact, bool] = {
        Equal(here.at("b.kind"), Path.of_literal("1")): True,
        here.at("from_environment"): False,
        here.at("b.changed"): True,
        here.at("set_here"): True,
    }
    found = of_object.fixed(here.walk, State(facts=facts))
    assert {(here.name(m.path), m.literal, m.truth) for m in found} == {
        ("b.kind", "1", True), ("from_environment", "", False)
    }  # fmt: skip


def told(here: Walking, *needs: Member) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """What is said of the program, and of the object that has ``b.lock``."""
    known = FixedNeeds(here.engine, lambda file: "here")
    every: Needs = frozenset(needs)

    def short(found: tuple[Fixed, ...]) -> list[tuple[str, bool]]:
        return [(f"{f.where.split()[0]} {f.literal}", f.truth) for f in found]

    return short(known.of_program(every)), short(known.of_object(here.at("b.lock"), every))


def test_the_model_is_told_in_names() -> None:
    here = at("")
    assert told(here, Member(here.at("b.kind"), "1", True)) == ([], [("Box::kind 1", True)])
    assert told(here, Member(here.at("b.born"), "", False)) == ([], [("Box::born 0", True)])
    assert told(here, Member(here.at("b.born"), "false", False)) == ([], [("Box::born 0", False)])
    assert told(here, Member(here.at("b.changed"), "1", True)) == ([], [])
    assert told(here, Member(here.at("b.inner.level"), "1", True)) == ([], [])
    assert told(here, Member(here.at("limit"), "", True)) == ([("limit 0", False)], [])


# -- what all callers know ------------------------------------------------------------------------

CALLS = """
struct Line {
    explicit Line(bool a) : back(a) {}
    void only_back() {}
    void either() {}
    void deep() { deeper(); }
    void deeper() { deep(); }
    void go() {
        if (back) { only_back(); either(); deep(); } else either();
    }
    const bool back;
};
"""


def known(engine: Engine, name: str) -> set[tuple[bool, bool]]:
    (usr,) = engine.program.named(name)
    found = engine.contexts.fixed(usr, engine.program)
    return {(m.path.is_this and m.path.method == usr, m.truth) for m in found}


@pytest.mark.parametrize(
    ("name", "found"),
    [("only_back", True), ("either", False), ("deep", True), ("deeper", True), ("go", False)],
)
def test_what_all_callers_know(name: str, found: bool) -> None:
    assert known(analysed(CALLS), f"Line::{name}") == ({(True, True)} if found else set())
