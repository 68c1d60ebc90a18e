"""Lock sets of the whole program: summaries bottom-up, orders collected, contexts top-down.

Functions are summarised callees first, over the strongly connected components of the call graph.
Orders are collected where both locks have a name; which further locks a caller holds around them
(gate locks) is added afterwards from the contexts in which each function is called.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from lockorder import mistakes
from lockorder.bounds import LATE, Cuts
from lockorder.knowledge import Knowledge
from lockorder.model import Certainty, LockKind, Mode
from lockorder.static.interp import dead, destruction, entries, exits, fixedpoint, handed
from lockorder.static.interp.activation import Activation
from lockorder.static.interp.apply import apply, frame_of
from lockorder.static.interp.collected import Collected
from lockorder.static.interp.contexts import Contexts
from lockorder.static.interp.distance import Shared
from lockorder.static.interp.known import Constants
from lockorder.static.interp.order import Order
from lockorder.static.interp.summary import (
    EMPTY,
    NO_GATES,
    Gate,
    Premise,
    Site,
    State,
    Summary,
    Taken,
)
from lockorder.static.interp.whole_program import Entered, WholeProgram
from lockorder.static.parse import facts as f
from lockorder.static.program.effects import Holdable
from lockorder.static.program.link import Program
from lockorder.static.program.paths import UNKNOWN, Path, Paths
from lockorder.static.program.slots import Slots
from lockorder.static.program.steps import RUNS
from lockorder.static.program.threads import Threads
from lockorder.uncollected import uncollected


class _Reports(NamedTuple):
    """Where walks report what they find."""

    found: Collected
    contexts: Contexts
    threads: Threads
    entered: list[Entered]
    shared: Shared
    doubts: dict[tuple[int, Certainty, str], tuple[Taken, Taken]]


class _Went:
    """How a walk went."""

    well = False


class Engine(WholeProgram):
    """Runs the analysis; afterwards ``found`` holds its result."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        super().__init__(program, knowledge)
        #: By function and what it is given: what it returns.
        self._returned: dict[tuple[str, Constants], Paths] = {}
        #: Functions that can come to call themselves.
        self._rings: set[str] = set()
        self.order = Order()
        #: Where walks report that are no drafts, while one is drafted.
        self._real: _Reports | None = None
        #: Walks that stand aside for others that they need; the function that is being walked.
        self._aside = 0
        self._walked = ""

    def run(self, progress: Callable[[int, int], None] | None = None) -> None:
        """Summarise every function; *progress* gets (done, all)."""
        self.order.begin(self.call_graph.groups())
        total = len(self.program.functions)
        for group in self.order:
            self._settle(group)
            if progress is not None:
                progress(total - self.order.left, total)
        entries.enter_all(self)
        exits.tell(self)
        self.main_parts.settle(self.found, self.contexts)
        self.contexts.solve(self.program, self.points_to.taken, self.threads.overlap)
        self.found.settle_ranks()
        self.found.name_parameters(self.contexts.has_callers)
        self.found.leave_out_excluded(self._may_be)
        self.found.leave_out_own(self.sharing)
        dead.leave_out(self.found, self.contexts.is_dead)
        self.found.signals = self._signals()

    def _may_be(self, function: str, premises: frozenset[Premise]) -> bool:
        return self.asked.may_be(function, premises, self.sharing.is_entered)

    def in_tables(self) -> dict[str, str]:
        """Functions that an interpreter's tables name, with the lock that it calls them with."""
        if self._tabled is None:
            self._tabled = {e.target: e.holds for e in entries.tabled(self)}
        return self._tabled

    @functools.cached_property
    def slots(self) -> Slots:
        """How many threads semaphores let in at once; asked where one is held around something."""
        return Slots(self.program, self.knowledge, self.identities.outer)

    @functools.cached_property
    def synchronises(self) -> bool:
        """Whether some function makes a call that waits for the whole device, or for a stream."""
        known = self.knowledge.blocks
        syncs = {name for name, b in known.items() if b.device_sync or b.explicit_sync}
        return any(
            self.program.called(statement) in syncs
            for function in self.program.functions.values()
            for statement in f.walk(function.body)
            if isinstance(statement, f.Call)
        )

    def _signals(self) -> frozenset[str]:
        """Semaphores that somebody posts who did not wait for them, or that begin with room for
        nobody: signals, and not locks."""
        found: set[str] = set()
        semaphores = {k for k, v in self.identities.locks.items() if v.kind is LockKind.SEMAPHORE}
        if semaphores:
            begun = (self.program.variables.get(key) for key in self.slots.empty())
            found.update(v.name for v in begun if v is not None and v.name in semaphores)
        for usr in self.contexts.roots:
            for outcome in self.summary(usr).outcomes:
                for path in outcome.released:
                    for lock in self.identities.of(path):
                        known = self.identities.locks.get(lock.lock)
                        if known is not None and known.kind is LockKind.SEMAPHORE:
                            found.add(lock.lock)
        return frozenset(found)

    def lets_in_several(self, path: Holdable, lock: str) -> bool | None:
        """Whether several threads can have the lock at *path* at once; None where it may be so."""
        if not isinstance(path, Path) or path.steps[-1:] == (RUNS,):
            return False
        if self.identities.locks[lock].kind is not LockKind.SEMAPHORE:
            return False
        return self.slots.lets_in_several(path)

    # -- summaries --------------------------------------------------------------------------------

    def summary(self, usr: str) -> Summary:
        """What is known of a function so far.

        Where the call graph does not have the call that asks, the function is walked first.
        """
        known = self._summaries.get(usr)
        if known is not None:
            return known
        if usr in self.program.functions and not self.order.is_over:
            self._catch_up(usr)
        return self._summaries.get(usr, EMPTY)

    def _catch_up(self, usr: str) -> None:
        """Summarise *usr*, and what it calls, in the midst of the walk that asks for it."""
        groups = self.order.up_to(usr, self.call_graph)
        if not groups or self._aside >= LATE.limit:
            self.cuts.note(LATE, self._walked)
            return
        with self._stood_aside():
            for group in groups:
                if self.order.comes(group):  # it may have been needed by one before it
                    self._settle(group)

    @contextlib.contextmanager
    def _stood_aside(self) -> Iterator[None]:
        """Another walk goes on meanwhile, whose findings are reported."""
        group, loops, alone, spawning = self.group, self.loops, self.alone, self._spawning
        walked = self._walked
        perhaps, drafted, reports = self.main_parts.may_be_alone, self.is_draft, self._reports()
        if self._real is not None:
            self._report_to(self._real)
        real, self._real = self._real, None
        self.group, self.loops, self._spawning, self.is_draft = frozenset(), 0, False, False
        self._aside += 1
        try:
            with self.threads.aside():
                yield
        finally:
            self._aside -= 1
            self._walked = walked
            self._real = real
            self._report_to(reports)
            self.group, self.loops, self.alone, self._spawning = group, loops, alone, spawning
            self.main_parts.may_be_alone, self.is_draft = perhaps, drafted

    def _settle(self, group: list[str]) -> None:
        self.order.take(group)
        self.written.close(group)
        self._summarise(group)
        self.order.close(group)

    def _summarise(self, group: list[str]) -> None:
        if len(group) == 1 and not self._calls_itself(group[0]):
            self.walk(group[0])
        else:
            self.group = frozenset(group)
            self._rings.update(group)
            fixedpoint.solve(self, group)
            self.group = frozenset()

    def walk(self, usr: str) -> None:
        """Walk a function with all that is known; what it does is reported and summarised."""
        self.learn({usr: self.report(usr)})

    def report(self, usr: str) -> Summary:
        """Walk a function with all that is known; what it does is reported."""
        activation = self._activate(usr)
        if activation is None:
            return EMPTY
        summary = activation.summary
        self.is_over(activation)
        return summary

    def is_over(self, activation: Activation) -> None:
        """Nothing more is asked of a walk that has reported."""
        activation.forget()

    def draft(self, usr: str) -> Activation | None:
        """Walk a function of the group that is being solved; nothing is reported."""
        return self._activate(usr)

    def _activate(self, usr: str) -> Activation | None:
        function = self.program.functions[usr]
        self._walked = usr
        self.alone = function.usr == self._main
        self.main_parts.may_be_alone = self.is_part(usr)
        self.threads.begin(function)
        activation = self.activation(function)
        try:
            with self._going_on(function) as went:
                activation.run()
        finally:
            self.alone = self.main_parts.may_be_alone = False
        return activation if went.well else None

    @contextlib.contextmanager
    def _going_on(self, function: f.Function) -> Iterator[_Went]:
        """What cannot be walked in *function* is told as a problem, and the rest goes on."""
        went, loops = _Went(), self.loops
        try:
            yield went
        except RecursionError:
            self._tell(function, "is nested too deeply to be analysed")
        except Exception as error:
            self._tell(function, f"could not be analysed {mistakes.told(error)}")
        else:
            went.well = True
        finally:
            self.loops = loops

    def _tell(self, function: f.Function, what: str) -> None:
        problem = f"{function.file}: {function.name} (line {function.line}) {what}"
        if problem not in self.problems:
            self.problems.append(problem)

    def activation(self, function: f.Function) -> Activation:
        """A walk of *function* that has not begun."""
        return Activation(self, function)

    def returned(self, usr: str, given: Constants) -> Paths:
        """What a function returns where its parameters have these values; nothing if not known.

        One that calls itself would be walked for each number that it counts through.
        """
        if usr in self._rings:
            return ()
        known = self._returned.get((usr, given))
        if known is None:
            alone = self.alone
            function = self.program.functions[usr]
            with self.drafting(), self._going_on(function) as went:
                walk = Activation(self, function, given)
                walk.run()
                known = walk.summary.returns
            known = self._returned[usr, given] = known if went.well and known is not None else ()
            self.alone = alone
        return known

    @contextlib.contextmanager
    def drafting(self) -> Iterator[None]:
        """Meanwhile nothing that walks find is reported."""
        kept, drafted, real = self._reports(), self.is_draft, self._real
        self._report_to(
            _Reports(self.found.draft(), Contexts(Cuts()), Threads(self.program), [], Shared(), {})
        )
        self.is_draft, self._real = True, kept if real is None else real
        try:
            yield
        finally:
            self.is_draft, self._real = drafted, real
            self._report_to(kept)

    def _reports(self) -> _Reports:
        return _Reports(
            self.found,
            self.contexts,
            self.threads,
            self.entered,
            self.shared,
            self.handed_on.doubts,
        )

    def _report_to(self, to: _Reports) -> None:
        self.found, self.contexts, self.threads, self.entered = to[:4]
        self.shared, self.handed_on.doubts = to[4:]

    def _calls_itself(self, usr: str) -> bool:
        return usr in self.call_graph.callees(self.program.functions[usr])

    # -- what activations report ------------------------------------------------------------------

    def spawn(
        self,
        function: f.Function,
        callables: Paths,
        args: Sequence[Paths],
        site: Site,
        made: Path | None = None,
    ) -> None:
        """A thread is started on one of *callables* with *args*: it holds nothing yet.

        *made* is the object that stands for it.
        """
        self.alone = self.main_parts.may_be_alone = False
        targets = [p.function for p in callables]
        self.threads.started(function, made, targets, self.loops > 0)
        self._starting.add(function.usr)
        once = function.usr == self._main or self.is_part(function.usr)
        once = once and self.loops == 0
        for path in callables:
            target = path.function
            place = (function.usr, site.line, site.column)
            own = self._runner(function, target, args, site, made)
            self.contexts.thread(target, place, once, self.loops > 0, own)
            if target in self.program.functions:
                self.walk_entry(target, args, site, State())

    def _runner(
        self,
        function: f.Function,
        target: str,
        args: Sequence[Paths],
        site: Site,
        made: Path | None,
    ) -> frozenset[Gate]:
        """What keeps other threads of the object out of *target*, by the names it has there."""
        usr = self.runners.member(made.maker) if made is not None and made.is_made else ""
        home = self.program.home(function)
        if not usr or home is None or target not in self.program.functions:
            return NO_GATES
        gate = Gate(Path.of_this(home.usr, (usr, RUNS)), Mode.EXCLUSIVE)
        entry = Activation(self, self.program.functions[target])
        frame = frame_of(entry, target, args, UNKNOWN, site)
        return handed.seen((gate,), self._handed(target, frame), target, self.program)

    def walk_entry(self, target: str, args: Sequence[Paths], site: Site, state: State) -> None:
        """*target* is entered from outside in *state*: by a new thread, by an interpreter."""
        entry = Activation(self, self.program.functions[target])
        before, self._spawning = self._spawning, True
        with self._going_on(self.program.functions[target]):
            apply(entry, state, target, frame_of(entry, target, args, UNKNOWN, site))
        self._spawning = before

    def walk_end(self, function: f.Function, spelling: str, site: Site, state: State) -> None:
        """An object that *function* binds as *spelling* dies in *state*."""
        entry = Activation(self, function)
        before, self._spawning = self._spawning, True
        with self._going_on(function):
            destruction.destroy_held(entry, state, spelling, site)
        self._spawning = before


def run(
    program: Program, knowledge: Knowledge, make: Callable[[Program, Knowledge], Engine] = Engine
) -> Engine:
    """Analyse *program*; the collector is off meanwhile, as nearly everything lives on."""
    with uncollected():
        engine = make(program, knowledge)
        engine.run()
    return engine
