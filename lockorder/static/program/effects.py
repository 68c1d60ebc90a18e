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
    __slots__ = ("order",)
    _all: ClassVar[dict[tuple[object, ...], Any]] = {}
    #: By what it is sorted among paths.
    order: _Order
    #: It is no object, and so none of many, nor one of which nothing is known.
    is_one_of_many = is_some_object = is_unknown = False

    @classmethod
    def _one(cls: type[_T], *key: object) -> tuple[_T, bool]:
        """The object for *key*, and whether it is new."""
        whole = (cls, *key)
        known = _Effect._all.get(whole)
        if known is not None:
            return known, False
        made = _Effect._all[whole] = object.__new__(cls)
        return made, True

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of {type(self).__name__} cannot be changed")

    def __lt__(self, other: object) -> bool:
        return self.order < order_of(other)

    def __gt__(self, other: object) -> bool:
        return self.order > order_of(other)


class Wait(_Effect):
    """A call of *name* waits, or is one that rules want to see in a group.

    *about* are keys: of the functions whose threads are waited for, or of what the object is called
    by which others wake the waiter.
    """

    __slots__ = ("about", "name")
    name: str
    about: tuple[str, ...]

    def __new__(cls, name: str, about: tuple[str, ...] = ()) -> Wait:
        """The wait in calls of *name* for what *about* says."""
        known, is_new = cls._one(name, about)
        if is_new:
            object.__setattr__(known, "name", name)
            object.__setattr__(known, "about", about)
            object.__setattr__(known, "order", (f"wait:{name}", about))
        return known

    def __repr__(self) -> str:
        return f"Wait({self.name!r}, {self.about!r})"

    def __reduce__(self) -> tuple[type[Wait], tuple[str, tuple[str, ...]]]:
        return Wait, (self.name, self.about)


class Group(_Effect):
    """A group of calls that was begun by a call of *name* and not ended."""

    __slots__ = ("name",)
    name: str

    def __new__(cls, name: str) -> Group:
        """The group of that name."""
        known, is_new = cls._one(name)
        if is_new:
            object.__setattr__(known, "name", name)
            object.__setattr__(known, "order", (f"group:{name}", ()))
        return known

    def __repr__(self) -> str:
        return f"Group({self.name!r})"

    def __reduce__(self) -> tuple[type[Group], tuple[str]]:
        return Group, (self.name,)


class Issued(_Effect):
    """A collective, by the *name* of its function, is issued on a communicator."""

    __slots__ = ("communicator", "name")
    communicator: Path
    name: str

    def __new__(cls, communicator: Path, name: str) -> Issued:
        """The collective *name* on *communicator*."""
        known, is_new = cls._one(communicator, name)
        if is_new:
            root, steps = communicator.order
            object.__setattr__(known, "communicator", communicator)
            object.__setattr__(known, "name", name)
            object.__setattr__(known, "order", (root, (*steps, f"*issues:{name}")))
        return known

    def __repr__(self) -> str:
        return f"Issued({self.communicator!r}, {self.name!r})"

    def __reduce__(self) -> tuple[type[Issued], tuple[Path, str]]:
        return Issued, (self.communicator, self.name)


#: What can be held: a lock, or a group of calls.
Holdable = Path | Group
#: What a call does: it takes a lock, waits, or issues a collective.
Effect = Path | Wait | Issued
What = Path | Wait | Group | Issued


def order_of(what: object) -> _Order:
    """By what *what* is sorted."""
    assert isinstance(what, Path | _Effect)
    return what.order
