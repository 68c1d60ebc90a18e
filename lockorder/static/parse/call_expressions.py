"""Calls and constructions among the expressions of one function body.

Arguments are evaluated left to right and before the call, which is then an event of its own; so is
whatever constructs an object.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lockorder.static.parse import facts as f
from lockorder.static.parse.clang import (
    Cursor,
    CursorKind,
    TypeKind,
    UnaryOperator,
    children,
    extent_offsets,
    extent_start,
    file_offset,
    is_object,
    kind_id,
    unary_operator,
)
from lockorder.static.parse.names import last_identifier, spelling_of
from lockorder.static.parse.operators import REFS, Operators

if TYPE_CHECKING:
    from lockorder.static.parse.reader import UnitReader

K = CursorKind
CALLABLE = frozenset(
    k.value for k in (K.FUNCTION_DECL, K.CXX_METHOD, K.FUNCTION_TEMPLATE, K.CONVERSION_FUNCTION)
)
VARIABLES = frozenset((K.VAR_DECL.value, K.PARM_DECL.value))
_CTOR = K.CONSTRUCTOR.value
_METHOD = K.CXX_METHOD.value
_FUNCTION_TEMPLATE = K.FUNCTION_TEMPLATE.value
_MEMBER_REF_EXPR = K.MEMBER_REF_EXPR.value
#: What a type is made of that only a template's arguments say: ``new T(...)``, ``new T{...}``.
_LISTS = frozenset((K.UNEXPOSED_EXPR.value, K.INIT_LIST_EXPR.value))
_UNTYPED = (TypeKind.INVALID, TypeKind.VOID)
_WRAPPERS = frozenset(
    k.value
    for k in (
        K.UNEXPOSED_EXPR,
        K.PAREN_EXPR,
        K.CSTYLE_CAST_EXPR,
        K.CXX_STATIC_CAST_EXPR,
        K.CXX_REINTERPRET_CAST_EXPR,
        K.CXX_CONST_CAST_EXPR,
    )
)
#: They tell the compiler how likely a value is, and give it back (GCC manual, "Other Builtins").
HINTS = frozenset(
    f"__builtin_{name}"
    for name in ("expect", "expect_with_probability", "unpredictable", "assume_aligned")
)
_HINTS = frozenset(f"c:@F@{name}" for name in HINTS)
_NULL = frozenset(("nullptr", "NULL"))
#: Calls whose strings matter, and a string in the text of an argument, casts before it or not.
_TEXTS = frozenset(("setenv", "putenv"))
_STRING = re.compile(r'[^"]*"([^"\\]*)"\)*')
_CONSTANT = re.compile(r'"[^"\\]*"')
#: A member of an object that a name stands for, or of what is no name.
_MEMBER = re.compile(
    r"(?:(\w+)\s*|\W*\w[^;{}]*?)(?:->|\.)\s*(?:template\s+)?~?[A-Za-z_][\w:]*\s*(?:<[^()]*>\s*)?(?:\(|$)"
)


class CallExpressions(Operators):
    """Emits and numbers the calls and constructions of one function.

    ``Expressions`` evaluates what is neither of them nor an operator.
    """

    def __init__(self, extractor: UnitReader, owner: str) -> None:
        self.x = extractor
        self.owner = owner
        self.out: list[f.Stmt] = []
        self.calls = 0
        self.makes = 0
        self.temporaries: list[int] = []
        #: Line and column of the call whose default arguments are read.
        self._caller: tuple[int, int] | None = None

    def next_call(self) -> int:
        """A number for one more call of this function."""
        self.calls += 1
        return self.calls - 1

    def next_make(self) -> int:
        """A number for one more construction of this function."""
        self.makes += 1
        return self.makes - 1

    # -- calls ------------------------------------------------------------------------------------

    def _call(self, cursor: Cursor) -> f.Value | None:
        target = cursor.referenced
        kind = kind_id(target) if target is not None else 0
        if kind == _CTOR:
            return self._construct(cursor, target)
        parts = [c for c in children(cursor) if kind_id(c) not in REFS]
        if kind in CALLABLE and target.spelling.startswith("operator"):
            written_out = (
                parts
                and kind_id(parts[0]) == _MEMBER_REF_EXPR
                and parts[0].spelling.startswith("operator")
            )
            if not written_out:
                return self._operator(cursor, target, kind)
        if target is None and self._is_unresolved_construction(cursor, parts):
            if len(parts) == 1 and kind_id(parts[0]) == K.INIT_LIST_EXPR.value:
                parts = [c for c in children(parts[0]) if kind_id(c) not in REFS]
            args = [self._arg(c) for c in parts]
            return self._make(cursor, spelling_of(cursor.type), "", args)
        if target is None:
            operator = self._dependent_operator(parts)
            if operator is not None:
                return self._apply_operator(cursor, *operator)
        if not parts:
            text = self.x.text(cursor).split("(", 1)[0]
            callee: f.Value | None = f.Name(last_identifier(text), self._object(text))
        else:
            callee = self._callee_value(parts[0])
        # Of ``f()()`` clang names the inner function for both calls.
        if kind in CALLABLE and not isinstance(callee, f.Fn | f.Result):
            callee = self.x.function(target)
        converted = callee.base if isinstance(callee, f.Fn) else None
        if kind == K.CONVERSION_FUNCTION.value and isinstance(converted, f.Closure):
            return converted  # a lambda as a pointer to a function has the same body
        written = parts[1:]
        while written and self._is_default(written[-1]):
            written.pop()
        args = [self._arg(c) for c in written]
        if isinstance(callee, f.Fn | f.Name) and cursor.spelling in _TEXTS:
            args = [self._text_of(c) or a for c, a in zip(written, args, strict=True)]
        if kind in CALLABLE and len(written) < len(parts) - 1:
            args += self._defaults(cursor, target, len(args))
        if args and isinstance(callee, f.Fn) and callee.usr in _HINTS:
            self.x.saw_call(extent_offsets(cursor)[1])
            return args[0]
        virtual = kind == _METHOD and target.is_virtual_method() and not self._qualified(parts)
        self._written_to(cursor, written, args)
        result = self._emit_call(cursor, callee, args, virtual, self._name_of_call(parts))
        return self._with_texts(result, written, args)

    def _object(self, text: str) -> f.Value | None:
        """The object before the name of a member in *text*, of which clang shows nothing.

        None where none is written: what is named so may be a member of ``this``.
        """
        found = _MEMBER.match(text)
        if found is None:
            return None
        if found[1] == "this":
            return f.This()
        known = self.x.local_named(self.owner, found[1]) if found[1] else None
        return f.Name("") if known is None else f.Var(known)

    def _text_of(self, cursor: Cursor) -> f.Value | None:
        """A string literal, where one is written: other strings are of no interest."""
        found = _STRING.fullmatch(self.x.text(cursor))
        return f.Lit(found.group(1)) if found is not None else None

    def _with_texts(self, result: f.Value, written: list[Cursor], args: list[f.Value]) -> f.Value:
        """Note constant texts among the arguments of the call that was emitted last."""
        call = self.out[-1]
        open_ones = [isinstance(a, f.Made) or a == f.Lit("") for a in args]
        if isinstance(call, f.Call) and any(open_ones):
            found = [
                text if is_open and _CONSTANT.fullmatch(text := self.x.text(c)) else ""
                for c, is_open in zip(written, open_ones, strict=False)
            ]
            call.texts = found if any(found) else []
        return result

    def _is_unresolved_construction(self, cursor: Cursor, parts: list[Cursor]) -> bool:
        """``Type<T>(a, b)`` in a template: what clang shows are the arguments alone."""
        if not parts:
            return False
        start, first = extent_offsets(cursor)[0], extent_offsets(parts[0])[0]
        if len(parts) == 1 and kind_id(parts[0]) == K.INIT_LIST_EXPR.value:
            return first > start  # Type<T>{a, b}
        return first > start and "(" in self.x.text(cursor)[: first - start]

    def _name_of_call(self, parts: list[Cursor]) -> Cursor | None:
        """Where a method's name stands: in a chain of calls, all begin at the same place."""
        return parts[0] if parts and kind_id(parts[0]) == _MEMBER_REF_EXPR else None

    def _is_default(self, cursor: Cursor) -> bool:
        """A default argument: clang shows an expression with nothing in it."""
        return kind_id(cursor) == K.UNEXPOSED_EXPR.value and not children(cursor)

    def _defaults(self, cursor: Cursor, target: Cursor, given: int) -> list[f.Value]:
        """Default arguments are evaluated by the caller: calls, and what decides conditions."""
        before, self._caller = self._caller, self._place(cursor)
        try:
            return self._written_defaults(target, given)
        finally:
            self._caller = before

    def _written_defaults(self, target: Cursor, given: int) -> list[f.Value]:
        found: list[f.Value] = []
        for parameter in list(target.get_arguments())[given:]:
            start = [c for c in children(parameter) if c.kind.is_expression()]
            if not start:
                return found
            value = self._arg(start[-1])
            told = isinstance(value, f.Lit | f.Made)  # a null pointer makes an empty callable
            if not told and "(" not in self.x.text(start[-1]):
                return found
            found.append(value)
        return found

    def _callee_value(self, cursor: Cursor) -> f.Value | None:
        value = self.value(cursor)
        if isinstance(value, f.AnyOf) and len(value.values) == 2:  # (object->*member)(...)
            first, second = value.values
            if isinstance(second, f.Fn):
                return f.Fn(second.usr, first)
        return value

    def _qualified(self, parts: list[Cursor]) -> bool:
        """``b->Base::f()`` is not dispatched (C++ [class.virtual]/15)."""
        if not parts or kind_id(parts[0]) != _MEMBER_REF_EXPR:
            return False
        return any(
            kind_id(c) in (K.TYPE_REF.value, K.NAMESPACE_REF.value) for c in children(parts[0])
        )

    def _operator(self, cursor: Cursor, target: Cursor, kind: int) -> f.Value | None:
        written = [a for a in cursor.get_arguments() if a is not None]
        args = [self._arg(a) for a in written]
        if target.spelling == "operator[]" and len(written) == 2:
            args[1] = self._index(written[1]) or args[1]
        compared = _null_test(target.spelling, args)
        if compared is not None:
            self.x.saw_call(extent_offsets(cursor)[1])
            return compared
        if kind in (_METHOD, K.CONVERSION_FUNCTION.value) or (
            kind == _FUNCTION_TEMPLATE and target.semantic_parent.kind.is_declaration()
        ):
            if kind == K.CONVERSION_FUNCTION.value and not args:
                inner = [c for c in children(cursor) if kind_id(c) not in REFS]
                args = [self._arg(c) for c in inner[:1]]
            base = args[0] if args else None
            if target.spelling == "operator=" and args[1:]:
                self._assign(cursor, base, args[1])
            virtual = kind == _METHOD and bool(target.is_virtual_method())
            called = self._emit_call(cursor, self.x.function(target, base), args[1:], virtual)
            return self._with_texts(called, written[1:], args[1:])
        return self._with_texts(
            self._emit_call(cursor, self.x.function(target), args), written, args
        )

    def _written_to(self, cursor: Cursor, args: list[Cursor], values: list[f.Value]) -> None:
        """Plain variables and members whose address the next call is given."""
        for at, (arg, value) in enumerate(zip(args, values, strict=False)):
            if not isinstance(value, f.Var | f.Field):
                continue
            target = address_of(arg)
            if target is not None and not is_object(target.type):
                self.out.append(f.Written(value, self.calls, at, file_offset(cursor)[2]))

    def _emit_call(
        self,
        cursor: Cursor,
        target: f.Value | None,
        args: list[f.Value],
        virtual: bool = False,
        place: Cursor | None = None,
    ) -> f.Value:
        line, column = self._place(*(c for c in (place, cursor) if c is not None))
        number = self.next_call()
        known = target if target is not None else f.Name("")
        made = ""
        if isinstance(known, f.Fn) and ("make_" in known.usr or "allocate_" in known.usr):
            spelling = cursor.type.get_canonical().spelling
            made = "" if spelling.endswith(("*", "&")) else spelling  # what owns, or is, an object
        end = extent_offsets(cursor)[1]
        awaited = self.x.is_awaited(end)
        self.out.append(f.Call(number, known, args, line, column, virtual, made, awaited=awaited))
        self.x.saw_call(end)
        # Of a call without a declaration the analysis knows later whether it makes an object.
        if isinstance(known, f.Name) or (
            isinstance(known, f.Fn) and self.x.returns_object(known.usr)
        ):
            self.temporaries.append(-1 - number)
        return f.Result(number)

    def _place(self, *cursors: Cursor) -> tuple[int, int]:
        """Line and column in this function's file: a default argument stands where it is left out,
        a conversion that nobody wrote where what is converted does."""
        if self._caller is not None:
            return self._caller
        for cursor in cursors:
            _, _, line, column = file_offset(cursor)
            if line:
                return line, column
        return extent_start(cursors[-1])

    # -- constructions ----------------------------------------------------------------------------

    def _construct(self, cursor: Cursor, target: Cursor) -> f.Value:
        args = self._begun_with(cursor, target)
        type_name = cursor.type.get_canonical().spelling
        if len(args) == 1 and target.is_copy_constructor() | target.is_move_constructor():
            inner = args[0]
            if isinstance(inner, (f.Made, f.Result, f.Closure)):
                return inner  # an elided or trivial hand-over of a temporary
        moves = len(args) == 1 and bool(target.is_move_constructor())
        return self._make(cursor, type_name, self.x.callee(target), args, moves=moves)

    def _begun_with(self, cursor: Cursor, target: Cursor) -> list[f.Value]:
        """The arguments of a constructor, with what it takes where none is written."""
        given = [a for a in cursor.get_arguments() if a is not None]
        written = list(given)
        while written and self._is_default(written[-1]):
            written.pop()
        args = [self._arg(a) for a in written]
        if len(written) < len(given):
            args += self._defaults(cursor, target, len(args))
        return args + [f.Lit("")] * (len(given) - len(args))

    def _make(
        self,
        cursor: Cursor,
        type_name: str,
        ctor: str,
        args: list[f.Value],
        heap: bool = False,
        moves: bool = False,
    ) -> f.Value:
        line, column = self._place(cursor)
        number = self.next_make()
        self.out.append(f.Make(number, type_name, ctor, args, line, column, heap, moves))
        self.x.saw_call(extent_offsets(cursor)[1])
        if not heap:
            self.temporaries.append(number)
        return f.Made(number)

    def _new(self, cursor: Cursor) -> f.Value | None:
        pointee = spelling_of(cursor.type.get_pointee())
        for child in reversed(children(cursor)):
            if child.type.kind in _UNTYPED and kind_id(child) in _LISTS:
                args = [self._arg(a) for a in children(child)]
                return self._make(cursor, pointee, "", args, heap=True)
            if kind_id(child) == K.CALL_EXPR.value:
                target = child.referenced
                if target is not None and kind_id(target) == _CTOR:
                    args = self._begun_with(child, target)
                    return self._make(child, pointee, self.x.callee(target), args, heap=True)
            if kind_id(child) not in REFS:
                begun = self.value(child)
                if isinstance(begun, f.AnyOf) and begun.fields:
                    made = self._make(cursor, pointee, "", [], heap=True)
                    self._begin(made, begun.values, begun.fields, file_offset(cursor)[2])
                    return made
        return self._make(cursor, pointee, "", [], heap=True)


def address_of(cursor: Cursor) -> Cursor | None:
    """What ``&x`` is the address of, behind casts and parentheses; None for anything else."""
    kind = kind_id(cursor)
    while kind in _WRAPPERS:
        inner = [c for c in children(cursor) if kind_id(c) not in REFS]
        if len(inner) != 1:
            return None
        cursor = inner[0]
        kind = kind_id(cursor)
    if kind != K.UNARY_OPERATOR.value or unary_operator(cursor) != UnaryOperator.ADDRESS:
        return None
    inner = children(cursor)
    return inner[0] if inner else None


def _null_test(operator: str, args: list[f.Value]) -> f.Compare | None:
    """``pointer != nullptr`` of a smart pointer: what its operator bool says."""
    if operator not in ("operator==", "operator!=") or len(args) != 2:
        return None
    left, right = args
    if isinstance(left, f.Lit):
        left, right = right, left
    if not isinstance(right, f.Lit) or right.text not in _NULL:
        return None
    return f.Compare(left, right, operator == "operator==")
