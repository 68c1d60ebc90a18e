"""One rank of a program, run on paper from an entry: what it issues."""

from __future__ import annotations

import ast
from typing import Any

from lockorder import bounds
from lockorder.python.modules import Program, Source
from lockorder.ranks.effects import Item
from lockorder.ranks.knowledge import Known
from lockorder.ranks.library import Library
from lockorder.ranks.machine import Activation, Key, StepsSpentError, Tables, World
from lockorder.ranks.values import Class, Function, Module, Obj, Unknown, Value, named


class Interpreter(Library):
    """Runs entries one after the other; what one does to the program's state is undone again."""

    def __init__(
        self, world: World, rank: int, program: Program, known: Known, tables: Tables
    ) -> None:
        super().__init__(world, rank, program, known, tables)
        self.returning: list[int] = []
        self.breaking: list[int] = []
        self.continuing: list[int] = []
        self.owners: list[Class] = []
        self.loaded: set[int] = set()
        self.acting: list[Any] = []
        self.batched = {}
        self.said_places = {}
        self.begun_here = set()
        self.awaited = set()
        self.tested = set()
        self.unclear = False
        self.tasks = {}
        self.table = {}
        self.prepared = {}
        self.arriving = {}
        self.examples = 0
        self.meshes = {}
        self.prepared_all = False
        #: what modules define has options with defaults
        self.opts_early = False
        self.kept_examples: dict[tuple[int, frozenset[str]], tuple[Value, dict[str, str]]] = {}
        self.gotos: dict[str, int] = {}
        self.homes: dict[str, Source] = {}

    def script(self, source: Source) -> list[Item]:
        """What a file issues that is run as the program."""
        self.prepare()
        self.main = source
        fresh = source.number not in self.loaded
        self.loaded.add(source.number)
        try:
            return self._issued(source, lambda: self.block(source.tree.body))
        finally:
            if fresh:
                # What it has defined is undone: as a module, it is run anew.
                self.loaded.discard(source.number)

    def function(self, source: Source, path: list[ast.AST]) -> list[Item]:
        """What a function issues of which the callers are not known.

        *path* leads to it: the classes and functions around it, and the function.
        """
        self.prepare()  # first of all: modules that import each other depend on the order
        self.main = None
        self.load(source)
        return self._issued(source, lambda: self._called(source, path), bounds.RANK_PART.limit)

    def prepare(self) -> None:
        """Run what all modules define, in one order: those that import each other depend on it."""
        if not self.prepared_all:
            self.prepared_all = True
            self.opted = False
            for source in self.program.sources:
                self.load(source)
            self.opts_early = self.opted

    def _issued(self, source: Source, run: Any, limit: int = 0) -> list[Item]:
        self.written = set()
        self.steps = 0
        self.limit = limit or self.STEPS
        self.opted = self.opts_early
        self.excluded = False
        self.spent = False
        self.parted = False
        self.ducks.clear()
        self.unset.clear()
        self.unclear = False
        self.shared.clear()
        self.parts_chosen = False
        self.buffered.clear()
        self.unsynced.clear()
        self.by_rank = self.whiles = 0
        self.out = []
        self.control, self.loops, self.tries, self.quiet = [], [], 0, 0
        self.data_tries = 0
        self.returning, self.breaking, self.continuing = [], [], []
        self.owners, self.acting, self.path = [], [], []
        self.pendings.clear()
        frame = Activation(
            source.number, source.name, source, None, 0,
            globals=set(), nonlocals=set(), returns=[], aliases={},
        )  # fmt: skip
        self.stack = [frame]
        self.open()
        try:
            run()
        except (StepsSpentError, RecursionError):
            self.spent = True
        finally:
            while self.journals:  # also those of branches that were being run when it ended
                self.close()
        return self.out

    def _called(self, source: Source, path: list[ast.AST]) -> bool:
        """Call the function at the end of *path* with what nobody knows."""
        what: Value | None = None
        for node in path:
            name = getattr(node, "name", "")
            if what is None:
                what = self.get((source.number, name))
            elif isinstance(what, Class):
                what = self.get((what.number, name))
            else:
                return False
        if not isinstance(what, Function):
            return False
        if len(path) > 1 and isinstance(path[-2], ast.ClassDef) and "static" not in what.traits:
            what = self._method(source, path, what)
        node = what.node
        if isinstance(node, ast.Lambda | tuple):
            return False
        wanted = [*node.args.posonlyargs, *node.args.args]
        if what.bound is not None and not what.module.c:
            wanted = wanted[1:]
        args = [self.parameter(what, p) for p in wanted]
        named_args = {p.arg: self.parameter(what, p) for p in node.args.kwonlyargs}
        self.call(what, args, named_args, None)
        return True

    def _method(self, source: Source, path: list[ast.AST], what: Function) -> Function:
        cls = self.get((source.number, path[0].name)) if len(path) == 2 else None  # type: ignore[attr-defined]
        if not isinstance(cls, Class):
            return what
        bound: Value = cls if "class" in what.traits else self._kept_example(cls, what)
        return Function(
            what.node, what.module, what.name, what.frame, bound, what.owner, what.traits, what.only
        )

    def _kept_example(self, cls: Class, wanted: Function) -> Value:
        """An object of a class that is made once; what methods do to it is undone again."""
        begin = self.in_class(cls, "__init__")
        if isinstance(begin, Function) and wanted.node is begin.node:
            return self.example(cls, wanted)
        key = cls.number, self.adopted
        found = self.kept_examples.get(key)
        if found is None:
            found = self.kept_examples[key] = self._at_first(cls)
        self.ducks |= found[1]
        return found[0]

    def _at_first(self, cls: Class) -> tuple[Value, dict[str, str]]:
        """An object of a class as it is made before anything else has happened.

        It must not depend on who asks for it first, nor leave anything behind but itself: else what
        is found later would depend on the order of entries, and be another on each rank.
        """
        kept = self.path, self.steps, self.control, self.held, self.ducks
        self.path, self.steps, self.control, self.held, self.ducks = [], 0, [], [], {}
        later: list[dict[Key, Value]] = []
        while self.journals:
            later.append(self.close())
        before = self.numbers
        self.open()
        try:
            return self.example(cls), self.ducks
        finally:
            while len(self.journals) > 1:
                self.keep(self.close())
            own = self.close()
            self.keep({k: v for k, v in own.items() if _is_made_since(k, before)})
            for written in reversed(later):
                self.open()
                self.keep(written)
            self.path, self.steps, self.control, self.held, self.ducks = kept

    def example(self, cls: Class, wanted: Function | None = None) -> Value:
        """An object of a class, made with what nobody knows."""
        found = Obj(self.number(), cls, named(f"some {cls.name}"))
        begin = self.in_class(cls, "__init__")
        if isinstance(begin, Function) and not (wanted and wanted.node is begin.node):
            kept, self.out = self.out, []
            steps = self.steps
            node = begin.node
            wanted_args = [*node.args.posonlyargs, *node.args.args][0 if begin.module.c else 1 :]
            args = [self.parameter(begin, p) for p in wanted_args]
            named_args = {p.arg: self.parameter(begin, p) for p in node.args.kwonlyargs}
            try:
                self.run(self._bound(begin, found), args, named_args)
            finally:
                self.out = kept
            self.steps = steps
        return found

    def parameter(self, what: Function, parameter: ast.arg) -> Value:
        """The value of a parameter that nobody knows: of the class that it is annotated with."""
        name = f"{what.name}.{parameter.arg}"
        usual = self.usual_of(what.node, parameter.arg)
        if usual is not None:
            return usual
        cls = self._class_of(parameter.annotation, what)
        if cls is not None and self.examples < 2:
            self.examples += 1
            try:
                return self.example(cls)
            finally:
                self.examples -= 1
        path = self.annotated(parameter.annotation, what)
        if not path and isinstance(what.owner, Class):
            names = [a.arg for a in getattr(what.node.args, "args", ())]
            place = str(names.index(parameter.arg)) if parameter.arg in names else ""
            for base in self.outer_bases(what.owner):
                handed = self.known.hands.get(self.known.renamed(base), {})
                path = path or handed.get(parameter.arg, "") or handed.get(place, "")
        return Unknown(name, path=path)

    def _class_of(self, node: ast.expr | None, what: Function) -> Class | None:
        """The class of the program that an annotation names."""
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value.isidentifier()
        ):
            node = ast.Name(node.value, ast.Load())
        if not isinstance(node, ast.Name | ast.Attribute):
            return None
        if what.module.c:
            found = self.lookup(node.id.rpartition("::")[2]) if isinstance(node, ast.Name) else None
        else:
            found = self._resolved(node, what)
        return found if isinstance(found, Class) else None

    def annotated(self, node: ast.expr | None, what: Function | None = None) -> str:
        """``X()`` for an annotation that names a class of a library."""
        if node is None:
            return ""
        source = what.module if what is not None else self.top.source
        if source.c:
            return f"{node.id}()" if isinstance(node, ast.Name) else ""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except SyntaxError:
                return ""
        if isinstance(node, ast.Subscript):
            head = ast.unparse(node.value).rpartition(".")[2]
            if head == "Optional":
                return self.annotated(node.slice, what)
            return ""
        if isinstance(node, ast.BinOp):
            return self.annotated(node.left, what) or self.annotated(node.right, what)
        if not isinstance(node, ast.Name | ast.Attribute):
            return ""
        value = self._resolved(node, what)
        if isinstance(value, Unknown) and value.path:
            return value.path + "()"
        return ""

    def _resolved(self, node: ast.expr, what: Function | None) -> Value | None:
        if isinstance(node, ast.Name):
            module = what.module if what is not None else self.top.source
            return self.get((module.number, node.id))
        if isinstance(node, ast.Attribute):
            base = self._resolved(node.value, what)
            if isinstance(base, Unknown | Module):
                return self.member(base, node.attr)
        return None


def _is_made_since(key: Key, before: int) -> bool:
    """Whether a place belongs to an object that was made after number *before*."""
    home: object = key[0]  # names of what is unknown have places, too
    return isinstance(home, int) and home > before
