"""How the time and memory of a check grow with the program: a table from generated programs.

    bench_growth.py [FUNCTIONS...]       default: 1000 10000 20000 100000

Each program is a layered call graph over classes with locks: guards, raw locks, callbacks kept in
vectors, virtual calls, waits, a recursion here and there.  Reading (clang and facts) is done by all
workers and shown as the CPU seconds of the child processes; linking with lock-set propagation is
the part that looks at the whole program at once, shown as CPU seconds and peak memory (maximum
resident set) of a process that does nothing else.  The last column is its time over that of the
first row, divided by the growth in functions: 1.0 is linear.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from lockorder.knowledge import builtin
from lockorder.rules import Evidence, judge
from lockorder.static.discovery import sources
from lockorder.static.driver import unit_cache as cache
from lockorder.static.driver.options import Options
from lockorder.static.driver.planning import make_plan
from lockorder.static.driver.workers import allow_depth, read_all
from lockorder.static.interp import engine
from lockorder.static.parse.declarations import Facts
from lockorder.static.program.link import Program
from lockorder.static.results.graph import build_graph
from lockorder.static.results.observed import observe

SIZES = (1_000, 10_000, 20_000, 100_000)
#: Functions of one generated class, and classes of one file.
METHODS, CLASSES = 10, 20
LAYERS = 20

HEADER = """\
#pragma once
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>
struct Task { virtual ~Task() = default; virtual int run(int x) = 0; };
using Hook = std::function<void(int)>;
"""


def declaration(number: int) -> str:
    """Class *number*: two locks, a condition, callbacks, ten methods."""
    methods = "\n".join(f"  int step{m}(int x);" for m in range(METHODS - 2))
    return f"""\
class Stage{number} : public Task {{
 public:
{methods}
  void subscribe(Hook hook);
  int run(int x) override;
 private:
  std::mutex mutex_;
  std::mutex late_;
  std::condition_variable ready_;
  std::vector<Hook> hooks_;
  int count_ = 0;
}};
extern Stage{number} stage{number};
"""


def definition(number: int, below: int) -> str:
    """Its methods, which call those of class *below* (a lower layer) and each other."""
    me, other = f"Stage{number}", f"stage{below}"
    parts = [f"{me} stage{number};"]
    for m in range(METHODS - 2):
        body = [
            f"  std::lock_guard<std::mutex> hold(mutex_);\n  return {other}.step{(m + 1) % 8}(x);",
            f"  if (x > {m}) return {other}.step{(m + 3) % 8}(x - 1);\n  return count_;",
            "  std::unique_lock<std::mutex> hold(mutex_);\n"
            "  ready_.wait(hold, [this] { return count_ > 0; });\n  return count_;",
            f"  mutex_.lock();\n  int r = {other}.step{m}(x);\n  mutex_.unlock();\n  return r;",
            "  for (auto& hook : hooks_) hook(x);\n  return x;",
            f"  return x > 0 ? step{m}(x - 1) : {other}.run(x);",
            "  std::scoped_lock both(mutex_, late_);\n  return ++count_;",
            "  std::unique_lock<std::mutex> hold(mutex_, std::try_to_lock);\n"
            "  if (!hold.owns_lock()) return 0;\n  return count_;",
        ][m % 8]
        parts.append(f"int {me}::step{m}(int x) {{\n{body}\n}}")
    parts.append(
        f"void {me}::subscribe(Hook hook) {{\n"
        "  std::lock_guard<std::mutex> hold(late_);\n  hooks_.push_back(std::move(hook));\n}"
    )
    parts.append(
        f"int {me}::run(int x) {{\n  {other}.subscribe([this](int y) {{ count_ += y; }});\n"
        "  return step0(x) + step3(x);\n}"
    )
    return "\n".join(parts)


def generate(folder: Path, functions: int) -> int:
    """Write a program of about *functions* functions; returns the number of files."""
    classes = max(2, functions // METHODS)
    (folder / "task.h").write_text(HEADER)
    files = 0
    for start in range(0, classes, CLASSES):
        inside = range(start, min(start + CLASSES, classes))
        # Some twenty layers whatever the size, as programs grow in width; class 0 is the bottom.
        layer = max(20, classes // LAYERS)
        below = {n: max(0, n - layer + (n * 7) % 13) if n >= layer else 0 for n in inside}
        used = sorted({*inside, *below.values()})
        text = '#include "task.h"\n' + "".join(declaration(n) for n in used)
        text += "\n".join(definition(n, below[n]) for n in inside if n != below[n])
        (folder / f"part{start // CLASSES}.cpp").write_text(text + "\n")
        files += 1
    return files


def link(path: Path) -> None:
    """The whole-program part on facts kept in *path*; prints seconds, MiB and findings."""
    allow_depth()
    units = msgspec.msgpack.decode(path.read_bytes(), type=list[Facts])
    started = time.process_time()
    found = engine.run(Program(units), builtin())
    graph = build_graph(found, "/")
    findings = judge(Evidence(graph, observe(found, graph, "/")))
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{len(found.program.functions)} {seconds:.2f} {peak:.0f} {len(findings)}")


def measure(functions: int) -> tuple[int, float, float, float, int]:
    """Functions found, CPU seconds of reading and of linking, MiB of linking, findings."""
    with tempfile.TemporaryDirectory(prefix="lockorder-bench-") as name:
        folder = Path(name)
        generate(folder, functions)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with cache.opened(False) as kept:
            files, _ = sources.discover([folder])
            options = Options(root=folder)
            plan = make_plan(folder, [str(f) for f in files], options, kept)
            units = read_all(plan, options, kept, None, None, None).facts
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        reading = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        store = folder / "units.facts"
        store.write_bytes(msgspec.msgpack.encode(units))
        del units
        done = subprocess.run(
            [sys.executable, __file__, "--link", str(store)],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        count, seconds, peak, findings = done.stdout.split()
        return int(count), reading, float(seconds), float(peak), int(findings)


def main(arguments: list[str]) -> int:
    """Print the table."""
    if arguments[:1] == ["--link"]:
        link(Path(arguments[1]))
        return 0
    allow_depth()
    print("functions  reading s  linking s  linking MiB  findings  growth")
    first: tuple[int, float] | None = None
    for size in [int(a) for a in arguments] or SIZES:
        count, reading, seconds, peak, findings = measure(size)
        first = first or (count, seconds)
        growth = seconds / first[1] / (count / first[0])
        print(
            f"{count:9} {reading:10.1f} {seconds:10.2f} {peak:12.0f} {findings:9} {growth:7.2f}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
