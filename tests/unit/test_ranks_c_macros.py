"""Macros that stand for parts of statements, in the text of a file."""

from __future__ import annotations

import pytest

from lockorder.ranks.c_macros import put_in


@pytest.mark.parametrize(
    ("macro", "used", "made"),
    [
        ("ON_ROOT if (me == 0)", "ON_ROOT { go(); }", "if (me == 0) { go(); }"),
        ("ON(r) if (me == (r))", "ON(2) go();", "if (me == (2)) go();"),
        ("EACH(i, n) for (int i = 0; i < n; i++)", "EACH(k, f(a, b)) go(k);",
         "for (int k = 0; k < f(a, b); k++) go(k);"),
        ("FOREVER while (1)", "FOREVER go();", "while (1) go();"),
        ("A if (x)", 'go("A"); // A', 'go("A"); // A'),  # not in texts, not in comments
        ("A if (x)", "AA go();", "AA go();"),
        ("ON(r) if (me == (r))", "ON = 3;", "ON = 3;"),  # no call of it
        ("ON(a, b) if (a == b)", "ON(1) go();", "ON(1) go();"),  # of another macro
        ("N 3", "x = N;", "x = N;"),  # an expression is the reader's
        ("CHECK(c) do { c; } while (0)", "CHECK(go());", "CHECK(go());"),  # so is a statement
        ("DONE if (x) { go(); }", "DONE", "DONE"),
        ("A if (A)", "A go();", "if (" * 8 + "A" + ")" * 8 + " go();"),  # it ends
    ],
)  # fmt: skip
def test_one_line(macro: str, used: str, made: str) -> None:
    text = f"#define {macro}\n{used}\n"
    assert put_in(text.encode()).decode() == f"#define {macro}\n{made}\n"


def test_one_that_uses_another() -> None:
    text = b"#define ROOT if (me == 0)\n#define LOUD ROOT if (v)\nLOUD go();\n"
    assert put_in(text).splitlines()[2] == b"LOUD go();"  # does not begin with the word itself


def test_a_definition_of_several_lines_keeps_the_lines() -> None:
    text = b"#define ON_ROOT \\\n    if (me == \\\n        0)\nint x;\nON_ROOT go();\n"
    made = put_in(text).split(b"\n")
    assert made[:4] == text.split(b"\n")[:4]
    assert made[4] == b"if (me == 0) go();"


def test_no_directive_is_changed() -> None:
    text = b"#define A if (x)\n#ifdef A\n#define B \\\n  A\n#endif\n"
    assert put_in(text) == text
