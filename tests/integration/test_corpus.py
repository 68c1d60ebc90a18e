"""The corpus of small programs: `lockorder check` finds what their comments mark, and no more.

Each entry of ``fixtures/cpp/corpus/CATEGORY/`` is one program: a ``.cpp`` or ``.c`` file, or a
folder of files.  A comment ``// expect: RULE`` stands on a line where one of the finding's locks is
taken, or where the call it is about stands (``// expect-note: RULE`` if the finding is a note,
``expect-error`` or ``expect-warning`` where it matters which of them it is); a program without one
is clean.  Findings of one cause are one here, as they are in a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from lockorder.commands.checked import to_document
from lockorder.folding import fold
from lockorder.model import Finding, Level
from lockorder.rules import RULES
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.driver.options import Options

CORPUS = Path(__file__).parents[2] / "fixtures" / "cpp" / "corpus"
SOURCES = (".c", ".cpp", ".h")
#: Rules that the programs are marked for.
ALL = frozenset(r.id for r in RULES)

#: Programs that are judged wrongly so far, and why.  One that is judged rightly fails the test.
EXCEPTIONS: dict[str, str] = {
    "implied/copy_capture_bad.cpp": "clang does not show which captures of a lambda are copies",
    "registries/two_registries_ok.cpp": "members of two global objects of a class are one node",
}

_MARK = re.compile(r"//\s*expect(?:-(note|warning|error))?:\s*(\S+)")


class Mark(NamedTuple):
    """A finding that must be there, and a line that belongs to it."""

    rule: str
    level: str
    file: Path
    line: int


class Verdict(NamedTuple):
    """Marks and findings of one program that have no partner, and how many have one."""

    missed: tuple[str, ...]
    extra: tuple[str, ...]
    matched: int
    problems: tuple[str, ...]

    def __str__(self) -> str:
        lines = [f"missed: {m}" for m in self.missed] + [f"extra: {e}" for e in self.extra]
        return "\n".join([*lines, *(f"problem: {p}" for p in self.problems)]) or "as marked"

    @property
    def right(self) -> bool:
        return not (self.missed or self.extra or self.problems)


def programs() -> list[str]:
    """Names of all programs, ``category/name`` as in the file system."""
    return sorted(
        f"{category.name}/{entry.name}"
        for category in CORPUS.iterdir()
        if category.is_dir()
        for entry in category.iterdir()
        if entry.is_dir() or entry.suffix in (".c", ".cpp")
    )


PROGRAMS = programs()


def files_of(program: str) -> Iterator[Path]:
    path = CORPUS / program
    yield from sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def marks_of(program: str) -> list[Mark]:
    return [
        Mark(found[2], found[1] or "", file, number)
        for file in files_of(program)
        for number, line in enumerate(file.read_text().splitlines(), start=1)
        for found in _MARK.finditer(line)
    ]


def lines_of(finding: Finding, root: Path) -> set[tuple[Path, int]]:
    """Where the locks of the finding are taken, and the calls it is about."""
    taken = [a for p in finding.participants for a in (*p.held, p.taken) if a is not None]
    chains = [a.chain for a in taken] + [p.chain for p in finding.participants]
    return {((root / c[-1].file).resolve(), c[-1].line) for c in chains if c}


def fits(mark: Mark, finding: Finding, root: Path) -> bool:
    return (
        mark.rule == finding.rule
        and (finding.level.value == mark.level if mark.level else finding.level is not Level.NOTE)
        and (mark.file.resolve(), mark.line) in lines_of(finding, root)
    )


def describe(finding: Finding, root: Path) -> str:
    lines = sorted(f"{file.name}:{line}" for file, line in lines_of(finding, root))
    return f"{finding.level.value} {finding.rule}: {finding.message} ({', '.join(lines)})"


def partners(marks: list[Mark], findings: list[Finding], root: Path) -> dict[int, int]:
    """As many pairs of a mark and a finding as there can be (augmenting paths); finding -> mark."""
    taken: dict[int, int] = {}

    def place(mark: int, seen: set[int]) -> bool:
        for i, finding in enumerate(findings):
            if i not in seen and fits(marks[mark], finding, root):
                seen.add(i)
                if i not in taken or place(taken[i], seen):
                    taken[i] = mark
                    return True
        return False

    for mark in range(len(marks)):
        place(mark, set())
    return taken


@cache
def analysed(program: str) -> Analysis:
    return analyse([CORPUS / program], Options(inline=True))


@cache
def judged(program: str) -> Verdict:
    analysis = analysed(program)
    document = to_document(analysis, select=ALL)
    marks = marks_of(program)
    findings = list(fold(document.findings))
    pairs = partners(marks, findings, analysis.root)
    missed = [m for i, m in enumerate(marks) if i not in pairs.values()]
    extra = [f for i, f in enumerate(findings) if i not in pairs]
    return Verdict(
        tuple(f"{m.rule} at {m.file.name}:{m.line}" for m in missed),
        tuple(describe(f, analysis.root) for f in extra),
        len(pairs),
        tuple(document.problems),
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: str) -> None:
    """Exactly the marked findings, in number, rule, level and place."""
    verdict = judged(program)
    if program in EXCEPTIONS:
        assert not verdict.right, f"judged rightly now: take {program} off EXCEPTIONS"
        pytest.xfail(EXCEPTIONS[program])
    assert verdict.right, str(verdict)


def test_marks_fit_names() -> None:
    """A name says what a program is for: ``_bad`` has errors, ``_note`` notes, ``_ok`` neither."""
    for program in PROGRAMS:
        marks = marks_of(program)
        kind = program.partition(".")[0].rpartition("_")[2]
        notes = {m.level == "note" for m in marks}
        assert {"bad": False in notes, "note": notes == {True}, "ok": not notes}[kind], program
        assert {m.rule for m in marks} <= ALL, program


def test_exceptions_exist() -> None:
    assert set(EXCEPTIONS) <= set(PROGRAMS)


def test_nothing_is_missing() -> None:
    """The programs need no header that the tool does not have."""
    for program in PROGRAMS:
        assert not analysed(program).coverage.headers_missing, program


def test_recall_and_precision(capsys: pytest.CaptureFixture[str]) -> None:
    """The table, by category; both are 100 % but for the known exceptions, also shown with them."""
    rows: dict[str, list[int]] = {}
    for category in sorted({p.partition("/")[0] for p in PROGRAMS}):
        inside = [p for p in PROGRAMS if p.startswith(f"{category}/")]
        excepted = [p for p in inside if p in EXCEPTIONS]
        rows[category] = [
            len(inside),
            len(excepted),
            *_counts(p for p in inside if p not in EXCEPTIONS),
            *_counts(excepted),
        ]
    wrong = {category: row for category, row in rows.items() if row[3] or row[4]}
    rows["all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    with capsys.disabled():
        print("\n\n" + " " * 33 + "without exceptions       with exceptions")
        print("category     programs  exceptions    recall  precision     recall  precision")
        for name, (number, exceptions, *counts) in rows.items():
            found, missed, extra = counts[:3]
            more = [a + b for a, b in zip(counts[:3], counts[3:], strict=True)]
            print(
                f"{name:12} {number:8}  {exceptions:10}"
                f"  {share(found, missed):>8}  {share(found, extra):>9}"
                f"  {share(more[0], more[1]):>9}  {share(more[0], more[2]):>9}"
            )
    assert not wrong


def _counts(chosen: Iterable[str]) -> tuple[int, int, int]:
    """Findings matched, marks missed and findings too many, over *chosen* programs."""
    verdicts = [judged(p) for p in chosen]
    return (
        sum(v.matched for v in verdicts),
        sum(len(v.missed) for v in verdicts),
        sum(len(v.extra) for v in verdicts),
    )


def share(good: int, bad: int) -> str:
    return f"{good / (good + bad):.1%}" if good + bad else "-"
