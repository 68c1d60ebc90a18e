"""The same sources give the same bytes: cached or not, with any number of workers, in any order."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures" / "cpp"
FOLDERS = ("before", "calls", "conditions")

Check = Callable[..., bytes]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("project")
    (root / ".git").mkdir()
    shutil.copytree(FIXTURES / "miniature" / "before", root / "before")
    for folder in FOLDERS[1:]:
        shutil.copytree(FIXTURES / "corpus" / folder, root / folder)
    return root


@pytest.fixture(scope="module")
def check(project: Path) -> Check:
    def run(cache: Path, *arguments: str) -> bytes:
        done = subprocess.run(
            [sys.executable, "-m", "lockorder", "check", "-q", "--format=json", *arguments],
            cwd=project,
            env={**os.environ, "LOCKORDER_CACHE_DIR": str(cache)},
            capture_output=True,
            timeout=200,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="module")
def first(check: Check, tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Path]:
    """A cold run, and the cache that it left."""
    folder = tmp_path_factory.mktemp("cache")
    return check(folder, "-j2", *FOLDERS), folder


def test_warm(check: Check, first: tuple[bytes, Path]) -> None:
    expected, cache = first
    assert len(list(cache.rglob("*.facts"))) > 10
    assert check(cache, "-j2", *FOLDERS) == expected


def test_one_worker(check: Check, first: tuple[bytes, Path], tmp_path: Path) -> None:
    assert check(tmp_path, "-j1", *FOLDERS) == first[0]


def test_no_cache(check: Check, first: tuple[bytes, Path], tmp_path: Path) -> None:
    assert check(tmp_path, "--no-cache", *FOLDERS) == first[0]
    assert not list(tmp_path.iterdir())


def test_paths_in_another_order(check: Check, first: tuple[bytes, Path], tmp_path: Path) -> None:
    expected, cache = first
    assert check(cache, *reversed(FOLDERS)) == expected
    assert check(tmp_path, *reversed(FOLDERS)) == expected


def test_half_of_it_cached(check: Check, first: tuple[bytes, Path]) -> None:
    expected, cache = first
    for file in sorted(cache.rglob("*.facts"))[::2]:
        file.unlink()
    assert check(cache, *FOLDERS) == expected


def test_a_cache_that_was_moved(check: Check, first: tuple[bytes, Path], tmp_path: Path) -> None:
    expected, cache = first
    copy = shutil.copytree(cache, tmp_path / "cache")
    assert check(copy, *FOLDERS) == expected
