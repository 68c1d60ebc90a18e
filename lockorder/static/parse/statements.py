"""Statements of one function body: structured control flow around the events of expressions."""

from __future__ import annotations

from collections.abc import Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse.clang import (
    Cursor,
    CursorKind,
    TypeKind,
    children,
    extent_offsets,
    file_offset,
    initializer,
    is_object,
    kind_id,
)
from lockorder.static.parse.expressions import Expressions
from lockorder.static.parse.names import spelling_of
from lockorder.static.parse.operators import known_or_lost

K = CursorKind
_DECL_STMT = K.DECL_STMT.value
_VAR = K.VAR_DECL.value
_COMPOUND = K.COMPOUND_STMT.value
_CASES = frozenset((K.CASE_STMT.value, K.DEFAULT_STMT.value))
_DEFAULT = K.DEFAULT_STMT.value
_CATCH = K.CXX_CATCH_STMT.value
_REFS = frozenset((K.TYPE_REF.value, K.NAMESPACE_REF.value, K.TEMPLATE_REF.value))
_MEMBER_REF = K.MEMBER_REF.value
_TYPE_REF = K.TYPE_REF.value
_PARM = K.PARM_DECL.value
_TRY = K.CXX_TRY_STMT.value
_INIT_LIST = K.INIT_LIST_EXPR.value
_LISTS = frozenset((K.UNEXPOSED_EXPR.value, _INIT_LIST))
_LABEL_REF = K.LABEL_REF.value
_STATIC = 3  # CX_SC_Static


class Statements(Expressions):
    """Evaluates a whole function body."""

    #: The type of what the function returns, as spelt.
    result = ""

    def function_body(self, parts: Sequence[Cursor], result: str = "") -> f.Block:
        """The body of a function whose cursor has the children *parts*; constructors' first.

        *result* is the spelling of its result's type.
        """
        self.out = []
        self.result = result
        pending: f.Value | None = None
        started: Cursor | None = None
        for part in parts:
            kind = kind_id(part)
            if kind == _MEMBER_REF:
                started = part.referenced
                pending = f.Field(f.This(), self.x.variable(started)) if started else None
            elif kind == _TYPE_REF:
                pending = f.This()  # a base, or the constructor that this one delegates to
            elif kind in (_COMPOUND, _TRY):
                self.statement(part)
            elif part.kind.is_expression():
                value = self._start_value(started, part) if started else self.full(part)
                if started is not None:
                    value = known_or_lost(value, started.type)
                if pending is not None and value is not None:
                    self.out.append(f.Assign(pending, value, file_offset(part)[2]))
                pending = started = None
        end = self.x.line_at(extent_offsets(parts[-1])[1]) if parts else 0
        return f.Block(self.out, end)

    def block(self, cursor: Cursor) -> f.Block:
        """A statement as a scope of its own."""
        outer, self.out = self.out, []
        if kind_id(cursor) == _COMPOUND:
            start, stop = extent_offsets(cursor)
            filler = self.x.filler(start, stop, self)
            for child in children(cursor):
                at = extent_offsets(child)
                filler.before(at[0])
                self.statement(child)
                filler.after(*at)
            filler.before(stop)
            end = self.x.line_at(stop)
        else:
            self.statement(cursor)
            end = 0
        inner, self.out = self.out, outer
        return f.Block(inner, end)

    def statement(self, cursor: Cursor) -> None:
        """Emit *cursor*'s events and control flow to ``self.out``."""
        handler = _STATEMENTS.get(kind_id(cursor))
        if handler is not None:
            handler(self, cursor)
        else:
            self.full(cursor, keep=False)

    # -- declarations -----------------------------------------------------------------------------

    def declare(self, cursor: Cursor) -> None:
        """A declaration statement."""
        for child in children(cursor):
            if kind_id(child) == _VAR or child.spelling.startswith("["):
                self.variable(child)
            elif child.kind.is_declaration():
                self.x.declaration(child)

    def variable(self, cursor: Cursor) -> None:
        """One variable, with its initialiser."""
        usr = self.x.variable(cursor)
        _, _, line, column = file_offset(cursor)
        self.x.saw_variable(file_offset(cursor)[1])
        start = initializer(cursor)
        if cursor.storage_class.value == _STATIC:
            outer, self.out = self.out, []
            value = self.full(start) if start is not None else None
            if start is not None:
                value = known_or_lost(value, cursor.type)
            if value is not None:
                self.out.append(f.Assign(f.Var(usr), value, line))
            inner, self.out = self.out, outer
            if inner:
                self.out.append(f.StaticInit(usr, f.Block(inner), line))
            return
        value = self._start_value(cursor, start) if start is not None else None
        self.out.append(f.Local(usr, value, line, column))
        cleanup = self.x.cleanups.of(cursor, usr, self.owner)
        if cleanup is not None:
            self.out.append(cleanup)
        if cursor.spelling.startswith("["):
            self.x.bindings.append((*extent_offsets(cursor), usr))

    def _start_value(self, cursor: Cursor, start: Cursor) -> f.Value | None:
        """The value that a variable or member starts with.

        ``Guard<M> g(mu)`` in a template is a construction too: there clang knows no constructor
        yet and shows the arguments alone.
        """
        spelling = spelling_of(cursor.type)
        deduced = self.x.deduced(cursor)
        if not (self._is_list(start) and (deduced or _is_class_template(spelling))):
            return self.full(start)
        return self._listed(start, deduced or spelling)

    def _is_list(self, start: Cursor) -> bool:
        """Whether arguments are all that clang shows: of a macro's text nobody can tell."""
        kind = kind_id(start)
        if kind == _INIT_LIST or (kind in _LISTS and start.type.kind is TypeKind.INVALID):
            return True
        return kind in _LISTS and self.x.text(start)[:1] in ("(", "{")

    def _listed(self, start: Cursor, spelling: str) -> f.Value:
        """An object of a type that is spelt so, from a list of arguments."""
        args = [self._arg(c) for c in children(start) if kind_id(c) not in _REFS]
        value = self._make(start, spelling, "", args)
        self.end_temporaries(start, value)
        return value

    # -- branches ---------------------------------------------------------------------------------

    def _branch(self, cursor: Cursor) -> None:
        parts = children(cursor)
        scope = self._open()
        while parts and kind_id(parts[0]) in (_DECL_STMT, _VAR):
            first = parts.pop(0)
            if kind_id(first) == _VAR:
                self.variable(first)
            else:
                self.declare(first)
        condition: f.Value | None = None
        if len(parts) > 1 and kind_id(parts[0]) != _COMPOUND:
            condition = self.full(parts.pop(0))
        then = self.block(parts[0]) if parts else f.Block([])
        orelse = self.block(parts[1]) if len(parts) > 1 else None
        self.out.append(f.If(condition, then, orelse))
        self._close(scope)

    def _open(self) -> list[f.Stmt]:
        outer, self.out = self.out, []
        return outer

    def _close(self, outer: list[f.Stmt]) -> None:
        """End a statement's own scope; it is only kept where something was declared in it."""
        inner, self.out = self.out, outer
        if any(isinstance(s, f.Local) for s in inner):
            self.out.append(f.Block(inner))
        else:
            self.out.extend(inner)

    def _switch(self, cursor: Cursor) -> None:
        parts = children(cursor)
        scope = self._open()
        while parts and kind_id(parts[0]) in (_DECL_STMT, _VAR):
            first = parts.pop(0)
            self.variable(first) if kind_id(first) == _VAR else self.declare(first)
        condition = self.full(parts[0]) if len(parts) > 1 else None
        cases: list[f.Block] = []
        labels: list[f.Value | None] = []
        total = False
        outer, self.out = self.out, []
        for child in children(parts[-1]) if parts else []:
            while kind_id(child) in _CASES:
                total = total or kind_id(child) == _DEFAULT
                cases.append(f.Block(self.out))
                self.out = []
                inner = children(child)
                labels.append(self._label_value(child, inner))
                if not inner:
                    break
                child = inner[-1]
            self.statement(child)
        cases.append(f.Block(self.out))
        self.out = outer
        self.out.append(f.Switch(cases[1:], total, condition, labels))
        self._close(scope)

    def _label_value(self, case: Cursor, inner: Sequence[Cursor]) -> f.Value | None:
        if kind_id(case) == _DEFAULT or len(inner) < 2:
            return None
        outer, self.out = self.out, []
        value = self.value(inner[0])
        self.out = outer
        return value if isinstance(value, f.Lit) else None

    # -- loops ------------------------------------------------------------------------------------

    def _captured(self, parts: Sequence[Cursor]) -> tuple[f.Block, f.Value | None]:
        outer, self.out = self.out, []
        value: f.Value | None = None
        for part in parts:
            if kind_id(part) == _VAR:
                self.variable(part)
            else:
                value = self.full(part)
        inner, self.out = self.out, outer
        return f.Block(inner), value

    def _while(self, cursor: Cursor) -> None:
        parts = children(cursor)
        if not parts:
            return
        head, condition = self._captured(parts[:-1])
        self.out.append(
            f.Loop(head, condition, self.block(parts[-1]), f.Block([]), line=file_offset(cursor)[2])
        )

    def _do(self, cursor: Cursor) -> None:
        parts = children(cursor)
        if not parts:
            return
        body = self.block(parts[0])
        head, condition = self._captured(parts[1:])
        self.out.append(f.Loop(head, condition, body, f.Block([]), True, file_offset(cursor)[2]))

    def _for(self, cursor: Cursor) -> None:
        parts = children(cursor)
        if not parts:
            return
        scope = self._open()
        rest = parts[:-1]
        if rest and kind_id(rest[0]) == _DECL_STMT:
            self.declare(rest.pop(0))
        elif len(rest) == 3:
            self.full(rest.pop(0))
        head, condition = self._captured(rest[:1])
        if not rest:
            condition = f.Lit("true")  # for (;;)
        step, _ = self._captured(rest[1:])
        self.out.append(
            f.Loop(head, condition, self.block(parts[-1]), step, line=file_offset(cursor)[2])
        )
        self._close(scope)

    def _range_for(self, cursor: Cursor) -> None:
        parts = children(cursor)
        if len(parts) < 2:
            return
        scope = self._open()
        variable: Cursor | None = None
        for part in parts[:-2]:
            if kind_id(part) == _DECL_STMT:
                self.declare(part)
            elif kind_id(part) == _VAR or part.spelling.startswith("["):
                variable = part
        outer, self.out = self.out, []
        over = self.value(parts[-2]) if len(parts) > 2 else None
        ranged, self.out = self.out, outer
        self.out.extend(ranged)
        made, self.temporaries = self.temporaries, []
        usr = self.x.variable(variable) if variable is not None else ""
        if variable is not None and variable.spelling.startswith("["):
            self.x.bindings.append((*extent_offsets(variable), usr))
        body = self.block(parts[-1])
        if variable is not None:
            _, _, line, column = file_offset(variable)
            element: f.Value | None = f.Elem(over) if over is not None else None
            first: list[f.Stmt] = []
            if element is not None and is_object(variable.type):
                spelling = spelling_of(variable.type)
                copy = f.Make(self.next_make(), spelling, "", [element], line)
                first.append(copy)
                element = f.Made(copy.id)
            body.body[:0] = [*first, f.Local(usr, element, line, column)]
        self.out.append(f.Loop(f.Block([]), None, body, f.Block([]), each=usr))
        self.temporaries = made
        self.end_temporaries(cursor)
        self._close(scope)

    # -- jumps ------------------------------------------------------------------------------------

    def _return(self, cursor: Cursor) -> None:
        value: f.Value | None = None
        for child in children(cursor):
            untyped = kind_id(child) == _INIT_LIST and not is_object(child.type)
            if untyped and _is_class_template(self.result):
                value = self._listed(child, self.result)
            else:
                value = self.full(child)
        self.out.append(f.Return(value, file_offset(cursor)[2]))

    def _goto(self, cursor: Cursor) -> None:
        for child in children(cursor):
            if kind_id(child) == _LABEL_REF:
                self.out.append(f.Goto(child.spelling, file_offset(cursor)[2]))

    def _label(self, cursor: Cursor) -> None:
        self.out.append(f.Label(cursor.spelling))
        for child in children(cursor):
            self.statement(child)

    def _break(self, cursor: Cursor) -> None:
        self.out.append(f.Break())

    def _continue(self, cursor: Cursor) -> None:
        self.out.append(f.Continue())

    def _try(self, cursor: Cursor) -> None:
        body = f.Block([])
        handlers: list[f.Block] = []
        for child in children(cursor):
            if kind_id(child) == _CATCH:
                inner = [c for c in children(child) if kind_id(c) == _COMPOUND]
                handlers.append(self.block(inner[-1]) if inner else f.Block([]))
            elif kind_id(child) == _COMPOUND:
                body = self.block(child)
        self.out.append(f.Try(body, handlers))

    def _compound(self, cursor: Cursor) -> None:
        self.out.append(self.block(cursor))

    def _nothing(self, cursor: Cursor) -> None:
        pass

    def _statement_expression(self, cursor: Cursor) -> f.Value | None:
        """``({ lock(m); T *p = a; p->b; })``: variables that own nothing may as well live on."""
        block = children(cursor)[:1]
        parts = children(block[0]) if block else []
        named = [v for p in parts[:-1] if kind_id(p) == _DECL_STMT for v in children(p)]
        owning = any(
            kind_id(v) == _VAR and (is_object(v.type) or self.x.cleanups.has_any(v)) for v in named
        )
        if parts and parts[-1].kind.is_expression() and not owning:
            for part in parts[:-1]:
                self.statement(part)
            return self.value(parts[-1])
        for child in children(cursor):
            self.out.append(self.block(child))
        return None


def _is_class_template(spelling: str) -> bool:
    return "<" in spelling and not spelling.endswith(("&", "*", "]"))


_STATEMENTS = {
    _DECL_STMT: Statements.declare,
    _VAR: Statements.variable,
    _COMPOUND: Statements._compound,
    K.IF_STMT.value: Statements._branch,
    K.SWITCH_STMT.value: Statements._switch,
    K.WHILE_STMT.value: Statements._while,
    K.DO_STMT.value: Statements._do,
    K.FOR_STMT.value: Statements._for,
    K.CXX_FOR_RANGE_STMT.value: Statements._range_for,
    K.RETURN_STMT.value: Statements._return,
    K.GOTO_STMT.value: Statements._goto,
    K.LABEL_STMT.value: Statements._label,
    K.BREAK_STMT.value: Statements._break,
    K.CONTINUE_STMT.value: Statements._continue,
    K.CXX_TRY_STMT.value: Statements._try,
    K.NULL_STMT.value: Statements._nothing,
}
