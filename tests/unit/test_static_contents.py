"""What is in a member of an object that a function has made for itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.parse import facts as f
from lockorder.static.program.contents import Contents
from lockorder.static.program.paths import Path as Place
from lockorder.static.program.puts import Visit
from lockorder.static.program.steps import ELEMENT

SOURCE = """
#include <deque>
#include <memory>
#include <utility>
struct Batch;
struct Job {
    explicit Job(Batch *batch) : batch_(batch) {}
    virtual ~Job() = default;
    virtual void start() = 0;
    Batch *get() { return batch_; }
    Batch *batch_;
};
struct Batch {
    Batch() = default;
    explicit Batch(int) { listed(this); }
    void add(std::unique_ptr<Job> &&job) { jobs.push_back(std::move(job)); }
    void run() { for (auto &each : jobs) each->start(); }
    void mix(Batch &other) { other.jobs.swap(jobs); }
    static void listed(Batch *) {}
    std::deque<std::unique_ptr<Job>> jobs;
};
struct Plain : Job { explicit Plain(Batch *b) : Job(b) {} void start() override {} };
struct Other : Job { explicit Other(Batch *b) : Job(b) {} void start() override {} };
struct Adds : Job {
    explicit Adds(Batch *b) : Job(b) {}
    void start() override { batch_->add(std::make_unique<Other>(batch_)); }
};
struct Gets : Job {
    explicit Gets(Batch *b) : Job(b) {}
    void start() override { get()->jobs.push_back(std::make_unique<Other>(nullptr)); }
};
struct Owner { Batch *batch; };
Batch *kept;
Owner owner;
void outside(Batch *batch);
template <class T> void create(Batch *batch) { batch->add(std::unique_ptr<Job>(new T(batch))); }
template <class T> struct Maker {
    template <int N> static void make(Batch *b) { b->add(std::unique_ptr<T>(new T(b))); }
};
template <class T> void by_maker(Batch *batch) { Maker<T>::template make<3>(batch); }
void fill(Batch *batch, std::unique_ptr<Job> job) { batch->add(std::move(job)); }
void f(Batch &given, std::unique_ptr<Job> job)
{
    BODY
}
"""

PLAIN = {"Plain"}


@pytest.mark.parametrize(
    ("body", "classes"),
    [
        ("Batch b; b.add(std::make_unique<Plain>(&b));", PLAIN),
        ("Batch b; create<Plain>(&b); b.run();", PLAIN),
        ("Batch b; by_maker<Plain>(&b);", PLAIN),
        ("std::unique_ptr<Batch> b(new Batch()); create<Plain>(b.get());", PLAIN),
        ("Batch *b = new Batch(1); create<Plain>(b);", PLAIN),
        ("Batch b; auto *c = &b; create<Plain>(c); create<Other>(&b);", {"Plain", "Other"}),
        ("Batch b; fill(&b, std::make_unique<Plain>(&b));", PLAIN),
        ("Batch b; b.jobs.push_back(std::make_unique<Plain>(&b));", PLAIN),
        ("Batch b; create<Adds>(&b);", {"Adds", "Other"}),
        ("Batch b; create<Gets>(&b);", {"Gets", "Other"}),
        ("Batch b; b.add(std::move(job));", {"Job", "Plain", "Other", "Adds", "Gets"}),
        ("auto b = std::make_unique<Batch>(1); create<Plain>(b.get());", PLAIN),
        ("Batch b;", None),
        ("Batch &b = given; create<Plain>(&b);", None),
        ("Batch b; create<Plain>(&b); b.jobs.swap(given.jobs);", None),
        ("Batch b; create<Plain>(&b); b.mix(given);", None),
        ("Batch b; create<Plain>(&b); given.mix(b);", None),
        ("Batch b; create<Plain>(&b); kept = &b;", None),
        ("Batch b; create<Plain>(&b); owner.batch = &b;", None),
    ],
)
def test_contents(tmp_path: Path, body: str, classes: set[str] | None) -> None:
    """The classes of what is put there; None where nobody knows, or nothing is."""
    (tmp_path / "a.cpp").write_text(SOURCE.replace("BODY", body))
    engine = analyse([tmp_path / "a.cpp"], Options(root=tmp_path, inline=True, cache=False)).engine
    program = engine.program
    (function,) = (x for x in program.functions.values() if x.name == "f")
    (member,) = (u for u, v in program.variables.items() if v.name == "Batch::jobs")
    (local,) = (
        u for u, v in program.variables.items() if v.owner == function.usr and v.name == "b"
    )
    contents = engine.contents
    assert isinstance(contents, Contents)
    found = contents.of(function, Place.of_variable(local, (member, ELEMENT)))
    assert found == (frozenset(classes) if classes is not None else None)


def test_visits_that_are_alike_are_one() -> None:
    assert {Visit("f", f.Var("a")), Visit("f", f.Var("a"))} == {Visit("f", f.Var("a"))}
    assert Visit("f", f.Var("a")) != Visit("f", f.This())
    assert Visit("f", "member", holder="A") != Visit("f", "member")
