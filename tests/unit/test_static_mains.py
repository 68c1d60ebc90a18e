"""Functions that run once, as a part of main, and what they do while no thread of theirs runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.main_parts import MainParts
from lockorder.static.program import mains
from lockorder.static.program.link import Program

SOURCE = """
void leaf() {}
void once() { leaf(); }
void twice() {}
void looped() {}
void taken() {}
void again() {}
void (*pointer)() = taken;
struct Part { Part() {} void method() {} virtual void dispatched() {} };
struct Other : Part { void dispatched() override {} };
void elsewhere() { again(); }
int main()
{
    once();
    twice();
    twice();
    for (int i = 0; i < 3; ++i)
        looped();
    taken();
    again();
    Part part;
    part.method();
    part.dispatched();
}
"""
JUMPS = "void body() {} int main() { int i = 0; more: body(); if (++i < 3) goto more; }"


def engine_of(folder: Path, text: str) -> Engine:
    (folder / "a.cpp").write_text(text)
    return analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False)).engine


def parts_of(program: Program, taken: frozenset[str] = frozenset()) -> dict[str, str]:
    """The functions that are found, with who calls them, by name."""
    (main,) = program.named("main")
    found = mains.find(program, main, taken)
    return {program.name_of(callee): program.name_of(caller) for callee, caller in found.items()}


def test_what_is_called_at_one_place_is_a_part(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, SOURCE)
    found = parts_of(engine.program, frozenset(engine.points_to.taken))
    assert found == {"once": "main", "leaf": "once", "Part::method": "main"}


def test_a_function_whose_address_is_taken_may_run_at_any_time(tmp_path: Path) -> None:
    engine = engine_of(tmp_path, SOURCE)
    assert "taken" in parts_of(engine.program)
    assert "taken" not in parts_of(engine.program, frozenset(engine.points_to.taken))


def test_what_is_jumped_back_to_is_called_again(tmp_path: Path) -> None:
    assert parts_of(engine_of(tmp_path, JUMPS).program) == {}


def test_a_program_without_main_has_no_parts(tmp_path: Path) -> None:
    assert mains.find(engine_of(tmp_path, "void f() {}").program, "", frozenset()) == {}


WITH_THREAD = """
#include <mutex>
#include <thread>
std::mutex a, b;
void there() { std::lock_guard<std::mutex> x(a); std::lock_guard<std::mutex> y(b); }
void back() { std::lock_guard<std::mutex> x(b); std::lock_guard<std::mutex> y(a); }
void first() { there(); }
int main() { %s }
"""


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("first(); std::thread t(back); t.join();", False),
        ("std::thread t(back); first(); t.join();", True),
        ("std::thread t(back); t.join(); first();", False),
    ],
)
def test_an_order_counts_only_beside_a_thread(tmp_path: Path, body: str, told: bool) -> None:
    engine = engine_of(tmp_path, WITH_THREAD % body)
    assert (("a", "b") in engine.found.orders) is told


def test_who_comes_to_a_part_decides(tmp_path: Path) -> None:
    program = engine_of(tmp_path, SOURCE).program
    (main,), (once,), (leaf,) = map(program.named, ("main", "once", "leaf"))
    parts = MainParts(program, main, set())
    assert parts.has(once)
    assert not parts.has(main)
    assert not parts._is_alone(leaf)
    parts.called(once, leaf, True)
    assert not parts._is_alone(leaf)
    parts.called(main, once, True)
    assert parts._is_alone(leaf)
    parts.called(main, once, False)
    assert not parts._is_alone(leaf)
