"""The lock-order graph for Graphviz: golden bytes, what is left out, names that nothing obeys."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import report_documents as documents
from lockorder.model import Acquisition, Document, EdgeWitness, Frame, How, Lock, Mode
from lockorder.report import dot
from lockorder.report.text import printable

GOLDEN = Path(__file__).parents[1] / "golden" / "report.dot"
#: The grammar's quoted string: a backslash keeps a quote from ending it.
_STRING = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
#: All that may stand outside of strings.
_BARE = re.compile(r"[a-zA-Z0-9_=;,\[\]{}> .\n-]*")
_SVG = "{http://www.w3.org/2000/svg}"


def graph(*orders: tuple[str, str], **more: object) -> Document:
    """Orders between locks, each shown at a place of its own; and the findings of *more*."""
    edges = tuple(
        EdgeWitness(
            Acquisition(a, (Frame("hold", "app.cpp", 10 + n),)),
            Acquisition(b, (Frame("run", "app.cpp", 1), Frame("take", "app.cpp", 20 + n))),
            thread="main",
        )
        for n, (a, b) in enumerate(orders)
    )
    names = sorted({lock for order in orders for lock in order})
    locks = tuple(Lock(name, f"Pool::{name}", file="pool.h", line=7) for name in names)
    return msgspec.structs.replace(Document(locks=locks, edges=edges), **more)


def test_golden() -> None:
    small = documents.small()
    reads = EdgeWitness(
        Acquisition("q", (), Mode.SHARED), Acquisition("r", (), Mode.SHARED, How.TRY)
    )
    locks = (*small.locks, Lock("r", "Queue::rows_", file="queue.h", line=10))
    document = msgspec.structs.replace(small, locks=locks, edges=(reads,))
    data = dot.render(document)
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.write_bytes(data)
    assert data.decode() == GOLDEN.read_text("utf-8")


def arrows(text: str) -> list[str]:
    return re.findall(r"^  (n\d+ -> n\d+) ", text, re.MULTILINE)


def test_findings_come_first_in_colours() -> None:
    text = dot.render(graph(("a", "b"), ("p", "q"), findings=(documents.cycle(),))).decode()
    assert arrows(text) == ["n0 -> n1", "n1 -> n0", "n2 -> n3"]
    first, second, third = (line for line in text.splitlines() if " -> " in line)
    assert "#D55E00" in first
    assert "#D55E00" in second
    assert "#D55E00" not in third
    assert '"#1 Pool::mutex_ and Queue::mutex_ are taken in opposite orders' in text


def test_what_is_left_out_of_a_large_graph_is_said() -> None:
    many = [(f"l{i}", f"l{i + 1}") for i in range(dot.MAX_ORDERS + 1)]
    document = graph(*many, ("p", "q"), ("q", "p"), findings=(documents.cycle(),))
    text = dot.render(document).decode()
    assert arrows(text) == ["n0 -> n1", "n1 -> n0"]
    assert f"not drawn: {len(many)} orders that are in no finding" in text
    assert len(arrows(dot.render(document, only_cycles=False).decode())) == len(many) + 2
    few = graph(("a", "b"), ("p", "q"), findings=(documents.cycle(),))
    assert "not drawn: 1 orders" in dot.render(few, only_cycles=True).decode()


def test_many_findings_are_counted_below_the_graph() -> None:
    found = tuple(documents.cycle(fingerprint=str(n)) for n in range(dot.MAX_NOTES + 5))
    assert r"and 5 more\l" in dot.render(Document(findings=found)).decode()


def test_clusters_are_classes_else_files() -> None:
    locks = [
        Lock("a", "ns::Pool<int, A::B>::mutex"), Lock("b", "ns::Pool<int, A::B>::other"),
        Lock("c", "plain", file="app.c"), Lock("d", "other", file="app.c"),
        Lock("e", "alone", file="lib.c"), Lock("f", "f(A::B)::once"),
    ]  # fmt: skip
    pairs = [("a", "b"), ("c", "d"), ("e", "f")]
    text = dot.render(msgspec.structs.replace(graph(*pairs), locks=tuple(locks))).decode()
    clusters = re.findall(r'^    label="([^"]*)";', text, re.MULTILINE)
    assert clusters == ["ns::Pool<int, A::B>", "app.c"]


# -- any result at all -----------------------------------------------------------------------------


def shown(quoted: str) -> str:
    """What Graphviz shows of a quoted string: its escapes, then entities, are taken as they are."""
    text = re.sub(
        r"\\(.)", lambda m: {"n": "\n", "l": "\n"}.get(m[1], m[1] if m[1] in '"\\' else "?"), quoted
    )
    return re.sub(r"&(\w+);", lambda m: {"amp": "&"}.get(m[1], "?"), text)


_results = st.tuples(
    documents.documents, st.lists(st.tuples(documents.texts, documents.texts), max_size=3)
).map(lambda both: msgspec.structs.replace(both[0], edges=graph(*both[1]).edges))


@settings(deadline=None)
@given(_results)
def test_any_result(document: Document) -> None:
    text = dot.render(document).decode()
    assert text.replace("\n", "").isprintable()
    assert _BARE.fullmatch(_STRING.sub("", text))
    labels = [shown(m[1]) for m in re.finditer(r'n\d+ \[label="((?:[^"\\]|\\.)*)"', text)]
    names = {lock.id: lock.name for lock in document.locks}
    drawn = {lock for w in document.edges for lock in (w.held.lock, w.taken.lock)}
    for lock in drawn:
        told = names.get(lock, lock)
        cut = printable(told[: dot.MAX_NAME]).replace("\t", " ")
        assert cut + ("..." if len(told) > dot.MAX_NAME else "") in labels


@pytest.fixture(scope="module")
def graphviz() -> str:
    program = shutil.which("dot")
    if program is None:
        pytest.skip("Graphviz is not installed (Debian, Ubuntu: graphviz)")
    return program


def svg(graphviz: str, document: Document) -> ET.Element:
    done = subprocess.run(
        [graphviz, "-Tsvg"], input=dot.render(document), capture_output=True, check=True
    )
    assert done.stderr == b""
    return ET.fromstring(done.stdout)


def test_graphviz_draws_the_golden_graph(graphviz: str) -> None:
    done = subprocess.run([graphviz, "-Tplain", GOLDEN], capture_output=True, check=True, text=True)
    assert [line.split()[1:3] for line in done.stdout.splitlines() if line.startswith("edge")] == [
        ["n0", "n1"], ["n1", "n0"], ["n1", "n2"],
    ]  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(_results)
def test_graphviz_shows_names_and_obeys_none(graphviz: str, document: Document) -> None:
    root = svg(graphviz, document)
    assert {e.tag.removeprefix(_SVG) for e in root.iter()} <= {
        "svg", "g", "title", "polygon", "polyline", "path", "text", "a",
    }  # fmt: skip
    for element in root.iter():
        assert not any(name.endswith("href") or name.startswith("on") for name in element.attrib)
    told = {(e.text or "").replace("\xa0", " ").strip() for e in root.iter(f"{_SVG}text")}
    names = {lock.id: lock.name for lock in document.locks}
    for witness in document.edges:
        name = names.get(witness.taken.lock, witness.taken.lock)
        if len(name) <= dot.MAX_NAME:
            assert printable(name).replace("\t", " ").strip() in told | {""}
