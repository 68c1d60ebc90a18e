"""Lock sets of the whole program: summaries bottom-up, orders collected, contexts top-down.

Functions are summarised callees first, over the strongly connected components of the call graph.
Orders are collected where both locks have a name; which further locks a caller holds around them
(gate locks) is added afterwards from the contexts in which each function is called.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import networkx as nx

from lockorder.knowledge import Knowledge
from lockorder.model import How, Mode
from lockorder.static import facts as f
from lockorder.static.activation import Activation
from lockorder.static.apply import Frame, apply
from lockorder.static.contexts import CallSite, Contexts
from lockorder.static.facts import walk
from lockorder.static.link import Program
from lockorder.static.locking import may_lock_again
from lockorder.static.paths import Identities, Path, Paths
from lockorder.static.pointsto import STANDARD, PointsTo
from lockorder.static.summary import (
    EMPTY,
    Gate,
    Held,
    Order,
    Site,
    State,
    Summary,
    Taken,
)

#: Rounds over a group of functions that call each other.
MAX_ROUNDS = 4
#: Orders kept for one pair of locks; the rest would show the same again.
MAX_ORDERS = 40
#: Members of members of members whose destructors are looked for.
MAX_MEMBER_DEPTH = 3


class Emitted(NamedTuple):
    """An order, and the function in whose body it came about."""

    function: str
    order: Order


class SelfLock(NamedTuple):
    """One thread takes a lock that it holds."""

    function: str
    held: Held
    taken: Taken


class Engine:
    """Runs the analysis; afterwards ``orders``, ``self_locks`` and ``writers`` hold its result."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self.program = program
        self.knowledge = knowledge
        self.points_to = PointsTo(program, knowledge)
        self.identities = Identities(program, knowledge, self.points_to)
        self.contexts = Contexts()
        self.orders: dict[tuple[str, str], list[Emitted]] = {}
        self.self_locks: dict[tuple[str, str], SelfLock] = {}
        self.writers: set[str] = set()
        self.calls_made = 0
        self.resolved = 0
        #: While ``main`` is walked and has not started a thread yet, nothing can meet.
        self.alone = False
        self._summaries: dict[str, Summary] = {}
        #: Functions that could not be analysed.
        self.problems: list[str] = []
        self._starting: set[str] = set()
        self._spawning = False
        #: Loops around the event that is being walked.
        self.loops = 0
        self._counting = True
        self._destroyed: dict[str, dict[str, None]] = {}
        self._seen_orders: set[object] = set()
        self._parameters: dict[str, bool] = {}

    def run(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Summarise every function; *progress* gets (done, all)."""
        groups = self._groups()
        total, done = len(self.program.functions), 0
        for group in groups:
            self._summarise(group)
            done += len(group)
            if progress is not None:
                progress(done, total)
        self.contexts.solve(self.program, self.points_to.taken)

    # -- order of work ----------------------------------------------------------------------------

    def _groups(self) -> list[list[str]]:
        graph: nx.DiGraph[str] = nx.DiGraph()
        graph.add_nodes_from(sorted(self.program.functions))
        for usr in sorted(self.program.functions):
            for callee in self._callees(self.program.functions[usr]):
                graph.add_edge(usr, callee)
        # networkx yields components callees first (Tarjan's order).
        return [sorted(c) for c in nx.strongly_connected_components(graph)]

    def _callees(self, function: f.Function) -> Iterable[str]:
        found: dict[str, None] = {}
        for statement in walk(function.body):
            if isinstance(statement, f.Call):
                self._callees_of_call(function, statement, found)
                values = statement.args
            elif isinstance(statement, f.Make):
                found.update(dict.fromkeys(self.program.body_of(statement.ctor)))
                made = self.program.split(statement.type)[0]
                found.update(dict.fromkeys(self.program.call_operators(made)))
                values = statement.args
            elif isinstance(statement, f.Local):
                self._destructors(self.program.type_of(statement.usr), found, 0)
                values = [statement.value] if statement.value is not None else []
            elif isinstance(statement, f.Assign):
                values = [statement.value]
            elif isinstance(statement, f.Delete):
                self._deleted(statement.value, found)
                continue
            else:
                continue
            for value in values:
                self._mentioned(value, found)
        return [u for u in found if u in self.program.functions]

    def _callees_of_call(self, function: f.Function, call: f.Call, found: dict[str, None]) -> None:
        target = call.target
        if isinstance(target, f.Fn):
            bodies = self.program.body_of(target.usr)
            found.update(dict.fromkeys(bodies))
            if call.virtual:
                found.update(dict.fromkeys(self.program.overriders(target.usr)))
            if not bodies:
                node = self.points_to.node(function, target.base)
                if node is not None:
                    found.update(dict.fromkeys(self.points_to.functions(node)))
        elif isinstance(target, f.Name):
            cls = None if target.base is None else ""
            bodies = self.program.by_bare_name(target.text, cls, len(call.args))
            found.update(dict.fromkeys(bodies))
        else:
            node = self.points_to.node(function, target)
            if node is not None:
                found.update(dict.fromkeys(self.points_to.functions(node)))

    def _deleted(self, value: f.Value, found: dict[str, None]) -> None:
        if isinstance(value, f.Var | f.Field):
            pointee = self.program.pointee(self.program.type_of(value.usr))
            for cls in self.program.deleted_as(self.program.split(pointee)[0]):
                self._destructors(cls, found, 0)

    def _mentioned(self, value: f.Value | None, found: dict[str, None]) -> None:
        if isinstance(value, f.Closure):
            found[value.usr] = None
        elif isinstance(value, f.Fn):
            found.update(dict.fromkeys(self.program.body_of(value.usr)))
        elif isinstance(value, f.AnyOf):
            for each in value.values:
                self._mentioned(each, found)

    def _destructors(self, spelling: str, found: dict[str, None], depth: int) -> None:
        name = self.program.split(spelling)[0]
        bodies = self._destroyed.get(name)
        if bodies is None:
            bodies = self._destroyed[name] = {}
            known = self.program.classes.get(name)
            if known is None or depth > MAX_MEMBER_DEPTH:
                return
            if known.dtor:
                bodies.update(dict.fromkeys(self.program.body_of(known.dtor)))
            for field in known.fields:
                self._destructors(self.program.type_of(field), bodies, depth + 1)
            for base in known.bases:
                self._destructors(base, bodies, depth + 1)
        found.update(bodies)

    # -- summaries --------------------------------------------------------------------------------

    def _summarise(self, group: list[str]) -> None:
        rounds = 1 if len(group) == 1 and not self._calls_itself(group[0]) else MAX_ROUNDS
        for i in range(rounds):
            self._counting = i == 0
            before = [self._summaries[u].shape() if u in self._summaries else None for u in group]
            for usr in group:
                function = self.program.functions[usr]
                self.alone = function.name == "main"
                try:
                    self._summaries[usr] = Activation(self, function).run()
                except RecursionError:
                    self._summaries[usr] = EMPTY
                    where = f"{function.file}: {function.name} (line {function.line})"
                    self.problems.append(f"{where} is nested too deeply to be analysed")
                self.alone = False
            if rounds > 1 and before == [self._summaries[u].shape() for u in group]:
                break
        self._counting = True

    def _calls_itself(self, usr: str) -> bool:
        return usr in self._callees(self.program.functions[usr])

    def summary(self, usr: str) -> Summary:
        """What is known of a function so far; nothing, inside a recursion's first round."""
        return self._summaries.get(usr, EMPTY)

    # -- what activations report ------------------------------------------------------------------

    def emit(self, function: f.Function, order: Order) -> bool:
        """Keep *order* if both of its locks have names; False where only a caller knows them."""
        if self.alone:
            return True
        sources = self.identities.of(order.held.path)
        targets = self.identities.of(order.taken.path)
        if not sources or not targets:
            return not (
                self.nameable(function, order.held.path)
                and self.nameable(function, order.taken.path)
            )
        if self._is_fresh(function, order):
            return True
        for source in sources:
            for target in targets:
                pair = (source.lock, target.lock)
                if source.lock == target.lock and not self._two_objects(order):
                    continue
                kept = self.orders.setdefault(pair, [])
                key = (
                    pair, function.usr, order.held.site, order.taken.mode, order.taken.how,
                    order.gates, order.held.path, order.taken.path,
                )  # fmt: skip
                if key not in self._seen_orders and len(kept) < MAX_ORDERS:
                    self._seen_orders.add(key)
                    kept.append(Emitted(function.usr, order))
        self._note_writer(order.taken)
        return True

    def _is_fresh(self, function: f.Function, order: Order) -> bool:
        """Both locks are members of an object under construction, which no other thread has."""
        this = f"this:{function.usr}"
        both = (order.held.path, order.taken.path)
        return function.kind == "constructor" and all(p.root == this and p.steps for p in both)

    def _two_objects(self, order: Order) -> bool:
        """Two objects of one class in one order: only where nothing ranks them.

        A parent's lock before its child's (one path extends the other's owner) is a rank; so is
        an element reached through an index, which callers usually sort.
        """
        a, b = order.held.path, order.taken.path
        if "?" in (a.root, b.root) or a == b:
            return False
        slots = self.identities.slot(a), self.identities.slot(b)
        if all(slots) and slots[0] != slots[1] and a.root == b.root:
            return True  # two members of one object
        if a.steps != b.steps:
            return False
        return a.root != b.root and all(
            p.root.startswith(("this:", "v:")) and "[]" not in p.steps for p in (a, b)
        )

    def emit_self(self, function: f.Function, held: Held, taken: Taken) -> None:
        """Keep a lock taken twice by one thread, unless its kind allows that."""
        for lock in self.identities.of(held.path):
            kind = self.identities.locks[lock.lock].kind
            if not may_lock_again(kind) and lock.instance is not None:
                self.self_locks.setdefault(
                    (lock.lock, function.usr), SelfLock(function.usr, held, taken)
                )

    def _note_writer(self, taken: Taken) -> None:
        if taken.mode is Mode.EXCLUSIVE and taken.how is How.BLOCKING:
            self.writers.update(i.lock for i in self.identities.of(taken.path))

    def note_taken(self, taken: Taken) -> None:
        """Every acquisition passes here once: writers decide whether readers can be kept out."""
        self._note_writer(taken)

    def nameable(self, function: f.Function, path: Path) -> bool:
        """Whether *path* means something to callers: a named lock, or one of their arguments."""
        if self.identities.of(path):
            return True
        if path.root.startswith("this:"):
            return True
        return self.is_parameter(path)

    def is_parameter(self, path: Path) -> bool:
        """Whether *path* starts at a parameter, so that only a caller knows what it is."""
        root = path.root
        if not root.startswith("v:"):
            return False
        found = self._parameters.get(root)
        if found is None:
            variable = self.program.variables.get(root[2:])
            found = self._parameters[root] = variable is not None and variable.kind == "param"
        return found

    def callable_targets(self, path: Path) -> list[str]:
        """Functions that a stored callable can be."""
        steps = [
            s for s in path.steps if s in self.program.variables and not s.startswith(STANDARD)
        ]
        node = steps[-1] if steps else path.root[2:] if path.root.startswith("v:") else ""
        if not node and path.root.startswith("made:"):
            owner, _, number = path.root[5:].rpartition(":")
            kind = "result" if number.startswith("r") else "made"
            node = f"{kind}:{owner}:{number.lstrip('r')}"
        return self.points_to.functions(node)

    def note_call(self, caller: f.Function, callee: str, state: State, frame: Frame) -> None:
        """Remember what is held around a call, in the callee's terms where it has them."""
        if callee in self._starting:
            self._starting.add(caller.usr)
            self.alone = False
        if self._spawning:
            return
        gates = frozenset(
            Gate(self._seen_by(callee, h.path, frame.base), h.mode) for h in state.held
        )
        if self.alone:
            self.contexts.startup.add(callee)
        else:
            self.contexts.add(CallSite(caller.usr, callee, gates, frozenset(state.released)))

    def _seen_by(self, callee: str, path: Path, base: Paths) -> Path:
        if base and path.root == base[0].root and path.steps[: len(base[0].steps)] == base[0].steps:
            return Path(f"this:{callee}", path.steps[len(base[0].steps) :])
        return path

    def spawn(
        self, function: f.Function, callables: Paths, args: Sequence[Paths], site: Site
    ) -> None:
        """A thread is started on one of *callables* with *args*: it holds nothing yet."""
        self.alone = False
        self._starting.add(function.usr)
        once = function.name == "main" and self.loops == 0
        for path in callables:
            target = path.root[3:]
            self.contexts.thread(target, (function.usr, site.line, site.column), once)
            if target in self.program.functions:
                thread = Activation(self, self.program.functions[target])
                self._spawning = True
                apply(thread, State(), target, Frame(tuple(args), (), path, site))
                self._spawning = False

    def escape(self, callables: Paths) -> None:
        """Callables are handed to code outside: they can run at any time."""
        for path in callables:
            self.contexts.escaped.add(path.root[3:])

    def count_call(self) -> None:
        """Statistics: a call was met (once for each call, not for each state)."""
        if self._counting:
            self.calls_made += 1

    def count_resolved(self) -> None:
        """Statistics: its target is known."""
        if self._counting:
            self.resolved += 1


def run(program: Program, knowledge: Knowledge) -> Engine:
    """Analyse *program*; the collector is off meanwhile, as nearly everything lives on."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        engine = Engine(program, knowledge)
        engine.run()
    finally:
        if enabled:
            gc.enable()
    return engine
