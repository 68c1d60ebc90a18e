"""Which functions an object can call that only pointers lead to, by how it was begun."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.begun import Begun
from lockorder.static.program.given import Given
from lockorder.static.program.steps import ELEMENT

SOURCE = """
#include <stdlib.h>
struct pool;
struct attr { int size; int (*grown)(struct pool *); };
struct pool { struct attr attr; struct pool *next; };
struct owner { struct pool *plain, *hooked, *either, *shared, *local, *unknown, **many; };
static int one(struct pool *p) { return p != NULL; }
static int two(struct pool *p) { return p == NULL; }
static struct pool *global;
static int create(const struct attr *attr, struct pool **out)
{
    struct pool *p = calloc(1, sizeof(*p));
    if (!p)
        return -1;
    p->attr = *attr;
    *out = p;
    return 0;
}
static int plain(struct pool **out, int size)
{
    struct attr attr = {.size = size};
    return create(&attr, out);
}
static struct pool *made(int hooked)
{
    struct pool *p;
    struct attr attr = {1, hooked ? one : NULL};
    return create(&attr, &p) ? NULL : p;
}
extern int fill(struct attr *attr, struct pool *pool);
static int set_later(struct attr *attr) { attr->grown = two; return 0; }
void begin(struct owner *o, struct owner *other, int unknown, struct pool *from)
{
    struct attr attr = {0};
    plain(&o->plain, 3);
    o->hooked = made(1);
    o->either = made(unknown);
    set_later(&attr);
    create(&attr, &global);
    o->shared = from;
    struct attr filled = {0};
    fill(&filled, from);
    create(&filled, &o->unknown);
    o->local = other->hooked;
}
int grow(struct pool *p) { return p->attr.grown(p); }
"""
LATER = "void later(struct owner *o) { o->plain->attr.grown = two; }\n"
TABLE = """
struct table { int number; int (*first)(void); struct attr attr; int *lock; };
static int value;
static struct table empty = {.number = 1}, full = {.number = 2, .lock = &value};
static struct table null = {.lock = NULL, .attr = {.size = 2}};
int use(void) { return empty.number + full.number + null.number; }
"""
COPIED = "void *memcpy(void *, const void *, unsigned long);\n"
COPIED += "void copy(struct table *t) { memcpy(&empty, t, sizeof(empty)); }\n"
CLEARED = "void *memset(void *, int, unsigned long);\n"
CLEARED += "void clear(void) { memset(&empty, 0, sizeof(empty)); }\n"
SET = "void set(struct table *t) { t->lock = &value; }\n"


def begun(folder: Path, source: str) -> tuple[Begun, dict[str, str]]:
    file = folder / "pools.c"
    file.write_text(source)
    program = analyse([file], Options(inline=True)).engine.program
    keys = {v.name: usr for usr, v in program.variables.items()}
    taken = {usr for usr, x in program.functions.items() if x.name in ("one", "two")}
    return Begun(program, Given(program, taken)), keys


@pytest.mark.parametrize(
    ("home", "names"),
    [
        ("owner::plain", set()),
        ("owner::hooked", {"one"}),
        ("owner::either", {"one"}),
        ("owner::shared", None),
        ("owner::local", {"one"}),
        ("owner::many", None),
        ("owner::unknown", None),
        ("global", {"two"}),
    ],
)
def test_functions(tmp_path: Path, home: str, names: set[str] | None) -> None:
    found, keys = begun(tmp_path, SOURCE)
    functions = found.functions(keys[home], (keys["pool::attr"], keys["attr::grown"]))
    known = None if functions is None else {usr.rpartition("@")[2][:3] for usr in functions}
    assert known == names


def test_what_is_set_later_is_not_known(tmp_path: Path) -> None:
    found, keys = begun(tmp_path, SOURCE + LATER)
    steps = keys["pool::attr"], keys["attr::grown"]
    assert not found.knows(steps)
    assert found.functions(keys["owner::plain"], steps) is None


@pytest.mark.parametrize(
    ("home", "steps", "more", "empty"),
    [
        ("empty", ("table::lock",), "", True),
        ("empty", ("table::first",), "", True),
        ("empty", ("table::attr", "attr::grown"), "", True),
        ("empty", ("table::number",), "", False),
        ("full", ("table::lock",), "", False),
        ("full", ("table::first",), "", True),
        ("null", ("table::lock",), "", True),
        ("null", ("table::attr", "attr::grown"), "", True),
        ("empty", ("table::lock",), SET, False),
        ("empty", ("table::lock",), COPIED, False),
        ("empty", ("table::lock",), CLEARED, True),
    ],
)
def test_left_out(
    tmp_path: Path, home: str, steps: tuple[str, ...], more: str, empty: bool
) -> None:
    plain = SOURCE.replace("static int set_later", "int unused;\nstatic int set_later").replace(
        "attr->grown = two; ", ""
    )
    found, keys = begun(tmp_path, plain + TABLE + more)
    assert found.is_empty(keys[home], tuple(keys[s] for s in steps)) is empty


OPS = """
static int three(struct pool *p) { return p != NULL; }
static int four(struct pool *p) { return p == NULL; }
struct ops { int (*enter)(struct pool *), (*leave)(struct pool *); };
struct rows { struct ops first, many[2]; };
struct ops fixed = {three, four}, half = {.leave = four}, plain_ops;
struct ops replaced = {three, four}, handed = {three, four}, read_only = {three, four};
struct rows rows = {{three, four}, {{three, four}, {four, three}}};
static void put(struct ops *to, struct ops *from) { *to = *from; }
static void pass(struct ops *to, struct ops *from) { put(to, from); }
static int look(struct ops *of) { return of->enter != NULL; }
int all(struct pool *p, struct ops *other)
{
    replaced = *other;
    pass(&handed, other);
    look(&read_only);
    return fixed.enter(p) + half.enter(p) + plain_ops.enter(p) + rows.first.leave(p);
}
"""
SET_OPS = "void set_ops(struct ops *ops) { ops->enter = four; }\n"
SET_HALF = "void set_half(void) { half.enter = three; }\n"
SET_ANY = "void set_any(int (*to)(struct pool *)) { fixed.enter = to; }\n"


@pytest.mark.parametrize(
    ("home", "steps", "more", "names"),
    [
        ("fixed", ("ops::enter",), "", {"three"}),
        ("fixed", ("ops::leave",), "", {"four"}),
        ("fixed", ("ops::enter",), SET_OPS, {"three", "four"}),
        ("fixed", ("ops::enter",), SET_HALF, {"three"}),
        ("half", ("ops::enter",), SET_HALF, {"three"}),
        ("fixed", ("ops::enter",), SET_ANY, None),
        ("fixed", ("ops::leave",), SET_OPS, {"four"}),
        ("half", ("ops::enter",), "", set()),
        ("plain_ops", ("ops::enter",), "", None),
        ("replaced", ("ops::enter",), "", None),
        ("handed", ("ops::enter",), "", None),
        ("read_only", ("ops::enter",), "", {"three"}),
        ("rows", ("rows::first", "ops::leave"), "", {"four"}),
    ],
)
def test_by_initialiser(
    tmp_path: Path, home: str, steps: tuple[str, ...], more: str, names: set[str] | None
) -> None:
    found, keys = begun(tmp_path, SOURCE + OPS + more)
    functions = found.functions(keys[home], tuple(keys[s] for s in steps))
    known = (
        None
        if functions is None
        else {usr.rpartition("@")[2].partition("!")[0] for usr in functions}
    )
    assert known == names


def test_elements_are_not_told_apart(tmp_path: Path) -> None:
    found, keys = begun(tmp_path, SOURCE + OPS)
    assert found.functions(keys["rows"], (keys["rows::many"], ELEMENT, keys["ops::enter"])) is None
