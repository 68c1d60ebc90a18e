"""Locks that libraries take for themselves: left out where they say nothing, and nowhere else."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from lockorder.recorded.whose import Owners, sampled_modules
from probed import recorded
from runtime_probe.records import Trace

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "fixtures" / "programs" / "inner.c"
TIMES = 1000


class Built(NamedTuple):
    program: Path
    plugin: Path


@pytest.fixture(scope="session")
def built(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("inner")
    made = Built(folder / "program", folder / "libvendor.so.1")
    build = [*c_compiler, "-std=gnu11", "-O1", "-g", "-Wall", "-Werror", "-pthread"]
    subprocess.run([*build, "-o", made.program, SOURCE, "-ldl"], check=True)
    library = ["-DLIBRARY", "-shared", "-fPIC"]
    subprocess.run([*build, *library, "-o", made.plugin, SOURCE], check=True)
    return made


class Seen(NamedTuple):
    """A trace, its orders by address, and where the library's and the program's mutexes lie."""

    trace: Trace
    orders: set[tuple[int, int]]
    context: int
    queue: int
    programs: int


def run(built: Built, case: str, folder: Path, inner: list[str]) -> Seen:
    trace, printed = recorded([built.program, built.plugin, case], folder, inner)
    places = [int(word, 16) for word in printed.split()]
    address = {number: lock.address for number, lock in trace.locks.items()}
    orders = {(address[e.source], address[e.target]) for e in trace.edges}
    return Seen(trace, orders, *places)


def test_alone_they_are_counted_and_not_told(built: Built, tmp_path: Path) -> None:
    seen = run(built, "alone", tmp_path, ["libvendor.so*"])
    assert not seen.orders
    assert seen.trace.counters["inner_passed"] == 3 * TIMES


def test_a_library_of_another_name_is_told(built: Built, tmp_path: Path) -> None:
    seen = run(built, "alone", tmp_path, ["libother*.so*"])
    assert (seen.context, seen.queue) in seen.orders
    assert seen.trace.counters["inner_passed"] == 0


def test_under_the_programs_lock_what_a_call_takes_is_told(built: Built, tmp_path: Path) -> None:
    seen = run(built, "under", tmp_path, ["libvendor.so*"])
    assert {(seen.programs, seen.context), (seen.programs, seen.queue)} <= seen.orders
    assert 2 * TIMES < seen.trace.counters["inner_passed"] < 3 * TIMES


def test_what_other_code_takes_under_theirs_is_told(built: Built, tmp_path: Path) -> None:
    seen = run(built, "callback", tmp_path, ["libvendor.so*"])
    assert {(seen.context, seen.programs), (seen.queue, seen.programs)} <= seen.orders


def test_who_has_one_that_another_waits_for_is_known(built: Built, tmp_path: Path) -> None:
    trace = run(built, "standing", tmp_path, ["libvendor.so*"]).trace
    (waiting,) = [t for t in trace.threads.values() if t.waits_for]
    holders = [t for t in trace.threads.values() if waiting.waits_for in {h.lock for h in t.held}]
    assert len(holders) == 1
    assert holders[0].number != waiting.number


def test_the_probe_knows_the_libraries_of_the_shipped_list() -> None:
    text = (ROOT / "csrc" / "inner.c").read_text("utf-8")
    listed = text.split("*patterns =")[1].split(";")[0].replace('"', "").split()
    assert "".join(listed).split(":") == sampled_modules()


def test_only_libraries_that_nobody_can_change_are_sampled() -> None:
    owners = Owners()
    assert all(owners.is_inner(owners.of_module(p.replace("*", ""))) for p in sampled_modules())
