"""What can be in a place, by its type: a size, a flag or a device's number holds no function.

Points-to sets go wherever values do, and much of that is read without types (in templates, through
calls of functions that have no body here).  What the compiler would let nowhere near a place is
not taken to be there.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Iterator

from lockorder.static.parse.number_types import is_number
from lockorder.static.program.link import Program

#: Words of numbers of a pointer's size, or larger: a cast makes one of a pointer, and a pointer of
#: one.
_LARGE = frozenset(("long", "__int128"))
#: Text that is its own memory.
_TEXTS = frozenset(("std::basic_string", "std::basic_string_view"))
#: Behind a pointer these are memory for anything, unless nobody may write there.
_BYTES = frozenset(("char", "signed char", "unsigned char", "void", "std::byte"))
_LITERAL = re.compile(r"-?\d\w*|true|false|'.*'|\".*\"")
_QUALIFIERS = re.compile(r"^(?:(?:const|volatile|struct|class|enum|union)\s+)+|(?:\s|^)const$")


class Room(enum.IntEnum):
    """What there is room for, the least first."""

    #: numbers and text
    NOTHING = 0
    #: a number that may have been a pointer
    NUMBER = 1
    #: objects, pointers to objects: locks, but no functions
    OBJECTS = 2
    ANYTHING = 3


class Rooms:
    """Answers for one program, by the spelling of a type."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[str, Room] = {}
        #: classes whose methods wait for a thread or a task to end
        self._joined = frozenset(
            name.rpartition("::")[0] for name, b in program.knowledge.blocks.items() if b.joins
        )
        #: classes of which functions are called
        self._called = frozenset(d.cls for d in program.decls.values())

    def of(self, spelling: str) -> Room:
        """What there is room for in a place of that type; ANYTHING where it is not known."""
        found = self._known.get(spelling)
        if found is None:
            seen: dict[str, Room] = {}
            found = self._search(spelling, seen)
            if found is Room.ANYTHING:
                self._known[spelling] = found
            else:  # nothing that this leads to has more
                for each, least in seen.items():
                    self._known.setdefault(each, least)
        return self._known[spelling]

    def is_pointer(self, spelling: str) -> bool:
        """Whether a cast makes a number of what is there, or it of a number."""
        return "*" in spelling or "(" in spelling or self.of(spelling) is Room.NUMBER

    def _search(self, spelling: str, seen: dict[str, Room]) -> Room:
        """The room in *spelling*; *seen* are types on the way, each with what it has itself."""
        known = self._known.get(spelling, seen.get(spelling))
        if known is not None:
            return known
        seen[spelling] = least = self._itself(spelling)
        if least is Room.ANYTHING:
            return least
        for inner in self._inside(spelling):
            room = self._search(inner, seen)
            if room is Room.ANYTHING:
                return room
            least = max(least, room)
        seen[spelling] = least
        return least

    def _itself(self, spelling: str) -> Room:
        """What a type has room for by itself, whatever is in it."""
        text = self._named(spelling)
        if not text or "(" in text.replace("(anonymous)", ""):
            return Room.ANYTHING
        if text.endswith("*"):
            inner = text[:-1].rstrip()
            if _plain(inner) in _BYTES:
                is_text = inner.startswith("const ") and _plain(inner) == "char"
                return Room.NOTHING if is_text else Room.ANYTHING
            return Room.OBJECTS
        name, arguments = self._program.split(text)
        if is_number(text):
            words = text.split()
            return Room.NOTHING if _LARGE.isdisjoint(words) or "double" in words else Room.NUMBER
        if name == "void" or name in _TEXTS or name in self._program.enums:
            return Room.NOTHING
        if _LITERAL.fullmatch(text):
            return Room.NOTHING
        owner = self._program.knowledge.owners.get(name)
        if owner is not None:
            return Room.ANYTHING if owner.callable or not arguments else Room.NOTHING
        if self._is_of_arguments(name, arguments) or name in self._program.knowledge.locks:
            return Room.OBJECTS
        cls = self._program.classes.get(name)
        if cls is None or self._program.is_ambiguous(name) or self._program.call_operators(name):
            return Room.ANYTHING
        opaque = name in self._called or cls.methods or cls.ctors or cls.dtor
        if opaque and not (cls.fields or cls.bases or len(self._program.derived(name)) > 1):
            return Room.ANYTHING  # what somebody else makes of it is not seen
        return Room.OBJECTS

    def _inside(self, spelling: str) -> Iterator[str]:
        """Types of what is in an object, or behind a pointer."""
        text = self._named(spelling)
        if text.endswith("*"):
            yield text[:-1].rstrip()
            return
        name, arguments = self._program.split(text)
        if name in self._program.knowledge.owners or self._is_of_arguments(name, arguments):
            yield from arguments
            return
        cls = self._program.classes.get(name)
        if cls is None:
            return
        yield from arguments  # of which its members may be
        for part in (*cls.base_types, *map(self._program.type_of, cls.fields)):
            if not (self._is_parameter(part, cls.tparams) or self._is_elsewhere(part)):
                yield part
        if not cls.fields:
            yield from self._program.derived(name)

    def _named(self, spelling: str) -> str:
        """A type as `_plain` has it: a smart pointer as one to what it owns, one without a name by
        the name of its only class."""
        text = _plain(spelling)
        name, arguments = self._program.split(text)
        owner = self._program.knowledge.owners.get(name)
        if owner is not None and owner.pointer and arguments:
            return f"{arguments[0]} *"
        if "(" in text and not text.endswith("*"):
            return self._program.unnamed(text) or text
        return text

    def _is_of_arguments(self, name: str, arguments: tuple[str, ...]) -> bool:
        """Whether a template of a standard library has what its arguments have.

        A future has more: the function whose end it waits for.
        """
        if not arguments or name in self._program.classes or name in self._joined:
            return False
        return self._program.knowledge.is_standard(name)

    def _is_elsewhere(self, spelling: str) -> bool:
        """Whether a member points to an object of a class that is known: it has its own room."""
        text = _plain(spelling)
        behind = self._program.pointee(text)
        if not text.endswith("*") and behind == text:
            return False
        return self._program.split(behind)[0] in self._program.classes

    def _is_parameter(self, spelling: str, names: list[str]) -> bool:
        """Whether a type in a template is one of its parameters, which arguments stand for."""
        return bool(names) and self._program.pointee(_plain(spelling)) in names


def _plain(spelling: str) -> str:
    """A type without references, qualifiers of its own, and the sizes of an array."""
    text = spelling.strip().rstrip("&").rstrip()
    text = re.sub(r"(?:\s*\[\w*\])+$", "", text)
    text = _QUALIFIERS.sub("", text) if text.endswith("const") else text
    return text if text.endswith("*") else _QUALIFIERS.sub("", text).strip()
