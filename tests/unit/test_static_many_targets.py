"""Calls of what is stored: one of few is followed, one of many is a guess, and then nothing."""

from __future__ import annotations

import pytest

from lockorder.bounds import CLOSURES, TARGETS
from lockorder.static.interp.entries import tabled
from walks import analysed

HEAD = """
#include <functional>
#include <memory>
#include <mutex>
#include <vector>
std::mutex outer, inner;
"""


def _calls(count: int) -> str:
    """A program with *count* callbacks, of which the last one takes a lock."""
    functions = "".join(f"void c{n}() {{}}\n" for n in range(count - 1))
    last = f"void c{count - 1}() {{ std::lock_guard<std::mutex> hold(inner); }}\n"
    adds = "".join(f"all.push_back(c{n}); " for n in range(count))
    return f"""{HEAD}{functions}{last}
std::vector<std::function<void()>> all;
void fill() {{ {adds} }}
void f() {{ std::lock_guard<std::mutex> hold(outer); for (auto &each : all) each(); }}
"""


@pytest.mark.parametrize(("count", "follows"), [(TARGETS.limit, True), (TARGETS.limit + 1, False)])
def test_one_of_too_many_is_not_followed_and_that_is_told(count: int, follows: bool) -> None:
    engine = analysed(_calls(count))
    (usr,) = engine.program.named("f")
    taken = {str(path) for path, _, _ in engine.summary(usr).taken}
    assert any("inner" in path for path in taken) == follows
    cuts = dict(engine.cuts.rows())
    assert cuts.get(TARGETS, frozenset()) == (frozenset() if follows else {usr})


@pytest.mark.parametrize(("count", "dies"), [(CLOSURES.limit, True), (CLOSURES.limit + 1, False)])
def test_one_of_too_many_closures_does_not_die_and_that_is_told(count: int, dies: bool) -> None:
    adds = "".join(f"on([p] {{ p->use({n}); }}); " for n in range(count))
    text = f"""{HEAD}
struct Part {{ void use(int); ~Part() {{ std::lock_guard<std::mutex> hold(inner); }} }};
std::vector<std::function<void()>> all;
void on(std::function<void()> each) {{ all.push_back(each); }}
void fill(std::shared_ptr<Part> p) {{ {adds} }}
void f() {{ std::lock_guard<std::mutex> hold(outer); all.clear(); }}
"""
    engine = analysed(text)
    (usr,) = engine.program.named("f")
    assert any("inner" in str(path) for path, _, _ in engine.summary(usr).taken) == dies
    assert (CLOSURES in {bound for bound, _ in engine.cuts.rows()}) == (not dies)


def test_only_slots_for_functions_are_entered() -> None:
    text = """
typedef struct _object PyObject;
struct _typeobject { PyObject *tp_dict; void (*tp_dealloc)(PyObject *); void *tp_cache; };
void dict(PyObject *) {}
void end(PyObject *) {}
void cached() {}
_typeobject type;
void f() {
    type.tp_dict = (PyObject *)dict; type.tp_dealloc = end; type.tp_cache = (void *)cached;
}
"""
    engine = analysed(text)
    found = {engine.program.name_of(entered.target) for entered in tabled(engine)}
    assert found == {"end", "cached"}
