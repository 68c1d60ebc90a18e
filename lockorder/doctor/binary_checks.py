"""Checks of one program or library: what of it the probe will not see.

What the probe sees of a program's own calls follows from csrc: functions of libc by standing in
front of them, those of CUDA, HIP, NCCL, CPython and libstdc++ where a call goes through a slot.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lockorder.doctor.binary import Binary, names
from lockorder.doctor.check import Check, State

_MACHINES = {"x86_64": "EM_X86_64", "aarch64": "EM_AARCH64"}


def checks(binary: Binary, *, library: bool = False) -> Iterator[Check]:
    """All checks; of a *library*, which some program loads, those that can concern one."""
    loads = _loads(binary)
    yield loads
    if loads.state is State.PROBLEM:
        return  # nothing of it will be seen, so there is no more to say
    if not library:
        yield from _allocator(binary)
    yield from _sanitizer(binary)
    yield from _own_locks(binary)
    yield from _cuda_runtime(binary)
    yield from _inner_calls(binary)
    yield _names(binary)


def _loads(binary: Binary) -> Check:
    """Whether the loader will bring the probe into it."""

    def problem(found: str, do: str) -> Check:
        means = "the probe is not loaded into it: nothing is recorded"
        return Check("loading", State.PROBLEM, found, means, do, binary.path)

    here = _MACHINES.get(platform.machine(), "")
    if binary.machine != here or binary.bits != 64:
        kind = f"{binary.machine.removeprefix('EM_').lower()}, {binary.bits} bits"
        return problem(f"built for {kind}", f"build it for {platform.machine()}, 64 bits")
    if not binary.dynamic or not (binary.interpreter or binary.library):
        return problem("linked statically", "link it dynamically, at least libc and libpthread")
    if "musl" in binary.interpreter or any("musl" in name for name in binary.needed):
        return problem("linked with musl's libc", "build and run it with glibc")
    how = f"loaded by {binary.interpreter}" if binary.interpreter else "a shared library"
    return Check("loading", State.OK, how, subject=binary.path)


def _allocator(binary: Binary) -> Iterator[Check]:
    own = binary.exports(names("free", "__libc_free"))
    if own:
        yield Check(
            "allocator", State.WARNING, "brings its own free()",
            "locks are not seen to end with their memory: two locks that lie at one address "
            "after each other count as one, which can make orders up",
            "link the allocator as a shared library, or leave it out of this build",
            binary.path,
        )  # fmt: skip
        return
    shared = [
        n for n in binary.needed if n.startswith(("libjemalloc", "libtcmalloc", "libmimalloc"))
    ]
    if shared:
        yield Check(
            "allocator", State.OK, f"{shared[0]}: the probe comes first", subject=binary.path
        )


_SANITIZERS = {
    "AddressSanitizer": names("__asan_init"),
    "ThreadSanitizer": names("__tsan_init"),
    "MemorySanitizer": names("__msan_init"),
}


def _sanitizer(binary: Binary) -> Iterator[Check]:
    for tool, start in _SANITIZERS.items():
        linked = binary.exports(start) or binary.defines(start)
        if not linked and not binary.imports(start):
            continue
        if tool == "AddressSanitizer" and not linked:
            yield Check("sanitizer", State.OK, f"{tool} as a shared library", subject=binary.path)
            continue
        yield Check(
            "sanitizer", State.WARNING, f"built with {tool}",
            "its runtime has pthread functions of its own: they and the probe's are in each "
            "other's way, and locks may be missed",
            "record a build without it",
            binary.path,
        )  # fmt: skip


class _OwnLocks(NamedTuple):
    """Locks that are taken without a call that the probe stands in front of."""

    whose: str
    seen: Callable[[Binary], str]
    do: str


_ABSL = names(r"_ZN4absl(?:\d+lts_\w+?)?5Mutex(?:4[Ll]ock|8LockSlow)\w*")
_FOLLY = names(r"_ZN5folly\w*(?:SharedMutex|MicroLock|MicroSpinLock|DistributedMutex)\w*")
_RUST = names(
    r"_ZN3std3sys\w*futex\w*(?:Mutex|RwLock|Condvar)\w*", r"_RN\w*3std3sys\w*futex\w*",
    r"_ZN\d+parking_lot\w*", r"_RN\w*11parking_lot\w*",
)  # fmt: skip
_OPENMP = names(
    "GOMP_critical_(?:name_)?start", "omp_set_(?:nest_)?lock", "__kmpc_critical(?:_with_hint)?"
)
_TBB = names(r"_ZN3tbb\w*(?:spin_mutex|queuing_mutex|rw_mutex|8rtm_)\w*")
_STATIC = "the static side sees them: lockorder check on the sources"
_OWN_LOCKS = (
    _OwnLocks("absl::Mutex", lambda b: b.defines(_ABSL) or b.imports(_ABSL), _STATIC),
    _OwnLocks("folly's small locks", lambda b: b.defines(_FOLLY) or b.imports(_FOLLY), _STATIC),
    _OwnLocks(
        "Rust's std::sync and parking_lot",
        lambda b: b.defines(_RUST),
        "take the report for its C and C++ parts only",
    ),
    _OwnLocks(
        "Go's runtime",
        lambda b: ".gopclntab" if b.section(".gopclntab") or b.section(".go.buildinfo") else "",
        "take the report for its cgo side only",
    ),
    _OwnLocks("OpenMP", lambda b: b.imports(_OPENMP), "take a std::mutex where order matters"),
    _OwnLocks("TBB's mutexes", lambda b: b.imports(_TBB) or b.defines(_TBB), _STATIC),
)


def _own_locks(binary: Binary) -> Iterator[Check]:
    for kind in _OWN_LOCKS:
        symbol = kind.seen(binary)
        if symbol:
            yield Check(
                "own locks", State.WARNING, f"{kind.whose} ({symbol[:60]})",
                "these locks are taken without a call of pthread: their orders are not recorded",
                kind.do, binary.path,
            )  # fmt: skip


_CUDA_RUNTIME = names("cudaMalloc", "cudaLaunchKernel", "__cudaRegisterFatBinary")


def _cuda_runtime(binary: Binary) -> Iterator[Check]:
    """nvcc links the runtime statically where nobody asks for the shared one (--cudart)."""
    shared = any(name.startswith("libcudart.so") for name in binary.needed)
    has_code = binary.section(".nv_fatbin") or bool(binary.imports(_CUDA_RUNTIME))
    inside = binary.defines(_CUDA_RUNTIME)
    name = binary.path.rpartition("/")[2]
    if name.startswith(("libcudart", "libcuda.")):
        return
    if inside or (
        binary.section(".nv_fatbin") and not shared and not binary.imports(_CUDA_RUNTIME)
    ):
        yield Check(
            "CUDA runtime", State.WARNING, "linked statically (libcudart_static)",
            "calls of cudaFree, cudaMalloc, cudaStreamSynchronize and their like in it are not "
            "seen: no blocking-under-lock and device-sync-hazard from them",
            "build with nvcc --cudart=shared (CMake: CUDA_RUNTIME_LIBRARY Shared)",
            binary.path,
        )  # fmt: skip
    elif has_code:
        yield Check("CUDA runtime", State.OK, "linked as a shared library", subject=binary.path)


_NCCL = ("ncclGroupEnd", "ncclAllReduce", "ncclCommInitRank", "ncclCommInitRankConfig",
         "ncclCommDestroy", "ncclCommAbort")  # fmt: skip


def _inner_calls(binary: Binary) -> Iterator[Check]:
    """NCCL inside of the object that calls it: seen only where the call goes through a slot."""
    if binary.path.rpartition("/")[2].startswith(("libnccl.so", "librccl.so")):
        return
    inside = {n for n in _NCCL if binary.defines(names(n))}
    called = {n for n in _NCCL if n in binary.slots}
    if inside and not inside & called:
        yield Check(
            "NCCL", State.WARNING, "linked statically, its calls bound inside the object",
            "calls of NCCL in it are not seen: no communicators, launches and waits for ranks",
            "link the shared libnccl (PyTorch: build with USE_SYSTEM_NCCL=1)",
            binary.path,
        )  # fmt: skip
    elif inside or called:
        how = "linked statically, called through slots" if inside else "a shared library"
        yield Check("NCCL", State.OK, how, subject=binary.path)


def _names(binary: Binary) -> Check:
    if binary.has_names():
        return Check("names", State.OK, "has a symbol table or a debug file", subject=binary.path)
    return Check(
        "names", State.NOTE, "stripped, and no debug file is here",
        "functions and locks that it does not export are told by address",
        "install its debug package, or set LOCKORDER_DEBUG_PATH to the folder of its debug files",
        binary.path,
    )  # fmt: skip
