"""What can be called: functions, lambdas, and objects of classes with ``operator()``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lockorder.static.paths import Path, Paths

if TYPE_CHECKING:
    from lockorder.static.activation import Activation


def callables_of(act: Activation, args: Sequence[Paths]) -> Paths:
    """Functions, lambdas and function objects among the arguments of a call."""
    found: list[Path] = []
    for path in (p for a in args for p in a):
        if path.root.startswith("fn:"):
            found.append(path)
        else:
            if act.program.is_indirect(act.identities.type_of(path)):
                continue  # a pointer to something that can be called is not called
            cls = act.identities.class_of(path)
            found.extend(Path(f"fn:{u}") for u in act.program.call_operators(cls))
    return tuple(dict.fromkeys(found))


def operators_of(act: Activation, path: Path) -> list[str]:
    """``operator()`` of an object's own class."""
    return act.program.call_operators(act.identities.class_of(path))
