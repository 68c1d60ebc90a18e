"""Where a call that clang dropped is put back: before what its statement decides or leaves."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from walks import facts_of

#: the argument has a type that nobody declares, so that clang drops the call
LOST = "lost(missing::value<int>(1))"
TEXT = """
int lost(int); void kept();
int f(bool on) {
  %s
  kept();
  return 0;
}
"""


def _body(statement: str) -> list[f.Stmt]:
    (function,) = facts_of(TEXT % statement.replace("LOST", LOST)).functions
    (outermost,) = function.body.body
    assert isinstance(outermost, f.Block)
    return outermost.body


def _kinds(events: list[f.Stmt]) -> list[str]:
    """The calls by their names, and the statements by their kinds."""
    found = []
    for event in events:
        if isinstance(event, f.Call):
            target = event.target
            text = target.text if isinstance(target, f.Name) else getattr(target, "usr", "?")
            found.append("lost" if "lost" in text else "kept" if "kept" in text else "argument")
        else:
            found.append(type(event).__name__)
    return [x for x in found if x not in ("argument", "EndTemporaries")]


def test_a_call_that_is_returned_runs_before_the_return() -> None:
    body = _body("return LOST;")
    assert _kinds(body)[:2] == ["lost", "Return"]
    call = next(e for e in body if isinstance(e, f.Call) and _kinds([e]) == ["lost"])
    back = next(e for e in body if isinstance(e, f.Return))
    assert back.value == f.Result(call.id)


def test_a_call_that_is_a_part_of_what_is_returned() -> None:
    assert _kinds(_body("return 1 + LOST;"))[:2] == ["lost", "Return"]


def test_a_return_without_braces() -> None:
    """The call is on that way alone."""
    body = _body("if (on) return LOST;")
    assert _kinds(body)[:2] == ["If", "kept"]
    chosen = body[0]
    assert isinstance(chosen, f.If)
    assert _kinds(chosen.then.body) == ["lost", "Return"]


def test_a_throw() -> None:
    assert _kinds(_body("throw LOST;"))[:2] == ["lost", "Throw"]


@pytest.mark.parametrize("statement", ["if (LOST) return 1; else return 2;", "if (LOST) kept();"])
def test_a_condition_runs_before_its_branches(statement: str) -> None:
    assert _kinds(_body(statement))[:2] == ["lost", "If"]


def test_what_a_switch_goes_by() -> None:
    assert _kinds(_body("switch (LOST) { default: return 1; }"))[:2] == ["lost", "Switch"]


def test_the_condition_of_a_loop_runs_before_each_round() -> None:
    (loop,) = [e for e in _body("while (LOST) { kept(); }") if isinstance(e, f.Loop)]
    assert _kinds(loop.head.body) == ["lost"]
    assert _kinds(loop.body.body) == ["kept"]


def test_a_call_of_its_own_is_where_it_stands() -> None:
    assert _kinds(_body("kept(); LOST;"))[:3] == ["kept", "lost", "kept"]


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("LIBRARY_API status_t commit(void)", "commit"),
        ("LIBRARY_API entry_t *commit(int n)", "commit"),
        ("LIBRARY_API entry_t **commit(int n)", "commit"),
        ("LIBRARY_API status_t Store::commit(int n)", "Store::commit"),
    ],
)
def test_words_that_nobody_knows_are_no_part_of_a_name(head: str, name: str) -> None:
    functions = facts_of("void kept(); " + head + " { kept(); }").functions
    assert [x.name for x in functions] == [name]
