"""Classes whose objects always end by what their makers gave to a smart pointer."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.program.own_ends import OwnEnds
from walks import program_of

TEXT = """
struct Agent { Agent(int); ~Agent(); };
template <class T> struct counted { counted(T *, void (*)(T *)); counted(T *); };
void drop(Agent *agent) { delete agent; }
std::unique_ptr<Agent, void (*)(Agent *)> made() {
  return std::unique_ptr<Agent, void (*)(Agent *)>(new Agent(1), drop);
}
template <class T> T *fresh() { return new T(2); }
"""


@pytest.mark.parametrize(
    ("more", "ends"),
    [
        ("", ["drop"]),
        ("Agent local(3);", ["drop"]),  # no pointer owns it
        ("void other() { Agent *a = new Agent(4); delete a; }", []),
        ("std::unique_ptr<Agent> plain() { return std::unique_ptr<Agent>(new Agent(5)); }", []),
        ("std::unique_ptr<Agent> by_library() { return std::make_unique<Agent>(6); }", []),
        ("Agent *by_template() { return fresh<Agent>(); }", []),
        ("struct Other { Other(); }; Other *other() { return new Other(); }", ["drop"]),
    ],
)
def test_all_makers_must_say_so(more: str, ends: list[str]) -> None:
    text = TEXT.replace("std::unique_ptr<Agent, void (*)(Agent *)>", "std::held<Agent>")
    text = (
        "namespace std { template <class T> struct held { held(T *, void (*)(T *)); }; }\n" + text
    )
    knowledge = builtin()
    knowledge.owners["std::held"] = knowledge.owners["std::unique_ptr"]
    program = program_of(text + more, knowledge=knowledge)
    found = OwnEnds(program, knowledge).of("Agent")
    assert [program.name_of(usr) for usr in found] == ends
