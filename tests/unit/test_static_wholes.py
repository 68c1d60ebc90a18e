"""From a member to the object that it lies in, as facts and as paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.parse import facts as f
from lockorder.static.parse.wholes import whole
from lockorder.static.program.paths import UNKNOWN
from lockorder.static.program.paths import Path as Place
from lockorder.static.program.steps import Element, Whole

SOURCE = """
#include <stddef.h>
struct part { int x; };
struct inner { struct part part; int k; };
struct outer { int z; struct inner in; union { struct part other; int q; }; struct part many[2]; };
union either { struct inner one; int two; };
#define of(p, T, m) ((T *)((char *)(p) - offsetof(T, m)))
#define of_null(p, T, m) ((T *)((char *)(p) - (unsigned long)&((T *)0)->m))
#define of_block(p, T, m) \\
  ({ const __typeof__(((T *)0)->m) *at = (p); (T *)((char *)at - offsetof(T, m)); })
void *ask(struct part *p, struct outer *o, struct inner *i, char *text)
{
  return RESULT;
}
"""


def returned(folder: Path, text: str) -> str:
    """What a function returns, as ``debug`` writes it."""
    file = folder / "parts.c"
    file.write_text(SOURCE.replace("RESULT", text))
    engine = analyse([file], Options(inline=True)).engine
    function = next(x for x in engine.program.functions.values() if x.name == "ask")
    names = {usr: v.name.rpartition("::")[2] for usr, v in engine.program.variables.items()}

    def text_of(value: object) -> str:
        if isinstance(value, f.Whole):
            return f"{text_of(value.base)}^{names[value.usr]}"
        if isinstance(value, f.Field):
            return f"{text_of(value.base)}.{names[value.usr]}"
        if isinstance(value, f.Elem):
            return f"{text_of(value.base)}[]"
        return names[value.usr] if isinstance(value, f.Var) else "?"

    return next(text_of(s.value) for s in f.walk(function.body) if isinstance(s, f.Return))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("of(p, struct outer, in.part)", "p^part^in"),
        ("of(&o->in.part, struct outer, in.part)", "o"),
        ("of(&o->in, struct outer, in)", "o"),
        ("of(&o->in.part, struct inner, part)", "o.in"),
        ("of(p, struct outer, other)", "p^other"),
        ("of(p, struct outer, in)", "p^part^in"),
        ("of((void *)p, struct outer, in)", "p^part^in"),
        ("of(&o->in.part, struct outer, in)", "o"),
        ("of(text, struct outer, in)", "text^in"),
        ("of(&o->other, struct outer, other)", "o"),
        ("of(&o->many[1], struct outer, many[1])", "o"),
        ("of_null(p, struct outer, in.part)", "p^part^in"),
        ("of_block(p, struct outer, other)", "at^other"),
        ("(struct inner *)p", "p^part"),
        ("(struct part *)i", "i.part"),
        ("(struct part *)(void *)i", "i"),
        ("(struct part *)o", "o"),
        ("(struct outer *)p", "p"),
        ("text - 4", "?"),
    ],
)
def test_values(tmp_path: Path, text: str, value: str) -> None:
    assert returned(tmp_path, text) == value


def test_there_and_back() -> None:
    part = f.Field(f.Var("o"), "m")
    assert whole(part, ["m"]) == f.Var("o")
    assert whole(f.Elem(part), ["m"]) == f.Var("o")
    assert whole(part, ["n"]) == f.Whole(part, "n")


def test_paths() -> None:
    place = Place.of_variable("p")
    assert place.then("m").whole("m") is place
    assert place.whole("m").then("m") is place
    assert place.then("m").then(Element("2")).whole("m") is place
    assert place.whole("m").then("n") is Place.of_variable("p", (Whole("m"), "n"))
    assert place.whole("m").whole("n") is Place.of_variable("p", (Whole("m"), Whole("n")))
    assert place.then("n").whole("m") is Place(UNKNOWN.root, (Whole("m"),))
