"""A type or function that a user declares is read as the standard library's is.

Each program is written twice: with names of std, and with the same names in a namespace whose
templates are declared and have no bodies.  Findings are the same; without the declaration they are
not, which shows that it is the declaration that makes them so.
"""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import NamedTuple

import pytest

from lockorder.commands.checked import to_document
from lockorder.knowledge import KnowledgeFile, extended, load
from lockorder.model import Finding
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

#: What all programs begin with; line numbers count from here.
BEGINS = """\
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>
#include <vector>
"""
LOCKED = """
std::mutex registry;
struct Entry {
    int number = 0;
    Entry() = default;
    ~Entry() { std::lock_guard<std::mutex> g(registry); }
};
"""


class Own(NamedTuple):
    """Declarations, what a configuration says of them, the program, and lines that have findings.

    In the program ``NS`` is the namespace; ``BAD`` marks a line.
    """

    declared: str
    known: str
    program: str
    #: the declaration is needed for the findings, or to be rid of them
    needed: bool = True


PROGRAMS = {
    "a smart pointer": Own(
        """
        template <class T> class unique_ptr {
        public:
            unique_ptr(); explicit unique_ptr(T*); unique_ptr(unique_ptr&&); ~unique_ptr();
            T* operator->() const; T& operator*() const; T* get() const;
            T* release(); void reset(T* = nullptr); unique_ptr& operator=(unique_ptr&&);
        };
        """,
        """
        [[owner]]
        types = ["own::unique_ptr"]
        pointer = true
        destroys = ["reset", "operator="]
        takes = ["operator="]
        """,
        LOCKED
        + """
        void dies() {
            NS::unique_ptr<Entry> e(new Entry);
            std::lock_guard<std::mutex> g(registry);
            e.reset();  // BAD
        }
        Entry* leaves() {
            NS::unique_ptr<Entry> e(new Entry);
            std::lock_guard<std::mutex> g(registry);
            return e.release();
        }
        """,
    ),
    "a lock behind a smart pointer": Own(
        """
        template <class T> class shared_ptr {
        public:
            shared_ptr(); explicit shared_ptr(T*); shared_ptr(const shared_ptr&); ~shared_ptr();
            T* operator->() const; T& operator*() const; T* get() const;
            shared_ptr& operator=(const shared_ptr&);
        };
        template <class T> class weak_ptr {
        public:
            weak_ptr(const shared_ptr<T>&); shared_ptr<T> lock() const;
        };
        """,
        """
        [[owner]]
        types = ["own::shared_ptr"]
        pointer = true
        shared = true
        destroys = ["operator="]

        [[pointer]]
        types = ["own::weak_ptr"]
        shares = ["lock"]
        owner = "own::shared_ptr"
        """,
        """
        struct Node { std::mutex m; std::mutex n; };
        void one(NS::shared_ptr<Node> p) {
            std::lock_guard<std::mutex> a(p->m);
            std::lock_guard<std::mutex> b(p->n);  // BAD
        }
        void two(NS::weak_ptr<Node> w) {
            NS::shared_ptr<Node> p = w.lock();
            std::lock_guard<std::mutex> b(p->n);
            std::lock_guard<std::mutex> a(p->m);
        }
        """,
        needed=False,
    ),
    "the last release": Own(
        """
        template <class T> class shared_ptr {
        public:
            shared_ptr(); explicit shared_ptr(T*); shared_ptr(const shared_ptr&); ~shared_ptr();
            T* operator->() const; T& operator*() const; T* get() const;
            shared_ptr& operator=(const shared_ptr&);
        };
        template <class T> class weak_ptr {
        public:
            weak_ptr(const shared_ptr<T>&); shared_ptr<T> lock() const;
        };
        """,
        """
        [[owner]]
        types = ["own::shared_ptr"]
        pointer = true
        shared = true
        destroys = ["operator="]

        [[pointer]]
        types = ["own::weak_ptr"]
        shares = ["lock"]
        owner = "own::shared_ptr"
        """,
        LOCKED
        + """
        int looks(const NS::weak_ptr<Entry>& w) {
            std::lock_guard<std::mutex> g(registry);  // BAD
            NS::shared_ptr<Entry> e = w.lock();
            return e->number;
        }
        int copies(const NS::shared_ptr<Entry>& kept) {
            std::lock_guard<std::mutex> g(registry);
            NS::shared_ptr<Entry> e = kept;
            return e->number;
        }
        """,
    ),
    "an optional": Own(
        """
        template <class T> class optional {
        public:
            optional(); ~optional(); template <class... A> T& emplace(A&&...);
            void reset(); T* operator->(); T& operator*(); explicit operator bool() const;
        };
        """,
        """
        [[owner]]
        types = ["own::optional"]
        single = true
        destroys = ["reset", "operator="]
        makes = ["emplace"]
        """,
        LOCKED
        + """
        void guarded(bool early) {
            NS::optional<std::lock_guard<std::mutex>> g;
            g.emplace(registry);
            if (early) g.reset();
            if (early) registry.lock(), registry.unlock();
        }
        void twice() {
            NS::optional<std::lock_guard<std::mutex>> g;
            g.emplace(registry);
            registry.lock();  // BAD
            registry.unlock();
        }
        """,
    ),
    "a container": Own(
        """
        template <class T> class vector {
        public:
            vector(); ~vector(); void clear(); void push_back(T);
            template <class... A> T& emplace_back(A&&...); T& operator[](int); T& back();
        };
        """,
        """
        [[owner]]
        types = ["own::vector"]
        destroys = ["clear"]
        makes = ["emplace_back"]
        takes = ["push_back"]
        """,
        LOCKED
        + """
        void drops(NS::vector<std::unique_ptr<Entry>>& all) {
            std::lock_guard<std::mutex> g(registry);
            all.clear();  // BAD
        }
        void keeps(NS::vector<Entry*>& all) {
            std::lock_guard<std::mutex> g(registry);
            all.clear();
        }
        """,
    ),
    "a container from keys to values": Own(
        """
        template <class K, class V> class map {
        public:
            map(); ~map(); V& operator[](const K&); void clear();
        };
        """,
        """
        [[owner]]
        types = ["own::map"]
        map = true
        destroys = ["clear", "operator="]
        """,
        """
        std::mutex registry;
        struct Entry { Entry() { std::lock_guard<std::mutex> g(registry); } };
        void makes(NS::map<int, Entry>& all) {
            std::lock_guard<std::mutex> g(registry);
            all[1];  // BAD
        }
        void keys(NS::map<Entry, int>& all, const Entry& key) {
            std::lock_guard<std::mutex> g(registry);
            all[key];
        }
        """,
        needed=False,
    ),
    "a callable wrapper": Own(
        """
        template <class F> class function;
        template <class R, class... A> class function<R(A...)> {
        public:
            function(); template <class F> function(F); ~function();
            R operator()(A...) const; function& operator=(decltype(nullptr));
        };
        """,
        """
        [[owner]]
        types = ["own::function"]
        callable = true
        shared = true
        destroys = ["operator="]
        """,
        LOCKED
        + """
        struct Task { NS::function<int()> run; };
        void arm(Task& t) {
            auto e = std::make_shared<Entry>();
            t.run = NS::function<int()>([e] { return e->number; });
        }
        void disarm(Task& t) {
            std::lock_guard<std::mutex> g(registry);
            t.run = nullptr;  // BAD
        }
        """,
    ),
    "a thread that its end waits for": Own(
        """
        class jthread {
        public:
            jthread(); template <class F> explicit jthread(F); ~jthread(); void join();
        };
        """,
        """
        [[thread]]
        types = ["own::jthread"]

        [[blocks]]
        names = ["own::jthread::join"]
        waits_for = "a thread"
        joins = "this"

        [[end]]
        types = ["own::jthread"]
        waits = "own::jthread::join"
        """,
        """
        std::mutex registry;
        void works() { std::lock_guard<std::mutex> g(registry); }
        void waits() {
            std::lock_guard<std::mutex> g(registry);  // BAD
            NS::jthread t(works);
        }
        void first() {
            NS::jthread t(works);
            std::lock_guard<std::mutex> g(registry);
        }
        """,
    ),
    "a future that its end waits for": Own(
        """
        template <class T> class future {
        public:
            future(future&&); ~future(); void wait(); T get();
        };
        template <class F> future<void> async(F);
        """,
        """
        [[thread]]
        names = ["own::async"]

        [[blocks]]
        names = ["own::future::wait", "own::future::get"]
        waits_for = "a thread"
        joins = "this"

        [[end]]
        types = ["own::future"]
        waits = "own::future::wait"
        made_by = ["own::async"]
        """,
        """
        std::mutex registry;
        void works() { std::lock_guard<std::mutex> g(registry); }
        void waits() {
            std::lock_guard<std::mutex> g(registry);  // BAD
            auto done = NS::async(works);
        }
        void given(NS::future<void> done) { std::lock_guard<std::mutex> g(registry); }
        """,
    ),
    "what moves and what changes places": Own(
        """
        template <class T> struct bare { using type = T; };
        template <class T> struct bare<T&> { using type = T; };
        template <class T> typename bare<T>::type&& move(T&&);
        template <class T> void swap(T&, T&);
        """,
        """
        [[same]]
        moves = ["own::move"]

        [[swap]]
        names = ["own::swap"]
        """,
        """
        std::mutex registry, other;
        void changes() {
            std::unique_lock<std::mutex> a(registry), b(other, std::defer_lock);
            NS::swap(a, b);
            b.unlock();
            registry.lock();
            registry.unlock();
        }
        void moved() {
            std::unique_lock<std::mutex> a(registry);
            std::unique_lock<std::mutex> b(NS::move(a));
            b.unlock();
            registry.lock();
            registry.unlock();
        }
        void twice() {
            std::unique_lock<std::mutex> a(registry);
            std::unique_lock<std::mutex> b(NS::move(a));
            registry.lock();  // BAD
            registry.unlock();
        }
        """,
        needed=False,
    ),
    "objects in order": Own(
        """
        template <class T> struct less { bool operator()(const T&, const T&) const; };
        """,
        """
        [[compare]]
        less = ["own::less::operator()"]
        """,
        """
        struct Account { std::mutex m; int money; };
        void moves(Account* a, Account* b) {
            if (a == b) return;
            if (NS::less<Account*>()(a, b)) {
                std::lock_guard<std::mutex> one(a->m);
                std::lock_guard<std::mutex> two(b->m);
            } else {
                std::lock_guard<std::mutex> one(b->m);
                std::lock_guard<std::mutex> two(a->m);
            }
        }
        """,
    ),
}


def found(file: Path, text: str, known: KnowledgeFile) -> list[tuple[str, list[int]]]:
    """Rules of findings, and the lines of their locks and calls."""
    file.write_text(text)
    document = to_document(analyse([file], Options(inline=True), extended(known)))
    assert document.problems == ()
    return sorted((f.rule, sorted(_lines(f))) for f in document.findings)


def _lines(finding: Finding) -> set[int]:
    taken = [a for p in finding.participants for a in (*p.held, p.taken) if a is not None]
    chains = [a.chain for a in taken] + [p.chain for p in finding.participants]
    return {frame.line for chain in chains for frame in chain}


@pytest.mark.parametrize("name", PROGRAMS)
def test_an_own_type_is_read_as_the_standard_one(name: str, tmp_path: Path) -> None:
    own = PROGRAMS[name]
    declared = f"namespace own {{\n{textwrap.dedent(own.declared)}}}\n"
    text = BEGINS + declared + textwrap.dedent(own.program)
    standard, ours = (text.replace("NS::", f"{space}::") for space in ("std", "own"))
    nothing = KnowledgeFile()
    expected = found(tmp_path / "std.cpp", standard, nothing)
    bad = [i for i, line in enumerate(text.splitlines(), 1) if "// BAD" in line]
    assert len(expected) == len(bad)
    assert {line for _, lines in expected for line in lines}.issuperset(bad)
    known = load(textwrap.dedent(own.known), "lockorder.toml")
    assert found(tmp_path / "own.cpp", ours, known) == expected
    if own.needed:
        assert found(tmp_path / "undeclared.cpp", ours, nothing) != expected


NAMED_GUARD = """
#include <mutex>
struct Owner { int number = 0; };
class NamedGuard {
public:
    NamedGuard(const char* name, std::mutex& lock);
    ~NamedGuard();
};
std::mutex red, blue, table;
void one(bool dark) {
    NamedGuard outer("one", dark ? red : blue);
    NamedGuard inner("one", table);
}
void two() {
    NamedGuard outer("two", table);
    NamedGuard inner("two", blue);
}
"""


def test_a_guard_s_lock_is_the_argument_that_is_one_or_one_of_several(tmp_path: Path) -> None:
    known = load('[[guard]]\ntypes = ["NamedGuard"]', "lockorder.toml")
    ((rule, lines),) = found(tmp_path / "a.cpp", NAMED_GUARD, known)
    assert (rule, lines) == ("lock-order-cycle", [11, 12, 15, 16])
    alone = NAMED_GUARD.replace("dark ? red : blue", "red")
    assert not found(tmp_path / "b.cpp", alone, known)
