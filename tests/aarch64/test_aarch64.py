"""The self-test's C programs on aarch64: cross-built, under qemu-user (``make test-aarch64``)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests" / "selftest"))

from matrix import Case, cases  # noqa: E402
from support import verdict  # noqa: E402

COMPILER, EMULATOR = shutil.which("aarch64-linux-gnu-gcc"), shutil.which("qemu-aarch64")
SYSROOT = "/usr/aarch64-linux-gnu"
PROGRAMS = ROOT / "tests" / "selftest" / "programs"
KINDS = ("mutex", "recursive", "rwlock", "spin", "semaphore")
#: qemu-user runs neither a second program under the preload nor dlopen of a library for the host.
CASES = [
    case
    for case in cases()
    if (case.program == "orders" and case.kind in KINDS) or case.program in ("waits", "threads")
]

pytestmark = pytest.mark.skipif(
    COMPILER is None or EMULATOR is None,
    reason="Debian, Ubuntu: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user",
)


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shim and the programs."""
    folder = tmp_path_factory.mktemp("aarch64")
    shim = [
        "-std=gnu11", "-D_GNU_SOURCE", "-O2", "-g", "-fPIC", "-shared", "-fvisibility=hidden",
        "-fexceptions", "-fno-builtin-free", "-Wall", "-Wextra", "-Werror", "-static-libgcc",
        *map(str, sorted((ROOT / "csrc").glob("*.c"))), "-o", str(folder / "liblockorder_probe.so"),
        "-ldl", "-pthread",
    ]  # fmt: skip
    subprocess.run([str(COMPILER), *shim], check=True)
    for name in sorted({case.program for case in CASES}):
        program = ["-std=gnu11", "-g", "-O1", str(PROGRAMS / f"{name}.c"), "-o", str(folder / name)]
        subprocess.run([str(COMPILER), *program, "-pthread"], check=True)
    return folder


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case, built: Path, tmp_path: Path) -> None:
    traces = tmp_path / "traces"
    traces.mkdir()
    program = [str(built / case.program), *case.arguments]
    emulated = [str(EMULATOR), "-L", SYSROOT]
    bare = subprocess.run([*emulated, *program], capture_output=True, check=False)
    preload = f"LD_PRELOAD={built / 'liblockorder_probe.so'}"
    recorded = subprocess.run(
        [*emulated, "-E", preload, "-E", f"LOCKORDER_TRACE_DIR={traces}", *program],
        capture_output=True,
        check=False,
    )
    if bare.returncode < 0:
        pytest.skip(f"the program ends by signal {-bare.returncode} under qemu-user")
    assert (recorded.returncode, recorded.stdout) == (bare.returncode, bare.stdout)
    assert verdict(traces) == case.rules
