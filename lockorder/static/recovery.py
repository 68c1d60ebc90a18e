"""What is tried where libclang crashes on a unit, and what is known of crashes already.

Each way loses less than the next: without the precompiled prefix (nothing is lost), without the
headers of installed libraries that a build names (shipped declarations and made-up ones in their
place), without the one header that libclang crashes in, declarations by libclang and bodies by
their syntax, and in the end all of the unit by its syntax.  Which of them reads a unit depends on
that unit alone, never on the order in which units are read or on how many read at once.
"""

from __future__ import annotations

import contextlib
import os
from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from lockorder.static import sources
from lockorder.static.inputs import FOLDER_FLAGS
from lockorder.static.unit import DECLARATIONS, SYNTAX_ALONE, Job

#: Headers that are tried as the one that libclang crashes in.  The innermost files are likeliest;
#: a crash further out than this is one of the unit's own text, nearly always.
MAX_SUSPECTS = 4
#: So many units in a row that only their syntax could read: libclang itself is unusable here.
HOPELESS = 3
#: So many units that could be read once the same prefix was left out: it is left out of the rest.
BAD_PREFIX = 2

_Answer = TypeVar("_Answer")

WITHOUT_PREFIX = "without the precompiled headers"
WITHOUT_INSTALLED = "without the headers of installed libraries"
WITHOUT_HEADER = "with {} by its syntax alone"


class Follow(msgspec.Struct, frozen=True):
    """Not to be read: where does libclang crash on this job?"""

    job: Job


#: What to try next; the answer is None where that crashed too, suspects for a Follow.
Ways = Generator["Job | Follow", "list[str] | None", None]


def ways(job: Job, reached: Collection[str], root: str) -> Ways:
    """The ways to read *job*, on which libclang crashed as it was planned, the best first.

    *reached* are the project's headers that it includes, *root* is the project's folder.
    """
    plain = job
    if job.precompiled or job.loaded:
        plain = msgspec.structs.replace(job, precompiled="", loaded="", reading=WITHOUT_PREFIX)
        yield plain
    shipped = without_installed(plain, root)
    if shipped is not None:
        yield shipped
    suspects = yield Follow(plain)
    own = [s for s in suspects or () if s in reached and s != job.main and s not in job.crashing]
    for header in own[:MAX_SUSPECTS]:
        yield without_header(plain, header, root=root)
    yield msgspec.structs.replace(plain, bodies=False, reading=DECLARATIONS)
    yield by_syntax(plain)


def without_header(job: Job, *headers: str, root: str) -> Job:
    """*job* with nothing in place of *headers*, whose own text is read by its syntax."""
    crashing = tuple(dict.fromkeys((*job.crashing, *headers)))
    named = ", ".join(os.path.relpath(h, root) for h in crashing)
    return msgspec.structs.replace(
        job, precompiled="", loaded="", crashing=crashing, reading=WITHOUT_HEADER.format(named)
    )


def by_syntax(job: Job) -> Job:
    """*job* without libclang."""
    return msgspec.structs.replace(
        job, precompiled="", loaded="", clang=False, reading=SYNTAX_ALONE
    )


def without_installed(job: Job, root: str) -> Job | None:
    """*job* without the include folders outside of *root* that its build names; None: it has none.

    The folders of the compiler and of the shipped declarations come by other flags (see headers).
    """
    kept: list[str] = []
    pending = iter(job.flags)
    inside = root.rstrip(os.sep) + os.sep
    dropped = False
    for flag in pending:
        name = next((n for n in FOLDER_FLAGS if flag.startswith(n)), None)
        if name is None:
            kept.append(flag)
            continue
        words = [flag, next(pending, "")] if flag == name else [flag]
        folder = words[-1].removeprefix(name) if len(words) == 1 else words[1]
        own = os.path.join(folder, "").startswith(inside) or folder in job.bundled
        if own:
            kept += words
        else:
            dropped = True
    if not dropped:
        return None
    plain = msgspec.structs.replace(job, precompiled="", loaded="", flags=tuple(kept))
    return msgspec.structs.replace(plain, reading=WITHOUT_INSTALLED)


class Crashes:
    """What is known of crashes, in this run and from earlier ones: in *folder*, a file for each.

    A name says all that decides a crash, so that a record is never stale; all problems with the
    folder cost time, nothing else.
    """

    def __init__(self, folder: Path, machine: str) -> None:
        self._folder = folder
        self._machine = machine
        self._known: dict[Path, bool] = {}

    def any(self) -> bool:
        """Whether any crash is noted here."""
        return any(self._known.values()) or next(self._folder.glob("crash-*"), None) is not None

    def path(self, *words: str) -> Path:
        """Where a crash with these circumstances is noted."""
        text = "\0".join((self._machine, *words)).encode(errors="replace")
        return self._folder / f"crash-{sources.digest(text)}"

    def known(self, *words: str) -> bool:
        """Whether libclang is known to crash so."""
        path = self.path(*words)
        if path not in self._known:
            self._known[path] = path.is_file()
            if self._known[path]:
                with contextlib.suppress(OSError):
                    os.utime(path)
        return self._known[path]

    def note(self, *words: str) -> None:
        """libclang crashed so."""
        path = self.path(*words)
        self._known[path] = True
        with contextlib.suppress(OSError):
            path.touch()


def header_flags(job: Job) -> tuple[str, ...]:
    """The flags of *job* for a header by itself."""
    return (*job.flags[:1], "c++-header" if job.cxx else "c-header", *job.flags[2:])


def header_words(
    header: str, flags: Collection[str], reach: Collection[str], digests: Mapping[str, str]
) -> tuple[str, ...]:
    """What decides whether libclang crashes on *header* by itself."""
    files = (header, *reach)
    return ("header", *flags, *(f"{file}={digests.get(file, '')}" for file in files))


class Recovering(Generic[_Answer]):
    """Hands out what is to be read, and what instead where libclang crashes.

    *take* gets what was read of each unit, with the job that it was read by.  *alone* says whether
    libclang crashes on a header by itself, under the flags of a job.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        reached: Mapping[str, frozenset[str]],
        root: str,
        crashes: Crashes,
        alone: Callable[[str, Job], bool],
        take: Callable[[int, Job, _Answer | None], None],
    ) -> None:
        self._jobs = jobs
        self._reached = reached
        self._root = root
        self._crashes = crashes
        self._alone = alone
        self._take = take
        self._due: deque[tuple[int, Job | Follow | None]] = deque()
        self._ways: dict[int, Ways] = {}
        #: headers that libclang crashes in, whatever is before them; headers that were tried
        self._crashing: set[str] = set()
        self._tried: set[str] = set()
        #: by prefix, units that could be read once it was left out
        self._better_without: Counter[str] = Counter()
        self._by_clang = 0
        self._by_syntax = 0
        self._shortened: list[int] = []

    def begin(self, numbers: Iterable[int]) -> None:
        """The units to read, by their numbers among the jobs."""
        self._due.extend((n, None) for n in numbers)

    @property
    def due(self) -> bool:
        """Whether something is to be read."""
        return bool(self._due)

    def next(self) -> tuple[int, Job | Follow]:
        """What to read next."""
        number, task = self._due.popleft()
        return number, task if task is not None else self._first(number)

    def _first(self, number: int) -> Job:
        """The job as planned, without what is known to crash."""
        job = self._jobs[number]
        if job.precompiled and self._is_bad(job.precompiled):
            job = msgspec.structs.replace(job, precompiled="", reading=WITHOUT_PREFIX)
        crashing = sorted(self._crashing & self._headers(job))
        return without_header(job, *crashing, root=self._root) if crashing else job

    def _headers(self, job: Job) -> frozenset[str]:
        return self._reached.get(job.main, frozenset(job.own)) - {job.main}

    def _is_bad(self, prefix: str) -> bool:
        return self._better_without[prefix] >= BAD_PREFIX or self._crashes.known("use", prefix)

    def answered(self, number: int, task: Job | Follow, answer: _Answer | list[str] | None) -> None:
        """*task* for unit *number* has come to an end: with nothing, where libclang crashed."""
        if isinstance(task, Job) and answer is not None:
            self._learn(number, task)
            self._ways.pop(number, None)
            self._take(number, task, answer)  # type: ignore[arg-type]
            return
        known = self._ways.get(number)
        try:
            if known is None:
                job = self._jobs[number]
                if self._by_syntax >= HOPELESS and not self._by_clang:
                    self._shortened.append(number)
                    self._ways[number] = _only(by_syntax(job))
                else:
                    self._ways[number] = ways(job, self._headers(job), self._root)
                following = next(self._ways[number])
            else:
                following = known.send(answer if isinstance(answer, list) else None)
        except StopIteration:
            self._take(number, task if isinstance(task, Job) else task.job, None)
            return
        self._due.appendleft((number, following))

    def _learn(self, number: int, job: Job) -> None:
        """*job* could be read: what does that say of the units that are still to be read?"""
        if not job.clang:
            self._by_syntax += 1
            return
        self._by_clang += 1
        planned = self._jobs[number]
        if job.reading == WITHOUT_PREFIX and planned.precompiled:
            self._better_without[planned.precompiled] += 1
            if self._better_without[planned.precompiled] == BAD_PREFIX:
                self._crashes.note("use", planned.precompiled)
        for header in set(job.crashing) - set(planned.crashing) - self._tried:
            self._tried.add(header)
            if self._alone(header, job):
                self._crashing.add(header)

    def again(self) -> None:
        """Units that were given up as hopeless, where libclang has read others after all."""
        if self._by_clang and self._shortened:
            self._due.extend((n, None) for n in self._shortened)
            self._shortened.clear()


def _only(job: Job) -> Ways:
    """The only way that is left."""
    yield job
