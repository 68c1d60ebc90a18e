"""What callers learn of how a call ends, by what it found at first."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.engine import Engine

SOURCE = """
#include <mutex>
struct Hold {
    explicit Hold(std::mutex *m) : mutex(m), state(1) { mutex->lock(); }
    ~Hold() { drop(); }
    void drop() { if (held) { held = false; mutex->unlock(); } }
    void by_pointer() { if (mutex == nullptr) return; mutex->unlock(); mutex = nullptr; }
    void by_number() { if (state != 1) return; state = 2; mutex->unlock(); }
    void both() { if (held && mutex) mutex->unlock(); }
    void changed() { held = true; if (held) mutex->unlock(); }
    void again(int n) { while (n-- > 0) { if (held) mutex->unlock(); held = false; } }
    void always() { if (held) held = false; }
    std::mutex *mutex;
    int state;
    bool held = true;
};
struct Turn {
    explicit Turn(std::mutex *m) : given(m) { if (given) given->lock(); }
    ~Turn() { if (given) given->unlock(); }
    std::mutex *given;
};
struct Desk {
    void of_one() { Turn turn(&own); ++count; }
    std::mutex own;
    int count;
};
void if_two(Desk *desk, int number) { if (number == 2) desk->own.lock(); }
void by_two(Desk *desk) { if_two(desk, 2); }
void by_three(Desk *desk) { if_two(desk, 3); }
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("premises")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False)).engine


@pytest.mark.parametrize(
    ("name", "given_up", "kept"),
    [
        ("drop", {("held", "", True)}, {("held", "", False)}),
        ("~Hold", {("held", "", True)}, {("held", "", False)}),
        ("by_pointer", {("mutex", "", True)}, {("mutex", "", False)}),
        ("by_number", {("state", "1", True)}, {("state", "1", False)}),
        ("both", {("held", "", True), ("mutex", "", True)}, set()),
        ("again", set(), set()),  # what a later round finds is not what was so at first
        ("always", None, set()),  # one way back, and so nothing to tell
    ],
)
def test_premises(
    engine: Engine,
    name: str,
    given_up: set[tuple[str, str, bool]] | None,
    kept: set[tuple[str, str, bool]],
) -> None:
    """By ways back: what was so at the start where the lock was given up, and where it was kept."""
    (usr,) = engine.program.named(f"Hold::{name}")
    found = {
        bool(o.released): {
            (engine.program.variables[p.path.steps[0]].name.rpartition("::")[2], *p[1:])
            for p in o.premises
        }
        for o in engine.summary(usr).outcomes
    }
    assert found.get(True) == given_up
    assert found.get(False) == kept


def test_written_before(engine: Engine) -> None:
    """A test of what the function has set itself says nothing of the start."""
    (usr,) = engine.program.named("Hold::changed")
    assert not any(o.premises for o in engine.summary(usr).outcomes)


@pytest.mark.parametrize(
    ("name", "held"),
    [
        ("Desk::of_one", [0]),  # the address of a lock is not null
        ("by_two", [1]),
        ("by_three", [0]),
    ],
)
def test_what_a_call_found_of_its_parameters_decides(
    engine: Engine, name: str, held: list[int]
) -> None:
    """Of the ways in which a call can end a caller goes on with those that fit its arguments."""
    (usr,) = engine.program.named(name)
    outcomes = engine.summary(usr).outcomes
    assert [len(o.held) for o in outcomes] == held
    assert not any(o.released for o in outcomes)
