"""Meshes of ranks: who is in which slice, and what is asked of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import TORCH, checked, issued

MESH = TORCH + (
    "from torch.distributed.device_mesh import init_device_mesh\nt = torch.zeros(1)\n"
    "size = dist.get_world_size()\n"
)
TWO = MESH + "mesh = init_device_mesh('cuda', (size // 2, 2), mesh_dim_names=('dp', 'tp'))\n"
ROWS = ["all_reduce{0,1}"] * 2 + ["all_reduce{2,3}"] * 2
COLUMNS = ["all_reduce{0,2}", "all_reduce{1,3}"] * 2
ALL = ["all_reduce{0,1,2,3}"] * 4


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        ("mesh.get_group('tp')", ROWS),
        ("mesh.get_group(1)", ROWS),
        ("mesh.get_group(mesh_dim='dp')", COLUMNS),
        ("mesh['tp'].get_group()", ROWS),
        ("mesh['dp']", COLUMNS),
        ("mesh['dp', 'tp']['dp'].get_group()", COLUMNS),
        ("mesh['dp', 'tp']._flatten('all')", ALL),
        ("init_device_mesh('cuda', (size,)).get_group()", ALL),
        ("init_device_mesh('cuda', (size,), mesh_dim_names=('dp',))['dp']", ALL),
    ],
)
def test_slices(tmp_path: Path, group: str, expected: list[str]) -> None:
    found = issued(tmp_path, TWO + f"dist.all_reduce(t, group={group})\n", 4)
    assert [row[-1] for row in found] == expected


@pytest.mark.parametrize(
    ("test", "who"),
    [
        ("mesh.get_local_rank('tp') == 0", [0, 2]),
        ("mesh['dp'].get_local_rank() == 0", [0, 1]),
        ("mesh.size(0) == 2 and rank == 1", [1]),
        ("mesh.size() == 4 and rank == 1", [1]),
        ("mesh['tp'].size() == 2 and rank == 3", [3]),
    ],
)
def test_what_is_asked_of_them(tmp_path: Path, test: str, who: list[int]) -> None:
    found = issued(tmp_path, TWO + f"if {test}: dist.barrier()\n", 4)
    assert [r for r, row in enumerate(found) if row[-1] == "barrier"] == who


@pytest.mark.parametrize(
    "mesh",
    [
        "init_device_mesh('cuda', shape, mesh_dim_names=('dp', 'tp')).get_group('dp')",
        "init_device_mesh('cuda', (8, 2), mesh_dim_names=('dp', 'tp')).get_group('dp')",
        "mesh.get_group('pp')",
        "mesh[names]",
        "torch.distributed.device_mesh.DeviceMesh('cuda', [[0, 2], [1, 3]]).get_group(0)",
    ],
)
def test_nobody_knows_who_is_in_others(tmp_path: Path, mesh: str) -> None:
    text = TWO + "import torch.distributed.device_mesh\n" + f"dist.all_reduce(t, group={mesh})\n"
    assert issued(tmp_path, text, 4)[0][-1] == "all_reduce{?}"


def test_ranks_of_one_slice_decide_alike(tmp_path: Path) -> None:
    """All of a column have one place in their rows."""
    text = (
        TWO + "if mesh.get_local_rank('tp') == 0: dist.all_reduce(t, group=mesh.get_group({!r}))\n"
    )
    assert not checked(tmp_path / "a", text.format("dp")).divergences
    (one,) = checked(tmp_path / "b", text.format("tp")).divergences
    assert one.sure
