"""Names, members and calls."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from lockorder.ranks.c_nodes import Block
from lockorder.ranks.effects import MayRaise
from lockorder.ranks.expressions import NO_VALUE, Expressions, mark_fills, slot, written
from lockorder.ranks.machine import MISSING, Activation, Key, Pointer
from lockorder.ranks.values import (
    CAUGHT,
    LOCAL,
    NONE,
    Class,
    Comm,
    Const,
    Deps,
    Either,
    Function,
    Group,
    Method,
    Module,
    Obj,
    Received,
    Request,
    Rows,
    Sized,
    Super,
    Truth,
    Tup,
    Unknown,
    Value,
    counted,
    depends,
    differs,
    named,
    of_rank,
)

_LONG_PATH = 200
#: What the form of something is, which ranks share, whatever is in it.
_FORMS = frozenset(
    ["shape", "ndim", "dtype", "device", "requires_grad", "is_cuda", "layout", "training"]
)
#: Functions of so few statements are always followed.
_SMALL = 6
#: So are those that give an object its parts, of so many.
_PARTS = 40
#: How the names begin under which functions keep what they give.
KEPT = "kept "
_TRAITS = {
    "property": "property", "staticmethod": "static", "classmethod": "class",
    "contextlib.contextmanager": "context", "contextmanager": "context",
    "functools.cached_property": "property kept", "cached_property": "property kept",
    "functools.lru_cache": "kept", "lru_cache": "kept", "functools.cache": "kept", "cache": "kept",
    "contextlib.asynccontextmanager": "context",
}  # fmt: skip


class Calls(Expressions):
    """Names, members and calls."""

    # -- names ------------------------------------------------------------------------------------

    def lookup(self, name: str) -> Value:
        """The value of a name where we are."""
        here: Activation | None = self.top
        if here is not None and name in here.globals:
            here = None
        while here is not None:
            if name in here.aliases:
                found = self.get(here.aliases[name])
                return found if found is not None else Unknown(name)
            found = self.get((here.number, name))
            if found is not None:
                return found
            here = here.parent
        source = self.top.source
        found = self.get((source.number, name))
        if found is not None:
            return found
        found = self.outside(name, source)
        if found is None:
            self.misses((self.top.number, name))
        return found if found is not None else Unknown(name, path=name)

    def outside(self, name: str, source: Any) -> Value | None:
        """What a language without modules finds elsewhere."""
        return None

    def place(self, name: str) -> Key:
        """Where a name's value is kept."""
        here = self.top
        if name in here.aliases:
            return here.aliases[name]
        if name in here.globals:
            return here.source.number, name
        if name in here.nonlocals:
            outer = here.parent
            while outer is not None:
                if (outer.number, name) in self.store:
                    return outer.number, name
                outer = outer.parent
        return here.number, name

    def assign(self, target: ast.AST, value: Value) -> None:
        """``target = value``."""
        if isinstance(target, ast.Name):
            self.set(self.place(target.id), self.under(value, target.id))
        elif isinstance(target, ast.Attribute):
            self.set_member(self.eval(target.value), target.attr, value)
        elif isinstance(target, ast.Subscript):
            self.set_element(target, value)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, value)
        elif isinstance(target, ast.Tuple | ast.List):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Call):
            self.store_at(target, value)

    def store_at(self, target: ast.Call, value: Value) -> None:
        """``*p = value``."""
        if isinstance(target.func, ast.Name) and target.func.id == "__deref__":
            place = self.eval(target.args[0])
            if isinstance(place, Pointer):
                self.set(place.key, self.under(value, place.key[1]))
            elif isinstance(target.args[0], ast.Name | ast.Attribute):
                self.set((f"*{place.id}", ""), value)  # type: ignore[arg-type]

    def _unpack(self, targets: list[ast.expr], value: Value) -> None:
        items = self.items(value)
        if isinstance(value, Either):
            ours, theirs = self.items(value.first), self.items(value.second)
            if ours is not None and theirs is not None and len(ours) == len(theirs) == len(targets):
                for target, a, b in zip(targets, ours, theirs, strict=True):
                    self.assign(target, self.joined(value.condition, value.deps, a, b))
                return
        starred = [i for i, t in enumerate(targets) if isinstance(t, ast.Starred)]
        if items is not None and not starred and len(items) == len(targets):
            for target, item in zip(targets, items, strict=True):
                self.assign(target, item)
            return
        for i, target in enumerate(targets):
            index = Const(i)
            self.assign(target, self.element(value, index) if not starred else self.each(value))

    def set_element(self, target: ast.Subscript, value: Value) -> None:
        base = self.eval(target.value)
        if isinstance(target.slice, ast.Slice):
            whole = self.led_to(base)
            if isinstance(whole, Obj):
                self.blur(whole, self.each(value))
            return
        self.set_at(target, base, self.eval(target.slice), self.under(value, "element"))

    def set_at(self, target: ast.Subscript, base: Value, index: Value, value: Value) -> None:
        """``base[index] = value``, where *target* stands for it."""
        if isinstance(base, Pointer):
            held = self.get(base.key)
            base = held if held is not None else base
        if isinstance(base, Obj):
            items = self.items(base)
            if base.kind == "dict" or items is None:
                self.set((base.number, slot(index)), value)
                if base.kind == "dict":
                    self.keyed(base, index)
                    return
                self.set((base.number, "each"), value)
            elif (
                isinstance(index, Const)
                and isinstance(index.value, int)
                and -len(items) <= index.value < len(items)
            ):
                new = list(items)
                new[index.value] = value
                self.set((base.number, "[]"), Tup(tuple(new)))
            elif self.top.source.c and not isinstance(index, Const):
                # One of them is something else; there are as many as before.
                deps = value.depends | index.depends
                new = [Unknown(named(f"{x.id}'"), x.depends | deps) for x in items]
                self.set((base.number, "[]"), Tup(tuple(new)))
            else:
                self.blur(base, value)
        elif isinstance(base, Unknown):
            self.changed(target.value, base, value.depends | index.depends)

    def keyed(self, base: Obj, key: Value) -> None:
        raise NotImplementedError

    def changed(self, target: ast.expr, base: Unknown, deps: Deps) -> None:
        """A part of what *target* names is something else now."""
        if isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            old = base.deps if not base.path.endswith("[*]") else NONE
            name = named(f"{base.id}'")
            made = Unknown(name, old | deps, base.path, base.base)
            if isinstance(base, Sized):
                made = msgspec.structs.replace(base, name=name, deps=old | deps)
            self.assign(target, made)

    def set_member(self, base: Value, name: str, value: Value) -> None:
        """``base.name = value``."""
        value = self.under(value, name)
        if isinstance(base, Pointer):
            held = self.get(base.key)
            base = held if held is not None else base
        if isinstance(base, Obj):
            setter = self.in_class(base.cls, name) if isinstance(base.cls, Class) else None
            if isinstance(setter, Function) and "property" in setter.traits:
                self.set((base.number, f"={name}"), value)
                return
            self.set((base.number, name), value)
        elif isinstance(base, Class):
            self.set((base.number, name), value)
        elif isinstance(base, Module):
            self.set((base.module.number, name), value)
        elif isinstance(base, Either):
            for one in (base.first, base.second):
                self.set_member(one, name, value)
        else:
            self.set((f"u:{base.id}", name), value)  # type: ignore[arg-type]

    # -- members ----------------------------------------------------------------------------------

    def _Attribute(self, node: ast.Attribute) -> Value:
        return self.member(self.eval(node.value), node.attr)

    def member(self, base: Value, name: str) -> Value:
        """``base.name``."""
        if isinstance(base, Unknown):
            return self._of_unknown(base, name)
        if isinstance(base, Pointer):
            held = self.get(base.key)
            base = held if held is not None else Unknown(base.id)
            return self.member(base, name)
        if isinstance(base, Either):
            return self.joined(
                base.condition,
                base.deps,
                self.member(base.first, name),
                self.member(base.second, name),
            )
        if isinstance(base, Obj):
            return self._of_object(base, name)
        if isinstance(base, Class):
            found = self.get((base.number, name))
            found = found if found is not None else self.in_class(base, name)
            if isinstance(found, Function):
                return self._bound(found, base, to_class=True)
            if found is not None:
                return found
            if name == "__name__":
                return Const(base.name.rpartition(".")[2])
            found = self._from_outside(base, name, static=True)
            if isinstance(found, Unknown) and found.base is None:
                return Unknown(found.name, found.deps, found.path, base)
            return found
        if isinstance(base, Module):
            self.load(base.module)
            found = self.get((base.module.number, name))
            if found is not None:
                return found
            inner = self.program.by_name.get(f"{base.module.name}.{name}")
            if inner is not None:
                return Module(inner)
            return Unknown(f"{base.module.name}.{name}", path=f"{base.module.name}.{name}")
        if isinstance(base, Super):
            found = self.in_class(base.cls, name, behind=True)
            if isinstance(found, Function):
                return self._bound(found, base.bound)
            if found is not None:
                return found
            return self._from_outside(base.cls, name)
        if isinstance(base, Comm | Request | Group):
            path = f"{base.path}.{name}" if base.path else ""
            told = self.told(path, base) if path else None
            return (
                told
                if told is not None
                else Unknown(named(f"{base.id}.{name}"), path=path, base=base)
            )
        if isinstance(base, Const | Tup | Rows | Truth):
            return Method(base, name)
        if isinstance(base, Function):
            held = self.get((f"f:{base.id}", name))  # type: ignore[arg-type]
            return held if held is not None else Unknown(named(f"{base.id}.{name}"))
        return Unknown(named(f"{base.id}.{name}"), base.depends)

    def _of_unknown(self, base: Unknown, name: str) -> Value:
        held = self.get((f"u:{base.id}", name))  # type: ignore[arg-type]
        if held is not None:
            return held
        if isinstance(base, Received) and base.part == "" and name in self.known.said:
            return base.said(self.known.said[name])
        kind = self.ducks.get(base.id, "") or base.path
        if name in self.known.ducks and self.known.find(f"{kind}.{name}") is None:
            kind = self.ducks[base.id] = self.known.ducks[name]
        path = f"{kind}.{name}" if kind and len(kind) < _LONG_PATH else ""
        told = self.told(path, base) if path else None
        if told is not None:
            return told
        module = self.program.by_name.get(path) if path else None
        if module is not None:
            return Module(module)
        deps = base.deps
        if name in _FORMS:
            deps = counted(deps) if name == "shape" else NONE
        return Unknown(named(f"{base.id}.{name}"), deps, path, base)

    def _of_object(self, base: Obj, name: str) -> Value:
        held = self.get((base.number, name))
        if held is not None:
            return held
        if base.kind != "object":
            return Method(base, name)
        cls = base.cls
        if isinstance(cls, Class):
            found = self.in_class(cls, name)
            if isinstance(found, Function):
                if "property" in found.traits:
                    told = self.get((base.number, f"={name}"))
                    return self.run(self._bound(found, base), [], {}) if told is None else told
                return self._bound(found, base)
            if found is not None:
                return found
            self.misses((base.number, name))
            if name == "__class__":
                return cls
            if name == "__dict__":
                return Unknown(f"{base.label}.__dict__")
            return self._from_outside(cls, name, base)
        return Unknown(named(f"{base.label}.{name}"))

    def _from_outside(
        self, cls: Class, name: str, base: Value | None = None, static: bool = False
    ) -> Value:
        """A member that a base class has which is none of the program's."""
        for path in self.outer_bases(cls):
            whole = f"{path}.{name}" if static else f"{path}().{name}"
            told = self.told(whole, base)
            if told is not None:
                return told
            if self.known.find(whole) is not None:
                return Unknown(whole, path=whole, base=base)
        held = self.get((f"u:{cls.name}", name)) if base is None else None  # type: ignore[arg-type]
        if held is not None:
            return held
        outer = self.outer_bases(cls)
        path = f"{outer[0]}().{name}" if outer and not static else ""
        label = base.id if base is not None else cls.name
        return Unknown(named(f"{label}.{name}"), path=path, base=base)

    def outer_bases(self, cls: Class) -> list[str]:
        """Classes of libraries that *cls* comes from, by their paths."""
        found: list[str] = []
        for base in cls.bases:
            if isinstance(base, Class):
                found += self.outer_bases(base)
            elif isinstance(base, Unknown) and base.path:
                found.append(base.path)
        return found

    def order(self, cls: Class) -> list[Class]:
        """A class and those of its bases that are the program's, nearest first."""
        found = [cls]
        for base in cls.bases:
            if isinstance(base, Class):
                found += [x for x in self.order(base) if x not in found]
        return found

    def in_class(self, cls: Value | None, name: str, behind: bool = False) -> Value | None:
        """What a class or its bases have by that name."""
        if not isinstance(cls, Class):
            return None
        for one in self.order(cls)[1 if behind else 0 :]:
            found = self.get((one.number, name))
            if found is not None:
                return found
        return None

    def _bound(self, found: Function, base: Value, to_class: bool = False) -> Function:
        if "static" in found.traits or (to_class and "class" not in found.traits):
            return found
        return Function(
            found.node, found.module, found.name, found.frame, base, found.owner, found.traits,
            found.only,
        )  # fmt: skip

    # -- calls ------------------------------------------------------------------------------------

    def _Call(self, node: ast.Call) -> Value:
        if isinstance(node.func, ast.Name):
            if node.func.id == "super" and not node.args and self.top.bound is not None:
                owner = self.top.owner
                if isinstance(owner, Class):
                    return Super(owner, self.top.bound)
            if node.func.id == "__addr__":
                return self.address(node.args[0])
            if node.func.id == "__deref__":
                return self.dereferenced(self.eval(node.args[0]))
        what = self.eval(node.func)
        args: list[Value] = []
        for i, arg in enumerate(node.args):
            value = self.argument(arg, what, i)
            items = self.items(value) if isinstance(arg, ast.Starred) else None
            args.extend(items if items is not None else (value,))
        named_args: dict[str, Value] = {}
        for keyword in node.keywords:
            value = self.eval(keyword.value)
            if keyword.arg is not None:
                named_args[keyword.arg] = value
            elif isinstance(value, Obj) and value.kind == "dict":
                for key in self.items(value) or ():
                    held = self.get((value.number, slot(key)))
                    if isinstance(key, Const) and isinstance(key.value, str) and held is not None:
                        named_args[key.value] = held
        before, self.top.line = self.top.line, getattr(node, "lineno", self.top.line)
        try:
            return self.call(what, args, named_args, node)
        finally:
            self.top.line = before

    def argument(self, node: ast.expr, what: Value, at: int) -> Value:
        """The value that a call hands over."""
        return self.eval(node)

    def address(self, node: ast.expr) -> Value:
        """``&x``."""
        if isinstance(node, ast.Name):
            value = self.lookup(node.id)
            if isinstance(value, Obj) and value.kind != "object":
                return value
            return Pointer(self._home(node.id))
        if isinstance(node, ast.Attribute):
            base = self.eval(node.value)
            if isinstance(base, Pointer):
                base = self.get(base.key) or base
            if isinstance(base, Obj):
                return Pointer((base.number, node.attr))
            return Pointer((f"u:{base.id}", node.attr))  # type: ignore[arg-type]
        if isinstance(node, ast.Subscript):
            base, index = self.eval(node.value), self.eval(node.slice)
            if isinstance(index, Received):
                self.said_places[slot(index)] = index
            if isinstance(base, Obj):
                return Pointer((base.number, slot(index)))
            return Pointer((f"u:{base.id}", slot(index)))  # type: ignore[arg-type]
        return self.eval(node)

    #: places in rows that messages name, by their names in the store
    said_places: dict[str, Received]

    def _home(self, name: str) -> Key:
        here: Activation | None = self.top
        if name in self.top.aliases:
            return self.top.aliases[name]
        while here is not None:
            if (here.number, name) in self.store:
                return here.number, name
            here = here.parent
        if (self.top.source.number, name) in self.store:
            return self.top.source.number, name
        return self.place(name)

    def led_to(self, value: Value | None) -> Value | None:
        """*value*, or what it points to."""
        return self.dereferenced(value) if isinstance(value, Pointer) else value

    def dereferenced(self, value: Value) -> Value:
        """``*p``."""
        if isinstance(value, Pointer):
            held = self.get(value.key)
            return held if held is not None else Unknown(f"*{value.id}")
        held = self.get((f"*{value.id}", ""))  # type: ignore[arg-type]
        if held is not None:
            return held
        if isinstance(value, Unknown):
            return Unknown(named(f"*{value.id}"), value.deps, value.path)
        return value

    def call(
        self, what: Value, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        """Call something."""
        self.step()
        if isinstance(what, Function):
            if what.only:
                return self.on_one(what, args, named_args)
            return self.run(what, args, named_args)
        if isinstance(what, Class):
            return self.make(what, args, named_args)
        if isinstance(what, Method):
            return self.method(what, args, named_args, node)
        if isinstance(what, Either):
            return self.choose(
                what.condition, what.deps, what.id,
                lambda: self.call(what.first, args, named_args, node),
                lambda: self.call(what.second, args, named_args, node),
            )  # fmt: skip
        if isinstance(what, Obj):
            return self._called_object(what, args, named_args, node)
        if isinstance(what, Pointer):
            return self.call(self.dereferenced(what), args, named_args, node)
        if isinstance(what, Unknown):
            made = self.library(what, args, named_args, node)
            self.note_buffers(what, (*args, *named_args.values()), made)
            return made
        return Unknown(named(f"{what.id}({','.join(a.id for a in args)})"), depends(what, *args))

    def note_buffers(self, what: Unknown, args: Sequence[Value], made: Value) -> None:
        """Remember what is a model with buffers, or has one in it."""
        told = self.known.find(what.path) if what.path else None
        has = (told is not None and told.buffers) or any(map(self.has_buffers, args))
        if has and made.id not in self.unsynced:
            self.buffered.add(made.id)

    def has_buffers(self, value: Value) -> bool:
        """Whether a value is a model with buffers, or has one in it."""
        if value.id in self.buffered:
            return True
        if not isinstance(value, Obj) or not self.buffered:
            return False
        parts = [v for _, v in self.parts(value.number)] if value.kind == "object" else []
        rows = [v for v in (*parts, *(self.items(value) or ())) if isinstance(v, Unknown)]
        return any(v.id in self.buffered for v in rows)

    def _called_object(
        self, what: Obj, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        self.note_chosen(what, args, node)
        for name in ("__call__", "forward"):
            found = self.member(what, name) if isinstance(what.cls, Class) else None
            if isinstance(found, Function):
                return self.run(found, args, named_args)
        deps = depends(*args, *named_args.values())
        return Unknown(named(f"{what.id}({','.join(a.id for a in args)})"), deps)

    def note_chosen(self, what: Value, args: list[Value], node: ast.Call | None) -> None:
        """Note a part of a model that its ``forward`` uses by what a rank has to itself.

        Ranks that do not use it have no gradient of its parameters.
        """
        here = self.top
        if not args or not here.name.endswith(".forward") or not isinstance(here.owner, Class):
            return
        called = node.func if node is not None else None
        path = what.path if isinstance(what, Unknown) else ""
        if isinstance(called, ast.Attribute):
            part = self.eval(called.value) is here.bound
        else:
            part = isinstance(called, ast.Name | ast.Subscript) and (not path or "()" in path)
        if part and any(self.known.is_module(base) for base in self.outer_bases(here.owner)):
            # By its number alone a rank is a stage of a pipeline: those it meets are of that stage.
            why = frozenset(d for d in self.controlled() if not of_rank(d))
            chosen = differs(why) or any(c.differs for c in self.held)
            self.parts_chosen |= chosen or differs(what.depends)

    def on_one(self, what: Function, args: list[Value], named_args: dict[str, Value]) -> Value:
        """A function that a decorator runs on one rank only."""
        ranks = {"first": 0, "last": self.world.size - 1}
        local = self.rank % self.world.per_node
        chosen = local == 0 if what.only == "local_first" else self.rank == ranks[what.only]
        plain = Function(
            what.node, what.module, what.name, what.frame, what.bound, what.owner, what.traits
        )
        from lockorder.ranks import conditions  # noqa: PLC0415

        return self.choose(
            conditions.constant(chosen), frozenset(("rank",)), f"{what.name} runs on one rank only",
            lambda: self.run(plain, args, named_args), lambda: NO_VALUE,
        )  # fmt: skip

    def run(self, what: Function, args: list[Value], named_args: dict[str, Value]) -> Value:
        """Run one of the program's own functions: one that keeps what it gives, once."""
        if "kept" not in what.traits:
            return self._run(what, args, named_args)
        home = what.bound.number if isinstance(what.bound, Obj) else 0
        handed = ",".join(v.id for v in (*args, *named_args.values()))
        key = home, named(f"{KEPT}{what.module.name}.{what.name}({handed})")
        held = self.get(key)
        if held is None:
            held = self._run(what, args, named_args)
            self.set(key, held)
        return held

    def _run(self, what: Function, args: list[Value], named_args: dict[str, Value]) -> Value:
        node = what.node
        if "together" in what.traits:
            self.together(what)
        if isinstance(node, tuple):  # functools.partial
            inner, before, more = node
            return self.call(inner, [*before, *args], {**more, **named_args}, None)
        followed = (
            self.worthwhile(node)
            or self.calls_model(what, args)
            or (self._is_of_own_data(args, named_args) and _gives_something(node))
        )
        if not followed or _is_abstract(node):
            if self.makes_files(node):
                self.written.update(a.id for a in (*args, *named_args.values()))
                if isinstance(what.bound, Obj):
                    self.written.update(v.id for _, v in self.parts(what.bound.number))
            if any(isinstance(n, ast.Raise) for n in nodes_of(node)):
                self.may_raise(what.name.rpartition(".")[2], *args)
            self._forget_written(what, args, named_args)
            return Unknown(
                named(f"{what.id}({','.join(a.id for a in args)})"),
                self.of(*args, *named_args.values()),
            )
        mark_fills(node)
        going = sum(1 for a in self.stack if a.name == what.name and a.source is what.module)
        if going > 1 or len(self.stack) > self.DEPTH:
            self.cut.add(what.name)
            return Unknown(named(f"{what.name}(...)"), depends(*args, *named_args.values()))
        frame = Activation(
            self.number(), what.name, what.module, what.frame, owner=what.owner, bound=what.bound,
            globals=set(), nonlocals=set(), returns=[], aliases={},
        )  # fmt: skip
        frame.on_yield = self.acting.pop() if self.acting else None
        if frame.on_yield is None and generates(node):
            frame.yielded = self.new("list", f"{what.module.name}:{node.lineno}:0", ())
        self.walked.add(id(node))
        self.stack.append(frame)
        # What a decorator in a class defines is none of the class's.
        owners, self.owners = self.owners, []
        site = self.stack[-2].line if len(self.stack) > 1 else 0
        self.path.append(f"{what.name}@{site}")
        try:
            self.bind(node.args, what, frame, args, named_args)
            if isinstance(node, ast.Lambda):
                frame.line = node.lineno
                return self.eval(node.body)
            label = self.construct()
            frame.returns = []
            self.returning.append(label)
            alive = self.scoped(label, lambda: self.body_of(node))
            self.returning.pop()
            if frame.yielded is not None:
                return frame.yielded
            values = frame.returns
            if not values:
                return NO_VALUE
            return self._returned(values, label) if alive else values[0]
        finally:
            self.owners = owners
            self.path.pop()
            self.stack.pop()

    def _forget_written(
        self, what: Function, args: list[Value], named_args: dict[str, Value]
    ) -> None:
        """What a function that is not followed may write of what it is handed is not known."""
        node = what.node
        writes = self._writes.get(id(node))
        if writes is None:
            writes = self._writes[id(node)] = _written_parts(node)
        if not writes or isinstance(node, ast.Lambda):
            return
        names = [a.arg for a in (*node.args.posonlyargs, *node.args.args)]
        own = [what.bound] if what.bound is not None and "static" not in what.traits else []
        given: dict[str, Value] = {
            **dict(zip(names, [*own, *args], strict=False)), **named_args
        }  # fmt: skip
        deps = self.of(*args, *named_args.values())
        for name, member, inside in writes:
            value: Value | None = given.get(name)
            if isinstance(value, Obj) and member and not inside:
                self.set((value.number, member), Unknown(named(f"{what.id}.{member}"), deps))
                continue
            if isinstance(value, Obj) and member:
                value = self.get((value.number, member))
            if isinstance(value, Obj) and value.kind != "object":
                self.blur(value)

    _writes: dict[int, list[tuple[str, str, bool]]]

    def _returned(self, values: list[Value], label: int) -> Value:
        held = self.get((label, "return"))
        return held if held is not None else values[0]

    #: the classes whose bodies are being run
    owners: list[Class]

    def together(self, what: Function) -> None:
        raise NotImplementedError

    #: functions that may do something with other ranks, or tell what ranks do not share
    interesting: set[int] | None = None

    def worthwhile(self, node: Any) -> bool:
        """Whether a call has to be followed to know what ranks do."""
        if self.interesting is None or id(node) in self.interesting or isinstance(node, ast.Lambda):
            return True
        body = list(_flat(node.body))
        few = _SMALL if node.name != "__init__" else _PARTS
        return len(body) <= few and not any(
            isinstance(s, ast.For | ast.While | ast.With | ast.Try) for s in body
        )

    def _is_of_own_data(self, args: list[Value], named_args: dict[str, Value]) -> bool:
        """Whether a call is handed data of the rank's own: more than a number that it has."""
        handed = (*args, *named_args.values())
        return any(differs(self.of(x)) for x in handed if not isinstance(x, Const))

    def calls_model(self, what: Function, args: list[Value]) -> bool:
        """Whether a function calls a model of its object's or its caller's that ranks share."""
        raise NotImplementedError

    def makes_files(self, node: Any) -> bool:
        """Whether a function that is not followed may make files."""
        raise NotImplementedError

    returning: list[int]
    acting: list[Callable[[Value], bool]]

    def body_of(self, node: Any) -> bool:
        """Run what a function does, once its parameters have their values."""
        return self.block(node.body)

    def block(self, body: list[ast.stmt]) -> bool:
        raise NotImplementedError

    def bind(
        self, wanted: ast.arguments, what: Function, frame: Activation, args: list[Value],
        named_args: dict[str, Value],
    ) -> None:  # fmt: skip
        """Give parameters their values."""
        given = list(args)
        parameters = [*wanted.posonlyargs, *wanted.args]
        if (
            what.bound is not None
            and "static" not in what.traits
            and (parameters or wanted.vararg is not None)
            and not what.module.c
        ):
            bound = what.bound
            if "class" in what.traits and isinstance(bound, Obj) and bound.cls is not None:
                bound = bound.cls
            given.insert(0, bound)
        named_args = dict(named_args)
        # Of C++, a declaration elsewhere may have them.
        usual = wanted.defaults or getattr(what.node, "usual", [])
        defaults: list[ast.expr | None] = [None] * (len(parameters) - len(usual))
        defaults += usual
        for parameter, default in zip(parameters, defaults, strict=True):
            value = given.pop(0) if given else self._default(parameter, default, named_args, what)
            if getattr(parameter, "by_reference", False) and isinstance(value, Pointer):
                frame.aliases[parameter.arg] = value.key
                continue
            self.set((frame.number, parameter.arg), value)
        for parameter, default in zip(wanted.kwonlyargs, wanted.kw_defaults, strict=True):
            value = self._default(parameter, default, named_args, what)
            self.set((frame.number, parameter.arg), value)
        if wanted.vararg is not None:
            self.set((frame.number, wanted.vararg.arg), Tup(tuple(given)))
        if wanted.kwarg is not None:
            rest = Obj(self.number(), None, self.label(f"{what.name}.**"), "dict")
            self.set((rest.number, "[]"), Tup(tuple(Const(k) for k in named_args)))
            for key, value in named_args.items():
                self.set((rest.number, f"[{key!r}]"), value)
            self.set((frame.number, wanted.kwarg.arg), rest)

    def _default(
        self,
        parameter: ast.arg,
        default: ast.expr | None,
        named_args: dict[str, Value],
        what: Function,
    ) -> Value:
        if parameter.arg in named_args:
            return named_args.pop(parameter.arg)
        if default is None:
            usual = self.usual_of(what.node, parameter.arg)
            return usual if usual is not None else Unknown(f"{what.name}.{parameter.arg}")
        here = self.stack.pop()
        try:
            if not self.stack:
                return Unknown(f"{what.name}.{parameter.arg}")
            return (
                self.eval(default)
                if not isinstance(default, ast.Name)
                else self._global(default, what)
            )
        finally:
            self.stack.append(here)

    def usual_of(self, node: Any, parameter: str) -> Value | None:
        """What a parameter without a default is where nobody gives it a value."""
        return None

    def _global(self, node: ast.Name, what: Function) -> Value:
        found = self.get((what.module.number, node.id))
        return found if found is not None else Unknown(node.id, path=node.id)

    def make(self, cls: Class, args: list[Value], named_args: dict[str, Value]) -> Value:
        """An object of one of the program's own classes."""
        new = self.in_class(cls, "__new__")
        site = self.stack[-1].line if self.stack else 0
        found = Obj(self.number(), cls, self.label(f"{cls.name}@{site}"))
        if isinstance(new, Function) and len(self.stack) < self.DEPTH:
            made = self.run(new, [cls, *args], named_args)
            if isinstance(made, Obj):
                found = made
        begin = self.in_class(cls, "__init__")
        self.begun(found, cls)
        if isinstance(begin, Function):
            self.run(self._bound(begin, found), args, named_args)
        elif _is_record(cls):
            fields = [
                s.target.id for s in cls.node.body
                if isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name)
            ]  # fmt: skip
            for name, value in (*zip(fields, args, strict=False), *named_args.items()):
                self.set((found.number, name), value)
            for name in fields[len(args) :]:
                maker = self.get((cls.number, _maker_of(name)))
                if name not in named_args and maker is not None:
                    self.set((found.number, name), self.call(maker, [], {}, None))
            after = self.in_class(cls, "__post_init__")
            if isinstance(after, Function):
                self.run(self._bound(after, found), [], {})
        else:
            for path in self.outer_bases(cls):
                told = self.known.find(path)
                if told is not None and (told.does or told.model or told.gives):
                    self.library(Unknown(path, path=path), args, named_args, None)
            if args and isinstance(args[0], Value):
                self.set((found.number, " first"), args[0])
        return found

    def begun(self, found: Obj, cls: Class) -> None:
        """What an object has before its class does anything to it."""

    def may_raise(self, what: str, *values: Value) -> None:
        """Note a call that can fail here alone; where only data is caught, of its own data."""
        if self.tries or (self.data_tries and differs(depends(*values))):
            last = self.out[-1] if self.out else None
            if not isinstance(last, MayRaise):
                deps = depends(*values)
                if self.top.source.c and not differs(deps):
                    # In C++ nearly every call may throw, and few ever do on one rank alone.
                    deps |= {LOCAL + CAUGHT}
                self.out.append(MayRaise(self.chain(), what, deps))

    def library(
        self, what: Unknown, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        raise NotImplementedError

    def method(
        self, what: Method, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        raise NotImplementedError

    def load(self, source: Any) -> None:
        raise NotImplementedError


#: Methods of rows, sets and dictionaries that change what is in them.
_CHANGING = frozenset(
    ("append", "extend", "insert", "pop", "remove", "clear", "update", "add", "discard",
     "setdefault", "popitem", "appendleft", "popleft", "extendleft")
)  # fmt: skip


def _written_parts(node: Any) -> list[tuple[str, str, bool]]:
    """What a function writes of its parameters: the name, the member, and whether inside of it."""
    found: dict[tuple[str, str, bool], None] = {}

    def note(target: ast.AST, inside: bool) -> None:
        if isinstance(target, ast.Tuple | ast.List):
            for one in target.elts:
                note(one, inside)
        elif isinstance(target, ast.Subscript):
            note(target.value, True)
        elif isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name):
            found[target.value.id, target.attr, inside] = None
        elif isinstance(target, ast.Name) and inside:
            found[target.id, "", True] = None

    for part in nodes_of(node):
        if isinstance(part, ast.Assign):
            for target in part.targets:
                note(target, False)
        elif isinstance(part, ast.AugAssign | ast.AnnAssign):
            note(part.target, False)
        elif isinstance(part, ast.Call):
            called = part.func
            if isinstance(called, ast.Attribute) and called.attr in _CHANGING:
                note(called.value, True)
    return list(found)


def _gives_something(node: Any) -> bool:
    """Whether a function returns or yields a value."""
    return generates(node) or any(
        isinstance(n, ast.Return) and n.value is not None for n in nodes_of(node)
    )


def _is_abstract(node: Any) -> bool:
    """Whether a function only says that others have to define it."""
    body = (
        [s for s in getattr(node, "body", ()) if not _is_text(s)]
        if not isinstance(node, ast.Lambda)
        else []
    )
    return (
        len(body) == 1
        and isinstance(body[0], ast.Raise)
        and body[0].exc is not None
        and "NotImplemented" in written(body[0].exc)
    )


def _flat(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements, with those of blocks in their place."""
    for one in body:
        if isinstance(one, Block):
            yield from _flat(one.body)
        else:
            yield one


def nodes_of(function: Any) -> list[ast.AST]:
    """All nodes in a function."""
    found: list[ast.AST] | None = getattr(function, "nodes", None)
    if found is None:
        found = function.nodes = list(ast.walk(function))
    return found


def generates(node: Any) -> bool:
    """Whether a function is a generator."""
    if isinstance(node, ast.Lambda | tuple):
        return False
    found: bool | None = getattr(node, "generating", None)
    if found is None:
        found = node.generating = _yields(node)
    return found


def _yields(node: Any) -> bool:
    todo = list(getattr(node, "body", ()))
    while todo:
        one = todo.pop()
        if isinstance(one, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo.extend(ast.iter_child_nodes(one))
    return False


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _maker_of(field: str) -> str:
    """Under which name the class of a record has what makes the default of a field."""
    return f"{field}()"


def _is_record(cls: Class) -> bool:
    for one in cls.node.decorator_list:
        if "dataclass" in written(one) or "define" in written(one) or "attrs" in written(one):
            return True
    return any("NamedTuple" in b.id or "BaseModel" in b.id for b in cls.bases)


__all__ = ["MISSING", "_TRAITS", "Calls", "Comm", "Request", "Truth", "differs"]
