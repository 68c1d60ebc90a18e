"""Places: what an expression names, as far as one look at it tells, with no state.

A coarser relative of access paths, for what is asked of the whole program before it is walked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

#: The root of a place in the object of a member function.
THIS = "this"
#: The step to an element.
ELEMENT = "[]"
LASTING = frozenset(("global", "static", "member"))
#: Pointers that point to one another.
_FOLLOWED = 8


class Place(NamedTuple):
    """``this`` or a variable's key, and the members walked from it."""

    root: str
    steps: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The variable or field that it ends in."""
        for step in reversed(self.steps):
            if step != ELEMENT:
                return step
        return self.root

    def within(self, base: Place) -> Place:
        """The same members, walked from *base*."""
        return Place(base.root, base.steps + self.steps)


Aliases = Mapping[str, f.Value | None]


def result_of(call: int) -> str:
    """The key of what call number *call* returned, among aliases."""
    return f"result:{call}"


def place_of(
    program: Program,
    function: f.Function,
    value: f.Value | None,
    aliases: Aliases,
    locals_too: bool = False,
    depth: int = 0,
) -> Place | None:
    """What *value* names in *function*; *aliases* are values of its variables."""
    if isinstance(value, f.Field | f.Elem):
        base = place_of(program, function, value.base, aliases, locals_too, depth)
        step = value.usr if isinstance(value, f.Field) else ELEMENT
        return Place(base.root, (*base.steps, step)) if base is not None else None
    if isinstance(value, f.This):
        return Place(THIS) if function.kind != "lambda" else None
    if isinstance(value, f.Result) and depth < _FOLLOWED:
        same = aliases.get(result_of(value.call))
        return place_of(program, function, same, aliases, locals_too, depth + 1)
    if not isinstance(value, f.Var):
        return None
    alias = aliases.get(value.usr)
    if alias is not None and depth < _FOLLOWED and program.is_indirect(program.type_of(value.usr)):
        return place_of(program, function, alias, aliases, locals_too, depth + 1)
    variable = program.variables.get(value.usr)
    kind = variable.kind if variable is not None else ""
    named = kind == "param" or kind in LASTING or (locals_too and kind == "local")
    return Place(value.usr) if named else None


def argument_for(
    root: str, callee: f.Function, call: f.Call | f.Make
) -> tuple[bool, f.Value | None]:
    """Whether a place of *callee* with this root is one of its caller's, and what that is there."""
    if root == THIS:
        target = call.target if isinstance(call, f.Call) else None
        return True, target.base if isinstance(target, f.Fn | f.Name) else None
    if root in callee.params:
        at = callee.params.index(root)
        return True, call.args[at] if at < len(call.args) else None
    return False, None


def variables_of(block: f.Block) -> set[str]:
    """Keys of the variables that a body names."""
    found: set[str] = set()
    pending: list[object] = [block]
    while pending:
        value = pending.pop()
        if isinstance(value, f.Var):
            found.add(value.usr)
        elif isinstance(value, list):
            pending.extend(value)
        elif isinstance(value, f.Fact):
            pending.extend(getattr(value, name) for name in value.__struct_fields__)
    return found
