"""Macros of C that stand for parts of statements, put in where they are used.

The reader takes a macro as a function of what it is handed, which works for expressions and for
whole statements.  ``#define ON_ROOT if (rank == 0)`` is neither; so such a one is replaced in the
text, line by line, before the file is read.
"""

from __future__ import annotations

import re

#: Replaced again and again, as macros use each other; one that names itself ends here.
_ROUNDS = 8
_DEFINE = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(\(([^()\n]*)\))?[ \t]+((?:[^\n\\]|\\.|\\\n)*)", re.M
)
_OPENS = re.compile(rb"^(if|else|for|while|switch)\b")
_PART = re.compile(rb'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|//[^\n]*|/\*.*?\*/|\w+', re.S)


def put_in(data: bytes) -> bytes:
    """The text of a file with such macros replaced; each line stays where it is."""
    found: dict[bytes, tuple[list[bytes] | None, bytes]] = {}
    for match in _DEFINE.finditer(data):
        text = b" ".join(match[4].replace(b"\\\n", b" ").split())
        if _is_open(text):
            names = [n.strip() for n in match[3].split(b",")] if match[2] is not None else None
            found[match[1]] = names, text
    if not found:
        return data
    lines = data.split(b"\n")
    directive = False
    for number, line in enumerate(lines):
        directive = directive or line.lstrip().startswith(b"#")
        if not directive:
            for _ in range(_ROUNDS):
                made = _replaced(lines[number], found)
                if made == lines[number]:
                    break
                lines[number] = made
        directive = directive and line.endswith(b"\\")
    return b"\n".join(lines)


def _is_open(text: bytes) -> bool:
    """Whether a statement begins with it that goes on behind it."""
    text = re.sub(rb"/\*.*?\*/|//.*", b"", text).strip()
    return bool(_OPENS.match(text)) and not text.endswith((b";", b"}"))


def _replaced(line: bytes, macros: dict[bytes, tuple[list[bytes] | None, bytes]]) -> bytes:
    for match in _PART.finditer(line):
        if match[0] not in macros:
            continue
        names, text = macros[match[0]]
        if names is None:
            return line[: match.start()] + text + line[match.end() :]
        given = _given(line, match.end())
        if given is None:
            continue
        values, end = given
        if len(values) != len(names) and names != [b""]:
            continue
        by_name = dict(zip(names, values, strict=False))
        text = _PART.sub(lambda m: by_name.get(m[0], m[0]), text)  # noqa: B023
        return line[: match.start()] + text + line[end:]
    return line


def _given(line: bytes, at: int) -> tuple[list[bytes], int] | None:
    """What a macro is handed on this line, and where that ends; None: nothing, or no end."""
    opened = re.match(rb"\s*\(", line[at:])
    if opened is None:
        return None
    depth, start, values = 1, at + opened.end(), []
    for i in range(start, len(line)):
        char = line[i : i + 1]
        depth += char in (b"(", b"[", b"{")
        depth -= char in (b")", b"]", b"}")
        if depth == 0 or (depth == 1 and char == b","):
            values.append(line[start:i].strip())
            start = i + 1
        if depth == 0:
            return values, i + 1
    return None
