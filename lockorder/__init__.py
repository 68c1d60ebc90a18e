"""lockorder: deadlock and lock-order analysis for GPU communication stacks."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("lockorder")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["__version__"]
