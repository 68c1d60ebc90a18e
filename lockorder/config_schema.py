"""The JSON Schema of a lockorder.toml, for editors: made from the types that read it.

``python -m lockorder.config_schema`` writes it; the copy in the package is made by ``make docs``.
Draft 2020-12 (https://json-schema.org/draft/2020-12/schema).
"""

from __future__ import annotations

import inspect
import json
import re
from typing import Any

import msgspec

from lockorder import config_table
from lockorder.knowledge import schema as knowledge
from lockorder.rules import RULES

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_FIELD = re.compile(r"\s+(\w+):")
_Schema = dict[str, Any]


def text() -> str:
    """The schema as a file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def schema() -> _Schema:
    """The schema of the whole file; every table is told apart by what it says of unknown keys."""
    _, parts = msgspec.json.schema_components((config_table.Table,), ref_template="#/$defs/{name}")
    for name, part in parts.items():
        part.pop("title", None)
        cls = getattr(config_table, name, None) or getattr(knowledge, name, None)
        if cls is not None and "properties" in part:
            _describe(part, cls)
    for part in parts.values():
        for key, each in part.get("properties", {}).items():
            _finish(key, each, parts)
    top = parts.pop("Table")
    parts["Rule"] = {"description": "A rule.", "enum": [rule.id for rule in RULES]}
    return {
        "$schema": _DRAFT,
        "title": "lockorder.toml",
        **top,
        "$defs": dict(sorted(parts.items())),
    }


def _describe(part: _Schema, cls: type) -> None:
    """The docstring of a table, and what the comments say of its keys."""
    part["description"] = _plain(inspect.cleandoc(cls.__doc__ or ""))
    names = {x.name: x.encode_name for x in msgspec.structs.fields(cls)}
    for name, comment in _comments(cls).items():
        if name in names:
            part["properties"][names[name]]["description"] = _plain(comment)


def _comments(cls: type) -> dict[str, str]:
    """Comments ``#:`` by the fields that they stand above, those of base classes too."""
    found: dict[str, str] = {}
    for each in reversed(cls.__mro__):
        if not each.__module__.startswith(__package__):
            continue
        lines: list[str] = []
        for line in inspect.getsource(each).splitlines():
            if line.strip().startswith("#:"):
                lines.append(line.strip()[2:].strip())
                continue
            field = _FIELD.match(line)
            if field is not None and lines:
                found[field.group(1)] = " ".join(lines)
            lines = []
    return found


def _finish(key: str, each: _Schema, parts: dict[str, _Schema]) -> None:
    """What the types do not say: that TOML has no null, and which rules there are."""
    choices = [x for x in each.pop("anyOf", ()) if x != {"type": "null"}]
    if len(choices) == 1:
        each.update(choices[0])
    elif choices:
        each["anyOf"] = choices
    if each.get("default", 0) is None:
        del each["default"]
    if key in ("select", "ignore"):
        each["items"] = {"$ref": "#/$defs/Rule"}
    elif key == "level":
        each["propertyNames"] = {"$ref": "#/$defs/Rule"}
    items = each.get("items")
    name = items.get("$ref", "").rpartition("/")[2] if isinstance(items, dict) else ""
    if name in parts and "description" not in each:
        each["description"] = parts[name]["description"].split("\n")[0]


def _plain(words: str) -> str:
    """A docstring as one line a paragraph, without the marks of its markup."""
    paragraphs = (" ".join(x.split()) for x in words.replace("``", "`").split("\n\n"))
    return "\n".join(paragraphs)


if __name__ == "__main__":
    print(text(), end="")
