"""Acquisitions in calls that mean the same to every caller: what is told of them once."""

from __future__ import annotations

import itertools

from lockorder.model import How, Mode
from lockorder.static.interp.settled import Told, parts_of
from lockorder.static.interp.summary import Held, Site, Summary, Taken
from lockorder.static.parse import facts as f
from lockorder.static.program.effects import Issued
from lockorder.static.program.paths import RETURNED, Path

SITE = Site("f", 1, 1)
FUNCTION = f.Function("c:f", "f", "method", ["p"], f.Block([]), "a.cpp", 1)
SUMMARY = Summary({})


def lock(path: Path, **more: object) -> Taken:
    return Taken(path, Mode.EXCLUSIVE, How.BLOCKING, SITE)._replace(**more)  # type: ignore[arg-type]


def held(name: str) -> Held:
    return Held(Path(name), Mode.EXCLUSIVE, How.BLOCKING, SITE)


def test_what_starts_at_a_callers_object_is_not_settled() -> None:
    everybodys = lock(Path.of_variable("global", ("m",)))
    callers = [
        lock(Path.of_variable("p", ("m",))),
        lock(Path.of_this("c:f", ("m",))),
        lock(Path(RETURNED.root, ("m",))),
        lock(Path.of_variable("global"), released=frozenset((Path.of_variable("p"),))),
        lock(Path.of_variable("other"), needs=frozenset((("p", True),))),
        lock(Issued(Path.of_variable("communicator"), "ncclAllReduce")),
    ]
    every = [everybodys, *callers]
    parts = parts_of(FUNCTION, Summary({(t.path, t.mode, t.how): (t,) for t in every}))
    assert (parts.settled, parts.rest) == ((everybodys,), tuple(callers))


def test_nothing_is_told_twice() -> None:
    told = Told()
    first = told.news(SUMMARY, "", (held("v:a"),), frozenset())
    assert first.taken
    assert [h.path.root for h in first.held] == ["v:a"]
    assert told.news(SUMMARY, "", (held("v:a"),), frozenset()) == (False, ())


def test_with_more_held_only_the_orders_are_new() -> None:
    told = Told()
    told.news(SUMMARY, "", (held("v:a"),), frozenset())
    more = told.news(SUMMARY, "", (held("v:a"), held("v:b")), frozenset())
    assert not more.taken
    assert [h.path.root for h in more.held] == ["v:b"]


def test_with_less_held_all_is_new() -> None:
    told = Told()
    told.news(SUMMARY, "", (held("v:a"), held("v:b")), frozenset())
    less = told.news(SUMMARY, "", (held("v:a"),), frozenset())
    assert less.taken
    assert [h.path.root for h in less.held] == ["v:a"]


def test_with_more_given_up_nothing_is_new() -> None:
    told = Told()
    given = frozenset((Path.of_variable("x"),))
    assert told.news(SUMMARY, "", (), given).taken
    assert told.news(SUMMARY, "", (), frozenset()).taken
    assert not told.news(SUMMARY, "", (), given).taken


def test_calls_that_differ_are_told_apart() -> None:
    told, other = Told(), Summary({})
    calls = itertools.product((SUMMARY, other), ("sure", "unsure"))
    assert all(told.news(s, label, (), frozenset()).taken for s, label in calls)
