"""Abstract interpretation of one function: what its events do, and its summary."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from lockorder.bounds import OUTCOMES, STEPS, Bound
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp import (
    argued,
    balance,
    calls,
    choices,
    chosen,
    conditions,
    counted,
    destruction,
    failures,
    flags,
    guards,
    left,
    library,
    locking,
    misuse,
    objects,
    obligations,
    ownership,
    premises,
    questions,
    spins,
    stores,
    unseen,
    waiting,
)
from lockorder.static.interp.apply import meanwhile, targets_of
from lockorder.static.interp.collected import Misused
from lockorder.static.interp.flow import Flow
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.known import Constants, Emptied
from lockorder.static.interp.summary import (
    EMPTY,
    Guard,
    Held,
    Outcome,
    Site,
    State,
    Summary,
    Taken,
    join_outcomes,
)
from lockorder.static.interp.tries import Round
from lockorder.static.interp.values import number_truth
from lockorder.static.interp.walking import Jump
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Class
from lockorder.static.program import roots
from lockorder.static.program.effects import POLL, Holdable, Wait
from lockorder.static.program.paths import (
    ENTRY,
    RETURNED,
    UNKNOWN,
    Path,
    Paths,
    few,
    too_long,
)
from lockorder.static.program.polls import Poll
from lockorder.static.program.steps import GUARDED
from lockorder.static.program.written import gives, tells

if TYPE_CHECKING:
    from lockorder.static.interp.whole_program import WholeProgram

_T = TypeVar("_T")


class Activation(Flow):
    """One walk through one function."""

    def __init__(self, engine: WholeProgram, function: f.Function, given: Constants = ()) -> None:
        super().__init__(engine, function)
        self._given = given
        self._ways = EMPTY
        #: Parameters through which the caller is told a number or a flag.
        self._told = frozenset(
            roots.Variable(usr) for usr in function.params if tells(self.program.type_of(usr))
        )
        #: Those through which it is given an object.
        self._given_out = frozenset(
            roots.Variable(usr) for usr in function.params if gives(self.program.type_of(usr))
        )

    # -- the whole function -----------------------------------------------------------------------

    def run(self) -> None:
        """Walk the body."""
        start = self._start()
        self.needed = frozenset(h.path for h in start.held)
        ends = self.block(self.function.body, self._implied(start))
        for state in ends:
            self.jumps.append(Jump("return", state, line=self.function.end))
        if too_long:
            too_long.clear()
            self.cut(STEPS)
        ways = [j for j in self.jumps if not j.state.waits]
        returned = [j for j in ways if j.kind == "return"]
        thrown = [j for j in ways if j.kind == "throw"]
        if self.function.nothrow:
            thrown, self._may_throw = [], False
        balance.check(self, returned, thrown)
        for rule, path, site, held in self.ways.wrong():
            self.engine.found.misused(Misused(rule, self.function.usr, path, site, held))
        misuse.unlocked_later(self)
        outcomes: list[Outcome] = []
        ends_there: list[State] = []
        returns: dict[Path, None] = {}
        for jump in returned:
            state = jump.state
            for path in reversed(state.alive):  # by-value guard parameters
                state = self.destroy(state, path)
            if not state.waits:
                outcomes.append(self._outcome(state, jump))
                ends_there.append(state)
            returns.update(dict.fromkeys(jump.value))
        if any(not jump.value for jump in returned):
            # Another return gives what nobody knows: a literal is not all that can come back.
            returns = {p: None for p in returns if not p.is_literal}
        outcomes = left.by_each(self, outcomes, ends_there)
        outcomes = counted.once(self, outcomes)
        self._ways = Summary(
            {},
            (),
            (),
            self._few(
                OUTCOMES, join_outcomes(self._without_strangers(counted.once(self, outcomes)))
            ),
            few(tuple(returns), self.cut),
            bool(returned),
            self._thrown(thrown),
            choices=choices.of(self, returned),
            gone=misuse.gone(self, ends_there),
        )

    @property
    def summary(self) -> Summary:
        """What a call of the function does, as far as the walk found out."""
        effects = Summary(self.taken, self.orders, self.deferred)
        return dataclasses.replace(self._ways.with_effects(effects), hides=self.hides)

    def _without_strangers(self, outcomes: list[Outcome]) -> list[Outcome]:
        """*outcomes* without what some ways only do to locks of objects that no caller can name.

        No caller could undo it or rely on it: the object was lost on the way, by a pointer that
        is not followed, and what gave its lock back is another name for it.
        """
        if len(outcomes) < 2:
            return outcomes
        always = frozenset.intersection(*(frozenset(h.path for h in o.held) for o in outcomes))
        given = frozenset.intersection(*(o.released for o in outcomes))
        return [
            o._replace(
                held=tuple(
                    h
                    for h in o.held
                    if h.guard or h.path in always or self._has_name(h.path, o.found)
                ),
                released=frozenset(p for p in o.released if p in given or self._has_name(p)),
            )
            for o in outcomes
        ]

    def _has_name(self, path: Holdable, returned: Paths = ()) -> bool:
        """Whether callers know the object at *path*: it is theirs, global, or returned to them."""
        if any(misuse.lies_in(self, path, owner) for owner in returned):
            return True
        if isinstance(path, Path) and path.is_variable:
            variable = self.program.variables.get(path.variable)
            mine = path.variable in self.function.params or self.function.parent != ""
            return mine or (variable is not None and variable.kind not in ("local", "param"))
        return not (path.is_unknown or (isinstance(path, Path) and path.is_made))

    def _few(self, bound: Bound, found: tuple[_T, ...]) -> tuple[_T, ...]:
        if len(found) > bound.limit:
            self.cut(bound)
        return found[: bound.limit]

    def _thrown(self, jumps: list[Jump]) -> tuple[Outcome, ...]:
        outcomes = [self._outcome(jump.state, jump) for jump in jumps]
        kept = [o for o in outcomes if o.held or o.released]
        plain = (Outcome(),) if self._may_throw or len(jumps) > len(kept) else ()
        return (*plain, *self._few(OUTCOMES, join_outcomes(kept)))

    def _implied(self, start: State) -> list[State]:
        """What a constructor runs before its own body ([class.base.init])."""
        function = self.function
        if function.kind != "constructor" or not self.lifetimes.implied(function.cls):
            return [start]
        written: set[str] = set()
        for statement in function.body.body[:-1]:
            if isinstance(statement, f.Assign) and isinstance(statement.target, f.Field):
                written.add(statement.target.usr)
            elif isinstance(statement, f.Make):
                written.add(self.program.split(statement.type)[0])
        if function.cls in written:
            return [start]  # another constructor does it all
        site = self.site(function.line)
        return objects.implied(
            self, start, self.values.this, function.cls, site, frozenset(written)
        )

    def _start(self) -> State:
        """Guards among the parameters stand for locks that only the caller can name."""
        guards: dict[Path, Guard] = {}
        alive: list[Path] = []
        for usr in self.function.params:
            spelling = self.program.type_of(usr)
            known = self.knowledge.guards.get(self.program.split(spelling)[0])
            path = Path.of_variable(usr)
            if known is None:
                if ownership.ends_alone(self, spelling):
                    alive.append(path)
                continue
            guards[path] = Guard((path.then(GUARDED),), True, known.mode)
            if not spelling.endswith(("&", "*")):
                alive.append(path)
        env = chosen.start(self._given)
        start = State(obligations.on_entry(self), env, guards, alive=tuple(alive))
        if self.function.kind != "constructor":
            return start
        return self._begun(start)

    def _begun(self, start: State) -> State:
        """Members that nothing sets before a constructor's body begin as they are declared."""
        known = self.program.classes.get(self.function.cls)
        before = [s.target for s in self.function.body.body[:-1] if isinstance(s, f.Assign)]
        if known is None or any(isinstance(target, f.This) for target in before):
            return start  # another constructor does it all
        written = frozenset(t.usr for t in before if isinstance(t, f.Field))
        start = objects.declared_starts(self, start, self.values.this, known.name, written)
        return self._nothing_owned(start, known, written - _null_by(self.function.body))

    def _nothing_owned(self, start: State, known: Class, written: frozenset[str]) -> State:
        """Smart pointers that nothing sets before a constructor's body own nothing until then.

        Those of bases as well, unless a constructor there has a body that may see to them.
        """
        bases = sorted(self.program.ancestors(self.function.cls) - {self.function.cls})
        inherited = [self.program.classes[b] for b in bases if b in self.program.classes]
        plain = [c for c in inherited if not any(map(self._acts, c.ctors))]
        for field in (each for c in (known, *plain) for each in c.fields):
            begun = self.program.functions.get(f"nsdmi:{field}")
            if field in written or (begun is not None and field not in _null_by(begun.body)):
                continue
            owner = self.knowledge.owners.get(self.program.split(self.program.type_of(field))[0])
            if owner is not None and owner.pointer:
                start = ownership.emptied(start, self.values.this.then(field))
        return start

    def _acts(self, ctor: str) -> bool:
        """Whether a constructor does anything, as far as is known."""
        bodies = self.program.body_of(ctor)
        return not bodies or any(self.program.functions[b].body.body for b in bodies)

    def _outcome(self, state: State, jump: Jump) -> Outcome:
        flag: bool | None = None
        if jump.value and all(p.literal in ("true", "false") for p in jump.value):
            flag = jump.value[0].literal == "true" if len(jump.value) == 1 else None
        elif len(jump.value) == 1 and jump.value[0].is_literal:
            flag = number_truth(jump.value[0].literal)
        elif len(jump.value) == 1:
            flag = state.facts.get(jump.value[0])
        flag = jump.truth if flag is None else flag
        named = {self.values.this.root, RETURNED.root}
        named.update(map(roots.Variable, self.function.params))
        bindings = tuple(
            (path, value)
            for path, value in state.env.items()
            if (path.steps and path.root in named and not _tells_nothing(path, value))
            or (path.root in self._told and not path.steps and _is_number(value))
            or (path.root in self._given_out and not path.steps and self._is_known(value))
        )
        guards = tuple(
            (path, guard)
            for path, guard in state.guards.items()
            if path.root in named or self._captured(path)
        )
        literal = jump.value[0].literal if len(jump.value) == 1 else ""
        kept = jump.kind == "throw"
        held = tuple(
            h
            for h in state.held
            if h.guard != ENTRY and (kept or not h.leaked) and not self._ends_here(h.path)
        )
        found = self._found(jump.value, held)
        flag = True if found and flag is None else flag  # no lock is in what is null
        still = {h.path for h in state.held if h.guard == ENTRY}
        gone = frozenset(p for p in self.needed if p not in still)
        return Outcome(
            held, state.released | gone, jump.guard, flag, literal, bindings, guards,
            premises.premises(self, state), jump.compared, found=found,
        )  # fmt: skip

    def _found(self, value: Paths, held: Sequence[Held]) -> Paths:
        """What is returned, where it is one object, and a lock in it is *held* then."""
        one = value[0] if len(value) == 1 else UNKNOWN
        if one.is_unknown or not one.is_object:
            return ()
        return value if any(misuse.lies_in(self, h.path, one) for h in held) else ()

    def _is_known(self, value: Paths) -> bool:
        """Whether *value* is one of some objects that callers can name, or null."""
        objects = [p for p in value if not (p.is_literal and _is_null(p.literal))]
        return bool(objects) and not any(p.is_literal or not self._has_name(p) for p in objects)

    def _captured(self, path: Path) -> bool:
        """Whether a lambda has the local at *path* from the function around it, by reference."""
        if not self.function.parent or not path.is_variable:
            return False
        usr = path.variable
        variable = self.program.variables.get(usr)
        if variable is None or variable.kind not in ("local", "param"):
            return False
        return variable.owner != self.function.usr and usr not in self.function.captures

    def _ends_here(self, path: Holdable) -> bool:
        """Whether a lock is in a local object: it is gone, and the next call has another."""
        if not isinstance(path, Path):
            return False
        variable = self.program.variables.get(path.variable)
        if variable is None or variable.kind != "local" or variable.owner != self.function.usr:
            return False
        inside = (variable.usr, *path.steps)
        return not any(self.engine.sharing.is_indirect(step) for step in inside)

    # -- for those who say what calls do ----------------------------------------------------------

    def release_thrown(self, first: int, locks: Paths) -> None:
        """Exceptions that left since jump number *first* have given *locks* up on their way."""
        for jump in self.jumps[first:]:
            if jump.kind == "throw":
                jump.state = locking.release(self, jump.state, locks)

    def block_by_name(self, state: State, name: str, base: Paths, site: Site) -> None:
        """A wait that nobody wrote (the end of a std::jthread)."""
        known = self.knowledge.blocks.get(name)
        if known is not None:
            waiting.block(self, state, name, known, base, (), site)

    def delete_later(self, state: State, path: Path, site: Site) -> bool:
        """What *path* leads to ends, where a callee says so and only callers know what it is."""
        return destruction.delete_later(self, state, path, site)

    def owner_call(
        self, state: State, method: str, owner: Paths, args: Sequence[Paths], site: Site
    ) -> None:
        """A method of a smart pointer or a container, which nobody wrote."""
        objects.owner_call(self, state, method, owner, None, "", args, site)

    def call_meanwhile(self, state: State, body: str, owner: Path, site: Site) -> None:
        """*body*, a method of *owner*, is called: what it takes and gives back on its way."""
        meanwhile(self, state, body, Frame((), (owner,), UNKNOWN, site))

    def polls(self, poll: Poll, states: list[State]) -> None:
        """A loop waits for what others write."""
        if poll.asked is not None:
            waiting.polled(self, states, poll.asked, self.site(poll.line))
            return
        for state in states:
            path = Wait(POLL, poll.flags)
            waiting.wait(self, state, path, How.BLOCKING, self.site(poll.line))

    def spun(self, loop: Round) -> None:
        """A loop was walked in which locks were tried."""
        spins.note(self, loop)

    # -- events -----------------------------------------------------------------------------------

    def destroy(self, state: State, path: Path, line: int = 0) -> State:
        """The object at *path* dies, at *line* or at the function's end."""
        if path in state.guards:
            return guards.drop_guard(self, state, path)
        return destruction.destroy(self, state, path, line)

    def _step(self, statement: f.Stmt, states: list[State]) -> list[State]:
        if isinstance(statement, f.Call):
            return self._call(statement, states)
        if isinstance(statement, f.Make):
            return self._make(statement, states)
        if isinstance(statement, f.Local):
            return [
                questions.kept(self, statement, stores.declare(self, statement, t))
                for s in states
                for t in self.values.split(statement.value, s)
            ]
        if isinstance(statement, f.Assign):
            return [
                stores.assign(self, statement, flags.assign(self, statement, t))
                for s in states
                for t in self.values.split(statement.value, s)
            ]
        if isinstance(statement, f.Block):
            return self.block(statement, states)
        if isinstance(statement, f.If):
            return self._if(statement, states)
        if isinstance(statement, f.Loop):
            return self._loop(statement, states)
        if isinstance(statement, f.Return):
            return self._return(statement, states)
        if isinstance(statement, f.EndTemporaries):
            return [self._end_temporaries(statement, s) for s in states]
        if isinstance(statement, f.Switch):
            return self._switch(statement, states)
        if isinstance(statement, f.Try):
            return self._try(statement, states)
        if isinstance(statement, f.StaticInit):
            after = self._static(statement, states)
            same = (
                statement.usr in self.engine.constants.statics
            )  # later ones find what the first found
            return after if same else self.merge(states + after)
        if isinstance(statement, f.Written):
            known = self.addresses.get(statement.call, ())
            self.addresses[statement.call] = (*known, statement.argument)
            return states
        if isinstance(statement, f.Delete):
            return [destruction.delete(self, statement, s) for s in states]
        if isinstance(statement, f.Label):
            return states
        kind = _JUMPS.get(type(statement)) or f"goto {getattr(statement, 'label', '')}"
        line = getattr(statement, "line", 0)
        if kind == "throw":
            states = [failures.in_test(self, self.tested, s) for s in states]
        self.jumps.extend(Jump(kind, s, line=line) for s in states)
        return []

    def _call(self, event: f.Call, states: list[State]) -> list[State]:
        target = event.target
        callee = target.usr if isinstance(target, f.Fn) else ""
        base = target.base if isinstance(target, f.Fn) else None
        targets = () if isinstance(target, f.Fn | f.Name) else targets_of(self, target, states)
        handed = unseen.handed_to(
            self, callee, event.args, base, event.id, event.virtual, target, targets
        )
        if handed is None:
            return [t for s in states for t in self._called(event, s)]
        result = self.values.result(event.id)
        return [
            unseen.settled(self, handed, result, s, t)
            for s in states
            for t in self._called(event, s)
        ]

    def _called(self, event: f.Call, state: State) -> list[State]:
        found: list[State] = []
        states = argued.parted(self, event, state)
        ways = (way for each in states for way in choices.parted(self, event, each))
        for way, others in ways:
            self.one_of = others
            after = calls.call(self, event, way)
            found.extend(choices.told(self, event, way, each) for each in after)
        self.one_of = ()
        return found

    def _make(self, event: f.Make, states: list[State]) -> list[State]:
        handed = unseen.handed_to(self, event.ctor, event.args, None, ~event.id)
        if handed is None:
            return [t for s in states for t in self._made(event, s)]
        made = self.values.made(event.id)
        return [
            unseen.settled(self, handed, made, s, t) for s in states for t in self._made(event, s)
        ]

    def _made(self, event: f.Make, state: State) -> list[State]:
        found: list[State] = []
        for way, others in choices.parted(self, event, state):
            self.one_of = others
            found.extend(objects.make(self, event, way))
        self.one_of = ()
        return found

    def _static(self, init: f.StaticInit, states: list[State]) -> list[State]:
        """The initialiser runs under its guard (C++ [stmt.dcl]/4); others wait for it."""
        guard = Path(roots.Initialiser(init.usr))
        site = self.site(init.line)
        before = self.records, len(self.calls_inside)
        held = Held(guard, Mode.EXCLUSIVE, How.BLOCKING, site)
        first = len(self.jumps)
        after = self.block(init.body, [s.but(held=(*s.held, held)) for s in states])
        self.release_thrown(first, (guard,))
        self.engine.found.note_site(Taken(guard, Mode.EXCLUSIVE, How.BLOCKING, site))
        # One that takes nothing keeps nobody waiting for long.
        if (self.records, len(self.calls_inside)) != before:
            for state in states:
                locking.note_taken(
                    self, state, state.held, guard, Mode.EXCLUSIVE, How.BLOCKING, site
                )
        return [locking.release(self, s, (guard,)) for s in after]

    def _end_temporaries(self, end: f.EndTemporaries, state: State) -> State:
        for number in reversed(end.made):
            state = self.end_temporary(number, end.line, state)
        return state

    def end_temporary(self, number: int, line: int, state: State) -> State:
        """The object of ``Make`` or of a call, numbered as in ``EndTemporaries``, is destroyed."""
        if number >= 0:
            return self.destroy(state, self.values.made(number), line)
        call = -1 - number
        path = self.values.result(call)
        if state.env.get(path, ()) == (path,):
            return self.destroy(state, path, line)
        made_by = self.values.calls.get(call)
        usr = made_by.target.usr if made_by and isinstance(made_by.target, f.Fn) else ""
        spelling = self.program.result_of(usr)
        known = self.program.body_of(usr) and ownership.ends_alone(self, spelling)
        if not known or not library.is_dropped(self, call):
            return state
        return destruction.destroy_value(
            self, state, path, spelling, self.site(line), Certainty.CERTAIN, ""
        )

    def _return(self, statement: f.Return, states: list[State]) -> list[State]:
        for state in [t for s in states for t in self.values.split(statement.value, s)]:
            value = self.values.of(statement.value, state)
            known = self.values.known(statement.value, state)
            if known is not None and not value:
                value = (Path.of_literal("true" if known else "false"),)
            guard: Guard | None = None
            for path in value:
                if path in state.guards and path not in self._borrowed():
                    guard = state.guards[path]
                    state = locking.with_guard(state, path, guard._replace(owned=False))
                    held = tuple(
                        h._replace(guard=None) if h.guard == path else h for h in state.held
                    )
                    state = state.but(held=held)
            if guard is None and len(value) == 1:
                state, value = self._handed_out(statement.value, value[0], state)
            jump = Jump("return", state, value, guard, statement.line)
            jump.status = statement.value.text if isinstance(statement.value, f.Lit) else ""
            jump.result = _result(statement.value, known)
            jump.truth = known
            jump.compared = conditions.compared_with_numbers(self.values, statement.value, state)
            self.jumps.append(jump)
        return []

    def _handed_out(self, value: f.Value | None, path: Path, state: State) -> tuple[State, Paths]:
        """An object that is returned by value lives on in the caller."""
        own = isinstance(value, f.Var) and Path.of_variable(value.usr) in state.alive
        if own and isinstance(value, f.Var):
            mine = Path.of_variable(value.usr)
            state = state.but(facts={**state.facts, Emptied(mine): True})
        here = path.is_made or path in state.alive
        if here and not path.steps and any(g.is_within(path) for g in state.guards):
            # Whoever has the object then ends the guards in it, with whatever owned it here or not.
            alive = tuple(p for p in state.alive if p != path)
            facts = {k: v for k, v in state.facts.items() if k != Emptied(path)}
            state = state.but(alive=alive, facts=facts)
            return stores.rename(state, path, RETURNED), (RETURNED,)
        if own and isinstance(value, f.Var):
            if path != Path.of_variable(value.usr):
                return state, (path,)
        elif not isinstance(value, f.Made):
            return state, (path,)
        cls = self.program.split(self.identities.type_of(path))[0]
        kept = self.lifetimes.owned(self.identities.type_of(path))
        guarding = any(self.program.split(k)[0] in self.knowledge.guards for k in kept)
        if path.steps or not (guarding or cls in self.program.classes):
            return state, (path,)
        alive = tuple(p for p in state.alive if p != path)
        out = RETURNED
        return stores.rename(state.but(alive=alive), path, out), (out,)

    def _borrowed(self) -> set[Path]:
        return {
            Path.of_variable(u)
            for u in self.function.params
            if self.program.type_of(u).endswith(("&", "*"))
        }


def _null_by(block: f.Block) -> set[str]:
    """Members that *block* begins as null: ``member{nullptr}``, ``member{}``."""
    null = {
        s.id
        for s in block.body
        if isinstance(s, f.Make)
        and all(isinstance(a, f.Lit) and _is_null(a.text) for a in s.args[:1])
    }
    found: set[str] = set()
    for statement in block.body:
        if isinstance(statement, f.Assign) and isinstance(statement.target, f.Field):
            value = statement.value
            made = isinstance(value, f.Made) and value.make in null
            if made or (isinstance(value, f.Lit) and _is_null(value.text)):
                found.add(statement.target.usr)
    return found


def _is_number(value: Paths) -> bool:
    return all(p.is_literal and not _is_null(p.literal) for p in value)


def _is_null(literal: str) -> bool:
    return literal in ("nullptr", "NULL")


_JUMPS: dict[type, str] = {
    f.Break: "break",
    f.Continue: "continue",
    f.Throw: "throw",
}


def _tells_nothing(path: Path, value: Paths) -> bool:
    """Whether *value* is several objects that the member of one of many objects may refer to.

    A caller knows as much of a list's nodes without.  A function that goes through lists makes
    thousands of these, more with each call.
    """
    return len(value) > 1 and path.is_some_object and not any(p.is_plain for p in value)


def _result(value: f.Value | None, known: bool | None) -> str:
    """What is returned, as far as callers can go by it: a truth, "!0" or "0"."""
    if known is None:
        return ""
    if isinstance(value, f.Not | f.Compare | f.Less | f.Both):
        return "true" if known else "false"
    return "!0" if known else "0"
