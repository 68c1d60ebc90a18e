"""One translation unit, start to end: bytes and flags in, facts and counts out.  Pure."""

from __future__ import annotations

import ctypes
import functools
import os
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import msgspec

from lockorder import mistakes
from lockorder.static.discovery import sources
from lockorder.static.discovery.annotations import Macro as Said
from lockorder.static.discovery.annotations import agreed, without
from lockorder.static.parse import clang
from lockorder.static.parse.declarations import Facts, FileFacts
from lockorder.static.parse.extract import Extractor
from lockorder.static.parse.recovery.conditions import switched_off
from lockorder.static.parse.recovery.macros import Macro, defined, expanded, included, of_flags
from lockorder.static.parse.recovery.spellings import has_other_names
from lockorder.static.parse.recovery.synthesis import Prelude
from lockorder.static.parse.recovery.tree import Syntax

#: Where declarations that are made up are said to be: equal for every run.
_ASSUMED = "/lockorder/assumed.h"
#: Pointers to members, used on an object.
_AT_MEMBER = re.compile(rb"->\*|(?<=[\w)\]])\.\*(?=\w)")
_UNUSABLE = re.compile(r"PCH|precompiled|AST file|module file")
_QUALIFIED = re.compile(rb"[A-Za-z_]\w*(?:\s*::\s*[A-Za-z_]\w*)*")
#: How a file was read of which libclang saw nothing.
SYNTAX_ALONE = "by its syntax alone"
#: How it was read where libclang gave declarations only.
DECLARATIONS = "function bodies by their syntax alone"


class Job(msgspec.Struct, frozen=True):
    """What a worker needs to read one unit.

    ``own`` are the files whose declarations this unit is to read; ``precompiled`` the path of a
    precompiled header to put before it (or empty).  With ``loaded`` the unit is that precompiled
    header itself, and ``missing`` and ``errors`` are what clang said when it was made.
    """

    main: str
    own: tuple[str, ...]
    flags: tuple[str, ...]
    header: bool
    cxx: bool
    precompiled: str = ""
    macros: tuple[str, ...] = ()
    rewritten: tuple[str, ...] = ()
    loaded: str = ""
    missing: tuple[tuple[str, str], ...] = ()
    errors: tuple[tuple[str, int], ...] = ()
    #: names of types that matter even where no header declares them, without what is before ::
    wanted: tuple[str, ...] = ()
    #: names of types whose objects take locks, and of functions that do
    guards: tuple[str, ...] = ()
    takers: tuple[str, ...] = ()
    #: headers that clang must not open, for it would read them for ever: empty ones in their place
    blank: tuple[str, ...] = ()
    #: folders of headers that are the compiler's, or come with this package
    bundled: tuple[str, ...] = ()
    #: headers that libclang crashes in: empty ones in their place, their text read by its syntax
    crashing: tuple[str, ...] = ()
    #: without it clang reads declarations only, and function bodies are read by their syntax
    bodies: bool = True
    #: without it all is read by its syntax alone
    clang: bool = True
    #: macros of the project's own that stand for thread-safety attributes
    said: tuple[Said, ...] = ()
    #: macros of the precompiled header that ask for the header that they are given
    askers: tuple[str, ...] = ()
    #: how this differs from what was planned, for people; empty where it does not
    reading: str = ""


class Reading(msgspec.Struct):
    """Facts of one unit, and what they were made from.

    ``files`` were included, beyond those of the precompiled header; ``missing`` are names that
    clang looked for in vain, with the file that asked.  Without ``planned`` the precompiled header
    was of no use and the unit was read without.  With ``crashed`` nothing was read.
    """

    facts: Facts
    files: list[str] = []
    missing: list[tuple[str, str]] = []
    planned: bool = True
    crashed: bool = False


def read_unit(job: Job) -> Reading:
    """Read one unit; what goes wrong is in ``crashed`` or in ``problem`` of the facts, never an
    exception.

    A second parse, with declarations made up for names that nothing declares, is made where
    clang lost calls in the first, or took a type that is wanted for an int.
    """
    reading = Reading(Facts(job.main, [], [], [], [], []))
    try:
        reading.facts = _read(job, reading)
    except clang.RefusedFlagsError as error:
        alone = msgspec.structs.replace(job, precompiled="", loaded="", clang=False)
        reading.facts = _read(msgspec.structs.replace(alone, reading=SYNTAX_ALONE), reading)
        reading.facts.problem = f"{error}: it was read {SYNTAX_ALONE}"
    except clang.ClangError as error:
        reading.crashed = True
        reading.facts.problem = str(error)
    except sources.SourceError as error:
        reading.facts.problem = str(error)
    except (RecursionError, ctypes.ArgumentError):
        # ctypes wraps an error inside a callback's argument conversion, a recursion too.
        reading.facts = too_deep(job.main)
    return reading


def too_deep(main: str) -> Facts:
    """The result for a unit whose code is nested beyond what can be walked."""
    return Facts(main, [], [], [], [], [], f"{main}: nested too deeply to be read")


def unreadable(main: str, error: Exception) -> Facts:
    """The result for a unit in which lockorder made a mistake."""
    return Facts(main, [], [], [], [], [], f"{main}: could not be read {mistakes.told(error)}")


def _read(job: Job, reading: Reading) -> Facts:
    texts = {p: sources.host_code(sources.read(p)) for p in job.own}
    replaced = {
        p: texts[p].decode(errors="replace") if p in texts else sources.readable_host_code(p)
        for p in job.rewritten
    }
    replaced.update(dict.fromkeys((*job.blank, *job.crashing), ""))
    if job.main in job.crashing:  # what it includes can be read all the same
        replaced[job.main] = sources.directives(texts[job.main]).decode(errors="replace")
    others: list[str] = []
    alone = [p for p in job.own if p in job.crashing or not (job.clang and job.bodies)]
    if alone:
        others = included(alone, job.flags, job.bundled[:-1])  # what is shipped tells macros
        texts.update(_without_macros({p: texts[p] for p in alone}, others, job.flags))
    syntax = {p: Syntax(without(t), t) for p, t in texts.items()}
    macros = frozenset(job.macros)
    more = [_other(t) for p in others if p not in syntax and _is_of_use(t := _readable(p))]
    if not job.clang:
        return _extract(job, None, syntax, macros, more)
    if job.loaded:
        unit = _load(job, reading)
        unit.missing_headers = list(job.missing)
        unit.errors = [(file, 0, 0, "") for file, count in job.errors for _ in range(count)]
        return _extract(job, unit, syntax, macros, more)
    unit = _parse(job, replaced, (), reading)
    found = _extract(job, unit, syntax, macros, more)
    prelude = Prelude(unit, syntax, job.own, job.cxx)
    if prelude.standard:
        # First what is missing of the standard libraries: most other errors follow from it.
        before = _own_errors(unit, job.own), unit.missing_headers
        first = _again(job, replaced, prelude.includes(), reading, *before)
        if first is not None:
            unit, found = first, _extract(job, first, syntax, macros, more)
            prelude = Prelude(unit, syntax, job.own, job.cxx, prelude.standard)
    if not (
        job.cxx
        and unit.errors
        and (_lost_much(found) or _lost_wanted(unit, syntax, frozenset(job.wanted)))
    ):
        return found
    assumed = prelude.made_up()
    if not assumed:
        return found
    before = _own_errors(unit, job.own), unit.missing_headers
    del unit  # the first tree is not needed beside the second
    second = _again(job, replaced, prelude.includes() + assumed, reading, *before)
    return _extract(job, second, syntax, macros, more) if second is not None else found


def _again(
    job: Job,
    replaced: Mapping[str, str],
    assumed: str,
    reading: Reading,
    errors: int,
    missing: list[tuple[str, str]],
) -> clang.Unit | None:
    """The unit parsed with *assumed* before it; None where it has *errors* in it or more.

    *missing* are the headers that were missing before, which some of what is assumed may hide.
    """
    try:
        unit = _parse(job, {**replaced, _ASSUMED: assumed}, ("-include", _ASSUMED), reading)
    except clang.ClangError:
        return None  # what was made up is too much for clang; what was read before stands
    if _own_errors(unit, job.own) >= errors:
        return None
    unit.missing_headers = missing
    return unit


def _readable(path: str) -> bytes:
    try:
        return sources.read(path)
    except sources.SourceError:
        return b""


@functools.lru_cache(maxsize=64)
def _other(data: bytes) -> Syntax:
    """The syntax of a header, the same for many units."""
    return Syntax(data)


def _is_of_use(data: bytes) -> bool:
    return b"enum" in data or has_other_names(data)


def _without_macros(
    texts: Mapping[str, bytes], others: Sequence[str], flags: Sequence[str]
) -> dict[str, bytes]:
    """*texts* with macros replaced, those of the headers *others* among them."""
    known: Mapping[bytes, Macro] = of_flags(flags)
    for path in (*reversed(others), *texts):
        known = defined(texts.get(path) or _readable(path), flags, known)
    return {p: _AT_MEMBER.sub(_comma, expanded(t, flags, known)) for p, t in texts.items()}


def _comma(match: re.Match[bytes]) -> bytes:
    """``(object->*member)(...)``, which the grammar does not know, with a comma of that length."""
    return b",".rjust(len(match.group(0)))


def _lost_much(found: Facts) -> bool:
    """Whether clang dropped so much that a second parse is worth its time."""
    lost = sum(x.calls - x.calls_seen + x.filled for x in found.files)
    return lost > max(2, sum(x.calls for x in found.files) // 100) or any(
        x.locks > x.locks_seen for x in found.files
    )


def _lost_wanted(unit: clang.Unit, syntax: Mapping[str, Syntax], wanted: Collection[str]) -> bool:
    """Whether clang complains where the sources name one of these types, by any part of it."""
    for file, _, offset, _ in unit.errors:
        if file in syntax:
            match = _QUALIFIED.match(syntax[file].data, offset)
            parts = match.group(0).decode().replace(" ", "").split("::") if match else []
            if any(part in wanted for part in parts):
                return True
    return False


def _own_errors(unit: clang.Unit, own: tuple[str, ...]) -> int:
    files = set(own)
    return sum(1 for e in unit.errors if e[0] in files)


def _parse(
    job: Job, replaced: Mapping[str, str], extra: tuple[str, ...], reading: Reading
) -> clang.Unit:
    unit = _parse_with_prefix(job, replaced, [*job.flags, *extra])
    if unit is None:
        reading.planned = not job.precompiled
        flags = [*job.flags, *extra]
        unit = clang.parse(Path(job.main), flags, replaced, job.bodies)
    reading.files += [f for f in unit.included() if f != _ASSUMED]
    reading.missing += unit.missing_headers
    return unit


def _load(job: Job, reading: Reading) -> clang.Unit:
    try:
        return clang.load(Path(job.loaded), job.main)
    except clang.ClangError:
        reading.planned = False
        return clang.parse(Path(job.main), job.flags)


def _parse_with_prefix(
    job: Job, replaced: Mapping[str, str], flags: Sequence[str]
) -> clang.Unit | None:
    """None where there is no prefix, or none that can be used."""
    if job.precompiled:
        with_prefix = [*flags, *clang.with_precompiled(job.precompiled)]
        # A prefix that has become unusable (a header changed under it) costs time, not results.
        try:
            unit = clang.parse(Path(job.main), with_prefix, replaced, job.bodies)
        except clang.PrefixError:
            return None
        if not any(_UNUSABLE.search(text) for *_, text in unit.errors[:3]):
            unit.missing_headers += job.missing
            return unit
    return None


def _extract(
    job: Job,
    unit: clang.Unit | None,
    syntax: Mapping[str, Syntax],
    macros: frozenset[str],
    more: Sequence[Syntax] = (),
) -> Facts:
    """Facts of the job's own files; without *unit*, and of headers that crash, by syntax alone."""
    crashing = {p for p in job.own if p in job.crashing or unit is None}
    skipped = unit.skipped_ranges(job.own) if unit is not None else {}
    for path in crashing:
        skipped[path] = switched_off(syntax[path].data, job.flags)
    extractor = Extractor(
        job.main, unit, frozenset(job.own), syntax, macros, skipped, crashing, job.bodies, more,
        agreed(job.said),
    )  # fmt: skip
    found = extractor.run()
    missing: dict[str, set[str]] = {}
    errors: dict[str, int] = {}
    if unit is not None:
        for file, name in unit.missing_headers:
            missing.setdefault(file, set()).add(name)
        for file, *_ in unit.errors:
            errors[file] = errors.get(file, 0) + 1
    guards, takers = frozenset(job.guards), frozenset(job.takers)
    for path in job.own:
        counted = syntax[path].count(macros, skipped.get(path, []), guards, takers)
        by_clang, by_syntax = extractor.calls.get(path, set()), extractor.filled.get(path, set())
        seen = by_clang | by_syntax
        named = extractor.named.get(path, set())
        found.files.append(
            FileFacts(
                path,
                len(counted.calls),
                sum(1 for c in counted.calls if c in seen),
                sum(1 for c in counted.calls if c in by_syntax and c not in by_clang),
                len(counted.locks),
                sum(1 for at, call in counted.locks if at in (seen if call else named)),
                counted.inactive,
                sorted(missing.get(path, ())),
                errors.get(path, 0),
                SYNTAX_ALONE if path in crashing else job.reading,
                counted.extents,
            )
        )
    if unit is None or job.main not in syntax or job.main in crashing:
        return found
    problem, nothing = _stopped(job, unit), _nothing_read(job, unit, found, syntax[job.main])
    foreign = bool(nothing) and not problem
    return msgspec.structs.replace(found, problem=problem or nothing, foreign=foreign)


def _stopped(job: Job, unit: clang.Unit) -> str:
    """A text that says so where clang gave up inside a file."""
    for file, line, text in unit.stopped:
        if file in job.own:
            return f"{job.main}: reading stopped at line {line}: {text}"
    return ""


def _nothing_read(job: Job, unit: clang.Unit, found: Facts, syntax: Syntax) -> str:
    """A text that says so where a file with content gave nothing at all."""
    mine = [e for e in unit.errors if e[0] == job.main]
    if not mine or not syntax.data.strip():
        return ""
    here = job.main
    named = [x.file for x in found.functions] + [x.file for x in found.classes]
    # Of a text that is no program clang still makes variables: "The lock" declares one.
    if here in named or (here in [x.file for x in found.variables] and not syntax.root.has_error):
        return ""
    if any(True for _ in syntax.functions()) or not syntax.has_declarations():
        return ""
    if not syntax.root.has_error:
        return ""  # declarations alone, of types that no header here declares
    _, line, _, text = mine[0]
    name = os.path.basename(here)
    return f"{here}: nothing could be read as C++ ({len(mine)} errors; {name}:{line}: {text})"
