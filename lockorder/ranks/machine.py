"""The state of one rank's program while it is run on paper, and what it has issued so far.

The store is one dictionary; a branch that may go either way is run twice, with a journal of what
each arm writes, and what differs afterwards is joined.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from lockorder import bounds
from lockorder.model import Frame
from lockorder.ranks import conditions
from lockorder.ranks.conditions import Condition
from lockorder.ranks.effects import Chain, Choice, Decision, Exit, Item, exits, matters, raises
from lockorder.ranks.grids import Grid
from lockorder.ranks.knowledge import Known
from lockorder.ranks.values import (
    NONE,
    RANK,
    Comm,
    Const,
    Deps,
    Either,
    Holding,
    Obj,
    Received,
    Request,
    Sized,
    Tested,
    Tup,
    Unknown,
    Value,
    differs,
    lasting,
    named,
    same,
)

if TYPE_CHECKING:
    from lockorder.python.modules import Program, Source

Key = tuple[int, str]
#: Where a name has no value.
MISSING = Unknown("missing")


class World(msgspec.Struct, frozen=True):
    """A job: so many ranks, so many of them on each node."""

    size: int
    per_node: int

    def __str__(self) -> str:
        nodes = self.size // self.per_node
        return f"{self.size} ranks" if nodes == 1 else f"{self.size} ranks on {nodes} nodes"


class Pointer(Value, frozen=True, eq=False):
    """The address of something that has a place in the store."""

    key: Key

    @property
    def id(self) -> str:
        return f"&{self.key[1]}"


class Activation(msgspec.Struct, eq=False):
    """A call that is going on."""

    number: int
    name: str
    source: Source
    parent: Activation | None = None
    line: int = 0
    globals: set[str] = set()
    nonlocals: set[str] = set()
    returns: list[Value] = []
    #: on what it depends that the function has not been left yet
    control: Deps = NONE
    #: those of them for which another rank may have left it; and the loop at hand
    left: Deps = NONE
    broken: Deps = NONE
    owner: Value | None = None
    bound: Value | None = None
    aliases: dict[str, Key] = {}
    #: what a ``yield`` does
    on_yield: Callable[[Value], bool] | None = None
    #: the row of what a generator gives that is called as any function
    yielded: Obj | None = None
    shown: bool = True


class StepsSpentError(Exception):
    """The program is too long to be run on paper."""


class Tables(msgspec.Struct):
    """What ranks of a world have told each other: the colours by which they split."""

    colors: dict[str, dict[int, tuple[Any, Any]]] = {}
    changed: bool = False
    #: groups that ranks of the job join by a name, each with its own rank
    named: set[str] = set()


class Machine:
    """One rank."""

    STEPS = bounds.RANK_STEPS.limit
    DEPTH = bounds.RANK_CALLS.limit

    def __init__(
        self, world: World, rank: int, program: Program, known: Known, tables: Tables
    ) -> None:
        self.world, self.rank, self.program, self.known = world, rank, program, known
        self.tables = tables
        self.store: dict[Key, Value] = {}
        self.journals: list[dict[Key, Value]] = []
        self._filling: dict[int, bool] = {}
        self._writes: dict[int, list[tuple[str, str, bool]]] = {}
        #: names that something has had in the store
        self.members: dict[Any, set[str]] = {}
        self.out: list[Item] = []
        self.stack: list[Activation] = []
        self.control: list[Deps] = []
        self.pendings: dict[int, list[tuple[Condition | None, dict[Key, Value], Deps]]] = {}
        self.depths: dict[int, tuple[int, int, int]] = {}
        #: the conditions under which we are here
        self.held: list[Condition] = []
        self.path: list[str] = []
        #: by name: what ranks have of a number that each had, ``each`` of them or the ``least``
        self.shared: dict[str, str] = {}
        #: names of models that have buffers, and of what has such a model in it
        self.buffered: set[str] = set()
        #: names of models that leave the buffers to each rank
        self.unsynced: set[str] = set()
        #: loops around that go on until something is so
        self.whiles = 0
        #: branches by the rank that we are in
        self.by_rank = 0
        #: parts of a model are used on some ranks, and not on others
        self.parts_chosen = False
        #: paths that something may be made or removed at
        self.written: set[str] = set()
        #: by node: whether a function may make files
        self.file_makers: dict[int, bool] = {}
        self.loops: list[tuple[int, str]] = []
        self.numbers = 0
        self.requests = 0
        self.steps = 0
        self.limit = self.STEPS
        self.cut: set[str] = set()
        self.walked: set[int] = set()
        self.classes: dict[int, Value] = {}
        self.quiet = 0
        #: objects whose class is known by a member of theirs
        self.ducks: dict[str, str] = {}
        self.tries = 0
        #: those of them that catch only what data is to blame for
        self.data_tries = 0
        #: communicators of which nothing is known, and that are taken for the whole job
        self.adopted: frozenset[str] = frozenset()
        #: the program is not meant for a job of this size
        self.excluded = False
        self.spent = False
        #: options have their defaults; and whether one that has a default was met
        self.defaults = False
        self.opted = False
        #: places that another rank has given a value, and this one has not
        self.unset: set[Key] = set()
        #: something was decided that other ranks may decide otherwise
        self.parted = False
        self.world_comm = Comm("the whole job", tuple(range(world.size)))
        self.grids: dict[str, Grid] = {}
        self.self_comm = Comm("self", (rank,), deps=frozenset((RANK,)))
        self.no_comm = Comm("none", ())

    # -- names ------------------------------------------------------------------------------------

    def number(self) -> int:
        self.numbers += 1
        return self.numbers

    def label(self, site: str) -> str:
        """A name for what is made at *site* on the way there; the same on all ranks."""
        return named("/".join((*self.path, site)))

    @property
    def top(self) -> Activation:
        return self.stack[-1]

    def chain(self) -> Chain:
        return tuple(Frame(a.name, a.source.file, a.line) for a in self.stack if a.shown and a.line)

    def step(self) -> None:
        self.steps += 1
        if self.steps > self.limit:
            raise StepsSpentError

    # -- the store --------------------------------------------------------------------------------

    def get(self, key: Key) -> Value | None:
        found = self.store.get(key)
        return None if found is MISSING else found

    def parts(self, home: Any) -> list[tuple[str, Value]]:
        """What something has in the store, by name."""
        found = []
        for name in sorted(self.members.get(home, ())):
            held = self.get((home, name))
            if held is not None:
                found.append((name, held))
        return found

    def set(self, key: Key, value: Value) -> None:
        home, name = key
        held = self.members.get(home)
        if held is None:
            self.members[home] = {name}
        else:
            held.add(name)
        if self.journals:
            journal = self.journals[-1]
            if key not in journal:
                journal[key] = self.store.get(key, MISSING)
        self.store[key] = value

    def open(self) -> None:
        self.journals.append({})

    def close(self) -> dict[Key, Value]:
        """Undo what was written since *open*, and return it."""
        journal = self.journals.pop()
        written = {}
        for key, old in journal.items():
            written[key] = self.store.get(key, MISSING)
            if old is MISSING:
                self.store.pop(key, None)
            else:
                self.store[key] = old
        return written

    def keep(self, written: dict[Key, Value]) -> None:
        for key, value in written.items():
            self.set(key, value)

    def misses(self, key: Key) -> None:
        """A place without a value is read: where only other ranks have one, this rank fails.

        With known options it is a job of a size that the program is not meant for.
        """
        self.excluded |= self.defaults and key in self.unset

    # -- joining ----------------------------------------------------------------------------------

    def joined(self, condition: Condition, deps: Deps, first: Value, second: Value) -> Value:
        """The value that is *first* where the condition holds."""
        if same(first, second):
            return first
        deps = lasting(deps)
        if first is MISSING:
            return second
        if second is MISSING:
            return first
        if (
            isinstance(first, Tup)
            and isinstance(second, Tup)
            and len(first.items) == len(second.items)
        ):
            pairs = zip(first.items, second.items, strict=True)
            return Tup(
                tuple(self.joined(condition, deps, a, b) for a, b in pairs),
                first.deps | second.deps,
            )  # fmt: skip
        if (
            isinstance(first, Unknown)
            and isinstance(second, Unknown)
            and not (first.path and second.path)
        ):
            name = named(f"({condition.text}?{first.id}:{second.id})")
            return Unknown(name, deps | first.deps | second.deps)
        if _deep(first) + _deep(second) > 6:
            name = named(f"({condition.text}?{first.id}:{second.id})")
            return Unknown(name, deps | first.depends | second.depends)
        return Either(condition, deps, first, second)

    def merge(
        self,
        condition: Condition,
        deps: Deps,
        first: dict[Key, Value] | None,
        second: dict[Key, Value] | None,
    ) -> None:
        """Write what two arms wrote; None for an arm that does not come out at its end."""
        if first is None or second is None:
            self.keep(first or second or {})
            return
        for key in dict.fromkeys((*first, *second)):
            before = self.store.get(key, MISSING)
            ours, theirs = first.get(key, before), second.get(key, before)
            value = self.joined(condition, deps, ours, theirs)
            if value is not before:
                self.set(key, value)

    # -- branches ---------------------------------------------------------------------------------

    def controlled(self) -> Deps:
        """On what it depends that we are here."""
        here = self.stack[-1].control if self.stack else NONE
        return here.union(*self.control) if self.control else here

    def under(self, value: Value, name: str) -> Value:
        """*value* as it is where it depends on the rank whether it is this one."""
        deps = lasting(self.controlled())
        if not deps or not differs(deps):
            return value
        here = self.top.name
        if isinstance(value, Const):
            if deps <= value.deps:
                return value
            return Const(value.value, value.deps | deps, f"~{name}@{here}")
        if isinstance(value, Unknown):
            own = named(f"~{name}@{here}:{value.path}")
            if isinstance(value, Received | Holding | Sized | Tested):
                return msgspec.structs.replace(value, name=own, deps=value.deps | deps)
            return Unknown(own, value.deps | deps, value.path)
        if isinstance(value, Tup):
            return Tup(value.items, value.deps | deps)
        return value

    def branch(
        self,
        condition: Condition,
        deps: Deps,
        written: str,
        first: Callable[[], bool],
        second: Callable[[], bool],
    ) -> bool:
        """Run what comes if the condition holds, and what comes else; whether an end is reached."""
        apart = differs(deps)
        self.parted |= apart
        if condition.opaque:
            # All ranks ask it here, by one name: its own has in it what this rank knows of itself.
            place = self.label(f"{self.top.source.name}:{self.top.line}:{written}")
            condition = conditions.ask(f"too much @ {place}", apart, written)
        if condition.kind == "const":
            counts = apart
            if counts:
                self.out.append(Decision(self.chain(), condition.truth, deps, written))
                self.control.append(deps)
            self.by_rank += RANK in deps
            try:
                return first() if condition.truth else second()
            finally:
                self.by_rank -= RANK in deps
                if counts:
                    self.control.pop()
        chain, outer = self.chain(), self.out
        arms: list[tuple[bool, dict[Key, Value], list[Item]]] = []
        self.control.append(deps)
        for arm in (first, second):
            self.out = []
            self.open()
            self.held.append(condition if arm is first else conditions.negated(condition))
            try:
                alive = arm()
            except BaseException:
                self.control.pop()
                self.keep(self.close())
                self.out = outer
                raise
            finally:
                self.held.pop()
            arms.append((alive, self.close(), self.out))
        self.control.pop()
        self.out = outer
        (alive, ours, left), (other, theirs, right) = arms
        if matters(left) or matters(right) or raises(left) or raises(right):
            self.out.append(Choice(condition, deps, chain, left, right))
        if differs(deps) and alive != other:
            self.part(deps, self._how_left(right if alive else left))
        self.merge(condition, deps, ours if alive else None, theirs if other else None)
        return alive or other

    def part(self, deps: Deps, how: str) -> None:
        """Whether this is run depends on *deps* from here on: to the end of what others left."""
        self.top.control |= deps
        if how == "function":
            self.top.left |= deps
        elif how == "loop":
            self.top.broken |= deps

    def _how_left(self, items: list[Item]) -> str:
        """What is left by an arm of a branch that does not come to its end."""
        ways = exits(items)
        if ways and all(kind == "goto" for kind, _ in ways):
            return "label"  # whoever gets there goes on with the others
        if not ways or any(kind not in ("break", "continue") for kind, _ in ways):
            return "function"
        rounds = {("continue", label) for label in self.continuing[-1:]}
        loops = {("break", label) for label in self.breaking[-1:]}
        if ways <= rounds:
            return "round"
        return "loop" if ways <= rounds | loops else "function"

    continuing: list[int]
    breaking: list[int]

    def choose(
        self,
        condition: Condition,
        deps: Deps,
        written: str,
        first: Callable[[], Value],
        second: Callable[[], Value],
    ) -> Value:
        """The same for expressions: what comes of one or of the other."""
        found: list[Value] = []

        def run(make: Callable[[], Value]) -> Callable[[], bool]:
            def arm() -> bool:
                found.append(make())
                return True

            return arm

        self.branch(condition, deps, written, run(first), run(second))
        if len(found) == 1:
            value = found[0]
            if differs(deps) and isinstance(value, Const) and not value.deps:
                return Const(value.value, deps, named(f"({written}?)"))
            return value
        return self.joined(condition, deps, found[0], found[1])

    # -- leaving ----------------------------------------------------------------------------------

    def construct(self) -> int:
        """A new construct that can be left."""
        label = self.number()
        self.depths[label] = len(self.journals), len(self.held), len(self.loops)
        return label

    def leave(self, kind: str, label: int = 0) -> None:
        """Leave the construct *label*: what was written until here is written after it."""
        self.out.append(Exit(kind, label, self.chain()))
        if label not in self.depths:
            return
        depth, held, loops = self.depths[label]
        since: dict[Key, Value] = {}
        for journal in self.journals[depth:]:
            for key in journal:
                since[key] = self.store.get(key, MISSING)
        condition: Condition | None = None
        if loops == len(self.loops):
            condition = conditions.TRUE
            for one in self.held[held:]:
                condition = conditions.both(condition, one)
        self.pendings.setdefault(label, []).append((condition, since, self.controlled()))

    def arrive(self, label: int, alive: bool) -> bool:
        """Behind the construct *label*; whether anything gets here."""
        rows = self.pendings.pop(label, [])
        self.depths.pop(label, None)
        if not rows:
            return alive
        base: dict[Key, Value] = {}
        if not alive:
            _, base, _ = rows.pop()
            self.keep(base)
        for condition, written, deps in reversed(rows):
            question = condition or conditions.ask(f"left:{label}", differs(deps))
            for key in dict.fromkeys((*written, *base)):
                before = self.store.get(key, MISSING)
                value = written.get(key, MISSING)
                if key not in written:
                    continue
                if not same(before, value):
                    if condition is not None and condition.kind != "const":
                        self.set(key, self.joined(condition, deps, value, before))
                    else:
                        self.set(key, self._either(question, deps, before, value))
        return True

    def _either(self, question: Condition, deps: Deps, first: Value, second: Value) -> Value:
        if first is MISSING:
            return second
        if second is MISSING:
            return first
        deps = lasting(deps)
        path = getattr(first, "path", "") or getattr(second, "path", "")
        if isinstance(first, Obj | Comm | Request) and not isinstance(second, Obj | Comm):
            return first
        if isinstance(second, Obj | Comm | Request) and not isinstance(first, Obj | Comm):
            return second
        name = named(f"({first.id}|{second.id})")
        return Unknown(name, deps | first.depends | second.depends, path)


def _deep(value: Value) -> int:
    if isinstance(value, Either):
        return 1 + _deep(value.first) + _deep(value.second)
    return 0


#: Methods that change what they are called on.
_CHANGES = frozenset(
    [
        "append",
        "add",
        "extend",
        "insert",
        "update",
        "pop",
        "clear",
        "remove",
        "setdefault",
        "put",
        "discard",
    ]
)


def changed_by(node: ast.If) -> list[ast.expr]:
    """What either arm of a branch gives a value, or changes."""
    found: list[ast.expr] | None = getattr(node, "changed", None)
    if found is None:
        found = assigned([*node.body, *node.orelse])
        node.changed = found  # type: ignore[attr-defined]
    return found


def assigned(nodes: Iterable[ast.AST]) -> list[ast.expr]:
    """Names and members that statements give a value, or change."""
    found: dict[str, ast.expr] = {}
    todo = list(nodes)

    def note(target: ast.expr) -> None:
        while isinstance(target, ast.Subscript | ast.Starred):
            target = target.value
        if isinstance(target, ast.Name | ast.Attribute):
            found.setdefault(ast.dump(target).replace("Store", "Load"), target)

    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            if isinstance(node.ctx, ast.Store):
                note(node)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            name = node.func.attr
            if name in _CHANGES or (name.endswith("_") and not name.endswith("__")):
                note(node.func.value)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if isinstance(node, ast.Lambda):
            continue
        todo.extend(ast.iter_child_nodes(node))
    return list(found.values())


def leaves(nodes: Iterable[ast.AST]) -> str:
    """What statements may leave at most: the function, the loop or the round that they stand in."""
    found = {_leaves(node, False) for node in nodes}
    return next((each for each in ("function", "loop", "round") if each in found), "")


def _leaves(node: ast.AST, inside: bool) -> str:
    """The same of one; *inside* is in a loop of theirs."""
    if isinstance(node, ast.Return | ast.Raise):
        return "function"
    if isinstance(node, ast.Break | ast.Continue):
        return "" if inside else "loop" if isinstance(node, ast.Break) else "round"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
        return ""
    inside = inside or isinstance(node, ast.For | ast.AsyncFor | ast.While)
    found = {_leaves(each, inside) for each in ast.iter_child_nodes(node)}
    return next((each for each in ("function", "loop", "round") if each in found), "")
