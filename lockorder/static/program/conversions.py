"""Whether a value of one type can begin a parameter of another ([over.best.ics]).

Only what types in full show to be impossible is: what is not known (a template's parameter, a name
that nothing declares, a class with conversions of its own) may be anything.
"""

from __future__ import annotations

from lockorder.static.parse.names import strip_type
from lockorder.static.parse.number_types import is_number
from lockorder.static.program.link import Program

#: Parts of the spellings of types that say nothing before a template has its arguments.
_OPEN = ("auto", "...", "type-parameter-", "decltype", "typename ", "(", "[")
#: Operators that are no conversions.
_NONE = ("new", "delete", "co_await")


class Conversions:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[tuple[str, str], bool] = {}
        #: classes that say themselves what they become
        self._converting = frozenset(
            decl.cls for decl in program.decls.values() if decl.cls and _converts(decl.name)
        )
        #: classes with constructors that are templates
        self._any = frozenset(
            decl.cls
            for decl in program.decls.values()
            if decl.tparams and decl.name == f"{decl.cls}::{decl.cls.rpartition('::')[2]}"
        )

    def may(self, given: str, wanted: str) -> bool:
        """Whether an argument of type *given* can be handed to a parameter of type *wanted*."""
        key = given, wanted
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._may(given, wanted, own=True)
        return known

    def _may(self, given: str, wanted: str, own: bool) -> bool:
        """The same; constructors and conversions of classes count where *own* says so.

        There is one of these at most on the way from one type to another ([class.conv]/4).
        """
        if self._is_open(given) or self._is_open(wanted):
            return True
        given, wanted = _bare(given), _bare(wanted)
        if given.endswith("*") and wanted.endswith("*"):
            return self._pointers(given, wanted)
        if given.endswith("*"):
            return wanted == "bool" or (own and self._by_class(given, wanted))
        if wanted.endswith("*"):
            return own and not is_number(given) and self._becomes(given, wanted)
        if is_number(given) or is_number(wanted):
            both = is_number(given) and is_number(wanted)
            return both or (own and self._by_class(given, wanted))
        mine, theirs = self._program.split(given)[0], self._program.split(wanted)[0]
        if mine == theirs:
            return self._same_arguments(given, wanted)
        return theirs in self._program.ancestors(mine) or (own and self._by_class(given, wanted))

    def _is_open(self, spelling: str) -> bool:
        """Whether it is not known what a type is."""
        text = strip_type(spelling)
        if not text or any(part in text for part in _OPEN):
            return True
        return not is_number(text) and text != "void" and self._program.is_dependent(text)

    def _pointers(self, given: str, wanted: str) -> bool:
        """Whether a pointer to the one can be a pointer to the other."""
        mine, theirs = _bare(given[:-1]), _bare(wanted[:-1])
        if "void" in (mine, theirs) or mine == theirs:
            return True
        if self._is_open(mine) or self._is_open(theirs):
            return True
        if any(t.endswith("*") or is_number(t) for t in (mine, theirs)):
            return False
        nowhere = any(self._is_nowhere(self._program.split(t)[0]) for t in (mine, theirs))
        return nowhere or self._may(mine, theirs, own=False)

    def _same_arguments(self, given: str, wanted: str) -> bool:
        """Whether two types of one template can be one, or be made from each other."""
        pairs = zip(self._program.split(given)[1], self._program.split(wanted)[1], strict=False)
        return all(self._fit(mine, theirs) for mine, theirs in pairs)

    def _fit(self, given: str, wanted: str) -> bool:
        """Whether two arguments of a template can go together; they may be numbers."""
        if given.isdigit() and wanted.isdigit():
            return given == wanted
        return given[:1].isdigit() or wanted[:1].isdigit() or self.may(given, wanted)

    # -- conversions that classes declare ---------------------------------------------------------

    def _by_class(self, given: str, wanted: str) -> bool:
        becomes = not given.endswith("*") and not is_number(given) and self._becomes(given, wanted)
        return becomes or (not is_number(wanted) and self._is_made(given, wanted))

    def _becomes(self, given: str, wanted: str) -> bool:
        """Whether an object may say itself that it becomes something else."""
        name, arguments = self._program.split(given)
        if name not in self._program.classes:  # of a library: ``std::atomic<int>``
            return not arguments or self._is(arguments[0], wanted)
        return any(
            c in self._converting or self._is_nowhere(c) for c in self._program.ancestors(name)
        )

    def _is_made(self, given: str, wanted: str) -> bool:
        """Whether an object of class *wanted* can be made from something else."""
        name, arguments = self._program.split(wanted)
        if name in self._program.classes:
            return any(self._makes(c, given) for c in self._program.ancestors(name))
        if not arguments:
            return True
        mine, others = self._program.split(given)
        declared = mine in self._program.classes
        owner = self._program.knowledge.owners.get(name)
        if owner is not None and owner.callable:
            return not declared or bool(self._program.call_operators(mine))
        if given.endswith("*"):
            others = (_bare(given[:-1]),)  # a string, a view
        elif not (is_number(given) or declared or others):
            return True  # an enumeration, or a class that is nowhere
        if others and self._fit(others[0], arguments[0]):
            return True
        if owner is not None and owner.single:
            return any(self.may(given, each) for each in arguments)
        return any(self._is(given, each) for each in arguments)

    def _is(self, given: str, wanted: str) -> bool:
        """Whether the one is the other without any change, but for a base class."""
        if is_number(given):
            return self._is_open(wanted) or _bare(wanted) == given
        return not is_number(wanted) and self._may(given, wanted, own=False)

    def _makes(self, cls: str, given: str) -> bool:
        """Whether a constructor of *cls* can be called with one argument like that.

        A class that derives from it may have it, too.
        """
        known = self._program.classes.get(cls)
        if known is None:
            return self._is_nowhere(cls)
        return cls in self._any or any(self._takes(c, cls, given) for c in known.ctors)

    def _takes(self, ctor: str, cls: str, given: str) -> bool:
        decl = self._program.decls.get(ctor)
        if decl is None or not decl.types:
            return decl is None or decl.params > 0
        wanted = decl.types[0]
        if decl.required > 1 or self._program.split(wanted)[0] == cls:
            return False
        return self._may(given, wanted, own=False)

    def _is_nowhere(self, cls: str) -> bool:
        """Whether nothing is known of a class."""
        return cls not in self._program.classes and not cls.startswith("std::")


def _converts(name: str) -> bool:
    """Whether a method of that name makes another type of its object."""
    last = name.rpartition("::operator ")[2] if "::operator " in name else ""
    return bool(last) and not last.startswith(_NONE)


def _bare(spelling: str) -> str:
    """A type without references and qualifiers; pointers stay."""
    text, stars = spelling.strip().rstrip("& "), 0
    while True:
        for word in ("const", "volatile", "restrict"):
            if text.endswith((f" {word}", f"*{word}")):
                text = text[: -len(word)].rstrip()
        if not text.endswith("*"):
            return strip_type(text) + "*" * stars
        text, stars = text[:-1].rstrip(), stars + 1
