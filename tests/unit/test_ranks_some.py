"""Waits for one of several requests, where the program goes on by which one it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import MPI_C, stories

MAIN = """int main(int argc, char **argv) {
    int rank, size, at, n, which[8], b[8];
    MPI_Request r[8];
    MPI_Status st[8];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0) {
        for (int i = 1; i < size; i++)
            MPI_Irecv(&b[i], 1, MPI_INT, i, 0, MPI_COMM_WORLD, &r[i - 1]);
        %s
    } else {
        for (int k = 0; k < %d; k++) {
            MPI_Send(&b[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
            MPI_Recv(&b[0], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, st);
        }
    }
    MPI_Finalize();
    return 0;
}
"""
ANY = "MPI_Waitany(size - 1, r, &at, st);"
SOME = "MPI_Waitsome(size - 1, r, &n, which, st);"
REPLY = "MPI_Send(&b[0], 1, MPI_INT, {}, 1, MPI_COMM_WORLD);"
AGAIN = "MPI_Irecv(&b[at], 1, MPI_INT, at + 1, 0, MPI_COMM_WORLD, &r[at]);"
#: rounds of each rank, a program that fits, and one that does not
PAIRS: dict[str, tuple[int, str, str]] = {
    "until none is left": (
        1,
        f"for (;;) {{ {ANY} if (at == MPI_UNDEFINED) break; {REPLY.format('at + 1')} }}",
        f"for (;;) {{ {ANY} if (at == MPI_UNDEFINED) break; {REPLY.format('1')} }}",
    ),
    "counted down": (
        1,
        f"for (int left = size - 1; left > 0;) {{ {ANY} left--; {REPLY.format('1 + at')} }}",
        f"for (int left = size - 1; left > 1;) {{ {ANY} left--; {REPLY.format('1 + at')} }}",
    ),
    "begun again": (
        2,
        f"for (int k = 0; k < 2 * size - 2; k++) {{ {ANY} {REPLY.format('at + 1')}"
        f" if (k < size - 1) {AGAIN} }}",
        f"for (int k = 0; k < 2 * size - 2; k++) {{ {ANY} {REPLY.format('at + 1')}"
        f" if (k > size - 1) {AGAIN} }}",
    ),
    "some": (
        1,
        f"for (int left = size - 1; left > 0; left -= n) {{ {SOME}"
        f" for (int k = 0; k < n; k++) {REPLY.format('which[k] + 1')} }}",
        f"for (int left = size - 1; left > 0; left -= n) {{ {SOME}"
        f" for (int k = 0; k < n; k++) {REPLY.format('which[k] + 2')} }}",
    ),
    "all that are left behind one": (
        1,
        f"{ANY} MPI_Waitall(size - 1, r, st); for (int i = 1; i < size; i++) {REPLY.format('i')}",
        f"{ANY} MPI_Waitall(size - 1, r, st); {REPLY.format('at + 1')}",
    ),
}


def told(folder: Path, rounds: int, body: str) -> list[str]:
    return [kind for kind, *_ in stories(folder, {"main.c": MPI_C + MAIN % (body, rounds)})]


@pytest.mark.parametrize("name", PAIRS)
def test_what_fits_is_not_told(tmp_path: Path, name: str) -> None:
    rounds, good, _ = PAIRS[name]
    assert told(tmp_path, rounds, good) == []


@pytest.mark.parametrize("name", PAIRS)
def test_what_does_not_fit_is_told(tmp_path: Path, name: str) -> None:
    rounds, _, bad = PAIRS[name]
    assert told(tmp_path, rounds, bad)
