"""Thread-safety attributes of real declarations, resolved to paths."""

from __future__ import annotations

from pathlib import Path as File

import pytest

from lockorder.model import Mode
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.contracts import NO_CONTRACT, ContractPaths, Contracts
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path
from lockorder.static.program.steps import member

HEAD = """\
#include <mutex>
#include <memory>
namespace ns {
std::mutex global;
struct Inner { std::mutex mu; };
struct Base { std::mutex base_mu; static std::mutex shared; };
struct Pool : Base {
  std::mutex mu_;
  Inner inner;
  Inner *pointer;
  std::unique_ptr<Inner> owned;
  Inner shards[4];
  Pool() %(attribute)s;
  void f(Pool *other, Inner &in) const %(attribute)s;
  template <class T> T made(T other) %(attribute)s;
  bool operator()(int other) %(attribute)s;
};
}
"""


def read(tmp_path: File, text: str, name: str = "x.cpp") -> Analysis:
    file = tmp_path / name
    file.write_text(text)
    return analyse([file], Options(inline=True))


def named(path: Path, program: Program) -> str:
    """A path in words: ``this``, a parameter's or a global's name, then fields."""
    root = path.root
    if path.is_this:
        shown = "this"
    elif path.is_variable:
        variable = program.variables.get(path.variable)
        shown = variable.name if variable is not None else "@" + root.key.rsplit("@", 1)[-1]
    else:
        shown = str(root)
    for step in path.steps:
        field = program.variables.get(member(step))
        shown += "." + field.name.rsplit("::", 1)[-1] if field is not None else str(step)
    return shown


def contract(found: Analysis, name: str) -> tuple[ContractPaths, Program]:
    program = found.engine.program
    contracts = Contracts(program)
    usrs = [u for u in contracts.functions if program.name_of(u) == name]
    merged = {contracts.of(u) for u in usrs}
    assert len(merged) == 1, usrs
    return merged.pop(), program


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("mu_", "this.mu_"),
        ("this->mu_", "this.mu_"),
        ("&mu_", "this.mu_"),
        ("(&this->mu_)", "this.mu_"),
        ("Pool::mu_", "this.mu_"),
        ("&ns::Pool::mu_", "this.mu_"),
        ("base_mu", "this.base_mu"),
        ("Base::base_mu", "this.base_mu"),
        ("Inner::mu", "?.mu"),
        ("other->mu_", "other.mu_"),
        ("(*other).mu_", "other.mu_"),
        ("in.mu", "in.mu"),
        ("other->inner.mu", "other.inner.mu"),
        ("inner.mu", "this.inner.mu"),
        ("pointer->mu", "this.pointer.mu"),
        ("owned->mu", "this.owned.mu"),
        ("owned.get()->mu", "this.owned.mu"),
        ("shards[i + 1].mu", "this.shards[].mu"),
        ("global", "ns::global"),
        ("ns::global", "ns::global"),
        ("::ns::global", "ns::global"),
        ("shared", "ns::Base::shared"),
        ("Pool::shared", "ns::Base::shared"),
        ('"mu_"', "this.mu_"),
    ],
)
def test_arguments(tmp_path: File, text: str, path: str) -> None:
    found = read(
        tmp_path,
        HEAD % {"attribute": ""}
        + f"void ns::Pool::f(Pool *other, Inner &in) const REQUIRES({text}) {{ }}\n",
    )
    said, program = contract(found, "ns::Pool::f")
    assert [(named(p, program), m) for p, m in said.requires] == [(path, Mode.EXCLUSIVE)]


@pytest.mark.parametrize("text", ["lock()", "unknown", "other->unknown", "mu_ + 1", "f(x).mu_"])
def test_what_names_no_object_is_left_out_and_kept_apart(tmp_path: File, text: str) -> None:
    found = read(tmp_path, HEAD % {"attribute": f"REQUIRES({text})"})
    contracts = Contracts(found.engine.program)
    assert all(contracts.of(u) == NO_CONTRACT for u in contracts.functions)
    assert {c.what for c in contracts.unresolved} == {"requires"}


@pytest.mark.parametrize(
    ("attribute", "field", "expected"),
    [
        ("REQUIRES(mu_)", "requires", [("this.mu_", Mode.EXCLUSIVE)]),
        ("ABSL_SHARED_LOCKS_REQUIRED(mu_)", "requires", [("this.mu_", Mode.SHARED)]),
        ("REQUIRES(!mu_)", "excludes", ["this.mu_"]),
        ("EXCLUDES(mu_, global)", "excludes", ["this.mu_", "ns::global"]),
        ("ACQUIRE_SHARED(mu_)", "acquires", [("this.mu_", Mode.SHARED)]),
        ("ACQUIRE()", "acquires", [("this", Mode.EXCLUSIVE)]),
        ("RELEASE(mu_)", "releases", [("this.mu_", Mode.EXCLUSIVE)]),
        ("TS_RELEASE_GENERIC(mu_)", "releases", [("this.mu_", None)]),
        ("TRY_ACQUIRE(true, mu_)", "tries", [(True, "this.mu_", Mode.EXCLUSIVE)]),
        ("TRY_ACQUIRE_SHARED(0, mu_)", "tries", [(False, "this.mu_", Mode.SHARED)]),
        ("TRY_ACQUIRE(1)", "tries", [(True, "this", Mode.EXCLUSIVE)]),
        ("__attribute__((requires_capability(mu_)))", "requires", [("this.mu_", Mode.EXCLUSIVE)]),
        ("\n    REQUIRES(\n        mu_)\n", "requires", [("this.mu_", Mode.EXCLUSIVE)]),
    ],
)
@pytest.mark.parametrize(
    "function", ["ns::Pool::Pool", "ns::Pool::f", "ns::Pool::made", "ns::Pool::operator()"]
)
def test_kinds_and_modes(
    tmp_path: File, function: str, attribute: str, field: str, expected: list[object]
) -> None:
    found = read(tmp_path, HEAD % {"attribute": attribute})
    said, program = contract(found, function)

    def shown(item: object) -> object:
        if isinstance(item, Path):
            return named(item, program)
        if isinstance(item, tuple):
            return tuple(shown(i) for i in item)
        return item

    assert [shown(i) for i in getattr(said, field)] == expected
    assert said._replace(**{field: ()}).empty
    assert found.coverage.files[0].errors == 0


def test_declaration_and_definition_are_merged_under_the_definitions_parameters(
    tmp_path: File,
) -> None:
    found = read(
        tmp_path,
        HEAD
        % {"attribute": "REQUIRES(mu_)"}
        + "void lock(ns::Pool *declared) ACQUIRE(declared->mu_);\n"
        "void lock(ns::Pool *defined) { defined->mu_.lock(); }\n"
        "void ns::Pool::f(Pool *p, Inner &in) const EXCLUDES(p->mu_) { }\n",
    )
    said, program = contract(found, "lock")
    assert [named(p, program) for p, _ in said.acquires] == ["defined.mu_"]
    said, program = contract(found, "ns::Pool::f")
    assert [named(p, program) for p, _ in said.requires] == ["this.mu_"]
    assert [named(p, program) for p in said.excludes] == ["p.mu_"]


def test_parameters_of_a_function_without_a_body_are_numbered(tmp_path: File) -> None:
    found = read(
        tmp_path, HEAD % {"attribute": ""} + "void outside(int, ns::Pool *p) RELEASE(p->mu_);\n"
    )
    said, program = contract(found, "outside")
    assert [named(p, program) for p, _ in said.releases] == ["@1.mu_"]


def test_attributes_of_lambdas_are_left_alone(tmp_path: File) -> None:
    found = read(
        tmp_path,
        "#include <mutex>\nstd::mutex mu;\n"
        "void f() { auto g = []() __attribute__((requires_capability(mu))) { }; g(); }\n",
    )
    assert Contracts(found.engine.program).functions == []


def test_a_missing_macro_costs_no_declaration(tmp_path: File) -> None:
    found = read(
        tmp_path,
        '#include "annotations.h"\n#include <mutex>\n'
        "class Pool {\n public:\n"
        "  void a() REQUIRES(mu_) { other_.lock(); other_.unlock(); }\n"
        "  int b() const EXCLUDES(mu_);\n"
        "  std::mutex mu_ ACQUIRED_BEFORE(other_);\n  std::mutex other_;\n"
        "  int x GUARDED_BY(mu_) = 3;\n};\n"
        "int Pool::b() const { return x; }\n",
    )
    names = {x.name: x.filled for x in found.engine.program.functions.values()}
    assert names["Pool::a"] is False
    assert names["Pool::b"] is False
    assert found.coverage.files[0].errors == 0


def test_a_function_that_clang_drops_keeps_its_name(tmp_path: File) -> None:
    found = read(
        tmp_path,
        '#include "gone.h"\n#include <mutex>\nstd::mutex mu;\n'
        "void gone::Thing::f() REQUIRES(mu) { mu.lock(); }\n",
    )
    names = {x.name for x in found.engine.program.functions.values()}
    assert "gone::Thing::f" in names
    assert not any("REQUIRES" in n for n in names)


def test_variables_declare_orders(tmp_path: File) -> None:
    found = read(
        tmp_path,
        "#include <mutex>\nstd::mutex outer;\n"
        "struct Pool { std::mutex a ACQUIRED_BEFORE(b, other->b); std::mutex b; Pool *other;\n"
        "  std::mutex nested ACQUIRED_AFTER(other->nested); };\n"
        "std::mutex inner ACQUIRED_AFTER(outer, Pool::b, gone);\n",
    )
    orders = {(o.before, o.after, o.line) for o in found.orders}
    assert orders == {("Pool::a", "Pool::b", 3), ("outer", "inner", 5), ("Pool::b", "inner", 5)}
    assert {o.file for o in found.orders} == {"x.cpp"}


def test_a_header_that_is_precompiled_for_several_units(tmp_path: File) -> None:
    (tmp_path / "pool.h").write_text(
        '#pragma once\n#include <mutex>\n#include "gone/annotations.h"\n'
        "class Pool { public:\n  void a() EXCLUSIVE_LOCKS_REQUIRED(mu_) { other_.lock(); }\n"
        "  std::mutex mu_ ACQUIRED_BEFORE(other_); std::mutex other_; };\n"
    )
    for i in range(3):
        (tmp_path / f"u{i}.cpp").write_text(f'#include "pool.h"\nvoid f{i}(Pool &p) {{ p.a(); }}\n')
    found = analyse([tmp_path], Options(inline=True))
    said, program = contract(found, "Pool::a")
    assert [named(p, program) for p, _ in said.requires] == ["this.mu_"]
    assert [(o.before, o.after) for o in found.orders] == [("Pool::mu_", "Pool::other_")]
