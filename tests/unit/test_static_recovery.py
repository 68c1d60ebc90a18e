"""Where libclang crashes: what is tried, what is remembered, and that nothing is lost but once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.cycles import find_cycles
from lockorder.model import decode
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.discovery import inputs
from lockorder.static.discovery.libraries import STUBS
from lockorder.static.driver import recovery
from lockorder.static.driver.options import Options
from lockorder.static.driver.recovery import Crashes, Follow, Recovering, Way
from lockorder.static.parse import clang, isolated
from lockorder.static.parse.unit import SYNTAX_ALONE, Job

#: Makes libclang crash where it stands (clang/lib/Lex/Pragma.cpp, PragmaDebugHandler).
CRASH = "#pragma clang __debug parser_crash\n"
#: Enough of <mutex>, and read at once.
LOCKS = """\
#pragma once
namespace std {
struct mutex { void lock(); void unlock(); };
template <class M> struct lock_guard { explicit lock_guard(M &m); ~lock_guard(); };
}
"""
POOL = """\
#pragma once
#include "locks.h"
#include "odd.h"
namespace app {
class Pool {
 public:
  void grow();
  void shrink();
 private:
  std::mutex blocks_;
  std::mutex streams_;
};
}
"""
ODD = "#pragma once\nstruct Odd { int number; };\n%sstruct Later { int number; };\n"
GROW = """\
#include "pool.h"
namespace app {
void Pool::grow() {
  std::lock_guard<std::mutex> one(blocks_);
  std::lock_guard<std::mutex> two(streams_);
}
}
"""
SHRINK = GROW.replace("grow", "shrink").replace("one(blocks_)", "one(streams_)")
SHRINK = SHRINK.replace("two(streams_)", "two(blocks_)")
MAIN = '#include "pool.h"\n%svoid both(app::Pool &pool) { pool.grow(); pool.shrink(); }\n'
MORE = '#include "pool.h"\n%sint more%d() { return %d; }\n'

Write = Callable[..., Path]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a project of six files, with *crash* in those that are named."""
    monkeypatch.setenv("LOCKORDER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(inputs, "GRACE", 0)

    def write(*crashing: str) -> Path:
        root = tmp_path / "project"
        (root / ".git").mkdir(parents=True, exist_ok=True)
        texts = {"locks.h": LOCKS, "pool.h": POOL, "odd.h": ODD, "grow.cpp": GROW,
                 "shrink.cpp": SHRINK, "main.cpp": MAIN,
                 "more.cpp": MORE % ("%s", 1, 1)}  # fmt: skip
        for name, text in texts.items():
            mark = CRASH if name in crashing else ""
            whole = text % mark if "%s" in text else text
            if mark and "%s" not in text:
                whole = whole.replace('#include "pool.h"\n', f'#include "pool.h"\n{mark}')
            (root / name).write_text(whole)
        return root

    return write


def check(root: Path, inline: bool = True, jobs: int = 2) -> Analysis:
    return analyse([root], Options(inline=inline, jobs=jobs))


def readings(found: Analysis) -> dict[str, str]:
    return {x.file: x.reading for x in found.coverage.files if x.reading}


def cycles(found: Analysis) -> list[tuple[str, ...]]:
    return [c.locks for c in find_cycles(found.graph).cycles]


EXPECTED = [("app::Pool::blocks_", "app::Pool::streams_")]
SOURCES = ("grow.cpp", "shrink.cpp", "main.cpp", "more.cpp")


def test_nothing_is_told_where_nothing_crashes(project: Write) -> None:
    found = check(project())
    assert (cycles(found), readings(found), found.problems) == (EXPECTED, {}, [])


def test_a_header_in_the_prefix(project: Write) -> None:
    """Only that header is read by its syntax; whoever includes it says so."""
    found = check(project("odd.h"))
    assert (cycles(found), found.problems) == (EXPECTED, [])
    told = readings(found)
    assert told.pop("odd.h") == SYNTAX_ALONE
    assert set(told.values()) == {recovery.WITHOUT_HEADER.format("odd.h")}


@pytest.mark.parametrize("name", SOURCES)
def test_one_unit(project: Write, name: str) -> None:
    found = check(project(name))
    assert (cycles(found), found.problems) == (EXPECTED, [])
    assert readings(found)[name] == SYNTAX_ALONE
    assert not {"grow.cpp", "shrink.cpp"} - {name} & set(readings(found))


def test_every_unit(project: Write) -> None:
    found = check(project(*SOURCES))
    assert (cycles(found), found.problems) == (EXPECTED, [])
    assert {readings(found)[name] for name in SOURCES} == {SYNTAX_ALONE}


def test_processes_that_die(project: Write) -> None:
    """A crash that libclang does not catch ends the process, and nothing else."""
    root = project("odd.h", "main.cpp")
    done = subprocess.run(
        [sys.executable, "-m", "lockorder", "check", "--format", "json", "-j", "2", str(root)],
        env={**os.environ, "LIBCLANG_DISABLE_CRASH_RECOVERY": "1"},
        capture_output=True, check=False, timeout=200,
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    document = decode(done.stdout)
    assert [f.rule for f in document.findings] == ["lock-order-cycle"]
    assert document.coverage is not None
    told = {x.file: x.reading for x in document.coverage.files}
    assert told["main.cpp"] == told["odd.h"] == SYNTAX_ALONE
    assert told["grow.cpp"] == recovery.WITHOUT_HEADER.format("odd.h")
    assert b"Traceback" not in done.stderr


def test_no_libclang_at_all(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object, **kwargs: object) -> clang.Unit:
        raise clang.ClangError("it always crashes")

    for name in ("parse", "load", "precompile"):
        monkeypatch.setattr(clang, name, crash)
    found = check(project())
    assert (cycles(found), found.problems) == (EXPECTED, [])
    assert set(readings(found).values()) == {SYNTAX_ALONE}


def test_a_crash_is_met_once(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Later runs take what was read from the cache, and know the header."""
    root = project("odd.h", "main.cpp")
    first = check(root)
    crashes = []
    parse = clang.parse

    def counted(*args: object, **kwargs: object) -> clang.Unit:
        try:
            return parse(*args, **kwargs)  # type: ignore[arg-type]
        except clang.ClangError:
            crashes.append(args[0])
            raise

    monkeypatch.setattr(clang, "parse", counted)
    again = check(root)
    assert (crashes, readings(again)) == ([], readings(first))
    (root / "grow.cpp").write_text(GROW + "// changed\n")
    changed = check(root)
    assert (crashes, readings(changed), cycles(changed)) == ([], readings(first), EXPECTED)


def test_a_header_that_is_mended_is_read_again(project: Write) -> None:
    check(project("odd.h"))
    found = check(project())
    assert (readings(found), cycles(found)) == ({}, EXPECTED)


def test_suspects_are_named_innermost_first(project: Write) -> None:
    root = project("odd.h")
    job = Job(str(root / "grow.cpp"), (), ("-x", "c++", "-nostdinc"), False, True)
    found = [os.path.basename(s) for s in isolated.suspects(True, job)]
    assert found[0] == "odd.h"
    assert found[-1] == "grow.cpp"
    (root / "odd.h").write_text(ODD % "")
    assert isolated.suspects(True, job) == []


def test_without_the_headers_that_a_build_names() -> None:
    """The project's folders and the compiler's stay; what is shipped is whole again."""
    flags = ("-x", "c++", "-I/p/include", "-I", "/opt/sdk/include", "-isystem/usr/lib/x/include",
             "-DA=1", "-isystem", "/builtin", "-idirafter", "/cache/headers-1")  # fmt: skip
    job = Job("/p/a.cpp", (), flags, False, True, bundled=("/builtin", "/cache/headers-1"))
    found = recovery.without_installed(job, "/p")
    assert found is not None
    assert found.flags == (
        "-x", "c++", "-I/p/include", "-DA=1", "-isystem", "/builtin", "-idirafter", str(STUBS),
    )  # fmt: skip
    plain = Job("/p/a.cpp", (), flags[:3], False, True)
    assert recovery.without_installed(plain, "/p") is None


# -- what is handed out, against a world that says what crashes -----------------------------------

HEADERS = frozenset(("/p/a.h", "/p/b.h"))
KINDS = ("planned", "prefix", "bodies", "main")


class World:
    """Says what crashes: ways to read each unit; headers that do, whatever includes them."""

    def __init__(self, crashing: list[set[str]], alone: set[str]) -> None:
        self.crashing = crashing
        self.alone = alone

    def crashes(self, number: int, job: Job) -> bool:
        if not job.clang:
            return False
        if self.alone - set(job.crashing):
            return True  # every unit includes both
        if job.main in job.crashing:
            return "main" in self.crashing[number]
        if job.crashing:
            return False
        if not job.bodies:
            return "bodies" in self.crashing[number]
        return ("planned" if job.precompiled else "prefix") in self.crashing[number]

    def best(self, number: int, job: Job) -> Way | None:
        """The first way that reads a unit, tried one by one; None: it is read as planned."""
        if not self.crashes(number, job):
            return None
        ways = recovery.ways(job, HEADERS, "/p")
        way: Way | Follow = next(ways)
        while True:
            if isinstance(way, Follow):
                way = ways.send(sorted(HEADERS))
                continue
            task = recovery.by_way(way, job, HEADERS, "/p")
            if task is not None and not self.crashes(number, task):
                return way
            way = ways.send(None)

    def expected(self, jobs: list[Job]) -> list[Way | None]:
        """By the rule: a sample of what crashed is read in the best way, the rest like those."""
        best = [self.best(number, job) for number, job in enumerate(jobs)]
        crashed = [number for number, way in enumerate(best) if way is not None]
        sample, left = crashed[: recovery.SAMPLE], crashed[recovery.SAMPLE :]
        ways = {best[number] for number in sample}
        common = ways.pop() if len(ways) == 1 else None
        for number in left:
            if common is not None:
                task = recovery.by_way(common, jobs[number], HEADERS, "/p")
                if task is not None and not self.crashes(number, task):
                    best[number] = common
        return best


@given(
    crashing=st.lists(st.sets(st.sampled_from(KINDS)), min_size=1, max_size=9),
    alone=st.sets(st.sampled_from(sorted(HEADERS)), max_size=1),
    data=st.data(),
)
def test_each_unit_is_read_once_and_in_the_same_way(
    crashing: list[set[str]], alone: set[str], data: st.DataObject
) -> None:
    """Whatever the order of reading, and however many read at once."""
    world = World(crashing, alone)
    jobs = [
        Job(f"/p/{n}.cpp", (), ("-x", "c++"), False, True, "/cache/x.pch")
        for n in range(len(crashing))
    ]
    reached = {job.main: HEADERS for job in jobs}
    read: dict[int, Job] = {}

    def take(number: int, job: Job, answer: object) -> None:
        assert number not in read
        assert answer is not None
        read[number] = job

    reader: Recovering[str] = Recovering(
        jobs, reached, "/p", Crashes(Path("/nowhere"), "test"),
        lambda header, job: header in alone, take,
    )  # fmt: skip
    reader.begin(data.draw(st.permutations(range(len(jobs)))))
    busy: list[tuple[int, Job | Follow]] = []
    attempts = 0
    while reader.due or busy:
        while reader.due and len(busy) < 3:
            busy.append(reader.next())
        number, task = busy.pop(data.draw(st.integers(0, len(busy) - 1)))
        attempts += 1
        if isinstance(task, Follow):
            reader.answered(number, task, sorted(HEADERS))
        else:
            reader.answered(number, task, None if world.crashes(number, task) else "read")
        if not (reader.due or busy):
            reader.idle()
    for number, (job, way) in enumerate(zip(jobs, world.expected(jobs), strict=True)):
        wanted = job if way is None else recovery.by_way(way, job, HEADERS, "/p")
        assert wanted is not None
        assert read[number].reading == wanted.reading
    same = all(c == crashing[0] for c in crashing)
    if same:  # one crash a unit, and the ways of the sample
        assert attempts <= 2 * len(jobs) + 9 * recovery.SAMPLE
