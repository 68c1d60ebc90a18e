"""Checks of ``lockorder doctor`` that depend on a machine's state, with that state made up."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockorder.doctor import machine, python_checks
from lockorder.doctor.check import Check, State, serious
from lockorder.doctor.program import privileges
from runtime_probe.launch import SHIM_NAME

MOUNTS = """\
/dev/sda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
tmpfs /home/me/fast tmpfs rw 0 0
fs /data\\040sets lustre rw 0 0
sshfs /ssh fuse.sshfs rw 0 0
"""


@pytest.mark.parametrize(
    ("place", "state", "kind"),
    [
        ("/srv", State.OK, "ext4"),
        ("/home/me", State.WARNING, "nfs4"),
        ("/homes", State.OK, "ext4"),
        ("/home/me/fast/traces", State.NOTE, "tmpfs"),
        ("/data sets/1", State.WARNING, "lustre"),
        ("/ssh", State.WARNING, "fuse.sshfs"),
    ],
)
def test_file_systems(place: str, state: State, kind: str) -> None:
    check = machine.file_system(Path(place), MOUNTS)
    assert (check.state, check.found) == (state, kind)


@pytest.mark.parametrize(
    ("scope", "capabilities", "state"),
    [
        ("0", 0, State.OK),
        ("1", 0, State.NOTE),
        ("1", 1 << 19, State.OK),
        ("2", 1 << 19, State.OK),
        ("3", 1 << 19, State.NOTE),
        (None, 0, State.OK),
    ],
)
def test_tracing(tmp_path: Path, scope: str | None, capabilities: int, state: State) -> None:
    if scope is not None:
        (tmp_path / "scope").write_text(f"{scope}\n")
    (tmp_path / "status").write_text(f"Name:\tx\nCapEff:\t{capabilities:016x}\nCapBnd:\t0\n")
    assert machine.tracing(tmp_path / "scope", tmp_path / "status").state is state


def test_preloads(tmp_path: Path) -> None:
    there = tmp_path / "libtcmalloc.so"
    there.touch()
    for value, state in [
        ("", State.OK), (f"{there}:libm.so.6", State.OK), (f"{there} /gone.so", State.WARNING),
        (SHIM_NAME, State.NOTE),
    ]:  # fmt: skip
        assert machine.preloaded({"LD_PRELOAD": value}).state is state


def test_space() -> None:
    assert machine.space(Path("/x"), 10 << 30).state is State.OK
    assert machine.space(Path("/x"), 10 << 20).state is State.WARNING


def python(**changed: object) -> list[Check]:
    facts: dict[str, object] = {
        "executable": "/usr/bin/python3", "version": (3, 12, 1), "implementation": "cpython",
        "shared": True, "free_threaded": False, "torch": "",
    }  # fmt: skip
    return list(python_checks.checks(python_checks.Interpreter(**(facts | changed))))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("changed", "states"),
    [
        ({}, {"GIL": State.OK, "threading": State.OK}),
        ({"shared": False}, {"GIL": State.NOTE, "threading": State.OK}),
        ({"version": (3, 13, 0)}, {"GIL": State.OK, "threading": State.WARNING}),
        (
            {"version": (3, 14, 0), "free_threaded": True},
            {"GIL": State.NOTE, "threading": State.WARNING},
        ),
        ({"implementation": "pypy"}, {"Python": State.WARNING}),
    ],
)
def test_interpreters(changed: dict[str, object], states: dict[str, State]) -> None:
    assert {c.name: c.state for c in python(**changed)} == states


@pytest.mark.parametrize(("mode", "whose"), [(0o4755, "set-user-ID"), (0o2755, "set-group-ID")])
def test_privileges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int, whose: str) -> None:
    program = tmp_path / "program"
    program.touch()
    program.chmod(mode)
    status = program.stat()
    monkeypatch.setattr(os, "geteuid", lambda: status.st_uid + 1)
    monkeypatch.setattr(os, "getegid", lambda: status.st_gid + 1)
    check = privileges(str(program))
    assert (check.state, check.found) == (State.PROBLEM, whose)
    assert serious([check])
    program.chmod(0o755)
    assert privileges(str(program)).state is State.OK
    monkeypatch.setattr(os, "getxattr", lambda *_: b"\1")
    assert privileges(str(program)).found == "has file capabilities"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert privileges(str(program)).state is State.OK
