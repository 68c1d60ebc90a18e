"""Hung jobs in few words: processes, their threads, and who waits for what.

A thread is ``process:thread`` by its numbers, the first thread has its process' number.
"""

from __future__ import annotations

from lockorder.model import Frame, Owner, ProcessState, ThreadState, Wait
from lockorder.waitgraph import WaitGraph


def name_of(pid: int) -> str:
    return f"process {pid}"


def who(pid: int, tid: int) -> str:
    return f"thread {pid}:{tid}"


def line(name: str, number: int, function: str = "main") -> Frame:
    """A line of the program's own."""
    return Frame(function, f"/job/{name}", number)


def waits(
    kind: str = "python-lock",
    *,
    owners: tuple[str, ...] = (),
    by: tuple[int, ...] = (),
    **more: object,
) -> Wait:
    """A wait; who waits is filled in by `thread`."""
    return Wait(
        who="", process="", kind=kind, owners=tuple(map(Owner, owners)),
        by=tuple(map(name_of, by)), **more,  # type: ignore[arg-type]
    )  # fmt: skip


def thread(tid: int, wait: Wait | None = None, **more: object) -> tuple[ThreadState, Wait | None]:
    """A thread that is at a line of the program's own, and its wait."""
    options: dict[str, object] = {"state": "S", "line": line("train.py", tid), **more}
    return ThreadState(who="", tid=tid, **options), wait  # type: ignore[arg-type]


def process(pid: int, *threads: tuple[ThreadState, Wait | None], **more: object) -> ProcessState:
    """A process of these threads."""
    name = str(more.pop("name", name_of(pid)))
    rank = int(str(more.get("rank", -1)))
    states = [
        ThreadState(
            **{
                **{field: getattr(t, field) for field in t.__struct_fields__},
                "who": t.who or who(pid, t.tid), "is_main": t.tid == pid,
            }
        )
        for t, _ in threads
    ]  # fmt: skip
    found = [
        Wait(
            **{
                **{field: getattr(w, field) for field in w.__struct_fields__},
                "who": t.who, "process": name, "rank": rank, "chain": t.chain,
            }
        )
        for t, (_, w) in zip(states, threads, strict=True)
        if w is not None
    ]  # fmt: skip
    return ProcessState(
        process=name, pid=pid, threads=tuple(states), waits=tuple(found), **more,  # type: ignore[arg-type]
    )  # fmt: skip


def graph(*processes: ProcessState) -> WaitGraph:
    return WaitGraph(processes)
