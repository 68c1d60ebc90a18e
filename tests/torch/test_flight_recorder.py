"""Dumps of real PyTorch, read here and by PyTorch's own analyser: both see the same.

Gloo's recorder (2.13) does not say which ranks a group has, which PyTorch's analyser needs, and
never says "completed": both are added to the dumps before they are compared.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
from pathlib import Path
from typing import Any

import pytest

from dumps import Job, torch_pickle
from lockorder.collectives.sequences import symbols_of
from lockorder.hang.flight_recorder import dumps_in
from lockorder.hang.pickle_reader import _Reader, loads
from lockorder.hang.pickle_vet import is_plain
from lockorder.hang.rank_log import read_log
from lockorder.model.communicators import Membership, RankLog

PYTHON = os.environ.get("LOCKORDER_TORCH_PYTHON", "")
HERE = Path(__file__).parent

pytestmark = pytest.mark.skipif(not PYTHON, reason="no PyTorch here: make test-torch")


def record(folder: Path, ranks: int, wrong: str) -> list[Path]:
    """The dumps of *ranks* ranks, pickled, by rank; JSON lies beside them."""
    folder.mkdir()
    running = [
        subprocess.Popen(
            [
                *(PYTHON, str(HERE / "record.py"), str(rank), str(ranks)),
                *(str(folder.parent / f"meeting-{wrong}-{ranks}"), str(folder), wrong),
            ],
            env={**os.environ, "TORCH_FR_BUFFER_SIZE": "2000"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for rank in range(ranks)
    ]
    for process in running:
        _, err = process.communicate(timeout=180)
        assert process.returncode == 0, err
    return [folder / f"trace_{rank}" for rank in range(ranks)]


def analysed(folder: Path) -> list[dict[str, Any]]:
    command = [PYTHON, str(HERE / "analyse.py"), str(folder), "trace_"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def ours(folder: Path) -> list[dict[str, Any]]:
    """The same of our logs: the n-th collectives of each group side by side."""
    logs = {log.rank: log for log in (read_log(path).log for path in dumps_in(folder))}
    groups = {m.key: m for log in logs.values() for m in log.memberships}
    found = []
    for key, group in groups.items():
        issued = {rank: operations(logs[rank], key) for rank in group.members if rank in logs}
        for number in range(1, max(map(len, issued.values()), default=0) + 1):
            said = {rank: ops[number - 1] for rank, ops in issued.items() if len(ops) >= number}
            missing = sorted(set(issued) - set(said))
            words = list(said.values())
            others = apart([rank for rank, word in said.items() if word != words[0]], group)
            found.append(
                {
                    "group": key.partition("@")[0],
                    "number": number,
                    "matched": not missing and not others,
                    "missing": missing,
                    "others": others,
                }
            )
            if missing or others:
                break  # PyTorch's analyser compares no further in this group, either
    return found


def _memberships(folder: Path) -> list[Membership]:
    return [m for path in dumps_in(folder) for m in read_log(path).log.memberships]


def apart(ranks: list[int], group: Membership) -> list[int]:
    """The fewer of *ranks* and the group's others: which of them are wrong is not known."""
    rest = sorted(set(group.members) - set(ranks)) if ranks else []
    return min(sorted(ranks), rest, key=lambda some: (len(some), -max(some, default=0)))


def operations(log: RankLog, key: str) -> list[tuple[object, ...]]:
    return [
        log.operations[number].agreed
        for issued in log.collectives
        if issued.communicator == key
        for number in symbols_of(issued.steps)
    ]


def completed(path: Path, ranks: int) -> None:
    """Add to Gloo's dump what NCCL's has."""
    dump = pickle.loads(path.read_bytes())
    members = {"0": ("default_pg", list(range(ranks))), "1": ("pair", [0, 1])}
    dump["pg_config"] = {
        name: {"name": name, "desc": desc, "ranks": str(its)}
        for name, (desc, its) in members.items()
    }
    for entry in dump["entries"]:
        entry["state"] = "completed" if entry["retired"] else "scheduled"
        entry["profiling_name"] = entry["profiling_name"].replace("gloo:", "nccl:")
    path.write_bytes(pickle.dumps(dump))


def compare(folder: Path) -> list[dict[str, Any]]:
    """What both say of each group's collectives up to the first that is wrong."""
    theirs: list[dict[str, Any]] = []
    stopped = set()
    for one in sorted(analysed(folder), key=lambda one: (one["group"], one["number"])):
        if one["group"] not in stopped:
            theirs.append({key: value for key, value in one.items() if key != "name"})
        if not one["matched"]:
            stopped.add(one["group"])
    groups = {m.key.partition("@")[0]: m for m in _memberships(folder)}
    for one in theirs:
        one["others"] = apart(one["others"], groups[one["group"]])
    found = sorted(ours(folder), key=lambda one: (one["group"], one["number"]))
    assert found == theirs
    return found


@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize("wrong", ["nothing", "size", "order", "missing"])
def test_gloo(wrong: str, ranks: int, tmp_path: Path) -> None:
    folder = tmp_path / "dumps"
    paths = record(folder, ranks, wrong)
    assert dumps_in(folder) == [p for path in paths for p in (path, path.with_suffix(".json"))]
    for rank, path in enumerate(paths):
        data = path.read_bytes()
        assert is_plain(data)
        assert loads(data)[0] == _Reader(data).read()[0] == pickle.loads(data)
        reading = read_log(path)
        text = read_log(path.with_suffix(".json"))
        assert (reading.version, reading.notes, reading.log.rank) == ("2.10", (), rank)
        assert reading.log.collectives[0].total == text.log.collectives[0].total
        assert [o.agreed for o in reading.log.operations if o.count > 0][:1] == [
            ("all_reduce", 24, "float32", "", -1)
        ]
        assert reading.log.operations[0].chain[-1].function == "all_reduce"
        assert reading.log.operations[0].chain[0].function == "<module>"
        assert {f.function for f in reading.log.operations[0].chain} > {"main", "first"}
        path.with_suffix(".json").unlink()
    whole = read_log(paths[0]).log.collectives[0]
    hangs = wrong != "nothing"
    assert whole.total == 8
    if wrong == "missing":
        assert whole.completed == 7
    for path in paths:
        completed(path, ranks)
    last = [one for one in compare(folder) if one["group"] == "0"][-1]
    assert last["number"] == 8
    assert last["matched"] is not hangs
    odd = [ranks - 1]
    assert (last["missing"], last["others"]) == {
        "nothing": ([], []),
        "missing": (odd, []),
    }.get(wrong, ([], odd))


@pytest.mark.parametrize("wrong", ["nothing", "size", "order", "missing", "no dump"])
def test_made_up_dumps(wrong: str, tmp_path: Path) -> None:
    """The tests' own dumps are such that PyTorch's analyser reads them as ours does."""
    job = Job(4)
    job.group("1", [0, 2], "dp")
    for step in range(3):
        job.collective("all_reduce", (step + 1, 4))
        job.collective("_all_gather_base", (8,), output=(16,), group="1")
    others = [0, 1, 2]
    job.collective("broadcast", (6,), ranks=others)
    if wrong != "missing":
        call = "all_reduce" if wrong == "order" else "broadcast"
        job.collective(call, (7 if wrong == "size" else 6,), ranks=[3])
    ranks = others if wrong == "no dump" else range(4)
    for rank in ranks:
        (tmp_path / f"trace_{rank}").write_bytes(torch_pickle(job.dump(rank)))
    if wrong == "no dump":
        assert {rank for m in _memberships(tmp_path) for rank in m.members} == {0, 1, 2, 3}
        assert len(analysed(tmp_path)) == 7  # it reads them, and cannot decide
        return
    last = [one for one in compare(tmp_path) if one["group"] == "0"][-1]
    assert (last["number"], last["matched"]) == (4, wrong == "nothing")
