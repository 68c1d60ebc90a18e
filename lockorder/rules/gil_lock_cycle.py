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
hang as well, since they need the GIL to say anything.

In PyTorch 1.13.1 the CUDA caching allocator, with memory history recorded, destroyed Python frames
under its own mutex, and so waited for the GIL; a Python thread in memory_stats has the GIL and
waits for that mutex. A DDP loop of PyTorch 2.11 has another: the reducer's mutex is held while a
collective gathers a Python stack for the flight recorder, and the destructor of DDP's logger takes
that mutex with the GIL held (docs/case-studies/findings.md, docs/case-studies/ddp-live.md).

## Example
```cpp
#include <mutex>
#include <pybind11/pybind11.h>

namespace py = pybind11;

static std::mutex mu;
static int last;
static py::object callback;

void on_event(int value)                // a C++ thread: mu, then the GIL
{
    std::lock_guard<std::mutex> hold(mu);
    last = value;
    py::gil_scoped_acquire gil;
    callback(value);
}

static int last_event()                 // Python: the GIL, then mu
{
    std::lock_guard<std::mutex> hold(mu);
    return last;
}

PYBIND11_MODULE(events, m)
{
    m.def("last_event", &last_event);
}
```

## Instead
Release the GIL before taking the lock, or take what is needed under the lock, release it, and only
then acquire the GIL. Best do both. Mind gil_scoped_release on a path that still holds a guard: its
destructor takes the GIL again.

```cpp
#include <mutex>
#include <pybind11/pybind11.h>

namespace py = pybind11;

static std::mutex mu;
static int last;
static py::object callback;

void on_event(int value)
{
    {
        std::lock_guard<std::mutex> hold(mu);
        last = value;
    }
    py::gil_scoped_acquire gil;         // mu is free again
    callback(value);
}

static int last_event()
{
    std::lock_guard<std::mutex> hold(mu);
    return last;
}

PYBIND11_MODULE(events, m)
{
    m.def("last_event", &last_event, py::call_guard<py::gil_scoped_release>());
}
```

## References
* Python/C API, "Thread State and the Global Interpreter Lock":
  https://docs.python.org/3/c-api/init.html
* pybind11, "Global Interpreter Lock (GIL)":
  https://pybind11.readthedocs.io/en/stable/advanced/misc.html
* PEP 788 on what finalization adds to it: https://peps.python.org/pep-0788/
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
    for cycle in cycle_story.minimal(evidence, ID):
        if cycle_story.through_gil(cycle, evidence.graph):
            yield cycle_story.finding(ID, cycle, evidence.graph, broken)
