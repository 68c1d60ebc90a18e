"""Calls that clang dropped and whose text gives a name alone: what it means where it stands."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from lockorder.static.program.binding.dropped import bind_dropped
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
    bind_dropped(program)
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


def test_what_the_class_does_not_have_is_looked_up_outside() -> None:
    target = _called("helper").target
    assert isinstance(target, f.Fn)
    assert "F@helper" in target.usr
    assert target.base is None


def test_methods_of_other_classes_are_not_meant() -> None:
    assert _called("alone").target == f.Name("alone")


def test_outside_of_a_class_functions_are_meant() -> None:
    target = _called("one", "g").target
    assert isinstance(target, f.Fn)
    assert "F@one" in target.usr
    assert "S@" not in target.usr


DEFAULTS = """
void plain(int, int = 7, bool = true); void computed(int, int = sizeof(int), int = 3);
void none(int, int); struct Own { void method(int, int = 2); void g(); };
void Own::g() { %s(missing::value<int>(1)); }
"""


@pytest.mark.parametrize(
    ("name", "left_out"), [("plain", ["7", "true"]), ("computed", []), ("method", ["2"])]
)
def test_what_it_leaves_out_begins_as_it_is_declared(name: str, left_out: list[str]) -> None:
    program = Program([facts_of(DEFAULTS % name)])
    bind_dropped(program)
    (function,) = (x for x in program.functions.values() if x.name == "Own::g")
    calls = [e for e in f.walk(function.body) if isinstance(e, f.Call) and not _inner(e)]
    assert calls[-1].args[1:] == [f.Lit(text) for text in left_out]


SPACES = """
void inner(int);
namespace a { void inner(int); void outer(int); void two(int); void two(char *); namespace b {
void g() { %s(missing::value<int>(1)); } } }
namespace c { void inner(int); void two(int); void far(int); }
"""


def _target(name: str) -> f.Value:
    program = Program([facts_of(SPACES % name)])
    bind_dropped(program)
    (function,) = program.functions.values()
    (call,) = [e for e in f.walk(function.body) if isinstance(e, f.Call) and not _inner(e)]
    return call.target


def test_the_nearest_namespace_counts() -> None:
    for name in ("inner", "outer", "a::inner"):
        target = _target(name)
        assert isinstance(target, f.Fn)
        assert "N@a@F@" in target.usr


def test_overloads_are_those_of_the_nearest_namespace() -> None:
    """Which of them depends on the type that is not known."""
    assert _target("two") == f.Name("a::two")


def test_namespaces_beside_are_not_looked_into() -> None:
    assert _target("far") == f.Name("far")


def test_a_base_that_is_named_is_called_itself() -> None:
    """And not what overrides its method."""
    call = _called("Base::step")
    assert isinstance(call.target, f.Fn)
    assert "S@Base@F@step" in call.target.usr
    assert isinstance(call.target.base, f.This)
    assert not call.virtual


def test_a_class_that_is_no_base_has_no_object_here() -> None:
    assert _called("Other::alone").target == f.Name("Other::alone")
