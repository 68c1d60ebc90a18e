"""C and C++ sources as trees of the same kind as Python's, read by their syntax (tree-sitter).

What C has and Python has not becomes a call of a name that no program can have (``__addr__``,
``__deref__``), or a node of its own: ``Store`` (an assignment that is an expression), ``Switch``,
``Labeled`` and ``Goto``, ``Closure``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from lockorder.ranks.modules import Program, Source
from lockorder.ranks.operators import Quotient, Remainder

_PARSER = Parser(Language(tree_sitter_cpp.language()))
_BINARY = {
    "+": ast.Add, "-": ast.Sub, "*": ast.Mult, "/": Quotient, "%": Remainder, "&": ast.BitAnd,
    "|": ast.BitOr, "^": ast.BitXor, "<<": ast.LShift, ">>": ast.RShift,
}  # fmt: skip
_COMPARE = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip
_PLAIN_TYPES = re.compile(
    r"\b(?:int|long|short|char|float|double|bool|unsigned|signed|size_t|u?int\d+_t|void|auto)\b"
)
_SMART = re.compile(r"(?:[\w:]*(?:_ptr|optional|reference_wrapper)|std::vector)<(.*)>")
_WRAPPERS = frozenset(("make_shared", "make_unique", "make_intrusive"))


class Store(ast.expr):
    """``target = value`` as an expression."""

    _fields = ("target", "value")

    def __init__(self, target: ast.expr, value: ast.expr) -> None:
        super().__init__()
        self.target, self.value = target, value


class Step(ast.expr):
    """``target op= value`` as an expression; *after*: it is worth what was there before."""

    _fields = ("target", "op", "value")
    after = False

    def __init__(self, target: ast.expr, op: ast.operator, value: ast.expr) -> None:
        super().__init__()
        self.target, self.op, self.value = target, op, value


class Switch(ast.stmt):
    """Cases with their constants (None for the default); each body has those it falls into."""

    _fields = ("subject", "cases")

    def __init__(
        self, subject: ast.expr, cases: list[tuple[ast.expr | None, list[ast.stmt]]]
    ) -> None:
        super().__init__()
        self.subject, self.cases = subject, cases


class Labeled(ast.stmt):
    """Statements before a label: a goto in them lands behind them."""

    _fields = ("name", "body")

    def __init__(self, name: str, body: list[ast.stmt]) -> None:
        super().__init__()
        self.name, self.body = name, body


class Goto(ast.stmt):
    """A jump forward."""

    _fields = ("name",)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name


class Closure(ast.expr):
    """A lambda expression of C++."""

    _fields = ("function",)

    def __init__(self, function: ast.FunctionDef) -> None:
        super().__init__()
        self.function = function


def read(files: Iterable[Path], program: Program | None = None) -> Program:
    """The program that C and C++ files make, added to *program*."""
    program = program or Program()
    number = 1_000_000
    classes: dict[str, ast.ClassDef] = {}
    methods: list[tuple[str, ast.FunctionDef]] = []
    for file in sorted(files):
        try:
            data = file.read_bytes()
        except OSError as error:
            program.problems.append(f"{file}: {error.strerror or error}")
            continue
        if b"\0" in data:
            program.problems.append(f"{file}: not text")
            continue
        number += 1
        reader = _Reader(data)
        body = reader.unit(_PARSER.parse(data).root_node)
        tree = ast.Module(body, [])
        source = Source(
            str(file), file.name, tree, -number, c=True,
            words=frozenset(w.decode() for w in re.findall(rb"[A-Za-z_]\w*", data)),
        )  # fmt: skip
        for function in reader.functions:
            function.source = source  # type: ignore[attr-defined]
        for node in body:
            if isinstance(node, ast.ClassDef):
                known = classes.setdefault(node.name, node)
                if known is not node and len(known.body) < len(node.body):
                    classes[node.name] = node
        methods += reader.methods
        program.add(source)
    for name, node in methods:
        home = classes.get(name)
        if home is None:
            home = classes[name] = ast.ClassDef(
                name, [], [], [], [], lineno=node.lineno, col_offset=0
            )
            node.source.tree.body.append(home)  # type: ignore[attr-defined]
        home.body.append(node)
    return program


class _Reader:
    """Reads one file."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.functions: list[ast.FunctionDef] = []
        self.methods: list[tuple[str, ast.FunctionDef]] = []
        self.structs: set[str] = set()
        #: how many functions are around what is read
        self.inside = 0
        #: other names of types
        self.types: dict[str, str] = {}

    # -- helpers ----------------------------------------------------------------------------------

    def text(self, node: Node | None) -> str:
        return (
            ""
            if node is None
            else self.data[node.start_byte : node.end_byte].decode(errors="replace")
        )

    def at(self, made: Any, node: Node) -> Any:
        made.lineno = node.start_point[0] + 1
        made.col_offset = node.start_point[1]
        made.written = " ".join(self.text(node)[:80].split())
        return made

    def name(self, text: str, node: Node) -> ast.Name:
        found: ast.Name = self.at(ast.Name(text, ast.Load()), node)
        return found

    def apply(self, name: str, args: Sequence[ast.expr], node: Node) -> ast.Call:
        made: ast.Call = self.at(ast.Call(self.name(name, node), list(args), []), node)
        return made

    def constant(self, value: Any, node: Node) -> ast.Constant:
        made: ast.Constant = self.at(ast.Constant(value), node)
        return made

    # -- units ------------------------------------------------------------------------------------

    def unit(self, root: Node) -> list[ast.stmt]:
        """The declarations of a file."""
        for node in _within(root, ("struct_specifier", "class_specifier")):
            if node.child_by_field_name("body") is not None:
                self.structs.add(self.text(node.child_by_field_name("name")))
        for node in _within(root, ("type_definition",)):
            inner = node.child_by_field_name("type")
            if (
                inner is not None
                and inner.type == "struct_specifier"
                and inner.child_by_field_name("body")
            ):
                self.structs.add(self.text(node.child_by_field_name("declarator")))
        for node in _within(root, ("alias_declaration",)):
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
            return self._enumerators(node)
        if kind in ("declaration", "struct_specifier", "class_specifier", "type_definition"):
            return self.declaration(node)
        if kind.startswith("preproc"):
            return self.directive(node, self.top)
        if kind == "expression_statement":
            return self.statement(node)
        return []

    def directive(self, node: Node, read: Any) -> list[ast.stmt]:
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
                made = self.at(ast.FunctionDef(name, _arguments([]), [], []), node)
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
        returns = list(_within(tree.root_node, ("return_statement",)))
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
        bodies = list(_within(tree.root_node, ("compound_statement",)))
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
        arguments = _arguments([ast.arg(p) for p in parameters])
        for parameter in arguments.args:
            parameter.by_reference = True  # type: ignore[attr-defined]
        made = ast.FunctionDef(name, arguments, statements, [], lineno=line, col_offset=0)
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
        self.inside += 1
        if body.type == "try_statement":
            statements += self.statement(body)
        else:
            statements += self.block(body)
        self.inside -= 1
        parts = re.sub(r"<[^<>]*>", "", name).split("::")
        short = parts[-1]
        outer = parts[-2] if len(parts) > 1 else ""
        made: ast.FunctionDef = self.at(
            ast.FunctionDef(
                short, _arguments(parameters), statements or [self.at(ast.Pass(), node)], []
            ),
            node,
        )
        self.functions.append(made)
        if outer and (outer in self.structs or short == outer or outer[:1].isupper()):
            if short == outer:
                made.name = "__init__"
            self.methods.append((outer, made))
            return []
        return [made]

    def _initializers(self, node: Node) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for one in kids(node):
            if one.type != "field_initializer" or len(kids(one)) < 2:
                continue
            name, values = kids(one)[0], kids(one)[1]
            args = [self.expression(x) for x in kids(values)]
            if len(args) == 1:
                target = ast.Attribute(self.name("this", one), self.text(name), ast.Store())
                found.append(self.at(ast.Assign([self.at(target, one)], args[0]), one))
        return found

    def parameters(self, node: Node | None) -> list[ast.arg]:
        """Parameters, with the classes that their types name."""
        found: list[ast.arg] = []
        for one in kids(node) if node is not None else ():
            if one.type not in ("parameter_declaration", "optional_parameter_declaration"):
                continue
            declarator = one.child_by_field_name("declarator")
            name = self._declared(declarator)
            arg = ast.arg(name or f"#{len(found)}")
            arg.annotation = self.typed(self.text(one.child_by_field_name("type")))
            arg.by_reference = (  # type: ignore[attr-defined]
                declarator is not None and declarator.type == "reference_declarator"
                and "const" not in self.text(one).split("&")[0]
            )  # fmt: skip
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
        if text in self.types:
            other = self.types.pop(text)
            try:
                return self.typed(other)
            finally:
                self.types[text] = other
        if not re.fullmatch(r"[\w:]+", text) or _PLAIN_TYPES.fullmatch(text):
            return None
        return ast.Name(text, ast.Load(), lineno=0, col_offset=0)

    def _declared(self, node: Node | None) -> str:
        while node is not None and node.type not in (
            "identifier",
            "field_identifier",
            "qualified_identifier",
        ):
            inner = node.child_by_field_name("declarator")
            if inner is None:
                inner = kids(node)[-1] if kids(node) else None
            node = inner
        return self.text(node)

    def cls(self, node: Node) -> list[ast.stmt]:
        name = re.sub(r"<.*>", "", self.text(node.child_by_field_name("name")))
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
        return [
            self.at(ast.ClassDef(name, bases, [], inside or [self.at(ast.Pass(), node)], []), node)
        ]

    def _field(self, node: Node) -> list[ast.stmt]:
        kind = self.typed(self.text(node.child_by_field_name("type")))
        found: list[ast.stmt] = []
        value = node.child_by_field_name("default_value")
        for one in node.children_by_field_name("declarator"):
            if one.type == "function_declarator":
                continue
            name = self._declared(one)
            if value is not None:
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
            found.append(self.at(ast.Assign([ast.Name(name, ast.Store())], made), node))
        return found

    # -- declarations -----------------------------------------------------------------------------

    def declaration(self, node: Node) -> list[ast.stmt]:
        """Variables, and classes that are defined on the way."""
        found: list[ast.stmt] = []
        if node.type in ("struct_specifier", "class_specifier"):
            return self.cls(node)
        kind = node.child_by_field_name("type")
        if kind is not None and kind.type in ("struct_specifier", "class_specifier"):
            found += self.cls(kind)
        if kind is not None and kind.type == "enum_specifier":
            found += self._enumerators(kind)
        if node.type == "type_definition":
            return found
        text = self.text(kind)
        for one in node.children_by_field_name("declarator"):
            found += self._variable(one, text, node)
        return found

    def _enumerators(self, node: Node) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        body = node.child_by_field_name("body")
        number = 0
        for one in kids(body) if body is not None else ():
            if one.type == "enumerator":
                value = one.child_by_field_name("value")
                made = self.expression(value) if value is not None else self.constant(number, one)
                if isinstance(made, ast.Constant) and isinstance(made.value, int):
                    number = made.value
                number += 1
                target = ast.Name(self.text(one.child_by_field_name("name")), ast.Store())
                found.append(self.at(ast.Assign([target], made), one))
        return found

    def _variable(self, one: Node, kind: str, node: Node) -> list[ast.stmt]:
        value = None
        declarator: Node | None = one
        if one.type == "init_declarator":
            declarator, value = (
                one.child_by_field_name("declarator"),
                one.child_by_field_name("value"),
            )
        if declarator is None:
            return []
        if declarator.type == "structured_binding_declarator" and value is not None:
            names = [ast.Name(self.text(x), ast.Store()) for x in kids(declarator)]
            target = self.at(ast.Tuple(list(names), ast.Store()), node)
            return [self.at(ast.Assign([target], self.expression(value)), node)]
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
        target = self.at(ast.Name(self._declared(shape), ast.Store()), node)
        assigned = self.at(ast.Assign([target], made), node)
        assigned.declares = True
        return [assigned]

    def _begun(
        self, shape: Node, value: Node | None, kind: str, pointer: bool, node: Node
    ) -> ast.expr | None:
        """What a variable begins with; None where a function is declared."""
        typed = self.typed(kind)
        name = typed.id if isinstance(typed, ast.Name) else ""
        if shape.type == "function_declarator" and value is None:
            # A variable that is begun looks like a function that is declared.
            arguments = shape.child_by_field_name("parameters")
            if not self.inside or arguments is None:
                return None
            read = [self._part(self.text(x).encode() + b";") for x in kids(arguments)]
            return self._made_of(name, [x for x in read if x is not None], node)
        if value is None:
            if shape.type == "array_declarator":
                size = shape.child_by_field_name("size")
                args = [self.expression(size)] if size is not None else []
                return self.apply("__array__", args, node)
            if name in self.structs and not pointer:
                return self.apply("__object__", [self.name(name, node)], node)
            return self.apply(
                "__typed__", [self.constant(name, node), self.constant("", node)], node
            )
        if value.type == "argument_list":
            return self._made_of(name, [self.expression(x) for x in kids(value)], node)
        if value.type == "initializer_list":
            if name in self.structs:
                return self._filled(name, value, node)
            row = [self.expression(x) for x in kids(value)]
            made: ast.expr = self.at(ast.List(row, ast.Load()), node)
            array = shape.type == "array_declarator"
            return self.apply("__array__", [made], node) if array else made
        made = self.expression(value)
        if name and shape.type != "array_declarator":
            made = self.apply("__cast__", [made, self.constant(name, node)], node)
        return made

    def _made_of(self, name: str, args: list[ast.expr], node: Node) -> ast.expr:
        """An object of a class, or a number in parentheses."""
        if len(args) == 1 and not name:
            return args[0]
        return self.apply(name or "__unset__", args, node)

    def _filled(self, name: str, value: Node, node: Node) -> ast.expr:
        keywords: list[ast.keyword] = []
        args: list[ast.expr] = []
        for one in kids(value):
            if one.type == "initializer_pair":
                field = self.text(one.child_by_field_name("designator")).lstrip(".")
                inner = one.child_by_field_name("value")
                if inner is not None:
                    keywords.append(ast.keyword(field, self.expression(inner)))
            else:
                args.append(self.expression(one))
        made = self.apply("__object__", [self.name(name, node), *args], node)
        made.keywords = keywords
        return made

    # -- statements -------------------------------------------------------------------------------

    def block(self, node: Node) -> list[ast.stmt]:
        """The statements of a block; labels divide it."""
        found: list[ast.stmt] = []
        for one in kids(node):
            while one.type == "labeled_statement":
                label = self.text(one.child_by_field_name("label"))
                found = [self.at(Labeled(label, found), one)]
                one = kids(one)[-1]
                if one.type == "statement_identifier":
                    break
            found += self.statement(one)
        return found

    def body(self, node: Node | None) -> list[ast.stmt]:
        if node is None:
            return []
        found = self.block(node) if node.type == "compound_statement" else self.statement(node)
        return found or [self.at(ast.Pass(), node)]

    def statement(self, node: Node) -> list[ast.stmt]:
        method = getattr(self, "_s_" + node.type, None)
        if method is not None:
            found: list[ast.stmt] = method(node)
            return found
        if node.type.startswith("preproc"):
            return self.directive(node, self.statement)
        if node.type == "enum_specifier":
            return self._enumerators(node)
        if node.type in ("declaration", "struct_specifier", "class_specifier", "type_definition"):
            return self.declaration(node)
        if node.type.endswith(("expression", "identifier")):
            return [self.at(ast.Expr(self.expression(node)), node)]
        return []

    def _s_compound_statement(self, node: Node) -> list[ast.stmt]:
        return self.block(node)

    def _s_expression_statement(self, node: Node) -> list[ast.stmt]:
        if not kids(node):
            return []
        return [self.at(ast.Expr(self.expression(kids(node)[0])), node)]

    def _s_return_statement(self, node: Node) -> list[ast.stmt]:
        value = self.expression(kids(node)[0]) if kids(node) else None
        return [self.at(ast.Return(value), node)]

    def _s_throw_statement(self, node: Node) -> list[ast.stmt]:
        return [self.at(ast.Raise(None, None), node)]

    def _s_break_statement(self, node: Node) -> list[ast.stmt]:
        return [self.at(ast.Break(), node)]

    def _s_continue_statement(self, node: Node) -> list[ast.stmt]:
        return [self.at(ast.Continue(), node)]

    def _s_goto_statement(self, node: Node) -> list[ast.stmt]:
        return [self.at(Goto(self.text(node.child_by_field_name("label"))), node)]

    def _s_if_statement(self, node: Node) -> list[ast.stmt]:
        before, test = self._condition(node.child_by_field_name("condition"))
        other = node.child_by_field_name("alternative")
        if other is not None and other.type == "else_clause":
            other = kids(other)[-1] if kids(other) else None
        made = ast.If(
            test,
            self.body(node.child_by_field_name("consequence")),
            self.body(other) if other is not None else [],
        )
        return [*before, self.at(made, node)]

    def _condition(self, node: Node | None) -> tuple[list[ast.stmt], ast.expr]:
        before: list[ast.stmt] = []
        if node is None:
            return before, ast.Constant(True)
        if node.type in ("condition_clause", "parenthesized_expression"):
            first = node.child_by_field_name("initializer")
            if first is not None:
                inner = kids(first) if first.type == "init_statement" else [first]
                before += [x for one in inner for x in self.statement(one)]
            value = node.child_by_field_name("value") or kids(node)[-1]
            if value.type == "declaration":
                before += self.declaration(value)
                return before, self.name(
                    self._declared(value.child_by_field_name("declarator")), value
                )
            return before, self.expression(value)
        return before, self.expression(node)

    def _s_while_statement(self, node: Node) -> list[ast.stmt]:
        before, test = self._condition(node.child_by_field_name("condition"))
        made = self.at(ast.While(test, self.body(node.child_by_field_name("body")), []), node)
        return [*before, made]

    def _s_do_statement(self, node: Node) -> list[ast.stmt]:
        _, test = self._condition(node.child_by_field_name("condition"))
        made = self.at(ast.While(test, self.body(node.child_by_field_name("body")), []), node)
        made.at_least_once = True
        once = isinstance(test, ast.Constant) and not test.value
        if once:
            # do { ... } while (0): a block that can be left.
            return [
                self.at(
                    ast.For(
                        ast.Name("#once", ast.Store()),
                        self.at(
                            ast.Tuple(
                                [ast.Constant(0, lineno=made.lineno, col_offset=0)], ast.Load()
                            ),
                            node,
                        ),
                        made.body,
                        [],
                    ),
                    node,
                )
            ]
        return [made]

    def _s_for_statement(self, node: Node) -> list[ast.stmt]:
        before: list[ast.stmt] = []
        first = node.child_by_field_name("initializer")
        if first is not None:
            before = (
                self.declaration(first)
                if first.type == "declaration"
                else [self.at(ast.Expr(self.expression(first)), first)]
            )
        condition, update = (
            node.child_by_field_name("condition"),
            node.child_by_field_name("update"),
        )
        test = self.expression(condition) if condition is not None else self.constant(True, node)
        made = self.at(ast.While(test, self.body(node.child_by_field_name("body")), []), node)
        made.step = (
            [self.at(ast.Expr(self.expression(update)), update)] if update is not None else []
        )
        return [*before, made]

    def _s_for_range_loop(self, node: Node) -> list[ast.stmt]:
        target = ast.Name(self._declared(node.child_by_field_name("declarator")), ast.Store())
        right = node.child_by_field_name("right")
        values = self.expression(right) if right is not None else ast.Constant(None)
        return [
            self.at(
                ast.For(
                    self.at(target, node), values, self.body(node.child_by_field_name("body")), []
                ),
                node,
            )
        ]

    def _s_switch_statement(self, node: Node) -> list[ast.stmt]:
        _, subject = self._condition(node.child_by_field_name("condition"))
        body = node.child_by_field_name("body")
        rows: list[tuple[ast.expr | None, list[ast.stmt]]] = []
        for one in kids(body) if body is not None else ():
            if one.type != "case_statement":
                continue
            value = one.child_by_field_name("value")
            statements = [x for n in kids(one) if n != value for x in self.statement(n)]
            rows.append((self.expression(value) if value is not None else None, statements))
        cases = [
            (label, [s for _, more in rows[i:] for s in more]) for i, (label, _) in enumerate(rows)
        ]
        return [self.at(Switch(subject, cases), node)]

    def _s_try_statement(self, node: Node) -> list[ast.stmt]:
        handlers: list[ast.ExceptHandler] = []
        for one in kids(node):
            if one.type == "catch_clause":
                body = self.body(one.child_by_field_name("body"))
                handlers.append(self.at(ast.ExceptHandler(None, None, body), one))
        return [
            self.at(ast.Try(self.body(node.child_by_field_name("body")), handlers, [], []), node)
        ]

    def _s_labeled_statement(self, node: Node) -> list[ast.stmt]:
        return self.statement(kids(node)[-1])

    def _s_else_clause(self, node: Node) -> list[ast.stmt]:
        return self.body(kids(node)[-1]) if kids(node) else []

    # -- expressions ------------------------------------------------------------------------------

    def expression(self, node: Node) -> ast.expr:
        method = getattr(self, "_e_" + node.type, None)
        if method is not None:
            found: ast.expr = method(node)
            return found
        inner = [self.expression(x) for x in kids(node) if not x.type.endswith("type")]
        return self.apply("__unset__", inner, node)

    def _e_identifier(self, node: Node) -> ast.expr:
        return self.name(self.text(node), node)

    _e_field_identifier = _e_identifier
    _e_type_identifier = _e_identifier

    def _e_qualified_identifier(self, node: Node) -> ast.expr:
        return self.name(re.sub(r"\s|<[^<>]*>", "", self.text(node)), node)

    def _e_this(self, node: Node) -> ast.expr:
        return self.name("this", node)

    def _e_number_literal(self, node: Node) -> ast.expr:
        text = self.text(node).rstrip("uUlLzZ").replace("'", "")
        try:
            return self.constant(
                int(text, 0) if not re.fullmatch(r"0[0-7]+", text) else int(text, 8), node
            )
        except ValueError:
            try:
                return self.constant(float(text.rstrip("fF")), node)
            except ValueError:
                return self.apply("__unset__", [], node)

    def _e_char_literal(self, node: Node) -> ast.expr:
        text = self.text(node).strip("'")
        return self.constant(ord(text) if len(text) == 1 else text, node)

    def _e_string_literal(self, node: Node) -> ast.expr:
        return self.constant(self.text(node).strip('"'), node)

    _e_concatenated_string = _e_string_literal
    _e_raw_string_literal = _e_string_literal

    def _e_true(self, node: Node) -> ast.expr:
        return self.constant(True, node)

    def _e_false(self, node: Node) -> ast.expr:
        return self.constant(False, node)

    def _e_null(self, node: Node) -> ast.expr:
        return self.constant(None, node)

    _e_nullptr = _e_null

    def _e_parenthesized_expression(self, node: Node) -> ast.expr:
        return self.expression(kids(node)[-1]) if kids(node) else self.apply("__unset__", [], node)

    def _e_cast_expression(self, node: Node) -> ast.expr:
        value = node.child_by_field_name("value")
        return self.expression(value) if value is not None else self.apply("__unset__", [], node)

    def _e_sizeof_expression(self, node: Node) -> ast.expr:
        return self.apply("__unset__", [self.constant(self.text(node), node)], node)

    def _e_comma_expression(self, node: Node) -> ast.expr:
        parts = [self.expression(x) for x in kids(node)]
        row = self.at(ast.Tuple(parts, ast.Load()), node)
        last = self.constant(len(parts) - 1, node)
        made: ast.expr = self.at(ast.Subscript(row, last, ast.Load()), node)
        return made

    def _e_conditional_expression(self, node: Node) -> ast.expr:
        parts = [node.child_by_field_name(n) for n in ("condition", "consequence", "alternative")]
        test, first, second = [
            self.expression(p) if p is not None else ast.Constant(None) for p in parts
        ]
        return self.at(ast.IfExp(test, first, second), node)  # type: ignore[no-any-return]

    def _e_unary_expression(self, node: Node) -> ast.expr:
        operator = self.text(node.child_by_field_name("operator"))
        argument = node.child_by_field_name("argument")
        inner = self.expression(argument) if argument is not None else ast.Constant(None)
        kinds = {"!": ast.Not, "-": ast.USub, "+": ast.UAdd, "~": ast.Invert, "not": ast.Not}
        if operator in kinds:
            return self.at(ast.UnaryOp(kinds[operator](), inner), node)  # type: ignore[no-any-return]
        return inner

    def _e_pointer_expression(self, node: Node) -> ast.expr:
        argument = node.child_by_field_name("argument")
        inner = self.expression(argument) if argument is not None else ast.Constant(None)
        address = self.text(node).startswith("&")
        if not address and isinstance(inner, ast.Name) and inner.id == "this":
            return inner
        return self.apply("__addr__" if address else "__deref__", [inner], node)

    def _e_binary_expression(self, node: Node) -> ast.expr:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = self.text(node.child_by_field_name("operator"))
        if left is None or right is None:
            return self.apply("__unset__", [], node)
        ours, theirs = self.expression(left), self.expression(right)
        if operator in ("&&", "and", "||", "or"):
            kind = ast.And if operator in ("&&", "and") else ast.Or
            return self.at(ast.BoolOp(kind(), [ours, theirs]), node)  # type: ignore[no-any-return]
        if operator in _COMPARE:
            return self.at(ast.Compare(ours, [_COMPARE[operator]()], [theirs]), node)  # type: ignore[no-any-return]
        if operator in _BINARY:
            return self.at(ast.BinOp(ours, _BINARY[operator](), theirs), node)  # type: ignore[no-any-return]
        return self.apply("__unset__", [ours, theirs], node)

    def _target(self, node: Node) -> ast.expr:
        made = self.expression(node)
        if isinstance(made, ast.Name | ast.Attribute | ast.Subscript):
            made.ctx = ast.Store()
        return made

    def _e_assignment_expression(self, node: Node) -> ast.expr:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        operator = self.text(node.child_by_field_name("operator"))
        if left is None or right is None:
            return self.apply("__unset__", [], node)
        value = self.expression(right)
        if operator != "=":
            kind = _BINARY.get(operator[:-1], ast.Add)
            return self.at(Step(self._target(left), kind(), value), node)  # type: ignore[no-any-return]
        return self.at(Store(self._target(left), value), node)  # type: ignore[no-any-return]

    def _e_update_expression(self, node: Node) -> ast.expr:
        argument = node.child_by_field_name("argument")
        if argument is None:
            return self.apply("__unset__", [], node)
        operator = self.text(node.child_by_field_name("operator"))
        kind = ast.Add if operator == "++" else ast.Sub
        made = self.at(Step(self._target(argument), kind(), self.constant(1, node)), node)
        made.after = node.children[0] == argument
        return made  # type: ignore[no-any-return]

    def _e_subscript_expression(self, node: Node) -> ast.expr:
        base = node.child_by_field_name("argument")
        indices = node.child_by_field_name("indices")
        index = kids(indices)[0] if indices is not None and kids(indices) else None
        if base is None or index is None:
            return self.apply("__unset__", [], node)
        part = ast.Subscript(self.expression(base), self.expression(index), ast.Load())
        made: ast.expr = self.at(part, node)
        return made

    def _e_field_expression(self, node: Node) -> ast.expr:
        base = node.child_by_field_name("argument")
        field = re.sub(r"<.*>", "", self.text(node.child_by_field_name("field")))
        if base is None:
            return self.apply("__unset__", [], node)
        return self.at(ast.Attribute(self.expression(base), field, ast.Load()), node)  # type: ignore[no-any-return]

    def _e_template_function(self, node: Node) -> ast.expr:
        return self.name(re.sub(r"<.*>", "", self.text(node), flags=re.S), node)

    def _e_call_expression(self, node: Node) -> ast.expr:
        what = node.child_by_field_name("function")
        arguments = node.child_by_field_name("arguments")
        args = [self.expression(x) for x in (kids(arguments) if arguments is not None else ())]
        if what is None:
            return self.apply("__unset__", args, node)
        text = self.text(what)
        short = re.sub(r"<.*", "", text, flags=re.S).rpartition("::")[2]
        if short in _WRAPPERS:
            inner = re.search(r"<(.*)>", text, re.S)
            return self.apply(inner.group(1).strip() if inner else "__unset__", args, node)
        if (
            short
            in (
                "move",
                "forward",
                "static_cast",
                "dynamic_cast",
                "reinterpret_cast",
                "const_cast",
                "ref",
                "cref",
            )
            and len(args) == 1
        ):
            return args[0]
        return self.at(ast.Call(self.expression(what), args, []), node)  # type: ignore[no-any-return]

    def _e_new_expression(self, node: Node) -> ast.expr:
        kind = self.text(node.child_by_field_name("type"))
        arguments = node.child_by_field_name("arguments")
        args = [self.expression(x) for x in (kids(arguments) if arguments is not None else ())]
        if kind not in self.structs:
            return self.apply(
                "__array__" if node.child_by_field_name("declarator") is not None else "__unset__",
                args,
                node,
            )
        return self.apply(kind, args, node)

    def _e_compound_literal_expression(self, node: Node) -> ast.expr:
        value = node.child_by_field_name("value")
        kind = self.text(node.child_by_field_name("type"))
        if value is not None and kind in self.structs:
            return self._filled(kind, value, node)
        args = [self.expression(x) for x in (kids(value) if value is not None else ())]
        return self.apply("__unset__", args, node)

    def _e_initializer_list(self, node: Node) -> ast.expr:
        return self.at(ast.List([self.expression(x) for x in kids(node)], ast.Load()), node)  # type: ignore[no-any-return]

    def _e_lambda_expression(self, node: Node) -> ast.expr:
        declarator = node.child_by_field_name("declarator")
        parameters = self.parameters(
            declarator.child_by_field_name("parameters") if declarator is not None else None
        )
        body = self.body(node.child_by_field_name("body"))
        made = self.at(
            ast.FunctionDef(
                "lambda", _arguments(parameters), body or [self.at(ast.Pass(), node)], []
            ),
            node,
        )
        self.functions.append(made)
        return self.at(Closure(made), node)  # type: ignore[no-any-return]


def kids(node: Node) -> list[Node]:
    """The named nodes below *node*, comments left out."""
    return [x for x in node.named_children if x.type != "comment"]


def _arguments(parameters: list[ast.arg]) -> ast.arguments:
    return ast.arguments([], parameters, None, [], [], None, [])


def _within(node: Node, kinds: tuple[str, ...]) -> Iterable[Node]:
    todo = [node]
    while todo:
        one = todo.pop()
        if one.type in kinds:
            yield one
        todo.extend(reversed(kids(one)))
