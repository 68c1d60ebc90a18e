"""What there is room for in a place, by its type; and what points-to sets make of it."""

from __future__ import annotations

import pytest

from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.rooms import Room, Rooms
from walks import Walking, walking

TEXT = """
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>
enum class Kind { cpu, gpu };
struct Device { Kind kind; signed char index; };
struct Node { Node *next; std::vector<Node *> users; Device device; std::mutex m; };
struct Timer { std::function<void()> then; long due; };
struct Queue { std::vector<Timer> timers; };
struct Owner { Queue *queue; std::shared_ptr<Timer> timer; int size; };
struct Adder { int by; int operator()(int x) const { return x + by; } };
struct Made { std::unique_ptr<struct Hidden> hidden; };
struct Listener { virtual void heard() = 0; };
struct Tag {};
template <class T> struct Promised { Promised(Promised &&); ~Promised(); T get(); };
struct Table { int (*compare)(int, int); };
struct Base { int a; };
struct Loud : Base { std::function<void()> shout; };
template <class T> struct Box { T inside; int count; };
union Word { long number; float real; };
Box<Device> devices; Box<Timer> timers;
std::atomic<unsigned long> counter;
void hear(Listener *l) { l->heard(); }
void f() {}
"""


@pytest.fixture(name="rooms", scope="module")
def fixture_rooms() -> Rooms:
    return Rooms(walking(TEXT).program)


@pytest.mark.parametrize(
    ("spelling", "room"),
    [
        ("int", Room.NOTHING),
        ("const bool &", Room.NOTHING),
        ("Kind", Room.NOTHING),
        ("std::basic_string<char>", Room.NOTHING),
        ("const char *", Room.NOTHING),
        ("std::vector<Kind>", Room.NOTHING),
        ("char *", Room.ANYTHING),
        ("void *", Room.ANYTHING),
        ("const void *", Room.ANYTHING),
        ("unsigned long", Room.NUMBER),
        ("long[4]", Room.NUMBER),
        ("int *", Room.OBJECTS),
        ("Device", Room.OBJECTS),
        ("const Node *const", Room.OBJECTS),
        ("std::vector<std::unique_ptr<Node>>", Room.OBJECTS),
        ("std::atomic<unsigned long>", Room.OBJECTS),
        ("Word", Room.OBJECTS),
        ("Base", Room.OBJECTS),
        ("Box<Device>", Room.OBJECTS),
        ("Box<Timer>", Room.ANYTHING),
        ("Timer", Room.ANYTHING),
        ("Queue &", Room.ANYTHING),
        ("Queue *", Room.ANYTHING),
        ("Loud", Room.ANYTHING),
        ("Table", Room.ANYTHING),
        ("std::future<void>", Room.ANYTHING),
        ("std::reference_wrapper<Base>", Room.OBJECTS),
        ("Tag", Room.OBJECTS),
        ("Promised<Base>", Room.ANYTHING),
        ("Adder", Room.ANYTHING),
        ("Made", Room.ANYTHING),
        ("Listener *", Room.ANYTHING),
        ("std::function<void ()>", Room.ANYTHING),
        ("void (*)(int)", Room.ANYTHING),
        ("Unheard", Room.ANYTHING),
        ("T", Room.ANYTHING),
        ("auto", Room.ANYTHING),
        # What a member points to has room of its own.
        ("Owner", Room.OBJECTS),
    ],
)
def test_room(rooms: Rooms, spelling: str, room: Room) -> None:
    assert rooms.of(spelling) is room


def _functions(text: str, variable: str) -> list[str]:
    """What *variable* can stand for."""
    here: Walking = walking(text)
    found = PointsTo(here.program, here.engine.knowledge)
    (usr,) = (u for u, v in here.program.variables.items() if v.name == variable)
    return [here.program.functions[u].name for u in found.functions(usr)]


_LIST = """
#include <vector>
template <class T> struct List { void add(T); T last(); unsigned long size(); };
void one() {}
void two() {}
"""


@pytest.mark.parametrize(
    ("body", "variable", "found"),
    [
        ("void (*p)() = one;", "p", ["one"]),
        ("unsigned long n = (unsigned long)one; void (*p)() = (void (*)())n;", "p", ["one"]),
        ("std::vector<void (*)()> l; l.push_back(one); void (*p)() = l.back();", "p", ["one"]),
        # A size is none of what it counts.
        ("List<void (*)()> l; l.add(one); unsigned long n = l.size(); other(n);", "n", []),
        ("List<void (*)()> l; l.add(one); int n = (int)l.size(); other(n);", "n", []),
    ],
)
def test_where_functions_go(body: str, variable: str, found: list[str]) -> None:
    text = f"{_LIST} void other(unsigned long); void f() {{ {body} }}"
    assert _functions(text, variable) == found


_DELETERS = """
#include <memory>
struct Image { int x; }; struct Sound { int y; };
void end(void *p); void end(void *p) {}
void finish(Image *p) { delete p; }
void *raw(); Image *im();
template <class T> std::shared_ptr<Sound> pick(T);
"""


@pytest.mark.parametrize(
    ("body", "variable", "found"),
    [
        ("std::shared_ptr<void> a(raw(), end); std::shared_ptr<void> b = a;", "b", ["end"]),
        ("std::shared_ptr<Image> a(im(), finish); std::shared_ptr<void> b = a;", "b", ["finish"]),
        ("std::shared_ptr<Image> a(im(), finish); std::shared_ptr<Image> b = a;", "b", ["finish"]),
        ("std::shared_ptr<void> a(raw(), end); std::shared_ptr<Sound> b = pick(a);", "b", []),
    ],
)
def test_where_deleters_go(body: str, variable: str, found: list[str]) -> None:
    here = walking(f"{_DELETERS} void f() {{ {body} }}")
    points_to = PointsTo(here.program, here.engine.knowledge)
    (usr,) = (u for u, v in here.program.variables.items() if v.name == variable)
    assert [here.program.functions[u].name for u in points_to.deleters(usr)] == found
