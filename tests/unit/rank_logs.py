"""Logs of ranks for tests, from short words.

A word is an operation in the order of issue: ``A4`` an all_reduce of 4 elements on communicator A,
``A4b1`` a broadcast from root 1, ``A>1`` a send to rank 1, ``A<1`` a receive from it (``A>1x8``:
of 8 elements); ``(`` and ``)`` are a group; ``/s`` puts what follows into stream s.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from lockorder.collectives.gather import Gathering
from lockorder.collectives.sequences import compress
from lockorder.model import End, Frame, Issued, Launch, Membership, Operation, RankLog, Steps

_WORD = re.compile(r"([A-Z])(?:([<>])(\d+)(?:x(\d+))?|(\d*)(?:b(\d+))?)")


def log(
    rank: int,
    script: str,
    groups: Mapping[str, Sequence[int]] | None = None,
    *,
    ranks: int = 2,
    end: End = End.CUT,
    forget: int = 0,
) -> RankLog:
    """The log of global *rank*; *groups* are the ranks of each communicator, else all *ranks*.

    *forget* drops so many collectives from the beginning of each communicator.
    """
    operations: list[Operation] = []
    numbers: dict[Operation, int] = {}
    places: dict[Launch, int] = {}
    issued: dict[tuple[str, bool], list[int]] = defaultdict(list)
    launches: list[int] = []
    stream, depth, first = "1", 0, False
    names = set(re.findall("[A-Z]", script)) | {k for k, v in (groups or {}).items() if rank in v}
    members = {name: tuple((groups or {}).get(name, range(ranks))) for name in names}
    for line, word in enumerate(script.split(), 1):
        if word in "()":
            depth += 1 if word == "(" else -1
            first = word == "("
            continue
        if word.startswith("/"):
            stream = word[1:]
            continue
        match = _WORD.fullmatch(word)
        assert match, word
        name, way, peer, size, count, root = match.groups()
        frame = Frame(f"rank{rank}", "train.py", line)
        if way:
            operation = Operation(
                "send" if way == ">" else "recv", int(size or 1), "float32", "",
                members[name].index(int(peer)), (frame,),
            )  # fmt: skip
        elif root:
            operation = Operation("broadcast", int(count or 1), "float32", "", int(root), (frame,))
        else:
            operation = Operation("all_reduce", int(count or 1), "float32", "sum", -1, (frame,))
        if operation not in numbers:
            numbers[operation] = len(operations)
            operations.append(operation)
        issued[name, bool(way)].append(numbers[operation])
        inside = 0 if not depth else 1 if first else 2
        first = False
        place = Launch(name, members[name].index(rank), stream, inside, bool(way))
        launches.append(places.setdefault(place, len(places)))

    def told(name: str, peer: bool) -> Issued:
        symbols = issued[name, peer]
        start = 0 if peer else forget
        steps = Steps(compress(symbols[start:]).tokens, start + 1)
        return Issued(name, members[name].index(rank), steps, len(symbols))

    return RankLog(
        who=f"rank {rank}", rank=rank, end=end,
        memberships=tuple(
            Membership(n, f"group {n}", len(m), m.index(rank), m)
            for n, m in sorted(members.items())
            if rank in m
        ),
        operations=tuple(operations),
        collectives=tuple(told(n, False) for n, m in sorted(members.items()) if rank in m),
        peers=tuple(told(n, True) for n, m in sorted(members.items()) if rank in m),
        places=tuple(places), launches=compress(launches),
    )  # fmt: skip


def gathered(*logs: RankLog, split: int = 1) -> Gathering:
    """What *logs* say together, put together in *split* parts."""
    whole = Gathering()
    size = -(-len(logs) // split)
    for begin in range(0, len(logs), size):
        part = Gathering()
        for one in logs[begin : begin + size]:
            part.add(one)
        whole.take(part)
    return whole
