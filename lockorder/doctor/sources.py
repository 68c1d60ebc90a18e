"""What `lockorder check` will see of sources, and what it will miss: found by reading them.

Everything but the search for deadlocks is done as a check does it, and what was read is kept for
the check that follows.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from lockorder.doctor.check import Check, State
from lockorder.model import HeaderOrigin
from lockorder.model.coverage import LOSSLESS
from lockorder.static.discovery import libraries, origins, sources
from lockorder.static.driver import unit_cache as cache
from lockorder.static.driver.foreign import foreign_headers
from lockorder.static.driver.options import Options
from lockorder.static.driver.planning import Outlook, Plan, make_plan
from lockorder.static.driver.workers import Progress, allow_depth, read_all
from lockorder.static.parse.declarations import Facts, FileFacts

#: Names that are listed before the rest is only counted.
NAMED = 8


def examine(
    paths: Sequence[Path], options: Options, progress: Progress | None = None
) -> list[Check]:
    """Checks of the sources under *paths*, read as a check with *options* reads them.

    Raises cache_folder.CacheError where the environment asks for a cache that cannot be.
    """
    allow_depth()
    files, problems = sources.discover(paths, options.excluded)
    subject = ", ".join(map(str, paths))
    found = [_unreadable(problem, subject) for problem in problems]
    if not files:
        return found
    root = options.root or sources.project_root(files)
    with cache.opened(options.cache) as kept:
        plan = make_plan(root, [str(p) for p in files], options, kept)
        units = read_all(plan, options, kept, progress).facts
    assert plan.outlook is not None
    found += [_unreadable(p, subject) for p in plan.problems]
    foreign = foreign_headers(units, paths)
    bad = [u for u in units if u.problem and u.main not in foreign]
    found += [_unreadable(u.problem, subject) for u in bad]
    asked = {str(f) for f in files}
    rows = [x for u in units for x in u.files if x.file in asked]
    parts = (
        _compiler(plan.outlook),
        _flags(plan.outlook, str(root)),
        _headers(plan, units),
        _installed(),
        _mixed(plan.outlook, str(root)),
        _read(plan, rows, str(root)),
        _seen(rows, str(root)),
    )
    for part in parts:
        found += [Check(c.name, c.state, c.found, c.means, c.do, subject) for c in part]
    return found


def _unreadable(problem: str, subject: str) -> Check:
    return Check(
        "sources", State.PROBLEM, problem,
        "a check of these paths ends with exit code 2", "name other paths, or fix this one",
        subject,
    )  # fmt: skip


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown} and {len(names) - NAMED} more"


def _compiler(outlook: Outlook) -> Iterator[Check]:
    if outlook.builtin:
        yield Check("standard library", State.OK, f"{outlook.libclang}; {outlook.builtin}")
    else:
        yield Check(
            "standard library", State.NOTE,
            f"{outlook.libclang}; no C++ standard library here: bundled declarations are used",
            "parts of the standard library that have no locks may be unknown",
            "nothing; or install a C++ compiler",
        )  # fmt: skip


def _flags(outlook: Outlook, root: str) -> Iterator[Check]:
    total = outlook.given + outlook.guessed
    if outlook.given:
        text = f"{outlook.database}: flags of {outlook.given} of {total} units"
        yield Check("compile database", State.OK, text)
    if not outlook.guessed:
        return
    roots = [os.path.relpath(r, root) for r in outlook.roots]
    text = f"guessed for {outlook.guessed} of {total} units"
    if roots:
        text += f"; include folders: {_named(roots)}"
    if outlook.macros:
        text += f"; macros taken as defined: {', '.join(outlook.macros)}"
    yield Check(
        "flags", State.NOTE, text,
        "code under other macros is not looked at, and generated headers are not found",
        "give a compile database with -p BUILD_DIR where there is one (docs/compile-databases.md)",
    )  # fmt: skip


def _headers(plan: Plan, units: Sequence[Facts]) -> Iterator[Check]:
    """Where headers are from; what was not found is what libclang looked for in vain."""
    for origin in plan.origins:
        if origin.source != origins.NOWHERE:
            yield Check("headers", State.OK, _origin(origin))
    missing = sorted({h for u in units for x in u.files for h in x.headers_missing})
    if missing:
        yield Check(
            "headers", State.NOTE, f"not found: {len(missing)}: {_named(missing)}",
            "what they declare is made up: names stay, types are unknown",
            "build what generates them, or name their folder in a compile database",
        )  # fmt: skip


def _origin(origin: HeaderOrigin) -> str:
    library = f" ({origin.library})" if origin.library else ""
    return f"{origin.source}{library}: {len(origin.headers)}: {_named(origin.headers)}"


def _installed() -> Iterator[Check]:
    """Headers of installed packages that a check does not read, whatever they are."""
    found = []
    for site in dict.fromkeys(sys.path):
        if os.path.basename(site) in ("site-packages", "dist-packages"):
            for pattern in ("*/include", "nvidia/*/include"):
                for folder in sorted(Path(site).glob(pattern)):
                    names = sorted(libraries.found_in([str(folder)]))
                    if names:
                        relative = folder.relative_to(site)
                        found.append(f"{relative}{_version(relative)}: {', '.join(names)}")
    if found:
        yield Check("installed packages", State.OK, f"their headers are not used: {_named(found)}")


def _version(folder: Path) -> str:
    """The version of the package that a folder belongs to, where that can be told."""
    try:
        return f" {metadata.version(folder.parts[0])}"
    except metadata.PackageNotFoundError:
        return ""


def _mixed(outlook: Outlook, root: str) -> Iterator[Check]:
    """Libraries that are read as the build names them, none of the shipped declarations."""
    for name, folder in outlook.left_out:
        yield Check("headers", State.OK, f"{name} is taken whole from {folder}, as the build says")


def _read(plan: Plan, rows: Sequence[FileFacts], root: str) -> Iterator[Check]:
    outlook = plan.outlook
    assert outlook is not None
    for header in outlook.crashing:
        yield Check(
            "libclang", State.WARNING, f"crashes in {os.path.relpath(header, root)}",
            "this header is read by its syntax alone, everything else as usual",
            "nothing; a construct that libclang 18 cannot read stands there",
        )  # fmt: skip
    otherwise = [x for x in rows if x.reading]
    for reading in dict.fromkeys(x.reading for x in otherwise):
        names = [os.path.relpath(x.file, root) for x in otherwise if x.reading == reading]
        state = State.NOTE if reading in LOSSLESS else State.WARNING
        yield Check(
            "libclang", state, f"crashed; read {reading}: {_named(names)}",
            "nothing is lost" if reading in LOSSLESS else "types are unknown there: findings may "
            "be missing",
            "nothing; or check with a compile database, whose flags may avoid it",
        )  # fmt: skip
    if not otherwise and not outlook.crashing:
        yield Check("libclang", State.OK, f"read all {len(rows)} files")


def _seen(rows: Sequence[FileFacts], root: str) -> Iterator[Check]:
    calls, seen = sum(x.calls for x in rows), sum(x.calls_seen for x in rows)
    filled, inactive = sum(x.filled for x in rows), sum(x.inactive for x in rows)
    poor = sorted(
        (x for x in rows if x.calls_seen < x.calls), key=lambda x: (x.calls_seen - x.calls, x.file)
    )
    text = f"{seen} of {calls} calls read, {filled} of them by their syntax alone"
    if poor:
        names = [
            f"{os.path.relpath(x.file, root)} ({x.calls - x.calls_seen} of {x.calls})" for x in poor
        ]
        yield Check(
            "calls", State.NOTE, f"{text}; not read: {_named(names)}",
            "locks and calls in these statements are missed",
            "see which headers are not found, and give a compile database",
        )  # fmt: skip
    else:
        yield Check("calls", State.OK, text)
    if inactive:
        most = sorted(rows, key=lambda x: (-x.inactive, x.file))
        names = [f"{os.path.relpath(x.file, root)} ({x.inactive})" for x in most if x.inactive]
        yield Check(
            "preprocessor", State.NOTE,
            f"{inactive} calls in branches that are off: {_named(names)}",
            "they are not looked at",
            "check again with the macros of the other build, by a compile database of it",
        )  # fmt: skip
