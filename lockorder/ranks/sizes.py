"""How large tensors are: what makers are handed, and whether two ranks have as much."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lockorder.ranks.values import LOCAL, MESSAGE, Const, Tup, Value, differs, of_rank


def of_maker(shape: str, args: Sequence[Value]) -> tuple[Value, ...]:
    """The sizes that a maker of tensors is handed; none where they are not all known.

    *shape* says where: ``all`` arguments or a row that comes first, the ``first`` (a number or a
    row) or the ``last`` (a row), or ``one`` number that is the only argument.
    """
    if not args:
        return ()
    if shape == "one":
        return (args[0],) if len(args) == 1 else ()
    given = args[-1] if shape == "last" else args[0]
    if isinstance(given, Tup):
        return given.items
    if shape == "last" or (isinstance(given, Const) and not isinstance(given.value, int)):
        return ()
    return tuple(args) if shape == "all" else (given,)


def unlike(first: Value, second: Value) -> bool:
    """Whether tensors of two ranks have another number of elements each, by their sizes.

    Sizes that are not known are told apart where both ranks have the same expression of what each
    of them has to itself.  Of rows of tensors each is compared.
    """
    if not isinstance(first, Tup) or not isinstance(second, Tup):
        return False
    pairs = list(zip(first.items, second.items, strict=False))
    if any(isinstance(a, Tup) for a, _ in pairs):
        return any(unlike(a, b) for a, b in pairs)
    ours, theirs = _number(first), _number(second)
    if ours is not None and theirs is not None:
        return ours != theirs
    if len(first.items) != len(second.items):
        return False
    apart = [_apart(a, b) for a, b in pairs]
    return True in apart and None not in apart


def _number(sizes: Tup) -> int | None:
    """How many elements that are, where it is known."""
    found = [x.value if isinstance(x, Const) else None for x in sizes.items]
    known = [x for x in found if isinstance(x, int)]
    return math.prod(known) if len(known) == len(found) else None


def _apart(first: Value, second: Value) -> bool | None:
    """Whether two sizes are not the same; None where nobody knows."""
    if isinstance(first, Const) and isinstance(second, Const):
        return bool(first.value != second.value)
    if first.id != second.id:
        return None
    deps = first.depends | second.depends
    if all(map(of_rank, deps)) and "~" in first.id:
        return None  # by a branch that both have taken, perhaps
    return differs(deps)


def splits_unlike(first: Value, second: Value, ranks: tuple[int, int]) -> bool:
    """Whether what one rank sends another one is not what that one takes from it.

    Each value is a pair of rows: how much a rank takes from each, and how much it sends to each.
    What others send is no matter of a rank's own data: where nothing was exchanged, it cannot be
    known, and it is not what the rank sends.
    """
    if not all(isinstance(v, Tup) and len(v.items) == 2 for v in (first, second)):
        return False
    assert isinstance(first, Tup)
    assert isinstance(second, Tup)
    rows = [*first.items, *second.items]
    if all(isinstance(row, Tup) for row in rows):
        one, other = ranks
        for sent, taken, to, of in ((rows[1], rows[2], other, one), (rows[3], rows[0], one, other)):
            pair = _at(sent, to), _at(taken, of)
            if all(isinstance(x, Const) for x in pair) and _apart(*pair):  # type: ignore[arg-type]
                return True
        return False
    taken, sent = first.items
    same = taken.id == sent.id and any(d.startswith(LOCAL) for d in taken.depends)
    return same or all(_is_own(row) for row in first.items)


def _at(row: Value, place: int) -> Value | None:
    return row.items[place] if isinstance(row, Tup) and place < len(row.items) else None


def _is_own(value: Value) -> bool:
    """Whether a value comes of a rank's own data alone, and of nothing that others have sent."""
    own = [d for d in value.depends if d.startswith(LOCAL)]
    return bool(own) and not any(d.endswith(EXCHANGED) or d.startswith(MESSAGE) for d in own)


#: How the reason ends why a value is a rank's own that a call has given it; and one that others
#: take part in.
GAVE = " gave this rank"
EXCHANGED = " gave this rank, of others"
__all__ = ["EXCHANGED", "GAVE", "of_maker", "splits_unlike", "unlike"]
