"""Names for people: of access paths, values, conditions and conclusions."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from lockorder.model import Frame
from lockorder.static.interp.known import (
    Among,
    Chosen,
    Emptied,
    EndWaits,
    Equal,
    Fact,
    LastOwner,
    Less,
    NotAll,
    Operation,
    Runs,
    Term,
)
from lockorder.static.interp.summary import (
    Began,
    Bits,
    Compared,
    Either,
    Filled,
    Gate,
    Has,
    Member,
    Need,
    Owns,
    Part,
    Premise,
    Receiver,
    Site,
    Unended,
)
from lockorder.static.parse import facts as f
from lockorder.static.program import paths as p
from lockorder.static.program import roots, steps
from lockorder.static.program.deletions import END
from lockorder.static.program.effects import Group, Issued, Wait, What
from lockorder.static.program.link import Program

#: What a step of a path says that names no member.
#: How what a path begins at is written, where that needs no look at the program.
_ROOTS: dict[type[roots.Root], str] = {
    roots.This: "this", roots.Literal: "{}", roots.Returned: "{}()", roots.Named: "{}",
    roots.Result: "the object that is returned",
    roots.Unknown: "some object", roots.Entry: "the caller", roots.Holds: "the thread has {}",
    roots.Registry: "registry:{}", roots.Saved: "saved:{}",
}  # fmt: skip
_STEPS = {steps.GUARDED: "the lock of {}", steps.LOCKED: "what lock() of {} takes",
          steps.CALLED: "what a call of {} gives up", steps.HERE: "whether {} is this thread",
          steps.BESIDE: "whether {} is another thread"}  # fmt: skip


class Names:
    """Says what keys of a program are called in its sources.

    Frames name files from *root*; texts name them from *base*, where a reader stands, or from the
    root where that is not known.
    """

    def __init__(
        self,
        program: Program,
        root: str,
        base: str = "",
        whole: Callable[[Site], Site] = lambda site: site,
    ) -> None:
        self._program = program
        #: fills the gaps that summaries leave in call chains
        self._whole = whole
        self._root = root
        self._base = base
        self._events: dict[str, dict[tuple[bool, int], f.Call | f.Make]] = {}

    # -- places -----------------------------------------------------------------------------------

    def relative(self, path: str) -> str:
        """*path* from the root, where it lies below it."""
        return _below(path, self._root)

    def shown(self, path: str) -> str:
        """*path* as it stands in a text."""
        return _below(path, self._base or self._root)

    def function(self, usr: str) -> str:
        """The name of a function, with the line of one that has no name of its own."""
        name = self._program.name_of(usr)
        known = self._program.functions.get(usr)
        if known is not None and known.kind == "lambda":
            return f"the lambda at {self.shown(known.file)}:{known.line}"
        return name

    def at(self, usr: str) -> str:
        """A function with its file and line."""
        known = self._program.functions.get(usr)
        if known is None:
            return self._program.name_of(usr)
        if known.kind == "lambda":
            return self.function(usr)
        return f"{known.name} ({self.shown(known.file)}:{known.line})"

    def chain(self, site: Site | None) -> tuple[Frame, ...]:
        """A chain of calls, all of it."""
        found = []
        for here in self._whole(site).along() if site is not None else ():
            known = self._program.functions.get(here.function)
            file = self.relative(known.file) if known is not None else ""
            name = self._program.name_of(here.function)
            found.append(Frame(name, file, here.line, here.column))
        return tuple(found)

    # -- paths ------------------------------------------------------------------------------------

    def path(self, path: What) -> str:
        """An access path, as one would write it; or what is waited for, grouped or issued."""
        if isinstance(path, Wait):
            about = f" ({', '.join(map(self._last, path.about))})" if path.about else ""
            return f"{path.name}(){about}"
        if isinstance(path, Group):
            return path.name
        if isinstance(path, Issued):
            return f"{path.name} on {self.path(path.communicator)}"
        text = self._rooted(path.root)
        for step in path.steps:
            if isinstance(step, steps.Element | steps.ElementBy):
                text += str(step)
            elif step in _STEPS:
                text = _STEPS[step].format(text)
            elif isinstance(step, steps.Whole):
                text = f"what has {text} as {self._last(step.key)}"
            elif isinstance(step, steps.Method):
                text += f".{step.key}()"
            else:
                text += f".{self._last(str(step))}"
        return text

    def _rooted(self, root: roots.Root) -> str:
        if isinstance(root, roots.Variable):
            return self._variable(root.key)
        if isinstance(root, roots.Made):
            return self._made(root.function, root.number)
        if isinstance(root, roots.Function):
            return self.function(root.key)
        if isinstance(root, roots.Initialiser):
            return f"the initialiser of {self._last(root.key)}"
        return _ROOTS.get(type(root), "{}").format(root.key)

    def _variable(self, usr: str) -> str:
        known = self._program.variables.get(usr)
        if known is None:
            return _tail(usr)
        inner = known.kind in ("local", "param", "static")
        return known.name.rpartition("::")[2] if inner else known.name

    def _made(self, usr: str, number: str) -> str:
        called = number.startswith("r")
        text = number.lstrip("r")
        event = self._event(usr, called, int(text)) if text.isdecimal() else None
        if isinstance(event, f.Call):
            return f"{self.callee(event)}()"
        if isinstance(event, f.Make):
            return f"the {event.type} made at line {event.line}"
        return "what a call returned" if called else "an object that is made"

    def _event(self, usr: str, called: bool, number: int) -> f.Call | f.Make | None:
        known = self._events.get(usr)
        if known is None:
            function = self._program.functions.get(usr)
            body = f.walk(function.body) if function is not None else []
            known = self._events[usr] = {
                (isinstance(s, f.Call), s.id): s for s in body if isinstance(s, (f.Call, f.Make))
            }
        return known.get((called, number))

    def _last(self, usr: str) -> str:
        known = self._program.variables.get(usr)
        if known is None and usr in self._program.functions:
            return self.function(usr)
        return known.name.rpartition("::")[2] if known is not None else _tail(usr)

    def gates(self, gates: Iterable[Gate]) -> tuple[str, ...]:
        """Locks that are held meanwhile, sorted."""
        return tuple(sorted(self.path(g.path) for g in gates))

    def all(self, paths: Iterable[What]) -> tuple[str, ...]:
        """Several paths, sorted."""
        return tuple(sorted(map(self.path, paths)))

    # -- values -----------------------------------------------------------------------------------

    def callee(self, call: f.Call) -> str:
        """What a call calls, as far as its text says."""
        target = call.target
        if isinstance(target, f.Fn):
            return self._program.name_of(target.usr)
        if isinstance(target, f.Name) and target.base is None:
            return target.text
        return self.value(target)

    def value(self, value: f.Value | None, function: f.Function | None = None) -> str:
        """An expression; results of calls are numbers unless *function* says whose they are."""
        if value is None:
            return "something that was not read"
        if isinstance(value, f.Var):
            known = self._program.variables.get(value.usr)
            return self._variable(value.usr) if known is not None else _tail(value.usr)
        if isinstance(value, f.This):
            return "this"
        if isinstance(value, f.Field):
            return f"{self.value(value.base, function)}.{self._last(value.usr)}"
        if isinstance(value, f.Whole):
            return f"what has {self.value(value.base, function)} as {self._last(value.usr)}"
        if isinstance(value, f.Elem):
            index = self.value(value.index, function) if value.index is not None else ""
            return f"{self.value(value.base, function)}[{index}]"
        if isinstance(value, f.Fn):
            name = self._program.name_of(value.usr)
            if value.base is None:
                return name
            return f"{self.value(value.base, function)}.{name.rpartition('::')[2]}"
        if isinstance(value, f.Closure):
            return self.function(value.usr)
        if isinstance(value, (f.Result, f.Made)):
            return self._numbered(value, function)
        if isinstance(value, f.AnyOf):
            return f"one of ({', '.join(self.value(v, function) for v in value.values)})"
        if isinstance(value, f.Name):
            base = f"{self.value(value.base, function)}." if value.base is not None else ""
            return f"{base}{value.text}?"
        if isinstance(value, f.Lit):
            return value.name or "a literal"
        return self._condition(value, function)

    def _numbered(self, value: f.Result | f.Made, function: f.Function | None) -> str:
        number = value.call if isinstance(value, f.Result) else value.make
        called = isinstance(value, f.Result)
        event = self._event(function.usr, called, number) if function is not None else None
        if isinstance(event, f.Call):
            return f"{self.callee(event)}()"
        if isinstance(event, f.Make):
            return f"{event.type}(...)"
        return f"#{number}" if called else f"object {number}"

    def _condition(
        self, value: f.Not | f.Both | f.Compare | f.Less | f.Op, function: f.Function | None
    ) -> str:
        if isinstance(value, f.Not):
            return f"!{self.value(value.value, function)}"
        left, right = self.value(value.left, function), self.value(value.right, function)
        if isinstance(value, f.Both):
            return f"({left} {'||' if value.either else '&&'} {right})"
        if isinstance(value, f.Compare):
            return f"{left} {'==' if value.equal else '!='} {right}"
        if isinstance(value, f.Op):
            return f"({left} {value.text} {right})"
        return f"{left} < {right}"

    def fact(self, fact: Fact, truth: bool) -> str:
        """Something that is known of a state; empty for what says nothing to people."""
        no = "" if truth else "not "
        if isinstance(fact, p.Path):
            return f"{self.path(fact)} is {'true' if truth else 'false'}"
        if isinstance(fact, Operation):
            return f"{self._term(fact)} is {'not 0' if truth else '0'}"
        if isinstance(fact, Among):
            return f"{self._term(fact.left)} is {' or '.join(sorted(fact.literals))}"
        if isinstance(fact, (Equal, Less)):
            return f"{no}{self._term(fact.left)} {fact.kind} {self._term(fact.right)}"
        if isinstance(fact, Runs):
            return self.condition(fact)
        if isinstance(fact, (Emptied, LastOwner, EndWaits)):
            return f"{self.path(fact.path)} is {no}{_OWNER[fact.kind]}"
        if isinstance(fact, NotAll):
            return f"not at once: {' and '.join(sorted(self.fact(*part) for part in fact.parts))}"
        if isinstance(fact, Chosen):
            only = self.fact(fact.needed, fact.so)
            return f"{self.path(fact.place)} is {self.path(fact.path)} only if {only}"
        return ""

    def _term(self, term: Term) -> str:
        """A part of a fact: a place, a literal, or an operation on such."""
        if isinstance(term, Operation):
            return f"({self._term(term.left)} {term.text} {self._term(term.right)})"
        return self.path(term)

    def condition(self, need: Need) -> str:
        """A condition on a parameter, or on a table of functions."""
        if isinstance(need, Bits):
            return f"{self._last(need.parameter)} & {need.mask} is {'not 0' if need.truth else '0'}"
        if isinstance(need, Compared):
            said = f"{self._last(need.parameter)} {need.sign} {need.literal}"
            return f"{said} is {'true' if need.truth else 'false'}"
        if isinstance(need, Either):
            each = (self.condition(Receiver(need.path, f)) for f in sorted(need.functions))
            return " or ".join(each)
        if isinstance(need, Receiver):
            runs = self.function(need.function)
            if need.steps:
                return f"{self.path(p.Path(need.path.root, need.steps))} is {runs}"
            if need.function.startswith(END):
                return f"{self.path(need.path)} ends as a {need.function.removeprefix(END)}"
            return f"a virtual call on {self.path(need.path)} runs {runs}"
        if isinstance(need, Part):
            inside = ".".join(map(self._last, reversed(need.chain)))
            return f"{self._last(need.parameter)} lies in something as {inside}"
        if isinstance(need, Runs):
            member = self.path(need.table.then(need.member))
            return f"{member} is {self.function(need.function)}"
        if isinstance(need, Premise | Began):
            said = f"{self.path(need.path)} is {'' if need.truth else 'not '}"
            return f"{said}{need.literal or 'true'} at first"
        if isinstance(need, Member):
            said = f"{self.path(need.path)} is {'' if need.truth else 'not '}"
            return f"{said}{need.literal or 'true'}"
        if isinstance(need, Unended):
            return f"{self.path(need.path)} was not waited for before"
        if isinstance(need, Owns):
            return f"{self.path(need.path)} owns something at first"
        if isinstance(need, Filled):
            return f"others have put something into {self.path(need.path)}"
        if isinstance(need, Has):
            return f"the thread has {'' if need.truth else 'not '}{need.lock}"
        return f"{self._last(need.parameter)} is {'true' if need.truth else 'false'}"


_OWNER = {"moved": "moved from", "only": "the only owner", "async": "an asynchronous result"}


def _below(path: str, folder: str) -> str:
    return os.path.relpath(path, folder) if path.startswith(folder + os.sep) else path


def _tail(usr: str) -> str:
    """The last name in a key that nothing declares."""
    return usr.partition("!")[0].rpartition("@")[2] or usr
