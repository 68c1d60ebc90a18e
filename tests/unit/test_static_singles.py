"""Classes of which a program has one object."""

from __future__ import annotations

import pytest

from lockorder.static.program.singles import Singles
from walks import program_of

BEFORE = """
extern "C" void *calloc(size_t, size_t);
template <class T> struct Box { T inside; };
struct Pool { std::mutex mutex; void go() { mutex.lock(); } };
"""


def is_single(text: str, cls: str = "Pool") -> bool:
    """Whether the program has one object of that class."""
    return Singles(program_of(BEFORE + text)).is_single(cls)


@pytest.mark.parametrize(
    "text",
    [
        "Pool pool;",
        "static Pool pool; Pool &get() { return pool; }",
        "struct Home { static Pool pool; }; Pool Home::pool;",
        "Pool &get() { static Pool pool; return pool; }",
        "Pool *get() { static Pool *pool = new Pool; return pool; }",
        "Pool *pool = new Pool;",
        "Pool pool; Pool *same = &pool; Pool &ref = pool;",
        "Pool pool; void f() { Pool *p = &pool; p->go(); }",
        "Pool pool; Pool &found() { return pool; } void f() { found().go(); }",
        "Pool pool; void *raw() { return &pool; } void f() { Pool *p = (Pool *)raw(); p->go(); }",
    ],
)
def test_what_is_made_at_one_place_that_is_passed_once_is_one(text: str) -> None:
    assert is_single(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Pool one, other;",
        "Pool one; void f() { Pool local; }",
        "Pool one; struct Home { Pool member; };",
        "Pool one; void f() { Pool *p = new Pool; p->go(); }",
        "Pool one; void f() { Pool().go(); }",
        "Pool one; void f() { auto p = std::make_unique<Pool>(); }",
        "Pool one; void f(Pool *any) { any->go(); }",
        "Pool one; void f(Pool &any) { any.go(); }",
        "Pool one; void f(std::shared_ptr<Pool> any) { any->go(); }",
        "Pool one; std::vector<Pool> more;",
        "Pool one; Box<Pool> boxed;",
        "Pool one; struct Wide : Pool {}; Wide wide;",
        "Pool *make() { return new Pool; }",
        "Pool table[4];",
    ],
)
def test_what_may_be_made_again_or_comes_from_outside_is_not(text: str) -> None:
    assert not is_single(text)


@pytest.mark.parametrize(
    "text",
    [
        "Pool one; Pool table[4];",
        "Pool one; struct Home { static Pool more[2][2]; }; Pool Home::more[2][2];",
        "Pool one; struct Home { Pool more[2]; };",
        "Pool one; void f() { Pool more[2]; more[0].go(); }",
    ],
)
def test_the_elements_of_an_array_are_more_of_them(text: str) -> None:
    assert not is_single(text)


@pytest.mark.parametrize(
    "text",
    [
        "Pool one; void f() { Pool *p = (Pool *)calloc(1, sizeof(Pool)); p->go(); }",
        "Pool one; void f() { auto *p = static_cast<Pool *>(calloc(1, 8)); p->go(); }",
        "Pool one; Pool *found(); void f() { found()->go(); }",
        "Pool one; Pool *found(); void f() { Pool *p = found(); p->go(); }",
        "Pool one, *p; void f() { p = (Pool *)calloc(1, sizeof(Pool)); p->go(); }",
    ],
)
def test_objects_that_no_text_makes_are_others(text: str) -> None:
    assert not is_single(text)


@pytest.mark.parametrize(
    "text",
    [
        "int main() { Pool pool; pool.go(); }",
        "void f(Pool &any) { any.go(); } int main() { Pool pool; f(pool); }",
        "void f(Pool *any) { any->go(); } int main() { if (1) { Pool pool; f(&pool); } }",
        "int main() { auto pool = std::make_unique<Pool>(); pool->go(); }",
        "int main() { auto *pool = new Pool; pool->go(); }",
        "struct Bare { std::mutex m; }; int main() { Pool pool; Bare bare; pool.go(); }",
    ],
)
def test_main_runs_once(text: str) -> None:
    assert is_single(text)


@pytest.mark.parametrize(
    "text",
    [
        "int main() { for (int i = 0; i < 2; i++) { Pool pool; pool.go(); } }",
        "int main() { again: Pool pool; pool.go(); goto again; }",
        "int main() { Pool pool, other; pool.go(); other.go(); }",
        "int main() { Pool pool; Pool other = pool; other.go(); }",
        "int main() { Pool pool; std::vector<Pool> more; }",
        "void f() { Pool pool; } int main() { f(); }",
        "int main() { auto make = [] { Pool pool; pool.go(); }; make(); make(); }",
        "namespace n { int main() { Pool pool; } } int main() { Pool pool; }",
        "Pool pool; int main() { Pool other; }",
        "void f(Pool *p) { p->go(); } int main() { Pool p; f((Pool *)calloc(1, 8)); f(&p); }",
        "int main() { Pool *p = (Pool *)calloc(1, sizeof(Pool)); Pool pool; p->go(); }",
    ],
)
def test_what_main_makes_more_often_is_not_one(text: str) -> None:
    assert not is_single(text)


def test_who_includes_a_header_may_have_more_than_main() -> None:
    text = f"{BEFORE} void f(Pool &any) {{ any.go(); }} int main() {{ Pool pool; f(pool); }}"
    assert Singles(program_of(text)).is_single("Pool")
    assert not Singles(program_of(text, "small.h")).is_single("Pool")


def test_of_a_template_every_class_counts() -> None:
    assert is_single("Box<int> box;", "Box")
    assert not is_single("Box<int> box; Box<long> other;", "Box")


def test_what_is_no_class_of_the_program_is_none() -> None:
    assert not is_single("std::mutex alone;", "std::mutex")
    assert not is_single("Pool pool;", "Nowhere")
