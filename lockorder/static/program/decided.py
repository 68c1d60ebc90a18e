"""Bodies of functions where something is known of an object: branches not taken are left out.

What a lock does may depend on how it was made: ``if (again_ && owner_ == self)`` is a way of those
objects only whose ``again_`` is true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers

#: What a value is known to be, as the text of a literal; None where nobody knows.
Known = Callable[[f.Value], str | None]


def nothing(_: f.Value) -> str | None:
    """Of no value is it known what it is."""
    return None


def where(block: f.Block, known: Known) -> f.Block:
    """*block* without the branches that are not taken."""
    found: list[f.Stmt] = []
    for statement in block.body:
        for kept in _kept(statement, known):
            found.append(kept)
            if isinstance(kept, f.Return) or (isinstance(kept, f.Block) and _leaves(kept)):
                return f.Block(found)
    return f.Block(found)


def tested(block: f.Block) -> Iterator[f.Value]:
    """Conditions of branches, and their parts."""
    for statement in f.walk(block):
        pending: list[f.Value | None] = []
        if isinstance(statement, f.If):
            pending.append(statement.cond)
        elif isinstance(statement, f.Switch):
            cond = statement.cond
            pending += [f.Compare(cond, x) for x in statement.labels if x and cond is not None]
        while pending:
            value = pending.pop()
            if isinstance(value, f.Not):
                pending.append(value.value)
            elif isinstance(value, f.Both):
                pending += (value.left, value.right)
            elif value is not None:
                yield value


def truth(value: f.Value | None, known: Known) -> bool | None:
    """Whether a condition holds; None where nobody knows."""
    if isinstance(value, f.Not):
        inner = truth(value.value, known)
        return None if inner is None else not inner
    if isinstance(value, f.Both):
        sides = truth(value.left, known), truth(value.right, known)
        if value.either in sides:
            return value.either
        return None if None in sides else not value.either
    if isinstance(value, f.Compare):
        same = _same(_text(value.left, known), _text(value.right, known))
        return None if same is None else same == value.equal
    number = numbers.number_of(_text(value, known) or "") if value is not None else None
    return None if number is None else number != 0


def _text(value: f.Value, known: Known) -> str | None:
    if isinstance(value, f.Op) and value.text == "&":
        sides = _text(value.left, known), _text(value.right, known)
        left, right = (numbers.number_of(s or "") for s in sides)
        return None if left is None or right is None else str(left & right)
    return value.text if isinstance(value, f.Lit) else known(value)


def _same(one: str | None, other: str | None) -> bool | None:
    if not one or not other:
        return None
    if one.startswith('"') and other.startswith('"'):
        return one == other
    left, right = numbers.number_of(one), numbers.number_of(other)
    if left is None or right is None:
        return True if one == other else None
    return left == right


def _kept(statement: f.Stmt, known: Known) -> Iterator[f.Stmt]:
    if isinstance(statement, f.If):
        holds = truth(statement.cond, known)
        if holds is None:
            orelse = where(statement.orelse, known) if statement.orelse is not None else None
            yield f.If(statement.cond, where(statement.then, known), orelse)
        elif holds:
            yield where(statement.then, known)
        elif statement.orelse is not None:
            yield where(statement.orelse, known)
    elif isinstance(statement, f.Switch):
        yield from _cases(statement, known)
    elif isinstance(statement, f.Block):
        yield where(statement, known)
    elif isinstance(statement, f.Loop):
        if truth(statement.cond, known) is False and not statement.at_least_once:
            yield where(statement.head, known)
            return
        parts = [where(p, known) for p in (statement.head, statement.body, statement.step)]
        head, body, step = parts
        yield f.Loop(head, statement.cond, body, step, statement.at_least_once, statement.line)
    elif isinstance(statement, f.Try):
        handlers = [where(h, known) for h in statement.handlers]
        yield f.Try(where(statement.body, known), handlers)
    else:
        yield statement


def _cases(switch: f.Switch, known: Known) -> Iterator[f.Stmt]:
    """The case that is taken, and those that it falls into."""
    text = _text(switch.cond, known) if switch.cond is not None else None
    labels = [x.text if isinstance(x, f.Lit) else None for x in switch.labels]
    same = [_same(text, label) for label in labels]
    named = [at for at, is_same in enumerate(same) if is_same]
    open_ones = [at for at, is_same in enumerate(same) if is_same is None]
    if text is None or len(labels) != len(switch.cases) or (not named and len(open_ones) > 1):
        cases = [where(c, known) for c in switch.cases]
        yield f.Switch(cases, switch.total, switch.cond, switch.labels)
        return
    for case in switch.cases[(named or open_ones or [len(labels)])[0] :]:
        for inner in _flat(where(case, known)):
            if isinstance(inner, f.Break):
                return
            yield inner
            if isinstance(inner, f.Return):
                return


def _flat(block: f.Block) -> Iterator[f.Stmt]:
    for statement in block.body:
        if isinstance(statement, f.Block):
            yield from _flat(statement)
        else:
            yield statement


def _leaves(block: f.Block) -> bool:
    last = block.body[-1] if block.body else None
    return isinstance(last, f.Return) or (isinstance(last, f.Block) and _leaves(last))
