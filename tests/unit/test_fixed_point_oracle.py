"""Summaries of functions that call each other, against a reading of all paths one by one."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from lockorder.static.interp.summary import Site
from small_programs import (
    Body,
    Functions,
    Reading,
    analysed,
    comes_back,
    function_usr,
    orders_of,
    some_program,
    taken_again,
)

LOCKS = "ABC"
FUNCTIONS = "pqrst"
#: Calls that a shortest story needs: into each function with each set of locks held.
DEPTH = 7
GUARDS = ("hold", "hold", "either")
LOOPS = (*GUARDS, "loop", "return")
MANUAL = (*GUARDS, "manual")
PROGRAMS = 150


def compared(functions: Functions) -> None:
    engine = analysed(functions, LOCKS)
    plain = Reading(functions, DEPTH)
    orders, again = orders_of(engine), taken_again(engine)
    assert plain.orders <= orders, functions
    assert plain.again <= again, functions
    if comes_back(functions):
        assert (orders, again) == (plain.orders, plain.again), functions


@pytest.mark.parametrize("kinds", [GUARDS, LOOPS, MANUAL], ids=["guards", "loops", "manual"])
def test_all_paths(kinds: tuple[str, ...]) -> None:
    chance, orders, around = random.Random(str(kinds)), 0, 0
    for _ in range(PROGRAMS):
        functions = some_program(chance, FUNCTIONS, LOCKS, kinds)
        compared(functions)
        found = Reading(functions, DEPTH).orders
        orders += bool(found)
        around += found != Reading(functions, 1).orders
    assert orders > PROGRAMS // 3, "the programs show nothing"
    assert around > PROGRAMS // 30, "few programs need a second round"


def test_names_and_order_do_not_matter() -> None:
    """The same functions under each other's names, in another order."""
    chance = random.Random(4)
    for _ in range(PROGRAMS):
        functions = some_program(chance, FUNCTIONS, LOCKS, LOOPS)
        names = list(functions)
        chance.shuffle(names)
        new = dict(zip(functions, names, strict=True))
        other = {new[n]: _renamed(functions[n], new) for n in reversed(functions)}
        mine, theirs = analysed(functions, LOCKS), analysed(other, LOCKS)
        assert orders_of(mine) == orders_of(theirs), functions
        assert taken_again(mine) == taken_again(theirs), functions


def test_call_chains_have_no_gaps() -> None:
    """Each place of a chain is in a function that the place before it calls, to the lock."""
    chance, handed_on = random.Random(9), 0
    for _ in range(PROGRAMS):
        functions = some_program(chance, FUNCTIONS, LOCKS, GUARDS)
        engine = analysed(functions, LOCKS)
        told = [(e.function, e.order) for each in engine.found.orders.values() for e in each]
        again = [(s.function, s) for s in engine.found.self_locks.values()]
        for home, found in (*told, *again):
            for site in map(engine.handed_on.filled, (found.held.site, found.taken.site)):
                assert _is_chain(functions, home, site), (functions, site)
                handed_on += site.inner is not None and site.inner.inner is not None
    assert handed_on > PROGRAMS // 3, "few locks are taken by a call in a call"


def _is_chain(functions: Functions, home: str, site: Site | None) -> bool:
    names = {function_usr(n): n for n in functions}
    while site is not None:
        if site.function != home:
            return False
        called = {function_usr(n) for n in _called(functions[names[home]])}
        if site.inner is not None and site.inner.function not in called:
            return False
        site = site.inner
        home = site.function if site is not None else ""
    return True


def _called(body: Body) -> Iterator[str]:
    for kind, *rest in body:
        if kind == "call":
            yield rest[0]
        for part in rest:
            if isinstance(part, tuple):
                yield from _called(part)


def _renamed(body: Body, new: dict[str, str]) -> Body:
    return tuple(
        ("call", new[s[1]])
        if s[0] == "call"
        else tuple(_renamed(p, new) if isinstance(p, tuple) else p for p in s)
        for s in body
    )
