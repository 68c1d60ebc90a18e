"""How sure a lock taken twice is, where what makes locks decides whether their holder may do so."""

from __future__ import annotations

from pathlib import Path

from lockorder.commands.checked import to_document
from lockorder.model import Confidence, Level
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options

PROGRAM = Path(__file__).parents[2] / "fixtures/cpp/corpus/kinds/recursive_by_flag_bad.cpp"


def test_a_kind_that_is_decided_at_run_time_is_a_warning() -> None:
    found = to_document(analyse([PROGRAM], Options(inline=True, cache=False))).findings
    told = {f.message.partition(" ")[0]: (f.level, f.confidence) for f in found}
    assert told == {
        "Channel::lock": (Level.WARNING, Confidence.LOW),
        "Channel::side": (Level.ERROR, Confidence.HIGH),
    }
