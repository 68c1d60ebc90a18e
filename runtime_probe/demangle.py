"""Itanium C++ ABI names (its section 5.1) as people write them.

The C++ runtime's own `__cxa_demangle` does the work (section 3.4), through the package cxxfilt
where it is installed, else through ctypes.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
import re
import subprocess
import sys
from collections.abc import Callable

_MAX_MANGLED = 1 << 13
# A name can refer to its own parts, each time twice as long as before. Names with more references
# than this are demangled in a process with limits: 40 of them make at most some MB.
_MAX_TRUSTED_REFERENCES = 40
_GUARDED_SECONDS = 2
_GUARDED_BYTES = 1 << 28
_MAX_DEMANGLED = 1 << 16

_REFERENCE = re.compile("[ST][0-9A-Z]*_")
_ABI_TAG = re.compile(r"\[abi:[^\]]*\]")
# What compilers append to the name of a copy: GCC's .part, .isra, .constprop, .cold, .lto_priv and
# .localalias, LLVM's .llvm and .cold.
_CLONE = re.compile(
    r"(?:\.(?:part|isra|constprop|cold|lto_priv|localalias|llvm|clone)(?:\.\d+)*)+$"
)
_VERSION = re.compile(r"@.*$")  # name@@VERSION in .symtab
_GUARDED_PROGRAM = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({bytes}, {bytes}))
resource.setrlimit(resource.RLIMIT_CPU, ({seconds}, {seconds}))
sys.path[:] = {path!r}
from runtime_probe import demangle
sys.stdout.write(demangle.native_demangler()(sys.stdin.read()) or "")
"""


@functools.lru_cache(maxsize=1 << 16)
def demangle(symbol: str) -> str:
    """The plain form of a symbol's name.

    ABI tags, versions and the marks of a compiler's copies (`.part.0`, `.cold`) are dropped;
    template arguments stay. A name that is not mangled, or that no demangler at hand can read
    (libstdc++ refuses those longer than 1 KiB), is returned as it is.
    """
    plain = _CLONE.sub("", _VERSION.sub("", symbol))
    if not plain.startswith("_Z"):
        return plain
    mangled = plain.partition(".")[0]
    if len(mangled) > _MAX_MANGLED or not mangled.isascii() or "\0" in mangled:
        return plain
    if len(_REFERENCE.findall(mangled)) > _MAX_TRUSTED_REFERENCES:
        readable = _demangle_guarded(mangled)
    else:
        readable = native_demangler()(mangled)
    if not readable or len(readable) > _MAX_DEMANGLED:
        return plain
    return _ABI_TAG.sub("", readable)


@functools.cache
def native_demangler() -> Callable[[str], str | None]:
    """A function that demangles, and returns None for what it cannot read."""
    return _from_cxxfilt() or _from_runtime() or (lambda _: None)


def _from_cxxfilt() -> Callable[[str], str | None] | None:
    try:
        cxxfilt = importlib.import_module("cxxfilt")
    except (ImportError, OSError, AttributeError):  # it loads libraries as it is imported
        return None

    def demangled(name: str) -> str | None:
        try:
            return str(cxxfilt.demangle(name))
        except (cxxfilt.Error, UnicodeError):
            return None

    return demangled


def _from_runtime() -> Callable[[str], str | None] | None:
    for library in ("libstdc++.so.6", "libc++abi.so.1"):
        try:
            function = ctypes.CDLL(library)["__cxa_demangle"]
            free = ctypes.CDLL(None)["free"]
        except (OSError, AttributeError):
            continue
        function.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        function.restype = ctypes.c_void_p
        free.argtypes, free.restype = [ctypes.c_void_p], None
        break
    else:
        return None

    def demangled(name: str) -> str | None:
        address = function(name.encode(), None, None, None)
        if not address:
            return None
        try:
            return ctypes.string_at(address).decode("utf-8", "replace")
        finally:
            free(address)

    return demangled


def _demangle_guarded(mangled: str) -> str | None:
    program = _GUARDED_PROGRAM.format(bytes=_GUARDED_BYTES, seconds=_GUARDED_SECONDS, path=sys.path)
    try:
        done = subprocess.run(
            [sys.executable, "-S", "-c", program],
            input=mangled,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=2 * _GUARDED_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout if done.returncode == 0 else None
