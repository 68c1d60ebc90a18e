"""Private methods that nothing can call."""

from __future__ import annotations

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
