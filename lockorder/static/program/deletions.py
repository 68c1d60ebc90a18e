"""Functions that delete objects whose class only their callers know: those of templates."""

from __future__ import annotations

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program

#: What stands for the destructor among the methods of a class that only a caller knows.
END = "~"


def find(program: Program) -> frozenset[str]:
    """Keys of the functions that do so themselves, or hand such an object to one that does."""
    found: set[str] = set()
    hands: dict[str, list[str]] = {}
    for usr, function in program.functions.items():
        for statement in walk(function.body):
            if isinstance(statement, f.Delete):
                if _is_dependent(program, statement.value):
                    found.add(usr)
            elif isinstance(statement, f.Call) and isinstance(statement.target, f.Fn | f.Name):
                given = (*statement.args, statement.target.base)
                if any(_is_dependent(program, v) for v in given):
                    for body in _bodies(program, statement.target, len(statement.args)):
                        hands.setdefault(body, []).append(usr)
    pending = sorted(found)
    while pending:
        for caller in hands.get(pending.pop(), ()):
            if caller not in found:
                found.add(caller)
                pending.append(caller)
    return frozenset(found)


def _bodies(program: Program, target: f.Fn | f.Name, arguments: int) -> tuple[str, ...]:
    """What a call runs; in a template only its name may be known."""
    if isinstance(target, f.Fn):
        return program.body_of(target.usr)
    return program.by_bare_name(target.text, None, arguments) if target.base is None else ()


def is_counted(function: f.Function, event: f.Delete) -> bool:
    """Whether something decides about *event* that may be a count of owners.

    Then the end of one owner is seldom that of the object.
    """
    for statement in walk(function.body):
        if isinstance(statement, f.If) and not _is_flag(statement.cond, event.value):
            inside = [s for part in f.parts(statement) for s in walk(part)]
            if any(s is event or isinstance(s, f.Return) for s in inside):
                return True
    return False


def _is_flag(condition: f.Value | None, pointer: f.Value) -> bool:
    """Whether *condition* asks no more than a flag, or whether *pointer* is null."""
    if isinstance(condition, f.Not):
        return _is_flag(condition.value, pointer)
    if isinstance(condition, f.Compare):
        sides = (condition.left, condition.right)
        return pointer in sides and any(isinstance(s, f.Lit) for s in sides)
    return isinstance(condition, (f.Var, f.Field))


def _is_dependent(program: Program, value: f.Value | None) -> bool:
    if not isinstance(value, (f.Var, f.Field)):
        return False
    name, arguments = program.split(program.pointee(program.type_of(value.usr)))
    return program.is_dependent(name) or any(program.is_dependent(a) for a in arguments)
