"""What is derived from a whole program before anything is walked, each part by itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Class, Decl, Facts, FileFacts, Variable
from lockorder.static.parse.names import array_element, innermost_element
from lockorder.static.parse.unit import SYNTAX_ALONE
from lockorder.static.program import building, constants, deletions, failing
from lockorder.static.program.backpointers import BackPointers
from lockorder.static.program.callgraph import CallGraph
from lockorder.static.program.closures import Closures
from lockorder.static.program.deduced import deduce
from lockorder.static.program.held_classes import HeldClasses
from lockorder.static.program.identities import Identities
from lockorder.static.program.indexes import Indexes
from lockorder.static.program.instances import instantiate
from lockorder.static.program.lent import Keepers, Lent, parameters
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.link import Program
from lockorder.static.program.opposites import Opposites
from lockorder.static.program.paths import Path
from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.qualify import joined, qualify
from lockorder.static.program.stored import Stored
from walks import facts_of, program_of


def usr(program: Program, name: str) -> str:
    (found,) = program.named(name)
    return found


def variable(program: Program, name: str) -> str:
    (found,) = (u for u, v in program.variables.items() if v.name.rpartition("::")[2] == name)
    return found


def lifetimes(program: Program) -> Lifetimes:
    return Lifetimes(program, builtin(), PointsTo(program, builtin()))


# -- lifetimes -------------------------------------------------------------------------------------

SESSIONS = """
struct Session { ~Session() {} }; struct Guest : Session { };
struct Request { std::shared_ptr<Session> session; };
struct Table { std::map<int, std::vector<std::shared_ptr<Guest>>> all; };
struct Watch { std::weak_ptr<Session> watched; std::unique_ptr<Session> own; Session *plain; };
std::shared_ptr<Session> last;
void f(std::shared_ptr<Session> given) { std::shared_ptr<Session> local = given; }
struct Other { std::shared_ptr<int> number; };
"""


def test_keepers() -> None:
    """Members and globals that share an object, of its class, its bases and derived ones."""
    program = program_of(SESSIONS)
    found = lifetimes(program).keepers("Session")
    names = sorted(program.variables[u].name.rpartition("::")[2] for u in found)
    assert names == ["all", "last", "session"]
    assert not lifetimes(program).keepers("Table")


OBJECTS = """
struct First { First() {} ~First() {} };
struct Second { Second(int) {} Second() {} ~Second() {} };
struct Whole { First first; Second *pointer; Second second; };
struct Derived : First { };
struct Array { First all[2][3]; First *pointers[2]; };
struct Start { First first = make(); static First make(); };
struct Base { virtual ~Base() {} }; struct Heir : Base { ~Heir() {} };
struct Other : Base { ~Other() {} };
struct Loop { std::unique_ptr<Loop> next; First first; };
std::unique_ptr<Base> owner; std::unique_ptr<First> alone;
void f() { owner = std::unique_ptr<Base>(new Heir()); }
"""


def short(program: Program, keys: object) -> list[str]:
    return [program.name_of(u) for u in keys]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("spelling", "found"),
    [
        ("First", ["First::~First"]),
        ("First *", []),
        ("First &", []),
        ("Whole", ["First::~First", "Second::~Second"]),
        ("Derived", ["First::~First"]),
        ("Array", ["First::~First"]),
        ("First[2]", ["First::~First"]),
        ("First *[2]", []),
        ("std::unique_ptr<First>", ["First::~First"]),
        ("std::vector<First>", ["First::~First"]),
        ("std::unique_ptr<First[]>", ["First::~First"]),
        ("std::vector<First *>", []),
        ("std::vector<std::unique_ptr<First>>", ["First::~First"]),
        ("Loop", ["First::~First"]),
        ("int", []),
        ("std::unique_ptr<Base>", ["Base::~Base", "Heir::~Heir"]),
    ],
)
def test_what_the_end_of_an_object_runs(spelling: str, found: list[str]) -> None:
    program = program_of(OBJECTS)
    assert sorted(short(program, lifetimes(program).destroyed(spelling))) == found


@pytest.mark.parametrize(
    ("cls", "found"),
    [
        ("First", ["First::First"]),
        ("Whole", ["First::First", "Second::Second"]),
        ("Derived", ["First::First"]),
        ("Array", ["First::First"]),
        ("Base", []),
        ("Unknown", []),
    ],
)
def test_what_construction_runs(cls: str, found: list[str]) -> None:
    program = program_of(OBJECTS)
    assert short(program, lifetimes(program).constructed(cls)) == found


def test_the_constructor_with_the_fewest_parameters_is_the_default() -> None:
    program = program_of(OBJECTS)
    default = lifetimes(program).default_constructor("Second")
    assert default is not None
    assert program.functions[default].params == []


def test_a_member_that_is_begun_in_the_class_begins_so() -> None:
    program = program_of(OBJECTS)
    (start,) = lifetimes(program).member(next(u for u in program.classes["Start"].fields))
    assert start.startswith("nsdmi:")


def test_parts_end_last_first() -> None:
    program = program_of(OBJECTS)
    parts = [program.variables[u].name for u, _ in lifetimes(program).parts("Whole")]
    assert parts == ["Whole::second", "Whole::first"]


def test_a_pointer_owns_only_classes_that_are_handed_to_one() -> None:
    program = program_of(OBJECTS)
    assert lifetimes(program).owned_as("Base", False) == ["Base", "Heir"]


@pytest.mark.parametrize(
    ("spelling", "element", "innermost"),
    [("T[3]", "T", "T"), ("T[2][3]", "T[2]", "T"), ("T", "", "T"), ("V<T[3]>", "", "V<T[3]>")],
)
def test_elements_of_arrays(spelling: str, element: str, innermost: str) -> None:
    assert array_element(spelling) == element
    assert innermost_element(spelling) == innermost


# -- the call graph --------------------------------------------------------------------------------

CALLS = """
struct First { First() {} ~First() {} };
struct Lock { void lock() {} void unlock() {} };
struct Base { virtual void run() {} }; struct Heir : Base { void run() override {} };
void leaf() {}
void (*stored)();
void set() { stored = leaf; }
void each(void (*callback)()) { callback(); }
void even(int n); void odd(int n) { even(n); } void even(int n) { odd(n); }
"""


def callees(body: str) -> set[str]:
    program = program_of(f"{CALLS} void f(Base *p) {{ {body} }}")
    points_to = PointsTo(program, builtin())
    graph = CallGraph(program, points_to, Lifetimes(program, builtin(), points_to))
    function = program.functions[usr(program, "f")]
    return {program.name_of(u) for u in graph.callees(function)}


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("leaf();", {"leaf"}),
        ("stored();", {"leaf"}),
        ("each(leaf);", {"each", "leaf"}),
        ("p->run();", {"Base::run", "Heir::run"}),
        ("p->Base::run();", {"Base::run"}),
        ("First x;", {"First::First", "First::~First"}),
        ("First x[2];", {"First::First", "First::~First"}),
        ("First *x;", set()),
        ("delete (First *)p; First *y = nullptr; delete y;", {"First::~First"}),
        ("Lock k; std::lock_guard<Lock> hold(k);", {"Lock::lock", "Lock::unlock"}),
        ("std::unique_ptr<First> x; x.reset();", {"First::First", "First::~First"}),
    ],
)
def test_what_a_function_can_call(body: str, found: set[str]) -> None:
    assert callees(body) == found


def test_callees_come_before_their_callers() -> None:
    program = program_of(f"{CALLS} void f() {{ odd(1); leaf(); }}")
    points_to = PointsTo(program, builtin())
    groups = CallGraph(program, points_to, Lifetimes(program, builtin(), points_to)).groups()
    names = [{program.name_of(u) for u in g} for g in groups]
    assert {"odd", "even"} in names
    assert names.index({"odd", "even"}) < names.index({"f"})
    assert names.index({"leaf"}) < names.index({"f"})


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=8))
def test_groups_are_those_that_reach_each_other(edges: list[tuple[int, int]]) -> None:
    bodies = {
        n: f.Block([f.Call(i, f.Fn(f"c:{b}"), [], 1) for i, (a, b) in enumerate(edges) if a == n])
        for n in range(5)
    }
    functions = [
        f.Function(f"c:{n}", str(n), "function", [], b, "a.cpp", 1) for n, b in bodies.items()
    ]
    program = Program([Facts("a.cpp", functions, [], [], [], [])])
    points_to = PointsTo(program, builtin())
    groups = CallGraph(program, points_to, Lifetimes(program, builtin(), points_to)).groups()
    reach = {(n, n) for n in range(5)} | set(edges)
    for _ in range(5):
        reach |= {(a, d) for a, b in reach for c, d in reach if b == c}
    for group in groups:
        for one in group:
            together = {
                f"c:{n}" for n in range(5) if {(int(one[2:]), n), (n, int(one[2:]))} <= reach
            }
            assert set(group) == together
    order = {u: at for at, g in enumerate(groups) for u in g}
    assert all(order[f"c:{b}"] <= order[f"c:{a}"] for a, b in edges)


# -- functions that end the program ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("abort();", True),
        ("log(); abort();", True),
        ("if (n) abort();", False),
        ("if (n) abort(); else abort();", True),
        ("if (n) abort(); else return;", False),
        ("if (n) return; abort();", False),
        ("while (n) abort();", False),
        ("do { abort(); } while (n);", True),
        ("die();", True),
        ("log();", False),
        ("", False),
    ],
)
def test_functions_that_end_the_program(body: str, found: bool) -> None:
    program = program_of(f"void log(); void die() {{ abort(); }} void f(int n) {{ {body} }}")
    assert (usr(program, "f") in failing.find(program, builtin())) is found


# -- statics that keep their value -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("static int n = 3; look(n);", True),
        ("static int n = 3; n = 4;", False),
        ("static int n = 3; n++;", False),
        ("static int n = 3; change(n);", False),
        ("static int n = 3; give(&n);", False),
        ("static int n = 3; int &r = n; r = 1;", False),
        ("static int n = 3; int *p = &n; *p = 1;", False),
        ("static int n = 3; int m = n; m = 4;", True),
        ("static int n = other(); look(n);", False),
    ],
)
def test_statics_that_keep_what_they_start_with(body: str, found: bool) -> None:
    program = program_of(
        f"void look(int); void change(int &); void give(int *); int other();void f() {{ {body} }}"
    )
    assert bool(constants.find(program).statics) is found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("static int n = 3; void f() { look(n); }", "3"),
        ("static int n; void f() { look(n); }", "0"),
        ("namespace { bool n = false; } void f() { look(n); }", "false"),
        ("int n = 3; void f() { look(n); }", None),  # others may name it
        ("static int n = 3; void f() { n = 4; }", None),
        ("static int n = 3; void f() { change(n); }", None),
        ("static int n = 3; void f() { give(&n); }", None),
        ("static int n = 3; void f() { any(n); }", None),
        ("static int n = 3; struct T { int *at; }; static T t[] = {{&n}};", None),
        ("static int n = 3; struct T { int *at; T() : at(&n) {} };", None),
        ("static int n = 3; void f() { auto g = [] { n = 1; }; g(); }", None),
        ("static volatile int n = 3; void f() { look(n); }", None),
        ("static int n = other(); void f() { look(n); }", None),
        ("static Flag n; void f() { n.set(true); }", None),
    ],
)
def test_globals_of_a_file_that_keep_what_they_start_with(text: str, found: str | None) -> None:
    program = program_of(
        "void look(int); void change(int &); void give(int *); int other();"
        "template <class T> void any(T &&); struct Flag { bool b; void set(bool); };" + text
    )
    kept = {program.variables[u].name: v.text for u, v in constants.find(program).globals.items()}
    kept = {name.rpartition("::")[2]: value for name, value in kept.items()}
    assert kept.get("n") == found


# -- deletions that callers decide -----------------------------------------------------------------

DELETES = """
struct Node {};
template <class T> void direct(T *p) { delete p; }
template <class T> void hands(T *p) { direct(p); }
template <class T> void looks(T *p) { if (p) p->x(); }
void plain(Node *p) { delete p; }
template <class T> void counted(T *p, int n) { if (n == 0) delete p; }
template <class T> void flagged(T *p, bool own) { if (own) delete p; }
template <class T> void tested(T *p) { if (p != nullptr) delete p; }
"""


@pytest.mark.parametrize(
    ("name", "found"), [("direct", True), ("hands", True), ("looks", False), ("plain", False)]
)
def test_which_functions_delete_what_callers_know(name: str, found: bool) -> None:
    program = program_of(DELETES)
    assert (usr(program, name) in deletions.find(program)) is found


@pytest.mark.parametrize(
    ("name", "found"),
    [("counted", True), ("flagged", False), ("tested", False), ("direct", False)],
)
def test_what_may_be_a_count_of_owners(name: str, found: bool) -> None:
    program = program_of(DELETES)
    function = program.functions[usr(program, name)]
    (event,) = (s for s in f.walk(function.body) if isinstance(s, f.Delete))
    assert deletions.is_counted(function, event) is found


# -- closures --------------------------------------------------------------------------------------


def closures(body: str) -> tuple[Program, Closures]:
    program = program_of(
        f"struct T {{ ~T() {{}} }}; void keep(std::function<void()>);void f(T *p) {{ T t; {body} }}"
    )
    points_to = PointsTo(program, builtin())
    return program, Closures(program, builtin(), points_to.functions)


def lambda_of(program: Program) -> str:
    (found,) = (u for u, x in program.functions.items() if x.kind == "lambda")
    return found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("auto g = [t] { (void)t; }; g();", ["T"]),
        ("auto g = [&t] { (void)t; }; g();", []),
        ("auto g = [p] { (void)p; }; g();", []),
        ("auto g = [x = t] { (void)x; }; g();", ["T"]),
    ],
)
def test_what_a_lambda_has_by_value(body: str, found: list[str]) -> None:
    program, known = closures(body)
    assert [t for _, t in known.captures(lambda_of(program))] == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("auto g = [x = t] { (void)x; }; g();", False),
        ("keep([x = t] { (void)x; });", True),
        ("auto g = [x = t] { (void)x; }; keep(g);", True),
    ],
)
def test_closures_that_leave_their_function(body: str, found: bool) -> None:
    program, known = closures(body)
    (captured,) = known.captures(lambda_of(program))
    assert known.is_handed_on(captured[0]) is found


# -- where a closure is kept -----------------------------------------------------------------------

BUS = """
struct Bus { std::function<void()> hook; void on(std::function<void()> h) { hook = h; }
             void forget(std::function<void()> h) {} };
struct Owner { Bus bus; Bus other;
  void direct() { bus.hook = [this] { bus.hook = nullptr; }; }
  void method() { bus.on([this] { other.hook = nullptr; }); }
  void nowhere() { bus.forget([this] { other.hook = nullptr; }); } };
"""


@pytest.mark.parametrize(
    ("method", "found"), [("direct", ["bus"]), ("method", ["bus"]), ("nowhere", [])]
)
def test_which_object_keeps_a_closure(method: str, found: list[str]) -> None:
    program = program_of(BUS)
    home = usr(program, f"Owner::{method}")
    (closure,) = (u for u, x in program.functions.items() if x.parent == home)
    owners = Stored(program).owners(closure, variable(program, "hook"))
    assert [program.variables[p.steps[-1]].name.rpartition("::")[2] for p in owners] == found


# -- what may change at any call -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int n = 1; look(n);", set()),
        ("int n = 1; Watch w(&n);", {"n"}),
        ("int n = 1, m = 2; (flag ? n : m) = 3;", {"n", "m"}),
        ("int n = 1; Row rows[] = {{&n}};", {"n"}),
        ("int n = 1; int m = n;", set()),
    ],
)
def test_numbers_that_others_can_reach(body: str, found: set[str]) -> None:
    program = program_of(
        "struct Watch { explicit Watch(int *q) : p(q) {} int *p; }; struct Row { int *at; };"
        f"void look(int); void f(bool flag) {{ {body} }}"
    )
    lent = Lent(program, program.functions[usr(program, "f")], Keepers(program)).find()
    assert {program.variables[u].name for u in lent} == found


@pytest.mark.parametrize(
    ("spelling", "found"),
    [
        ("void (*)(int, char *)", ["int", "char *"]),
        ("void (*)()", []),
        ("std::function<void (int, V<a, b>)>", ["int", "V<a, b>"]),
        ("int", None),
    ],
)
def test_parameters_of_a_callable_by_its_type(spelling: str, found: list[str] | None) -> None:
    assert parameters(spelling) == found


# -- indexes ---------------------------------------------------------------------------------------


def free(body: str) -> bool:
    program = program_of(
        "struct N { std::mutex m; }; N all[8]; void look(int);"
        f"void f(int i, int j) {{ {body} all[i].m.lock(); all[j].m.lock(); }}"
    )
    function = program.functions[usr(program, "f")]
    return Indexes(program, set()).are_free(
        function, f.Var(function.params[0]), f.Var(function.params[1])
    )


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("", True),
        ("look(i);", True),
        ("if (i < j) look(i);", False),
        ("if (i == j) return;", True),
        ("if (i > j) std::swap(i, j);", False),
    ],
)
def test_indexes_that_callers_choose_freely(body: str, found: bool) -> None:
    assert free(body) is found


@pytest.mark.parametrize(
    ("call", "found"), [("f(1, 2);", False), ("f(n, m);", True), ("f(n, n);", False)]
)
def test_callers_may_order_them(call: str, found: bool) -> None:
    program = program_of(f"void f(int i, int j) {{}} void g(int n, int m) {{ {call} }}")
    function = program.functions[usr(program, "f")]
    one, other = (f.Var(p) for p in function.params)
    assert Indexes(program, set()).are_free(function, one, other) is found


def test_whose_address_is_taken_anybody_may_call() -> None:
    program = program_of("void f(int i, int j) {} void g(int n) { f(n, n); }")
    function = program.functions[usr(program, "f")]
    one, other = (f.Var(p) for p in function.params)
    assert Indexes(program, {function.usr}).are_free(function, one, other)


# -- classes of what members point to --------------------------------------------------------------

HELD = """
struct Base { virtual ~Base() {} virtual bool is() { return false; } };
struct Left : Base { bool is() override { return true; } }; struct Right : Base {};
struct Keeper { std::unique_ptr<Base> one; std::vector<std::unique_ptr<Base>> all; Base *raw; };
"""


def held(body: str, member: str) -> set[str] | None:
    program = program_of(f"{HELD} void f(Keeper &k, Base *any) {{ {body} }}")
    found = HeldClasses(program, builtin()).of(Path.of_variable("k", (variable(program, member),)))
    return None if found is None else set(found)


@pytest.mark.parametrize(
    ("body", "member", "found"),
    [
        ("k.one = std::make_unique<Left>();", "one", {"Left"}),
        ("k.all.push_back(std::make_unique<Left>());", "all", {"Left"}),
        ("k.one.reset(new Right());", "one", {"Right"}),
        ("", "one", None),
        ("k.one.reset(any);", "one", None),
        ("k.one = std::make_unique<Left>(); k.one.reset(any);", "one", None),
    ],
)
def test_which_classes_a_member_holds(body: str, member: str, found: set[str] | None) -> None:
    assert held(body, member) == found


OUT = "std::unique_ptr<Base> *out"


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("void set({out}) {{ *out = std::make_unique<Left>(); }}", {"Left"}),
        ("void set({out}) {{ out->reset(new Left); }}", {"Left"}),
        (
            "void set({out}) {{ std::unique_ptr<Left> p(new Left); out->reset(p.release()); }}",
            {"Left"},
        ),
        ("void put({out}) {{ out->reset(new Left); }} void set({out}) {{ put(out); }}", {"Left"}),
        ("void set({out}) {{ if (*out) out->reset(); }}", None),
        ("Base *any(); void set({out}) {{ out->reset(any()); }}", None),
        ("void put({out}); void set({out}) {{ put(out); }}", None),
        ("std::unique_ptr<Base> *kept; void set({out}) {{ kept = out; }}", None),
        (
            "struct K {{ std::unique_ptr<Base> *kept; }} k; void set({out}) {{ k.kept = out; }}",
            None,
        ),
        ("void set({out}) {{ auto *same = out; same->reset(new Right); }}", None),
        ("auto set({out}) {{ return out; }}", None),
        ("void put(std::unique_ptr<Base> &o) {{}} void set({out}) {{ put(*out); }}", None),
        ("template <class T> void put(T *o) {{}} void set({out}) {{ put(out); }}", None),
    ],
)
def test_what_a_function_puts_into_a_member_by_its_address(
    code: str, found: set[str] | None
) -> None:
    text = f"{HELD} {code.format(out=OUT)} void f(Keeper &k) {{ set(&k.one); }}"
    program = program_of(text)
    held = HeldClasses(program, builtin())
    classes = held.of(Path.of_variable("k", (variable(program, "one"),)))
    assert (None if classes is None else set(classes)) == found


def test_two_functions_that_hand_a_member_on_to_each_other() -> None:
    code = (
        f"void odd({OUT}, int n); "
        f"void even({OUT}, int n) {{ if (n) odd(out, n); else out->reset(new Left); }} "
        f"void odd({OUT}, int n) {{ if (n) even(out, n); else out->reset(new Right); }} "
    )
    classes = "struct Third : Base {};"
    program = program_of(f"{HELD} {classes} {code} void f(Keeper &k) {{ odd(&k.one, 3); }}")
    held = HeldClasses(program, builtin())
    assert held.of(Path.of_variable("k", (variable(program, "one"),))) == {"Left", "Right"}


def test_a_virtual_function_that_answers_tells_the_class() -> None:
    program = program_of(HELD)
    known = HeldClasses(program, builtin())
    method = next(u for u, d in program.decls.items() if d.name == "Base::is")
    assert known.answering(method, True, "Base") == {"Left"}
    assert known.answering(method, False, "Base") == {"Base", "Right"}


# -- ways back -------------------------------------------------------------------------------------

PARENTS = """
struct Pool;
struct Block { std::mutex mutex; Pool *owner; };
struct Slot { void *argument; };
struct Pool { std::mutex mutex; Block *block; Pool *next, *self, *some; Slot slot;
  void make() { block = new Block(); block->owner = this; } };
void keep(Pool *pool, void *argument) { pool->slot.argument = argument; }
void begin(Pool *pool, Pool *other) {
  pool->self = pool; keep(pool, pool); pool->some = pool; other->some = pool; }
"""


def returns(*names: str) -> bool:
    program = program_of(PARENTS)
    points_to = PointsTo(program, builtin())
    identities = Identities(program, builtin(), points_to)
    opposites = Opposites(program, Lifetimes(program, builtin(), points_to))
    ways = BackPointers(program, identities, points_to, opposites)
    fields = {v.name: u for u, v in program.variables.items() if v.kind == "field"}
    this = usr(program, "Pool::make")
    held_at = Path.of_this(this, (fields["Pool::mutex"],))
    taken = Path.of_this(this, tuple(fields[n] for n in names))
    return ways.returns(held_at, taken) is not None


@pytest.mark.parametrize(
    ("way", "found"),
    [
        (("Pool::block", "Block::owner", "Pool::mutex"), True),
        (("Pool::next", "Pool::mutex"), False),
        (("Pool::block", "Block::mutex"), False),
        (("Pool::self", "Pool::mutex"), True),
        (("Pool::slot", "Slot::argument", "Pool::mutex"), True),
        (("Pool::some", "Pool::mutex"), False),
    ],
)
def test_ways_that_lead_back(way: tuple[str, ...], found: bool) -> None:
    assert returns(*way) is found


# -- while an object is being made -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("constructor", "private", "elsewhere", "found"),
    [
        ("setup();", True, "", True),
        ("setup();", False, "", False),
        ("setup();", True, "void later() { setup(); }", False),
        ("std::thread t([] {}); setup();", True, "", False),
        ("", True, "", False),
    ],
)
def test_methods_that_run_only_in_constructors(
    constructor: str, private: bool, elsewhere: str, found: bool
) -> None:
    section = "private" if private else "public"
    program = program_of(
        f"class Pool {{ public: Pool() {{ {constructor} }} {elsewhere}"
        f" {section}: void setup() {{ n = 1; }} int n; }};"
    )
    assert (usr(program, "Pool::setup") in building.find(program, builtin())) is found


# -- types that templates leave open ---------------------------------------------------------------


def test_an_auto_variable_is_what_every_function_of_that_name_returns() -> None:
    text = (
        "namespace n { struct Guard { ~Guard() {} }; template <class T> Guard make(T &) ; }"
        "template <class T> n::Guard made(T &t) { return n::Guard(); }"
        "template <class T> void f(T &t) { auto g = made(t); }"
    )
    program = program_of(text)
    deduce(program)
    (local,) = (v for v in program.variables.values() if v.kind == "local" and v.name == "g")
    assert local.type in ("n::Guard", "auto")
    assert program.split(local.type)[0] == "n::Guard"


def test_a_class_that_is_made_is_looked_up_from_the_inside() -> None:
    make = f.Make(0, "Inner<int>", "", [], 1)
    function = f.Function("c:f", "ns::f", "function", [], f.Block([make]), "a.cpp", 1)
    classes = [Class("c:i", "ns::Inner", [], [])]
    deduce(Program([Facts("a.cpp", [function], classes, [], [], [])]))
    assert make.type == "ns::Inner<int>"


def test_a_class_that_is_nowhere_stays_as_it_is_written() -> None:
    make = f.Make(0, "Inner<int>", "", [], 1)
    function = f.Function("c:f", "ns::f", "function", [], f.Block([make]), "a.cpp", 1)
    deduce(Program([Facts("a.cpp", [function], [], [], [], [])]))
    assert make.type == "Inner<int>"


# -- copies of templates ---------------------------------------------------------------------------

TEMPLATES = """
std::mutex a;
template <bool Locked> void decided() { if (Locked) a.lock(); }
template <class T> void same(T t) { a.lock(); }
"""


def copies(body: str) -> int:
    program = program_of(f"{TEMPLATES} void f() {{ {body} }}")
    instantiate(program)
    return len(program.copies)


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("decided<true>();", 1),
        ("decided<true>(); decided<false>();", 2),
        ("decided<true>(); decided<true>();", 1),
        ("same(1); same('a');", 0),
        ("", 0),
    ],
)
def test_a_template_is_copied_where_its_arguments_decide(body: str, number: int) -> None:
    assert copies(body) == number


def test_a_template_that_calls_itself_with_other_arguments() -> None:
    """Its copy calls the copy for those, and not a copy of the copy."""
    program = program_of(
        """
std::mutex a;
template <class T> void again(T t) {
    static int times;
    if (times++) a.lock(); else again(int(t));
}
void f() { again('c'); }
"""
    )
    instantiate(program)
    assert len(program.copies) == 2
    assert len(set(program.copies.values())) == 1


# -- names in full ---------------------------------------------------------------------------------


def by_syntax(*variables: Variable, classes: tuple[str, ...]) -> Facts:
    read = FileFacts("a.cpp", reading=SYNTAX_ALONE)
    known = [Class(f"c:{n}", n, [], []) for n in classes]
    return Facts("a.cpp", [], known, list(variables), [], [read])


@pytest.mark.parametrize(
    ("name", "spelling", "classes", "found"),
    [
        ("ns::x", "Pool *", ("ns::Pool",), "ns::Pool *"),
        ("ns::x", "Pool", ("ns::Pool", "Pool"), "ns::Pool"),
        ("x", "Pool", ("ns::Pool",), "ns::Pool"),
        ("x", "Pool", ("n::Pool", "m::Pool"), "Pool"),
        ("x", "std::vector<Pool>", ("ns::Pool",), "std::vector<ns::Pool>"),
        ("x", "int", ("ns::Pool",), "int"),
    ],
)
def test_classes_are_named_in_full(
    name: str, spelling: str, classes: tuple[str, ...], found: str
) -> None:
    known = Variable("c:x", name, "global", spelling, "", "a.cpp")
    (unit,) = qualify([by_syntax(known, classes=classes)])
    assert unit.variables[0].type == found


def test_what_clang_has_read_is_named_in_full_already() -> None:
    known = Variable("c:x", "x", "global", "Pool", "", "b.cpp")
    (unit,) = qualify([by_syntax(known, classes=("ns::Pool",))])
    assert unit.variables[0].type == "Pool"


def test_without_such_files_nothing_is_looked_at() -> None:
    unit = facts_of("int x;")
    assert qualify([unit])[0] is unit


def body_and_declaration(*types: list[str]) -> str:
    """The key that a body gets of which there are declarations with these parameters."""
    body = f.Function(
        "syntax:/a.cpp@f", "f", "function", ["p"], f.Block([]), "a.cpp", 1, filled=True
    )
    own = Decl(body.usr, "f", 1, types=["int"])
    decls = [Decl(f"c:{n}", "f", 1, types=t) for n, t in enumerate(types)]
    unit = Facts("a.cpp", [body], [], [], [own, *decls], [])
    (found,) = joined([unit], {"a.cpp"})
    return found.functions[0].usr


def test_a_body_has_the_key_of_the_only_declaration_that_fits() -> None:
    assert body_and_declaration(["long"]) == "c:0"
    assert body_and_declaration(["long"], ["int"]) == "c:1"
    assert body_and_declaration(["long"], ["char"]) == "syntax:/a.cpp@f"


def test_a_destructor_runs_the_ends_of_its_members() -> None:
    program = program_of("struct A { ~A() {} }; struct B { ~B() {} A a; };")
    points_to = PointsTo(program, builtin())
    graph = CallGraph(program, points_to, Lifetimes(program, builtin(), points_to))
    function = program.functions[usr(program, "B::~B")]
    assert usr(program, "A::~A") in graph.callees(function)


def test_a_closure_that_is_put_into_a_container_is_kept_there() -> None:
    program = program_of(
        "struct Bus { std::vector<std::function<void()>> hooks; };"
        "struct Owner { Bus bus;"
        " void f() { bus.hooks.push_back([this] { bus.hooks.clear(); }); } };"
    )
    (closure,) = (u for u, x in program.functions.items() if x.kind == "lambda")
    owners = Stored(program).owners(closure, variable(program, "hooks"))
    assert [p.steps for p in owners] == [(variable(program, "bus"),)]


# -- bodies of what is called ----------------------------------------------------------------------

COPIES = """
struct Handle { Handle(int *given) {} int *at; };
template <class T> struct Box { Box(T *given) {} T *at; };
struct Other { Other(const Handle &from) {} Other(Other &&from) {} };
"""


@pytest.mark.parametrize(
    ("declared", "bodies"),
    [
        ("c:@S@Handle@F@Handle#&1$@S@Handle#", 0),  # a copy that nobody wrote
        ("c:@S@Handle@F@Handle#&&$@S@Handle#", 0),
        ("c:@S@Handle@F@Handle#&1$@S@HandleToo#", 1),  # its header was missing
        ("c:@S@Handle@F@Handle#&1I#", 1),
        ("c:@ST>1#T@Box@F@Box#&1>@ST>1#T@Box1t0.0#", 0),
        ("c:@S@Other@F@Other#&1$@S@Other#", 0),
        ("c:@S@Other@F@Other#&&$@S@Other#", 1),
    ],
)
def test_a_copy_runs_no_other_constructor(declared: str, bodies: int) -> None:
    facts = facts_of(COPIES)
    name = declared.partition("@F@")[0].rpartition("@")[2]
    if declared not in {d.usr for d in facts.decls}:
        facts.decls.append(Decl(declared, f"{name}::{name}", 1, name))
    assert len(Program([facts]).body_of(declared)) == bodies


# -- which functions a variable can stand for ------------------------------------------------------

KEPT = """
void put() {}
const char *text; char *memory;
const char *name_of(void (*of)()); char *memory_of(void (*of)());
struct Table { std::vector<void (*)(void *)> steps; };
void *following;
template <class T> void begins(Table *t) {
  auto own = [](void *next) { following = next; int n = sizeof(T); };
  t->steps.push_back(own);
}
void f() {
  text = name_of(&put); memory = memory_of(&put);
  Table table; begins<int>(&table);
}
"""


@pytest.mark.parametrize(
    ("name", "functions"),
    [
        ("text", []),
        ("memory", ["put"]),
        ("following", []),  # what is put beside a callable is not handed to it
    ],
)
def test_which_functions_a_variable_stands_for(name: str, functions: list[str]) -> None:
    program = program_of(KEPT)
    found = PointsTo(program, builtin()).functions(variable(program, name))
    assert sorted(program.functions[u].name for u in found) == functions


def test_a_pointer_that_never_changes_is_a_pointer() -> None:
    program = program_of(
        "struct A {}; A *const one = 0; const A *two; A *const *three; const A four{};"
    )
    types = {n: program.type_of(variable(program, n)) for n in ("one", "two", "three", "four")}
    assert types == {"one": "A *", "two": "const A *", "three": "A *const *", "four": "const A"}


def test_who_deletes_itself_calls_the_ends_of_all_that_it_may_be() -> None:
    program = program_of(
        "struct A { virtual ~A() {} void end() { delete this; } }; struct B : A { ~B() {} };"
    )
    points_to = PointsTo(program, builtin())
    graph = CallGraph(program, points_to, Lifetimes(program, builtin(), points_to))
    called = set(graph.callees(program.functions[usr(program, "A::end")]))
    assert called >= {usr(program, "A::~A"), usr(program, "B::~B")}
