"""Which classes the objects have that plain pointers lead to."""

from __future__ import annotations

import pytest

from lockorder.static.program.paths import Path
from lockorder.static.program.pointed import Pointed
from walks import program_of

TEXT = """
extern "C" int strcmp(const char *, const char *);
struct Base { virtual void go(); }; struct Left : Base {}; struct Right : Base {};
Base *make(int kind) { if (kind == 1) return new Left; return new Right; }
Base *named(const char *kind) {
  if (strcmp(kind, "left") == 0) return new Left;
  return strcmp(kind, "right") == 0 ? make(2) : nullptr;
}
Base *given(Base *old) { if (old) return old; return new Left; }
Base *unknown(); void set(Base *&); void hand(Base *); int which();
struct Holder { Base *first; void f() { %s } };
"""


def held(body: str) -> frozenset[str] | None:
    program = program_of(TEXT % body)
    (usr,) = (u for u, v in program.variables.items() if v.name == "Holder::first")
    return Pointed(program).of(Path.of_variable("x").then(usr))


@pytest.mark.parametrize(
    ("body", "classes"),
    [
        ("first = new Left;", {"Left"}),
        ("first = nullptr; first = new Right;", {"Right"}),
        ("first = make(1);", {"Left"}),
        ("first = make(which());", {"Left", "Right"}),
        ('first = named("left");', {"Left"}),
        ("first = make(1); hand(first);", {"Left"}),
    ],
)
def test_all_that_is_put_there_is_known(body: str, classes: set[str]) -> None:
    assert held(body) == classes


@pytest.mark.parametrize(
    "body",
    [
        "",
        "first = unknown();",
        "first = given(new Right);",
        "first = new Left; set(first);",
        "first = new Left; Base *&other = first; other = unknown();",
        "first = new Left; Base **other = &first; *other = unknown();",
    ],
)
def test_others_may_put_something_there(body: str) -> None:
    assert held(body) is None
