"""Access paths: which object an expression means (which lock that is: `identities`).

A path is a root and the members walked from it.  Roots are strings:

=================  ================================================================
``v:USR``          a variable, parameter or global
``this:USR``       the object of a member function
``made:USR:N``     the object made by construction N of a function
``fn:USR``         a function or a lambda
``lit:TEXT``       a literal
``of:NAME``        what a function without a body returned (a getter elsewhere)
``ret:``           the object that a function returns by value
``lock:NAME``      a lock that is no object of the program (Python's GIL)
``init:USR``       the guard of a static local's initialiser
``wait:NAME``      no lock: what a call of NAME waits for; steps say for whom
``group:NAME``     no lock: a group of calls that was begun and not ended
``?``              some object, nothing known
=================  ================================================================

Steps are USRs of fields, ``[]`` for an element (``[3]`` where it is told apart, ``[@USR]`` for the
one that an enumerator says which is a parameter), ``^USR`` from a member to the object that it lies
in, ``*guard`` for the lock that a guard object holds, ``&A|B`` for a number with the bits of A kept
and those of B set, ``*lock`` for what ``lock()`` takes of an object whose class only a caller
knows.
"""

from __future__ import annotations

import enum
import functools
from collections import Counter
from collections.abc import Callable, Iterable

from lockorder.bounds import FEW_OBJECTS, STEPS, VALUES, Bound
from lockorder.static.parse import numbers

ELEMENT = "[]"
#: How a step begins to the element that a parameter says: callers know which.
_BY = "[@"
#: A step to a number with other bits than what lies there.
_MASK = "&"
NAMED, INIT, WAIT, GROUP = "lock:", "init:", "wait:", "group:"
RETURNED = "ret:"
#: Whether the thread has a named lock, as a condition.
HOLDS = "holds:"
#: What waits in a loop, for what others write: a wait of this name.
POLL = "(poll)"
#: A step behind a communicator: a collective is issued on it (the function's name follows).
ISSUES = "*issues:"
#: A step behind an object: a method is called whose class only a caller knows (name follows).
METHOD = "*method:"
#: A step behind such an object: what its ``lock()`` takes.
LOCKED = "*lock"
#: A step behind a callable: the locks that a call of it gives up.
CALLED = "*called"
GUARDED = "*guard"
#: A step from a member (its key follows) to the object that it lies in.
WHOLE = "^"
#: A step behind what is waited for: what a wait with a time limit returned.
STATUS = "*status"


def _is_any_element(step: str) -> bool:
    return is_element(step) and not is_chosen(step)


def is_chosen(step: str) -> bool:
    """Whether a step leads to the one element that a number or an enumerator names."""
    return is_element(step) and step not in (ELEMENT, "[%]") and not step.startswith(_BY)


def element(index: tuple[Path, ...]) -> str:
    """The step to an element: a number, an enumerator or a remainder tells it from others."""
    text = numbers.plain(index[0].literal) if len(index) == 1 else ""
    named = text.isidentifier() and text not in _NO_NUMBERS
    return f"[{text}]" if named or text.isdecimal() or text == "%" else ELEMENT


#: Literals that are no enumerators.
_NO_NUMBERS = frozenset(("true", "false", "nullptr", "NULL"))


def element_by(parameter: str) -> str:
    """The step to the element that a parameter (by key) says."""
    return f"{_BY}{parameter}]"


def index_of(step: str) -> str:
    """The key of the parameter that says which element a step leads to; empty for others."""
    return step.removeprefix(_BY)[:-1] if step.startswith(_BY) else ""


def masked(path: Path, symbol: str, mask: int) -> Path:
    """``path symbol mask``, of bits: with those that a step at its end tells of already."""
    if path.is_literal:
        number = numbers.number_of(path.literal)
        found = numbers.folded(symbol, number, mask) if number is not None else None
        return Path.of_literal("" if found is None else str(found))
    base, kept, added = mask_of(path)
    kept, added = (kept, added | mask) if symbol == "|" else (kept & mask, added & mask)
    kept &= ~added
    if not kept:
        return Path.of_literal(str(added))
    if kept == -1 and not added:
        return base
    return base.then(f"{_MASK}{kept}|{added}")


def mask_of(path: Path) -> tuple[Path, int, int]:
    """What a number is made of: a path, the bits of it that are kept, and those that are set."""
    if not path.is_masked:
        return path, -1, 0
    kept, _, added = path.steps[-1].removeprefix(_MASK).partition("|")
    return Path(path.root, path.steps[:-1]), int(kept), int(added)


def is_mask(step: str) -> bool:
    """Whether a step leads to the same number with other bits."""
    return step[:1] == _MASK


def with_mask(step: str, path: Path) -> Path | None:
    """*path* with the bits of a *step* that tells of bits; None for what is no number."""
    kept, _, added = step.removeprefix(_MASK).partition("|")
    if path.is_function or (path.is_literal and numbers.number_of(path.literal) is None):
        return None
    return masked(masked(path, "&", int(kept)), "|", int(added))


def is_element(step: str) -> bool:
    """Whether a step leads to an element."""
    return step[:1] == "["


#: Paths that were cut, since somebody looked last.
too_long: list[Path] = []


#: How roots begin that are values, or names of locks and waits.
_NO_OBJECT = ("lit:", "fn:", NAMED, WAIT, GROUP, INIT)


class Kind(enum.Enum):
    """What a path begins at, and how its root begins."""

    VARIABLE = "v:"
    THIS = "this:"
    FUNCTION = "fn:"
    LITERAL = "lit:"
    MADE = "made:"
    RETURNED = "of:"
    RESULT = "ret:"
    ENTRY = "entry:"
    REGISTRY = "registry:"
    HOLDS = "holds:"
    NAMED = "lock:"
    INIT = "init:"
    WAIT = "wait:"
    GROUP = "group:"
    #: some object of a kind, which nobody can say
    UNKNOWN = ""


class Path:
    """A root and the members walked from it.

    There is one object for each: equal paths are the same object, which makes them cheap to look
    up, and what follows from a path is found once.
    """

    __slots__ = ("_after", "is_literal", "is_numbered", "is_some_object", "root", "steps")
    root: str
    steps: tuple[str, ...]
    #: Whether it is a literal.
    is_literal: bool
    #: Whether nothing tells which object it is of: one of many, or not known at all.
    is_some_object: bool
    #: Whether callers say which element of something it is, or lies in.
    is_numbered: bool
    #: Members of it that were asked for, by step.
    _after: dict[str, Path]

    def __new__(cls, root: str, steps: tuple[str, ...] = ()) -> Path:
        """The path of that root and those steps."""
        key = root, steps
        known = _paths.get(key)
        if known is None:
            known = _paths[key] = super().__new__(cls)
            setting = functools.partial(object.__setattr__, known)
            setting("root", root)
            setting("steps", steps)
            setting("is_literal", root[:4] == "lit:")
            setting("is_some_object", root == "?" or any(map(_is_any_element, steps)))
            setting("is_numbered", any(s.startswith(_BY) for s in steps))
            setting("_after", {})
        return known

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a path cannot be changed")

    def __lt__(self, other: Path) -> bool:
        return (self.root, self.steps) < (other.root, other.steps)

    def __repr__(self) -> str:
        return f"Path(root={self.root!r}, steps={self.steps!r})"

    def __reduce__(self) -> tuple[type[Path], tuple[str, tuple[str, ...]]]:
        return Path, (self.root, self.steps)

    @staticmethod
    def of_variable(usr: str, steps: tuple[str, ...] = ()) -> Path:
        """The variable *usr*, or what lies in it."""
        return Path("v:" + usr, steps)

    @staticmethod
    def of_this(function: str, steps: tuple[str, ...] = ()) -> Path:
        """The object that *function* is called on, or what lies in it."""
        return Path("this:" + function, steps)

    @staticmethod
    def of_function(usr: str) -> Path:
        """A function as a value."""
        return Path("fn:" + usr)

    @staticmethod
    def of_literal(text: str) -> Path:
        """A number, flag, enumerator or null."""
        return Path("lit:" + text)

    @staticmethod
    def of_call(name: str) -> Path:
        """What a function without a body, and without arguments, returned."""
        return Path("of:" + name)

    @staticmethod
    def of_made(function: str, number: str) -> Path:
        """What a function makes, or what a call in it returned."""
        return Path(f"made:{function}:{number}")

    @property
    def kind(self) -> Kind:
        """What the root is."""
        return Kind(self.root[: self.root.find(":") + 1])

    @property
    def variable(self) -> str:
        """The key of the variable that it begins at; empty if it begins at none."""
        root = self.root
        return root[2:] if root[:2] == "v:" else ""

    @property
    def declarations(self) -> tuple[str, ...]:
        """Keys of the declarations that it leads through."""
        return (self.variable, *self.steps) if self.is_variable else self.steps

    @property
    def function(self) -> str:
        """The key of the function that it is; empty for all else."""
        root = self.root
        return root[3:] if root[:3] == "fn:" else ""

    @property
    def literal(self) -> str:
        """The text of the literal that it is; empty for all else, and where nobody can say."""
        root = self.root
        return root[4:] if root[:4] == "lit:" else ""

    @property
    def literal_name(self) -> str:
        """How a literal is written; an enumerator's is its name."""
        return numbers.name_of(self.literal)

    @property
    def is_status(self) -> bool:
        """Whether it is what a wait for an object returned."""
        return self.steps[-1:] == (STATUS,)

    @property
    def is_masked(self) -> bool:
        """Whether it is a number with other bits than what lies at a place."""
        return bool(self.steps) and is_mask(self.steps[-1])

    @property
    def method(self) -> str:
        """The key of the function whose object it begins at; empty for all else."""
        root = self.root
        return root[5:] if root[:5] == "this:" else ""

    @property
    def maker(self) -> tuple[str, str]:
        """Of what is made: the function that makes it, and how it is numbered there."""
        if not self.is_made:
            return "", ""
        owner, _, number = self.root[5:].rpartition(":")
        return owner, number

    @property
    def returned(self) -> str:
        """The name of the function that returned what it begins at; empty for all else."""
        root = self.root
        return root[3:] if root[:3] == "of:" else ""

    @property
    def is_object(self) -> bool:
        """Whether it begins at an object, and is neither a value nor only the name of a lock."""
        return not self.root.startswith(_NO_OBJECT)

    @property
    def is_variable(self) -> bool:
        """Whether it begins at a variable."""
        return self.root[:2] == "v:"

    @property
    def is_this(self) -> bool:
        """Whether it begins at the object of a call."""
        return self.root[:5] == "this:"

    @property
    def is_function(self) -> bool:
        """Whether it is a function."""
        return self.root[:3] == "fn:"

    @property
    def is_plain(self) -> bool:
        """Whether it is a literal or a function, and no object."""
        return self.root[:4] == "lit:" or self.root[:3] == "fn:"

    @property
    def is_made(self) -> bool:
        """Whether it begins at an object that a function makes, or at what a call returned."""
        return self.root[:5] == "made:"

    @property
    def is_returned(self) -> bool:
        """Whether it begins at what a function without a body returned."""
        return self.root[:3] == "of:"

    @property
    def is_wait(self) -> bool:
        """Whether it is no lock, but a call that waits."""
        return self.root[:5] == WAIT

    @property
    def is_group(self) -> bool:
        """Whether it is no lock, but a group of calls."""
        return self.root[:6] == GROUP

    def then(self, step: str) -> Path:
        """The member *step* of this object.

        A member that is on the way already leads to one of many objects of a kind (the nodes of a
        list, a tree): where that begins is kept, and then there is an element.
        """
        known = self._after.get(step)
        return known if known is not None else self._then(step)

    def _then(self, step: str) -> Path:
        after = self._member(step)
        if len(self.steps) < STEPS.limit:  # what is too long is told each time
            self._after[step] = after
        return after

    def _member(self, step: str) -> Path:
        steps = self.steps
        if step == ELEMENT:
            return self if steps and is_element(steps[-1]) else Path(self.root, (*steps, step))
        if steps and (step[:1] == WHOLE or steps[-1][:1] == WHOLE):
            there = self._and_back(step)
            if there is not None:
                return there
        if step in steps and not is_element(step):
            again = steps[: steps.index(step) + 1]
            return Path(self.root, (*again, ELEMENT))
        if len(steps) >= STEPS.limit:
            too_long.append(self)
            return Path("?", (*steps[-1:], step))
        return Path(self.root, (*steps, step))

    def _and_back(self, step: str) -> Path | None:
        """Where *step* leads to if it goes back from a member, or to it again."""
        steps = self.steps
        if WHOLE + step == steps[-1]:
            return Path(self.root, steps[:-1])
        if step[:1] != WHOLE:
            return None
        last = len(steps) - (2 if len(steps) > 1 and is_element(steps[-1]) else 1)
        if step == WHOLE + steps[last]:
            return Path(self.root, steps[:last])
        known = all(each[:1] == WHOLE for each in steps)  # a caller may say which member that is
        return None if known else Path("?", (step,))

    def whole(self, member: str) -> Path:
        """The object that this one lies in as its *member*."""
        return self.then(WHOLE + member)

    def of_some_object(self) -> Path:
        """The member that this one ends in, of some object."""
        return Path("?", _end(self))

    def is_within(self, owner: Path) -> bool:
        """Whether it is *owner*, or a part of it."""
        return self.root == owner.root and self.steps[: len(owner.steps)] == owner.steps

    @property
    def end(self) -> tuple[str, ...]:
        """The member that it ends in, with the element of it."""
        return _end(self)

    @property
    def is_collective(self) -> bool:
        """Whether it is no lock, but a collective on a communicator."""
        return bool(self.steps) and self.steps[-1].startswith(ISSUES)

    @property
    def is_one_of_many(self) -> bool:
        """Whether it leads through an element of an array or container."""
        return any(map(is_element, self.steps))


#: All paths that there are.
_paths: dict[tuple[str, tuple[str, ...]], Path] = {}
Paths = tuple[Path, ...]


def each_once(found: Iterable[Path]) -> Paths:
    """*found* without repetitions; many members of one name are that member of some object."""
    distinct = tuple(found)
    if len(distinct) > 1:
        distinct = tuple(dict.fromkeys(distinct))
    if len(distinct) <= FEW_OBJECTS:
        return distinct
    ends = Counter(_end(p) for p in distinct)
    return tuple(
        dict.fromkeys(Path("?", e) if (e := _end(p)) and ends[e] > 1 else p for p in distinct)
    )


def few(found: Iterable[Path], cut: Callable[[Bound], None]) -> Paths:
    """*found*, each once; very many numbers are any number, and so nothing that is known."""
    distinct = each_once(found)
    if len(distinct) <= VALUES.limit:
        return distinct
    objects = tuple(p for p in distinct if not p.is_literal)
    if objects and len(objects) < len(distinct):
        cut(VALUES)
    if len(objects) > VALUES.limit:
        cut(VALUES)
    return objects[: VALUES.limit]


def _end(path: Path) -> tuple[str, ...]:
    """The member that *path* ends in, with the element of it."""
    steps = path.steps
    return steps[-2:] if steps and is_element(steps[-1]) else steps[-1:]


#: What stands for the guard of a lock that is held when a function is entered.
ENTRY = Path("entry:")
UNKNOWN = Path("?")
