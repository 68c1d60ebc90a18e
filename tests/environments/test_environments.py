"""The wheel in an environment of its own; `make test-environments` has many more of them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from environments.making import TOP, build_wheel

SOURCES = TOP / "fixtures" / "cpp"
#: Headers of installed libraries that fit neither the sources nor what lockorder ships.
CLASHING = {
    "torch/include/torch/extension.h": "#pragma once\n#include <c10/util/Exception.h>\n",
    "torch/include/c10/util/Exception.h": "#error another c10\n",
    "torch/include/pybind11/pybind11.h": (
        "#pragma once\nnamespace pybind11 { struct gil_scoped_acquire; using function = int; }\n"
    ),
    "pybind11/include/pybind11/pybind11.h": "#error another pybind11\n",
    "nvidia/cu13/include/cuda_runtime.h": (
        "#pragma once\ntypedef struct other_st *cudaStream_t;\nvoid cudaMalloc(cudaStream_t);\n"
    ),
    "nvidia/cu13/include/nccl.h": "#pragma once\ntypedef int ncclComm_t;\n",
    "nvidia/nccl/include/nccl.h": "#pragma once\n#include <no/such/header.h>\n",
}


@dataclass(frozen=True)
class Installed:
    """A virtual environment with the wheel."""

    prefix: Path

    @property
    def site(self) -> Path:
        (found,) = self.prefix.glob("lib/python3.*/site-packages")
        return found

    def lockorder(
        self, *arguments: str, folder: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        variables = {k: os.environ[k] for k in ("HOME", "LANG", "TMPDIR") if k in os.environ}
        variables["PATH"] = f"{self.prefix}/bin:/usr/local/bin:/usr/bin:/bin"
        variables["XDG_CACHE_HOME"] = str(self.prefix / "cache")
        return subprocess.run(
            [self.prefix / "bin" / "lockorder", *arguments], cwd=folder, env=variables,
            capture_output=True, text=True, timeout=240, check=False,
        )  # fmt: skip

    def findings(self, folder: Path) -> tuple[int, str, list[Any]]:
        """Exit code, findings as text, and where headers came from; everything is read anew."""
        done = self.lockorder("check", "--no-cache", "--format", "json", folder=folder)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.stdout, done.stderr
        document = json.loads(done.stdout)
        return done.returncode, json.dumps(document["findings"]), document["coverage"]["headers"]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The built wheel, and no sources of this checkout, in an environment without anything else.

    What it depends on is taken from where this test's Python has it, so that nothing is fetched.
    """
    folder = tmp_path_factory.mktemp("wheel")
    wheel = build_wheel(folder)
    prefix = folder / "prefix"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", prefix], check=True)
    made = Installed(prefix)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    python = str(prefix / "bin" / "python")
    install = [*pip, "--python", python, "install", "--no-deps", "--no-index", wheel]
    subprocess.run(install, check=True)
    # A line of a .pth file adds a folder, and not the folder's own .pth files: the editable
    # install of this checkout, which may be there, stays out.
    (made.site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return made


def test_the_wheel_is_what_runs(installed: Installed) -> None:
    done = installed.lockorder("--version")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("lockorder ")
    ask = "import lockorder, runtime_probe; print(lockorder.__file__, runtime_probe.__file__)"
    python = installed.prefix / "bin" / "python"
    # From another folder than the checkout: `python -c` would import from where it is started.
    where = subprocess.run(
        [python, "-c", ask], cwd=installed.prefix, capture_output=True, text=True, check=True
    )
    assert all(Path(each).is_relative_to(installed.site) for each in where.stdout.split())


def clash(site: Path) -> None:
    """Libraries in a site-packages folder, with headers that fit nothing."""
    for name, text in CLASHING.items():
        header = site / name
        header.parent.mkdir(parents=True, exist_ok=True)
        header.write_text(text, encoding="utf-8")


def test_headers_of_installed_libraries_change_nothing(
    installed: Installed, tmp_path: Path
) -> None:
    (tmp_path / ".git").mkdir()  # marks the project's root
    shutil.copytree(SOURCES / "extension", tmp_path / "source")
    code, alone, headers = installed.findings(tmp_path)
    assert code == 1
    rules = [each["rule"] for each in json.loads(alone)]
    assert {"lock-order-cycle", "gil-lock-cycle"} <= set(rules)
    clash(installed.site)
    # Another environment stands in the project itself, under a name of its owner's choice.
    clash(tmp_path / "env" / "lib" / "python3" / "site-packages")
    (tmp_path / "env" / "pyvenv.cfg").write_text("home = /usr/bin\n", encoding="utf-8")
    assert installed.findings(tmp_path) == (code, alone, headers)
