"""Headers that a folder's search meets and that are no C or C++ are counted, not an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lockorder.cli import main

_MAIN = "#include <mutex>\nstd::mutex m;\nvoid f() { std::lock_guard g(m); }\n"
_FORTRAN = "! -*- fortran -*-\n      interface\n      subroutine go(n)\n      end interface\n"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "a.cpp").write_text(_MAIN)
    (tmp_path / "interfaces.h").write_text(_FORTRAN)
    return tmp_path


def _check(*arguments: object) -> int:
    return main(["check", "--no-cache", *map(str, arguments)])


def test_a_search_leaves_them_out_and_says_so(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _check("--format", "json", tree) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["coverage"]["foreign"] == ["interfaces.h"]
    assert "left out, as nothing in them is C or C++: 1 headers (interfaces.h)" in err


def test_who_names_one_is_told_why(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _check(tree, tree / "interfaces.h") == 2
    assert "interfaces.h: nothing could be read as C++" in capsys.readouterr().err


def test_a_source_of_which_nothing_can_be_read_is_an_error(tree: Path) -> None:
    (tree / "interfaces.h").rename(tree / "interfaces.cpp")
    assert _check(tree) == 2


def test_a_header_with_a_mistake_is_read_and_not_left_out(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "interfaces.h").write_text("struct Half { int a; Unknown b }\nvoid g();\n")
    assert _check("--format", "json", tree) == 0
    assert "foreign" not in json.loads(capsys.readouterr().out)["coverage"]


def test_complete_it_is_not(tree: Path) -> None:
    assert _check("--require-complete", tree) == 2
