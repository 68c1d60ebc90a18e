"""What is issued of a call: messages, requests, groups of calls, what all must agree on."""

from __future__ import annotations

from pathlib import Path

import pytest

from ranks_run import MPI_C, TORCH, issued, roots, stories

TENSOR = TORCH + "t = torch.zeros(1)\n"
MPI = (
    "from mpi4py import MPI\ncomm = MPI.COMM_WORLD\nrank, size = comm.Get_rank(), comm.Get_size()\n"
)


OPERATIONS = {
    "send": ("dist.send(t, 1 - rank)\n", ["send>{peer}"]),
    "by name": ("dist.send(tensor=t, dst=1 - rank)\n", ["send>{peer}"]),
    "recv": ("dist.recv(t, src=1 - rank)\n", ["recv<{peer}"]),
    "begun": ("w = dist.isend(t, 1 - rank)\nw.wait()\n", ["send>{peer}", "wait"]),
    "several begun": (
        "ws = [dist.isend(t, p) for p in range(2) if p != rank]\nfor w in ws: w.wait()\n",
        ["send>{peer}", "wait"],
    ),
    "asynchronous": ("w = dist.all_reduce(t, async_op=True)\nw.wait()\n", ["all_reduce", "wait"]),
    "not asynchronous": ("dist.all_reduce(t, async_op=False)\n", ["all_reduce"]),
    "batch": (
        "ops = [dist.P2POp(dist.isend, t, 1 - rank), dist.P2POp(dist.irecv, t, 1 - rank)]\n"
        "for w in dist.batch_isend_irecv(ops): w.wait()\n",
        ["send>{peer}", "recv<{peer}", "wait", "wait"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OPERATIONS)
def test_messages_of_torch(tmp_path: Path, name: str) -> None:
    text, expected = OPERATIONS[name]
    found = issued(tmp_path, TENSOR + text)
    assert found == [[w.format(peer=1 - r) for w in expected] for r in range(2)]


MESSAGES = {
    "send": ("comm.send(1, dest=1 - rank)\n", ["send>{peer}"]),
    "both": (
        "comm.sendrecv(1, 1 - rank, source=1 - rank)\n",
        ["send>{peer}", "recv<{peer}", "wait"],
    ),
    "any": ("comm.recv(source=MPI.ANY_SOURCE)\n", ["recv<any"]),
    "any if left out": ("comm.recv()\n", ["recv<any"]),
    "nobody": ("comm.send(1, dest=MPI.PROC_NULL)\n", ["send>nobody"]),
    "begun": ("r = comm.isend(1, 1 - rank)\nr.wait()\n", ["send>{peer}", "wait"]),
    "all waited for": (
        "rs = [comm.Isend(b, 1 - rank), comm.Irecv(b, 1 - rank)]\nMPI.Request.Waitall(rs)\n",
        ["send>{peer}", "recv<{peer}", "wait"],
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages_of_mpi4py(tmp_path: Path, name: str) -> None:
    text, expected = MESSAGES[name]
    found = issued(tmp_path, MPI + text)
    assert found == [[w.format(peer=1 - r) for w in expected] for r in range(2)]


def test_messages_of_c(tmp_path: Path) -> None:
    body = """
    MPI_Request q[2];
    int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
    MPI_Isend(x, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, q + 1);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(x, 1, MPI_INT, left, 0, x, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    """
    main = """int main(void) {
    int rank, size, x[1];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);"""
    rest = ["recv<any", "wait"]
    assert issued(tmp_path, {"main.c": MPI_C + main + body + "}"}) == [
        ["send>1", *rest, "send>nobody", "recv<nobody", "wait"],
        ["send>0", *rest, "send>0", "recv<0", "wait"],
    ]


def test_a_group_of_calls(tmp_path: Path) -> None:
    text = """#include <nccl.h>
    void swap(int rank, ncclComm_t c) {
        int me; ncclCommUserRank(c, &me);
        ncclGroupStart();
        ncclSend(a, 1, ncclInt, 0, c, s); ncclRecv(a, 1, ncclInt, 0, c, s);
        ncclGroupEnd();
    }"""
    found = issued(tmp_path, {"main.cpp": text}, entry="swap")
    assert found == [["open", "send>0", "recv<0", "close"]] * 2


def test_roots(tmp_path: Path) -> None:
    text = TENSOR + "dist.broadcast(t, 0)\ndist.broadcast(t, src=rank)\ndist.reduce(t, dst=t.n)\n"
    assert roots(tmp_path, text, "src") == [[0, 0], [0, 1]]
    assert roots(tmp_path, text, "dst") == [[None], [None]]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("parts", True),
        ("parts if rank == 0 else None", False),
        ("parts if rank == where else None", False),
        ("parts if rank == 1 else None", True),
    ],
)
def test_what_the_root_alone_may_give(tmp_path: Path, given: str, told: bool) -> None:
    where = ", where" if "where" in given else ""
    text = (
        "import sys\nwhere = int(sys.argv[1])\nx = torch.zeros(3)\n"
        "parts = [torch.zeros(3) for _ in range(dist.get_world_size())]\n"
        f"dist.gather(x, {given}{where})\n"
    )
    assert bool(stories(tmp_path, TORCH + text)) is told


THREAD = """
import threading

def beat(group):
    for _ in range(9):
        dist.all_reduce(torch.ones(1), group=group)

class Beat(threading.Thread):
    def __init__(self, group):
        super().__init__(daemon=True)
        self.group = group

    def run(self):
        beat(self.group)

dist.init_process_group("gloo")
own = dist.new_group([0, 1, 2, 3])
made = MADE
made.start()
FIRST
made.join()
SECOND
"""


@pytest.mark.parametrize("made", ["threading.Thread(target=beat, args=(GROUP,))", "Beat(GROUP)"])
@pytest.mark.parametrize(
    ("group", "first", "told"),
    [("None", True, True), ("None", False, False), ("own", True, False)],
)
def test_a_thread_beside(tmp_path: Path, made: str, group: str, first: bool, told: bool) -> None:
    text = THREAD.replace("MADE", made).replace("GROUP", group)
    text = text.replace("FIRST" if first else "SECOND", "dist.barrier()")
    text = text.replace("SECOND" if first else "FIRST", "pass")
    found = stories(tmp_path, TORCH + text)
    assert ("beside" in [kind for kind, *_ in found]) is told
