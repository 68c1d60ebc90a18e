"""Answers of ``lockorder debug`` as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.text import Text

from lockorder.model import Certainty, Frame, How, Mode
from lockorder.report.excerpts import Excerpts
from lockorder.report.text import printable
from lockorder.static.inspection.view import (
    CallView,
    Effect,
    FunctionFacts,
    FunctionSummary,
    Looked,
    OrderView,
    PlaceView,
    ReachedView,
    ShownBy,
    StateView,
    WayOut,
)

_BELOW = {
    Certainty.POSSIBLE: "one of several possible targets on the way",
    Certainty.GUESSED: "joined by name alone on the way",
    Certainty.SELDOM: "the end of what several owners share on the way",
    Certainty.UNLIKELY: "one of many possible targets on the way",
}


def write(looked: Looked, excerpts: Excerpts, console: Console) -> None:
    """Print one answer to *console*."""
    report = _Report(excerpts, console, looked.line)
    for facts in looked.facts:
        report.facts(facts)
    for summary in looked.summaries:
        report.summary(summary)
    for place in looked.places:
        report.place(place)
    if looked.question == "orders":
        report.all_orders(looked.orders)


class _Report:
    def __init__(self, excerpts: Excerpts, console: Console, line: int) -> None:
        self._excerpts = excerpts
        self._console = console
        self._line = line

    def _print(self, depth: int, text: str, style: str = "") -> None:
        line = Text(f"{'  ' * depth}{printable(text)}", style)
        self._console.print(line, soft_wrap=True, highlight=False, markup=False, emoji=False)

    def _at(self, frame: Frame) -> str:
        if not frame.file:
            return frame.function
        return f"{self._excerpts.shown(frame.file)}:{frame.line} in {frame.function}"

    def _chain(self, depth: int, chain: Iterable[Frame]) -> None:
        for number, frame in enumerate(chain):
            self._print(depth + number, f"{'-> ' if number else ''}{self._at(frame)}", "cyan")

    def _list(self, depth: int, title: str, texts: Iterable[str]) -> None:
        texts = list(texts)
        if texts:
            self._print(depth, title, "bold")
        for text in texts:
            self._print(depth + 1, text)

    # -- facts ------------------------------------------------------------------------------------

    def facts(self, facts: FunctionFacts) -> None:
        """A function as it was read, with the line that was asked about marked."""
        place = f"{self._excerpts.shown(facts.file)}:{facts.line}-{facts.end}"
        self._print(0, f"{facts.kind} {facts.name} ({place})", "bold")
        if facts.inside:
            self._print(1, f"inside {facts.inside}")
        if facts.overrides:
            self._print(1, f"overrides {', '.join(facts.overrides)}")
        if facts.reading:
            self._print(1, f"read {facts.reading}")
        for what, declared in (("parameter", facts.parameters), ("local", facts.locals)):
            for each in declared:
                self._print(1, f"{what} {each.name}: {each.type or 'type not known'}")
        width = len(str(facts.end))
        for step in facts.body:
            line = str(step.line) if step.line else ""
            mark = ">" if step.line and step.line == self._line else " "
            text = f"{mark} {line:>{width}}  {'  ' * step.depth}{step.text}"
            self._print(0, text, "bold" if mark == ">" else "")
        if not facts.body:
            self._print(1, "nothing in its body matters: no call, object, assignment or jump")

    # -- summaries --------------------------------------------------------------------------------

    def summary(self, summary: FunctionSummary) -> None:
        """What a function does to locks."""
        place = f"{self._excerpts.shown(summary.file)}:{summary.line}"
        self._print(0, f"{summary.name} ({place})", "bold")
        self._list(1, "solved together with functions that call each other:", summary.group)
        for effect in summary.takes:
            self._print(1, f"takes {_lock(effect)}{_how(effect.mode, effect.how)}", "bold")
            self._more(2, effect)
        for effect in summary.waits:
            self._print(1, f"waits in {effect.lock}{_how(Mode.EXCLUSIVE, effect.how)}", "bold")
            self._more(2, effect)
        for order in summary.orders:
            who = "; a caller names its locks" if order.open else ""
            self._print(1, f"order {_lock(order.held)} -> {_lock(order.taken)}{who}", "bold")
            self._more(2, order.held, "held")
            self._more(2, order.taken, "taken")
            if order.gates:
                self._print(2, f"with {', '.join(order.gates)} held as well")
        for call in summary.calls_back:
            held = f" with {', '.join(call.held)} held" if call.held else ""
            self._print(1, f"calls {call.what}, which a caller hands in,{held or ' nothing held'}")
            self._chain(2, call.chain)
        for number, way in enumerate(summary.ways_out, 1):
            self._way(number, way)
        if not summary.ends:
            self._print(1, "never comes back")
        self._list(1, "cut short here:", summary.bounds)

    def _more(self, depth: int, effect: Effect, title: str = "") -> None:
        if title:
            self._print(depth, f"{title}{_how(effect.mode, effect.how)} at")
            depth += 1
        self._chain(depth, effect.chain)
        for text, names in (
            ("under", effect.under),
            ("after the caller's was given up:", effect.given_up),
            ("only if", effect.only_if),
        ):
            if names:
                self._print(depth, f"{text} {', '.join(names)}")
        why = effect.why or _BELOW.get(effect.certainty, "")
        if why:
            self._print(depth, f"certainty {effect.certainty} of 3: {why}")

    def _way(self, number: int, way: WayOut) -> None:
        value = f" {way.returns}" if way.returns else ""
        keeps = ", ".join(_lock(k) for k in way.keeps) or "nothing"
        self._print(1, f"way out {number}: {way.how}{value}, keeps {keeps}", "bold")
        for kept in way.keeps:
            self._more(2, kept)
        if way.gives_up:
            self._print(2, f"gives up the caller's {', '.join(way.gives_up)}")
        if way.guard:
            self._print(2, f"returns {way.guard}")
        for text in way.means:
            self._print(2, text)

    # -- orders -----------------------------------------------------------------------------------

    def all_orders(self, orders: Iterable[OrderView]) -> None:
        """Orders, or that there are none."""
        orders = list(orders)
        for order in orders:
            self._order(0, order)
        if not orders:
            self._print(0, "no order between two locks goes through here")

    def _order(self, depth: int, order: OrderView) -> None:
        self._print(depth, f"{order.held} -> {order.taken}", "bold")
        for shown in order.shown_by:
            self._shown(depth + 1, shown)
        if order.further:
            places = "place shows" if order.further == 1 else "places show"
            self._print(depth + 1, f"{order.further} more {places} it")
        for text in order.findings:
            self._print(depth + 1, f"told by {text}", "yellow")
        for text in order.dropped:
            self._print(depth + 1, f"no finding: {text}", "green")

    def _shown(self, depth: int, shown: ShownBy) -> None:
        self._print(depth, f"held{_how(shown.held_mode, How.BLOCKING)} at")
        self._chain(depth + 1, shown.held)
        self._print(depth, f"taken{_how(shown.mode, shown.how)} at")
        self._chain(depth + 1, shown.taken)
        if shown.gates:
            self._print(depth, f"meanwhile held: {', '.join(sorted(g.lock for g in shown.gates))}")
        if shown.thread:
            self._print(depth, f"only by {shown.thread}")
        why = shown.why or _BELOW.get(shown.certainty, "")
        if why:
            self._print(depth, f"certainty {shown.certainty} of 3: {why}")

    # -- one place --------------------------------------------------------------------------------

    def place(self, place: PlaceView) -> None:
        """Why a place has a finding, or none: in short first."""
        where = f"{self._excerpts.shown(place.file)}:{place.line}"
        self._print(0, f"{where} in {place.name}", "bold")
        source = self._excerpts.line(place.file, place.line).strip()
        if source:
            self._print(1, f"| {source}", "dim")
        self._list(0, "in short", place.answer)
        self._list(0, "read", place.read)
        self._list(0, "entered", place.entered)
        if place.reached:
            self._print(0, "walked", "bold")
        for reached in place.reached:
            self._reached(reached)
        if place.calls:
            self._print(0, "calls", "bold")
        for same in _alike(place.calls):
            self._calls(same)
        if place.orders:
            self._print(0, "orders", "bold")
        for order in place.orders:
            self._order(1, order)
        if place.findings:
            self._print(0, "findings", "bold")
        for said in place.findings:
            found = said.finding
            tail = f"; {said.accepted}" if said.accepted else ""
            tail += f"; told with: {said.under}" if said.under else ""
            text = f"{found.level.value}: {found.message} [{found.rule}], {found.confidence.value}"
            self._print(1, text + tail, "yellow")
            self._chain(2, said.way)
        if place.dropped:
            self._print(0, "left out", "bold")
        for each in place.dropped:
            locks = f" of {', '.join(each.locks)}" if each.locks else ""
            self._print(1, f"{each.rule}{locks}: {each.why}", "green")
            self._chain(2, each.chain)
        self._list(0, "cut short on the way (bounds)", place.bounds)

    def _reached(self, reached: ReachedView) -> None:
        line = f"{reached.line}  " if reached.line else ""
        self._print(1, f"{line}{reached.text}")
        if reached.never:
            self._print(2, f"never: {reached.never}", "red")
        for number, state in enumerate(reached.states, 1):
            self._state(f"way {number}: " if len(reached.states) > 1 else "", state)

    def _state(self, title: str, state: StateView) -> None:
        held = ", ".join(f"{h.lock}{_how(h.mode, h.how)}" for h in state.held)
        self._print(2, f"{title}{f'{held} held' if held else 'nothing held'}")
        for each in state.held:
            self._print(3, f"{each.lock} from")
            self._chain(4, each.chain)
        if state.given_up:
            self._print(3, f"the caller's, given up: {', '.join(state.given_up)}")
        if state.known:
            self._print(3, f"known: {', '.join(state.known)}")

    def _calls(self, calls: Sequence[CallView]) -> None:
        """Calls of which the same is told."""
        call = calls[0]
        state = "" if call.resolved else ": not resolved" if call.walked else ": never walked"
        texts = ", ".join(dict.fromkeys(f"{c.line}  {c.text}" for c in calls))
        self._print(1, f"{texts}{state}", "" if call.resolved else "red")
        self._print(2, f"how: {call.how}")
        for text in call.known:
            self._print(2, f"known: {text}")
        for each in call.candidates:
            verb = "followed" if each.followed else "not followed"
            place = f" ({self._excerpts.shown(each.file)}:{each.line})" if each.file else ""
            why = f": {each.why}" if each.why else ""
            self._print(2, f"{verb}: {each.function}{place}{why}")
        if call.missing:
            self._print(2, f"missing: {call.missing}", "red")


def _alike(calls: Iterable[CallView]) -> Iterable[list[CallView]]:
    """Calls of which the same is told, together."""
    found: dict[object, list[CallView]] = {}
    for call in calls:
        same = (call.how, call.missing, call.resolved, call.walked, call.known, call.candidates)
        found.setdefault(same, []).append(call)
    return found.values()


def _lock(effect: Effect) -> str:
    """A lock as the function names it, and what it is called in reports."""
    ids = " or ".join(effect.locks)
    if not ids:
        return f"{effect.lock} (a caller knows which)"
    return effect.lock if ids == effect.lock else f"{effect.lock} ({ids})"


def _how(mode: Mode, how: How) -> str:
    notes = [mode.value] if mode is Mode.SHARED else []
    notes += [how.value] if how is not How.BLOCKING else []
    return f" ({', '.join(notes)})" if notes else ""
