"""Words in a program's text that are said to a compiler: they mean what it takes them for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from metamorphic.programs import names

#: All directives but those that include, and those that define: their names are the program's.
_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?!include|define)\w+((?:[^\n\\]|\\\r?\n|\\.)*)", re.MULTILINE
)
_PRAGMA = re.compile(r"\b(?:_Pragma|__pragma)\s*\(((?:[^()]|\([^()]*\))*)\)")
_INSIDE = r"((?:[^()\[\]]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)"
_ATTRIBUTES = re.compile(
    rf"\b__attribute(?:__)?\s*\(\({_INSIDE}\)\)|\[\[{_INSIDE}\]\]|\b__declspec\s*\({_INSIDE}\)"
)
_ARGUMENTS = re.compile(r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
#: An operand of an assembler statement, by its name: ``"%[size]"``.
_OPERAND = re.compile(r"%\w?\[(\w+)\]")


def words_for_compilers(text: str) -> Iterator[str]:
    """Words of directives, names of attributes, and what text in quotes calls operands."""
    for told in (*_DIRECTIVE.findall(text), *_PRAGMA.findall(text)):
        yield from names(told)
    for match in _ATTRIBUTES.finditer(text):
        said = next((g for g in match.groups() if g), "")
        yield from names(_ARGUMENTS.sub("", said))
    yield from _OPERAND.findall(text)
