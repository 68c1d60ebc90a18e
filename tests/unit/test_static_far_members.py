"""Members of objects of which clang shows nothing: calls of theirs are none on ``this``."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from walks import analysed, facts_of

TEXT = """
std::mutex gate;
struct Source { void *raw(); };
template <class T> struct Held { T part; };
struct Session {
  Source *source;
  int pieces();
  void open() { std::lock_guard<std::mutex> hold(gate); %s }
};
int Session::pieces() { std::lock_guard<std::mutex> hold(gate); return 1; }
"""


def target(body: str) -> f.Value:
    """What the last call in ``open`` calls."""
    facts = facts_of(TEXT % body)
    (function,) = (x for x in facts.functions if x.name == "Session::open")
    return [s for s in f.walk(function.body) if isinstance(s, f.Call)][-1].target


@pytest.mark.parametrize(
    "body",
    [
        "auto *far = dynamic_cast<lost::Far<int> *>(source->raw()); far->pieces();",
        "lost::Far far; far.pieces();",
        "lost::find()->pieces();",
        "lost::all[2].pieces();",
    ],
)
def test_an_object_of_a_class_that_was_not_read(body: str) -> None:
    called = target(body)
    assert not isinstance(called, f.Fn)
    assert isinstance(called, f.Name)
    assert called.base not in (None, f.This())


@pytest.mark.parametrize("body", ["this->pieces();", "pieces();", "(*this).pieces();"])
def test_the_object_itself(body: str) -> None:
    called = target(body)
    assert isinstance(called, f.Fn)
    assert called.base == f.This()
    assert analysed(TEXT % body).found.self_locks


def test_a_member_that_a_pointer_to_it_chooses_is_not_its_object() -> None:
    text = """
    struct Part { void run(); };
    template <class T> struct Whole {
      static Part T::*choose();
      void run() { auto self = static_cast<T *>(this); (self->*choose()).run(); }
      void call(void (T::*method)()) { auto self = static_cast<T *>(this); (self->*method)(); }
    };
    """
    functions = {x.name: x for x in facts_of(text).functions}
    (*_, chosen) = (s for s in f.walk(functions["Whole::run"].body) if isinstance(s, f.Call))
    assert chosen.target == f.Name("run", f.Name(""))
    (called,) = (s for s in f.walk(functions["Whole::call"].body) if isinstance(s, f.Call))
    assert isinstance(called.target, f.AnyOf)  # the method, on its object
