"""Comments that accept findings: which lines they speak of, and what is wrong with some."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder import comments

RULES = {"lock-order-cycle", "self-deadlock", "blocking-under-lock"}


def read(tmp_path: Path, text: str) -> comments.Comments:
    (tmp_path / "a.cpp").write_text(text)
    return comments.read(tmp_path, ["a.cpp"], RULES)


def spans(found: comments.Comments) -> list[tuple[str, int, int, str]]:
    return [(s.rule, s.first, s.last, s.reason) for s in found.suppressions]


@pytest.mark.parametrize(
    ("text", "rule", "first", "last", "reason"),
    [
        ("f(); // lockorder: ignore[self-deadlock] two objects", "self-deadlock", 1, 1,
         "two objects"),
        ("// lockorder: ignore-next-line[self-deadlock]: see #7\nf();", "self-deadlock", 2, 2,
         "see #7"),
        ("/* lockorder: ignore[self-deadlock] why */ f();", "self-deadlock", 1, 1, "why"),
        ("/*\n lockorder: ignore-next-line[self-deadlock]\n*/ f();", "self-deadlock", 3, 3, ""),
        ("// lockorder: disable[self-deadlock] old\nf();\n// lockorder: enable[self-deadlock]\n",
         "self-deadlock", 1, 3, "old"),
        ("\n// lockorder: disable[self-deadlock]\nf();\ng();", "self-deadlock", 2, 4, ""),
        ("f(); // NOLINT(lockorder-self-deadlock)", "self-deadlock", 1, 1, ""),
        ("f(); // NOLINT(bugprone-x, lockorder-self-deadlock): known", "self-deadlock", 1, 1,
         "known"),
        ("// NOLINTNEXTLINE(lockorder-self-deadlock)\nf();", "self-deadlock", 2, 2, ""),
        ("// NOLINTBEGIN(lockorder-self-deadlock)\nf();\n// NOLINTEND(lockorder-self-deadlock)",
         "self-deadlock", 1, 3, ""),
        ("auto s = \"//\"; // lockorder: ignore[self-deadlock]", "self-deadlock", 1, 1, ""),
        ("int n = 1'000'000; // lockorder: ignore[self-deadlock]", "self-deadlock", 1, 1, ""),
        ("char c = '\"'; // lockorder: ignore[self-deadlock]", "self-deadlock", 1, 1, ""),
        ("f(); //lockorder:ignore[ self-deadlock ]why\r\n", "self-deadlock", 1, 1, "why"),
    ],
)  # fmt: skip
def test_what_a_comment_speaks_of(
    tmp_path: Path, text: str, rule: str, first: int, last: int, reason: str
) -> None:
    found = read(tmp_path, text)
    assert spans(found) == [(rule, first, last, reason)]
    assert found.warnings == []


def test_several_rules_in_one_comment(tmp_path: Path) -> None:
    found = read(tmp_path, "f(); // lockorder: ignore[self-deadlock, lock-order-cycle] both\n")
    assert spans(found) == [
        ("self-deadlock", 1, 1, "both"),
        ("lock-order-cycle", 1, 1, "both"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        'auto s = "// lockorder: ignore[self-deadlock]";',
        'auto s = R"x(\n// lockorder: ignore[self-deadlock]\n)x";',
        "lockorder: ignore[self-deadlock];",
        "// NOLINT",
        "// NOLINT(bugprone-lockorder)",
        "// lockorder: a tool that finds deadlocks",
        "// see lockorder's page",
    ],
)
def test_what_is_no_such_comment(tmp_path: Path, text: str) -> None:
    found = read(tmp_path, text)
    assert (found.suppressions, found.warnings) == ([], [])


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ("// lockorder: ignore[self-deadlok]", "a.cpp:1: no rule is called 'self-deadlok': "
         "did you mean self-deadlock?"),
        ("// NOLINT(lockorder-nothing)", "a.cpp:1: no rule is called 'nothing': "
         "`lockorder explain` lists them"),
        ("// NOLINT(lockorder-*)", "a.cpp:1: no rule is called '*': "
         "`lockorder explain` lists them"),
        ("\n// lockorder: ignore", "a.cpp:2: which rule? it has to be named: "
         "lockorder: ignore[rule]"),
        ("// lockorder: ignore[]", "a.cpp:1: which rule? it has to be named: "
         "lockorder: ignore[rule]"),
        ("// lockorder: ignroe[self-deadlock]", "a.cpp:1: `lockorder: ignroe` means nothing: did "
         "you mean ignore?"),
        ("// lockorder: enable[self-deadlock]", "a.cpp:1: self-deadlock is enabled, but nothing "
         "disabled it above"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(tmp_path: Path, text: str, warning: str) -> None:
    found = read(tmp_path, text)
    assert found.suppressions == []
    assert found.warnings == [warning]


def test_disabled_twice(tmp_path: Path) -> None:
    again = "// lockorder: disable[self-deadlock]\n"
    found = read(tmp_path, again + again)
    assert found.warnings == ["a.cpp:2: self-deadlock is disabled already, since line 1"]
    assert spans(found) == [("self-deadlock", 1, 3, "")]


def test_a_file_that_is_gone_has_no_comments(tmp_path: Path) -> None:
    found = comments.read(tmp_path, ["gone.cpp", "nul\0.cpp"], RULES)
    assert (found.suppressions, found.warnings) == ([], [])


PIECES = st.sampled_from(
    ["// ", "/* ", " */", "\n", '"', "'", "\\", 'R"(', ')"', "lockorder: ", "ignore", "disable",
     "enable", "[self-deadlock]", "[", "]", "NOLINT(lockorder-self-deadlock)", "x", "1'0", "\\\n"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=30).map("".join))
def test_any_text_is_read(text: str) -> None:
    found = comments.Comments([], [])
    comments._scan("a.cpp", text.encode(), RULES, found)
    lines = text.count("\n") + 1
    for each in found.suppressions:
        assert 1 <= each.line <= lines
        assert each.line <= each.first + 1
        assert each.first <= each.last <= lines + 1
