"""Threads of which an object has one at a time: the member that stands for it takes no other.

``worker_ = std::thread(&Pool::run, this)`` ends the program where the last one has not been waited
for, so that no two threads are in ``run`` for one pool.  It counts for members that nothing is
done to but this, and to wait for what they stand for: who detaches one, or moves it away, can begin
another.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program

#: What leaves the thread where it is ([thread.thread.member], [thread.jthread.stop]).
_STAYS = (
    "join", "joinable", "get_id", "native_handle", "operator=", "request_stop", "get_stop_token",
    "get_stop_source",
)  # fmt: skip


class Runners:
    """Which members stand for the only thread of their object."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._members = {
            usr
            for usr, variable in program.variables.items()
            if variable.kind == "field" and variable.type.strip() in knowledge.single_threads
        }
        #: by function and number of what is made: the member of ``this`` that takes it
        self._taken: dict[tuple[str, str], str] = {}
        if not self._members:
            return
        other: set[str] = set()
        for function in program.functions.values():
            for statement in f.walk(function.body):
                other.update(self._used(function, statement))
        self._members -= other

    def _used(self, function: f.Function, statement: f.Stmt) -> Iterator[str]:
        """Members to which *statement* does something else."""
        if isinstance(statement, f.Assign):
            if self._is_taken(function, statement.target, statement.value):
                return
        elif isinstance(statement, f.Call) and isinstance(statement.target, f.Fn | f.Name):
            base = statement.target.base
            if isinstance(base, f.Field) and base.usr in self._members:
                if self._program.called(statement).rpartition("::")[2] not in _STAYS:
                    yield base.usr
                for value in statement.args:
                    if not self._is_taken(function, base, value):
                        yield from self._in(value)
                return
        for value in f.values(statement):
            yield from self._in(value)

    def _in(self, value: f.Value) -> Iterator[str]:
        for part in f.parts_of(value):
            if isinstance(part, f.Field) and part.usr in self._members:
                yield part.usr

    def _is_taken(self, function: f.Function, target: f.Value, value: f.Value | None) -> bool:
        """Whether *target* is such a member of ``this`` that takes what is made as *value*."""
        if not isinstance(target, f.Field) or target.usr not in self._members:
            return False
        if isinstance(value, f.Made) and isinstance(target.base, f.This):
            self._taken[function.usr, str(value.make)] = target.usr
        return isinstance(value, f.Made)

    def member(self, maker: tuple[str, str]) -> str:
        """The member of ``this`` that takes the thread made there; empty where it is none such."""
        taken = self._taken.get(maker, "")
        return taken if taken in self._members else ""
