"""What is known of an owner: whether it owns anything, and whether it is the last to do so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.paths import Path, Paths
from lockorder.static.summary import State

if TYPE_CHECKING:
    from lockorder.static.activation import Activation


def is_pointer(act: Activation, spelling: str) -> bool:
    """Whether a type is a smart pointer."""
    owner = act.knowledge.owners.get(act.program.split(act.program.plain(spelling))[0])
    return owner is not None and owner.pointer


def last(state: State, path: Path) -> State:
    """What *path* stands for may be the last owner of what it shares."""
    return state.but(facts={**state.facts, ("only", path): True})


def emptied(state: State, path: Path) -> State:
    """The owner at *path* owns nothing from now on."""
    return state.but(facts={**state.facts, ("moved", path): True})


def is_empty(state: State, path: Path) -> bool:
    """Moved from, tested to be null, or set to null."""
    if state.facts.get(("moved", path)) or state.facts.get(path) is False:
        return True
    value = state.env.get(path, ())
    if len(value) == 1 and state.facts.get(value[0]) is False:
        return True
    return bool(value) and all(p.root in ("lit:nullptr", "lit:NULL", "lit:0") for p in value)


def filled(state: State, path: Path) -> State:
    key = ("moved", path)
    if key not in state.facts:
        return state
    return state.but(facts={k: v for k, v in state.facts.items() if k != key})


def owns(act: Activation, usr: str) -> bool:
    """Whether the end of a variable is the end of something that it only points to."""
    spelling = act.program.type_of(usr)
    owner = act.knowledge.owners.get(act.program.split(spelling)[0])
    return owner is not None and owner.pointer and bool(act.lifetimes.destroyed(spelling))


def is_null(value: Paths) -> bool:
    return bool(value) and all(p.root.startswith("lit:") for p in value)
