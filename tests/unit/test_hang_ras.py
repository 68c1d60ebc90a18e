"""NCCL's RAS answers, text and JSON: who is behind, who is missing, and what is no answer."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.hang import ras

HEAD = ["NCCL version 2.28.9 compiled with CUDA 13.0", "Job summary", ""]
NODE = "GPU {} managed by process {} on node 10.0.0.1"
TWO = [
    *HEAD,
    "Warnings",
    "#0-0 (00c0ffee00000001) MISMATCH",
    "  Communicator ranks have different AllGather operation counts",
    f"  Rank 0 has launched up to operation 1 -- {NODE.format(0, 11)}",
    f"  Rank 1 has not launched any operations -- {NODE.format(1, 12)}",
    "",
    "  Communicator ranks have different AllReduce operation counts",
    f"  Rank 0 has launched up to operation 5 -- {NODE.format(0, 11)}",
    f"  Rank 1 has launched up to operation 6 -- {NODE.format(1, 12)}",
    "",
]


def test_two_ranks_that_part() -> None:
    answer = ras.of_text(TWO)
    assert answer.version == "2.28.9"
    gather, reduce = answer.differences
    assert (gather.operation, gather.ahead, gather.behind) == ("AllGather", (0,), (1,))
    assert (reduce.operation, reduce.ahead, reduce.behind) == ("AllReduce", (1,), (0,))
    assert [s.count for s in gather.sides] == [1, 0]
    assert answer.processes["00c0ffee00000001", 1] == ("10.0.0.1", 12)


def test_most_ranks_are_not_listed() -> None:
    (found,) = ras.of_text(
        [
            *HEAD,
            "#1-0 (0000000000000abc) MISMATCH",
            "  Communicator ranks have different Broadcast operation counts",
            "  6 ranks have launched up to operation 9",
            "  2 ranks have launched up to operation 8",
            f"  Rank 3 -- {NODE.format(3, 33)}",
            "  Rank 5 -- [process information not found]",
        ]
    ).differences
    assert found.sides == (ras.Side(9, 6), ras.Side(8, 2, (3, 5)))
    assert found.behind == (3, 5)


def test_who_is_missing_and_what_failed() -> None:
    answer = ras.of_text(
        [
            *HEAD,
            "Errors",
            "DEAD",
            "  1 process is considered unreachable",
            "  Process 77 on node 10.0.0.2 managing GPU 4",
            "",
            "#0-0 (0000000000000abc) INCOMPLETE",
            "  Missing communicator data from 1 rank",
            f"  Rank 2 -- {NODE.format(2, 22)}",
            "",
            "#0-1 (0000000000000abd) ERROR",
            "  Asynchronous error on 1 rank",
            f"  Rank 1 reported remote error -- {NODE.format(1, 12)}",
        ]
    )
    assert answer.missing == (
        ras.Missing(77, "10.0.0.2", dead=True),
        ras.Missing(22, "10.0.0.1", 2, "0000000000000abc"),
    )
    assert answer.failures == (ras.Failure("0000000000000abd", 1, "remote error"),)
    assert not answer.differences


def document(*counts: dict[str, int]) -> bytes:
    ranks = [
        {"rank": n, "host": "h", "pid": 10 + n, "status": {}, "collective_counts": each}
        for n, each in enumerate(counts)
    ]
    told = {"nccl_version": "2.30.7", "communicators": [{"hash": "0xabc", "ranks": ranks}]}
    return b"OK\n" + json.dumps(told).encode()


def test_json_has_the_counts_of_all() -> None:
    answer = ras.of_json(document({"AllReduce": 4}, {"AllReduce": 3}, {"AllReduce": 4}))
    (found,) = answer.differences
    assert found.communicator == "0000000000000abc"
    assert found.sides == (ras.Side(4, 2, (0, 2)), ras.Side(3, 1, (1,)))
    assert answer.counts["0000000000000abc"][1] == {"AllReduce": 3}
    assert answer.processes["0000000000000abc", 2] == ("h", 12)


@pytest.mark.parametrize(
    "text", [b"", b"ERROR: Unknown command", b"{", b'{"nccl_version": 3}', b"[" * 9000]
)
def test_what_is_no_json(text: bytes) -> None:
    assert not ras.of_json(text)


def test_ranks_that_agree_differ_in_nothing() -> None:
    assert not ras.of_json(document({"AllReduce": 4}, {"AllReduce": 4})).differences


def test_only_what_lasts_counts() -> None:
    first = ras.of_json(document({"AllReduce": 4, "Reduce": 1}, {"AllReduce": 3}))
    second = ras.of_json(document({"AllReduce": 5, "Reduce": 1}, {"AllReduce": 4}))
    assert [d.operation for d in ras.lasting(first, second)] == ["Reduce"]


@given(st.lists(st.sampled_from([*TWO, "", "DEAD", "  Rank x -- ", "#0-0 (zz) MISMATCH"])))
def test_lines_in_any_order_are_no_error(lines: list[str]) -> None:
    for found in ras.of_text(lines).differences:
        assert len(found.sides) > 1
