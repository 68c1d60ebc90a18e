"""Python sources judged as a check judges them, in this process."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lockorder.commands.checked import to_document
from lockorder.knowledge import builtin
from lockorder.model import Finding, Level
from lockorder.python import modules
from lockorder.python.facts import facts_of
from lockorder.static.analyse import Read, conclude
from lockorder.static.driver.workers import Units


def findings(folder: Path, files: Iterable[Path]) -> list[Finding]:
    """What is told of the locks in some files of *folder*, notes left out."""
    program = modules.read(files)
    assert not program.problems
    units = facts_of(program, builtin())
    found = conclude(Read([folder], [], folder, Units([], ""), [], others=units))
    assert not found.problems
    return [f for f in to_document(found).findings if f.level is not Level.NOTE]
