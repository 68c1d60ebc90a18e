"""What threads did and when, as far as a recording has times.

Times are nanoseconds after ``Timeline.first_ns``, from 1 on: so they stay below what a reader with
53 bits for a number can hold, and 0 is free to say "not known".  Processes are put side by side by
their machines' wall clocks.
"""

from __future__ import annotations

import enum

import msgspec

from lockorder.model.locks import Frame, Mode


class SpanKind(enum.Enum):
    """What a thread did for a time, or at a moment."""

    THREAD = "thread"  # it was there
    HOLD = "hold"  # it held a lock
    WAIT = "wait"  # it waited for a lock
    BLOCK = "block"  # it was in a call that waits, for a thread, the GPU or a condition, say
    COLLECTIVE = "collective"  # it was in a collective, a send or a receive
    CALL = "call"  # it was in another call of NCCL
    ORDER = "order"  # a moment: it took a lock, or asked for it, while it held others
    MISUSE = "misuse"  # a moment: it did something wrong with a lock or a group

    @property
    def momentary(self) -> bool:
        """Whether such a span is a moment; the others last, if only for a nanosecond."""
        return self in (SpanKind.ORDER, SpanKind.MISUSE)


class Span(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one thread did from ``start_ns`` to ``end_ns``; 0: it was still at it at the end.

    ``process`` names the process in the whole job, ``thread`` the thread in its process (``tid``
    may be used again after a thread's end; the name is not).  ``lock`` is a lock's id, ``instance``
    which object of it; ``name`` the function that was called, or what was wrong.  ``held`` are ids
    of the locks that were held meanwhile.  ``chain`` is where, outermost frame first: of a hold
    where the lock was taken, of a thread where it was created.  ``times`` calls are told as one,
    from the begin of the first to that of the last.  ``approximate`` says what of the times is not
    exact.
    """

    process: str
    rank: int = -1
    pid: int = 0
    thread: str = ""
    tid: int = 0
    kind: SpanKind
    lock: str = ""
    instance: str = ""
    name: str = ""
    mode: Mode = Mode.EXCLUSIVE
    start_ns: int
    end_ns: int = 0
    held: tuple[str, ...] = ()
    chain: tuple[Frame, ...] = ()
    detail: str = ""
    times: int = 1
    approximate: str = ""


class Arrow(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """From the thread that another one waits for to the one that waits; both of ``process``.

    At ``from_ns`` the first had ``lock``, at ``to_ns`` the second began to wait.  Without a lock
    the second waits for the first's end.
    """

    process: str
    from_thread: str
    from_tid: int = 0
    from_ns: int
    to_thread: str
    to_tid: int = 0
    to_ns: int
    lock: str = ""
    instance: str = ""


class Timeline(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Spans by process, thread and begin.

    ``first_ns`` is since 1970; ``last_ns``, the latest time that is known, is after ``first_ns`` as
    the spans' times are.  ``notes`` say what is not in it.
    """

    spans: tuple[Span, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    first_ns: int = 0
    last_ns: int = 0
    notes: tuple[str, ...] = ()
