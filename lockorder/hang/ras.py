"""What NCCL's RAS service says of a job's communicators: who is behind, in what, who is missing.

From NCCL 2.24 on each process listens, and any of them answers for the whole job (NCCL User Guide,
"RAS"; src/ras/client_support.cc).  All versions answer in text; newer ones in JSON too, which has
every rank's counts and not only those that differ.  A count is of operations that were *launched*:
ranks of one communicator that do not agree on it for long are not in the same collective.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

_VERSION = re.compile(r"NCCL version (\d+(?:\.\d+)+)")
_COMMUNICATOR = re.compile(r"#\d+-\d+ \(([0-9a-f]+)\) (INCOMPLETE|ERROR|MISMATCH|TIMEOUT)")
_OPERATIONS = re.compile(r"\s+Communicator ranks have different (?:(\w+) )?operation counts")
_MANY = re.compile(
    r"\s+(\d+) ranks have (?:launched up to operation (\d+)|not launched any operations)"
)
_ONE = re.compile(
    r"\s+Rank (\d+) has (?:launched up to operation (\d+)|not launched any operations)"
)
_LISTED = re.compile(r"\s+Rank (\d+) -- ")
_PROCESS = re.compile(r"managed by process (\d+) on node (\S+)")
_STATUS = re.compile(r"\s+Rank (\d+) has status (\w+)")
_REPORTED = re.compile(r"\s+Rank (\d+) reported (.+?)(?: -- .*)?$")
#: Headings of lists of processes.
_PARTS = ("INCOMPLETE", "DEAD", "TIMEOUT")
_GONE = re.compile(r"\s+Process (\d+) on node (\S+) managing GPUs? (\S+)")


class Side(msgspec.Struct, frozen=True):
    """Ranks of a communicator that launched ``count`` operations of one kind.

    ``ranks`` are those that the answer names, in the communicator's numbering; ``number`` is how
    many they are in all.
    """

    count: int
    number: int
    ranks: tuple[int, ...] = ()


class Difference(msgspec.Struct, frozen=True):
    """An operation that not all ranks of a communicator launched equally often, most ranks first.

    ``operation`` is NCCL's name (``AllReduce``); "": the version does not say which.
    """

    communicator: str
    operation: str
    sides: tuple[Side, ...]

    @property
    def ahead(self) -> tuple[int, ...]:
        """Ranks that launched more than any other did."""
        return max(self.sides, key=lambda s: s.count).ranks

    @property
    def behind(self) -> tuple[int, ...]:
        """Ranks that launched fewer than any other did."""
        return min(self.sides, key=lambda s: s.count).ranks


class Missing(msgspec.Struct, frozen=True):
    """A process that does not answer; ``dead``: NCCL has given it up.  ``rank`` -1: not said."""

    pid: int
    host: str
    rank: int = -1
    communicator: str = ""
    dead: bool = False


class Failure(msgspec.Struct, frozen=True):
    """What NCCL reports of one rank: an error, or a state that others are not in."""

    communicator: str
    rank: int
    what: str


class Answer(msgspec.Struct, frozen=True):
    """All that one answer says.

    ``counts`` are launched operations by communicator, rank and kind, where the answer has them
    all.  ``processes`` are process ids by communicator and rank, as far as they are said.
    """

    version: str = ""
    differences: tuple[Difference, ...] = ()
    missing: tuple[Missing, ...] = ()
    failures: tuple[Failure, ...] = ()
    counts: dict[str, dict[int, dict[str, int]]] = {}
    processes: dict[tuple[str, int], tuple[str, int]] = {}

    def __bool__(self) -> bool:
        return bool(self.version)


def of_text(lines: Sequence[str]) -> Answer:
    """The answer to ``verbose status``.  Lines that no version is known to say are passed over."""
    version = next((m[1] for line in lines if (m := _VERSION.search(line))), "")
    reader = _Reader()
    for line in lines:
        reader.take(line)
    reader.begin()
    return Answer(
        version, tuple(reader.differences), tuple(reader.missing), tuple(reader.failures),
        processes=reader.processes,
    )  # fmt: skip


class _Reader:
    """Takes in an answer line by line; what a line says depends on the heading above it."""

    def __init__(self) -> None:
        self.differences: list[Difference] = []
        self.missing: list[Missing] = []
        self.failures: list[Failure] = []
        self.processes: dict[tuple[str, int], tuple[str, int]] = {}
        self._communicator, self._part = "", ""
        self._operation: str | None = None
        self._sides: list[Side] = []

    def begin(self, communicator: str = "", part: str = "", operation: str | None = None) -> None:
        """A heading ends what was before it."""
        if self._operation is not None and len(self._sides) > 1:
            sides = tuple(self._sides)
            self.differences.append(Difference(self._communicator, self._operation, sides))
        self._communicator, self._part, self._operation = communicator, part, operation
        self._sides = []

    def take(self, line: str) -> None:
        head, operations = _COMMUNICATOR.match(line), _OPERATIONS.match(line)
        if head is not None:
            self.begin(head[1], head[2])
        elif line.strip() in _PARTS:
            self.begin(part=line.strip())
        elif operations is not None:
            self.begin(self._communicator, self._part, operations[1] or "")
        else:
            self._rank(line)

    def _rank(self, line: str) -> None:
        where = _PROCESS.search(line)
        rank = _ONE.match(line) or _LISTED.match(line) or _STATUS.match(line)
        gone = _GONE.match(line)
        if where is not None and rank is not None and self._communicator:
            self.processes[self._communicator, int(rank[1])] = (where[2], int(where[1]))
        if self._operation is not None:
            _side(line, self._sides)
        elif gone is not None and not self._communicator:
            dead = self._part == "DEAD"
            self.missing.append(Missing(int(gone[1]), gone[2], dead=dead))
        elif self._part == "INCOMPLETE" and where is not None and rank is not None:
            self.missing.append(Missing(int(where[1]), where[2], int(rank[1]), self._communicator))
        else:
            failed = _REPORTED.match(line) or _STATUS.match(line)
            if failed is not None and self._communicator:
                self.failures.append(Failure(self._communicator, int(failed[1]), failed[2]))


def _side(line: str, sides: list[Side]) -> None:
    """Take in a line about how much ranks launched; a list of ranks belongs to the line before."""
    many, one, listed = _MANY.match(line), _ONE.match(line), _LISTED.match(line)
    if many is not None:
        sides.append(Side(int(many[2] or 0), int(many[1])))
    elif one is not None:
        sides.append(Side(int(one[2] or 0), 1, (int(one[1]),)))
    elif listed is not None and sides:
        last = sides[-1]
        sides[-1] = Side(last.count, last.number, (*last.ranks, int(listed[1])))


class _Status(msgspec.Struct):
    async_error: int = 0
    abort_flag: bool = False
    unresponsive: bool = False
    considered_dead: bool = False


class _Rank(msgspec.Struct):
    rank: int
    host: str = ""
    pid: int = 0
    status: _Status = msgspec.field(default_factory=_Status)
    collective_counts: dict[str, int] = {}


class _Communicator(msgspec.Struct):
    hash: str
    ranks: list[_Rank] = []
    missing_ranks: list[_Rank] = []


class _Document(msgspec.Struct):
    nccl_version: str
    communicators: list[_Communicator] = []


def of_json(text: bytes) -> Answer:
    """The answer to ``set format json`` and ``verbose status``; empty where it is none."""
    at = text.find(b"{")
    try:
        document = msgspec.json.decode(text[at:].strip(), type=_Document) if at >= 0 else None
    except (msgspec.DecodeError, RecursionError):
        document = None
    if document is None:
        return Answer()
    counts = {
        _name(c.hash): {r.rank: r.collective_counts for r in c.ranks}
        for c in document.communicators
    }
    everybody = [(c, r) for c in document.communicators for r in (*c.ranks, *c.missing_ranks)]
    return Answer(
        document.nccl_version,
        tuple(_differences(counts)),
        tuple(
            Missing(r.pid, r.host, r.rank, _name(c.hash), r.status.considered_dead)
            for c in document.communicators
            for r in c.missing_ranks
        ),
        tuple(
            Failure(_name(c.hash), r.rank, f"asynchronous error {r.status.async_error}")
            for c in document.communicators
            for r in c.ranks
            if r.status.async_error
        ),
        counts,
        {(_name(c.hash), r.rank): (r.host, r.pid) for c, r in everybody},
    )


def _name(hash_: str) -> str:
    """A communicator's hash as the text writes it."""
    return hash_.removeprefix("0x").rjust(16, "0")


def _differences(counts: dict[str, dict[int, dict[str, int]]]) -> Iterator[Difference]:
    for communicator, ranks in counts.items():
        for operation in _operations(ranks.values()):
            launched = {rank: each.get(operation, 0) for rank, each in ranks.items()}
            often = Counter(launched.values())
            if len(often) > 1:
                yield Difference(
                    communicator, operation,
                    tuple(
                        Side(n, number, tuple(sorted(r for r in launched if launched[r] == n)))
                        for n, number in sorted(often.items(), key=lambda x: (-x[1], -x[0]))
                    ),
                )  # fmt: skip


def _operations(ranks: Iterable[dict[str, int]]) -> list[str]:
    return list(dict.fromkeys(name for each in ranks for name in each))


def lasting(first: Answer, second: Answer) -> tuple[Difference, ...]:
    """What ranks disagree on in both of two answers, with nothing launched between.

    Ranks of a job that moves disagree at any moment: one is asked before the other.
    """
    return tuple(d for d in first.differences if d in second.differences)
