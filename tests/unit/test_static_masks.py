"""Which functions block signals, by what they call."""

from __future__ import annotations

import pytest

from lockorder.static.program.masks import Masks
from walks import analysed

BEFORE = """
extern "C" int pthread_sigmask(int, const void *, void *);
"""
MASK = "pthread_sigmask(0, 0, 0);"


@pytest.mark.parametrize(
    ("text", "blocking"),
    [
        ("void f() { pthread_sigmask(0, 0, 0); }", ["f"]),
        ("void f() { pthread_sigmask(1, 0, 0); }", []),
        ("void f() { pthread_sigmask(2, 0, 0); }", ["f"]),  # a mask of its own
        ("void f(int how) { pthread_sigmask(how, 0, 0); }", ["f"]),
        # What comes back with signals blocked blocks them in its caller.
        ("void f() { pthread_sigmask(0, 0, 0); } void g() { f(); }", ["f", "g"]),
        (
            "void f() { pthread_sigmask(0, 0, 0); pthread_sigmask(2, 0, 0); } void g() { f(); }",
            ["f"],
        ),
        (
            "void f() { pthread_sigmask(0, 0, 0); } void on() { pthread_sigmask(1, 0, 0); }"
            "void g() { f(); on(); } void h() { g(); }",
            ["f", "g"],
        ),
        # By a table of functions.
        (
            "void f() { pthread_sigmask(0, 0, 0); } struct Way { void (*keep_off)(); };"
            "Way way = {f}; void g() { way.keep_off(); }",
            ["f", "g"],
        ),
        ("void f() {} void g() { f(); }", []),
    ],
)
def test_blocks(text: str, blocking: list[str]) -> None:
    engine = analysed(BEFORE + text)
    masks = Masks(engine.program, engine.call_graph, engine.knowledge.callbacks)
    functions = engine.program.functions
    assert sorted(functions[u].name for u in functions if masks.blocks(u)) == blocking


def test_functions_that_call_each_other() -> None:
    """A circle of calls comes to an answer, whichever of them is looked at first."""
    for names in (("f", "g"), ("g", "f")):
        one, two = names
        text = f"void {one}(); void {two}() {{ {one}(); }} void {one}() {{ {MASK} {two}(); }}"
        engine = analysed(BEFORE + text)
        masks = Masks(engine.program, engine.call_graph, engine.knowledge.callbacks)
        functions = engine.program.functions
        assert [functions[u].name for u in functions if masks.blocks(u)] == [names[0]]
