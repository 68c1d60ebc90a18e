"""What comments in the sources say to lockorder: which findings are known and accepted there.

    // lockorder: ignore[rule, rule] reason           findings on this line
    // lockorder: ignore-next-line[rule] reason       findings on the next line
    // lockorder: disable[rule] reason                from here on,
    // lockorder: enable[rule]                        up to here
    # lockorder: ignore[rule] reason                 the same in Python
    // NOLINT(lockorder-rule), NOLINTNEXTLINE(...), NOLINTBEGIN(...), NOLINTEND(...)

The last are clang-tidy's (https://clang.llvm.org/extra/clang-tidy/), where the names of other
tools' checks may stand beside.  Rules are always named: a comment that hides whatever may come is
not one.  Block comments count like line comments, on the line that each word stands on.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

import msgspec

from lockorder.model.coverage import PYTHON

#: What can hide or look like a comment: literals are passed over, comments are kept.
_TOKEN = re.compile(
    rb'R"(?P<raw>[^()\\ \t\r\n]{0,16})\(.*?\)(?P=raw)"'
    rb'|"(?:\\.|[^"\\\n])*"'
    rb"|(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])*'"
    rb"|(?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z))",
    re.S,
)
_OWN = re.compile(
    r"\blockorder:[ \t]*(?P<verb>[a-z]+(?:-[a-z]+)*)[ \t]*(?:\[(?P<rules>[^\]\n]*)\])?"
    r"[ \t]*(?P<reason>[^\n]*)"
)
_NOLINT = re.compile(
    r"\bNOLINT(?P<verb>NEXTLINE|BEGIN|END|)\((?P<rules>[^)\n]*)\)(?P<reason>[^\n]*)"
)
#: The same of Python.
_PYTHON_TOKEN = re.compile(
    rb'"""(?:\\.|[^\\])*?"""|\'\'\'(?:\\.|[^\\])*?\'\'\''
    rb'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|(?P<comment>\#[^\n]*)',
    re.S,
)
_PREFIX = "lockorder-"
_VERBS = {
    "ignore": "line", "ignore-next-line": "next", "disable": "begin", "enable": "end",
    "": "line", "NEXTLINE": "next", "BEGIN": "begin", "END": "end",
}  # fmt: skip


class Suppression(msgspec.Struct, frozen=True):
    """One rule that is accepted from line *first* to line *last* (1-based) of *file*.

    *line* is the comment's own; *alone*: nothing else stands there.
    """

    file: str
    line: int
    rule: str
    first: int
    last: int
    reason: str = ""
    alone: bool = False

    @property
    def place(self) -> str:
        """The comment's ``file:line``."""
        return f"{self.file}:{self.line}"


class Comments(msgspec.Struct):
    """The comments of many files that are for lockorder, and what is wrong with some."""

    suppressions: list[Suppression]
    warnings: list[str]


def read(root: Path, files: Iterable[str], rules: Collection[str]) -> Comments:
    """Look through *files*, relative to *root*; a file that cannot be read has no comments.

    *rules* are the names that mean something.
    """
    found = Comments([], [])
    for file in sorted(set(files)):
        try:
            data = (root / file).read_bytes()
        except (OSError, ValueError):
            continue
        if b"lockorder" in data:
            _scan(file, data, rules, found)
    return found


class _Words(msgspec.Struct):
    """One comment's word to lockorder."""

    verb: str
    rules: list[str]
    reason: str
    line: int
    alone: bool


def _scan(file: str, data: bytes, rules: Collection[str], found: Comments) -> None:
    lines = data.count(b"\n") + 1
    open_regions: dict[str, tuple[_Words, int]] = {}
    for words in _words(file, data, rules, found.warnings):
        for rule in words.rules:
            if words.verb == "line":
                span = (words.line, words.line)
            elif words.verb == "next":
                span = (words.line + 1, words.line + 1)
            elif words.verb == "begin":
                if rule in open_regions:
                    found.warnings.append(
                        f"{file}:{words.line}: {rule} is disabled already, since line "
                        f"{open_regions[rule][0].line}"
                    )
                else:
                    open_regions[rule] = words, words.line
                continue
            else:
                began = open_regions.pop(rule, None)
                if began is None:
                    found.warnings.append(
                        f"{file}:{words.line}: {rule} is enabled, but nothing disabled it above"
                    )
                    continue
                start, first = began
                found.suppressions.append(
                    Suppression(file, start.line, rule, first, words.line, start.reason)
                )
                continue
            found.suppressions.append(
                Suppression(file, words.line, rule, *span, words.reason, words.alone)
            )
    for rule, (start, first) in open_regions.items():
        found.suppressions.append(Suppression(file, start.line, rule, first, lines, start.reason))


def _words(file: str, data: bytes, rules: Collection[str], warnings: list[str]) -> Iterator[_Words]:
    tokens = _PYTHON_TOKEN if file.endswith(PYTHON) else _TOKEN
    for token in tokens.finditer(data):
        if token.group("comment") is None or b"lockorder" not in token.group():
            continue
        at = data.count(b"\n", 0, token.start()) + 1
        start = data.rfind(b"\n", 0, token.start()) + 1
        before = data[start : token.start()]
        for number, text in enumerate(token.group().decode(errors="replace").split("\n")):
            line = at + number
            alone = number > 0 or not before.strip()
            place = f"{file}:{line}"
            for match in _OWN.finditer(text):
                verb = _VERBS.get(match.group("verb"))
                if verb is None:
                    known = [name for name in _VERBS if name.islower()]
                    near = difflib.get_close_matches(match.group("verb"), known, 1, 0.75)
                    if near or match.group("rules") is not None:  # else it is prose
                        hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
                        said = f"`lockorder: {match.group('verb')}` means nothing: {hint}"
                        warnings.append(f"{place}: {said}")
                    continue
                named = _split(match.group("rules") or "")
                if not named:
                    form = f"lockorder: {match.group('verb')}[rule]"
                    warnings.append(f"{place}: which rule? it has to be named: {form}")
                    continue
                yield _Words(
                    verb, _known(named, rules, place, warnings), _reason(match), line, alone
                )
            for match in _NOLINT.finditer(text):
                named = [
                    name.removeprefix(_PREFIX)
                    for name in _split(match.group("rules"))
                    if name.startswith(_PREFIX)
                ]
                if named:
                    verb = _VERBS[match.group("verb")]
                    yield _Words(
                        verb, _known(named, rules, place, warnings), _reason(match), line, alone
                    )


def _split(names: str) -> list[str]:
    return [name.strip() for name in names.split(",") if name.strip()]


def _reason(match: re.Match[str]) -> str:
    return match.group("reason").strip().removesuffix("*/").strip(" \t\r:,-")


def _known(
    names: Iterable[str], rules: Collection[str], place: str, warnings: list[str]
) -> list[str]:
    found = []
    for name in dict.fromkeys(names):
        if name in rules:
            found.append(name)
            continue
        near = difflib.get_close_matches(name, sorted(rules), 1)
        hint = f"did you mean {near[0]}?" if near else "`lockorder explain` lists them"
        warnings.append(f"{place}: no rule is called {name!r}: {hint}")
    return found
