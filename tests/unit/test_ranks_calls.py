"""Names, members and calls of the program's own functions and classes."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import TORCH, checked, effects, issued, rows, stories

FIRST = [["barrier"], []]
SECOND = [[], ["barrier"]]
BOTH = [["barrier"], ["barrier"]]
TENSOR = TORCH + "t = torch.zeros(1)\n"

CASES: dict[str, tuple[str, list[list[str]]]] = {
    "function": (
        "def f(r):\n  if r == 0: dist.barrier()\nf(rank)\n",
        FIRST,
    ),
    "by name": (
        "def f(a, r=5):\n  if r == 0: dist.barrier()\nf(1, r=rank)\n",
        FIRST,
    ),
    "default": (
        "def f(a, r=0):\n  if r == 0: dist.barrier()\nf(rank)\n",
        BOTH,
    ),
    "only by name": (
        "def f(*, r):\n  if r == 0: dist.barrier()\nf(r=rank)\n",
        FIRST,
    ),
    "only by place": (
        "def f(r, /):\n  if r == 0: dist.barrier()\nf(rank)\n",
        FIRST,
    ),
    "more": (
        "def f(*a):\n  if a[1] == 0: dist.barrier()\nf(7, rank)\n",
        FIRST,
    ),
    "more by name": (
        "def f(**k):\n  if k['r'] == 0: dist.barrier()\nf(r=rank)\n",
        FIRST,
    ),
    "handed on": (
        "def f(*a, **k): g(*a, **k)\ndef g(a, r):\n  if r == 0: dist.barrier()\nf(7, r=rank)\n",
        FIRST,
    ),
    "starred dict": (
        "def f(a, r):\n  if r == 0: dist.barrier()\nd = {'a': 1, 'r': rank}\nf(**d)\n",
        FIRST,
    ),
    "result": (
        "def f(): return dist.get_rank()\nif f() == 0: dist.barrier()\n",
        FIRST,
    ),
    "results": (
        "def f(): return 7, dist.get_rank()\n_, r = f()\nif r == 0: dist.barrier()\n",
        FIRST,
    ),
    "nothing returned": (
        "def f(): pass\nif f() is None: dist.barrier()\n",
        BOTH,
    ),
    "closure": (
        "def f():\n  def g():\n    if x == 0: dist.barrier()\n  x = rank\n  g()\nf()\n",
        FIRST,
    ),
    "made function": (
        "def make(r):\n  def g():\n    if r == 0: dist.barrier()\n  return g\nmake(rank)()\n",
        FIRST,
    ),
    "function as argument": (
        "def f(g): g()\nf(dist.barrier)\n",
        BOTH,
    ),
    "decorated": (
        (
            "import functools\ndef first(f):\n  @functools.wraps(f)\n"
            "  def w(*a, **k):\n    if dist.get_rank() == 0: return f(*a, **k)\n"
            "  return w\n@first\ndef g(): dist.barrier()\ng()\n"
        ),
        FIRST,
    ),
    "decorated with arguments": (
        (
            "def on(r):\n  def d(f):\n    def w():\n"
            "      if dist.get_rank() == r: f()\n    return w\n  return d\n@on(1)\n"
            "def g(): dist.barrier()\ng()\n"
        ),
        SECOND,
    ),
    "method": (
        (
            "class A:\n  def __init__(self, r): self.r = r\n  def go(self):\n"
            "    if self.r == 0: dist.barrier()\nA(rank).go()\n"
        ),
        FIRST,
    ),
    "bound method": (
        (
            "class A:\n  def __init__(self, r): self.r = r\n  def go(self):\n"
            "    if self.r == 0: dist.barrier()\ng = A(rank).go\ng()\n"
        ),
        FIRST,
    ),
    "two objects": (
        (
            "class A:\n  def __init__(self, r): self.r = r\na, b = A(rank), A(7)\n"
            "if a.r == 0: dist.barrier()\nif b.r == 0: dist.all_reduce(t)\n"
        ),
        FIRST,
    ),
    "property": (
        (
            "class A:\n  @property\n"
            "  def first(self): return dist.get_rank() == 0\n"
            "if A().first: dist.barrier()\n"
        ),
        FIRST,
    ),
    "static": (
        (
            "class A:\n  @staticmethod\n"
            "  def first(): return dist.get_rank() == 0\n"
            "if A.first(): dist.barrier()\n"
        ),
        FIRST,
    ),
    "of the class": (
        (
            "class A:\n  n = 0\n  @classmethod\n"
            "  def first(cls): return dist.get_rank() == cls.n\n"
            "if A.first(): dist.barrier()\n"
        ),
        FIRST,
    ),
    "attribute of the class": (
        "class A:\n  r = dist.get_rank()\nif A.r == 0: dist.barrier()\n",
        FIRST,
    ),
    "set from outside": (
        "class A: pass\na = A()\na.r = rank\nif a.r == 0: dist.barrier()\n",
        FIRST,
    ),
    "super": (
        (
            "class A:\n  def go(self): dist.barrier()\nclass B(A):\n"
            "  def go(self):\n    if rank == 0: super().go()\nB().go()\n"
        ),
        FIRST,
    ),
    "inherited": (
        (
            "class A:\n  def go(self): self.act()\nclass B(A):\n"
            "  def act(self): dist.barrier()\nB().go()\n"
        ),
        BOTH,
    ),
    "nearest base": (
        (
            "class A:\n  def go(self): dist.all_reduce(t)\nclass B(A):\n"
            "  def go(self): dist.barrier()\nclass C(B): pass\nC().go()\n"
        ),
        BOTH,
    ),
    "called object": (
        "class A:\n  def __call__(self): dist.barrier()\nA()()\n",
        BOTH,
    ),
    "forward": (
        "class M(torch.nn.Module):\n  def forward(self, x): dist.barrier()\nM()(t)\n",
        BOTH,
    ),
    "record": (
        (
            "from dataclasses import dataclass\n@dataclass\nclass C:\n  r: int\n"
            "  s: int = 1\nc = C(rank)\nif c.r == 0: dist.barrier()\n"
        ),
        FIRST,
    ),
    "default of a record": (
        (
            "from dataclasses import dataclass\n@dataclass\nclass C:\n  r: int\n"
            "  s: int = 1\nif C(rank).s == 1: dist.barrier()\n"
        ),
        BOTH,
    ),
    "after a record is made": (
        (
            "from dataclasses import dataclass\n@dataclass\nclass C:\n  r: int\n"
            "  def __post_init__(self): self.first = self.r == 0\n"
            "if C(rank).first: dist.barrier()\n"
        ),
        FIRST,
    ),
    "recursion": (
        "def f(n):\n  if n == 0: return\n  dist.barrier()\n  f(n - 1)\nf(2)\n",
        [["barrier", "barrier"], ["barrier", "barrier"]],
    ),
    "partial": (
        (
            "import functools\ndef g(a, b):\n  if b == 0: dist.barrier()\n"
            "functools.partial(g, 1)(rank)\n"
        ),
        FIRST,
    ),
    "defined in a branch": (
        "if rank == 0:\n  def f(): dist.barrier()\nelse:\n  def f(): pass\nf()\n",
        FIRST,
    ),
    "async": (
        "import asyncio\nasync def f():\n  if rank == 0: dist.barrier()\nasyncio.run(f())\n",
        FIRST,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_calls(tmp_path: Path, name: str) -> None:
    text, expected = CASES[name]
    assert issued(tmp_path, TENSOR + text, size=len(expected)) == expected


LOST: dict[str, tuple[str, str, list[list[str]]]] = {
    "default is taken where it stands": (
        "a default is evaluated at the call",
        "r = rank\ndef f(x=r):\n  if x == 0: dist.barrier()\nr = 7\nf()\n",
        FIRST,
    ),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.xfail(reason=LOST[n][0])) for n in LOST]
)
def test_calls_that_are_not_understood(tmp_path: Path, name: str) -> None:
    _, text, expected = LOST[name]
    assert issued(tmp_path, TENSOR + text, size=len(expected)) == expected


def test_a_chain_names_the_calls(tmp_path: Path) -> None:
    """From the program to the operation, each with its line."""
    text = TENSOR + "def f():\n  g()\ndef g():\n  dist.barrier()\nf()\n"
    (row, _) = rows(effects(tmp_path, text))
    (op,) = row.ops
    assert [(f.function, f.line) for f in op.chain] == [("main", 9), ("f", 6), ("g", 8)]


def test_a_function_that_calls_itself_is_followed_only_so_far(tmp_path: Path) -> None:
    text = TENSOR + "def f(n):\n  if n == 0: return\n  dist.barrier()\n  f(n - 1)\nf(50)\n"
    found = checked(tmp_path, text)
    assert [place for cut in found.cut for place in cut.places] == ["f"]


def test_a_decorator_of_methods_that_takes_whatever_they_take(tmp_path: Path) -> None:
    text = TORCH + (
        "import functools\n"
        "def first(fn):\n  @functools.wraps(fn)\n  def inner(*args, **kwargs):\n"
        "    if dist.get_rank() == 0: return fn(*args, **kwargs)\n  return inner\n"
        "class Saver:\n  @first\n  def save(self, much):\n    if much: dist.barrier()\n"
        "Saver().save(True)\nSaver().save(False)\n"
    )
    assert issued(tmp_path, text) == [["barrier"], []]


@pytest.mark.parametrize(("body", "count"), [("if x: raise ValueError(x)", 1), ("return x + 1", 0)])
def test_a_function_that_is_not_followed_may_raise(tmp_path: Path, body: str, count: int) -> None:
    text = TORCH + (
        f"def read(x):\n  with open(x) as f: pass\n  {body}\n"
        "def load():\n  if dist.get_rank() == 0:\n    try: read('a')\n"
        "    except OSError: return\n  dist.barrier()\nload()\n"
    )
    assert len(checked(tmp_path, text).divergences) == count


KEEPING = """
import functools
import torch.distributed as dist

class Saver:
    def __init__(self):
        BEGIN

    @functools.cached_property
    def group(self):
        return dist.new_group([0])

    def save(self, rank):
        if rank == 0:
            dist.all_reduce(1, group=self.group)

@functools.lru_cache(maxsize=None)
def world():
    dist.barrier()
    return 1

def main():
    dist.init_process_group("gloo")
    saver = Saver()
    for _ in range(40):
        saver.save(dist.get_rank())
    world()
    if dist.get_rank() == 0:
        world()

main()
"""


@pytest.mark.parametrize(("begin", "told"), [("self.group", False), ("self.groups = None", True)])
def test_what_is_kept_is_computed_once(tmp_path: Path, begin: str, told: bool) -> None:
    assert bool(stories(tmp_path, KEEPING.replace("BEGIN", begin))) is told


FILLED = """
class State:
    def __init__(self):
        self.n, self.items = 0, []

    def load(self, paths):
        for path in paths:
            with open(path) as file:
                self.n = len(file.read())
                self.items.append(path)

def fill(rows, names):
    for name in names:
        rows.append(name)

def main(names):
    state, rows, quiet = State(), [], []
    state.load(names)
    fill(rows, names)
    if WHAT:
        if dist.get_rank() == 0:
            dist.barrier()

main(sys.argv)
"""


@pytest.mark.parametrize(
    ("what", "told"),
    [("rows", True), ("state.n > 0", True), ("state.items", True), ("quiet", False)],
)
def test_what_a_function_writes_that_is_not_followed(tmp_path: Path, what: str, told: bool) -> None:
    text = "import sys\n" + TORCH + FILLED.replace("WHAT", what)
    assert bool(stories(tmp_path, text)) is told
