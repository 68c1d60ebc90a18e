"""Who may have an object that ends, of those that its end waits for."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.program.companions import Companions
from lockorder.static.program.effects import Wait
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.pointsto import PointsTo
from walks import walking

TEXT = """
struct upload { std::mutex m; std::condition_variable done; };
struct part { std::condition_variable ready; };
struct session { part inside; upload *elsewhere; void run(); };
struct handing { upload *elsewhere; void keep(handing **all); };
void session::run() {}
void handing::keep(handing **all) { *all = this; take(this); }
void upload_all(upload *u) {}
void serve(session *s) { s->run(); }
struct worker { void loop(); };
void worker::loop() {}
void f() {}
"""


@pytest.mark.parametrize(
    ("cls", "name", "about", "have"),
    [
        ("session", "std::condition_variable::wait", "upload::done", False),
        ("session", "std::condition_variable::wait", "part::ready", True),
        ("session", "std::condition_variable::wait", "", True),
        ("session", "std::thread::join", "session::run", True),
        ("session", "std::thread::join", "worker::loop", False),
        ("session", "std::thread::join", "serve", True),
        ("session", "std::thread::join", "upload_all", True),
        ("session", "cudaFreeHost", "", True),
        ("session", "cudaEventDestroy", "", False),
        ("session", "MPI_Barrier", "", False),
        ("handing", "std::condition_variable::wait", "upload::done", True),
        ("nowhere", "std::condition_variable::wait", "upload::done", True),
    ],
)
def test_who_may_have_it(cls: str, name: str, about: str, have: bool) -> None:
    program = walking("void take(struct handing *h);" + TEXT).program
    points_to = PointsTo(program, builtin())
    companions = Companions(program, builtin(), Lifetimes(program, builtin(), points_to), points_to)
    keys = [u for u, v in program.variables.items() if v.name == about]
    keys += [u for u, fun in program.functions.items() if fun.name == about]
    assert companions.have(Wait(name, tuple(keys)), cls) is have


BARE = """
void keep(struct handing *h);
void start(void (*run)(struct served *));
namespace std { template <class F> bool any_of(int *b, int *e, F f); template <class F> struct function { function(F f); void operator()(); }; }
template <class F> void at_once(F f) { f(); }
struct hooks { void (*all)(); template <class F> void later(F f) { all = f; } };
struct lone { int used; void use() { used = 1; } };
struct handing { void out() { keep(this); } };
struct inside { int n; bool any() { return std::any_of(&n, &n, [this](int i) { return i == n; }); } };
struct direct { int n; void count() { at_once([this] { ++n; }); } };
struct kept { int n; hooks *h; void wait() { h->later([this] { ++n; }); } };
struct served { int n; };
void serve(served *s) { s->n = 1; }
void begin() { start(serve); }
struct local { int n; };
void looks(std::shared_ptr<local> p) { at_once([p] { local *l = p.get(); l->n = 1; }); }
struct caught { int n; };
void catches(caught *c, hooks *h) { h->later([c] { c->n = 1; }); }
void f() {}
"""  # noqa: E501


@pytest.mark.parametrize(
    ("cls", "bare"),
    [
        ("lone", False),
        ("handing", True),
        ("inside", False),
        ("direct", False),
        ("kept", True),
        ("served", True),
        ("local", False),
        ("caught", True),
    ],
)
def test_who_may_have_a_bare_address(cls: str, bare: bool) -> None:
    program = walking(BARE).program
    points_to = PointsTo(program, builtin())
    lifetimes = Lifetimes(program, builtin(), points_to)
    assert Companions(program, builtin(), lifetimes, points_to).is_reached_bare(cls) is bare
