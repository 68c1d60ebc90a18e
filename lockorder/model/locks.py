"""Locks, acquisitions and the evidence for one lock-order edge.

A lock is a *class* in lockdep's sense (Documentation/locking/lockdep-design.rst): all instances
created for the same declaration.  Which object an acquisition touched, where that is known, is its
``Instance``.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterable, Sequence

import msgspec


class LockKind(enum.Enum):
    """What sort of synchronisation object a lock is."""

    MUTEX = "mutex"
    RECURSIVE = "recursive"
    SHARED = "shared"
    SPIN = "spin"
    ONCE = "once"
    STATIC_INIT = "static-init"
    SEMAPHORE = "semaphore"
    GIL = "gil"
    #: No lock: the one thread that runs for an object at a time, as its member stands for it.
    THREAD = "thread"

    @property
    def reentrant(self) -> bool:
        """Whether the holder of such a lock may take it again without waiting for itself."""
        return self in (LockKind.RECURSIVE, LockKind.SEMAPHORE, LockKind.GIL)

    @property
    def initialises(self) -> bool:
        """Whether it is held around what runs once, at the first call that needs it."""
        return self in (LockKind.ONCE, LockKind.STATIC_INIT)


class Mode(enum.Enum):
    """Exclusive (writer) or shared (reader) ownership."""

    EXCLUSIVE = "exclusive"
    SHARED = "shared"

    # Members are singletons; Enum's own hash is a Python call, and these are in every key.
    __hash__ = object.__hash__


class How(enum.Enum):
    """How an acquisition waits: without limit, up to a time limit, or not at all."""

    BLOCKING = "blocking"
    TIMED = "timed"
    TRY = "try"

    __hash__ = object.__hash__


#: Python's own sources: what they do, they do for their callers.
_STANDARD = re.compile(
    r"<frozen |.*/python3\d+\.zip/"
    r"|.*/lib(64)?/(python|pypy)3[.\d]*t?/(?!(.*/)?(site|dist)-packages/)"
)


_INSTALLED = re.compile(r"/(site|dist)-packages/")


class Frame(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """One step of a call chain: *function* was executing *file*:*line*:*column* (1-based)."""

    function: str
    file: str = ""
    line: int = 0
    column: int = 0

    @property
    def is_standard(self) -> bool:
        """Whether it is in Python's standard library."""
        return bool(_STANDARD.match(self.file))

    @property
    def is_installed(self) -> bool:
        """Whether it is in a package that is installed beside the job's own code."""
        return self.is_standard or bool(_INSTALLED.search(self.file))


def users_place(chain: Sequence[Frame]) -> Frame:
    """The innermost line of the job's own code; the end of the chain where none is known.

    Where the job's own is Python, what it calls of installed packages and libraries is passed over.
    """
    python = [frame for frame in chain if frame.file.endswith(".py")]
    own = [frame for frame in python if not frame.is_installed]
    if not own or not chain[-1].file or chain[-1].is_installed:
        lines = own or [frame for frame in chain if frame.file and not frame.is_installed]
        return lines[-1] if lines else chain[-1]
    return chain[-1]


class Lock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A lock class.

    ``id`` is unique in a document; ``name`` is what a person reads (``Class::field``, a global's
    qualified name, ``function()::static``); ``file`` and ``line`` are where it is declared.
    """

    id: str
    name: str
    kind: LockKind = LockKind.MUTEX
    file: str = ""
    line: int = 0


class Fixed(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """A number or flag that never changes is ``literal`` (0 for false and null), or is not.

    ``where`` is a global, or a member of an object and the way from there to what is spoken of.
    """

    where: str
    literal: str = "0"
    truth: bool = True

    def excludes(self, other: Fixed) -> bool:
        """Whether both cannot be so."""
        if self.where != other.where:
            return False
        if self.literal == other.literal:
            return self.truth != other.truth
        return self.truth and other.truth


def excluding(some: Iterable[Fixed], others: Sequence[Fixed]) -> Fixed | None:
    """One of *some* that cannot be so where *others* are."""
    return next((a for a in some for b in others if a.excludes(b)), None)


class Instance(msgspec.Struct, frozen=True, order=True, omit_defaults=True):
    """Which object of a lock class an acquisition touched.

    ``owner`` names the object that contains the lock, as the witness sees it (``this``, a
    parameter, a global, an address).  ``absolute`` owners mean the same object in every witness;
    others only within one.  ``slot`` is the declaration (``Class::field``) that the owner is
    embedded in by value: owners in different slots are different objects.  ``anchor`` begins
    ``owner``: an object that leads to this one owner as long as it lives; empty where that is only
    the owner itself.  ``made_of`` are the arguments of the class template that the lock is a member
    of, where they are known: objects of others are other objects.  ``classes`` are those that the
    owner can have, where these are not all that have the lock.
    """

    owner: str
    absolute: bool = False
    slot: str = ""
    anchor: str = ""
    made_of: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()

    def may_be(self, other: Instance | None) -> bool:
        """Whether *self* and *other*, seen by two witnesses, can be one object."""
        if other is None:
            return True
        if self.absolute and other.absolute:
            return self == other
        if any(a != b for a, b in zip(self.made_of, other.made_of, strict=False)):
            return False
        if self.classes and other.classes and set(self.classes).isdisjoint(other.classes):
            return False
        return not (self.slot and other.slot and self.slot != other.slot)

    def way_from(self, other: Instance) -> str | None:
        """The members that always lead from *other*'s owner to this one; None without such a way.

        Both are seen by one witness.  Two witnesses who see the same way from the same object see
        the same owner.
        """
        if self.owner == other.owner:
            return ""
        if not self.owner.startswith(f"{other.owner}."):
            return None
        surely = self.anchor and f"{other.owner}.".startswith(f"{self.anchor}.")
        return self.owner.removeprefix(other.owner) if surely else None


class HeldLock(msgspec.Struct, frozen=True, omit_defaults=True):
    """A lock that is held while something else happens (a candidate gate lock)."""

    lock: str
    mode: Mode = Mode.EXCLUSIVE
    instance: Instance | None = None


class Certainty(enum.IntEnum):
    """How surely the steps of a way were resolved; a way is as certain as its least certain step.

    ``CERTAIN``: each of them exactly.  ``POSSIBLE``: one is one of several possible targets, or may
    not happen.  ``GUESSED``: one was joined by name alone, or mostly does not happen.
    ``SELDOM``: one happens only where the last of several owners lets go.
    ``UNLIKELY``: one is one of many that share no more than the place that they are called from.
    """

    UNLIKELY = -1
    SELDOM = 0
    GUESSED = 1
    POSSIBLE = 2
    CERTAIN = 3

    @property
    def lower(self) -> Certainty:
        """The next one below, down to a guess."""
        return Certainty(max(self - 1, min(self, Certainty.GUESSED)))


class Acquisition(msgspec.Struct, frozen=True, omit_defaults=True):
    """One lock taken by one thread; ``chain`` is outermost frame first, the taking line last.

    ``fixed`` is what never changes of the object that the lock is in, and was found so on the way.
    """

    lock: str
    chain: tuple[Frame, ...]
    mode: Mode = Mode.EXCLUSIVE
    how: How = How.BLOCKING
    instance: Instance | None = None
    fixed: tuple[Fixed, ...] = ()


class Between(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the objects are related whose locks a thread takes one after the other.

    They are *same* where both locks are parts of one object.  Else the second is below the first:
    it was made later, and no object is below itself; *why*, in words.  Where that is not *sure*, it
    is likely.
    """

    same: bool = False
    why: str = ""
    sure: bool = True


class EdgeWitness(msgspec.Struct, frozen=True, omit_defaults=True):
    """Evidence that a thread took ``taken`` while it held ``held``.

    ``gates`` are the further locks held at that moment.  ``thread`` names the one thread that can
    do this (a recorded thread, or ``main`` where a static analysis proves that only the main
    thread gets here); None stands for "any number of threads".  ``why`` says in words why it is
    not more certain.  ``between`` is how the two locks' objects are related, where that is known.
    ``owner`` is the library that does all of it, in a recorded run; empty where the job has a part.
    ``fixed`` is what never changes while the program runs, and has to be so for this.
    """

    held: Acquisition
    taken: Acquisition
    gates: tuple[HeldLock, ...] = ()
    thread: str | None = None
    certainty: Certainty = Certainty.CERTAIN
    why: str = ""
    between: Between | None = None
    owner: str = ""
    fixed: tuple[Fixed, ...] = ()

    @property
    def locks_held(self) -> tuple[HeldLock, ...]:
        """Everything held while waiting: the edge's own source lock first, then the gates."""
        own = HeldLock(self.held.lock, self.held.mode, self.held.instance)
        return (own, *self.gates)


class LockSites(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the sources take a lock, alone or under others: the line itself, not the way there."""

    lock: Lock
    places: tuple[Frame, ...]


class LeftOut(msgspec.Struct, frozen=True, omit_defaults=True):
    """An order that the sources show and that is not in the graph, and why it cannot matter."""

    held: str
    taken: str
    why: str
