"""What stands beside a function in tables that are filled as a whole."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.link import Program
from lockorder.static.program.tables import Tables

SOURCE = """
struct Whole { void (*in)(); void (*out)(); void (*more)(); };
struct Pieces { void (*in)(); void (*out)(); };
struct Copied { void (*in)(); void (*out)(); };
void a_in() {} void a_out() {} void b_in() {} void b_out() {} void lone_out() {}
static Whole first = {a_in, a_out, nullptr};
void one_by_one(Whole *t) { t->in = b_in; t->out = b_out; t->more = b_out; }
static Pieces rows = {a_in, a_out};
void other(Pieces *t) { t->in = b_in; t->out = b_out; }
void alone(Pieces *t) { t->out = lone_out; }
static Copied kept = {a_in, a_out};
static Copied second = {b_in, b_out};
void mix(Copied *t) { t->in = kept.in; t->out = second.out; }
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    folder = tmp_path_factory.mktemp("tables")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse(
        [folder / "a.cpp"], Options(root=folder, inline=True, cache=False)
    ).engine.program


@pytest.mark.parametrize(
    ("member", "function", "other", "beside"),
    [
        ("Whole::in", "a_in", "Whole::in", {"a_in"}),
        ("Whole::in", "a_in", "Whole::out", {"a_out"}),
        ("Whole::out", "b_out", "Whole::in", {"b_in"}),
        ("Whole::in", "a_in", "Whole::more", None),  # it has none, and may get one later
        ("Pieces::in", "a_in", "Pieces::out", {"a_out", "lone_out"}),
        ("Pieces::out", "lone_out", "Pieces::in", None),
        ("Copied::in", "a_in", "Copied::out", None),  # of one row, and of the other
    ],
)
def test_what_is_beside(
    program: Program, member: str, function: str, other: str, beside: set[str] | None
) -> None:
    fields = {v.name: usr for usr, v in program.variables.items()}
    functions = {f.name: usr for usr, f in program.functions.items()}
    found = Tables(program).beside(fields[member], functions[function], fields[other])
    names = None if found is None else {program.functions[u].name for u in found}
    assert names == beside
