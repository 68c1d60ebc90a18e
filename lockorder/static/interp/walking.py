"""One walk through a function, as those see it who say what its statements do.

They are handed a walk and a state, and return states; what else follows they record with the walk.
Who walks, in which order, and where ways meet, is decided by what is built on this.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lockorder.model import Certainty
from lockorder.static.interp import conditions
from lockorder.static.interp.known import (
    AtFirst,
    Equal,
    IsPart,
    Keeps,
    Less,
    Operation,
    Place,
    Receives,
    Runs,
)
from lockorder.static.interp.recorder import Recorder
from lockorder.static.interp.summary import (
    Began,
    Bits,
    Compared,
    Filled,
    Flag,
    Guard,
    Has,
    Held,
    Need,
    Needs,
    Owns,
    Part,
    Premise,
    Receiver,
    Site,
    State,
)
from lockorder.static.interp.tries import Log
from lockorder.static.interp.values import Values
from lockorder.static.interp.ways import Ways
from lockorder.static.parse import facts as f
from lockorder.static.program import predicates, roots
from lockorder.static.program.effects import Holdable
from lockorder.static.program.lent import Lent
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.written import Before, how_passed, passing

if TYPE_CHECKING:
    from lockorder.static.interp.whole_program import WholeProgram

#: Types of parameters that choose what a function does, beside pointers.
_FLAGS = frozenset(("bool", "int", "_Bool"))

_NOTHING: Needs = frozenset()


def _is_flag(engine: WholeProgram, spelling: str) -> bool:
    """Whether a parameter of that type may choose what a function does, by whether it is null."""
    spelling = spelling.removesuffix("const").rstrip()
    if spelling in _FLAGS or engine.program.is_indirect(spelling):
        return True
    return engine.knowledge.is_single(engine.program.split(spelling)[0])


class Jump:
    """A state that left its block early: kind is return, break, continue, throw or a label."""

    __slots__ = (
        "compared", "guard", "kind", "line", "result", "state", "status", "truth", "value",
    )  # fmt: skip

    def __init__(
        self,
        kind: str,
        state: State,
        value: Paths = (),
        guard: Guard | None = None,
        line: int = 0,
    ) -> None:
        self.line = line
        #: the literal that is returned, as it is written, and what is known of what is returned
        self.status = self.result = ""
        #: whether what is returned is known not to be zero, or to be
        self.truth: bool | None = None
        self.compared: frozenset[tuple[Equal | Less, bool]] = frozenset()
        self.kind = kind
        self.state = state
        self.value = value
        self.guard = guard


class Walk(Recorder, ABC):
    """The function, what is known of the program, and what this walk has come to."""

    def __init__(self, engine: WholeProgram, function: f.Function) -> None:
        super().__init__(engine, function)
        self.program = engine.program
        self.knowledge = engine.knowledge
        self.identities = engine.identities
        self.values = Values(engine.program, engine.identities, function, self.cut)
        self.lifetimes = engine.lifetimes
        self._may_throw = False
        self.needed: frozenset[Holdable] = frozenset()
        self._flags = [
            (usr, Path.of_variable(usr))
            for usr in function.params
            if _is_flag(engine, engine.program.type_of(usr).removeprefix("const "))
        ]
        #: Parameters that are numbers, of bits perhaps, or texts that decide something.
        self._masked = frozenset(
            usr
            for usr in function.params
            if conditions.is_own_number(engine.program, usr) or usr in engine.program.text_choices
        )
        self._checks = [Path(roots.Holds(name)) for name in engine.knowledge.named]
        self._kept_conditions: dict[str, f.Value] | None = None
        #: By call of a predicate, by number: what it asks.
        self.questions: dict[int, f.Value] = {}
        self._lent: frozenset[str] | None = None
        self._constant: frozenset[str] | None = None
        #: The state that was asked about last, and the answer.
        self._known_needs: tuple[State | None, Needs] = (None, _NOTHING)
        self._at_first: tuple[State | None, frozenset[Premise]] = (None, frozenset())
        #: By call to come: arguments that are addresses of plain variables.
        self.addresses: dict[int, tuple[int, ...]] = {}
        #: By branch and call: members that may be written to before it; not known yet.
        self.first_writes: dict[object, Before] | None = None
        #: Threads that the function itself waits for, and where: see ended.
        self.waited: dict[tuple[Path, Place], None] = {}
        #: Whether its waits ask nothing but its object, or (True) that and globals: see ended.
        self.asks_itself: dict[bool, bool] = {}
        #: Members that calls have set: see left.
        self.set_by_calls: set[Path] = set()
        self._declared: dict[Path, int] = {}
        #: How many blocks are around what is walked, and by local how many are around it.
        self.depth = 0
        #: What the innermost branch that is walked now was decided by.
        self.tested: f.Value | None = None
        self.scopes: dict[Path, int] = {}
        #: Objects that are ending, with their last references.
        self.ending: Paths = ()
        #: Classes of which objects have ended in the end of what dies now, and how surely.
        self.ended_inside: set[tuple[str, Certainty, bool]] = set()
        #: Places of the function that have the only references to objects.
        self.sole: Paths = engine.sole.owners(function)
        #: The class of the innermost of them, or of one that waits for a thread of its own.
        self.last = ""
        #: The last group of calls that was begun here.
        self.begun: Held | None = None
        self.ways = Ways()
        #: Virtual calls on parameters that were walked, with each body that they may run, and calls
        #: of what such an object was given, or of what it is a part of.
        self.receiving: dict[Receives | Keeps | IsPart, None] = {}
        #: Calls by members of global tables that were walked, with each body that is there.
        self.running: dict[Runs, None] = {}
        #: Smart pointers that had to own something at first for a way that was walked.
        self.owning: dict[Path, None] = {}
        #: A call returned one of several objects, each for other arguments.
        self.chooses = False
        #: locals that are one of two objects, for good (see correlated)
        self.choices: dict[str, f.AnyOf] | None = None
        #: Locks of which one is taken now, in a state for each: it is not known which.
        self.one_of: Paths = ()
        self.jumps: list[Jump] = []
        #: By number of a temporary (as in ``EndTemporaries``): the jumps that had left before it.
        self._made_at: dict[int, int] = {}
        #: What was tried and given back.
        self.log = Log()
        #: Handlers around the statement that is being walked.
        self._handlers = 0
        #: Line of the call that is being walked, and its line and column.
        self.line = 0
        self.place_of_call = 0, 0

    # -- what only who walks can do ---------------------------------------------------------------

    @abstractmethod
    def destroy(self, state: State, path: Path, line: int = 0) -> State:
        """The object at *path* dies, at *line* or at the function's end."""

    @abstractmethod
    def delete_later(self, state: State, path: Path, site: Site) -> bool:
        """What *path* leads to ends, where a callee says so and only callers know what it is."""

    @abstractmethod
    def owner_call(
        self, state: State, method: str, owner: Paths, args: Sequence[Paths], site: Site
    ) -> None:
        """A method of a smart pointer or a container, which nobody wrote."""

    @abstractmethod
    def call_meanwhile(self, state: State, body: str, owner: Path, site: Site) -> None:
        """*body*, a method of *owner*, is called: what it takes and gives back on its way."""

    @abstractmethod
    def release_thrown(self, first: int, locks: Paths) -> None:
        """Exceptions that left since jump number *first* have given *locks* up on their way."""

    @abstractmethod
    def block_by_name(self, state: State, name: str, base: Paths, site: Site) -> None:
        """A wait that nobody wrote (the end of a std::jthread)."""

    # -- what its statements do -------------------------------------------------------------------

    def throw(self, state: State, line: int) -> None:
        """An exception leaves here: for a handler, or for the caller with all objects destroyed.

        Only where it makes a difference is it followed: in a try block, or with a lock held that
        no guard will release.
        """
        bare = any(h.guard is None for h in state.held)
        if not self._handlers and not bare:
            self._may_throw = True
            return
        key = state.key()
        for jump in reversed(self.jumps):
            if jump.kind == "throw" and jump.state.key() == key:
                return
        self.jumps.append(Jump("throw", state, line=line))

    def leave(self, state: State, line: int) -> None:
        """The function returns here, with an error that is not known further."""
        self.jumps.append(Jump("return", state, line=line))

    def needs(self, state: State) -> Needs:
        """What is known of the function's own parameters, as conditions for callers to check."""
        if not state.facts:
            return _NOTHING
        if self._known_needs[0] is not state:
            self._known_needs = state, self._needs(state)
        return self._known_needs[1]

    def _needs(self, state: State) -> Needs:
        found: list[Need] = [
            Flag(usr, state.facts[path])
            for usr, path in self._flags
            if path in state.facts and self.is_constant(path)
        ]
        for fact in self.receiving:
            if fact not in state.facts:
                continue
            if isinstance(fact, IsPart):
                found.append(Part(fact.path.variable, fact.chain))
            elif isinstance(fact, Keeps):
                found.append(Filled(fact.path, fact.origins))
            else:
                found.append(Receiver(fact.path, fact.function, fact.steps))
        found.extend(fact for fact in self.running if fact in state.facts)
        found.extend(Owns(path) for path in self.owning if state.facts.get(AtFirst(path, "")))
        found.extend(
            Began(fact.path, fact.literal, truth)
            for fact, truth in state.facts.items()
            if isinstance(fact, AtFirst)
        )
        for path in self._checks:
            if path in state.facts:
                found.append(Has(path.held_name, state.facts[path]))
        if self._masked:
            found.extend(self._bits(state))
            found.extend(self._compared(state))
        return frozenset(found)

    def _bits(self, state: State) -> Iterator[Bits]:
        """What is known of bits of the function's parameters."""
        for fact, truth in state.facts.items():
            if not isinstance(fact, Operation) or fact.text != "&":
                continue
            left, right = fact.left, fact.right
            if (
                isinstance(left, Path)
                and not left.steps
                and left.variable in self._masked
                and isinstance(right, Path)
                and conditions.is_decided(right)
            ):
                yield Bits(left.variable, right.literal, truth)

    def _compared(self, state: State) -> Iterator[Compared]:
        """What is known of the function's parameters as numbers."""
        for fact, truth in state.facts.items():
            if not isinstance(fact, Equal | Less):
                continue
            sign, left, right = "==" if isinstance(fact, Equal) else "<", fact.left, fact.right
            if isinstance(left, Path) and left.is_literal:
                sign, left, right = (">" if sign == "<" else sign), right, left
            number = (
                right.literal if isinstance(right, Path) and conditions.is_decided(right) else ""
            )
            known = isinstance(left, Path) and self._is_masked(left) and self.is_constant(left)
            if number and known and isinstance(left, Path):
                yield Compared(left.variable, sign, number, truth)

    def _is_masked(self, path: Path) -> bool:
        return not path.steps and path.variable in self._masked

    def at_first(self, state: State) -> frozenset[Premise]:
        """What was so when the function began, on the way to *state*."""
        if self._at_first[0] is not state:
            found = frozenset(p for k, v in state.facts.items() for p in self._premises(k, v))
            self._at_first = state, found
        return self._at_first[1]

    def _premises(self, fact: object, truth: bool) -> Iterator[Premise]:
        if isinstance(fact, AtFirst):
            yield Premise(fact.path, fact.literal, truth)
        elif isinstance(fact, Path):
            if self.is_constant(fact):
                yield Premise(fact, "", truth)
        elif isinstance(fact, Equal) and isinstance(fact.left, Path):
            literal = fact.right.literal if isinstance(fact.right, Path) else ""
            if literal and self.is_constant(fact.left):
                yield Premise(fact.left, literal, truth)

    @property
    def asked(self) -> frozenset[int]:
        """Calls, by number, by whose results the function branches, or that it returns."""
        known = self.engine.branching.get(self.function.usr)
        if known is None:
            known = self.engine.branching[self.function.usr] = predicates.asked(self.function)
        return known

    @property
    def kept_conditions(self) -> dict[str, f.Value]:
        """By local that is set once: the condition that it is."""
        if self._kept_conditions is None:
            self._kept_conditions = predicates.kept_conditions(self.function)
        return self._kept_conditions

    def is_constant(self, path: Path) -> bool:
        """Whether *path* is a parameter that has the value all the time which callers gave it."""
        if not path.is_variable or path.steps:
            return False
        own_text = path.variable in self.program.text_choices
        return own_text or path.variable in self._constants()

    def _constants(self) -> frozenset[str]:
        if self._constant is None:
            known = self.engine.unchanged.get(self.function.usr)
            if known is None:
                known = self.engine.unchanged[self.function.usr] = self._unchanged()
            self._constant = known
        return self._constant

    def _unchanged(self) -> frozenset[str]:
        """Parameters that nothing writes to."""
        written = self.engine.written
        changed = {u for s in f.walk(self.function.body) for u in self._changed(s)}
        return frozenset(
            usr
            for usr in self.function.params
            if usr not in changed
            and usr not in self.lent
            and not self.program.type_of(usr).rstrip().endswith("&")
            and not written.has(written.anywhere, (usr,))
        )

    def _changed(self, statement: f.Stmt) -> Iterator[str]:
        """Variables that a statement may write to: it assigns to them, or hands them on."""
        if isinstance(statement, f.Assign | f.Written) and isinstance(statement.target, f.Var):
            yield statement.target.usr
        elif isinstance(statement, f.Call | f.Make):
            target = statement.target if isinstance(statement, f.Call) else f.Fn(statement.ctor)
            callee = target.usr if isinstance(target, f.Fn) else ""
            through, passed = passing(self.program, callee)
            base = target.base if isinstance(target, f.Fn) else None
            if through and isinstance(base, f.Var) and self._is_owner(base.usr):
                yield base.usr
            bodies = [self.program.functions[b] for b in self.program.body_of(callee)]
            for at, arg in enumerate(statement.args):
                if passed and at >= len(passed) and not passed.endswith("+"):
                    continue  # what stands for ... in C is a value
                refers = any(
                    self.program.type_of(u).rstrip().endswith("&&")
                    for b in bodies
                    for u in b.params[at : at + 1]
                )
                if isinstance(arg, f.Var) and (refers or how_passed(passed, at) not in ("-", "*")):
                    yield arg.usr

    def _is_owner(self, usr: str) -> bool:
        """Whether a variable is a smart pointer or container, which its methods change."""
        return self.program.split(self.program.plain(self.program.type_of(usr)))[0] in (
            self.knowledge.owners
        )

    def note(self, kind: str, what: str, about: str, site: Site, state: State) -> None:
        """Something happens that rules look at on its own."""
        if not self.engine.alone:
            self.engine.found.event(kind, what, about, self.function, site, state)

    def declaration(self, path: Path) -> str:
        """The key of the variable or field that *path* ends in; empty for a parameter."""
        for step in reversed(path.steps):
            if step in self.program.variables:
                return step
        if path.is_variable and not self.engine.is_parameter(path):
            return path.variable
        return ""

    def communicator(self, path: Path) -> str:
        """The declaration of a communicator; empty for a parameter, and for one of many."""
        return "" if path.is_one_of_many else self.declaration(path)

    def place(self, value: f.Value) -> Path | None:
        """The variable that an expression names, not what it stands for."""
        return Path.of_variable(value.usr) if isinstance(value, f.Var) else None

    @property
    def lent(self) -> frozenset[str]:
        """Local numbers that others can write to at any call."""
        if self._lent is None:
            known = self.engine.lent_numbers.get(self.function.usr)
            if known is None:
                known = Lent(self.program, self.function, self.engine.keepers).find()
                self.engine.lent_numbers[self.function.usr] = known
            self._lent = known
        return self._lent

    def variable_of(self, target: f.Value, base: Paths, state: State) -> tuple[Path | None, str]:
        """The variable or member that a method is called on, and its declared type."""
        value = target.base if isinstance(target, (f.Fn, f.Name)) else None
        if isinstance(value, f.Var):
            return Path.of_variable(value.usr), self.program.type_of(value.usr)
        if isinstance(value, f.Field):
            owners = self.values.of(value.base, state)
            if len(owners) == 1:
                return owners[0].then(value.usr), self.program.type_of(value.usr)
        return None, ""

    def site(self, line: int, column: int = 0) -> Site:
        """A place in this function."""
        return Site(self.function.usr, line, column)

    def variable_name(self, path: Path) -> str:
        """The qualified name of the variable or literal that *path* is, or empty."""
        if path.steps:
            return ""
        if path.is_variable:
            variable = self.program.variables.get(path.variable)
            return variable.name if variable is not None else ""
        return path.literal_name

    def lives(self, state: State, path: Path) -> State:
        """The local at *path* is to be destroyed, in its turn by the order of declaration."""
        if path in state.alive:
            return state
        place = self._declared.setdefault(path, len(self._declared))
        at = len(state.alive)
        while at > 0 and self._declared.get(state.alive[at - 1], -1) > place:
            at -= 1
        return state.but(alive=(*state.alive[:at], path, *state.alive[at:]))

    def ends_quietly(self, spelling: str) -> bool:
        """Whether the end of an object of this type runs only code that does nothing to locks."""
        known = self.quiet_ends.get(spelling)
        if known is None:
            known = self.quiet_ends[spelling] = all(
                u in self.program.functions and self.summary_of(u).is_quiet
                for u in self.lifetimes.destroyed(spelling)
            )
        return known
