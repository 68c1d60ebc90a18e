"""lockorder's wheel in environments as users have them: the same findings in all of them.

    python -m environments.matrix [--only NAME]... [--python PATH]... [--trees TREES]
                                  [--builds FOLDER] [--resume] [--list]

Environments stay in build/environments/, with what lockorder said in each. A table at the end has
a row for each of them; the exit code is 1 where any differs from the empty one. TREES are what
`lockorder check` is run on, and the variable LOCKORDER_TEST_TREES names them, too:

    FOLDER[,PATH...][:FOLDER[,PATH...]]...

(PATHs are in FOLDER, and what is checked there.) Without it they are the project's own fixtures.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compilers import CannotBuildError, compiler
from environments.entries import EMPTY, ENVIRONMENTS, Environment
from environments.making import (
    TOP,
    Failed,
    Made,
    Skipped,
    build_wheel,
    described,
    interpreters,
    make,
    own_version,
)  # fmt: skip

TREES = "LOCKORDER_TEST_TREES"
_FIXTURES = TOP / "fixtures"
#: Programs of the corpus that include headers of libraries, of which environments have others.
_CORPUS = ("gil", "hazards")
_DIFFERING_LINES = 12


@dataclass(frozen=True)
class Tree:
    """Sources: *paths* in *folder*."""

    name: str
    folder: Path
    paths: tuple[str, ...]


@dataclass
class Row:
    """What came out in one environment."""

    entry: Environment
    python: str = ""
    skipped: str = ""
    result: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0.0


def trees(text: str, builds: Path) -> list[Tree]:
    """The small tree of this matrix, and those that *text* names or else the other fixtures."""
    found = [_copied("extension", [_FIXTURES / "cpp" / "extension"], builds)]
    for item in filter(None, text.split(":")):
        folder, *paths = item.split(",")
        if not Path(folder).is_dir():
            sys.exit(f"{TREES}: {folder}: no such folder")
        found.append(Tree(Path(folder).name, Path(folder).resolve(), tuple(paths) or (".",)))
    if len(found) == 1:
        corpus = [_FIXTURES / "cpp" / "corpus" / category for category in _CORPUS]
        found.append(_copied("corpus", corpus, builds))
        found += [_copied(n, [_FIXTURES / "cpp" / n], builds) for n in ("miniature", "fleet")]
    return found


def _copied(name: str, folders: Sequence[Path], builds: Path) -> Tree:
    """A project of its own with copies of *folders*.

    In the checkout, the environments themselves would be part of the project.
    """
    copy = builds / "trees" / name
    shutil.rmtree(copy, ignore_errors=True)
    (copy / ".git").mkdir(parents=True)  # marks the project's root
    for folder in folders:
        shutil.copytree(folder, copy / folder.name)
    return Tree(name, copy, (".",))


def build_program(builds: Path) -> str:
    """The threaded program, built outside of all environments; empty without a compiler."""
    target = builds / "two_orders"
    source = _FIXTURES / "programs" / "two_orders.c"
    try:
        tools = compiler(".c")
    except CannotBuildError as missing:
        print(f"matrix: run and hang are left out: {missing}", file=sys.stderr)
        return ""
    flags = ["-std=c11", "-O1", "-g", "-pthread"]
    subprocess.run([*tools, *flags, "-o", target, source], check=True)
    return str(target)


def ask(
    entry: Environment, made: Made, builds: Path, program: str, wanted: list[Tree], resumed: bool
) -> Row:
    """All checks in *made*; where *resumed*, what an earlier matrix was told of the same."""
    results = builds / "results" / entry.name.replace(" ", "-").replace(",", "")
    job = {
        **described(made),
        "results": str(results),
        "answer": str(results) + ".json",
        "program": program,
        "trees": [{"name": t.name, "folder": str(t.folder), "paths": t.paths} for t in wanted],
    }
    results.parent.mkdir(parents=True, exist_ok=True)
    job_file = results.with_suffix(".job.json")
    text = json.dumps(job, indent=1)
    answer = Path(job["answer"])
    same = job_file.is_file() and job_file.read_text(encoding="utf-8") == text
    if resumed and same and answer.is_file():
        return _answered(entry, made, answer)
    answer.unlink(missing_ok=True)
    job_file.write_text(text, encoding="utf-8")
    checks = Path(__file__).with_name("checks.py")
    command = [*made.wrapped, sys.executable, str(checks), str(job_file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        why = f"the checks themselves failed: {done.stderr.strip()[-500:]}"
        return Row(entry, made.python, problems=[why])
    return _answered(entry, made, answer)


def _answered(entry: Environment, made: Made, answer: Path) -> Row:
    result = json.loads(answer.read_text(encoding="utf-8"))
    return Row(entry, made.python, result=result, problems=list(result["problems"]))


def compare(row: Row, empty: Row, builds: Path, wanted: list[Tree]) -> None:
    """Add to the problems of *row* what is not as in the empty environment."""
    folders = [
        builds / "results" / each.entry.name.replace(" ", "-").replace(",", "")
        for each in (empty, row)
    ]
    for name in ("version", "demo", "run", "hang"):
        if row.result.get(name) != empty.result.get(name):
            row.problems.append(
                f"{name}: {row.result.get(name)!r}, not {empty.result.get(name)!r} as in empty"
            )
    for tree in wanted:
        one, other = (each.result.get("trees", {}).get(tree.name, {}) for each in (empty, row))
        if one.get("exit") != other.get("exit"):
            row.problems.append(f"{tree.name}: exit {other.get('exit')}, not {one.get('exit')}")
        texts = []
        for folder in folders:
            file = folder / f"{tree.name}.findings.json"
            texts.append(file.read_text(encoding="utf-8") if file.is_file() else "")
        if texts[0] != texts[1]:
            lines = difflib.unified_diff(
                texts[0].splitlines(), texts[1].splitlines(), "empty", row.entry.name, "", "", 0, ""
            )
            shown = "\n".join(f"    {line}" for line in list(lines)[:_DIFFERING_LINES])
            row.problems.append(f"{tree.name}: the findings differ:\n{shown}")


def table(rows: Sequence[Row], wanted: Sequence[Tree]) -> list[str]:
    """A line for each environment."""
    head = ["environment", "python", "made", "demo", "run", "hang"]
    head += [f"{t.name}: exit, findings, calls, locks seen %, s" for t in wanted] + ["equal"]
    lines = [head]
    for row in rows:
        if row.skipped:
            lines.append([row.entry.name, row.python or "-", "skipped", *["-"] * (len(head) - 3)])
            continue
        cells = [row.entry.name, row.python, "yes" if row.result else "no"]
        for name in ("demo", "run", "hang"):
            cells.append(str(row.result.get(name, "-")))
        for tree in wanted:
            it = row.result.get("trees", {}).get(tree.name, {})
            cells.append(
                f"{it['exit']} {it['findings']:4} {it['calls_seen']:6.2f} {it['locks_seen']:6.2f} "
                f"{it['seconds']:5.0f}"
                if "findings" in it
                else "no report"
            )
        lines.append([*cells, "NO" if row.problems else "yes"])
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    return [
        "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip() for line in lines
    ]


def told(rows: Sequence[Row], wanted: Sequence[Tree]) -> str:
    """The table, then why environments were skipped, and what is wrong in others."""
    lines = table(rows, wanted)
    skipped = [f"{r.entry.name}: {r.skipped}" for r in rows if r.skipped]
    if skipped:
        lines += ["", "skipped:", *skipped]
    for row in rows:
        if row.problems:
            lines += ["", f"{row.entry.name}:", *(f"  {p}" for p in row.problems)]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The whole matrix, or what of it is asked for; the empty environment is always made."""
    parser = argparse.ArgumentParser(prog="matrix", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", action="append", metavar="NAME", help="only this environment")
    parser.add_argument("--python", action="append", default=[], metavar="PATH")
    parser.add_argument("--trees", default=os.environ.get(TREES, ""), help=f"instead of {TREES}")
    parser.add_argument("--builds", type=Path, default=TOP / "build" / "environments")
    parser.add_argument(
        "--resume", action="store_true", help="what was asked of the same wheel is not asked again"
    )
    parser.add_argument("--list", action="store_true", help="only say which environments there are")
    args = parser.parse_args(arguments)
    if args.list:
        print("\n".join(each.name for each in ENVIRONMENTS))
        return 0
    unknown = set(args.only or ()) - {each.name for each in ENVIRONMENTS}
    if unknown:
        parser.error(f"no such environment: {', '.join(sorted(unknown))} (--list)")
    chosen = [e for e in ENVIRONMENTS if not args.only or e.name in args.only or e is EMPTY]
    builds = args.builds.resolve()
    builds.mkdir(parents=True, exist_ok=True)
    wanted = trees(args.trees, builds)
    try:
        wheel = build_wheel(builds)
    except Failed as error:
        sys.exit(f"matrix: {error}")
    rows = _rows(chosen, wheel, builds, args.python, wanted, args.resume)
    print(told(rows, wanted))
    return int(any(row.problems for row in rows))


def _rows(
    chosen: Sequence[Environment],
    wheel: Path,
    builds: Path,
    given: list[str],
    wanted: list[Tree],
    resumed: bool,
) -> list[Row]:
    program = build_program(builds)
    pythons = interpreters(given)
    rows: list[Row] = []
    for entry in chosen:
        began = time.monotonic()
        try:
            if entry.python == own_version() and not entry.packages and EMPTY in chosen:
                raise Skipped("it is the Python of the empty environment")
            made = make(entry, wheel, builds, pythons)
            print(f"matrix: {entry.name}: made, {time.monotonic() - began:.0f} s", file=sys.stderr)
            row = ask(entry, made, builds, program, wanted, resumed)
        except Skipped as why:
            row = Row(entry, entry.python, skipped=str(why))
        except Failed as error:
            row = Row(entry, entry.python, problems=[str(error)])
        rows.append(row)
        if row.result and row is not rows[0]:
            compare(row, rows[0], builds, wanted)
        row.seconds = time.monotonic() - began
        # Whoever ends the matrix early has what there is.
        (builds / "table.txt").write_text(told(rows, wanted) + "\n", encoding="utf-8")
        word = "skipped" if row.skipped else "differs" if row.problems else "as it should be"
        print(f"matrix: {entry.name}: {word}, {row.seconds:.0f} s", file=sys.stderr)
    return rows


if __name__ == "__main__":
    sys.exit(main())
