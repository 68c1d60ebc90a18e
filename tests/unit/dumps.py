"""Flight-recorder dumps made up for tests: any version, any ranks and groups, any mistake.

A ``Job`` records what its ranks issue, as ProcessGroupNCCL of that version would, and writes a dump
for each rank; a test changes a rank's entries before that, or leaves a rank out.
"""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

VERSIONS = ("2.3", "2.4", "2.5", "2.6", "2.7", "2.8", "2.9", "2.10")
START = 1_700_000_000_000_000_000  # ns since 1970
SCRIPT = "/job/train.py"

Entry = dict[str, Any]


def minor(version: str) -> int:
    return int(version.partition(".")[2])


class Job:
    """*ranks* ranks under a recorder of *version*; "0" is their default group."""

    def __init__(self, ranks: int, version: str = "2.10", library: str = "2.27.5") -> None:
        self.ranks = ranks
        self.version = version
        self.library = library
        self.groups: dict[str, tuple[str, tuple[int, ...]]] = {
            "0": ("default_pg", tuple(range(ranks)))
        }
        self.entries: list[list[Entry]] = [[] for _ in range(ranks)]
        self._counts: dict[tuple[int, str], list[int]] = {}

    def group(self, name: str, members: Sequence[int], description: str = "undefined") -> str:
        self.groups[name] = (description, tuple(members))
        return name

    def counts(self, rank: int, group: str) -> list[int]:
        """Of collectives, of sends and receives, of both, as ProcessGroupNCCL counts."""
        return self._counts.setdefault((rank, group), [0, 0, 0])

    def _record(self, rank: int, group: str, name: str, **fields: Any) -> Entry:
        collectives, peers, both = self.counts(rank, group)
        entries = self.entries[rank]
        number = len(entries)
        entry: Entry = {
            "frames": frames(fields.pop("line", 10)),
            "record_id": number,
            "pg_id": list(self.groups).index(group),
            "process_group": (group, self.groups[group][0]),
            "collective_seq_id": collectives,
            "p2p_seq_id": peers,
            "op_id": both,
            "profiling_name": name,
            "time_created_ns": START + number * 1_000_000 + rank,
            "input_sizes": [],
            "input_dtypes": [],
            "output_sizes": [],
            "output_dtypes": [],
            "state": "completed",
            "time_discovered_started_ns": None,
            "time_discovered_completed_ns": START + number * 1_000_000 + 500,
            "retired": True,
            "timeout_ms": 600_000,
            "is_p2p": False,
        }
        if minor(self.version) >= 9:
            entry["thread_name"] = "python"
            entry["thread_id"] = "140160218471296"
        entry.update(fields)
        entries.append(entry)
        return entry

    def collective(
        self,
        call: str = "all_reduce",
        size: Sequence[int] = (4, 8),
        *,
        group: str = "0",
        ranks: Iterable[int] | None = None,
        kind: str = "Float",
        line: int = 10,
        output: Sequence[int] | None = None,
    ) -> None:
        """Each of *ranks* (all members) issues *call* with tensors of this *size*."""
        for rank in self.groups[group][1] if ranks is None else ranks:
            counts = self.counts(rank, group)
            counts[0] += 1
            counts[2] += 1
            self._record(
                rank,
                group,
                f"nccl:{call}",
                line=line,
                **tensors(size, output or size, kind),
            )

    def coalesced(
        self,
        calls: Sequence[tuple[str, Sequence[int]]],
        *,
        group: str = "0",
        ranks: Iterable[int] | None = None,
        end: str = "coalesced",
    ) -> None:
        """*calls* between startCoalescing and endCoalescing; 2.7 began to record each of them."""
        for rank in self.groups[group][1] if ranks is None else ranks:
            counts = self.counts(rank, group)
            counts[0] += 1
            for call, size in calls:
                counts[2] += 1
                if minor(self.version) >= 7:
                    self._record(
                        rank, group, f"nccl:{call}", **tensors(size, size), **waiting(False)
                    )
            self._record(rank, group, f"nccl:{end}")

    def pair(
        self,
        source: int,
        target: int,
        size: Sequence[int] = (16,),
        *,
        group: str = "0",
        ends: str = "both",
        line: int = 20,
    ) -> None:
        """One send and its receive, or one of them; *source* and *target* by rank of the group."""
        for own, name in ((source, "send"), (target, "recv")):
            if ends not in ("both", name):
                continue
            rank = self.groups[group][1][own]
            counts = self.counts(rank, group)
            counts[1] += 1
            counts[2] += 1
            self._record(
                rank,
                group,
                _pair(name, source, target),
                line=line,
                is_p2p=True,
                **tensors(size, size),
            )

    def batch(
        self, own: int, calls: Sequence[tuple[str, int, Sequence[int]]], *, group: str = "0"
    ) -> None:
        """A rank's batch_isend_irecv: ("send" or "recv", peer, size) each, by rank of the group."""
        rank = self.groups[group][1][own]
        counts = self.counts(rank, group)
        counts[1] += 1
        if minor(self.version) <= 4:
            counts[0] += 1  # startCoalescing counted for collectives before it knew better
        for name, peer, size in calls:
            counts[2] += 1
            source, target = (own, peer) if name == "send" else (peer, own)
            self._record(
                rank,
                group,
                _pair(name, source, target),
                is_p2p=True,
                **tensors(size, size),
                **waiting(False),
            )
        self._record(rank, group, "nccl:coalesced", is_p2p=True)

    def dump(self, rank: int) -> dict[str, Any]:
        """What the rank's dump holds."""
        status: dict[str, Any] = {}
        for at, name in enumerate(self.groups):
            collectives = self._counts.get((rank, name), [0])[0]
            status[str(at)] = {
                "last_enqueued_collective": collectives or -1,
                "last_started_collective": -1,
                "last_completed_collective": -1,
            }
        library = "comm_lib_version" if minor(self.version) >= 8 else "nccl_version"
        found: dict[str, Any] = {"entries": self.entries[rank], "version": self.version}
        if minor(self.version) >= 4:
            found[library] = self.library
        return found | {
            "pg_config": {
                name: {"name": name, "desc": description, "ranks": str(list(members))}
                for name, (description, members) in self.groups.items()
                if rank in members
            },
            "pg_status": status,
        }

    def write(
        self,
        folder: Path,
        form: str = "pickle",
        ranks: Iterable[int] | None = None,
        dumps: Callable[[object], bytes] | None = None,
    ) -> list[Path]:
        """The dumps of *ranks* (all) in *folder*, named as PyTorch names them."""
        paths = []
        for rank in range(self.ranks) if ranks is None else ranks:
            found = self.dump(rank)
            if form == "json":
                path = folder / f"nccl_trace_rank_{rank}.json"
                path.write_text(json.dumps(as_json(found)))
            else:
                path = folder / f"nccl_trace_rank_{rank}"
                path.write_bytes((dumps or torch_pickle)(found))
            paths.append(path)
        return paths


def tensors(inputs: Sequence[int], outputs: Sequence[int], kind: str = "Float") -> Entry:
    return {
        "input_sizes": [list(inputs)],
        "input_dtypes": [kind],
        "output_sizes": [list(outputs)],
        "output_dtypes": [kind],
    }


def waiting(retired: bool = False) -> Entry:
    """The fields of an entry that was never seen to begin."""
    return {
        "state": "scheduled",
        "retired": retired,
        "time_discovered_started_ns": None,
        "time_discovered_completed_ns": None,
    }


def stuck(entries: Sequence[Entry], begun: bool = False) -> None:
    """What *entries* look like where the job hangs: not complete, the first may have begun."""
    for entry in entries:
        entry.update(waiting())
    if begun and entries:
        entries[0]["state"] = "started"
        entries[0]["time_discovered_started_ns"] = START


def forget(entries: list[Entry], count: int) -> None:
    """A ring that has no more room for the first *count* entries."""
    del entries[:count]


def frames(line: int) -> list[Entry]:
    """A stack, innermost frame first."""
    library = "/venv/torch/distributed/distributed_c10d.py"
    return [
        {"name": "all_reduce", "filename": library, "line": 2806},
        {"name": "wrapper", "filename": "/venv/torch/distributed/c10d_logger.py", "line": 81},
        {"name": "step", "filename": SCRIPT, "line": line},
        {"name": "main", "filename": SCRIPT, "line": 90},
        {"name": "<module>", "filename": SCRIPT, "line": 99},
    ]


def as_json(dump: dict[str, Any]) -> dict[str, Any]:
    """*dump* as the recorder's JSON form has it: sorted, no frames, no None, status as text."""
    found = dict(dump)
    found["entries"] = [
        {
            key: 0 if value is None else value
            for key, value in sorted(entry.items())
            if key != "frames"
        }
        for entry in dump["entries"]
    ]
    if not found["entries"]:
        del found["entries"]
    found["pg_status"] = {
        key: {name: str(value) for name, value in status.items()}
        for key, status in dump["pg_status"].items()
    }
    return dict(sorted(found.items()))


def _pair(name: str, source: int, target: int) -> str:
    return f"nccl:send {source}->{target}" if name == "send" else f"nccl:recv {target}<-{source}"


def torch_pickle(value: object) -> bytes:
    """*value* as PyTorch's own pickler writes it (torch/csrc/jit/serialization/pickler.cpp).

    Protocol 2, without frames of bytes; strings are remembered, as are dictionaries that are in
    several places; lists and tuples are not.
    """
    out = bytearray(b"\x80\x02")
    memo: dict[object, int] = {}

    def put(key: object) -> None:
        number = memo[key] = len(memo)
        out.extend(b"q%c" % number if number < 256 else b"r" + number.to_bytes(4, "little"))

    def get(key: object) -> bool:
        number = memo.get(key)
        if number is None:
            return False
        out.extend(b"h%c" % number if number < 256 else b"j" + number.to_bytes(4, "little"))
        return True

    def write(part: Any) -> None:
        if part is None or part is True or part is False:
            out.extend({None: b"N", True: b"\x88", False: b"\x89"}[part])
        elif isinstance(part, str):
            if not get(part):
                text = part.encode()
                out.extend(b"X" + len(text).to_bytes(4, "little") + text)
                put(part)
        elif isinstance(part, int):
            out.extend(_integer(part))
        elif isinstance(part, list):
            out.extend(b"](")
            for item in part:
                write(item)
            out.extend(b"e")
        elif isinstance(part, tuple):
            assert len(part) == 2
            write(part[0])
            write(part[1])
            out.extend(b"\x86")
        elif not get(shared := _shared(part)):
            out.extend(b"}(")
            for key, item in part.items():
                write(key)
                write(item)
            out.extend(b"u")
            if shared:
                put(shared)

    write(value)
    return bytes(out) + b"."


def _shared(part: dict[str, Any]) -> object:
    """What a frame's dictionary is the same by; empty: another dictionary."""
    return tuple(part.items()) if "filename" in part else ()


def _integer(value: int) -> bytes:
    if 0 <= value < 256:
        return b"K%c" % value
    if 0 <= value < 1 << 16:
        return b"M" + value.to_bytes(2, "little")
    if -1 << 31 <= value < 1 << 31:
        return b"J" + value.to_bytes(4, "little", signed=True)
    return b"\x8a\x08" + value.to_bytes(8, "little", signed=True)


def python_pickle(protocol: int) -> Callable[[object], bytes]:
    """Pickles as a job's own writer makes them."""
    return lambda value: pickle.dumps(value, protocol)
