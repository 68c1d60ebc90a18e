"""What an access path begins at: a type for each kind of it."""

from __future__ import annotations

from lockorder.static.program.interned import Interned


class Variable(Interned):
    """A variable, a parameter or a global, by key."""

    __slots__ = ()
    PREFIX = "v:"


class This(Interned):
    """The object that a member function (by key) is called on."""

    __slots__ = ()
    PREFIX = "this:"


class Made(Interned):
    """What a function makes, or what a call in it returned: ``FUNCTION:NUMBER``."""

    __slots__ = ()
    PREFIX = "made:"

    @property
    def function(self) -> str:
        """The key of the function that makes it."""
        return self.key.rpartition(":")[0]

    @property
    def number(self) -> str:
        """How it is numbered there; with an ``r`` before it where a call returned it."""
        return self.key.rpartition(":")[2]


class Function(Interned):
    """A function or a lambda (by key), as a value."""

    __slots__ = ()
    PREFIX = "fn:"


class Literal(Interned):
    """A number, flag, enumerator or null, as it is written; empty where nobody can say which."""

    __slots__ = ()
    PREFIX = "lit:"


class Returned(Interned):
    """What a function without a body returned, by its name: a getter elsewhere."""

    __slots__ = ()
    PREFIX = "of:"


class Result(Interned):
    """The object that a function returns by value."""

    __slots__ = ()
    PREFIX = "ret:"


class Entry(Interned):
    """The caller of a function, who has something when it is entered."""

    __slots__ = ()
    PREFIX = "entry:"


class Registry(Interned):
    """What a library keeps of the callables that it was given, by number."""

    __slots__ = ()
    PREFIX = "registry:"


class Named(Interned):
    """A lock that is no object of the program, by name: Python's GIL."""

    __slots__ = ()
    PREFIX = "lock:"


class Holds(Interned):
    """Whether the thread has a named lock, as a value."""

    __slots__ = ()
    PREFIX = "holds:"


class Saved(Interned):
    """How often a named lock was had before it was given up."""

    __slots__ = ()
    PREFIX = "saved:"


class Initialiser(Interned):
    """The guard of a static local's (by key) initialiser."""

    __slots__ = ()
    PREFIX = "init:"


class Unknown(Interned):
    """Some object, nothing known."""

    __slots__ = ()
    PREFIX = "?"


Root = (
    Variable | This | Made | Function | Literal | Returned | Result | Entry | Registry
    | Named | Holds | Saved | Initialiser | Unknown
)  # fmt: skip
