"""Locks that nobody gives up, threads that end with one, and other misuse, for the rules."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from lockorder.model import Acquisition, LockKind
from lockorder.rules.evidence import Kept, LockMisuse
from lockorder.static.interp.collected import innermost
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.misuse import DESTROY, EXIT, UNLOCK
from lockorder.static.interp.summary import Held, Outcome, Site
from lockorder.static.program.effects import Holdable
from lockorder.static.program.paths import Path
from lockorder.static.results.graph import Builder

#: Kinds of locks that belong to the thread that took them.
_OWNED = frozenset((LockKind.MUTEX, LockKind.RECURSIVE, LockKind.SHARED, LockKind.SPIN))
_BRANCH = "it was given up in a branch from which every way leads to this call"
_WHY = {
    EXIT: "the thread's function ends with it",
    UNLOCK: "on every way to this call it was given up before, and not taken since",
    DESTROY: "on every way to this place it is held",
}


class Misuses:
    """What the walks found of locks apart from their order."""

    def __init__(self, engine: Engine, builder: Builder) -> None:
        self._engine = engine
        self._builder = builder
        self._told: set[Site] = {innermost(u.held.site) for u in engine.found.unbalanced.values()}

    def misuses(self) -> Iterator[LockMisuse]:
        """Of every kind; what a rule about paths tells already is left out."""
        for misuse in sorted(self._engine.found.misuses.values(), key=lambda m: (m.site, m.rule)):
            path = misuse.held.path if misuse.held is not None else misuse.path
            for lock in self._owned(path):
                found = self._misuse(misuse.rule, lock, misuse.function, misuse.site, misuse.held)
                yield msgspec.structs.replace(found, why=_BRANCH) if misuse.some else found
                if misuse.held is not None:
                    self._told.add(innermost(misuse.held.site))
        for target in sorted(self._engine.contexts.thread_functions):
            yield from self._ended(target)

    def _ended(self, target: str) -> Iterator[LockMisuse]:
        function = self._engine.program.functions.get(target)
        if function is None:
            return
        site = Site(target, function.end or function.line, 0)
        for outcome in self._engine.summary(target).outcomes:
            for held in _bare(outcome):
                place = innermost(held.site)
                if place in self._told:
                    continue
                for lock in self._owned(held.path):
                    self._told.add(place)
                    yield self._misuse(EXIT, lock, target, site, held)

    def _misuse(
        self, rule: str, lock: str, function: str, site: Site, held: Held | None
    ) -> LockMisuse:
        name = self._engine.program.told_of(function)
        taken = self._acquisition(lock, held) if held is not None else None
        self._builder.declare(lock)
        return LockMisuse(
            rule, lock, name, self._builder.chain(site), taken, name if taken else "",
            why=_WHY[rule],
        )  # fmt: skip

    def _acquisition(self, lock: str, held: Held) -> Acquisition:
        self._builder.declare(lock)
        return Acquisition(lock, self._builder.chain(held.site), held.mode, held.how)

    def never(self) -> Iterator[Kept]:
        """Locks that are taken and given up nowhere: one for each, with all that keep it."""
        found: dict[str, list[tuple[str, Held]]] = {}
        for usr in sorted(self._engine.program.functions):
            for outcome in self._engine.summary(usr).outcomes:
                for held in _bare(outcome):
                    if held.site.inner is not None or held.site in self._told:
                        continue
                    for lock in self._owned(held.path):
                        known = found.setdefault(lock, [])
                        if lock not in self._engine.found.given and all(
                            h.site != held.site for _, h in known
                        ):
                            known.append((usr, held))
        for lock, keeping in sorted(found.items()):
            if not keeping:
                continue
            usr, first = keeping[0]
            functions, name = self._engine.program.functions, self._engine.program.name_of
            leaves = self._builder.frame(Site(usr, functions[usr].end or functions[usr].line, 0))
            others = tuple((name(u), self._acquisition(lock, h)) for u, h in keeping)
            yield Kept(self._acquisition(lock, first), name(usr), leaves, "return", never=others)

    def _owned(self, path: Holdable) -> list[str]:
        """The locks that *path* surely is, which no code that is not here can give up."""
        found = self._engine.identities.of(path)
        if (
            not isinstance(path, Path)
            or len(found) != 1
            or path.is_unknown
            or path.is_returned
            or path.named
        ):
            return []
        lock = found[0].lock
        known = self._engine.identities.locks.get(lock)
        outside = self._engine.found.outside
        if known is None or known.kind not in _OWNED or lock in outside:
            return []
        if any(lock == key[0] for key in self._engine.found.self_locks):
            return []  # who takes it again comes no further
        owners = {self._engine.identities.class_of(Path(path.root, path.steps[:n]))
                  for n in range(len(path.steps))}  # fmt: skip
        owners.discard("")
        if owners & outside or any(self._is_open(o) for o in owners):
            return []
        return [lock]

    def _is_open(self, cls: str) -> bool:
        """Whether a class has methods whose bodies are not here."""
        program = self._engine.program
        return any(
            d.cls == cls and d.passed.startswith("this") and not program.body_of(d.usr)
            for d in program.decls.values()
        )


def _bare(outcome: Outcome) -> Iterator[Held]:
    """Locks that a call leaves held, and that no guard will release."""
    guards = [g for g in (outcome.guard, *(g for _, g in outcome.guards)) if g is not None]
    for held in outcome.held:
        guarded = held.guard is not None or any(held.path in g.paths for g in guards)
        if not (guarded or held.leaked):
            yield held
