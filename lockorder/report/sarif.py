"""Results as SARIF 2.1.0 (OASIS), for GitHub code scanning, editors and other viewers.

Code scanning refuses a whole file that is over one of its limits, and leaves out what is over a
lower one by rules of its own ("SARIF support for code scanning" in GitHub's documentation). So the
severest and surest findings come first here, and what is over the lower limits is left out here,
where it can be said.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence
from typing import Any

import msgspec

from lockorder.model import Document
from lockorder.report import run as recorded
from lockorder.report import summary
from lockorder.report.excerpts import Excerpts
from lockorder.report.places import Places
from lockorder.report.rendered import Rendered
from lockorder.report.sarif_result import MAX_LOCATIONS, MAX_STEPS, result
from lockorder.report.sarif_rules import descriptors
from lockorder.report.sides import by_weight
from lockorder.report.text import printable
from lockorder.rules import RULES, Rule

#: Results that code scanning shows; five times as many are refused.
MAX_RESULTS = 5000
#: Bytes of an upload, compressed as the upload action does it.
MAX_BYTES = 10_000_000
#: Rules that code scanning takes.
MAX_RULES = 25_000
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(document: Document, excerpts: Excerpts, rules: Sequence[Rule] = RULES) -> Rendered:
    """*document* as one SARIF run; the same bytes every time, wherever the repository lies."""
    places = Places(excerpts)
    locks = {lock.id: lock for lock in document.locks}
    known = {rule.id for rule in rules}
    results: list[dict[str, Any]] = []
    seen: Counter[str] = Counter()
    shortened = 0
    ordered = by_weight(document.findings)[:MAX_RESULTS]
    unknown = list(dict.fromkeys(f.rule for f in ordered if f.rule not in known))
    described = descriptors(rules, unknown)[:MAX_RULES]
    index = {rule["id"]: number for number, rule in enumerate(described)}
    for finding in ordered:
        seen[finding.fingerprint] += 1
        made = result(finding, seen[finding.fingerprint], locks, places)
        shortened += made.cut
        results.append({"ruleId": finding.rule, "ruleIndex": index[finding.rule], **made.result})
    while True:
        cut = _cut(len(document.findings), len(results), shortened)
        data = _encode(document, described, results, cut)
        size = _compressed(data)
        if size <= MAX_BYTES or not results:
            return Rendered(data, cut)
        # What counts is bytes, and results differ: leave a tenth for that.
        del results[min(len(results) - 1, len(results) * MAX_BYTES * 9 // (size * 10)) :]


def _cut(all_of_them: int, kept: int, shortened: int) -> tuple[str, ...]:
    """What code scanning would not show."""
    cut = []
    if kept < all_of_them:
        cut.append(
            f"SARIF has {kept} of {all_of_them} findings, the severest and surest: GitHub shows "
            f"no more than {MAX_RESULTS}, in {MAX_BYTES // 10**6} MB; --format json has all"
        )
    if shortened:
        cut.append(
            f"SARIF has not every step of {shortened} findings: GitHub shows {MAX_STEPS} steps "
            f"and {MAX_LOCATIONS} other places of one; --format json has all"
        )
    return tuple(cut)


def _encode(
    document: Document,
    rules: list[dict[str, Any]],
    results: list[dict[str, Any]],
    cut: tuple[str, ...],
) -> bytes:
    log = {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": _driver(document, rules)},
                "invocations": [_invocation(document, cut)],
                # No URI: a folder's name on the machine that looked is of no use on another.
                "originalUriBaseIds": {
                    "%SRCROOT%": {"description": {"text": "The repository's root folder."}}
                },
                "columnKind": "utf16CodeUnits",
                "results": results,
                "properties": _properties(document),
            }
        ],
    }
    return msgspec.json.format(msgspec.json.encode(log), indent=1) + b"\n"


def _driver(document: Document, rules: list[dict[str, Any]]) -> dict[str, Any]:
    name, _, version = document.tool.partition(" ")
    driver: dict[str, Any] = {"name": printable(name) or "lockorder"}
    if version:
        driver["version"] = printable(version)
    return {**driver, "rules": rules}


def _invocation(document: Document, cut: tuple[str, ...]) -> dict[str, Any]:
    told = [
        *(_notification("error", "problem", text) for text in document.problems),
        *(_notification("warning", "cut", text) for text in cut),
        *(_notification("note", "note", text) for text in document.notes),
    ]
    seen = []
    if document.coverage is not None:
        seen = summary.coverage_lines(document)
    elif document.run is not None:
        seen = recorded.coverage_lines(document)
    told += [_notification("note", "coverage", line) for line in seen]
    invocation: dict[str, Any] = {"executionSuccessful": not document.problems}
    if document.problems:
        # As the command line ends then, whatever was found.
        invocation["exitCode"] = 2
        invocation["exitCodeDescription"] = "something asked for could not be analysed"
    if told:
        invocation["toolExecutionNotifications"] = told
    return invocation


def _notification(level: str, kind: str, text: str) -> dict[str, Any]:
    return {
        "level": level,
        "descriptor": {"id": f"lockorder/{kind}"},
        "message": {"text": printable(text.strip()) or kind},
    }


def _properties(document: Document) -> dict[str, Any]:
    made: dict[str, Any] = {"origin": document.origin}
    if document.headline:
        made["headline"] = printable(document.headline)
    coverage = document.coverage
    if coverage is not None:
        made["coverage"] = {
            "files": len(coverage.files),
            "functions": coverage.functions,
            "callsShare": round(coverage.calls_share, 4),
            "locksShare": round(coverage.locks_share, 4),
            "callsMade": coverage.calls_made,
            "callsResolved": coverage.resolved,
            "headersMissing": [printable(name) for name in coverage.headers_missing],
            "filesFailed": [printable(name) for name in coverage.failed],
        }
        if coverage.foreign:
            made["coverage"]["headersForeign"] = [printable(name) for name in coverage.foreign]
        otherwise = {printable(f.file): f.reading for f in coverage.files if f.reading}
        if otherwise:
            made["coverage"]["filesReadOtherwise"] = otherwise
    # Findings that do not count are no results here, not even suppressed ones: code scanning
    # reads no suppressions, and would open an alert for each.
    counts = Counter(each.by for each in document.accepted)
    if counts:
        made["accepted"] = {printable(by): counts[by] for by in sorted(counts)}
    return made


def _compressed(data: bytes) -> int:
    return len(data) if len(data) <= MAX_BYTES else len(zlib.compress(data))
