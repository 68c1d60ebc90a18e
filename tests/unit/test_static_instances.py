"""Copies of templates for their arguments: which are made, and what they say."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static import analyse as analysis
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program


def linked(folder: Path, source: str) -> Program:
    (folder / "a.cpp").write_text(source)
    found: list[Program] = []
    run = analysis.run_engine
    with pytest.MonkeyPatch.context() as patch:

        def engine(program: Program, *rest: object) -> object:
            found.append(program)
            return run(program, *rest)  # type: ignore[arg-type]

        patch.setattr(analysis, "run_engine", engine)
        analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False))
    return found[0]


def conditions(program: Program, name: str) -> set[str]:
    """What the tests of all functions of a name are about."""
    return {
        s.cond.text if isinstance(s.cond, f.Lit) else type(s.cond).__name__
        for x in program.functions.values()
        if x.name == name
        for s in walk(x.body)
        if isinstance(s, f.If)
    }


def test_a_copy_for_each_value(tmp_path: Path) -> None:
    source = (
        "int f(); template <bool B> void t() { if (B) f(); } void a() { t<true>(); t<false>(); }"
    )
    program = linked(tmp_path, source)
    assert conditions(program, "t") == {"0", "1"}


def test_the_class_around_gives_values_to_its_methods(tmp_path: Path) -> None:
    source = """int f();
    template <bool B> struct C { void outer() { inner(); } void inner() { if (B) f(); } };
    void a() { C<true> c; c.outer(); }"""
    program = linked(tmp_path, source)
    assert conditions(program, "C::inner") == {"true"}


def test_what_nobody_makes_stays(tmp_path: Path) -> None:
    program = linked(tmp_path, "int f(); template <bool B> void t() { if (B) f(); }")
    assert conditions(program, "t") == {"Var"}
    assert not program.copies


def test_arguments_that_decide_nothing_make_no_copy(tmp_path: Path) -> None:
    source = """template <class T> void t(T value) { value.run(); }
    struct A { void run() {} }; struct B { void run() {} };
    void a() { t(A()); t(B()); }"""
    program = linked(tmp_path, source)
    assert len(program.named("t")) == 1
    assert not program.copies


def test_a_call_that_is_not_bound_keeps_the_template(tmp_path: Path) -> None:
    source = """int f();
    template <bool B> void t() { if (B) f(); }
    template <bool B> void u() { t<B>(); }
    void a() { u<true>(); t<false>(); }"""
    program = linked(tmp_path, source)
    assert "Var" in conditions(program, "t")


def test_statics_have_the_arguments_in_their_names(tmp_path: Path) -> None:
    source = """template <class T> struct C { static inline int n; static void up() { n = 1; } };
    struct A {}; struct B {};
    void a() { C<A>::up(); C<B>::up(); C<A>::n = 2; }"""
    program = linked(tmp_path, source)
    names = {v.name for v in program.variables.values() if v.name.endswith("::n")}
    assert {"C<A>::n", "C<B>::n"} <= names


def made(program: Program, name: str) -> list[f.Make]:
    """What all functions of a name make."""
    named = [x for x in program.functions.values() if x.name.rpartition("::")[2] == name]
    return [s for x in named for s in walk(x.body) if isinstance(s, f.Make)]


@pytest.mark.parametrize("text", ["new T(p, 2)", "new T{p, 2}"])
def test_what_new_makes_of_a_type_that_is_given(tmp_path: Path, text: str) -> None:
    source = (
        "struct A { A(int *, int); }; template <class T> T *t(int *p) { return TEXT; }"
        " void f(int *p) { t<A>(p); }"
    )
    (make,) = made(linked(tmp_path, source.replace("TEXT", text)), "t")
    assert make.heap
    assert make.type == "A"
    assert isinstance(make.args[0], f.Var)
    assert make.args[1] == f.Lit("2")


def test_new_without_arguments(tmp_path: Path) -> None:
    source = "struct A { A(); }; template <class T> T *t() { return new T; } void f() { t<A>(); }"
    (make,) = made(linked(tmp_path, source), "t")
    assert (make.type, make.args) == ("A", [])


def test_a_method_of_another_template_is_the_copy_for_its_arguments(tmp_path: Path) -> None:
    source = (
        "struct A {}; template <class T> struct Maker { template <int N> static T *make() {"
        " return new T(); } };"
        " template <class T> T *by() { return Maker<T>::template make<3>(); }"
        " void f() { by<A>(); }"
    )
    program = linked(tmp_path, source)
    assert {make.type for make in made(program, "make")} >= {"A"}
    (by,) = (x for x in program.functions.values() if x.name == "by")
    (call,) = (s for s in walk(by.body) if isinstance(s, f.Call))
    assert isinstance(call.target, f.Fn)
    assert call.target.usr.endswith("<A,,3>")


def test_constructors_are_handed_their_defaults(tmp_path: Path) -> None:
    source = (
        "struct B { B(int n, int *p = nullptr, bool b = true); };"
        " struct D : B { D() : B(1) {} }; B *f() { return new B(2, nullptr); }"
    )
    program = linked(tmp_path, source)
    (base,) = made(program, "D")
    assert base.args == [f.Lit("1"), f.Lit("nullptr"), f.Lit("true")]
    (other,) = made(program, "f")
    assert other.args == [f.Lit("2"), f.Lit("nullptr"), f.Lit("true")]
