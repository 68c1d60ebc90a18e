"""Parts of ``lockorder.watchdog`` that need no program: its folder, Yama, forks, arguments."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import pytest

from lockorder import watchdog


@pytest.mark.parametrize(
    ("named", "error_file", "folder"),
    [
        ("answers", "/logs/run_1/attempt_0/3/error.json", "answers"),
        ("", "/logs/run_1/attempt_0/3/error.json", "/logs/run_1/attempt_0"),
        ("", "{tmp}/torchelastic_x/run_1/attempt_0/3/error.json", "{cwd}"),
        ("", "", "{cwd}"),
    ],
)
def test_where_answers_go(
    monkeypatch: pytest.MonkeyPatch, named: str, error_file: str, folder: str
) -> None:
    monkeypatch.setattr(watchdog.tempfile, "gettempdir", lambda: "/tmp")
    monkeypatch.setenv("LOCKORDER_WATCHDOG_DIR", named)
    monkeypatch.setenv("TORCHELASTIC_ERROR_FILE", error_file.format(tmp="/tmp"))
    assert watchdog._folder() == Path(folder.format(cwd=os.getcwd()))


@pytest.mark.parametrize(("scope", "asked"), [("0", []), ("1", [4711]), ("2", []), ("", [])])
def test_yama_is_told_who_may_look(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scope: str, asked: list[int]
) -> None:
    found = []

    class Libc:
        def __init__(self, name: None) -> None:
            """The program itself."""

        def prctl(self, option: int, pid: ctypes.c_ulong, *_: int) -> int:
            assert option == int.from_bytes(b"Yama", "big")
            found.append(pid.value)
            return 0

    file = tmp_path / "ptrace_scope"
    if scope:
        file.write_text(f"{scope}\n")
    monkeypatch.setattr(watchdog, "_YAMA", str(file))
    monkeypatch.setattr(ctypes, "CDLL", Libc)
    watchdog._allow(4711)
    assert found == asked


@pytest.mark.parametrize("value", [0, -1.0, float("inf"), float("nan")])
@pytest.mark.parametrize("name", ["timeout", "every"])
def test_seconds(name: str, value: float) -> None:
    with pytest.raises(ValueError, match=rf"{name}: .*positive number of seconds"):
        watchdog.start(**{name: value})


def test_a_program_with_an_interpreter_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchdog.sys, "executable", "/opt/simulator")
    with pytest.raises(watchdog.WatchdogError, match="no interpreter: '/opt/simulator'"):
        watchdog.start(folder=tmp_path)


def test_a_child_of_a_fork_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    beats, (end, line) = os.memfd_create("beats"), os.pipe()
    os.ftruncate(beats, 8)
    watched = watchdog._Watched(beats, line)
    monkeypatch.setattr(watchdog, "_watched", watched)
    watchdog.beat()
    child = os.fork()
    if not child:
        watchdog.beat()
        watchdog.stop()  # of nobody
        os._exit(0 if watchdog._watched is None else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert os.pread(beats, 8, 0) == (1).to_bytes(8, "little")
    watchdog.stop()
    assert os.read(end, 2) == b"\n"
    for descriptor in (beats, end):
        os.close(descriptor)
