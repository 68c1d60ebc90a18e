"""Findings as workflow commands: GitHub Actions makes annotations of them, beside the lines.

"Workflow commands for GitHub Actions" has the syntax. A step may make ten annotations of each
level (GitHub's documentation of check runs), and a runner cuts messages; the rest would go without
a word, so a last notice says what is missing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from lockorder.model import Document, Finding, Frame, Level
from lockorder.report.excerpts import Excerpts
from lockorder.report.places import Places, anchor
from lockorder.report.rendered import Rendered
from lockorder.report.sides import by_weight, same_cause, sentence, sides
from lockorder.report.text import printable

#: Annotations of one level that a step can make.
MAX_EACH = 10
#: Bytes of a message that runners keep.
MAX_MESSAGE = 4000
#: Problems that are named; stderr has all.
MAX_PROBLEMS = 10
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def render(document: Document, excerpts: Excerpts) -> Rendered:
    """A line for each finding, the severest first; nothing where nothing was found."""
    places = _places(excerpts)
    names = {lock.id: lock.name for lock in document.locks}
    lines = [_problems(document)] if document.problems else []
    ordered = by_weight(document.findings)
    kept: list[Finding] = []
    for level in Level:
        mine = [f for f in ordered if f.level is level]
        room = MAX_EACH - (level is Level.ERROR and bool(lines))
        kept += mine[:room]
    if len(kept) < len(ordered):
        # The last notice needs a place of its own.
        notes = [f for f in kept if f.level is Level.NOTE]
        kept = [f for f in kept if f.level is not Level.NOTE] + notes[: MAX_EACH - 1]
    lines += [_annotation(finding, names, places) for finding in kept]
    if document.headline and not kept:
        lines.append(
            command("notice", {"title": "lockorder"}, _short(printable(document.headline)))
        )
    cut: tuple[str, ...] = ()
    if len(kept) < len(ordered):
        more = len(ordered) - len(kept)
        said = (
            f"{more} more of {len(ordered)} findings are no annotations: GitHub shows "
            f"{MAX_EACH} of each level in a step; --format sarif or text has them"
        )
        lines.append(command("notice", {"title": "lockorder: there is more"}, said))
        cut = (said,)
    return Rendered("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"), cut)


def command(name: str, properties: Mapping[str, str], message: str) -> str:
    """One workflow command, in one line; empty properties are left out."""
    told = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    return f"::{name}{' ' if told else ''}{told}::{_data(message)}"


def _places(excerpts: Excerpts) -> Places:
    """From the folder that the job checked out to: annotations name files from there."""
    workspace = os.environ.get("GITHUB_WORKSPACE", "")
    root = Path(os.path.abspath(excerpts.root))
    inside = workspace and root.is_relative_to(os.path.abspath(workspace))
    return Places(excerpts, Path(workspace) if inside else None)


def _problems(document: Document) -> str:
    named = [*map(printable, document.problems[:MAX_PROBLEMS])]
    more = len(document.problems) - len(named)
    if more:
        named.append(f"and {more} more")
    title = {"title": "lockorder: something could not be analysed"}
    return command("error", title, _short("\n".join(named)))


def _annotation(finding: Finding, names: Mapping[str, str], places: Places) -> str:
    place = anchor(finding)
    told = {**_position(place, places), "title": printable(f"lockorder: {finding.rule}")}
    lines = [printable(sentence(finding.message))]
    for side in sides(finding, names):
        steps = []
        for step in side.steps:
            frame = step.chain[-1] if step.chain else Frame("")
            where = "here" if frame == place else f"at {places.shown(frame)}"
            says = "" if side.declared else step.says
            steps.append(f"{says} {where}".lstrip() if frame.file else says)
        lines.append(printable(f"{side.title}: {', '.join(steps)}" if steps else side.title))
    same = same_cause(finding, places.shown)
    last = [
        *([same] if same else []),
        f"confidence: {finding.confidence.value} ({finding.reason})",
        f"fix: {finding.fix}",
        f"more: lockorder explain {finding.rule}",
    ]
    # What is too long is the sides' names; what to do has to stay.
    tail = "\n".join(_short(printable(line), MAX_MESSAGE // 4) for line in last)
    head = _short("\n".join(lines), MAX_MESSAGE - len(tail.encode("utf-8", "replace")) - 1)
    return command(_COMMANDS[finding.level], told, f"{head}\n{tail}")


def _position(place: Frame, places: Places) -> dict[str, str]:
    """``file``, ``line``, ``col`` and their ends; nothing for a file outside of the repository."""
    file = places.relative(place.file) if place.file else None
    if file is None:
        return {}
    told = {"file": printable(file)}
    if place.line > 0:
        told |= {"line": str(place.line), "endLine": str(place.line)}
    if place.line > 0 and place.column > 0:
        column = places.excerpts.utf16_column(place.file, place.line, place.column)
        told["col"] = str(column)
    return told


def _short(text: str, room: int = MAX_MESSAGE) -> str:
    data = text.encode("utf-8", "replace")
    if len(data) <= room:
        return text
    return data[: max(room - 4, 0)].decode("utf-8", "ignore") + " ..."


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
