"""A call being made, and the callee's names in its caller's terms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import (
    bits,
    conditions,
    dependence,
    ended,
    lockables,
    of_object,
    ownership,
    untouched,
)
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import Runs
from lockorder.static.interp.summary import (
    Began,
    Bits,
    Compared,
    Either,
    Filled,
    Gate,
    Has,
    Member,
    Need,
    Needs,
    Owns,
    Part,
    Premise,
    Receiver,
    State,
    Unended,
)
from lockorder.static.interp.values import number_truth, truth_of
from lockorder.static.parse import facts as f
from lockorder.static.program import deletions, roots
from lockorder.static.program.effects import Effect, Holdable, Issued
from lockorder.static.program.origins import Origins
from lockorder.static.program.paths import RETURNED, UNKNOWN, Path, Paths, element, few, with_mask
from lockorder.static.program.roots import Root
from lockorder.static.program.steps import (
    CALLED,
    GUARDED,
    LOCKED,
    Element,
    ElementBy,
    Masked,
    Steps,
    Whole,
    member,
)

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def _each(act: Walk, function: f.Function, args: Sequence[Paths]) -> Sequence[Paths]:
    """What each parameter is given; a pack is any of what it has."""
    last = len(function.params) - 1  # in C a function may be given more than it names
    if not 0 <= last < len(args) - 1 or "..." not in act.program.type_of(function.params[last]):
        return args
    return (*args[:last], tuple(dict.fromkeys(p for each in args[last:] for p in each)))


class Translation:
    """The callee's names in the caller's terms."""

    def __init__(self, act: Walk, state: State, callee: str, frame: Frame) -> None:
        self._act = act
        self._state = state
        self._site = frame.site
        self._is_parameter = act.engine.is_parameter
        function = act.program.functions[callee]
        self._map: dict[Root, Paths] = {}
        #: Guards that the call takes over (by-value parameters).
        self.moved_guards: list[Path] = []
        for usr, argument in zip(function.params, _each(act, function, frame.args), strict=False):
            if argument:
                self._map[roots.Variable(usr)] = argument
                by_value = not act.program.type_of(usr).rstrip().endswith(("&", "*"))
                if argument[0] in state.guards and by_value:
                    self.moved_guards.append(argument[0])
        self._map[RETURNED.root] = (frame.result,)
        #: Whether a callable is called here that comes back on no way that is known by now.
        self.waits = False
        #: What was asked before: the ways a call can end mostly name the same places.
        self._asked: dict[Path, Paths] = {}
        self._locks: dict[Path, Paths] = {}
        #: The same of conditions: hundreds of acquisitions have the same ones.
        self._needed: dict[Needs, Needs | None] = {}
        #: By the identity of a binding, which the summary keeps alive: its name and its value here.
        self._bound: dict[int, tuple[Path, Paths]] = {}
        #: What the callable knows the objects by that it is kept in: one of them is the holder.
        self._known_as = frame.known_as
        self._holder = frame.holder
        if function.kind in ("method", "constructor", "destructor") and not function.static:
            self._map[roots.This(callee)] = frame.base or (UNKNOWN,)

    def key(self) -> object:
        """Translations with one key name everything alike (apart from members bound later)."""
        return (tuple(self._map.items()), self._holder)

    def paths(self, path: Path) -> Paths:
        """What *path* of the callee is in the caller; may be several things."""
        known = self._asked.get(path)
        if known is None:
            known = self._asked[path] = self._paths(path)
        return known

    def _paths(self, path: Path) -> Paths:
        held = self._held_by(path) if self._known_as else ()
        if held and len(self._known_as) == 1:
            return held
        bases = self._map.get(path.root)
        if bases is None:
            # A guard that a lambda has captured is the caller's own, under the same name.
            named = GUARDED in path.steps and path.is_variable
            own = self._walk(path.base, path.steps) if named else self._numbered(path)
            return self.few((*held, *own)) if held else own
        found = list(held)
        for base in bases:
            found.extend(self._walk(base, path.steps))
        return self.few(found)

    def _numbered(self, path: Path) -> Paths:
        """An element of something that callers know by the same name."""
        if not path.is_numbered:
            return (path,)
        found = path.base
        for step in path.steps:
            found = found.then(self._element(step) if isinstance(step, ElementBy) else step)
        return (found,)

    def _element(self, step: ElementBy) -> Element | ElementBy:
        """The step to the element that the argument for a parameter says."""
        given = self._map.get(roots.Variable(step.key))
        if given is None:
            return step  # of a function around
        if len(given) == 1 and self._act.values.is_name(given[0]):
            return ElementBy(given[0].variable)
        return element(given)

    def _held_by(self, path: Path) -> Paths:
        """What *path* is where it lies in the object that the callable is kept in."""
        known = next((k for k in self._known_as if path.is_within(k)), None)
        if known is None or self._holder is None:
            return ()
        return self._walk(self._holder, path.steps[len(known.steps) :])

    def bound(self, binding: tuple[Path, Paths]) -> tuple[Path, Paths]:
        """What a binding of the callee binds in the caller, and to what."""
        known = self._bound.get(id(binding))
        if known is None:
            path, value = binding
            known = self.one(path), self.few(q for v in value for q in self.paths(v))
            self._bound[id(binding)] = known
        return known

    def locks(self, path: Path) -> Paths:
        """The locks that *path* of the callee is in the caller."""
        known = self._locks.get(path)
        if known is None:
            found = self._act.identities.outers(self.paths(path))
            objects = tuple(p for p in found if p.literal not in ("nullptr", "NULL"))
            known = self._locks[path] = objects or found  # a null pointer leads to no lock
        return known

    def few(self, found: Iterable[Path]) -> Paths:
        """*found*, each once."""
        return few(found, self._act.cut)

    def _walk(self, base: Path, steps: Steps) -> Paths:
        here: Paths = (base,)
        for step in steps:
            if step == GUARDED:
                here = tuple(
                    q
                    for p in here
                    for q in (
                        self._state.guards[p].paths
                        if p in self._state.guards
                        else (p.then(GUARDED),)
                    )
                )
                continue
            if step == LOCKED:
                here = tuple(q for p in here for q in lockables.locks_of(self._act, self._state, p))
                continue
            if isinstance(step, ElementBy):
                step = self._element(step)
            if isinstance(step, Masked):
                here = tuple(q for p in here if (q := with_mask(step, p)) is not None)
                continue
            if step == CALLED:
                here = tuple(q for p in here for q in self._given_up(p))
                continue
            after: list[Path] = []
            for path in here:
                if path.is_plain:
                    continue
                member = path.then(step)
                after.extend(self._state.env.get(member, (member,)))
            here = tuple(after)
        return here

    def _given_up(self, path: Path) -> Paths:
        """Locks that a call of *path* gives up, where it is known by now what that is."""
        engine = self._act.engine
        if not path.is_function:
            return (path.then(CALLED),) if dependence.is_dependent(engine, path) else ()
        summary = self._act.summary_of(path.function)
        if not summary.ends and path.function in engine.group:
            self._act.waits_for_group = self.waits = True
        given_up = [o.released for o in summary.outcomes]
        always = frozenset.intersection(*given_up) if given_up else frozenset()
        return tuple(sorted(p for p in always if isinstance(p, Path)))

    @property
    def is_plain(self) -> bool:
        """Whether only names of the callee's own change."""
        return not self._known_as

    def needs(self, needs: Needs) -> Needs | None:
        """Conditions on parameters in the caller's terms, with what is so where it calls.

        None where they do not hold.
        """
        if needs not in self._needed:
            found = self._needs(needs)
            if found is not None:
                found |= self._act.needs(self._state)
                found = self._act.engine.shared.needs(found) if self.are_possible(found) else None
            self._needed[needs] = found
        return self._needed[needs]

    def _needs(self, needs: Needs) -> Needs | None:
        found: set[Need] = set()
        for need in needs:
            if isinstance(need, Premise):
                continue  # which the caller has answered
            if isinstance(need, Receiver | Either):
                left = self._one(need) if isinstance(need, Receiver) else self._either(need)
                if left is None:
                    return None
                found.update(left)
                continue
            if isinstance(need, Part):
                given = self._map.get(roots.Variable(need.parameter), ())
                rests = [self._rest(p, need) for p in given]
                if rests and all(rest is None for rest in rests):
                    return None
                if len(given) == 1 and rests[0] and self._is_parameter(given[0].base):
                    found.add(Part(given[0].variable, rests[0]))
                continue
            if isinstance(need, Bits | Compared | Began | Filled | Owns | Member | Unended):
                asked = self._asked_of(need)
                if asked is False:
                    return None
                if not isinstance(asked, bool) and asked is not None:
                    found.add(asked)
                continue
            if isinstance(need, Runs):
                if not self._act.engine.may_run(self._state, need):
                    return None
                found.add(need)
                continue
            if isinstance(need, Has):
                lock = Path.of_named(need.lock)
                if any(h.path == lock for h in self._state.held):
                    if not need.truth:
                        return None
                elif lock in self._state.released:
                    if need.truth:
                        return None
                else:
                    found.add(need)
                continue
            argument = self._map.get(roots.Variable(need.parameter), ())
            if len(argument) == 1 and argument[0].is_masked:
                told = self._bits(Bits(need.parameter, "-1", need.truth))
                if told is False:
                    return None
                found.update(() if told is None or isinstance(told, bool) else (told,))
                continue
            if len(argument) != 1 or argument[0].steps:
                continue
            given_as = argument[0]
            if ownership.is_null_argument(self._state, given_as) is need.truth:
                return None
            if given_as.is_literal:
                known = truth_of(given_as.literal)
                if known is not None and known != need.truth:
                    return None
            elif self._is_parameter(given_as):
                found.add(need._replace(parameter=given_as.variable))
        return frozenset(found)

    def _one(self, need: Receiver) -> tuple[Receiver, ...] | None:
        """What callers are asked where that body may run here; None where it cannot."""
        given = self.paths(need.path) if need.path.root in self._map else ()
        runs = self._has if need.steps else self._runs
        if given and not any(runs(p, need) for p in given):
            return None
        asked = len(given) == 1 and self._is_asked(given[0])
        return (need._replace(path=given[0]),) if asked else ()

    def _either(self, need: Either) -> tuple[Either, ...] | None:
        """What of the bodies can be run here, where callers are asked; None where none can."""
        given = self.paths(need.path) if need.path.root in self._map else ()
        if not given:
            return ()
        left = (f for f in need.functions if any(self._runs(p, Receiver(p, f)) for p in given))
        functions = frozenset(left)
        if not functions:
            return None
        asked = len(given) == 1 and self._is_asked(given[0])
        return (Either(given[0], functions),) if asked else ()

    def are_possible(self, needs: Needs) -> bool:
        """Whether an object can have all the versions of virtual functions that *needs* name."""
        asked: dict[Path, list[frozenset[str]]] = {}
        for need in needs:
            if isinstance(need, Either):
                asked.setdefault(need.path, []).append(need.functions)
            elif isinstance(need, Receiver) and not need.steps:
                asked.setdefault(need.path, []).append(frozenset((need.function,)))
        program = self._act.program
        for path, functions in asked.items():
            cls = self._act.identities.class_of(path) if len(functions) > 1 else ""
            below = program.derived(cls) if cls in program.classes else ()
            if below and not any(all(self._has_one(c, each) for each in functions) for c in below):
                return False
        return True

    def _has_one(self, cls: str, functions: frozenset[str]) -> bool:
        """Whether objects of just that class have one of these versions, or ends."""
        return any(self._is_version(cls, function) for function in functions)

    def _is_version(self, cls: str, function: str) -> bool:
        """Whether objects of just that class have that version of a function, or that end."""
        if function.startswith(deletions.END):
            return function == deletions.END + cls
        return self._act.program.runs(cls, function)

    def _asked_of(
        self, need: Bits | Compared | Began | Filled | Owns | Member | Unended
    ) -> Need | bool | None:
        """Whether that is so here; or what the caller's own callers must say."""
        if isinstance(need, Began):
            return self._began(need)
        if isinstance(need, Member):
            return self._member(need)
        if isinstance(need, Unended):
            return self._unended(need)
        if isinstance(need, Owns):
            return self._owns(need)
        if isinstance(need, Filled):
            return self._filled(need)
        return self._bits(need) if isinstance(need, Bits) else self._compared(need)

    def _member(self, need: Member) -> Member | bool:
        """Whether an object can use that lock here; or what the caller's own callers must say."""
        here = self.paths(need.path)
        told = {of_object.told(self._state, path, need) for path in here}
        if told == {not need.truth}:
            return False
        asks = len(here) == 1 and None in told and of_object.lasts(self._act, here[0])
        return need._replace(path=here[0]) if asks else True

    def _began(self, need: Began) -> Began | bool:
        """Whether a member has that number where the call is made; or what callers must say."""
        here = self.paths(need.path)
        if untouched.known(self._act, self._state, here, need) is (not need.truth):
            return False
        asks = len(here) == 1 and self._was_so(here[0], need)
        return need._replace(path=here[0]) if asks else True

    def _was_so(self, path: Path, need: Began) -> bool:
        """Whether what is so at *path* now was so when this function began."""
        if untouched.is_as_at_first(self._act, self._site, path):
            return True
        if need.literal or not path.steps or not isinstance(path.steps[-1], str):
            return False
        only = self._act.engine.falls.only(path.steps[-1])
        owner = path.owner
        same = not owner.steps or untouched.is_as_at_first(self._act, self._site, owner)
        return only is (not need.truth) and same

    def _unended(self, need: Unended) -> Need | bool | None:
        """Whether a thread is still to be waited for where the call is made."""
        here = self.paths(need.path)
        if here and all(ended.is_over(self._state, p, need.place) for p in here):
            return False
        return need._replace(path=here[0]) if len(here) == 1 and not here[0].is_plain else None

    def _owns(self, need: Owns) -> Need | bool | None:
        """Whether the smart pointer owns something where the call is made."""
        here = self.paths(need.path)
        if here and all(ownership.is_empty(self._state, p) for p in here):
            return False
        same = len(here) == 1 and untouched.is_as_at_first(self._act, self._site, here[0])
        return Owns(here[0]) if same else None

    def _filled(self, need: Filled) -> Need | bool | None:
        """Whether the object is not new here; or what the caller's own callers must say."""
        kept, function = self._act.engine.kept, self._act.function
        place, here = (self._site.line, self._site.column), self.paths(need.path)
        if here and all(kept.is_new(function, place, p) for p in here):
            return False
        if need.origins and here and all(self._is_made_elsewhere(p, need.origins) for p in here):
            return False
        own = len(here) == 1 and self._act.engine.is_of_callers(function, here[0])
        asks = own and kept.is_as_at_first(function, place, here[0])
        return Filled(here[0], need.origins) if asks else None

    def _is_made_elsewhere(self, path: Path, origins: Origins) -> bool:
        """Whether the object that has *path* is made at none of *origins*."""
        made = self._act.engine.birthplaces.of_path(path.owner)
        return bool(made) and origins.isdisjoint(made or ())

    def _bits(self, need: Bits) -> Need | bool | None:
        """Whether the argument has these bits or not; or what the caller's own callers must say."""
        given = self._map.get(roots.Variable(need.parameter), ())
        if len(given) != 1 or (given[0].steps and not given[0].is_masked):
            return None
        told = bits.test(given[0], Path.of_literal(need.mask), self._state)
        if isinstance(told, bool):
            return told is need.truth
        if isinstance(told.left, Path) and isinstance(told.right, Path):
            own = self._is_parameter(told.left)
            return Bits(told.left.variable, told.right.literal, need.truth) if own else None
        return None

    def _compared(self, need: Compared) -> Need | bool | None:
        """The same of what number the argument is."""
        given = self._map.get(roots.Variable(need.parameter), ())
        if len(given) != 1:
            return None
        told = conditions.is_so(self._state, given[0], need.sign, need.literal)
        if told is not None:
            return told is need.truth
        own = not given[0].steps and self._is_parameter(given[0])
        return need._replace(parameter=given[0].variable) if own else None

    def _is_asked(self, path: Path) -> bool:
        """Whether the caller's own callers say what object that is."""
        root = path.base
        if root != self._act.values.this and not self._is_parameter(root):
            return False
        return not path.steps or self._act.engine.held_classes.is_told(path)

    def _has(self, path: Path, need: Receiver) -> bool:
        """Whether the object at *path* can have been given the function that is called."""
        if len(need.steps) == 1 and self._lacks(path, member(need.steps[0])):
            return False
        given = self._act.engine.given
        functions = given.functions(given.home(path.variable, path.steps), need.steps)
        if functions is None and path.steps and isinstance(path.steps[-1], str):
            functions = given.behind(path.steps[-1], need.steps)
        if functions is None:
            pointer = path.last if path.steps else path.variable
            functions = self._act.engine.begun.functions(pointer, need.steps)
        return functions is None or need.function in functions

    def _lacks(self, path: Path, there: str) -> bool:
        """Whether an object has nothing in its member *there*, whatever its class may be."""
        lacking = self._act.engine.unset.lacking(there)
        cls = self._act.identities.class_of(path) if lacking else ""
        return bool(cls) and (self._act.engine.held_classes.derived(cls) or {""}) <= lacking

    def _rest(self, path: Path, need: Part) -> tuple[str, ...] | None:
        """What of *need* is a question for callers, where the parameter is *path* here."""
        return self._act.engine.kinds.rest(self._act.function, path, need.chain)

    def _runs(self, path: Path, need: Receiver) -> bool:
        """Whether a virtual call on the object at *path* can run that body."""
        function = need.function
        if path.is_literal:
            return number_truth(path.literal) is not False  # nothing is called on null
        program = self._act.program
        kept = self._act.engine.contents.of(self._act.function, path)
        if kept is not None:
            return any(self._is_version(cls, function) for cls in kept)
        cls, ends = self._act.identities.class_of(path), function.startswith(deletions.END)
        own = function.removeprefix(deletions.END) if ends else program.functions[function].cls
        if cls not in program.classes or own not in program.classes:
            return True
        lineage = program.ancestors(cls)
        if ends:
            return own == cls or (cls in program.ancestors(own) and not self._is_exactly(path))
        if own in lineage:
            return program.runs(cls, function)
        return own in program.family(cls) and not self._is_exactly(path)

    def _is_exactly(self, path: Path) -> bool:
        """Whether the object at *path* has the class that its place is declared with."""
        spelling = self._act.identities.type_of(path)
        if not spelling or (path.is_this and not path.steps):
            return False
        inside = bool(path.steps) and isinstance(path.steps[-1], Whole)
        return not inside and not self._act.program.is_indirect(spelling)

    def one(self, path: Path) -> Path:
        """The first of ``paths``."""
        found = self.paths(path)
        return found[0] if found else UNKNOWN

    def gates(self, gates: frozenset[Gate]) -> frozenset[Gate]:
        """Gates in the caller's terms."""
        if not gates:
            return gates
        return frozenset(Gate(self.one_held(g.path), g.mode) for g in gates)

    def one_held(self, what: Holdable) -> Holdable:
        """The first of what a lock is in the caller; a group is the same to all."""
        if not isinstance(what, Path):
            return what
        return self._act.identities.outer(self.one(what))

    def held(self, what: Holdable) -> tuple[Holdable, ...]:
        """All that a lock can be in the caller; a group is the same to all."""
        return self.locks(what) if isinstance(what, Path) else (what,)

    def effects(self, what: Effect) -> tuple[Effect, ...]:
        """All that a lock, a wait or a collective can be in the caller."""
        if isinstance(what, Path):
            return self.locks(what)
        if isinstance(what, Issued):
            on = self.paths(what.communicator)
            return tuple(Issued(p, what.name) for p in on if not p.is_plain)
        return (what,)

    def released(self, paths: frozenset[Holdable]) -> frozenset[Holdable]:
        """Released locks in the caller's terms."""
        if not paths:
            return paths
        return frozenset(q for p in paths for q in self.held(p))
