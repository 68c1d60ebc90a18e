"""Which smart pointers a deleter can have come to."""

from __future__ import annotations

import pytest

from walks import analysed

SOURCE = """
struct Mark { int number; };
struct Late : Mark {};
void of_anything(void *memory) { delete static_cast<Mark *>(memory); }
void of_marks(Mark *mark) { delete mark; }
void keep() {
    std::shared_ptr<void> any(new Mark, of_anything);
    std::shared_ptr<Mark> one(new Mark, of_marks);
}
"""


@pytest.mark.parametrize(
    ("deleter", "spelling", "found"),
    [
        ("of_anything", "std::shared_ptr<void>", True),
        ("of_anything", "std::shared_ptr<Mark>", False),  # what it came with was no Mark's
        ("of_anything", "std::unique_ptr<Mark>", False),
        ("of_marks", "std::shared_ptr<Mark>", True),
        ("of_marks", "std::shared_ptr<void>", True),  # a pointer to a Mark became one to anything
        ("of_marks", "int", False),
    ],
)
def test_what_a_deleter_can_end(deleter: str, spelling: str, found: bool) -> None:
    engine = analysed(SOURCE)
    (usr,) = engine.program.named(deleter)
    assert engine.points_to.may_delete_of(usr, spelling) is found
