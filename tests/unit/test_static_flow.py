"""Ways through one function: blocks, branches, loops, switches, jumps and exceptions."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from lockorder.bounds import Cuts
from lockorder.static.interp import fixedpoint
from lockorder.static.interp.activation import Activation
from lockorder.static.interp.flow import Flow
from lockorder.static.interp.known import AtFirst, Emptied, Equal, Operation, Receives, Runs
from lockorder.static.interp.summary import (
    BOTTOM,
    EMPTY,
    SEVERAL,
    Bits,
    Flag,
    Has,
    Outcome,
    Premise,
    Receiver,
    State,
    Summary,
    Taken,
)
from lockorder.static.interp.walking import Jump, Walk
from lockorder.static.parse.facts import Block, Loop
from lockorder.static.program import roots
from lockorder.static.program.paths import ENTRY, Path
from lockorder.static.program.steps import GUARDED
from walks import BLOCKING, EXCLUSIVE, Walking, walking

TEXT = """
std::mutex a, b, c;
struct Node { std::mutex mutex; Node *next; };
bool ask(); int number(); void mayThrow(); void use(int);
std::unique_lock<std::mutex> give();
%s
"""


def body(text: str, before: str = "") -> Walking:
    return walking(TEXT % f"{before} void f(int n, bool flag, Node *p) {{ {text} }}")


def ends(here: Walking, state: State | None = None) -> list[list[str]]:
    """What is held where the body ends, on each way."""
    found = Flow.block(here.walk, here.function.body, [state or State()])
    return sorted(here.held(s) for s in found)


# -- blocks ----------------------------------------------------------------------------------------


def test_events_follow_each_other() -> None:
    assert ends(body("a.lock(); b.lock(); a.unlock();")) == [["b"]]


def test_locals_die_where_their_block_ends() -> None:
    here = body("{ std::lock_guard<std::mutex> x(a); } b.lock();")
    assert ends(here) == [["b"]]
    assert here.orders() == set()


def test_the_last_local_dies_first() -> None:
    before = "struct Noisy { std::mutex &m; ~Noisy() { std::lock_guard<std::mutex> l(m); } };"
    here = body("std::lock_guard<std::mutex> x(a); Noisy y{b};", before)
    ends(here)
    assert here.orders() == {("a", "b")}


def test_after_a_return_comes_nothing() -> None:
    here = body("return; a.lock();")
    assert ends(here) == []
    assert [j.kind for j in here.walk.jumps] == ["return"]


def test_a_return_ends_all_locals() -> None:
    here = body("std::lock_guard<std::mutex> x(a); { std::lock_guard<std::mutex> y(b); return; }")
    ends(here)
    assert [here.held(j.state) for j in here.walk.jumps] == [[]]


# -- branches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("if (flag) a.lock();", [[], ["a"]]),
        ("if (flag) a.lock(); else b.lock();", [["a"], ["b"]]),
        ("if (flag) a.lock(); if (flag) b.lock();", [[], ["a", "b"]]),
        ("if (flag) a.lock(); if (!flag) b.lock();", [["a"], ["b"]]),
        ("if (flag) a.lock(); if (flag) a.unlock();", [[]]),
        ("if (true) a.lock();", [["a"]]),
        ("if (false) a.lock();", [[]]),
        ("flag ? a.lock() : b.lock();", [["a"], ["b"]]),
        ("if (flag) return; a.lock();", [["a"]]),
        ("if (flag && n) a.lock(); if (!flag) b.lock();", [[], ["a"], ["b"]]),
    ],
)
def test_branches(text: str, found: list[list[str]]) -> None:
    assert ends(body(text)) == found


def test_ways_that_lock_alike_go_on_as_one() -> None:
    here = body("if (flag) use(1); else use(2);")
    assert len(here.walk.block(here.function.body, [State()])) == 1


# -- loops -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("while (ask()) use(1);", [[]]),
        ("for (int i = 0; i < 3; i++) use(i);", [[]]),
        ("while (ask()) { a.lock(); a.unlock(); }", [[]]),
        ("while (true) { a.lock(); break; }", [["a"]]),
        ("while (true) { if (ask()) { a.lock(); break; } }", [["a"]]),
        ("do { a.lock(); } while (false);", [["a"]]),
        ("while (ask()) { if (flag) continue; a.lock(); a.unlock(); }", [[]]),
        ("while (ask()) { a.lock(); if (flag) { a.unlock(); continue; } a.unlock(); }", [[]]),
        ("while (ask()) { a.lock(); break; }", [[], ["a"]]),
        ("for (;;) { use(1); }", []),
    ],
)
def test_loops(text: str, found: list[list[str]]) -> None:
    assert ends(body(text)) == found


def test_two_loops_over_the_same_go_round_equally_often() -> None:
    here = body(
        "for (int i = 0; i < n; i++) { p->next[i].mutex.lock(); }"
        "for (int i = 0; i < n; i++) { p->next[i].mutex.unlock(); }"
    )
    assert ends(here) == [[]]


def test_a_loop_over_nothing_takes_nothing() -> None:
    here = body("for (int i = 0; i < n; i++) { p->next[i].mutex.lock(); }")
    assert [] in ends(here)


def test_a_lock_that_is_kept_is_taken_again_in_the_next_round() -> None:
    here = body("while (ask()) a.lock();")
    ends(here)
    assert here.again() == {"a"}


def test_with_one_more_element_nothing_is_new() -> None:
    here = body("")
    once, twice = here.holding("p.next.[].mutex"), here.holding(*["p.next.[].mutex"] * 2)
    assert once.key() == twice.key()


def test_one_lock_that_is_had_twice_is_not_had_once() -> None:
    here = body("")
    assert here.holding("a").key() != here.holding("a", "a").key()
    often = (here.holding(*["a"] * number).key() for number in (SEVERAL, SEVERAL + 1))
    assert len(set(often)) == 1


# -- switches --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("switch (n) { case 1: a.lock(); break; case 2: b.lock(); }", [[], ["a"], ["b"]]),
        ("switch (n) { case 1: a.lock(); case 2: b.lock(); }", [[], ["a", "b"], ["b"]]),
        ("switch (n) { case 1: a.lock(); break; default: b.lock(); }", [["a"], ["b"]]),
        ("switch (n) { default: a.lock(); }", [["a"]]),
        ("n = 2; switch (n) { case 1: a.lock(); break; case 2: b.lock(); }", [["b"]]),
        ("n = 3; switch (n) { case 1: a.lock(); break; default: b.lock(); }", [["b"]]),
        ("switch (n) { case 1: return; default: b.lock(); }", [["b"]]),
    ],
)
def test_switches(text: str, found: list[list[str]]) -> None:
    assert ends(body(text)) == found


# -- jumps -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("if (flag) goto out; a.lock(); out: b.lock();", [["a", "b"], ["b"]]),
        ("goto out; a.lock(); out: ;", [[]]),
        ("{ std::lock_guard<std::mutex> x(a); goto out; } out: b.lock();", [["b"]]),
    ],
)
def test_gotos(text: str, found: list[list[str]]) -> None:
    assert ends(body(text)) == found


# -- exceptions ------------------------------------------------------------------------------------


def test_an_exception_goes_to_the_handler() -> None:
    here = body("try { a.lock(); throw 1; } catch (...) { b.lock(); }")
    assert ["a", "b"] in ends(here)


def test_guards_have_given_their_locks_up_there() -> None:
    here = body("try { std::lock_guard<std::mutex> x(a); throw 1; } catch (...) { b.lock(); }")
    assert ends(here) == [["b"]]
    assert here.orders() == set()


def test_without_a_handler_it_leaves_the_function() -> None:
    here = body("a.lock(); throw 1;")
    assert ends(here) == []
    assert [(j.kind, here.held(j.state)) for j in here.walk.jumps] == [("throw", ["a"])]


def test_the_same_exception_leaves_once() -> None:
    here = body("")
    state = here.holding("a")
    here.walk.throw(state, 1)
    here.walk.throw(state, 2)
    assert len(here.walk.jumps) == 1


def test_with_nothing_locked_it_makes_no_difference() -> None:
    here = body("")
    here.walk.throw(State(), 1)
    assert here.walk.jumps == []


def test_what_a_guard_holds_is_given_up_anyway() -> None:
    here = body("")
    state = here.holding("a")
    state = state.but(held=(state.held[0]._replace(guard=Path.of_variable("guard")),))
    here.walk.throw(state, 1)
    assert here.walk.jumps == []


# -- initialisers ----------------------------------------------------------------------------------


def test_an_initialiser_runs_under_its_guard() -> None:
    here = body("static int x = make(); use(x);", "int make() { a.lock(); a.unlock(); return 1; }")
    ends(here)
    assert {pair for pair in here.orders() if pair[1] == "a"} == {
        ("f()::x (initialiser)", "a")
    } or {y for _, y in here.orders()} == {"a"}


def test_one_that_takes_nothing_keeps_nobody_waiting() -> None:
    here = body("a.lock(); static int x = number(); use(x);")
    ends(here)
    assert here.orders() == set()


# -- the whole function ----------------------------------------------------------------------------


def test_a_function_tells_how_it_can_end() -> None:
    here = body("if (flag) p->mutex.lock();")
    found = here.run()
    assert sorted(len(o.held) for o in found.outcomes) == [0, 1]
    assert found.ends


def test_a_function_that_never_returns_has_no_end() -> None:
    here = body("for (;;) use(1);")
    found = here.run()
    assert (found.ends, found.outcomes) == (False, ())


@pytest.mark.parametrize(
    ("text", "value", "flag"),
    [("return 0;", "0", False), ("return 7;", "7", True), ("return number();", "", None)],
)
def test_a_number_that_is_returned_is_told(text: str, value: str, flag: bool | None) -> None:
    here = walking(TEXT % f"int f() {{ {text} }}")
    (way,) = here.run().outcomes
    assert (way.value, way.flag) == (value, flag)


def test_what_a_function_writes_for_its_caller_is_told() -> None:
    here = body("p->next = nullptr;")
    (way,) = here.run().outcomes
    assert [(here.name(p), here.names(v)) for p, v in way.bindings] == [("p.next", ["lit:nullptr"])]


def test_what_it_writes_to_its_own_locals_is_not() -> None:
    here = body("Node mine; mine.next = p;")
    (way,) = here.run().outcomes
    assert way.bindings == ()


def test_a_guard_that_is_returned_is_handed_over() -> None:
    here = walking(
        TEXT % "std::unique_lock<std::mutex> f() { std::unique_lock<std::mutex> x(a); return x; }"
    )
    (way,) = here.run().outcomes
    assert way.guard is not None
    assert (way.guard.owned, here.names(way.guard.paths)) == (True, ["a"])
    assert [here.name(h.path) for h in way.held] == ["a"]


def test_a_lock_in_a_local_is_gone_with_it() -> None:
    here = body("std::mutex mine; mine.lock();")
    (way,) = here.run().outcomes
    assert way.held == ()


def test_a_function_that_does_not_throw_leaves_by_no_exception() -> None:
    here = walking(TEXT % "void f() noexcept { a.lock(); mayThrow(); throw 1; }")
    assert here.run().thrown == ()


def test_a_guard_by_value_dies_with_the_call() -> None:
    here = walking(TEXT % "void f(std::unique_lock<std::mutex> given) {}")
    (way,) = here.run().outcomes
    assert [p.steps for p in way.released] == [(GUARDED,)]


def test_a_guard_by_reference_does_not() -> None:
    here = walking(TEXT % "void f(std::unique_lock<std::mutex> &given) {}")
    (way,) = here.run().outcomes
    assert way.released == frozenset()


def test_what_was_needed_and_is_gone_was_given_up() -> None:
    here = walking(TEXT % "void f() { PyThreadState *s = PyEval_SaveThread(); }")
    (way,) = here.run().outcomes
    assert way.released == {Path.of_named("Python GIL")}
    assert all(h.guard != ENTRY for h in way.held)


# -- conditions that callers can check -------------------------------------------------------------


def needs(here: Walking, *facts: object) -> frozenset[object]:
    return here.walk.needs(State(facts=dict.fromkeys(facts, True)))  # type: ignore[arg-type]


def test_a_flag_that_was_tested_is_needed() -> None:
    here = body("")
    assert needs(here, here.at("flag")) == {Flag(here.variable("flag"), True)}


def test_a_pointer_that_was_tested_is_needed() -> None:
    here = body("")
    assert needs(here, here.at("p")) == {Flag(here.variable("p"), True)}


@pytest.mark.parametrize("changed", ["p = nullptr;", "flag = false;"])
def test_what_the_function_changes_itself_is_not(changed: str) -> None:
    here = body(changed)
    name = changed.split(maxsplit=1)[0]
    assert needs(here, here.at(name)) == frozenset()


def test_other_facts_are_no_needs() -> None:
    here = body("")
    assert needs(here, Equal(here.at("n"), here.at("p"))) == frozenset()


def test_bits_that_were_tested_are_needed() -> None:
    here = body("")
    fact = Operation("&", here.at("n"), Path.of_literal("4"))
    assert needs(here, fact) == {Bits(here.variable("n"), "4", True)}


def test_whether_the_gil_is_had_is_needed() -> None:
    here = body("")
    assert needs(here, Path(roots.Holds("Python GIL"))) == {Has("Python GIL", True)}


def test_bodies_that_ran_are_needed() -> None:
    here = body("")
    fact = Receives(here.at("p"), "c:g")
    assert needs(here, fact) == frozenset()  # of another walk
    here.walk.receiving[fact] = None
    assert needs(here, fact) == {Receiver(here.at("p"), "c:g")}


def test_rows_of_tables_that_ran_are_needed() -> None:
    here = body("")
    row = Runs(here.at("p"), "m", "c:g")
    here.walk.running[row] = None
    assert needs(here, row) == {row}


def test_what_was_so_at_first_is_a_premise() -> None:
    here = body("")
    member = here.at("p.next")
    state = State(facts={AtFirst(member, ""): True, here.at("n"): False, here.at("p.mutex"): True})
    assert here.walk.at_first(state) == {
        Premise(member, "", True),
        Premise(here.at("n"), "", False),  # a parameter that nothing changes
    }


@pytest.mark.parametrize(
    ("text", "constant"),
    [("use(n);", True), ("n = 1;", False), ("n++;", False)],
)
def test_parameters_that_keep_their_value(text: str, constant: bool) -> None:
    here = body(text)
    assert here.walk.is_constant(here.at("n")) is constant


# -- walks -----------------------------------------------------------------------------------------


def test_objects_die_in_reverse_order_of_their_declarations() -> None:
    here = body("")
    one, two, three = (Path.of_variable(n) for n in "123")
    state = here.walk.lives(here.walk.lives(State(), one), two)
    state = here.walk.lives(state.but(alive=(two,)), three)
    assert here.walk.lives(state, one).alive == (one, two, three)
    assert here.walk.lives(state, two) is state


@pytest.mark.parametrize(
    ("name", "key"), [("p.mutex", "mutex"), ("a", "a"), ("p", ""), ("p.next.[]", "next")]
)
def test_the_declaration_that_a_path_ends_in(name: str, key: str) -> None:
    here = body("")
    assert here.walk.declaration(here.at(name)) == (here.variable(key) if key else "")


def test_only_who_knows_what_objects_do_can_walk() -> None:
    assert Walk.__abstractmethods__
    assert not Activation.__abstractmethods__


def test_a_walk_that_has_not_begun_knows_nothing() -> None:
    here = body("a.lock();")
    assert Activation(here.engine, here.function).summary == EMPTY


def test_no_scope_no_step() -> None:
    here = body("")
    states = [State()]
    assert Flow.block(here.walk, Block([]), states) is states


# -- functions that call each other ----------------------------------------------------------------

RECURSIVE = """
std::mutex a, b;
void odd(int n);
void even(int n) { std::lock_guard<std::mutex> l(a); if (n) odd(n - 1); }
void odd(int n) { std::lock_guard<std::mutex> l(b); if (n) even(n - 1); }
void forever(int n) { a.lock(); forever(n); }
void f() { even(3); }
"""


def test_both_take_what_either_takes() -> None:
    here = walking(RECURSIVE)
    for name in ("even", "odd"):
        found = here.engine.summary(here.usr(name))
        assert {here.name(p) for p, _, _ in found.taken} == {"a", "b"}


def test_each_comes_after_the_other() -> None:
    here = walking(RECURSIVE)
    assert {("a", "b"), ("b", "a")} <= set(here.engine.found.orders)


def test_a_function_without_a_way_out_is_taken_to_come_back() -> None:
    here = walking(RECURSIVE)
    assert here.engine.summary(here.usr("forever")).ends


class _Draft:
    """A walk of a function that takes one lock and all that it calls takes."""

    def __init__(self, engine: _Walks, usr: str) -> None:
        self.waits_for_group = False
        self.inside = engine.calls[usr]
        paths = {Path.of_variable(usr)}
        for callee in self.inside:
            paths |= {path for path, _, _ in engine.known[callee].taken}
        self._paths = paths
        self._ends = all(engine.known[c].ends for c in self.inside if c in engine.needed)
        self._usr = usr

    @property
    def summary(self) -> Summary:
        site = walking("void f() {}").site()
        taken = {
            (p, EXCLUSIVE, BLOCKING): (Taken(p, EXCLUSIVE, BLOCKING, site),) for p in self._paths
        }
        return Summary(taken, outcomes=(Outcome(),) if self._ends else (), ends=self._ends)

    def catch_up(self, grown: dict[str, Summary]) -> None:
        for callee in self.inside:
            if callee in grown:
                self._paths |= {path for path, _, _ in grown[callee].taken}

    def forget(self) -> None:
        pass


_REPORTED = Summary({}, ends=True)


class _Walks:
    """Functions by what they call; those in *needed* must come back for their callers to."""

    def __init__(self, calls: dict[str, tuple[str, ...]], needed: tuple[str, ...] = ()) -> None:
        self.calls, self.needed = calls, needed
        self.known: dict[str, Summary] = {}
        #: what was known when the first walk reported
        self.solved: dict[str, Summary] = {}
        self.cuts = Cuts()
        self.reported: list[str] = []

    def is_parameter(self, path: Path) -> bool:
        return False

    def drafting(self):
        return nullcontext()

    def draft(self, usr: str) -> _Draft:
        return _Draft(self, usr)

    def learn(self, summaries: dict[str, Summary]) -> None:
        self.known.update(summaries)

    def report(self, usr: str) -> Summary:
        self.reported.append(usr)
        self.solved = self.solved or {**self.known}
        assert all(self.known[u] is not _REPORTED for u in self.calls)
        return _REPORTED


@pytest.mark.parametrize("order", ["xyz", "zyx", "yxz"])
def test_the_order_of_functions_makes_no_difference(order: str) -> None:
    engine = _Walks({"x": ("y",), "y": ("z",), "z": ("x",)})
    fixedpoint.solve(engine, list(order))
    assert engine.reported == list(order)
    for usr in order:
        assert {p for p, _, _ in engine.solved[usr].taken} == set(map(Path.of_variable, "xyz"))
        assert engine.known[usr] is _REPORTED


def test_nothing_comes_back_at_first() -> None:
    engine = _Walks({"x": ("x",)}, needed=("x",))
    engine.learn({"x": BOTTOM})
    assert not engine.draft("x").summary.ends


def test_only_what_is_called_is_taken() -> None:
    engine = _Walks({"x": ("y",), "y": ("x",), "z": ()})
    fixedpoint.solve(engine, ["x", "y", "z"])
    assert {p for p, _, _ in engine.solved["z"].taken} == {Path.of_variable("z")}


def test_an_exception_gives_up_the_once_flag_on_its_way() -> None:
    here = body("")
    here.walk.jumps.append(Jump("throw", here.holding("a", "b")))
    here.walk.jumps.append(Jump("return", here.holding("a", "b")))
    here.walk.release_thrown(0, here.all("a"))
    assert [here.held(j.state) for j in here.walk.jumps] == [["b"], ["a", "b"]]


def test_exceptions_that_left_before_are_over() -> None:
    here = body("")
    here.walk.jumps.append(Jump("throw", here.holding("a")))
    here.walk.release_thrown(1, here.all("a"))
    assert [here.held(j.state) for j in here.walk.jumps] == [["a"]]


def test_an_exception_that_keeps_nothing_is_like_any_other() -> None:
    here = walking(
        TEXT % "void f(bool flag) { a.lock(); if (flag) { a.unlock(); throw 1; } throw 2; }"
    )
    assert sorted(len(o.held) for o in here.run().thrown) == [0, 1]


def test_a_guard_of_the_function_around_is_told_by_a_lambda() -> None:
    here = walking(
        TEXT % "void f() { std::unique_lock<std::mutex> x(a); auto g = [&] { x.unlock(); }; g();"
        " b.lock(); }"
    )
    here.run()
    assert here.orders() == set()


def test_a_lambda_with_a_copy_tells_nothing_of_the_guard() -> None:
    here = walking(
        TEXT % "void f() { std::unique_lock<std::mutex> x(a);"
        " auto g = [y = std::move(x)]() mutable { y.unlock(); }; b.lock(); }"
    )
    here.run()
    assert here.orders() == {("a", "b")}


def test_a_range_loop_over_nothing_has_an_empty_range() -> None:
    here = walking(
        TEXT % "void f() { std::vector<std::unique_ptr<Node>> all; for (auto &x : all) a.lock(); }"
    )
    (loop,) = here.statements(Loop)
    ends_ = Flow.block(here.walk, Block([loop]), [State()])
    empty = Emptied(here.at("all"))
    assert {bool(s.held): empty in s.facts for s in ends_} == {False: True, True: False}
