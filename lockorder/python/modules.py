"""Python sources as a program: files, their modules' names, and what an import finds."""

from __future__ import annotations

import ast
import io
import json
import os
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from lockorder.static.discovery import named_files, sources


class Source(msgspec.Struct, eq=False):
    """One file: *tree* has its statements, *name* is what an import calls it."""

    file: str
    name: str
    tree: Any
    number: int
    package: bool = False
    c: bool = False
    #: the words in it, to ask whether it is of interest
    words: frozenset[str] = frozenset()
    #: what it imports under another name, by that name
    renamed: dict[str, str] = {}
    #: calls that stand in it
    calls: int = 0
    #: the first parts of what it imports
    imports: frozenset[str] = frozenset()

    def in_package_of(self, other: Source) -> bool:
        """Whether it lies in a package, so that its neighbour *other* needs a dot."""
        return "." in self.name and self.name.rpartition(".")[0] == other.name.rpartition(".")[0]


class Program:
    """All sources that are checked together."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.by_name: dict[str, Source] = {}
        self.by_file: dict[str, Source] = {}
        self.problems: list[str] = []
        #: the files that were read, with digests of their contents
        self.files: dict[str, str] = {}
        #: the folders that were looked into for what modules are called
        self.folders: set[Path] = set()
        self.paths: dict[str, Source | None] = {}

    def add(self, source: Source) -> None:
        """One more."""
        self.sources.append(source)
        self.by_file[source.file] = source
        if not source.c:
            self.by_name.setdefault(source.name, source)

    def find(self, name: str, by: Source) -> Source | None:
        """The module that *by* imports as *name*: in its own folder, or by its whole name."""
        folder = os.path.dirname(by.file)
        relative = os.path.join(folder, *name.split("."))
        for file in (relative + ".py", os.path.join(relative, "__init__.py")):
            found = self.by_file.get(file)
            if found is not None and not by.in_package_of(found):
                return found
        return self.by_name.get(name) or self._by_path(name)

    def _by_path(self, name: str) -> Source | None:
        """A module of a package that has no ``__init__.py``: by its folders."""
        if name not in self.paths:
            ending = os.sep + os.path.join(*name.split("."))
            wanted = (ending + ".py", os.path.join(ending, "__init__.py"))
            found = [s for s in self.sources if s.file.endswith(wanted)]
            self.paths[name] = min(found, key=lambda s: s.file) if found else None
        return self.paths[name]

    def at(self, folder: str, name: str) -> Source | None:
        """The module *name* in a folder; the package that the folder is, where there is no name."""
        path = os.path.join(folder, *name.split(".")) if name else folder
        return self.by_file.get(path + ".py") or self.by_file.get(os.path.join(path, "__init__.py"))


def packages(file: Path) -> Iterator[Path]:
    """Folders above a file, from the nearest: those that are packages, and the first that is not.

    What a file is called depends on what lies in these.
    """
    for folder in file.parents:
        yield folder
        if not (folder / "__init__.py").is_file():
            break


def module_name(file: Path) -> str:
    """The dotted name of a file: as many folders up as are packages."""
    *above, _ = packages(file)
    parts = [] if file.stem == "__init__" else [file.stem]
    return ".".join([*(f.name for f in reversed(above)), *parts]) or file.parent.name


def read(files: Iterable[Path]) -> Program:
    """The program that *files* make; what cannot be read is one of its problems."""
    program = Program()
    number = 1
    for file in sorted(files):
        try:
            data = named_files.read(file)
            program.files[str(file)] = sources.digest(data)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                tree = ast.parse(text_of(file, data), filename=str(file))
        except (OSError, SyntaxError, ValueError, RecursionError, UnicodeError) as error:
            line = getattr(error, "lineno", None)
            where = f"{file}:{line}" if line else f"{file}"
            why = getattr(error, "msg", None) or getattr(error, "strerror", None) or str(error)
            program.problems.append(f"{where}: not read as Python: {why}")
            continue
        number += 1
        program.folders.update(packages(file))
        program.add(_source(file, tree, -number))
    return program


def _source(file: Path, tree: ast.Module, number: int) -> Source:
    words: set[str] = set()
    imports: set[str] = set()
    renamed: dict[str, str] = {}
    calls = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            words.add(node.attr)
        elif isinstance(node, ast.Name):
            words.add(node.id)
        elif isinstance(node, ast.Call):
            calls += 1
        elif isinstance(node, ast.Import):
            imports |= {a.name.partition(".")[0] for a in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports.add(node.module.partition(".")[0])
            renamed |= {a.asname: a.name for a in node.names if a.asname}
    return Source(
        str(file), module_name(file), tree, number, file.name == "__init__.py",
        words=frozenset(words | {n for w, n in renamed.items() if w in words}), renamed=renamed,
        calls=calls, imports=frozenset(imports),
    )  # fmt: skip


def text_of(file: Path, data: bytes) -> str:
    """The text of a source; of a notebook, of its cells, each line at a line of its own.

    Raises SyntaxError (a wrong coding line), ValueError for what is no notebook.
    """
    if file.suffix == ".ipynb":
        return _cells(data)
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding)


def _cells(data: bytes) -> str:
    book = json.loads(data)
    cells = book.get("cells", ()) if isinstance(book, dict) else None
    if not isinstance(cells, list) or not all(isinstance(c, dict) for c in cells):
        raise ValueError("not a notebook")
    lines: list[str] = []
    for cell in cells:
        if cell.get("cell_type") == "code":
            text = cell.get("source", "")
            text = "".join(text) if isinstance(text, list) else text
            lines += ["#" + x if x.lstrip().startswith(("%", "!")) else x for x in text.split("\n")]
    return "\n".join(lines)
