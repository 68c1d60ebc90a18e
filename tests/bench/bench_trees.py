"""What checks of real trees cost, against their size: a table, and a plot of it.

    bench_trees.py [--plot FILE.svg] [--known FILE] [--keep FILE] [--only-cold]
                   [--results FOLDER] TREE...

TREE is NAME=ROOT for a whole project, NAME=ROOT:PATH,PATH for some of it.

Each tree's sources and headers are copied, and checked three times: with an empty cache, once more
with nothing changed, and with a function added to the source of median size.  The table has CPU
seconds (user and system, all processes), seconds by the clock, MiB (the largest process) and what
the warm runs take of the first; "cuts" are kinds of bounds that were hit, "unread" files that could
not be read.  Exit code 2 where a check fails.

``--results`` keeps the first result of each tree.  ``--keep`` writes the rows, ``--known`` adds
rows that were kept before, so that trees can be measured one by one.  ``--plot`` needs matplotlib.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from bench_static import WORKED, copied

from lockorder.model import Document, decode
from lockorder.static.discovery.sources import SOURCES

#: Exit code where some file of a tree could not be read; the result is of the others.
PARTLY = 2
ADDED = "\nint lockorder_bench_added() { return 1; }\n"


class Run(msgspec.Struct, frozen=True):
    """One check: CPU seconds, seconds by the clock, MiB, exit code."""

    cpu: float
    wall: float
    mib: float


class Row(msgspec.Struct, frozen=True):
    """One tree."""

    name: str
    functions: int
    lines: int
    errors: int
    warnings: int
    cuts: int
    problems: int
    cold: Run
    warm: Run | None = None
    changed: Run | None = None


class FailedError(Exception):
    """A check ended with another exit code than those of findings."""


def check(paths: Sequence[Path], cache: Path, result: Path) -> Run:
    """One ``lockorder check`` of *paths*, its document written to *result*."""
    command = [sys.executable, "-m", "lockorder", "check", "--format", "json"]
    command += ["--output", str(result), *map(str, paths)]
    began = time.monotonic()
    with (result.parent / "stderr").open("wb") as said:
        process = subprocess.Popen(
            command, stderr=said, env={**os.environ, "LOCKORDER_CACHE_DIR": str(cache)}
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (*WORKED, PARTLY):
        last = (result.parent / "stderr").read_text(errors="replace").splitlines()[-5:]
        raise FailedError(f"exit code {process.returncode}\n" + "\n".join(last))
    return Run(used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024)


def measure(
    name: str, paths: Sequence[Path], only_cold: bool, results: Path | None, scratch: Path
) -> Row:
    """The row of one tree."""
    files = copied(paths, scratch / "tree")
    lines = sum(f.read_bytes().count(b"\n") for f in files)
    cache, result = scratch / "cache", scratch / "result.json"
    cold = check(files, cache, result)
    document: Document = decode(result.read_bytes())
    if results is not None:
        shutil.copyfile(result, results / f"{name}.json")
    levels = [finding.level.value for finding in document.findings]
    row = Row(
        name, document.coverage.functions, lines, levels.count("error"), levels.count("warning"),
        len(document.coverage.cut), len(document.problems), cold,
    )  # fmt: skip
    if only_cold:
        return row
    warm = check(files, cache, result)
    sources = sorted((f for f in files if f.suffix in SOURCES), key=lambda f: f.stat().st_size)
    with sources[len(sources) // 2].open("a") as end:
        end.write(ADDED)
    return msgspec.structs.replace(row, warm=warm, changed=check(files, cache, result))


def table(rows: Sequence[Row]) -> str:
    """The rows as Markdown, smallest tree first."""
    head = "tree,functions,lines,CPU s,wall s,MiB,errors,warnings,cuts,unread,warm,one file changed"
    found = [f"| {' | '.join(head.split(','))} |", "|" + "---|" * len(head.split(","))]
    for row in sorted(rows, key=lambda r: r.functions):
        after = [f"{r.cpu / row.cold.cpu:.2f}" if r else "" for r in (row.warm, row.changed)]
        cells = [
            row.name, f"{row.functions:,}", f"{row.lines:,}", f"{row.cold.cpu:,.0f}",
            f"{row.cold.wall:,.0f}", f"{row.cold.mib:,.0f}", row.errors, row.warnings, row.cuts,
            row.problems, *after,
        ]  # fmt: skip
        found.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(found)


def plot(rows: Sequence[Row], target: Path) -> None:
    """CPU seconds and MiB against functions, both scales by powers of ten."""
    from matplotlib import pyplot as plt  # noqa: PLC0415 (needed for this alone)

    plt.rcParams["svg.hashsalt"] = "lockorder"  # the same rows give the same file
    figure, sides = plt.subplots(1, 2, figsize=(11, 4.5))
    for side, label, value, goal in (
        (sides[0], "CPU seconds, empty cache", lambda r: r.cold.cpu, None),
        (sides[1], "MiB, largest process", lambda r: r.cold.mib, 4096),
    ):
        side.scatter([r.functions for r in rows], [value(r) for r in rows])
        for row in rows:
            side.annotate(
                row.name,
                (row.functions, value(row)),
                fontsize=8,
                xytext=(4, 3),
                textcoords="offset points",
            )
        side.set(xscale="log", yscale="log", xlabel="functions", ylabel=label)
        if goal:
            side.axhline(goal, linestyle="--", linewidth=0.8)
        side.grid(True, which="both", linewidth=0.2)
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


def _asked(text: str) -> tuple[str, list[Path]]:
    name, _, where = text.partition("=")
    root, _, inside = where.partition(":")
    if not root:
        raise argparse.ArgumentTypeError(f"{text}: write NAME=ROOT or NAME=ROOT:PATH,PATH")
    paths = [Path(root, p) for p in inside.split(",")] if inside else [Path(root)]
    for path in paths:
        if not path.exists():
            raise argparse.ArgumentTypeError(f"{path}: no such file or folder")
    return name, paths


def main() -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("trees", nargs="*", type=_asked, metavar="NAME=ROOT[:PATH,...]")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--known", type=Path)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--results", type=Path)
    parser.add_argument("--only-cold", action="store_true")
    chosen = parser.parse_args()
    rows: dict[str, Row] = {}
    if chosen.known is not None and chosen.known.exists():
        rows = {r.name: r for r in msgspec.json.decode(chosen.known.read_bytes(), type=list[Row])}
    for name, paths in chosen.trees:
        with tempfile.TemporaryDirectory(prefix="lockorder-bench-") as scratch:
            try:
                rows[name] = measure(name, paths, chosen.only_cold, chosen.results, Path(scratch))
            except FailedError as error:
                print(f"{name}: {error}", file=sys.stderr)
                return 2
        print(table([rows[name]]).splitlines()[-1], file=sys.stderr, flush=True)
        if chosen.keep is not None:
            chosen.keep.write_bytes(msgspec.json.format(msgspec.json.encode(list(rows.values()))))
    print(table(list(rows.values())))
    if chosen.plot is not None:
        plot(list(rows.values()), chosen.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
