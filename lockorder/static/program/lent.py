"""Numbers and flags of a function that others can reach by an address which nobody follows.

``Option all[] = {{"v", &verbose}}``, ``Watch w(&fired)``, ``(k ? a : b) = true``: what is in such a
variable may change at any call, so that no literal is ever known to be in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.written import tells

_Parameter = tuple[str, int]


class Keepers:
    """Which functions put an address that they are handed into a member, or hand it on to such."""

    def __init__(self, program: Program) -> None:
        self._program = program
        #: by function and number of a parameter
        self._keeps: dict[_Parameter, bool] = {}

    def keeps(self, usr: str, at: int) -> bool:
        """Whether a function puts the address that is its parameter *at* into a member."""
        known = self._keeps.get((usr, at))
        if known is not None:
            return known
        seen = {(usr, at)}
        pending = [(usr, at)]
        kept = False
        while pending and not kept:
            parameter = pending.pop()
            kept = self._keeps.get(parameter, False)
            if parameter in self._keeps:
                continue
            keeps, handed = self._read(*parameter)
            kept = kept or keeps
            pending.extend(p for p in handed if p not in seen)
            seen.update(handed)
        if kept:
            self._keeps[usr, at] = True
        else:  # whatever can be reached from it keeps nothing either
            self._keeps.update(dict.fromkeys(seen, False))
        return kept

    def _read(self, usr: str, at: int) -> tuple[bool, list[_Parameter]]:
        """Whether a function keeps its parameter itself; the parameters that it is handed on to."""
        function = self._program.functions.get(usr)
        if function is None or at >= len(function.params):
            return False, []
        param = function.params[at]
        if not tells(self._program.type_of(param)):
            return False, []
        handed: list[_Parameter] = []
        for statement in f.walk(function.body):
            if isinstance(statement, f.Assign):
                target = statement.target
                kept = isinstance(target, f.Field) and tells(self._program.type_of(target.usr))
                if kept and _is(statement.value, param):
                    return True, []
            elif isinstance(statement, (f.Call, f.Make)):
                callee = statement.ctor if isinstance(statement, f.Make) else _callee(statement)
                mine = [i for i, arg in enumerate(statement.args) if _is(arg, param)]
                bodies = self._program.body_of(callee) if callee and mine else ()
                handed.extend((body, i) for body in bodies for i in mine)
        return False, handed


class Lent:
    """Finds such variables of one function."""

    def __init__(self, program: Program, function: f.Function, keepers: Keepers) -> None:
        self._program = program
        self._function = function
        self._keepers = keepers
        #: variables that are a lambda's own
        self._captured: set[str] = set()
        for statement in f.walk(function.body):
            for value in _values(statement):
                inner = program.functions.get(value.usr) if isinstance(value, f.Closure) else None
                self._captured.update(inner.captures if inner is not None else ())
        self._calls: dict[int, f.Call] = {}
        self._written: set[tuple[int, int]] = set()

    def find(self) -> frozenset[str]:
        """Keys of all of them."""
        found: set[str] = set()
        for statement in f.walk(self._function.body):
            found.update(self._by(statement))
        return frozenset(found)

    def _by(self, statement: f.Stmt) -> Iterator[str]:
        if isinstance(statement, f.Written):
            self._written.add((statement.call, statement.argument))
        elif isinstance(statement, f.Call):
            self._calls[statement.id] = statement
            yield from self._called(statement)
        elif isinstance(statement, f.Make):
            bodies = self._program.body_of(statement.ctor) if statement.ctor else ()
            yield from self._handed(bodies, statement.args)
            if not bodies:
                yield from self._listed(statement.type, f.AnyOf(statement.args))
        elif isinstance(statement, f.Local):
            if statement.value is not None:
                yield from self._bound(statement.usr, statement.value)
        elif isinstance(statement, f.Assign):
            if isinstance(statement.target, f.AnyOf):
                yield from self._variables(statement.target)
            elif isinstance(statement.target, f.Result):
                yield from self._through(statement.target)
            elif isinstance(statement.target, f.Var):
                yield from self._bound(statement.target.usr, statement.value)
            elif isinstance(statement.target, f.Field) and self._tells(statement.target.usr):
                yield from self._variables(statement.value)

    def _bound(self, usr: str, value: f.Value) -> Iterator[str]:
        """A variable comes to refer to what *value* names."""
        spelling = self._program.type_of(usr)
        if not tells(spelling):
            if isinstance(value, f.AnyOf) and value.cond is None:
                yield from self._listed(spelling, value)
        elif isinstance(value, f.AnyOf):
            yield from self._variables(value)
        elif isinstance(value, f.Result):
            yield from self._through(value)
        elif spelling.rstrip().endswith("*") and usr in self._captured:
            yield from self._variables(value)

    def _listed(self, spelling: str, values: f.AnyOf) -> Iterator[str]:
        """Addresses in an initialiser list, of a class's members or of elements."""
        for i, value in enumerate(values.values):
            field = values.fields[i] if i < len(values.fields) else ""
            if isinstance(value, f.AnyOf):
                yield from self._listed(spelling, value)
            elif self._tells(field) if field else "*" in spelling:
                yield from self._variables(value)

    def _called(self, call: f.Call) -> Iterator[str]:
        target = call.target
        bodies: Sequence[str] = ()
        if isinstance(target, f.Fn):
            bodies = self._program.body_of(target.usr)
            yield from self._handed(bodies or self._making(call), call.args)
            name = self._program.name_of(target.usr)
            if not bodies and target.base is not None:
                if name.endswith("operator()"):
                    yield from self._by_signature(target.base, call.args)
                elif "*" in self._spelling(target.base):  # a container of pointers
                    given = enumerate(call.args)
                    for value in (a for at, a in given if (call.id, at) in self._written):
                        yield from self._variables(value)
        elif isinstance(target, (f.Var, f.Field)):
            yield from self._by_signature(target, call.args)

    def _making(self, call: f.Call) -> Sequence[str]:
        """Constructors that a function of a library hands its arguments to: make_unique."""
        arguments = self._program.split(call.type)[1] if call.type else ()
        made = (
            self._program.classes.get(self._program.split(arguments[0])[0]) if arguments else None
        )
        return [b for c in made.ctors for b in self._program.body_of(c)] if made is not None else ()

    def _by_signature(self, callee: f.Value, args: Sequence[f.Value]) -> Iterator[str]:
        """A callable is called of which only the type is known, or less."""
        spelling = self._spelling(callee)
        types = parameters(spelling)
        if types is None and (not spelling or "lambda" in spelling or "::" in spelling):
            return
        for at, arg in enumerate(args):
            if types is None or (at < len(types) and tells(types[at])):
                yield from self._variables(arg)

    def _spelling(self, value: f.Value) -> str:
        return self._program.type_of(value.usr) if isinstance(value, f.Var | f.Field) else ""

    def _through(self, result: f.Result) -> Iterator[str]:
        """What a call returned is written to: one of its arguments, for all that is known."""
        call = self._calls.get(result.call)
        for arg in call.args if call is not None else ():
            yield from self._variables(arg)

    def _handed(self, bodies: Sequence[str], args: Sequence[f.Value]) -> Iterator[str]:
        for at, arg in enumerate(args):
            if any(self._keepers.keeps(body, at) for body in bodies):
                yield from self._variables(arg)

    def _variables(self, value: f.Value | None) -> Iterator[str]:
        if isinstance(value, f.Var):
            yield value.usr
        elif isinstance(value, f.AnyOf):
            for each in value.values:
                yield from self._variables(each)

    def _tells(self, usr: str) -> bool:
        return tells(self._program.type_of(usr))


def _is(value: f.Value, usr: str) -> bool:
    return isinstance(value, f.Var) and value.usr == usr


def _values(statement: f.Stmt) -> Sequence[f.Value | None]:
    if isinstance(statement, f.Call | f.Make):
        return statement.args
    return (statement.value,) if isinstance(statement, f.Local | f.Assign | f.Return) else ()


def _callee(call: f.Call) -> str:
    return call.target.usr if isinstance(call.target, f.Fn) else ""


def parameters(spelling: str) -> list[str] | None:
    """Types of the parameters of a callable of that type; None where it says nothing of them."""
    end = spelling.rfind(")")
    if end < 0:
        return None
    depth, start, found, last = 0, end, list[str](), end
    for start in range(end, -1, -1):
        depth += (spelling[start] in ")>") - (spelling[start] in "(<")
        if depth == 1 and spelling[start] == ",":
            found.append(spelling[start + 1 : last])
            last = start
        if not depth:
            break
    found.append(spelling[start + 1 : last])
    return [text.strip() for text in reversed(found) if text.strip()]
