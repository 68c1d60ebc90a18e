"""Ways to come from one function to another, to hold a lock meanwhile, and to end an object.

Each way of ``fixtures/cpp/ways.toml`` is put into a namespace of its own, twice: with a lock held
around it, which the callee's object takes in the other order, and with that lock given up before.
Each way to hold a lock (``holds.toml``) is so, too: with the other order somewhere, and without it;
and each way to end an object whose destructor takes a lock (``ends.toml``): under a lock or after.
All of them are one source, so that names which several classes have are no help.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from lockorder.commands.checked import to_document
from lockorder.model import Finding, Level
from lockorder.rules import RULES
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

ALL = frozenset(rule.id for rule in RULES)
if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cpp"
WAYS = tomllib.loads((FIXTURES / "ways.toml").read_text(encoding="utf-8"))
ENDS = tomllib.loads((FIXTURES / "ends.toml").read_text(encoding="utf-8"))
HOLDS = tomllib.loads((FIXTURES / "holds.toml").read_text(encoding="utf-8"))
#: Ways on which nothing is found so far, and why.  One that is found fails the test.
MISSED = {
    "visit_overload": "the lambdas are bases of one object, which has their operators by using",
    "map_compare": "a comparator is an argument of the container's type",
    "type_erasure": "a constructor template keeps what it is given behind a base class",
    "range_begin": "begin() of a class of one's own is not read in a range-based for",
}
MISSED_HOLDS = {"guard_optional": "a guard that is made in place in an optional"}
MISSED_ENDS = {
    "value_array": "delete of a pointer to a std::array",
    "any": "what a std::any has",
    "moved_on_by_call": "what a callee puts into another member of the same object",
}
#: Programs without a deadlock for which one is told, and why.
TOLD_WRONGLY = {"end_unique_map_over": "the old object is exchanged for a new one in a map"}
INCLUDES = [
    "algorithm", "any", "array", "atomic", "chrono", "condition_variable", "deque",
    "functional", "future", "list", "map", "memory", "mutex", "optional", "queue", "ranges",
    "semaphore", "set", "shared_mutex", "span", "string", "thread", "tuple", "unordered_map",
    "utility", "variant", "vector", "pthread.h", "semaphore.h", "sys/file.h", "threads.h",
]  # fmt: skip
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
    int n = 0;
    %s
    void f() { %s }
    void k() { %s }
};
static A a;
void B::h() { %s a.k(); }
void one() { a.f(); }
void two() { b.h(); }
"""
GUARD = "std::lock_guard<std::mutex> own(mu);"
GIVEN_UP = "mu.lock(); ++n; mu.unlock();"


def way(name: str, bad: bool) -> str:
    """A program that calls ``B::g`` in that way, with its own lock held or given up."""
    told = WAYS[name]
    members = f"std::mutex mu; {told.get('members', '')}"
    body = f"{GUARD if bad else GIVEN_UP} {told['body']}"
    return program(told, members, body, f"{GUARD} ++n;", GUARD)


def hold(name: str, bad: bool) -> str:
    """A program that holds its lock in that way, with the other order somewhere or nowhere."""
    told = HOLDS[name]
    other = told.get("other", f"{GUARD} ++n;")
    return program(
        told, told.get("members", "std::mutex mu;"), told["body"], other, GUARD if bad else ""
    )


THING = """
struct T {
    int x = 0;
    T() = default;
    T(T &&) noexcept {}
    T &operator=(T &&) noexcept { return *this; }
    ~T() { b.g(); }
};
"""


def end(name: str, bad: bool) -> str:
    """A program that ends an object in that way, under a lock or after it is given up."""
    told = ENDS[name]
    members = f"std::mutex mu; {told['members']} void fill() {{ {told['fill']} }}"
    body = f"{GUARD} {told['ends']}" if bad else f"mu.lock(); {told['after']} mu.unlock();"
    return program({"before": THING}, members, body, f"{GUARD} ++n;", GUARD)


def program(told: dict[str, str], members: str, body: str, other: str, back: str) -> str:
    """One program in a namespace of its own, which is still to be named."""
    return f"{CALLEE} {told.get('before', '')} {CALLER % (members, body, other, back)}"


PROGRAMS = {
    "way": (way, WAYS, MISSED),
    "hold": (hold, HOLDS, MISSED_HOLDS),
    "end": (end, ENDS, MISSED_ENDS),
}
CASES = [(kind, name) for kind, (_, table, _) in PROGRAMS.items() for name in table]


def source(bad: bool) -> str:
    """All programs, those that deadlock or those that do not."""
    lines = [f"#include <{name}>" for name in INCLUDES]
    for kind, name in CASES:
        lines.append(f"namespace {kind}_{name} {{ {PROGRAMS[kind][0](name, bad)} }}")
    return "\n".join(lines)


def _programs(finding: Finding) -> Iterator[str]:
    for lock in finding.locks:
        yield from re.findall(r"\b((?:way|hold|end)_\w+?)::", lock)


@cache
def told(folder: Path, bad: bool) -> frozenset[str]:
    """Programs that have a finding which is no note."""
    file = folder / f"ways_{'bad' if bad else 'ok'}.cpp"
    file.write_text(source(bad), encoding="utf-8")
    document = to_document(analyse([file], Options(inline=True)), select=ALL)
    findings = [f for f in document.findings if f.level is not Level.NOTE]
    return frozenset(name for finding in findings for name in _programs(finding))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ways")


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_what_deadlocks_is_found(kind: str, name: str, folder: Path) -> None:
    missed = PROGRAMS[kind][2]
    assert (f"{kind}_{name}" in told(folder, True)) is (name not in missed)


@pytest.mark.parametrize(("kind", "name"), CASES)
def test_what_does_not_is_not_told(kind: str, name: str, folder: Path) -> None:
    assert (f"{kind}_{name}" in told(folder, False)) is (f"{kind}_{name}" in TOLD_WRONGLY)


@pytest.mark.parametrize("kind", PROGRAMS)
def test_only_what_there_is_can_be_missed(kind: str) -> None:
    _, table, missed = PROGRAMS[kind]
    assert missed.keys() <= table.keys()
