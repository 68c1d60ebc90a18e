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
from collections.abc import Iterable
from importlib import resources
from pathlib import Path

import msgspec

from lockorder.static import clang

_HERE = Path(str(resources.files("lockorder.static")))
STUBS = _HERE / "stubs"
FALLBACK = _HERE / "stdlib"

#: C library headers worth precompiling; anything else is included by name where it is needed.
_POSIX = frozenset(
    """assert.h ctype.h dlfcn.h errno.h fcntl.h inttypes.h limits.h math.h netdb.h poll.h pthread.h
    sched.h semaphore.h signal.h stdarg.h stddef.h stdint.h stdio.h stdlib.h string.h strings.h
    time.h unistd.h arpa/inet.h netinet/in.h netinet/tcp.h sys/eventfd.h sys/epoll.h sys/mman.h
    sys/resource.h sys/socket.h sys/stat.h sys/syscall.h sys/time.h sys/types.h sys/uio.h
    sys/un.h sys/wait.h""".split()
)
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


def precompile(
    names: Iterable[str], language: str, standard: str, headers: Headers, folder: Path
) -> Path | None:
    """A precompiled header of the standard headers among *names*, made once and kept in *folder*.

    None where clang cannot make one (then every unit parses the headers for itself).
    """
    if language != "c++":
        return None
    wanted = sorted(n for n in names if _STANDARD.match(n) or n in _POSIX)
    if not wanted:
        return None
    text = "".join(f"#if __has_include(<{n}>)\n#include <{n}>\n#endif\n" for n in wanted)
    flags = ["-x", "c++-header", f"-std={standard}", *headers.flags()]
    key = hashlib.blake2b(
        "\0".join([text, *flags, _fingerprint(headers)]).encode(), digest_size=12
    ).hexdigest()
    target = folder / f"{key}.pch"
    if target.exists():
        return target
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / f"{key}.hpp"
    source.write_text(text)
    partial = folder / f"{key}.{os.getpid()}.part"
    if not clang.save_precompiled(source, flags, partial):
        partial.unlink(missing_ok=True)
        return None
    partial.replace(target)
    return target


def _fingerprint(headers: Headers) -> str:
    """Changes when the standard library's headers may have changed."""
    stamps = []
    for folder in (*headers.system, "/usr/include/c++", "/usr/include"):
        try:
            stamps.append(f"{folder}:{os.stat(folder).st_mtime_ns}")
        except OSError:
            stamps.append(folder)
    return ";".join(stamps)
