"""Names of the standard libraries count, whether or not a header that could be read brings them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.cycles import find_cycles
from lockorder.static.analyse import Analysis, analyse
from lockorder.static.driver.options import Options
from lockorder.static.parse.headers import FALLBACK
from lockorder.static.parse.recovery import standard_names

MISSING = '#include "project/base.h"\n'  # would have brought what is used
STANDARD = """\
std::mutex a, b;
struct S { std::recursive_mutex m; pthread_mutex_t p; } s;
void one() { a.lock(); b.lock(); b.unlock(); a.unlock(); }
void two() { std::lock_guard<std::mutex> x(b); std::unique_lock<std::mutex> y(a); }
"""
USING = """\
using namespace std;
mutex a, b;
void one() { a.lock(); b.lock(); b.unlock(); a.unlock(); }
void two() { lock_guard<mutex> x(b); unique_lock<mutex> y(a); }
"""
POSIX = """\
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b;
void one(void) { pthread_mutex_lock(&a); pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); }
void two(void) { pthread_mutex_lock(&b); pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); }
"""
MEMBERS = """\
struct pool { pthread_mutex_t mu; pthread_rwlock_t rw; int used; };
struct pool only;
void one(void) { pthread_mutex_lock(&only.mu); pthread_rwlock_wrlock(&only.rw);
  pthread_rwlock_unlock(&only.rw); pthread_mutex_unlock(&only.mu); }
void two(void) { pthread_rwlock_wrlock(&only.rw); pthread_mutex_lock(&only.mu);
  pthread_mutex_unlock(&only.mu); pthread_rwlock_unlock(&only.rw); }
"""
KNOWN = """\
absl::Mutex a, b;
void one() { absl::MutexLock x(&a); absl::MutexLock y(&b); }
void two() { b.Lock(); a.Lock(); a.Unlock(); b.Unlock(); }
"""
SHARED = """\
folly::SharedMutex a, b;
void one() { std::unique_lock<folly::SharedMutex> x(a); std::shared_lock<folly::SharedMutex> y(b); }
void two() { b.lock(); a.lock(); a.unlock(); b.unlock(); }
"""


def check(tmp_path: Path, name: str, text: str) -> Analysis:
    file = tmp_path / name
    file.write_text(text)
    return analyse([file], Options(inline=True))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.cpp", STANDARD),
        ("x.cpp", USING),
        ("x.cpp", POSIX),
        ("x.c", POSIX),
        ("x.cpp", MEMBERS),
        ("x.c", MEMBERS),
        ("x.cpp", KNOWN),
        ("x.cpp", SHARED),
        ("x.h", STANDARD),
    ],
)
def test_a_missing_header_hides_no_lock(tmp_path: Path, name: str, text: str) -> None:
    found = check(tmp_path, name, MISSING + text)
    assert len(find_cycles(found.graph).cycles) == 1
    assert found.coverage.headers_missing == ("project/base.h",)
    assert (found.coverage.locks_share, found.problems) == (1.0, [])
    assert sum(f.locks for f in found.coverage.files) == 4


def test_nothing_is_included_that_is_not_used(tmp_path: Path) -> None:
    """A class of the project's own that is called like one of the standard library's."""
    text = MISSING + "struct barrier { void arrive(); };\nbarrier wall;\nstd::mutex m;\n"
    found = check(tmp_path, "x.cpp", text + "void f() { std::lock_guard<std::mutex> g(m); }\n")
    assert [v.type for v in found.engine.program.variables.values() if v.name == "wall"] == [
        "barrier"
    ]


def seen(found: Analysis) -> list[tuple[int, int]]:
    return [(f.locks_seen, f.locks) for f in found.coverage.files]


@pytest.mark.parametrize(
    ("body", "counts"),
    [
        ("m.lock(); m.unlock();", (1, 1)),
        ("std::unique_lock<std::mutex> g(m, std::defer_lock);", (0, 0)),
        ("std::unique_lock<std::mutex> g(m, std::defer_lock); g.lock();", (1, 1)),
        ("std::unique_lock<std::mutex> g(m, std::try_to_lock); if (!g) return;", (1, 1)),
        ("m.lock(); std::lock_guard<std::mutex> g(m, std::adopt_lock);", (1, 1)),
        ("std::unique_lock<std::mutex> g;", (0, 0)),
        (
            "std::unique_lock<std::mutex> g(m); std::unique_lock<std::mutex> h(std::move(g));",
            (1, 1),
        ),
        ("if (m.try_lock()) m.unlock();", (1, 1)),
        ("std::scoped_lock g(m, n);", (1, 1)),
        ("weak.lock();", (0, 0)),  # no lock's
        ("own.lock();", (0, 0)),  # its body was walked, and takes one
        ("r.lock(); r.lock(); r.unlock(); r.unlock();", (2, 2)),
        ("stranger.lock(); stranger.unlock();", (1, 1)),  # declared with both: a lock
        ("project::Thing t; t.lock();", (0, 1)),
        ("unknown->lock();", (0, 1)),
        ("pthread_mutex_lock(handle()); pthread_mutex_unlock(handle());", (1, 1)),
    ],
)
def test_seen_is_what_is_an_acquisition_in_the_result(
    tmp_path: Path, body: str, counts: tuple[int, int]
) -> None:
    text = (
        "#include <memory>\n#include <mutex>\n#include <pthread.h>\n"
        "std::mutex m, n; std::recursive_mutex r; std::weak_ptr<int> weak;\n"
        "struct Own { std::mutex inner; void lock() { inner.lock(); } } own;\n"
        "class Stranger { public: void lock(); void unlock(); } stranger;\n"
        "pthread_mutex_t *handle();\n"
        f"void f() {{ {body} }}\n"
    )
    inner = (1, 1)  # of Own::lock
    found = seen(check(tmp_path, "x.cpp", text))
    assert found == [(counts[0] + inner[0], counts[1] + inner[1])]


@pytest.mark.parametrize("header", sorted(standard_names._CXX.keys() - {"expected"}))
def test_there_is_a_header_of_that_name(header: str) -> None:
    """Of all but what is newer than the bundled declarations."""
    assert (FALLBACK / "c++" / header).is_file()


def test_headers_of_names() -> None:
    header_of = standard_names.header_of
    assert header_of("mutex", "std", True) == "mutex"
    assert header_of("sleep_for", "std::this_thread", True) == "thread"
    assert header_of("mutex", "std", False) == ""
    assert header_of("mutex", "mine", True) == ""
    assert header_of("pthread_mutex_lock", "", True) == "pthread.h"
    assert header_of("mtx_lock", "", False) == "threads.h"
    assert header_of("mtx_lock", "", True) == ""
    assert header_of("my_pthread_thing", "", True) == ""
