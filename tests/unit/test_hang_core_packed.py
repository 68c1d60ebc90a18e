"""Compressed cores: unpacked to where there is room, and gone afterwards."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from cores import PAGE, Core, R, W
from lockorder.hang import core_unpack
from lockorder.hang.corefile import CoreError, CoreImage

HEAP = 0x10000
ZEROS = 64 << 20


def pack_with(program: str, *options: str) -> Callable[[bytes], bytes]:
    def pack(data: bytes) -> bytes:
        if shutil.which(program) is None:
            pytest.skip(f"no {program} here")
        return subprocess.run([program, "-c", *options], input=data, stdout=-1, check=True).stdout

    return pack


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 1),
    "xz": lambda data: lzma.compress(data, preset=0),
    "bzip2": bz2.compress,
    "zstd": pack_with("zstd"),
    "lz4": pack_with("lz4", "-B4"),
}


def plain(size: int = ZEROS) -> bytes:
    core = Core()
    core.thread(100, rip=7)
    core.memory += [
        (HEAP, b"a" * PAGE + bytes(size), PAGE + size, R | W),
        (HEAP + (1 << 30), os.urandom(3 << 20), 3 << 20, R | W),
    ]
    return core.image()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where things are unpacked."""
    found = tmp_path / "unpacked"
    found.mkdir()
    monkeypatch.setenv("TMPDIR", str(found))
    monkeypatch.setattr("tempfile.tempdir", None)
    return found


def on_disk(image: CoreImage) -> int:
    assert image._file is not None
    return os.fstat(image._file.descriptor).st_blocks * 512


@pytest.mark.parametrize("kind", PACKERS)
def test_a_packed_core_is_the_core(kind: str, folder: Path, tmp_path: Path) -> None:
    data = plain()
    path = tmp_path / "core.packed"
    path.write_bytes(PACKERS[kind](data))
    with CoreImage(path) as image:
        assert [thread.pc for thread in image.threads()] == [7]
        assert image.read(HEAP, 2 * PAGE) == b"a" * PAGE + bytes(PAGE)
        assert image.read(HEAP + (1 << 30), 3 << 20) == data[-(3 << 20) :]
        assert image.problems == ["it does not say which files were mapped"]
        assert on_disk(image) < 8 << 20
        assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kind", PACKERS)
def test_a_packed_core_that_breaks_off(kind: str, folder: Path, tmp_path: Path) -> None:
    packed = PACKERS[kind](plain(1 << 20))
    path = tmp_path / "core.packed"
    path.write_bytes(packed[: len(packed) * 3 // 4])
    with CoreImage(path) as image:
        assert image.read(HEAP, 1) == b"a"
        assert image.read(HEAP + (1 << 30) + (3 << 20) - 1, 1) is None
        assert any("can be unpacked" in problem for problem in image.problems)
        assert any("bytes of memory are missing" in problem for problem in image.problems)
    for size in (2, 6, 11, 40):
        path.write_bytes(packed[:size])
        with pytest.raises(CoreError):
            CoreImage(path)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("kind", PACKERS)
def test_damage_in_the_middle(kind: str, folder: Path, tmp_path: Path) -> None:
    packed = bytearray(PACKERS[kind](plain(1 << 20)))
    middle = len(packed) // 2
    packed[middle : middle + 64] = bytes(64)
    path = tmp_path / "core.packed"
    path.write_bytes(packed)
    with CoreImage(path) as image:
        assert image.read(HEAP, 1) == b"a"


def test_several_parts_in_one_file(folder: Path, tmp_path: Path) -> None:
    data = plain(1 << 20)
    path = tmp_path / "core.packed"
    for kind in ("gzip", "xz", "bzip2", "zstd"):
        pack = PACKERS[kind]
        path.write_bytes(pack(data[: 1 << 20]) + pack(data[1 << 20 :]))
        with CoreImage(path) as image:
            assert image.read(HEAP + (1 << 30), 3 << 20) == data[-(3 << 20) :]


@pytest.mark.parametrize("kind", PACKERS)
def test_no_more_is_unpacked_than_is_allowed(kind: str, folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "core.packed"
    path.write_bytes(PACKERS[kind](plain()))
    with pytest.raises(CoreError, match="more than 33,554,432 bytes"):
        CoreImage(path, largest=32 << 20)
    assert list(folder.iterdir()) == []


def test_a_full_disk_is_not_filled(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "core.packed"
    path.write_bytes(gzip.compress(plain(), 1))
    monkeypatch.setattr(core_unpack, "SPARE", 1 << 60)
    with pytest.raises(CoreError, match=r"no room to unpack it in .*TMPDIR"):
        CoreImage(path)
    assert list(folder.iterdir()) == []


def test_what_is_packed_is_no_core(folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "core.gz"
    path.write_bytes(gzip.compress(bytes(ZEROS)))
    with pytest.raises(CoreError, match=r"what is packed in it \(gzip\) is not ELF"):
        CoreImage(path)


@pytest.mark.parametrize(("kind", "package"), [("zstd", "zstandard"), ("lz4", "lz4")])
def test_what_to_install_is_said(
    kind: str, package: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "core.packed"
    path.write_bytes(PACKERS[kind](plain(1 << 20)))

    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr(importlib, "import_module", missing)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CoreError, match=f"pip install {package}"):
        CoreImage(path)
    assert list(folder.iterdir()) == []


def test_descriptors_are_given_back(folder: Path, tmp_path: Path) -> None:
    def count() -> int:
        return len(os.listdir("/proc/self/fd"))

    good, bad = tmp_path / "core.gz", tmp_path / "core.xz"
    good.write_bytes(gzip.compress(plain(1 << 20)))
    bad.write_bytes(lzma.compress(bytes(1 << 20)))
    before = count()
    for _ in range(5):
        CoreImage(good)  # closes by itself
        with pytest.raises(CoreError):
            CoreImage(bad)
    assert count() == before
