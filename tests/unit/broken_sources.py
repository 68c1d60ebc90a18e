"""Sources that are broken: see broken."""

from __future__ import annotations

import codecs
import gzip
import os
from pathlib import Path
from random import Random

from broken import (
    TOLERATED,
    Maker,
    archive,
    dangling,
    elf,
    endless_device,
    inserted,
    locked,
    loop,
    pipe,
    plug,
    program,
)

TEXT = program("bad")
_BODY = TEXT.index("{\n  pthread")
_NO_PROGRAM = "could be read"


def _write(file: Path, text: str | bytes, reason: str = TOLERATED) -> str:
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return reason


# -- bytes ----------------------------------------------------------------------------------------


def empty(file: Path, rng: Random) -> str:
    return _write(file, rng.choice([b"", b"\n", codecs.BOM_UTF8, b" \t\r\n", b"\\\n"]))


def nul(file: Path, rng: Random) -> str:
    return _write(file, inserted(TEXT.encode(), b"\0" * rng.randrange(1, 9), rng), "NUL byte")


def wide_characters(file: Path, rng: Random) -> str:
    return _write(file, TEXT.encode(rng.choice(["utf-16", "utf-32", "utf-16-be"])), "NUL byte")


def linked_program(file: Path, rng: Random) -> str:
    return _write(file, elf(rng), "NUL byte")


def packed(file: Path, rng: Random) -> str:
    data = archive(rng) if rng.random() < 0.5 else gzip.compress(TEXT.encode(), mtime=0)
    return _write(file, data, "NUL byte")


def not_utf8_in_a_comment(file: Path, rng: Random) -> str:
    odd = bytes(rng.randrange(0x80, 0x100) for _ in range(rng.randrange(1, 20)))
    return _write(file, b"// " + odd + b"\n" + TEXT.encode())


def not_utf8_in_a_string(file: Path, rng: Random) -> str:
    odd = bytes(rng.randrange(0x80, 0x100) for _ in range(rng.randrange(1, 20)))
    return _write(file, TEXT.encode() + b'const char *text = "' + odd + b'";\n')


def byte_order_mark(file: Path, _: Random) -> str:
    return _write(file, codecs.BOM_UTF8 + TEXT.encode())


def other_line_ends(file: Path, rng: Random) -> str:
    return _write(file, TEXT.replace("\n", rng.choice(["\r\n", "\r", "\n\r", "\r\r\n"])))


# -- text that is no C++ --------------------------------------------------------------------------


def prose(file: Path, rng: Random) -> str:
    lines = [
        "Dear reader",
        "this letter explains how locks are ordered",
        "and why nobody should worry about that at all",
        "it was written on a quiet afternoon in spring",
    ]
    rng.shuffle(lines)
    return _write(file, "\n".join(lines) + "\n", _NO_PROGRAM)


def large_file_pointer(file: Path, rng: Random) -> str:
    text = f"version https://git-lfs.github.com/spec/v1\noid sha256:{rng.randbytes(32).hex()}\n"
    return _write(file, f"{text}size {rng.randrange(10**9)}\n", _NO_PROGRAM)


def python(file: Path, rng: Random) -> str:
    name = rng.choice(["run", "stop"])
    return _write(file, f"import os\n\ndef {name}(self):\n    return os.getpid()\n", _NO_PROGRAM)


# -- C++ that is broken ---------------------------------------------------------------------------


def cut_in_a_function(file: Path, rng: Random) -> str:
    return _write(file, TEXT[: rng.randrange(_BODY + 2, len(TEXT) - 3)])


def braces(file: Path, rng: Random) -> str:
    marks = [at for at, mark in enumerate(TEXT) if mark in "{}" and at >= _BODY]
    at = rng.choice(marks)
    return _write(file, TEXT[:at] + TEXT[at] * rng.choice([0, 2, 3]) + TEXT[at + 1 :])


def left_open(file: Path, rng: Random) -> str:
    what = rng.choice(["/* never closed", '"never closed', "'", 'R"x(never closed', "#if 1", "("])
    return _write(file, f"{TEXT}\n{what}\n")


def conflict(file: Path, rng: Random) -> str:
    lines = TEXT.splitlines(keepends=True)
    at = rng.randrange(1, len(lines))
    both = ["<<<<<<< HEAD\n", lines[at], "=======\n", lines[at], ">>>>>>> topic\n"]
    return _write(file, "".join([*lines[:at], *both, *lines[at + 1 :]]))


def conditions(file: Path, rng: Random) -> str:
    odd = rng.choice(["#endif", "#else", "#elif", "#if", "#ifdef", "#if 1 +", "#if ((", "#unknown"])
    return _write(file, f"{odd}\n{TEXT}{odd}\n")


def circular_macros(file: Path, rng: Random) -> str:
    count = rng.randrange(2, 30)
    macros = "".join(f"#define M{n} M{(n + 1) % count}\n" for n in range(count))
    return _write(file, f"{macros}#define F(x) F(F(x))\n{TEXT}int M0 = F(1);\n")


def includes_itself(file: Path, rng: Random) -> str:
    included = rng.choice(["bad.cpp", "./bad.cpp", "../bad.cpp", str(file), "build/../bad.cpp"])
    return _write(file, f'#ifndef SEEN\n#define SEEN\n#include "{included}"\n{TEXT}#endif\n')


def odd_includes(file: Path, rng: Random) -> str:
    names = [
        '""',
        "<>",
        '"\\\\"',
        '"."',
        '"/"',
        '"/dev/null"',
        "<../..>",
        '"a\tb"',
        '"' + "x" * 300,
    ]
    rng.shuffle(names)
    return _write(file, "".join(f"#include {n}\n" for n in names) + TEXT)


def nested_a_little(file: Path, rng: Random) -> str:
    depth = rng.randrange(50, 200)
    return _write(file, f"{TEXT}int x = {'(' * depth}1{')' * depth};\n")


def long_line(file: Path, rng: Random) -> str:
    filler = "x" * rng.randrange(10_000, 500_000)
    return _write(file, f'const char *text = "{filler}"; {TEXT}')


def odd_comments(file: Path, rng: Random) -> str:
    words = [
        "ignore[", "ignore]", "ignore[]", "ignore[lock-order-cycl]", "ignore", "disable", "enable",
        "ignore-next-line[,,]", "disable[lock-order-cycle", "enable[self-deadlock]", "ignore[\\]",
        "ignore[lock-order-cycle]]]", "ignor[x]", "\N{RIGHT-TO-LEFT OVERRIDE}ignore[x]",
    ]  # fmt: skip
    lines = [f"// lockorder: {w}\n" for w in rng.sample(words, 8)]
    lines += ["/* lockorder: ignore[a\nb] */\n", "// NOLINT(lockorder-)\n", "// NOLINT(lockorder-x"]
    return _write(file, f"{''.join(lines)}\n{TEXT}/* lockorder: ")


# -- what is no file ------------------------------------------------------------------------------


def empty_folder(file: Path, _: Random) -> str:
    file.mkdir()
    return TOLERATED


def name_that_is_not_utf8(file: Path, rng: Random) -> str:
    name = os.fsencode(file.parent) + b"/bad.cpp" + bytes([rng.randrange(0x80, 0xC0)]) + b".cpp"
    with open(name, "wb") as odd:
        odd.write(TEXT.encode())
    return "its name is not UTF-8"


def _beside(make: Maker) -> Maker:
    def header(file: Path, rng: Random) -> str:
        """A source that is in order, with such a file as its header."""
        for number in range(rng.choice([1, 4])):  # from three on, headers are precompiled
            name = file.with_name(f"bad{number}.cpp")
            name.write_text(f'#include "bad.h"\n{program(f"bad{number}")}')
        return make(file.with_name("bad.h"), rng)

    header.__name__ = f"header_{make.__name__}"
    return header


MAKERS: list[Maker] = [
    empty, nul, wide_characters, linked_program, packed, not_utf8_in_a_comment,
    not_utf8_in_a_string, byte_order_mark, other_line_ends, prose, large_file_pointer, python,
    cut_in_a_function, braces, left_open, conflict, conditions, circular_macros, includes_itself,
    odd_includes, nested_a_little, long_line, odd_comments, empty_folder, name_that_is_not_utf8,
    dangling, loop, pipe, endless_device, plug, _beside(nul), _beside(dangling), _beside(pipe),
    *([locked] if os.geteuid() else []),
]  # fmt: skip
