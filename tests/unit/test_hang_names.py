"""What entries of the flight recorder are called, how much they carry, how sequences are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lockorder.collectives.sequences import compress, symbols_of
from lockorder.hang.operation_names import call_of, count_of, type_of
from lockorder.hang.rank_log import spans


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("nccl:all_reduce", ("nccl", "all_reduce", False, -1, -1)),
        ("nccl:_all_gather_base", ("nccl", "all_gather", False, -1, -1)),
        ("nccl:_reduce_scatter_base", ("nccl", "reduce_scatter", False, -1, -1)),
        ("nccl:allreduce_coalesced", ("nccl", "all_reduce_coalesced", False, -1, -1)),
        ("nccl:all_gather_into_tensor_coalesced", ("nccl", "all_gather_coalesced", False, -1, -1)),
        (
            "nccl:reduce_scatter_tensor_coalesced",
            ("nccl", "reduce_scatter_coalesced", False, -1, -1),
        ),
        ("nccl:coalesced", ("nccl", "coalesced", True, -1, -1)),
        ("nccl:REDUCE_SCATTER_coalesced", ("nccl", "reduce_scatter", True, -1, -1)),
        ("nccl:send 1->2", ("nccl", "send", False, 1, 2)),
        ("xccl:recv 3<-0", ("xccl", "recv", False, 3, 0)),
        ("nccl:send 1->" + "9" * 5000, ("nccl", "send", False, 1, -1)),
        ("nccl:alltoall_base", ("nccl", "all_to_all", False, -1, -1)),
        ("gloo:barrier", ("gloo", "barrier", False, -1, -1)),
        ("fake:all_reduce", ("fake", "all_reduce", False, -1, -1)),
        ("nccl:new_window", ("nccl", "new_window", False, -1, -1)),
        ("all_reduce", ("", "all_reduce", False, -1, -1)),
        ("nccl:", ("nccl", "", False, -1, -1)),
    ],
)
def test_names_of_calls(name: str, expected: tuple[object, ...]) -> None:
    assert tuple(call_of(name)) == expected


def test_counts_and_types() -> None:
    assert count_of("all_gather", [[6, 4]], [[3, 6, 4]]) == 24
    assert count_of("reduce_scatter", [[3, 6, 4]], [[6, 4]]) == 24
    assert count_of("all_reduce_coalesced", [[6], [4]], [[6], [4]]) == 10
    assert count_of("scatter", [], [[6, 4]]) == count_of("gather", [[6, 4]], []) == 24
    assert count_of("all_to_all", [[8]], [[8]]) == count_of("all_gather_v", [[8]], [[8]]) == -1
    assert count_of("all_reduce", [[]], [[]]) == 1
    assert count_of("all_reduce", [], []) == -1
    assert type_of("all_reduce", ["Float8_e4m3fn"], []) == "float8e4m3"
    assert type_of("scatter", [], ["Bool"]) == "uint8"
    assert type_of("all_reduce", ["Float", "Half", "Float"], []) == "float32+float16"
    assert type_of("all_reduce", [], []) == ""


def test_ranks_in_short() -> None:
    assert spans(tuple(range(512))) == "0-511"
    assert spans(tuple(range(3, 64, 8))) == "3-59/8"
    assert spans((0, 1, 2, 8, 9)) == "0-2,8,9"
    assert spans((3, 1, 2)) == "3,1,2"
    assert spans(()) == ""


@given(st.lists(st.integers(0, 3), max_size=200), st.integers(1, 9))
def test_steps_stand_for_what_they_were_made_from(symbols: list[int], first: int) -> None:
    steps = compress(symbols, first)
    assert list(symbols_of(steps)) == symbols
    assert (steps.known, steps.first) == (len(symbols), first)


def test_steps_of_a_training_loop_are_few() -> None:
    assert len(compress([*range(100)] * 50).tokens) <= 101
