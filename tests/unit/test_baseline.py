"""Baselines: what is known does not count, as often as it was counted."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder import baseline
from lockorder.model import Acquisition, Confidence, Finding, Frame, Level, Participant


def finding(fingerprint: str, file: str = "a.cpp", rule: str = "lock-order-cycle") -> Finding:
    taken = Acquisition("A", (Frame("f", file, 7),))
    return Finding(
        rule=rule, level=Level.ERROR, confidence=Confidence.HIGH, reason="", message="A and B",
        fix="", locks=("A", "B"), participants=(Participant("f", (), taken),),
        fingerprint=fingerprint,
    )  # fmt: skip


def written(tmp_path: Path, *findings: Finding) -> baseline.Baseline:
    path = tmp_path / "baseline.json"
    path.write_bytes(baseline.written(findings))
    return baseline.read(path, "baseline.json")


def test_the_form(tmp_path: Path) -> None:
    text = baseline.written([finding("f2", "b.cpp"), finding("f1"), finding("f1")])
    assert (
        text
        == b"""{
 "format": "lockorder-baseline",
 "version": 1,
 "findings": [
  {
   "file": "a.cpp",
   "rule": "lock-order-cycle",
   "fingerprint": "f1",
   "message": "A and B",
   "count": 2
  },
  {
   "file": "b.cpp",
   "rule": "lock-order-cycle",
   "fingerprint": "f2",
   "message": "A and B",
   "count": 1
  }
 ]
}
"""
    )


def test_more_than_were_counted_are_new(tmp_path: Path) -> None:
    known = written(tmp_path, finding("f1"), finding("f2"))
    applied = baseline.apply([finding("f1"), finding("f1"), finding("f3")], known)
    assert [f.fingerprint for f in applied.findings] == ["f1", "f3"]
    assert [(a.finding.fingerprint, a.by, a.place) for a in applied.accepted] == [
        ("f1", "baseline", "baseline.json")
    ]
    assert [(e.fingerprint, e.count) for e in applied.stale] == [("f2", 1)]


@given(
    st.lists(st.sampled_from("abcde"), max_size=12), st.lists(st.sampled_from("abcde"), max_size=12)
)
def test_counts_add_up(then: list[str], now: list[str]) -> None:
    data = baseline.written(map(finding, then))
    entries = [baseline.Entry(**e) for e in json.loads(data)["findings"]]
    applied = baseline.apply(map(finding, now), baseline.Baseline("b", entries))
    known, found = Counter(then), Counter(now)
    assert Counter(f.fingerprint for f in applied.findings) == found - known
    assert Counter(a.finding.fingerprint for a in applied.accepted) == found & known
    gone = Counter({e.fingerprint: e.count for e in applied.stale})
    assert gone == known - found


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not a baseline: "),
        (b"[]", "not a baseline: "),
        (b"\xff\xfe", "not a baseline: "),
        (b"[" * 100_000, "not a baseline: "),
        (b"{}", "no format field with 'lockorder-baseline'"),
        (b'{"format": "lockorder-baseline", "version": 7}', "baseline version 7, this lockorder "
         "reads 1"),
        (b'{"format": "lockorder-baseline", "version": 1, "findings": {}}', "not a baseline: "),
    ],
)  # fmt: skip
def test_what_is_no_baseline(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "b.json"
    path.write_bytes(content)
    with pytest.raises(baseline.BaselineError, match=r"^b\.json: ") as caught:
        baseline.read(path, "b.json")
    assert reason in str(caught.value)


def test_entries_that_are_broken_do_not_take_the_others_along(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    good = {"fingerprint": "f1"}
    bad = [{}, {"fingerprint": 3}, {"fingerprint": "f2", "count": 0}, 5]
    body = {"format": "lockorder-baseline", "version": 1, "findings": [*bad, good]}
    path.write_text(json.dumps(body))
    found = baseline.read(path, "b.json")
    assert [e.fingerprint for e in found.entries] == ["f1"]
    assert [p.split(": ")[1] for p in found.problems] == [f"findings[{i}]" for i in range(4)]


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(baseline.BaselineError, match=r"--write-baseline b\.json makes one"):
        baseline.read(tmp_path / "b.json", "b.json")
