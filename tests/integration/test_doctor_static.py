"""``lockorder doctor --static`` and whose headers a check reads: beside packages, with a build."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

CLEAN, FOUND, FAILED = 0, 1, 2

SOURCE = """\
#include <cuda_runtime.h>
#include <nccl.h>
#include <mutex>
#include "generated/config.h"
#ifdef USE_NCCL
std::mutex plan, cache;
void one() { std::lock_guard<std::mutex> a(plan); std::lock_guard<std::mutex> b(cache); }
#else
void none() { one(); two(); three(); }
#endif
void two() { std::lock_guard<std::mutex> a(cache); std::lock_guard<std::mutex> b(plan); }
"""
#: As real as the declarations of another version are: names that the sources do not expect.
FOREIGN = "#pragma once\n#error a header of an installed package is read\nint cudaFree;\n"


class Project:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.put("project/.git/HEAD", "")
        self.put("project/src/engine.cpp", SOURCE)

    def put(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def call(self, *arguments: str, **changed: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "LOCKORDER_CACHE_DIR": str(self.folder / "cache"), **changed}
        return subprocess.run(
            [sys.executable, "-m", "lockorder", *arguments], cwd=self.folder / "project",
            env=environment, capture_output=True, text=True, check=False, timeout=200,
        )  # fmt: skip

    def check(self, *arguments: str, **changed: str) -> dict[str, Any]:
        done = self.call("check", "--format", "json", *arguments, "src", **changed)
        assert done.returncode == FOUND, done.stderr
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def doctor(self, *arguments: str, **changed: str) -> dict[str, list[str]]:
        """What was found, by the checks' names, with the state before it."""
        done = self.call("doctor", "--format", "json", "--static", "src", *arguments, **changed)
        assert done.returncode in (CLEAN, FOUND), done.stderr
        found: dict[str, list[str]] = {}
        for each in json.loads(done.stdout)["checks"]:
            found.setdefault(each["name"], []).append(f"{each['state']}: {each['found']}")
            assert each["state"] == "ok" or (each["means"] and each["do"])
        return found


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def origins(document: dict[str, Any]) -> dict[str, list[str]]:
    return {f"{o['source']} {o.get('library', '')}".strip(): o["headers"]
            for o in document["coverage"]["headers"]}  # fmt: skip


SHIPPED = {
    "compiler and system": ["mutex"],
    "not found": ["generated/config.h"],
    "shipped with lockorder CUDA 12.8": ["cuda_runtime.h"],
    "shipped with lockorder NCCL 2.28": ["nccl.h"],
}


def test_what_a_check_will_see(project: Project) -> None:
    found = project.doctor()
    assert found["headers"] == [
        "ok: compiler and system: 1: mutex",
        "ok: shipped with lockorder (CUDA 12.8): 1: cuda_runtime.h",
        "ok: shipped with lockorder (NCCL 2.28): 1: nccl.h",
        "note: not found: 1: generated/config.h",
    ]
    (flags,) = found["flags"]
    assert flags.startswith("note: guessed for 1 of 1 units")
    assert flags.endswith("macros taken as defined: USE_NCCL")
    assert found["libclang"] == ["ok: read all 1 files"]
    assert found["preprocessor"] == ["note: 3 calls in branches that are off: src/engine.cpp (3)"]


def test_installed_packages_change_nothing(project: Project) -> None:
    """Packages that have the same headers, of whatever version, beside lockorder."""
    alone = project.check()
    assert origins(alone) == SHIPPED
    site = project.folder / "env" / "site-packages"
    for name in ("nvidia/cu13/include/cuda_runtime.h", "nvidia/cu13/include/nccl.h",
                 "torch/include/c10/util/Half.h", "torch/include/nccl.h"):  # fmt: skip
        project.put(f"env/site-packages/{name}", FOREIGN)
    beside = project.check("--no-cache", PYTHONPATH=str(site))
    assert beside == alone
    (told,) = project.doctor(PYTHONPATH=str(site))["installed packages"]
    assert told.startswith("ok: their headers are not used: ")
    assert "torch/include: NCCL, PyTorch" in told
    assert "nvidia/cu13/include: CUDA, NCCL" in told


REAL = "#pragma once\ntypedef struct ncclComm *ncclComm_t;\nint ncclCommAbort(ncclComm_t);\n"


@pytest.mark.parametrize("by", ["database", "environment"])
def test_a_library_that_a_build_names_is_taken_whole(project: Project, by: str) -> None:
    folder = project.put("sdk/include/nccl.h", REAL).parent
    project.put("project/src/net.cpp", "#include <nccl.h>\n#include <nccl_net.h>\n")
    arguments, changed = (), {}
    if by == "database":
        commands = [
            {"directory": str(project.folder / "project"), "file": f"src/{name}",
             "arguments": ["c++", "-DUSE_NCCL", f"-I{folder}", "-c", f"src/{name}"]}
            for name in ("engine.cpp", "net.cpp")
        ]  # fmt: skip
        project.put("build/compile_commands.json", json.dumps(commands))
        arguments = ("-p", str(project.folder / "build"))
    else:
        changed = {"CPATH": str(folder)}
    document = project.check(*arguments, **changed)
    found = origins(document)
    assert found[f"{folder} NCCL"] == ["nccl.h"]
    assert "nccl_net.h" in found["not found"]  # not from the shipped declarations of NCCL
    assert found["shipped with lockorder CUDA 12.8"] == ["cuda_runtime.h"]
    told = project.doctor(*arguments, **changed)["headers"]
    assert f"ok: NCCL is taken whole from {folder}, as the build says" in told


def test_a_crash_is_told(project: Project) -> None:
    project.put("project/src/engine.cpp", SOURCE + "#pragma clang __debug parser_crash\n")
    done = project.call("doctor", "--static", "src")
    assert done.returncode == FOUND
    assert "crashed; read by its syntax alone: src/engine.cpp" in " ".join(done.stdout.split())
    document = project.check()
    assert [f["rule"] for f in document["findings"]] == ["lock-order-cycle"]
    strict = project.call("check", "--require-complete", "src")
    assert strict.returncode == FAILED


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (("--static", "gone"), "gone: no such file or folder"),
        (("-p", "build"), "-p is for sources"),
    ],
)
def test_usage(project: Project, arguments: tuple[str, ...], text: str) -> None:
    done = project.call("doctor", *arguments)
    assert (done.returncode, text in done.stderr) == (FAILED, True)


def test_a_folder_without_sources(project: Project) -> None:
    (project.folder / "project" / "empty").mkdir()
    done = project.call("doctor", "--static", "empty")
    assert done.returncode == FOUND
    assert "no C, C++, CUDA or Python source in this folder" in " ".join(done.stdout.split())
