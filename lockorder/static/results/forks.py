"""Copies of the process that take a lock which is held where the copy is made.

Of its threads a copy has the one that made it alone.  Who else held a lock then is not there to
give it up, nor is the rest of what its own thread was about to do.  Which threads may run where is
told by the order in which the program starts them, from its beginning on.
"""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.model import Acquisition, How, Mode
from lockorder.rules.evidence import LockMisuse
from lockorder.static.interp.collected import Event
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Site, Taken
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from lockorder.static.results.concurrency import Concurrency
from lockorder.static.results.graph import Builder

RULE = "lock-held-across-fork"
_OWN = "the child, which begins with a copy of the locked lock, takes it"
_OTHERS = "a thread that was started before takes the lock, and is not there in the child"
#: Locks that processes share, and those of tasks, which no other thread has.
_SHARED = ("multiprocessing::", "asyncio::")

_KINDS = ("fork", "begin", "over", "spare")
_Place = tuple[str, int, int]


def held_across(engine: Engine, builder: Builder, concurrency: Concurrency) -> Iterator[LockMisuse]:
    """Each lock that a copy waits for in vain, with one place where it is held."""
    events = [e for e in engine.found.events.values() if e.kind in _KINDS]
    forks = sorted((e for e in events if e.kind == "fork"), key=lambda e: (e.site, e.about))
    if not forks:
        return
    spared = {e.about for e in events if e.kind == "spare"}
    order = _Order(engine, events)
    for fork in forks:
        for lock, taken in _taken(engine, fork.about, spared):
            held = _holder(engine, builder, concurrency, order, fork, lock)
            if held is None:
                continue
            holder, acquisition = held
            builder.declare(lock)
            who = engine.program.told_of(fork.function)
            own = holder == fork.function
            yield LockMisuse(
                RULE, lock, who, builder.chain(fork.site), acquisition,
                who if own else engine.program.told_of(holder),
                why=_OWN if own else _OTHERS, perhaps=not own,
                waits_for_it=builder.chain(engine.handed_on.whole(fork.about, taken)),
            )  # fmt: skip


def _taken(engine: Engine, child: str, spared: set[str]) -> Iterator[tuple[str, Taken]]:
    """Locks that a child waits for, the nearest place of each."""
    nearest: dict[str, Taken] = {}
    for every in engine.summary(child).taken.values():
        for taken in every:
            path = taken.path
            if taken.how is not How.BLOCKING or not isinstance(path, Path) or path.is_made:
                continue
            if path.last in spared or path.variable in spared:
                continue
            if engine.program.plain(engine.identities.type_of(path)).startswith(_SHARED):
                continue
            for found in engine.identities.of(path):
                known = nearest.get(found.lock)
                if known is None or _distance(taken) < _distance(known):
                    nearest[found.lock] = taken
    yield from sorted(nearest.items(), key=lambda item: item[0])


def _distance(taken: Taken) -> tuple[object, ...]:
    return -taken.certainty, sum(1 for _ in taken.site.along()), tuple(taken.site.along())


def _holder(
    engine: Engine,
    builder: Builder,
    concurrency: Concurrency,
    order: _Order,
    fork: Event,
    lock: str,
) -> tuple[str, Acquisition] | None:
    """Who may hold a lock where the process is copied, and where it was taken."""
    ways = concurrency.held(fork)
    if any(held.lock == lock for way in ways for held in way):
        if engine.identities.locks[lock].kind.reentrant:
            return None  # the child's thread is the one that has it
        gates = (g for g in fork.held if any(i.lock == lock for i in engine.identities.of(g.path)))
        site = next((_site(engine, fork, g.path) for g in gates if isinstance(g.path, Path)), None)
        return fork.function, Acquisition(lock, builder.chain(site or fork.site), Mode.EXCLUSIVE)
    for thread in sorted(order.running(fork)):
        if order.is_alone(thread, fork):
            continue
        places = [
            engine.handed_on.whole(thread, taken)
            for every in engine.summary(thread).taken.values()
            for taken in every
            if isinstance(taken.path, Path)
            and not taken.path.is_made
            and any(i.lock == lock for i in engine.identities.of(taken.path))
        ]
        if places:
            place = min(places, key=builder.place)
            return thread, Acquisition(lock, builder.chain(place), Mode.EXCLUSIVE)
    return None


def _site(engine: Engine, fork: Event, path: Path) -> Site | None:
    """The place before a fork where its function takes a lock."""
    found = [
        Site(*place)
        for place, locks in engine.found.sites.items()
        if place[0] == fork.function
        and place[1] <= fork.site.line
        and any(i.lock in locks for i in engine.identities.of(path))
    ]
    return max(found, default=None)


class _Order:
    """Which threads may run where the process is copied: those that were started on the way."""

    def __init__(self, engine: Engine, events: list[Event]) -> None:
        self._engine = engine
        self._begun: dict[_Place, set[str]] = {}
        #: threads that are waited for to their end, by place
        self._over: dict[_Place, set[str]] = {}
        self._copied: set[_Place] = set()
        for event in events:
            if event.kind == "begin":
                self._begun.setdefault(event.site[:3], set()).add(event.about)
            elif event.kind == "over":
                self._over.setdefault(event.site[:3], set()).add(event.about)
            elif event.kind == "fork":
                self._copied.add(event.site[:3])
        self._all = frozenset(t for targets in self._begun.values() for t in targets)
        #: by place of a fork
        self._running: dict[_Place, set[str]] = {}
        #: by function: what ran before it when it was last walked, and what it starts
        self._walked: dict[str, tuple[set[str], set[str]]] = {}
        if self._all and self._copied:
            self._walk_all()

    def running(self, fork: Event) -> set[str]:
        """Functions of threads that may run where a process is copied."""
        return self._running.get(fork.site[:3], set())

    def is_alone(self, thread: str, fork: Event) -> bool:
        """Whether the thread that copies the process is the only one in that function."""
        contexts = self._engine.contexts
        if contexts.many(thread):
            return False
        leading = contexts.leading_to(fork.function)
        return thread in leading and not (leading & set(contexts.roots)) - {thread}

    def _walk_all(self) -> None:
        functions = self._engine.program.functions
        roots = [functions[u] for u in self._engine.contexts.roots if u in functions]
        begun: set[str] = set()
        mains = [r for r in roots if r.name == "main"]
        imported = [r for r in roots if r.name.endswith("(module)")]
        for root in (*imported, *mains):
            running = set(begun) if root.name == "main" else begun
            self._function(root, running)
        for usr in sorted(self._all):
            if usr in functions:
                self._function(functions[usr], set(self._all))
        for root in roots:
            if root in mains or root in imported or root.usr in self._all:
                continue
            running = set(begun)
            for maker in functions.values():  # its object was made before
                if root.cls and maker.kind == "constructor" and maker.cls == root.cls:
                    self._function(maker, running)
            self._function(root, running)

    def _function(self, function: f.Function, running: set[str]) -> None:
        """Walk a function; what it starts is *running* then, too."""
        known = self._walked.get(function.usr)
        if known is not None and running <= known[0]:
            running |= known[1]
            return
        before = set(running)
        if known is not None:
            before |= known[0]
        starts: set[str] = set(known[1]) if known is not None else set()
        self._walked[function.usr] = before, starts
        inside = set(running)
        self._block(function, function.body, inside)
        starts |= inside
        running |= inside

    def _block(self, function: f.Function, block: f.Block, running: set[str]) -> None:
        for statement in block.body:
            if isinstance(statement, f.Call):
                self._call(function, statement, running)
            elif isinstance(statement, f.Make):
                for body in self._engine.program.body_of(statement.ctor) if statement.ctor else ():
                    self._function(self._engine.program.functions[body], running)
            rounds = 2 if isinstance(statement, f.Loop) else 1
            for _ in range(rounds):
                for part in f.parts(statement):
                    self._block(function, part, running)

    def _call(self, function: f.Function, call: f.Call, running: set[str]) -> None:
        place = function.usr, call.line, call.column
        name = self._engine.program.called(call)
        if name in self._engine.knowledge.begins:
            running |= self._begun.get(place, set())
        elif name in self._engine.knowledge.forks:
            self._running.setdefault(place, set()).update(running)
        elif place in self._over:
            running -= self._over[place]
        elif name not in self._engine.knowledge.starters:
            for usr in self._engine.call_graph.called(function, call):
                self._function(self._engine.program.functions[usr], running)
