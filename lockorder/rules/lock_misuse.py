"""What the rules about a lock's misuse share: one finding for each lock and place."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lockorder.model import Confidence, Finding, Level, Participant, fingerprint
from lockorder.rules.evidence import Evidence, LockMisuse, seen_in


def findings(
    rule: str,
    evidence: Evidence,
    message: Callable[[str, LockMisuse], str],
    waits: str | Callable[[LockMisuse], str],
    fix: Callable[[str, LockMisuse], str],
) -> Iterator[Finding]:
    """The findings of *rule*; *message* and *fix* get the lock's name, *waits* is what was done."""
    told: set[object] = set()
    for misuse in evidence.observed.lock_misuses:
        place = (misuse.lock, misuse.chain[-1])
        if misuse.rule != rule or place in told:
            continue
        told.add(place)
        name = evidence.graph.locks[misuse.lock].name
        held = (misuse.taken,) if misuse.taken is not None else ()
        same = not misuse.holder or misuse.holder == misuse.who
        sides = [
            Participant(
                who=misuse.who,
                held=held if same else (),
                waits=waits if isinstance(waits, str) else waits(misuse),
                chain=misuse.chain,
            )
        ]
        if not same:
            sides.append(Participant(who=misuse.holder, held=held))
        if misuse.waits_for_it:
            sides.append(
                Participant(who="the copy", held=(), waits=f"{name}", chain=misuse.waits_for_it)
            )
        yield Finding(
            rule=rule,
            level=Level.WARNING,
            confidence=Confidence.MEDIUM if misuse.perhaps else Confidence.HIGH,
            reason=misuse.why,
            message=message(name, misuse) + seen_in(misuse.seen),
            fix=fix(name, misuse),
            locks=(misuse.lock,),
            participants=tuple(sides),
            fingerprint=fingerprint(rule, (misuse.lock,), (misuse.chain[-1].function,)),
            owner=misuse.owner,
        )
