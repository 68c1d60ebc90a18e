"""A static result beside runs, for people: blind spots with stacks, locks that were not joined."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from lockorder.model import CONFIRMED, Comparison, Document, LiveOrder, Verdict
from lockorder.report.excerpts import Excerpts
from lockorder.report.text import printable, write_live

#: Locks that are named before the rest is only counted.
MAX_LOCKS = 20
_TITLES = {
    Verdict.MISSED: "seen in a run, and not predicted: blind spots of the static analysis",
    Verdict.LEFT_OUT: "seen in a run, and known, but left out of the lock-order graph",
}


def write(document: Document, excerpts: Excerpts, console: Console) -> None:
    """Print what the runs showed beside the findings."""
    found = document.comparison
    if found is None:
        return
    names = names_of(document)
    for verdict, title in _TITLES.items():
        orders = [order for order in found.orders if order.verdict is verdict]
        if not orders:
            continue
        _print(console, f"{title}: {len(orders)}", "bold")
        for order in orders:
            _print(console, f"  {order_name(order, names)}: {order.why}")
            if verdict is Verdict.MISSED:
                write_live(order.witness, excerpts, console)
        _print(console, "")
    _unjoined(found, console)


def names_of(document: Document) -> dict[str, str]:
    """Names of all locks of the sources, by id."""
    names = {lock.id: lock.name for lock in document.locks}
    names.update((sites.lock.id, sites.lock.name) for sites in document.sites)
    return names


def order_name(order: LiveOrder, names: dict[str, str]) -> str:
    """The two locks, by their recorded classes where the sources have no name."""
    held = names.get(order.held) or order.witness.held.lock
    taken = names.get(order.taken) or order.witness.taken.lock
    return f"{held} -> {taken}"


def _unjoined(found: Comparison, console: Console) -> None:
    if not found.unjoined:
        return
    _print(console, f"recorded locks that are none of the sources': {len(found.unjoined)}", "bold")
    for lock in found.unjoined[:MAX_LOCKS]:
        _print(console, f"  {lock.name}: {lock.why}")
    if len(found.unjoined) > MAX_LOCKS:
        more = len(found.unjoined) - MAX_LOCKS
        _print(console, f"  and {more} more (--format json has all)")
    _print(console, "")


def lines(document: Document) -> list[str]:
    """The summary, a line each: how much of what ran was predicted."""
    found = document.comparison
    if found is None:
        return []
    said = [f.run for f in document.findings if f.run]
    confirmed = sum(text.startswith(CONFIRMED) for text in said)
    total = len(found.orders)
    parts = ", ".join(f"{found.count(verdict)} {verdict.value}" for verdict in Verdict)
    return [
        f"runs: {confirmed} of {len(document.findings)} findings confirmed",
        f"recall: {found.recall:.1%} of {total} orders that ran between locks of the sources "
        f"({parts}); {found.outside} recorded orders with a lock of other code",
        f"joined: {len(found.joined)} locks of the sources; {len(found.unjoined)} recorded classes "
        f"are others; {len(found.never_ran)} predicted orders never ran",
    ]


def _print(console: Console, text: str, style: str = "") -> None:
    console.print(Text(printable(text), style), soft_wrap=True)
