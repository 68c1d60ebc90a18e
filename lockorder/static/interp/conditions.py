"""Comparisons: what is known of two values, and what a branch that tests them adds to that.

Facts of a state name values by *terms*: a literal, a place, or an operation on terms.  Numbers are
compared again only where nothing but a statement of the function can have changed them: what is
known of a loop's condition before its body must not be known after it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from lockorder.static.interp import ordering
from lockorder.static.interp.known import Among, Equal, Fact, Less, Operation, Term
from lockorder.static.interp.summary import Rank, State
from lockorder.static.interp.truths import Truths
from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.parse.number_types import INTEGERS
from lockorder.static.program.identities import Identities
from lockorder.static.program.link import Program
from lockorder.static.program.paths import RETURNED, Path, Paths
from lockorder.static.program.steps import GUARDED, is_element
from lockorder.static.program.written import how_passed, passing


class Values(Protocol):
    """What evaluates the values of one function's events."""

    program: Program
    identities: Identities

    @property
    def steady(self) -> frozenset[str]:
        """Local numbers that only statements of the function change."""

    @property
    def unmoved(self) -> frozenset[str]:
        """Pointers that have one value."""

    @property
    def truths(self) -> Truths:
        """The values that are either 0 or 1."""

    def term(self, value: f.Value | None, state: State) -> Term | None:
        """What *value* is called in facts."""

    def known(self, condition: f.Value | None, state: State) -> bool | None:
        """The truth of *condition* where *state* decides it."""

    def assume(self, condition: f.Value | None, truth: bool, state: State) -> State | None:
        """*state* with *condition* known to be *truth*; None where that cannot be."""


def plain(path: Path) -> Path:
    """A literal by the one text that facts call it."""
    return Path.of_literal(numbers.plain(path.literal)) if path.is_literal else path


def turned(condition: f.Compare) -> f.Compare:
    """The same comparison with the literal, if any, on its right."""
    if isinstance(condition.left, f.Lit) and not isinstance(condition.right, f.Lit):
        return f.Compare(condition.right, condition.left, condition.equal)
    return condition


def is_decided(path: Path) -> bool:
    """Whether *path* is one certain number, enumerator or null."""
    return path.literal not in ("", "%")


def is_copy(program: Program, value: f.Var, paths: Paths) -> bool:
    """Whether a local number was read from what may change without it, or is no certain one.

    A copy of a parameter or of another local stays another name for it.
    """
    variable = program.variables.get(value.usr)
    if variable is None or variable.kind != "local":
        return False
    if variable.type.removeprefix("const ") not in INTEGERS or len(paths) != 1:
        return False
    path = paths[0]
    if path.is_literal:
        return not is_decided(path)
    known = program.variables.get(path.variable)
    return bool(path.steps) or known is None or known.kind not in ("local", "param")


# -- equal ----------------------------------------------------------------------------------------


def are_equal(values: Values, condition: f.Compare, state: State) -> bool | None:
    """What *state* says of ``a == b`` (or ``!=``)."""
    condition = turned(condition)
    left, right = values.term(condition.left, state), values.term(condition.right, state)
    if left is None or right is None:
        return None
    same = _same(values, condition, left, right, state)
    return None if same is None else same == condition.equal


def _same(
    values: Values, condition: f.Compare, left: Term, right: Term, state: State
) -> bool | None:
    if _literals(left, right) is not None:
        return _equal(left, right)
    known = state.facts.get(Equal(left, right))
    if known is None:
        known = _among(state, left, right)
    if known is not None:
        return known
    if _is_less(state, left, right) or _is_less(state, right, left):
        return False
    if not (isinstance(right, Path) and is_decided(right)):
        return None
    truth = values.known(condition.left, state)
    zero = right.literal in ("0", "false", "nullptr", "NULL")
    if truth is not None and zero:
        return not truth
    if truth is False:
        return False  # an enumerator that is zero is written so
    if truth is True and right.literal in ("1", "true") and values.truths.has(condition.left):
        return True
    for fact, value in state.facts.items():
        other = fact.right if value and isinstance(fact, Equal) and fact.left == left else None
        if other is not None and _equal(other, right) is False:
            return False
    return None


def compared_with_numbers(
    values: Values, value: f.Value | None, state: State
) -> frozenset[tuple[Equal | Less, bool]]:
    """What *state* says of *value* and numbers, of the place that a function returns."""
    term = values.term(value, state)
    if not isinstance(term, Path) or term.is_literal:
        return frozenset()

    def returned(path: Path) -> Path:
        return RETURNED if path == term else path

    return frozenset(
        (fact.moved(returned), truth)
        for fact, truth in state.facts.items()
        if isinstance(fact, Equal | Less)
        and term in fact[:2]
        and any(isinstance(side, Path) and is_decided(side) for side in fact[:2])
    )


def is_number(state: State, path: Path, literal: Path) -> bool | None:
    """Whether what is at *path* is that number, as far as *state* tells."""
    if _literals(path, literal) is not None:
        return _equal(path, literal)
    known = state.facts.get(Equal(path, plain(literal)))
    return _among(state, path, plain(literal)) if known is None else known


def values_of(state: State, left: Term) -> frozenset[str]:
    """The numbers that *left* can be, by their texts; empty where it may be any."""
    for fact, truth in state.facts.items():
        if not truth or isinstance(fact, Path):
            continue
        if isinstance(fact, Equal) and fact.left == left and isinstance(fact.right, Path):
            if is_decided(fact.right):
                return frozenset((fact.right.literal,))
        elif isinstance(fact, Among) and fact.left == left:
            return fact.literals
    return frozenset()


def differs(state: State, left: Term, right: Path) -> bool:
    """Whether *left* is surely not the number *right*."""
    if state.facts.get(Equal(left, right)) is False:
        return True
    values = values_of(state, left)
    return bool(values) and all(_equal(Path.of_literal(v), right) is False for v in values)


def told(state: State, fact: Fact) -> bool | None:
    """The truth of *fact*, as far as *state* tells, be it by what else is known of its number."""
    known = state.facts.get(fact)
    if known is not None:
        return known
    if isinstance(fact, Less):
        return _is_less(state, fact.left, fact.right)
    if isinstance(fact, Path):
        value = state.env.get(fact, ())
        if len(value) == 1 and value[0].is_literal:
            zero = _equal(value[0], ordering.ZERO)
            return None if zero is None else not zero
        numbers_there = [_equal(ordering.ZERO, Path.of_literal(v)) for v in values_of(state, fact)]
        return True if numbers_there and all(v is False for v in numbers_there) else None
    if not (isinstance(fact, Equal) and isinstance(fact.right, Path) and is_decided(fact.right)):
        return None
    if isinstance(fact.left, Path):
        if _literals(fact.left, fact.right) is not None:
            return _equal(fact.left, fact.right)
        value = state.env.get(fact.left, ())
        if len(value) == 1 and value[0].is_literal:
            return _equal(value[0], fact.right)
        truth = state.facts.get(fact.left)
        if truth is False:
            return _equal(ordering.ZERO, fact.right)
        if truth and _equal(ordering.ZERO, fact.right):
            return False
    values = [_equal(Path.of_literal(v), fact.right) for v in values_of(state, fact.left)]
    return False if values and all(v is False for v in values) else None


def _among(state: State, left: Term, right: Term) -> bool | None:
    """What is known of ``left == right`` where ways have met on which *left* is another number."""
    if not isinstance(right, Path) or Among not in map(type, state.facts):
        return None
    found = next((f for f, v in state.facts.items() if v and _is_among(f, left)), None)
    if not isinstance(found, Among):
        return None
    numbers_left = [Path.of_literal(text) for text in found.literals]
    rest = [p for p in numbers_left if state.facts.get(Equal(left, p)) is not False]
    same = [_equal(each, right) for each in rest]
    if all(each is False for each in same):
        return False
    return True if same == [True] else None


def _is_among(fact: object, left: Term) -> bool:
    return isinstance(fact, Among) and fact.left == left


def is_so(state: State, path: Path, sign: str, literal: str) -> bool | None:
    """Whether what is at *path* is that number, or below or above it, as far as *state* tells."""
    other = Path.of_literal(literal)
    if sign == "==":
        return is_number(state, path, other)
    told = _literals(path, other)
    if told is not None:
        return None if told == _UNLIKE else told == (-1 if sign == "<" else 1)
    other = plain(other)
    return _is_less(state, path, other) if sign == "<" else _is_less(state, other, path)


_UNLIKE = 2


def _equal(left: Term, right: Term) -> bool | None:
    """Whether two literals are the same; None where nobody can say."""
    told = _literals(left, right)
    if told != _UNLIKE:
        return None if told is None else told == 0
    zero = (
        isinstance(left, Path) and isinstance(right, Path) and 0 in (_number(left), _number(right))
    )
    return False if zero else None  # an enumerator that is zero is written so


def _literals(left: Term, right: Term) -> int | None:
    """Two literals: 0 if they are the same, -1 or 1 if they are not; 2 where nobody can say."""
    if not (isinstance(left, Path) and isinstance(right, Path)):
        return None
    if not (is_decided(left) and is_decided(right)):
        return None
    numbers = _number(left), _number(right)
    if numbers[0] is not None and numbers[1] is not None:
        return (numbers[0] > numbers[1]) - (numbers[0] < numbers[1])
    if left == right:
        return 0
    return _UNLIKE if numbers != (None, None) else 1


def _number(path: Path) -> int | None:
    return numbers.number_of(path.literal)


def compared(values: Values, condition: f.Compare, truth: bool, state: State) -> State:
    """*state* on the way where ``a == b`` (or ``!=``) is *truth*, which was not known."""
    left, right = values.term(condition.left, state), values.term(condition.right, state)
    same = truth == condition.equal
    if left is not None and right is not None and _may_be_kept(values, condition, right):
        state = state.but(facts={**state.facts, Equal(left, right): same})
    if same and isinstance(right, Path) and is_decided(right) and _number(right) != 0:
        # EAGAIN, and so not 0; an enumerator that is zero is written so.
        return values.assume(condition.left, True, state) or state
    return state


def _may_be_kept(values: Values, condition: f.Compare, right: Term) -> bool:
    """Whether the outcome may be remembered: an iterator that has reached no end yet goes on.

    A member's number is one's own until somebody may have written to it (see unseen), as a flag is.
    """
    decided = isinstance(right, Path) and is_decided(right)
    number = decided and isinstance(right, Path) and _number(right) is not None
    if condition.equal and (not number or _is_named(condition.right)):
        return True
    if not decided:
        return _is_fixed(values, condition.left) and _is_fixed(values, condition.right)
    return isinstance(condition.left, f.Field) or _is_steady(values, condition.left)


def _is_fixed(values: Values, value: f.Value | None) -> bool:
    """Whether it is a pointer that goes on to nothing: a variable with one value, its members."""
    if isinstance(value, f.This):
        return True
    if not isinstance(value, f.Var | f.Field) or not values.program.type_of(value.usr).endswith(
        "*"
    ):
        return False
    return (
        value.usr in values.unmoved if isinstance(value, f.Var) else _is_fixed(values, value.base)
    )


def unmoved(program: Program, function: f.Function) -> frozenset[str]:
    """Pointers of *function* that get one value, and that nobody else is lent to write to."""
    given = Counter(function.params)
    for statement in f.walk(function.body):
        if isinstance(statement, f.Assign | f.Written) and isinstance(statement.target, f.Var):
            given[statement.target.usr] += 2
        elif isinstance(statement, f.Local):
            given[statement.usr] += 1
            if isinstance(statement.value, f.Var) and "&" in program.type_of(statement.usr):
                given[statement.value.usr] += 2
    return frozenset(usr for usr, times in given.items() if times == 1)


def _is_named(value: f.Value) -> bool:
    """Whether a literal is an enumerator: nobody counts by them."""
    return isinstance(value, f.Lit) and value.name != value.text


# -- less -----------------------------------------------------------------------------------------


def is_less(values: Values, condition: f.Less, state: State) -> bool | None:
    """What *state* says of ``a < b``."""
    left, right = values.term(condition.left, state), values.term(condition.right, state)
    if left is None or right is None:
        return None
    told = _literals(left, right)
    if told is not None:
        return None if told == _UNLIKE else told < 0
    ranked = _ranked(values, left, right)
    if ranked is not None:
        if ranked in state.ranks:
            return True
        return False if turned_round(ranked) in state.ranks else None
    return _is_less(state, left, right)


def _is_less(state: State, left: Term, right: Term) -> bool | None:
    """Whether one number is lower than another one, as far as *state* tells."""
    known = state.facts.get(Less(left, right))
    if known is not None:
        return known
    if state.facts.get(Less(right, left)) or state.facts.get(Equal(left, right)):
        return False
    if state.facts.get(Equal(right, left)):
        return False
    return ordering.is_less(state, left, right)


def ordered(values: Values, condition: f.Less, truth: bool, state: State) -> State:
    """*state* on the way where ``a < b`` is *truth*, which was not known."""
    left, right = values.term(condition.left, state), values.term(condition.right, state)
    if left is None or right is None:
        return state
    ranked = _ranked(values, left, right)
    if ranked is not None:
        return rank(state, ranked if truth else turned_round(ranked))
    sides = (condition.left, condition.right)
    # A member against a number, as for equality; two members are often a loop's.
    lasting = isinstance(sides[0], f.Lit) or isinstance(sides[1], f.Lit)
    if all(_is_steady(values, s) or (lasting and isinstance(s, f.Field)) for s in sides):
        return state.but(facts={**state.facts, Less(left, right): truth})
    return state


def picked(
    values: Values, lower: bool, both: Sequence[f.Value], place: Path, state: State
) -> State:
    """*state* in which at *place* is the *lower* of two numbers, or the higher one."""
    left, right = (values.term(each, state) for each in both)
    if left is None or right is None or not all(_is_counted(values, v) for v in both):
        return state
    return ordering.picked(state, lower, left, right, place)


def _is_counted(values: Values, value: f.Value) -> bool:
    """Whether a value is a number that only changes where the walk sees it."""
    if isinstance(value, f.Lit):
        return numbers.number_of(value.text) is not None
    named = isinstance(value, f.Var | f.Field) and is_lasting(values, value)
    return named and isinstance(value, f.Var | f.Field) and is_counted(values.program, value.usr)


def rank(state: State, found: Rank) -> State:
    """*state* in which the program has found that."""
    return state.but(ranks=state.ranks | {found})


def turned_round(rank: Rank) -> Rank:
    """The same comparison with the other outcome."""
    return Rank(rank.high, rank.low, rank.by)


def objects(values: Values, left: Path, right: Path) -> bool:
    """Whether two paths are objects of one class, or locks, of which the order can be told."""
    if left == right or not (_is_single(left) and _is_single(right)):
        return False
    if left.steps[-1:] == right.steps[-1:] == (GUARDED,):
        return True  # the locks that two guards refer to, whatever their class
    cls = values.identities.class_of(left)
    known = cls in values.program.classes or values.identities.is_lock_type(cls)
    return known and cls == values.identities.class_of(right)


def _ranked(values: Values, left: Term, right: Term) -> Rank | None:
    """The two objects that a comparison ranks: by their addresses, or by one member of both."""
    if not (isinstance(left, Path) and isinstance(right, Path)):
        return None
    if objects(values, left, right):
        return Rank(left, right)
    if left.steps and left.steps[-1:] == right.steps[-1:]:
        a, b = left.owner, right.owner
        if objects(values, a, b):
            return Rank(a, b, left.steps[-1])
    return None


def _is_single(path: Path) -> bool:
    begins = path.is_variable or path.is_this or path.is_made
    return begins and not any(map(is_element, path.steps))


def whole(values: Values, condition: f.Value, state: State) -> Term | None:
    """What a condition with parts is called in facts; None where it may come out anew."""
    if isinstance(condition, f.Not):
        inner = whole(values, condition.value, state)
        return None if inner is None else Operation("==", inner, Path.of_literal("0"))
    if isinstance(condition, f.Both):
        left = whole(values, condition.left, state)
        right = whole(values, condition.right, state)
        if left is None or right is None:
            return None
        return Operation("||" if condition.either else "&&", left, right)
    if isinstance(condition, f.Compare | f.Less):
        if not (is_lasting(values, condition.left) and is_lasting(values, condition.right)):
            return None
        sign = "<" if isinstance(condition, f.Less) else "==" if condition.equal else "!="
        first = values.term(condition.left, state)
        second = values.term(condition.right, state)
        return None if first is None or second is None else Operation(sign, first, second)
    return values.term(condition, state)


def is_lasting(values: Values, value: f.Value) -> bool:
    """Whether what a value is only changes where the walk sees it: a member, a number."""
    return isinstance(value, f.Field) or _is_steady(values, value)


def _is_steady(values: Values, value: f.Value | None) -> bool:
    """Whether only statements of the function change a number that it has."""
    if isinstance(value, f.Lit):
        return True
    if isinstance(value, f.Op):
        return _is_steady(values, value.left) and _is_steady(values, value.right)
    if isinstance(value, f.Result):
        return True  # another call's is another one
    if not isinstance(value, f.Var):
        return False
    return value.usr in values.steady or values.identities.keeps_value(value.usr)


def steady(program: Program, function: f.Function) -> frozenset[str]:
    """Numbers, flags and texts of *function* that are handed to nobody who could change them."""
    known = {u for u in function.params if is_plain(program, u)}
    lent: set[str] = set()
    for statement in f.walk(function.body):
        if isinstance(statement, f.Local):
            if is_plain(program, statement.usr):
                known.add(statement.usr)
            elif isinstance(statement.value, f.Var):
                lent.add(statement.value.usr)  # a reference or a pointer to it
        elif isinstance(statement, f.Assign) and isinstance(statement.value, f.Var):
            target = statement.target
            member = isinstance(target, f.Field) and is_plain(program, target.usr)
            if not member and not (isinstance(target, f.Var) and target.usr in known):
                lent.add(statement.value.usr)
        elif isinstance(statement, f.Written):
            if isinstance(statement.target, f.Var):
                lent.add(statement.target.usr)
        elif isinstance(statement, (f.Call, f.Make)):
            lent.update(_lent(program, statement))
    texts = program.text_choices.intersection(function.params)
    if any(usr.startswith("lambda:") for usr in lent):
        return texts  # it may have any of them by reference
    return texts.union(known - lent)


def _lent(program: Program, call: f.Call | f.Make) -> Iterator[str]:
    """Variables that a call may have by reference, and lambdas that have some."""
    callee = call.ctor if isinstance(call, f.Make) else ""
    if isinstance(call, f.Call) and isinstance(call.target, f.Fn):
        callee = call.target.usr
    _, passed = passing(program, callee)
    for at, argument in enumerate(call.args):
        if isinstance(argument, f.Closure):
            yield argument.usr
        elif isinstance(argument, f.Var):
            # What stands for ... in C is a value.
            beyond = bool(passed) and at >= len(passed) and not passed.endswith("+")
            if not beyond and how_passed(passed, at) != "-":
                yield argument.usr


def is_counted(program: Program, usr: str) -> bool:
    """Whether a variable is a number, and no enumerator."""
    return program.type_of(usr).removeprefix("const ") in INTEGERS


def is_own_number(program: Program, usr: str) -> bool:
    """Whether a local or parameter is a number or enumerator of its own."""
    variable = program.variables.get(usr)
    return variable is not None and variable.kind in ("local", "param") and is_plain(program, usr)


def is_plain(program: Program, usr: str) -> bool:
    """Whether a variable is a number, flag or enumerator of its own."""
    spelling = program.type_of(usr).removeprefix("const ")
    if spelling in INTEGERS:
        return True
    return (
        bool(spelling)
        and not spelling.endswith(("*", "&", "]", ">"))
        and spelling not in program.classes
        and not (spelling.startswith("volatile ") or program.knowledge.is_standard(spelling))
    )
