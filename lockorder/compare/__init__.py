"""A static result and recorded runs, joined: what was predicted, what was seen, what was missed."""

from lockorder.compare.compare import compare

__all__ = ["compare"]
