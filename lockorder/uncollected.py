"""The garbage collector, off while nearly everything that is made lives on."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


class _Collector:
    """What holds for this process."""

    stays_off = False


@contextlib.contextmanager
def uncollected() -> Iterator[None]:
    """Without the collector, which would look at millions of objects again and again in vain."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before and not _Collector.stays_off:
            gc.enable()


def for_good() -> None:
    """Leave the collector off once it is off: the process ends with the command that it runs.

    It would go over all that the command has made, only to end after that.
    """
    _Collector.stays_off = True


def end() -> None:
    """Do not go over what is left when the interpreter ends, either."""
    if not gc.isenabled():
        gc.freeze()
