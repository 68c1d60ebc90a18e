"""Functions that nothing can call: private methods, and those of headers from outside."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.link import Program
from lockorder.static.program.uncalled import find

SOURCE = """
struct Base { virtual void turn() = 0; };
class Whole : Base {
public:
    Whole() = default;
    Whole(const Whole &) = delete;
    void open() { called(); hidden(); }
private:
    void called() {}
    void hidden() const {}
    void left() {}
    static void left_static() {}
    template <class T> void left_template(T t) {}
    void ring() { ring(); }
    void turn() override {}
protected:
    void shared() {}
};
class Friendly { friend class Other; void friendly() {} };
class Partial { void partial() {} void elsewhere(); };
class Inner { struct In { void elsewhere(); }; void inner() {} };
template <class T> class Made {
public:
    void go(T t) { t.named(); this->by_this(); }
private:
    void named() {}
    void by_this() {}
    void unmade() {}
};
struct Plain { void plain() {} };
void run() { Made<int *> m; }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("uncalled")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse(
        [folder / "a.cpp"], Options(root=folder, inline=True, cache=False)
    ).engine.program


def test_find(program: Program) -> None:
    found = {program.name_of(usr) for usr in find(program, program.functions)}
    assert found == {
        "Whole::left",
        "Whole::left_static",
        "Whole::left_template",
        "Whole::ring",
        "Made::unmade",
    }


def test_only_those_asked_for(program: Program) -> None:
    (ring,) = program.named("Whole::ring")
    assert find(program, [ring]) == {ring}
    assert find(program, []) == frozenset()


VENDORED = """#pragma once
#include <mutex>
namespace vendored {
inline std::mutex first, second;
using Hold = std::lock_guard<std::mutex>;
inline void used() { Hold a(first); Hold b(second); }
inline void unused() { Hold a(second); Hold b(first); }
inline void kept() { Hold a(second); Hold b(first); }
}
"""


@pytest.mark.parametrize(
    ("text", "asked", "cycle"),
    [
        ("void own() { vendored::used(); }", ["src"], False),
        ("void own() { vendored::used(); }", ["."], True),
        ("void own() { vendored::used(); }", ["src/own.cpp"], True),  # and what it includes
        ("void own() { vendored::used(); vendored::unused(); }", ["src"], True),
        ("void own() { vendored::used(); } void (*kept)() = vendored::kept;", ["src"], True),
        ('#include "own.inc"\nvoid own() { vendored::used(); }', ["src"], True),
    ],
)
def test_headers_from_outside(tmp_path: Path, text: str, asked: list[str], cycle: bool) -> None:
    """A function of one that is only included counts where what is checked comes to it."""
    (tmp_path / "vendor").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "vendor" / "vendored.h").write_text(VENDORED)
    (tmp_path / "src" / "own.inc").write_text(
        "void of_a_file_with_such_a_name() { vendored::kept(); }"
    )
    (tmp_path / "src" / "own.cpp").write_text(f'#include "../vendor/vendored.h"\n{text}\n')
    linked = tmp_path / "linked"
    linked.symlink_to(tmp_path / "src")
    for folder in [linked, tmp_path / "src"] if asked == ["src"] else [tmp_path / asked[0]]:
        graph = analyse([folder], Options(root=tmp_path, inline=True, cache=False)).graph
        orders = {(graph.locks[a].name, graph.locks[b].name) for a, b in graph.edges()}
        assert (len(orders) == 2) is cycle, orders
