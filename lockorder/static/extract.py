"""One translation unit to its facts: the walk over declarations.

Only declarations that stand in *own* files are walked.  The caller hands every header to exactly
one unit, so each header function is read once.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from lockorder.static import facts as f
from lockorder.static.attributes import Attributes
from lockorder.static.clang import (
    Cursor,
    CursorKind,
    Unit,
    children,
    extent_offsets,
    file_offset,
    initializer,
    kind_id,
    overridden,
    pattern_of,
)
from lockorder.static.declarations import Class, Decl, Facts, Variable
from lockorder.static.fill import Filler, Missing
from lockorder.static.names import Namer, spelling_of
from lockorder.static.statements import Statements
from lockorder.static.syntax import Syntax
from lockorder.static.tally import Tally

K = CursorKind
_NAMESPACES = frozenset((K.NAMESPACE.value, K.LINKAGE_SPEC.value, K.UNEXPOSED_DECL.value))
_CLASSES = frozenset(
    k.value
    for k in (
        K.CLASS_DECL,
        K.STRUCT_DECL,
        K.UNION_DECL,
        K.CLASS_TEMPLATE,
        K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    )
)
_KINDS = {
    K.FUNCTION_DECL.value: "function",
    K.FUNCTION_TEMPLATE.value: "function",
    K.CXX_METHOD.value: "method",
    K.CONVERSION_FUNCTION.value: "method",
    K.CONSTRUCTOR.value: "constructor",
    K.DESTRUCTOR.value: "destructor",
}
_FIELD, _VAR, _PARM = K.FIELD_DECL.value, K.VAR_DECL.value, K.PARM_DECL.value
_BASE, _FRIEND = K.CXX_BASE_SPECIFIER.value, K.FRIEND_DECL.value
_COMPOUND, _TRY = K.COMPOUND_STMT.value, K.CXX_TRY_STMT.value
_DTOR = K.DESTRUCTOR.value
_TPARAM = K.TEMPLATE_TYPE_PARAMETER.value
_CTOR = K.CONSTRUCTOR.value
_STATIC = 3
#: Kinds from here to 600 are directives and macros, of which there are far more than of the rest.
_PREPROCESSING = 500
_PLAIN = frozenset(
    [
        "void",
        "bool",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "auto",
        "unsigned",
        "signed",
        "size_t",
        "__int128",
        "T",
    ]
)


class Extractor(Tally):
    """Collects the facts of one unit."""

    def __init__(
        self,
        unit: Unit,
        own: AbstractSet[str],
        syntax: Mapping[str, Syntax] | None = None,
        macros: frozenset[str] = frozenset(),
        skipped: Mapping[str, list[tuple[int, int]]] | None = None,
    ) -> None:
        super().__init__(skipped or {})
        self._unit = unit
        self._own = own
        self._syntax = syntax or {}
        self.macros = macros
        self._namer = Namer()
        self._keys: dict[str, str] = {}
        self._variables: dict[str, Variable] = {}
        self._decls: dict[str, Decl] = {}
        self._classes: dict[str, Class] = {}
        self._functions: dict[str, f.Function] = {}
        self._locals: dict[str, dict[str, str]] = {}
        self._parents: dict[str, str] = {}
        self._current: list[str] = []
        #: Structured bindings: where they are declared, and the variable that they are parts of.
        self.bindings: list[tuple[int, int, str]] = []
        self._attributes = Attributes(self)

    def run(self) -> Facts:
        """Walk the unit and return what it says (file counts are added by the caller)."""
        for cursor in children(self._unit.cursor):
            if kind_id(cursor) >= _PREPROCESSING:
                continue
            file = file_offset(cursor)[0]
            if file in self._own:
                self.enter(file)
                self.declaration(cursor)
        for file in sorted(self._own):
            if file in self._syntax:
                self.enter(file)
                Missing(self, self._syntax[file]).read()
        return Facts(
            self._unit.main,
            list(self._functions.values()),
            list(self._classes.values()),
            list(self._variables.values()),
            list(self._decls.values()),
            [],
            contracts=self._attributes.found,
        )

    # -- declarations -----------------------------------------------------------------------------

    def declaration(self, cursor: Cursor) -> None:
        """Read one declaration, and those inside it."""
        kind = kind_id(cursor)
        self._attributes.read(cursor, kind)
        if kind in _KINDS:
            self._function(cursor, _KINDS[kind])
        elif kind in _CLASSES:
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
        elif kind == _FRIEND:
            for child in children(cursor):
                if kind_id(child) in _KINDS:
                    self.declaration(child)

    def _global(self, cursor: Cursor) -> None:
        usr = self.variable(cursor)
        start = initializer(cursor)
        if start is None:
            return
        owner = f"init:{usr}"
        body = Statements(self, owner)
        value = body.full(start)
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
        fields: list[str] = []
        dtor = ""
        ctors: list[str] = []
        tparams: list[str] = []
        for child in children(cursor):
            kind = kind_id(child)
            if kind in (_FIELD, _VAR):
                self._attributes.read(child, kind)
            if kind == _TPARAM:
                tparams.append(child.spelling)
            elif kind == _FIELD:
                fields.append(self.variable(child))
                self._member_start(child, fields[-1], name)
            elif kind == _BASE:
                definition = child.get_definition()
                if definition is not None:
                    definition = pattern_of(definition)
                    bases.append(self._namer.name(definition, definition.get_usr()))
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
        self._classes[usr] = Class(usr, name, bases, fields, dtor, self._file, line, ctors, tparams)

    def _member_start(self, cursor: Cursor, field: str, cls: str) -> None:
        """A default member initialiser, as a function that every constructor may run."""
        usr = f"nsdmi:{field}"
        parts = [c for c in children(cursor) if c.kind.is_expression()]
        if not parts or usr in self._functions:
            return
        body = Statements(self, usr)
        self._decls[usr] = Decl(usr, f"{cls}::(initialiser)", 0, cls)
        line = file_offset(cursor)[2]
        value = body.full(parts[-1])
        if not body.out and not isinstance(value, f.Closure | f.Fn):
            return
        if value is not None:
            body.out.append(f.Assign(f.Field(f.This(), field), value, line))
        self._functions[usr] = f.Function(
            usr, f"{cls}::(initialiser)", "method", [], f.Block(body.out), self._file, line,
            line, cls,
        )  # fmt: skip

    def _function(self, cursor: Cursor, kind: str) -> None:
        usr = self.callee(cursor)
        parts = children(cursor)
        if not any(kind_id(p) in (_COMPOUND, _TRY) for p in parts):
            return
        if usr in self._functions:
            return
        if kind == "function" and kind_id(cursor.semantic_parent) in _CLASSES:
            kind = "method"  # a member function template
        decl = self._decls[usr]
        self._current.append(usr)
        params = self._params(parts, usr)
        self._current.pop()
        self.bodies[self._file].update(
            extent_offsets(p)[0] for p in parts if kind_id(p) in (_COMPOUND, _TRY)
        )
        self._current.append(usr)
        body = Statements(self, usr).function_body(parts)
        self._current.pop()
        over = [self.callee(c) for c in overridden(cursor)] if kind == "method" else []
        static = cursor.storage_class.value == _STATIC or (
            kind == "method" and cursor.is_static_method()
        )
        line = file_offset(cursor)[2]
        self._functions[usr] = f.Function(
            usr, decl.name, kind, params, body, self._file, line,
            body.end, decl.cls, "", over, static,
        )  # fmt: skip

    def _params(self, parts: list[Cursor], owner: str) -> list[str]:
        return [
            self.variable(p, owner, i)
            for i, p in enumerate(p for p in parts if kind_id(p) == _PARM)
        ]

    def closure(self, cursor: Cursor, params: list[Cursor], body: Cursor, owner: str) -> str:
        """Read a lambda as a function of its own; returns its id."""
        _, offset, line, _ = file_offset(cursor)
        usr = f"lambda:{self._file}:{offset}:{cursor.type.spelling[-24:]}"
        if usr in self._functions:
            return usr
        parent = self._decls.get(owner)
        name = f"{parent.name if parent else '(initialiser)'}::(lambda)"
        self._decls[usr] = Decl(usr, name, len(params), parent.cls if parent else "")
        self._parents[usr] = owner
        self.bodies[self._file].add(extent_offsets(body)[0])
        self._current.append(usr)
        variables = self._params(params, usr)
        block = Statements(self, usr).function_body([body])
        self._current.pop()
        self._functions[usr] = f.Function(
            usr, name, "lambda", variables, block, self._file, line, block.end, parent=owner
        )
        return usr

    def bound(self, cursor: Cursor) -> tuple[str, int] | None:
        """The variable that a structured binding is a part of, and which part."""
        offset = file_offset(cursor)[1]
        for start, end, usr in reversed(self.bindings):
            if start <= offset < end:
                before = self.between(start, offset)
                return usr, before[before.rfind("[") :].count(",")
        return None

    # -- names and places -------------------------------------------------------------------------

    def key(self, cursor: Cursor) -> str:
        """The USR; where it holds only a file's base name, made unique by the whole path."""
        raw = str(cursor.get_usr())
        if not raw or raw[2:3] == "@":
            return raw
        found = self._keys.get(raw)
        if found is None:
            found = self._keys[raw] = f"{raw}!{file_offset(cursor)[0]}"
        return found

    def variable(self, cursor: Cursor, owner: str = "", index: int = 0) -> str:
        """Record a variable, parameter or field (of a template: its pattern); returns its key."""
        usr = self.key(cursor)
        if not usr:
            usr = f"{owner}@{index}"
        if usr in self._variables:
            return usr
        kind = kind_id(cursor)
        parent = cursor.semantic_parent
        parent_kind = kind_id(parent) if parent is not None else 0
        if kind == _FIELD:
            sort = "field"
        elif kind == _PARM:
            sort = "param"
        elif parent_kind in _KINDS or parent_kind == 0:
            sort = "static" if cursor.storage_class.value == _STATIC else "local"
        else:
            sort = "member" if parent_kind in _CLASSES else "global"
        name = self._namer.name(cursor, usr) if sort != "local" else cursor.spelling
        if sort == "param":
            name = cursor.spelling
        file, _, line, _ = file_offset(cursor)
        home = parent.get_usr() if parent is not None and sort in ("field", "member") else owner
        if sort == "local" and self._current:
            home = self._current[-1]
        if sort == "static" and parent is not None:
            name = f"{self._namer.name(parent, parent.get_usr())}()::{cursor.spelling}"
        type_name = spelling_of(cursor.type)
        defined = sort == "global" and bool(cursor.is_definition())
        self._variables[usr] = Variable(usr, name, sort, type_name, home, file, line, defined)
        if sort in ("local", "param", "static") and self._current:
            self._locals.setdefault(self._current[-1], {})[cursor.spelling] = usr
        return usr

    def callee(self, cursor: Cursor) -> str:
        """Record a function that is declared, named or called; returns its key."""
        pattern = pattern_of(cursor)
        usr = self.key(pattern)
        if usr not in self._decls:
            parent = pattern.semantic_parent
            cls = ""
            if parent is not None and kind_id(parent) in _CLASSES:
                cls = self._namer.name(parent, parent.get_usr())
            count = sum(1 for a in pattern.get_arguments() if a is not None)
            if kind_id(pattern) == K.FUNCTION_TEMPLATE.value:
                count = sum(1 for c in children(pattern) if kind_id(c) == _PARM)
            self._decls[usr] = Decl(
                usr,
                self._namer.name(pattern, usr),
                count,
                cls,
                bool(pattern.is_virtual_method()),
                pattern.result_type.get_canonical().spelling,
            )
        return usr

    # -- what clang dropped -----------------------------------------------------------------------

    def filler(self, start: int, end: int, into: Statements) -> Filler:
        """Reads by syntax what clang dropped of the block at *start* of the current file."""
        syntax = self._syntax.get(self._file)
        skipped = self._skipped.get(self._file, [])
        return Filler(self, syntax, into, start, end, skipped)

    def local_named(self, owner: str, name: str) -> str | None:
        """The key of the local or parameter *name* of a function or of those around it."""
        here: str | None = owner
        while here:
            found = self._locals.get(here, {}).get(name)
            if found is not None:
                return found
            here = self._parents.get(here)
        return None

    def local_by_syntax(self, owner: str, name: str, spelling: str, offset: int) -> str:
        """Record a local that only the syntax shows."""
        known = self.local_named(owner, name)
        if known is not None and self._variables[known].line == self.line_at(offset + 1):
            # clang has the declaration but lost its type: what is spelt is better than int.
            old = self._variables[known]
            self._variables[known] = Variable(
                known, old.name, old.kind, spelling, old.owner, old.file, old.line
            )
            return known
        usr = f"syntax:{self._file}:{offset}"
        line = self.line_at(offset + 1)
        self._variables[usr] = Variable(usr, name, "local", spelling, owner, self._file, line)
        self._locals.setdefault(owner, {})[name] = usr
        return usr

    def function_by_syntax(self, function: f.Function, params: list[tuple[str, str]]) -> None:
        """Record a function that only the syntax shows, with its parameters' names and types."""
        for usr, (name, spelling) in zip(function.params, params, strict=True):
            self._variables[usr] = Variable(
                usr, name, "param", spelling, function.usr, self._file, function.line
            )
            self._locals.setdefault(function.usr, {})[name] = usr
        decl = Decl(function.usr, function.name, len(params), function.cls)
        self._decls.setdefault(function.usr, decl)
        self._functions.setdefault(function.usr, function)

    def adopt(self, usr: str, parent: str) -> None:
        """Names of *parent* are visible in *usr*."""
        self._parents[usr] = parent

    def name_of(self, usr: str) -> str:
        """The qualified name of a function known so far."""
        decl = self._decls.get(usr)
        return decl.name if decl is not None else ""

    # -- sources ----------------------------------------------------------------------------------

    def returns_object(self, usr: str) -> bool:
        """Whether a function returns a class by value, so that a call makes a temporary."""
        decl = self._decls.get(usr)
        result = decl.result if decl is not None else ""
        return bool(result) and result[-1] not in "&*" and result.split(" ")[-1] not in _PLAIN
