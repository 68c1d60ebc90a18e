"""Of which kind of structure the parameters of functions are parts, as their functions show."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.kinds import Kinds
from lockorder.static.program.paths import Path as Place

SOURCE = """
#include <stddef.h>
struct base { int x; };
struct mid { int y; struct base base; };
struct wide { int z; struct mid mid; struct mid *other; };
struct narrow { int w; struct base base; };
#define of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))
static struct mid *up(struct base *p) { return of(p, struct mid, base); }
int direct(struct base *p) { struct wide *w = of(p, struct wide, mid.base); return w->z; }
int helped(struct base *p) { return up(p)->y; }
int nested(struct base *p)
{
  struct mid *m = of(p, struct mid, base);
  struct wide *w = of(m, struct wide, mid);
  return w->z;
}
int inner(struct mid *m) { return helped(&m->base); }
int sometimes(struct base *p, int c) { if (c) return direct(p); return 0; }
int both(struct base *p) { struct narrow *n = of(p, struct narrow, base); return n->w + direct(p); }
int set(struct base *p, struct base *q) { p = q; return direct(p); }
int once(struct base *p) { do { direct(p); } while (0); return 0; }
int global_user(struct wide *w) { return w->other->y; }
int found(struct base **out);
int local(void)
{
  struct base *p;
  found(&p);
  struct narrow *n = of(p, struct narrow, base);
  return n->w;
}
struct mid alone;
"""


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> tuple[Kinds, dict[str, str]]:
    file = tmp_path_factory.mktemp("parts") / "parts.c"
    file.write_text(SOURCE)
    program = analyse([file], Options(inline=True)).engine.program
    keys = {v.name: usr for usr, v in program.variables.items()}
    keys |= {x.name: usr for usr, x in program.functions.items()}
    return Kinds(program), keys


@pytest.mark.parametrize(
    ("function", "chain"),
    [
        ("direct", ("mid::base", "wide::mid")),
        ("helped", ("mid::base",)),
        ("nested", ("mid::base", "wide::mid")),
        ("inner", ()),
        ("sometimes", ()),
        ("both", ()),
        ("set", ()),
        ("once", ("mid::base", "wide::mid")),
    ],
)
def test_parameters(
    kinds: tuple[Kinds, dict[str, str]], function: str, chain: tuple[str, ...]
) -> None:
    known, keys = kinds
    assert known.of(keys[function], 0) == tuple(keys[c] for c in chain)


def test_at_a_call(kinds: tuple[Kinds, dict[str, str]]) -> None:
    known, keys = kinds
    program = known._program
    user = program.functions[keys["global_user"]]
    wide = user.params[0]
    chain = keys["mid::base"], keys["wide::mid"]
    narrow = (keys["narrow::base"],)

    def rest(root: str, *steps: str, of: tuple[str, ...] = chain) -> tuple[str, ...] | None:
        return known.rest(user, Place.of_variable(root, tuple(keys[s] for s in steps)), of)

    assert rest(wide, "wide::mid", "mid::base") == ()
    assert rest(wide, "wide::mid", "mid::base", of=narrow) is None
    assert rest(wide, "wide::other", "mid::base") == ()
    assert rest(wide, "wide::other", "mid::base", of=narrow) is None
    assert rest(wide, "wide::other", of=chain[1:]) == ()
    assert rest(wide, of=chain) == chain
    assert rest(keys["alone"], "mid::base") is None
    assert rest(keys["alone"], "mid::base", of=chain[:1]) == ()
    base = program.functions[keys["direct"]]
    there = Place.of_variable(base.params[0])
    assert known.rest(base, there, chain[:1]) == chain[:1]
    assert known.rest(base, there, narrow) is None
    assert known.rest(base, there.whole(chain[0]), chain[1:]) == chain


def test_locals(kinds: tuple[Kinds, dict[str, str]]) -> None:
    known, keys = kinds
    function = known._program.functions[keys["local"]]
    local = next(u for u in known._of(function))
    assert known.rest(function, Place.of_variable(local), (keys["narrow::base"],)) == ()
    assert known.rest(function, Place.of_variable(local), (keys["mid::base"],)) is None


def test_fit(kinds: tuple[Kinds, dict[str, str]]) -> None:
    known, keys = kinds
    mid, wide, narrow = keys["mid::base"], keys["wide::mid"], keys["narrow::base"]
    assert known.fit((), (mid,))
    assert known.fit((mid, wide), (mid,))
    assert not known.fit((mid, wide), (narrow,))
    assert known.fit((mid,), (wide,))  # of another type: they may lie at one address
