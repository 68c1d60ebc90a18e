"""Cores that are compressed: systemd-coredump's are (zstd, lz4, xz), others by hand (gzip, bzip2).

What is unpacked goes to a file without a name, in TMPDIR or /var/tmp, so that nothing stays behind
whatever happens.  Blocks of zeros become holes.
"""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import os
import shutil
import stat
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

from lockorder.hang.core_elf import File
from lockorder.hang.errors import DataError

#: Bytes that an unpacked core may have; on disk it takes what is not zero of them.
LARGEST = 256 << 30
#: What stays free on the disk.
SPARE = 1 << 30

_PART = 1 << 20
_SIP = 1 << 10  # zstd: at most 32 MiB when unpacked, by blocks of 4 bytes for 128 KiB
_BLOCK = 1 << 14
_NO_PART, _NO_BLOCK = bytes(_PART), bytes(_BLOCK)
_WINDOW_LOG = 27  # 128 MiB, the most that zstd itself takes without being asked to
_XZ_MEMORY = 256 << 20
_DAMAGE = (EOFError, OSError, RuntimeError, ValueError, zlib.error, lzma.LZMAError)

Chunks = Iterator[bytes]


def open_core(path: Path, largest: int, problems: list[str]) -> File:
    """Open *path*, unpacked if it is compressed; *problems* are told what could not be unpacked.

    Raises ``DataError``, ``OSError``.
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise DataError("it is not a file")
    file = File(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK))
    head = file.at(0, 16)
    for magic, (kind, unpack) in _KINDS.items():
        if head.startswith(magic):
            try:
                with open(path, "rb") as packed:
                    return _unpacked(unpack(packed), kind, largest, problems)
            finally:
                file.close()
    for magic, what in _FOREIGN.items():
        if head.startswith(magic):
            file.close()
            raise DataError(f"it is no core file of Linux but {what}")
    return file


def _unpacked(chunks: Chunks, kind: str, largest: int, problems: list[str]) -> File:
    folder = _folder()
    size = written = 0
    with tempfile.TemporaryFile(dir=folder) as target, closing(chunks):  # type: ignore[type-var]
        descriptor = target.fileno()
        try:
            for data in chunks:
                if not size and not data.startswith(b"\x7fELF"[: len(data)]):
                    raise DataError(f"it is no core file: what is packed in it ({kind}) is not ELF")
                if size + len(data) > largest:
                    raise DataError(f"unpacked ({kind}) it has more than {largest:,} bytes")
                if data != _NO_PART[: len(data)]:
                    if written % (64 * _PART) < _PART:
                        _check_room(folder)
                    written += _write(descriptor, data, size)
                size += len(data)
        except _DAMAGE as error:
            if isinstance(error, OSError) and error.errno:
                raise DataError(f"it cannot be unpacked in {folder}: {error.strerror}") from None
            if not size:
                raise DataError(f"nothing of it can be unpacked ({kind}): it is damaged") from None
            problems.append(f"it breaks off, or is damaged: only {size:,} bytes can be unpacked")
        os.ftruncate(descriptor, size)
        return File(os.dup(descriptor))


def _write(descriptor: int, data: bytes, offset: int) -> int:
    """Write what is not zero; how many bytes that was."""
    written = 0
    for at in range(0, len(data), _BLOCK):
        block = data[at : at + _BLOCK]
        if block != _NO_BLOCK[: len(block)]:
            while block:
                done = os.pwrite(descriptor, block, offset + at)
                written += done
                at += done
                block = block[done:]
    return written


def _folder() -> str:
    """Where large files go: /tmp is memory on many machines."""
    if "TMPDIR" not in os.environ and os.access("/var/tmp", os.W_OK | os.X_OK):
        return "/var/tmp"
    return tempfile.gettempdir()


def _check_room(folder: str) -> None:
    about = os.statvfs(folder)
    if about.f_bavail * about.f_frsize < SPARE + 64 * _PART:
        raise DataError(
            f"there is no room to unpack it in {folder}: unpack it yourself, or set TMPDIR to a "
            "folder with room"
        )


def _gzip(file: BinaryIO) -> Chunks:
    with gzip.GzipFile(fileobj=file) as packed:
        while data := packed.read(_PART):
            yield data


def _stepwise(file: BinaryIO, make: Callable[[], Any]) -> Chunks:
    """By an object with the interface of bz2.BZ2Decompressor: bounded output, one frame."""
    data = file.read(_PART)
    while data:
        machine = make()
        while not machine.eof:
            if machine.needs_input and not data:
                data = file.read(_PART)
                if not data:
                    raise EOFError
            out = machine.decompress(data, _PART)
            data = b""
            if out:
                yield out
        data = machine.unused_data or file.read(_PART)


def _xz(file: BinaryIO) -> Chunks:
    return _stepwise(file, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_XZ_MEMORY))


def _bzip2(file: BinaryIO) -> Chunks:
    return _stepwise(file, bz2.BZ2Decompressor)


def _lz4(file: BinaryIO) -> Chunks:
    module = _module("lz4.frame")
    if module is not None:
        return _stepwise(file, module.LZ4FrameDecompressor)
    return _program("lz4", file)


def _zstd(file: BinaryIO) -> Chunks:
    module = _module("compression.zstd")
    if module is not None:
        options = {module.DecompressionParameter.window_log_max: _WINDOW_LOG}
        return _guarded(
            _stepwise(file, lambda: module.ZstdDecompressor(options=options)), module.ZstdError
        )
    module = _module("zstandard")
    if module is not None:
        machine = module.ZstdDecompressor(max_window_size=1 << _WINDOW_LOG)
        return _guarded(_sipped(file, machine.decompressobj), module.ZstdError)
    return _program("zstd", file)


def _sipped(file: BinaryIO, make: Callable[[], Any]) -> Chunks:
    """By an object that gives all that its input stands for: it is given a little at a time."""
    data = file.read(_SIP)
    while data:
        machine = make()
        while not machine.eof:
            if not data:
                raise EOFError
            yield machine.decompress(data)
            data = file.read(_SIP) if not machine.eof else b""
        data = machine.unused_data or file.read(_SIP)


def _guarded(chunks: Chunks, error: type[Exception]) -> Chunks:
    try:
        yield from chunks
    except error as reason:
        raise ValueError(str(reason)) from None


def _program(name: str, file: BinaryIO) -> Chunks:
    program = shutil.which(name)
    if program is None:
        python = " (or Python 3.14)" if name == "zstd" else ""
        package = {"zstd": "zstandard", "lz4": "lz4"}[name]
        raise DataError(
            f"it is packed with {name}, which needs the Python package {package}{python}, or the "
            f"program {name}: pip install {package}, or unpack it yourself"
        )
    return _piped([program, "-d", "-c", "-q"], file)


def _piped(command: list[str], file: BinaryIO) -> Chunks:
    with subprocess.Popen(
        command, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
    ) as process:
        assert process.stdout is not None
        try:
            while data := _full(process.stdout):
                yield data
            if process.wait():
                raise EOFError
        finally:
            process.kill()


def _full(stream: Any) -> bytes:
    """A whole part, or all that is left: a pipe gives 64 KiB at a time."""
    parts = []
    left = _PART
    while left and (data := stream.read(left)):
        parts.append(data)
        left -= len(data)
    return b"".join(parts)


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


_KINDS: dict[bytes, tuple[str, Callable[[BinaryIO], Chunks]]] = {
    b"\x1f\x8b": ("gzip", _gzip),
    b"\x28\xb5\x2f\xfd": ("zstd", _zstd),
    b"\xfd7zXZ\x00": ("xz", _xz),
    b"\x04\x22\x4d\x18": ("lz4", _lz4),
    b"BZh": ("bzip2", _bzip2),
}
_FOREIGN = {
    b"MDMP": "a minidump of Windows or Breakpad",
    b"\xcf\xfa\xed\xfe": "one of macOS",
    b"PAGEDU": "a crash dump of Windows",
    b"KDUMP": "the memory of a whole machine (kdump)",
    b"PK\x03\x04": "an archive: unpack it first",
    b"CORE DUMP": "text",
}
