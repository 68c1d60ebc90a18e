"""Live Python processes: who has the GIL, which locks are waited for."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from compilers import CannotBuildError, compiler

from hung import PROGRAMS, Hung, interpreters, running
from lockorder.hang.procfs import LiveImage
from lockorder.hang.waits import Wait, Waits
from lockorder.hang.waits_frames import Kind

INTERPRETERS = interpreters()
_HEADERS = "import sysconfig; print(sysconfig.get_path('include'))"

each_python = pytest.mark.parametrize("python", INTERPRETERS, ids=str)


@pytest.fixture(scope="module")
def extensions(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Path]:
    """Folders with the built extension, by interpreter."""
    return {python: tmp_path_factory.mktemp("extension") for python in INTERPRETERS}


def start(python: Path, folder: Path, name: str) -> list[str | Path]:
    """The command that runs a function of python_locks.py with the extension, built here."""
    headers = subprocess.check_output([python, "-c", _HEADERS], text=True).strip()
    if not Path(headers, "Python.h").exists():
        pytest.skip(f"{python}: no headers")
    module = folder / "gil_extension.so"
    if not module.exists():
        try:
            build = [*compiler(".cpp"), "-std=c++17", "-O1", "-shared", "-fPIC", "-pthread"]
        except CannotBuildError as missing:
            pytest.skip(str(missing))
        source = PROGRAMS / "gil_extension.cpp"
        subprocess.run([*build, f"-I{headers}", "-o", module, source], check=True)
    return ["env", f"PYTHONPATH={folder}", python, PROGRAMS / "python_locks.py", name]


@each_python
def test_gil_against_mutex(python: Path, extensions: dict[Path, Path]) -> None:
    with running(start(python, extensions[python], "extension")) as hung:
        found = hung.owners((Kind.GIL, Kind.MUTEX), 2)
        mutex = hung.objects["mutex"]
        assert found["python"] == (Kind.MUTEX, mutex, "native")
        assert found["native"][::2] == (Kind.GIL, "python")


@each_python
def test_python_locks(python: Path) -> None:
    with running([python, PROGRAMS / "python_locks.py", "crossed"]) as hung:
        found = hung.owners((Kind.PYTHON_LOCK,), 2)
        assert found["a"][1:] != found["b"][1:]  # two locks, and nobody known to have them
        assert {name: (kind, owner) for name, (kind, _, owner) in found.items()} == {
            "a": (Kind.PYTHON_LOCK, ""),
            "b": (Kind.PYTHON_LOCK, ""),
        }


@each_python
def test_known_holders(python: Path) -> None:
    """What stacks say of locks without owners comes in."""
    with running([python, PROGRAMS / "python_locks.py", "crossed"]) as hung:
        found = hung.owners((Kind.PYTHON_LOCK,), 2)
        holders = {found["a"][1]: hung.threads["b"], found["b"][1]: hung.threads["a"]}
        waits = Waits(LiveImage(hung.pid)).find(holders=holders)
        owners = {wait.tid: wait.owner_tid for wait in waits if wait.owner_tid}
        a, b = hung.threads["a"], hung.threads["b"]
        assert owners == {a: b, b: a}


@each_python
def test_gil_that_moves(python: Path) -> None:
    with running([python, PROGRAMS / "python_locks.py", "computing"]) as hung:
        waits = Waits(LiveImage(hung.pid))
        for _ in range(10):
            assert not closed(waits.find())


@each_python
def test_parked(python: Path, extensions: dict[Path, Path]) -> None:
    with _or_skip(python, extensions[python]) as hung:
        found = hung.owners((Kind.PYTHON_LOCK,), 1)
        assert found == {"native": (Kind.PYTHON_LOCK, hung.objects["mutex"], "")}


def _or_skip(python: Path, folder: Path):  # type: ignore[no-untyped-def]
    version = subprocess.check_output([python, "-c", "import sys; print(sys.version_info[1])"])
    if int(version) < 13:
        pytest.skip("PyMutex came with 3.13")
    return running(start(python, folder, "parked"))


def closed(found: list[Wait]) -> bool:
    """Whether somebody who is waited for waits, too."""
    waiting = {wait.tid for wait in found if wait.kind is not Kind.CALL}
    return any(wait.owner_tid in waiting for wait in found)


def test_hung_is_ready() -> None:
    """A program that ends early is said to have."""
    with pytest.raises(AssertionError, match="ended with 0"), running(["true"]):
        raise NotImplementedError(Hung)
