"""What a name means in a function that was read by its syntax: members, globals, functions.

Names are looked up as C++ does, in the scopes around from the innermost and in the bases of
classes ([basic.lookup], [class.member.lookup]), and after that in the namespaces of directives.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from lockorder.static.parse.declarations import Decl
from lockorder.static.parse.names import strip_type
from lockorder.static.parse.number_types import is_named_number
from lockorder.static.parse.recovery.spellings import plain_name
from lockorder.static.program.link import Program


class Found(NamedTuple):
    """What a name means; *kind* is one of field, variable, enumerator, function, class."""

    kind: str
    keys: tuple[str, ...]
    #: the class whose member it is
    cls: str = ""
    #: its qualified name
    name: str = ""


class Lookup:
    """Declarations of a whole program, by name."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._variables: dict[str, list[str]] = {}
        self._functions: dict[str, list[str]] = {}
        self._last: dict[str, set[str]] = {}
        self._lineages: dict[str, tuple[str, ...]] = {}
        for usr, variable in program.variables.items():
            if variable.kind in ("global", "member", "field", "enumerator"):
                self._variables.setdefault(variable.name, []).append(usr)
        for usr, decl in program.decls.items():
            if not usr.startswith(("lambda:", "nsdmi:", "init:")):
                self._functions.setdefault(decl.name, []).append(usr)
                if not decl.cls:
                    self._last.setdefault(_last(decl.name), set()).add(decl.name)
        for variable in program.variables.values():
            if variable.kind in ("global", "enumerator"):
                self._last.setdefault(_last(variable.name), set()).add(variable.name)

    # -- names ------------------------------------------------------------------------------------

    def name(self, text: str, scope: str, file: str, spaces: Sequence[str]) -> Found | None:
        """What *text* means in the class or namespace *scope*."""
        plain = plain_name(text) if "operator" not in text else text
        found = self.around(plain, scope, file)
        if found is not None or plain.startswith("::"):
            return found
        for space in spaces:
            found = self._exactly(f"{space}::{plain}", file)
            if found is not None:
                return found
        known = [n for n in self._last.get(_last(plain), ()) if n.endswith(f"::{plain}")]
        return self._exactly(known[0], file) if len(known) == 1 else None

    def around(self, text: str, scope: str, file: str) -> Found | None:
        """What *text* means in *scope* or in the nearest around it that has such a name."""
        if text.startswith("::"):
            return self._exactly(text[2:], file)
        parts = scope.split("::") if scope else []
        for count in range(len(parts), -1, -1):
            found = self._in("::".join(parts[:count]), text, file)
            if found is not None:
                return found
        return None

    def _in(self, outer: str, text: str, file: str) -> Found | None:
        if outer in self._program.classes:
            for cls in self.lineage(outer):
                found = self._exactly(f"{cls}::{text}", file)
                if found is not None:
                    return found
            return None
        return self._exactly(f"{outer}::{text}" if outer else text, file)

    def _exactly(self, name: str, file: str) -> Found | None:
        variables = self._variables.get(name)
        if variables:
            here = [u for u in variables if self._program.variables[u].file == file]
            usr = (here or variables)[0]
            kind = self._program.variables[usr].kind
            sort = kind if kind in ("field", "enumerator") else "variable"
            return Found(sort, (usr,), name.rpartition("::")[0])
        functions = self._near(self._functions.get(name, []), file)
        if functions:
            cls = self._program.decls[functions[0]].cls
            return Found("function", tuple(functions), cls, name)
        if name in self._program.classes:
            return Found("class", (name,))
        outer, _, last = name.rpartition("::")
        if outer and outer in self._program.classes:  # Derived::member of a base
            for base in self.lineage(outer)[1:]:
                found = self._exactly(f"{base}::{last}", file)
                if found is not None:
                    return found
        return None

    def _near(self, keys: list[str], file: str) -> list[str]:
        """Functions of one file are seen there alone, and hide those of other programs there."""
        functions = self._program.functions
        own = [u for u in keys if u in functions and functions[u].file == file]
        free = [u for u in own if not functions[u].cls]
        if free and not any(u not in functions for u in keys):
            return own
        return [
            u for u in keys
            if u not in functions or not functions[u].static or functions[u].cls or u in own
        ]  # fmt: skip

    def member(self, cls: str, text: str, file: str) -> Found | None:
        """The member *text* of an object of class *cls*."""
        plain = plain_name(text) if "operator" not in text else text
        if "::" in plain:  # object.Base::method()
            outer, _, plain = plain.rpartition("::")
            cls = self.base(cls, outer) or cls
        for each in self.lineage(cls):
            found = self._exactly(f"{each}::{plain}", file)
            if found is not None and found.kind != "class":
                return found
        return None

    def base(self, cls: str, name: str) -> str:
        """The class of that *name* among *cls* and its bases; empty where none is."""
        named = (each for each in self.lineage(cls) if f"::{each}".endswith(f"::{name}"))
        return next(named, "")

    def lineage(self, cls: str) -> tuple[str, ...]:
        """*cls* and its bases, nearest first."""
        found = self._lineages.get(cls)
        if found is None:
            ordered = [cls]
            for each in ordered:
                known = self._program.classes.get(each)
                ordered.extend(b for b in (known.bases if known else ()) if b not in ordered)
            found = self._lineages[cls] = tuple(ordered)
        return found

    def constructors(self, cls: str) -> tuple[str, ...]:
        """Declarations of the constructors of *cls*."""
        known = self._program.classes.get(cls)
        named = self._functions.get(f"{cls}::{_last(cls)}", ())
        return tuple(dict.fromkeys((*(known.ctors if known is not None else ()), *named)))

    # -- overloads --------------------------------------------------------------------------------

    def choose(self, keys: Sequence[str], types: Sequence[str]) -> str | None:
        """The function among *keys* that arguments of these types call; None where none fits."""
        fitting = [u for u in keys if self._takes(self._program.decls.get(u), len(types))]
        if len(fitting) < 2:
            return fitting[0] if fitting else None
        ranked = sorted(
            (-self._score(self._program.decls[u], types), i, u) for i, u in enumerate(fitting)
        )
        return ranked[0][2]

    def _takes(self, decl: Decl | None, count: int) -> bool:
        if decl is None:
            return False
        if decl.types[-1:] == ["..."] or any(t.endswith("...") for t in decl.types[-1:]):
            return count >= max(decl.required, 0)
        least = decl.required if decl.required >= 0 else decl.params
        return least <= count <= decl.params

    def _score(self, decl: Decl, types: Sequence[str]) -> int:
        score = 0
        for wanted, given in zip(decl.types, types, strict=False):
            if not given or not wanted or wanted == "...":
                continue
            if bare(wanted) == bare(given):
                score += 2
                score += wanted.endswith("&&") == given.endswith("&&")
                score += wanted.endswith("*") == given.endswith("*")
            elif self._is_base(wanted, given):
                score += 1
            elif wanted.endswith("*") != given.endswith("*") or is_number(wanted):
                score -= (not is_number(given)) * 2
            else:
                score -= 1
        return score

    def _is_base(self, wanted: str, given: str) -> bool:
        base = self._program.split(self._program.pointee(wanted))[0]
        return base in self.lineage(self._program.split(self._program.pointee(given))[0])[1:]

    def is_static(self, usr: str) -> bool:
        """Whether a method is called on no object."""
        decl, function = self._program.decls.get(usr), self._program.functions.get(usr)
        return (decl is not None and decl.static) or (function is not None and function.static)

    def virtual(self, usr: str) -> bool:
        """Whether calls of a method are dispatched: it, or what it overrides, is virtual."""
        decl = self._program.decls.get(usr)
        return decl is not None and (decl.virtual or any(True for _ in self.overridden(decl)))

    def overridden(self, decl: Decl) -> Iterator[str]:
        """Virtual methods of bases that *decl* overrides."""
        last = _last(decl.name) if "operator" not in decl.name else ""
        if not decl.cls or not last or last == _last(decl.cls):
            return
        for base in self.lineage(decl.cls)[1:]:
            name = f"~{_last(base)}" if last.startswith("~") else last
            for usr in self._functions.get(f"{base}::{name}", ()):
                other = self._program.decls[usr]
                if other.virtual and other.params == decl.params:
                    yield usr


def bare(spelling: str) -> str:
    """A type without const, references and pointers, and without white space."""
    return strip_type(spelling).replace(" ", "")


def is_number(spelling: str) -> bool:
    """Whether values of a type, or behind it, convert into all numbers."""
    return is_named_number(strip_type(spelling))


def _last(name: str) -> str:
    return name.rsplit("::", 1)[-1]
