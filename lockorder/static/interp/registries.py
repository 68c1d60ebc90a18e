"""Callables that a library keeps and runs later, where somebody declared which of its functions do.

``[[callback]]`` of the knowledge names who registers and who runs.  What was registered flows to
one node of the points-to graph for each such table, whatever object it was registered with.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lockorder.knowledge.schema import Callback
from lockorder.model import Certainty, Mode
from lockorder.static.interp import waiting
from lockorder.static.interp.apply import call_callables
from lockorder.static.interp.summary import Site, State
from lockorder.static.program import roots
from lockorder.static.program.paths import UNKNOWN, Path
from lockorder.static.program.pointsto import REGISTRY

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk
    from lockorder.static.interp.whole_program import WholeProgram


def run(
    act: Walk,
    state: State,
    name: str,
    site: Site,
    doubt: tuple[Certainty, str] = (Certainty.CERTAIN, ""),
) -> None:
    """*name* runs what was registered, in *state*; what that does to locks is recorded.

    How it leaves them is not followed: what a library calls gives back what it takes.
    """
    for number in act.knowledge.runs[name]:
        kept = (Path(roots.Registry(str(number))),)
        holds = act.knowledge.callbacks[number].holds
        if holds:
            lock = (Path.of_named(holds),)
            waiting.under(act, state, lock, Mode.EXCLUSIVE, kept, (), site)
        else:
            call_callables(act, state, kept, (), UNKNOWN, site, doubt=doubt)


def register(act: Walk, name: str, site: Site) -> None:
    """*name* is handed callables, which the points-to graph has; a library's thread may run."""
    if any(act.knowledge.callbacks[n].thread for n in act.knowledge.registers[name]):
        act.engine.spawn(act.function, (), (), site)


def on_threads(engine: WholeProgram) -> Iterator[tuple[str, Callback, Sequence[str]]]:
    """What threads of libraries run, by the node and the table that say so."""
    for number, callback in enumerate(engine.knowledge.callbacks):
        if callback.thread:
            node = f"{REGISTRY}{number}"
            yield node, callback, engine.points_to.functions(node)
