"""``lockorder run`` and the shim it preloads: what it records, and that nobody notices it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import runtime_probe
from runtime_probe.errors import LaunchError, ShimMissingError, ShimPathError
from runtime_probe.launch import preload_environment, run_preloaded, shim_path
from runtime_probe.layout import HeaderFlag
from runtime_probe.trace import read_trace

BuildProgram = Callable[[str], Path]
LOCKORDER = [sys.executable, "-m", "lockorder"]


@pytest.fixture(scope="session")
def count_locks(build_program: BuildProgram) -> str:
    return str(build_program("count_locks"))


def traces(folder: Path) -> list[Path]:
    return sorted(folder.glob("trace-*.lot"))


def test_a_run_is_recorded(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks], tmp_path) == 3
    (path,) = traces(tmp_path)
    trace = read_trace(path)
    assert trace.header.state.name == "EXITED"
    assert not trace.torn
    assert len(trace.threads) == 2
    assert any(module.path.endswith("count_locks") for module in trace.modules)


def test_errno_is_kept(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "errno"], tmp_path) == 0


def test_a_killed_child_gives_the_shells_code_and_its_trace(
    count_locks: str, tmp_path: Path
) -> None:
    assert run_preloaded([count_locks, "kill"], tmp_path) == 128 + 9
    (path,) = traces(tmp_path)
    assert read_trace(path).header.state.name == "RUNNING"


def test_a_forked_child_has_its_own_trace(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "fork"], tmp_path) == 3
    forked = sorted(
        bool(read_trace(path).header.flags & HeaderFlag.FORKED) for path in traces(tmp_path)
    )
    assert forked == [False, True]


def test_two_thousand_threads(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "many"], tmp_path) == 3
    (path,) = traces(tmp_path)
    trace = read_trace(path)
    assert trace.counters["threads_seen"] >= 2000
    assert trace.counters["threads_dropped"] == 0


def test_a_wait_can_be_cancelled_through_the_hook(count_locks: str, tmp_path: Path) -> None:
    assert run_preloaded([count_locks, "cancel"], tmp_path) == 3


def test_the_file_is_private_and_named_by_rank_and_pid(count_locks: str, tmp_path: Path) -> None:
    environment = preload_environment({**os.environ, "RANK": "3"}, shim_path(), tmp_path)
    subprocess.run([count_locks], env=environment, check=False, capture_output=True)
    (path,) = traces(tmp_path)
    header = read_trace(path).header
    assert path.name.startswith("trace-rank3-")
    assert path.name.endswith(f"-{header.pid}-0.lot")
    assert (header.rank, header.rank_variable) == (3, "RANK")
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_planted_link_is_not_followed(count_locks: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    host = os.uname().nodename
    plant = f'for n in 0 1; do ln -s "{victim}" "$1/trace-{host}-$$-$n.lot"; done; exec "$2"'
    folder = tmp_path / "traces"
    folder.mkdir()
    command = ["sh", "-c", plant, "sh", str(folder), count_locks]
    environment = preload_environment(os.environ, shim_path(), folder)
    environment.pop("RANK", None)
    subprocess.run(command, env=environment, check=False, capture_output=True)
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("gone", ["gone", "a-file/below"])
def test_a_folder_that_vanished_leaves_the_program_alone(
    count_locks: str, tmp_path: Path, gone: str
) -> None:
    (tmp_path / "a-file").touch()
    environment = preload_environment(os.environ, shim_path(), tmp_path / gone)
    done = subprocess.run(
        [count_locks], env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "locked and unlocked\n", "")


def test_without_a_trace_dir_nothing_is_written(count_locks: str, tmp_path: Path) -> None:
    environment = {**os.environ, "LD_PRELOAD": str(shim_path())}
    done = subprocess.run([count_locks], env=environment, cwd=tmp_path, check=False)
    assert done.returncode == 3
    assert list(tmp_path.iterdir()) == []


def test_sanitizers_come_first_and_allocators_last(tmp_path: Path) -> None:
    shim = Path("/opt/shim.so")
    before = {"LD_PRELOAD": "/a/libjemalloc.so.2 /b/libasan.so.8", "ASAN_OPTIONS": "x=1"}
    environment = preload_environment(before, shim, tmp_path, asan=True)
    assert environment["LD_PRELOAD"] == "/b/libasan.so.8:/opt/shim.so:/a/libjemalloc.so.2"
    assert environment["ASAN_OPTIONS"] == "x=1:verify_asan_link_order=0"
    again = preload_environment(environment, shim, tmp_path, asan=True)
    assert again["LD_PRELOAD"] == environment["LD_PRELOAD"]
    assert again["ASAN_OPTIONS"] == environment["ASAN_OPTIONS"]


def test_a_path_that_the_loader_would_split_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ShimPathError, match="no space"):
        preload_environment({}, Path("/my tools/shim.so"), tmp_path)


def test_a_missing_shim_says_what_to_do(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(runtime_probe, "__path__", [str(tmp_path)])
    with pytest.raises(ShimMissingError, match="C compiler"):
        shim_path()


def test_an_unknown_command_is_named(tmp_path: Path) -> None:
    with pytest.raises(LaunchError, match="no-such-command"):
        run_preloaded(["no-such-command"], tmp_path)


def test_a_trace_dir_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.touch()
    with pytest.raises(LaunchError, match="file/runs"):
        run_preloaded(["true"], blocker / "runs")


# -- the command --------------------------------------------------------------------------------


def lockorder(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [*LOCKORDER, *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_stdout_is_the_programs_own(count_locks: str, tmp_path: Path) -> None:
    done = lockorder("run", "-o", "traces", "--", count_locks, cwd=tmp_path)
    assert done.returncode == 3
    assert done.stdout == "locked and unlocked\n"
    assert "recorded: 1 process" in done.stderr


def test_findings_change_the_exit_code_only_where_asked_to(tmp_path: Path) -> None:
    script = tmp_path / "held.py"
    script.write_text(
        "import threading, sys\n"
        "a, b = threading.RLock(), threading.RLock()\n"
        "def run(*locks):\n"
        "    for l in locks: l.acquire()\n"
        "    for l in locks: l.release()\n"
        "for locks in ((a, b), (b, a)):\n"
        "    t = threading.Thread(target=run, args=locks); t.start(); t.join()\n"
        "sys.exit(5)\n"
    )
    arguments = ("run", "-q", "-o", "traces", "--", sys.executable, script)
    assert lockorder(*arguments, cwd=tmp_path).returncode == 5
    done = lockorder(*arguments[:2], "--error-exitcode", 42, *arguments[2:], cwd=tmp_path)
    assert done.returncode == 42


def test_no_command_is_a_usage_error(tmp_path: Path) -> None:
    done = lockorder("run", "-o", "traces", cwd=tmp_path)
    assert done.returncode == 2
    assert "no command" in done.stderr


def test_a_static_program_is_not_reported_as_clean(tmp_path: Path, c_compiler: list[str]) -> None:
    source = tmp_path / "still.c"
    source.write_text("int main(void) { return 0; }\n")
    built = subprocess.run([*c_compiler, "-static", "-o", tmp_path / "still", source], check=False)
    if built.returncode != 0:
        pytest.skip("no static C library")
    done = lockorder("run", "-o", "traces", "--", tmp_path / "still", cwd=tmp_path)
    assert done.returncode == 0
    assert "nothing was recorded" in done.stderr


ORDERS = """
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *both(void *reversed)
{
    pthread_mutex_lock(reversed ? &b : &a);
    pthread_mutex_lock(reversed ? &a : &b);
    pthread_mutex_unlock(reversed ? &a : &b);
    pthread_mutex_unlock(reversed ? &b : &a);
    return NULL;
}
int main(void)
{
    for (int reversed = 0; reversed < 2; reversed++) {
        pthread_t thread;
        pthread_create(&thread, NULL, both, reversed ? &a : NULL);
        pthread_join(thread, NULL);
    }
    return 0;
}
"""


@pytest.fixture(scope="session")
def orders(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("orders") / "orders.c"
    source.write_text(ORDERS)
    return source


def built(c_compiler: list[str], source: Path, name: str, *flags: str) -> Path:
    program = source.with_name(name)
    command = [*c_compiler, "-g", *flags, "-pthread", "-o", program, source]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip(f"the compiler cannot build with {' '.join(flags)}")
    return program


def test_under_address_sanitizer(c_compiler: list[str], orders: Path, tmp_path: Path) -> None:
    program = built(c_compiler, orders, "asan", "-fsanitize=address")
    done = lockorder("run", "-o", "traces", "--", program, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "")
    assert "[lock-order-cycle]" in done.stderr


@pytest.mark.parametrize("name", ["libjemalloc.so.2", "libtcmalloc_minimal.so.4"])
def test_under_another_allocator(
    c_compiler: list[str], orders: Path, tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = [*Path("/usr/lib").glob(f"**/{name}")]
    if not found:
        pytest.skip(f"{name} is not installed")
    program = built(c_compiler, orders, "plain")
    monkeypatch.setenv("LD_PRELOAD", str(found[0]))
    environment = preload_environment(os.environ, shim_path(), tmp_path)
    done = subprocess.run([program], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    (trace,) = traces(tmp_path)
    assert len(read_trace(trace).edges) == 2
