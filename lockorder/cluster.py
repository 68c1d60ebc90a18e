"""A Dask cluster as the one who reads: connecting, and noticing that nobody works any more.

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
_TALKATIVE = ("distributed", "tornado", "asyncio")


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
    with _quiet():
        client = _client(distributed, address)
        cluster = Cluster(client)
        try:
            yield cluster
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone by now
                cluster.executor.shutdown(wait=False)
                client.close(timeout=2)


def _client(distributed: Any, address: str) -> Any:
    import asyncio  # noqa: PLC0415  # who names no cluster need not wait for it

    try:
        # A client that cannot connect is noisy and slow about it, so ask first.
        asyncio.run(asyncio.wait_for(_greet(distributed, address), ANSWER))
        return distributed.Client(address, timeout=ANSWER, set_as_default=False)
    except Exception as error:  # anything may be listening there
        reason = str(error).partition("\n")[0] or type(error).__name__
        if isinstance(error, (TimeoutError, asyncio.TimeoutError)):
            reason = f"nothing within {ANSWER} s"
        raise WorkersError(f"--dask {address}: no Dask scheduler answers: {reason}") from None


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """What Dask has to say about workers that die is dealt with, not printed."""
    names = [n for n in logging.root.manager.loggerDict if n.split(".")[0] in _TALKATIVE]
    loggers = [logging.getLogger(name) for name in names]  # some have a level of their own
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


async def _greet(distributed: Any, address: str) -> None:
    security = distributed.Security().get_connection_args("client")
    async with distributed.rpc(address, timeout=ANSWER, connection_args=security) as scheduler:
        await scheduler.identity()


def here() -> str:
    """The name of the worker that runs this."""
    distributed: Any = importlib.import_module("distributed")
    return str(distributed.get_worker().address)
