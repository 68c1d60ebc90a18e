"""Summaries of functions that call each other, from the round on in which they are widened."""

from __future__ import annotations

from lockorder.bounds import VALUES
from lockorder.model import How, Mode
from lockorder.static.interp.summary import (
    Either,
    Flag,
    Need,
    Outcome,
    Receiver,
    Site,
    Summary,
    Taken,
)
from lockorder.static.program.paths import UNKNOWN, Path, Paths

HANDED_IN, GLOBAL = Path.of_variable("argument"), Path.of_variable("global")


def is_parameter(path: Path) -> bool:
    return path.root == HANDED_IN.root


def numbers(*values: int) -> Paths:
    return tuple(Path.of_literal(str(v)) for v in values)


def rounds(known: Summary, *walks: Summary) -> int:
    """In how many rounds of these walks, over and over, there was something new."""
    new = 0
    for number in range(20):
        walk = walks[number % len(walks)]
        joined = known.joined(walk.widened(known, is_parameter))
        new += joined is not known
        known = joined
    return new


def test_results_that_take_turns_come_to_an_end() -> None:
    known = Summary({}, returns=numbers(1))
    assert rounds(known, Summary({}, returns=numbers(1, 2)), Summary({}, returns=numbers(1))) == 1
    nothing = Summary({}, returns=(GLOBAL,))
    assert rounds(known, nothing, known) == 1


def test_what_nobody_knows_is_no_number_any_more() -> None:
    known = Summary({}, returns=numbers(1, 2))
    unknown = Summary({}, returns=(GLOBAL,))
    joined = known.joined(unknown.widened(known, is_parameter))
    assert joined.returns == (GLOBAL,)
    many = Summary({}, returns=numbers(*range(VALUES.limit + 1)))
    assert known.joined(many.widened(known, is_parameter)).returns == ()


def test_members_that_no_round_before_changed_stay_as_they_were() -> None:
    near, far = HANDED_IN.then("next"), HANDED_IN.then("next").then("other")
    known = Summary({}, outcomes=(Outcome(bindings=((near, (GLOBAL,)),)),))
    walk = Summary({}, outcomes=(Outcome(bindings=((near, (far,)), (far, (GLOBAL,)))),))
    widened = walk.widened(known, is_parameter)
    assert widened.outcomes[0].bindings == ((near, (Path(UNKNOWN.root, ("other",)),)),)
    assert rounds(known, walk) == 1


def test_locks_in_what_is_handed_in_stay_what_they_are() -> None:
    near, far = HANDED_IN.then("gate"), HANDED_IN.then("next").then("gate")
    keys = [(path, Mode.EXCLUSIVE, How.BLOCKING) for path in (near, far)]
    walk = Summary({key: (Taken(*key, Site("f", 1, 1)),) for key in keys})
    widened = walk.widened(Summary({}), is_parameter)
    assert {path for path, _, _ in widened.taken} == {near, Path(UNKNOWN.root, ("gate",))}


def test_what_is_hidden_is_told_in_the_end() -> None:
    key = (GLOBAL, Mode.EXCLUSIVE, How.BLOCKING)
    walk = Summary({key: (Taken(*key, Site("f", 1, 1)),)})
    hidden = walk.hiding()
    assert hidden.takes
    assert not hidden.is_quiet
    assert not hidden.taken
    told = hidden.telling(walk)
    assert told.taken == walk.taken
    assert not told.hides
    assert not Summary({}).hiding().takes


def _needing(*needs: Need) -> Taken:
    return Taken(GLOBAL, Mode.EXCLUSIVE, How.BLOCKING, Site("f", 1, 0), needs=frozenset(needs))


def test_what_several_acquisitions_need_is_one_of_what_each_needs() -> None:
    one, other = Path.of_variable("p"), Path.of_variable("q")
    a, b, c = (Receiver(one, f"~{x}") for x in "ABC")
    flag = Flag("c:flag", True)
    both = _needing(a, flag).widened(_needing(b, flag, Receiver(other, "g")))
    assert both.needs == {Either(one, frozenset(("~A", "~B"))), flag}
    assert both.covers(_needing(a, flag))
    assert not both.covers(_needing(c, flag))
    assert not both.covers(_needing(a))
    more = both.widened(_needing(c))
    assert more.needs == {Either(one, frozenset(("~A", "~B", "~C")))}
    assert more.covers(both)
    assert not both.covers(more)
    assert not more.widened(_needing(flag)).needs
