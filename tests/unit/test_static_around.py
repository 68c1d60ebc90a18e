"""Of which locks each way to an order has one, or comes from an object that uses none."""

from __future__ import annotations

import pytest

from lockorder.static.results.around import Around
from walks import analysed

SOURCE = """
struct Worker { int mode; std::recursive_mutex m; std::mutex plain; };
struct Queue { std::mutex m; };
static void inner(Queue *q, Worker *other) {
  q->m.lock(); other->m.lock(); other->m.unlock(); q->m.unlock();
}
BODY
"""
LOCKED = "void one(Worker *w, Worker *v, Queue *q) { w->m.lock(); inner(q, v); w->m.unlock(); }"
BY_MODE = "void two(Worker *w, Worker *v, Queue *q) { if (w->mode) w->m.lock(); inner(q, v); }"
BARE = "void three(Worker *v, Queue *q) { inner(q, v); }"
BY_CHANCE = "void four(Worker *w, Worker *v, Queue *q, int n) { if (n) w->m.lock(); inner(q, v); }"
GIVEN = "void five(Worker *w, Worker *v, Queue *q) { w->m.lock(); w->m.unlock(); inner(q, v); }"
PLAIN = "void six(Worker *w, Worker *v, Queue *q) { w->plain.lock(); inner(q, v); }"
DEEPER = "static void mid(Worker *v, Queue *q) { inner(q, v); }"
ABOVE = "void top(Worker *w, Worker *v, Queue *q) { if (w->mode) w->m.lock(); mid(v, q); }"


@pytest.mark.parametrize(
    ("bodies", "has"),
    [
        ((LOCKED,), True),
        ((BY_MODE,), True),
        ((LOCKED, BY_MODE), True),
        ((DEEPER, ABOVE), True),
        ((BARE,), False),
        ((LOCKED, BARE), False),
        ((BY_CHANCE,), False),
        ((GIVEN,), False),
        ((PLAIN,), False),
    ],
)
def test_each_way_has_the_lock_or_an_object_without(bodies: tuple[str, ...], has: bool) -> None:
    """Every caller counts, over any number of calls; a lock that nobody can have twice does not."""
    engine = analysed(SOURCE.replace("BODY", "\n".join(bodies)))
    around = Around(engine)
    (emitted,) = engine.found.orders["Queue::m", "Worker::m"]
    assert (around.of(emitted) == {"Worker::m"}) is has
