"""What a recorded run did with its locks: tables, and what the recording lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lockorder.model import Document, Level, LockStatistics, Run, Unrecorded, duration
from lockorder.report.summary import kept_back
from lockorder.report.text import printable

#: Rows of each table.
TOP = 10
#: Files that are named for one loss; the rest are only counted.
MAX_NAMED = 3

_Value = Callable[[LockStatistics], int]
_TABLES: tuple[tuple[str, str, _Value, Callable[[int], str]], ...] = (
    ("hottest locks", "acquisitions", lambda s: s.acquisitions, str),
    ("most contended locks", "had to wait", lambda s: s.contended, str),
    ("longest waits", "longest wait", lambda s: s.longest_wait_ns, duration),
    ("longest holds", "longest hold", lambda s: s.longest_hold_ns, duration),
    ("most nested locks", "held at once", lambda s: s.deepest, str),
)
_LOST = {
    "threads_dropped": "threads were not recorded: there was no room for their areas",
    "locks_dropped": "locks were not recorded: the table of locks was full",
    "edges_dropped": "lock orders were not recorded: the table of orders was full",
    "stacks_dropped": "call stacks were not kept: some chains are only their last call",
    "records_dropped": "records were not written: the file was at its limit, or the disk full",
    "held_overflow": "locks were held beyond what a thread's area has room for",
    "nccl_dropped": "calls of NCCL or communicators were not counted: a table was full",
    "nccl_operations_dropped": "operations of NCCL are unknown places in their order: there were "
    "too many sorts of them",
    "nccl_unsequenced": "operations of NCCL are missing from their order",
    "places_dropped": "Python frames have no file and line: there were too many places",
    "left_out": "acquisitions of locks were not recorded, to keep to --budget",
    "orders_unknown": "lock orders name locks whose own records are missing",
}
_DO = {
    "records_dropped": "free space where the traces go, or record for a shorter time",
    "left_out": "a longer run or a larger budget shows more",
    "stacks_dropped": "the orders themselves are complete",
}
_DO_LESS = "record a shorter run, or less of the program"


def tables(document: Document) -> Iterator[tuple[str, str, list[tuple[str, str]]]]:
    """Title, column and rows (what is shown, a lock's id) of each table that has something."""
    if document.run is None:
        return
    for title, column, value, show in _TABLES:
        rows = sorted(document.run.statistics, key=lambda s: (-value(s), s.lock))[:TOP]
        # A lock taken alone is nested in nothing.
        least = 1 if column == "held at once" else 0
        shown = [(show(value(row)), row.lock) for row in rows if value(row) > least]
        if shown:
            yield title, column, shown


def write(document: Document, console: Console) -> None:
    """Print the tables of a recorded run: the first ten of each, where there is anything."""
    names = {lock.id: lock.name for lock in document.locks}
    for title, column, rows in tables(document):
        console.print(Text(title, "bold"))
        table = Table(box=None, pad_edge=False)
        table.add_column(column, justify="right", no_wrap=True)
        table.add_column("lock", overflow="fold")
        for value, lock in rows:
            table.add_row(value, Text(printable(names.get(lock, lock))))
        console.print(table)
        console.print()


def lines(document: Document, verbose: bool = False) -> list[str]:
    """The summary of a recorded run, a line each: what there was, and what is missing of it."""
    counts = Counter(f.level for f in document.findings)
    parts = [f"{counts[level]} {level.value}{'s' if counts[level] != 1 else ''}" for level in Level]
    return [
        f"lockorder: {', '.join(parts)}",
        *kept_back(document),
        *coverage_lines(document, verbose),
    ]


def coverage_lines(document: Document, verbose: bool = False) -> list[str]:
    """What was recorded, and what is missing of it."""
    run = document.run or Run()
    ranks = len({p.rank for p in run.processes if p.rank >= 0})
    processes = len(run.processes)
    among = f" of {ranks} rank{'s' if ranks != 1 else ''}" if ranks else ""
    found = [
        f"recorded: {processes} process{'es' if processes != 1 else ''}{among}, "
        f"{sum(p.threads for p in run.processes)} threads, "
        f"{sum(p.locks for p in run.processes)} locks of {len(document.locks)} classes, "
        f"{len({(e.held.lock, e.taken.lock) for e in document.edges})} orders between them",
    ]
    cut = [p.file for p in run.processes if p.torn]
    if cut:
        found.append(
            f"cut off: {_named(cut, verbose)}: what was written before the process was killed "
            "or its file cut counts"
        )
    found += _unrecorded(run, verbose)
    found += _inner(run)
    found += _sampled(run)
    for counter, what in _LOST.items():
        lossy = [p for p in run.processes if p.lost.get(counter)]
        if lossy:
            total = sum(p.lost[counter] for p in lossy)
            found.append(
                f"incomplete: {total} {what} ({_named([p.file for p in lossy], verbose)}); "
                f"{_DO.get(counter, _DO_LESS)}"
            )
    return found


def _inner(run: Run) -> list[str]:
    """What is counted, and not told."""
    found = []
    for short in (False, True):
        some = [each for each in run.inner if each.short is short]
        if not some:
            continue
        parts = ", ".join(f"{each.count} in {printable(each.owner)}" for each in some)
        why = "waits under 1 ms" if short else "only happen inside of libraries"
        found.append(f"not told, {why}: {parts}; --all tells them")
    return found


def _sampled(run: Run) -> list[str]:
    """What libraries did with their own locks and nobody recorded."""
    total = sum(p.lost.get("inner_passed", 0) for p in run.processes)
    if not total:
        return []
    return [
        f"not recorded: {total} acquisitions of their own locks by libraries that nobody here can "
        "change, with nothing of the job's held, or of which one in 64 calls is; "
        "run --all records them"
    ]


def _unrecorded(run: Run, verbose: bool) -> list[str]:
    """Processes without a trace, by the programs that they run."""
    by_program: dict[str, list[Unrecorded]] = {}
    for each in run.unrecorded:
        by_program.setdefault(each.path, []).append(each)
    found = []
    for path, some in by_program.items():
        count = sum(each.count for each in some)
        what = path if path not in ("", "?") else "children of a fork" if not path else "programs"
        pids = [str(each.pid) for each in some if each.pid]
        which = f" (process {_named(pids, verbose)})" if pids else ""
        by = printable(_named([e.by for e in some], verbose))
        found.append(
            f"not recorded: {count} process{'es' if count != 1 else ''} of the job: "
            f"{printable(what)}{which}, started by {by}; linked statically, of another user or "
            "without LD_PRELOAD: lockorder doctor -- CMD"
        )
    return found


def _named(files: list[str], verbose: bool) -> str:
    shown = files if verbose else files[:MAX_NAMED]
    more = f" and {len(files) - len(shown)} more" if len(files) > len(shown) else ""
    return ", ".join(shown) + more
