"""Functions that answer a question about what they are handed, and do nothing else.

``bool is_list() const { return tag == LIST; }``: who branches by what such a function returns
branches by the member.  Asked by such names or by the member itself, it is one question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

_TRUE, _FALSE = frozenset(("true", "1")), frozenset(("false", "0"))


class Predicates:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        #: By function; None for one that is no predicate, and while it is being read.
        self._known: dict[str, f.Value | None] = {}

    def of(self, function: str) -> f.Value | None:
        """What *function* asks, by its parameters and its object; None where it does more."""
        if function not in self._known:
            self._known[function] = None  # meanwhile, where it calls itself
            body = self._program.functions.get(function)
            self._known[function] = self._read(body) if body is not None else None
        return self._known[function]

    def at(self, call: f.Call, function: str) -> f.Value | None:
        """What a *call* of *function* asks, in the caller's terms."""
        asked = self.of(function)
        if asked is None or not isinstance(call.target, f.Fn):
            return None
        params = self._program.functions[function].params
        if len(params) != len(call.args):
            return None
        given = dict(zip(params, call.args, strict=True))
        return _replaced(asked, given, call.target.base)

    def _read(self, function: f.Function) -> f.Value | None:
        if function.parent:
            return None  # a lambda's ``this`` is another function's
        results: dict[int, f.Value] = {}
        return self._asked(function, function.body.body, results)

    def _asked(
        self, function: f.Function, body: Sequence[f.Stmt], results: dict[int, f.Value]
    ) -> f.Value | None:
        """What the statements *body* return; None where one of them does something."""
        for at, statement in enumerate(body):
            if isinstance(statement, f.Return):
                return self._condition(function, statement.value, results)
            if isinstance(statement, f.Call) or _is_part(statement):
                if not self._evaluated(function, statement, results):
                    return None
            elif isinstance(statement, f.If):
                then = self._asked(function, statement.then.body, results)
                last = statement.orelse.body if statement.orelse is not None else body[at + 1 :]
                orelse = self._asked(function, last, results)
                condition = self._condition(function, statement.cond, results)
                return _either_way(condition, then, orelse)
            elif isinstance(statement, f.EndTemporaries):
                if not all(-1 - made in results for made in statement.made):
                    return None
            elif isinstance(statement, f.Block):
                return self._asked(function, (*statement.body, *body[at + 1 :]), results)
            else:
                return None
        return None

    def _evaluated(
        self, function: f.Function, statement: f.Stmt, results: dict[int, f.Value]
    ) -> bool:
        """Whether calls that are parts of a condition only ask something, and what they ask."""
        if isinstance(statement, f.If):
            return all(self._evaluated(function, each, results) for each in statement.then.body)
        inner = self._called(function, statement) if isinstance(statement, f.Call) else None
        if inner is None or not isinstance(statement, f.Call):
            return False
        results[statement.id] = inner
        return True

    def _called(self, function: f.Function, call: f.Call) -> f.Value | None:
        """What a call in a predicate asks, if that is one as well."""
        if call.virtual or not isinstance(call.target, f.Fn):
            return None
        bodies = self._program.body_of(call.target.usr)
        if not bodies and not call.args:
            asked = asked_by(self._program, call.target)
            of = asked.value if isinstance(asked, f.Not) else asked
            return asked if of is not None and _is_handed(function, of) else None
        return self.at(call, bodies[0]) if len(bodies) == 1 else None

    def _condition(
        self, function: f.Function, value: f.Value | None, results: Mapping[int, f.Value]
    ) -> f.Value | None:
        """*value* with what its calls ask; None where it is no question about what is handed in."""
        if isinstance(value, f.Result):
            return results.get(value.call)
        if isinstance(value, f.Not):
            inner = self._condition(function, value.value, results)
            return f.Not(inner) if inner is not None else None
        if isinstance(value, f.Both):
            sides = [self._condition(function, v, results) for v in (value.left, value.right)]
            if sides[0] is None or sides[1] is None:
                return None
            return f.Both(sides[0], sides[1], value.either)
        if isinstance(value, f.Compare | f.Less):
            left = self._operand(function, value.left, results)
            right = self._operand(function, value.right, results)
            if left is None or right is None:
                return None
            if isinstance(value, f.Less):
                return f.Less(left, right)
            return f.Compare(left, right, value.equal)
        return self._operand(function, value, results)

    def _operand(
        self, function: f.Function, value: f.Value | None, results: Mapping[int, f.Value]
    ) -> f.Value | None:
        if isinstance(value, f.Result):
            return results.get(value.call)
        if isinstance(value, f.Lit):
            return value
        return value if value is not None and _is_handed(function, value) else None


def _is_part(statement: f.Stmt) -> bool:
    """Whether a branch only evaluates the right side of ``a && b()``, which comes after it."""
    return (
        isinstance(statement, f.If)
        and statement.orelse is None
        and all(isinstance(each, f.Call) or _is_part(each) for each in statement.then.body)
    )


def _is_handed(function: f.Function, value: f.Value) -> bool:
    """Whether *value* is a parameter, the object, or a member of one."""
    while isinstance(value, f.Field):
        value = value.base
    return isinstance(value, f.This) or (isinstance(value, f.Var) and value.usr in function.params)


def _either_way(
    condition: f.Value | None, then: f.Value | None, orelse: f.Value | None
) -> f.Value | None:
    """What ``condition ? then : orelse`` asks, where one of both is a constant."""
    if condition is None or then is None or orelse is None:
        return None
    if isinstance(then, f.Lit):
        if then.text in _TRUE:
            return condition if _is_no(orelse) else f.Both(condition, orelse, True)
        if then.text in _FALSE:
            other = f.Not(condition)
            return other if _is_yes(orelse) else f.Both(other, orelse)
    if isinstance(orelse, f.Lit):
        if orelse.text in _FALSE:
            return f.Both(condition, then)
        if orelse.text in _TRUE:
            return f.Both(f.Not(condition), then, True)
    return None


def _is_yes(value: f.Value) -> bool:
    return isinstance(value, f.Lit) and value.text in _TRUE


def _is_no(value: f.Value) -> bool:
    return isinstance(value, f.Lit) and value.text in _FALSE


def _replaced(value: f.Value, given: Mapping[str, f.Value], this: f.Value | None) -> f.Value | None:
    """*value* with the arguments for the parameters, and with the object of the call."""
    if isinstance(value, f.This):
        return this
    if isinstance(value, f.Var):
        return given.get(value.usr, value)
    if isinstance(value, f.Field):
        base = _replaced(value.base, given, this)
        return f.Field(base, value.usr) if base is not None else None
    if isinstance(value, f.Not):
        inner = _replaced(value.value, given, this)
        return f.Not(inner) if inner is not None else None
    if isinstance(value, f.Both | f.Compare | f.Less):
        left, right = _replaced(value.left, given, this), _replaced(value.right, given, this)
        if left is None or right is None:
            return None
        if isinstance(value, f.Both):
            return f.Both(left, right, value.either)
        return (
            f.Less(left, right)
            if isinstance(value, f.Less)
            else f.Compare(left, right, value.equal)
        )
    return value


# -- what a library's methods ask -----------------------------------------------------------------


def asked_by(program: Program, method: f.Fn) -> f.Value | None:
    """What a method asks that says whether its object has anything, by the object itself.

    That is a smart pointer, an optional, a container, a future, ...
    """
    cls, _, name = program.name_of(method.usr).rpartition("::")
    k = program.knowledge
    if cls in k.owners and name in k.asks:
        return method.base
    if name not in k.tells_content or not isinstance(method.base, f.Var | f.Field):
        return None
    spelling = program.plain(program.type_of(method.base.usr))
    content = k.contents.get(program.split(spelling)[0])
    if content is None:
        return None
    if name in content.whether:
        return method.base
    return f.Not(method.base) if name in content.empty else None


# -- what a function branches by ------------------------------------------------------------------


def asked(function: f.Function) -> frozenset[int]:
    """Calls by whose results *function* branches, by number, or that it returns."""
    found = set[int]()
    for statement in f.walk(function.body):
        if isinstance(statement, f.If | f.Loop | f.Switch):
            found.update(_results(statement.cond))
        elif isinstance(statement, f.Return | f.Local):
            found.update(_results(statement.value))
    return frozenset(found)


def _results(value: f.Value | None) -> frozenset[int]:
    if isinstance(value, f.Result):
        return frozenset((value.call,))
    if isinstance(value, f.Not):
        return _results(value.value)
    if isinstance(value, f.Both | f.Compare):
        return _results(value.left) | _results(value.right)
    return frozenset()


def kept_conditions(function: f.Function) -> dict[str, f.Value]:
    """By local that is set once: the condition that it is."""
    found: dict[str, f.Value] = {}
    changed: set[str] = set()
    for statement in f.walk(function.body):
        if isinstance(statement, f.Local):
            if isinstance(statement.value, _CONDITIONS) and statement.usr not in found:
                found[statement.usr] = statement.value
            else:
                changed.add(statement.usr)
        elif isinstance(statement, f.Assign | f.Written) and isinstance(statement.target, f.Var):
            changed.add(statement.target.usr)
    return {usr: value for usr, value in found.items() if usr not in changed}


_CONDITIONS = (f.Result, f.Not, f.Compare, f.Both, f.Field)
