"""Calls that clang dropped and whose text gives a plain name: members of the class around them."""

from __future__ import annotations

from lockorder.static.parse import facts as f
from lockorder.static.program.binding.members import bind_members
from lockorder.static.program.link import Program
from walks import facts_of

#: the argument has a type that nobody declares, so that clang drops the call
TEXT = """
void helper(int); void one(int); void clear();
struct Base { void up(int); virtual void step(int); };
struct Other { void one(int); void alone(int); };
struct Own : Base {
  void one(int); void two(int); void two(char *); void more(int, int = 0); static void make(int) {}
  void step(int) override; void (*call)(int);
  void f();
};
void Own::f() { %s(missing::value<int>(1)); }
void g() { %s(missing::value<int>(1)); }
"""


def _called(name: str, function: str = "f") -> f.Call:
    program = Program([facts_of(TEXT % (name, name))])
    bind_members(program)
    found = [
        e
        for x in program.functions.values()
        if x.name.rpartition("::")[2] == function
        for e in f.walk(x.body)
        if isinstance(e, f.Call) and not _inner(e)
    ]
    assert len(found) == 1
    return found[0]


def _inner(call: f.Call) -> bool:
    return isinstance(call.target, f.Name) and "missing::" in call.target.text


def test_a_method_hides_functions_outside_and_other_classes() -> None:
    """Not the free ``one``, nor that of a class which has nothing to do with it."""
    target = _called("one").target
    assert isinstance(target, f.Fn)
    assert "S@Own@F@one" in target.usr
    assert isinstance(target.base, f.This)


def test_a_method_of_a_base() -> None:
    target = _called("up").target
    assert isinstance(target, f.Fn)
    assert "S@Base@F@up" in target.usr


def test_an_overrider_is_dispatched() -> None:
    assert _called("step").virtual
    assert not _called("one").virtual


def test_default_arguments_count() -> None:
    target = _called("more").target
    assert isinstance(target, f.Fn)


def test_a_static_method_has_no_object() -> None:
    target = _called("make").target
    assert isinstance(target, f.Fn)
    assert target.base is None


def test_overloads_stay_a_name_on_the_own_object() -> None:
    """Which of them depends on the type that is not known."""
    target = _called("two").target
    assert target == f.Name("two", f.This())


def test_a_field_that_is_called() -> None:
    target = _called("call").target
    assert isinstance(target, f.Field)
    assert isinstance(target.base, f.This)


def test_what_the_class_does_not_have_stays_a_name() -> None:
    for name in ("helper", "alone"):
        assert _called(name).target == f.Name(name)


def test_outside_of_a_class_nothing_is_bound() -> None:
    assert _called("one", "g").target == f.Name("one")


def test_a_base_that_is_named_is_called_itself() -> None:
    """And not what overrides its method."""
    call = _called("Base::step")
    assert isinstance(call.target, f.Fn)
    assert "S@Base@F@step" in call.target.usr
    assert isinstance(call.target.base, f.This)
    assert not call.virtual


def test_a_class_that_is_no_base_has_no_object_here() -> None:
    assert _called("Other::alone").target == f.Name("Other::alone")
