"""What ranks did on their communicators: the same for recorded runs and flight-recorder dumps.

Communicators are to ranks what locks are to threads.  A rank's operations on one communicator are
numbered from 1; all its ranks have to agree on the n-th collective (NCCL User Guide, "Collective
Operations"), and the k-th send from a to b belongs to the k-th receive of b from a.
"""

from __future__ import annotations

import enum

import msgspec

from lockorder.model.locks import Frame


class Operation(msgspec.Struct, frozen=True, omit_defaults=True):
    """A kind of operation that a rank issued at one place.

    ``name`` is NCCL's in lower case (``all_reduce``, ``broadcast``, ``send``, ``split``).
    ``count`` is in elements, as NCCL's call takes it: of an all_gather what each rank sends, of a
    reduce_scatter what each receives; -1: not known, or the ranks' may differ.  ``type`` and
    ``reduction`` are NCCL's names in lower case (``float32``, ``sum``); ``root`` is a rank of the
    communicator, also the peer of a send or receive, or -1.  ``chain`` is where it was issued,
    outermost frame first; ``thread`` by whom.
    """

    name: str
    count: int = -1
    type: str = ""
    reduction: str = ""
    root: int = -1
    chain: tuple[Frame, ...] = ()
    thread: str = ""

    @property
    def agreed(self) -> tuple[str, int, str, str, int]:
        """What all ranks have to say alike."""
        return (self.name, self.count, self.type, self.reduction, self.root)


class Steps(msgspec.Struct, frozen=True, omit_defaults=True):
    """A sequence of symbols, compressed as LZ77 does it.

    Each token is (what, length, copy): *length* times the symbol *what*, or, as a copy, the next
    *length* symbols are those that stood *what* places before (which may overlap).  ``first`` is
    the number of the first symbol; those before it are not known any more.
    """

    tokens: tuple[tuple[int, int, bool], ...]
    first: int = 1

    @property
    def known(self) -> int:
        """How many symbols the tokens stand for."""
        return sum(length for _, length, _ in self.tokens)


class Issued(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one rank issued on one communicator.

    ``steps`` are indices into the log's operations; ``total`` counts all that were issued, known
    or not.  ``started`` and ``completed`` are how many of them the device had begun and finished,
    in order; -1: not known.  ``ended``: it was destroyed, or its process finished: nothing more
    would have come.  Of a communicator of which a log has none of these, it does not know.
    """

    communicator: str
    rank: int
    steps: Steps
    total: int
    started: int = -1
    completed: int = -1
    ended: bool = False


class Launch(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where an operation was put: *communicator* and this process' *rank* in it, the stream's name.

    ``group`` is 0 outside of a group of calls, 1 for the first of a group, 2 for a later one:
    operations of a group start together.  ``peer``: of the sends and receives, else of the
    collectives.
    """

    communicator: str
    rank: int
    stream: str = ""
    group: int = 0
    peer: bool = False


class Membership(msgspec.Struct, frozen=True, omit_defaults=True):
    """A communicator as one of its ranks knows it; -1 and empty: not known.

    ``key`` is the same in all ranks; ``members`` are global ranks by rank of the communicator.
    """

    key: str
    name: str
    size: int = -1
    rank: int = -1
    members: tuple[int, ...] = ()
    chain: tuple[Frame, ...] = ()
    parent: str = ""


class End(enum.Enum):
    """How a log ends."""

    FINISHED = "finished"  # by itself
    CUT = "cut"  # killed, while it may have been at work
    STUCK = "stuck"  # after a time in which nothing had moved, or dumped for that reason
    UNKNOWN = "unknown"


class RankLog(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one process did with its communicators.

    ``rank`` is the global rank, or -1; ``who`` tells the process apart for people.
    ``collectives`` and ``peers`` are by communicator; ``launches`` is the order of issue over all
    of them, as indices into ``places``.  ``last_ns``: wall-clock time (since 1970) of the last
    operation, 0: not known.  ``waits`` says what its threads waited for when the log ends.
    """

    who: str
    rank: int = -1
    end: End = End.UNKNOWN
    memberships: tuple[Membership, ...] = ()
    operations: tuple[Operation, ...] = ()
    collectives: tuple[Issued, ...] = ()
    peers: tuple[Issued, ...] = ()
    places: tuple[Launch, ...] = ()
    launches: Steps = Steps(())
    last_ns: int = 0
    waits: tuple[str, ...] = ()
