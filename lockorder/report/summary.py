"""The closing lines on stderr: what was found, what was seen, what to do next."""

from __future__ import annotations

from collections import Counter

from lockorder.model import Coverage, Document, FileCoverage, Level
from lockorder.report import comparison

#: Files named for low coverage before the rest is only counted.
MAX_FILES = 5
MAX_HEADERS = 8
#: So many findings are also counted by rule.
MANY = 10
#: Below this share of calls a file is worth naming.
GOOD_SHARE = 0.98
_ACCEPTED = {
    "comment": "by comments",
    "baseline": "in the baseline",
    "unchanged": "outside of the change",
}


def lines(document: Document, verbose: bool = False) -> list[str]:
    """The summary of a static result, a line each."""
    counts = Counter(f.level for f in document.findings)
    parts = [f"{counts[level]} {level.value}{'s' if counts[level] != 1 else ''}" for level in Level]
    found = [
        f"lockorder: {', '.join(parts)}; {document.lock_count} locks, "
        f"{_edges(document)} orders between them"
    ]
    found += _rule_lines(document)
    found += kept_back(document)
    found += comparison.lines(document)
    return [*found, *coverage_lines(document, verbose)]


def _rule_lines(document: Document) -> list[str]:
    """How many findings of each rule there are, where they are more than one looks through."""
    counts = Counter(f.rule for f in document.findings)
    if len(counts) < 2 or len(document.findings) < MANY:
        return []
    return [f"by rule: {', '.join(f'{rule} {counts[rule]}' for rule in sorted(counts))}"]


def kept_back(document: Document) -> list[str]:
    """Findings that are not told on their own: folded under others, or accepted."""
    folded = sum(len(f.folded) for f in document.findings)
    under = sum(bool(f.folded) for f in document.findings)
    said = f"folded: {folded} more, which share a cause with {under} of these (-v lists them)"
    return [*([said] if folded else []), *accepted_lines(document)]


def accepted_lines(document: Document) -> list[str]:
    """What does not count, and who said so, in one line; none where everything counts."""
    counts = Counter(each.by for each in document.accepted)
    if not counts:
        return []
    known = [(by, words) for by, words in _ACCEPTED.items() if counts[by]] + [
        (by, f"by {by}") for by in sorted(counts) if by not in _ACCEPTED
    ]
    parts = []
    for by, words in known:
        places = sorted({each.place for each in document.accepted if each.by == by and each.place})
        # Comments are each in a place of their own; a run has one baseline and one revision.
        named = f" ({places[0]})" if len(places) == 1 and by != "comment" else ""
        parts.append(f"{counts[by]} {words}{named}")
    return [f"not counted: {', '.join(parts)}"]


def _edges(document: Document) -> int:
    return len({(e.held.lock, e.taken.lock) for e in document.edges})


def coverage_lines(document: Document, verbose: bool = False) -> list[str]:
    """What was seen of the sources, a line each; none where none were read."""
    coverage = document.coverage
    if coverage is None:
        return []
    calls = sum(f.calls for f in coverage.files)
    filled = sum(f.filled for f in coverage.files)
    locks = sum(f.locks for f in coverage.files)
    resolved = coverage.resolved / coverage.calls_made if coverage.calls_made else 1.0
    found = [
        f"coverage: {len(coverage.files)} files, {coverage.functions} functions; "
        f"{coverage.calls_share:.1%} of {calls} calls and {coverage.locks_share:.1%} of {locks} "
        f"lock acquisitions seen ({filled} by syntax alone), {resolved:.1%} of calls resolved"
    ]
    missing = coverage.headers_missing
    if missing:
        shown = list(missing) if verbose else list(missing)[:MAX_HEADERS]
        more = f" and {len(missing) - len(shown)} more" if len(missing) > len(shown) else ""
        found.append(f"headers not found: {len(missing)} ({', '.join(shown)}{more})")
        if not locks and not document.locks:
            found.append(
                "no lock acquisition was found: locks may stand behind macros of those headers; "
                "check a build (-p BUILD_DIR), or make its headers first"
            )
    if coverage.foreign:
        shown = list(coverage.foreign) if verbose else list(coverage.foreign)[:MAX_HEADERS]
        others = len(coverage.foreign) - len(shown)
        rest = f" and {others} more" if others else ""
        found.append(
            f"left out, as nothing in them is C or C++: {len(coverage.foreign)} headers "
            f"({', '.join(shown)}{rest}); check one by its name to see why"
        )
    poor = sorted(
        (f for f in coverage.files if _is_poor(f)),
        key=lambda f: f.calls_seen - f.calls,
    )
    for row in poor if verbose else poor[:MAX_FILES]:
        found.append(
            f"  {row.file}: {row.calls_seen} of {row.calls} calls and "
            f"{row.locks_seen} of {row.locks} lock acquisitions seen"
        )
    if len(poor) > MAX_FILES and not verbose:
        found.append(f"  and {len(poor) - MAX_FILES} more files below {GOOD_SHARE:.0%} (-v)")
    found += reading_lines(coverage, verbose)
    found += cut_lines(coverage, verbose)
    if verbose:
        found += header_lines(coverage)
    inactive = sum(f.inactive for f in coverage.files)
    if inactive:
        found.append(f"not looked at: {inactive} calls in preprocessor branches that are off")
    return found


def reading_lines(coverage: Coverage, verbose: bool = False) -> list[str]:
    """How files were read that libclang could not read as planned."""
    crashed = [f for f in coverage.files if f.reading]
    if not crashed:
        return []
    found = [
        f"{len(crashed)} files were not read as planned, because libclang could not read them:"
    ]
    for row in crashed if verbose else crashed[:MAX_FILES]:
        found.append(f"  {row.file}: {row.reading}")
    if len(crashed) > MAX_FILES and not verbose:
        found.append(f"  and {len(crashed) - MAX_FILES} more files (-v)")
    return found


def cut_lines(coverage: Coverage, verbose: bool = False) -> list[str]:
    """Bounds of the analysis that were reached, and what that means for the findings."""
    found = []
    for cut in coverage.cut:
        shown = list(cut.places if verbose else cut.places[:1])
        if cut.functions > len(shown):
            shown.append("...")
        then = (
            "what lies beyond may be missed"
            if cut.only_hides
            else "findings through them are less sure"
        )
        found.append(
            f"cut: in {cut.functions} of {coverage.functions} functions there were more than "
            f"{cut.limit} {cut.what} ({', '.join(shown)}); {then}"
        )
    return found


def header_lines(coverage: Coverage) -> list[str]:
    """Where the headers come from that the project includes and does not have itself."""
    found = []
    for origin in coverage.headers:
        names = ", ".join(origin.headers)
        library = f" ({origin.library})" if origin.library else ""
        found.append(f"  {origin.source}{library}: {len(origin.headers)}: {names}")
    return ["headers that are not the project's, by where they are from:", *found] if found else []


def _is_poor(row: FileCoverage) -> bool:
    few_calls = bool(row.calls) and row.calls_seen / row.calls < GOOD_SHARE
    return few_calls or row.locks_seen < row.locks
