"""What must be equal of two results, in the terms of the original program."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable

from lockorder.model import Document, Finding, Frame
from metamorphic.programs import Place
from metamorphic.transformations import Variant

_WORD = re.compile(r"[A-Za-z_]\w*(?:\.(?:cpp|cc|cxx|c|h|hpp|hh|cuh|cu|inl)\b)?")


class Told:
    """Findings of one result, each as a few lines that name nothing of the variant's own."""

    def __init__(self, document: Document, variant: Variant) -> None:
        self._variant = variant
        self._locks = {lock.id: self._back(lock.name) for lock in document.locks}
        self._declared = {lock.id: self._at(lock.file, lock.line) for lock in document.locks}
        self.verdicts = Counter(self._verdict(f) for f in document.findings)
        self.kinds = Counter(
            f"{f.rule} | {f.level.value} | {f.confidence.value}" for f in document.findings
        )
        self.stories = Counter(self._story(f) for f in document.findings)

    def _verdict(self, finding: Finding) -> str:
        locks = sorted(
            f"{self._locks.get(i, self._back(i))} ({self._declared.get(i, '')})"
            for i in finding.locks
        )
        words = (finding.rule, finding.level.value, finding.confidence.value, *locks)
        return " | ".join(words)

    def _story(self, finding: Finding) -> str:
        sides = sorted(
            "  "
            + " ".join((
                *(f"has {self._chain(a.chain)}" for a in p.held),
                f"takes {self._chain(p.taken.chain)}" if p.taken is not None else "",
                f"at {self._chain(p.chain)}" if p.chain else "",
            ))
            for p in finding.participants
        )  # fmt: skip
        return "\n".join((self._verdict(finding), *sides))

    def _chain(self, chain: Iterable[Frame]) -> str:
        return ">".join(self._at(f.file, f.line) for f in chain)

    def _at(self, file: str, line: int) -> str:
        if not file or not line:
            return ""
        found: Place = self._variant.files.origin(file, line)
        return f"{found.file}:{found.line}"

    def _back(self, text: str) -> str:
        return in_old_words(text, self._variant)


def in_old_words(text: str, variant: Variant) -> str:
    """*text* about the variant with names as they were."""
    return _WORD.sub(lambda m: variant.old.get(m[0], m[0]), text)


def difference(before: Counter[str], after: Counter[str]) -> str:
    """What is in one of the two and not in the other, for people; empty where they are equal."""
    if before == after:
        return ""
    lines = difflib.unified_diff(
        "\n".join(sorted(before.elements())).splitlines(),
        "\n".join(sorted(after.elements())).splitlines(),
        "original", "variant", lineterm="", n=1,
    )  # fmt: skip
    return "\n".join(lines)
