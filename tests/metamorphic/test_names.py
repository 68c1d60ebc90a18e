"""Which names of a program can be called something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from metamorphic.directed import words_for_compilers
from metamorphic.pasting import without_pasted
from metamorphic.programs import last_place, read
from metamorphic.reading import Reading, noted_errors, read_program


def reading(folder: Path, **files: str) -> Reading:
    """What clang says of files ``stem_ending``."""
    for name, text in files.items():
        (folder / ".".join(name.rsplit("_", 1))).write_text(text)
    return read_program(folder, read(folder))


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("#define MAKE(n) int make_##n;\nMAKE(one)", {"one", "make_one"}),
        ("#define MAKE(n) int n ## _made;\nMAKE(one)\nint two;", {"one", "one_made"}),
        ("#define MAKE(n) int make_##n;\n#define HAND(n) MAKE(n)\nHAND(one)", {"one", "make_one"}),
        ("#define EACH(X) X(one)\n#define MAKE(n) int n##_made;\nEACH(MAKE)", {"one", "one_made"}),
        ("#define MAKE(n) make_##n\n#define SEEN(e) (e)\nSEEN(MAKE(one) + two);",
         {"one", "make_one"}),
        ("#define SEEN(e) (e)\nSEEN(one);", set[str]()),
        ("#define TELL(f, ...) tell(f, ##__VA_ARGS__)\nTELL(one, two);", set[str]()),
        ("#define TELL(f, ...) tell(f,  ##__VA_ARGS__)\nTELL(one, two);", set[str]()),
        ("// MAKE(n) make_##n\nint one;", set[str]()),
    ],
)  # fmt: skip
def test_parts_of_names_are_left_alone(text: str, bound: set[str]) -> None:
    own = ["make_one", "one", "one_made", "two"]
    assert set(own) - set(without_pasted([text], own)) == bound


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("#pragma pack(push, 1)\nint push;", {"pack", "push"}),
        ('#pragma comment(lib, "sockets")', {"comment", "lib"}),
        ('_Pragma("once") __pragma(warning(disable : 4))', {"warning", "disable"}),
        ("#if LEVEL > 2 && \\\n  defined(DEEP)\n#endif", {"LEVEL", "defined", "DEEP"}),
        ("#define LEVEL one\n#include <vector>", set[str]()),
        ("int one __attribute__((aligned(size), unused));", {"aligned", "unused"}),
        ("[[clang::guarded_by(gate), nodiscard]] int one;", {"clang", "guarded_by", "nodiscard"}),
        ("__declspec(align(8)) int one;", {"align"}),
        ("int one = table[other[0]];", set[str]()),
        ('asm("add %1, %w[sum]" : [sum] "+r"(total));', {"sum"}),
    ],
)
def test_words_that_are_said_to_a_compiler(text: str, words: set[str]) -> None:
    assert set(words_for_compilers(text)) == words


def test_what_a_header_of_others_declares_keeps_its_name(tmp_path: Path) -> None:
    """Even if the program declares it for itself, in units that do without that header."""
    found = reading(
        tmp_path,
        with_cpp="#include <cuda_runtime.h>\n#include <stdio.h>\nint here;\n",
        without_cpp=(
            "enum Outcome { cudaErrorStubLibrary = 34, fine };\n"
            "int BUFSIZ = 2;\n"
            "Outcome there() { return cudaErrorStubLibrary; }\n"
        ),
    )
    assert {"here", "there", "Outcome", "fine"} <= set(found.own)
    assert not {"cudaErrorStubLibrary", "BUFSIZ"} & set(found.own)


def test_virtual_functions_of_others_keep_their_names(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "inside").mkdir()
    (tmp_path / "outside" / "base.h").write_text(
        "struct Base { virtual void turn(); void once(); };\n"
    )
    folder = tmp_path / "inside"
    found = reading(
        folder,
        own_cpp='#include "../outside/base.h"\nstruct Own : Base { void turn() override; };\n',
    )
    assert "Own" in found.own
    assert "turn" not in found.own


def test_what_many_units_share_is_read(tmp_path: Path) -> None:
    """Though an analysis has such a header precompiled."""
    unit = '#include "shared.h"\nint use_{0}() {{ return shared_sum; }}\n'
    units = {f"unit{i}_cpp": unit.format(i) for i in range(6)}
    found = reading(
        tmp_path, shared_h="#pragma once\nextern int shared_sum, unused_sum;\n", **units
    )
    assert {"shared_sum", "unused_sum", "use_0"} <= set(found.own)


def test_an_error_in_a_header_is_one_error(tmp_path: Path) -> None:
    units = {f"unit{i}_cpp": '#include "shared.h"\n' for i in range(3)}
    with noted_errors() as errors:
        reading(tmp_path, shared_h="#pragma once\nUnknown known;\n", **units)
    assert {Path(e.file).name for e in errors} == {"shared.h"}
    assert len(errors) == 1


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("#ifndef A_H\n#define A_H\nint one;\n#endif\n", "#endif\n"),
        ("// a\n#ifndef A_H\n#define A_H\n#if B\n#endif\nint one;\n#endif  // A_H\n",
         "#endif  // A_H\n"),
        ("#pragma once\n#if B\nint one;\n#endif\n", ""),
        ("#ifndef A_H\n#define A_H\n#endif\nint one;\n", ""),
    ],
)  # fmt: skip
def test_more_is_put_inside_an_include_guard(text: str, rest: str) -> None:
    assert text[last_place(text) :] == rest
