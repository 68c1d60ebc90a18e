"""A hung job on one screen: what is the matter, who is where, the program's own lines, what to do.

Processes that are at the same are one row, however many they are; so are threads that stand by.
Everything else is in the long form (``-v``), in HTML and in JSON.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lockorder import meaning
from lockorder.model import Document, Finding, Level, Participant, ProcessState
from lockorder.report.excerpts import Excerpts
from lockorder.report.text import printable
from lockorder.rules import job_words as words
from lockorder.waitgraph import Node, WaitGraph

#: Rows of the table, participants whose lines are shown, and lines of each.
ROWS, SIDES, LINES = 14, 3, 4
_ADDRESS = re.compile(r" at 0x[0-9a-f]+(?: in \S+)?|\d{2,}:\d+ ?")


def write(document: Document, excerpts: Excerpts, console: Console) -> None:
    """Print the screen of *document*, whose headline is printed already."""
    graph = WaitGraph(document.processes)
    _table(graph, console)
    serious = [f for f in document.findings if f.level is not Level.NOTE]
    first = (serious or list(document.findings))[:1]
    for finding in first:
        for side in _sides(finding):
            _lines(side, excerpts, console)
        _say(console, f"confidence: {finding.confidence.value} ({finding.reason})", "dim")
        _say(console, f"fix: {finding.fix}", "bold")
    left = len(serious) - len(first)
    if left > 0:
        _say(console, f"and {left} more finding{'s' if left > 1 else ''} (-v)", "dim")


def _table(graph: WaitGraph, console: Console) -> None:
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    table.add_column(no_wrap=True, style="dim")
    rows = folded(graph)
    for who, doing, since in rows[:ROWS]:
        table.add_row(Text(printable(who), "bold"), Text(printable(doing)), since)
    console.print(table)
    if len(rows) > ROWS:
        _say(console, f"and {len(rows) - ROWS} more rows (-v)", "dim")
    console.print()


def folded(graph: WaitGraph) -> list[tuple[str, str, str]]:
    """Who is at what, since when: processes, or the threads of the only one, put together."""
    return list(_processes(graph) if len(graph.processes) > 1 else _threads(graph))


def _processes(graph: WaitGraph) -> Iterator[tuple[str, str, str]]:
    """One row for all processes whose main threads are at the same, ranks first."""
    alike: dict[tuple[str, str], list[Node]] = {}
    for process in graph.processes:
        main = graph.main(process)
        if main is not None:
            key = (process.role, _ADDRESS.sub("", words.doing(main)))
            alike.setdefault(key, []).append(main)
    order = {"rank": 0, "": 1, "launcher": 2, "worker": 3}
    for (role, _), nodes in sorted(
        alike.items(), key=lambda x: (order.get(x[0][0], 4), -len(x[1]))
    ):
        yield _who(role, [n.process for n in nodes]), _at(nodes[0]), _since(nodes)


def _who(role: str, processes: Sequence[ProcessState]) -> str:
    ranks = sorted({p.rank for p in processes if p.rank >= 0})
    if role == "worker" and ranks:
        of = words.ranks(ranks)
        return f"{len(processes)} worker{'s' if len(processes) > 1 else ''} of {of}"
    if ranks and len(ranks) == len(processes):
        return words.ranks(ranks)
    pids = [str(p.pid) for p in processes[:3]]
    more = f" and {len(processes) - 3} more" if len(processes) > 3 else ""
    called = role or "process"
    plural = ("s" if role else "es") if len(processes) > 1 else ""
    return f"{called}{plural} {', '.join(pids)}{more}"


def _threads(graph: WaitGraph) -> Iterator[tuple[str, str, str]]:
    """One row for all threads of a process that are at the same, those that stand by last."""
    alike: dict[str, list[Node]] = {}
    idle: list[Node] = []
    for node in graph.nodes.values():
        if graph.is_idle(node) and not node.thread.goes_on and not _is_told(node):
            idle.append(node)
        else:
            alike.setdefault(_ADDRESS.sub("", words.doing(node)), []).append(node)
    for nodes in sorted(alike.values(), key=lambda n: not n[0].thread.is_main):
        more = f" and {len(nodes) - 1} more" if len(nodes) > 1 else ""
        yield f"{nodes[0].thread.name or nodes[0].thread.tid}{more}", _at(nodes[0]), _since(nodes)
    if idle:
        names = sorted({n.thread.name or str(n.thread.tid) for n in idle})
        shown = ", ".join(names[:3]) + (" ..." if len(names) > 3 else "")
        yield f"{len(idle)} more", f"stand by for work ({shown})", ""


def _is_told(node: Node) -> bool:
    """Whether a thread without a line of the program's own waits for somebody who is known."""
    return node.wait is not None and bool(node.wait.owners or node.wait.gone)


def _at(node: Node) -> str:
    return words.doing(node).removeprefix("is in ").removeprefix("is ")


def _since(nodes: Sequence[Node]) -> str:
    """Since when the one stands that ran last of all; nothing where one of them moves."""
    if any(n.thread.goes_on for n in nodes):
        return "moves"
    return words.since(max(nodes, key=lambda n: n.thread.since).thread)


def _sides(finding: Finding) -> list[Participant]:
    return [side for side in finding.participants if side.chain or side.taken][:SIDES]


def _lines(side: Participant, excerpts: Excerpts, console: Console) -> None:
    """The program's own frames of one side, innermost last, with their sources."""
    whole = side.chain or (side.taken.chain if side.taken is not None else ())
    chain = meaning.since_fork(whole) or whole
    own = [f for f in chain if meaning.is_own(f)] or [f for f in chain if f.file]
    if not own:
        return
    _say(console, side.who)
    for frame in own[-LINES:]:
        source = excerpts.line(frame.file, frame.line).strip()
        _say(console, f"  {excerpts.shown(frame.file)}:{frame.line} in {frame.function}", "")
        if source:
            _say(console, f"    | {source}", "dim")


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(Text(printable(text), style), soft_wrap=True)
