"""Functions that end the program because it has failed: ``die(...) { report(); abort(); }``.

What happens in a call of one happens once the program is lost; it may still hang instead of ending.
"""

from __future__ import annotations

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

_LEAVES = (f.Return, f.Throw, f.Goto, f.Break, f.Continue)


def find(program: Program, knowledge: Knowledge) -> frozenset[str]:
    """The functions that come to such an end on every way."""
    callers: dict[str, set[str]] = {}
    found: set[str] = set()
    pending: set[str] = set()
    for function in program.functions.values():
        for statement in f.walk(function.body):
            if isinstance(statement, f.Call):
                if program.called(statement) in knowledge.aborts:
                    pending.add(function.usr)
                elif isinstance(statement.target, f.Fn):
                    for body in program.body_of(statement.target.usr):
                        callers.setdefault(body, set()).add(function.usr)
    while pending:
        usr = pending.pop()
        if usr not in found and _fails(program, knowledge, program.functions[usr].body, found):
            found.add(usr)
            pending |= callers.get(usr, set())
    return frozenset(found)


def _fails(program: Program, knowledge: Knowledge, block: f.Block, known: set[str]) -> bool:
    """Whether nothing comes to the end of *block*, or leaves it before."""
    for statement in block.body:
        if isinstance(statement, f.Call):
            if program.called(statement) in knowledge.aborts:
                return True
            target = statement.target
            bodies = program.body_of(target.usr) if isinstance(target, f.Fn) else ()
            if bodies and not statement.virtual and known.issuperset(bodies):
                return True
        elif isinstance(statement, f.Block):
            if _fails(program, knowledge, statement, known):
                return True
        elif isinstance(statement, f.Loop):
            if statement.at_least_once and _fails(program, knowledge, statement.body, known):
                return True
        elif isinstance(statement, f.If) and statement.orelse is not None:
            ways = (statement.then, statement.orelse)
            if all(_fails(program, knowledge, way, known) for way in ways):
                return True
        if _may_leave(statement):
            return False
    return False


def _may_leave(statement: f.Stmt) -> bool:
    """Whether control may go elsewhere than to what follows."""
    inner = (s for part in f.parts(statement) for s in f.walk(part))
    loops = isinstance(statement, f.Loop | f.Switch)
    ends = (f.Return, f.Throw, f.Goto) if loops else _LEAVES
    return isinstance(statement, ends) or any(isinstance(s, ends) for s in inner)
