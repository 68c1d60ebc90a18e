"""What else C++ has, on paper: enumerations, bindings, defaults, captures, templates."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import MPI_C, issued

BEGIN = """int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);"""
BEFORE = """
int sync(int v) { MPI_Barrier(MPI_COMM_WORLD); return v; }
int bcast(int v) { MPI_Bcast(0, 1, MPI_INT, 0, MPI_COMM_WORLD); return v; }
typedef int (*fn)(int);
typedef std::function<int(int)> phase_fn;
using cb = std::function<void()>;
"""
FIRST, BOTH = [["MPI_Barrier"], []], [["MPI_Barrier"]] * 2
APART = [["MPI_Barrier"], ["MPI_Bcast"]]


def source(body: str, before: str = "") -> dict[str, str]:
    main = f"int main(int argc, char **argv) {{\n    {BEGIN}\n    {body}\n    return 0;\n}}\n"
    return {"main.cpp": MPI_C + BEFORE + before + main}


PROGRAMS = {
    "switch enum class": (
        "Mode m = rank ? Mode::B : Mode::A; switch (m) { case Mode::A: sync(1); "
        "break; case Mode::B: bcast(1); break; }",
        "enum class Mode { A, B };\n",
        APART,
    ),
    "switch enum class int": (
        "switch (static_cast<Mode>(rank)) { case Mode::A: sync(1); break; case "
        "Mode::B: bcast(1); break; default: break; }",
        "enum class Mode : int { A = 0, B = 1 };\n",
        APART,
    ),
    "two enum classes": (
        "Two m = rank ? Two::Z : Two::A; if (m == Two::A) sync(1);",
        "enum class One { Z, A };\nenum class Two { A, Z };\n",
        FIRST,
    ),
    "enum class in class": (
        "S::Mode m = rank ? S::Mode::B : S::Mode::A; if (m == S::Mode::A) sync(1);",
        "struct S { enum class Mode { A, B }; };\n",
        FIRST,
    ),
    "enum class eq": (
        "Mode m = Mode::A; if (rank) m = Mode::B; if (m == Mode::B) sync(1);",
        "enum class Mode { A, B };\n",
        [[], ["MPI_Barrier"]],
    ),
    "range init list": (
        "for (int i : {0, 1}) if (rank == i) sync(i);",
        "",
        BOTH,
    ),
    "range array": (
        "int a[] = {0, 5}; for (int i : a) if (rank == i) sync(i);",
        "",
        FIRST,
    ),
    "range std array": (
        "std::array<int, 2> a{0, 5}; for (auto i : a) if (rank == i) sync(i);",
        "",
        FIRST,
    ),
    "range std array 2": (
        "std::array<int, 2> a{{0, 5}}; for (auto i : a) if (rank == i) sync(i);",
        "",
        FIRST,
    ),
    "range vector": (
        "std::vector<int> a = {0, 5}; for (auto i : a) if (rank == i) sync(i);",
        "",
        FIRST,
    ),
    "binding pair": (
        "auto [a, b] = std::make_pair(0, 1); if (rank == a) sync(1);",
        "",
        FIRST,
    ),
    "binding struct": (
        "S s{0, 1}; auto [a, b] = s; if (rank == a) sync(1);",
        "struct S { int a; int b; };\n",
        FIRST,
    ),
    "binding function": (
        "auto [r, n] = where(); if (r == 0) sync(1);",
        "static std::pair<int, int> where() { int r, n; "
        "MPI_Comm_rank(MPI_COMM_WORLD, &r); MPI_Comm_size(MPI_COMM_WORLD, &n); "
        "return {r, n}; }\n",
        FIRST,
    ),
    "binding struct function": (
        "auto [r, n] = where(); if (r == 0) sync(1);",
        "struct W { int r; int n; };\nstatic W where() { W w; "
        "MPI_Comm_rank(MPI_COMM_WORLD, &w.r); MPI_Comm_size(MPI_COMM_WORLD, &w.n); "
        "return w; }\n",
        FIRST,
    ),
    "binding struct braces function": (
        "const auto &[r, n] = where(rank); if (r == 0) sync(1);",
        "struct W { int r; int n; };\nstatic W where(int k) { return W{k, 2}; }\n",
        FIRST,
    ),
    "binding struct bare braces": (
        "const auto &[r, n] = where(rank); if (r == 0) sync(1);",
        "struct W { int r; int n; };\nstatic W where(int k) { return {k, 2}; }\n",
        FIRST,
    ),
    "bare braces member": (
        "if (where(rank).r == 0) sync(1);",
        "struct W { int r; int n; };\nstatic W where(int k) { return {k, 2}; }\n",
        FIRST,
    ),
    "tie": (
        "int r, n; std::tie(r, n) = std::make_tuple(rank, size); if (r == 0) sync(1);",
        "",
        FIRST,
    ),
    "default member": (
        "S s; if (rank == s.root) sync(1);",
        "struct S { int root = 0; };\n",
        FIRST,
    ),
    "default member braces": (
        "S s; if (rank == s.root) sync(1);",
        "struct S { int root{0}; };\n",
        FIRST,
    ),
    "default member ctor": (
        "S s(3); if (rank == s.root) sync(1);",
        "struct S { int n; int root = 0; explicit S(int k) : n(k) {} };\n",
        FIRST,
    ),
    "default member aggregate": (
        "S s{3}; if (rank == s.root) sync(1);",
        "struct S { int n; int root = 0; };\n",
        FIRST,
    ),
    "default member method": (
        "S s; s.go(rank);",
        "struct S { int root = 0; void go(int r) { if (r == root) sync(1); } };\n",
        FIRST,
    ),
    "default argument": (
        "go(rank);",
        "void go(int r, int root = 0) { if (r == root) sync(1); }\n",
        FIRST,
    ),
    "default argument decl": (
        "go(rank);",
        "void go(int r, int root = 0);\nvoid go(int r, int root) { if (r == root) sync(1); }\n",
        FIRST,
    ),
    "default argument method": (
        "S s; s.go(rank);",
        "struct S { void go(int r, bool on = true) { if (r == 0 && on) sync(1); } };\n",
        FIRST,
    ),
    "default argument method decl": (
        "S s; s.go(rank);",
        "struct S { void go(int r, int root = 0); };\nvoid S::go(int r, int root) { "
        "if (r == root) sync(1); }\n",
        FIRST,
    ),
    "default argument ctor": (
        "S s(rank); if (s.first) sync(1);",
        "struct S { bool first; S(int r, int root = 0) : first(r == root) {} };\n",
        FIRST,
    ),
    "default argument false": (
        "go(rank);",
        "void go(int r, bool all = false) { if (all || r == 0) sync(1); }\n",
        FIRST,
    ),
    "capture reference": (
        "int who = 1; auto f = [&] { if (rank == who) sync(1); }; who = 0; f();",
        "",
        FIRST,
    ),
    "capture reference write": (
        "int who = 1; auto f = [&] { who = 0; }; f(); if (rank == who) sync(1);",
        "",
        FIRST,
    ),
    "capture reference write explicit": (
        "int who = 1; auto f = [&who](int v) { who = v; }; f(0); if (rank == who) sync(1);",
        "",
        FIRST,
    ),
    "capture value": (
        "int who = 0; auto f = [=] { if (rank == who) sync(1); }; who = 1; f();",
        "",
        FIRST,
    ),
    "capture value explicit": (
        "int who = 0; auto f = [who, rank] { if (rank == who) sync(1); }; who = 1; f();",
        "",
        FIRST,
    ),
    "capture init": (
        "auto f = [who = 0, &rank] { if (rank == who) sync(1); }; f();",
        "",
        FIRST,
    ),
    "capture this": (
        "S s; s.go(rank);",
        "struct S { int root = 0; void go(int r) { auto f = [this, r] { if (r == "
        "root) sync(1); }; f(); } };\n",
        FIRST,
    ),
    "reference out": (
        "int r = 5; fill(r); if (r == 0) sync(1);",
        "void fill(int &r) { MPI_Comm_rank(MPI_COMM_WORLD, &r); }\n",
        FIRST,
    ),
    "reference local": (
        "int r = 5; int &q = r; q = rank; if (r == 0) sync(1);",
        "",
        FIRST,
    ),
    "reference local 2": (
        "S s; auto &q = s.r; q = rank; if (s.r == 0) sync(1);",
        "struct S { int r; };\n",
        FIRST,
    ),
    "template nontype": (
        "go<0>(rank);",
        "template <int Root> void go(int r) { if (r == Root) sync(1); }\n",
        FIRST,
    ),
    "template bool": (
        "go<true>(rank); go<false>(rank);",
        "template <bool All> void go(int r) { if (All || r == 0) sync(1); }\n",
        [["MPI_Barrier", "MPI_Barrier"], ["MPI_Barrier"]],
    ),
    "template constexpr": (
        "go<false>(rank);",
        "template <bool All> void go(int r) { if constexpr (All) { sync(1); } else "
        "{ if (r == 0) sync(1); } }\n",
        FIRST,
    ),
    "template type": (
        "go<int>(rank);",
        "template <typename T> void go(T r) { if (r == 0) sync(1); }\n",
        FIRST,
    ),
    "template policy": (
        "go<P>(rank);",
        "struct P { static void run() { sync(1); } };\ntemplate <typename T> void "
        "go(int r) { if (r == 0) T::run(); }\n",
        FIRST,
    ),
    "template default": (
        "go(rank);",
        "template <int Root = 0> void go(int r) { if (r == Root) sync(1); }\n",
        FIRST,
    ),
    "constexpr global": (
        "if (rank == kRoot) sync(1);",
        "constexpr int kRoot{0};\n",
        FIRST,
    ),
    "static constexpr member": (
        "if (rank == S::kRoot) sync(1);",
        "struct S { static constexpr int kRoot = 0; };\n",
        FIRST,
    ),
    "namespace const": (
        "if (rank == cfg::root) sync(1);",
        "namespace cfg { const int root = 0; }\n",
        FIRST,
    ),
    "using enum": (
        "M m = rank ? B : A; switch (m) { case A: sync(1); default: break; }",
        "enum M { A, B };\n",
        FIRST,
    ),
    "operator()": (
        "S s; if (rank == 0) s(1);",
        "struct S { void operator()(int v) { sync(v); } };\n",
        FIRST,
    ),
    "ternary fn": (
        "(rank ? bcast : sync)(1);",
        "",
        APART,
    ),
    "virtual": (
        "std::unique_ptr<Base> b; if (rank == 0) b = std::make_unique<A>(); else b "
        "= std::make_unique<B>(); b->go();",
        "struct Base { virtual void go() = 0; };\nstruct A : Base { void go() "
        "override { sync(1); } };\nstruct B : Base { void go() override { bcast(1); "
        "} };\n",
        APART,
    ),
    "virtual vec": (
        "std::vector<std::unique_ptr<Base>> v; v.push_back(std::make_unique<A>()); "
        "if (rank == 0) v.emplace_back(std::make_unique<B>()); for (auto &s : v) "
        "s->go();",
        "struct Base { virtual void go() = 0; };\nstruct A : Base { void go() "
        "override { sync(1); } };\nstruct B : Base { void go() override { bcast(1); "
        "} };\n",
        [["MPI_Barrier", "MPI_Bcast"], ["MPI_Barrier"]],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_of_which_rank(tmp_path: Path, name: str) -> None:
    body, before, wanted = PROGRAMS[name]
    assert issued(tmp_path, source(body, before)) == wanted


MISSED = {
    "a member of a pair": ("std::pair<int, int> p(rank, 1); if (p.first == 0) sync(1);", "", FIRST),
    "get": ("auto t = std::make_tuple(rank, 1); if (std::get<0>(t) == 0) sync(1);", "", FIRST),
    "a number of a class template": (
        "S<1> s; s.go(rank);",
        "template <int Root> struct S { void go(int r) { if (r == Root) sync(1); } };\n",
        FIRST[::-1],
    ),
}


@pytest.mark.xfail(reason="not read")
@pytest.mark.parametrize("name", MISSED)
def test_what_is_not_understood(tmp_path: Path, name: str) -> None:
    body, before, wanted = MISSED[name]
    assert issued(tmp_path, source(body, before)) == wanted


def test_defaults_that_another_file_declares(tmp_path: Path) -> None:
    sources = source("go(rank);", "void go(int r, int root = 0);\n")
    sources["other.cpp"] = MPI_C + (
        "void go(int r, int root) { if (r == root) MPI_Barrier(MPI_COMM_WORLD); }\n"
    )
    assert issued(tmp_path, sources) == FIRST


def test_defaults_that_are_not_agreed_on(tmp_path: Path) -> None:
    """Two functions by one name: of none it is known what it gets."""
    before = (
        "struct A { void go(int r, int root = 0); };\nstruct B { void go(int r, int root = 1); };\n"
        "void A::go(int r, int root) { if (r == root) sync(1); }\n"
    )
    sources = source("A a; a.go(0);", before)
    assert issued(tmp_path, sources)[0] == issued(tmp_path, sources)[1]
