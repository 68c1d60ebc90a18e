"""Local copies of containers of shared pointers: ``auto all = members_;`` under a lock.

As long as the lock is held nobody takes an object out of the container that was copied, so that no
pointer in the copy is the last one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def has_all_elsewhere(act: Walk, state: State, path: Path) -> bool:
    """Whether what the container at *path* shares is still in the one that it was copied from."""
    variable = act.program.variables.get(path.variable) if not path.steps else None
    if variable is None or variable.kind != "local" or not _shares_all(act, variable.type):
        return False
    copied = _copied(act, variable.usr)
    return copied is not None and _holds_since(act, state, copied) and not _gets_more(act, path)


def _shares_all(act: Walk, spelling: str) -> bool:
    """Whether it is a container of which nothing but shared pointers ends anything."""
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    if owner is None or owner.pointer or owner.callable:
        return False
    ending = [k for k in act.lifetimes.owned(spelling) if act.lifetimes.destroyed(k)]
    owners = [act.knowledge.owners.get(act.program.split(k)[0]) for k in ending]
    return bool(owners) and all(o is not None and o.shared for o in owners)


def _copied(act: Walk, usr: str) -> f.Local | None:
    """Where the local *usr* begins as a copy of a place, and not of what a call returns."""
    local = next(
        (s for s in f.walk(act.function.body) if isinstance(s, f.Local) and s.usr == usr), None
    )
    if local is None or local.value is None:
        return None
    return local if isinstance(act.values.origin(local.value), f.Var | f.Field) else None


def _holds_since(act: Walk, state: State, local: f.Local) -> bool:
    """Whether a lock is held that the function took before *local*, and has not given up since."""
    here = act.function.usr
    return any(
        h.site.function == here and (h.site.line, h.site.column) < (local.line, local.column)
        for h in state.held
    )


def _gets_more(act: Walk, path: Path) -> bool:
    """Whether anything may be put into the copy that the other container does not have."""
    for statement in f.walk(act.function.body):
        if isinstance(statement, f.Assign) and act.place(statement.target) == path:
            return True
        if not isinstance(statement, f.Call):
            continue
        if any(act.place(a) == path for a in statement.args):
            return True  # whoever gets it may fill it
        base = statement.target.base if isinstance(statement.target, f.Fn | f.Name) else None
        on_it = base is not None and act.place(base) == path
        if on_it and statement.args and not _only_takes_out(act, statement, path):
            return True
    return False


def _only_takes_out(act: Walk, call: f.Call, path: Path) -> bool:
    owner = act.knowledge.owners.get(act.program.split(act.identities.type_of(path))[0])
    method = act.program.method_called(call)
    return owner is not None and method in owner.destroys and method not in owner.fills
