"""Bodies that were read by their syntax, with their names bound to declarations.

Once all units are known, names become what clang would have shown: variables, fields, functions
with the object that they are called on, constructions with their constructors, operators as calls.
What no declaration explains stays a name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lockorder import mistakes
from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Facts
from lockorder.static.parse.recovery.whole_expressions import STARTS
from lockorder.static.parse.unit import DECLARATIONS, SYNTAX_ALONE
from lockorder.static.program.binding.calls import Body
from lockorder.static.program.binding.lookup import Lookup
from lockorder.static.program.binding.values import Shared
from lockorder.static.program.link import Program


def bind(program: Program, units: Sequence[Facts], knowledge: Knowledge) -> list[str]:
    """Bind the names in all functions whose bodies were read by their syntax; returns problems."""
    files = {x.file for u in units for x in u.files if x.reading in (SYNTAX_ALONE, DECLARATIONS)}
    problems: list[str] = []
    if not files:
        return problems
    lookup = Lookup(program)
    _override(program, lookup)
    spaces = {x.file: u.spaces for u in units for x in u.files}
    shared = Shared(program, knowledge, lookup, spaces)
    pending = [x for x in program.functions.values() if x.filled and x.file in files]
    done: set[str] = set()
    while pending:  # a lambda after the function around it, whose variables it sees
        later = []
        for function in pending:
            if function.parent and function.parent not in done and _is_pending(program, function):
                later.append(function)
                continue
            done.add(function.usr)
            try:
                Statements(shared, function).run()
            except Exception as error:
                function.body = f.Block([])
                where = f"{function.file}: {function.name} (line {function.line})"
                if isinstance(error, RecursionError):
                    problems.append(f"{where} is nested too deeply to be read")
                else:
                    problems.append(f"{where} could not be read {mistakes.told(error)}")
        if len(later) == len(pending):
            done.update(x.parent for x in later)
        pending = later
    program.index_again()
    return problems


def _is_pending(program: Program, function: f.Function) -> bool:
    parent = program.functions.get(function.parent)
    return parent is not None and parent.filled


def _override(program: Program, lookup: Lookup) -> None:
    """Which methods override which, by name and number of parameters."""
    changed = True
    while changed:
        changed = False
        for usr, decl in program.decls.items():
            if not decl.cls:
                continue
            over = list(dict.fromkeys(lookup.overridden(decl)))
            if over and not decl.virtual:
                decl.virtual = changed = True
            function = program.functions.get(usr)
            if over and function is not None and function.kind == "method" and function.filled:
                function.overrides = over


class Statements(Body):
    """Binds the statements of one function."""

    def run(self) -> None:
        """Rewrite the function's body."""
        self.function.body = self.block(self.function.body)

    def block(self, block: f.Block) -> f.Block:
        """A block with all its names bound."""
        outer, self.out = self.out, []
        for statement in block.body:
            self.statement(statement)
        inner, self.out = self.out, outer
        return f.Block(inner, block.end)

    def statement(self, statement: f.Stmt) -> None:
        """Bind one statement and append what becomes of it."""
        handler = _STATEMENTS.get(type(statement))
        if handler is not None:
            handler(self, statement)
        else:
            self.out.append(statement)

    def _call(self, call: f.Call) -> None:
        self.call(call)

    def _make(self, make: f.Make) -> None:
        self.construction(make)

    def _local(self, local: f.Local) -> None:
        variable = self.program.variables.get(local.usr)
        value, kind = self.value(local.value)
        if variable is None:
            self.out.append(f.Local(local.usr, value, local.line, local.column))
            return
        value = self.started(variable, value, kind, local.line, local.column)
        self.out.append(f.Local(local.usr, value, local.line, local.column))

    def _assign(self, assign: f.Assign) -> None:
        if isinstance(assign.target, f.Name) and assign.target.text.startswith(STARTS):
            self.member_started(assign)
            return
        target, left = self.value(assign.target)
        value, right = self.value(assign.value)
        if target is None or value is None:
            return
        if isinstance(target, f.Name) and target.base is None and not target.text:
            return
        if isinstance(assign.target, f.Var) and not isinstance(value, f.Made):
            variable = self.program.variables.get(target.usr) if isinstance(target, f.Var) else None
            if variable is not None and self._is_start(variable.usr):
                value = self.started(variable, value, right, assign.line, 0) or value
        elif isinstance(target, f.Field) and self.function.usr.startswith("nsdmi:"):
            field = self.program.variables.get(target.usr)
            if field is not None:
                value = self.started(field, value, right, assign.line, 0) or value
        if isinstance(value, f.AnyOf) and left:
            value = self.listed(value, left)
        self.out.append(f.Assign(target, value, assign.line))

    def _is_start(self, usr: str) -> bool:
        """Whether an assignment is the start of a global or static local."""
        variable = self.program.variables[usr]
        return variable.kind == "static" or self.function.usr == f"init:{usr}"

    def _delete(self, delete: f.Delete) -> None:
        value, _ = self.value(delete.value)
        if value is not None:
            self.out.append(f.Delete(value, delete.line))

    def _end(self, end: f.EndTemporaries) -> None:
        made = [n for m in end.made if (n := self.temporary(m)) is not None]
        if made:
            self.out.append(f.EndTemporaries(made, end.line))

    def _static(self, start: f.StaticInit) -> None:
        body = self.block(start.body)
        if body.body:
            self.out.append(f.StaticInit(start.usr, body, start.line))

    def _return(self, statement: f.Return) -> None:
        value = self.returned(statement.value, statement.line)
        self.out.append(f.Return(value, statement.line))

    def _if(self, statement: f.If) -> None:
        condition = self.condition(statement.cond)
        then = self.block(statement.then)
        orelse = self.block(statement.orelse) if statement.orelse is not None else None
        if then.body or statement.cond is not None or orelse is not None:
            self.out.append(f.If(condition, then, orelse))

    def _loop(self, loop: f.Loop) -> None:
        outer, self.out = self.out, []
        head = self.block(loop.head)
        self.out = head.body
        condition = self.condition(loop.cond)
        self.out = outer
        body = self.block(loop.body)
        step = self.block(loop.step)
        self.out.append(f.Loop(head, condition, body, step, loop.at_least_once, loop.line))

    def _switch(self, switch: f.Switch) -> None:
        condition, _ = self.value(switch.cond)
        labels = [self.value(v)[0] if v is not None else None for v in switch.labels]
        cases = [self.block(c) for c in switch.cases]
        self.out.append(f.Switch(cases, switch.total, condition, labels))

    def _try(self, statement: f.Try) -> None:
        body = self.block(statement.body)
        self.out.append(f.Try(body, [self.block(h) for h in statement.handlers]))

    def _block(self, block: f.Block) -> None:
        self.out.append(self.block(block))


_STATEMENTS: dict[type, Callable[[Statements, Any], None]] = {
    f.Call: Statements._call,
    f.Make: Statements._make,
    f.Local: Statements._local,
    f.Assign: Statements._assign,
    f.Delete: Statements._delete,
    f.EndTemporaries: Statements._end,
    f.StaticInit: Statements._static,
    f.Return: Statements._return,
    f.If: Statements._if,
    f.Loop: Statements._loop,
    f.Switch: Statements._switch,
    f.Try: Statements._try,
    f.Block: Statements._block,
}
