"""What a finding comes of: findings with a cause in common are told as one (see ``folding``).

A cause is a place in the code that all of them need: change it, and none of them is left.  Causes
are told from what findings hold, so that a result that was written and read again folds alike.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import pairwise

from lockorder.model import DECLARED, Acquisition, Confidence, Finding, Frame
from lockorder.rules.evidence import Chain, beyond

Cause = tuple[Hashable, ...]

#: What causes begin with: one side of a finding; a function of a circle of calls, which may consist
#: of several smaller ones; a function of which a finding is told with a circle if all of it are on
#: that; a call that waits; a call in which a finding happens, and is told with it if that waits.
#: Others begin with the rule they are of.
SIDE, ROUND, INSIDE, WAITING, THROUGH = "side", "round", "inside", "waiting", "through"
#: A call of a handler of signals: all that is taken in it may be held by what that interrupts.
HANDLER = "handler"


def of_sides(finding: Finding) -> Iterator[Cause]:
    """Each side: the same lock, taken at the same place under another one, taken at the same."""
    for participant in finding.participants:
        taken = participant.taken
        if participant.who == DECLARED or taken is None:
            continue
        for held in participant.held:
            first, second = places(held.chain, taken.chain)
            if first is not None and second is not None:
                yield (SIDE, held.lock, first, taken.lock, second)


def of_cycle(finding: Finding) -> Iterator[Cause]:
    """What rules about cycles go by."""
    yield from of_sides(finding)
    yield from of_guesses(finding)


def of_kept(finding: Finding) -> Iterator[Cause]:
    """What stays held, and where it was taken: each way out that keeps it has this cause."""
    for held in _held(finding):
        if held.chain:
            yield (finding.rule, held.lock, held.chain[-1])


def of_steps(finding: Finding) -> Iterator[Cause]:
    """The lock, where it was taken, and where its holder goes from there.

    What has to be moved out of the locked state is the same.  A direct call stands for itself.
    """
    for participant in finding.participants:
        for held in participant.held:
            taken = participant.taken
            then = participant.chain if taken is None else taken.chain
            if held.chain and then:
                rest = beyond(held.chain, then)
                direct = participant.waits if len(rest) == 1 else ""
                yield (finding.rule, held.lock, held.chain[-1], rest[0], direct)


def of_other(finding: Finding) -> Iterator[Cause]:
    """What the last side does, and where: it lacks the lock that would keep all others away."""
    other = finding.participants[-1] if len(finding.participants) > 1 else None
    if other is not None and other.chain:
        yield (finding.rule, other.waits, other.chain[-1])


def of_wait(finding: Finding) -> Iterator[Cause]:
    """A wait and who calls what waits there, where the lock was taken further out than that.

    All locks that are held around that call come to one wait, which has no business there.
    """
    for participant in finding.participants[:1]:
        for held in participant.held:
            rest = beyond(held.chain, participant.chain)
            if len(rest) > _NEAR:
                yield (finding.rule, participant.waits, *rest[-_NEAR:])


def of_waits(finding: Finding) -> Iterator[Cause]:
    """What the rule about waits under a lock goes by."""
    yield from of_steps(finding)
    yield from of_wait(finding)
    yield from of_recorded_wait(finding)
    yield from of_waiting_call(finding)


def of_recorded_wait(finding: Finding) -> Iterator[Cause]:
    """A wait that was recorded, with all that led there: whatever was held over it.

    One call that a thread made waits for one thing, under all of its locks at once.
    """
    for participant in finding.participants[:1]:
        chain = participant.chain
        if chain and participant.who != chain[0].function:  # a thread, and no function
            yield (finding.rule, participant.waits, *chain)


def of_waiting_call(finding: Finding) -> Iterator[Cause]:
    """The call that waits, and those that this happens in.

    What is known to wait does so in one way or another: how its body, or that of one of many
    classes, comes to wait is no other reason to move the call out of the locked state.
    """
    for participant in finding.participants[:1]:
        chain, name = participant.chain, participant.waits.partition(",")[0]
        for lock in {held.lock for held in participant.held} if chain else ():
            yield (WAITING, lock, chain[-1], _unqualified(name))
            for call, body in pairwise(chain):
                yield (THROUGH, lock, call, _unqualified(body.function))


def _unqualified(name: str) -> str:
    return name.rpartition("::")[2]


#: Calls in which whoever holds a lock still sees that they wait: the wait, and one around it.
_NEAR = 2


def of_guesses(finding: Finding) -> Iterator[Cause]:
    """Of a cycle that is a guess: the functions in which its sides end.

    What those of a circle of calls take is taken in every order (``of_circle``).
    """
    if finding.confidence is Confidence.LOW:
        for participant in finding.participants:
            if participant.taken is not None and participant.taken.chain:
                yield (INSIDE, *_function(participant.taken.chain[-1]))


def of_circle(circle: Chain) -> Iterator[Cause]:
    """The functions of a circle of calls."""
    yield from ((ROUND, *_function(frame)) for frame in circle if frame.file)


def _function(frame: Frame) -> tuple[str, str]:
    return frame.file, frame.function


def places(held: Chain, taken: Chain) -> tuple[Frame | None, Frame | None]:
    """Where two locks are taken, apart from what both ways end in: a function that takes any lock.

    None for a place that nobody knows.
    """
    common = 0
    while common < min(len(held), len(taken)) - 1 and held[-1 - common] == taken[-1 - common]:
        common += 1
    first, second = (chain[-1 - common] if chain else Frame("") for chain in (held, taken))
    return _known(first), _known(second)


def _known(place: Frame) -> Frame | None:
    return place if place.file or place.function else None


def _held(finding: Finding) -> Iterator[Acquisition]:
    for participant in finding.participants:
        yield from participant.held
