"""The whole page: what its template is given, and the policy that it is under.

The policy (Content Security Policy Level 3) allows the one script and the one style sheet that are
in the page, by their digests, and nothing else: should a name from outside ever become markup, it
could still load nothing and run nothing.
"""

from __future__ import annotations

import base64
import functools
import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import jinja2
import msgspec
from markupsafe import Markup

from lockorder.model import Accepted, Document, Finding, Level, ProcessState
from lockorder.report import hang, hang_screen, summary
from lockorder.report import run as recorded
from lockorder.report.excerpts import Excerpts
from lockorder.report.html.beside import beside
from lockorder.report.html.graph import Graph, graph, unnested
from lockorder.report.html.pages import Part, parts
from lockorder.report.html.shown import Shown
from lockorder.report.html.stories import FrameView, ordered, stories
from lockorder.report.html.timeline import Times
from lockorder.report.rendered import Rendered
from lockorder.report.text import printable
from lockorder.rules import by_id
from lockorder.waitgraph import WaitGraph

#: Findings that are told in full, threads of a process that are shown, rows of who is where.
MAX_TOLD, MAX_THREADS, MAX_ROWS = 1000, 200, 200
#: Findings that are open from the beginning.
OPEN = 3
_HERE = Path(__file__).parent
_SCRIPTS = ("data.js", "shapes.js", "picture.js", "list.js", "evidence.js", "main.js")
_ORIGINS = {"static": "sources", "recorded": "a recorded run", "hung": "a hung job"}


class ThreadView(NamedTuple):
    """A thread of a process."""

    name: str
    doing: str
    waits: bool
    frames: tuple[FrameView, ...]


class ProcessView(NamedTuple):
    """A process of a hung job; ``left_out`` threads are not shown."""

    name: str
    command: str
    threads: tuple[ThreadView, ...]
    left_out: int
    notes: tuple[str, ...]


class RulePage(NamedTuple):
    """The page of a rule."""

    id: str
    parts: tuple[Part, ...]


class RunTable(NamedTuple):
    """One of the tables of a run."""

    title: str
    column: str
    rows: tuple[tuple[str, str], ...]


def render(document: Document, excerpts: Excerpts, timeline: Times | None = None) -> Rendered:
    """*document* as a page; the same bytes for the same result and the same sources.

    *timeline*: when locks were held and waited for; by default the document's own, if it has one.
    """
    timeline = timeline or document.timeline
    shown = Shown(document, excerpts)
    findings = ordered(document)
    told = findings[:MAX_TOLD]
    cut: tuple[str, ...] = ()
    if len(told) < len(findings):
        said = f"{len(findings) - len(told)} of {len(findings)} findings are not in the page"
        cut = (f"{said}: --format json has all",)
    drawn = graph(document, told, shown)
    script, style = _own()
    text = _template().render(
        policy=_policy(script, style),
        script=Markup(script),
        style=Markup(style),
        title=_title(document),
        headline=printable(document.headline),
        counts=_counts(document.findings),
        origin=_ORIGINS.get(document.origin, printable(document.origin)),
        tool=printable(document.tool),
        stories=stories(document, told, shown, timeline),
        open=OPEN,
        cut=cut,
        beside=beside(document, shown),
        accepted=[_accepted(each) for each in document.accepted],
        graph=drawn,
        data=_data(drawn),
        unnested=unnested(document, drawn),
        rules=_rules(told),
        processes=[_process(p, shown) for p in document.processes],
        folded=_folded(document),
        tables=[
            RunTable(title, column, tuple((value, shown.lock(lock)) for value, lock in rows))
            for title, column, rows in recorded.tables(document)
        ],
        problems=list(map(printable, document.problems)),
        notes=list(map(printable, document.notes)),
        seen=list(map(printable, _seen(document))),
    )  # fmt: skip
    return Rendered(text.encode("utf-8", "backslashreplace"), cut)


@functools.lru_cache(1)
def _own() -> tuple[str, str]:
    """The page's script, in one function so that nothing of it is global, and its style sheet."""
    script = "".join((_HERE / name).read_text("utf-8") for name in _SCRIPTS)
    style = (_HERE / "page.css").read_text("utf-8")
    return f'"use strict";\n(() => {{\n{script}}})();\n', style


@functools.lru_cache(1)
def _template() -> jinja2.Template:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("page.html.j2")


def _policy(script: str, style: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_digest(script)}",
            f"style-src {_digest(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
        )
    )


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _data(drawn: Graph) -> Markup:
    """JSON that no parser of HTML takes for the end of its element, or for a comment."""
    text = msgspec.json.encode(drawn).decode()
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)


def _accepted(each: Accepted) -> tuple[str, ...]:
    """Rule, message, by whom, where, why."""
    finding = each.finding
    texts = (finding.rule, finding.message, each.by, each.place, each.reason)
    return tuple(map(printable, texts))


def _counts(findings: tuple[Finding, ...]) -> list[tuple[str, int, str]]:
    counts = Counter(f.level for f in findings)
    return [
        (level.value, counts[level], f"{level.value}{'s' if counts[level] != 1 else ''}")
        for level in Level
    ]


def _title(document: Document) -> str:
    said = [f"{number} {name}" for _, number, name in _counts(document.findings) if number]
    return f"lockorder: {', '.join(said) or 'nothing found'}"


def _seen(document: Document) -> Iterator[str]:
    yield from summary.kept_back(document)
    yield from summary.coverage_lines(document)
    if document.run is not None and document.run.processes:
        yield from recorded.coverage_lines(document)
    if document.headline:
        yield from hang.hints(document)


def _rules(findings: list[Finding]) -> list[RulePage]:
    known = (by_id(rule) for rule in dict.fromkeys(f.rule for f in findings))
    return [RulePage(rule.id, tuple(parts(rule.page))) for rule in known if rule is not None]


def _folded(document: Document) -> list[tuple[str, ...]]:
    """Who is at what, as on the screen; nothing where no process was looked at."""
    if not document.processes:
        return []
    rows = hang_screen.folded(WaitGraph(document.processes))
    more = [(f"and {len(rows) - MAX_ROWS} more", "", "")] if len(rows) > MAX_ROWS else []
    return [tuple(map(printable, row)) for row in (*rows[:MAX_ROWS], *more)]


def _process(process: ProcessState, shown: Shown) -> ProcessView:
    waiting = {w.who for w in process.waits if w.owners or w.kind in ("ranks", "gil")}
    threads = sorted(process.threads, key=lambda t: (t.who not in waiting, t.tid))
    views = []
    for thread in threads[:MAX_THREADS]:
        doing = (thread.doing or "not known") + (", has the GIL" if thread.gil else "")
        frames = tuple(
            FrameView(printable(f.function), shown.place(f.file, f.line), ()) for f in thread.chain
        )
        name = f"{thread.tid} {thread.name}".rstrip()
        views.append(ThreadView(printable(name), printable(doing), thread.who in waiting, frames))
    return ProcessView(
        printable(process.process), printable(process.command), tuple(views),
        max(len(threads) - MAX_THREADS, 0), tuple(map(printable, process.notes)),
    )  # fmt: skip
