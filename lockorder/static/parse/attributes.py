"""Reads the thread-safety attributes on the declarations that an extractor walks over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.discovery.annotations import (
    ON_VARIABLES,
    Attribute,
    Macros,
    occurs,
    of_function,
    of_variable,
    prepared,
)
from lockorder.static.parse.clang import Cursor, CursorKind, children, file_offset, kind_id
from lockorder.static.parse.declarations import Contract
from lockorder.static.parse.names import spelling_of

if TYPE_CHECKING:
    from lockorder.static.parse.reader import UnitReader

_PARM = CursorKind.PARM_DECL.value
_VARIABLES = frozenset((CursorKind.FIELD_DECL.value, CursorKind.VAR_DECL.value))
_FUNCTIONS = frozenset(
    k.value
    for k in (
        CursorKind.FUNCTION_DECL,
        CursorKind.FUNCTION_TEMPLATE,
        CursorKind.CXX_METHOD,
        CursorKind.CONVERSION_FUNCTION,
        CursorKind.CONSTRUCTOR,
        CursorKind.DESTRUCTOR,
    )
)


class Attributes:
    """Collects ``found``; the text of a file is prepared only where it holds an attribute."""

    def __init__(self, extractor: UnitReader, own: Macros) -> None:
        self._x = extractor
        self._own = own
        self._texts: dict[str, bytes] = {}
        self.found: list[Contract] = []

    def read(self, cursor: Cursor, kind: int) -> None:
        """Note what the declaration *cursor* of the current file says."""
        text = self._text(self._x.file)
        if not text or (kind not in _FUNCTIONS and kind not in _VARIABLES):
            return
        file, offset, _, _ = file_offset(cursor)
        if file != self._x.file or not _named_at(text, offset, cursor):
            return
        if kind in _VARIABLES:
            for said in of_variable(text, offset, self._own):
                self._add(self._x.variable(cursor), said, file, text)
            return
        said_here = of_function(text, offset, self._own)
        if not said_here:
            return
        params = [p for p in children(cursor) if kind_id(p) == _PARM]
        names = [str(p.spelling) for p in params]
        types = [spelling_of(p.type) for p in params]
        for said in said_here:
            if said.what not in ON_VARIABLES:
                self._add(self._x.callee(cursor), said, file, text, names, types)

    def read_named(
        self, usr: str, offset: int, parameters: list[tuple[str, str]] | None = None
    ) -> None:
        """Note what is said of the declaration whose name stands at byte *offset*.

        *parameters* are a function's, by name and type; None for a variable.
        """
        file = self._x.file
        text = self._text(file)
        if not text:
            return
        said = (
            of_variable(text, offset, self._own)
            if parameters is None
            else of_function(text, offset, self._own)
        )
        for each in said:
            if (each.what in ON_VARIABLES) == (parameters is None):
                names, types = [n for n, _ in parameters or ()], [t for _, t in parameters or ()]
                self._add(usr, each, file, text, names, types)

    def _add(
        self,
        usr: str,
        said: Attribute,
        file: str,
        text: bytes,
        names: list[str] | None = None,
        types: list[str] | None = None,
    ) -> None:
        line = text.count(b"\n", 0, said.offset) + 1
        self.found.append(Contract(usr, said.what, said.args, line, file, names or [], types or []))

    def _text(self, file: str) -> bytes:
        found = self._texts.get(file)
        if found is None:
            data = self._x.source(file)
            found = prepared(data) if occurs(data, self._own) else b""
            self._texts[file] = found
        return found


def _named_at(text: bytes, offset: int, cursor: Cursor) -> bool:
    """Whether the text has the declaration's name at *offset*: not one that a macro made."""
    name = str(cursor.spelling).split("<", 1)[0]
    if name.startswith("operator"):
        name = "operator"
    elif name.startswith("~"):
        name = "~"  # white space may follow
    return bool(name) and text.startswith(name.encode(), offset)
