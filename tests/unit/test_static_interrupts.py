"""Signal handlers that take a lock which what they interrupt may hold."""

from __future__ import annotations

import pytest

from lockorder.static.results import interrupts
from lockorder.static.results.graph import Builder
from walks import analysed

BEFORE = """
extern "C" {
void (*signal(int, void (*)(int)))(int);
struct sigaction { union { void (*sa_handler)(int); void (*sa_sigaction)(int, void *); } how; };
int pthread_sigmask(int, const void *, void *);
}
static std::mutex m, other;
struct Box { std::mutex m; };
static int n;
void work() { m.lock(); ++n; m.unlock(); }
"""
TAKES = "static void handler(int) { m.lock(); ++n; m.unlock(); } "
TRIES = "static void handler(int) { if (m.try_lock()) m.unlock(); } "
OTHER = "static void handler(int) { other.lock(); other.unlock(); } "
CALLS = "static void handler(int) { work(); } "
BOX = "static Box *box; void f(Box *b) { b->m.lock(); b->m.unlock(); } "
ITS_BOX = BOX + "static void handler(int) { box->m.lock(); box->m.unlock(); } "
SIGNAL = "void begin() { signal(2, handler); } "
STORES = "void begin(struct sigaction *s) { s->how.sa_handler = handler; } "
NAMED_ONLY = "void begin(void (**f)(int)) { *f = handler; } "
MASKED = "void calls() { pthread_sigmask(0, 0, 0); work(); } "


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (TAKES + SIGNAL, [("work", "handler")]),
        (TAKES + STORES, [("work", "handler")]),
        (CALLS + SIGNAL, []),  # only the handler comes to it
        (CALLS + SIGNAL + "void calls() { work(); }", [("work", "handler")]),
        (TAKES + NAMED_ONLY, []),
        (TAKES + SIGNAL + MASKED, []),
        (TRIES + SIGNAL, []),
        (OTHER + SIGNAL, []),  # nobody else takes it
        (ITS_BOX + SIGNAL, [("f", "handler")]),  # which may be that box
    ],
)
def test_what_a_handler_may_interrupt(text: str, found: list[tuple[str, str]]) -> None:
    engine = analysed(BEFORE + text)
    every = interrupts.acquisitions(engine, Builder(engine, ""))
    pairs = [(a.held.chain[0].function, a.taken.chain[0].function) for a in every]
    assert pairs == found
