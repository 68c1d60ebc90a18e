"""Division as C has it: towards zero, where Python's goes down."""

from __future__ import annotations

import ast


class Quotient(ast.operator):
    """``a / b`` of whole numbers, and of others."""


class Remainder(ast.operator):
    """``a % b``: with the sign of *a*."""


def quotient(first: float, second: float) -> float:
    """``a / b``; raises ZeroDivisionError."""
    if isinstance(first, int) and isinstance(second, int):
        found = abs(first) // abs(second)
        return found if (first < 0) == (second < 0) else -found
    return first / second


def remainder(first: float, second: float) -> float:
    """``a % b``; raises ZeroDivisionError."""
    return first - second * quotient(first, second)
