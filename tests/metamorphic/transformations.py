"""Ways to write a program differently that change nothing about its locks.

Each takes what clang says of the program and a source of chance, and gives the new files and new
names for old ones.  ``NotApplicableError`` where it would change nothing.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from clang.cindex import CursorKind

from metamorphic.pasting import without_pasted
from metamorphic.programs import (
    UNITS,
    Files,
    NotApplicableError,
    Piece,
    assemble,
    blanked,
    cut,
    is_guarded,
    names,
    renamed,
    whole,
)
from metamorphic.reading import KEYWORDS, Item, Reading, Scope, common_words


class Variant(NamedTuple):
    """The program written differently; ``old`` are old names by new ones, of files too.

    ``jobs`` processes read it, in this one without a number.
    """

    files: Files
    old: Mapping[str, str] = {}
    jobs: int = 0


Pieces = dict[str, list[Piece]]
Transformation = Callable[[Reading, random.Random], Variant]


# -- names ----------------------------------------------------------------------------------------


def longer(found: Reading, chance: random.Random) -> Variant:
    """All names longer than any person writes them."""
    return _rename(found, {n: f"{n}_that_was_given_more_letters" for n in _free(found)})


def shorter(found: Reading, chance: random.Random) -> Variant:
    """All names of two or three characters, in their alphabetical order."""
    own = _free(found)
    return _rename(found, dict(zip(own, _short(found, len(own)), strict=True)))


def reversed_names(found: Reading, chance: random.Random) -> Variant:
    """All names of one length, in the opposite of their alphabetical order."""
    own = _free(found)
    return _rename(found, dict(zip(reversed(own), _short(found, len(own)), strict=True)))


def permuted(found: Reading, chance: random.Random) -> Variant:
    """The names change places."""
    own = _free(found)
    return _rename(found, dict(zip(own, chance.sample(own, len(own)), strict=True)))


def _short(found: Reading, count: int) -> list[str]:
    """So many unused names, in alphabetical order."""
    taken = {n for text in found.texts.values() for n in names(text)}
    taken |= KEYWORDS | common_words() | found.foreign
    free = (
        f"{a}{b}{c}" for a in "qvxz" for b in "0123456789" for c in "abcdefghijklmnopqrstuvwxyz"
    )
    unused = [n for n in free if n not in taken]
    if count > len(unused):
        unused = [f"q{i:05}" for i in range(count)]
    return unused[:count]


def _rename(found: Reading, new: Mapping[str, str]) -> Variant:
    if all(n == m for n, m in new.items()):
        raise NotApplicableError("no names of its own")
    return Variant(assemble(_in_new_words(whole(found.texts), new)), {m: n for n, m in new.items()})


def _in_new_words(files: Mapping[str, Sequence[Piece]], new: Mapping[str, str]) -> Pieces:
    return {
        name: [Piece(renamed(p.text, new), p.file, p.line) for p in pieces]
        for name, pieces in files.items()
    }


def _free(found: Reading) -> list[str]:
    """Names that can be called something else: all own ones, but where parts are pasted."""
    return without_pasted(found.texts.values(), found.own)


# -- order ----------------------------------------------------------------------------------------


def functions_reversed(found: Reading, chance: random.Random) -> Variant:
    """Definitions of functions after everything else, the last first, and declarations before."""
    return Variant(assemble(_functions_last(found)))


def _functions_last(found: Reading) -> Pieces:
    moved = 0
    edits: dict[str, list[tuple[int, int, list[Piece]]]] = {}
    for scope in found.scopes:
        text = found.texts[scope.file]
        movable = [] if scope.of_class else [i for i in scope.items if _movable(i, text)]
        if not movable:
            continue
        moved += len(movable)
        changes = edits.setdefault(scope.file, [])
        for item in movable:
            changes.append((item.start, item.end, [Piece(declaration(item, text))]))
        ordered = reversed(movable)
        back = [p for i in ordered for p in (Piece("\n"), cut(text, i.file, i.start, i.end))]
        changes.append((scope.end, scope.end, [*back, Piece("\n")]))
    if not moved:
        raise NotApplicableError("no function can be moved")
    return _edited(found, edits)


def methods_reversed(found: Reading, chance: random.Random) -> Variant:
    """Functions that are defined in a class change places with those of the same access."""
    edits: dict[str, list[tuple[int, int, list[Piece]]]] = {}
    for scope in found.scopes:
        if not scope.of_class:
            continue
        text = found.texts[scope.file]
        usable = [i for i in scope.items if i.body and _plain(i, text)]
        for access in {i.access for i in usable}:
            slots = [i for i in usable if i.access is access]
            if len(slots) < 2:
                continue
            for slot, item in zip(slots, reversed(slots), strict=True):
                moved = cut(text, item.file, item.start, item.end)
                pieces = [Piece("\n"), moved, Piece("\n")]
                edits.setdefault(scope.file, []).append((slot.start, slot.end, pieces))
    if not edits:
        raise NotApplicableError("no class with two functions")
    return Variant(assemble(_edited(found, edits)))


def files_reversed(found: Reading, chance: random.Random) -> Variant:
    """Other names for all files, in the opposite of their alphabetical order."""
    files, old = _with_other_names(whole(found.texts))
    return Variant(assemble(files), old)


_INCLUDE = re.compile(r'(#[ \t]*include[ \t]*["<](?:[^">\n]*/)?)([^"/>\n]+)(?=[">])')


def _with_other_names(files: Pieces) -> tuple[Pieces, dict[str, str]]:
    """Files with other names, and the old name (without folders) of each."""
    last = [n.rpartition("/")[2] for n in files]
    if len(set(last)) < len(last):
        raise NotApplicableError("two files are called the same")
    new = {
        n: f"f{i:0{len(str(len(last)))}}{os.path.splitext(n)[1]}"
        for i, n in enumerate(sorted(last, reverse=True))
    }
    found: Pieces = {}
    for name, pieces in files.items():
        folder, slash, here = name.rpartition("/")
        found[folder + slash + new[here]] = [
            p._replace(text=_INCLUDE.sub(lambda m: m[1] + new.get(m[2], m[2]), p.text))
            for p in pieces
        ]
    return found, {n: o for o, n in new.items()}


def _plain(item: Item, text: str) -> bool:
    """Whether *item* is a function whose text is one piece, and nothing depends on its place."""
    inside = text[item.start : item.end]
    head = blanked(text[item.start : item.body])
    return (
        bool(inside)
        and inside[-1] == "}"
        and text[item.body] == "{"
        and not re.search(r"\b(?:auto|decltype|consteval|constexpr|friend)\b", head)
        and not re.match(r"\s*template\s*<(?:\s*>|[^{;]*[^=<>!]=[^=])", head)
        and re.search(r"^[ \t]*#", inside, re.MULTILINE) is None
        and _begins(text, item.start)
        and not _conditional(text, item.start)
    )


def _begins(text: str, start: int) -> bool:
    """Whether what stands at *start* has nothing before it that belongs to it."""
    before = re.sub(r"^[ \t]*#[^\n]*$", ";", blanked(text[:start]), flags=re.MULTILINE).rstrip()
    return not before or before[-1] in ";{}:"


def _conditional(text: str, start: int) -> bool:
    """Whether some preprocessor condition decides about what stands at *start*."""
    before = blanked(text[:start])
    opened = len(re.findall(r"^[ \t]*#[ \t]*if", before, re.MULTILINE))
    closed = len(re.findall(r"^[ \t]*#[ \t]*endif", before, re.MULTILINE))
    return opened - closed > is_guarded(before)


def _movable(item: Item, text: str) -> bool:
    if item.kind not in _MOVABLE or not item.body or item.defaults:
        return False
    rest = blanked(text)
    undefines = "#undef" in rest or re.search(r"#\s*pragma\s+(?!once)", rest) is not None
    return _plain(item, text) and not undefines


_MOVABLE = frozenset((
    CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION,
))  # fmt: skip


def declaration(item: Item, text: str) -> str:
    """A declaration of a function that is defined elsewhere; empty for what a class declares."""
    head = text[item.start : item.body]
    qualified = item.kind not in (CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE) or (
        re.search(rf"::\s*~?{re.escape(item.name)}\s*(?:<[^()]*>\s*)?\(", blanked(head))
    )
    return "" if qualified or item.name == "main" else " ".join(blanked(head).split()) + ";"


def _edited(
    found: Reading, edits: Mapping[str, Sequence[tuple[int, int, list[Piece]]]]
) -> dict[str, list[Piece]]:
    """The files with parts replaced; parts that lie in other replaced parts are an error."""
    files = whole(found.texts)
    for name, changes in edits.items():
        text, at, pieces = found.texts[name], 0, list[Piece]()
        for start, end, new in sorted(changes, key=lambda c: (c[0], c[1])):
            if start < at:
                raise NotApplicableError("parts overlap")
            pieces += [cut(text, name, at, start), *new]
            at = end
        files[name] = [*pieces, cut(text, name, at, len(text))]
    return files


# -- units ----------------------------------------------------------------------------------------


def split(found: Reading, chance: random.Random) -> Variant:
    """One unit becomes two that share a header; what others must not see stays in the first."""
    units = [n for n in found.texts if n.endswith(UNITS)]
    if len(units) != 1 or len(found.texts) != 1:
        raise NotApplicableError("more than one file")
    name = units[0]
    text = found.texts[name]
    scopes = [s for s in found.scopes if not s.of_class]
    if len(scopes) != 1 or re.search(
        r"^[ \t]*#[ \t]*(?!include|define|pragma once)\w+", blanked(text), re.MULTILINE
    ):
        raise NotApplicableError("namespaces or conditions")
    items = _whole_items(scopes[0].items, text)
    kept = _kept(items, text)
    moved = [i for i in items if id(i) not in kept and _function(i, text)]
    if not moved:
        raise NotApplicableError("no function can be moved")
    away = {id(i) for i in moved if chance.random() < 0.6} or {id(moved[-1])}
    header: list[Piece] = [Piece("#pragma once\n")]
    first: list[Piece] = [Piece('#include "shared_part.h"\n')]
    second: list[Piece] = [Piece('#include "shared_part.h"\n')]
    at = 0
    for item in items:
        header.append(cut(text, name, at, item.start))
        body = cut(text, name, item.start, item.end)
        at = item.end
        if _function(item, text) and id(item) not in kept:
            header.append(Piece(declaration(item, text)))
            (second if id(item) in away else first).extend((body, Piece("\n\n")))
        elif id(item) in kept or _variable(item, text):
            if id(item) not in kept:
                header.append(Piece(f"extern {text[item.start : item.declarator]}"))
            if text[at : at + 1] == ";":
                body, at = cut(text, name, item.start, at + 1), at + (id(item) in kept)
            first.extend((body, Piece("\n")))
        else:
            header.append(body)
    header.append(cut(text, name, at, len(text)))
    stem, ending = os.path.splitext(name)
    files = {
        "shared_part.h": header,
        f"{stem}{ending}": first,
        f"{chance.choice('az')}_other{ending}": second,
    }
    return Variant(assemble(files))


def _whole_items(items: Sequence[Item], text: str) -> list[Item]:
    """*items* with those made one that share text: declarators of one declaration, macros."""
    found: list[Item] = []
    for number, item in enumerate(items):
        if found and item.start < found[-1].end:
            last = found[-1]
            last.declares |= item.declares | {item.usr}
            last.uses |= item.uses
            last.shared = False
            last.kind = CursorKind.UNEXPOSED_DECL
            continue
        after = text[item.end :].lstrip()[:1]
        whole = text[item.end - 1] in "}>" or after == ";"
        copy = dataclasses.replace(item, declares={*item.declares}, uses={*item.uses})
        if not whole:
            later = [i.start for i in items[number + 1 :] if i.start > item.start]
            copy.end = min(later, default=len(text.rstrip()))
            copy.shared, copy.kind = False, CursorKind.UNEXPOSED_DECL
        found.append(copy)
    return found


def _kept(items: Sequence[Item], text: str) -> set[int]:
    """Items that must stay in the first unit: what it alone can see, and what refers to that."""
    kept = {id(i) for i in items if _internal(i, text)}
    hidden = {u for i in items if id(i) in kept for u in (i.usr, *i.declares)}
    while True:
        more = [i for i in items if id(i) not in kept and not hidden.isdisjoint(i.uses)]
        if not more:
            return kept
        kept.update(id(i) for i in more)
        hidden.update(u for i in more for u in (i.usr, *i.declares))


def _internal(item: Item, text: str) -> bool:
    if item.kind is CursorKind.VAR_DECL:
        everywhere = re.match(r"(?:inline\s+)?constexpr\b|inline\b|extern\b", text[item.start :])
        return everywhere is None and not _variable(item, text)
    return not item.shared


def _function(item: Item, text: str) -> bool:
    """Whether *item* is a function that one unit can define and all can call."""
    inline = re.search(r"\binline\b", blanked(text[item.start : item.body]))
    template = text[item.start :].startswith("template")
    return item.shared and not inline and not template and _movable(item, text)


def _variable(item: Item, text: str) -> bool:
    """Whether *item* is a variable that one unit can define and all can use."""
    inside = blanked(text[item.start : item.declarator])
    return (
        item.kind is CursorKind.VAR_DECL
        and item.shared
        and "::" not in inside.rpartition(item.name)[0][-3:]
        and not re.search(r"\b(?:auto|static|extern|const|constexpr|inline|template)\b", inside)
        and "lambda" not in item.result
        and "(unnamed" not in item.result
        and _begins(text, item.start)
        and text[item.end : item.end + 1] == ";"
        and "," not in re.sub(r"<[^;]*>", "", inside)
    )


def joined(found: Reading, chance: random.Random) -> Variant:
    """All units of a program in one, in any order."""
    units = [n for n in found.texts if n.endswith(UNITS)]
    if len(units) < 2 or len({os.path.splitext(u)[1] for u in units}) > 1:
        raise NotApplicableError("one unit")
    if any("/" in u for u in units) or any(_is_main(s, i) for s in found.scopes for i in s.items):
        raise NotApplicableError("a program for each unit")
    chance.shuffle(units)
    files = {n: p for n, p in whole(found.texts).items() if n not in units}
    pieces = [p for u in units for p in (Piece(found.texts[u], u, 1), Piece("\n"))]
    files[f"all_units{os.path.splitext(units[0])[1]}"] = pieces
    return Variant(assemble(files))


def _is_main(scope: Scope, item: Item) -> bool:
    return not scope.of_class and item.name == "main"


# -- company --------------------------------------------------------------------------------------

_FUNCTION = "int {0}_twice({0}_number value) {{ return value + value; }}\n"
_CLASS = """\
class {0}_store {{
 public:
  void add(int value) {{
    std::lock_guard<std::mutex> hold({0}_guard);
    {0}_sum += value;
  }}
  int sum() {{
    std::lock_guard<std::mutex> hold({0}_guard);
    return {0}_twice({0}_sum);
  }}

 private:
  std::mutex {0}_guard;
  int {0}_sum = 0;
}};
"""


def function_added(found: Reading, chance: random.Random) -> Variant:
    """A function more in each unit, in front or behind, that has nothing to do with any lock."""
    files = whole(found.texts)
    for number, name in enumerate(n for n in found.texts if n.endswith(UNITS)):
        prefix = f"{chance.choice(('aa', 'zz', 'Mm'))}{number}"
        new = f"typedef int {prefix}_number;\n" + _FUNCTION.format(prefix)
        before, after = [Piece(new)], [Piece("\n" + new)]
        files[name] = [*before, *files[name]] if chance.random() < 0.5 else [*files[name], *after]
    return Variant(assemble(files))


def class_added(found: Reading, chance: random.Random) -> Variant:
    """A class more in a unit, with a mutex of its own."""
    units = [n for n in found.texts if n.endswith(UNITS) and not n.endswith(".c")]
    if not units:
        raise NotApplicableError("no unit")
    name = chance.choice(units)
    files = whole(found.texts)
    files[name] = [*files[name], Piece(f"\n{_company(chance)}")]
    return Variant(assemble(files))


def file_added(found: Reading, chance: random.Random) -> Variant:
    """A unit more, with a class that has a mutex."""
    return Variant(assemble(_with_company(whole(found.texts), chance)))


def _with_company(files: Pieces, chance: random.Random) -> Pieces:
    return {**files, f"{chance.choice('aMz')}_company.cpp": [Piece(_company(chance))]}


def _company(chance: random.Random) -> str:
    prefix = chance.choice(("aaa", "zzz", "Mmm"))
    number = f"typedef int {prefix}_number;\n"
    return f"#include <mutex>\n{number}{_FUNCTION.format(prefix)}{_CLASS.format(prefix)}"


# -- all of it ------------------------------------------------------------------------------------


def at_once(found: Reading, chance: random.Random) -> Variant:
    """Functions reversed, a unit more, names and names of files in their opposite order."""
    files = whole(found.texts)
    with contextlib.suppress(NotApplicableError):
        files = _functions_last(found)
    own = _free(found)
    new = dict(zip(reversed(own), _short(found, len(own)), strict=True))
    files, old = _with_company(_in_new_words(files, new), chance), dict[str, str]()
    with contextlib.suppress(NotApplicableError):
        files, old = _with_other_names(files)
    return Variant(assemble(files), {**{m: n for n, m in new.items()}, **old})


# -- workers --------------------------------------------------------------------------------------


def one_worker(found: Reading, chance: random.Random) -> Variant:
    """The same text, read by one other process."""
    return Variant(assemble(whole(found.texts)), jobs=1)


def two_workers(found: Reading, chance: random.Random) -> Variant:
    """The same text, read by two other processes."""
    return Variant(assemble(whole(found.texts)), jobs=2)


#: Those that leave the lines of each file, and the names of files, in their order: what stands for
#: several places that are equally good must be the same one afterwards.
IN_ORDER = frozenset((
    "longer", "shorter", "reversed-names", "permuted-names", "function-added", "class-added",
    "file-added", "one-worker", "two-workers",
))  # fmt: skip
#: Cheap ones, for each program; those that start processes, for few.
EVERYWHERE: dict[str, Transformation] = {
    "longer": longer,
    "shorter": shorter,
    "reversed-names": reversed_names,
    "permuted-names": permuted,
    "functions-reversed": functions_reversed,
    "methods-reversed": methods_reversed,
    "files-reversed": files_reversed,
    "split": split,
    "joined": joined,
    "function-added": function_added,
    "class-added": class_added,
    "file-added": file_added,
    "at-once": at_once,
}
WITH_WORKERS: dict[str, Transformation] = {"one-worker": one_worker, "two-workers": two_workers}
ALL = {**EVERYWHERE, **WITH_WORKERS}
