"""Pointers that no function uses without having asked whether they are null.

Code that follows a pointer without a question takes it that somebody has set it: in what was not
read, where nothing that was read does.  Asked is by a condition, of the pointer or of a local copy,
anywhere in the function or its lambdas.  Of a thread it is ``join`` that has to be asked for.
"""

from __future__ import annotations

from collections.abc import Collection
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

_OPERATIONS = (f.Not, f.Both, f.Compare, f.Less, f.AnyOf, f.Op)


class Told(NamedTuple):
    """Those of which some function asks something, and those that one uses all the same."""

    tested: AbstractSet[str]
    untested: AbstractSet[str]


def find(program: Program, knowledge: Knowledge, asked: AbstractSet[str]) -> Told:
    """What is so of the pointers and threads *asked* for."""
    files = {program.variables[usr].file for usr in asked}
    classes = {program.variables[usr].name.rpartition("::")[0] for usr in asked}
    found: dict[str, _Uses] = {}
    for function in program.functions.values():
        home = program.home(function) or function
        if function.file in files or home.cls in classes:
            uses = found.setdefault(home.usr, _Uses(program, knowledge, asked))
            uses.read(function)
    return Told(
        {usr for uses in found.values() for usr in uses.tested()},
        {usr for uses in found.values() for usr in uses.untested()},
    )


class _Uses:
    """What a function and its lambdas do with them."""

    def __init__(self, program: Program, knowledge: Knowledge, asked: Collection[str]) -> None:
        self._program = program
        self._knowledge = knowledge
        self._all = asked
        self._used: set[str] = set()
        #: what conditions ask, by key, and by local: what it is a copy of
        self._asked: set[str] = set()
        self._copies: dict[str, set[str]] = {}
        #: by construction of a copy, and by call that hands it on: what it is
        self._made: dict[int, list[str]] = {}
        self._handed: dict[int, list[str]] = {}

    def untested(self) -> set[str]:
        """Those that are used, and of which nothing is asked."""
        return self._used - self.tested()

    def tested(self) -> set[str]:
        """Those of which something is asked, or of a copy."""
        copied = {u for local in self._asked for u in self._copies.get(local, ())}
        return copied.union(u for u in self._asked if u in self._all)

    def read(self, function: f.Function) -> None:
        """Read one of the function's texts."""
        calls: dict[int, f.Call] = {}
        self._made.clear()
        self._handed.clear()
        for statement in f.walk(function.body):
            if isinstance(statement, f.Call):
                calls[statement.id] = statement
                self._call(statement)
            elif isinstance(statement, f.If | f.Loop | f.Switch):
                self._ask(statement.cond, calls)
            elif isinstance(statement, f.Make):
                self._make(statement)
            elif isinstance(statement, f.Local):
                self._copy(statement.usr, statement.value)
                self._ask_in(statement.value, calls)
            elif isinstance(statement, f.Assign):
                target = statement.target
                self._copy(
                    target.usr if isinstance(target, f.Var | f.Field) else "", statement.value
                )
                self._follow(target)
                self._ask_in(statement.value, calls)
            elif isinstance(statement, f.Return):
                self._ask_in(statement.value, calls)
                self._use(statement.value)
            for value in f.values(statement):
                self._follow(value)
                if isinstance(value, f.AnyOf):
                    self._ask(value.cond, calls)

    def _those(self, value: f.Value | None) -> list[str]:
        if isinstance(value, f.Var | f.Field) and value.usr in self._all:
            return [value.usr]
        if isinstance(value, f.AnyOf):
            return [usr for each in value.values for usr in self._those(each)]
        if isinstance(value, f.Made):
            return self._made.get(value.make, [])
        return self._handed.get(value.call, []) if isinstance(value, f.Result) else []

    def _use(self, *values: f.Value | None) -> None:
        for value in values:
            self._used.update(self._those(value))

    def _follow(self, value: f.Value) -> None:
        """A member or an element of what one points to."""
        if isinstance(value, f.Field | f.Elem | f.Whole):
            self._use(value.base)

    def _copy(self, usr: str, value: f.Value | None) -> None:
        for source in self._those(value):
            if usr and usr not in self._all:
                self._copies.setdefault(usr, set()).add(source)
            if usr not in self._all:
                self._used.add(source)

    def _make(self, make: f.Make) -> None:
        owner = self._knowledge.owners.get(self._program.split(make.type)[0])
        if owner is not None and owner.pointer and len(make.args) == 1:
            self._made[make.id] = self._those(make.args[0])
        else:
            self._use(*make.args)

    def _call(self, call: f.Call) -> None:
        target = call.target
        base = target.base if isinstance(target, f.Fn | f.Name) else None
        name, k = self._program.called(call), self._knowledge
        if (name in k.moves or name in k.puts) and call.args:
            self._handed[call.id] = self._those(call.args[0])
        elif name.rpartition("::")[2] != f.ASSIGNMENT:
            self._use(*call.args)
        for usr in self._those(base):
            plain = self._program.type_of(usr).endswith("*")
            last = name.rpartition("::")[2]
            if plain or name in k.blocks or (last in k.same_methods and last not in k.asks):
                self._used.add(usr)

    # -- questions --------------------------------------------------------------------------------

    def _ask_in(self, value: f.Value | None, calls: dict[int, f.Call]) -> None:
        """A condition that is kept or returned."""
        if isinstance(value, _OPERATIONS) and not isinstance(value, f.AnyOf):
            self._ask(value, calls)

    def _ask(self, value: f.Value | None, calls: dict[int, f.Call]) -> None:
        if isinstance(value, f.Var | f.Field):
            self._asked.add(value.usr)
        elif isinstance(value, f.Result) and value.call in calls:
            call = calls[value.call]
            base = call.target.base if isinstance(call.target, f.Fn) else None
            name = self._program.called(call)
            asks = name.rpartition("::")[2] in self._knowledge.asks
            if isinstance(base, f.Var | f.Field) and (asks or name in self._knowledge.says_whether):
                self._asked.add(base.usr)
        elif isinstance(value, f.Not):
            self._ask(value.value, calls)
        elif isinstance(value, f.Both | f.Compare | f.Less | f.Op):
            self._ask(value.left, calls)
            self._ask(value.right, calls)
        elif isinstance(value, f.AnyOf):
            for each in (value.cond, *value.values):
                self._ask(each, calls)
