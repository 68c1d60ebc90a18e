"""Locks that a program makes itself, on facts made by hand."""

from __future__ import annotations

from lockorder.knowledge import builtin
from lockorder.model import LockKind
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Class, Decl, Facts, Variable
from lockorder.static.program import recursion
from lockorder.static.program.attributes import RecursiveLocks
from lockorder.static.program.link import Program
from lockorder.static.program.places import THIS, Place, place_of
from lockorder.static.program.wrappers import Wrappers

_LOCK = Decl("lock", "pthread_mutex_lock", 1)
_UNLOCK = Decl("unlock", "pthread_mutex_unlock", 1)
_SWAP = Decl("swap", "__sync_lock_test_and_set", 2)
_FREE = Decl("free", "__sync_lock_release", 1)
_INIT = Decl("init", "pthread_mutex_init", 2)
_SET = Decl("set", "pthread_mutexattr_settype", 2)


def _function(usr: str, *body: f.Stmt, params: tuple[str, ...] = ()) -> f.Function:
    return f.Function(usr, usr, "function", list(params), f.Block(list(body)), "a.c", 1)


def _call(number: int, usr: str, *args: f.Value) -> f.Call:
    return f.Call(number, f.Fn(usr), list(args), number + 1)


def _program(functions: list[f.Function], fields: dict[str, tuple[str, str]]) -> Program:
    """Classes by their fields: name of the class and type, by key."""
    variables = [
        Variable(usr, f"{cls}::{usr}", "field", spelling) for usr, (cls, spelling) in fields.items()
    ]
    for function in functions:
        for usr in function.params:
            variables.append(Variable(usr, usr, "param", f"{usr.rstrip('0123456789')} *"))
    names = {cls for cls, _ in fields.values()}
    classes = [
        Class(cls, cls, [], [u for u, (c, _) in fields.items() if c == cls])
        for cls in sorted(names)
    ]
    decls = [_LOCK, _UNLOCK, _SWAP, _FREE, _INIT, _SET]
    return Program([Facts("a.c", functions, classes, variables, decls, [])])


def _lending(take: str = "lock", give: str = "unlock") -> list[f.Function]:
    word = f.Field(f.Var("gate1"), "word")
    other = f.Field(f.Var("gate2"), "word")
    swap = _call(0, take, word, f.Lit("1"))
    loop = f.Loop(f.Block([swap]), f.Result(0), f.Block([]), f.Block([]))
    return [
        _function("enter", loop if take == "swap" else _call(0, take, word), params=("gate1",)),
        _function("leave", _call(0, give, other), params=("gate2",)),
    ]


def _using() -> f.Function:
    mine = f.Field(f.Var("device1"), "gate")
    return _function("use", _call(0, "enter", mine), _call(1, "leave", mine), params=("device1",))


_GATE = {"word": ("gate", "pthread_mutex_t"), "gate": ("device", "gate")}


def test_a_struct_whose_functions_lend_what_is_inside_is_the_lock() -> None:
    found = Wrappers(_program([*_lending(), _using()], _GATE), builtin())
    assert found.inside == {"word": "gate"}
    assert found.kind_of("gate") is LockKind.MUTEX
    assert found.kind_of("gate *") is None
    assert found.kind_of("device") is None


def test_who_uses_the_rest_of_the_object_makes_it_more_than_a_lock() -> None:
    fields = {**_GATE, "count": ("gate", "int")}
    mine = f.Var("gate3")
    more = _function(
        "more",
        _call(0, "enter", mine),
        f.Assign(f.Field(mine, "count"), f.Lit(""), 2),
        _call(1, "leave", mine),
        params=("gate3",),
    )
    found = Wrappers(_program([*_lending(), _using(), more], fields), builtin())
    assert not found.inside


def test_a_flag_that_is_swapped_in_a_loop_and_given_back_is_a_lock() -> None:
    fields = {"word": ("gate", "int"), "gate": ("device", "gate")}
    found = Wrappers(_program([*_lending("swap", "free"), _using()], fields), builtin())
    assert found.flags == {"word"}
    assert found.tries == {("enter", 0): False}
    assert found.stores == {("leave", 0)}
    assert found.kind_of("gate") is LockKind.SPIN


def test_a_flag_that_nobody_both_takes_and_gives_back_is_none() -> None:
    fields = {"word": ("gate", "int"), "gate": ("device", "gate")}
    found = Wrappers(_program(_lending("swap", "free"), fields), builtin())
    assert not found.flags
    assert not found.inside


def test_places_follow_pointers_that_are_variables() -> None:
    program = _program([*_lending()], _GATE)
    function = _function("x", params=("gate1",))
    aliases: dict[str, f.Value | None] = {"gate2": f.Field(f.This(), "gate")}
    value = f.Field(f.Var("gate2"), "word")
    assert place_of(program, function, value, aliases) == Place(THIS, ("gate", "word"))
    assert place_of(program, function, f.Var("gate1"), aliases) == Place("gate1")
    assert place_of(program, function, f.Lit("0"), aliases) is None


def _by_hand(*before: f.Stmt, written: str) -> bool:
    me = f.Assign(f.Field(f.This(), written), f.Var("self"), 3)
    body = _function("take", *before, _call(7, "lock", f.Field(f.This(), "word")), me)
    return recursion.is_by_hand(body.body, {7}, lambda _: ())


def test_a_way_past_the_taking_that_the_owner_decides_is_recursion() -> None:
    owner = f.Compare(f.Field(f.This(), "owner"), f.Var("self"))
    past = f.If(owner, f.Block([f.Return(None, 2)]))
    assert _by_hand(past, written="owner")
    assert not _by_hand(past, written="count")
    assert not _by_hand(written="owner")


def test_recursive_by_an_attribute_that_a_helper_makes() -> None:
    fields = {"word": ("gate", "pthread_mutex_t"), "how": ("gate", "pthread_mutexattr_t")}
    choose = _function(
        "choose", _call(0, "set", f.Var("how1"), f.Lit("PTHREAD_MUTEX_RECURSIVE")), params=("how1",)
    )
    mine = f.Var("gate1")
    make = _function(
        "make",
        _call(0, "choose", f.Field(mine, "how")),
        _call(1, "init", f.Field(mine, "word"), f.Field(mine, "how")),
        params=("gate1",),
    )
    assert RecursiveLocks(_program([choose, make], fields), builtin()).keys == {"word"}


def test_a_kind_that_is_an_argument_is_its_callers() -> None:
    fields = {"word": ("gate", "pthread_mutex_t"), "slow": ("gate", "pthread_mutex_t")}
    make = _function(
        "make", _call(0, "init", f.Var("lock1"), f.Var("kind1")), params=("lock1", "kind1")
    )
    mine = f.Var("gate1")
    both = _function(
        "both",
        _call(0, "make", f.Field(mine, "word"), f.Lit("PTHREAD_MUTEX_RECURSIVE")),
        _call(1, "make", f.Field(mine, "slow"), f.Lit("PTHREAD_MUTEX_NORMAL")),
        params=("gate1",),
    )
    assert RecursiveLocks(_program([make, both], fields), builtin()).keys == {"word"}


def test_flag_by_its_address() -> None:
    """Functions that swap and clear the number that they are handed: a lock where both are used."""
    take, give = f.Var("word1"), f.Var("word2")
    loop = f.Loop(
        f.Block([_call(0, "swap", take, f.Lit("1"))]), f.Result(0), f.Block([]), f.Block([])
    )
    functions = [
        _function("enter", loop, params=("word1",)),
        _function("leave", _call(0, "free", give), params=("word2",)),
        _function("mark", _call(0, "free", f.Field(f.Var("device2"), "seen")), params=("device2",)),
    ]
    mine = f.Field(f.Var("device1"), "gate")
    using = _function("use", _call(0, "enter", mine), _call(1, "leave", mine), params=("device1",))
    fields = {"gate": ("device", "int"), "seen": ("device", "int")}
    found = Wrappers(_program([*functions, using], fields), builtin())
    assert found.flags == {"gate", "word1", "word2"}
    assert found.tries == {("enter", 0): False}
    assert found.stores == {("leave", 0)}
    assert not Wrappers(_program(functions, fields), builtin()).flags
