"""What a call does: by knowledge, by the library's rules, by a name alone, or unseen."""

from __future__ import annotations

import pytest

from lockorder.knowledge.load import Knowledge, extended, load
from lockorder.static.interp import bodiless, calls, library, registries
from lockorder.static.interp.known import Emptied, EndWaits, LastOwner
from lockorder.static.interp.summary import Guard, Held, Rank, State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path, Paths
from walks import BLOCKING, EXCLUSIVE, Walking, walking

TEXT = """
struct Base { virtual void run() { std::lock_guard<std::mutex> hold(c); } static std::mutex c; };
std::mutex a, b; std::mutex Base::c;
struct Left : Base { void run() override { std::lock_guard<std::mutex> hold(a); } };
struct Right : Base { void run() override { std::lock_guard<std::mutex> hold(b); } };
void unknown(std::mutex &); void other(); void keep(void (*)()); Base *find();
void job() { std::lock_guard<std::mutex> hold(b); }
void *start(void *) { return nullptr; }
int counter;
void f(Base *p, Left *l, void (*callback)(), bool flag) { %s }
"""
GIL = Path.of_named("Python GIL")
INTERFACE = """
[[blocks]]
names = ["Work::sync"]
waits_for = "other ranks"
"""


def saying(body: str, knowledge: Knowledge | None = None) -> Walking:
    return walking(TEXT % body, knowledge=knowledge)


def called(here: Walking, state: State | None = None, number: int = 0) -> list[State]:
    return calls.call(here.walk, here.statements(f.Call)[number], state or State())


def result(here: Walking, number: int = 0) -> Path:
    return here.walk.values.result(here.statements(f.Call)[number].id)


# -- which of all that a call is -------------------------------------------------------------------


def test_a_function_that_locks_by_knowledge() -> None:
    (after,) = called(here := saying("a.lock();"))
    assert here.held(after) == ["a"]


def test_a_function_with_a_body() -> None:
    here = saying("job();")
    called(here, here.holding("a"))
    assert here.orders() == {("a", "b")}


def test_a_function_that_never_returns() -> None:
    assert called(saying("abort();")) == []


def test_a_callable_that_a_caller_knows() -> None:
    called(here := saying("callback();"))
    assert here.deferred() == {"callback"}


def test_each_call_is_counted_once() -> None:
    here = saying("job();")
    before = here.engine.calls_made, here.engine.resolved
    called(here)
    called(here)
    made, resolved = before
    assert (here.engine.calls_made, here.engine.resolved) == (made + 1, resolved + 1)


# -- virtual calls ---------------------------------------------------------------------------------


def test_a_virtual_call_runs_any_body_of_the_family() -> None:
    here = saying("p->run();")
    called(here)
    assert here.taken() == {"a", "b", "Base::c"}


def test_of_a_derived_class_it_runs_that_ones() -> None:
    here = saying("l->run();")
    called(here)
    assert here.taken() == {"a"}


def test_which_body_runs_is_for_callers_to_know() -> None:
    here = saying("p->run();")
    called(here)
    needs = {here.name(t.path): t.needs for each in here.walk.taken.values() for t in each}
    assert {n.function for n in needs["a"]} == {here.usr("Left::run")}


def test_what_ran_is_forgotten_afterwards() -> None:
    here = saying("p->run();")
    assert all(not s.facts for s in called(here))


@pytest.mark.parametrize(
    ("plain", "callers_own", "waits"),
    [("void sync() override {}", "void run() override {}", False),
     ("void sync() override {}", "", True), ("", "void run() override {}", True)],
)  # fmt: skip
def test_what_is_known_of_an_interface_stands_for_its_overrides(
    plain: str, callers_own: str, waits: bool
) -> None:
    knowledge = extended(load(INTERFACE, "library.toml"))
    text = f"""
std::mutex a;
struct Work {{ virtual void run() {{ sync(); }} virtual void sync() {{}} }};
struct Own : Work {{ {plain} {callers_own} }};
"""
    here = walking(text, "Work::run", knowledge)
    called(here, here.holding("a"))
    assert (("a", "Work::sync") in here.blocked()) is waits


def test_a_call_by_the_class_is_not_virtual() -> None:
    here = saying("p->Base::run();")
    called(here)
    assert here.taken() == {"Base::c"}


# -- bodiless --------------------------------------------------------------------------------------


def test_a_lock_that_is_handed_out_may_be_given_up_there() -> None:
    here = saying("unknown(a);")
    (after,) = called(here, here.holding("a", "b"))
    assert [h.leaked for h in after.held] == [True, False]
    assert "a" in here.engine.found.outside


def test_a_function_without_arguments_gets_nothing() -> None:
    here = saying("other();")
    (after,) = called(here, here.holding("a"))
    assert not after.held[0].leaked
    assert here.engine.found.outside == set()


def test_a_callback_is_called_before_the_call_returns() -> None:
    here = saying("keep(job);")
    called(here, here.holding("a"))
    assert here.orders() == {("a", "b")}


def test_a_thread_starts_with_nothing_held() -> None:
    here = saying("pthread_t t; pthread_create(&t, nullptr, start, nullptr);")
    called(here, here.holding("a"))
    assert here.engine.contexts.is_thread(here.usr("start"))
    assert here.orders() == set()


def test_an_object_from_elsewhere_is_known_by_who_returned_it() -> None:
    here = saying("find();")
    (after,) = called(here)
    assert after.env[result(here)] == (Path.of_call("find"),)


def outside(
    here: Walking, name: str, base: Paths = (), args: tuple[Paths, ...] = ()
) -> list[State]:
    return bodiless.outside(here.walk, State(), name, base, args, here.result, here.site())


@pytest.mark.parametrize(
    ("name", "found"),
    [("std::forward", ["counter"]), ("std::shared_ptr::get", ["counter"]), ("strlen", [])],
)
def test_what_hands_its_object_on(name: str, found: list[str]) -> None:
    here = saying("")
    args = () if name.endswith("get") else (here.all("counter"),)
    base = here.all("counter") if name.endswith("get") else ()
    (after,) = outside(here, name, base, args)
    assert here.names(after.env.get(here.result, ())) == found


def test_an_element_by_its_number() -> None:
    here = walking("std::vector<int> many; void f() {}")
    (after,) = outside(
        here, "std::vector::operator[]", here.all("many"), ((Path.of_literal("3"),),)
    )
    assert here.names(after.env[here.result]) == ["many.[3]"]


def test_an_element_by_a_variable_is_any() -> None:
    here = walking("std::vector<int> many; int i; void f() {}")
    (after,) = outside(here, "std::vector::operator[]", here.all("many"), (here.all("i"),))
    assert here.names(after.env[here.result]) == ["many.[]"]


def test_with_nothing_held_others_may_write_meanwhile() -> None:
    here = walking(
        "int shared, own; void write() { shared = 1; } void other(); void f() { other(); }"
    )
    state = State(env={p: (Path.of_literal("5"),) for p in here.all("shared", "own")})
    (after,) = calls.call(here.walk, here.call("other"), state)
    assert here.value(after, "own") == ["lit:5"]
    assert here.value(after, "shared") == []


@pytest.mark.parametrize(
    ("name", "body", "later"),
    [
        ("keep", "keep(job);", True),
        ("keep", "keep([] { a.lock(); });", True),  # it has nothing of the function around it
        ("keep", "int n = 0; auto counts = [&n] { ++n; }; each(counts);", False),
        ("std::for_each", "keep(job);", False),
    ],
)
def test_who_is_handed_a_plain_function_may_call_it_at_any_time(
    name: str, body: str, later: bool
) -> None:
    here = walking(
        (TEXT % body).replace("int counter;", "int counter; template <class F> void each(F f);")
    )
    ((*_, call),) = [here.statements(f.Call)]
    values = here.walk.values.of(call.args[0], State())
    outside(here, name if name != "keep" else here.program.called(call), (), (values,))
    assert bool(here.engine.contexts.escaped) is later


# -- by a name alone -------------------------------------------------------------------------------


def by_name(here: Walking, text: str, base: f.Value | None = None, *args: f.Value) -> list[State]:
    event = f.Call(77, f.Name(text, base), list(args), 9)
    return calls.call(here.walk, event, here.holding("a"))


def test_a_name_that_knowledge_has() -> None:
    here = saying("")
    mutex = f.Var(here.variable("b"))
    (after, _) = by_name(here, "pthread_mutex_trylock", None, mutex)
    assert here.held(after) == ["a", "b"]


def test_a_name_without_its_namespace() -> None:
    here = saying("")
    mutexes = [f.Var(here.variable(n)) for n in ("b", "Base::c")]
    (after,) = by_name(here, "lock", None, *mutexes)
    assert here.held(after) == ["a", "b", "Base::c"]


def test_a_name_that_one_function_has_is_a_guess() -> None:
    here = walking("std::mutex a, b; void only() { b.lock(); } void f() {}")
    by_name(here, "only")
    ((emitted,),) = here.engine.found.orders.values()
    assert emitted.order.taken.certainty.name == "GUESSED"


def test_a_name_that_nothing_has_does_nothing() -> None:
    here = saying("")
    (after,) = by_name(here, "nothing_here")
    assert here.held(after) == ["a"]


def test_an_assignment_by_name_says_nothing() -> None:
    here = saying("")
    (after,) = by_name(here, "operator=", f.Var(here.variable("counter")))
    assert here.held(after) == ["a"]


def test_a_macro_that_throws_where_its_check_fails() -> None:
    here = saying("")
    name, _ = next(
        (n, c) for n, c in here.walk.knowledge.checks.items() if c.leaves == "throw" and c.condition
    )
    flag = f.Var(here.variable("flag"))
    (after,) = by_name(here, name, None, flag)
    (jump,) = here.walk.jumps
    assert (jump.kind, jump.state.facts[here.at("flag")]) == ("throw", False)
    assert after.facts[here.at("flag")] is True


# -- by knowledge ----------------------------------------------------------------------------------


def test_a_wait_calls_its_predicate() -> None:
    text = (
        "std::mutex a, b; std::condition_variable v; void f() {"
        " std::unique_lock<std::mutex> k(a);"
        " v.wait(k, [] { b.lock(); b.unlock(); return true; }); }"
    )
    here = walking(text)
    here.run()
    assert ("a", "b") in here.orders()


def test_a_function_that_throws() -> None:
    here = walking("namespace std { void rethrow_exception(int); } void f() {}")
    name = sorted(here.walk.knowledge.throws)[0]
    state = here.walk
    event = f.Call(77, f.Name(name), [], 9)
    assert calls.call(state, event, State()) == []


def test_the_gil_is_given_up_and_taken_back() -> None:
    here = walking("void f() { PyThreadState *s = PyEval_SaveThread(); PyEval_RestoreThread(s); }")
    (away,) = called(here)
    assert away.released == {GIL}
    (back,) = called(here, away, 1)
    assert back.released == frozenset()


# -- callables that a library keeps ----------------------------------------------------------------

LIBRARY = """
[[callback]]
registers = ["lib::on"]
runs = ["lib::run"]
holds = "%s"
[[callback]]
registers = ["lib::later"]
thread = true
"""
KEPT = """
namespace lib { void on(void (*)()); void run(); void later(void (*)()); }
std::mutex a, b;
void job() { std::lock_guard<std::mutex> hold(b); }
void set() { lib::on(job); }
void f() {}
"""


def keeping(holds: str = "") -> Walking:
    return walking(KEPT, knowledge=extended(load(LIBRARY % holds, "library.toml")))


def test_who_runs_what_was_registered_does_so_under_its_locks() -> None:
    here = keeping()
    registries.run(here.walk, here.holding("a"), "lib::run", here.site())
    assert here.orders() == {("a", "b")}


def test_the_library_may_hold_a_lock_meanwhile() -> None:
    here = keeping("Python GIL")
    registries.run(here.walk, here.holding("a"), "lib::run", here.site())
    assert here.orders() == {("a", "b"), ("a", "Python GIL"), ("Python GIL", "b")}


def test_what_a_thread_runs_is_found() -> None:
    here = walking(
        KEPT.replace("lib::on(job)", "lib::later(job)"),
        knowledge=extended(load(LIBRARY % "", "library.toml")),
    )
    ((_, callback, targets),) = registries.on_threads(here.engine)
    assert callback.thread
    assert list(targets) == [here.usr("job")]


@pytest.mark.parametrize(("name", "alone"), [("lib::later", False), ("lib::on", True)])
def test_main_is_alone_until_a_library_starts_a_thread(name: str, alone: bool) -> None:
    here = keeping()
    here.engine.alone = True
    registries.register(here.walk, name, here.site())
    assert here.engine.alone is alone


# -- objects of the library ------------------------------------------------------------------------

OBJECTS = """
struct Node { std::mutex mutex; };
std::mutex a, b;
std::unique_lock<std::mutex> one, other;
std::unique_ptr<Node> owner, second;
std::vector<std::unique_lock<std::mutex>> locks;
Node *p; Node *q; int n, m;
void f(Node *x, Node *y) { %s }
"""


def by_lifetime(
    here: Walking, name: str, *args: Paths, base: Paths = (), state: State | None = None
) -> list[State] | None:
    events = here.statements(f.Call)
    event = events[-1] if events else f.Call(77, f.Fn("none"), [], 1)
    return library.by_lifetime(
        here.walk, event, state or State(), name, base, args, here.result, here.site()
    )


def test_what_is_moved_from_owns_nothing() -> None:
    here = walking(OBJECTS % "std::move(owner);")
    (after,) = by_lifetime(here, "std::move", here.all("owner"))
    assert after.facts.get(Emptied(here.at("owner"))) is True
    assert after.env[here.result] == here.all("owner")


def test_what_comes_of_a_move_may_be_the_last_owner() -> None:
    here = walking(OBJECTS % "std::move(owner);")
    (after,) = by_lifetime(here, "std::move", here.all("owner"))
    assert after.facts.get(LastOwner(here.result)) is True


def test_swapped_guards_have_each_others_locks() -> None:
    here = walking(OBJECTS % "std::swap(one, other);")
    one, other = here.all("one", "other")
    state = State(guards={one: Guard(here.all("a"), True), other: Guard(here.all("b"), False)})
    (after,) = by_lifetime(here, "std::swap", (one,), (other,), state=state)
    assert (after.guards[one].owned, after.guards[other].owned) == (False, True)


def test_swapped_pointers_lead_to_each_others_objects() -> None:
    here = walking(OBJECTS % "std::swap(p, q);")
    state = State(env={here.at("p"): here.all("x"), here.at("q"): here.all("y")})
    (after,) = by_lifetime(here, "std::swap", here.all("x"), here.all("y"), state=state)
    assert (here.value(after, "p"), here.value(after, "q")) == (["y"], ["x"])


def test_with_owners_their_emptiness_is_swapped() -> None:
    here = walking(OBJECTS % "std::swap(owner, second);")
    state = State(facts={Emptied(here.at("owner")): True})
    (after,) = by_lifetime(here, "std::swap", here.all("owner"), here.all("second"), state=state)
    assert set(after.facts) == {Emptied(here.at("second"))}


def compared(here: Walking, name: str, state: State | None = None) -> list[State]:
    found = by_lifetime(here, name, here.all("x"), here.all("y"), state=state)
    assert found is not None
    return found


def test_a_comparison_of_objects_has_two_outcomes() -> None:
    here = walking(OBJECTS % "")
    ways = compared(here, "std::less::operator()")
    x, y = here.all("x", "y")
    assert {(next(iter(w.ranks))[:2], w.facts[here.result]) for w in ways} == {
        ((x, y), True),
        ((y, x), False),
    }


def test_what_was_compared_before_comes_out_the_same() -> None:
    here = walking(OBJECTS % "")
    x, y = here.all("x", "y")
    (way,) = compared(here, "std::less::operator()", State(ranks=frozenset((Rank(y, x),))))
    assert way.facts[here.result] is False


def test_the_lesser_of_two_is_the_lower_one() -> None:
    here = walking(OBJECTS % "")
    for way in compared(here, "std::min"):
        (rank,) = way.ranks
        assert way.env[here.result] == (rank.low,)


def test_a_guard_that_is_put_into_a_container_is_there() -> None:
    here = walking(OBJECTS % "locks.push_back(std::move(one));")
    one = here.at("one")
    state = State(
        (Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), one),),
        guards={one: Guard(here.all("a"), True)},
    )
    (after,) = by_lifetime(
        here, "std::vector::push_back", (one,), base=here.all("locks"), state=state
    )
    assert [here.name(h.guard) for h in after.held if h.guard] == ["locks.[]"]


def test_a_future_of_async_waits_at_its_end() -> None:
    here = walking("int job() { return 1; } void f() { std::async(job); }")
    (after,) = calls.call(here.walk, here.call("async"), State())
    assert after.facts.get(EndWaits(result(here))) is True


def test_what_is_no_matter_of_lifetimes_is_not_decided_here() -> None:
    here = walking(OBJECTS % "")
    assert by_lifetime(here, "strlen", here.all("p")) is None


def test_the_object_is_unknown_where_its_expression_is() -> None:
    here = walking("struct S { std::mutex m; void g(); }; void S::g() { m.lock(); } void f() {}")
    target = f.Fn(here.usr("S::g"), f.Name("lost"))
    calls.call(here.walk, f.Call(77, target, [], 1), State())
    assert here.taken() == {"?.m"}


SPIN = """
void relax(); std::mutex a;
struct Spin { void lock() { relax(); } void unlock() { relax(); }
              bool held() { relax(); return 1; } };
Spin spin;
void f() { spin.%s(); }
"""


@pytest.mark.parametrize(("method", "held"), [("lock", ["a", "spin"]), ("held", ["a"])])
def test_a_class_that_is_a_lock_by_its_methods_is_taken(method: str, held: list[str]) -> None:
    here = walking(SPIN % method)
    (after,) = called(here, here.holding("a"))
    assert here.held(after) == held


def test_a_member_of_a_template_s_class_that_is_not_known_is_for_callers() -> None:
    here = walking("template <class T> void f(T *p) { p->strange(); }")
    called(here)
    assert here.deferred() == {"p.*method:strange"}


BINDING = """
namespace pybind11 {
struct module_ { template <class F> module_ &def(const char *, F); };
template <class F> int init(F);
}
std::mutex a;
void bound() { a.lock(); a.unlock(); }
void f(pybind11::module_ &m) { %s }
"""


@pytest.mark.parametrize(
    ("body", "entered"),
    [('m.def("x", bound);', ["bound"]), ("pybind11::init(bound);", [])],
)
def test_what_is_bound_is_entered_with_the_gil(body: str, entered: list[str]) -> None:
    here = walking(BINDING % body)
    called(here)
    assert [here.program.name_of(e.target) for e in here.engine.entered] == entered


@pytest.mark.parametrize(("given", "empty"), [("p", False), (None, True)])
def test_what_is_put_into_a_container_fills_it(given: str | None, empty: bool) -> None:
    here = walking("struct N {}; std::vector<N *> all; void f(N *p) { all.push_back(p); }")
    place = here.at("all")
    args = [here.all(given)] if given else []
    found = library.by_lifetime(
        here.walk, here.statements(f.Call)[0], State(facts={Emptied(place): True}),
        "std::vector::push_back", (place,), args, here.result, here.site(),
    )  # fmt: skip
    assert found is not None
    assert [Emptied(place) in s.facts for s in found] == [empty]
