"""Flight-recorder dumps of all versions: which files are some, and what they say."""

from __future__ import annotations

import json
import os
import pickle
from pathlib import Path
from typing import Any

import pytest

from dumps import SCRIPT, VERSIONS, Job, forget, minor, python_pickle, stuck
from lockorder.collectives.sequences import symbols_of
from lockorder.hang.errors import DumpError
from lockorder.hang.flight_recorder import dumps_in, is_dump, rank_of, read_dump
from lockorder.hang.rank_log import Reading, read_log
from lockorder.model.communicators import End, Issued, Membership, Operation


def logs(job: Job, folder: Path, **how: Any) -> list[Reading]:
    return [read_log(path) for path in job.write(folder, **how)]


def issued(reading: Reading, group: str = "0", *, peers: bool = False) -> list[Operation]:
    log = reading.log
    (found,) = (
        i
        for i in (log.peers if peers else log.collectives)
        if i.communicator.startswith(f"{group}@")
    )
    return [log.operations[number] for number in symbols_of(found.steps)]


def of(reading: Reading, group: str = "0", *, peers: bool = False) -> Issued:
    log = reading.log
    (found,) = (
        i
        for i in (log.peers if peers else log.collectives)
        if i.communicator.startswith(f"{group}@")
    )
    return found


def names(operations: list[Operation]) -> list[tuple[str, int]]:
    return [(operation.name, operation.count) for operation in operations]


@pytest.mark.parametrize("form", ["torch", "json", "python"])
@pytest.mark.parametrize("version", VERSIONS)
def test_each_version_in_each_form(version: str, form: str, tmp_path: Path) -> None:
    job = Job(4, version)
    job.group("1", [1, 3], "tp")
    job.collective("all_reduce", (4, 8), line=11)
    job.collective("_all_gather_base", (16,), output=(64,), line=12, kind="BFloat16")
    job.collective("_reduce_scatter_base", (64,), output=(16,), line=13)
    job.collective("all_reduce_barrier", (1,))
    job.collective("broadcast", (7,), group="1")
    job.pair(1, 2, (5,))
    how: dict[str, Any] = {"torch": {}, "json": {"form": "json"}, "python": {}}[form]
    if form == "python":
        how["dumps"] = python_pickle(4)
    readings = logs(job, tmp_path, **how)
    assert [reading.log.rank for reading in readings] == [0, 1, 2, 3]
    for reading in readings:
        assert reading.version == version
        assert reading.notes == ()
        assert reading.log.end is not End.FINISHED
        assert names(issued(reading)) == [
            ("all_reduce", 32),
            ("all_gather", 16),
            ("reduce_scatter", 16),
            ("barrier", -1),
        ]
        assert [operation.type for operation in issued(reading)] == [
            "float32",
            "bfloat16",
            "float32",
            "",
        ]
        assert of(reading).total == of(reading).completed == 4
    second = readings[1].log
    assert second.memberships == (
        Membership("0@0-3", "default_pg", 4, 1, (0, 1, 2, 3)),
        Membership("1@1,3", "tp", 2, 0, (1, 3)),
    )
    assert [m.name for m in readings[0].log.memberships] == ["default_pg"]
    assert [(o.name, o.root, o.count) for o in issued(readings[1], peers=True)] == [("send", 2, 5)]
    assert [(o.name, o.root, o.count) for o in issued(readings[2], peers=True)] == [("recv", 1, 5)]
    chain = second.operations[0].chain
    assert [f.function for f in chain] == (
        [] if form == "json" else ["<module>", "main", "step", "wrapper", "all_reduce"]
    )
    if form != "json":
        assert (chain[2].file, chain[2].line) == (SCRIPT, 11)
    assert (second.operations[0].thread == "python") is (minor(version) >= 9)
    assert second.last_ns > 1_700_000_000 * 10**9


def test_library_and_status_are_read(tmp_path: Path) -> None:
    job = Job(2)
    job.collective()
    (path, _) = job.write(tmp_path)
    dump = read_dump(path)
    assert (dump.library, dump.rank, dump.truncated) == ("2.27.5", 0, False)
    assert dump.status["0"].enqueued == 1


def test_an_other_order_and_an_other_size_are_seen(tmp_path: Path) -> None:
    job = Job(3)
    job.collective("all_reduce", (8,))
    job.collective("broadcast", (8,), ranks=[0, 1])
    job.collective("all_reduce", (9,), ranks=[2])
    job.collective("all_reduce", (9,), ranks=[0, 1])
    job.collective("broadcast", (8,), ranks=[2])
    first, _, last = logs(job, tmp_path)
    assert names(issued(first)) == [("all_reduce", 8), ("broadcast", 8), ("all_reduce", 9)]
    assert names(issued(last)) == [("all_reduce", 8), ("all_reduce", 9), ("broadcast", 8)]


def test_who_is_behind_and_who_is_missing(tmp_path: Path) -> None:
    job = Job(3)
    for _ in range(5):
        job.collective()
    job.collective(ranks=[0, 1])
    stuck(job.entries[0][-1:], begun=True)
    stuck(job.entries[1][-1:])
    readings = logs(job, tmp_path, ranks=[0, 1])
    assert [(of(r).total, of(r).started, of(r).completed) for r in readings] == [
        (6, 6, 5),
        (6, -1, 5),  # without a begin's event, nothing is known of it
    ]
    assert readings[0].log.memberships[0].members == (0, 1, 2)
    behind = logs(job, tmp_path)[2]
    assert (of(behind).total, of(behind).completed) == (5, 5)


def test_a_group_without_operations_counts_where_nothing_is_forgotten(tmp_path: Path) -> None:
    job = Job(2)
    job.group("1", [0, 1], "pp")
    job.collective()
    job.collective(group="1", ranks=[0])
    assert of(logs(job, tmp_path)[1], "1").total == 0
    job.collective()
    forget(job.entries[1], 1)
    log = logs(job, tmp_path)[1].log
    assert len(log.memberships) == 2
    assert [(i.communicator, i.steps.first) for i in log.collectives] == [("0@0,1", 2)]


def test_what_is_complete_may_not_be_recorded(tmp_path: Path) -> None:
    """With TORCH_INCLUDE_ONLY_ACTIVE, a group without entries may have issued any number."""
    job = Job(1)
    job.group("1", [0], "pp")
    job.collective()
    job.collective(group="1")
    stuck(job.entries[0][:1])
    del job.entries[0][1:]
    assert [i.communicator for i in logs(job, tmp_path)[0].log.collectives] == ["0@0"]
    del job.entries[0][0]
    assert logs(job, tmp_path)[0].log.collectives == ()


def test_a_ring_has_forgotten_its_beginning(tmp_path: Path) -> None:
    job = Job(2)
    for step in range(20):
        job.collective("all_reduce", (step + 1,))
    forget(job.entries[0], 5)
    forget(job.entries[1], 11)
    first, second = logs(job, tmp_path)
    assert (of(first).steps.first, of(first).total) == (6, 20)
    assert (of(second).steps.first, of(second).total) == (12, 20)
    assert issued(first)[6:] == issued(second)
    assert first.log.launches.first == 6
    # Written from the ring's beginning, not from its oldest entry.
    job.entries[0] = job.entries[0][7:] + job.entries[0][:7]
    assert logs(job, tmp_path)[0].log == first.log


@pytest.mark.parametrize("version", VERSIONS)
def test_pipelines(version: str, tmp_path: Path) -> None:
    job = Job(3, version)
    job.collective()
    for _ in range(3):
        job.batch(0, [("send", 1, [8])])
        job.batch(1, [("recv", 0, [8]), ("send", 2, [4])])
        job.batch(2, [("recv", 1, [4])])
    job.batch(1, [("send", 0, [1])])  # one batch more than the others
    job.batch(0, [("recv", 1, [1])])
    job.collective("broadcast", (3,))
    stuck(job.entries[1][-2:])
    first, middle, last = logs(job, tmp_path)
    for reading in (first, middle, last):
        # What batches took of the collectives' numbers makes no difference.
        assert names(issued(reading)) == [("all_reduce", 32), ("broadcast", 3)]
        assert of(reading).steps.first == 1
        assert not reading.notes
    assert [(o.name, o.root) for o in issued(middle, peers=True)] == [
        *[("recv", 0), ("send", 2)] * 3,
        ("send", 0),
    ]
    places = [middle.log.places[at] for at in symbols_of(middle.log.launches)]
    assert [(p.peer, p.group) for p in places] == [
        (False, 0),
        *[(True, 1), (True, 2)] * 3,
        (True, 0),
        (False, 0),
    ]
    # The entry that ends the batch knows how far it is.
    assert (of(middle, peers=True).total, of(middle, peers=True).completed) == (7, 6)
    assert of(middle).completed == 1
    assert of(first).completed == 2


def test_the_rank_is_told_from_sends_where_the_name_does_not_say(tmp_path: Path) -> None:
    job = Job(4)
    job.group("1", [1, 3], "pp")
    job.collective()
    job.pair(0, 1, group="1")
    paths = job.write(tmp_path)
    unnamed = paths[3].rename(tmp_path / "trace.last")
    log = read_log(unnamed).log
    assert (log.rank, [m.rank for m in log.memberships]) == (3, [3, 1])
    wrong = paths[1].rename(tmp_path / "trace_2")
    assert read_log(wrong).log.rank == 1
    assert read_log(wrong).notes == ("its name says rank 2, its operations rank 1",)
    foreign = paths[0].rename(tmp_path / "trace_2024")
    assert read_log(foreign).log.rank == -1


@pytest.mark.parametrize("version", VERSIONS)
def test_coalesced_collectives_are_one_step(version: str, tmp_path: Path) -> None:
    job = Job(2, version)
    job.collective()
    job.coalesced([("all_reduce", [4]), ("all_reduce", [6])])
    job.coalesced([("_broadcast_oop", [4]), ("_broadcast_oop", [6])], end="ALLGATHER_coalesced")
    job.collective("allreduce_coalesced", (5, 2))
    job.coalesced([("all_reduce", [4]), ("broadcast", [6])])
    stuck(job.entries[0][-1:])
    reading = logs(job, tmp_path)[0]
    recorded = minor(version) >= 7
    assert names(issued(reading)) == [
        ("all_reduce", 32),
        ("all_reduce_coalesced", 10) if recorded else ("coalesced", -1),
        ("all_gather", -1),
        ("all_reduce_coalesced", 10),
        ("all_reduce+broadcast_coalesced", 10) if recorded else ("coalesced", -1),
    ]
    assert (of(reading).total, of(reading).completed) == (5, 4)
    forget(job.entries[0], 2 if recorded else 1)  # in the middle of a group, where there is one
    assert of(logs(job, tmp_path)[0]).steps.first == 2


def test_groups_of_one_name_and_other_ranks_are_others(tmp_path: Path) -> None:
    keys = set()
    for members in ([0, 1], [2, 3], [0, 1]):
        job = Job(4)
        job.group("split", members)
        keys |= {m.key for r in logs(job, tmp_path, ranks=members) for m in r.log.memberships}
    assert keys == {"0@0-3", "split@0,1", "split@2,3"}


def test_what_is_not_recorded_is_a_gap(tmp_path: Path) -> None:
    job = Job(1)
    for step in range(6):
        job.collective("all_reduce", (step + 1,))
    del job.entries[0][2]  # TORCH_INCLUDE_ONLY_ACTIVE leaves out what is complete
    (reading,) = logs(job, tmp_path)
    assert names(issued(reading)) == [("all_reduce", 4), ("all_reduce", 5), ("all_reduce", 6)]
    assert of(reading).steps.first == 4
    assert reading.notes == (
        "process group default_pg: nothing is known of operations before number 4",
    )


_ODD: list[Any] = [None, -1, 2**70, "", "x", [], {}, [[]], [None], {"a": 1}, 1.5, True, [["a"]]]


@pytest.mark.parametrize("odd", _ODD, ids=repr)
def test_a_field_of_another_kind_is_not_known(odd: Any, tmp_path: Path) -> None:
    job = Job(2)
    job.group("1", [0, 1], "tp")
    job.collective()
    job.pair(0, 1)
    job.collective(group="1")
    path = tmp_path / "trace_0"
    for key in job.entries[0][0]:
        for at in range(3):
            dump = pickle.loads(pickle.dumps(job.dump(0)))
            dump["entries"][at][key] = odd
            path.write_bytes(pickle.dumps(dump, 4))
            assert read_log(path).log.rank == 0
    for key in job.dump(0):
        dump = job.dump(0)
        dump[key] = odd
        path.write_bytes(pickle.dumps(dump, 4))
        read_log(path)
        about = next(iter(dump[key].values()), None) if isinstance(dump[key], dict) else None
        for inner in about if isinstance(about, dict) else ():
            dump = pickle.loads(pickle.dumps(job.dump(0)))
            next(iter(dump[key].values()))[inner] = odd
            path.write_bytes(pickle.dumps(dump, 4))
            read_log(path)


def test_a_missing_field_is_not_known(tmp_path: Path) -> None:
    job = Job(2)
    job.collective()
    job.pair(0, 1)
    path = tmp_path / "trace_0"
    for key in job.entries[0][0]:
        dump = pickle.loads(pickle.dumps(job.dump(0)))
        for entry in dump["entries"]:
            del entry[key]
        path.write_bytes(pickle.dumps(dump, 4))
        reading = read_log(path)
        needed = key in ("process_group", "profiling_name")
        assert bool(reading.notes) is needed
        assert [i.total for i in reading.log.collectives] == ([] if needed else [1])


def test_entries_that_cannot_be_read_are_counted(tmp_path: Path) -> None:
    job = Job(1)
    for _ in range(4):
        job.collective()
    dump = job.dump(0)
    dump["entries"][1] = "text"
    dump["entries"][2] = {"profiling_name": 3}
    path = tmp_path / "trace_0"
    path.write_bytes(pickle.dumps(dump))
    assert read_log(path).notes[0] == "2 of 4 entries could not be read: 1, 2"


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": "2.11"}, "version 2.11, read as 2.10"),
        ({"version": "3.0"}, "version 3.0, read as 2.10"),
        ({"version": "new"}, "'new', read as 2.10"),
        ({"version": 2}, "version is not known"),
        ({"entries": 3}, "entries are no list"),
        ({"pg_config": {"1": 2}}, "1 process groups could not be read"),
    ],
)
def test_notes(change: dict[str, Any], says: str, tmp_path: Path) -> None:
    job = Job(1)
    job.collective()
    path = tmp_path / "trace_0"
    path.write_bytes(pickle.dumps(job.dump(0) | change))
    assert says in "\n".join(read_log(path).notes)


@pytest.mark.parametrize("form", ["pickle", "json"])
def test_a_dump_that_breaks_off(form: str, tmp_path: Path) -> None:
    job = Job(1)
    for step in range(50):
        job.collective("all_reduce", (step + 1,))
    (path,) = job.write(tmp_path, form)
    whole = issued(read_log(path))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) * 2 // 3])
    reading = read_log(path)
    assert "breaks off" in reading.notes[0]
    found = issued(reading)
    assert 20 < len(found) < 50
    assert [o.agreed for o in found] == [o.agreed for o in whole[: len(found)]]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"text", "neither"),
        (b"\x80\x02]q\x00.", "not a dictionary"),
        (b"\x80\x02}q\x00.", "no entries and no version and no pg_config"),
        (b'{"version": "2.4"}', "no entries and no pg_config"),
        (b"{" * 100_000, "no entries"),
        (b'{"entries":' + b"[" * 100_000, "too deeply"),
        (b"\x80\x09N.", "protocol 9"),
        (b"\x80\x02\xff.", "no opcode 0xff"),
        (b"\x80\x02h\x00.", "damaged"),
        (b"\x80\x02h\x00\x8b", "has not made"),
        (b"\x80\x02X\x01\x00\x00\x00\xff.", "UnicodeDecodeError"),
    ],
)
def test_what_is_no_dump(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "trace_0"
    path.write_bytes(content)
    if b"entries" not in content:
        assert not is_dump(path)
    with pytest.raises(DumpError, match=says) as caught:
        read_dump(path)
    assert caught.value.path == path
    assert pickle.loads(pickle.dumps(caught.value)).reason == caught.value.reason


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo_0"
    os.mkfifo(fifo)
    for path in (fifo, tmp_path, tmp_path / "none"):
        assert not is_dump(path)
        with pytest.raises(DumpError):
            read_dump(path)
    large = tmp_path / "large_0"
    with large.open("wb") as file:
        file.truncate((1 << 30) + 1)
    with pytest.raises(DumpError, match="more than"):
        read_dump(large)


def test_dumps_are_found_by_what_is_in_them(tmp_path: Path) -> None:
    job = Job(12)
    job.collective()
    expected = job.write(tmp_path, ranks=[2, 10, 11])
    below = tmp_path / "node1"
    below.mkdir()
    expected.insert(1, job.write(below, "json", ranks=[3])[0])
    expected.insert(2, job.write(below, ranks=[4], dumps=python_pickle(5))[0])
    (tmp_path / "nccl_trace_rank_5").write_text("log\n")
    (tmp_path / "model_6.json").write_text('{"version": 1, "layers": []}')
    (tmp_path / "state_7.pkl").write_bytes(pickle.dumps({"weights": [1.0]}))
    assert dumps_in(tmp_path) == expected
    assert [rank_of(path) for path in expected] == [2, 3, 4, 10, 11]


def test_a_json_dump_without_operations(tmp_path: Path) -> None:
    (path,) = Job(1).write(tmp_path, "json")
    assert "entries" not in json.loads(path.read_text())
    reading = read_log(path)
    assert reading.notes == ("it has no entries",)
    assert reading.log.memberships[0].size == 1
