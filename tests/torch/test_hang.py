"""Four real ranks, of which one is deadlocked on a lock: the first line says which, and why."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "unit"))

from hung import PROGRAMS, Hung

PYTHON = os.environ.get("LOCKORDER_TORCH_PYTHON", "")
WORLD = 4

pytestmark = pytest.mark.skipif(not PYTHON, reason="no PyTorch here: make test-torch")


def test_one_rank_is_deadlocked(tmp_path: Path) -> None:
    script, meeting = PROGRAMS / "torch_ranks.py", tmp_path / "meeting"
    with contextlib.ExitStack() as stack:
        commands = [
            ["env", f"RANK={rank}", PYTHON, script, str(rank), str(WORLD), meeting]
            for rank in range(WORLD)
        ]
        started = [stack.enter_context(Started(command)) for command in commands]
        ranks = [Hung(process) for process in started]
        time.sleep(1)  # until all are where they stay
        pids = [str(rank.pid) for rank in ranks]
        command = [sys.executable, "-m", "lockorder", "hang", "--pid", *pids]
        begin = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        taken = time.monotonic() - begin
    first = done.stdout.partition("\n")[0]
    assert done.returncode == 1, done.stdout + done.stderr
    assert first.startswith("rank 2 holds up the job: rank 2 is deadlocked: ")
    assert re.search(r"\. ranks 0-1, 3 in all_reduce at torch_ranks.py:\d+ wait for it$", first)
    main = ranks[2].threads["main"]
    assert re.search(
        rf"thread {ranks[2].pid}:{main} \S+ waits for the Python lock queue_lock", first
    )
    assert "waits for the Python lock cache_lock" in first
    assert taken < 30, taken


class Started(subprocess.Popen[str]):
    """A rank that is ended with the test; all have to be started before one of them is ready."""

    def __init__(self, command: list[str | Path]) -> None:
        super().__init__(command, stdout=subprocess.PIPE, text=True)

    def __exit__(self, *_: object) -> None:
        self.kill()
        self.communicate()
