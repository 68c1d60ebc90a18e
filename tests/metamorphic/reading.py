"""What libclang says of a program: which names are its own, and what stands at namespace scope."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import re
from collections.abc import Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from clang.cindex import AccessSpecifier, Cursor, CursorKind, LinkageKind

from lockorder.static.discovery.sources import discover, host_code
from lockorder.static.driver import unit_cache
from lockorder.static.driver.options import Options
from lockorder.static.driver.planning import make_plan
from lockorder.static.parse import clang, headers
from lockorder.static.parse.unit import Job
from metamorphic.directed import words_for_compilers
from metamorphic.programs import ENCODING, blanked, folder_of, last_place, names

FUNCTIONS = frozenset((
    CursorKind.FUNCTION_DECL, CursorKind.FUNCTION_TEMPLATE, CursorKind.CXX_METHOD,
    CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR, CursorKind.CONVERSION_FUNCTION,
))  # fmt: skip
CLASSES = frozenset((
    CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE,
))  # fmt: skip
_ENCLOSING = frozenset((
    CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL, CursorKind.ENUM_DECL,
    *CLASSES,
))  # fmt: skip
_SHARED = frozenset((LinkageKind.EXTERNAL, LinkageKind.NO_LINKAGE, LinkageKind.INVALID))
_INVALID = re.compile(r"[^\w~]")
_BOUNDS = re.compile(r"(?:\s*\[[^\]]*\])+")

_KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t
char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr
constinit continue decltype default delete do double dynamic_cast else enum explicit export extern
false final float for friend goto if import inline int long module mutable namespace new noexcept
not not_eq nullptr operator or or_eq override private protected public register reinterpret_cast
requires return short signed sizeof static static_assert static_cast struct switch template this
thread_local throw true try typedef typeid typename union unsigned using virtual void volatile
wchar_t while xor xor_eq main defined
"""
KEYWORDS = frozenset(_KEYWORDS.split())


@dataclasses.dataclass(slots=True)
class Item:
    """Something at namespace scope, or a function in a class: *start* to *end* in *file*.

    *body* is where the body of a function starts, 0 for anything else.  *usr* names it, *declares*
    are names declared inside, *uses* those that it refers to.
    """

    file: str
    start: int
    end: int
    kind: CursorKind
    name: str
    usr: str
    body: int = 0
    #: seen by other units
    shared: bool = True
    #: a variable: where its name and the bounds of an array end, and an initialiser may start
    declarator: int = 0
    access: AccessSpecifier | None = None
    result: str = ""
    defaults: bool = False
    declares: set[str] = dataclasses.field(default_factory=set)
    uses: set[str] = dataclasses.field(default_factory=set)


@dataclasses.dataclass(slots=True)
class Scope:
    """A file, or the body of a namespace or class in it, with what stands there in order.

    *end* is where the last thing in it may be put.
    """

    file: str
    end: int
    items: list[Item]
    of_class: bool = False


@dataclasses.dataclass
class Reading:
    """One program as clang sees it."""

    texts: Mapping[str, str]
    declared: set[str] = dataclasses.field(default_factory=set)
    #: names that others declare or define as macros, whether the program refers to them or not: a
    #: unit may have them of a header that another unit, which declares them for itself, leaves out
    foreign: set[str] = dataclasses.field(default_factory=set)
    #: names that macros put together: where they are declared, they are not written
    pasted: set[str] = dataclasses.field(default_factory=set)
    scopes: list[Scope] = dataclasses.field(default_factory=list)

    @functools.cached_property
    def own(self) -> list[str]:
        """Names that are the program's alone, sorted: all of them can be called something else."""
        known = KEYWORDS | common_words() | self.foreign | self.pasted
        known |= {n for text in self.texts.values() for n in words_for_compilers(text)}
        known |= {n for n in self.declared if any(_is_part(n, whole) for whole in self.pasted)}
        written = {n for text in self.texts.values() for n in names(text)}
        return sorted(n for n in self.declared & written - known if not n.startswith("__"))


def _is_part(name: str, whole: str) -> bool:
    """Whether a macro can have put *whole* together from *name*."""
    return whole != name and (whole.startswith(name) or whole.endswith(name))


# What the knowledge says to people, in whose words a program's names mean nothing.
FOR_PEOPLE = re.compile(r'\b(?:what|why) = "[^"\n]*"')


@functools.cache
def common_words() -> frozenset[str]:
    """Names that the built-in knowledge or the standard library gives a meaning.

    Of the library only what is called or is a class, by more than a letter: its parameters' names
    mean nothing.
    """
    found: set[str] = set()
    for path in Path(str(resources.files("lockorder.knowledge"))).glob("*.toml"):
        for text in re.findall(r'"([^"\n]*)"', FOR_PEOPLE.sub("", path.read_text())):
            found.update(re.findall(r"[A-Za-z_]\w*", text))
    called = re.compile(r"([A-Za-z_]\w*)\s*[(<]|(?:class|struct|namespace|using)\s+([A-Za-z_]\w*)")
    for path in headers.FALLBACK.rglob("*"):
        if path.is_file():
            text = blanked(path.read_text(encoding=ENCODING))
            found.update(n for pair in called.findall(text) for n in pair if len(n) > 1)
    return frozenset(found)


def read_program(folder: Path, texts: Mapping[str, str], structure: bool = True) -> Reading:
    """What clang says of the program in *folder*; without *structure* only its names."""
    found = Reading(texts)
    seen: set[tuple[str, int, str]] = set()
    for unit in _units(folder):
        _Look(found, folder, seen, structure).unit(unit)
    for scope in found.scopes:
        scope.items.sort(key=lambda i: (i.start, -i.end))
    return found


class Error(NamedTuple):
    """What clang does not accept; told once, however many units include the place."""

    file: str
    line: int
    offset: int
    text: str


@contextlib.contextmanager
def noted_errors() -> Iterator[set[Error]]:
    """The errors that clang finds in all that is parsed or precompiled meanwhile in this process.

    Of a unit those when it is first parsed: what is unknown is made up for a second time.
    """
    found: set[Error] = set()
    units: set[str] = set()
    parse, precompile = clang.parse, clang.precompile

    def noting(file: Path, *arguments: Any, **named: Any) -> clang.Unit:
        unit = parse(file, *arguments, **named)
        if str(file) not in units:
            units.add(str(file))
            found.update(Error(*e) for e in unit.errors)
        return unit

    def noting_prefix(*arguments: Any, **named: Any) -> clang.Unit | None:
        unit = precompile(*arguments, **named)
        found.update(Error(*e) for e in (unit.errors if unit is not None else ()))
        return unit

    clang.parse, clang.precompile = noting, noting_prefix
    try:
        yield found
    finally:
        clang.parse, clang.precompile = parse, precompile


def _units(folder: Path) -> Iterator[clang.Unit]:
    """Each unit as an analysis of *folder* has it parsed, but without precompiled headers.

    What these declare would not be seen.
    """
    files, _ = discover([folder])
    with unit_cache.opened() as cache:
        plan = make_plan(folder, [str(f) for f in files], Options(inline=True, root=folder), cache)
        for job in plan.jobs:
            if not job.loaded:
                yield _parsed(job)


def _parsed(job: Job) -> clang.Unit:
    replaced = {p: host_code(Path(p).read_bytes()).decode(errors="replace") for p in job.rewritten}
    return clang.parse(Path(job.main), job.flags, replaced)


class _Look:
    def __init__(
        self, found: Reading, folder: Path, seen: set[tuple[str, int, str]], structure: bool
    ) -> None:
        self.found = found
        self.folder = folder
        self.seen = seen
        self.structure = structure
        self._inside: dict[str, str] = {}

    def unit(self, unit: clang.Unit) -> None:
        tops: dict[str, Scope] = {}
        for cursor in clang.children(unit.cursor):
            file = self.file_of(cursor)
            if not file:
                self.of_others(cursor)
            if file and file not in tops:
                tops[file] = Scope(file, last_place(self.found.texts[file]), [])
            if file and cursor.kind.is_declaration():
                self.member(cursor, file, tops[file])
        self.found.scopes += [s for s in tops.values() if s.items]

    def file_of(self, cursor: Cursor) -> str:
        """The program's file that a cursor stands in; empty where it is not the program's."""
        name = clang.file_offset(cursor)[0]
        known = self._inside.get(name)
        if known is None:
            inside = folder_of(Path(name), self.folder) if name else ""
            known = self._inside[name] = inside if inside in self.found.texts else ""
        return known

    def of_others(self, cursor: Cursor) -> None:
        """Note what the headers of others declare or define for all who include them."""
        stack = [cursor]
        while stack:
            here = stack.pop()
            file, at, *_ = clang.file_offset(here)
            key = (file, at, "")
            if file and key in self.seen:
                continue
            self.seen.add(key)
            self.found.foreign.update(names(here.spelling))
            if here.kind in CLASSES:
                stack += [c for c in clang.children(here) if c.is_virtual_method()]
            elif here.kind in _ENCLOSING:
                stack += clang.children(here)

    def member(self, cursor: Cursor, file: str, scope: Scope) -> None:
        """Note a declaration at namespace scope or in a class."""
        start, end = clang.extent_offsets(cursor)
        key = (file, start, cursor.get_usr())
        new = key not in self.seen
        self.seen.add(key)
        kind = cursor.kind
        if not new and kind is not CursorKind.NAMESPACE:
            return  # a header of many units: the first has said it all
        if not self.structure:
            self.inside(cursor, None)
            return
        item = Item(file, start, end, kind, cursor.spelling, cursor.get_usr())
        if kind is CursorKind.NAMESPACE:
            inner = Scope(file, end - 1, [])
            self.note(cursor, item)
            for child in clang.children(cursor):
                if self.file_of(child) == file:
                    self.member(child, file, inner)
            if inner.items and new:
                self.found.scopes.append(inner)
            item.shared = all(i.shared for i in inner.items)
        else:
            self.inside(cursor, item)
            self.complete(cursor, item)
            if kind in CLASSES and cursor.is_definition():
                self.methods(cursor, file, end)
        if new:
            scope.items.append(item)

    def methods(self, cursor: Cursor, file: str, end: int) -> None:
        inner = Scope(file, end - 1, [], True)
        for child in clang.children(cursor):
            if child.kind in FUNCTIONS and self.file_of(child) == file:
                item = Item(
                    file, *clang.extent_offsets(child), child.kind, child.spelling, child.get_usr()
                )
                item.access = child.access_specifier
                self.complete(child, item)
                inner.items.append(item)
        if inner.items:
            self.found.scopes.append(inner)

    def complete(self, cursor: Cursor, item: Item) -> None:
        item.shared = cursor.linkage in _SHARED
        if item.kind in FUNCTIONS:
            item.result = cursor.result_type.spelling
            for child in clang.children(cursor):
                if child.kind is CursorKind.COMPOUND_STMT:
                    item.body = clang.extent_offsets(child)[0]
                elif child.kind is CursorKind.PARM_DECL:
                    start, end = clang.extent_offsets(child)
                    item.defaults |= "=" in blanked(self.found.texts[item.file][start:end])
        elif item.kind is CursorKind.VAR_DECL:
            item.result = cursor.type.spelling
            after = clang.file_offset(cursor)[1] + len(item.name)
            bounds = _BOUNDS.match(self.found.texts[item.file], after)
            item.declarator = bounds.end() if bounds else after

    def inside(self, cursor: Cursor, item: Item | None) -> None:
        """Note all names in the tree below *cursor*."""
        stack = [cursor]
        while stack:
            here = stack.pop()
            self.note(here, item)
            stack += clang.children(here)

    def _is_written(self, cursor: Cursor, name: str) -> bool:
        """Whether a name stands where it is declared, and is not put together by a macro there."""
        file, at = self.file_of(cursor), clang.file_offset(cursor)[1]
        text = self.found.texts.get(file, "")
        return not text or name in text[at : at + len(name) + 1]

    def note(self, cursor: Cursor, item: Item | None) -> None:
        kind = cursor.kind
        if kind.is_declaration():
            name = cursor.spelling.partition("<")[0].lstrip("~")
            if name and not _INVALID.search(name):
                self.found.declared.add(name)
                if not self._is_written(cursor, name):
                    self.found.pasted.add(name)
            if item is not None:
                item.declares.add(cursor.get_usr())
        elif not (kind.is_reference() or kind.is_expression() or kind.is_attribute()):
            return
        referenced = cursor.referenced
        if referenced is None or referenced == cursor:
            return
        if self.file_of(referenced):
            if item is not None:
                item.uses.add(clang.pattern_of(referenced).get_usr())
                item.uses.add(referenced.get_usr())
        elif referenced.spelling:
            self.found.foreign.update(names(referenced.spelling))


def all_items(found: Reading) -> Iterator[tuple[Scope, Item]]:
    """Every item with its scope."""
    for scope in found.scopes:
        for item in scope.items:
            yield scope, item
