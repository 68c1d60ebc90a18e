"""docs/architecture.md says which room of ``lockorder/static`` may import which: this holds it."""

from __future__ import annotations

import ast
from pathlib import Path

import networkx as nx
import pytest

import lockorder

STATIC = Path(lockorder.__file__).parent / "static"
#: From the bottom up: a room imports rooms before it, and itself.
ORDER = ("discovery", "cache", "parse", "driver", "program", "interp", "results", "inspection", "")


def _imports(module: Path) -> set[str]:
    """What *module* imports of ``lockorder.static``, imports for types only included."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    prefix = "lockorder.static."
    return {name.removeprefix(prefix) for name in found if name.startswith(prefix)}


def _room(name: str) -> str:
    first = name.split(".", maxsplit=1)[0]
    return first if (STATIC / first).is_dir() else ""


MODULES = sorted(p.relative_to(STATIC).as_posix() for p in STATIC.rglob("*.py"))


@pytest.mark.parametrize("module", MODULES)
def test_arrows_point_down(module: str) -> None:
    mine = ORDER.index(_room(module.replace("/", ".").removesuffix(".py")))
    for name in _imports(STATIC / module):
        assert ORDER.index(_room(name)) <= mine, f"{module} imports {name}"


def test_every_room_is_named() -> None:
    rooms = {p.name for p in STATIC.iterdir() if p.is_dir() and p.name != "__pycache__"}
    assert rooms == set(ORDER) - {""}


def test_no_module_needs_itself() -> None:
    """Imports make no circle, those for types only included: each module can be read by itself."""
    arrows = nx.DiGraph()
    names = {m.removesuffix(".py").replace("/", ".") for m in MODULES}
    for module in MODULES:
        for name in _imports(STATIC / module):
            target = name if name in names else name.rpartition(".")[0]
            arrows.add_edge(module.removesuffix(".py").replace("/", "."), target)
    circles = [sorted(c) for c in nx.strongly_connected_components(arrows) if len(c) > 1]
    assert circles == []
