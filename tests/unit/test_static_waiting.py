"""What waits: conditions, threads, devices; with which locks held, and who wakes whom."""

from __future__ import annotations

import pytest

from lockorder.knowledge.schema import Blocks
from lockorder.model import Certainty
from lockorder.static.interp import patience, waiting
from lockorder.static.interp.known import EndWaits
from lockorder.static.interp.summary import Guard, Held, State
from lockorder.static.parse import facts as f
from lockorder.static.program import roots
from lockorder.static.program.effects import Group, Wait
from lockorder.static.program.paths import ENTRY, Path, Paths
from walks import BLOCKING, EXCLUSIVE, TIMED, TRY, Walking, walking

TEXT = """
std::mutex a, b, c;
std::condition_variable changed;
std::once_flag flag;
std::future<int> result;
ncclComm_t comm;
ncclComm_t comms[4];
void ready() { std::lock_guard<std::mutex> hold(c); }
void f(ncclComm_t given, std::condition_variable *mine) {}
"""
GIL = Path.of_named("Python GIL")


@pytest.fixture
def here() -> Walking:
    return walking(TEXT)


# -- conditions ------------------------------------------------------------------------------------


def wait(here: Walking, state: State, name: str = "std::condition_variable::wait") -> State:
    known = here.walk.knowledge.waits[name]
    guard = Path.of_variable("guard")
    state = state.but(guards={guard: Guard(here.all("a"), True)})
    return waiting.wait_on_condition(
        here.walk, state, name, known, here.all("changed"), [(guard,)], here.site(9)
    )


def test_a_wait_gives_its_lock_up_and_has_it_afterwards(here: Walking) -> None:
    after = wait(here, here.holding("a"))
    assert here.held(after) == ["a"]
    assert here.at("a") in after.freed


def test_with_its_own_lock_alone_nobody_is_kept(here: Walking) -> None:
    wait(here, here.holding("a"))
    assert here.blocked() == set()
    assert here.orders() == set()


def test_with_another_lock_it_waits_under_that(here: Walking) -> None:
    wait(here, here.holding("b", "a"))
    assert here.blocked() == {("b", "std::condition_variable::wait")}


def test_taking_it_again_comes_after_the_others(here: Walking) -> None:
    wait(here, here.holding("a", "b"))
    assert here.orders() == {("b", "a")}


def test_a_wait_tells_which_condition(here: Walking) -> None:
    wait(here, here.holding("b", "a"))
    ((_, path),) = here.engine.found.blocked
    assert path.about == (here.variable("changed"),)


def test_a_wait_with_a_limit_is_one(here: Walking) -> None:
    wait(here, here.holding("b", "a"), "std::condition_variable::wait_for")
    ((emitted,),) = here.engine.found.blocked.values()
    assert emitted.order.taken.how is TIMED


def test_taking_the_lock_again_has_no_limit(here: Walking) -> None:
    wait(here, here.holding("a", "b"), "std::condition_variable::wait_for")
    ((emitted,),) = here.engine.found.orders.values()
    assert emitted.order.taken.how is BLOCKING


def test_the_callers_lock_is_given_up_meanwhile(here: Walking) -> None:
    wait(here, State())
    taken = [t for each in here.walk.taken.values() for t in each if isinstance(t.path, Wait)]
    assert [t.released for t in taken] == [frozenset(here.all("a"))]


def test_of_what_was_taken_here_callers_lose_nothing(here: Walking) -> None:
    wait(here, here.holding("a"))
    taken = [t for each in here.walk.taken.values() for t in each if isinstance(t.path, Wait)]
    assert [t.released for t in taken] == [frozenset()]


# -- blocking calls --------------------------------------------------------------------------------


def block(here: Walking, state: State, known: Blocks, *args: Paths, base: Paths = ()) -> State:
    return waiting.block(here.walk, state, "call", known, base, args, here.site(9))


def test_a_call_that_waits_does_so_under_all_that_is_held(here: Walking) -> None:
    block(here, here.holding("a", "b"), Blocks(["call"], "a thread"))
    assert here.blocked() == {("a", "call"), ("b", "call")}


def test_with_nothing_held_callers_are_told(here: Walking) -> None:
    block(here, State(), Blocks(["call"], "a thread"))
    assert here.blocked() == set()
    assert here.taken() == {"call"}


def test_gates_do_not_matter_to_a_wait(here: Walking) -> None:
    block(here, here.holding("a", "b"), Blocks(["call"], "a thread"))
    each = [e for emitted in here.engine.found.blocked.values() for e in emitted]
    assert {e.order.gates for e in each} == {frozenset()}


@pytest.mark.parametrize(("text", "waits"), [("0", False), ("1", True), ("5", True)])
def test_a_call_that_may_ask_only(here: Walking, text: str, waits: bool) -> None:
    """``cudaEventQuery``-like: with a zero it comes back at once."""
    known = Blocks(["call"], "a thread", immediate=(0, "0"))
    block(here, here.holding("a"), known, (Path.of_literal(text),))
    assert bool(here.blocked()) is waits


def test_what_is_not_known_to_be_zero_waits(here: Walking) -> None:
    block(
        here, here.holding("a"), Blocks(["call"], "a thread", immediate=(0, "0")), here.all("given")
    )
    assert here.blocked()


def test_what_was_waited_for_does_not_wait_again(here: Walking) -> None:
    fact = EndWaits(here.at("result"))
    state = State(facts={fact: True})
    after = block(here, state, Blocks(["call"], "a thread", joins="this"), base=here.all("result"))
    assert fact not in after.facts


def test_who_gives_up_after_a_time_has_not_seen_the_end(here: Walking) -> None:
    fact = EndWaits(here.at("result"))
    state = State(facts={fact: True})
    known = Blocks(["call"], "a thread", joins="this", timed=True)
    assert fact in block(here, state, known, base=here.all("result")).facts


def test_a_wait_of_the_whole_device_is_an_event(here: Walking) -> None:
    block(here, here.holding("a"), Blocks(["call"], "a thread", device_sync=True))
    assert [(e.kind, len(e.held)) for e in here.engine.found.events.values()] == [("sync", 1)]


@pytest.mark.parametrize(("number", "found"), [(None, 0), (0, 1), (7, 0), ("this", 1)])
def test_which_object_a_file_speaks_of(here: Walking, number, found: int) -> None:
    assert len(waiting.which(number, here.all("a"), [here.all("b")])) == found


# -- wake-ups --------------------------------------------------------------------------------------


def notified(here: Walking, state: State, name: str = "changed") -> list[set[str]]:
    waiting.notify(here.walk, state, "notify_one", here.all(name), here.site(9))
    events = here.engine.found.events.values()
    return [{here.name(g.path) for g in e.held} for e in events]


def test_who_wakes_must_get_the_locks_that_it_holds(here: Walking) -> None:
    assert notified(here, here.holding("a", "b")) == [{"a", "b"}]


def test_what_who_wakes_gave_up_before_is_asked_of_the_program(here: Walking) -> None:
    """Not here: see test_static_passed."""
    assert notified(here, State(freed=frozenset(here.all("c")))) == [set()]


def test_a_lock_won_by_trying_keeps_nobody_from_waking(here: Walking) -> None:
    assert notified(here, here.holding("a", how=TRY)) == [set()]


# -- once ------------------------------------------------------------------------------------------


def once(here: Walking, state: State, callee: str = "ready") -> list[State]:
    known = here.walk.knowledge.onces["std::call_once"]
    function = Path.of_function(here.usr(callee))
    return waiting.once(here.walk, state, known, (), [here.all("flag"), (function,)], here.site(9))


def test_the_flag_is_a_lock_while_the_function_runs(here: Walking) -> None:
    once(here, here.holding("a"))
    assert here.orders() == {("a", "flag"), ("a", "c"), ("flag", "c")}


def test_the_flag_is_free_afterwards(here: Walking) -> None:
    (after,) = once(here, here.holding("a"))
    assert here.held(after) == ["a"]


# -- groups ----------------------------------------------------------------------------------------


def test_a_group_that_was_begun_is_open(here: Walking) -> None:
    after = waiting.begin_group(here.walk, State(), "nccl", here.result, here.site())
    assert [(h.path, h.undo) for h in after.held] == [(Group("nccl"), here.result)]
    assert here.walk.begun == after.held[0]


def test_a_group_that_was_ended_is_closed(here: Walking) -> None:
    begun = waiting.begin_group(here.walk, State(), "nccl", here.result, here.site())
    assert waiting.end_group(here.walk, begun, "nccl").held == ()


def test_a_group_of_another_name_stays_open(here: Walking) -> None:
    begun = waiting.begin_group(here.walk, State(), "nccl", here.result, here.site())
    assert len(waiting.end_group(here.walk, begun, "other").held) == 1


def test_the_callers_group_that_was_ended_is_begun_again(here: Walking) -> None:
    ended = waiting.end_group(here.walk, State(), "nccl")
    begun = waiting.begin_group(here.walk, ended, "nccl", here.result, here.site())
    assert (begun.held, begun.released) == ((), frozenset())


# -- the GIL ---------------------------------------------------------------------------------------


def yields(here: Walking, state: State, rarely: bool = False) -> State:
    name = "Py_DECREF" if rarely else "PyObject_CallObject"
    known = here.walk.knowledge.functions[name]
    return waiting.yields(here.walk, state, known, here.site(9))


def test_python_code_may_give_the_gil_up_under_a_lock(here: Walking) -> None:
    yields(here, here.holding("a"))
    assert here.orders() == {("a", "Python GIL")}


def test_it_is_had_again_afterwards(here: Walking) -> None:
    held = Held(GIL, EXCLUSIVE, BLOCKING, here.site(), ENTRY)
    assert yields(here, State((held,))).held == (held,)


@pytest.mark.parametrize("rarely", [True, False])
def test_how_sure_that_is(here: Walking, rarely: bool) -> None:
    yields(here, here.holding("a"), rarely)
    ((emitted,),) = here.engine.found.orders.values()
    sure = Certainty.GUESSED if rarely else Certainty.CERTAIN
    assert emitted.order.taken.certainty is sure


def test_whether_the_gil_is_had_is_known_where_it_was_taken(here: Walking) -> None:
    state = State((Held(GIL, EXCLUSIVE, BLOCKING, here.site()),))
    assert waiting.has(state, "Python GIL", here.result).facts[here.result] is True


def test_and_where_it_was_given_up(here: Walking) -> None:
    state = State(released=frozenset((GIL,)))
    assert waiting.has(state, "Python GIL", here.result).facts[here.result] is False


def test_else_callers_know(here: Walking) -> None:
    after = waiting.has(State(), "Python GIL", here.result)
    assert after.env[here.result] == (Path(roots.Holds("Python GIL")),)
    assert here.result not in after.facts


# -- collectives -----------------------------------------------------------------------------------


def launch(here: Walking, state: State, about: str, p2p: bool = False) -> list[str]:
    waiting.launch(here.walk, state, "ncclAllReduce", here.all(about), p2p, here.site(9))
    return sorted(e.kind for e in here.engine.found.events.values())


def test_a_collective_on_a_global_communicator_is_an_event(here: Walking) -> None:
    assert launch(here, State(), "comm") == ["collective", "launch"]


def test_a_message_is_no_collective(here: Walking) -> None:
    assert launch(here, State(), "comm", p2p=True) == ["launch"]


def test_in_a_group_the_launch_comes_at_its_end(here: Walking) -> None:
    begun = waiting.begin_group(here.walk, State(), "nccl", here.result, here.site())
    assert launch(here, begun, "comm") == ["collective"]


def test_of_a_parameter_callers_know_which(here: Walking) -> None:
    assert launch(here, State(), "given") == ["launch"]
    assert "ncclAllReduce on given" in here.taken()


def test_of_one_of_many_nobody_does(here: Walking) -> None:
    assert launch(here, State(), "comms.[]") == ["launch"]
    assert here.taken() == {"ncclAllReduce"}


def test_a_marked_call_is_told_in_a_group_only(here: Walking) -> None:
    waiting.mark(here.walk, here.holding("a"), Wait("x"), here.site())
    assert here.engine.found.blocked == {}
    begun = waiting.begin_group(here.walk, State(), "nccl", here.result, here.site(5))
    waiting.mark(here.walk, begun, Wait("x"), here.site())
    assert list(here.engine.found.grouped) == [here.site(5)]


# -- patience --------------------------------------------------------------------------------------

ERRNO = """
extern "C" { int *__errno_location(); long recv(int, void *, unsigned long, int); }
#define errno (*__errno_location())
#define EAGAIN 11
int f(int s) {
  long n = recv(s, nullptr, 1, 0);
  if (n < 0) { if (%s) %s; }
  return 1;
}
"""
RECV = Blocks(
    ["recv"], "the network", would_wait=["11", "EAGAIN"], errors=["__errno_location", "errno"]
)


def gives_up(condition: str, leaves: str, known: Blocks = RECV) -> bool:
    here = walking(ERRNO % (condition, leaves))
    call = here.call("recv")
    return patience.gives_up(here.walk, known, here.site(call.line, call.column))


@pytest.mark.parametrize(
    ("condition", "leaves", "found"),
    [
        ("errno == EAGAIN", "return 0", True),
        ("EAGAIN == errno", "return 0", True),
        ("errno == EAGAIN || errno == 4", "return 0", True),
        ("errno != EAGAIN", "return 0", True),  # all others are errors
        ("errno != EAGAIN && errno != 4", "return 0", True),
        ("errno != 4", "return 0", False),
        ("errno == 4", "return 0", False),
        ("errno == EAGAIN", "n = 0", False),  # goes on, and may try again
        ("n == EAGAIN", "return 0", False),
    ],
)
def test_who_leaves_where_it_would_have_had_to_wait(
    condition: str, leaves: str, found: bool
) -> None:
    assert gives_up(condition, leaves) is found


@pytest.mark.parametrize(("inside", "found"), [(True, False), (False, True)])
def test_who_takes_others_for_errors_and_tries_again_waits(inside: bool, found: bool) -> None:
    test = "if (errno != EAGAIN) return 0;"
    loop = f"do {{ n = recv(s, nullptr, 1, 0); {test if inside else ''} }} while (n > 0);"
    head = ERRNO.partition("int f")[0]
    here = walking(f"{head} int f(int s) {{ long n; {loop} {'' if inside else test} return 1; }}")
    call = here.call("recv")
    assert patience.gives_up(here.walk, RECV, here.site(call.line, call.column)) is found


def test_a_call_that_never_says_so_waits() -> None:
    assert not gives_up("errno == EAGAIN", "return 0", Blocks(["recv"], "the network"))


def test_what_is_asked_before_the_call_is_about_another() -> None:
    here = walking(ERRNO % ("errno == EAGAIN", "return 0"))
    assert not patience.gives_up(here.walk, RECV, here.site(99, 1))


@pytest.mark.parametrize(
    ("between", "found"), [("other(s);", True), ("recv(s, nullptr, 1, 0);", False)]
)
def test_another_wait_in_between_is_what_is_asked_about(between: str, found: bool) -> None:
    text = ERRNO.replace("return 1;", "return 1;") % ("errno == EAGAIN", "return 0")
    text = "void other(int);" + text.replace("  if (n < 0)", f"  {between} if (n < 0)")
    here = walking(text)
    call = here.call("recv")
    site = here.site(call.line, call.column)
    assert patience.gives_up(here.walk, RECV, site) is found


def test_a_function_that_only_a_name_tells_is_known_by_that() -> None:
    here = walking("void f() {}")
    recv, errno = f.Call(0, f.Name("recv"), [], 1, 1), f.Call(1, f.Name("errno"), [], 2, 1)
    test = f.If(f.Compare(f.Result(1), f.Lit("EAGAIN")), f.Block([f.Return(None, 3)]))
    here.function.body = f.Block([recv, errno, test])
    assert patience.gives_up(here.walk, RECV, here.site(1, 1))
    assert not patience.gives_up(here.walk, RECV, here.site(5, 1))


# -- loops that ask --------------------------------------------------------------------------------


@pytest.mark.parametrize("again", [True, False])
def test_the_loop_that_asks_waits_and_not_the_call(again: bool) -> None:
    loop = "while (cudaEventQuery(e)) ;" if again else "cudaEventQuery(e);"
    here = walking(f"""
        extern "C" int cudaEventQuery(void *); std::mutex a; void f(void *e) {{ {loop} }}
    """)
    (call,) = here.statements(f.Call)
    assert (id(call) in here.engine.polls.asked) is again
    assert not here.blocked()
    waiting.polled(here.walk, [here.holding("a")], call, here.site())
    assert here.blocked() == {("a", "cudaEventQuery")}
