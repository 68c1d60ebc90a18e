"""Paths, and what is none: each is made as it says of itself, and of nothing else."""

from __future__ import annotations

import itertools
import pickle
from typing import get_args

import pytest

from lockorder.static.program import roots, steps
from lockorder.static.program.effects import Effect, Group, Issued, Wait, What
from lockorder.static.program.interned import Interned
from lockorder.static.program.paths import ENTRY, RETURNED, UNKNOWN, Path
from lockorder.static.program.roots import Root
from lockorder.static.program.steps import Step, Steps

MADE: dict[type[Root], Path] = {
    roots.Variable: Path.of_variable("c:@x", ("c:@m",)),
    roots.This: Path.of_this("c:@S@A@F@f#", ("c:@m",)),
    roots.Function: Path.of_function("c:@F@f#"),
    roots.Literal: Path.of_literal("nullptr"),
    roots.Made: Path.of_made("c:@F@f:g#", "r3"),
    roots.Returned: Path.of_call("ns::current"),
    roots.Result: RETURNED,
    roots.Entry: ENTRY,
    roots.Named: Path.of_named("Python GIL"),
    roots.Initialiser: Path(roots.Initialiser("c:@x")),
    roots.Holds: Path(roots.Holds("Python GIL")),
    roots.Saved: Path(roots.Saved("lock:Python GIL")),
    roots.Registry: Path(roots.Registry("0")),
    roots.Unknown: UNKNOWN,
}
STEPS: dict[type[Step], tuple[Step, str]] = {
    str: ("c:@m", "c:@m"),
    steps.Element: (steps.Element("3"), "[3]"),
    steps.ElementBy: (steps.ElementBy("c:@i"), "[@c:@i]"),
    steps.Whole: (steps.Whole("c:@m"), "^c:@m"),
    steps.Masked: (steps.Masked.of(-1, 4), "&-1|4"),
    steps.Locks: (steps.GUARDED, "*guard"),
    steps.Method: (steps.Method("lock"), "*method:lock"),
    steps.Got: (steps.Got("get"), "get()"),
    steps.Out: (steps.Out("1"), "*out1"),
    steps.Ends: (steps.Ends("Back"), "~Back"),
    steps.Somewhere: (steps.SOMEWHERE, "..."),
}


def test_every_kind_is_here() -> None:
    assert set(MADE) == set(get_args(Root))
    assert set(STEPS) == set(get_args(Step))


@pytest.mark.parametrize("kind", MADE)
def test_kinds(kind: type[Root]) -> None:
    path = MADE[kind]
    assert type(path.root) is kind
    told: dict[type[Root], bool] = {
        roots.Variable: path.is_variable,
        roots.This: path.is_this,
        roots.Function: path.is_function,
        roots.Literal: path.is_literal,
        roots.Made: path.is_made,
        roots.Returned: path.is_returned,
        roots.Unknown: path.is_unknown,
    }
    assert [k for k, so in told.items() if so] == ([kind] if kind in told else [])
    assert path.is_plain == (kind in (roots.Function, roots.Literal))
    names = (roots.Named, roots.Initialiser)
    assert path.is_object == (not path.is_plain and kind not in names)


@pytest.mark.parametrize("kind", MADE)
def test_what_it_begins_at(kind: type[Root]) -> None:
    path = MADE[kind]
    assert path.variable == ("c:@x" if kind is roots.Variable else "")
    assert path.method == ("c:@S@A@F@f#" if kind is roots.This else "")
    assert path.function == ("c:@F@f#" if kind is roots.Function else "")
    assert path.literal == ("nullptr" if kind is roots.Literal else "")
    assert path.returned == ("ns::current" if kind is roots.Returned else "")
    assert path.maker == (("c:@F@f:g#", "r3") if kind is roots.Made else ("", ""))
    assert path.named == ("Python GIL" if kind is roots.Named else "")
    assert path.held_name == ("Python GIL" if kind is roots.Holds else "")


def test_one_object_for_each() -> None:
    assert Path.of_variable("a", ("b",)) is Path(roots.Variable("a"), ("b",))
    assert Path.of_variable("a") is not Path.of_this("a")
    assert roots.Variable("a") is not roots.This("a")
    assert Wait("join", ("f",)) is Wait("join", ("f",))
    assert Wait("join") is not Wait("join", ("f",))
    assert Issued(UNKNOWN, "send") is Issued(UNKNOWN, "send")
    assert Group("nccl") is Group("nccl")


def test_none_can_be_changed() -> None:
    for what in (UNKNOWN, UNKNOWN.root, steps.GUARDED, Wait("join"), Group("nccl")):
        name = "root" if isinstance(what, Path) else "key"
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(what, name, "other")


@pytest.mark.parametrize("step", [s for s, _ in STEPS.values()], ids=str)
def test_steps(step: Step) -> None:
    shown = dict(STEPS.values())[step]
    assert str(step) == shown
    assert steps.member(step) == (step if isinstance(step, str) else "")
    assert steps.is_element(step) == (type(step) in (steps.Element, steps.ElementBy))
    assert UNKNOWN.then(step).last == steps.member(step)


def test_members_and_owners() -> None:
    way: Steps = ("a", steps.ELEMENT, "b", steps.GUARDED)
    path = Path.of_variable("v", way)
    assert (path.members, path.last, path.declarations) == (("a", "b"), "", ("v", "a", "b"))
    assert path.owner == Path.of_variable("v", way[:-1])
    assert (path.owner.last, path.base) == ("b", Path.of_variable("v"))


WHAT: list[What] = [
    *MADE.values(),
    *(Path.of_variable("c:@x", ("c:@m", step)) for step, _ in STEPS.values()),
    Wait("join", ("c:@F@f#",)),
    Wait("join"),
    Group("nccl"),
    Issued(Path.of_variable("c:@x"), "ncclSend"),
]


def test_all_are_sorted_alike() -> None:
    """The same in every run, whatever came first: by what each is called, and no two alike."""
    once = sorted(WHAT)
    backwards = WHAT[::-1]
    assert sorted(backwards) == once
    assert len({what.order for what in WHAT}) == len(WHAT)
    for a, b in itertools.pairwise(once):
        assert a < b
        assert not b < a


def test_written_and_read_again() -> None:
    for what in (*WHAT, *(s for s, _ in STEPS.values()), *(p.root for p in MADE.values())):
        again = pickle.loads(pickle.dumps(what))
        assert again == what
        if isinstance(what, Interned | Path):
            assert again is what


def test_effects_are_no_objects() -> None:
    others: tuple[Effect | Group, ...] = (Wait("join"), Group("nccl"), Issued(UNKNOWN, "send"))
    for what in others:
        assert not isinstance(what, Path)
        assert not any((what.is_unknown, what.is_one_of_many, what.is_some_object))
