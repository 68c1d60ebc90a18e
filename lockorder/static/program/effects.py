"""What a call does that is no lock: it waits, issues a collective, or stands in a group of calls.

These reach callers, callbacks and destructors as locks do, by the same summaries, with what is held
meanwhile and under which conditions.  Nothing about them is an object that two threads could lock.
As with paths there is one object for each.
"""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from lockorder.static.program.paths import Path
from lockorder.static.program.steps import Step

#: The name of a wait in a loop, for what others write.
POLL = "(poll)"
_Order = tuple[str, tuple[Step, ...]]
_T = TypeVar("_T", bound="_Effect")


class _Effect:
    __slots__ = ()
    _all: ClassVar[dict[tuple[object, ...], Any]] = {}
    #: Names of what tells one from another, in the order in which they are given.
    PARTS: ClassVar[tuple[str, ...]] = ()
    #: It is no object, and so none of many, nor one of which nothing is known.
    is_one_of_many = is_some_object = is_unknown = False

    @classmethod
    def _one(cls: type[_T], *parts: object) -> _T:
        """The object of those *parts*."""
        key = (cls, *parts)
        known: _T | None = _Effect._all.get(key)
        if known is None:
            known = _Effect._all[key] = object.__new__(cls)
            for name, part in zip(cls.PARTS, parts, strict=True):
                object.__setattr__(known, name, part)
        return known

    @property
    def order(self) -> _Order:
        """By what it is sorted among paths."""
        raise NotImplementedError

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of {type(self).__name__} cannot be changed")

    def __lt__(self, other: object) -> bool:
        return self.order < order_of(other)

    def __gt__(self, other: object) -> bool:
        return self.order > order_of(other)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self._parts()))})"

    def __reduce__(self) -> tuple[type[_Effect], tuple[object, ...]]:
        return type(self), self._parts()

    def _parts(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.PARTS)


class Wait(_Effect):
    """A call of *name* waits, or is one that rules want to see in a group.

    *about* are keys: of the functions whose threads are waited for, or of what the object is called
    by which others wake the waiter.  *other*: the waiter is known to be none of these threads.  It
    can be at the end of an object of the class *ending* with its last reference.
    """

    __slots__ = ("about", "ending", "name", "other")
    PARTS = ("name", "about", "other", "ending")
    name: str
    about: tuple[str, ...]
    other: bool
    ending: str

    def __new__(
        cls, name: str, about: tuple[str, ...] = (), other: bool = False, ending: str = ""
    ) -> Wait:
        """The wait in calls of *name* for what *about* says."""
        return cls._one(name, about, other, ending)

    def at_end(self, cls: str) -> Wait:
        """The same while an object of a class ends with its last reference."""
        return Wait(self.name, self.about, True, cls) if self.other and not self.ending else self

    @property
    def order(self) -> _Order:
        return f"wait:{self.name}", (*self.about, str(self.other), self.ending)


class Group(_Effect):
    """A group of calls that was begun by a call of *name* and not ended."""

    __slots__ = ("name",)
    PARTS = ("name",)
    name: str

    def __new__(cls, name: str) -> Group:
        """The group of that name."""
        return cls._one(name)

    @property
    def order(self) -> _Order:
        return f"group:{self.name}", ()


class Issued(_Effect):
    """A collective, by the *name* of its function, is issued on a communicator."""

    __slots__ = ("communicator", "name")
    PARTS = ("communicator", "name")
    communicator: Path
    name: str

    def __new__(cls, communicator: Path, name: str) -> Issued:
        """The collective *name* on *communicator*."""
        return cls._one(communicator, name)

    @property
    def order(self) -> _Order:
        root, steps = self.communicator.order
        return root, (*steps, f"*issues:{self.name}")


#: What can be held: a lock, or a group of calls.
Holdable = Path | Group
#: What a call does: it takes a lock, waits, or issues a collective.
Effect = Path | Wait | Issued
What = Path | Wait | Group | Issued


def order_of(what: object) -> _Order:
    """By what *what* is sorted."""
    assert isinstance(what, Path | _Effect)
    return what.order
