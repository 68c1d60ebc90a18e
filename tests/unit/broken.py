"""Broken inputs of `lockorder check`, made by number: one number always makes the same input.

    input_of("database", 31, folder)    a project in folder whose database is broken in some way

A kind has some dozens of ways to be broken (broken_sources, broken_databases,
broken_configurations, broken_baselines); a number takes one of them, and decides where and how
much.  The maker of each states what has to come of it: see Broken.
"""

from __future__ import annotations

import importlib
import os
import random
import socket
import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

KINDS = ("source", "database", "configuration", "baseline")
#: What a maker returns for input that is odd and legal.
TOLERATED = ""
#: Writes a broken file to the path; returns a part of the error's text, or TOLERATED.
Maker = Callable[[Path, random.Random], str]

#: A deadlock without any header; NAME keeps the copies of several files apart.
PROGRAM = """\
struct pthread_mutex_t { int word; };
extern "C" int pthread_mutex_lock(pthread_mutex_t *);
extern "C" int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t NAME_first, NAME_second;
void NAME_forward() {
  pthread_mutex_lock(&NAME_first);
  pthread_mutex_lock(&NAME_second);
  pthread_mutex_unlock(&NAME_second);
  pthread_mutex_unlock(&NAME_first);
}
void NAME_backward() {
  pthread_mutex_lock(&NAME_second);
  pthread_mutex_lock(&NAME_first);
  pthread_mutex_unlock(&NAME_first);
  pthread_mutex_unlock(&NAME_second);
}
"""
_PLACES = {
    "source": ("bad.cpp", ()),
    "database": ("build/compile_commands.json", ("-p", "build")),
    "configuration": ("lockorder.toml", ()),
    "baseline": ("base.json", ("--baseline", "base.json")),
}


class Broken(NamedTuple):
    """What is broken, and the verdict on it.

    With a ``reason`` the run must end with exit code 2 and a line on stderr that names ``file``
    and has the reason in it; without one it must not be exit code 2.  ``arguments`` are for the
    command line.
    """

    kind: str
    way: str
    file: str
    reason: str
    arguments: tuple[str, ...]


def ways(kind: str) -> list[Maker]:
    """The makers of a kind."""
    found: list[Maker] = importlib.import_module(f"broken_{kind}s").MAKERS
    return found


def input_of(kind: str, number: int, folder: Path) -> Broken:
    """Make a project with one good file and one broken input in *folder*, which is empty."""
    name, arguments = _PLACES[kind]
    (folder / ".git").mkdir()  # marks the project's root, whatever the folders above hold
    (folder / "good.cpp").write_text(program("good"))
    file = folder / name
    file.parent.mkdir(exist_ok=True)
    makers = ways(kind)
    maker = makers[number % len(makers)]
    reason = maker(file, random.Random(f"{kind} {number}"))
    way = maker.__name__.strip("_")
    named = next((f for word, f in _OTHERS.items() if word in way.split("_")), file.name)
    return Broken(kind, way, named, reason, arguments)


#: Words in the name of a maker that breaks another file.
_OTHERS = {"header": "bad.h", "shared": "pyproject.toml"}


def program(name: str) -> str:
    """A source with one deadlock."""
    return PROGRAM.replace("NAME", name)


# -- what can happen to any file ------------------------------------------------------------------


def elf(rng: random.Random) -> bytes:
    """The start of a program."""
    return b"\x7fELF\x02\x01\x01" + bytes(9) + rng.randbytes(rng.randrange(64, 4096))


def archive(rng: random.Random) -> bytes:
    """A zip file."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("a.cpp", rng.randbytes(rng.randrange(1, 500)))
    return packed.getvalue()


def cut(data: bytes, rng: random.Random) -> bytes:
    """All but the end, which is more than white space."""
    return data[: rng.randrange(1, len(data.rstrip()))]


def inserted(data: bytes, what: bytes, rng: random.Random) -> bytes:
    """*what* somewhere inside."""
    at = rng.randrange(1, len(data))
    return data[:at] + what + data[at:]


def dangling(file: Path, rng: random.Random) -> str:
    """A link to nothing."""
    file.symlink_to(f"gone-{rng.randrange(1000)}")
    return "No such file"


def loop(file: Path, rng: random.Random) -> str:
    """Links in a circle."""
    length = rng.randrange(3)
    names = [file, *(file.with_name(f"link{n}") for n in range(length))]
    for number, name in enumerate(names):
        name.symlink_to(names[(number + 1) % len(names)].name)
    return "symbolic links"


def pipe(file: Path, _: random.Random) -> str:
    """A named pipe that nobody ever writes to."""
    os.mkfifo(file)
    return "not a regular file"


def endless_device(file: Path, _: random.Random) -> str:
    """A device without an end."""
    file.symlink_to("/dev/zero")
    return "not a regular file"


def plug(file: Path, _: random.Random) -> str:
    """A socket that a process left."""
    here = Path.cwd()
    os.chdir(file.parent)  # its full name may be too long for one
    try:
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(file.name)
    finally:
        os.chdir(here)
    return "not a regular file"


def locked(file: Path, _: random.Random) -> str:
    """A file that only others may read."""
    file.write_text("")
    file.chmod(0)
    return "Permission denied"


def folder_instead(file: Path, rng: random.Random) -> str:
    """A folder, which may have something in it."""
    file.mkdir()
    if rng.random() < 0.5:
        (file / "inside.txt").write_text("nothing")
    return "Is a directory"


#: For every kind but sources, where folders are searched; root may read everything.
SPECIAL: list[Maker] = [
    dangling, loop, pipe, endless_device, folder_instead, *([locked] if os.geteuid() else []),
]  # fmt: skip
