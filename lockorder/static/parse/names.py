"""Qualified names, type spellings and source text for the extractor."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence

from lockorder.static.parse.clang import Cursor, CursorKind, Type, TypeKind, kind_id

#: Inline namespaces of the standard libraries, which no user ever writes.
_INLINE = re.compile(r"^(__cxx11|__1|__2|_V2|__ndk1|__debug|__8)$")
#: An unnamed type or namespace; C's has what it is before it.
_UNNAMED = re.compile(r"(?:(?:struct|union|class|enum) )?[\w:]*\((?:anonymous|unnamed)\b")
_UNIT = CursorKind.TRANSLATION_UNIT.value
_LINKAGE = CursorKind.LINKAGE_SPEC.value
_NAMESPACE = CursorKind.NAMESPACE.value

_FUNCTIONS = frozenset(
    kind.value
    for kind in (
        CursorKind.FUNCTION_DECL,
        CursorKind.CXX_METHOD,
        CursorKind.CONSTRUCTOR,
        CursorKind.DESTRUCTOR,
        CursorKind.CONVERSION_FUNCTION,
        CursorKind.FUNCTION_TEMPLATE,
    )
)
_RECORD, _UNEXPOSED = TypeKind.RECORD.value, TypeKind.UNEXPOSED.value
_POINTING = frozenset(
    (TypeKind.POINTER.value, TypeKind.LVALUEREFERENCE.value, TypeKind.RVALUEREFERENCE.value)
)

_CLASS_TEMPLATE = CursorKind.CLASS_TEMPLATE.value
_ARRAYS = (TypeKind.CONSTANTARRAY, TypeKind.INCOMPLETEARRAY, TypeKind.DEPENDENTSIZEDARRAY)
#: Types that lead to another.
_LEADING = (*_ARRAYS, TypeKind.POINTER, TypeKind.LVALUEREFERENCE, TypeKind.RVALUEREFERENCE)

#: A template's name before its arguments, and the last part of it.
_TEMPLATE = re.compile(r"(?<![\w:])(?:::)?(?:\w+::)*([A-Za-z_]\w*)(?=<)")
_SUFFIX = re.compile(r"([A-Za-z_~][A-Za-z_0-9]*)\s*(?:<[^()]*>)?\s*$")


class Namer:
    """Qualified names by USR, remembered."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._parents: dict[str, str] = {}

    def name(self, cursor: Cursor, usr: str) -> str:
        """``a::B::c`` for a declaration; template arguments are left out."""
        found = self._names.get(usr) if usr else None
        if found is None:
            found = self._build(cursor)
            if usr:
                self._names[usr] = found
        return found

    def _build(self, cursor: Cursor) -> str:
        own = str(cursor.spelling)
        if "<" in own and not own.startswith("operator"):
            own = own.split("<", 1)[0]
        if _UNNAMED.match(own):  # libclang goes on with its place, which differs between checkouts
            own = "(anonymous)" if kind_id(cursor) != _NAMESPACE else ""
        parent = cursor.semantic_parent
        if parent is None:
            return own
        kind = kind_id(parent)
        if kind in (_UNIT, 350):
            return own
        prefix = self.name(parent, parent.get_usr())
        if kind == _LINKAGE:
            return own
        if not own or (kind_id(cursor) == _NAMESPACE and (_INLINE.match(own))):
            return prefix
        if not own:
            return prefix
        return f"{prefix}::{own}" if prefix else own


def spelling_of(kind: Type) -> str:
    """A type's canonical spelling; where that would only number template parameters, as written,
    but with the names of class templates in full.

    Clang spells a class that is local to a function without the function, which others have too.
    """
    canonical = kind.get_canonical()
    text = str(canonical.spelling)
    if "type-parameter-" in text:
        return _in_full(str(kind.spelling), dict(_templates(kind)))
    if "<" in text and _pointed(canonical)._kind_id == _UNEXPOSED:  # Guard<decltype(end)>, Ring<N>
        return _in_full(text, dict(_templates(canonical)))
    return text if "::" in text else _with_function(canonical, text)


def _in_full(written: str, names: Mapping[str, str]) -> str:
    """A type with the scopes of its class templates; *names* in full are by the last of them."""

    def full(match: re.Match[str]) -> str:
        name = names.get(match.group(1), "")
        here = match.group(0).removeprefix("::")
        return name if f"::{name}".endswith(f"::{here}") else match.group(0)

    return _TEMPLATE.sub(full, written) if names else written


def _pointed(kind: Type) -> Type:
    """What a pointer, reference or array leads to in the end; any other type itself."""
    while kind.kind in _LEADING:
        kind = kind.element_type if kind.kind in _ARRAYS else kind.get_pointee()
    return kind


def _templates(kind: Type) -> Iterator[tuple[str, str]]:
    """Class templates that a type names: the last of each name, and all of it."""
    kind = _pointed(kind)
    template = kind.get_declaration()
    if kind_id(template) == _CLASS_TEMPLATE:
        yield str(template.spelling), Namer().name(template, "")
    for at in range(max(kind.get_num_template_arguments(), 0)):
        yield from _templates(kind.get_template_argument_type(at))


def _with_function(canonical: Type, text: str) -> str:
    while canonical._kind_id in _POINTING:
        canonical = canonical.get_pointee()
    if canonical._kind_id != _RECORD:
        return text
    cls = canonical.get_declaration()
    parent = cls.semantic_parent
    if parent is None or kind_id(parent) not in _FUNCTIONS or not cls.spelling.isidentifier():
        return text
    name = Namer().name(cls, "")
    return re.sub(rf"\b{cls.spelling}\b", lambda _: name, text, count=1)


def last_identifier(text: str) -> str:
    """The name at the end of an expression's text: ``bar`` of ``foo->bar<int>``."""
    match = _SUFFIX.search(text)
    return match.group(1) if match else ""


_OF_ITSELF = r"(?:\s*\b(?:const|volatile|restrict|__restrict(?:__)?))*\s*$"
_REFERS = re.compile(r"[*&]" + _OF_ITSELF)
_POINTER = re.compile(r"\*" + _OF_ITSELF)


@functools.lru_cache(maxsize=1 << 16)
def refers(spelling: str) -> bool:
    """Whether a type is a pointer (``T *``, ``T *const``, ``T *__restrict``) or a reference."""
    return _REFERS.search(spelling) is not None


@functools.lru_cache(maxsize=1 << 16)
def unqualified_pointer(spelling: str) -> str:
    """``T *`` for ``T *const`` and its like; other types as they are."""
    return _POINTER.sub("*", spelling)


@functools.lru_cache(maxsize=1 << 16)
def strip_type(spelling: str) -> str:
    """A type without cv-qualifiers, references, pointers and elaboration; of a pack, of each."""
    text = spelling.replace("(anonymous namespace)::", "").removesuffix("...")
    for word in ("const ", "volatile ", "class ", "struct ", "union ", "typename ", "enum "):
        text = text.replace(word, "")
    text = re.sub(r"\s*(const|volatile|restrict|__restrict)\s*$", "", text)
    while text and text[-1] in "&* ":
        text = text[:-1]
        text = re.sub(r"\s*(const|volatile|restrict|__restrict)$", "", text)
    return text


def array_element(spelling: str) -> str:
    """The type of the elements of an array type; empty for all others."""
    text = spelling.strip()
    return text[: text.rindex("[")].strip() if text.endswith("]") else ""


def innermost_element(spelling: str) -> str:
    """What an array of arrays is of in the end; of other types the type itself."""
    while element := array_element(spelling):
        spelling = element
    return spelling


def substituted(spelling: str, names: Sequence[str], arguments: Sequence[str]) -> str:
    """A type with template parameters replaced by their arguments, all at once."""
    given = {n: a for n, a in zip(names, arguments, strict=False) if n and n in spelling}
    if not given:
        return spelling
    words = re.compile(rf"\b(?:{'|'.join(map(re.escape, given))})\b")
    return words.sub(lambda match: given[match.group(0)], spelling)


def split_template(spelling: str) -> tuple[str, list[str]]:
    """``std::map<K, V>`` to ``("std::map", ["K", "V"])``; inline namespaces dropped."""
    text = strip_type(spelling)
    start = text.find("<")
    if start < 0:
        return drop_inline(text), []
    depth, arguments, last = 0, [], start + 1
    for i in range(start, len(text)):
        c = text[i]
        if c in "<(":
            depth += 1
        elif c == ")" or (c == ">" and text[i - 1] != "-"):
            depth -= 1
            if depth == 0:
                if text[last:i].strip():
                    arguments.append(text[last:i].strip())
                if i != len(text) - 1:  # A<B>::C: the class is C, a member of a template
                    return drop_inline(re.sub(r"<[^<>]*>", "", text)), []
                break
        elif c == "," and depth == 1:
            arguments.append(text[last:i].strip())
            last = i + 1
    return drop_inline(text[:start]), arguments


def drop_inline(name: str) -> str:
    """A qualified name without the standard libraries' inline namespaces."""
    if "::_" not in name:
        return name
    return "::".join(p for p in name.split("::") if not _INLINE.match(p))
