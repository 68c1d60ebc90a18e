"""How surely, and where, objects die that nobody deletes by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from lockorder.commands.checked import to_document
from lockorder.model import Finding, Level
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

SOURCE = """
#include <memory>
#include <mutex>
std::mutex outer, inner;
struct Inner { ~Inner() { std::lock_guard<std::mutex> l(inner); } };
struct Outer { %s part; };
struct Whole : Outer { };
Outer make() { Outer made; return made; }
void one()
{
    std::lock_guard<std::mutex> i(inner);
    std::lock_guard<std::mutex> o(outer);
}
"""
RESET = """
void two(%s<%s> &p)
{
    std::lock_guard<std::mutex> o(outer);
    p.reset();
}
"""
TEMPORARY = """
void two()
{
    {
        std::lock_guard<std::mutex> o(outer);
        make();
    }
    int after = 0;
}
"""


def findings(tmp_path: Path, text: str) -> list[Finding]:
    (tmp_path / "a.cpp").write_text(text)
    analysis = analyse([tmp_path / "a.cpp"], Options(root=tmp_path, inline=True, cache=False))
    return list(to_document(analysis).findings)


@pytest.mark.parametrize("part", ["Inner", "std::unique_ptr<Inner>"])
@pytest.mark.parametrize("whole", ["Outer", "Whole"])
def test_parts_end_as_surely_as_what_they_are_in(tmp_path: Path, part: str, whole: str) -> None:
    told = {
        pointer: findings(tmp_path, SOURCE % part + RESET % (f"std::{pointer}", whole))[0]
        for pointer in ("unique_ptr", "shared_ptr")
    }
    assert told["unique_ptr"].confidence.name == "HIGH"
    assert told["shared_ptr"].confidence.name == "MEDIUM"
    assert {f.level for f in told.values()} == {Level.ERROR}


def test_a_temporary_ends_where_its_expression_does(tmp_path: Path) -> None:
    text = SOURCE % "Inner" + TEMPORARY
    found = msgspec.to_builtins(findings(tmp_path, text))
    lines = set(_lines(found))
    assert 1 + text[: text.index("make();\n    }")].count("\n") in lines
    assert 1 + text[: text.rindex("}")].count("\n") not in lines


def _lines(value: object) -> Iterator[int]:
    if isinstance(value, dict):
        if isinstance(value.get("line"), int):
            yield value["line"]
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for each in value:
            yield from _lines(each)
