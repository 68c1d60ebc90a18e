"""What is tried where libclang crashes on a unit, and what is known of crashes already.

Each way loses less than the next: without the precompiled prefix (nothing is lost), without the
headers of installed libraries that a build names (shipped declarations and made-up ones in their
place), without the one header that libclang crashes in, declarations by libclang and bodies by
their syntax, and in the end all of the unit by its syntax.  Which of them reads a unit never
depends on the order in which units are read, or on how many read at once.
"""

from __future__ import annotations

import contextlib
import os
from collections import deque
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Generic, NamedTuple, TypeVar

import msgspec

from lockorder.model.coverage import WITHOUT_PREFIX
from lockorder.static.discovery import sources
from lockorder.static.discovery.inputs import FOLDER_FLAGS
from lockorder.static.discovery.libraries import STUBS
from lockorder.static.parse.unit import DECLARATIONS, SYNTAX_ALONE, Job

#: Headers that are tried as the one that libclang crashes in.  The innermost files are likeliest;
#: a crash further out than this is one of the unit's own text, nearly always.
MAX_SUSPECTS = 4
#: Units on which all ways are tried before the rest begin with the way that has read all of these.
SAMPLE = 3

WITHOUT_INSTALLED = "without the headers of installed libraries"
WITHOUT_HEADER = "with {} by its syntax alone"

_Answer = TypeVar("_Answer")


class Way(NamedTuple):
    """One of the ways to read a unit; *header* is the one that is left out."""

    kind: str
    header: str = ""


class Follow(msgspec.Struct, frozen=True):
    """Not to be read: where does libclang crash on this job?"""

    job: Job


#: What to try next; the answer is None where that crashed too, suspects for a Follow.
Ways = Generator["Way | Follow", "list[str] | None", None]


def ways(job: Job, reached: Collection[str], root: str) -> Ways:
    """The ways to read *job*, on which libclang crashed as it was planned, the best first.

    *reached* are the project's headers that it includes, *root* is the project's folder.
    """
    if job.precompiled or job.loaded:
        yield Way("prefix")
    if without_installed(job, root) is not None:
        yield Way("installed")
    suspects = yield Follow(msgspec.structs.replace(job, precompiled="", loaded=""))
    own = [s for s in suspects or () if s in reached and s != job.main and s not in job.crashing]
    for header in own[:MAX_SUSPECTS]:
        yield Way("header", header)
    yield Way("bodies")
    yield Way("main")
    yield Way("syntax")


def by_way(way: Way, job: Job, reached: Collection[str], root: str) -> Job | None:
    """*job* read so; None where that is no way for it."""
    plain = msgspec.structs.replace(job, precompiled="", loaded="")
    if way.kind == "prefix":
        return msgspec.structs.replace(plain, reading=WITHOUT_PREFIX)
    if way.kind == "installed":
        return without_installed(plain, root)
    if way.kind == "header":
        return without_header(plain, way.header, root=root) if way.header in reached else None
    # Without its prefix it crashed as well, so that this one is not to blame.
    with_prefix = msgspec.structs.replace(job, loaded="")
    if way.kind == "bodies":
        return msgspec.structs.replace(with_prefix, bodies=False, reading=DECLARATIONS)
    if way.kind == "main":
        return without_header(with_prefix, job.main, root=root)
    return by_syntax(job)


def without_header(job: Job, *headers: str, root: str) -> Job:
    """*job* with nothing in place of *headers*, whose own text is read by its syntax.

    Not with a prefix that may have them; of the unit's own file what it includes is left.
    """
    crashing = tuple(dict.fromkeys((*job.crashing, *headers)))
    named = ", ".join(os.path.relpath(h, root) for h in crashing)
    return msgspec.structs.replace(job, crashing=crashing, reading=WITHOUT_HEADER.format(named))


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
        if len(words) == 2 and folder in job.bundled[-1:]:
            kept += [words[0], str(STUBS)]  # whole: nothing else has those libraries now
        elif own:
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

    First every unit as planned; then all ways for a few of those on which libclang crashed, the
    first in the order of the jobs; then the rest, beginning with the way that read those few, if
    that was the same.  So how a unit is read does not depend on which was done first, and where
    libclang crashes on everything, it is asked once for each unit and not six times.

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
        self._due: deque[tuple[int, Job | Follow]] = deque()
        self._ways: dict[int, Ways] = {}
        self._tried: dict[int, Way] = {}
        self._crashed: list[int] = []
        self._sampled = False
        #: by unit of the sample, the way that read it
        self._sample: dict[int, Way] = {}
        #: headers that libclang crashes in, whatever is before them
        self._crashing: set[str] = set()

    def begin(self, numbers: Iterable[int]) -> None:
        """The units to read, by their numbers among the jobs."""
        self._due.extend((number, self._planned(number)) for number in numbers)

    @property
    def due(self) -> bool:
        """Whether something is to be read."""
        return bool(self._due)

    def next(self) -> tuple[int, Job | Follow]:
        """What to read next."""
        return self._due.popleft()

    def _planned(self, number: int) -> Job:
        """The job as planned, without a prefix that an earlier run found to crash it."""
        job = self._jobs[number]
        if job.precompiled and self._crashes.known("use", job.precompiled):
            job = msgspec.structs.replace(job, precompiled="", reading=WITHOUT_PREFIX)
        return job

    def _headers(self, job: Job) -> frozenset[str]:
        return self._reached.get(job.main, frozenset(job.own)) - {job.main}

    def answered(self, number: int, task: Job | Follow, answer: _Answer | list[str] | None) -> None:
        """*task* for unit *number* has come to an end: with nothing, where libclang crashed."""
        if isinstance(task, Job) and answer is not None:
            if number in self._sample or number in self._ways:
                self._learn(number, task)
            self._take(number, task, answer)  # type: ignore[arg-type]
        elif number in self._ways:
            self._go_on(number, answer if isinstance(answer, list) else None)
        elif number in self._tried:  # what read the sample does not read this one
            self._all_ways(number)
        else:
            self._crashed.append(number)

    def idle(self) -> None:
        """All that was due has come to an end."""
        if not self._sampled:
            self._sampled = True
            self._crashed.sort()
            sample, self._crashed = self._crashed[:SAMPLE], self._crashed[SAMPLE:]
            for number in sample:
                self._all_ways(number)
            if sample:
                return
        known = set(self._sample.values())
        way = known.pop() if len(known) == 1 else None
        if way is not None and way.kind == "prefix" and len(self._sample) > 1:
            for prefix in {self._jobs[number].precompiled for number in self._sample} - {""}:
                self._crashes.note("use", prefix)
        left, self._crashed = self._crashed, []
        for number in left:
            job = self._jobs[number]
            crashing = sorted(self._crashing & self._headers(job))
            first = by_way(way, job, self._headers(job), self._root) if way is not None else None
            if crashing:
                plain = msgspec.structs.replace(job, precompiled="", loaded="")
                first = without_header(plain, *crashing, root=self._root)
            if first is None:
                self._all_ways(number)
            else:
                self._tried[number] = way or Way("header", crashing[0])
                self._due.append((number, first))

    def _all_ways(self, number: int) -> None:
        job = self._jobs[number]
        self._ways[number] = ways(job, self._headers(job), self._root)
        self._go_on(number, None, first=True)

    def _go_on(self, number: int, answer: list[str] | None, first: bool = False) -> None:
        """Have the next way tried."""
        job, known = self._jobs[number], self._ways[number]
        while True:
            try:
                following = next(known) if first else known.send(answer)
            except StopIteration:
                self._take(number, job, None)
                return
            first, answer = False, None
            if isinstance(following, Follow):
                self._due.append((number, following))
                return
            task = by_way(following, job, self._headers(job), self._root)
            if task is not None:
                self._tried[number] = following
                self._due.append((number, task))
                return

    def _learn(self, number: int, job: Job) -> None:
        """A unit could be read after all: what does that say of those that are still to be read?"""
        way = self._sample[number] = self._tried[number]
        self._ways.pop(number, None)
        new = way.kind == "header" and way.header not in self._crashing
        if new and self._alone(way.header, job):
            self._crashing.add(way.header)
