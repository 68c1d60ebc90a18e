"""What several test folders share: a C compiler, small C programs, the self-test's summary."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from compilers import CannotBuildError, compiler
from selftest.picture import picture, summary

FIXTURES = Path(__file__).parent.parent / "fixtures"

BuildProgram = Callable[[str], Path]


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
