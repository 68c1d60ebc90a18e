"""What a value is a name of: which object it lies in, or that others may lead there as well.

``map[key]``, ``held.get()`` and ``this->part`` are names of what lies in an object, or leads there:
what is put into it is in that object.  What a pointer member, a reference or a shared owner leads
to is no part of the object that has it, and others may know it: that is ``None`` here.  Of a call,
the function says it: what it returns by reference or pointer is its object's, an argument's, or
what outlives it (``static Registry r; return r;``).
"""

from __future__ import annotations

from enum import Enum

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.parse.number_types import WORDS
from lockorder.static.program.link import Program

#: What a value is a name of; None for what others may know.
Roots = list[f.Value | None]
#: Functions whose results are being looked for.
_Seen = frozenset[str]

_SCALAR = WORDS | {"_Bool", "size_t", "void"}


class Behind(Enum):
    """What is asked of a pointer: what it leads to, or itself."""

    ALL = "what it leads to"
    PLAIN = "of a smart pointer itself, of any other what it leads to"
    NONE = "itself"


class _Text:
    """The calls of a function by number, and what its variables are given."""

    def __init__(self, function: f.Function) -> None:
        self.calls: dict[int, f.Call] = {}
        self.given: dict[str, Roots] = {}
        self.returned: Roots = []
        for statement in walk(function.body):
            if isinstance(statement, f.Call):
                self.calls[statement.id] = statement
            elif isinstance(statement, f.Local):
                self.given.setdefault(statement.usr, []).append(statement.value)
            elif isinstance(statement, f.Assign) and isinstance(statement.target, f.Var):
                self.given.setdefault(statement.target.usr, []).append(statement.value)
            elif isinstance(statement, f.Return):
                self.returned.append(statement.value)


class Leads:
    """Answers for one program; what functions return is remembered."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge
        self._returned: dict[str, Roots] = {}
        self._texts: dict[str, _Text] = {}

    def roots(
        self, function: f.Function, value: f.Value | None, behind: Behind = Behind.ALL
    ) -> Roots:
        """All objects that *value* may lie in or lead to, without members.

        A call's result and a local pointer stand beside what they are names of.
        """
        return self._roots(function, value, behind, frozenset())

    def _roots(
        self, function: f.Function, value: f.Value | None, behind: Behind, seen: _Seen
    ) -> Roots:
        if value is None:
            return []
        found = Roots()
        pending = [self._lies_in(value, behind)]
        for root in pending:  # which grows meanwhile
            if root not in found:
                found.append(root)
                further = self._names(function, root, seen)
                pending += [None if v is None else self._lies_in(v, behind) for v in further]
        return found

    def _lies_in(self, value: f.Value, behind: Behind) -> f.Value | None:
        """What holds that which *value* is or leads to; None for what others may lead to."""
        while isinstance(value, f.Field | f.Elem):
            spelling = self._spelling(value)
            plain = behind is Behind.PLAIN and _is_plain(spelling)
            if self._is_indirect(spelling) and (behind is Behind.ALL or plain):
                return None
            value, behind = value.base, Behind.ALL
        return value

    def _names(self, function: f.Function, root: f.Value | None, seen: _Seen) -> Roots:
        """What a call's result is a name of, and a local pointer, by the function's text."""
        if isinstance(root, f.AnyOf):
            return list(root.values)
        if isinstance(root, f.Result):
            call = self._text(function).calls.get(root.call)
            return self._of_call(call, seen) if call is not None else []
        if not isinstance(root, f.Var) or root.usr in function.params:
            return []
        variable = self._program.variables.get(root.usr)
        if variable is None or variable.kind != "local" or not self._is_indirect(variable.type):
            return []
        return [v for v in self._text(function).given.get(root.usr, ()) if v is not None]

    def _text(self, function: f.Function) -> _Text:
        known = self._texts.get(function.usr)
        if known is None:
            known = self._texts[function.usr] = _Text(function)
        return known

    # -- types ------------------------------------------------------------------------------------

    def _is_indirect(self, spelling: str) -> bool:
        """Whether something of a type leads to an object that others may lead to as well."""
        name = self._program.split(self._program.plain(spelling))[0]
        owner = self._knowledge.owners.get(name)
        shared = owner.shared if owner is not None else name in self._knowledge.pointers
        return _is_plain(spelling) or shared

    def _spelling(self, value: f.Field | f.Elem) -> str:
        """The type of a member, or of an element of one; empty where it is not known."""
        if isinstance(value, f.Field):
            return self._program.type_of(value.usr)
        if not isinstance(value.base, f.Field | f.Var):
            return ""
        spelling = self._program.plain(self._program.type_of(value.base.usr))
        element = self._program.element_type(spelling)
        return element if element != spelling else ""

    # -- calls ------------------------------------------------------------------------------------

    def bodies(self, call: f.Call) -> list[str]:
        """The functions that a call by name may run, as far as they are read."""
        if not isinstance(call.target, f.Fn):
            return []
        found = list(self._program.body_of(call.target.usr))
        over = self._program.overriders(call.target.usr) if call.virtual else []
        return [*found, *(u for u in over if u not in found)]

    def _of_call(self, call: f.Call, seen: _Seen) -> Roots:
        """Of what a call's result is a name: the object, arguments, what others may know."""
        target = call.target
        if not isinstance(target, f.Fn) or call.type:
            return []  # what it makes is new
        bodies = self.bodies(call)
        if not bodies:
            if self._program.called(call) in self._knowledge.same_functions:
                return list(call.args[:1])
            if target.base is None or is_scalar(self._result_of(target.usr)):
                return []
            finds = self._program.method_called(call) in self._knowledge.element_methods
            return [f.Elem(target.base) if finds else target.base]
        found = Roots()
        for body in bodies:
            params = self._program.functions[body].params
            for root in self._of_body(body, seen):
                if root is None:
                    found.append(None)
                elif isinstance(root, f.Var):
                    found += call.args[params.index(root.usr) :][:1]
                elif target.base is not None:
                    found.append(target.base)
        return found

    def _result_of(self, usr: str) -> str:
        return self._program.result_of(usr) or "*"

    def _of_body(self, usr: str, seen: _Seen) -> Roots:
        """Of what a function's result is a name: its object, parameters, what others may know."""
        known = self._returned.get(usr)
        if known is not None:
            return known
        if usr in seen or not self._is_indirect(self._program.result_of(usr)):
            return []
        function = self._program.functions[usr]
        found = Roots()
        for value in self._text(function).returned:
            for root in self._roots(function, value, Behind.ALL, seen | {usr}):
                own = isinstance(root, f.Var) and root.usr in function.params
                if own or root is None or isinstance(root, f.This):
                    found.append(root)
                elif isinstance(root, f.Var) and self._program.is_lasting(root.usr):
                    found.append(None)
        if not seen:
            self._returned[usr] = found
        return found


def is_scalar(spelling: str) -> bool:
    """Whether a value of the type leads to no object: numbers, not pointers."""
    text = spelling.removeprefix("const ").strip()
    if text.endswith("*") or "(" in text:
        return False
    words = text.rstrip("& ").split()
    return bool(words) and all(w in _SCALAR or w == "const" for w in words)


def _is_plain(spelling: str) -> bool:
    """Whether a type is a pointer's or a reference's."""
    return spelling.rstrip().removesuffix("const").rstrip().endswith(("*", "&"))
