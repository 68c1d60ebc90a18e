"""What a caller of the static front end can choose."""

from __future__ import annotations

from pathlib import Path

import msgspec

from lockorder.globs import Globs


class Options(msgspec.Struct, frozen=True):
    """What a caller can choose: the database, the number of workers, extra compiler flags."""

    database: Path | None = None
    jobs: int = 0
    extra: tuple[str, ...] = ()
    #: the project's folder, where it is known better than the sources tell
    root: Path | None = None
    #: read in this process: quicker for a file or two, but a source that kills clang kills us
    inline: bool = False
    #: use what earlier runs left in the user's cache folder, and leave something for later ones
    cache: bool = True
    #: address of a Dask scheduler whose workers read the units; empty for processes here
    dask: str = ""
    #: files under the folders that are asked for which are left out all the same
    excluded: Globs | None = None
    #: qualified names of types that matter even where no header declares them
    wanted: tuple[str, ...] = ()
    #: what the project declares beside the built-in knowledge: guards, functions that take locks
    guards: tuple[str, ...] = ()
    takers: tuple[str, ...] = ()
