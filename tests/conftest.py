"""What several test folders share: a C compiler, small C programs, the self-test's summary."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import xdist.scheduler
from compilers import CannotBuildError, compiler
from selftest.picture import picture, summary

FIXTURES = Path(__file__).parent.parent / "fixtures"

BuildProgram = Callable[[str], Path]

#: Files whose tests share what takes long to make: each goes to one worker as a whole.
TOGETHER = {
    f"tests/integration/test_{name}.py"
    for name in ("compare_runs", "corpus", "dask", "determinism", "export_pictures",
                 "probe_free_mutex", "trace_processor")
}  # fmt: skip

# How long one example takes says more of the machine than of the code.
hypothesis.settings.register_profile("lockorder", deadline=None)
hypothesis.settings.load_profile("lockorder")

# A shell that starts the tests in the background has these ignored in all that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)

# Hundreds of tests start the command: where Python is told to write no bytecode, each start would
# compile all modules again. It goes where it is in nobody's way.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ["PYTHONPYCACHEPREFIX"] = str(FIXTURES.parent / "build" / "bytecode")


# Repositories that tests make know nothing of the machine's settings, nor of one that the tests
# were started from (a hook sets GIT_DIR). A file of our own: /dev/null is not one everywhere.
for _name in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[_name]
os.environ["GIT_CONFIG_GLOBAL"] = str(Path(__file__).with_name("empty.gitconfig"))
os.environ["GIT_CONFIG_NOSYSTEM"] = "1"


@pytest.fixture(scope="session")
def c_compiler() -> list[str]:
    """The C compiler as the start of a command line; without one, the test is skipped."""
    try:
        return compiler(".c")
    except CannotBuildError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def build_program(c_compiler: list[str], tmp_path_factory: pytest.TempPathFactory) -> BuildProgram:
    """Builds fixtures/programs/NAME.c, once for each name, and returns the executable."""
    folder = tmp_path_factory.mktemp("programs")

    def build(name: str) -> Path:
        program = folder / name
        if not program.exists():
            source = FIXTURES / "programs" / f"{name}.c"
            command = [*c_compiler, "-std=c11", "-O1", "-g", "-pthread", "-o", program, source]
            subprocess.run(command, check=True)
        return program

    return build


class _Scheduling(xdist.scheduler.LoadScopeScheduling):  # type: ignore[misc]
    """Test by test, but for the files of ``TOGETHER``, which come first."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.partition("::")[0]
        return file if file in TOGETHER else nodeid


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> _Scheduling:
    """How tests are spread over workers."""
    return _Scheduling(config, log)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Draw the self-test's matrix: all of it where it was asked for or has failures in it."""
    found = [
        (dict(report.user_properties)["selftest"], word)
        for outcome, word in (("passed", "ok"), ("failed", "FAIL"))
        for report in terminalreporter.getreports(outcome)
        if report.when == "call" and "selftest" in dict(report.user_properties)
    ]
    if not found:
        return
    terminalreporter.section("self-test")
    words = [word for _, word in found]
    if "FAIL" in words or config.option.verbose > 0 or any("selftest" in a for a in config.args):
        for line in picture((*case, word) for (_, *case), word in sorted(found)):
            terminalreporter.line(line)
    else:
        terminalreporter.line(summary(words))
