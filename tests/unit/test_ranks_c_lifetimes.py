"""Objects of C++ on paper: where their destructors are run."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import MPI_C, issued, stories

BEGIN = """int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);"""
PHASE = """
struct Phase {
    explicit Phase(int n = 0) : number(n) {}
    ~Phase() { MPI_Barrier(MPI_COMM_WORLD); }
    void work() { MPI_Bcast(0, 1, MPI_INT, 0, MPI_COMM_WORLD); }
    int number;
};
struct Gather {
    ~Gather() { MPI_Gather(0, 1, MPI_INT, 0, 1, MPI_INT, 0, MPI_COMM_WORLD); }
};
void sync() { MPI_Allreduce(0, 0, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }
"""
B, G, S, C = "MPI_Barrier", "MPI_Gather", "MPI_Allreduce", "MPI_Bcast"


def source(body: str, before: str = "") -> dict[str, str]:
    main = f"int main(int argc, char **argv) {{\n    {BEGIN}\n    {body}\n    return 0;\n}}\n"
    return {"main.cpp": MPI_C + PHASE + before + main}


PROGRAMS = {
    "at the end of a block": (
        "{ Phase p(1); if (rank == 0) sync(); } sync();",
        "",
        [[S, B, S], [B, S]],
    ),
    "the last one first": ("{ Phase p; Gather g; sync(); }", "", [[S, G, B]] * 2),
    "at a return": (
        "f(rank); sync();",
        "int f(int rank) { Phase p(1); if (rank == 0) return 1; sync(); return 0; }",
        [[B, S], [S, B, S]],
    ),
    "not of what comes behind a return": (
        "f(rank); sync();",
        "int f(int rank) { if (rank == 0) return 1; Phase p(1); return 0; }",
        [[S], [B, S]],
    ),
    "at a break": (
        "for (int i = 0; i < 3; i++) { Phase p; if (i == 1 && rank == 0) break; sync(); }",
        "",
        [[S, B, B], [S, B, S, B, S, B]],
    ),
    "at a continue": (
        "for (int i = 0; i < 2; i++) { Phase p; if (i == 0) continue; sync(); }",
        "",
        [[B, S, B]] * 2,
    ),
    "not at a break in a loop inside": (
        "{ Phase p; for (int i = 0; i < 2; i++) { if (i == rank) break; sync(); } }",
        "",
        [[B], [S, B]],
    ),
    "at a goto": (
        "{ Phase p; if (rank == 0) goto out; sync(); }\nout: sync();",
        "",
        [[B, S], [S, B, S]],
    ),
    "behind a label": (
        "Gather g; Phase p; if (rank == 0) goto out; sync();\nout: sync();",
        "",
        [[S, B, G], [S, S, B, G]],
    ),
    "braces": ("{ Phase p{1}; sync(); }", "", [[S, B]] * 2),
    "nothing in brackets": ("{ Phase p; p.work(); }", "", [[C, B]] * 2),
    "auto": ("{ auto p = Phase(1); sync(); }", "", [[S, B]] * 2),
    "what a function makes": (
        "{ auto p = make(); sync(); } make();",
        "Phase make() { Phase p(1); return p; }",
        [[S, B, B]] * 2,
    ),
    "a temporary": ("Phase(1); sync(); Phase{2};", "", [[B, S, B]] * 2),
    "a reference and a pointer": (
        "{ Phase p; { Phase &q = p; Phase *r = &p; auto &s = p; sync(); } sync(); }",
        "",
        [[S, S, B]] * 2,
    ),
    "static": ("f(); sync();", "void f() { static Phase p; }", [[S]] * 2),
    "new alone": ("Phase *p = new Phase(1); auto q = new Phase; sync();", "", [[S]] * 2),
    "delete": ("Phase *p = new Phase(1); if (rank == 0) sync(); delete p;", "", [[S, B], [B]]),
    "make_unique": (
        "{ auto p = std::make_unique<Phase>(1); p->work(); sync(); }",
        "",
        [[C, S, B]] * 2,
    ),
    "unique_ptr of new": ("{ std::unique_ptr<Phase> p(new Phase(1)); sync(); }", "", [[S, B]] * 2),
    "unique_ptr that is empty": (
        "{ std::unique_ptr<Phase> p; if (rank == 0) p = std::make_unique<Phase>(1); sync(); }",
        "",
        [[S, B], [S]],
    ),
    "reset": ("{ auto p = std::make_unique<Phase>(1); p.reset(); sync(); }", "", [[B, S]] * 2),
    "reset to another": (
        "{ auto p = std::make_unique<Phase>(1); p.reset(new Phase(2)); sync(); }",
        "",
        [[B, S, B]] * 2,
    ),
    "nullptr": ("{ auto p = std::make_unique<Phase>(1); p = nullptr; sync(); }", "", [[B, S]] * 2),
    "moved": (
        "{ std::unique_ptr<Phase> q; { auto p = std::make_unique<Phase>(1); q = std::move(p);"
        " sync(); } sync(); }",
        "",
        [[S, S, B]] * 2,
    ),
    "moved to a function": (
        "auto p = std::make_unique<Phase>(1); take(std::move(p)); sync();",
        "void take(std::unique_ptr<Phase> p) { if (p) sync(); }",
        [[S, B, S]] * 2,
    ),
    "released": ("{ auto p = std::make_unique<Phase>(1); p.release(); sync(); }", "", [[S]] * 2),
    "given back": (
        "auto p = make(rank); sync();",
        "std::unique_ptr<Phase> make(int rank) { auto p = std::make_unique<Phase>(1);\n"
        "    if (rank == 0) return nullptr;\n    return p; }",
        [[B, S], [S, B]],
    ),
    "shared": (
        "{ std::shared_ptr<Phase> q; { auto p = std::make_shared<Phase>(1); q = p; sync(); }"
        " sync(); }",
        "",
        [[S, S, B]] * 2,
    ),
    "an optional": (
        "{ std::optional<Phase> p; if (rank == 0) p.emplace(1); sync(); p.reset(); sync(); }",
        "",
        [[S, B, S], [S, S]],
    ),
    "parts and bases": (
        "{ Both b; sync(); }",
        "struct Base { ~Base() { sync(); } };\n"
        "struct Both : public Base { Gather g; Phase p; ~Both() { MPI_Scan(0, 0, 1, MPI_INT, "
        "MPI_SUM, MPI_COMM_WORLD); } };\n",
        [[S, "MPI_Scan", B, G, S]] * 2,
    ),
    "a part that is a pointer of its own": (
        "{ Owner o; sync(); } { Owner o; o.drop(); sync(); }",
        "struct Owner { std::unique_ptr<Phase> p; Owner() : p(std::make_unique<Phase>(1)) {}\n"
        "void drop() { p.reset(); } };\n",
        [[S, B, B, S]] * 2,
    ),
    "a part that is begun in the head": (
        "{ Owner o(rank); sync(); }",
        "struct Last { int who; explicit Last(int w) : who(w) {}\n"
        "~Last() { if (who == 0) MPI_Barrier(MPI_COMM_WORLD); } };\n"
        "struct Owner { Last last; explicit Owner(int r) : last(r) {} };\n",
        [[S, B], [S]],
    ),
    "a base that is begun in the head": (
        "{ Child c(rank); sync(); }",
        "struct Last { int who; explicit Last(int w) : who(w) {}\n"
        "~Last() { if (who == 0) MPI_Barrier(MPI_COMM_WORLD); } };\n"
        "struct Child : Last { explicit Child(int r) : Last(r) {} };\n",
        [[S, B], [S]],
    ),
    "outside of the class": (
        "{ Out o; sync(); }",
        "struct Out { ~Out(); };\nOut::~Out() { MPI_Barrier(MPI_COMM_WORLD); }\n",
        [[S, B]] * 2,
    ),
    "a virtual one": (
        "{ std::unique_ptr<Base> b = std::make_unique<Child>(); sync(); }",
        "struct Base { virtual ~Base() {} };\n"
        "struct Child : Base { ~Child() override { MPI_Barrier(MPI_COMM_WORLD); } };\n",
        [[S, B]] * 2,
    ),
    "one that is told to do nothing": (
        "f(rank); sync();",
        "struct Maybe { bool on = true; void off() { on = false; }\n"
        "~Maybe() { if (on) MPI_Barrier(MPI_COMM_WORLD); } };\n"
        "int f(int rank) { Maybe m; if (rank == 0) return 1; m.off(); return 0; }\n",
        [[B, S], [S]],
    ),
    "an exception": (
        "try { f(rank); } catch (...) { } sync();",
        "void f(int rank) { Phase p; if (rank == 0) throw 1; sync(); }",
        [[B, S], [S, B, S]],
    ),
    "an exception that nobody catches": (
        "Phase p; if (rank == 0) throw 1; sync();",
        "",
        [[], [S, B]],
    ),
    "a parameter": ("f(Phase(1)); sync();", "void f(Phase p) { sync(); }", [[S, B, S]] * 2),
    "in a lambda": ("auto f = [&] { Phase p; sync(); }; f(); sync();", "", [[S, B, S]] * 2),
    "in a condition": (
        "if (auto p = std::make_unique<Phase>(1)) { sync(); } sync();",
        "",
        [[S, B, S]] * 2,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ends(tmp_path: Path, name: str) -> None:
    body, before, wanted = PROGRAMS[name]
    assert issued(tmp_path, source(body, before)) == wanted


def test_a_branch_that_leaves_early_is_not_gone_into_for_what_ends_there(tmp_path: Path) -> None:
    """What comes behind a return that nobody knows is found, though the return does something."""
    body = "return work(argc, rank);"
    before = (
        "int work(int argc, int rank) { Phase p(1); if (argc > 2) return 1;\n"
        "    if (rank == 0) sync();\n    return 0; }\n"
    )
    assert stories(tmp_path, source(body, before)) == [("differs", "MPI_Allreduce", "MPI_Barrier")]


def test_a_holder_of_an_object_is_followed(tmp_path: Path) -> None:
    """Nobody names the class whose destructor does something, but a part of a part has it."""
    before = (
        "struct Inner { Phase p; };\nstruct Outer { int n; Inner inner; };\n"
        "void long_one(int rank) {\n    if (rank == 0) return;\n    Outer o;\n"
        + "".join(f"    int a{i} = rank + {i};\n" for i in range(8))
        + "}\n"
    )
    told = stories(tmp_path, source("long_one(rank);", before))
    assert [t[1:] for t in told] == [("MPI_Barrier", "nothing")] or told
