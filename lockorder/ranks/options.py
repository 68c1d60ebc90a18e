"""What a program's options are worth where nobody gives any: their defaults.

A machine that takes no ``defaults`` knows of none: an option has any value then, the same on all
ranks.  It notes in ``opted`` that it has met some that have a default.
"""

from __future__ import annotations

import ast
from typing import Any

from lockorder.knowledge.rank_schema import RankOptions
from lockorder.ranks.communicators import Communicators
from lockorder.ranks.expressions import NO_VALUE
from lockorder.ranks.values import Class, Const, Function, Tup, Unknown, Value, named

#: Variables of the environment are asked for by these, the default behind the name.
GETTERS = frozenset(("os.environ.get", "os.getenv"))
#: Of an option without a value: what it is where it is not given.
_SWITCHES = {"store_true": False, "store_false": True}
#: Options that stand for no value of the program's.
_NO_OPTIONS = frozenset(("help", "version"))
#: A positional argument that may be left out.
_OPTIONAL = frozenset(("?", "*"))


class Options(Communicators):
    """Calls that declare options, and calls that read them."""

    def option(
        self, what: Unknown, args: list[Value], named_args: dict[str, Value]
    ) -> Value | None:
        """What such a call gives; None for all others, and where options have any value."""
        path = self.known.renamed(what.path)
        if path in GETTERS:
            return self._variable(args, named_args)
        told = self.known.options.get(path)
        if told is not None:
            return self._begun(told, path, args, named_args)
        of, _, word = path.rpartition(".")
        told = self.known.options.get(of[:-2]) if of.endswith("()") else None
        if told is None or what.base is None:
            return None
        if word in told.parts:
            return what.base if self.defaults else None
        if word in told.declares:
            self._add_option(what.base, args, named_args)
        elif word in told.usual:
            for name, value in named_args.items():
                self._keep(what.base, name, value)
        elif word in told.parses or word in told.pairs:
            return self._read(told, what, f"{path}()", args, word in told.pairs)
        return None

    def _variable(self, args: list[Value], named_args: dict[str, Value]) -> Value | None:
        """A variable of the environment that is not set.

        Without a default it is what the launcher or the user sets.
        """
        usual = args[1] if len(args) > 1 else named_args.get("default")
        if usual is None or (isinstance(usual, Const) and usual.value is None):
            return None
        self.opted = True
        return usual if self.defaults else None

    def _begun(
        self, told: RankOptions, path: str, args: list[Value], named_args: dict[str, Value]
    ) -> Value | None:
        """A call of a function of such a library."""
        if told.form in ("parser", "records"):
            if not self.defaults:
                return None
            made = Unknown(self.label(f"{path}@{self.top.line}"), path=f"{path}()")
            for i, one in enumerate(args):
                self.set((_home(made), f" {i}"), one)
            for parent in self.items(named_args.get("parents", NO_VALUE)) or ():
                for name, value in self.parts(_home(parent)):
                    self._keep(made, name, value)
            return made
        if told.form == "record":
            return self._record(args[0], path) if args else None
        at = 1 if told.form == "flag" else 0
        usual = args[at] if told.form != "decorator" and len(args) > at else None
        usual = named_args.get("default", usual)
        if isinstance(usual, Const) and usual.value is ...:
            return None  # it has to be given
        if told.form == "value":
            self.opted |= usual is not None
            return usual if self.defaults else None
        self.opted = True
        if not self.defaults:
            return None
        made = Unknown(self.label(f"{path}@{self.top.line}"), path=f"{path}()")
        if told.form == "decorator":
            self._add_option(made, args, {**named_args, **_as_switch(named_args)})
        elif usual is not None and args and isinstance(args[0], Const):
            self.set((f"u:{made.id}", "value"), usual)  # type: ignore[arg-type]
            self.set((f"u:{told.values}", str(args[0].value)), usual)  # type: ignore[arg-type]
        return made

    def _add_option(self, parser: Value, args: list[Value], named_args: dict[str, Value]) -> None:
        """One more option of a parser."""
        names = [str(a.value) for a in args if isinstance(a, Const) and isinstance(a.value, str)]
        action = _text(named_args.get("action"))
        if not names or action in _NO_OPTIONS:
            return
        bare = [n for n in names if not n.startswith("-")]
        long = [n for n in names if n.startswith("--")]
        name = _text(named_args.get("dest")) or (bare or long or names)[0].lstrip("-").split("/")[0]
        required = named_args.get("required")
        missing = isinstance(required, Const) and bool(required.value)
        if not names[0].startswith("-"):
            # What stands in its place has no default, but where it may be left out.
            missing = _text(named_args.get("nargs")) not in _OPTIONAL
        usual = named_args.get("default", Const(_SWITCHES.get(action)))
        if missing or (isinstance(usual, Unknown) and usual.path.endswith(".SUPPRESS")):
            return
        kind = named_args.get("type")
        if kind is not None and isinstance(usual, Const) and isinstance(usual.value, str):
            usual = self.call(kind, [usual], {}, None)
        self._keep(parser, name.replace("-", "_"), usual)

    def _keep(self, parser: Value, name: str, value: Value) -> None:
        self.opted = True
        if self.defaults:
            self.set((_home(parser), name), value)

    def _read(
        self, told: RankOptions, what: Unknown, path: str, args: list[Value], pairs: bool
    ) -> Value | None:
        """The options of a parser, as members of what this gives."""
        if told.form == "records":
            self.opted = True
        if not self.defaults or what.base is None:
            return None
        given = self.items(args[0]) if args else ()
        if given:
            return None  # the program itself says what it is called with
        held = self.parts(_home(what.base))
        if told.form == "records":
            rows = [v for k, v in held if k == " 0"]
            items = (self.items(rows[0]) or (rows[0],)) if rows else ()
            return Tup(tuple(self._record(x, path) or Unknown(x.id) for x in items))
        found = Unknown(named(f"{what.id}()"), path=path, base=what)
        home = f"{found.id}[0]" if pairs else found.id
        path = f"{path}[0]" if pairs else path
        for name, value in held:
            # What a launcher hands over is declared of its own.
            if self.told(f"{path}.{name}", found) is None and not name.startswith(" "):
                self.set((f"u:{named(home)}", name), value)  # type: ignore[arg-type]
        return found

    def _record(self, cls: Value, path: str) -> Value | None:
        """An object of a class whose fields are options."""
        self.opted = True
        if not self.defaults:
            return None
        if isinstance(cls, Class):
            return self.make(cls, [], {})
        if isinstance(cls, Function):
            return self.call(cls, [], {}, None)
        inner = f"{cls.path}()" if isinstance(cls, Unknown) and cls.path else ""
        return Unknown(named(f"{path}({cls.id})"), path=inner)

    def decorated(self, node: ast.AST, decorator: Value) -> None:
        """An option that a decorator declares is a parameter of the function."""
        told = self.known.options.get(getattr(decorator, "path", "").removesuffix("()"))
        if told is not None and told.form == "decorator":
            for name, value in self.parts(_home(decorator)):
                self.set((_of_function(node), name), value)

    def usual_of(self, node: Any, parameter: str) -> Value | None:
        """The default of a parameter that a decorator has declared."""
        return self.get((_of_function(node), parameter)) if self.defaults else None


def _home(parser: Value) -> Any:
    """Where a parser has its options."""
    return f"options:{parser.id}"


def _of_function(node: ast.AST) -> Any:
    return f"options:{id(node)}"


def _text(value: Value | None) -> str:
    return value.value if isinstance(value, Const) and isinstance(value.value, str) else ""


def _as_switch(named_args: dict[str, Value]) -> dict[str, Value]:
    """A flag of a decorator is false where it is not given."""
    flag = named_args.get("is_flag")
    is_flag = isinstance(flag, Const) and bool(flag.value) and "default" not in named_args
    return {"default": Const(False)} if is_flag else {}
