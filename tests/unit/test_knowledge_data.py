"""The knowledge files: readable, free of contradictions, and about functions that exist.

That a name exists is shown by the stub headers, which declare what sources of the field use.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import lockorder
from lockorder.knowledge.load import builtin, load
from lockorder.knowledge.schema import GuardType, KnowledgeFile, LockType

PACKAGE = Path(lockorder.__file__).parent
STUBS = PACKAGE / "headers" / "libraries"
FILES = sorted((PACKAGE / "knowledge").glob("*.toml"))

#: Where the stubs declare what a knowledge file names.
DECLARED_IN = {
    "absl": ["absl/**/*.h"],
    "boost": ["boost/**/*.hpp"],
    "cuda": ["cuda.h", "cuda_runtime*.h", "cublas_v2.h"],
    "folly": ["folly/**/*.h"],
    "gloo": ["gloo/**/*.h"],
    "hip": ["hip/*.h"],
    "mpi": ["mpi.h"],
    "nccl": ["nccl.h", "nccl_device.h"],
    "nvshmem": ["nvshmem*.h"],
    "python": ["Python.h", "pybind11/**/*.h"],
    "tbb": ["tbb/*.h"],
    "ucx": ["ucp/**/*.h", "ucc/**/*.h", "infiniband/*.h", "rdma/*.h"],
}

#: Names (regular expressions, by file) that no stub declares, and why.
EXCEPTIONS = {
    "absl": {r"(tsl|tensorflow)::.*": "no stubs for TSL"},
    "boost": {
        r"(boost::)?asio::.*|async_\w+": "no stubs for Asio",
        r"boost::(detail::basic|unique)_future(::.*)?": "inner and older names of boost::future",
    },
    "cuda": {r"cu\w+_v2": "macros hide the versions; a stub declares the plain name"},
    "folly": {r"folly::detail::distributed_mutex::.*": "where the real header has the class"},
    "nccl": {r"pnccl\w+": "the profiling interface's twin of a declared function"},
    "python": {
        r"nanobind::.*": "no stubs for nanobind",
        r"(py::)?(shared_ptr_class_|intrusive_ptr_class_|class_)": "PyTorch's own names for class_",
        r"py::gil_scoped_\w+": "a namespace alias, where only the text is known",
    },
    "tbb": {r"tbb::detail::.*": "where the real headers have the classes"},
}

METHODS = {
    LockType: (
        *("lock", "try_", "timed", "unlock", "lock_shared", "try_shared", "timed_shared"),
        *("unlock_shared", "guard_lock", "guard_shared", "with_lock", "with_shared"),
    ),
    GuardType: ("lock", "try_", "timed", "unlock", "release", "owns"),
}


@functools.cache
def read(stem: str) -> KnowledgeFile:
    file = PACKAGE / "knowledge" / f"{stem}.toml"
    return load(file.read_text(encoding="utf-8"), file.name)


@functools.cache
def stub_text(stem: str) -> str:
    paths = [p for pattern in DECLARED_IN[stem] for p in sorted(STUBS.glob(pattern))]
    assert paths
    text = "\n".join(p.read_text(encoding="utf-8") for p in paths)
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def lock_types(file: KnowledgeFile) -> Iterator[LockType | GuardType]:
    yield from file.lock
    yield from file.guard


def methods(entry: LockType | GuardType) -> Iterator[str]:
    """What an entry says of the methods of its types, in one flat list."""
    for field in METHODS[type(entry)]:
        yield from getattr(entry, field)


def tables(file: KnowledgeFile) -> Iterator[tuple[str, list[str]]]:
    """Functions that a file lists, by table; one pair for an entry."""
    for entry in lock_types(file):
        for cls in entry.types:
            yield f"methods of {cls}", [f"{cls}::{m}" for m in methods(entry)]
    for function in file.function:
        yield "function", function.names
    for wait in file.wait:
        yield "wait", wait.names
    for notify in file.notify:
        yield "notify", notify.names
    for once in file.once:
        yield "once", once.names
    for blocks in file.blocks:
        yield "blocks", blocks.names
    for collective in file.collective:
        yield "collective", collective.names
    for names in (*file.never_returns, *file.aborts):
        yield "never_returns", names.names
    for names in file.idle:
        yield "idle", names.names
    for names in file.reads:
        yield "reads", names.names


def functions(file: KnowledgeFile) -> Iterator[str]:
    for table, names in tables(file):
        if not table.startswith("methods of "):
            yield from names
    for starter in file.thread:
        yield from starter.names
    for keeps in file.keeps:
        yield from keeps.names
    for group in file.group:
        yield from (*group.begin, *group.end, *group.alone)
    for entry in file.entry:
        yield from (*entry.binders, *entry.names)


def types(file: KnowledgeFile) -> Iterator[str]:
    for lock in lock_types(file):
        yield from lock.types
    for entry in file.entry:
        yield from entry.types
    for starter in file.thread:
        yield from starter.types
    for keeps in file.keeps:
        yield from keeps.types
    for same in file.same:
        yield from same.types


def declares_function(text: str, name: str) -> bool:
    """Whether *text* has each part of the qualified *name*, the last one before a ``(``."""
    *scopes, own = name.split("::")
    if not all(re.search(rf"\b{re.escape(s)}\b", text) for s in scopes):
        return False
    if scopes and own == scopes[-1]:  # a constructor
        return declares_type(text, "::".join(scopes))
    start = r"\b" if own[0].isalpha() else r"(?<!\w)"
    return re.search(rf"{start}{re.escape(own)}\s*\(", text) is not None


def declares_type(text: str, name: str) -> bool:
    *scopes, own = name.split("::")
    if not all(re.search(rf"\b{re.escape(s)}\b", text) for s in scopes):
        return False
    declared = rf"\b(class|struct|enum)\s+{own}\b|\bLOSTUB_\w+\({own}\)"
    alias = rf"\b{own}\s*[;,=]|\}}\s*{own}\s*;"
    return re.search(f"{declared}|{alias}", text) is not None


@pytest.mark.parametrize("file", FILES, ids=lambda f: f.stem)
def test_every_file_loads(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# ")
    assert load(text, file.name) != KnowledgeFile()


def test_together_they_are_the_built_in_knowledge() -> None:
    known = builtin()
    for file in FILES:
        for name in functions(read(file.stem)):
            assert name  # and indexed somewhere:
            assert any(
                name in index
                for index in (
                    *(known.functions, known.waits, known.notifies, known.onces, known.blocks),
                    *(known.collectives, known.never_returns, known.starters, known.keepers),
                    *(known.group_begin, known.group_end, known.group_alone, known.binders),
                    *(known.entry_names, known.idle, known.reads),
                )
            ), name


@pytest.mark.parametrize("stem", DECLARED_IN)
def test_stubs_declare_what_is_named(stem: str) -> None:
    text, exceptions = stub_text(stem), EXCEPTIONS.get(stem, {})
    file = read(stem)
    missing = [n for n in functions(file) if not declares_function(text, n)]
    missing = [n for n in missing if not declares_type(text, n)]  # a binder may be a class
    missing += [n for n in types(file) if not declares_type(text, n)]
    unexplained = [n for n in missing if not any(re.fullmatch(x, n) for x in exceptions)]
    assert unexplained == []
    for pattern in exceptions:
        assert any(re.fullmatch(pattern, n) for n in missing + holders(file)), (
            f"{pattern}: needless"
        )


def holders(file: KnowledgeFile) -> list[str]:
    return [h for e in file.entry for h in e.holders]


@pytest.mark.parametrize("stem", ["absl", "boost", "folly"])
def test_stubs_declare_the_methods_of_locks(stem: str) -> None:
    text, exceptions = stub_text(stem), EXCEPTIONS.get(stem, {})
    file = read(stem)
    for entry in lock_types(file):
        if all(re.fullmatch(x, t) for t in entry.types for x in exceptions):
            continue
        missing = [m for m in methods(entry) if not declares_function(text, m)]
        assert missing == [], entry.types


def test_no_function_is_in_two_tables() -> None:
    """But for those that wait for others and wake them: a barrier's."""
    listed = [(t, n) for f in FILES for t, names in tables(read(f.stem)) for n in names]
    waiting = {n for t, n in listed if t == "blocks"}
    listed = [(t, n) for t, n in listed if t != "notify" or n not in waiting]
    count = Counter(n for _, n in listed)
    twice = sorted((n, t) for t, n in listed if count[n] > 1)
    assert twice == []


def test_no_type_is_in_two_entries() -> None:
    found = [t for f in FILES for e in lock_types(read(f.stem)) for t in e.types]
    assert [t for t, n in Counter(found).items() if n > 1] == []


def test_what_runs_elsewhere_is_not_kept_as_well() -> None:
    known = builtin()
    assert not known.starters & known.keepers
    assert not known.starter_types & known.keeper_types


def test_this_is_said_of_methods_only() -> None:
    for file in (read(f.stem) for f in FILES):
        for wait in file.wait:
            if "this" in (wait.lock, wait.condition):
                assert all("::" in n for n in wait.names), wait.names
        for blocks in file.blocks:
            assert blocks.joins != "this" or all("::" in n for n in blocks.names), blocks.names
        for notify in file.notify:
            assert notify.condition != "this" or all("::" in n for n in notify.names)


def test_a_synchronisation_is_implicit_or_explicit() -> None:
    for blocks in builtin().blocks.values():
        assert not (blocks.device_sync and blocks.explicit_sync), blocks.names
        if blocks.device_sync or blocks.explicit_sync:
            assert blocks.waits_for == "the GPU"


@pytest.mark.parametrize("name", sorted(builtin().collectives))
def test_communicators_are_where_nccl_has_them(name: str) -> None:
    declared = re.search(rf"\b{name.removeprefix('p')}\(([^)]*)\)", stub_text("nccl"))
    assert declared is not None
    parameters = [re.split(r"[\s*]+", p.strip())[-1] for p in declared[1].split(",")]
    assert parameters[builtin().collectives[name].communicator] == "comm"


@pytest.mark.parametrize("name", ["ncclAllReduce", "ncclSend", "ncclGroupEnd", "ncclCommInitRank"])
def test_profiling_twins_are_alike(name: str) -> None:
    known = builtin()
    for index in (known.blocks, known.collectives, known.group_end, known.group_alone):
        assert index.get(name) == index.get(f"p{name}")


def test_every_nccl_name_has_its_twin() -> None:
    names = set(functions(read("nccl")))
    assert {n for n in names if n.startswith("n")} == {n[1:] for n in names if n.startswith("p")}


def test_hip_has_what_cuda_has() -> None:
    """A HIP name that its stub declares is in the same kind of entry as its CUDA twin."""
    known, text = builtin(), stub_text("hip")
    for name in functions(read("cuda")):
        twin = name.replace("cuda", "hip", 1)
        if name.startswith("cuda") and declares_function(text, twin):
            assert twin in known.blocks or twin in known.starters | known.keepers, twin
            if name in known.blocks:
                ours, theirs = known.blocks[twin], known.blocks[name]
                assert (ours.device_sync, ours.explicit_sync) == (
                    theirs.device_sync,
                    theirs.explicit_sync,
                )
