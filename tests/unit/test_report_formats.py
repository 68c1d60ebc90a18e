"""Every format: the golden bytes, any result at all, and the limits of who reads it."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from markdown_it import MarkdownIt

import report_documents as documents
from lockorder.model import Acquisition, Confidence, Document, Finding, Frame, Level, Participant
from lockorder.report import formats, github, markdown, sarif, sarif_result, summary
from lockorder.report.excerpts import Excerpts
from lockorder.report.places import Places, repository
from schemas import problems

GOLDEN = Path(__file__).parents[1] / "golden"
_NAMES = {"text": "txt", "github": "github.txt", "markdown": "md"}
_thorough = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
    phases=(Phase.generate, Phase.shrink),
    report_multiple_bugs=False,
)


@pytest.fixture
def excerpts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Excerpts:
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)
    project = documents.sources(tmp_path)
    return Excerpts(project, project)


def log(document: Document, excerpts: Excerpts) -> dict[str, Any]:
    """The one run of *document* as SARIF, which is valid."""
    data = json.loads(sarif.render(document, excerpts, documents.RULES).data)
    assert problems("sarif", data) == []
    (run,) = data["runs"]
    return run


def many(count: int, **changed: object) -> Document:
    levels = (Level.NOTE, Level.WARNING, Level.ERROR)
    found = tuple(
        documents.cycle(level=levels[n % 3], fingerprint=f"{n:032}", **changed)
        for n in range(count)
    )
    return msgspec.structs.replace(documents.small(), findings=found)


# -- golden ----------------------------------------------------------------------------------------


# Of a page the bytes say little: test_html.py says what is in it.
@pytest.mark.parametrize("form", [f for f in formats.FORMATS if f != "html"])
def test_golden(form: str, excerpts: Excerpts) -> None:
    document = documents.small()
    if form == "sarif":  # the rules' pages are not what this is about
        data = sarif.render(document, excerpts, documents.RULES).data
        assert problems("sarif", json.loads(data)) == []
    else:
        data = formats.render(document, form, excerpts).data
    golden = GOLDEN / f"report.{_NAMES.get(form, form)}"
    if os.environ.get("UPDATE_GOLDEN"):
        golden.write_bytes(data)
    assert data.decode() == golden.read_text("utf-8")


@pytest.mark.parametrize("form", formats.FORMATS)
def test_a_hung_job_and_nothing_at_all(form: str, excerpts: Excerpts) -> None:
    told = formats.render(documents.hung(), form, excerpts)
    assert "no lock cycle found" in told.data.decode()
    assert told.cut == ()
    empty = formats.render(Document(), form, excerpts)
    assert empty.cut == ()
    if form in ("text", "github"):
        assert empty.data == b""


def test_text_is_the_same_whatever_the_surroundings(
    excerpts: Excerpts, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = [formats.render(documents.small(), f, excerpts).data for f in ("text", "markdown")]
    for name, value in (("COLUMNS", "20"), ("FORCE_COLOR", "1"), ("TERM", "xterm-256color")):
        monkeypatch.setenv(name, value)
    assert plain == [
        formats.render(documents.small(), f, excerpts).data for f in ("text", "markdown")
    ]
    assert b"\x1b" not in plain[0]


def test_what_does_not_count_is_said_in_one_line() -> None:
    (line,) = summary.accepted_lines(documents.small())
    assert line == "not counted: 1 by comments, 2 in the baseline (baseline.json)"
    assert line in summary.lines(documents.small())
    assert summary.accepted_lines(Document()) == []


def test_many_findings_are_counted_by_rule() -> None:
    other = documents.cycle(rule="self-deadlock")
    few, lot = many(3), many(summary.MANY)
    lot = msgspec.structs.replace(lot, findings=(*lot.findings, other))
    assert "by rule: lock-order-cycle 10, self-deadlock 1" in summary.lines(lot)
    few = msgspec.structs.replace(few, findings=(*few.findings, other))
    assert not any(line.startswith("by rule") for line in summary.lines(few))


# -- any result ------------------------------------------------------------------------------------


@_thorough
@given(documents.documents)
def test_sarif_of_anything_is_valid(document: Document) -> None:
    run = log(document, Excerpts(Path("/nowhere/project")))
    assert len(run["results"]) == len(document.findings)
    for result in run["results"]:
        identity = result["partialFingerprints"]
        assert identity["primaryLocationLineHash"].startswith(identity["lockorder/v1"] + ":")
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        # Whatever has no file: GitHub refuses a file with one such place.
        flows = [t for c in result.get("codeFlows", ()) for t in c["threadFlows"]]
        steps = [step["location"] for flow in flows for step in flow["locations"]]
        for place in [*result["locations"], *result.get("relatedLocations", ()), *steps]:
            assert place["physicalLocation"]["artifactLocation"]["uri"]
        # A bracket after an even number of backslashes is none that was escaped.
        links = re.findall(r"(?<!\\)(?:\\\\)*\]\((\d+)\)", result["message"]["text"])
        assert set(map(int, links)) == {p["id"] for p in result.get("relatedLocations", ())}
    hashes = [r["partialFingerprints"]["primaryLocationLineHash"] for r in run["results"]]
    assert len(set(hashes)) == len(hashes)


@_thorough
@given(documents.documents)
def test_a_workflow_command_is_one_line(document: Document) -> None:
    data, _ = github.render(document, Excerpts(Path("/nowhere/project")))
    lines = data.decode().split("\n")
    assert lines.pop() == ""
    expected = len(document.findings) + bool(document.problems)
    assert len(lines) == expected or (document.headline and len(lines) == expected + 1)
    for line in lines:
        assert line.replace("\t", " ").isprintable(), line
        name, properties = re.fullmatch(r"::(\w+) ([^:]*)::.*", line).groups()  # type: ignore[union-attr]
        assert name in ("error", "warning", "notice")
        told = dict(each.split("=", 1) for each in properties.split(","))
        assert set(told) <= {"file", "line", "endLine", "col", "title"}


#: What we write ourselves; all else that Markdown or HTML could be is text.
_OURS = re.compile(r"</?(details|summary|b|code)>|<br>")
_TOKENS = {
    "inline", "paragraph_open", "paragraph_close", "heading_open", "heading_close", "fence",
    "html_block", "table_open", "table_close", "thead_open", "thead_close", "tbody_open",
    "tbody_close", "tr_open", "tr_close", "th_open", "th_close", "td_open", "td_close",
    "bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close",
    "text", "softbreak", "hardbreak", "html_inline", "strong_open", "strong_close", "em_open",
    "em_close", "text_special",
}  # fmt: skip


def inert_in(data: bytes) -> None:
    """Nothing but what we wrote is markup, as a parser of Markdown sees it."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    depth = 0
    for token in parser.parse(data.decode()):
        for each in (token, *(token.children or ())):
            assert each.type in _TOKENS, (each.type, each.content)
            if each.type == "html_inline":
                assert _OURS.fullmatch(each.content), each.content
            if each.type == "html_block":
                rest = _OURS.sub("", each.content)
                assert "<" not in rest, each.content
                depth += each.content.count("<details>") - each.content.count("</details>")
    assert depth == 0


@_thorough
@given(documents.documents)
def test_markdown_of_anything_obeys_nothing(document: Document) -> None:
    data, cut = markdown.render(document, Excerpts(Path("/nowhere/project")))
    assert cut == ()
    text = data.decode()
    assert all(c.isprintable() or c in "\n\t" for c in text)
    inert_in(data)
    rows = [line for line in text.split("\n") if line.startswith("| ")]
    assert all(len(row.split("|")) == 6 for row in rows)
    assert text.count("<details>") == len(document.findings)


@_thorough
@given(documents.documents)
def test_text_of_anything_has_no_controls(document: Document) -> None:
    data = formats.render(document, "text", Excerpts(Path("/nowhere/project"))).data
    assert all(c.isprintable() or c in "\n\t" for c in data.decode())


# -- limits ----------------------------------------------------------------------------------------


def test_six_thousand_findings(excerpts: Excerpts) -> None:
    document = many(6000)
    told = sarif.render(document, excerpts, documents.RULES)
    (said,) = told.cut
    assert "5000 of 6000" in said
    run = json.loads(told.data)["runs"][0]
    levels = [r["level"] for r in run["results"]]
    assert len(levels) == sarif.MAX_RESULTS
    assert levels == sorted(levels, key=["error", "warning", "note"].index)
    assert levels.count("note") == 1000
    notes = run["invocations"][0]["toolExecutionNotifications"]
    assert [n["message"]["text"] for n in notes if n["level"] == "warning"] == [said]


def test_a_file_that_is_too_large(excerpts: Excerpts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sarif, "MAX_BYTES", 20_000)
    told = sarif.render(many(600), excerpts, documents.RULES)
    kept = len(json.loads(told.data)["runs"][0]["results"])
    assert sarif._compressed(told.data) <= 20_000
    assert 0 < kept < 600
    assert f"{kept} of 600" in told.cut[0]


def test_three_thousand_frames(excerpts: Excerpts) -> None:
    deep = tuple(Frame(f"f{n}", "pool.cpp", n % 5 + 1) for n in range(2999))
    side = documents.cycle().participants[1]
    held = msgspec.structs.replace(documents.cycle().participants[0], taken=Acquisition("q", deep))
    document = Document(findings=(documents.cycle(participants=(held, side)),))
    told = sarif.render(document, excerpts, documents.RULES)
    assert "every step of 1 findings" in told.cut[0]
    (result,) = log(document, excerpts)["results"]
    flows = result["codeFlows"][0]["threadFlows"]
    names = [
        s["location"]["logicalLocations"][0]["fullyQualifiedName"] for s in flows[0]["locations"]
    ]
    assert sum(len(flow["locations"]) for flow in flows) <= sarif_result.MAX_STEPS
    assert names[1] == "f0"
    assert names[-1] == "f2998"
    assert flows[0]["locations"][-1]["importance"] == "essential"
    told = formats.render(document, "markdown", excerpts)
    assert told.cut == ()
    assert b"in f2998" in told.data


def test_many_sides(excerpts: Excerpts) -> None:
    sides = tuple(
        Participant(f"t{n}", (), Acquisition("q", (Frame(f"f{n}", "pool.cpp", n + 1),)))
        for n in range(1200)
    )
    (result,) = log(Document(findings=(documents.cycle(participants=sides),)), excerpts)["results"]
    assert len(result["relatedLocations"]) == sarif_result.MAX_LOCATIONS - 1
    assert len(result["codeFlows"][0]["threadFlows"]) == sarif_result.MAX_STEPS


def test_annotations_have_room_for_ten_of_each(excerpts: Excerpts) -> None:
    data, (said,) = github.render(many(100), excerpts)
    lines = data.decode().splitlines()
    kinds = [line.split(" ")[0] for line in lines]
    # The problem is one of the ten errors, and what is missing one of the ten notices.
    assert kinds == ["::error"] * 10 + ["::warning"] * 10 + ["::notice"] * 10
    assert "gone.cpp" in lines[0]
    assert lines[-1].endswith(said)
    assert said.startswith("72 more of 100 findings")
    fits = msgspec.structs.replace(many(28), problems=())
    assert github.render(fits, excerpts).cut == ()


def test_an_annotation_is_no_longer_than_a_runner_keeps(excerpts: Excerpts) -> None:
    data, _ = github.render(many(1, message="ä" * 9000), excerpts)
    line = data.decode().splitlines()[-1]
    assert len(line.encode()) < 4400
    assert line.endswith("%0Amore: lockorder explain lock-order-cycle")


def test_a_summary_is_smaller_than_a_mebibyte(excerpts: Excerpts) -> None:
    data, (said,) = markdown.render(many(6000, reason="because " * 30), excerpts)
    assert 400_000 < len(data) < 1 << 20
    assert said in data.decode()
    inert_in(data)
    assert b"Next: " in data


# -- details ---------------------------------------------------------------------------------------


def test_columns_are_utf16_units(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_bytes("ä😀x\f\n\r\nb\ry".encode() + b"\xff z")
    found = Excerpts(tmp_path)
    bytes_and_units = {1: 1, 3: 2, 7: 4, 8: 5, 99: 6, 0: 1}
    assert {b: found.utf16_column("a.cpp", 1, b) for b in bytes_and_units} == {
        **bytes_and_units,
        99: 6,
    }
    # A form feed ends no line, and a return does.
    assert [found.line("a.cpp", n) for n in range(6)] == ["", "ä😀x\f", "", "b", "y\ufffd z", ""]
    assert found.utf16_column("gone.cpp", 1, 7) == 7


def test_places_are_told_from_the_repository(tmp_path: Path) -> None:
    project = documents.sources(tmp_path)
    top = project.parent
    (top / "link.cpp").symlink_to(project / "pool.cpp")
    places = Places(Excerpts(project))
    assert places.top == top
    assert places.uri("pool.cpp") == ("src%20dir/pool.cpp", True)
    assert places.uri("../link.cpp") == ("src%20dir/pool.cpp", True)
    assert places.uri("a:b#?%[ä].cpp") == ("src%20dir/a%3Ab%23%3F%25%5B%C3%A4%5D.cpp", True)
    outside, inside = places.uri("../../x y.h")
    assert (outside, inside) == (f"file://{tmp_path}/x%20y.h", False)
    assert places.uri("/usr/include/x.h") == ("file:///usr/include/x.h", False)
    assert places.uri("..") == (f"file://{top}", False)
    (project / ".git").write_text("gitdir: elsewhere")
    assert repository(project) == project
    assert repository(Path("/nowhere/at/all")) == Path("/nowhere/at/all")


def test_annotations_are_from_the_workspace(
    excerpts: Excerpts, monkeypatch: pytest.MonkeyPatch
) -> None:
    def file() -> str:
        data, _ = github.render(Document(findings=(documents.cycle(),)), excerpts)
        return re.search(r"file=([^,]*),", data.decode())[1]  # type: ignore[index]

    assert file() == "src dir/pool.cpp"
    monkeypatch.setenv("GITHUB_WORKSPACE", str(excerpts.root.parent.parent))
    assert file() == "repository/src dir/pool.cpp"
    monkeypatch.setenv("GITHUB_WORKSPACE", "/elsewhere")
    assert file() == "src dir/pool.cpp"


def found(sure: str, fingerprint: str) -> Finding:
    return documents.cycle(confidence=Confidence(sure), fingerprint=fingerprint)


def test_the_surest_come_first_and_twins_are_numbered(excerpts: Excerpts) -> None:
    document = Document(findings=(found("low", "a"), found("high", "a"), found("medium", "b")))
    results = log(document, excerpts)["results"]
    assert [r["rank"] for r in results] == [90, 60, 30]
    hashes = [r["partialFingerprints"]["primaryLocationLineHash"] for r in results]
    assert hashes == ["a:1", "b:1", "a:2"]


def test_what_does_not_count_is_no_result(excerpts: Excerpts) -> None:
    run = log(documents.small(), excerpts)
    assert len(run["results"]) == 3
    assert run["properties"]["accepted"] == {"baseline": 2, "comment": 1}
    assert "suppressions" not in json.dumps(run)


def test_problems_make_an_execution_unsuccessful(excerpts: Excerpts) -> None:
    (failed,) = log(documents.small(), excerpts)["invocations"]
    assert (failed["executionSuccessful"], failed["exitCode"]) == (False, 2)
    (well,) = log(msgspec.structs.replace(documents.small(), problems=()), excerpts)["invocations"]
    assert well["executionSuccessful"]
    assert "exitCode" not in well


def test_declared_orders_are_no_threads(excerpts: Excerpts) -> None:
    result = log(documents.small(), excerpts)["results"][1]
    (flow,) = result["codeFlows"][0]["threadFlows"]
    assert flow["message"]["text"] == "in Queue::drain"
    places = [p["physicalLocation"]["artifactLocation"]["uri"] for p in result["relatedLocations"]]
    assert "file:///etc/orders" in places


def test_a_table_is_in_both_forms_of_the_message(excerpts: Excerpts) -> None:
    message = log(documents.small(), excerpts)["results"][2]["message"]
    assert "rank  does\n0     all_reduce\n      7\n" in message["text"]
    shown = MarkdownIt().enable("table").render(message["markdown"])
    assert "<td>all_reduce; 7</td>" in shown
    assert "in rank 1: is at the launch of `all_reduce` in libnccl+0x7." in shown


def test_all_real_rules_are_described(excerpts: Excerpts) -> None:
    data = json.loads(sarif.render(Document(), excerpts).data)
    assert problems("sarif", data) == []
    for rule in data["runs"][0]["tool"]["driver"]["rules"]:
        assert len(rule["properties"]["tags"]) <= 10
        for key in ("shortDescription", "fullDescription"):
            assert 10 < len(rule[key]["text"]) <= 1024
        assert not re.search(r"^(?!    ).*<\w+>", rule["help"]["markdown"].replace("`", ""), re.M)
