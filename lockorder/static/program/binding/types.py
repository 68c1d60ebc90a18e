"""Types of expressions where only the syntax shows them: what calls return, what elements are."""

from __future__ import annotations

import re

from lockorder.knowledge import Knowledge
from lockorder.static.parse.names import split_template
from lockorder.static.parse.recovery.standard_names import RESULTS
from lockorder.static.program.link import Program

_MAKES = re.compile(r"(?:make|allocate)_(\w+)$")
_POINTER_ENDS = ("", "_ptr")


class Types:
    """Answers about types, by their spelling."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge
        k = knowledge
        self._known = {
            *k.locks, *k.guards, *k.owners, *k.starter_types, *k.same_types, *k.keeper_types,
            *(n for n in k.binders if not n.rpartition("::")[2].islower()), *k.holders,
        }  # fmt: skip
        compares = k.compares.items()
        #: Last names of functions that return one of their arguments.
        self._picks = {n.rpartition("::")[2] for n, what in compares if what in ("min", "max")}

    def of_class(self, spelling: str) -> str:
        """The class of an object of that type; empty for pointers, references and what is none."""
        text = spelling.strip()
        if not text or text.endswith(("*", "]", ")")):
            return ""
        name = self._program.split(text)[0]
        return name if self.is_class(name) else ""

    def is_class(self, name: str) -> bool:
        """Whether *name* is known as a class, of the program or of a library."""
        return name in self._program.classes or name in self._known

    def is_object(self, spelling: str) -> bool:
        """Whether a variable of that type is an object of a class."""
        text = spelling.strip()
        if text.endswith(("*", "&", "]", ")", "...")):
            return False
        standard = self._knowledge.is_standard(text.removeprefix("const "))
        return bool(self.of_class(text)) or (standard and "<" in text)

    def is_pointer(self, name: str) -> bool:
        """Whether a library's class is one that points to what it owns or refers to."""
        return name not in self._program.classes and name in self._knowledge.same_types

    def pointed(self, spelling: str) -> str:
        """What ``*x`` and ``x->`` are about."""
        text = spelling.strip()
        while text.endswith(("&", "const")):
            text = text.removesuffix("&").removesuffix("const").strip()
        if text.endswith("*"):
            return text[:-1].strip()
        if text.endswith("]"):
            return text[: text.rindex("[")].strip()
        name, arguments = self._program.split(text)
        points = self.is_pointer(name) and name not in self._knowledge.guards
        return arguments[0] if arguments and points else spelling

    def element(self, spelling: str, index: str = "") -> str:
        """The type of an element of an array or container."""
        text = self._program.pointee(spelling)
        if spelling.rstrip(" &").endswith("*") and not text.endswith("]"):
            return text
        return self._program.element_type(spelling, index)

    def of_function(self, name: str, written: str, types: list[str]) -> str:
        """What a library's function returns; *written* with its template arguments."""
        arguments = split_template(written)[1] if "<" in written else []
        space, _, last = name.rpartition("::")
        made = _MAKES.match(last)
        if made is not None and arguments:
            for end in _POINTER_ENDS:
                owner = f"{space}::{made.group(1)}{end}" if space else made.group(1) + end
                if owner in self._knowledge.owners:
                    return f"{owner}<{', '.join(arguments)}>"
        if made is not None and types and f"{space}::{made.group(1)}" in self._knowledge.owners:
            return f"{space}::{made.group(1)}<{', '.join(t.rstrip(' &') for t in types)}>"
        if name in RESULTS:
            return RESULTS[name]
        if name in self._knowledge.same_functions and types:
            if name in self._knowledge.part_functions and arguments:
                return self.element(types[0], arguments[0])
            if arguments and name in self._knowledge.casts and types[0]:
                return f"{self._program.split(types[0])[0]}<{arguments[0]}>"
            return types[0]
        if last in self._picks and types:
            return types[0]
        return ""

    def of_method(self, spelling: str, method: str) -> str:
        """What a method of a library's class returns."""
        name, arguments = self._program.split(self._program.plain(spelling))
        first = arguments[0] if arguments else ""
        if method in self._knowledge.element_methods and first:
            return self.element(spelling)
        shared = self._knowledge.sharing.get(f"{name}::{method}")
        if shared is not None and shared.owner:
            return f"{shared.owner}<{first}>"
        if method in self._knowledge.same_methods and first:
            if name in self._knowledge.guards:
                return f"{first} *" if method in self._knowledge.lends else ""
            owner = self._knowledge.owners.get(name)
            pointer = owner is not None and owner.pointer and method in owner.plain
            return f"{first} *" if pointer else f"{first} &"
        return RESULTS.get(f"{name}::{method}", "")
