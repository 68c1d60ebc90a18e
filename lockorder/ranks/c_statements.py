"""What C and C++ have and Python has not."""

from __future__ import annotations

import ast
from typing import Any

import msgspec

from lockorder.python.modules import Source
from lockorder.ranks import conditions
from lockorder.ranks.c_containers import GROWS, Containers
from lockorder.ranks.c_nodes import Block, Closure, Goto, Instance, Labeled, Step, Store, Switch
from lockorder.ranks.calls import nodes_of
from lockorder.ranks.effects import Item
from lockorder.ranks.expressions import place_of, slot, written
from lockorder.ranks.machine import Activation, Key, Pointer
from lockorder.ranks.values import (
    Class,
    Const,
    Deps,
    Function,
    Obj,
    Tup,
    Unknown,
    Value,
    depends,
    named,
)

_LARGEST = 64


class Machine(Containers):
    """An interpreter of both languages."""

    # -- names ------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Value:
        if not self.top.source.c:
            return super().lookup(name)
        if name == "this" and self.top.bound is not None:
            return self.top.bound
        found = self._found(name)
        if isinstance(found, Function) and getattr(found.node, "stands_for", False):
            return self.run(found, [], {})
        if found is not None:
            return found
        if "::" in name:
            head, _, last = name.rpartition("::")
            outer = self._found(head.rpartition("::")[2])
            if isinstance(outer, Class):
                return self.member(outer, last)
            found = self._found(last)
            if isinstance(found, Function | Class):
                return found
            if not name.startswith("std::"):
                for short in (f"{head.rpartition('::')[2]}::{last}", last):
                    found = self.get((self.top.source.number, short))
                    found = found if found is not None else self.outside(short, self.top.source)
                    if found is not None:
                        return found
        told = self.told(name, None)
        return told if told is not None else Unknown(name, path=name)

    def _found(self, name: str) -> Value | None:
        here: Any = self.top
        while here is not None:
            if name in here.aliases:
                return self.get(here.aliases[name]) or Unknown(name)
            found = self.get((here.number, name))
            if found is not None:
                return found
            if isinstance(here.bound, Obj):
                found = self.get((here.bound.number, name))
                found = found if found is not None else self.in_class(here.bound.cls, name)
                if isinstance(found, Function):
                    return self._bound(found, here.bound)
                if found is not None:
                    return found
            here = here.parent
        found = self.get((self.top.source.number, name))
        return found if found is not None else self.outside(name, self.top.source)

    def outside(self, name: str, source: Any) -> Value | None:
        """What another file of C defines."""
        if not source.c:
            return None
        if not self.homes:
            for one in self.program.sources:
                if one.c:
                    for node in one.tree.body:
                        short = getattr(node, "name", None)
                        targets = node.targets if isinstance(node, ast.Assign) else []
                        for name_of in (short, *(t.id for t in targets if isinstance(t, ast.Name))):
                            if name_of:
                                self.homes.setdefault(name_of, one)
        home = self.homes.get(name)
        if home is None or home is source:
            return None
        self.load(home)
        return self.get((home.number, name))

    def place(self, name: str) -> Key:
        if not self.top.source.c or self.declares:
            return super().place(name)
        here: Any = self.top
        while here is not None:
            if name in here.aliases:
                key: Key = here.aliases[name]
                return key
            if (here.number, name) in self.store:
                return here.number, name
            if isinstance(here.bound, Obj):
                of = here.bound
                if (of.number, name) in self.store or self.in_class(of.cls, name) is not None:
                    return of.number, name
            here = here.parent
        source = self.top.source
        if (source.number, name) in self.store:
            return source.number, name
        return self.top.number, name

    declares = False

    def _do_Assign(self, node: ast.Assign) -> bool:
        if not getattr(node, "declares", False):
            return super()._do_Assign(node)
        if getattr(node, "refers", False) and self._refers(node):
            return True
        value = self.eval(node.value)
        self.declares = True
        try:
            for target in node.targets:
                self.assign(target, value)
        finally:
            self.declares = False
        return True

    # -- expressions ------------------------------------------------------------------------------

    def _Store(self, node: Store) -> Value:
        value = self.eval(node.value)
        self.stored(node.target, value)
        return value

    def _Step(self, node: Step) -> Value:
        target = node.target
        old = self.eval(target)
        value = self.binary(type(node.op), old, self.eval(node.value), self.site(node))
        self.assign(target, value)
        return old if getattr(node, "after", False) else value

    def _refers(self, node: ast.Assign) -> bool:
        """Make a reference another name of what it is begun with, where that has a place."""
        target, value = node.targets[0], node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name):
            value = value.args[0] if value.func.id == "__cast__" else value
        if not isinstance(target, ast.Name):
            return False
        key: Key | None = None
        if isinstance(value, ast.Name):
            key = self._home(value.id)
        elif isinstance(value, ast.Attribute) and not any(
            isinstance(x, ast.Call) for x in ast.walk(value)
        ):
            place, before = self.address(value), self.eval(value)
            key = place.key if isinstance(place, Pointer) else None
            own = isinstance(key[0], int) if key is not None else False
            if key is not None and own and self.get(key) is None:
                self.set(key, before)
        if key is None or self.get(key) is None or key == (self.top.number, target.id):
            return False
        self.top.aliases[target.id] = key
        return True

    def _Closure(self, node: Closure) -> Value:
        around = self.top
        names = [(str(k.arg), k.value) for k in node.kept]
        if node.copies:
            named_here = {x.id: x for x in ast.walk(node.function) if isinstance(x, ast.Name)}
            own = {name for name, _ in names}
            names += [
                (n, x) for n, x in named_here.items()
                if n not in own and self.get((around.number, n)) is not None
            ]  # fmt: skip
        if names:
            around = self._between(around, [(name, self.eval(value)) for name, value in names])
        return Function(
            node.function, self.top.source, "lambda", around, self.top.bound, self.top.owner
        )

    def _between(self, around: Any, values: list[tuple[str, Value]]) -> Activation:
        """A place around a function for what it has of its own, and where it was made else."""
        made = Activation(
            self.number(), "", self.top.source, around,
            globals=set(), nonlocals=set(), returns=[], aliases={},
        )  # fmt: skip
        for name, value in values:
            self.set((made.number, name), value)
        return made

    def _Instance(self, node: Instance) -> Value:
        what = self.eval(node.what)
        wanted = getattr(getattr(what, "node", None), "template", None)
        if not isinstance(what, Function) or not wanted:
            return what
        values = [
            (name, self.eval(one)) for (name, _), one in zip(wanted, node.given, strict=False)
        ]
        return msgspec.structs.replace(what, frame=self._between(what.frame, values))

    def _Call(self, node: ast.Call) -> Value:
        if self.top.source.c and isinstance(node.func, ast.Name):
            method = (
                getattr(self, "_c" + node.func.id, None) if node.func.id.startswith("__") else None
            )
            if method is not None:
                found: Value = method(node)
                return found
        if self.top.source.c:
            of_pointer = self.of_pointer(node)
            if of_pointer is not None:
                return of_pointer
        return super()._Call(node)

    def argument(self, node: ast.expr, what: Value, at: int) -> Value:
        if isinstance(what, Function) and what.module.c:
            parameters = getattr(getattr(what.node, "args", None), "args", [])
            if at < len(parameters) and getattr(parameters[at], "by_reference", False):
                macro = getattr(what.node, "macro", False)
                if isinstance(node, ast.Name):
                    key = self._home(node.id)
                    if key in self.store or not macro:
                        return Pointer(key)
                elif isinstance(node, ast.Attribute | ast.Subscript) and not macro:
                    return self.address(node)
        return self.eval(node)

    def body_of(self, node: Any) -> bool:
        for name, default in getattr(node, "template", ()):
            if default is not None and self._found(name) is None:
                self.set((self.top.number, name), self.eval(default))
        return super().body_of(node)

    def _unpack(self, targets: list[ast.expr], value: Value) -> None:
        if isinstance(value, Obj) and value.kind == "object" and isinstance(value.cls, Class):
            fields = [
                s.targets[0].id for s in value.cls.node.body
                if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
            ]  # fmt: skip
            if value.cls.module.c and len(fields) == len(targets):
                value = Tup(tuple(self.member(value, name) for name in fields))
        super()._unpack(targets, value)

    def _c__braces__(self, node: ast.Call) -> Value:
        """What begins with braces and is of a class of another file, or of none."""
        cls = self.class_of(_text(node.args[0]))
        args = [self.eval(a) for a in node.args[1:]]
        if cls is not None:
            return self.make(cls, args, {})
        if len(args) == 1:
            return args[0]
        return Unknown(self.label(self.site(node)), depends(*args), f"{_text(node.args[0])}()")

    def _c__new__(self, node: ast.Call) -> Value:
        """An object of a class of another file, or of none."""
        cls = self.class_of(_text(node.args[0]))
        if cls is not None:
            return self.make(cls, [self.eval(a) for a in node.args[1:]], {})
        return self._c__unset__(ast.copy_location(ast.Call(node.func, node.args[1:], []), node))

    def _c__made__(self, node: ast.Call) -> Value:
        """An object of a class of a library, or a number in parentheses."""
        kind = _text(node.args[0])
        told = self.known.find(kind, True) if kind else None
        if told is not None and told.does:
            args = [self.eval(a) for a in node.args[1:]]
            return self.library(Unknown(kind, path=kind), args, {}, None)
        if len(node.args) == 2:
            return self.eval(node.args[1])
        return self._c__unset__(ast.copy_location(ast.Call(node.func, node.args[1:], []), node))

    def _c__unset__(self, node: ast.Call) -> Value:
        values = [self.eval(a) for a in node.args]
        return Unknown(
            named(f"{self.site(node)}({','.join(v.id for v in values)})"), depends(*values)
        )

    def _c__typed__(self, node: ast.Call) -> Value:
        kind, name = _text(node.args[0]), _text(node.args[1])
        if len(node.args) > 2:
            cls = self.class_of(kind)
            if cls is not None and self.ends_with_code(cls):
                return self.make(cls, [], {})
        label = self.label(f"{name or self.site(node)}")
        return Unknown(label, path=f"{kind}()" if kind else "")

    def _c__cast__(self, node: ast.Call) -> Value:
        value = self.eval(node.args[0])
        kind = _text(node.args[1])
        if isinstance(value, Unknown) and not value.path:
            return Unknown(value.name, value.deps, f"{kind}()", value.base)
        return value

    def _c__object__(self, node: ast.Call) -> Value:
        cls = self.eval(node.args[0])
        begin = self.in_class(cls, "__init__")
        if isinstance(cls, Class) and not node.keywords and (begin or len(node.args) == 1):
            return self.make(cls, [self.eval(a) for a in node.args[1:]], {})
        found = Obj(
            self.number(), cls if isinstance(cls, Class) else None, self.label(self.site(node))
        )
        for keyword in node.keywords:
            self.set((found.number, str(keyword.arg)), self.eval(keyword.value))
        if isinstance(cls, Class):
            fields = [
                s.targets[0].id for s in cls.node.body
                if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
            ]  # fmt: skip
            for name, one in zip(fields, node.args[1:], strict=False):
                self.set((found.number, name), self.eval(one))
        return found

    def _c__array__(self, node: ast.Call) -> Value:
        found = Obj(self.number(), None, self.label(self.site(node)), "array")
        size = self.eval(node.args[0]) if node.args else None
        items = self.items(size) if isinstance(size, Obj) else None
        if items is not None:
            at = 0
            length = 0
            for i, item in enumerate(items):
                place = getattr(node, "places", {}).get(i)
                index = self.eval(place) if place is not None else None
                if isinstance(index, Const) and isinstance(index.value, int):
                    at = index.value
                self.set((found.number, f"[{at}]"), item)
                at += 1
                length = max(length, at)
            self.set((found.number, "length"), Const(length))
        elif isinstance(size, Const):
            self.set((found.number, "length"), size)
        return found

    def worthwhile(self, node: Any) -> bool:
        """In C a function often fills what it is handed: what is there then has to be known."""
        if super().worthwhile(node):
            return True
        found = self._filling.get(id(node))
        if found is None:
            found = self.top.source.c and any(
                (isinstance(part, Store | Step) and not isinstance(part.target, ast.Name))
                or (isinstance(part, ast.Attribute) and part.attr in GROWS)
                for part in nodes_of(node)
            )
            self._filling[id(node)] = found
        return found

    _filling: dict[int, bool]

    def memory(self, node: ast.Call | None) -> Value:
        where = self.site(node) if node is not None else str(self.top.line)
        return Obj(self.number(), None, self.label(where), "array")

    def of(self, *values: Value) -> Deps:
        found = super().of(*values)
        for value in values:
            if isinstance(value, Pointer):
                held = self.get(value.key)
                if held is not None:
                    found |= super().of(held)
            elif isinstance(value, Obj) and value.kind == "array":
                for name, held in self.parts(value.number):
                    if name.startswith("[") or name == "each":
                        found |= held.depends
        return found

    def items(self, value: Value) -> tuple[Value, ...] | None:
        if isinstance(value, Obj) and value.kind == "array":
            length = self.get((value.number, "length"))
            if (
                not isinstance(length, Const)
                or not isinstance(length.value, int)
                or length.value > _LARGEST
            ):
                return None
            held = [self.get((value.number, f"[{i}]")) for i in range(length.value)]
            return tuple(h for h in held if h is not None) if None not in held else None
        return super().items(value)

    def element(self, base: Value, index: Value) -> Value:
        if isinstance(base, Pointer):
            number, name = base.key
            if name.startswith("[") and isinstance(index, Const) and isinstance(index.value, int):
                held = self.get((number, f"[{(place_of(name) or 0) + index.value}]"))
            else:
                held = self.get(base.key)
            if isinstance(held, Obj):
                return self.element(held, index) if not name.startswith("[") else held
            return (
                held
                if held is not None
                else Unknown(named(f"{base.id}[{index.id}]"), index.depends)
            )
        if isinstance(base, Obj) and base.kind == "array":
            held = self.get((base.number, slot(index)))
            if held is not None:
                return held
            held = self.any_element(base, index)
            if held is not None:
                return held
            return Unknown(named(f"{base.id}[{index.id}]"), base.depends | index.depends)
        return super().element(base, index)

    def binary(self, kind: type, left: Value, right: Value, site: str) -> Value:
        inside = isinstance(left, Obj) or (
            isinstance(left, Pointer) and place_of(left.key[1]) is not None
        )
        row, by = self._row(left) if inside else None, self.whole(right)
        if row is not None and by is not None and kind in (ast.Add, ast.Sub):
            home, at = row
            at += by if kind is ast.Add else -by
            if at >= 0:
                return Pointer((home, f"[{at}]"))
        return super().binary(kind, left, right, site)

    def set_at(self, target: ast.Subscript, base: Value, index: Value, value: Value) -> None:
        by = self.whole(index)
        if isinstance(base, Pointer) and by is not None:
            home, name = base.key
            place = place_of(name)
            if place is not None:
                self.set((home, f"[{place + by}]"), value)
            elif not by:
                self.set(base.key, value)
        elif isinstance(base, Obj) and base.kind == "array":
            self.set((base.number, slot(index)), value)
            if not isinstance(index, Const):
                old = self.get((base.number, "each"))
                deps = value.depends | (old.depends if old is not None else frozenset())
                self.set((base.number, "each"), Unknown(f"element of {base.label}", deps))
        else:
            super().set_at(target, base, index, value)

    # -- statements -------------------------------------------------------------------------------

    def _do_Switch(self, node: Switch) -> bool:
        outer = self.construct()
        subject = self.eval(node.subject)
        cases = node.cases

        def default() -> bool:
            return all(self.block(body) for label, body in cases if label is None)

        def case(at: int) -> bool:
            if at == len(cases):
                return default()
            label, body = cases[at]
            if label is None:
                return case(at + 1)
            value = self.compare(ast.Eq, subject, self.eval(label), f"case {written(label)}")
            text = f"{written(node.subject)} == {written(label)}"
            return self.branch(
                self.truth(value),
                value.depends,
                text,
                lambda: self.block(body),
                lambda: case(at + 1),
            )

        self.breaking.append(outer)
        try:
            return self.scoped(outer, lambda: case(0))
        finally:
            self.breaking.pop()

    def _do_Block(self, node: Block) -> bool:
        return self.block(node.body)

    def _do_Labeled(self, node: Labeled) -> bool:
        label = self.construct()
        name = node.name
        kept = self.gotos.get(name)
        self.gotos[name] = label
        here = self.top
        control = here.control
        alive = self.scoped(label, lambda: self.block(node.body))
        here.control = control | here.left | here.broken
        if kept is None:
            del self.gotos[name]
        else:
            self.gotos[name] = kept
        return alive

    def _do_Goto(self, node: Goto) -> bool:
        label = self.gotos.get(node.name)
        if label is None:
            self.cut.add(f"goto {node.name}")
            return True
        self.leave("goto", label)
        return False

    gotos: dict[str, int]
    homes: dict[str, Source]

    # -- entries ----------------------------------------------------------------------------------

    def script(self, source: Source) -> list[Item]:
        self.gotos, self.guards = {}, []
        if not source.c:
            return super().script(source)
        self.main = source
        self.load(source)
        return self._issued(source, lambda: self._main(source))

    def function(self, source: Source, path: list[ast.AST]) -> list[Item]:
        self.gotos, self.guards = {}, []
        return super().function(source, path)

    def _main(self, source: Source) -> bool:
        found = self.get((source.number, "main"))
        if not isinstance(found, Function):
            return False
        wanted = found.node.args.args
        self.run(found, [Unknown(f"main.{p.arg}") for p in wanted], {})
        return True


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


__all__ = ["Machine", "Tup", "conditions"]
