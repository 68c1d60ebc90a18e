"""Which of its locks an object uses: what callers are told, and what they know."""

from __future__ import annotations

import pytest

from lockorder.static.interp import of_object
from lockorder.static.interp.known import Equal, Fact
from lockorder.static.interp.summary import Member, State
from lockorder.static.program.paths import Path
from walks import Walking, walking

SOURCE = """
struct Base { int sort; std::mutex mutex; };
struct Owner { Base *base; Base own; Base all[3]; int kind; bool open; std::mutex outer; };
void begin(Owner *o, Base *b) { o->base = b; }
void log(const char *, ...);
"""
TWO = "if (o->kind == 3) o->outer.lock(); else o->own.mutex.lock();"


def at(body: str, more: str = "") -> Walking:
    return walking(f"{SOURCE}{more} void f(Owner *o, bool b) {{ {body} }}")


def number(here: Walking, name: str, value: str) -> Equal:
    return Equal(here.at(name), Path.of_literal(value))


def needs(here: Walking, facts: dict[Fact, bool], lock: str) -> set[tuple[str, str, bool]]:
    found = of_object.needs(here.walk, State(facts=facts), here.at(lock))
    members = [need for need in found if isinstance(need, Member)]
    assert len(members) == len(found)
    return {(here.name(m.path), m.literal, m.truth) for m in members}


@pytest.mark.parametrize(
    ("asked", "lock", "found"),
    [
        ("o.kind", "o.outer", True),
        ("o.own.sort", "o.own.mutex", True),
        ("o.kind", "o.own.mutex", True),  # of the object that the other one is a part of
        ("o.own.sort", "o.outer", False),
        ("o.base.sort", "o.base.mutex", True),  # by a pointer that leads to one object
        ("o.base.sort", "o.own.mutex", False),
    ],
)
def test_a_member_of_the_object_says_which(asked: str, lock: str, found: bool) -> None:
    here = at("")
    expected = {(asked, "3", True)} if found else set()
    assert needs(here, {number(here, asked, "3"): True}, lock) == expected


def test_that_it_is_one_number_is_enough() -> None:
    here = at("")
    facts: dict[Fact, bool] = {number(here, "o.kind", "1"): False, here.at("o.kind"): True}
    assert needs(here, facts, "o.outer") == {("o.kind", "1", False), ("o.kind", "", True)}
    facts[number(here, "o.kind", "3")] = True
    assert needs(here, facts, "o.outer") == {("o.kind", "3", True)}


def test_a_flag_says_it_and_a_pointer_does_not() -> None:
    here = at("")
    assert needs(here, {here.at("o.open"): True}, "o.outer") == {("o.open", "", True)}
    assert needs(here, {here.at("o.base"): True}, "o.outer") == set()


@pytest.mark.parametrize(
    ("body", "more", "lasts"),
    [
        ("", "", True),
        ('log("%p", o);', "", True),
        ("o->kind = 2;", "", False),
        ("set(o);", "void set(Owner *o) { o->kind = 2; }", False),
        ("go(o);", "void set(Owner *o) { o->kind = 2; } void (*go)(Owner *) = set;", False),
        ("o = nullptr;", "", False),
    ],
)
def test_nothing_in_the_call_may_write_to_it(body: str, more: str, lasts: bool) -> None:
    here = at(body, more)
    assert of_object.lasts(here.walk, here.at("o.kind")) is lasts


def test_a_pointer_that_is_set_in_two_places_leads_to_two_objects() -> None:
    again = "void again(Owner *o, Base *b) { o->base = b; }"
    here = at("again(o, nullptr);", again)
    assert not of_object.lasts(here.walk, here.at("o.base.sort"))
    here = at("begin(o, nullptr);")
    assert of_object.lasts(here.walk, here.at("o.base.sort"))


def test_elements_are_not_told_apart() -> None:
    here = at("")
    assert not of_object.lasts(here.walk, here.at("o.all.[].sort"))


# -- what callers know -----------------------------------------------------------------------------

TAKE = f"void take(Owner *o) {{ {TWO} o->outer.unlock(); o->own.mutex.unlock(); }}"


def taken(body: str) -> set[str]:
    here = at(body, TAKE)
    here.walk.block(here.function.body, [State()])
    return here.taken()


def test_a_caller_that_has_asked_takes_only_one() -> None:
    assert taken("take(o);") == {"o.outer", "o.own.mutex"}
    assert taken("if (o->kind == 3) take(o);") == {"o.outer"}
    assert taken("if (o->kind != 3) take(o);") == {"o.own.mutex"}
    assert taken("if (o->kind == 4) take(o);") == {"o.own.mutex"}
    assert taken("o->kind = 3; take(o);") == {"o.outer"}
    assert taken("if (b) return; switch (o->kind) { case 3: take(o); }") == {"o.outer"}


def test_it_is_forgotten_where_it_may_be_another_one() -> None:
    change = "void change(Owner *o) { o->kind = 4; } "
    here = walking(
        SOURCE + TAKE + change + "void f(Owner *o) { if (o->kind == 3) { change(o); take(o); } }"
    )
    here.walk.block(here.function.body, [State()])
    assert "o.own.mutex" in here.taken()


def test_callers_of_callers_are_asked() -> None:
    above = TAKE + "void both(Owner *p) { take(p); }"
    here = at("if (o->kind == 3) both(o);", above)
    here.walk.block(here.function.body, [State()])
    assert here.taken() == {"o.outer"}


@pytest.mark.parametrize(
    ("literal", "path", "facts", "told"),
    [
        ("3", "lit", {}, True),
        ("4", "lit", {}, False),
        ("", "lit", {}, True),
        ("3", "var", {}, None),
        ("3", "var", {"3": True}, True),
        ("3", "var", {"4": True}, False),
    ],
)
def test_told(literal: str, path: str, facts: dict[str, bool], told: bool | None) -> None:
    there = Path.of_literal("3") if path == "lit" else Path.of_variable("x")
    state = State(facts={Equal(there, Path.of_literal(k)): v for k, v in facts.items()})
    need = Member(Path.of_variable("p"), literal, True)
    assert of_object.told(state, there, need) is told
