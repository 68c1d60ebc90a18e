"""For which answers ranks wait for ever: entries, jobs, questions, and one odd rank."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from lockorder.ranks.explore import WORLDS, Report, explore
from lockorder.ranks.interest import relevant
from lockorder.ranks.knowledge import builtin
from lockorder.ranks.stories import Trouble
from ranks_run import MPI_C, TORCH, read

IMPORTS = "import torch\nimport torch.distributed as dist\n"
TENSOR = TORCH + "t = torch.zeros(1)\n"


def explored(folder: Path, sources: str | Mapping[str, str]) -> Report:
    return explore(read(folder, sources), builtin())


def told(trouble: Trouble) -> tuple[str, int]:
    """How it ends, and in how many ranks."""
    return trouble.outcome.kind, trouble.world.size


def smallest(report: Report) -> list[Trouble]:
    """Those of the smallest job that has any: other jobs have the same once more."""
    size = min((t.world.size for t in report.troubles), default=0)
    return [t for t in report.troubles if t.world.size == size]


def troubles(folder: Path, sources: str | Mapping[str, str]) -> list[tuple[str, int]]:
    return [told(t) for t in smallest(explored(folder, sources))]


# -- what is of interest, and where ranks begin ---------------------------------------------------

PROGRAM = IMPORTS + (
    "def act(): dist.barrier()\ndef over(): act()\ndef far(): over()\ndef other(): print()\n"
    "class Trainer:\n  def __init__(self): act()\n  def idle(self): pass\ndef make(): Trainer()\n"
)


def test_functions_that_act_directly_or_by_a_call(tmp_path: Path) -> None:
    program = read(tmp_path, PROGRAM)
    found = {
        ".".join(getattr(n, "name", "") for n in path)
        for _, path in relevant(program, builtin()).values()
    }
    assert found == {"act", "over", "far", "Trainer.__init__", "make"}


def test_words_that_many_have_count_where_their_library_is(tmp_path: Path) -> None:
    """``barrier`` of a game is none of torch's."""
    plain = read(tmp_path / "a", "def f(game): game.barrier()\n")
    assert not relevant(plain, builtin())
    imported = read(tmp_path / "b", "import torch\ndef f(game): game.barrier()\n")
    assert len(relevant(imported, builtin())) == 1


def test_words_by_another_name(tmp_path: Path) -> None:
    text = "from torch.distributed import all_reduce as add\ndef f(t):\n  add(t)\n"
    assert len(relevant(read(tmp_path, text), builtin())) == 1


def test_an_entry_that_another_one_has_walked_is_none(tmp_path: Path) -> None:
    """Functions that are called are not run once more with unknown arguments."""
    text = IMPORTS + (
        "def g(flag):\n  if flag: dist.barrier()\ndef f():\n  g(dist.get_rank() == 0)\n"
    )
    report = explored(tmp_path, text)
    assert report.entries == 1
    assert {t.entry.name for t in report.troubles} == {"main.f"}


def test_programs_come_first(tmp_path: Path) -> None:
    text = TENSOR + "def f(flag):\n  if flag: dist.barrier()\nf(rank == 0)\n"
    report = explored(tmp_path, text)
    assert {t.entry.is_program for t in report.troubles} == {True}
    assert report.entries == 1


def test_parts_have_all_entries_together(tmp_path: Path) -> None:
    """Every so many entries in each process, none twice."""
    text = IMPORTS + "".join(
        f"def f{i}():\n  if dist.get_rank() == 0: dist.barrier()\n" for i in range(5)
    )
    program = read(tmp_path, text)
    whole = {t.entry.name for t in explore(program, builtin()).troubles}
    parts = [
        {t.entry.name for t in explore(program, builtin(), part=i, parts=3).troubles}
        for i in range(3)
    ]
    assert sorted(name for part in parts for name in part) == sorted(whole)
    assert len(whole) == 5
    assert sum(bool(p) for p in parts) == 3


def test_progress_is_told(tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    program = read(tmp_path, IMPORTS + "def f(): dist.barrier()\ndef g(): dist.barrier()\n")
    explore(program, builtin(), lambda *row: seen.append(row))
    assert seen == [("ranks", 0, 2), ("ranks", 1, 2)]


# -- jobs -----------------------------------------------------------------------------------------


def test_jobs_that_are_tried() -> None:
    assert {(w.size, w.per_node) for w in WORLDS} == {(2, 2), (4, 2), (3, 3)}


@pytest.mark.parametrize(
    ("test", "size"),
    [("rank == 0", 2), ("rank == 2", 4), ("rank > 2", 4)],
)
def test_the_smallest_job_that_shows_it(tmp_path: Path, test: str, size: int) -> None:
    found = troubles(tmp_path, TENSOR + f"if {test}: dist.barrier()\n")
    assert found
    assert found[0] == ("stuck", size)


def test_ranks_of_one_node(tmp_path: Path) -> None:
    """The first of each node is the first of the job where there is one node only."""
    text = f"import os\n{TENSOR}local = int(os.environ['LOCAL_RANK'])\n" + (
        "g = dist.new_group([0, 1])\nif local == 0: dist.barrier()\n"
    )
    assert [size for _, size in troubles(tmp_path, text)][:1] == [2]


def test_a_rank_that_no_job_has_is_no_trouble(tmp_path: Path) -> None:
    assert troubles(tmp_path, TENSOR + "if rank == 77: dist.barrier()\n") == []


def test_a_program_for_so_many_ranks_is_run_with_so_many(tmp_path: Path) -> None:
    """One that ends the job for all other sizes hangs in none of them."""
    text = (
        MPI_C
        + """
    int main(void) {
        int rank, size, x[1];
        MPI_Comm_rank(MPI_COMM_WORLD, &rank); MPI_Comm_size(MPI_COMM_WORLD, &size);
        if (size != %d) MPI_Abort(MPI_COMM_WORLD, 1);
        if (rank == 0) MPI_Send(x, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        if (rank == 1) MPI_Recv(x, 1, MPI_INT, %s, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }"""
    )
    assert troubles(tmp_path, {"main.c": text % (2, "0")}) == []
    assert {size for _, size in troubles(tmp_path, {"main.c": text % (3, "2")})} == {3}


# -- questions ------------------------------------------------------------------------------------


def test_both_answers_are_tried(tmp_path: Path) -> None:
    """It hangs only where the argument is not given."""
    text = TENSOR + "import sys\nif len(sys.argv) > 1: pass\nelif rank == 0: dist.barrier()\n"
    assert troubles(tmp_path, text) == [("stuck", 2)]


def test_two_questions_at_once(tmp_path: Path) -> None:
    text = IMPORTS + (
        "def f(a, b):\n  if a:\n    if b:\n      if dist.get_rank() == 0: dist.barrier()\n"
    )
    assert troubles(tmp_path, text) == [("stuck", 2)]


def test_answers_of_all_ranks_are_the_same(tmp_path: Path) -> None:
    text = IMPORTS + "def f(a):\n  if a: dist.barrier()\n  else: dist.all_reduce(a)\n"
    assert troubles(tmp_path, text) == []


def test_one_rank_may_answer_otherwise(tmp_path: Path) -> None:
    (trouble,) = smallest(explored(tmp_path, TENSOR + "if torch.randn(1) > 0: dist.barrier()\n"))
    assert trouble.odd is not None
    assert trouble.odd.written == "torch.randn(1) > 0"
    assert not trouble.sure
    assert any("a random number" in why for why in trouble.why)


def test_what_the_rank_decides_is_sure(tmp_path: Path) -> None:
    (trouble,) = smallest(explored(tmp_path, TENSOR + "if rank == 0: dist.barrier()\n"))
    assert trouble.odd is None
    assert trouble.sure
    assert trouble.ranks == (0, 1)
    (ours, theirs) = trouble.parting
    assert ours is not None
    assert ours.taken
    assert (theirs is None) or not theirs.taken


def test_the_answer_is_the_same_where_it_is_asked_again(tmp_path: Path) -> None:
    """Two branches on one thing of a rank's own go together."""
    text = TENSOR + (
        "x = torch.randn(1)\nif x > 0: y = 1\nelse: y = 2\n"
        "if x > 0: dist.all_reduce(t)\nelse: dist.all_reduce(t)\n"
    )
    assert troubles(tmp_path, text) == []


def test_exceptions_are_tried(tmp_path: Path) -> None:
    text = IMPORTS + (
        "def f(x):\n  try:\n    load(x)\n    dist.barrier()\n  except OSError:\n    pass\n"
    )
    (trouble,) = smallest(explored(tmp_path, text))
    assert trouble.odd is not None
    assert trouble.odd.written == "load raises"


def test_so_many_questions_are_cut(tmp_path: Path) -> None:
    body = "".join(f"  if a.x{i}: dist.barrier()\n" for i in range(14))
    report = explored(tmp_path, IMPORTS + f"def f(a):\n  if dist.get_rank() > 7: return\n{body}")
    assert report.many == {"main.f"}


# -- messages -------------------------------------------------------------------------------------


def test_all_send_first(tmp_path: Path) -> None:
    """It hangs only where no send returns before it is received."""
    text = TENSOR + (
        "n = dist.get_world_size()\ndist.send(t, (rank + 1) % n)\ndist.recv(t, (rank - 1) % n)\n"
    )
    (trouble,) = smallest(explored(tmp_path, text))
    assert trouble.p2p
    assert trouble.strict
    (tmp_path / "b").mkdir()
    swapped = text.replace("dist.send(t, (rank + 1) % n)", "w = dist.isend(t, (rank + 1) % n)")
    assert troubles(tmp_path / "b", swapped + "w.wait()\n") == []


def test_a_function_with_one_side_of_a_message_only(tmp_path: Path) -> None:
    """Who receives it is not known, so that nothing can be said."""
    assert troubles(tmp_path, IMPORTS + "def f(t): dist.send(t, 0)\n") == []
    assert troubles(tmp_path, IMPORTS + "def f(t):\n  dist.send(t, 0)\n  dist.barrier()\n") == []


def test_a_message_to_nobody_knows_whom(tmp_path: Path) -> None:
    assert troubles(tmp_path, TENSOR + "if rank == 0: dist.send(t, t.peer)\n") == []


def test_who_waits_in_a_receive_does_not_come_to_the_collective(tmp_path: Path) -> None:
    text = TENSOR + (
        "n = dist.get_world_size()\n"
        "if rank == n - 1 and n > 2: dist.recv(t, n - 2)\ndist.barrier()\n"
    )
    found = [t for t in explored(tmp_path, text).troubles if t.world.size == 4]
    assert [t.p2p for t in found] == [True]
    assert {op.name for op in found[0].ops if op is not None} == {"recv", "barrier"}


def test_a_third_rank_that_waits_for_the_first_is_told(tmp_path: Path) -> None:
    assert troubles(tmp_path, TENSOR + "if rank == 2: dist.recv(t, 0)\ndist.barrier()\n")


def test_a_group_of_others_is_left_open(tmp_path: Path) -> None:
    """Who belongs to a communicator that is handed over is not known."""
    text = IMPORTS + (
        "def f(g):\n  dist.barrier()\n  if dist.get_rank() == 0: dist.barrier(group=g)\n"
    )
    assert troubles(tmp_path, text) == []


def test_a_group_that_is_the_only_one_is_the_job(tmp_path: Path) -> None:
    text = IMPORTS + "def f(g):\n  if dist.get_rank(g) == 0: dist.barrier(group=g)\n"
    assert troubles(tmp_path, text) == [("stuck", 2)]


# -- ranks that are not in a group ----------------------------------------------------------------

HALVES = TENSOR + (
    "ranks = list(range(rank % 2, dist.get_world_size(), 2))\n"
    "groups = [dist.new_group(list(range(s, dist.get_world_size(), 2))) for s in range(2)]\n"
    "mine = groups[rank % 2]\n"
)


@pytest.mark.parametrize(
    "act",
    [
        "dist.broadcast(t, src=0, group=mine)",
        "dist.reduce(t, 0, group=mine)",
        "dist.send(t, 0, group=mine) if rank == 3 else rank == 0 and dist.recv(t, 3, group=mine)",
    ],
)
def test_a_rank_that_is_not_in_the_group(tmp_path: Path, act: str) -> None:
    report = explored(tmp_path, HALVES + act + "\ndist.barrier()\n")
    assert {t.outcome.kind for t in report.troubles} == {"stranger"}
    assert {t.outcome.what for t in report.troubles} <= {"0", "3"}


@pytest.mark.parametrize(
    "act",
    [
        "dist.broadcast(t, src=ranks[0], group=mine)",
        "dist.broadcast(t, group_src=0, group=mine)",
        "dist.reduce(t, rank % 2, group=mine)",
        "dist.broadcast(t, src=0, group=groups[0])",
        "dist.broadcast(t, src=0)",
    ],
)
def test_a_rank_that_is(tmp_path: Path, act: str) -> None:
    assert not explored(tmp_path, HALVES + act + "\ndist.barrier()\n").troubles


# -- numbers of rounds ----------------------------------------------------------------------------


@pytest.mark.parametrize(("less", "expected"), [("rank", []), ("1", ["stuck"])])
def test_rounds_that_each_rank_counts(tmp_path: Path, less: str, expected: list[str]) -> None:
    """A pipeline: what a rank does once more before the others it does once less behind."""
    text = TENSOR + (
        "size = dist.get_world_size()\nfor _ in range(8):\n"
        "  for _ in range(rank):\n    dist.all_reduce(t)\n"
        f"  for _ in range(16 - {less}):\n    dist.all_reduce(t)\n"
    )
    assert [t.outcome.kind for t in explored(tmp_path, text).troubles][:1] == expected


def test_many_rounds_with_messages_that_each_rank_counts(tmp_path: Path) -> None:
    """So many are not run one by one, so that nobody knows which loop has which message."""
    text = TENSOR + (
        "peer = 1 - rank\nif dist.get_world_size() == 2:\n"
        "  for _ in range(100 + rank): dist.send(t, peer) if rank else dist.recv(t, peer)\n"
        "  for _ in range(101 - rank): dist.send(t, peer) if rank else dist.recv(t, peer)\n"
    )
    assert not explored(tmp_path, text).troubles
