"""A path out of a function keeps a lock that its other paths release.

## What it does
Compares the ways out of each function: returns, gotos, breaks, error-check macros that return,
exceptions thrown here or in a callee. A lock that is taken and released on one of them and still
held on another is reported where it is taken, with all ways out that keep it as one. Functions
that take a lock for their callers, try functions that return true with the lock held, and guards
that live on are left alone.

A lock that is taken and that nothing in the program releases is reported once, with all who take
it, unless code that is not here got the lock or the object that it is in.

## Why it hangs
The next thread that wants the lock waits for a thread that has long left. The path is an error
path, so no test takes it, and the job hangs minutes after an error that was handled. In code that
calls CUDA and NCCL the path is mostly hidden: the `return` stands inside an error-check macro, and
the lock is a pthread mutex or a spin flag without a guard.

## Example
```cpp
#include <mutex>

class Table {
  public:
    int put(int key)
    {
        mu_.lock();
        if (used_ == 64)
            return -1;                  // still locked
        keys_[used_++] = key;
        mu_.unlock();
        return 0;
    }

  private:
    std::mutex mu_;
    int used_ = 0;
    int keys_[64];
};
```

## Instead
A guard (std::lock_guard, std::unique_lock) instead of lock() and unlock(); in C one label at the
end that all error paths go to.

```cpp
#include <mutex>

class Table {
  public:
    int put(int key)
    {
        std::lock_guard<std::mutex> hold(mu_);
        if (used_ == 64)
            return -1;
        keys_[used_++] = key;
        return 0;
    }

  private:
    std::mutex mu_;
    int used_ = 0;
    int keys_[64];
};
```

## References
* C++ Core Guidelines, CP.20: "Use RAII, never plain lock()/unlock()":
  https://isocpp.github.io/CppCoreGuidelines/CppCoreGuidelines
* SEI CERT C++ Coding Standard, CON51-CPP: release of locks where an exception passes
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Confidence, Finding, Frame, Level, Participant, fingerprint
from lockorder.rules.causes import of_kept
from lockorder.rules.evidence import Evidence, Kept

ID = "lock-not-released"
LEVEL = Level.WARNING
causes = of_kept


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each way out that keeps a lock; those of one acquisition have one cause."""
    told: set[tuple[str, Frame, str]] = set()
    for kept in evidence.observed.kept:
        way = kept.taken.lock, kept.leaves, kept.how
        if not kept.never and way in told:
            continue  # taken at another place, by the other member of a union, say
        told.add(way)
        if kept.never:
            yield _never(kept, evidence.graph.locks[kept.taken.lock].name)
        elif not kept.group:
            name = evidence.graph.locks[kept.taken.lock].name
            yield story(
                ID, kept, name, f"{name} stays locked", f"release {name}", (kept.taken.lock,)
            )


def _never(kept: Kept, name: str) -> Finding:
    """The finding for a lock that is taken and given up nowhere."""
    lock = kept.taken.lock
    return Finding(
        rule=ID,
        level=LEVEL,
        confidence=Confidence.HIGH,
        reason="nothing in the program releases it",
        message=f"{name} is taken and never released",
        fix=f"release {name} where it has been taken, or use a guard",
        locks=(lock,),
        participants=tuple(
            Participant(who=who, held=(taken,), waits=f"its end, with {name} held")
            for who, taken in kept.never
        ),
        fingerprint=fingerprint(ID, (lock,), ("never",)),
    )


def story(rule: str, kept: Kept, name: str, what: str, fix: str, locks: tuple[str, ...]) -> Finding:
    """The finding for a path that keeps something."""
    way = "an exception leaves" if kept.how == "exception" else "returns"
    place: Frame = kept.leaves
    where = f"{place.file}:{place.line}"
    return Finding(
        rule=rule,
        level=LEVEL,
        confidence=Confidence.HIGH if kept.how == "return" else Confidence.MEDIUM,
        reason="another path of the same function gives it up"
        if kept.how == "return"
        else "the exception is thrown in a callee or written here; who catches it is not known",
        message=f"{what} when {kept.function} {way} at {where}"
        if kept.how == "return"
        else f"{what} when {way} {kept.function} at {where}",
        fix=f"{fix} on that path too, or use a guard",
        locks=locks,
        participants=(
            Participant(
                who=kept.function, held=(kept.taken,), waits=f"its end, with {name} held",
                chain=(place,),
            ),
        ),
        fingerprint=fingerprint(rule, locks or (name,), (kept.function,)),
    )  # fmt: skip
