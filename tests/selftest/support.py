"""Builds the self-test's programs, runs them with and without the probe, and asks for verdicts."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from compilers import CannotBuildError, compiler

from lockorder import cli
from runtime_probe.launch import preload_environment, shim_path

SOURCES = Path(__file__).parent / "programs"
#: No program may need more, on a busy machine either; what runs longer hangs.
LIMIT_S = 30
#: The optimiser must leave each call where it is: stacks tell the locks' users apart, and a tail
#: call would end a frame whose lock is still in use.
FLAGS = ("-O1", "-g", "-Wall", "-Wextra", "-fno-optimize-sibling-calls", "-pthread")
_C = ("-std=c11", *FLAGS)
_CXX = ("-std=c++17", *FLAGS)


class Outcome(NamedTuple):
    """What the outside sees of a run; ``code`` is negative for a signal."""

    stdout: bytes
    stderr: bytes
    code: int


class Programs:
    """The programs, each built when it is first asked for, in a folder that several may share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def command(self, program: str, arguments: Sequence[str]) -> list[str]:
        """The command line that runs *program*; raises CannotBuildError."""
        if (SOURCES / f"{program}.py").exists():
            if program == "gil":
                self._built("selftest_gil")
            # Without site-packages: what they bring is not what is tested, and costs time.
            return [sys.executable, "-S", "-B", str(SOURCES / f"{program}.py"), *arguments]
        if program == "lifetimes":
            self._built("plugin")
        return [str(self._built(program)), *arguments]

    @property
    def environment(self) -> dict[str, str]:
        """What the programs need beside the command line."""
        return {
            **os.environ,
            "PYTHONPATH": str(self._folder),
            "SELFTEST_PLUGIN": str(self._path("plugin")),
        }

    def _path(self, program: str) -> Path:
        library = program in ("plugin", "selftest_gil")
        return self._folder / (f"{program}.so" if library else program)

    def _built(self, program: str) -> Path:
        path = self._path(program)
        if not path.exists():
            # Two test processes may be here at once: each builds, the last one's file stays.
            with tempfile.TemporaryDirectory(dir=self._folder) as apart:
                made = Path(apart) / path.name
                _compile(program, made)
                made.replace(path)
        return path


def _compile(program: str, target: Path) -> None:
    (source,) = (s for s in SOURCES.glob(f"{program}.*") if s.suffix in (".c", ".cpp"))
    flags: tuple[str, ...] = _C if source.suffix == ".c" else _CXX
    if target.suffix == ".so":
        flags = (*flags, "-shared", "-fPIC")
    if program == "selftest_gil":
        headers = sysconfig.get_path("include")
        if not (Path(headers) / "Python.h").exists():
            raise CannotBuildError(f"no Python.h in {headers}: install Python's headers")
        flags = (*flags, f"-I{headers}")
    command = [*compiler(source.suffix), *flags, "-o", str(target), str(source), "-ldl"]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert built.returncode == 0, f"{shlex.join(command)}\n{built.stderr}"


def run(command: Sequence[str], environment: Mapping[str, str]) -> Outcome:
    """Run a program without the probe."""
    done = subprocess.run(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=LIMIT_S,
        check=False,
    )
    return Outcome(done.stdout, done.stderr, done.returncode)


def record(command: Sequence[str], environment: Mapping[str, str], trace_dir: Path) -> Outcome:
    """Run a program under the probe, as ``lockorder run`` does, without its start-up time."""
    trace_dir.mkdir(parents=True, exist_ok=True)
    return run(command, preload_environment(environment, shim_path(), trace_dir))


def verdict(trace_dir: Path) -> set[str]:
    """The rules that fire with level error or warning on what was recorded in *trace_dir*.

    In this process: a start of the interpreter for each case would cost more than all the rest.
    """
    result = trace_dir.with_suffix(".json")
    arguments = ["-q", "--format", "json", "--output", str(result), str(trace_dir)]
    code = cli.main(["analyze", *arguments])
    assert code in (0, 1), f"lockorder analyze ended with {code}"
    rules = serious_rules(result.read_bytes())
    assert code == bool(rules), (
        f"lockorder analyze ended with {code} and found {rules or 'nothing'}"
    )
    return rules


class _Findings(msgspec.Struct):
    """Of a document the findings: the rest can be of hundreds of megabytes."""

    findings: list[dict[str, Any]] = []


def serious_rules(document: bytes) -> set[str]:
    """The rules of a JSON document's findings of level error or warning."""
    findings = msgspec.json.decode(document, type=_Findings).findings
    return {each["rule"] for each in findings if each["level"] in ("error", "warning")}
