"""Reading all units: from the cache, in processes of this machine, or on somebody's executor.

Whoever reads, and in whatever order, the facts come back in the order of the jobs, and a unit that
is lost on the way (its process died, its worker went away) is read again here.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import hashlib
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, wait
from concurrent.futures.process import BrokenProcessPool

import msgspec

from lockorder import cluster
from lockorder.static.discovery.inputs import Disk
from lockorder.static.driver.options import Options
from lockorder.static.driver.planning import Plan
from lockorder.static.driver.recovery import Crashes, Follow, Recovering, header_flags, header_words
from lockorder.static.driver.slots import Slots
from lockorder.static.driver.unit_cache import Cache, tool
from lockorder.static.parse import headers, isolated
from lockorder.static.parse.declarations import Facts
from lockorder.static.parse.unit import Job, Reading, read_unit, too_deep, unreadable
from lockorder.uncollected import uncollected

#: Depth of Python calls that a worker may use for one nested expression.
RECURSION = 10_000
#: Seconds between looks at whether there is still somebody who works.
_PULSE = 1.0

#: Bytes of a digest of facts.
_DIGEST = 16

#: Called with what is done, how many of it are done and how many there are.
Progress = Callable[[str, int, int], None]

_FACTS = msgspec.msgpack.Decoder(Facts)
#: What talks to libclang keeps state between calls; workers of a cluster have threads.
_ONE_AT_A_TIME = threading.Lock()


class Units(msgspec.Struct):
    """Facts of all units, in the order of their jobs, and a digest of all of them."""

    facts: list[Facts]
    digest: str


class Answer(msgspec.Struct, array_like=True):
    """What a worker sends back: encoded facts, and what they were made from (see Reading).

    ``files`` have digests of their contents as the worker saw them, the unit's own included.
    ``good`` is off where there is a problem or the precompiled header was of no use.  With
    ``refused`` nothing was read, for that reason; with ``crashed`` because libclang crashed.
    """

    facts: bytes
    files: dict[str, str]
    missing: list[tuple[str, str]]
    good: bool
    refused: str = ""
    crashed: bool = False


def read_all(
    plan: Plan,
    options: Options,
    cache: Cache,
    progress: Progress | None = None,
    executor: Executor | None = None,
    remote: cluster.Cluster | None = None,
) -> Units:
    """Facts of all units of *plan*, in its order.

    *executor* is somebody's on this machine, *remote* a cluster.  Raises cluster.WorkersError
    where a worker of the cluster cannot do it.
    """
    return _Reader(plan, cache, progress).run(options, executor, remote)


class _Reader:
    def __init__(self, plan: Plan, cache: Cache, progress: Progress | None) -> None:
        self.plan = plan
        self.cache = cache
        self.progress = progress
        self.found: dict[int, Facts] = {}
        #: by unit: of its facts, as they are written
        self.digests: dict[int, bytes] = {}

    def run(
        self, options: Options, executor: Executor | None, remote: cluster.Cluster | None
    ) -> Units:
        """Read what the cache does not have, then what got lost."""
        jobs = self.plan.jobs
        known = {i: d for i, job in enumerate(jobs) if (d := self.cache.load(job)) is not None}
        # Large files first, so that none of them is left for the end.
        wanted = sorted((i for i in range(len(jobs)) if i not in known), key=self._cost)
        self._tell(len(known))
        if wanted:
            needed = {jobs[i].precompiled or jobs[i].loaded for i in wanted}
            for prefix in self.plan.prefixes:
                if prefix.precompiled in needed:
                    headers.refresh(prefix, self.cache.disk, options.inline)
        if wanted and not options.inline and executor is not None:
            self._spread(wanted, known, executor)
        elif wanted and not options.inline and remote is not None:
            self._spread(wanted, known, remote.executor, remote.alive)
        left = [i for i in wanted if i not in self.found]
        if left:
            self._here(left, known, options)
        self._decode(known)
        whole = hashlib.blake2b(digest_size=_DIGEST)
        for i in range(len(jobs)):
            whole.update(self.digests[i])
        return Units([self.found[i] for i in range(len(jobs))], whole.hexdigest())

    def _here(self, wanted: Sequence[int], known: dict[int, bytes], options: Options) -> None:
        """Read *wanted* in processes of this machine, or in this one."""
        plan, inline = self.plan, options.inline
        crashes = Crashes(self.cache.prefixes, headers.machine())

        def alone(header: str, job: Job) -> bool:
            flags = header_flags(job)
            reach = sorted(plan.reached.get(header, ()))
            digests = {p: self.cache.disk.digest(p) for p in (header, *reach)}
            words = header_words(header, flags, reach, digests)
            if not crashes.known(*words) and not isolated.parses(inline, header, flags):
                crashes.note(*words)
            return crashes.known(*words)

        reader = Recovering(plan.jobs, plan.reached, plan.root, crashes, alone, self._take)
        reader.begin(wanted)
        count = 0 if inline else min(options.jobs or os.cpu_count() or 1, len(wanted))
        slots: Slots[tuple[int, Job | Follow], bytes] = Slots(
            count, _work_there if count else _work, _begin
        )
        with slots:
            while reader.due or slots.busy:
                while reader.due and slots.free:
                    slots.start(reader.next())
                self._decode(known)  # while others read
                for (number, task), data in slots.done():
                    reader.answered(number, task, _read_out(data))
                if not (reader.due or slots.busy):
                    reader.idle()

    def _spread(
        self,
        wanted: Sequence[int],
        known: dict[int, bytes],
        pool: Executor,
        alive: Callable[[], bool] | None = None,
    ) -> None:
        """Have *pool* read *wanted*, decode *known* meanwhile; what gets lost is not found.

        With *alive* the pool is somebody else's: what its workers say is compared with what is
        here, and is given up when nobody is left to work.
        """
        jobs = self.plan.jobs
        pending: dict[Future[bytes], int] = {}
        with contextlib.suppress(BrokenProcessPool):
            for i in wanted:
                task = (remote_answer, jobs[i], tool()) if alive else (encoded_answer, jobs[i])
                pending[pool.submit(*task)] = i
        self._decode(known)
        different = 0
        while pending:
            done, _ = wait(pending, _PULSE if alive else None, FIRST_COMPLETED)
            for future in done:
                number = pending.pop(future)
                got = _result(future)
                if got is None or got.crashed:
                    continue
                if alive is not None and not self._same(got):
                    different += 1
                    continue
                self._take(number, jobs[number], got)
            if alive is not None and not done and not alive():
                for future in pending:
                    future.cancel()
                break
        if different:
            self.plan.notes.append(
                f"{different} units were read here: workers saw other files than are here, or not "
                f"the precompiled headers in {self.cache.prefixes}"
            )

    def _same(self, got: Answer) -> bool:
        """Whether a worker elsewhere read the bytes that are here, with what it should."""
        digest = self.cache.disk.digest
        return got.good and all(digest(path) == seen for path, seen in got.files.items())

    def _take(self, number: int, job: Job, got: Answer | None) -> None:
        """Keep what was read of unit *number* by *job*: another one than planned after a crash."""
        planned = self.plan.jobs[number]
        if got is None:
            problem = f"{planned.main}: nothing could be read: each try ended the process"
            got = Answer(b"", {}, [], False)
            self._keep_written(number, Facts(planned.main, [], [], [], [], [], problem))
        else:
            try:
                self._keep(number, got.facts)
            except RecursionError:
                got.good = False
                self._keep_written(number, too_deep(planned.main))
        if got.good:
            files = got.files
            if job.reading:  # what is included may be why libclang crashed
                reached = self.plan.reached.get(planned.main, frozenset())
                files = {p: self.cache.disk.digest(p) for p in sorted(reached)} | files
            self.cache.store(planned, got.facts, files, got.missing)
        else:
            self.cache.whole = False
        self._tell(len(self.found))

    def _decode(self, known: dict[int, bytes]) -> None:
        with uncollected():
            while known:
                number, data = known.popitem()
                try:
                    self._keep(number, data)
                except (msgspec.DecodeError, RecursionError):
                    job = self.plan.jobs[number]
                    self._take(number, job, answer(job))

    def _keep(self, number: int, data: bytes) -> None:
        """*data* are the facts of unit *number*; raises what decoding them raises."""
        self.found[number] = _FACTS.decode(data)
        self.digests[number] = hashlib.blake2b(data, digest_size=_DIGEST).digest()

    def _keep_written(self, number: int, facts: Facts) -> None:
        """*facts* are those of unit *number*, which nobody else has written down."""
        self._keep(number, msgspec.msgpack.encode(facts))

    def _cost(self, number: int) -> tuple[int, int]:
        try:
            return -os.stat(self.plan.jobs[number].main).st_size, number
        except OSError:
            return 0, number

    def _tell(self, done: int) -> None:
        if self.progress is not None:
            self.progress("reading", done, len(self.plan.jobs))


# -- on the side of whoever reads -----------------------------------------------------------------


def answer(job: Job) -> Answer:
    """Read one unit; never an exception."""
    allow_depth()
    try:
        reading = read_unit(job)
        data = msgspec.msgpack.encode(reading.facts)
    except Exception as error:
        deep = isinstance(error, RecursionError)
        reading = Reading(too_deep(job.main) if deep else unreadable(job.main, error))
        data = msgspec.msgpack.encode(reading.facts)
    disk = Disk()
    files = {p: disk.digest(p) for p in dict.fromkeys((*job.own, *reading.files))}
    good = reading.planned and not reading.facts.problem
    return Answer(data, files, reading.missing, good, crashed=reading.crashed)


def encoded_answer(job: Job) -> bytes:
    """The answer of a process that reads many units."""
    try:
        return msgspec.msgpack.encode(answer(job))
    finally:
        _give_back()


def _work(task: tuple[int, Job | Follow]) -> bytes:
    """An encoded Answer, or the suspects of a Follow."""
    _, what = task
    if isinstance(what, Follow):
        return msgspec.msgpack.encode(isolated.suspects(False, what.job))
    return msgspec.msgpack.encode(answer(what))


def _work_there(task: tuple[int, Job | Follow]) -> bytes:
    """The same in a process that does so many times."""
    try:
        return _work(task)
    finally:
        _give_back()


def remote_answer(job: Job, wanted: str) -> bytes:
    """The answer of a cluster's worker, which may be another machine with other files.

    *wanted* is the caller's cache.tool().
    """
    refused = ""
    if tool() != wanted:
        refused = f"worker {cluster.here()}: another version of lockorder is installed there"
    else:
        # What lies in the cache folder may be missing: such a unit is read by the caller.
        needed = job.own if job.loaded else (job.main, *job.own)
        gone = next((p for p in needed if not os.path.exists(p)), None)
        if gone is not None:
            refused = f"worker {cluster.here()}: {gone} is not there: workers need the same files"
    if refused:
        return msgspec.msgpack.encode(Answer(b"", {}, [], False, refused))
    with _ONE_AT_A_TIME:
        return encoded_answer(job)


def _read_out(data: bytes | None) -> Answer | list[str] | None:
    """What a process answered; None where libclang crashed, or the process died."""
    if data is None:
        return None
    try:
        got = _ANSWER.decode(data)
    except msgspec.ValidationError:
        return _SUSPECTS.decode(data)
    return None if got.crashed else got


def _result(future: Future[bytes]) -> Answer | None:
    """What came back; None where it was lost, whatever the executor calls that."""
    try:
        got = _ANSWER.decode(future.result())
    except ImportError as error:
        raise cluster.WorkersError(f"a worker cannot run lockorder: {error}") from None
    except (Exception, CancelledError):
        return None  # read again here, where an error of ours would show itself
    if got.refused:
        raise cluster.WorkersError(got.refused)
    return got


def _begin() -> None:
    isolated.begin()
    allow_depth()
    gc.freeze()  # what all units need is not looked through after each


def _give_back() -> None:
    """Return freed memory to the system: one large syntax tree must not count for ever."""
    gc.collect()
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)  # glibc's, malloc_trim(3)


def allow_depth() -> None:
    """Generated code nests deeper than people do (an else-if chain of hundreds)."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION))


_ANSWER = msgspec.msgpack.Decoder(Answer)
_SUSPECTS = msgspec.msgpack.Decoder(list[str])
