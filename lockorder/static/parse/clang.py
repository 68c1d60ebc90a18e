"""The one file that talks to libclang; everything else sees the few functions below.

libclang's C API is described in clang-c/Index.h.  The PyPI wheel's Python layer lacks some calls
that this file declares itself.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from clang import cindex
from clang.cindex import (
    AccessSpecifier,
    Cursor,
    CursorKind,
    ExceptionSpecificationKind,
    Index,
    SourceLocation,
    TranslationUnit,
    Type,
    TypeKind,
)

__all__ = [
    "INTEGERS",
    "BinaryOperator",
    "ClangError",
    "Cursor",
    "CursorKind",
    "PrefixError",
    "Type",
    "TypeKind",
    "Unit",
    "children",
    "file_offset",
    "initializer",
    "is_object",
    "kind_id",
    "load",
    "overloads",
    "parse",
    "passing",
    "pattern_of",
    "precompile",
    "template_arguments",
    "version",
    "with_precompiled",
]

#: Kinds of types that libclang has and its Python layer lacks (``_Float16``, ``__bf16``, vectors of
#: some machines) have no name there, and asking for one of them would end the reading.
_KINDS = 256
for _unnamed in range(1, _KINDS):
    with contextlib.suppress(ValueError):
        TypeKind(_unnamed)

#: CXTranslationUnit_KeepGoing: a missing header does not stop clang from reading the next one.
_KEEP_GOING = 0x200
#: CXTranslationUnit_DetailedPreprocessingRecord: needed to learn which branches were skipped
_RECORD = 0x01
#: CXTranslationUnit_ForSerialization
_FOR_SERIALIZATION = 0x10
#: CXTranslationUnit_SkipFunctionBodies
_SKIP_BODIES = 0x40
#: A prefix whose headers have errors is still a prefix: the errors are in every unit anyway.
#: C++20 has modules, with which clang calls it an error of the prefix itself (and reads none of
#: it) when one name is defined twice in it, as two releases of a library in one tree do.
_TOLERANT = ("-Xclang", "-fallow-pch-with-compiler-errors", "-Xclang", "-fno-cxx-modules")
#: CXTranslationUnit_Incomplete: clang makes no bodies of templates at the end of the text, which
#: nobody walks and which take a quarter of the time.
_INCOMPLETE = 0x02

_NOT_THROWING = (
    ExceptionSpecificationKind.BASIC_NOEXCEPT,
    ExceptionSpecificationKind.DYNAMIC_NONE,
)
_THROWING = (ExceptionSpecificationKind.DYNAMIC, ExceptionSpecificationKind.MS_ANY)

_lib: Any = cindex.conf.lib


_PACK = 8  # CXTemplateArgumentKind_Pack


def _declare(name: str, result: Any, *arguments: Any) -> Any:
    function = _lib[name]  # a fresh function object: cindex's own declarations stay as they are
    function.restype = result
    function.argtypes = list(arguments)
    return function


_var_initializer = _declare("clang_Cursor_getVarDeclInitializer", Cursor, Cursor)
_binary_kind = _declare("clang_getCursorBinaryOperatorKind", ctypes.c_int, Cursor)
_unary_kind = _declare("clang_getCursorUnaryOperatorKind", ctypes.c_int, Cursor)
_template_of = _lib.clang_getSpecializedCursorTemplate
has_attributes = _declare("clang_Cursor_hasAttrs", ctypes.c_uint, Cursor)
_printing_policy = _declare("clang_getCursorPrintingPolicy", ctypes.c_void_p, Cursor)
_pretty = _declare("clang_getCursorPrettyPrinted", cindex._CXString, Cursor, ctypes.c_void_p)
_dispose_policy = _declare("clang_PrintingPolicy_dispose", None, ctypes.c_void_p)
_file_location = _declare(
    "clang_getFileLocation",
    None,
    SourceLocation,
    ctypes.POINTER(ctypes.c_void_p),
    ctypes.POINTER(ctypes.c_uint),
    ctypes.POINTER(ctypes.c_uint),
    ctypes.POINTER(ctypes.c_uint),
)
_parse = _declare(
    "clang_parseTranslationUnit2",
    ctypes.c_int,
    cindex.Index,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_char_p),
    ctypes.c_int,
    ctypes.POINTER(cindex._CXUnsavedFile),
    ctypes.c_uint,
    ctypes.c_uint,
    ctypes.POINTER(cindex.c_object_p),
)
#: CXError_ASTReadError
_UNREADABLE_TREE = 4
_version = _declare("clang_getClangVersion", cindex._CXString)
_file_name = _declare("clang_getFileName", cindex._CXString, ctypes.c_void_p)
_get_extent = _lib.clang_getCursorExtent
_range_start = _declare("clang_getRangeStart", SourceLocation, cindex.SourceRange)
_range_end = _declare("clang_getRangeEnd", SourceLocation, cindex.SourceRange)
_cursor_location = _declare("clang_getCursorLocation", SourceLocation, Cursor)


_get_overridden = _declare(
    "clang_getOverriddenCursors",
    None,
    Cursor,
    ctypes.POINTER(ctypes.POINTER(Cursor)),
    ctypes.POINTER(ctypes.c_uint),
)


_dispose_overridden = _declare("clang_disposeOverriddenCursors", None, ctypes.POINTER(Cursor))


class _RangeList(ctypes.Structure):
    _fields_ = [("count", ctypes.c_uint), ("ranges", ctypes.POINTER(cindex.SourceRange))]


_file_named = _declare("clang_getFile", ctypes.c_void_p, TranslationUnit, ctypes.c_char_p)
_skipped_in = _declare(
    "clang_getSkippedRanges", ctypes.POINTER(_RangeList), TranslationUnit, ctypes.c_void_p
)
_dispose_ranges = _declare("clang_disposeSourceRangeList", None, ctypes.POINTER(_RangeList))


_argument_kind = _declare(
    "clang_Cursor_getTemplateArgumentKind", ctypes.c_int, Cursor, ctypes.c_uint
)
_evaluate = _declare("clang_Cursor_Evaluate", ctypes.c_void_p, Cursor)
_evaluated_int = _declare("clang_EvalResult_getAsLongLong", ctypes.c_longlong, ctypes.c_void_p)
_evaluated_kind = _declare("clang_EvalResult_getKind", ctypes.c_int, ctypes.c_void_p)
_evaluated_end = _declare("clang_EvalResult_dispose", None, ctypes.c_void_p)


def template_arguments(function: Cursor) -> list[str]:
    """Arguments that a function was made with from a template: types and values as spelt.

    One that is neither is an empty text; what follows a pack is left out.
    """
    found: list[str] = []
    for at in range(max(function.get_num_template_arguments(), 0)):
        kind = _argument_kind(function, at)
        if kind == 1:  # CXTemplateArgumentKind_Type
            found.append(function.get_template_argument_type(at).get_canonical().spelling)
        elif kind == 4:  # CXTemplateArgumentKind_Integral
            known = function.get_template_argument_unsigned_value(at) == 1  # true, as a number
            found.append("1" if known else str(function.get_template_argument_value(at)))
        elif kind == _PACK:
            break
        else:
            found.append("")
    return found


def integer_value(cursor: Cursor) -> int | None:
    """The value of an integer constant expression; None where clang cannot tell."""
    result = _evaluate(cursor)
    if not result:
        return None
    value = int(_evaluated_int(result)) if _evaluated_kind(result) == 1 else None  # CXEval_Int
    _evaluated_end(result)
    return value


#: Kinds of types whose constants are numbers: bool to long long, without enumerations.
INTEGERS = frozenset(
    (
        TypeKind.BOOL,
        TypeKind.UCHAR,
        TypeKind.USHORT,
        TypeKind.UINT,
        TypeKind.ULONG,
        TypeKind.ULONGLONG,
        TypeKind.CHAR_S,
        TypeKind.SCHAR,
        TypeKind.SHORT,
        TypeKind.INT,
        TypeKind.LONG,
        TypeKind.LONGLONG,
    )
)
#: What texts are made of.
_CHARACTERS = frozenset(
    (
        TypeKind.CHAR_S,
        TypeKind.CHAR_U,
        TypeKind.SCHAR,
        TypeKind.UCHAR,
        TypeKind.WCHAR,
        TypeKind.CHAR16,
        TypeKind.CHAR32,
    )
)


def is_object(kind: Type) -> bool:
    """Whether a type is a class, and not a pointer or reference to one."""
    return bool(kind.get_canonical().kind == cindex.TypeKind.RECORD)


def offset_of_field(field: Cursor) -> int:
    """How many bits lie before a field in its class; negative where nobody knows."""
    return int(field.get_field_offsetof())


def is_dependent(kind: Type) -> bool:
    """Whether a type is only known where a template's arguments are."""
    return bool(kind.get_canonical().kind == cindex.TypeKind.DEPENDENT)


def is_pointer(kind: Type) -> bool:
    """Whether a type is one of plain pointers, but for those to texts."""
    full = kind.get_canonical()
    return full.kind == TypeKind.POINTER and full.get_pointee().kind not in _CHARACTERS


def is_text(kind: Type) -> bool:
    """Whether a type is a pointer to characters."""
    full = kind.get_canonical()
    return full.kind == TypeKind.POINTER and full.get_pointee().kind in _CHARACTERS


def is_private(method: Cursor) -> bool:
    """Whether a method can only be named in its class and by friends, and is called directly."""
    return bool(
        method.access_specifier == AccessSpecifier.PRIVATE and not method.is_virtual_method()
    )


def is_defaulted(function: Cursor) -> bool:
    """Whether this is a destructor or a default constructor that is ``= default``: it has no text.

    Clang writes that body out only where something in the same unit needs it, and a template that
    is not instantiated does not.
    """
    if function.kind == CursorKind.DESTRUCTOR:
        return bool(function.is_default_method())
    made = function.kind == CursorKind.CONSTRUCTOR and function.is_default_constructor()
    return bool(made and function.is_default_method())


def never_throws(function: Cursor) -> bool:
    """Whether no exception leaves a function ([except.spec]): the program would end there.

    A destructor is such a function unless it says otherwise, or a member's does.
    """
    kind = function.exception_specification_kind
    if kind == ExceptionSpecificationKind.COMPUTED_NOEXCEPT:
        return bool(function.type.spelling.endswith("noexcept(true)"))
    if function.kind == CursorKind.DESTRUCTOR:
        return kind not in _THROWING
    return kind in _NOT_THROWING


def needs_body(method: Cursor) -> bool:
    """Whether somebody has to write a body for a method that is declared."""
    return not (
        method.is_deleted_method() or method.is_default_method() or method.is_pure_virtual_method()
    )


def passing(function: Cursor) -> str:
    """What a call may write to: ``this`` for a start where it may write to its object, and then a
    character for each parameter.

    ``&`` is a reference and ``*`` a pointer to what is not const, ``-`` all else; with ``+`` at the
    end the last one stands for all that follow.
    """
    own = _is_method(function) and not (function.is_static_method() or function.is_const_method())
    kind = function.type
    found = ["this" if own else ""]
    if kind.kind == TypeKind.FUNCTIONPROTO:
        arguments = list(kind.argument_types())
        found.extend(_passed(t) for t in arguments)
        if found[-1] == "&" and arguments[-1].spelling.endswith("..."):
            found.append("+")
    return "".join(found)


def pretty(cursor: Cursor) -> str:
    """A declaration as clang would write it: without macros, with all attributes."""
    policy = _printing_policy(cursor)
    try:
        text = _lib.clang_getCString(_pretty(cursor, policy))
    finally:
        _dispose_policy(policy)
    return text.decode(errors="replace") if isinstance(text, bytes) else str(text or "")


def opaque_parameters(function: Cursor) -> list[int]:
    """Numbers of the parameters of a function that point to void."""
    kind = function.type
    arguments = kind.argument_types() if kind.kind == TypeKind.FUNCTIONPROTO else ()
    pointees = [t.get_canonical().get_pointee().kind for t in arguments]
    return [i for i, pointee in enumerate(pointees) if pointee == TypeKind.VOID]


def _is_method(function: Cursor) -> bool:
    """Whether a function, or what a template makes, has an object."""
    kind = kind_id(function)
    if kind == CursorKind.FUNCTION_TEMPLATE.value:
        parent = function.semantic_parent
        return parent is not None and kind_id(parent) in _CLASSES
    return bool(kind == CursorKind.CXX_METHOD.value)


_CLASSES = (
    CursorKind.CLASS_DECL.value,
    CursorKind.STRUCT_DECL.value,
    CursorKind.CLASS_TEMPLATE.value,
    CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION.value,
)


def _passed(kind: Type) -> str:
    known = kind.kind if kind.kind in _REFERS else kind.get_canonical().kind
    sign = _REFERS.get(known)
    if sign is None:
        pack = kind.spelling if known == TypeKind.UNEXPOSED else ""
        refers = pack.endswith("&...") and not pack.endswith("&&...")
        return "&" if refers and not pack.startswith("const ") else "-"
    return "-" if kind.get_canonical().get_pointee().is_const_qualified() else sign


_REFERS = {TypeKind.LVALUEREFERENCE: "&", TypeKind.POINTER: "*"}


class BinaryOperator:
    """CXBinaryOperatorKind values that matter here."""

    PTR_MEM_D, PTR_MEM_I = 1, 2
    REMAINDER = 5
    PLUS, MINUS = 6, 7
    LT, GT, LE, GE = 11, 12, 13, 14
    ORDERED = (LT, GT, LE, GE)
    BIT_AND = 17
    EQ, NE = 15, 16
    BIT_OR = 19
    SHIFTS = (8, 9)  # << and >>
    PLUS_ASSIGN, MINUS_ASSIGN = 26, 27
    AND_ASSIGN, OR_ASSIGN = 30, 32
    AND, OR = 20, 21
    ASSIGN = 22
    COMMA = 33


class UnaryOperator:
    """CXUnaryOperatorKind values that matter here."""

    STEPS = (1, 2, 3, 4)  # ++ and --, behind and before
    UP = (1, 3)
    ADDRESS = 5
    DEREFERENCE = 6
    MINUS = 8
    COMPLEMENT = 9
    NOT = 10


class ClangError(Exception):
    """libclang could not make a translation unit of a file at all."""


class RefusedFlagsError(ClangError):
    """Flags that libclang knows to be wrong; without them it may do."""


class PrefixError(Exception):
    """libclang cannot use a precompiled header: it is of another version, or damaged."""


class Unit:
    """A parsed translation unit with its diagnostics reduced to what is asked of them."""

    def __init__(self, unit: TranslationUnit, main: str) -> None:
        _names.clear()
        self._unit = unit
        self.main = main
        self.missing_headers: list[tuple[str, str]] = []
        self.errors: list[tuple[str, int, int, str]] = []
        #: Where clang stopped reading altogether: file, line, text.
        self.stopped: list[tuple[str, int, str]] = []
        for d in unit.diagnostics:
            if d.severity < cindex.Diagnostic.Error:
                continue
            where = d.location
            file = plain(where.file.name) if where.file else ""
            if not file or file.startswith("<"):  # from the command line
                file = main
            text = d.spelling
            if text.endswith("file not found"):
                self.missing_headers.append((file, text.split("'")[1]))
            else:
                if d.severity == cindex.Diagnostic.Fatal or "nesting level exceeded" in text:
                    self.stopped.append((file, where.line, text))
                self.errors.append((file, where.line, where.offset, text))

    @property
    def cursor(self) -> Cursor:
        """The root of the syntax tree."""
        return self._unit.cursor

    def included(self) -> list[str]:
        """Files read besides the main one, without those of a precompiled header before it."""
        return list(dict.fromkeys(plain(i.include.name) for i in self._unit.get_includes()))

    def skipped_ranges(self, files: Iterable[str]) -> dict[str, list[tuple[int, int]]]:
        """By file, the byte ranges that the preprocessor left out.

        Only of *files*: those of a precompiled header are many, and belong to other units.
        """
        found: dict[str, list[tuple[int, int]]] = {}
        for name in files:
            file = _file_named(self._unit, cindex.b(name))
            ranges = _skipped_in(self._unit, file) if file else None
            if not ranges:
                continue
            for i in range(ranges.contents.count):
                r = ranges.contents.ranges[i]
                start, end = _locate(_range_start(r))[1], _locate(_range_end(r))[1]
                found.setdefault(name, []).append((start, end))
            _dispose_ranges(ranges)
        return found


def parse(
    file: Path,
    flags: Sequence[str],
    replaced: Mapping[str, str] | None = None,
    bodies: bool = True,
) -> Unit:
    """Parse *file*; errors in the source are normal and kept.

    *replaced* gives other contents for files than the disk has.  Without *bodies* only
    declarations are read.

    Raises ClangError where libclang gives no tree at all (unreadable flags, an internal crash), and
    PrefixError where the precompiled header that *flags* name is of no use.
    """
    options = _KEEP_GOING | _RECORD | _INCOMPLETE
    index = Index.create()
    arguments = (ctypes.c_char_p * len(flags))(*(cindex.b(f) for f in flags))
    texts = [(cindex.b(n), cindex.b(t)) for n, t in (replaced or {}).items()]
    unsaved = (cindex._CXUnsavedFile * len(texts))(*((n, t, len(t)) for n, t in texts))
    made = cindex.c_object_p()
    with quiet():
        code = _parse(
            index, cindex.b(str(file)), arguments, len(flags), unsaved, len(texts),
            options | (0 if bodies else _SKIP_BODIES), ctypes.byref(made),
        )  # fmt: skip
    if code == _UNREADABLE_TREE and "-include-pch" not in flags:
        # said of flags that it refuses, too: a -std= that it does not know, C++'s for C
        raise RefusedFlagsError(f"{file}: libclang could not parse this file with its flags")
    if code == _UNREADABLE_TREE:
        raise PrefixError(f"{file}: its precompiled headers cannot be read")
    if code or not made:
        raise ClangError(f"{file}: libclang could not parse this file with its flags")
    return Unit(TranslationUnit(made, index), str(file))


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """libclang prints its arguments to stderr when it crashes: what it meets is told elsewhere."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def precompile(
    file: Path, flags: Sequence[str], target: Path, replaced: Mapping[str, str] | None = None
) -> Unit | None:
    """Parse the header *file*, write it precompiled to *target*; None where that cannot be written.

    *replaced* as in parse: only what was replaced here may be replaced in a unit that uses it.
    Templates that the prefix itself uses are instantiated once here and not again in every unit,
    which is most of what a precompiled header saves.

    Raises ClangError where libclang crashes.
    """
    try:
        with quiet():
            unit = Index.create().parse(
                str(file),
                args=[*flags, *_TOLERANT, "-fpch-instantiate-templates"],
                unsaved_files=list((replaced or {}).items()),
                options=_KEEP_GOING | _RECORD | _FOR_SERIALIZATION | _INCOMPLETE,
            )
            unit.save(str(target))
    except cindex.TranslationUnitLoadError:
        raise ClangError(f"{file}: libclang could not parse this header") from None
    except cindex.TranslationUnitSaveError:
        return None
    return Unit(unit, str(file))


def load(precompiled: Path, main: str) -> Unit:
    """The tree of a precompiled header, as if its source *main* had just been parsed.

    Raises ClangError where the file cannot be loaded (made by another libclang, say).
    """
    try:
        with quiet():
            unit = Index.create().read(str(precompiled))
    except cindex.TranslationUnitLoadError:
        raise ClangError(f"{precompiled}: cannot be loaded") from None
    return Unit(unit, main)


def version() -> str:
    """The name that libclang gives itself."""
    return str(cindex._CXString.from_result(_version()))


def with_precompiled(precompiled: str) -> list[str]:
    """Flags that put a precompiled header before a unit."""
    return [*_TOLERANT, "-include-pch", precompiled]


_visit = _declare(
    "clang_visitChildren",
    ctypes.c_uint,
    Cursor,
    ctypes.CFUNCTYPE(ctypes.c_int, Cursor, Cursor, ctypes.c_void_p),
    ctypes.c_void_p,
)
_collected: list[Cursor] = []
_CONTINUE = 1


def _collect(child: Cursor, parent: Cursor, data: object) -> int:
    _collected.append(child)
    return _CONTINUE


# One callback for all visits: making one for each is what makes cindex's own slow.
_collector = ctypes.CFUNCTYPE(ctypes.c_int, Cursor, Cursor, ctypes.c_void_p)(_collect)


def children(cursor: Cursor) -> list[Cursor]:
    """Direct children in source order."""
    _visit(cursor, _collector, None)
    found = _collected[:]
    _collected.clear()
    unit = cursor._tu
    for child in found:
        child._tu = unit
    return found


def kind_id(cursor: Cursor) -> int:
    """CXCursorKind as a plain integer (cheap)."""
    number: int = cursor._kind_id
    return number


def binary_operator(cursor: Cursor) -> int:
    """CXBinaryOperatorKind of a binary operator."""
    number: int = _binary_kind(cursor)
    return number


def unary_operator(cursor: Cursor) -> int:
    """CXUnaryOperatorKind of a unary operator."""
    number: int = _unary_kind(cursor)
    return number


def initializer(cursor: Cursor) -> Cursor | None:
    """The initialiser of a variable, or None."""
    found = _var_initializer(cursor)
    found._tu = cursor._tu
    return None if kind_id(found) in _INVALID else found


def pattern_of(cursor: Cursor) -> Cursor:
    """The template (or its member) that *cursor* was made from, else *cursor* itself."""
    found: Cursor | None = _template_of(cursor)
    while found is not None:  # a member template of a class template has two patterns above it
        cursor = found
        found = _template_of(cursor)
    return cursor


_INVALID = range(70, 74)
#: Names by clang's file handle, valid for the unit made last (units are read one at a time).
_names: dict[int, str] = {}


def _locate(location: SourceLocation) -> tuple[str, int, int, int]:
    file = ctypes.c_void_p()
    line, column, offset = ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
    _file_location(
        location,
        ctypes.byref(file),
        ctypes.byref(line),
        ctypes.byref(column),
        ctypes.byref(offset),
    )
    if not file.value:
        return "", 0, 0, 0
    return _text(file), offset.value, line.value, column.value


def _text(file: ctypes.c_void_p) -> str:
    handle = file.value or 0
    name = _names.get(handle)
    if name is None:
        name = _names[handle] = plain(str(cindex._CXString.from_result(_file_name(file))))
    return name


@functools.cache
def plain(name: str) -> str:
    """A file's name without ``..``, as a search finds it: clang says how it was included.

    Through a link to a folder that would be another file's; then the name stays as it is.
    """
    if "/." not in name:
        return name
    found = os.path.normpath(name)
    if not os.path.exists(name):  # text in memory, that no file has
        return found
    return found if os.path.exists(found) and os.path.samefile(found, name) else name


def file_offset(cursor: Cursor) -> tuple[str, int, int, int]:
    """File, byte offset, line, column (1-based) of *cursor*; macro arguments where spelt."""
    return _locate(_cursor_location(cursor))


def extent_offsets(cursor: Cursor) -> tuple[int, int]:
    """Byte offsets in its file where *cursor* starts and ends; macro arguments where spelt."""
    extent = _get_extent(cursor)
    return _locate(_range_start(extent))[1], _locate(_range_end(extent))[1]


def extent_start(cursor: Cursor) -> tuple[int, int]:
    """Line and column (1-based) where *cursor* starts; macro arguments where spelt."""
    return _locate(_range_start(_get_extent(cursor)))[2:]


def overridden(cursor: Cursor) -> list[Cursor]:
    """The virtual functions that a method overrides directly."""
    first = ctypes.POINTER(Cursor)()
    count = ctypes.c_uint()
    _get_overridden(cursor, ctypes.byref(first), ctypes.byref(count))
    found = []
    for i in range(count.value):
        copy = Cursor.from_buffer_copy(first[i])
        copy._tu = cursor._tu
        found.append(copy)
    if count.value:
        _dispose_overridden(first)
    return found


def overloads(cursor: Cursor) -> list[Cursor]:
    """The functions that a name of several can mean."""
    count = _lib.clang_getNumOverloadedDecls(cursor)
    return [_lib.clang_getOverloadedDecl(cursor, at) for at in range(count)]
