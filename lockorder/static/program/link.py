"""The whole program: facts of all units merged, declarations joined to definitions.

Units are merged in the order given (callers sort them), so the result does not depend on how the
facts were computed.  A call is joined to a body by USR; where a missing header made two units see
different parameter types, by qualified name and number of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import msgspec

from lockorder.bounds import NAMESAKES
from lockorder.knowledge import Knowledge, builtin
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import (
    Class,
    Contract,
    Decl,
    Facts,
    Variable,
    is_python,
    renamed,
)
from lockorder.static.parse.facts import walk
from lockorder.static.parse.names import refers, split_template, strip_type, unqualified_pointer
from lockorder.static.parse.number_types import WORDS
from lockorder.static.program.homonyms import told_apart
from lockorder.static.program.qualify import qualify

#: How clang calls a type without a name: with its place, which differs between checkouts.
_PLACE = re.compile(r"\((?:anonymous|unnamed)[^)]*\)")


def _always(_file: str) -> bool:
    return True


class Program:
    """Functions, classes and variables of all units."""

    def __init__(self, units: Iterable[Facts], knowledge: Knowledge | None = None) -> None:
        self.knowledge = knowledge if knowledge is not None else builtin()
        self.functions: dict[str, f.Function] = {}
        self.decls: dict[str, Decl] = {}
        self.variables: dict[str, Variable] = {}
        self.classes: dict[str, Class] = {}
        #: names of enumerations
        self.enums: set[str] = set()
        #: names that several classes have, as those without a name of their own do
        self._namesakes: set[str] = set()
        #: fields of unions, by the union's key
        self.unions: dict[str, list[str]] = {}
        #: by field of a union: the others, which lie on it
        self.overlaid: dict[str, frozenset[str]] = {}
        #: By field: the literal that it begins as by its declaration.
        self.starts: dict[str, str] = {}
        self.contracts: list[Contract] = []
        spaces = (n.removesuffix("::") for n in self.knowledge.namespaces)
        self._standard = tuple(f"c:@N@{n.replace('::', '@N@')}@" for n in spaces)
        self._by_name: dict[str, list[str]] = {}
        self._by_last: dict[str, list[str]] = {}
        self._overriders: dict[str, list[str]] = {}
        self._fields: dict[tuple[str, str], str] = {}
        self._resolved: dict[str, tuple[str, ...]] = {}
        #: templates of which no more copies were made (bounds.INSTANCES)
        self.uncopied: set[str] = set()
        #: functions for which so many bodies could stand that none was taken (bounds.NAMESAKES)
        self.too_many: set[str] = set()
        self._types: dict[str, tuple[str, tuple[str, ...]]] = {}
        self._derived: dict[str, list[str]] = {}
        self._globals: dict[str, list[str]] = {}
        #: Files in which the compiler's front end found errors: parts of them were not read.
        self.damaged: set[str] = set()
        #: Whether a file is among what was asked to be checked, or only included by that.
        self.is_asked: Callable[[str], bool] = _always
        #: Functions made from templates, with the template of each.
        self.copies: dict[str, str] = {}
        #: Parameters that are texts, and decide something (see ``texts``).
        self.text_choices: frozenset[str] = frozenset()
        #: Functions that run only while an object is being made (``building`` finds them).
        self.building: frozenset[str] = frozenset()
        self._tparams: dict[str, frozenset[str]] = {}
        self._below: dict[str, frozenset[str]] = {}
        self._versions: dict[tuple[str, str], bool] = {}
        units = told_apart(qualify(list(units)))
        for unit in units:
            self._merge(unit)
        self._index()
        #: names of what Python sources declare and call
        tables = (self.functions, self.decls, self.variables)
        named = (x for table in tables for x in table.values())
        self._dotted = {x.name for x in named if is_python(x.usr)}

    def _merge(self, unit: Facts) -> None:
        unit = self._told_apart(unit)
        self.contracts.extend(unit.contracts)
        self.damaged.update(x.file for x in unit.files if x.errors)
        self.enums.update(unit.enums)
        for function in unit.functions:
            old = self.functions.get(function.usr)
            if old is None or (old.filled and not function.filled):
                self.functions[function.usr] = function
        for decl in unit.decls:
            known = self.decls.get(decl.usr)
            if known is None or (decl.virtual, decl.libc) > (known.virtual, known.libc):
                self.decls[decl.usr] = decl
        for variable in unit.variables:
            present = self.variables.get(variable.usr)
            if present is None or (variable.defined and not present.defined):
                self.variables[variable.usr] = _without_own_const(variable)
        for cls in unit.classes:
            self.starts.update((u, text) for u, text in cls.starts.items() if text)
            if cls.union:
                self.unions[cls.usr] = cls.fields
                beside = ((x, frozenset(y for y in cls.fields if y != x)) for x in cls.fields)
                self.overlaid.update(beside)
        for cls in unit.classes:
            known_class = self.classes.get(cls.name)
            if known_class is not None and known_class.usr != cls.usr:
                self._namesakes.add(cls.name)
            if known_class is None or len(cls.fields) > len(known_class.fields):
                self.classes[cls.name] = cls

    def _told_apart(self, unit: Facts) -> Facts:
        """*unit* with names of its own for what another file defines as well.

        Two files that define the same function or global belong to two programs (tests, examples)
        that are analysed together; each keeps its own.  What defines a function of the C library
        stands in for that where it is preloaded; in all other programs a call is the library's.
        """
        clashes = [
            x.usr
            for x in unit.functions
            if x.usr in self.functions
            and not (x.filled or self.functions[x.usr].filled)
            and x.file == unit.main != self.functions[x.usr].file
        ]
        for variable in unit.variables:
            present = self.variables.get(variable.usr)
            both = present is not None and present.defined and variable.defined
            if present is not None and both and variable.file == unit.main != present.file:
                clashes.append(variable.usr)
        libc = {d.usr for d in unit.decls if d.libc}
        clashes += [x.usr for x in unit.functions if x.usr in libc]
        if not clashes:
            return unit
        return renamed(unit, {u: f"{u}!{unit.main}" for u in clashes})

    def _index(self) -> None:
        for usr, function in self.functions.items():
            if function.kind == "lambda" or usr.startswith("init:"):
                continue
            if self.copies.get(usr) in self.functions:
                continue  # the template itself stands for all that was made from it
            self._by_name.setdefault(function.name, []).append(usr)
            if not is_python(usr):  # nothing that C++ has left open is a function of Python's
                last = function.name.rsplit("::", 1)[-1]
                self._by_last.setdefault(last, []).append(usr)
            for over in function.overrides:
                self._overriders.setdefault(over, []).append(usr)
        for usr, known in self.variables.items():
            if known.kind in ("global", "member") and not is_python(usr):
                self._globals.setdefault(known.name.rsplit("::", 1)[-1], []).append(usr)
        for cls in self.classes.values():
            for field in cls.fields:
                variable = self.variables.get(field)
                if variable is not None:
                    self._fields[cls.name, variable.name.rsplit("::", 1)[-1]] = field
            for base in cls.bases:
                self._derived.setdefault(base, []).append(cls.name)

    def unnamed(self, spelling: str) -> str:
        """The name of the only class that an unnamed type can be; empty if there are several."""
        name = self.split(_PLACE.sub("(anonymous)", spelling))[0]
        return name if name in self.classes and name not in self._namesakes else ""

    def index_again(self) -> None:
        """Functions have other names or overriders than before."""
        for index in (self._by_name, self._by_last, self._overriders, self._resolved):
            index.clear()
        self._globals.clear()
        self._derived.clear()
        self._index()

    # -- functions --------------------------------------------------------------------------------

    def name_of(self, usr: str) -> str:
        """The qualified name of a function; the key itself where it was never declared."""
        function = self.functions.get(usr)
        if function is not None:
            return function.name
        decl = self.decls.get(usr)
        return decl.name if decl is not None else usr

    def told(self, name: str) -> str:
        """A qualified name as its own language writes it: with dots, where it is Python's."""
        return name.replace("::", ".") if name in self._dotted else name

    def told_of(self, usr: str) -> str:
        """The same of a function, by its key."""
        return self.told(self.name_of(usr))

    def called(self, call: f.Call) -> str:
        """The qualified name of what *call* calls, as far as declarations tell; empty elsewhere."""
        target = call.target
        if isinstance(target, f.Fn):
            return self.name_of(target.usr)
        if not isinstance(target, f.Name):
            return ""
        if target.base is None:
            return target.text
        known = self.type_of(target.base.usr) if isinstance(target.base, f.Var | f.Field) else ""
        return f"{self.split(self.pointee(known))[0]}::{target.text}" if known else ""

    def method_called(self, call: f.Call) -> str:
        """The last part of that name: what a method is called, whatever its class."""
        return self.called(call).rpartition("::")[2]

    def result_of(self, usr: str) -> str:
        """The spelling of a function's result type; empty where it is not known."""
        decl = self.decls.get(usr)
        return decl.result if decl is not None else ""

    def needs_nothing(self, usr: str) -> bool:
        """Whether a function can be called without arguments, as far as it is declared."""
        decl = self.decls.get(usr)
        packs = sum(t.rstrip().endswith("...") for t in decl.types) if decl is not None else 0
        return decl is None or decl.required <= packs

    def body_of(self, usr: str) -> tuple[str, ...]:
        """Keys of the bodies that a direct call of *usr* can run (usually one)."""
        if usr in self.functions:
            return (usr,)
        found = self._resolved.get(usr)
        if found is None:
            found = self._resolved[usr] = self._join(usr)
        return found

    def _join(self, usr: str) -> tuple[str, ...]:
        decl = self.decls.get(usr)
        if decl is None or decl.libc:
            return ()
        same = self._by_name.get(decl.name, [])
        if _is_shared(usr):  # a static function of another file is not what this one declares
            same = [u for u in same if not u.startswith("c:") or _is_shared(u)]
        if _takes_own(usr):  # every unit that has its class knows that type
            same = [u for u in same if not u.startswith("c:")]
        exact = [u for u in same if len(self.functions[u].params) == decl.params]
        if len(exact) <= NAMESAKES.limit:
            return tuple(exact)
        self.too_many.add(usr)
        return ()

    def overriders(self, usr: str) -> list[str]:
        """Keys of all functions that override *usr*, directly or not, in a fixed order."""
        found: list[str] = []
        pending = list(self._overriders.get(usr, ()))
        while pending:
            over = pending.pop(0)
            if over not in found:
                found.append(over)
                pending.extend(self._overriders.get(over, ()))
        return found

    def methods(self, cls: str, name: str) -> list[str]:
        """Bodies of method *name* of a class or its nearest base that has one, and overriders."""
        if cls not in self.classes:
            return []
        found = list(self.nearest(cls, name))
        for body in list(found):
            found.extend(u for u in self.overriders(body) if u not in found)
        return found

    def global_named(self, text: str, file: str) -> str | None:
        """The key of a global or static member by a name that may lack its namespace.

        The one of *file* where there are several, None where that does not decide.
        """
        last = text.rsplit("::", 1)[-1]
        found = [u for u in self._globals.get(last, ()) if self.variables[u].name.endswith(text)]
        if len(found) > 1:
            found = [u for u in found if self.variables[u].file == file]
        return found[0] if len(found) == 1 else None

    def can_reach(self, caller: f.Function, target: str) -> bool:
        """Whether *caller*, running on ``this``, can dispatch to *target* on the same object.

        Not where the target's class overrides the caller itself: such an object would not be in
        the caller's version, unless that override calls it by its qualified name.
        """
        overriding = self.overriders(caller.usr) if caller.kind == "method" else []
        if not overriding:
            return True
        lineage = self.ancestors(self.functions[target].cls)
        for over in overriding:
            if self.functions[over].cls in lineage:
                return any(c == caller.usr for c in self._direct_calls(over))
        return True

    def _direct_calls(self, usr: str) -> set[str]:
        return {
            s.target.usr
            for s in walk(self.functions[usr].body)
            if isinstance(s, f.Call) and isinstance(s.target, f.Fn)
        }

    def ancestors(self, cls: str) -> set[str]:
        """*cls* and all of its bases."""
        found = {cls}
        pending = [cls]
        while pending:
            known = self.classes.get(pending.pop())
            for base in known.bases if known else ():
                if base not in found:
                    found.add(base)
                    pending.append(base)
        return found

    def runs(self, cls: str, function: str) -> bool:
        """Whether *function* is the version of it that objects of *cls*, and no other, have."""
        known = self._versions.get((cls, function))
        if known is None:
            lineage, own = self.ancestors(cls), self.functions[function].cls
            over = (self.functions[o].cls for o in self.overriders(function))
            known = own in lineage and not any(c != own and c in lineage for c in over)
            self._versions[cls, function] = known
        return known

    def by_bare_name(self, text: str, cls: str | None, count: int) -> tuple[str, ...]:
        """Bodies that a name without a declaration can mean; empty where too many could.

        *cls* is the class of the object for a member call ("" where unknown), None for a plain
        call; *count* the number of arguments.
        """
        found = self.namesakes(text, cls, count)
        if cls == "" and self.knowledge.is_usual(text.rpartition("::")[2]) and len(found) > 1:
            return ()
        return tuple(found) if len(found) <= NAMESAKES.limit else ()

    def of_class(self, text: str, cls: str, count: int) -> tuple[str, ...]:
        """Bodies that a member call of *count* arguments means, by its object's class.

        Those of *cls*, or of its nearest base that has such a method, and what overrides them;
        empty where the class was not read, has none, or shares its name with another class.
        """
        if cls not in self.classes or self.is_ambiguous(cls):
            return ()
        found = self.methods(cls, text.rpartition("::")[2])
        return tuple(u for u in found if len(self.functions[u].params) >= count)

    def of_derived(self, text: str, cls: str, count: int) -> tuple[str, ...]:
        """The same of classes below *cls*, which has none: ``static_cast<D *>(this)->go()``."""
        below = sorted(self.derived(cls) - {cls}) if cls in self.classes else []
        found = (u for each in below for u in self.of_class(text, each, count))
        return tuple(dict.fromkeys(found))

    def is_cut(self, text: str, cls: str | None, count: int) -> bool:
        """Whether `by_bare_name` leaves out what the name can mean, since there is too much."""
        if cls == "" and self.knowledge.is_usual(text.rpartition("::")[2]):
            return False  # of an object that may be of any class it says nothing
        return len(self.namesakes(text, cls, count)) > NAMESAKES.limit

    def namesakes(self, text: str, cls: str | None, count: int) -> list[str]:
        """All bodies that a name without a declaration can mean, as for `by_bare_name`."""
        if not text:
            return []
        last = text.rsplit("::", 1)[-1]
        found = self._by_last.get(last, [])
        if "::" in text:
            found = [u for u in found if f"::{self.functions[u].name}".endswith(f"::{text}")]
        if cls is None:
            found = [u for u in found if not self.functions[u].cls or self.functions[u].static]
        else:
            found = [u for u in found if self.functions[u].cls]
            if cls:
                family = self.family(cls)
                found = [u for u in found if self.functions[u].cls in family]
        return [u for u in found if len(self.functions[u].params) >= count]

    # -- classes and types ------------------------------------------------------------------------

    def family(self, cls: str) -> set[str]:
        """*cls*, its bases and everything derived from it."""
        found = self.ancestors(cls)
        pending = [cls]
        while pending:
            for derived in self._derived.get(pending.pop(), ()):
                if derived not in found:
                    found.add(derived)
                    pending.append(derived)
        return found

    def derived(self, cls: str) -> frozenset[str]:
        """*cls* and everything derived from it."""
        found = self._below.get(cls)
        if found is None:
            known = (c for c in self.family(cls) if cls in self.ancestors(c))
            found = self._below[cls] = frozenset(known)
        return found

    def children(self, cls: str) -> list[str]:
        """Classes of which *cls* is a base itself."""
        return [c for c in self._derived.get(cls, ()) if c in self.classes]

    def named(self, name: str) -> list[str]:
        """Keys of the functions of that qualified name."""
        return self._by_name.get(name, [])

    def nearest(self, cls: str, method: str) -> list[str]:
        """Keys of the method of that name which *cls* has: its own hides those of its bases."""
        seen, level = {cls}, [cls]
        while level:
            found = [usr for c in level for usr in self.named(f"{c}::{method}")]
            if found:
                return found
            bases = [b for c in level if c in self.classes for b in self.classes[c].bases]
            level = [b for b in dict.fromkeys(bases) if b not in seen]
            seen.update(level)
        return []

    def is_ambiguous(self, cls: str) -> bool:
        """Whether several classes have that name."""
        return cls in self._namesakes

    def call_operators(self, cls: str) -> list[str]:
        """Bodies of ``operator()`` of a class."""
        return self._by_name.get(f"{cls}::operator()", []) if cls else []

    def deleted_as(self, cls: str) -> list[str]:
        """Classes whose destructor ``delete`` of a pointer to *cls* can run: derived ones too
        where the destructor is virtual."""
        known = self.classes.get(cls)
        decl = self.decls.get(known.dtor) if known is not None and known.dtor else None
        if decl is None or not decl.virtual:
            return [cls]
        found = [cls]
        for here in found:
            found.extend(d for d in self._derived.get(here, ()) if d not in found)
        return found

    def is_movable(self, cls: str) -> bool:
        """Whether *cls* has a constructor of its own that moves."""
        known = self.classes.get(cls)
        bodies = (b for c in (known.ctors if known is not None else ()) for b in self.body_of(c))
        taken = ([self.type_of(p) for p in self.functions[b].params] for b in bodies)
        return any(len(t) == 1 and t[0].rstrip().endswith("&&") for t in taken)

    def field(self, cls: str, name: str) -> str | None:
        """The key of field *name* of *cls* or of one of its bases."""
        seen: set[str] = set()
        pending = [cls]
        while pending:
            here = pending.pop(0)
            if here in seen:
                continue
            seen.add(here)
            found = self._fields.get((here, name))
            if found is not None:
                return found
            known = self.classes.get(here)
            pending.extend(known.bases if known else ())
        return None

    def split(self, spelling: str) -> tuple[str, tuple[str, ...]]:
        """A type's qualified name and template arguments, remembered."""
        found = self._types.get(spelling)
        if found is None:
            name, arguments = split_template(spelling)
            found = self._types[spelling] = (name, tuple(arguments))
        return found

    def type_of(self, usr: str) -> str:
        """The spelling of a variable's type; empty where it is not known."""
        variable = self.variables.get(usr)
        return variable.type if variable is not None else ""

    def is_lasting(self, usr: str) -> bool:
        """Whether a variable is a global or a static local, which outlives every call."""
        variable = self.variables.get(usr)
        return variable is not None and variable.kind in ("global", "static", "member")

    def home(self, function: f.Function) -> f.Function | None:
        """The function that a lambda is written in, however deep; any other is its own."""
        found: f.Function | None = function
        while found is not None and found.parent:
            found = self.functions.get(found.parent)
        return found

    def template_parameters(self, usr: str) -> frozenset[str]:
        """Names of the template parameters that a function sees: its own, and around it."""
        found = self._tparams.get(usr)
        if found is None:
            decl, function = self.decls.get(usr), self.functions.get(usr)
            names = set(decl.tparams) if decl is not None else set()
            cls = function.cls if function is not None else decl.cls if decl is not None else ""
            while cls:
                names.update(self.classes[cls].tparams if cls in self.classes else ())
                cls = cls.rpartition("::")[0]
            if function is not None and function.parent:
                names |= self.template_parameters(function.parent)
            found = self._tparams[usr] = frozenset(names)
        return found

    def template_parameters_of_member(self, field: str) -> Sequence[str]:
        """Names of the template parameters of the class that has a field."""
        variable = self.variables.get(field)
        cls = self.classes.get(variable.name.rpartition("::")[0]) if variable is not None else None
        return cls.tparams if cls is not None else ()

    def is_dependent(self, cls: str) -> bool:
        """Whether a class's name can be that of a template's parameter: no class is called so."""
        known = cls in self.classes or cls in WORDS or cls == "void"
        return cls.isidentifier() and not known

    def is_indirect(self, spelling: str) -> bool:
        """Whether a variable of this type only points to its object."""
        text = spelling.strip()
        if refers(text):
            return True
        name = self.split(text)[0]
        return name in self.knowledge.pointers

    def plain(self, spelling: str) -> str:
        """A type without const and references; of a pointer, without what is said of itself."""
        spelling = unqualified_pointer(spelling)
        return strip_type(spelling) if not spelling.rstrip().endswith("*") else spelling

    def element_type(self, spelling: str, index: str = "") -> str:
        """The type of an element of an array, container or tuple."""
        text = self.pointee(spelling)
        if text.endswith("]"):
            return text[: text.rindex("[")].strip()
        name, arguments = self.split(text)
        if not arguments:
            return text
        if index.isdecimal() and self.knowledge.is_tuple(name):
            return arguments[min(int(index), len(arguments) - 1)]
        return arguments[1] if len(arguments) > 1 and self.knowledge.is_map(name) else arguments[0]

    def is_standard(self, usr: str) -> bool:
        """Whether the key of a declaration is one of a standard library."""
        return usr.startswith(self._standard)

    def pointee(self, spelling: str) -> str:
        """The class behind pointers, references and smart pointers; element types of arrays."""
        text = strip_type(spelling)
        while True:  # each round leaves a shorter text
            name, arguments = self.split(text)
            if name not in self.knowledge.pointers or not arguments:
                return text
            text = strip_type(arguments[0])


def _without_own_const(variable: Variable) -> Variable:
    """A pointer that always points to the same (``Mutex *const``) is a pointer like others.

    A static member may be a constant of its class.
    """
    plain = variable.type.removesuffix("const").rstrip()
    if variable.kind == "member" or plain == variable.type or not plain.endswith("*"):
        return variable
    return msgspec.structs.replace(variable, type=plain)


#: What clang writes before the type of a parameter that is a class: references, const.
_BEFORE_CLASS = re.compile(r"&{0,2}\d?[$>]")


def _takes_own(usr: str) -> bool:
    """Whether a member function takes an object of its own class first, as those that copy do.

    They are often in nobody's text: implicit, or defaulted.
    """
    home, _, member = usr.rpartition("@F@")
    own, parameters = home.removeprefix("c:"), member.partition("#")[2]
    before = _BEFORE_CLASS.match(parameters)
    if not own or before is None or not parameters.startswith(own, before.end()):
        return False
    after = parameters[before.end() + len(own) :]
    return after.startswith("#") if before.group().endswith("$") else after[:1].isdigit()


def _is_shared(usr: str) -> bool:
    """Whether clang's name of a function says that all files mean the same by it."""
    return usr.startswith("c:@")
