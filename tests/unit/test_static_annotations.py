"""Thread-safety attributes in text: every spelling, and nothing that only looks like one."""

from __future__ import annotations

import re

import pytest

from lockorder.static.discovery.annotations import (
    agreed,
    classes,
    macros_used,
    meaning,
    occurs,
    of_function,
    of_variable,
    own_macros,
    prepared,
    split_arguments,
    undefined,
    without,
)


def function(text: str, name: str = "f") -> list[tuple[str, list[str]]]:
    data = prepared(text.encode())
    at = data.index(f"{name}(".encode())
    return [(a.what, a.args) for a in of_function(data, at)]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("REQUIRES", "requires"),
        ("ABSL_EXCLUSIVE_LOCKS_REQUIRED", "requires"),
        ("TS_REQUIRES_SHARED", "requires_shared"),
        ("SHARED_LOCKS_REQUIRED", "requires_shared"),
        ("TORCH_LOCKS_EXCLUDED", "excludes"),
        ("MY_OWN_EXCLUDES", "excludes"),
        ("ACQUIRE", "acquires"),
        ("EXCLUSIVE_LOCK_FUNCTION", "acquires"),
        ("ABSL_SHARED_LOCK_FUNCTION", "acquires_shared"),
        ("RELEASE", "releases"),
        ("RELEASE_SHARED", "releases_shared"),
        ("RELEASE_GENERIC", "releases_generic"),
        ("UNLOCK_FUNCTION", "releases_generic"),
        ("TRY_ACQUIRE", "tries"),
        ("X_TRY_ACQUIRE_SHARED", "tries_shared"),
        ("EXCLUSIVE_TRYLOCK_FUNCTION", "tries"),
        ("ACQUIRED_BEFORE", "before"),
        ("ABSL_ACQUIRED_AFTER", "after"),
        ("__requires_capability__", "requires"),
        ("PT_GUARDED_BY", None),
        ("REQUIRES_CUDA", None),
        ("Acquire", None),
        ("MYREQUIRES", None),
    ],
)
def test_names(name: str, what: str | None) -> None:
    assert meaning(name) == what


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("void f() REQUIRES(mu_);", [("requires", ["mu_"])]),
        ("void f() const noexcept(true) EXCLUDES(a, b->c) override {",
         [("excludes", ["a", "b->c"])]),
        ("bool f(int (*g)(int)) TRY_ACQUIRE(true, mu) = 0;", [("tries", ["true", "mu"])]),
        ("void f()\n    ACQUIRE(mu)  // RELEASE(mu)\n    EXCLUDES(other);",
         [("acquires", ["mu"]), ("excludes", ["other"])]),
        ("void f() __attribute__((requires_capability(mu), locks_excluded(o)));",
         [("requires", ["mu"]), ("excludes", ["o"])]),
        ("void f() __attribute__((unlock_function));", [("releases_generic", [])]),
        ("[[clang::requires_capability(mu)]] void f();", [("requires", ["mu"])]),
        ("__attribute__((acquire_capability(mu))) void f();", [("acquires", ["mu"])]),
        ("void f() [[clang::release_capability(mu)]];", [("releases", ["mu"])]),
        ("auto f() -> std::map<int, int> REQUIRES(m.at<1, 2>(0)) {",
         [("requires", ["m.at<1, 2>(0)"])]),
        ("void lock() ACQUIRE() {}", [("acquires", [])]),
        ("template <class T, REQUIRES(T::ok)> void f(T x);", []),
        ("void f(); void g() REQUIRES(mu);", []),
        ("void g() REQUIRES(mu); void f();", []),
        ("void g() REQUIRES(mu), f();", []),
        ("void f() { g(); REQUIRES(mu); }", []),
        ("void f()\n#define X REQUIRES(mu)\n;", []),
        ('void f() LOCKS_EXCLUDED("mu_");', [("excludes", ['"mu_"'])]),
        ("X::f() : a_(1), b_(ACQUIRE(2)) {", []),
    ],
)  # fmt: skip
def test_functions(text: str, said: list[tuple[str, list[str]]]) -> None:
    assert function(text, "lock" if " lock(" in text else "f") == said


def test_the_call_operator_has_two_pairs_of_parentheses() -> None:
    data = prepared(b"void operator()(int x) const REQUIRES(mu);")
    assert [a.args for a in of_function(data, data.index(b"operator"))] == [["mu"]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("std::mutex x ACQUIRED_BEFORE(b, c);", [("before", ["b", "c"])]),
        ("std::mutex x ACQUIRED_AFTER(A::m) = {};", [("after", ["A::m"])]),
        ("std::mutex x __attribute__((acquired_after(y))){};", [("after", ["y"])]),
        ("std::mutex w ACQUIRED_AFTER(h), x;", []),
        ("std::mutex x, w ACQUIRED_AFTER(h);", []),
        ("int x GUARDED_BY(mu);", []),
        ("std::mutex x{ACQUIRED_AFTER(h)};", []),
    ],
)
def test_variables(text: str, said: list[tuple[str, list[str]]]) -> None:
    data = prepared(text.encode())
    name = re.search(r"\bx\b", text)
    assert name is not None
    assert [(a.what, a.args) for a in of_variable(data, name.start())] == said


def test_offsets_are_those_of_the_source() -> None:
    text = b'/* REQUIRES(a) */ void f(const char *s = "a;(") /* ; */ REQUIRES(mu);'
    found = of_function(prepared(text), text.index(b"f("))
    assert [a.offset for a in found] == [text.rindex(b"REQUIRES")]


@pytest.mark.parametrize(
    ("code", "used"),
    [
        (b"void f() REQUIRES(m) EXCLUDES(n);", ("REQUIRES(...)", "EXCLUDES(...)")),
        (b"int x GUARDED_BY(m);", ("GUARDED_BY(...)",)),
        (b'class CAPABILITY("mutex") Mutex {};', ("CAPABILITY(...)",)),
        (b"struct TS_SCOPED_CAPABILITY Lock {};", ("TS_SCOPED_CAPABILITY",)),
        (b"void f() NO_THREAD_SAFETY_ANALYSIS;", ("NO_THREAD_SAFETY_ANALYSIS",)),
        (b"void f() { RELEASE(p); }", ()),
        (b"void f() { if (x) RELEASE(p); }", ()),
        (b"static int RELEASE(int *p) { return 0; }", ()),
        (b"#define REQUIRES(x) f() EXCLUDES(x)\n", ()),
        (b"enum { LOCKABLE };", ()),
    ],
)
def test_macros_that_a_missing_header_would_define(code: bytes, used: tuple[str, ...]) -> None:
    assert macros_used(code) == used


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (b"struct PAGE_LOCAL { int a; };", ("PAGE_LOCAL",)),
        (b"struct PAGE_LOCAL;\nstruct PAGE_LOCAL { int a; };", ("PAGE_LOCAL",)),
        (b"class PAGE_LOCAL final : Base {};", ("PAGE_LOCAL",)),
        (b"struct PAGE_LOCAL first = {};", ()),
        (b"class PAGE_LOCAL Page { };", ()),
        (b"class PAGE_LOCAL Page;", ()),
        (b"#define MAKE struct PAGE_LOCAL {}\nstruct B_API C {};", ()),
        (b"struct HEAP_LOCKABLE { int a; };", ("HEAP_LOCKABLE",)),
    ],
)
def test_classes_that_are_called_as_macros_are(code: bytes, names: tuple[str, ...]) -> None:
    assert classes(code) == names


def test_a_class_is_no_undefined_macro() -> None:
    code = b"struct PAGE_LOCAL { int a; };\nstruct PAGE_LOCAL page;\nclass MY_LOCAL Other {};"
    assert macros_used(code) == ("PAGE_LOCAL", "MY_LOCAL")
    assert undefined(macros_used(code), (), classes(code)) == ("-DMY_LOCAL=",)


def test_only_undefined_macros_are_defined_as_nothing() -> None:
    used = ["REQUIRES(...)", "EXCLUDES(...)", "REQUIRES(...)"]
    assert undefined(used, ["EXCLUDES"]) == ("-DREQUIRES(...)=",)


def test_blanking_keeps_every_byte_at_its_offset() -> None:
    text = b"void f() REQUIRES(a,\n  b) { g(); }\nvoid h() { RELEASE(p); }\n"
    blanked = without(text)
    assert len(blanked) == len(text)
    assert blanked.count(b"\n") == text.count(b"\n")
    assert b"REQUIRES" not in blanked
    assert b"{ g(); }" in blanked
    assert b"RELEASE(p);" in blanked
    assert without(b"int main() {}") == b"int main() {}"


@pytest.mark.parametrize(
    ("text", "whether"),
    [
        (b"void f() REQUIRES(mu);", True),
        (b"__attribute__((exclusive_lock_function))", True),
        (b"memory_order_acquire RELEASE_BUILD REQUIRED", False),
        (b"PREACQUIRE(x)", False),
    ],
)
def test_files_without_attributes_are_left_alone(text: bytes, whether: bool) -> None:
    assert occurs(text) is whether


def test_arguments() -> None:
    assert split_arguments(" a ,b->c, d<1, 2>(3, 4) , ") == ["a", "b->c", "d<1, 2>(3, 4)"]
    assert split_arguments("") == []


def test_text_that_is_cut_off() -> None:
    for text in (b"f(", b"f() REQUIRES(", b"f() REQUIRES(a", b"operator()", b"f", b"f() [["):
        of_function(prepared(text), 0)
        of_variable(prepared(text), 0)
        without(text + b" REQUIRES(")


# -- macros of a program's own ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("definition", "use", "found"),
    [
        (
            "#define AFTER(x) __attribute__((acquired_after(x)))",
            "AFTER(a)",
            [("after", ["a"])],
        ),
        ("#define AFTER(x) WRAP(acquired_after(x))", "AFTER(a)", [("after", ["a"])]),
        ("#define FIRST __attribute__((acquired_before(b)))", "FIRST", [("before", ["b"])]),
        ("#define A(...) __attribute__((acquired_after(__VA_ARGS__)))", "A(b, c)",
         [("after", ["b", "c"])]),
        ("#define A(x, y) [[clang::acquired_after(y)]]", "A(b, c)", [("after", ["c"])]),
        ("#define A(x) \\\n  __attribute__((acquired_after(x)))", "A(b)", [("after", ["b"])]),
        ("#define A(x) acquired_after(x)", "A(b)", []),  # a call, for all that is known
        ("#define A(x) __attribute__((aligned(x)))", "A(8)", []),
        ("#define A(x)", "A(b)", []),
        ("#define A(x) __attribute__((acquired_after(x)))", "B(b)", []),
    ],
)  # fmt: skip
def test_a_macro_of_the_programs_own(
    definition: str, use: str, found: list[tuple[str, list[str]]]
) -> None:
    own = agreed(own_macros(f"{definition}\n".encode()))
    text = prepared(f"M mu {use};".encode())
    assert [(a.what, a.args) for a in of_variable(text, text.index(b"mu"), own)] == found


def test_a_macro_with_a_name_of_clangs_is_read_by_that() -> None:
    assert own_macros(b"#define MY_REQUIRES(x) __attribute__((requires_capability(x)))") == ()


def test_macros_that_files_define_differently_say_nothing() -> None:
    one = own_macros(b"#define A(x) __attribute__((acquired_after(x)))")
    other = own_macros(b"#define A(x) __attribute__((acquired_before(x)))")
    assert list(agreed((*one, *one))) == ["A"]
    assert list(agreed((*one, *other))) == []


def test_a_file_that_only_uses_one_holds_an_attribute() -> None:
    own = agreed(own_macros(b"#define LATER(x) __attribute__((acquired_after(x)))"))
    assert occurs(b"M mu LATER(a);", own)
    assert not occurs(b"M mu LATER(a);")
