"""What functions write to: members, globals and what lambdas have by reference, calls included.

Two answers, since targets of calls are of two kinds.  ``surely`` follows calls whose target is
written down, ``perhaps`` also what a call may reach by dispatch or through a stored callable.  A
set of declarations is an integer with a bit for each: a union is one operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.parse.number_types import INTEGERS
from lockorder.static.program.callgraph import CallGraph
from lockorder.static.program.link import Program

_THIS = "this"
#: Before the key of what is only left empty: a thread that was waited for, a future.
_EMPTIED = "emptied:"
#: Keys of initialisers of members, which run on the object that is made.
_DEFAULT = "nsdmi:"


class Before(NamedTuple):
    """What may have been written to before some place, in the order of the text.

    *names* are keys, *reached* is a set of what calls write to, in the bits of ``Written``.
    *waited*: other threads may have run meanwhile, as a call waited for one.
    """

    names: frozenset[str]
    reached: int
    waited: bool = False


class Written:
    """Which declarations each function writes to, once its callees are known."""

    def __init__(self, program: Program, calls: CallGraph) -> None:
        self._program = program
        self._calls = calls
        self._bits: dict[str, int] = {}
        #: By key: the set of it, written to or left empty.
        self._changed: dict[str, int] = {}
        self.surely: dict[str, int] = {}
        self.perhaps: dict[str, int] = {}
        #: The part of ``perhaps`` that may be in another object than that of the function itself.
        self.elsewhere: dict[str, int] = {}
        #: By function: the numbers of its parameters through which it writes.
        self.through: dict[str, frozenset[int]] = {}
        self._own: dict[str, _Own] = {}
        #: What anything but a constructor writes to.
        self.anywhere = 0
        for usr, function in program.functions.items():
            own = self._own[usr] = _Own(program, function)
            for written in own.written:
                bit = 1 << self._bits.setdefault(written, len(self._bits))
                self.anywhere |= bit
                key = written.removeprefix(_EMPTIED)
                self._changed[key] = self._changed.get(key, 0) | bit

    def close(self, group: Sequence[str]) -> None:
        """Find out about functions that call each other; their other callees are known."""
        inside = set(group)
        perhaps = elsewhere = 0
        self._close_surely(group)
        for usr in group:
            own = self._own[usr]
            perhaps |= self.surely[usr]
            for written in own.written:
                elsewhere |= (written not in own.mine) << self._bits[written]
            for callee in self._calls.callees(self._program.functions[usr]):
                perhaps |= self.perhaps.get(callee, 0)
                same = callee in own.on_this or callee.startswith(_DEFAULT)
                known = self.elsewhere if same else self.perhaps
                elsewhere |= known.get(callee, 0)
        for usr in group:
            self.perhaps[usr] = perhaps
            self.elsewhere[usr] = elsewhere if len(group) == 1 else perhaps
        for usr in group:
            own = self._own[usr]
            handed = (
                mine
                for mine, callees, number in own.handed
                if any(
                    c in inside or number in self.through.get(c, frozenset((number,)))
                    for c in callees
                )
                or not callees
            )
            self.through[usr] = frozenset((*own.params, *handed))

    def _close_surely(self, group: Sequence[str]) -> None:
        """What is surely among the calls of each, where they call each other by dispatch as well.

        Those who are called by name from what has grown are asked again.
        """
        callers: dict[str, list[str]] = {}
        for usr in group:
            own = self._own[usr]
            self.surely[usr] = 0
            for written in own.written:
                self.surely[usr] |= 1 << self._bits[written]
            for callee in own.callees:
                callers.setdefault(callee, []).append(usr)
        for usr in group:
            for callee in self._own[usr].callees:
                self.surely[usr] |= self.surely.get(callee, 0)
        pending = list(group)
        while pending:
            callee = pending.pop()
            below = self.surely[callee]
            for usr in callers.get(callee, ()):
                if below & ~self.surely[usr]:
                    self.surely[usr] |= below
                    pending.append(usr)

    def has(self, written: int, declarations: Sequence[str]) -> bool:
        """Whether one of *declarations* is in the set *written*."""
        return any(written & self._changed.get(usr, 0) for usr in declarations)

    def is_put(self, written: int, declarations: Sequence[str]) -> bool:
        """The same of those that something may have been put to."""
        bits = (self._bits[usr] for usr in declarations if usr in self._bits)
        return any(written >> bit & 1 for bit in bits)


class _Own:
    """What one function writes to by itself."""

    def __init__(self, program: Program, function: f.Function) -> None:
        self._program = program
        self._function = function
        self._numbers = {usr: at for at, usr in enumerate(function.params)}
        self._aliases: dict[str, f.Value] = {}
        self.written: dict[str, None] = {}
        self.params: set[int] = set()
        #: Parameters that are handed on: the number, to which functions, as which of theirs.
        self.handed: list[tuple[int, tuple[str, ...], int]] = []
        self.callees: dict[str, None] = {}
        #: What is written to in the function's own object, and what is called on that only.
        self.mine: set[str] = set()
        self.on_this: set[str] = set()
        self._others: set[str] = set()
        for statement in walk(function.body):
            if isinstance(statement, (f.Assign, f.Written)):
                self._note(statement.target)
                if isinstance(statement, f.Assign):
                    self._assigned(statement)
            elif isinstance(statement, f.Local):
                self._local(statement)
            elif isinstance(statement, f.Call):
                self._call(statement)
            elif isinstance(statement, f.Make):
                bodies = program.body_of(statement.ctor) if statement.ctor else ()
                self._passed(statement.args, statement.ctor, bodies)
                self._others.update(bodies)
        self.mine -= self._others
        self.on_this -= self._others

    def _local(self, local: f.Local) -> None:
        if local.value is None:
            return
        self._mentioned(local.value)
        if isinstance(local.value, f.Var | f.Field) and self._refers(local.usr):
            self._aliases[local.usr] = local.value

    def _assigned(self, assign: f.Assign) -> None:
        """A member that refers to what a parameter refers to may be written to at any time."""
        self._mentioned(assign.value)
        value, target = assign.value, assign.target
        number = self._numbers.get(value.usr) if isinstance(value, f.Var) else None
        refers = isinstance(target, f.Field | f.Var) and self._refers(target.usr)
        if number is not None and refers and isinstance(value, f.Var) and self._refers(value.usr):
            self.params.add(number)

    def _call(self, call: f.Call) -> None:
        target = call.target
        self._mentioned(target)
        if not isinstance(target, f.Fn):
            for arg in call.args:
                self._mentioned(arg)
            return
        bodies = self._program.body_of(target.usr)
        if call.virtual:
            overriders = self._program.overriders(target.usr)
            bodies = (*bodies, *(o for o in overriders if o not in bodies))
        base = target.base
        if not bodies and isinstance(base, f.Var) and passing(self._program, target.usr)[0]:
            number = self._numbers.get(base.usr)
            if number is not None and self._refers(base.usr):
                self.params.add(number)  # by reset() of a smart pointer, say
        if not bodies and isinstance(base, f.Var | f.Field):
            how = self._change(target, base.usr)
            if how is not None:
                self._note(base, how)
        if len(bodies) == 1:
            self.callees.update(dict.fromkeys(bodies))
        (self.on_this if isinstance(target.base, f.This) else self._others).update(bodies)
        self._passed(call.args, target.usr, bodies)

    def _change(self, method: f.Fn, usr: str) -> str | None:
        """How a library's method may change what a variable has; None where it does not.

        It may put something there or take it out, or leave nothing there (``_EMPTIED``).
        """
        k = self._program.knowledge
        kind = self._program.split(self._program.plain(self._program.type_of(usr)))[0]
        content, owner = k.contents.get(kind), k.owners.get(kind)
        if content is None and owner is None:
            return None
        name = self._program.name_of(method.usr).rpartition("::")[2]
        if content is not None and name in content.keeps:
            return None
        if not passing(self._program, method.usr)[0]:
            return None
        return _EMPTIED if content is not None and name in content.empties else ""

    def _passed(self, args: Sequence[f.Value], callee: str, bodies: Sequence[str]) -> None:
        passed = passing(self._program, callee)[1]
        for at, arg in enumerate(args):
            self._mentioned(arg)
            how = how_passed(passed, at)
            if not isinstance(arg, f.Var | f.Field) or how not in ("&", "*"):
                continue
            number = self._numbers.get(arg.usr)
            if number is not None:
                self.handed.append((number, tuple(bodies), at))
            elif how == "&" and not self._is_object(arg.usr):
                self._note(arg)

    def _mentioned(self, value: f.Value) -> None:
        """Lambdas that stand here run here, as far as is known, or are handed on."""
        if isinstance(value, f.Closure):
            self.callees[value.usr] = None
        elif isinstance(value, f.AnyOf):
            for each in value.values:
                self._mentioned(each)

    def _note(self, target: f.Value, how: str = "") -> None:
        if isinstance(target, f.Var):
            number = self._numbers.get(target.usr)
            variable = self._program.variables.get(target.usr)
            if number is not None:
                if self._refers(target.usr):
                    self.params.add(number)
            elif variable is None or target.usr in self._function.captures:
                return
            elif variable.kind not in ("local", "param") or variable.owner != self._function.usr:
                self.written[how + target.usr] = None
            elif target.usr in self._aliases:
                self._note(self._aliases[target.usr], how)
        elif isinstance(target, f.Field) and not self._is_own(target.base):
            own = isinstance(target.base, f.This) and not self._function.parent
            for usr in self._whole(target.usr):
                self.written[how + usr] = None
                (self.mine if own else self._others).add(how + usr)

    def _whole(self, usr: str) -> Iterator[str]:
        """A member, and those of the object that it is: all are written to with it."""
        pending, seen = [usr], {usr}
        while pending:
            here = pending.pop()
            yield here
            known = self._program.classes.get(self._program.type_of(here).removeprefix("const "))
            for field in known.fields if known is not None else ():
                if field not in seen:
                    seen.add(field)
                    pending.append(field)

    def _is_own(self, base: f.Value) -> bool:
        """Whether an object is one that nobody else has yet."""
        while isinstance(base, f.Field) and not self._refers(base.usr):
            base = base.base
        if isinstance(base, f.This):
            made = self._function.usr.startswith(_DEFAULT)
            return made or self._function.kind == "constructor"
        if isinstance(base, f.Var):
            variable = self._program.variables.get(base.usr)
            mine = variable is not None and variable.owner == self._function.usr
            return (
                mine
                and variable is not None
                and not self._refers(base.usr)
                and (variable.kind == "local")
            )
        return isinstance(base, f.Made)

    def _refers(self, usr: str) -> bool:
        return self._program.is_indirect(self._program.type_of(usr))

    def _is_object(self, usr: str) -> bool:
        spelling = self._program.plain(self._program.type_of(usr))
        return self._program.split(spelling)[0] in self._program.classes


def is_given_another(statements: Iterable[f.Stmt], variable: str) -> bool:
    """Whether *statements* themselves give a variable another value."""
    return any(
        isinstance(s, f.Assign | f.Written) and s.target == f.Var(variable) for s in statements
    )


def passing(program: Program, callee: str) -> tuple[bool, str]:
    """Whether a function may write to its object, and how it is passed its arguments.

    The latter as ``parse.clang.passing`` says.
    """
    decl = program.decls.get(callee)
    if decl is None:
        return False, ""
    if not decl.passed and decl.types:
        decl.passed = "".join(passed_as(t) for t in decl.types)
    text = decl.passed
    return text.startswith(_THIS), text.removeprefix(_THIS)


def how_passed(passed: str, at: int) -> str:
    """How argument number *at* is passed; empty where it is not known."""
    if passed.endswith("+"):
        return passed[min(at, len(passed) - 2)]
    return passed[at : at + 1]


def passed_as(spelling: str) -> str:
    """How a parameter of that type is passed, as ``parse.clang.passing`` says."""
    text = spelling.strip()
    sign = text[-1:] if text[-1:] in ("&", "*") and not text.endswith("&&") else ""
    inner = text[:-1].rstrip()
    const = inner.endswith("const") or (inner.startswith("const ") and inner[-1:] not in "&*")
    return sign if sign and not const else "-"


def tells(spelling: str) -> bool:
    """Whether a parameter of such a type refers to a number or flag of the caller's."""
    text = spelling.rstrip()
    inner = text[:-1].rstrip().removeprefix("volatile ")
    return text.endswith(("&", "*")) and inner in INTEGERS


def gives(spelling: str) -> bool:
    """Whether a parameter of such a type refers to a pointer of the caller's."""
    text = spelling.rstrip()
    return text.endswith(("&", "*")) and text[:-1].rstrip().endswith("*")
