"""A condition that is evaluated in parts, and what a function returns, compared with numbers."""

from __future__ import annotations

import pytest

from lockorder.static.interp import evaluations
from lockorder.static.interp.known import Equal
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import RETURNED, Path
from walks import analysed, program_of

BEFORE = "volatile int next; int plain; bool ready(); int load();"


def read_by(condition: str) -> list[set[str]]:
    """What the branches of a function read once that tests *condition*, outermost first."""
    program = program_of(f"{BEFORE} void f() {{ if ({condition}) plain = 1; }}")
    function = program.functions[program.named("f")[0]]

    def is_volatile(usr: str) -> bool:
        return program.variables[usr].type.startswith("volatile ")

    found = evaluations.Evaluations(function, is_volatile)
    branches = [s for s in f.walk(function.body) if isinstance(s, f.If)]
    return [{program.variables[u].name for u in found.read.get(id(b), ())} for b in branches]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("next == 1 || ready()", [{"next"}, {"next"}]),
        ("next && ready()", [{"next"}, {"next"}]),
        ("plain && (next == 1 || ready())", [{"next"}, {"next"}, {"next"}]),
        ("plain == 1 || ready()", [set(), set()]),
        ("next == 1 || plain", [set()]),
        ("next == 1", [set()]),
    ],
)
def test_read_once(condition: str, expected: list[set[str]]) -> None:
    assert read_by(condition) == expected


def test_over() -> None:
    number, flag = Path.of_variable("next"), Path.of_variable("plain")
    state = State(facts={Equal(number, Path.of_literal("1")): True, flag: True})
    left = evaluations.over(state, frozenset(("next",)))
    assert dict(left.facts) == {flag: True}
    assert evaluations.over(left, frozenset(("next",))) is left


@pytest.mark.parametrize(
    ("test", "told"),
    [
        ("r != 0 && r != 7", {("7", False)}),
        ("r == 3", {("3", True)}),
        ("r", set()),
    ],
)
def test_returned(test: str, told: set[tuple[str, bool]]) -> None:
    body = f"int r = load(); if ({test}) {{ m.lock(); return r; }} return 0;"
    engine = analysed(f"{BEFORE} std::mutex m; int f() {{ {body} }}")
    (usr,) = engine.program.named("f")
    (taking,) = (o for o in engine.summary(usr).outcomes if o.held)
    assert taking.flag is True
    assert taking.compared == {(Equal(RETURNED, Path.of_literal(n)), truth) for n, truth in told}
