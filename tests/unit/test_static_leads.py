"""What a value is a name of: which object it lies in, or that others may lead there as well."""

from __future__ import annotations

import pytest

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.program.leads import Behind, Leads, is_scalar
from lockorder.static.program.link import Program
from walks import program_of

BEFORE = """
struct Node { int n; };
struct Inner { Node *far; Node near; };
struct Home {
  Inner inner; Node *plain; Node own; std::shared_ptr<Node> shared; std::unique_ptr<Node> alone;
  std::vector<Node> row; std::vector<Node *> others; std::map<int, Node> table; Node two[2];
  Node &mine() { return own; }
  Node *its() { return plain; }
  Node &given(Node &node) { return node; }
  Node &either(Node &node, bool b) { return b ? node : own; }
  Node &deep(Node &node) { return given(node); }
  Node copy() { return own; }
  Node &found(int i) { Node &there = table[i]; return there; }
  Home &itself() { return *this; }
  Node *made() { return new Node; }
  Node &round(Node &node, int i) { return i ? round(node, i - 1) : own; }
};
Node &global() { static Node node; return node; }
void see(Node &);
void see(Node *);
"""


def told(program: Program, value: f.Value | None) -> str:
    """What a root is called; ``others`` where others may lead there."""
    if value is None:
        return "others"
    return program.variables[value.usr].name if isinstance(value, f.Var) else "it"


def roots(text: str) -> set[str]:
    """The variables of f that the argument of ``see(text)`` lies in or leads to."""
    before = "void f(Home &home, std::shared_ptr<Home> kept, Node &node, int i) {"
    program = program_of(f"{BEFORE}{before} {text}; }}")
    (function,) = (x for x in program.functions.values() if x.name == "f")
    calls = [s for s in f.walk(function.body) if isinstance(s, f.Call)]
    (value,) = (s.args[0] for s in calls if program.called(s) == "see")
    found = Leads(program, builtin()).roots(function, value)
    names = {told(program, v) for v in found}
    return names - {"it"}


@pytest.mark.parametrize(
    "text",
    [
        "see(home.own)",
        "see(home.inner.near)",
        "see(home.two[i])",
        "see(home.row[i])",
        "see(home.row.at(i))",
        "see(home.table[i])",
        "see(home.alone.get())",
        "see(*home.alone)",
        "see(home.mine())",
        "see(home.found(i))",
        "see(home.itself().mine())",
        "see(home.round(node, i)), (void)node",
    ],
)
def test_a_part_lies_in_its_object(text: str) -> None:
    assert "home" in roots(text)
    assert "others" not in roots(text)


@pytest.mark.parametrize(
    "text",
    [
        "see(home.plain)",
        "see(home.inner.far)",
        "see(home.shared.get())",
        "see(*home.shared)",
        "see(home.others[i])",
        "see(home.its())",
        "see(global())",
    ],
)
def test_what_a_pointer_or_a_shared_owner_leads_to_is_others_as_well(text: str) -> None:
    assert "others" in roots(text)


def test_a_call_gives_what_it_is_given() -> None:
    assert roots("see(home.given(node))") == {"node"}
    assert roots("see(home.deep(node))") == {"node"}
    assert roots("see(home.either(node, i))") == {"node", "home"}


def test_a_call_that_gives_a_copy_or_something_new_gives_no_name() -> None:
    assert roots("see(home.made())") == set()
    assert roots("Node mine = home.copy(); see(mine)") == {"mine"}


def test_a_local_reference_is_a_name() -> None:
    assert roots("Node &there = home.own; see(there)") == {"there", "home"}
    assert roots("Node *there = &home.own; there = home.plain; see(there)") >= {"home", "others"}
    assert roots("Node there = home.own; see(there)") == {"there"}


def test_a_pointer_that_goes_round_ends() -> None:
    assert "others" not in roots("Node *a = &node; Node *b = a; a = b; see(a)")


def test_a_smart_pointer_itself_lies_where_it_is() -> None:
    program = program_of(f"{BEFORE} void f(Home &home) {{ home.shared.reset(); }}")
    (function,) = (x for x in program.functions.values() if x.name == "f")
    (call,) = (s for s in f.walk(function.body) if isinstance(s, f.Call))
    assert isinstance(call.target, f.Fn)
    leads = Leads(program, builtin())
    assert [told(program, v) for v in leads.roots(function, call.target.base, Behind.PLAIN)] == [
        "home"
    ]
    assert leads.roots(function, call.target.base) == [None]
    assert leads.roots(function, None) == []


def test_an_element_of_pointers_is_a_place_of_its_own() -> None:
    program = program_of(f"{BEFORE} void f(Home &home, int i) {{ home.others[i] = nullptr; }}")
    (function,) = (x for x in program.functions.values() if x.name == "f")
    (call,) = (s for s in f.walk(function.body) if isinstance(s, f.Call))
    leads = Leads(program, builtin())
    found = leads.roots(function, f.Result(call.id), Behind.NONE)
    assert {told(program, v) for v in found} - {"it"} == {"home"}
    assert None in leads.roots(function, f.Result(call.id))


@pytest.mark.parametrize("spelling", ["int", "const unsigned long", "size_t &", "void"])
def test_numbers_lead_nowhere(spelling: str) -> None:
    assert is_scalar(spelling)


@pytest.mark.parametrize("spelling", ["int *", "Node", "", "void (*)(int)"])
def test_anything_else_may(spelling: str) -> None:
    assert not is_scalar(spelling)
