"""How the cost of communicators is told: sums over ranks, a table, and where it is too much."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Sequence

import msgspec

from lockorder.footprint import MEMORY, Cost, Footprints, ProcessCost, SiteCost, size
from lockorder.model import Table

#: The communicators of one place in each process that has any.
Shown = Sequence[tuple[ProcessCost, SiteCost]]
#: Less than this (bytes) is noise of what else the process does.
_NOISE = 64 << 10


class Excess(msgspec.Struct, frozen=True):
    """What is too much: of which ``memory``, and whether it was ``projected``.

    ``by_setting``: by what a variable asks for, not by what was measured.
    """

    memory: str
    text: str
    projected: bool = False
    by_setting: bool = False


def in_all(shown: Shown) -> str:
    """What they cost a rank: the median, and who has the most where that differs."""
    made = [(p, s) for p, s in shown if s.made]
    if not made:
        return ""
    typical = median(s.total for _, s in made)
    parts = [f"{size(v)} of {MEMORY[n]}" for n, v in _memory(typical) if v >= _NOISE]
    if not parts:
        return f" cost {_whom(made)} no memory that shows"
    together = " and ".join([", ".join(parts[:-1]), parts[-1]][len(parts) == 1 :])
    text = f" cost {_whom(made)} {together} memory"
    process, site = max(made, key=lambda m: _sum(m[1].total))
    if len(made) > 1 and _sum(site.total) > 1.1 * _sum(typical):
        text += f" (median; {size(_sum(site.total))} in {process.who})"
    return text


def _whom(made: Shown) -> str:
    return made[0][0].who if len(made) == 1 else "a rank"


def median(costs: Iterable[Cost]) -> Cost:
    """Each amount's own median."""
    return Cost(*map(statistics.median, zip(*(c.values() for c in costs), strict=True)))


def most(costs: Iterable[Cost]) -> Cost:
    """Each amount's own maximum."""
    return Cost(*map(max, zip(*(c.values() for c in costs), strict=True)))


def _memory(cost: Cost) -> list[tuple[str, float]]:
    return sorted(zip(MEMORY, cost.values(), strict=False), key=lambda m: -m[1])


def _sum(cost: Cost) -> float:
    return sum(cost.values()[: len(MEMORY)])


def table(shown: Shown, communicators: int) -> Table | None:
    """One communicator, all of a rank, and as many as are to be thought of."""
    made = [(p, s) for p, s in shown if s.made]
    if not made:
        return None
    rows = [
        ("making one", median(s.making.over(s.made) for _, s in made)),
        ("its first operations", median(s.using.over(s.made) for _, s in made)),
    ]
    totals = [s.total for _, s in made]
    if len(made) == 1:
        rows.append((f"all {made[0][1].made}", totals[0]))
    else:
        rows.append((f"all of a rank, median of {len(made)}", median(totals)))
        rows.append(("all of a rank, most", most(totals)))
    growing = [s for _, s in made if 1 < s.made < communicators]
    if growing:
        projected = most(s.projected(communicators) for s in growing)
        rows.append((f"{communicators}, projected", projected))
    return Table(
        ("", "host", "pinned", "shared", "device", "threads", "descriptors"),
        tuple((name, *_cells(cost)) for name, cost in rows),
    )


def _cells(cost: Cost) -> tuple[str, ...]:
    counts = (cost.threads, cost.files)
    return (*(size(v) for _, v in zip(MEMORY, cost.values(), strict=False)),
            *(f"{n:.0f}" if n == round(n) else f"{n:.1f}" for n in counts))  # fmt: skip


# -- too much -------------------------------------------------------------------------------------


def excess(shown: Shown, footprints: Footprints, asked: int) -> Excess | None:
    """Where they are too much; *asked* is the pinned memory that variables ask for, for each."""
    ways: tuple[Callable[[Shown, Footprints, int], Excess | None], ...] = (_seen, _shared, _later)
    return next((found for way in ways if (found := way(shown, footprints, asked))), None)


def limit(process: ProcessCost, footprints: Footprints) -> tuple[float, str]:
    """What a process may have of the machine's memory, and who says so; 0: nobody."""
    if footprints.budget.limit_mib:
        return footprints.budget.limit_mib << 20, "the limit that is configured"
    ranks = sum(p.host == process.host for p in footprints.processes)
    share = "a quarter of the machine's memory" + (f", over {ranks} ranks" if ranks > 1 else "")
    return process.memory / 4 / ranks, share


def _seen(shown: Shown, footprints: Footprints, asked: int) -> Excess | None:
    del asked
    for process, site in shown:
        bound, whose = limit(process, footprints)
        total = process.total
        if 0 < bound < total.machine and site.total.machine * 2 >= total.machine:
            memory = "pinned" if total.pinned > total.host else "host"
            text = f"with its other communicators {size(total.machine)} in {process.who}"
            if len(process.sites) == 1:
                text = f"{size(total.machine)} in {process.who}"
            return Excess(memory, f"{text}, more than {size(bound)}, {whose}")
    return None


def _shared(shown: Shown, footprints: Footprints, asked: int) -> Excess | None:
    """What all processes of a machine have in /dev/shm: a segment is mapped by two, mostly."""
    del asked
    number = footprints.budget.communicators
    for host in sorted({p.host for p, _ in shown}):
        here = [(p, s) for p, s in shown if p.host == host]
        room = here[0][0].shm
        if not room:
            continue
        now = _halved([s.total.shared for _, s in here])
        if now > 0.9 * room:
            return Excess("shared", f"{size(now)} on {host}, of {size(room)} in /dev/shm")
        grown = [s.projected(number).shared for _, s in here if s.made > 1]
        if grown and _halved(grown) > room:
            text = f"{number} a rank would cost {size(_halved(grown))} on {host}"
            return Excess("shared", f"{text}, more than the {size(room)} of /dev/shm", True)
    return None


def _halved(amounts: Sequence[float]) -> float:
    return max(*amounts, sum(amounts) / 2)


def _later(shown: Shown, footprints: Footprints, asked: int) -> Excess | None:
    """As many as are to be thought of: a line needs two, what a variable says needs none."""
    number = footprints.budget.communicators
    for process, site in shown:
        bound, whose = limit(process, footprints)
        cost = site.projected(number) if site.made > 1 else site.total
        others = process.total.machine - site.total.machine
        pinned = max(cost.pinned, asked * max(number, site.made))
        total = cost.host + pinned
        if 0 < bound < total + others and total >= others:
            memory = "pinned" if pinned > cost.host else "host"
            text = f"{number} a rank would cost {size(total)}, more than {size(bound)}, {whose}"
            return Excess(memory, text, True, pinned > cost.pinned * 1.5)
    return None
