"""From a member to the object that it lies in, as C programs come to it.

``container_of(p, struct T, m)`` takes the offset of a member off its address (C17 7.19, and as it
was done before: ``(char *)p - (size_t)&((struct T *)0)->m``).  A pointer to a structure points to
its first member as well (C17 6.7.2.1, 15), so that a cast goes from the one to the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.parse.clang import (
    Cursor,
    CursorKind,
    Type,
    TypeKind,
    UnaryOperator,
    children,
    integer_value,
    kind_id,
    offset_of_field,
    unary_operator,
)

K = CursorKind
_MEMBER_REF, _MEMBER = K.MEMBER_REF.value, K.MEMBER_REF_EXPR.value
_UNEXPOSED, _UNARY = K.UNEXPOSED_EXPR.value, K.UNARY_OPERATOR.value
_FIELD, _TYPE_REF = K.FIELD_DECL.value, K.TYPE_REF.value
_CASTS = frozenset(
    k.value
    for k in (K.CSTYLE_CAST_EXPR, K.CXX_REINTERPRET_CAST_EXPR, K.CXX_STATIC_CAST_EXPR, K.PAREN_EXPR)
)
#: Members of the first member of the first member: no structure is nested deeper.
_NESTED = 16


def whole(part: f.Value, fields: list[str]) -> f.Value:
    """The object that *part* lies in: its member by *fields*, of which the first is the outermost.

    Of ``&x->m`` that is ``x``.
    """
    for field in reversed(fields):
        inner = part.base if isinstance(part, f.Elem) else part
        if isinstance(inner, f.Field) and inner.usr == field:
            part = inner.base
        else:
            part = f.Whole(part, field)
    return part


def offset_of(cursor: Cursor) -> list[Cursor]:
    """The members that a constant offset is the offset of, the outermost first; none for others.

    Unnamed members are left out: their members count as those of the structure around them.
    """
    while kind_id(cursor) in _CASTS or kind_id(cursor) == _UNEXPOSED:
        parts = children(cursor)
        fields = [p for p in parts if kind_id(p) == _MEMBER_REF]
        if fields:
            return [p.referenced for p in fields if p.spelling and p.referenced is not None]
        parts = [p for p in parts if kind_id(p) != _TYPE_REF]
        if len(parts) != 1:
            return []
        cursor = parts[0]
    if kind_id(cursor) == _UNARY and unary_operator(cursor) == UnaryOperator.ADDRESS:
        return _of_null(children(cursor)[0])
    return []


def _of_null(cursor: Cursor) -> list[Cursor]:
    """The members by which *cursor* is reached from a null pointer."""
    found: list[Cursor] = []
    while kind_id(cursor) == _MEMBER or kind_id(cursor) == K.PAREN_EXPR.value:
        if kind_id(cursor) == _MEMBER and cursor.referenced is not None:
            found.append(cursor.referenced)
        inner = [p for p in children(cursor) if kind_id(p) != _TYPE_REF]
        if len(inner) != 1:
            return []
        cursor = inner[0]
    while kind_id(cursor) in _CASTS or kind_id(cursor) == _UNEXPOSED:
        inner = [p for p in children(cursor) if kind_id(p) != _TYPE_REF]
        if len(inner) != 1:
            return []
        cursor = inner[0]
    is_null = kind_id(cursor) == K.INTEGER_LITERAL.value and integer_value(cursor) == 0
    return found[::-1] if is_null else []


class Firsts:
    """Casts between structures and their first members, in one unit."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], tuple[bool, list[Cursor]]] = {}

    def between(self, inner: Cursor | None, outer: Cursor | None) -> tuple[bool, list[Cursor]]:
        """The members from the one structure to the other, and whether *outer* is the whole."""
        if inner is None or outer is None or inner == outer:
            return False, []
        key = inner.get_usr(), outer.get_usr()
        if key not in self._known:
            up, down = _way(outer, inner), _way(inner, outer)
            self._known[key] = (True, up) if up else (False, down)
        return self._known[key]


def pointed_at(cursor: Cursor) -> Cursor | None:
    """The structure that an expression points to, whatever it is cast to."""
    found = record_at(cursor.type)
    while kind_id(cursor) in _CASTS or kind_id(cursor) == _UNEXPOSED:
        inner = [p for p in children(cursor) if kind_id(p) != _TYPE_REF]
        if len(inner) != 1:
            break
        cursor = inner[0]
        found = record_at(cursor.type) or found
    return found


def record_of(field: Cursor) -> Cursor | None:
    """The structure that a field is."""
    kind = field.type.get_canonical()
    return kind.get_declaration() if kind.kind == TypeKind.RECORD else None


def record_at(pointer: Type) -> Cursor | None:
    """The structure that a pointer points to."""
    kind = pointer.get_canonical()
    if kind.kind != TypeKind.POINTER:
        return None
    pointee = kind.get_pointee()
    return pointee.get_declaration() if pointee.kind == TypeKind.RECORD else None


def _way(outer: Cursor, inner: Cursor) -> list[Cursor]:
    """First members that lead from the structure *outer* to *inner*; none where none do."""
    found: list[Cursor] = []
    wanted = inner.get_usr()
    for field in _firsts(outer):
        found.append(field)
        if field.type.get_canonical().get_declaration().get_usr() == wanted:
            return found
    return []


def _firsts(structure: Cursor) -> Iterator[Cursor]:
    for _ in range(_NESTED):
        parts = children(structure.get_definition() or structure)
        fields = [c for c in parts if kind_id(c) == _FIELD]
        bases = any(kind_id(c) == K.CXX_BASE_SPECIFIER.value for c in parts)
        if not fields or bases or offset_of_field(fields[0]) != 0:
            return  # a table of virtual functions comes first
        yield fields[0]
        kind = fields[0].type.get_canonical()
        if kind.kind != TypeKind.RECORD:
            return
        structure = kind.get_declaration()
