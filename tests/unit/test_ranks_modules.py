"""Python sources as a program: names of modules, what an import finds, what cannot be read."""

from __future__ import annotations

import codecs
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from lockorder.python import modules
from lockorder.python.modules import Program, Source


def tree(folder: Path, files: Mapping[str, str | bytes]) -> Program:
    paths = []
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        paths.append(file)
    return modules.read(paths)


def of(program: Program, folder: Path, name: str) -> Source:
    return program.by_file[str(folder / name)]


PACKAGE = {
    "train.py": "", "pkg/__init__.py": "", "pkg/data.py": "", "pkg/inner/__init__.py": "",
    "pkg/inner/deep.py": "", "pkg/inner/data.py": "", "scripts/run.py": "", "scripts/data.py": "",
}  # fmt: skip


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("train.py", "train"),
        ("pkg/__init__.py", "pkg"),
        ("pkg/data.py", "pkg.data"),
        ("pkg/inner/deep.py", "pkg.inner.deep"),
        ("pkg/inner/__init__.py", "pkg.inner"),
    ],
)
def test_names_of_modules(tmp_path: Path, file: str, name: str) -> None:
    """As many folders up as are packages."""
    program = tree(tmp_path, PACKAGE)
    source = of(program, tmp_path, file)
    assert source.name == name
    assert source.package is file.endswith("__init__.py")


@pytest.mark.parametrize(
    ("by", "name", "file"),
    [
        ("train.py", "pkg", "pkg/__init__.py"),
        ("train.py", "pkg.data", "pkg/data.py"),
        ("train.py", "pkg.inner.deep", "pkg/inner/deep.py"),
        ("scripts/run.py", "data", "scripts/data.py"),
        ("pkg/data.py", "pkg.inner", "pkg/inner/__init__.py"),
        ("pkg/inner/deep.py", "pkg.data", "pkg/data.py"),
    ],
)
def test_what_an_import_finds(tmp_path: Path, by: str, name: str, file: str) -> None:
    program = tree(tmp_path, PACKAGE)
    found = program.find(name, of(program, tmp_path, by))
    assert found is of(program, tmp_path, file)


def test_a_neighbour_in_a_package_needs_a_dot(tmp_path: Path) -> None:
    program = tree(tmp_path, PACKAGE)
    assert program.find("data", of(program, tmp_path, "pkg/inner/deep.py")) is not of(
        program, tmp_path, "pkg/inner/data.py"
    )
    assert program.find("nowhere", of(program, tmp_path, "train.py")) is None


def test_of_two_modules_of_one_name_the_nearer_is_found(tmp_path: Path) -> None:
    program = tree(tmp_path, {"a/util.py": "", "b/util.py": "", "b/run.py": "", "a/run.py": ""})
    for folder in ("a", "b"):
        found = program.find("util", of(program, tmp_path, f"{folder}/run.py"))
        assert found is of(program, tmp_path, f"{folder}/util.py")


def test_words_calls_and_imports(tmp_path: Path) -> None:
    program = tree(
        tmp_path, {"a.py": "import os.path\nfrom torch.nn import Linear\nos.walk(print(x))\n"}
    )
    source = of(program, tmp_path, "a.py")
    assert {"os", "walk", "print", "x"} <= source.words
    assert source.calls == 2
    assert source.imports == {"os", "torch"}


def test_numbers_of_sources_are_their_own(tmp_path: Path) -> None:
    program = tree(tmp_path, PACKAGE)
    assert len({s.number for s in program.sources}) == len(PACKAGE)


# -- notebooks ------------------------------------------------------------------------------------


def notebook(*cells: tuple[str, str | list[str]]) -> str:
    return json.dumps({"cells": [{"cell_type": k, "source": s} for k, s in cells], "nbformat": 4})


def test_cells_of_a_notebook_are_one_source(tmp_path: Path) -> None:
    book = notebook(
        ("markdown", "not code ("), ("code", ["import a\n", "a.b()"]), ("raw", "x ="),
        ("code", "if True:\n    %time c()\n    d()\n!ls\n%matplotlib inline"),
    )  # fmt: skip
    program = tree(tmp_path, {"book.ipynb": book})
    assert program.problems == []
    source = of(program, tmp_path, "book.ipynb")
    assert {"a", "b", "d"} <= source.words
    assert "c" not in source.words
    lines = [node.lineno for node in source.tree.body]
    assert lines == [1, 2, 3]


@pytest.mark.parametrize(
    "text",
    ["", "{", "no json", "\ufeff", "[]", "3", '{"cells": 3}', '{"cells": [3]}', "null"],
)
def test_what_is_no_notebook_is_told(tmp_path: Path, text: str) -> None:
    program = tree(tmp_path, {"book.ipynb": text, "good.py": "x = 1"})
    assert len(program.problems) == 1
    assert str(tmp_path / "book.ipynb") in program.problems[0]
    assert [s.name for s in program.sources] == ["good"]


def test_an_empty_notebook_is_a_source(tmp_path: Path) -> None:
    program = tree(tmp_path, {"book.ipynb": notebook()})
    assert [s.name for s in program.sources] == ["book"]
    assert program.problems == []


# -- what cannot be read --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line"), [("x = 1\ny = (\n", 2), ("print 'x'\n", 1), ("x = 1\n\n  y = 2\n", 3)]
)
def test_a_syntax_error_is_told_with_its_line(tmp_path: Path, text: str, line: int) -> None:
    program = tree(tmp_path, {"bad.py": text, "good.py": "x = 1"})
    (problem,) = program.problems
    assert problem.startswith(f"{tmp_path / 'bad.py'}:{line}: not read as Python: ")
    assert [s.name for s in program.sources] == ["good"]


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    for name, data in {
        "nul": b"x = 1\0",
        "latin": b"x = '\xe9'",
        "coding": b"# coding: nonsense\n",
    }.items():
        folder = tmp_path / name
        folder.mkdir()
        program = tree(folder, {"bad.py": data})
        assert len(program.problems) == 1, name
        assert str(folder / "bad.py") in program.problems[0]


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    program = modules.read([tmp_path / "gone.py"])
    (problem,) = program.problems
    assert "gone.py" in problem
    assert "No such file" in problem


def test_code_too_deep_to_read_is_told(tmp_path: Path) -> None:
    program = tree(tmp_path, {"deep.py": "x = " + "(" * 5000 + "1" + ")" * 5000})
    assert len(program.problems) == 1


# -- encodings ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        codecs.BOM_UTF8 + b"name = 1\n",
        b"# -*- coding: latin-1 -*-\nname = '\xe9'\n",
        b"#!/usr/bin/python\n# vim: set fileencoding=cp1252 :\nname = '\x80'\n",
        "name = 'é'\n".encode(),
        b"name = 1\r\nother = 2\r\n",
        b"name = 1\rother = 2\r",
        b"",
    ],
)
def test_files_as_people_have_them(tmp_path: Path, data: bytes) -> None:
    program = tree(tmp_path, {"a.py": data})
    assert program.problems == []
    assert len(program.sources) == 1
    assert not data or "name" in of(program, tmp_path, "a.py").words


def test_warnings_of_the_compiler_are_nobody_s(tmp_path: Path) -> None:
    """An escape that is none warns where a file is compiled, which the tests make an error."""
    program = tree(tmp_path, {"a.py": "x = '\\d'\nassert (x, 1)\ny = x is 1\n"})
    assert program.problems == []


def test_folders_that_decide_what_a_module_is_called(tmp_path: Path) -> None:
    program = tree(tmp_path, {"top/__init__.py": "", "top/in/__init__.py": "", "top/in/a.py": ""})
    assert of(program, tmp_path, "top/in/a.py").name == "top.in.a"
    assert program.folders == {tmp_path, tmp_path / "top", tmp_path / "top/in"}
