"""Everything at once (fixtures/programs/chaos.c): the probe is not noticed, and not misled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.trace import read_trace

BuildProgram = Callable[[str], Path]
#: What the program does wrong on purpose; a fork finds locks held elsewhere, or does not.
ON_PURPOSE = {"lock-held-at-thread-exit", "unlock-not-held"}
BY_CHANCE = {"lock-held-across-fork"}


@pytest.fixture(scope="session")
def chaos(build_program: BuildProgram, c_compiler: list[str]) -> list[str]:
    program = build_program("chaos")
    source = Path(__file__).parents[2] / "fixtures" / "programs" / "chaos_plugin.c"
    plugin = program.with_name("chaos_plugin.so")
    flags = ["-std=c11", "-O1", "-g", "-shared", "-fPIC", "-pthread"]
    subprocess.run([*c_compiler, *flags, "-o", plugin, source], check=True)
    return [str(program), str(plugin)]


@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_short_chaos(chaos: list[str], tmp_path: Path, seed: int) -> None:
    program, plugin = chaos
    command = [program, str(seed), "1500", plugin]
    folder = tmp_path / "traces"
    folder.mkdir()
    probed = preload_environment(os.environ, shim_path(), folder)
    plain, recorded = (
        subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=60, check=False
        )
        for environment in (os.environ, probed)
    )
    assert (plain.returncode, plain.stderr) == (0, "")
    assert (recorded.returncode, recorded.stdout, recorded.stderr) == (0, plain.stdout, "")
    analyze = [sys.executable, "-m", "lockorder", "analyze", "-q", "--format", "json", str(folder)]
    done = subprocess.run(analyze, capture_output=True, check=False)
    assert done.returncode == 1, done.stderr.decode()
    document = json.loads(done.stdout)
    found = [f["rule"] for f in document["findings"]]
    assert sorted(r for r in found if r not in BY_CHANCE) == sorted(ON_PURPOSE), document[
        "findings"
    ]
    assert all(not process.get("lost") for process in document["run"]["processes"])


def test_many_locks_are_told_apart_and_held_at_once(chaos: list[str], tmp_path: Path) -> None:
    program, plugin = chaos
    environment = preload_environment(os.environ, shim_path(), tmp_path)
    command = [program, "5", "150", plugin, "200000", "300"]
    done = subprocess.run(command, env=environment, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    traces = [read_trace(path) for path in tmp_path.glob("trace-*.lot")]
    (whole,) = (t for t in traces if not t.header.flags & 1 and len(t.threads) > 4)
    assert whole.counters["locks_seen"] > 200000
    assert whole.counters["held_overflow"] == whole.counters["locks_dropped"] == 0
    assert max(stat.deepest for stat in whole.stats.values()) >= 299
