"""Calls of NCCL's later versions: arguments and results are the program's, and each is recorded."""

from __future__ import annotations

from pathlib import Path

from probed import with_plugin
from runtime_probe.layout import CallFlag

SOURCE = Path(__file__).parents[2] / "fixtures" / "programs" / "nccl_later.c"
ONE_SIDED = {"ncclPutSignal", "ncclSignal", "ncclWaitSignal"}
OTHERS = {"ncclCommGrow", "ncclDevCommCreate", "ncclDevCommDestroy", "ncclCommRevoke"}


def test_later_calls(c_compiler: list[str], tmp_path: Path) -> None:
    # The program succeeds if all arguments came to it, and all results to the library.
    trace, _, _ = with_plugin(c_compiler, SOURCE, "CALLS", tmp_path)
    made = [trace.calls[c.call].name for c in trace.nccl_calls]
    assert set(made) == ONE_SIDED | OTHERS
    flags = {c.name: c.flags for c in trace.calls.values()}
    assert all(flags[name] & CallFlag.LAUNCH for name in ONE_SIDED)
    assert flags["ncclDevCommCreate"] & CallFlag.COLLECTIVE
    held = {trace.calls[b.call].name for b in trace.blocked if b.held}
    assert held == {"ncclCommGrow", "ncclDevCommCreate"}
    grown = [c for c in trace.communicators.values() if c.address == 8192]
    assert [trace.calls[c.made_by].name for c in grown] == ["ncclCommGrow"]
