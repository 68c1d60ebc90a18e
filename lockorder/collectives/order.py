"""Orders of issue, over all communicators and ranks, that can deadlock.

The program is played: a rank's operations begin in the order in which they were issued, one after
the other in a stream, those of one group of calls together; an operation is over when all its ranks
have begun it.  What cannot be played to its end is stuck, and if it is stuck in a circle, nobody
came late: the orders contradict each other.  It is played twice: with the streams as they were, and
with all of a device's operations in one line, since kernels of two communicators need not fit on a
device side by side (NCCL User Guide, "Using multiple NCCL communicators concurrently").

Operations at and behind a communicator's divergence are left out: that story is told already.
Of runs too long to be played, each rank's first and last operations are, a window each: what a loop
does out of order it does in its first round, and what hangs is at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator

import msgspec

from lockorder.collectives.gather import Gathering
from lockorder.collectives.peers import SEND
from lockorder.collectives.sequences import symbols_of
from lockorder.model import Issued, Operation, RankLog

#: A collective: communicator and number; a message: communicator, sender, receiver, number.
Node = tuple[str, int] | tuple[str, int, int, int]
#: Operations of all ranks that are played at most at once, and of one rank at least.
MOST, LEAST = 500_000, 256

#: A line of units that wait for one another: the log's number and the device's or stream's name.
Queue = tuple[int, str]


class Part(msgspec.Struct, frozen=True):
    """One rank's part in a circle: it is in *waits*, and *holds up* stands behind that."""

    log: int
    stream: str
    waits: Operation
    waits_on: str
    waits_number: int
    holds_up: Operation
    holds_up_on: str
    holds_up_number: int


class OrderCycle(msgspec.Struct, frozen=True):
    """Ranks each of which is in an operation that the next one only gets to afterwards.

    ``certain``: in one stream each; else only if a device does not run both at once.
    ``messages``: only sends and receives are in it.
    """

    parts: tuple[Part, ...]
    certain: bool
    messages: bool


class _Step(msgspec.Struct, frozen=True):
    """One operation in its place."""

    node: Node
    operation: Operation
    communicator: str
    number: int


class _Unit(msgspec.Struct):
    """What begins together: one operation, or a group of calls."""

    steps: list[_Step]
    stream: str
    device: str
    nodes: list[int] = msgspec.field(default_factory=list)


def order_cycles(gathering: Gathering, limits: dict[str, int]) -> Iterator[OrderCycle]:
    """Circles among the orders of issue; one for each communicator that is in one.

    *limits* says from which number on a communicator's collectives do not count, and 0 for one
    whose messages do not, by its key and by its key with a ``/``.
    """
    told: set[frozenset[str]] = set()
    missing = _behind(gathering)
    # Where one rank alone is known, its collectives wait for nobody.
    alone = {key for key, totals in missing.items() if len(totals) == 1}
    lengths = [log.launches.known for log in gathering.logs]
    share = max(LEAST, MOST // max(1, len(lengths)))
    whole = sum(lengths) <= MOST
    for last in (False,) if whole else (False, True):
        logs = []
        for log, length in zip(gathering.logs, lengths, strict=True):
            begin = max(0, length - share) if last else 0
            window = (begin, length if whole else min(length, begin + share))
            logs.append(_units(log, limits, window, alone))
        board = _Board(logs, missing)
        for certain in (True, False):
            queues: dict[Queue, list[_Unit]] = defaultdict(list)
            for number, units in enumerate(logs):
                for unit in units:
                    queues[number, unit.stream if certain else unit.device].append(unit)
            for cycle in _play(queues, board, certain):
                about = frozenset(c for p in cycle.parts for c in (p.waits_on, p.holds_up_on))
                if about not in told:
                    told.add(about)
                    yield cycle


# -- what each rank issued ------------------------------------------------------------------------


def _units(
    log: RankLog, limits: dict[str, int], window: tuple[int, int], alone: Collection[str]
) -> list[_Unit]:
    """The operations of a log from *window*[0] to before *window*[1] as units, in order.

    Not those that are not known, nor the collectives of communicators that are *alone*.
    """
    counted: dict[tuple[str, int, bool], _Counted] = {}
    for peer, all_issued in ((False, log.collectives), (True, log.peers)):
        for issued in all_issued:
            if not issued.steps.known or (not peer and issued.communicator in alone):
                continue
            counted[issued.communicator, issued.rank, peer] = _Counted(issued, log, peer)
    if not counted:
        return []
    launches = symbols_of(log.launches, window[1])
    at = [counted.get((p.communicator, p.rank, p.peer)) for p in log.places]
    devices = _devices(log)
    # A log that has forgotten its beginning is known to its end; of one that is known to both it
    # is counted from the nearer.
    whole = window[1] == sum(i.total for i in (*log.collectives, *log.peers))
    backwards = log.launches.first > 1 or (whole and window[0] > window[1] // 2)
    passed = launches[window[0] :] if backwards else launches[: window[0]]
    for symbol, times in Counter(passed).items():
        there = at[symbol]
        if there is not None:
            there.passed += times
    for there in counted.values():
        there.begin(backwards)
    units: list[_Unit] = []
    group: dict[str, _Unit] = {}  # the present one's, by device
    for symbol in launches[window[0] : window[1]]:
        place, there = log.places[symbol], at[symbol]
        step = there.step(limits) if there is not None else None
        if step is None:
            continue
        device = devices[place.communicator, place.rank]
        if place.group != 2:
            group.clear()
        if device in group:
            group[device].steps.append(step)
            continue
        units.append(_Unit([step], f"{device}/{place.stream}", device))
        if place.group:
            group[device] = units[-1]
    return units


class _Counted:
    """A rank's operations on a communicator, counted as they come by."""

    def __init__(self, issued: Issued, log: RankLog, peer: bool) -> None:
        self.issued = issued
        self.peer = peer
        self.operations = log.operations
        self.symbols = symbols_of(issued.steps)
        self.next = 1
        self.passed = 0
        self.pairs: Counter[tuple[int, int]] = Counter()

    def begin(self, backwards: bool) -> None:
        """Those passed are before the window, or, *backwards*, in it and behind it."""
        self.next = self.issued.total - self.passed + 1 if backwards else self.passed + 1
        if self.peer:
            for symbol, times in Counter(self.symbols[: self.next - 1]).items():
                self.pairs[self._pair(self.operations[symbol])] += times

    def _pair(self, operation: Operation) -> tuple[int, int]:
        mine, other = self.issued.rank, operation.root
        return (mine, other) if operation.name == SEND else (other, mine)

    def step(self, limits: dict[str, int]) -> _Step | None:
        number, communicator = self.next, self.issued.communicator
        self.next += 1
        index = number - self.issued.steps.first
        if not 0 <= index < len(self.symbols):
            return None
        operation = self.operations[self.symbols[index]]
        if not self.peer:
            if number >= limits.get(communicator, number + 1):
                return None
            return _Step((communicator, number), operation, communicator, number)
        # Messages are numbered by pairs, which takes all of them.
        if self.issued.steps.first > 1 or f"{communicator}/" in limits:
            return None
        pair = self._pair(operation)
        self.pairs[pair] += 1
        return _Step((communicator, *pair, self.pairs[pair]), operation, communicator, number)


def _devices(log: RankLog) -> dict[tuple[str, int], str]:
    """The device of each of a process' memberships: one, unless it has several ranks of something.

    Which communicators share a device then shows in the streams that they share.
    """
    memberships = {(place.communicator, place.rank) for place in log.places}
    if len({key for key, _ in memberships}) == len(memberships):
        return dict.fromkeys(memberships, "")
    group = {m: m for m in memberships}

    def root(member: tuple[str, int]) -> tuple[str, int]:
        while group[member] != member:
            member = group[member]
        return member

    streams: dict[str, tuple[str, int]] = {}
    for place in log.places:
        member = (place.communicator, place.rank)
        if place.stream and place.stream in streams:
            group[root(member)] = root(streams[place.stream])
        elif place.stream:
            streams[place.stream] = member
    return {m: "{}#{}".format(*root(m)) for m in memberships}


def _behind(gathering: Gathering) -> dict[str, list[int]]:
    """How many operations each rank of a communicator issued in all."""
    found: dict[str, list[int]] = {}
    for key, there in gathering.communicators.items():
        found[key] = [v.total for v in there.variants.values() for _ in v.ranks]
    return found


# -- playing --------------------------------------------------------------------------------------


class _Board:
    """The nodes by numbers, and how many have to come to each: the same for every game."""

    def __init__(self, logs: list[list[_Unit]], behind: dict[str, list[int]]) -> None:
        numbers: dict[Node, int] = {}
        self.expected: list[int] = []
        for units in logs:
            for unit in units:
                for step in unit.steps:
                    number = numbers.setdefault(step.node, len(numbers))
                    if number == len(self.expected):
                        self.expected.append(0)
                    self.expected[number] += 1
                    unit.nodes.append(number)
        for node, number in numbers.items():
            if len(node) == 4:
                self.expected[number] = 2  # a message has two ends
                continue
            late = behind.get(node[0], ())
            if any(total < node[1] for total in late):
                self.expected[number] += sum(total < node[1] for total in late)


class _Game:
    def __init__(self, queues: dict[Queue, list[_Unit]], board: _Board) -> None:
        self.queues = queues
        self.at = dict.fromkeys(queues, 0)
        self.expected = board.expected
        self.begun: dict[int, list[Queue]] = {}
        self.open: dict[Queue, int] = {}

    def play(self) -> None:
        ready = deque(self.queues)
        queues, at, begun, still = self.queues, self.at, self.begun, self.open
        while ready:
            queue = ready.popleft()
            units = queues[queue]
            if at[queue] == len(units):
                continue
            nodes = units[at[queue]].nodes
            still[queue] = len(nodes)
            for node in nodes:
                here = begun.get(node)
                if here is None:
                    here = begun[node] = []
                here.append(queue)
                if len(here) == self.expected[node]:
                    for waiting in begun.pop(node):
                        still[waiting] -= 1
                        if still[waiting] == 0:
                            at[waiting] += 1
                            ready.append(waiting)

    def stuck(self) -> Iterator[tuple[Queue, _Unit]]:
        for queue, units in self.queues.items():
            if self.at[queue] < len(units):
                yield queue, units[self.at[queue]]


def _play(queues: dict[Queue, list[_Unit]], board: _Board, certain: bool) -> Iterator[OrderCycle]:
    game = _Game(queues, board)
    game.play()
    waiting: dict[int, list[tuple[Queue, _Step]]] = defaultdict(list)
    for queue, unit in game.stuck():
        for node, step in zip(unit.nodes, unit.steps, strict=True):
            if queue in game.begun.get(node, ()):
                waiting[node].append((queue, step))
    if not waiting:
        return
    # Who stands before whom: the queue that has such an operation further back.
    edges: dict[Queue, list[tuple[Queue, _Step, _Step]]] = defaultdict(list)
    for queue in queues:
        seen: set[int] = set()
        for unit in queues[queue][game.at[queue] + 1 :]:
            for node, step in zip(unit.nodes, unit.steps, strict=True):
                if node in waiting and node not in seen:
                    seen.add(node)
                    for other, theirs in waiting[node]:
                        edges[other].append((queue, theirs, step))
    for circle in _circles(edges):
        yield _told(game, circle, certain)


def _circles(
    edges: dict[Queue, list[tuple[Queue, _Step, _Step]]],
) -> Iterator[list[tuple[Queue, _Step, Queue, _Step]]]:
    """A shortest circle through each queue that is in one and in none before."""
    done: set[Queue] = set()
    for start in sorted(edges):
        if start in done:
            continue
        came: dict[Queue, tuple[Queue, _Step, _Step]] = {}
        ready = deque([start])
        while ready and start not in came:
            here = ready.popleft()
            for to, waits, stands in edges.get(here, ()):
                if to not in came:
                    came[to] = (here, waits, stands)
                    ready.append(to)
        if start not in came:
            continue
        circle: list[tuple[Queue, _Step, Queue, _Step]] = []
        at = start
        while True:
            before, waits, stands = came[at]
            circle.append((before, waits, at, stands))
            at = before
            if at == start:
                break
        done.update(queue for queue, _, _, _ in circle)
        yield circle[::-1]


def _told(
    game: _Game, circle: list[tuple[Queue, _Step, Queue, _Step]], certain: bool
) -> OrderCycle:
    """Each one's operation, and the one behind it that the one before waits for."""
    parts = []
    for place, (queue, waits, _, _) in enumerate(circle):
        stands = circle[place - 1][3]
        parts.append(
            Part(
                queue[0], game.queues[queue][game.at[queue]].stream,
                waits.operation, waits.communicator, waits.number,
                stands.operation, stands.communicator, stands.number,
            )
        )  # fmt: skip
    return OrderCycle(tuple(parts), certain, all(map(_is_message, _steps(circle))))


def _steps(circle: Iterable[tuple[Queue, _Step, Queue, _Step]]) -> Iterator[_Step]:
    for _, waits, _, stands in circle:
        yield waits
        yield stands


def _is_message(step: _Step) -> bool:
    return len(step.node) == 4
