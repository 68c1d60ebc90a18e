"""Objects that were read by their syntax: which constructor makes them, where copies are made."""

from __future__ import annotations

from collections.abc import Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Variable
from lockorder.static.parse.recovery.whole_expressions import (
    ADDRESS,
    ARROW,
    CAST,
    DEREFERENCE,
    LISTED,
    PART,
    STARTS,
)
from lockorder.static.program.binding.lookup import bare, is_number
from lockorder.static.program.binding.values import Typed, Values

_PLACES = (f.Var, f.Field, f.Elem, f.This)


class Constructions(Values):
    """Binds the constructions of one function."""

    #: Calls of std::move, and objects that were made to be passed to the call at hand.
    moved: set[int]
    passing: list[int]

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.moved = set()
        self.passing = []
        self._starting: dict[int, f.Value] = {}

    @staticmethod
    def is_mark(text: str) -> bool:
        """Whether a name is one of the marks that the reader makes."""
        return text in (ARROW, DEREFERENCE, ADDRESS) or text.startswith((PART, CAST, STARTS))

    # -- constructions ----------------------------------------------------------------------------

    def construction(self, make: f.Make) -> None:
        """Bind one construction; of what is no object nothing remains but its value."""
        spelling = make.type
        if spelling.startswith(STARTS):
            spelling = self._started_member(make)
        found = [self.value(a) for a in make.args]
        args, kinds = [v or f.Lit("") for v, _ in found], [k for _, k in found]
        plain = spelling.removeprefix("const ").strip()
        if not make.heap and not self._makes(plain, len(args)):
            value = args[0] if args else None
            if isinstance(value, f.AnyOf):
                value = self.listed(value, plain)
            self.makes[make.id] = (
                value,
                spelling if "auto" not in spelling else "".join(kinds[:1]),
            )
            return
        if not make.heap and len(args) == 1 and self._is_handed_over(args[0], kinds[0], plain):
            self.makes[make.id] = (args[0], plain)
            return
        self._made_object(make, plain, args, kinds)

    def _makes(self, spelling: str, count: int) -> bool:
        """Whether a declaration with that type makes an object of a class."""
        if not spelling or spelling.endswith(("&", "*", "]", ")")) or "auto" in spelling.split():
            return False
        if count == 1 and self.program.is_dependent(spelling) and not self.types.is_class(spelling):
            return False  # of a template's parameter: what it is made from, it is
        return not is_number(spelling) and bare(spelling) != "void"

    def _is_handed_over(self, arg: f.Value, kind: str, spelling: str) -> bool:
        """Whether the one argument is a temporary of that very type: no second object is made."""
        if isinstance(arg, f.Result):
            if arg.call in self.moved or kind.endswith("&"):
                return False
        elif not isinstance(arg, f.Made):
            return False
        return bool(kind) and bare(kind) == bare(spelling)

    def _made_object(
        self, make: f.Make, spelling: str, args: list[f.Value], kinds: Sequence[str]
    ) -> None:
        cls = self.class_named(spelling)
        self.makes[make.id] = (f.Made(make.id), spelling if not make.heap else f"{spelling} *")
        known = self.program.classes.get(cls)
        same = len(args) == 1 and bare(kinds[0]) == bare(spelling) and bool(kinds[0])
        ctors = self.lookup.constructors(cls) if known is not None else ()
        if known is not None and not ctors and args and not same:
            self._aggregate(make, spelling, args, kinds)
            return
        if make.moves and cls in self.knowledge.locks and args and isinstance(args[0], f.Lit):
            self.makes[make.id] = (args[0], spelling)  # an initialiser of C
            return
        ctor = self.lookup.choose(ctors, kinds) or ""
        if same and known is not None:
            parameter = self.program.decls[ctor].types[:1] if ctor else []
            if not parameter or bare(parameter[0]) != bare(spelling):
                ctor = self.library(f"{cls}::{cls.rpartition('::')[2]}", f.This()).usr
        moves = same and isinstance(args[0], f.Result) and args[0].call in self.moved
        self.out.append(
            f.Make(make.id, spelling, ctor, args, make.line, make.column, make.heap, moves)
        )

    def _aggregate(
        self, make: f.Make, spelling: str, args: list[f.Value], kinds: Sequence[str]
    ) -> None:
        """``Thing{a, b}`` without a constructor: its fields start so, in order or by names."""
        if make.moves and not any(isinstance(a, f.Made) for a in args):
            listed = self.listed(f.AnyOf(args, [LISTED] * len(args)), spelling)
            self.makes[make.id] = (listed, spelling)
            return
        self.out.append(f.Make(make.id, spelling, "", [], make.line, make.column, make.heap))
        fields = self._fields(spelling, [LISTED] * len(args))
        for field, arg, kind in zip(fields, args, kinds, strict=False):
            variable = self.program.variables[field]
            value = self.started(variable, arg, kind, make.line, 0)
            if value is not None:
                self.out.append(f.Assign(f.Field(f.Made(make.id), field), value, make.line))

    def _fields(self, spelling: str, names: Sequence[str]) -> list[str]:
        """The fields that the parts of a list start; none where the class is not here."""
        known = self.program.classes.get(self.class_named(spelling))
        if known is None:
            return []
        wanted = [n.removeprefix(LISTED) for n in names]
        if all(wanted):
            fields = {self.program.variables[u].name.rpartition("::")[2]: u for u in known.fields}
            return [fields[n] for n in wanted if n in fields]
        return known.fields[: len(names)] if len(known.fields) >= len(names) else []

    def listed(self, value: f.AnyOf, spelling: str) -> f.Value:
        """An initialiser list where an object of that type is wanted."""
        if not value.fields or not value.fields[0].startswith(LISTED):
            return value
        plain = spelling.removeprefix("const ").strip()
        if plain.endswith("]"):
            inner = plain[: plain.rindex("[")].strip()
            return f.AnyOf([self._part(v, inner) for v in value.values])
        fields = self._fields(plain, value.fields)
        if fields and len(fields) == len(value.values):
            kinds = [self.program.type_of(u) for u in fields]
            parts = [self._part(v, k) for v, k in zip(value.values, kinds, strict=True)]
            return f.AnyOf(parts, fields)
        parts = [self._part(v, "") for v in value.values]
        return parts[0] if len(parts) == 1 else f.AnyOf(parts)

    def _part(self, value: f.Value, spelling: str) -> f.Value:
        return self.listed(value, spelling) if isinstance(value, f.AnyOf) else value

    def object_from(self, spelling: str, value: f.Value, kind: str, line: int) -> f.Value:
        """An object of that class type, begun with *value*: it may be made for that."""
        if isinstance(value, f.AnyOf) and value.fields and value.fields[0].startswith(LISTED):
            known = self.program.classes.get(self.class_named(spelling))
            if known is None or not self.lookup.constructors(self.class_named(spelling)):
                return self.listed(value, spelling)
            kinds = [self.value(v)[1] for v in value.values]
            return self._fresh(spelling, list(value.values), kinds, line)
        same = bool(kind) and bare(kind) == bare(spelling)
        if self._is_handed_over(value, kind, spelling):
            return value
        if isinstance(value, (f.Made, f.Result)) and (
            not kind or (not same and not self._converts(spelling, kind))
        ):
            return value
        if isinstance(value, f.AnyOf):
            return value
        if isinstance(value, f.Lit) and self.class_named(spelling) in self.knowledge.locks:
            return value  # an initialiser of C
        if isinstance(value, _PLACES) and not kind:
            return value
        cls = self.class_named(spelling)
        literal = isinstance(value, f.Lit) and cls in self.program.classes
        if literal and not self.lookup.choose(self.lookup.constructors(cls), [""]):
            return value
        if isinstance(value, f.Name):
            return value
        return self._fresh(spelling, [value], [kind], line)

    def _converts(self, spelling: str, kind: str) -> bool:
        """Whether something else than an object of its class can start an object."""
        cls = self.class_named(spelling)
        if cls in self.program.classes:
            return self.lookup.choose(self.lookup.constructors(cls), [kind]) is not None
        return cls in self.knowledge.owners

    def _fresh(
        self, spelling: str, args: list[f.Value], kinds: Sequence[str], line: int
    ) -> f.Value:
        make = f.Make(self.next_make(), spelling, "", args, line)
        self._made_object(make, spelling, args, kinds)
        return f.Made(make.id)

    # -- what starts ------------------------------------------------------------------------------

    def started(
        self, variable: Variable, value: f.Value | None, kind: str, line: int, column: int
    ) -> f.Value | None:
        """What a variable starts with; its type becomes known where ``auto`` stands."""
        self._deduce(variable, kind)
        spelling = variable.type.removeprefix("const ").strip()
        if value is None:
            return None
        if not self.types.is_object(spelling):
            return self.listed(value, spelling) if isinstance(value, f.AnyOf) else value
        return self.object_from(spelling, value, kind, line)

    def _deduce(self, variable: Variable, kind: str) -> None:
        words = variable.type.replace("&", " & ").replace("*", " * ").split()
        if "auto" not in words or not kind or "(" in kind:
            return
        plain = kind.rstrip(" &").removeprefix("const ")
        if "*" in words:
            plain = plain.removesuffix("*").strip()
        variable.type = variable.type.replace("auto", plain)

    def _started_member(self, make: f.Make) -> str:
        """The type of the member or base that a constructor starts."""
        name = make.type.removeprefix(STARTS)
        found = self.lookup.member(self.cls, name, self.function.file) if self.cls else None
        if found is not None and found.kind == "field":
            field, kind = self.bound(found, f.This(), self.cls)
            assert field is not None
            self._starting[make.id] = field
            return kind
        self._starting[make.id] = f.This()
        return self.full(name)

    def member_started(self, assign: f.Assign) -> None:
        """``: member(argument)`` of a constructor."""
        if not isinstance(assign.value, f.Made):
            return
        target = self._starting.get(assign.value.make)
        value, _ = self.value(assign.value)
        if target is not None and value is not None:
            self.out.append(f.Assign(target, value, assign.line))

    def returned(self, value: f.Value | None, line: int) -> f.Value | None:
        """What a function returns: a copy, unless it is made there."""
        found, kind = self.value(value)
        result = self.program.result_of(self.function.usr).removeprefix("const ").strip()
        if found is None or not self.types.is_object(result):
            return found
        if isinstance(found, f.AnyOf) and found.fields and found.fields[0].startswith(LISTED):
            kinds = [self.value(v)[1] for v in found.values]
            return self._fresh(result, list(found.values), kinds, line)
        local = isinstance(found, f.Var) and found.usr in self._own()
        made = self.object_from(result, found, kind, line)
        last = self.out[-1] if self.out else None
        if local and made is not found and isinstance(last, f.Make):
            last.moves = True
        return made

    def _own(self) -> set[str]:
        """Parameters and variables of the function."""
        made = [s.usr for s in f.walk(self.function.body) if isinstance(s, f.Local)]
        return {*self.function.params, *made}

    def temporary(self, number: int) -> int | None:
        """What became of a temporary, by its number among those that end; None: it is none."""
        value: Typed
        if number >= 0:
            value = self.makes.get(number, (f.Made(number), ""))
            return value[0].make if isinstance(value[0], f.Made) else None
        found, kind = self.results.get(-1 - number, (None, ""))
        if isinstance(found, f.Made):
            return found.make
        if not isinstance(found, f.Result) or found.call != -1 - number:
            return None
        return number if self.types.is_object(kind.removeprefix("const ")) else None
