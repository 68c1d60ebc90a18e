"""Checks of this machine: the probe, the loader, the folder for the traces, rights."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from lockorder.doctor.check import Check, State
from runtime_probe.errors import ProbeError, TraceError
from runtime_probe.launch import SHIM_NAME, preload_environment, shim_path
from runtime_probe.layout import State as ProcessState
from runtime_probe.trace import FILE_PATTERN, read_trace

#: File systems of other machines: a mapping that is shared over a network is slow, and may lose its
#: last pages with the machine.
_NETWORK = ("nfs", "nfs4", "lustre", "gpfs", "beegfs", "cifs", "smb3", "smbfs", "ceph", "9p",
            "afs", "pvfs2", "wekafs", "glusterfs")  # fmt: skip
_MEMORY = ("tmpfs", "ramfs")
#: What a trace may grow to (csrc/trace.c), and the room that a short run with few ranks takes.
_LARGEST, _ENOUGH = 256 << 20, 256 << 20
#: The shim takes some 350 MiB of addresses: the trace, and tables of locks and orders.
_ADDRESS_SPACE = 1 << 30
_CAP_SYS_PTRACE = 1 << 19


def checks(folder: Path) -> Iterator[Check]:
    """All of them; *folder* is where the traces would go."""
    yield libc()
    yield probe()
    yield preloaded(os.environ)
    place = nearest(folder)
    yield writable(place)
    yield file_system(place, Path("/proc/self/mounts").read_text())
    yield space(place, shutil.disk_usage(place).free)
    yield limits()
    yield tracing()


def libc() -> Check:
    """glibc: the probe finds the real functions by its symbol versions."""
    try:
        version = os.confstr("CS_GNU_LIBC_VERSION")
    except (ValueError, OSError):
        version = None
    if version:
        return Check("libc", State.OK, version)
    return Check(
        "libc", State.PROBLEM, "not glibc", "the probe cannot be loaded on this system",
        "use a system or container with glibc (Debian, Ubuntu, RHEL; not Alpine)",
    )  # fmt: skip


def probe() -> Check:
    """It is there, is for this machine, and records a trivial program."""
    try:
        shim = shim_path()
        with tempfile.TemporaryDirectory(prefix="lockorder-doctor-") as place:
            failure = try_out(shim, Path(place))
    except ProbeError as error:
        return Check("probe", State.PROBLEM, f"{SHIM_NAME} cannot be used", "nothing is recorded",
                     " ".join(str(error).split()))  # fmt: skip
    if failure:
        return Check("probe", State.PROBLEM, failure, "nothing is recorded",
                     "install lockorder again on this machine, from source if need be")  # fmt: skip
    return Check("probe", State.OK, f"{shim} records")


def try_out(shim: Path, folder: Path) -> str:
    """Record a program that does nothing into *folder*; why that failed, "" where it did not."""
    environment = preload_environment(os.environ, shim, folder)
    command = [sys.executable, "-I", "-S", "-c", "pass"]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, check=False, errors="replace",
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    made = [path for path in folder.glob(FILE_PATTERN) if path.stat().st_uid == os.geteuid()]
    if done.returncode != 0 or not made:
        said = done.stderr.strip().splitlines()
        return said[0] if said else f"no trace of {sys.executable} (exit {done.returncode})"
    try:
        state = read_trace(made[0]).header.state
    except TraceError as error:
        return str(error)
    return "" if state is ProcessState.EXITED else f"a trace that was not finished: {state.name}"


def preloaded(environment: Mapping[str, str]) -> Check:
    """What LD_PRELOAD has already."""
    names = environment.get("LD_PRELOAD", "").replace(":", " ").split()
    missing = [name for name in names if "/" in name and not os.path.exists(name)]
    if missing:
        return Check(
            "LD_PRELOAD", State.WARNING, f"names {missing[0]}, which is not there",
            "the loader complains in every process", "unset LD_PRELOAD, or mend it",
        )  # fmt: skip
    if any(os.path.basename(name) == SHIM_NAME for name in names):
        return Check("LD_PRELOAD", State.NOTE, "this is itself a recorded process",
                     "a run inside of it goes to a folder of its own",
                     "nothing; or start lockorder outside of the other run")  # fmt: skip
    if names:
        return Check("LD_PRELOAD", State.OK, f"kept, behind the probe: {', '.join(names)}")
    return Check("LD_PRELOAD", State.OK, "empty")


def nearest(folder: Path) -> Path:
    """*folder*, or where it would be made."""
    folder = folder.absolute()
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


def writable(place: Path) -> Check:
    """A trace can be made, mapped and grown there."""
    do = "name another folder: lockorder run -o DIR"
    try:
        with tempfile.TemporaryDirectory(prefix=".lockorder-doctor-", dir=place) as folder:
            failure = try_out(shim_path(), Path(folder))
    except OSError as error:
        failure = error.strerror or str(error)
    except ProbeError:
        failure = "not tried: there is no probe"
    if failure:
        return Check("folder", State.PROBLEM, failure, "nothing is recorded there", do, str(place))
    return Check("folder", State.OK, "a trace was written", subject=str(place))


def file_system(place: Path, mounts: str) -> Check:
    """Where the traces are mapped from; *mounts* as in /proc/self/mounts."""
    kind = _kind(place, mounts)
    subject = str(place)
    if kind in _NETWORK or kind.startswith("fuse."):
        return Check(
            "file system", State.WARNING, kind,
            "traces are mapped from other machines' disks: recording is slower, and what was "
            "written last may be lost with this machine",
            f"record on a local disk (lockorder run -o {tempfile.gettempdir()}/traces) and copy "
            "the folder afterwards",
            subject,
        )  # fmt: skip
    if kind in _MEMORY:
        return Check("file system", State.NOTE, kind, "traces take memory and end with the machine",
                     "mind the limits of the container or job", subject)  # fmt: skip
    return Check("file system", State.OK, kind or "not known", subject=subject)


def _kind(place: Path, mounts: str) -> str:
    best, kind = "", ""
    for line in mounts.splitlines():
        words = line.split()
        if len(words) < 3:
            continue
        point = words[1].replace("\\040", " ")
        inside = str(place) == point or str(place).startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):  # the later of two mounts hides the first
            best, kind = point, words[2]
    return kind


def space(place: Path, free: int) -> Check:
    """Room for traces."""
    found = f"{free >> 20:,} MiB free"
    if free < _ENOUGH:
        return Check(
            "space", State.WARNING, found,
            f"a trace may grow to {_LARGEST >> 20} MiB; a full disk costs records, not the job",
            "free some, or name another folder: lockorder run -o DIR", str(place),
        )  # fmt: skip
    return Check("space", State.OK, found, subject=str(place))


def limits() -> Check:
    """setrlimit(2): what the probe reserves must fit."""
    size, _ = resource.getrlimit(resource.RLIMIT_FSIZE)
    if size not in (resource.RLIM_INFINITY, -1) and size < _LARGEST:
        return Check("limits", State.WARNING, f"files may grow to {size >> 20} MiB (ulimit -f)",
                     "a process whose trace comes to the limit is sent SIGXFSZ, which ends it",
                     "ulimit -f unlimited")  # fmt: skip
    addresses, _ = resource.getrlimit(resource.RLIMIT_AS)
    if addresses not in (resource.RLIM_INFINITY, -1) and addresses < _ADDRESS_SPACE:
        return Check("limits", State.WARNING,
                     f"processes may use {addresses >> 20} MiB of addresses (ulimit -v)",
                     "the probe takes 350 MiB of them, and records nothing where there is no room",
                     "ulimit -v unlimited")  # fmt: skip
    return Check("limits", State.OK, "none in the way")


def tracing(
    scope_file: Path = Path("/proc/sys/kernel/yama/ptrace_scope"),
    status_file: Path = Path("/proc/self/status"),
) -> Check:
    """Whether `lockorder hang` may look into processes that it did not start (ptrace(2), Yama)."""
    try:
        scope = int(scope_file.read_text())
    except (OSError, ValueError):
        scope = 0
    words = status_file.read_text().partition("CapEff:")[2].split()
    capable = bool(words) and bool(int(words[0], 16) & _CAP_SYS_PTRACE)
    found = f"ptrace_scope {scope}" + (", CAP_SYS_PTRACE" if capable else "")
    if scope == 0 or (capable and scope < 3):
        return Check("tracing", State.OK, found)
    return Check(
        "tracing", State.NOTE, found,
        "lockorder run is not concerned; lockorder hang --pid cannot read processes that it did "
        "not start",
        "sudo sysctl kernel.yama.ptrace_scope=0, or in a container --cap-add=SYS_PTRACE"
        if scope < 3 else "only a restart of the machine with another setting changes that",
    )  # fmt: skip
