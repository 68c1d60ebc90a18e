"""The restricted reader of pickles: plain data as pickle reads it, and nothing else at all."""

from __future__ import annotations

import contextlib
import copyreg
import json
import os
import pickle
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dumps import Job, as_json, torch_pickle
from lockorder.hang.errors import DataError, DumpError
from lockorder.hang.flight_recorder import read_dump
from lockorder.hang.pickle_reader import _Reader, loads
from lockorder.hang.pickle_vet import is_plain
from lockorder.hang.rank_log import read_log

_KEYS = st.text(max_size=8) | st.integers(-(2**60), 2**60) | st.booleans() | st.none()
_LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text()
    | st.binary(max_size=300)
)
_DATA = st.recursive(
    _LEAVES,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.lists(inner, max_size=5).map(tuple)
        | st.dictionaries(_KEYS, inner, max_size=5)
    ),
    max_leaves=30,
)
_TORCH_DATA = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text(), inner, max_size=5)
    ),
)


def sample() -> dict[str, Any]:
    job = Job(4)
    for step in range(6):
        job.collective(line=step)
        job.batch(0, [("send", 1, [8]), ("recv", 2, [8])])
    return job.dump(0)


_TORCH = torch_pickle(sample())
_PYTHON = pickle.dumps(sample(), 4)
_JSON = json.dumps(as_json(sample())).encode()


@given(_DATA, st.integers(3, 5))  # before 3, bytes are made by calling a function
def test_plain_data_is_what_pickle_reads(value: object, protocol: int) -> None:
    data = pickle.dumps(value, protocol)
    assert loads(data) == (value, False)
    assert repr(loads(data)[0]) == repr(pickle.loads(data))  # types too: 1 is not True


@given(_TORCH_DATA)
def test_both_readers_agree_on_what_pytorch_writes(value: object) -> None:
    data = torch_pickle(value)
    assert pickle.loads(data) == value
    assert loads(data) == (value, False)
    assert _Reader(data).read() == (value, False)


def test_a_dump_of_pytorch_goes_to_the_fast_reader() -> None:
    assert is_plain(_TORCH)
    assert not is_plain(_PYTHON)  # remembers tuples
    assert loads(_TORCH)[0] == loads(_PYTHON)[0] == pickle.loads(_TORCH)


class Harm:
    """Does something when unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.path}",)


class Stateful:
    called = False

    def __setstate__(self, state: object) -> None:
        Stateful.called = True


def harmful(path: Path) -> dict[str, bytes]:
    """Pickles that do harm in pickle.loads, by how."""
    command = b"touch %s" % os.fsencode(path)
    text = b"X" + len(command).to_bytes(4, "little") + command
    # Each stands where a dump's first value would, after a plausible beginning.
    start = b"\x80\x04}(X\x07\x00\x00\x00version"
    return {
        "reduce": pickle.dumps({"version": Harm(path)}, 2),
        "stack_global": pickle.dumps({"version": Harm(path)}, 4),
        "text global": b"cos\nsystem\n(S'" + command + b"'\ntR.",
        "global": start + b"cos\nsystem\n" + text + b"\x85Ru.",
        "inst": start + b"(" + text + b"ios\nsystem\nu.",
        "obj": start + b"(cos\nsystem\n" + text + b"ou.",
        "newobj": start + b"cos\nsystem\n" + text + b"\x85\x81u.",
        "build": start + pickle.dumps(Stateful(), 2)[2:-1] + b"}(K\x01K\x01ubu.",
        "build on data": start + b"}}(K\x01K\x01ubu.",
        "reduce on data": start + text + b"(tRu.",
        "persid": start + b"P1\nu.",
        "binpersid": start + b"K\x01Qu.",
        "ext1": start + b"\x82\xf0u.",
        "ext2": start + b"\x83\xf0\x00u.",
        "ext4": start + b"\x84\xf0\x00\x00\x00u.",
        "buffer": start + b"\x97u.",
    }


@pytest.mark.parametrize("how", harmful(Path("/none")))
def test_what_executes_is_refused_and_nothing_is_executed(how: str, tmp_path: Path) -> None:
    mark = tmp_path / "executed"
    data = harmful(mark)[how]
    # An extension that the process has used is in a cache that no find_class guards.
    copyreg.add_extension("os", "system", 0xF0)
    try:
        assert pickle.loads(b"\x80\x02\x82\xf0.") is os.system
        file = tmp_path / "nccl_trace_rank_0"
        file.write_bytes(data)
        with pytest.raises(DumpError, match="nccl_trace_rank_0"):
            read_dump(file)
        with pytest.raises(DataError):
            loads(data)
    finally:
        copyreg.remove_extension("os", "system", 0xF0)
    assert not mark.exists()
    assert not Stateful.called


def bombs() -> dict[str, bytes]:
    doubled = b"\x80\x02]q\x00" + b"".join(b"](h%ch%ceq%c" % (n, n, n + 1) for n in range(100))
    tuples = b"\x80\x02N\x85q\x00" + b"".join(b"h%ch%c\x86q%c" % (n, n, n + 1) for n in range(100))
    number = (2**61 - 1).to_bytes(8, "little")
    colliding = b"".join(
        b"\x8a\x0b" + ((2**61 - 1) * n).to_bytes(11, "little") + b"N" for n in range(1, 100_000)
    )
    return {
        "doubled lists": doubled + b".",
        "doubled tuples as a key": b"%s0}h%cNs." % (tuples, 100),
        "doubled tuples as a key, without the memo": (b"\x80\x02}N\x85" + b"2\x86" * 100 + b"Ns."),
        "memo number": b"\x80\x02Nr\xff\xff\xff\xff.",
        "long string": b"\x80\x02X\xff\xff\xff\xffa.",
        "longer string": b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7fa.",
        "long bytes": b"\x80\x04\x8e\xff\xff\xff\xff\xff\xff\x00\x00a.",
        "long bytearray": b"\x80\x05\x96\xff\xff\xff\xff\xff\xff\x00\x00a.",
        "long integer": b"\x80\x02\x8b\xff\xff\xff\x7fa.",
        "frame": b"\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7fN.",
        "nested lists": b"\x80\x02" + b"](" * 500_000 + b"e" * 500_000 + b".",
        "nested tuples": b"\x80\x02N" + b"\x85" * 500_000 + b".",
        "nested marks": b"\x80\x02" + b"(" * 500_000 + b".",
        "deep values": b"\x80\x02" + b"]" * 500_000 + b"a" * 499_999 + b".",
        "colliding keys": b"\x80\x02}(" + colliding + b"u.",
        "one prime": b"\x80\x02}\x8a\x08" + number + b"Ns.",
        "duplicates": b"\x80\x02N" + b"2" * 5_000_000 + b".",
    }


@pytest.mark.parametrize("how", bombs())
def test_a_bomb_takes_no_more_than_its_size(how: str, tmp_path: Path) -> None:
    file = tmp_path / "nccl_trace_rank_0"
    data = bombs()[how]
    file.write_bytes(data)
    tracemalloc.start()
    began = time.process_time()
    try:
        with pytest.raises(DumpError) as error:
            read_dump(file)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(str(error.value)) < 300 + len(str(file))
    assert time.process_time() - began < 15
    assert peak < 100 * len(data) + 1_000_000


def test_lists_that_entries_share_do_not_multiply(tmp_path: Path) -> None:
    dump = sample()
    frames = dump["entries"][0]["frames"] * 2000
    entry = dump["entries"][0] | {"frames": frames}
    dump["entries"] = [dict(entry, record_id=n) for n in range(3000)]
    file = tmp_path / "nccl_trace_rank_0"
    file.write_bytes(pickle.dumps(dump, 4))
    assert file.stat().st_size < 1_000_000
    with pytest.raises(DumpError, match="share lists"):
        read_log(file)


def test_a_size_of_nested_tuples_is_not_hashed(tmp_path: Path) -> None:
    bomb: Any = (1,)
    for _ in range(100):
        bomb = (bomb, bomb)
    dump = sample()
    dump["entries"][0]["input_sizes"] = [bomb]
    dump["entries"][1]["input_dtypes"] = bomb
    dump["entries"][2]["process_group"] = ("0", bomb)
    dump["entries"][3]["state"] = bomb
    file = tmp_path / "nccl_trace_rank_0"
    file.write_bytes(pickle.dumps(dump, 4))
    log = read_log(file).log
    assert [operation.count for operation in log.operations[:2]] == [-1, 8]
    assert log.collectives[0].total == 6


def test_integers_that_may_collide_are_read_with_care() -> None:
    for value, plain in ((2**63 - 1, True), (-(2**63), True), (2**63, False), (2**2000, False)):
        data = pickle.dumps(value, 2)
        assert is_plain(data) is plain
        assert loads(data) == (value, False)


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=400) | st.binary(max_size=400).map(lambda tail: b"\x80\x02" + tail))
def test_any_bytes_give_data_or_the_one_error(data: bytes) -> None:
    with contextlib.suppress(DataError):
        loads(data)


@settings(deadline=None, max_examples=400)
@given(
    st.sampled_from([_TORCH, _PYTHON, _JSON]),
    st.lists(st.tuples(st.integers(0, 10**6), st.binary(min_size=1, max_size=4)), max_size=4),
    st.integers(0, 10**6),
)
def test_changed_dumps_give_a_log_or_the_one_error(
    tmp_path_factory: pytest.TempPathFactory,
    data: bytes,
    changes: list[tuple[int, bytes]],
    end: int,
) -> None:
    changed = bytearray(data)
    for at, new in changes:
        at %= len(data)
        changed[at : at + len(new)] = new
    if end % 2:
        del changed[end % len(data) :]
    file = tmp_path_factory.getbasetemp() / "changed_0"
    file.write_bytes(changed)
    with contextlib.suppress(DumpError):
        read_log(file)


@pytest.mark.parametrize("data", [_TORCH, _PYTHON])
def test_what_is_whole_is_read_wherever_a_dump_breaks_off(data: bytes) -> None:
    entries = sample()["entries"]
    counts = []
    for end in range(40, len(data) - 1, 7):
        value, truncated = loads(data[:end])
        assert truncated
        found = value.get("entries", []) if isinstance(value, dict) else []
        assert found == entries[: len(found)]
        counts.append(len(found))
    assert counts == sorted(counts)
    assert counts[-1] >= len(entries) - 1
