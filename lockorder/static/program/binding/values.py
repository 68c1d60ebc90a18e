"""Values of expressions that were read by their syntax, bound to declarations, with their types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.declarations import Decl, Variable
from lockorder.static.parse.names import substituted
from lockorder.static.parse.operators import combined
from lockorder.static.parse.recovery.spellings import plain_name
from lockorder.static.parse.recovery.standard_names import is_standard
from lockorder.static.parse.recovery.whole_expressions import (
    ADDRESS,
    ARROW,
    CAST,
    DEREFERENCE,
    PART,
)
from lockorder.static.program.binding.lookup import Found, Lookup
from lockorder.static.program.binding.types import Types
from lockorder.static.program.link import Program

_NAME = re.compile(r"(?<![\w:])[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*")
_SHOUTED = re.compile(r"^_*[A-Z][A-Z0-9_]{2,}$")
#: How keys of what only a library declares begin.
LIBRARY = "named:"
EACH = DEREFERENCE + "each"
_MARKS = (ARROW, DEREFERENCE, ADDRESS, EACH)
Typed = tuple[f.Value | None, str]


class Shared:
    """What all functions of a program are bound with."""

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        lookup: Lookup,
        spaces: Mapping[str, Sequence[str]],
    ) -> None:
        self.program = program
        self.knowledge = knowledge
        self.lookup = lookup
        self.types = Types(program, knowledge)
        self.spaces = spaces


class Values:
    """Binds the values of one function; what is emitted on the way goes to ``out``."""

    def __init__(self, shared: Shared, function: f.Function) -> None:
        self.program = shared.program
        self.knowledge = shared.knowledge
        self.lookup = shared.lookup
        self.types = shared.types
        self.function = function
        self.spaces = shared.spaces.get(function.file, ())
        self.out: list[f.Stmt] = []
        home = function
        while home.parent and home.parent in self.program.functions:
            home = self.program.functions[home.parent]
        self.cls = home.cls
        self.scope = home.cls or home.name.rpartition("::")[0]
        if home.usr.startswith("init:"):
            started = self.program.variables.get(home.usr[5:])
            self.scope = started.name.rpartition("::")[0] if started is not None else ""
        #: By number of a call or construction: what became of it, and its type.
        self.results: dict[int, Typed] = {}
        self.makes: dict[int, Typed] = {}
        statements = f.walk(function.body)
        self._calls = max((s.id for s in statements if isinstance(s, f.Call)), default=-1) + 1
        self._made = max((s.id for s in statements if isinstance(s, f.Make)), default=-1) + 1

    def next_call(self) -> int:
        """A number for one more call."""
        self._calls += 1
        return self._calls - 1

    def next_make(self) -> int:
        """A number for one more construction."""
        self._made += 1
        return self._made - 1

    # -- values -----------------------------------------------------------------------------------

    def value(self, value: f.Value | None) -> Typed:
        """*value* with its names bound, and its type; an empty one where that is not known."""
        if isinstance(value, f.Name):
            return self._name(value)
        if isinstance(value, f.Var):
            return value, self.program.type_of(value.usr)
        if isinstance(value, f.This):
            return value, self.cls
        if isinstance(value, f.Result):
            return self.results.get(value.call, (value, ""))
        if isinstance(value, f.Made):
            return self.makes.get(value.make, (value, ""))
        if isinstance(value, f.Elem):
            return self._element(value)
        if isinstance(value, f.Field):
            base, kind = self.value(value.base)
            field = self.program.type_of(value.usr)
            return f.Field(base or f.Name(""), value.usr), self.instantiated(field, value.usr, kind)
        if isinstance(value, f.Whole):
            return f.Whole(self.known(value.base), value.usr), self._class_with(value.usr)
        if isinstance(value, f.AnyOf):
            found = [self.value(v) for v in value.values]
            known = [v or f.Lit("") for v, _ in found]
            kinds = [k for _, k in found if k]
            cond = self.condition(value.cond) if value.cond is not None else None
            kind = kinds[0] if kinds and not value.fields else ""
            return f.AnyOf(known, value.fields, cond), kind
        if isinstance(value, (f.Not, f.Both, f.Compare, f.Less)):
            return self.condition(value), "bool"
        if isinstance(value, f.Op):
            return combined(value.text, self.known(value.left), self.known(value.right)), "int"
        if isinstance(value, f.Lit):
            number = value.text[:1].isdigit() or value.text in ("true", "false")
            return value, "int" if number else ""
        return value, ""

    def _class_with(self, field: str) -> str:
        variable = self.program.variables.get(field)
        return variable.name.rpartition("::")[0] if variable is not None else ""

    def known(self, value: f.Value | None) -> f.Value:
        """*value*, bound; an empty literal where nothing is known."""
        return self.value(value)[0] or f.Lit("")

    def _name(self, name: f.Name) -> Typed:
        text = name.text
        if name.base is None:
            return self._plain(text)
        if text in _MARKS or text.startswith((PART, CAST)):
            return self._marked(text, name.base)
        base, kind = self.value(name.base)
        found = self.member_of(kind, text)
        if found is not None:
            return self.bound(found, base or f.Name(""), kind)
        if text in self.knowledge.part_names and self.class_named(kind) not in self.program.classes:
            return self._half(text, base, kind)
        return f.Name(text, base if base is not None else f.Name("")), ""

    def _half(self, text: str, base: f.Value | None, kind: str) -> Typed:
        """A part of a pair, or what an entry of a map has."""
        name = self.program.split(self.program.pointee(kind))[0]
        number = self.knowledge.part_names[text]
        if self.knowledge.is_tuple(name) and base is not None:
            return f.Elem(base, f.Lit(str(number))), self.types.element(kind, str(number))
        return (base, kind) if number else (None, "")  # the first is the key

    def _marked(self, text: str, inner: f.Value) -> Typed:
        base, kind = self.value(inner)
        if text == EACH:
            return base, kind
        if text in (ARROW, DEREFERENCE):
            operator = "operator->" if text == ARROW else "operator*"
            called = self.overloaded(operator, base, kind, []) if base is not None else None
            found, result = called if called is not None else (base, kind)
            return found, self.types.pointed(result)
        if text == ADDRESS:
            return base, f"{kind.rstrip(' &')} *" if kind else ""
        if text.startswith(PART):
            index = text.removeprefix(PART)
            if base is None:
                return None, ""
            cls = self.program.classes.get(self.class_named(kind))
            part = self.types.element(kind, index)
            if cls is not None and int(index) < len(cls.fields):
                part = self.program.type_of(cls.fields[int(index)])
            return f.Elem(base, f.Lit(index)), part
        return base, self.full(text.removeprefix(CAST)) or kind

    def _element(self, element: f.Elem) -> Typed:
        each = isinstance(element.base, f.Name) and element.base.text == EACH
        base, kind = self.value(element.base)
        if base is None:
            return None, ""
        if each:
            return f.Elem(base), self.types.element(kind)
        index, _ = self.value(element.index)
        cls = self.types.of_class(kind.rstrip(" &"))
        if cls:
            called = self.overloaded("operator[]", base, kind, [index or f.Lit("")])
            if called is not None:
                return called
            if cls not in self.program.classes:
                method = self.library(f"{cls}::operator[]", base)
                return self.emit(method, [index or f.Lit("")], self.types.element(kind))
        return f.Elem(base, index), self.types.element(kind)

    # -- names ------------------------------------------------------------------------------------

    def find(self, text: str) -> Found | None:
        """What a name means where it stands."""
        return self.lookup.name(text, self.scope, self.function.file, self.spaces)

    def _plain(self, text: str) -> Typed:
        found = self.find(text) if text else None
        if found is not None:
            return self.bound(found, f.This(), self.cls)
        name = self.standard(text)
        if name in self.knowledge.constants:
            return f.Lit(name), ""
        if "::" in name:
            usr = LIBRARY + name
            if usr not in self.program.variables:
                self.program.variables[usr] = Variable(usr, plain_name(name), "global", "")
            return f.Var(usr), ""
        return (f.Lit(text), "") if _SHOUTED.match(text) else (f.Name(text), "")

    def standard(self, text: str) -> str:
        """A name that nobody here declares, with the namespace that a directive gives it."""
        name = plain_name(text).removeprefix("::")
        if "std" in self.spaces and "::" not in name and is_standard(name):
            return f"std::{name}"
        return name

    def bound(self, found: Found, base: f.Value, kind: str) -> Typed:
        """What was found, as a member of *base* where it is one of an object."""
        usr = found.keys[0]
        if found.kind == "field":
            spelling = self.instantiated(self.program.type_of(usr), usr, kind)
            return f.Field(base, usr), spelling
        if found.kind == "variable":
            return f.Var(usr), self.program.type_of(usr)
        if found.kind == "enumerator":
            variable = self.program.variables[usr]
            short = variable.name.rpartition("::")[2]
            number = numbers.number_of(variable.type)
            return f.Lit(short if number is None else numbers.enumerator(short, number)), "int"
        if found.kind == "function":
            return f.Fn(usr), ""
        return f.Name(usr), ""

    def class_named(self, kind: str) -> str:
        """The class of what has the type *kind*, through references and pointers."""
        text = kind.strip()
        while text.endswith(("&", "*")):
            text = text[:-1].strip()
        return self.program.split(text)[0]

    def member_of(self, kind: str, text: str) -> Found | None:
        """Member *text* of an object of that type, where the program has the class."""
        cls = self.class_named(kind)
        if cls not in self.program.classes:
            return None
        return self.lookup.member(cls, text, self.function.file)

    def instantiated(self, spelling: str, field: str, owner: str) -> str:
        """The type of a class template's member, with the arguments of the object it is in."""
        variable = self.program.variables.get(field)
        name = variable.name if variable is not None else self.program.name_of(field)
        known = self.program.classes.get(name.rpartition("::")[0])
        if known is None or not known.tparams or not spelling:
            return spelling
        arguments = self.program.split(owner.rstrip(" &*"))[1]
        return substituted(spelling, known.tparams, arguments)

    def full(self, text: str) -> str:
        """A type as it is written here, with names of classes in full."""

        def replaced(match: re.Match[str]) -> str:
            found = self.find(match.group(0))
            known = found is not None and found.kind == "class"
            return found.keys[0] if found is not None and known else match.group(0)

        return _NAME.sub(replaced, text)

    # -- conditions -------------------------------------------------------------------------------

    def condition(self, value: f.Value | None) -> f.Value | None:
        """A condition: objects in it are asked by their conversion to bool."""
        if isinstance(value, f.Not):
            inner = self.condition(value.value)
            return f.Not(inner) if inner is not None else None
        if isinstance(value, f.Both):
            left, right = self.condition(value.left), self.condition(value.right)
            return f.Both(left or f.Lit(""), right or f.Lit(""), value.either)
        if isinstance(value, (f.Compare, f.Less)):
            left, kind = self.value(value.left)
            right, _ = self.value(value.right)
            if isinstance(value, f.Less):
                return f.Less(left or f.Lit(""), right or f.Lit(""))
            name = "operator==" if value.equal else "operator!="
            called = self.overloaded(name, left, kind, [right or f.Lit("")]) if left else None
            if called is not None:
                return called[0]
            return f.Compare(left or f.Lit(""), right or f.Lit(""), value.equal)
        found, kind = self.value(value)
        return self.truth(found, kind)

    def truth(self, value: f.Value | None, kind: str) -> f.Value | None:
        """What decides whether *value* counts as true."""
        cls = self.types.of_class(kind.rstrip(" &"))
        if value is None or not cls or isinstance(value, f.Lit):
            return value
        called = self.overloaded("operator bool", value, kind, [])
        if called is not None:
            return called[0]
        if cls in self.program.classes:
            return value
        return self.emit(self.library(f"{cls}::operator bool", value), [], "bool")[0]

    # -- calls that operators are -----------------------------------------------------------------

    def library(self, name: str, base: f.Value | None = None) -> f.Fn:
        """A function that only a library has."""
        usr = LIBRARY + name
        if usr not in self.program.decls:
            cls = name.rpartition("::")[0] if base is not None else ""
            self.program.decls[usr] = Decl(usr, name, -1, cls)
        return f.Fn(usr, base)

    def emit(self, target: f.Value, args: list[f.Value], kind: str, line: int = 0) -> Typed:
        """A call that nobody wrote as one."""
        number = self.next_call()
        virtual = isinstance(target, f.Fn) and self.lookup.virtual(target.usr)
        self.out.append(f.Call(number, target, args, line or self.line(), 0, virtual))
        self.results[number] = (f.Result(number), kind)
        return f.Result(number), kind

    def line(self) -> int:
        """The line of what was emitted last."""
        for statement in reversed(self.out):
            line = getattr(statement, "line", 0)
            if line:
                return int(line)
        return self.function.line

    def overloaded(
        self, name: str, base: f.Value | None, kind: str, args: list[f.Value]
    ) -> Typed | None:
        """A call of the operator *name*, where the class of *base* has one that somebody wrote."""
        if kind.rstrip(" &").endswith("*") or base is None:
            return None
        found = self.member_of(kind, name)
        if found is not None and found.kind == "function":
            kinds = [self.value(a)[1] for a in args]
            usr = self.lookup.choose(found.keys, kinds)
            if usr is None:
                return None
            result = self.program.result_of(usr)
            return self.emit(f.Fn(usr, base), args, self.instantiated(result, usr, kind))
        if self.class_named(kind) not in self.program.classes or not args:
            return None
        free = self.find(name)
        if free is None or free.kind != "function" or free.cls:
            return None
        usr = self.lookup.choose(free.keys, [kind, *(self.value(a)[1] for a in args)])
        if usr is None:
            return None
        return self.emit(f.Fn(usr), [base, *args], self.program.result_of(usr))
