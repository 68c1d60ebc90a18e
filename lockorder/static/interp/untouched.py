"""What nothing has written to since a function began, as its text shows.

A member, or a parameter, is as it was at first where no write to it comes before in the text, and
no loop around writes to it: what a loop writes to may have been written to anywhere in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import conditions, ownership, unseen
from lockorder.static.interp.summary import Began, Premise, Site, State
from lockorder.static.interp.values import number_truth
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import parts, walk
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.written import Before, how_passed, passed_as, passing

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk

#: Where a call may write to whatever there is.
ANYTHING = "*"
#: Before the key of a variable or member that a call has got, or that a method may have changed.
HANDED = "handed:"


def is_as_at_first(act: Walk, site: Site, path: Path) -> bool:
    """Whether nothing has written to *path* from the function's begin to a call at *site*."""
    if act.is_constant(path):
        return True
    before = first_writes(act).get((site.line, site.column))
    return before is not None and _is_untouched(act, before, path)


def is_untouched(act: Walk, branch: f.If | f.Switch, path: Path) -> bool:
    """The same of what a *branch* is about."""
    before = first_writes(act).get(id(branch))
    return before is not None and _is_untouched(act, before, path)


def _is_untouched(act: Walk, before: Before, path: Path) -> bool:
    if ANYTHING in before.names or not all(isinstance(s, str) for s in path.steps):
        return False
    members = path.members
    if path.root != act.values.this.root:
        if not (
            act.engine.is_argument(act.function, path.base) or act.program.is_lasting(path.variable)
        ):
            return False
        members = (path.variable, *members)
    elif not members:
        return False
    if any(usr in before.names or HANDED + usr in before.names for usr in members):
        return False
    written = act.engine.written
    if before.waited and written.has(written.anywhere, members) and unseen.is_shared(act, path):
        return False
    return not written.has(before.reached, members)


def known(act: Walk, state: State, paths: Paths, asked: Premise | Began) -> bool | None:
    """Whether what *asked* is about, at *paths* in a caller, is so there, as far as it knows."""
    found = {_is(act, state, path, asked) for path in paths}
    return found.pop() if len(found) == 1 else None


def _is(act: Walk, state: State, path: Path, asked: Premise | Began) -> bool | None:
    # Its pointer is another's now, what it leads to lives.
    moved = path.is_made and not path.steps and not _is_optional(act, path)
    if not asked.literal and not moved and ownership.is_empty(state, path):
        return False
    if asked.literal:
        return conditions.is_number(state, path, Path.of_literal(asked.literal))
    if path.is_literal:
        return number_truth(path.literal)
    told = state.facts.get(path)
    last = asked.path.last if asked.path.steps else asked.path.variable
    declared = act.program.type_of(last).rstrip()
    if told is None and act.program.is_indirect(declared) and not declared.endswith("&"):
        spelling = act.identities.type_of(path)
        if spelling and not act.program.is_indirect(spelling):
            return True  # the address of an object
    return told


def _is_optional(act: Walk, path: Path) -> bool:
    """Whether it is an object that has what it owns inside of itself."""
    spelling = act.identities.made_types.get(path.root, "")
    return act.knowledge.is_single(act.program.split(act.program.plain(spelling))[0])


def first_writes(act: Walk) -> dict[object, Before]:
    """By branch, and by place of a call: what may have been written to before."""
    if act.first_writes is None:
        act.first_writes = {}
        if any(isinstance(s, f.If | f.Switch | f.Call) for s in walk(act.function.body)):
            _Follower(act, act.first_writes).follow(act.function.body)
    return act.first_writes


class _Follower:
    """Goes through a function's text."""

    def __init__(self, act: Walk, found: dict[object, Before]) -> None:
        self._act = act
        self._found = found
        self._names: set[str] = set()
        self._reached = 0
        self._waited = False
        self._again = _rounds(act.function.body)
        #: A loop is gone through for what it writes to, and for nothing else.
        self._only_writes = False

    def _now(self) -> Before:
        return Before(frozenset(self._names), self._reached, self._waited)

    def follow(self, block: f.Block) -> None:
        act = self._act
        before: f.Stmt | None = None
        once = {s.id for s in block.body if isinstance(s, f.Call) and _is_once(act, s)}
        assigned = Before(frozenset(), 0)  # what was written to before an assignment
        for statement in block.body:
            if isinstance(statement, f.Label):
                self._all_writes(self._again.get(statement.name, ()))
                continue
            if isinstance(statement, f.Loop):
                self._all_writes(parts(statement))
                for part in parts(statement):
                    self.follow(part)
                before = statement
                continue
            if isinstance(statement, f.If | f.Switch):
                self._found[id(statement)] = self._now()
            for part in parts(statement):
                self.follow(part)
            if isinstance(statement, f.Written) and statement.call in once:
                continue  # what the flag says comes from the call
            if isinstance(statement, f.Assign | f.Written):
                assigned = self._now()
                if isinstance(statement.target, f.Field):
                    self._names.add(statement.target.usr)
                elif isinstance(statement.target, f.Var):
                    self._names.add(HANDED + statement.target.usr)
            elif isinstance(statement, f.Call):
                target = statement.target
                own = isinstance(before, f.Assign) and _is_operator(target, before.target)
                self._found[statement.line, statement.column] = assigned if own else self._now()
                if isinstance(target, f.Fn):
                    self._reach(act.program.body_of(target.usr))
                self._waited |= _waits(act, target)
                self._handed(statement)
            elif isinstance(statement, f.Make):
                if statement.ctor:
                    self._reach(act.program.body_of(statement.ctor))
                self._passed(statement.ctor, statement.args)
            before = statement

    def _all_writes(self, blocks: Iterable[f.Block]) -> None:
        """What is written to anywhere in *blocks* comes before all that is in them, too."""
        if self._only_writes:
            return
        found, self._found = self._found, {}
        self._only_writes = True
        for block in blocks:
            self.follow(block)
        self._found, self._only_writes = found, False

    def _handed(self, call: f.Call) -> None:
        """What a call gets or a method may change, where nobody looks at which it does."""
        act, target = self._act, call.target
        own = isinstance(target, f.Name) and target.base == f.This()
        if own or not isinstance(target, f.Fn | f.Name):
            self._names.add(ANYTHING)
        elif call.virtual and isinstance(target, f.Fn):
            self._reach(act.program.overriders(target.usr))
        callee = target.usr if isinstance(target, f.Fn) else ""
        self._passed(callee, call.args)
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        if isinstance(base, f.Var | f.Field) and not _only_looks(act, target):
            self._names.add(HANDED + base.usr)

    def _reach(self, bodies: Iterable[str]) -> None:
        """A call runs one of *bodies*."""
        for body in bodies:
            self._reached |= self._act.engine.written.perhaps.get(body, 0)

    def _passed(self, callee: str, arguments: Sequence[f.Value]) -> None:
        """What a call of *callee* can write to, or hand on, as it is passed its *arguments*."""
        for at, argument in enumerate(arguments):
            self._names.update(
                HANDED + usr for usr in _named(argument) if not self._is_left(callee, at, usr)
            )

    def _is_left(self, callee: str, at: int, usr: str) -> bool:
        """Whether a call leaves a variable as it is that is its argument number *at*."""
        program = self._act.program
        bodies = [program.functions[b] for b in program.body_of(callee)] if callee else []
        types = [program.type_of(b.params[at]).rstrip() for b in bodies if at < len(b.params)]
        if types:
            return not any(t.endswith("&&") or passed_as(t) != "-" for t in types)
        copied = bool(callee) and how_passed(passing(program, callee)[1], at) == "-"
        return copied and conditions.is_plain(program, usr)


def _rounds(body: f.Block) -> dict[str, list[f.Block]]:
    """By label to which something after it jumps: what may have run before it, too."""
    order = walk(body)
    at = {s.name: number for number, s in enumerate(order) if isinstance(s, f.Label)}
    last: dict[str, int] = {}
    for number, statement in enumerate(order):
        if isinstance(statement, f.Goto) and at.get(statement.label, number) < number:
            last[statement.label] = number
    found: dict[str, list[f.Block]] = {}
    for label, end in last.items():
        first = at[label]
        inside = order[first:end]
        loops = [s for s in inside if isinstance(s, f.Loop)]  # and all of those: they go round
        simple: list[f.Stmt] = [s for s in inside if not parts(s) and not isinstance(s, f.Label)]
        found[label] = [f.Block(simple), *(part for loop in loops for part in parts(loop))]
    return found


def _is_once(act: Walk, call: f.Call) -> bool:
    """Whether it is a call of ``call_once``."""
    return act.program.called(call) in act.knowledge.onces


def _waits(act: Walk, target: f.Value) -> bool:
    """Whether a call is known to wait for other threads."""
    if not isinstance(target, f.Fn):
        return False
    name, k = act.program.name_of(target.usr), act.knowledge
    return name in k.waits or name in k.blocks


def _is_operator(target: f.Value, assigned: f.Value) -> bool:
    """Whether a call is the operator= of what was just assigned to."""
    return isinstance(target, f.Fn | f.Name) and target.base == assigned


def _named(value: f.Value) -> Iterator[str]:
    if isinstance(value, f.Var | f.Field):
        yield value.usr
    elif isinstance(value, f.AnyOf):
        for each in value.values:
            yield from _named(each)


def _only_looks(act: Walk, target: f.Value) -> bool:
    """Whether a method leaves its object as it is: it is declared ``const``."""
    if not isinstance(target, f.Fn) or target.usr not in act.program.decls:
        return False
    return not passing(act.program, target.usr)[0]
