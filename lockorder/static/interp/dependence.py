"""Objects whose type or class only callers know: of a template's parameter, or handed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.static.parse import facts as f

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk
    from lockorder.static.interp.whole_program import WholeProgram
    from lockorder.static.program.paths import Path


def is_template_parameter(engine: WholeProgram, path: Path) -> bool:
    """Whether the type of *path* is a template's parameter, known to callers only."""
    if path.is_this:
        home = path.method
    elif engine.is_parameter(path):
        home = engine.program.variables[path.variable].owner
    else:
        return False
    name = engine.identities.class_of(path)
    if not name.isidentifier():
        return False
    if name == "auto" or name in engine.program.template_parameters(home):
        return True
    if path.steps:
        return name in engine.program.template_parameters_of_member(path.last)
    function = engine.program.functions.get(home)  # by its syntax alone nothing more is known
    return function is not None and function.filled and engine.program.is_dependent(name)


def is_dependent(engine: WholeProgram, path: Path) -> bool:
    """Whether it is, and no class or other type is called so."""
    name = engine.identities.class_of(path)
    return engine.program.is_dependent(name) and is_template_parameter(engine, path)


def does_nothing(engine: WholeProgram, path: Path) -> bool:
    """Whether an object is no lock: its ``lock()`` has an empty body (a null mutex).

    One whose class is a parameter of a class template is none if no instance has another.
    """
    cls = engine.identities.class_of(path)
    if cls in engine.program.classes:
        return _is_null(engine, cls)
    if not path.steps or cls not in engine.program.template_parameters_of_member(path.last):
        return False
    owner = engine.program.variables[path.last].name.rpartition("::")[0]
    given = engine.arguments.of(owner, cls)
    return bool(given) and all(_is_null(engine, engine.program.split(g)[0]) for g in given or ())


def _is_null(engine: WholeProgram, cls: str) -> bool:
    bodies = engine.program.methods(cls, "lock") if cls in engine.program.classes else []
    inside = (s for b in bodies for s in f.walk(engine.program.functions[b].body))
    return bool(bodies) and all(isinstance(s, f.Block) for s in inside)


def is_told(act: Walk, path: Path) -> bool:
    """Whether callers may know of which class the object is: a parameter, the object of the call,
    or a member of which each class that has it says so.
    """
    root = path.base
    given = act.engine.is_parameter(root) and root.variable in act.function.params
    if not given and root != act.values.this:
        return False
    return not path.steps or act.engine.held_classes.is_told(path)
