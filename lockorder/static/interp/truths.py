"""Values that are either 0 or 1: of them alone, what is not 0 is 1, and what is not 1 is 0."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

_BOOL = frozenset(("bool", "_Bool"))
_DIGITS = frozenset(("0", "1", "true", "false"))


class Truths:
    """Finds such values of one function."""

    def __init__(self, program: Program, function: f.Function) -> None:
        self._program = program
        self._calls: dict[int, f.Call] = {}
        given: dict[str, list[f.Value]] = {}
        unknown: set[str] = set()
        for statement in f.walk(function.body):
            if isinstance(statement, f.Call):
                self._calls[statement.id] = statement
            elif isinstance(statement, f.Local):
                if statement.value is not None:
                    given.setdefault(statement.usr, []).append(statement.value)
            elif isinstance(statement, f.Assign) and isinstance(statement.target, f.Var):
                given.setdefault(statement.target.usr, []).append(statement.value)
            elif isinstance(statement, f.Written) and isinstance(statement.target, f.Var):
                unknown.add(statement.target.usr)
        self._given = {u: v for u, v in given.items() if u not in unknown}

    def has(self, value: f.Value | None) -> bool:
        """Whether *value* is one of them."""
        return self._has(value, frozenset())

    def _has(self, value: f.Value | None, asking: AbstractSet[str]) -> bool:
        if isinstance(value, (f.Not, f.Compare, f.Less, f.Both)):
            return True
        if isinstance(value, f.Lit):
            return value.text in _DIGITS
        if isinstance(value, f.AnyOf):
            return bool(value.values) and all(self._has(v, asking) for v in value.values)
        if isinstance(value, f.Result):
            return self._is_answer(value)
        if isinstance(value, f.Field):
            return self._is_bool(value.usr)
        if isinstance(value, f.Var):
            if self._is_bool(value.usr) or value.usr in asking:
                return True
            variable = self._program.variables.get(value.usr)
            local = variable is not None and variable.kind == "local"
            values = self._given.get(value.usr) if local else None
            return bool(values) and all(self._has(v, {*asking, value.usr}) for v in values or ())
        return False

    def _is_bool(self, usr: str) -> bool:
        return self._program.type_of(usr).removeprefix("const ").rstrip(" &") in _BOOL

    def _is_answer(self, value: f.Result) -> bool:
        """Whether a call returns a flag; one whose declaration nobody has may."""
        call = self._calls.get(value.call)
        if call is None or not isinstance(call.target, f.Fn):
            return True
        usr = call.target.usr
        decl = self._program.decls.get(usr)
        if decl is None or not decl.result or decl.result.removeprefix("const ") in _BOOL:
            return True
        bodies = self._program.body_of(usr)
        return bool(bodies) and all(self._answers(b) for b in bodies)

    def _answers(self, usr: str) -> bool:
        """Whether a function returns nothing but constants of theirs or comparisons."""
        function = self._program.functions.get(usr)
        block = function.body if function is not None else f.Block([])
        found = [s.value for s in f.walk(block) if isinstance(s, f.Return)]
        return bool(found) and all(_is_plain(v) for v in found)


def _is_plain(value: f.Value | None) -> bool:
    if isinstance(value, f.AnyOf):
        return bool(value.values) and all(map(_is_plain, value.values))
    if isinstance(value, f.Lit):
        return value.text in _DIGITS
    return isinstance(value, (f.Not, f.Compare, f.Less, f.Both))
