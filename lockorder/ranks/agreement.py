"""Whether what ranks issue in one place of a communicator fits: operation, arguments, root."""

from __future__ import annotations

import itertools

import msgspec

from lockorder.ranks import elements, sizes
from lockorder.ranks.effects import Op
from lockorder.ranks.flatten import number
from lockorder.ranks.values import RANK, Comm, Const, Element, Tup, Unknown, Value, differs
from lockorder.rules.evidence import ROOT_ONLY

#: Arguments that say who is in a group.
_MEMBERS = frozenset(("ranks",))
#: How many of a type.
_COUNTS = frozenset(("count", "sendcount", "recvcount"))
_TYPES = frozenset(("datatype", "sendtype", "recvtype"))


class Unfit(msgspec.Struct):
    """Two ranks whose operations do not fit; *kind* and *what* are those of an outcome."""

    kind: str
    ranks: tuple[int, int]
    ops: tuple[Op, Op]
    what: str


def checked(
    there: dict[int, Op], rank: int, op: Op, members: tuple[int, ...], size: int
) -> Unfit | None:
    """In what *op* of *rank* does not fit to what other ranks have issued in that place.

    *members* are the ranks of the communicator, of *size* in the job.
    """
    for other, theirs in there.items():
        why = _unlike(theirs, op, (other, rank))
        if not why and _unlike_splits(theirs, op, (other, rank), members):
            why = "splits"
        if not why and op.gives and theirs.gives:
            why = f"{ROOT_ONLY}{op.gives}"  # one of them is not the root, whoever that is
        if why:
            return Unfit("differs", (other, rank), (theirs, op), why)
    root = number(dict(op.agreed).get("root"))
    first = members[root] if root is not None and root < len(members) else rank
    if op.in_place and op.placed == "root" and first != rank:
        return Unfit("differs", (rank, first), (op, op), "in place")
    whole = number(op.root)  # a rank of the job, where the library counts so
    if op.gives and (whole is not None or op.root is None):
        first = members[0] if whole is None else whole
        if first != rank:
            return Unfit("differs", (rank, first), (op, op), f"{ROOT_ONLY}{op.gives}")
    if whole is not None and whole not in members and whole < size:
        return Unfit("stranger", (rank, rank), (op, op), str(whole))
    if op.edges:
        found = _edges({**there, rank: op}, members)
        if found is not None:
            return found
    one_group = not (isinstance(op.comm, Comm) and op.comm.side is not None)
    return _shared_out({**there, rank: op}, op, members) if op.shares and one_group else None


def _edges(there: dict[int, Op], members: tuple[int, ...]) -> Unfit | None:
    """Whether each edge of a graph is named at both of its ends, and as often (MPI 4.1, 8.5.4)."""
    known = {r: [_numbers(row) for row in op.edges] for r, op in there.items() if r in members}
    for sender, (_, targets) in known.items():
        for receiver, (sources, _) in known.items():
            if sources is None or targets is None:
                continue
            ends = targets.count(members.index(receiver)), sources.count(members.index(sender))
            if ends[0] != ends[1]:
                ops = there[sender], there[receiver]
                return Unfit("differs", (sender, receiver), ops, "edges")
    return None


def _numbers(row: Value | None) -> list[int] | None:
    """The numbers of a row, where all are known."""
    found = [number(item) for item in row.items] if isinstance(row, Tup) else [None]
    return None if None in found else [n for n in found if n is not None]


def _shared_out(there: dict[int, Op], op: Op, members: tuple[int, ...]) -> Unfit | None:
    """Whether what each rank sends is as much as the others receive."""
    root = number(dict(op.agreed).get("root"))
    first = members[root] if root is not None and root < len(members) else None
    # What a rank sends to itself shows the same less clearly: it comes last, once all are there.
    whole = len(there) >= len(members)
    pairs = sorted(itertools.product(there.items(), repeat=2), key=lambda p: p[0][0] == p[1][0])
    for (sender, ours), (receiver, theirs) in pairs:
        if sender == receiver and not whole:
            continue
        if op.shares == "scatter" and sender != first:
            continue
        if op.shares == "gather" and receiver != first:
            continue
        if op not in (ours, theirs) or not {sender, receiver} <= set(members):
            continue
        to, of = members.index(receiver), members.index(sender)
        sent = elements.of_rank(ours.sizes[0], to, len(members)), ours.sizes[1]
        received = elements.of_rank(theirs.sizes[2], of, len(members)), theirs.sizes[3]
        if _is_another(sent, received):
            return Unfit("differs", (sender, receiver), (ours, theirs), "shares")
    return None


def _unlike(first: Op, second: Op, ranks: tuple[int, int]) -> str:
    """On what two operations of one place in a row, of two *ranks*, do not agree."""
    if first.name != second.name:
        return "operation"
    theirs = dict(second.agreed)
    if isinstance(first.comm, Comm) and first.comm.side is not None:
        return _unlike_roots(first, second)
    kinds = [
        dict(o.agreed).get("datatype") or dict(o.agreed).get("sendtype") for o in (first, second)
    ]
    basic = all(k is not None and _is_name(k) for k in kinds)
    typed = all(isinstance(k, Element) for k in kinds)
    for key, value in first.agreed:
        other = theirs.get(key)
        if key in _COUNTS and typed:
            amounts = [elements.amount(v, k) for v, k in zip((value, other), kinds, strict=True)]
            if not elements.alike(*kinds):
                continue
            if None not in amounts:
                if amounts[0] != amounts[1]:
                    return key
                continue
            if kinds[0].parts != kinds[1].parts:  # type: ignore[union-attr]
                continue
        if key in _COUNTS and not typed and not (basic and kinds[0].id == kinds[1].id):  # type: ignore[union-attr]
            continue  # so many of one type may be as much as fewer of another
        if key in _TYPES and typed:
            if not elements.alike(value, other):
                return key
            continue
        if key in _TYPES and not (other is not None and _is_name(value) and _is_name(other)):
            continue  # a type that the program made may be as long as another one
        if other is None:
            continue
        if key in _MEMBERS and _is_alone(value, ranks[0]) and _is_alone(other, ranks[1]):
            continue  # groups of one rank each have nobody to agree with
        if key == "splits":
            continue
        if key == "shape":
            if not is_unknown(first.comm) and sizes.unlike(value, other):  # type: ignore[arg-type]
                return key
            continue
        if _is_of_another(value, first.comm) or _is_of_another(other, second.comm):
            continue
        if _disagree(value, other):
            return key
    return ""


def _unlike_splits(first: Op, second: Op, ranks: tuple[int, int], members: tuple[int, ...]) -> bool:
    """Whether what one rank sends the other is not what that one takes from it."""
    ours, theirs = (dict(op.agreed).get("splits") for op in (first, second))
    if ours is None or theirs is None or not set(ranks) <= set(members):
        return False
    places = members.index(ranks[0]), members.index(ranks[1])
    return sizes.splits_unlike(ours, theirs, places)


def _unlike_roots(first: Op, second: Op) -> str:
    """Whether two ranks of one side of an inter-communicator do not fit in what they name as root.

    A side has the root, which says so, and the others of it name nobody; or all name its rank.
    """
    same_side = isinstance(second.comm, Comm) and first.comm.side == second.comm.side  # type: ignore[union-attr]
    roots = [dict(op.agreed).get("root") for op in (first, second)]
    if not same_side or None in roots:
        return ""
    known = all(isinstance(r, Const) for r in roots)
    numbers = [number(r) for r in roots]
    return "root" if known and numbers[0] != numbers[1] else ""


def _is_another(sent: tuple[Value | None, ...], received: tuple[Value | None, ...]) -> bool:
    """Whether so many of a type are not as many of the same type, as far as both are known."""
    (count, kind), (other, of) = sent, received
    if isinstance(kind, Element) and isinstance(of, Element):
        many, room = elements.amount(count, kind), elements.amount(other, of)
        return elements.alike(kind, of) and None not in (many, room) and many != room
    if kind is None or of is None or not (_is_name(kind) and _is_name(of) and kind.id == of.id):
        return False
    numbers = number(count), number(other)
    return None not in numbers and numbers[0] != numbers[1]


def is_unknown(comm: Value) -> bool:
    """Whether nobody knows who is in a communicator."""
    return isinstance(comm, Unknown) or (isinstance(comm, Comm) and comm.adopted)


def _is_alone(value: Value, rank: int) -> bool:
    """Whether a list of ranks has *rank*, and no other."""
    if not isinstance(value, Tup) or len(value.items) != 1:
        return False
    only = value.items[0]
    return isinstance(only, Const) and only.value == rank


def _is_of_another(value: Value, comm: Value | None) -> bool:
    """Whether a value is what a rank knows of itself, and nobody knows who is in the group.

    The ranks of one group may all have the same there: the first of them, the number of their node.
    """
    if comm is None or not is_unknown(comm):
        return False
    own = f"{RANK}:{comm.id}"
    return any(d != own and d.startswith(RANK) for d in value.depends)


def _disagree(value: Value, other: Value) -> bool:
    if isinstance(value, Const) and isinstance(other, Const):
        return bool(value.value != other.value)
    if isinstance(value, Tup) and isinstance(other, Tup):
        pairs = zip(value.items, other.items, strict=False)
        return len(value.items) != len(other.items) or any(_disagree(a, b) for a, b in pairs)
    if isinstance(value, Unknown) and differs(value.deps | other.depends):
        return True
    return _is_name(value) and _is_name(other) and value.id != other.id


def _is_name(value: Value) -> bool:
    """Whether a value is a constant of a library, known by its name."""
    return (
        isinstance(value, Unknown) and bool(value.path) and "(" not in value.path and not value.deps
    )
