"""Which units to read, with which flags, and which headers to precompile for them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from lockorder.static import headers
from lockorder.static.annotations import undefined
from lockorder.static.cache import Cache
from lockorder.static.compilation_database import commands_for, from_database
from lockorder.static.flags import Flags, is_cuda, is_header
from lockorder.static.options import Options
from lockorder.static.project import Project
from lockorder.static.sources import is_endless
from lockorder.static.unit import Job

#: Flags for every file: no limit on errors, no warnings, no guesses at misspelt names (slow).
_ALWAYS = ("-ferror-limit=0", "-w", "-fno-spell-checking", "-Wno-register",
           "-fbracket-depth=1024")  # fmt: skip
#: A prefix with the project's headers pays from this many units on.
MIN_UNITS = 3
#: The headers of a prefix are read in so many parts, so that several workers can share them.
PARTS = 4


class Plan(msgspec.Struct):
    """The jobs in a fixed order, what cannot be read, and what is worth saying besides."""

    jobs: list[Job]
    problems: list[str]
    notes: list[str] = []
    prefixes: list[headers.Prefix] = []
    #: further files that were read, folders that were searched, and names that were looked for
    read: set[str] = set()
    looked_in: set[str] = set()
    looked_for: set[str] = set()


class _Unit(msgspec.Struct):
    main: str
    chosen: Flags

    @property
    def group(self) -> tuple[object, ...]:
        """Units of one group can share a prefix."""
        return (self.chosen.language, self.chosen.standard, self.chosen.rest)


def make_plan(root: Path, files: list[str], options: Options, cache: Cache) -> Plan:
    """Plan the analysis of *files*, absolute paths of one project under *root*.

    The prefixes are described, but need a headers.refresh before a unit is read.
    """
    headers.locate(cache.prefixes, cache.disk)
    read: set[str] = set()
    given = commands_for(root, options.database, read)
    known = cache.scans(root)
    project = Project(root, files, known)
    cache.keep_scans(root, known, project.scans)
    for path, scanned in project.scans.items():
        cache.disk.note(path, scanned.digest)
    problems = [*given.problems, *(project.problems[p] for p in sorted(project.problems))]
    mains = project.mains()
    scans = project.scans.values()
    unannotated = undefined(
        (a for s in scans for a in s.annotations), (d for s in scans for d in s.defines)
    )
    units = []
    for main in mains:
        command = given.commands.get(main)
        chosen = from_database(main, command) if command is not None else project.flags(main)
        chosen = msgspec.structs.replace(chosen, rest=chosen.rest + unannotated)
        units.append(_Unit(main, chosen))
    notes = [*given.notes, *_another_tree(options.database, given.commands, mains)]
    prefixes, jobs = _prefixes(project, units, options, cache)
    in_prefix = {h for j in jobs for h in j.own}
    owned = project.owners(mains)
    endless = [p for p in project.problems if is_endless(p)]
    launches = tuple(p for p, s in sorted(project.scans.items()) if s.launches)
    macros = tuple(sorted(project.macros))
    wanted = tuple(sorted({part for name in options.wanted for part in name.split("::")}))
    jobs = [msgspec.structs.replace(j, macros=macros) for j in jobs]
    for unit in units:
        prefix = prefixes.get(unit.group)
        reached = {unit.main, *project.reach(unit.main)}
        jobs.append(
            Job(
                unit.main,
                tuple(sorted(owned[unit.main] - in_prefix - project.problems.keys())),
                _line(unit.chosen, options) + _implied(unit.main),
                is_header(unit.main),
                unit.chosen.cxx,
                prefix.precompiled if prefix is not None else "",
                macros,
                tuple(p for p in launches if p in reached),
                missing=_from_command_line(prefix, unit.main),
                wanted=wanted,
                blank=tuple(p for p in endless if p in reached),
            )
        )
    return Plan(
        jobs, problems, notes, list(prefixes.values()), read | set(project.problems),
        project.looked_in, project.looked_for,
    )  # fmt: skip


def _another_tree(
    asked: Path | None, commands: Collection[str], mains: Sequence[str]
) -> Iterator[str]:
    """Says so where a database that was asked for is about none of the sources."""
    compiled = [m for m in mains if not is_header(m)]
    if asked is not None and commands and compiled and not any(m in commands for m in compiled):
        yield f"{asked}: names none of the {len(compiled)} sources: flags are guessed"


def _line(chosen: Flags, options: Options, language: str = "") -> tuple[str, ...]:
    return (
        "-x", language or chosen.language, f"-std={chosen.standard}", *chosen.rest, *_ALWAYS,
        *headers.locate().flags(), *options.extra,
    )  # fmt: skip


def _from_command_line(prefix: headers.Prefix | None, main: str) -> tuple[tuple[str, str], ...]:
    """Headers that the flags themselves include and that clang did not find for the prefix."""
    if prefix is None:
        return ()
    return tuple((main, name) for file, name in prefix.missing if file == prefix.source)


def _implied(main: str) -> tuple[str, ...]:
    """What nvcc and hipcc include before the first line of a CUDA or HIP source."""
    if not is_cuda(main) or is_header(main):
        return ()
    return ("-include", "hip/hip_runtime.h" if main.endswith(".hip") else "cuda_runtime.h")


def _prefixes(
    project: Project, units: Sequence[_Unit], options: Options, cache: Cache
) -> tuple[dict[tuple[object, ...], headers.Prefix], list[Job]]:
    """A prefix for each group of units with equal flags, and jobs that read their headers.

    Every header is read from the first prefix that holds it.
    """
    groups: dict[tuple[object, ...], list[_Unit]] = {}
    for unit in units:
        if unit.chosen.cxx:
            groups.setdefault(unit.group, []).append(unit)
    found: dict[tuple[object, ...], headers.Prefix] = {}
    jobs: list[Job] = []
    taken: set[str] = set()
    standard = headers.standard_text(project.system_headers)
    for group, members in groups.items():
        chosen = members[0].chosen
        common: dict[str, str] = {}
        if len(members) >= MIN_UNITS:
            common = project.common_headers([m.main for m in members])
        text = standard + "".join(f'#include "{h}"\n' for h in common)
        line = _line(chosen, options, "c++-header")
        prefix = headers.precompile(text, line, common, cache.prefixes, cache.disk)
        if prefix is None:
            continue
        found[group] = prefix
        own = [h for h in common if h not in taken]
        taken.update(own)
        for part in _parts(own, project):
            jobs.append(
                Job(
                    prefix.source,
                    part,
                    line,
                    True,
                    True,
                    loaded=prefix.precompiled,
                    missing=tuple(m for m in prefix.missing if m[0] in part),
                    errors=tuple(e for e in prefix.errors if e[0] in part),
                )
            )
    return found, jobs


def _parts(own: Iterable[str], project: Project) -> list[tuple[str, ...]]:
    """Headers dealt out into parts of about equal size."""
    parts: list[tuple[int, list[str]]] = [(0, []) for _ in range(PARTS)]
    sizes = {h: project.sizes.get(h, 0) for h in own}
    for header in sorted(sizes, key=lambda h: (-sizes[h], h)):
        weight, members = min(parts, key=lambda p: p[0])
        parts.remove((weight, members))
        parts.append((weight + sizes[header], [*members, header]))
    return [tuple(sorted(m)) for _, m in sorted(parts, key=lambda p: p[1]) if m]
