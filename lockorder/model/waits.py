"""Who waits for whom at one moment: the threads of hung jobs, and of runs that were cut off.

The nodes of a wait-for graph (Coffman, Elphick, Shoshani 1971) are threads; what a thread waits for
is a resource, and who has it are other threads, if that can be known.
"""

from __future__ import annotations

import msgspec

from lockorder.model.locks import Frame


class Owner(msgspec.Struct, frozen=True, omit_defaults=True):
    """A thread that has what another waits for; *chain* is where it took it, if that is known."""

    who: str
    chain: tuple[Frame, ...] = ()


class Wait(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A thread that waits.

    ``who`` names it in the whole job; ``process`` and ``rank`` say where it belongs.  ``kind`` is
    what it waits for: ``mutex``, ``rwlock``, ``once``, ``static-init``, ``semaphore``, ``gil``,
    ``python-lock``, ``join``, ``condition``, ``ranks``, ``gpu``, ``io``, ``sleep``.  ``lock`` is a
    lock's id, or its name.  ``timed``: the wait ends by itself.  ``inferred``: who has it
    is told by the sources around the threads' frames, and not by memory.  ``chain`` is where it
    waits.  ``gone`` is the thread that had it, where that is not there any more.

    Where no owner is known, ``by`` are the processes (by their names) any thread of which could end
    it, and ``outside`` says in words what else could; both empty: not known.  ``what`` is what is
    waited for in words: "a pipe", "the end of a child process".  ``expects``: what is outside is a
    partner that should come, such as the other end of a connection, and not just anybody.

    Of a wait for other ranks ``peer`` is the one that is sent to or received from, -1: not known,
    ``key`` what is waited for in a store, several with commas between them, and ``group`` the
    name of the process group, whose ranks ``members`` are.
    """

    who: str
    process: str
    rank: int = -1
    kind: str
    lock: str = ""
    owners: tuple[Owner, ...] = ()
    timed: bool = False
    inferred: bool = False
    chain: tuple[Frame, ...] = ()
    gone: str = ""
    by: tuple[str, ...] = ()
    outside: str = ""
    what: str = ""
    expects: bool = False
    peer: int = -1
    key: str = ""
    group: str = ""
    members: tuple[int, ...] = ()
