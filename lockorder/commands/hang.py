"""``lockorder hang``: why is this job stuck, in one command.

The first line of the text is one sentence to act on.  Then the findings with their evidence, then
what the threads of each process are at.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from lockorder.commands.common import UsageError, emit_all, exit_code, say
from lockorder.commands.settings import chosen_rules, settings
from lockorder.commands.triage import Triage
from lockorder.folding import told
from lockorder.hang import collect, collected, jobs
from lockorder.hang.dumps import read_dumps
from lockorder.hang.flight_recorder import dumps_in
from lockorder.model import Document, Owner, Wait
from lockorder.recorded.analyse import NoTraceError, analyse, to_document, traces_in
from lockorder.recorded.merge import Batch
from lockorder.report import hang as report
from lockorder.report.summary import kept_back
from lockorder.report.text import printable


def run(args: argparse.Namespace) -> int:
    """Look, judge, tell; the exit code says how it went."""
    # Folders may stand behind the processes and cores.
    args.inputs += [each for each in args.pid or () if isinstance(each, Path)]
    args.pid = [each for each in args.pid or () if not isinstance(each, Path)]
    # A number is a process, where no file is called so.
    bare = [p for p in args.inputs if str(p).isdecimal() and not p.exists()]
    args.pid += [int(str(p)) for p in bare]
    args.inputs = [p for p in args.inputs if p not in bare]
    args.inputs += [each for each in args.core or () if each.is_dir()]
    args.core = [each for each in args.core or () if not each.is_dir()]
    if not (args.pid or args.core or args.inputs):
        found_jobs = jobs.here()
        if len(found_jobs) > 1:
            listed = "\n".join(f"  lockorder hang {jobs.told(job)}" for job in found_jobs)
            raise UsageError(f"{len(found_jobs)} jobs run here; name the one that hangs:\n{listed}")
        args.pid = found_jobs[0] if found_jobs else []
        if not args.pid:
            raise UsageError(
                "no job is seen on this machine (no process with a rank, NCCL or MPI): name what "
                "to look at: --pid PID, --core FILE, or folders with traces, dumps or snapshots"
            )
    if args.exe and len(args.exe) > len(args.core or ()):
        raise UsageError("--exe FILE belongs to a --core FILE before it")
    config = settings(args.config, ["."])
    triage = Triage(args, config, chosen_rules(args, config))
    found = collected.Collected()

    def progress(text: str) -> None:
        if sys.stderr.isatty():
            say([f"lockorder: {text}"], args.quiet)

    if args.pid:
        found.take(collect.live(args.pid, not args.no_children, progress, args.wait))
    if args.core:
        programs = [*(args.exe or ()), *[None] * len(args.core)]
        found.take(collect.cores(zip(args.core, programs, strict=False), progress))
    batch = _recorded(args.inputs, args.jobs, found)
    if args.snapshot is not None:
        try:
            found.save(args.snapshot)
        except OSError as error:
            raise UsageError(f"{args.snapshot}: cannot write: {error.strerror or error}") from None
    return _tell(args, batch, found, triage)


def _recorded(inputs: list[Path], jobs: int, found: collected.Collected) -> Batch:
    """Traces, dumps and snapshots in files and folders."""
    traces: list[Path] = []
    dumps = list(found.dumps)
    for given in dict.fromkeys(inputs):
        seen = False
        files = sorted(given.rglob("*")) if given.is_dir() else [given]
        for path in files:
            if collected.is_snapshot(path):
                seen = True
                try:
                    found.processes += collected.read_snapshot(path).processes
                except collected.SnapshotError as error:
                    found.problems.append(str(error))
        mine = dumps_in(given)
        dumps += [path for path in mine if not collected.is_snapshot(path)]
        try:
            traces += traces_in(given)
        except NoTraceError as error:
            if not mine and not seen:
                found.problems.append(f"{error}, no dump of the flight recorder, and no snapshot")
    batch = analyse(traces, jobs) if traces else Batch()
    read_dumps(dumps, jobs).add_to(batch)
    return batch


def _joined(recorded: Sequence[Wait], seen: Sequence[Wait]) -> Iterator[Wait]:
    """What is seen now, with what was recorded of where its owners took it; then the rest."""
    taken = {(w.who, o.who): o.chain for w in recorded for o in w.owners}
    for wait in seen:
        owners = tuple(
            o if o.chain else Owner(o.who, taken.get((wait.who, o.who), ())) for o in wait.owners
        )
        yield msgspec.structs.replace(wait, owners=owners)
    known = {wait.who for wait in seen}
    yield from (wait for wait in recorded if wait.who not in known)


def diagnosis(batch: Batch, found: collected.Collected, triage: Triage | None = None) -> Document:
    """What the rules say of all that was found, the worst first."""
    found.tell_apart()
    batch.waits = list(_joined(batch.waits, [w for p in found.processes for w in p.waits]))
    document = to_document(
        batch, processes=tuple(found.processes), launches=tuple(found.launches),
        absent=tuple(found.absent),
    )  # fmt: skip
    document = triage.apply(document, Path.cwd()) if triage is not None else told(document)
    return msgspec.structs.replace(
        document,
        origin="hung",
        headline=report.headline(
            document.findings, found.processes, [*found.problems, *batch.problems]
        ),
        findings=report.ordered(document.findings),
        processes=tuple(found.processes),
    )


def _tell(
    args: argparse.Namespace,
    batch: Batch,
    found: collected.Collected,
    triage: Triage,
) -> int:
    document = diagnosis(batch, found, triage)
    problems = [*found.problems, *batch.problems, *triage.problems]
    nothing = not (found.processes or batch.processes)
    if not nothing:
        document = msgspec.structs.replace(document, problems=tuple(problems))
        emit_all(document, args, Path.cwd())
    say(f"lockorder: error: {p}" for p in problems)
    say(f"lockorder: warning: {w}" for w in triage.warnings)
    say(map(printable, found.said), args.quiet)
    say(kept_back(document), args.quiet)
    notes = [f"{p.process}: {note}" for p in found.processes for note in p.notes]
    say(
        (
            f"lockorder: note: {n}"
            for n in sorted({*batch.notes, *found.notes, *notes, *triage.notes})
        ),
        args.quiet,
    )
    return exit_code(document, bool(problems) or nothing, args.exit_zero)
