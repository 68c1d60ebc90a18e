"""Paths that keep what other paths give up: a lock, or a group of calls that stays open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.model import LockKind
from lockorder.static.interp import misuse
from lockorder.static.interp.collected import Unbalanced
from lockorder.static.interp.summary import Held, State
from lockorder.static.parse import facts as f
from lockorder.static.parse.numbers import NULLS
from lockorder.static.program.effects import Group
from lockorder.static.program.paths import ENTRY, Path
from lockorder.static.program.steps import is_element
from lockorder.static.program.written import gives

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Jump, Walk


def check(act: Walk, returned: Sequence[Jump], thrown: Sequence[Jump]) -> None:
    """Compare the ways out of one function with each other."""
    if len(returned) + len(thrown) < 2:
        return
    for jump, how in [*((j, "return") for j in returned), *((j, "exception") for j in thrown)]:
        for held in jump.state.held:
            if _is_kept(act, jump, held) and _given_up(act, jump, held, returned, how):
                act.engine.found.unbalance(Unbalanced(act.function.usr, held, jump.line, how))
    _check_ends(act, returned)


def _check_ends(act: Walk, returned: Sequence[Jump]) -> None:
    """A group that is begun on one path and ended on all."""
    begun = act.begun
    if begun is None or not any(begun.path in j.state.freed for j in returned):
        return
    for jump in returned:
        if begun.path in jump.state.released and begun.path not in jump.state.freed:
            act.engine.found.unbalance(Unbalanced(act.function.usr, begun, jump.line, "return"))


def _is_kept(act: Walk, jump: Jump, held: Held) -> bool:
    """Held at the end for sure, and by no object that lives on."""
    if held.either:
        return False
    if held.chosen and held.site.inner is not None and not _is_named(act, jump, held):
        return False  # which one it is, only the callee knows
    if held.guard == ENTRY:
        return False  # its callers had it before, and have it then
    if held.site.inner is not None and held.guard is not None:
        return False
    if held.guard is not None and jump.state.guards.get(held.guard) is not None:
        guard = jump.state.guards[held.guard]
        if guard.owned:
            return False  # a guard in a member, or the caller's
    if jump.guard is not None and held.path in jump.guard.paths:
        return False
    if isinstance(held.path, Group):
        return True
    if any(is_element(s) for s in held.path.steps) and _in_loop(act, held):
        return False  # one loop takes them all, and another gives them all up
    kinds = [
        act.identities.locks[i.lock].kind
        for i in act.identities.of(held.path)
        if i.lock in act.identities.locks
    ]
    return not any(k in (LockKind.SEMAPHORE, LockKind.STATIC_INIT) for k in kinds)


def _is_named(act: Walk, jump: Jump, held: Held) -> bool:
    """Whether some name means the object of the lock that is *held*, and no other."""
    values = {v[0] for v in jump.state.env.values() if len(v) == 1 and not v[0].is_unknown}
    return any(misuse.lies_in(act, held.path, owner) for owner in values)


def _in_loop(act: Walk, held: Held) -> bool:
    """Whether a lock is taken in a loop of the function."""
    place = held.site.line, held.site.column
    return any(
        isinstance(inner, f.Call | f.Make) and (inner.line, inner.column) == place
        for loop in f.walk(act.function.body)
        if isinstance(loop, f.Loop)
        for part in f.parts(loop)
        for inner in f.walk(part)
    )


def _given_up(act: Walk, jump: Jump, held: Held, returned: Sequence[Jump], how: str) -> bool:
    """Whether another path takes the same lock and gives it up, and callers cannot tell why."""
    for other in returned:
        if held.path in other.state.freed and not _holds(other.state, held.path):
            told = _says_so(act, jump, other) or _hands_out(act, jump, held, other)
            if how == "return" and told:
                continue
            return True
    return False


def _says_so(act: Walk, jump: Jump, other: Jump) -> bool:
    """Whether what is returned is success where the lock is held, and failure where it is not."""
    if jump.line != other.line:
        mine, theirs = jump.status, other.status
    else:  # one statement returns what was found on both ways
        mine, theirs = _constant(jump), _constant(other)
        if mine in ("1", "true") and theirs in NULLS | {"false"}:
            return True
    return bool(_success(act, jump, mine)) and _success(act, other, theirs) is False


def _hands_out(act: Walk, jump: Jump, held: Held, other: Jump) -> bool:
    """Whether callers are given the object whose lock is held, and another one where it is not."""
    if not isinstance(held.path, Path):
        return False
    given = [(jump.value, other.value)]
    theirs = other.state.env
    for place, value in jump.state.env.items():
        if _is_callers(act, place):
            given.append((value, theirs.get(place, ())))
    return any(len(m) == 1 and held.path.is_within(m[0]) and t != m for m, t in given)


def _is_callers(act: Walk, place: Path) -> bool:
    """Whether callers find there what the function leaves: through a parameter, in an object."""
    mine = act.engine.is_parameter(place.base)
    if not place.steps:
        return mine and gives(act.program.type_of(place.variable))
    return mine or place.is_this or act.program.is_lasting(place.variable)


def _constant(jump: Jump) -> str:
    """What is returned for sure, "!0" for what is only known not to be 0; empty: not known."""
    value = jump.value[0] if len(jump.value) == 1 else None
    number = value.literal if value is not None and value.is_literal else ""
    return number or jump.status or jump.result


def _holds(state: State, path: Path) -> bool:
    return any(h.path == path for h in state.held)


def _success(act: Walk, jump: Jump, text: str) -> bool | None:
    """What a returned value, *text* if that is known, tells by the conventions of its type."""
    decl = act.program.decls.get(act.function.usr)
    result = decl.result.rstrip() if decl is not None else ""
    if result.endswith("*"):
        return text not in NULLS if text else True if jump.value else None
    if not text:
        return None
    if text in ("true", "false"):
        return text == "true"
    if text in ("nullptr", "NULL"):
        return False
    if result in ("bool", "_Bool"):
        return text != "0"
    if text == "!0":
        return False
    return text == "0" if text.lstrip("-").isdigit() else None
