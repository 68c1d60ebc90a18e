"""Where the headers come from that a project includes and does not have itself."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from lockorder.model import HeaderOrigin
from lockorder.static.discovery import libraries
from lockorder.static.discovery.inputs import Disk

#: What origins are called that are no folder.
STANDARD = "compiler and system"
SHIPPED = "shipped with lockorder"
NOWHERE = "not found"


def origins(
    names: Iterable[str],
    searches: Sequence[tuple[tuple[str, ...], str, bool]],
    system: Sequence[str],
    disk: Disk,
) -> tuple[HeaderOrigin, ...]:
    """By origin, the headers *names* that are found there, in a fixed order.

    Each of *searches* is how some of the units look: the folders that a build names, the folder of
    shipped declarations, and whether that one comes before the folders in *system*.
    """
    found: dict[tuple[str, str], dict[str, None]] = {}
    for name in sorted(set(names)):
        for named, shipped, first in searches or [((), str(libraries.STUBS), True)]:
            order = [shipped, *system] if first else [*system, shipped]
            where = next((f for f in (*named, *order) if _is_in(f, name, disk)), None)
            found.setdefault(_origin(where, name, shipped, named), {})[name] = None
    return tuple(
        HeaderOrigin(source, library, tuple(headers))
        for (source, library), headers in sorted(found.items())
    )


def _origin(where: str | None, name: str, shipped: str, named: Sequence[str]) -> tuple[str, str]:
    library = libraries.library_of(name)
    title = library.title if library is not None else ""
    if where is None:
        return NOWHERE, ""
    if where == shipped:
        return SHIPPED, title
    if where in named:
        return where, library.name if library is not None else ""
    return STANDARD, ""


def _is_in(folder: str, name: str, disk: Disk) -> bool:
    return bool(disk.find((folder,), name)) if not os.path.isabs(name) else False
