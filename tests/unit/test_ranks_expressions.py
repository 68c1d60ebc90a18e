"""What expressions are worth: seen by what two or three ranks issue behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import TORCH, issued, stories

FIRST = [["barrier"], []]
SECOND = [[], ["barrier"]]
BOTH = [["barrier"], ["barrier"]]
TENSOR = TORCH + "t = torch.zeros(1)\n"

CASES: dict[str, tuple[str, list[list[str]]]] = {
    "comparison": (
        "if rank == 0: dist.barrier()\n",
        FIRST,
    ),
    "unlike": (
        "if rank != 0: dist.barrier()\n",
        SECOND,
    ),
    "chained": (
        "if 0 <= rank < 1: dist.barrier()\n",
        FIRST,
    ),
    "chained in the middle": (
        "if 0 < rank < 2: dist.barrier()\n",
        [[], ["barrier"], []],
    ),
    "in a row": (
        "if rank in (0, 2): dist.barrier()\n",
        [["barrier"], [], ["barrier"]],
    ),
    "not in a list": (
        "if rank not in [0]: dist.barrier()\n",
        SECOND,
    ),
    "in a set": (
        "if rank in {1}: dist.barrier()\n",
        SECOND,
    ),
    "in a dict": (
        "if rank in {0: 'a'}: dist.barrier()\n",
        FIRST,
    ),
    "in a text": (
        "if str(rank) in '0,2': dist.barrier()\n",
        [["barrier"], [], ["barrier"]],
    ),
    "none": (
        "x = None if rank else 1\nif x is None: dist.barrier()\n",
        SECOND,
    ),
    "not none": (
        "x = None if rank else 1\nif x is not None: dist.barrier()\n",
        FIRST,
    ),
    "truth of a number": (
        "if rank: dist.barrier()\n",
        SECOND,
    ),
    "truth of a list": (
        "if [0] * rank: dist.barrier()\n",
        SECOND,
    ),
    "truth of nothing": (
        "if not []: dist.barrier()\n",
        BOTH,
    ),
    "and": (
        "if rank == 0 and t is not None: dist.barrier()\n",
        FIRST,
    ),
    "and that acts": (
        "rank == 0 and dist.barrier()\n",
        FIRST,
    ),
    "or that acts": (
        "rank == 0 or dist.barrier()\n",
        SECOND,
    ),
    "value of or": (
        "x = rank or 5\nif x == 5: dist.barrier()\n",
        FIRST,
    ),
    "value of and": (
        "x = rank and 5\nif x == 5: dist.barrier()\n",
        SECOND,
    ),
    "not": (
        "if not rank == 0: dist.barrier()\n",
        SECOND,
    ),
    "either": (
        "x = 'a' if rank == 0 else 'b'\nif x == 'a': dist.barrier()\n",
        FIRST,
    ),
    "walrus": (
        "if (r := dist.get_rank()) == 0: dist.barrier()\nif r == 1: dist.all_reduce(t)\n",
        [["barrier"], ["all_reduce"]],
    ),
    "arithmetic": (
        "if (rank + 3) % 2 * 4 - 4 == 0: dist.barrier()\n",
        FIRST,
    ),
    "division": (
        "if rank // 2 == 0: dist.barrier()\nif rank / 2 == 1: dist.all_reduce(t)\n",
        [["barrier"], ["barrier"], ["all_reduce"]],
    ),
    "negative": (
        "if -rank == 0: dist.barrier()\n",
        FIRST,
    ),
    "remainder rounds down": (
        "if (rank - 1) % 2 == 1: dist.barrier()\n",
        FIRST,
    ),
    "bits": (
        "if rank & 1 == 0: dist.barrier()\nif rank ^ 1 == 0: dist.all_reduce(t)\n",
        [["barrier"], ["all_reduce"], ["barrier"]],
    ),
    "shifts": (
        "if 1 << rank == 2: dist.barrier()\n",
        SECOND,
    ),
    "text": (
        "if f'r{rank}' == 'r0': dist.barrier()\n",
        FIRST,
    ),
    "joined text": (
        "if 'r' + str(rank) == 'r0': dist.barrier()\n",
        FIRST,
    ),
    "list": (
        "a = [5, rank]\nif a[1] == 0: dist.barrier()\n",
        FIRST,
    ),
    "last": (
        "a = [5, rank]\nif a[-1] == 0: dist.barrier()\n",
        FIRST,
    ),
    "indexed by rank": (
        "a = [7, 8]\nif a[rank] == 7: dist.barrier()\n",
        FIRST,
    ),
    "slice": (
        "a = [0, 1, 2]\nfor x in a[rank + 1:]: dist.barrier()\n",
        [["barrier", "barrier"], ["barrier"], []],
    ),
    "slice backwards": (
        "for x in [3, 4][::-1]:\n  if x == 4: break\n  dist.barrier()\n",
        [[], []],
    ),
    "joined lists": (
        "for x in [1] + [2] * rank: dist.barrier()\n",
        [["barrier"], ["barrier", "barrier"]],
    ),
    "dict": (
        "d = {'a': rank}\nif d['a'] == 0: dist.barrier()\n",
        FIRST,
    ),
    "dict by rank": (
        "d = {0: 'x', 1: 'y'}\nif d[rank] == 'x': dist.barrier()\n",
        FIRST,
    ),
    "dict of functions": (
        "d = {0: lambda: dist.barrier(), 1: lambda: None}\nd[rank]()\n",
        FIRST,
    ),
    "nested": (
        "d = {'a': [{'b': rank}]}\nif d['a'][0]['b'] == 0: dist.barrier()\n",
        FIRST,
    ),
    "comprehension": (
        "[dist.barrier() for i in range(2)]\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "comprehension with a test": (
        "[dist.barrier() for i in range(3) if i < rank]\n",
        [[], ["barrier"], ["barrier", "barrier"]],
    ),
    "comprehension of two": (
        "[dist.barrier() for i in range(2) for j in range(2) if i != j]\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "dict comprehension": (
        "d = {i: i == rank for i in range(2)}\nif d[0]: dist.barrier()\n",
        FIRST,
    ),
    "set comprehension": (
        "if rank in {i for i in range(1)}: dist.barrier()\n",
        FIRST,
    ),
    "lambda": (
        "f = lambda x: dist.barrier() if x == 0 else None\nf(rank)\n",
        FIRST,
    ),
    "equal lists": (
        "if [rank, 1] == [0, 1]: dist.barrier()\n",
        FIRST,
    ),
    "equal tuples": (
        "if (rank, 1) == (0, 1): dist.barrier()\n",
        FIRST,
    ),
    "tuple in a list": (
        "if (rank, 0) in [(0, 0)]: dist.barrier()\n",
        FIRST,
    ),
    "await": (
        (
            "async def f():\n  if rank == 0: await g()\n"
            "async def g(): dist.barrier()\nimport asyncio\nasyncio.run(f())\n"
        ),
        FIRST,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_expressions(tmp_path: Path, name: str) -> None:
    text, expected = CASES[name]
    assert issued(tmp_path, TENSOR + text, size=len(expected)) == expected


def test_what_is_not_known_is_a_question(tmp_path: Path) -> None:
    """Answered alike on all ranks, or otherwise on one."""
    text = TENSOR + "x = torch.randn(3)\nif x.sum() > 0: dist.barrier()\n"
    assert issued(tmp_path, text, given={"x.sum() > 0": True}) == BOTH
    assert issued(tmp_path, text, given={"x.sum() > 0": False}) == [[], []]
    odd = (1, "x.sum() > 0")
    assert issued(tmp_path, text, given={"x.sum() > 0": True}, odd=odd) == FIRST


def test_two_questions_about_one_thing_are_one(tmp_path: Path) -> None:
    """``x < 3`` and ``x >= 3`` are never both so."""
    text = TENSOR + "if t < 3: dist.barrier()\nif t >= 3: dist.all_reduce(t)\n"
    for truth in (True, False):
        found = issued(tmp_path, text, given={"t < 3": truth})
        assert found == [["barrier" if truth else "all_reduce"]] * 2


def test_what_stands_behind_is_only_looked_at_where_it_decides(tmp_path: Path) -> None:
    text = TENSOR + "def f():\n  dist.barrier()\n  return True\nif rank == 0 and f(): pass\n"
    assert issued(tmp_path, text) == FIRST


def test_large_numbers_are_not_computed(tmp_path: Path) -> None:
    text = TENSOR + "x = 2 ** 50\ny = x * x\nz = 'a' * 5000 + 'b'\ndist.barrier()\n"
    assert issued(tmp_path, text) == BOTH


@pytest.mark.parametrize("large", ["10 ** 9 ** 9", "1 << (1 << 38)", "'a' * (1 << 38)"])
def test_large_results_of_small_numbers_are_not_computed(tmp_path: Path, large: str) -> None:
    """They would take all of the time, or of the memory."""
    assert issued(tmp_path, TENSOR + f"x = {large}\ndist.barrier()\n") == BOTH


CHUNKS = """\
import torch, torch.distributed as dist
from pathlib import Path
rank, size = dist.get_rank(), dist.get_world_size()
def chunks(items, count):
  return [items[i * 2 : i * 2 + 2] for i in range(count)]
mine = sorted(Path("a").glob("*"))[rank::size]
parts = chunks(mine, int(input()))
every = []
for part in parts: every.extend(part)
"""


@pytest.mark.parametrize(
    ("over", "count"), [("parts", 0), ("range(len(parts))", 0), ("mine", 1), ("every", 1)]
)
def test_how_many_there_are_is_not_how_many_are_in_each(
    tmp_path: Path, over: str, count: int
) -> None:
    text = CHUNKS + f"for _ in {over}: dist.barrier()\n"
    assert len(stories(tmp_path, text)) == count
