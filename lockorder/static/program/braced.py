"""Lists in braces without a type of their own: which class of object each begins.

``queue.push_back({id, std::move(run)})``: clang shows the parts alone.  A parameter says what a
list begins that a function is handed, a container's type what one begins that is put into it, a
variable's, a member's or a result's what is assigned to it or returned.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

#: Such a list, and the type of what it begins.
Begun = tuple[f.AnyOf, str]


def lists(program: Program, function: f.Function) -> Iterator[Begun]:
    """The lists of a function whose type somebody else says."""
    types: dict[int, str] = {}
    for statement in f.walk(function.body):
        if isinstance(statement, f.Call):
            result = _element_given(program, statement, types)
            if result:
                types[statement.id] = result
            yield from _handed(program, statement, types)
        elif isinstance(statement, f.Make) and statement.ctor:
            yield from _parameters(program, program.body_of(statement.ctor), statement.args)
        elif isinstance(statement, f.Assign):
            yield from _typed(program, statement.value, _type(program, statement.target, types))
        elif isinstance(statement, f.Return):
            yield from _typed(program, statement.value, program.result_of(function.usr))


def _handed(program: Program, call: f.Call, types: dict[int, str]) -> Iterator[Begun]:
    target = call.target
    if not isinstance(target, f.Fn) or not any(isinstance(a, f.AnyOf) for a in call.args):
        return
    bodies = [*program.body_of(target.usr), *program.overriders(target.usr)]
    if bodies:
        yield from _parameters(program, bodies[:1], call.args)
    elif target.base is not None:
        yield from _elements(program, _type(program, target.base, types), call.args)


def _parameters(
    program: Program, bodies: list[str] | tuple[str, ...], args: list[f.Value]
) -> Iterator[Begun]:
    for body in bodies:
        for argument, parameter in zip(args, program.functions[body].params, strict=False):
            yield from _typed(program, argument, program.type_of(parameter))


def _elements(program: Program, spelling: str, args: list[f.Value]) -> Iterator[Begun]:
    """Lists that begin an element of a container; of a map, what stands behind its key."""
    spelling = program.plain(spelling)
    name = program.split(spelling)[0]
    owner = program.knowledge.owners.get(name)
    if owner is None or owner.pointer or owner.callable:
        return
    element = program.element_type(spelling)
    for at, argument in enumerate(args):
        if not program.knowledge.is_map(name) or at > 0:
            yield from _typed(program, argument, element)
        elif isinstance(argument, f.AnyOf) and len(argument.values) == 2:  # {key, {...}}
            yield from _typed(program, argument.values[1], element)


def _typed(program: Program, value: f.Value | None, spelling: str) -> Iterator[Begun]:
    plain = program.plain(spelling) if spelling else ""
    if plain and isinstance(value, f.AnyOf) and value.cond is None:
        yield value, plain
        owner = program.knowledge.owners.get(program.split(plain)[0])
        if owner is not None and not value.fields:  # a container of such
            for part in value.values:
                yield from _elements(program, plain, [part])


def _type(program: Program, value: f.Value, types: dict[int, str]) -> str:
    """The type of a place, as far as it is declared; empty elsewhere."""
    if isinstance(value, f.Var | f.Field):
        return program.type_of(value.usr)
    if isinstance(value, f.Elem):
        inside = _type(program, value.base, types)
        return program.element_type(inside) if inside else ""
    return types.get(value.call, "") if isinstance(value, f.Result) else ""


def _element_given(program: Program, call: f.Call, types: dict[int, str]) -> str:
    """The type of the element that a container's method gives: ``slots[i]``; else empty."""
    target = call.target
    if not isinstance(target, f.Fn) or target.base is None:
        return ""
    if program.method_called(call) not in program.knowledge.element_methods:
        return ""
    inside = program.plain(_type(program, target.base, types))
    owner = program.knowledge.owners.get(program.split(inside)[0])
    if owner is None or owner.pointer:
        return ""
    return program.element_type(inside)
