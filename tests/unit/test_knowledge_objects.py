"""What the tables about objects say, by name."""

from __future__ import annotations

import pytest

from lockorder.knowledge import Knowledge, extended, load
from lockorder.static.program.link import Program

OWN = """
[[owner]]
types = ["own::Ref"]
pointer = true
empties = ["drop"]
gives_up = ["detach"]

[[owner]]
types = ["own::Dictionary"]
map = true

[[owner]]
types = ["own::Twins"]
numbered = true
parts = ["left", "right"]

[[owner]]
types = ["own::Maybe"]
single = true

[[pointer]]
types = ["own::Watcher"]
shares = ["win"]
owner = "own::Ref"

[[map]]
endings = ["Table"]

[[same]]
moves = ["own::take"]

[[standard]]
names = ["own::base"]
"""


@pytest.fixture(name="known")
def _known() -> Knowledge:
    return extended(load(OWN, "own.toml"))


@pytest.mark.parametrize(
    ("spelling", "index", "element"),
    [
        ("std::vector<A>", "", "A"),
        ("std::map<K, V>", "", "V"),
        ("absl::flat_hash_map<K, V>", "", "V"),
        ("std::pair<A, B>", "0", "A"),
        ("std::pair<A, B>", "1", "B"),
        ("std::vector<A>", "1", "A"),
        ("own::Dictionary<K, V>", "", "V"),
        ("other::HashTable<K, V>", "", "V"),
        ("own::Twins<A, B>", "1", "B"),
        ("own::Ref<own::Dictionary<K, V>>", "", "V"),
        ("A[3]", "1", "A"),
        ("A", "", "A"),
    ],
)
def test_elements(known: Knowledge, spelling: str, index: str, element: str) -> None:
    assert Program([], known).element_type(spelling, index) == element


def test_own_pointers_are_looked_through(known: Knowledge) -> None:
    program = Program([], known)
    for name in ("own::Ref", "own::Watcher", "std::shared_ptr", "std::reference_wrapper"):
        assert program.is_indirect(f"{name}<A>")
        assert program.pointee(f"const {name}<const A> &") == "A"
    assert not program.is_indirect("own::Maybe<A>")
    assert not Program([]).is_indirect("own::Ref<A>")


@pytest.mark.parametrize(
    ("method", "null", "leaves_nothing"),
    [
        ("own::Ref::drop", True, True),
        ("own::Ref::drop", False, False),
        ("own::Ref::detach", False, True),
        ("own::Ref::reset", True, False),
        ("std::unique_ptr::reset", True, True),
        ("std::unique_ptr::release", True, True),
        ("std::vector::clear", True, False),
    ],
)
def test_what_leaves_a_pointer_null(
    known: Knowledge, method: str, null: bool, leaves_nothing: bool
) -> None:
    assert known.empties(method, null) is leaves_nothing


def test_what_hands_on_its_argument(known: Knowledge) -> None:
    assert {"own::take", "std::move"} <= known.moves & known.same_functions
    assert {"own::Ref", "own::Watcher", "own::Maybe"} <= known.same_types
    assert known.sharing["own::Watcher::win"].owner == "own::Ref"


def test_standard_namespaces(known: Knowledge) -> None:
    for name in ("std::sort", "own::base::sort"):
        assert known.is_standard(name)
    for name in ("own::sort", "standard::sort", "std"):
        assert not known.is_standard(name)
    program = Program([], known)
    assert program.is_standard("c:@N@std@ST>2#T#T@pair@FI@second")
    assert program.is_standard("c:@N@own@N@base@S@A@FI@x")
    assert not program.is_standard("c:@N@own@S@A@FI@x")


def test_methods_that_are_the_pointer_s_own(known: Knowledge) -> None:
    for name in ("get", "drop", "detach"):
        assert known.is_own("own::Ref", name)
    assert known.is_own("own::Watcher", "win")
    assert known.is_own("std::shared_ptr", "get")
    for name in ("lock", "operator->"):
        assert not known.is_own("std::shared_ptr", name)
    assert not known.is_own("std::vector", "clear")
