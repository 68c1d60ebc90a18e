"""Calls of functions that have no body here: what they hand on, start and run."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from lockorder.static.interp import ended, locking, misuse, objects, unseen
from lockorder.static.interp.apply import call_callables
from lockorder.static.interp.callees import callables_of
from lockorder.static.interp.summary import Site, State
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Variable
from lockorder.static.parse.number_types import is_named_number
from lockorder.static.program.indexes import INDEXING
from lockorder.static.program.paths import UNKNOWN, Path, Paths, element
from lockorder.static.program.steps import ELEMENT, Element, Got

if TYPE_CHECKING:
    from lockorder.static.interp.walking import Walk


def outside(
    act: Walk,
    state: State,
    name: str,
    base: Paths,
    args: Sequence[Paths],
    result: Path,
    site: Site,
) -> list[State]:
    """A function without a body: hand on objects, start threads, run callables."""
    k = act.knowledge
    if not state.held:
        state = unseen.elsewhere(act, state)
    memory = k.memory_ends.get(name)
    if memory is not None and memory < len(args):
        return [misuse.freed(act, state, args[memory], site).with_value(result, ())]
    act.engine.found.hand_out(*base, *(p for a in args for p in a))
    _cls, _, method = name.rpartition("::")
    if state.held and args and not k.is_standard(name):
        state = locking.handed_out(act, state, args)
    callables = callables_of(act, args)
    if callables and not k.is_standard(name):
        act.engine.alone = act.engine.main_parts.may_be_alone = False  # who knows what runs them
    if _runs_later(act, name, args):
        # By the same thread, somewhere later; what that holds then is not followed.
        call_callables(act, state.but(held=()), callables, (), UNKNOWN, site)
        return [state.with_value(result, ())]
    if name in k.starters:
        handed = next((i + 1 for i, a in enumerate(args) if set(a) & set(callables)), 0)
        number = k.handles.get(name)
        ran = act.engine.started_by.setdefault(name, {})
        places = {act.engine.node_of(p) or act.declaration(p) for a in args[:1] for p in a}
        for path in callables:
            ran.setdefault(path.function, set()).update(places - {""})
        stands = args[number] if number is not None and number < len(args) else (result,)
        act.engine.spawn(
            act.function, callables, args[handed:], site, stands[0] if stands else None
        )
        return [objects.started(act, ended.anew(state), name, result)]
    if name in k.same_functions:
        return [state.with_value(result, args[0] if args else ())]
    if base and base != (UNKNOWN,):
        # A wrapper's conversion (of atomic<T*>, reference_wrapper<T>) is what it holds.
        converts = method.startswith("operator ") and _cls in k.same_types
        if method in k.same_methods or converts:
            inside = method not in k.asks and _holds_a_number(act, _cls, base)
            return [state.with_value(result, () if inside else base)]
        if method in k.element_methods:
            step = element(args[0]) if args and method in INDEXING else ELEMENT
            return [state.with_value(result, tuple(p.then(step) for p in base))]
    compares = name.rpartition("::")[2].startswith("operator")
    algorithm = not base or (method == "operator()" and is_of_library(act, base))
    if algorithm and callables and name not in k.keepers and (base or not compares):
        # Algorithms and their like call back before they return.
        if not k.is_standard(name):
            act.engine.escape(_kept_by_others(act, callables))
        given = _generic(act, callables[0], args) if len(callables) == 1 else ()
        return call_callables(act, state, callables, given, result, site)
    if base:
        act.engine.escape(callables)
        return [state.with_value(result, tuple(p.then(Got(method)) for p in base))]
    return [state.with_value(result, (Path.of_call(name),) if name and not args else ())]


def _kept_by_others(act: Walk, callables: Paths) -> Paths:
    """Plain functions: who is handed one may keep it, and call it at any time with nothing held.

    A lambda that has something of the function around it, or an object, goes to a template, which
    works with it at once.
    """
    return tuple(p for p in callables if p.is_function and _is_plain(act, p.function))


def _is_plain(act: Walk, usr: str) -> bool:
    function = act.program.functions.get(usr)
    if function is None or function.kind != "lambda":
        return function is not None
    own = {usr, ""}
    variables = act.program.variables
    for value in (v for s in f.walk(function.body) for v in f.values(s)):
        known = variables.get(value.usr) if isinstance(value, f.Var) else None
        if isinstance(value, f.This | f.Closure) or (
            known is not None and _lies_around(known, own)
        ):
            return False
    return not function.captures


def _lies_around(variable: Variable, own: Collection[str]) -> bool:
    """Whether a variable is a local of another function."""
    return variable.kind in ("local", "param") and variable.owner not in own


def _generic(act: Walk, called: Path, args: Sequence[Paths]) -> list[Paths]:
    """What a generic lambda is given by an algorithm: the parts of a variant or of a tuple.

    Of several variants each has a parameter of its own; so have the parts of one tuple.  Parameters
    with types of their own need nothing: whatever they are given has that type.
    """
    function = act.program.functions.get(called.function)
    types = [act.program.type_of(p) for p in function.params] if function is not None else []
    if not any("auto" in t for t in types):
        return []
    parts = [_parts(act, a) for a in args if called not in a]
    if not all(parts):
        return []
    if len(parts) == len(types):
        return [tuple(each) for each in parts]
    return [(each,) for each in parts[0]] if len(parts) == 1 else []


def _parts(act: Walk, given: Paths) -> list[Path]:
    """The alternatives of a variant, or the parts of a tuple."""
    if len(given) != 1:
        return []
    name, arguments = act.program.split(act.program.plain(act.identities.type_of(given[0])))
    if not act.knowledge.is_tuple(name):
        return []
    return [given[0].then(Element(str(n))) for n in range(len(arguments))]


def is_of_library(act: Walk, base: Paths) -> bool:
    """Whether *base* is an object that the standard library declares (``std::ranges::sort``)."""
    own = (p.is_variable and not p.steps and act.program.is_standard(p.variable) for p in base)
    return bool(base) and all(own)


def _runs_later(act: Walk, name: str, args: Sequence[Paths]) -> bool:
    """Whether a function that starts threads is told to leave that to who asks for the result."""
    told = act.knowledge.runs_later.get(name, "")
    first = args[0] if told and args else ()
    return bool(first) and all(p.is_literal and p.literal_name == told for p in first)


def _holds_a_number(act: Walk, cls: str, base: Paths) -> bool:
    """Whether *base* is an optional of the class *cls* for a number.

    It is known by one name, which says whether the number is there, and not what it is.
    """
    if not act.knowledge.is_single(cls):
        return False
    of = act.program.split(act.identities.type_of(base[0]))[1]
    return bool(of) and (is_named_number(of[0]) or of[0] in act.program.enums)
