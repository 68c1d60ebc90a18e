"""What can be called: functions, lambdas, and objects of classes with ``operator()``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static.program.paths import Path, Paths

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def callables_of(act: Walk, args: Sequence[Paths]) -> Paths:
    """Functions, lambdas and function objects among the arguments of a call."""
    found: list[Path] = []
    for path in (p for a in args for p in a):
        if path.is_function:
            found.append(path)
        else:
            if act.program.is_indirect(act.identities.type_of(path)):
                continue  # a pointer to something that can be called is not called
            cls = act.identities.class_of(path)
            found.extend(Path.of_function(u) for u in act.program.call_operators(cls))
    return tuple(dict.fromkeys(found))


def operators_of(act: Walk, path: Path) -> list[str]:
    """``operator()`` of an object's own class."""
    return act.program.call_operators(act.identities.class_of(path))


def fitting(act: Walk, targets: Sequence[str], count: int) -> Sequence[str]:
    """Those of *targets* that can be called with *count* arguments; all where none can.

    One node stands for all callables of a container, whatever they take.  Of calls that a library
    makes nobody knows the arguments: they have none here.
    """
    if not count:
        return targets
    found = [t for t in targets if _takes(act, t, count)]
    return found or targets


def _takes(act: Walk, target: str, count: int) -> bool:
    function = act.program.functions.get(target)
    if function is None or len(function.params) == count:
        return True
    if function.kind == "method" and len(function.params) + 1 == count:
        return True  # its object is the first of them
    many = any("..." in act.program.type_of(p) for p in function.params[-1:])
    return many or act.engine.points_to.is_bound(target)
