"""Lists in braces without a type of their own: which class of object each begins."""

from __future__ import annotations

import pytest

from lockorder.static.parse import facts as f
from lockorder.static.program import aggregates, braced
from walks import program_of

BEFORE = """
namespace std { template <class T, size_t N> struct array { T &operator[](size_t); }; }
struct Job { int id; std::mutex *lock; };
struct Made { Made(Job first); Job job; };
Made::Made(Job first) : job(first) {}
struct Base { virtual void got(Job job) = 0; };
struct Heir : Base { void got(Job job) override {} };
void take(Job job, int more) {}
void outside(Job job);
struct Home {
  std::vector<Job> row; std::vector<Job> rows[4]; std::map<int, Job> table;
  std::array<std::vector<Job>, 8> slots; Job one; std::vector<int> numbers;
  Job give(std::mutex *lock) { return {1, lock}; }
  void f(std::mutex *lock, Base &base, Job other, int i) { BODY; }
};
"""


def begun(body: str) -> list[tuple[str, list[str]]]:
    """Types of lists in f, and the fields that each begins then."""
    program = program_of(BEFORE.replace("BODY", body))
    (home,) = (x for x in program.functions.values() if x.name == "Home::f")
    found = list(braced.lists(program, home))
    aggregates.spread(program)
    names = {u: v.name.rpartition("::")[2] for u, v in program.variables.items()}
    return [(spelling, [names[u] for u in value.fields]) for value, spelling in found]


JOB = ("Job", ["id", "lock"])


@pytest.mark.parametrize(
    "body",
    [
        "take({1, lock}, 2)",
        "row.push_back({1, lock})",
        "rows[i].push_back({1, lock})",
        "slots[i % 8].push_back({1, lock})",
        "one = {1, lock}",
        "table[i] = {1, lock}",
        "Made made({1, lock})",
        "static_cast<Heir &>(base).got({1, lock})",
        "base.got({1, lock})",
        "if (i) row.push_back({1, lock})",
    ],
)
def test_who_takes_it_says_what_it_begins(body: str) -> None:
    assert JOB in begun(body)


def test_a_result_says_it_too() -> None:
    program = program_of(BEFORE.replace("BODY", ""))
    (give,) = (x for x in program.functions.values() if x.name == "Home::give")
    ((value, spelling),) = braced.lists(program, give)
    assert (len(value.values), spelling) == (2, "Job")


@pytest.mark.parametrize("body", ["outside({1, lock})", "numbers.push_back(i)", "i = 1"])
def test_elsewhere_nothing_is_said(body: str) -> None:
    assert begun(body) == []


def test_a_list_of_objects_begins_no_fields() -> None:
    assert ("Job", ["id", "lock"]) not in begun("Job a, b; one = a; row.push_back(b)")


def test_one_of_two_is_no_list() -> None:
    program = program_of(BEFORE.replace("BODY", "one = i ? other : one"))
    (home,) = (x for x in program.functions.values() if x.name == "Home::f")
    assert not list(braced.lists(program, home))
    assert all(s.value != f.Lit("") for s in f.walk(home.body) if isinstance(s, f.Assign))
