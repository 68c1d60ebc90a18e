"""Loops that wait for others to write, and which writes end them."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.program.polls import Polls
from walks import program_of

BEFORE = """
extern "C" int sched_yield(); extern "C" void publish(bool *);
void fill(bool &); void show(const bool &); void print(bool);
template <class T> void open(T &flag) { flag = true; }
enum State { kNew, kReady = 2, kGone };
struct Node { Node *next; bool done; void wait(Node *other); };
bool done, rows[4]; volatile bool seen; int state, number; State phase; std::mutex m;
std::atomic<bool> ready(false);
bool is_done() { return done; }
bool is_done_locked() { std::lock_guard<std::mutex> hold(m); return done; }
bool work() { done = true; return done; }
"""


def polls(text: str) -> tuple[Polls, list[list[str]]]:
    """The loops of a program that wait, and what each looks at."""
    program = program_of(BEFORE + text)
    found = Polls(program, builtin())
    looks = [[program.variables[u].name for u in p.flags] for p in found.loops.values()]
    return found, looks


def enders(loop: str, *writers: str) -> list[int]:
    """Which of *writers* can end the loop, by their numbers."""
    bodies = "".join(f"void writer{i}(int v) {{ {each} }}\n" for i, each in enumerate(writers))
    found, _ = polls(f"void waits() {{ {loop} }}\n{bodies}")
    (poll,) = found.loops.values()
    names = [found._program.functions[w.function].name for w in found.ends(poll)]
    return sorted(int(n.removeprefix("writer")) for n in names if n.startswith("writer"))


@pytest.mark.parametrize(
    ("loop", "asked"),
    [
        ("while (cudaEventQuery(e) != 0) sched_yield();", ["cudaEventQuery"]),
        ("while (600 == cudaEventQuery(e)) sched_yield();", ["cudaEventQuery"]),
        ("int r; do { r = cudaEventQuery(e); } while (r);", ["cudaEventQuery"]),
        ("int r = 1; while (r) { r = cudaEventQuery(e); }", ["cudaEventQuery"]),
        ("for (;;) { if (cudaEventQuery(e) == 0) break; }", ["cudaEventQuery"]),
        ("for (;;) { if (cudaEventQuery(e) == 0) return; sched_yield(); }", ["cudaEventQuery"]),
        ("while (!done && cudaEventQuery(e)) sched_yield();", []),
        ("while (cudaEventQuery(e) == state) sched_yield();", []),
        ("for (int i = 0; i < 9; ++i) if (cudaEventQuery(e)) return;", []),
        ("int r = 1; while (r) { r = cudaEventQuery(e); r = state; }", []),
        ("while (cudaEventQuery(e)) work();", []),
        ("while (cudaEventQuery(e)) if (state) throw 1;", []),
        ("while (other(e)) sched_yield();", []),
    ],
)
def test_who_asks_until_it_is_over_waits(loop: str, asked: list[str]) -> None:
    declared = 'extern "C" int cudaEventQuery(void *); int other(void *);\n'
    found, looks = polls(f"{declared}void waits(void *e) {{ {loop} }}")
    calls = [p.asked for p in found.loops.values() if p.asked is not None]
    assert [found._program.called(c) for c in calls] == asked
    assert not any(looks)


@pytest.mark.parametrize(
    ("loop", "looks"),
    [
        ("while (!done) sched_yield();", ["done"]),
        ("while (!done) ;", ["done"]),
        ("do sched_yield(); while (!done);", ["done"]),
        ("for (;;) { if (done) break; sched_yield(); }", ["done"]),
        ("while (true) { if (done) return; }", ["done"]),
        ("while (1) { if (is_done()) return; }", ["done"]),
        ("while (!ready.load()) sched_yield();", ["ready"]),
        ("while (!rows[2]) ;", ["rows"]),
        ("while (n->next->done == false) ;", ["Node::done"]),
        ("while (!done || state != 3) ;", ["done", "state"]),
        ("int spins = 0; while (!done) { ++spins; }", ["done"]),
        ("while (state < number) ;", ["number", "state"]),
        ("while (state < limit) ;", ["state"]),
        ("while (state != mine) ;", ["state"]),
    ],
)
def test_who_only_looks_and_passes_the_time_waits(loop: str, looks: list[str]) -> None:
    _, found = polls(f"void f(Node *n, int mine) {{ int limit = 3; {loop} }}")
    assert found == [looks]


@pytest.mark.parametrize(
    "loop",
    [
        "while (!done) { m.lock(); m.unlock(); }",  # others can come in between
        "while (!done) work();",
        "while (!work()) ;",
        "while (!is_done_locked()) ;",
        "while (!n->done) n = n->next;",  # it looks at another one each time
        "for (int i = 0; i < 4; ++i) ;",
        "for (int i = 0; !rows[i]; ++i) ;",
        "int spins = 0; while (!done && spins < 9) ++spins;",
        "while (!done) { done = true; }",
        "while (true) { if (!done) state = 1; else break; }",
        "while (true) ;",
        "while (!own) ;",
        "while (state < mine) --mine;",
        "while (state < theirs) ;",  # whose that is nobody knows
    ],
)
def test_who_does_something_or_ends_alone_does_not_wait(loop: str) -> None:
    _, found = polls(f"void f(Node *n, int mine, int &theirs) {{ bool own = false; {loop} }}")
    assert found == []


def test_a_write_of_what_is_looked_for_ends_the_loop_and_no_other_constant() -> None:
    assert enders("while (!done) ;", "done = true;", "done = false;", "done = v;") == [0, 2]
    assert enders("while (done) ;", "done = true;", "done = false;") == [1]
    assert enders("while (2 != state) ;", "state = 2;", "state = 3;", "state++;") == [0, 2]
    assert enders("while (state != 2) ;", "state = 2;", "state = 3;", "state++;") == [0, 2]
    assert enders("while (state == 2) ;", "state = 2;", "state = 3;") == [1]


def test_a_number_is_the_same_however_it_is_written() -> None:
    writers = ("state = 0x2;", "state = 2u;", "state = kReady;", "state = kGone;", "state = 002;")
    assert enders("while (state != 2) ;", *writers) == [0, 1, 2, 4]
    writers = ("phase = kReady;", "phase = (State)2;", "phase = State::kReady;", "phase = kNew;")
    assert enders("while (phase != kReady) ;", *writers) == [0, 1, 2]


def test_any_number_but_zero_is_true() -> None:
    assert enders("while (!state) ;", "state = 5;", "state = 0x0;", "state = kGone;") == [0, 2]


def test_any_write_can_end_a_comparison_that_is_not_with_a_constant() -> None:
    assert enders("while (state < number) ;", "state = 1;", "number = 0;", "done = true;") == [0, 1]


def test_atomics_are_written_by_calls() -> None:
    writers = (
        "ready = true;",
        "ready.store(true);",
        "ready.store(false);",
        "ready.exchange(true);",
    )
    assert enders("while (!ready) ;", *writers, "(void)ready.load();") == [0, 1, 3]


def test_a_second_write_on_a_line_is_one_of_its_own() -> None:
    assert enders("while (!ready) ;", "ready = false; ready.store(true);") == [0]
    assert enders("while (!ready) ;", "ready = false;", "ready = true;") == [1]
    assert enders("while (!done) ;", "done = false; publish(&done);") == [0]


def test_a_call_that_lacks_an_argument_is_a_write_of_who_knows_what() -> None:
    loop = "void f() { while (!ready) ; } void g() { ready.exchange(); }"
    found, _ = polls(loop)
    assert all(w.literal == "" for writes in found.writes().values() for w in writes)


def test_who_is_handed_the_flag_itself_may_write_and_who_has_a_copy_may_not() -> None:
    writers = ("publish(&done);", "fill(done);", "open(done);", "print(done);", "show(done);")
    assert enders("while (!done) ;", *writers) == [0, 1, 2]
    assert enders("while (!seen) ;", "print(seen);", "seen = true;") == [1]


def test_making_an_object_does_not_end_the_wait_for_it() -> None:
    text = "struct Task { bool over; Task() { over = false; } Task(int) : over(true) {} %s };"
    found, _ = polls(text % "void wait() { while (!over) ; }")
    (poll,) = found.loops.values()
    assert found.ends(poll) == []


def test_a_constructor_can_end_the_wait_for_something_else() -> None:
    text = "struct Last { bool x; Last() { done = true; } Last(Node *n) { n->done = true; } };"
    found, _ = polls(f"{text} void f(Node *n) {{ while (!done) ; while (!n->done) ; }}")
    assert [len(found.ends(poll)) for poll in found.loops.values()] == [2, 1]


def test_nothing_ends_what_nobody_writes() -> None:
    assert enders("while (!seen) ;", "done = true;") == []
