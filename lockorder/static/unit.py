"""One translation unit, start to end: bytes and flags in, facts and counts out.  Pure."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

import msgspec

from lockorder.static import clang, facts, sources
from lockorder.static.extract import Extractor
from lockorder.static.synthesis import prelude
from lockorder.static.syntax import Syntax


class Job(msgspec.Struct, frozen=True):
    """What a worker needs to read one unit.

    ``own`` are the files whose declarations this unit is to read; ``base`` the flags without,
    ``precompiled`` the path of a precompiled header (or empty).
    """

    main: str
    own: tuple[str, ...]
    flags: tuple[str, ...]
    header: bool
    cxx: bool
    precompiled: str = ""
    macros: tuple[str, ...] = ()
    launches: tuple[str, ...] = ()


def read_unit(job: Job) -> facts.Facts:
    """Read one unit; whatever goes wrong is in ``problem`` of the result, never an exception.

    A second parse, with declarations made up for names that nothing declares, is made where
    clang lost calls in the first.
    """
    try:
        return _read(job)
    except (clang.ClangError, sources.SourceError, RecursionError) as error:
        text = str(error) or type(error).__name__
        if isinstance(error, RecursionError):
            text = f"{job.main}: nested too deeply to be read"
        return facts.Facts(job.main, [], [], [], [], [], text)


def _read(job: Job) -> facts.Facts:
    texts = {p: sources.blank_launches(sources.read(p)) for p in job.own}
    replaced = {
        p: (texts.get(p) or sources.blank_launches(sources.read(p))).decode(errors="replace")
        for p in job.launches
    }
    syntax = {p: Syntax(t) for p, t in texts.items()}
    macros = frozenset(job.macros)
    unit = _parse(job, replaced, ())
    made_up = prelude(unit, syntax, job.own) if unit.errors and job.cxx else ""
    if made_up:
        with tempfile.TemporaryDirectory(prefix="lockorder-") as folder:
            file = Path(folder, "assumed.h")
            file.write_text(made_up, encoding="utf-8")
            again = _parse(job, replaced, ("-include", str(file)))
            if _own_errors(again, job.own) < _own_errors(unit, job.own):
                again.missing_headers = unit.missing_headers
                unit = again
            found = _extract(job, unit, syntax, macros)
    else:
        found = _extract(job, unit, syntax, macros)
    return found


def _own_errors(unit: clang.Unit, own: tuple[str, ...]) -> int:
    files = set(own)
    return sum(1 for e in unit.errors if e[0] in files)


def _parse(job: Job, replaced: Mapping[str, str], extra: tuple[str, ...]) -> clang.Unit:
    flags = [*job.flags, *extra]
    if job.precompiled:
        unit = clang.parse(
            Path(job.main), [*flags, "-include-pch", job.precompiled], job.header, replaced
        )
        if not any("PCH" in text or "precompiled" in text for *_, text in unit.errors[:3]):
            return unit
    return clang.parse(Path(job.main), flags, job.header, replaced)


def _extract(
    job: Job, unit: clang.Unit, syntax: Mapping[str, Syntax], macros: frozenset[str]
) -> facts.Facts:
    skipped = unit.skipped_ranges()
    extractor = Extractor(unit, frozenset(job.own), syntax, macros, skipped)
    found = extractor.run()
    missing: dict[str, set[str]] = {}
    for file, name in unit.missing_headers:
        missing.setdefault(file, set()).add(name)
    errors: dict[str, int] = {}
    for file, *_ in unit.errors:
        errors[file] = errors.get(file, 0) + 1
    for path in job.own:
        counted = syntax[path].count(macros, skipped.get(path, []))
        by_clang, by_syntax = extractor.calls.get(path, set()), extractor.filled.get(path, set())
        seen = by_clang | by_syntax
        named = extractor.named.get(path, set())
        found.files.append(
            facts.FileFacts(
                path,
                len(counted.calls),
                sum(1 for c in counted.calls if c in seen),
                sum(1 for c in counted.calls if c in by_syntax and c not in by_clang),
                len(counted.locks),
                sum(1 for at, call in counted.locks if at in (seen if call else named)),
                counted.inactive,
                sorted(missing.get(path, ())),
                errors.get(path, 0),
            )
        )
    problem = _nothing_read(job, unit, found, syntax[job.main])
    return msgspec.structs.replace(found, problem=problem)


def _nothing_read(job: Job, unit: clang.Unit, found: facts.Facts, syntax: Syntax) -> str:
    """A text that says so where a file with content gave nothing at all."""
    mine = [e for e in unit.errors if e[0] == job.main]
    if not mine or not syntax.data.strip():
        return ""
    here = job.main
    if any(x.file == here for x in (*found.functions, *found.classes, *found.variables)):
        return ""
    if any(True for _ in syntax.functions()) or not syntax.has_declarations():
        return ""
    _, line, _, text = mine[0]
    name = os.path.basename(here)
    return f"{here}: nothing could be read as C++ ({len(mine)} errors; {name}:{line}: {text})"
