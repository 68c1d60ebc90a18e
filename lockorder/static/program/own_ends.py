"""Classes whose objects always end by a function that their makers gave to a smart pointer.

``std::shared_ptr<Agent>(new Agent(...), end_without_gil<Agent>)``: whoever has the last of these
pointers, in whatever container or wrapper of another language, runs ``end_without_gil`` and not the
destructor by itself.  It is so of a class if each of its objects that is made with ``new`` goes
straight into such a pointer, and none is made in another way that pointers could own.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program


class OwnEnds:
    """Answers for one program."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge
        #: By class: functions that end its objects.
        self._ends: dict[str, dict[str, None]] = {}
        #: Classes of which an object is made that no such function ends.
        self._plain: set[str] = set()
        for function in program.functions.values():
            self._read(function)

    def of(self, cls: str) -> tuple[str, ...]:
        """The functions that end objects of *cls*; empty where some end as they are."""
        return () if cls in self._plain else tuple(self._ends.get(cls, ()))

    def _read(self, function: f.Function) -> None:
        made: dict[int, str] = {}
        for statement in walk(function.body):
            if isinstance(statement, f.Make):
                if statement.heap:
                    made[statement.id] = self._class(statement.type)
                    continue
                self._given(statement, made)
            elif isinstance(statement, f.Call):
                self._plain.update(self._made_by(statement))
        self._plain.update(made.values())

    def _given(self, make: f.Make, made: dict[int, str]) -> None:
        """A smart pointer that begins with a new object and what ends that."""
        owner = self._knowledge.owners.get(self._program.split(make.type)[0])
        if owner is None or not owner.pointer or len(make.args) < 2:
            return
        thing, ends = make.args[0], tuple(self._functions(make.args[1]))
        if isinstance(thing, f.Made) and thing.make in made and ends:
            self._ends.setdefault(made.pop(thing.make), {}).update(dict.fromkeys(ends))

    def _functions(self, value: f.Value) -> Iterator[str]:
        if isinstance(value, f.Closure):
            yield value.usr
        elif isinstance(value, f.Fn):
            yield from self._program.body_of(value.usr)

    def _made_by(self, call: f.Call) -> Iterator[str]:
        """The class of which a function without a body makes an object: ``make_shared<Agent>()``.

        One that is written here has its ``new`` in its body, once for each type that it is for.
        """
        target, k = call.target, self._knowledge
        if not isinstance(target, f.Fn) or target.base is not None:
            return
        name, arguments = self._program.split(call.type)
        owner = k.owners.get(name)
        if owner is None or not owner.pointer or not arguments:
            return
        called = self._program.name_of(target.usr)
        if not (self._program.body_of(target.usr) or called in k.casts or called in k.moves):
            yield self._class(arguments[0])

    def _class(self, spelling: str) -> str:
        return self._program.split(self._program.plain(spelling).rstrip("* "))[0]
