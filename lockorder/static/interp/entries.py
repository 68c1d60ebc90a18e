"""Functions that others call with a lock held: an interpreter's bindings, and what needs them."""

from __future__ import annotations

from collections.abc import Collection

from lockorder.model import How, Mode
from lockorder.static.interp import registries
from lockorder.static.interp.contexts import CallSite
from lockorder.static.interp.summary import Gate, Held, Site, State
from lockorder.static.interp.whole_program import Entered, WholeProgram
from lockorder.static.program.paths import ENTRY, Path


def enter_all(engine: WholeProgram) -> None:
    """Walk everything that is entered with a lock held, once all summaries are known."""
    called = _by_libraries(engine)
    bound = [*engine.entered, *tabled(engine), *_by_name(engine)]
    engine.bound.update(entered.target for entered in bound)
    found = dict.fromkeys([*bound, *called])
    for entered in found:
        lock = Path.of_named(entered.holds)
        held = Held(lock, Mode.EXCLUSIVE, How.BLOCKING, entered.site, ENTRY)
        state = State(held=(held,))
        if entered.spelling:
            binder = engine.program.functions[entered.binder]
            engine.walk_end(binder, entered.spelling, entered.site, state)
        elif entered.target in engine.program.functions:
            engine.walk_entry(entered.target, (), entered.site, state)
            _note_context(engine, entered, lock)


def _note_context(engine: WholeProgram, entered: Entered, lock: Path) -> None:
    """Who is only called from there always has the lock: it is a gate.

    Lambdas and functions of one file are; others may have callers that are not analysed.
    """
    function = engine.program.functions[entered.target]
    outside = f"entry:{entered.holds}"
    if function.kind == "lambda" or function.static:
        gate = frozenset({Gate(lock, Mode.EXCLUSIVE)})
        engine.contexts.enter(CallSite(outside, entered.target, gate, frozenset()))


def tabled(engine: WholeProgram) -> list[Entered]:
    """Functions stored in objects of certain types (PyMethodDef), wherever those are."""
    found: list[Entered] = []
    types = engine.knowledge.entry_types
    for usr in sorted(engine.program.variables) if types else ():
        variable = engine.program.variables[usr]
        entry = types.get(_named(variable.type.split("[")[0]))
        if entry is None and variable.kind == "field":
            entry = types.get(variable.name.rpartition("::")[0])
        if entry is None or _is_data(variable.type, types):
            continue
        for target in engine.points_to.functions(usr):
            function = engine.program.functions.get(target)
            if function is not None:
                site = Site(target, function.line, 0)
                found.append(Entered(target, entry.holds, target, site))
    return found


def _is_data(spelling: str, tables: Collection[str]) -> bool:
    """Whether a member of a table points to an object that is no table: nothing there is called.

    A slot for anything is a ``void *``.
    """
    if "(" in spelling or not spelling.rstrip().endswith("*"):
        return False
    behind = _named(spelling.rstrip(" *"))
    return behind != "void" and behind not in tables


def _named(spelling: str) -> str:
    """A type's name alone."""
    return spelling.strip().removeprefix("const ").removeprefix("struct ")


def _by_libraries(engine: WholeProgram) -> list[Entered]:
    """What threads of libraries run: with a lock held, or entered by threads like others."""
    found: list[Entered] = []
    for node, callback, targets in registries.on_threads(engine):
        engine.threads.elsewhere(targets)
        for target in targets:
            function = engine.program.functions.get(target)
            if function is None:
                continue
            if callback.holds:
                site = Site(target, function.line, 0)
                found.append(Entered(target, callback.holds, target, site))
            else:
                engine.contexts.thread(target, node, False, False)
    return found


def _by_name(engine: WholeProgram) -> list[Entered]:
    found: list[Entered] = []
    for name, entry in sorted(engine.knowledge.entry_names.items()):
        for target in engine.program.named(name):
            site = Site(target, engine.program.functions[target].line, 0)
            found.append(Entered(target, entry.holds, target, site))
    return found
