"""Python's own functions and the methods of its own types."""

from __future__ import annotations

import ast
from typing import Any

from lockorder.ranks import conditions
from lockorder.ranks.expressions import EACH, EACH_KEY, LEAST, NO_VALUE, TEXT, slot
from lockorder.ranks.machine import MISSING
from lockorder.ranks.statements import Statements
from lockorder.ranks.values import (
    ORDER,
    Class,
    Comm,
    Const,
    Either,
    Function,
    Method,
    Obj,
    Rows,
    Truth,
    Tup,
    Unknown,
    Value,
    computed,
    counting,
    depends,
    differs,
    named,
    same,
)

_PLAIN = {
    "int": int, "float": float, "str": str, "bool": bool, "abs": abs, "round": round, "min": min,
    "max": max, "ord": ord, "chr": chr, "divmod": divmod, "pow": pow, "math.ceil": None,
    "math.floor": None, "math.sqrt": None, "math.log2": None, "repr": repr, "hex": hex, "bin": bin,
}  # fmt: skip
_LIMIT = 4096
#: Where a set keeps the members that it has on every way.
_SURELY = "surely"
#: Of these the answer is the same on all ranks, as it is about what kind of thing something is.
_FORMS = frozenset(["isinstance", "issubclass", "hasattr", "callable", "type"])
#: Of these no one fails on one rank alone, and none says what ranks do not share.
_SAFE = frozenset(
    [
        "print",
        "len",
        "range",
        "isinstance",
        "issubclass",
        "hasattr",
        "getattr",
        "setattr",
        "id",
        "type",
        "enumerate",
        "zip",
        "sorted",
        "reversed",
        "any",
        "all",
        "sum",
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "map",
        "filter",
        "iter",
        "callable",
        "format",
        "vars",
        "dir",
        "super",
        "logging.info",
        "logging.warning",
        "logging.debug",
        "logging.error",
        "object",
        "property",
        "hash",
    ]
)


class Builtins(Statements):
    """Python's own functions and methods."""

    def builtin(
        self, path: str, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value | None:
        """What a function of Python's own gives; None for all others."""
        name = path.removeprefix("builtins.").replace(".", "_")
        method = getattr(self, "_py_" + name, None)
        if method is not None and args:
            found: Value | None = method(args, named_args)
            if found is not None:
                return found
        if path in _PLAIN:
            return self._plain(path, args, named_args)
        if path in ("list", "dict", "set", "tuple") and not args:
            return self._collection(path, named_args)
        if path == "identity":
            return args[0] if args else NO_VALUE
        if path in ("locals", "globals"):
            return Unknown(path)
        if path in _FORMS and args:
            return Unknown(named(f"{path}({','.join(a.id for a in args)})"))
        if path in _SAFE:
            name = named(f"{path}({','.join(a.id for a in args)})")
            return Unknown(name, self.of(*args, *named_args.values()))
        return None

    def _py_type(self, args: list[Value], named_args: dict[str, Value]) -> Value | None:
        """The class of an object of the program's own."""
        one = args[0]
        known = len(args) == 1 and isinstance(one, Obj) and isinstance(one.cls, Class)
        return one.cls if known and isinstance(one, Obj) else None

    def _collection(self, kind: str, named_args: dict[str, Value]) -> Value:
        if kind == "tuple":
            return Tup(())
        found = self.new(
            kind,
            f"{kind}@{self.top.source.name}:{self.top.line}",
            tuple(Const(k) for k in named_args),
        )
        for key, value in named_args.items():
            self.set((found.number, f"[{key!r}]"), value)
        return found

    def _plain(self, path: str, args: list[Value], named_args: dict[str, Value]) -> Value:
        import math  # noqa: PLC0415

        function: Any = _PLAIN[path] or getattr(math, path.rpartition(".")[2])
        deps = self.of(*args, *named_args.values())
        if path in ("min", "max"):
            deps = frozenset(d for d in deps if ORDER not in d)
        name = named(f"{path}({','.join(a.id for a in args)})")
        values = list(args)
        if path in ("min", "max") and len(args) == 1:
            items = self.items(args[0])
            values = list(items) if items else values
        if len(args) == 1 and isinstance(args[0], Either):
            one = args[0]
            return self.joined(
                one.condition,
                one.deps,
                self._plain(path, [one.first], {}),
                self._plain(path, [one.second], {}),
            )
        if path == "bool" and args and not isinstance(args[0], Const):
            return Truth(self.truth(args[0]), deps)
        if values and not named_args and all(isinstance(x, Const) for x in values):
            try:
                made = computed(function, [x for x in values if isinstance(x, Const)], name)
            except (TypeError, ValueError, ArithmeticError):
                return Unknown(name, deps)
            got = made.value
            if path in ("int", "str", "float") and isinstance(args[0], Const) and made.deps:
                return Const(got, made.deps, args[0].name, made.ranks)
            return made if not isinstance(got, tuple) else Tup(tuple(Const(x, deps) for x in got))
        if path == "min" and values and not differs(deps):
            words = [self.shared.get(x.id) for x in values]
            if LEAST in words or all(word == EACH for word in words):
                self.shared[name] = LEAST
        unknown = Unknown(name, deps)
        return self.shares(unknown, *values) if path == "int" else unknown

    def _py_len(self, args: list[Value], _: dict[str, Value]) -> Value:
        items = self.items(args[0])
        if items is not None:
            return Const(
                len(items),
                args[0].depends if not isinstance(args[0], Tup | Obj) else frozenset(),
                "",
            )
        sides = self.sides(args[0])
        if sides is not None:
            pair = [self._py_len([x], {}) for x in (sides.first, sides.second)]
            return self.joined(sides.condition, sides.deps, *pair)
        deps = self.count_of(args[0])
        if isinstance(args[0], Obj) and isinstance(args[0].cls, Class):
            found = self.member(args[0], "__len__")
            if isinstance(found, Function):
                return self.run(found, [], {})
        return Unknown(named(f"len({args[0].id})"), deps)

    def _py_range(self, args: list[Value], _: dict[str, Value]) -> Value:
        if all(isinstance(a, Const) and isinstance(a.value, int) for a in args):
            numbers = range(*(a.value for a in args if isinstance(a, Const)))
            deps = depends(*args)
            if len(numbers) <= _LIMIT:
                return Tup(tuple(Const(n) for n in numbers), counting(deps))
        # So many rounds as the only number says: a message may, once it has come.
        name = named(f"range({','.join(a.id for a in args)})")
        row = Unknown(
            name, counting(depends(*args)), "range()", args[0] if len(args) == 1 else None
        )
        return self.shares(row, *args) if len(args) == 1 else row

    def _py_enumerate(self, args: list[Value], named_args: dict[str, Value]) -> Value | None:
        if len(args) > 1 or named_args:
            items = self.items(args[0])
            start = args[1] if len(args) > 1 else named_args.get("start")
            if items is not None and isinstance(start, Const) and isinstance(start.value, int):
                return Tup(tuple(Tup((Const(i + start.value), x)) for i, x in enumerate(items)))
        return Rows("enumerate", (args[0],))

    def _py_zip(self, args: list[Value], _: dict[str, Value]) -> Value:
        return Rows("zip", tuple(args))

    def _py_tuple(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        items = self.items(args[0])
        return Tup(items) if items is not None else None

    def _py_list(self, args: list[Value], _: dict[str, Value]) -> Value:
        items = self.items(args[0])
        deps = args[0].depends if isinstance(args[0], Tup) else frozenset()
        if items is not None and deps:
            return Tup(items, deps)
        found = self.new("list", f"list@{self.top.source.name}:{self.top.line}", items)
        if items is None:
            self.set((found.number, "each"), self.each(args[0]))
            self.set((found.number, "[]"), Unknown(args[0].id, self.of(args[0])))
        return found

    def _py_sorted(self, args: list[Value], named_args: dict[str, Value]) -> Value:
        items = self.items(args[0])
        if (
            items is not None
            and "key" not in named_args
            and all(isinstance(x, Const) for x in items)
        ):
            try:
                rows = sorted(items, key=lambda x: x.value)  # type: ignore[attr-defined]
            except TypeError:
                return Tup(items)
            back = named_args.get("reverse")
            return Tup(
                tuple(reversed(rows)) if isinstance(back, Const) and back.value else tuple(rows)
            )
        if items is not None:
            return Tup(items)
        deps = frozenset(d for d in self.of(args[0]) if not d.startswith(ORDER))
        return Unknown(named(f"sorted({args[0].id})"), deps)

    def _py_reversed(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        items = self.items(args[0])
        return (
            Tup(
                tuple(reversed(items)), args[0].depends if isinstance(args[0], Tup) else frozenset()
            )
            if items is not None
            else None
        )

    def _py_set(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        items = self.items(args[0])
        site = f"set@{self.top.source.name}:{self.top.line}"
        if items is None:
            each = self.held_each(args[0])
            text = isinstance(each, Unknown) and each.path == TEXT
            if isinstance(args[0], Obj) and args[0].kind == "dict" and each is None:
                each, text = Unknown(named(f"a key of {args[0].id}")), True  # seldom a number
            return self.set_of(site, each, args[0]) if text else None
        return self.new("set", site, _unique(items))

    def _py_sum(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        items = self.items(args[0])
        if items is not None and all(
            isinstance(x, Const) and isinstance(x.value, int | float) for x in items
        ):
            total = sum(x.value for x in items if isinstance(x, Const))
            return Const(total, depends(*items), named(f"sum({args[0].id})"))
        return Unknown(named(f"sum({args[0].id})"), depends(*(items or args)))

    def _py_any(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        items = self.items(args[0])
        if items is None:
            return None
        found = conditions.FALSE
        for item in items:
            found = conditions.either(found, self.truth(item))
        return Truth(found, depends(*items))

    def _py_all(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        items = self.items(args[0])
        if items is None:
            return None
        found = conditions.TRUE
        for item in items:
            found = conditions.both(found, self.truth(item))
        return Truth(found, depends(*items))

    def _py_getattr(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        if len(args) >= 2 and isinstance(args[1], Const) and isinstance(args[1].value, str):
            return self.member(args[0], args[1].value)
        return None

    def _py_setattr(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        if len(args) == 3 and isinstance(args[1], Const) and isinstance(args[1].value, str):
            self.set_member(args[0], args[1].value, args[2])
            return NO_VALUE
        return None

    def _py_hasattr(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        if isinstance(args[0], Obj) and len(args) == 2 and isinstance(args[1], Const):
            if self.get((args[0].number, str(args[1].value))) is not None:
                return Const(True)
            if self.in_class(args[0].cls, str(args[1].value)) is not None:
                return Const(True)
        return None

    def _py_isinstance(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        if (
            len(args) == 2
            and isinstance(args[0], Obj)
            and isinstance(args[0].cls, Class)
            and isinstance(args[1], Class)
        ):
            return Const(any(c.number == args[1].number for c in self.order(args[0].cls)))
        return None

    def _py_next(self, args: list[Value], _: dict[str, Value]) -> Value:
        deps = self.of(self.each(args[0]))
        if len(args) > 1:
            deps |= self.count_of(args[0])  # whether it is the default
        return Unknown(named(f"each({args[0].id})"), deps)

    def _py_iter(self, args: list[Value], _: dict[str, Value]) -> Value:
        return args[0]

    def _py_map(self, args: list[Value], _: dict[str, Value]) -> Value | None:
        items = self.items(args[1]) if len(args) == 2 else None
        if items is None or len(items) > 64:
            return None
        return Tup(tuple(self.call(args[0], [x], {}, None) for x in items))

    def _py_functools_partial(self, args: list[Value], named_args: dict[str, Value]) -> Value:
        what = args[0]
        module = what.module if isinstance(what, Function) else self.top.source
        return Function(
            (what, args[1:], named_args), module, named(f"partial({what.id})"), self.top
        )

    _py_partial = _py_functools_partial

    def _py_functools_wraps(self, args: list[Value], _: dict[str, Value]) -> Value:
        return Unknown("identity", path="identity")

    _py_wraps = _py_functools_wraps

    def _py_random_seed(self, args: list[Value], _: dict[str, Value]) -> Value:
        self.seeded(args[0])
        return NO_VALUE

    def seeded(self, value: Value) -> None:
        """A generator of numbers is begun: the same on all ranks, where the seed is."""
        self.set((0, "seeded"), Const(not differs(value.depends)))

    # -- methods ----------------------------------------------------------------------------------

    def method(
        self, what: Method, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        """A method of one of Python's own types."""
        base, name = what.base, what.name
        found: Value | None = None
        if isinstance(base, Obj):
            handler = getattr(self, f"_{base.kind}_{name}", None) or getattr(
                self, f"_any_{name}", None
            )
            if handler is not None:
                found = handler(base, args)
        elif isinstance(base, Const) and all(isinstance(a, Const) for a in args) and not named_args:
            found = self._of_const(base, name, args)
        elif isinstance(base, Tup) and name == "index" and args:
            items = [i for i, x in enumerate(base.items) if self._equal(x, args[0])]
            if items:
                return Const(
                    items[0],
                    base.depends | args[0].depends,
                    named(f"index({base.id},{args[0].id})"),
                )
        if found is not None:
            return found
        return Unknown(named(f"{what.id}({','.join(a.id for a in args)})"), depends(base, *args))

    def _of_const(self, base: Const, name: str, args: list[Value]) -> Value | None:
        function = getattr(base.value, name, None) if not name.startswith("_") else None
        if not callable(function):
            return None
        try:
            got = function(*(a.value for a in args if isinstance(a, Const)))
        except Exception:
            return None
        deps = depends(base, *args)
        name = named(f"{base.id}.{name}({','.join(a.id for a in args)})")
        if isinstance(got, list):
            return self.new(
                "list", name, tuple(Const(x, deps, f"{name}[{i}]") for i, x in enumerate(got))
            )
        if isinstance(got, str | int | float | bool | bytes) or got is None:
            return Const(got, deps, name)
        return None

    def _list_append(self, base: Obj, args: list[Value]) -> Value:
        self.append(base, args[0] if args else NO_VALUE)
        return NO_VALUE

    def _set_add(self, base: Obj, args: list[Value]) -> Value:
        """What is in it already is not put in again."""
        value = args[0] if args else NO_VALUE
        sure = self.get((base.number, _SURELY))
        known = sure.items if isinstance(sure, Tup) else ()
        items = [*known, *(self.items(base) or ())]
        if isinstance(value, Const) and any(
            isinstance(x, Const) and x.value == value.value for x in items
        ):
            return NO_VALUE
        self.append(base, value)
        if isinstance(value, Const):
            self.set((base.number, _SURELY), Tup((*known, value)))
        return NO_VALUE

    def _list_extend(self, base: Obj, args: list[Value]) -> Value:
        if args:
            self.extend(base, args[0])
        return NO_VALUE

    def _list_pop(self, base: Obj, args: list[Value]) -> Value:
        items = self.items(base)
        index = args[0].value if args and isinstance(args[0], Const) else -1 if not args else None
        if (
            items
            and isinstance(index, int)
            and -len(items) <= index < len(items)
            and not self.abstract(base)
        ):
            rest = list(items)
            value = rest.pop(index)
            self.set((base.number, "[]"), Tup(tuple(rest)))
            return value
        value = self.each(base)
        self.blur(base)
        return value

    def _list_index(self, base: Obj, args: list[Value]) -> Value | None:
        items = self.items(base)
        if items is not None and args:
            found = [i for i, x in enumerate(items) if self._equal(x, args[0])]
            if found:
                return Const(found[0], args[0].depends, named(f"index({base.id},{args[0].id})"))
        return None

    def _list_clear(self, base: Obj, _: list[Value]) -> Value:
        self.set((base.number, "[]"), Tup(()))
        return NO_VALUE

    def _list_insert(self, base: Obj, args: list[Value]) -> Value:
        items = self.items(base)
        at = args[0].value if args and isinstance(args[0], Const) else None
        if items is not None and isinstance(at, int) and len(args) == 2 and not self.abstract(base):
            rest = list(items)
            rest.insert(at, args[1])
            self.set((base.number, "[]"), Tup(tuple(rest)))
        elif args:
            self.blur(base, args[-1])
        return NO_VALUE

    def _list_remove(self, base: Obj, args: list[Value]) -> Value:
        items = self.items(base)
        equal = [self._equal(x, args[0]) for x in items] if items is not None and args else []
        if items is not None and None not in equal and not self.abstract(base):
            if True in equal:
                at = equal.index(True)
                self.set((base.number, "[]"), Tup((*items[:at], *items[at + 1 :])))
        else:
            self.blur(base)
        return NO_VALUE

    def _set_union(self, base: Obj, args: list[Value]) -> Value:
        return self._of_sets(ast.BitOr, base, args)

    def _set_intersection(self, base: Obj, args: list[Value]) -> Value:
        return self._of_sets(ast.BitAnd, base, args)

    def _set_difference(self, base: Obj, args: list[Value]) -> Value:
        return self._of_sets(ast.Sub, base, args)

    def _set_update(self, base: Obj, args: list[Value]) -> Value:
        if any(self.items(a) is None for a in args) or self.abstract(base):
            for arg in args:
                self.blur(base, self.each(arg), self.count_of(arg))
        else:
            row = self.items(self._of_sets(ast.BitOr, base, args))
            if row is not None:
                self.set((base.number, "[]"), Tup(row))
        return NO_VALUE

    def _of_sets(self, kind: type, base: Obj, args: list[Value]) -> Value:
        return self.of_sets(kind, base, tuple(args), f"set@{self.top.source.name}:{self.top.line}")

    def _less_sure(self, base: Obj) -> Obj:
        """The set, of which no member is known any more to be there on every way."""
        self.set((base.number, _SURELY), Tup(()))
        return base

    def _set_remove(self, base: Obj, args: list[Value]) -> Value:
        return self._list_remove(self._less_sure(base), args)

    def _set_pop(self, base: Obj, args: list[Value]) -> Value:
        return self._list_pop(self._less_sure(base), args)

    def _set_clear(self, base: Obj, args: list[Value]) -> Value:
        return self._list_clear(self._less_sure(base), args)

    _set_discard = _set_remove

    def _list_reverse(self, base: Obj, _: list[Value]) -> Value:
        items = self.items(base)
        if items is not None and not self.abstract(base):
            self.set((base.number, "[]"), Tup(tuple(reversed(items))))
        return NO_VALUE

    def _list_sort(self, base: Obj, _: list[Value]) -> Value:
        row = self._py_sorted([base], {})
        items = self.items(row)
        if items is not None:
            self.set((base.number, "[]"), Tup(items))
        return NO_VALUE

    def _dict_pop(self, base: Obj, args: list[Value]) -> Value | None:
        held = self._dict_get(base, args)
        items = self.items(base)
        if items is not None and args and isinstance(args[0], Const) and not self.abstract(base):
            rest = tuple(x for x in items if not self._equal(x, args[0]))
            self.set((base.number, "[]"), Tup(rest))
            self.set((base.number, slot(args[0])), MISSING)
        return held

    def _any_copy(self, base: Obj, _: list[Value]) -> Value:
        return base

    def _dict_get(self, base: Obj, args: list[Value]) -> Value | None:
        held = self.get((base.number, slot(args[0]))) if args else None
        if held is not None:
            return held
        if self.items(base) is not None and isinstance(args[0], Const):
            return args[1] if len(args) > 1 else NO_VALUE
        return self.get((base.number, "each"))

    def _dict_keys(self, base: Obj, _: list[Value]) -> Value | None:
        items = self.items(base)
        return Tup(items) if items is not None else None

    def _dict_values(self, base: Obj, _: list[Value]) -> Value | None:
        items = self.items(base)
        if items is None:
            return None
        return Tup(tuple(self.get((base.number, slot(k))) or Unknown(k.id) for k in items))

    def _dict_items(self, base: Obj, _: list[Value]) -> Value | None:
        items = self.items(base)
        if items is None:
            return None
        return Tup(
            tuple(Tup((k, self.get((base.number, slot(k))) or Unknown(k.id))) for k in items)
        )

    def _dict_setdefault(self, base: Obj, args: list[Value]) -> Value | None:
        held = self.get((base.number, slot(args[0]))) if args else None
        if held is None and len(args) == 2:
            self.set((base.number, slot(args[0])), args[1])
            self.keyed(base, args[0])
            held = args[1]
        return held

    def keyed(self, base: Obj, key: Value) -> None:
        """One more key in a dict."""
        if isinstance(key, Const) and isinstance(key.value, str):
            self.set((base.number, EACH_KEY), Unknown(f"a key of {base.label}", path=TEXT))
        items = self.items(base)
        if items is not None and isinstance(key, Const):
            if all(not same(x, key) for x in items):
                self.set((base.number, "[]"), Tup((*items, key)))
            return
        old = self.get((base.number, "[]"))
        deps = counting(key.depends) | (old.depends if old is not None else frozenset())
        self.set((base.number, "[]"), Unknown(f"keys of {base.label}", deps))

    def _dict_update(self, base: Obj, args: list[Value]) -> Value:
        if args and isinstance(args[0], Obj):
            for key in self.items(args[0]) or ():
                held = self.get((args[0].number, slot(key)))
                if held is not None:
                    self.set((base.number, slot(key)), held)
                    self.keyed(base, key)
        return NO_VALUE


def _unique(items: tuple[Value, ...]) -> tuple[Value, ...]:
    return tuple({x.id: x for x in items}.values())


__all__ = ["Builtins", "Comm"]
