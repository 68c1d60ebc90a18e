"""Bits of numbers: which are set, and which are what they were in a variable.

``(flags & A) | B``, with constants A and B, is a path: that of ``flags`` with a step that has both.
A test of it is decided by B, or by A, or it is a test of ``flags`` itself.  So are all ways of
writing that (``|=``, arguments, a local in between), since constants are put together.
"""

from __future__ import annotations

from lockorder.static.interp.known import Equal, Operation, Term
from lockorder.static.interp.summary import State
from lockorder.static.parse import numbers
from lockorder.static.program.paths import Path, mask_of, masked


def combined(symbol: str, left: Path, right: Path) -> Path | None:
    """``left symbol right``, where one of them is a constant."""
    if right.is_literal:
        left, right = right, left
    constant = numbers.number_of(left.literal) if left.is_literal else None
    if constant is None:
        return None
    if not right.is_literal:
        return masked(right, symbol, constant)
    other = numbers.number_of(right.literal)
    if other is None:
        return None
    if symbol == "|":
        return Path.of_literal(numbers.either(left.literal, right.literal) or "")
    return Path.of_literal(str(constant & other))


def test(value: Term, mask: Term, state: State) -> bool | Operation:
    """Whether *value* has any bit of *mask*: as far as *state* knows, or what facts call that."""
    if isinstance(value, Path) and value.is_literal and not isinstance(mask, Operation):
        value, mask = mask, value
    wanted = numbers.number_of(mask.literal) if isinstance(mask, Path) else None
    if wanted is None:
        # a name alone: that of a zero is not known by its name
        return True if value == mask else Operation("&", value, mask)
    if isinstance(value, Path):
        told = has(value, wanted)
        if isinstance(told, bool):
            return told
        value, wanted = told
    known = _known(value, wanted, state)
    return Operation("&", value, Path.of_literal(str(wanted))) if known is None else known


def has(path: Path, mask: int) -> bool | tuple[Path, int]:
    """Whether *path* has any bit of *mask*, or what decides that: a path, and bits of it."""
    if path.is_literal:
        number = numbers.number_of(path.literal)
        return (path, mask) if number is None else number & mask != 0
    base, kept, added = mask_of(path)
    if added & mask:
        return True
    return (base, kept & mask) if kept & mask else False


def _known(value: Term, mask: int, state: State) -> bool | None:
    """What facts say of bits of *value*: of these, of some that are set, or of all of them."""
    off = 0
    for fact, truth in state.facts.items():
        if isinstance(fact, Operation) and fact.text == "&" and fact.left == value:
            there = numbers.number_of(fact.right.literal) if isinstance(fact.right, Path) else None
            if there is None:
                continue
            if not truth:
                off |= there
            elif there & ~mask == 0:
                return True
        elif truth and isinstance(fact, Equal) and fact.left == value:
            number = numbers.number_of(fact.right.literal) if isinstance(fact.right, Path) else None
            if number is not None:
                return number & mask != 0
    return False if mask & ~off == 0 else None
