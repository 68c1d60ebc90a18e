"""Patterns for files against a naive reading of gitignore(5)."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lockorder.globs import GlobError, Globs

NAMES = st.sampled_from(["a", "b", "ab", "ba", "a.c", "b.c"])
FILES = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
PARTS = st.sampled_from(["a", "b", "ab", "*", "**", "?", "a*", "*.c", "[ab]", "b.c"])


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """Patterns as people write them: no ``**`` twice in a row, and none before a last slash.

    On files right below ``a`` git and pathspec do not agree about ``a/**/``.
    """
    parts = draw(st.lists(PARTS, min_size=1, max_size=4))
    parts = [p for i, p in enumerate(parts) if i == 0 or (p, parts[i - 1]) != ("**", "**")]
    start = draw(st.sampled_from(["", "/"]))
    end = draw(st.sampled_from(["", "/"])) if parts[-1] != "**" else ""
    return start + "/".join(parts) + end


def matches(pattern: str, file: str) -> bool:
    """What the manual says, word for word, and slowly: the file or a folder above it matches."""
    only_folders = pattern.endswith("/")
    body = pattern.rstrip("/")
    anchored = "/" in body
    wanted = body.lstrip("/").split("/")
    names = file.split("/")
    for length in range(1, len(names) + 1):
        if only_folders and length == len(names):
            continue
        starts = [0] if anchored else range(length)
        if any(_whole(wanted, names[start:length]) for start in starts):
            return True
    return False


def _whole(wanted: list[str], names: list[str]) -> bool:
    if not wanted:
        return not names
    if wanted[0] == "**":
        if len(wanted) == 1:
            return bool(names)  # a trailing "/**" matches everything inside
        return any(_whole(wanted[1:], names[skip:]) for skip in range(len(names) + 1))
    return bool(names) and _one(wanted[0], names[0]) and _whole(wanted[1:], names[1:])


def _one(wanted: str, name: str) -> bool:
    expression = wanted.replace(".", r"\.").replace("*", ".*").replace("?", ".")
    return re.fullmatch(expression, name) is not None


@given(patterns(), FILES)
@settings(max_examples=400, deadline=None)
def test_one_pattern_as_the_manual_says(pattern: str, file: str) -> None:
    folder = Path("/project")
    assert Globs(folder, [pattern]).match(folder / file) == matches(pattern, file)


@given(st.lists(patterns(), min_size=1, max_size=3), FILES)
@settings(max_examples=150, deadline=None)
def test_several_patterns_are_any_of_them(several: list[str], file: str) -> None:
    folder = Path("/project")
    expected = any(matches(pattern, file) for pattern in several)
    assert Globs(folder, several).match(folder / file) == expected


@pytest.mark.skipif(shutil.which("git") is None, reason="git is the judge")
@pytest.mark.parametrize(
    "lines",
    [
        ["third_party/**"],
        ["third_party"],
        ["/third_party/"],
        ["csrc/legacy/*.cpp"],
        ["*.cu", "!keep.cu"],
        ["csrc/**/gen_?.cpp"],
        ["csrc/[l-m]*/*", "!csrc/legacy/b.cpp"],
        ["\\!odd.cpp"],
        ["a b.cpp "],
    ],
)
def test_as_git_says(tmp_path: Path, lines: list[str]) -> None:
    files = [
        "third_party/x.cpp", "third_party/deep/er/x.cpp", "csrc/third_party/x.cpp",
        "csrc/legacy/a.cpp", "csrc/legacy/b.cpp", "csrc/legacy/sub/c.cpp", "csrc/keep.cu",
        "csrc/k.cu", "csrc/gen_1.cpp", "csrc/a/b/gen_2.cpp", "!odd.cpp", "a b.cpp", "third_party.c",
    ]  # fmt: skip
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".gitignore").write_text("".join(f"{line}\n" for line in lines))
    done = subprocess.run(
        ["git", "-C", tmp_path, "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(files),
        capture_output=True,
        text=True,
        check=False,
    )
    globs = Globs(tmp_path, lines)
    assert [f for f in files if globs.match(tmp_path / f)] == done.stdout.split("\0")[:-1]


def test_files_elsewhere_match_nothing(tmp_path: Path) -> None:
    globs = Globs(tmp_path / "a", ["*", "**"])
    assert globs.match(tmp_path / "a/x")
    for other in ("ab/x", "x", "a", "a/../x"):
        assert not globs.match(tmp_path / other)
    assert Globs(Path("/"), ["tmp/"]).match("/tmp/x")


def test_relative_names_are_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "src").mkdir()
    monkeypatch.chdir(tmp_path / "src")
    assert Globs(tmp_path, ["/src/a.c"]).match("a.c")


@pytest.mark.parametrize("pattern", ["", " ", "# a", "/", "a/../b", "..", "a[", "!", "a\nb", "a\\"])
def test_what_can_match_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(GlobError):
        Globs(Path("/project"), [pattern])
