"""What is looked at: a command's programs and their libraries, files, a running process."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lockorder.doctor import binary_checks, python_checks
from lockorder.doctor.binary import Binary, read_binary
from lockorder.doctor.check import Check, State
from lockorder.doctor.program import NoProgramError, interpreter, is_python, privileges, programs
from runtime_probe.elf_object import DAMAGE, reason
from runtime_probe.launch import SHIM_NAME

#: Libraries of the system and of compilers: whatever they do is known.
_SYSTEM = re.compile(
    r"ld-linux|linux-vdso|lib(c|m|dl|rt|pthread|stdc\+\+|gcc_s|util|gomp|[a-z]+san|clang_rt.*)\.so"
)
#: "libx.so => /path/libx.so (0x7f...)", or without a name where it is linked by its path.
_LISTED = re.compile(r"(?:.+ => )?(/.+) \(0x[0-9a-f]+\)$")


class ExamineError(Exception):
    """Something that was asked for cannot be looked at; the text says what to do."""


def command(words: Sequence[str]) -> Iterator[Check]:
    """The programs that a command starts, as far as its words tell.

    Raises:
        ExamineError: it cannot be started.
    """
    try:
        for path in programs(words):
            program = interpreter(path)
            yield Check("program", State.OK, _way(path, program), subject=program)
            yield from _program(program)
            if is_python(path) and not is_python(program):  # a version manager's script
                python = python_checks.ask(path)
                if python is not None:
                    yield from _program(python.executable)
    except NoProgramError as error:
        raise ExamineError(str(error)) from None


def _way(path: str, program: str) -> str:
    return program if path == program else f"{path}, run by {program}"


def file(path: str) -> Iterator[Check]:
    """A program, a script or a library.

    Raises:
        ExamineError: it is none of these.
    """
    try:
        path = interpreter(path)
        binary = _read(path)
    except NoProgramError as error:
        raise ExamineError(str(error)) from None
    if binary.library:
        yield from _checks(binary, library=True)
    else:
        yield from _program(path)


def process(pid: int) -> Iterator[Check]:
    """A process that runs: whether it is recorded, its program and what it has loaded by now.

    Raises:
        ExamineError: it is not there, or not ours to look at.
    """
    try:
        path = os.readlink(f"/proc/{pid}/exe")
        maps = Path(f"/proc/{pid}/maps").read_text(errors="replace")
    except FileNotFoundError:
        raise ExamineError(f"process {pid}: there is none: see ps -e") from None
    except OSError as error:
        raise ExamineError(f"process {pid}: {reason(error)}: ask as its user, or as root") from None
    loaded = sorted(
        {w[5] for w in (line.split(None, 5) for line in maps.splitlines()) if len(w) > 5}
    )
    if any(os.path.basename(name) == SHIM_NAME for name in loaded):
        yield Check("recording", State.OK, "the probe is in it", subject=f"process {pid}")
    else:
        yield Check(
            "recording", State.WARNING, "the probe is not in it", "it cannot be added any more",
            "start it again under lockorder run; lockorder hang --pid needs no probe",
            f"process {pid}",
        )  # fmt: skip
    yield from _checks(_read(path))
    yield from _libraries(n for n in loaded if n.startswith("/") and ".so" in n)


def default_python() -> Iterator[Check]:
    """The interpreter that a shell would start; nothing where there is none."""
    path = shutil.which("python3") or shutil.which("python")
    if path is not None:
        python = python_checks.ask(path)
        if python is not None:
            yield from python_checks.checks(python)


def _program(path: str) -> Iterator[Check]:
    binary = _read(path)
    yield privileges(path)
    found = _checks(binary)
    yield from found
    if any(c.state is State.PROBLEM for c in found):
        return
    yield from _libraries(_linked(path, binary))
    if is_python(path):
        python = python_checks.ask(path)
        if python is None:
            yield Check(
                "Python", State.WARNING, "does not answer",
                "what is seen of its locks is not known",
                f"see why: {path} -c 'import sysconfig'", path,
            )  # fmt: skip
        else:
            yield from python_checks.checks(python)


def _checks(binary: Binary, library: bool = False) -> list[Check]:
    try:
        return list(binary_checks.checks(binary, library=library))
    except DAMAGE as error:
        raise ExamineError(f"{binary.path}: damaged: {error}: build or install it again") from None


def _read(path: str) -> Binary:
    try:
        return read_binary(path)
    except DAMAGE as error:
        raise ExamineError(
            f"{path}: neither a program nor a library nor a script with a #! line: {reason(error)}"
        ) from None


def _linked(path: str, binary: Binary) -> Iterator[str]:
    """The libraries that the loader would load, itself asked (ld.so(8), --list)."""
    if not binary.interpreter:
        return
    try:
        done = subprocess.run(
            [binary.interpreter, "--list", path], capture_output=True, text=True, timeout=30,
            check=False, errors="replace", stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return
    for line in done.stdout.splitlines():
        found = _LISTED.match(line.strip())
        if found is not None:
            yield found[1]


def _libraries(paths: Iterable[str]) -> Iterator[Check]:
    """Of libraries only what is worth saying, and not that they are stripped."""
    for path in paths:
        if _SYSTEM.match(os.path.basename(path)) or os.path.basename(path) == SHIM_NAME:
            continue
        try:
            found = _checks(_read(path), library=True)
        except ExamineError:
            continue  # deleted since it was loaded, or no ELF file: a mapped archive
        telling = ("CUDA runtime", "NCCL")
        yield from (
            c for c in found
            if c.state in (State.WARNING, State.PROBLEM) or c.name in telling
        )  # fmt: skip
