"""Which loops go over all elements of a container by an iterator."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from lockorder.static.program.iterations import Iterations
from walks import walking

TEXT = """
struct thing {};
template <class T> struct place {
  T &operator*() const; place &operator++(); place operator++(int); place &operator=(const place &);
  place &operator+=(int);
};
template <class T> bool operator!=(const place<T> &, const place<T> &);
template <class T> bool operator==(const place<T> &, const place<T> &);
template <class T> void advance(place<T> &, int);
namespace std {
template <class T> struct list { place<T> begin(); place<T> end(); place<T> erase(place<T>); };
}
std::list<thing> all, more;
int n;
void plain() { for (place<thing> i = all.begin(); i != all.end(); ++i) n++; }
void later() { auto i = all.begin(); while (!(i == all.end())) i++; }
void kept_end() { place<thing> e = all.end(); for (auto i = all.begin(); i != e; ++i) n++; }
void erased() { for (auto i = all.begin(); i != all.end();) i = all.erase(i); }
void either() { for (auto i = all.begin(); i != all.end();) if (n) i = all.erase(i); else ++i; }
void twice() { for (auto i = all.begin(); i != all.end(); ++i) ++i; }
void first_left() { auto i = all.begin(); ++i; for (; i != all.end(); ++i) n++; }
void far() { for (auto i = all.begin(); i != all.end(); i += 2) n++; }
void lent() { for (auto i = all.begin(); i != all.end(); ++i) advance(i, 2); }
void other_end() { for (auto i = all.begin(); i != more.end(); ++i) n++; }
void other_erased() { for (auto i = all.begin(); i != all.end();) i = more.erase(i); }
void inner() { for (auto i = all.begin(); i != all.end();) while (n) ++i; }
void after_all() { auto i = all.begin(); do ++i; while (i != all.end()); }
void f() {}
"""


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("plain", True), ("later", True), ("kept_end", True), ("erased", True), ("either", True),
        ("twice", False), ("first_left", False), ("far", False), ("lent", False),
        ("other_end", False), ("other_erased", False), ("inner", False), ("after_all", False),
    ],
)  # fmt: skip
def test_loops_by_an_iterator(name: str, told: bool) -> None:
    program = walking(TEXT).program
    function = next(x for x in program.functions.values() if x.name == name)
    iterations = Iterations(program, function)
    loops = [s for s in f.walk(function.body) if isinstance(s, f.Loop)]
    found = [x for loop in loops if (x := iterations.over(loop)) is not None]
    names = [program.variables[x.usr].name for x in found if isinstance(x, f.Var)]
    assert names == (["all"] if told else [])
