"""A program that is not position-independent: what a plugin imports from it is redirected, too."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.trace import read_trace

SOURCE = Path(__file__).parents[2] / "fixtures" / "programs" / "fixed_program.c"


@pytest.mark.parametrize("flags", [["-no-pie", "-fno-pie"], ["-pie", "-fpie"]])
def test_what_a_large_plugin_calls(c_compiler: list[str], flags: list[str], tmp_path: Path) -> None:
    program, plugin, traces = tmp_path / "program", tmp_path / "plugin.so", tmp_path / "traces"
    build = [*c_compiler, "-std=gnu11", "-O1", "-g", "-Wall", "-Werror"]
    subprocess.run([*build, *flags, "-rdynamic", "-o", program, SOURCE, "-ldl"], check=True)
    library = ["-DPLUGIN", "-shared", "-fPIC", "-o", plugin]
    subprocess.run([*build, *library, SOURCE], check=True)
    traces.mkdir()
    done = subprocess.run(
        [program, plugin], env=preload_environment({}, shim_path(), traces),
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    (path,) = traces.glob("trace-*.lot")
    trace = read_trace(path)
    fixed = "-no-pie" in flags
    assert (int(done.stdout, 16) < 64 << 20) == fixed
    assert str(plugin) in {module.path for module in trace.modules}
    assert [trace.calls[c.call].name for c in trace.nccl_calls] == ["ncclMemFree"]
