"""What C++'s standard library has many things in, and what it calls for them.

Rows and maps are followed: by the functions and objects in them it is chosen what a rank does,
and how much is sent by the numbers.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from lockorder.ranks import conditions
from lockorder.ranks.c_lifetimes import Lifetimes
from lockorder.ranks.expressions import NO_VALUE, slot
from lockorder.ranks.machine import Pointer
from lockorder.ranks.values import (
    Class,
    Const,
    Function,
    Method,
    Obj,
    Tup,
    Unknown,
    Value,
    counting,
    depends,
    named,
)

#: Methods that give the thing itself: what goes through it begins there.
_ITSELF = frozenset(("begin", "cbegin", "data"))
#: Methods after which there is in it what was there before.
_STILL = frozenset(("reserve", "shrink_to_fit", "capacity", "max_size", "rbegin", "rend", "rehash"))
#: Methods by which a function puts into a row or a map what its caller finds there.
GROWS = frozenset(
    ("push_back", "emplace_back", "push_front", "emplace_front", "insert", "emplace", "push")
)


#: Rows of more parts are not written down.
_LARGEST = 16


class Containers(Lifetimes):
    """Rows and maps, and the functions that go through them."""

    # -- beginnings -------------------------------------------------------------------------------

    def _c__sized__(self, node: ast.Call) -> Value:
        """A row that begins with so many parts, as another row, or with what lies between two."""
        return self.sized([self.eval(a) for a in node.args], self.site(node))

    def sized(self, args: list[Value], site: str) -> Value:
        first = args[0] if args else Const(0)
        if isinstance(first, Obj) and first.kind == "list":
            items = self.items(first)
            if items is not None and (len(args) == 1 or args[1] is NO_VALUE):
                return self.new("list", site, items)
        many = self.whole(first)
        if many is not None and 0 <= many <= _LARGEST:
            of = [args[1]] * many if len(args) > 1 else [
                Unknown(named(f"{self.label(site)}[{i}]")) for i in range(many)
            ]  # fmt: skip
            return self.new("list", site, tuple(of))
        # Of one whose parts are not written down, the size is a question of its own.
        return first if len(args) == 1 and isinstance(first, Unknown) else Unknown(
            named(f"row of {first.id}"), counting(first.depends)
        )  # fmt: skip

    def begun(self, found: Obj, cls: Class) -> None:
        if cls.module.c:
            for one in cls.node.body:
                row = getattr(one, "row", None)
                if row is not None and isinstance(one, ast.Assign):
                    name = one.targets[0].id  # type: ignore[attr-defined]
                    self.set((found.number, name), self.new(row[0], self.site(one), ()))
        super().begun(found, cls)

    # -- methods ----------------------------------------------------------------------------------

    def method(
        self, what: Method, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        base, name = what.base, what.name
        if not self.top.source.c or not isinstance(base, Obj) or base.kind not in ("list", "dict"):
            return super().method(what, args, named_args, node)
        if name in _ITSELF:
            return base
        if name in ("end", "cend"):
            return NO_VALUE
        if name == "empty":
            return self._as_truth(
                conditions.negated(self.truth(base)), self.of(base), named(f"{base.id}.empty()")
            )
        if name == "size":
            return self._py_len([base], {})
        if name in ("emplace_back", "emplace_front") and self._class_in(base) is not None:
            cls = self._class_in(base)
            if cls is not None and not (len(args) == 1 and isinstance(args[0], Obj)):
                args = [self.make(cls, args, {})]
        handler = getattr(self, f"_c_{base.kind}_{name}", None)
        found: Value | None = handler(base, args) if handler is not None else None
        if found is not None:
            return found
        if name not in _STILL:
            self.blur(base)
        return Unknown(named(f"{what.id}({','.join(a.id for a in args)})"), depends(base, *args))

    def _class_in(self, base: Obj) -> Class | None:
        found = self.get((base.number, " of"))
        return found if isinstance(found, Class) else None

    def _c_list_push_back(self, base: Obj, args: list[Value]) -> Value:
        self.append(base, args[0] if args else NO_VALUE)
        return base

    _c_list_emplace_back = _c_list_push_back

    def _c_list_push_front(self, base: Obj, args: list[Value]) -> Value:
        return self._list_insert(base, [Const(0), *args])

    _c_list_emplace_front = _c_list_push_front

    def _c_list_pop_back(self, base: Obj, args: list[Value]) -> Value:
        self.destroy(self._list_pop(base, []))
        return NO_VALUE

    def _c_list_pop_front(self, base: Obj, args: list[Value]) -> Value:
        self.destroy(self._list_pop(base, [Const(0)]))
        return NO_VALUE

    def _c_list_at(self, base: Obj, args: list[Value]) -> Value | None:
        return self.element(base, args[0]) if args else None

    _c_dict_at = _c_list_at

    def _c_list_front(self, base: Obj, args: list[Value]) -> Value:
        return self.element(base, Const(0))

    def _c_list_back(self, base: Obj, args: list[Value]) -> Value:
        return self.element(base, Const(-1))

    def _c_list_clear(self, base: Obj, args: list[Value]) -> Value:
        self.destroy(base)
        self.set((base.number, "[]"), Tup(()))
        return NO_VALUE

    _c_dict_clear = _c_list_clear

    def _c_dict_contains(self, base: Obj, args: list[Value]) -> Value | None:
        return self.compare(ast.In, args[0], base, named(f"in {base.id}")) if args else None

    _c_dict_count = _c_dict_contains

    def _c_dict_find(self, base: Obj, args: list[Value]) -> Value | None:
        """The pair with a key, or the end."""
        there = self._c_dict_contains(base, args)
        if not isinstance(there, Const):
            return None
        key = args[0]
        if not there.value:
            return Const(None, key.depends, named(f"{base.id}.find({key.id})"))
        held = self.get((base.number, slot(key)))
        return Tup((key, held), key.depends) if held is not None else None

    def _c_dict_insert(self, base: Obj, args: list[Value]) -> Value | None:
        pair = self.items(args[0]) if len(args) == 1 else tuple(args)
        if pair is None or len(pair) != 2:
            return None
        key, value = pair
        if self.get((base.number, slot(key))) is None:
            self.set((base.number, slot(key)), self.under(value, "element"))
            self.keyed(base, key)
        return Unknown(named(f"{base.id}.insert({key.id})"), key.depends)

    _c_dict_emplace = _c_dict_insert
    _c_dict_try_emplace = _c_dict_insert

    def _c_dict_insert_or_assign(self, base: Obj, args: list[Value]) -> Value | None:
        if len(args) != 2:
            return None
        self.set((base.number, slot(args[0])), self.under(args[1], "element"))
        self.keyed(base, args[0])
        return NO_VALUE

    def _c_dict_erase(self, base: Obj, args: list[Value]) -> Value | None:
        if not args or not isinstance(args[0], Const) or self.abstract():
            return None
        self.destroy(self._dict_pop(base, args) or NO_VALUE)
        return NO_VALUE

    def member(self, base: Value, name: str) -> Value:
        if name in ("first", "second") and isinstance(base, Tup) and len(base.items) == 2:
            return base.items[name == "second"]
        return super().member(base, name)

    # -- going through ----------------------------------------------------------------------------

    def iterate(
        self, node: ast.AST, target: ast.AST, value: Value, body: Callable[[], bool],
        orelse: Callable[[], bool] | None,
    ) -> bool:  # fmt: skip
        if self.top.source.c and isinstance(value, Obj) and value.kind == "dict":
            pairs = self._dict_items(value, [])
            value = self._sorted_pairs(pairs) if isinstance(pairs, Tup) else value
        return super().iterate(node, target, value, body, orelse)

    def _sorted_pairs(self, pairs: Tup) -> Tup:
        """Pairs in the order of their keys, as a map has them."""
        keys = [p.items[0] for p in pairs.items if isinstance(p, Tup)]
        known = [k.value for k in keys if isinstance(k, Const)]
        if len(known) != len(pairs.items) or len({type(k) for k in known}) > 1:
            return pairs
        order = sorted(range(len(known)), key=lambda i: known[i])
        return Tup(tuple(pairs.items[i] for i in order), pairs.deps)

    # -- functions --------------------------------------------------------------------------------

    def builtin(
        self, path: str, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value | None:
        if not self.top.source.c:
            return super().builtin(path, args, named_args, node)
        name = path.removeprefix("std::")
        handler: Any = getattr(self, f"_std_{name}", None)
        if handler is not None and (path != name or name in _PLAIN_NAMES):
            found: Value | None = handler(args, node)
            if found is not None:
                return found
        return super().builtin(path, args, named_args, node)

    def library(
        self, what: Unknown, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        found = super().library(what, args, named_args, node)
        if self.top.source.c and not what.path.startswith("std::"):
            unknown = self.known.find(what.path, True) is None
            for at, one in enumerate(args):
                if isinstance(one, Obj) and one.kind in ("list", "dict"):
                    self.blur(one)  # who knows what it is filled with
                elif isinstance(one, Pointer) and unknown:
                    # Whoever is handed the address of a variable mostly writes to it.
                    self.set(one.key, Unknown(named(f"{found.id}&{at}"), found.depends))
        return found

    def _std_for_each(self, args: list[Value], node: ast.Call | None) -> Value | None:
        if len(args) != 3 or node is None:
            return None
        what, one = args[2], ast.Name(f" each{node.lineno}", ast.Store())

        def act() -> bool:
            self.ended = False
            self.call(what, [self.lookup(one.id)], {}, None)
            return not self._has_ended()

        self.iterate(node, one, args[0], act, None)
        return what

    def _std_invoke(self, args: list[Value], node: ast.Call | None) -> Value | None:
        return self.invoked(args) if args else None

    def invoked(self, args: list[Value]) -> Value:
        what, *rest = args
        if isinstance(what, Function) and what.owner is not None and what.bound is None and rest:
            base = self.dereferenced(rest[0])
            what, rest = self._bound(what, base), rest[1:]
        return self.call(what, rest, {}, None)

    def _std_bind(self, args: list[Value], node: ast.Call | None) -> Value | None:
        if not args:
            return None
        what, *rest = args
        if isinstance(what, Function) and what.owner is not None and what.bound is None and rest:
            what, rest = self._bound(what, self.dereferenced(rest[0])), rest[1:]
        places = [r.id.rpartition("::")[2] for r in rest]
        open_ = [p for p in places if p[:1] == "_" and p[1:].isdigit()]
        kept = rest[: len(rest) - len(open_)]
        if places[len(kept) :] != [f"_{i + 1}" for i in range(len(open_))]:
            return None  # in another order
        return self._py_functools_partial([what, *kept], {})

    _std_bind_front = _std_bind

    def _std_exchange(self, args: list[Value], node: ast.Call | None) -> Value | None:
        if len(args) != 2 or node is None:
            return None
        target = node.args[0]
        if isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            self.assign(target, args[1])
        return args[0]

    def _std_move(self, args: list[Value], node: ast.Call | None) -> Value | None:
        return args[0] if len(args) == 1 else None

    _std_forward = _std_move

    def _std_make_pair(self, args: list[Value], node: ast.Call | None) -> Value | None:
        return Tup(tuple(args)) if args else None

    _std_pair = _std_make_pair
    _std_make_tuple = _std_make_pair

    def address(self, node: ast.expr) -> Value:
        if isinstance(node, ast.Name) and "::" in node.id and self.top.source.c:
            found = self.lookup(node.id)
            if isinstance(found, Function):
                return found
        return super().address(node)


#: Those that are known without the name of their library, too.
_PLAIN_NAMES = frozenset(("for_each", "invoke", "make_pair", "make_tuple"))
