"""Declared contracts (Clang's thread-safety attributes) in the lock analysis.

What a function requires is held when it starts; what it excludes must not be held when it is
called; what it acquires and releases counts where its body is not here to say so.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.model import How, Mode
from lockorder.static.interp import locking
from lockorder.static.interp.locking import with_guard
from lockorder.static.interp.summary import Guard, Held, Site, State, Taken
from lockorder.static.program.contracts import ContractPaths
from lockorder.static.program.paths import ENTRY, Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def on_entry(act: Walk) -> tuple[Held, ...]:
    """Locks that every caller of the function must hold, declared or needed by what it does."""
    site = act.site(act.function.line)
    found = [
        Held(path, mode, How.BLOCKING, site, ENTRY)
        for path, mode in act.engine.contracts.of(act.function.usr).requires
    ]
    needed = act.engine.required.of(act.function)
    if not needed:  # what an interpreter's table names is called with its lock, whatever it does
        needed = act.engine.in_tables().get(act.function.usr, "")
    if needed:
        found.append(Held(Path.of_named(needed), Mode.EXCLUSIVE, How.BLOCKING, site, ENTRY))
    return tuple(found)


def check_excluded(
    act: Walk, state: State, callee: str, base: Paths, args: Sequence[Paths], site: Site
) -> None:
    """A function that must not be called with a lock held takes that lock, or waits for it."""
    contract = act.engine.contracts.of(callee)
    for excluded in contract.excludes:
        for path in _translated(act, callee, excluded, base, args):
            for held in state.held:
                if held.path == path:
                    taken = Taken(path, Mode.EXCLUSIVE, How.BLOCKING, site)
                    locking.same_lock_again(act, state, held, taken)


def without_body(
    act: Walk,
    state: State,
    callee: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
    made: Path | None = None,
) -> list[State] | None:
    """What a declaration promises of a function whose body is not here; None without a contract.

    *made* is the object that a constructor makes: a guard, if the constructor acquires.
    """
    contract = act.engine.contracts.of(callee)
    if contract.empty or not _acts(contract):
        return None
    for released, mode in contract.releases:
        paths = _translated(act, callee, released, base, args)
        guarded = [p for p in paths if p in state.guards]
        for path in guarded:
            guard = state.guards[path]
            state = with_guard(state, path, guard._replace(owned=False))
            state = locking.release(act, state, guard.paths, guard.mode)
        if not guarded:
            state = locking.release(act, state, paths, mode)
    for acquired, mode in contract.acquires:
        paths = _translated(act, callee, acquired, base, args)
        if made is not None:
            state = with_guard(state, made, Guard(paths, True, mode))
        state = locking.acquire(act, state, paths, mode, How.BLOCKING, site, made)
    states = [state]
    for success, tried, mode in contract.tries:
        paths = _translated(act, callee, tried, base, args)
        states = [
            t
            for s in states
            for t in locking.attempt(act, s, s, paths, mode, How.TRY, result, site, success=success)
        ]
    return states


def _acts(contract: ContractPaths) -> bool:
    return bool(contract.acquires or contract.releases or contract.tries)


def _translated(act: Walk, callee: str, path: Path, base: Paths, args: Sequence[Paths]) -> Paths:
    """A path of the declaration in the caller's terms."""
    known = {Path.of_this(callee): base[:1]}
    for i, argument in enumerate(args):
        known[Path.of_variable(f"{callee}@{i}")] = argument[:1]
    function = act.program.functions.get(callee)
    for usr, argument in zip(function.params if function else (), args, strict=False):
        known[Path.of_variable(usr)] = argument[:1]
    found = known.get(path.base)
    if found is None:
        return (path,)
    return tuple(Path(p.root, p.steps + path.steps) for p in found)
