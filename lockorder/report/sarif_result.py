"""One finding as SARIF's ``result`` object (SARIF 2.1.0, section 3.27), as GitHub shows it best."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from lockorder.model import Confidence, Finding, Frame, Lock
from lockorder.report.inert import inert, inert_table
from lockorder.report.places import Places, anchor
from lockorder.report.sides import Side, Step, same_cause, sentence, sides
from lockorder.report.text import printable, table_lines

#: What GitHub shows of a result; ten times as much is refused with the whole file.
MAX_LOCATIONS, MAX_STEPS = 100, 1000
#: UTF-16 code units of a line that are quoted.
MAX_SNIPPET = 400
#: Stands for a file where nobody knows one: GitHub refuses a whole upload for one result that is
#: nowhere.
NO_FILE = "no-source-file-known"
_RANK = {Confidence.HIGH: 90.0, Confidence.MEDIUM: 60.0, Confidence.LOW: 30.0}
_KINDS = {"hold": ["acquire", "lock"], "take": ["acquire", "lock"], "wait": ["call", "caution"]}


class Made(NamedTuple):
    """A result, and whether some of its steps or locations had no room."""

    result: dict[str, Any]
    cut: bool


def result(finding: Finding, occurrence: int, locks: Mapping[str, Lock], places: Places) -> Made:
    """*occurrence* counts the findings of the same fingerprint from 1."""
    place = anchor(finding)
    if not place.file:
        declared = [locks[i] for i in finding.locks if i in locks and locks[i].file]
        if declared:
            place = Frame(place.function, declared[0].file, declared[0].line)
    names = {i: lock.name for i, lock in locks.items()}
    told = sides(finding, names)
    related = _Related(place, places)
    message = _message(finding, told, related, places)
    flows, cut = _flows(told, place, places)
    made: dict[str, Any] = {
        "ruleId": finding.rule,
        "level": finding.level.value,
        "rank": _RANK[finding.confidence],
        "message": message,
        "locations": [_location(place, places)],
    }
    if related.found:
        made["relatedLocations"] = related.found
    if flows:
        made["codeFlows"] = [{"threadFlows": flows}]
    made["partialFingerprints"] = {
        "lockorder/v1": finding.fingerprint,
        # GitHub knows alerts again by this one only.  Left to itself it would hash the text of
        # the line, and take two cycles that close on one line for one.
        "primaryLocationLineHash": f"{finding.fingerprint}:{occurrence}",
    }
    made["properties"] = {
        "confidence": finding.confidence.value,
        "reason": printable(finding.reason),
        "fix": printable(finding.fix),
        **({"run": printable(finding.run)} if finding.run else {}),
        "locks": [printable(names.get(i, i)) for i in finding.locks],
        **({"folded": [_folded(f, places) for f in finding.folded]} if finding.folded else {}),
    }
    return Made(made, cut or related.full)


def _folded(finding: Finding, places: Places) -> dict[str, Any]:
    """A finding of the same cause, which is no result of its own."""
    return {
        "ruleId": printable(finding.rule),
        "level": finding.level.value,
        "fingerprint": finding.fingerprint,
        "message": printable(finding.message),
        "place": printable(places.shown(anchor(finding))),
    }


# -- the message -----------------------------------------------------------------------------------


class _Related:
    """Places that the message links to, numbered from 1."""

    def __init__(self, primary: Frame, places: Places) -> None:
        self.found: list[dict[str, Any]] = []
        self.full = False
        self._numbers: dict[Frame, int] = {}
        self.primary = primary
        self._places = places

    def number(self, frame: Frame, says: str) -> int:
        """The number to link to; 0 where there is nothing to link to, or no room."""
        if not frame.file or frame == self.primary:
            return 0
        if frame not in self._numbers:
            if len(self.found) + 1 >= MAX_LOCATIONS:
                self.full = True
                return 0
            self._numbers[frame] = len(self.found) + 1
            told = {"id": self._numbers[frame], "message": {"text": _escaped(says)}}
            self.found.append({**told, **_location(frame, self._places)})
        return self._numbers[frame]


def _message(
    finding: Finding, told: list[Side], related: _Related, places: Places
) -> dict[str, Any]:
    """The sentence, then each side with links to where it takes what."""
    story = [[(sentence(finding.message), 0)], *(_side(side, related, places) for side in told)]
    same = same_cause(finding, places.shown)
    rest = [
        *([[(sentence(same[0].upper() + same[1:]), 0)]] if same else []),
        [(f"Confidence: {finding.confidence.value} ({finding.reason}).", 0)],
        [(sentence(f"Fix: {finding.fix}"), 0)],
        [(f"More: lockorder explain {finding.rule}", 0)],
    ]
    plain = [_text(part, _escaped) for part in story]
    if finding.table is None:
        return {"text": "\n\n".join([*plain, *(_text(part, _escaped) for part in rest)])}
    marked = [_text(part, inert) for part in story]
    return {
        "text": "\n\n".join(
            [
                *plain,
                "\n".join(map(_escaped, table_lines(finding.table))),
                *(_text(part, _escaped) for part in rest),
            ]
        ),
        "markdown": "\n\n".join(
            [*marked, inert_table(finding.table), *(_text(part, inert) for part in rest)]
        ),
    }


#: A piece of a message, and the number of the place it links to, or 0.
_Piece = tuple[str, int]


def _side(side: Side, related: _Related, places: Places) -> list[_Piece]:
    pieces: list[_Piece] = [(f"{side.title}: " if side.steps else side.title, 0)]
    for number, step in enumerate(side.steps):
        frame = step.chain[-1] if step.chain else Frame("")
        says = "" if side.declared else step.says
        pieces.append((f"{', ' if number else ''}{says}", 0))
        if frame.file and frame == related.primary:
            pieces.append((" here" if says else "here", 0))
        elif frame.file:
            pieces.append((" at " if says else "", 0))
            pieces.append((places.shown(frame), related.number(frame, step.says)))
        elif frame.function:
            pieces.append((f"{' in ' if says else ''}{frame.function}", 0))
    if side.more:
        pieces.append((f"; {side.more}", 0))
    return [*pieces, (".", 0)]


def _text(pieces: list[_Piece], escaped: Callable[[str], str]) -> str:
    return "".join(f"[{escaped(t)}]({n})" if n else escaped(t) for t, n in pieces)


def _escaped(text: str) -> str:
    """Text for a message that may hold links (section 3.11.6).

    Braces stay: they are doubled only where there are arguments to put in, and nobody who shows
    messages without any undoes it.
    """
    return re.sub(r"[\\\[\]]", lambda m: f"\\{m[0]}", printable(text))


# -- who did what ----------------------------------------------------------------------------------


def _flows(told: list[Side], place: Frame, places: Places) -> tuple[list[dict[str, Any]], bool]:
    """A thread flow a side, and whether steps were left out.

    What was only declared is done by no thread.
    """
    chains = [len(step.chain) for side in told if not side.declared for step in side.steps]
    whole = sum(chains) <= MAX_STEPS
    room = MAX_STEPS
    # Every chain keeps its end, which is what a step is about, and its beginning.
    share = MAX_STEPS if whole else max(1, MAX_STEPS // len(chains))
    flows = []
    for number, side in enumerate((s for s in told if not s.declared), 1):
        steps = [at for step in side.steps for at in _steps(step, share, place, places)][:room]
        room -= len(steps)
        if steps:
            message = {"text": _escaped(side.title)}
            flows.append({"id": str(number), "message": message, "locations": steps})
    return flows, not whole


def _steps(step: Step, share: int, place: Frame, places: Places) -> Iterator[dict[str, Any]]:
    """The chain of *step*, outermost first, with at most *share* frames."""
    chain = list(enumerate(step.chain))
    if len(chain) > share:
        chain = [*chain[: 1 if share > 1 else 0], *chain[len(chain) - max(share - 1, 1) :]]
    for depth, frame in chain:
        last = depth == len(step.chain) - 1
        says = f"{frame.function}: {step.says}" if last else f"in {frame.function}"
        at = frame if frame.file else _nearest(step.chain, depth, place)
        if at is not frame:
            says += " (no source known, shown at the nearest call that has one)"
        location = _location(at, places, frame.function)
        yield {
            "location": {**location, "message": {"text": _escaped(says)}},
            "nestingLevel": depth,
            "kinds": _KINDS[step.kind] if last else ["call", "function"],
            "importance": "essential" if last else "important",
        }


def _nearest(chain: tuple[Frame, ...], depth: int, place: Frame) -> Frame:
    """Where a frame without a file is shown: where it was called, else where it calls."""
    others = (*reversed(chain[:depth]), *chain[depth + 1 :])
    return next((frame for frame in others if frame.file), place)


# -- places ----------------------------------------------------------------------------------------


def _location(frame: Frame, places: Places, function: str = "") -> dict[str, Any]:
    """A place; of the function in *function* where the frame's own is only near it."""
    name = function or frame.function
    made: dict[str, Any] = {"physicalLocation": _physical(frame, places)}
    if name:
        made["logicalLocations"] = [{"fullyQualifiedName": printable(name), "kind": "function"}]
    return made


def _physical(frame: Frame, places: Places) -> dict[str, Any]:
    if not frame.file:
        return {"artifactLocation": {"uri": NO_FILE, "uriBaseId": "%SRCROOT%"}}
    uri, inside = places.uri(frame.file)
    artifact = {"uri": uri, **({"uriBaseId": "%SRCROOT%"} if inside else {})}
    if frame.line < 1:
        return {"artifactLocation": artifact}
    return {"artifactLocation": artifact, "region": _region(frame, places)}


def _region(frame: Frame, places: Places) -> dict[str, Any]:
    """From the column, or the first character that is no blank, to the end of the line."""
    region: dict[str, Any] = {"startLine": frame.line, "endLine": frame.line}
    line = places.excerpts.line(frame.file, frame.line).rstrip()
    units = line.encode("utf-16-le")
    start = len(line) - len(line.lstrip()) + 1  # blanks are one unit each
    if frame.column > 0:
        start = places.excerpts.utf16_column(frame.file, frame.line, frame.column)
    end = min(len(units) // 2, start - 1 + MAX_SNIPPET) + 1
    if end > start:
        text = units[2 * (start - 1) : 2 * (end - 1)].decode("utf-16-le", "replace")
        region |= {"startColumn": start, "endColumn": end, "snippet": {"text": printable(text)}}
    elif frame.column > 0:
        region["startColumn"] = start
    return region
