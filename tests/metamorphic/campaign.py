"""All programs of the corpus, or trees of real code, written differently: the same findings?

    python -m metamorphic.campaign [--only NAME,...] [--seed N] [--jobs N] [PROGRAM...]
    python -m metamorphic.campaign --tree FOLDER...

A program is a file or folder of the corpus (``rings/four_bad.cpp``); without any, all of them.
Exit code 1 where a result differs that is not known to.  The seed decides what is left to chance:
a case is had again by its program, its transformation (``--only``) and the seed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from metamorphic.cases import Case, Verdict, cases
from metamorphic.transformations import ALL, EVERYWHERE, WITH_WORKERS

CORPUS = Path(__file__).parents[2] / "fixtures" / "cpp" / "corpus"
#: Programs and transformations of which the analysis says something else so far, and why.
KNOWN: dict[tuple[str, str], str] = {
    ("calls/interposer_ok", "joined"): (
        "what defines a function of the C library is called by its own file, and then there is one"
    ),
}
#: One program of so many is also read by other processes, which takes seconds to start.
SPARSE = 15
#: Programs that one process reads.
_BATCH = 200
#: Programs that take longer than this are told case by case, in s.
_LONG = 60


def corpus() -> list[str]:
    """Names of all programs, ``category/name``."""
    return sorted(
        f"{entry.parent.name}/{entry.name}"
        for entry in CORPUS.glob("*/*")
        if entry.is_dir() or entry.suffix in (".c", ".cpp")
    )


def ways(program: str, number: int) -> list[str]:
    """The transformations for one program."""
    processes = number % SPARSE == 0 or not program.endswith((".c", ".cpp"))
    return [*EVERYWHERE, *(WITH_WORKERS if processes else ())]


def main(arguments: Sequence[str]) -> int:
    """See the module."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    parser.add_argument("--tree", action="append", default=[], type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--verbose", action="store_true", help="also what clang does not accept")
    chosen = parser.parse_args(arguments)
    only = chosen.only.split(",") if chosen.only else []
    unknown = set(only) - ALL.keys()
    if unknown:
        parser.error(f"no transformation {', '.join(sorted(unknown))}: there are {', '.join(ALL)}")
    if chosen.tree:
        work = [
            (tree, tree.name, some, chosen.seed)
            for tree in chosen.tree
            for some in _dealt(only or list(EVERYWHERE), chosen.jobs)
        ]
    else:
        named = chosen.programs or corpus()
        work = [(CORPUS / p, p, only or ways(p, n), chosen.seed) for n, p in enumerate(named)]
    return _report(_run(work, chosen.jobs), len(work), chosen.verbose)


def _dealt(names: list[str], jobs: int) -> list[list[str]]:
    """The ways to write one tree, one list for each process: each reads the tree for itself."""
    return [some for some in (names[first::jobs] for first in range(jobs)) if some]


Work = tuple[Path, str, list[str], int]


def _run(work: Sequence[Work], jobs: int) -> Iterator[list[Case]]:
    with tempfile.TemporaryDirectory(prefix="metamorphic-cache-") as cache:
        if jobs < 2 or len(work) < 2:
            os.environ["LOCKORDER_CACHE_DIR"] = cache
            yield from map(_cases, work)
            return
        context = multiprocessing.get_context("spawn")
        for first in range(0, len(work), _BATCH * jobs):  # what a process knows only grows
            batch = work[first : first + _BATCH * jobs]
            with ProcessPoolExecutor(jobs, context, _begin, (cache,)) as pool:
                for done in as_completed([pool.submit(_cases, each) for each in batch]):
                    yield done.result()


def _begin(cache: str) -> None:
    os.environ["LOCKORDER_CACHE_DIR"] = cache


def _cases(work: Work) -> list[Case]:
    found = []
    began = time.monotonic()
    for case in cases(*work):
        found.append(case)
        if time.monotonic() - began > _LONG:
            told = f"{case.program} {case.transformation}: {case.verdict.value}"
            print(f"{told}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    return found


def _report(results: Iterator[list[Case]], programs: int, verbose: bool) -> int:
    began, done, new = time.monotonic(), 0, 0
    rows: dict[str, Counter[Verdict]] = {}
    for done, found in enumerate(results, start=1):
        for case in found:
            rows.setdefault(case.transformation, Counter())[case.verdict] += 1
            wrong = case.verdict in (Verdict.DIFFERENT, Verdict.OTHER_PLACES)
            why = KNOWN.get((case.program, case.transformation), "") if wrong else ""
            new += wrong and not why
            told = (Verdict.NOT_ACCEPTED, Verdict.ANOTHER_CHOICE)
            if wrong or (verbose and case.verdict in told):
                again = f"{case.program} --only {case.transformation} --seed {case.seed}"
                known = f" (known: {why})" if why else ""
                print(f"{case.verdict.value}: {again}{known}\n{case.text}\n", flush=True)
        if sys.stderr.isatty() or done % 50 == 0:
            spent = time.monotonic() - began
            print(f"{done} of {programs} programs, {spent:.0f} s", file=sys.stderr, flush=True)
    print(f"{'transformation':22}" + "".join(f"{v.value:>16}" for v in Verdict))
    for name in [n for n in ALL if n in rows]:
        print(f"{name:22}" + "".join(f"{rows[name][v]:16}" for v in Verdict))
    total: Counter[Verdict] = sum(rows.values(), Counter())
    print(f"{'all':22}" + "".join(f"{total[v]:16}" for v in Verdict))
    return 1 if new else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
