"""Which objects a call's locks are of, as callers need to know it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping

import pytest

from lockorder.bounds import DISTANT, VARIANTS, Bound
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp.distance import NEAR, Shared, TakenLocks, few_pairs
from lockorder.static.interp.summary import Either, Gate, Held, Order, Receiver, Site, Taken
from lockorder.static.program.effects import Issued
from lockorder.static.program.paths import UNKNOWN, Path
from lockorder.static.program.steps import ELEMENT, Element

SITE = Site("f", 1, 1)
MUTEX = "mutex"


def taken(path: Path, *gates: Path) -> Taken:
    inside = frozenset(Gate(p, Mode.EXCLUSIVE) for p in gates)
    return Taken(path, Mode.EXCLUSIVE, How.BLOCKING, SITE, inside)


class Cuts(list[Bound]):
    def __call__(self, bound: Bound) -> None:
        self.append(bound)


def told(found: Iterable[Taken], cuts: Cuts) -> dict[tuple[Path, Mode, How], tuple[Taken, ...]]:
    acquisitions = TakenLocks(cuts, Shared())
    for each in found:
        acquisitions.add(each)
    return acquisitions.told()


def paths(found: Mapping[tuple[Path, Mode, How], object]) -> set[Path]:
    return {path for path, _, _ in found}


def way(length: int, number: int = 0) -> Path:
    """A way over *length* members to the mutex of another object."""
    return Path.of_variable("p", (f"a{number}", *(f"m{i}" for i in range(length - 1)), MUTEX))


def test_few_stay_as_they_are() -> None:
    cuts = Cuts()
    ways = [taken(way(5, n)) for n in range(DISTANT.limit)]
    assert paths(told(ways, cuts)) == {t.path for t in ways}
    assert cuts == []


def test_of_many_the_long_ones_go() -> None:
    cuts = Cuts()
    short = [taken(way(2, n)) for n in range(3)]
    long = [taken(way(6, n)) for n in range(DISTANT.limit)]
    found = told((*long, *short), cuts)
    assert paths(found) == {t.path for t in short} | {Path(UNKNOWN.root, (MUTEX,))}
    assert all(t.path == key[0] for key, each in found.items() for t in each)
    assert cuts == [DISTANT]


def test_own_members_are_never_too_many() -> None:
    cuts = Cuts()
    near = [taken(way(NEAR - 1, n)) for n in range(3 * DISTANT.limit)]
    assert paths(told(near, cuts)) == {t.path for t in near}
    assert cuts == []


@pytest.mark.parametrize("seed", range(20))
def test_the_order_makes_no_difference(seed: int) -> None:
    chance = random.Random(seed)
    ways = [taken(way(chance.randint(1, 8), chance.randint(0, 9))) for _ in range(60)]
    found = told(ways, Cuts())
    chance.shuffle(ways)
    assert paths(told(ways, Cuts())) == paths(found)


def test_other_locks_are_counted_apart() -> None:
    cuts = Cuts()
    ways = [taken(way(5, n)) for n in range(DISTANT.limit)]
    other = taken(Path.of_variable("p", ("a", "b", "c", "other")))
    assert other.path in paths(told((*ways, other), cuts))
    assert cuts == []


def test_gates_of_some_object_exclude_nobody() -> None:
    own, one, some = (
        Path.of_variable("p", ("m",)),
        Path.of_variable("p", ("all", ELEMENT, "m")),
        Path(UNKNOWN.root, ("m",)),
    )
    numbered = Path.of_variable("p", ("all", Element("3"), "m"))
    ((each,),) = told([taken(Path.of_variable("g"), own, one, some, numbered)], Cuts()).values()
    assert {g.path for g in each.inside} == {own, numbered}


def test_of_two_variants_the_one_with_less_around_it_stays() -> None:
    one = Path.of_variable("p", ("all", ELEMENT, "m"))
    own = Path.of_variable("p", ("m",))
    found = told([taken(Path.of_variable("g"), one), taken(Path.of_variable("g"), own)], Cuts())
    assert [[t.inside for t in each] for each in found.values()] == [[frozenset()]]


def test_collectives_keep_all_that_is_held() -> None:
    one = Path.of_variable("p", ("all", ELEMENT, "m"))
    issued = taken(Issued(Path.of_variable("comm"), "ncclAllReduce"), one)
    ((each,),) = told([issued], Cuts()).values()
    assert each == issued


def pair(length: int, number: int) -> Order:
    first = way(length, number)
    held = Held(first, Mode.EXCLUSIVE, How.BLOCKING, SITE)
    return Order(held, taken(Path.of_variable("q", first.steps)), frozenset())


def test_orders_of_two_objects() -> None:
    cuts = Cuts()
    near = [pair(1, n) for n in range(3)]
    far = [pair(6, n) for n in range(DISTANT.limit)]
    assert set(few_pairs({o.key: [o] for o in (*near, *far)}, cuts)) == set(near)
    assert cuts == [DISTANT]
    assert set(few_pairs({o.key: [o] for o in far}, Cuts())) == set(far)


@pytest.mark.parametrize("seed", range(20))
def test_asked_after_each_it_says_what_it_says_in_the_end(seed: int) -> None:
    chance = random.Random(seed)
    gates = [Path.of_variable("g", (name,)) for name in "abc"]
    ways = [
        taken(way(chance.randint(1, 8), chance.randint(0, 4)), *chance.sample(gates, 2))
        for _ in range(60)
    ]
    asked = TakenLocks(Cuts(), Shared())
    for each in ways:
        asked.add(each)
        known = asked.told()
    assert known == told(ways, Cuts())
    assert all(asked.told()[key] is each for key, each in known.items() if not key[0].is_unknown)


def test_what_is_told_as_one_is_no_surer_than_what_it_stands_for() -> None:
    object_ = Path.of_variable("p")
    cuts = Cuts()

    def ends(number: int, certainty: Certainty) -> Taken:
        need = Receiver(object_, f"~C{number}")
        return taken(way(1))._replace(certainty=certainty, needs=frozenset((need,)))

    many = [ends(n, Certainty.POSSIBLE) for n in range(VARIANTS.limit)]
    (found,) = told([ends(VARIANTS.limit, Certainty.CERTAIN), *many], cuts).values()
    assert set(cuts) == {VARIANTS}
    assert {
        t.certainty: {n.functions for n in t.needs if isinstance(n, Either)} for t in found
    } == {
        Certainty.CERTAIN: set(),
        Certainty.POSSIBLE: {frozenset(f"~C{n}" for n in range(VARIANTS.limit))},
    }
