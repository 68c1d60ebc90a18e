"""What is held around each function, over all its callers, and which threads can get there."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Set
from typing import NamedTuple

from lockorder.bounds import CONTEXTS, Cuts
from lockorder.model import Mode
from lockorder.static.interp import handed
from lockorder.static.interp.handed import Handed
from lockorder.static.interp.summary import NO_GATES, Gate, Member
from lockorder.static.program import uncalled
from lockorder.static.program.effects import Holdable
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import GUARDED


class CallSite(NamedTuple):
    """*caller* calls *callee* while it holds *held* and has given up *released*.

    Of the locks *around*, by name, it holds one, or knows that its object uses none.  *held* are
    by the names of the callee, and *handed* says what of the caller's has names there.  *fixed* is
    what it knows, by its own names, that never changes.
    """

    caller: str
    callee: str
    held: frozenset[Gate]
    released: frozenset[Holdable]
    around: frozenset[str] = frozenset()
    handed: Handed = ()
    fixed: frozenset[Member] = frozenset()


class Contexts:
    """Minimal sets of locks held at the entry of each function (an antichain by inclusion)."""

    def __init__(self, cuts: Cuts) -> None:
        self.cuts = cuts
        self._sites: dict[str, set[CallSite]] = {}
        self._callers: dict[str, set[str]] = {}
        self._threads: dict[str, set[tuple[object, bool]]] = {}
        #: by what threads are started in: what each start says keeps other threads out
        self._runners: dict[str, set[frozenset[Gate]]] = {}
        #: Functions that main calls before it starts the first thread.
        self.startup: set[str] = set()
        self._startup_only: set[str] = set()
        self.escaped: set[str] = set()
        self._outside: set[str] = set()
        self._many: set[str] = set()
        self._repeated: set[object] = set()
        self._sometimes: dict[str, frozenset[Gate]] = {}
        self._fixed: dict[str, frozenset[Member]] | None = None
        self._meant: dict[tuple[str, Gate], frozenset[Gate]] = {}
        self._roots: set[str] = set()
        self._free: set[str] = set()
        self._entry: dict[str, tuple[frozenset[Gate], ...]] = {}
        self._only: dict[str, str] = {}
        self._dead: frozenset[str] = frozenset()

    def add(self, site: CallSite) -> None:
        """Record a call."""
        self._sites.setdefault(site.caller, set()).add(site)
        self._callers.setdefault(site.callee, set()).add(site.caller)

    def enter(self, site: CallSite) -> None:
        """Record that code outside, which *site* calls its caller, calls a function."""
        self._outside.add(site.caller)
        self.add(site)

    def thread(
        self, entry: str, place: object, once: bool, repeated: bool, own: frozenset[Gate] = NO_GATES
    ) -> None:
        """Record that a thread is started in *entry*.

        *once* where *place* is surely passed only once, *repeated* where it stands in a loop; *own*
        is what keeps other threads of the same object out.
        """
        self._runners.setdefault(entry, set()).add(own)
        self._threads.setdefault(entry, set()).add((place, once))
        if repeated:
            self._repeated.add(place)
        if repeated or len(self._threads[entry]) > 1:
            self._many.add(entry)

    @property
    def thread_functions(self) -> frozenset[str]:
        """Functions in which threads are started."""
        return frozenset(self._threads)

    def solve(self, program: Program, taken: set[str], overlap: Callable[[str, str], bool]) -> None:
        """Propagate from the roots: functions that nobody analysed calls, threads, callbacks.

        *taken* are functions whose address is taken; *overlap* says whether threads in two of them
        can run at the same time.
        """
        roots = {
            usr
            for usr in program.functions
            if (usr not in self._callers and usr not in self.startup)
            or usr in self._threads
            or usr in self.escaped
        }
        entered = {*taken, *self.escaped, *self._threads, *self._outside, *self.startup}
        alone = {u for u in program.functions if self._callers.get(u, set()) <= {u}}
        dead = set(uncalled.find(program, sorted(alone - entered)))
        dead.update(uncalled.included(program, alone - entered))
        roots -= dead
        self._propagate([*sorted(roots), *sorted(self._outside)], program)
        below = self.reached_from(dead) if dead else set()
        rest = sorted(u for u in program.functions if u not in self._entry and u not in below)
        self._propagate(rest, program)  # recursion that nothing outside enters
        self._dead = frozenset(u for u in below if u not in self._entry)
        self._roots = roots | self._outside
        self._free = self._roots.union(rest)
        self._spread()
        self._find_single_threads(program, roots, overlap)

    def _propagate(self, roots: list[str], program: Program) -> None:
        pending = deque(roots)
        for root in roots:
            self._entry[root] = ()
            started = root in self._threads and root not in self.escaped | self._outside
            for own in self._runners[root] if started else (NO_GATES,):
                self._enter(root, own)
        while pending:
            caller = pending.popleft()
            for site in sorted(self._sites.get(caller, ()), key=_order):
                grown = False
                for context in self._entry[caller]:
                    here = self.still(caller, context, site.released, program)
                    if here:
                        here = handed.seen(here, site.handed, site.callee, program)
                    grown |= self._enter(site.callee, here | site.held)
                if grown:
                    pending.append(site.callee)

    def _enter(self, callee: str, context: frozenset[Gate]) -> bool:
        known = self._entry.get(callee, ())
        if any(old <= context for old in known):
            return False
        kept = [old for old in known if not context <= old]
        kept.append(context)
        kept.sort(key=lambda c: (len(c), sorted(map(str, c))))
        if len(kept) > CONTEXTS.limit:
            self.cuts.note(CONTEXTS, callee)
            kept = [frozenset.intersection(*kept)]
        self._entry[callee] = tuple(kept)
        return True

    def fixed(self, usr: str, program: Program) -> frozenset[Member]:
        """What never changes, and is known to be so by all who call *usr*, by its own names."""
        if self._fixed is None:
            self._fixed = self._known_by_all(program)
        return self._fixed.get(usr, frozenset())

    def _known_by_all(self, program: Program) -> dict[str, frozenset[Member]]:
        """By function; from those that know something on, as far as all callers agree."""
        knowing = sorted(u for u, sites in self._sites.items() if any(s.fixed for s in sites))
        below = self.reached_from(set(knowing)) if knowing else set()
        found: dict[str, frozenset[Member]] = {}
        sites: dict[str, list[CallSite]] = {}
        for caller in sorted(self._sites):
            for site in self._sites[caller]:
                if site.callee in below:
                    sites.setdefault(site.callee, []).append(site)
        pending = deque(sorted(sites))
        while pending:
            usr = pending.popleft()
            if self._is_open(usr):
                continue
            ways = [self._handed_on(s, found.get(s.caller), below, program) for s in sites[usr]]
            known = [w for w in ways if w is not None]
            new = frozenset.intersection(*known) if known else None
            if new is not None and new != found.get(usr):
                found[usr] = new
                pending.extend(sorted({s.callee for s in self._sites.get(usr, ())} & below))
        return found

    def _handed_on(
        self, site: CallSite, known: frozenset[Member] | None, below: set[str], program: Program
    ) -> frozenset[Member] | None:
        """What a caller knows, by the callee's names; None where nothing is known of it yet."""
        if known is None and site.caller in below and not self._is_open(site.caller):
            return None
        here = site.fixed | (known or frozenset())
        return frozenset(
            need._replace(path=path)
            for need in here
            for path in handed.paths(need.path, site.handed, site.callee, program)
        )

    def _is_open(self, usr: str) -> bool:
        """Whether somebody can call *usr* of whom nothing is known."""
        return usr in self._free or self.is_entered(usr)

    def sometimes(self, usr: str) -> frozenset[Gate]:
        """Locks that some way to *usr* holds, by the names that whoever took them has for them."""
        return self._sometimes.get(usr, frozenset())

    def _spread(self) -> None:
        pending = deque(sorted(self._sites))
        waiting = set(pending)
        while pending:
            caller = pending.popleft()
            waiting.discard(caller)
            here = self._sometimes.get(caller, frozenset())
            for site in self._sites.get(caller, ()):
                known = self._sometimes.get(site.callee, frozenset())
                new = (here | site.held) - known
                if new and site.released:
                    held = site.held
                    new = frozenset(g for g in new if g in held or g.path not in site.released)
                if new:
                    self._sometimes[site.callee] = known | new
                    if site.callee not in waiting:
                        waiting.add(site.callee)
                        pending.append(site.callee)

    def entry(self, usr: str) -> tuple[frozenset[Gate], ...]:
        """The minimal sets of locks held when *usr* is entered; one empty set where free."""
        return self._entry.get(usr, (frozenset(),))

    # -- threads ----------------------------------------------------------------------------------

    def _find_single_threads(
        self, program: Program, roots: set[str], overlap: Callable[[str, str], bool]
    ) -> None:
        """Functions that one thread alone can reach: main, or a thread that is started once.

        Threads of which each begins when the others are over count as one.
        """
        mains = {u for u in roots if program.functions[u].name == "main"}
        if len(mains) != 1:
            return
        single = dict.fromkeys(mains, "main")
        for entry, starts in self._threads.items():
            alone = len(starts) == 1 or not overlap(entry, entry)
            if alone and all(once for _, once in starts) and entry in roots:
                called = entry in self._callers or entry in self.escaped
                if not called and entry in program.functions:
                    function = program.functions[entry]
                    name = program.told(function.name)
                    single[entry] = f"the thread of {name} (line {function.line})"
        told: dict[str, int] = {}
        names: dict[str, str] = {}
        for root, plain in sorted(single.items()):
            told[plain] = told.get(plain, 0) + 1  # two lambdas can stand in one line
            names[root] = plain if told[plain] == 1 else f"{plain}, number {told[plain]}"
        for after in _in_turn(sorted(names.keys() - mains), overlap):
            names.update(dict.fromkeys(after, ", then ".join(names[root] for root in after)))
        for root, name in names.items():
            for usr in self.reached_from({root}) - self.reached_from(roots - {root}):
                self._only[usr] = name
        self._startup_only = self.reached_from(self.startup) - self.reached_from(roots)

    def reached_from(self, roots: set[str]) -> set[str]:
        """*roots* and all that they call, directly or not."""
        seen = set(roots)
        pending = list(roots)
        while pending:
            for site in self._sites.get(pending.pop(), ()):
                if site.callee not in seen:
                    seen.add(site.callee)
                    pending.append(site.callee)
        return seen

    @property
    def roots(self) -> list[str]:
        """Entries of the program, sorted: threads, and functions that nobody analysed calls."""
        return sorted(self._roots - self._outside)

    def is_thread(self, entry: str) -> bool:
        """Whether *entry* is what a thread is started in."""
        return entry in self._threads

    def repeated(self, place: object) -> bool:
        """Whether *place* starts a thread in a loop."""
        return place in self._repeated

    def is_entered(self, usr: str) -> bool:
        """Whether code outside enters *usr*: a new thread, an interpreter, who keeps callbacks."""
        if usr in self._threads or usr in self.escaped:
            return True
        return not self._outside.isdisjoint(self._callers.get(usr, ()))

    def many(self, entry: str) -> bool:
        """Whether several threads are started in *entry*."""
        return entry in self._many

    def entries_of(self, functions: set[str]) -> dict[str, frozenset[str]]:
        """The entries (threads, main, functions that nobody calls) that lead to each function."""
        entries = self._roots | set(self._threads)
        return {usr: frozenset(self.leading_to(usr) & entries) for usr in functions}

    def leading_to(self, usr: str) -> set[str]:
        """*usr* and all that call it, directly or not: up to the threads in which they run."""
        seen = {usr}
        pending = [usr]
        while pending:
            here = pending.pop()
            if here in self._threads:
                continue  # who starts it does not run it
            for caller in self._callers.get(here, ()):
                if caller not in seen:
                    seen.add(caller)
                    pending.append(caller)
        return seen

    def bound(self, usr: str, gate: Gate, program: Program) -> frozenset[Gate]:
        """What *gate*, which callers hand to *usr*, is by other names that all of them have.

        None where code that was not read can call it, too.
        """
        if usr in self._free:
            return NO_GATES
        found = self._by_callers(usr, gate, program)
        return frozenset.intersection(*found) if found else NO_GATES

    def perhaps(self, usr: str, gate: Gate, program: Program) -> frozenset[Gate]:
        """The same, by all names that some caller has for it; asked when all calls are known."""
        known = self._meant.get((usr, gate))
        if known is None:
            known = NO_GATES.union(*self._by_callers(usr, gate, program))
            self._meant[usr, gate] = known
        return known

    def still(
        self, usr: str, context: frozenset[Gate], released: frozenset[Holdable], program: Program
    ) -> frozenset[Gate]:
        """What of *context* a function still has where it has given up *released*.

        Of a guard that callers hand in it is not known what it has.
        """
        gone = set(released)
        for path in released if context else ():
            if not isinstance(path, Path) or not _is_parameter(path, program):
                continue
            if GUARDED in path.steps:
                return NO_GATES
            gone.update(g.path for g in self.perhaps(usr, Gate(path, Mode.EXCLUSIVE), program))
        return frozenset(gate for gate in context if gate.path not in gone)

    def _by_callers(self, usr: str, gate: Gate, program: Program) -> list[frozenset[Gate]]:
        path = gate.path
        assert isinstance(path, Path)
        return [
            _bound(gate, path, site, program)
            for caller in sorted(self._callers.get(usr, ()))
            for site in self._sites.get(caller, ())
            if site.callee == usr
        ]

    def calls(self, usr: str) -> Set[CallSite]:
        """The calls that *usr* makes."""
        return self._sites.get(usr, frozenset())

    @property
    def free(self) -> frozenset[str]:
        """Functions that can be entered with nothing held."""
        return frozenset(self._free)

    def callers(self, usr: str) -> frozenset[str]:
        """Functions that call *usr*."""
        return frozenset(self._callers.get(usr, ()))

    def is_startup(self, usr: str) -> bool:
        """Whether *usr* runs only before main starts the first thread."""
        return usr in self._startup_only

    def has_callers(self, usr: str) -> bool:
        """Whether something that was read calls *usr*."""
        return usr in self._callers or usr in self.startup

    def is_dead(self, usr: str) -> bool:
        """Whether nothing can call *usr*."""
        return usr in self._dead

    def only_thread(self, usr: str) -> str | None:
        """The one thread that can be in *usr*, where there is only one."""
        return self._only.get(usr)


def _is_parameter(path: Path, program: Program) -> bool:
    variable = program.variables.get(path.variable) if path.is_variable else None
    return variable is not None and variable.kind == "param"


def _in_turn(entries: list[str], overlap: Callable[[str, str], bool]) -> list[list[str]]:
    """*entries* in groups of threads of which no two run at the same time."""
    groups: list[list[str]] = []
    for entry in entries:
        for group in groups:
            if not any(overlap(entry, other) for other in group):
                group.append(entry)
                break
        else:
            groups.append([entry])
    return groups


def _bound(gate: Gate, path: Path, site: CallSite, program: Program) -> frozenset[Gate]:
    """The other names of *path*, which begins at a parameter of the callee, in one call."""
    given = [
        Path(there.root, there.steps + path.steps)
        for there, parameter in site.handed
        if parameter.root is path.root and not parameter.is_this
    ]
    gates = (Gate(each, gate.mode) for each in given)
    return handed.seen(gates, site.handed, site.callee, program) - {gate}


def _order(site: CallSite) -> tuple[str, list[str]]:
    return site.callee, sorted(map(str, site.held))
