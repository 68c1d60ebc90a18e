"""One translation unit to its facts: the walk over declarations.

Only declarations that stand in *own* files are walked.  The caller hands every header to exactly
one unit, so each header function is read once.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from tree_sitter import Node

from lockorder.static.discovery.annotations import Macro as Said
from lockorder.static.parse import facts as f
from lockorder.static.parse.attributes import Attributes
from lockorder.static.parse.clang import (
    INTEGERS,
    Cursor,
    CursorKind,
    Type,
    Unit,
    children,
    extent_offsets,
    file_offset,
    initializer,
    is_defaulted,
    is_object,
    is_pointer,
    is_private,
    kind_id,
    needs_body,
    never_throws,
    overridden,
    pattern_of,
)
from lockorder.static.parse.cleanups import Cleanups
from lockorder.static.parse.declarations import Class, Decl, Facts
from lockorder.static.parse.names import spelling_of
from lockorder.static.parse.operators import known_or_lost
from lockorder.static.parse.reader import Events, UnitReader
from lockorder.static.parse.recovery.fill import Filler, Missing
from lockorder.static.parse.recovery.spellings import Spellings
from lockorder.static.parse.recovery.tree import Syntax
from lockorder.static.parse.recovery.whole_declarations import DeclarationReader
from lockorder.static.parse.recovery.whole_functions import Functions
from lockorder.static.parse.statements import Statements
from lockorder.static.parse.symbols import CLASSES, FUNCTIONS, STATIC, TEMPLATE_PARAMETERS

K = CursorKind
#: Literals that are words.
_PLAIN = frozenset(("true", "false", "nullptr", "NULL"))
_FLAGS = frozenset(("true", "false"))
_NAMESPACES = frozenset((K.NAMESPACE.value, K.LINKAGE_SPEC.value, K.UNEXPOSED_DECL.value))
_FIELD, _VAR, _PARM = K.FIELD_DECL.value, K.VAR_DECL.value, K.PARM_DECL.value
_BASE, _FRIEND = K.CXX_BASE_SPECIFIER.value, K.FRIEND_DECL.value
_UNION, _ENUM = K.UNION_DECL.value, K.ENUM_DECL.value
_COMPOUND, _TRY = K.COMPOUND_STMT.value, K.CXX_TRY_STMT.value
_DTOR = K.DESTRUCTOR.value
_CTOR = K.CONSTRUCTOR.value
_WORD = re.compile(rb"\b[A-Za-z_]\w*\b")
#: Kinds from here to 600 are directives and macros, of which there are far more than of the rest.
_PREPROCESSING = 500


def _begun(value: f.Value | None, start: Cursor, kind: Type) -> f.Value | None:
    """What a variable begins as by its initialiser *start*, which was read as *value*."""
    if value is None and is_pointer(kind) and not children(start):
        return f.Lit("nullptr")  # {}
    return known_or_lost(value, kind)


class Extractor(UnitReader):
    """Collects the facts of one unit."""

    def __init__(
        self,
        main: str,
        unit: Unit | None,
        own: AbstractSet[str],
        syntax: Mapping[str, Syntax] | None = None,
        macros: frozenset[str] = frozenset(),
        skipped: Mapping[str, list[tuple[int, int]]] | None = None,
        unread: AbstractSet[str] = frozenset(),
        bodies: bool = True,
        more: Sequence[Syntax] = (),
        said: Mapping[str, Said] | None = None,
    ) -> None:
        """*unit* is what clang has; of files in *unread* it has nothing, without *bodies* no body
        of any function.  *more* are headers of others that those files include, *said* macros of
        the project's own for thread-safety attributes.
        """
        self._more = more
        super().__init__(skipped or {})
        self._main = main
        self._unit = unit
        self._unread = unread
        self.heads = not bodies
        self._own = own
        self._syntax = syntax or {}
        self.macros = macros
        self._attributes = Attributes(self, said or {})
        self.cleanups = Cleanups(self, unit.cursor if unit is not None else None)
        self._spaces: list[str] = []

    def run(self) -> Facts:
        """Walk the unit and return what it says (file counts are added by the caller)."""
        for cursor in children(self._unit.cursor) if self._unit is not None else ():
            if kind_id(cursor) >= _PREPROCESSING:
                continue
            file = file_offset(cursor)[0]
            if file in self._own:
                self.enter(file)
                self.declaration(cursor)
        readable = [file for file in sorted(self._own) if file in self._syntax]
        alone = [file for file in readable if file in self._unread or self.heads]
        self._read_alone(alone)
        for file in readable:
            if file not in alone:
                self.enter(file)
                Missing(self, self._syntax[file]).read()
        return Facts(
            self._main,
            list(self._functions.values()),
            list(self._classes.values()),
            list(self._variables.values()),
            list(self._decls.values()),
            [],
            contracts=self._attributes.found,
            spaces=self._spaces,
            enums=sorted(self.enums),
        )

    def _read_alone(self, files: list[str]) -> None:
        """Read *files* by their syntax; declarations only where clang has none of them."""
        if not files:
            return
        for file in files:
            self.read_as(file, self._syntax[file].whole)
        spellings = Spellings([*self._more, *(self._syntax[file] for file in files)])
        self._spaces = sorted(spellings.spaces)
        self.spellings = spellings
        words = {w.decode() for file in files for w in _WORD.findall(self._syntax[file].data)}
        # Clang keeps enumerators to itself where it reads no bodies.
        heads = [self._syntax[file] for file in files if file not in self._unread]
        for syntax in (*self._more, *heads):
            if b"enum" in syntax.data:
                DeclarationReader(self, syntax).enumerators(words)
        for file in files:
            if file in self._unread:
                self.enter(file)
                DeclarationReader(self, self._syntax[file]).read()
        for file in files:
            self.enter(file)
            Functions(self, self._syntax[file]).read()
        self.spellings = None

    def said_by_syntax(
        self, usr: str, offset: int, parameters: list[tuple[str, str]] | None = None
    ) -> None:
        """Note the thread-safety attributes of what is declared at byte *offset*."""
        if self._file in self._unread:  # clang has shown those of others
            self._attributes.read_named(usr, offset, parameters)

    def local_class(self, node: Node, owner: str) -> str:
        """Read a class that is local to the function *owner*; returns its name."""
        syntax = self._syntax[self._file]
        name = DeclarationReader(self, syntax).local(node, owner)
        Functions(self, syntax).inside(node, owner)
        return name

    # -- declarations -----------------------------------------------------------------------------

    def declaration(self, cursor: Cursor) -> None:
        """Read one declaration, and those inside it."""
        kind = kind_id(cursor)
        self._attributes.read(cursor, kind)
        if kind in FUNCTIONS:
            self._function(cursor, FUNCTIONS[kind])
        elif kind in CLASSES:
            if cursor.is_definition():
                self._class(cursor)
        elif kind in _NAMESPACES:
            for child in children(cursor):
                file = file_offset(child)[0]
                if file in self._own:
                    self.enter(file)
                    self.declaration(child)
        elif kind == _VAR:
            self._global(cursor)
        elif kind == _ENUM:
            self.enums.add(self._namer.name(cursor, self.key(cursor)))
        elif kind == _FRIEND:
            for child in children(cursor):
                if kind_id(child) in FUNCTIONS:
                    self.declaration(child)

    def _global(self, cursor: Cursor) -> None:
        usr = self.variable(cursor)
        start = initializer(cursor)
        if start is None:
            return
        owner = f"init:{usr}"
        body = Statements(self, owner)
        value = _begun(body.full(start), start, cursor.type)
        _, _, line, _ = file_offset(cursor)
        if value is not None:
            body.out.append(f.Assign(f.Var(usr), value, line))
        if body.out:
            name = f"(initialiser of {self._variables[usr].name})"
            self._functions[owner] = f.Function(
                owner, name, "function", [], f.Block(body.out), self._file, line, static=True
            )

    def _class(self, cursor: Cursor) -> None:
        usr = self.key(cursor)
        name = self._namer.name(cursor, usr)
        bases: list[str] = []
        types: list[str] = []
        fields: list[str] = []
        dtor = ""
        ctors: list[str] = []
        tparams: list[str] = []
        methods: list[str] = []
        starts: dict[str, str] = {}
        friends = False
        ends = any(kind_id(c) == _DTOR for c in children(cursor))
        for child in children(cursor):
            kind = kind_id(child)
            friends |= kind == _FRIEND
            if kind in FUNCTIONS and needs_body(child):
                methods.append(self.callee(child))
            if kind in (_FIELD, _VAR):
                self._attributes.read(child, kind)
            if kind in TEMPLATE_PARAMETERS:
                tparams.append(child.spelling)
            elif kind == _FIELD:
                fields.append(self.variable(child))
                start = self._member_start(child, fields[-1], name, ends)
                if start:
                    starts[fields[-1]] = start
            elif kind == _BASE:
                definition = child.get_definition()
                if definition is not None:
                    definition = pattern_of(definition)
                    bases.append(self._namer.name(definition, definition.get_usr()))
                    types.append(spelling_of(child.type))
            elif kind == _DTOR:
                dtor = self.callee(child)
                self.declaration(child)
            elif kind == _CTOR:
                ctors.append(self.callee(child))
                self.declaration(child)
            elif kind == _VAR:
                self.variable(child)
                if initializer(child) is not None:
                    self._global(child)
            else:
                self.declaration(child)
        line = file_offset(cursor)[2]
        self._classes[usr] = Class(
            usr, name, bases, fields, dtor, self._file, line, ctors, tparams, methods, friends,
            kind_id(cursor) == _UNION, types, starts,
        )  # fmt: skip

    def _member_start(self, cursor: Cursor, field: str, cls: str, ends: bool) -> str:
        """A default member initialiser, as a function that every constructor may run.

        A flag's is kept where the class *ends* by code of its own, which may ask for it.  What is
        returned is its text, where it is but a literal.
        """
        usr = f"nsdmi:{field}"
        parts = [c for c in children(cursor) if c.kind.is_expression()]
        if not parts or usr in self._functions:
            return ""
        body = Statements(self, usr)
        self._decls[usr] = Decl(usr, f"{cls}::(initialiser)", 0, cls)
        line = file_offset(cursor)[2]
        read = body.full(parts[-1])
        value = _begun(read, parts[-1], cursor.type)
        literal = value.text if isinstance(value, f.Lit) and not body.out else ""
        names = is_object(cursor.type) and _names_constants(value)
        if cursor.type.get_canonical().kind not in INTEGERS:
            names = names or _refers(value)
        names = names or (is_pointer(cursor.type) and not (literal or isinstance(read, f.Lit)))
        names = names or (ends and isinstance(value, f.Lit) and value.text in _FLAGS)
        if not body.out and not names and not isinstance(value, (f.Closure, f.Fn)):
            return literal
        if value is not None:
            body.out.append(f.Assign(f.Field(f.This(), field), value, line))
        self._functions[usr] = f.Function(
            usr, f"{cls}::(initialiser)", "method", [], f.Block(body.out), self._file, line,
            line, cls,
        )  # fmt: skip
        return literal

    def _function(self, cursor: Cursor, kind: str) -> None:
        usr = self.callee(cursor)
        parts = children(cursor)
        if not any(kind_id(p) in (_COMPOUND, _TRY) for p in parts):
            if not is_defaulted(cursor):
                return
            parts = []
        if usr in self._functions:
            return
        if kind == "function" and kind_id(cursor.semantic_parent) in CLASSES:
            kind = "method"  # a member function template
        decl = self._decls[usr]
        self._current.append(usr)
        params = self._params(parts, usr)
        self._current.pop()
        self.bodies[self._file].update(
            extent_offsets(p)[0] for p in parts if kind_id(p) in (_COMPOUND, _TRY)
        )
        self._current.append(usr)
        body = Statements(self, usr).function_body(parts, spelling_of(cursor.result_type))
        self._current.pop()
        over = [self.callee(c) for c in overridden(cursor)] if kind == "method" else []
        static = cursor.storage_class.value == STATIC or (
            kind == "method" and cursor.is_static_method()
        )
        line = file_offset(cursor)[2]
        self._functions[usr] = f.Function(
            usr, decl.name, kind, params, body, self._file, line,
            body.end or line, decl.cls, "", over, static,
            private=kind == "method" and is_private(cursor), nothrow=never_throws(cursor),
            coroutine=self._is_coroutine(*parts),
        )  # fmt: skip

    def _params(self, parts: list[Cursor], owner: str) -> list[str]:
        return [
            self.variable(p, owner, i)
            for i, p in enumerate(p for p in parts if kind_id(p) == _PARM)
        ]

    def closure(
        self, cursor: Cursor, params: list[Cursor], body: Cursor, owner: str, captures: list[str]
    ) -> str:
        """Read a lambda as a function of its own; returns its id."""
        _, offset, line, _ = file_offset(cursor)
        usr = f"lambda:{self._file}:{offset}:{cursor.type.spelling[-24:]}"
        if usr in self._functions:
            return usr
        parent = self._decls.get(owner)
        name = f"{parent.name if parent else '(initialiser)'}::(lambda)"
        required = sum(initializer(p) is None for p in params)
        cls = parent.cls if parent else ""
        self._decls[usr] = Decl(usr, name, len(params), cls, required=required)
        self._parents[usr] = owner
        self.bodies[self._file].add(extent_offsets(body)[0])
        self._current.append(usr)
        variables = self._params(params, usr)
        block = Statements(self, usr).function_body([body])
        self._current.pop()
        self._functions[usr] = f.Function(
            usr, name, "lambda", variables, block, self._file, line, block.end, parent=owner,
            captures=captures, coroutine=self._is_coroutine(body),
        )  # fmt: skip
        return usr

    # -- what clang dropped -----------------------------------------------------------------------

    def is_awaited(self, end: int) -> bool:
        """Whether ``co_await`` stands before the call that ends at *end* of the current file."""
        syntax = self._syntax.get(self._file)
        return syntax is not None and syntax.is_awaited(end)

    def _is_coroutine(self, *bodies: Cursor) -> bool:
        syntax = self._syntax.get(self._file)
        return syntax is not None and any(
            syntax.is_coroutine(extent_offsets(b)[0])
            for b in bodies
            if kind_id(b) in (_COMPOUND, _TRY)
        )

    def filler(self, start: int, end: int, into: Events) -> Filler:
        """Reads by syntax what clang dropped of the block at *start* of the current file."""
        syntax = self._syntax.get(self._file)
        skipped = self._skipped.get(self._file, [])
        return Filler(self, syntax, into, start, end, skipped)


def _names_constants(value: f.Value | None) -> bool:
    """Whether a value is made of constants some of which have names: a mutex of some kind."""
    if isinstance(value, f.AnyOf):
        return any(map(_names_constants, value.values))
    return isinstance(value, f.Lit) and value.name.isidentifier() and value.text not in _PLAIN


def _refers(value: f.Value | None) -> bool:
    """Whether a member begins with another member or variable in it: a lock, perhaps."""
    if isinstance(value, f.AnyOf):
        return bool(value.fields) and any(map(_refers, value.values))
    return isinstance(value, f.Field | f.Var)
