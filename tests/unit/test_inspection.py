"""What ``lockorder debug`` shows, asked of the library: golden answers, a program a question."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from lockorder.commands.checked import to_document
from lockorder.declared import Orders
from lockorder.report import debug as report
from lockorder.report.excerpts import Excerpts
from lockorder.rules import Evidence, judge
from lockorder.rules.evidence import Dropped
from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.inspection.body import facts_of
from lockorder.static.inspection.names import Names
from lockorder.static.inspection.orders import orders_with
from lockorder.static.inspection.places import Asked, place_of
from lockorder.static.inspection.summaries import summary_of
from lockorder.static.inspection.target import Target, TargetError, find, nothing_there
from lockorder.static.inspection.view import Looked, PlaceView
from lockorder.static.inspection.watch import WatchedEngine
from lockorder.static.program.link import Program
from lockorder.static.results.observed import observe

GOLDEN = Path(__file__).parents[1] / "golden" / "debug"
CORPUS = Path(__file__).parents[2] / "fixtures" / "cpp" / "corpus"

#: Facts, orders and places of a small program by where they are asked about.
Why = Callable[..., PlaceView]


class Inside:
    """A program that was analysed with all of its functions watched."""

    def __init__(self, source: Path) -> None:
        self.source = source
        self.analysis = analyse(
            [source],
            Options(inline=True, cache=False, root=source.parent),
            make_engine=lambda program, known: WatchedEngine(
                program, known, lambda each: list(each.functions)
            ),
        )
        assert self.analysis.problems == []
        engine = self.analysis.engine
        assert isinstance(engine, WatchedEngine)
        self.engine = engine
        self.root = str(source.parent)
        self.names = Names(engine.program, self.root)
        dropped: list[Dropped] = []
        observed = observe(engine, self.analysis.graph, self.root, dropped)
        orders = Orders(self.analysis.orders)
        self.evidence = Evidence(self.analysis.graph, observed, orders, dropped=dropped)
        self.asked = Asked(
            engine, self.evidence, self.analysis.coverage, self.root, judge(self.evidence)
        )

    def target(self, where: str) -> Target:
        text = f"{self.source}{where}" if where.startswith(":") else where
        return find(text, self.engine.program, [self.source], self.root)

    def why(self, where: str) -> PlaceView:
        target = self.target(where)
        return place_of(self.asked, target.functions[0], target.line)


@pytest.fixture(scope="module")
def depot() -> Inside:
    return Inside(GOLDEN / "depot.cpp")


@pytest.fixture
def why(tmp_path: Path) -> Why:
    """Answers about ``why WHERE`` of a source."""

    def ask(text: str, where: str) -> PlaceView:
        source = tmp_path / "a.cpp"
        source.write_text(f"#include <mutex>\n{text}")
        return Inside(source).why(where)

    return ask


def shown(looked: Looked, source: Path) -> str:
    text = io.StringIO()
    excerpts = Excerpts(source.parent, source.parent)
    report.write(looked, excerpts, Console(file=text, width=120, highlight=False))
    return text.getvalue()


def looked(question: str, inside: Inside) -> Looked:
    """The golden question of each kind about the golden program."""
    base = Looked("lockorder-debug", 1, "", question, "")
    engine, names = inside.engine, inside.names
    if question == "facts":
        target = inside.target(":38")
        facts = facts_of(engine.program, target.functions[0], names, {})
        return Looked("lockorder-debug", 1, "", question, "", target.line, (facts,))
    if question == "summary":
        usrs = [inside.target(n).functions[0] for n in ("with_ledger", "close", "Depot::arrive")]
        groups = engine.watched.groups
        summaries = tuple(summary_of(engine, u, names, groups.get(u, ())) for u in usrs)
        return Looked(base.format, 1, "", question, "", summaries=summaries)
    if question == "orders":
        orders = orders_with(inside.evidence, inside.asked.findings, frozenset(["gate"]))
        return Looked(base.format, 1, "", question, "", orders=tuple(orders))
    places = tuple(inside.why(w) for w in (":28", ":29", ":38", "Depot::count"))
    return Looked(base.format, 1, "", question, "", places=places)


@pytest.mark.parametrize("question", ["facts", "summary", "orders", "why"])
def test_golden(question: str, depot: Inside) -> None:
    golden = GOLDEN / f"{question}.txt"
    text = shown(looked(question, depot), depot.source)
    if os.environ.get("LOCKORDER_WRITE_GOLDEN"):
        golden.write_text(text)
    assert text == golden.read_text()


# -- the engine that is watched is the engine ----------------------------------------------------


@pytest.mark.parametrize(
    "name", ["calls/mutual_recursion_bad", "calls/std_function_bad", "feasibility/one_thread_ok"]
)
def test_who_is_watched_does_the_same(name: str) -> None:
    source = CORPUS / f"{name}.cpp"
    plain = analyse([source], Options(inline=True, cache=False, root=source.parent))
    watched = Inside(source)
    assert to_document(watched.analysis) == to_document(plain)
    assert watched.asked.findings == to_document(plain).findings


# -- what is asked about ---------------------------------------------------------------------------


def test_names_and_places(depot: Inside) -> None:
    assert depot.target("arrive") == Target("arrive", depot.target(":25").functions)
    assert depot.target("Depot::count").functions == depot.target(":33:9").functions
    assert depot.target("depot.cpp:14").functions == depot.target("Van::unload").functions


@pytest.mark.parametrize(
    ("where", "says"),
    [
        ("unlod", "no function is called 'unlod': is one of these meant? Lorry::unload, Van::unl"),
        ("unload", "2 functions are called unload: name one by its place: depot.cpp:14, depot."),
        ("nowhere.cpp:3", "nowhere.cpp: no such file"),
        (":", "is a file: name a line of it"),
    ],
)
def test_what_there_is_not(where: str, says: str, depot: Inside) -> None:
    with pytest.raises(TargetError) as error:
        depot.target(where)
    assert says in str(error.value)


def test_a_line_in_no_function(depot: Inside) -> None:
    said = str(nothing_there(depot.engine.program, depot.target(":8")))
    assert "depot.cpp:8: is in no function that was read" in said
    assert "the nearest: Truck::~Truck (lines 5 to 5) and Van::unload (lines 14 to 14)" in said
    assert "preprocessor" not in said


def test_a_line_that_is_switched_off(tmp_path: Path) -> None:
    source = tmp_path / "off.cpp"
    source.write_text("int on() { return 1; }\n#ifdef NEVER\nint off() { return 2; }\n#endif\n")
    program: Program = Inside(source).engine.program
    said = str(nothing_there(program, find(f"{source}:3", program, [source])))
    assert said.endswith("The line seems to stand in a preprocessor branch that is off")


def test_a_file_that_was_not_read(depot: Inside, tmp_path: Path) -> None:
    other = tmp_path / "other.cpp"
    other.write_text("int other() { return 1; }\n")
    with pytest.raises(TargetError, match="is no part of what was read"):
        depot.target(f"{other}:1")


# -- why -------------------------------------------------------------------------------------------


def test_a_finding_is_named(why: Why, tmp_path: Path) -> None:
    place = why(
        "std::mutex m;\nvoid twice() { m.lock(); m.lock(); m.unlock(); m.unlock(); }\n", ":3"
    )
    assert place.answer[0] == "1 finding through here: self-deadlock"
    assert [x.finding.rule for x in place.findings] == ["self-deadlock"]
    assert [frame.line for frame in place.findings[0].way] == [3]
    text = shown(Looked("lockorder-debug", 1, "", "why", "", places=(place,)), tmp_path / "a.cpp")
    assert "error: m is taken again by the thread that holds it [self-deadlock], high" in text


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (
            "std::mutex a, b;\nvoid f() { a.lock();\nb.lock(); b.unlock(); a.unlock(); }\n",
            4,
            "order a -> b: no circle: nothing takes a while b is held",
        ),
        (
            "std::mutex a, b;\nvoid f() { a.lock();\nb.lock(); b.unlock(); a.unlock(); }\n"
            "void g() { b.lock(); if (a.try_lock()) a.unlock(); b.unlock(); }\n",
            4,
            "order a -> b: b -> a is only tried (try_lock), and who tries does not wait",
        ),
        (
            "std::mutex a, b;\nvoid f() { a.lock();\nb.lock(); b.unlock(); a.unlock(); }\n"
            "int main() { f(); b.lock(); a.lock(); a.unlock(); b.unlock(); }\n",
            4,
            "left out (lock-order-cycle of a and b): only before main starts the first thread",
        ),
        (
            "std::recursive_mutex a;\nvoid f() { a.lock();\na.lock(); a.unlock(); a.unlock(); }\n",
            4,
            "left out (self-deadlock of a): its holder may take it again: it is a recursive lock",
        ),
        (
            "struct Node { std::mutex m; Node *next; };\nvoid f(Node *n) { n->m.lock();\n"
            "n->next->m.lock(); n->next->m.unlock(); n->m.unlock(); }\n",
            4,
            "left out (lock-order-cycle of Node::m and Node::m): the objects are ranked, or the s",
        ),
    ],
)
def test_the_fact_that_rules_a_finding_out(text: str, line: int, says: str, why: Why) -> None:
    place = why(text, f":{line}")
    assert place.answer[0] == "no finding goes through here"
    assert any(each.startswith(says) for each in place.answer), place.answer


@pytest.mark.parametrize(
    ("name", "call", "says"),
    [
        ("hazards/caller_ok", "    cudaFree(", "one lock is held around both"),
        ("hazards/after_join_ok", "    cudaFree(", "cudaFree is called while main has no other"),
        ("collectives/joined_ok", "    ncclAllReduce(", "no two threads come to both at once"),
        ("blocking/order_mutex_ok", "    cudaFree(", "the lock orders launches against calls"),
    ],
)
def test_what_keeps_calls_apart(name: str, call: str, says: str) -> None:
    source = CORPUS / f"{name}.cpp"
    lines = source.read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if text.startswith(call))
    place = Inside(source).why(f":{line}")
    assert place.answer[0] == "no finding goes through here"
    assert any(says in each.why for each in place.dropped), place.dropped


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (
            "bool on = false;\nif (on)\nm.lock();",
            "the branch is walked only where on is true: on is known to be false there: it has the "
            "value false, from line 5",
        ),
        (
            "if (k)\nreturn;\nif (k)\nm.lock();",
            "the branch is walked only where k is true: k is known to be false there: an earlier "
            "test of k (at or behind line 4) decided it",
        ),
        ("return;\n\nm.lock();", "line 5 leaves always: return"),
        ("stop();\n\nm.lock();", "line 5 calls stop(), which does not come back: stop (a.cpp:3)"),
        ("do { return; } while (k);\n\nm.lock();", "every way leaves in line 5: loop, at least "),
        (
            "while (false)\nm.lock();",
            "the loop's body is walked only where false is true: it is written so (false)",
        ),
    ],
)
def test_why_no_way_comes_to_a_line(body: str, says: str, why: Why) -> None:
    head = "std::mutex m;\n[[noreturn]] void stop() { throw 1; }\nvoid f(bool k) {\n"
    line = 5 + body[: body.index("m.lock")].count("\n")
    place = why(f"{head}{body}\n}}\n", f":{line}")
    assert [r.never[: len(says)] for r in place.reached] == [says]
    assert place.answer[1].startswith(f"no way comes here: {says}")


@pytest.mark.parametrize(
    ("text", "how", "missing", "candidates"),
    [
        (
            "template <class T> void f(T t) {\n\ng(t, t); }\nvoid g(int) {}\n",
            "by name alone: in a template it depends on the arguments",
            "none has 2 parameters; of that name there is g (a.cpp:5)",
            [],
        ),
        (
            "int bind(int, int);\nvoid f(int k) {\nbind(k, 1); }\n",
            "by what is known of its library",
            "",
            [],
        ),
        ("void g() {}\nvoid f() {\ng(); }\n", "its declaration names it", "", ["g: followed"]),
        (
            "void g(int);\nvoid f() {\ng(1); }\n",
            "its declaration names it",
            "its declaration was read and no body: it is defined outside of the PATHS that",
            [],
        ),
        (
            "struct A { virtual void g() = 0; }; struct B : A { void g() override {} };\n"
            "void f(A &a) {\na.g(); }\n",
            "its declaration names it, or what overrides it",
            "",
            ["B::g: followed"],
        ),
        (
            "void (*kept)();\nvoid f() {\nkept(); }\nvoid g() {} void h() { kept = g; }\n",
            "a value is called: ",
            "",
            ["g: followed"],
        ),
        (
            "void (*kept)();\nvoid f() {\nkept(); }\n",
            "a value is called: ",
            "nothing that was read stores a function in kept",
            [],
        ),
        (
            "void f(void (*given)()) {\n\ngiven(); }\nvoid g() {} void h() { f(g); }\n",
            "given is a parameter: each caller says what it hands over",
            "",
            ["g: not followed"],
        ),
        (
            "void f() {\n\nunknown(1); }\n",
            "by name alone: in a template it depends on the arguments, elsewhere no declaration",
            "no body that was read is called unknown",
            [],
        ),
        (
            "std::mutex m;\nvoid f() {\nm.lock(); }\n",
            "by what is known of its library",
            "",
            [],
        ),
    ],
)
def test_how_a_call_finds_its_targets(
    text: str, how: str, missing: str, candidates: list[str], why: Why
) -> None:
    call = why(text, ":4").calls[-1]
    assert call.how.startswith(how)
    assert call.missing[: len(missing) or None] == missing
    told = [
        f"{c.function}: {'followed' if c.followed else 'not followed'}" for c in call.candidates
    ]
    assert told == candidates


def test_constructors_and_destructors_are_calls(why: Why) -> None:
    place = why("struct A { A() {} ~A() {} };\nvoid f() {\nA a; }\n", ":4")
    assert [(c.text, c.how) for c in place.calls] == [
        ("A::A()", "an object is made"),
        ("A::~A()", "an object dies"),
    ]


def test_who_comes_there(why: Why) -> None:
    text = "std::mutex m;\nvoid f() {}\nvoid g() { m.lock(); f(); m.unlock(); }\n"
    assert why(text, "f").entered == ("called by g (a.cpp:4)", "entered with m held")
    assert why(text, "g").entered[0].startswith("nobody that was read calls it")


def test_locks_that_only_some_callers_hold(why: Why) -> None:
    text = (
        "std::mutex m;\nvoid f() {}\nvoid g() { m.lock(); f(); m.unlock(); }\nvoid h() { f(); }\n"
    )
    entered = why(text, "f").entered
    assert entered[1:] == ("entered with nothing held", "held on some of the ways there: m")


def test_functions_that_call_each_other(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text("void b(int);\nvoid a(int k) { if (k) b(k); }\nvoid b(int k) { a(k - 1); }\n")
    inside = Inside(source)
    usr = inside.target("a").functions[0]
    group = inside.engine.watched.groups[usr]
    assert summary_of(inside.engine, usr, inside.names, group).group == ("b (a.cpp:3)",)
    assert "it is one of 2 functions that call each other" in inside.why("b").entered
