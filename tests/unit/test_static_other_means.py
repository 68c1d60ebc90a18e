"""A lock in two forms behind one interface: what is known of one form is so of the other."""

from __future__ import annotations

import pytest

from lockorder.static.program.other_means import OtherMeans
from walks import walking

FORMS = """
#include <atomic>
#include <mutex>
struct Any { virtual void take() = 0; virtual void give() = 0; };
struct Plain : Any { std::mutex m; void take() override { m.lock(); }
                     void give() override { m.unlock(); } };
struct Own : Any { std::atomic<int> word; void wait();
                   void take() override { int no = 0; TAKE }
                   void give() override { int yes = 1; GIVE } };
void f(Any *a) { a->take(); a->give(); }
"""
SWAPS = {"TAKE": "while (!word.compare_exchange_strong(no, 1)) wait();",
         "GIVE": "word.compare_exchange_strong(yes, 0);"}  # fmt: skip


@pytest.mark.parametrize("missing", ["", "TAKE", "GIVE"])
def test_both_swap_one_member(missing: str) -> None:
    text = FORMS
    for name, body in SWAPS.items():
        text = text.replace(name, "" if name == missing else body)
    engine = walking(text).engine
    found = OtherMeans(engine.program, engine.knowledge, engine.wrappers)
    assert found.classes == ({} if missing else {"Own": {"Plain"}})


def test_a_virtual_call_is_of_the_form_that_is_known() -> None:
    text = FORMS.replace("TAKE", SWAPS["TAKE"]).replace("GIVE", SWAPS["GIVE"])
    program = walking(text).program
    engine = walking(text).engine
    found = OtherMeans(program, engine.knowledge, engine.wrappers)
    bodies = [u for name in ("Plain::take", "Own::take") for u in program.named(name)]
    assert [program.name_of(u) for u in found.among(bodies)] == ["Plain::take"]
