"""Calls of MPI beyond messages and plain collectives, each in a program that fits and one that
does not: windows, groups, types, messages in parts, tests, null communicators, other jobs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import MPI_C, stories

BEGIN = """int main(int argc, char **argv) {
    int rank, size, a[64], b[64], flag = 0;
    MPI_Request r;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    """
END = "\n    MPI_Finalize();\n    return 0;\n}\n"
W = "MPI_COMM_WORLD"
WIN = f"MPI_Win w; MPI_Win_create(a, 64, 4, MPI_INFO_NULL, {W}, &w);\n"
PEER = (
    f"int other = 1 - rank; MPI_Group all, g; MPI_Comm_group({W}, &all);\n"
    "MPI_Group_incl(all, 1, &other, &g);\n"
)
TWO = WIN + PEER + "if (rank > 1) goto out;\n"
LOCK = "MPI_Win_lock(MPI_LOCK_EXCLUSIVE, {}, 0, w); "
FREE = "MPI_Win_unlock({}, w); "
PART = (
    f"if (rank == 0) {{ MPI_Psend_init(a, 4, 2, MPI_INT, 1, 0, {W}, MPI_INFO_NULL, &r);"
    " MPI_Start(&r); for (int i = 0; i < READY; i++) MPI_Pready(i, r);"
    " MPI_Wait(&r, MPI_STATUS_IGNORE); }\n"
    f"if (rank == 1) {{ MPI_Precv_init(b, 4, TAKEN, MPI_INT, 0, 0, {W}, MPI_INFO_NULL, &r);"
    " MPI_Start(&r); MPI_Wait(&r, MPI_STATUS_IGNORE); }"
)
SIDES = (
    f"MPI_Comm half, both; int low = rank < size / 2; MPI_Comm_split({W}, low, rank, &half);\n"
    f"MPI_Intercomm_create(half, 0, {W}, low ? size / 2 : 0, 7, &both);\n"
)
#: a program that fits, and one that does not
PAIRS = {
    "a lock that is given up": (
        WIN + LOCK.format(0) + FREE.format(0),
        WIN + LOCK.format(0) + "if (rank != 1) " + FREE.format(0),
    ),
    "a lock around a barrier": (
        WIN + f"MPI_Barrier({W}); " + LOCK.format(0) + FREE.format(0),
        WIN + LOCK.format(0) + f"MPI_Barrier({W}); " + FREE.format(0),
    ),
    "a shared lock around a barrier": (
        WIN + f"MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, w); MPI_Barrier({W}); " + FREE.format(0),
        WIN + f"MPI_Win_lock(rank ? MPI_LOCK_SHARED : MPI_LOCK_EXCLUSIVE, 0, 0, w);"
        f" MPI_Barrier({W}); " + FREE.format(0),
    ),
    "locks of two targets in one order": (
        WIN + "if (size > 1 && rank < 2) { " + LOCK.format(0) + LOCK.format(1)
        + FREE.format(1) + FREE.format(0) + "}",
        WIN + "if (size > 1 && rank < 2) { " + LOCK.format("rank") + LOCK.format("1 - rank")
        + FREE.format("1 - rank") + FREE.format("rank") + "}",
    ),
    "a lock once more": (
        WIN + LOCK.format(0) + FREE.format(0) + LOCK.format(0) + FREE.format(0),
        WIN + LOCK.format(0) + LOCK.format(0) + FREE.format(0),
    ),
    "epochs of which both sides name the other": (
        TWO + "if (rank == 0) { MPI_Win_start(g, 0, w); MPI_Win_complete(w); }\n"
        "else { MPI_Win_post(g, 0, w); MPI_Win_wait(w); }\nout: ;",
        TWO + "if (rank == 0) { MPI_Win_start(g, 0, w); }\n"
        "else { MPI_Win_post(g, 0, w); MPI_Win_wait(w); }\nout: ;",
    ),
    "each rank exposes before it reaches out": (
        TWO + "MPI_Win_post(g, 0, w); MPI_Win_start(g, 0, w); MPI_Win_complete(w);"
        " MPI_Win_wait(w);\nout: ;",
        TWO + "MPI_Win_start(g, 0, w); MPI_Win_complete(w); MPI_Win_post(g, 0, w);"
        " MPI_Win_wait(w);\nout: ;",
    ),
    "parts of a message": (
        PART.replace("READY", "4").replace("TAKEN", "2"),
        PART.replace("READY", "3").replace("TAKEN", "2"),
    ),
    "a message in parts that is longer than there is room for": (
        PART.replace("READY", "4").replace("TAKEN", "3"),
        PART.replace("READY", "4").replace("TAKEN", "1"),
    ),
    "a loop that tests": (
        f"MPI_Irecv(b, 1, MPI_INT, MPI_PROC_NULL, 0, {W}, &r);"
        " while (!flag) MPI_Test(&r, &flag, MPI_STATUS_IGNORE);",
        f"if (size > 1 && rank < 2) {{ MPI_Irecv(b, 1, MPI_INT, 1 - rank, 0, {W}, &r);"
        " while (!flag) MPI_Test(&r, &flag, MPI_STATUS_IGNORE);"
        f" MPI_Send(a, 1, MPI_INT, 1 - rank, 0, {W}); }}",
    ),
    "a loop that is left once a message is there": (
        f"if (rank == 1) MPI_Send(a, 1, MPI_INT, 0, 3, {W});\n"
        "if (rank == 0 && size > 1) { for (;;) {"
        f" MPI_Iprobe(1, 3, {W}, &flag, MPI_STATUS_IGNORE); if (flag) break; }}"
        f" MPI_Recv(b, 1, MPI_INT, 1, 3, {W}, MPI_STATUS_IGNORE); }}",
        f"if (rank == 1) MPI_Send(a, 1, MPI_INT, 0, 3, {W});\n"
        "if (rank == 0 && size > 1) { for (;;) {"
        f" MPI_Iprobe(1, 4, {W}, &flag, MPI_STATUS_IGNORE); if (flag) break; }}"
        f" MPI_Recv(b, 1, MPI_INT, 1, 3, {W}, MPI_STATUS_IGNORE); }}",
    ),
    "a probe that takes its message": (
        f"MPI_Message m; if (rank == 1) MPI_Send(a, 1, MPI_INT, 0, 3, {W});\n"
        f"if (rank == 0 && size > 1) {{ MPI_Mprobe(1, 3, {W}, &m, MPI_STATUS_IGNORE);"
        " MPI_Mrecv(b, 1, MPI_INT, &m, MPI_STATUS_IGNORE); }",
        f"MPI_Message m; if (rank == 1) MPI_Send(a, 1, MPI_INT, 0, 3, {W});\n"
        f"if (rank == 0 && size > 1) {{ MPI_Mprobe(1, 3, {W}, &m, MPI_STATUS_IGNORE);"
        f" MPI_Recv(b, 1, MPI_INT, 1, 3, {W}, MPI_STATUS_IGNORE); }}",
    ),
    "a receive that is cancelled": (
        f"MPI_Irecv(b, 1, MPI_INT, 0, 0, {W}, &r); MPI_Cancel(&r);"
        " MPI_Wait(&r, MPI_STATUS_IGNORE);",
        f"MPI_Irecv(b, 1, MPI_INT, 0, 0, {W}, &r); MPI_Wait(&r, MPI_STATUS_IGNORE);",
    ),
    "the first requests of a row": (
        "MPI_Request q[2];"
        f" MPI_Recv_init(b, 1, MPI_INT, (rank + size - 1) % size, 0, {W}, &q[0]);"
        f" MPI_Send_init(a, 1, MPI_INT, (rank + 1) % size, 0, {W}, &q[1]);"
        " MPI_Startall(2, q); MPI_Waitall(2, q, MPI_STATUSES_IGNORE);",
        "MPI_Request q[2];"
        f" MPI_Recv_init(b, 1, MPI_INT, (rank + size - 1) % size, 0, {W}, &q[0]);"
        f" MPI_Send_init(a, 1, MPI_INT, (rank + 1) % size, 0, {W}, &q[1]);"
        " MPI_Startall(1, q); MPI_Waitall(2, q, MPI_STATUSES_IGNORE);",
    ),
    "each of several requests is ended once": (
        "MPI_Request q[2]; int i, at; if (size > 2 && rank == 0) { for (i = 0; i < 2; i++)"
        f" MPI_Irecv(b, 1, MPI_INT, i + 1, 0, {W}, &q[i]);"
        " for (i = 0; i < 2; i++) MPI_Waitany(2, q, &at, MPI_STATUS_IGNORE); }\n"
        f"if (size > 2 && rank && rank < 3) MPI_Ssend(a, 1, MPI_INT, 0, 0, {W});",
        "MPI_Request q[2]; int i, at; if (size > 2 && rank == 0) { for (i = 0; i < 2; i++)"
        f" MPI_Irecv(b, 1, MPI_INT, i + 1, 0, {W}, &q[i]);"
        " for (i = 0; i < 2; i++) MPI_Waitany(2, q, &at, MPI_STATUS_IGNORE); }\n"
        f"if (size > 2 && rank == 1) MPI_Ssend(a, 1, MPI_INT, 0, 0, {W});",
    ),
    "one of several requests is enough": (
        "MPI_Request q[2]; int at; if (size > 1 && rank == 0) {"
        f" MPI_Irecv(b, 1, MPI_INT, 1, 0, {W}, &q[0]); MPI_Irecv(b, 1, MPI_INT, 1, 1, {W}, &q[1]);"
        " MPI_Waitany(2, q, &at, MPI_STATUS_IGNORE);"
        f" MPI_Send(a, 1, MPI_INT, 1, 2, {W}); MPI_Waitany(2, q, &at, MPI_STATUS_IGNORE); }}\n"
        f"if (rank == 1) {{ MPI_Send(a, 1, MPI_INT, 0, 1, {W});"
        f" MPI_Recv(b, 1, MPI_INT, 0, 2, {W}, MPI_STATUS_IGNORE);"
        f" MPI_Send(a, 1, MPI_INT, 0, 0, {W}); }}",
        "MPI_Request q[2]; int at; if (size > 1 && rank == 0) {"
        f" MPI_Irecv(b, 1, MPI_INT, 1, 0, {W}, &q[0]); MPI_Irecv(b, 1, MPI_INT, 1, 1, {W}, &q[1]);"
        " MPI_Waitall(2, q, MPI_STATUSES_IGNORE);"
        f" MPI_Send(a, 1, MPI_INT, 1, 2, {W}); }}\n"
        f"if (rank == 1) {{ MPI_Send(a, 1, MPI_INT, 0, 1, {W});"
        f" MPI_Recv(b, 1, MPI_INT, 0, 2, {W}, MPI_STATUS_IGNORE);"
        f" MPI_Send(a, 1, MPI_INT, 0, 0, {W}); }}",
    ),
    "a type of elements": (
        f"if (rank == 0 && size > 1) MPI_Send(a, 4, MPI_INT, 1, 0, {W});\n"
        f"if (rank == 1) MPI_Recv(b, 4, MPI_UNSIGNED, 0, 0, {W}, MPI_STATUS_IGNORE);",
        f"if (rank == 0 && size > 1) MPI_Send(a, 4, MPI_INT, 1, 0, {W});\n"
        f"if (rank == 1) MPI_Recv(b, 4, MPI_FLOAT, 0, 0, {W}, MPI_STATUS_IGNORE);",
    ),
    "room for a message": (
        f"if (rank == 0 && size > 1) MPI_Send(a, 8, MPI_INT, 1, 0, {W});\n"
        f"if (rank == 1) MPI_Recv(b, 64, MPI_BYTE, 0, 0, {W}, MPI_STATUS_IGNORE);",
        f"if (rank == 0 && size > 1) MPI_Send(a, 8, MPI_INT, 1, 0, {W});\n"
        f"if (rank == 1) MPI_Recv(b, 7, MPI_INT, 0, 0, {W}, MPI_STATUS_IGNORE);",
    ),
    "a type of one's own": (
        "MPI_Datatype t; MPI_Type_vector(3, 2, 8, MPI_INT, &t); MPI_Type_commit(&t);"
        f" if (rank == 0) MPI_Bcast(a, 1, t, 0, {W}); else MPI_Bcast(a, 6, MPI_INT, 0, {W});",
        "MPI_Datatype t; MPI_Type_vector(3, 2, 8, MPI_INT, &t); MPI_Type_commit(&t);"
        f" if (rank == 0) MPI_Bcast(a, 1, t, 0, {W}); else MPI_Bcast(a, 3, MPI_INT, 0, {W});",
    ),
    "in place on all ranks": (
        f"MPI_Allreduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, {W});",
        f"MPI_Allreduce(rank ? a : MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, {W});",
    ),
    "in place at the root": (
        f"MPI_Reduce(rank ? a : MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, 0, {W});",
        f"MPI_Reduce(rank ? MPI_IN_PLACE : a, b, 1, MPI_INT, MPI_SUM, 0, {W});",
    ),
    "counts for each rank": (
        "int c[8], d[8]; for (int i = 0; i < size; i++) { c[i] = i + 1; d[i] = rank + 1; }\n"
        f"MPI_Alltoallv(a, c, c, MPI_INT, b, d, d, MPI_INT, {W});",
        "int c[8], d[8]; for (int i = 0; i < size; i++) { c[i] = i + 1; d[i] = i + 1; }\n"
        f"MPI_Alltoallv(a, c, c, MPI_INT, b, d, d, MPI_INT, {W});",
    ),
    "counts in memory of one's own": (
        "int *c = malloc(2 * size * sizeof(int)), *d = c + size;"
        " for (int i = 0; i < size; i++) { c[i] = i; d[i] = 2; }\n"
        f"MPI_Reduce_scatter(a, b, d, MPI_INT, MPI_SUM, {W});",
        "int *c = malloc(2 * size * sizeof(int)), *d = c + size;"
        " for (int i = 0; i < size; i++) { c[i] = i; d[i] = rank; }\n"
        f"MPI_Reduce_scatter(a, b, d, MPI_INT, MPI_SUM, {W});",
    ),
    "a communicator that not all ranks have": (
        f"MPI_Comm c; MPI_Comm_split({W}, rank ? MPI_UNDEFINED : 0, 0, &c);"
        " if (c != MPI_COMM_NULL) MPI_Barrier(c);",
        f"MPI_Comm c; MPI_Comm_split({W}, rank ? MPI_UNDEFINED : 0, 0, &c); MPI_Barrier(c);",
    ),
    "the rank in a null communicator": (
        f"MPI_Comm c; int me; MPI_Comm_split({W}, rank ? MPI_UNDEFINED : 0, 0, &c);"
        " if (!rank) MPI_Comm_rank(c, &me);",
        f"MPI_Comm c; int me; MPI_Comm_split({W}, rank ? MPI_UNDEFINED : 0, 0, &c);"
        " MPI_Comm_rank(c, &me);",
    ),
    "who is in a group": (
        f"MPI_Group all, g; MPI_Comm c; int me, of[1][3] = {{{{0, 0, 1}}}};"
        f" MPI_Comm_group({W}, &all); MPI_Group_range_excl(all, 1, of, &g);"
        f" MPI_Group_rank(g, &me);"
        f" if (me != MPI_UNDEFINED) {{ MPI_Comm_create_group({W}, g, 0, &c); MPI_Barrier(c); }}",
        f"MPI_Group all, g; MPI_Comm c; int me, of[1][3] = {{{{0, 0, 1}}}};"
        f" MPI_Comm_group({W}, &all); MPI_Group_range_excl(all, 1, of, &g);"
        f" MPI_Group_rank(g, &me);"
        f" if (me > 0) {{ MPI_Comm_create_group({W}, g, 0, &c); MPI_Barrier(c); }}",
    ),
    "the root of two sides": (
        SIDES + "MPI_Bcast(a, 1, MPI_INT, low ? (rank ? MPI_PROC_NULL : MPI_ROOT) : 0, both);",
        SIDES + "MPI_Bcast(a, 1, MPI_INT, low ? (rank ? 0 : MPI_ROOT) : 0, both);",
    ),
    "the leaders of two sides": (SIDES, SIDES.replace(", 7,", ", 7 + low,")),
    "messages between two sides": (
        SIDES + "int n; MPI_Comm_remote_size(both, &n); if (size % 2 == 0) {"
        " MPI_Comm_rank(half, &rank);"
        " if (low) MPI_Send(a, 1, MPI_INT, rank, 0, both);"
        " else MPI_Recv(b, 1, MPI_INT, rank, 0, both, MPI_STATUS_IGNORE); }",
        SIDES + "int n; MPI_Comm_remote_size(both, &n); if (size % 2 == 0) {"
        " MPI_Comm_rank(half, &rank);"
        " if (low) MPI_Send(a, 1, MPI_INT, rank, 0, both);"
        " else MPI_Recv(b, 1, MPI_INT, n - 1 - rank, n > 1, both, MPI_STATUS_IGNORE); }",
    ),
    "other jobs are met by all": (
        f"MPI_Comm c; MPI_Comm_connect(argv[1], MPI_INFO_NULL, 0, {W}, &c);",
        f"MPI_Comm c; if (!rank) MPI_Comm_connect(argv[1], MPI_INFO_NULL, 0, {W}, &c);",
    ),
    "a job that another one has started": (
        f"MPI_Comm c; MPI_Comm_get_parent(&c); if (c == MPI_COMM_NULL) MPI_Barrier({W});"
        " else MPI_Recv(b, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE);",
        f"MPI_Comm c; MPI_Comm_get_parent(&c); if (c == MPI_COMM_NULL && rank) MPI_Barrier({W});"
        " else MPI_Recv(b, 1, MPI_INT, 0, 0, c, MPI_STATUS_IGNORE);",
    ),
    "collectives among neighbours": (
        f"MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, {W});",
        f"if (rank) MPI_Neighbor_allgather(a, 1, MPI_INT, b, 1, MPI_INT, {W});",
    ),
    "calls behind the last one": (
        f"MPI_Comm c; MPI_Comm_dup({W}, &c); MPI_Comm_free(&c);",
        f"MPI_Comm c; MPI_Comm_dup({W}, &c); MPI_Finalize(); MPI_Comm_free(&c); return 0;",
    ),
}  # fmt: skip


def told(folder: Path, body: str) -> list[str]:
    return [kind for kind, *_ in stories(folder, {"main.c": MPI_C + BEGIN + body + END})]


@pytest.mark.parametrize("name", PAIRS)
def test_what_fits_is_not_told(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, PAIRS[name][0]) == []


@pytest.mark.parametrize("name", PAIRS)
def test_what_does_not_fit_is_told(tmp_path: Path, name: str) -> None:
    assert told(tmp_path, PAIRS[name][1])


MAIN = (
    "int main(int argc, char **argv) {\n    int rank, size, n = 0, e = 0;\n    MPI_Init(0, 0);\n"
    "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n    "
)
RING = (
    "void pass_on(int *b, int n, int root, MPI_Comm c) {\n"
    "    int me, all;\n    MPI_Comm_rank(c, &me);\n    MPI_Comm_size(c, &all);\n"
    "    if (me != root) MPI_Recv(b, n, MPI_INT, (me - 1 + all) % all, 0, c, MPI_STATUS_IGNORE);\n"
    "    if ((me + 1) % all != root) MPI_Send(b, n, MPI_INT, (me + STEP) % all, 0, c);\n}\n"
)
#: whole programs: one that fits, and one that does not
PROGRAMS = {
    "who gets to a label goes on with the others": (
        MAIN + "if (rank == 0) { n = atoi(argv[1]); if (n < 1) { e = 1; goto out; } n--; out:; }\n"
        f"MPI_Bcast(&n, 1, MPI_INT, 0, {W});\n"
        f"for (int i = 0; i < n; i++) MPI_Barrier({W});" + END,
        MAIN + "if (rank == 0) { n = atoi(argv[1]); if (n < 1) goto out; }\n"
        f"MPI_Bcast(&n, 1, MPI_INT, 0, {W});\nout:;" + END,
    ),
    "what a function fills in": (
        "void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 2; }\n" + MAIN
        + f"int c[2] = {{0, 0}}; fill(c, 2); if (c[0] == 2 || rank) MPI_Barrier({W});" + END,
        "void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 2; }\n" + MAIN
        + f"int c[2] = {{2, 2}}; fill(c, 2); if (c[1] != 2 || rank) MPI_Barrier({W});" + END,
    ),
    "what a function fills in that nobody sees": (
        MAIN + f"read_number(&n); if (n == 1 && e) MPI_Barrier({W});" + END,
        MAIN + f"read_number(&n); if (n == 1 && rank) MPI_Barrier({W});" + END,
    ),
    "a switch in a function of many statements": (
        "void act(int w) { int a = 0; a++; a++; a++; a++; a++; a++; a++;\n"
        f"switch (w) {{ case 3: MPI_Barrier({W}); break; default: a--; }} }}\n"
        + MAIN + "act(size);" + END,
        "void act(int w) { int a = 0; a++; a++; a++; a++; a++; a++; a++;\n"
        f"switch (w) {{ case 0: MPI_Barrier({W}); break; default: a--; }} }}\n"
        + MAIN + "act(rank);" + END,
    ),
    "one rank is the root, whoever that is": (
        RING.replace("STEP", "1"), RING.replace("STEP", "2"),
    ),
    "a function that is not told its rank": (
        "struct S { int rank; };\nvoid report(struct S *s, int *a) { if (s->rank)"
        f" MPI_Send(a, 1, MPI_INT, 0, 0, {W}); else MPI_Recv(a, 1, MPI_INT, 1, 0, {W},"
        " MPI_STATUS_IGNORE); }\n",
        f"void report(int *a) {{ int rank; MPI_Comm_rank({W}, &rank); if (rank > 1)"
        f" MPI_Send(a, 1, MPI_INT, 0, 0, {W}); if (rank == 0) MPI_Recv(a, 1, MPI_INT, 1, 0, {W},"
        " MPI_STATUS_IGNORE); }\n",
    ),
    "a thread beside": (
        "static void *beat(void *c) { int a = 0; MPI_Bcast(&a, 1, MPI_INT, 0, *(MPI_Comm *)c);"
        " return 0; }\n" + MAIN + f"pthread_t t; MPI_Comm own; MPI_Comm_dup({W}, &own);"
        f" pthread_create(&t, 0, beat, &own); MPI_Barrier({W}); pthread_join(t, 0);" + END,
        "static void *beat(void *c) { int a = 0; MPI_Bcast(&a, 1, MPI_INT, 0, *(MPI_Comm *)c);"
        " return 0; }\n" + MAIN + f"pthread_t t; MPI_Comm own = {W};"
        f" pthread_create(&t, 0, beat, &own); MPI_Barrier({W}); pthread_join(t, 0);" + END,
    ),
    "a thread that was waited for": (
        f"static void *beat(void *c) {{ MPI_Barrier({W}); return 0; }}\n" + MAIN
        + f"pthread_t t; pthread_create(&t, 0, beat, 0); pthread_join(t, 0); MPI_Barrier({W});"
        + END,
        f"static void *beat(void *c) {{ MPI_Barrier({W}); return 0; }}\n" + MAIN
        + f"pthread_t t; pthread_create(&t, 0, beat, 0); MPI_Barrier({W}); pthread_join(t, 0);"
        + END,
    ),
}  # fmt: skip

THREADED = """
#include <thread>
struct Monitor {
    MPI_Comm comm;
    void run() { MPI_Barrier(comm); }
};
int main(int argc, char **argv) {
    MPI_Init(0, 0);
    Monitor monitor{MPI_COMM_WORLD};
    std::thread t(START);
    FIRST
    t.join();
    SECOND
    MPI_Finalize();
    return 0;
}
"""


@pytest.mark.parametrize("start", ["[&monitor] { monitor.run(); }", "&Monitor::run, &monitor"])
@pytest.mark.parametrize("told", [True, False])
def test_threads_of_cpp(tmp_path: Path, start: str, told: bool) -> None:
    text = THREADED.replace("START", start)
    text = text.replace("FIRST" if told else "SECOND", "MPI_Barrier(MPI_COMM_WORLD);")
    text = text.replace("SECOND" if told else "FIRST", "")
    found = stories(tmp_path, {"main.cpp": MPI_C + text})
    assert [kind for kind, *_ in found] == (["beside"] if told else [])


@pytest.mark.parametrize("name", PROGRAMS)
def test_whole_programs(tmp_path: Path, name: str) -> None:
    for at, text in enumerate(PROGRAMS[name]):
        folder = tmp_path / str(at)
        folder.mkdir()
        assert bool(stories(folder, {"main.c": MPI_C + text})) is bool(at), text


PY = (
    "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.Get_rank(), comm.Get_size()\n"
)
PY_WIN = "win = MPI.Win.Allocate(8, 1, MPI.INFO_NULL, comm)\n"
PY_GROUP = "g = comm.Get_group().Excl([0])\nc = comm.Create(g)\n"
#: the same through mpi4py
PYTHON = {
    "a lock around a barrier": (
        PY_WIN + "win.Lock(0)\nwin.Unlock(0)\ncomm.Barrier()\n",
        PY_WIN + "win.Lock(0)\ncomm.Barrier()\nwin.Unlock(0)\n",
    ),
    "a shared lock around a barrier": (
        PY_WIN + "win.Lock(0, MPI.LOCK_SHARED)\ncomm.Barrier()\nwin.Unlock(0)\n",
        PY_WIN + "win.Lock(0, MPI.LOCK_EXCLUSIVE)\ncomm.Barrier()\nwin.Unlock(0)\n",
    ),
    "epochs of which both sides name the other": (
        PY_WIN + "g = comm.Get_group().Incl([1 - rank])\nif rank == 0:\n    win.Start(g)\n"
        "    win.Complete()\nelif rank == 1:\n    win.Post(g)\n    win.Wait()\n",
        PY_WIN + "g = comm.Get_group().Incl([1 - rank])\nif rank == 0:\n    win.Start(g)\n"
        "elif rank == 1:\n    win.Post(g)\n    win.Wait()\n",
    ),
    "a communicator that not all ranks have": (
        PY_GROUP + "if c != MPI.COMM_NULL:\n    c.Barrier()\n", PY_GROUP + "c.Barrier()\n",
    ),
    "a loop that tests": (
        "if rank < 2:\n    req = comm.Irecv(bytearray(4), source=1 - rank)\n"
        "    comm.Send(b'abcd', dest=1 - rank)\n    while not req.Test():\n        pass\n",
        "if rank < 2:\n    req = comm.Irecv(bytearray(4), source=1 - rank)\n"
        "    while not req.Test():\n        pass\n    comm.Send(b'abcd', dest=1 - rank)\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PYTHON)
def test_through_mpi4py(tmp_path: Path, name: str) -> None:
    for at, text in enumerate(PYTHON[name]):
        folder = tmp_path / str(at)
        folder.mkdir()
        assert bool(stories(folder, PY + text)) is bool(at), text
