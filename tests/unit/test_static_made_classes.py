"""Classes of which objects are made."""

from __future__ import annotations

import pytest

import walks
from lockorder.knowledge import builtin
from lockorder.static.program.made import MadeClasses

BEGIN = """
#include <memory>
#include <vector>
struct Base { virtual void f() = 0; };
struct Thing : Base { void f() override {} };
template <class T> void keep();
"""


@pytest.mark.parametrize(
    "text",
    [
        "void g() { Thing thing; }", "void g() { new Thing; }", "Thing thing;",
        "struct Owner { Thing thing; };", "std::vector<Thing> things;",
        "void g() { std::make_unique<Thing>(); }", "struct Below : Thing {}; Below below;",
        "void g() { keep<Thing>(); }", "void g(Thing thing) {}",
    ],
)  # fmt: skip
def test_what_makes_an_object(text: str) -> None:
    made = MadeClasses(walks.program_of(BEGIN + text), builtin())
    assert made.has("Thing")
    assert made.has("Base")


@pytest.mark.parametrize(
    "text",
    [
        "", "void g(Thing *thing) {}", "void g(Thing &thing) {}", "Thing *thing;",
        "std::unique_ptr<Thing> thing;", "struct Owner { std::shared_ptr<Thing> thing; };",
        "void g() { keep<Thing *>(); }",
    ],
)  # fmt: skip
def test_what_makes_none(text: str) -> None:
    assert not MadeClasses(walks.program_of(BEGIN + text), builtin()).has("Thing")
