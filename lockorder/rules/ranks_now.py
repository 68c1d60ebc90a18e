"""Where each rank of a hung job is: in which operation for others, at which line of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence

import msgspec

from lockorder import meaning
from lockorder.model import Frame
from lockorder.rules import job_words as words
from lockorder.waitgraph import Node, WaitGraph

#: Keys of a store that are told.
_SHOWN = 3


class RankAt(msgspec.Struct, frozen=True):
    """A rank by its main thread; ``operation`` is what it waits in for others, "": in nothing.

    ``gpu``: it waits for the device, and so for others only if a collective is on it.
    """

    rank: int
    node: Node
    operation: str = ""
    gpu: bool = False

    #: Where it parts from the others, on the way to its innermost line; None: in no line alone.
    parts: Frame | None = None

    @property
    def line(self) -> str:
        """The program's own line, ``train.py:88``; "" where it is not known."""
        return words.place(self.parts or self.node.thread.line)

    @property
    def own(self) -> tuple[Frame, ...]:
        """The program's own frames, outermost first."""
        chain = self.node.thread.chain
        return tuple(f for f in chain if meaning.is_own(f)) or chain

    @property
    def at(self) -> str:
        """The operation with its partner, and the line."""
        whom = f" {'to' if self.sends else 'from'} rank {self.peer}" if self.peer >= 0 else ""
        return self._at(whom)

    @property
    def shared(self) -> str:
        """The same for several ranks at one place, each of which may have another partner."""
        return self._at("")

    def _at(self, whom: str) -> str:
        where = f" at {self.line}" if self.line else ""
        inner = words.place(self.node.thread.line)
        if inner and inner != self.line:
            where += f" (in {inner})"
        elif len(self.own) > 1 and self.own[-2].function != "<module>":
            # a wrapper around a collective says little
            where += f", called at {words.place(self.own[-2])}"
        if self.key:
            return f"a wait for the key {self.key} of the store ({self.operation}){where}"
        return f"{self.operation or 'a wait for other ranks'}{whom}{where}"

    @property
    def peer(self) -> int:
        """The rank that it sends to or receives from; -1: none that is known."""
        return self.node.wait.peer if self.operation and self.node.wait is not None else -1

    @property
    def key(self) -> str:
        """The key of a store that it waits for; "": none that is known."""
        return self.node.wait.key if self.operation and self.node.wait is not None else ""

    @property
    def group(self) -> str:
        """The name of the process group that its collective is of; "": none that is known."""
        return self.node.wait.group if self.operation and self.node.wait is not None else ""

    @property
    def members(self) -> tuple[int, ...]:
        """The ranks of that group; empty: not known."""
        return self.node.wait.members if self.group and self.node.wait is not None else ()

    @property
    def sends(self) -> bool:
        """Whether it sends to another rank."""
        return self.operation.lower().startswith(("send", "isend"))


def parted(found: Mapping[int, RankAt]) -> dict[int, RankAt]:
    """*found*, with the frame at which each parts from the others.

    A wrapper around a collective is one line for all of them: who calls it says more.
    """
    chains = [at.own for at in found.values()]
    common = 0
    while all(len(c) > common for c in chains) and len({_where(c[common]) for c in chains}) == 1:
        common += 1
    return {
        rank: msgspec.structs.replace(at, parts=at.own[common]) if common < len(at.own) else at
        for rank, at in found.items()
    }


def _where(frame: Frame) -> tuple[str, int]:
    return frame.file, frame.line


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
        same = chain[-1].process is main.process
        if same and len(chain) > 1 and last is not None and last.kind == "ranks":
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


def _by(of: Callable[[RankAt], str], found: Mapping[int, RankAt]) -> dict[str, list[int]]:
    """Ranks by what *of* says of each; those of which it says nothing are left out."""
    groups: dict[str, list[int]] = defaultdict(list)
    for rank, at in found.items():
        if of(at):
            groups[of(at)].append(rank)
    return groups


def are_crossed(found: Mapping[int, RankAt]) -> bool:
    """Whether a rank waits in one group while a member of that group waits in another."""
    return any(
        found[member].group not in ("", at.group)
        for at in found.values()
        for member in at.members
        if member in found
    )


def group_story(found: Mapping[int, RankAt]) -> str:
    """Who waits in which group, those that wait in the same one together."""
    said = []
    groups = _by(lambda at: at.group, found)
    for group, ranks in groups.items():
        members = words.ranks(found[ranks[0]].members)
        whose = f" (of {members})" if members else ""
        said.append(f"{words.ranks(ranks)} in group {group}{whose}")
    more = f" and {len(said) - _SHOWN} more groups" if len(said) > _SHOWN else ""
    return ", ".join(said[:_SHOWN]) + more


def key_story(waiting: Mapping[int, RankAt]) -> str:
    """Who waits for which keys of a store, and where."""
    by_key = _by(lambda at: at.key, waiting)
    said = [
        f"{words.ranks(ranks)} {'waits' if len(ranks) == 1 else 'wait'} for the key {key} of the "
        f"store, which nobody has set, in {waiting[ranks[0]].operation} at {waiting[ranks[0]].line}"
        for key, ranks in list(by_key.items())[:_SHOWN]
    ]
    more = f"; and {len(by_key) - _SHOWN} more keys" if len(by_key) > _SHOWN else ""
    return "; ".join(said) + more
