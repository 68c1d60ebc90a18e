"""Settings that hold for some files only: ``[[path]]`` in the configuration.

A finding belongs to the file of its place.  The tables that match it are gone through from first to
last: ``select`` puts its rules in the place of what earlier tables left, ``ignore`` takes rules
away, ``level`` sets the level of a rule's findings.  What is off for the whole check stays off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from lockorder.config import Config
from lockorder.config_table import PathTable
from lockorder.globs import Globs
from lockorder.model import Finding
from lockorder.rules import in_order


def apply(findings: Sequence[Finding], config: Config, root: Path) -> tuple[Finding, ...]:
    """*findings* as *config* wants them for their files, which are named relative to *root*.

    Those of rules that are off for their file are left out.
    """
    tables = [(Globs(config.folder, table.match), table) for table in config.path]
    if not tables:
        return tuple(findings)
    kept: list[Finding] = []
    for finding in findings:
        file = finding.place.file
        matching = [table for globs, table in tables if file and globs.match(root / file)]
        changed = _changed(finding, matching)
        if changed is not None:
            kept.append(changed)
    return in_order(kept)


def _changed(finding: Finding, tables: Iterable[PathTable]) -> Finding | None:
    on, level = True, finding.level
    for table in tables:
        if table.select:
            on = finding.rule in table.select
        if finding.rule in table.ignore:
            on = False
        level = table.level.get(finding.rule, level)
    if not on:
        return None
    return finding if level is finding.level else msgspec.structs.replace(finding, level=level)


def unmatched(config: Config, files: Iterable[str], root: Path) -> list[str]:
    """A warning for each pattern that none of the analysed *files* matches.

    A pattern that begins with ``!`` only takes files out, and is not asked for any.
    """
    paths = [root / file for file in files]
    found: list[str] = []
    for number, table in enumerate(config.path):
        for pattern in table.match:
            if pattern.startswith("!"):
                continue
            globs = Globs(config.folder, [pattern])
            if not any(globs.match(path) for path in paths):
                place = f"{config.file}: path[{number}].match"
                found.append(f"{place}: {pattern!r} matches no file that was analysed")
    return found
