"""The rules' pages: their form, their copies in docs/rules, and their examples, which are executed.

The first ```cpp block under "Example" is a whole source or program that gives the finding, the one
under "Instead" is one that gives none at all.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
import pytest
from compilers import CannotBuildError, compiler

import lockorder
from lockorder import cli
from lockorder.commands.checked import check_sources, to_document
from lockorder.config import Config
from lockorder.knowledge import builtin
from lockorder.model import Document
from lockorder.rules import RULES, Rule, by_id
from lockorder.rules.registry import Origin
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

ROOT = Path(__file__).parents[2]
STUBS = Path(lockorder.__file__).parent / "headers" / "libraries"
SECTIONS = ["What it does", "Why it hangs", "Example", "Instead", "References"]
WITH_CODE = ("Example", "Instead")
#: Pages whose examples are compiled and not executed here, and why.
NOT_EXECUTED = {
    "stuck-rank": "needs a hung job of several ranks: tests/integration/test_hang_live.py",
    "stuck-process": "needs a job that hangs: tests/hangs",
    "deadlock": "needs a job that hangs: tests/integration/test_hang_live.py, test_run_hang.py",
    "collective-mismatch": "needs several ranks: tests/integration/test_ranks.py",
    "communicator-order-cycle": "needs several ranks: tests/integration/test_ranks.py",
}
#: Rules about what ranks issue: their examples are in Python.
OF_RANKS = ("collective-divergence", "p2p-mismatch")
CHECKED = [r.id for r in RULES if Origin.SOURCES in r.origins]
RECORDED = [r.id for r in RULES if r.id not in CHECKED and r.id not in NOT_EXECUTED]
every_rule = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)


@cache
def sections(rule: Rule) -> dict[str, str]:
    """The page's sections by name; what stands before the first one is under ""."""
    name, *parts = re.split(r"^## (.*)\n", rule.page, flags=re.M)
    return {"": name, **dict(zip(parts[::2], parts[1::2], strict=True))}


def blocks(text: str, language: str = "cpp") -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.M | re.S)


def code(name: str, section: str) -> str:
    """The first block of code in a section of a rule's page."""
    rule = by_id(name)
    assert rule is not None
    text = sections(rule)[section]
    return blocks(text, "python" if name in OF_RANKS else "cpp")[0]


# -- form --------------------------------------------------------------------------------------


@every_rule
def test_a_page_has_all_sections_in_order(rule: Rule) -> None:
    assert [s for s in sections(rule) if s] == SECTIONS
    assert all(text.strip() for text in sections(rule).values())


@every_rule
def test_a_page_says_where_it_finds(rule: Rule) -> None:
    assert rule.origins
    for origin in Origin:
        assert (origin.value in sections(rule)[""]) == (origin in rule.origins)
    assert f"Usual level: {rule.level.value}." in sections(rule)[""]


@every_rule
def test_a_page_has_code_and_references(rule: Rule) -> None:
    for section in WITH_CODE:
        assert blocks(sections(rule)[section], r"\w+"), section
    assert "https://" in sections(rule)["References"]


@every_rule
def test_a_page_reads_well_in_a_terminal(rule: Rule) -> None:
    assert [line for line in rule.page.splitlines() if len(line) > 100] == []
    fences = re.findall(r"^```(\w*)$", rule.page, flags=re.M)
    assert all(fences[::2]), "a fence without a language"
    assert not any(fences[1::2])
    outside = re.sub(r"^```.*?^```$", "", rule.page, flags=re.M | re.S)
    assert not re.search(r"^    ", outside, flags=re.M), "an indented block"


@every_rule
def test_files_that_a_page_names_are_there(rule: Rule) -> None:
    named = re.findall(r"\bdocs/[\w./-]+\.md\b", rule.page)
    assert [name for name in named if not (ROOT / name).is_file()] == []


# -- copies ------------------------------------------------------------------------------------


@every_rule
def test_the_copy_in_docs_is_what_explain_says(
    rule: Rule, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["explain", rule.id]) == 0
    copy = ROOT / "docs" / "rules" / f"{rule.id}.md"
    assert capsys.readouterr().out == copy.read_text("utf-8"), "run `make docs`"


def test_docs_has_no_page_of_another_rule() -> None:
    copies = {page.stem for page in (ROOT / "docs" / "rules").glob("*.md")}
    assert copies == {rule.id for rule in RULES}


# -- examples ----------------------------------------------------------------------------------


def test_every_page_is_executed_or_excused() -> None:
    assert sorted([*CHECKED, *RECORDED, *NOT_EXECUTED]) == sorted(r.id for r in RULES)


@every_rule
def test_examples_compile(rule: Rule, tmp_path: Path) -> None:
    try:
        compile_ = [*compiler(".cpp"), "-std=c++17", "-Wall", "-Wextra", "-Werror"]
    except CannotBuildError as missing:
        pytest.skip(str(missing))
    source = tmp_path / "page.cpp"
    for block in blocks(rule.page):
        source.write_text(block)
        subprocess.run([*compile_, "-fsyntax-only", "-isystem", STUBS, source], check=True)


@pytest.mark.parametrize("name", CHECKED)
def test_check_finds_the_example_and_nothing_instead(name: str, tmp_path: Path) -> None:
    check = checked_python if name in OF_RANKS else checked
    assert check(code(name, "Example"), tmp_path / "example") == {name}
    assert check(code(name, "Instead"), tmp_path / "instead") == set()


def checked_python(source: str, folder: Path) -> set[str]:
    """The rules that `lockorder check` finds in a source of Python."""
    folder.mkdir()
    (folder / "page.py").write_text(source)
    found = check_sources([folder], Options(None, 1, cache=False), Config())
    assert found.problems == ()
    return {finding.rule for finding in found.document.findings}


@pytest.mark.parametrize("name", RECORDED)
def test_a_run_of_the_example_finds_it_and_nothing_instead(
    name: str, tmp_path: Path, build: Callable[[str, Path], Path]
) -> None:
    assert name in recorded(build(code(name, "Example"), tmp_path / "example"))
    assert recorded(build(code(name, "Instead"), tmp_path / "instead")) == set()


def checked(source: str, folder: Path) -> set[str]:
    """The rules that `lockorder check` finds in a source."""
    folder.mkdir()
    (folder / "page.cpp").write_text(source)
    analysis = analyse([folder], Options(None, 1, cache=False), builtin())
    assert analysis.problems == []
    assert analysis.coverage.headers_missing == ()
    return {finding.rule for finding in to_document(analysis).findings}


@pytest.fixture(scope="module")
def build() -> Callable[[str, Path], Path]:
    """Builds a program from its source; without a compiler, the test is skipped."""
    try:
        compile_ = [*compiler(".cpp"), "-std=c++17", "-O1", "-g", "-pthread"]
    except CannotBuildError as missing:
        pytest.skip(str(missing))

    def build(source: str, folder: Path) -> Path:
        folder.mkdir()
        (folder / "page.cpp").write_text(source)
        program = folder / "page"
        subprocess.run([*compile_, "-o", program, folder / "page.cpp"], check=True)
        return program

    return build


def recorded(program: Path) -> set[str]:
    """The rules that a run of *program* under the probe shows; notes too."""
    result = program.parent / "result.json"
    command = [sys.executable, "-m", "lockorder", "run", "-o", program.parent / "run"]
    command += ["--format", "json", "--output", result, "--", program]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return {
        finding.rule for finding in msgspec.json.decode(result.read_bytes(), type=Document).findings
    }
