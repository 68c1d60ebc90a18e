"""What leads on from an object in an access path: a member (its key), or one of these types."""

from __future__ import annotations

from lockorder.static.program.interned import Interned


class Element(Interned):
    """An element of an array or a container: any of them, or the one that a number or an
    enumerator names; ``%`` for what a remainder chooses.
    """

    __slots__ = ()
    PREFIX = "["
    SUFFIX = "]"

    @property
    def is_chosen(self) -> bool:
        """Whether it is the one element that a number or an enumerator names."""
        return self.key not in ("", "%")


class ElementBy(Interned):
    """The element that a parameter (by key) says: callers know which."""

    __slots__ = ()
    PREFIX = "[@"
    SUFFIX = "]"


class Whole(Interned):
    """From a member (by key) to the object that it lies in."""

    __slots__ = ()
    PREFIX = "^"


class Masked(Interned):
    """The same number with other bits: ``KEPT|SET``."""

    __slots__ = ()
    PREFIX = "&"

    @staticmethod
    def of(kept: int, added: int) -> Masked:
        """The step that keeps the bits of *kept* and sets those of *added*."""
        return Masked(f"{kept}|{added}")

    @property
    def bits(self) -> tuple[int, int]:
        """The bits that are kept, and those that are set."""
        kept, _, added = self.key.partition("|")
        return int(kept), int(added)


class Locks(Interned):
    """Behind an object, what it stands for as a lock or a wait (below)."""

    __slots__ = ()
    PREFIX = "*"


class Method(Interned):
    """Behind an object: a method (by name) is called whose class only a caller knows."""

    __slots__ = ()
    PREFIX = "*method:"


class Got(Interned):
    """Behind an object: what a method (by name) without a body returned, a getter elsewhere."""

    __slots__ = ()
    SUFFIX = "()"


class Out(Interned):
    """Behind a call's result: what it wrote to the argument of that number."""

    __slots__ = ()
    PREFIX = "*out"


class Ends(Interned):
    """Behind a smart pointer: the object that it keeps to end what it owns, by its type."""

    __slots__ = ()
    PREFIX = "~"


class Somewhere(Interned):
    """To some object, by whatever pointers lead there."""

    __slots__ = ()
    PREFIX = "..."


#: A member is its key.
Step = str | Element | ElementBy | Whole | Masked | Locks | Method | Got | Out | Ends | Somewhere
Steps = tuple[Step, ...]

#: A tuple, which costs half of what a union does: this is asked millions of times.
_ELEMENTS = (Element, ElementBy)
ELEMENT = Element("")
REMAINDER = Element("%")
SOMEWHERE = Somewhere()
#: Behind a guard: the lock that it holds.
GUARDED = Locks("guard")
#: Behind an object whose class only a caller knows: what its ``lock()`` takes.
LOCKED = Locks("lock")
#: Behind a callable: the locks that a call of it gives up.
CALLED = Locks("called")
#: Behind what is waited for: what a wait with a time limit returned.
STATUS = Locks("status")
#: Behind what stands for a thread: that it runs, so that no other of that object does.
RUNS = Locks("thread that runs")
#: Behind what stands for a thread: whether that is the thread that is here, or that it is not.
HERE = Locks("thread that is here")
BESIDE = Locks("thread beside")


def member(step: Step) -> str:
    """The key of the member that a step leads to; empty where it leads to something else."""
    return step if isinstance(step, str) else ""


def is_element(step: Step) -> bool:
    """Whether a step leads to an element."""
    return isinstance(step, _ELEMENTS)


def is_chosen(step: Step) -> bool:
    """Whether a step leads to the one element that a number or an enumerator names."""
    return isinstance(step, Element) and step.is_chosen
