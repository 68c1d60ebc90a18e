"""Structures of C that share a tag: which are one, and which are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

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
