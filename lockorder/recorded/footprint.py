"""What the communicators of one process cost it, by the place that made them."""

from __future__ import annotations

from collections.abc import Iterator

from lockorder.footprint import MEMORY, Cost, ProcessCost, SiteCost, fit
from lockorder.model import Frame
from lockorder.recorded.process import Process
from runtime_probe.footprint_records import (
    Environment,
    Footprint,
    FootprintFlag,
    Known,
    Phase,
    Usage,
)
from runtime_probe.nccl_records import Communicator

_UNKNOWN = Environment(0, 0, 0, 0, 0, {})


class _Share:
    """What one communicator costs."""

    def __init__(self, record: Communicator) -> None:
        self.record = record
        self.stack = record.stack
        self.making = Cost()
        self.using = Cost()
        self.disturbed = self.pending = False
        self.unfinished = False


def cost_of(process: Process) -> ProcessCost | None:
    """What *process* paid for its communicators; None where it made none."""
    trace = process.trace
    shares = {n: _Share(c) for n, c in trace.communicators.items() if c.made_by}
    for footprint in sorted(trace.footprints, key=lambda f: f.before.time_ns):
        _share_out(footprint, shares)
    if not trace.footprints:
        return None
    sites: dict[tuple[str, Frame], list[_Share]] = {}
    for share in shares.values():
        # A rank that a split leaves out has no communicator; nor has one whose making failed.
        if share.record.address or share.unfinished:
            call = trace.calls.get(share.record.made_by)
            chain = process.chain(share.stack)
            key = (call.name if call is not None else "?", _site(process, share.stack, chain))
            sites.setdefault(key, []).append(share)
    if not sites:
        return None
    environment = trace.environment or _UNKNOWN
    memory = environment.memory
    if 0 < environment.memory_limit < memory:
        memory = environment.memory_limit
    return ProcessCost(
        rank=trace.header.rank,
        host=trace.header.host,
        pid=trace.header.pid,
        sites=tuple(
            _site_cost(call, _up_to(process.chain(some[0].stack), at), some)
            for (call, at), some in sites.items()
        ),
        version=environment.nccl_version,
        memory=memory,
        shm=environment.shm,
        settings=environment.settings,
    )


def _site(process: Process, stack: int, chain: tuple[Frame, ...]) -> Frame:
    return process.site(stack) or chain[-1]


def _up_to(chain: tuple[Frame, ...], at: Frame) -> tuple[Frame, ...]:
    """The chain without what libraries of the system do after *at*."""
    ends = next((i for i in range(len(chain) - 1, -1, -1) if chain[i] == at), len(chain))
    return (*chain[:ends], at)


def _members(footprint: Footprint, shares: dict[int, _Share]) -> Iterator[_Share]:
    """The communicators that it is about; the numbers of those that are not listed go on."""
    last = footprint.communicators[-1]
    more = range(last + 1, last + 1 + footprint.total - len(footprint.communicators))
    for number in (*footprint.communicators, *more[: len(shares)]):
        if number in shares:
            yield shares[number]


def _share_out(footprint: Footprint, shares: dict[int, _Share]) -> None:
    """Its communicators bear its cost in equal parts."""
    making = footprint.phase is Phase.MAKING
    members = list(_members(footprint, shares))
    if making and footprint.total == 1:
        for share in members:
            share.stack = footprint.stack or share.stack
    if not footprint.after.time_ns:
        for share in members:
            share.unfinished |= making
        return
    made = [s for s in members if s.record.address]
    if footprint.flags & FootprintFlag.FAILED or not made:
        return
    cost = _gained(footprint.before, footprint.after).over(len(made))
    for share in made:
        share.disturbed |= bool(footprint.flags & FootprintFlag.OVERLAPPED)
        share.pending |= bool(footprint.flags & FootprintFlag.IN_PROGRESS)
        if making:
            share.making += cost
        else:
            share.using += cost


def _gained(before: Usage, after: Usage) -> Cost:
    """What the process has more; what shrank meanwhile was not the communicators'.

    Pinned memory shows in three ways, each alone: in mappings of the driver or shared ones without
    a file, as the kernel's count, or because NCCL was seen to ask for it.  What does not show in
    such a mapping is resident memory of the process as well, and counted once.
    """
    known = before.known & after.known
    pinned = mapped = shared = anonymous = threads = files = 0
    if known & Known.MAPS:
        mapped = max(0, after.driver_mapped - before.driver_mapped)
        mapped += max(0, after.zero_mapped - before.zero_mapped)
        shared = after.shared_mapped - before.shared_mapped
    if known & Known.STATUS:
        pinned = after.pinned - before.pinned
        anonymous = after.anonymous - before.anonymous
        threads = after.threads - before.threads
    if known & Known.FILES:
        files = after.files - before.files
    device = after.device_asked - before.device_asked
    if known & Known.DEVICE and before.device_total == after.device_total:
        device = max(device, before.device_free - after.device_free)
    pinned = max(0, pinned, mapped, after.host_asked - before.host_asked)
    host = max(0, anonymous - (pinned - mapped))
    return Cost(host, pinned, max(0, shared), max(0, device), max(0, threads), max(0, files))


def _site_cost(call: str, chain: tuple[Frame, ...], shares: list[_Share]) -> SiteCost:
    made = [s for s in shares if s.record.address]
    sizes = [s.record.ranks for s in made if s.record.ranks > 0]
    return SiteCost(
        call=call,
        chain=chain,
        made=len(made),
        fewest_ranks=min(sizes, default=-1),
        most_ranks=max(sizes, default=-1),
        mean_ranks=sum(sizes) / len(sizes) if sizes else 0,
        making=sum((s.making for s in made), Cost()),
        using=sum((s.using for s in made), Cost()),
        lines={
            name: fit((s.record.ranks, getattr(s.making + s.using, name)) for s in made)
            for name in MEMORY
        },
        disturbed=sum(s.disturbed for s in made),
        unfinished=sum(s.unfinished for s in shares),
        pending=sum(s.pending for s in made),
    )
