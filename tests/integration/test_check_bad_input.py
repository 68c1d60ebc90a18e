"""`lockorder check` on what a source tree should not hold: the rest is still analysed.

Every bad file stands beside a good one with a known deadlock.  Whatever is wrong with the bad
file, that deadlock is in the report; and what could not be read is named, with exit code 2.
"""

from __future__ import annotations

import codecs
import json
import os
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

CLEAN, FOUND, FAILED = 0, 1, 2

#: Two mutexes in opposite orders; NAME keeps the copies of several files apart.
PROGRAM = """\
#include <mutex>

std::mutex NAME_first;
std::mutex NAME_second;

void NAME_forward() {
    std::lock_guard<std::mutex> outer(NAME_first);
    std::lock_guard<std::mutex> inner(NAME_second);
}

void NAME_backward() {
    std::lock_guard<std::mutex> outer(NAME_second);
    std::lock_guard<std::mutex> inner(NAME_first);
}
"""

Done = subprocess.CompletedProcess[str]


def program(name: str) -> str:
    return PROGRAM.replace("NAME", name)


class Folder:
    """A project in a folder, and `lockorder check` on it."""

    def __init__(self, path: Path, cache: Path) -> None:
        self.path = path
        self._cache = cache
        (path / ".git").mkdir()  # marks the project's root, whatever the folders above hold

    def put(self, name: str, content: str | bytes) -> Path:
        target = self.path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
        return target

    def check(self, *arguments: str, timeout: float = 60, cache: Path | None = None) -> Done:
        return subprocess.run(
            [sys.executable, "-m", "lockorder", "check", *(arguments or (".",))],
            cwd=self.path,
            env={**os.environ, "XDG_CACHE_HOME": str(cache or self._cache)},
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=timeout,
            check=False,
        )


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def folder(tmp_path: Path, cache: Path) -> Folder:
    """A project with one good file."""
    found = Folder(tmp_path, cache)
    found.put("good.cpp", program("good"))
    return found


def deadlocks(done: Done) -> set[str]:
    """The names of the programs whose deadlock is in the report."""
    assert "Traceback" not in done.stderr + done.stdout, done.stderr
    assert done.returncode in (CLEAN, FOUND, FAILED), (done.returncode, done.stderr)
    heads = [x for x in done.stdout.splitlines() if x.endswith("[lock-order-cycle]")]
    return {m.group(1) for x in heads if (m := re.search(r"(\w+)_(?:first|second)\b", x))}


def assert_rejected(done: Done, name: str, reason: str) -> None:
    """Exit code 2, a line on stderr with the file and the reason, the good file's deadlock."""
    assert deadlocks(done) == {"good"}, done.stderr
    assert done.returncode == FAILED
    complaints = [x for x in done.stderr.splitlines() if x.startswith("lockorder: error: ")]
    assert any(name in x and reason in x for x in complaints), done.stderr


def assert_read_or_said(done: Done, name: str) -> None:
    """The deadlock of NAME.cpp is reported, or exit code 2 and a line on stderr name the file."""
    found = deadlocks(done)
    assert "good" in found, done.stderr
    if name not in found:
        assert done.returncode == FAILED, done.stderr
        assert f"lockorder: error: {name}.cpp" in done.stderr


# -- paths ------------------------------------------------------------------------------------


def test_a_folder_without_sources(tmp_path: Path, cache: Path) -> None:
    folder = Folder(tmp_path, cache)
    folder.put("inside/notes.txt", "nothing to see")
    done = folder.check("inside")
    assert deadlocks(done) == set()
    assert done.returncode == FAILED
    assert "inside: no C, C++, CUDA or Python source in this folder" in done.stderr


def test_a_missing_path(folder: Folder) -> None:
    assert_rejected(folder.check("gone.cpp", "good.cpp"), "gone.cpp", "no such file")


def test_a_file_that_is_no_source_by_its_name(folder: Folder) -> None:
    folder.put("notes.txt", "nothing to see\n")
    reason = "not a C, C++, CUDA or Python source by its name"
    assert_rejected(folder.check("notes.txt", "good.cpp"), "notes.txt", reason)
    assert folder.check().returncode == FOUND, "nobody asked for notes.txt here"


def test_a_dangling_link(folder: Folder) -> None:
    (folder.path / "bad.cpp").symlink_to("gone.cpp")
    assert_rejected(folder.check(), "bad.cpp", "No such file")


def test_a_link_to_itself(folder: Folder) -> None:
    (folder.path / "bad.cpp").symlink_to("bad.cpp")
    assert_rejected(folder.check(), "bad.cpp", "symbolic links")


def test_a_named_pipe_is_not_waited_for(folder: Folder) -> None:
    os.mkfifo(folder.path / "bad.cpp")
    assert_rejected(folder.check(timeout=20), "bad.cpp", "not a regular file")


def test_a_folder_named_like_a_source(folder: Folder) -> None:
    folder.put("bad.cpp/inside.cpp", program("inside"))
    assert deadlocks(folder.check()) == {"good", "inside"}


def test_a_folder_that_links_to_its_parent(folder: Folder) -> None:
    (folder.path / "sub").mkdir()
    (folder.path / "sub" / "up").symlink_to("..")
    done = folder.check()
    assert deadlocks(done) == {"good"}
    assert done.returncode == FOUND


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file(folder: Folder) -> None:
    folder.put("bad.cpp", program("bad")).chmod(0)
    assert_rejected(folder.check(), "bad.cpp", "Permission denied")


def test_a_file_name_that_is_not_utf8(folder: Folder) -> None:
    name = os.fsencode(folder.path) + b"/odd\xff.cpp"
    with open(name, "wb") as file:
        file.write(program("odd").encode())
    done = folder.check()
    found = deadlocks(done)
    assert "good" in found
    assert "odd" in found or (done.returncode == FAILED and "odd" in done.stderr)
    assert json.loads(folder.check("--format", "json").stdout)["findings"]


def test_a_file_name_with_control_characters_is_shown_harmlessly(folder: Folder) -> None:
    folder.put("odd\n\x1b[31m.cpp", b"\0")
    done = folder.check()
    assert_rejected(done, "odd", "not text")
    assert "\x1b" not in done.stderr


# -- contents ---------------------------------------------------------------------------------

PROSE = """\
The allocator takes its own lock before it asks the driver for memory.
When the communicator is torn down, somebody else has it already.
Nobody noticed, because it happens only once in a thousand runs;
we found it by reading. This page tells how, and what we changed.
"""
LETTER = """\
Dear reader
this letter explains how locks are ordered
and why nobody should worry about that at all
"""


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"\x7fELF\x02\x01\x01\0\0\0" + bytes(range(256)), "NUL byte", id="binary"),
        pytest.param(program("bad").encode("utf-16"), "NUL byte", id="utf-16"),
        pytest.param(PROSE.encode(), "could be read", id="prose"),
        pytest.param(LETTER.encode(), "could be read", id="letter"),
    ],
)
def test_a_file_that_is_not_cpp(folder: Folder, content: bytes, reason: str) -> None:
    folder.put("bad.cpp", content)
    assert_rejected(folder.check(), "bad.cpp", reason)


def test_files_with_nothing_in_them_are_clean(tmp_path: Path, cache: Path) -> None:
    folder = Folder(tmp_path, cache)
    folder.put("empty.cpp", b"")
    assert folder.check().returncode == CLEAN
    folder.put("blank.cpp", b" \n\n\t\n")
    folder.put("comment.cpp", b"// only a remark\n")
    folder.put("off.cpp", b"#if 0\nint broken((((;\n#endif\n")
    folder.put("program.cpp", f"#if 0\n{program('off')}#endif\n")
    done = folder.check()
    assert deadlocks(done) == set()
    assert (done.returncode, done.stdout) == (CLEAN, "")


def _odd_bytes(text: str) -> bytes:
    """Bytes that are no UTF-8 in a comment and in a string."""
    return b"// \xe9t\xe9 \xff\xfe\n" + text.encode() + b'const char* text = "\xa4\xff\x80";\n'


ENCODINGS: dict[str, Callable[[str], bytes]] = {
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "bom": lambda text: codecs.BOM_UTF8 + text.encode(),
    "no_newline_at_end": lambda text: text.rstrip().encode(),
    "odd_bytes": _odd_bytes,
    "odd_lock_names": lambda text: text.replace("_first", "_first\xe4").encode("latin-1"),
    "accents": lambda text: text.replace("outer", "äußere").encode(),
}


def test_bytes_that_a_compiler_accepts(folder: Folder) -> None:
    for name, encode in ENCODINGS.items():
        folder.put(f"{name}.cpp", encode(program(name)))
    done = folder.check()
    assert deadlocks(done) == {"good", *ENCODINGS}
    assert done.returncode == FOUND
    for name in ENCODINGS:
        assert f"{name}.cpp:1" in done.stdout, "the line of the inner lock"


def test_a_guard_whose_name_is_not_utf8(folder: Folder) -> None:
    folder.put("odd.cpp", program("odd").replace("outer", "\xe4u\xdfere").encode("latin-1"))
    done = folder.check()
    found = deadlocks(done)
    assert "good" in found
    assert "odd" in found or "odd.cpp" in done.stderr, "a guard was lost and nobody says where"


def test_functions_of_one_name_in_several_programs(folder: Folder) -> None:
    for name in ("one", "two", "three"):
        text = program(name)
        text = text.replace(f"{name}_forward", "forward").replace(f"{name}_backward", "backward")
        folder.put(f"{name}.cpp", text)
    folder.put("a.cpp", "void forward() {}\nvoid backward() {}\n")
    assert deadlocks(folder.check()) == {"good", "one", "two", "three"}


def test_a_very_long_line(folder: Folder) -> None:
    code = program("long").partition("\n\n")[2].replace("\n", " ")
    text = "x" * 5_000_000
    folder.put("long.cpp", f'#include <mutex>\nconst char* text = "{text}"; {code}\n')
    done = folder.check()
    assert deadlocks(done) == {"good", "long"}
    assert done.returncode == FOUND
    assert len(done.stdout) < 100_000, "an excerpt of such a line is cut"


def generated(lines: int) -> str:
    """A program of *lines* lines: classes with a mutex each, calls eight deep, one deadlock."""
    parts = [program("generated")]
    count = parts[0].count("\n")
    number = 0
    while count < lines:
        below = f"Made{number - 1}().step(x - 1)" if number % 8 else "0"
        parts.append(
            f"struct Made{number} {{\n"
            "    int step(int x) {\n"
            "        std::lock_guard<std::mutex> held(mutex_);\n"
            "        if (x > 3) {\n"
            f"            return {below};\n"
            "        }\n"
            "        return x;\n"
            "    }\n"
            "    std::mutex mutex_;\n"
            "};\n"
        )
        count += 10
        number += 1
    return "".join(parts)


def test_fifty_thousand_lines(folder: Folder) -> None:
    text = generated(50_000)
    assert text.count("\n") >= 50_000
    folder.put("generated.cpp", text)
    done = folder.check(timeout=150)
    assert deadlocks(done) == {"good", "generated"}
    assert done.returncode == FOUND


# -- includes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("guard", ["#pragma once\n", ""], ids=["guarded", "unguarded"])
@pytest.mark.parametrize("units", [1, 4])
def test_an_include_cycle(folder: Folder, guard: str, units: int) -> None:
    folder.put("a.h", f'{guard}#include "b.h"\nvoid from_a();\n')
    folder.put("b.h", f'{guard}#include "a.h"\nvoid from_b();\n')
    names = [f"unit{i}" for i in range(units)]
    for name in names:
        folder.put(f"{name}.cpp", f'#include "a.h"\n{program(name)}')
    done = folder.check()
    assert deadlocks(done) == {"good", *names}
    assert done.returncode == FOUND


def test_a_file_that_includes_itself(folder: Folder) -> None:
    folder.put(
        "self.cpp", f'#ifndef SEEN\n#define SEEN\n#include "self.cpp"\n{program("self")}#endif\n'
    )
    assert deadlocks(folder.check()) == {"good", "self"}


# -- nesting ----------------------------------------------------------------------------------

DEEP = 20_000
NESTED = {
    "parentheses": f"int x = {'(' * DEEP}1{')' * DEEP};\n",
    "braces": f"void f() {'{' * DEEP}{'}' * DEEP}\n",
    "parentheses-left-open": f"int x = {'(' * DEEP}",
    "braces-left-open": f"void f() {'{' * DEEP}",
    "brackets": f"int x = {'[' * DEEP}0{']' * DEEP};\n",
    "templates": f"int x = {'a<' * DEEP}0{'>' * DEEP};\n",
    "namespaces": f"{'namespace a { ' * 5000}int x;{'}' * 5000}\n",
    "calls": f"int g(int); int f() {{ return {'g(' * DEEP}1{')' * DEEP}; }}\n",
    "sum": f"int f() {{ return {' + '.join(['1'] * DEEP)}; }}\n",
    "else-if": f"void f(int a) {{ {'if (a) ; else ' * DEEP}; }}\n",
}


@pytest.mark.parametrize("text", NESTED.values(), ids=NESTED.keys())
def test_nesting_beyond_reason(folder: Folder, text: str) -> None:
    folder.put("deep.cpp", text + program("deep"))
    assert_read_or_said(folder.check(), "deep")


@pytest.mark.parametrize("name", ["parentheses", "sum", "templates"])
def test_nesting_beyond_reason_in_one_process(folder: Folder, name: str) -> None:
    folder.put("deep.cpp", NESTED[name] + program("deep"))
    assert_read_or_said(folder.check("-j", "1"), "deep")


#: Valid C++ of a kind that generators write, and that other compilers take.
LONG = {
    "streamed": "struct S { S& operator<<(int); }; void f(S& s) { s" + " << 1" * 600 + "; }\n",
    "else-if": "int f(int a) { " + "if (a == 1) return 2; else " * 600 + "return 0; }\n",
    "sum": "int f(int a) { return " + " + ".join(["a"] * 600) + "; }\n",
    "parentheses": f"int x = {'(' * 400}1{')' * 400};\n",
}


@pytest.mark.parametrize("text", LONG.values(), ids=LONG.keys())
def test_what_follows_a_long_construct_is_not_lost(folder: Folder, text: str) -> None:
    folder.put("long.cpp", text + program("long"))
    assert_read_or_said(folder.check(), "long")


# -- compilation databases --------------------------------------------------------------------

DATABASES: dict[str, tuple[str | bytes, str]] = {
    "not-json": ("{nope", "not a compilation database"),
    "empty": ("", "not a compilation database"),
    "nested": ("[" * 100_000, "not a compilation database"),
    "binary": (b"\xff\xfe\0[\x80", "not a compilation database"),
    "dict": (json.dumps({"file": "good.cpp"}), "list of commands"),
    "no-file": (json.dumps([{"directory": ".", "command": "c++ good.cpp"}]), "no file"),
    "null": (json.dumps([None]), "not an object"),
    "no-command": (json.dumps([{"directory": ".", "file": "good.cpp"}]), "neither command"),
    "arguments": (
        json.dumps([{"directory": ".", "file": "good.cpp", "arguments": ["c++", 3]}]),
        "not a list of strings",
    ),
    "directory": (
        json.dumps([{"directory": 3, "file": "good.cpp", "command": "c++"}]),
        "directory is not a string",
    ),
    "quotes": (
        json.dumps([{"directory": ".", "file": "good.cpp", "command": "c++ 'x"}]),
        "entry 0",
    ),
}


@pytest.mark.parametrize(("content", "reason"), DATABASES.values(), ids=DATABASES.keys())
def test_a_broken_database_that_was_asked_for(
    folder: Folder, content: str | bytes, reason: str
) -> None:
    folder.put("build/compile_commands.json", content)
    done = folder.check("-p", "build", "good.cpp")
    assert_rejected(done, "build/compile_commands.json", reason)
    assert "guessed" in done.stderr


@pytest.mark.parametrize("kind", ["not-json", "nested", "dict", "arguments"])
def test_a_broken_database_that_was_only_found(folder: Folder, kind: str) -> None:
    content, reason = DATABASES[kind]
    folder.put("build/compile_commands.json", content)
    done = folder.check("good.cpp")
    assert deadlocks(done) == {"good"}
    assert done.returncode == FOUND, "nobody asked for that database"
    assert "compile_commands.json" in done.stderr, "but flags were guessed because of it"
    assert reason in done.stderr


@pytest.mark.parametrize("where", ["nowhere", "."])
def test_no_database_where_one_was_asked_for(folder: Folder, where: str) -> None:
    done = folder.check("-p", where, "good.cpp")
    assert_rejected(done, where, "No such file")


def _database(folder: Folder, flags: dict[str, list[str]]) -> None:
    """A database with *flags* of each file by its name without the ending."""
    entries = [
        {
            "directory": str(folder.path),
            "file": f"{name}.cpp",
            "arguments": ["c++", *given, "-c", f"{name}.cpp"],
        }
        for name, given in flags.items()
    ]
    folder.put("compile_commands.json", json.dumps(entries))


def test_flags_that_libclang_refuses(folder: Folder) -> None:
    folder.put("bad.cpp", program("bad"))
    _database(folder, {"bad": ["-std=c++99"]})
    done = folder.check()
    assert deadlocks(done) == {"good", "bad"}  # read by its syntax, and told
    assert done.returncode == FAILED
    (complaint,) = [x for x in done.stderr.splitlines() if x.startswith("lockorder: error: ")]
    assert "bad.cpp" in complaint
    assert "flags" in complaint


def test_flags_that_libclang_does_not_know_do_no_harm(folder: Folder) -> None:
    flags = {
        "unknown": ["-fno-such-flag"],
        "frontend": ["-Xclang", "-no-such"],
        "language": ["-x", "klingon"],
        "nul": ["-Da\0b"],
        "cut_short": ["-D"],
    }
    for name in flags:
        folder.put(f"{name}.cpp", program(name))
    _database(folder, flags)
    done = folder.check()
    assert deadlocks(done) == {"good", *flags}
    assert done.returncode == FOUND


def test_a_missing_header_of_the_command_line_is_counted(folder: Folder) -> None:
    folder.put("bad.cpp", program("bad"))
    _database(folder, {"bad": ["-include", "gone.h"]})
    done = folder.check("--require-complete")
    assert "gone.h" in done.stderr
    assert done.returncode == FAILED


# -- the cache --------------------------------------------------------------------------------


def test_a_cache_that_cannot_be_written(folder: Folder) -> None:
    blocked = folder.put("blocked", "a file where a folder should be")
    done = folder.check(cache=blocked)
    assert deadlocks(done) == {"good"}
    assert done.returncode == FOUND


@pytest.mark.parametrize("content", [b"", b"garbage"], ids=["emptied", "overwritten"])
def test_a_damaged_cache_is_made_again(folder: Folder, tmp_path: Path, content: bytes) -> None:
    own = tmp_path / "own-cache"
    assert folder.check(cache=own).returncode == FOUND
    damaged = list(own.rglob("*.pch"))
    assert damaged
    for file in damaged:
        file.write_bytes(content)
    done = folder.check(cache=own)
    assert deadlocks(done) == {"good"}
    assert done.returncode == FOUND


# -- broken at random -------------------------------------------------------------------------

TOKEN = re.compile(rb"\w+|\s+|.", re.DOTALL)


def _truncated(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _flipped(data: bytes, rng: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(rng.randint(1, 8)):
        found[rng.randrange(len(found))] ^= 1 << rng.randrange(8)
    return bytes(found)


def _deleted(data: bytes, rng: random.Random) -> bytes:
    tokens = TOKEN.findall(data)
    for _ in range(rng.randint(1, 6)):
        del tokens[rng.randrange(len(tokens))]
    return b"".join(tokens)


def _repeated(data: bytes, rng: random.Random) -> bytes:
    tokens = TOKEN.findall(data)
    for _ in range(rng.randint(1, 6)):
        at = rng.randrange(len(tokens))
        tokens[at:at] = [tokens[at]] * rng.choice((1, 2, 50))
    return b"".join(tokens)


def _noise(data: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(rng.randrange(1, 2 * len(data)))


BREAKERS = (_truncated, _flipped, _deleted, _repeated, _noise)


@pytest.mark.parametrize("seed", range(4))
def test_sources_broken_at_random(folder: Folder, seed: int) -> None:
    rng = random.Random(seed)
    for number in range(15):
        breaker = BREAKERS[number % len(BREAKERS)]
        name = f"broken{number}"
        folder.put(f"{name}.cpp", breaker(program(name).encode(), rng))
    done = folder.check(timeout=60)
    assert "good" in deadlocks(done), done.stderr
    assert done.returncode in (FOUND, FAILED)
