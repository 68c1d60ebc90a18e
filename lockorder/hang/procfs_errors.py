"""Why a live process cannot be looked at, and what to change."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from lockorder.hang.procfs_files import Proc, Status, status_of

_YAMA = "sys/kernel/yama/ptrace_scope"


class HangError(Exception):
    """What was asked for cannot be looked at.

    ``subject`` is a process or a file, ``remedy`` what to do about it ("" where nothing helps).
    """

    def __init__(self, subject: str, reason: str, remedy: str = "") -> None:
        super().__init__(f"{subject}: {reason}" + (f"; {remedy}" if remedy else ""))
        self.subject = subject
        self.reason = reason
        self.remedy = remedy

    def __reduce__(self) -> tuple[type[HangError], tuple[str, str, str]]:
        # Exceptions cross from worker processes by their arguments.
        return (HangError, (self.subject, self.reason, self.remedy))


def refusal(proc: Proc, pid: int) -> HangError:
    """Which of the kernel's rules refused us *pid* (ptrace(2)), most likely first."""
    subject = f"process {pid}"
    us = _status(proc, "self")
    if us is not None and us.can_trace:
        return _refused_with_rights(subject)
    target = _status(proc, str(pid))
    if us is not None and target is not None and us.uid not in (0, target.uid):
        return HangError(
            subject,
            f"it belongs to another user (uid {target.uid}, we are {us.uid})",
            f"run this as that user, or as root: sudo lockorder hang --pid {pid}",
        )
    if us is None or us.uid == 0:  # root without the right: only a container has that
        return HangError(
            subject,
            "root here has no right to trace (CAP_SYS_PTRACE is missing, as in containers)",
            "start the container with --cap-add=SYS_PTRACE (Kubernetes: securityContext."
            "capabilities.add: [SYS_PTRACE]), or run this on the host",
        )
    scope = _yama(proc)
    if scope > 0:
        return _refused_by_yama(subject, pid, scope)
    with contextlib.suppress(OSError):
        if proc.owner(str(pid)) != us.uid:
            return HangError(
                subject,
                "it has changed its rights, and is not to be traced (prctl PR_SET_DUMPABLE)",
                f"run this as root: sudo lockorder hang --pid {pid}",
            )
    advice = " (in a container: start it with --cap-add=SYS_PTRACE)" if _contained() else ""
    return HangError(
        subject,
        "the kernel refuses to have it traced",
        f"run this as root: sudo lockorder hang --pid {pid}{advice}",
    )


def _refused_with_rights(subject: str) -> HangError:
    return HangError(
        subject,
        "the kernel refuses to have it traced, though we may trace others",
        "a security module (SELinux, AppArmor, seccomp) or a user namespace forbids it: run this "
        "on the host, or in the namespace that the process was started in",
    )


def _refused_by_yama(subject: str, pid: int, scope: int) -> HangError:
    reason = f"Yama forbids it (kernel.yama.ptrace_scope is {scope})"
    if scope >= 3:
        return HangError(
            subject,
            reason,
            "3 cannot be changed until the next boot; take a core: kill -ABRT "
            f"{pid}, then lockorder hang --core FILE",
        )
    change = " or allow it: sudo sysctl kernel.yama.ptrace_scope=0" if scope == 1 else ""
    advice = " (in a container: start it with --cap-add=SYS_PTRACE)" if _contained() else ""
    return HangError(
        subject, reason, f"run this as root: sudo lockorder hang --pid {pid}{change}{advice}"
    )


def _yama(proc: Proc) -> int:
    try:
        return int(proc.text(_YAMA))
    except (OSError, ValueError):
        return 0  # not built in, or not running


def _status(proc: Proc, name: str) -> Status | None:
    try:
        return status_of(proc.text(f"{name}/status"))
    except (OSError, ValueError):
        return None


def _contained() -> bool:
    known = ("/.dockerenv", "/run/.containerenv")
    return any(Path(each).exists() for each in known) or "container" in os.environ
