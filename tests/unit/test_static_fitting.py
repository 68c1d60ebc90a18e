"""Calls through tables of functions: what works on another kind of structure is not called."""

from __future__ import annotations

from lockorder.static.interp import parts
from lockorder.static.interp.known import IsPart
from walks import Walking, walking

TEXT = """
#define of(p, T, m) ((T *)((char *)(p) - __builtin_offsetof(T, m)))
struct base;
struct ops { void (*close)(base *); };
struct base { const ops *table; };
struct wide { int a; base inw; std::mutex mutex; };
struct narrow { int b; base inn; std::mutex mutex; };
void close_wide(base *p) { wide *w = of(p, wide, inw); w->mutex.lock(); }
void close_narrow(base *p) { narrow *n = of(p, narrow, inn); n->mutex.lock(); }
void close_any(base *p) { p->table = nullptr; }
wide w; narrow n; base alone;
void f(base *p, wide *q) { close_any(p); }
"""


def fitting(here: Walking, *arguments: str) -> list[str]:
    """Which of the three functions can be called on what these names are."""
    targets = [here.usr(t) for t in ("close_wide", "close_narrow", "close_any")]
    found = parts.fitting(here.walk, targets, [here.all(a) for a in arguments])
    return [here.program.functions[u].name for u in found]


def wanted(here: Walking, target: str, *others: str, on: str = "p") -> list[IsPart]:
    """What must be so for a call of *target*, one of these."""
    targets = [here.usr(t) for t in (target, *others)]
    return parts.wanted(here.walk, targets[0], targets, [here.all(on)])


def test_a_part_of_one_structure_is_none_of_another() -> None:
    here = walking(TEXT)
    assert fitting(here, "w.inw") == ["close_wide", "close_any"]
    assert fitting(here, "n.inn") == ["close_narrow", "close_any"]
    assert fitting(here, "q.inw") == ["close_wide", "close_any"]


def test_what_is_a_part_of_nothing_is_only_itself() -> None:
    assert fitting(walking(TEXT), "alone") == ["close_any"]


def test_of_a_parameter_all_may_be_meant() -> None:
    assert fitting(walking(TEXT), "p") == ["close_wide", "close_narrow", "close_any"]


def test_one_of_several_objects_is_enough() -> None:
    here = walking(TEXT)
    targets = [here.usr("close_wide"), here.usr("close_narrow")]
    both = [here.all("w.inw", "alone")]
    assert parts.fitting(here.walk, targets, both) == targets[:1]


def test_the_only_function_is_called_on_everything() -> None:
    here = walking(TEXT)
    only = [here.usr("close_wide")]
    assert parts.fitting(here.walk, only, [here.all("n.inn")]) == only


def test_nothing_is_asked_of_arguments_that_nobody_knows() -> None:
    here = walking(TEXT)
    targets = [here.usr("close_wide"), here.usr("close_narrow")]
    assert parts.fitting(here.walk, targets, [()]) == targets


def test_callers_are_asked_which_kind_their_object_is() -> None:
    here = walking(TEXT)
    asked = wanted(here, "close_wide", "close_narrow")
    assert asked == [IsPart(here.at("p"), (here.field("inw"),))]
    asked = wanted(here, "close_narrow", "close_wide")
    assert asked == [IsPart(here.at("p"), (here.field("inn"),))]


def test_nobody_is_asked_what_all_targets_want_or_what_is_known() -> None:
    here = walking(TEXT)
    assert wanted(here, "close_wide") == []
    assert wanted(here, "close_any", "close_wide") == []
    assert wanted(here, "close_wide", "close_narrow", on="w.inw") == []
