"""Expressions of one function body: syntax tree to values and events.

The walk emits events in evaluation order (arguments before the call, left to right, as every
compiler that matters does) into ``self.out`` and returns the value that the expression denotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.call_expressions import CALLABLE, VARIABLES, CallExpressions, address_of
from lockorder.static.parse.clang import (
    INTEGERS,
    Cursor,
    CursorKind,
    TypeKind,
    UnaryOperator,
    binary_operator,
    children,
    extent_offsets,
    file_offset,
    initializer,
    integer_value,
    is_object,
    kind_id,
    overloads,
    unary_operator,
)
from lockorder.static.parse.names import last_identifier, spelling_of
from lockorder.static.parse.operators import REFS, is_chosen, member_chosen, moved
from lockorder.static.parse.symbols import FUNCTIONS
from lockorder.static.parse.wholes import record_at, whole

K = CursorKind
_CTOR, _DTOR = K.CONSTRUCTOR.value, K.DESTRUCTOR.value
_FIELD = K.FIELD_DECL.value
_VAR_DECL = K.VAR_DECL.value
_ENUMERATOR = K.ENUM_CONSTANT_DECL.value
_OVERLOADED = K.OVERLOADED_DECL_REF.value
_LAMBDA = K.LAMBDA_EXPR.value
_MEMBER_REF_EXPR = K.MEMBER_REF_EXPR.value
_COMPOUND = K.COMPOUND_STMT.value
_PARM = K.PARM_DECL.value
_INIT_LIST = K.INIT_LIST_EXPR.value
#: A name in a scope, or with arguments.
_SCOPED = re.compile(r"(?=.*[:<])[\w:<>,&*\s]+")
_LITERAL = re.compile(r"\d\w*$|true$|false$|nullptr$|NULL$")
#: Atomic operations of the language C, builtin or as <stdatomic.h> has them.
_ATOMIC = re.compile(r"((?:__|__c11_)?atomic_\w+)\s*\(")
_VARIABLE_REF = K.VARIABLE_REF.value
#: Values that lead to an object.
_PLACES = (f.Var, f.Field, f.Elem, f.Whole, f.Result)


class Expressions(CallExpressions):
    """Evaluates expressions of one function; ``Statements`` adds the control flow."""

    # -- entry ------------------------------------------------------------------------------------

    def value(self, cursor: Cursor) -> f.Value | None:
        """Evaluate *cursor*: emit its events, return what it denotes (None: nothing known)."""
        kind = kind_id(cursor)
        handler = _HANDLERS.get(kind)
        if handler is not None:
            return handler(self, cursor)
        if kind in REFS:
            return None
        inner = [c for c in children(cursor) if kind_id(c) not in REFS]
        if len(inner) == 1:  # casts, parentheses, materialised temporaries
            value = self.value(inner[0])
            if kind == K.UNEXPOSED_EXPR.value and self._is_recovered(cursor, inner[0]):
                return f.Name(last_identifier(self.x.text(cursor)), value)
            return value
        if not inner:
            return None
        return self._recovered(cursor, inner)

    def full(self, cursor: Cursor, keep: bool = True) -> f.Value | None:
        """A full-expression: temporaries die at its end (C++ [class.temporary]/4).

        The object that is its value lives on, unless *keep* is false.
        """
        before, self.temporaries = self.temporaries, []
        value = self.value(cursor)
        if kind_id(cursor) == K.UNARY_OPERATOR.value:
            keep = keep and unary_operator(cursor) != UnaryOperator.DEREFERENCE
        self.end_temporaries(cursor, value if keep else None)
        self.temporaries = before
        return value

    def end_temporaries(self, cursor: Cursor, keep: f.Value | None = None) -> None:
        """Emit the destruction of the temporaries made so far, apart from *keep*."""
        kept = {_number(v) for v in (keep.values if isinstance(keep, f.AnyOf) else [keep])}
        dying = [m for m in self.temporaries if m not in kept]
        if dying:
            self.out.append(f.EndTemporaries(dying, file_offset(cursor)[2]))
        self.temporaries = []

    # -- what clang could not type ----------------------------------------------------------------

    def _is_recovered(self, cursor: Cursor, inner: Cursor) -> bool:
        """A RecoveryExpr around the object of a member access that clang could not resolve."""
        if not cursor.type.spelling.startswith("<dependent"):
            return False
        return extent_offsets(cursor)[1] > extent_offsets(inner)[1] and not self.x.text(
            cursor
        ).endswith(")")

    def _recovered(self, cursor: Cursor, inner: list[Cursor]) -> f.Value | None:
        """Several children where clang kept only the pieces: a call whose callee it lost."""
        text = self.x.text(cursor)
        if cursor.type.spelling.startswith("<dependent") and text.endswith(")"):
            overloaded = [d for c in inner[:1] for d in children(c) if kind_id(d) == _OVERLOADED]
            base: f.Value | None = None
            if overloaded:
                name = self._in_namespace(inner[0], overloaded[0]) or overloaded[0].spelling
                inner = inner[1:]
            else:
                name, base = last_identifier(text.split("(", 1)[0]), self._object(text)
            args = [self._arg(c) for c in inner]
            return self._emit_call(cursor, f.Name(name, base), args)
        atomic = _ATOMIC.match(text)
        if atomic is not None and text.endswith(")") and kind_id(cursor) == K.UNEXPOSED_EXPR.value:
            # An AtomicExpr: libclang shows the object, the memory order, then the values.
            args = [self._arg(c) for c in (inner[0], *inner[2:3], *inner[4:5])]
            result = self._emit_call(cursor, f.Name(atomic[1]), args)
            self._written_by_address(cursor, inner)
            return result
        values = [v for v in [self.value(c) for c in inner] if v is not None]
        if kind_id(cursor) == K.UNEXPOSED_EXPR.value:
            self._written_by_address(cursor, inner)
        return f.AnyOf(values) if values else None

    def _written_by_address(self, cursor: Cursor, inner: list[Cursor]) -> None:
        for place in [a for c in inner if (a := address_of(c)) is not None]:
            self._assign(cursor, self.value(place), f.Lit(""))  # __atomic_store_n(&x, ...)

    def _assembler(self, cursor: Cursor) -> f.Value | None:
        """An asm statement may write to what it names."""
        for value in [self.value(c) for c in children(cursor)]:
            if isinstance(value, f.Var | f.Field):
                self._assign(cursor, value, f.Lit(""))
        return None

    def _atomic_block(self, cursor: Cursor) -> f.Value | None:
        """``atomic_exchange(&x, 1)`` where <stdatomic.h> makes a block of it, with variables of its
        own for the arguments of one builtin: it is a call of that name with these arguments."""
        text = self.x.text(cursor)
        atomic = _ATOMIC.match(text)
        if atomic is None or not text.endswith(")"):
            return self._statement_expression(cursor)
        begun: dict[str, Cursor | None] = {}
        for statement in [s for block in children(cursor) for s in children(block)]:
            if kind_id(statement) == K.DECL_STMT.value:
                for own in children(statement):
                    values = [c for c in children(own) if kind_id(c) not in REFS]
                    begun[own.spelling] = values[-1] if values else None
                continue
            given: list[Cursor | None] = list(children(statement)[1:])
            for number, argument in enumerate(given):
                name = self._innermost(argument).spelling if argument is not None else ""
                given[number] = begun.get(name, argument)
            if not given:  # clang has lost the builtin, as it does where types do not fit
                given = [value for value in begun.values() if value is not None]
            args = [f.Lit("") if a is None else self._arg(a) for a in given]
            return self._emit_call(cursor, f.Name(atomic[1]), args)
        return None

    @staticmethod
    def _innermost(cursor: Cursor) -> Cursor:
        while len(inner := children(cursor)) == 1:
            cursor = inner[0]
        return cursor

    # -- references -------------------------------------------------------------------------------

    def _decl_ref(self, cursor: Cursor) -> f.Value | None:
        target = cursor.referenced
        if target is None:
            return self._dependent(cursor, last_identifier(self.x.text(cursor)))
        kind = kind_id(target)
        if kind == K.UNEXPOSED_DECL.value:
            whole = self.x.bound(target)
            if whole is not None:
                return f.Elem(f.Var(whole[0]), f.Lit(str(whole[1])))
        if kind == K.TEMPLATE_NON_TYPE_PARAMETER.value:
            return f.Var(f"{f.TEMPLATE_VALUE}{target.spelling}")
        constant = self._constant(cursor, target) if kind == _VAR_DECL else None
        if constant is not None:
            return constant
        if kind in VARIABLES or kind == K.UNEXPOSED_DECL.value:
            return f.Var(self.x.variable(target))
        if kind in CALLABLE:
            return self.x.function(target)
        if kind == _FIELD:
            return f.Field(f.This(), self.x.variable(target))
        if kind == _ENUMERATOR:
            return f.Lit(numbers.enumerator(target.spelling, target.enum_value))
        if kind == _OVERLOADED:
            one = self._in_namespace(cursor, target)
            return f.Name(one) if one else self._dependent(cursor, self._overloaded_name(cursor))
        return None

    def _in_namespace(self, cursor: Cursor, overloaded: Cursor) -> str:
        """``std::move`` of a template: no argument adds functions of that name from elsewhere."""
        if "::" not in self.x.text(cursor).split("<", 1)[0]:
            return ""
        found = overloads(overloaded)
        if any(FUNCTIONS.get(kind_id(each)) != "function" for each in found):
            return ""
        names = {self.x.qualified(each) for each in found}
        return names.pop() if len(names) == 1 else ""

    def _is_kept(self, target: f.Value | None) -> bool:
        """Whether others than the function may find what it writes to *target*."""
        if isinstance(target, f.Var):
            return self.x.is_lasting(target.usr)
        return isinstance(target, f.Field)

    def _points(self, field: str) -> bool:
        """Whether a field is a plain pointer."""
        return self.x.points(field)

    def _dependent(self, cursor: Cursor, name: str) -> f.Name:
        """A name that is clear once a template's arguments are: ``Traits<T>::locks``."""
        text = self.x.text(cursor)
        whole = _SCOPED.fullmatch(text) and cursor.type.spelling == "<dependent type>"
        return f.Name(name, None, f.TEMPLATE_VALUE + " ".join(text.split()) if whole else "")

    def _constant(self, cursor: Cursor, target: Cursor) -> f.Value | None:
        """The value of a constant number or flag, where its declaration has it."""
        kind = target.type.get_canonical()
        if not kind.is_const_qualified() or kind.kind not in INTEGERS:
            return None
        value = integer_value(cursor)
        if value is None:
            return None
        if kind.kind == TypeKind.BOOL:
            return f.Lit("true" if value else "false")
        return self._named_alike(target, value) or f.Lit(str(value))

    def _named_alike(self, target: Cursor, value: int) -> f.Lit | None:
        """The enumerator that a constant is another name for."""
        start = initializer(target)
        inner = self._innermost(start) if start is not None else None
        if inner is None or kind_id(inner) != K.DECL_REF_EXPR.value or inner.referenced is None:
            return None
        if kind_id(inner.referenced) == _ENUMERATOR:
            return f.Lit(numbers.enumerator(inner.referenced.spelling, value))
        found = self._decl_ref(inner)
        alike = isinstance(found, f.Lit) and numbers.number_of(found.text) == value
        return found if alike and isinstance(found, f.Lit) else None

    def _overloaded_name(self, cursor: Cursor) -> str:
        for child in children(cursor):
            if kind_id(child) == _OVERLOADED:
                return str(child.spelling)
        return last_identifier(self.x.text(cursor))

    def _member(self, cursor: Cursor) -> f.Value | None:
        begin = extent_offsets(cursor)[0]
        # What begins later is an argument of a template, as in `take<3>()`, and no object.
        inner = [
            c for c in children(cursor) if kind_id(c) not in REFS and extent_offsets(c)[0] <= begin
        ]
        base = self.value(inner[0]) if inner else f.This()
        target = cursor.referenced
        if target is None or kind_id(target) == _OVERLOADED:
            if base is None or not inner:
                base = self._object(self.x.text(cursor)) or base or f.Name("")
            elif isinstance(base, f.AnyOf) and is_chosen(inner[0]):
                base = member_chosen(base)
            name = cursor.spelling or self._dependent_name(cursor)
            found = self._dependent(cursor, name) if not inner else None
            return found if found is not None and found.whole else f.Name(name, base)
        kind = kind_id(target)
        if kind == _FIELD:
            if base is None:
                base = f.Name("")
            return f.Field(base, self.x.variable(target))
        if kind in VARIABLES:
            return f.Var(self.x.variable(target))
        if kind in CALLABLE or kind in (_CTOR, _DTOR):
            return self.x.function(target, base)
        return None

    def _text(self, cursor: Cursor) -> str:
        return self.x.text(cursor)

    def _callee(self, target: Cursor) -> str:
        return self.x.callee(target)

    def _fields_of(self, cursor: Cursor, parts: list[Cursor]) -> list[str]:
        """The fields that an initialiser list of a class starts, in order or by designators."""
        if not is_object(cursor.type):
            return []
        named = [
            c.referenced
            for p in parts
            for c in children(p)[:1]
            if kind_id(c) == K.MEMBER_REF.value and c.referenced is not None
        ]
        if len(named) == len(parts):
            return [self.x.variable(c) for c in named]
        fields = [c for c in children(cursor.type.get_declaration()) if kind_id(c) == _FIELD]
        if len(fields) < len(parts):
            return []
        return [self.x.variable(c) for c in fields[: len(parts)]]

    def _dependent_name(self, cursor: Cursor) -> str:
        for child in children(cursor):
            if kind_id(child) == _OVERLOADED:
                return str(child.spelling)
        return last_identifier(self.x.text(cursor))

    def _literal(self, cursor: Cursor) -> f.Value | None:
        text = self.x.text(cursor)[:24]
        if _LITERAL.match(text):
            return f.Lit(text)
        value = integer_value(cursor)  # written in a macro's definition
        return f.Lit(text if value is None else str(value))

    def _field(self, field: Cursor) -> str:
        return self.x.variable(field)

    # -- assignments, casts, delete, throw --------------------------------------------------------

    def _compound_assignment(self, cursor: Cursor) -> f.Value | None:
        parts = children(cursor)
        values = [self.value(p) for p in parts]
        if values:
            # no longer what it was
            by = moved(binary_operator(cursor), values[-1])
            self._assign(cursor, values[0], self._combined(cursor, values) or f.Lit(""), by)
        return None

    def _cast(self, cursor: Cursor) -> f.Value | None:
        """A cast that may go from a structure to its first member, or back."""
        inner = [c for c in children(cursor) if kind_id(c) not in REFS]
        if len(inner) != 1:
            return self._recovered(cursor, inner) if inner else None
        value = self.value(inner[0])
        if not isinstance(value, _PLACES):
            return value
        return self._converted(value, record_at(inner[0].type), record_at(cursor.type))

    def _converted(self, value: f.Value, source: Cursor | None, target: Cursor | None) -> f.Value:
        """What a pointer to the one structure is as one to the other."""
        is_whole, fields = self.x.firsts.between(source, target)
        if is_whole:
            return whole(value, [self._field(c) for c in fields])
        for field in fields:
            value = f.Field(value, self._field(field))
        return value

    def _functional_cast(self, cursor: Cursor) -> f.Value | None:
        """``Type(value)``: where its inside has another class, no constructor is chosen yet.

        Clang shows the argument alone then, as in a template whose other parts are not known.
        """
        self.x.saw_call(extent_offsets(cursor)[1])
        inner = [c for c in children(cursor) if kind_id(c) not in REFS]
        if not inner:
            return None
        given = spelling_of(inner[-1].type).removeprefix("const ")
        known = not is_object(cursor.type) or given == spelling_of(cursor.type)
        if not known and kind_id(inner[-1]) != _INIT_LIST:
            return self._make(cursor, spelling_of(cursor.type), "", [self._arg(inner[-1])])
        value = self.value(inner[-1])
        made = isinstance(value, f.Made) or not is_object(cursor.type)
        if made or kind_id(inner[-1]) != _INIT_LIST:
            return value
        begun = value if isinstance(value, f.AnyOf) and value.fields else f.AnyOf([])
        return self._aggregate(cursor, begun.values, begun.fields)

    def _delete(self, cursor: Cursor) -> f.Value | None:
        for child in children(cursor):
            value = self.value(child)
            if value is not None:
                self.out.append(f.Delete(value, file_offset(cursor)[2]))
        return None

    def _throw(self, cursor: Cursor) -> f.Value | None:
        for child in children(cursor):
            self.value(child)
        self.out.append(f.Throw(file_offset(cursor)[2]))
        return None

    # -- lambdas ----------------------------------------------------------------------------------

    def _lambda(self, cursor: Cursor) -> f.Value | None:
        captures: list[Cursor] = []
        params: list[Cursor] = []
        body: Cursor | None = None
        values: list[Cursor] = []
        for child in children(cursor):
            kind = kind_id(child)
            if kind == _VARIABLE_REF:
                captures.append(child)
            elif kind == _PARM:
                params.append(child)
            elif kind == _COMPOUND:
                body = child
            elif kind not in REFS:
                values.append(child)
        owned = [self.x.variable(c.referenced) for c in captures if self._is_copied(cursor, c)]
        # An init-capture is a variable of its own whose declaration lies inside the lambda.
        if len(values) == len(captures):
            for capture, child in zip(captures, values, strict=True):
                variable = capture.referenced
                if variable is None:
                    continue
                if extent_offsets(variable)[0] >= extent_offsets(cursor)[0]:
                    value = self.value(child)
                    if value is not None:
                        # It lives as long as the closure, which is mostly a block's local.
                        line = file_offset(cursor)[2]
                        self.out.append(f.Local(self.x.variable(variable), value, line))
        if body is None:
            return None
        return f.Closure(self.x.closure(cursor, params, body, self.owner, owned))

    def _is_copied(self, closure: Cursor, capture: Cursor) -> bool:
        """Whether a capture that is written out has no & before it, as far as the text shows."""
        text, at = self.x.text(closure), extent_offsets(capture)[0] - extent_offsets(closure)[0]
        if capture.referenced is None or not text.startswith(capture.spelling, at):
            return False
        return not text[:at].rstrip().endswith("&")


def _number(value: f.Value | None) -> int | None:
    """The temporary that a value is, as ``EndTemporaries`` has it; None for anything else."""
    if isinstance(value, f.Made):
        return value.make
    return -1 - value.call if isinstance(value, f.Result) else None


_HANDLERS: dict[int, Callable[[Expressions, Cursor], f.Value | None]] = {
    K.CALL_EXPR.value: Expressions._call,
    K.DECL_REF_EXPR.value: Expressions._decl_ref,
    _MEMBER_REF_EXPR: Expressions._member,
    K.CXX_THIS_EXPR.value: lambda x, c: f.This(),
    _LAMBDA: Expressions._lambda,
    K.BINARY_OPERATOR.value: Expressions._binary,
    K.COMPOUND_ASSIGNMENT_OPERATOR.value: Expressions._compound_assignment,
    K.UNARY_OPERATOR.value: Expressions._unary,
    K.CONDITIONAL_OPERATOR.value: Expressions._conditional,
    K.ARRAY_SUBSCRIPT_EXPR.value: Expressions._subscript,
    K.CXX_NEW_EXPR.value: Expressions._new,
    K.CXX_DELETE_EXPR.value: Expressions._delete,
    K.ASM_STMT.value: Expressions._assembler,
    K.INIT_LIST_EXPR.value: Expressions._init_list,
    K.CXX_BOOL_LITERAL_EXPR.value: Expressions._literal,
    K.INTEGER_LITERAL.value: Expressions._literal,
    K.CXX_NULL_PTR_LITERAL_EXPR.value: lambda x, c: f.Lit("nullptr"),
    K.GNU_NULL_EXPR.value: lambda x, c: f.Lit("nullptr"),
    K.STRING_LITERAL.value: lambda x, c: None,
    K.FLOATING_LITERAL.value: lambda x, c: None,
    K.CHARACTER_LITERAL.value: lambda x, c: None,
    K.CXX_THROW_EXPR.value: Expressions._throw,
    K.CSTYLE_CAST_EXPR.value: Expressions._cast,
    K.CXX_REINTERPRET_CAST_EXPR.value: Expressions._cast,
    K.StmtExpr.value: Expressions._atomic_block,
    K.CXX_FUNCTIONAL_CAST_EXPR.value: Expressions._functional_cast,
    K.CXX_UNARY_EXPR.value: lambda x, c: None,  # sizeof, alignof: operand is not evaluated
    K.CXX_TYPEID_EXPR.value: lambda x, c: None,
}
