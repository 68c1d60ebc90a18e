"""Settings by path and the declarations of a configuration, through the command line."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder.model import Document, decode

CLEAN, FOUND, FAILED = 0, 1, 2

CYCLE = """\
#include <mutex>
static std::mutex a, b;
void one() { std::lock_guard<std::mutex> x(a); std::lock_guard<std::mutex> y(b); }
void two() { std::lock_guard<std::mutex> y(b); std::lock_guard<std::mutex> x(a); }
"""

Done = subprocess.CompletedProcess[str]
Check = Callable[..., Done]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture
def lockorder(tmp_path: Path, environment: dict[str, str]) -> Check:
    """Runs `lockorder ARGUMENTS` in a project with a cycle in src/ and one in third_party/."""
    (tmp_path / ".git").mkdir()
    for folder in ("src", "third_party"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{folder}.cpp").write_text(CYCLE)

    def run(*arguments: str, config: str = "", cwd: Path = tmp_path) -> Done:
        if config:
            (tmp_path / "lockorder.toml").write_text(config)
        return subprocess.run(
            [sys.executable, "-m", "lockorder", *arguments],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def document(done: Done) -> Document:
    return decode(done.stdout.encode())


def places(done: Done) -> list[str]:
    return sorted(f"{f.place.file} {f.level.value}" for f in document(done).findings)


BOTH = ["src/src.cpp error", "third_party/third_party.cpp error"]


# -- files that are left out ----------------------------------------------------------------------


def test_excluded_files_are_not_analysed(lockorder: Check) -> None:
    assert places(lockorder("check", "--format", "json")) == BOTH
    done = lockorder("check", "--format", "json", config='exclude = ["third_party/**"]')
    assert places(done) == BOTH[:1]
    coverage = document(done).coverage
    assert coverage is not None
    assert [f.file for f in coverage.files] == ["src/src.cpp"]


def test_a_file_that_is_named_is_analysed_all_the_same(lockorder: Check, tmp_path: Path) -> None:
    file = "third_party/third_party.cpp"
    done = lockorder("check", "--format", "json", "src", file, config='exclude = ["third_party"]')
    assert places(done) == BOTH
    below = lockorder("check", "--format", "json", "third_party.cpp", cwd=tmp_path / "third_party")
    assert places(below) == BOTH[1:]


def test_a_folder_with_nothing_left_is_exit_2(lockorder: Check) -> None:
    done = lockorder("check", "third_party", config='exclude = ["third_party/"]')
    assert done.returncode == FAILED
    assert "third_party: all sources in this folder are excluded" in done.stderr
    assert "third_party:" not in lockorder("check", "-q", "src").stderr


# -- settings by path -----------------------------------------------------------------------------


def test_rules_and_levels_by_path(lockorder: Check) -> None:
    config = '[[path]]\nmatch = ["third_party/**"]\nignore = ["lock-order-cycle"]\n'
    done = lockorder("check", "--format", "json", config=config)
    assert (done.returncode, places(done)) == (FOUND, BOTH[:1])
    note = '[[path]]\nmatch = ["*.cpp"]\nlevel = { "lock-order-cycle" = "note" }\n'
    done = lockorder("check", config=note + config)
    assert done.returncode == CLEAN
    assert "src/src.cpp:4: note: " in done.stdout
    assert "third_party" not in done.stdout
    assert "warning" not in done.stderr.replace("0 warnings", "")


def test_patterns_are_relative_to_the_configuration(lockorder: Check, tmp_path: Path) -> None:
    config = '[[path]]\nmatch = ["/third_party.cpp"]\nignore = ["lock-order-cycle"]\n'
    (tmp_path / "third_party/pyproject.toml").write_text(
        config.replace("[[path]]", "[[tool.lockorder.path]]")
    )
    assert lockorder("check", "third_party").returncode == CLEAN
    assert lockorder("check", "third_party.cpp", cwd=tmp_path / "third_party").returncode == CLEAN
    outer = lockorder("check", "-q", "third_party", "--config", "lockorder.toml", config=config)
    assert outer.returncode == FOUND
    assert outer.stderr.splitlines() == [
        "lockorder: warning: lockorder.toml: path[0].match: '/third_party.cpp' matches no file "
        "that was analysed"
    ]


def test_the_file_of_a_finding_may_be_a_header(lockorder: Check, tmp_path: Path) -> None:
    (tmp_path / "src/src.cpp").write_text('#include "inner.h"\n')
    (tmp_path / "src/inner.h").write_text(CYCLE)
    config = '[[path]]\nmatch = ["src/*.h"]\nignore = ["lock-order-cycle"]\n'
    assert places(lockorder("check", "--format", "json", "src")) == ["src/inner.h error"]
    assert places(lockorder("check", "--format", "json", "src", config=config)) == []
    done = lockorder("check", "-q", "src/src.cpp")  # read because it is included
    assert (done.returncode, done.stdout, done.stderr) == (CLEAN, "", "")


@pytest.mark.parametrize(
    ("config", "place"),
    [
        ('[[path]]\nmatch = ["a"]\nignore = ["lock-order-cicle"]', "path[0].ignore"),
        ('[[path]]\nmatch = ["a"]\nselect = ["lock-order-cicle"]', "path[0].select"),
        ('path = [{ match = ["a"] }, { match = ["a"], level = { "lock-order-cicle" = "note" } }]',
         "path[1].level"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("verb", ["check", "config"])
def test_unknown_rules_are_exit_2(lockorder: Check, config: str, place: str, verb: str) -> None:
    done = lockorder(verb, config=config)
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert done.stderr == (
        f"lockorder: error: lockorder.toml: {place}: no rule is called 'lock-order-cicle': did you "
        "mean 'lock-order-cycle'? `lockorder explain` lists them\n"
    )


# -- the command ----------------------------------------------------------------------------------


def test_which_configuration_counts(lockorder: Check, tmp_path: Path) -> None:
    assert lockorder("config").stdout == "no configuration\n"
    (tmp_path / "src/lockorder.toml").write_text("")
    assert lockorder("config", "src").stdout == "src/lockorder.toml\n"
    done = lockorder("config", "src/src.cpp", config="ordr = 1")
    assert (done.returncode, done.stdout) == (CLEAN, "src/lockorder.toml\n")
    done = lockorder("config")
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert "did you mean 'order'?" in done.stderr


def test_the_schema(lockorder: Check) -> None:
    done = lockorder("config", "--schema", config="ordr = 1")
    assert done.returncode == CLEAN
    assert json.loads(done.stdout)["additionalProperties"] is False


# -- what users declare ---------------------------------------------------------------------------

#: By what is declared: the program, its declaration, the rule that fires with it, and what has to
#: be changed in the program for it not to.
DECLARED = {
    "lock": (
        """\
namespace own { struct Mutex { void Take(); void Give(); }; }
own::Mutex a, b;
void one() { a.Take(); b.Take(); b.Give(); a.Give(); }
void two() { b.Take(); a.Take(); a.Give(); b.Give(); }
""",
        '[[lock]]\ntypes = ["own::Mutex"]\nlock = ["Take"]\nunlock = ["Give"]\n',
        "lock-order-cycle",
        ("void two() { b.Take(); a.Take();", "void two() { a.Take(); b.Take();"),
    ),
    "guard": (
        """\
#include <mutex>
namespace own { struct Hold { explicit Hold(std::mutex &); ~Hold(); }; }
std::mutex a, b;
void one() { own::Hold x(a); own::Hold y(b); }
void two() { own::Hold y(b); own::Hold x(a); }
""",
        '[[guard]]\ntypes = ["own::Hold"]\n',
        "lock-order-cycle",
        ("own::Hold y(b); own::Hold x(a);", "{ own::Hold y(b); } own::Hold x(a);"),
    ),
    "types of a header that is not here": (
        """\
#include <nowhere/lib.h>
struct Queue { lib::Mutex mutex_; lib::sub::Spin spin_; void put(); void get(); };
void Queue::put() { lib::Holder h(mutex_); spin_.Acquire(); spin_.Release(); }
void Queue::get() { spin_.Acquire(); { lib::Holder h(mutex_); } spin_.Release(); }
""",
        '[[lock]]\ntypes = ["lib::Mutex"]\n'
        '[[lock]]\ntypes = ["lib::sub::Spin"]\nlock = ["Acquire"]\nunlock = ["Release"]\n'
        '[[guard]]\ntypes = ["lib::Holder"]\n',
        "lock-order-cycle",
        ("{ lib::Holder h(mutex_); } spin_.Release();", "spin_.Release(); lib::Holder h(mutex_);"),
    ),
    "acquire and release": (
        """\
struct Latch; Latch *a, *b;
void latch_enter(int how, Latch *); void latch_leave(Latch *);
void one() { latch_enter(0, a); latch_enter(0, b); latch_leave(b); latch_leave(a); }
void two() { latch_enter(0, b); latch_enter(0, a); latch_leave(a); latch_leave(b); }
""",
        '[[lock]]\ntypes = ["Latch"]\n'
        '[[function]]\nnames = ["latch_enter"]\nacquires = 1\n'
        '[[function]]\nnames = ["latch_leave"]\nreleases = 0\n',
        "lock-order-cycle",
        (
            "latch_enter(0, b); latch_enter(0, a); latch_leave(a); latch_leave(b);",
            "latch_enter(0, b); latch_leave(b); latch_enter(0, a); latch_leave(a);",
        ),
    ),
    # What the user says of a function holds, whatever is made of its body.
    "acquire and release by functions with bodies": (
        """\
struct Gate { int token; };
int taken(int *);
static void gate_shut(struct Gate *g) { while (!taken(&g->token)) {} }
static void gate_open(struct Gate *g) { g->token = 0; }
Gate a, b;
void one() { gate_shut(&a); gate_shut(&b); gate_open(&b); gate_open(&a); }
void two() { gate_shut(&b); gate_shut(&a); gate_open(&a); gate_open(&b); }
""",
        '[[function]]\nnames = ["gate_shut"]\nacquires = 0\n'
        '[[function]]\nnames = ["gate_open"]\nreleases = 0\n',
        "lock-order-cycle",
        (
            "gate_shut(&b); gate_shut(&a); gate_open(&a); gate_open(&b);",
            "gate_shut(&b); gate_open(&b); gate_shut(&a); gate_open(&a);",
        ),
    ),
    "blocking call with a body": (
        """\
#include <mutex>
bool arrived();
void await_peer() { while (!arrived()) {} }
std::mutex a;
void one() { std::lock_guard<std::mutex> x(a); await_peer(); }
""",
        '[[blocks]]\nnames = ["await_peer"]\nwaits_for = "other ranks"\n',
        "blocking-under-lock",
        ("std::lock_guard<std::mutex> x(a);", "{ std::lock_guard<std::mutex> x(a); }"),
    ),
    "blocking call": (
        """\
#include <mutex>
namespace rpc { struct Client { int call(int); }; }
std::mutex a; rpc::Client client;
void one() { std::lock_guard<std::mutex> x(a); client.call(1); }
""",
        '[[blocks]]\nnames = ["rpc::Client::call"]\nwaits_for = "the network"\n',
        "blocking-under-lock",
        ("std::lock_guard<std::mutex> x(a);", "{ std::lock_guard<std::mutex> x(a); }"),
    ),
    "order": (
        """\
#include <mutex>
std::mutex a, b;
void one() { std::lock_guard<std::mutex> x(b); std::lock_guard<std::mutex> y(a); }
""",
        'order = ["a", "b"]\n',
        "lock-order-cycle",
        ("x(b); std::lock_guard<std::mutex> y(a)", "x(a); std::lock_guard<std::mutex> y(b)"),
    ),
    "callback": (
        """\
#include <functional>
#include <mutex>
namespace lib {
struct EventLoop { void onReadable(int, std::function<void()>); void dispatch(); };
}
struct Server {
  lib::EventLoop loop_;
  std::mutex table_, queue_;
  void start() { loop_.onReadable(3, [this] { std::lock_guard<std::mutex> l(table_); }); }
  void poll() { std::lock_guard<std::mutex> l(queue_); loop_.dispatch(); }
  void add() { std::lock_guard<std::mutex> t(table_); std::lock_guard<std::mutex> q(queue_); }
};
""",
        '[[callback]]\nregisters = ["lib::EventLoop::onReadable"]\n'
        'runs = ["lib::EventLoop::dispatch"]\n',
        "lock-order-cycle",
        ("l(queue_); loop_", "l(queue_); } void idle() { loop_"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", DECLARED)
def test_what_is_declared_is_found(lockorder: Check, tmp_path: Path, what: str) -> None:
    source, config, rule, (old, new) = DECLARED[what]
    file = tmp_path / "own.cpp"
    file.write_text(source)
    assert lockorder("check", "own.cpp").returncode == CLEAN
    done = lockorder("check", "--format", "json", "own.cpp", config=config)
    assert done.returncode == FOUND
    assert [f.rule for f in document(done).findings] == [rule]
    assert old in source
    file.write_text(source.replace(old, new))
    done = lockorder("check", "own.cpp")
    assert (done.returncode, done.stdout) == (CLEAN, "")
