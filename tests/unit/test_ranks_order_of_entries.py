"""What is found does not depend on which entry comes first; and files that ranks mostly share."""

from __future__ import annotations

from pathlib import Path

from lockorder.ranks.check import analyse, gather
from lockorder.ranks.knowledge import builtin

#: Each imports all of the other: who is loaded first decides what the second one knows.
SECOND = """
from b_first import *
import torch.distributed as dist


def quiet(x):
    if 0:
        dist.barrier()


def pad(x):
    together(x)
"""
FIRST = """
from a_second import *
import torch.distributed as dist


def together(x):
    dist.all_reduce(x)


def here(x):
    dist.barrier()


def user(x):
    x.pad(1)
"""


def stories(folder: Path, jobs: int, *names: str) -> int:
    known = builtin()
    program = gather([folder / n for n in names], [], known)
    return len(analyse(program, folder, known, jobs=jobs).divergences)


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    """They are loaded in one order on all ranks, whichever entry is the first of a rank."""
    (tmp_path / "a_second.py").write_text(SECOND)
    (tmp_path / "b_first.py").write_text(FIRST)
    assert stories(tmp_path, 1, "a_second.py", "b_first.py") == 0


#: A file that is asked for: made by rank 0, made by nobody, and of a rank's own name.
FILES = """
import os
import torch
import torch.distributed as dist


def load(path, rank):
    {before}
    if os.path.exists({path}):
        dist.barrier()
"""


def test_a_file_that_nothing_here_makes_is_a_note(tmp_path: Path) -> None:
    known = builtin()
    found = []
    for before, path in (
        ("pass", "path"),
        ("torch.save(1, path)", "path"),
        ("pass", 'f"{path}.{dist.get_rank()}"'),
    ):
        (tmp_path / "x.py").write_text(FILES.format(before=before, path=path))
        program = gather([tmp_path / "x.py"], [], known)
        found.append([s.slight for s in analyse(program, tmp_path, known).divergences])
    assert found == [[True], [False], [False]]
