"""Who is at the other end of a descriptor: of made-up processes, and of this one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lockorder.hang import sockets
from lockorder.hang.descriptors import Descriptors, End
from lockorder.hang.procfs_files import Proc

READS, WRITES, BOTH = "0100000", "0100001", "0100002"
Open = Callable[..., None]


@pytest.fixture
def opened(tmp_path: Path) -> Open:
    """Gives a made-up process a descriptor."""

    def made(pid: int, fd: int, target: str, flags: str = BOTH, info: str = "") -> None:
        for folder in ("fd", "fdinfo"):
            (tmp_path / str(pid) / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / str(pid) / "fd" / str(fd)).symlink_to(target)
        (tmp_path / str(pid) / "fdinfo" / str(fd)).write_text(f"pos:\t0\nflags:\t{flags}\n{info}")

    return made


@pytest.fixture
def descriptors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Descriptors:
    """Sockets: 31 and 32 are two ends, 33 has its peer elsewhere, 34 and 35 listen."""
    known = {
        31: sockets.Socket(peer=32, remote="/run/queue"),
        32: sockets.Socket(peer=31),
        33: sockets.Socket(remote="10.0.0.7:29500"),
        34: sockets.Socket(listens=True, remote=":8080"),
        35: sockets.Socket(listens=True),
    }
    monkeypatch.setattr(sockets, "of_unix", lambda: known)
    monkeypatch.setattr(sockets, "of_tcp", lambda *_: {})
    return Descriptors(Proc(str(tmp_path)))


# -- pipes -----------------------------------------------------------------------------------------


def test_a_reader_waits_for_who_can_write(descriptors: Descriptors, opened: Open) -> None:
    opened(1, 3, "pipe:[17]", READS)
    opened(2, 4, "pipe:[17]", WRITES)
    opened(5, 4, "pipe:[17]", WRITES)
    opened(6, 3, "pipe:[17]", READS)
    opened(7, 3, "pipe:[18]", WRITES)
    assert descriptors.end(1, 3) == End("a pipe", (2, 5))
    assert descriptors.end(2, 4, writing=True) == End("a pipe", (1, 6))


def test_who_reads_has_the_other_end_itself(descriptors: Descriptors, opened: Open) -> None:
    """Then there is no end of file, either: the commonest mistake with pipes."""
    opened(1, 3, "pipe:[17]", READS)
    opened(1, 4, "pipe:[17]", WRITES)
    assert descriptors.end(1, 3).pids == (1,)


def test_a_fifo_by_its_name(tmp_path: Path, descriptors: Descriptors, opened: Open) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    opened(1, 3, str(fifo), READS)
    assert descriptors.end(1, 3) == End(
        f"FIFO {fifo}", (), "whoever opens its other end", expects=True
    )


# -- sockets ---------------------------------------------------------------------------------------


def test_sockets(descriptors: Descriptors, opened: Open) -> None:
    for pid, inode in ((1, 31), (2, 32), (3, 33), (4, 34), (5, 35), (6, 99)):
        opened(pid, 3, f"socket:[{inode}]")
    assert descriptors.end(1, 3) == End("a socket to /run/queue", (2,))
    assert descriptors.end(2, 3) == End("a socket", (1,))
    # A partner that should come, and anybody.
    assert descriptors.end(3, 3) == End(
        "a socket to 10.0.0.7:29500", outside="the other end, 10.0.0.7:29500", expects=True
    )
    assert descriptors.end(4, 3) == End("connections at :8080", outside="a connection at :8080")
    assert descriptors.end(5, 3) == End("connections", outside="a connection")
    assert descriptors.end(6, 3) == End("a socket", outside="a network that is not seen from here")


def test_the_other_end_is_closed(descriptors: Descriptors, opened: Open) -> None:
    opened(1, 3, "socket:[31]")
    assert descriptors.end(1, 3).expects


# -- others ----------------------------------------------------------------------------------------


def test_what_else_there_is(descriptors: Descriptors, opened: Open, tmp_path: Path) -> None:
    opened(1, 3, "anon_inode:[eventfd]", info="eventfd-count: 0\neventfd-id: 5\n")
    opened(2, 9, "anon_inode:[eventfd]", info="eventfd-count: 0\neventfd-id: 5\n")
    opened(3, 9, "anon_inode:[eventfd]", info="eventfd-count: 0\neventfd-id: 6\n")
    opened(1, 4, "anon_inode:[timerfd]")
    opened(1, 5, "anon_inode:[pidfd]", info="Pid:\t42\n")
    opened(1, 6, "anon_inode:inotify")
    opened(1, 7, "/dev/pts/3")
    opened(1, 8, str(tmp_path / "file"))
    opened(1, 9, "anon_inode:[pidfd]", info="Pid:\t-1\n")
    assert descriptors.end(1, 3) == End("an eventfd", (1, 2))
    assert descriptors.end(1, 4) == End("a timer", outside="time", timer=True)
    assert descriptors.end(1, 5) == End("the end of a process", (42,))
    assert descriptors.end(1, 6).outside == "an inotify"
    assert descriptors.end(1, 7) == End("the terminal", outside="somebody at the terminal")
    assert descriptors.end(1, 8).outside == "the file system or a device"
    assert descriptors.end(1, 99).outside == "what it is cannot be seen"


def test_an_eventfd_of_an_old_kernel_is_its_owners(descriptors: Descriptors, opened: Open) -> None:
    opened(1, 3, "anon_inode:[eventfd]", info="eventfd-count: 0\n")
    assert descriptors.end(1, 3).pids == (1,)


def test_what_an_epoll_watches(descriptors: Descriptors, opened: Open) -> None:
    rows = "tfd:        7 events:       19 data: 7\ntfd:       12 events: 1 data: c\n"
    opened(1, 3, "anon_inode:[eventpoll]", info=rows)
    assert descriptors.watched(1, 3) == [7, 12]
    assert descriptors.watched(1, 4) == []


def test_openers_of_a_file(descriptors: Descriptors, opened: Open) -> None:
    opened(1, 3, "/data/lock", READS)
    opened(2, 3, "/data/lock", WRITES)
    opened(3, 3, "/data/lock2", WRITES)
    assert descriptors.openers("/data/lock") == (1, 2)


# -- real ones -------------------------------------------------------------------------------------


def test_real_ends() -> None:
    """A pipe, and two kinds of sockets, between this process and a child."""
    code = (
        "import os, socket, sys\n"
        "made = socket.create_connection(('127.0.0.1', int(sys.argv[1])))\n"
        "os.write(1, b'ready\\n'); os.read(0, 1)\n"
    )
    ours, theirs = socket.socketpair()
    with socket.create_server(("127.0.0.1", 0)) as server, ours, theirs:
        command = [sys.executable, "-c", code, str(server.getsockname()[1])]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=[theirs.fileno()]
        ) as child:
            assert child.stdin is not None
            assert child.stdout is not None
            child.stdout.readline()
            connection, _ = server.accept()
            theirs.close()
            found = Descriptors(Proc())
            with connection:
                assert found.end(os.getpid(), child.stdout.fileno()).pids == (child.pid,)
                assert found.end(child.pid, 0).pids == (os.getpid(),)
                for fd in (ours.fileno(), connection.fileno()):
                    end = found.end(os.getpid(), fd)
                    assert end.pids == (child.pid,), end
                listening = found.end(os.getpid(), server.fileno())
                assert listening.outside.startswith("a connection at ")
            child.stdin.write(b".")
