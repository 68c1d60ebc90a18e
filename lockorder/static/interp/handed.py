"""What a caller holds, by the names that its callee has for it: its object, and its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockorder.static.interp.summary import Gate
from lockorder.static.program.effects import Holdable
from lockorder.static.program.link import Program
from lockorder.static.program.paths import UNKNOWN, Path

#: For each object that a call hands over: what it is in the caller, and in the callee.
Handed = tuple[tuple[Path, Path], ...]


def seen(gates: Iterable[Gate], handed: Handed, callee: str, program: Program) -> frozenset[Gate]:
    """*gates* of a caller as *callee* sees them."""
    return frozenset(
        Gate(path, gate.mode)
        for gate in gates
        for path in _names(gate.path, handed, callee, program)
    )


def paths(path: Path, handed: Handed, callee: str, program: Program) -> Iterator[Path]:
    """What *path* of a caller is called in *callee*, if that has a name for it."""
    for name in _names(path, handed, callee, program):
        if isinstance(name, Path) and not name.is_unknown:
            yield name


def _names(path: Holdable, handed: Handed, callee: str, program: Program) -> Iterator[Holdable]:
    if not isinstance(path, Path):
        yield path
        return
    owner = _owner(path, program)
    found = [(given, root) for given, root in handed if path.is_within(given)]
    for given, parameter in found:
        yield Path(parameter.root, path.steps[len(given.steps) :])
    if owner == callee and not found:
        # It comes to call itself: there, the name is that of another object.
        yield Path(UNKNOWN.root, path.end)
    elif not (owner and found):
        yield path


def _owner(path: Path, program: Program) -> str:
    """The function of which *path* begins at something of its own; empty where there is none."""
    if path.is_this:
        return path.method
    if path.is_variable:
        variable = program.variables.get(path.variable)
        own = variable is not None and variable.kind in ("param", "local")
        return variable.owner if variable is not None and own else ""
    return path.maker[0] if path.is_made else ""
