"""Whom a rank waits for, read from variables of a live process: keys, groups and peers."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lockorder.hang import partners, pyframes, pythons
from lockorder.hang.procfs import LiveImage
from lockorder.hang.waits_names import Names
from lockorder.model import Frame

#: Waits in what is no Python, with a text for it: where a FIFO is opened, for whoever writes.
ASKS = """
import os, sys
os.mkfifo("batch")
class Part:
    def __init__(self):
        self.name = "batch"
class Store:
    get = staticmethod(open)
def ask(store, part, names, here, none, yes, seven):
    print("ready", flush=True)
    store.get({argument})
ask(Store(), Part(), ["batch", "other"], ".", "", True, 7)
"""
#: Stands in for PyTorch's module: the names of its file, its functions and its variables.
TORCH = """
import os
class Group: pass
world, left, lost = Group(), Group(), Group()
_pg_names = {world: "0", left: "left"}
_pg_group_ranks = {world: {0: 0, 1: 1, 2: 2}, left: {2: 0, 0: 1}}
def all_reduce(tensor, group=None):
    os.mkfifo("never")
    print("ready", flush=True)
    open("never")
def recv(tensor, src=None, group=None, group_src=None):
    all_reduce(tensor, group)
def broadcast(tensor, src, group=None):
    _inside(tensor)
def _inside(tensor):
    all_reduce(tensor, lost)
"""


@contextmanager
def standing(folder: Path, text: str) -> Iterator[tuple[pyframes.Look, pyframes.Thread]]:
    """A program that waits, and its only thread."""
    (folder / "program.py").write_text(text)
    with subprocess.Popen(
        [sys.executable, folder / "program.py"], cwd=folder, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(folder)},
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            while "fifo" not in Path(f"/proc/{process.pid}/wchan").read_text() and (
                Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[0] != "S"
            ):
                pass
            image = LiveImage(process.pid)
            python = pythons.find(image, Names(image))
            assert python is not None
            look = pyframes.look_at(image, python)
            assert look is not None
            (thread,) = look.threads
            yield look, thread
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("argument", "key"),
    [
        ('"batch"', "batch"),
        ("part.name", "batch"),
        ('f"{part.name}"', "batch"),
        ('f"{here}/" + part.name', "./batch"),
        ('f"{here}/{none}{part.name!s}"', "./batch"),
        ('f"{names[0]}"', "{names[0]}"),
        ('here + "/" + names[0]', ""),
        ('f"{here}/{str.lower(part.name)}"', "./{str.lower(part.name)}"),
        ('f"{here}/batch".replace("x", f"{seven}")', ""),
    ],
)
def test_keys(tmp_path: Path, argument: str, key: str) -> None:
    with standing(tmp_path, ASKS.replace("{argument}", argument)) as (look, thread):
        assert partners.key(look, thread, [Frame("c10d::TCPStore::get")]) == key
        assert partners.key(look, thread, [Frame("c10d::Reducer::get")]) == ""
        assert partners.group(look, thread) == ("", ())


@pytest.mark.parametrize(
    ("argument", "key"),
    [('f"{seven}/{yes}/{seven:02d}"', "7/True/{seven}"), ("names", "batch, other")],
)
def test_keys_of_other_types(tmp_path: Path, argument: str, key: str) -> None:
    """The call itself is another one: what stands on its line is read."""
    text = ASKS.replace("{argument}", "part.name) if True else store.get(" + argument)
    with standing(tmp_path, text) as (look, thread):
        found = partners.key(look, thread, [Frame("c10d::PrefixStore::wait")])
        assert found == f"batch, {key}".replace("batch, batch", "batch")


@pytest.mark.parametrize(
    ("call", "group", "peer"),
    [
        ("all_reduce(1)", ("0", (0, 1, 2)), -1),
        ("all_reduce(1, group=dist.left)", ("left", (0, 2)), -1),
        ("all_reduce(1, dist.lost)", ("", ()), -1),
        ("recv(1, 2, dist.left)", ("left", (0, 2)), 2),
        ("recv(1, group_src=1)", ("0", (0, 1, 2)), 1),
        ("broadcast(1, 0, dist.left)", ("", ()), -1),
    ],
)
def test_groups(tmp_path: Path, call: str, group: tuple[str, tuple[int, ...]], peer: int) -> None:
    module = tmp_path / "torch" / "distributed" / "distributed_c10d.py"
    module.parent.mkdir(parents=True)
    module.write_text(TORCH)
    text = f"import torch.distributed.distributed_c10d as dist\ndist.{call}\n"
    with standing(tmp_path, text) as (look, thread):
        assert partners.group(look, thread) == group
        assert partners.peer(look, thread) == peer
