"""What NCCL counts of each rank, put beside where the ranks are."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lockorder import meaning
from lockorder.hang import (
    ras,
    services,
    with_statements,
)
from lockorder.hang.looks import Looks
from lockorder.model import (
    Absent,
    Launches,
    LaunchSide,
    ProcessState,
    ThreadState,
)

_NCCL = "libnccl.so"


def launched(
    states: Sequence[ProcessState], first: ras.Answer, second: ras.Answer
) -> list[ProcessState]:
    """*states*, with who launched operations between two answers of NCCL's."""
    moved = {
        second.processes.get((communicator, rank), ("", 0))[1]
        for communicator, ranks in second.counts.items()
        for rank, counts in ranks.items()
        if counts != first.counts.get(communicator, {}).get(rank, counts)
    }
    replace = msgspec.structs.replace

    def thread(each: ThreadState) -> ThreadState:
        return replace(each, moved="launched") if each.is_main else each

    return [
        replace(state, threads=tuple(map(thread, state.threads))) if state.pid in moved else state
        for state in states
    ]


def absent(answer: ras.Answer, states: Sequence[ProcessState]) -> list[Absent]:
    """Ranks that NCCL does not reach, and whose processes were not looked at either."""
    here = {state.pid for state in states}
    named = {m.pid: m for m in answer.missing if m.pid not in here}
    named |= {m.pid: m for m in answer.missing if m.pid not in here and m.rank >= 0}
    return [
        Absent("NCCL", m.rank, pid, m.host, ended=_is_here(m.host) and not _runs(pid))
        for pid, m in sorted(named.items())
    ]


def _is_here(host: str) -> bool:
    """Whether a host, by its name or one of its addresses, is this one."""
    if host in ("", "localhost", "::1") or host.startswith("127."):
        return True
    if host.partition(".")[0] == os.uname().nodename.partition(".")[0]:
        return True
    with contextlib.suppress(OSError):
        # An address, and below it what it is (the kernel's Documentation/networking/fib_trie).
        rows = Path("/proc/net/fib_trie").read_text().splitlines()
        local = {a.split()[-1] for a, b in itertools.pairwise(rows) if "host LOCAL" in b}
        return host in local
    return False


def _runs(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def ask(looks: Looks) -> tuple[ras.Answer, list[str]]:
    """What NCCL says of the job, and its words; each process would say the same."""
    addresses = {
        address
        for pid, image in looks.images.items()
        if any(_NCCL in Path(m.path).name for m in image.mappings())
        and (address := services.ras_address(looks.environments[pid])) is not None
    }
    for address in sorted(addresses):
        answer = ras.of_json(services.ras_json(address))
        said = services.ras(address)
        answer = answer or ras.of_text(said)
        if answer:
            return answer, [f"NCCL at {address[0]}:{address[1]} says:", *said]
    return ras.Answer(), []


def launches(
    first: ras.Answer, second: ras.Answer, states: Sequence[ProcessState]
) -> list[Launches]:
    """What ranks launched unequally often in both of two answers, with the processes looked at."""
    by_pid = {state.pid: state for state in states}
    by_name = {state.process: state for state in states}

    def side(each: ras.Side, communicator: str) -> LaunchSide:
        pids = [second.processes.get((communicator, r), ("", 0))[1] for r in each.ranks]
        known = [by_pid[pid] for pid in pids if pid in by_pid]
        ranks = each.ranks
        if known and len(known) == len(ranks) and all(state.rank >= 0 for state in known):
            ranks = tuple(sorted(state.rank for state in known))
        return LaunchSide(each.count, each.number, ranks, tuple(s.process for s in known))

    found = []
    for each in ras.lasting(first, second):
        sides = tuple(side(one, each.communicator) for one in each.sides)
        most = max(sides, key=lambda s: s.count)
        where = next((_issued(by_name[p], each.operation) for p in most.processes), "")
        found.append(Launches("NCCL", each.communicator, each.operation, sides, where))
    return found


def _issued(state: ProcessState, operation: str) -> str:
    """The only call of an operation in the functions that a rank's main thread is in."""
    name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_?", operation).lower()
    wanted = re.compile(rf"{name}(?:_|$)")
    first = state.first
    frames = [f for f in first.chain if meaning.is_own(f)] if first is not None else []
    calls = {
        (Path(f.file).name, *call)
        for f in frames
        for call in with_statements.calls_in(f, lambda n: bool(n) and bool(wanted.match(n)))
    }
    if len(calls) != 1:
        return ""
    ((file, called, line),) = calls
    return f"{called} at {file}:{line}"
