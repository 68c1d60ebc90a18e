"""Locks that their holder may take again, because the program itself remembers who has them.

``if (owner == self) { ++count; return; } take(&flag); owner = self;``: a way past the taking, which
is decided by what is only written once the lock is had.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk


class _Known(NamedTuple):
    """Calls and constructions of a function by number, its locals, and what calls depend on."""

    calls: dict[int, f.Call]
    locals: dict[str, f.Value | None]
    made: dict[int, list[f.Value]]
    asked: Callable[[f.Call], Iterable[str]]


def is_by_hand(
    block: f.Block, takes: AbstractSet[int], asked: Callable[[f.Call], Iterable[str]]
) -> bool:
    """Whether a body passes the calls that take, by number, by for who has the lock.

    *asked* says on which fields the result of a call depends.
    """
    # Whether a try worked says nothing of who had the lock before.
    calls = {
        s.id: s
        for s in walk(block)
        if isinstance(s, f.Call) and (list(asked(s)) or not _is_about(s, block, takes))
    }
    values = {s.usr: s.value for s in walk(block) if isinstance(s, f.Local)}
    made = {s.id: s.args for s in walk(block) if isinstance(s, f.Make)}
    known = _Known(calls, values, made, asked)
    decided = set[str]()
    for cond in _ways_past(block, takes):
        decided |= set(_read(cond, known))
    return bool(decided) and bool(decided & set(_written_after(block, takes)))


def _is_about(call: f.Call, block: f.Block, takes: AbstractSet[int]) -> bool:
    """Whether a call is given the very object that the calls that take are given."""
    taking = [s for s in walk(block) if isinstance(s, f.Call) and s.id in takes]
    given = [s.args[0] for s in taking if s.args]
    return bool(call.args) and call.args[0] in given


def _is_taking(statement: f.Stmt, takes: AbstractSet[int]) -> bool:
    return isinstance(statement, f.Call) and statement.id in takes


def _has(block: f.Block | None, takes: AbstractSet[int]) -> bool:
    return block is not None and any(_is_taking(s, takes) for s in walk(block))


def _leaves(block: f.Block | None) -> bool:
    return block is not None and any(isinstance(s, f.Return) for s in walk(block))


def _ways_past(
    block: f.Block, takes: AbstractSet[int], after: bool = False
) -> Iterator[f.Value | None]:
    """Conditions on which the taking, which comes later, does not happen.

    *after*: whether something is taken after the block.
    """
    for at, statement in enumerate(block.body):
        later = after or any(_takes_in(s, takes) for s in block.body[at + 1 :])
        if isinstance(statement, f.If):
            inside = [_has(b, takes) for b in (statement.then, statement.orelse)]
            leaves = _leaves(statement.then) or _leaves(statement.orelse)
            if any(inside) != all(inside) or (later and leaves and not any(inside)):
                yield statement.cond
        for part in f.parts(statement):
            yield from _ways_past(part, takes, later)


def _takes_in(statement: f.Stmt, takes: AbstractSet[int]) -> bool:
    return _is_taking(statement, takes) or any(_has(p, takes) for p in f.parts(statement))


def _written_after(block: f.Block, takes: AbstractSet[int]) -> Iterator[str]:
    taken = False
    for statement in walk(block):
        taken = taken or _is_taking(statement, takes)
        if not taken:
            continue
        if isinstance(statement, f.Assign) and isinstance(statement.target, f.Field | f.Var):
            yield statement.target.usr
        elif isinstance(statement, f.Call) and isinstance(statement.target, f.Fn | f.Name):
            # The value of an atomic is written by a method, or by a function that gets its address.
            for value in (statement.target.base, *statement.args[:1]):
                if isinstance(value, f.Field | f.Var):
                    yield value.usr


def _read(value: f.Value | None, known: _Known) -> Iterator[str]:
    """Variables and fields that a condition depends on."""
    pending: list[f.Value | None] = [value]
    seen = set[str | int]()

    def is_new(key: str | int) -> bool:
        already = key in seen
        seen.add(key)
        return not already

    while pending:
        each = pending.pop()
        if isinstance(each, f.Field):
            yield each.usr
        elif isinstance(each, f.Var):
            if each.usr not in known.locals:
                yield each.usr
            elif is_new(each.usr):
                pending.append(known.locals[each.usr])
        elif isinstance(each, f.Result):
            call = known.calls.get(each.call)
            if call is not None and is_new(each.call):
                yield from known.asked(call)
                base = call.target.base if isinstance(call.target, f.Fn | f.Name) else None
                pending.extend((base, *call.args))
        elif isinstance(each, f.Made):
            if is_new(f"made:{each.make}"):
                pending.extend(known.made.get(each.make, ()))
        elif isinstance(each, f.Not):
            pending.append(each.value)
        elif isinstance(each, f.Both | f.Compare | f.Less):
            pending.extend((each.left, each.right))
        elif isinstance(each, f.Elem):
            pending.append(each.base)
        elif isinstance(each, f.AnyOf):
            pending.extend(each.values)
