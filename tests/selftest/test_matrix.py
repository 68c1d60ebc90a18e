"""The probe's self-test: every case of the table, run, recorded and judged."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from compilers import CannotBuildError

from matrix import BEHAVIOURS, Case, cases
from support import Programs, record, run, serious_rules, verdict

#: Cases that come out otherwise, with the reason (docs/limits.md). One that comes out right again
#: fails the suite.
TRY = "CPython's blocking acquire tries first, by the same call as acquire(blocking=False)"
EXCEPTIONS = {"threading.Lock-ABBA-try-both": TRY, "threading.RLock-ABBA-try-both": TRY}
ALL = list(cases())
MARKED = [
    pytest.param(case, marks=pytest.mark.xfail(reason=EXCEPTIONS[str(case)], strict=True))
    if str(case) in EXCEPTIONS
    else case
    for case in ALL
]
#: Cases in which the program does not end by itself.
KILLED = {"process-killed-holding": -signal.SIGKILL}
#: Through the command line as people use it, start-up time included: one of each sort.
BY_COMMAND_LINE = (
    "mutex-ABBA",
    "mutex-ABAB",
    "std::shared_mutex-RWRW",
    "processes-fork-orders",
    "threads-process-killed-holding",
)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # which the workers share
    return Programs(folder / "selftest")


@pytest.fixture
def trace_dir() -> Iterator[Path]:
    """A folder that is gone after the test: traces of all cases together are large."""
    with tempfile.TemporaryDirectory(prefix="selftest-") as folder:
        yield Path(folder) / "traces"


def command_of(programs: Programs, program: str, arguments: Sequence[str]) -> list[str]:
    try:
        return programs.command(program, arguments)
    except CannotBuildError as missing:
        pytest.skip(str(missing))


@pytest.mark.parametrize("case", MARKED, ids=str)
def test_case(
    case: Case, programs: Programs, trace_dir: Path, record_property: Callable[[str, object], None]
) -> None:
    command = command_of(programs, case.program, case.arguments)
    bare = run(command, programs.environment)
    assert bare.code == KILLED.get(case.shape, 0), bare.stderr.decode()
    assert record(command, programs.environment, trace_dir) == bare
    record_property("selftest", [ALL.index(case), *case[:3]])
    found = verdict(trace_dir)
    assert found == case.rules, f"lockorder run -- {shlex.join(command)}"


@pytest.mark.parametrize("command", BEHAVIOURS, ids=" ".join)
def test_nothing_changes_for_the_program(
    command: tuple[str, ...], programs: Programs, trace_dir: Path
) -> None:
    words = command_of(programs, command[0], command[1:])
    bare = run(words, programs.environment)
    assert bare.stdout
    assert record(words, programs.environment, trace_dir) == bare


@pytest.mark.parametrize("name", BY_COMMAND_LINE)
def test_command_line(name: str, programs: Programs, trace_dir: Path) -> None:
    (case,) = (each for each in ALL if str(each) == name)
    command = command_of(programs, case.program, case.arguments)
    bare = run(command, programs.environment)
    lockorder = [sys.executable, "-m", "lockorder"]
    under_probe = [*lockorder, "run", "-q", "-o", str(trace_dir), "--", *command]
    probed = run(under_probe, programs.environment)
    assert probed._replace(code=0) == bare._replace(code=0)
    assert probed.code == (bare.code if bare.code >= 0 else 128 - bare.code)
    analysed = subprocess.run(
        [*lockorder, "analyze", "--format", "json", str(trace_dir)],
        capture_output=True,
        check=False,
    )
    assert serious_rules(analysed.stdout) == case.rules
    assert analysed.returncode == bool(case.rules), analysed.stderr.decode()
