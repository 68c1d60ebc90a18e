"""Objects: what their construction and their end run, who owns them, and what was promised."""

from __future__ import annotations

import pytest

from lockorder.model import Certainty
from lockorder.static.interp import (
    destruction,
    entries,
    objects,
    obligations,
    ownership,
)
from lockorder.static.interp.known import Emptied, EndWaits, Inside, LastOwner
from lockorder.static.interp.summary import Guard, Held, Receiver, State
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import ENTRY, UNKNOWN, Path, Paths
from lockorder.static.program.required import Required
from lockorder.static.program.steps import ELEMENT
from walks import BLOCKING, EXCLUSIVE, Walking, walking

TEXT = """
std::mutex a, b, c, d, outer;
struct First { First() { std::lock_guard<std::mutex> l(a); }
               ~First() { std::lock_guard<std::mutex> l(a); } };
struct Second { Second() { std::lock_guard<std::mutex> l(b); }
                ~Second() { std::lock_guard<std::mutex> l(b); } };
struct Whole { First first; Second second; };
struct Derived : First { Second part; };
struct Written { Written() : second() { std::lock_guard<std::mutex> l(c); } Second second; };
struct Pair { std::mutex *one; Second two; };
struct Holder { std::unique_lock<std::mutex> hold; };
struct Many { First all[3]; };
struct Silent { int n; };
struct Virtual { virtual ~Virtual() {} };
struct Heir : Virtual { ~Heir() override { std::lock_guard<std::mutex> l(d); } };
struct Owning { std::unique_ptr<First> mine; };
struct Closer { void operator()(First *) { std::lock_guard<std::mutex> l(c); } };
std::unique_ptr<First> owner; std::shared_ptr<First> shared; std::vector<First> many;
std::unique_ptr<First, Closer> closed; std::unique_ptr<Virtual> heir;
std::map<int, First> table; std::vector<std::shared_ptr<First>> shares;
std::unique_lock<std::mutex> guard;
First *raw; Whole *whole; Virtual *base; Silent *silent; First value;
void job() {}
void f(First *p, std::unique_ptr<First> given, std::shared_ptr<First> copy) { %s }
"""
GIL = Path.of_named("Python GIL")


def saying(body: str = "") -> Walking:
    return walking(TEXT % body)


def construct(here: Walking, spelling: str, *args: Paths, ctor: str = "") -> list[State]:
    held = here.holding("outer")
    return objects.construct(here.walk, held, here.made, spelling, ctor, args, here.site(9))


def after_outer(here: Walking) -> set[str]:
    """What is taken while ``outer`` is held."""
    return {taken for held, taken in here.orders() if held == "outer"}


# -- construction ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spelling", "taken"),
    [
        ("First", {"a"}),
        ("Whole", {"a", "b"}),
        ("Derived", {"a", "b"}),
        ("Written", {"b", "c"}),
        ("Silent", set()),
        ("Owning", set()),
        ("Many", {"a"}),
        ("First[2]", {"a"}),
        ("First *[2]", set()),
    ],
)
def test_an_object_runs_the_constructors_of_its_parts(spelling: str, taken: set[str]) -> None:
    here = saying()
    construct(here, spelling)
    assert after_outer(here) == taken


def test_the_type_of_what_is_made_is_known() -> None:
    here = saying()
    construct(here, "Silent")
    assert here.walk.identities.made_types[here.made.root] == "Silent"


def test_a_guard_of_a_known_type_is_one() -> None:
    here = saying()
    (after,) = construct(here, "std::lock_guard<std::mutex>", here.all("a"))
    assert here.held(after) == ["outer", "a"]


def test_an_owner_of_nothing_is_empty() -> None:
    here = saying()
    (after,) = construct(here, "std::unique_ptr<First>")
    assert after.facts.get(Emptied(here.made)) is True


@pytest.mark.parametrize(
    ("spelling", "taken"),
    [
        ("std::array<First, 2>", {"a"}),
        ("std::pair<First, Second>", {"a", "b"}),
        ("std::pair<First *, int>", set()),
        ("std::vector<First>", set()),
    ],
)
def test_what_has_all_its_elements_makes_them(spelling: str, taken: set[str]) -> None:
    here = saying()
    (after,) = construct(here, spelling)
    assert after_outer(here) == taken
    assert (Emptied(here.made) in after.facts) is (spelling == "std::vector<First>")


def test_an_owner_of_something_is_not() -> None:
    here = saying()
    (after,) = construct(here, "std::unique_ptr<First>", here.all("p"))
    assert Emptied(here.made) not in after.facts


def test_a_thread_runs_what_it_is_given() -> None:
    here = saying()
    construct(here, "std::thread", (Path.of_function(here.usr("job")),))
    assert here.engine.contexts.is_thread(here.usr("job"))


def test_members_of_an_aggregate_take_values_in_order() -> None:
    here = saying()
    (after,) = construct(here, "Pair", here.all("a"), here.all("value"))
    one, two = here.made.then(here.variable("one")), here.made.then(here.variable("two"))
    assert (after.env[one], after.env[two]) == (here.all("a"), here.all("value"))


def test_a_guard_moves_into_an_aggregate() -> None:
    here = saying()
    one = here.at("guard")
    state = State(guards={one: Guard(here.all("a"), True)})
    (after,) = objects.construct(here.walk, state, here.made, "Holder", "", [(one,)], here.site())
    assert after.guards[here.made.then(here.variable("hold"))].owned


def test_what_is_written_out_does_not_run_twice() -> None:
    here = saying()
    fields = frozenset((here.variable("first"),))
    objects.implied(here.walk, here.holding("outer"), here.made, "Whole", here.site(), fields)
    assert after_outer(here) == {"b"}


# -- methods of owners -----------------------------------------------------------------------------


def owner_call(
    here: Walking, method: str, name: str, *args: Paths, state: State | None = None
) -> list[State] | None:
    path = here.at(name)
    before = (state or State()).but(held=here.holding("outer").held)
    return objects.owner_call(
        here.walk, before, method, (path,), path, here.program.type_of(path.variable), args,
        here.site(9),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("method", "name", "taken"),
    [
        ("reset", "owner", {"a"}),
        ("reset", "shared", {"a"}),
        ("clear", "many", {"a"}),
        ("clear", "table", {"a"}),
        ("pop_back", "many", {"a"}),
        ("reset", "closed", {"c"}),
        ("reset", "heir", set()),
        ("get", "owner", set()),
        ("size", "many", set()),
    ],
)
def test_what_ends_by_a_method(method: str, name: str, taken: set[str]) -> None:
    here = saying()
    owner_call(here, method, name)
    assert after_outer(here) == taken


def test_what_was_emptied_ends_nothing() -> None:
    here = saying()
    owner_call(here, "reset", "owner", state=State(facts={Emptied(here.at("owner")): True}))
    assert after_outer(here) == set()


def test_a_new_element_is_constructed() -> None:
    here = saying()
    owner_call(here, "emplace_back", "many")
    assert after_outer(here) == {"a"}


def test_set_to_null_it_owns_nothing() -> None:
    here = saying()
    found = owner_call(here, "operator=", "owner", (Path.of_literal("nullptr"),))
    assert found is not None
    assert [s.facts.get(Emptied(here.at("owner"))) for s in found] == [True]


def test_assigned_it_owns_again() -> None:
    here = saying()
    empty = State(facts={Emptied(here.at("owner")): True})
    found = owner_call(here, "operator=", "owner", here.all("given"), state=empty)
    assert found is not None
    assert Emptied(here.at("owner")) not in found[0].facts


def test_a_pointer_that_is_assigned_to_may_have_owned_something() -> None:
    here = saying()
    owner_call(here, "operator=", "owner", here.all("given"))
    found = [e.order.taken.certainty for e in here.engine.found.orders["outer", "a"]]
    assert found == [Certainty.POSSIBLE]


def test_what_is_no_owner_has_no_such_methods() -> None:
    here = saying()
    assert owner_call(here, "reset", "raw") is None


def test_map_of_key_makes_its_value() -> None:
    here = saying()
    place = here.at("table")
    objects.indexed(
        here.walk, here.holding("outer"), (place,), here.program.type_of(place.variable),
        here.site(),
    )  # fmt: skip
    assert after_outer(here) == {"a"}


def test_an_index_of_a_vector_makes_nothing() -> None:
    here = saying()
    place = here.at("many")
    objects.indexed(
        here.walk, here.holding("outer"), (place,), here.program.type_of(place.variable),
        here.site(),
    )  # fmt: skip
    assert after_outer(here) == set()


@pytest.mark.parametrize(("method", "found"), [("push_back", True), ("size", False)])
def test_which_methods_keep_their_arguments(method: str, found: bool) -> None:
    here = saying()
    place = here.at("many")
    declared = here.program.type_of(place.variable)
    assert objects.takes(here.walk, method, (place,), declared) is found


# -- the end ---------------------------------------------------------------------------------------


def destroy(here: Walking, name: str, state: State | None = None) -> State:
    before = (state or State()).but(held=here.holding("outer").held)
    return destruction.destroy(here.walk, before, here.at(name), 9)


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        ("First x;", {"a"}),
        ("Whole x;", {"a", "b"}),
        ("Derived x;", {"a", "b"}),
        ("Owning x;", {"a"}),
        ("Many x;", {"a"}),
        ("First *x = p;", set()),
        ("First x[2];", {"a"}),
        ("First x[2][3];", {"a"}),
        ("First *x[2];", set()),
        ("Silent x[2];", set()),
        ("Silent x;", set()),
        ("std::unique_ptr<First> x;", {"a"}),
        ("std::vector<First> x;", {"a"}),
        ("std::unique_ptr<First[]> x;", {"a"}),
        ("std::pair<int, First> x;", {"a"}),
        ("std::unique_ptr<First, Closer> x;", {"c"}),
    ],
)
def test_the_end_of_a_local(body: str, taken: set[str]) -> None:
    here = saying(body)
    destroy(here, "x")
    assert after_outer(here) == taken


def test_a_shared_pointer_is_mostly_not_the_last() -> None:
    here = saying("std::shared_ptr<First> x(copy);")
    destroy(here, "x")
    assert after_outer(here) == set()
    destroy(here, "x", State(facts={LastOwner(here.at("x")): True}))
    assert after_outer(here) == {"a"}
    ((emitted,),) = here.engine.found.orders.values()
    assert emitted.order.taken.certainty is Certainty.POSSIBLE


@pytest.mark.parametrize(
    ("rest", "taken"),
    [
        ("", {"a"}),
        ("x->~First();", {"a"}),
        ("shared = x;", set()),
        ("shares.push_back(x);", set()),
        ("auto y = x; shared = y;", set()),
        ("x = copy;", set()),
    ],
)
def test_a_shared_pointer_of_the_functions_own_is_the_last(rest: str, taken: set[str]) -> None:
    here = saying(f"std::shared_ptr<First> x(new First); {rest}")
    destroy(here, "x")
    assert after_outer(here) == taken


def test_what_was_moved_from_ends_nothing() -> None:
    here = saying("std::unique_ptr<First> x;")
    destroy(here, "x", State(facts={Emptied(here.at("x")): True}))
    assert after_outer(here) == set()


def test_parts_end_last_first() -> None:
    here = saying("Whole x;")
    destroy(here, "x")
    sites = [
        e.order.taken.site.inner
        for pair in (("outer", "b"), ("outer", "a"))
        for e in here.engine.found.orders[pair]
    ]
    assert [s.function for s in sites if s] == [
        here.usr("Second::~Second"),
        here.usr("First::~First"),
    ]


def test_a_future_of_async_waits() -> None:
    here = walking("std::mutex outer; void f() { std::future<int> x; }")
    place = here.at("x")
    destruction.destroy(here.walk, here.holding("outer"), place, 9)
    assert here.blocked() == set()
    state = here.holding("outer").but(facts={EndWaits(place): True})
    destruction.destroy(here.walk, state, place, 9)
    assert {lock for lock, _ in here.blocked()} == {"outer"}


@pytest.mark.parametrize(
    ("name", "taken"),
    [("raw", {"a"}), ("whole", {"a", "b"}), ("base", {"d"}), ("silent", set())],
)
def test_delete(name: str, taken: set[str]) -> None:
    here = saying(f"delete {name};")
    (event,) = here.statements(f.Delete)
    destruction.delete(here.walk, event, here.holding("outer"))
    assert after_outer(here) == taken


def test_callers_say_as_what_an_object_of_several_classes_ends() -> None:
    here = walking(
        "std::mutex a, b; struct Base { virtual ~Base() {} };"
        " struct One : Base { ~One() override { std::lock_guard<std::mutex> l(a); } };"
        " struct Two : Base { ~Two() override { std::lock_guard<std::mutex> l(b); } };"
        " void f(Base *p) { delete p; }"
    )
    ends = {
        (here.name(taken.path), need.function)
        for each in here.run().taken.values()
        for taken in each
        for need in taken.needs
        if isinstance(need, Receiver)
    }
    assert ends == {("a", "~One"), ("b", "~Two")}


def test_deleting_a_guard_gives_its_lock_up() -> None:
    here = walking("std::mutex a; std::unique_lock<std::mutex> *guard; void f() { delete guard; }")
    one = here.at("guard")
    state = State(
        (Held(here.at("a"), EXCLUSIVE, BLOCKING, here.site(), one),),
        guards={one: Guard(here.all("a"), True)},
    )
    (event,) = here.statements(f.Delete)
    assert destruction.delete(here.walk, event, state).held == ()


# -- who owns --------------------------------------------------------------------------------------

A, B = Path.of_variable("a"), Path.of_variable("b")


@pytest.mark.parametrize(
    ("state", "found"),
    [
        (State(), False),
        (State(facts={Emptied(A): True}), True),
        (State(facts={A: False}), True),
        (State(facts={A: True}), False),
        (State(env={A: (Path.of_literal("nullptr"),)}), True),
        (State(env={A: (Path.of_literal("nullptr"), B)}), False),
        (State(env={A: (B,)}, facts={B: False}), True),
        (State(env={A: (B,)}), False),
    ],
)
def test_what_owns_nothing(state: State, found: bool) -> None:
    assert ownership.is_empty(state, A) is found


def test_elements_of_what_was_emptied_own_nothing() -> None:
    state = ownership.emptied(State(), A)
    assert ownership.is_empty(state, A.then(ELEMENT))
    assert not ownership.is_empty(state, A.then("x"))


def test_filled_it_owns_again() -> None:
    state = ownership.emptied(ownership.emptied(State(), A), A.then(ELEMENT))
    assert ownership.filled(state, A).facts == {}


def test_what_is_new_has_no_past() -> None:
    marks = {Emptied(A): True, LastOwner(A): True, EndWaits(A): True}
    state = State(facts={**marks, Emptied(B): True})
    assert ownership.anew(state, A).facts == {Emptied(B): True}


def test_what_was_waited_for_does_not_wait_at_its_end() -> None:
    state = State(facts={EndWaits(A): True, EndWaits(B): True})
    assert ownership.over(state, (A,)).facts == {EndWaits(B): True}


def test_a_copy_that_lives_longer_is_the_last_then() -> None:
    here = saying("")
    here_copy, target = here.at("copy"), here.at("shared")
    state = State(facts={LastOwner(here_copy): True}, alive=(here_copy,))
    value = f.Var(here_copy.variable)
    after = ownership.copied(here.walk, state, target, [value])
    assert LastOwner(here_copy) not in after.facts


def test_a_copy_that_dies_first_is_not() -> None:
    here = saying("std::shared_ptr<First> x;")
    source, target = here.at("copy"), here.at("x")
    state = State(facts={LastOwner(source): True}, alive=(source, target))
    after = ownership.copied(here.walk, state, target, [f.Var(source.variable)])
    assert after.facts.get(LastOwner(source)) is True


def test_an_object_has_a_copy_in_it() -> None:
    here = saying("")
    place = here.at("copy")
    state = State(facts={LastOwner(place): True})
    after = ownership.put_inside(here.walk, state, here.made, [f.Var(place.variable)])
    assert after.facts.get(Inside(here.made, place)) is True
    assert ownership.put_inside(here.walk, State(), here.made, [f.Var(place.variable)]) == State()


@pytest.mark.parametrize(("name", "found"), [("owner", True), ("raw", False), ("many", False)])
def test_which_variables_own_what_they_point_to(name: str, found: bool) -> None:
    here = saying("")
    assert ownership.owns(here.walk, here.variable(name)) is found


# -- promises --------------------------------------------------------------------------------------

PROMISES = """
#define ACQUIRE(...) __attribute__((acquire_capability(__VA_ARGS__)))
#define RELEASE(...) __attribute__((release_capability(__VA_ARGS__)))
#define TRY_ACQUIRE(...) __attribute__((try_acquire_capability(__VA_ARGS__)))
#define REQUIRES(...) __attribute__((requires_capability(__VA_ARGS__)))
#define EXCLUDES(...) __attribute__((locks_excluded(__VA_ARGS__)))
struct Pool {
  std::mutex mutex; int size;
  void enter() ACQUIRE(mutex); void leave() RELEASE(mutex); bool attempt() TRY_ACQUIRE(true, mutex);
  void change() REQUIRES(mutex) { size++; }
  void report() EXCLUDES(mutex);
  void plain();
};
std::mutex outer;
Pool pool;
void f() {}
"""


def promised(here: Walking, method: str, state: State | None = None) -> list[State] | None:
    usr = next(u for u, d in here.program.decls.items() if d.name == f"Pool::{method}")
    return obligations.without_body(
        here.walk, state or State(), usr, here.all("pool"), [], here.result, here.site()
    )


def test_what_a_declaration_acquires_is_held() -> None:
    here = walking(PROMISES)
    found = promised(here, "enter", here.holding("outer"))
    assert found is not None
    assert [here.held(s) for s in found] == [["outer", "pool.mutex"]]
    assert here.orders() == {("outer", "Pool::mutex")}


def test_what_a_declaration_releases_is_not() -> None:
    here = walking(PROMISES)
    found = promised(here, "leave", here.holding("pool.mutex"))
    assert found is not None
    assert [here.held(s) for s in found] == [[]]


def test_what_a_declaration_tries_may_fail() -> None:
    here = walking(PROMISES)
    found = promised(here, "attempt")
    assert found is not None
    assert [(here.held(s), s.facts[here.result]) for s in found] == [
        (["pool.mutex"], True),
        ([], False),
    ]


def test_without_a_contract_nothing_is_promised() -> None:
    assert promised(walking(PROMISES), "plain") is None


def test_what_a_function_requires_is_held_when_it_begins() -> None:
    here = walking(PROMISES, "Pool::change")
    (held,) = obligations.on_entry(here.walk)
    assert (here.name(held.path), held.guard) == ("this.mutex", ENTRY)


def test_what_excludes_a_lock_must_not_be_called_with_it() -> None:
    here = walking(PROMISES)
    usr = next(u for u, d in here.program.decls.items() if d.name == "Pool::report")
    args = (here.all("pool"), [], here.site())
    obligations.check_excluded(here.walk, here.holding("outer"), usr, *args)
    assert here.again() == set()
    obligations.check_excluded(here.walk, here.holding("pool.mutex"), usr, *args)
    assert here.again() == {"Pool::mutex"}


# -- functions that are entered from outside -------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("PyThreadState *s = PyEval_SaveThread(); PyEval_RestoreThread(s);", "Python GIL"),
        ("PyGILState_STATE s = PyGILState_Ensure(); PyGILState_Release(s);", ""),
        ("if (PyGILState_Check()) { PyEval_SaveThread(); }", ""),
        ("abort();", ""),
    ],
)
def test_which_lock_a_function_needs(body: str, found: str) -> None:
    here = walking(f"void f() {{ {body} }}")
    assert Required(here.program, here.walk.knowledge).of(here.function) == found


@pytest.mark.parametrize(
    ("scope", "body", "found"),
    [
        ("namespace pybind11 { namespace detail {", "", "Python GIL"),
        ("namespace pybind11 { struct object {", "auto s = PyGILState_Ensure();", ""),
        ("namespace pybind11 { struct gil_scoped_acquire {", "", ""),
        ("namespace pybind11_too { namespace detail {", "", ""),
    ],
)
def test_all_of_a_library_is_entered_with_its_lock(scope: str, body: str, found: str) -> None:
    end = "}; }" if "struct" in scope else "} }"
    here = walking(f"{scope} void inside() {{ {body} }} {end} void f() {{}}")
    (usr,) = (u for u in here.program.functions if u != here.function.usr)
    function = here.program.functions[usr]
    assert Required(here.program, here.walk.knowledge).of(function) == found


TABLE = """
struct PyObject; typedef PyObject *(*PyCFunction)(PyObject *, PyObject *);
struct PyMethodDef { const char *name; PyCFunction method; int flags; const char *doc; };
std::mutex a;
static PyObject *listed(PyObject *, PyObject *) { std::lock_guard<std::mutex> l(a); return 0; }
static PyObject *other(PyObject *, PyObject *) { return 0; }
static PyMethodDef methods[] = {{"listed", listed, 0, 0}, {0, 0, 0, 0}};
void f() {}
"""


def test_functions_of_an_interpreters_table_are_called_with_its_lock() -> None:
    here = walking(TABLE)
    assert {(e.target, e.holds) for e in entries.tabled(here.engine)} == {
        (here.usr("listed"), "Python GIL")
    }


def test_what_they_take_comes_after_that_lock() -> None:
    here = walking(TABLE)
    entries.enter_all(here.engine)
    assert ("Python GIL", "a") in here.engine.found.orders


def test_a_static_one_has_the_lock_as_a_gate() -> None:
    here = walking(TABLE)
    entries.enter_all(here.engine)
    here.engine.contexts.solve(here.program, set(), lambda a, b: True)
    (gates,) = here.engine.contexts.entry(here.usr("listed"))
    assert {g.path for g in gates} == {GIL}


def test_unknown_objects_end_without_a_trace() -> None:
    here = saying("")
    state = here.holding("outer")
    assert destruction.destroy(here.walk, state, UNKNOWN, 9) is state


def test_a_guard_of_the_programs_own_that_is_only_declared_has_its_lock() -> None:
    here = walking(PROMISES)
    usr = next(u for u, d in here.program.decls.items() if d.name == "Pool::enter")
    found = obligations.without_body(
        here.walk, State(), usr, here.all("pool"), [], here.result, here.site(), here.made
    )
    assert found is not None
    assert found[0].guards[here.made] == Guard(here.all("pool.mutex"), True)
    assert found[0].held[0].guard == here.made
    plain = promised(here, "enter")
    assert plain is not None
    assert plain[0].guards == {}


@pytest.mark.parametrize("owner", [True, False])
def test_a_copy_in_an_object_that_is_copied_is_the_last_then(owner: bool) -> None:
    here = saying("")
    copy, target = here.at("copy"), here.at("many")
    inside = Inside(here.made if owner else here.result, copy)
    state = State(facts={LastOwner(copy): True, inside: True}, alive=(copy,))
    value = f.Made(99)
    after = ownership.copied(here.walk, state, target, [value])
    assert (LastOwner(copy) in after.facts) is not owner


def test_a_temporary_that_is_copied_owns_nothing_more() -> None:
    here = saying("")
    after = ownership.copied(here.walk, State(), here.at("many"), [f.Made(99)])
    assert after.facts.get(Emptied(here.made)) is True


PYBIND = """
namespace pybind11 {
struct gil_scoped_acquire { gil_scoped_acquire(); ~gil_scoped_acquire(); };
struct gil_scoped_release { gil_scoped_release(); ~gil_scoped_release(); };
}
void f() { %s }
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("pybind11::gil_scoped_release away;", "Python GIL"),
        ("pybind11::gil_scoped_acquire hold;", ""),
        ("auto away = std::make_unique<pybind11::gil_scoped_release>();", "Python GIL"),
        ("auto hold = std::make_unique<pybind11::gil_scoped_acquire>();", ""),
    ],
)
def test_a_guard_that_gives_the_gil_up_needs_it(body: str, found: str) -> None:
    here = walking(PYBIND % body)
    assert Required(here.program, here.walk.knowledge).of(here.function) == found
