"""C and C++ sources as trees of the same kind as Python's, read by their syntax (tree-sitter).

What C has and Python has not becomes a call of a name that no program can have (``__addr__``,
``__deref__``), or a node of its own: ``Store`` (an assignment that is an expression), ``Switch``,
``Labeled`` and ``Goto``, ``Closure``.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from lockorder.python.modules import Program, Source
from lockorder.ranks import c_macros
from lockorder.ranks.c_bodies import Bodies, Read
from lockorder.ranks.c_nodes import arguments, kids, within
from lockorder.static.discovery import sources

_WORD = re.compile(rb"[A-Za-z_]\w*")
_PARSER = Parser(Language(tree_sitter_cpp.language()))
_PLAIN_TYPES = re.compile(
    r"\b(?:int|long|short|char|float|double|bool|unsigned|signed|size_t|u?int\d+_t|void|auto)\b"
)
#: A type that holds an object, or several, and ends them where it ends.
_HOLDER = re.compile(r"(?:\w+::)*(unique_ptr|shared_ptr|optional|vector|array|list|deque)<(.*)>")
#: Methods with a sign for a name, as Python has them.
_OPERATORS = {"operator()": "__call__", "operator[]": "__getitem__"}
_MANY = re.compile(r"(?:\w+::)*(vector|array|list|deque|(?:unordered_)?map)<(.*)>")
_SMART = re.compile(r"(?:[\w:]*(?:_ptr|optional|reference_wrapper)|std::vector)<(.*)>")


class Unit(msgspec.Struct, eq=False):
    """One file: its declarations, and the methods that it defines outside of their classes."""

    body: list[ast.stmt]
    functions: list[ast.FunctionDef]
    methods: list[tuple[str, ast.FunctionDef]]
    words: frozenset[str]
    digest: str
    #: defaults of functions that are only declared, by name and number of parameters
    defaults: dict[tuple[str, int], list[ast.expr]] = {}


def words_of(data: bytes) -> frozenset[str]:
    """The words in a text."""
    return frozenset(w.decode() for w in _WORD.findall(data))


def read(
    files: Iterable[Path], program: Program | None = None, units: dict[Path, Unit] | None = None
) -> Program:
    """The program that C and C++ files make, added to *program*.

    Each file is read once for all calls with the same *units*.
    """
    program = program or Program()
    units = {} if units is None else units
    number = 1_000_000
    found: list[tuple[Source, Unit]] = []
    for file in sorted(files):
        try:
            unit = units.get(file) or units.setdefault(file, _unit(file.read_bytes()))
        except OSError as error:
            program.problems.append(f"{file}: {error.strerror or error}")
            continue
        except ValueError as error:
            program.problems.append(f"{file}: {error}")
            continue
        number += 1
        program.files[str(file)] = unit.digest
        # Classes get methods of other files as well, and the unit is to stay as it is.
        body = [_with_own_body(n) if isinstance(n, ast.ClassDef) else n for n in unit.body]
        tree = ast.Module(body, [])
        source = Source(str(file), file.name, tree, -number, c=True, words=unit.words)
        for function in unit.functions:
            function.source = source  # type: ignore[attr-defined]
        program.add(source)
        found.append((source, unit))
    _join(found)
    _with_defaults(found)
    return program


def _with_defaults(found: Sequence[tuple[Source, Unit]]) -> None:
    """Tell functions the defaults that their declarations have, where these are agreed on."""
    known: dict[tuple[str, int], list[ast.expr]] = {}
    for _, unit in found:
        for key, defaults in unit.defaults.items():
            other = known.setdefault(key, defaults)
            if [ast.dump(x) for x in other] != [ast.dump(x) for x in defaults]:
                known[key] = []
    for _, unit in found:
        for function in unit.functions:
            key = function.name, len(function.args.args)
            function.usual = known.get(key, [])  # type: ignore[attr-defined]


def _unit(data: bytes) -> Unit:
    """Raises ValueError for what is not text."""
    if b"\0" in data:
        raise ValueError("not text")
    text = c_macros.put_in(data)
    reader = _Reader(text)
    body = reader.unit(_PARSER.parse(text).root_node)
    return Unit(
        body,
        reader.functions,
        reader.methods,
        words_of(text),
        sources.digest(data),
        reader.defaults,
    )


def _with_own_body(node: ast.ClassDef) -> ast.ClassDef:
    made = copy.copy(node)
    made.body = list(node.body)
    return made


def _join(found: Sequence[tuple[Source, Unit]]) -> None:
    """Put methods that are defined outside of their classes into these."""
    classes: dict[str, ast.ClassDef] = {}
    for source, _ in found:
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef):
                known = classes.setdefault(node.name, node)
                if known is not node and len(known.body) < len(node.body):
                    classes[node.name] = node
    for source, unit in found:
        for name, method in unit.methods:
            home = classes.get(name)
            if home is None:
                home = classes[name] = ast.ClassDef(
                    name, [], [], [], [], lineno=method.lineno, col_offset=0
                )
                source.tree.body.append(home)
            home.body.append(method)


def _is_template(node: Node) -> bool:
    return node.type == "template_declaration"


def _enumerations(node: Node) -> list[Node]:
    """The enumerations that a member of a class defines."""
    kind = node.child_by_field_name("type")
    return [x for x in (node, kind) if x is not None and x.type == "enum_specifier"]


def _parted(text: str) -> list[str]:
    """What stands between the commas of a text, those in brackets left alone."""
    found, depth = [""], 0
    for sign in text:
        depth += (sign in "<([") - (sign in ">)]")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return found


class _Reader(Bodies):
    """Reads one file."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self.methods: list[tuple[str, ast.FunctionDef]] = []
        #: how many functions are around what is read
        self.inside = 0
        #: other names of types
        self.types: dict[str, str] = {}
        self.defaults: dict[tuple[str, int], list[ast.expr]] = {}
        #: names of types of functions
        self.callables: set[str] = set()

    # -- units ------------------------------------------------------------------------------------

    def unit(self, root: Node) -> list[ast.stmt]:
        """The declarations of a file."""
        for node in within(root, ("struct_specifier", "class_specifier")):
            if node.child_by_field_name("body") is not None:
                self.structs.add(self.text(node.child_by_field_name("name")))
        for node in within(root, ("type_definition",)):
            inner = node.child_by_field_name("type")
            if (
                inner is not None
                and inner.type == "struct_specifier"
                and inner.child_by_field_name("body")
            ):
                other = self.text(node.child_by_field_name("declarator"))
                self.structs.add(other)
                own = self.text(inner.child_by_field_name("name"))
                if own and own != other and re.fullmatch(r"\w+", other):
                    self.types[other] = own
            declarator = node.child_by_field_name("declarator")
            if declarator is not None and declarator.type == "function_declarator":
                names = within(declarator, ("type_identifier",))
                self.callables.update(self.text(n) for n in list(names)[:1])
            elif inner is not None and declarator is not None and "<" in self.text(inner):
                self.types[self.text(declarator)] = self.text(inner)
        for node in within(root, ("alias_declaration",)):
            self.types[self.text(node.child_by_field_name("name"))] = self.text(
                node.child_by_field_name("type")
            )
        found: list[ast.stmt] = []
        for node in kids(root):
            found += self.top(node)
        return found

    def top(self, node: Node) -> list[ast.stmt]:
        kind = node.type
        if kind == "function_definition":
            return self.function(node)
        if kind in (
            "linkage_specification",
            "namespace_definition",
            "declaration_list",
            "template_declaration",
        ):
            body = node.child_by_field_name("body") or node
            return [x for n in kids(body) for x in self.top(n)]
        if kind == "enum_specifier":
            return self.enumerators(node)
        if kind in ("declaration", "struct_specifier", "class_specifier", "type_definition"):
            return self.declaration(node)
        if kind.startswith("preproc"):
            return self.directive(node, self.top)
        if kind == "expression_statement":
            return self.statement(node)
        return []

    def directive(self, node: Node, read: Read) -> list[ast.stmt]:
        """A line of the preprocessor: constants, functions that are macros, what is switched."""
        kind = node.type
        name = self.text(node.child_by_field_name("name"))
        value = node.child_by_field_name("value")
        if kind == "preproc_def" and value is not None:
            inner = self._part(self.text(value).encode() + b";")
            if inner is None:
                return []
            if any(isinstance(x, ast.Call) for x in ast.walk(inner)):
                # What is called is called wherever the name stands.
                made = self.at(ast.FunctionDef(name, arguments([]), [], []), node)
                made.body = [self.at(ast.Return(inner), node)]
                made.stands_for = True
                self.functions.append(made)
                return [made]
            return [self.at(ast.Assign([ast.Name(name, ast.Store())], inner), node)]
        if kind == "preproc_function_def" and value is not None:
            return self._macro(node, name, value)
        if kind in ("preproc_ifdef", "preproc_if", "preproc_elif", "preproc_else"):
            skip = (
                node.child_by_field_name("name"),
                node.child_by_field_name("condition"),
                node.child_by_field_name("alternative"),
            )
            negative = kind == "preproc_ifdef" and self.text(node).startswith("#ifndef")
            off = kind == "preproc_if" and self.text(skip[1]).strip() == "0"
            other = skip[2]
            if (negative or off) and other is not None:
                return self.directive(other, read)
            if off:
                return []
            return [x for n in kids(node) if n not in skip for x in read(n)]
        return []

    def _part(self, data: bytes) -> ast.expr | None:
        """The expression that stands in a text."""
        tree = _PARSER.parse(b"void f() { return " + data + b" }")
        returns = list(within(tree.root_node, ("return_statement",)))
        if not returns or tree.root_node.has_error or not kids(returns[0]):
            return None
        kept, self.data = self.data, b"void f() { return " + data + b" }"
        try:
            return self.expression(kids(returns[0])[0])
        finally:
            self.data = kept

    def _macro(self, node: Node, name: str, value: Node) -> list[ast.stmt]:
        text = self.text(value).replace("\\\n", " \n")
        parameters = [self.text(p) for p in kids(node.child_by_field_name("parameters") or node)]
        data = b"void f() {" + text.encode() + b";}"
        tree = _PARSER.parse(data)
        bodies = list(within(tree.root_node, ("compound_statement",)))
        if tree.root_node.has_error or not bodies:
            return []
        kept, self.data = self.data, data
        try:
            body = self.block(bodies[0])
        finally:
            self.data = kept
        line = node.start_point[0] + 1
        for statement in body:
            for inner in ast.walk(statement):
                if hasattr(inner, "lineno"):
                    inner.lineno = line
        if len(body) == 1 and isinstance(body[0], ast.Expr):
            body = [ast.Return(body[0].value, lineno=line, col_offset=0)]
        statements = body or [ast.Pass(lineno=line, col_offset=0)]
        given = arguments([ast.arg(p) for p in parameters])
        for parameter in given.args:
            parameter.by_reference = True  # type: ignore[attr-defined]
        made = ast.FunctionDef(name, given, statements, [], lineno=line, col_offset=0)
        made.macro = True  # type: ignore[attr-defined]
        self.functions.append(made)
        return [made]

    # -- functions and classes --------------------------------------------------------------------

    def function(self, node: Node) -> list[ast.stmt]:
        """A definition; of a method outside of its class, it goes there."""
        declarator = node.child_by_field_name("declarator")
        body = node.child_by_field_name("body") or next(
            (x for x in kids(node) if x.type == "try_statement"), None
        )
        while declarator is not None and declarator.type in (
            "pointer_declarator",
            "reference_declarator",
        ):
            declarator = declarator.child_by_field_name("declarator") or (
                kids(declarator)[-1] if kids(declarator) else None
            )
        if declarator is None or declarator.type != "function_declarator":
            return []
        name = self.text(declarator.child_by_field_name("declarator"))
        parameters = self.parameters(declarator.child_by_field_name("parameters"))
        statements: list[ast.stmt] = []
        for part in kids(node):
            if part.type == "field_initializer_list":
                statements += self._initializers(part)
        if body is None:
            return []
        kind = self.typed(self.text(node.child_by_field_name("type")))
        around, self.returned = self.returned, kind.id if isinstance(kind, ast.Name) else ""
        self.inside += 1
        if body.type == "try_statement":
            statements += self.statement(body)
        else:
            statements += self.block(body)
        self.inside -= 1
        self.returned = around
        parts = re.sub(r"<[^<>]*>", "", name).split("::")
        short = _OPERATORS.get("".join(parts[-1].split()), parts[-1])
        outer = parts[-2] if len(parts) > 1 else ""
        made: ast.FunctionDef = self.at(
            ast.FunctionDef(
                short, arguments(parameters), statements or [self.at(ast.Pass(), node)], []
            ),
            node,
        )
        template = node.parent if node.parent is not None else node
        made.template = self._template(template)  # type: ignore[attr-defined]
        made.gives = self.holding(node)  # type: ignore[attr-defined]
        self.functions.append(made)
        if outer and (outer in self.structs or short == outer or outer[:1].isupper()):
            if short == outer:
                made.name = "__init__"
            self.methods.append((outer, made))
            return []
        return [made]

    def _template(self, node: Node) -> list[tuple[str, ast.expr | None]]:
        """The parameters of a template, and what they are where nothing is given."""
        found: list[tuple[str, ast.expr | None]] = []
        given = node.child_by_field_name("parameters") if _is_template(node) else None
        for one in kids(given) if given is not None else ():
            declarator = one.child_by_field_name("declarator") or one.child_by_field_name("name")
            name = self.declared(declarator) if declarator is not None else ""
            default = one.child_by_field_name("default_value")
            value = self.expression(default) if default is not None else None
            found.append((name or self.text(kids(one)[-1] if kids(one) else None), value))
        return found

    def _initializers(self, node: Node) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for one in kids(node):
            if one.type != "field_initializer" or len(kids(one)) < 2:
                continue
            name, values = kids(one)[0], kids(one)[1]
            args = [self.expression(x) for x in kids(values)]
            short = re.sub(r"<.*>", "", self.text(name)).rpartition("::")[2]
            target = ast.Attribute(self.name("this", one), short, ast.Store())
            begun = self.apply("__begin__", [self.at(target, one), *args], one)
            found.append(self.at(ast.Expr(begun), one))
        return found

    def _only_declared(self, declarator: Node) -> None:
        given = arguments(self.parameters(declarator.child_by_field_name("parameters")))
        if given.defaults:
            self.defaults[self.declared(declarator), len(given.args)] = given.defaults

    def holding(self, node: Node, declarator: Node | None = None) -> tuple[str, str]:
        """How what is declared holds an object, and of which class; nothing for references.

        ``value``: the variable is the object; ``unique``, ``shared`` and ``optional``: it may have
        one; ``row``: it has several; ``auto``: as what it begins with.
        """
        declarator = declarator or node.child_by_field_name("declarator")
        while declarator is not None and declarator.type == "init_declarator":
            declarator = declarator.child_by_field_name("declarator")
        if declarator is not None and declarator.type in (
            "pointer_declarator",
            "reference_declarator",
            "array_declarator",
        ):
            return "", ""
        text = self.text(node.child_by_field_name("type"))
        for _ in range(3):
            text = re.sub(r"\b(?:const|struct|class|typename)\b|\s+", " ", text).strip()
            if text not in self.types:
                break
            text = self.types[text]
        if text == "auto":
            return "auto", ""
        match = _HOLDER.fullmatch(text.replace(" ", ""))
        if match is not None:
            kind = match[1] if match[1] in ("unique_ptr", "shared_ptr", "optional") else "row"
            if kind == "row" and "*" in match[2]:
                return "", ""
            inner = self.typed(match[2].partition(",")[0])
            return kind.removesuffix("_ptr"), inner.id if isinstance(inner, ast.Name) else ""
        text = re.sub(r"<.*>", "", text)
        if not re.fullmatch(r"[\w:]+", text) or _PLAIN_TYPES.fullmatch(text):
            return "", ""
        return "value", text

    def parameters(self, node: Node | None) -> list[ast.arg]:
        """Parameters, with the classes that their types name."""
        found: list[ast.arg] = []
        for one in kids(node) if node is not None else ():
            if one.type not in ("parameter_declaration", "optional_parameter_declaration"):
                continue
            declarator = one.child_by_field_name("declarator")
            name = self.declared(declarator)
            arg = ast.arg(name or f"#{len(found)}")
            arg.annotation = self.typed(self.text(one.child_by_field_name("type")))
            arg.by_reference = (  # type: ignore[attr-defined]
                declarator is not None and declarator.type == "reference_declarator"
                and "const" not in self.text(one).split("&")[0]
            )  # fmt: skip
            default = one.child_by_field_name("default_value")
            if default is not None:
                arg.default = self.expression(default)  # type: ignore[attr-defined]
            arg.holds = self.holding(one)  # type: ignore[attr-defined]
            found.append(arg)
        return found

    def typed(self, text: str) -> ast.expr | None:
        """A type as an annotation, smart pointers left out."""
        text = re.sub(
            r"\b(?:const|struct|class|volatile|static|mutable|typename)\b", "", text
        ).strip(" *&")
        for _ in range(3):
            match = _SMART.fullmatch(text)
            if match is None:
                break
            text = match.group(1).strip(" *&")
        template = re.fullmatch(r"(\w+)<.*>", text, re.S)
        if template is not None and template[1] in self.structs:
            text = template[1]
        if text in self.types:
            other = self.types.pop(text)
            try:
                return self.typed(other)
            finally:
                self.types[text] = other
        if not re.fullmatch(r"[\w:]+", text) or _PLAIN_TYPES.fullmatch(text):
            return None
        return ast.Name(text, ast.Load(), lineno=0, col_offset=0)

    def cls(self, node: Node, other: str = "") -> list[ast.stmt]:
        """A class; *other* is its name where it has none itself."""
        name = re.sub(r"<.*>", "", self.text(node.child_by_field_name("name"))) or other
        body = node.child_by_field_name("body")
        if body is None or not name:
            return []
        bases: list[ast.expr] = []
        for part in kids(node):
            if part.type == "base_class_clause":
                bases = [
                    self.name(self.text(x), x) for x in kids(part) if x.type.endswith("identifier")
                ]
        inside: list[ast.stmt] = []
        # Constants of an enumeration are no variables of each object.
        constants = [
            x for one in kids(body) for e in _enumerations(one) for x in self.enumerators(e)
        ]
        for one in kids(body):
            if one.type == "function_definition":
                for made in self.function(one):
                    if isinstance(made, ast.FunctionDef) and made.name == name:
                        made.name = "__init__"
                        old = next(
                            (
                                x
                                for x in inside
                                if isinstance(x, ast.FunctionDef) and x.name == "__init__"
                            ),
                            None,
                        )
                        if old is not None:
                            if len(old.body) >= len(made.body):
                                continue
                            inside.remove(old)
                    inside.append(made)
            elif one.type == "field_declaration":
                inside += self._field(one)
            elif one.type == "template_declaration":
                inside += [x for x in self.top(one) if isinstance(x, ast.FunctionDef)]
            elif one.type in ("class_specifier", "struct_specifier"):
                inside += self.cls(one)
        made = ast.ClassDef(name, bases, [], inside or [self.at(ast.Pass(), node)], [])
        return [*constants, self.at(made, node)]

    def _field(self, node: Node) -> list[ast.stmt]:
        kind = self.typed(self.text(node.child_by_field_name("type")))
        found: list[ast.stmt] = []
        value = node.child_by_field_name("default_value")
        for one in node.children_by_field_name("declarator"):
            inner = one.child_by_field_name("declarator")
            pointed = inner is not None and inner.type == "parenthesized_declarator"
            if one.type == "function_declarator" and not pointed:
                self._only_declared(one)
                continue
            name = self.declared(one)
            if value is not None and value.type == "initializer_list":
                plain = self.contents(self.text(node.child_by_field_name("type"))) is None
                name_of = kind.id if isinstance(kind, ast.Name) else ""
                made = self._braced(name_of, value, node) if plain else self.expression(value)
            elif value is not None:
                made = self.expression(value)
            else:
                made = self.apply(
                    "__typed__",
                    [
                        self.constant(kind.id if isinstance(kind, ast.Name) else "", node),
                        self.constant(name, node),
                    ],
                    node,
                )
            field = self.at(ast.Assign([ast.Name(name, ast.Store())], made), node)
            field.holds = self.holding(node, one)
            row = self.contents(self.text(node.child_by_field_name("type")))
            if row is not None and one.type.endswith("identifier") and value is None:
                field.row = row
            found.append(field)
        return found

    # -- declarations -----------------------------------------------------------------------------

    def declaration(self, node: Node) -> list[ast.stmt]:
        """Variables, and classes that are defined on the way."""
        found: list[ast.stmt] = []
        if node.type in ("struct_specifier", "class_specifier"):
            return self.cls(node)
        kind = node.child_by_field_name("type")
        if kind is not None and kind.type in ("struct_specifier", "class_specifier"):
            named = (
                node.child_by_field_name("declarator") if node.type == "type_definition" else None
            )
            plain = named is not None and named.type == "type_identifier"
            found += self.cls(kind, self.text(named) if plain else "")
        if kind is not None and kind.type == "enum_specifier":
            found += self.enumerators(kind)
        if node.type == "type_definition":
            return found
        text = self.text(kind)
        for one in node.children_by_field_name("declarator"):
            found += self._variable(one, text, node)
        return found

    def enumerators(self, node: Node) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        body = node.child_by_field_name("body")
        number = 0
        name = self.text(node.child_by_field_name("name"))
        own = any(not x.is_named and x.type in ("class", "struct") for x in node.children)
        for one in kids(body) if body is not None else ():
            if one.type == "enumerator":
                value = one.child_by_field_name("value")
                made = self.expression(value) if value is not None else self.constant(number, one)
                if isinstance(made, ast.Constant) and isinstance(made.value, int):
                    number = made.value
                number += 1
                short = self.text(one.child_by_field_name("name"))
                targets: list[ast.expr] = []
                if name:
                    targets.append(ast.Name(f"{name}::{short}", ast.Store()))
                if not (own and name):
                    targets.append(ast.Name(short, ast.Store()))
                found.append(self.at(ast.Assign(targets, made), one))
        return found

    def _variable(self, one: Node, kind: str, node: Node) -> list[ast.stmt]:
        # In a condition the value stands beside the name.
        value = node.child_by_field_name("value")
        declarator: Node | None = one
        if one.type == "init_declarator":
            declarator, value = (
                one.child_by_field_name("declarator"),
                one.child_by_field_name("value"),
            )
        if declarator is None:
            return []
        bound = self.bound_names(declarator, node) if value is not None else None
        if bound is not None and value is not None:
            return [self.at(ast.Assign([bound], self.expression(value)), node)]
        shape = declarator
        while shape.type in ("pointer_declarator", "reference_declarator"):
            inner = shape.child_by_field_name("declarator") or (
                kids(shape)[-1] if kids(shape) else None
            )
            if inner is None:
                break
            shape = inner
        made = self._begun(shape, value, kind, declarator.type == "pointer_declarator", node)
        if made is None:
            return []
        target = self.at(ast.Name(self.declared(shape), ast.Store()), node)
        assigned = self.at(ast.Assign([target], made), node)
        assigned.declares = True
        assigned.refers = declarator.type == "reference_declarator"
        lasts = any(
            x.type == "storage_class_specifier" and self.text(x) != "register" for x in kids(node)
        )
        assigned.holds = ("", "") if lasts else self.holding(node, declarator)
        return [assigned]

    def _begun(
        self, shape: Node, value: Node | None, kind: str, pointer: bool, node: Node
    ) -> ast.expr | None:
        """What a variable begins with; None where a function is declared."""
        row = None if pointer else self.contents(kind)
        empty = value is None and shape.type.endswith("identifier")
        if row is not None and (empty or (value is not None and value.type == "initializer_list")):
            return self._row(row, value, node)
        if row is not None and row[0] == "list":
            given = self._given(shape, value)
            if given is not None:
                return self.apply("__sized__", given, node)
        return self._begun_as(shape, value, kind, pointer, node)

    def contents(self, text: str) -> tuple[str, tuple[str, bool]] | None:
        """What a row (``list``) or a map (``dict``) has in it: a class, and whether functions."""
        text = self._plainly(text)
        match = _MANY.fullmatch(text)
        parts = _parted(match[2]) if match is not None else []
        if match is None or not parts:
            return None
        kind = "dict" if match[1].endswith("map") else "list"
        inside = self._plainly(parts[min(kind == "dict", len(parts) - 1)])
        callable_ = "function<" in inside or "(*)" in inside or inside in self.callables
        typed = self.typed(inside)
        return kind, (typed.id if isinstance(typed, ast.Name) else "", callable_)

    def _plainly(self, text: str) -> str:
        """A type without qualifiers, by its own name."""
        for _ in range(3):
            text = re.sub(r"\b(?:const|static|struct|class|typename)\b", "", text)
            text = "".join(text.split()).rstrip("&")
            if text not in self.types:
                break
            text = self.types[text]
        return text

    def _row(self, row: tuple[str, tuple[str, bool]], value: Node | None, node: Node) -> ast.expr:
        """A row or map that begins with a list, or empty."""
        kind, of = row
        inside = kids(value) if value is not None else []
        if kind == "list" and len(inside) == 1 and inside[0].type == "initializer_list":
            inner = kids(inside[0])
            if of[1] or not of[0] or any(x.type == "initializer_list" for x in inner):
                inside = inner  # an array's braces stand twice
        if kind == "dict":
            pairs = [kids(x) if x.type == "initializer_list" else [] for x in inside]
            keys = [self.expression(p[0]) for p in pairs if len(p) == 2]
            values = [self._part_of(of[0], p[1]) for p in pairs if len(p) == 2]
            made: ast.expr = self.at(ast.Dict(list(keys), values), node)
        else:
            made = self.at(ast.List([self._part_of(of[0], x) for x in inside], ast.Load()), node)
        return made

    def _part_of(self, name: str, node: Node) -> ast.expr:
        """One of many, of the class *name*."""
        if node.type == "initializer_list" and name in self.structs:
            return self._filled(name, node, node)
        return self.expression(node)

    def _given(self, shape: Node, value: Node | None) -> list[ast.expr] | None:
        """What stands in parentheses where a variable begins."""
        if value is not None and value.type == "argument_list":
            return [self.expression(x) for x in kids(value)]
        if value is not None or shape.type != "function_declarator" or not self.inside:
            return None
        # A variable that is begun looks like a function that is declared.
        arguments = shape.child_by_field_name("parameters")
        if arguments is None:
            return None
        read = [self._part(self.text(x).encode() + b";") for x in kids(arguments)]
        return [x for x in read if x is not None]

    def _begun_as(
        self, shape: Node, value: Node | None, kind: str, pointer: bool, node: Node
    ) -> ast.expr | None:
        """The same of what has not many things in it, or is not followed."""
        typed = self.typed(kind)
        name = typed.id if isinstance(typed, ast.Name) else ""
        if shape.type == "function_declarator" and value is None:
            given = self._given(shape, value)
            if given is None:
                self._only_declared(shape)
                return None
            return self._made_of(name, given, node, kind)
        if value is None:
            if shape.type == "array_declarator":
                size = shape.child_by_field_name("size")
                args = [self.expression(size)] if size is not None else []
                return self.apply("__array__", args, node)
            kind_of = "" if pointer else self.holding(node, shape)[0]
            if kind_of in ("unique", "shared", "optional"):
                there = self._without(name, pointer, node)
                return self.apply("__empty__", [self.constant(name, node), there], node)
            return self._without(name, pointer, node)
        if value.type == "argument_list":
            return self._made_of(name, [self.expression(x) for x in kids(value)], node, kind)
        if value.type == "initializer_list":
            array = shape.type == "array_declarator" or any(within(shape, ("array_declarator",)))
            if name in self.structs and not array:
                return self._filled(name, value, node)
            if not array and "<" not in self._plainly(kind) and len(kids(value)) < 2:
                return self._braced(name, value, node)
            inner = kids(value)
            if len(inner) == 1 and inner[0].type == "initializer_list" and not array:
                value = inner[0]  # an array's braces stand twice
            return self._listed(name, value, array, node)
        made = self.expression(value)
        if name and shape.type != "array_declarator":
            made = self.apply("__cast__", [made, self.constant(name, node)], node)
        return made

    def _braced(self, name: str, value: Node, node: Node) -> ast.expr:
        """A number, or an object of a class, that begins with what stands in braces."""
        if name in self.structs:
            return self._filled(name, value, node)
        args = [self.expression(x) for x in kids(value)]
        if not name:
            return args[0] if len(args) == 1 else self.constant(0, node)
        return self.apply("__braces__", [self.constant(name, node), *args], node)

    def _listed(self, name: str, value: Node, array: bool, node: Node) -> ast.expr:
        """What stands in braces, one after the other or each at the place that it names."""
        row: list[ast.expr] = []
        places: dict[int, ast.expr] = {}
        for one in kids(value):
            part: Node | None = one
            at = one.child_by_field_name("designator") if one.type == "initializer_pair" else None
            if at is not None:
                part = one.child_by_field_name("value")
                if at.type == "subscript_designator" and kids(at):
                    places[len(row)] = self.expression(kids(at)[0])
            if part is not None:
                row.append(self._part_of(name, part))
        made: ast.expr = self.at(ast.List(row, ast.Load()), node)
        if not array:
            return made
        found = self.apply("__array__", [made], node)
        found.places = places  # type: ignore[attr-defined]
        return found

    def _without(self, name: str, pointer: bool, node: Node) -> ast.expr:
        """What a variable is that begins with nothing."""
        if name in self.structs and not pointer:
            return self.apply("__object__", [self.name(name, node)], node)
        local = [self.constant(True, node)] if self.inside and not pointer else []
        parts = [self.constant(name, node), self.constant("", node), *local]
        return self.apply("__typed__", parts, node)

    def _made_of(self, name: str, args: list[ast.expr], node: Node, kind: str = "") -> ast.expr:
        """An object of a class, or a number in parentheses."""
        if not name and kind:
            return self.apply("__made__", [self.constant(self._plainly(kind), node), *args], node)
        if len(args) == 1 and not name:
            return args[0]
        return self.apply(name or "__unset__", args, node)
