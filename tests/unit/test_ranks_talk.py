"""Jobs in which messages decide what ranks do next: pairs of small programs, and the rows made."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder import bounds
from lockorder.ranks.flatten import Answers, Message, compared, part_of
from lockorder.ranks.talk import Talk
from lockorder.ranks.values import Const, Obj, Tup, Unknown
from ranks_run import MPI_C, checked, effects, stories

WORKER = """
    } else {
        int job;
        MPI_Status st;
        for (;;) {
            MPI_Recv(&job, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &st);
            if (st.MPI_TAG == 9)
                break;
            MPI_Send(&job, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
        }
    }
"""
#: name: what rank 0 does that ends, and that leaves a worker waiting; what the others do
PROGRAMS = {
    "each worker has its last message": (
        "for (int w = 1; w < size; w++) MPI_Send(&w, 1, MPI_INT, w, 9, MPI_COMM_WORLD);",
        "for (int w = 2; w < size; w++) MPI_Send(&w, 1, MPI_INT, w, 9, MPI_COMM_WORLD);",
        WORKER,
    ),
    "whoever has answered gets the next job": (
        "int got = 0, res; MPI_Status s;\n"
        "for (int w = 1; w < size; w++) MPI_Send(&w, 1, MPI_INT, w, 1, MPI_COMM_WORLD);\n"
        "while (got < size - 1) {\n"
        "  MPI_Recv(&res, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s); got++;\n"
        "  MPI_Send(&res, 1, MPI_INT, s.MPI_SOURCE, 9, MPI_COMM_WORLD);\n}",
        "int got = 0, res; MPI_Status s;\n"
        "for (int w = 1; w < size; w++) MPI_Send(&w, 1, MPI_INT, w, 1, MPI_COMM_WORLD);\n"
        "while (got < size - 1) {\n"
        "  MPI_Recv(&res, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &s); got++;\n"
        "  MPI_Send(&res, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD);\n}",
        WORKER,
    ),
    "a number ends it": (
        "for (int w = 1; w < size; w++) for (int j = 3; j >= 0; j--)"
        " MPI_Send(&j, 1, MPI_INT, w, 0, MPI_COMM_WORLD);",
        "for (int w = 1; w < size; w++) for (int j = 3; j > 0; j--)"
        " MPI_Send(&j, 1, MPI_INT, w, 0, MPI_COMM_WORLD);",
        "} else { int job = 1; while (job > 0)"
        " MPI_Recv(&job, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }",
    ),
    "a message without content ends it": (
        "for (int w = 1; w < size; w++) { MPI_Send(&w, 1, MPI_INT, w, 0, MPI_COMM_WORLD);"
        " MPI_Send(&w, 0, MPI_INT, w, 0, MPI_COMM_WORLD); }",
        "for (int w = 1; w < size; w++) { MPI_Send(&w, 1, MPI_INT, w, 0, MPI_COMM_WORLD);"
        " MPI_Send(&w, 1, MPI_INT, w, 0, MPI_COMM_WORLD); }",
        "} else { int job, n; MPI_Status st; do {"
        " MPI_Recv(&job, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &st);"
        " MPI_Get_count(&st, MPI_INT, &n); } while (n != 0); }",
    ),
    "what is sent says how many follow": (
        "int h[2] = {2, 5}; for (int w = 1; w < size; w++) {"
        " MPI_Send(h, 2, MPI_INT, w, 0, MPI_COMM_WORLD);"
        " for (int i = 0; i < 2; i++) MPI_Send(&i, 1, MPI_INT, w, 1, MPI_COMM_WORLD); }",
        "int h[2] = {2, 5}; for (int w = 1; w < size; w++) {"
        " MPI_Send(h, 2, MPI_INT, w, 0, MPI_COMM_WORLD); }",
        "} else { int h[2], x; MPI_Recv(h, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        " if (h[0] == 2) { MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);"
        " MPI_Recv(&x, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); } }",
    ),
    "a probe says who it is": (
        "for (int w = 1; w < size; w++) { MPI_Status s; int x;"
        " MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);"
        " MPI_Recv(&x, 1, MPI_INT, s.MPI_SOURCE, 0, MPI_COMM_WORLD, &s); }",
        "for (int w = 1; w < size; w++) { MPI_Status s; int x;"
        " MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &s);"
        " MPI_Recv(&x, 1, MPI_INT, s.MPI_SOURCE, 1, MPI_COMM_WORLD, &s); }",
        "} else { MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); }",
    ),
}


def program(first: str, others: str) -> dict[str, str]:
    text = (
        "int main(int argc, char **argv) {\n    int rank, size;\n    MPI_Init(&argc, &argv);\n"
        "    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n    MPI_Comm_size(MPI_COMM_WORLD, &size);\n"
        f"    if (rank == 0) {{\n    {first}\n    {others}\n    MPI_Finalize();\n"
        "    return 0;\n}\n"
    )
    return {"main.c": MPI_C + text}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_messages_decide(name: str, tmp_path: Path) -> None:
    """The first ends, and nothing is told; the second leaves a rank waiting, and it is."""
    good, bad, others = PROGRAMS[name]
    for folder in ("good", "bad"):
        (tmp_path / folder).mkdir()
    assert not stories(tmp_path / "good", program(good, others))
    assert stories(tmp_path / "bad", program(bad, others))


def test_tensors_of_numbers(tmp_path: Path) -> None:
    """A worker in Python that a number in a tensor ends; and one that nobody ends."""
    text = """
    import torch
    import torch.distributed as dist

    def lead(size):
        for worker in range(1, size):
            for job in (4, 7, LAST):
                dist.send(torch.tensor([job]), dst=worker)

    def work():
        job = torch.zeros(1, dtype=torch.long)
        while True:
            dist.recv(job, src=0)
            if job.item() == -1:
                return

    dist.init_process_group("gloo")
    if dist.get_rank() == 0:
        lead(dist.get_world_size())
    else:
        work()
    dist.barrier()
    """
    for folder in ("good", "bad"):
        (tmp_path / folder).mkdir()
    assert not stories(tmp_path / "good", text.replace("LAST", "-1"))
    assert stories(tmp_path / "bad", text.replace("LAST", "-2"))


@pytest.mark.parametrize("send", ["Send", "Rsend", "Bsend", "Ssend"])
def test_every_way_to_send(send: str, tmp_path: Path) -> None:
    """A send of any kind meets its receive, and one that is missing is told."""
    text = f"""
    from mpi4py import MPI
    comm = MPI.COMM_WORLD
    data = bytearray(8)
    if comm.Get_rank() == 0:
        comm.Irecv(data, 1, 2).Wait()
    elif comm.Get_rank() == 1:
        comm.{send}(data, 0, TAG)
    """
    for folder in ("good", "bad"):
        (tmp_path / folder).mkdir()
    assert not stories(tmp_path / "good", text.replace("TAG", "2"))
    assert stories(tmp_path / "bad", text.replace("TAG", "3"))


def test_a_talk_without_end_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where plays are too few, the result says so and nothing is found."""
    monkeypatch.setattr("lockorder.ranks.talk.RANK_TALK", bounds.RANK_TALK._replace(limit=1))
    good, _, others = PROGRAMS["each worker has its last message"]
    found = checked(tmp_path, program(good, others))
    assert not found.divergences
    assert bounds.RANK_TALK.what in [c.what for c in found.cut]


def test_rows_have_what_came(tmp_path: Path) -> None:
    """A wildcard has the sender that it met, and what ranks do next follows from its message."""
    good, _, others = PROGRAMS["whoever has answered gets the next job"]
    rows = Talk(effects(tmp_path, program(good, others), 3)).rows(Answers(asked={}, usual={}))
    assert [row.end for row in rows] == ["end"] * 3
    assert all(row.talked for row in rows)
    received = [op.peer.value for op in rows[0].ops if op.kind == "recv" and op.peer is not None]
    sent = [op.peer.value for op in rows[0].ops if op.kind == "send" and op.peer is not None]
    assert sorted(received) == [1, 2]
    assert sent[2:] == received


ROW = Tup((Const(3), Const("x")))


@pytest.mark.parametrize(
    ("part", "found"),
    [("source", 1), ("tag", 5), ("count", 2), ("data[0]", 3), ("data[1]", "x"), ("data[2]", None)],
)
def test_parts_of_a_message(part: str, found: object) -> None:
    value = part_of(Message(1, Const(5), ROW, Const(2)), part)
    assert (value.value if isinstance(value, Const) else None) == found


@pytest.mark.parametrize(
    ("how", "left", "right", "truth"),
    [
        ("Eq", Const(1), Const(1), True), ("Eq", Const(1), Const(2), False),
        ("Lt", Const(1), Const(2), True), ("Lt", Const("a"), Const(2), None),
        ("true", Const(0), None, False), ("true", ROW, None, True), ("true", Tup(()), None, False),
        ("Eq", ROW, Const(None), False), ("Eq", Const(None), ROW, False),
        ("Eq", Obj(1, None, "o"), Const(None), False), ("Eq", Unknown("x"), Const(1), None),
        ("true", Unknown("x"), None, None),
    ],
)  # fmt: skip
def test_comparisons(how: str, left: object, right: object, truth: bool | None) -> None:
    assert compared(how, left, right) is truth  # type: ignore[arg-type]
