"""What a lock and unlock pair costs: plain, under the probe, ThreadSanitizer, Helgrind and DRD.

    bench_probe.py [--rounds N]

All are measured in turns in this one call (fixtures/programs/lock_pairs.c), at depth 1, 2 and 10
and with 1, 2 and 4 threads; the median of the rounds is shown, in ns a pair. Peers that are not
installed are left out, and said to be. There is no threshold here: the goals stand in the table's
last line.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from runtime_probe.launch import preload_environment, shim_path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "fixtures" / "programs" / "lock_pairs.c"
CASES = [(1, 1), (2, 1), (10, 1), (1, 2), (1, 4), (10, 4)]


def build(folder: Path, name: str, *flags: str) -> Path | None:
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("bench_probe: no C compiler (Debian, Ubuntu: apt-get install gcc libc6-dev)")
    program = folder / name
    command = [compiler, "-std=gnu11", "-O2", "-g", *flags, "-o", program, SOURCE, "-pthread"]
    done = subprocess.run(command, capture_output=True, check=False)
    return program if done.returncode == 0 else None


def measure(command: list[str], depth: int, threads: int, pairs: int, env: dict[str, str]) -> float:
    arguments = [*command, str(depth), str(threads), str(pairs)]
    done = subprocess.run(arguments, env=env, capture_output=True, text=True, check=False)
    if done.returncode != 0 or not done.stdout:
        return float("nan")
    return float(done.stdout.split()[-1])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--rounds", type=int, default=5, help="of each measurement")
    rounds = options.parse_args().rounds
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = build(folder, "plain")
        tsan = build(folder, "tsan", "-fsanitize=thread")
        valgrind = shutil.which("valgrind")
        assert plain is not None, "the program does not compile"
        here = dict(os.environ)
        traces = folder / "traces"
        traces.mkdir()
        probed = preload_environment(here, shim_path(), traces)
        tools: dict[str, tuple[list[str], int, dict[str, str]]] = {
            "plain": ([str(plain)], 2_000_000, here),
            "probe": ([str(plain)], 2_000_000, probed),
        }
        if tsan is not None:
            tools["tsan"] = ([str(tsan)], 500_000, here)
        if valgrind is not None:
            for tool in ("helgrind", "drd"):
                tools[tool] = ([valgrind, f"--tool={tool}", "-q", str(plain)], 20_000, here)
        missing = [t for t in ("tsan", "helgrind", "drd") if t not in tools]
        print("ns a lock/unlock pair, median of", rounds, "rounds in turns")
        print("depth threads  " + "".join(f"{tool:>10}" for tool in tools) + "   probe - plain")
        for depth, threads in CASES:
            times: dict[str, list[float]] = {tool: [] for tool in tools}
            for _ in range(rounds):
                for tool, (command, pairs, env) in tools.items():
                    times[tool].append(measure(command, depth, threads, pairs, env))
            middle = {tool: statistics.median(each) for tool, each in times.items()}
            added = statistics.median(
                b - a for a, b in zip(times["plain"], times["probe"], strict=True)
            )
            shown = "".join(f"{middle[tool]:10.1f}" for tool in tools)
            print(f"{depth:5} {threads:7}  {shown}   {added:10.1f}", flush=True)
        print("goals: probe - plain at most 12 at depth 1, 20 at depth 10")
        if missing:
            print("not installed:", ", ".join(missing))


if __name__ == "__main__":
    main()
