"""Configuration and declared orders through the command line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder.model import DECLARED, Document, decode

CLEAN, FOUND, FAILED = 0, 1, 2

SOURCE = """\
#include <mutex>
namespace ns {
class Pool {
 public:
  void grow();
  std::mutex mutex_;
};
class Cache {
 public:
  void evict();
 private:
  Pool *pool_;
  std::mutex mutex_;
};
std::mutex log_lock;
void note() { std::lock_guard<std::mutex> hold(log_lock); }
void Pool::grow() { std::lock_guard<std::mutex> hold(mutex_); note(); }
void Cache::evict() {
  std::lock_guard<std::mutex> hold(mutex_);
  pool_->grow();
}
}  // namespace ns
"""

Done = subprocess.CompletedProcess[str]
Check = Callable[..., Done]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return {**os.environ, "XDG_CACHE_HOME": str(tmp_path_factory.mktemp("cache"))}


@pytest.fixture
def check(tmp_path: Path, environment: dict[str, str]) -> Check:
    """Runs `lockorder check ARGUMENTS` on a project without cycles."""
    (tmp_path / ".git").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "src/pool.cpp").write_text(SOURCE)

    def run(*arguments: str, config: str = "", cwd: Path = tmp_path) -> Done:
        if config:
            (tmp_path / "lockorder.toml").write_text(config)
        return subprocess.run(
            [sys.executable, "-m", "lockorder", "check", *(arguments or (str(tmp_path / "src"),))],
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


# -- orders in the configuration ------------------------------------------------------------------


def test_an_order_that_is_kept_is_clean(check: Check) -> None:
    order = 'order = ["Cache::mutex_", "ns::Pool::mutex_", "log_lock"]'
    done = check(config=order)
    assert (done.returncode, done.stdout) == (CLEAN, "")
    assert "warning" not in done.stderr.replace("0 warnings", "")


def test_an_order_that_is_broken_is_an_error_with_both_sides(check: Check) -> None:
    done = check(config='order = [\n  "ns::log_lock",\n  "Cache::mutex_",\n]\n')
    assert done.returncode == FOUND
    head = done.stdout.splitlines()[0]
    assert head.startswith("src/pool.cpp:16: error: ns::log_lock is taken while ns::Cache::mutex_")
    assert "lockorder.toml:3" in head
    assert "[lock-order-cycle]" in head
    for part in (
        "  declared: ns::log_lock before ns::Cache::mutex_\n      lockorder.toml:3\n",
        '| "Cache::mutex_",',
        "  in ns::Cache::evict\n    holds ns::Cache::mutex_\n      src/pool.cpp:19",
        "confidence: high",
        "fix: take ns::log_lock before ns::Cache::mutex_",
    ):
        assert part in done.stdout
    assert done.stdout.count("error:") == 1


def test_the_finding_in_json(check: Check) -> None:
    config = 'order = ["log_lock", "Pool::mutex_"]'
    done = check("--format", "json", config=config)
    (finding,) = document(done).findings
    declared, seen = finding.participants
    assert declared.who == DECLARED
    assert declared.taken is not None
    assert [(f.file, f.line) for f in declared.taken.chain] == [("lockorder.toml", 1)]
    assert seen.who == "ns::Pool::grow"
    again = check("--format", "json", "src/pool.cpp")
    assert [f.fingerprint for f in document(again).findings] == [finding.fingerprint]


def test_a_real_cycle_mentions_the_order_that_it_breaks(check: Check, tmp_path: Path) -> None:
    back = (
        "namespace ns { void back(Pool &p) { std::lock_guard<std::mutex> l(log_lock); p.grow(); } }"
    )
    with (tmp_path / "src/pool.cpp").open("a") as file:
        file.write(back)
    (finding,) = [
        f
        for f in document(
            check("--format", "json", config='order = ["Pool::mutex_", "log_lock"]')
        ).findings
        if f.rule == "lock-order-cycle"
    ]
    assert "the declared order is ns::Pool::mutex_ before ns::log_lock" in finding.message
    assert finding.message.endswith("and ns::back breaks it")


def test_useless_names_are_warnings_only(check: Check) -> None:
    done = check("-q", config='order = ["Cache::mutex_", "Pool::mutx_", "mutex_"]')
    assert done.returncode == CLEAN
    assert done.stderr.splitlines() == [
        "lockorder: warning: lockorder.toml:1: no lock seen here is called 'Pool::mutx_' in the "
        "declared order (did you mean 'ns::Pool::mutex_'?)",
        "lockorder: warning: lockorder.toml:1: 'mutex_' in the declared order can be any of "
        "ns::Cache::mutex_ (src/pool.cpp:13), ns::Pool::mutex_ (src/pool.cpp:6): write more of "
        "its name",
    ]


def test_a_contradiction_is_exit_2(check: Check) -> None:
    done = check(config='order = [["A", "B"],\n["B", "A"]]')
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert "contradicts itself: A before B (lockorder.toml:1), B before A (lockorder.toml:2)" in (
        done.stderr.replace(os.getcwd(), "")
    )


def test_a_contradiction_that_only_the_sources_show_is_exit_2(check: Check, tmp_path: Path) -> None:
    source = SOURCE.replace(
        "Pool *pool_;", "Pool *pool_;\n  std::mutex late_ ACQUIRED_AFTER(mutex_);"
    )
    (tmp_path / "src/pool.cpp").write_text(source)
    done = check("--exit-zero", config='order = ["Cache::late_", "Cache::mutex_"]')
    assert done.returncode == FAILED
    assert "ns::Cache::late_ before ns::Cache::mutex_ (lockorder.toml:1)" in done.stderr
    assert "ns::Cache::mutex_ before ns::Cache::late_ (src/pool.cpp:13)" in done.stderr


# -- orders in the sources ------------------------------------------------------------------------

FIELD = "mutex_;\n};\nstd::mutex log_lock"  # Cache's, which is the last


@pytest.mark.parametrize(
    ("old", "said"),
    [
        (FIELD, "mutex_ ACQUIRED_AFTER(Pool::mutex_)"),
        (FIELD, "mutex_\n      ABSL_ACQUIRED_AFTER(\n          &Pool::mutex_)"),
        (FIELD, "mutex_ __attribute__((acquired_after(pool_->mutex_)))"),
        ("log_lock;", "log_lock TS_ACQUIRED_BEFORE(Pool::mutex_)"),
    ],
)
def test_attributes_declare_orders(check: Check, tmp_path: Path, old: str, said: str) -> None:
    assert old in SOURCE
    changed = SOURCE.replace(old, said + old[old.index(";") :])
    (tmp_path / "src/pool.cpp").write_text(changed)
    done = check("--format", "json")
    assert done.returncode == FOUND
    assert {f.participants[0].who for f in document(done).findings} == {DECLARED}


# -- the configuration ----------------------------------------------------------------------------


def test_config_names_a_file(check: Check, tmp_path: Path) -> None:
    (tmp_path / "other.toml").write_text('order = ["log_lock", "Pool::mutex_"]')
    assert check().returncode == CLEAN
    assert check("--config", "other.toml").returncode == FOUND
    assert check("--config", "gone.toml").returncode == FAILED


def test_the_file_is_looked_for_from_what_is_checked(check: Check, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    config = 'order = ["log_lock", "Pool::mutex_"]'
    done = check(str(tmp_path / "src/pool.cpp"), config=config, cwd=tmp_path / "elsewhere")
    assert done.returncode == FOUND
    assert str(tmp_path / "lockorder.toml") in done.stdout


def test_the_command_line_beats_the_file(check: Check) -> None:
    config = 'order = ["log_lock", "Pool::mutex_"]\nignore = ["lock-order-cycle"]'
    assert check(config=config).returncode == CLEAN
    assert check("--ignore", "self-deadlock").returncode == FOUND
    assert check("--ignore", "").returncode == FOUND
    config = 'order = ["log_lock", "Pool::mutex_"]\nselect = ["self-deadlock"]'
    assert check(config=config).returncode == CLEAN
    assert check("--select", "lock-order-cycle").returncode == FOUND


def test_own_lock_types(check: Check, tmp_path: Path) -> None:
    source = """\
namespace own { struct Mutex { void Take(); void Give(); }; }
own::Mutex a, b;
void one() { a.Take(); b.Take(); b.Give(); a.Give(); }
void two() { b.Take(); a.Take(); a.Give(); b.Give(); }
"""
    (tmp_path / "src/pool.cpp").write_text(source)
    assert check().returncode == CLEAN
    config = '[[lock]]\ntypes = ["own::Mutex"]\nlock = ["Take"]\nunlock = ["Give"]\n'
    done = check(config=config)
    assert done.returncode == FOUND
    assert "a and b are taken in opposite orders" in done.stdout


@pytest.mark.parametrize(
    ("config", "parts"),
    [
        ('oder = ["A", "B"]', ["lockorder.toml: unknown key 'oder': did you mean 'order'?"]),
        ("order = 3", ["lockorder.toml: order: Expected `array`, got `int`"]),
        ("\norder = [", ["lockorder.toml:2:", "Invalid value"]),
        ('ignore = ["lock-order-cicle"]',
         ["lockorder.toml: ignore: no rule is called 'lock-order-cicle'", "'lock-order-cycle'"]),
    ],
)  # fmt: skip
def test_mistakes_are_exit_2(check: Check, config: str, parts: list[str]) -> None:
    done = check("--exit-zero", config=config)
    assert (done.returncode, done.stdout) == (FAILED, "")
    assert done.stderr.startswith("lockorder: error: ")
    assert len(done.stderr.splitlines()) == 1
    for part in parts:
        assert part in done.stderr
