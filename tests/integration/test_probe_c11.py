"""C11's threads.h: glibc's are pthread's by other names; those of others are let alone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from probed import recorded
from runtime_probe.records import Trace

SOURCE = Path(__file__).parents[2] / "fixtures" / "programs" / "c11_threads.c"
BINDING = ["-Wl,-z,lazy", "-Wl,-z,now"]


def build(compiler: list[str], folder: Path, *flags: str) -> Path:
    made = folder / "c11_threads"
    subprocess.run(
        [*compiler, "-std=gnu11", "-g", "-Wall", "-Werror", "-pthread", *flags, "-o", made, SOURCE],
        check=True,
    )
    return made


def run(program: Path, what: str, folder: Path) -> tuple[Trace, list[str]]:
    """What was recorded, and the lines that the program printed."""
    trace, printed = recorded([program, what], folder / "traces")
    return trace, printed.splitlines()


def orders(trace: Trace) -> set[tuple[int, int]]:
    return {(trace.locks[e.source].address, trace.locks[e.target].address) for e in trace.edges}


@pytest.fixture(params=BINDING)
def program(request: pytest.FixtureRequest, c_compiler: list[str], tmp_path: Path) -> Path:
    return build(c_compiler, tmp_path, request.param)


def test_orders(program: Path, tmp_path: Path) -> None:
    trace, lines = run(program, "orders", tmp_path)
    red, blue = (int(address, 16) for address in lines[-1].split())
    assert lines[0] == "7 -8"
    assert orders(trace) >= {(red, blue), (blue, red)}
    assert len(trace.threads) == 3
    assert {t.creator for t in trace.threads.values()} == {0, 1}


def test_waits(program: Path, tmp_path: Path) -> None:
    trace, lines = run(program, "waits", tmp_path)
    red, blue = (int(address, 16) for address in lines[-1].split())
    held = {
        trace.calls[b.call].name: {trace.locks[h.lock].address for h in b.held}
        for b in trace.blocked
    }
    assert held["thrd_join"] == {red}
    assert held.get("cnd_wait", {red}) == {red}
    assert (red, blue) in orders(trace)
    assert not trace.misuses


def test_an_initialiser(program: Path, tmp_path: Path) -> None:
    trace, lines = run(program, "once", tmp_path)
    red = int(lines[-1].split()[0], 16)
    found = orders(trace)
    (once,) = {b for a, b in found if a == red}
    assert (once, red) in found


def test_they_return_the_same(program: Path, tmp_path: Path) -> None:
    plain = subprocess.run([program, "results"], stdout=subprocess.PIPE, text=True, check=True)
    _, lines = run(program, "results", tmp_path)
    assert lines[:-1] == plain.stdout.splitlines()[:-1] == ["1"] * 5 + ["7", "-8"]


def test_functions_of_these_names_that_are_the_program_s_own(
    c_compiler: list[str], tmp_path: Path
) -> None:
    program = build(c_compiler, tmp_path, "-DOWN", "-rdynamic", "-Wl,-z,lazy")
    trace, lines = run(program, "own", tmp_path)
    red, blue = (int(address, 16) for address in lines[-1].split())
    assert lines[0] == "7 -8"
    assert not orders(trace) & {(red, blue), (blue, red)}
    assert not trace.misuses
