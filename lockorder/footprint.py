"""What communicators cost a process, and how that grows with their number.

The recorded side measures (``lockorder/recorded/footprint.py``), the rule judges; here is what both
speak of.  All amounts are in bytes, but for threads and descriptors, and are means where several
communicators were made by one call, so they need not be whole.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from lockorder.knowledge import builtin
from lockorder.knowledge.schema import Setting
from lockorder.model import Frame

#: The parts of a cost that are memory, with how people call them.
MEMORY = {"host": "host", "pinned": "pinned", "shared": "shared", "device": "device"}
#: Communicators of a rank that a cost is projected to, where nobody says another number.
COMMUNICATORS = 64


class Cost(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a process has more than before.

    ``host`` is memory of its own, ``pinned`` what the GPU can reach as well, ``shared`` segments
    in /dev/shm and the like, ``device`` memory of the GPU; then threads, and open descriptors.
    """

    host: float = 0
    pinned: float = 0
    shared: float = 0
    device: float = 0
    threads: float = 0
    files: float = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(*(a + b for a, b in zip(self.values(), other.values(), strict=True)))

    def over(self, parts: float) -> Cost:
        """One of *parts* equal parts."""
        return Cost(*(a / parts for a in self.values()))

    def values(self) -> tuple[float, ...]:
        """All amounts, in the order of the fields."""
        return (self.host, self.pinned, self.shared, self.device, self.threads, self.files)

    @property
    def machine(self) -> float:
        """Memory of the machine that no other process shares."""
        return self.host + self.pinned


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """Bytes as ``base + each * communicators + per_rank * (their ranks, added up)``.

    ``fit`` is the share of the variance that the line explains (the coefficient of determination),
    from 1 down; ``points`` is how many communicators it was made of.  One point has no base.
    """

    base: float = 0
    each: float = 0
    per_rank: float = 0
    fit: float = 1
    points: int = 0

    def at(self, communicators: float, ranks: float) -> float:
        """The bytes of so many communicators with *ranks* ranks each."""
        return self.base + self.each * communicators + self.per_rank * ranks * communicators


class SiteCost(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What the communicators that were made at one place cost one process.

    ``making`` and ``using`` (their first operations) are of all ``made`` of them together.
    ``disturbed`` of the measurements overlapped with others of the same process; ``unfinished``
    communicators were being made when the trace ended, ``pending`` when their call returned.
    """

    call: str
    chain: tuple[Frame, ...]
    made: int = 0
    fewest_ranks: int = -1
    most_ranks: int = -1
    mean_ranks: float = 0
    making: Cost = Cost()
    using: Cost = Cost()
    lines: dict[str, Line] = {}
    disturbed: int = 0
    unfinished: int = 0
    pending: int = 0

    @property
    def key(self) -> tuple[str, Frame]:
        """What is one place in all processes."""
        return self.call, self.chain[-1]

    @property
    def total(self) -> Cost:
        """Of all of them, used or not."""
        return self.making + self.using

    def projected(self, communicators: int) -> Cost:
        """What *communicators* of the same kind would cost, at least what was seen."""
        if communicators <= self.made or not self.made:
            return self.total
        seen = self.total
        values = {
            name: max(getattr(seen, name), line.at(communicators, self.mean_ranks))
            for name, line in self.lines.items()
        }
        times = communicators / self.made
        return Cost(**values, threads=seen.threads * times, files=seen.files * times)


class ProcessCost(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A process that made communicators, and what decides over their cost there.

    ``version`` is NCCL's own number; ``memory`` what the process may hope for; ``shm`` the size of
    /dev/shm.  0: not known.
    """

    rank: int
    host: str
    pid: int
    sites: tuple[SiteCost, ...]
    version: int = 0
    memory: int = 0
    shm: int = 0
    settings: dict[str, str] = {}

    @property
    def total(self) -> Cost:
        """Of all its communicators."""
        return sum((s.total for s in self.sites), Cost())

    @property
    def who(self) -> str:
        """The process for people."""
        return f"rank {self.rank}" if self.rank >= 0 else f"process {self.pid}"


class Budget(msgspec.Struct, frozen=True):
    """Where a cost becomes a warning, and what multiplies it.

    ``limit_mib`` is of a rank (0: a quarter of the machine's memory, over its ranks), and held
    against what was seen and against what ``communicators`` a rank would cost.
    """

    limit_mib: int = 0
    communicators: int = COMMUNICATORS
    settings: dict[str, Setting] = msgspec.field(default_factory=lambda: builtin().settings)


class Footprints(msgspec.Struct, frozen=True):
    """All processes that made communicators, and what they may cost."""

    processes: tuple[ProcessCost, ...]
    budget: Budget


class StaticCreation(msgspec.Struct, frozen=True):
    """Sources that make communicators in a loop: ``call`` at the end of *chain*."""

    call: str
    chain: tuple[Frame, ...]


class StaticSetting(msgspec.Struct, frozen=True):
    """Sources that set an environment variable to a value that is written there."""

    name: str
    value: str
    setting: Setting
    chain: tuple[Frame, ...]


def fit(communicators: Iterable[tuple[int, float]]) -> Line:
    """The line through what communicators cost (ranks, bytes), in the order of their making.

    Ordinary least squares of the sums so far against the number of communicators so far and, where
    they differ in ranks, their ranks so far: the first one pays for what all share, which is the
    line's base.
    """
    counts: list[float] = []
    ranks: list[float] = []
    sums: list[float] = []
    for number, (size, cost) in enumerate(communicators, 1):
        counts.append(number)
        ranks.append((ranks[-1] if ranks else 0) + max(size, 0))
        sums.append((sums[-1] if sums else 0) + cost)
    if len(sums) < 2:
        return Line(each=sums[0] if sums else 0, points=len(sums))
    means = _mean(counts), _mean(ranks), _mean(sums)
    kk, rr = _moment(counts, counts), _moment(ranks, ranks)
    kr, ky, ry = _moment(counts, ranks), _moment(counts, sums), _moment(ranks, sums)
    determinant = kk * rr - kr * kr
    each, per_rank = ky / kk, 0.0
    # Communicators of one size say nothing of ranks, nor do three of them of two unknowns.
    if len(sums) > 3 and determinant > 1e-6 * kk * rr:
        each = (ky * rr - ry * kr) / determinant
        per_rank = (ry * kk - ky * kr) / determinant
    base = means[2] - each * means[0] - per_rank * means[1]
    line = Line(base, each, per_rank, points=len(sums))
    left = math.fsum(
        (y - base - each * k - per_rank * r) ** 2
        for k, r, y in zip(counts, ranks, sums, strict=True)
    )
    yy = _moment(sums, sums)
    return msgspec.structs.replace(line, fit=1 - left / yy if yy > 0 else 1)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _moment(a: Sequence[float], b: Sequence[float]) -> float:
    mean_a, mean_b = _mean(a), _mean(b)
    return math.fsum((x - mean_a) * (y - mean_b) for x, y in zip(a, b, strict=True))


def size(amount: float) -> str:
    """Bytes as people say them: ``0``, ``340 KiB``, ``1.5 MiB``, ``2.0 GiB``."""
    if amount < 1024 / 2:
        return "0"
    for limit, unit, scale, digits in (
        (1 << 20, "KiB", 1 << 10, 0), (1 << 30, "MiB", 1 << 20, 1), (1 << 40, "GiB", 1 << 30, 1),
    ):  # fmt: skip
        if amount < limit:
            return f"{amount / scale:,.{digits}f} {unit}"
    return f"{amount / (1 << 40):,.1f} TiB"


def version_text(number: int) -> str:
    """NCCL's version number as people write it: 22809 is 2.28.9, 2708 is 2.7.8."""
    if number >= 10000:
        return f"{number // 10000}.{number // 100 % 100}.{number % 100}"
    return f"{number // 1000}.{number // 100 % 10}.{number % 100}" if number else ""
