"""Which named lock (the GIL) a function needs its caller to hold, by what it does first with it.

To give the GIL up, to run Python code or to touch an object of Python's one must have it.  What
takes it first needs nobody else's: the lock itself, a guard, or a guard of the program's own whose
constructor comes back with it.  What does none of this may be of a library that says it of all of
its functions.
"""

from __future__ import annotations

from lockorder.knowledge import Knowledge
from lockorder.knowledge.schema import LockFunction
from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program


class Required:
    """What the functions of a program need, asked for one by one."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge
        self._leaves: dict[str, bool] = {}
        self._classes: dict[str, bool] = {}

    def of(self, function: f.Function) -> str:
        """The lock that whoever calls *function* has; empty where it needs none."""
        if not self._knowledge.named:
            return ""
        for statement in f.walk(function.body):
            found = self._first(statement)
            if found is not None:
                return found
        return self._knowledge.entered_with(function.name)

    def _first(self, statement: f.Stmt) -> str | None:
        """What a statement tells of the lock: that it is needed, that it is not, or nothing."""
        if isinstance(statement, f.Make):
            found = self._by_guard(statement.type)
            return found if found is not None else self._by_bodies(statement.ctor)
        if not isinstance(statement, f.Call) or not isinstance(statement.target, f.Fn):
            return None
        for made in self._program.split(statement.type)[1][:1] if statement.type else ():
            found = self._by_guard(made)  # on the heap: make_unique<guard>()
            if found is not None:
                return found
        name = self._program.name_of(statement.target.usr)
        known = self._knowledge.functions.get(name)
        if known is not None:
            return self._by_function(known)
        return self._knowledge.needing.get(name) or self._by_bodies(statement.target.usr)

    def _by_guard(self, spelling: str) -> str | None:
        cls = self._program.split(spelling)[0]
        guard = self._knowledge.guards.get(cls)
        if guard is not None and guard.of:
            return guard.of if guard.inverse else ""
        return "" if self._class_leaves(cls) else None

    def _by_function(self, known: LockFunction) -> str | None:
        if known.checks:
            return ""  # it asks, so both must be possible
        if known.yields:
            return known.yields
        if self._is_named(known.acquires):
            return ""
        if self._is_named(known.releases):
            return str(known.releases)
        return None

    def _by_bodies(self, usr: str) -> str | None:
        return "" if any(self._comes_back_with_it(u) for u in self._program.body_of(usr)) else None

    def _is_named(self, lock: int | str | None) -> bool:
        return isinstance(lock, str) and lock in self._knowledge.named

    def _comes_back_with_it(self, usr: str) -> bool:
        """Whether a function takes the lock, perhaps, and does not surely give it up again."""
        known = self._leaves.get(usr)
        if known is None:
            self._leaves[usr] = False  # while it is asked, and for what calls itself
            known = self._leaves[usr] = self._keeps(self._program.functions[usr].body, False)
        return known

    def _keeps(self, block: f.Block, before: bool) -> bool:
        """Whether the lock is had at the end of *block*, where it was *before*."""
        for statement in block.body:
            if isinstance(statement, f.Call) and isinstance(statement.target, f.Fn):
                usr = statement.target.usr
                known = self._knowledge.functions.get(self._program.name_of(usr))
                if known is None:
                    before |= any(self._comes_back_with_it(u) for u in self._program.body_of(usr))
                elif self._is_named(known.acquires):
                    before = True
                elif self._is_named(known.releases):
                    before = False
            for part in f.parts(statement):
                kept = self._keeps(part, before)
                before = kept if isinstance(statement, f.Block) else before or kept
        return before

    def _class_leaves(self, cls: str) -> bool:
        """Whether objects of a class have the lock while they live: it, or a member, takes it."""
        found = self._classes.get(cls)
        if found is None:
            self._classes[cls] = False
            known = self._program.classes.get(cls)
            members = [self._program.type_of(usr) for usr in known.managed] if known else []
            members += known.bases if known else []
            ctors = [u for c in known.ctors for u in self._program.body_of(c)] if known else []
            found = any(self._by_guard(m) == "" for m in members if m)
            found = found or any(self._comes_back_with_it(u) for u in ctors)
            self._classes[cls] = found
        return found
