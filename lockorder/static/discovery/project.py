"""A project's files: what they include, and the flags that are guessed where no build is known.

Guessing reads the ``#include`` lines and the tree: every header that a project keeps under
``R/a/b.h`` and includes as ``a/b.h`` makes R an include root.  Feature macros that only a build
would define (USE_NCCL and their like) are taken as defined: a lint that looks at an empty file
because nobody said -DUSE_NCCL is blind without saying so.
"""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from lockorder.static.discovery import libraries
from lockorder.static.discovery.flags import Flags, is_header, language_of
from lockorder.static.discovery.sources import (
    Scan,
    SourceError,
    Tree,
    digest,
    is_endless,
    read,
    scan,
)

_FEATURE = re.compile(r"^(?:[A-Z0-9]+_)?(USE|WITH|ENABLE|BUILD|HAVE|HAS)_[A-Z0-9_]+$")
_NOT_HERE = re.compile(
    r"XPU|SYCL|MPS|METAL|VULKAN|OPENCL|APPLE|MACOS|DARWIN|IOS|WIN|MSVC|MINGW|ANDROID|"
    r"MOBILE|LITE|FBCODE|BSD|SOLARIS|HPUX|ASAN|TSAN|MSAN|UBSAN|SANITI|VALGRIND|DEBUG|TEST|"
    r"BENCH|PROFIL|NO_|_NO|DISABLE|STATIC|SHARED|LIBCPP|CXX11_ABI|TRACE|WERROR|LTO|NEON|AVX|"
    r"ALTIVEC|VSX|ZARCH|SVE|ARM|POWER|RISCV|FPGA|TPU|XLA|_H$|_HPP$|_H_$|COVERAGE|DEPRECATED|32BIT"
)
#: The other GPU platform: on in a tree that was made for it, off elsewhere.
_HIP = re.compile(r"ROCM|HIP")
_CUDA = re.compile(r"CUDA|NVCC|NVIDIA")
#: What a build says of the platform that is read for.
_LINUX = re.compile(r"^(?:[A-Z][A-Z0-9]*_)*(?:OS|PLATFORM|TARGET|SYSTEM)_LINUX$")
_PLATFORM = re.compile(r"^_|APPLE|MACOS|DARWIN|IOS|WIN32|WINDOWS|MSVC|ANDROID|EMSCRIPTEN")

#: The C library's own headers: a project's file of that name is not what ``<string.h>`` means, and
#: its folder, searched first, would hide the real one from the C++ library, too.
_C_NAMES = (
    "assert complex ctype errno fenv float inttypes iso646 limits locale math setjmp signal "
    "stdalign stdarg stdatomic stdbool stddef stdint stdio stdlib stdnoreturn string tgmath "
    "threads time uchar wchar wctype dirent dlfcn fcntl ftw glob grp iconv langinfo netdb "
    "poll pthread pwd regex sched search semaphore spawn strings syslog termios unistd "
    "alloca byteswap endian execinfo getopt ifaddrs libgen mntent mqueue nl_types resolv stropts "
    "sysexits ucontext ulimit utime utmpx wordexp arpa/inet asm/types net/if netinet/in "
    "netinet/ip netinet/tcp netinet/udp sys/epoll sys/eventfd sys/file sys/inotify sys/ioctl "
    "sys/ipc sys/mman sys/mount sys/msg "
    "sys/param sys/poll sys/prctl sys/resource sys/select sys/sem sys/sendfile sys/shm sys/signal "
    "sys/signalfd sys/socket sys/stat sys/statfs sys/statvfs sys/syscall sys/sysinfo sys/time "
    "sys/timerfd sys/times sys/types sys/uio sys/un sys/user sys/utsname sys/vfs sys/wait"
)
_C = frozenset(f"{name}.h" for name in _C_NAMES.split(" "))

#: Folders of what a project keeps for other platforms than the one that is read for.
_FOREIGN = re.compile(
    r"(?:windows|win32|win64|mingw\d*|msvc|cygwin|osx|macos|macosx|darwin|apple|ios|android|"
    r"freebsd|netbsd|openbsd|bsd|solaris|sunos|aix|hpux|haiku|qnx|vxworks|wasm|emscripten)",
    re.I,
)

#: Headers that are shipped with this package are nobody's project.
_BUNDLED = str(libraries.SHIPPED) + os.sep


@functools.cache
def _is_known(name: str) -> bool:
    """Whether ``<name>`` is a library's header that this package has declarations for."""
    return os.path.isfile(libraries.STUBS / name)


class Project:
    """Sources, the project's headers that they reach, guessed flags; *known* are earlier scans."""

    def __init__(
        self, root: Path, files: Iterable[str], known: Mapping[str, Scan] | None = None
    ) -> None:
        self.root = root
        self._known = known or {}
        self.scans: dict[str, Scan] = {}
        self.sizes: dict[str, int] = {}
        self.problems: dict[str, str] = {}
        self._tree: Tree | None = None
        self._votes: Counter[str] = Counter()
        self._quotes: Counter[str] = Counter()
        self._edges: dict[str, list[str]] = {}
        self._found: dict[tuple[str, str], str | None] = {}
        self._hiding: dict[str, bool] = {}
        self._system: dict[str, None] = {}
        #: headers that are included and that the project does not have, in the order met
        self.unresolved: dict[str, None] = {}
        #: where files were looked for, and by which names, whether or not they were there
        self.looked_in: set[str] = set()
        self.looked_for: set[str] = set()
        self.files = sorted(files)
        pending = list(self.files)
        queued = set(pending)
        while pending:
            path = pending.pop()
            for target in self._scan(path):
                if target not in queued:
                    queued.add(target)
                    pending.append(target)
        # A macro of another platform's headers (pthread_mutex_lock, say) hides no call here.
        self.macros = frozenset(
            m for p, s in self.scans.items() if not self._is_for_others(p) for m in s.macros
        )
        self._features = self._guess_features()

    def _scan(self, path: str) -> list[str]:
        try:
            data = read(path)
        except SourceError as error:
            self.problems[path] = str(error)
            return []
        self.sizes[path] = len(data)
        old = self._known.get(path)
        found = self.scans[path] = old if old and old.digest == digest(data) else scan(path, data)
        targets = []
        for angled, name in found.includes:
            if (target := self._resolve(path, angled, name)) is not None:
                # What is for another platform is included in a branch that is off: its bodies
                # (of a pthread_mutex_lock, say) would stand before what the system declares.
                if self._is_for_others(path) or not self._is_for_others(target):
                    targets.append(target)
            elif not (os.path.isabs(name) and os.path.isfile(name)):
                self.unresolved[name] = None
                if angled:
                    self._system[name] = None
        self._edges[path] = targets
        return targets

    def _resolve(self, path: str, angled: bool, name: str) -> str | None:
        folder = os.path.dirname(path)
        if os.path.isabs(name) and not _is_inside(name, self.root):
            return None  # one of the machine's: what it includes is not the project's
        if not angled or os.path.isabs(name):
            beside = os.path.normpath(os.path.join(folder, name))
            if self._is_file(beside) or is_endless(beside):
                return beside
        plain = "/" not in name and ("." not in name or _is_known(name))
        if angled and (plain or name in _C):
            return None  # a standard header, or a library's: not the project's file of that name
        key = (name, folder)
        if key not in self._found:
            self._found[key] = self._look_up(path, name)
        return self._found[key]

    def _look_up(self, path: str, name: str) -> str | None:
        for root in (*(r for r, _ in self._votes.most_common(8)), *_ancestors(path, self.root)):
            target = os.path.normpath(os.path.join(root, name))
            if self._is_file(target):
                self._vote(root, name)
                return target
        if self._tree is None:
            self._tree = Tree(self.root)
            self.looked_in.update(self._tree.folders)
        matches = [
            m
            for m in self._tree.find(name, path)
            if not m.startswith(_BUNDLED) and not _is_foreign(m, name, path)
        ]
        if not matches:
            return None
        self._vote(matches[0][: -len(os.path.normpath(name)) - 1], name)
        return matches[0]

    def _is_file(self, path: str) -> bool:
        folder, name = os.path.split(path)
        self.looked_in.add(folder)
        self.looked_for.add(name)
        return os.path.isfile(path)

    def _hides_system(self, root: str) -> bool:
        """Whether a header of the system would be hidden if *root* came before its folders."""
        if root not in self._hiding:
            # Every name is asked for, so that a result that is kept knows what it depends on.
            there = [name for name in _C if self._is_file(os.path.join(root, name))]
            self._hiding[root] = bool(there)
        return self._hiding[root]

    def _is_for_others(self, header: str) -> bool:
        """Whether *header* is in a folder for another platform, or stands for a system's header."""
        inside = os.path.relpath(header, self.root).split(os.sep)
        named = any("/".join(inside[i:]) in _C for i in range(len(inside)))
        return named or any(_FOREIGN.fullmatch(folder) for folder in inside[:-1])

    def _vote(self, root: str, name: str) -> None:
        (self._votes if "/" in name else self._quotes)[root] += 1

    def _guess_features(self) -> tuple[str, ...]:
        """Feature macros that conditions ask for and that nothing in the tree defines."""
        defined = {d for s in self.scans.values() for d in s.defines}
        asked = {c for s in self.scans.values() for c in s.conditions}
        absent = _CUDA if self._is_hip() else _HIP
        wanted = {c for c in asked - defined if _FEATURE.match(c) and not _NOT_HERE.search(c)}
        wanted |= {c for c in asked - defined if _LINUX.match(c)}
        # A macro around a whole file that nothing defines comes from the build.
        wrappers = {s.wrapped_by for s in self.scans.values() if s.wrapped_by} - defined
        wanted |= {w for w in wrappers if not _PLATFORM.search(w) and not _NOT_HERE.search(w)}
        wanted = {w for w in wanted if not absent.search(w)}
        if self._is_hip():
            wanted.add("__HIP_PLATFORM_AMD__")  # what hipcc defines
        return tuple(sorted(wanted))

    def _is_hip(self) -> bool:
        """Whether the sources are HIP's (hipify's output, say) rather than CUDA's."""
        includes = [
            name for p in self.files if p in self.scans for _, name in self.scans[p].includes
        ]
        hip = sum(n.startswith(("hip/", "rccl", "hipblas", "miopen")) for n in includes)
        cuda = sum(n.startswith(("cuda", "nccl", "cublas", "cudnn")) for n in includes)
        return hip > cuda

    @property
    def system_headers(self) -> tuple[str, ...]:
        """Headers included by name that the project does not have, sorted."""
        return tuple(sorted(self._system))

    def flags(self, path: str) -> Flags:
        """Guessed flags of *path*."""
        language = language_of(path)
        roots = [r for r, _ in self._votes.most_common()]
        roots += [r for r, _ in self._quotes.most_common() if r not in self._votes]
        # A root that has a file with the name of one of the system's headers is searched before the
        # system for quoted names alone: without a build's word <pthread.h> is the system's.
        rest = [f"-iquote{r}" if self._hides_system(r) else f"-I{r}" for r in roots]
        rest += [f"-idirafter{r}" for r in roots if self._hides_system(r)]
        reached = self.reach(path)
        defines = list(self._features)
        own = self.scans[path].wrapped_by if path in self.scans else ""
        if own and own not in defines and not _PLATFORM.search(own):
            defines.append(own)
        if language == "c":
            defines.insert(0, "_GNU_SOURCE")  # as configure's config.h does, and every g++
        rest += [f"-D{d}=1" for d in defines]
        rest += [f"-D{name}=" for name in self._undefined_lone((path, *reached))]
        modern = any(self.scans[p].cxx20 for p in (path, *reached) if p in self.scans)
        standard = "gnu17" if language == "c" else "gnu++20" if modern else "gnu++17"
        return Flags(language, standard, tuple(rest))

    def _undefined_lone(self, files: Sequence[str]) -> list[str]:
        """Macros between declarations that none of *files* defines: a generated header would.

        They say nothing here; left as they are, clang takes them for the type of what follows.
        """
        scans = [self.scans[p] for p in files if p in self.scans]
        used = {name for s in scans for name in s.lone}
        return sorted(used.difference(*(s.defines for s in scans))) if used else []

    def reach(self, path: str) -> list[str]:
        """The project's headers that *path* includes, directly or not, in a fixed order."""
        seen: dict[str, None] = {}
        pending = list(self._edges.get(path, ()))
        while pending:
            here = pending.pop()
            if here in seen or here == path:
                continue
            seen[here] = None
            pending.extend(self._edges.get(here, ()))
        return sorted(seen)

    def common_headers(self, mains: Sequence[str]) -> dict[str, str]:
        """Headers worth precompiling for *mains*, in an order in which each finds what it needs.

        Those that several units include and that guard themselves against a second inclusion;
        with a digest of their contents.  Not what is for another platform: that is included in a
        branch that is off, and would stand before the system's headers here.
        """
        counts = Counter(h for m in mains for h in self.reach(m))
        # Fewer make the prefix larger for nothing: a unit pays for what its names find in it.
        least = max(2, len(mains) // 20)
        fit = {
            h
            for h, n in counts.items()
            if n >= least
            and h in self.scans
            and self.scans[h].guarded
            and not self._is_for_others(h)
            and not any(is_endless(p) for p in self.reach(h) if p in self.problems)
        }
        ordered: dict[str, str] = {}
        visited: set[str] = set()

        def visit(header: str) -> None:
            if header in visited:
                return
            visited.add(header)
            for inner in self._edges.get(header, ()):
                visit(inner)
            if header in fit:
                ordered[header] = self.scans[header].digest

        for header in sorted(fit):
            visit(header)
        return ordered

    def owners(self, mains: Sequence[str]) -> dict[str, set[str]]:
        """By unit, the files whose declarations it is to read: each header goes to one unit.

        *mains* are the files that become units.  A header goes to the first unit, in order, that
        includes it.
        """
        owned: dict[str, str] = {m: m for m in mains}
        for main in mains:
            for header in self.reach(main):
                owned.setdefault(header, main)
        found: dict[str, set[str]] = {m: set() for m in mains}
        for file, main in owned.items():
            found[main].add(file)
        return found

    def mains(self) -> list[str]:
        """The units: every source, and the headers among the files that no source includes."""
        sources = [f for f in self.files if not is_header(f) and f not in self.problems]
        reached = {h for s in sources for h in self.reach(s)}
        headers = [
            f for f in self.files if is_header(f) and f not in reached and f not in self.problems
        ]
        kept: list[str] = []
        covered: set[str] = set()
        for header in headers:
            if header not in covered:
                kept.append(header)
                covered.update(self.reach(header))
        return sources + [h for h in kept if h not in covered]


def _is_inside(path: str, root: Path) -> bool:
    return os.path.normpath(path).startswith(os.path.join(str(root), ""))


def _is_foreign(match: str, name: str, includer: str) -> bool:
    """Whether *match*, found for *name*, is in a folder for another platform.

    Not where the name itself says the folder, nor for a file that is in that folder, too.
    """
    folders = match[: -len(os.path.normpath(name))].split(os.sep)
    near = set(includer.split(os.sep))
    return any(f not in near and _FOREIGN.fullmatch(f) for f in folders)


def _ancestors(path: str, root: Path) -> list[str]:
    top = str(root)
    folder = os.path.dirname(path)
    found = []
    while True:
        found.append(folder)
        parent = os.path.dirname(folder)
        if folder in (top, parent) or len(found) > 12:
            return found
        folder = parent
