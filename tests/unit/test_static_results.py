"""What walks found, in the model's terms: each part of the results by itself."""

from __future__ import annotations

import pytest

from lockorder.bounds import ROUNDS, Bound
from lockorder.model import Certainty, How, LockKind, Mode
from lockorder.static.interp.collected import STARTUP
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.misuse import DESTROY, UNLOCK
from lockorder.static.interp.summary import Site, Taken
from lockorder.static.program.contracts import Contracts
from lockorder.static.program.paths import Path
from lockorder.static.results.acquisitions import Acquisitions
from lockorder.static.results.concurrency import Concurrency
from lockorder.static.results.creations import creations, settings
from lockorder.static.results.graph import (
    MAX_CHAIN_END,
    PERHAPS_HELD,
    PERHAPS_ONE,
    Builder,
    build_graph,
)
from lockorder.static.results.misuses import EXIT, Misuses
from lockorder.static.results.orders import declared_orders, known_locks
from lockorder.static.results.sites import left_out, lock_sites
from walks import analysed, facts_of, folder


def builder(engine: Engine) -> Builder:
    return Builder(engine, str(folder()))


# -- the graph -------------------------------------------------------------------------------------

ORDER = """
std::mutex a, b, c;
void inner() { std::lock_guard<std::mutex> l(b); }
void f() { std::lock_guard<std::mutex> l(a); inner(); }
"""


def edges(text: str) -> set[tuple[str, str]]:
    return set(build_graph(analysed(text), str(folder())).edges())


def test_an_order_is_an_edge() -> None:
    assert edges(ORDER) == {("a", "b")}


def test_files_are_named_from_the_root() -> None:
    graph = build_graph(analysed(ORDER), str(folder()))
    assert graph.locks["a"].file == "small.cpp"
    assert build_graph(analysed(ORDER), "/elsewhere").locks["a"].file.startswith("/")


def test_a_witness_has_the_whole_call_chain() -> None:
    graph = build_graph(analysed(ORDER), str(folder()))
    (witness,) = graph.witnesses("a", "b")
    assert [frame.function for frame in witness.held.chain] == ["f"]
    assert [frame.function for frame in witness.taken.chain] == ["f", "inner"]


def test_what_callers_hold_is_a_gate() -> None:
    text = ORDER + "void g() { std::lock_guard<std::mutex> l(c); f(); }"
    graph = build_graph(analysed(text), str(folder()))
    (witness,) = graph.witnesses("a", "b")
    assert [gate.lock for gate in witness.gates] == ["c"]


def test_one_caller_without_it_makes_it_none() -> None:
    text = ORDER + "void g() { std::lock_guard<std::mutex> l(c); f(); } void h() { f(); }"
    graph = build_graph(analysed(text), str(folder()))
    assert all(not w.gates for w in graph.witnesses("a", "b"))


def test_semaphores_that_only_signal_are_no_locks() -> None:
    text = (
        "std::mutex a; sem_t s; void wait() { a.lock(); sem_wait(&s); a.unlock(); }"
        "void post() { sem_post(&s); }"
    )
    assert edges(text) == set()
    assert edges(text.replace("sem_post(&s); }", "sem_wait(&s); sem_post(&s); }")) == {("a", "s")}


def test_a_very_long_chain_is_told_by_its_ends() -> None:
    engine = analysed(ORDER)
    site: Site | None = None
    for line in range(2 * MAX_CHAIN_END + 5):
        site = Site("f", line, 0, site)
    chain = builder(engine).chain(site)
    assert len(chain) == 2 * MAX_CHAIN_END + 1
    assert chain[MAX_CHAIN_END].function == "(5 more calls)"


def test_a_bound_that_was_reached_makes_it_less_sure() -> None:
    engine = analysed(ORDER)
    (inner,) = engine.program.named("inner")
    taken = Taken(Path.of_variable("a"), Mode.EXCLUSIVE, How.BLOCKING, Site(inner, 1, 0))
    assert builder(engine).certainty(taken)[0] is Certainty.CERTAIN
    engine.cuts.note(_changing(engine), inner)
    certainty, why = builder(engine).certainty(taken)
    assert certainty is Certainty.POSSIBLE
    assert "inner" in why


TWO_NAMES = """
struct Box { std::KIND m; };
struct Node { int n; Node *next; };
struct Holder { Node node; Box box; };
Holder *made(int);
void take(Box *b) { std::lock_guard<std::KIND> l(b->m); }
void f(Node *x, Node *y, Holder *h, Holder *g) { BODY }
"""
LOST = "Holder *i = (Holder *)((char *)x->next - __builtin_offsetof(Holder, node)); "


@pytest.mark.parametrize(
    ("kind", "body", "doubted"),
    [
        ("recursive_mutex", LOST + "std::lock_guard<std::recursive_mutex> l(i->box.m);", True),
        ("mutex", LOST + "std::lock_guard<std::mutex> l(i->box.m);", False),
        ("recursive_mutex", "std::lock_guard<std::recursive_mutex> l(g->box.m);", False),
    ],
)
def test_one_lock_by_two_names(kind: str, body: str, doubted: bool) -> None:
    """Only where its holder may have it again, and one of the names begins at what is lost."""
    text = TWO_NAMES.replace("BODY", f"{body} take(&h->box);").replace("KIND", kind)
    graph = build_graph(analysed(text), str(folder()))
    witnesses = graph.witnesses("Box::m", "Box::m")
    assert witnesses
    assert all((w.why == PERHAPS_ONE) is doubted for w in witnesses)
    assert all((w.certainty is Certainty.POSSIBLE) is doubted for w in witnesses)


AROUND = """
struct Queue { std::mutex m; };
void under(Box *b, Node *x, Holder *h, Queue *q) {
  AROUND std::lock_guard<std::mutex> k(q->m); BODY
}
"""
HELD = "std::lock_guard<std::recursive_mutex> l(b->m);"


@pytest.mark.parametrize(
    ("kind", "around", "body", "doubted"),
    [
        ("recursive_mutex", HELD, LOST + "take(&i->box);", True),
        ("recursive_mutex", "", LOST + "take(&i->box);", False),
        ("recursive_mutex", HELD, "take(&h->box);", False),
        ("recursive_mutex", LOST + HELD.replace("b->", "i->box."), "take(b);", True),
        ("mutex", HELD.replace("recursive_", ""), LOST + "take(&i->box);", False),
    ],
)
def test_a_lock_around_by_another_name(kind: str, around: str, body: str, doubted: bool) -> None:
    """Only where the thread has such a lock around both, may have it again, and one is lost."""
    text = TWO_NAMES + AROUND
    for word, by in (("AROUND", around), ("BODY", body), ("KIND", kind)):
        text = text.replace(word, by)
    witnesses = build_graph(analysed(text), str(folder())).witnesses("Queue::m", "Box::m")
    assert witnesses
    assert all((w.why == PERHAPS_HELD) is doubted for w in witnesses)
    assert all((w.certainty is Certainty.GUESSED) is doubted for w in witnesses)


MODES = """
struct Pool { int n; };
struct Queue { std::mutex m; };
struct Worker { int mode; Pool pool; Queue queue; std::recursive_mutex m; };
struct Key { Pool *pool; };
void destroy(Key *k) {
  Worker *w = (Worker *)((char *)k->pool - __builtin_offsetof(Worker, pool));
  std::lock_guard<std::recursive_mutex> l(w->m);
}
DRAIN
void flush(Worker *w, Key *k, int hurry) {
  if (ASKED) w->m.lock();
  CALL
  if (ASKED) w->m.unlock();
}
OTHER
"""
DRAIN = (
    "static void drain(Worker *w, Key *k) { w->queue.m.lock(); destroy(k); w->queue.m.unlock(); }"
)
IN_DRAIN = "drain(w, k);"
IN_FLUSH = "w->queue.m.lock(); destroy(k); w->queue.m.unlock();"
ALONE = "void hurry(Worker *w, Key *k) { drain(w, k); }"
ANOTHER = "void deeper(Worker *w, Key *k) { if (w->mode == 3) { w->m.lock(); drain(w, k); } }"


@pytest.mark.parametrize(
    ("asked", "call", "other", "doubted"),
    [
        ("w->mode == 1", IN_DRAIN, "", True),
        ("w->mode == 1", IN_FLUSH, "", True),
        ("w->mode", IN_DRAIN, "", True),
        ("w->mode == 1", IN_DRAIN, ANOTHER, True),
        ("w->mode == 1", IN_DRAIN, ALONE, False),
        ("hurry", IN_DRAIN, "", False),
        ("w->mode == 1 && !hurry", IN_DRAIN, "", False),
        ("w->mode == 1 && !hurry", IN_FLUSH, "", False),
    ],
)
def test_a_lock_around_or_an_object_that_uses_none(
    asked: str, call: str, other: str, doubted: bool
) -> None:
    """Only where each way has the lock, or the object's member says that it is not used."""
    text = MODES.replace("DRAIN", DRAIN if call == IN_DRAIN else "")
    for word, by in (("ASKED", asked), ("CALL", call), ("OTHER", other)):
        text = text.replace(word, by)
    witnesses = build_graph(analysed(text), str(folder())).witnesses("Queue::m", "Worker::m")
    assert witnesses
    assert all(w.why == PERHAPS_HELD for w in witnesses) is doubted


def _changing(engine: Engine) -> Bound:
    """A bound whose cuts can change what is found."""
    assert not ROUNDS.only_hides
    return ROUNDS


@pytest.mark.parametrize("certainty", [Certainty.POSSIBLE, Certainty.GUESSED])
def test_what_is_not_certain_says_why(certainty: Certainty) -> None:
    engine = analysed(ORDER)
    site = Site("f", 1, 0)
    taken = Taken(Path.of_variable("a"), Mode.EXCLUSIVE, How.BLOCKING, site, certainty=certainty)
    assert builder(engine).certainty(taken)[1]
    assert builder(engine).certainty(taken._replace(why="told"))[1] == "told"


# -- where locks are taken -------------------------------------------------------------------------


def test_places_of_each_lock() -> None:
    engine = analysed(ORDER)
    found = {
        s.lock.name: [f.function for f in s.places] for s in lock_sites(engine, builder(engine))
    }
    assert found == {"a": ["f"], "b": ["inner"]}


def test_orders_that_are_left_out_have_a_reason() -> None:
    engine = analysed(
        "std::mutex a, b; struct P { std::mutex m, n; P() { m.lock(); n.lock(); } };"
        "void f() { a.lock(); b.lock(); }"
    )
    made = builder(engine)
    made.graph = build_graph(engine, str(folder()))
    pairs = {(x.held, x.taken): x.why for x in left_out(engine, made)}
    assert list(pairs) == [("P::m", "P::n")]
    assert "construction" in pairs["P::m", "P::n"]


def test_orders_of_the_start_are_left_out_for_that() -> None:
    engine = analysed(ORDER)
    found = {(x.held, x.taken): x.why for x in left_out(engine, builder(engine))}
    assert found == {("a", "b"): STARTUP}  # the graph of this builder has none


def seen(text: str) -> tuple[int, int]:
    engine = analysed(text)
    (file,) = facts_of(text).files
    return Acquisitions(engine).of(file)


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("a.lock();", (1, 1)),
        ("std::lock_guard<std::mutex> l(a);", (1, 1)),
        ("std::unique_lock<std::mutex> l(a, std::defer_lock);", (0, 0)),
        (
            "std::unique_lock<std::mutex> l(a); std::unique_lock<std::mutex> m(std::move(l));",
            (1, 1),
        ),
        ("int n = 1;", (0, 0)),
    ],
)
def test_how_many_acquisitions_are_seen(body: str, found: tuple[int, int]) -> None:
    assert seen(f"std::mutex a; void f() {{ {body} }}") == found


# -- orders that are declared ----------------------------------------------------------------------

DECLARED = """
struct Pool { std::mutex second; std::mutex first __attribute__((acquired_before(second))); };
std::mutex late; std::mutex early __attribute__((acquired_before(late)));
std::mutex alone;
void f() {}
"""


def test_attributes_declare_orders() -> None:
    engine = analysed(DECLARED)
    found = declared_orders(engine, Contracts(engine.program), str(folder()))
    assert {(d.before, d.after) for d in found} == {
        ("Pool::first", "Pool::second"),
        ("early", "late"),
    }


def test_after_is_before_turned_round() -> None:
    engine = analysed(DECLARED.replace("acquired_before(late)", "acquired_after(late)"))
    found = declared_orders(engine, Contracts(engine.program), str(folder()))
    assert ("late", "early") in {(d.before, d.after) for d in found}


def test_locks_that_nothing_takes_can_be_named() -> None:
    names = {k.name: k.kind for k in known_locks(analysed(DECLARED), str(folder()))}
    assert names["alone"] is LockKind.MUTEX
    assert names["Python GIL"] is LockKind.GIL
    assert "f" not in names


# -- communicators and settings --------------------------------------------------------------------

NCCL = """
extern "C" { ncclResult_t ncclCommInitRank(ncclComm_t *, int, int, int);
             int setenv(const char *, const char *, int); int putenv(char *); }
ncclComm_t comms[8];
void one(int i) { ncclCommInitRank(&comms[i], 8, 0, i); }
void perhaps(int i) { if (!comms[i]) ncclCommInitRank(&comms[i], 8, 0, i); }
void f(int n) { %s }
"""


def made(body: str) -> list[str]:
    engine = analysed(NCCL % body)
    return [c.chain[0].function for c in creations(engine, builder(engine))]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("for (int i = 0; i < n; i++) ncclCommInitRank(&comms[i], 8, 0, i);", ["f"]),
        ("for (int i = 0; i < n; i++) one(i);", ["f"]),
        ("for (int i = 0; i < n; i++) perhaps(i);", []),
        ("one(0);", []),
        ("do { one(0); } while (0);", []),
        ("ncclGroupStart(); for (int i = 0; i < n; i++) one(i); ncclGroupEnd();", []),
    ],
)
def test_communicators_that_are_made_in_loops(body: str, found: list[str]) -> None:
    assert made(body) == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ('setenv("NCCL_BUFFSIZE", "1024", 1);', [("NCCL_BUFFSIZE", "1024")]),
        ('setenv("HOME", "/", 1);', []),
        ("one(0);", []),
    ],
)
def test_variables_that_are_set(body: str, found: list[tuple[str, str]]) -> None:
    engine = analysed(NCCL % body)
    assert [(s.name, s.value) for s in settings(engine, builder(engine))] == found


# -- misuse ----------------------------------------------------------------------------------------


def misuses(text: str) -> list[tuple[str, str]]:
    engine = analysed(text)
    return [(m.rule, m.lock) for m in Misuses(engine, builder(engine)).misuses()]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("a.lock(); a.unlock(); a.unlock();", [(UNLOCK, "a")]),
        ("a.lock(); a.unlock();", []),
        ("if (n) a.lock(); a.unlock(); if (n) a.unlock();", [(UNLOCK, "a")]),
        ("Node *p = new Node; p->m.lock(); delete p;", [(DESTROY, "Node::m")]),
        ("Node *p = new Node; p->m.lock(); p->m.unlock(); delete p;", []),
    ],
)
def test_misuse_on_every_way(body: str, found: list[tuple[str, str]]) -> None:
    text = f"std::mutex a; struct Node {{ std::mutex m; int n; }}; void f(int n) {{ {body} }}"
    assert misuses(text) == found


THREAD = """
std::mutex a;
void *job(void *) { %s return nullptr; }
void start() { pthread_t t; pthread_create(&t, nullptr, job, nullptr); }
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("a.lock();", [(EXIT, "a")]),
        ("a.lock(); a.unlock();", []),
        ("std::lock_guard<std::mutex> l(a);", []),
    ],
)
def test_threads_that_end_with_a_lock(body: str, found: list[tuple[str, str]]) -> None:
    assert misuses(THREAD % body) == found


def never(text: str) -> list[str]:
    engine = analysed(text)
    return [k.taken.lock for k in Misuses(engine, builder(engine)).never()]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("void f() { a.lock(); }", ["a"]),
        ("void f() { a.lock(); } void g() { a.unlock(); }", []),
        ("void out(std::mutex &); void f() { a.lock(); out(a); }", []),
        ("void f() { std::lock_guard<std::mutex> l(a); }", []),
    ],
)
def test_locks_that_nothing_gives_up(text: str, found: list[str]) -> None:
    assert never(f"std::mutex a; {text}") == found


# -- what can run at the same time -----------------------------------------------------------------

SYNC = """
extern "C" int cudaFree(void *);
std::mutex a; ncclComm_t comm; void *block;
void *launches(void *) { %s return nullptr; }
void *frees(void *) { %s return nullptr; }
int main() {
  pthread_t t, u;
  pthread_create(&t, nullptr, launches, nullptr); pthread_create(&u, nullptr, frees, nullptr);
}
"""
LAUNCH = "ncclAllReduce(nullptr, nullptr, 1, 0, 0, comm, nullptr);"
FREE = "cudaFree(block);"
HELD = "std::lock_guard<std::mutex> l(a); "


def concurrency(launches: str, frees: str) -> Concurrency:
    engine = analysed(SYNC % (launches, frees))
    return Concurrency(engine, builder(engine))


def test_a_device_sync_can_meet_a_launch() -> None:
    (found,) = concurrency(LAUNCH, FREE).device_syncs()
    assert found.certain


def test_one_lock_around_both_keeps_them_apart() -> None:
    known = concurrency(HELD + LAUNCH, HELD + FREE)
    assert known.device_syncs() == []
    assert known.ordering == {"a"}


def test_a_lock_around_one_of_them_does_not() -> None:
    known = concurrency(LAUNCH, HELD + FREE)
    assert len(known.device_syncs()) == 1
    assert known.ordering == frozenset()


def test_one_thread_does_one_after_the_other() -> None:
    assert concurrency(LAUNCH + FREE, "").device_syncs() == []


def test_collectives_of_two_threads_have_no_order() -> None:
    (found,) = concurrency(LAUNCH, LAUNCH).collectives()
    assert found.communicator == "comm"


def test_collectives_under_one_lock_have_one_at_a_time() -> None:
    assert concurrency(HELD + LAUNCH, HELD + LAUNCH).collectives() == []


def test_collectives_of_one_thread_have_an_order() -> None:
    assert concurrency(LAUNCH + LAUNCH, "").collectives() == []


def test_another_name_for_a_guard_takes_nothing() -> None:
    body = "std::unique_lock<std::mutex> l(a); std::unique_lock<std::mutex> &same = l;"
    assert seen(f"std::mutex a; void f() {{ {body} }}") == (1, 1)


def test_main_can_be_there_while_a_thread_is() -> None:
    text = SYNC.replace("pthread_create(&u, nullptr, frees, nullptr);", "frees(nullptr);")
    engine = analysed(text % (LAUNCH, FREE))
    assert len(Concurrency(engine, builder(engine)).device_syncs()) == 1


# -- what waits for the driver's lock --------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "found"), [("cudaDeviceSynchronize();", True), ("cudaStreamQuery(0);", False)]
)
def test_whether_anything_synchronises(body: str, found: bool) -> None:
    text = f"int cudaDeviceSynchronize(); int cudaStreamQuery(int); void f() {{ {body} }}"
    assert analysed(text).synchronises is found
