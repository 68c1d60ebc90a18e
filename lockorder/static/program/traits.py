"""Conditions on types, once a template's arguments are known.

``std::is_same_v<T, U>``, ``Traits<T>::locks`` and ``T::locks`` are kept as they are written; with
the arguments in them they are one of two things: a comparison of types, or a static member that
is a constant.
"""

from __future__ import annotations

import re

from lockorder.static.parse import facts as f
from lockorder.static.parse.number_types import WORDS
from lockorder.static.program.link import Program

#: What a class template of a comparison has its answer in.
_ANSWER = "::value"
_WORD = re.compile(r"[A-Za-z_][\w:]*")
#: Types are compared without these, and differ by them.
_QUALIFIED = re.compile(r"\b(?:const|volatile)\b")


class Traits:
    """Answers for types that are spelt out."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._constants: dict[str, str] | None = None
        #: classes with static members that are made from templates, by the template
        self._specials: dict[str, list[str]] | None = None

    def value(self, text: str) -> str | None:
        """The literal that an expression is; None where nobody can say."""
        text = text.strip()
        same = self._compared(text.removesuffix(_ANSWER))
        if same is not None:
            return "true" if same else "false"
        owner, _, member = _split(text)
        return self._constant(owner, member) if owner else None

    def _compared(self, text: str) -> bool | None:
        """Whether two types are the same, where *text* compares them."""
        name, given = self._program.split(text)
        known = self._program.knowledge.same_type
        if not any(space + name in known for space in ("", *self._program.knowledge.namespaces)):
            return None
        if len(given) != 2:
            return None
        one, other = (self._plain(g) for g in given)
        if one == other:
            return None if _QUALIFIED.search(text) else True
        if not all(map(self._is_known, given)):
            return None
        # One may be written without its namespace.
        one, other = f"::{one}", f"::{other}"
        return None if one.endswith(other) or other.endswith(one) else False

    def _is_known(self, spelling: str) -> bool:
        """Whether all names in a type are those of types that nobody has to choose.

        A member of a class, and most of what the standard library names, may be another name.
        """
        words = (w for w in _WORD.findall(spelling) if w not in ("const", "volatile"))
        return all(map(self._is_type, words))

    def _is_type(self, word: str) -> bool:
        knowledge, scope = self._program.knowledge, word.rpartition("::")[0]
        if word in self._program.classes or word in WORDS or word == "void":
            return True
        if word in knowledge.locks or word in knowledge.guards:
            return True
        member = scope in self._program.classes
        return bool(scope) and not member and not knowledge.is_standard(word)

    def _plain(self, spelling: str) -> str:
        return re.sub(r"\b(?:class|struct|enum) ", "", " ".join(spelling.split())).lstrip(":")

    def _constant(self, owner: str, member: str) -> str | None:
        """What a static constant of a class is: the specialisation's, or the template's own."""
        if self._constants is None:
            self._constants = self._find()
        plain = self._program.split(owner)[0]
        for cls in (self._plain(owner), *((plain,) if not self._is_special(plain) else ())):
            found = self._constants.get(f"{cls}::{member}")
            if found is not None:
                return found
        return None

    def _is_special(self, template: str) -> bool:
        """Whether some arguments of a template may have a partial specialisation of their own."""
        if self._specials is None:
            self._specials = self._by_template()
        return any(self._depends(c) for c in self._specials.get(template, ()))

    def _by_template(self) -> dict[str, list[str]]:
        owners = {
            v.name.rpartition("::")[0]
            for v in self._program.variables.values()
            if v.kind == "member"
        }
        found: dict[str, list[str]] = {}
        for owner in sorted(owners):
            for i, sign in enumerate(owner):
                if sign == "<":
                    found.setdefault(owner[:i], []).append(owner)
        return found

    def _depends(self, spelling: str) -> bool:
        return not all(map(self._is_known, self._program.split(spelling)[1]))

    def _find(self) -> dict[str, str]:
        """Static members that are constants of their class, by name."""
        found: dict[str, str] = {}
        for usr, variable in self._program.variables.items():
            start = self._program.functions.get(f"init:{usr}")
            body = start.body.body if start is not None else []
            only = body[0] if len(body) == 1 else None
            constant = variable.kind == "member" and _is_constant(variable.type)
            if constant and isinstance(only, f.Assign) and isinstance(only.value, f.Lit):
                found[variable.name] = only.value.text
        return found


def _is_constant(spelling: str) -> bool:
    """Whether a variable of that type keeps its value: a pointer to const may be another one."""
    text = spelling.strip()
    return text.endswith("const") or (text.startswith("const ") and text[-1:] not in "*&")


def _split(text: str) -> tuple[str, str, str]:
    """What stands before the last ``::`` outside of arguments, and behind it."""
    depth = 0
    for at in range(len(text) - 1, 0, -1):
        depth += (text[at] == ">") - (text[at] == "<")
        if not depth and text[at - 1 : at + 1] == "::":
            return text[: at - 1], "::", text[at + 1 :]
    return "", "", text
