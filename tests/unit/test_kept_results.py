"""Whole results of earlier runs: used where nothing has changed, and only there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder.commands import checked
from lockorder.commands.checked import Checked, check_sources
from lockorder.config import Config
from lockorder.static import analyse
from lockorder.static.cache import kept
from lockorder.static.discovery import inputs
from lockorder.static.driver.options import Options

CYCLE = """\
#include "shared.h"
struct pthread_mutex_t { int word; };
extern "C" int pthread_mutex_lock(pthread_mutex_t *);
extern "C" int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t red, green;
void both(pthread_mutex_t *a, pthread_mutex_t *b) {
  pthread_mutex_lock(a);
  pthread_mutex_lock(b);
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
}
void one() { both(&red, &green); }
void two() { both(&green, &red); }
"""


#: Calls that are bound when they run, and a table of callables.
CALLS = """\
#include "shared.h"
struct pthread_mutex_t { int word; };
extern "C" int pthread_mutex_lock(pthread_mutex_t *);
extern "C" int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t red, green;
struct Base { virtual void go() {} };
struct Derived : Base { int count; };
void locks_red() { pthread_mutex_lock(&red); pthread_mutex_unlock(&red); }
void nothing() {}
typedef void (*callable)();
callable stored;
void store(callable given) { stored = given; }
void start() { store(nothing); }
void by_class(Base *base) {
  pthread_mutex_lock(&green);
  base->go();
  stored();
  pthread_mutex_unlock(&green);
}
void other_way() {
  pthread_mutex_lock(&red);
  pthread_mutex_lock(&green);
  pthread_mutex_unlock(&green);
  pthread_mutex_unlock(&red);
}
"""


class Project:
    """A project with one source, and how often it was read, and analysed to the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "project"
        self.analysed = 0
        self.concluded = 0
        self.put(".git/HEAD", "")
        self.put("src/a.cpp", CYCLE)
        self.put("src/shared.h", "#pragma once\n")
        self.put("src/deep/b.cpp", "int b;\n")

    def put(self, name: str, text: str) -> Path:
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def check(self, config: Config | None = None, **options: object) -> Checked:
        return check_sources(
            [self.folder / "src"],
            Options(inline=True, **options),  # type: ignore[arg-type]
            config or Config(),
        )

    def again(self, config: Config | None = None, **options: object) -> bool:
        """Whether one more check analyses anything; what it finds is what is found without."""
        before = self.analysed
        found = self.check(config, **options)
        looked = self.analysed > before
        fresh = self.check(config, **{**options, "cache": False})
        assert found.document == fresh.document
        return looked

    def concludes(self) -> bool:
        """Whether one more check goes to the end; what it finds is what is found without."""
        before = self.concluded
        assert self.again()
        return self.concluded - before > 1  # what is found without does, each time


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("LOCKORDER_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(inputs, "GRACE", 0)  # what a test has just written is what it will read
    found = Project(tmp_path)
    analysed = checked._analysed

    def counted(*arguments: object) -> object:
        found.analysed += 1
        return analysed(*arguments)  # type: ignore[arg-type]

    conclude = analyse.conclude

    def to_the_end(*arguments: object) -> object:
        found.concluded += 1
        return conclude(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(checked, "_analysed", counted)
    monkeypatch.setattr(analyse, "conclude", to_the_end)
    found.check()
    assert found.analysed == 1
    return found


def test_nothing_changed(project: Project) -> None:
    assert not project.again()


def test_times_alone_are_no_change(project: Project) -> None:
    for file in project.folder.rglob("*"):
        os.utime(file, (1, 1))
    assert not project.again()


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.put("src/a.cpp", CYCLE.replace("&red);", "&green);")),
        lambda p: p.put("src/shared.h", "#pragma once\n#define X\n"),
        lambda p: p.put("src/new.cpp", "int n;\n"),
        lambda p: p.put("src/deep/new.h", "int n;\n"),
        lambda p: (p.folder / "src" / "deep" / "b.cpp").unlink(),
        lambda p: (p.folder / "src" / "deep" / "b.cpp").rename(p.folder / "src" / "c.cpp"),
        lambda p: p.put("build/compile_commands.json", "[]"),
        lambda p: shutil.rmtree(p.folder / ".git"),
    ],
    ids=["source", "header", "new source", "new header below", "gone", "moved", "database", "root"],
)
def test_a_change_is_seen(project: Project, change: Callable[[Project], object]) -> None:
    change(project)
    assert project.again()
    assert not project.again()


def test_a_header_that_was_missing(project: Project) -> None:
    project.put("src/a.cpp", '#include "later.h"\n' + CYCLE)
    assert project.again()
    assert not project.again()
    project.put("src/later.h", "#define red green\n")
    assert project.again()


def test_files_that_are_nobodys_source_do_not_count(project: Project) -> None:
    project.put("src/report.sarif", "{}")
    project.put("src/.a.cpp.swp", "")
    assert not project.again()


def test_the_same_size_at_the_same_time(project: Project) -> None:
    file = project.folder / "src" / "a.cpp"
    before = file.stat()
    file.write_text(CYCLE.replace("&green, &red", "&red, &green"))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert file.stat().st_size == before.st_size
    assert project.again()


def test_what_is_asked_counts(project: Project) -> None:
    assert project.again(extra=("-DX",))
    assert not project.again(extra=("-DX",))
    assert project.again(Config(footprint_limit_mib=7))


def test_what_could_not_be_read_is_said_again(project: Project) -> None:
    project.put("src/bad.cpp", "a\0b")
    assert project.again()
    assert not project.again()
    assert "src/bad.cpp: not text" in project.check().problems[0]
    project.put("src/bad.cpp", "int a;\n")
    assert project.again()
    assert not project.check().problems


def test_broken_results_are_made_again(project: Project, tmp_path: Path) -> None:
    for file in (tmp_path / "cache" / "results").iterdir():
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert project.again()
    assert not project.again()


def test_a_change_while_it_runs_is_not_kept(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysed = checked._analysed
    project.put("src/a.cpp", CYCLE + "int x;\n")

    def changing(*arguments: object) -> object:
        project.put("src/shared.h", "#pragma once\nint late;\n")
        return analysed(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(inputs, "GRACE", 10**12)  # all that is here may have changed just now
    monkeypatch.setattr(checked, "_analysed", changing)
    project.check()
    monkeypatch.setattr(inputs, "GRACE", 0)
    monkeypatch.setattr(checked, "_analysed", analysed)
    assert project.again()


def test_no_cache(project: Project) -> None:
    before = project.analysed
    project.check(cache=False)
    project.check(cache=False)
    assert project.analysed == before + 2


# -- the same facts from other sources ------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.put(
            "src/a.cpp", CYCLE.replace("lock(b);", "lock(b);  // the second", 1) + "//\n"
        ),
        lambda p: p.put("src/shared.h", "#pragma once  // once\n"),
        lambda p: p.put("src/a.cpp", CYCLE.replace("\nvoid two", " \nvoid two")),
    ],
    ids=["source", "header", "blanks"],
)
def test_what_changes_no_fact(project: Project, change: Callable[[Project], object]) -> None:
    change(project)
    assert not project.concludes()
    assert not project.again()


def test_changed_and_changed_back(project: Project) -> None:
    project.put("src/a.cpp", CYCLE.replace("&red);", "&green);"))
    assert project.concludes()
    project.put("src/a.cpp", CYCLE)
    assert not project.concludes()


@pytest.mark.parametrize(
    ("before", "after", "cycles"),
    [
        ("void nothing() {}", "void nothing() { locks_red(); }", True),
        ("struct Derived : Base { int", "struct Derived : Base { void go() { locks_red(); } int",
         True),
        ("store(nothing);", "store(nothing); store(locks_red);", True),
        ("int count;", "long count;", False),
        ("pthread_mutex_t red, green;", "struct Two { pthread_mutex_t red, green; } two;\n"
         "#define red two.red\n#define green two.green\n", False),
        ("void start()", "\nvoid start()", False),
        ("void start()", "void begin()", False),
    ],
    ids=["body", "override", "target", "type of a field", "type of a lock", "line", "name"],
)  # fmt: skip
def test_what_changes_facts(project: Project, before: str, after: str, cycles: bool) -> None:
    project.put("src/a.cpp", CALLS)
    assert project.concludes()
    assert not project.check().document.findings
    changed = CALLS.replace(before, after)
    assert changed != CALLS
    project.put("src/a.cpp", changed)
    assert project.concludes()
    rules = {finding.rule for finding in project.check().document.findings}
    assert rules == ({"lock-order-cycle"} if cycles else set())
    project.put("src/a.cpp", CALLS)
    assert not project.concludes()


def test_who_judges_counts_for_the_same_facts(project: Project) -> None:
    project.put("src/a.cpp", CYCLE + "//\n")
    before = project.concluded
    project.check(Config(ignore=("lock-order-cycle",)))
    assert project.concluded == before + 1


def test_all_of_the_package_decides_a_result() -> None:
    package = Path(checked.__file__).parent.parent
    own = {os.path.relpath(path, package) for path in kept._own_files()}
    assert {"bounds.py", "rules/registry.py", "knowledge/python.toml", "static/analyse.py"} <= own
