"""Which callables can be where one is kept: ``std::function<R(A...)>`` is called with A....

The compiler lets nothing else in there ([func.wrap.func.con]/10), whatever flows together here.  A
plain pointer to a function says nothing: those are cast.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from lockorder.static.parse.names import strip_type
from lockorder.static.program.conversions import Conversions
from lockorder.static.program.link import Program


class Signature(NamedTuple):
    """What a callable is called with, and the type of what it has to return."""

    result: str
    args: tuple[str, ...]


class Signatures:
    """Answers for one program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._conversions = Conversions(program)
        self._of: dict[str, Signature | None] = {}

    def of_variable(self, usr: str) -> Signature | None:
        """How what is in a variable, or in the container that it is, is called; None: any way."""
        variable = self._program.variables.get(usr)
        return self.of(variable.type) if variable is not None and "(" in variable.type else None

    def of(self, spelling: str) -> Signature | None:
        """The same for an object of type *spelling*."""
        if spelling not in self._of:
            self._of[spelling] = self._read(spelling)
        return self._of[spelling]

    def _read(self, spelling: str) -> Signature | None:
        """Containers are one place with all of their elements; a key of a map is no callable."""
        text = spelling
        while True:  # each round leaves a shorter text
            text = self._program.pointee(text)
            name, arguments = self._program.split(text)
            owner = self._program.knowledge.owners.get(name)
            if owner is None or not arguments:
                return None
            if owner.callable:
                return _signature(arguments[0])
            if self._program.knowledge.is_map(name) and len(arguments) > 1:
                text = arguments[1]
            elif owner.numbered or "(" not in arguments[0]:
                return None
            else:
                text = arguments[0]

    def fits(self, signature: Signature, function: str) -> bool:
        """Whether a function can be called so, as far as its parameters are known."""
        body = self._program.functions.get(function)
        if body is None:
            return True
        types = [self._program.type_of(p) for p in body.params]
        if any("..." in t for t in types[-1:]):
            return True
        args = list(signature.args)
        decl = self._program.decls.get(function)
        is_operator = body.name.endswith("::operator()")
        is_member = body.kind == "method" and not body.static and not is_operator
        if is_member and not (args and self._is_object(args.pop(0), body.cls)):
            return False
        required = len(types)
        if is_operator or body.kind == "lambda":  # a pointer to any other knows no defaults
            required = max(decl.required, 0) if decl is not None else 0
        if not required <= len(args) <= len(types):
            return False
        result = decl.result if decl is not None else ""
        if result == "void" != signature.result:
            return False
        pairs = zip(args, types, strict=False)
        return all(self._conversions.may(given, wanted) for given, wanted in pairs)

    def _is_object(self, spelling: str, cls: str) -> bool:
        """Whether a method of *cls* can be called on what is handed in first."""
        text = self._program.pointee(spelling)
        return self._conversions.may(f"{text} *", f"{cls} *")


def _signature(text: str) -> Signature | None:
    """``R (A, B)`` in its parts."""
    end, depth, commas = text.rfind(")"), 0, list[int]()
    for at in range(end, -1, -1):
        c = text[at]
        if c in ")>}" and text[at - 1 : at + 1] != "->":
            depth += 1
        elif c in "(<{":
            depth -= 1
        if c == "," and depth == 1:
            commas.append(at)
        if depth == 0:
            break
    else:
        return None
    result, cuts = text[:at].strip(), [at, *reversed(commas), end]
    if not result or result.endswith(")"):
        return None
    args = [text[a + 1 : b].strip() for a, b in itertools.pairwise(cuts)]
    if any("..." in a for a in args):
        return None
    args = [a for a in args if (a and strip_type(a) != "void") or a.endswith("*")]
    return Signature(strip_type(result) if not result.endswith("*") else result, tuple(args))
