"""Where clang finds headers that are not the project's: builtin, standard, wheels, stubs.

Also one precompiled header of the standard library for all units: the same text would otherwise
be parsed again for every one of them.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path

import msgspec

from lockorder.static import clang

_HERE = Path(str(resources.files("lockorder.static")))
STUBS = _HERE / "stubs"
FALLBACK = _HERE / "stdlib"

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
#: Bytes of precompiled headers kept between runs.
MAX_CACHE = 1 << 30
_STANDARD = re.compile(r"^[a-z_0-9]+$")


class Headers(msgspec.Struct, frozen=True):
    """Include flags for what is not the project's own: first searched first."""

    system: tuple[str, ...]
    after: tuple[str, ...]
    fallback: bool = False

    def flags(self) -> list[str]:
        """The flags, in clang's spelling; the project's own come before them."""
        found = ["-nostdinc", "-nostdinc++"] if self.fallback else []
        for folder in self.system:
            found += ["-isystem", folder]
        for folder in self.after:
            found += ["-idirafter", folder]
        return found


@functools.cache
def locate() -> Headers:
    """Find the headers of this machine.

    Builtin headers (stddef.h and their like) come from the C compiler, since libclang's wheel has
    none; where no C++ standard library is installed at all, from the bundled declarations.
    """
    after = [*_wheels(), str(STUBS)]
    builtin = _builtin()
    if builtin is not None:
        found = Headers((builtin,), tuple(after))
        if _understands(found):
            return found
    fallback = (str(FALLBACK / "c++"), str(FALLBACK / "c"))
    return Headers(fallback, tuple(after), fallback=True)


def _builtin() -> str | None:
    for name in (os.environ.get("CC", ""), "cc", "gcc", "clang"):
        compiler = shutil.which(name.split(" ")[0]) if name else None
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


def _understands(headers: Headers) -> bool:
    """Whether std::mutex can be had from these."""
    with tempfile.TemporaryDirectory(prefix="lockorder-") as folder:
        file = Path(folder, "probe.cpp")
        file.write_text("#include <mutex>\n#include <vector>\nstd::mutex probe;\n")
        unit = clang.parse(file, ["-x", "c++", "-std=gnu++17", *headers.flags()])
        return not unit.missing_headers and not unit.errors


def _wheels() -> list[str]:
    """Real headers that pip has installed beside lockorder: better than stubs."""
    found: list[str] = []
    for entry in sys.path:
        site = Path(entry)
        if site.name != "site-packages" or not site.is_dir():
            continue
        found += [str(p) for p in sorted(site.glob("nvidia/*/include")) if p.is_dir()]
        for name in ("pybind11/include", "torch/include", "torch/include/torch/csrc/api/include"):
            if (site / name).is_dir():
                found.append(str(site / name))
    return found


class Prefix(msgspec.Struct, frozen=True):
    """A precompiled header for many units.

    ``project`` are the project's headers in it, whose declarations are read from it once;
    ``missing`` and ``errors`` what clang said of each file while making it.
    """

    source: str
    precompiled: str
    project: tuple[str, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    errors: tuple[tuple[str, int], ...] = ()


def standard_text(names: Iterable[str]) -> str:
    """Include lines for the standard headers among *names*."""
    wanted = sorted(n for n in names if _STANDARD.match(n) or n in _POSIX)
    return "".join(f"#if __has_include(<{n}>)\n#include <{n}>\n#endif\n" for n in wanted)


def precompile(
    text: str, flags: Sequence[str], project: Mapping[str, str], folder: Path
) -> Prefix | None:
    """A prefix that holds *text*, made once and kept in *folder*; None where clang cannot.

    *project* maps the project's headers in it to digests of their contents: they are part of the
    prefix's identity, as are the flags and the standard library.
    """
    if not text:
        return None
    identity = [text, *flags, *(f"{k}={v}" for k, v in sorted(project.items()))]
    identity.append(_fingerprint())
    key = hashlib.blake2b("\0".join(identity).encode(), digest_size=12).hexdigest()
    record, target = folder / f"{key}.json", folder / f"{key}.pch"
    try:
        known = msgspec.json.decode(record.read_bytes(), type=Prefix)
        os.utime(target)
        return known
    except (OSError, msgspec.DecodeError):
        pass
    try:
        return _make(text, flags, project, folder / key)
    except OSError:
        return None  # a cache that cannot be written costs time, nothing else


def _make(text: str, flags: Sequence[str], project: Mapping[str, str], path: Path) -> Prefix | None:
    folder, key = path.parent, path.name
    record, target = folder / f"{key}.json", folder / f"{key}.pch"
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{key}.hpp"
    source.write_text(text, encoding="utf-8")
    partial = folder / f"{key}.{os.getpid()}.part"
    unit = clang.precompile(source, flags, partial)
    if unit is None:
        partial.unlink(missing_ok=True)
        return None
    partial.replace(target)
    errors = Counter(e[0] for e in unit.errors)
    made = Prefix(
        str(source), str(target), tuple(sorted(project)), tuple(unit.missing_headers),
        tuple(sorted(errors.items())),
    )  # fmt: skip
    partial.write_bytes(msgspec.json.encode(made))
    partial.replace(record)
    _prune(folder)
    return made


def _prune(folder: Path) -> None:
    """Keep the prefixes used last, up to a bound on their size."""
    files = sorted(folder.glob("*.pch"), key=lambda p: -p.stat().st_mtime)
    total = 0
    for file in files:
        total += file.stat().st_size
        if total > MAX_CACHE:
            for suffix in (".json", ".pch", ".hpp"):
                file.with_suffix(suffix).unlink(missing_ok=True)


def _newest(folder: Path) -> str:
    """Number and newest change of the bundled headers (they change with every upgrade)."""
    times = [p.stat().st_mtime_ns for p in folder.rglob("*") if p.is_file()]
    return f"{len(times)}:{max(times, default=0)}"


def _fingerprint() -> str:
    """Changes when the standard library's headers may have changed."""
    stamps = [_newest(STUBS), _newest(FALLBACK)]
    for folder in (*locate().system, *locate().after, "/usr/include/c++", "/usr/include"):
        try:
            stamps.append(f"{folder}:{os.stat(folder).st_mtime_ns}")
        except OSError:
            stamps.append(folder)
    return ";".join(stamps)
