"""Checks of a Python interpreter, and of PyTorch beside it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import msgspec

from lockorder.doctor import binary_checks
from lockorder.doctor.binary import read_binary
from lockorder.doctor.check import Check, State
from runtime_probe.elf_object import DAMAGE, reason

_ASK = """
import importlib.util, json, os, sys, sysconfig
torch = importlib.util.find_spec("torch")
print(json.dumps({
    "executable": os.path.realpath(sys.executable),
    "version": list(sys.version_info[:3]),
    "implementation": sys.implementation.name,
    "shared": bool(sysconfig.get_config_var("Py_ENABLE_SHARED")),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "torch": os.path.dirname(torch.origin) if torch and torch.origin else "",
}))
"""
#: The libraries of PyTorch that call CUDA and NCCL.
_TORCH = ("libtorch_cuda.so", "libtorch_hip.so")


class Interpreter(msgspec.Struct, frozen=True):
    """What an interpreter says of itself; `torch` is the folder of the package, "" without."""

    executable: str
    version: tuple[int, int, int]
    implementation: str
    shared: bool
    free_threaded: bool
    torch: str


def ask(python: str) -> Interpreter | None:
    """Start *python* to learn about it; None where it does not answer."""
    try:
        done = subprocess.run(
            [python, "-c", _ASK], capture_output=True, timeout=30, check=False,
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        return msgspec.json.decode(done.stdout, type=Interpreter)
    except (OSError, subprocess.TimeoutExpired, msgspec.DecodeError):
        return None


def checks(python: Interpreter) -> Iterator[Check]:
    """What is seen of its locks; then its PyTorch, if it has one."""
    name = f"{python.implementation} {'.'.join(map(str, python.version))}"
    subject = python.executable
    if python.implementation != "cpython":
        yield Check(
            "Python", State.WARNING, name, "its locks and its GIL are not known to the probe",
            "record it with CPython, or expect native locks only", subject,
        )  # fmt: skip
        return
    yield _gil(python, name)
    yield _threading(python, name)
    for library in _TORCH:
        path = Path(python.torch, "lib", library)
        if python.torch and path.is_file():
            yield from _library(str(path))


def _gil(python: Interpreter, name: str) -> Check:
    if python.free_threaded:
        return Check(
            "GIL", State.NOTE, f"{name}, free-threaded",
            "there is no GIL while it is off, so no gil-lock-cycle is found; the same program can "
            "deadlock with the GIL",
            "record once more with the ordinary build, or with PYTHON_GIL=1", python.executable,
        )  # fmt: skip
    if python.shared:
        return Check("GIL", State.OK, f"{name}, shared libpython", subject=python.executable)
    return Check(
        "GIL", State.NOTE, f"{name}, linked statically",
        "the GIL is seen by asking whoever takes a first lock, and in calls of extension modules; "
        "what the interpreter itself does with it while a native lock is held is not",
        "an interpreter built with --enable-shared shows more", python.executable,
    )  # fmt: skip


def _threading(python: Interpreter, name: str) -> Check:
    if python.version < (3, 13):
        return Check("threading", State.OK, f"{name}: Lock and RLock are semaphores",
                     subject=python.executable)  # fmt: skip
    which = "Lock and RLock are bytes" if python.version >= (3, 14) else "Lock is a byte"
    return Check(
        "threading", State.WARNING, f"{name}: {which} in the object, taken without a call",
        "orders among these locks of the threading module are not recorded",
        "record with Python 3.12 where they matter", python.executable,
    )  # fmt: skip


def _library(path: str) -> Iterator[Check]:
    try:
        yield from binary_checks.checks(read_binary(path), library=True)
    except DAMAGE as error:
        yield Check(
            "loading", State.WARNING, f"cannot be read: {reason(error)}",
            "what is not seen of its CUDA and NCCL calls is not known",
            f"look at it: readelf -d {os.path.basename(path)}", path,
        )  # fmt: skip
