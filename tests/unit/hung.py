"""Programs of fixtures/programs/hang, running: what they say, and what is seen of them."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from lockorder.hang.procfs import LiveImage, tree
from lockorder.hang.waits import Wait, Waits
from lockorder.hang.waits_frames import Kind

PROGRAMS = Path(__file__).parents[2] / "fixtures/programs/hang"
_PATIENCE = 20.0  # seconds


class Hung:
    """A program that has said that it is ready; ids and addresses by the names that it gave."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.pid = process.pid
        self.threads: dict[str, int] = {}
        self.objects: dict[str, int] = {}
        assert process.stdout is not None
        for line in process.stdout:
            if line == "ready\n":
                return
            what, name, number = line.split()
            if what == "process":
                self.pid = int(number)
            {"thread": self.threads, "object": self.objects}.get(what, {})[name] = int(number)
        raise AssertionError(f"{process.args}: ended with {process.wait()}")

    def until(self, wanted: Callable[[list[Wait]], bool], pid: int = 0) -> list[Wait]:
        """What is seen once *wanted* is; else what is seen at the end of patience."""
        waits = Waits(LiveImage(pid or self.pid))
        end = time.monotonic() + _PATIENCE
        while True:
            found = waits.find()
            if wanted(found) or time.monotonic() > end:
                return found

    def owners(self, kinds: Sequence[Kind], count: int) -> dict[str, tuple[Kind, int, str]]:
        """By thread, what it waits for, where that is, and who has it, once *count* wait."""
        names = {tid: name for name, tid in self.threads.items()}

        def of_kinds(found: list[Wait]) -> list[Wait]:
            return [wait for wait in found if wait.kind in kinds]

        found = of_kinds(self.until(lambda found: len(of_kinds(found)) >= count))
        return {
            names.get(wait.tid, "?"): (wait.kind, wait.address, names.get(wait.owner_tid, ""))
            for wait in found
        }


@contextlib.contextmanager
def running(command: Sequence[str | Path], **options: object) -> Iterator[Hung]:
    """Starts a program and ends it, with everything that it has started."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)  # type: ignore[call-overload]
    try:
        yield Hung(process)
    finally:
        for pid in reversed(tree(process.pid)):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        process.communicate()


def interpreters() -> list[Path]:
    """The CPythons from 3.9 on that are here: this one, those in PATH, and pyenv's."""
    folders = [Path(each) for each in os.environ.get("PATH", "").split(":") if each]
    folders += Path("~/.pyenv/versions").expanduser().glob("*/bin")
    found = {Path(sys.executable).resolve()}
    for folder in folders:
        for minor in range(9, 15):
            program = folder / f"python3.{minor}"
            with contextlib.suppress(OSError):
                if program.is_file() and program.open("rb").read(4) == b"\x7fELF":
                    found.add(program.resolve())
    return sorted(found)
