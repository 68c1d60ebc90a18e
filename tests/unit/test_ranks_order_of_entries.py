"""What is found does not depend on which entry comes first, nor on what an earlier one did."""

from __future__ import annotations

from pathlib import Path

from lockorder.ranks.check import analyse, gather
from lockorder.ranks.knowledge import builtin

#: A backend that one function makes, and that others ask for: each is an entry of its own.
BACKEND = """
import torch.distributed as dist

cdb = None
REGISTRY = {}


class Backend:
    def __init__(self):
        REGISTRY["made"] = True

    def gather(self, x):
        dist.all_reduce(x)


def begin(rounds):
    global cdb
    cdb = Backend()
    for a in range(rounds):
        for b in range(rounds):
            if a % 7 == b:
                cdb.gather(a)


def use(x):
    if cdb is not None:
        cdb.gather(x)


def once(x):
    if "made" not in REGISTRY:
        dist.barrier()
        REGISTRY["made"] = True
"""


def stories(folder: Path, jobs: int, *names: str) -> int:
    known = builtin()
    program = gather([folder / n for n in names], [], known)
    return len(analyse(program, folder, known, jobs=jobs).divergences)


def test_what_one_entry_makes_another_does_not_have(tmp_path: Path) -> None:
    (tmp_path / "backend.py").write_text(BACKEND)
    (tmp_path / "early.py").write_text("from backend import *\n\nuse(1)\nonce(2)\n")
    (tmp_path / "late.py").write_text("import backend\n\nbackend.begin(100)\nbackend.once(1)\n")
    names = ("backend.py", "early.py", "late.py")
    assert stories(tmp_path, 1, *names) == 0
    assert stories(tmp_path, 2, *names) == 0


def test_modules_that_import_each_other(tmp_path: Path) -> None:
    """They are loaded in one order, whichever of them an entry stands in."""
    (tmp_path / "first.py").write_text(
        "from second import *\nimport torch.distributed as dist\n\n"
        "def together(x):\n    dist.all_reduce(x)\n\ndef here(x):\n    there(x)\n"
    )
    (tmp_path / "second.py").write_text(
        "from first import *\nimport torch.distributed as dist\n\n"
        "def there(x):\n    dist.barrier()\n\ndef pad(x):\n    together(x)\n"
    )
    assert stories(tmp_path, 1, "first.py", "second.py") == 0


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
