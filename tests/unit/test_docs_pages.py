"""The pages that people write: links lead somewhere, examples of configurations are understood."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lockorder import config
from lockorder.rules import RULES

ROOT = Path(__file__).parents[2]
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md")])
#: Keys of the pages that come with parts which are still being built; empty once they are there.
COMING = ("exclude", "path", "callback", "baseline")
by_name = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def anchors(page: Path) -> set[str]:
    """What GitHub makes of a page's headings."""
    headings = re.findall(r"^#+ (.*)$", without_code(page), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}


def without_code(page: Path) -> str:
    """A page's text without fenced blocks."""
    return re.sub(r"^ *```.*?^ *```$", "", page.read_text("utf-8"), flags=re.M | re.S)


@by_name
def test_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", without_code(page)):
        if link.startswith("https://"):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


@by_name
def test_configurations_in_the_pages_are_understood(page: Path, tmp_path: Path) -> None:
    file = tmp_path / "lockorder.toml"
    for block in re.findall(r"^( *)```toml\n(.*?)^\1```$", page.read_text("utf-8"), re.M | re.S):
        file.write_text(block[1])
        try:
            config.load(file).knowledge()
        except config.ConfigError as error:
            if not any(f"unknown key '{key}'" in str(error) for key in COMING):
                raise


def test_the_index_lists_every_rule_and_every_page() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    for rule in RULES:
        row = f"| [{rule.id}](rules/{rule.id}.md) | {rule.level.value} | {rule.summary} |"
        assert row in index
    for page in (ROOT / "docs").glob("*.md"):
        assert f"({page.name})" in index or page.name == "README.md"
