"""Preprocessor branches that are off, told without a compiler: as libclang tells them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lockorder.static.parse import clang
from lockorder.static.parse.recovery.conditions import switched_off


def kept(text: str, *flags: str) -> str:
    """*text* without what is off and without directives, in one line."""
    data = bytearray(text.encode())
    for start, end in switched_off(bytes(data), flags):
        for at in range(start, end):
            if data[at] != 10:
                data[at] = 32
    lines = data.decode().splitlines()
    return " ".join(line.strip() for line in lines if line.strip() and "#" not in line)


@pytest.mark.parametrize(
    ("text", "flags", "left"),
    [
        ("#if 0\na\n#else\nb\n#endif\n", (), "b"),
        ("#ifdef USE\na\n#endif\nb\n", (), "b"),
        ("#ifdef USE\na\n#endif\nb\n", ("-DUSE=1",), "a b"),
        ("#ifdef USE\na\n#endif\nb\n", ("-D", "USE"), "a b"),
        ("#ifndef USE\na\n#else\nb\n#endif\n", ("-DUSE", "-UUSE"), "a"),
        ("#define N 3\n#if N > 2 && !defined(M)\na\n#endif\n", (), "a"),
        ("#define N 3\n#undef N\n#if N\na\n#elif 1\nb\n#else\nc\n#endif\n", (), "b"),
        ("#if 0\n#if 1\na\n#endif\n#else\nb\n#endif\n", (), "b"),
        ("#if 1\na\n#elif 1\nb\n#else\nc\n#endif\n", (), "a"),
        ("#if __has_include(<x.h>)\na\n#endif\nb\n", (), "b"),
        ("#if defined __linux__ || defined(_WIN32)\na\n#endif\n", (), "a"),
        ("#ifdef _WIN32\na\n#else\nb\n#endif\n", (), "b"),
        ("/*\n#if 0\n*/\na\n", (), "/* */ a"),
        ("#if 0x10ULL == 16 /* yes */ // or no\na\n#endif\n", (), "a"),
        ("#if STRANGE(1, 2) @\na\n#endif\n", (), "a"),  # what cannot be told stays on
        ("#endif\n#else\na\n", (), "a"),
        ("#if 0\na\n", (), "a"),  # never ends: nothing is known of where it does
    ],
)
def test_branches(text: str, flags: tuple[str, ...], left: str) -> None:
    assert kept(text, *flags) == left


NAMES = st.sampled_from(["A", "B", "C"])
CONDITIONS = st.recursive(
    st.one_of(
        NAMES.map(lambda n: f"defined({n})"),
        NAMES,
        st.integers(0, 3).map(str),
        st.tuples(NAMES, st.sampled_from(["==", "<", ">=", "!="]), st.integers(0, 3)).map(
            lambda t: f"{t[0]} {t[1]} {t[2]}"
        ),
    ),
    lambda inner: st.one_of(
        inner.map(lambda c: f"!({c})"),
        st.tuples(inner, st.sampled_from(["&&", "||"]), inner).map(
            lambda t: f"({t[0]}) {t[1]} ({t[2]})"
        ),
    ),
    max_leaves=5,
)
BLOCKS = st.recursive(
    st.just([["word"]]),
    lambda inner: st.one_of(
        st.tuples(CONDITIONS, inner, CONDITIONS, inner, inner).map(
            lambda t: [
                [f"#if {t[0]}"],
                *t[1],
                [f"#elif {t[2]}"],
                *t[3],
                ["#else"],
                *t[4],
                ["#endif"],
            ]
        ),
        st.tuples(NAMES, st.integers(0, 3), inner).map(
            lambda t: [[f"#define {t[0]} {t[1]}"], *t[2], [f"#undef {t[0]}"]]
        ),
        st.tuples(st.sampled_from(["ifdef", "ifndef"]), NAMES, inner).map(
            lambda t: [[f"#{t[0]} {t[1]}"], *t[2], ["#endif"]]
        ),
        st.tuples(inner, inner).map(lambda t: [*t[0], *t[1]]),
    ),
    max_leaves=8,
)


@settings(max_examples=60, deadline=None)
@given(blocks=BLOCKS, flags=st.sets(st.sampled_from(["-DA=1", "-DB=2", "-DC=0"])))
def test_as_libclang_tells_them(
    blocks: list[list[str]], flags: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The declarations that are left are those that libclang sees."""
    words = [line for (line,) in blocks]
    lines = [f"int v{n};" if line == "word" else line for n, line in enumerate(words)]
    text = "\n".join(lines) + "\n"
    file = Path(tmp_path_factory.mktemp("conditions")) / "x.cpp"
    file.write_text(text)
    unit = clang.parse(file, ["-x", "c++", "-w", *sorted(flags)])
    seen = [c.spelling for c in clang.children(unit.cursor) if c.spelling.startswith("v")]
    left = kept(text, *sorted(flags)).replace("int ", "").replace(";", "").split()
    assert left == seen
