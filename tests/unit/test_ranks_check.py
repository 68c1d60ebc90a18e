"""The sources of a check: which are run on paper, and what is told of them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from lockorder import bounds
from lockorder.ranks import check
from lockorder.ranks.check import analyse
from lockorder.ranks.knowledge import builtin
from ranks_run import MPI_C, TORCH, checked, gathered, stories, write

TENSOR = TORCH + "t = torch.zeros(1)\n"
BAD = TENSOR + "if rank == 0:\n    dist.barrier()\n"
IN_C = (
    MPI_C
    + """int main(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Barrier(MPI_COMM_WORLD);
    return 0;
}
"""
)


# -- which files ----------------------------------------------------------------------------------


def chosen(folder: Path, sources: dict[str, str]) -> set[str]:
    program = gathered(write(folder, sources))
    assert set(program.files) == {s.file for s in program.sources}
    return {Path(f).name for f in program.files}


def test_c_files_that_communicate_and_their_callers(tmp_path: Path) -> None:
    sources = {
        "acts.c": MPI_C + "void sync_all(void) { MPI_Barrier(MPI_COMM_WORLD); }\n",
        "calls.c": "void sync_all(void);\nvoid step(void) { sync_all(); }\n",
        "other.c": "int add(int a, int b) { return a + b; }\n",
    }
    assert chosen(tmp_path, sources) == {"acts.c", "calls.c"}


def test_callers_of_callers_are_read_too(tmp_path: Path) -> None:
    sources = {
        "acts.c": MPI_C + "void sync_all(void) { MPI_Barrier(MPI_COMM_WORLD); }\n",
        "calls.c": "void sync_all(void);\nvoid step(void) { sync_all(); }\n",
        "main.c": "void step(void);\nint main(int argc, char **argv) { step(); return 0; }\n",
    }
    assert chosen(tmp_path, sources) == {"acts.c", "calls.c", "main.c"}


def test_without_communication_no_c_file_is_read(tmp_path: Path) -> None:
    sources = {"a.c": "void f(void) { g(); }\n", "b.c": "void g(void) {}\n"}
    assert chosen(tmp_path, sources) == set()


def test_files_that_are_not_there_are_passed_over(tmp_path: Path) -> None:
    (there,) = write(tmp_path, {"a.c": IN_C})
    program = gathered([there, tmp_path / "gone.c"])
    assert list(program.files) == [str(there)]
    assert program.problems == []


# -- what is told ---------------------------------------------------------------------------------


def test_a_story_of_two_sides(tmp_path: Path) -> None:
    (story,) = checked(tmp_path, BAD).divergences
    first, second = story.sides
    assert (story.kind, story.world, story.communicator) == ("stuck", "2 ranks", "the whole job")
    assert (story.p2p, story.strict, story.sure, story.entry) == (False, False, True, "main")
    assert (first.who, first.call, second.who, second.call) == (
        "rank 0 of 2",
        "barrier",
        "rank 1 of 2",
        "",
    )
    assert [(f.file, f.line) for f in first.chain] == [("main.py", 6)]
    assert [(f.file, f.line) for f in first.turn] == [("main.py", 5)]
    assert (first.written, first.taken, second.taken) == ("rank == 0", True, second.taken)
    assert story.why == ("the rank",)


def test_the_side_that_issues_comes_first(tmp_path: Path) -> None:
    (story,) = checked(tmp_path, TENSOR + "if rank == 1:\n    dist.barrier()\n").divergences
    assert [s.call for s in story.sides] == ["barrier", ""]
    assert story.sides[0].who == "rank 1 of 2"


def test_peers_are_named(tmp_path: Path) -> None:
    text = TENSOR + "if rank == 0: dist.recv(t, 1)\n"
    (story,) = checked(tmp_path, text).divergences
    assert story.sides[0].call == "recv from rank 1"
    assert story.p2p


def test_paths_are_relative_to_the_root(tmp_path: Path) -> None:
    found = checked(tmp_path, {"src/deep/run.py": BAD, "src/c/run.c": IN_C})
    files = {f.file for d in found.divergences for s in d.sides for f in (*s.chain, *s.turn)}
    assert files == {"src/deep/run.py", "src/c/run.c"}
    assert [row.file for row in found.rows] == ["src/deep/run.py"]


def test_one_story_of_one_cause(tmp_path: Path) -> None:
    """All that a rank leaves out behind one decision is one thing to mend."""
    text = TENSOR + (
        "import sys\nif rank == 0:\n    if len(sys.argv) > 1: dist.all_reduce(t)\n"
        "    else: dist.barrier()\n"
    )
    assert len(checked(tmp_path, text).divergences) == 1


def test_two_stories_of_two_causes(tmp_path: Path) -> None:
    text = "import torch.distributed as dist\n" + "".join(
        f"def f{i}():\n  if dist.get_rank() == 0: dist.barrier()\n" for i in range(2)
    )
    assert len(checked(tmp_path, text).divergences) == 2


def test_both_languages_at_once(tmp_path: Path) -> None:
    assert sorted(stories(tmp_path, {"a.py": BAD, "b.c": IN_C})) == [
        ("stuck", "MPI_Barrier", ""), ("stuck", "barrier", ""),
    ]  # fmt: skip


def test_nothing_that_communicates_is_nothing_to_run(tmp_path: Path) -> None:
    found = checked(tmp_path, {"a.py": "print(1)\n", "b.c": "int main(void) { return 0; }\n"})
    assert (found.divergences, found.entries, found.problems) == ((), 0, ())
    assert [row.file for row in found.rows] == ["a.py"]


def test_what_cannot_be_read_is_told(tmp_path: Path) -> None:
    found = checked(tmp_path, {"src/bad.py": "x = (\n", "good.py": BAD})
    assert [p.partition(": ")[0] for p in found.problems] == ["src/bad.py:1"]
    assert len(found.divergences) == 1


def test_a_file_that_is_gone_is_told(tmp_path: Path) -> None:
    program = gathered([tmp_path / "gone.py", tmp_path / "gone.c"])
    found = analyse(program, tmp_path, builtin(), jobs=1)
    assert [p.partition(": ")[0] for p in found.problems] == ["gone.py"]
    assert program.files == {}


def test_what_was_read_is_known_by_its_contents(tmp_path: Path) -> None:
    """All of Python, and of C what is of interest."""
    sources = {"a.py": BAD, "b.py": "x = 1\n", "c.c": IN_C, "d.c": "int x;\n"}
    found = gathered(write(tmp_path, sources))
    assert {Path(f).name for f in found.files} == {"a.py", "b.py", "c.c"}
    wanted = hashlib.blake2b((tmp_path / "b.py").read_bytes(), digest_size=12).hexdigest()
    assert found.files[str(tmp_path / "b.py")] == wanted


def test_several_processes_tell_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "import torch.distributed as dist\n" + "".join(
        f"def f{i}():\n  if dist.get_rank() == 0: dist.barrier()\n" for i in range(7)
    )
    sources = {"a.py": text, "b.py": BAD}
    alone = checked(tmp_path, sources)
    monkeypatch.setattr(check, "_WORDS_FOR_A_PROCESS", 0)
    together = checked(tmp_path, sources, jobs=2)
    assert sorted(map(repr, together.divergences)) == sorted(map(repr, alone.divergences))
    assert len(alone.divergences) == 8
    assert together.rows == alone.rows


def test_bounds_that_were_reached_are_told(tmp_path: Path) -> None:
    text = TENSOR + "def f(n):\n  if n == 0: return\n  dist.barrier()\n  f(n - 1)\nf(50)\n"
    (cut,) = checked(tmp_path, text).cut
    assert (cut.places, cut.functions, cut.only_hides) == (("f",), 1, True)


def test_entries_that_issue_too_much_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bounds, "RANK_OPERATIONS", bounds.RANK_OPERATIONS._replace(limit=5))
    text = "import torch.distributed as dist\n\ndef f(x):\n" + "    dist.barrier()\n" * 9
    (tmp_path / "x.py").write_text(text)
    known = builtin()
    found = analyse(check.gather([tmp_path / "x.py"], [], known), tmp_path, known)
    assert [(c.what, c.functions) for c in found.cut] == [(bounds.RANK_OPERATIONS.what, 1)]


def test_the_communicator_is_that_of_the_operation_that_is_told(tmp_path: Path) -> None:
    text = TORCH + (
        "t = torch.zeros(1)\npair = dist.new_group([0, 1])\n"
        "if rank == 1: dist.all_reduce(t, group=pair)\ndist.barrier()\n"
    )
    found = checked(tmp_path, text).divergences
    assert found
    for story in found:
        whole = story.sides[0].call == "barrier"
        assert story.communicator == ("the whole job" if whole else "a group")
