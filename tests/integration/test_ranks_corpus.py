"""The corpus of small programs that several ranks run: a check tells the bad ones, and no others.

How programs are marked stands in ``tests/unit/ranks_corpus.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.rules import RULES
from ranks_corpus import (
    ROOT,
    described,
    is_bad,
    is_right,
    marks_of,
    programs,
    stories_of,
)

#: Programs that are judged wrongly so far, and the fact that is not known.
EXCEPTIONS: dict[str, str] = {
    "c/c10d/hierarchy_bad.cpp": "who is in the groups of a struct that is handed over",
    "c/c10d/uneven_batches_bad.cpp": "that a loader handed over has batches of a rank's own",
    "c/everyday/c10d_process_group_bad.cpp": "what a process group is that a caller hands over",
    "c/everyday/nccl_one_process_bad.cpp": "communicators of several devices in one process",
    "c/everyday/role_table_bad.cpp": "which of two like operations the ranks part at",
    "c/mpi_p2p/sample_stream_bad.c": "rounds of a loop that a message ends",
    "c/nccl/norm_and_step_bad.cpp": "that two communicators handed over have the same ranks",
    "c/nccl/partial_init_bad.c": "jobs of more than four ranks",
    "c/nccl/token_dispatch_bad.cpp": "that a count that was exchanged is a rank's own",
    "python/everyday/async_handle_bad.py": "by which rule a collective is told that is begun only",
    "python/everyday/ddp_rank_branch_bad.py": "which parameters of a wrapped model a forward uses",
    "python/everyday/generator_break_bad.py": "what a generator still does when it is left early",
    "python/everyday/ray_collective_actor_bad.py": "which actors the driver calls",
    "python/everyday/role_dispatch_bad.py": "which of two like operations the ranks part at",
    "python/everyday/strided_shards_bad.py": "how many items a sampler of the program's own gives",
    "python/loops/local_loader_length_bad.py": "that a disk is a node's own",
    "python/other_libraries/ray_driver_calls_some_bad.py": "which actors the driver calls",
    "python/p2p/stop_message_missing_bad.py": "rounds of a loop that a message ends",
}


PROGRAMS = programs()


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: str) -> None:
    """The mark of a bad program is told, by its rule, and nothing of a good one."""
    right = is_right(program)
    if program in EXCEPTIONS:
        assert not right, f"judged rightly now: take {program} off EXCEPTIONS"
        pytest.xfail(EXCEPTIONS[program])
    assert right, described(program)


def test_marks_fit_names() -> None:
    """A bad program has one mark, by a rule that there is; a good one has none."""
    rules = {r.id for r in RULES}
    for program in PROGRAMS:
        marks = marks_of(program)
        assert bool(marks) is is_bad(program), program
        assert set(marks.values()) <= rules, program


def test_each_bad_program_has_a_good_twin() -> None:
    for program in PROGRAMS:
        twin = program.replace("_bad", "_ok") if is_bad(program) else program.replace("_ok", "_bad")
        assert (ROOT / twin).exists(), f"{program} has no twin"


def test_exceptions_exist() -> None:
    assert set(EXCEPTIONS) <= set(PROGRAMS)


def test_places_are_of_the_program() -> None:
    """What is told lies in the program's own files."""
    for program in PROGRAMS:
        for story in stories_of(program):
            for side in story.sides:
                for frame in (*side.chain, *side.turn):
                    assert (ROOT / frame.file).is_relative_to(ROOT / program), program
                    assert frame.line > 0
            assert any(side.call for side in story.sides)


def test_recall_and_precision(capsys: pytest.CaptureFixture[str]) -> None:
    """The table, by category, and that no more is missed or told wrongly than is known."""
    rows: dict[str, list[int]] = {}
    for program in PROGRAMS:
        row = rows.setdefault(str(Path(program).parent), [0, 0, 0, 0])
        row[0 if is_bad(program) else 2] += 1
        row[1] += is_bad(program) and is_right(program)
        row[3] += not is_bad(program) and not is_right(program)
    total = [sum(column) for column in zip(*rows.values(), strict=True)]
    with capsys.disabled():
        print("\n\ncategory                    recall     false alarms")
        for name, (bad, told, good, wrong) in [*rows.items(), ("all", total)]:
            print(f"{name:24} {told:4} of {bad:3}      {wrong:3} of {good:3}")
    assert total[0] == total[2] == sum(is_bad(p) for p in PROGRAMS)
    assert total[0] >= BAD
    assert total[3] <= sum(not is_bad(p) for p in EXCEPTIONS)
    assert total[1] >= TOLD


#: Bad programs, and of them those that were told when this was written.
BAD, TOLD = 324, 300
