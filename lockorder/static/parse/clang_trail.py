"""How far libclang came before it crashed: declarations and inclusions as it meets them.

Beside ``clang`` the only file that talks to libclang, through its indexing interface
(clang-c/Index.h, clang_indexSourceFile), which calls back while the file is being parsed.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from clang import cindex

from lockorder.static.parse.clang import plain, quiet

_lib: Any = cindex.conf.lib
_KEEP_GOING, _INCOMPLETE = 0x200, 0x02


class _Location(ctypes.Structure):
    _fields_ = [("pointers", ctypes.c_void_p * 2), ("number", ctypes.c_uint)]


class _Inclusion(ctypes.Structure):
    _fields_ = [
        ("hash", _Location),
        ("name", ctypes.c_char_p),
        ("file", ctypes.c_void_p),
        ("flags", ctypes.c_int * 3),
    ]


class _Declared(ctypes.Structure):
    _fields_ = [("entity", ctypes.c_void_p), ("cursor", cindex.Cursor), ("where", _Location)]


_INCLUDED = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(_Inclusion))
_DECLARED = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_Declared))


class _Callbacks(ctypes.Structure):
    _fields_ = [
        ("abort", ctypes.c_void_p),
        ("diagnostic", ctypes.c_void_p),
        ("main", ctypes.c_void_p),
        ("included", _INCLUDED),
        ("tree", ctypes.c_void_p),
        ("started", ctypes.c_void_p),
        ("declared", _DECLARED),
        ("referred", ctypes.c_void_p),
    ]


class _UnsavedFile(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("contents", ctypes.c_char_p),
        ("length", ctypes.c_ulong),
    ]


def _function(name: str, result: Any, *arguments: Any) -> Any:
    function = _lib[name]
    function.restype = result
    function.argtypes = list(arguments)
    return function


_create = _function("clang_IndexAction_create", ctypes.c_void_p, ctypes.c_void_p)
_dispose = _function("clang_IndexAction_dispose", None, ctypes.c_void_p)
_file_name = _function("clang_getFileName", cindex._CXString, ctypes.c_void_p)
_where = _function(
    "clang_indexLoc_getFileLocation",
    None,
    _Location,
    *[ctypes.POINTER(ctypes.c_void_p)] * 2,
    *[ctypes.POINTER(ctypes.c_uint)] * 3,
)
_index = _function(
    "clang_indexSourceFile",
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.POINTER(_Callbacks),
    ctypes.c_uint,
    ctypes.c_uint,
    ctypes.c_char_p,
    ctypes.POINTER(ctypes.c_char_p),
    ctypes.c_int,
    ctypes.POINTER(_UnsavedFile),
    ctypes.c_uint,
    ctypes.c_void_p,
    ctypes.c_uint,
)


def follow(
    file: str, flags: Sequence[str], header: bool, replaced: Mapping[str, str], notes: Path
) -> bool:
    """Parse *file* and write each step to *notes*; True where libclang came to the end.

    A line of *notes* is ``I includer included`` or ``D file`` with tabs between: an inclusion, or
    a declaration in another file than the one before.  Each is written before libclang goes on,
    so that they outlive this process.
    """
    out = os.open(notes, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    last = ""

    def write(*words: str) -> None:
        os.write(out, ("\t".join(words) + "\n").encode(errors="replace"))

    def included(_: Any, info: Any) -> None:
        nonlocal last
        last = ""
        write("I", _file_of(info[0].hash), _name(info[0].file))

    def declared(_: Any, info: Any) -> None:
        nonlocal last
        here = _file_of(info[0].where)
        if here != last:
            last = here
            write("D", here)

    callbacks = _Callbacks(included=_INCLUDED(included), declared=_DECLARED(declared))
    arguments = (ctypes.c_char_p * len(flags))(*(f.encode(errors="replace") for f in flags))
    texts = [(n.encode(), t.encode(errors="replace")) for n, t in replaced.items()]
    unsaved = (_UnsavedFile * len(texts))(*(_UnsavedFile(n, t, len(t)) for n, t in texts))
    index = cindex.Index.create()
    action = _create(index.obj)
    try:
        with quiet():
            failed = _index(
                action, None, ctypes.byref(callbacks), ctypes.sizeof(callbacks), 0, file.encode(),
                arguments, len(flags), unsaved, len(texts), None,
                _KEEP_GOING | (_INCOMPLETE if header else 0),
            )  # fmt: skip
        return not failed
    finally:
        _dispose(action)
        os.close(out)


def suspects(notes: Path) -> list[str]:
    """The files that libclang can have been in when it crashed, the likeliest first.

    The one that was last seen, then whoever includes it, up to the unit's own file.  A guarded
    header is noted again for each further inclusion, so that all who include it count, the last
    one first.
    """
    includers: dict[str, list[str]] = {}
    last = ""
    try:
        lines = notes.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    for line in lines:
        kind, *words = line.split("\t")
        if kind == "I" and len(words) == 2:
            includers.setdefault(words[1], []).insert(0, words[0])
            last = words[1]
        elif kind == "D" and len(words) == 1:
            last = words[0]
    found = dict.fromkeys([last] if last else [])
    pending = list(found)
    while pending:
        for above in includers.get(pending.pop(0), ()):
            if above not in found:
                found[above] = None
                pending.append(above)
    return list(found)


def _file_of(where: _Location) -> str:
    index, file = ctypes.c_void_p(), ctypes.c_void_p()
    numbers = [ctypes.c_uint() for _ in range(3)]
    _where(where, ctypes.byref(index), ctypes.byref(file), *map(ctypes.byref, numbers))
    return _name(file)


def _name(file: ctypes.c_void_p | int | None) -> str:
    handle = file.value if isinstance(file, ctypes.c_void_p) else file
    return plain(str(cindex._CXString.from_result(_file_name(handle)))) if handle else ""
