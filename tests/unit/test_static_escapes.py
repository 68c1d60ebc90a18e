"""Which names of a function mean objects that nobody else has."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.knowledge import builtin
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.program.escapes import Escapes

HEAD = """\
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>
struct Lot { std::mutex m; int n = 0; Lot *next = nullptr; };
Lot *known;
std::vector<Lot *> many;
void unknown(Lot *);
void look(const Lot &lot) { (void)lot.n; }
void put(Lot *lot) { many.push_back(lot); }
void pick(Lot **out) { *out = known; }
Lot *fresh() { Lot *l = (Lot *)malloc(sizeof *l); if (!l) return nullptr; return l; }
Lot *make_lot() { Lot *l = (Lot *)malloc(sizeof *l); put(l); return l; }
struct Fence { void keep(Lot *l) { lots.push_back(l); } std::vector<Lot *> lots; };
Fence &the_fence() { static Fence fence; return fence; }
struct Yard {
  Fence *fence = nullptr;
  std::shared_ptr<Fence> common;
  std::weak_ptr<Fence> seen;
  std::unique_ptr<Fence> own;
  Fence inner;
  std::vector<Fence *> fences;
  Fence &within() { return inner; }
  Fence &far() { return *fence; }
  Lot *lot = nullptr;
  int n = 0;
  void keep(Lot *l) { lot = l; }
  void ask(Lot *l) { n = l->n; }
  void odd(Lot *l, int k) { if (k) even(l, k - 1); }
  void even(Lot *l, int k) { if (k) odd(l, k - 1); else keep(l); }
};
Yard yard;
void f(Lot *given, Lot **out, Yard &other, int number) {
"""

#: What f does with its ``lot``, and whether that stays its own.
BODIES = {
    "Lot lot; lot.n = number;": True,
    "Lot lot; look(lot);": True,
    "Lot lot; put(&lot);": False,
    "Lot lot; unknown(&lot);": False,
    "Lot lot; known = &lot;": False,
    "Lot lot; *out = &lot;": False,
    "Lot lot; given->next = &lot;": False,
    "Lot lot; lot.next = given;": True,
    "Lot lot; Lot *same = &lot; same->n = number;": True,
    "Lot lot; Lot &same = lot; unknown(&same);": False,
    "Lot lot; Lot next; next.next = &lot; look(next);": True,
    "Lot lot; Lot next; next.next = &lot; put(&next);": False,
    "Lot lot; Yard mine; mine.keep(&lot);": True,
    "Lot lot; yard.keep(&lot);": False,
    "Lot lot; other.keep(&lot);": False,
    "Lot lot; other.ask(&lot);": True,
    "Lot lot; other.odd(&lot, 3);": False,
    "Lot lot; other.even(&lot, 3);": False,
    "Lot lot; Yard mine; mine.odd(&lot, 3);": True,
    "Lot lot; Yard mine; mine.keep(&lot); unknown(mine.lot);": False,
    "Lot lot; std::lock_guard<std::mutex> hold(lot.m);": True,
    "Lot lot; std::thread t([&] { lot.n = 1; }); t.join();": False,
    "Lot lot; std::thread t(look, std::ref(lot)); t.join();": False,
    "Lot lot; number = lot.n; yard.n = lot.n;": True,
    "static Lot lot; look(lot);": False,
    "Lot *lot = given; look(*lot);": False,
    "Lot &lot = *given; look(lot);": False,
    "auto lot = std::make_unique<Lot>(); look(*lot);": True,
    "auto lot = std::make_unique<Lot>(); unknown(lot.get());": False,
    "auto lot = std::make_shared<Lot>(); auto copy = lot; put(copy.get());": False,
    "std::unique_ptr<Lot> lot(new Lot); look(*lot);": True,
    "std::unique_ptr<Lot> lot(given); look(*lot);": False,
    "std::unique_ptr<Lot> lot; lot.reset(given); look(*lot);": False,
    "Lot lot; std::vector<Lot *> mine; mine.push_back(&lot);": True,
    "Lot *lot = (Lot *)calloc(1, sizeof *lot); look(*lot);": True,
    "Lot *lot; lot = (Lot *)malloc(sizeof *lot); look(*lot);": True,
    "Lot *lot = (Lot *)malloc(sizeof *lot); put(lot);": False,
    "Lot *lot = (Lot *)malloc(sizeof *lot); pick(&lot);": False,
    "Lot *lot = (Lot *)malloc(sizeof *lot); Lot *&same = lot; same = given;": False,
    "Lot *lot = nullptr; look(*lot);": False,
    "Lot *lot = (Lot *)malloc(sizeof *lot); lot = given; look(*lot);": False,
    "Lot lot; Yard mine; mine.inner.keep(&lot);": True,
    "Lot lot; Yard mine; mine.own->keep(&lot);": True,
    "Lot lot; Yard mine; mine.within().keep(&lot);": True,
    "Lot lot; Yard mine; mine.fence->keep(&lot);": False,
    "Lot lot; Yard mine; mine.common->keep(&lot);": False,
    "Lot lot; Yard mine; mine.seen.lock()->keep(&lot);": False,
    "Lot lot; Yard mine; mine.far().keep(&lot);": False,
    "Lot lot; Yard mine; mine.fences[0]->keep(&lot);": False,
    "Lot lot; Yard mine; for (auto *each : mine.fences) each->keep(&lot);": False,
    "Lot lot; the_fence().keep(&lot);": False,
    "Lot lot; other.within().keep(&lot);": False,
    "Lot lot; std::vector<Lot *> mine(1); mine[0] = &lot;": True,
    "Lot lot; many[0] = &lot;": False,
    "Lot lot; std::vector<Lot *> mine(1); auto &first = mine[0]; first = &lot;": True,
    "Lot lot; auto &first = many[0]; first = &lot;": False,
    "Lot lot; Lot *some = known; some = &lot;": True,
    "Lot lot; other.inner.lots[0] = &lot;": False,
    "auto lot = std::make_shared<Lot>(); lot->n = number; look(*lot);": True,
    "Lot *lot = fresh(); look(*lot);": True,
    "Lot *lot = make_lot(); look(*lot);": False,
}  # fmt: skip


@pytest.mark.parametrize("body", BODIES)
def test_own(body: str, tmp_path: Path) -> None:
    source = tmp_path / "lot.cpp"
    source.write_text(f"{HEAD}{body}\n}}\n")
    engine = analyse([source], Options(inline=True)).engine
    names = [v for v in engine.program.variables.values() if v.name.split("::")[-1] == "lot"]
    (lot,) = [v for v in names if v.kind in ("local", "static") and "@f#" in f"{v.usr}@f#"]
    function = next(u for u, f in engine.program.functions.items() if f.name == "f")
    escapes = Escapes(engine.program, builtin(), engine.lifetimes)
    assert escapes.is_own(function, lot.usr) is BODIES[body]
