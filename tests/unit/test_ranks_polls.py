"""Loops that ask for a message, and do something only once it is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.ranks import conditions
from lockorder.ranks.effects import Choice, Exit, Op, Scope
from lockorder.ranks.flatten import poll_of
from ranks_run import MPI_C, stories

MAIN = """int main(int argc, char **argv) {
    int rank, size, a = 0, b = 0, flag = 0, stop = 0;
    MPI_Status st;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int w = 1; w < size; w++) MPI_Send(&a, 1, MPI_INT, w, 1, MPI_COMM_WORLD);
        for (int w = %s; w < size; w++) MPI_Send(&a, 1, MPI_INT, w, 2, MPI_COMM_WORLD);
    } else {
        %s
    }
    MPI_Finalize();
    return 0;
}
"""
ASK = "MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &st);"
TAKE = "MPI_Recv(&a, 1, MPI_INT, 0, st.MPI_TAG, MPI_COMM_WORLD, &st);"
LOOPS = {
    "something where it is there": f"while (!stop) {{ {ASK} if (flag) {{ {TAKE}"
    " if (st.MPI_TAG == 2) stop = 1; } else b++; }",
    "another round where it is not": f"while (!stop) {{ {ASK} if (!flag) {{ b++; continue; }}"
    f" {TAKE} stop = st.MPI_TAG == 2; }}",
    "without an end": f"for (;;) {{ {ASK} if (!flag) continue; {TAKE}"
    " if (st.MPI_TAG == 2) break; }",
}


def told(folder: Path, first: int, loop: str) -> list[str]:
    return [kind for kind, *_ in stories(folder, {"main.c": MPI_C + MAIN % (first, loop)})]


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_that_asks_waits(tmp_path: Path, loop: str) -> None:
    assert told(tmp_path, 1, LOOPS[loop]) == []


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_that_asks_for_what_does_not_come(tmp_path: Path, loop: str) -> None:
    assert told(tmp_path, 2, LOOPS[loop])


def test_a_loop_that_gives_up_does_not_wait(tmp_path: Path) -> None:
    """After so many rounds it goes on, whatever has come: it takes none but the first message."""
    loop = f"for (int i = 0; i < 9; i++) {{ {ASK} if (!flag) continue; {TAKE} }}"
    body = (MAIN % (99, loop)).replace(
        "MPI_Send(&a, 1, MPI_INT, w, 1", "MPI_Bsend(&a, 1, MPI_INT, w, 1"
    )
    assert [k for k, *_ in stories(tmp_path, {"main.c": MPI_C + body})] == []


def _asked(ready: list[object], other: list[object], negated: bool = False) -> Choice:
    question = conditions.ask("has come", tested=(Op(kind="probe", name="probe", chain=()),))
    if negated:
        question, ready, other = conditions.negated(question), other, ready
    return Choice(question, frozenset(), (), ready, other)  # type: ignore[arg-type]


def test_poll_of() -> None:
    """The question, where nothing is done but behind it."""
    op = Op(kind="recv", name="recv", chain=())
    again = Exit("continue", 5)
    inside = _asked([op], [])
    assert poll_of([inside]) is inside
    assert poll_of([Scope(5, [inside])]) is inside
    behind = _asked([], [again], negated=True)
    assert poll_of([Scope(5, [behind, op])]) is behind
    assert poll_of([Scope(6, [behind, op])]) is None  # another loop's next round
    assert poll_of([inside, op]) is None
    assert poll_of([op, inside]) is None
    assert poll_of([_asked([op], [op])]) is None
    assert poll_of([_asked([op], [Exit("break", 5)])]) is None


def test_supposing() -> None:
    one, two = conditions.ask("one"), conditions.ask("two")
    both = conditions.both(one, conditions.negated(two))
    assert conditions.supposing(both, one).text == conditions.negated(two).text
    assert conditions.supposing(both, two).text == "False"
    assert conditions.supposing(conditions.either(one, two), two).text == "True"
    assert conditions.supposing(one, two) is one
