"""Each module of the analysis has unit tests of its own: some test file imports it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import lockorder

STATIC = Path(lockorder.__file__).parent / "static"
ROOMS = ("interp", "program", "program/binding", "results")
HERE = Path(__file__)


def _name(module: Path) -> str:
    return "lockorder.static." + ".".join(module.relative_to(STATIC).with_suffix("").parts)


MODULES = sorted(
    _name(module)
    for room in ROOMS
    for module in (STATIC / room).glob("*.py")
    if module.name != "__init__.py"
)


def _imported(test: Path) -> set[str]:
    """Modules that a test file has by an import: as a whole, or something in them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(test.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    return found


@pytest.fixture(scope="module")
def tested() -> set[str]:
    return {name for test in HERE.parent.glob("test_*.py") for name in _imported(test)}


@pytest.mark.parametrize("module", MODULES)
def test_it_is_tested_by_itself(module: str, tested: set[str]) -> None:
    assert module in tested, f"no unit test imports {module}"


def test_nothing_is_left_out() -> None:
    """What is looked at are the rooms themselves, not a list that somebody has to keep."""
    inside = {_name(m) for m in STATIC.glob("*/**/*.py") if m.name != "__init__.py"}
    wanted = {m for m in inside if m.split(".")[2] in {r.split("/")[0] for r in ROOMS}}
    assert set(MODULES) == wanted
