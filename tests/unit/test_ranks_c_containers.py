"""Functions and objects of C++ in tables, rows and maps, on paper."""

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
    "c table": (
        "fn t[2] = {sync, bcast}; t[rank](1);",
        "",
        APART,
    ),
    "c table mod": (
        "fn t[] = {sync, bcast}; t[rank % 2](1);",
        "",
        APART,
    ),
    "c table global": (
        "t[rank % 2](1);",
        "static fn t[] = {sync, bcast};\n",
        APART,
    ),
    "c table addr": (
        "t[rank % 2](1);",
        "static int (*const t[])(int) = {&sync, &bcast};\n",
        APART,
    ),
    "c table star": (
        "(*t[rank % 2])(1);",
        "static int (*t[2])(int) = {sync, bcast};\n",
        APART,
    ),
    "c table assigned": (
        "fn t[2]; t[0]=sync; t[1]=bcast; t[rank](1);",
        "",
        APART,
    ),
    "c fn pointer": (
        "fn f = rank ? bcast : sync; f(1); ",
        "",
        APART,
    ),
    "c fn pointer decl": (
        "int (*f)(int) = rank == 0 ? sync : bcast; f(1);",
        "",
        APART,
    ),
    "ops": (
        "const struct ops *o = rank ? &b : &a; o->reduce(1);",
        "struct ops { int (*reduce)(int); };\nstatic const struct ops a = { .reduce "
        "= sync }; static const struct ops b = { .reduce = bcast };\n",
        APART,
    ),
    "ops plain": (
        "a.reduce(1);",
        "struct ops { const char *name; int (*reduce)(int); };\nstatic const struct "
        'ops a = { "a", sync };\n',
        BOTH,
    ),
    "ops table": (
        "tbl[rank].reduce(1);",
        "struct ops { const char *name; int (*reduce)(int); };\nstatic const struct "
        'ops tbl[] = { {"a", sync}, {"b", bcast} };\n',
        APART,
    ),
    "ops table designated": (
        "tbl[rank].reduce(1);",
        "typedef struct { const char *name; int (*reduce)(int); } ops;\nstatic "
        'const ops tbl[2] = { [0] = {"a", sync}, [1] = {.name = "b", .reduce = '
        "bcast} };\n",
        APART,
    ),
    "ops ptr param": (
        "run(&a, rank);",
        "struct ops { int (*reduce)(int); };\nstatic struct ops a = { .reduce = "
        "sync };\nvoid run(const struct ops *o, int r) { if (r == 0) o->reduce(r); "
        "}\n",
        FIRST,
    ),
    "ops assigned": (
        "struct ops o; o.reduce = rank ? bcast : sync; o.reduce(1);",
        "struct ops { int (*reduce)(int); };\n",
        APART,
    ),
    "vec push": (
        "std::vector<phase_fn> t; t.push_back([&](int v) { return sync(v); }); "
        "t.push_back([&](int v) { return bcast(v); }); t[rank % 2](1);",
        "",
        APART,
    ),
    "vec emplace": (
        "std::vector<std::function<int(int)>> t; t.emplace_back([&](int v) { "
        "return sync(v); }); t.emplace_back([&](int v) { return bcast(v); }); "
        "t.at(rank % 2)(1);",
        "",
        APART,
    ),
    "vec init": (
        "std::vector<std::function<int(int)>> t = { [&](int v) { return sync(v); "
        "}, [&](int v) { return bcast(v); } }; t[rank](1);",
        "",
        APART,
    ),
    "vec brace": (
        "std::vector<std::function<int(int)>> t{ [&](int v) { return sync(v); }, "
        "[&](int v) { return bcast(v); } }; t[rank](1);",
        "",
        APART,
    ),
    "std array": (
        "std::array<phase_fn, 2> t = { [&](int v) { return sync(v); }, [&](int v) "
        "{ return bcast(v); } }; t[rank](1);",
        "",
        APART,
    ),
    "std array2": (
        "std::array<phase_fn, 2> t{{ [&](int v) { return sync(v); }, [&](int v) { "
        "return bcast(v); } }}; t[rank](1);",
        "",
        APART,
    ),
    "c array of functions": (
        "phase_fn t[2] = { [&](int v) { return sync(v); }, [&](int v) { return "
        "bcast(v); } }; t[rank](1);",
        "",
        APART,
    ),
    "vec returned": (
        "const auto t = mk(); t[rank % 2](1);",
        "static std::vector<phase_fn> mk() { std::vector<phase_fn> t; "
        "t.push_back([](int v) { return sync(v); }); t.push_back([](int v) { "
        "return bcast(v); }); return t; }\n",
        APART,
    ),
    "vec loop": (
        "std::vector<cb> t; t.push_back([&]{ sync(1); }); if (rank==0) "
        "t.push_back([&]{ sync(2); }); for (auto &f : t) f();",
        "",
        [["MPI_Barrier", "MPI_Barrier"], ["MPI_Barrier"]],
    ),
    "vec loop index": (
        "std::vector<cb> t; t.push_back([&]{ sync(1); }); if (rank==0) "
        "t.push_back([&]{ sync(2); }); for (size_t i = 0; i < t.size(); i++) "
        "t[i]();",
        "",
        [["MPI_Barrier", "MPI_Barrier"], ["MPI_Barrier"]],
    ),
    "map": (
        'std::map<std::string, phase_fn> m; m["a"] = [&](int v) { return sync(v); '
        '}; m["b"] = [&](int v) { return bcast(v); }; m[rank == 0 ? "a" : "b"](1);',
        "",
        APART,
    ),
    "map init": (
        'std::map<std::string, phase_fn> m = { {"a", [&](int v) { return sync(v); '
        '}}, {"b", [&](int v) { return bcast(v); }} }; if (rank == 0) '
        'm.at("a")(1); else m["b"](2);',
        "",
        APART,
    ),
    "map brace": (
        "std::unordered_map<int, phase_fn> m{ {0, [&](int v) { return sync(v); }}, "
        "{1, [&](int v) { return bcast(v); }} }; m.at(rank)(1);",
        "",
        APART,
    ),
    "map emplace": (
        "std::map<int, phase_fn> m; m.emplace(0, [&](int v) { return sync(v); }); "
        "m.insert({1, [&](int v) { return bcast(v); }}); m[rank](1);",
        "",
        APART,
    ),
    "map find": (
        "std::map<int, phase_fn> m; m[0] = [&](int v) { return sync(v); }; auto it "
        "= m.find(rank); if (it != m.end()) it->second(1);",
        "",
        FIRST,
    ),
    "map count": (
        "std::map<int, phase_fn> m; m[0] = [&](int v) { return sync(v); }; if "
        "(m.count(rank)) m[rank](1);",
        "",
        FIRST,
    ),
    "map loop": (
        "std::map<int, phase_fn> m; m[0] = [&](int v) { return sync(v); }; if "
        "(rank == 0) m[1] = [&](int v) { return sync(v); }; for (auto &kv : m) "
        "kv.second(1);",
        "",
        [["MPI_Barrier", "MPI_Barrier"], ["MPI_Barrier"]],
    ),
    "map loop binding": (
        "std::map<int, phase_fn> m; m[0] = [&](int v) { return sync(v); }; if "
        "(rank == 0) m[1] = [&](int v) { return sync(v); }; for (const auto &[k, "
        "f] : m) f(k);",
        "",
        [["MPI_Barrier", "MPI_Barrier"], ["MPI_Barrier"]],
    ),
    "for_each": (
        "std::vector<int> v{1,2}; std::for_each(v.begin(), v.end(), [&](int x) { "
        "if (rank == 0) sync(x); });",
        "",
        [["MPI_Barrier", "MPI_Barrier"], []],
    ),
    "for_each funcs": (
        "std::vector<cb> t; t.push_back([&]{ sync(1); }); std::for_each(t.begin(), "
        "t.end(), [&](cb &f) { if (rank == 0) f(); });",
        "",
        FIRST,
    ),
    "invoke": (
        "std::invoke([&](int v) { return sync(v); }, 1); if (rank == 0) std::invoke(sync, 2);",
        "",
        [["MPI_Barrier", "MPI_Barrier"], ["MPI_Barrier"]],
    ),
    "invoke member": (
        "S s; if (rank == 0) std::invoke(&S::go, s, 1);",
        "struct S { void go(int v) { sync(v); } };\n",
        FIRST,
    ),
    "bind": (
        "auto f = std::bind(sync, 1); if (rank == 0) f();",
        "",
        FIRST,
    ),
    "function var": (
        "phase_fn f; if (rank == 0) f = [&](int v) { return sync(v); }; else f = "
        "[&](int v) { return bcast(v); }; f(1);",
        "",
        APART,
    ),
    "function member": (
        "S s; s.f = [&](int v) { if (rank == 0) sync(v); return v; }; s.run();",
        "struct S { phase_fn f; void run() { f(1); } };\n",
        FIRST,
    ),
    "handlers member": (
        "S s; s.add([&](int v) { if (rank == 0) sync(v); return v; }); s.run();",
        "struct S { std::vector<phase_fn> fs; void add(phase_fn f) { "
        "fs.push_back(std::move(f)); } void run() { for (auto &f : fs) f(1); } };\n",
        FIRST,
    ),
    "handlers member map": (
        "S s; s.add(0, sync); s.add(1, bcast); s.run(rank);",
        "struct S { std::map<int, phase_fn> fs; void add(int k, phase_fn f) { "
        "fs[k] = f; } void run(int k) { fs.at(k)(1); } };\n",
        APART,
    ),
    "handler param": (
        "each([&](int v) { if (rank == 0) sync(v); });",
        "template <class F> void each(F &&f) { f(1); }\n",
        FIRST,
    ),
    "immediate": (
        "[&] { if (rank == 0) sync(1); }();",
        "",
        FIRST,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_chosen_is_called(tmp_path: Path, name: str) -> None:
    body, before, wanted = PROGRAMS[name]
    assert issued(tmp_path, source(body, before)) == wanted
