"""What a library refuses of one call, whatever the other ranks do (MPI 4.1, 3.2, 6.1 and 6.9.2)."""

from __future__ import annotations

import msgspec

from lockorder.ranks.effects import Op
from lockorder.ranks.flatten import number
from lockorder.ranks.values import Comm, Const, Element, Reduction, Tup, Unknown, Value

#: The name of the communicator of all ranks.
WORLD = "the whole job"
#: How names of handles that stand for nothing end.
_NOTHING = ("DATATYPE_NULL", "OP_NULL")
#: What some calls name instead of a rank, and which of them a root may not be.
_NO_ROOT = {"nobody": "MPI_PROC_NULL", "any": "MPI_ANY_SOURCE", "root": "MPI_ROOT"}


class Refusal(msgspec.Struct, frozen=True):
    """Why a call is refused; *by_size*: it may be so in jobs of some sizes only."""

    why: str
    by_size: bool = False


def refused(op: Op, rank: int, members: tuple[int, ...]) -> Refusal | None:
    """Why a call of *rank* is refused on a communicator of *members*, as far as that is known."""
    if op.wrong:
        return Refusal(op.wrong)
    given = dict(op.agreed)
    if op.is_message:
        return _message(op)
    if op.kind in ("lock", "unlock") and isinstance(op.comm, Comm) and not op.comm.adopted:
        target = number(op.peer)
        known = op.comm.members is not None and target is not None
        if known and target is not None and (target < 0 or target == len(members)):
            return Refusal(f"names rank {target} of {len(members)}", by_size=True)
    if op.kind != "collective":
        return None
    if op.frees and isinstance(op.comm, Comm) and op.comm.name == WORLD:
        return Refusal("frees the communicator of the whole job")
    if isinstance(op.comm, Comm) and op.comm.side is None:
        found = _root(given.get("root"), op.comm, members)
        if found is not None:
            return found
    counts = [given.get(name) for name in ("count", "sendcount", "recvcount")]
    root = number(given.get("root"))
    is_root = root is None or members[root : root + 1] == (rank,)
    counts += [op.sizes[0]] if op.sizes and (op.shares != "scatter" or is_root) else []
    counts += [op.sizes[2]] if op.sizes and (op.shares != "gather" or is_root) else []
    for count in counts:
        found = _count(count)
        if found is not None:
            return found
    return _type(given.get("datatype") or given.get("sendtype"), given.get("op"))


def _message(op: Op) -> Refusal | None:
    if isinstance(op.peer, Const) and op.peer.value == "nobody":
        return None
    if op.kind == "send":
        if isinstance(op.peer, Const) and op.peer.value == "any":
            return Refusal("names MPI_ANY_SOURCE as its receiver")
        tag = op.tag.value if isinstance(op.tag, Const) else 0
        if tag == "any":
            return Refusal("sends with MPI_ANY_TAG")
        if isinstance(tag, int) and tag < 0:
            return Refusal(f"sends with tag {tag}: tags are not negative")
    return _count(op.count) or _type(op.element, None)


def _root(root: Value | None, comm: Comm, members: tuple[int, ...]) -> Refusal | None:
    if not isinstance(root, Const):
        return None
    if root.value in _NO_ROOT:
        return Refusal(f"names {_NO_ROOT[root.value]} as its root")
    if comm.members is None or comm.adopted or isinstance(root.value, bool):
        return None
    # A number that is fixed may be meant for larger jobs than these; one behind the last is not.
    if isinstance(root.value, int) and (root.value < 0 or root.value == len(members)):
        return Refusal(f"names rank {root.value} of {len(members)} as its root", by_size=True)
    return None


def _count(count: Value | None) -> Refusal | None:
    numbers = [number(one) for one in (count.items if isinstance(count, Tup) else (count,))]
    least = min((n for n in numbers if n is not None), default=0)
    return Refusal(f"is given {least} elements", by_size=True) if least < 0 else None


def _type(kind: Value | None, how: Value | None) -> Refusal | None:
    for value in (kind, how):
        if isinstance(value, Unknown) and value.path.endswith(_NOTHING):
            return Refusal(f"is given {value.path.rpartition('.')[2]}")
    if not isinstance(kind, Element):
        return None
    if kind.open:
        return Refusal("is given a type that is not committed (MPI_Type_commit)")
    if isinstance(how, Reduction) and (kind.made or kind.kind not in how.kinds):
        name = "a type that the program made" if kind.made else kind.name
        return Refusal(f"reduces {name} by {how.name}, which is not defined for it")
    return None
