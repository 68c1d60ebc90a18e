"""Bars that show how far a verb has come."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from lockorder.commands.checked import Progress


@contextmanager
def progress_bars(quiet: bool) -> Iterator[Progress | None]:
    """Bars on a terminal; nothing in a log."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    # Only a run that has something to wait for needs it.
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn  # noqa: PLC0415

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        tasks = {}

        def show(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=total)
            bar.update(tasks[what], completed=done)

        yield show
