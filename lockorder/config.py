"""The configuration: ``[tool.lockorder]`` of a pyproject.toml, or a lockorder.toml.

The nearest file upwards from what is analysed counts, and only that one; in one folder a
lockorder.toml comes before a pyproject.toml, and a pyproject.toml without the table is passed over.
The tables about locks are those of lockorder/knowledge, field for field.
"""

from __future__ import annotations

import difflib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import inspect

from lockorder.config_table import PathTable, Table
from lockorder.declared import Declaration, Orders, describe, in_sequence
from lockorder.footprint import COMMUNICATORS, Budget
from lockorder.globs import GlobError, Globs
from lockorder.knowledge import Knowledge, KnowledgeFile, builtin, extended
from lockorder.knowledge.rank_schema import RankFile
from lockorder.model import Level
from lockorder.static.discovery import named_files
from lockorder.static.driver.options import Options

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same library under its older name
    import tomli as tomllib

OWN, SHARED = "lockorder.toml", "pyproject.toml"
_TOML_PLACE = re.compile(r"(.*) \(at line (\d+), column (\d+)\)$", re.S)
_MSGSPEC_PLACE = re.compile(r"(.*?)(?: - at `\$\.?(.*)`)?$", re.S)
#: One item of a TOML list of strings: a comment, a bracket, or a string in any quotes.
_ITEM = re.compile(
    r"#[^\n]*|(?P<open>\[)|(?P<close>\])|\"\"\"(?:\\.|[^\\])*?\"\"\"|'''.*?'''|"
    r"\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'",
    re.S,
)
_LEVEL = re.compile(r"path\[(\d+)\]\.level\[\.\.\.\]")
#: Words in the place of a named lock: none, or one that the call itself tells.
_NO_NAMES = frozenset(("", "this", "all"))
_ORDER = re.compile(r"^[ \t]*(?:[\w. \t]*\.[ \t]*)?[\"']?order[\"']?[ \t]*=[ \t]*", re.M)


class ConfigError(ValueError):
    """A configuration that cannot be used: the text names the file, the place and the reason."""


class Config(msgspec.Struct, frozen=True):
    """A configuration; *file* is empty where there is none.

    ``orders`` are by the names that the file gives.
    """

    file: str = ""
    orders: tuple[Declaration, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    path: tuple[PathTable, ...] = ()
    declarations: KnowledgeFile = KnowledgeFile()
    footprint_limit_mib: int = 0
    footprint_communicators: int = COMMUNICATORS
    baseline: str = ""
    ranks: RankFile = RankFile()

    @property
    def baseline_path(self) -> Path | None:
        """The baseline that counts where the command line names none."""
        if not self.baseline:
            return None
        return self.folder / self.baseline

    @property
    def folder(self) -> Path:
        """The folder that patterns are relative to."""
        return Path(os.path.abspath(self.file)).parent if self.file else Path.cwd()

    @property
    def declared_types(self) -> tuple[str, ...]:
        """Types of locks and guards that the project declares, sorted."""
        locks = {name for table in self.declarations.lock for name in table.types}
        guards = {name for table in self.declarations.guard for name in table.types}
        return tuple(sorted(locks | guards))

    def options(
        self, database: Path | None = None, jobs: int = 0, cache: bool = True, dask: str = ""
    ) -> Options:
        """What a check of the project's sources can choose, as this configuration has it."""
        guards = {name for table in self.declarations.guard for name in table.types}
        functions = (t for t in self.declarations.function if t.acquires is not None)
        takers = {name for table in functions for name in table.names}
        return Options(
            database, jobs, cache=cache, dask=dask, excluded=self.excluded,
            wanted=self.declared_types, guards=tuple(sorted(guards)), takers=tuple(sorted(takers)),
        )  # fmt: skip

    @property
    def excluded(self) -> Globs:
        """Files that are not to be analysed."""
        return Globs(self.folder, self.exclude)

    @property
    def budget(self) -> Budget:
        """What communicators may cost."""
        return Budget(
            self.footprint_limit_mib, self.footprint_communicators, self.knowledge().settings
        )

    def orders_seen_from(self, root: Path) -> tuple[Declaration, ...]:
        """The declared orders, their file named relative to *root* where it lies below it."""
        full = Path(os.path.abspath(self.file))
        name = str(full.relative_to(root) if full.is_relative_to(root) else full)
        return tuple(msgspec.structs.replace(d, file=name) for d in self.orders)

    def knowledge(self) -> Knowledge:
        """What is known about locks, the user's declarations included."""
        if self.declarations == KnowledgeFile():
            return builtin()
        return extended(self.declarations)


def find(start: Path) -> Config:
    """The configuration for what lies at *start*; an empty one where no file has any.

    Raises ConfigError for a file that cannot be used.
    """
    here = Path(os.path.abspath(start))
    for folder in (here, *here.parents) if here.is_dir() else here.parents:
        for name in (OWN, SHARED):
            file = folder / name
            # Both are False where it may not be looked at; what is called like ours is meant to be.
            if os.path.isfile(file) or (name == OWN and os.path.lexists(file)):
                table = _read(file, name == SHARED)
                if table is not None:
                    return _convert(file, *table)
    return Config()


def load(file: Path) -> Config:
    """The configuration in *file*; of a pyproject.toml its table, of any other all of it.

    Raises ConfigError, for a pyproject.toml without the table too.
    """
    table = _read(file, file.name == SHARED)
    if table is None:
        raise ConfigError(f"{_shown(file)}: no [tool.lockorder] table")
    return _convert(file, *table)


def _read(file: Path, shared: bool) -> tuple[object, str] | None:
    """The table and the whole text; None for a pyproject.toml that has no such table."""
    shown = _shown(file)
    try:
        text = named_files.read(file).decode()
    except OSError as error:
        raise ConfigError(f"{shown}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{shown}: not UTF-8, and so not TOML") from None
    if shared and "lockorder" not in text:
        return None  # not ours, and whatever is wrong with it is not ours to say
    if text.startswith("\ufeff"):
        raise ConfigError(f"{shown}: starts with a byte order mark, which TOML does not have")
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        match = _TOML_PLACE.match(str(error))
        if match is None:
            raise ConfigError(f"{shown}:{text.count(chr(10)) + 1}: {error}") from None
        raise ConfigError(f"{shown}:{match.group(2)}:{match.group(3)}: {match.group(1)}") from None
    except ValueError as error:  # a number of too many digits
        raise ConfigError(f"{shown}: {error}") from None
    except RecursionError:
        raise ConfigError(f"{shown}: nested too deeply") from None
    if not shared:
        return whole, text
    tools = whole.get("tool")
    if not isinstance(tools, dict) or "lockorder" not in tools:
        return None
    return tools["lockorder"], text


def _convert(file: Path, table: object, text: str) -> Config:
    shown = _shown(file)
    prefix = "tool.lockorder" if file.name == SHARED else ""
    for place, key, known in _unknown(table, inspect.type_info(Table), ""):
        near = difflib.get_close_matches(key, known, 1)
        hint = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(known)}"
        raise ConfigError(f"{shown}: unknown key {_dotted(prefix, place, key)!r}: {hint}")
    large = _too_large(table, prefix)
    if large:
        raise ConfigError(f"{shown}: {large}: out of range: TOML's integers have 64 bits")
    try:
        found = msgspec.convert(table, Table)
    except msgspec.ValidationError as error:
        match = _MSGSPEC_PLACE.match(str(error))
        reason, place = match.groups() if match is not None else (str(error), "")
        place = _level_at(table, place or "")
        raise ConfigError(f"{shown}: {_dotted(prefix, place)}: {reason}") from None
    orders = _orders(found.order, shown, text, file.name == SHARED)
    _check_named(found, f"{shown}: {prefix}." if prefix else f"{shown}: ")
    _check_patterns(found, f"{shown}: {prefix}." if prefix else f"{shown}: ")
    declarations = KnowledgeFile(
        **{name: getattr(found, name) for name in KnowledgeFile.__struct_fields__}
    )
    return Config(
        shown, tuple(orders), found.select, found.ignore, found.exclude, found.path, declarations,
        found.footprint_limit_mib or 0, found.footprint_communicators, found.baseline, found.ranks,
    )  # fmt: skip


def _level_at(table: object, place: str) -> str:
    """*place* with the rule whose level is wrong: msgspec writes ``[...]`` for a dict's keys."""
    number = _LEVEL.fullmatch(place)
    if number is None or not isinstance(table, dict):
        return place
    known = [level.value for level in Level]
    levels = table["path"][int(number.group(1))]["level"]
    wrong = next(rule for rule, level in levels.items() if level not in known)
    return place.replace("[...]", f".{wrong}")


def _check_named(table: Table, place: str) -> None:
    """Raises ConfigError for the name of a lock that no ``[[named]]`` declares."""
    used: list[tuple[str, object]] = []
    for i, function in enumerate(table.function):
        for key in ("acquires", "releases", "yields", "checks"):
            used.append((f"function[{i}].{key}", getattr(function, key)))
    used += [(f"guard[{i}].of", guard.of) for i, guard in enumerate(table.guard)]
    used += [(f"entry[{i}].holds", entry.holds) for i, entry in enumerate(table.entry)]
    used += [(f"callback[{i}].holds", each.holds) for i, each in enumerate(table.callback)]
    names = [(key, name) for key, name in used if isinstance(name, str) and name not in _NO_NAMES]
    if not names:
        return
    known = [*builtin().named, *(named.name for named in table.named)]
    for key, name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1, 0.4)
            hint = f"did you mean {near[0]!r}, or is" if near else "is"
            raise ConfigError(
                f"{place}{key}: no lock is named {name!r}: {hint} a [[named]] table missing?"
            )


def _check_patterns(table: Table, place: str) -> None:
    """Raises ConfigError for a pattern that no file can match."""
    lists = {"exclude": table.exclude}
    lists.update({f"path[{i}].match": each.match for i, each in enumerate(table.path)})
    for key, patterns in lists.items():
        try:
            Globs(Path(), patterns)
        except GlobError as error:
            raise ConfigError(f"{place}{key}: {error}") from None


def _dotted(*parts: str) -> str:
    return ".".join(p for p in parts if p) or "the table"


def _unknown(value: object, kind: inspect.Type, place: str) -> Iterator[tuple[str, str, list[str]]]:
    """Keys of *value* that a struct somewhere in *kind* does not have: place, key, known keys."""
    if isinstance(kind, inspect.StructType) and isinstance(value, Mapping):
        fields = {x.encode_name: x.type for x in kind.fields}
        for key, inner in value.items():
            if key not in fields:
                yield place, key, sorted(fields)
            else:
                yield from _unknown(inner, fields[key], _dotted(place, key))
    elif isinstance(kind, inspect.ListType | inspect.VarTupleType) and isinstance(value, list):
        for number, inner in enumerate(value):
            yield from _unknown(inner, kind.item_type, f"{place}[{number}]")
    elif isinstance(kind, inspect.DictType) and isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _unknown(inner, kind.value_type, _dotted(place, key))
    elif isinstance(kind, inspect.UnionType):
        for each in kind.types:
            yield from _unknown(value, each, place)


def _too_large(value: object, place: str) -> str:
    """Where a number is that TOML's readers take here, but not elsewhere; empty for nowhere."""
    if isinstance(value, int):
        return "" if -(2**63) <= value < 2**63 else place
    inner: Iterable[tuple[str, object]] = ()
    if isinstance(value, Mapping):
        inner = ((_dotted(place, key), each) for key, each in value.items())
    elif isinstance(value, list):
        inner = ((f"{place}[{number}]", each) for number, each in enumerate(value))
    return next(filter(None, (_too_large(each, at) for at, each in inner)), "")


# -- orders ---------------------------------------------------------------------------------------


def _orders(
    order: Sequence[str | tuple[str, ...]], shown: str, text: str, shared: bool
) -> list[Declaration]:
    """The declared orders with the lines of their names; raises ConfigError for useless ones."""
    place = "tool.lockorder.order" if shared else "order"
    lists = [x for x in order if isinstance(x, tuple)]
    names = [x for x in order if isinstance(x, str)]
    if lists and names:
        raise ConfigError(f"{shown}: {place}: names, or lists of names, but not both")
    lines = iter(_lines(text, shared))
    found: list[Declaration] = []
    for each in lists or ([tuple(names)] if names else []):
        if len(each) < 2:
            raise ConfigError(f"{shown}: {place}: an order is of two locks or more: {list(each)}")
        if not all(each):
            raise ConfigError(f"{shown}: {place}: an empty name")
        found += in_sequence([(name, next(lines, 0)) for name in each], shown)
    for circle in Orders(found).contradictions():
        raise ConfigError(describe(circle))
    return found


def _lines(text: str, shared: bool) -> list[int]:
    """The line of each name of ``order``, in order: TOML readers do not keep them."""
    start = 0
    if shared:
        table = re.search(r"^[ \t]*\[[ \t]*tool[ \t]*\.[ \t]*[\"']?lockorder", text, re.M)
        start = table.end() if table is not None else 0
    order = _ORDER.search(text, start)
    if order is None:
        return []
    found: list[int] = []
    depth, at = 0, order.end()
    while (item := _ITEM.search(text, at)) is not None:
        at = item.end()
        if item.group("open"):
            depth += 1
        elif item.group("close"):
            depth -= 1
            if depth <= 0:
                break
        elif not item.group(0).startswith("#"):
            found.append(text.count("\n", 0, item.start()) + 1)
    return found


def _shown(file: Path) -> str:
    """*file* as a reader in the current folder would name it."""
    full = Path(os.path.abspath(file))
    here = Path.cwd()
    return str(full.relative_to(here) if full.is_relative_to(here) else full)
