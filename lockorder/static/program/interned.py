"""Small values of which there is one object each, so that they are compared by identity."""

from __future__ import annotations

from typing import ClassVar, TypeVar

_T = TypeVar("_T", bound="Interned")


class Interned:
    """A kind of value that is told by its kind and its *key*.

    Equal values are the same object.  Their order says nothing of the program; it is the same in
    every run, so that whatever is sorted is.
    """

    __slots__ = ("key", "order")
    #: How values of this kind are written, and sorted: before and after their key.
    PREFIX: ClassVar[str] = ""
    SUFFIX: ClassVar[str] = ""
    _all: ClassVar[dict[str, Interned]] = {}
    key: str
    order: str

    def __init_subclass__(cls) -> None:
        cls._all = {}

    def __new__(cls: type[_T], key: str = "") -> _T:
        """The value of this kind with that key."""
        known = cls._all.get(key)
        if known is None:
            known = object.__new__(cls)
            object.__setattr__(known, "key", key)
            object.__setattr__(known, "order", cls.PREFIX + key + cls.SUFFIX)
            cls._all[key] = known
        assert isinstance(known, cls)
        return known

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of {type(self).__name__} cannot be changed")

    def __lt__(self, other: object) -> bool:
        there = order_of(other)
        return NotImplemented if there is None else self.order < there

    def __gt__(self, other: object) -> bool:
        there = order_of(other)
        return NotImplemented if there is None else self.order > there

    def __str__(self) -> str:
        return self.order

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.key!r})"

    def __reduce__(self) -> tuple[type[Interned], tuple[str]]:
        return type(self), (self.key,)


def order_of(value: object) -> str | None:
    """By what *value* is sorted among interned values and texts; None for what is neither."""
    if isinstance(value, Interned):
        return value.order
    return value if isinstance(value, str) else None
