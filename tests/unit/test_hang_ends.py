"""Who ends a wait in the kernel: by made-up calls of made-up processes."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

import pytest

from lockorder.hang import ends
from lockorder.hang.ends import Ends, Kernel
from lockorder.hang.image import X86_64, Mapping, Stopped
from lockorder.hang.procfs_files import Proc

AT = 0x1000
LOCKS = """1: FLOCK  ADVISORY  WRITE {holder} 00:1f:55 0 EOF
1: -> FLOCK  ADVISORY  WRITE 1 00:1f:55 0 EOF
2: POSIX  ADVISORY  WRITE 9 00:1f:56 0 EOF
3: OFDLCK ADVISORY  READ  -1 00:1f:57 0 EOF
"""


class Made:
    """Process 1, with some memory."""

    pid = outside = 1
    machine, exe = X86_64, "/made"
    command: tuple[str, ...] = ()

    def __init__(self, memory: bytes = b"") -> None:
        self.memory, self.problems = memory, list[str]()

    def threads(self) -> Sequence[Stopped]:
        return []

    def mappings(self) -> Sequence[Mapping]:
        return []

    def read(self, address: int, size: int) -> bytes | None:
        found = self.memory[address - AT : address - AT + size] if address >= AT else b""
        return found if len(found) == size else None


def asked(
    kernel: Kernel, call: str, *arguments: int, memory: bytes = b"", number: int = 0
) -> Ends | None:
    six = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    return kernel.ends(Made(memory), Stopped(1, "made", "S", number, six, 0, 0, {}), call)


@pytest.fixture
def kernel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kernel:
    """3 is a pipe to process 2, 4 the terminal, 5 a timer, 6 an epoll of all these, 7 a file."""
    for pid in (1, 2):
        for folder in ("fd", "fdinfo"):
            (tmp_path / str(pid) / folder).mkdir(parents=True)
    for pid, fd, target, info in (
        (1, 3, "pipe:[17]", "flags:\t00"),
        (2, 1, "pipe:[17]", "flags:\t01"),
        (1, 4, "/dev/pts/0", "flags:\t02"),
        (1, 5, "anon_inode:[timerfd]", "flags:\t02"),
        (1, 6, "anon_inode:[eventpoll]", "flags:\t02\ntfd: 3 events\ntfd: 4 events\ntfd: 5 e"),
        (1, 7, "/data/lock", "flags:\t02"),
        (2, 7, "/data/lock", "flags:\t02"),
    ):
        (tmp_path / f"{pid}/fd/{fd}").symlink_to(target)
        (tmp_path / f"{pid}/fdinfo/{fd}").write_text(info + "\n")
    monkeypatch.setattr(ends, "children", lambda pid: [20, 21] if pid == 1 else [])
    for pid, inside in ((20, 2), (21, 3)):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / f"{pid}/status").write_text(f"Name:\tmade\nNSpid:\t{pid}\t{inside}\n")
    return Kernel(Proc(str(tmp_path)))


# -- descriptors -----------------------------------------------------------------------------------


def test_one_descriptor(kernel: Kernel) -> None:
    assert asked(kernel, "read", 3) == Ends("a pipe", (2,))
    assert asked(kernel, "read", 3 | 0xDEAD << 32) == Ends("a pipe", (2,))  # an int
    assert asked(kernel, "recv", 4) == Ends("the terminal", outside="somebody at the terminal")


def test_several_descriptors_end_with_any(kernel: Kernel) -> None:
    table = struct.pack("<ihhihhihh", 3, 1, 0, -1, 1, 0, 5, 1, 0)
    found = asked(kernel, "poll", AT, 3, memory=table)
    assert found == Ends("a pipe, a timer", (2,), "", timer=True)
    found = asked(kernel, "epoll_wait", 6)
    assert found is not None
    assert found.pids == (2,)
    assert found.outside == "somebody at the terminal"
    assert found.timer
    assert not found.expects


def test_select_has_bits(kernel: Kernel) -> None:
    bits = struct.pack("<Q", 1 << 3)
    assert asked(kernel, "select", 8, AT, memory=bits) == Ends("a pipe", (2,))
    # Written: who reads.
    alone = "a pipe of which nobody else has the other end any more"
    assert asked(kernel, "select", 8, 0, AT, memory=bits) == Ends(alone, (1,))
    assert asked(kernel, "select", 3, AT, memory=bits) is None


def test_memory_that_cannot_be_read_says_nothing(kernel: Kernel) -> None:
    assert asked(kernel, "poll", 8, 3) is None
    assert asked(kernel, "poll", AT, 1 << 60, memory=b"short") is None
    assert asked(kernel, "select", 8, 8) is None
    assert asked(kernel, "select", 1 << 31, AT, memory=b"12345678") is None
    assert asked(kernel, "epoll_wait", 99) is None


# -- children --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "arguments", "pids"),
    [
        (61, (0xFFFFFFFF,), (20, 21)),  # wait4(-1)
        (61, (21,), (21,)),
        (61, (3,), (21,)),  # by its id in the namespace
        (61, (77,), ()),  # gone
        (247, (0, 0), (20, 21)),  # waitid(P_ALL)
        (247, (1, 20), (20,)),  # waitid(P_PID)
        (247, (3, 9), (20, 21)),  # waitid(P_PIDFD)
    ],
)
def test_children(
    kernel: Kernel, number: int, arguments: tuple[int, ...], pids: tuple[int, ...]
) -> None:
    found = asked(kernel, "wait", *arguments, number=number)
    assert found == Ends("the end of a child process", pids)


def test_after_vfork(kernel: Kernel) -> None:
    assert asked(kernel, "vfork") == Ends("exec", (20, 21))


# -- locks of files, and the rest ------------------------------------------------------------------


def test_a_files_lock_is_the_holders(kernel: Kernel, tmp_path: Path) -> None:
    (tmp_path / "locks").write_text(LOCKS.format(holder=8))
    assert asked(kernel, "flock", 7) == Ends("the flock lock of /data/lock", (8,))


def test_a_lock_of_nobody_is_of_who_has_the_file_open(kernel: Kernel, tmp_path: Path) -> None:
    (tmp_path / "locks").write_text(LOCKS.format(holder=-1))
    assert asked(kernel, "fcntl", 7) == Ends("the fcntl lock of /data/lock", (2,))
    (tmp_path / "2/fd/7").unlink()
    found = asked(Kernel(Proc(str(tmp_path))), "fcntl", 7)
    assert found is not None
    assert (found.pids, found.outside) == ((), "whoever has that file open")
    assert found.expects


def test_a_lock_that_is_not_listed(kernel: Kernel, tmp_path: Path) -> None:
    """On a file server, or no longer waited for."""
    for text in ("", "damaged\n", "4: POSIX  ADVISORY  WRITE 1 00:1f:55 0 EOF\n"):
        (tmp_path / "locks").write_text(text)
        found = asked(kernel, "flock", 7)
        assert found is not None
        assert (found.pids, found.outside) == ((), "whoever has locked that file")


def test_signals_time_and_names(kernel: Kernel) -> None:
    assert asked(kernel, "pause") == Ends("a signal", outside="a signal")
    assert asked(kernel, "nanosleep") == Ends("time", timer=True)
    path = b"/data/fifo\0".ljust(300, b"x")
    for number, arguments in ((2, (AT,)), (257, (0xFFFFFF9C, AT))):
        found = asked(kernel, "open", *arguments, memory=path, number=number)
        assert found is not None
        assert found.what == "FIFO /data/fifo, which nobody has opened at its other end"
        assert found.expects
    assert asked(kernel, "mount") is None


def test_a_thread_of_which_little_is_known(kernel: Kernel) -> None:
    bare = Stopped(1, "made", "S", 0, (3,), 0, 0, {})
    assert kernel.ends(Made(), bare, "read") is None
    old = Made()
    old.outside = 0  # from a core: nobody can be asked
    thread = Stopped(1, "made", "S", 0, (3, 0, 0, 0, 0, 0), 0, 0, {})
    assert kernel.ends(old, thread, "read") is None


# -- memory that is shared -------------------------------------------------------------------------


def test_who_shares_memory(kernel: Kernel, tmp_path: Path) -> None:
    """All that have the same file mapped together, wherever; of what is private nobody."""
    row = "{start:x}-{end:x} rw-{flag} 00000000 {device} {inode}    /dev/shm/x\n"
    for pid, start, flag, device, inode in (
        (1, 0x1000, "s", "00:01", 7),
        (2, 0x9000, "s", "00:01", 7),
        (20, 0x1000, "s", "00:02", 7),
        (21, 0x1000, "p", "00:01", 7),
    ):
        (tmp_path / f"{pid}/maps").parent.mkdir(exist_ok=True)
        (tmp_path / f"{pid}/maps").write_text(
            row.format(start=start, end=start + 0x1000, flag=flag, device=device, inode=inode)
        )
    assert kernel.sharers(1, 0x1000) == kernel.sharers(2, 0x9FFF) == (1, 2)
    assert kernel.sharers(1, 0x2000) == (1,)
    assert kernel.sharers(21, 0x1000) == (21,)
    assert kernel.sharers(99, 0x1000) == (99,)
