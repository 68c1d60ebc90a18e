"""Two ranks that show why a job stands still: where they wait, and where they part."""

from __future__ import annotations

import msgspec

from lockorder.ranks.agreement import is_unknown
from lockorder.ranks.conditions import Condition
from lockorder.ranks.effects import Decision, Op
from lockorder.ranks.flatten import Row
from lockorder.ranks.interest import Entry
from lockorder.ranks.machine import World
from lockorder.ranks.simulate import Outcome, Play, peer_of
from lockorder.ranks.values import RANK, Comm, Deps, Tup, Unknown, Value

#: What operations do not fit in by what they are handed, wherever ranks have parted before.
_OF_CONTENTS = frozenset(("data", "shares", "in place", "edges", "shape", "splits"))

#: What one rank does wrong by itself.
ALONE = ("outside", "stranger", "nobody", "over", "refused", "range")


class Trouble(msgspec.Struct, frozen=True, eq=False):
    """Ranks that wait for ever.

    *waiting* is who waits where, or *ops* two operations that do not fit; *parting* where the two
    ranks go different ways: the decision of each.
    """

    entry: Entry
    world: World
    outcome: Outcome
    ranks: tuple[int, int]
    ops: tuple[Op | None, Op | None]
    parting: tuple[Decision | None, Decision | None]
    #: what the ranks differ in, where it is not the rank itself
    why: Deps
    #: point to point
    p2p: bool
    strict: bool = False
    sure: bool = True
    #: a question that one rank answers otherwise
    odd: Condition | None = None
    #: it needs a file that is there for some ranks only, though nothing here makes it
    slight: bool = False
    #: it is so with the options' defaults, and nothing else shows it
    defaults: bool = False


def _before(row: Row, number: int) -> list[Decision]:
    """Decisions before operation *number*."""
    found: list[Decision] = []
    at = 0
    for step in row.steps:
        if isinstance(step, Op):
            at += 1
            if at > number:
                break
        else:
            found.append(step)
    return found


def _between(row: Row, number: int) -> list[Decision]:
    """Decisions before operation *number*, and behind the one before it."""
    found: list[Decision] = []
    at = 0
    for step in row.steps:
        if isinstance(step, Op):
            at += 1
            if at > number:
                break
            found = []
        else:
            found.append(step)
    return found


def odd_parting(first: Row, second: Row) -> tuple[Decision | None, Decision | None]:
    """The same, of questions alone: what a rank knows of itself does not count."""
    return _parting(*(
        Row(steps=[s for s in row.steps if not isinstance(s, Decision) or RANK not in s.deps])
        for row in (first, second)
    ))  # fmt: skip


def story(
    entry: Entry, world: World, rows: list[Row], outcome: Outcome, strict: bool,
    odd: Condition | None, who: int,
) -> Trouble | None:  # fmt: skip
    """Two ranks that show it."""
    p2p = False
    if outcome.kind == "stuck":
        blocked = {r: op for r, op in outcome.at.items() if op is not None}
        begun = {
            r: msgspec.structs.replace(outcome.pending[r], chain=op.chain)
            if r in outcome.pending else _behind(rows[r], op)
            for r, op in blocked.items()
        }  # fmt: skip
        p2p = any(o.is_message or o.kind == "lock" for o in begun.values())
        pair = _pair(rows, outcome, begun, who)
    elif outcome.kind in ALONE:
        p2p = outcome.ops[0] is not None and outcome.ops[0].is_message
        pair = outcome.ranks[0], outcome.ranks[0], outcome.ops[0], None
    elif outcome.kind in ("differs", "beside"):
        pair = (*outcome.ranks, *outcome.ops)
        p2p = any(op is not None and op.is_message for op in outcome.ops)
    else:
        op = outcome.ops[0]
        p2p = op is not None and op.is_message
        pair = (*outcome.ranks, *outcome.ops)
    first, second, ours, theirs = pair
    rows = [
        msgspec.structs.replace(
            row, steps=[s for s in row.steps if not (isinstance(s, Op) and s.inner)]
        )
        for row in rows
    ]
    parting = _parting(rows[first], rows[second])
    if odd is not None:
        chosen = _deciding(rows, first, second, odd)
        parting = chosen if chosen != (None, None) else parting
    elif outcome.kind == "differs" and (p2p or outcome.what in _OF_CONTENTS):
        parting = None, None
    if (not p2p and outcome.kind not in ("differs", *ALONE)) or (
        outcome.kind == "differs" and outcome.what == "operation"
    ):
        after = _after(rows, first, second, parting)
        if outcome.kind == "stuck" and any(o is not None and o.is_message for o in after):
            # A sender and its receiver part as well, but to meet: it is what comes behind it.
            late = _late_parting(rows[first], rows[second], ours)
            parting, after = (late, (None, None)) if late != (None, None) else (parting, after)
        if parting != (None, None) and after != (None, None) and _site(after[0]) != _site(after[1]):
            ours, theirs = after
    deps: Deps = frozenset()
    for one in parting:
        if one is not None:
            deps |= one.deps
    alike = odd is None and not p2p and outcome.kind == "stuck" and not _unlike_rows(rows)
    if alike and parting == (None, None):
        return None
    op = ours or theirs
    sure = all(o.sure for o in (ours, theirs) if o is not None)
    own_fault = outcome.kind in ("over", "refused")
    if op is not None and not p2p and not own_fault and not isinstance(op.comm, Comm):
        # Who belongs to a communicator of which nothing is known may be just those who are here.
        own = op.comm is not None and f"{RANK}:{op.comm.id}" in deps
        if not own and (
            odd is None or any(d == RANK or d.startswith(RANK + ":") for d in deps) or not deps
        ):
            return None
        sure = sure and own
    elif (
        odd is not None and op is not None and not p2p
        and op.comm is not None and is_unknown(op.comm)
        and RANK in deps and f"{RANK}:{op.comm.id}" not in deps
    ):  # fmt: skip
        return None  # which ranks of the job these are is not known: they may well answer alike
    if outcome.kind == "differs" and not _are_known(ours, theirs, outcome.what):
        sure = False
    # What is not seen may keep two threads apart.
    beside = outcome.kind == "beside"
    if beside or odd is not None or any(d is not None and d.key for d in parting):
        sure = False  # it is decided by what only a run shows
    return Trouble(
        entry,
        world,
        outcome,
        (first, second),
        (ours, theirs),
        parting,
        deps,
        p2p,
        strict,
        sure,
        odd,
    )


def _are_known(ours: Op | None, theirs: Op | None, what: str) -> bool:
    """Whether both values on which two operations do not agree are known, and not only that one
    depends on what ranks have to themselves."""
    values = [dict(op.agreed).get(what) for op in (ours, theirs) if op is not None]
    return all(map(_is_known, values))


def _is_known(value: Value | None) -> bool:
    if isinstance(value, Tup):
        return all(map(_is_known, value.items))
    return value is None or not (isinstance(value, Unknown) and value.deps)


def _deciding(
    rows: list[Row], first: int, second: int, odd: Condition
) -> tuple[Decision | None, Decision | None]:
    """Where the one rank answers the question otherwise."""
    found: list[Decision | None] = []
    for rank in (first, second):
        mine = [s for s in rows[rank].steps if isinstance(s, Decision) and s.key == odd.key]
        found.append(mine[0] if mine else None)
    ours, theirs = found
    if ours is not None and theirs is not None and ours.taken == theirs.taken:
        return None, None
    return ours, theirs


def _late_parting(
    first: Row, second: Row, op: Op | None
) -> tuple[Decision | None, Decision | None]:
    """The last decision before an operation that the other rank has taken otherwise."""
    number = next((i for i, o in enumerate(first.ops) if _site(o) == _site(op)), None)
    theirs: dict[object, Decision] = {}
    for step in second.steps:
        if isinstance(step, Decision):
            theirs.setdefault(step.chain[-1:], step)
    for mine in reversed(_before(first, number) if number is not None else []):
        other = theirs.get(mine.chain[-1:])
        if other is not None and other.taken != mine.taken:
            return mine, other
    return None, None


def _after(
    rows: list[Row], first: int, second: int, parting: tuple[Decision | None, Decision | None]
) -> tuple[Op | None, Op | None]:
    """The first operations of two ranks behind the decision in which they part."""
    before: list[int | None] = []
    for rank, decision in zip((first, second), parting, strict=True):
        steps = rows[rank].steps
        at = next((i for i, step in enumerate(steps) if step is decision), None)
        before.append(
            None if at is None else sum(isinstance(step, Op) for step in steps[:at])
        )  # fmt: skip
    # Of a rank that does not come to it: behind as many operations as the other one.
    ours, theirs = before
    counts = (
        ours if ours is not None else theirs or 0,
        theirs if theirs is not None else ours or 0,
    )
    found: list[Op | None] = []
    for rank, count in zip((first, second), counts, strict=True):
        rest = [o for o in rows[rank].ops[count:] if o.is_message or o.kind == "collective"]
        found.append(rest[0] if rest else None)
    return found[0], found[1]


def _site(op: Op | None) -> object:
    return op.chain if op is not None else None


def _unlike_rows(rows: list[Row]) -> bool:
    return len({tuple((o.name, o.kind) for o in row.ops) for row in rows}) > 1


def _behind(row: Row, op: Op) -> Op:
    """What a wait or the end of a group waits for."""
    if op.kind == "wait":
        for other in row.ops:
            if other.request and other.request in op.waits:
                return msgspec.structs.replace(other, chain=op.chain)
    if op.kind == "close":
        before = row.ops[: row.ops.index(op)]
        for other in reversed(before):
            if other.kind != "open":
                return other
    return op


def _pair(
    rows: list[Row], outcome: Outcome, begun: dict[int, Op], who: int
) -> tuple[int, int, Op | None, Op | None]:
    """Who waits, and for whom: best a collective, with somebody who does not come to it."""
    for rank, holder in sorted(outcome.holders.items()):
        return rank, holder, begun[rank], begun.get(holder)
    members = Play(rows, False).members_of
    for rank, op in sorted(begun.items()):
        if op.kind != "collective":
            continue
        for other in members(op.comm):
            if other == rank or other >= len(rows):
                continue
            theirs = begun.get(other)
            if (
                theirs is None
                or theirs.kind != "collective"
                or theirs.comm is None
                or op.comm is None
                or theirs.comm.id != op.comm.id
            ):
                return rank, other, op, theirs
    rank, op = sorted(begun.items())[0]
    peer = peer_of(op.peer)
    other = (rank + 1) % len(rows)
    if isinstance(peer, int) and 0 <= peer < len(rows):
        other = peer
    return rank, other, op, begun.get(other)


def _parting(first: Row, second: Row) -> tuple[Decision | None, Decision | None]:
    """The first decision in which two ranks go different ways."""
    pairs = zip(first.ops, second.ops, strict=False)
    alike = 0
    for a, b in pairs:
        if a.name != b.name or a.chain[-1:] != b.chain[-1:]:
            break
        alike += 1
    ours, theirs = _between(first, alike), _between(second, alike)
    if [d.taken for d in ours] == [d.taken for d in theirs]:
        ours, theirs = _before(first, alike), _before(second, alike)
    for one, other in zip(ours, theirs, strict=False):
        if one.chain[-1:] != other.chain[-1:]:
            return one, None
        if one.taken != other.taken:
            return one, other
    if len(ours) != len(theirs):
        rest = (ours if len(ours) > len(theirs) else theirs)[min(len(ours), len(theirs))]
        return (rest, None) if len(ours) > len(theirs) else (None, rest)
    return None, None
