"""Orders of operations on communicators, compared across ranks: against naive oracles."""

from __future__ import annotations

import itertools
import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lockorder.collectives import order
from lockorder.collectives.compare import divergence
from lockorder.collectives.gather import Gathering
from lockorder.collectives.sequences import compress, expand, first_difference, pack
from lockorder.model import End, Finding, Level, LockGraph
from lockorder.rules import Evidence, judge
from tests.unit.rank_logs import gathered, log

MISMATCH, CYCLE = "collective-mismatch", "communicator-order-cycle"


def findings(gathering: Gathering) -> tuple[Finding, ...]:
    return judge(Evidence(LockGraph(), communication=gathering))


def run(
    *scripts: str, groups: dict[str, list[int]] | None = None, end: End = End.FINISHED
) -> Gathering:
    return gathered(
        *(log(r, s, groups, ranks=len(scripts), end=end) for r, s in enumerate(scripts))
    )


# -- sequences --------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 3), max_size=200), st.integers(1, 5))
def test_compressing_loses_nothing(symbols: list[int], times: int) -> None:
    steps = compress(symbols * times)
    assert list(expand(pack(steps, lambda s: s))) == symbols * times
    assert steps.known == len(symbols) * times


@given(st.lists(st.integers(0, 3), max_size=80), st.integers(0, 100))
def test_a_beginning_is_expanded_as_the_whole_is(symbols: list[int], limit: int) -> None:
    packed = pack(compress(symbols), lambda s: s)
    assert list(expand(packed, limit)) == symbols[:limit]


def test_a_loop_is_a_few_tokens() -> None:
    body = [7] * 24 + list(range(10))
    assert len(compress(body * 1000).tokens) <= len(set(body)) + 8


@given(st.lists(st.integers(0, 1), max_size=50), st.lists(st.integers(0, 1), max_size=50))
def test_first_difference(a: list[int], b: list[int]) -> None:
    end = min(len(a), len(b))
    naive = next((i for i in range(end) if a[i] != b[i]), end)
    assert first_difference(array("I", a), array("I", b), 0, end) == naive


def test_a_copy_of_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="copy"):
        expand(b"\x05\0\0\x80\x01\0\0\0")


# -- must fire, must not --------------------------------------------------------------------------

SAME = "A4 A8 A4b0 " * 3
FIRE = {
    "order": (("A1 A2 A3", "A1 A3 A2"), MISMATCH, "operation 2 "),
    "count": (("A4 A8", "A4 A9"), MISMATCH, "operation 2 "),
    "root": (("A4b0", "A4b1"), MISMATCH, "operation 1 "),
    "kind": (("A4 A4b0", "A4 A4"), MISMATCH, "operation 2 "),
    "missing": (("A4 A4", "A4"), MISMATCH, "operation 2 "),
    "nothing at all": (("A4", ""), MISMATCH, "operation 1 "),
    "extra at the end of a loop": ((SAME, SAME + "A4"), MISMATCH, "operation 10 "),
    "three ranks, one differs": (("A1 A2", "A1 A2", "A2 A1"), MISMATCH, "operation 1 "),
    "send without receive": (("A>1 A>1", "A<0"), MISMATCH, "2nd message"),
    "receive without send": (("A1", "A1 A<0"), MISMATCH, "1st message"),
    "message sizes": (("A>1x4 A>1x8", "A<0x4 A<0x4"), MISMATCH, "2nd message"),
    "crossed in one stream": (("A1 B1", "B1 A1"), CYCLE, "ranks 0-1"),
    "crossed in two streams": (("/a A1 /b B1", "/b B1 /a A1"), CYCLE, "ranks 0-1"),
    "crossed once in a loop": (("A1 B1 " * 9, "A1 B1 " * 5 + "B1 A1 " + "A1 B1 " * 3), CYCLE, ""),
    "three in a ring": (("A1 B1", "B1 C1", "C1 A1"), CYCLE, "ranks 0-2"),
    "sends first on both": (("A>1 A<1", "A>0 A<0"), CYCLE, "ranks 0-1"),
    "groups crossed": (("( A1 ) ( B1 )", "( B1 ) ( A1 )"), CYCLE, ""),
}  # fmt: skip
RING = {"A": [0, 2], "B": [0, 1], "C": [1, 2]}
CLEAN = {
    "the same": (SAME, SAME, SAME),
    "A before B on both": ("A1 B1 " * 4, "A1 B1 " * 4),
    "in a group in any order": ("( A1 B1 )", "( B1 A1 )"),
    "messages in a group": ("( A>1 A<1 )", "( A>0 A<0 )"),
    "send, then receive": ("A>1 A<1", "A<0 A>0"),
    "overlap with a common order": ("/a A1 /b B1 " * 3, "/a A1 /b B1 " * 3),
    "messages of several peers in any order": ("( A>1 A>2 )", "A<0", "A<0"),
    "a pipeline": ("A>1 A>1 A>1", "A<0 A>2 A<0 A>2 A<0 A>2", "A<1 A<1 A<1"),
    "nothing": ("", ""),
}


@pytest.mark.parametrize("name", FIRE)
def test_must_fire(name: str) -> None:
    scripts, rule, text = FIRE[name]
    groups = {"three in a ring": RING, "nothing at all": {"A": [0, 1]}}.get(name)
    found = findings(run(*scripts, groups=groups))
    assert [f.rule for f in found] == [rule], found
    assert text in found[0].message
    if rule == CYCLE and "first on both" not in name:
        assert found[0].level is Level.ERROR
    sites = [f.line for p in found[0].participants for f in p.chain]
    assert name == "nothing at all" or len(sites) >= 1


@pytest.mark.parametrize("name", CLEAN)
def test_must_not_fire(name: str) -> None:
    assert findings(run(*CLEAN[name])) == ()


UNEVEN = {
    "subgroups": (
        {"A": [0, 1], "B": [2, 3], "W": [0, 1, 2, 3]},
        ("W1 A1 A1 W1", "W1 A1 A1 W1", "W1 B7 W1", "W1 B7 W1"),
    ),
    "rows and columns": (
        {"R": [0, 1], "S": [2, 3], "C": [0, 2], "D": [1, 3]},
        ("R1 C1 " * 5, "R1 D1 " * 5, "S1 C1 " * 5, "S1 D1 " * 5),
    ),
    "one rank works alone in between": (
        {"W": [0, 1, 2], "A": [0, 1]},
        ("W1 A5 A6 W2", "W1 A5 A6 W2", "W1 W2"),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNEVEN)
def test_uneven_and_legal(name: str) -> None:
    groups, scripts = UNEVEN[name]
    assert findings(run(*scripts, groups=groups)) == ()


# -- how runs end -----------------------------------------------------------------------------


def test_behind_when_cut_off_is_a_note() -> None:
    (found,) = findings(run("A1 A1", "A1", end=End.CUT))
    assert (found.level, "had not come" in found.message) == (Level.NOTE, True)


def test_behind_when_nothing_moved_is_an_error() -> None:
    (found,) = findings(run("A1 A1", "A1", end=End.STUCK))
    assert (found.level, "never came" in found.message) == (Level.ERROR, True)


def test_crossed_is_told_when_cut_off_too() -> None:
    assert [f.rule for f in findings(run("A1 B1", "B1 A1", end=End.CUT))] == [CYCLE]


def test_forgotten_beginnings_agree() -> None:
    script = "A1 A2 A3 " * 4
    logs = [log(r, script, ranks=3, forget=2 * r) for r in range(3)]
    assert findings(gathered(*logs)) == ()


def test_forgotten_beginnings_do_not_hide_the_end() -> None:
    logs = [log(r, "A1 " * 9 + f"A{2 + r // 2}", ranks=3, forget=3 * r) for r in range(3)]
    (found,) = findings(gathered(*logs))
    assert "operation 10 " in found.message


def test_ranks_without_a_log_are_named() -> None:
    logs = [log(r, f"A{1 + r}", ranks=4) for r in range(2)]
    (found,) = findings(gathered(*logs))
    assert found.message.endswith("nothing is known of ranks 2-3")


def test_the_table_has_a_column_a_side_and_the_call_sites() -> None:
    (found,) = findings(run("A1 A2 A3", "A1 A2 A3", "A1 A3 A2"))
    assert found.table is not None
    assert found.table.columns == ("operation", "ranks 0-1", "rank 2")
    row = next(r for r in found.table.rows if r[0].startswith(">"))
    assert row[1:] == (
        "all_reduce of 2 float32 (sum)\n  at train.py:2",
        "all_reduce of 3 float32 (sum)\n  at train.py:2",
    )


# -- who is to blame --------------------------------------------------------------------------


def test_waits_of_the_host_between_crossed_communicators() -> None:
    """A, then a wait for it, then B: the second operations were never issued."""
    (found,) = findings(run("A1", "B1", groups={"A": [0, 1], "B": [0, 1]}, end=End.STUCK))
    assert (found.rule, found.level) == (CYCLE, Level.ERROR)
    assert found.message.startswith("ranks 0-1 wait for each other")


def test_what_follows_from_another_wait_is_a_note() -> None:
    """Rank 0 waits for 1, which waits for 2, which came to neither."""
    groups = {"A": [0, 1], "B": [1, 2]}
    error, note = findings(run("A1", "B1", "", groups=groups, end=End.STUCK))
    assert (error.level, note.level) == (Level.ERROR, Level.NOTE)
    assert error.message.startswith("rank 2 never came to operation 1 of the group B")
    assert "rank 1 waits in operation 1 of the group B for rank 2" in note.message


# -- oracles ----------------------------------------------------------------------------------


@st.composite
def perturbed(draw: st.DrawFn) -> list[list[int]]:
    base = draw(st.lists(st.integers(1, 3), max_size=30))
    ranks = []
    for _ in range(draw(st.integers(2, 5))):
        mine = list(base)
        if mine and draw(st.booleans()):
            at = draw(st.integers(0, len(mine) - 1))
            mine = draw(st.sampled_from([mine[:at], [*mine[:at], 9, *mine[at + 1 :]]]))
        ranks.append(mine)
    return ranks


@settings(deadline=None)
@given(perturbed(), st.integers(1, 3))
def test_first_divergence_against_a_walk(ranks: list[list[int]], parts: int) -> None:
    logs = [
        log(r, " ".join(f"A{n}" for n in mine), {"A": list(range(len(ranks)))})
        for r, mine in enumerate(ranks)
    ]
    there = gathered(*logs, split=parts).communicators["A"]
    longest = max(map(len, ranks))
    naive = next(
        (
            n + 1
            for n in range(longest)
            if len({mine[n] if n < len(mine) else None for mine in ranks}) > 1
        ),
        None,
    )
    whole = gathered(*logs, split=parts)
    found = divergence(whole, there)
    assert (found.number if found is not None else None) == naive


def stuck(scripts: list[list[str]], members: dict[str, set[int]]) -> bool:
    """Whether ranks that issue one operation after the other all come to their ends."""
    at = [0] * len(scripts)
    while True:
        heads = [s[i] if i < len(s) else None for s, i in zip(scripts, at, strict=True)]
        free = [n for n in members if all(heads[r] == n for r in members[n])]
        if not free:
            return any(head is not None for head in heads)
        for name in free:
            for rank in members[name]:
                at[rank] += 1


@pytest.mark.parametrize("seed", range(200))
def test_crossed_communicators_against_a_simulation(seed: int) -> None:
    rng = random.Random(seed)
    ranks = rng.randint(2, 4)
    names = "ABCD"[: rng.randint(1, 4)]
    members = {n: set(rng.sample(range(ranks), rng.randint(2, ranks))) for n in names}
    common = [rng.choice(names) for _ in range(rng.randint(1, 6))]
    scripts = [[n for n in common if r in members[n]] for r in range(ranks)]
    for script in scripts:
        if len(script) > 1 and rng.random() < 0.5:
            i = rng.randrange(len(script) - 1)
            script[i], script[i + 1] = script[i + 1], script[i]
    groups = {n: sorted(m) for n, m in members.items()}
    found = findings(run(*(" ".join(f"{n}1" for n in s) for s in scripts), groups=groups))
    assert bool(found) == stuck(scripts, members), (scripts, members)
    assert {f.rule for f in found} <= {CYCLE}


@pytest.mark.parametrize("where", ["beginning", "end"])
def test_long_runs_are_played_at_both_ends(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order, "MOST", 40)
    monkeypatch.setattr(order, "LEAST", 8)
    loop, crossed = "A1 B2 A3 " * 40, "B2 A1 A3 "
    swapped = crossed + loop if where == "beginning" else loop + crossed
    straight = "A1 B2 A3 " + loop
    assert [f.rule for f in findings(run(straight, swapped))] == [CYCLE]
    assert findings(run(straight, straight)) == ()
    exchange = "( A>1 A<1 ) " * 60 + "A>1 A<1"
    assert findings(run(exchange, "( A>0 A<0 ) " * 60 + "A<0 A>0")) == ()


def test_parts_may_be_joined_in_any_number() -> None:
    logs = [log(r, "A1 B2 " * 3 + f"A{r % 2}", ranks=6) for r in range(6)]
    whole = [findings(gathered(*logs, split=n)) for n in (1, 2, 3, 6)]
    assert all(a == b for a, b in itertools.pairwise(whole))
