"""Terse builders for lock-order witnesses, and random graphs of them.

``ex("A")`` takes A exclusively, ``rd("A")`` shared, ``timed`` and ``tried`` with a limit or not at
all; ``here("g")`` is an object known everywhere, ``rel("this")`` one known in its witness only.
``edge(ex("A"), ex("B"), gate("G", here("g")))`` is "took B under A, G was held too".
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence

import msgspec

from lockorder.cycles import CycleReport
from lockorder.model import (
    Acquisition,
    Certainty,
    EdgeWitness,
    Fixed,
    Frame,
    HeldLock,
    How,
    Instance,
    Lock,
    LockGraph,
    Mode,
)

Edge = tuple[str, str]


def here(owner: str, slot: str = "") -> Instance:
    """An object that every witness knows by the same name."""
    return Instance(owner, absolute=True, slot=slot)


def rel(owner: str = "this", slot: str = "") -> Instance:
    """An object as one witness names it; the same name elsewhere says nothing."""
    return Instance(owner, slot=slot)


def ex(lock: str, at: Instance | None = None, how: How = How.BLOCKING) -> Acquisition:
    """An exclusive acquisition."""
    return Acquisition(lock, (Frame(f"take_{lock}", "a.cpp", 1),), how=how, instance=at)


def rd(lock: str, at: Instance | None = None, how: How = How.BLOCKING) -> Acquisition:
    """A shared acquisition."""
    return Acquisition(lock, (Frame(f"read_{lock}", "a.cpp", 1),), Mode.SHARED, how, at)


def timed(lock: str, at: Instance | None = None) -> Acquisition:
    """An exclusive acquisition that waits up to a limit."""
    return ex(lock, at, How.TIMED)


def tried(lock: str, at: Instance | None = None) -> Acquisition:
    """An exclusive acquisition that does not wait."""
    return ex(lock, at, How.TRY)


def gate(lock: str, at: Instance | None = None, mode: Mode = Mode.EXCLUSIVE) -> HeldLock:
    """A further lock that is held."""
    return HeldLock(lock, mode, at)


def edge(
    held: Acquisition | str,
    taken: Acquisition | str,
    *gates: HeldLock,
    thread: str | None = None,
    certainty: Certainty = Certainty.CERTAIN,
    why: str = "",
) -> EdgeWitness:
    """One witness; a bare name is an exclusive, blocking acquisition of an unknown object."""
    held = ex(held) if isinstance(held, str) else held
    taken = ex(taken) if isinstance(taken, str) else taken
    return EdgeWitness(held, taken, gates, thread, certainty, why)


def graph_of(witnesses: Iterable[EdgeWitness], writers: Iterable[str] = ()) -> LockGraph:
    """A graph with these witnesses, in this order, and the locks they need."""
    graph = LockGraph()
    for w in witnesses:
        for name in (w.held.lock, w.taken.lock):
            graph.add_lock(Lock(name, name))
        graph.add_witness(w)
    for writer in writers:
        graph.add_writer(writer)
    graph.check_invariants()
    return graph


def brief(report: CycleReport) -> list[str]:
    """The cycles as text: ``A>B>A``, ``timed A>B>A``."""
    return [("timed " if c.timed else "") + ">".join([*c.locks, c.locks[0]]) for c in report.cycles]


def told(w: EdgeWitness) -> str:
    """A witness on one line, for failure texts."""
    gates = "".join(f" {_told(g.lock, g.mode, g.instance)}" for g in w.gates)
    how = "" if w.taken.how is How.BLOCKING else f" {w.taken.how.value}"
    held = _told(w.held.lock, w.held.mode, w.held.instance)
    taken = _told(w.taken.lock, w.taken.mode, w.taken.instance)
    line = w.taken.chain[-1].line
    return f"{held} -> {taken}{how} under{gates or ' nothing'}, by {w.thread or 'anyone'}, {line}"


def told_all(witnesses: Iterable[EdgeWitness]) -> str:
    """Witnesses, one a line."""
    return "\n".join(map(told, witnesses))


def _told(lock: str, mode: Mode, at: Instance | None) -> str:
    owner = "" if at is None else f"@{'=' if at.absolute else ''}{at.owner}"
    slot = "" if at is None or not at.slot else f"[{at.slot}]"
    return f"{lock}{owner}{slot}" + (" shared" if mode is Mode.SHARED else "")


class Recipe:
    """How likely each trait is in one random graph, itself drawn at random."""

    def __init__(self, rng: random.Random) -> None:
        self.locks = rng.randint(3, 6)
        # About as many edges for six locks as for three: all cycles are counted by hand later.
        self.density = rng.uniform(3, 12) / (self.locks * self.locks)
        self.witnesses = rng.choice((1, 2, 3))
        self.shared = rng.choice((0.0, 0.3, 0.7))
        self.timed = rng.choice((0.0, 0.15, 0.4))
        self.tried = rng.choice((0.0, 0.1, 0.3))
        self.known = rng.choice((0.0, 0.5, 0.9))
        self.absolute = rng.choice((0.1, 0.5, 0.9))
        self.named = rng.choice((0.0, 0.3, 0.8))
        self.gates = rng.choice((0, 1, 2))
        self.fixed = rng.choice((0.0, 0.0, 0.4))


def random_witnesses(rng: random.Random) -> list[EdgeWitness]:
    """The witnesses of one random graph of 3 to 6 locks, 1 to 3 an edge, self edges included."""
    recipe = Recipe(rng)
    names = "ABCDEF"[: recipe.locks]
    found: list[EdgeWitness] = []
    for source, target in itertools.product(names, repeat=2):
        if rng.random() < recipe.density * (0.4 if source == target else 1.0):
            for _ in range(rng.randint(1, recipe.witnesses)):
                w = _random_witness(rng, recipe, source, target)
                found.append(_seen_at_line(w, len(found)))
    return found


def _random_witness(rng: random.Random, recipe: Recipe, source: str, target: str) -> EdgeWitness:
    # One object has one slot, in a witness for names of its own, everywhere for absolute ones.
    slots = {owner: rng.choice(("", "", "S1", "S2")) for owner in ("this", "p0")}
    held = _random_taking(rng, recipe, source, slots)
    taken = _random_taking(rng, recipe, target, slots)
    taken = msgspec.structs.replace(taken, how=_random_how(rng, recipe))
    gates = tuple(
        HeldLock(
            rng.choice((source, target, "G", "G", "H", "A", "B")),
            Mode.SHARED if rng.random() < recipe.shared / 2 else Mode.EXCLUSIVE,
            _random_instance(rng, recipe, slots),
        )
        for _ in range(rng.randint(0, recipe.gates))
    )
    thread = rng.choice(("main", "worker")) if rng.random() < recipe.named else None
    fixed = _random_fixed(rng, recipe, "::mode")
    return EdgeWitness(held, taken, gates, thread, rng.randint(1, 3), fixed=fixed)


def _random_fixed(rng: random.Random, recipe: Recipe, where: str) -> tuple[Fixed, ...]:
    """What has to be so that never changes: mostly nothing."""
    if rng.random() >= recipe.fixed:
        return ()
    return (Fixed(where, rng.choice("012"), rng.random() < 0.7),)


def _random_taking(
    rng: random.Random, recipe: Recipe, lock: str, slots: dict[str, str]
) -> Acquisition:
    taking = rd if rng.random() < recipe.shared else ex
    made = taking(lock, _random_instance(rng, recipe, slots))
    return msgspec.structs.replace(made, fixed=_random_fixed(rng, recipe, f"mode of {lock}"))


def _seen_at_line(w: EdgeWitness, line: int) -> EdgeWitness:
    """No two witnesses are equal: each was seen at a place of its own."""
    chain = (Frame("f", "a.cpp", line),)
    return msgspec.structs.replace(w, taken=msgspec.structs.replace(w.taken, chain=chain))


def _random_how(rng: random.Random, recipe: Recipe) -> How:
    draw = rng.random()
    if draw < recipe.tried:
        return How.TRY
    return How.TIMED if draw < recipe.tried + recipe.timed else How.BLOCKING


def _random_instance(rng: random.Random, recipe: Recipe, slots: dict[str, str]) -> Instance | None:
    if rng.random() >= recipe.known:
        return None
    if rng.random() < recipe.absolute:
        owner = rng.choice(("g1", "g2"))
        return Instance(owner, absolute=True, slot={"g1": "", "g2": "S1"}[owner])
    owner = rng.choice(tuple(slots))
    return Instance(owner, slot=slots[owner])


def shuffled(rng: random.Random, witnesses: Sequence[EdgeWitness]) -> list[EdgeWitness]:
    """The same witnesses in another order."""
    return rng.sample(witnesses, len(witnesses))
