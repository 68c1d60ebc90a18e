"""Starts a command with the shim preloaded.

The shim travels in LD_PRELOAD, so every child and every rank that the command starts gets it too,
unless one of them clears its environment or is set-user-ID (ld.so(8), secure-execution mode).
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile

import runtime_probe
from runtime_probe.child import Onlooker, run_child
from runtime_probe.errors import LaunchError, ShimMissingError, ShimPathError

SHIM_NAME = "liblockorder_probe.so"
TRACE_DIR_VARIABLE = "LOCKORDER_TRACE_DIR"
#: Of CPU time that recording may take, in millionths (csrc/thinning.c).
BUDGET_VARIABLE = "LOCKORDER_BUDGET"
#: Patterns of the files of libraries whose own locks need not all be recorded (csrc/inner.c).
INNER_VARIABLE = "LOCKORDER_INNER"
#: Of the folder: where processes of other users write, where root runs the job.
OTHERS = "others"

_SIGNAL_EXIT_BASE = 128
_PRELOAD_SEPARATORS = " \t\n:"
_SANITIZER = re.compile(r"^lib(clang_rt\.)?(asan|hwasan|lsan|msan|tsan|ubsan)")


def shim_path() -> Path:
    """The installed shim.

    Raises:
        ShimMissingError: the package was built without it.
    """
    # An editable install has two folders: the sources, and the one with what was built.
    for folder in runtime_probe.__path__:
        candidate = Path(folder) / SHIM_NAME
        if candidate.is_file():
            return candidate
    raise ShimMissingError(f"{SHIM_NAME} is not in {' or '.join(runtime_probe.__path__)}")


def preload_environment(
    environment: Mapping[str, str],
    shim: Path,
    trace_dir: Path,
    asan: bool = False,
    budget: float | None = None,
    inner: Sequence[str] | None = None,
) -> dict[str, str]:
    """A copy of `environment` that preloads the shim and tells it where to write.

    Sanitizers' runtimes must come first and check that they do (AddressSanitizerFlags,
    verify_asan_link_order): for a program that is linked with one (*asan*) the check is turned
    off, and otherwise the environment stays as it is. The shim comes before everything else that
    is preloaded, since an allocator's free() would hide from it that a lock's memory has ended.
    *budget* is the share of its CPU time that recording may take; without one it takes what it
    needs. *inner* are patterns (fnmatch) of the files of libraries whose own locks need not all be
    recorded; without it those that the shim knows.

    Raises:
        ShimPathError: the shim's path cannot be written in LD_PRELOAD.
    """
    if any(character in str(shim) for character in _PRELOAD_SEPARATORS):
        raise ShimPathError(f"cannot preload {str(shim)!r}")
    preloaded = environment.get("LD_PRELOAD", "")
    present = preloaded.replace(":", " ").split()
    others = [name for name in present if name != str(shim)]
    sanitizers = [name for name in others if _SANITIZER.search(os.path.basename(name))]
    rest = [name for name in others if name not in sanitizers]
    preloaded = ":".join([*sanitizers, str(shim), *rest])
    # Absolute: the command may change its directory before it exits.
    made = {
        **environment,
        "LD_PRELOAD": preloaded,
        TRACE_DIR_VARIABLE: str(trace_dir.absolute()),
    }
    made.pop(BUDGET_VARIABLE, None)
    if budget is not None:
        made[BUDGET_VARIABLE] = str(max(1, round(budget * 1_000_000)))
    made.pop(INNER_VARIABLE, None)
    if inner is not None:
        made[INNER_VARIABLE] = ":".join(inner)
    options = environment.get("ASAN_OPTIONS", "")
    if asan and "verify_asan_link_order" not in options:
        made["ASAN_OPTIONS"] = ":".join(filter(None, [options, "verify_asan_link_order=0"]))
    return made


def links_asan(command: str) -> bool:
    """Whether an executable asks the loader for AddressSanitizer's runtime (gABI, DT_NEEDED)."""
    path = shutil.which(command)
    if path is None:
        return False
    try:
        with open(path, "rb") as file:
            dynamic = ELFFile(file).get_section_by_name(".dynamic")
            tags = dynamic.iter_tags("DT_NEEDED") if isinstance(dynamic, DynamicSection) else ()
            return any(_SANITIZER.search(str(getattr(tag, "needed", ""))) for tag in tags)
    except (ELFError, OSError, ValueError):
        return False  # a script, or something that the kernel will judge better


def run_preloaded(
    argv: Sequence[str],
    trace_dir: Path,
    onlooker: Onlooker | None = None,
    *,
    without_stdin: bool = False,
    budget: float | None = None,
    inner: Sequence[str] | None = None,
) -> int:
    """Runs `argv` under the shim; its records go to `trace_dir`, made when it is missing.

    *onlooker*, where given, is told of it while it runs. *without_stdin*: it reads /dev/null.
    *budget*, *inner*: see `preload_environment`.

    Returns:
        The child's exit code, or 128 + N when signal N killed it, as a shell does.

    Raises:
        ShimMissingError, ShimPathError: there is nothing that could be preloaded.
        LaunchError: the command cannot be started, or `trace_dir` cannot be written.
    """
    asan = links_asan(argv[0])
    environment = preload_environment(os.environ, shim_path(), trace_dir, asan, budget, inner)
    _make_writable_dir(trace_dir)
    try:
        code = run_child(argv, environment, onlooker, without_stdin=without_stdin)
    except OSError as error:
        raise LaunchError(f"cannot start {argv[0]}: {error.strerror}") from error
    return code if code >= 0 else _SIGNAL_EXIT_BASE - code


def _make_writable_dir(path: Path) -> None:
    """The shim never prints, so a folder that it cannot write must be found out here."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LaunchError(f"cannot make the folder {path}: {error.strerror}") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise LaunchError(f"cannot write in the folder {path}")
    if os.geteuid() == 0:
        # Processes of other users can make files in it, and touch nobody else's.
        with contextlib.suppress(OSError):
            (path / OTHERS).mkdir(exist_ok=True)
            (path / OTHERS).chmod(0o1777)
