"""Calls that MPI refuses whatever the other ranks do, each beside one that it takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.ranks import elements
from lockorder.ranks.knowledge import builtin
from lockorder.ranks.values import Element
from ranks_run import MPI_C, stories

BEGIN = """int main(int argc, char **argv) {
    int rank, size, a[64], b[64];
    double x = 1, y;
    MPI_Comm c;
    MPI_Win w;
    MPI_Datatype t;
    MPI_Request r, q;
    MPI_Status st;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    """
END = "\n    MPI_Finalize();\n    return 0;\n}\n"
W = "MPI_COMM_WORLD"
PAIR = "struct {{ double v; int at; }} in = {{x, rank}}, out; MPI_Allreduce(&in, &out, {}, {W});"
PAIR = PAIR.replace("{W}", W).replace("{{", "{").replace("}}", "}")
MESSAGE = (
    f"if (rank == 0) MPI_Send(a, {{}}, 1, {{}}, {W});"
    f" if (rank == 1) MPI_Recv(a, {{}}, 0, MPI_ANY_TAG, {W}, MPI_STATUS_IGNORE);"
)
RECORD = (
    "int n[2] = {1, 2}; MPI_Aint at[2] = {0, 8}; MPI_Datatype of[2] = {MPI_INT, MPI_DOUBLE};"
    " MPI_Type_create_struct(2, n, at, of, &t); MPI_Type_commit(&t);"
)
GRAPH = (
    "int from = (rank + size - 1) % size, to = {}; MPI_Dist_graph_create_adjacent("
    f"{W}, 1, &from, MPI_UNWEIGHTED, 1, &to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &c);"
)
WIN = f"MPI_Win_create(a, 64, 4, MPI_INFO_NULL, {W}, &w);"
LOCKED = WIN + " MPI_Win_lock(MPI_LOCK_SHARED, {}, 0, w); {} MPI_Win_free(&w);"
SENT = f"if (rank == 0) {{{{ {{}} }}}} if (rank == 1) MPI_Recv(a, 1, MPI_INT, 0, 5, {W}, &st);"
TWICE = SENT + f" if (rank == 1) MPI_Recv(a, 1, MPI_INT, 0, 5, {W}, &st);"
BOTH = "for (int i = 0; i < 2; i++)"
ISEND = f"MPI_Isend(a, 1, MPI_INT, 1, 5, {W}, &r);"
SEND_INIT = f"MPI_Send_init(a, 1, MPI_INT, 1, 5, {W}, &r);"
#: what MPI takes, and what it does not
PAIRS = {
    "where the largest lies": (
        PAIR.replace("{}", "1, MPI_DOUBLE_INT, MPI_MAXLOC"),
        PAIR.replace("{}", "2, MPI_DOUBLE, MPI_MAXLOC"),
    ),
    "bits of numbers": (
        f"MPI_Allreduce(a, b, 1, MPI_INT, MPI_BAND, {W});",
        f"MPI_Allreduce(&x, &y, 1, MPI_DOUBLE, MPI_BAND, {W});",
    ),
    "a sum of bytes": (
        f"MPI_Allreduce(a, b, 1, MPI_UINT8_T, MPI_SUM, {W});",
        f"MPI_Allreduce(a, b, 1, MPI_BYTE, MPI_SUM, {W});",
    ),
    "a sum of a type that was made": (
        f"MPI_Allreduce(a, b, 2, MPI_INT, MPI_SUM, {W});",
        "MPI_Type_contiguous(2, MPI_INT, &t); MPI_Type_commit(&t);"
        f" MPI_Allreduce(a, b, 1, t, MPI_SUM, {W});",
    ),
    "an operation of windows": (
        f"MPI_Allreduce(a, b, 1, MPI_INT, MPI_MIN, {W});",
        f"MPI_Allreduce(a, b, 1, MPI_INT, MPI_REPLACE, {W});",
    ),
    "a root behind the last rank": (
        f"MPI_Bcast(a, 1, MPI_INT, size - 1, {W});",
        f"MPI_Bcast(a, 1, MPI_INT, size, {W});",
    ),
    "a root that is fixed may be of a larger job": (
        f"MPI_Bcast(a, 1, MPI_INT, 3, {W});",
        f"MPI_Bcast(a, 1, MPI_INT, -1, {W});",
    ),
    "nobody as a root": (
        f"MPI_Bcast(a, 1, MPI_INT, 0, {W});",
        f"MPI_Bcast(a, 1, MPI_INT, MPI_PROC_NULL, {W});",
    ),
    "fewer elements than none": (
        f"MPI_Bcast(a, size - 2, MPI_INT, 0, {W});",  # with as many as are enough
        f"MPI_Bcast(a, 1 - size, MPI_INT, 0, {W});",
    ),
    "a tag below nothing": (
        MESSAGE.format("1, MPI_INT", "5", "1, MPI_INT"),
        MESSAGE.format("1, MPI_INT", "-5", "1, MPI_INT"),
    ),
    "a send with any tag": (
        MESSAGE.format("1, MPI_INT", "0", "1, MPI_INT"),
        MESSAGE.format("1, MPI_INT", "MPI_ANY_TAG", "1, MPI_INT"),
    ),
    "a type that is committed": (
        f"MPI_Type_contiguous(2, MPI_INT, &t); MPI_Type_commit(&t); MPI_Bcast(a, 1, t, 0, {W});"
        " MPI_Type_free(&t);",
        f"MPI_Type_contiguous(2, MPI_INT, &t); MPI_Bcast(a, 1, t, 0, {W}); MPI_Type_free(&t);",
    ),
    "a type that is gone": (
        f"MPI_Type_contiguous(2, MPI_INT, &t); MPI_Type_commit(&t); MPI_Bcast(a, 1, t, 0, {W});"
        " MPI_Type_free(&t);",
        "MPI_Type_contiguous(2, MPI_INT, &t); MPI_Type_commit(&t); MPI_Type_free(&t);"
        f" MPI_Bcast(a, 1, t, 0, {W});",
    ),
    "a communicator that is gone": (
        f"MPI_Comm_dup({W}, &c); MPI_Barrier(c); MPI_Comm_free(&c);"
        " if (c != MPI_COMM_NULL) MPI_Barrier(c);",
        f"MPI_Comm_dup({W}, &c); MPI_Comm_free(&c); MPI_Barrier(c);",
    ),
    "a window that is gone": (
        f"MPI_Win_create(a, 64, 4, MPI_INFO_NULL, {W}, &w); MPI_Win_free(&w);",
        f"MPI_Win_create(a, 64, 4, MPI_INFO_NULL, {W}, &w); MPI_Win_free(&w); MPI_Win_free(&w);",
    ),
    "a record is received as one": (
        RECORD + MESSAGE.format("1, t", "5", "1, t"),
        RECORD + MESSAGE.format("1, t", "5", "3, MPI_DOUBLE"),
    ),
    "the communicator of all": (
        f"c = {W}; if (size > 99) MPI_Comm_dup({W}, &c); if (c != {W}) MPI_Comm_free(&c);",
        f"c = {W}; MPI_Comm_free(&c);",
    ),
    "a lock of a rank that there is": (
        LOCKED.format("size - 1", "MPI_Win_unlock(size - 1, w);"),
        LOCKED.format("size", "MPI_Win_unlock(size, w);"),
    ),
    "a lock that is given up once": (
        LOCKED.format("0", "MPI_Win_unlock(0, w);"),
        LOCKED.format("0", "MPI_Win_unlock(0, w); MPI_Win_unlock(0, w);"),
    ),
    "a window without locks is freed": (
        LOCKED.format("0", "MPI_Win_unlock(0, w);"),
        LOCKED.format("0", ""),
    ),
    "a request that may be begun again": (
        TWICE.format(SEND_INIT + BOTH + " { MPI_Start(&r); MPI_Wait(&r, &st); }"),
        TWICE.format(SEND_INIT + BOTH + " MPI_Start(&r); MPI_Wait(&r, &st);"),
    ),
    "a request that may not be begun again": (
        SENT.format(ISEND + "MPI_Wait(&r, &st);"),
        SENT.format(ISEND + "MPI_Start(&r); MPI_Wait(&r, &st);"),
    ),
    "what was begun is waited for": (
        SENT.format(ISEND + "q = r; MPI_Wait(&q, &st);"),
        SENT.format(ISEND),
    ),
    "a barrier that was begun": (
        f"MPI_Ibarrier({W}, &r); MPI_Wait(&r, &st);",
        f"MPI_Ibarrier({W}, &r); MPI_Ibarrier({W}, &q); MPI_Wait(&q, &st);",
    ),
    "a request that is given away": (
        SENT.format(ISEND + "MPI_Request_free(&r);"),
        SENT.format(ISEND + "r = MPI_REQUEST_NULL;"),
    ),
    "edges of a graph at both ends": (
        GRAPH.format("(rank + 1) % size"),
        GRAPH.format("rank"),
    ),
}  # fmt: skip


def told(folder: Path, body: str) -> list[str]:
    return [kind for kind, *_ in stories(folder, {"main.c": MPI_C + BEGIN + body + END})]


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_taken_is_not_told(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, PAIRS[name][0]) == []


@pytest.mark.parametrize("name", PAIRS)
def test_what_is_refused_is_told(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, PAIRS[name][1])


def test_types_of_several_in_a_row_may_be_committed(tmp_path: Path) -> None:
    """Which of them is committed is not always known where they stand in a row."""
    body = (
        "MPI_Datatype all[3]; for (int i = 0; i < 3; i++) MPI_Type_contiguous(i, MPI_INT, &all[i]);"
        " for (int k = 0; k < argc; k++) MPI_Type_commit(&all[k]);"
        f" MPI_Bcast(a, 1, all[1], 0, {W});"
    )
    assert told(tmp_path, body) == []


def test_one_of_several_that_is_gone(tmp_path: Path) -> None:
    """Where it is not known which one is freed, none of them is taken to be."""
    body = (
        f"MPI_Comm all[2]; MPI_Comm_dup({W}, &all[0]); MPI_Comm_dup({W}, &all[1]);"
        " for (int k = 0; k < argc - 1; k++) MPI_Comm_free(&all[k]);"
        " MPI_Barrier(all[1]);"
    )
    assert told(tmp_path, body) == []


def _record(*parts: tuple[int, str]) -> Element:
    known = builtin().elements
    found = elements.record([n for n, _ in parts], [known[name] for _, name in parts])
    assert found is not None
    return found


def test_records() -> None:
    """What is in them counts, and not how they were put together; a message may end early."""
    pair = _record((1, "MPI_INT"), (1, "MPI_DOUBLE"))
    twice = elements.record([2], [pair])
    assert twice is not None
    assert (twice.cycle, twice.parts) == (pair.cycle, 2)
    assert elements.alike(pair, twice)
    assert elements.alike(pair, builtin().elements["MPI_INT"])
    assert not elements.alike(pair, builtin().elements["MPI_DOUBLE"])
    assert not elements.alike(pair, _record((2, "MPI_INT"), (1, "MPI_DOUBLE")))
    plain = _record((1, "MPI_INT"), (2, "MPI_UNSIGNED"))
    assert (plain.kind, plain.size, plain.parts) == ("integer", 4, 3)


QUIET = {
    "a test may have ended it": TWICE.format(
        SEND_INIT + "int done = 0; MPI_Start(&r); while (!done) MPI_Test(&r, &done, &st);"
        " MPI_Start(&r); MPI_Wait(&r, &st);"
    ),
    "a wait for nobody knows what": SENT.format(
        "MPI_Request all[9]; int n = 0; for (int i = 0; i < argc; i++)"
        f" MPI_Isend(a, 0, MPI_INT, MPI_PROC_NULL, 5, {W}, &all[n++]);"
        f" MPI_Isend(a, 1, MPI_INT, 1, 5, {W}, &all[n++]);"
        " MPI_Waitall(n, all, MPI_STATUSES_IGNORE);"
    ),
    "a copy of its handle is committed": "MPI_Datatype u; MPI_Type_contiguous(2, MPI_INT, &t);"
    f" u = t; MPI_Type_commit(&u); MPI_Bcast(a, 1, t, 0, {W});",
    "in a row that somebody else has": SENT.format(
        f"MPI_Request all[9]; MPI_Isend(a, 1, MPI_INT, 1, 5, {W}, &all[0]);"
    ),
    "somebody else may wait for it": SENT.format(ISEND + "library_waits_for(&r);"),
    "a lock of nobody knows which part": WIN
    + "MPI_Win_lock(MPI_LOCK_SHARED, argc % size, 0, w); MPI_Win_unlock(argc % size, w);"
    " MPI_Win_free(&w);",
}


@pytest.mark.parametrize("name", QUIET)
def test_what_is_not_known_is_not_told(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, QUIET[name]) == []
