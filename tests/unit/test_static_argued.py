"""Conditions that are handed on as arguments: one way for each truth."""

from __future__ import annotations

import pytest

from lockorder.static.interp import argued
from lockorder.static.interp.summary import State
from tests.unit.walks import walking

HEAD = """
std::mutex m;
void flush(bool need) { if (need) m.lock(); if (need) m.unlock(); }
void plain(bool) {}
"""

#: What f is, and how many ways its call is walked in.
BODIES = {
    "void f(bool locked) { flush(!locked); }": 2,
    "void f(int flags) { flush((flags & 4) == 0); }": 2,
    "void f(bool locked) { bool need = !locked; flush(need); }": 2,
    "void f(bool locked) { flush(locked); }": 1,
    "void f(bool locked) { plain(!locked); }": 1,
    "void f() { flush(true); }": 1,
}


@pytest.mark.parametrize("body", BODIES)
def test_ways(body: str) -> None:
    act = walking(HEAD + body)
    call = act.call("plain" if "plain(" in body else "flush")
    assert len(argued.parted(act.walk, call, State())) == BODIES[body]


def test_each_way_knows_what_it_is() -> None:
    act = walking(HEAD + "void f(bool locked) { flush(!locked); }")
    ways = argued.parted(act.walk, act.call("flush"), State())
    assert {way.facts[act.at("locked")] for way in ways} == {True, False}
