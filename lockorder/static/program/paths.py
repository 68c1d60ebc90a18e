"""Access paths: which object an expression means (which lock that is: `identities`).

A path is what it begins at (`roots`: a variable, the object of a call, what a function makes) and
the steps that lead on from there (`steps`: members by their keys, elements, what a guard holds).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from lockorder.bounds import FEW_OBJECTS, STEPS, VALUES, Bound
from lockorder.static.parse import numbers
from lockorder.static.program import roots
from lockorder.static.program.roots import Root
from lockorder.static.program.steps import (
    ELEMENT,
    STATUS,
    Element,
    ElementBy,
    Masked,
    Step,
    Steps,
    Whole,
    is_chosen,
    is_element,
)


def _is_any_element(step: Step) -> bool:
    return is_element(step) and not is_chosen(step)


def element(index: tuple[Path, ...]) -> Element:
    """The step to an element: a number, an enumerator or a remainder tells it from others."""
    text = numbers.plain(index[0].literal) if len(index) == 1 else ""
    named = text.isidentifier() and text not in _NO_NUMBERS
    return Element(text) if named or text.isdecimal() or text == "%" else ELEMENT


#: Literals that are no enumerators.
_NO_NUMBERS = frozenset(("true", "false", "nullptr", "NULL"))


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
    return base.then(Masked.of(kept, added))


def mask_of(path: Path) -> tuple[Path, int, int]:
    """What a number is made of: a path, the bits of it that are kept, and those that are set."""
    step = path.steps[-1] if path.steps else ""
    if not isinstance(step, Masked):
        return path, -1, 0
    return path.owner, *step.bits


def with_mask(step: Masked, path: Path) -> Path | None:
    """*path* with the bits of a *step* that tells of bits; None for what is no number."""
    kept, added = step.bits
    if path.is_function or (path.is_literal and numbers.number_of(path.literal) is None):
        return None
    return masked(masked(path, "&", kept), "|", added)


#: Paths that were cut, since somebody looked last.
too_long: list[Path] = []

_PLAIN = (roots.Literal, roots.Function)
#: What is a value, or the name of a lock, and no object.
_NO_OBJECT = (roots.Literal, roots.Function, roots.Named, roots.Initialiser)


class Path:
    """A root and the members walked from it.

    There is one object for each: equal paths are the same object, which makes them cheap to look
    up, and what follows from a path is found once.
    """

    __slots__ = (
        "_after", "is_literal", "is_masked", "is_number", "is_numbered", "is_plain",
        "is_some_object", "root", "steps",
    )  # fmt: skip
    root: Root
    steps: Steps
    #: Whether it is a literal.
    is_literal: bool
    #: Whether it is a literal or a function, and no object.
    is_plain: bool
    #: Whether it is a number with other bits than what lies at a place.
    is_masked: bool
    #: Whether it is a literal, or such a number: all that a function knows is asked this often.
    is_number: bool
    #: Whether nothing tells which object it is of: one of many, or not known at all.
    is_some_object: bool
    #: Whether callers say which element of something it is, or lies in.
    is_numbered: bool
    #: Members of it that were asked for, by step; most paths are never asked.
    _after: dict[Step, Path] | None

    def __new__(cls, root: Root, steps: Steps = ()) -> Path:
        """The path of that root and those steps."""
        key = root, steps
        known = _paths.get(key)
        if known is None:
            known = _paths[key] = super().__new__(cls)
            setting = object.__setattr__
            literal = isinstance(root, roots.Literal)
            bits = bool(steps) and isinstance(steps[-1], Masked)
            setting(known, "is_plain", isinstance(root, _PLAIN))
            unknown = isinstance(root, roots.Unknown) or any(map(_is_any_element, steps))
            setting(known, "root", root)
            setting(known, "steps", steps)
            setting(known, "is_literal", literal)
            setting(known, "is_masked", bits)
            setting(known, "is_number", literal or bits)
            setting(known, "is_some_object", unknown)
            setting(known, "is_numbered", any(isinstance(s, ElementBy) for s in steps))
            setting(known, "_after", None)
        return known

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a path cannot be changed")

    @property
    def order(self) -> tuple[str, Steps]:
        """By what it is sorted, the same in every run."""
        return self.root.order, self.steps

    def __lt__(self, other: object) -> bool:
        return self.order < other.order if isinstance(other, Path) else NotImplemented

    def __repr__(self) -> str:
        return f"Path(root={self.root!r}, steps={self.steps!r})"

    def __reduce__(self) -> tuple[type[Path], tuple[Root, Steps]]:
        return Path, (self.root, self.steps)

    @staticmethod
    def of_variable(usr: str, steps: Steps = ()) -> Path:
        """The variable *usr*, or what lies in it."""
        return Path(roots.Variable(usr), steps)

    @staticmethod
    def of_this(function: str, steps: Steps = ()) -> Path:
        """The object that *function* is called on, or what lies in it."""
        return Path(roots.This(function), steps)

    @staticmethod
    def of_function(usr: str) -> Path:
        """A function as a value."""
        return Path(roots.Function(usr))

    @staticmethod
    def of_literal(text: str) -> Path:
        """A number, flag, enumerator or null."""
        return Path(roots.Literal(text))

    @staticmethod
    def of_call(name: str) -> Path:
        """What a function without a body, and without arguments, returned."""
        return Path(roots.Returned(name))

    @staticmethod
    def of_made(function: str, number: str) -> Path:
        """What a function makes, or what a call in it returned."""
        return Path(roots.Made(f"{function}:{number}"))

    @staticmethod
    def of_named(name: str) -> Path:
        """A lock that is no object of the program."""
        return Path(roots.Named(name))

    @property
    def variable(self) -> str:
        """The key of the variable that it begins at; empty if it begins at none."""
        root = self.root
        return root.key if isinstance(root, roots.Variable) else ""

    @property
    def declarations(self) -> tuple[str, ...]:
        """Keys of the declarations that it leads through."""
        return (self.variable, *self.members) if self.is_variable else self.members

    @property
    def members(self) -> tuple[str, ...]:
        """Keys of the members that it leads through."""
        return tuple(s for s in self.steps if isinstance(s, str))

    @property
    def last(self) -> str:
        """The key of the member that it ends in; empty where it ends in something else."""
        step = self.steps[-1] if self.steps else ""
        return step if isinstance(step, str) else ""

    @property
    def base(self) -> Path:
        """What it begins at."""
        return Path(self.root) if self.steps else self

    @property
    def owner(self) -> Path:
        """What its last step leads on from."""
        return Path(self.root, self.steps[:-1])

    @property
    def function(self) -> str:
        """The key of the function that it is; empty for all else."""
        root = self.root
        return root.key if isinstance(root, roots.Function) else ""

    @property
    def literal(self) -> str:
        """The text of the literal that it is; empty for all else, and where nobody can say."""
        return self.root.key if self.is_literal else ""

    @property
    def literal_name(self) -> str:
        """How a literal is written; an enumerator's is its name."""
        return numbers.name_of(self.literal)

    @property
    def is_status(self) -> bool:
        """Whether it is what a wait for an object returned."""
        return self.steps[-1:] == (STATUS,)

    @property
    def method(self) -> str:
        """The key of the function whose object it begins at; empty for all else."""
        root = self.root
        return root.key if isinstance(root, roots.This) else ""

    @property
    def maker(self) -> tuple[str, str]:
        """Of what is made: the function that makes it, and how it is numbered there."""
        root = self.root
        return (root.function, root.number) if isinstance(root, roots.Made) else ("", "")

    @property
    def returned(self) -> str:
        """The name of the function that returned what it begins at; empty for all else."""
        root = self.root
        return root.key if isinstance(root, roots.Returned) else ""

    @property
    def named(self) -> str:
        """The name of the lock that it is and that is no object; empty for all else."""
        root = self.root
        return root.key if isinstance(root, roots.Named) else ""

    @property
    def held_name(self) -> str:
        """The name of the lock of which it says whether the thread has it; empty for all else."""
        root = self.root
        return root.key if isinstance(root, roots.Holds) else ""

    @property
    def is_object(self) -> bool:
        """Whether it begins at an object, and is neither a value nor only the name of a lock."""
        return not isinstance(self.root, _NO_OBJECT)

    @property
    def is_unknown(self) -> bool:
        """Whether it begins at some object, of which nothing is known."""
        return isinstance(self.root, roots.Unknown)

    @property
    def is_variable(self) -> bool:
        """Whether it begins at a variable."""
        return isinstance(self.root, roots.Variable)

    @property
    def is_this(self) -> bool:
        """Whether it begins at the object of a call."""
        return isinstance(self.root, roots.This)

    @property
    def is_function(self) -> bool:
        """Whether it is a function."""
        return isinstance(self.root, roots.Function)

    @property
    def is_made(self) -> bool:
        """Whether it begins at an object that a function makes, or at what a call returned."""
        return isinstance(self.root, roots.Made)

    @property
    def is_returned(self) -> bool:
        """Whether it begins at what a function without a body returned."""
        return isinstance(self.root, roots.Returned)

    def then(self, step: Step) -> Path:
        """The member *step* of this object, or what another step leads to.

        A member that is on the way already leads to one of many objects of a kind (the nodes of a
        list, a tree): where that begins is kept, and then there is an element.
        """
        after = self._after
        known = after.get(step) if after is not None else None
        return known if known is not None else self._then(step)

    def _then(self, step: Step) -> Path:
        found = self._member(step)
        if len(self.steps) < STEPS.limit:  # what is too long is told each time
            if self._after is None:
                object.__setattr__(self, "_after", {})
            assert self._after is not None
            self._after[step] = found
        return found

    def _member(self, step: Step) -> Path:
        steps = self.steps
        if step is ELEMENT:
            return self if steps and is_element(steps[-1]) else Path(self.root, (*steps, step))
        if steps and (isinstance(step, Whole) or isinstance(steps[-1], Whole)):
            there = self._and_back(step)
            if there is not None:
                return there
        if step in steps and not is_element(step):
            again = steps[: steps.index(step) + 1]
            return Path(self.root, (*again, ELEMENT))
        if len(steps) >= STEPS.limit:
            too_long.append(self)
            return Path(UNKNOWN.root, (*steps[-1:], step))
        return Path(self.root, (*steps, step))

    def _and_back(self, step: Step) -> Path | None:
        """Where *step* leads to if it goes back from a member, or to it again."""
        steps = self.steps
        back = steps[-1]
        if isinstance(back, Whole) and step == back.key:
            return Path(self.root, steps[:-1])
        if not isinstance(step, Whole):
            return None
        last = len(steps) - (2 if len(steps) > 1 and is_element(steps[-1]) else 1)
        if step.key == steps[last]:
            return Path(self.root, steps[:last])
        known = all(isinstance(each, Whole) for each in steps)  # a caller may say which member
        return None if known else Path(UNKNOWN.root, (step,))

    def whole(self, member: str) -> Path:
        """The object that this one lies in as its *member*."""
        return self.then(Whole(member))

    def of_some_object(self) -> Path:
        """The member that this one ends in, of some object."""
        return Path(UNKNOWN.root, _end(self))

    def is_within(self, owner: Path) -> bool:
        """Whether it is *owner*, or a part of it."""
        return self.root is owner.root and self.steps[: len(owner.steps)] == owner.steps

    @property
    def end(self) -> Steps:
        """The member that it ends in, with the element of it."""
        return _end(self)

    @property
    def is_one_of_many(self) -> bool:
        """Whether it leads through an element of an array or container."""
        return any(map(is_element, self.steps))


#: All paths that there are.
_paths: dict[tuple[Root, Steps], Path] = {}
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
        dict.fromkeys(
            Path(UNKNOWN.root, e) if (e := _end(p)) and ends[e] > 1 else p for p in distinct
        )
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


def _end(path: Path) -> Steps:
    """The member that *path* ends in, with the element of it."""
    steps = path.steps
    return steps[-2:] if steps and is_element(steps[-1]) else steps[-1:]


#: What stands for the guard of a lock that is held when a function is entered.
ENTRY = Path(roots.Entry())
RETURNED = Path(roots.Result())
UNKNOWN = Path(roots.Unknown())
