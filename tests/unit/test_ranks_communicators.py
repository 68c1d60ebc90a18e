"""Communicators that a program makes: who is in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import TORCH, issued

TENSOR = TORCH + "t = torch.zeros(1)\n"
MPI = (
    "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.Get_rank(), comm.Get_size()\n"
)


GROUPS = {
    "new": (
        "g = dist.new_group([0, 1])\ndist.barrier(group=g)\n",
        [["new_group", "barrier{0,1}"]] * 4,
    ),
    "in a loop": (
        "for i in range(2):\n  g = dist.new_group([2 * i, 2 * i + 1])\n"
        "  if rank // 2 == i: mine = g\n"
        "dist.barrier(group=mine)\n",
        [["new_group", "new_group", f"barrier{{{m}}}"] for m in ("0,1", "0,1", "2,3", "2,3")],
    ),
    "in a list": (
        (
            "gs = [dist.new_group([2 * i, 2 * i + 1]) for i in range(2)]\n"
            "dist.barrier(group=gs[rank // 2])\n"
        ),
        [["new_group", "new_group", f"barrier{{{m}}}"] for m in ("0,1", "0,1", "2,3", "2,3")],
    ),
    "of all": (
        "g = dist.new_group()\ndist.barrier(group=g)\n",
        [["new_group", "barrier{0,1,2,3}"]] * 4,
    ),
    "rank in it": (
        (
            "g = dist.new_group([1, 3])\n"
            "if rank in [1, 3] and dist.get_rank(g) == 1: dist.barrier(group=g)\n"
        ),
        [["new_group"], ["new_group"], ["new_group"], ["new_group", "barrier{1,3}"]],
    ),
    "size of it": (
        "g = dist.new_group([1, 3])\nif dist.get_world_size(g) == 2: dist.barrier()\n",
        [["new_group", "barrier"]] * 4,
    ),
}


@pytest.mark.parametrize("name", GROUPS)
def test_groups_of_torch(tmp_path: Path, name: str) -> None:
    text, expected = GROUPS[name]
    assert issued(tmp_path, TENSOR + text, 4) == expected


SPLITS = {
    "by parity": ("c = comm.Split(rank % 2, rank)\n", ["0,2", "1,3", "0,2", "1,3"]),
    "by half": ("c = comm.Split(color=rank // 2, key=0)\n", ["0,1", "0,1", "2,3", "2,3"]),
    "backwards": ("c = comm.Split(0, -rank)\n", ["3,2,1,0"] * 4),
}


@pytest.mark.parametrize("name", SPLITS)
def test_communicators_that_are_split(tmp_path: Path, name: str) -> None:
    text, members = SPLITS[name]
    found = issued(tmp_path, MPI + text + "c.Barrier()\n", 4)
    assert [row[-1] for row in found] == [f"Barrier{{{m}}}" for m in members]
    assert [row[0] for row in found] == ["Split"] * 4


def test_a_part_that_is_split_again_stays_within_it(tmp_path: Path) -> None:
    text = MPI + "c = comm.Split(rank // 2, rank).Split(rank % 2, rank)\nc.Barrier()\n"
    found = issued(tmp_path, text, 4)
    assert [row[-1] for row in found] == [f"Barrier{{{r}}}" for r in range(4)]


def test_who_is_in_no_part(tmp_path: Path) -> None:
    text = MPI + (
        "c = comm.Split(MPI.UNDEFINED if rank == 0 else 1, rank)\n"
        "if c != MPI.COMM_NULL: c.Barrier()\n"
    )
    assert issued(tmp_path, text, 3) == [["Split"], *[["Split", "Barrier{1,2}"]] * 2]
