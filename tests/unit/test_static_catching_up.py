"""Calls that the call graph lacks: what they reach is summarised when a walk asks for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lockorder.bounds import LATE
from lockorder.knowledge import builtin
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.order import Order
from lockorder.static.parse import facts as f
from lockorder.static.program.callgraph import CallGraph
from walks import analysed, program_of

LOCKS = 5


class Forgetful(Engine):
    """An engine whose call graph lacks the calls of these functions, all or to *only* one."""

    def __init__(self, text: str, forgets: Sequence[str], only: str = "") -> None:
        program = program_of(text)
        super().__init__(program, builtin())
        calls, kept = self.call_graph, self.call_graph.callees

        def callees(function: f.Function) -> Sequence[str]:
            found = kept(function)
            if function.name not in forgets:
                return found
            return [u for u in found if only and program.name_of(u) != only]

        calls.callees = callees  # type: ignore[method-assign]


def orders(engine: Engine) -> set[tuple[str, str]]:
    """Which lock is taken under which."""
    return set(engine.found.orders)


def functions(edges: Sequence[tuple[int, int]]) -> str:
    """Functions of which each takes a lock of its own and calls those with a greater number."""
    lines = [f"std::mutex m{n}; void f{n}();" for n in range(LOCKS)]
    for n in range(LOCKS):
        calls = " ".join(f"f{b}();" for a, b in edges if a == n)
        lines.append(f"void f{n}() {{ std::lock_guard<std::mutex> hold(m{n}); {calls} }}")
    return "\n".join(lines)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, LOCKS - 1), st.integers(0, LOCKS - 1)).filter(
            lambda e: e[0] < e[1]
        ),
        max_size=8,
        unique=True,
    ),
    st.sets(st.integers(0, LOCKS - 1)),
)
def test_calls_that_the_call_graph_lacks_change_nothing(
    edges: list[tuple[int, int]], forgets: set[int]
) -> None:
    text = functions(edges)
    engine = Forgetful(text, [f"f{n}" for n in forgets])
    engine.run()
    assert not engine.problems
    assert orders(engine) == orders(analysed(text))
    assert LATE not in engine.cuts.functions


def test_what_is_drafted_stands_aside_too() -> None:
    text = (
        "std::mutex m, k; void h() { std::lock_guard<std::mutex> hold(k); } void g(int n);"
        " void f(int n) { std::lock_guard<std::mutex> hold(m); h(); if (n) g(n - 1); }"
        " void g(int n) { f(n); }"
    )
    engine = Forgetful(text, ["f"], "h")
    engine.run()
    assert ("m", "k") in orders(engine)
    assert orders(engine) == orders(analysed(text))
    assert LATE not in engine.cuts.functions


def test_a_call_back_into_what_is_walked_is_told() -> None:
    text = "std::mutex m; void g(); void f() { g(); } void g() { f(); }"
    engine = Forgetful(text, ["f"])
    engine.run()
    assert len(engine.cuts.functions[LATE]) == 1


def test_what_stands_aside_is_counted_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lockorder.static.interp.engine.LATE", LATE._replace(limit=1))
    text = functions([(0, 1), (1, 2), (2, 3)])
    engine = Forgetful(text, ["f0", "f1", "f2"])
    engine.run()
    assert [bound.what for bound, _ in engine.cuts.rows()] == [LATE.what]


class Calls:
    """A call graph of numbers."""

    def __init__(self, calls: dict[str, list[str]]) -> None:
        self.calls, self.program = calls, self
        self.functions = {usr: usr for usr in calls}

    def callees(self, usr: str) -> list[str]:
        return self.calls[usr]


def order_of(groups: list[list[str]]) -> Order:
    order = Order()
    order.begin(groups)
    return order


def graph(calls: dict[str, list[str]]) -> CallGraph:
    return Calls(calls)  # type: ignore[return-value]


def test_what_is_needed_comes_first_and_only_that() -> None:
    calls = graph({"a": [], "b": ["a"], "c": [], "d": ["b", "c"], "e": []})
    order = order_of([["a"], ["b"], ["c"], ["d"], ["e"]])
    assert order.up_to("d", calls) == [["a"], ["b"], ["c"], ["d"]]
    order.take(["a"])
    order.close(["a"])
    assert order.up_to("d", calls) == [["b"], ["c"], ["d"]]
    assert order.left == 4


def test_nothing_is_taken_that_leads_back_to_what_is_walked() -> None:
    calls = graph({"a": ["b"], "b": ["c"], "c": ["a"]})
    order = order_of([["a"], ["b"], ["c"]])
    order.take(["a"])
    assert order.up_to("b", calls) == []
    assert order.up_to("a", calls) == []


def test_what_was_taken_meanwhile_does_not_come_again() -> None:
    order, seen = order_of([["a"], ["b", "c"], ["d"]]), list[list[str]]()
    assert not order.is_over
    for group in order:
        seen.append(group)
        order.take(group)
        if group == ["a"]:
            order.take(["b", "c"])
    assert seen == [["a"], ["d"]]
    assert order.is_over
