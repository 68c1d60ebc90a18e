"""Which lock a function returns for arguments of which something is known."""

from __future__ import annotations

import pytest

from lockorder.static.interp import choices
from lockorder.static.interp.known import Chosen, Less
from lockorder.static.interp.summary import State
from lockorder.static.program.paths import Path
from walks import analysed, walking

BEFORE = """
namespace std {
template <class T> const T &min(const T &, const T &);
template <class T> const T &max(const T &, const T &);
}
std::mutex inside, outside, up, down; bool flag;
std::mutex &lane(int n) { if (n < 0 || n >= 32) return outside; return inside; }
std::mutex &side(bool high) { if (high) return up; return down; }
std::mutex *pointed(int n) { return n < 5 ? &down : &up; }
std::mutex &some(int n) { if (flag) return outside; return inside; }
std::mutex &changed(int n) { n = flag; if (n < 5) return outside; return inside; }
struct Pair {
  std::mutex one, two;
  std::mutex &of(int n) { if (n == 7) return two; return one; }
} pair;
void g();
"""


def found(body: str) -> tuple[set[tuple[str, str]], set[str]]:
    """Orders of two locks, and locks that are taken again, in ``f``."""
    collected = analysed(f"{BEFORE} void f(int n, int m, bool b) {{ {body} }}").found
    return set(collected.orders), {lock for lock, *_ in collected.self_locks}


@pytest.mark.parametrize(
    ("body", "orders"),
    [
        ("if (n < 32 || m >= n) return; lane(n).lock(); lane(m).lock();", {"out-in"}),
        ("if (n < 32 || m < n) return; lane(n).lock(); lane(m).lock();", set()),
        ("if (n < 0 || m < 0) return; int l = std::min(n, m), h = std::max(n, m);"
         " lane(l).lock(); lane(h).lock();", {"in-out"}),
        ("if (n < 0 || m < 0) return; int l = n < m ? n : m, h = n < m ? m : n;"
         " lane(l).lock(); lane(h).lock();", {"in-out"}),
        ("if (n < 0 || m < 0) return; int l, h; if (m < n) { l = m; h = n; } else { l = n; h = m; }"
         " lane(l).lock(); lane(h).lock();", {"in-out"}),
        ("if (n < 0 || m < 0) return; int l = std::min(n, m), h = std::max(n, m);"
         " lane(h).lock(); lane(l).lock();", {"out-in"}),
        ("if (n < 0 || m < 0) return; int l = std::min(n, m), h = std::max(n, m);"
         " l = n; h = m; lane(l).lock(); lane(h).lock();", {"in-out", "out-in"}),
        ("if (n < 0 || m < 0) return; int l = std::min(n, m), h = std::max(n, m);"
         " auto &x = lane(l); std::lock_guard<std::mutex> one(x);"
         " std::lock_guard<std::mutex> other(lane(h));", {"in-out"}),
        ("int l = std::min(n, m), h = std::max(n, m); lane(l).lock(); lane(h).lock();",
         {"in-out", "out-in"}),
        ("lane(n).lock(); lane(m).lock();", {"in-out", "out-in"}),
        ("lane(n).lock(); n = m; lane(n).lock();", {"in-out", "out-in"}),
        ("some(n).lock(); some(m).lock();", {"in-out", "out-in"}),
    ],
)  # fmt: skip
def test_an_order_of_numbers_is_one_of_locks(body: str, orders: set[str]) -> None:
    names = {"in-out": ("inside", "outside"), "out-in": ("outside", "inside")}
    assert found(body)[0] == {names[o] for o in orders}


@pytest.mark.parametrize(
    ("body", "again"),
    [
        ("if (n < 32 || m < n) return; lane(n).lock(); lane(m).lock();", {"outside"}),
        ("if (n < 0 || m < 0) return; lane(n).lock(); lane(m).lock();", set()),
        ("if (n >= 32 && m >= 32) return; if (n < 32 || m < n) return;"
         " lane(n).lock(); lane(m).lock();", set()),
        ("side(b).lock(); side(b).lock();", {"up", "down"}),
        ("side(b).lock(); side(b).unlock(); side(b).lock(); side(b).unlock();", set()),
        ("side(b).lock(); b = flag; side(b).lock();", set()),
        ("side(b).lock(); if (b) up.lock();", {"up"}),
        ("side(b).lock(); if (!b) up.lock();", set()),
        ("pointed(n)->lock(); if (n > 7) down.lock();", set()),
        ("pointed(n)->lock(); if (n < 3) down.lock();", {"down"}),
        ("if (n < 9) return; changed(n).lock(); changed(m).lock();", set()),
    ],
)  # fmt: skip
def test_the_same_number_is_the_same_lock(body: str, again: set[str]) -> None:
    assert found(body)[1] == again


def test_a_member_is_chosen_of_the_object_that_is_asked() -> None:
    orders, again = found("pair.of(n).lock(); if (n == 7) pair.two.lock();")
    assert (orders, again) == (set(), {"Pair::two"})
    orders, again = found("pair.of(n).lock(); if (n != 7) pair.two.lock();")
    assert (orders, again) == ({("Pair::one", "Pair::two")}, set())


def test_a_release_gives_up_what_is_known_to_be_held() -> None:
    walk = walking(f"{BEFORE} void f(int n) {{ lane(n).lock(); g(); lane(n).unlock(); }}")
    assert [o.held for o in walk.run().outcomes] == [()]
    assert not any(o.released for o in walk.run().outcomes)


def test_a_release_alone_is_of_any() -> None:
    """Nobody knows here which of them the caller has taken."""
    summary = walking(f"{BEFORE} void f(int n) {{ lane(n).unlock(); }}").run()
    assert [len(o.released) for o in summary.outcomes] == [2]


def test_what_is_so_of_the_parameters_is_told() -> None:
    summary = walking(BEFORE, "side").run()
    high = Path.of_variable(walking(BEFORE, "side").variable("high"))
    assert sorted(t for c in summary.choices for f, t in c.needed if f == high) == [False, True]
    assert not walking(BEFORE, "some").run().choices
    assert not walking(BEFORE, "changed").run().choices


def test_a_fact_of_a_parameter_is_one_of_the_argument() -> None:
    n, m, five = Path.of_variable("n"), Path.of_variable("m"), Path.of_literal("5")
    assert choices.given_as(Less(n, five), {n: m}) == Less(m, five)
    assert choices.given_as(n, {n: m}) == m


def test_only_what_can_be_is_left() -> None:
    walk = walking(f"{BEFORE} void f(int n) {{ auto &x = lane(n); x.unlock(); }}")
    (walk.walk.chooses, call) = (True, walk.call("unlock"))
    x, n = walk.at("x"), walk.at("n")
    low, high = walk.at("inside"), walk.at("outside")
    end = Path.of_literal("32")
    state = State(
        env={x: (low, high)}, facts={Chosen(x, low, Less(n, end), True): True, Less(n, end): False}
    )
    ((after, others),) = choices.parted(walk.walk, call, state)
    assert (walk.value(after, "x"), others) == (["outside"], ())
