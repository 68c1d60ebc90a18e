"""fixtures/python_locks: programs with Python's own locks, half of which can hang.

NAME_bad has ``# expect: RULE`` on the lines that are good places to tell it; NAME_ok, which is as
near to it as can be, cannot hang.  A program is a file or a folder.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from lockorder.model import Finding
from lockorder.rules import RULES
from python_run import findings

ROOT = Path(__file__).parents[2] / "fixtures" / "python_locks"
_MARK = re.compile(r"# expect: ([\w-]+)")
#: Programs that are judged wrongly so far, and the fact that is not known.
EXCEPTIONS = {
    "eviction_callback_reads_cache_bad.py": "that the object of a callback is the caller's owner",
    "executor_awaited_under_thread_lock_bad.py": "that an event loop's pool stands for its calls",
    "executor_exit_under_lock_bad.py": "that a pool which was just made has tasks to wait for",
    "exitstack_named_locks_bad.py": "two elements of a dictionary that are taken one by one",
    "finalizer_takes_the_tracker_lock_bad.py": "objects in a circle, which end at any time",
    "listener_joins_under_lock_bad.py": "a thread that joins itself by a callback of its own",
    "lock_per_key_same_key_bad.py": "that two keys of a dictionary may be the same",
    "partial_and_lambda_targets_ok.py": "that two lambdas hand over the same two objects alike",
    "process_locks_in_a_dict_bad.py": "elements of a dictionary by the parts of a tuple",
    "recursive_walk_one_permit_bad.py": "how many a semaphore lets in",
    "semaphore_slot_under_lock_bad.py": "that a semaphore's order is told as a wait",
    "synchronized_two_classes_bad.py": "locks of two classes that one wrapper takes",
    "thread_private_pair_bad.py": "that objects of one thread reach another by a member",
    "threadsafe_result_on_own_loop_bad.py": "which loop a coroutine runs on",
}

PROGRAMS = sorted(p.name for p in ROOT.iterdir() if p.stem.endswith(("_bad", "_ok")))


def files_of(program: str) -> list[Path]:
    path = ROOT / program
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def marks_of(program: str) -> dict[tuple[str, int], str]:
    return {
        (str(file.relative_to(ROOT)), number): match[1]
        for file in files_of(program)
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1)
        for match in _MARK.finditer(line)
    }


@cache
def findings_of(program: str) -> list[Finding]:
    return findings(ROOT, files_of(program))


def places_of(finding: Finding) -> set[tuple[str, int]]:
    found = set()
    for side in finding.participants:
        taken = (side.taken,) if side.taken is not None else ()
        chains = [side.chain, *(a.chain for a in (*side.held, *taken))]
        found |= {(frame.file, frame.line) for chain in chains for frame in chain}
    return found


def is_right(program: str) -> bool:
    marks, told = marks_of(program), findings_of(program)
    if not marks:
        return not told
    return any(
        rule == f.rule and place in places_of(f) for place, rule in marks.items() for f in told
    )


@pytest.mark.parametrize("program", PROGRAMS)
def test_program(program: str) -> None:
    """The mark of a bad program is told, by its rule, and nothing of a good one."""
    right = is_right(program)
    if program in EXCEPTIONS:
        assert not right, f"judged rightly now: take {program} off EXCEPTIONS"
        pytest.xfail(EXCEPTIONS[program])
    assert right, [(f.level, f.rule, f.message, sorted(places_of(f))) for f in findings_of(program)]


def test_bad_programs_are_marked_and_have_a_twin() -> None:
    rules = {r.id for r in RULES}
    for program in PROGRAMS:
        bad = Path(program).stem.endswith("_bad")
        marks = marks_of(program)
        assert bool(marks) is bad, program
        assert set(marks.values()) <= rules, program
        twin = program.replace("_bad", "_ok") if bad else program.replace("_ok", "_bad")
        assert (ROOT / twin).exists(), program
    assert set(EXCEPTIONS) <= set(PROGRAMS)
