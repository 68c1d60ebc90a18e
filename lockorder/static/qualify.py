"""Names of classes in full, for files that only their syntax shows.

There a type is called as it is written; elsewhere by its qualified name.  A name is looked up as
C++ does, in the scopes around it from the innermost ([basic.lookup.unqual]); one that no scope has
is the only class of that name in the whole program, or stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lockorder.static import facts as f
from lockorder.static.declarations import Facts
from lockorder.static.unit import SYNTAX_ALONE

_NAME = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")


def qualify(units: Sequence[Facts]) -> None:
    """Write names of classes in full wherever files were read by their syntax alone."""
    files = {x.file for unit in units for x in unit.files if x.reading == SYNTAX_ALONE}
    if files:
        names = _Names({c.name for unit in units for c in unit.classes})
        for unit in units:
            _unit(unit, files, names)


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


def _unit(unit: Facts, files: set[str], names: _Names) -> None:
    scopes: dict[str, str] = {}
    for function in unit.functions:
        if function.file not in files:
            continue
        if function.cls:
            cls = names.of_class(function.cls, "")
            if cls != function.cls:
                last = function.name.removeprefix(f"{function.cls}::")
                function.name, function.cls = f"{cls}::{last}", cls
        scopes[function.usr] = function.cls or function.name.rpartition("::")[0]
    for cls_ in unit.classes:
        if cls_.file in files:
            outer = cls_.name.rpartition("::")[0]
            cls_.bases = [names.of_class(b, outer) for b in cls_.bases]
            scopes[cls_.usr] = cls_.name
    for variable in unit.variables:
        if variable.file in files:
            around = scopes.get(variable.owner, variable.name.rpartition("::")[0])
            variable.type = names.full(variable.type, around)
    for function in unit.functions:
        if function.file in files:
            scope = _scope(function, scopes)
            for statement in f.walk(function.body):
                if isinstance(statement, f.Make) and not statement.ctor:
                    statement.type = names.full(statement.type, scope)


def _scope(function: f.Function, scopes: dict[str, str]) -> str:
    """A lambda stands in the scope of the function around it."""
    return scopes.get(function.parent) or scopes.get(function.usr, "")
