"""What expressions are worth."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

import msgspec

from lockorder.ranks import conditions
from lockorder.ranks.conditions import Condition
from lockorder.ranks.effects import Scope, matters, raises
from lockorder.ranks.machine import MISSING, Key, Machine, Pointer
from lockorder.ranks.operators import Quotient, Remainder, quotient, remainder
from lockorder.ranks.values import (
    COUNT,
    LOCAL,
    NONE,
    ORDER,
    Class,
    Comm,
    Const,
    Deps,
    Either,
    Function,
    Method,
    Module,
    Obj,
    Received,
    Request,
    Rows,
    Sized,
    Super,
    Tested,
    Truth,
    Tup,
    Unknown,
    Value,
    computed,
    counted,
    counting,
    depends,
    differs,
    named,
    of_rank,
    same,
)

_BINARY: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
    ast.Pow: operator.pow, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.MatMult: operator.matmul, Quotient: quotient, Remainder: remainder,
}  # fmt: skip
_ORDER: dict[type, Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
    ast.Gt: operator.gt, ast.GtE: operator.ge,
}  # fmt: skip
#: Under which name a dictionary has what is known of its keys.
EACH_KEY = "each key"
#: Under which name a row says that a rank puts as much in it as it decides: perhaps just as much
#: as others have.
EVENED = "evened"
#: Of a number that ranks have told each other: it is one rank's, or the smallest of all.
EACH, LEAST = "each", "least"
#: The type of texts.
TEXT = "str()"
#: What a set has that is made of two: by whether the first and the second have it.
SETS: dict[type, Callable[[bool, bool], bool]] = {
    ast.BitOr: lambda first, second: first or second,
    ast.BitAnd: lambda first, second: first and second,
    ast.Sub: lambda first, second: first and not second,
    ast.BitXor: lambda first, second: first != second,
}
#: Larger numbers and texts are not computed.
_LARGE = 1 << 40
_WIDE = 4000
_BITS = 64
NO_VALUE = Const(None)
#: Of a parameter: it has one only where its part of the model was used.
_GRADIENT = ".grad"
_GRADIENTS = "which parameters have a gradient"
#: Why a part of a tensor has as many elements as it has.
_MASKED = "how much a mask lets through"


def written(node: ast.AST) -> str:
    """An expression as it is written, shortened."""
    if hasattr(node, "written"):
        text = str(node.written)
    else:
        try:
            text = ast.unparse(node)
        except (ValueError, AttributeError, RecursionError, TypeError):
            text = type(node).__name__
    text = " ".join(text.split())
    text = text if len(text) <= 60 else text[:57] + "..."
    node.written = text  # type: ignore[attr-defined]
    return text


class Expressions(Machine):
    """Values of expressions."""

    #: what evaluates each kind of expression
    table: dict[type, Any]

    # -- truth ------------------------------------------------------------------------------------

    def truth(self, value: Value, text: str = "") -> Condition:
        """Whether *value* counts as true."""
        if isinstance(value, Truth):
            return value.condition
        if isinstance(value, Const):
            return conditions.constant(bool(value.value))
        if isinstance(value, Tup):
            return conditions.constant(bool(value.items))
        if isinstance(value, Either):
            ours = conditions.both(value.condition, self.truth(value.first))
            theirs = conditions.both(conditions.negated(value.condition), self.truth(value.second))
            return conditions.either(ours, theirs)
        if isinstance(value, Obj) and value.kind == "array":
            return conditions.TRUE  # a pointer to it, in C
        if isinstance(value, Obj) and value.kind != "object":
            items = self.items(value)
            if items is not None:
                return conditions.constant(bool(items))
            sides = self.sides(value)
            if sides is not None:
                return self.truth(sides)
        elif isinstance(value, Comm):
            if value.asked is not None:
                return value.asked
            return conditions.constant(value.members != ())
        elif isinstance(value, Obj | Function | Class | Module | Request | Method):
            return conditions.TRUE
        deps = self.of(value)
        told = ("true", value, None) if isinstance(value, Received) else None
        tested = value.ops if isinstance(value, Tested) else ()
        return conditions.ask(
            named(f"true({value.id})"), differs(deps), text, told, tested,
            exchanged=self.was_exchanged(value),
        )  # fmt: skip

    def was_exchanged(self, *values: Value) -> bool:
        """Whether one of these numbers is what a rank has told the others."""
        return any(self.shared.get(x.id) == EACH for x in values)

    def condition(self, node: ast.expr) -> tuple[Condition, Deps]:
        """The truth of an expression, and on what it depends."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner, deps = self.condition(node.operand)
            return conditions.negated(inner), deps
        if isinstance(node, ast.BoolOp):
            return self._joint(node)
        value = self.eval(node)
        return self.truth(value, written(node)), self.of(value)

    def _joint(self, node: ast.BoolOp) -> tuple[Condition, Deps]:
        """``and`` and ``or``: what stands behind is only looked at where it decides."""
        is_and = isinstance(node.op, ast.And)
        found, deps = self.condition(node.values[0])
        for other in node.values[1:]:
            if found.kind == "const" and found.truth != is_and:
                return found, deps
            asked: list[tuple[Condition, Deps]] = []

            def rest(one: ast.expr = other, into: list[tuple[Condition, Deps]] = asked) -> bool:
                into.append(self.condition(one))
                return True

            text = written(node.values[0])
            if is_and:
                self.branch(found, deps, text, rest, lambda: True)
            else:
                self.branch(found, deps, text, lambda: True, rest)
            condition, more = asked[0]
            deps |= more
            join = conditions.both if is_and else conditions.either
            found = join(found, condition)
        return found, deps

    def of(self, *values: Value) -> Deps:
        """On what values depend, and what is in them."""
        found: Deps = NONE
        for value in values:
            found |= value.depends
            if isinstance(value, Obj) and value.kind != "object":
                for name in ("[]", "each"):
                    held = self.get((value.number, name))
                    if held is not None:
                        found |= held.depends
            elif isinstance(value, Obj):
                for _, held in self.parts(value.number):
                    inner = held.depends
                    if isinstance(held, Obj) and held.kind != "object":
                        inner = self.of(held)
                    found |= frozenset(d for d in inner if d.startswith(COUNT))
        return found

    # -- contents ---------------------------------------------------------------------------------

    def items(self, value: Value) -> tuple[Value, ...] | None:
        """What is in a list, tuple, set or the keys of a dict, where all of it is known."""
        if isinstance(value, Tup):
            return value.items
        if isinstance(value, Obj):
            held = self.get((value.number, "[]"))
            if isinstance(held, Tup):
                return held.items
            if value.kind == "object" and isinstance(value.cls, Class):
                return None
        if (
            isinstance(value, Const)
            and isinstance(value.value, str | bytes)
            and len(value.value) < 64
        ):
            return tuple(Const(x, value.deps) for x in value.value)
        if isinstance(value, Rows):
            rows = [self.items(b) for b in value.bases]
            if any(r is None for r in rows):
                return None
            if value.kind == "enumerate":
                return tuple(Tup((Const(i), x)) for i, x in enumerate(rows[0] or ()))
            return tuple(Tup(x) for x in zip(*(r or () for r in rows), strict=False))
        return None

    def sides(self, value: Value) -> Either | None:
        """A row that is one of several, each of them known: by which branch it is which."""
        held = self.get((value.number, "[]")) if isinstance(value, Obj) else value
        if not isinstance(held, Either):
            return None
        for side in (held.first, held.second):
            if self.items(side) is None and self.sides(side) is None:
                return None
        return held

    def each(self, value: Value) -> Value:
        """What stands for one element of *value*."""
        if isinstance(value, Rows):
            if value.kind == "enumerate":
                index = Unknown(named(f"index({value.bases[0].id})"))
                return Tup((index, self.each(value.bases[0])))
            return Tup(tuple(self.each(b) for b in value.bases))
        items = self.items(value)
        if items:
            return self.either_of(items)
        held = self.get((value.number, "each")) if isinstance(value, Obj) else None
        if held is not None:
            if isinstance(value, Obj) and value.kind == "set":
                order = frozenset((LOCAL + "the order of a set",))
                if isinstance(held, Unknown):
                    return Unknown(held.name, held.deps | order, held.path, held.base)
                if isinstance(held, Const) and isinstance(held.value, str):
                    return Unknown(named(f"each({value.id})"), held.deps | order, TEXT)
            return held
        return Unknown(
            named(f"each({value.id})"),
            frozenset(d for d in self.of(value) if not d.startswith(COUNT)),
        )

    def either_of(self, values: tuple[Value, ...]) -> Value:
        """One of several."""
        first = values[0]
        if len(values) == 1:
            return first
        paths = {getattr(v, "path", "") for v in values}
        path = paths.pop() if len(paths) == 1 else ""
        if isinstance(first, Obj | Function | Comm):
            others = [v for v in values if not same(v, first)]
            if not others or len(values) > 6:
                return first
            question = conditions.ask(named(f"which of {first.id} and {others[0].id}"))
            return Either(question, NONE, first, self.either_of(tuple(others)))
        return Unknown(named("one of " + ",".join(v.id for v in values)), depends(*values), path)

    def new(self, kind: str, site: str, items: tuple[Value, ...] | None) -> Obj:
        """A list, dict or set."""
        found = Obj(self.number(), None, self.label(site), kind)
        if items is not None:
            self.set((found.number, "[]"), Tup(items))
        return found

    def count_of(self, value: Value) -> Deps:
        """On what it depends how many there are; of a list, not how many there are in each."""
        rows = value.bases if isinstance(value, Rows) and value.kind == "zip" else (value,)
        if any(self.shared.get(row.id) == LEAST for row in rows):
            return NONE  # as many as the rank has that has fewest: all have so many
        if isinstance(value, Obj) and value.kind in ("list", "set"):
            held = self.get((value.number, "[]"))
            if held is not None:
                return counted(held.deps if isinstance(held, Tup) else held.depends)
        return counted(self.of(value))

    def shares(self, made: Value, *of: Value) -> Value:
        """*made*, which is the same number as *of*, in another form: as much is known of it."""
        known = {self.shared.get(x.id, "") for x in of} if of else {""}
        if len(known) == 1 and (word := known.pop()):
            self.shared[made.id] = word
        return made

    def blur(self, value: Obj, element: Value | None = None, more: Deps = NONE) -> None:
        """What is in it is not known any more; how much is added depends on *more*."""
        held = self.get((value.number, "each"))
        items = self.items(value)
        if element is None and items:
            element = self.either_of(items)
        inside = depends(*(x for x in (element, held) if x is not None), *(items or ()))
        deps = frozenset(d for d in inside if not d.startswith(COUNT))
        deps |= counting(more) - more
        old = self.get((value.number, "[]"))
        if isinstance(old, Unknown):
            deps |= old.deps
        deps |= counting(self.controlled()) - self.controlled()
        self.set((value.number, "[]"), Unknown(f"contents of {value.label}", deps))
        if self.whiles or differs(more) or any(c.differs for c in self.held):
            self.set((value.number, EVENED), Const(True))
        if element is not None and held is None:
            self.set((value.number, "each"), element)

    # -- expressions ------------------------------------------------------------------------------

    def eval(self, node: ast.AST) -> Value:
        """The value of any expression."""
        self.step()
        kind = type(node)
        method = self.table.get(kind)
        if method is None and kind not in self.table:
            method = self.table[kind] = getattr(self, "_" + kind.__name__, None)
        if method is None:
            return Unknown(self.site(node), depends(*(self.eval(x) for x in _parts(node))))
        value: Value = method(node)
        return value

    def site(self, node: ast.AST) -> str:
        """Where *node* stands, as a name."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        return f"{self.top.source.name}:{line}:{column}"

    def _Constant(self, node: ast.Constant) -> Value:
        return Const(node.value)

    def _Name(self, node: ast.Name) -> Value:
        found = self.lookup(node.id)
        if isinstance(found, Request):
            self.awaited.update(found.numbers)  # whoever has it may wait for it
        return found

    #: what was begun, and is waited for or asked for somewhere
    awaited: set[int]

    def _NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.eval(node.value)
        self.assign(node.target, value)
        return value

    def _Await(self, node: ast.Await) -> Value:
        return self.eval(node.value)

    def _Starred(self, node: ast.Starred) -> Value:
        return self.eval(node.value)

    def _Tuple(self, node: ast.Tuple) -> Value:
        return Tup(self.row(node.elts) or ())

    def _List(self, node: ast.List) -> Value:
        return self.new("list", self.site(node), self.row(node.elts))

    def _Set(self, node: ast.Set) -> Value:
        return self.new("set", self.site(node), self.row(node.elts))

    def row(self, nodes: list[ast.expr]) -> tuple[Value, ...] | None:
        """The values of several expressions, of which some may be rows themselves."""
        found: list[Value] = []
        known = True
        for node in nodes:
            value = self.eval(node)
            if isinstance(node, ast.Starred):
                items = self.items(value)
                known &= items is not None
                found.extend(items if items is not None else (value,))
            else:
                found.append(value)
        return tuple(found) if known else None

    def _Dict(self, node: ast.Dict) -> Value:
        found = Obj(self.number(), None, self.label(self.site(node)), "dict")
        keys: list[Value] = []
        known = True
        for key, value in zip(node.keys, node.values, strict=True):
            held = self.eval(value)
            if key is None:
                known = False
                continue
            at = self.eval(key)
            keys.append(at)
            self.set((found.number, slot(at)), held)
        self.set((found.number, "[]"), Tup(tuple(keys)) if known else Unknown(found.label))
        return found

    def _JoinedStr(self, node: ast.JoinedStr) -> Value:
        parts = [
            self.eval(p.value) if isinstance(p, ast.FormattedValue) else self.eval(p)
            for p in node.values
        ]
        if all(isinstance(p, Const) for p in parts):
            text = "".join(str(p.value) for p in parts if isinstance(p, Const))
            return Const(text, depends(*parts), named("f(" + ",".join(p.id for p in parts) + ")"))
        return Unknown(named("f(" + ",".join(p.id for p in parts) + ")"), depends(*parts))

    def _IfExp(self, node: ast.IfExp) -> Value:
        condition, deps = self.condition(node.test)
        return self.choose(
            condition, deps, written(node.test),
            lambda: self.eval(node.body), lambda: self.eval(node.orelse),
        )  # fmt: skip

    def _BoolOp(self, node: ast.BoolOp) -> Value:
        if all(_tests(v) for v in node.values):
            condition, deps = self._joint(node)
            return self._as_truth(condition, deps, named(f"({written(node)})"))
        value = self.eval(node.values[0])
        is_and = isinstance(node.op, ast.And)
        for other in node.values[1:]:
            condition, deps = self.truth(value, written(node.values[0])), value.depends
            before = value
            text = written(node.values[0])

            def rest(node: ast.expr = other) -> Value:
                return self.eval(node)

            def stay(kept: Value = before) -> Value:
                return kept

            if is_and:
                value = self.choose(condition, deps, text, rest, stay)
            else:
                value = self.choose(condition, deps, text, stay, rest)
            if isinstance(value, Either):
                value = Truth(self.truth(value), value.depends) if _logical(value) else value
            elif deps and isinstance(value, Const):
                value = Const(value.value, value.deps | deps, value.name or named(f"({text})"))
        return value

    def _UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            value = self.eval(node.operand)
            if isinstance(value, Const):
                return computed(operator.not_, (value,), named(f"not({value.id})"))
            return Truth(
                conditions.negated(self.truth(value, written(node.operand))), value.depends
            )
        value = self.eval(node.operand)
        if isinstance(value, Const) and isinstance(value.value, int | float):
            made: dict[type, Callable[[Any], Any]] = {
                ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert
            }  # fmt: skip
            try:
                return computed(made[type(node.op)], (value,), named(f"-({value.id})"))
            except TypeError:
                return Unknown(named(f"-({value.id})"), value.depends)
        return Unknown(named(f"-({value.id})"), value.depends)

    def _BinOp(self, node: ast.BinOp) -> Value:
        return self.binary(
            type(node.op), self.eval(node.left), self.eval(node.right), self.site(node)
        )

    def binary(self, kind: type, left: Value, right: Value, site: str) -> Value:
        """``left + right`` and their like."""
        deps = left.depends | right.depends
        name = named(f"{kind.__name__}({left.id},{right.id})")
        known = isinstance(left, Const) and isinstance(right, Const) and _small(kind, left, right)
        if known and not (_large(left) or _large(right)):
            try:
                return computed(_BINARY[kind], (left, right), name)  # type: ignore[arg-type]
            except (ArithmeticError, TypeError, ValueError, MemoryError):
                pass
        for one, other, flip in ((left, right, False), (right, left, True)):
            if isinstance(one, Either) and not isinstance(other, Either):
                pair = [
                    self.binary(kind, *((other, x) if flip else (x, other)), site)
                    for x in (one.first, one.second)
                ]
                return self.joined(one.condition, one.deps, pair[0], pair[1])
        moved = _moved(kind, left, right, name)
        if moved is not None:
            return moved
        ours, theirs = self.items(left), self.items(right)
        rows = isinstance(left, Tup | Obj) and ours is not None
        if kind is ast.Add and rows and isinstance(right, Tup | Obj) and theirs is not None:
            both = (*(ours or ()), *theirs)
            return Tup(both) if isinstance(left, Tup) else self.new("list", site, both)
        if kind in SETS and (_is_set(left) or _is_set(right)):
            return self.of_sets(kind, left, (right,), site)
        if kind is ast.Mult and rows and isinstance(right, Const) and isinstance(right.value, int):
            many = (ours or ()) * min(max(right.value, 0), _WIDE)
            if len(many) <= _WIDE:
                return Tup(many) if isinstance(left, Tup) else self.new("list", site, many)
        if kind is ast.Mult and isinstance(left, Tup | Obj):
            return Unknown(name, deps | counting(right.depends))
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Sized) and isinstance(other, Const):
                return Sized(name, deps, "", None, one.shape)
        of = self.known.renamed(left.path) if isinstance(left, Unknown) and left.path else ""
        return Unknown(name, deps, of if (of, kind.__name__) in self.known.operators else "")

    def held_each(self, value: Value) -> Value | None:
        """What is known of each element of a row, or of each key of a dictionary."""
        if not isinstance(value, Obj) or value.kind == "object":
            return None
        return self.get((value.number, EACH_KEY if value.kind == "dict" else "each"))

    def set_of(self, site: str, each: Value | None, *sources: Value) -> Value:
        """A set of which only is known what is in it."""
        made = self.new("set", site, None)
        self.set((made.number, "[]"), Unknown(made.label, self.of(*sources)))
        if each is not None:
            self.set((made.number, "each"), each)
        return made

    def of_sets(self, kind: type, first: Value, others: tuple[Value, ...], site: str) -> Value:
        """A set that is made of others: what is in it, where that is known of all of them."""
        rows = [self.items(x) for x in (first, *others)]
        known = [{x.id: x for x in row} for row in rows if row is not None]
        named_alike = kind is ast.BitOr or all(
            isinstance(x, Const) for r in known for x in r.values()
        )
        if len(known) < len(rows) or not named_alike:
            kinds = [self.held_each(x) for x in (first, *others)]
            return self.set_of(site, next((k for k in kinds if k), None), first, *others)
        found = known[0]
        for more in known[1:]:
            kept = {k: v for k, v in found.items() if SETS[kind](k in found, k in more)}
            found = {**kept, **{k: v for k, v in more.items() if SETS[kind](k in found, True)}}
        return self.new("set", site, tuple(found.values()))

    def _Compare(self, node: ast.Compare) -> Value:
        left = self.eval(node.left)
        found: Value | None = None
        for op, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.eval(right_node)
            value = self.compare(type(op), left, right, written(node))
            if getattr(node, "fills", False) and isinstance(value, Truth):
                value = _filled_alike(value, left)
            if found is None:
                found = value
            else:
                both = conditions.both(self.truth(found), self.truth(value))
                deps = found.depends | value.depends
                found = self._as_truth(both, deps, named(f"({found.id}&{value.id})"))
            left = right
        assert found is not None
        return found

    def _as_truth(self, condition: Condition, deps: Deps, name: str) -> Value:
        if condition.kind == "const":
            return Const(condition.truth, deps, name)
        return Truth(condition, deps)

    def compare(self, kind: type, left: Value, right: Value, text: str) -> Value:
        """``left == right`` and its like."""
        deps = left.depends | right.depends
        for one, other, flip in ((left, right, False), (right, left, True)):
            if isinstance(one, Either):
                pair = [
                    self.compare(kind, *((other, x) if flip else (x, other)), text)
                    for x in (one.first, one.second)
                ]
                ours = conditions.both(one.condition, self.truth(pair[0]))
                theirs = conditions.both(conditions.negated(one.condition), self.truth(pair[1]))
                return self._as_truth(conditions.either(ours, theirs), deps, text)
        if kind in (ast.NotEq, ast.IsNot, ast.NotIn):
            opposite = {ast.NotEq: ast.Eq, ast.IsNot: ast.Is, ast.NotIn: ast.In}[kind]
            found = self.compare(opposite, left, right, text)
            name = named(f"not({found.id})")
            if isinstance(found, Const):
                return computed(operator.not_, (found,), name)
            return Truth(conditions.negated(self.truth(found)), found.depends)
        if kind is ast.In:
            return self._contains(left, right, deps, text)
        if kind in (ast.Is, ast.Eq):
            if isinstance(left, Const) and isinstance(right, Const):
                names = sorted((left.id, right.id))
                return computed(_equals, (left, right), named(f"eq({names[0]},{names[1]})"))
            for one, other in ((left, right), (right, left)):
                if isinstance(one, Tested) and isinstance(other, Const) and other.value in (0, 1):
                    asked_for = self.truth(one, text)
                    return Truth(asked_for if other.value else conditions.negated(asked_for), deps)
            known = self._equal(left, right)
            if known is not None:
                names = sorted((left.id, right.id))
                return Const(known, deps, named(f"eq({names[0]},{names[1]})"))
            names = sorted((left.id, right.id))
            asked = Comm
            for one, other in ((left, right), (right, left)):
                if isinstance(one, asked) and one.asked is not None and _nothing(other):
                    return Truth(conditions.negated(one.asked), deps)
            key = named(f"eq({names[0]},{names[1]})")
            for one, other in ((left, right), (right, left)):
                if _nothing(one) and isinstance(other, Unknown) and _is_part(other):
                    # Whether there is a part at all is no matter of what is in it.
                    own = self.parts_chosen and other.name.endswith(_GRADIENT)
                    deps = frozenset((LOCAL + _GRADIENTS,)) if own else NONE
                elif self._is_empty(one) and isinstance(other, Unknown):
                    deps = counted(deps)  # nor is whether there are any
            for one, other in ((left, right), (right, left)):
                if _is_rank(one) and isinstance(other, Unknown) and not other.deps:
                    # Of all ranks one at most is what nobody knows: the question is who.
                    number: int = one.value  # type: ignore[attr-defined]
                    return Truth(conditions.pin(other.id, number, text), deps)
            told = ("Eq", left, right) if _is_message(left, right) else None
            exchanged = self.was_exchanged(left, right)
            asked_for = conditions.ask(key, differs(deps), text, told, exchanged=exchanged)
            return Truth(asked_for, deps)
        name = f"{kind.__name__}({left.id},{right.id})"
        if isinstance(left, Const) and isinstance(right, Const):
            try:
                return computed(_ORDER[kind], (left, right), named(name))
            except TypeError:
                pass
        if kind in (ast.Gt, ast.GtE):
            left, right = right, left
        strict = kind in (ast.Lt, ast.Gt)
        pair_of = (left, right) if strict else (right, left)
        key = named(f"lt({pair_of[0].id},{pair_of[1].id})")
        told = ("Lt", *pair_of) if _is_message(left, right) else None
        exchanged = self.was_exchanged(left, right)
        condition = conditions.ask(key, differs(deps), text, told, exchanged=exchanged)
        return Truth(condition if strict else conditions.negated(condition), deps)

    def _is_empty(self, value: Value) -> bool:
        """Whether it is a list, a dictionary or the like that has nothing in it."""
        if isinstance(value, Obj) and value.kind == "object":
            return False
        return isinstance(value, Obj | Tup) and self.items(value) == ()

    def _equal(self, left: Value, right: Value) -> bool | None:
        if isinstance(left, Const) and isinstance(right, Const):
            try:
                return bool(left.value == right.value)
            except (TypeError, ValueError):
                return None
        if isinstance(left, Comm) and isinstance(right, Comm):
            if left.asked is None and right.asked is None:
                return left.name == right.name or (left.members == () and right.members == ())
            return None
        ours, theirs = self.items(left), self.items(right)
        if (
            isinstance(left, Tup | Obj)
            and isinstance(right, Tup | Obj)
            and ours is not None
            and theirs is not None
        ):
            if len(ours) != len(theirs):
                return False
            equal = [self._equal(a, b) for a, b in zip(ours, theirs, strict=True)]
            return None if None in equal else all(equal)
        if isinstance(left, Obj) and isinstance(right, Obj):
            return True if left.number == right.number else None
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Const) and one.value is None:
                if isinstance(other, Comm):
                    return other.members == () if other.asked is None else None
                if isinstance(
                    other, Obj | Function | Class | Module | Tup | Truth | Rows | Request
                ):
                    return False
        if isinstance(left, Class | Function | Module) and type(left) is type(right):
            return left.id == right.id
        return None

    def _contains(self, left: Value, right: Value, deps: Deps, text: str) -> Value:
        name = named(f"in({left.id},{right.id})")
        if isinstance(left, Const) and isinstance(right, Const) and isinstance(right.value, str):
            return Const(str(left.value) in right.value, deps, name)
        part = left.value if isinstance(left, Const) else None
        path = right.path if isinstance(right, Unknown) else ""
        if part is not None and path and self.told(f"{path}[{part}]", right) is not None:
            return Const(True, deps, name)
        items = self.items(right)
        if items is not None:
            equal = [self._equal(left, x) for x in items]
            if isinstance(left, Const) and all(isinstance(x, Const) for x in items):
                held = tuple(x.value for x in items if isinstance(x, Const))
                inner = depends(*items)
                if not inner:
                    return computed(lambda x: x in held, (left,), name)
            if True in equal:
                return Const(True, deps | depends(*items), name)
            if None not in equal:
                return Const(False, deps | depends(*items), name)
        if isinstance(left, Const) and isinstance(left.value, str) and not left.deps:
            deps = NONE  # which parts something has by name is no matter of what is in them
        return Truth(conditions.ask(name, differs(deps), text), deps)

    # -- subscripts -------------------------------------------------------------------------------

    def _Subscript(self, node: ast.Subscript) -> Value:
        base = self.eval(node.value)
        if isinstance(node.slice, ast.Slice):
            return self._sliced(base, node.slice, self.site(node))
        return self.element(base, self.eval(node.slice))

    def element(self, base: Value, index: Value) -> Value:
        """``base[index]``."""
        if isinstance(base, Either):
            return self.joined(
                base.condition, base.deps,
                self.element(base.first, index), self.element(base.second, index),
            )  # fmt: skip
        if isinstance(base, Obj) and base.kind in ("dict", "object"):
            held = self.get((base.number, slot(index)))
            if held is not None:
                return self._picked(held, index, base)
            if isinstance(base.cls, Class) and base.kind == "object":
                found = self.member(base, "__getitem__")
                if isinstance(found, Function):
                    return self.call(found, [index], {}, None)
            held = self.any_element(base, index)
            return (
                held
                if held is not None
                else Unknown(named(f"{base.id}[{index.id}]"), base.depends | index.depends)
            )
        if isinstance(base, Received):
            return _element_of(base, index)
        found_in = self.slice_of(base, index) if isinstance(base, Comm) else None
        if found_in is not None:
            return found_in
        items = self.items(base)
        at = index.value if isinstance(index, Const) else None
        if items is not None and isinstance(at, int) and -len(items) <= at < len(items):
            return self._picked(items[at], index, base)
        if isinstance(base, Obj):
            held = self.get((base.number, slot(index)))
            if held is not None:
                return held
            held = self.any_element(base, index)
            if held is not None and items is None:
                return held
        path = ""
        if isinstance(base, Unknown) and base.path:
            text = str(index.value) if isinstance(index, Const) else "*"
            path = f"{base.path}[{text}]"
            told = self.told(path, base)
            if told is not None:
                return told
        if items:
            return Unknown(named(f"{base.id}[{index.id}]"), depends(index, *items))
        deps = self.of(base) | counting(index.depends)
        if isinstance(index, Truth) or (
            isinstance(index, Unknown) and index.name.endswith(".bool()")
        ):
            deps |= {COUNT + LOCAL + _MASKED}
            if differs(self.of(base, index)):
                many = Unknown(named(f"count({index.id})"), frozenset((LOCAL + _MASKED,)))
                return Sized(named(f"{base.id}[{index.id}]"), deps, path, base, (many,))
        return self.shares(Unknown(named(f"{base.id}[{index.id}]"), deps, path, base), base)

    def slice_of(self, mesh: Value, index: Value | None) -> Comm | None:
        raise NotImplementedError

    def any_element(self, base: Obj, index: Value) -> Value | None:
        """What is known of all elements of an object, as of this one; None where nothing is."""
        held = self.get((base.number, "each"))
        order = frozenset(d for d in index.depends if d.startswith(ORDER))
        if order and isinstance(held, Const | Unknown):
            return Unknown(named(f"{base.id}[{index.id}]"), held.depends | order)
        return _element_of(held, index) if isinstance(held, Received) else held

    def _picked(self, value: Value, index: Value, base: Value) -> Value:
        if not differs(index.depends):
            return value
        name = named(f"{base.id}[{index.id}]")
        if isinstance(value, Const):
            return Const(value.value, value.deps | index.depends, name)
        if isinstance(value, Unknown):
            return self.shares(Unknown(name, value.deps | index.depends, value.path), value)
        return value

    def _sliced(self, base: Value, part: ast.Slice, site: str) -> Value:
        bounds = [
            self.eval(x) if x is not None else NO_VALUE for x in (part.lower, part.upper, part.step)
        ]
        items = self.items(base)
        if items is not None and all(isinstance(b, Const) for b in bounds):
            numbers = [b.value for b in bounds if isinstance(b, Const)]
            try:
                chosen = items[slice(*numbers)]
                deps = depends(*bounds)
            except (TypeError, ValueError):
                return Unknown(site, base.depends)
            if isinstance(base, Const):
                return Const(
                    "".join(str(x.value) for x in chosen if isinstance(x, Const)),
                    base.deps | depends(*bounds),
                    named(f"{base.id}[{bounds[0].id}:{bounds[1].id}]"),
                )
            if isinstance(base, Tup):
                return Tup(chosen, deps)
            made = self.new("list", site, chosen)
            if deps:
                self.set((made.number, "[]"), Tup(chosen, deps))
            return made
        names = ":".join(b.id for b in bounds)
        deps = depends(*bounds)
        name = named(f"{base.id}[{names}]")
        if differs(deps) and not _even(bounds):
            many = Unknown(named(f"count({name})"), deps)
            return Sized(name, self.of(base) | counting(deps), "", None, (many,))
        return Unknown(name, self.of(base) | deps)

    # -- functions and comprehensions -------------------------------------------------------------

    def _Lambda(self, node: ast.Lambda) -> Value:
        return Function(node, self.top.source, "lambda", self.top, owner=self.top.owner)

    def _ListComp(self, node: ast.ListComp) -> Value:
        return self._comprehension(node, node.elt, node.generators, "list")

    def _SetComp(self, node: ast.SetComp) -> Value:
        return self._comprehension(node, node.elt, node.generators, "set")

    def _GeneratorExp(self, node: ast.GeneratorExp) -> Value:
        return self._comprehension(node, node.elt, node.generators, "list")

    def _DictComp(self, node: ast.DictComp) -> Value:
        found = self._comprehension(
            node, ast.Tuple([node.key, node.value], ast.Load(), lineno=node.lineno, col_offset=0),
            node.generators, "list",
        )  # fmt: skip
        items = self.items(found)
        made = Obj(self.number(), None, self.label(self.site(node)), "dict")
        if items is None or not all(isinstance(x, Tup) and len(x.items) == 2 for x in items):
            each = self.get((found.number, "each")) if isinstance(found, Obj) else None
            if isinstance(each, Tup) and len(each.items) == 2:
                self.set((made.number, "each"), each.items[1])
            self.set((made.number, "[]"), Unknown(made.label, found.depends))
            return made
        for pair in items:
            assert isinstance(pair, Tup)
            self.set((made.number, slot(pair.items[0])), pair.items[1])
        self.set((made.number, "[]"), Tup(tuple(x.items[0] for x in items if isinstance(x, Tup))))
        return made

    def _comprehension(
        self, node: ast.AST, element: ast.expr, generators: list[ast.comprehension], kind: str
    ) -> Value:
        found = self.new(kind, self.site(node), ())
        label = self.construct()

        def rest(at: int) -> bool:
            if at == len(generators):
                value = self.eval(element)
                self.append(found, value)
                return True
            made = generators[at]

            def body() -> bool:
                def tests(left: list[ast.expr]) -> bool:
                    if not left:
                        return rest(at + 1)
                    condition, deps = self.condition(left[0])
                    return self.branch(
                        condition, deps, written(left[0]), lambda: tests(left[1:]), lambda: True
                    )

                return tests(made.ifs)

            return self.iterate(node, made.target, self.eval(made.iter), body, None)

        rest(0)
        self.arrive(label, True)
        return found

    def append(self, found: Obj, value: Value) -> None:
        """One more in a list."""
        held = self.get((found.number, "[]"))
        if self.abstract(found) or any(c.differs for c in self.held):
            self.blur(found, value)
        elif isinstance(held, Either) and self.sides(held) is not None:
            self.set((found.number, "[]"), self._with_one_more(held, value))
        else:
            items = self.items(found)
            if items is not None and len(items) < _WIDE:
                self.set((found.number, "[]"), Tup((*items, value)))
            else:
                self.blur(found, value)

    def _with_one_more(self, row: Value, value: Value) -> Value:
        """A row, on each side of the branches that it depends on, with one more in it."""
        if isinstance(row, Either):
            return Either(
                row.condition, row.deps,
                self._with_one_more(row.first, value), self._with_one_more(row.second, value),
            )  # fmt: skip
        return Tup((*(self.items(row) or ()), value))

    def extend(self, found: Obj, value: Value) -> None:
        """Those of a row more in a list."""
        items, more = self.items(found), self.items(value)
        if items is not None and more is not None and not self.abstract(found):
            self.set((found.number, "[]"), Tup((*items, *more)))
        else:
            self.blur(found, self.each(value), self.count_of(value))

    def abstract(self, row: Obj | None = None) -> bool:
        """Whether what happens here stands for several rounds.

        To a *row* that is made in each round anew it happens once.
        """
        return bool(self.loops) and (row is None or row.number < self.loops[-1][0])

    def _Yield(self, node: ast.Yield) -> Value:
        value = self.eval(node.value) if node.value is not None else NO_VALUE
        if self.top.on_yield is not None:
            self.top.on_yield(value)
        elif self.top.yielded is not None:
            self.append(self.top.yielded, value)
        return Unknown(self.site(node))

    def _YieldFrom(self, node: ast.YieldFrom) -> Value:
        value = self.eval(node.value)
        if self.top.on_yield is not None:
            target = ast.Name(f" {node.lineno}", ast.Store())
            act = self.top.on_yield
            self.iterate(node, target, value, lambda: act(self.lookup(target.id)), None)
        elif self.top.yielded is not None:
            self.extend(self.top.yielded, value)
        return Unknown(self.site(node))

    # -- what other modules add -------------------------------------------------------------------

    def lookup(self, name: str) -> Value:
        raise NotImplementedError

    def assign(self, target: ast.AST, value: Value) -> None:
        raise NotImplementedError

    def member(self, base: Value, name: str) -> Value:
        raise NotImplementedError

    def call(
        self, what: Value, args: list[Value], named_args: dict[str, Value], node: ast.Call | None
    ) -> Value:
        raise NotImplementedError

    def told(self, path: str, base: Value | None) -> Value | None:
        raise NotImplementedError

    def iterate(
        self, node: ast.AST, target: ast.AST, value: Value, body: Callable[[], bool],
        orelse: Callable[[], bool] | None,
    ) -> bool:  # fmt: skip
        raise NotImplementedError

    def scoped(self, label: int, run: Callable[[], bool]) -> bool:
        """Run what can be left by its label."""
        outer, self.out = self.out, []
        self.open()
        alive = False
        try:
            alive = run()
        finally:
            done = self.close()
            if alive:
                self.keep(done)
            inner, self.out = self.out, outer
            if matters(inner) or raises(inner):
                item = Scope(label, inner)
                if matters([item]) or raises(inner):
                    self.out.append(item)
        return self.arrive(label, alive)


def _element_of(message: Received, index: Value) -> Value:
    """An element of what another rank sends."""
    if message.part in ("data", "index") and isinstance(index, Const):
        part = f"{message.part}[{index.value!r}]"
        name = named(f"{message.id}[{index.value!r}]")
        return Received(name, message.deps, "", message, message.receipt, part)
    return Unknown(named(f"{message.id}[{index.id}]"), message.deps | index.depends)


def _moved(kind: type, left: Value, right: Value, name: str) -> Received | None:
    """A number that a message says, and a known one added to it or taken from it."""
    if kind is ast.Add and isinstance(left, Const):
        left, right = right, left
    if kind not in (ast.Add, ast.Sub) or not isinstance(left, Received) or left.part == "":
        return None
    known = isinstance(right, Const) and type(right.value) is int and not right.deps
    if not known or not isinstance(right, Const):
        return None
    plus = left.plus + (right.value if kind is ast.Add else -right.value)
    return msgspec.structs.replace(left, name=name, base=None, plus=plus)


def _is_message(left: Value, right: Value) -> bool:
    """Whether one side is what another rank sends."""
    return isinstance(left, Received) or isinstance(right, Received)


def _even(bounds: list[Value]) -> bool:
    """Whether a slice has as many elements on each rank, though its bounds differ."""
    lower, upper, step = bounds
    if differs(lower.depends) and differs(upper.depends):
        return True  # a block of its own for each rank
    # Every n-th of a multiple of n.
    return upper.id.startswith("Mult(FloorDiv(") and upper.id.endswith(f",{step.id}),{step.id})")


def place_of(name: str) -> int | None:
    """The number of an element, by its name in the store; None where it is none, or not known."""
    number = name[1:-1]
    return int(number) if name.startswith("[") and number.isdigit() else None


def slot(index: Value) -> str:
    """The name of an element in the store."""
    if not isinstance(index, Const):
        return f"[{index.id}]"
    value = int(index.value) if isinstance(index.value, bool) else index.value
    return f"[{value!r}]"


def _tests(node: ast.expr) -> bool:
    """Whether an expression is true or false, and nothing else."""
    if isinstance(node, ast.BoolOp):
        return all(_tests(v) for v in node.values)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare)


def _is_set(value: Value) -> bool:
    return isinstance(value, Obj) and value.kind == "set"


def _logical(value: Either) -> bool:
    return all(
        isinstance(x, Truth) or (isinstance(x, Const) and isinstance(x.value, bool))
        for x in (value.first, value.second)
    )


def _is_part(value: Unknown) -> bool:
    """Whether it is a member or an element of something, and not what a call or a branch gave."""
    if value.base is not None and value.name.endswith(")"):
        return isinstance(value.base, Unknown) and value.base.name.endswith(".get")
    return value.base is not None and value.name[:1] not in "~("


def mark_fills(function: ast.AST) -> None:
    """Mark questions whether something has a key that *function* puts in by that very name."""
    if getattr(function, "filling", False):
        return
    function.filling = True  # type: ignore[attr-defined]
    asked = [
        n
        for n in ast.walk(function)
        if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.In | ast.NotIn)
    ]
    if not asked:
        return
    put = {
        (ast.dump(n.value), ast.dump(n.slice))
        for n in ast.walk(function)
        if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Store)
    }
    for node in asked:
        node.fills = (ast.dump(node.comparators[0]), ast.dump(node.left)) in put  # type: ignore[attr-defined]


def _filled_alike(value: Truth, key: Value) -> Truth:
    """What is kept by the rank, or the ranks of a group: all of them have it by now, or none.

    That holds where the function that asks puts it there itself. What is kept by data of a rank's
    own is there on some ranks, and not on others.
    """
    if not all(map(of_rank, key.depends)):
        return value
    return Truth(_alike(value.condition), NONE)


def _alike(condition: Condition) -> Condition:
    if condition.kind == "not":
        return conditions.negated(_alike(condition.parts[0]))
    if condition.kind == "ask":
        return conditions.ask(condition.key, False, condition.written)
    return condition


def _equals(first: Any, second: Any) -> bool:
    return bool(first == second)


def _is_rank(value: Value) -> bool:
    """Whether a number is another one on each rank."""
    if not isinstance(value, Const) or value.ranks is None or not isinstance(value.value, int):
        return False
    return len(set(value.ranks)) == len(value.ranks)


def _nothing(value: Value) -> bool:
    return (isinstance(value, Const) and value.value is None) or (
        isinstance(value, Comm) and value.members == () and value.asked is None
    )


def _small(kind: type, left: Const, right: Const) -> bool:
    """Whether what comes of two constants is not too large to be computed."""
    by = right.value
    if kind in (ast.Pow, ast.LShift):
        return isinstance(by, int | float) and abs(by) <= _BITS and not isinstance(left.value, str)
    if kind is ast.Mult:
        for text, times in ((left.value, by), (by, left.value)):
            if isinstance(text, str | bytes):
                return isinstance(times, int) and len(text) * max(times, 0) <= _WIDE
    return True


def _large(of: Value) -> bool:
    value = of.value if isinstance(of, Const) else None
    if isinstance(value, int | float):
        return not -_LARGE < value < _LARGE
    return isinstance(value, str | bytes) and len(value) > _WIDE


def _parts(node: ast.AST) -> list[ast.expr]:
    return [x for x in ast.iter_child_nodes(node) if isinstance(x, ast.expr)]


__all__ = ["MISSING", "NONE", "NO_VALUE", "Expressions", "Key", "Pointer", "Super", "written"]
