"""What a recorded run is compared with: every place that takes a lock, and orders left out."""

from __future__ import annotations

from lockorder.model import Frame, LeftOut, Lock, LockSites
from lockorder.static.interp.collected import STARTUP
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Site
from lockorder.static.results.graph import Builder


def lock_sites(engine: Engine, builder: Builder) -> tuple[LockSites, ...]:
    """Where each lock is taken, sorted; files relative to the builder's root."""
    places: dict[str, set[Frame]] = {}
    for (function, line, column), locks in engine.found.sites.items():
        frame = builder.frame(Site(function, line, column))
        for lock in locks:
            places.setdefault(lock, set()).add(frame)
    found = []
    for lock in sorted(places):
        known = engine.identities.locks[lock]
        declared = Lock(known.id, known.name, known.kind, builder.relative(known.file), known.line)
        found.append(LockSites(declared, tuple(sorted(places[lock]))))
    return tuple(found)


def left_out(engine: Engine, builder: Builder) -> tuple[LeftOut, ...]:
    """Orders that are not in the builder's graph although the sources show them, sorted."""
    known = set(builder.graph.edges())
    reasons = dict(engine.found.left_out)
    for pair in engine.found.orders:
        reasons.setdefault(pair, STARTUP)
    return tuple(LeftOut(*pair, reasons[pair]) for pair in sorted(reasons) if pair not in known)
