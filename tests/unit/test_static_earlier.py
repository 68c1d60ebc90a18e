"""What a function may have done before it makes a call, and what others may have by then."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from lockorder.static.program.earlier import Earlier
from tests.unit.walks import Walking, walking

HEAD = """
struct Lot { std::mutex m; void use(); };
void first(); void second(); void out(Lot &); void here(); bool odd();
Lot *known;
void f() {
"""

#: A body, and what may run before ``here()``.
BODIES = {
    "first(); here(); second();": {"first"},
    "if (odd()) { first(); return; } here();": {"odd"},
    "if (odd()) { first(); } here();": {"odd", "first"},
    "while (odd()) { here(); first(); } second();": {"odd", "first"},
    "first(); for (;;) { here(); }": {"first"},
}


def _called(act: Walking, statements: list[f.Stmt]) -> set[str]:
    calls = (s for s in statements if isinstance(s, f.Call))
    return {act.program.called(c) for c in calls}


@pytest.mark.parametrize("body", BODIES)
def test_before(body: str) -> None:
    act = walking(HEAD + body + "}")
    here = act.call("here")
    before = Earlier().before(act.function, (here.line, here.column), ())
    assert before is not None
    assert _called(act, before) == BODIES[body]


def test_no_call_stands_there() -> None:
    act = walking(HEAD + "first(); }")
    assert Earlier().before(act.function, (999, 1), ()) is None


def test_what_was_before_the_object() -> None:
    act = walking(HEAD + "first(); Lot lot; second(); here(); }")
    here = act.call("here")
    names = [f.Var(act.variable("lot"))]
    place = (here.line, here.column)
    assert _called(act, Earlier().before(act.function, place, names) or []) == {"second"}


#: What f does with its ``lot``, and whether others may have it when ``here()`` is called.
OUT = {
    "Lot lot; here(); out(lot);": False,
    "Lot lot; out(lot); here();": True,
    "Lot lot; here(); known = &lot;": False,
    "Lot lot; known = &lot; here();": True,
    "Lot lot; if (odd()) { known = &lot; return; } here();": False,
    "Lot lot; if (odd()) { known = &lot; } here();": True,
    "Lot lot; while (odd()) { here(); known = &lot; }": True,
    "while (odd()) { Lot lot; here(); known = &lot; }": False,
    "Lot lot; again: here(); known = &lot; if (odd()) goto again;": True,
    "Lot lot; auto use = [&] { known = &lot; }; here(); use();": True,
    "Lot lot; auto use = [&] { lot.m.lock(); }; use(); here();": False,
    "Lot lot; std::thread t([&] { lot.m.lock(); }); here(); t.join();": True,
}


@pytest.mark.parametrize("body", OUT)
def test_out_by_then(body: str) -> None:
    act = walking(HEAD + body + "}")
    here = act.call("here")
    escapes, lot = act.engine.escapes, act.variable("lot")
    own = escapes.is_own(act.function.usr, lot, (here.line, here.column))
    assert own is not OUT[body]
    assert escapes.is_handed_out(act.function.usr, lot, (here.line, here.column)) is OUT[body]
