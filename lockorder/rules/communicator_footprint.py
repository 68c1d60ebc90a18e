"""What communicators cost in memory, and what multiplies it.

## What it does
For each place that makes communicators: the memory that a process has more after making them and
after their first operations (of its own, pinned, in /dev/shm, on the device), threads and
descriptors, for each communicator and for all of a rank; the median and the most over all ranks.
A line through what was measured says what more of them would cost. It is a warning where what was
seen, or what 64 communicators a rank would cost (`footprint_communicators`), is more than a rank
may have (`footprint_limit_mib`; else a quarter of the machine's memory, over its ranks), or more
than /dev/shm holds; a note otherwise. Environment variables that multiply the cost are named,
each where the NCCL that ran knows it. In sources, a note where a communicator is made in a loop,
and where the sources themselves set such a variable.

The whole process is measured, before and after: what other threads allocate meanwhile counts as
well, and device memory is that of all processes on the device. Measurements that overlapped are
told. The first communicator also pays for what all share, such as the loading of kernels.

## Why it hangs
It mostly fails before it hangs: every communicator has buffers for each channel and peer, a FIFO of
work, proxy threads and sockets of its own, and most of that is made when it is first used. Jobs
with several kinds of parallelism make dozens of them a rank. It is host memory that runs out, with
plenty left on the GPU, and the allocation that fails is whichever came last. The rank on which it
fails is then missing in every other rank's next collective, and those hang.

NVIDIA/nccl #1399: with NCCL_WORK_FIFO_DEPTH=4194304 each communicator of NCCL 2.20.5
allocated 2 GiB of pinned host memory; context parallelism makes many, and one more failed with
"Failed to CUDA host alloc 2147483648 bytes". The variable is gone since NCCL 2.22.

## Example
```cpp
#include <nccl.h>
#include <vector>

struct Group { int size, rank; ncclUniqueId id; };

void connect(std::vector<Group>& groups, std::vector<ncclComm_t>& comms)
{
    for (unsigned i = 0; i < groups.size(); ++i)        // 64 times
        ncclCommInitRank(&comms[i], groups[i].size, groups[i].id, groups[i].rank);
}
```

And in the job's script, for NCCL before 2.22, 2 GiB of pinned memory for each of them:

```sh
export NCCL_WORK_FIFO_DEPTH=4194304
```

## Instead
Share what can be shared: ncclCommSplit with splitShare = 1 gives a child its parent's resources.
Use one communicator where several have the same ranks; destroy those that are not needed any more.
Leave NCCL's sizes alone, or lower them (NCCL_BUFFSIZE, NCCL_MAX_NCHANNELS).

```cpp
#include <nccl.h>

ncclComm_t connect(ncclComm_t world, int color, int key)
{
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.splitShare = 1;
    ncclComm_t child = nullptr;
    ncclCommSplit(world, color, key, &child, &config);
    return child;
}
```

## References
* NCCL issue 1399: https://github.com/NVIDIA/nccl/issues/1399
* NCCL User Guide, "Creating a communicator with options":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html
* NCCL User Guide, "Environment Variables":
  https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lockorder.footprint import Footprints, ProcessCost, SiteCost
from lockorder.model import Confidence, Finding, Level, Participant, Table, fingerprint
from lockorder.rules.evidence import Chain, Evidence
from lockorder.rules.footprint_settings import Effect, effects, multiplying
from lockorder.rules.footprint_story import Excess, excess, in_all, table

ID = "communicator-footprint"
LEVEL = Level.NOTE
#: Below this share of explained variance, or with fewer communicators, a line is a guess.
GOOD_FIT, FEW = 0.9, 3
_SHARE = (
    "share resources (ncclCommSplit with splitShare = 1), use one communicator for the same ranks, "
    "destroy what is not needed any more"
)


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each place, in recorded runs and in sources."""
    if evidence.footprints is not None:
        yield from _recorded(evidence.footprints)
    for creation in evidence.observed.creations:
        yield _finding(
            Level.NOTE,
            Confidence.MEDIUM,
            "the call stands in a loop; how often that runs is not known",
            f"{creation.call} in a loop: each communicator has buffers, threads and pinned memory "
            "of its own",
            _SHARE,
            (creation.chain[0].function, creation.call, creation.chain),
        )
    yield from _set_in_sources(evidence)


def _recorded(footprints: Footprints) -> Iterable[Finding]:
    places: dict[object, list[tuple[ProcessCost, SiteCost]]] = {}
    for process in footprints.processes:
        for site in process.sites:
            places.setdefault(site.key, []).append((process, site))
    for shown in places.values():
        yield _place(shown, footprints)


def _place(shown: Sequence[tuple[ProcessCost, SiteCost]], footprints: Footprints) -> Finding:
    budget = footprints.budget
    process, site = max(shown, key=lambda s: s[1].total.machine + s[1].total.shared)
    known = effects(process.settings, process.version, budget.settings)
    past = excess(shown, footprints, sum(e.bytes for e in known))
    message = f"{_made(shown)}{in_all(shown)}"
    unfinished = sum(s.unfinished for _, s in shown)
    if unfinished:
        message += f"; {unfinished} were still being made when the recording ended"
    for effect in known:
        message += f"; {effect.text}"
    if past is not None:
        message += f"; {past.text}"
    return _finding(
        Level.WARNING if past is not None else Level.NOTE,
        *_certainty(shown, past),
        message,
        _fix(known, past),
        (process.who, f"{site.call}, the communicators' making", site.chain),
        table(shown, budget.communicators),
    )


def _finding(
    level: Level,
    confidence: Confidence,
    reason: str,
    message: str,
    fix: str,
    where: tuple[str, str, Chain],
    figures: Table | None = None,
) -> Finding:
    who, what, chain = where
    return Finding(
        rule=ID,
        level=level,
        confidence=confidence,
        reason=reason,
        message=message,
        fix=fix,
        locks=(),
        participants=(Participant(who=who, held=(), waits=what, chain=chain),),
        fingerprint=fingerprint(ID, (), (what, chain[-1].function)),
        table=figures,
    )


def _made(shown: Sequence[tuple[ProcessCost, SiteCost]]) -> str:
    sites = [s for _, s in shown]
    number = _range([s.made for s in sites])
    text = f"{number} communicator{'' if number == '1' else 's'}"
    sizes = [n for s in sites for n in (s.fewest_ranks, s.most_ranks) if n > 0]
    if sizes:
        ranks = _range(sizes)
        text += f" of {ranks} rank{'' if ranks == '1' else 's'}"
    return f"{text} made here by {sites[0].call}"


def _range(numbers: Sequence[int]) -> str:
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f"{low} to {high}"


def _certainty(
    shown: Sequence[tuple[ProcessCost, SiteCost]], past: Excess | None
) -> tuple[Confidence, str]:
    sites = [s for _, s in shown]
    disturbed = sum(s.disturbed for s in sites)
    if disturbed:
        return Confidence.LOW, f"{disturbed} measurements overlapped with others of their process"
    if sum(s.pending for s in sites):
        return Confidence.LOW, "the communicators do not block: some were not made when measured"
    if past is None or not past.projected:
        return Confidence.HIGH, "measured around the calls"
    line = min((s.lines[past.memory] for s in sites if s.made), key=lambda each: each.fit)
    if past.by_setting:
        return Confidence.MEDIUM, "by the size that the variable asks for"
    text = f"a line through {line.points} communicators explains {line.fit:.1%} of the variance"
    good = line.fit >= GOOD_FIT and line.points >= FEW
    return Confidence.MEDIUM if good else Confidence.LOW, text


def _fix(known: Sequence[Effect], past: Excess | None) -> str:
    raised = multiplying(known)
    if raised:
        return f"unset {', '.join(e.name for e in raised)}; {_SHARE}"
    if past is not None and past.memory == "shared":
        return f"make /dev/shm larger (docker run --shm-size); {_SHARE}"
    return _SHARE if past is not None else f"nothing, while there is room; else {_SHARE}"


def _set_in_sources(evidence: Evidence) -> Iterable[Finding]:
    for found in evidence.observed.settings:
        known = {found.name: found.setting}
        for effect in multiplying(effects({found.name: found.value}, 0, known)):
            yield _finding(
                Level.NOTE,
                Confidence.MEDIUM,
                "the value is written in the sources; what the environment had before is not known",
                f"{effect.text}: set for the whole process",
                f"leave {found.name} to NCCL, or to who runs the program",
                (found.chain[0].function, f"{found.name}={found.value}", found.chain),
            )
