"""The corpus where libclang crashes: what is found with the steps that do without it.

A part of the programs, chosen by their names, is read by its syntax alone, and with declarations by
libclang and bodies by syntax.  Recall and precision are held to what they have reached.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from lockorder.commands.checked import to_document
from lockorder.folding import fold
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.parse import clang, isolated
from test_corpus import ALL, CORPUS, PROGRAMS, marks_of, partners

#: One program in so many is read.
SHARE = 12
CHOSEN = [p for p in PROGRAMS if hashlib.sha256(p.encode()).digest()[0] % SHARE == 0]


@pytest.mark.parametrize("bodies", [False, True], ids=["all by syntax", "bodies by syntax"])
def test_recall_and_precision(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bodies: bool
) -> None:
    whole = clang.parse

    def parse(
        file: Path,
        flags: Sequence[str],
        header: bool = False,
        replaced: Mapping[str, str] | None = None,
        bodies_: bool = True,
    ) -> clang.Unit:
        if bodies_ or not bodies:
            raise clang.ClangError("crashed")
        return whole(file, flags, header, replaced, bodies_)

    def crash(*_: object) -> None:
        raise clang.ClangError("crashed")

    monkeypatch.setenv("LOCKORDER_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(clang, "parse", parse)
    monkeypatch.setattr(clang, "load", crash)
    monkeypatch.setattr(clang, "precompile", crash)
    monkeypatch.setattr(isolated, "suspects", lambda *_: [])
    matched = missed = extra = 0
    for program in CHOSEN:
        analysis = analyse([CORPUS / program], Options(inline=True))
        findings = list(fold(to_document(analysis, select=ALL).findings))
        marks = marks_of(program)
        pairs = partners(marks, findings, analysis.root)
        matched += len(pairs)
        missed += len(marks) - len(pairs)
        extra += len(findings) - len(pairs)
    recall, precision = matched / (matched + missed), matched / (matched + extra)
    assert recall >= RECALL, f"{missed} of {matched + missed} are missed"
    assert precision >= PRECISION, f"{extra} of {matched + extra} are wrong"


RECALL = 0.95
PRECISION = 0.95
