"""Abstract interpretation of one function body: control flow over sets of states.

A point of the program has a small set of states; they are joined as soon as they agree on what is
locked, so a branch that takes no lock costs nothing, while "locked if the flag is set" stays two
states until the flag is tested again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.model import Mode
from lockorder.static import calls, locking
from lockorder.static import facts as f
from lockorder.static.paths import GUARDED, Path, Paths
from lockorder.static.summary import (
    Deferred,
    Guard,
    Held,
    Order,
    Outcome,
    Site,
    State,
    Summary,
    Taken,
    merge,
)
from lockorder.static.values import Values, forget

if TYPE_CHECKING:
    from lockorder.static.engine import Engine

#: How often a loop body is walked before its states are taken as stable.
LOOP_ROUNDS = 3
MAX_OUTCOMES = 6
MAX_VARIANTS = 3
MAX_DEFERRED = 12


class Jump:
    """A state that left its block early: kind is return, break, continue, throw or a label."""

    __slots__ = ("guard", "kind", "state", "value")

    def __init__(
        self, kind: str, state: State, value: Paths = (), guard: Guard | None = None
    ) -> None:
        self.kind = kind
        self.state = state
        self.value = value
        self.guard = guard


class Activation:
    """One walk through one function."""

    def __init__(self, engine: Engine, function: f.Function) -> None:
        self.engine = engine
        self.program = engine.program
        self.knowledge = engine.knowledge
        self.identities = engine.identities
        self.function = function
        self.values = Values(engine.program, engine.identities, function)
        self.jumps: list[Jump] = []
        self.recorded: set[object] = set()
        self._taken: dict[object, list[Taken]] = {}
        self._orders: dict[object, Order] = {}
        self._deferred: dict[object, Deferred] = {}

    # -- the whole function -----------------------------------------------------------------------

    def run(self) -> Summary:
        """Walk the body and say what a call of it does."""
        start = self._start()
        ends = self.block(self.function.body, [start])
        for state in ends:
            self.jumps.append(Jump("return", state))
        returned = [j for j in self.jumps if j.kind == "return"]
        outcomes: dict[object, Outcome] = {}
        returns: dict[Path, None] = {}
        for jump in returned:
            state = jump.state
            for path in reversed(state.alive):  # by-value guard parameters
                state = self._destroy(state, path)
            outcome = self._outcome(state, jump)
            outcomes.setdefault(
                (outcome.held, outcome.released, outcome.flag, outcome.guard), outcome
            )
            returns.update(dict.fromkeys(jump.value))
        return Summary(
            {k: tuple(v) for k, v in self._taken.items()},  # type: ignore[misc]
            tuple(self._orders.values()),
            tuple(self._deferred.values()),
            tuple(outcomes.values())[:MAX_OUTCOMES],
            tuple(returns)[:4],
            bool(returned),
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
        return State(guards=guards, alive=tuple(alive))

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
            if path.steps and (path.root == this or path.root in params)
        )
        guards = tuple(
            (path, guard)
            for path, guard in state.guards.items()
            if path.root == this or path.root in params
        )
        return Outcome(state.held, state.released, jump.guard, flag, bindings, guards)

    # -- recording --------------------------------------------------------------------------------

    def record_taken(self, taken: Taken) -> None:
        """Remember an acquisition for the callers; a few variants by what is held inside."""
        self.engine.note_taken(taken)
        variants = self._taken.setdefault((taken.path, taken.mode, taken.how), [])
        for i, old in enumerate(variants):
            if old.inside == taken.inside and old.released == taken.released:
                if taken.certainty > old.certainty:
                    variants[i] = taken
                return
        if len(variants) < MAX_VARIANTS:
            variants.append(taken)

    def record_order(self, order: Order) -> None:
        """Hand an order to the engine, or keep it where only a caller can name its locks."""
        if not self.engine.emit(self.function, order):
            key = (
                order.held.path,
                order.taken.path,
                order.held.mode,
                order.taken.mode,
                order.gates,
            )
            self._orders.setdefault(key, order)

    def record_self_deadlock(self, held: Held, taken: Taken) -> None:
        """The same object is taken twice by one thread."""
        self.engine.emit_self(self.function, held, taken)

    def record_deferred(self, deferred: Deferred) -> None:
        """Remember a call of something that only the caller knows."""
        key = (deferred.callee, tuple(h.path for h in deferred.held), deferred.released)
        if len(self._deferred) < MAX_DEFERRED:
            self._deferred.setdefault(key, deferred)

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
            state = self._destroy(state.but(alive=state.alive[:-1]), path)
        return state

    def _destroy(self, state: State, path: Path) -> State:
        if path in state.guards:
            return locking.drop_guard(self, state, path)
        return calls.destroy(self, state, path)

    # -- statements -------------------------------------------------------------------------------

    def _step(self, statement: f.Stmt, states: list[State]) -> list[State]:
        if isinstance(statement, f.Call):
            return [t for s in states for t in calls.call(self, statement, s)]
        if isinstance(statement, f.Make):
            return [t for s in states for t in calls.make(self, statement, s)]
        if isinstance(statement, f.Local):
            return [self._local(statement, s) for s in states]
        if isinstance(statement, f.Assign):
            return [self._assign(statement, s) for s in states]
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
            return merge(states + self.block(statement.body, states))
        if isinstance(statement, f.Delete):
            return [calls.delete(self, statement, s) for s in states]
        if isinstance(statement, f.Label):
            return states
        kind = _JUMPS.get(type(statement)) or f"goto {getattr(statement, 'label', '')}"
        self.jumps.extend(Jump(kind, s) for s in states)
        return []

    def _local(self, local: f.Local, state: State) -> State:
        path = Path(f"v:{local.usr}")
        value = self.values.of(local.value, state)
        state = forget(state, path)
        if isinstance(local.value, f.Made | f.Result) and len(value) == 1:
            temporary = value[0]
            if temporary.root.startswith("made:") and not temporary.steps:
                owns = self._owns(local.usr)
                if owns:
                    state = rename(state, temporary, path)
                    return state.but(alive=(*state.alive, path))
        if len(value) == 1 and value[0] in state.guards and self._owns(local.usr):
            state = locking.move_guard(state, value[0], path)
            return state.but(alive=(*state.alive, path))
        env = dict(state.env)
        if value and value != (path,):
            env[path] = value
        else:
            env.pop(path, None)
        state = state.but(env=env)
        if (
            isinstance(local.value, f.Result)
            and self.values.result(local.value.call) in state.facts
        ):
            known = state.facts[self.values.result(local.value.call)]
            state = state.but(facts={**state.facts, path: known})
        return state

    def _owns(self, usr: str) -> bool:
        """Whether a variable is the object, and not a pointer or reference to one.

        A reference bound to a temporary keeps it alive, which comes to the same.
        """
        return not self.program.type_of(usr).rstrip().endswith("*")

    def _assign(self, assign: f.Assign, state: State) -> State:
        value = self.values.of(assign.value, state)
        target = self._place(assign.target, state)
        if target is None:
            return state
        state = forget(state, target)
        if len(value) == 1 and value[0] in state.guards:
            if target in state.guards and value[0] != target:
                state = locking.drop_guard(self, state, target)
            return locking.move_guard(state, value[0], target)
        made = len(value) == 1 and value[0].root.startswith("made:") and not value[0].steps
        if made and isinstance(assign.value, f.Made) and isinstance(assign.target, f.Field):
            return rename(state, value[0], target)
        env = dict(state.env)
        if value and value != (target,):
            env[target] = value
        else:
            env.pop(target, None)
        if isinstance(assign.value, f.Result):
            known = state.facts.get(self.values.result(assign.value.call))
            if known is not None:
                return state.but(env=env, facts={**state.facts, target: known})
        return state.but(env=env)

    def _place(self, target: f.Value, state: State) -> Path | None:
        """The one place that an assignment writes to."""
        if isinstance(target, f.Var):
            path = Path(f"v:{target.usr}")
            spelling = self.program.type_of(target.usr).rstrip()
            if spelling.endswith("&"):
                found = self.values.read(path, state)
                return found[0] if len(found) == 1 else None
            return path
        if isinstance(target, f.Field):
            bases = self.values.of(target.base, state)
            return bases[0].then(target.usr) if len(bases) == 1 else None
        return None

    def _end_temporaries(self, end: f.EndTemporaries, state: State) -> State:
        for number in reversed(end.made):
            if number >= 0:
                path = self.values.made(number)
            else:
                path = self.values.result(-1 - number)
                value = state.env.get(path, ())
                if value != (path,):
                    continue
            state = self._destroy(state, path)
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
        out = self.block(attempt.body, states)
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
            self.jumps.append(Jump("return", state, value, guard))
        return []

    def _borrowed(self) -> set[Path]:
        return {
            Path(f"v:{u}")
            for u in self.function.params
            if self.program.type_of(u).endswith(("&", "*"))
        }


def rename(state: State, old: Path, new: Path) -> State:
    """The object made as *old* is from now on known as *new*."""

    def moved(path: Path) -> Path:
        return Path(new.root, new.steps + path.steps) if path.root == old.root else path

    if old.steps:
        return state
    env = {}
    for path, value in state.env.items():
        if path.root == old.root and not path.steps:
            continue  # the temporary's own entry
        env[moved(path)] = tuple(moved(p) for p in value)
    env.pop(new, None)
    guards = {
        moved(p): g._replace(paths=tuple(moved(q) for q in g.paths))
        for p, g in state.guards.items()
    }
    held = tuple(
        h._replace(path=moved(h.path), guard=moved(h.guard) if h.guard is not None else None)
        for h in state.held
    )
    return state.but(env=env, guards=guards, held=held)


def _has_label(block: f.Block) -> bool:
    return any(isinstance(s, f.Label) for s in block.body)


_JUMPS: dict[type, str] = {
    f.Break: "break",
    f.Continue: "continue",
    f.Throw: "throw",
}

__all__ = ["Activation", "Jump", "Mode", "rename"]
