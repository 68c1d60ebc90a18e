"""A Dask cluster as the one who reads units: connecting, and noticing that nobody works any more.

The extra ``lockorder[dask]`` brings what is needed here; nothing else in lockorder imports it.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from typing import Any

#: Seconds in which a scheduler has to answer, and for which a cluster may be without workers.
ANSWER, PATIENCE = 8, 20


class WorkersError(Exception):
    """A cluster that cannot be used as asked; the text names the address or the worker."""


class Cluster:
    """A connected cluster."""

    def __init__(self, client: Any) -> None:
        self._client = client
        # No argument of a task says all that decides its result, so none is taken for another.
        self.executor: Executor = client.get_executor(pure=False)
        self._seen = time.monotonic()

    def alive(self) -> bool:
        """Whether the scheduler answers and has, or had a moment ago, somebody to work."""
        if self._client.status != "running":
            return False
        try:
            workers = self._client.sync(self._client.scheduler.identity, callback_timeout=ANSWER)[
                "workers"
            ]
        except Exception:  # whatever it is called: the scheduler does not answer
            return False
        now = time.monotonic()
        if workers:
            self._seen = now
        return now - self._seen < PATIENCE


@contextlib.contextmanager
def connected(address: str) -> Iterator[Cluster]:
    """The cluster of the scheduler at *address*.

    Raises WorkersError where Dask is not installed and where no scheduler answers.
    """
    try:
        distributed: Any = importlib.import_module("distributed")
    except ImportError:
        raise WorkersError("--dask needs Dask: pip install lockorder[dask]") from None
    # What it has to say about workers that died is dealt with, not printed.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    try:
        client = distributed.Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        raise WorkersError(f"--dask {address}: no scheduler answers: {reason}") from None
    try:
        yield Cluster(client)
    finally:
        with contextlib.suppress(Exception):  # it may be gone by now
            client.close(timeout=2)


def here() -> str:
    """The name of the worker that runs this."""
    distributed: Any = importlib.import_module("distributed")
    return str(distributed.get_worker().address)
