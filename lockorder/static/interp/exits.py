"""The end of the program, by a call: destructors of globals run with what is held there.

A call of ``exit`` is recorded as a wait that waits for nobody, so that it reaches those who hold a
lock around it.  What the destructors take is known when all functions are ([basic.start.term]).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.knowledge import Knowledge
from lockorder.model import Certainty, How, Mode
from lockorder.static.interp.collected import SelfLock
from lockorder.static.interp.frame import appended
from lockorder.static.interp.summary import Order, Taken
from lockorder.static.interp.values import number_truth
from lockorder.static.interp.whole_program import WholeProgram
from lockorder.static.program.effects import Effect, Wait
from lockorder.static.program.paths import Path, Paths

#: Why what happens at the end of the program counts little.
FAILED = "it happens only where the program has failed, and ends"
_ANOTHER = "the object that ends with the program may be another one of its class"


def how_sure(knowledge: Knowledge, name: str, args: Sequence[Paths]) -> tuple[Certainty, str]:
    """How much what the function *name* runs counts: a program that has failed is lost anyway."""
    status = knowledge.exits.get(name)
    given = args[status] if status is not None and status < len(args) else ()
    failed = bool(given) and all(number_truth(p.literal) is True for p in given)
    return (Certainty.GUESSED, FAILED) if failed else (Certainty.CERTAIN, "")


def tell(engine: WholeProgram) -> None:
    """Note what destructors of globals take while a lock is held around the end of the program."""
    found = engine.found
    ends = sorted(key for key in found.blocked if _is_exit(engine, key[1]))
    taken = list(_taken(engine)) if ends else []
    for key in ends:
        for emitted in found.blocked.pop(key):
            for each in taken:
                _tell(engine, key[0], emitted.function, emitted.order, each)


def _tell(engine: WholeProgram, lock: str, usr: str, order: Order, taken: Taken) -> None:
    least = min(taken, order.taken, key=lambda t: t.certainty)
    moved = taken._replace(
        site=appended(order.taken.site, taken.site), needs=order.taken.needs,
        inside=order.taken.inside, certainty=least.certainty, why=least.why,
    )  # fmt: skip
    if all(i.lock != lock for i in engine.identities.of(taken.path)):
        engine.found.order(engine.program.functions[usr], Order(order.held, moved, order.gates))
        return
    if engine.identities.locks[lock].kind.reentrant:
        return
    if Mode.EXCLUSIVE not in (order.held.mode, taken.mode):
        return
    if order.held.path != taken.path and not engine.found.is_single(order.held.lock, taken.lock):
        certainty = min(Certainty.POSSIBLE, moved.certainty)
        moved = moved._replace(certainty=certainty, why=moved.why or _ANOTHER)
    engine.found.keep_self_lock(lock, SelfLock(usr, order.held, moved))


def _is_exit(engine: WholeProgram, what: Effect) -> bool:
    return isinstance(what, Wait) and what.name in engine.knowledge.exits


def _taken(engine: WholeProgram) -> Iterator[Taken]:
    """What the ends of all globals take, in terms of these; the program ends only once."""
    for usr in sorted(engine.program.variables):
        variable = engine.program.variables[usr]
        if variable.kind not in ("global", "static", "member") or usr in engine.identities.vacant:
            continue
        for body in engine.lifetimes.destroyed(variable.type):
            own = engine.program.functions.get(body)
            if own is None:
                continue
            mine = own.cls == engine.program.split(variable.type)[0]
            for variants in engine.summary(body).taken.values():
                for taken in variants:
                    ends = _is_exit(engine, taken.path)
                    if taken.how is How.BLOCKING and not ends:
                        site = engine.handed_on.whole(body, taken)
                        path = _of(usr, body, taken.path) if mine else taken.path
                        yield taken._replace(path=path, site=site)


def _of(usr: str, body: str, path: Effect) -> Effect:
    """The destructor's *path* where it ends the variable *usr*."""
    if isinstance(path, Path) and path.is_this and path.method == body:
        return Path(Path.of_variable(usr).root, path.steps)
    return path
