"""What crashes of libclang cost a check, and what they lose.

    bench_crashes.py TREE PATH... [--header H] [--unit U]

A copy of TREE is checked as it is, then with libclang made to crash: in one header, in one unit, in
every unit (`#pragma clang __debug parser_crash`, which libclang catches), and by an abort of each
of its calls, which ends the process.  Each run begins with an empty cache.  Printed are exit codes,
findings that are still there, how many files were read in which way, and the times over those of
the clean run in the same call.  Exit code 2 if an exit code other than the clean one comes back.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from lockorder.model import Document, decode
from lockorder.static.discovery.sources import HEADERS, SOURCES

CRASH = "\n#pragma clang __debug parser_crash\n"
#: Runs lockorder with libclang's calls ending the process.
ABORTING = """\
import os, sys
from lockorder.static.parse import clang
def abort(*args, **kwargs): os.abort()
clang.parse = clang.load = clang.precompile = abort
from lockorder.cli import main
sys.argv[0] = "lockorder"
sys.exit(main())
"""


class Run(NamedTuple):
    """One check: its exit code, what it found, and what it took in seconds."""

    code: int
    document: Document | None
    cpu: float
    wall: float


def check(root: Path, paths: list[str], aborting: bool = False) -> Run:
    with tempfile.TemporaryDirectory() as cache:
        begin = ["-c", ABORTING] if aborting else ["-m", "lockorder"]
        before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        done = subprocess.run(
            [sys.executable, *begin, "check", "--format", "json", *paths],
            cwd=root, env={**os.environ, "LOCKORDER_CACHE_DIR": cache}, capture_output=True,
            check=False,
        )  # fmt: skip
        after, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - started
    cpu = sum(getattr(after, name) - getattr(before, name) for name in ("ru_utime", "ru_stime"))
    document = decode(done.stdout) if done.returncode in (0, 1) else None
    if document is None:
        sys.stderr.write(done.stderr.decode(errors="replace")[-2000:])
    return Run(done.returncode, document, cpu, wall)


def show(name: str, run: Run, clean: Run) -> None:
    if run.document is None or clean.document is None or run.document.coverage is None:
        print(f"{name:24} exit {run.code}")
        return
    fingerprints = Counter(f.fingerprint for f in clean.document.findings)
    kept = (fingerprints & Counter(f.fingerprint for f in run.document.findings)).total()
    others = len(run.document.findings) - kept
    ways = Counter(
        f.reading.partition(" with")[0] for f in run.document.coverage.files if f.reading
    )
    told = ", ".join(f"{count} {reading}" for reading, count in ways.most_common(3)) or "as planned"
    print(
        f"{name:24} exit {run.code}  {kept} of {fingerprints.total()} findings, {others} others  "
        f"CPU {run.cpu:6.1f} s ({run.cpu / clean.cpu:.2f})  wall {run.wall:6.1f} s "
        f"({run.wall / clean.wall:.2f})  {told}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("tree", type=Path)
    parser.add_argument("paths", nargs="+")
    parser.add_argument("--header", help="the header to crash in (default: the most included one)")
    parser.add_argument("--unit", help="the unit to crash in (default: the first source)")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "tree"
        shutil.copytree(args.tree, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        (root / ".git").mkdir()
        files = [
            file for path in args.paths
            for file in sorted(Path(root, path).rglob("*")) if file.is_file()
        ]  # fmt: skip
        sources = [f for f in files if f.suffix in SOURCES]
        header = root / args.header if args.header else most_included(files)
        unit = root / args.unit if args.unit else sources[0]
        clean = check(root, args.paths)
        show("clean", clean, clean)
        codes = {clean.code}
        cases = {f"header {header.name}": [header], f"unit {unit.name}": [unit],
                 "every unit": sources}  # fmt: skip
        for name, chosen in cases.items():
            before = {file: file.read_bytes() for file in chosen}
            for file, data in before.items():
                file.write_bytes(data + CRASH.encode())
            run = check(root, args.paths)
            show(name, run, clean)
            codes.add(run.code)
            for file, data in before.items():
                file.write_bytes(data)
        run = check(root, args.paths, aborting=True)
        show("every call aborts", run, clean)
        codes.add(run.code)
    return 0 if len(codes) == 1 else 2


def most_included(files: list[Path]) -> Path:
    """The header whose name stands in most #include lines."""
    headers = [f for f in files if f.suffix in HEADERS]
    texts = [f.read_text(errors="replace") for f in files]
    named = {h: sum(f'/{h.name}"' in t or f'"{h.name}"' in t for t in texts) for h in headers}
    return max(sorted(named), key=lambda h: named[h])


if __name__ == "__main__":
    sys.exit(main())
