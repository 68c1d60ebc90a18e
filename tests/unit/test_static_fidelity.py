"""What clang drops without headers is put back, and counted."""

from pathlib import Path

import pytest

from lockorder.cycles import find_cycles
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.discovery.inputs import Disk
from lockorder.static.driver.options import Options
from lockorder.static.parse import headers
from lockorder.static.parse.recovery.tree import Syntax

HEAD = '#include <mutex>\n#include "vendor/gone.h"\nstd::mutex a;\nstd::mutex b;\n'
BACK = "void back() { std::lock_guard<std::mutex> x(b); std::lock_guard<std::mutex> y(a); }\n"


def check(tmp_path: Path, text: str) -> Analysis:
    file = tmp_path / "x.cpp"
    file.write_text(text)
    return analyse([file], Options(inline=True))


@pytest.mark.parametrize(
    "forth",
    [
        # an unknown type among the parameters, an unknown call around a lambda
        "void forth(vendor::Thing t) { std::lock_guard<std::mutex> x(a); "
        "t.run([&] { }); std::lock_guard<std::mutex> y(b); }",
        # the guard's statement is fine, the call under it is lost
        "void take() { std::lock_guard<std::mutex> y(b); }\n"
        "void forth() { std::lock_guard<std::mutex> x(a); vendor::call(1, take()); }",
        # a declaration of an unknown type whose initialiser takes the lock
        "int take() { std::lock_guard<std::mutex> y(b); return 1; }\n"
        "void forth() { std::lock_guard<std::mutex> x(a); vendor::Thing t(take()); }",
        # a whole function whose class is unknown
        "void take() { std::lock_guard<std::mutex> y(b); }\n"
        "void vendor::Thing::forth() { std::lock_guard<std::mutex> x(a); take(); }",
        # a return of an unknown constant after the locks
        "int forth() { std::lock_guard<std::mutex> x(a); std::lock_guard<std::mutex> y(b); "
        "return vendorSuccess; }",
        # a lambda with an unknown parameter type
        "void take() { std::lock_guard<std::mutex> y(b); }\n"
        "template <class F> void each(F f) { f(1); }\n"
        "void forth() { std::lock_guard<std::mutex> x(a); "
        "each([&](vendor::Thing t) { take(); }); }",
    ],
)
def test_locks_in_statements_that_clang_drops(tmp_path: Path, forth: str) -> None:
    found = check(tmp_path, HEAD + BACK + forth + "\n")
    assert [c.locks for c in find_cycles(found.graph).cycles] == [("a", "b")]
    assert found.coverage.locks_share == 1.0
    assert found.coverage.calls_share == 1.0
    assert found.coverage.headers_missing == ("vendor/gone.h",)


def test_code_that_is_off_is_counted_and_not_read(tmp_path: Path) -> None:
    text = (
        "#include <mutex>\nstd::mutex a; std::mutex b;\n"
        + BACK
        + "void forth() {\n#if 0\n std::lock_guard<std::mutex> x(a); take(b); "
        "std::lock_guard<std::mutex> y(b);\n#endif\n}\n"
    )
    found = check(tmp_path, text)
    assert find_cycles(found.graph).cycles == ()
    assert sum(f.inactive for f in found.coverage.files) == 1


def test_calls_are_told_from_casts_macros_and_operators() -> None:
    syntax = Syntax(
        b"#define MY(x) x\nvoid f() { g(1); MY(h()); static_cast<int>(2); int(3); CHECK_OK(i()); "
        b"sizeof(j()); a.k(); assert(1); }\nint global = l();\n"
    )
    counted = syntax.count(frozenset({"MY"}), [])
    assert len(counted.calls) == 4  # g, h, i, k; of j only the type of its result is asked for


def test_an_export_macro_does_not_hide_a_class() -> None:
    syntax = Syntax(b"class MY_API Thing : public Base {\n  void f(int a = g()) override;\n};\n")
    assert syntax.count(frozenset(), []).calls == []


def test_without_any_standard_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers, "_answered", {})
    monkeypatch.setattr(headers, "_understood", lambda *_: False)
    assert headers.locate(tmp_path, Disk(), inline=True).fallback
    found = check(
        tmp_path,
        "#include <mutex>\nstd::mutex a; std::mutex b;\n"
        "void forth() { std::scoped_lock x{a}; std::unique_lock<std::mutex> y(b); }\n" + BACK,
    )
    assert [c.locks for c in find_cycles(found.graph).cycles] == [("a", "b")]
    assert found.coverage.headers_missing == ()


def test_members_without_a_name_are_told_apart(tmp_path: Path) -> None:
    """Two locks in unnamed structs are two; no name shows where the checkout lies."""
    file = tmp_path / "x.c"
    file.write_text("""\
#include <pthread.h>
struct box { struct { pthread_mutex_t in; }; struct { pthread_mutex_t out; }; };
struct box *one;
void forth(void) { pthread_mutex_lock(&one->in); pthread_mutex_lock(&one->out); }
void back(void) { pthread_mutex_lock(&one->out); pthread_mutex_lock(&one->in); }
""")
    found = analyse([file], Options(inline=True))
    (cycle,) = find_cycles(found.graph).cycles
    assert len(set(cycle.locks)) == 2
    assert all(str(tmp_path) not in lock for lock in cycle.locks), cycle.locks
