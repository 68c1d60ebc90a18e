"""What a call that failed did not take, where what other calls make of its status is tested."""

from __future__ import annotations

import pytest

import walks
from lockorder.static.interp import failures

TEXT = """
typedef int status_t;
extern "C" status_t ncclGroupStart();
struct Verdict { bool failed(); };
Verdict verdict(status_t);
bool wanted(int);
int level();
struct Mutex { int raw; } mu;
void inside() {
    status_t status = ncclGroupStart();
    Verdict made = verdict(status);
    bool other = wanted(level());
    bool both = wanted(status + level());
    if (made.failed()) throw 1;
    if (other) throw 2;
    if (both) throw 3;
}
"""


@pytest.mark.parametrize(("number", "kept"), [(0, False), (1, True), (2, True)])
def test_a_test_of_the_status_alone_tells_of_its_failure(number: int, kept: bool) -> None:
    walk = walks.walking(TEXT, "inside")
    begun = walk.holding("mu")
    held = tuple(h._replace(undo=walk.at("status")) for h in begun.held)
    after = failures.in_test(walk.walk, walk.condition(number), begun.but(held=held))
    assert bool(walk.held(after)) is kept


def test_what_has_no_status_stays() -> None:
    walk = walks.walking(TEXT, "inside")
    state = walk.holding("mu")
    assert failures.in_test(walk.walk, walk.condition(0), state) is state
