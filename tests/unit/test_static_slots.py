"""How many threads a semaphore lets in at once."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.engine import Engine
from lockorder.static.program.paths import Path
from lockorder.static.program.slots import Slots

SOURCE = """
#include <memory>
#include <semaphore>
int asked();
std::counting_semaphore<> one{1}, four{4}, unknown{asked()};
extern std::counting_semaphore<> elsewhere;
std::binary_semaphore binary{1};
std::counting_semaphore<1> narrow{asked()};
std::counting_semaphore<> *made = new std::counting_semaphore<>(2);
std::unique_ptr<std::counting_semaphore<>> owned = std::make_unique<std::counting_semaphore<>>(2);
struct Fixed { std::counting_semaphore<> fixed{3}; };
struct Given { explicit Given(int n) : given(n) {} std::counting_semaphore<> given; };
struct Both { explicit Both(int n) : both(n) {} std::counting_semaphore<> both; };
struct Open { explicit Open(int n) : open(n) {} std::counting_semaphore<> open; };
Given only(1);
Both first(1), second(2);
"""
C_SOURCE = """
#include <fcntl.h>
#include <semaphore.h>
struct pool { sem_t room; };
static sem_t plain, helped, alone;
static sem_t *named;
static void begin(sem_t *s, unsigned n) { sem_init(s, 0, n); }
void start(struct pool *p)
{
    sem_init(&plain, 0, 1);
    begin(&helped, 5);
    begin(&alone, 1);
    begin(&p->room, 6);
    named = sem_open("/name", O_CREAT, 0600, 7);
}
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("slots")
    (folder / "a.cpp").write_text(SOURCE)
    (folder / "b.c").write_text(C_SOURCE)
    return analyse([folder], Options(root=folder, inline=True, cache=False)).engine


@pytest.mark.parametrize(
    ("name", "several"),
    [
        ("one", False),
        ("four", True),
        ("unknown", None),
        ("elsewhere", False),
        ("binary", False),
        ("narrow", False),
        ("made", True),
        ("owned", True),
        ("Fixed::fixed", True),
        ("Given::given", False),
        ("Both::both", None),
        ("Open::open", None),
        ("plain", False),
        ("helped", True),
        ("alone", False),
        ("pool::room", True),
        ("named", True),
    ],
)
def test_semaphores_let_in_what_they_begin_with(
    engine: Engine, name: str, several: bool | None
) -> None:
    slots = Slots(engine.program, engine.knowledge, engine.identities.outer)
    (usr,) = (u for u, v in engine.program.variables.items() if v.name == name)
    assert slots.lets_in_several(Path.of_variable(usr)) is several
