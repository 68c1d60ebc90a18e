"""Which findings count: what is asked for, and what comments, baselines and the change say.

In this order: rules and paths that the configuration or the command line leave out; comments in
the sources; ``--write-baseline``, which takes what is left; ``--baseline``; ``--changed-since``.
What counts after that is folded, so that whatever does not count hides nothing that does.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import msgspec

from lockorder import accepting, baseline, changes, comments, per_path
from lockorder.commands.common import UsageError, write
from lockorder.config import Config
from lockorder.folding import fold, unfold
from lockorder.model import Accepted, Document, Finding
from lockorder.rules import RULES, Origin

#: What was found in another revision: told the change, its findings.
Before = Callable[[changes.Change], tuple[Finding, ...]]

_NAMES = frozenset(rule.id for rule in RULES)
#: Stale or broken entries that are named before the rest is only counted.
_NAMED = 5


class Triage:
    """Chooses from a document's findings; what there is to say about it is collected meanwhile.

    ``problems`` are what could not be used (exit code 2).
    """

    def __init__(
        self,
        args: argparse.Namespace,
        config: Config,
        rules: tuple[frozenset[str], frozenset[str]],
    ) -> None:
        self._config = config
        self._select, self._ignore = rules
        self._verbose: bool = args.verbose
        self._write: Path | None = args.write_baseline
        self._read = args.baseline or config.baseline_path
        self._revision: str = getattr(args, "changed_since", None) or ""
        self.problems: list[str] = []
        self.warnings: list[str] = []
        self.notes: list[str] = []

    def looks_for(self, rule: str) -> bool:
        """Whether findings of *rule* were asked for."""
        return (not self._select or rule in self._select) and rule not in self._ignore

    def apply(self, document: Document, root: Path, before: Before | None = None) -> Document:
        """*document* with the findings that count, and the others as accepted.

        Raises UsageError where a baseline cannot be written, and changes.ChangeError where a
        revision cannot be compared with.
        """
        findings = [f for f in unfold(document.findings) if self.looks_for(f.rule)]
        findings = list(per_path.apply(findings, self._config, root))
        findings, accepted = self._comments(findings, document, root)
        if self._write is not None:
            self._write_baseline(self._write, findings, document, root)
            rest = [
                Accepted(finding=f, by="baseline", place=os.path.relpath(self._write))
                for f in findings
            ]
            return self._with(document, [], [*accepted, *rest])
        if self._read is not None:
            findings, more = self._baseline(self._read, findings, document, root)
            accepted += more
        if self._revision:
            findings, more = self._changed(findings, document, root, before)
            accepted += more
        return self._with(document, findings, accepted)

    def _with(
        self, document: Document, findings: list[Finding], accepted: list[Accepted]
    ) -> Document:
        return msgspec.structs.replace(
            document,
            findings=fold(findings),
            accepted=tuple(accepted),
            problems=(*document.problems, *self.problems),
            notes=(*document.notes, *self.warnings),
        )

    def _comments(
        self, findings: list[Finding], document: Document, root: Path
    ) -> tuple[list[Finding], list[Accepted]]:
        analysed = _analysed(document)
        shown = {frame.file for f in findings for frame in accepting.places(f)}
        found = comments.read(root, analysed | shown, _NAMES)
        split, unused = accepting.by_comments(findings, found.suppressions)
        self.warnings += found.warnings
        by_sources = {rule.id for rule in RULES if Origin.SOURCES in rule.origins}
        for each in unused:
            if each.file not in analysed or not self.looks_for(each.rule):
                continue
            if each.rule not in by_sources:
                continue  # that rule looks at runs, which may well need the comment
            hint = "remove the comment"
            if each.alone and each.first == each.line == each.last:
                hint = "nothing else is on its line: is ignore-next-line meant?"
            self.warnings.append(f"{each.place}: unused suppression of {each.rule}: {hint}")
        return split.findings, split.accepted

    def _baseline(
        self, path: Path, findings: list[Finding], document: Document, root: Path
    ) -> tuple[list[Finding], list[Accepted]]:
        try:
            found = baseline.read(path, os.path.relpath(path))
        except baseline.BaselineError as error:
            self.problems.append(str(error))
            return findings, []
        self.problems += found.problems[:_NAMED]
        if len(found.problems) > _NAMED:
            more = len(found.problems) - _NAMED
            self.problems.append(f"{found.path}: and {more} more of its entries are broken")
        applied = baseline.apply(findings, found)
        unseen = set(self._unseen(applied.stale, document, root))
        stale = [e for e in applied.stale if e not in unseen]
        for entry in stale if self._verbose else stale[:_NAMED]:
            count = f" ({entry.count} of them)" if entry.count > 1 else ""
            self.warnings.append(
                f"{found.path}: stale: {entry.rule} in {entry.file or 'no file'}{count} is "
                f"gone: {entry.message}"
            )
        if stale:
            more = len(stale) - _NAMED
            rest = f"{more} more entries are stale; " if more > 0 and not self._verbose else ""
            self.warnings.append(
                f"{found.path}: {rest}--write-baseline {found.path} writes it without them"
            )
        return applied.findings, applied.accepted

    def _unseen(
        self, entries: list[baseline.Entry], document: Document, root: Path
    ) -> list[baseline.Entry]:
        if document.coverage is None or document.problems:
            return entries  # what did not show itself in this run may do so in the next
        analysed = _analysed(document)

        def looked_at(file: str) -> bool:
            return file in analysed or not file or not os.path.exists(root / file)

        return baseline.unseen(entries, self.looks_for, looked_at)

    def _write_baseline(
        self, path: Path, findings: list[Finding], document: Document, root: Path
    ) -> None:
        old: list[baseline.Entry] = []
        shown = os.path.relpath(path)
        if path.exists():
            try:
                was = baseline.read(path, shown)
            except baseline.BaselineError as error:
                raise UsageError(f"{error}; it is not written over") from None
            if was.problems:  # they would be lost
                raise UsageError(f"{was.problems[0]}; it is not written over")
            found = {f.fingerprint for f in findings}
            old = [
                e for e in self._unseen(was.entries, document, root) if e.fingerprint not in found
            ]
        write(path, baseline.written(findings, old))
        kept = f", and kept {len(old)} entries of what was not looked at" if old else ""
        self.notes.append(
            f"{shown}: wrote {len(findings)} findings{kept}: commit it, and check with "
            f"--baseline {shown} (or baseline = '{shown}' in the configuration)"
        )

    def _changed(
        self, findings: list[Finding], document: Document, root: Path, before: Before | None
    ) -> tuple[list[Finding], list[Accepted]]:
        change = changes.since(self._revision, root)
        declared = {lock.id: lock for lock in document.locks}
        touched: set[int] = set()
        for number, finding in enumerate(findings):
            places = [(f.file, f.line) for f in accepting.places(finding)]
            locks = (declared[lock] for lock in finding.locks if lock in declared)
            places += [(lock.file, lock.line) for lock in locks if lock.file]
            if any(change.touches(str(root / file), line) for file, line in places):
                touched.add(number)
        if len(touched) < len(findings) and before is not None:
            known = Counter(f.fingerprint for f in before(change))
            for number, finding in enumerate(findings):
                if known[finding.fingerprint] > 0:
                    known[finding.fingerprint] -= 1
                else:
                    touched.add(number)
        kept = [f for number, f in enumerate(findings) if number in touched]
        rest = [
            Accepted(finding=f, by="unchanged", place=self._revision)
            for number, f in enumerate(findings)
            if number not in touched
        ]
        return kept, rest


def _analysed(document: Document) -> set[str]:
    return {f.file for f in document.coverage.files} if document.coverage is not None else set()
