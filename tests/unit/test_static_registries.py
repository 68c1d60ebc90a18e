"""Callables that a library keeps and runs later, as ``[[callback]]`` declares it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.commands.checked import to_document
from lockorder.knowledge.load import extended, load
from lockorder.model import Finding
from lockorder.static.analyse import analyse
from lockorder.static.driver.planning import Options

LIBRARY = """\
#include <functional>
#include <memory>
#include <mutex>
namespace lib {
struct Event;
class EventLoop {
 public:
  void onReadable(int fd, std::function<void()> callback);
  void onData(int fd, void (*callback)(void *), void *data);
  void onError(std::function<void()> report, std::function<void()> recover);
  template <class F> void onIdle(F callback);
  template <class F, class T> void onClose(F callback, T *object);
  void dispatch();
};
class Watcher {
 public:
  Watcher(EventLoop &loop, std::function<void()> callback);
};
void on_signal(void (*callback)());
void poll_signals();
}  // namespace lib
"""

#: The same for quick tests: most of the time goes into the standard headers.
PLAIN = (
    LIBRARY.replace("#include <functional>\n#include <memory>\n", "")
    .replace("std::function<void()>", "void (*)()")
    .replace("void (*)() callback", "void (*callback)()")
    .replace("void (*)() report, void (*)() recover", "void (*)(), void (*)()")
)
#: The callback takes the table's lock; who dispatches holds the queue's.
SHARED = """\
std::mutex queue;
lib::EventLoop loop;
"""
PROGRAM = """\
std::mutex table;
void touch() { std::lock_guard<std::mutex> hold(table); }
void touch_data(void *) { touch(); }
struct Touch { void operator()() const { touch(); } };
struct Server {
  void ready() { touch(); }
  std::function<void()> kept_;
  void start();
};
void insert() { std::lock_guard<std::mutex> t(table); std::lock_guard<std::mutex> q(queue); }
"""
SIMPLE = SHARED + PROGRAM.replace("  std::function<void()> kept_;\n", "")
DISPATCH = "void poll() { std::lock_guard<std::mutex> q(queue); loop.dispatch(); }\n"

DECLARED = """\
[[callback]]
registers = [
    "lib::EventLoop::onReadable", "lib::EventLoop::onData", "lib::EventLoop::onError",
    "lib::EventLoop::onIdle", "lib::EventLoop::onClose", "lib::Watcher", "lib::on_signal",
]
runs = ["lib::EventLoop::dispatch", "lib::poll_signals"]
"""

WAYS = {
    "lambda": "void go() { loop.onReadable(3, [] { touch(); }); }",
    "function": "void go() { loop.onReadable(3, touch); }",
    "address": "void go() { loop.onReadable(3, &touch); }",
    "pointer": "void go() { void (*p)(void *) = touch_data; loop.onData(3, p, nullptr); }",
    "variable": "void go() { auto f = [] { touch(); }; loop.onIdle(f); }",
    "std::function": "void go() { std::function<void()> f = touch; loop.onReadable(3, f); }",
    "moved": "void go() { std::function<void()> f = touch; loop.onReadable(3, std::move(f)); }",
    "member": "void Server::start() { kept_ = touch; loop.onReadable(3, kept_); }",
    "parameter": "void on(std::function<void()> f) { loop.onReadable(3, f); } "
    "void go() { on([] { touch(); }); }",
    "template": "template <class F> void on(F &&f) { loop.onIdle(std::forward<F>(f)); } "
    "void go() { on([] { touch(); }); }",
    "bind": "void Server::start() { loop.onReadable(3, std::bind(&Server::ready, this)); }",
    "method": "void Server::start() { loop.onClose(&Server::ready, this); }",
    "captured": "void Server::start() { loop.onReadable(3, [this] { ready(); }); }",
    "object": "void go() { loop.onReadable(3, Touch()); }",
    "object's variable": "void go() { Touch t; loop.onReadable(3, t); }",
    "second of two": "void go() { loop.onError([] {}, [] { touch(); }); }",
    "constructor": "void go() { static lib::Watcher w(loop, [] { touch(); }); }",
    "new": "void go() { new lib::Watcher(loop, [] { touch(); }); }",
    "make_unique": "std::unique_ptr<lib::Watcher> w; "
    "void go() { w = std::make_unique<lib::Watcher>(loop, [] { touch(); }); }",
    "returned": "std::function<void()> make() { return [] { touch(); }; } "
    "void go() { loop.onReadable(3, make()); }",
    "chosen": "void nothing(); void go(bool b) { loop.onReadable(3, b ? touch : nothing); }",
}


def findings(tmp_path: Path, source: str, declared: str = "") -> list[Finding]:
    file = tmp_path / "program.cpp"
    file.write_text(source)
    options = Options(root=tmp_path, inline=True, cache=False)
    analysis = analyse([file], options, extended(load(declared, "test")))
    assert not analysis.problems
    return list(to_document(analysis).findings)


def rules(tmp_path: Path, source: str, declared: str = "") -> list[str]:
    return [f.rule for f in findings(tmp_path, source, declared)]


@pytest.fixture(scope="module")
def found_by_way(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Names of the tables whose locks are part of a finding, with one program for all ways."""
    found = findings(tmp_path_factory.mktemp("ways"), ways(DISPATCH), DECLARED)
    assert {f.rule for f in found} == {"lock-order-cycle"}
    return {lock for f in found for lock in f.locks}


def ways(dispatch: str) -> str:
    each = (f"namespace way{i} {{\n{PROGRAM}{way}\n}}\n" for i, way in enumerate(WAYS.values()))
    return LIBRARY + SHARED + "".join(each) + dispatch


@pytest.mark.parametrize("way", WAYS)
def test_every_way_to_register(found_by_way: set[str], way: str) -> None:
    assert f"way{list(WAYS).index(way)}::table" in found_by_way


def test_no_way_without_the_declaration_or_the_lock(tmp_path: Path) -> None:
    assert rules(tmp_path, ways(DISPATCH)) == []
    assert rules(tmp_path, ways("void poll() { loop.dispatch(); }\n"), DECLARED) == []


def test_a_library_without_its_header(tmp_path: Path) -> None:
    source = """\
#include <lib/gone.h>
#include <mutex>
std::mutex table, queue;
void touch() { std::lock_guard<std::mutex> hold(table); }
void go() { lib_on_signal(touch); }
void poll() { std::lock_guard<std::mutex> q(queue); lib::poll_signals(1); }
void insert() { std::lock_guard<std::mutex> t(table); std::lock_guard<std::mutex> q(queue); }
"""
    declared = '[[callback]]\nregisters = ["lib_on_signal"]\nruns = ["lib::poll_signals"]\n'
    assert rules(tmp_path, source, declared) == ["lock-order-cycle"]
    assert rules(tmp_path, source) == []


def test_registering_does_not_run(tmp_path: Path) -> None:
    """A free function's callable counts as called at once, unless somebody says who keeps it."""
    start = "void go() { std::lock_guard<std::mutex> q(queue); lib::on_signal(touch); }\n"
    source = PLAIN + SIMPLE + start
    assert rules(tmp_path, source) == ["lock-order-cycle"]
    assert rules(tmp_path, source, DECLARED) == []
    poll = "void poll() { std::lock_guard<std::mutex> q(queue); lib::poll_signals(); }\n"
    assert rules(tmp_path, source + poll, DECLARED) == ["lock-order-cycle"]


def test_only_the_arguments_that_are_named(tmp_path: Path) -> None:
    source = PLAIN + SIMPLE + WAYS["second of two"] + "\n" + DISPATCH
    assert rules(tmp_path, source, DECLARED + "arguments = [1]\n") == ["lock-order-cycle"]
    assert rules(tmp_path, source, DECLARED + "arguments = [0]\n") == []


def test_registries_are_told_apart(tmp_path: Path) -> None:
    """What one table's functions keep, another's do not run."""
    source = PLAIN + SIMPLE + WAYS["lambda"] + "\n"
    source += "void poll() { std::lock_guard<std::mutex> q(queue); lib::poll_signals(); }\n"
    declared = """\
[[callback]]
registers = ["lib::EventLoop::onReadable"]
runs = ["lib::EventLoop::dispatch"]
[[callback]]
registers = ["lib::on_signal"]
runs = ["lib::poll_signals"]
"""
    assert rules(tmp_path, source, declared) == []
    assert rules(tmp_path, source, DECLARED) == ["lock-order-cycle"]


def test_the_story_names_both_sides(tmp_path: Path) -> None:
    source = PLAIN + SIMPLE + WAYS["lambda"] + "\n" + DISPATCH
    (found,) = findings(tmp_path, source, DECLARED)
    assert {p.who for p in found.participants} == {"poll", "insert"}
    chains = [p.taken.chain for p in found.participants if p.taken is not None]
    assert ["poll", "go::(lambda)", "touch"] in [[f.function for f in c] for c in chains]


# -- locks that the library holds -----------------------------------------------------------------

NAMED = """
[[named]]
name = "loop lock"
[[function]]
names = ["lib::EventLoop::onError"]
acquires = "loop lock"
releases = "loop lock"
"""
#: The registering side: the table's lock is held while the library takes its own.
ERROR = (
    "void insert_more() { std::lock_guard<std::mutex> t(table); loop.onError(nullptr, nullptr); }\n"
)


def test_the_library_holds_a_lock_while_it_runs_callbacks(tmp_path: Path) -> None:
    source = PLAIN + SIMPLE + WAYS["lambda"] + "\nvoid poll() { loop.dispatch(); }\n" + ERROR
    declared = DECLARED.replace('"lib::EventLoop::onError",', "")
    (found,) = findings(tmp_path, source, declared + 'holds = "loop lock"\n' + NAMED)
    assert found.rule == "lock-order-cycle"
    assert set(found.locks) == {"loop lock", "table"}
    assert rules(tmp_path, source, declared + NAMED) == []


def test_a_thread_of_the_library_holds_a_lock(tmp_path: Path) -> None:
    source = PLAIN + SIMPLE + WAYS["lambda"] + "\n" + ERROR
    declared = '[[callback]]\nregisters = ["lib::EventLoop::onReadable"]\nthread = true\n'
    (found,) = findings(tmp_path, source, declared + 'holds = "loop lock"\n' + NAMED)
    assert set(found.locks) == {"loop lock", "table"}
    assert rules(tmp_path, source, declared + NAMED) == []


PYTHON = """\
#include <Python.h>
void hook() { touch(); }
void go() { loop.onReadable(3, hook); }
void attach() {
  std::lock_guard<std::mutex> t(table);
  PyGILState_STATE s = PyGILState_Ensure();
  PyGILState_Release(s);
}
"""


@pytest.mark.parametrize("who", ["thread = true", 'runs = ["lib::EventLoop::dispatch"]'])
def test_the_gil(tmp_path: Path, who: str) -> None:
    poll = "void poll() { loop.dispatch(); }\n"
    source = PLAIN + SIMPLE + PYTHON + poll
    declared = f'[[callback]]\nregisters = ["lib::EventLoop::onReadable"]\n{who}\n'
    assert rules(tmp_path, source, declared + 'holds = "Python GIL"\n') == ["gil-lock-cycle"]
    assert rules(tmp_path, source, declared) == []


# -- threads of the library -----------------------------------------------------------------------

STARTUP = """\
void order_one() { std::lock_guard<std::mutex> t(table); std::lock_guard<std::mutex> q(queue); }
void order_two() { std::lock_guard<std::mutex> q(queue); std::lock_guard<std::mutex> t(table); }
int main() {
  %s
  order_two();
}
"""


def test_a_librarys_thread_meets_main(tmp_path: Path) -> None:
    """Before it is registered nothing else runs; afterwards the callback may."""
    before = PLAIN + SHARED + "std::mutex table;\n"
    thread = '[[callback]]\nregisters = ["lib::EventLoop::onReadable"]\nthread = true\n'
    source = before + STARTUP % "loop.onReadable(3, order_one);"
    assert rules(tmp_path, source, thread) == ["lock-order-cycle"]
    dispatched = thread.replace("thread = true", 'runs = ["lib::EventLoop::dispatch"]')
    source = before + STARTUP % "loop.onReadable(3, order_one); loop.dispatch();"
    assert rules(tmp_path, source, dispatched) == []
