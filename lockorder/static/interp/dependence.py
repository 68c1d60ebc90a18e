"""Objects whose type is a template's parameter: what they are, only callers know."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lockorder.static.interp.whole_program import WholeProgram
    from lockorder.static.program.paths import Path

#: Longer names are those of classes that are not here, rather than of template parameters.
MAX_PARAMETER_NAME = 16


def is_template_parameter(engine: WholeProgram, path: Path) -> bool:
    """Whether the type of *path* is a template's parameter, known to callers only."""
    if not (path.root.startswith("this:") or engine.is_parameter(path)):
        return False
    name = engine.identities.class_of(path)
    return bool(name) and name.isidentifier() and len(name) <= MAX_PARAMETER_NAME


def is_dependent(engine: WholeProgram, path: Path) -> bool:
    """Whether it is, and no class or other type is called so."""
    name = engine.identities.class_of(path)
    return engine.program.is_dependent(name) and is_template_parameter(engine, path)
