"""Which lock a thread of Python's waits for, and who has it, by the sources around the frames.

A ``threading.Lock`` says of itself neither its name nor its owner.  The line that takes it names
it, and who is inside of a ``with`` of the same object has it; where objects cannot be had, the same
name in one source has to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from lockorder import meaning
from lockorder.hang import pyframes, python_stacks, stacks, with_statements
from lockorder.hang.image import Image
from lockorder.hang.stacks import Stacks
from lockorder.hang.waits import Wait as Found
from lockorder.model import Frame, Owner

_IN_LOCK = 16  # bytes of any Python object before what is its own


class LockNames:
    """Answers for one process; *who* names a thread by its id, *look* reads its interpreter."""

    def __init__(
        self,
        image: Image,
        found: Stacks,
        chains: Mapping[int, Sequence[Frame]],
        who: Callable[[int], str],
        look: pyframes.Look | None,
        live: bool,
    ) -> None:
        self.image, self.stacks, self.chains = image, found, chains
        self._who, self._look, self._live = who, look, live
        #: The names of locks that threads wait for, by where those are.
        self.asked: dict[int, str] = {}

    def joined(self, tid: int) -> tuple[Owner, ...]:
        """The thread whose end is waited for in ``Thread.join``: the one that runs this object."""
        joins = [f for f in self.chains.get(tid, ()) if _is_join(f)]
        found = self._variable(tid, joins[-1], "self") if joins else 0
        if not found:
            return ()
        for other, stack in self.stacks.threads.items():
            begins = next((f for f in stack.chain if _is_bootstrap(f)), None)
            if begins is not None and self._variable(other, begins, "self") == found:
                return (Owner(self._who(other)),)
        return ()

    def python_lock(self, wait: Found, lock: str) -> tuple[str, tuple[Owner, ...]]:
        """A ``threading.Lock`` by the name that the source gives it, and who is inside of it."""
        wanted = with_statements.wanted(self.chains.get(wait.tid, ()))
        owners: list[Owner] = []
        for tid, chain in self.chains.items():
            is_same = self._is_same if tid != wait.tid else self._is_own
            for held in with_statements.held(chain):
                if is_same(tid, held, wait, wanted):
                    owners.append(Owner(self._who(tid), (held.at,)))
                    break
        if wanted is not None and not meaning.is_standard(wanted.frame.file):
            lock = wanted.name
            if any(name == lock and at != wait.address for at, name in self.asked.items()):
                lock += f" at {wait.address:#x}"
        # Of two who are inside of a lock of that name, one at least has another object's.
        return lock, tuple(owners) if len(owners) == 1 else ()

    def _is_same(
        self,
        tid: int,
        held: with_statements.Named,
        wait: Found,
        wanted: with_statements.Named | None,
    ) -> bool:
        """Whether what a thread is inside of is what another waits for: by object, else by name."""
        here, rest = self._object(tid, held)
        if here and not rest:
            word = self.image.read(here + _IN_LOCK, 8)
            # Up to 3.12 a lock points to its semaphore; from then on it is in the object.
            return wait.address in (here + _IN_LOCK, int.from_bytes(word or b"", "little"))
        if wanted is None:
            return False
        there, name = self._object(wait.tid, wanted)
        if here and there:
            return (here, rest) == (there, name)
        return not there and not here and (held.file, held.name) == (wanted.file, wanted.name)

    def _is_own(
        self,
        tid: int,
        held: with_statements.Named,
        wait: Found,
        wanted: with_statements.Named | None,
    ) -> bool:
        """The same of what the waiting thread itself is inside of.

        A method that calls that of another object has a lock of the same name, and one that waits
        to be told something may have taken its lock itself.  (An RLock never waits for its owner.)
        """
        if wanted is None or (not held.by_with and with_statements.is_handed_over(held)):
            return False
        (here, rest), (there, _) = self._object(tid, held), self._object(tid, wanted)
        if (here and not rest) or (here and there):
            return self._is_same(tid, held, wait, wanted)
        same_name = (held.file, held.name) == (wanted.file, wanted.name)
        if here or there or not same_name or not wanted.alone:
            return False
        return held.frame is wanted.frame or (held.is_plain and not rest)

    def _object(self, tid: int, named: with_statements.Named) -> tuple[int, str]:
        """Where the object is that a name begins with, in that thread's function, and the rest."""
        first, _, rest = named.name.partition(".")
        alike = self._variables.get((tid, *_place(named.frame)), [])
        # A function that calls itself is there several times, at one line.
        frames = [f for f in self.chains.get(tid, ()) if _place(f) == _place(named.frame)]
        places = [at for at, frame in enumerate(frames) if frame is named.frame]
        if len(alike) != len(frames) or len(places) != 1:
            return 0, rest
        return alike[places[0]].get(first, 0), rest

    def _variable(self, tid: int, frame: Frame, name: str) -> int:
        """Where the object is that a function has in its variable *name*; 0: not known."""
        alike = self._variables.get((tid, *_place(frame)), [])
        return alike[0].get(name, 0) if len(alike) == 1 else 0

    @cached_property
    def _variables(self) -> dict[tuple[int, str, str, int], list[dict[str, int]]]:
        """Objects in the variables of functions, by thread and place, outermost first."""
        found: dict[tuple[int, str, str, int], list[dict[str, int]]] = {}
        for each in self._all_variables():
            found.setdefault((each.tid, *_place(each.frame)), []).append(each.objects)
        return found

    def _all_variables(self) -> Iterable[stacks.Variables]:
        if self._look is not None:
            look = self._look
            return [
                stacks.Variables(thread.tid, frame.shown, look.locals(frame))
                for thread in look.threads
                for frame in reversed(thread.frames)
            ]
        if self.stacks.asked or not self._live:
            return stacks.variables(self.stacks)
        python = any(stack.python for stack in self.stacks.threads.values())
        return python_stacks.variables(self.image.outside) if python else ()


def _last(function: str) -> str:
    return function.rpartition(".")[2]


def _is_join(frame: Frame) -> bool:
    return frame.file.endswith("/threading.py") and _last(frame.function) == "join"


def _is_bootstrap(frame: Frame) -> bool:
    return frame.file.endswith("/threading.py") and _last(frame.function) == "_bootstrap"


def _place(frame: Frame) -> tuple[str, str, int]:
    return frame.file, frame.function.rpartition(".")[2], frame.line
