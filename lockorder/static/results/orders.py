"""Lock orders that attributes declare, and the locks that a declaration can name."""

from __future__ import annotations

import os

from lockorder.declared import Declaration
from lockorder.model import Lock
from lockorder.static.interp.engine import Engine
from lockorder.static.program.contracts import Contracts

_NAMED = frozenset(("global", "member", "static", "field"))


def declared_orders(engine: Engine, contracts: Contracts, root: str) -> list[Declaration]:
    """The orders that attributes declare, by lock id; files named relative to *root*.

    Objects are not told apart: an order between two locks of one class says nothing here.
    """
    found: dict[Declaration, None] = {}
    for before, after, contract in contracts.orders():
        file = _relative(contract.file, root)
        for first in engine.identities.of(before):
            for second in engine.identities.of(after):
                if first.lock != second.lock:
                    said = Declaration(first.lock, second.lock, file, contract.line)
                    found[said] = None
    return list(found)


def known_locks(engine: Engine, root: str) -> list[Lock]:
    """Every lock that can be named: those that are taken, and those that are only declared."""
    found = {k.id: k for k in engine.identities.locks.values()}
    for named in engine.knowledge.named.values():
        found.setdefault(named.name, Lock(named.name, named.name, named.kind))
    names = {k.name for k in found.values()}
    for variable in engine.program.variables.values():
        kind = engine.program.split(engine.program.pointee(variable.type))[0]
        if variable.kind in _NAMED and kind in engine.knowledge.locks:
            name = variable.name
            if name not in names and f"{name}[]" not in names:
                lock_kind = engine.knowledge.locks[kind].kind
                found.setdefault(name, Lock(name, name, lock_kind, variable.file, variable.line))
    return [Lock(k.id, k.name, k.kind, _relative(k.file, root), k.line) for k in found.values()]


def _relative(path: str, root: str) -> str:
    return os.path.relpath(path, root) if path.startswith(root + os.sep) else path
