"""The pages of rules, which are Markdown of our own, in the few forms that they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

#: ``code``, links, addresses.
_INLINE = re.compile(r"`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)|(https?://[^\s)>]+[^\s)>.,;:])")
_HEADING = re.compile(r"(#+) (.*)")
_ITEM = re.compile(r"(?:[-*]|\d+\.) +")


class Text(NamedTuple):
    """A run of text; ``link`` is where it leads."""

    text: str
    code: bool = False
    link: str = ""


class Part(NamedTuple):
    """``heading``, ``text``, ``code`` or ``items``; each of *runs* is a paragraph or an item."""

    kind: str
    runs: tuple[tuple[Text, ...], ...]


def parts(page: str) -> Iterator[Part]:
    """The parts of a page, in order."""
    lines = iter([*page.split("\n"), ""])
    pending: list[str] = []
    for line in lines:
        heading = _HEADING.fullmatch(line)
        fence = line.startswith("```")
        if pending and (not line.strip() or heading or fence):
            yield _text(pending)
            pending = []
        if heading:
            yield Part("heading", ((Text(heading[2]),),))
        elif fence:
            body = []
            for inner in lines:
                if inner.startswith("```"):
                    break
                body.append(inner)
            yield Part("code", ((Text("\n".join(body)),),))
        elif line.strip():
            pending.append(line)


def _text(lines: list[str]) -> Part:
    if all(line.startswith("    ") for line in lines):
        return Part("code", ((Text("\n".join(line[4:] for line in lines)),),))
    if _ITEM.match(lines[0]):
        items: list[str] = []
        for line in lines:
            item = _ITEM.match(line)
            if item:
                items.append(line[item.end() :])
            else:
                items[-1] += f" {line.strip()}"
        return Part("items", tuple(_runs(item) for item in items))
    return Part("text", (_runs(" ".join(line.strip() for line in lines)),))


def _runs(text: str) -> tuple[Text, ...]:
    found, at = [], 0
    for match in _INLINE.finditer(text):
        if match.start() > at:
            found.append(Text(text[at : match.start()]))
        code, name, link, address = match.groups()
        if code is not None:
            found.append(Text(code, code=True))
        elif name is not None and not link.startswith(("http://", "https://")):
            found.append(Text(name))  # to a page that is not here
        else:
            found.append(Text(name or address, link=link or address))
        at = match.end()
    if at < len(text):
        found.append(Text(text[at:]))
    return tuple(found)
