"""Which method of a name a class has: its own hides those of its bases, whatever their names."""

from __future__ import annotations

import itertools

import pytest

from lockorder.static.parse.declarations import Class, Decl, Facts
from lockorder.static.parse.facts import Block, Function
from lockorder.static.program.link import Program

NAMES = ("A", "M", "Z")


def program(bases: dict[str, list[str]], having: list[str]) -> Program:
    classes = [Class(f"c:{name}", name, of, []) for name, of in bases.items()]
    functions = [
        Function(f"u:{c}", f"{c}::lock", "method", [], Block([]), "a.cpp", 1, cls=c) for c in having
    ]
    decls = [Decl(f"u:{c}", f"{c}::lock", 0, c) for c in having]
    return Program([Facts("a.cpp", functions, classes, [], decls, [])])


@pytest.mark.parametrize(("low", "middle", "top"), list(itertools.permutations(NAMES)))
def test_the_nearest_has_it(low: str, middle: str, top: str) -> None:
    line = {low: [middle], middle: [top], top: []}
    assert program(line, [low, top]).nearest(low, "lock") == [f"u:{low}"]
    assert program(line, [middle, top]).nearest(low, "lock") == [f"u:{middle}"]
    assert program(line, [top]).nearest(low, "lock") == [f"u:{top}"]
    assert program(line, [low]).nearest(middle, "lock") == []


@pytest.mark.parametrize(("low", "one", "other"), list(itertools.permutations(NAMES)))
def test_two_bases_are_equally_near(low: str, one: str, other: str) -> None:
    both = program({low: [one, other], one: [], other: []}, [one, other])
    assert both.nearest(low, "lock") == [f"u:{one}", f"u:{other}"]
