"""Runs fixtures/programs/chaos.c under the probe for a while, seed after seed, and compares.

    chaos.py [--minutes N] [--seed N] [--steps N]

In turns: as it is, built with AddressSanitizer, with other allocators (what is installed of
them). Each run must print and return what it does without the probe, its traces must be whole,
and `lockorder analyze` must find what the program does wrong on purpose and nothing else. The
first run that differs ends it with exit 1; its traces stay.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from runtime_probe.launch import preload_environment, shim_path

PROGRAMS = Path(__file__).resolve().parents[2] / "fixtures" / "programs"
ALLOCATORS = ("libjemalloc.so.2", "libtcmalloc_minimal.so.4")
ON_PURPOSE = {"lock-held-at-thread-exit": 1, "unlock-not-held": 1}
BY_CHANCE = "lock-held-across-fork"
LIMIT_S = 60
#: What hangs or fails by itself (AddressSanitizer's allocator, after a fork beside a dlopen).
NOT_COUNTED = "fails without the probe"


def build(folder: Path, name: str, *flags: str, source: str = "chaos.c") -> Path | None:
    compiler = os.environ.get("CC") or shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        sys.exit("chaos: no C compiler (Debian, Ubuntu: apt-get install gcc libc6-dev)")
    target = folder / name
    command = [compiler, "-std=c11", "-O1", "-g", "-pthread", *flags, "-o", target]
    done = subprocess.run([*command, PROGRAMS / source], capture_output=True, check=False)
    return target if done.returncode == 0 else None


def variants(folder: Path) -> list[tuple[str, Path, dict[str, str]]]:
    """Name, program, what is added to the environment."""
    plain, asan = build(folder, "chaos"), build(folder, "chaos-asan", "-fsanitize=address")
    assert plain is not None, "chaos.c does not compile"
    found: list[tuple[str, Path, dict[str, str]]] = [("plain", plain, {})]
    if asan is not None:
        # Threads that end in a child leave nothing that could be freed.
        found.append(("asan", asan, {"ASAN_OPTIONS": "detect_leaks=0"}))
    for name in ALLOCATORS:
        for path in list(Path("/usr/lib").glob(f"**/{name}"))[:1]:
            found.append((name.partition(".")[0], plain, {"LD_PRELOAD": str(path)}))
    return found


def outcome(command: list[str], environment: Mapping[str, str]) -> tuple[int, str, str]:
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        return 124, "", f"still there after {LIMIT_S} s"
    return done.returncode, done.stdout, done.stderr


def difference(command: list[str], extra: dict[str, str], traces: Path) -> str:
    """What is wrong with a recorded run; nothing: empty."""
    environment = {**os.environ, **extra}
    plain = outcome(command, environment)
    if plain[0] != 0:
        return NOT_COUNTED
    asan = "ASAN_OPTIONS" in extra
    recorded = outcome(command, preload_environment(environment, shim_path(), traces, asan))
    if recorded != plain:
        return f"{recorded}\nwithout the probe: {plain}"
    analyze = [sys.executable, "-m", "lockorder", "analyze", "-q", "--format", "json", str(traces)]
    done = subprocess.run(analyze, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        return done.stderr
    found = Counter(f["rule"] for f in json.loads(done.stdout)["findings"])
    del found[BY_CHANCE]
    return "" if found == ON_PURPOSE else f"findings: {dict(found)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1, help="the first one")
    parser.add_argument("--steps", type=int, default=2000, help="of each of the four workers")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="lockorder-chaos-"))
    plugin = build(folder, "plugin.so", "-shared", "-fPIC", source="chaos_plugin.c")
    ways, seed = variants(folder), options.seed
    until, runs = time.monotonic() + 60 * options.minutes, Counter[str]()
    while time.monotonic() < until:
        name, program, extra = ways[(seed - options.seed) % len(ways)]
        traces = folder / f"{name}-{seed}"
        traces.mkdir()
        command = [str(program), str(seed), str(options.steps), str(plugin)]
        wrong = difference(command, extra, traces)
        if wrong == NOT_COUNTED:
            name = f"{name} {NOT_COUNTED}"
        elif wrong:
            sys.exit(f"chaos: {name}, seed {seed}: {wrong}\ntraces: {traces}")
        shutil.rmtree(traces)
        runs[name] += 1
        seed += 1
    shutil.rmtree(folder)
    told = ", ".join(f"{count} {name}" for name, count in runs.items())
    print(f"chaos: {sum(runs.values())} runs ({told}), {4 * options.steps} steps each: as without")


if __name__ == "__main__":
    main()
