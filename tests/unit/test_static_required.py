"""Which named lock a function's callers have, by what it does first with it."""

from __future__ import annotations

import pytest

from lockorder.static.program.required import Required
from walks import walking

GUARDS = """
struct PyObject;
extern "C" { void Py_INCREF(PyObject *); PyObject *PyLong_FromLong(long); void run_it(); }
struct Own { Own() : state(PyGILState_Ensure()) {} ~Own() { PyGILState_Release(state); }
             PyGILState_STATE state; };
struct Inside { int n; Own own; };
struct Below : Own { int n; };
struct Maybe { Maybe(bool need) { if (need) PyGILState_Ensure(); } };
struct Over { Over() { auto s = PyGILState_Ensure(); PyGILState_Release(s); } };
void take() { PyGILState_Ensure(); }
void take_deep() { take(); }
void visit() { Own own; run_it(); }
void ring(int n) { if (n) ring(n - 1); }
"""


def needed(body: str) -> str:
    here = walking(f"{GUARDS} void f(PyObject *o, int n) {{ {body} }}")
    return Required(here.program, here.walk.knowledge).of(here.function)


@pytest.mark.parametrize(
    "body",
    [
        "Py_INCREF(o);",
        "if (n) PyLong_FromLong(n);",
        "visit(); Py_INCREF(o);",  # what a callee takes for itself is given back
        "Over over; Py_INCREF(o);",
        "ring(n); Py_INCREF(o);",
    ],
)
def test_who_touches_an_object_needs_the_lock(body: str) -> None:
    assert needed(body) == "Python GIL"


@pytest.mark.parametrize(
    "body",
    [
        "Own own; Py_INCREF(o);",
        "Inside inside; Py_INCREF(o);",
        "Below below; Py_INCREF(o);",
        "Maybe maybe(n); Py_INCREF(o);",
        "take(); Py_INCREF(o);",
        "take_deep(); Py_INCREF(o);",
        "auto own = std::make_unique<Own>(); Py_INCREF(o);",
        "visit();",
        "run_it();",
        "[o] { Py_INCREF(o); };",
    ],
)
def test_who_takes_it_first_or_never_uses_it_does_not(body: str) -> None:
    assert needed(body) == ""
