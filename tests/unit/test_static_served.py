"""Waits that a thread of the program's own ends, which nothing keeps back."""

from __future__ import annotations

import pytest

from lockorder.static.interp.collected import Event
from lockorder.static.interp.engine import Engine
from lockorder.static.results.served import Served
from walks import analysed

TEXT = """
std::mutex outer, m, other; std::condition_variable room, some;
void fill() { std::lock_guard<std::mutex> o(outer); std::unique_lock<std::mutex> l(m);
              room.wait(l); some.notify_one(); }
%s
void work() { %s }
void start() { std::thread t(work); t.detach(); }
"""


def server(body: str, more: str = "") -> str | None:
    engine = analysed(TEXT % (more, body))

    def notifiers(condition: str) -> list[Event]:
        return [e for e in engine.found.events.values() if e.about == condition]

    def needs(event: Event, lock: str) -> bool:
        return any(gate.path == path(engine, lock) for gate in event.held)

    found = Served(engine, notifiers, needs).by("outer", key(engine, "room"), usr(engine, "fill"))
    return engine.program.functions[found].name if found is not None else None


def key(engine: Engine, name: str) -> str:
    return next(u for u, v in engine.program.variables.items() if v.name == name)


def usr(engine: Engine, name: str) -> str:
    return next(u for u, known in engine.program.functions.items() if known.name == name)


def path(engine: Engine, name: str) -> object:
    (found,) = {
        e.order.held.path
        for (source, _), orders in engine.found.orders.items()
        if source == name
        for e in orders
    }
    return found


MAKES_ROOM = "std::lock_guard<std::mutex> l(m); room.notify_one();"


@pytest.mark.parametrize(
    ("body", "more"),
    [
        (MAKES_ROOM, ""),
        (f"{{ std::lock_guard<std::mutex> l(other); }} {MAKES_ROOM}", ""),
        (  # it waits for somebody who does not need the lock
            f"std::unique_lock<std::mutex> w(m); some.wait(w); {MAKES_ROOM}",
            "void end() { some.notify_all(); }",
        ),
    ],
)
def test_a_thread_that_needs_nothing_ends_the_wait(body: str, more: str) -> None:
    assert server(body, more) == "work"


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("room.notify_one(); std::lock_guard<std::mutex> l(outer);", ""),
        (  # who has what it takes may wait for the lock
            "std::lock_guard<std::mutex> l(other); room.notify_one();",
            "void hold() { std::lock_guard<std::mutex> a(other); "
            "std::lock_guard<std::mutex> b(outer); }",
        ),
        (f"std::unique_lock<std::mutex> w(m); some.wait(w); {MAKES_ROOM}", ""),
        ("std::lock_guard<std::mutex> l(m);", "void elsewhere() { room.notify_one(); }"),
        ("fill(); room.notify_one();", ""),
        ("std::thread u(fill); u.join(); room.notify_one();", ""),
    ],
)
def test_one_that_may_be_kept_back_does_not(body: str, more: str) -> None:
    assert server(body, more) is None
