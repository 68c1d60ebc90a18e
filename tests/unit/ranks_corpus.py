"""fixtures/ranks: small programs that several ranks run, and what a check tells of each.

An entry of ``fixtures/ranks/LANGUAGE/CATEGORY/`` is a program, a file or a folder: NAME_bad has a
comment ``expect: RULE`` on the line of the operation, NAME_ok hangs in no way.  ``also:`` stands on
a line that is as good an answer as the marked one.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from lockorder.ranks.check import analyse, gather
from lockorder.ranks.knowledge import builtin
from lockorder.rules.evidence import Divergence

ROOT = Path(__file__).parents[2] / "fixtures" / "ranks"
ENDINGS = {"python": (".py",), "c": (".c", ".cpp")}
_MARK = re.compile(r"\b(?:(expect): ([\w-]+)|(also):)")
Place = tuple[str, int]


def programs(language: str = "*") -> list[str]:
    """All programs, ``language/category/name`` as in the file system."""
    return sorted(
        str(entry.relative_to(ROOT))
        for entry in ROOT.glob(f"{language}/*/*")
        if entry.stem.endswith(("_bad", "_ok"))
    )


def files_of(program: str) -> list[Path]:
    """The sources of a program."""
    path = ROOT / program
    endings = ENDINGS[program.partition("/")[0]]
    return sorted(f for f in path.rglob("*") if f.suffix in endings) if path.is_dir() else [path]


def is_bad(program: str) -> bool:
    return Path(program).stem.endswith("_bad")


def marks_of(program: str) -> dict[Place, str]:
    """Marked lines with their rules; ``also`` has the rule of the other one."""
    found: dict[Place, str] = {}
    for file in files_of(program):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            for match in _MARK.finditer(line):
                found[str(file.relative_to(ROOT)), number] = match[2] or ""
    rule = next((r for r in found.values() if r), "")
    return {place: r or rule for place, r in found.items()}


def rule_of(story: Divergence) -> str:
    return "p2p-mismatch" if story.p2p else "collective-divergence"


def places_of(story: Divergence) -> set[Place]:
    """Lines of both sides: of the calls that lead there, and of where they part."""
    frames = [f for side in story.sides for f in (*side.chain, *side.turn[-1:])]
    return {(f.file, f.line) for f in frames}


@cache
def stories_of(program: str) -> tuple[Divergence, ...]:
    """What a check tells of a program."""
    files = files_of(program)
    python = files if program.startswith("python/") else []
    known = builtin()
    found = analyse(gather(python, [] if python else files, known), ROOT, known, jobs=1)
    assert not found.problems
    return found.divergences


def is_right(program: str) -> bool:
    """Whether a bad one's mark is told, by its rule, and a good one has no story."""
    stories = stories_of(program)
    if not is_bad(program):
        return not stories
    marks = marks_of(program)
    return any(
        rule == rule_of(story) and place in places_of(story)
        for place, rule in marks.items()
        for story in stories
    )


def described(program: str) -> str:
    """What was told, for who reads a failure."""
    rows = [
        f"{rule_of(s)} {s.kind} {s.what}: "
        + " / ".join(
            f"{x.call or 'nothing'} {[(f.file, f.line) for f in x.chain[-1:]]}" for x in s.sides
        )
        for s in stories_of(program)
    ]
    return "\n".join([program, f"marked: {marks_of(program)}", *(rows or ["nothing was told"])])
