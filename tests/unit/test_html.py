"""The page: what is in it, that nothing in it acts, and that it is the same every time."""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import os
import random
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

import html_documents as pages
import report_documents as documents
from lockorder.model import Confidence, Document
from lockorder.report.excerpts import Excerpts
from lockorder.report.html import layout as placing
from lockorder.report.html import page, render, stories
from lockorder.report.html import pages as rule_pages
from lockorder.report.html.layout import HEIGHT, PITCH, layout
from lockorder.report.html.shown import MAX_LABEL, label
from lockorder.rules import RULES

NOWHERE = Excerpts(Path("/nowhere/project"), Path("/nowhere"))
_VOID = {"meta", "link", "br", "input"}
_TAGS = {
    "html", "head", "meta", "link", "title", "style", "body", "a", "svg", "defs", "marker", "path",
    "pattern", "rect", "header", "div", "span", "nav", "main", "h1", "h2", "h3", "h4", "p", "b",
    "ul", "li", "ol", "pre", "code", "section", "details", "summary", "figure", "text", "g", "dl",
    "dt", "dd", "table", "thead", "tbody", "tr", "th", "td", "br", "label", "input", "button",
    "canvas", "aside", "noscript", "script", "kbd", "caption",
}  # fmt: skip


class Page(HTMLParser):
    """Elements and texts of a page, which nests as it should."""

    def __init__(self, data: bytes) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.inside: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(data.decode("utf-8"))
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), (tag, attrs)
        self.elements.append((tag, dict(attrs)))
        self.inside.setdefault(tag, []).append("")
        if tag not in _VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self._open:
            self.inside[self._open[-1]][-1] += data

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    def all(self, tag: str, **wanted: str) -> list[dict[str, str | None]]:
        return [a for t, a in self.elements if t == tag and wanted.items() <= a.items()]


def shown(document: Document, excerpts: Excerpts = NOWHERE) -> Page:
    return Page(render(document, excerpts).data)


def graph_of(read: Page) -> dict[str, Any]:
    scripts = [a.get("type") for a in read.all("script")]
    found: dict[str, Any] = json.loads(read.inside["script"][scripts.index("application/json")])
    return found


@pytest.fixture
def excerpts(tmp_path: Path) -> Excerpts:
    project = documents.sources(tmp_path)
    return Excerpts(project, project)


# -- what is in it ---------------------------------------------------------------------------------


def test_a_finding_is_told_without_a_script(excerpts: Excerpts) -> None:
    data = render(documents.small(), excerpts).data.decode()
    text = re.sub(r"<script.*?</script>", "", data, flags=re.DOTALL)
    for words in (
        "Pool::mutex_ and Queue::mutex_ are taken in opposite orders",
        "thread 1, in Pool::grow", "holds Queue::mutex_ (shared)", "takes Pool::mutex_ (timed)",
        "the same order in Pool::shrink, and 2 more", "take Pool::mutex_ first",
        "every step is resolved", "std::lock_guard&lt;std::mutex&gt; hold(mutex_);",
        "pool.cpp:3", "gone.cpp: no such file", "headers not found: 2", "3 that do not count",
        "start-up only", "0123456789abcdef0123456789abcdef",
    ):  # fmt: skip
        assert words in text, words


def test_every_link_within_the_page_leads_somewhere(excerpts: Excerpts) -> None:
    for document in (documents.small(), pages.recorded(), pages.hung(), Document()):
        read = shown(document, excerpts)
        ids = [a["id"] for _, a in read.elements if a.get("id")]
        assert len(ids) == len(set(ids))
        for link in read.all("a"):
            target = link["href"] or ""
            assert target.startswith(("#", "https://", "http://"))
            assert not target.startswith("#") or target[1:] in ids, target


def test_circles_come_first_and_a_hung_job_is_told_as_it_is() -> None:
    found = (
        documents.cycle(rule="self-deadlock", message="self"),
        documents.cycle(confidence=Confidence.LOW, message="unsure"),
        documents.cycle(message="sure"),
    )
    messages = [f.message for f in stories.ordered(Document(findings=found))]
    assert messages == ["sure", "unsure", "self"]
    assert stories.ordered(Document(findings=found, origin="hung")) == list(found)


def test_ranks_that_part_are_marked(excerpts: Excerpts) -> None:
    read = shown(pages.recorded(), excerpts)
    assert len(read.all("tr", **{"class": "parted"})) == 1
    assert len(read.all("td", **{"class": "unlike"})) == 1


def test_memory_is_drawn_to_one_scale(excerpts: Excerpts) -> None:
    read = shown(pages.recorded(), excerpts)
    pinned = [float(a["width"] or 0) for a in read.all("rect", **{"class": "memory pinned"})]
    assert len(pinned) == 4  # three bars, and the legend
    assert pinned[2] == pytest.approx(8 * pinned[0], rel=0.01)


def test_times_are_drawn_where_there_are_some(excerpts: Excerpts) -> None:
    assert not shown(pages.recorded(), excerpts).all("svg", **{"class": "timeline"})
    read = Page(render(pages.recorded(), excerpts, pages.times()).data)
    assert len(read.all("svg", **{"class": "timeline"})) == 1
    waits = [a for a in read.all("rect") if (a["class"] or "").endswith(" wait")]
    assert len(waits) == 2
    assert "wait Queue::mutex_: 18.0 ms, and had not ended" in read.inside["title"]


def test_threads_of_a_hung_job(excerpts: Excerpts) -> None:
    read = shown(pages.hung(), excerpts)
    assert "waits for Queue::mutex_, which 7 has, has the GIL" in read.inside["summary"]
    assert len(read.all("tr", **{"class": "waiting"})) == 0  # nobody is known to have it
    assert read.inside["h1"] == ["2 threads of rank 0 wait for each other"]
    assert len(read.all("table", **{"class": "threads folded"})) == 1


def test_the_graph_has_both_stacks_of_every_order() -> None:
    document = pages.large(300, 120)
    graph = graph_of(shown(document))
    names = {lock.id: lock.name for lock in document.locks}
    expected = {(names[w.held.lock], names[w.taken.lock]): w for w in document.edges}
    assert len(graph["edges"]) == len(expected)
    for source, target, _, witnesses in graph["edges"]:
        told = expected[graph["locks"][source][0], graph["locks"][target][0]]
        ((_, held, _, taken, gates, thread, certainty, why),) = witnesses
        for number, chain in ((held, told.held.chain), (taken, told.taken.chain)):
            frames = [graph["frames"][f] for f in graph["chains"][number]]
            assert [f[0] for f in frames] == [f.function for f in chain]
            assert [f[1] for f in frames] == [f"project/{f.file}:{f.line}" for f in chain]
        assert [graph["locks"][g][0] for g in gates] == [names[g.lock] for g in told.gates]
        assert (thread, certainty, why) == (told.thread or "", 3, "")
    # Those of findings come first, and are all that the first view has.
    found = [bool(edge[2]) for edge in graph["edges"]]
    assert found == sorted(found, reverse=True)
    assert sum(found) == 24
    ends = {end for edge in graph["edges"] if edge[2] for end in edge[:2]}
    assert {at[0] for at in graph["views"]["found"]["at"]} == ends
    assert len(graph["views"]["all"]["at"]) == len(graph["locks"])


def test_an_order_that_only_a_finding_tells_is_drawn() -> None:
    graph = graph_of(shown(Document(findings=(documents.cycle(),))))
    assert [(graph["locks"][a][0], graph["locks"][b][0]) for a, b, _, _ in graph["edges"]] == [
        ("p", "q"), ("q", "p"),
    ]  # fmt: skip


def test_more_findings_than_a_page_has_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "MAX_TOLD", 3)
    found = tuple(documents.cycle(fingerprint=str(n)) for n in range(5))
    told = render(Document(findings=found), NOWHERE)
    assert told.cut == ("2 of 5 findings are not in the page: --format json has all",)
    assert len(Page(told.data).all("details", **{"class": "finding error"})) == 3


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_the_pages_of_rules_keep_every_word(rule: Any) -> None:
    parts = list(rule_pages.parts(rule.page))
    assert {part.kind for part in parts} <= {"heading", "text", "code", "items"}
    told = " ".join(run.text + run.link for part in parts for text in part.runs for run in text)
    words = re.findall(r"[A-Za-z_]{3,}", re.sub(r"```\w*", "", rule.page))
    missing = set(words) - set(re.findall(r"[A-Za-z_]{3,}", told))
    # Links to files of the repository keep their text.
    assert all(word in " ".join(re.findall(r"\]\([^)]*\)", rule.page)) for word in missing)


# -- nothing acts ----------------------------------------------------------------------------------


def inert(data: bytes) -> Page:
    """Only our elements and attributes; one script, which the policy names; nothing invisible."""
    text = data.decode("utf-8")
    assert all(c.isprintable() or c in "\n\t" for c in text), "a control or direction character"
    read = Page(data)
    for tag, attributes in read.elements:
        assert tag in _TAGS, tag
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            assert name not in ("style", "src", "srcset", "action", "formaction", "srcdoc"), name
            if name in ("href", "xlink:href"):
                assert (value or "").startswith(("#", "https://", "http://", "data:,")), value
    kinds = [a.get("type") for a in read.all("script")]
    assert kinds in (["application/json", None], [None])
    (policy,) = (a["content"] or "" for a in read.all("meta") if "http-equiv" in a)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        digest = hashlib.sha256(read.inside[tag][-1].encode()).digest()
        assert f"{directive} 'sha256-{base64.b64encode(digest).decode()}'" in policy
    return read


# Without shrinking, which takes minutes here: a page is long.
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None,
          phases=(Phase.generate,))  # fmt: skip
@given(documents.documents)
def test_a_page_of_anything_obeys_nothing(document: Document) -> None:
    read = inert(render(document, NOWHERE).data)
    assert len([a for a in read.all("details") if "finding" in (a["class"] or "")]) == len(
        document.findings
    )
    if len(read.all("script")) == 2:
        graph_of(read)


def test_hostile_names_are_shown() -> None:
    data = render(pages.hostile(), NOWHERE).data
    read = inert(data)
    assert len(read.all("script")) == 2
    assert "<script>" not in read.inside["script"][0]
    names = [lock[0] for lock in graph_of(read)["locks"]]
    assert pages.HOSTILE[0] in names
    assert "\\x202egnp.exe" in names
    assert "</script><script>alert(1)</script>" in read.inside["h1"][0]
    assert "{{ 7*7 }}{% raw %}" in data.decode()


def test_a_source_line_is_shown_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "pool.cpp").write_text("\n\n</pre><script>alert('\u202e\x1b')</script>\n")
    data = render(Document(findings=(documents.cycle(),)), Excerpts(tmp_path)).data
    read = inert(data)
    assert any("</pre><script>alert('\\x202e\\x1b')</script>" in t for t in read.inside["span"])


def test_what_is_no_file_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pool.cpp")
    found = Excerpts(tmp_path)
    assert found.line("pool.cpp", 1) == ""
    assert found.line("/dev/zero", 1) == ""


# -- the same every time ---------------------------------------------------------------------------

_AGAIN = """
import hashlib, sys
sys.path.insert(0, {folder!r})
import html_documents as pages
from lockorder.report.html import render
from test_html import NOWHERE
print(hashlib.sha256(render(pages.large(400, 90), NOWHERE).data).hexdigest())
"""


def test_the_same_bytes_in_every_process() -> None:
    here = hashlib.sha256(render(pages.large(400, 90), NOWHERE).data).hexdigest()
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", _AGAIN.format(folder=str(Path(__file__).parent))],
            env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True,
        )  # fmt: skip
        assert done.stdout.strip() == here


# -- layout ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_boxes_do_not_meet_and_arrows_go_right(seed: int) -> None:
    chance = random.Random(seed)
    count = chance.randrange(1, 60)
    nodes = [f"n{n}" for n in range(count)]
    edges = {
        (chance.choice(nodes), chance.choice(nodes)) for _ in range(chance.randrange(0, 3 * count))
    }
    widths = {n: chance.randrange(30, 300) for n in nodes}
    made = layout(edges, widths, nodes)
    assert set(made.places) == set(nodes)
    assert made == layout(sorted(edges, reverse=True), widths, nodes[::-1])
    for a, b in itertools.combinations(nodes, 2):
        (ax, ay), (bx, by) = made.places[a], made.places[b]
        assert abs(ax - bx) >= (widths[a] + widths[b]) // 2 or abs(ay - by) >= HEIGHT, (a, b)
    for node, (x, y) in made.places.items():
        assert 0 <= x - widths[node] // 2 <= x + widths[node] // 2 <= made.width + 1
        assert HEIGHT // 2 <= y <= made.height - HEIGHT // 2


def test_without_circles_all_arrows_go_right() -> None:
    edges = [("a", "b"), ("b", "c"), ("a", "c"), ("d", "c")]
    places = layout(edges, dict.fromkeys("abcd", 80)).places
    assert all(places[s][0] < places[t][0] for s, t in edges)
    circle = placing._without_circles(["a", "b", "c"], [("a", "b"), ("b", "c"), ("c", "a")])
    assert circle == [("a", "b"), ("a", "c"), ("b", "c")]


def test_two_locks_stand_beside_each_other() -> None:
    made = layout([("a", "b"), ("b", "a")], {"a": 300, "b": 300})
    assert made.places["a"][1] == made.places["b"][1]


def test_a_long_chain_goes_on_below() -> None:
    nodes = [f"{n:03}" for n in range(200)]
    made = layout(list(itertools.pairwise(nodes)), dict.fromkeys(nodes, 100))
    assert made.width < 6 * made.height


@pytest.mark.parametrize("wanted", [[0, 0, 0], [5, 300, 2], [100, 50, 0, -50], []])
def test_apart_keeps_order_and_middle(wanted: list[float]) -> None:
    got = placing._apart(wanted)
    assert all(b - a >= PITCH - 1e-6 for a, b in itertools.pairwise(got))
    assert sum(got) == pytest.approx(sum(wanted))


def test_labels_are_short_and_tell_apart() -> None:
    assert label("a::b") == "a::b"
    long = "outer::" * 20 + "Class::mutex_"
    assert len(label(long)) == MAX_LABEL
    assert label(long).endswith("Class::mutex_")
