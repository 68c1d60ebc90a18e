"""Discovery and the look at a file that needs no compiler."""

import os
from pathlib import Path

import pytest

from lockorder.globs import Globs
from lockorder.static.discovery.sources import (
    SourceError,
    Tree,
    blank_launches,
    discover,
    discover_all,
    project_root,
    read,
    scan,
)


def test_discover_finds_sources_and_names_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int a;")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "k.cu").write_text("int k;")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "no.cpp").write_text("int no;")
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "empty").mkdir()
    found, problems = discover(
        [tmp_path, tmp_path / "gone", tmp_path / "notes.txt", tmp_path / "empty"]
    )
    assert [f.name for f in found] == ["a.cpp", "k.cu"]
    assert len(problems) == 3
    assert "no such file or folder" in problems[0]
    assert "not a C, C++, CUDA or Python source" in problems[1]
    assert "no C, C++, CUDA or Python source in this folder" in problems[2]


def test_python_s_files_are_found_and_what_is_wrong_with_them_too(tmp_path: Path) -> None:
    for name in ("a.py", "in/b.ipynb", "in/c.cpp", "v/pyvenv.cfg", "v/lib/no.py", ".in/no.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    os.mkfifo(tmp_path / "pipe.py")
    found, problems = discover_all([tmp_path])
    assert [str(f.relative_to(tmp_path)) for f in found] == ["a.py", "in/b.ipynb", "in/c.cpp"]
    assert problems == [f"{tmp_path / 'pipe.py'}: not a regular file"]
    assert discover([tmp_path]) == ([tmp_path / "in" / "c.cpp"], problems)


def test_a_folder_of_python_alone_may_be_excluded(tmp_path: Path) -> None:
    (tmp_path / "a.py").touch()
    globs = Globs(tmp_path, ["*.py"])
    assert discover_all([tmp_path], globs) == (
        [],
        [f"{tmp_path}: all sources in this folder are excluded"],
    )
    (tmp_path / "b.cpp").touch()
    assert discover_all([tmp_path], globs) == ([tmp_path / "b.cpp"], [])


@pytest.mark.parametrize("marked", ["pyvenv.cfg", "conda-meta/history"])
def test_an_environment_in_a_project_is_not_the_projects(tmp_path: Path, marked: str) -> None:
    header = tmp_path / "env" / "lib" / "torch" / "c10" / "a.h"
    header.parent.mkdir(parents=True)
    header.write_text("int a;")
    (tmp_path / "a.cpp").write_text("int b;")
    (tmp_path / "env" / marked).parent.mkdir(exist_ok=True)
    (tmp_path / "env" / marked).write_text("")
    assert discover([tmp_path]) == ([tmp_path / "a.cpp"], [])
    assert Tree(tmp_path).find("c10/a.h", str(tmp_path / "a.cpp")) == []
    # Unless that is what is asked for.
    assert discover([tmp_path / "env"]) == ([header], [])


def test_a_binary_is_refused_with_the_place(tmp_path: Path) -> None:
    file = tmp_path / "x.cpp"
    file.write_bytes(b"int a;\0\1")
    with pytest.raises(SourceError, match="NUL byte at offset 6"):
        read(str(file))


def test_scan_sees_through_comments() -> None:
    found = scan(
        "x", b'// #include "no.h"\n#include "a/b.h"\n/*\n#include <no>\n*/#include <mutex>\n'
    )
    assert found.includes == ((False, "a/b.h"), (True, "mutex"))


@pytest.mark.parametrize(
    ("text", "macro"),
    [
        (b"#ifdef USE_X\nint a;\n#endif\n", "USE_X"),
        (b'#include "a.h"\n#ifdef USE_X\nint a;\n#endif // USE_X\n', "USE_X"),
        (b"#if defined(USE_X)\nint a;\n#endif\n", "USE_X"),
        (b"#ifndef GUARD_H\n#define GUARD_H\nint a;\n#endif\n", ""),
        (b"#ifdef USE_X\nint a;\n#endif\nint b;\n", ""),
        (b"int a;\n", ""),
    ],
)
def test_a_macro_around_a_whole_file(text: bytes, macro: str) -> None:
    assert scan("x", text).wrapped_by == macro


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        (b"#pragma once\nint a;", True),
        (b"#ifndef A_H\n#define A_H\nint a;\n#endif", True),
        (b"#if !defined(A_H)\n#define A_H\n#endif", True),
        (b"#ifndef A_H\n#define B_H\n#endif", False),
        (b"X(1)\nX(2)\n", False),
    ],
)
def test_guards_against_a_second_inclusion(text: bytes, guarded: bool) -> None:
    assert scan("x.h", text).guarded is guarded


def test_launches_become_calls_of_the_same_length() -> None:
    text = b"kernel<<<blocks, threads, 0,\n stream()>>>(a, b); x << y << z;"
    plain = blank_launches(text)
    assert len(plain) == len(text)
    assert plain.count(b"\n") == text.count(b"\n")
    assert b"<<<" not in plain
    assert plain.startswith(b"kernel ")
    assert plain.endswith(b"x << y << z;")
    assert b"(a, b);" in plain


def test_tree_prefers_the_nearest(tmp_path: Path) -> None:
    for folder in ("one/inc", "two/inc"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "x.h").write_text("")
    tree = Tree(tmp_path)
    assert tree.find("inc/x.h", str(tmp_path / "two" / "a.cpp"))[0].endswith("two/inc/x.h")
    assert tree.find("y.h", "a.cpp") == []


def test_project_root_is_the_repository(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    file = tmp_path / "a" / "b" / "x.cpp"
    file.write_text("")
    assert project_root([file]) == tmp_path
