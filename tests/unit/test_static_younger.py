"""Members that lead to younger objects only, and orders of locks on the way there."""

from __future__ import annotations

import pytest

from lockorder import feasibility
from lockorder.cycles import find_cycles
from lockorder.static.interp.engine import Engine
from lockorder.static.program.ages import Age
from lockorder.static.program.younger import Younger
from lockorder.static.results.between import Relations
from lockorder.static.results.graph import build_graph
from walks import analysed

CLASSES = """
struct Node;
struct Links { Node *first; void hang(Node *); };
struct Node {
    Node(); Node(Node *); void use(); void add(Node *);
    std::mutex state; std::mutex list; int count; Links links;
    Node *peer; std::vector<Node *> parts; std::vector<std::unique_ptr<Node>> owned;
    std::map<int, Node *> by_number; Node *few[4];
};
Node *elsewhere(); Node *global;
"""


def engine_of(text: str) -> Engine:
    return analysed(CLASSES + text)


def field(engine: Engine, name: str) -> str:
    (usr,) = (
        u for u, v in engine.program.variables.items() if v.kind == "field" and v.name == name
    )
    return usr


def age(text: str, member: str = "peer") -> Age:
    engine = engine_of(text)
    younger: Younger = engine.younger
    return younger.of(field(engine, f"Node::{member}"))


# -- one member ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "member"),
    [
        ("void f(Node *n) { n->peer = new Node; }", "peer"),
        ("void f(Node *n) { Node *m = new Node; m->use(); n->peer = m; }", "peer"),
        ("void f(Node *n) { n->peer = nullptr; n->peer = new Node; }", "peer"),
        ("void f(Node *n) { n->peer = n->count ? new Node : nullptr; }", "peer"),
        ("Node *make() { return new Node; } void f(Node *n) { n->peer = make(); }", "peer"),
        ("void make(Node **n) { *n = new Node; } void f(Node *n) { make(&n->peer); }", "peer"),
        (
            "void make(Node **n) { *n = new Node; }"
            "void f(Node *n) { Node *m; make(&m); n->peer = m; }",
            "peer",
        ),
        ("Node::Node(Node *up) { up->peer = this; }", "peer"),
        ("Node::Node() { peer = new Node(nullptr); }", "peer"),
        ("void f() { Node *a = new Node; Node *b = new Node; a->peer = b; }", "peer"),
        ("void f(Node *n) { n->parts.push_back(new Node); }", "parts"),
        ("void f(Node *n) { auto &all = n->parts; all.push_back(new Node); }", "parts"),
        ("void f(Node *n) { n->owned.push_back(std::make_unique<Node>()); }", "owned"),
        ("void f(Node *n) { n->owned.emplace_back(new Node); n->owned.clear(); }", "owned"),
        ("void f(Node *n, int i) { n->by_number[i] = new Node; }", "by_number"),
        ("void f(Node *n, int i) { n->few[i] = new Node; }", "few"),
        (
            "void put(std::vector<Node *> &to, Node *n) { to.push_back(n); }"
            "void f(Node *n) { put(n->parts, new Node); }",
            "parts",
        ),
        (
            "void put(Links *to, Node *n) { to->first = n; }"
            "void f(Node *n) { put(&n->links, new Node); }",
            "links",
        ),
    ],
)
def test_what_is_made_for_it_is_new(text: str, member: str) -> None:
    assert age(text, member) is Age.NEW


@pytest.mark.parametrize(
    ("text", "member"),
    [
        ("", "peer"),
        ("void f(Node *n) { n->peer = nullptr; }", "peer"),
        ("void f(Node *n, Node *m) { n->peer = m; }", "peer"),
        ("void f(Node *n) { n->peer = n; }", "peer"),
        ("void f(Node *n) { n->peer = global; }", "peer"),
        ("void f(Node *n, Node *m) { n->peer = m->peer; }", "peer"),
        ("void f(Node *n) { n->peer = n->count ? new Node : global; }", "peer"),
        ("void f(Node *n) { Node *m = new Node; m->peer = n; }", "peer"),
        ("void f(Node *n) { Node *m = new Node; if (n) m = n; n->peer = m; }", "peer"),
        ("Node *find() { return global; } void f(Node *n) { n->peer = find(); }", "peer"),
        ("void find(Node **n) { *n = global; } void f(Node *n) { find(&n->peer); }", "peer"),
        ("void f() { Node *a = new Node; Node *b = new Node; b->peer = a; }", "peer"),
        (
            "void f() { Node *a = new Node; Node *b = new Node; a->peer = b; b->peer = a; }",
            "peer",
        ),
        ("Node::Node(Node *up) { peer = up; }", "peer"),
        ("Node::Node() { Node *m = new Node(nullptr); m->peer = this; }", "peer"),
        ("void f(Node *n) { n->parts.push_back(n); }", "parts"),
        ("void f(Node *n, Node *m) { auto &all = n->parts; all.push_back(m); }", "parts"),
        ("void f(Node *n, Node *m) { n->parts = m->parts; }", "parts"),
        (
            "void f(Node *n, Node *m) { n->parts.push_back(new Node); n->parts.emplace_back(m); }",
            "parts",
        ),
        (
            "void f(Node *n, Node *m) { std::vector<Node *> v; v.push_back(m); n->parts = v; }",
            "parts",
        ),
        ("void f(Node *n, Links l) { n->links.first = new Node; n->links = l; }", "links"),
        (
            "void f(Node *n, Node *m) { Links l{m}; n->links.first = new Node; n->links = l; }",
            "links",
        ),
        ("void f(Node *n, Node *m) { n->few[0] = new Node; n->few[1] = m; }", "few"),
        ("void f(Node *n, Node *m) { std::swap(n->parts, m->parts); }", "parts"),
        ("void f(Node *n, Node *m) { n->few[1] = m; }", "few"),
        (
            "void put(std::vector<Node *> &to, Node *n) { to.push_back(n); }"
            "void f(Node *n, Node *m) { put(n->parts, m); }",
            "parts",
        ),
        (
            "std::vector<Node *> &all(Node *n) { return n->parts; }"
            "void f(Node *n) { n->parts.push_back(new Node); }",
            "parts",
        ),
        (
            "void put(Links *to, Node *n) { to->first = n; }"
            "void f(Node *n) { put(&n->links, new Node); put(&n->links, n); }",
            "links",
        ),
        ("void f(Node *n) { n->links.first = new Node; n->links.hang(n); }", "links"),
        (
            "struct Cursor { Links *at; };"
            "void f(Node *n, Cursor *c) { n->links.first = new Node; c->at = &n->links; }",
            "links",
        ),
    ],
)
def test_what_was_there_before_is_old(text: str, member: str) -> None:
    assert age(text, member) is Age.OLD


@pytest.mark.parametrize(
    "text",
    [
        "void f(Node *n) { n->peer = elsewhere(); }",
        "void open(Node **); void f(Node *n) { open(&n->peer); }",
        "void f(Node *n) { n->peer = new Node; n->peer = elsewhere(); }",
    ],
)
def test_what_code_makes_that_was_not_read_is_perhaps_new(text: str) -> None:
    assert age(text) is Age.PERHAPS


HUNG = """
extern "C" void *calloc(size_t, size_t);
struct Ring { Ring *next; };
struct Item { Ring entry; Node *node; };
struct Head { std::mutex state; std::mutex list; Ring ring; };
static void hang(Ring *item, Ring *ring) { item->next = ring->next; ring->next = item; }
static void keep(Ring *ring, Node *node) {
    Item *item = (Item *)calloc(1, sizeof(Item)); item->node = node; hang(&item->entry, ring);
}
void fill(Head *head) { keep(&head->ring, new Node); }
"""


@pytest.mark.parametrize(
    ("text", "listed", "handed"),
    [
        ("", Age.NEW, Age.NEW),
        ("void f(Item *i, Item *j) { hang(&i->entry, &j->entry); }", Age.OLD, Age.NEW),
        ("void f(Item *i, Item *j) { i->entry.next = &j->entry; }", Age.OLD, Age.NEW),
        ("void f(Item *i, Node *n) { i->node = n; }", Age.NEW, Age.OLD),
        ("void f(Item *i) { i->node = nullptr; }", Age.NEW, Age.NEW),
        ("void f(Head *h, Node *n) { keep(&h->ring, n); }", Age.NEW, Age.OLD),
    ],
)
def test_what_hangs_in_a_list_came_with_what_it_leads_to(
    text: str, listed: Age, handed: Age
) -> None:
    engine = engine_of(HUNG + text)
    home = field(engine, "Head::ring")
    assert engine.younger.listed(field(engine, "Item::entry"), home) is listed
    assert engine.younger.hands_on(field(engine, "Item::node"), home) is handed


PAIR = """
struct Pair { Node *node; int n; }; struct Table { std::mutex list; std::vector<Pair> pairs; };
void fill(Table *t) { Pair p; p.node = new Node; t->pairs.push_back(p); }
"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Age.NEW),
        ("void f(Table *t, Node *n) { t->pairs.push_back(Pair{n, 1}); }", Age.OLD),
        ("void f(Table *t, Node *n) { Pair p = {n, 1}; t->pairs.push_back(p); }", Age.OLD),
        ("void f(Table *t, Node *n) { t->pairs.push_back(Pair{nullptr, 1}); }", Age.NEW),
    ],
)
def test_lists_in_braces_count_as_well(text: str, expected: Age) -> None:
    engine = engine_of(PAIR + text)
    pairs, node = field(engine, "Table::pairs"), field(engine, "Pair::node")
    assert engine.younger.hands_on(node, pairs) is expected


# -- orders ----------------------------------------------------------------------------------------

OWN = "void own(Node *n) { std::lock_guard<std::mutex> a(n->state), b(n->list); }"
GROW = "void grow(Node *n) { n->peer = new Node; n->parts.push_back(new Node); }"


def relations(text: str) -> set[str]:
    """How the objects of the orders of a list's lock and a state's are related."""
    engine = engine_of(text)
    found = set()
    for pair in sorted(engine.found.orders):
        for emitted in engine.found.orders[pair]:
            between = Relations(engine).of(emitted)
            told = "-" if between is None else "same" if between.same else "below"
            found.add(told if between is None or between.sure else f"{told}?")
    return found


def down(to: str, before: str = "") -> str:
    return (
        "void down(Node *n) { std::lock_guard<std::mutex> a(n->list); "
        f"{before} std::lock_guard<std::mutex> b({to}->state); }}"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OWN, "same"),
        ("void f(Node *n, Node *m) { std::lock_guard<std::mutex> a(n->list), b(m->state); }", "-"),
        (GROW + down("n->peer"), "below"),
        (GROW + down("m", "Node *m = n->peer;"), "below"),
        (GROW + down("n->peer->peer"), "below"),
        (GROW + down("n->parts[0]"), "below"),
        (GROW + down("m", "Node *m = n->parts.back();"), "below"),
        (GROW + down("m", "Node *m = n->peer; if (n->count) m = n->parts[0];"), "below"),
        (GROW + down("m", "Node *m = n->peer; if (n->count) m = global;"), "below -"),
        ("void join(Node *n, Node *m) { n->peer = m; }" + down("n->peer"), "-"),
        (GROW + "void join(Node *n, Node *m) { n->parts[0] = m; }" + down("n->parts[0]"), "-"),
        ("void open(Node *n) { n->peer = elsewhere(); }" + down("n->peer"), "below?"),
    ],
)
def test_objects_of_one_order(text: str, expected: str) -> None:
    assert relations(text) == set(expected.split())


def test_a_callee_s_local_is_where_its_caller_s_object_leads() -> None:
    callee = (
        "void each(Node *top) { for (size_t i = 0; i < top->parts.size(); ++i) {"
        " Node *part = top->parts[i]; std::lock_guard<std::mutex> b(part->state); part->use(); } }"
    )
    caller = "void all(Node *n) { std::lock_guard<std::mutex> a(n->list); each(n); }"
    other = "void all(Node *n, Node *m) { std::lock_guard<std::mutex> a(n->list); each(m); }"
    assert relations(GROW + callee + caller) == {"below"}
    assert relations(GROW + callee + other) == {"-"}


def test_an_object_is_not_below_itself() -> None:
    engine = engine_of(OWN + GROW + down("n->peer"))
    graph = build_graph(engine, "/")
    assert not find_cycles(graph).cycles
    why = feasibility.obstacle(graph, ("Node::list", "Node::state"))
    assert why.startswith("an object would have to be below itself: Node::peer leads to")


def test_objects_that_were_there_can_be_in_a_ring() -> None:
    join = "void join(Node *n, Node *m) { n->peer = m; }"
    graph = build_graph(engine_of(OWN + join + down("n->peer")), "/")
    assert len(find_cycles(graph).cycles) == 1
    assert not feasibility.obstacle(graph, ("Node::list", "Node::state"))
