"""``lockorder export``: a result, or a recorded run, in a form for other readers.

A form is a module of ``report`` and a line in ``report.formats.EXPORTS``; this verb finds the
input, reads it, and says where the output went.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from lockorder.commands.analyze import read
from lockorder.commands.common import CLEAN, FAILED, UsageError, say, write
from lockorder.commands.settings import chosen_rules, settings
from lockorder.commands.triage import Triage
from lockorder.hang.collected import is_snapshot
from lockorder.hang.flight_recorder import is_dump
from lockorder.model import Document, DocumentError, Frame, decode
from lockorder.recorded.analyse import NoTraceError, to_document, traces_in
from lockorder.recorded.timeline import read_whole
from lockorder.report.excerpts import Excerpts
from lockorder.report.exports import Needs, is_picture, needs
from lockorder.report.formats import EXPORTS, render
from lockorder.report.perfetto import PerfettoMissingError
from lockorder.report.places import repository
from runtime_probe.trace import FILE_PATTERN

_RESULT = "a result (lockorder check, analyze or hang, with --format json --output FILE)"
_MADE = b'<meta name="generator" content="lockorder">'
#: Forms that are made of traces themselves.
_EXACT = tuple(name for name in EXPORTS if is_picture(name) and needs(name) is Needs.TRACES)
#: Bytes of a page in which that stands, and files that are looked for when sources are.
_HEAD, _LOOKED = 4096, 200


def run(args: argparse.Namespace) -> int:
    """Read, write, say where; the exit code says whether all of it could be read."""
    first: Path = args.inputs[0]
    results = [path for path in args.inputs if _is_result(path)]
    if results and len(args.inputs) > 1:
        raise UsageError(
            f"{results[0]}: a result is exported alone; folders with traces may be several"
        )
    if args.to in _EXACT and not results:
        document = _timeline(args.inputs)
    else:
        document = _result(first) if results else _recorded(args)
    if args.to in _EXACT and document.timeline is None:
        raise UsageError(f"{first}: no times in it: give the folder with the run's traces")
    root = _root(document, args.sources, first)
    excerpts = Excerpts(root)
    try:
        data, cut = render(document, args.to, excerpts)
    except PerfettoMissingError as error:
        raise UsageError(str(error)) from None
    output = args.output or _name(first, EXPORTS[args.to])
    if output is None or str(output) == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    else:
        if args.output is None:
            _ours(output)
        write(output, data)
        say([f"lockorder: wrote {output} ({len(data) / 1000:,.0f} kB)"], args.quiet)
    say(f"lockorder: warning: {line}" for line in cut)
    files = list(itertools.islice(_files(document), _LOOKED))
    if args.to == "html" and files and not any((root / file).is_file() for file in files):
        say(
            [f"lockorder: note: the sources are not in {root}: --sources DIR, to show them"],
            args.quiet,
        )
    if not results:  # of a result this was said when it was made
        say(f"lockorder: error: {p}" for p in document.problems)
    return FAILED if document.problems and not results else CLEAN


def _is_result(path: Path) -> bool:
    """Whether *path* is to be read as a result: any file that is nothing else."""
    if path.is_dir():
        return False
    try:
        if is_snapshot(path):
            raise UsageError(
                f"{path}: a snapshot is for `lockorder hang {path}`, which has --format html, too"
            )
        if path.match(FILE_PATTERN):
            raise UsageError(f"{path}: one of a run's traces: give its folder, {path.parent}")
        return not is_dump(path)
    except OSError as error:
        raise UsageError(f"{path}: cannot read: {error.strerror or error}") from None


def _result(path: Path) -> Document:
    try:
        return decode(path.read_bytes())
    except OSError as error:
        raise UsageError(f"{path}: cannot read: {error.strerror or error}") from None
    except DocumentError as error:
        raise UsageError(
            f"{path}: {error}; give {_RESULT}, or folders with traces or flight-recorder dumps"
        ) from None


def _recorded(args: argparse.Namespace) -> Document:
    """As ``analyze`` reads it, with the configuration's rules and baseline."""
    config = settings(args.config, ["."])
    batch = read(args.inputs, args.jobs)
    if not batch.processes:
        raise UsageError("; ".join(batch.problems) or "nothing was recorded there")
    told = argparse.Namespace(
        select=None, ignore=None, baseline=None, write_baseline=None, verbose=False
    )
    triage = Triage(told, config, chosen_rules(told, config))
    document = to_document(batch, budget=config.budget)
    document = triage.apply(document, Path.cwd())
    return msgspec.structs.replace(document, notes=tuple(dict.fromkeys(document.notes)))


def _timeline(inputs: list[Path]) -> Document:
    """All the times that traces have, of which a result keeps the newest."""
    paths: list[Path] = []
    problems: list[str] = []
    for given in dict.fromkeys(inputs):
        try:
            paths += traces_in(given)
        except NoTraceError as error:
            problems.append(str(error))
    if not paths:
        raise UsageError("; ".join(problems))
    document = read_whole(paths)
    return msgspec.structs.replace(document, problems=(*problems, *document.problems))


def _name(given: Path, ending: str) -> Path | None:
    """A file here, named after *given*; None: stdout."""
    if not ending:
        return None
    return Path(f"{given.resolve().stem or 'lockorder'}{ending}")


def _ours(path: Path) -> None:
    """Raises UsageError where writing *path*, which nobody named, would lose somebody's file."""
    try:
        with path.open("rb") as file:
            if _MADE in file.read(_HEAD):
                return
    except FileNotFoundError:
        return
    except OSError as error:
        raise UsageError(f"{path}: cannot write: {error.strerror or error}") from None
    raise UsageError(f"{path}: is there already, and not ours: --output {path} writes over it")


def _root(document: Document, given: Path | None, source: Path) -> Path:
    """The folder that files are named from: the first that has one of them, else the current."""
    if given is not None:
        if not given.is_dir():
            raise UsageError(f"{given}: --sources takes a folder, and this is none")
        return given.resolve()
    here, there = Path.cwd(), source.resolve().parent
    files = list(itertools.islice(_files(document), _LOOKED))
    for folder in dict.fromkeys((here, repository(here), there, repository(there))):
        if any((folder / file).is_file() for file in files):
            return folder
    return here


def _files(document: Document) -> Iterator[str]:
    """Files that a document names, each once, those of findings first."""
    chains: Iterator[tuple[Frame, ...]] = itertools.chain(
        (a.chain for f in document.findings for p in f.participants for a in p.held),
        (p.chain for f in document.findings for p in f.participants),
        (a.chain for w in document.edges for a in (w.held, w.taken)),
        (t.chain for p in document.processes for t in p.threads),
    )
    yield from dict.fromkeys(
        frame.file for chain in chains for frame in chain if frame.file and "\0" not in frame.file
    )
