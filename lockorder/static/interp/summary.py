"""What abstract interpretation of one function yields, and the state it works on."""

from __future__ import annotations

import dataclasses
import operator
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

from lockorder.bounds import FEW_WAYS, VALUES
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp.known import Equal, Fact, Less, Place, Runs
from lockorder.static.program.effects import Effect, Holdable, Issued
from lockorder.static.program.origins import Origins
from lockorder.static.program.paths import Path, Paths, each_once
from lockorder.static.program.steps import Step, Steps


class Site(NamedTuple):
    """A call chain, outermost first: *function* at *line*, then *inner*."""

    function: str
    line: int
    column: int
    inner: Site | None = None

    def along(self) -> Iterator[Site]:
        """The places of the chain, outermost first."""
        here: Site | None = self
        while here is not None:
            yield here
            here = here.inner


class Held(NamedTuple):
    """A lock that is held, how it was taken and where; *guard* releases it when it dies.

    *undo* is the result of the call that took it: a result that is not zero means it failed.
    *leaked*: an exception left the callee that should have released it.
    *either*: one of several that one expression can be; what is not held for sure is no gate.
    *chosen*: that of one of several objects that a name can mean, on the way on which it means this
    one: another name may mean the same one, or not.
    """

    path: Holdable
    mode: Mode
    how: How
    site: Site
    guard: Path | None = None
    undo: Path | None = None
    leaked: bool = False
    either: bool = False
    chosen: bool = False

    @property
    def lock(self) -> Path:
        """The lock, where it is one."""
        assert isinstance(self.path, Path)
        return self.path


class Guard(NamedTuple):
    """An RAII object: the locks it refers to and whether it owns them now.

    An *inverse* one, made at *site*, gave its locks up and takes them again when it dies.
    """

    paths: Paths
    owned: bool
    mode: Mode = Mode.EXCLUSIVE
    inverse: bool = False
    site: Site | None = None


class Gate(NamedTuple):
    """A lock held meanwhile."""

    path: Holdable
    mode: Mode


#: Nothing is held meanwhile.
NO_GATES: frozenset[Gate] = frozenset()


def gates_of(held: Iterable[Held]) -> frozenset[Gate]:
    """The locks that are surely held."""
    return frozenset(Gate(h.path, h.mode) for h in held if not h.either)


class Receiver(NamedTuple):
    """A virtual call on the object at *path* runs the body *function*.

    The path begins at a parameter or at the object of the call.  With *steps*, these lead from the
    object to the function that is called.  ``~C`` is the end of an object that is just a C.
    """

    path: Path
    function: str
    steps: Steps = ()


class Either(NamedTuple):
    """A virtual call on the object at *path* runs one of these bodies, or it ends as one of these
    classes: what several acquisitions need that are told as one.
    """

    path: Path
    functions: frozenset[str]
    kind: Literal["either"] = "either"

    def covers(self, need: Need) -> bool:
        """Whether this is so wherever *need* is."""
        if isinstance(need, Receiver):
            return need.path == self.path and not need.steps and need.function in self.functions
        same = isinstance(need, Either) and need.path == self.path
        return same and isinstance(need, Either) and need.functions <= self.functions


class Part(NamedTuple):
    """What the parameter (by key) points to lies in others, by these members: an object is a part
    of one kind of structure only.
    """

    parameter: str
    chain: tuple[str, ...]


class Bits(NamedTuple):
    """Whether the parameter (by key) has any of the bits of *mask*, a literal."""

    parameter: str
    mask: str
    truth: bool


class Compared(NamedTuple):
    """Whether the parameter (by key) is *literal*, is below it (``<``), or above it (``>``)."""

    parameter: str
    sign: str
    literal: str
    truth: bool


class Flag(NamedTuple):
    """Whether the parameter (by key) is true."""

    parameter: str
    truth: bool
    kind: Literal["flag"] = "flag"


class Has(NamedTuple):
    """Whether the thread has the lock of that name."""

    lock: str
    truth: bool
    kind: Literal["has"] = "has"


class Premise(NamedTuple):
    """What a call found at first: the member or parameter at *path* is *literal* (true, where that
    is empty), or is not.
    """

    path: Path
    literal: str
    truth: bool


class Began(NamedTuple):
    """The member at *path* is *literal* (true, where that is empty), or not, when a call begins."""

    path: Path
    literal: str
    truth: bool
    kind: Literal["began"] = "began"


class Owns(NamedTuple):
    """The smart pointer at *path* owns something when the call begins."""

    path: Path


class Filled(NamedTuple):
    """Others have put something into the member at *path*, whose object is not new.

    It was made at one of *origins*, where there are any.
    """

    path: Path
    origins: Origins = frozenset()
    kind: Literal["filled"] = "filled"


class Member(NamedTuple):
    """Whether the member at *path* is *literal* (true, where that is empty) all the time of a call.

    A lock is asked so whose object has the member, too: it says which of its locks an object uses.
    """

    path: Path
    literal: str
    truth: bool
    kind: Literal["member"] = "member"

    def is_of(self, lock: Path) -> bool:
        """Whether it is a member of the object that *lock* lies in."""
        return lock.is_within(self.path.owner)


class Unended(NamedTuple):
    """The thread at *path* was not waited for before, or not by the wait at *place*."""

    path: Path
    place: Place


#: What must be so for something to happen in a call: a parameter's truth, number or bits, what it
#: leads to, or lies in; or what a global table of functions has; or what was so at first, or is all
#: the time; or whether a named lock is held.
Need = (
    Flag | Has | Receiver | Either | Part | Bits | Compared | Runs | Premise | Began | Owns
    | Filled | Member | Unended
)  # fmt: skip
Needs = frozenset[Need]
NO_NEEDS: Needs = frozenset()


def are_less(some: Needs, others: Needs) -> bool:
    """Whether *some* are so wherever *others* are."""
    if some <= others:
        return True
    return all(n in others or (isinstance(n, Either) and any(map(n.covers, others))) for n in some)


def needed_by_both(one: Needs, other: Needs) -> Needs:
    """What is so where *one* is, and where *other* is."""
    ours, theirs = _versions(one), _versions(other)
    either = (Either(p, ours[p] | theirs[p]) for p in ours.keys() & theirs.keys())
    return (one & other).union(e for e in either if not any(map(e.covers, one & other)))


def _versions(needs: Needs) -> dict[Path, frozenset[str]]:
    """By the path of an object: bodies of which virtual calls on it run one, or ends of it."""
    found: dict[Path, frozenset[str]] = {}
    for need in needs:
        if isinstance(need, Receiver) and not need.steps:
            functions = frozenset((need.function,))
        elif isinstance(need, Either):
            functions = need.functions
        else:
            continue
        known = found.get(need.path)
        choice = min(known or functions, functions, key=lambda x: (len(x), sorted(x)))
        found[need.path] = choice
    return found


class Taken(NamedTuple):
    """An acquisition that happens somewhere in a call.

    ``inside`` are locks taken in the call and still held then; ``released`` locks of the caller
    that are not held at that moment.  ``needs`` are parameters (by key) and the truth that they
    must have for it to happen, or the bodies that virtual calls on them must run.
    """

    path: Effect
    mode: Mode
    how: How
    site: Site
    inside: frozenset[Gate] = frozenset()
    released: frozenset[Holdable] = frozenset()
    certainty: Certainty = Certainty.CERTAIN
    why: str = ""
    needs: Needs = frozenset()

    @property
    def lock(self) -> Path:
        """The lock, where it is one."""
        assert isinstance(self.path, Path)
        return self.path

    def covers(self, other: Taken) -> bool:
        """Whether every order that *other* makes in a caller is made by this one, too, as surely.

        It is so where less is held meanwhile, less was given up, and less must be true.
        """
        return (
            self.inside <= other.inside
            and self.released <= other.released
            and self.certainty >= other.certainty
            and are_less(self.needs, other.needs)
        )

    def widened(self, other: Taken) -> Taken:
        """One that covers both."""
        surest = self if self.certainty >= other.certainty else other
        return surest._replace(
            inside=self.inside & other.inside,
            released=self.released & other.released,
            needs=needed_by_both(self.needs, other.needs),
        )


def members(taken: Taken) -> Iterator[Member]:
    """What members of objects must be for *taken* to happen."""
    return (need for need in taken.needs if isinstance(need, Member))


class Order(NamedTuple):
    """``held`` was held when ``taken`` was taken; ``gates`` were held as well."""

    held: Held
    taken: Taken
    gates: frozenset[Gate]

    @property
    def locks(self) -> tuple[Path, Path] | None:
        """Both, where it is an order of two locks."""
        held, taken = self.held.path, self.taken.path
        return (held, taken) if isinstance(held, Path) and isinstance(taken, Path) else None

    @property
    def key(self) -> object:
        """Orders with one key differ only in how they come about, and under what."""
        held, taken = self.held, self.taken
        return held.path, taken.path, held.mode, taken.mode, taken.how

    def covers(self, other: Order) -> bool:
        """Whether every cycle that *other* is on has this one on it as well, as surely."""
        return (
            self.gates <= other.gates
            and self.taken.certainty >= other.taken.certainty
            and are_less(self.taken.needs, other.taken.needs)
        )


class Deferred(NamedTuple):
    """A call of a callable that only the caller knows (a parameter), with what is held then."""

    callee: Path
    args: tuple[Paths, ...]
    held: tuple[Held, ...]
    site: Site
    released: frozenset[Holdable] = frozenset()

    @property
    def key(self) -> object:
        """Calls with one key do the same in a caller, but for what was given up before."""
        held = frozenset((h.path, h.mode) for h in self.held)
        return self.callee, self.args, held

    def covers(self, other: Deferred) -> bool:
        """Whether every order that *other* makes in a caller is made by this one, too."""
        return self.released <= other.released


class Outcome(NamedTuple):
    """One way a call can end, relative to its start."""

    held: tuple[Held, ...] = ()
    released: frozenset[Holdable] = frozenset()
    guard: Guard | None = None
    flag: bool | None = None
    #: the literal that is returned, where it is one
    value: str = ""
    bindings: tuple[tuple[Path, Paths], ...] = ()
    guards: tuple[tuple[Path, Guard], ...] = ()
    #: what is so at the start wherever it ends in this way
    premises: frozenset[Premise | Runs] = frozenset()
    #: comparisons of what is returned with numbers, and how they come out
    compared: frozenset[tuple[Equal | Less, bool]] = frozenset()
    #: what is so then of members that the call may have set, and of threads
    left: frozenset[tuple[Fact, bool]] = frozenset()
    #: the object that is returned, where a lock in it is left locked
    found: Paths = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Ways with one key leave the same locks held, by whatever calls they were taken."""
        held = frozenset((h.path, h.mode, h.leaked) for h in self.held)
        return held, self.released, self.flag, _unplaced(self.guard)

    @property
    def shape(self) -> object:
        """The key, and what the caller's names mean afterwards."""
        guards = frozenset((p, _unplaced(g)) for p, g in self.guards)
        bound = frozenset((p, frozenset(v)) for p, v in self.bindings)
        return self.key, bound, guards, self.premises, self.compared, self.left, self.found

    def changing(
        self, known: Mapping[Path, Collection[Path]], some: Callable[[Path], Path]
    ) -> Outcome:
        """The same, which changes nothing but what is *known*: to that, or to *some* object."""
        kept = tuple(
            (path, tuple(dict.fromkeys(p if p in known[path] else some(p) for p in value)))
            for path, value in self.bindings
            if path in known
        )
        return self._replace(bindings=kept)

    def without_premises(self) -> Outcome:
        """The same, whatever is so at the start."""
        return self._replace(premises=frozenset()) if self.premises else self

    def joined(self, other: Outcome) -> Outcome:
        """Both: a name that means something else on each way means either."""
        if self.key != other.key:
            both_ways = self._replace(
                released=self.released & other.released,
                flag=self.flag if self.flag == other.flag else None,
                guard=self.guard if self.guard is not None else other.guard,
            )
            return both_ways.joined(
                other._replace(
                    released=both_ways.released,
                    flag=both_ways.flag,
                    guard=both_ways.guard,
                    held=self.held,
                )
            )
        if self.value != other.value:
            return self._replace(value="").joined(other._replace(value=""))
        if self.found != other.found:
            return self._replace(found=()).joined(other._replace(found=()))
        if self.bindings == other.bindings and self.guards == other.guards:
            return self
        mine, theirs = dict(self.bindings), dict(other.bindings)
        both = {
            path: tuple(dict.fromkeys((*mine.get(path, (path,)), *theirs.get(path, (path,)))))
            for path in {**mine, **theirs}
        }
        guards = {**dict(other.guards), **dict(self.guards)}
        return self._replace(bindings=tuple(both.items()), guards=tuple(guards.items()))


class Choice(NamedTuple):
    """The object at *path* is returned only where all that is *needed* is so: see ``choices``."""

    path: Path
    needed: frozenset[tuple[Fact, bool]]


def _unplaced(guard: Guard | None) -> Guard | None:
    return guard._replace(site=None) if guard is not None and guard.site is not None else guard


def join_outcomes(outcomes: Iterable[Outcome]) -> tuple[Outcome, ...]:
    """One outcome for each key, in the order in which they come first.

    Many of them are widened: those that leave the same locks held become one, which gives up only
    what each of them does, then one whatever they return.
    """
    found = _joined_by(lambda o: o.key, outcomes)
    if len(found) > FEW_WAYS:
        found = _joined_by(lambda o: (o.key[0], *o.key[2:]), found)
    if len(found) > FEW_WAYS:
        found = _joined_by(lambda o: o.key[0], found)
    return _sharing(found) if len(found) > 1 else tuple(o.without_premises() for o in found)


def _sharing(outcomes: Sequence[Outcome]) -> tuple[Outcome, ...]:
    """*outcomes* with one object for each binding: most ways leave most names alike.

    A caller then translates a binding once, and not once for each way.
    """
    known: dict[tuple[Path, Paths], tuple[Path, Paths]] = {}
    return tuple(
        o._replace(bindings=tuple(known.setdefault(b, b) for b in o.bindings)) for o in outcomes
    )


def _joined_by(
    key: Callable[[Outcome], object], outcomes: Iterable[Outcome]
) -> tuple[Outcome, ...]:
    found: dict[object, Outcome] = {}
    for outcome in outcomes:
        here = key(outcome)
        old = found.get(here)
        if old is not None:
            outcome = old.joined(outcome)._replace(
                premises=old.premises & outcome.premises,
                compared=old.compared & outcome.compared,
                left=old.left & outcome.left,
            )
        found[here] = outcome
    return tuple(found.values())


@dataclasses.dataclass(slots=True)
class Summary:
    """What a call of a function does to locks, in terms of its parameters and ``this``.

    ``orders`` are orders whose locks only a caller can name; ``ends`` is false for a function
    that never returns; ``thrown`` are the ways it can be left by an exception.  One that ``hides``
    something takes locks that are not told yet.
    """

    taken: dict[tuple[Effect, Mode, How], tuple[Taken, ...]]
    orders: tuple[Order, ...] = ()
    deferred: tuple[Deferred, ...] = ()
    outcomes: tuple[Outcome, ...] = (Outcome(),)
    returns: Paths = ()
    ends: bool = True
    thrown: tuple[Outcome, ...] = ()
    hides: bool = False
    #: of what it can return, what must be so of its parameters for that
    choices: tuple[Choice, ...] = ()
    #: objects of callers that are gone wherever it comes back: see ``misuse``
    gone: Paths = ()

    @property
    def takes(self) -> bool:
        """Whether a call takes locks, told or not."""
        return bool(self.taken) or self.hides

    @property
    def is_quiet(self) -> bool:
        """Whether a call does nothing to locks and comes back."""
        return self.ends and not (
            self.takes
            or self.orders
            or self.deferred
            or any(o.held or o.released for o in (*self.outcomes, *self.thrown))
        )

    def same_ways(self, other: Summary) -> bool:
        """Whether a call can end in the same ways, whatever it does meanwhile."""
        return (
            self.ends == other.ends
            and self.hides == other.hides
            and set(self.returns) == set(other.returns)
            and _shapes(self.outcomes) == _shapes(other.outcomes)
            and _shapes(self.thrown) == _shapes(other.thrown)
        )

    def joined(self, new: Summary) -> Summary:
        """What is known by this one and by *new*; this one itself where that adds nothing.

        What was known keeps its story: the first is the shortest.
        """
        merged = Summary(
            _joined_taken(self.taken, new.taken),
            _joined_orders(self.orders, new.orders),
            _joined_deferred(self.deferred, new.deferred),
            join_outcomes((*self.outcomes, *new.outcomes)),
            new.returns,
            self.ends or new.ends,
            join_outcomes((*self.thrown, *new.thrown)),
            self.hides or new.hides,
        )
        unchanged = (
            merged.taken is self.taken
            and merged.orders is self.orders
            and merged.deferred is self.deferred
            and merged.same_ways(self)
        )
        return self if unchanged else merged

    def beyond(self, old: Summary) -> Summary:
        """Effects of this one that *old*, from which it was joined, does not have."""
        before = old.taken
        taken = {
            key: fresh
            for key, variants in self.taken.items()
            if (known := before.get(key)) is not variants
            and (fresh := _fresh(variants, known or ()))
        }
        return Summary(taken, _fresh(self.orders, old.orders), _fresh(self.deferred, old.deferred))

    def widened(self, known: Summary, is_parameter: Callable[[Path], bool]) -> Summary:
        """The same with members of objects that callers hand in, and *known* does not have, as
        members of some object: there are only so many of these.

        A lock that lies in what is handed in itself is left alone: no way to it gets longer.
        A member that *known* does not change is one that a call leaves as it was: ways to members
        get longer with every round.
        """

        def some(path: Path) -> Path:
            mine = path.is_this or is_parameter(path)
            return path.of_some_object() if mine and path.steps else path

        def distant(path: Path) -> Path:
            return some(path) if len(path.steps) > 1 else path

        def some_effect(what: Effect) -> Effect:
            if isinstance(what, Issued):
                return Issued(distant(what.communicator), what.name)
            return distant(what) if isinstance(what, Path) else what

        taken: dict[_TakenKey, tuple[Taken, ...]] = {}
        for key, variants in self.taken.items():
            path = key[0] if key in known.taken else some_effect(key[0])
            there, found = key, variants
            if path is not key[0]:
                there = (path, *key[1:])
                found = tuple(t._replace(path=path) for t in variants)
            taken[there] = (*taken[there], *found) if there in taken else found
        had = {order.key for order in known.orders}
        orders = tuple(
            order
            if order.key in had
            else order._replace(
                held=order.held._replace(path=_held_as(order.held.path, distant)),
                taken=order.taken._replace(path=some_effect(order.taken.path)),
            )
            for order in self.orders
        )
        bound: dict[Path, set[Path]] = {}
        for outcome in (*known.outcomes, *known.thrown):
            for path, value in outcome.bindings:
                bound.setdefault(path, {path}).update(value)
        returns = tuple(p if p in known.returns else some(p) for p in self.returns)
        if known.ends:
            returns = _either(known.returns, returns)
        return dataclasses.replace(
            self,
            taken=taken,
            orders=orders,
            outcomes=tuple(o.changing(bound, some) for o in self.outcomes),
            thrown=tuple(o.changing(bound, some) for o in self.thrown),
            returns=returns,
        )

    def with_effects(self, other: Summary) -> Summary:
        """The ways of this one with the effects of *other*."""
        return dataclasses.replace(
            self, taken=other.taken, orders=other.orders, deferred=other.deferred
        )

    def hiding(self) -> Summary:
        """The same without what it takes: only that it does is told."""
        return dataclasses.replace(self, taken={}, hides=self.takes)

    def telling(self, other: Summary) -> Summary:
        """The ways of this one with all that *other*, the walk it came from, takes."""
        return dataclasses.replace(self.joined(self.with_effects(other)), hides=False)

    def coming_back(self, outcomes: tuple[Outcome, ...]) -> Summary:
        """The same, which comes back only in these ways."""
        return dataclasses.replace(self, outcomes=outcomes)

    def returning(self) -> Summary:
        """The same, which can also come back as if nothing had happened."""
        return dataclasses.replace(self, outcomes=(*self.outcomes, Outcome()), ends=True)


def _either(known: Paths, new: Paths) -> Paths:
    """What comes back by one or the other; numbers only where both say them, and not too many."""
    both = each_once((*known, *new))
    numbers = {p for p in both if p.is_literal}
    said = all(not numbers.isdisjoint(each) for each in (known, new))
    return (
        both
        if said and len(numbers) <= VALUES.limit
        else tuple(p for p in both if p not in numbers)
    )


_Item = TypeVar("_Item", Taken, Order, Deferred)


def _shapes(outcomes: Iterable[Outcome]) -> frozenset[object]:
    return frozenset(o.shape for o in outcomes)


def _fresh(items: tuple[_Item, ...], old: tuple[_Item, ...]) -> tuple[_Item, ...]:
    known = {id(x) for x in old}
    return tuple(x for x in items if id(x) not in known)


def uncovered(known: list[_Covering], new: _Covering) -> bool:
    """Add *new* to *known* unless that covers it; what it covers itself goes."""
    for old in known:
        if old.covers(new):
            return False
    if known:
        known[:] = [old for old in known if not new.covers(old)]
    known.append(new)
    return True


_Covering = TypeVar("_Covering", Taken, Order, Deferred)
_TakenKey = tuple[Effect, Mode, How]


def _joined_taken(
    old: dict[_TakenKey, tuple[Taken, ...]], new: dict[_TakenKey, tuple[Taken, ...]]
) -> dict[_TakenKey, tuple[Taken, ...]]:
    found: dict[_TakenKey, tuple[Taken, ...]] | None = None
    for key, variants in new.items():
        before = old.get(key)
        if before is variants:
            continue
        known = list(before or ())
        grown = [uncovered(known, taken) for taken in variants]  # all of them
        if any(grown):
            found = dict(old) if found is None else found
            same = len(known) == len(variants) and all(map(operator.is_, known, variants))
            found[key] = variants if same else tuple(known)
    return old if found is None else found


def _joined_orders(old: tuple[Order, ...], new: tuple[Order, ...]) -> tuple[Order, ...]:
    found: dict[object, list[Order]] = {}
    for order in old:
        found.setdefault(order.key, []).append(order)
    grown = [uncovered(found.setdefault(order.key, []), order) for order in new]
    return tuple(o for orders in found.values() for o in orders) if any(grown) else old


def _joined_deferred(old: tuple[Deferred, ...], new: tuple[Deferred, ...]) -> tuple[Deferred, ...]:
    found: dict[object, list[Deferred]] = {}
    for deferred in old:
        found.setdefault(deferred.key, []).append(deferred)
    grown = [uncovered(found.setdefault(deferred.key, []), deferred) for deferred in new]
    return tuple(d for each in found.values() for d in each) if any(grown) else old


#: A lock that is had more often than this, in the rounds of a loop, is had this often.
SEVERAL = 3


def _held_as(what: Holdable, some: Callable[[Path], Path]) -> Holdable:
    return some(what) if isinstance(what, Path) else what


def _counted(held: tuple[Held, ...]) -> object:
    """What is held, and how often: in which order it was taken makes no difference any more.

    One more element of an array than the round before is nothing new.
    """
    taken = frozenset((h.path, h.mode) for h in held)
    if len(taken) == len(held):
        return taken
    often = Counter((h.path, h.mode) for h in held if not h.path.is_one_of_many)
    several = frozenset((lock, min(n, SEVERAL)) for lock, n in often.items() if n > 1)
    return (taken, several) if several else taken


class Rank(NamedTuple):
    """The program has found that *low* comes before *high*, *by* a member or their addresses."""

    low: Path
    high: Path
    by: Step = ""


def _are_alike(one: Mapping[Any, object], other: Mapping[Any, object]) -> bool:
    if one is other:
        return True
    return len(one) == len(other) and one == other and all(map(operator.eq, one, other))


EMPTY = Summary({})
#: Of a function that is not known to come back.
BOTTOM = Summary({}, outcomes=(), ends=False)


def are_numbers(value: Paths) -> bool:
    """Whether *value* is a number or the like, or one of several."""
    return bool(value) and all(p.is_number for p in value)


#: What of a state its key is made of.
_DECIDING = frozenset(("held", "guards", "alive", "released", "ranks"))


@dataclasses.dataclass(slots=True)
class State:
    """One path's knowledge at one point.  Treated as immutable: every change makes a new one.

    ``env`` maps access paths (and the results of calls) to what they stand for, ``facts`` maps
    conditions to their known truth, ``alive`` lists the objects to destroy, oldest first;
    ``freed`` are locks that this function took and gave up again.
    """

    held: tuple[Held, ...] = ()
    env: dict[Path, Paths] = dataclasses.field(default_factory=dict)
    guards: dict[Path, Guard] = dataclasses.field(default_factory=dict)
    facts: dict[Fact, bool] = dataclasses.field(default_factory=dict)
    alive: tuple[Path, ...] = ()
    released: frozenset[Holdable] = frozenset()
    freed: frozenset[Path] = frozenset()
    #: objects that were compared
    ranks: frozenset[Rank] = frozenset()
    #: Nothing comes here yet: a destructor on the way calls what is still being solved.
    waits: bool = False
    _known_key: object = dataclasses.field(default=None, compare=False, repr=False)
    _known_numbers: Paths | None = dataclasses.field(default=None, compare=False, repr=False)

    @property
    def numbers(self) -> Paths:
        """Names in ``env`` that stand for a number or the like, or for one of several."""
        # Few do, and all that a function knows is asked for them at every call.
        if self._known_numbers is None:
            self._known_numbers = tuple(
                p for p, v in self.env.items() if v and v[0].is_number and are_numbers(v)
            )
        return self._known_numbers

    def key(self, released: bool = True) -> object:
        """States with one key differ in nothing that decides what is locked.

        Without *released* they may differ in what was given up of the caller's.
        """
        if not released:
            return self._key(False)
        if self._known_key is None:
            self._known_key = self._key(True)
        return self._known_key

    def _key(self, released: bool) -> object:
        return (
            _counted(self.held),
            tuple(sorted((g, v.owned, v.paths) for g, v in self.guards.items())),
            self.alive,
            self.released if released else (),
            self.ranks,
        )

    def but(self, **changes: object) -> State:
        """A copy with *changes*."""
        copy = State(
            self.held, self.env, self.guards, self.facts, self.alive, self.released, self.freed,
            self.ranks, self.waits,
        )  # fmt: skip
        for name, value in changes.items():
            setattr(copy, name, value)
        if "env" not in changes:
            copy._known_numbers = self._known_numbers
        if _DECIDING.isdisjoint(changes):
            copy._known_key = self._known_key
        return copy

    def without(self, facts: Collection[Fact]) -> State:
        """A copy that does not know *facts*; this one itself where there are none."""
        if not facts:
            return self
        return self.but(facts={k: v for k, v in self.facts.items() if k not in facts})

    def is_like(self, other: State) -> bool:
        """Whether both are the same in all that they know, in the same order."""
        return (
            self.held == other.held
            and _are_alike(self.env, other.env)
            and _are_alike(self.guards, other.guards)
            and _are_alike(self.facts, other.facts)
            and self.alive == other.alive
            and self.released == other.released
            and self.freed == other.freed
            and self.ranks == other.ranks
            and self.waits == other.waits
        )

    def with_value(self, name: Path, value: Paths) -> State:
        """A copy in which *name* stands for *value* (nothing known: empty)."""
        if value:
            return self.but(env={**self.env, name: value})
        if name not in self.env:
            return self
        env = dict(self.env)
        del env[name]
        return self.but(env=env)
