"""lockorder: deadlock and lock-order analysis for GPU communication stacks."""

from __future__ import annotations

__version__: str
__all__ = ["__version__"]


def __getattr__(name: str) -> str:
    """The version, looked up when it is asked for: reading metadata takes its time."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        found = version("lockorder")
    except PackageNotFoundError:  # a source tree that was never installed
        found = "0+unknown"
    globals()[name] = found
    return found
