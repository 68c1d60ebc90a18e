"""A program as text that remembers where each line came from, and what clang says of it.

Files are kept as text in which each character is one byte (latin-1), so that clang's byte offsets
are indices.  A transformed file is put together from pieces of the old ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ENCODING = "latin-1"
UNITS = (".cpp", ".cc", ".cxx", ".c")
SOURCES = (*UNITS, ".h", ".hpp", ".hh", ".cuh", ".cu", ".inl")

#: What is no code, kept in one piece, and identifiers.
_LEXEME = re.compile(
    r"""(?P<other>
        //(?:[^\n\\]|\\.|\\\n)* | /\*.*?\*/
      | (?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
      | (?:u8|[uUL])?"(?:[^"\\\n]|\\.)*" | (?:u8|[uUL])?'(?:[^'\\\n]|\\.)+'
      | \.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*
      | ^[ \t]*\#[ \t]*include[^\n]*
    ) | (?P<name>[A-Za-z_]\w*)""",
    re.VERBOSE | re.DOTALL | re.MULTILINE,
)


class Place(NamedTuple):
    """A line of the program as it was."""

    file: str
    line: int


class Piece(NamedTuple):
    """Text that stood in *file* from *line* on; new text has no file."""

    text: str
    file: str = ""
    line: int = 0


class Files(NamedTuple):
    """A program: texts and, by file and line, where lines came from (None: nowhere)."""

    texts: Mapping[str, str]
    origins: Mapping[str, Sequence[Place | None]]

    def origin(self, file: str, line: int) -> Place:
        """Where a line came from; itself, marked as new, where it came from nowhere."""
        lines = self.origins.get(file, ())
        found = lines[line - 1] if 0 < line <= len(lines) else None
        return found or Place(f"new {file}", line)

    def write(self, folder: Path) -> None:
        """Lay the program out in *folder*."""
        for name, text in self.texts.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding=ENCODING, newline="")


class NotApplicableError(Exception):
    """This transformation has nothing to do in this program; the text says why."""


def read(path: Path) -> dict[str, str]:
    """The sources of a program, a file or a folder, by name."""
    if path.is_file():
        return {path.name: path.read_text(encoding=ENCODING)}
    return {
        p.relative_to(path).as_posix(): p.read_text(encoding=ENCODING)
        for p in sorted(path.rglob("*"))
        if p.suffix in SOURCES and p.is_file()
    }


def whole(texts: Mapping[str, str]) -> dict[str, list[Piece]]:
    """Each file as one piece."""
    return {name: [Piece(text, name, 1)] for name, text in texts.items()}


def cut(text: str, file: str, start: int, end: int) -> Piece:
    """*text* of *file* between two offsets."""
    return Piece(text[start:end], file, text.count("\n", 0, start) + 1)


def assemble(files: Mapping[str, Sequence[Piece]]) -> Files:
    """Put pieces together; a line comes from the first piece that has anything to say on it."""
    texts: dict[str, str] = {}
    origins: dict[str, list[Place | None]] = {}
    for name, pieces in files.items():
        texts[name] = "".join(p.text for p in pieces)
        lines: list[Place | None] = [None]
        for piece in pieces:
            for number, part in enumerate(piece.text.split("\n")):
                if number:
                    lines.append(None)
                if part.strip() and lines[-1] is None and piece.file:
                    lines[-1] = Place(piece.file, piece.line + number)
        origins[name] = lines
    return Files(texts, origins)


def names(text: str) -> Iterator[str]:
    """Identifiers of *text*, outside comments and literals."""
    return (m["name"] for m in _LEXEME.finditer(text) if m["name"])


def renamed(text: str, new: Mapping[str, str]) -> str:
    """*text* with identifiers replaced."""

    def replacement(match: re.Match[str]) -> str:
        name = match["name"]
        return new.get(name, name) if name else match[0]

    return _LEXEME.sub(replacement, text)


def blanked(text: str) -> str:
    """*text* with comments and literals made spaces; offsets and lines stay."""
    return _LEXEME.sub(lambda m: m[0] if m["name"] else re.sub(r"[^\n]", " ", m[0]), text)


_GUARD = re.compile(r"\s*#\s*ifndef\s+(\w+)\s*#\s*define\s+\1\b")
_CLOSED = re.compile(r"^[ \t]*#[ \t]*endif[^\n]*\s*\Z", re.MULTILINE)


def is_guarded(code: str) -> bool:
    """Whether a header without comments begins with an include guard."""
    return _GUARD.match(code) is not None


def last_place(text: str) -> int:
    """Where more can be put at the end of a file: before what closes its include guard."""
    code = blanked(text)
    closed = _CLOSED.search(code) if is_guarded(code) else None
    return closed.start() if closed else len(text)


def folder_of(path: Path, folder: Path) -> str:
    """The name of a file below *folder*; empty elsewhere."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else ""
