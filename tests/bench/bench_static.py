"""The CPU time of `lockorder check` over that of a compiler that only reads the same files.

    bench_static.py [FILE...]        without files: 40 generated translation units

The peer gets the files and the flags of lockorder's own plan: `clang -fsyntax-only` where a
clang is installed, else libclang in a child process.  Both are measured as user and system time
of child processes in this same call, in turns, so that a busy or slow machine changes both.
Cold is the first check with an empty cache; warm is the second, with nothing changed.  There is
no threshold; exit code 2 if either command fails, which a file with errors makes the peer do: a
compiler that stops early is nothing to compare with.  --no-peer leaves the peer out.

Then a copy of the project is checked cold, warm, and with one source changed (a function more):
one of median size, then the largest.  Those ratios are to the cold run of the same copy; the goal
is at most 0.1 for the source of median size.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lockorder.static.discovery.sources import HEADERS, SOURCES, discover, project_root
from lockorder.static.driver import unit_cache as caching
from lockorder.static.driver.options import Options
from lockorder.static.driver.planning import make_plan
from lockorder.static.parse.clang import ClangError, parse

UNITS, FUNCTIONS, PAIRS = 40, 20, 3
#: Exit codes of `lockorder check` that mean it did its work.
WORKED = (0, 1)


class BenchError(Exception):
    """A command that was to be measured failed; the text says which and how."""


class Work(msgspec.Struct, frozen=True):
    """A file and the flags that a compiler needs to read it."""

    file: str
    flags: tuple[str, ...]


# -- generated sources ------------------------------------------------------------------------

HEADER = """\
#pragma once
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace bench {

class Registry {
 public:
  void add(const std::string& name, std::shared_ptr<int> value) {
    std::lock_guard<std::mutex> held(mutex_);
    entries_[name] = std::move(value);
    changed_.notify_all();
  }
  std::shared_ptr<int> wait_for(const std::string& name) {
    std::unique_lock<std::mutex> held(mutex_);
    changed_.wait(held, [&] { return entries_.count(name) != 0; });
    return entries_[name];
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<std::string, std::shared_ptr<int>> entries_;
};

Registry& registry();
extern std::mutex log_mutex;

}  // namespace bench
"""

FUNCTION = """\
int Worker{unit}::step{number}(const std::string& name, int limit) {{
  std::vector<int> found;
  {{
    std::lock_guard<std::mutex> held(mutex_);
    for (int i = 0; i < limit; ++i) {{
      if (i % 3 == {number} % 3) found.push_back(i);
    }}
    count_ += static_cast<int>(found.size());
  }}
  if (found.size() > 2) {{
    std::lock_guard<std::mutex> logging(log_mutex);
    messages_.push_back(name + std::to_string(count_));
  }}
  registry().add(name, std::make_shared<int>(limit));
  return {below};
}}

"""


def generate(folder: Path) -> list[Path]:
    """Write a project of UNITS sources with one shared header; returns the sources."""
    (folder / "bench.h").write_text(HEADER)
    sources = []
    for unit in range(UNITS):
        methods = "".join(
            f"  int step{n}(const std::string& name, int limit);\n" for n in range(FUNCTIONS)
        )
        bodies = "".join(
            FUNCTION.format(
                unit=unit, number=n, below=f"step{n - 1}(name, limit - 1)" if n % 5 else "limit"
            )
            for n in range(FUNCTIONS)
        )
        source = folder / f"unit{unit:02}.cpp"
        source.write_text(
            f'#include "bench.h"\n\nnamespace bench {{\n\nclass Worker{unit} {{\n public:\n'
            f"{methods}\n private:\n  std::mutex mutex_;\n  int count_ = 0;\n"
            f"  std::vector<std::string> messages_;\n}};\n\n{bodies}}}  // namespace bench\n"
        )
        sources.append(source)
    return sources


# -- the two commands -------------------------------------------------------------------------


def plan(files: Sequence[Path]) -> list[Work]:
    """What the peer is to read: the sources of lockorder's plan, without its prefixes."""
    found, problems = discover(files)
    if problems:
        raise BenchError("; ".join(problems))
    asked = {str(p) for p in found}
    with caching.opened(use=False) as unused:
        jobs = make_plan(project_root(found), sorted(asked), Options(), unused).jobs
    return [Work(j.main, j.flags) for j in jobs if j.main in asked]


def find_clang() -> str | None:
    """`clang` on PATH, else the newest `clang-NN`."""
    plain = shutil.which("clang")
    if plain is not None:
        return plain
    versions = {
        int(m.group(1)): str(file)
        for folder in os.get_exec_path()
        for file in Path(folder).glob("clang-*")
        if (m := re.fullmatch(r"clang-(\d+)", file.name)) and os.access(file, os.X_OK)
    }
    return versions[max(versions)] if versions else None


def cpu_seconds(command: Sequence[str], worked: Sequence[int], cache: Path) -> float:
    """User and system time of *command* and its children; BenchError where it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        command,
        env={**os.environ, "LOCKORDER_CACHE_DIR": str(cache)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in worked:
        tail = "\n".join(done.stderr.splitlines()[-8:])
        raise BenchError(f"{command[0]} failed with {done.returncode}:\n{tail}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check_seconds(files: Sequence[Path], cache: Path) -> float:
    """One `lockorder check` of *files*."""
    command = [sys.executable, "-m", "lockorder", "check", "-q", *map(str, files)]
    return cpu_seconds(command, WORKED, cache)


def peer_seconds(clang: str | None, work: Sequence[Work], cache: Path) -> float:
    """One reading of all files by the peer: a clang process each, or libclang in one child."""
    if clang is not None:
        return sum(
            cpu_seconds([clang, "-fsyntax-only", *w.flags, w.file], (0,), cache) for w in work
        )
    with tempfile.NamedTemporaryFile(prefix="lockorder-bench-", suffix=".json") as listed:
        listed.write(msgspec.json.encode(work))
        listed.flush()
        return cpu_seconds([sys.executable, __file__, "--libclang", listed.name], (0,), cache)


def read_with_libclang(listed: Path) -> int:
    """The child process: parse every file of *listed*, look at nothing."""
    for work in msgspec.json.decode(listed.read_bytes(), type=list[Work]):
        try:
            unit = parse(Path(work.file), work.flags)
        except ClangError as error:
            print(error, file=sys.stderr)
            return 1
        if unit.errors or unit.missing_headers:
            print(f"{work.file}: {(unit.errors or unit.missing_headers)[0]}", file=sys.stderr)
            return 1
    return 0


# -- measuring --------------------------------------------------------------------------------


def measure(files: Sequence[Path], clang: str | None, scratch: Path) -> None:
    """Print PAIRS pairs of cold and warm runs beside the peer, and the medians."""
    work = plan(files)
    lines = sum(len(Path(w.file).read_bytes().splitlines()) for w in work)
    peer = f"{clang} -fsyntax-only" if clang else "libclang in a child process (no clang on PATH)"
    print(f"{len(work)} translation units, {lines} lines without their headers")
    print(f"peer: {peer}, with the flags of lockorder's plan")
    print("CPU seconds, user and system; ratio is lockorder check over the peer")
    cold, warm = [], []
    for number in range(1, PAIRS + 1):
        cache = scratch / f"cache{number}"
        first, beside_first = check_seconds(files, cache), peer_seconds(clang, work, cache)
        second, beside_second = check_seconds(files, cache), peer_seconds(clang, work, cache)
        cold.append(first / beside_first)
        warm.append(second / beside_second)
        print(
            f"pair {number}:  cold {first:6.2f} / {beside_first:6.2f} = {cold[-1]:.2f}"
            f"    warm {second:6.2f} / {beside_second:6.2f} = {warm[-1]:.2f}",
            flush=True,
        )
    print(f"median:  cold {statistics.median(cold):.2f}    warm {statistics.median(warm):.2f}")


def copied(files: Sequence[Path], target: Path) -> list[Path]:
    """*files* in a copy of their project's sources and headers under *target*."""
    found, _ = discover(files)
    root = project_root(found)
    for here, folders, names in os.walk(root):
        folders[:] = [f for f in folders if not f.startswith(".")]
        place = target / Path(here).relative_to(root)
        place.mkdir(parents=True)
        for name in names:
            if Path(name).suffix in SOURCES | HEADERS:
                shutil.copyfile(Path(here, name), place / name)
    (target / ".git").mkdir()
    return [target / f.relative_to(root) for f in found]


def measure_changes(files: Sequence[Path], scratch: Path) -> None:
    """Print PAIRS rows of one cold run and the runs after it, as ratios to the cold one."""
    copies = copied(files, scratch / "copy")
    changeable = sorted((f for f in copies if f.suffix in SOURCES), key=lambda f: f.stat().st_size)
    chosen = (changeable[len(changeable) // 2], changeable[-1])
    names = ", ".join(f"{f.name} ({f.stat().st_size} bytes)" for f in chosen)
    print(f"one source changed: {names}; ratio is to the cold run")
    rows: list[list[float]] = []
    for number in range(1, PAIRS + 1):
        cache = scratch / f"changed{number}"
        cold = check_seconds(copies, cache)
        row = [check_seconds(copies, cache) / cold]
        for file in chosen:
            with file.open("a") as end:
                end.write(f"\nint lockorder_bench_{number}() {{ return {number}; }}\n")
            row.append(check_seconds(copies, cache) / cold)
        rows.append(row)
        print(f"row {number}:   cold {cold:6.2f}    {_ratios(row)}", flush=True)
    medians = [statistics.median(column) for column in zip(*rows, strict=True)]
    print(f"median:                 {_ratios(medians)}")


def _ratios(row: Sequence[float]) -> str:
    unchanged, median, largest = row
    return (
        f"warm {unchanged:.3f}    warm, one file changed {median:.3f}"
        f"    warm, largest file changed {largest:.3f}"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the files given, or generated ones; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--libclang", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--no-peer", action="store_true", help="cold and warm runs only")
    given = parser.parse_args(arguments)
    if given.libclang is not None:
        return read_with_libclang(given.libclang)
    with tempfile.TemporaryDirectory(prefix="lockorder-bench-") as name:
        scratch = Path(name)
        files: list[Path] = given.files
        if not files:
            (scratch / "project" / ".git").mkdir(parents=True)
            files = generate(scratch / "project")
        try:
            if not given.no_peer:
                measure(files, find_clang(), scratch)
            measure_changes(files, scratch)
        except BenchError as error:
            print(f"bench-static: error: {error}", file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
