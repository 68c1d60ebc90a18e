"""The table of small programs in fixtures/hangs, read from their sources: see telling.py there."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import threading
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from compilers import CannotBuildError, compiler

PROGRAMS = Path(__file__).parents[2] / "fixtures/hangs"
BUILT = Path(__file__).parents[2] / "build/hangs"

#: What may be said instead of an exact word.
_WORDS = {
    "CYCLE": r"deadlock|cycle|circle|each other|one another|in turn wait|mutual",
    "NOBODY": r"nothing (?:in|else|can|left|will|here|that)|nobody|no[ -]?one|\bnone\b"
    r"|never|cannot be woken|can(?:no|')t wake|only itself"
    r"|\bno (?:\w+ )?(?:thread|task|process|rank|job|producer|consumer|owner"
    r"|reader|writer|worker|sender|receiver|client|server)",
    "WAITPID": r"Popen\.wait|Process\.join|waitpid|\bwait4|os\.wait\b|waits? for (?:\w+ )?"
    r"(?:child|process)",
    "LOCK": r"lock\b|mutex",
    "ENDED": r"ended|exited|\bdied\b|\bdead\b|killed|gone|is not there|finished|crashed"
    r"|zombie|lost",
    "STOPPED": r"stopped|SIGSTOP|suspended",
}
#: Of a healthy program: words of which the first line has one, and words that it never has.
_CLAIMS = {
    "moves": r"moves|moving|progress|advanc|works\b|working|comput|busy|running|slow",
    "idle": r"idle|sleep|asleep|moves|moving|progress|listen|at rest"
    r"|waits? for (?:work|a client|a connection|requests|connections)",
}
ACCUSES = re.compile(
    r"(?<!not a )deadlock|\bh[au]ng(?:s|ing)?\b(?![/.])|\bstuck\b|stands? still|standstill|mismatch"
    r"|livelock|cannot be woken|no (?:other )?(?:thread|process|task) can|\berror\b(?![/.])",
    re.IGNORECASE,
)
_FILE = re.compile(r"[\w/.-]+\.(?:py|cpp|c)\b(?::\d+)?")
_SOURCE = re.compile(r"\\.(?:py|cpp|c):\d")  # in a pattern: a place
_TAG = re.compile(r"(?:#|//).*@([A-Z][A-Z0-9_]*)\s*$")
_PLACE = re.compile(r"\{([A-Z][A-Z0-9_]*)\}")
_MARK = re.compile(r"^// @((?:hung|healthy)\()")
_FUNCTION = re.compile(r"^static void (\w+)\(")


class TableError(Exception):
    """An expectation that cannot be read."""


@dataclass(frozen=True)
class Scenario:
    """A program: how it is started, what it is, what its first line must say."""

    file: Path
    name: str
    claim: str  # still, polls, outside: hung; moves, idle: healthy
    says: tuple[tuple[str, str], ...]  # as written, as a pattern where only {pid:NAME} is left
    needs: str  # "", torch, 3.11 (the oldest Python)
    why: str = ""

    @property
    def id(self) -> str:
        return f"{self.file.stem}-{self.name}"

    @property
    def hung(self) -> bool:
        return self.claim in ("still", "polls", "outside")

    def missing(self, line: str, processes: dict[str, int]) -> list[str]:
        """The patterns that a first line does not match."""

        def pid(match: re.Match[str]) -> str:
            return rf"\b{processes[match[1]]}\b"

        words = self.words(line)
        return [
            written
            for written, pattern in self.says
            if not re.search(
                re.sub(r"\{pid:(\w+)\}", pid, pattern),
                line if _SOURCE.search(pattern) else words,
                re.IGNORECASE,
            )
        ]

    def words(self, line: str) -> str:
        """A line without the names of files and of the program, which say nothing by themselves."""
        return _FILE.sub("", line).replace(self.name, "")


def scenarios() -> list[Scenario]:
    """All of them, in the order of files and lines."""
    sources = sorted(PROGRAMS.glob("*.py")) + sorted(PROGRAMS.glob("*.c*"))
    found = [each for source in sources for each in _read(source)]
    ids = [each.id for each in found]
    if len(ids) > len(set(ids)):
        raise TableError(f"twice: {sorted({each for each in ids if ids.count(each) > 1})}")
    return found


def _read(source: Path) -> list[Scenario]:
    text = source.read_text()
    tags = _tags(source)
    marks = _of_python(text) if source.suffix == ".py" else _of_c(text)
    return [_scenario(source, name, call, tags) for name, call in marks]


def _of_python(text: str) -> list[tuple[str, ast.Call]]:
    return [
        (node.name, mark)
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef)
        for mark in node.decorator_list
        if isinstance(mark, ast.Call) and _called(mark) in ("hung", "healthy")
    ]


def _of_c(text: str) -> list[tuple[str, ast.Call]]:
    """Marks are comments in the words of the decorators, above a function."""
    found = []
    mark = ""
    for line in text.splitlines():
        if begun := _MARK.match(line):
            mark = begun[1] + line[begun.end() :]
        elif mark and line.startswith("//"):
            mark += line[2:]
        elif mark and (function := _FUNCTION.match(line)):
            call = ast.parse(mark, mode="eval").body
            assert isinstance(call, ast.Call)
            found.append((function[1], call))
            mark = ""
    if mark:
        raise TableError(f"no function: {mark}")
    return found


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _tags(source: Path) -> dict[str, str]:
    """A pattern for FILE:LINE of each line with a tag."""
    sources = [source, *sorted((PROGRAMS / "imported").glob("*.py"))]
    found: dict[str, str] = {}
    for each in sources:
        for number, line in enumerate(each.read_text().splitlines(), 1):
            if tag := _TAG.search(line):
                if tag[1] in found:
                    raise TableError(f"{each.name}:{number}: {tag[1]} is there already")
                found[tag[1]] = rf"\b{re.escape(each.name)}:{number}\b"
    return found


def _scenario(source: Path, name: str, call: ast.Call, tags: dict[str, str]) -> Scenario:
    words = {**_WORDS, **tags}

    def resolved(text: str) -> str:
        try:
            return _PLACE.sub(lambda match: f"(?:{words[match[1]]})", text)
        except KeyError as missing:
            raise TableError(f"{source.name}: {name}: no line has the tag {missing}") from None

    given = [str(ast.literal_eval(each)) for each in call.args]
    named = {str(each.arg): str(ast.literal_eval(each.value)) for each in call.keywords}
    needs = named.get("needs", "")
    if _called(call) == "hung":
        says = tuple((each, resolved(each)) for each in given)
        return Scenario(source, name, named.get("kind", "still"), says, needs)
    claim, why = given
    more = named.get("says", "")
    says = ((claim, _CLAIMS[claim]), *([(more, resolved(more))] if more else []))
    return Scenario(source, name, claim, says, needs, why)


class CannotStartError(Exception):
    """What a scenario needs is not here; the text says what."""


def command(scenario: Scenario) -> list[str]:
    """How it is started; programs of C and C++ are built, once for each state of their source."""
    if scenario.file.suffix != ".py":
        return [str(_built(scenario.file)), scenario.name]
    python = sys.executable
    if scenario.needs == "torch":
        python = os.environ.get("LOCKORDER_TORCH_PYTHON", python)
        if not _has_torch(python):
            raise CannotStartError("no PyTorch: set LOCKORDER_TORCH_PYTHON")
    elif scenario.needs and sys.version_info < tuple(map(int, scenario.needs.split("."))):
        raise CannotStartError(f"needs Python {scenario.needs}")
    return [python, str(scenario.file), scenario.name]


def environment(scenario: Scenario) -> dict[str, str]:
    """Variables of the program: where the library is whose frames are a collective's."""
    if "collective" not in scenario.file.read_text():
        return dict(os.environ)
    return {**os.environ, "COLLECTIVE_LIBRARY": str(_built(PROGRAMS / "native/collective.cpp"))}


_BUILDING = threading.Lock()  # what several scenarios need is built once


@cache
def _has_torch(python: str) -> bool:
    done = subprocess.run([python, "-c", "import torch"], capture_output=True, check=False)
    return done.returncode == 0


def _built(source: Path) -> Path:
    with _BUILDING:
        return _made(source)


@cache
def _made(source: Path) -> Path:
    library = source.parent != PROGRAMS
    program = BUILT / (source.stem + ".so" * library)
    if program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return program
    BUILT.mkdir(parents=True, exist_ok=True)
    standard = "-std=gnu11" if source.suffix == ".c" else "-std=c++20"
    try:
        words = [*compiler(source.suffix), standard, "-O1", "-g", "-pthread", "-w"]
    except CannotBuildError as missing:
        raise CannotStartError(str(missing)) from None
    words += ["-shared", "-fPIC"] * library
    made = program.with_name(f"{program.name}.{os.getpid()}")
    subprocess.run([*words, "-o", made, source], check=True)
    made.rename(program)  # whole or not there, whoever else builds it
    return program
