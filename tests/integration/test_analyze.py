"""`lockorder analyze` from the outside: reports, exit codes, torn and foreign files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from lockorder.commands.common import CLEAN, FAILED, FOUND
from lockorder.model import decode
from runtime_probe.layout import PAGE, CallFlag, Kind, MisuseKind
from traces import Program, Recording

GOLDEN = Path(__file__).parents[1] / "golden"
RULE = "lock-order-cycle"

Run = Callable[..., "subprocess.CompletedProcess[bytes]"]


@pytest.fixture
def lockorder(tmp_path: Path) -> Run:
    """Run the command line in the folder of the test."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [sys.executable, "-m", "lockorder", *arguments],
            cwd=tmp_path, env={**os.environ, "COLUMNS": "100", **environment},
            capture_output=True, timeout=120, check=False,
        )  # fmt: skip

    return run


def rank(number: int, program: Program, cycle: bool = True) -> Recording:
    """One rank of a job with a cycle, a wait, and a misuse; without *cycle*, none of them."""
    bias = 0x5500_0000_0000 + number * 0x1000_0000
    r = Recording(program, pid=100 + number, rank=number, bias=bias)
    main, worker = r.thread("main"), r.thread("watchdog")
    queue, log = r.named("queue"), r.named("log", Kind.RWLOCK)
    r.edge(main, queue, log)
    r.stat(queue, 1000 + number, 7, 2_000_000, 1_500_000, 40_000, 15, 1)
    r.stat(log, 20, 0, 0, 0, 0, 0, 2)
    if cycle:
        r.edge(worker, log, queue)
        sync = r.call("cudaDeviceSynchronize", 3)
        r.blocked(worker, sync, [(log, 0)], times=2, longest_ns=4_200_000_000)
        free, end = r.call("cudaFree", 0, CallFlag.DEVICE_SYNC), r.call("ncclGroupEnd", 0, 2)
        r.blocked(worker, free, [], at=("trim", "pool.cpp", 80))
        r.blocked(main, end, [(queue, 0)], at=("launch", "group.cpp", 33))
        r.misuse(worker, MisuseKind.EXIT_HELD, log)
    return r


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Traces of two ranks that show the same."""
    found = tmp_path / "run"
    found.mkdir()
    program = Program()
    for number in range(2):
        rank(number, program).write(found)
    return found


@pytest.fixture
def clean(tmp_path: Path) -> Path:
    """A trace of a rank in which nothing is wrong."""
    found = tmp_path / "clean"
    found.mkdir()
    rank(0, Program(), cycle=False).write(found)
    return found


@pytest.mark.parametrize("form", ["text", "json"])
def test_golden_reports(lockorder: Run, folder: Path, form: str) -> None:
    done = lockorder("analyze", folder.name, "--format", form)
    assert done.returncode == FOUND
    golden = GOLDEN / f"analyze.{form.replace('text', 'txt')}"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_bytes(done.stdout)
    assert done.stdout.decode() == golden.read_text()


def test_the_summary(lockorder: Run, folder: Path) -> None:
    said = lockorder("analyze", folder.name).stderr.decode().splitlines()
    assert said == [
        "lockorder: note: /opt/app/trainer: not on this machine",
        "lockorder: 1 error, 3 warnings, 0 notes",
        "recorded: 2 processes of 2 ranks, 4 threads, 4 locks of 2 classes, 2 orders between them",
    ]
    assert lockorder("analyze", "-q", folder.name).stderr == b""


def test_exit_codes(lockorder: Run, folder: Path, clean: Path) -> None:
    assert lockorder("analyze", folder.name).returncode == FOUND
    assert lockorder("analyze", folder.name, "--exit-zero").returncode == CLEAN
    done = lockorder("analyze", clean.name)
    assert done.returncode == CLEAN
    assert b"[" not in done.stdout  # tables only
    assert lockorder("analyze", clean.name, folder.name).returncode == FOUND
    assert lockorder("analyze", folder.name, "--select", "self-deadlock").returncode == CLEAN
    some = lockorder("analyze", folder.name, "--ignore", RULE, "--format", "json")
    assert RULE not in {f.rule for f in decode(some.stdout).findings}
    assert lockorder("analyze", folder.name, "--select", "nothing").returncode == FAILED
    assert lockorder("analyze").returncode == FAILED


def test_no_trace(lockorder: Run, tmp_path: Path, clean: Path) -> None:
    (tmp_path / "empty").mkdir()
    for name, reason in (("empty", "no trace in it"), ("gone", "No such file")):
        done = lockorder("analyze", "--exit-zero", name)
        assert (done.returncode, done.stdout) == (FAILED, b"")
        assert f"{name}: {reason}" in done.stderr.decode()
        both = lockorder("analyze", name, clean.name)
        assert both.returncode == FAILED
        assert reason in both.stderr.decode()
        assert b"queue" not in both.stdout or b"hottest" in both.stdout


def test_a_bad_trace_leaves_the_others(lockorder: Run, folder: Path) -> None:
    (folder / "trace-rank9-x-1-0.lot").write_bytes(b"something else")
    done = lockorder("analyze", "--exit-zero", "--format", "json", folder.name)
    assert done.returncode == FAILED
    assert b"trace-rank9-x-1-0.lot: not a trace file" in done.stderr
    document = decode(done.stdout)
    assert RULE in {f.rule for f in document.findings}
    assert any("trace-rank9" in p for p in document.problems)
    for path in folder.glob("trace-rank[01]-*"):
        path.unlink()
    alone = lockorder("analyze", folder.name)
    assert (alone.returncode, alone.stdout) == (FAILED, b"")


def test_a_torn_trace_counts_and_is_named(lockorder: Run, folder: Path) -> None:
    torn = sorted(folder.iterdir())[0]
    torn.write_bytes(torn.read_bytes()[:-64])
    done = lockorder("analyze", folder.name)
    assert done.returncode == FOUND
    assert f"cut off: {torn.name}" in done.stderr.decode()


def test_a_damaged_trace_is_named_and_the_others_count(lockorder: Run, folder: Path) -> None:
    damaged = sorted(folder.iterdir())[0]
    data = damaged.read_bytes()
    damaged.write_bytes(data[: PAGE + 4] + b"\x63" + data[PAGE + 5 :])
    done = lockorder("analyze", "--format", "json", folder.name)
    assert done.returncode == FAILED
    said = done.stderr.decode()
    assert f"{damaged.name}: damaged: a block of kind 99 at byte {PAGE}; what could be read" in said
    found = {finding.rule: finding.message for finding in decode(done.stdout).findings}
    assert "ranks 0-1" in found[RULE]


def test_losses_are_told_in_words(lockorder: Run, tmp_path: Path) -> None:
    program = Program()
    for number in range(5):
        r = rank(number, program, cycle=False)
        r.counters[2] = 12  # edges dropped
        r.counters[4] = 1 if number == 3 else 0  # records dropped
        r.write(tmp_path)
    said = lockorder("analyze", ".").stderr.decode()
    assert "incomplete: 60 lock orders were not recorded" in said
    assert "trace-rank2-node1-102-0.lot and 2 more" in said
    assert "incomplete: 1 records were not written" in said
    assert "free space" in said
    assert "trace-rank4" in lockorder("analyze", "-v", ".").stderr.decode()


def test_the_same_bytes_every_time(lockorder: Run, tmp_path: Path) -> None:
    program = Program()
    for number in range(12):
        rank(number, program, cycle=number % 3 != 0).write(tmp_path)
    command = ("analyze", "--format", "json", ".")
    first = lockorder(*command, "-j", "1", PYTHONHASHSEED="1").stdout
    assert "ranks 1-2, 4-5, 7-8, 10-11" in decode(first).findings[0].message
    for jobs, seed in (("1", "2"), ("2", "3"), ("5", "4")):
        assert lockorder(*command, "-j", jobs, PYTHONHASHSEED=seed).stdout == first


SOURCE = """\
struct { int filler[4]; long lock; } queue;
long log_lock;
void take_log(void) { log_lock = 1; }
void push(void) { queue.lock = 1; take_log(); }
void flush(void) { take_log(); queue.lock = 2; }
int main(void) { push(); flush(); return 0; }
"""


def test_names_come_from_the_program(lockorder: Run, tmp_path: Path, c_compiler: list[str]) -> None:
    (tmp_path / "app.c").write_text(SOURCE)
    program = tmp_path / "app"
    subprocess.run([*c_compiler, "-g", "-O0", "-o", program, "app.c"], cwd=tmp_path, check=True)
    with program.open("rb") as file:
        elf = ELFFile(file)
        table = elf.get_section_by_name(".symtab")
        at = {symbol.name: symbol["st_value"] for symbol in table.iter_symbols()}
        notes = elf.get_section_by_name(".note.gnu.build-id")
        build_id = next(notes.iter_notes())["n_desc"] if notes is not None else ""
    r = Recording(Program(str(program), build_id))

    def stack(*functions: str) -> int:
        return r.stack(*(r.bias + at[name] + 1 for name in functions))

    queue, log = r.lock(r.bias + at["queue"] + 16), r.lock(r.bias + at["log_lock"])
    main, worker = r.thread("main"), r.thread("worker")
    r.edge(main, queue, log, source_pc=r.bias + at["push"] + 1,
           target_stack=stack("take_log", "push", "main"))  # fmt: skip
    r.edge(worker, log, queue, source_stack=stack("take_log", "flush", "main"),
           target_stack=stack("flush", "main"))  # fmt: skip
    (tmp_path / "run").mkdir()
    r.write(tmp_path / "run")
    done = lockorder("analyze", "--format", "json", "run")
    (finding,) = decode(done.stdout).findings
    assert finding.locks == ("log_lock", "queue+0x10")
    taken = [a for p in finding.participants for a in (*p.held, p.taken) if a is not None]
    assert [[f.function for f in a.chain] for a in taken] == [
        ["main", "flush", "take_log"],
        ["main", "flush"],
        ["main", "push"],
        ["main", "push", "take_log"],
    ]
    last = taken[0].chain[-1]
    assert (Path(last.file).name, last.line) == ("app.c", 3)


def test_on_a_cluster(lockorder: Run, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    program = Program()
    for number in range(70):
        rank(number, program, cycle=number % 2 == 0).write(tmp_path)
    (tmp_path / "trace-rank99-x-1-0.lot").write_bytes(b"something else")
    command = ("analyze", "--format", "json", ".")
    here = lockorder(*command)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        there = lockorder(*command, "--dask", cluster.scheduler_address)
    assert (here.returncode, there.returncode) == (FAILED, FAILED)
    assert decode(there.stdout).findings == decode(here.stdout).findings
    assert decode(there.stdout).run == decode(here.stdout).run
    assert b"trace-rank99" in there.stderr


def test_no_cluster(lockorder: Run, folder: Path) -> None:
    done = lockorder("analyze", "--dask", "tcp://127.0.0.1:9", folder.name)
    assert (done.returncode, done.stdout) == (FAILED, b"")
    assert b"no Dask scheduler answers" in done.stderr


def test_output_goes_to_the_file(lockorder: Run, tmp_path: Path, folder: Path) -> None:
    done = lockorder("analyze", "--output", "report.txt", folder.name)
    assert (done.returncode, done.stdout) == (FOUND, b"")
    report = (tmp_path / "report.txt").read_text()
    assert RULE in report
    assert "hottest locks" in report


def test_the_document_rebuilds_its_graph(lockorder: Run, folder: Path) -> None:
    document = decode(lockorder("analyze", "--format", "json", folder.name).stdout)
    assert document.origin == "recorded"
    assert sorted(document.graph().edges()) == sorted(
        {(e.held.lock, e.taken.lock) for e in document.edges}
    )
