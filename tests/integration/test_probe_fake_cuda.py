"""The probe over the fake CUDA and NCCL libraries, loaded RTLD_LOCAL, as PyTorch does with CUDA."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import test_fake_cuda
from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.records import Trace
from runtime_probe.trace import FILE_PATTERN, read_trace

fakes = test_fake_cuda.fakes
RANKS = test_fake_cuda.SOURCES / "ranks.py"


def play(fakes: Path, role: str, env: dict[str, str]) -> tuple[int, str]:
    command = [sys.executable, str(RANKS), str(fakes), role, "0", "1"]
    done = subprocess.run(
        command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    return done.returncode, done.stdout


def rules(folder: Path) -> dict[str, list[str]]:
    command = [sys.executable, "-m", "lockorder", "analyze", "--format", "json", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, list[str]] = {}
    for finding in json.loads(done.stdout).get("findings", []):
        found.setdefault(finding["rule"], []).append(finding["message"])
    return found


def the_trace(folder: Path) -> Trace:
    (path,) = folder.glob(FILE_PATTERN)
    return read_trace(path)


def test_calls_found_by_dlsym_alone(fakes: Path, tmp_path: Path) -> None:
    """No other library imports them: the first that is heard of them is ctypes asking."""
    environment = preload_environment(os.environ, shim_path(), tmp_path)
    play(fakes, "free_between_launches", environment)
    trace = the_trace(tmp_path)
    names = [trace.calls[c.call].name for c in trace.nccl_calls]
    assert names == ["ncclCommInitAll", *["ncclAllReduce"] * 2, *["ncclCommAbort"] * 2]


def test_a_free_that_meets_a_launch(fakes: Path, tmp_path: Path) -> None:
    environment = preload_environment(os.environ, shim_path(), tmp_path)
    code, printed = play(fakes, "free_between_launches", environment)
    assert code == 0
    assert sorted(json.loads(printed)["after"]) == ["free", "launch"]
    found = rules(tmp_path)
    assert "device-sync-hazard" in found
    assert "lock-order-cycle" not in found


def test_one_thread_that_launches_and_frees(fakes: Path, tmp_path: Path) -> None:
    bare = play(fakes, "graph", dict(os.environ))
    environment = preload_environment(os.environ, shim_path(), tmp_path)
    assert play(fakes, "graph", environment) == bare
    found = rules(tmp_path)
    assert "device-sync-hazard" not in found
    assert "lock-order-cycle" not in found
