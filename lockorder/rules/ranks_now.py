"""Where each rank of a hung job is: in which operation for others, at which line of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from lockorder.rules import job_words as words
from lockorder.waitgraph import Node, WaitGraph


class RankAt(msgspec.Struct, frozen=True):
    """A rank by its main thread; ``operation`` is what it waits in for others, "": in nothing.

    ``gpu``: it waits for the device, and so for others only if a collective is on it.
    """

    rank: int
    node: Node
    operation: str = ""
    gpu: bool = False

    @property
    def line(self) -> str:
        """The program's own line, ``train.py:88``; "" where it is not known."""
        return words.place(self.node.thread.line)

    @property
    def at(self) -> str:
        """The operation and the line."""
        where = f" at {self.line}" if self.line else ""
        return f"{self.operation or 'a wait for other ranks'}{where}"


def ranks_at(graph: WaitGraph) -> dict[int, RankAt]:
    """All ranks whose processes were looked at; of two processes of a rank the one for itself."""
    found: dict[int, RankAt] = {}
    for process in graph.processes:
        main = graph.main(process)
        if process.rank < 0 or process.role == "worker" or main is None:
            continue
        if process.rank in found:
            continue
        found[process.rank] = _of(process.rank, main, graph)
    return dict(sorted(found.items()))


def _of(rank: int, main: Node, graph: WaitGraph) -> RankAt:
    wait = main.wait
    if wait is None or wait.kind not in ("ranks", "gpu"):
        # A program may leave communication to a thread of its own, and join it.
        chain = graph.chain(main)
        last = chain[-1].wait
        if len(chain) > 1 and last is not None and last.kind == "ranks":
            return RankAt(rank, chain[-1], last.lock)
        return RankAt(rank, main)
    if wait.kind == "gpu":
        return RankAt(rank, main, gpu=True)
    return RankAt(rank, main, wait.lock or main.thread.operation)


def by_place(found: Mapping[int, RankAt]) -> dict[tuple[str, str], list[int]]:
    """Ranks by the operation that they wait in and their line, those that most are in first."""
    places: dict[tuple[str, str], list[int]] = defaultdict(list)
    for rank, at in found.items():
        places[at.operation, at.line].append(rank)
    return dict(sorted(places.items(), key=lambda item: (-len(item[1]), item[1])))


def odd(groups: Sequence[Sequence[int]]) -> list[int]:
    """The ranks of the smaller groups, where one group has more than half of all."""
    sizes = Counter({at: len(group) for at, group in enumerate(groups)})
    total = sum(sizes.values())
    most, size = sizes.most_common(1)[0]
    if 2 * size <= total:
        return []
    return sorted(rank for at, group in enumerate(groups) if at != most for rank in group)
