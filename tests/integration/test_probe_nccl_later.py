"""Calls of NCCL's later versions: arguments and results are the program's, and each is recorded."""

from __future__ import annotations

import subprocess
from pathlib import Path

from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.layout import CallFlag
from runtime_probe.trace import read_trace

SOURCE = Path(__file__).parents[2] / "fixtures" / "programs" / "nccl_later.c"
ONE_SIDED = {"ncclPutSignal", "ncclSignal", "ncclWaitSignal"}
OTHERS = {"ncclCommGrow", "ncclDevCommCreate", "ncclDevCommDestroy", "ncclCommRevoke"}


def test_later_calls(c_compiler: list[str], tmp_path: Path) -> None:
    program, library, traces = tmp_path / "program", tmp_path / "calls.so", tmp_path / "traces"
    build = [*c_compiler, "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
    subprocess.run([*build, "-rdynamic", "-o", program, SOURCE, "-ldl"], check=True)
    subprocess.run([*build, "-DCALLS", "-shared", "-fPIC", "-o", library, SOURCE], check=True)
    traces.mkdir()
    done = subprocess.run(
        [program, library], env=preload_environment({}, shim_path(), traces), check=False
    )
    assert done.returncode == 0
    (path,) = traces.glob("trace-*.lot")
    trace = read_trace(path)
    made = [trace.calls[c.call].name for c in trace.nccl_calls]
    assert set(made) == ONE_SIDED | OTHERS
    flags = {c.name: c.flags for c in trace.calls.values()}
    assert all(flags[name] & CallFlag.LAUNCH for name in ONE_SIDED)
    assert flags["ncclDevCommCreate"] & CallFlag.COLLECTIVE
    held = {trace.calls[b.call].name for b in trace.blocked if b.held}
    assert held == {"ncclCommGrow", "ncclDevCommCreate"}
    grown = [c for c in trace.communicators.values() if c.address == 8192]
    assert [trace.calls[c.made_by].name for c in grown] == ["ncclCommGrow"]
