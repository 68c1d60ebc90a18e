"""The JSON Schema of the configuration: current, valid, and of one mind with the loader."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import lockorder
from lockorder import config_schema
from lockorder.config import ConfigError, load
from lockorder.rules import RULES

if sys.version_info >= (3, 11):
    import tomllib
else:  # pragma: no cover - the same library under its older name
    import tomli as tomllib

PACKAGE = Path(lockorder.__file__).parent
SHIPPED = PACKAGE / "config.schema.json"
DOCS = Path(__file__).parents[2] / "docs" / "configuration.md"
SCHEMA = config_schema.schema()
EXAMPLES = re.findall(r"^```toml\n(.*?)^```$", DOCS.read_text(), re.M | re.S)


def test_the_shipped_file_is_current() -> None:
    assert SHIPPED.read_text(encoding="utf-8") == config_schema.text(), "run `make docs`"


def test_it_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def tables() -> list[tuple[str, dict[str, Any]]]:
    parts = SCHEMA["$defs"].items()
    return [("the file", SCHEMA), *((n, p) for n, p in parts if "properties" in p)]


@pytest.mark.parametrize(("name", "table"), tables(), ids=lambda x: x if isinstance(x, str) else "")
def test_every_table_is_closed_and_described(name: str, table: dict[str, Any]) -> None:
    assert table["additionalProperties"] is False
    assert table["description"]
    assert "``" not in json.dumps(table)
    if name in ("the file", "PathTable"):
        assert [k for k, each in table["properties"].items() if "description" not in each] == []


def test_rules_are_known() -> None:
    assert SCHEMA["$defs"]["Rule"]["enum"] == [rule.id for rule in RULES]


def test_every_table_of_the_knowledge_fits() -> None:
    check = Draft202012Validator(SCHEMA)
    for file in sorted((PACKAGE / "knowledge").glob("*.toml")):
        check.validate(tomllib.loads(file.read_text()))


def test_the_documentation_has_examples() -> None:
    assert len(EXAMPLES) >= 4


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: text.split("\n")[0])
def test_the_documentations_examples_load(tmp_path: Path, text: str) -> None:
    file = tmp_path / "lockorder.toml"
    file.write_text(text)
    assert load(file).knowledge()
    Draft202012Validator(SCHEMA).validate(tomllib.loads(text))


@pytest.mark.parametrize(
    "text",
    [
        "ordr = []",
        'order = "A"',
        "order = [1]",
        'select = "a"',
        "exclude = [3]",
        "[[path]]\n",
        "[[path]]\nmatch = []",
        '[[path]]\nmatch = "a"',
        '[[path]]\nmatch = ["a"]\nignor = []',
        '[[path]]\nmatch = ["a"]\nlevel = { "lock-order-cycle" = "nope" }',
        '[[lock]]\ntypes = ["T"]\nkind = "mutx"',
        '[[callback]]\nregisters = ["a"]\nthread = 1',
        '[[callback]]\nregisters = ["a"]\nthread = true\narguments = [-1]',
        '[[blocks]]\nnames = ["a"]\nwaits_for = "a friend"',
        "footprint_limit_mib = 0",
        "footprint_limit_mib = true",
    ],
)
def test_what_the_loader_refuses_the_schema_does(tmp_path: Path, text: str) -> None:
    file = tmp_path / "lockorder.toml"
    file.write_text(text)
    with pytest.raises(ConfigError):
        load(file)
    assert not Draft202012Validator(SCHEMA).is_valid(tomllib.loads(text))


def test_rules_by_wrong_names_are_refused() -> None:
    check = Draft202012Validator(SCHEMA)
    for wrong in ({"select": ["x"]}, {"path": [{"match": ["a"], "level": {"x": "note"}}]}):
        assert not check.is_valid(wrong)
    right = {"match": ["a"], "level": {"lock-order-cycle": "note"}, "ignore": ["self-deadlock"]}
    assert check.is_valid({"path": [right]})
