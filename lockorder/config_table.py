"""The keys of a configuration, as written; lockorder/config.schema.json says the same to editors.

Docstrings and the comments ``#:`` above fields are what an editor shows.  What is known about locks
has the form of the knowledge files, field for field (lockorder/knowledge/schema.py).
"""

from __future__ import annotations

from typing import Annotated

import msgspec

from lockorder.footprint import COMMUNICATORS
from lockorder.knowledge import KnowledgeFile
from lockorder.knowledge.rank_schema import RankFile
from lockorder.model import Level


class PathTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Other settings for the findings in some files; of several tables, later ones win."""

    #: files as in a .gitignore, relative to the configuration's folder
    match: Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]
    #: only these rules, whatever earlier tables said
    select: tuple[str, ...] = ()
    #: not these rules
    ignore: tuple[str, ...] = ()
    #: rules and the level that their findings have here
    level: dict[str, Level] = {}


class Table(KnowledgeFile, frozen=True, forbid_unknown_fields=True):
    """The settings of lockorder, and what is known about locks."""

    #: locks in the order in which they are taken, or several such lists
    order: tuple[str | tuple[str, ...], ...] = ()
    #: only these rules
    select: tuple[str, ...] = ()
    #: not these rules
    ignore: tuple[str, ...] = ()
    #: files that are not analysed, as in a .gitignore, relative to this file's folder
    exclude: tuple[str, ...] = ()
    #: calls that mean something to the other ranks of a job, as in lockorder/knowledge/ranks
    ranks: RankFile = RankFile()
    #: settings for some files
    path: tuple[PathTable, ...] = ()
    #: a baseline, relative to this file's folder: what is in it is known, and does not count
    baseline: str = ""
    #: host memory, in MiB, that a rank's communicators may cost
    footprint_limit_mib: Annotated[int, msgspec.Meta(ge=1)] | None = None
    #: the number of communicators a rank that a cost is projected to
    footprint_communicators: Annotated[int, msgspec.Meta(ge=1)] = COMMUNICATORS
