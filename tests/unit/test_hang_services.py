"""NCCL's RAS service and PyTorch's pipe: answers, and everything that is no answer."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lockorder.hang import services

ANSWER = b"NCCL version 2.28.9 compiled with CUDA 13.0\nJob summary\n  Communicators... (0.00s)\n"


@contextlib.contextmanager
def server(answers: Callable[[socket.socket], None]) -> Iterator[tuple[str, int]]:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError), listening.accept()[0] as peer:
                answers(peer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield listening.getsockname()
    thread.join(5)


def test_nccl_answers() -> None:
    asked = []

    def answer(peer: socket.socket) -> None:
        asked.append(peer.recv(100))
        for part in (ANSWER[:20], ANSWER[20:]):
            peer.sendall(part)
            time.sleep(0.05)

    with server(answer) as address:
        assert services.ras(address) == ANSWER.decode().splitlines()
    assert asked == [b"verbose status\n"]


@pytest.mark.parametrize(
    "answer",
    [
        lambda peer: peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n"),
        lambda peer: None,
        lambda peer: time.sleep(1),
        lambda peer: [peer.sendall(b"\xff\x00" * 1000) for _ in range(10_000)],
    ],
    ids=["foreign", "closed", "silent", "endless"],
)
def test_what_is_no_nccl(answer: Callable[[socket.socket], None]) -> None:
    start = time.monotonic()
    with server(answer) as address:
        assert services.ras(address, 0.3) == []
        assert time.monotonic() - start < 2


def test_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = listening.getsockname()
    assert services.ras(address) == []


def test_addresses() -> None:
    assert services.ras_address({}) == ("localhost", 28028)
    assert services.ras_address({"NCCL_RAS_ADDR": "127.0.0.1:5000"}) == ("127.0.0.1", 5000)
    assert services.ras_address({"NCCL_RAS_ADDR": "[::1]:5000"}) == ("::1", 5000)
    assert services.ras_address({"NCCL_RAS_ADDR": "localhost:x"}) == ("localhost", 28028)
    assert services.ras_address({"NCCL_RAS_ADDR": "example.org:80"}) is None
    assert services.ras_address({"NCCL_RAS_ENABLE": "0"}) is None


def recorder(folder: Path, rank: int = 3) -> services.Recorder:
    environment = {
        "TORCH_NCCL_DEBUG_INFO_PIPE_FILE": str(folder / "ask_"),
        "TORCH_NCCL_DEBUG_INFO_TEMP_FILE": str(folder / "dump_"),
    }
    return services.Recorder(os.getpid(), environment, rank)


def test_a_recorder_answers(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "ask_3.pipe")
    reader = os.open(tmp_path / "ask_3.pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        asked = recorder(tmp_path)
        assert os.read(reader, 10) == b"1"
        (tmp_path / "dump_3").write_bytes(b"new")
        found = asked.dump(time.monotonic() + 3)
    finally:
        os.close(reader)
    assert found is not None
    assert found.read_bytes() == b"new"


def test_a_recorder_that_does_not(tmp_path: Path) -> None:
    """Nobody reads the pipe; there is none; it is a file; the dump is an old one."""
    soon = 0.3
    assert recorder(tmp_path).dump(time.monotonic() + soon) is None
    os.mkfifo(tmp_path / "ask_3.pipe")
    (tmp_path / "dump_3").write_bytes(b"old")
    assert recorder(tmp_path).dump(time.monotonic() + soon) is None
    (tmp_path / "ask_4.pipe").write_bytes(b"")
    (tmp_path / "dump_4").write_bytes(b"old")
    assert recorder(tmp_path, 4).dump(time.monotonic() + soon) is None
    assert (tmp_path / "ask_4.pipe").read_bytes() == b""
    reader = os.open(tmp_path / "ask_3.pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        os.utime(tmp_path / "dump_3", (1, 1))
        assert recorder(tmp_path).dump(time.monotonic() + soon) is None
    finally:
        os.close(reader)
    assert services.Recorder(os.getpid(), {}, 0).dump(time.monotonic() + soon) is None
