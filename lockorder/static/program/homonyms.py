"""Structures of C that share a tag and nothing else: each file that defines one has its own.

A tag of C has no linkage (C17 6.2.2, 6): ``struct endpoint`` of one transport is not that of
another one, although clang gives both the same key.  Where definitions differ, their members get
keys of their own, after the file that a unit has the definition from.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lockorder.static.parse.declarations import Class, Facts, renamed

#: The tag in the key of a structure or union that is global, also of one that only a typedef names.
_TAG = re.compile(r"c:@(?:S|U|SA|UA)@[^@]+(?=@|$)")

_Shape = tuple[tuple[str, str], ...]


def told_apart(units: Sequence[Facts]) -> list[Facts]:
    """*units* with keys of their own for the members of structures that only share a tag."""
    shapes: dict[str, dict[str, set[_Shape]]] = {}
    for unit in units:
        types = {v.usr: v.type for v in unit.variables if v.kind == "field"}
        for cls in unit.classes:
            if cls.fields and _is_plain(cls):
                shape = tuple((x, types.get(x, "")) for x in cls.fields)
                shapes.setdefault(cls.usr, {}).setdefault(cls.file, set()).add(shape)
    homonyms = {
        usr: frozenset(files)
        for usr, files in shapes.items()
        if len(files) > 1 and len(set().union(*files.values())) > 1
    }
    if not homonyms:
        return list(units)
    return [_renamed(unit, homonyms) for unit in units]


def _is_plain(cls: Class) -> bool:
    """Whether a class can be a structure of C."""
    tag = _TAG.fullmatch(cls.usr)
    return tag is not None and not (cls.bases or cls.methods or cls.ctors or cls.dtor)


def _renamed(unit: Facts, homonyms: dict[str, frozenset[str]]) -> Facts:
    names: dict[str, str] = {}
    for variable in unit.variables:
        tag = _TAG.match(variable.usr) if variable.kind == "field" else None
        if tag is not None and variable.file in homonyms.get(tag[0], ()):
            names[variable.usr] = f"{variable.usr}!{variable.file}"
    for cls in unit.classes:
        if cls.file in homonyms.get(cls.usr, ()):
            names[cls.usr] = f"{cls.usr}!{cls.file}"
    return renamed(unit, names) if names else unit
