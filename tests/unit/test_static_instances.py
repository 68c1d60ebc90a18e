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
