"""Operators: how an expression's parts combine, with or without a type."""

from __future__ import annotations

from collections.abc import Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.clang import (
    INTEGERS,
    BinaryOperator,
    Cursor,
    CursorKind,
    Type,
    TypeKind,
    UnaryOperator,
    binary_operator,
    children,
    file_offset,
    integer_value,
    is_dependent,
    is_pointer,
    is_text,
    kind_id,
    overloads,
    unary_operator,
)
from lockorder.static.parse.wholes import offset_of, pointed_at, record_of, whole

K = CursorKind
REFS = frozenset(
    k.value
    for k in (
        K.TYPE_REF,
        K.NAMESPACE_REF,
        K.TEMPLATE_REF,
        K.LABEL_REF,
        K.OVERLOADED_DECL_REF,
        K.VARIABLE_REF,
        K.MEMBER_REF,
    )
)

_ORDERED = {
    BinaryOperator.LT: "<",
    BinaryOperator.GT: ">",
    BinaryOperator.LE: "<=",
    BinaryOperator.GE: ">=",
}
_COMBINED = {BinaryOperator.AND_ASSIGN: "&", BinaryOperator.OR_ASSIGN: "|"}
_SUMS = {BinaryOperator.PLUS: "+", BinaryOperator.MINUS: "-"}
_STEPPED = {BinaryOperator.PLUS_ASSIGN: 1, BinaryOperator.MINUS_ASSIGN: -1}
#: How clang calls the type of ``object->*method``, which can only be called.
_BOUND = "<bound member function type>"
_PARENTHESES = (K.PAREN_EXPR.value, K.UNEXPOSED_EXPR.value)
_ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY)


def less(symbol: str, left: f.Value, right: f.Value) -> f.Value:
    """``left symbol right`` by what is less."""
    if symbol in (">", "<="):
        left, right = right, left
    compared = f.Less(left, right)
    return f.Not(compared) if "=" in symbol else compared


def complement(value: f.Value) -> f.Value:
    """``~value``."""
    number = numbers.number_of(value.text) if isinstance(value, f.Lit) else None
    return f.Op("~", value, value) if number is None else f.Lit(str(~number))


def combined(symbol: str, left: f.Value, right: f.Value) -> f.Value:
    """An operation on bits, once it is known what its sides are."""
    if symbol == "~":
        return complement(left)
    return either_bit(left, right) if symbol == "|" else f.Op(symbol, left, right)


def shifted(left: f.Value | None, right: f.Value | None, up: bool) -> f.Value | None:
    """``left << right``, or ``left >> right``, of two numbers."""
    if not (isinstance(left, f.Lit) and isinstance(right, f.Lit)):
        return None
    number, by = numbers.number_of(left.text), numbers.number_of(right.text)
    if number is None or by is None:
        return None
    found = numbers.folded("<<" if up else ">>", number, by)
    return None if found is None else f.Lit(str(found))


def either_bit(left: f.Value, right: f.Value) -> f.Value:
    """``left | right``; of names that nobody has the numbers of, one or the other."""
    if isinstance(left, f.Lit) and isinstance(right, f.Lit):
        text = numbers.either(left.text, right.text)
        return f.AnyOf([left, right]) if text is None else f.Lit(text)
    return left if right == f.Lit("0") else f.Op("|", left, right)


def moved(operator: int, right: f.Value | None) -> int:
    """By how much ``a += right`` moves a number; 0 where nobody can tell."""
    number = numbers.number_of(right.text) if isinstance(right, f.Lit) else None
    return _STEPPED.get(operator, 0) * (number or 0)


def _no_sum(value: f.Value | None) -> f.Value | None:
    """A side of another operation: of sums it says nothing."""
    return None if isinstance(value, f.Op) and value.text in ("+", "-") else value


def known_or_lost(value: f.Value | None, kind: Type) -> f.Value | None:
    """*value*; of a pointer that was not counted out (``row + i``) it is what nobody knows.

    What was there before must not seem to stay.
    """
    return f.Lit("") if value is None and is_pointer(kind) else value


def member_chosen(chosen: f.AnyOf) -> f.Value:
    """The object that ``object->*member`` is, of both: a part of *object*, and never itself.

    Which part it is says the pointer to the member, wherever that comes from.
    """
    whole_object, member = chosen.values
    if isinstance(member, f.Field):
        return f.Field(whole_object, member.usr)
    return member if isinstance(member, f.Var) else f.Name("")


def is_chosen(cursor: Cursor) -> bool:
    """Whether an expression is ``object->*member``, in parentheses or not."""
    while kind_id(cursor) in _PARENTHESES and len(children(cursor)) == 1:
        cursor = children(cursor)[0]
    pointers = (BinaryOperator.PTR_MEM_D, BinaryOperator.PTR_MEM_I)
    return kind_id(cursor) == K.BINARY_OPERATOR.value and binary_operator(cursor) in pointers


class Operators:
    """Built-in operators, and overloaded ones whose operands have no type yet.

    The rest of an expression's walk is supplied by the subclass (``value``, ``_emit_call``, ...).
    """

    out: list[f.Stmt]
    temporaries: list[int]

    def value(self, cursor: Cursor) -> f.Value | None:
        """Evaluate *cursor*."""
        raise NotImplementedError

    def _emit_call(
        self,
        cursor: Cursor,
        target: f.Value | None,
        args: list[f.Value],
        virtual: bool = False,
        place: Cursor | None = None,
    ) -> f.Value:
        raise NotImplementedError

    def _overloaded_name(self, cursor: Cursor) -> str:
        raise NotImplementedError

    def _is_kept(self, target: f.Value | None) -> bool:
        """Whether others than the function may find what it writes to *target*."""
        raise NotImplementedError

    def _points(self, field: str) -> bool:
        """Whether a field is a plain pointer."""
        raise NotImplementedError

    def _arg(self, cursor: Cursor) -> f.Value:
        value = self.value(cursor)
        return value if value is not None else f.Lit("")

    # -- operators --------------------------------------------------------------------------------

    def _binary(self, cursor: Cursor) -> f.Value | None:
        parts = children(cursor)
        if len(parts) != 2:
            return self._opaque(cursor)
        operator = binary_operator(cursor)
        if operator == BinaryOperator.ASSIGN:
            right = self.value(parts[1])
            left = self.value(parts[0])
            if isinstance(left, f.Var | f.Field) and is_dependent(cursor.type):
                # What it does to the old value is known where the template's argument is.
                self._emit_call(cursor, f.Name(f.ASSIGNMENT, left), [right or f.Lit("")])
            self._assign(cursor, left, right)
            return left
        left = _no_sum(self.value(parts[0]))
        if operator in (BinaryOperator.AND, BinaryOperator.OR):
            either = operator == BinaryOperator.OR
            right = _no_sum(self._conditionally(cursor, left, parts[1], either))
            return f.Both(left or f.Lit(""), right or f.Lit(""), either)
        if operator == BinaryOperator.MINUS and left is not None:
            fields = offset_of(parts[1])
            if fields:
                member = self._converted(left, pointed_at(parts[0]), record_of(fields[-1]))
                return whole(member, [self._field(c) for c in fields])
        right = _no_sum(self.value(parts[1]))
        if operator in _SUMS:
            return self._sum(cursor, operator, left, right)
        if operator in (BinaryOperator.PTR_MEM_D, BinaryOperator.PTR_MEM_I):
            function = is_dependent(cursor.type) or cursor.type.spelling == _BOUND
            chosen = f.AnyOf([left or f.Lit(""), right or f.Lit("")])
            return chosen if function else member_chosen(chosen)
        if operator in (BinaryOperator.EQ, BinaryOperator.NE):
            return f.Compare(left or f.Lit(""), right or f.Lit(""), operator == BinaryOperator.EQ)
        if operator == BinaryOperator.REMAINDER:
            return f.Op("%", left or f.Lit(""), right or f.Lit(""))
        if operator == BinaryOperator.BIT_AND and left is not None and right is not None:
            return f.Op("&", left, right)
        if operator == BinaryOperator.BIT_OR and left is not None:
            return either_bit(left, right or f.Lit(""))
        if operator in BinaryOperator.ORDERED and left is not None and right is not None:
            return less(_ORDERED[operator], left, right)
        if operator in BinaryOperator.SHIFTS:
            return shifted(left, right, operator == BinaryOperator.SHIFTS[0])
        if operator == BinaryOperator.COMMA:
            return right
        return None

    def _sum(
        self, cursor: Cursor, operator: int, left: f.Value | None, right: f.Value | None
    ) -> f.Value | None:
        """``a + 1`` or ``a - 1`` of a whole number."""
        if not isinstance(left, f.Var | f.Field | f.Result) or not isinstance(right, f.Lit):
            return None
        known = numbers.number_of(right.text) is not None
        whole_number = cursor.type.get_canonical().kind in INTEGERS
        return f.Op(_SUMS[operator], left, right) if known and whole_number else None

    def _conditionally(
        self, cursor: Cursor, condition: f.Value | None, part: Cursor, either: bool
    ) -> f.Value | None:
        """Evaluate *part* only where *condition* holds (or, for ``||``, does not)."""
        outer, self.out = self.out, []
        value = self.value(part)
        inner, self.out = self.out, outer
        if inner:
            test = f.Not(condition) if either and condition is not None else condition
            self.out.append(f.If(test, f.Block(inner)))
        return value

    def _assign(
        self, cursor: Cursor, target: f.Value | None, value: f.Value | None, by: int = 0
    ) -> None:
        if self._is_kept(target):
            value = known_or_lost(value, cursor.type)
        if value is None and isinstance(target, f.Var) and is_text(cursor.type):
            value = f.Lit("")  # another text than before
        if target is not None and value is not None:
            self.out.append(f.Assign(target, value, file_offset(cursor)[2], by))

    def _combined(self, cursor: Cursor, values: Sequence[f.Value | None]) -> f.Value | None:
        """What ``a |= b`` and ``a &= b`` leave in a plain variable; None where nobody looks."""
        left, right = values[0], values[1] if len(values) > 1 else None
        symbol = _COMBINED.get(binary_operator(cursor))
        if symbol is None or not isinstance(left, f.Var) or right is None:
            return None
        return f.Op(symbol, left, right)

    def _unary(self, cursor: Cursor) -> f.Value | None:
        parts = children(cursor)
        value = self.value(parts[0]) if parts else None
        operator = unary_operator(cursor)
        if operator == UnaryOperator.NOT:
            value = _no_sum(value)
            return f.Not(value) if value is not None else None
        if operator == UnaryOperator.MINUS and isinstance(value, f.Lit):
            return f.Lit(f"-{value.text}")
        if operator == UnaryOperator.COMPLEMENT:
            value = _no_sum(value)
            return complement(value) if value is not None else None
        if operator in UnaryOperator.STEPS:
            self._assign(cursor, value, f.Lit(""), 1 if operator in UnaryOperator.UP else -1)
        return value  # & and * do not change which object is meant

    def _conditional(self, cursor: Cursor) -> f.Value | None:
        parts = children(cursor)
        if len(parts) != 3:
            return self._opaque(cursor)
        condition = self.value(parts[0])
        values: list[f.Value] = []
        blocks: list[f.Block] = []
        for part in parts[1:]:
            outer, self.out = self.out, []
            value = self.value(part)
            inner, self.out = self.out, outer
            blocks.append(f.Block(inner))
            value = known_or_lost(value, cursor.type)
            if value is not None:
                values.append(value)
        if blocks[0].body or blocks[1].body:
            self.out.append(f.If(condition, blocks[0], blocks[1]))
        if not values:
            return None
        return values[0] if len(values) == 1 else f.AnyOf(values, [], condition)

    def _subscript(self, cursor: Cursor) -> f.Value | None:
        parts = children(cursor)
        base = self.value(parts[0]) if parts else None
        index: f.Value | None = None
        for part in parts[1:]:
            index = self._index(part)
        return f.Elem(base, index) if base is not None else None

    def _index(self, cursor: Cursor) -> f.Value | None:
        """What tells one element from another: a number, also where it has a name."""
        value = self.value(cursor)
        if (
            value is None
            or isinstance(value, f.Var)
            or (isinstance(value, f.Lit) and not value.text.isdecimal() and value.text != "%")
        ):
            number = integer_value(cursor)
            return f.Lit(str(number)) if number is not None and number >= 0 else value
        return value

    def _init_list(self, cursor: Cursor) -> f.Value | None:
        text = self._text(cursor)
        if text.startswith("PTHREAD_"):
            return f.Lit(text)  # PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
        parts = [c for c in children(cursor) if kind_id(c) not in REFS]
        values = [
            self._overload(c, cursor, at) if self._is_overloaded(c) else self.value(c)
            for at, c in enumerate(parts)
        ]
        known = [v for v in values if v is not None]
        fields = self._fields_of(cursor, parts) if known else []
        if fields and any(isinstance(v, f.Made) for v in values):
            return self._aggregate(cursor, values, fields)
        if fields:
            return f.AnyOf([v or f.Lit("") for v in values], fields)
        if not known:
            return None
        return known[0] if len(values) == 1 else f.AnyOf(known)

    def _aggregate(
        self, cursor: Cursor, values: Sequence[f.Value | None] = (), fields: Sequence[str] = ()
    ) -> f.Value:
        """An object without a constructor: its *fields* begin as *values*.

        Those that are made for it are no temporaries ([dcl.init.aggr]).
        """
        line, column = file_offset(cursor)[2:]
        made = f.Made(self.next_make())
        spelling = cursor.type.get_canonical().spelling
        self.out.append(f.Make(made.make, spelling, "", [], line, column))
        self._begin(made, values, fields, line)
        self.temporaries.append(made.make)
        return made

    def _begin(
        self,
        made: f.Value,
        values: Sequence[f.Value | None],
        fields: Sequence[str],
        line: int,
    ) -> None:
        """The *fields* of a new object begin as *values*."""
        for value, field in zip(values, fields, strict=False):
            kept = f.Lit("") if value is None and self._points(field) else value
            if kept is not None:
                self.out.append(f.Assign(f.Field(made, field), kept, line))
            if isinstance(value, f.Made) and value.make in self.temporaries:
                self.temporaries.remove(value.make)

    def next_make(self) -> int:
        """A number for an object that is made."""
        raise NotImplementedError

    @staticmethod
    def _is_overloaded(cursor: Cursor) -> bool:
        target = cursor.referenced if kind_id(cursor) == K.DECL_REF_EXPR.value else None
        return target is not None and kind_id(target) == K.OVERLOADED_DECL_REF.value

    def _overload(self, cursor: Cursor, whole: Cursor, at: int) -> f.Value | None:
        """The function of a name of several that part *at* of the initialiser list *whole* means.

        clang shows initialiser lists as they are written, before it chose.
        """
        target, wanted = cursor.referenced, _pointed_at(whole, at)
        if wanted is not None and target is not None:
            for each in overloads(target):
                if each.type.get_canonical() == wanted:
                    return f.Fn(self._callee(each))
        return self.value(cursor)

    def _callee(self, target: Cursor) -> str:
        raise NotImplementedError

    def _text(self, cursor: Cursor) -> str:
        raise NotImplementedError

    def _fields_of(self, cursor: Cursor, parts: list[Cursor]) -> list[str]:
        raise NotImplementedError

    def _field(self, field: Cursor) -> str:
        raise NotImplementedError

    def _converted(self, value: f.Value, source: Cursor | None, target: Cursor | None) -> f.Value:
        raise NotImplementedError

    def _opaque(self, cursor: Cursor) -> f.Value | None:
        for child in children(cursor):
            self.value(child)
        return None

    def _statement_expression(self, cursor: Cursor) -> f.Value | None:
        raise NotImplementedError  # Statements knows blocks

    # -- overloaded, operands without a type ------------------------------------------------------

    def _dependent_operator(self, parts: list[Cursor]) -> tuple[str, list[Cursor]] | None:
        """The operator and operands of an overloaded operator whose operands have no type yet."""
        for part in parts:
            if kind_id(part) == K.DECL_REF_EXPR.value and part.referenced is not None:
                name = self._overloaded_name(part)
                if name.startswith("operator") and not name[8:9].isalnum():
                    return name, [p for p in parts if p is not part]
        return None

    def _apply_operator(self, cursor: Cursor, name: str, operands: list[Cursor]) -> f.Value | None:
        values = [self._arg(o) for o in operands]
        if name == "operator()" and values:
            return self._emit_call(cursor, values[0], values[1:])
        if name == "operator=" and len(values) > 1:
            self._assign(cursor, values[0], values[1])
        if name == "operator[]" and values:
            return f.Elem(values[0], values[1] if len(values) > 1 else None)
        if name in ("operator->", "operator*", "operator=") and values:
            return values[0]
        if name in ("operator==", "operator!=") and len(values) > 1:
            return f.Compare(values[0], values[1], name == "operator==")
        return None


def _pointed_at(cursor: Cursor, at: int) -> Type | None:
    """What functions part *at* of an initialiser list points to; None where it is no pointer."""
    whole = cursor.type.get_canonical()
    if whole.kind == TypeKind.RECORD:
        fields = [c for c in children(whole.get_declaration()) if c.kind == K.FIELD_DECL]
        return _pointed(fields[at].type) if at < len(fields) else None
    return _pointed(whole.element_type) if whole.kind in _ARRAYS else None


def _pointed(kind: Type) -> Type | None:
    canonical = kind.get_canonical()
    return canonical.get_pointee() if canonical.kind == TypeKind.POINTER else None
