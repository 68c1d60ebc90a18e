"""Groups of NCCL calls that were left open, ended twice, or had in them what does not belong."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lockorder.model import Frame
from lockorder.recorded.process import Process
from lockorder.rules.evidence import Chain, GroupMisuse, OpenGroup, StrayGroupEnd
from runtime_probe.layout import GroupMisuseKind
from runtime_probe.nccl_records import GroupMisuse as Record

GROUP = "NCCL group"
_PROBLEMS = {
    GroupMisuseKind.SYNC: "waits for work that is only launched when the group ends",
    GroupMisuseKind.MIXED: "makes a communicator in one group with other calls",
}
#: How a process ends, from the call that ends it on.
_EXIT = re.compile(r"_*(exit|run_exit_handlers|cxa_finalize|libc_exit)$|_dl_|Py_Exit")


def misuses(process: Process) -> Iterator[GroupMisuse]:
    """Calls that do not belong into the group that they were made in."""
    for record in process.trace.group_misuses:
        problem, call = _PROBLEMS.get(record.kind), process.trace.calls.get(record.call)
        if problem is not None and call is not None:
            yield GroupMisuse(
                GROUP,
                _begin(process, record.begin_stack, record.begin_pc),
                call.name,
                process.chain(record.stack),
                problem,
                who=process.thread(record.thread),
            )


def open_groups(process: Process) -> Iterator[OpenGroup]:
    """Groups of threads that have ended, or that ended the process."""
    for record in process.trace.group_misuses:
        if record.kind is GroupMisuseKind.EXIT:
            yield _open(process, record)
    for number, thread in process.trace.threads.items():
        # The others may be at work: nobody waits for them when a process exits or is killed.
        if thread.group_depth and thread.end_ns:
            begin = _begin(process, thread.group_stack, thread.group_pc)
            yield OpenGroup(GROUP, process.thread(number), begin, "its thread ends")


def stray_ends(process: Process) -> Iterator[StrayGroupEnd]:
    """Ends of groups that nobody had begun."""
    for record in process.trace.group_misuses:
        call = process.trace.calls.get(record.call)
        if record.kind is GroupMisuseKind.NOT_BEGUN and call is not None:
            yield StrayGroupEnd(
                GROUP, call.name, process.thread(record.thread), process.chain(record.stack)
            )


def _open(process: Process, record: Record) -> OpenGroup:
    chain = process.chain(record.stack)
    ends = next((i for i, f in enumerate(chain) if _EXIT.match(f.function)), len(chain))
    return OpenGroup(
        GROUP,
        process.thread(record.thread),
        _begin(process, record.begin_stack, record.begin_pc),
        "the process exits",
        chain[:ends],
    )


def _begin(process: Process, stack: int, pc: int) -> Chain:
    if process.trace.stack(stack) or not pc:
        return process.chain(stack)
    return process.places.chain((pc,)) or (Frame("?"),)
