"""Loops that only look whether something has come: waits, though their thread goes round.

A thread in ``while not done.is_set(): time.sleep(0.1)`` never stands still, and waits all the same.
Whether a loop does no more than that its source says: on each round on which nothing has come it
calls nothing but what looks or sleeps, and sets no variable.  Such a thread ends nobody's wait, and
what it looks for must come from somebody else.  A loop that calls anything that is not known may do
its work there, and is none of these.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from lockorder.hang.pyframes import Look, PyFrame
from lockorder.hang.with_statements import tree_of
from lockorder.model import Frame

#: Calls that ask for the time, and those that only let it go by.
_CLOCKS = ("time", "monotonic", "perf_counter", "monotonic_ns", "time_ns", "perf_counter_ns")
_TIME = (*_CLOCKS, "sleep", "sched_yield")
#: Calls that ask an object of the process itself and change nothing while they find nothing.
_ASKS = (
    "is_set", "wait", "get", "get_nowait", "empty", "qsize", "acquire", "locked", "join",
    "is_alive", "done", "running", "len", "bool", "all", "any", "wait_for",
)  # fmt: skip
#: Calls that ask for a child process, and for a file's lock.
_CHILDREN = ("poll", "waitpid", "wait4", "waitid", "is_alive", "join")
_LOCKS = ("flock", "lockf")
#: Where these find nothing they raise: what comes after them in a ``try`` is not run.
_RAISE = ("get", "get_nowait", "flock", "lockf", "wait_for", "waitpid")
#: Calls that wait without a limit, unless they have so many arguments, one of which says so.
_BLOCKING = {"wait": 1, "get": 1, "acquire": 1, "join": 1, "wait_for": 2}
#: Calls that wait unless a flag says that they must not.
_FLAGGED = {
    "flock": "NB",
    "lockf": "NB",
    "waitpid": "NOHANG",
    "wait4": "NOHANG",
    "waitid": "NOHANG",
}
_LEAVES = (ast.Break, ast.Return, ast.Raise, ast.Continue, ast.Pass)
_LONGEST = 60  # characters of a program's own text in a sentence


#: Packages of Python's own whose objects and functions do what their names say.
_STANDARD = (
    "threading", "_thread", "queue", "_queue", "subprocess", "multiprocessing", "concurrent",
    "asyncio", "_asyncio", "builtins", "time", "os", "posix", "fcntl", "collections",
)  # fmt: skip


class Poll(NamedTuple):
    """A loop from line ``first`` to ``last``; ``text`` says what it goes round for.

    ``children``: it asks for a child process; ``locks``: for a file's lock.  ``calls`` are all that
    it calls: the object's name, "" for a plain function, and the function's.
    """

    first: int
    last: int
    text: str
    children: bool
    locks: bool
    calls: tuple[tuple[str, str], ...] = ()
    #: it asks something that processes share
    shared: bool = False


class _BusyError(Exception):
    """A loop that does more than look."""


def of(line: Frame) -> Poll | None:
    """The innermost loop that *line* is in, where it only looks for something; None: it is none."""
    tree = tree_of(line.file)
    loops = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.While) and node.lineno <= line.line <= (node.end_lineno or 0)
    ]
    if not loops:
        return None
    loop = max(loops, key=lambda node: node.lineno)
    try:
        calls = [(_object(c), _name(c)) for c in (*_calls(loop.test), *_round(loop.body))]
    except _BusyError:
        return None
    names = [name for _, name in calls]
    asks = [(thing, name) for thing, name in calls if name not in _TIME]
    if any(name in _CLOCKS for name in names):
        return None  # it ends by itself
    constant = isinstance(loop.test, ast.Constant)
    if constant and not asks:
        return None  # it waits for nothing: a way to sleep
    text = f"while {ast.unparse(loop.test)}" if not constant else ""
    if len(text) > _LONGEST:
        text = text[: _LONGEST - 3] + "..."
    return Poll(
        loop.lineno, loop.end_lineno or loop.lineno, text,
        any(name in _CHILDREN for name in names), any(name in _LOCKS for name in names),
        tuple(dict.fromkeys((*asks, *calls))),
    )  # fmt: skip


def checked(poll: Poll, look: Look, frame: PyFrame) -> Poll | None:
    """The loop, by the objects that are there; None: something that it calls is not Python's own.

    A function of the program can have any name.
    """
    variables = {**look.globals(frame), **look.locals(frame)}
    modules = [_module(look, variables, *call) for call in poll.calls]
    if not all(module.partition(".")[0] in _STANDARD for module in modules):
        return None
    poll = poll._replace(shared=any(m.startswith("multiprocessing") for m in modules))
    if poll.text:
        return poll
    name, function = poll.calls[0]
    first, *rest = name.split(".")
    cls = look.objects.class_name(look.objects.path(variables.get(first, 0), *rest))
    of_module = not name or cls == "module"
    called = f"{name}.{function}".lstrip(".") if of_module else f"{cls}.{function} of {name}"
    return poll._replace(text=f"over {called}")


def _module(look: Look, variables: Mapping[str, int], name: str, function: str) -> str:
    """The module in which what a loop calls is defined; "": not known."""
    objects = look.objects
    if not name:
        thing = variables.get(function, 0)
        is_c = not thing or objects.type_name(thing) == "builtin_function_or_method"
        return "builtins" if is_c else ""
    first, *rest = name.split(".")
    thing = objects.path(variables.get(first, 0), *rest)
    if objects.type_name(thing) == "module":
        return objects.text(objects.attribute(thing, "__name__")) or ""
    for kind in objects.mro(objects.type_of(thing)):
        if objects.class_attribute(kind, function):
            module = objects.text(objects.class_attribute(kind, "__module__"))
            # Of C's own classes the module is in the name.
            return module or objects.named(kind).rpartition(".")[0] or "builtins"
    return ""


def _round(statements: Sequence[ast.stmt]) -> Iterator[ast.Call]:
    """The calls of one round on which nothing has come."""
    for statement in statements:
        if isinstance(statement, _LEAVES):
            return
        if isinstance(statement, ast.If):
            yield from _calls(statement.test)
            for branch in (statement.body, statement.orelse):
                if not all(isinstance(each, _LEAVES) for each in branch):
                    raise _BusyError
        elif isinstance(statement, ast.Try):
            inside = list(_until_raised(statement.body))
            yield from inside
            for handler in statement.handlers:
                yield from _round(handler.body)
            yield from _round(statement.finalbody)
            raises = any(_name(call) in _RAISE for call in inside)
            if not raises:
                yield from _round(statement.orelse)
            elif all(_leaves(handler.body) for handler in statement.handlers):
                return
        elif isinstance(statement, ast.Expr) or (
            isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call | ast.Await)
        ):
            yield from _calls(statement.value)
        else:
            raise _BusyError


def _until_raised(statements: Sequence[ast.stmt]) -> Iterator[ast.Call]:
    """The calls of a ``try`` up to the one that raises where nothing has come."""
    for at in range(len(statements)):
        calls = list(_round(statements[at : at + 1]))
        yield from calls
        if any(_name(call) in _RAISE for call in calls):
            return


def _leaves(statements: Sequence[ast.stmt]) -> bool:
    return bool(statements) and isinstance(
        statements[-1], ast.Break | ast.Return | ast.Raise | ast.Continue
    )


def _calls(expression: ast.expr) -> Iterator[ast.Call]:
    """The calls of an expression, all of which must be known; it must set nothing."""
    for node in ast.walk(expression):
        if isinstance(node, ast.NamedExpr | ast.Yield | ast.YieldFrom):
            raise _BusyError
        if isinstance(node, ast.Call):
            if _name(node) not in (*_TIME, *_ASKS, *_CHILDREN, *_LOCKS) or _blocks(node):
                raise _BusyError
            yield node


def _blocks(call: ast.Call) -> bool:
    """Whether a call comes back only when something has come: a loop around it goes on then."""
    name = _name(call)
    if name in _FLAGGED:
        return _FLAGGED[name] not in ast.unparse(call)
    return name in _BLOCKING and len(call.args) + len(call.keywords) < _BLOCKING[name]


def _object(call: ast.Call) -> str:
    """What a method is called of: a variable, or an attribute of an attribute of one."""
    if isinstance(call.func, ast.Name):
        return ""
    at: ast.expr = call.func
    names: list[str] = []
    while isinstance(at, ast.Attribute):
        names.append(at.attr)
        at = at.value
    if not isinstance(at, ast.Name):
        raise _BusyError
    return ".".join([at.id, *names[:0:-1]])


def _name(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""
