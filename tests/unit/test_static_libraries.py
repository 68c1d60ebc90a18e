"""Whose headers are read: what is shipped, what a build names, and never a mixture."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lockorder.static.discovery import libraries, origins
from lockorder.static.discovery.inputs import Disk
from lockorder.static.discovery.libraries import STUBS


def test_every_shipped_file_belongs_to_one_library() -> None:
    files = [file for each in libraries.shipped() for file in each.files]
    there = {
        os.path.relpath(os.path.join(here, name), STUBS)
        for here, _, names in os.walk(STUBS)
        for name in names
    } - {"README.md", "libraries.toml"}
    assert sorted(files) == sorted(there)
    entries = [entry for each in libraries.shipped() for entry in each.entries]
    assert len(entries) == len(set(entries))  # no folder is shared: it can be left out whole
    assert all(each.files for each in libraries.shipped())


def test_a_library_is_told_by_its_headers(tmp_path: Path) -> None:
    (tmp_path / "c10" / "util").mkdir(parents=True)
    assert libraries.found_in([str(tmp_path / "c10")]) == {}
    torch = tmp_path / "torch" / "include"
    (torch / "c10" / "util").mkdir(parents=True)
    (torch / "c10" / "util" / "Half.h").touch()
    (torch / "nccl.h").touch()
    found = libraries.found_in([str(tmp_path), str(torch)])
    assert found == {"PyTorch": str(torch), "NCCL": str(torch)}


def test_a_folder_that_only_shares_a_name_has_no_library(tmp_path: Path) -> None:
    """The kernel's headers have a folder rdma, too."""
    (tmp_path / "rdma").mkdir()
    (tmp_path / "rdma" / "ib_user_verbs.h").touch()
    assert libraries.found_in([str(tmp_path)]) == {}


def test_shipped_declarations_without_a_library(tmp_path: Path) -> None:
    assert libraries.folder_without([], tmp_path) == STUBS
    folder = libraries.folder_without(["PyTorch", "CUDA"], tmp_path)
    assert not (folder / "c10").exists()
    assert not (folder / "cuda_runtime.h").exists()
    assert (folder / "nccl.h").read_text() == (STUBS / "nccl.h").read_text()
    assert (folder / "pybind11" / "pybind11.h").is_file()
    assert libraries.folder_without(["CUDA", "PyTorch"], tmp_path) == folder
    (folder / "nccl.h").unlink()  # whoever tidies a cache up
    assert (libraries.folder_without(["CUDA", "PyTorch"], tmp_path) / "nccl.h").is_file()


def test_libraries_by_header() -> None:
    cuda = libraries.library_of("cuda_runtime.h")
    assert cuda is not None
    assert cuda.title == "CUDA 12.8"
    assert libraries.library_of("mutex") is None


@pytest.mark.parametrize("first", [True, False])
def test_origins(tmp_path: Path, first: bool) -> None:
    named, system = tmp_path / "named", tmp_path / "system"
    for folder, name in ((named, "nccl.h"), (system, "mutex"), (system, "cuda.h")):
        folder.mkdir(exist_ok=True)
        (folder / name).touch()
    names = ["nccl.h", "mutex", "cuda.h", "gone.h", "cuda_runtime.h"]
    search = ((str(named),), str(STUBS), first)
    found = {
        (o.source, o.library): o.headers
        for o in origins.origins(names, [search], [str(system)], Disk())
    }
    shipped = ("cuda.h", "cuda_runtime.h") if first else ("cuda_runtime.h",)
    standard = ("mutex",) if first else ("cuda.h", "mutex")
    assert found == {
        (str(named), "NCCL"): ("nccl.h",),
        (origins.NOWHERE, ""): ("gone.h",),
        (origins.SHIPPED, "CUDA 12.8"): shipped,
        (origins.STANDARD, ""): standard,
    }
