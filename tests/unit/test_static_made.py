"""Locks of one class that are of two kinds, by what they were made with."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.model import LockKind
from lockorder.static.parse import facts as f
from lockorder.static.program import by_member, decided, siblings, takers
from lockorder.static.program.link import Program
from lockorder.static.program.places import THIS, Place
from lockorder.static.program.wrappers import Wrappers
from walks import program_of

_FLAG, _OTHER = f.Field(f.This(), "flag"), f.Field(f.This(), "other")


def _flag_is(text: str) -> decided.Known:
    return lambda value: text if value == _FLAG else None


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        (_FLAG, True),
        (f.Not(_FLAG), False),
        (f.Both(_FLAG, _OTHER), None),
        (f.Both(f.Not(_FLAG), _OTHER), False),
        (f.Both(_OTHER, _FLAG, either=True), True),
        (f.Compare(_FLAG, f.Lit("Kind::Again=3")), True),
        (f.Compare(_FLAG, f.Lit("2"), equal=False), True),
        (f.Op("&", _FLAG, f.Lit("1")), True),
        (f.Op("&", _FLAG, f.Lit("4")), False),
        (_OTHER, None),
        (f.Compare(_FLAG, _OTHER), None),
    ],
)
def test_whether_a_condition_holds_where_a_member_is_known(
    condition: f.Value, holds: bool | None
) -> None:
    assert decided.truth(condition, _flag_is("3")) is holds


def _numbers(block: f.Block) -> list[int]:
    return [s.id for s in f.walk(block) if isinstance(s, f.Call)]


def _call(number: int) -> f.Call:
    return f.Call(number, f.Fn("take"), [], number)


def test_branches_that_are_not_taken_are_left_out() -> None:
    past = f.If(f.Not(_FLAG), f.Block([_call(0), f.Return(None, 1)]), f.Block([_call(1)]))
    unknown = f.If(_OTHER, f.Block([_call(2)]))
    body = f.Block([past, unknown, _call(3)])
    assert _numbers(decided.where(body, _flag_is("1"))) == [1, 2, 3]
    assert _numbers(decided.where(body, _flag_is("0"))) == [0]
    assert _numbers(decided.where(body, decided.nothing)) == [0, 1, 2, 3]


def test_a_switch_runs_the_case_that_fits_and_what_it_falls_into() -> None:
    cases = [f.Block([_call(0)]), f.Block([_call(1), f.Break()]), f.Block([_call(2)])]
    labels: list[f.Value | None] = [f.Lit("A=1"), f.Lit("B=2"), None]
    body = f.Block([f.Switch(cases, True, _FLAG, labels)])
    found = {t: _numbers(decided.where(body, _flag_is(t))) for t in ("1", "2", "3")}
    assert found == {"1": [0, 1], "2": [1], "3": [2]}


_DOOR = """
struct Door {
  explicit Door(bool again = %s) : again_(again) {}
  void lock() {
    if (%sowner_ == std::this_thread::get_id()) { ++depth_; return; }
    inner_.lock(); owner_ = std::this_thread::get_id(); depth_ = 1;
  }
  void unlock() { if (--depth_ > 0) return; owner_ = std::thread::id(); inner_.unlock(); }
  std::mutex inner_; std::thread::id owner_; int depth_ = 0; bool again_; bool told_ = false;
};
struct House { House() : front_(true), back_(false) {} Door front_; Door back_; Door side_; };
void use(House &h) {
  h.front_.lock(); h.front_.unlock(); h.back_.lock(); h.back_.unlock();
  h.side_.lock(); h.side_.unlock();
}
"""


def _kinds(text: str, *names: str) -> list[LockKind | None]:
    program = program_of(text)
    wrappers = Wrappers(program, builtin())
    found = {}
    for usr, variable in program.variables.items():
        last = variable.name.rpartition("::")[2]
        if last in names:
            made = wrappers.kind_made(usr, variable.type)
            found[last] = made or wrappers.kind_of(variable.type)
    return [found[n] for n in names]


_AGAIN, _ONCE = LockKind.RECURSIVE, LockKind.MUTEX


def test_each_object_is_what_it_was_made_with() -> None:
    doors = ("front_", "back_", "side_")
    assert _kinds(_DOOR % ("false", "again_ && "), *doors) == [_AGAIN, _ONCE, _ONCE]
    assert _kinds(_DOOR % ("true", "again_ && "), *doors) == [_AGAIN, _ONCE, _AGAIN]
    assert _kinds(_DOOR % ("true", "!again_ && "), *doors) == [_ONCE, _AGAIN, _ONCE]


def test_a_member_that_is_not_asked_for_decides_nothing() -> None:
    doors = ("front_", "back_", "side_")
    assert _kinds(_DOOR % ("false", ""), *doors) == [_AGAIN] * 3
    assert _kinds(_DOOR % ("false", "false && "), *doors) == [_ONCE] * 3


def test_a_member_that_whoever_takes_the_lock_changes_decides_nothing() -> None:
    text = (_DOOR % ("false", "again_ && ")).replace("depth_ = 1;", "again_ = true;")
    assert _kinds(text, "front_", "back_") == [_AGAIN, _AGAIN]


_ATTRIBUTE = """
enum { PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_RECURSIVE };
struct Door {
  explicit Door(bool again = %s) {
    pthread_mutexattr_t how;
    pthread_mutexattr_settype(&how, again ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    pthread_mutex_init(&inner_, &how);
  }
  void lock() { pthread_mutex_lock(&inner_); }
  void unlock() { pthread_mutex_unlock(&inner_); }
  pthread_mutex_t inner_;
};
struct House { House() : front_(true), back_(false) {} Door front_; Door back_; Door side_; };
void use(House &h) {
  h.front_.lock(); h.front_.unlock(); h.back_.lock(); h.back_.unlock();
  h.side_.lock(); h.side_.unlock();
}
"""


def test_an_attribute_is_what_its_object_was_made_with() -> None:
    doors = ("front_", "back_", "side_")
    assert _kinds(_ATTRIBUTE % "false", *doors) == [_AGAIN, _ONCE, _ONCE]
    assert _kinds(_ATTRIBUTE % "true", *doors) == [_AGAIN, _ONCE, _AGAIN]


_EITHER = """
struct Door {
  explicit Door(bool again) : again_(again) {}
  void lock() { if (again_) many_.lock(); else once_.lock(); }
  void unlock() { if (again_) many_.unlock(); else %s.unlock(); }
  std::mutex once_; std::recursive_mutex many_; bool again_;
};
struct House { House() : front_(true), back_(false) {} Door front_; Door back_; };
void use(House &h) {
  h.front_.lock(); h.front_.unlock(); h.back_.lock(); h.back_.unlock();
}
"""


def _told_as(text: str) -> dict[str, str]:
    program = program_of(text)
    found = Wrappers(program, builtin()).on_another
    short = {usr: v.name.rpartition("::")[2] for usr, v in program.variables.items()}
    return {short[a]: short[b] for a, b in found.items()}


def test_of_two_locks_an_object_has_the_one_that_its_member_says() -> None:
    assert _told_as(_EITHER % "once_") == {"many_": "once_"}
    assert _kinds(_EITHER % "once_", "front_", "back_") == [_AGAIN, _ONCE]


def test_locks_that_are_both_used_are_two() -> None:
    assert _told_as(_EITHER % "many_") == {}


def _asking(program: Program) -> takers.Answers:
    def place(_: f.Function, value: f.Value | None) -> Place | None:
        return Place(THIS) if isinstance(value, f.This) else None

    return takers.Answers(place, lambda p: p, lambda _: (), lambda _: LockKind.MUTEX)


def test_who_hands_on_to_a_function_that_passes_by_passes_by() -> None:
    program = program_of(
        "struct D { void enter() { if (o_ == std::this_thread::get_id()) return; m_.lock();"
        " o_ = std::this_thread::get_id(); } void lock() { enter(); }"
        " std::mutex m_; std::thread::id o_; };"
    )
    usrs = {x.name.rpartition("::")[2]: u for u, x in program.functions.items()}
    calls = {n: [s for s in f.walk(program.functions[u].body) if isinstance(s, f.Call)]
             for n, u in usrs.items()}  # fmt: skip
    lock = next(c.id for c in calls["enter"] if isinstance(c.target, f.Fn) and c.target.base)
    own = Place(THIS)
    takings = {usrs["enter"]: {own: {lock}}, usrs["lock"]: {own: {calls["lock"][0].id}}}
    found = takers.Takers(program, takings, _asking(program))
    assert found.kind(usrs["lock"], own) is _AGAIN
    assert not found.is_by_hand(usrs["lock"], Place("another"))


def test_who_writes_what_to_a_member_says_it_of_the_object() -> None:
    program = program_of(_DOOR % ("false", "again_ && "))
    wrappers = Wrappers(program, builtin())
    deciders = takers.Deciders(program, wrappers._takers, _asking(program), {}, {})
    assert not deciders.members
    said = by_member.ByMember(program, builtin(), deciders, lambda place: place)
    assert said.objects == {}
    assert said.by_default("Door") is None


def test_members_that_are_tested() -> None:
    program = program_of(_EITHER % "once_")
    lock = next(u for u, x in program.functions.items() if x.name == "Door::lock")
    ask = _asking(program)
    found = list(siblings.tested(program, lock, Place(THIS), ask.place))
    assert [(program.variables[u].name, t) for u, t in found] == [("Door::again_", "1")]
    assert list(siblings.written(program, lock)) == []
