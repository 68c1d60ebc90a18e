"""A thread takes a lock that it already holds and that is not recursive.

## What it does
Reports an acquisition of the very same object that the thread holds, in the same function or
through calls: an exclusive lock again, or a reader's lock while it is held exclusively, or the
other way round (an upgrade by its own holder). Recursive locks, try-lock and waits with a time
limit are left alone. A reader that reads again counts where the program has a writer that waits:
it waits for the first reader, and may keep out the second. A signal handler that takes a lock is
told as a warning where other code holds that lock, unless all ways to that code block signals, and
as a note where the handler has a choice of callbacks; all that one call of a handler takes is one
finding. A finding of low confidence is a warning. What several callers make of one place is told as
one, as are several places behind one call. An error-checking mutex, and glibc's reader-writer lock
for its writer, refuse instead of waiting (EDEADLK). A run tells that all the same, and says that
the call came back: what follows goes on without the lock.

## Why it hangs
A non-recursive mutex knows only that it is locked. The thread waits for itself, for ever; for
std::mutex the standard calls it undefined, and glibc's normal mutex blocks.

It sits on error paths. In Gloo (70dc360) the functions of an ibverbs pair hold its mutex when they
post a request; where the post fails they call signalIoFailure, which takes that mutex to note the
error. A failed post hangs the thread instead of raising an exception
(docs/case-studies/findings.md).

## Example
```cpp
#include <mutex>

class Pair {
  public:
    void send()
    {
        std::lock_guard<std::mutex> hold(m_);
        if (!post())
            fail();
    }

    void fail()
    {
        std::lock_guard<std::mutex> hold(m_);   // send() has it already
        failed_ = true;
    }

  private:
    bool post();
    std::mutex m_;
    bool failed_ = false;
};
```

## Instead
Split the function: a public one that locks, and a private one that expects the lock and does the
work. A recursive mutex hides the problem until a condition wait releases one level of two.

```cpp
#include <mutex>

class Pair {
  public:
    void send()
    {
        std::lock_guard<std::mutex> hold(m_);
        if (!post())
            fail_locked();
    }

    void fail()
    {
        std::lock_guard<std::mutex> hold(m_);
        fail_locked();
    }

  private:
    bool post();
    void fail_locked() { failed_ = true; }      // m_ is held
    std::mutex m_;
    bool failed_ = false;
};
```

## References
* C++ standard, [thread.mutex.class]: https://eel.is/c++draft/thread.mutex.class
* POSIX, pthread_mutex_lock:
  https://pubs.opengroup.org/onlinepubs/9699919799/functions/pthread_mutex_lock.html
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lockorder.model import (
    Acquisition,
    Certainty,
    Confidence,
    Finding,
    Frame,
    Level,
    Participant,
    Wait,
    fingerprint,
)
from lockorder.rules.causes import HANDLER, Cause, of_circle, of_sides, of_steps, places
from lockorder.rules.deadlock import circles, named
from lockorder.rules.evidence import (
    CONFIDENCE,
    DOUBTS,
    LONG,
    Chain,
    Evidence,
    SelfAcquisition,
    is_long,
    seen_in,
)
from lockorder.rules.job_words import own_line, place

ID = "self-deadlock"
LEVEL = Level.ERROR
#: Calls that are a long way round: a guess from here on, and no more than a note from twice that.
FAR = 5
_REASON = {Certainty.CERTAIN: "both acquisitions name the same object", **DOUBTS}


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each pair of places, the nearest of the callers that reach both."""
    nearest = _nearest(evidence)
    told = {again.held.lock for again in nearest}
    names = {lock.id: lock.name for lock in evidence.graph.locks.values()}
    for circle in circles(evidence.waits):
        if len(circle) == 1 and circle[0].lock not in told:
            yield _stands(circle[0], named(circle[0], names))
    for again in nearest:
        lock = evidence.graph.locks[again.held.lock]
        held = again.held.chain[-1 if again.who else 0].function
        taken = again.taken.chain[-1].function
        certainty, reason = _certainty(again)
        how = ["interrupts"] if again.interrupts else []
        yield Finding(
            rule=ID,
            level=_level(again, certainty),
            confidence=CONFIDENCE[certainty],
            reason=reason,
            message=_message(again, lock.name),
            fix=_fix(again, lock.name, taken),
            locks=(lock.id,),
            participants=(
                Participant(who=again.who or held, held=(again.held,), taken=again.taken),
            ),
            fingerprint=fingerprint(ID, (lock.id,), dict.fromkeys((held, taken, *how))),
        )


def _message(again: SelfAcquisition, lock: str) -> str:
    if again.interrupts:
        handler = again.taken.chain[0].function
        return f"{lock} is taken by {handler}, a signal handler, which may interrupt its holder"
    return f"{lock} is taken again by the thread that holds it" + seen_in(again.seen)


def _fix(again: SelfAcquisition, lock: str, taken: str) -> str:
    if again.interrupts:
        return (
            f"take no lock in a signal handler: set a flag there, or block it while {lock} is held"
        )
    return (
        f"do not take {lock} in {taken} when its caller holds it: "
        "split off a part that expects the lock"
    )


def _level(again: SelfAcquisition, certainty: Certainty) -> Level:
    if again.interrupts:
        return Level.NOTE if certainty < Certainty.POSSIBLE else Level.WARNING
    if certainty > Certainty.GUESSED:
        return LEVEL
    far = not again.who and _is_unlikely(again)
    return Level.NOTE if far or certainty is Certainty.UNLIKELY else Level.WARNING


def causes(finding: Finding) -> Iterator[Cause]:
    """Where the lock is taken again, by whatever caller; where its holder goes on from, to whatever
    place; and of long ways round, which are guesses, all that go through one circle of calls."""
    yield from of_sides(finding)
    yield from of_steps(finding)
    for participant in finding.participants:
        taken = participant.taken
        for held in participant.held if taken is not None else ():
            assert taken is not None
            if taken.chain and held.chain and _interrupts(participant.who, held, taken):
                yield (HANDLER, taken.chain[0])  # what it calls there has no place in a handler
            _, place = places(held.chain, taken.chain)
            if place is not None:
                yield (ID, taken.lock, place)
            if _comes_back(taken.chain):
                names = [frame.function for frame in taken.chain]
                circle = taken.chain[names.index(names[-1]) :]
                yield from of_circle(circle)


def _interrupts(who: str, held: Acquisition, taken: Acquisition) -> bool:
    """Whether a handler of signals takes the lock: on a way of its own, in another function."""
    return who == held.chain[0].function != taken.chain[0].function


def _nearest(evidence: Evidence) -> list[SelfAcquisition]:
    """The nearest of the callers that reach both places, for each pair of places."""
    nearest: dict[object, SelfAcquisition] = {}
    for again in evidence.observed.self_acquisitions:
        key = (again.held.lock, again.held.chain[-1], again.taken.chain[-1], again.interrupts)
        known = nearest.get(key)
        if known is None or _distance(again) < _distance(known):
            nearest[key] = again
    return list(nearest.values())


def _is_far(again: SelfAcquisition) -> bool:
    """A function that comes back to itself through many calls is mostly kept from it."""
    return not again.who and _comes_back(again.taken.chain)


def _is_unlikely(again: SelfAcquisition) -> bool:
    """A long way that rests on a guess; one that is a guess for being long has to be longer."""
    limit = 2 * FAR if _is_far(again) else LONG
    return is_long(again.held.chain, again.taken.chain, limit=limit)


def _comes_back(chain: Chain) -> bool:
    functions = [frame.function for frame in chain]
    return len(functions) >= FAR and functions[-1] in functions[:-1]


def _stands(wait: Wait, name: str) -> Finding:
    """A thread that waits for itself now."""
    taken = next((o.chain for o in wait.owners if o.who == wait.who), ())
    line = own_line(wait.chain)
    at = f" at {line}" if line else ""
    return Finding(
        rule=ID,
        level=LEVEL,
        confidence=Confidence.MEDIUM if wait.inferred else Confidence.HIGH,
        reason="that the thread has the Python lock is told by the source around its frames"
        if wait.inferred
        else "the thread waits, and has what it waits for",
        message=f"{wait.who} waits for {name}{at}, which it has itself" + _since(taken, wait.chain),
        fix="do not take it again on the way: split off a part that expects it to be held",
        locks=(wait.lock,) if wait.lock else (),
        participants=(
            Participant(
                who=wait.who,
                held=(Acquisition(wait.lock, taken),),
                taken=Acquisition(wait.lock, wait.chain),
            ),
        ),
        fingerprint=fingerprint(ID, (wait.lock,), tuple(f.function for f in wait.chain[-1:])),
    )


def _since(taken: Sequence[Frame], chain: Sequence[Frame]) -> str:
    """Where a thread took what it waits for, if that is not the function that it waits in."""
    if not taken or not place(taken[-1]):
        return ""
    frame = taken[-1]
    name = frame.function.rpartition(".")[2]
    if any((f.file, f.function) == (frame.file, frame.function) for f in chain):
        return f", since {place(frame)}" if place(frame) != own_line(chain) else ""
    return f", since {place(frame)} in {name}, which is suspended (a generator or a coroutine)"


def _distance(again: SelfAcquisition) -> tuple[object, ...]:
    chain = (*again.held.chain, *again.taken.chain)
    places = [(frame.file, frame.line, frame.column, frame.function) for frame in chain]
    return -again.certainty, len(chain), places


def _certainty(again: SelfAcquisition) -> tuple[Certainty, str]:
    if again.who:
        return again.certainty, again.why or "recorded: the thread waited for itself"
    if _is_far(again):
        why = "the function calls itself a long way round, which conditions may prevent"
        return min(again.certainty, Certainty.GUESSED), why
    return again.certainty, again.why or _REASON[again.certainty]
