"""Ways to come from one function to another: a cycle is found whichever a program takes.

Each way of ``fixtures/cpp/ways.toml`` is put into a namespace of its own, twice: with a lock held
around it, which the callee's object takes in the other order, and with that lock given up before.
All of them are one source, so that names which several classes have are no help.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from lockorder.commands.checked import to_document
from lockorder.config import tomllib
from lockorder.model import Finding, Level
from lockorder.rules import RULES
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

ALL = frozenset(rule.id for rule in RULES)
WAYS = tomllib.loads(
    (Path(__file__).parents[2] / "fixtures" / "cpp" / "ways.toml").read_text(encoding="utf-8")
)
#: Ways on which nothing is found so far, and why.  One that is found fails the test.
MISSED = {
    "visit_overload": "the lambdas are bases of one object, which has their operators by using",
    "map_compare": "a comparator is an argument of the container's type",
    "type_erasure": "a constructor template keeps what it is given behind a base class",
    "range_begin": "begin() of a class of one's own is not read in a range-based for",
    "span_loop": "what a span is over is taken for the span's own",
}
INCLUDES = [
    "algorithm",
    "any",
    "array",
    "atomic",
    "deque",
    "functional",
    "future",
    "list",
    "map",
    "memory",
    "mutex",
    "optional",
    "queue",
    "ranges",
    "set",
    "span",
    "string",
    "thread",
    "tuple",
    "unordered_map",
    "utility",
    "variant",
    "vector",
]
CALLEE = """
struct B {
    std::mutex mu;
    int n = 0;
    void g() { std::lock_guard<std::mutex> l(mu); ++n; }
    void h();
    std::unique_lock<std::mutex> hold() { return std::unique_lock<std::mutex>(mu); }
    template <class F> void with(F f) { std::lock_guard<std::mutex> l(mu); f(n); }
};
static B b;
"""
CALLER = """
struct A {
    std::mutex mu;
    int n = 0;
    %s
    void f() { %s %s }
    void k() { std::lock_guard<std::mutex> l(mu); ++n; }
};
static A a;
void B::h() { std::lock_guard<std::mutex> l(mu); a.k(); }
void one() { a.f(); }
void two() { b.h(); }
"""
HELD = {True: "std::lock_guard<std::mutex> own(mu);", False: "mu.lock(); ++n; mu.unlock();"}


def source(held: bool) -> str:
    """All ways, with the caller's lock *held* or given up."""
    lines = [f"#include <{name}>" for name in INCLUDES]
    for name, way in WAYS.items():
        caller = CALLER % (way.get("members", ""), HELD[held], way["body"])
        before = way.get("before", "")
        lines.append(f"namespace way_{name} {{ {CALLEE} {before} {caller} }}")
    return "\n".join(lines)


def _locks(finding: Finding) -> Iterator[str]:
    for lock in finding.locks:
        yield from re.findall(r"way_(\w+?)::", lock)


@cache
def told(folder: Path, held: bool) -> frozenset[str]:
    """Ways that have a finding which is no note."""
    file = folder / f"ways_{held}.cpp"
    file.write_text(source(held), encoding="utf-8")
    document = to_document(analyse([file], Options(inline=True)), select=ALL)
    findings = [f for f in document.findings if f.level is not Level.NOTE]
    return frozenset(way for finding in findings for way in _locks(finding))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ways")


@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_call_under_a_lock_is_found(way: str, folder: Path) -> None:
    assert (way in told(folder, True)) is (way not in MISSED)


@pytest.mark.parametrize("way", sorted(WAYS))
def test_a_call_after_the_lock_is_given_up_is_not_told(way: str, folder: Path) -> None:
    assert way not in told(folder, False)


def test_only_ways_that_there_are_can_be_missed() -> None:
    assert MISSED.keys() <= WAYS.keys()
