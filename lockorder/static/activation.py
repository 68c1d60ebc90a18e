"""Abstract interpretation of one function body: control flow over sets of states.

A point of the program has a small set of states; they are joined as soon as they agree on what is
locked, so a branch that takes no lock costs nothing, while "locked if the flag is set" stays two
states until the flag is tested again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.model import How, Mode
from lockorder.static import balance, calls, entries, guards, locking, objects, stores, waiting
from lockorder.static import facts as f
from lockorder.static.paths import GUARDED, INIT, NAMED, RETURNED, Path, Paths
from lockorder.static.recorder import Recorder
from lockorder.static.summary import (
    Guard,
    Held,
    Outcome,
    Site,
    State,
    Summary,
    merge,
)
from lockorder.static.values import Values

if TYPE_CHECKING:
    from lockorder.static.engine import Engine

#: How often a loop body is walked before its states are taken as stable.
LOOP_ROUNDS = 3
MAX_OUTCOMES = 6


class Jump:
    """A state that left its block early: kind is return, break, continue, throw or a label."""

    __slots__ = ("guard", "kind", "line", "state", "value")

    def __init__(
        self,
        kind: str,
        state: State,
        value: Paths = (),
        guard: Guard | None = None,
        line: int = 0,
    ) -> None:
        self.line = line
        self.kind = kind
        self.state = state
        self.value = value
        self.guard = guard


class Activation(Recorder):
    """One walk through one function."""

    def __init__(self, engine: Engine, function: f.Function) -> None:
        super().__init__(engine, function)
        self.program = engine.program
        self.knowledge = engine.knowledge
        self.identities = engine.identities
        self.values = Values(engine.program, engine.identities, function)
        self.lifetimes = engine.lifetimes
        self.jumps: list[Jump] = []
        #: Handlers around the statement that is being walked.
        self._handlers = 0
        self._may_throw = False
        self._needed: frozenset[Path] = frozenset()

    # -- the whole function -----------------------------------------------------------------------

    def run(self) -> Summary:
        """Walk the body and say what a call of it does."""
        start = self._start()
        self._needed = frozenset(h.path for h in start.held)
        ends = self.block(self.function.body, self._implied(start))
        for state in ends:
            self.jumps.append(Jump("return", state, line=self.function.end))
        returned = [j for j in self.jumps if j.kind == "return"]
        thrown = [j for j in self.jumps if j.kind == "throw"]
        balance.check(self, returned, thrown)
        outcomes: dict[object, Outcome] = {}
        returns: dict[Path, None] = {}
        for jump in returned:
            state = jump.state
            for path in reversed(state.alive):  # by-value guard parameters
                state = self.destroy(state, path)
            outcome = self._outcome(state, jump)
            outcomes.setdefault(
                (outcome.held, outcome.released, outcome.flag, outcome.guard), outcome
            )
            returns.update(dict.fromkeys(jump.value))
        return Summary(
            self.taken,
            self.orders,
            self.deferred,
            tuple(outcomes.values())[:MAX_OUTCOMES],
            tuple(returns)[:4],
            bool(returned),
            self._thrown(thrown),
        )

    def _thrown(self, jumps: list[Jump]) -> tuple[Outcome, ...]:
        found: dict[object, Outcome] = {}
        for jump in jumps:
            outcome = self._outcome(jump.state, jump)
            if outcome.held or outcome.released:
                found.setdefault((tuple(h.path for h in outcome.held), outcome.released), outcome)
        plain = (Outcome(),) if self._may_throw or len(jumps) > len(found) else ()
        return (*plain, *tuple(found.values())[:3])

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
            if known is None:
                continue
            path = Path(f"v:{usr}")
            guards[path] = Guard((path.then(GUARDED),), True, known.mode)
            if not spelling.endswith(("&", "*")):
                alive.append(path)
        return State(self._on_entry(), guards=guards, alive=tuple(alive))

    def _on_entry(self) -> tuple[Held, ...]:
        """Locks that every caller must hold."""
        needed = entries.required(self.program, self.knowledge, self.function)
        if not needed:
            return ()
        site = self.site(self.function.line)
        lock = Path(NAMED + needed)
        return (Held(lock, Mode.EXCLUSIVE, How.BLOCKING, site, entries.ENTRY),)

    def _outcome(self, state: State, jump: Jump) -> Outcome:
        flag: bool | None = None
        if jump.value and all(p.root in ("lit:true", "lit:false") for p in jump.value):
            flag = jump.value[0].root == "lit:true" if len(jump.value) == 1 else None
        elif len(jump.value) == 1:
            flag = state.facts.get(jump.value[0])
        this = self.values.this.root
        params = {f"v:{u}" for u in self.function.params}
        bindings = tuple(
            (path, value)
            for path, value in state.env.items()
            if path.steps and (path.root in (this, RETURNED) or path.root in params)
        )
        guards = tuple(
            (path, guard)
            for path, guard in state.guards.items()
            if path.root in (this, RETURNED) or path.root in params
        )
        held = tuple(h for h in state.held if h.guard != entries.ENTRY)
        still = {h.path for h in state.held if h.guard == entries.ENTRY}
        gone = frozenset(p for p in self._needed if p not in still)
        return Outcome(held, state.released | gone, jump.guard, flag, bindings, guards)

    # -- for those who say what calls do ----------------------------------------------------------

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
        for jump in reversed(self.jumps[-8:]):
            if jump.kind == "throw" and jump.state.key() == key:
                return
        self.jumps.append(Jump("throw", state, line=line))

    def note(self, kind: str, what: str, about: str, site: Site, state: State) -> None:
        """Something happens that rules look at on its own."""
        if not self.engine.alone:
            self.engine.found.event(kind, what, about, self.function, site, state)

    def declaration(self, path: Path) -> str:
        """The key of the variable or field that *path* ends in; empty for a parameter."""
        for step in reversed(path.steps):
            if step in self.program.variables:
                return step
        if path.root.startswith("v:") and not self.engine.is_parameter(path):
            return path.root[2:]
        return ""

    def place(self, value: f.Value) -> Path | None:
        """The variable that an expression names, not what it stands for."""
        return Path(f"v:{value.usr}") if isinstance(value, f.Var) else None

    def block_by_name(self, state: State, name: str, base: Paths, site: Site) -> None:
        """A wait that nobody wrote (the end of a std::jthread)."""
        known = self.knowledge.blocks.get(name)
        if known is not None:
            waiting.block(self, state, name, known, base, (), site)

    def site(self, line: int, column: int = 0) -> Site:
        """A place in this function."""
        return Site(self.function.usr, line, column)

    def variable_name(self, path: Path) -> str:
        """The qualified name of the variable or literal that *path* is, or empty."""
        if path.steps:
            return ""
        if path.root.startswith("v:"):
            variable = self.program.variables.get(path.root[2:])
            return variable.name if variable is not None else ""
        return path.root[4:] if path.root.startswith("lit:") else ""

    # -- blocks -----------------------------------------------------------------------------------

    def block(self, block: f.Block, states: list[State]) -> list[State]:
        """Walk a scope; its locals die at the end, on every way out."""
        if not block.body:
            return states
        depth = len(states[0].alive) if states else 0
        first = len(self.jumps)
        for statement in block.body:
            if isinstance(statement, f.Label):
                states = self._arrivals(statement.name, states, depth)
            if states:
                states = merge(self._step(statement, states))
            elif not _has_label(block):
                break
        for jump in self.jumps[first:]:
            jump.state = self._unwind(jump.state, depth)
        return [self._unwind(s, depth) for s in states]

    def _arrivals(self, label: str, states: list[State], depth: int) -> list[State]:
        arriving = [j for j in self.jumps if j.kind == f"goto {label}"]
        if not arriving:
            return states
        self.jumps = [j for j in self.jumps if j not in arriving]
        return merge(states + [self._unwind(j.state, depth) for j in arriving])

    def _unwind(self, state: State, depth: int) -> State:
        while len(state.alive) > depth:
            path = state.alive[-1]
            state = self.destroy(state.but(alive=state.alive[:-1]), path)
        return state

    def destroy(self, state: State, path: Path) -> State:
        """The object at *path* dies."""
        if path in state.guards:
            return guards.drop_guard(self, state, path)
        return objects.destroy(self, state, path)

    # -- statements -------------------------------------------------------------------------------

    def _step(self, statement: f.Stmt, states: list[State]) -> list[State]:
        if isinstance(statement, f.Call):
            return [t for s in states for t in calls.call(self, statement, s)]
        if isinstance(statement, f.Make):
            return [t for s in states for t in objects.make(self, statement, s)]
        if isinstance(statement, f.Local):
            return [stores.declare(self, statement, s) for s in states]
        if isinstance(statement, f.Assign):
            return [stores.assign(self, statement, s) for s in states]
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
            return merge(states + self._static(statement, states))
        if isinstance(statement, f.Delete):
            return [objects.delete(self, statement, s) for s in states]
        if isinstance(statement, f.Label):
            return states
        kind = _JUMPS.get(type(statement)) or f"goto {getattr(statement, 'label', '')}"
        line = getattr(statement, "line", 0)
        self.jumps.extend(Jump(kind, s, line=line) for s in states)
        return []

    def _static(self, init: f.StaticInit, states: list[State]) -> list[State]:
        """The initialiser runs under its guard (C++ [stmt.dcl]/4); others wait for it."""
        guard = Path(INIT + init.usr)
        site = self.site(init.line)
        before = self.records
        held = Held(guard, Mode.EXCLUSIVE, How.BLOCKING, site)
        after = self.block(init.body, [s.but(held=(*s.held, held)) for s in states])
        if self.records > before:  # one that takes nothing keeps nobody waiting for long
            for state in states:
                locking.note_taken(
                    self, state, state.held, guard, Mode.EXCLUSIVE, How.BLOCKING, site
                )
        return [locking.release(self, s, (guard,)) for s in after]

    def _end_temporaries(self, end: f.EndTemporaries, state: State) -> State:
        for number in reversed(end.made):
            if number >= 0:
                path = self.values.made(number)
            else:
                path = self.values.result(-1 - number)
                value = state.env.get(path, ())
                if value != (path,):
                    continue
            state = self.destroy(state, path)
        return state

    def _if(self, branch: f.If, states: list[State]) -> list[State]:
        out: list[State] = []
        yes = [t for s in states if (t := self.values.assume(branch.cond, True, s)) is not None]
        no = [t for s in states if (t := self.values.assume(branch.cond, False, s)) is not None]
        if yes:
            out.extend(self.block(branch.then, merge(yes)))
        if no:
            out.extend(no if branch.orelse is None else self.block(branch.orelse, merge(no)))
        return out

    def _loop(self, loop: f.Loop, states: list[State]) -> list[State]:
        self.engine.loops += 1
        found = self._rounds(loop, states)
        self.engine.loops -= 1
        return found

    def _rounds(self, loop: f.Loop, states: list[State]) -> list[State]:
        done: list[State] = []
        seen: set[object] = set()
        entering = states
        first_time = loop.at_least_once
        for _ in range(LOOP_ROUNDS):
            testing = entering if first_time else self.block_open(loop.head, entering)
            if not first_time:
                done.extend(
                    t for s in testing if (t := self.values.assume(loop.cond, False, s)) is not None
                )
                testing = [
                    t for s in testing if (t := self.values.assume(loop.cond, True, s)) is not None
                ]
            first = len(self.jumps)
            after = self.block(loop.body, testing) if testing else []
            mine, self.jumps[first:] = self.jumps[first:], []
            for jump in mine:
                if jump.kind == "break":
                    done.append(jump.state)
                elif jump.kind == "continue":
                    after.append(jump.state)
                else:
                    self.jumps.append(jump)
            if loop.at_least_once:
                after = self.block_open(loop.head, merge(after)) if after else []
                done.extend(
                    t for s in after if (t := self.values.assume(loop.cond, False, s)) is not None
                )
                after = [
                    t for s in after if (t := self.values.assume(loop.cond, True, s)) is not None
                ]
            else:
                after = self.block_open(loop.step, merge(after)) if after else []
            after = [s for s in merge(after) if s.key() not in seen]
            seen.update(s.key() for s in after)
            if not after:
                break
            entering = after
        return merge(done)

    def block_open(self, block: f.Block, states: list[State]) -> list[State]:
        """Walk events whose locals live on after them (a loop's head)."""
        for statement in block.body:
            if not states:
                break
            states = merge(self._step(statement, states))
        return states

    def _switch(self, switch: f.Switch, states: list[State]) -> list[State]:
        first = len(self.jumps)
        falling: list[State] = []
        for case in switch.cases:
            falling = self.block(case, merge(states + falling))
        out = list(falling)
        if not switch.total:
            out.extend(states)
        mine, self.jumps[first:] = self.jumps[first:], []
        for jump in mine:
            if jump.kind == "break":
                out.append(jump.state)
            else:
                self.jumps.append(jump)
        return merge(out)

    def _try(self, attempt: f.Try, states: list[State]) -> list[State]:
        first = len(self.jumps)
        self._handlers += bool(attempt.handlers)
        out = self.block(attempt.body, states)
        self._handlers -= bool(attempt.handlers)
        thrown = [j for j in self.jumps[first:] if j.kind == "throw"]
        if attempt.handlers:
            self.jumps[first:] = [j for j in self.jumps[first:] if j.kind != "throw"]
        caught = merge(states + [j.state for j in thrown])
        for handler in attempt.handlers:
            out.extend(self.block(handler, caught))
        return merge(out)

    def _return(self, statement: f.Return, states: list[State]) -> list[State]:
        for state in states:
            value = self.values.of(statement.value, state)
            known = self.values.known(statement.value, state)
            if known is not None and not value:
                value = (Path(f"lit:{'true' if known else 'false'}"),)
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
            self.jumps.append(Jump("return", state, value, guard, statement.line))
        return []

    def _handed_out(self, value: f.Value | None, path: Path, state: State) -> tuple[State, Paths]:
        """An object that is returned by value lives on in the caller."""
        own = isinstance(value, f.Var) and Path(f"v:{value.usr}") in state.alive
        if own and isinstance(value, f.Var):
            mine = Path(f"v:{value.usr}")
            state = state.but(facts={**state.facts, ("moved", mine): True})
            if path != mine:
                return state, (path,)
        elif not isinstance(value, f.Made):
            return state, (path,)
        cls = self.program.split(self.identities.type_of(path))[0]
        if path.steps or cls not in self.program.classes:
            return state, (path,)
        alive = tuple(p for p in state.alive if p != path)
        out = Path(RETURNED)
        return stores.rename(state.but(alive=alive), path, out), (out,)

    def _borrowed(self) -> set[Path]:
        return {
            Path(f"v:{u}")
            for u in self.function.params
            if self.program.type_of(u).endswith(("&", "*"))
        }


def _has_label(block: f.Block) -> bool:
    return any(isinstance(s, f.Label) for s in block.body)


_JUMPS: dict[type, str] = {
    f.Break: "break",
    f.Continue: "continue",
    f.Throw: "throw",
}
