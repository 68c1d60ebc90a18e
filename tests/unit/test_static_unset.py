"""Which classes' objects never have anything in a member of their base."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.unset import Unset

SOURCE = """
#include <functional>
#include <utility>
using Call = std::function<void(int)>;
struct Base {
    explicit Base(int number, Call call = nullptr) : call(std::move(call)), number(number) {}
    virtual ~Base() = default;
    void run() { if (call) call(number); }
    void clear() { call = nullptr; }
    Call call;
    int number;
};
struct Given : Base { explicit Given(Call call) : Base(1, call) {} };
struct Plain : Base { Plain() : Base(1) {} };
struct Below : Plain { Below() : Plain() {} };
struct Named : Base { Named() : Base(1, nullptr) {} };
struct Empty : Base { Empty() : Base(1, {}) {} };
struct Ways : Base { Ways() : Base(1) {} explicit Ways(Call call) : Base(2, call) {} };
struct Kept : Base { Kept() = delete; explicit Kept(int) : Base(1) {} };
struct Away : Base { Away(); };
Away *away() { return new Away(); }
struct Other { Base *base; };
BODY
"""

ALL = {"Plain", "Below", "Named", "Empty", "Kept"}


@pytest.mark.parametrize(
    ("body", "classes"),
    [
        ("", ALL),
        ("void f(Plain &plain, Call call) { plain.call = call; }", {"Named", "Empty", "Kept"}),
        ("void f(Below &below, Call call) { below.call = call; }", ALL - {"Below"}),
        ("void f(Base &base, Call call) { base.call = call; }", set()),
        ("void f(Other &other, Call call) { other.base->call = call; }", set()),
        ("void f(Base &base, Call call) { base.call.swap(call); }", set()),
        ("void f(Base &base) { base.call = nullptr; base.clear(); }", ALL),
        ("struct More : Base { More() : Base(1) { call = [](int) {}; } };", ALL),
    ],
)
def test_lacking(tmp_path: Path, body: str, classes: set[str]) -> None:
    (tmp_path / "a.cpp").write_text(SOURCE.replace("BODY", body))
    engine = analyse([tmp_path / "a.cpp"], Options(root=tmp_path, inline=True, cache=False)).engine
    (member,) = (u for u, v in engine.program.variables.items() if v.name == "Base::call")
    assert isinstance(engine.unset, Unset)
    assert engine.unset.lacking(member) == classes
