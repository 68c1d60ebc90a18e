"""``lockorder demo``: the main job end to end on bundled sources and a bundled program; no GPU."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib import resources
from pathlib import Path

from lockorder.commands.checked import to_document
from lockorder.commands.common import CLEAN, FAILED, UsageError, emit
from lockorder.commands.hang import diagnosis
from lockorder.folding import told
from lockorder.hang import collect
from lockorder.recorded.analyse import analyse as analyse_traces
from lockorder.recorded.analyse import to_document as recorded_document
from lockorder.recorded.analyse import traces_in
from lockorder.recorded.merge import Batch
from lockorder.report import run as run_report
from lockorder.report import summary
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.driver.options import Options
from runtime_probe.errors import ShimMissingError
from runtime_probe.launch import run_preloaded, shim_path

_COMPILERS = ("c++", "g++", "clang++")
#: Seconds in which two threads meet in the wrong order; mostly it takes a few milliseconds.
_PATIENCE = 15.0


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
    found = told(to_document(before))
    emit(found, "text", None, folder, folder)
    for line in summary.lines(found):
        _say(line)
    _say("")
    _say("$ lockorder check after      # streams are recorded before the free mutex is taken")
    fixed = told(to_document(after))
    emit(fixed, "text", None, folder, folder)
    for line in summary.lines(fixed):
        _say(line)
    _say("")
    kept = sorted({(e.held.lock, e.taken.lock) for e in fixed.edges})
    for source, target in kept:
        _say(f"one order is left: {source} -> {target}")
    _say("")
    live = _live(folder)
    stuck = _stuck(folder)
    _say("Next: `lockorder check PATH` on your own sources, `lockorder run -- CMD` on a program;")
    _say("`lockorder explain lock-order-cycle`.")
    good = bool(found.findings) and not fixed.findings and live and stuck
    if not good:
        print("lockorder: error: the demo did not show what it should", file=sys.stderr)
    return CLEAN if good else FAILED


def _check(folder: Path) -> Analysis:
    return analyse([folder], Options(root=folder.parent, inline=True))


def _live(folder: Path) -> bool:
    """Build both versions, run them under the probe, and show what was recorded.

    They take turns, so neither ever hangs: the order alone gives the first one away. True where
    that came out, and where there is nothing to build with, which is said.
    """
    compiler = _compiler()
    try:
        shim_path()
    except ShimMissingError as error:
        _say(f"(not run under the probe: {error})")
        return True
    if compiler is None:
        _say("(not run under the probe: there is no C++ compiler; Debian, Ubuntu: g++)")
        return True
    documents = []
    with tempfile.TemporaryDirectory(prefix="lockorder-demo-") as place:
        for version in ("before", "after"):
            program, traces = Path(place) / version, Path(place) / f"{version}.traces"
            sources = sorted(map(str, (folder / version).glob("*.cpp")))
            build = [compiler, "-std=c++17", "-O1", "-g", "-pthread", *sources, "-o", str(program)]
            done = subprocess.run(build, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                _say(f"(not run under the probe: {compiler} cannot build it: {done.stderr[:200]})")
                return True
            _say(f"$ lockorder run -- {version}")
            sys.stdout.flush()
            run_preloaded([str(program)], traces)
            document = told(recorded_document(analyse_traces(traces_in(traces), 1)))
            emit(document, "text", None, folder, folder)
            for line in run_report.lines(document):
                _say(line)
            _say("")
            documents.append(document)
    before, after = documents
    return bool(before.findings) and not after.findings


def _compiler() -> str | None:
    names = (os.environ.get("CXX", ""), *_COMPILERS)
    return next(filter(None, map(shutil.which, names)), None)


def _stuck(folder: Path) -> bool:
    """Let the first version run without turns until it hangs, look at it, and end it.

    True where that came out, and where it cannot be done here, which is said.
    """
    compiler = _compiler()
    main = folder / "stuck" / "main.cpp"
    if compiler is None or not main.is_file():
        why = "there is no C++ compiler" if compiler is None else "its source is not installed"
        _say(f"(no deadlock was made: {why})")
        return True
    with tempfile.TemporaryDirectory(prefix="lockorder-demo-") as place:
        program = Path(place) / "stuck"
        parts = sorted((folder / "before").glob("*.cpp"))
        sources = [str(main), *(str(part) for part in parts if part.name != "main.cpp")]
        build = [compiler, "-std=c++17", "-O1", "-g", "-pthread", f"-I{folder / 'before'}"]
        done = subprocess.run(
            [*build, *sources, "-o", str(program)], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            _say(f"(no deadlock was made: {compiler} cannot build it: {done.stderr[:200]})")
            return True
        process = subprocess.Popen([str(program)], stdin=subprocess.DEVNULL)
        try:
            return _diagnosed(process, folder)
        finally:
            process.kill()
            process.wait()


def _diagnosed(process: subprocess.Popen[bytes], folder: Path) -> bool:
    end = time.monotonic() + _PATIENCE
    while True:
        time.sleep(0.2)
        found = collect.live([process.pid], False, lambda _: None)
        if found.problems:
            _say(f"(the deadlock was not looked at: {found.problems[0]})")
            return True
        document = diagnosis(Batch(), found)
        deadlock = any(finding.rule == "deadlock" for finding in document.findings)
        if deadlock or time.monotonic() > end:
            break
    _say(f"$ lockorder hang --pid {process.pid}      # the first version, without turns: it hangs")
    if not deadlock:
        _say(f"(it did not within {_PATIENCE:.0f} s)")
        return True
    emit(document, "text", None, folder, folder)
    _say("")
    return True


def _say(line: str) -> None:
    print(line, flush=True)
