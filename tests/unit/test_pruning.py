"""The cache's size: what goes, what stays, and that facts are not counted each time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.static.cache import pruning

NOW = 1_000_000_000


def put(place: Path, name: str, size: int, used: int = NOW) -> Path:
    path = place / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x" * size)
    os.utime(path, (used, used))
    return path


def names(place: Path) -> set[str]:
    return {str(p.relative_to(place)) for p in place.rglob("*") if p.is_file()} - {"size"}


def note(place: Path) -> list[int]:
    return [int(word) for word in (place / "size").read_text().split()]


def test_nothing_goes_below_the_bound(tmp_path: Path) -> None:
    put(tmp_path, "facts/ab/one.facts", 40, NOW - 9)
    put(tmp_path, "prefix/p.pch", 50)
    pruning.keep_within(tmp_path, 100, 40, NOW)
    assert names(tmp_path) == {"facts/ab/one.facts", "prefix/p.pch"}
    assert note(tmp_path) == [40, NOW]


def test_what_was_used_longest_ago_goes_with_all_that_belongs_to_it(tmp_path: Path) -> None:
    put(tmp_path, "prefix/old.pch", 30, NOW - 9)
    put(tmp_path, "prefix/old.json", 10, NOW - 99)
    put(tmp_path, "facts/ab/older.facts", 30, NOW - 50)
    put(tmp_path, "facts/ab/new.facts", 30, NOW - 1)
    put(tmp_path, "results/r.result", 5, NOW - 2)
    pruning.keep_within(tmp_path, 100, 0, NOW)
    assert names(tmp_path) == {
        "prefix/old.pch", "prefix/old.json", "facts/ab/new.facts", "results/r.result",
    }  # fmt: skip
    assert note(tmp_path) == [30, NOW]


def test_facts_are_counted_once(tmp_path: Path) -> None:
    put(tmp_path, "facts/ab/one.facts", 40)
    pruning.keep_within(tmp_path, 100, 40, NOW)
    unseen = put(tmp_path, "facts/cd/unseen.facts", 500, NOW - 5)
    pruning.keep_within(tmp_path, 100, 10, NOW + 5)
    assert unseen.exists()
    assert note(tmp_path) == [50, NOW]
    # More than the bound by what was noted: all is counted, and what is there decides.
    pruning.keep_within(tmp_path, 100, 60, NOW + 10)
    assert names(tmp_path) == {"facts/ab/one.facts"}
    assert note(tmp_path) == [40, NOW + 10]


@pytest.mark.parametrize("text", ["", "x y", "1", "1 2 3", "-", "9" * 5000, f"5 {NOW - 90_000}"])
def test_a_note_that_says_nothing_is_made_again(tmp_path: Path, text: str) -> None:
    put(tmp_path, "facts/ab/one.facts", 40)
    (tmp_path / "size").write_text(text)
    pruning.keep_within(tmp_path, 100, 40, NOW)
    assert note(tmp_path) == [40, NOW]


def test_what_somebody_was_writing(tmp_path: Path) -> None:
    put(tmp_path, "facts/ab/one.facts.12.34.part", 400, NOW - 4000)
    put(tmp_path, "facts/ab/two.facts.12.34.part", 400, NOW - 40)
    put(tmp_path, "revisions/r/source.cpp", 4000, NOW - 9999)
    pruning.keep_within(tmp_path, 100, 0, NOW)
    assert names(tmp_path) == {"facts/ab/two.facts.12.34.part", "revisions/r/source.cpp"}


@given(
    st.dictionaries(
        st.sampled_from([f"{d}/{n}" for d in ("facts/aa", "prefix", "scans") for n in "abcd"]),
        st.tuples(st.integers(0, 50), st.integers(0, 9)),
    ),
    st.integers(1, 200),
)
def test_as_a_naive_count(
    tmp_path_factory: pytest.TempPathFactory, files: dict[str, tuple[int, int]], bound: int
) -> None:
    place = tmp_path_factory.mktemp("cache")
    for name, (size, age) in files.items():
        put(place, f"{name}.x", size, NOW - age)
    pruning.keep_within(place, bound, 0, NOW)
    left = names(place)
    total = sum(size for size, _ in files.values())
    kept = sum(size for name, (size, _) in files.items() if f"{name}.x" in left)
    if total <= bound:
        assert len(left) == len(files)
    else:
        assert kept <= 0.9 * bound
        gone = [age for name, (_, age) in files.items() if f"{name}.x" not in left]
        assert min(gone) >= max([age for n, (_, age) in files.items() if f"{n}.x" in left] or [0])
    facts = sum(s for n, (s, _) in files.items() if n.startswith("facts") and f"{n}.x" in left)
    assert note(place)[0] == facts
