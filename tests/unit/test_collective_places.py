"""Ranks that all wait for each other: in which operation, at which line, in which group."""

from __future__ import annotations

import pytest

from jobs import line, process, thread, waits
from lockorder.model import Finding, LaunchSide, LockGraph, ProcessState
from lockorder.model.hang import Launches
from lockorder.rules import Evidence, judge


def rank(
    number: int, at: int = 9, operation: str = "all_reduce", *, group: str = "",
    members: tuple[int, ...] = (), peer: int = -1, key: str = "",
) -> ProcessState:  # fmt: skip
    """A rank whose main thread waits for others, and goes nowhere."""
    wait = waits("ranks", lock=operation, group=group, members=members, peer=peer, key=key)
    where = line("train.py", at, "step")
    pid = 100 + number
    return process(
        pid, thread(pid, wait, line=where, chain=(where,), operation=operation, moved="still"),
        rank=number, source="live", name=f"rank {number}",
    )  # fmt: skip


def found(*ranks: ProcessState, launches: tuple[Launches, ...] = ()) -> list[Finding]:
    evidence = Evidence(LockGraph(), processes=ranks, launches=launches)
    return [f for f in judge(evidence) if f.rule == "collective-mismatch"]


def test_one_operation_on_each_rank() -> None:
    (apart,) = found(rank(0), rank(1, operation="broadcast", at=12))
    assert (apart.level.name, apart.confidence.name) == ("ERROR", "MEDIUM")
    assert "rank 0 is in all_reduce at train.py:9" in apart.message
    assert "rank 1 is in broadcast at train.py:12" in apart.message


def test_the_odd_one_is_named() -> None:
    (apart,) = found(*[rank(n) for n in range(3)], rank(3, at=14))
    assert (apart.level.name, apart.confidence.name) == ("WARNING", "LOW")
    assert apart.message.endswith("; rank 3 parted from the others")


def test_counts_agree() -> None:
    sides = (LaunchSide(7, 1, (0,)), LaunchSide(6, 1, (1,)))
    told = Launches("NCCL", "c", "AllReduce", sides)
    (apart,) = found(rank(0), rank(1, operation="broadcast", at=12), launches=(told,))
    assert apart.confidence.name == "HIGH"
    assert "NCCL agrees: rank 0 launched 7 AllReduce, rank 1 6" in apart.message


@pytest.mark.parametrize("lines", [(9, 9, 9), (9, 11, 11)])
def test_crossed_groups(lines: tuple[int, ...]) -> None:
    groups = ["2", "1", "1"]
    (apart,) = found(*[rank(n, lines[n], group=groups[n], members=(0, 1, 2)) for n in range(3)])
    assert (apart.level.name, apart.confidence.name) == ("ERROR", "MEDIUM")
    said = "they wait in different groups: rank 0 in group 2 (of ranks 0-2), "
    assert f"{said}ranks 1-2 in group 1 (of ranks 0-2)" in apart.message


def test_groups_that_share_no_rank_are_not_crossed() -> None:
    pairs = [("left", (0, 1)), ("left", (0, 1)), ("right", (2, 3)), ("right", (2, 3))]
    ranks = [rank(n, group=g, members=m) for n, (g, m) in enumerate(pairs)]
    (apart,) = found(*ranks)
    assert apart.level.name == "WARNING"
    assert "groups:" not in apart.message


def test_groups_of_ranks_that_are_not_known() -> None:
    (apart,) = found(rank(0, group="2"), rank(1, group="1"))
    assert apart.level.name == "WARNING"
    assert "what is different is not seen" in apart.message


def test_a_rank_of_the_group_that_was_not_looked_at() -> None:
    ranks = [rank(n, group="0", members=(0, 1, 2, 3)) for n in range(2)]
    (apart,) = found(*ranks)
    assert apart.message.endswith(": ranks 2-3 of the group were not looked at")
    assert apart.level.name == "WARNING"


def test_receives_without_a_send() -> None:
    (apart,) = found(*[rank(n, operation="recv", peer=1 - n) for n in range(2)])
    assert apart.level.name == "ERROR"
    assert "rank 0 from rank 1, rank 1 from rank 0" in apart.message


def test_a_receive_whose_partner_is_elsewhere() -> None:
    (apart,) = found(rank(0, operation="recv", peer=1), rank(1, at=12))
    assert "rank 0 is in recv from rank 1 at train.py:9, and rank 1 does not send" in apart.message


def test_a_key_of_a_store() -> None:
    (apart,) = found(rank(0, operation="wait", key="go"), rank(1, at=12))
    assert apart.message.startswith("rank 0 waits for the key go of the store")
