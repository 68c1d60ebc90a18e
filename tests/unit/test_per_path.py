"""Settings for some files only: which findings are left, and at which level."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from lockorder.config import Config
from lockorder.config_table import PathTable
from lockorder.model import Acquisition, Confidence, Finding, Frame, Level, Participant
from lockorder.per_path import apply, unmatched

ROOT = Path("/project")
CYCLE, BLOCKED = "lock-order-cycle", "blocking-under-lock"


def finding(file: str, rule: str = CYCLE, level: Level = Level.ERROR) -> Finding:
    chain = (Frame("f", file, 3),) if file else ()
    return Finding(
        rule=rule,
        level=level,
        confidence=Confidence.HIGH,
        reason="",
        message=f"in {file}",
        fix="",
        locks=("a", "b"),
        participants=(Participant(who="f", held=(), taken=Acquisition("a", chain)),),
        fingerprint="0",
    )


def config(*tables: PathTable, file: str = "/project/lockorder.toml") -> Config:
    return Config(file=file, path=tables)


def left(findings: list[Finding], *tables: PathTable) -> list[tuple[str, str, str]]:
    found = apply(findings, config(*tables), ROOT)
    return [(f.place.file, f.rule, f.level.value) for f in found]


BOTH = [finding("a.cpp"), finding("b.cpp"), finding("b.cpp", BLOCKED, Level.WARNING)]


def test_without_tables_nothing_changes() -> None:
    assert apply(BOTH, config(), ROOT) == tuple(BOTH)


def test_rules_are_off_where_a_table_says_so() -> None:
    assert left(BOTH, PathTable(match=("b.cpp",), ignore=(CYCLE,))) == [
        ("a.cpp", CYCLE, "error"),
        ("b.cpp", BLOCKED, "warning"),
    ]
    assert left(BOTH, PathTable(match=("*.cpp",), select=(BLOCKED,))) == [
        ("b.cpp", BLOCKED, "warning")
    ]
    both = PathTable(match=("b.cpp",), select=(CYCLE, BLOCKED), ignore=(CYCLE,))
    assert ("b.cpp", CYCLE, "error") not in left(BOTH, both)


def test_levels_are_set_and_findings_sorted_again() -> None:
    table = PathTable(match=("b.cpp",), level={CYCLE: Level.NOTE, BLOCKED: Level.ERROR})
    assert left(BOTH, table) == [
        ("b.cpp", BLOCKED, "error"),
        ("a.cpp", CYCLE, "error"),
        ("b.cpp", CYCLE, "note"),
    ]


def test_later_tables_win() -> None:
    off = PathTable(match=("*.cpp",), ignore=(CYCLE, BLOCKED))
    on = PathTable(match=("b.cpp",), select=(CYCLE,))
    assert left(BOTH, off, on) == [("b.cpp", CYCLE, "error")]
    assert left(BOTH, on, off) == []
    note = PathTable(match=("*",), level={CYCLE: Level.NOTE})
    warning = PathTable(match=("a.cpp",), level={CYCLE: Level.WARNING})
    assert left(BOTH[:2], note, warning) == [("a.cpp", CYCLE, "warning"), ("b.cpp", CYCLE, "note")]


def test_ignored_rules_add_up() -> None:
    tables = [PathTable(match=("*",), ignore=(r,)) for r in (CYCLE, BLOCKED)]
    assert left(BOTH, *tables) == []


def test_a_finding_without_a_place_has_no_table() -> None:
    assert len(left([finding("")], PathTable(match=("*",), ignore=(CYCLE,)))) == 1


@pytest.mark.parametrize(
    ("file", "place", "pattern", "matches"),
    [
        ("/project/lockorder.toml", "sub/a.cpp", "/sub/*.cpp", True),
        ("/project/sub/lockorder.toml", "sub/a.cpp", "/a.cpp", True),
        ("/project/sub/lockorder.toml", "sub/a.cpp", "/sub/a.cpp", False),
        ("/project/sub/lockorder.toml", "a.cpp", "*.cpp", False),
        ("/lockorder.toml", "sub/a.cpp", "/project/sub/", True),
        ("/lockorder.toml", "/elsewhere/a.cpp", "elsewhere", True),
        ("/project/lockorder.toml", "/elsewhere/a.cpp", "*", False),
    ],
)
def test_patterns_are_relative_to_the_configuration(
    file: str, place: str, pattern: str, matches: bool
) -> None:
    """Findings name their files from the project's root, or in full."""
    table = PathTable(match=(pattern,), ignore=(CYCLE,))
    assert (apply([finding(place)], config(table, file=file), ROOT) == ()) == matches
    assert (unmatched(config(table, file=file), [place], ROOT) == []) == matches


def test_fingerprints_stay() -> None:
    table = PathTable(match=("*",), level={CYCLE: Level.NOTE})
    (changed,) = apply(BOTH[:1], config(table), ROOT)
    assert msgspec.structs.replace(changed, level=Level.ERROR) == BOTH[0]


def test_patterns_that_match_nothing_are_named() -> None:
    first = PathTable(match=("a.cpp", "gone/**"))
    second = PathTable(match=("*.cpp", "!b.cpp", "typo.cpp"))
    assert unmatched(config(first, second), ["a.cpp", "b.cpp"], ROOT) == [
        "/project/lockorder.toml: path[0].match: 'gone/**' matches no file that was analysed",
        "/project/lockorder.toml: path[1].match: 'typo.cpp' matches no file that was analysed",
    ]
