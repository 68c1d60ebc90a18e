"""What locks are called does not depend on what is seen first, nor on where the project lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

SOURCE = """
#include <mutex>
static std::mutex mu;
std::mutex {0};
void {0}_one() {{ std::lock_guard<std::mutex> a(mu); std::lock_guard<std::mutex> b({0}); }}
"""


def names(folder: Path, **sources: str) -> set[str]:
    for name, text in sources.items():
        file = folder / f"{name.replace('_', '/')}.cpp"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return set(analyse([folder], Options(inline=True, cache=False)).graph.locks)


def test_one_of_a_name_is_called_that(tmp_path: Path) -> None:
    assert names(tmp_path, a=SOURCE.format("red")) == {"mu", "red"}


def test_each_of_two_of_a_name_has_its_file(tmp_path: Path) -> None:
    found = names(tmp_path, a=SOURCE.format("red"), b=SOURCE.format("blue"))
    assert found == {"mu (a.cpp)", "mu (b.cpp)", "red", "blue"}


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    sources = {"x_a": SOURCE.format("red"), "y_a": SOURCE.format("blue")}
    assert names(tmp_path, **sources) == {"mu (x/a.cpp)", "mu (y/a.cpp)", "red", "blue"}


def test_what_nobody_takes_counts_all_the_same(tmp_path: Path) -> None:
    """So that one more use of a lock renames no other."""
    quiet = "#include <mutex>\nstatic std::mutex mu;\nint use() { return sizeof(mu); }\n"
    assert names(tmp_path, a=SOURCE.format("red"), b=quiet) == {"mu (a.cpp)", "red"}


@pytest.mark.parametrize("lines", [0, 7])
def test_lines_do_not_count_where_files_do(tmp_path: Path, lines: int) -> None:
    found = names(tmp_path, a="\n" * lines + SOURCE.format("red"), b=SOURCE.format("blue"))
    assert "mu (a.cpp)" in found


def test_two_in_one_file_have_their_lines(tmp_path: Path) -> None:
    text = """
#include <mutex>
std::mutex other;
int take(int) { std::mutex mu; std::lock_guard<std::mutex> a(mu); other.lock(); return 1; }
int take(char) { std::mutex mu; std::lock_guard<std::mutex> a(mu); other.lock(); return 1; }
"""
    assert names(tmp_path, a=text) == {"take::mu (a.cpp:4)", "take::mu (a.cpp:5)", "other"}
