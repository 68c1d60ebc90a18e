"""A seeded sample of `make bench-metamorphic`, and what transformations do to small texts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from metamorphic import programs
from metamorphic.campaign import CORPUS, KNOWN, corpus
from metamorphic.cases import Original, Verdict, cases
from metamorphic.transformations import ALL, EVERYWHERE, Variant

PROGRAMS, WAYS, SEED = 15, 4, 1
_chance = random.Random(SEED)
SAMPLE = [
    (program, _chance.sample(sorted(EVERYWHERE), WAYS))
    for program in _chance.sample(corpus(), PROGRAMS)
]

LIBRARY = """\
// two functions and a class
#include <mutex>
std::mutex gate;
int total = 0;
void add(int value) {
  std::lock_guard<std::mutex> hold(gate);
  total += value;
  // add in a comment
}
template <class Value> void twice(Value value) { add(value); add(value); }
class Counter {
 public:
  void up() { add(1); }
  void again();
 private:
  const char* name = "add";
};
void Counter::again() { twice(1); }
void count(Counter& counter) { counter.up(); }
"""


@pytest.fixture
def original(tmp_path: Path) -> Original:
    path = tmp_path / "library.cpp"
    path.write_text(LIBRARY)
    return Original(path, "library.cpp")


def written(original: Original, transformation: str) -> Variant:
    return ALL[transformation](original.reading(), random.Random(SEED))


@pytest.mark.parametrize(("program", "ways"), SAMPLE, ids=[p for p, _ in SAMPLE])
def test_same_findings(program: str, ways: list[str]) -> None:
    """What is written differently has the same findings, in the same places."""
    found = list(cases(CORPUS / program, program, ways, SEED))
    assert [c.transformation for c in found] == ways
    for case in found:
        wrong = case.verdict in (Verdict.DIFFERENT, Verdict.OTHER_PLACES)
        if (case.program, case.transformation) in KNOWN:
            assert wrong, f"the same now: take {case.program} {case.transformation} off KNOWN"
        else:
            assert not wrong, f"{case.transformation}: {case.text}"


def test_own_names_are_replaced_everywhere(original: Original) -> None:
    variant = written(original, "reversed-names")
    text = variant.files.texts["library.cpp"]
    used = set(programs.names(text))
    assert not {"total", "twice", "Counter", "again", "gate"} & used
    assert {"std", "mutex", "lock_guard"} <= used
    assert '"add"' in text
    assert "// add in a comment" in text
    assert programs.renamed(text, variant.old) == LIBRARY


def test_lines_are_told_as_they_were(original: Original) -> None:
    variant = written(original, "functions-reversed")
    lines = variant.files.texts["library.cpp"].splitlines()
    count = lines.index("void count(Counter& counter) { counter.up(); }")
    add = lines.index("void add(int value) {")
    assert count < add
    assert variant.files.origin("library.cpp", add + 2) == ("library.cpp", 6)
    assert "void add(int value);" in lines
    assert "template <class Value> void twice(Value value);" in lines


def test_units_are_split(original: Original) -> None:
    texts = written(original, "split").files.texts
    assert len(texts) == 3
    assert "void count(Counter& counter);" in texts["shared_part.h"]
    assert "void count(Counter& counter) { counter.up(); }" not in texts["shared_part.h"]


def test_everything_is_accepted(original: Original) -> None:
    found = original.reading()
    for name in EVERYWHERE:
        verdict = original.case(found, name, SEED).verdict
        assert verdict in (Verdict.SAME, Verdict.NOT_APPLICABLE), name
