"""What a rule is, and the list of all of them."""

from __future__ import annotations

import enum
import inspect
from collections.abc import Callable, Collection, Iterable
from types import ModuleType

import msgspec

from lockorder.model import Finding, Level
from lockorder.rules import (
    blocking_under_lock,
    collective_divergence,
    collective_mismatch,
    collective_order,
    communicator_footprint,
    communicator_order_cycle,
    deadlock,
    destroy_while_held,
    device_sync_hazard,
    gil_lock_cycle,
    group_imbalance,
    group_misuse,
    lock_held_across_fork,
    lock_held_at_thread_exit,
    lock_not_released,
    lock_order_cycle,
    p2p_mismatch,
    self_deadlock,
    stuck_process,
    stuck_rank,
    unlock_not_held,
)
from lockorder.rules.causes import Cause
from lockorder.rules.evidence import Evidence

__all__ = ["RULES", "Evidence", "Origin", "Rule", "by_id", "in_order", "judge"]


class Origin(enum.Enum):
    """Where a rule finds: its value names the commands."""

    SOURCES = "sources (`check`)"
    RUNS = "runs (`run`, `analyze`)"
    HANGS = "hung jobs (`hang`)"


def _alone(_: Finding) -> Iterable[Cause]:
    """Of a rule whose findings have nothing to do with each other."""
    return ()


class Rule(msgspec.Struct, frozen=True):
    """A rule's id, its usual level, where it finds, one line about it, its page and its check.

    ``causes`` are what one of its findings comes of; those of one cause are told as one.
    """

    id: str
    level: Level
    origins: tuple[Origin, ...]
    summary: str
    page: str
    check: Callable[[Evidence], Iterable[Finding]]
    causes: Callable[[Finding], Iterable[Cause]] = _alone


def _rule(module: ModuleType, *origins: Origin) -> Rule:
    summary, _, rest = inspect.cleandoc(module.__doc__ or "").partition("\n")
    places = ", ".join(origin.value for origin in origins)
    page = f"{summary}\n\nUsual level: {module.LEVEL.value}. Found in {places}.\n{rest}"
    causes = getattr(module, "causes", _alone)
    return Rule(module.ID, module.LEVEL, origins, summary.rstrip("."), page, module.check, causes)


_S, _R, _H = Origin.SOURCES, Origin.RUNS, Origin.HANGS
RULES: tuple[Rule, ...] = (
    _rule(stuck_rank, _H),
    _rule(deadlock, _R, _H),
    _rule(stuck_process, _H),
    _rule(lock_order_cycle, _S, _R),
    _rule(gil_lock_cycle, _S, _R),
    _rule(self_deadlock, _S, _R, _H),
    _rule(blocking_under_lock, _S, _R),
    _rule(device_sync_hazard, _S, _R),
    _rule(collective_order, _S),
    _rule(collective_divergence, _S),
    _rule(p2p_mismatch, _S),
    _rule(lock_not_released, _S),
    _rule(group_imbalance, _S, _R),
    _rule(group_misuse, _S, _R),
    _rule(collective_mismatch, _R, _H),
    _rule(communicator_order_cycle, _R, _H),
    _rule(communicator_footprint, _S, _R),
    _rule(unlock_not_held, _R),
    _rule(destroy_while_held, _R),
    _rule(lock_held_at_thread_exit, _R),
    _rule(lock_held_across_fork, _R),
)


def by_id(rule: str) -> Rule | None:
    """The rule of that name, or None."""
    return next((r for r in RULES if r.id == rule), None)


def judge(
    evidence: Evidence, select: Collection[str] = (), ignore: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Run the rules on *evidence*; findings in a fixed order, most severe first.

    They are all there are: none is left out for another one (see ``lockorder.folding``).
    """
    found: list[Finding] = []
    for rule in RULES:
        if (not select or rule.id in select) and rule.id not in ignore:
            found.extend(rule.check(evidence))
    return in_order(found)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """*findings* as reports list them: most severe first."""
    order = list(Level)

    def key(finding: Finding) -> tuple[object, ...]:
        place = finding.place
        where = place.file, place.line, place.column
        return order.index(finding.level), finding.rule, finding.locks, finding.message, where

    return tuple(sorted(findings, key=key))
