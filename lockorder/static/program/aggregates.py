"""Objects of templates that are begun by a list: which field each part of the list begins.

In a template, and of a template, clang shows the parts alone.  A class without a constructor takes
them in the order of its fields ([dcl.init.aggr]), lists within the list as well.  Where there are
more values than fields, braces around those of a field were left out.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Class
from lockorder.static.program import braced
from lockorder.static.program.link import Program


def spread(program: Program) -> None:
    """Write the parts of such lists out, as assignments to fields; others get their fields."""
    for function in program.functions.values():
        _spread_block(program, function.body)
        for value, spelling in braced.lists(program, function):
            _fill(program, spelling, value)


def _spread_block(program: Program, block: f.Block) -> None:
    out: list[f.Stmt] = []
    for statement in block.body:
        out.append(statement)
        for inner in f.parts(statement):
            _spread_block(program, inner)
        if isinstance(statement, f.Local):
            _fill(program, program.type_of(statement.usr), statement.value)
        if isinstance(statement, f.Make) and statement.args and not statement.ctor:
            begun = list(_begun(program, statement))
            if begun:
                statement.args = []
                out.extend(begun)
    if len(out) > len(block.body):
        block.body[:] = out


def _fill(program: Program, spelling: str, value: f.Value | None) -> None:
    """Say which fields the lists within a list begin, where a template's argument is their type."""
    if not isinstance(value, f.AnyOf) or value.cond is not None:
        return
    known = _aggregate(program, spelling)
    if known is None or len(value.values) > len(known.fields):
        return
    if not value.fields:
        first = value.values[0]
        if isinstance(first, f.Var | f.Field) and not _is_part(program, known, first):
            return  # objects of the class, for a container
        value.fields = known.fields[: len(value.values)]
    for field, part in zip(value.fields, value.values, strict=False):
        _fill(program, _type_in(program, known, spelling, field), part)


def _type_in(program: Program, known: Class, spelling: str, field: str) -> str:
    """The type of a field of an object of that type."""
    given = dict(zip(known.tparams, program.split(spelling)[1], strict=False))
    return given.get(program.type_of(field), program.type_of(field))


def _begun(program: Program, make: f.Make) -> Iterator[f.Stmt]:
    known = _aggregate(program, make.type)
    if known is None or (len(make.args) == 1 and not _is_part(program, known, make.args[0])):
        return
    values = deque(make.args)
    yield from _assigned(program, known, make.type, values, f.Made(make.id), make.line)


def _assigned(
    program: Program,
    known: Class,
    spelling: str,
    values: deque[f.Value],
    owner: f.Value,
    line: int,
) -> Iterator[f.Stmt]:
    """Assignments of *values* to the fields of *owner*; those that are left begin what is next."""
    elided = len(values) > len(known.fields)
    for field in known.fields:
        if not values:
            return
        place = f.Field(owner, field)
        inner = _type_in(program, known, spelling, field)
        part = _aggregate(program, inner)
        value = values[0]
        if part is not None and elided and _is_plain(program, part, value):
            yield from _assigned(program, part, inner, values, place, line)
            continue
        values.popleft()
        if isinstance(value, f.AnyOf) and value.cond is None and part is not None:
            yield from _assigned(program, part, inner, deque(value.values), place, line)
        else:
            yield f.Assign(place, value, line)


def _aggregate(program: Program, spelling: str) -> Class | None:
    """The class of objects of that type, if its fields are all that begins them."""
    if spelling.rstrip().endswith(("&", "*")):
        return None
    name = program.split(spelling)[0]
    known = program.classes.get(name)
    if known is None or known.ctors or known.bases or not known.fields:
        return None
    return None if program.knowledge.is_standard(name) else known


def _is_plain(program: Program, part: Class, value: f.Value) -> bool:
    """Whether *value* begins the first field of *part*: it is no list, and no object of it."""
    return not isinstance(value, f.AnyOf) and _is_part(program, part, value)


def _is_part(program: Program, known: Class, value: f.Value) -> bool:
    """Whether the only value of a list can be the first field's: a copy has one value, too."""
    if isinstance(value, f.Lit | f.Fn | f.Closure | f.This):
        return True
    if isinstance(value, f.Var | f.Field):
        spelling = program.split(program.pointee(program.type_of(value.usr)))[0]
        return program.classes.get(spelling) is not known
    return isinstance(value, f.AnyOf) and value.cond is None
