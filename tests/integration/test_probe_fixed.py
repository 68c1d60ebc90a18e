"""A program that is not position-independent: what a plugin imports from it is redirected, too."""

from __future__ import annotations

from pathlib import Path

import pytest

from probed import with_plugin

SOURCE = Path(__file__).parents[2] / "fixtures" / "programs" / "fixed_program.c"


@pytest.mark.parametrize("flags", [["-no-pie", "-fno-pie"], ["-pie", "-fpie"]])
def test_what_a_large_plugin_calls(c_compiler: list[str], flags: list[str], tmp_path: Path) -> None:
    trace, printed, plugin = with_plugin(c_compiler, SOURCE, "PLUGIN", tmp_path, *flags)
    fixed = "-no-pie" in flags
    assert (int(printed, 16) < 64 << 20) == fixed
    assert str(plugin) in {module.path for module in trace.modules}
    assert [trace.calls[c.call].name for c in trace.nccl_calls] == ["ncclMemFree"]
