"""Calls through tables of functions, by the kind of structure that the object is a part of.

``base->ops->close(base)`` calls what works on a ``wide`` only where the ``base`` lies in one.  A
function that gets the ``base`` from its caller says what it calls under that condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp.known import IsPart
from lockorder.static.program.kinds import Chain
from lockorder.static.program.paths import Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def fitting(act: Walk, targets: Sequence[str], args: Sequence[Paths]) -> Sequence[str]:
    """Those of *targets* that can be called on the objects that are handed over."""
    if len(targets) < 2:
        return targets
    return [t for t in targets if all(_fits(act, c, paths) for _, c, paths in _asked(act, t, args))]


def wanted(act: Walk, target: str, targets: Sequence[str], args: Sequence[Paths]) -> list[IsPart]:
    """What must be so of the function's own parameters for a call of *target*, and not of all of
    *targets*."""
    found = []
    kinds = act.engine.kinds
    for at, chain, paths in _asked(act, target, args):
        if all(kinds.fit(kinds.of(other, at), chain) for other in targets):
            continue
        rest = act.engine.kinds.rest(act.function, paths[0], chain) if len(paths) == 1 else ()
        if rest and paths[0].variable in act.function.params:
            found.append(IsPart(paths[0].base, rest))
    return found


def _asked(act: Walk, target: str, args: Sequence[Paths]) -> Iterator[tuple[int, Chain, Paths]]:
    """What *target* takes its arguments for, and what they are."""
    for at, paths in enumerate(args):
        chain = act.engine.kinds.of(target, at) if paths else ()
        if chain:
            yield at, chain, paths


def _fits(act: Walk, chain: Chain, paths: Paths) -> bool:
    return any(act.engine.kinds.rest(act.function, p, chain) is not None for p in paths)
