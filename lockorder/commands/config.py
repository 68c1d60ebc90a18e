"""``lockorder config``: which configuration counts, and the form of one, for editors."""

from __future__ import annotations

import argparse
from importlib import resources

from lockorder.commands.common import CLEAN
from lockorder.commands.settings import check_rules, settings


def run(args: argparse.Namespace) -> int:
    """Name the file that counts, once it is found to be in order; or print the schema."""
    if args.schema:
        schema = resources.files("lockorder") / "config.schema.json"
        print(schema.read_text(encoding="utf-8"), end="")
        return CLEAN
    found = settings(None, [args.path])
    check_rules(found)
    print(found.file or "no configuration")
    return CLEAN
