"""A mistake of lockorder's own costs what it is made in, is told, and nothing else is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder import mistakes
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.driver import workers
from lockorder.static.driver.options import Options
from lockorder.static.interp import calls
from lockorder.static.interp.summary import State
from lockorder.static.interp.walking import Walk
from lockorder.static.parse import facts as f
from lockorder.static.parse.unit import Job, Reading
from lockorder.static.program.binding import bind

FIRST = """
#include <mutex>
std::mutex a, b;
void one() { std::lock_guard<std::mutex> x(a); std::lock_guard<std::mutex> y(b); }
void strange() { a.lock(); a.unlock(); }
"""
SECOND = """
#include <mutex>
extern std::mutex a, b;
void other() { std::lock_guard<std::mutex> x(b); std::lock_guard<std::mutex> y(a); }
"""


def check(folder: Path) -> Analysis:
    (folder / "first.cpp").write_text(FIRST)
    (folder / "second.cpp").write_text(SECOND)
    return analyse([folder], Options(inline=True, cache=False))


def orders(found: Analysis) -> set[tuple[str, str]]:
    return {(edge[0], edge[1]) for edge in found.graph.edges()}


def test_in_one_function(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call = calls.call

    def wrong(act: Walk, event: f.Call, state: State) -> list[State]:
        if act.function.name == "strange":
            raise KeyError("nobody has thought of this")
        return call(act, event, state)

    monkeypatch.setattr(calls, "call", wrong)
    monkeypatch.setattr("lockorder.static.interp.activation.calls.call", wrong)
    found = check(tmp_path)
    assert orders(found) == {("a", "b"), ("b", "a")}
    (problem,) = found.problems
    assert problem.startswith(
        "first.cpp: strange (line 5) could not be analysed because of a mistake in lockorder "
        "(KeyError: 'nobody has thought of this'"
    )
    assert problem.endswith("): please report it")
    assert found.coverage.failed == (problem,)


def test_in_one_unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = workers.read_unit

    def wrong(job: Job) -> Reading:
        if job.main.endswith("second.cpp"):
            raise ValueError("no such type")
        return read(job)

    monkeypatch.setattr(workers, "read_unit", wrong)
    found = check(tmp_path)
    assert orders(found) == {("a", "b")}
    (problem,) = found.problems
    assert "second.cpp: could not be read because of a mistake in lockorder" in problem
    assert "ValueError: no such type" in problem


def test_where_names_are_looked_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = bind.Statements.run

    def wrong(self: bind.Statements) -> None:
        if self.function.name == "strange":
            raise IndexError("3")
        run(self)

    monkeypatch.setattr(bind.Statements, "run", wrong)
    found = check(tmp_path)
    assert orders(found) == {("a", "b"), ("b", "a")}
    assert all("strange (line 5) could not be read" in problem for problem in found.problems)


def test_the_place_is_named() -> None:
    with pytest.raises(AttributeError) as caught:
        mistakes.told(None)  # type: ignore[arg-type]
    text = mistakes.told(caught.value)
    assert text.startswith("because of a mistake in lockorder (AttributeError: ")
    assert " in mistakes.py:" in text


def test_what_was_never_raised_has_no_place() -> None:
    assert mistakes.told(KeyError()) == (
        "because of a mistake in lockorder (KeyError): please report it"
    )
