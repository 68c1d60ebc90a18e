"""Variables that name a function for their end: ``__attribute__((cleanup(unlock)))``.

GCC's manual, "Common Variable Attributes": where the variable goes out of scope, by whatever way,
the function is called with its address.  Such an end is told as that of an object beside the
variable, which has its address and whose destructor calls the function.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from clang.cindex import CursorKind as K

from lockorder.static.parse import facts as f
from lockorder.static.parse.clang import (
    Cursor,
    children,
    file_offset,
    has_attributes,
    kind_id,
    pretty,
)
from lockorder.static.parse.declarations import Class, Variable

if TYPE_CHECKING:
    from lockorder.static.parse.symbols import SymbolTable

_CLEANUP = re.compile(r"\bcleanup(?:__)?\(\s*([\w:]+)\s*\)")
_PREFIX = "cleanup:"
_FUNCTION = K.FUNCTION_DECL.value
_SCOPES = frozenset((K.NAMESPACE.value, K.LINKAGE_SPEC.value, K.UNEXPOSED_DECL.value))


class Cleanups:
    """The functions that variables of one unit name for their ends."""

    def __init__(self, symbols: SymbolTable, unit: Cursor | None) -> None:
        self._symbols = symbols
        self._unit = unit
        self._by_name: dict[str, Cursor] | None = None

    def of(self, variable: Cursor, usr: str, owner: str) -> f.Local | None:
        """What ends beside *variable* (by key *usr*) in *owner*; None where nothing does."""
        if not self.has_any(variable):
            return None
        named = _CLEANUP.search(pretty(variable))
        function = self._functions().get(named[1].rpartition("::")[2]) if named else None
        if function is None:
            return None
        file, _, line, _ = file_offset(variable)
        callee = self._symbols.callee(function)
        cls = _PREFIX + callee
        field = f"{cls}.at"
        self._describe(callee, cls, Variable(field, f"{cls}::at", "field", "", cls, file, line))
        beside = _PREFIX + usr
        name = f"the end of {variable.spelling}"
        self._symbols.variable_by_syntax(Variable(beside, name, "local", cls, owner, file, line))
        return f.Local(beside, f.AnyOf([f.Var(usr)], fields=[field]), line)

    def has_any(self, variable: Cursor) -> bool:
        """Whether *variable* may name a function for its end: it has some attribute."""
        return bool(has_attributes(variable))

    def _functions(self) -> dict[str, Cursor]:
        """Functions of the unit by their names."""
        if self._by_name is None:
            self._by_name = {}
            pending = [self._unit] if self._unit is not None else []
            while pending:
                for child in children(pending.pop()):
                    kind = kind_id(child)
                    if kind == _FUNCTION:
                        self._by_name.setdefault(child.spelling, child)
                    elif kind in _SCOPES:
                        pending.append(child)
        return self._by_name

    def _describe(self, callee: str, cls: str, field: Variable) -> None:
        """A class with a variable's address, whose destructor calls *callee* with that."""
        dtor = f"{cls}.end"
        name = self._symbols.name_of(callee)
        call = f.Call(0, f.Fn(callee), [f.Field(f.This(), field.usr)], field.line)
        self._symbols.variable_by_syntax(field)
        self._symbols.class_by_syntax(
            Class(cls, cls, [], [field.usr], dtor, field.file, field.line)
        )
        body = f.Block([call])
        end = f.Function(dtor, name, "destructor", [], body, field.file, field.line, cls=cls)
        self._symbols.function_by_syntax(end, [])
