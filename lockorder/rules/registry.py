"""What a rule is, and the list of all of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable
from types import ModuleType

import msgspec

from lockorder.model import Finding, Level
from lockorder.rules import (
    blocking_under_lock,
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
    self_deadlock,
    stuck_rank,
    unlock_not_held,
)
from lockorder.rules.evidence import Evidence

__all__ = ["RULES", "Evidence", "Rule", "by_id", "in_order", "judge"]


class Rule(msgspec.Struct, frozen=True):
    """A rule's id, its usual level, one line about it, its page and its check."""

    id: str
    level: Level
    summary: str
    page: str
    check: Callable[[Evidence], Iterable[Finding]]


def _rule(module: ModuleType) -> Rule:
    page = inspect.cleandoc(module.__doc__ or "")
    return Rule(module.ID, module.LEVEL, page.split("\n", 1)[0].rstrip("."), page, module.check)


_MODULES = (
    stuck_rank,
    deadlock,
    lock_order_cycle,
    gil_lock_cycle,
    self_deadlock,
    blocking_under_lock,
    device_sync_hazard,
    collective_order,
    lock_not_released,
    group_imbalance,
    group_misuse,
    collective_mismatch,
    communicator_order_cycle,
    communicator_footprint,
    unlock_not_held,
    destroy_while_held,
    lock_held_at_thread_exit,
    lock_held_across_fork,
)
RULES: tuple[Rule, ...] = tuple(_rule(m) for m in _MODULES)


def by_id(rule: str) -> Rule | None:
    """The rule of that name, or None."""
    return next((r for r in RULES if r.id == rule), None)


def judge(
    evidence: Evidence, select: Collection[str] = (), ignore: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Run the rules on *evidence*; findings in a fixed order, most severe first."""
    found: list[Finding] = []
    for rule in RULES:
        if (not select or rule.id in select) and rule.id not in ignore:
            found.extend(rule.check(evidence))
    return in_order(found)


def in_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """*findings* as reports list them: most severe first."""
    order = list(Level)
    return tuple(sorted(findings, key=lambda f: (order.index(f.level), f.rule, f.locks, f.message)))
