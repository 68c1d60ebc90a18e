"""Names that macros put together from parts: the parts cannot be called something else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from metamorphic.programs import blanked, names

_DEFINE = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE)
#: ``, ##__VA_ARGS__`` puts nothing together: it takes the comma away where no arguments are left.
_TAKES_AWAY = re.compile(r",\s*##")
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_BRACKET = re.compile(r"[()]")


class _Call(NamedTuple):
    """A macro's call: all words of its arguments, and those that call nothing."""

    macro: str
    words: frozenset[str]
    plain: frozenset[str]


def without_pasted(texts: Iterable[str], own: Sequence[str]) -> list[str]:
    """Names *own* without those that a macro with ``##`` is given, or hands to one that has it.

    Nor those that such a macro can have put together.
    """
    codes = [blanked(text) for text in texts]
    defined: dict[str, list[str]] = {}
    for code in codes:
        for name, body in _DEFINE.findall(code):
            defined.setdefault(name, []).append(body)
    calls = [c for code in codes for c in _calls(code, defined)]
    pasting = _pasting(defined, calls)
    parts = {w for name in pasting for body in defined[name] for w in re.findall(r"\w+", body)}
    parts |= {w for call in calls if call.macro in pasting for w in call.words}
    return [n for n in own if n not in parts and not _is_made_of(n, parts)] if parts else [*own]


def _pasting(defined: Mapping[str, Sequence[str]], calls: Sequence[_Call]) -> set[str]:
    """Macros with ``##``, those that use them, and those that are given one by its name."""
    found = {n for n, bodies in defined.items() if any(map(_pastes, bodies))}
    inside = {n: {w for body in bodies for w in names(body)} for n, bodies in defined.items()}
    functions = {n for n, bodies in defined.items() if any(b.startswith("(") for b in bodies)}
    while True:
        more = {n for n, words in inside.items() if not words.isdisjoint(found)}
        more |= {c.macro for c in calls if not c.plain.isdisjoint(found & functions)}
        if more <= found:
            return found
        found |= more


def _pastes(body: str) -> bool:
    return "##" in _TAKES_AWAY.sub(",", body)


def _is_made_of(name: str, parts: Collection[str]) -> bool:
    """Whether *name* is two or more of *parts* one after the other."""
    ends = {0}
    for end in range(1, len(name) + 1):
        if any(name[start:end] in parts for start in ends if end - start < len(name)):
            ends.add(end)
    return len(name) in ends


def _calls(code: str, defined: Collection[str]) -> Iterator[_Call]:
    for match in _CALLED.finditer(code):
        if match[1] in defined:
            inside = code[match.end() : _closed(code, match.end())]
            plain = re.findall(r"\b[A-Za-z_]\w*\b(?!\s*\()", inside)
            yield _Call(match[1], frozenset(re.findall(r"\w+", inside)), frozenset(plain))


def _closed(code: str, at: int) -> int:
    """Where the bracket closes that was opened before *at*."""
    depth = 1
    for here in _BRACKET.finditer(code, at):
        depth += 1 if here[0] == "(" else -1
        if not depth:
            return here.start()
    return len(code)
