"""Code that nobody wrote: which bodies run when objects are made and destroyed.

Constructors of bases and members, default member initialisers, destructors of members, bases,
elements and of what smart pointers own: [class.base.init], [class.dtor] of the C++ standard.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Class
from lockorder.static.parse.facts import walk
from lockorder.static.parse.names import array_element, innermost_element, refers, strip_type
from lockorder.static.program import deletions
from lockorder.static.program.closures import Closures
from lockorder.static.program.link import Program
from lockorder.static.program.pointsto import PointsTo

#: What ends not by a body, but by what is known of it.
_SPECIAL = "(known)"


def _spelt(names: Iterable[str]) -> re.Pattern[str]:
    """What finds the first arguments of class templates in a type, however they are qualified."""
    lasts = sorted({re.escape(n.rpartition("::")[2]) for n in names})
    return re.compile(rf"\b(?:{'|'.join(lasts)})<(?:const )?([\w:]+)")


class Lifetimes:
    """Answers by type, remembered."""

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        points_to: PointsTo,
        vacant: Collection[str] = (),
    ) -> None:
        #: members that never have anything that could end
        self._vacant = vacant
        self.closures = Closures(program, knowledge, points_to.functions)
        #: Classes that deleters given to smart pointers take ("*": any).
        self._deleted = points_to.deleted_types()
        self._parts: dict[str, tuple[tuple[str, str], ...]] = {}
        self._program = program
        self.knowledge = knowledge
        self._destroyed: dict[str, tuple[str, ...]] = {}
        self._ended: dict[str, tuple[str, ...]] = {}
        self._let_go: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {}
        self._ends: dict[str, tuple[list[str], list[str]]] = {}
        self._constructed: dict[str, tuple[str, ...]] = {}
        self._owned: set[str] = set()
        self._shared: set[str] = set()
        self._keepers: dict[str, frozenset[str]] = {}
        self._sharing: dict[str, set[str]] | None = None
        #: Functions that delete what only their callers can name.
        self.deleting = deletions.find(program)
        self._find_spelt()
        self._handed = self._find_handed()

    # -- destruction ------------------------------------------------------------------------------

    def destroyed(self, spelling: str) -> tuple[str, ...]:
        """Keys of the destructors that the end of an object of this type can run."""
        known = self._destroyed.get(spelling)
        if known is not None:
            return known
        text = spelling.strip()
        if refers(text):
            known = self._destroyed[spelling] = ()
            return known
        known = self._destroyed.get(text)
        if known is None:
            found: dict[str, None] = {}
            seen, pending = {text}, [text]
            while pending:  # a type may contain itself by way of pointers
                here = self._ends.get(pending[-1])
                if here is None:
                    here = self._ends[pending[-1]] = self._find_ends(pending[-1])
                pending.pop()
                found.update(dict.fromkeys(here[0]))
                fresh = [t for t in dict.fromkeys(map(str.strip, here[1])) if t not in seen]
                seen.update(fresh)
                pending.extend(reversed(fresh))
            known = self._destroyed[text] = tuple(found)
            self._ended[text] = tuple(seen)
        self._destroyed[spelling] = known
        return known

    def ended(self, spelling: str) -> tuple[str, ...]:
        """Types whose objects the end of an object of this type can bring to their end."""
        self.destroyed(spelling)
        return self._ended.get(spelling.strip(), ())

    def _find_ends(self, text: str) -> tuple[list[str], list[str]]:
        """What the end of an object of this type runs itself, and types whose ends it brings."""
        found: list[str] = []
        types: list[str] = []
        if refers(text):
            return found, types
        element = array_element(text)
        if element:
            return found, [element]
        name, arguments = self._program.split(text)
        if name in self.knowledge.guards or name in self.knowledge.ends:
            return [_SPECIAL], types
        owner = self.knowledge.owners.get(name)
        if owner is not None and owner.callable:
            for closure in self.closures.kept_as(text):
                for _, captured in self.closures.captures(closure):
                    types.append(captured)
            return found, types
        if owner is not None:
            if owner.pointer:
                pointee = (
                    self._program.split(innermost_element(arguments[0]))[0] if arguments else ""
                )
                if self._deleted and (
                    "*" in self._deleted
                    or pointee == "void"
                    or not self._deleted.isdisjoint(self._program.family(pointee))
                ):
                    found.append(_SPECIAL)
                types.extend(self.owned_as(pointee, owner.shared) if pointee else ())
                for deleter in arguments[1:]:
                    found.extend(self._program.call_operators(self._program.split(deleter)[0]))
            else:
                types.extend(arguments)
            return found, types
        known = self._program.classes.get(name)
        if known is None:
            return found, types
        if known.dtor:
            bodies = self._program.body_of(known.dtor)
            found.extend(bodies)
            if not self.deleting.isdisjoint(bodies):
                types.extend(arguments)
        fields = (field for field in known.managed if field not in self._vacant)
        types.extend(map(self._program.type_of, fields))
        types.extend(known.bases)
        return found, types

    def parts(self, cls: str) -> tuple[tuple[str, str], ...]:
        """Fields of *cls* whose end does something, last first, with their types."""
        found = self._parts.get(cls)
        if found is None:
            known = self._program.classes.get(cls)
            fields = reversed(known.managed) if known is not None else ()
            typed = ((x, self._program.type_of(x)) for x in fields if x not in self._vacant)
            found = self._parts[cls] = tuple((x, t) for x, t in typed if self.destroyed(t))
        return found

    def let_go(self, cls: str) -> tuple[tuple[tuple[str, ...], str], ...]:
        """What owns something in an object of *cls*, and lets go of it where that is assigned to as
        a whole: the members on the way there, and its type.

        Where nobody wrote an ``operator=``, [class.copy.assign].  What a template's members own,
        its arguments say.
        """
        found = self._let_go.get(cls)
        if found is None:
            found = self._let_go[cls] = tuple(self._find_let_go(cls, ()))
        return found

    def _find_let_go(
        self, cls: str, within: tuple[str, ...]
    ) -> Iterator[tuple[tuple[str, ...], str]]:
        known = self._program.classes.get(cls)
        if known is None or known.tparams or cls in within or self._assigns(known):
            return
        for field in known.managed:
            if field in self._vacant:
                continue
            spelling = self._program.type_of(field)
            name = self._program.split(spelling)[0]
            owner = self.knowledge.owners.get(name)
            if owner is not None and f.ASSIGNMENT in owner.destroys:
                if owner.pointer and self.destroyed(spelling):
                    yield (field,), spelling
            elif not refers(spelling):
                for way, inner in self._find_let_go(name, (*within, cls)):
                    yield (field, *way), inner

    def _assigns(self, known: Class) -> bool:
        """Whether somebody wrote an ``operator=`` for objects of a class."""
        names = (self._program.name_of(m).rpartition("::")[2] for m in known.methods)
        return f.ASSIGNMENT in names

    def owned_as(self, pointee: str, shared: bool) -> list[str]:
        """Classes of what a smart pointer (a *shared* one) to *pointee* can own.

        Derived ones only where one is handed to such a pointer somewhere, if any class is.
        """
        classes = self._program.deleted_as(pointee)
        if len(classes) < 2:
            return classes
        handed = self._handed.get(pointee)
        if handed is None:
            handed = self._shared if shared else self._owned
        return [c for c in classes if c == pointee or c in handed]

    def keepers(self, cls: str) -> frozenset[str]:
        """Members and globals that share objects of *cls*, of its bases or of its derived classes.

        Their elements count, too: a map of shared pointers is one keeper.
        """
        known = self._keepers.get(cls)
        if known is None:
            if self._sharing is None:
                self._sharing = self._find_sharing()
            each = (self._sharing.get(kin, ()) for kin in self._program.family(cls))
            known = self._keepers[cls] = frozenset().union(*each)
        return known

    def _find_sharing(self) -> dict[str, set[str]]:
        """By class: variables that outlive the function that has them, and share such objects."""
        found: dict[str, set[str]] = {}
        for usr, variable in self._program.variables.items():
            if variable.kind in ("field", "member", "global"):
                for cls in self._shared_inside(variable.type):
                    found.setdefault(cls, set()).add(usr)
        return found

    def _shared_inside(self, spelling: str) -> Iterator[str]:
        """Classes that an object of this type shares, itself or by its elements."""
        if "<" not in spelling:
            return
        name, arguments = self._program.split(spelling)
        owner = self.knowledge.owners.get(name)
        if owner is None or owner.callable:
            return
        for each in self.owned(spelling):
            yield from self._shared_inside(each)
        if owner.pointer and owner.shared and arguments:
            yield self._program.split(innermost_element(arguments[0]))[0]

    def _find_spelt(self) -> None:
        """Classes that smart pointers are said to point to, or that ``new`` makes for one."""
        spellings = {v.type for v in self._program.variables.values()}
        spellings.update(d.result for d in self._program.decls.values())
        for function in self._program.functions.values():
            for statement in walk(function.body):
                if isinstance(statement, f.Make):
                    spellings.add(statement.type)
                    if statement.heap:
                        self._owned.add(self._program.split(statement.type)[0])
                elif isinstance(statement, f.Call) and statement.type:
                    spellings.add(statement.type)
        k = self.knowledge
        pointers = _spelt(k.pointers)
        unique = {n for n, owner in k.owners.items() if owner.pointer and not owner.shared}
        shared = _spelt(k.pointers - unique)
        for spelling in spellings:
            if "<" in spelling:
                self._owned.update(pointers.findall(spelling))
                self._shared.update(shared.findall(spelling))

    def _find_handed(self) -> dict[str, set[str]]:
        """By class: what was converted to a smart pointer to it, as far as types show."""
        found: dict[str, set[str]] = {}
        unknown: set[str] = set()
        for function in self._program.functions.values():
            made: dict[int, str] = {}
            results: dict[int, str] = {}
            for statement in walk(function.body):
                if isinstance(statement, f.Call):
                    results[statement.id] = statement.type or (
                        self._program.result_of(statement.target.usr)
                        if isinstance(statement.target, f.Fn)
                        else ""
                    )
                elif isinstance(statement, f.Make):
                    made[statement.id] = statement.type
                    self._hand(statement, made, results, found, unknown)
        return {k: v for k, v in found.items() if k not in unknown}

    def _hand(
        self,
        make: f.Make,
        made: dict[int, str],
        results: dict[int, str],
        found: dict[str, set[str]],
        unknown: set[str],
    ) -> None:
        name, arguments = self._program.split(make.type)
        owner = self.knowledge.owners.get(name)
        if owner is None or not owner.pointer or not arguments or not make.args:
            return
        pointee = self._program.split(arguments[0])[0]
        value = make.args[0]
        spelling = ""
        if isinstance(value, (f.Var, f.Field)):
            spelling = self._program.type_of(value.usr)
        elif isinstance(value, f.Made):
            spelling = made.get(value.make, "")
        elif isinstance(value, f.Result):
            spelling = results.get(value.call, "")
        elif isinstance(value, f.Lit):
            return  # nullptr
        cls = self._program.split(self._program.pointee(spelling))[0] if spelling else ""
        if cls in self._program.classes:
            found.setdefault(pointee, set()).add(cls)
        else:
            unknown.add(pointee)

    def owned(self, spelling: str) -> tuple[str, ...]:
        """Types of what an object of a smart pointer or container type owns."""
        name, arguments = self._program.split(spelling)
        owner = self.knowledge.owners.get(name)
        if owner is None:
            return ()
        return arguments[:1] if owner.pointer else arguments

    # -- construction -----------------------------------------------------------------------------

    def default_constructor(self, cls: str) -> str | None:
        """The body of the constructor that ``C c;`` runs, where somebody wrote one."""
        known = self._program.classes.get(cls)
        found: list[tuple[int, str]] = []
        for ctor in known.ctors if known is not None else ():
            for body in self._program.body_of(ctor):
                count = len(self._program.functions[body].params)
                if count == 0 or self._program.needs_nothing(ctor):
                    found.append((count, body))
        return min(found)[1] if found else None

    def constructor(self, cls: str, count: int, copies: bool = False) -> str | None:
        """The only constructor of *cls* with a body that takes *count* arguments, if any.

        One that takes another object of the class is meant where what is given *copies* one.
        """
        known = self._program.classes.get(cls)
        found: dict[str, None] = {}
        for ctor in known.ctors if known is not None else ():
            for body in self._program.body_of(ctor):
                if len(self._program.functions[body].params) == count:
                    found[body] = None
        if count == 1 and len(found) > 1:
            found = {b: None for b in found if self._takes_another(b, cls) == copies}
        return next(iter(found)) if len(found) == 1 else None

    def _takes_another(self, ctor: str, cls: str) -> bool:
        """Whether the first parameter of a constructor is another object of its class."""
        parameter = self._program.functions[ctor].params[0]
        name = self._program.split(self._program.type_of(parameter))[0]
        return f"::{cls}".endswith(f"::{name}")

    def constructors(self, cls: str) -> tuple[str, ...]:
        """Keys of all bodies that the construction of *cls* from any arguments can run."""
        known = self._program.classes.get(cls)
        found: dict[str, None] = dict.fromkeys(self.constructed(cls))
        for ctor in known.ctors if known is not None else ():
            found.update(dict.fromkeys(self._program.body_of(ctor)))
        return tuple(found)

    def constructed(self, cls: str) -> tuple[str, ...]:
        """Keys of the bodies that default construction of *cls* can run."""
        found = self._constructed.get(cls)
        if found is None:
            known = self._program.classes.get(cls)
            if known is None:
                return ()
            self._constructed[cls] = ()
            bodies: list[str] = []
            written = self.default_constructor(cls)
            if written is not None:
                bodies.append(written)
            else:
                bodies.extend(self.implied(cls))
            found = self._constructed[cls] = tuple(dict.fromkeys(bodies))
        return found

    def implied(self, cls: str) -> list[str]:
        """Bodies that a constructor of *cls* runs before its own: bases, then members."""
        known = self._program.classes.get(cls)
        found: list[str] = []
        for base in known.bases if known is not None else ():
            found.extend(self.constructed(base))
        for field in known.managed if known is not None else ():
            found.extend(self.member(field))
        return found

    def member(self, field: str) -> tuple[str, ...]:
        """Bodies that run for a member that no constructor mentions."""
        start = f"nsdmi:{field}"
        if start in self._program.functions:
            return (start,)
        element = innermost_element(self._program.type_of(field))
        if not element or self._program.is_indirect(element):
            return ()
        return self.constructed(self._program.split(strip_type(element))[0])
