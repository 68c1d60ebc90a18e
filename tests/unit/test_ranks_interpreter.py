"""Entries that are run one after the other: programs, functions and methods of unknown callers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.ranks.effects import acts
from lockorder.ranks.machine import Machine
from ranks_run import MPI_C, TORCH, issued, machines, read

FIRST = [["barrier"], []]
BOTH = [["barrier"]] * 2
IMPORTS = "import torch\nimport torch.distributed as dist\n"


def test_a_function_of_unknown_callers(tmp_path: Path) -> None:
    text = IMPORTS + "def f(x):\n  if dist.get_rank() == 0: dist.barrier()\n"
    assert issued(tmp_path, text, entry="f") == FIRST


def test_its_parameters_are_questions(tmp_path: Path) -> None:
    """The same for all ranks, whatever they are called."""
    text = IMPORTS + (
        "def f(rank, flag=False):\n  if rank == 0: dist.barrier()\n"
        "  if flag: dist.all_reduce(rank)\n"
    )
    assert (
        issued(tmp_path, text, entry="f", given={"rank == 0": True, "flag": True})
        == [["barrier", "all_reduce"]] * 2
    )
    assert issued(tmp_path, text, entry="f", given={"rank == 0": False, "flag": False}) == [[], []]


def test_a_method_is_of_an_object_that_was_made(tmp_path: Path) -> None:
    text = IMPORTS + (
        "class T:\n  def __init__(self, a):\n    self.r = dist.get_rank()\n    dist.all_reduce(a)\n"
        "  def go(self):\n    if self.r == 0: dist.barrier()\n"
    )
    assert issued(tmp_path, text, entry="T.go") == FIRST
    assert issued(tmp_path, text, entry="T.__init__") == [["all_reduce"]] * 2


@pytest.mark.parametrize(
    "method",
    [
        "@staticmethod\n  def go(): T.act()", "@classmethod\n  def go(cls): cls.act()",
        "@property\n  def go(self): self.act()", "async def go(self): self.act()",
    ],
)  # fmt: skip
def test_methods_of_all_kinds(tmp_path: Path, method: str) -> None:
    text = IMPORTS + f"class T:\n  @staticmethod\n  def act(): dist.barrier()\n  {method}\n"
    assert issued(tmp_path, text, entry="T.go") == BOTH


@pytest.mark.parametrize("note", ["C", "'C'", "torch.device"])
def test_an_annotation_tells_the_class(tmp_path: Path, note: str) -> None:
    text = IMPORTS + (
        "class C:\n  def __init__(self): self.r = dist.get_rank()\n"
        f"def f(c: {note}):\n  if c.r == 0: dist.barrier()\n"
    )
    found = issued(tmp_path, text, entry="f", given={"c.r == 0": True})
    assert found == (FIRST if "C" in note else BOTH)


@pytest.mark.parametrize(
    "note", ["MPI.Comm", "'MPI.Comm'", "Optional[MPI.Comm]", "MPI.Comm | None"]
)
def test_an_annotation_tells_the_library_s_class(tmp_path: Path, note: str) -> None:
    text = (
        f"from typing import Optional\nfrom mpi4py import MPI\ndef f(c: {note}):\n  c.Barrier()\n"
    )
    assert issued(tmp_path, text, entry="f") == [["Barrier{?}"]] * 2


def test_a_c_function_has_no_more_than_its_parameters(tmp_path: Path) -> None:
    text = MPI_C + "void f(MPI_Comm c, int n) { for (int i = 0; i < n; i++) MPI_Barrier(c); }\n"
    first, second = issued(tmp_path, {"main.c": text}, entry="f")
    assert first == second
    assert set(first) == {"MPI_Barrier{?}"}


def test_what_an_entry_does_to_the_state_is_undone(tmp_path: Path) -> None:
    text = TORCH + "n = 0\ndef f():\n  global n\n  n += 1\n  if n == 1: dist.barrier()\n"
    program = read(tmp_path, text)
    (source,) = program.sources
    one = machines(program)[0]
    path = [n for n in source.tree.body if getattr(n, "name", "") == "f"]
    for _ in range(3):
        assert acts(one.function(source, list(path)))


def test_a_program_is_run_as_main_each_time(tmp_path: Path) -> None:
    program = read(tmp_path, TORCH + "if __name__ == '__main__': dist.barrier()\n")
    (source,) = program.sources
    one = machines(program)[0]
    assert acts(one.script(source))
    assert acts(one.script(source))


def test_a_function_that_is_not_there_does_nothing(tmp_path: Path) -> None:
    """Replaced by something else at the end of its module."""
    text = IMPORTS + "def f(): dist.barrier()\nf = 3\n"
    assert issued(tmp_path, text, entry="f") == [[], []]


def test_too_long_a_program_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Machine, "STEPS", 50)
    program = read(tmp_path, TORCH + "x = 1\n" * 100 + "dist.barrier()\n")
    one = machines(program)[0]
    assert not acts(one.script(program.sources[0]))
    assert one.spent
    program = read(tmp_path, TORCH + "dist.barrier()\n")
    one = machines(program)[0]
    assert acts(one.script(program.sources[0]))
    assert not one.spent
