"""A lock and Python's global interpreter lock are taken in opposite orders.

## What it does
The GIL is a lock like any other here, and this is lock-order-cycle with the GIL as a member: one
thread holds a C++ lock and waits for the GIL (gil_scoped_acquire, PyGILState_Ensure, the end of
gil_scoped_release, Py_END_ALLOW_THREADS, or a call into Python, which may give the GIL up and
take it back), another has the GIL and waits for that lock. Functions bound with pybind11 and
functions in PyMethodDef tables start with the GIL held; call_guard<gil_scoped_release> is seen.

## Why it hangs
The GIL is outermost: whoever calls C++ from Python has it already. A C++ thread that wants it
while it holds a mutex waits for a Python thread that waits for the mutex. Python's own watchdogs
hang as well, since they need the GIL to say anything; py-spy shows two innocent stacks.

## Example
    m.def("put", [&](int v) { lock_guard<mutex> l(mu); ... });   // GIL, then mu
    void Worker::run() {                                         // a C++ thread
      lock_guard<mutex> l(mu);
      py::gil_scoped_acquire gil;                                // mu, then GIL
      callback(v);
    }

## Instead
Release the GIL before taking the lock (py::call_guard<py::gil_scoped_release>()), or take what is
needed under the lock, release it, and only then acquire the GIL. Mind gil_scoped_release on a
path that still holds a guard: its destructor takes the GIL again.

## References
Python/C API Reference Manual, "Thread State and the Global Interpreter Lock"; pybind11 docs,
"Global Interpreter Lock (GIL)".
"""

from __future__ import annotations

from collections.abc import Iterable

from lockorder.model import Finding, Level
from lockorder.rules import cycle_story
from lockorder.rules.broken_orders import violations
from lockorder.rules.evidence import Evidence

ID = "gil-lock-cycle"
LEVEL = Level.ERROR


def check(evidence: Evidence) -> Iterable[Finding]:
    """One finding for each minimal feasible cycle through the GIL."""
    broken = {(v.witness.held.lock, v.witness.taken.lock): v for v in violations(evidence)}
    for cycle in cycle_story.minimal(evidence.cycles.cycles):
        if cycle_story.through_gil(cycle, evidence.graph):
            yield cycle_story.finding(ID, cycle, evidence.graph, broken)
