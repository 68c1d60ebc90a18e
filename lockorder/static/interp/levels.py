"""Locks that a thread can have several times over, and that it gives up all at once: the GIL.

PyEval_SaveThread detaches the thread, however often PyGILState_Ensure was called before; what its
callers had is gone as well, and PyEval_RestoreThread brings all of it back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp import locking
from lockorder.static.interp.summary import Guard, Site, State
from lockorder.static.program import roots
from lockorder.static.program.paths import ENTRY, Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

#: Root of what stands for the levels that a call gave up.


def give_up(act: Walk, state: State, paths: Paths) -> tuple[State, Paths]:
    """Give up every level of *paths*, the callers' too; also what has to be taken to restore it."""
    own = sum(1 for h in state.held if h.path in paths and h.guard != ENTRY)
    while any(h.path in paths for h in state.held):
        state = locking.release(act, state, paths)
    return state.but(released=state.released | set(paths)), paths * (own + 1)


def save(act: Walk, state: State, paths: Paths, site: Site) -> State:
    """Every level of *paths* is given up until somebody takes the lock again."""
    state, levels = give_up(act, state, paths)
    guards = dict(state.guards)
    for path in paths:
        guards[_saved(path)] = Guard(levels, False, inverse=True, site=site)
    return state.but(guards=guards)


def restored(state: State, paths: Paths) -> tuple[State, Paths]:
    """What an acquisition of *paths* takes: all levels that were saved here, or one."""
    for path in paths:
        saved = state.guards.get(_saved(path))
        if saved is not None:
            guards = {k: v for k, v in state.guards.items() if k != _saved(path)}
            return state.but(guards=guards), saved.paths
    return state, paths


def _saved(path: Path) -> Path:
    return Path(roots.Saved(str(path.root)))
