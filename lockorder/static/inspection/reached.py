"""What the walk saw at a statement: the ways that came to it, or why none did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.static.inspection import body
from lockorder.static.inspection.names import Names
from lockorder.static.inspection.view import HeldView, ReachedView, StateView
from lockorder.static.inspection.watch import Visit, WatchedEngine
from lockorder.static.interp.activation import Activation
from lockorder.static.interp.summary import State
from lockorder.static.parse import facts as f

#: A block, and the number of the statement in it that leads on.
_Way = tuple[f.Block, int]


class Reached:
    """Answers about the statements of one watched function."""

    def __init__(self, engine: WatchedEngine, usr: str, names: Names) -> None:
        self._engine = engine
        self._function = engine.program.functions[usr]
        self._names = names
        self._walk: Activation | None = engine.watched.walks.get(usr)
        self._visits: dict[int, list[Visit]] = {}
        for visit in engine.watched.visits.get(usr, ()):
            self._visits.setdefault(id(visit.statement), []).append(visit)

    def view(self, statement: f.Stmt) -> ReachedView:
        """What came to *statement*."""
        return ReachedView(
            body.line_of(statement),
            self._text(statement),
            self.states(self.before(statement)),
            "" if self.before(statement) else self.why_never(statement),
        )

    def before(self, statement: f.Stmt) -> list[State]:
        """The states in which the walk came to *statement*."""
        return [s for visit in self._visits.get(id(statement), ()) for s in visit.before]

    def states(self, states: Sequence[State]) -> tuple[StateView, ...]:
        """*states* for people, those that look alike once."""
        return tuple(dict.fromkeys(map(self._state, states)))

    def first_unreached(self) -> Iterator[f.Stmt]:
        """The first statement of each part of the body that the walk never came to."""
        yield from self._unreached(self._function.body)

    def _unreached(self, block: f.Block) -> Iterator[f.Stmt]:
        for statement in block.body:
            if not self.before(statement):
                if not isinstance(statement, (f.EndTemporaries, f.Label)):
                    yield statement
                    return  # what follows is never reached for the same reason
                continue
            for part in f.parts(statement):
                yield from self._unreached(part)

    def _text(self, statement: f.Stmt) -> str:
        return body.statement(self._engine.program, self._names, statement)

    def _state(self, state: State) -> StateView:
        known = (self._names.fact(key, truth) for key, truth in state.facts.items())
        return StateView(
            tuple(
                HeldView(self._names.path(h.path), self._names.chain(h.site), h.mode, h.how)
                for h in state.held
            ),
            self._names.all(state.released),
            tuple(sorted(text for text in known if text)),
        )

    # -- why a statement was never walked ---------------------------------------------------------

    def why_never(self, statement: f.Stmt) -> str:
        """Why no way came to *statement*."""
        if self._walk is None:
            return "the function was not walked to its end: it is nested too deeply"
        ways = _ways(self._function.body, statement)
        for depth, (block, number) in enumerate(ways or ()):
            if self.before(block.body[number]):
                continue
            earlier = [s for s in block.body[:number] if self.before(s)]
            if earlier:
                return self._ended(earlier[-1])
            if depth == 0:
                return "no way enters the function"
            outer, index = ways[depth - 1]
            return self._not_entered(outer.body[index], block)
        return "what stands before it on the same line does not come back"

    def _ended(self, last: f.Stmt) -> str:
        """Nobody comes behind *last*, which is in the same block."""
        line = body.line_of(last)
        where = f"line {line}" if line else "the statement before"
        if isinstance(last, (f.Return, f.Throw, f.Break, f.Continue, f.Goto)):
            return f"{where} leaves always: {self._text(last)}"
        if isinstance(last, f.Call):
            name = self._names.callee(last)
            followed = self._engine.watched.followed.get(self._function.usr, ())
            never = [
                self._names.at(c.callee)
                for c in followed
                if c.site.line == last.line and not self._engine.summary(c.callee).ends
            ]
            known = name in self._engine.knowledge.never_returns
            why = "it is known never to return" if known else ", ".join(never)
            return f"{where} calls {name}(), which does not come back" + (f": {why}" if why else "")
        return f"every way leaves in {where}: {self._text(last)}"

    def _not_entered(self, owner: f.Stmt, block: f.Block) -> str:
        """*owner* was walked, and never went on to *block*, a part of it."""
        if isinstance(owner, f.If):
            states = self._at_end(owner, None)
            return self._never(owner, owner.cond, block is owner.then, states, "the branch")
        if isinstance(owner, f.Loop):
            states = self._at_end(owner, owner.head)
            return self._never(owner, owner.cond, True, states, "the loop's body")
        if isinstance(owner, f.Switch):
            number = next((i for i, case in enumerate(owner.cases) if case is block), 0)
            label = owner.labels[number] if number < len(owner.labels) else None
            test = f.Compare(owner.cond, label) if owner.cond and label else None
            return self._never(owner, test, True, self._at_end(owner, None), "the case")
        return f"no way leads into it from {self._text(owner)}"

    def _at_end(self, owner: f.Stmt, head: f.Block | None) -> list[State]:
        """The states in which the condition of *owner* is tested."""
        last = head.body[-1] if head is not None and head.body else None
        if last is None:
            return self.before(owner)
        return [s for visit in self._visits.get(id(last), ()) for s in visit.after]

    def _never(
        self, owner: f.Stmt, cond: f.Value | None, truth: bool, states: list[State], what: str
    ) -> str:
        text = self._names.value(cond, self._function)
        wanted = "true" if truth else "false"
        whys: dict[str, None] = {}
        for state in states:
            for leaf in _leaves(cond):
                known = self._known(owner, leaf, state)
                if known:
                    whys[known] = None
        because = "; ".join(whys) or "no way there can fulfil it"
        return f"{what} is walked only where {text} is {wanted}: {because}"

    def _known(self, owner: f.Stmt, leaf: f.Value, state: State) -> str:
        """What is known of a condition's part, and since when; empty where it is open."""
        assert self._walk is not None
        known = self._walk.values.known(leaf, state)
        if known is None:
            return ""
        text = self._names.value(leaf, self._function)
        if isinstance(leaf, f.Lit):
            return f"it is written so ({text})"
        values = self._walk.values.of(leaf, state)
        told = f"{text} is known to be {'true' if known else 'false'} there"
        if values and all(p.is_literal for p in values):
            given = " or ".join(self._names.path(p) for p in values)
            return f"{told}: it has the value {given}{self._since(leaf, text)}"
        stands = ""
        for name, meant in self._meant(leaf, state):
            stands += f"{name} stands for {meant} there, and "
            text = text.replace(name, meant)
        return f"{told}: {stands}{self._tested(owner, leaf, text)}"

    def _meant(self, leaf: f.Value, state: State) -> Iterator[tuple[str, str]]:
        """Names in a condition that stand for something else, and for what."""
        assert self._walk is not None
        for side in (leaf.left, leaf.right) if isinstance(leaf, f.Compare) else (leaf,):
            text = self._names.value(side, self._function)
            meant = [self._names.path(path) for path in self._walk.values.of(side, state)]
            if len(meant) == 1 and meant != [text] and not isinstance(side, f.Lit):
                yield text, meant[0]

    def _since(self, leaf: f.Value, text: str) -> str:
        """Where a variable gets the value that counts."""
        lines = []
        for statement in f.walk(self._function.body):
            if not self.before(statement):
                continue
            target: f.Value | None = None
            if isinstance(statement, f.Assign):
                target = statement.target
            elif isinstance(statement, f.Local) and statement.value is not None:
                target = f.Var(statement.usr)
            if target == leaf or (target and self._names.value(target) == text):
                lines.append(str(body.line_of(statement)))
        return f", from line {' and '.join(lines)}" if lines else ""

    def _tested(self, owner: f.Stmt, leaf: f.Value, text: str) -> str:
        line = self._function.line
        for test in f.walk(self._function.body):
            if test is owner:
                break
            line = getattr(test, "line", 0) or line
            if not (isinstance(test, (f.If, f.Loop)) and self.before(test)):
                continue
            leaves = list(_leaves(test.cond))
            if leaf in leaves or text in [self._names.value(x, self._function) for x in leaves]:
                return f"an earlier test of {text} (at or behind line {line}) decided it"
        return "a call or an assignment before decided it"


def _ways(block: f.Block, wanted: f.Stmt) -> list[_Way]:
    """The blocks from the outermost to the one with *wanted* in it; empty where it is not there."""
    for number, statement in enumerate(block.body):
        if statement is wanted:
            return [(block, number)]
        for part in f.parts(statement):
            inner = _ways(part, wanted)
            if inner:
                return [(block, number), *inner]
    return []


def _leaves(cond: f.Value | None) -> Iterator[f.Value]:
    """The parts of a condition that are tested on their own."""
    if isinstance(cond, f.Not):
        yield from _leaves(cond.value)
    elif isinstance(cond, f.Both):
        yield from _leaves(cond.left)
        yield from _leaves(cond.right)
    elif isinstance(cond, f.Compare):
        yield cond
        for side in (cond.left, cond.right):
            if not isinstance(side, f.Lit):
                yield from _leaves(side)
    elif cond is not None:
        yield cond
