"""Programs of tests under the probe, alone: without the command that starts and analyses them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from runtime_probe.launch import preload_environment, shim_path
from runtime_probe.records import Trace
from runtime_probe.trace import FILE_PATTERN, read_trace


def recorded(
    command: Sequence[str | Path], folder: Path, inner: Sequence[str] | None = None
) -> tuple[Trace, str]:
    """The one trace that *command*, which succeeds, leaves in *folder*, and what it printed.

    *inner*: see `preload_environment`.
    """
    folder.mkdir(exist_ok=True)
    done = subprocess.run(
        command, env=preload_environment({}, shim_path(), folder, inner=inner),
        stdout=subprocess.PIPE, text=True, check=True,
    )  # fmt: skip
    (path,) = folder.glob(FILE_PATTERN)
    return read_trace(path), done.stdout


def with_plugin(
    compiler: Sequence[str], source: Path, define: str, folder: Path, *flags: str
) -> tuple[Trace, str, Path]:
    """The same of a program that is given its plugin: *source*, which is that with *define*."""
    program, plugin = folder / "program", folder / "plugin.so"
    build = [*compiler, "-std=gnu11", "-O1", "-g", "-Wall", "-Wextra", "-Werror", "-pthread"]
    subprocess.run([*build, *flags, "-rdynamic", "-o", program, source, "-ldl"], check=True)
    subprocess.run([*build, f"-D{define}", "-shared", "-fPIC", "-o", plugin, source], check=True)
    return *recorded([program, plugin], folder / "traces"), plugin
