"""Places: what an expression names, as far as one look at it tells, with no state.

A coarser relative of access paths, for what is asked of the whole program before it is walked.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lockorder.bounds import NEAR_OBJECTS
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.steps import ELEMENT, SOMEWHERE, Step, Steps

#: The root of a place in the object of a member function.
THIS = "this"
LASTING = frozenset(("global", "static", "member"))
#: Keys of the variables and results that were followed on the way to a place.
_Seen = AbstractSet[str]


class Place(NamedTuple):
    """``this`` or a variable's key, and the members walked from it."""

    root: str
    steps: Steps = ()

    @property
    def key(self) -> str:
        """The variable or field that it ends in."""
        return next((s for s in reversed(self.steps) if isinstance(s, str)), self.root)

    @property
    def last(self) -> str:
        """The key of the member that it ends in; empty where it ends in something else."""
        step = self.steps[-1] if self.steps else ""
        return step if isinstance(step, str) else ""

    @property
    def owner(self) -> Place:
        """What its last step leads on from."""
        return Place(self.root, self.steps[:-1])

    def then(self, step: Step) -> Place:
        """The member *step* of what is here.

        A member that is on the way already leads to one of many objects of a kind (the nodes of a
        list): where that begins is kept, and then there is an element.
        """
        if step == ELEMENT:
            return self if self.steps[-1:] == (ELEMENT,) else Place(self.root, (*self.steps, step))
        if step in self.steps:
            return Place(self.root, (*self.steps[: self.steps.index(step) + 1], ELEMENT))
        return Place(self.root, (*self.steps, step))

    def within(self, base: Place) -> Place:
        """The same members, walked from *base*."""
        if self.steps[:1] == (SOMEWHERE,):
            return Place(base.root, self.steps)
        return functools.reduce(Place.then, self.steps, base)


def near(program: Program, place: Place) -> Place:
    """*place*, of some object of its class where it is reached over many pointers or elements.

    Objects that point to each other (a request to its worker, the worker to its requests) are
    reached in as many ways as their members can be put in rows.  By which of them says nothing of
    what the last object is, or of what it has inside of itself.
    """
    hops = _hops(program, place.steps)
    if len(hops) <= NEAR_OBJECTS:
        return place
    return Place(place.root, (SOMEWHERE, *place.steps[hops[-1] :]))


def is_near(program: Program, steps: Sequence[Step]) -> bool:
    """Whether *steps* lead to an object that has a name, over few pointers and elements."""
    return len(_hops(program, steps)) <= NEAR_OBJECTS


def _hops(program: Program, steps: Sequence[Step]) -> list[int]:
    """Where *steps* go on to another object."""
    return [
        i
        for i, step in enumerate(steps)
        if ELEMENT in steps[i + 1 : i + 2]
        or (isinstance(step, str) and program.is_indirect(program.type_of(step)))
    ]


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
    seen: _Seen = frozenset(),
) -> Place | None:
    """What *value* names in *function*; *aliases* are values of its variables."""
    if isinstance(value, f.Field | f.Elem):
        base = place_of(program, function, value.base, aliases, locals_too, seen)
        step = value.usr if isinstance(value, f.Field) else ELEMENT
        return base.then(step) if base is not None else None
    if isinstance(value, f.This):
        return Place(THIS) if function.kind != "lambda" else None
    if isinstance(value, f.Result):
        key = result_of(value.call)
        same = aliases.get(key) if key not in seen else None
        return place_of(program, function, same, aliases, locals_too, seen | {key})
    if not isinstance(value, f.Var):
        return None
    alias = aliases.get(value.usr) if value.usr not in seen else None
    if alias is not None and program.is_indirect(program.type_of(value.usr)):
        return place_of(program, function, alias, aliases, locals_too, seen | {value.usr})
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
