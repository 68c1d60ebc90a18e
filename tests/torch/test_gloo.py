"""Real PyTorch under the probe: two Gloo ranks, backward threads, loader workers.

Runs with the interpreter that LOCKORDER_TORCH_PYTHON names (``make test-torch`` makes one);
without it everything here is skipped.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.trace import read_trace

PYTHON = os.environ.get("LOCKORDER_TORCH_PYTHON", "")
SCRIPT = Path(__file__).with_name("train.py")
RANKS = 2

pytestmark = pytest.mark.skipif(not PYTHON, reason="no PyTorch here: make test-torch")


def train(folder: Path, traces: Path | None) -> list[str]:
    """What each rank prints."""
    folder.mkdir()
    ranks = []
    for rank in range(RANKS):
        environment = {**os.environ, "RANK": str(rank), "WORLD_SIZE": str(RANKS)}
        if traces is not None:
            environment = preload_environment(environment, shim_path(), traces)
        command = [PYTHON, str(SCRIPT), str(rank), str(RANKS), str(folder / "meeting")]
        ranks.append(
            subprocess.Popen(
                command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
        )
    printed = []
    for process in ranks:
        out, err = process.communicate(timeout=180)
        assert process.returncode == 0, err
        printed.append(out)
    return printed


def test_a_training_run_is_the_same_and_shows_no_false_cycle(tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    assert train(tmp_path / "recorded", traces) == train(tmp_path / "plain", None)
    found = [read_trace(path) for path in traces.glob("*.lot")]
    assert {trace.header.rank for trace in found} == {0, 1}
    dropped = ("threads_dropped", "locks_dropped", "edges_dropped", "records_dropped")
    for trace in found:
        assert not any(trace.counters[name] for name in dropped), trace.path
    command = [sys.executable, "-m", "lockorder", "analyze", "--format", "json", str(traces)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    errors = [f for f in json.loads(done.stdout).get("findings", []) if f["level"] == "error"]
    assert errors == []
