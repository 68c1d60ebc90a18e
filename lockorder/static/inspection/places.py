"""Why a place has a finding or none: was it read, who comes there, with what, and what follows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from lockorder.folding import unfold
from lockorder.model import Accepted, Coverage, FileCoverage, Finding, Frame
from lockorder.rules.evidence import Evidence
from lockorder.static.inspection import body
from lockorder.static.inspection.calls import call_of
from lockorder.static.inspection.names import Names
from lockorder.static.inspection.orders import orders_at, within
from lockorder.static.inspection.reached import Reached
from lockorder.static.inspection.summaries import bounds_in
from lockorder.static.inspection.view import (
    CallView,
    Candidacy,
    Candidate,
    OrderView,
    PlaceView,
    ReachedView,
    Said,
)
from lockorder.static.inspection.watch import AGAIN, ORDER, WatchedEngine
from lockorder.static.interp.collected import STARTUP
from lockorder.static.interp.summary import Site
from lockorder.static.parse import facts as f
from lockorder.static.program.effects import Holdable

#: Callers that are named.
_NAMED = 6


class Asked(msgspec.Struct, frozen=True):
    """A result that is asked about: findings that count, and those that somebody accepted.

    Texts name files from *base*, or from the *root* where it is empty.
    """

    engine: WatchedEngine
    evidence: Evidence
    coverage: Coverage
    root: str
    findings: tuple[Finding, ...] = ()
    accepted: tuple[Accepted, ...] = ()
    base: str = ""


def place_of(asked: Asked, usr: str, line: int = 0) -> PlaceView:
    """Everything about the watched function *usr*; about one line of it, where one is given."""
    return _Place(asked, usr, line).view()


class _Place:
    def __init__(self, asked: Asked, usr: str, line: int) -> None:
        self._asked = asked
        self._engine = asked.engine
        self._usr = usr
        self._line = line
        self._names = Names(
            asked.engine.program, asked.root, asked.base, asked.engine.handed_on.filled
        )
        self._function = asked.engine.program.functions[usr]
        self._file = self._names.relative(self._function.file)
        last = line or max(self._function.end, self._function.line)
        self._here = within(self._file, line or self._function.line, last)
        self._reached = Reached(asked.engine, usr, self._names)

    def _goes_through(self, chain: Sequence[Frame]) -> bool:
        return any(map(self._here, chain))

    def view(self) -> PlaceView:
        statements = self._statements()
        reached = [self._reached.view(s) for s in statements]
        calls = [
            call_of(self._engine, self._usr, s, self._names)
            for s in statements
            if isinstance(s, f.Call)
        ]
        if not self._line:  # of a whole function only what is in the way of an answer
            reached = [self._reached.view(s) for s in self._reached.first_unreached()]
            calls = [c for c in calls if c.walked and (not c.resolved or c.missing)]
        calls += self._unwritten(statements)
        orders = [*orders_at(self._asked.evidence, list(unfold(self._asked.findings)), self._here)]
        findings = tuple(self._findings())
        dropped = tuple(dict.fromkeys(self._dropped()))
        bounds = bounds_in(self._engine, self._functions(orders))
        return PlaceView(
            self._names.function(self._usr),
            self._file,
            self._line or self._function.line,
            tuple(self._answer(statements, reached, calls, orders, findings, dropped)),
            tuple(self._read()),
            tuple(self._entered()),
            tuple(reached),
            tuple(calls),
            tuple(orders),
            findings,
            dropped,
            bounds,
        )

    def _statements(self) -> list[f.Stmt]:
        """Statements of the line that was named, or all; the ends of temporaries say little."""
        every = f.walk(self._function.body)
        here = [s for s in every if getattr(s, "line", 0) == self._line] if self._line else every
        return [s for s in here if not isinstance(s, f.EndTemporaries)] or here

    def _functions(self, orders: Sequence[OrderView]) -> set[str]:
        """Keys of this function, and of all that the orders shown here go through."""
        named = {
            (frame.function, frame.file)
            for order in orders
            for shown in order.shown_by
            for frame in (*shown.held, *shown.taken)
        }
        return {self._usr} | {
            usr
            for usr in self._engine.cuts.everywhere()
            if (known := self._engine.program.functions.get(usr)) is not None
            and (known.name, self._names.relative(known.file)) in named
        }

    # -- was it read ------------------------------------------------------------------------------

    def _read(self) -> Iterator[str]:
        if self._function.filled:
            yield "the function was read from its text alone: types and overloads are not known"
        known = next((x for x in self._asked.coverage.files if x.file == self._file), None)
        if known is not None:
            yield from _coverage_of(known)
        if self._line and not any(
            getattr(s, "line", 0) == self._line for s in f.walk(self._function.body)
        ):
            lines = sorted({body.line_of(s) for s in f.walk(self._function.body)} - {0})
            before = [n for n in lines if n < self._line][-1:]
            behind = [n for n in lines if n > self._line][:1]
            near = " and ".join(map(str, before + behind)) or "none"
            yield (
                f"no call, object, assignment or jump was read in line {self._line} (a condition "
                f"alone is none); the nearest lines with one: {near}"
            )

    # -- who comes there --------------------------------------------------------------------------

    def _entered(self) -> Iterator[str]:
        contexts, watched = self._engine.contexts, self._engine.watched
        callers = sorted(
            f"{self._names.function(caller)} "
            f"({self._names.shown(self._engine.program.functions[caller].file)}:{line})"
            for caller, line in watched.callers.get(self._usr, ())
        )
        if contexts.is_thread(self._usr):
            yield "a thread is started in it" + (
                ", several in fact" if contexts.many(self._usr) else ""
            )
        if self._usr in contexts.escaped:
            yield "it is handed to code outside, which may call it at any time"
        if callers:
            more = f" and {len(callers) - _NAMED} more" if len(callers) > _NAMED else ""
            yield f"called by {', '.join(callers[:_NAMED])}{more}"
        elif not contexts.is_thread(self._usr):
            yield "nobody that was read calls it: it is taken for an entry, called from outside"
        for context in contexts.entry(self._usr):
            yield (
                "entered with " + (" and ".join(self._names.gates(context)) or "nothing") + " held"
            )
        always = frozenset.intersection(*contexts.entry(self._usr))
        sometimes = self._names.gates(contexts.sometimes(self._usr) - always)
        if sometimes:
            yield f"held on some of the ways there: {', '.join(sometimes)}"
        only = contexts.only_thread(self._usr)
        if only is not None:
            yield f"only one thread comes there: {only}"
        if contexts.is_startup(self._usr):
            yield STARTUP
        group = watched.groups.get(self._usr, ())
        if len(group) > 1:
            yield f"it is one of {len(group)} functions that call each other"

    # -- what is run there and written nowhere ----------------------------------------------------

    def _unwritten(self, statements: Sequence[f.Stmt]) -> Iterator[CallView]:
        """Constructors, destructors and callbacks: what runs in the line and is no call in it."""
        if not self._line:
            return
        written = {(s.line, s.column) for s in statements if isinstance(s, f.Call)}
        for call in self._engine.watched.followed.get(self._usr, ()):
            if call.site.line != self._line or call.site[1:3] in written:
                continue
            function = self._engine.program.functions[call.callee]
            name = self._names.function(call.callee)
            file = self._names.relative(function.file)
            candidate = Candidate(name, file, function.line, True, call.why)
            how = {"constructor": "an object is made", "destructor": "an object dies"}.get(
                function.kind, "it is run by what is called here"
            )
            yield CallView(f"{name}()", self._line, call.site.column, how, True, (candidate,))

    # -- what follows -----------------------------------------------------------------------------

    def _findings(self) -> Iterator[Said]:
        for finding in self._asked.findings:
            for each in unfold([finding]):
                way = self._way(each)
                same = each.fingerprint == finding.fingerprint
                if way:
                    yield Said(each, way, under="" if same else finding.message)
        for accepted in self._asked.accepted:
            way = self._way(accepted.finding)
            if way:
                by = f"accepted by {accepted.by} {accepted.place}".rstrip()
                by += f": {accepted.reason}" if accepted.reason else ""
                yield Said(accepted.finding, way, by)

    def _way(self, finding: Finding) -> tuple[Frame, ...]:
        """The chain of a finding that goes through here; empty where none does."""
        for p in finding.participants:
            taken = p.taken.chain if p.taken is not None else ()
            for chain in (taken, p.chain, *(h.chain for h in p.held)):
                if self._goes_through(chain):
                    return chain
        return ()

    def _dropped(self) -> Iterator[Candidacy]:
        for left in self._engine.watched.left_out:
            held, taken = self._names.chain(left.held.site), self._names.chain(left.taken.site)
            if self._goes_through((*held, *taken)):
                yield Candidacy(left.rule, left.why, left.locks, taken)
        for each in self._asked.evidence.dropped or ():
            if self._goes_through(each.chain):
                yield Candidacy(each.rule, each.why, each.locks, each.chain)
        for rule, what, site in self._engine.watched.alone:
            if rule and self._goes_through(self._names.chain(site)):
                why = (
                    f"{what} is called while main has no other thread: none yet, or all are joined"
                )
                yield Candidacy(rule, why, (), self._names.chain(site))
        yield from self._again()
        found = self._engine.found
        for pair in sorted(found.orders):
            signals = found.signals & set(pair)
            for emitted in found.orders[pair]:
                why = "a semaphore that others post is no lock, but a signal" if signals else ""
                if self._engine.contexts.is_startup(emitted.function):
                    why = STARTUP
                taken = self._names.chain(emitted.order.taken.site)
                if why and self._goes_through((*self._chain(emitted.order.held.site), *taken)):
                    yield Candidacy(ORDER, why, pair, taken)

    def _again(self) -> Iterator[Candidacy]:
        """Locks that are had twice, and may be."""
        for statement in self._statements():
            for visit in self._engine.watched.at(self._usr, statement):
                for state in visit.after:
                    seen: set[Holdable] = set()
                    for held in state.held:
                        twice = held.path in seen and held not in visit.before[0].held
                        seen.add(held.path)
                        if twice and self._engine.identities.reentrant(held.path):
                            locks = {x.lock for x in self._engine.identities.of(held.path)}
                            why = "its holder may take it again: it is a recursive lock"
                            chain = self._names.chain(held.site)
                            yield Candidacy(AGAIN, why, tuple(sorted(locks)), chain)

    def _chain(self, site: Site) -> tuple[Frame, ...]:
        return self._names.chain(site)

    # -- in short ---------------------------------------------------------------------------------

    def _answer(
        self,
        statements: Sequence[f.Stmt],
        reached: Sequence[ReachedView],
        calls: Sequence[CallView],
        orders: Sequence[OrderView],
        findings: Sequence[Said],
        dropped: Sequence[Candidacy],
    ) -> Iterator[str]:
        counted = [x for x in findings if not x.accepted]
        if counted:
            rules = sorted({x.finding.rule for x in counted})
            yield f"{_count(len(counted), 'finding')} through here: {', '.join(rules)}"
        else:
            accepted = len(findings)
            yield "no finding goes through here" + (
                f" that counts: {_count(accepted, 'accepted one')}" if accepted else ""
            )
        if not statements:
            yield "nothing that matters was read here"
        never = [r for r in reached if r.never]
        if self._line and never and len(never) == len(reached):
            yield f"no way comes here: {never[0].never}"
        elif never:
            yield f"never walked: {_count(len(never), 'part')} of it"
        if self._line and reached and not never:
            held = {h.lock for r in reached for s in r.states for h in s.held}
            around = {
                lock
                for context in self._engine.contexts.entry(self._usr)
                for lock in self._names.gates(context)
            }
            yield f"held here: {', '.join(sorted(held)) or 'nothing'}" + (
                f"; by callers: {', '.join(sorted(around))}" if around else ""
            )
        missing = [c for c in calls if c.missing]
        if missing:
            yield f"{_count(len(missing), 'call')} with no target: {_texts(missing)}"
        untold = [o for o in orders if not o.findings]
        if not orders and not counted:
            yield "no order between two locks starts, ends or passes here"
        for order in untold:
            yield f"order {order.held} -> {order.taken}: {'; '.join(order.dropped)}"
        for each in dropped:
            locks = f" of {' and '.join(each.locks)}" if each.locks else ""
            yield f"left out ({each.rule}{locks}): {each.why}"


def _coverage_of(known: FileCoverage) -> Iterator[str]:
    if known.reading:
        yield f"the file was read {known.reading}"
    if known.headers_missing:
        yield f"headers of the file that were not found: {', '.join(known.headers_missing)}"
    if known.errors:
        yield f"the compiler's front end has {_count(known.errors, 'error')} in the file"
    if known.filled:
        yield f"{_count(known.filled, 'call')} of the file read from the text alone"
    if known.inactive:
        yield f"{_count(known.inactive, 'call')} of the file in preprocessor branches that are off"
    if known.calls_seen < known.calls:
        yield f"{known.calls - known.calls_seen} of {known.calls} calls of the file were not seen"


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' if number != 1 else ''}"


def _texts(calls: Sequence[CallView]) -> str:
    texts = list(dict.fromkeys(f"{c.text} (line {c.line})" for c in calls))
    more = f" and {len(texts) - _NAMED} more" if len(texts) > _NAMED else ""
    return ", ".join(texts[:_NAMED]) + more
