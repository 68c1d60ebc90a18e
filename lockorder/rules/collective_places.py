"""Ranks in different collectives: by where their main threads are, and by NCCL's counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lockorder.model import (
    Confidence,
    Finding,
    Launches,
    LaunchSide,
    Level,
    Participant,
    fingerprint,
)
from lockorder.rules import job_words as words
from lockorder.rules.evidence import Evidence
from lockorder.rules.ranks_now import (
    RankAt,
    are_crossed,
    by_place,
    group_story,
    key_story,
    odd,
    parted,
    ranks_at,
)

ID = "collective-mismatch"
#: Places that are told one by one.
_SHOWN = 3
_FIX = "let all ranks of a communicator issue the same operations in the same order"


def apart(evidence: Evidence) -> Iterator[Finding]:
    """One finding where ranks that were looked at, or that NCCL counts, are in different places."""
    found = ranks_at(evidence.waiting)
    if any(at.node.thread.goes_on or at.node.sleeps for at in found.values()):
        return  # somebody is on the way
    told = [_told(launches, found) for launches in evidence.launches]
    waiting = {rank: at for rank, at in found.items() if at.operation or at.gpu}
    waiting = parted(waiting) if len(waiting) > 1 else waiting
    if len(waiting) == len(found) > 1:
        places = by_place(waiting)
        blocking = {at.operation for at in waiting.values() if not at.gpu}
        gpu = any(at.gpu for at in waiting.values())
        if not gpu and any(at.key for at in waiting.values()):
            yield _for_keys(waiting)
            return
        alone = _without_partner(waiting)
        if alone and len(places) > 1 and not gpu and not told:
            yield _for_partners(alone, waiting)
            return
        if len(places) > 1 and not gpu:
            yield _places(places, waiting, told)
            return
        if not gpu and not told and not _busy(evidence):
            yield _one_place(places, waiting)
            return
        if gpu and not told:
            yield _for_the_gpu(places, waiting, bool(blocking))
            return
    if told:
        yield _counts(evidence.launches, found, told)


def _busy(evidence: Evidence) -> bool:
    """Whether any thread of a rank's works: data may be on its way."""
    return any(
        node.thread.moved == "works"
        for node in evidence.waiting.nodes.values()
        if node.process.rank >= 0 and node.process.role != "worker"
    )


def _one_place(
    places: Mapping[tuple[str, str], Sequence[int]], found: Mapping[int, RankAt]
) -> Finding:
    """All ranks that were looked at wait in one operation at one line, and nothing moves."""
    ((_, ranks),) = places.items()
    at = found[ranks[0]]
    receives = at.operation.startswith(("recv", "irecv", "Recv"))
    peers = [f"rank {r} from rank {found[r].peer}" for r in ranks if found[r].peer >= 0][:_SHOWN]
    whom = f" ({', '.join(peers)}{', ...' * (len(ranks) > _SHOWN)})" if peers else ""
    members = {member for at in found.values() for member in at.members}
    absent = sorted(members - found.keys())
    crossed = are_crossed(found)
    if receives:
        cause = f"each waits to receive{whom}, and none of them sends"
    elif crossed:
        cause = f"they wait in different groups: {group_story(found)}"
    elif absent:
        were = "was" if len(absent) == 1 else "were"
        cause = f"{words.ranks(absent)} of the group {were} not looked at"
    else:
        cause = (
            "what is different is not seen from their stacks (the group, the peer, a rank that "
            "was not looked at)"
        )
    return Finding(
        rule=ID,
        level=Level.ERROR if receives or crossed else Level.WARNING,
        confidence=Confidence.MEDIUM if receives or crossed else Confidence.LOW,
        reason="the main threads' stacks stand still there",
        message=f"{words.ranks(ranks)} all wait in {at.shared}, and nothing moves "
        f"{words.since(at.node.thread)}".rstrip()
        + f": {cause}",
        fix=_FIX,
        locks=(),
        participants=(_side(ranks, found),),
        fingerprint=fingerprint(ID, [at.operation], [at.line]),
    )


def _for_the_gpu(
    places: Mapping[tuple[str, str], Sequence[int]], found: Mapping[int, RankAt], mixed: bool
) -> Finding:
    """All ranks wait, some for the GPU, and nothing moved for as long as it was looked at."""
    said = [
        words.are(words.ranks(ranks), found[ranks[0]].node, len(ranks))
        for ranks in list(places.values())[:_SHOWN]
    ]
    seconds = max(at.node.process.seconds for at in found.values())
    cause = (
        "who waits for the GPU may wait there for the others"
        if mixed
        else "an operation between ranks whose other side was never launched (send, recv, another "
        "group), or a kernel that does not end"
    )
    still = f"all ranks wait, and nothing moved for {seconds:.0f} s"
    return Finding(
        rule=ID,
        level=Level.WARNING,
        confidence=Confidence.LOW,
        reason=f"nothing moved for {seconds:.0f} s, and no rank is anywhere else",
        message=f"{still}: {', '.join(said)}; {cause}",
        fix=_FIX,
        locks=(),
        participants=tuple(_side(ranks, found) for ranks in places.values()),
        fingerprint=fingerprint(ID, ["gpu"], sorted({line for _, line in places})),
    )


def _for_keys(waiting: Mapping[int, RankAt]) -> Finding:
    """Ranks that wait for what another one should have put into the store."""
    others = by_place({rank: at for rank, at in waiting.items() if not at.key})
    said = [_are_in(ranks, waiting[ranks[0]].shared) for ranks in list(others.values())[:_SHOWN]]
    return Finding(
        rule=ID,
        level=Level.ERROR,
        confidence=Confidence.MEDIUM,
        reason="the main threads' stacks stand still there, and every rank waits",
        message="; ".join([key_story(waiting), *said]),
        fix="see who should set that key, and why it went on or ended without it",
        locks=(),
        participants=tuple(_side(ranks, waiting) for ranks in by_place(waiting).values()),
        fingerprint=fingerprint(
            ID, sorted({at.key for at in waiting.values()}),
            sorted({at.line for at in waiting.values()}),
        ),
    )  # fmt: skip


def _without_partner(waiting: Mapping[int, RankAt]) -> list[int]:
    """Ranks that send or receive, and whose partner was looked at and does neither with them."""
    return [
        rank
        for rank, at in waiting.items()
        if at.peer in waiting
        and not (waiting[at.peer].peer == rank and waiting[at.peer].sends != at.sends)
    ]


def _for_partners(alone: Sequence[int], waiting: Mapping[int, RankAt]) -> Finding:
    """Ranks that send to, or receive from, one that is somewhere else."""
    said = []
    for rank in alone[:_SHOWN]:
        at = waiting[rank]
        does = "receive" if at.sends else "send"
        said.append(
            f"rank {rank} is in {at.at}, and rank {at.peer} does not {does}: "
            f"it is in {waiting[at.peer].at}"
        )
    if len(alone) > _SHOWN:
        said.append(f"and {len(alone) - _SHOWN} more ranks")
    return Finding(
        rule=ID,
        level=Level.ERROR,
        confidence=Confidence.MEDIUM,
        reason="the main threads' stacks stand still there",
        message="; ".join(said),
        fix=_FIX,
        locks=(),
        participants=tuple(_side(ranks, waiting) for ranks in by_place(waiting).values()),
        fingerprint=fingerprint(
            ID, [waiting[r].operation for r in alone], sorted({waiting[r].line for r in alone})
        ),
    )


def _are_in(ranks: Sequence[int], at: str) -> str:
    return f"{words.ranks(ranks)} {'is' if len(ranks) == 1 else 'are'} in {at}"


def _places(
    places: Mapping[tuple[str, str], Sequence[int]],
    found: Mapping[int, RankAt],
    told: Sequence[str],
) -> Finding:
    """All wait for others, and not in the same."""
    differ = len({operation for operation, _ in places}) > 1
    said = [_are_in(ranks, found[ranks[0]].at) for ranks in list(places.values())[:_SHOWN]]
    if len(places) > _SHOWN:
        said.append(f"and {len(places) - _SHOWN} more places")
    where = "in different collectives" if differ else "in the same operation at different lines"
    message = f"ranks wait {where}: {', '.join(said)}"
    few = odd(list(places.values()))
    if few:
        message += f"; {words.ranks(few)} parted from the others"
    crossed = are_crossed(found)
    if crossed:
        message += f"; they wait in different groups: {group_story(found)}"
    if told:
        message += f" (NCCL agrees: {'; '.join(told[:2])})"
    confidence = Confidence.MEDIUM if differ or crossed else Confidence.LOW
    return Finding(
        rule=ID,
        level=Level.ERROR if differ or told or crossed else Level.WARNING,
        confidence=Confidence.HIGH if told and differ else confidence,
        reason="the main threads' stacks stand still there"
        + (", and NCCL's counts of launched operations differ" if told else ""),
        message=message,
        fix=_FIX,
        locks=(),
        participants=tuple(_side(ranks, found) for ranks in places.values()),
        fingerprint=fingerprint(ID, sorted({o for o, _ in places}), sorted({x for _, x in places})),
    )


def _counts(
    launches: Sequence[Launches], found: Mapping[int, RankAt], told: Sequence[str]
) -> Finding:
    """NCCL says that ranks launched unequally much; where they are now is told with it."""
    message = f"ranks disagree on what they launched: {'; '.join(told[:3])}"
    ahead = {side.ranks for e in launches for side in e.sides[:1] if side.ranks}
    if len({e.communicator for e in launches}) > 1 and len(ahead) > 1:
        message += " (on two communicators, in crossed order)"
    places = by_place(found)
    at = [
        words.are(words.ranks(ranks), found[ranks[0]].node, len(ranks))
        for ranks in list(places.values())[:_SHOWN]
    ]
    if at:
        message += f"; now {', '.join(at)}"
    sides = tuple(_side(ranks, found) for ranks in places.values())
    if len(sides) < 2:
        sides = tuple(
            Participant(who=_who(side), held=(), waits=f"{side.count} {each.operation} launched")
            for each in launches
            for side in each.sides
        )
    return Finding(
        rule=ID,
        level=Level.ERROR,
        confidence=Confidence.HIGH,
        reason=f"{launches[0].said_by} gave the same counts twice, some seconds apart",
        message=message,
        fix=_FIX,
        locks=(),
        participants=sides,
        fingerprint=fingerprint(
            ID, sorted({e.operation for e in launches}), sorted({x for _, x in places})
        ),
    )


def _told(launches: Launches, found: Mapping[int, RankAt]) -> str:
    """``rank 0 launched 1 AllGather, rank 1 none``."""
    parts: list[str] = []
    for side in sorted(launches.sides, key=lambda s: -s.count):
        much = f"{side.count} {launches.operation or 'operations'}" if side.count else "none"
        parts.append(f"{_who(side)} {'' if parts else 'launched '}{much}")
    if launches.where:
        parts[0] += f" ({launches.where})"
    return ", ".join(parts)


def _who(side: LaunchSide) -> str:
    if side.ranks and len(side.ranks) == side.number:
        return words.ranks(side.ranks)
    return f"{side.number} ranks" if side.number > 1 else "1 rank"


def _side(ranks: Sequence[int], found: Mapping[int, RankAt]) -> Participant:
    at = found[ranks[0]]
    return Participant(
        who=words.ranks(ranks), held=(), waits=f"a wait in {at.at}" if at.operation else
        words.doing(at.node), chain=at.node.thread.chain,
    )  # fmt: skip
