"""What a function returns for the constants that it is given: ``mutex_for(kind)`` is one lock.

A summary has all that a function can return.  Where a call gives numbers, flags or enumerators that
are written down, the function is walked once more for these, and nothing of that is reported: what
is left is what its branches and indexes choose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.interp import conditions
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import Constants
from lockorder.static.interp.summary import Summary
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import ELEMENT

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def returns(act: Walk, callee: str, frame: Frame, summary: Summary) -> Paths:
    """What *callee* can return in the call *frame*, in its own terms."""
    found = summary.returns
    if not _chooses(act, callee, found):
        return found
    given = _given(act, callee, frame)
    if not given:
        return found
    left = act.engine.returned(callee, given)
    # A walk that comes to nothing else knows better than all ways together.
    return left or found


def _chooses(act: Walk, callee: str, found: Paths) -> bool:
    """Whether *found* can be less: one of several objects, or one of the elements of a table."""
    if not act.program.result_of(callee).rstrip().endswith(("&", "*")):
        return False
    several = len(found) > 1 and not any(p.is_literal for p in found)
    return several or any(ELEMENT in p.steps for p in found)


def _given(act: Walk, callee: str, frame: Frame) -> Constants:
    params = act.program.functions[callee].params
    return tuple(
        (usr, value[0].literal)
        for usr, value in zip(params, frame.args, strict=False)
        if len(value) == 1
        and conditions.is_decided(value[0])
        and (conditions.is_plain(act.program, usr) or usr in act.program.text_choices)
    )


def start(given: Constants) -> dict[Path, Paths]:
    """What the parameters stand for at the begin of such a walk."""
    return {Path.of_variable(usr): (Path.of_literal(text),) for usr, text in given}
