"""Names of functions, places and locks in recorded runs."""

from __future__ import annotations

import pytest

from lockorder.model import Lock, LockKind, duration
from lockorder.recorded.merge import renamed, seen_text
from lockorder.recorded.names import final
from lockorder.recorded.process import SEPARATOR, Process
from lockorder.recorded.symbolize import Symbolizer, plain
from runtime_probe.layout import Kind
from runtime_probe.trace import read_trace
from traces import Program, Recording


@pytest.mark.parametrize(
    ("demangled", "name"),
    [
        ("main", "main"),
        ("Pool::grow()", "Pool::grow"),
        ("Pool::grow(int, std::string) const", "Pool::grow"),
        ("std::vector<int> util::copy<int>(int const*)", "util::copy<int>"),
        ("(anonymous namespace)::start(int)", "(anonymous namespace)::start"),
        ("ns::(anonymous namespace)::f()", "ns::(anonymous namespace)::f"),
        ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda(int)#1}::operator()"),
        ("Reader::operator bool() const", "Reader::operator bool"),
        ("void std::__invoke_impl<void, main::{lambda()#1}>(x)",
         "std::__invoke_impl<void, main::{lambda()#1}>"),
    ],
)  # fmt: skip
def test_plain(demangled: str, name: str) -> None:
    assert plain(demangled) == name


def process_of(recording: Recording, tmp_path, symbols=None) -> Process:
    trace = read_trace(recording.write(tmp_path))
    return Process(trace, Symbolizer(symbols or recording.program))


def chain(process: Process, *pcs: int) -> list[tuple[str, int]]:
    return [(f.function, f.line) for f in process.places.chain(pcs)]


def test_chains_leave_wrappers_and_starts_out(tmp_path) -> None:
    r = Recording()
    inlined = r.pc(
        ("std::mutex::lock()", "std_mutex.h", 100),
        ("std::lock_guard<std::mutex>::lock_guard(std::mutex&)", "std_mutex.h", 229),
        ("Pool::grow()", "pool.cpp", 12),
    )
    rest = [
        r.pc(place)
        for place in (
            ("main::{lambda()#1}::operator()() const", "app.cpp", 4),
            ("void std::__invoke_impl<void, main::{lambda()#1}>(x)", "invoke.h", 61),
            ("start_thread", "pthread_create.c", 447),
        )
    ]
    probe = 0x7F00_0000_0000
    r.module("/x/liblockorder_probe.so", probe, probe, probe + 4096)
    process = process_of(r, tmp_path)
    assert chain(process, probe + 16, inlined, *rest) == [
        ("main::{lambda()#1}::operator()", 4),
        ("Pool::grow", 12),
    ]


def test_a_return_address_belongs_to_its_call(tmp_path) -> None:
    r = Recording()
    first, second = r.pc(("before", "a.c", 1)), r.pc(("after", "a.c", 2))
    assert second == first + 16  # the byte after the first call is the second function's
    assert chain(process_of(r, tmp_path), first) == [("before", 1)]


def test_without_symbols_places_are_addresses_in_modules(tmp_path) -> None:
    r = Recording()
    r.named("a")
    process = process_of(r, tmp_path, Program("/another/program"))
    assert chain(process, r.pc(("f", "a.c", 1)), 0x10) == [("0x10", 0), ("trainer+0x100f", 0)]
    assert process.declared[process.classes[1]].name == "trainer+0x100000"


def test_a_lock_that_a_library_made_belongs_to_who_asked(tmp_path) -> None:
    system = Program("/usr/lib/libstdc++.so.6", "99")
    r = Recording()
    base = 0x7F00_0000_0000
    r.module(system.path, base, base, base + 0x200000, "99")
    made = r.stack(base + 0x1010, ("Log::Log()", "log.cpp", 20))
    r.lock(0x10, Kind.SPIN, made=made)
    process = process_of(r, tmp_path)
    assert process.declared[process.classes[1]].name == "spin lock made in Log::Log (log.cpp:20)"


def test_two_mutexes_in_one_object(tmp_path) -> None:
    r = Recording()
    at = r.bias + r.program.variable("queue")
    names = [r.lock(at), r.lock(at + 40)]
    process = process_of(r, tmp_path)
    assert [process.declared[process.classes[n]].name for n in names] == ["queue", "queue+0x28"]


def test_final_ids_count_places_of_one_function() -> None:
    def made(line: int, word: str = "mutex") -> Lock:
        key = SEPARATOR.join(("", "place", "Pool::Pool", word, "src/pool.cpp", str(line)))
        return Lock(key, f"{word} {line}", LockKind.MUTEX, "src/pool.cpp", line)

    locks = [made(12), made(7), made(3, "spin lock"), Lock("Python GIL", "Python GIL")]
    names, renamed_locks = final(locks)
    assert [names[k.id] for k in locks] == [
        "mutex of Pool::Pool (pool.cpp) #2",
        "mutex of Pool::Pool (pool.cpp)",
        "spin lock of Pool::Pool (pool.cpp)",
        "Python GIL",
    ]
    assert {k.id for k in renamed_locks} == set(names.values())
    assert renamed((locks[0], "x"), names) == (
        Lock("mutex of Pool::Pool (pool.cpp) #2", "mutex 12", LockKind.MUTEX, "src/pool.cpp", 12),
        "x",
    )


@pytest.mark.parametrize(
    ("who", "text"),
    [
        ([3], "rank 3"),
        ([0, 1, 2, 5], "ranks 0-2, 5"),
        ([*range(512)], "ranks 0-511"),
        ([-1], "process 0"),
        ([-1, -1], "2 processes"),
        ([0, 1, -1], "ranks 0-1 and process 2"),
    ],
)
def test_who_showed_it(who: list[int], text: str) -> None:
    assert seen_text({(rank, "node", pid) for pid, rank in enumerate(who)}) == text


def test_durations() -> None:
    times = [0, 999, 1500, 2_000_000, 4_000_000_000, 200 * 10**9]
    assert [duration(t) for t in times] == ["0 ns", "999 ns", "1.5 µs", "2.0 ms", "4.0 s", "3 min"]


def test_an_address_between_the_segments_of_another_object_is_that_ones(tmp_path) -> None:
    r = Recording()
    far = 0x7F00_0000_0000
    r.module("/x/libwide.so", far, far, far + 0x100000)
    for i in range(1, 9):
        r.module(f"/x/libsmall{i}.so", far + 0x1000 * i, far + 0x1000 * i, far + 0x1000 * i + 16)
    process = process_of(r, tmp_path, Program("/another/program"))
    assert chain(process, far + 0x9000) == [("libwide.so+0x8fff", 0)]
    assert chain(process, far + 0x3008) == [("libsmall3.so+0x7", 0)]
    assert process.places.module(far + 0x100000) is None
