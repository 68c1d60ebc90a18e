"""`lockorder check --dask`: the result of a local run, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

distributed = pytest.importorskip(
    "distributed", reason="Dask is not installed: pip install lockorder[dask]"
)

SOURCE = """\
#include <mutex>
#include "locks.h"
void NAME() {
  std::lock_guard<std::mutex> outer(FIRST);
  std::lock_guard<std::mutex> inner(SECOND);
}
"""
UNITS = 6
FAILED = 2

Check = Callable[..., "subprocess.Popen[bytes]"]
Done = tuple[int, bytes, str]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root: Path = tmp_path_factory.mktemp("project")
    (root / ".git").mkdir()
    (root / "locks.h").write_text("#pragma once\n#include <mutex>\nextern std::mutex red, green;\n")
    for number in range(UNITS):
        first, second = ("red", "green") if number % 2 else ("green", "red")
        text = SOURCE.replace("NAME", f"unit{number}")
        text = text.replace("FIRST", first).replace("SECOND", second)
        (root / f"unit{number}.cpp").write_text(text)
    return root


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The cache that this machine and its workers share."""
    found: Path = tmp_path_factory.mktemp("cache")
    return found


@pytest.fixture
def check(project: Path, folder: Path) -> Iterator[Check]:
    """Starts `lockorder check`; no facts are left from an earlier one."""
    started: list[subprocess.Popen[bytes]] = []

    def start(*arguments: str, code: str = "") -> subprocess.Popen[bytes]:
        for file in folder.rglob("*.facts"):
            file.unlink()
        how = ["-c", code] if code else ["-m", "lockorder"]
        started.append(
            subprocess.Popen(
                [sys.executable, *how, "check", "--format=json", *arguments, "."],
                cwd=project,
                env={**os.environ, "LOCKORDER_CACHE_DIR": str(folder)},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )
        return started[-1]

    yield start
    for run in started:
        run.kill()
        run.communicate()


def done(run: subprocess.Popen[bytes]) -> Done:
    out, err = run.communicate(timeout=120)
    assert b"Traceback" not in err, err.decode()
    return run.returncode, out, err.decode()


@pytest.fixture
def local(check: Check) -> bytes:
    """The result without a cluster."""
    code, out, _ = done(check())
    assert code == 1
    assert b"lock-order-cycle" in out
    return out


@pytest.fixture
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None, host="127.0.0.1"
    ) as found:
        yield found


def on_workers(cluster: Any, function: Callable[..., None], *arguments: str) -> None:
    """Run *function* in every worker's process."""
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        client.run(function, *arguments)


def test_the_same_bytes(check: Check, local: bytes, cluster: Any) -> None:
    code, out, err = done(check("--dask", cluster.scheduler_address))
    assert (code, out) == (1, local)
    assert "read here" not in err, "the workers' facts are as good as ours"


def hold(name: str, started: str) -> None:
    """In a worker: the first to read the unit *name* says who it is, and waits to be killed."""
    from lockorder.static.driver import workers  # noqa: PLC0415 (this runs elsewhere)

    read = workers.encoded_answer

    def held(job: Any) -> bytes:
        if job.main.endswith(name) and os.path.exists(started):
            with open(started, "w") as pipe:
                pipe.write(str(os.getpid()))
            signal.pause()
        return read(job)

    workers.encoded_answer = held


def test_a_worker_dies_in_the_middle(
    check: Check, local: bytes, cluster: Any, tmp_path: Path
) -> None:
    started = tmp_path / "started"
    os.mkfifo(started)
    on_workers(cluster, hold, "unit3.cpp", str(started))
    run = check("--dask", cluster.scheduler_address)
    with open(started) as pipe:  # until a worker is in the middle of a unit
        worker = int(pipe.read())
    started.unlink()
    os.kill(worker, signal.SIGKILL)
    code, out, _ = done(run)
    assert (code, out) == (1, local)


def test_all_workers_go_away(check: Check, local: bytes, cluster: Any, tmp_path: Path) -> None:
    """What is lost with the cluster is read here."""
    started = tmp_path / "started"
    os.mkfifo(started)
    on_workers(cluster, hold, "unit3.cpp", str(started))
    run = check("--dask", cluster.scheduler_address)
    with open(started) as pipe:
        pipe.read()
    started.unlink()
    cluster.close()
    code, out, _ = done(run)
    assert (code, out) == (1, local)


def other_files() -> None:
    """In a worker: every file is a little different there."""
    from lockorder.static.discovery.inputs import Disk  # noqa: PLC0415 (this runs elsewhere)

    Disk.digest = lambda self, path: "other"  # type: ignore[method-assign]


def no_prefix() -> None:
    """In a worker: the folder of precompiled headers is not there."""
    from lockorder.static.parse import clang  # noqa: PLC0415 (this runs elsewhere)

    clang.with_precompiled = lambda path: ["-include-pch", "/nowhere"]


@pytest.mark.parametrize("change", [other_files, no_prefix])
def test_workers_that_see_other_files(
    check: Check, local: bytes, cluster: Any, change: Callable[[], None]
) -> None:
    on_workers(cluster, change)
    code, out, err = done(check("--dask", cluster.scheduler_address))
    assert (code, out) == (1, local)
    assert "units were read here: workers saw other files" in err


def no_file() -> None:
    """In a worker: one source is not there."""
    exists = os.path.exists
    os.path.exists = lambda path: not str(path).endswith("unit2.cpp") and exists(path)


def other_version() -> None:
    """In a worker: another version is installed."""
    from lockorder.static.driver import workers  # noqa: PLC0415 (this runs elsewhere)

    workers.tool = lambda: "other"


@pytest.mark.parametrize(
    ("change", "reason"),
    [(no_file, "unit2.cpp is not there"), (other_version, "another version of lockorder")],
)
def test_workers_that_cannot(
    check: Check, cluster: Any, change: Callable[[], None], reason: str
) -> None:
    on_workers(cluster, change)
    code, out, err = done(check("--dask", cluster.scheduler_address))
    assert (code, out) == (FAILED, b"")
    assert "lockorder: error: worker tcp://127.0.0.1:" in err
    assert reason in err


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nonsense", "other://127.0.0.1:9"])
def test_no_scheduler(check: Check, address: str) -> None:
    began = time.monotonic()
    code, out, err = done(check("--dask", address))
    assert (code, out) == (FAILED, b"")
    assert err.startswith(f"lockorder: error: --dask {address}: no Dask scheduler answers: ")
    assert time.monotonic() - began < 20


def test_dask_is_not_installed(check: Check) -> None:
    hidden = "import sys; sys.modules['distributed'] = None; from lockorder.cli import main; "
    code, out, err = done(check("--dask", "tcp://127.0.0.1:9", code=hidden + "sys.exit(main())"))
    assert (code, out) == (FAILED, b"")
    assert err == "lockorder: error: --dask needs Dask: pip install lockorder[dask]\n"
