"""What an object was given when it was begun, by the member or global that it lies in."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.given import Given

SOURCE = """
#include <stdlib.h>
struct pool;
struct ops { int (*more)(struct pool *); };
struct data { const struct ops *ops; };
struct pool { struct data *data; };
struct tree { int (*node)(void); };
static int plain(struct pool *p) { return p != NULL; }
static int large(struct pool *p) { return p == NULL; }
static int leaf(void) { return 1; }
static int twig(void) { return 2; }
static const struct ops plain_ops = {plain};
static const struct ops large_ops = {large};
static void *fresh(size_t n) { void *p = malloc(n); return p; }
static int begin(struct pool *p, const struct ops *ops)
{
    p->data = fresh(sizeof(*p->data));
    if (p->data == NULL)
        return -1;
    p->data->ops = ops;
    return p->data->ops->more(p);
}
static void plant(struct tree *t, int (*node)(void)) { t->node = node; t->node(); }
struct a { struct pool one, two; struct tree tree; };
struct b { struct pool *shared; struct tree trees[2]; };
static struct tree global;
void make(struct a *a, struct b *b, int large)
{
    struct tree local;
    begin(&a->one, &plain_ops);
    begin(&a->two, large ? &large_ops : &plain_ops);
    plant(&a->tree, leaf);
    plant(&b->trees[large], twig);
    plant(&global, leaf);
    plant(&local, twig);
}
"""
BEHIND = "void again(struct b *b) { begin(b->shared, &large_ops); }\n"
COPY = "void copy(struct a *a, struct a *b) { a->one = b->two; }\n"

MORE = ("data::ops", "ops::more")


def given(folder: Path, source: str, home: str, *steps: str) -> set[str] | None:
    file = folder / "pools.c"
    file.write_text(source)
    program = analyse([file], Options(inline=True)).engine.program
    keys = {v.name: usr for usr, v in program.variables.items()}
    taken = {usr for usr, x in program.functions.items() if x.name in ("plain", "leaf")}
    found = Given(program, taken).functions(keys[home], tuple(keys[s] for s in steps))
    return None if found is None else {program.functions[usr].name for usr in found}


@pytest.mark.parametrize(
    ("home", "steps", "names"),
    [
        ("a::one", ("pool::data", *MORE), {"plain"}),
        ("a::two", ("pool::data", *MORE), None),
        ("a::tree", ("tree::node",), {"leaf"}),
        ("b::trees", ("tree::node",), {"twig"}),
        ("global", ("tree::node",), {"leaf"}),
    ],
)
def test_functions(tmp_path: Path, home: str, steps: tuple[str, ...], names: set[str]) -> None:
    assert given(tmp_path, SOURCE, home, *steps) == names


@pytest.mark.parametrize("more", [BEHIND, COPY])
def test_unknown(tmp_path: Path, more: str) -> None:
    assert given(tmp_path, SOURCE + more, "a::one", "pool::data", *MORE) is None
