"""What one rank sends of a collective must be as much as another receives."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import MPI_C, stories

BEGIN = """int main(int argc, char **argv) {
    int rank, size, a[64], b[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    """
END = "\n    MPI_Finalize();\n    return 0;\n}\n"
#: a call that fits, and one that does not
PAIRS = {
    "scatter": (
        "MPI_Scatter(a, 4, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD);",
        "MPI_Scatter(a, 4 * size, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD);",
    ),
    "what counts for the root alone": (
        "MPI_Scatter(a, rank ? 9 : 4, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD);",
        "MPI_Scatter(a, 4, MPI_INT, b, rank == 1 ? 3 : 4, MPI_INT, 0, MPI_COMM_WORLD);",
    ),
    "gather": (
        "MPI_Gather(a, 4, MPI_INT, b, rank == 0 ? 4 : 0, MPI_INT, 0, MPI_COMM_WORLD);",
        "MPI_Gather(a, 4, MPI_INT, b, 4 * size, MPI_INT, 0, MPI_COMM_WORLD);",
    ),
    "in place at the root": (
        "if (rank == 0)\n"
        "MPI_Gather(MPI_IN_PLACE, 9, MPI_INT, b, 4, MPI_INT, 0, MPI_COMM_WORLD);\n"
        "else MPI_Gather(a, 4, MPI_INT, 0, 0, MPI_INT, 0, MPI_COMM_WORLD);",
        "if (rank == 0)\n"
        "MPI_Gather(MPI_IN_PLACE, 9, MPI_INT, b, 5, MPI_INT, 0, MPI_COMM_WORLD);\n"
        "else MPI_Gather(a, 4, MPI_INT, 0, 0, MPI_INT, 0, MPI_COMM_WORLD);",
    ),
    "to all": (
        "MPI_Allgather(a, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD);",
        "MPI_Allgather(a, 2, MPI_INT, b, 2 * size, MPI_INT, MPI_COMM_WORLD);",
    ),
    "from each to each, begun": (
        "MPI_Request r; MPI_Ialltoall(a, 2, MPI_INT, b, 2, MPI_INT, MPI_COMM_WORLD, &r);"
        " MPI_Wait(&r, MPI_STATUS_IGNORE);",
        "MPI_Request r; MPI_Ialltoall(a, 2, MPI_INT, b, 3, MPI_INT, MPI_COMM_WORLD, &r);"
        " MPI_Wait(&r, MPI_STATUS_IGNORE);",
    ),
    "a count that a broadcast gives, once it was waited for": (
        "int n = rank ? 1 : 8; MPI_Request r; MPI_Ibcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD, &r);"
        " MPI_Wait(&r, MPI_STATUS_IGNORE);"
        " MPI_Allreduce(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);",
        "int n = rank ? 1 : 8; MPI_Request r; MPI_Ibcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD, &r);"
        " MPI_Allreduce(a, b, n, MPI_INT, MPI_SUM, MPI_COMM_WORLD);"
        " MPI_Wait(&r, MPI_STATUS_IGNORE);",
    ),
    "another type is not counted": (
        "MPI_Allgather(a, 2, MPI_INT, b, 8, MPI_CHAR, MPI_COMM_WORLD);",
        "MPI_Allgather(a, 2, MPI_CHAR, b, 8, MPI_CHAR, MPI_COMM_WORLD);",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_shares(name: str, tmp_path: Path) -> None:
    good, bad = PAIRS[name]
    for folder, text in (("good", good), ("bad", bad)):
        (tmp_path / folder).mkdir()
        found = stories(tmp_path / folder, {"main.c": MPI_C + BEGIN + text + END})
        assert bool(found) is (folder == "bad"), (text, found)
