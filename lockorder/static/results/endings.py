"""Waits at the end of an object while a lock of it is held, which nobody can have then.

Who holds a lock of an object while its last reference goes gives the lock back when it is no more.
A thread that came with a reference of its own does not get there: its reference is not the last.  A
thread of the object's own does, which has none; but not where it has found itself not to be the one
that is waited for, and there is no other.
"""

from __future__ import annotations

from lockorder.static.interp.collected import Emitted
from lockorder.static.interp.engine import Engine
from lockorder.static.program.effects import Wait
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import member

OUTLIVED = "the lock is in the object that ends: whoever holds it keeps the object"


class Endings:
    """Answers by lock, wait and where both are."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._companions = engine.companions

    def excludes(self, lock: str, wait: Wait, emitted: Emitted) -> bool:
        """Whether nobody can hold *lock* at *wait*, as *emitted* says."""
        cls = wait.ending
        if not cls or not self._lies_in(emitted.order.held.path, cls):
            return False
        if any(self._engine.contexts.many(each) for each in wait.about):
            return False  # another one of them may be here
        if not all(self._takes_own(each, lock, cls) for each in wait.about):
            return False
        return not self._is_borrowed(emitted.function, wait)

    def _lies_in(self, held: object, cls: str) -> bool:
        """Whether a lock is a member of an object of *cls*, or of what lies in it."""
        last = held.last if isinstance(held, Path) else ""
        variable = self._engine.program.variables.get(last)
        if variable is None or variable.kind != "field":
            return False
        return variable.name.rpartition("::")[0] in self._companions.inside(cls)

    def _takes_own(self, thread: str, lock: str, cls: str) -> bool:
        """Whether a thread takes no lock of that kind but that of the object it runs in."""
        function = self._engine.program.functions.get(thread)
        home = self._engine.program.home(function) if function is not None else None
        if function is None or home is None or home.cls not in self._companions.inside(cls):
            return False
        identities = self._engine.identities
        return all(
            isinstance(path, Path)
            and (path.method in (thread, home.usr) or path.variable in function.params)
            and not self._leaves(path)
            for path, _, _ in self._engine.summary(thread).taken
            if any(i.lock == lock for i in identities.of(path))
        )

    def _leaves(self, path: Path) -> bool:
        """Whether a path leads out of the object that it begins at, or to one of many in it."""
        program = self._engine.program
        return path.is_one_of_many or any(
            program.is_indirect(program.type_of(member(step))) for step in path.steps
        )

    def _is_borrowed(self, function: str, wait: Wait) -> bool:
        """Whether a thread gets to *function* that may have the object without a reference."""
        companions = self._companions
        for entry in self._engine.contexts.leading_to(function).difference(wait.about):
            if self._is_started(entry) and (
                companions.hands_out(wait.ending) or companions.leads_to(entry, wait.ending)
            ):
                return True
        return False

    def _is_started(self, usr: str) -> bool:
        """Whether a thread begins with a function, or somebody may call it back.

        An interpreter, which has a reference to each of its objects, is nobody.
        """
        contexts = self._engine.contexts
        if contexts.is_thread(usr) or usr in contexts.escaped:
            return True
        known = self._engine.program.functions.get(usr)
        kept = usr in self._engine.points_to.taken or (known is not None and known.kind == "lambda")
        return kept and usr not in self._engine.bound
