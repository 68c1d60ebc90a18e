"""Declarations behind Python's facts: keys and types of variables, fields, and functions."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge import Knowledge
from lockorder.python.finalisers import Finalisers
from lockorder.python.foreign import Foreign
from lockorder.python.forks import Forks
from lockorder.python.handlers import Handlers
from lockorder.python.infer import Types
from lockorder.python.keys import Key, Unit
from lockorder.python.kinds import ClassItself, Container, Kind, OfClass, OfLibrary, OfModule, Path
from lockorder.python.pools import Pools
from lockorder.python.scopes import Class, Function, Names, Scope
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Decl, Variable

if TYPE_CHECKING:
    from lockorder.python.emitting import Emitting
    from lockorder.python.places import Places


class Tables:
    """What emitters of one program share."""

    def __init__(self, names: Names, types: Types, knowledge: Knowledge) -> None:
        self.names = names
        self.types = types
        self.knowledge = knowledge
        self.known = known_names(knowledge)
        self.variables: dict[str, Variable] = {}
        self.decls: dict[str, Decl] = {}
        self.lambdas: list[f.Function] = []
        self.fields: dict[str, list[str]] = {}
        self._places: dict[Key, bool] = {}
        self._partials: dict[int, str] = {}
        self._elements: dict[int, str] = {}
        self._overridden: set[int] = set()
        for cls in names.classes.values():
            for name in cls.methods:
                for base in cls.lineage[1:]:
                    if name in base.methods:
                        self._overridden.add(id(base.methods[name]))
        self._scopes = {id(x.scope): x for x in names.functions.values()}
        self._by_usr = {x.usr: x for x in names.functions.values()}
        self.pools = Pools(types)
        self.forks = Forks(types)
        self.handlers = Handlers(types)
        self._finalisers = Finalisers(types)
        self.foreign = Foreign(types)

    # -- types ------------------------------------------------------------------------------------

    def is_lock(self, kind: Kind) -> bool:
        return isinstance(kind, OfLibrary) and kind.type.replace(".", "::") in self.knowledge.locks

    def is_object(self, kind: Kind) -> bool:
        """Whether it matters which object a value is."""
        return not isinstance(kind, Path)

    def is_known(self, path: str) -> bool:
        """Whether anything is known of a library's function, or of one that it has variants of."""
        return path in self.known or f"{path}_bounded" in self.known

    def spelled(self, kinds: Collection[Kind]) -> str:
        """The type of what has *kinds*, as C++ would write it; empty where it is none of one."""
        found = {self._one(k) for k in kinds} - {""}
        if len(found) == 1:
            return found.pop()
        classes = [k.cls for k in kinds if isinstance(k, OfClass)]
        if classes and len(classes) == len(found):
            shared = [c for c in classes[0].lineage if all(c in x.lineage for x in classes)]
            if shared:
                return f"{shared[0].name} *"
        return ""

    def _one(self, kind: Kind) -> str:
        if isinstance(kind, OfClass):
            return f"{kind.cls.name} *"
        if isinstance(kind, OfLibrary):
            return kind.type.replace(".", "::") + " *"
        if isinstance(kind, Container):
            return self._element(kind.node)
        return ""

    def _element(self, node: int) -> str:
        """The type of a container: a pointer to what it has; of containers, to anything."""
        found = self._elements.get(node)
        if found is None:
            kinds = self.types.get(("e", node))
            inner = self.spelled(frozenset(k for k in kinds if not isinstance(k, Container)))
            found = self._elements[node] = f"{inner}*" if inner else "void **"
        return found

    # -- variables --------------------------------------------------------------------------------

    def is_function(self, unit: Unit, name: str) -> bool:
        """Whether a name is that of a definition, here or in what it is imported from."""
        home = unit.scope.home(name)
        return home is not None and isinstance(self.names.member(home, name), Function)

    def variable(self, unit: Unit, name: str) -> str:
        """The key of a variable as a unit sees it; empty for what is built in."""
        scope = unit.scope.home(name)
        if scope is None:
            return ""
        if scope.kind == "class" and unit.cls is not None:
            return self.field(unit.cls, name)
        imported = scope.imports.get(name)
        if imported is not None and imported[0] and imported[1]:
            module = self.names.modules.get(imported[0])
            if module is not None and module is not scope:
                return self.of_module(module, imported[1])
        if scope.kind == "module":
            return self.of_module(scope, name)
        function = self._scopes.get(id(scope))
        if function is None:
            return ""
        usr = f"{function.usr}@{name}"
        if usr not in self.variables:
            is_param = any(p.arg == name for p in function.parameters)
            key = ("v", id(scope), name)
            type_ = self.spelled(self.types.get(key)) if is_param else self.type_of(key)
            self.variables[usr] = Variable(
                usr, name, "param" if is_param else "local", type_, function.usr,
                function.source.file, function.node.lineno,
            )  # fmt: skip
        return usr

    def of_module(self, scope: Scope, name: str, seen: int = 0) -> str:
        """The key of a module's variable."""
        imported = scope.imports.get(name)
        if imported is not None and imported[0] and imported[1] and seen < len(self.names.modules):
            module = self.names.modules.get(imported[0])
            if module is not None and module is not scope:
                return self.of_module(module, imported[1], seen + 1)
        usr = f"py:{scope.source.file}@{name}"
        if usr not in self.variables:
            key = ("v", id(scope), name)
            self.variables[usr] = Variable(
                usr, f"{scope.name}.{name}", "global", self.type_of(key), "", scope.source.file,
                self._line(key), defined=True,
            )  # fmt: skip
        return usr

    def type_of(self, key: Key) -> str:
        """The type of a variable or attribute: a lock's own where it is a part of that."""
        spelled = self.spelled(self.types.get(key))
        return spelled.removesuffix(" *") if self.is_in_place(key) else spelled

    def _line(self, key: Key) -> int:
        written = self.types.written.get(key)
        return min((v.lineno for v, _ in written.values()), default=0) if written else 0

    def declared(self, unit: Unit, node: ast.Name | ast.Attribute) -> str:
        """The key of the variable or attribute that a name is, of whichever object."""
        if isinstance(node, ast.Name):
            return self.variable(unit, node.id)
        for kind in self.types.of(node.value, unit):
            if isinstance(kind, OfClass | ClassItself):
                return self.field(kind.cls, node.attr)
            if isinstance(kind, OfModule):
                return self.of_module(kind.scope, node.attr)
        return ""

    def is_static(self, cls: Class, name: str) -> bool:
        """Whether an attribute is the class's, and no object has one of its own."""
        owner = self.types.owner(cls, name)
        written = self.types.written.get(self.types.attribute(cls, name), {})
        return (
            name in owner.statics
            and all(u.cls is not None for _, u in written.values())
            and (not any(_is_dataclass(c) for c in owner.lineage))
        )

    def field(self, cls: Class, name: str) -> str:
        """The key of an attribute of objects of a class, or of the class itself."""
        owner = self.types.owner(cls, name)
        usr = f"py:{owner.source.file}:{owner.node.lineno}:{owner.name}@{name}"
        if usr not in self.variables:
            key = self.types.attribute(cls, name)
            static = self.is_static(cls, name)
            self.variables[usr] = Variable(
                usr, f"{owner.name}::{name}", "member" if static else "field", self.type_of(key),
                "", owner.source.file, self._line(key), defined=static,
            )  # fmt: skip
            if not static:
                self.fields.setdefault(owner.name, []).append(usr)
        return usr

    def worker(self, pool: str, key: Key | None) -> str:
        """The key of a thread of a pool, if its tasks may wait for tasks of its own."""
        size = self.pools.threads(key)
        if size is None:
            return ""
        known = self.variables[pool]
        usr = f"{pool}@(thread)"
        if usr not in self.variables:
            type_ = "python::Worker" if size == 1 else "python::Workers"
            name = f"{'the' if size == 1 else 'a'} thread of {known.name}"
            self.variables[usr] = Variable(
                usr, name, "global", type_, "", known.file, known.line, defined=True
            )
        return usr

    def registered(self, cls: Class) -> tuple[str, str]:
        """The variable of the objects of *cls* that a library calls, and their lock."""
        known = self.types.library.handlers
        usr = f"py:@registered:{cls.name}"
        if usr not in self.variables:
            self.variables[usr] = Variable(
                usr, f"{cls.name}::(registered)", "global", f"{cls.name} *", defined=True
            )
        owner = [c for c in cls.lineage if c.is_from(known.classes)][-1]
        lock = f"py:{owner.source.file}:{owner.node.lineno}:{owner.name}@({known.lock})"
        if lock not in self.variables:
            self.variables[lock] = Variable(
                lock, f"{owner.name}::{known.lock}", "field", known.type.replace(".", "::"), "",
                owner.source.file, owner.node.lineno,
            )  # fmt: skip
            self.fields.setdefault(owner.name, []).append(lock)
        return usr, lock

    def kept(self) -> str:
        """The variable of callables that somebody keeps, nobody knows who."""
        usr = "py:@kept"
        if usr not in self.variables:
            self.variables[usr] = Variable(usr, "python::kept", "global", "", defined=True)
        return usr

    def loose(self, name: str) -> str:
        """The key of an attribute of objects of which nobody knows the class."""
        usr = f"py:@{name}"
        if usr not in self.variables:
            self.variables[usr] = Variable(usr, f"python::any::{name}", "field", "")
        return usr

    def temporary(self, unit: Unit, kinds: Collection[Kind], number: int) -> str:
        """A variable that nobody has named."""
        owner = self._scopes.get(id(unit.scope))
        base = owner.usr if owner is not None else f"py:{unit.scope.source.file}"
        usr = f"{base}@({number})"
        if usr not in self.variables:
            line = owner.node.lineno if owner is not None else 0
            self.variables[usr] = Variable(
                usr, f"({number})", "local", self.spelled(kinds), base, unit.scope.source.file, line
            )
        return usr

    def guard(self, unit: Unit, line: int, column: int, number: int) -> str:
        """The variable of what ``with`` holds."""
        usr = f"{self.temporary(unit, frozenset(), number)}:{line}:{column}"
        self.variables[usr] = Variable(
            usr, "with", "local", "python::With", "", unit.scope.source.file, line
        )
        return usr

    # -- locks ------------------------------------------------------------------------------------

    def is_in_place(self, key: Key | None) -> bool:
        """Whether a lock is made once with the object, module or class that it belongs to.

        Then it is a part of that, as a mutex is a member in C++; else a pointer to it is kept.
        """
        if key is None or key[0] == "e":
            return False
        found = self._places.get(key)
        if found is None:
            found = self._places[key] = self._made_once(key)
        return found

    def _made_once(self, key: Key) -> bool:
        kinds = self.types.get(key)
        written = list(self.types.written.get(key, {}).values())
        if len(kinds) != 1 or not self.is_lock(next(iter(kinds))) or len(written) != 1:
            return False
        value, unit = written[0]
        if not isinstance(value, ast.Call) or any(
            not isinstance(k, Path) for k in self.types.of(value.func, unit)
        ):
            return False
        function = unit.function
        if function is None:
            return True
        if key[0] == "v":  # not one of a module that a function puts there
            return key[1] == id(function.scope)
        return function.short == "__init__"

    def lock_type(self, emitter: Places, node: ast.expr) -> str:
        """The library's type of the lock that an expression is."""
        other = self._alias(emitter, node)
        kinds = emitter.types.of(*other) if other is not None else emitter.kinds(node)
        found = sorted(k.type for k in kinds if isinstance(k, OfLibrary) and self.is_lock(k))
        return found[0] if found else ""

    def _alias(self, emitter: Places, node: ast.expr) -> tuple[ast.expr, Unit] | None:
        """The lock that a condition was made with, as it is written there."""
        conditions = self.types.library.conditions.names
        if not any(isinstance(k, OfLibrary) and k.type in conditions for k in emitter.kinds(node)):
            return None
        for value, unit in self.created(emitter, node):
            if value.args:
                return value.args[0], unit
            for each in value.keywords:
                if each.arg == "lock":
                    return each.value, unit
        return None

    def lock_of_condition(self, emitter: Places, node: ast.expr) -> f.Value | None:
        """The lock of a condition, seen from here; None where it has its own."""
        found = self._alias(emitter, node)
        if found is None:
            return None
        lock, unit = found
        if isinstance(node, ast.Attribute):
            name = self._attribute_with(lock, unit)
            if name:
                return emitter.value(
                    ast.copy_location(ast.Attribute(node.value, name, ast.Load()), node)
                )
        usr = self.variable(unit, lock.id) if isinstance(lock, ast.Name) else ""
        return f.Var(usr) if usr else None

    def _attribute_with(self, lock: ast.expr, unit: Unit) -> str:
        """The attribute that has the lock: by its name, or as what else was put into one."""
        function = unit.function
        if function is None or function.cls is None:
            return ""
        if isinstance(lock, ast.Attribute) and isinstance(lock.value, ast.Name):
            return lock.attr if lock.value.id == function.first else ""
        if isinstance(lock, ast.Name):
            for node in ast.walk(function.node):
                if isinstance(node, ast.Assign) and _same(node.value, lock):
                    for target in node.targets:
                        if isinstance(target, ast.Attribute):
                            return target.attr
        return ""

    def created(self, emitter: Places, node: ast.expr) -> list[tuple[ast.Call, Unit]]:
        """The calls that made what an expression is, where a variable or attribute has it."""
        key = emitter.key_of(node)
        written = self.types.written.get(key, {}) if key is not None else {}
        return [(v, u) for v, u in written.values() if isinstance(v, ast.Call)]

    def is_bounded(self, emitter: Places, node: ast.expr) -> bool:
        """Whether a queue was given a size."""
        size = self.types.library.bounded.size
        for value, _ in self.created(emitter, node):
            given = [k.value for k in value.keywords if k.arg == size] or value.args[:1]
            if given and not (isinstance(given[0], ast.Constant) and not given[0].value):
                return True
        return False

    def end_of(self, type_: str) -> str:
        """What runs where a ``with`` of a library's object ends."""
        name = type_.replace(".", "::")
        for method in ("shutdown", "join"):
            if f"{name}::{method}" in self.knowledge.blocks and type_.endswith("Executor"):
                return f"{name}::{method}"
        return ""

    # -- functions --------------------------------------------------------------------------------

    def finalisers(self, cls: Class) -> list[tuple[Function, Class | None]]:
        """Functions that run where an object of a class ends, with the class of their object."""
        return self._finalisers.of(cls)

    def ends(self, cls: Class) -> bool:
        """Whether code of the program runs where an object of a class ends."""
        return cls.method("__del__") is not None or bool(self._finalisers.of(cls))

    def is_overridden(self, function: Function) -> bool:
        return id(function) in self._overridden

    def may_be_called(self, emitter: Places, node: ast.expr) -> bool:
        """Whether a value may be a function of the program that was put there."""
        if isinstance(node, ast.Attribute):
            kinds = emitter.kinds(node.value)
            return any(isinstance(k, OfClass | ClassItself) for k in kinds)
        return isinstance(node, ast.Name | ast.Subscript)

    def outside(self, name: str, count: int) -> str:
        """The key of a library's function."""
        usr = f"py:lib:{name}"
        if usr not in self.decls:
            cls = name.rpartition("::")[0]
            known = cls.rpartition("::")[2][:1].isupper()
            self.decls[usr] = Decl(usr, name, count, cls if known else "")
        return usr

    def lambda_at(self, unit: Unit, text: str) -> str:
        return f"py:{unit.scope.source.file}:{unit.scope.name}:{text}"

    def note_partial(self, node: ast.Call, usr: str) -> None:
        self._partials[id(node)] = usr

    def partial(self, node: ast.Call) -> str:
        """The key of the function that a ``partial`` stands for."""
        return self._partials.get(id(node), "")

    def has_object(self, target: f.Value) -> bool:
        """Whether a function is given its object before all else."""
        function = self._by_usr.get(target.usr) if isinstance(target, f.Fn) else None
        return function is not None and function.has_self

    def parameters_like(self, usr: str, target: f.Value, count: int, line: int) -> list[str]:
        """Parameters of a function that nobody has written, to hand them on to *target*."""
        function = self._by_usr.get(target.usr) if isinstance(target, f.Fn | f.Closure) else None
        types: list[str] = []
        if function is not None:
            unit = Unit(function.scope, function.body, function)
            if function.has_self and function.cls is not None:
                types.append(f"{function.cls.name} *")
            keys = [self.variable(unit, p.arg) for p in function.parameters]
            types += [self.variables[key].type for key in keys]
        types += [""] * (count - len(types))
        names = [f"{usr}@{number}" for number in range(count)]
        for number, (name, type_) in enumerate(zip(names, types, strict=False)):
            self.variables[name] = Variable(name, f"({number})", "param", type_, usr, "", line)
        return names

    def add_lambda(
        self,
        emitter: Emitting,
        usr: str,
        block: f.Block,
        line: int,
        parameters: Sequence[str] = (),
    ) -> None:
        """A function that is written inside of another."""
        function = emitter.function
        parent = function.usr if function is not None else module_key(emitter.unit.scope.module)
        name = f"{function.name if function else emitter.unit.scope.name}.(block)"
        file = emitter.unit.scope.source.file
        self.lambdas.append(
            f.Function(
                usr, name, "lambda", list(parameters), block, file, line, line, parent=parent
            )
        )
        self.decls[usr] = Decl(usr, name, len(parameters), required=0)


def known_names(knowledge: Knowledge) -> set[str]:
    """Functions of Python's library of which the analysis knows what they do."""
    tables = (
        knowledge.blocks, knowledge.asked, knowledge.waits, knowledge.notifies, knowledge.registers,
        knowledge.starters, knowledge.perhaps,
    )  # fmt: skip
    names = {name.replace("::", ".") for table in tables for name in table}
    locks = {name.replace("::", ".") for name in knowledge.locks}
    return names | {f"{n}.{method}" for n in locks for method in ("acquire", "release")}


def module_key(scope: Scope) -> str:
    """The key of the function that a module's own statements are."""
    return f"py:{scope.source.file}@"


def _is_dataclass(cls: Class) -> bool:
    return any(
        "dataclass" in ast.unparse(d) or "define" in ast.unparse(d) for d in cls.node.decorator_list
    )


def _same(a: ast.expr, b: ast.expr) -> bool:
    return isinstance(a, ast.Name) and isinstance(b, ast.Name) and a.id == b.id
