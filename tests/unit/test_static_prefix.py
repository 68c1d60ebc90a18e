"""One precompiled header for many units: clang can use it, whatever the project's headers hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from lockorder.static.analyse import Analysis, analyse
from lockorder.static.driver.options import Options
from lockorder.static.parse import clang

LOCKS = """\
#pragma once
struct pthread_mutex_t { int word; };
extern "C" int pthread_mutex_lock(pthread_mutex_t *);
extern "C" int pthread_mutex_unlock(pthread_mutex_t *);
extern pthread_mutex_t red, green;
"""
#: Launches a kernel between the two locks; another header includes it.
LAUNCHING = """\
#pragma once
#include "locks.h"
template <typename T> void kernel(T *);
template <typename T> void fill(T *at, int blocks) {
  pthread_mutex_lock(&green);
  kernel<T><<<blocks, 32>>>(at);
  pthread_mutex_lock(&red);
  pthread_mutex_unlock(&red);
  pthread_mutex_unlock(&green);
}
"""
#: Two releases of one library, whose names clang takes for one.
OLDER = """\
#pragma once
namespace text {
template <typename T> T width(T value) {
  struct On { void first() {} } on;
  on.first();
  return value;
}
}
"""
NEWER = OLDER.replace("first", "second")
UNIT = """\
#include "outer.h"
template <typename T> concept Any = true;
void NAME() {
  pthread_mutex_lock(&red);
  pthread_mutex_lock(&green);
  pthread_mutex_unlock(&green);
  pthread_mutex_unlock(&red);
}
"""


class Refused:
    """How often clang could not use a precompiled header."""

    times = 0


@pytest.fixture
def refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Refused:
    monkeypatch.setenv("LOCKORDER_CACHE_DIR", str(tmp_path / "cache"))
    found, parse = Refused(), clang.parse

    def counted(
        file: Path,
        flags: Sequence[str],
        replaced: Mapping[str, str] | None = None,
        bodies: bool = True,
    ) -> clang.Unit:
        try:
            return parse(file, flags, replaced, bodies)
        except clang.PrefixError:
            found.times += 1
            raise

    monkeypatch.setattr(clang, "parse", counted)
    return found


def write(folder: Path, **files: str) -> Path:
    (folder / "project" / ".git").mkdir(parents=True)
    for name, text in files.items():
        (folder / "project" / name.replace("_", ".")).write_text(text)
    for name in ("one", "two", "three"):
        (folder / "project" / f"{name}.cpp").write_text(UNIT.replace("NAME", name))
    return folder / "project"


def ends(found: Analysis) -> set[tuple[str, ...]]:
    names = {lock.id: lock.name for lock in found.graph.locks.values()}
    return {tuple(names[end] for end in edge) for edge in found.graph.edges()}


def test_a_header_that_launches_inside_of_another(tmp_path: Path, refused: Refused) -> None:
    """Its text is replaced where the prefix is made, too; what stands after a launch is read."""
    outer = '#pragma once\n#include "launching.h"\n'
    root = write(tmp_path, locks_h=LOCKS, launching_h=LAUNCHING, outer_h=outer)
    found = analyse([root], Options(inline=True))
    assert refused.times == 0
    assert ends(found) == {("red", "green"), ("green", "red")}


def test_one_name_with_two_definitions(tmp_path: Path, refused: Refused) -> None:
    """With C++20's modules clang would read nothing of such a prefix."""
    outer = '#pragma once\n#include "locks.h"\n#include "older.h"\n#include "newer.h"\n'
    root = write(tmp_path, locks_h=LOCKS, older_h=OLDER, newer_h=NEWER, outer_h=outer)
    for name in ("one", "two", "three"):
        with (root / f"{name}.cpp").open("a") as unit:
            unit.write(f"int use_{name}() {{ return text::width(4); }}\n")
    found = analyse([root], Options(inline=True))
    assert refused.times == 0
    assert ends(found) == {("red", "green")}
