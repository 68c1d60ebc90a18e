"""What several test folders share: a C compiler, and small C programs built with it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parent.parent / "fixtures"

BuildProgram = Callable[[str], Path]


@pytest.fixture(scope="session")
def c_compiler() -> list[str]:
    """The C compiler as the start of a command line; without one, the test is skipped."""
    if "CC" in os.environ:
        return shlex.split(os.environ["CC"])
    for name in ("cc", "gcc", "clang"):
        if found := shutil.which(name):
            return [found]
    pytest.skip("no C compiler: install gcc or clang, or set CC")


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
