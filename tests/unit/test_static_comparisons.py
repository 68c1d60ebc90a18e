"""What one test of some values says of another."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.conditions import is_number
from lockorder.static.interp.summary import State
from lockorder.static.interp.values import Values
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path as Place

HEAD = """\
enum Mode { none, shared, alone };
struct Item { int number; };
void lend(int &);
void f(int n, int m, unsigned flags, bool b, Mode mode, Item *p, Item *q, int lent) {
lend(lent);
"""

#: A condition that was found to be true, another one, and what is known of that.
PAIRS = [
    ("n > 0", "n > 0", True),
    ("n > 0", "0 < n", True),
    ("n > 0", "n <= 0", False),
    ("n >= 3", "n < 3", False),
    ("n > 0", "m > 0", None),
    ("n > 0", "n > 1", None),
    ("n < m", "m > n", True),
    ("n < m", "m < n", False),
    ("n < m", "n == m", False),
    ("n < 9", "n == 9", False),
    ("n == 2", "n == 2", True),
    ("n == 2", "n != 2", False),
    ("n == 2", "n == 3", False),
    ("n == 2", "n", True),
    ("n != 2", "n == 2", False),
    ("n != 1", "n", None),
    ("n != 0", "n", True),
    ("!n", "n == 0", True),
    ("!n", "n == 4", False),
    ("b == true", "b", True),
    ("b != true", "b", False),
    ("mode == alone", "mode == alone", True),
    ("mode == alone", "mode == shared", False),
    ("mode == alone", "mode == none", False),
    ("flags & 4", "flags & 4", True),
    ("flags & 4", "flags & 8", None),
    ("(flags & 4) == 0", "flags & 4", False),
    ("n % 2", "n % 2 != 0", True),
    ("n % 2 == 1", "n % 2 == 1", True),
    ("n && m", "m", True),
    ("!(n || m)", "m", False),
    ("n ? b : false", "n", True),
    ("p < q", "q > p", True),
    ("p->number < q->number", "q->number < p->number", False),
    ("lent > 0", "lent > 0", None),
]


@pytest.mark.parametrize(("first", "second", "expected"), PAIRS)
def test_known(first: str, second: str, expected: bool | None, tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(f"{HEAD}if ({first}) n = 0;\nif ({second}) m = 0;\n}}\n")
    engine = analyse([source], Options(inline=True)).engine
    function = next(x for x in engine.program.functions.values() if x.name == "f")
    one, other = (s.cond for s in f.walk(function.body) if isinstance(s, f.If) and s.then.body)
    values = Values(engine.program, engine.identities, function, lambda bound: None)
    state = values.assume(one, True, State())
    assert state is not None
    assert values.known(other, state) is expected
    assert values.assume(f.Not(one), True, state) is None or expected is None


@pytest.mark.parametrize(
    ("number", "other", "same"),
    [
        ("2", "2", True),
        ("2", "3", False),
        ("shared", "shared", True),
        ("shared", "alone", False),
        ("0", "shared", False),
        ("shared", "0", False),
        ("nullptr", "shared", False),
        ("1", "shared", None),
    ],
)
def test_numbers_and_names(number: str, other: str, same: bool | None) -> None:
    """An enumerator that is zero is written as zero; of others the number is not known."""
    assert is_number(State(), Place.of_literal(number), Place.of_literal(other)) is same
