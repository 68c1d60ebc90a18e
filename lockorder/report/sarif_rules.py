"""Rules as SARIF describes them: ``reportingDescriptor`` objects, SARIF 2.1.0 section 3.49."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lockorder.rules import Rule

#: Characters that code scanning shows of a description.
LONGEST = 1024
_SEVERITY = {"error": "error", "warning": "warning", "note": "recommendation"}
#: What a rule is about beyond its family; GitHub shows ten tags of a rule, and filters by them.
_TAGS = {
    "gil-lock-cycle": ("python",),
    "device-sync-hazard": ("gpu", "nccl"),
    "collective-order": ("gpu", "nccl", "collectives"),
    "collective-mismatch": ("gpu", "nccl", "collectives"),
    "communicator-order-cycle": ("gpu", "nccl", "collectives"),
    "communicator-footprint": ("gpu", "nccl", "memory"),
    "group-imbalance": ("gpu", "nccl"),
    "group-misuse": ("gpu", "nccl"),
    "stuck-rank": ("gpu", "collectives", "hang"),
    "deadlock": ("hang",),
}
#: What these report can be meant so, for reasons that no tool can see.
_LESS_PRECISE = frozenset({"blocking-under-lock", "device-sync-hazard", "collective-order"})


def descriptors(rules: Sequence[Rule], unknown: Sequence[str]) -> list[dict[str, Any]]:
    """All *rules*, found or not, so that they change with the tool only; then *unknown* names."""
    return [*map(_descriptor, rules), *map(_bare, unknown)]


def _descriptor(rule: Rule) -> dict[str, Any]:
    title = f"# {rule.id} ({rule.level.value})\n\n"
    precision = "medium" if rule.id in _LESS_PRECISE else "high"
    return {
        "id": rule.id,
        "shortDescription": {"text": _cut(rule.summary)},
        "fullDescription": {"text": _cut(_what(rule.page) or rule.summary)},
        "help": {"text": title + rule.page, "markdown": title + _markdown(rule.page)},
        "defaultConfiguration": {"level": rule.level.value},
        "properties": {
            "tags": ["concurrency", "deadlock", "reliability", *_TAGS.get(rule.id, ())],
            "precision": precision,
            "problem.severity": _SEVERITY[rule.level.value],
        },
    }


def _bare(rule: str) -> dict[str, Any]:
    """A rule of another version: the result was made there."""
    text = f"The rule {rule} of another version of lockorder."
    return {
        "id": rule,
        "shortDescription": {"text": text},
        "fullDescription": {"text": text},
        "help": {"text": text},
    }


def _what(page: str) -> str:
    """The first paragraph below ``## What it does``, in one line."""
    _, _, rest = page.partition("## What it does\n")
    return " ".join(rest.strip().split("\n\n", 1)[0].split())


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 4]} ..."


def _markdown(page: str) -> str:
    """Pages are Markdown, but their prose has C++ names, and ``<...>`` would be taken for HTML."""
    return "\n".join(_prose(line) for line in page.split("\n"))


def _prose(line: str) -> str:
    if line.startswith("    "):
        return line
    parts = line.split("`")  # every second one is code
    return "`".join(p if i % 2 else p.replace("<", "&lt;") for i, p in enumerate(parts))
