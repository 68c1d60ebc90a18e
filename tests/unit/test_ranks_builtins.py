"""Python's own functions, and the methods of its own types."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import TORCH, issued

FIRST = [["barrier"], []]
SECOND = [[], ["barrier"]]
BOTH = [["barrier"], ["barrier"]]
TENSOR = TORCH + "t = torch.zeros(1)\n"

CASES: dict[str, tuple[str, list[list[str]]]] = {
    "len": (
        "if len([0] * rank) == 0: dist.barrier()\n",
        FIRST,
    ),
    "len of a range": (
        "if len(range(rank)) == 0: dist.barrier()\n",
        FIRST,
    ),
    "range with a step": (
        "for i in range(rank, 4, 2): dist.barrier()\n",
        [["barrier", "barrier"], ["barrier", "barrier"], ["barrier"]],
    ),
    "zip": (
        "for a, b in zip([0, 1], [2, 3, 4]):\n  if a == rank and b == rank + 2: dist.barrier()\n",
        BOTH,
    ),
    "enumerate": (
        "for i, x in enumerate('ab'):\n  if i == rank and x == 'a': dist.barrier()\n",
        FIRST,
    ),
    "enumerate from": (
        "for i, x in enumerate('ab', 1):\n  if i == rank and x == 'a': dist.barrier()\n",
        SECOND,
    ),
    "reversed": (
        "for i in reversed(range(3)):\n  if i == rank: break\n  dist.barrier()\n",
        [["barrier", "barrier"], ["barrier"]],
    ),
    "sorted": (
        "for i in sorted([2, 0, 1]):\n  if i == rank: break\n  dist.barrier()\n",
        SECOND,
    ),
    "sorted backwards": (
        "for i in sorted([0, 1], reverse=True):\n  if i == rank: break\n  dist.barrier()\n",
        FIRST,
    ),
    "sum": (
        "if sum([rank, 1]) == 1: dist.barrier()\n",
        FIRST,
    ),
    "any": (
        "if any(rank == i for i in (0, 2)): dist.barrier()\n",
        [["barrier"], [], ["barrier"]],
    ),
    "all": (
        "if all([rank == 0, True]): dist.barrier()\n",
        FIRST,
    ),
    "min and max": (
        "if min(rank, 1) == 0: dist.barrier()\nif max(rank, 1) == 2: dist.all_reduce(t)\n",
        [["barrier"], [], ["all_reduce"]],
    ),
    "min of a list": (
        "if min([rank, 1]) == 0: dist.barrier()\n",
        FIRST,
    ),
    "divmod": (
        "q, m = divmod(rank, 2)\nif q == 1: dist.barrier()\n",
        [[], [], ["barrier"]],
    ),
    "int and text": (
        "if int(str(rank)) == 0: dist.barrier()\n",
        FIRST,
    ),
    "bool": (
        "if bool(rank) is False: dist.barrier()\n",
        FIRST,
    ),
    "abs": (
        "if abs(rank - 1) == 1: dist.barrier()\n",
        FIRST,
    ),
    "math": (
        "import math\nif math.ceil(rank / 2) == 0: dist.barrier()\n",
        FIRST,
    ),
    "map": (
        "for x in map(lambda i: i + rank, [0, 1]):\n  if x == 2: dist.barrier()\n",
        SECOND,
    ),
    "list of": (
        "a = list(range(2))\nfor x in a: dist.barrier()\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "tuple of": (
        "for x in tuple([1, 2]): dist.barrier()\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "set of": (
        "for x in set([1, 1]): dist.barrier()\n",
        BOTH,
    ),
    "dict by names": (
        "d = dict(r=rank)\nif d['r'] == 0: dist.barrier()\n",
        FIRST,
    ),
    "isinstance": (
        "class A: pass\nclass B(A): pass\nif isinstance(B(), A): dist.barrier()\n",
        BOTH,
    ),
    "not an instance": (
        "class A: pass\nclass B(A): pass\nif isinstance(A(), B): dist.barrier()\n",
        [[], []],
    ),
    "getattr and setattr": (
        "class A: pass\na = A()\nsetattr(a, 'r', rank)\nif getattr(a, 'r') == 0: dist.barrier()\n",
        FIRST,
    ),
    "hasattr": (
        "class A: pass\na = A()\na.x = 1\nif hasattr(a, 'x'): dist.barrier()\n",
        BOTH,
    ),
    "append": (
        "a = []\na.append(rank)\nif a[0] == 0: dist.barrier()\n",
        FIRST,
    ),
    "extend": (
        "a = [1]\na.extend([rank])\nif a[1] == 0: dist.barrier()\n",
        FIRST,
    ),
    "added to": (
        "a = [1]\na += [rank]\nif a[1] == 0: dist.barrier()\n",
        FIRST,
    ),
    "pop": (
        "a = [rank, 1]\na.pop()\nfor x in a:\n  if x == 0: dist.barrier()\n",
        FIRST,
    ),
    "popped value": (
        "a = [1, rank]\nif a.pop() == 0: dist.barrier()\n",
        FIRST,
    ),
    "index": (
        "if [1, 0].index(rank) == 1: dist.barrier()\n",
        FIRST,
    ),
    "clear": (
        "a = [1]\na.clear()\nfor x in a: dist.barrier()\ndist.all_reduce(t)\n",
        [["all_reduce"], ["all_reduce"]],
    ),
    "append by one rank": (
        "a = []\nif rank == 0: a.append(1)\nfor x in a: dist.barrier()\n",
        FIRST,
    ),
    "add": (
        "a = set()\na.add(1)\nfor x in a: dist.barrier()\n",
        BOTH,
    ),
    "get": (
        "d = {'a': rank}\nif d.get('a') == 0: dist.barrier()\n",
        FIRST,
    ),
    "get with a default": (
        "if {}.get('a', rank) == 0: dist.barrier()\n",
        FIRST,
    ),
    "get nothing": (
        "if {}.get('a') is None: dist.barrier()\n",
        BOTH,
    ),
    "keys": (
        "for k in {'a': 1, 'b': 2}.keys(): dist.barrier()\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "values": (
        "for v in {'a': 0, 'b': 7}.values():\n  if v == rank: dist.barrier()\n",
        FIRST,
    ),
    "items": (
        "for k, v in {'a': 0, 'b': 1}.items():\n  if v == rank and k == 'a': dist.barrier()\n",
        FIRST,
    ),
    "setdefault": (
        "d = {}\nd.setdefault('a', rank)\nif d['a'] == 0: dist.barrier()\n",
        FIRST,
    ),
    "update": (
        "d = {'a': 5}\nd.update({'a': rank})\nif d['a'] == 0: dist.barrier()\n",
        FIRST,
    ),
    "new key": (
        "d = {}\nd['a'] = rank\nif d['a'] == 0: dist.barrier()\n",
        FIRST,
    ),
    "split": (
        "if 'x,y'.split(',')[rank] == 'x': dist.barrier()\n",
        FIRST,
    ),
    "text methods": (
        "if f'R{rank}'.lower().startswith('r0'): dist.barrier()\n",
        FIRST,
    ),
    "insert": (
        "a = [5]\na.insert(0, rank)\nif a[0] == 0: dist.barrier()\n",
        FIRST,
    ),
    "remove": (
        "a = [0, 1]\na.remove(0)\nfor x in a: dist.barrier()\n",
        BOTH,
    ),
    "pop of a key": (
        "d = {'a': 1, 'b': 2}\nd.pop('a')\nfor x in d: dist.barrier()\n",
        BOTH,
    ),
    "discard": (
        "s = {0, 1}\ns.discard(0)\nif rank in s: dist.barrier()\n",
        SECOND,
    ),
    "update with a new key": (
        "d = {}\nd.update({'a': 1})\nfor x in d: dist.barrier()\n",
        BOTH,
    ),
    "reverse": (
        "a = [0, 1]\na.reverse()\nif a[rank] == 1: dist.barrier()\n",
        FIRST,
    ),
    "sort": (
        "a = [1, 0]\na.sort()\nif a[rank] == 0: dist.barrier()\n",
        FIRST,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_builtins(tmp_path: Path, name: str) -> None:
    text, expected = CASES[name]
    assert issued(tmp_path, TENSOR + text, size=len(expected)) == expected
