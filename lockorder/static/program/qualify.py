"""Names of classes in full, for files that only their syntax shows.

There a type is called as it is written; elsewhere by its qualified name.  A name is looked up as
C++ does, in the scopes around it from the innermost ([basic.lookup.unqual]); one that no scope has
is the only class of that name in the whole program, or stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Decl, Facts, renamed
from lockorder.static.parse.unit import DECLARATIONS, SYNTAX_ALONE

_NAME = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")

#: How the keys of functions that were read by their syntax begin; of those and what is in them.
BODY = "syntax:/"
_BY_SYNTAX = ("syntax:", "lambda:")


def qualify(units: Sequence[Facts]) -> list[Facts]:
    """Write names of classes in full wherever files were read by their syntax alone.

    Where clang has read the declarations, their types are in full already; what is in bodies is
    not.  In the end a body has the key of its declaration.
    """
    alone = {x.file for unit in units for x in unit.files if x.reading == SYNTAX_ALONE}
    bodies = {x.file for unit in units for x in unit.files if x.reading == DECLARATIONS}
    if not alone and not bodies:
        return list(units)
    names = _Names({c.name for unit in units for c in unit.classes})
    for unit in units:
        _unit(unit, alone, bodies, names)
    return joined(units, alone | bodies)


def joined(units: Sequence[Facts], files: set[str]) -> list[Facts]:
    """*units* in which a body in *files* and the only declaration that fits it have one key."""
    bodies: dict[tuple[str, int], list[tuple[str, f.Function, Decl]]] = {}
    decls: dict[tuple[str, int], dict[str, Decl]] = {}
    for unit in units:
        known = {d.usr: d for d in unit.decls}
        for function in unit.functions:
            if function.usr.startswith(BODY) and function.file in files and function.usr in known:
                key = function.name, len(function.params)
                bodies.setdefault(key, []).append((unit.main, function, known[function.usr]))
        for decl in unit.decls:
            if not decl.usr.startswith((BODY, "lambda:", "nsdmi:", "init:")):
                decls.setdefault((decl.name, decl.params), {})[decl.usr] = decl
    renames: dict[str, dict[str, str]] = {}
    for key, found in bodies.items():
        fitting = decls.get(key, {})
        for main, function, decl in found:
            if function.static and not function.cls:
                continue
            usr = _declaration_of(decl, fitting, len(found))
            if usr:
                renames.setdefault(main, {})[function.usr] = usr
                _complete(decl, fitting[usr])
                function.static = decl.static
    return [renamed(u, renames[u.main]) if u.main in renames else u for u in units]


def _declaration_of(body: Decl, decls: dict[str, Decl], bodies: int) -> str:
    if len(decls) == 1 and bodies == 1:
        return next(iter(decls))
    same = [u for u, d in decls.items() if _plain(d.types) == _plain(body.types)]
    return same[0] if len(same) == 1 else ""


def _plain(types: list[str]) -> list[str]:
    return [t.replace("const ", "").replace(" ", "") for t in types]


def _complete(body: Decl, decl: Decl) -> None:
    """What only one of the two says holds for both."""
    body.virtual = decl.virtual = body.virtual or decl.virtual
    body.static = decl.static = body.static or decl.static
    if decl.required >= 0:
        body.required = min(body.required, decl.required)
    decl.required = body.required
    decl.defaults = body.defaults = decl.defaults or body.defaults
    if decl.result in ("", "auto"):
        decl.result = body.result
    if body.result in ("", "auto") or not body.result:
        body.result = decl.result


class _Names:
    def __init__(self, classes: set[str]) -> None:
        self._classes = classes
        self._by_last: dict[str, set[str]] = {}
        for name in classes:
            self._by_last.setdefault(name.rsplit("::", 1)[-1], set()).add(name)

    def full(self, text: str, scope: str) -> str:
        """The type *text*, written in *scope*, with names of classes in full."""
        return _NAME.sub(lambda m: self.of_class(m.group(0), scope), text)

    def of_class(self, name: str, scope: str) -> str:
        """The class that *name* means in *scope*."""
        parts = scope.split("::") if scope else []
        for count in range(len(parts), -1, -1):
            candidate = "::".join((*parts[:count], name))
            if candidate in self._classes:
                return candidate
        found = [
            c for c in self._by_last.get(name.rsplit("::", 1)[-1], ()) if c.endswith(f"::{name}")
        ]
        return found[0] if len(found) == 1 else name


def _unit(unit: Facts, alone: set[str], bodies: set[str], names: _Names) -> None:
    files = alone | bodies
    scopes: dict[str, str] = {}
    decls = {d.usr: d for d in unit.decls}
    for function in unit.functions:
        if function.file not in files or not function.filled:
            continue
        if function.cls:
            cls = names.of_class(function.cls, "")
            if cls != function.cls:
                last = function.name.removeprefix(f"{function.cls}::")
                function.name, function.cls = f"{cls}::{last}", cls
                if function.usr in decls:
                    decls[function.usr].name, decls[function.usr].cls = function.name, cls
        scopes[function.usr] = function.cls or function.name.rpartition("::")[0]
    for decl in unit.decls:
        if decl.usr.startswith("syntax:"):
            around = scopes.get(decl.usr) or decl.cls or decl.name.rpartition("::")[0]
            decl.result = names.full(decl.result, around)
            decl.types = [names.full(t, around) for t in decl.types]
    for cls_ in unit.classes:
        if cls_.file in alone:
            outer = cls_.name.rpartition("::")[0]
            cls_.bases = [names.of_class(b, outer) for b in cls_.bases]
            scopes[cls_.usr] = cls_.name
    for variable in unit.variables:
        if variable.file in alone or (
            variable.file in bodies and variable.usr.startswith(_BY_SYNTAX)
        ):
            around = scopes.get(variable.owner, variable.name.rpartition("::")[0])
            variable.type = names.full(variable.type, around)
    parents = {x.usr: x for x in unit.functions}
    for function in unit.functions:
        if function.file in files and function.filled:
            scope = _scope(function, scopes, parents)
            for variable_ in function.params:
                scopes.setdefault(variable_, scope)
            for statement in f.walk(function.body):
                if isinstance(statement, f.Make) and not statement.ctor:
                    statement.type = names.full(statement.type, scope)


def _scope(function: f.Function, scopes: dict[str, str], parents: dict[str, f.Function]) -> str:
    """A lambda stands in the scope of the function around it."""
    home = function
    while home.parent and home.parent in parents:
        home = parents[home.parent]
    return scopes.get(home.usr, "")
