"""Programs that are read by their syntax alone: what names in them are bound to."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.knowledge import builtin
from lockorder.static.interp.engine import run
from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.macros import defined, expanded
from lockorder.static.parse.unit import SYNTAX_ALONE, Job, read_unit
from lockorder.static.program.binding.bind import bind
from lockorder.static.program.link import Program

AB = """\
void there() { %s }
void back() { %s }
"""


def read(folder: Path, *texts: str) -> Program:
    """The program of files with these texts, without libclang."""
    units = []
    for number, text in enumerate(texts):
        path = folder / f"file{number}.cpp"
        path.write_text(text)
        job = Job(
            str(path), (str(path),), ("-x", "c++", "-std=gnu++17"), False, True, clang=False,
            reading=SYNTAX_ALONE,
        )  # fmt: skip
        reading = read_unit(job)
        assert not reading.facts.problem
        units.append(reading.facts)
    program = Program(units)
    bind(program, units, builtin())
    return program


def body(program: Program, name: str) -> list[f.Stmt]:
    found = [x for x in program.functions.values() if x.name == name]
    assert len(found) == 1, [x.name for x in program.functions.values()]
    return f.walk(found[0].body)


def called(program: Program, name: str) -> list[str]:
    """The names of what the function *name* calls, in order."""
    return [program.called(s) for s in body(program, name) if isinstance(s, f.Call)]


def made(program: Program, name: str) -> list[str]:
    return [s.type for s in body(program, name) if isinstance(s, f.Make)]


def orders(program: Program) -> set[tuple[str, str]]:
    """Pairs of locks, one taken while the other is held."""
    return set(run(program, builtin()).found.orders)


def test_members_of_classes(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "struct Base { std::mutex m; void work(); };\n"
        "struct Derived : Base { void go() { m.lock(); work(); } };\n"
        "void use(Derived *d) { d->work(); d->m.unlock(); }\n",
        "struct Base; void Base::work() {}\n",
    )
    assert called(program, "Derived::go") == ["std::mutex::lock", "Base::work"]
    assert called(program, "use") == ["Base::work", "std::mutex::unlock"]


def test_overloads_are_told_apart(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "struct A {}; struct B {};\n"
        "void f(A &) { one(); }\nvoid f(B &) { two(); }\nvoid f(A &, int n = 3) = delete;\n"
        "void use(B &b) { f(b); }\n",
    )
    call = next(s for s in body(program, "use") if isinstance(s, f.Call))
    assert isinstance(call.target, f.Fn)
    inner = f.walk(program.functions[call.target.usr].body)
    assert [program.called(s) for s in inner if isinstance(s, f.Call)] == ["two"]


def test_functions_are_values(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "static void work() {}\nstruct T { void run(); };\nvoid T::run() {}\n"
        "void start(T *t) { std::thread a(work); std::thread b(&T::run, t); }\n",
    )
    args = [s.args for s in body(program, "start") if isinstance(s, f.Make)]
    names = [[program.name_of(a.usr) for a in each if isinstance(a, f.Fn)] for each in args]
    assert names == [["work"], ["T::run"]]


def test_virtual_methods_are_overridden(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "struct Shape { virtual void draw() = 0; };\n"
        "struct Round : Shape { void draw() override {} };\n"
        "struct Ring : Round { void draw() {} };\n"
        "void use(Shape &s) { s.draw(); }\n",
    )
    call = next(s for s in body(program, "use") if isinstance(s, f.Call))
    assert call.virtual
    assert isinstance(call.target, f.Fn)
    over = {program.name_of(u) for u in program.overriders(call.target.usr)}
    assert over == {"Round::draw", "Ring::draw"}


def test_constructors_start_members(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "struct Lock { Lock(std::mutex &m) : m_(m) { m_.lock(); } ~Lock() { m_.unlock(); }\n"
        "  std::mutex &m_; };\n"
        "std::mutex a, b;\n"
        "void there() { Lock one(a); Lock two{b}; }\n",
    )
    assert made(program, "there") == ["Lock", "Lock"]
    assert ("a", "b") in orders(program)


@pytest.mark.parametrize("tag", ["defer_lock", "adopt_lock", "try_to_lock"])
@pytest.mark.parametrize("using", [True, False])
def test_tags_of_guards(tmp_path: Path, tag: str, using: bool) -> None:
    prefix, directive = ("", "using namespace std;") if using else ("std::", "")
    program = read(
        tmp_path,
        f"{directive}\nstd::mutex m;\n"
        f"void use() {{ {prefix}unique_lock<{prefix}mutex> hold(m, {prefix}{tag}); }}\n",
    )
    make = next(s for s in body(program, "use") if isinstance(s, f.Make))
    assert make.type == "std::unique_lock<std::mutex>"
    tags = [program.variables[a.usr].name for a in make.args[1:] if isinstance(a, f.Var)]
    assert tags == [f"std::{tag}"]


def test_other_names_of_namespaces(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "namespace py = pybind11;\nusing Guard = std::lock_guard<std::mutex>;\nstd::mutex m;\n"
        "void use() { py::gil_scoped_release out; Guard hold(m); py::print(1); }\n",
    )
    assert made(program, "use") == [
        "pybind11::gil_scoped_release",
        "std::lock_guard<std::mutex>",
    ]
    assert called(program, "use") == ["pybind11::print"]


def test_guards_in_conditions(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "std::mutex a, b;\n"
        + AB
        % (
            "if (std::unique_lock hold{a}; ready) { b.lock(); b.unlock(); }",
            "b.lock(); if (true) { std::scoped_lock hold{a}; } b.unlock();",
        ),
    )
    assert orders(program) >= {("a", "b"), ("b", "a")}


def test_temporaries_die_with_their_statement(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "std::mutex a, b;\nvoid use() { std::lock_guard<std::mutex>{a}; b.lock(); b.unlock(); }\n",
    )
    assert orders(program) == set()


def test_types_follow_calls(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "struct Node { void go() {} std::mutex m; };\n"
        "std::shared_ptr<Node> make();\nstd::map<int, std::vector<Node *>> all;\n"
        "void use() { auto n = make(); n->go(); for (auto &e : all[3]) e->m.lock();\n"
        "  auto p = std::make_shared<Node>(); p->go(); p.reset(); }\n",
    )
    names = called(program, "use")
    assert names.count("Node::go") == 2
    assert "std::mutex::lock" in names
    assert "std::shared_ptr::reset" in names


def test_default_arguments(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "void stop(int n, bool wait = false);\nvoid use() { stop(1); }\n",
        "void stop(int n, bool wait) { if (wait) sleep(n); }\n",
    )
    call = next(s for s in body(program, "use") if isinstance(s, f.Call))
    assert call.args == [f.Lit("1"), f.Lit("false")]


def test_static_functions_of_two_files(tmp_path: Path) -> None:
    text = (
        "std::mutex {0};\nstatic void work() {{ {0}.lock(); {0}.unlock(); }}\n"
        "void go{0}() {{ work(); }}\n"
    )
    program = read(tmp_path, text.format("a"), text.format("b"))
    for name in ("a", "b"):
        call = next(s for s in body(program, f"go{name}") if isinstance(s, f.Call))
        assert isinstance(call.target, f.Fn)
        file = program.functions[call.target.usr].file
        assert file.endswith("file0.cpp" if name == "a" else "file1.cpp")


def test_macros_take_locks(tmp_path: Path) -> None:
    program = read(
        tmp_path,
        "#define HOLD(m) std::lock_guard<std::mutex> hold_##m(m)\n#define ENTER b.lock();\n"
        "std::mutex a, b;\nvoid use() {\n  HOLD(\n    a);\n  ENTER\n  b.unlock();\n}\n",
    )
    assert orders(program) == {("a", "b")}
    assert [s.line for s in body(program, "use") if isinstance(s, f.Call)] == [7, 8]


@pytest.mark.parametrize(
    ("text", "result"),
    [
        (b"#define A(x, y) x##y #x\nA(1, 2)", b'12 ""'),
        (b"#define A A + B\n#define B A\nA", b"A + A"),
        (b"#define F(x) x\nF F(1) \"F(2)\" // F(3)", b'F 1 "F(2)" // F(3)'),
        (b"#define F(...) g(__VA_ARGS__)\nF(a, (b, c))", b"g(a, (b, c))"),
        (b"#define P(f, ...) g(f, ##__VA_ARGS__)\nP(1); P(1, 2)", b"g(1); g(1, 2)"),
        (b"#define A 1\n#undef A\nA", b"A"),
        (b"#if 0\n#define A 1\n#endif\nA", b"A"),
        (b"#define REQUIRES(x) __attribute__((requires_capability(x)))\nREQUIRES(m)",
         b"REQUIRES(m)"),
    ],
)  # fmt: skip
def test_what_replaces_macros(text: bytes, result: bytes) -> None:
    found = expanded(text, (), {})
    assert found.rsplit(b"\n", 1)[-1] == result
    assert found.count(b"\n") == text.count(b"\n")


def test_macros_of_headers() -> None:
    known = defined(b"#define LOCK(m) m.lock()\n", (), {})
    assert expanded(b"LOCK(a);", (), known) == b"a.lock();"


#: What each function says of exceptions, and whether none leaves it.
SAID = (
    ("struct A { ~A() {} };", "A::~A", True),
    ("struct A { ~A() noexcept(false) {} };", "A::~A", False),
    ("struct A { void f() noexcept {} };", "A::f", True),
    ("struct A { void f() const noexcept(true) {} };", "A::f", True),
    ("struct A { void f() noexcept(false) {} };", "A::f", False),
    ("struct A { A() {} };", "A::A", False),
    ("int *f(int a) noexcept { return nullptr; }", "f", True),
    ("void f() {}", "f", False),
)


@pytest.mark.parametrize("alone", [True, False])
@pytest.mark.parametrize(("text", "name", "never"), SAID)
def test_what_no_exception_leaves(
    tmp_path: Path, text: str, name: str, never: bool, alone: bool
) -> None:
    """Read by clang and by the syntax alone."""
    path = tmp_path / "file.cpp"
    path.write_text(text)
    flags = ("-x", "c++", "-std=gnu++17")
    job = Job(str(path), (str(path),), flags, False, True)
    facts = read(tmp_path, text).functions.values() if alone else read_unit(job).facts.functions
    assert [x.nothrow for x in facts if x.name == name] == [never]


@pytest.mark.parametrize("star", ["", "*"])
def test_words_that_nobody_knows_are_no_part_of_a_name(tmp_path: Path, star: str) -> None:
    program = read(tmp_path, f"LIBRARY_API status_t {star}commit(int n) {{ return 0; }}")
    assert [x.name for x in program.functions.values()] == ["commit"]
