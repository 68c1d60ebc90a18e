"""Where clang finds headers that are not the project's: builtin, standard, shipped declarations.

Also one precompiled header of the standard library for all units: the same text would otherwise
be parsed again for every one of them.
"""

from __future__ import annotations

import contextlib
import functools
import glob
import hashlib
import os
import re
import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from lockorder.static.cache import folder as cache_folder
from lockorder.static.discovery import libraries, sources
from lockorder.static.discovery.inputs import Disk, Inputs, gather, hold, included_by
from lockorder.static.parse import clang, isolated

FALLBACK = libraries.SHIPPED / "stdlib"
_HERE = Path(__file__).parent

#: C library headers worth precompiling; anything else is included by name where it is needed.
_POSIX = frozenset(
    [
        "assert.h",
        "ctype.h",
        "dlfcn.h",
        "errno.h",
        "fcntl.h",
        "inttypes.h",
        "limits.h",
        "math.h",
        "netdb.h",
        "poll.h",
        "pthread.h",
        "sched.h",
        "semaphore.h",
        "signal.h",
        "stdarg.h",
        "stddef.h",
        "stdint.h",
        "stdio.h",
        "stdlib.h",
        "string.h",
        "strings.h",
        "time.h",
        "unistd.h",
        "arpa/inet.h",
        "netinet/in.h",
        "netinet/tcp.h",
        "sys/eventfd.h",
        "sys/epoll.h",
        "sys/mman.h",
        "sys/resource.h",
        "sys/socket.h",
        "sys/stat.h",
        "sys/syscall.h",
        "sys/time.h",
        "sys/types.h",
        "sys/uio.h",
        "sys/un.h",
        "sys/wait.h",
    ]
)
#: A file that is nowhere: its text is handed to clang.
_PROBE = Path("/lockorder/probe.cpp")
_STANDARD = re.compile(r"^[a-z_0-9]+$")


class Headers(msgspec.Struct, frozen=True):
    """The folders with the compiler's own headers, the first searched first.

    With *fallback* these are bundled declarations of the C and C++ standard libraries, for a
    machine that has none.
    """

    system: tuple[str, ...]
    fallback: bool = False

    def flags(self, shipped: str, shipped_first: bool = True, intrinsics: str = "") -> list[str]:
        """The flags, in clang's spelling; the project's own come before them.

        *shipped* is the folder with declarations of libraries.  Where flags are guessed it comes
        before the system's folders, so that what is installed there decides nothing; with the
        flags of a build it comes last.  *intrinsics* has the declarations among them that stand
        for the compiler's own: gcc's are made of builtins that clang does not have.
        """
        found = ["-nostdinc", "-nostdinc++"] if self.fallback else []
        if intrinsics and not shipped_first:
            found += ["-isystem", intrinsics]
        if shipped_first:
            found += ["-isystem", shipped]
        for folder in self.system:
            found += ["-isystem", folder]
        if not shipped_first:
            found += ["-idirafter", shipped]
        return found


def locate(folder: Path, disk: Disk, inline: bool = False) -> Headers:
    """Find the headers of this machine; what a compiler had to say is kept in *folder*.

    Builtin headers (stddef.h and their like) come from the C compiler, since libclang's wheel has
    none; where no C++ standard library is installed at all, from the bundled declarations.
    """
    builtin = _builtin(os.environ.get("CC", ""), os.environ.get("PATH", ""))
    if builtin is not None:
        found = Headers((builtin,))
        asked = (found, folder, machine())
        if asked not in _answered:
            _answered[asked] = _understood(found, folder, disk, inline)
        if _answered[asked]:
            return found
    return Headers((str(FALLBACK / "c++"), str(FALLBACK / "c")), fallback=True)


#: Whether these headers will do, by all that decides it: asked once in a process.
_answered: dict[tuple[Headers, Path, str], bool] = {}


@functools.cache
def _builtin(chosen: str, path: str) -> str | None:
    for name in (chosen, "cc", "gcc", "clang"):
        compiler = shutil.which(name.split(" ")[0], path=path) if name else None
        if compiler is None:
            continue
        try:
            done = subprocess.run(
                [compiler, "-print-file-name=include"],
                capture_output=True,
                text=True,
                timeout=20,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        folder = done.stdout.strip()
        if done.returncode == 0 and os.path.isfile(os.path.join(folder, "stddef.h")):
            return folder
    return None


def _understood(headers: Headers, folder: Path, disk: Disk, inline: bool) -> bool:
    """As _understands, from an earlier run where the same files would be read."""
    flags = headers.flags(str(libraries.STUBS))
    key = sources.digest("\0".join([*flags, machine()]).encode())
    record = folder / f"probe-{key}.json"
    try:
        if hold(msgspec.json.decode(record.read_bytes(), type=Inputs), flags, implied(), disk):
            os.utime(record)
            return True
    except (OSError, msgspec.DecodeError):
        pass
    try:
        files = isolated.call(inline, _understands, headers)
    except isolated.Crash:
        files = None
    if files is not None:
        asked = [(str(_PROBE), "mutex"), (str(_PROBE), "vector")]
        inputs = gather(disk, dict.fromkeys(files, ""), (), flags, implied(), asked)
        if inputs is not None:
            with contextlib.suppress(OSError):
                cache_folder.write(record, msgspec.json.encode(inputs))
    return files is not None


def _understands(headers: Headers) -> list[str] | None:
    """The files that std::mutex can be had from, or None where it cannot from these."""
    text = "#include <mutex>\n#include <vector>\nstd::mutex probe;\n"
    flags = ["-x", "c++", "-std=gnu++17", *headers.flags(str(libraries.STUBS))]
    unit = clang.parse(_PROBE, flags, replaced={str(_PROBE): text})
    return None if unit.missing_headers or unit.errors else unit.included()


class Prefix(msgspec.Struct, frozen=True):
    """A precompiled header for many units.

    ``precompiled`` names the file after all that was read for it: two that are called the same
    hold the same.  ``project`` are the project's headers in it, whose declarations are read from
    it once; ``missing`` and ``errors`` what clang said of each file while making it.  ``stamps``
    are size and time of change (seconds) of each file, without which clang refuses it; ``size``
    is its own in bytes.  ``rewritten``, which it includes, has code of the GPU (see
    sources.host_code).
    """

    source: str
    precompiled: str
    text: str
    flags: tuple[str, ...]
    inputs: Inputs | None
    stamps: tuple[tuple[int, int], ...]
    size: int
    project: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    errors: tuple[tuple[str, int], ...] = ()
    rewritten: tuple[str, ...] = ()


def standard_text(names: Iterable[str]) -> str:
    """Include lines for the standard headers among *names*."""
    wanted = sorted(n for n in names if _STANDARD.match(n) or n in _POSIX)
    return "".join(f"#if __has_include(<{n}>)\n#include <{n}>\n#endif\n" for n in wanted)


def precompile(
    text: str,
    flags: Sequence[str],
    project: Mapping[str, str],
    folder: Path,
    disk: Disk,
    inline: bool = False,
    rewritten: tuple[str, ...] = (),
) -> Prefix | None:
    """A prefix that holds *text*, made once and kept in *folder*; None where it cannot be kept.

    *project* maps the project's headers in it to digests of their contents; clang gets
    *rewritten* of what those include without the GPU's code.  One that was made earlier is
    described, and may be gone or refused by clang: see refresh.

    Raises isolated.Crash where libclang crashes.
    """
    if not text:
        return None
    key = _key(text, flags, project)
    record = folder / f"{key}.json"
    try:
        known = msgspec.json.decode(record.read_bytes(), type=Prefix)
        here = Path(known.source).parent == folder  # it may have been moved
        if here and known.inputs is not None and hold(known.inputs, flags, implied(), disk):
            os.utime(record)
            return known
    except (OSError, msgspec.DecodeError):
        pass
    try:
        return _make(text, flags, project, folder / key, disk, inline, rewritten)
    except (OSError, sources.SourceError):
        return None  # a cache that cannot be written costs time, nothing else


def _key(text: str, flags: Sequence[str], project: Mapping[str, str]) -> str:
    identity = [text, *flags, *(f"{k}={v}" for k, v in sorted(project.items())), machine()]
    if included_by(flags):
        identity.append(os.getcwd())  # where clang looks for them first
    return hashlib.blake2b("\0".join(identity).encode(), digest_size=12).hexdigest()


def write_source(text: str, flags: Sequence[str], folder: Path) -> str:
    """A file with *text*, to be looked at without precompiling it."""
    path = folder / f"{_key(text, flags, {})}.hpp"
    with contextlib.suppress(OSError):
        cache_folder.write(path, text.encode())
    return str(path)


def refresh(prefix: Prefix, disk: Disk, inline: bool = False) -> None:
    """Make the precompiled file of *prefix* again where it is gone or clang would refuse it.

    clang wants the files' times of change as they were, which a checkout of the same contents
    does not give it.
    """
    target = Path(prefix.precompiled)
    inputs = prefix.inputs
    whole = target.is_file() and target.stat().st_size == prefix.size
    if inputs is None or (whole and prefix.stamps == _stamps(prefix.source, inputs)):
        with contextlib.suppress(OSError):
            os.utime(target)
        return
    try:
        source = Path(prefix.source)
        made = isolated.call(
            inline, _compile, prefix.text, prefix.flags, source, target, prefix.rewritten
        )
        if made is None or not all(disk.settled(p) for p, _ in inputs.files):
            target.unlink(missing_ok=True)  # units are read without it
            return
        stamps, size = _stamps(prefix.source, inputs), target.stat().st_size
        known = msgspec.structs.replace(prefix, stamps=stamps, size=size)
        cache_folder.write(source.with_suffix(".json"), msgspec.json.encode(known))
    except (OSError, isolated.Crash, sources.SourceError):
        target.unlink(missing_ok=True)


class _Compiled(msgspec.Struct, frozen=True):
    """What clang read for a prefix, and what it said of it."""

    included: tuple[str, ...]
    missing: tuple[tuple[str, str], ...]
    errors: tuple[tuple[str, int], ...]


def _make(
    text: str,
    flags: Sequence[str],
    project: Mapping[str, str],
    path: Path,
    disk: Disk,
    inline: bool,
    rewritten: tuple[str, ...],
) -> Prefix | None:
    source = path.with_suffix(".hpp")
    partial = path.with_suffix(f".{os.getpid()}.{time.time_ns()}.pch")
    path.parent.mkdir(parents=True, exist_ok=True)
    compiled = isolated.call(inline, _compile, text, tuple(flags), source, partial, rewritten)
    if compiled is None:
        return None
    files = {f: project.get(f, "") for f in compiled.included}
    inputs = gather(disk, files, [str(source)], flags, implied(), compiled.missing)
    target = partial
    if inputs is not None:
        name = hashlib.blake2b(msgspec.json.encode(inputs), digest_size=6).hexdigest()
        target = path.with_name(f"{path.name}-{name}.pch")
        partial.replace(target)
    made = Prefix(
        str(source), str(target), text, tuple(flags), inputs, _stamps(str(source), inputs),
        target.stat().st_size, tuple(sorted(project)), compiled.missing, compiled.errors,
        rewritten,
    )  # fmt: skip
    if inputs is not None:
        cache_folder.write(path.with_suffix(".json"), msgspec.json.encode(made))
    return made


def _compile(
    text: str, flags: tuple[str, ...], source: Path, target: Path, rewritten: tuple[str, ...]
) -> _Compiled | None:
    replaced = {p: sources.readable_host_code(p) for p in rewritten}
    if not source.is_file() or source.read_text(encoding="utf-8") != text:
        cache_folder.write(source, text.encode())
    partial = target.with_suffix(f".{os.getpid()}.part")
    try:
        unit = clang.precompile(source, flags, partial, replaced)
        if unit is None:
            return None
        partial.replace(target)
    finally:
        partial.unlink(missing_ok=True)
    errors = Counter(e[0] for e in unit.errors)
    return _Compiled(
        tuple(unit.included()), tuple(unit.missing_headers), tuple(sorted(errors.items()))
    )


def _stamps(source: str, inputs: Inputs | None) -> tuple[tuple[int, int], ...]:
    found = []
    for file in (source, *(p for p, _ in (inputs.files if inputs else ()))):
        try:
            status = os.stat(file)
            found.append((status.st_size, int(status.st_mtime)))
        except OSError:
            found.append((-1, -1))
    return tuple(found)


@functools.cache
def implied() -> tuple[str, ...]:
    """The folders that clang may search without being told."""
    return (*from_environment(), *sorted(f for p in _SYSTEM for f in glob.glob(p)))


def from_environment() -> tuple[str, ...]:
    """The folders that the environment has every compiler search."""
    named = (f for n in _SEARCH_VARIABLES for f in os.environ.get(n, "").split(os.pathsep))
    return tuple(os.path.abspath(f) for f in named if f)


@functools.cache
def machine() -> str:
    """The compiler, how it is called, and what it takes from this machine besides files."""
    calls = [sources.digest((_HERE / name).read_bytes()) for name in ("clang.py", "headers.py")]
    compilers = sorted(glob.glob("/usr/lib*/gcc/*/*"))
    variables = [f"{n}={os.environ.get(n, '')}" for n in _VARIABLES]
    return "\0".join([clang.version(), *calls, *variables, *implied(), *compilers])


_SEARCH_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_VARIABLES = (*_SEARCH_VARIABLES, "CCC_OVERRIDE_OPTIONS")
_SYSTEM = (
    "/usr/local/include", "/usr/include", "/usr/include/*-linux*", "/usr/include/c++/*",
    "/usr/include/c++/*/*-linux*", "/usr/include/*-linux*/c++/*", "/usr/lib*/gcc/*/*/include",
    "/usr/lib/llvm*/include/c++/*",
)  # fmt: skip
