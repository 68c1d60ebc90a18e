"""``lockorder explain``: the page of a rule, or the list of rules."""

from __future__ import annotations

import argparse
import difflib

from lockorder.commands.common import CLEAN, UsageError
from lockorder.rules import RULES, by_id


def run(args: argparse.Namespace) -> int:
    """Print to stdout; an unknown rule is a usage error that names the nearest one."""
    if args.rule is None:
        width = max(len(r.id) for r in RULES)
        for rule in RULES:
            print(f"{rule.id:{width}}  {rule.level.value:7}  {rule.summary}")
        return CLEAN
    found = by_id(args.rule)
    if found is None:
        near = difflib.get_close_matches(args.rule, [r.id for r in RULES], 1)
        hint = f"; did you mean {near[0]}?" if near else "; `lockorder explain` lists them"
        raise UsageError(f"no rule is called {args.rule!r}{hint}")
    print(f"# {found.id} ({found.level.value})\n\n{found.page}")
    return CLEAN
