"""What the rules about ranks say alike: names of communicators, operations, ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lockorder.collectives.gather import Gathered, Gathering, Rank
from lockorder.collectives.sequences import symbols_of
from lockorder.model import Frame, Operation, RankLog, ranges, users_place

#: Waiting threads of a process that are named.
MAX_WAITS = 3
#: Operations whose root is the peer.
_PEERS = {"send": "to", "recv": "from"}


def communicator(there: Gathered) -> str:
    """A communicator by its name and its ranks."""
    ranks = [there.label(r) for r in everybody(there)]
    known = sorted({r for r in ranks if r >= 0} | {m for m in there.members if m >= 0})
    if known and (there.size < 0 or len(known) == there.size):
        return f"{there.name} ({ranks_text(known)})"
    return f"{there.name} ({there.size} ranks)" if there.size >= 0 else there.name


def everybody(there: Gathered) -> list[Rank]:
    """All ranks of a communicator that there are logs of, each once."""
    found = dict(there.seen)
    for variant in there.variants.values():
        found.update((r.rank, r) for r in variant.ranks)
    found.update((half.rank.rank, half.rank) for half in there.peers)
    return [found[rank] for rank in sorted(found)]


def absent(there: Gathered) -> str:
    """``; nothing is known of ranks 4-7``, where that is so."""
    known = {r.rank for r in everybody(there)}
    size = max(there.size, len(there.members))
    if size <= len(known) or min(known, default=0) < 0:
        return ""
    missing = [
        there.members[rank] if rank < len(there.members) else rank
        for rank in range(size)
        if rank not in known
    ]
    return f"; nothing is known of {ranks_text(missing)}"


def ranks_of(there: Gathered, ranks: Iterable[Rank]) -> str:
    """``ranks 0-2, 7``."""
    return ranks_text(there.label(r) for r in ranks)


def ranks_text(numbers: Iterable[int], most: int = 0) -> str:
    """``rank 3``, ``ranks 0-2, 7``, ``some rank``; *most* is as for `ranges`."""
    known = sorted({n for n in numbers if n >= 0})
    if not known:
        return "some rank"
    return f"rank{'s' if len(known) > 1 else ''} {ranges(known, most)}"


def operation(what: Operation | None) -> str:
    """``all_reduce of 1,024 float32 (sum)``, ``send of 4 float16 to rank 3``."""
    if what is None:
        return "nothing"
    text = what.name or "an operation that was not kept"
    if what.count >= 0:
        text += f" of {what.count:,} {what.type}".rstrip()
    elif what.type:
        text += f" of {what.type}"
    if what.reduction:
        text += f" ({what.reduction})"
    if what.root >= 0:
        text += f" {_PEERS.get(what.name, 'with root')} rank {what.root}".replace(
            "root rank", "root"
        )
    return text


def place(what: Operation | None) -> str:
    """Where an operation was issued: ``file:line``, or the function."""
    if what is None or not what.chain:
        return ""
    frame = site(what.chain)
    return f"{frame.file.rsplit('/', 1)[-1]}:{frame.line}" if frame.file else frame.function


def function(what: Operation | None) -> str:
    """The function that issued an operation, for fingerprints."""
    return site(what.chain).function if what is not None and what.chain else ""


def at(what: Operation | None) -> str:
    """`` at train.py:88``; empty where no line is known."""
    frame = site(what.chain) if what is not None and what.chain else None
    return f" at {place(what)}" if frame is not None and frame.file else ""


def site(chain: Sequence[Frame]) -> Frame:
    """The innermost line of the job's own code; what is innermost where none is known."""
    own = [frame for frame in chain if "/torch/" not in frame.file]
    return users_place(own or chain)


def last_step(gathering: Gathering, log: RankLog) -> str:
    """What a process did last, over all its communicators, and where it stands."""
    said = []
    if log.places and log.launches.tokens:
        symbols = symbols_of(log.launches)
        at = log.places[symbols[-1]] if symbols else None
        there = gathering.communicators.get(at.communicator) if at is not None else None
        if at is not None and there is not None:
            issued = log.peers if at.peer else log.collectives
            found = next(
                (i for i in issued if (i.communicator, i.rank) == (at.communicator, at.rank)), None
            )
            known = symbols_of(found.steps) if found is not None else ()
            if found is not None and known:
                what = operation(log.operations[known[-1]])
                said.append(f"its last operation was {what}, number {found.total} on {there.name}")
    # Another log of the same rank, a trace beside a dump, may know more.
    same = [one for one in gathering.logs if one.rank == log.rank >= 0 and one is not log]
    for one in (log, *same):
        said += one.waits[:MAX_WAITS]
    return "; ".join(dict.fromkeys(said))
