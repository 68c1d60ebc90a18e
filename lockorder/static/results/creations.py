"""Communicators that sources make in loops, and NCCL's variables that they set.

Both are read off the facts as they stand, without the engine's walks: what they are for is a note
to whoever reads the sources.  A loop counts around the call that makes a communicator, and around a
call of a function that always makes one; a function that makes one under a condition mostly keeps
it for the next time.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.footprint import StaticCreation, StaticSetting
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Site
from lockorder.static.parse import facts as f
from lockorder.static.results.graph import Builder

_SETENV, _PUTENV = "setenv", "putenv"


def creations(engine: Engine, builder: Builder) -> list[StaticCreation]:
    """One for each call in a loop that makes communicators."""
    making = _Making(engine)
    found = {}
    for usr in sorted(engine.program.functions):
        for call in _Walk(engine, looped=True).calls(engine.program.functions[usr].body):
            made = making.by(call)
            if made is not None:
                name, inner = made
                site = Site(usr, call.line, call.column, inner)
                found[usr, call.line, name] = StaticCreation(name, builder.chain(site))
    return list(found.values())


def settings(engine: Engine, builder: Builder) -> list[StaticSetting]:
    """One for each variable of NCCL's that is set to a value that is written there."""
    found = []
    for usr in sorted(engine.program.functions):
        for statement in f.walk(engine.program.functions[usr].body):
            if isinstance(statement, f.Call):
                name, value = _set_by(statement, _name(engine, statement))
                if name in engine.knowledge.settings:
                    site = Site(usr, statement.line, statement.column)
                    known = engine.knowledge.settings[name]
                    found.append(StaticSetting(name, value, known, builder.chain(site)))
    return found


class _Making:
    """Which calls make a communicator, always."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._within: dict[str, tuple[str, Site] | None] = {}
        self._names = engine.knowledge.creates
        while self._round():
            pass

    def _round(self) -> bool:
        """Functions that call what is known so far; whether there are any that were not known."""
        more = {}
        for usr, function in self._engine.program.functions.items():
            if usr in self._within or function.name in self._names:
                continue
            for call in _Walk(self._engine, looped=False).calls(function.body):
                made = self.by(call)
                if made is not None:
                    more[usr] = (made[0], Site(usr, call.line, call.column, made[1]))
                    break
        self._within.update(more)
        return bool(more)

    def by(self, call: f.Call) -> tuple[str, Site | None] | None:
        """The function that makes it, and the way to it from *call*; None where it makes none."""
        name = _name(self._engine, call)
        if name in self._names:
            return name, None
        if isinstance(call.target, f.Fn):
            for body in self._engine.program.body_of(call.target.usr):
                if body in self._within:
                    return self._within[body]
        return None


def _name(engine: Engine, call: f.Call) -> str:
    if isinstance(call.target, f.Fn):
        return engine.program.name_of(call.target.usr)
    return call.target.text if isinstance(call.target, f.Name) else ""


class _Walk:
    """The calls of one body that are in a loop (*looped*), or that are made whenever it is run."""

    def __init__(self, engine: Engine, looped: bool) -> None:
        self._engine = engine
        self._looped = looped
        #: Groups of calls that are open, in the order of the text.
        self._groups = 0

    def calls(self, block: f.Block, inside: bool = False) -> Iterator[f.Call]:
        """Those of *block*, which is *inside* of a loop."""
        for statement in block.body:
            if isinstance(statement, f.Call):
                self._group(statement)
                # In a group one thread makes the ranks of one communicator, one for each GPU.
                if not self._looped or (inside and not self._groups):
                    yield statement
            else:
                again = isinstance(statement, f.Loop) and not _runs_once(statement)
                if self._looped or (not again and _is_certain(statement)):
                    for part in f.parts(statement):
                        yield from self.calls(part, inside or again)

    def _group(self, call: f.Call) -> None:
        name = _name(self._engine, call)
        if name in self._engine.knowledge.group_begin:
            self._groups += 1
        elif name in self._engine.knowledge.group_end:
            self._groups = max(0, self._groups - 1)


def _is_certain(statement: f.Stmt) -> bool:
    return not isinstance(statement, f.If | f.Switch | f.Try | f.StaticInit)


def _runs_once(loop: f.Loop) -> bool:
    """``do { ... } while (0)``, as macros have it."""
    return loop.at_least_once and isinstance(loop.cond, f.Lit) and loop.cond.text in ("0", "false")


def _set_by(call: f.Call, name: str) -> tuple[str, str]:
    """The variable and the value that ``setenv`` or ``putenv`` sets; empty where not written."""
    texts = [a.text if isinstance(a, f.Lit) else "" for a in call.args]
    if name == _SETENV and len(texts) > 1:
        return texts[0], texts[1]
    if name == _PUTENV and texts:
        variable, equals, value = texts[0].partition("=")
        return (variable, value) if equals else ("", "")
    return "", ""
