"""What statements do: branches, loops, exits, try and with, imports of the program's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import TORCH, issued

FIRST = [["barrier"], []]
SECOND = [[], ["barrier"]]
BOTH = [["barrier"], ["barrier"]]
TENSOR = TORCH + "t = torch.zeros(1)\n"

CASES: dict[str, tuple[str, list[list[str]]]] = {
    "if and else": (
        "if rank: dist.barrier()\nelse: dist.all_reduce(t)\n",
        [["all_reduce"], ["barrier"]],
    ),
    "elif": (
        "if rank == 0: pass\nelif rank == 1: dist.barrier()\nelse: dist.all_reduce(t)\n",
        [[], ["barrier"], ["all_reduce"]],
    ),
    "for": (
        "for i in range(2): dist.barrier()\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "for of the rank": (
        "for i in range(rank): dist.barrier()\n",
        [[], ["barrier"], ["barrier", "barrier"]],
    ),
    "else of for": (
        "for i in range(2):\n  if rank == 0: break\nelse: dist.barrier()\n",
        SECOND,
    ),
    "break": (
        "for i in range(3):\n  if i == rank: break\n  dist.barrier()\n",
        SECOND,
    ),
    "continue": (
        "for i in range(3):\n  if i < rank: continue\n  dist.barrier()\n",
        [["barrier", "barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "break of the inner loop": (
        (
            "for i in range(2):\n  for j in range(2):\n    if rank == 0: break\n"
            "    dist.barrier()\n  dist.all_reduce(t)\n"
        ),
        [
            ["all_reduce", "all_reduce"],
            ["barrier", "barrier", "all_reduce", "barrier", "barrier", "all_reduce"],
        ],
    ),
    "while": (
        "i = 0\nwhile i < rank:\n  dist.barrier()\n  i += 1\n",
        [[], ["barrier"], ["barrier", "barrier"]],
    ),
    "else of while": (
        "i = 0\nwhile i < 2:\n  i += 1\n  if rank == 0: break\nelse: dist.barrier()\n",
        SECOND,
    ),
    "while true": (
        "i = 0\nwhile True:\n  i += 1\n  if i > 2: break\n  dist.barrier()\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "return in a loop": (
        "def f():\n  for i in range(3):\n    if i == rank: return\n    dist.barrier()\nf()\n",
        SECOND,
    ),
    "value of an early return": (
        "def f():\n  if rank == 0: return 5\n  return 6\nif f() == 5: dist.barrier()\n",
        FIRST,
    ),
    "match": (
        "match rank:\n  case 0: dist.barrier()\n  case 1 | 2: dist.all_reduce(t)\n  case _: pass\n",
        [["barrier"], ["all_reduce"], ["all_reduce"], []],
    ),
    "match with a name": (
        "match rank:\n  case 0: pass\n  case x:\n    if x == 1: dist.barrier()\n",
        SECOND,
    ),
    "exit": (
        "import sys\nif rank == 0: sys.exit(0)\ndist.barrier()\n",
        SECOND,
    ),
    "system exit": (
        "if rank == 0: raise SystemExit\ndist.barrier()\n",
        SECOND,
    ),
    "finally": (
        (
            "def f():\n  try:\n    if rank == 0: return\n    dist.barrier()\n"
            "  finally: dist.all_reduce(t)\nf()\n"
        ),
        [["all_reduce"], ["barrier", "all_reduce"]],
    ),
    "except": (
        (
            "try:\n  if rank == 0: raise ValueError\n  dist.barrier()\n"
            "except ValueError: dist.all_reduce(t)\n"
        ),
        [["all_reduce"], ["barrier"]],
    ),
    "else of try": (
        "try: dist.barrier()\nexcept ValueError: pass\nelse: dist.all_reduce(t)\n",
        [["barrier", "all_reduce"], ["barrier", "all_reduce"]],
    ),
    "finally and except": (
        (
            "try:\n  try:\n    if rank == 0: raise ValueError\n"
            "  finally: dist.barrier()\nexcept ValueError: dist.all_reduce(t)\n"
        ),
        [["barrier", "all_reduce"], ["barrier"]],
    ),
    "suppress": (
        (
            "import contextlib\nwith contextlib.suppress(ValueError):\n"
            "  if rank == 0: raise ValueError\n  dist.barrier()\n"
            "dist.all_reduce(t)\n"
        ),
        [["all_reduce"], ["barrier", "all_reduce"]],
    ),
    "with a generator": (
        (
            "import contextlib\n@contextlib.contextmanager\ndef c():\n"
            "  dist.barrier()\n  yield 3\n  dist.all_reduce(t)\nwith c() as x:\n"
            "  if x == 3: dist.broadcast(t, 0)\n"
        ),
        [["barrier", "broadcast", "all_reduce"], ["barrier", "broadcast", "all_reduce"]],
    ),
    "return out of a generator": (
        (
            "import contextlib\n@contextlib.contextmanager\ndef c():\n"
            "  try: yield\n  finally: dist.all_reduce(t)\ndef f():\n  with c():\n"
            "    if rank == 0: return\n    dist.barrier()\nf()\n"
        ),
        [["all_reduce"], ["barrier", "all_reduce"]],
    ),
    "with a class": (
        (
            "class C:\n  def __enter__(self):\n    dist.barrier()\n    return 5\n"
            "  def __exit__(self, *a): dist.all_reduce(t)\nwith C() as x:\n"
            "  if x == 5: dist.broadcast(t, 0)\n"
        ),
        [["barrier", "broadcast", "all_reduce"], ["barrier", "broadcast", "all_reduce"]],
    ),
    "two contexts": (
        (
            "class C:\n  def __init__(self, what): self.what = what\n"
            "  def __enter__(self): return self\n"
            "  def __exit__(self, *a): self.what()\n"
            "with C(dist.barrier), C(lambda: dist.all_reduce(t)): pass\n"
        ),
        [["all_reduce", "barrier"], ["all_reduce", "barrier"]],
    ),
    "global": (
        "n = 0\ndef f():\n  global n\n  n = rank\nf()\nif n == 0: dist.barrier()\n",
        FIRST,
    ),
    "nonlocal": (
        (
            "def f():\n  n = 5\n  def g():\n    nonlocal n\n    n = rank\n  g()\n"
            "  if n == 0: dist.barrier()\nf()\n"
        ),
        FIRST,
    ),
    "augmented": (
        "r = rank\nr += 1\nif r == 1: dist.barrier()\n",
        FIRST,
    ),
    "annotated": (
        "r: int = rank\nif r == 0: dist.barrier()\n",
        FIRST,
    ),
    "several targets": (
        "a = b = rank\nif b == 0: dist.barrier()\n",
        FIRST,
    ),
    "unpacked": (
        "a, (b, c) = 1, (rank, 2)\nif b == 0: dist.barrier()\n",
        FIRST,
    ),
    "unpacked in a loop": (
        (
            "for i, (a, b) in enumerate([(0, 1), (1, 1)]):\n"
            "  if a == rank and b == 1: dist.barrier()\n"
        ),
        BOTH,
    ),
    "swapped": (
        "a, b = rank, 7\na, b = b, a\nif b == 0: dist.barrier()\n",
        FIRST,
    ),
    "deleted": (
        "x = 1\ndel x\ndist.barrier()\n",
        BOTH,
    ),
    "main": (
        "def main(): dist.barrier()\nif __name__ == '__main__': main()\n",
        BOTH,
    ),
    "type checking": (
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING: import os\ndist.barrier()\n",
        BOTH,
    ),
    "loop over what changes": (
        "x = 0\nfor i in range(3):\n  if x == 2 and rank == 0: dist.barrier()\n  x += 1\n",
        FIRST,
    ),
    "generator": (
        "def g():\n  for i in range(2): yield i\nfor i in g(): dist.barrier()\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "generator that acts": (
        "def g():\n  yield 1\n  dist.barrier()\n  yield 2\nfor i in g(): dist.all_reduce(t)\n",
        [["all_reduce", "barrier", "all_reduce"], ["all_reduce", "barrier", "all_reduce"]],
    ),
    "generator that is left": (
        (
            "def g():\n  for i in range(3): yield i\nfor i in g():\n"
            "  if i == 1: break\n  dist.barrier()\n"
        ),
        BOTH,
    ),
    "yield from": (
        "def g(): yield from [0, 1]\nfor i in g():\n  if i == rank: dist.barrier()\n",
        BOTH,
    ),
    "return out of a class": (
        (
            "class C:\n  def __enter__(self): return self\n"
            "  def __exit__(self, *a): dist.all_reduce(t)\ndef f():\n  with C():\n"
            "    if rank == 0: return\n    dist.barrier()\nf()\n"
        ),
        [["all_reduce"], ["barrier", "all_reduce"]],
    ),
    "break out of a class": (
        (
            "class C:\n  def __enter__(self): return self\n"
            "  def __exit__(self, *a): dist.all_reduce(t)\nfor i in range(1):\n"
            "  with C():\n    if rank == 0: break\n    dist.barrier()\n"
        ),
        [["all_reduce"], ["barrier", "all_reduce"]],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_statements(tmp_path: Path, name: str) -> None:
    text, expected = CASES[name]
    assert issued(tmp_path, TENSOR + text, size=len(expected)) == expected


LOST: dict[str, tuple[str, str, list[list[str]]]] = {
    "deleted key": (
        "del of an element changes nothing",
        "d = {'a': 1, 'b': 2}\ndel d['a']\nfor x in d: dist.barrier()\n",
        BOTH,
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xfail(reason=LOST[n][0])) for n in LOST]
)
def test_statements_that_are_not_understood(tmp_path: Path, name: str) -> None:
    _, text, expected = LOST[name]
    assert issued(tmp_path, TENSOR + text, size=len(expected)) == expected


def test_rounds_that_nobody_knows(tmp_path: Path) -> None:
    """As many on all ranks, unless one of them is asked on its own."""
    text = TENSOR + "for x in t: dist.barrier()\n"
    first, second = issued(tmp_path, text)
    assert first == second
    assert first
    assert issued(tmp_path, text, given={"#0": False}) == [[], []]


def test_what_can_fail_alone_is_asked_where_it_is_caught(tmp_path: Path) -> None:
    text = TENSOR + "try:\n  load(t)\n  dist.barrier()\nexcept OSError: pass\n"
    assert issued(tmp_path, text) == BOTH
    assert issued(tmp_path, text, odd=(0, "load raises")) == SECOND


def test_exceptions_of_all_ranks_are_no_question(tmp_path: Path) -> None:
    text = TENSOR + "try:\n  load(t)\n  dist.barrier()\nexcept ImportError: pass\n"
    assert issued(tmp_path, text, odd=(0, "load raises")) == BOTH


@pytest.mark.parametrize(
    "line",
    [
        "from helpers import act", "from helpers import *", "import helpers\nact = helpers.act",
        "import helpers as h\nact = h.act", "from pkg.inner import act", "from pkg.far import act",
        "from pkg import inner\nact = inner.act", "from pkg import act",
        "import pkg.inner\nact = pkg.inner.act",
    ],
)  # fmt: skip
def test_imports_of_the_program_s_own(tmp_path: Path, line: str) -> None:
    act = "import torch.distributed as dist\ndef act(rank):\n  if rank == 0: dist.barrier()\n"
    sources = {
        "main.py": TENSOR + line + "\nact(rank)\n", "helpers.py": act, "pkg/inner.py": act,
        "pkg/__init__.py": "from .inner import act\n",
        "pkg/far.py": "from . import inner\nact = inner.act\n",
    }  # fmt: skip
    assert issued(tmp_path, sources) == FIRST


def test_what_a_module_does_besides_is_not_the_program_s(tmp_path: Path) -> None:
    """An import defines: what runs at its end stands under the name of the main program."""
    sources = {
        "main.py": TENSOR + "import other\ndist.all_reduce(t)\n",
        "other.py": "import torch.distributed as dist\nif __name__ == '__main__': dist.barrier()\n",
    }
    assert issued(tmp_path, sources) == [["all_reduce"]] * 2
