"""One function of a small program, before it is walked: what a transfer function does, seen alone.

``walking`` reads a few lines of C++ with a small standard library before them, summarises what the
function calls and gives a walk that has not begun.  A test calls one transfer function with it and
a state, and asks ``held``, ``given_up``, ``orders``, ... in the names that the text has.
"""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path as File
from typing import TypeVar

from lockorder.knowledge import Knowledge, builtin
from lockorder.model import How, Mode
from lockorder.static.interp.activation import Activation
from lockorder.static.interp.collected import Emitted
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Held, Site, State, Summary
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Facts
from lockorder.static.parse.unit import Job, read_unit
from lockorder.static.program import building, roots, texts
from lockorder.static.program.binding.bind import bind
from lockorder.static.program.deduced import deduce
from lockorder.static.program.effects import Group, Issued, Wait, What
from lockorder.static.program.instances import instantiate
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.steps import Element, Locks, Step

_ROOTS: dict[str, type[roots.Root]] = {
    "?": roots.Unknown, "ret": roots.Result, "lock": roots.Named, "made": roots.Made,
    "of": roots.Returned, "fn": roots.Function, "lit": roots.Literal, "this": roots.This,
    "v": roots.Variable, "init": roots.Initialiser, "entry": roots.Entry,
    "registry": roots.Registry, "holds": roots.Holds,
}  # fmt: skip
EXCLUSIVE, SHARED = Mode.EXCLUSIVE, Mode.SHARED
BLOCKING, TRY, TIMED = How.BLOCKING, How.TRY, How.TIMED

#: Declarations of what the knowledge files speak of: real headers take a hundred times as long.
STANDARD = """\
typedef unsigned long size_t;
extern "C" {
struct pthread_mutex_t { int raw; };
struct pthread_mutexattr_t { int raw; };
struct pthread_cond_t { int raw; };
typedef unsigned long pthread_t;
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
struct sem_t { int raw; };
int sem_wait(sem_t *);
int sem_post(sem_t *);
void abort();
void exit(int);
struct PyThreadState;
typedef int PyGILState_STATE;
PyThreadState *PyEval_SaveThread();
void PyEval_RestoreThread(PyThreadState *);
PyGILState_STATE PyGILState_Ensure();
void PyGILState_Release(PyGILState_STATE);
int PyGILState_Check();
struct ncclComm; typedef ncclComm *ncclComm_t; typedef int ncclResult_t;
ncclResult_t ncclGroupStart();
ncclResult_t ncclGroupEnd();
ncclResult_t ncclAllReduce(const void *, void *, size_t, int, int, ncclComm_t, void *);
int cudaDeviceSynchronize();
}
namespace std {
struct mutex { void lock(); void unlock(); bool try_lock(); };
struct timed_mutex { void lock(); void unlock(); bool try_lock(); bool try_lock_for(int); };
struct recursive_mutex { void lock(); void unlock(); bool try_lock(); };
struct shared_mutex {
  void lock(); void unlock(); bool try_lock();
  void lock_shared(); void unlock_shared(); bool try_lock_shared();
};
struct adopt_lock_t {}; struct defer_lock_t {}; struct try_to_lock_t {};
constexpr adopt_lock_t adopt_lock{}; constexpr defer_lock_t defer_lock{};
constexpr try_to_lock_t try_to_lock{};
template <class M> struct lock_guard {
  explicit lock_guard(M &); lock_guard(M &, adopt_lock_t); ~lock_guard();
};
template <class... M> struct scoped_lock { explicit scoped_lock(M &...); ~scoped_lock(); };
template <class M> struct unique_lock {
  unique_lock(); explicit unique_lock(M &); unique_lock(M &, adopt_lock_t);
  unique_lock(M &, defer_lock_t); unique_lock(M &, try_to_lock_t); unique_lock(M &, int);
  unique_lock(unique_lock &&); unique_lock &operator=(unique_lock &&); ~unique_lock();
  void lock(); void unlock(); bool try_lock(); bool owns_lock() const; M *release(); M *mutex();
  explicit operator bool() const;
};
template <class M> struct shared_lock { explicit shared_lock(M &); ~shared_lock(); };
template <class M, class... N> void lock(M &, N &...);
template <class M, class... N> int try_lock(M &, N &...);
struct condition_variable {
  void wait(unique_lock<mutex> &); template <class P> void wait(unique_lock<mutex> &, P);
  bool wait_for(unique_lock<mutex> &, int); void notify_one(); void notify_all();
};
struct thread {
  thread(); template <class F, class... A> explicit thread(F &&, A &&...); ~thread();
  thread(thread &&); thread &operator=(thread &&); void join(); void detach();
  struct id {}; id get_id() const; bool joinable() const;
};
bool operator==(thread::id, thread::id); bool operator!=(thread::id, thread::id);
namespace this_thread { thread::id get_id(); }
struct once_flag {};
template <class F, class... A> void call_once(once_flag &, F &&, A &&...);
template <class T> T &&move(T &);
template <class T> void swap(T &, T &);
template <class T> struct atomic {
  atomic(T); T load() const; void store(T); T exchange(T); operator T() const; T operator=(T);
};
struct atomic_flag { bool test_and_set(); void clear(); };
template <class T> struct default_delete {};
template <class T, class D = default_delete<T>> struct unique_ptr {
  unique_ptr(); explicit unique_ptr(T *); unique_ptr(unique_ptr &&); ~unique_ptr();
  template <class U, class E> unique_ptr(unique_ptr<U, E> &&);
  template <class U, class E> unique_ptr &operator=(unique_ptr<U, E> &&);
  unique_ptr &operator=(unique_ptr &&); T *operator->() const; T &operator*() const;
  T *get() const; T *release(); void reset(T * = nullptr); explicit operator bool() const;
};
template <class T> struct shared_ptr {
  shared_ptr(); explicit shared_ptr(T *); shared_ptr(const shared_ptr &); ~shared_ptr();
  template <class U> shared_ptr(const shared_ptr<U> &);
  shared_ptr &operator=(const shared_ptr &); T *operator->() const; T &operator*() const;
  T *get() const; void reset(); explicit operator bool() const; long use_count() const;
};
template <class T, class... A> unique_ptr<T> make_unique(A &&...);
template <class T, class... A> shared_ptr<T> make_shared(A &&...);
template <class T> struct allocator {};
template <class T, class A = allocator<T>> struct vector {
  vector(); ~vector(); T &operator[](size_t); T &at(size_t); T &back(); T &front();
  void push_back(const T &); void push_back(T &&); void pop_back(); void clear();
  size_t size() const; bool empty() const; T *begin(); T *end();
  template <class... B> T &emplace_back(B &&...);
};
template <class K, class V> struct map {
  map(); ~map(); V &operator[](const K &); V &at(const K &); void clear(); void erase(const K &);
};
template <class F> struct function;
template <class R, class... A> struct function<R(A...)> {
  function(); template <class F> function(F); ~function(); R operator()(A...) const;
  function &operator=(const function &); explicit operator bool() const;
};
template <class A, class B> struct pair { A first; B second; };
template <class T> struct future {
  future(); ~future(); future(future &&); future &operator=(future &&);
  T get(); void wait() const; bool valid() const;
};
template <class F, class... A> future<int> async(F &&, A &&...);
}
"""


@functools.cache
def folder() -> File:
    """Where sources are written that a test reads."""
    made = File(tempfile.mkdtemp(prefix="walks"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    (made / "standard.h").write_text(STANDARD)
    return made


@functools.cache
def facts_of(text: str, name: str = "small.cpp") -> Facts:
    """What a source with this text says."""
    main = folder() / name
    main.write_text(text)
    before = str(folder() / "standard.h")
    language = ("-x", "c") if name.endswith(".c") else ("-x", "c++", "-std=c++17")
    flags = (*language, "-ferror-limit=0", "-w", "-nostdinc", "-include", before)
    flags = flags[:-2] if name.endswith(".c") else flags
    reading = read_unit(Job(str(main), (str(main),), flags, False, not name.endswith(".c")))
    assert not reading.facts.problem, reading.facts.problem
    return reading.facts


def linked(*units: Facts, knowledge: Knowledge | None = None) -> Program:
    """The program of these units, ready to be analysed."""
    known = knowledge or builtin()
    program = Program(units, known)
    bind(program, list(units), known)
    deduce(program)
    texts.decide(program)
    instantiate(program)
    program.building = building.find(program, known)
    return program


def program_of(text: str, name: str = "small.cpp", knowledge: Knowledge | None = None) -> Program:
    """The program of one source with this text."""
    return linked(facts_of(text, name), knowledge=knowledge)


class Prepared(Engine):
    """An engine that has summarised what a function calls, and not the function."""

    def prepare(self, usr: str) -> None:
        """Summarise all functions but *usr* and those that call it."""
        above = {usr}
        for group in self.call_graph.groups():
            self.written.close(group)
            callees = {c for u in group for c in self.call_graph.callees(self.program.functions[u])}
            if above.isdisjoint({*group, *callees}):
                self._summarise(group)
            else:
                above.update(group)


def analysed(text: str, knowledge: Knowledge | None = None) -> Engine:
    """An engine that has run over the program of this text."""
    known = knowledge or builtin()
    engine = Engine(program_of(text, knowledge=known), known)
    engine.run()
    return engine


_Kind = TypeVar("_Kind")


class Walking:
    """A walk of *function* that has not begun; paths go by the names that the text has."""

    def __init__(self, engine: Engine, function: str) -> None:
        self.engine = engine
        self.program = engine.program
        (usr,) = engine.program.named(function)
        self.function = engine.program.functions[usr]
        self.walk: Activation = engine.activation(self.function)
        self.result = Path.of_made(usr, "r99")
        self.made = Path.of_made(usr, "99")

    # -- names ------------------------------------------------------------------------------------

    def usr(self, name: str) -> str:
        """The key of the function *name*."""
        (found,) = self.program.named(name)
        return found

    def variable(self, name: str) -> str:
        """The key of a variable of the function, of a global, or of a field, by its name."""
        known = self.program.variables
        own = [u for u, v in known.items() if v.owner == self.function.usr and v.name == name]
        if own:
            return own[0]
        found = [u for u, v in known.items() if v.name == name and v.kind not in ("local", "param")]
        return found[0] if len(found) == 1 else self.field(name)

    def field(self, name: str) -> str:
        """The key of the only field of that name."""
        known = self.program.variables.items()
        (usr,) = (u for u, v in known if v.kind == "field" and v.name.rpartition("::")[2] == name)
        return usr

    def at(self, name: str) -> Path:
        """The path of ``this.mutex``, ``parameter.table.[].mutex``, ``global``, ``?.mutex``..."""
        first, *steps = name.split(".")
        if first == "this":
            path = self.walk.values.this
        elif first == "?" or ":" in first.replace("::", ""):
            kind, _, key = first.partition(":")
            path = Path(_ROOTS[kind](key))
        else:
            path = Path.of_variable(self.variable(first))
        for step in steps:
            path = path.then(self._step(step))
        return path

    def _step(self, text: str) -> Step:
        if text.startswith("["):
            return Element(text[1:-1])
        return Locks(text[1:]) if text.startswith("*") else self.field(text)

    def all(self, *names: str) -> Paths:
        """Several paths by their names."""
        return tuple(map(self.at, names))

    def name(self, path: What) -> str:
        """What the text calls *path*, or how what it is instead is named."""
        known = self.program.variables
        if isinstance(path, Wait | Group):
            return path.name
        if isinstance(path, Issued):
            return f"{path.name} on {self.name(path.communicator)}"
        if path.is_this:
            root = "this"
        elif path.is_variable:
            variable = known.get(path.variable)
            root = variable.name if variable is not None else path.variable
        else:
            root = str(path.root)
        steps = (
            known[s].name.rpartition("::")[2] if isinstance(s, str) and s in known else str(s)
            for s in path.steps
        )
        return ".".join((root, *steps))

    def names(self, paths: Iterable[What]) -> list[str]:
        """What the text calls *paths*."""
        return [self.name(p) for p in paths]

    # -- the function -----------------------------------------------------------------------------

    def site(self, line: int = 1, column: int = 0) -> Site:
        """A place in the function."""
        return Site(self.function.usr, line, column)

    def statements(self, kind: type[_Kind]) -> list[_Kind]:
        """Statements of that kind in the body, in source order."""
        return [s for s in f.walk(self.function.body) if isinstance(s, kind)]

    def call(self, name: str) -> f.Call:
        """The first call in the body of what is called *name*, by the last part of that."""
        for call in self.statements(f.Call):
            if self.program.called(call).rpartition("::")[2] == name:
                return call
        raise AssertionError(f"nothing here calls {name}")

    def condition(self, number: int = 0) -> f.Value:
        """What the branch of that number asks."""
        found = self.statements(f.If)[number].cond
        assert found is not None
        return found

    def run(self) -> Summary:
        """Walk the body; what it comes to."""
        self.walk.run()
        return self.walk.summary

    # -- states -----------------------------------------------------------------------------------

    def holding(self, *names: str, mode: Mode = EXCLUSIVE, how: How = BLOCKING) -> State:
        """A state in which these were taken, in this order, at lines 1, 2, ..."""
        held = (
            Held(self.at(n), mode, how, self.site(line)) for line, n in enumerate(names, start=1)
        )
        return State(tuple(held))

    def held(self, state: State) -> list[str]:
        """What is held, the last one last."""
        return [self.name(h.path) for h in state.held]

    def given_up(self, state: State) -> set[str]:
        """What was given up of the caller's."""
        return {self.name(p) for p in state.released}

    def value(self, state: State, name: str) -> list[str]:
        """What is known of the value at *name*."""
        return self.names(state.env.get(self.at(name), ()))

    # -- what was recorded ------------------------------------------------------------------------

    def orders(self) -> set[tuple[str, str]]:
        """Locks that have names, by names: here the second was taken under the first."""
        return {pair for pair, each in self.engine.found.orders.items() if self._mine(each)}

    def _mine(self, each: Iterable[Emitted]) -> bool:
        return any(emitted.function == self.function.usr for emitted in each)

    def kept_orders(self) -> set[tuple[str, str]]:
        """Orders whose locks only callers can name."""
        return {(self.name(o.held.path), self.name(o.taken.path)) for o in self.walk.orders}

    def taken(self) -> set[str]:
        """What callers are told that the function takes."""
        return {self.name(path) for path, _, _ in self.walk.taken}

    def blocked(self) -> set[tuple[str, str]]:
        """Locks, and calls that wait here while they are held."""
        found = self.engine.found.blocked.items()
        return {(lock, wait.name) for (lock, wait), each in found if self._mine(each)}

    def again(self) -> set[str]:
        """Locks that their holder takes again here."""
        found = self.engine.found.self_locks
        return {lock for lock, function, *_ in found if function == self.function.usr}

    def misuses(self) -> set[tuple[str, str]]:
        """Rules, and the locks that something is wrong with on every way here."""
        return {(rule, self.name(path)) for rule, path, _, _ in self.walk.ways.wrong()}

    def deferred(self) -> set[str]:
        """Callables that callers are asked for."""
        return {self.name(d.callee) for d in self.walk.deferred}


def walking(text: str, function: str = "f", knowledge: Knowledge | None = None) -> Walking:
    """A walk of *function* in the program of this text, that has not begun."""
    known = knowledge or builtin()
    engine = Prepared(program_of(text, knowledge=known), known)
    (usr,) = engine.program.named(function)
    engine.prepare(usr)
    return Walking(engine, function)
