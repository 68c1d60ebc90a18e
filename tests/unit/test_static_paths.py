"""Paths: what each is made as it says of itself, and of nothing else."""

from __future__ import annotations

import pytest

from lockorder.static.program.paths import (
    ENTRY,
    GROUP,
    HOLDS,
    INIT,
    NAMED,
    RETURNED,
    UNKNOWN,
    WAIT,
    Kind,
    Path,
)

MADE = {
    Kind.VARIABLE: Path.of_variable("c:@x", ("c:@m",)),
    Kind.THIS: Path.of_this("c:@S@A@F@f#", ("c:@m",)),
    Kind.FUNCTION: Path.of_function("c:@F@f#"),
    Kind.LITERAL: Path.of_literal("nullptr"),
    Kind.MADE: Path.of_made("c:@F@f:g#", "r3"),
    Kind.RETURNED: Path.of_call("ns::current"),
    Kind.RESULT: Path(RETURNED),
    Kind.ENTRY: ENTRY,
    Kind.NAMED: Path(NAMED + "Python GIL"),
    Kind.INIT: Path(INIT + "c:@x"),
    Kind.WAIT: Path(WAIT + "poll"),
    Kind.GROUP: Path(GROUP + "nccl"),
    Kind.HOLDS: Path(HOLDS + "Python GIL"),
    Kind.REGISTRY: Path("registry:0"),
    Kind.UNKNOWN: UNKNOWN,
}


def test_every_kind_is_here() -> None:
    assert set(MADE) == set(Kind)


@pytest.mark.parametrize("kind", Kind)
def test_kinds(kind: Kind) -> None:
    path = MADE[kind]
    assert path.kind is kind
    told = {
        Kind.VARIABLE: path.is_variable,
        Kind.THIS: path.is_this,
        Kind.FUNCTION: path.is_function,
        Kind.LITERAL: path.is_literal,
        Kind.MADE: path.is_made,
        Kind.RETURNED: path.is_returned,
        Kind.WAIT: path.is_wait,
        Kind.GROUP: path.is_group,
    }
    assert [k for k, so in told.items() if so] == ([kind] if kind in told else [])
    assert path.is_plain == (kind in (Kind.FUNCTION, Kind.LITERAL))
    names = (Kind.NAMED, Kind.INIT, Kind.WAIT, Kind.GROUP)
    assert path.is_object == (not path.is_plain and kind not in names)


@pytest.mark.parametrize("kind", Kind)
def test_what_it_begins_at(kind: Kind) -> None:
    path = MADE[kind]
    assert path.variable == ("c:@x" if kind is Kind.VARIABLE else "")
    assert path.method == ("c:@S@A@F@f#" if kind is Kind.THIS else "")
    assert path.function == ("c:@F@f#" if kind is Kind.FUNCTION else "")
    assert path.literal == ("nullptr" if kind is Kind.LITERAL else "")
    assert path.returned == ("ns::current" if kind is Kind.RETURNED else "")
    assert path.maker == (("c:@F@f:g#", "r3") if kind is Kind.MADE else ("", ""))


def test_the_same_paths_as_ever() -> None:
    """Roots are compared and sorted as texts."""
    assert Path.of_variable("a", ("b",)) == Path("v:a", ("b",))
    assert Path.of_this("f") == Path("this:f")
    assert Path.of_function("f") == Path("fn:f")
    assert Path.of_literal("") == Path("lit:")
    assert Path.of_call("f") == Path("of:f")
    assert Path.of_made("f", "1") == Path("made:f:1")
