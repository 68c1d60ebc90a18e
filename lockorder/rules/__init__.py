"""The rules.  One file a rule; its docstring is its page, shown by ``lockorder explain``."""

from lockorder.rules.registry import RULES, Evidence, Origin, Rule, by_id, in_order, judge

__all__ = ["RULES", "Evidence", "Origin", "Rule", "by_id", "in_order", "judge"]
