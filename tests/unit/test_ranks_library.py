"""What library functions give, and what they do with other ranks."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.ranks.values import LOCAL
from ranks_run import TORCH, checked, issued

TENSOR = TORCH + "t = torch.zeros(1)\n"
MPI = (
    "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.Get_rank(), comm.Get_size()\n"
)
HVD = "import horovod.torch as hvd\nimport torch\nhvd.init()\nt = torch.zeros(1)\n"
FIRST = [["barrier"], []]

#: Ways to know the rank: on each of two nodes of two ranks, who issues a barrier.
TELLING = {
    "rank": ("dist.get_rank() == 0", [0]),
    "size": ("dist.get_world_size() == 4", [0, 1, 2, 3]),
    "environment": ("os.environ['RANK'] == '3'", [3]),
    "get of the environment": ("int(os.environ.get('RANK', '0')) == 1", [1]),
    "getenv": ("os.getenv('RANK') == '1'", [1]),
    "local rank": ("int(os.environ['LOCAL_RANK']) == 0", [0, 2]),
    "local size": ("os.environ['LOCAL_WORLD_SIZE'] == '2'", [0, 1, 2, 3]),
    "node": ("os.environ['GROUP_RANK'] == '1'", [2, 3]),
    "slurm": ("os.environ['SLURM_PROCID'] == '2'", [2]),
}


@pytest.mark.parametrize("name", TELLING)
def test_ways_to_know_the_rank(tmp_path: Path, name: str) -> None:
    test, who = TELLING[name]
    found = issued(tmp_path, f"import os\n{TENSOR}if {test}: dist.barrier()\n", 4, 2)
    assert [r for r, row in enumerate(found) if row] == who


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MPI + "if rank == 0: comm.Barrier()\n", [["Barrier"], []]),
        (MPI + "if comm.rank == 0 and comm.size == 2: comm.Barrier()\n", [["Barrier"], []]),
        (MPI + "comm.Dup().Barrier()\n", [["Dup", "Barrier{0,1}"]] * 2),
        (HVD + "if hvd.rank() == 0: hvd.allreduce(t)\n", [["init", "allreduce"], ["init"]]),
        (
            HVD + "if hvd.local_rank() == 0 and hvd.size() == 2: hvd.allreduce(t)\n",
            [["init", "allreduce"], ["init"]],
        ),
        ("import torch.distributed\ntorch.distributed.barrier()\n", [["barrier"]] * 2),
        ("from torch import distributed as d\nd.barrier()\n", [["barrier"]] * 2),
        ("from torch.distributed import *\nbarrier()\n", [[], []]),
    ],
)
def test_libraries_by_their_names(tmp_path: Path, text: str, expected: list[list[str]]) -> None:
    assert issued(tmp_path, text) == expected


#: What comes before ``if x: dist.barrier()``, and the reason why ranks may not agree.
OWN = {
    "random": ("import random\nx = random.random() > 0.5\n", "a random number"),
    "seeded by the rank": (
        "import random\nrandom.seed(rank)\nx = random.random() > 0.5\n",
        "a random number",
    ),
    "time": ("import time\nx = time.time() > 5\n", "time.time"),
    "data": ("x = torch.randn(3).sum() > 0\n", "a random number"),
    "exists": ("import os\nx = os.path.exists('a')\n", "the file system, by"),
    "host": ("import socket\nx = socket.gethostname() == 'a'\n", "socket.gethostname"),
}


@pytest.mark.parametrize("name", OWN)
def test_what_a_rank_has_to_itself(tmp_path: Path, name: str) -> None:
    before, why = OWN[name]
    (story,) = checked(tmp_path, TENSOR + before + "if x: dist.barrier()\n").divergences
    assert any(reason.startswith(why) for reason in story.why)
    assert not any(reason.startswith(LOCAL) for reason in story.why)
    assert not story.sure


COMMON = {
    "argument": "import sys\nx = len(sys.argv) > 1\n",
    "seeded": "import random\nrandom.seed(0)\nx = random.random() > 0.5\n",
    "seeded torch": "torch.manual_seed(3)\nx = torch.randn(3).sum() > 0\n",
    "reduced": "x = torch.randn(1)\ndist.all_reduce(x)\n",
    "broadcast": "x = torch.randn(1)\ndist.broadcast(x, 0)\n",
    "one of gathered": "l = [None] * 4\ndist.all_gather_object(l, rank)\nx = l[0] == 1\n",
    "sent object": "l = [rank]\ndist.broadcast_object_list(l, 0)\nx = l[0] == 1\n",
    "size": "x = dist.get_world_size() > 2\n",
    "configuration": "import argparse\nx = argparse.ArgumentParser().parse_args().x\n",
}


@pytest.mark.parametrize("name", COMMON)
def test_what_all_ranks_have_alike(tmp_path: Path, name: str) -> None:
    found = checked(tmp_path, TENSOR + COMMON[name] + "if x: dist.barrier()\n")
    assert found.divergences == ()


def test_the_end_of_a_job_is_no_hang(tmp_path: Path) -> None:
    """Who fails ends all; who leaves quietly does not."""
    for line, number in (
        ("sys.exit(1)", 0),
        ("sys.exit(0)", 1),
        ("raise ValueError", 0),
        ("os._exit(0)", 1),
    ):
        text = f"import sys, os\n{TENSOR}if rank == 0: {line}\ndist.barrier()\n"
        assert len(checked(tmp_path, text).divergences) == number, line


def test_a_model_s_backward_is_a_collective(tmp_path: Path) -> None:
    text = TENSOR + (
        "from torch.nn.parallel import DistributedDataParallel as DDP\n"
        "m = DDP(torch.nn.Linear(1, 1))\nloss = m(t).sum()\nif rank == 0: loss.backward()\n"
    )
    first, second = issued(tmp_path, text)
    assert [w for w in first if w not in second] == ["backward of a distributed model"]


def test_no_sync_is_quiet(tmp_path: Path) -> None:
    text = TENSOR + (
        "from torch.nn.parallel import DistributedDataParallel as DDP\n"
        "m = DDP(torch.nn.Linear(1, 1))\nwith m.no_sync():\n  m(t).sum().backward()\n"
    )
    assert not [w for row in issued(tmp_path, text) for w in row if w.startswith("backward")]


def test_a_function_of_autograd_runs_its_forward(tmp_path: Path) -> None:
    text = TENSOR + (
        "class Sum(torch.autograd.Function):\n  @staticmethod\n  def forward(ctx, x, wide):\n"
        "    if wide: dist.all_reduce(x)\n    return x\n"
        "Sum.apply(t, True)\nSum.apply(t, False)\nSum.apply(t, rank == 0)\n"
    )
    assert issued(tmp_path, text) == [["all_reduce"] * 2, ["all_reduce"]]


MARKER = "import os\nfrom pathlib import Path\n" + TENSOR + "root = Path('a')\n"


@pytest.mark.parametrize("marker", ["root / 'done'", "(root.parent / 'b').resolve() / 'done'"])
def test_a_part_of_a_path_is_a_path(tmp_path: Path, marker: str) -> None:
    """Late ranks may see what an early one has made."""
    text = MARKER + f"marker = {marker}\n" + (
        "def get():\n  if marker.exists(): return\n  if rank == 0: marker.touch()\n"
        "  dist.barrier()\nget()\n"
    )  # fmt: skip
    (one,) = checked(tmp_path, text).divergences
    assert not one.slight


def test_a_method_may_make_what_its_object_knows(tmp_path: Path) -> None:
    text = MARKER + (
        "class Archive:\n  def __init__(self): self.marker = root / 'done'\n"
        "  def unpack(self, source):\n    with open(source) as f: f.read()\n"
        "    self.marker.touch()\na = Archive()\n"
        "def get():\n  if a.marker.exists(): return\n  if rank == 0: a.unpack('x')\n"
        "  dist.barrier()\nget()\n"
    )
    (one,) = checked(tmp_path, text).divergences
    assert not one.slight
    nobody = text.replace("    self.marker.touch()\n", "")
    assert all(d.slight for d in checked(tmp_path / "b", nobody).divergences)


TRAINER = """\
from torch.nn.parallel import DistributedDataParallel as DDP
class Trainer:
    def __init__(self, model, data):
        self.model = model
        self.data = data
        self.rounds = 0
        self.bad = 0
        self.best = None
        self.steps = []
        self.names = {}
    def loss(self, batch):
        with torch.autocast("cuda"):
            return self.model(batch).sum()
    def train(self):
        for batch in self.data:
            loss = self.loss(batch)
            if not torch.isfinite(loss).item():
                continue
            loss.backward()
Trainer(%s, range(9)).train()
"""


@pytest.mark.parametrize(("model", "count"), [("DDP(t)", 1), ("t", 0)])
def test_a_loss_that_a_function_makes_of_a_model(tmp_path: Path, model: str, count: int) -> None:
    found = checked(tmp_path, TENSOR + TRAINER % model).divergences
    assert len(found) == count
    assert [d.sides[0].call for d in found] == ["backward of a distributed model"] * count
