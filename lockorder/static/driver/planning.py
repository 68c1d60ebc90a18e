"""Which units to read, with which flags, and which headers to precompile for them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from lockorder.knowledge import builtin
from lockorder.model import HeaderOrigin
from lockorder.static.discovery import libraries
from lockorder.static.discovery.annotations import undefined
from lockorder.static.discovery.compilation_database import commands_for, from_database
from lockorder.static.discovery.flags import Flags, is_cuda, is_header
from lockorder.static.discovery.inputs import folders
from lockorder.static.discovery.origins import origins
from lockorder.static.discovery.project import Project
from lockorder.static.discovery.sources import is_endless
from lockorder.static.driver.options import Options
from lockorder.static.driver.recovery import Crashes, header_words, without_header
from lockorder.static.driver.unit_cache import Cache
from lockorder.static.parse import clang, headers, isolated
from lockorder.static.parse.unit import Job

#: Flags for every file: no limit on errors, no warnings, no guesses at misspelt names (slow).
_ALWAYS = ("-ferror-limit=0", "-w", "-fno-spell-checking", "-Wno-register",
           "-fbracket-depth=1024")  # fmt: skip
#: A prefix with the project's headers pays from this many units on.
MIN_UNITS = 3
#: The headers of a prefix are read in so many parts, so that several workers can share them.
PARTS = 4


class Outlook(msgspec.Struct, frozen=True):
    """What decides how much of the sources a check will see, for people.

    ``builtin`` is the folder of the compiler's own headers, empty where bundled declarations stand
    in for all of the standard libraries.  ``left_out`` are libraries of which no shipped
    declarations are used, with the folder that has headers of theirs; ``libclang`` its version.
    """

    libclang: str
    builtin: str
    database: str
    #: sources whose flags the database has, and those whose flags were guessed
    given: int
    guessed: int
    roots: tuple[str, ...]
    macros: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    crashing: tuple[str, ...]
    without_prefix: int


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
    #: where the headers are from that the project includes and does not have
    origins: tuple[HeaderOrigin, ...] = ()
    #: by unit and header, the project's headers that it includes, directly or not
    reached: dict[str, frozenset[str]] = {}
    root: str = ""
    outlook: Outlook | None = None


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
    return _Planner(root, files, options, cache).plan()


class _Planner:
    def __init__(self, root: Path, files: list[str], options: Options, cache: Cache) -> None:
        self.root = str(root)
        self.options = options
        self.cache = cache
        self.read: set[str] = set()
        self.looked_in: set[str] = set()
        self.headers = headers.locate(cache.prefixes, cache.disk, options.inline)
        self.given = commands_for(root, options.database, self.read)
        known = cache.scans(root)
        self.project = Project(root, files, known)
        cache.keep_scans(root, known, self.project.scans)
        self.digests = {path: scanned.digest for path, scanned in self.project.scans.items()}
        for path, digest in self.digests.items():
            cache.disk.note(path, digest)
        self.crashes = Crashes(cache.prefixes, headers.machine())
        #: headers that libclang crashes in, found while the prefixes were made
        self.crashing: set[str] = set()
        self._shipped: dict[tuple[str, ...], str] = {}
        #: libraries whose headers a build names: the folder that has them
        self._taken_from: dict[str, str] = {}
        others = {each.name for each in libraries.shipped()} - {libraries.INTRINSICS}
        try:
            self._intrinsics = str(libraries.folder_without(others, cache.prefixes))
        except OSError:
            self._intrinsics = ""  # a cache that cannot be written: the compiler's own are read

    def plan(self) -> Plan:
        """The jobs, and what is worth saying of them."""
        project, options = self.project, self.options
        mains = project.mains()
        units = self._units(mains)
        notes = [*self.given.notes]
        if not self.given.problems:
            notes += _another_tree(options.database, self.given.commands, mains)
        prefixes, jobs = self._prefixes(units)
        in_prefix = {h for j in jobs for h in j.own}
        owned = project.owners(mains)
        endless = [p for p in project.problems if is_endless(p)]
        rewritten = tuple(p for p in sorted(project.scans) if self._is_rewritten(p))
        macros = tuple(sorted(project.macros))
        said = tuple(sorted({m for s in project.scans.values() for m in s.said}))
        known = builtin()
        types = (*options.wanted, *known.locks, *known.guards)
        wanted = _last(types)
        guards = _last((*options.guards, *(n for n, g in known.guards.items() if not g.inverse)))
        known_takers = (n for n, t in known.functions.items() if t.acquires is not None)
        takers = _last((*options.takers, *known_takers))
        jobs = [
            msgspec.structs.replace(j, macros=macros, guards=guards, takers=takers, said=said)
            for j in jobs
        ]
        reached = {path: frozenset(project.reach(path)) for path in project.scans}
        for unit in units:
            prefix = prefixes.get(unit.group)
            here = {unit.main, *reached[unit.main]}
            job = Job(
                unit.main,
                tuple(sorted(owned[unit.main] - in_prefix - project.problems.keys())),
                self._line(unit.chosen) + _implied(unit.main),
                is_header(unit.main),
                unit.chosen.cxx,
                prefix.precompiled if prefix is not None else "",
                macros,
                tuple(p for p in rewritten if p in here),
                missing=_from_command_line(prefix, unit.main),
                wanted=wanted,
                guards=guards,
                takers=takers,
                blank=tuple(p for p in endless if p in here),
                bundled=self._bundled(unit.chosen),
                said=said,
                askers=prefix.inputs.askers if prefix is not None and prefix.inputs else (),
            )
            crashing = sorted(self.crashing & reached[unit.main])
            jobs.append(without_header(job, *crashing, root=self.root) if crashing else job)
        problems = [*self.given.problems, *(project.problems[p] for p in sorted(project.problems))]
        return Plan(
            jobs, problems, notes, list(prefixes.values()), self.read | set(project.problems),
            project.looked_in | self.looked_in, project.looked_for | libraries.names(),
            self._origins(units), reached, self.root, self._outlook(units, prefixes),
        )  # fmt: skip

    def _outlook(
        self, units: Sequence[_Unit], prefixes: Mapping[tuple[object, ...], headers.Prefix]
    ) -> Outlook:
        guessed = [u for u in units if u.chosen.guessed]
        rest = [f for u in guessed for f in u.chosen.rest]
        return Outlook(
            clang.version(),
            "" if self.headers.fallback else self.headers.system[0],
            str(self.given.file or ""),
            len(units) - len(guessed),
            len(guessed),
            tuple(
                dict.fromkeys(
                    f.removeprefix("-I").removeprefix("-iquote")
                    for f in rest
                    if f.startswith(("-I", "-iquote"))
                )
            ),
            tuple(sorted({f[2:].partition("=")[0] for f in rest if f.startswith("-D")})),
            tuple(sorted(self._taken_from.items())),
            tuple(sorted(self.crashing)),
            sum(u.chosen.cxx and u.group not in prefixes for u in units),
        )

    def _units(self, mains: Sequence[str]) -> list[_Unit]:
        scans = self.project.scans.values()
        unannotated = undefined(
            (a for s in scans for a in s.annotations),
            (d for s in scans for d in s.defines),
            (c for s in scans for c in s.classes),
        )
        units = []
        for main in mains:
            command = self.given.commands.get(main)
            if command is not None:
                chosen = from_database(main, command)
            else:
                chosen = self.project.flags(main)
            chosen = msgspec.structs.replace(chosen, rest=chosen.rest + unannotated)
            units.append(_Unit(main, chosen))
        return units

    # -- flags ------------------------------------------------------------------------------------

    def _line(self, chosen: Flags, language: str = "") -> tuple[str, ...]:
        shipped = self._shipped_for(chosen)
        return (
            "-x", language or chosen.language, f"-std={chosen.standard}", *chosen.rest, *_ALWAYS,
            *self.headers.flags(shipped, chosen.guessed, self._intrinsics), *self.options.extra,
        )  # fmt: skip

    def _bundled(self, chosen: Flags) -> tuple[str, ...]:
        return (*self.headers.system, self._intrinsics, self._shipped_for(chosen))

    def _shipped_for(self, chosen: Flags) -> str:
        """The folder of shipped declarations, without libraries that a build has headers of.

        Where flags are guessed the folders that the system searches do not count: what is
        installed there is not asked for.
        """
        named = self._outside(folders((*chosen.rest, *self.options.extra), ()))
        named += [f for f in headers.from_environment() if f not in named]
        if not chosen.guessed:
            named += [f for f in headers.implied() if f not in named]
        key = tuple(named)
        if key not in self._shipped:
            self.looked_in.update(key)
            found = libraries.found_in(key)
            self._taken_from.update(found)
            try:
                folder = libraries.folder_without(found, self.cache.prefixes)
            except OSError:
                folder = libraries.STUBS  # a cache that cannot be written: the build's come first
            self._shipped[key] = str(folder)
        return self._shipped[key]

    def _outside(self, named: Iterable[str]) -> list[str]:
        """Those of the folders *named* that are not the project's."""
        inside = self.root.rstrip(os.sep) + os.sep
        return [f for f in named if not os.path.join(f, "").startswith(inside)]

    def _origins(self, units: Sequence[_Unit]) -> tuple[HeaderOrigin, ...]:
        """Where headers come from that the project includes and does not have."""
        searched: dict[tuple[tuple[str, ...], str, bool], None] = {}
        for unit in units:
            named = folders((*unit.chosen.rest, *self.options.extra), headers.from_environment())
            outside = tuple(self._outside(named))
            searched[outside, self._shipped_for(unit.chosen), unit.chosen.guessed] = None
        system = (*self.headers.system, *(() if self.headers.fallback else headers.implied()))
        return origins(self.project.unresolved, list(searched), system, self.cache.disk)

    # -- prefixes ---------------------------------------------------------------------------------

    def _prefixes(
        self, units: Sequence[_Unit]
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
        for group, members in groups.items():
            chosen = members[0].chosen
            common: dict[str, str] = {}
            if len(members) >= MIN_UNITS:
                common = self.project.common_headers([m.main for m in members])
            line = self._line(chosen, "c++-header")
            prefix = self._prefix(common, line)
            if prefix is None:
                continue
            found[group] = prefix
            own = [h for h in prefix.project if h not in taken]
            taken.update(own)
            for part in _parts(own, self.project):
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
                        bundled=self._bundled(chosen),
                    )
                )
        return found, jobs

    def _prefix(self, common: Mapping[str, str], line: tuple[str, ...]) -> headers.Prefix | None:
        """The standard headers and those in *common* precompiled, as far as libclang can.

        Where it crashes, the header in which it does is found and left out with all that include
        it; where none is found, all of the project's are.
        """
        standard = headers.standard_text(self.project.system_headers)
        if self.crashes.any():
            inside = {*common, *(r for h in common for r in self.project.reach(h))}
            self.crashing |= {h for h in inside if self.crashes.known(*self._words(h, line))}
        while True:
            reach = {h: self.project.reach(h) for h in common}
            usable = {
                h: digest
                for h, digest in common.items()
                if self.crashing.isdisjoint((h, *reach[h]))
            }
            text = standard + "".join(f'#include "{h}"\n' for h in usable)
            contents = (f"{f}={self.digests.get(f, '')}" for h in usable for f in (h, *reach[h]))
            words = ("prefix", text, *line, *contents)
            if not self.crashes.known(*words):
                place, disk = self.cache.prefixes, self.cache.disk
                inside = {*usable, *(r for h in usable for r in reach[h])}
                rewritten = tuple(sorted(h for h in inside if self._is_rewritten(h)))
                try:
                    return headers.precompile(
                        text, line, usable, place, disk, self.options.inline, rewritten
                    )
                except isolated.Crash:
                    self.crashes.note(*words)
            bad = self._crashing_header(text, line, usable)
            if bad:
                self.crashing.add(bad)
            elif usable:
                common = {}
            else:
                return None

    def _is_rewritten(self, path: str) -> bool:
        return path in self.project.scans and self.project.scans[path].rewritten

    def _crashing_header(self, text: str, line: tuple[str, ...], usable: Mapping[str, str]) -> str:
        """The project's header that makes libclang crash on *text*, by itself; empty: none does."""
        if not usable:
            return ""
        source = headers.write_source(text, line, self.cache.prefixes)
        inside = {*usable, *(r for h in usable for r in self.project.reach(h))}
        job = Job(source, (), line, True, True)
        for suspect in isolated.suspects(self.options.inline, job):
            if suspect in inside and self.crashes_alone(suspect, line):
                return suspect
        return ""

    def crashes_alone(self, header: str, line: tuple[str, ...]) -> bool:
        """Whether libclang crashes on *header* with nothing before it."""
        words = self._words(header, line)
        if self.crashes.known(*words):
            return True
        if isolated.parses(self.options.inline, header, line):
            return False
        self.crashes.note(*words)
        return True

    def _words(self, header: str, line: tuple[str, ...]) -> tuple[str, ...]:
        return header_words(header, line, self.project.reach(header), self.digests)


def _last(names: Iterable[str]) -> tuple[str, ...]:
    """Names without namespaces and classes, sorted."""
    return tuple(sorted({name.rsplit("::", 1)[-1] for name in names}))


def _another_tree(
    asked: Path | None, commands: Collection[str], mains: Sequence[str]
) -> Iterator[str]:
    """Says so where a database that was asked for is about none of the sources."""
    compiled = [m for m in mains if not is_header(m)]
    if asked is not None and compiled and not any(m in commands for m in compiled):
        yield f"{asked}: names none of the {len(compiled)} sources: flags are guessed"


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


def _parts(own: Iterable[str], project: Project) -> list[tuple[str, ...]]:
    """Headers dealt out into parts of about equal size."""
    parts: list[tuple[int, list[str]]] = [(0, []) for _ in range(PARTS)]
    sizes = {h: project.sizes.get(h, 0) for h in own}
    for header in sorted(sizes, key=lambda h: (-sizes[h], h)):
        weight, members = min(parts, key=lambda p: p[0])
        parts.remove((weight, members))
        parts.append((weight + sizes[header], [*members, header]))
    return [tuple(sorted(m)) for _, m in sorted(parts, key=lambda p: p[1]) if m]
