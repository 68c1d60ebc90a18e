"""Locals that have the only reference to an object: whoever counts one reference is alone with it.

``if (input.use_count() == 1) rest.push_back(std::move(input));``, and then ``next =
std::move(rest.back())``: what is in ``rest``, and then in ``next``, nobody else has.  So things end
that would else end one inside the other.  A weak pointer that is asked meanwhile makes a second
reference; who counts takes it that there is none.

What goes into a local container is followed into the functions that it is handed to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lockorder.knowledge import Knowledge
from lockorder.knowledge.schema import Owner
from lockorder.static.parse import facts as f
from lockorder.static.program.companions import Companions
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import ELEMENT
from lockorder.static.program.written import is_given_another

#: Values that were moved where the only reference was counted: calls of ``std::move``, by number.
_Moved = frozenset[int]


class Sole:
    """Answers by function."""

    def __init__(self, program: Program, knowledge: Knowledge, companions: Companions) -> None:
        self._program = program
        self._knowledge = knowledge
        self._companions = companions
        self._owners: dict[str, Paths] = {}

    def owners(self, function: f.Function) -> Paths:
        """Places of *function* with the only references to what they point to.

        Nor does anybody have the bare address of such an object.
        """
        known = self._owners.get(function.usr)
        if known is None:
            known = self._owners[function.usr] = tuple(self._find(function))
        return known

    def _find(self, function: f.Function) -> Iterator[Path]:
        statements = f.walk(function.body)
        for local in [s for s in statements if isinstance(s, f.Local)]:
            spelling = self._program.type_of(local.usr)
            pointer = self._shared(spelling)
            if pointer is None or local.value is None or not self._is_alone(spelling):
                continue
            if is_given_another(statements, local.usr):
                continue
            source = self._moved(statements, local.value)
            if source is None:
                continue
            if isinstance(local.value, f.Result) and local.value.call in self._counted(function):
                yield Path.of_variable(local.usr)
                continue
            container = self._container(statements, source)
            if container and self._is_filled_so(function, container):
                yield Path.of_variable(local.usr)
                yield Path.of_variable(container).then(ELEMENT)

    def _shared(self, spelling: str) -> Owner | None:
        """What is known of a smart pointer's type, if such ones share and count."""
        owner = self._knowledge.owners.get(self._program.split(spelling)[0])
        return owner if owner is not None and owner.pointer and owner.shared else None

    def _is_alone(self, spelling: str) -> bool:
        arguments = self._program.split(spelling)[1]
        cls = self._program.split(arguments[0])[0] if arguments else ""
        return cls in self._program.classes and not self._companions.is_reached_bare(cls)

    # -- values -----------------------------------------------------------------------------------

    def _moved(self, statements: Sequence[f.Stmt], value: f.Value) -> f.Value | None:
        """What a value was moved out of."""
        for statement in statements:
            if isinstance(statement, f.Call) and value == f.Result(statement.id):
                moves = self._program.called(statement) in self._knowledge.moves
                return statement.args[0] if moves and len(statement.args) == 1 else None
        return None

    def _container(self, statements: Sequence[f.Stmt], value: f.Value) -> str:
        """The local container that a value is an element of; empty for any other value."""
        while isinstance(value, f.Elem):
            value = value.base
        for statement in statements:
            if isinstance(statement, f.Call) and value == f.Result(statement.id):
                base = statement.target.base if isinstance(statement.target, f.Fn) else None
                if self._program.method_called(statement) not in self._knowledge.element_methods:
                    return ""
                value = base if base is not None else value
                break
        if not isinstance(value, f.Var):
            return ""
        variable = self._program.variables.get(value.usr)
        local = variable is not None and variable.kind == "local"
        return value.usr if local and self._holds(self._program.type_of(value.usr)) else ""

    def _holds(self, spelling: str) -> Owner | None:
        owner = self._knowledge.owners.get(self._program.split(self._program.plain(spelling))[0])
        return owner if owner is not None and not owner.pointer and not owner.map else None

    # -- counting ---------------------------------------------------------------------------------

    def _counted(self, function: f.Function) -> _Moved:
        """Calls of ``std::move`` for what was found to have one reference just before."""
        return frozenset(self._counted_in(function.body, {}))

    def _counted_in(self, block: f.Block, counts: dict[int, f.Value]) -> Iterator[int]:
        for statement in block.body:
            if isinstance(statement, f.Call):
                target = statement.target
                base = target.base if isinstance(target, f.Fn) else None
                if base is not None and not statement.args and self._counts(statement):
                    counts[statement.id] = base
            elif isinstance(statement, f.If):
                for part, branch in ((statement.then, True), (statement.orelse, False)):
                    owner = _is_one(statement.cond, branch, counts)
                    if part is not None and owner is not None:
                        yield from self._first_move(part, owner)
            for part in f.parts(statement):
                yield from self._counted_in(part, counts)

    def _counts(self, call: f.Call) -> bool:
        cls, _, last = self._program.called(call).rpartition("::")
        owner = self._knowledge.owners.get(cls)
        return owner is not None and owner.shared and last in owner.counts

    def _first_move(self, block: f.Block, owner: f.Value) -> Iterator[int]:
        for statement in block.body:
            if isinstance(statement, f.Call) and owner in statement.args:
                if self._program.called(statement) in self._knowledge.moves:
                    yield statement.id
                return
            if any(v == owner for v in f.values(statement)) or any(f.parts(statement)):
                return

    # -- containers -------------------------------------------------------------------------------

    def _is_filled_so(self, function: f.Function, container: str) -> bool:
        """Whether all that goes into a local container has one reference, the one that goes in."""
        asked = [(function.usr, container)]
        for usr, name in asked:  # which grows meanwhile
            further = self._hands_on(self._program.functions[usr], name)
            if further is None:
                return False
            asked.extend(each for each in further if each not in asked)
        return True

    def _hands_on(self, function: f.Function, name: str) -> list[tuple[str, str]] | None:
        """Parameters that the container called *name* is handed on as.

        None where something else may get into it.
        """
        here = f.Var(name)
        owner = self._holds(self._program.type_of(name))
        further: list[tuple[str, str]] = []
        counted = self._counted(function)
        elements: set[int] = set()
        for statement in f.walk(function.body):
            if isinstance(statement, f.Local) and statement.usr == name:
                if not isinstance(statement.value, f.Made | None):
                    return None
                continue
            values = f.values(statement)
            if any(isinstance(v, f.Closure) for v in values) or owner is None:
                return None
            if isinstance(statement, f.Assign | f.Written):
                target = statement.target
                through = isinstance(target, f.Result) and target.call in elements
                if through or here in f.values(statement):
                    return None
            if here not in values:
                if isinstance(statement, f.Call) and _is_written(statement, elements):
                    return None
                continue
            if not isinstance(statement, f.Call) or not isinstance(statement.target, f.Fn):
                return None
            if statement.target.base == here:
                last = self._program.method_called(statement)
                if last in (*owner.makes, *owner.takes):
                    moved = [v.call for v in statement.args if isinstance(v, f.Result)]
                    if len(statement.args) != 1 or not counted.issuperset(moved) or not moved:
                        return None
                elif here in statement.args or statement.args:
                    return None
                elements.add(statement.id)
                continue
            bodies = self._program.body_of(statement.target.usr)
            places = [i for i, v in enumerate(statement.args) if v == here]
            if len(bodies) != 1 or statement.virtual or len(places) != 1:
                return None
            params = self._program.functions[bodies[0]].params
            if places[0] >= len(params):
                return None
            further.append((bodies[0], params[places[0]]))
        return further


def _is_one(cond: f.Value | None, truth: bool, counts: dict[int, f.Value]) -> f.Value | None:
    """The owner of which *cond* being *truth* says that it has the only reference."""
    if isinstance(cond, f.Not):
        return _is_one(cond.value, not truth, counts)
    if isinstance(cond, f.Both) and cond.either != truth:
        return _is_one(cond.left, truth, counts) or _is_one(cond.right, truth, counts)
    if not isinstance(cond, f.Compare) or cond.equal != truth:
        return None
    for one, other in ((cond.left, cond.right), (cond.right, cond.left)):
        if isinstance(one, f.Result) and isinstance(other, f.Lit) and other.text == "1":
            return counts.get(one.call)
    return None


def _is_written(call: f.Call, elements: set[int]) -> bool:
    """Whether a call assigns to an element of the container."""
    base = call.target.base if isinstance(call.target, f.Fn) else None
    return isinstance(base, f.Result) and base.call in elements
