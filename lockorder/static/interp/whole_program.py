"""What is known of the whole program while its functions are walked.

Walks ask here what a path, a type or a function is, and note here what happens: calls, threads,
entries from outside, orders.  Who decides in which order functions are walked is the engine, which
is built on this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lockorder.bounds import Cuts
from lockorder.knowledge import Knowledge
from lockorder.knowledge.schema import Entry, LockFunction
from lockorder.static.interp import handed
from lockorder.static.interp.asked import Asked
from lockorder.static.interp.collected import Collected
from lockorder.static.interp.contexts import CallSite, Contexts
from lockorder.static.interp.distance import Shared
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.handed import Handed
from lockorder.static.interp.handed_on import HandedOn
from lockorder.static.interp.known import Constants, Runs, runs
from lockorder.static.interp.main_parts import MainParts
from lockorder.static.interp.settled import Parts, parts_of
from lockorder.static.interp.sharing import Sharing
from lockorder.static.interp.summary import (
    EMPTY,
    NO_GATES,
    Gate,
    Member,
    Order,
    Site,
    State,
    Summary,
    Taken,
)
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program import roots
from lockorder.static.program.derived import Derived
from lockorder.static.program.effects import Group, Issued, What
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import is_element, member


class Entered(NamedTuple):
    """*target* is entered with the lock *holds*; or an object bound as *spelling* dies so."""

    binder: str
    holds: str
    target: str
    site: Site
    spelling: str = ""


class WholeProgram(Derived, ABC):
    """The program, what is derived from it, and what walks have found so far."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        super().__init__(program, knowledge)
        #: What was left out at a bound.
        self.cuts = Cuts()
        self.contexts = Contexts(self.cuts)
        self.entered: list[Entered] = []
        self.shared = Shared()
        self.handed_on = HandedOn(program.functions, self.identities)
        self.found = Collected(
            program, self.identities, self.back_pointers, self.cuts, self.handed_on.filled
        )
        self.sharing = Sharing(
            program, knowledge, self.escapes, self.contexts, self.points_to.taken
        )
        self.asked = Asked(self.cuts)
        self.calls_made = 0
        self.resolved = 0
        #: While ``main`` is walked and has not started a thread yet, nothing can meet.
        self.alone = False
        # Several mains are several programs, which share a library: what one of them does before
        # it starts threads says nothing of the others.
        mains = [u for u, f_ in program.functions.items() if f_.name == "main"]
        self._main = mains[0] if len(mains) == 1 else ""
        #: Functions that an interpreter calls, with or without its lock.
        self.bound: set[str] = set()
        self._summaries: dict[str, Summary] = {}
        self._parts: dict[str, Parts] = {}
        self._tabled: dict[str, str] | None = None
        #: Mutex attributes that make a mutex recursive.
        self.recursive_attributes: set[Path] = set()
        #: Whether something in it makes a copy of the process.
        self.copies_itself = any(d.name in knowledge.forks for d in program.decls.values())
        #: Classes whose objects an interpreter makes by their constructors.
        self.made_by_binders: set[str] = set()
        #: What threads run, by the function of a library that starts them.
        self.started_by: dict[str, dict[str, set[str]]] = {}
        #: Functions that could not be analysed.
        self.problems: list[str] = []
        self._starting: set[str] = set()
        self.main_parts = MainParts(program, self._main, self.points_to.taken)
        self._spawning = False
        #: Loops around the event that is being walked.
        self.loops = 0
        #: Functions that call each other and are being solved.
        self.group: frozenset[str] = frozenset()
        #: They are, and what walks find is not reported.
        self.is_draft = False
        self._counted: set[tuple[str, int, bool]] = set()
        #: By place: locks of which whoever passes has one, or the object uses none.
        self.around: dict[tuple[str, int, int], frozenset[str]] = {}
        #: By function, what its text tells every walk of it: parameters that keep their values,
        #: local numbers that are lent, and calls by whose results it branches.
        self.unchanged: dict[str, frozenset[str]] = {}
        self.lent_numbers: dict[str, frozenset[str]] = {}
        self.branching: dict[str, frozenset[int]] = {}
        self._parameters: dict[str, bool] = {}
        self._nodes: dict[Path, str] = {}
        #: functions in which others are written
        self._surrounding = {f_.parent for f_ in program.functions.values() if f_.parent}
        self._lockable: dict[str, bool] = {}
        self._leading: dict[str, tuple[tuple[int, Path], ...]] = {}
        self._known_handed: dict[Handed, Handed] = {}

    @abstractmethod
    def in_tables(self) -> dict[str, str]:
        """Functions that an interpreter's tables name, with the lock that it calls them with."""

    @abstractmethod
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

    @abstractmethod
    def walk_entry(self, target: str, args: Sequence[Paths], site: Site, state: State) -> None:
        """*target* is entered from outside in *state*: by a new thread, by an interpreter."""

    @abstractmethod
    def walk_end(self, function: f.Function, spelling: str, site: Site, state: State) -> None:
        """An object that *function* binds as *spelling* dies in *state*."""

    @abstractmethod
    def returned(self, usr: str, given: Constants) -> Paths:
        """What a function returns where its parameters have these values."""

    def note_taken(self, taken: Taken) -> None:
        """Every acquisition passes here once."""
        self.found.note_writer(taken)
        self.found.note_site(taken)

    def nameable(self, function: f.Function, what: What) -> bool:
        """Whether *what* means something to callers: a named lock, or one of their arguments."""
        if self.identities.is_named(what):
            return True
        path = what.communicator if isinstance(what, Issued) else what
        if not isinstance(path, Path):
            return False
        if path.is_this:
            return True
        return self.is_parameter(path) and self.is_argument(function, path)

    def is_argument(self, function: f.Function, path: Path) -> bool:
        """Whether *path* starts at a parameter of *function* or of one that it is written in."""
        return path.is_variable and any(
            path.variable in home.params for home in self._around(function)
        )

    def is_of_callers(self, function: f.Function, path: Path) -> bool:
        """Whether *path* starts at what callers of *function* hand in: an argument, its object."""
        if path.is_this:
            return any(path.method == home.usr for home in self._around(function))
        return self.is_argument(function, path)

    def _around(self, function: f.Function) -> Iterator[f.Function]:
        """*function* and those that it is written in."""
        home: f.Function | None = function
        while home is not None:
            yield home
            home = self.program.functions.get(home.parent) if home.parent else None

    def is_parameter(self, path: Path) -> bool:
        """Whether *path* starts at a parameter, so that only a caller knows what it is."""
        root = path.variable
        if not root:
            return False
        found = self._parameters.get(root)
        if found is None:
            variable = self.program.variables.get(root)
            found = self._parameters[root] = variable is not None and variable.kind == "param"
        return found

    def is_gone(self, path: Path) -> bool:
        """Whether *path* starts at a variable or parameter that no other function can mean.

        It ends with the call of its function, and no lambda is written there, which could take it
        elsewhere.
        """
        if not path.is_variable:
            return False
        variable = self.program.variables.get(path.variable)
        if variable is None or variable.kind not in ("local", "param"):
            return False
        return variable.owner not in self._surrounding

    def is_lockable(self, cls: str) -> bool:
        """Whether *cls* has methods lock and unlock, both void, that take no lock inside."""
        known = self._lockable.get(cls)
        if known is None:
            known = all(self._is_bare(cls, method) for method in ("lock", "unlock"))
            if not self.is_draft:  # what is known of a group's functions is not all yet
                self._lockable[cls] = known
        return known

    def _is_bare(self, cls: str, method: str) -> bool:
        bodies = self.program.named(f"{cls}::{method}")
        return bool(bodies) and all(
            self.program.result_of(b) == "void"
            and any(isinstance(s, f.Call) for s in walk(self.program.functions[b].body))
            and not self.summary(b).takes
            and not any(o.held or o.released for o in self.summary(b).outcomes)
            for b in bodies
        )

    def is_owner(self, path: Path) -> bool:
        """Whether a smart pointer or a container lies at *path*."""
        spelling = self.program.plain(self.identities.type_of(path))
        return self.program.split(spelling)[0] in self.knowledge.owners

    def methods(self, path: Path, name: str) -> list[str]:
        """Bodies of method *name* of the class of the object at *path*, overriders included.

        A smart pointer's own method is none of what it points to: ``pointer.get()``.
        """
        spelling = self.program.plain(self.identities.type_of(path))
        if self.knowledge.is_own(self.program.split(spelling)[0], name):
            return []
        return self.program.methods(self.identities.class_of(path), name)

    def kept_in(self, frame: Frame, path: Path, target: str) -> Frame:
        """The call *frame* of *target*, with the object of which *path*, where it is, is a member.

        Elements and standard fields are left out.
        """
        steps = path.steps
        while steps and (is_element(steps[-1]) or self.program.is_standard(member(steps[-1]))):
            steps = steps[:-1]
        if not steps:
            return frame
        holder = Path(path.root, steps[:-1])
        return frame._replace(holder=holder, known_as=self.stored.owners(target, member(steps[-1])))

    def node_of(self, path: Path) -> str:
        """The points-to node of what *path* ends in; empty where there is none."""
        found = self._nodes.get(path)
        if found is None:
            found = self._nodes[path] = self._node_of(path)
        return found

    def _node_of(self, path: Path) -> str:
        if isinstance(path.root, roots.Registry):
            return str(path.root)
        steps = [
            usr
            for usr in path.members
            if usr in self.program.variables and not self.program.is_standard(usr)
        ]
        node = steps[-1] if steps else path.variable
        if not node and path.is_made:
            owner, number = path.maker
            kind = "result" if number.startswith("r") else "made"
            node = f"{kind}:{owner}:{number.lstrip('r')}"
        return node

    def callable_targets(self, path: Path) -> tuple[str, ...]:
        """Functions that a stored callable can be."""
        return self.points_to.functions(self.node_of(path))

    def left(self, state: State, path: Path, targets: Sequence[str]) -> Sequence[str]:
        """Those of *targets* that can be at *path*, a member of a table; all where none can."""
        if len(targets) < 2 or not self.tables.is_member(path):
            return targets
        may = [t for t in targets if self.may_run(state, runs(path, t))]
        return may or targets

    def may_run(self, state: State, call: Runs) -> bool:
        """Whether a table can have that, by what was called by its members on this way."""
        for fact in state.facts:
            if isinstance(fact, Runs) and fact.table == call.table:
                beside = self.tables.beside(member(fact.member), fact.function, member(call.member))
                if beside is not None and call.function not in beside:
                    return False
        return True

    def lock_functions(self, path: Path) -> list[LockFunction]:
        """Functions of libraries that a stored callable can be, where all do the same to a lock.

        Whether they take it shared makes no difference: there is one for each way.
        """
        found = [self.knowledge.functions[n] for n in self.points_to.library(self.node_of(path))]
        if len({(k.acquires, k.releases, k.how) for k in found}) != 1:
            return []
        return list({k.mode: k for k in found}.values())

    def deleters(self, path: Path) -> list[str]:
        """Functions that a smart pointer may run instead of delete."""
        return self.points_to.deleters(self.node_of(path))

    def summary(self, usr: str) -> Summary:
        """What is known of a function so far."""
        return self._summaries.get(usr, EMPTY)

    def is_walked(self, usr: str) -> bool:
        """Whether all that a function does has been found and noted."""
        return usr in self._summaries and usr not in self.group

    def parts(self, usr: str, summary: Summary) -> Parts:
        """What *summary*, of function *usr*, takes: what every caller names alike apart."""
        found = self._parts.get(usr)
        if found is None or found.summary is not summary:
            found = self._parts[usr] = parts_of(self.program.functions[usr], summary)
        return found

    def emit(self, function: f.Function, order: Order) -> bool:
        """Keep *order*; False where a caller is needed to name its locks."""
        grouped = isinstance(order.held.path, Group)
        if self.alone and not grouped:
            self.found.alone(function, order)
            return True
        both = order.held.path, order.taken.path
        if (
            self.main_parts.may_be_alone
            and not grouped
            and all(map(self.identities.is_named, both))
        ):
            self.main_parts.keep_order(function, order)
            return True
        if self.found.order(function, order):
            return True
        return not (
            self.nameable(function, order.held.path) and self.nameable(function, order.taken.path)
        )

    def enter(
        self,
        function: f.Function,
        entry: Entry,
        callables: Paths,
        args: Sequence[Paths],
        site: Site,
    ) -> None:
        """*callables* are handed to who will call them with a named lock held."""
        self.bound.update(p.function for p in callables)
        if self._is_exempt(entry, args):
            return
        for path in callables:
            found = Entered(function.usr, entry.holds, path.function, site)
            self.entered.append(found)

    def _is_exempt(self, entry: Entry, args: Sequence[Paths]) -> bool:
        """``call_guard<gil_scoped_release>``: the lock is given up around the call."""
        types = [self.identities.made_types.get(p.root, "") for a in args for p in a]
        return any(word in spelling for word in entry.unless for spelling in types)

    def enter_constructors(
        self, function: f.Function, entry: Entry, cls: str, args: Sequence[Paths], site: Site
    ) -> None:
        """``.def(init<...>())``: constructors of *cls* are called with a named lock held."""
        self.made_by_binders.add(cls)
        if self._is_exempt(entry, args):
            return
        known = self.program.classes.get(cls)
        for ctor in known.ctors if known is not None else ():
            for body in self.program.body_of(ctor):
                found = Entered(function.usr, entry.holds, body, site)
                self.entered.append(found)

    def held_type(self, function: f.Function, spelling: str, site: Site) -> None:
        """An object of a type whose argument's destructor will run with a named lock held."""
        entry = self.knowledge.holders.get(self.program.split(spelling)[0])
        if entry is not None and not any(word in spelling for word in entry.unless):
            found = Entered(function.usr, entry.holds, "", site, spelling)
            self.entered.append(found)

    def joined(self, function: f.Function, threads: Sequence[str]) -> None:
        """*function* has waited for the end of the threads of these handles."""
        self.threads.joined(function, threads)
        self._set_alone(function)

    def starts_threads(self, usr: str) -> bool:
        """Whether a function, or one that it calls, starts a thread."""
        return usr in self._starting

    def _set_alone(self, function: f.Function) -> None:
        if function.usr == self._main:
            self.alone = self.threads.none_runs
        elif self.is_part(function.usr):
            self.main_parts.may_be_alone = self.threads.none_runs

    def is_part(self, function: str) -> bool:
        """Whether a function that is walked runs once, as a part of main."""
        return self.main_parts.has(function) and not (self.is_draft or self.group)

    def escape(self, callables: Paths) -> None:
        """Callables are handed to code outside: they can run at any time."""
        for path in callables:
            self.contexts.escaped.add(path.function)

    def count_call(self, function: f.Function, event: int, resolved: bool = False) -> None:
        """Statistics: call number *event* of *function* was met, or its target is known."""
        known = (function.usr, event, resolved)
        if not self.is_draft and known not in self._counted:
            self._counted.add(known)
            if resolved:
                self.resolved += 1
            else:
                self.calls_made += 1

    def note_call(
        self,
        caller: f.Function,
        callee: str,
        state: State,
        frame: Frame,
        around: frozenset[str] = frozenset(),
        fixed: frozenset[Member] = frozenset(),
    ) -> None:
        """Remember what is held around a call, in the callee's terms where it has them.

        Of the locks *around*, the caller has one, or their object uses none.  *fixed* is what it
        knows that never changes.
        """
        self.note_around(frame.site, around)
        quiet, perhaps = self.alone, self.main_parts.may_be_alone
        if not (self._spawning or self.is_draft):
            self.main_parts.called(caller.usr, callee, quiet or perhaps)
        if self.threads.called(caller, callee):
            quiet = quiet and callee not in self._starting
            perhaps = perhaps and callee not in self._starting
            self._set_alone(caller)
        if callee in self._starting:
            self._starting.add(caller.usr)
        if self._spawning:
            self.sharing.enter(callee)
            return
        if not self.is_draft and self.summary(callee).takes:
            place = frame.site.line, frame.site.column
            self.sharing.note(callee, caller.usr, frame.base, frame.args, place)
        given = self._handed(callee, frame)
        gates = NO_GATES
        if state.held:
            held = (Gate(h.path, h.mode) for h in state.held)
            gates = handed.seen(held, given, callee, self.program)
        site = CallSite(caller.usr, callee, gates, frozenset(state.released), around, given, fixed)
        if quiet:
            self.contexts.startup.add(callee)
        elif perhaps and self.is_part(caller.usr):
            self.main_parts.keep_call(site)
        else:
            self.contexts.add(site)

    def note_around(self, site: Site, around: frozenset[str]) -> None:
        """Remember what is so of the locks *around* each time that *site* is passed."""
        place = site[:3]
        known = self.around.get(place)
        if known is None:
            self.around[place] = around
        elif known:
            self.around[place] = known & around

    def _handed(self, callee: str, frame: Frame) -> Handed:
        """The objects that a call hands over: what they are in the caller, and in the callee."""
        found: list[tuple[Path, Path]] = []
        if frame.base and not frame.base[0].is_some_object:
            found.append((frame.base[0], Path.of_this(callee)))
        for number, parameter in self._parameters_of(callee):
            if number < len(frame.args) and len(frame.args[number]) == 1:
                (path,) = frame.args[number]
                if path.is_object and not path.is_some_object:
                    found.append((path, parameter))
        given = tuple(found)
        return self._known_handed.setdefault(given, given)

    def _parameters_of(self, callee: str) -> tuple[tuple[int, Path], ...]:
        """Which parameters of *callee* lead to objects, and what they are called there."""
        known = self._leading.get(callee)
        if known is None:
            function = self.program.functions.get(callee)
            known = self._leading[callee] = tuple(
                (number, Path.of_variable(parameter))
                for number, parameter in enumerate(function.params if function is not None else ())
                if self.program.is_indirect(self.program.type_of(parameter))
            )
        return known

    def learn(self, summaries: Mapping[str, Summary]) -> None:
        """What is known of functions of the group from now on."""
        self._summaries.update(summaries)
