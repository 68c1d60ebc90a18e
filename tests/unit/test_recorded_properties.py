"""Recorded runs by chance: against a naive search for cycles, and with damage."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lockorder.model import Document, encode
from lockorder.recorded.analyse import analyse, to_document
from runtime_probe import layout
from runtime_probe.layout import Kind, MisuseKind
from traces import EXCLUSIVE, SHARED, Recording

Order = tuple[int, int, int, frozenset[int]]
"""Thread, lock held, lock taken, gates."""

_ORDERS = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.integers(0, 4),
        st.integers(0, 4),
        st.frozensets(st.integers(0, 6), max_size=2),
    ).filter(lambda o: o[1] != o[2] and not {o[1], o[2]} & o[3]),
    max_size=14,
)


def judged(tmp_path: Path, recording: Recording) -> Document:
    path = tmp_path / "trace-x.lot"
    path.write_bytes(recording.data())
    return to_document(analyse([path], symbols=recording.program))


def naive(orders: list[Order]) -> bool:
    """Whether some threads can stand in a circle: every choice of orders is tried."""
    for length in range(2, 5):
        for chosen in itertools.permutations(orders, length):
            circle = zip(chosen, (*chosen[1:], chosen[0]), strict=True)
            if not all(a[2] == b[1] for a, b in circle):
                continue
            if len({a[0] for a in chosen}) < length:
                continue
            held = [{a[1], *a[3]} for a in chosen]
            if not any(x & y for x, y in itertools.combinations(held, 2)):
                return True
    return False


@settings(
    max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(orders=_ORDERS)
def test_cycles_are_those_of_a_naive_search(tmp_path: Path, orders: list[Order]) -> None:
    orders = orders[:9]
    r = Recording()
    threads = [r.thread() for _ in range(4)]
    locks = [r.named(f"lock{i}") for i in range(7)]
    for thread, source, target, gates in orders:
        listed = [(locks[g], EXCLUSIVE) for g in sorted(gates)]
        r.edge(threads[thread], locks[source], locks[target], gates=listed)
    assert bool(judged(tmp_path, r).findings) is naive(orders)


def everything(rng: random.Random) -> Recording:
    """A recording with all sorts of records."""
    r = Recording(rank=rng.randint(-1, 3))
    locks = [r.named(f"l{i}", rng.choice(list(Kind)), rng.randint(0, 31)) for i in range(6)]
    held = [(rng.choice(locks), rng.randint(0, 1), 0, 1, rng.randint(0, 99))]
    threads = [r.thread(held=held, waits_for=rng.choice((0, *locks))) for _ in range(3)]
    calls = [r.call(f"call{i}", i % 7, rng.randint(0, 7)) for i in range(5)]
    for _ in range(12):
        pair = rng.sample(locks, 2)
        modes = (rng.choice((EXCLUSIVE, SHARED)), rng.choice((EXCLUSIVE, SHARED)))
        r.edge(rng.choice(threads), *pair, modes=modes, hows=(0, rng.randint(0, 2)))
    for call in calls:
        r.blocked(rng.choice(threads), call, [(rng.choice(locks), 0)], own=rng.choice((0, *locks)))
    for kind in MisuseKind:
        r.misuse(rng.choice(threads), kind, rng.choice(locks), holder=rng.choice((0, *threads)))
    return r


@pytest.mark.parametrize("seed", range(40))
def test_damage_is_told_or_harmless(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    recording = everything(rng)
    data = bytearray(recording.data())
    records = len(data) - 2 * layout.PAGE
    path = tmp_path / "trace-x.lot"
    for _ in range(25):
        broken = bytearray(data)
        for _ in range(rng.randint(1, 8)):
            first = rng.choice((layout.PAGE, records))
            place = rng.randrange(first, len(data))
            broken[place] = rng.choice((0, 1, 2, 0x7F, 0xFF, rng.randrange(256)))
        path.write_bytes(broken)
        batch = analyse([path], symbols=recording.program)
        assert len(batch.processes) == 1  # the header is whole
        encode(to_document(batch))
