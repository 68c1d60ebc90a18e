"""Processes that cannot be looked at: what is said of each. The kernel's answers are made up."""

from __future__ import annotations

import errno
import os
import pickle
import struct
from pathlib import Path

import pytest

from lockorder.hang.procfs import LiveImage
from lockorder.hang.procfs_errors import HangError
from lockorder.hang.procfs_files import Call, Proc, call_of, mappings_of, start_of, status_of

STATUS = """Name:\tworker
State:\tS (sleeping)
Pid:\t77
Uid:\t{uid}\t{uid}\t{uid}\t{uid}
NSpid:\t77\t5
CapEff:\t{rights:016x}
voluntary_ctxt_switches:\t12
nonvoluntary_ctxt_switches:\t3
"""
MAPS = """00400000-00401000 r-xp 00000000 fe:00 12 /usr/bin/worker
7f0000000000-7f0000001000 rw-p 00000000 00:00 0 \n7ff000000000-7ff000021000 rw-p 0 00:00 0 [stack]
"""


class Made(Proc):
    """A /proc in a folder; names in *refused* may not be read, whoever asks."""

    refused: tuple[str, ...] = ()

    def _ask(self, name: str) -> None:
        if name.endswith(self.refused) and self.refused:
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    def text(self, name: str) -> str:
        self._ask(name)
        return super().text(name)

    def link(self, name: str) -> str:
        self._ask(name)
        return super().text(name + ".link")

    def open(self, name: str) -> int:
        self._ask(name)
        return super().open(name)


@pytest.fixture
def proc(tmp_path: Path) -> Made:
    """Process 77, asleep, of user 1000; we are user 1000 without rights."""
    files = {
        "self/status": STATUS.format(uid=1000, rights=0),
        "77/status": STATUS.format(uid=1000, rights=0),
        "77/maps": MAPS,
        "77/exe.link": "/usr/bin/worker",
        "77/cmdline": "worker\0-x\0",
        "77/mem": "",
        "77/syscall": "202 0x1000 0x80 0x2 0x0 0x0 0x0 0x7ff0 0x4000\n",
        "77/task/77/status": STATUS.format(uid=1000, rights=0),
        "77/task/77/syscall": "202 0x1000 0x80 0x2 0x0 0x0 0x0 0x7ff0 0x4000\n",
        "77/task/77/stat": "77 (wor) ker) S " + " ".join(map(str, range(50))),
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "77/exe").write_bytes(elf(2, 62))
    return Made(str(tmp_path))


def elf(kind: int, machine: int) -> bytes:
    """The begin of an ELF file: 1 for 32 bits, 2 for 64."""
    return b"\x7fELF" + bytes([kind, 1, 1]) + bytes(9) + struct.pack("<HH", 2, machine)


def write(proc: Proc, name: str, text: str) -> None:
    Path(proc.root, name).write_text(text)


def refused(proc: Proc) -> HangError:
    with pytest.raises(HangError) as caught:
        LiveImage(77, proc)
    assert caught.value.subject == "process 77"
    return caught.value


def test_what_is_seen(proc: Made) -> None:
    image = LiveImage(77, proc)
    assert (image.pid, image.outside, image.machine) == (5, 77, "x86-64")
    assert (image.exe, image.command) == ("/usr/bin/worker", ("worker", "-x"))
    (thread,) = image.threads()
    assert thread[:4] == (5, "worker", "S", 202)
    assert (thread.arguments[0], thread.sp, thread.pc) == (0x1000, 0x7FF0, 0x4000)
    assert image.read(0x1000, 4) is None
    assert image.problems == []


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        ("1", ["ptrace_scope is 1", "sudo lockorder hang --pid 77", "sysctl kernel.yama"]),
        ("2", ["ptrace_scope is 2", "sudo lockorder hang --pid 77"]),
        ("3", ["ptrace_scope is 3", "next boot", "--core"]),
    ],
)
def test_yama(proc: Made, scope: str, words: list[str]) -> None:
    Path(proc.root, "sys/kernel/yama").mkdir(parents=True)
    write(proc, "sys/kernel/yama/ptrace_scope", scope)
    proc.refused = ("77/mem", "77/syscall")
    error = refused(proc)
    assert all(word in str(error) for word in words)
    assert ("sysctl" in error.remedy) == (scope == "1")


def test_another_user(proc: Made) -> None:
    write(proc, "self/status", STATUS.format(uid=7, rights=0))
    proc.refused = ("77/exe",)
    error = refused(proc)
    assert error.reason == "it belongs to another user (uid 1000, we are 7)"
    assert "sudo lockorder hang --pid 77" in error.remedy


def test_container(proc: Made) -> None:
    write(proc, "self/status", STATUS.format(uid=0, rights=0))
    proc.refused = ("77/mem",)
    error = refused(proc)
    assert "CAP_SYS_PTRACE" in error.reason
    assert "--cap-add=SYS_PTRACE" in error.remedy


def test_security_module(proc: Made) -> None:
    write(proc, "self/status", STATUS.format(uid=0, rights=1 << 19))
    proc.refused = ("77/maps",)
    assert "SELinux" in refused(proc).remedy


def test_no_such_process(proc: Made) -> None:
    with pytest.raises(HangError, match=r"process 78: there is no such process.*--pid=host"):
        LiveImage(78, proc)


def test_musl(proc: Made) -> None:
    write(proc, "77/maps", "1000-2000 r-xp 0 fe:00 1 /lib/ld-musl-x86_64.so.1\n")
    assert "musl" in refused(proc).reason


def test_32_bits(proc: Made) -> None:
    Path(proc.root, "77/exe").write_bytes(elf(1, 3))
    assert "32-bit" in refused(proc).reason


def test_other_machine(proc: Made) -> None:
    Path(proc.root, "77/exe").write_bytes(elf(2, 243))
    assert "neither x86-64 nor aarch64" in refused(proc).reason


def test_kernel_thread(proc: Made) -> None:
    write(proc, "77/maps", "")
    assert "thread of the kernel" in refused(proc).reason


def test_zombie(proc: Made) -> None:
    for name in ("77/status", "77/task/77/status"):
        write(proc, name, STATUS.format(uid=1000, rights=0).replace("S (sl", "Z (zo"))
    assert "has ended" in refused(proc).reason


def test_damage(proc: Made) -> None:
    """Whatever stands in the files: an answer, or a HangError."""
    write(proc, "77/task/77/syscall", "what\n")
    image = LiveImage(77, proc)
    assert [thread.call for thread in image.threads()] == [-1]
    assert image.problems == [f"{proc.root}/77/task/77/syscall: not understood"]
    write(proc, "77/task/77/stat", "")
    assert image.threads() == []
    write(proc, "77/status", "")
    assert "no status file" in refused(proc).reason


def test_a_wait_that_goes_on_after_a_stop(proc: Made) -> None:
    def call(text: str) -> int:
        write(proc, "77/task/77/syscall", text)
        (thread,) = image.threads()
        return thread.call

    image = LiveImage(77, proc)
    arguments = "0x1000 0x1 0xffffffff 0x0 0x0 0x0 0x7ff0 0x4000\n"
    assert call(f"219 {arguments}") == 219  # as which call it began nobody has seen
    assert call(f"7 {arguments}") == 7
    assert call(f"219 {arguments}") == 7
    assert call(f"230 {arguments}") == 230
    assert call(f"219 {arguments}") == 219  # how long a sleep still lasts is not known
    assert call("219 0x2000 0x1 0x64 0x0 0x0 0x0 0x7ff0 0x4000\n") == 219
    assert call("219 0x1000 0x1 0xffffffff 0x0 0x0 0x0 0x7f00 0x4000\n") == 219


def test_no_syscall_files(proc: Made) -> None:
    Path(proc.root, "77/syscall").unlink()
    Path(proc.root, "77/task/77/syscall").unlink()
    image = LiveImage(77, proc)
    assert [thread.call for thread in image.threads()] == [-1]
    assert image.problems == ["this kernel does not say what threads wait for (no syscall files)"]


def test_files() -> None:
    assert call_of("running\n").number == -2
    assert call_of("-1 0x10 0x20\n") == Call(-1, (), 0x10, 0x20)
    for text in ("", "202 0x1\n", "-7 0 0\n"):
        with pytest.raises(ValueError, match="no syscall file"):
            call_of(text)
    assert [m.path for m in mappings_of(MAPS)] == ["/usr/bin/worker", "", "[stack]"]
    assert start_of("1 (a) b) S " + " ".join(map(str, range(30)))) == 18
    status = status_of(STATUS.format(uid=3, rights=0))
    assert (status.ids, status.switches) == ((77, 5), 15)


def test_errors_cross_processes() -> None:
    error = pickle.loads(pickle.dumps(HangError("process 1", "gone", "look")))
    assert str(error) == "process 1: gone; look"
