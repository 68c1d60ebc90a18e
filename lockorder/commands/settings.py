"""What a verb is told by the configuration and by its command line, which comes first."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterable, Sequence
from pathlib import Path

from lockorder import config
from lockorder.commands.common import UsageError
from lockorder.rules import RULES, by_id


def settings(explicit: Path | None, paths: Sequence[str]) -> config.Config:
    """The configuration *explicit*, else the nearest upwards from the first of *paths*.

    Raises UsageError for one that cannot be used.
    """
    try:
        if explicit is not None:
            return config.load(explicit)
        return config.find(Path(paths[0] if paths else "."))
    except config.ConfigError as error:
        raise UsageError(str(error)) from None


def chosen_rules(
    args: argparse.Namespace, configured: config.Config
) -> tuple[frozenset[str], frozenset[str]]:
    """Rules to select and to ignore; raises UsageError for names that no rule has."""
    check_rules(configured)
    select = configured.select if args.select is None else _split(args.select)
    ignore = configured.ignore if args.ignore is None else _split(args.ignore)
    _check((*select, *ignore), "")
    return frozenset(select), frozenset(ignore)


def check_rules(configured: config.Config) -> None:
    """Raises UsageError for names in a configuration that no rule has."""
    _check(configured.select, f"{configured.file}: select: ")
    _check(configured.ignore, f"{configured.file}: ignore: ")
    for number, table in enumerate(configured.path):
        for key in ("select", "ignore", "level"):
            _check(getattr(table, key), f"{configured.file}: path[{number}].{key}: ")


def _split(names: str) -> list[str]:
    return [n.strip() for n in names.split(",") if n.strip()]


def _check(names: Iterable[str], place: str) -> None:
    for name in sorted(names):
        if by_id(name) is None:
            near = difflib.get_close_matches(name, [r.id for r in RULES], 1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            raise UsageError(
                f"{place}no rule is called {name!r}: {hint}`lockorder explain` lists them"
            )
