"""Constant texts that decide what functions do: ``make("zmq")`` and ``if (kind == "zmq")``.

A parameter that is compared with constant texts, or handed on as such a parameter, is a choice as a
number is.  Comparisons of it become conditions on it, and calls give it the text that they have.
Other texts stay unknown: nothing depends on them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec

from lockorder.static.parse import facts as f
from lockorder.static.program.link import Program
from lockorder.static.program.written import is_given_another

#: How types of texts end that nobody changes by the parameter.
_CHARACTERS = ("const char *", "const char *const")
_ZERO = ("Lit", "0")


class _Compared(NamedTuple):
    """A parameter and the text it is compared with; what the call returns if they are alike."""

    parameter: str
    text: str
    alike: bool


def decide(program: Program) -> None:
    """Put comparisons with texts, and the texts that calls give, into the facts of *program*."""
    chosen: dict[str, None] = {}
    for function in program.functions.values():
        compared = _comparisons(program, function)
        if compared:
            chosen.update((c.parameter, None) for c in compared.values())
            function.body = _with_conditions(function.body, compared)
    if not chosen:
        return
    calls = [
        (function, call, {s.id: s for s in statements if isinstance(s, f.Make)})
        for function in program.functions.values()
        for statements in (f.walk(function.body),)
        for call in statements
        if isinstance(call, f.Call) and isinstance(call.target, f.Fn) and call.args
    ]
    changed = True
    while changed:  # who hands a parameter on leaves the choice to its callers
        changed = False
        for function, call, makes in calls:
            for at, parameter in enumerate(_parameters(program, call)):
                given = _text_in(program, call.args[at], makes)
                own = given is not None and given in function.params and given not in chosen
                if own and given and parameter in chosen and _is_text(program, function, given):
                    chosen[given] = None
                    changed = True
    program.text_choices = frozenset(chosen)
    for _, call, makes in calls:
        for at, parameter in enumerate(_parameters(program, call)):
            if parameter not in chosen:
                continue
            given = _text_in(program, call.args[at], makes)
            if given in chosen:
                call.args[at] = f.Var(given)
            elif at < len(call.texts) and call.texts[at]:
                call.args[at] = f.Lit(call.texts[at])


def _parameters(program: Program, call: f.Call) -> list[str]:
    """The parameters of the one body of a call, for each argument."""
    assert isinstance(call.target, f.Fn)
    bodies = program.body_of(call.target.usr)
    return program.functions[bodies[0]].params[: len(call.args)] if len(bodies) == 1 else []


def _text_in(program: Program, value: f.Value, makes: dict[int, f.Make]) -> str | None:
    """The variable whose text an argument is, or of which a library makes the argument."""
    if isinstance(value, f.Made) and value.make in makes:
        made = makes[value.make]
        if not made.args or made.heap or made.ctor in program.functions:
            return None
        value = made.args[0]
    return value.usr if isinstance(value, f.Var) else None


def _comparisons(program: Program, function: f.Function) -> dict[int, _Compared]:
    """By call: a parameter of *function* compared with a text, and what it is if they are alike."""
    found: dict[int, _Compared] = {}
    for call in f.walk(function.body):
        if not isinstance(call, f.Call) or not any(call.texts) or not isinstance(call.target, f.Fn):
            continue
        told = program.knowledge.compared_texts.get(program.called(call))
        if told is None or program.body_of(call.target.usr):
            continue
        sides = [(a, t) for a, t in zip(call.args, call.texts, strict=False)]
        if call.target.base is not None:
            sides.insert(0, (call.target.base, ""))
        texts = [t for _, t in sides if t]
        others = [v.usr for v, t in sides if not t and isinstance(v, f.Var)]
        if len(sides) != 2 or len(texts) != 1 or len(others) != 1:
            continue
        if others[0] in function.params and _is_text(program, function, others[0]):
            found[call.id] = _Compared(others[0], texts[0], told)
    return found


def _is_text(program: Program, function: f.Function, parameter: str) -> bool:
    """Whether a parameter is a text that the function does not change."""
    spelling = program.type_of(parameter)
    refers = spelling.startswith("const ") and spelling.endswith("&")
    if not refers and spelling not in _CHARACTERS:
        return False
    return not is_given_another(f.walk(function.body), parameter)


def _with_conditions(body: f.Block, compared: dict[int, _Compared]) -> f.Block:
    """*body* with the conditions for what the calls return."""

    def condition(number: int, truth: bool) -> Any:
        parameter, text, alike = compared[number]
        same = f.Compare(f.Var(parameter), f.Lit(text), alike is truth)
        return msgspec.to_builtins(same)

    def change(value: Any) -> Any:
        if not isinstance(value, (list, tuple)):
            return value
        kind = value[0] if value else ""
        if kind == "Compare":
            for side, other in ((value[1], value[2]), (value[2], value[1])):
                if _call_of(side) in compared and tuple(other) == _ZERO:  # of what orders
                    equal = value[3] if len(value) > 3 else True
                    return condition(side[1], not equal)
        if kind in ("Less", "Op", "Compare"):  # where it is no truth
            return [v if _call_of(v) is not None else change(v) for v in value]
        number = _call_of(value)
        if number in compared:
            return condition(value[1], True)
        return [change(v) for v in value]

    return msgspec.convert(change(msgspec.to_builtins(body)), f.Block)


def _call_of(value: Any) -> int | None:
    """The number of the call whose result a value is."""
    known = isinstance(value, (list, tuple)) and len(value) == 2 and value[0] == "Result"
    return value[1] if known else None
