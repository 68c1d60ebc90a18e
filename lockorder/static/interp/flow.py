"""Control flow of one function body over sets of states.

A point of the program has a small set of states; they are joined as soon as they agree on what is
locked, so a branch that takes no lock costs nothing, while "locked if the flag is set" stays two
states until the flag is tested again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lockorder.bounds import LABELS, LOOPS
from lockorder.static.interp import evaluations, every, joining, ownership, premises, unseen
from lockorder.static.interp.summary import State
from lockorder.static.interp.tries import Round
from lockorder.static.interp.walking import Jump, Walk
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path
from lockorder.static.program.polls import Poll

if TYPE_CHECKING:
    pass


class Flow(Walk):
    """Blocks, branches, loops and handlers; what events do is supplied by the subclass."""

    def _step(self, statement: f.Stmt, states: list[State]) -> list[State]:
        raise NotImplementedError

    def end_temporary(self, number: int, line: int, state: State) -> State:
        """The object of ``Make`` or of a call, numbered as in ``EndTemporaries``, is destroyed."""
        raise NotImplementedError

    def polls(self, poll: Poll, states: list[State]) -> None:
        """A loop waits for what others write."""
        raise NotImplementedError

    def spun(self, loop: Round) -> None:
        """A loop was walked in which locks were tried."""
        raise NotImplementedError

    def merge(self, states: list[State]) -> list[State]:
        """*states* with those joined that agree on what is locked."""
        return joining.merge(states, self.cut)

    def block(self, block: f.Block, states: list[State]) -> list[State]:
        """Walk a scope; its locals die at the end, on every way out."""
        if not block.body:
            return states
        first = len(self.jumps)
        self.depth += 1
        for statement in block.body:
            if isinstance(statement, f.Label):
                states = self._arrivals(statement.name, states)
            if states:
                states = self.merge(self._stepped(statement, states))
            elif not _has_label(block):
                break
        self.depth -= 1
        thrown: set[object] = set()
        left: list[Jump] = []
        for jump in self.jumps[first:]:
            jump.state = self._unwind(jump.state, jump.line or block.end)
            if jump.state.waits and not self._made_at:
                continue
            # Temporaries that are still there count the jumps: none of those is left out.
            if jump.kind != "throw" or self._made_at:
                left.append(jump)
            elif (key := jump.state.key()) not in thrown:
                thrown.add(key)
                left.append(jump)
        self.jumps[first:] = left
        return [t for s in states if not (t := self._unwind(s, block.end)).waits]

    def _stepped(self, statement: f.Stmt, states: list[State]) -> list[State]:
        """What *statement* does; an exception ends the temporaries that it leaves behind."""
        if isinstance(statement, f.EndTemporaries):
            for number in reversed(statement.made):
                there_from = self._made_at.pop(number, len(self.jumps))
                for jump in self.jumps[there_from:]:
                    if jump.kind == "throw":
                        jump.state = self.end_temporary(number, statement.line, jump.state)
        states = self._step(statement, states)
        if isinstance(statement, f.Make):
            self._made_at[statement.id] = len(self.jumps)
        elif isinstance(statement, f.Call):
            self._made_at[-1 - statement.id] = len(self.jumps)
        return states

    def _arrivals(self, label: str, states: list[State]) -> list[State]:
        arriving = [j for j in self.jumps if j.kind == f"goto {label}"]
        if not arriving:
            return states
        self.jumps = [j for j in self.jumps if j not in arriving]
        return self.merge(states + [self._unwind(j.state, j.line) for j in arriving])

    def _unwind(self, state: State, line: int) -> State:
        """*state* without the locals of scopes that have been left at *line*, whichever it has."""
        while state.alive and self.scopes.get(state.alive[-1], 0) > self.depth:
            path = state.alive[-1]
            state = self.destroy(state.but(alive=state.alive[:-1]), path, line)
        return state

    def _if(self, branch: f.If, states: list[State]) -> list[State]:
        out: list[State] = []
        read = self.values.evaluations.read.get(id(branch), frozenset())
        self.values.read_once = read
        yes = [t for s in states if (t := self.values.assume(branch.cond, True, s)) is not None]
        no = [t for s in states if (t := self.values.assume(branch.cond, False, s)) is not None]
        yes = [premises.tested(self, branch, branch.cond, True, s) for s in yes]
        no = [premises.tested(self, branch, branch.cond, False, s) for s in no]
        if id(branch) in self.values.evaluations.wholes:
            self.values.read_once = frozenset()
            yes = [evaluations.over(s, read) for s in yes]
            no = [evaluations.over(s, read) for s in no]
        outer, self.tested = self.tested, branch.cond
        if yes:
            out.extend(self.block(branch.then, self.merge(yes)))
        if no:
            out.extend(no if branch.orelse is None else self.block(branch.orelse, self.merge(no)))
        self.tested = outer
        return out

    def _loop(self, loop: f.Loop, states: list[State]) -> list[State]:
        poll = self.engine.polls.loops.get(id(loop))
        if poll is not None:
            self.polls(poll, states)
        self.engine.loops += 1
        first = len(self.jumps)
        found = self._rounds(loop, states)
        if not found and len(self.jumps) == first:
            # It ends by nothing that is known here: it waits for what others write.
            again = [unseen.elsewhere(self, s, tests=True) for s in states]
            if any(new is not old for new, old in zip(again, states, strict=True)):
                found = self._rounds(loop, self.merge(again))
        self.engine.loops -= 1
        return found

    def _rounds(self, loop: f.Loop, states: list[State]) -> list[State]:
        done: list[State] = []
        back: list[State] = []
        mark, leaving_from = self.log.mark(), len(self.jumps)
        seen: set[object] = set()
        container = self._container(loop, states[0])
        entering = states = every.before(states, container)
        first_time = loop.at_least_once
        rounds = LOOPS.limit
        for number in range(LOOPS.limit):
            if number >= rounds:
                break
            testing = entering if first_time else self.block_open(loop.head, entering)
            if not first_time:
                leaving = testing
                if number == 0:
                    leaving, testing, again = self._first_test(loop, testing)
                    leaving = [self._over_nothing(loop, s) for s in leaving]
                    rounds = 1 if again else rounds
                leaving = every.after(self, leaving, container)
                done.extend(
                    t for s in leaving if (t := self.values.assume(loop.cond, False, s)) is not None
                )
                testing = [
                    t for s in testing if (t := self.values.assume(loop.cond, True, s)) is not None
                ]
                testing = every.before(testing, container)
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
                after = self.block_open(loop.head, self.merge(after)) if after else []
                done.extend(
                    t for s in after if (t := self.values.assume(loop.cond, False, s)) is not None
                )
                after = [
                    t for s in after if (t := self.values.assume(loop.cond, True, s)) is not None
                ]
            else:
                after = self.block_open(loop.step, self.merge(after)) if after else []
            back = back if number else after
            after = [s for s in self.merge(after) if s.key() not in seen]
            seen.update(s.key() for s in after)
            if not after:
                break
            if number + 1 == rounds and rounds < LOOPS.limit:
                done.extend(after)
            elif number + 1 == rounds:
                self.cut(LOOPS)
            entering = after
        if self.log.mark() != mark:
            outside = [j.state for j in self.jumps[leaving_from:]]
            self.spun(Round(mark, states, back, [*done, *outside]))
        return self.merge(done)

    def _over_nothing(self, loop: f.Loop, state: State) -> State:
        """A loop over all elements that has no round says that there are none."""
        container = self._container(loop, state)
        return state if container is None else ownership.emptied(state, container)

    def _container(self, loop: f.Loop, state: State) -> Path | None:
        """What a loop over all elements goes over."""
        first = loop.body.body[0] if loop.cond is None and loop.body.body else None
        value = first.value if isinstance(first, f.Local) else None
        each = isinstance(value, f.Elem) and value.index is None
        told = value.base if isinstance(value, f.Elem) and each else self._iterated(loop)
        over = self.values.of(told, state)
        return over[0] if len(over) == 1 else None

    def _iterated(self, loop: f.Loop) -> f.Value | None:
        """What a loop goes over by an iterator."""
        return None if loop.cond is None else self.values.iterations.over(loop)

    def _first_test(
        self, loop: f.Loop, states: list[State]
    ) -> tuple[list[State], list[State], bool]:
        """Who leaves a loop at once, who enters it, and whether an earlier loop has decided that.

        Two loops over the same go round equally often: what the first one does in each round, the
        second one may undo in each.
        """
        if self.values.loops < 2:
            return states, states, False
        leaving: list[State] = []
        entering: list[State] = []
        again = False
        for state in states:
            key = self.values.repeats(loop, state)
            known = state.facts.get(key) if key is not None else None
            again = again or known is True
            if known is not True:
                out = state if key is None else state.but(facts={**state.facts, key: False})
                leaving.append(out)
            if known is not False:
                into = state if key is None else state.but(facts={**state.facts, key: True})
                entering.append(into)
        return leaving, entering, again

    def block_open(self, block: f.Block, states: list[State]) -> list[State]:
        """Walk events whose locals live on after them (a loop's head)."""
        for statement in block.body:
            if not states:
                break
            states = self.merge(self._stepped(statement, states))
        return states

    def _switch(self, switch: f.Switch, states: list[State]) -> list[State]:
        first = len(self.jumps)
        falling: list[State] = []
        known = [v for v in switch.labels if v is not None]
        for number, case in enumerate(switch.cases):
            label = switch.labels[number] if number < len(switch.labels) else None
            entering = self._matching(switch, label, known, states)
            falling = self.block(case, self.merge(entering + falling))
        out = list(falling)
        if not switch.total:
            out.extend(self._matching(switch, None, known, states))
        mine, self.jumps[first:] = self.jumps[first:], []
        for jump in mine:
            if jump.kind == "break":
                out.append(jump.state)
            else:
                self.jumps.append(jump)
        return self.merge(out)

    def _matching(
        self,
        switch: f.Switch,
        label: f.Value | None,
        known: list[f.Value],
        states: list[State],
    ) -> list[State]:
        """States that go to a case; to the default go those that no label fits."""
        value = switch.cond
        if value is None:
            return states
        if label is None and len(known) > LABELS.limit:
            self.cut(LABELS)
            known = known[: LABELS.limit]
        tests = [(label, True)] if label is not None else [(v, False) for v in known]
        found: list[State] = []
        for state in states:
            after: State | None = state
            for test, truth in tests:
                if after is not None and test is not None:
                    compared = f.Compare(value, test)
                    after = self.values.assume(compared, truth, after)
                    if after is not None:
                        after = premises.tested(self, switch, compared, truth, after)
            if after is not None:
                found.append(after)
        return found

    def _try(self, attempt: f.Try, states: list[State]) -> list[State]:
        first = len(self.jumps)
        self._handlers += bool(attempt.handlers)
        out = self.block(attempt.body, states)
        self._handlers -= bool(attempt.handlers)
        thrown = [j for j in self.jumps[first:] if j.kind == "throw"]
        if attempt.handlers:
            self.jumps[first:] = [j for j in self.jumps[first:] if j.kind != "throw"]
        caught = self.merge(states + [j.state for j in thrown])
        for handler in attempt.handlers:
            out.extend(self.block(handler, caught))
        return self.merge(out)


def _has_label(block: f.Block) -> bool:
    return any(isinstance(s, f.Label) for s in block.body)
