"""Which classes the objects have to which a member holds pointers."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.paths import Path as Place
from lockorder.static.program.steps import ELEMENT

SOURCE = """
#include <map>
#include <memory>
#include <utility>
#include <vector>
struct Base { virtual ~Base() = default; virtual bool first() const = 0; };
struct One : Base { bool first() const override { return true; } };
struct Two : Base { bool first() const override { return false; } };
void outside(std::map<int, std::shared_ptr<Base>> &map);
struct Holder {
    std::map<int, std::shared_ptr<Base>> held;
    std::vector<std::unique_ptr<Base>> listed;
    std::unique_ptr<Base> single;
    void use(int key, std::shared_ptr<Base> given) {
        BODY
    }
};
"""

ONE = {"One"}


@pytest.mark.parametrize(
    ("member", "body", "classes"),
    [
        ("held", "held[key] = std::make_shared<One>();", ONE),
        ("held", "held.emplace(key, std::make_shared<One>());", ONE),
        ("held", "held[key] = given;", None),
        ("held", "if (given->first()) held[key] = given;", ONE),
        ("held", "if (!given->first()) held[key] = given;", {"Two"}),
        ("held", "if (given->first()) { given = held[1]; held[key] = given; }", None),
        ("held", "held[key] = std::make_shared<One>(); outside(held);", None),
        ("held", "held[key] = nullptr;", None),
        ("listed", "listed.push_back(std::make_unique<One>());", ONE),
        ("listed", "listed.emplace_back(new Two());", {"Two"}),
        ("listed", "for (auto &each : listed) each.reset(new One());", ONE),
        ("single", "single = std::make_unique<Two>();", {"Two"}),
        ("single", "std::unique_ptr<Base> other; single.swap(other);", None),
    ],
)
def test_held(tmp_path: Path, member: str, body: str, classes: set[str] | None) -> None:
    """The classes that are put there; None where anything may be, or nothing is."""
    (tmp_path / "a.cpp").write_text(SOURCE.replace("BODY", body))
    engine = analyse([tmp_path / "a.cpp"], Options(root=tmp_path, inline=True, cache=False)).engine
    (usr,) = (u for u, v in engine.program.variables.items() if v.name == f"Holder::{member}")
    found = engine.held_classes.of(Place("this:any", (usr, ELEMENT)))
    assert found == (frozenset(classes) if classes is not None else None)
