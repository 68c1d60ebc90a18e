"""Facts of earlier runs: used when nothing that decides them has changed, and never else."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder.commands.checked import to_document
from lockorder.model import encode
from lockorder.static.analyse import analyse
from lockorder.static.cache import folder as cache_folder
from lockorder.static.discovery import inputs
from lockorder.static.driver import unit_cache as cache
from lockorder.static.driver import workers
from lockorder.static.driver.options import Options
from lockorder.static.parse.unit import Job

LOCKS = """\
#pragma once
struct pthread_mutex_t { int word; };
extern "C" int pthread_mutex_lock(pthread_mutex_t *);
extern "C" int pthread_mutex_unlock(pthread_mutex_t *);
extern pthread_mutex_t red, green;
"""
SOURCE = """\
#include "locks.h"
void NAME() {
  pthread_mutex_lock(&FIRST);
  pthread_mutex_lock(&SECOND);
  pthread_mutex_unlock(&SECOND);
  pthread_mutex_unlock(&FIRST);
}
"""


def source(name: str, first: str = "red", second: str = "green") -> str:
    return SOURCE.replace("NAME", name).replace("FIRST", first).replace("SECOND", second)


class Project:
    """Two sources with a header, and folders of headers that are not theirs."""

    def __init__(self, path: Path) -> None:
        self.path = path / "project"
        self.outside = path / "outside"
        self.read: list[str] = []
        self.extra: tuple[str, ...] = ("-I", str(path / "early"), "-I", str(self.outside))
        (path / "early").mkdir()
        self.early = path / "early"
        self.put("project/.git/HEAD", "")
        self.put("outside/foreign.hpp", "inline int foreign() { return 1; }\n")
        self.put("project/locks.h", LOCKS)
        self.put("project/one.cpp", source("one"))
        self.put("project/two.cpp", "#include <foreign.hpp>\n" + source("two", "green", "red"))

    def put(self, name: str, content: str) -> Path:
        file = self.path.parent / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
        return file

    def check(self, cached: bool = True, *more: str) -> bytes:
        """The result as JSON; the names of units that were read are in ``read``."""
        self.read.clear()
        options = Options(inline=True, extra=(*self.extra, *more), cache=cached)
        return encode(to_document(analyse([self.path], options)))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("LOCKORDER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("LOCKORDER_CACHE_SIZE", raising=False)
    monkeypatch.setattr(inputs, "GRACE", 0)  # what a test has just written is what it will read
    found = Project(tmp_path)
    read = workers.answer

    def answer(job: Job) -> workers.Answer:
        found.read.append(os.path.basename(job.main))
        return read(job)

    monkeypatch.setattr(workers, "answer", answer)
    return found


def entries(project: Project) -> list[Path]:
    return sorted((project.path.parent / "cache" / "facts").rglob("*.facts"))


BOTH = ["one.cpp", "two.cpp"]


def test_nothing_is_read_again_where_nothing_changed(project: Project) -> None:
    cold = project.check()
    assert sorted(project.read) == BOTH
    assert b"lock-order-cycle" in cold
    assert project.check() == cold
    assert project.read == []


def test_progress_starts_with_what_is_cached(project: Project) -> None:
    project.check()
    project.put("project/one.cpp", source("one", "green", "red"))
    told: list[tuple[str, int, int]] = []
    options = Options(inline=True, extra=project.extra)
    analyse([project.path], options, progress=lambda *now: told.append(now))
    assert told == [("reading", 1, 2), ("reading", 2, 2)]


def test_a_new_time_of_change_is_no_change(project: Project) -> None:
    project.check()
    os.utime(project.path / "locks.h", (1, 1))
    project.check()
    assert project.read == []


def test_the_main_file_changed(project: Project) -> None:
    project.check()
    project.put("project/one.cpp", source("one", "green", "red"))
    found = project.check()
    assert project.read == ["one.cpp"]
    assert b"lock-order-cycle" not in found


def test_same_size_and_same_time_are_not_same_content(project: Project) -> None:
    project.check()
    file = project.path / "one.cpp"
    before = file.stat()
    project.put("project/one.cpp", source("eno"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    project.check()
    assert project.read == ["one.cpp"]


def test_a_header_of_the_project_changed(project: Project) -> None:
    project.check()
    project.put("project/locks.h", LOCKS + "extern pthread_mutex_t blue;\n")
    project.check()
    assert sorted(project.read) == BOTH


def test_a_header_from_elsewhere_changed(project: Project) -> None:
    project.check()
    project.put("outside/foreign.hpp", "inline int foreign() { return 2; }\n")
    project.check()
    assert project.read == ["two.cpp"]


def test_a_header_from_elsewhere_is_gone(project: Project) -> None:
    project.check()
    (project.outside / "foreign.hpp").unlink()
    assert project.check() == project.check(cached=False)


def test_a_flag_changed(project: Project) -> None:
    project.check()
    project.check(True, "-DNEW=1")
    assert sorted(project.read) == BOTH
    project.check()
    assert project.read == [], "the other flags' entries are still there"


def test_a_header_that_shadows_another(project: Project) -> None:
    project.check()
    project.put("early/foreign.hpp", "inline int foreign() { return 3; }\n")
    project.check()
    assert project.read == ["two.cpp"]
    (project.early / "foreign.hpp").unlink()
    project.check()
    assert project.read == ["two.cpp"]


def test_a_header_that_flags_include(project: Project) -> None:
    project.put("outside/forced.hpp", "")
    for flags in (("-include", "forced.hpp"), ("-includeforced.hpp",)):
        project.check(True, *flags)
        project.put("early/forced.hpp", "extern int early;\n")
        project.check(True, *flags)
        assert sorted(project.read) == BOTH
        project.check(True, *flags)
        assert project.read == []
        (project.early / "forced.hpp").unlink()


def test_a_header_in_another_root(project: Project, tmp_path: Path) -> None:
    flags = "--sysroot", str(tmp_path)
    (tmp_path / "usr" / "include").mkdir(parents=True)
    project.put("project/one.cpp", "#include <rooted.h>\n" + source("one"))
    project.check(True, *flags)
    project.put("usr/include/rooted.h", "extern int rooted;\n")
    project.check(True, *flags)
    assert project.read == ["one.cpp"]


def test_a_header_beside_the_file_shadows_another(project: Project) -> None:
    project.put("outside/inner.inc", "")
    project.put("project/one.cpp", '#include "inner.inc"\n' + source("one"))
    project.check()
    project.put("project/inner.inc", "inline int inner() { return 4; }\n")
    project.check()
    assert project.read == ["one.cpp"]


def test_a_header_that_has_nothing_to_do_with_it(project: Project) -> None:
    project.check()
    project.put("early/other.hpp", "")
    project.check()
    assert project.read == []


@pytest.mark.parametrize(
    "line",
    [
        "#include <later.hpp>",
        '#include "later.hpp"',
        "#include <sub/../later.hpp>",
        "#if __has_include(<later.hpp>)\n#include <later.hpp>\n#endif",
        '#define WHICH "later.hpp"\n#include WHICH',
        "# /* why */ include <later.hpp>",
        "#define ASKS(x) __has_include(x)\n#if ASKS(<later.hpp>)\n#include <later.hpp>\n#endif",
        '#include "asks.h"\n#if ASKS( "later.hpp" )\n#include <later.hpp>\n#endif',
    ],
)
def test_a_missing_header_appears(project: Project, line: str) -> None:
    (project.outside / "sub").mkdir()
    project.put("project/asks.h", "#define ASKS(x) __has_include(x)\n")
    project.put("project/one.cpp", f"{line}\n" + source("one"))
    project.check()
    project.put("outside/later.hpp", "#define pthread_mutex_lock ignored\nint ignored(void *);\n")
    assert project.check() == project.check(cached=False)
    project.check()
    assert project.read == []


@pytest.mark.parametrize(
    "asked",
    [
        "#define N <x.h>\n#if __has_include(N)\n#endif\n",
        "#define ASKS(x) __has_include(x)\n#define N <x.h>\n#if ASKS(N)\n#endif\n",
        "#define ASKS(x) __has_include(x)\n#define AGAIN(y) ASKS(y)\n#if AGAIN(<x.h>)\n#endif\n",
    ],
)
def test_what_only_the_preprocessor_knows_is_read_every_time(project: Project, asked: str) -> None:
    project.put("project/one.cpp", asked + source("a"))
    project.check()
    project.check()
    assert project.read == ["one.cpp"]


def test_another_tool(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.check()
    monkeypatch.setattr(cache, "tool", lambda: "another")
    project.check()
    assert sorted(project.read) == BOTH


def test_the_tool_is_what_makes_facts() -> None:
    """Everything that reading a unit imports is in the rooms whose sources name the tool."""
    code = (
        "import sys, lockorder.static.parse.unit\n"
        "print(*(m for m in sys.modules if m.startswith('lockorder.static.')))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    rooms = {m.split(".")[2] for m in found.stdout.split()}
    assert rooms
    assert rooms <= set(cache.MAKES_FACTS)


def test_a_change_while_it_is_read_is_not_kept(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = workers.answer

    def late(job: Job) -> workers.Answer:
        got = read(job)
        if job.main.endswith("one.cpp"):
            project.put("project/one.cpp", source("one", "green", "red"))
        return got

    monkeypatch.setattr(workers, "answer", late)
    project.check()
    monkeypatch.setattr(workers, "answer", read)
    assert project.check() == project.check(cached=False)


# -- what can be wrong with the folder --------------------------------------------------------


def _truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def _flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


def _emptied(_: bytes) -> bytes:
    return b""


@pytest.mark.parametrize("broken", [_truncated, _flipped, _emptied])
def test_a_broken_entry_is_written_again(
    project: Project, broken: Callable[[bytes], bytes]
) -> None:
    cold = project.check()
    found = entries(project)
    assert len(found) == 2
    found[0].write_bytes(broken(found[0].read_bytes()))
    assert project.check() == cold
    assert len(project.read) == 1
    assert project.check() == cold
    assert project.read == []


def test_broken_scans_are_made_again(project: Project) -> None:
    cold = project.check()
    for file in (project.path.parent / "cache" / "scans").iterdir():
        file.write_bytes(b"scans")
    assert project.check() == cold


def test_least_recently_used_go_first(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.check()
    old, new = entries(project)
    os.utime(old, (1, 1))
    kept = new.stat().st_size
    place = project.path.parent / "cache"
    others = sum(f.stat().st_size for f in place.rglob("*") if f.is_file()) - kept
    monkeypatch.setattr(cache_folder, "size", lambda: others)
    with cache.opened() as opened:
        opened.changed = True
    assert entries(project) == [new]


def test_the_bound_of_the_environment(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_folder.size() == cache_folder.DEFAULT_SIZE << 20
    monkeypatch.setenv("LOCKORDER_CACHE_SIZE", "7")
    assert cache_folder.size() == 7 << 20
    for wrong in ("-1", "lots", "1.5", "²"):
        monkeypatch.setenv("LOCKORDER_CACHE_SIZE", wrong)
        with pytest.raises(cache_folder.CacheError, match="LOCKORDER_CACHE_SIZE="):
            project.check()


def test_no_cache_leaves_nothing(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = project.check(cached=False)
    assert not (project.path.parent / "cache").exists()
    monkeypatch.setenv("LOCKORDER_CACHE_SIZE", "0")
    assert project.check() == expected
    assert not (project.path.parent / "cache").exists()


def test_only_the_user_may_look(project: Project) -> None:
    project.check()
    place = project.path.parent / "cache"
    for folder in (place, *(p for p in place.iterdir() if p.is_dir())):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    place.chmod(0o777)
    project.check()
    assert stat.S_IMODE(place.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_costs_time_only(project: Project) -> None:
    expected = project.check(cached=False)
    project.put("cache", "a file where the folder should be")
    assert project.check() == expected
    assert sorted(project.read) == BOTH


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_folder_that_cannot_be_written_costs_time_only(project: Project) -> None:
    expected = project.check()
    folders = [p for p in (project.path.parent / "cache").rglob("*") if p.is_dir()]
    for folder in folders:
        folder.chmod(0o500)
    try:
        assert project.check() == expected
    finally:
        for folder in folders:
            folder.chmod(0o700)


def test_two_at_once(project: Project) -> None:
    """Both start with an empty cache and find the same; what they leave is whole."""
    for number in range(6):
        project.put(f"project/more{number}.cpp", source(f"more{number}"))
    command = [sys.executable, "-m", "lockorder", "check", "-j1", "--format=json", "--exit-zero"]
    runs = [
        subprocess.Popen(command, cwd=project.path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    results = [run.communicate(timeout=100)[0] for run in runs]
    assert results[0] == results[1]
    assert b"lock-order-cycle" in results[0]
    left = list((project.path.parent / "cache").rglob("*.part"))
    assert left == []
    project.extra = ()
    assert project.check() == results[0]
    assert project.read == []


# -- the precompiled header -------------------------------------------------------------------


@pytest.fixture
def common(project: Project) -> Project:
    """Enough units for the project's headers to be precompiled."""
    for number in range(3):
        project.put(f"project/more{number}.cpp", source(f"more{number}"))
    return project


def test_a_precompiled_header_that_changed(common: Project) -> None:
    common.check()
    common.put("project/locks.h", LOCKS + "extern pthread_mutex_t blue;\n")
    assert common.check() == common.check(cached=False)


@pytest.mark.parametrize("damage", ["", "gone", "cut"])
def test_a_precompiled_header_that_clang_refuses(common: Project, damage: str) -> None:
    """After a checkout all times are new: nothing is read again, and if so, as before."""
    common.check()
    if not damage:
        os.utime(common.path / "locks.h", (1, 1))
    for file in (common.path.parent / "cache" / "prefix").glob("*.pch"):
        if damage == "gone":
            file.unlink()
        elif damage == "cut":
            file.write_bytes(file.read_bytes()[:1000])
    common.check()
    assert common.read == []
    common.put("project/one.cpp", source("one", "green", "red"))
    found = common.check()
    assert common.read == ["one.cpp"]
    assert found == common.check(cached=False)
    common.check()
    assert common.read == []


def test_a_header_that_a_precompiled_macro_asks_for(common: Project) -> None:
    common.put("project/locks.h", LOCKS + "#define ASKS(x) __has_include(x)\n")
    asking = "#if ASKS(<late.hpp>)\n#define red green\n#endif\n"
    common.put("project/one.cpp", source("one").replace("void", asking + "void"))
    common.check()
    common.check()
    assert common.read == []
    common.put("outside/late.hpp", "")
    assert common.check() == common.check(cached=False)


def test_a_header_that_shadows_a_precompiled_one(common: Project) -> None:
    common.put("outside/deep.hpp", "extern pthread_mutex_t deep;\n")
    common.put("project/locks.h", LOCKS + "#include <deep.hpp>\n")
    common.check()
    common.put("early/deep.hpp", "extern pthread_mutex_t deeper;\n")
    assert common.check() == common.check(cached=False)
