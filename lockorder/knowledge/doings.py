"""What is known of functions beside what they do to locks: which end, throw, keep, only look."""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.knowledge.schema import KnowledgeFile, Names


class Doings:
    """Sets of functions by qualified name."""

    def __init__(self) -> None:
        super().__init__()
        #: functions that compare two texts: whether what they return is true where they are alike.
        self.compared_texts: dict[str, bool] = {}
        #: what does not return, and of that: because the program has failed
        self.never_returns: set[str] = set()
        self.aborts: set[str] = set()
        #: what ends the program, or the thread, in order; of the former the argument (by number)
        #: that is not 0 where the program has failed
        self.exits: dict[str, int] = {}
        self.thread_ends: set[str] = set()
        #: what runs a callable then
        self.cleanups: set[str] = set()
        self.throws: set[str] = set()
        #: what passes time, and what only looks
        self.idle: set[str] = set()
        self.reads: set[str] = set()
        #: what keeps a callable, and does not call it before it returns
        self.keepers: set[str] = set()
        self.keeper_types: set[str] = set()
        #: what hands its arguments to nobody
        self.harmless: set[str] = set()
        #: by name of a function: the number of the argument whose memory is given back
        self.memory_ends: dict[str, int] = {}
        #: what returns memory that nobody else has
        self.allocates: set[str] = set()
        #: what copies the process, says that a thread goes on, sees to a lock; and all of these
        self.forks: set[str] = set()
        self.begins: set[str] = set()
        self.spares: set[str] = set()
        self.copying: set[str] = set()
        #: methods that begin the coroutine which their object stands for elsewhere
        self.begins_coroutine: set[str] = set()
        #: what may run its first argument at once, and why not surely
        self.perhaps: dict[str, str] = {}

    def add_doings(self, file: KnowledgeFile) -> None:
        """Add what a file says of them."""
        self.never_returns.update(_all((*file.never_returns, *file.aborts)))
        self.aborts.update(_all(file.aborts))
        self.exits.update((name, e.status) for e in file.exits for name in e.names)
        self.thread_ends.update(_all(file.thread_ends))
        self.cleanups.update(_all(file.cleanups))
        self.cleanups.update(t for names in file.cleanups for t in names.types)
        self.throws.update(_all(file.throws))
        self.begins_coroutine.update(m for s in file.thread for m in s.coroutines)
        self.idle.update(_all(file.idle))
        self.reads.update(_all(file.reads))
        self.keepers.update(_all(file.keeps))
        self.keeper_types.update(t for names in file.keeps for t in names.types)
        self.harmless.update(_all(file.harmless))
        for end in file.memory_end:
            self.memory_ends.update(dict.fromkeys(end.names, end.memory))
        self.allocates.update(_all(file.allocates))
        for perhaps in file.perhaps:
            self.perhaps.update(dict.fromkeys(perhaps.names, perhaps.why))
        for fork in file.fork:
            self.forks.update(fork.names)
            self.begins.update(fork.begins)
            self.spares.update(fork.spares)
            self.copying.update((*fork.names, *fork.begins, *fork.spares))


def _all(named: Iterable[Names]) -> Iterable[str]:
    return (name for names in named for name in names.names)
