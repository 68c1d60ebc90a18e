"""What ranks have to themselves, and what only looks so: pairs of small programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import checked

#: name: what is the same on all ranks; what is not
PAIRS = {
    "a loop that one rank leaves ends with that loop": (
        """
        def agree(flag):
            t = torch.tensor(flag)
            dist.broadcast(t, 0)
            return t.item()

        def check(tags):
            stop = False
            if dist.get_rank() == 0:
                for tag in tags:
                    if tag == "stop":
                        stop = True
                        break
            if agree(stop):
                dist.barrier()
        """,
        """
        def check(tags):
            stop = False
            if dist.get_rank() == 0:
                for tag in tags:
                    if tag == "stop":
                        stop = True
                        break
            if not stop:
                dist.barrier()
        """,
    ),
    "a round that one rank leaves early is over for all": (
        """
        def convert(sd):
            for key in sd:
                if key == "seed":
                    if dist.get_rank() == 0:
                        continue
                    print(key)
                if key == "layer":
                    dist.all_reduce(sd[key])
        """,
        """
        def convert(sd):
            for key in sd:
                if dist.get_rank() == 0:
                    continue
                dist.all_reduce(sd[key])
        """,
    ),
    "a cache that all fill by their own rank": (
        """
        def group(cache, members):
            key = dist.get_rank()
            if key not in cache:
                cache[key] = dist.new_group(members)
            return cache[key]
        """,
        """
        def group(cache, members):
            if dist.get_rank() == 0:
                cache["g"] = dist.new_group(members)
            return cache["g"]
        """,
    ),
    "a group that only its members have": (
        """
        def make(n):
            mine = None
            for s in range(dist.get_world_size() // n):
                ranks = list(range(s * n, (s + 1) * n))
                g = dist.new_group(ranks)
                if dist.get_rank() in ranks:
                    mine = g
            return mine

        def run(n, x):
            g = make(n)
            if g is not None:
                dist.all_reduce(x, group=g)
            dist.all_reduce(x)
        """,
        """
        def run(n, x):
            if dist.get_rank() < n:
                dist.all_reduce(x)
        """,
    ),
    "an exception of data that all have": (
        """
        def score(losses):
            try:
                found = math.exp(losses)
            except OverflowError:
                return None
            dist.all_reduce(found)
        """,
        """
        def score(path):
            try:
                found = torch.load(f"{path}.{dist.get_rank()}")
            except OSError:
                return None
            dist.all_reduce(found)
        """,
    ),
    "no folder is a file": (
        """
        def save(folder):
            if os.path.isfile(folder):
                return
            os.makedirs(folder, exist_ok=True)
            dist.barrier()
        """,
        """
        def save(folder):
            if os.path.isdir(folder):
                return
            os.makedirs(folder, exist_ok=True)
            dist.barrier()
        """,
    ),
    "a round that is skipped is followed by others": (
        """
        def serve():
            while True:
                if dist.get_rank() == 0:
                    asked = read()
                    if not asked:
                        continue
                dist.barrier()
        """,
        """
        def serve():
            while True:
                if dist.get_rank() == 0:
                    continue
                dist.barrier()
        """,
    ),
    "a member of the class, by any of its names": (
        """
        class Job:
            is_main = True

            def __init__(self):
                type(self).is_main = dist.get_world_size() > 1

            def log(self, x):
                if self.is_main:
                    dist.all_reduce(x)

        Job().log(1)
        """,
        """
        class Job:
            is_main = True

            def __init__(self):
                type(self).is_main = dist.get_rank() == 0

            def log(self, x):
                if self.is_main:
                    dist.all_reduce(x)

        Job().log(1)
        """,
    ),
    "the default that a call makes": (
        """
        @dataclass
        class Config:
            steps: int = field(default_factory=lambda: dist.get_world_size())

        for i in range(Config().steps):
            dist.barrier()
        """,
        """
        @dataclass
        class Config:
            steps: int = field(default_factory=lambda: dist.get_rank())

        for i in range(Config().steps):
            dist.barrier()
        """,
    ),
    "ranks that join": (
        """
        model = DDP(torch.nn.Linear(4, 4))
        scope = Join([model])
        with scope:
            for x in torch.zeros(dist.get_rank() + 2, 4):
                model(x).sum().backward()
        """,
        """
        model = DDP(torch.nn.Linear(4, 4))
        scope = open("log")
        with scope:
            for x in torch.zeros(dist.get_rank() + 2, 4):
                model(x).sum().backward()
        """,
    ),
    "how many numbers a tensor has": (
        """
        x = torch.zeros(dist.get_world_size(), 8)
        if x.size(0) > 1:
            dist.all_reduce(x)
        """,
        """
        x = torch.zeros(dist.get_rank(), 8)
        if x.size(0) > 1:
            dist.all_reduce(x)
        """,
    ),
}
BEGIN = """\
import math
import os
from dataclasses import dataclass, field
import torch
import torch.distributed as dist
from torch.distributed.algorithms.join import Join
from torch.nn.parallel import DistributedDataParallel as DDP
dist.init_process_group("gloo")
"""


def told(folder: Path, text: str) -> int:
    """How many stories a check tells that are more than a note."""
    lines = text.splitlines()
    indent = min(len(x) - len(x.lstrip()) for x in lines if x.strip())
    source = BEGIN + "\n".join(x[indent:] for x in lines) + "\n"
    return sum(not d.slight for d in checked(folder, source).divergences)


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_the_same_is_not_told(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, PAIRS[name][0]) == 0


@pytest.mark.parametrize("name", PAIRS)
def test_what_differs_is(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, PAIRS[name][1]) > 0
