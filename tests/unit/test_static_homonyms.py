"""Structures of C that share a tag: which are one, and which are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.parse.declarations import Facts
from lockorder.static.program.homonyms import told_apart
from walks import facts_of

ONE = "struct end { int lock; int more; };\nint one(struct end *e) { return e->lock; }\n"
SAME = ONE.replace("one(", "two(")
OTHER = "struct end { int less; int lock; };\nint two(struct end *e) { return e->lock; }\n"
TYPED = "typedef struct { int lock; } end;\nint one(end *e) { return e->lock; }\n"
TYPED_OTHER = "typedef struct { long lock; } end;\nint two(end *e) { return e->lock; }\n"


@pytest.mark.parametrize(
    ("first", "second", "count"),
    [(ONE, OTHER, 2), (ONE, SAME, 1), (TYPED, TYPED_OTHER, 2), (ONE, TYPED, 2)],
)
def test_members(tmp_path: Path, first: str, second: str, count: int) -> None:
    (tmp_path / "one.c").write_text(first)
    (tmp_path / "two.c").write_text(second)
    program = analyse([tmp_path], Options(inline=True)).engine.program
    locks = [v for v in program.variables.values() if v.name == "end::lock"]
    assert len(locks) == count
    assert len({v.usr for v in locks}) == count


def test_a_header_is_one(tmp_path: Path) -> None:
    head, _, body = ONE.partition("\n")
    (tmp_path / "end.h").write_text(head)
    for name in ("one", "two"):
        text = f'#include "end.h"\n{body.replace("one(", name + "(")}'
        (tmp_path / f"{name}.c").write_text(text)
    (tmp_path / "three.c").write_text(OTHER.replace("two(", "three("))
    program = analyse([tmp_path], Options(inline=True)).engine.program
    locks = {v.usr: v.file for v in program.variables.values() if v.name == "end::lock"}
    assert sorted(file.rpartition("/")[2] for file in locks.values()) == ["end.h", "three.c"]


def members(*units: Facts) -> list[set[str]]:
    """Keys of the fields that each unit has."""
    found = told_apart(units)
    return [{v.usr for v in u.variables if v.kind == "field"} for u in found]


def test_units_that_agree_stay_as_they_are() -> None:
    units = [facts_of(ONE, "agree_one.c"), facts_of(SAME, "agree_two.c")]
    assert told_apart(units) == units


def test_members_of_others_get_keys_after_their_file() -> None:
    one, other = members(facts_of(ONE, "apart_one.c"), facts_of(OTHER, "apart_two.c"))
    assert not one & other
    assert all(usr.endswith("apart_one.c") for usr in one)


def test_what_uses_a_member_has_the_new_key() -> None:
    units = told_apart([facts_of(ONE, "use_one.c"), facts_of(OTHER, "use_two.c")])
    for unit in units:
        (own,) = unit.classes
        assert own.usr.endswith(own.file)
        keys = {v.usr for v in unit.variables if v.kind == "field"}
        assert set(own.fields) == keys
        assert any(usr in repr(unit.functions) for usr in keys)


def test_classes_of_cpp_have_one_definition() -> None:
    text = "struct End { int lock; int get() { return lock; } };"
    other = text.replace("int lock", "int less, lock")
    units = [facts_of(text, "cpp_one.cpp"), facts_of(other, "cpp_two.cpp")]
    assert told_apart(units) == units
