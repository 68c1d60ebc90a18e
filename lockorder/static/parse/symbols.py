"""The symbol table of one unit: what its declarations are called, and where they were seen.

Every declaration is recorded once, by its key, whether clang has it or only the syntax shows it.
"""

from __future__ import annotations

from collections.abc import Mapping

from clang.cindex import AccessSpecifier, TypeKind

from lockorder.static.discovery.libraries import is_of_c_library
from lockorder.static.parse.clang import (
    Cursor,
    CursorKind,
    children,
    file_offset,
    initializer,
    kind_id,
    opaque_parameters,
    passing,
    pattern_of,
    template_arguments,
)
from lockorder.static.parse.declarations import Class, Decl, Variable
from lockorder.static.parse.facts import Fn, Function, Instance, Value
from lockorder.static.parse.names import Namer, spelling_of, split_template, strip_type
from lockorder.static.parse.recovery.spellings import Spellings
from lockorder.static.parse.tally import Tally
from lockorder.static.parse.wholes import Firsts

K = CursorKind
CLASSES = frozenset(
    k.value
    for k in (
        K.CLASS_DECL,
        K.STRUCT_DECL,
        K.UNION_DECL,
        K.CLASS_TEMPLATE,
        K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION,
    )
)
#: Declarations of functions, and the kind of function that each is.
FUNCTIONS = {
    K.FUNCTION_DECL.value: "function",
    K.FUNCTION_TEMPLATE.value: "function",
    K.CXX_METHOD.value: "method",
    K.CONVERSION_FUNCTION.value: "method",
    K.CONSTRUCTOR.value: "constructor",
    K.DESTRUCTOR.value: "destructor",
}
STATIC = 3  # CX_SC_Static
_TEMPLATE_REF, _CLASS_TEMPLATE = K.TEMPLATE_REF.value, K.CLASS_TEMPLATE.value
_UNEXPOSED = TypeKind.UNEXPOSED.value
_FIELD, _PARM = K.FIELD_DECL.value, K.PARM_DECL.value
PLAIN = frozenset(
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


#: Parameters of templates: types, values, templates.
TEMPLATE_PARAMETERS = frozenset(
    k.value
    for k in (
        K.TEMPLATE_TYPE_PARAMETER,
        K.TEMPLATE_NON_TYPE_PARAMETER,
        K.TEMPLATE_TEMPLATE_PARAMETER,
    )
)


class SymbolTable(Tally):
    """Names and records the declarations of one unit."""

    def __init__(self, skipped: Mapping[str, list[tuple[int, int]]]) -> None:
        super().__init__(skipped)
        self._namer = Namer()
        self._keys: dict[str, str] = {}
        self._variables: dict[str, Variable] = {}
        self._decls: dict[str, Decl] = {}
        self._classes: dict[str, Class] = {}
        self._functions: dict[str, Function] = {}
        #: names of enumerations
        self.enums: set[str] = set()
        self._locals: dict[str, dict[str, str]] = {}
        self._parents: dict[str, str] = {}
        self._current: list[str] = []
        #: Casts between structures and their first members.
        self.firsts = Firsts()
        #: Structured bindings: where they are declared, and the variable that they are parts of.
        self.bindings: list[tuple[int, int, str]] = []
        #: How types are spelt in a file that only its syntax shows; None of any other.
        self.spellings: Spellings | None = None
        #: By key of a field: the template's field that it was made from.
        self._patterns: dict[str, str] = {}
        #: Whether declarations are to say all that their heads do.
        self.heads = False

    # -- what clang shows -------------------------------------------------------------------------

    def key(self, cursor: Cursor) -> str:
        """The USR; where it holds only a file's base name, made unique by the whole path.

        An unnamed field has none: its place stands for it.
        """
        raw = str(cursor.get_usr())
        if not raw and kind_id(cursor) == _FIELD:
            file, offset, _, _ = file_offset(cursor)
            return f"unnamed:{file}:{offset}"
        if not raw or raw[2:3] == "@":
            return raw
        found = self._keys.get(raw)
        if found is None:
            found = self._keys[raw] = f"{raw}!{file_offset(cursor)[0]}"
        return found

    def deduced(self, cursor: Cursor) -> str:
        """The class template of a variable whose arguments depend on a template's around it.

        ``std::lock_guard hold(mu)``: clang spells the type as it stands there, without namespaces.
        """
        if cursor.type.get_canonical().kind.value != _UNEXPOSED:
            return ""
        spelling = spelling_of(cursor.type)
        for child in children(cursor):
            if kind_id(child) == _TEMPLATE_REF and child.spelling == strip_type(spelling):
                template = child.referenced
                if template is not None and kind_id(template) == _CLASS_TEMPLATE:
                    return self._namer.name(template, template.get_usr())
        return ""

    def variable(self, cursor: Cursor, owner: str = "", index: int = 0) -> str:
        """Record a variable, parameter or field (of a template: its pattern); returns its key."""
        usr = self.key(cursor)
        if not usr:
            usr = f"{owner}@{index}"
        usr = self._patterns.get(usr, usr)
        if usr in self._variables:
            return usr
        kind = kind_id(cursor)
        if kind == _FIELD:
            cursor = _field_pattern(cursor)
            made_from, usr = usr, self.key(cursor)
            self._patterns[made_from] = usr
            if usr in self._variables:
                return usr
        parent = cursor.semantic_parent
        made = self._arguments_of(parent) if kind == K.VAR_DECL.value else []
        if made:  # each instance of a class template has one of its own
            usr = f"{self.key(pattern_of(cursor))}<{','.join(made)}>"
            if usr in self._variables:
                return usr
        parent_kind = kind_id(parent) if parent is not None else 0
        if kind == _FIELD:
            sort = "field"
        elif kind == _PARM:
            sort = "param"
        elif parent_kind in FUNCTIONS or parent_kind == 0:
            sort = "static" if cursor.storage_class.value == STATIC else "local"
        else:
            sort = "member" if parent_kind in CLASSES else "global"
        name = self._namer.name(cursor, usr) if sort != "local" else cursor.spelling
        if sort == "param":
            name = cursor.spelling
        if made:
            name = f"{name.rpartition('::')[0]}<{','.join(made)}>::{cursor.spelling}"
        file, _, line, _ = file_offset(cursor)
        home = parent.get_usr() if parent is not None and sort in ("field", "member") else owner
        if sort == "local" and self._current:
            home = self._current[-1]
        if sort == "static" and parent is not None:
            name = f"{self._namer.name(parent, parent.get_usr())}()::{cursor.spelling}"
        type_name = self.deduced(cursor) or spelling_of(cursor.type)
        defined = sort == "global" and bool(cursor.is_definition())
        private = sort == "field" and cursor.access_specifier is AccessSpecifier.PRIVATE
        self._variables[usr] = Variable(
            usr, name, sort, type_name, home, file, line, defined, private
        )
        if sort in ("local", "param", "static") and self._current:
            self._locals.setdefault(self._current[-1], {})[cursor.spelling] = usr
        return usr

    def is_lasting(self, usr: str) -> bool:
        """Whether a variable that is known by now outlives all calls of functions."""
        known = self._variables.get(usr)
        return known is not None and known.kind in ("global", "static", "member")

    def points(self, usr: str) -> bool:
        """Whether a variable or field that is known by now is a plain pointer."""
        known = self._variables.get(usr)
        return known is not None and known.type.endswith("*")

    def callee(self, cursor: Cursor) -> str:
        """Record a function that is declared, named or called; returns its key."""
        pattern = pattern_of(cursor)
        usr = self.key(pattern)
        if usr not in self._decls:
            parent = pattern.semantic_parent
            cls = ""
            if parent is not None and kind_id(parent) in CLASSES:
                cls = self._namer.name(parent, parent.get_usr())
            tparams: list[str] = []
            if kind_id(pattern) == K.FUNCTION_TEMPLATE.value:
                parts = children(pattern)
                count = sum(1 for c in parts if kind_id(c) == _PARM)
                tparams = [str(c.spelling) for c in parts if kind_id(c) in TEMPLATE_PARAMETERS]
            else:
                count = sum(1 for a in pattern.get_arguments() if a is not None)
            self._decls[usr] = Decl(
                usr,
                self._namer.name(pattern, usr),
                count,
                cls,
                bool(pattern.is_virtual_method()),
                pattern.result_type.get_canonical().spelling,
                passed=passing(pattern),
                tparams=tparams,
                private=pattern.access_specifier is AccessSpecifier.PRIVATE,
            )
            if pattern.canonical.location.is_in_system_header:
                self._decls[usr].libc = is_of_c_library(file_offset(pattern.canonical)[0])
                self._decls[usr].opaque = opaque_parameters(pattern)
            if self.heads or kind_id(pattern) == K.CONSTRUCTOR.value:
                self._head(self._decls[usr], pattern)
            elif not pattern.location.is_in_system_header:
                self._decls[usr].defaults = self._defaults(pattern.canonical)
        return usr

    def function(self, cursor: Cursor, base: Value | None = None) -> Fn:
        """A function that is named or called; with its arguments where a template made it."""
        usr = self.callee(cursor)
        pattern = pattern_of(cursor)
        if pattern is cursor or pattern.location.is_in_system_header:
            return Fn(usr, base)
        outer = self._arguments_of(cursor.semantic_parent)
        args = template_arguments(cursor)
        return Instance(usr, base, args, outer) if args or outer else Fn(usr, base)

    def _arguments_of(self, cls: Cursor | None) -> list[str]:
        """Template arguments of a class."""
        if cls is None or kind_id(cls) not in CLASSES:
            return []
        return split_template(str(cls.type.get_canonical().spelling))[1]

    def _head(self, decl: Decl, pattern: Cursor) -> None:
        """What chooses among functions of one name, for those who do so without clang."""
        parameters = [c for c in children(pattern) if kind_id(c) == _PARM]
        decl.types = [spelling_of(p.type) for p in parameters]
        if pattern.type.is_function_variadic():
            decl.types.append("...")
        decl.static = pattern.storage_class.value == STATIC
        decl.required = sum(initializer(p) is None for p in parameters)
        decl.defaults = self._defaults(pattern)

    def _defaults(self, pattern: Cursor) -> list[str]:
        """Literals that are defaults of its last parameters; empty texts for other defaults."""
        starts = (initializer(c) for c in children(pattern) if kind_id(c) == _PARM)
        return [self._literal(s) for s in starts if s is not None]

    def _literal(self, cursor: Cursor) -> str:
        """The text of a literal, which the syntax alone would show; empty for other values."""
        text = self.text(cursor)
        known = text in ("true", "false", "nullptr") or text.isdecimal()
        return text if known else ""

    def bound(self, cursor: Cursor) -> tuple[str, int] | None:
        """The variable that a structured binding is a part of, and which part."""
        offset = file_offset(cursor)[1]
        for start, end, usr in reversed(self.bindings):
            if start <= offset < end:
                before = self.between(start, offset)
                return usr, before[before.rfind("[") :].count(",")
        return None

    def returns_object(self, usr: str) -> bool:
        """Whether a function returns a class by value, so that a call makes a temporary."""
        decl = self._decls.get(usr)
        result = decl.result if decl is not None else ""
        return bool(result) and result[-1] not in "&*" and result.split(" ")[-1] not in PLAIN

    # -- what only the syntax shows ---------------------------------------------------------------

    def local_named(self, owner: str, name: str) -> str | None:
        """The key of the local or parameter *name* of a function or of those around it."""
        here: str | None = owner
        while here:
            found = self._locals.get(here, {}).get(name)
            if found is not None:
                return found
            here = self._parents.get(here)
        return None

    def spelled(self, text: str) -> str:
        """The type *text* as it is called elsewhere, as far as the syntax tells."""
        return self.spellings.full(text) if self.spellings is not None else text

    def called(self, text: str) -> str:
        """The name *text* in an expression as it is called elsewhere, as far as syntax tells."""
        return self.spellings.name(text) if self.spellings is not None else text

    def class_by_syntax(self, cls: Class) -> None:
        """Record a class that only the syntax shows."""
        self._classes.setdefault(cls.usr, cls)

    def variable_by_syntax(self, variable: Variable) -> None:
        """Record a field or global that only the syntax shows."""
        self._variables.setdefault(variable.usr, variable)

    def declared_by_syntax(self, decl: Decl) -> None:
        """Record a function without a body that only the syntax shows."""
        self._decls.setdefault(decl.usr, decl)

    def local_by_syntax(
        self, owner: str, name: str, spelling: str, offset: int, static: bool = False
    ) -> str:
        """Record a local that only the syntax shows."""
        spelling = self.spelled(spelling)
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
        kind, whole = "local", name
        if static:
            kind, whole = "static", f"{self.name_of(owner)}()::{name}"
        self._variables[usr] = Variable(usr, whole, kind, spelling, owner, self._file, line)
        self._locals.setdefault(owner, {})[name] = usr
        return usr

    def function_by_syntax(self, function: Function, params: list[tuple[str, str]]) -> None:
        """Record a function that only the syntax shows, with its parameters' names and types."""
        for usr, (name, spelling) in zip(function.params, params, strict=True):
            self._variables[usr] = Variable(
                usr, name, "param", self.spelled(spelling), function.usr, self._file, function.line
            )
            self._locals.setdefault(function.usr, {})[name] = usr
        decl = Decl(function.usr, function.name, len(params), function.cls)
        self._decls.setdefault(function.usr, decl)
        self._functions.setdefault(function.usr, function)

    def adopt(self, usr: str, parent: str) -> None:
        """Names of *parent* are visible in *usr*."""
        self._parents[usr] = parent

    def qualified(self, cursor: Cursor) -> str:
        """The qualified name of a declaration."""
        return self._namer.name(cursor, cursor.get_usr())

    def name_of(self, usr: str) -> str:
        """The qualified name of a function known so far."""
        decl = self._decls.get(usr)
        return decl.name if decl is not None else ""


def _field_pattern(field: Cursor) -> Cursor:
    """The field of the template that *field* was made from, where no argument decides its type.

    In the template's own methods it is known by that.
    """
    parent = field.semantic_parent
    pattern = pattern_of(parent) if parent is not None else parent
    if pattern is parent or field.location.is_in_system_header:
        return field
    place, spelling = file_offset(field)[:2], spelling_of(field.type)
    for each in children(pattern):
        if kind_id(each) == _FIELD and file_offset(each)[:2] == place:
            return each if spelling_of(each.type) == spelling else field
    return field
