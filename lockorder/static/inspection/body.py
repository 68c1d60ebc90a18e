"""The facts of a function as text: what was read of it, before anybody thinks of locks."""

from __future__ import annotations

from collections.abc import Mapping

from lockorder.static.inspection.names import Names
from lockorder.static.inspection.view import Declared, FunctionFacts, Step
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program


def facts_of(
    program: Program, usr: str, names: Names, readings: Mapping[str, str]
) -> FunctionFacts:
    """What was read of one function; *readings* say how files were read, if in no usual way."""
    function = program.functions[usr]
    reading = readings.get(names.relative(function.file), "")
    if function.filled:
        reading = reading or "from its text alone, without types"
    steps: list[Step] = []
    _Writer(program, names, steps).block(function.body, 0)
    own = [s.usr for s in f.walk(function.body) if isinstance(s, f.Local)]
    return FunctionFacts(
        names.function(usr),
        function.kind,
        names.relative(function.file),
        function.line,
        function.end,
        function.cls,
        names.at(function.parent) if function.parent else "",
        tuple(program.name_of(u) for u in function.overrides),
        tuple(_declared(program, u) for u in function.params),
        tuple(_declared(program, u) for u in dict.fromkeys(own)),
        reading,
        tuple(steps),
    )


def statement(program: Program, names: Names, what: f.Stmt) -> str:
    """The first line of a statement as text."""
    steps: list[Step] = []
    _Writer(program, names, steps).statement(what, 0)
    return steps[0].text if steps else ""


def line_of(what: f.Stmt) -> int:
    """The line of a statement: its own, else that of the first in it; 0 where there is none."""
    own = getattr(what, "line", 0)
    if own:
        return int(own)
    lines = (line_of(s) for block in f.parts(what) for s in block.body)
    return next((line for line in lines if line), 0)


def _declared(program: Program, usr: str) -> Declared:
    known = program.variables.get(usr)
    return (
        Declared(known.name.rpartition("::")[2] or "(unnamed)", known.type)
        if known
        else Declared(usr)
    )


class _Writer:
    def __init__(self, program: Program, names: Names, steps: list[Step]) -> None:
        self._program = program
        self._names = names
        self._steps = steps

    def _add(self, depth: int, line: int, text: str) -> None:
        self._steps.append(Step(depth, line, text))

    def block(self, block: f.Block, depth: int) -> None:
        for each in block.body:
            self.statement(each, depth)

    def statement(self, what: f.Stmt, depth: int) -> None:
        """One statement and all that is in it."""
        value = self._names.value
        line = getattr(what, "line", 0)
        if isinstance(what, f.Block):
            self._add(depth, 0, "block")
            self.block(what, depth + 1)
        elif isinstance(what, f.If):
            self._add(
                depth, 0, f"if {value(what.cond)}" if what.cond else "if (condition not read)"
            )
            self.block(what.then, depth + 1)
            if what.orelse is not None:
                self._add(depth, 0, "else")
                self.block(what.orelse, depth + 1)
        elif isinstance(what, f.Loop):
            self._loop(what, depth)
        elif isinstance(what, f.Switch):
            self._switch(what, depth)
        elif isinstance(what, f.Try):
            self._add(depth, 0, "try")
            self.block(what.body, depth + 1)
            for handler in what.handlers:
                self._add(depth, 0, "catch")
                self.block(handler, depth + 1)
        elif isinstance(what, f.StaticInit):
            known = self._program.variables.get(what.usr)
            name = known.name.rpartition("::")[2] if known is not None else what.usr
            self._add(depth, line, f"the first time, under the guard of static {name}")
            self.block(what.body, depth + 1)
        else:
            self._add(depth, line, self._event(what))

    def _loop(self, loop: f.Loop, depth: int) -> None:
        test = self._names.value(loop.cond) if loop.cond is not None else "(no condition)"
        self._add(
            depth,
            0,
            f"loop, at least once, while {test}" if loop.at_least_once else f"loop while {test}",
        )
        for name, part in (("before each test", loop.head), ("after each round", loop.step)):
            if part.body:
                self._add(depth + 1, 0, name)
                self.block(part, depth + 2)
        self.block(loop.body, depth + 1)

    def _switch(self, switch: f.Switch, depth: int) -> None:
        self._add(depth, 0, f"switch {self._names.value(switch.cond)}")
        for number, case in enumerate(switch.cases):
            label = switch.labels[number] if number < len(switch.labels) else None
            named = f"case {self._names.value(label)}" if label is not None else "default"
            self._add(depth, 0, named if switch.labels else f"case {number + 1}")
            self.block(case, depth + 1)

    def _event(self, what: f.Stmt) -> str:
        value = self._names.value
        if isinstance(what, f.Call):
            return self._call(what)
        if isinstance(what, f.Make):
            new = "new " if what.heap else ""
            moved = ", moved from" if what.moves else ""
            ctor = "" if self._program.body_of(what.ctor) else " [no body]"
            return f"object {what.id} = {new}{what.type}({self._args(what.args)}){moved}{ctor}"
        if isinstance(what, f.Local):
            name = self._names.value(f.Var(what.usr))
            start = f" = {value(what.value)}" if what.value is not None else ""
            return f"local {self._program.type_of(what.usr)} {name}{start}"
        if isinstance(what, f.Assign):
            return f"{value(what.target)} = {value(what.value)}"
        if isinstance(what, f.Delete):
            return f"delete {value(what.value)}"
        if isinstance(what, f.EndTemporaries):
            ended = (f"object {n}" if n >= 0 else f"#{-1 - n}" for n in reversed(what.made))
            return f"end of {', '.join(ended)}"
        if isinstance(what, f.Return):
            return "return" + (f" {value(what.value)}" if what.value is not None else "")
        if isinstance(what, f.Goto):
            return f"goto {what.label}"
        if isinstance(what, f.Label):
            return f"{what.name}:"
        return type(what).__name__.lower()

    def _call(self, call: f.Call) -> str:
        target = call.target
        notes: list[str] = []
        if isinstance(target, f.Fn):
            name = self._program.name_of(target.usr)
            if target.base is not None:
                name = f"{name} of {self._names.value(target.base)}"
            if call.virtual:
                notes.append("virtual")
            if not self._program.body_of(target.usr):
                notes.append("no body")
        elif isinstance(target, f.Name):
            name = self._names.value(target).rstrip("?")
            notes.append("no declaration")
        else:
            name = self._names.value(target)
            notes.append("a value is called")
        text = f"#{call.id} = {name}({self._args(call.args)})"
        return f"{text} [{', '.join(notes)}]" if notes else text

    def _args(self, args: list[f.Value]) -> str:
        return ", ".join(map(self._names.value, args))
