"""Ids for people: of a lock class, the same in every run and after lines have moved."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable

import msgspec

from lockorder.model import Lock
from lockorder.recorded.process import SEPARATOR


def final(locks: Iterable[Lock]) -> tuple[dict[str, str], list[Lock]]:
    """New ids by the ones that ``process`` gave, and the locks under their new ids.

    A global is called by its name, another lock by the function and file of its place.  Where
    several places are called the same, they are counted, in the order of their lines.
    """
    groups: dict[str, list[Lock]] = defaultdict(list)
    names: dict[str, str] = {}
    for lock in locks:
        groups[_base(lock)].append(lock)
    for base, members in sorted(groups.items()):
        members.sort(key=lambda m: (m.file, m.line, m.id))
        for number, member in enumerate(members, start=1):
            names[member.id] = base if number == 1 else f"{base} #{number}"
    everything = (lock for members in groups.values() for lock in members)
    return names, [msgspec.structs.replace(m, id=names[m.id]) for m in everything]


def _base(lock: Lock) -> str:
    parts = lock.id.split(SEPARATOR)
    if len(parts) < 3:
        return lock.id  # the GIL
    if parts[1] == "global":
        return parts[2]
    _, _, function, word, file, _ = parts
    return f"{word} of {function}" + (f" ({os.path.basename(file)})" if file else "")
