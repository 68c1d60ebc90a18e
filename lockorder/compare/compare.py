"""Joining: every recorded order by the sources' locks, and what that says of the findings.

(1) Both ends of every recorded order are looked for in the sources (join).  (2) An order whose ends
are there is predicted, or was seen and left out of the graph for a reason, or was missed: the
analysis' blind spots, and its recall.  (3) A static finding is confirmed where runs show all of
its orders, in threads that no lock keeps apart; else it is said which side never ran.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import msgspec

from lockorder.compare.join import Join, Sources, normal
from lockorder.folding import unfold
from lockorder.model import (
    CONFIRMED,
    DECLARED,
    Acquisition,
    Comparison,
    Confidence,
    Document,
    EdgeWitness,
    Finding,
    JoinedLock,
    LiveOrder,
    Lock,
    LockKind,
    Participant,
    UnjoinedLock,
    Verdict,
)

_Pair = tuple[str, str]
#: Witnesses of one order that are tried for threads that can meet.
_MAX_TRIED = 12
#: Rules whose findings are circles of orders.
_CYCLES = ("lock-order-cycle", "gil-lock-cycle")

_QUIET = "an initialiser that takes no lock: nobody can wait for it in a circle"
_APART = "the analysis sees both acquisitions, and no way from one to the other"


def compare(static: Document, runs: Sequence[tuple[str, Document]]) -> Document:
    """*static* as *runs*, by their names, show it: findings with what was seen of them first.

    The result has the static locks and orders, and a comparison.
    """
    joining = _Joining(static)
    for _, run in runs:
        joining.take(run)
    findings = [joining.judged(finding) for finding in unfold(static.findings)]
    return msgspec.structs.replace(
        static,
        origin="compared",
        findings=tuple(sorted(findings, key=_rank)),
        comparison=joining.result(tuple(name for name, _ in runs)),
    )


def _rank(finding: Finding) -> tuple[int, int]:
    """What was seen first; the order of levels stays."""
    levels = ["error", "warning", "note"]
    return levels.index(finding.level.value), not finding.run.startswith(CONFIRMED)


class _Joining:
    def __init__(self, static: Document) -> None:
        self._static = static
        self._sources = Sources(static)
        self._predicted = {(e.held.lock, e.taken.lock) for e in static.edges}
        self._left_out = {(x.held, x.taken): x.why for x in static.left_out}
        self._names = {lock.id: lock.name for lock in static.locks}
        self._names.update((s.lock.id, s.lock.name) for s in static.sites)
        self._initialisers = {
            sites.lock.id for sites in static.sites if sites.lock.kind is LockKind.STATIC_INIT
        }
        self._orders: dict[object, LiveOrder] = {}
        self._witnesses: dict[_Pair, list[EdgeWitness]] = {}
        self._joined: dict[str, dict[str, set[str]]] = {}
        self._unjoined: dict[str, str] = {}
        self._outside = 0
        self._observed: set[tuple[str, str]] = set()
        #: findings of runs: their rules, and the functions in them
        self._told: list[tuple[str, set[str]]] = []
        #: the circles that runs found themselves, by their orders
        self._cycles: list[dict[_Pair, EdgeWitness]] = []

    # -- orders -----------------------------------------------------------------------------------

    def take(self, run: Document) -> None:
        """Join the orders and the findings of one run."""
        locks = {lock.id: lock for lock in run.locks}
        for witness in run.edges:
            self._order(witness, locks)
        for lock in run.locks:
            for static in self._sources.named(lock):
                self._note(static, lock, "name")
        for finding in unfold(run.findings):
            sides: dict[_Pair, EdgeWitness] = {}
            for participant in finding.participants:
                taken = (participant.taken,) if participant.taken is not None else ()
                known = [a for a in (*participant.held, *taken) if a.lock in locks]
                joins = [self._sources.join(a, locks[a.lock]).locks for a in known]
                self._observed.update((finding.rule, i) for ids in joins for i in ids)
                if participant.taken is None or len(known) < 2:
                    continue
                live = EdgeWitness(known[0], known[-1], thread=participant.who)
                sides.update(dict.fromkeys(itertools.product(joins[0], joins[-1]), live))
            if finding.rule in _CYCLES:
                self._cycles.append(sides)
            self._told.append((finding.rule, _functions(finding)))

    def _order(self, witness: EdgeWitness, locks: dict[str, Lock]) -> None:
        held, taken = self._end(witness.held, locks), self._end(witness.taken, locks)
        if held.outside or taken.outside:
            self._outside += 1
            return
        pairs = list(itertools.product(sorted(held.locks), sorted(taken.locks)))
        predicted = [pair for pair in pairs if pair in self._predicted]
        left_out = [pair for pair in pairs if pair in self._left_out]
        for pair in predicted:
            self._witnesses.setdefault(pair, []).append(witness)
        if predicted:
            self._add(predicted[0], Verdict.PREDICTED, witness, "")
        elif left_out:
            self._add(left_out[0], Verdict.LEFT_OUT, witness, self._left_out[left_out[0]])
        elif pairs and self._is_quiet(pairs[0][1]):
            self._add(pairs[0], Verdict.LEFT_OUT, witness, _QUIET)
        elif pairs:
            self._add(pairs[0], Verdict.MISSED, witness, _APART)
        else:
            ends = (min(held.locks, default=""), min(taken.locks, default=""))
            self._add(ends, Verdict.MISSED, witness, held.why or taken.why)

    def _is_quiet(self, lock: str) -> bool:
        """Whether *lock* is an initialiser's that takes no other: its order is on no circle."""
        return lock in self._initialisers and not any(lock in pair for pair in self._predicted)

    def _end(self, taken: Acquisition, locks: dict[str, Lock]) -> Join:
        lock = locks[taken.lock]
        join = self._sources.join(taken, lock)
        for static in join.locks:
            self._note(static, lock, join.by)
        if not join.locks:
            self._unjoined.setdefault(lock.name, join.why)
        return join

    def _note(self, static: str, lock: Lock, by: str) -> None:
        self._joined.setdefault(static, {}).setdefault(by, set()).add(lock.name)

    def _add(self, pair: _Pair, verdict: Verdict, witness: EdgeWitness, why: str) -> None:
        place = (witness.held.chain[-1:], witness.taken.chain[-1:]) if "" in pair else ()
        key = (pair, place)
        known = self._orders.get(key)
        if known is None:
            self._orders[key] = LiveOrder(*pair, verdict, witness, why)
        else:
            self._orders[key] = msgspec.structs.replace(known, seen=known.seen + 1)

    # -- findings ---------------------------------------------------------------------------------

    def judged(self, finding: Finding) -> Finding:
        """*finding* with what the runs say of it."""
        if finding.rule in _CYCLES:
            return self._judged_cycle(finding)
        shown = all((finding.rule, lock) in self._observed for lock in finding.locks)
        here = normal(finding.place.function)
        shown = shown and any(r == finding.rule and here in names for r, names in self._told)
        if finding.locks and shown:
            return _confirmed(finding, finding.participants, f"{CONFIRMED}, which shows the same")
        joined = [lock for lock in finding.locks if lock in self._joined]
        said = "a run took its locks, and did not show it" if joined else "no run took its locks"
        return msgspec.structs.replace(finding, run=said)

    def _judged_cycle(self, finding: Finding) -> Finding:
        sides = [p for p in finding.participants if p.who != DECLARED and p.held and p.taken]
        pairs = [(p.held[0].lock, p.taken.lock) for p in sides if p.taken is not None]
        seen = [self._witnesses.get(pair, []) for pair in pairs]
        found = next((c for c in self._cycles if pairs and all(p in c for p in pairs)), None)
        chosen = _that_meet(seen) if found is None else [found[pair] for pair in pairs]
        shown: Sequence[EdgeWitness | None] = chosen or [w[0] if w else None for w in seen]
        live: dict[int, EdgeWitness | None] = dict(zip(map(id, sides), shown, strict=True))
        participants = tuple(
            msgspec.structs.replace(p, live=live[id(p)]) if live.get(id(p)) is not None else p
            for p in finding.participants
        )
        if chosen:
            said = f"{CONFIRMED}: all sides were seen, in threads that no lock keeps apart"
            return _confirmed(finding, participants, said)
        missing = [p.who for p, witnesses in zip(sides, seen, strict=True) if not witnesses]
        if not any(seen):
            said = "no side was seen in a run"
        elif missing:
            said = f"seen in part: {_listed(missing)} did not run in this order"
        else:
            said = "all sides were seen, by one thread, under a common lock, or in two processes"
        return msgspec.structs.replace(finding, participants=participants, run=said)

    # -- the whole --------------------------------------------------------------------------------

    def result(self, runs: tuple[str, ...]) -> Comparison:
        """All that was joined, sorted by what the locks are called."""
        order = list(Verdict)
        return Comparison(
            runs=runs,
            joined=tuple(
                JoinedLock(
                    lock, tuple(sorted(set().union(*ways.values()))), ", ".join(sorted(ways))
                )
                for lock, ways in sorted(self._joined.items())
            ),
            unjoined=tuple(UnjoinedLock(*each) for each in sorted(self._unjoined.items())),
            orders=tuple(
                sorted(
                    self._orders.values(),
                    key=lambda o: (-order.index(o.verdict), o.held, o.taken, o.witness.taken.chain),
                )
            ),
            never_ran=tuple(sorted(self._predicted - self._witnesses.keys())),
            outside=self._outside,
        )


def _confirmed(finding: Finding, participants: Iterable[Participant], said: str) -> Finding:
    return msgspec.structs.replace(
        finding,
        participants=tuple(participants),
        run=said,
        confidence=Confidence.HIGH,
        reason=said if finding.confidence is not Confidence.HIGH else finding.reason,
    )


def _functions(finding: Finding) -> set[str]:
    """All functions that a finding names."""
    found: set[str] = set()
    for p in finding.participants:
        taken = (p.taken,) if p.taken is not None else ()
        for chain in (p.chain, *(a.chain for a in (*p.held, *taken))):
            found.update(normal(frame.function) for frame in chain)
    return found


def _that_meet(sides: Sequence[Sequence[EdgeWitness]]) -> list[EdgeWitness] | None:
    """One witness of each side, of different threads, and with no object held by two of them."""
    if not sides or not all(sides):
        return None
    for chosen in itertools.product(*(side[:_MAX_TRIED] for side in sides)):
        threads = [w.thread or "" for w in chosen]
        if len(set(threads)) < len(threads) or len({t.split(":")[0] for t in threads}) > 1:
            continue  # one thread, or several processes
        gates = [{(g.lock, g.instance) for g in w.gates} for w in chosen]
        if all(a.isdisjoint(b) for a, b in itertools.combinations(gates, 2)):
            return list(chosen)
    return None


def _listed(names: Sequence[str]) -> str:
    return " and ".join(dict.fromkeys(names))
