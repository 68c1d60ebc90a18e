"""Whom a rank's wait is for, by the variables of Python's functions: a rank, a group, or a key.

``recv`` of torch.distributed has its peer in a variable, and each collective its group; a store's
``get`` and ``wait`` are C++, and the line that calls them says for which key, or names the variable
that has it.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Sequence

from lockorder.hang.pyframes import Look, PyFrame, Thread
from lockorder.hang.with_statements import tree_of
from lockorder.model import Frame

_C10D = "/torch/distributed/distributed_c10d.py"
#: Functions of torch.distributed between two ranks, and the variables that name the other one:
#: first by its rank in the job, else by that in the group.
_PEERS = {
    "recv": ("src", "group_src"), "irecv": ("src", "group_src"),
    "send": ("dst", "group_dst"), "isend": ("dst", "group_dst"),
}  # fmt: skip
_STORE = re.compile(r"^c10d::.*Store.*::(?:wait|get|doWait|doGet)\b")
_ASKS = ("get", "wait", "multi_get")
_KEYS = 3  # keys that are told


def peer(look: Look, thread: Thread) -> int:
    """The rank that a thread sends to or receives from; -1: it does neither, or nobody knows."""
    for frame in thread.frames:
        names = _PEERS.get(frame.code.name, ()) if frame.code.file.endswith(_C10D) else ()
        variables = look.locals(frame) if names else {}
        for name in names:
            number = look.objects.integer(variables.get(name, 0))
            if number is not None and number >= 0:
                return number
    return -1


def group(look: Look, thread: Thread) -> tuple[str, tuple[int, ...]]:
    """The process group that a thread's collective is of, and its ranks in the job.

    The name is the same in all ranks (distributed_c10d.py keeps both by the group's object); ""
    and no ranks: it is in none, or nobody knows.
    """
    for frame in thread.frames:
        if not frame.code.file.endswith(_C10D):
            continue
        variables = look.locals(frame)
        if "group" not in variables:
            continue
        its, names = variables["group"], look.objects.entry(frame.names, "_pg_names")
        if look.objects.is_none(its):
            its = _first(look, names)  # the group of all ranks
        name = _of(look, names, its)
        members_of = look.objects.entry(frame.names, "_pg_group_ranks")
        ranks = look.objects.entries(_of(look, members_of, its)) or []
        numbers = [look.objects.integer(rank) for rank, _ in ranks]
        members = tuple(sorted(n for n in numbers if n is not None))
        return look.objects.text(name) or "", members if len(members) == len(ranks) else ()
    return "", ()


def _first(look: Look, table: int) -> int:
    """What was put first into a dict, of which nothing was taken away; 0: nothing."""
    return next((key for key, _ in look.objects.entries(table) or ()), 0)


def _of(look: Look, table: int, wanted: int) -> int:
    """What a dict has for an object; 0: nothing."""
    return next((v for k, v in look.objects.entries(table) or () if k == wanted), 0)


def key(look: Look, thread: Thread, chain: Sequence[Frame]) -> str:
    """The keys of a store that a thread waits for; "": it waits for none, or nobody knows."""
    if not thread.frames or not any(_STORE.match(frame.function) for frame in chain):
        return ""
    frame = thread.frames[0]
    found = list(dict.fromkeys(_keys(look, frame)))
    more = f" and {len(found) - _KEYS} more" if len(found) > _KEYS else ""
    return ", ".join(found[:_KEYS]) + more


def _keys(look: Look, frame: PyFrame) -> Iterator[str]:
    line = frame.shown
    tree = tree_of(line.file)
    for node in ast.walk(tree) if tree is not None else ():
        if (
            isinstance(node, ast.Call)
            and node.lineno <= line.line <= (node.end_lineno or node.lineno)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _ASKS
            and node.args
        ):
            first = node.args[0]
            many = first.elts if isinstance(first, ast.List | ast.Tuple) else [first]
            for each in many:
                yield from _texts(look, frame, each)


def _texts(look: Look, frame: PyFrame, node: ast.expr) -> Iterator[str]:
    """What an argument is: a text, or the texts in a list."""
    thing = _object(look, frame, node)
    items = look.objects.items(thing) if thing and look.objects.text(thing) is None else None
    if items is not None:
        yield from filter(None, map(look.objects.text, items))
        return
    text = _text(look, frame, node)
    if text is not None:
        yield text


def _text(look: Look, frame: PyFrame, node: ast.expr) -> str | None:
    """The text that an expression is, put together as it is written; None: it is not known.

    What is not known of a part stands there as it is written: ``loader/{epoch()}``.
    """
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(map(functools.partial(_part, look, frame), node.values))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(look, frame, node.left), _text(look, frame, node.right)
        return None if left is None or right is None else left + right
    return look.objects.text(_object(look, frame, node))


def _part(look: Look, frame: PyFrame, node: ast.expr) -> str:
    """A part of an f-string; a number with a format of its own stays as it is written."""
    if isinstance(node, ast.FormattedValue):
        plain = node.format_spec is None and node.conversion in (-1, ord("s"))
        known = _text(look, frame, node.value) if plain else None
        if known is None and plain:
            known = _number(look, frame, node.value)
        return known if known is not None else f"{{{ast.unparse(node.value)}}}"
    return _text(look, frame, node) or ""


def _number(look: Look, frame: PyFrame, node: ast.expr) -> str | None:
    """How a bool or an int is printed; None: it is neither."""
    thing = _object(look, frame, node)
    truth = look.objects.boolean(thing)
    value = truth if truth is not None else look.objects.integer(thing)
    return str(value) if value is not None else None


def _object(look: Look, frame: PyFrame, node: ast.expr) -> int:
    """Where the object is that a name or an attribute of one means; 0: not known."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return 0
    thing = look.locals(frame).get(node.id) or look.objects.entry(frame.names, node.id)
    return look.objects.path(thing, *reversed(names))
