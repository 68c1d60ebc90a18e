"""ncclGroupStart without its ncclGroupEnd on some path.

## What it does
Follows groups of calls as it follows locks: a path (early return, error-check macro, exception)
on which a group that was begun is not ended, where other paths end it; and functions that never
end what they begin where nothing in the sources does it for them. RAII groups and pairs of begin
and end functions are understood.

## Why it hangs
Between ncclGroupStart and ncclGroupEnd nothing is launched. A group that stays open swallows
every later collective of the thread; the peers launch theirs and wait for ever, far from the
place where the error was handled.

## Example
    ncclGroupStart();
    for (auto& c : comms)
      if (ncclAllReduce(..., c, s) != ncclSuccess) return false;   // the group stays open
    ncclGroupEnd();

## Instead
A guard whose destructor calls ncclGroupEnd, or one exit that always does.

## References
NCCL User Guide, "Group Calls".
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.rules.evidence import Evidence
from lockorder.rules.lock_not_released import story

ID = "group-imbalance"
LEVEL = Level.WARNING


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each place where a group is begun."""
    for kept in evidence.observed.kept:
        if kept.group:
            name = kept.taken.lock
            yield story(ID, kept, name, f"the {name} stays open", "end the group", ())
