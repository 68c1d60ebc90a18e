"""``lockorder demo``: the main job end to end on bundled sources; no GPU, no build."""

from __future__ import annotations

import argparse
import sys
from importlib import resources
from pathlib import Path

from lockorder.commands.check import to_document
from lockorder.commands.common import CLEAN, FAILED, UsageError, emit
from lockorder.report import summary
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.planning import Options


def sources() -> Path:
    """The bundled miniature: from the installed package, else from the source tree.

    Raises UsageError where neither has it.
    """
    beside = Path(__file__).resolve().parents[2] / "fixtures" / "cpp" / "miniature"
    try:
        installed = Path(str(resources.files("lockorder.demo_data") / "miniature"))
    except ModuleNotFoundError:
        installed = beside
    for folder in (installed, beside):
        if (folder / "before").is_dir():
            return folder
    raise UsageError("the demo's sources are missing: install lockorder again")


def run(args: argparse.Namespace) -> int:
    """Show the deadlock in the first version, and that the second has none."""
    folder = sources()
    before, after = _check(folder / "before"), _check(folder / "after")
    _say("A miniature of a real deadlock (PyTorch #22173, 2019): a caching allocator and a process")
    _say(f"group take two mutexes in opposite orders.  Sources: {folder}")
    _say("")
    _say("$ lockorder check before")
    found = to_document(before)
    emit(found, "text", None, folder, folder)
    for line in summary.lines(found):
        _say(line)
    _say("")
    _say("$ lockorder check after      # streams are recorded before the free mutex is taken")
    fixed = to_document(after)
    emit(fixed, "text", None, folder, folder)
    for line in summary.lines(fixed):
        _say(line)
    _say("")
    kept = sorted({(e.held.lock, e.taken.lock) for e in fixed.edges})
    for source, target in kept:
        _say(f"one order is left: {source} -> {target}")
    _say("Next: `lockorder check PATH` on your own sources; `lockorder explain lock-order-cycle`.")
    good = bool(found.findings) and not fixed.findings
    if not good:
        print("lockorder: error: the demo did not show what it should", file=sys.stderr)
    return CLEAN if good else FAILED


def _check(folder: Path) -> Analysis:
    return analyse([folder], Options(root=folder.parent, inline=True))


def _say(line: str) -> None:
    print(line, flush=True)
