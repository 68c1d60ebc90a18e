"""Clang's thread-safety attributes as text: which words there are, and where they stand.

libclang shows these attributes without their arguments, and not at all where a missing header
left their macro undefined.  So they are read from the source text around a declarator, in every
spelling: macros under any prefix, ``__attribute__((...))`` and ``[[clang::...]]``.

Source: https://clang.llvm.org/docs/ThreadSafetyAnalysis.html, and Clang's Attr.td for the older
names (``unlock_function`` is generic there).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lockorder.static.discovery.blanks import DIRECTIVE, NOISE, blank, blanked

#: By what is said: the attribute's names, then the macros that Clang's page gives for them.
_SPELLINGS = {
    "requires": ("requires_capability exclusive_locks_required", "REQUIRES"),
    "requires_shared": ("requires_shared_capability shared_locks_required", "REQUIRES_SHARED"),
    "excludes": ("locks_excluded", "EXCLUDES"),
    "acquires": ("acquire_capability exclusive_lock_function", "ACQUIRE"),
    "acquires_shared": ("acquire_shared_capability shared_lock_function", "ACQUIRE_SHARED"),
    "releases": ("release_capability", "RELEASE"),
    "releases_shared": ("release_shared_capability", "RELEASE_SHARED"),
    "releases_generic": ("release_generic_capability unlock_function", "RELEASE_GENERIC"),
    "tries": ("try_acquire_capability exclusive_trylock_function", "TRY_ACQUIRE"),
    "tries_shared": (
        "try_acquire_shared_capability shared_trylock_function",
        "TRY_ACQUIRE_SHARED",
    ),
    "before": ("acquired_before", ""),
    "after": ("acquired_after", ""),
}
_ATTRIBUTES = {a: what for what, (names, _) in _SPELLINGS.items() for a in names.split()}
_MACROS = {a.upper(): what for a, what in _ATTRIBUTES.items()}
_MACROS |= {macro: what for what, (_, macro) in _SPELLINGS.items() if macro}
#: Said of variables only, and so no function's name by accident.
ON_VARIABLES = frozenset(("before", "after"))
#: Further macros of the same header; a declaration is lost where they are not defined.
_SILENT = frozenset(
    ("GUARDED_BY", "PT_GUARDED_BY", "CAPABILITY", "RETURN_CAPABILITY", "LOCK_RETURNED",
     "ASSERT_CAPABILITY", "ASSERT_SHARED_CAPABILITY", "ASSERT_EXCLUSIVE_LOCK",
     "ASSERT_SHARED_LOCK")
)  # fmt: skip
_ANYWHERE = frozenset(("GUARDED_BY", "PT_GUARDED_BY", "ACQUIRED_BEFORE", "ACQUIRED_AFTER"))
_PLAIN = re.compile(
    rb"\b(?:class|struct)\s+((?:\w+_)?(?:SCOPED_CAPABILITY|SCOPED_LOCKABLE|LOCKABLE))\s+\w|"
    rb"\b((?:\w+_)?NO_THREAD_SAFETY_ANALYSIS)\b"
)
#: Looked for first: a plain search for each is many times faster than the patterns.
_HINTS = (b"REQUIRE", b"EXCLUDE", b"ACQUIRE", b"RELEASE", b"LOCK_FUNCTION", b"_capability",
          b"locks_required", b"locks_excluded", b"lock_function", b"acquired_")  # fmt: skip
_MACRO_HINTS = (b"REQUIRE", b"EXCLUDE", b"ACQUIRE", b"RELEASE", b"LOCK_FUNCTION", b"GUARDED_BY",
                b"CAPABILITY", b"LOCKABLE", b"THREAD_SAFETY", b"LOCK_RETURNED",
                b"ASSERT_EXCLUSIVE_LOCK", b"ASSERT_SHARED_LOCK")  # fmt: skip
#: Macros that say how a class is exported; where they are not defined clang takes the class's
#: name for a variable's. Functions alone are better off without: clang skips the one name that it
#: does not know, while a declaration made of several such macros then swallows what follows it.
_EXPORTS = re.compile(
    rb"\b(?:class|struct|union)\s+([A-Z][A-Z0-9_]*_(?:API|EXPORT|EXPORTS|PUBLIC|HIDDEN|VISIBLE|LOCAL|"
    rb"INTERNAL|NOINLINE|INLINE|COLD|UNUSED|NODISCARD))\b(?=[ \t\r\n]+[A-Za-z_~:])"
)
#: A class that is called as such a macro might be, where it is declared: nothing but a name stands
#: before what follows it here.
_CLASS = re.compile(
    rb"\b(?:class|struct|union|enum)\s+([A-Z][A-Z0-9_]*_[A-Z0-9_]+)\s*(?:\bfinal\s*)?[{:;]"
)
_EXPORT_HINTS = (b"_API", b"_EXPORT", b"_PUBLIC", b"_HIDDEN", b"_VISIBLE", b"_NOINLINE", b"_LOCAL",
                 b"_INLINE", b"_INTERNAL", b"_COLD", b"_UNUSED", b"_NODISCARD")  # fmt: skip
_ANY = re.compile(
    rf"\b(?:\w+_)?(?:{'|'.join(_MACROS)})\s*\(|\b_*(?:{'|'.join(_ATTRIBUTES)})_*\b".encode()
)
_DEFINITION = re.compile(
    rb"^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^()\n]*)\))?((?:\\\r?\n|[^\n])*)", re.M
)
#: What stands for all further arguments of a macro.
_REST = "__VA_ARGS__"
_CALLED = re.compile(rb"\b([A-Z_][A-Z0-9_]*)[ \t]*\(")
_WORD = re.compile(rb"\b([A-Za-z_]\w*)\b\s*(\(?)")
_LAST_WORD = re.compile(rb"([A-Za-z_]\w*)\s*$")
_QUALIFIERS = frozenset((b"const", b"noexcept", b"override", b"final", b"volatile"))
_STATEMENTS = frozenset((b"if", b"while", b"for", b"switch", b"catch", b"constexpr"))
_IN_BRACES = re.compile(rb"<[^<>;{}]*>")
_OPERATOR = re.compile(rb"operator\s*(?:\(\s*\)|\[\s*\]|[^\s\w(]+|[\w:<>*&\s]+)")
_CLOSING = {ord("("): ord(")"), ord("["): ord("]"), ord("{"): ord("}")}
#: What is looked at around a declarator at most; a longer one is no declarator.
_MAX_LENGTH = 4000


#: Without macros of a program's own.
_NONE: dict[str, Macro] = {}


class Attribute(NamedTuple):
    """One attribute: what it says (a key of ``_SPELLINGS``), its arguments, its byte offset."""

    what: str
    args: list[str]
    offset: int


class Macro(NamedTuple):
    """A macro of a program's own that stands for attributes, under a name that says nothing.

    *said* are the attributes, each with its arguments in terms of *parameters*.
    """

    name: str
    parameters: tuple[str, ...]
    said: tuple[tuple[str, tuple[str, ...]], ...]

    def used(self, args: list[str], offset: int) -> Iterator[Attribute]:
        """What it says where it is used with these arguments."""
        given = {p: [a] for p, a in zip(self.parameters, args, strict=False)}
        if self.parameters[-1:] == (_REST,):
            given[_REST] = args[len(self.parameters) - 1 :]
        for what, parts in self.said:
            yield Attribute(what, [g for part in parts for g in given.get(part, [part])], offset)


Macros = Mapping[str, Macro]


def own_macros(code: bytes) -> tuple[Macro, ...]:
    """The macros that *code* (without comments) defines as attributes, under names of its own."""
    if b"define" not in code or not any(h in code for h in _HINTS):
        return ()
    found = []
    for match in _DEFINITION.finditer(code):
        name = match.group(1).decode()
        if meaning(name):
            continue
        body = match.group(3).replace(b"\\\n", b" \n")
        said = tuple(
            (a.what, tuple(a.args))
            for a in _attributes(body, 0, len(body), {})
            if body[: a.offset].rstrip()[-1:] in (b"(", b",", b"[", b":")
        )
        if said:
            listed = (match.group(2) or b"").decode().replace("...", _REST).split(",")
            parameters = tuple(p.strip() for p in listed if p.strip())
            found.append(Macro(name, parameters, said))
    return tuple(found)


def agreed(macros: Iterable[Macro]) -> Macros:
    """*macros* by name, but for those that files define differently."""
    found: dict[str, set[Macro]] = {}
    for macro in macros:
        found.setdefault(macro.name, set()).add(macro)
    return {name: next(iter(each)) for name, each in sorted(found.items()) if len(each) == 1}


def meaning(name: str) -> str | None:
    """What an attribute or a macro of that name says; macros may have any prefix."""
    found = _ATTRIBUTES.get(name.strip("_"))
    while found is None and name:
        found = _MACROS.get(name)
        _, _, name = name.partition("_")
    return found


def is_thread_safety(macro: str) -> bool:
    """Whether a macro of that name is one of those on declarations, whatever it stands for."""
    return (
        bool(meaning(macro))
        or _last_part(macro, _SILENT)
        or bool(_PLAIN.fullmatch(f"class {macro} x".encode()) or _PLAIN.fullmatch(macro.encode()))
    )


def occurs(data: bytes, own: Macros = _NONE) -> bool:
    """Whether *data* holds any of the attributes: most files do not, and cost nothing."""
    if any(name.encode() in data for name in own):
        return True
    return any(h in data for h in _HINTS) and _ANY.search(data) is not None


def prepared(data: bytes) -> bytes:
    """*data* with comments, directives and the inside of literals blanked, offsets kept.

    Plain names in quotes stay: the older attributes take the lock's name as a string.
    """

    def without_noise(match: re.Match[bytes]) -> bytes:
        text = match.group(0)
        if text.startswith(b'"') and not re.search(rb"[(){};=,\\]", text):
            return text
        return blank(text)

    return blanked(DIRECTIVE, NOISE.sub(without_noise, data))


def macros_used(code: bytes) -> tuple[str, ...]:
    """Names of the thread-safety and export macros that *code* (without comments) uses.

    Function-like ones are given with their parentheses, as -D wants them: ``REQUIRES(...)``.
    """
    found: dict[str, None] = {}
    if any(h in code for h in _EXPORT_HINTS):
        plain = DIRECTIVE.sub(b"", code)
        found.update((m.group(1).decode(), None) for m in _EXPORTS.finditer(plain))
    if any(h in code for h in _MACRO_HINTS):
        found.update((name, None) for name, _, _ in _uses(DIRECTIVE.sub(b"", code)))
    return tuple(found)


def classes(code: bytes) -> tuple[str, ...]:
    """Names of classes that *code* (without comments) declares and that look like such macros."""
    if not any(h in code for h in (*_EXPORT_HINTS, *_MACRO_HINTS)):
        return ()
    plain = DIRECTIVE.sub(b"", code)
    return tuple(dict.fromkeys(m.group(1).decode() for m in _CLASS.finditer(plain)))


def without(data: bytes) -> bytes:
    """*data* with thread-safety macros on declarations blanked, every byte at its old offset."""
    if not any(h in data for h in _MACRO_HINTS):
        return data
    found = bytearray(data)
    for _, start, end in _uses(prepared(data)):
        found[start:end] = blank(data[start:end])
    return bytes(found)


def _uses(code: bytes) -> Iterator[tuple[str, int, int]]:
    """Macros on declarations: name (see ``macros_used``), start and end."""
    for match in _CALLED.finditer(code):
        name = match.group(1).decode()
        if (meaning(name) or _last_part(name, _SILENT)) and (
            _last_part(name, _ANYWHERE) or _follows_declarator(code, match.start())
        ):
            yield f"{name}(...)", match.start(), _matching(code, match.end() - 1)
    for match in _PLAIN.finditer(code):
        group = 1 if match.group(1) else 2
        yield match.group(group).decode(), *match.span(group)


def undefined(
    used: Iterable[str], defined: Iterable[str], declared: Iterable[str] = ()
) -> tuple[str, ...]:
    """Flags that define as nothing those of *used* (see ``macros_used``) that nobody defines.

    Only a missing header would; without it clang drops the declaration and what follows.  What is
    *declared* as a class (see ``classes``) is no macro, though ``struct X_LOCAL x;`` looks like it.
    """
    known = {*defined, *declared}
    return tuple(f"-D{m}=" for m in sorted(set(used)) if m.partition("(")[0] not in known)


def _last_part(name: str, words: frozenset[str]) -> bool:
    return any(name == w or name.endswith("_" + w) for w in words)


def _follows_declarator(code: bytes, at: int) -> bool:
    """Whether a declarator ends before byte *at*: a parameter list or what may follow one."""
    before = code[max(0, at - _MAX_LENGTH) : at].rstrip()
    word = _LAST_WORD.search(before)
    if word is not None:  # "class CAPABILITY(...)", "f() const REQUIRES(...)"
        return word.group(1) in _QUALIFIERS | {b"class", b"struct"}
    if not before.endswith((b")", b"]]")):
        return False
    depth = 0
    for i in range(len(before) - 1, -1, -1):
        depth += (before[i] in b")") - (before[i] in b"(")
        if depth == 0 and before[i] in b"(":
            head = _LAST_WORD.search(before[:i])
            return head is None or head.group(1) not in _STATEMENTS
    return before.endswith(b"]]")


# -- around one declarator ------------------------------------------------------------------------


def of_function(text: bytes, name: int, own: Macros = _NONE) -> list[Attribute]:
    """Attributes of the function whose name stands at byte *name* of *text* (prepared).

    Those after its parameters, up to the body, ``;``, ``=`` or the initialisers of a constructor;
    and those before its type.
    """
    operator = _OPERATOR.match(text, name)
    opened = text.find(b"(", operator.end() if operator is not None else name)
    if opened < 0 or opened - name > _MAX_LENGTH:
        return []
    closed = _matching(text, opened)
    end = _end(text, closed, b";{=}:")
    return [*_before(text, name, own), *_attributes(text, closed, end, own)]


def of_variable(text: bytes, name: int, own: Macros = _NONE) -> list[Attribute]:
    """Attributes of the variable or field whose name stands at byte *name* of *text* (prepared)."""
    end = _end(text, name, b";{=},:")
    found = [*_before(text, name, own), *_attributes(text, name, end, own)]
    return [a for a in found if a.what in ON_VARIABLES]


def _before(text: bytes, name: int, own: Macros) -> Iterator[Attribute]:
    """Attributes between the end of the previous declaration and byte *name*."""
    start = max(text.rfind(c, max(0, name - _MAX_LENGTH), name) for c in (b";", b"{", b"}"))
    lead = text[start + 1 : name]
    if not occurs(lead, own):
        return
    count = 1
    while count:  # template parameters may be told apart by macros of the same names
        lead, count = _IN_BRACES.subn(lambda m: b" " * len(m.group(0)), lead)
    if _end(lead, 0, b",") < len(lead):
        return  # what stands there may belong to the declarator before this one
    for found in _attributes(lead, 0, len(lead), own):
        yield found._replace(offset=start + 1 + found.offset)


def _end(text: bytes, at: int, stops: bytes) -> int:
    """The first of *stops* from byte *at* on, outside all parentheses; ``::`` is none."""
    limit = min(len(text), at + _MAX_LENGTH)
    while at < limit:
        if text[at] in b"([":
            at = _matching(text, at)
        elif text.startswith(b"::", at):
            at += 2
        elif text[at] in stops:
            return at
        else:
            at += 1
    return limit


def _matching(text: bytes, at: int) -> int:
    """The byte after the bracket that closes the one at byte *at*."""
    opening, closing, depth = text[at], _CLOSING[text[at]], 0
    for i in range(at, min(len(text), at + _MAX_LENGTH)):
        depth += (text[i] == opening) - (text[i] == closing)
        if depth == 0:
            return i + 1
    return min(len(text), at + _MAX_LENGTH)


def _attributes(text: bytes, start: int, end: int, own: Macros) -> Iterator[Attribute]:
    at = start
    while (match := _WORD.search(text, at, end)) is not None:
        name = match.group(1).decode()
        what, macro = meaning(name), own.get(name)
        at = match.end()
        if macro is None and (
            what is None or not (match.group(2) or name.strip("_") in _ATTRIBUTES)
        ):
            continue
        args: list[str] = []
        if match.group(2):
            at = _matching(text, match.end(2) - 1)
            inside = text[match.end(2) : at - 1].decode(errors="replace")
            args = split_arguments(inside)
        if macro is not None:
            yield from macro.used(args, match.start())
        elif what is not None:
            yield Attribute(what, args, match.start())


def split_arguments(text: str) -> list[str]:
    """The arguments in a list's text: commas inside brackets do not count."""
    found: list[str] = []
    depth, last = 0, 0
    for i, c in enumerate(text):
        if c in "([{<":
            depth += 1
        elif c in ")]}" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
        elif c == "," and depth == 0:
            found.append(text[last:i])
            last = i + 1
    found.append(text[last:])
    return [" ".join(a.split()) for a in found if a.strip()]
