"""What a hung job can be asked itself, where it is set up for that; never needed, and never long.

NCCL from 2.24 on listens for questions about all communicators of the job (NCCL User Guide, "RAS").
PyTorch writes its flight recorder's dump when a byte comes through a pipe (ProcessGroupNCCL.cpp,
TORCH_NCCL_DEBUG_INFO_PIPE_FILE): its threads do that also while the interpreter is stuck.
"""

from __future__ import annotations

import contextlib
import os
import socket
import stat
import time
from collections.abc import Mapping
from pathlib import Path

_RAS = "NCCL_RAS_ADDR"
_RAS_PORT = 28028
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_PIPES = ("TORCH_FR_DEBUG_INFO_PIPE_FILE", "TORCH_NCCL_DEBUG_INFO_PIPE_FILE")
_DUMPS = ("TORCH_FR_DUMP_TEMP_FILE", "TORCH_NCCL_DEBUG_INFO_TEMP_FILE")
_DUMP = "/tmp/nccl_trace_rank_"
_MOST = 1 << 20  # bytes of an answer
#: Seconds that a service may take, and a connection to it.
PATIENCE, _CONNECT = 3.0, 0.5


def ras_address(environment: Mapping[str, str]) -> tuple[str, int] | None:
    """Where NCCL in a process of this machine listens; None: nowhere, or elsewhere."""
    if environment.get("NCCL_RAS_ENABLE", "1") == "0":
        return None
    host, _, port = environment.get(_RAS, "").strip().rpartition(":")
    host = host.strip("[]") or "localhost"
    number = int(port) if port.isdecimal() and 0 < int(port) < 1 << 16 else _RAS_PORT
    # Whatever a process has in its variables, nobody out there is talked to.
    return (host, number) if host in _LOOPBACK else None


def ras(address: tuple[str, int], patience: float = PATIENCE) -> list[str]:
    """What NCCL says of the job; nothing where nobody listens, or it is no NCCL."""
    text = _answer(address, b"verbose status\n", patience).decode("utf-8", "replace")
    return [line.rstrip() for line in text.splitlines()] if "NCCL" in text else []


def ras_json(address: tuple[str, int], patience: float = PATIENCE) -> bytes:
    """The same in JSON, with every rank's counts; versions before 2.28.7 answer with no JSON."""
    return _answer(address, b"set format json\nverbose status\n", patience)


def _answer(address: tuple[str, int], question: bytes, patience: float) -> bytes:
    end = time.monotonic() + patience
    said = b""
    with contextlib.suppress(OSError), socket.create_connection(address, _CONNECT) as peer:
        peer.sendall(question)
        while len(said) < _MOST and time.monotonic() < end:
            peer.settimeout(max(0.01, end - time.monotonic()))
            part = peer.recv(1 << 16)
            if not part:
                break
            said += part
    return said[:_MOST]


class Recorder:
    """The flight recorder of one process: asked when this is made, `dump` is its answer."""

    def __init__(self, pid: int, environment: Mapping[str, str], rank: int) -> None:
        self._dump: Path | None = None
        pipe = next((environment[name] for name in _PIPES if environment.get(name)), "")
        if not pipe or rank < 0:
            return
        self._asked = time.time()
        dump = next((environment[name] for name in _DUMPS if environment.get(name)), _DUMP)
        if _write(_inside(pid, f"{pipe}{rank}.pipe")):
            self._dump = _inside(pid, f"{dump}{rank}")

    def dump(self, end: float) -> Path | None:
        """The file that it wrote, once that grows no more; None: none until *end* (monotonic)."""
        size = -1
        while self._dump is not None and time.monotonic() < end:
            with contextlib.suppress(OSError):
                seen = self._dump.lstat()  # a link may lead out of the container
                new = stat.S_ISREG(seen.st_mode) and seen.st_mtime >= self._asked - 1
                new = new and seen.st_size > 0
                if new and seen.st_size == size:
                    return self._dump
                size = seen.st_size if new else -1
            time.sleep(0.1)
        return None


def _inside(pid: int, path: str) -> Path:
    """A path of the process': it may be in a container, and in a folder of its own."""
    return Path(f"/proc/{pid}/root{path}" if path.startswith("/") else f"/proc/{pid}/cwd/{path}")


def _write(pipe: Path) -> bool:
    """One byte, if it is a pipe and somebody reads it."""
    try:
        descriptor = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return False
        return os.write(descriptor, b"1") == 1
    except OSError:
        return False
    finally:
        os.close(descriptor)
