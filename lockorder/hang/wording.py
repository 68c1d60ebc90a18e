"""What a thread is at, in words."""

from __future__ import annotations

from lockorder.model import Wait

#: Words for what is waited for.
KINDS = {
    "static-init": "static initialiser", "gil": "the GIL", "python-lock": "Python lock",
    "rwlock": "reader-writer lock", "once": "once flag",
}  # fmt: skip
#: Words for calls that wait.
_CALLS = {
    "wait": "waits for the end of a child process", "pause": "waits for a signal",
    "sigsuspend": "waits for a signal", "sigtimedwait": "waits for a signal",
    "nanosleep": "sleeps",
    "vfork": "waits in vfork until its child has called exec or ended",
}  # fmt: skip
#: The kernel's letters for what a thread is at (proc(5)).
STATES = {
    "R": "runs", "S": "waits", "D": "is in the kernel (uninterruptible: I/O, a driver)",
    "T": "is stopped by a signal (SIGSTOP, a shell's Ctrl-Z)", "t": "is stopped by a debugger",
    "Z": "has ended", "I": "is idle",
}  # fmt: skip


def process_name(pid: int, rank: int, role: str, host: str) -> str:
    """How a process is called in all that is told."""
    of = {"worker": "a worker of "}.get(role, "")
    where = f" on {host}" if host else ""
    return f"{of}rank {rank}, process {pid}{where}" if rank >= 0 else f"process {pid}{where}"


def words(wait: Wait) -> str:
    """What a thread is at."""
    whom = " and ".join(owner.who.partition("thread ")[2] for owner in wait.owners)
    if wait.kind == "poll":
        return f"loops {wait.what}"
    if wait.kind == "io":
        return _CALLS.get(wait.lock, f"waits in {wait.lock}") if wait.lock else "waits for a time"
    if wait.kind == "gpu":
        return f"waits for the GPU in {wait.lock}"
    if wait.kind == "ranks":
        return f"waits for other ranks in {wait.lock}" if wait.lock else "waits for other ranks"
    if wait.kind == "join":
        return f"waits for the end of thread {whom}" if whom else "waits for the end of a thread"
    has = f", which thread {whom} has" if whom else ""
    if wait.kind == "gil":
        return f"waits for the GIL{has}"
    name = "" if wait.lock == wait.kind else wait.lock
    if wait.gone:
        has = f", which nobody can give back: {wait.gone}"
    kind = KINDS.get(wait.kind, wait.kind)
    return (
        "waits for " + (name if name.startswith(f"{kind} at ") else f"{kind} {name}").rstrip() + has
    )
