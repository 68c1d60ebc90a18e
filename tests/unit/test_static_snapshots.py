"""Local copies of containers of shared pointers: whether all that they share is elsewhere, too."""

from __future__ import annotations

import pytest

import walks
from lockorder.static.interp import snapshots
from lockorder.static.parse import facts as f

TEXT = """
#include <memory>
#include <mutex>
#include <utility>
#include <vector>
struct Work { ~Work() { mu.lock(); mu.unlock(); } static std::mutex mu; };
std::vector<std::shared_ptr<Work>> all;
std::vector<Work> values;
std::mutex mu;
void fill(std::vector<std::shared_ptr<Work>> &);
void copied() { mu.lock(); auto some = all; some.pop_back(); mu.unlock(); }
void moved() { mu.lock(); auto some = std::move(all); mu.unlock(); }
void of_values() { mu.lock(); auto some = values; mu.unlock(); }
void filled() { mu.lock(); auto some = all; some.push_back(std::make_shared<Work>()); mu.unlock(); }
void handed() { mu.lock(); auto some = all; fill(some); mu.unlock(); }
"""


@pytest.mark.parametrize(
    ("function", "elsewhere"),
    [
        ("copied", True), ("moved", False), ("of_values", False), ("filled", False),
        ("handed", False),
    ],
)  # fmt: skip
def test_what_a_copy_shares_is_elsewhere(function: str, elsewhere: bool) -> None:
    walk = walks.walking(TEXT, function)
    state = walk.holding("mu")
    (held,) = state.held
    (place,) = walk.statements(f.Local)
    site = held.site._replace(function=walk.function.usr, line=place.line, column=0)
    holding = state.but(held=(held._replace(site=site),))
    assert snapshots.has_all_elsewhere(walk.walk, holding, walk.at("some")) is elsewhere


def test_only_while_a_lock_is_held_from_before_the_copy() -> None:
    walk = walks.walking(TEXT, "copied")
    state = walk.holding("mu")
    assert not snapshots.has_all_elsewhere(walk.walk, state.but(held=()), walk.at("some"))
    (held,) = state.held
    later = held._replace(site=held.site._replace(function=walk.function.usr, line=99))
    assert not snapshots.has_all_elsewhere(walk.walk, state.but(held=(later,)), walk.at("some"))
