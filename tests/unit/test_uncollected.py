"""The garbage collector while nearly everything lives on, and after that."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize(("ends", "on"), [("", "True"), ("uncollected.for_good(); ", "False")])
def test_the_collector_comes_back_unless_the_process_ends_anyway(ends: str, on: str) -> None:
    text = (
        f"import gc; from lockorder import uncollected; {ends}\n"
        "with uncollected.uncollected(): assert not gc.isenabled()\n"
        "print(gc.isenabled()); uncollected.end(); print(gc.get_freeze_count() > 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [on, str(on == "False")]


def test_who_had_it_off_finds_it_off() -> None:
    text = (
        "import gc; from lockorder.uncollected import uncollected; gc.disable()\n"
        "with uncollected(): pass\n"
        "print(gc.isenabled())\n"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False"]
