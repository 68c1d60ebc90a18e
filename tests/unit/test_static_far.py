"""What lies far away is found as what lies near: chains of functions, of names and of members."""

from __future__ import annotations

import pytest

from lockorder.static.analyse import analyse
from lockorder.static.driver.options import Options
from lockorder.static.interp.engine import Engine
from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.conditions import switched_off
from lockorder.static.parse.recovery.spellings import Spellings
from lockorder.static.parse.recovery.tree import Syntax
from lockorder.static.program.lent import Lent
from lockorder.static.program.places import ELEMENT, Place

FAR = 20


def _chain(head: str, last: str, step: str, name: str = "f") -> str:
    """Functions ``f0`` to ``f20``, each of which calls the one before; ``f0`` does *last*."""
    lines = [head.format(f"{name}0") + " { " + last + " }"]
    for i in range(1, FAR + 1):
        lines.append(head.format(f"{name}{i}") + " { " + step.format(f"{name}{i - 1}") + " }")
    return "\n".join(lines)


SOURCE = f"""
#include <functional>
struct Bus {{
    std::function<void()> hook;
    void stop();
    {_chain("void {}(std::function<void()> h)", "hook = h;", "{}(h);")}
    void around(std::function<void()> h) {{ if (h) around(h); else f{FAR}(h); }}
}};
struct Refers {{
    explicit Refers(Bus &b) : bus(b) {{ b.f{FAR}([this] {{ bus.stop(); }}); }}
    Bus &bus;
}};
struct Goes {{
    explicit Goes(Bus &b) : bus(b) {{ b.around([this] {{ bus.stop(); }}); }}
    Bus &bus;
}};

int table[9];
void use(int);
{_chain("static void {}(int i, int j)", "use(table[i]); use(table[j]);", "{}(i, j);", "any")}
void anybody(int i, int j) {{ any{FAR}(i, j); }}
{_chain("static void {}(int i, int j)", "use(table[i]); use(table[j]);", "{}(i, j);", "sorted")}
void sorts(int i, int j) {{ if (i < j) sorted{FAR}(i, j); else sorted{FAR}(j, i); }}

struct Child;
struct Parent {{ Child *child; }};
struct Child {{ Parent *parent; }};
{_chain("static void {}(Parent *p, Child *c)", "p->child = c; c->parent = p;", "{}(p, c);", "tie")}
struct Apart {{ Apart *left, *right; }};
{_chain("static void {}(Apart *p, Apart *c)", "p->left = c; p->right = c;", "{}(p, c);", "apart")}

struct Kept {{ bool *flag; }};
{_chain("static void {}(Kept *k, bool *b)", "k->flag = b;", "{}(k, b);", "keep")}
{_chain("static void {}(Kept *k, bool *b)", "*b = true;", "{}(k, b);", "pass")}
void lends(Kept *k) {{ bool fired = false; keep{FAR}(k, &fired); use(fired); }}
void hands(Kept *k) {{ bool fired = false; pass{FAR}(k, &fired); use(fired); }}
"""


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    folder = tmp_path_factory.mktemp("far")
    (folder / "a.cpp").write_text(SOURCE)
    return analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False)).engine


@pytest.mark.parametrize("home", ["Refers::Refers", "Goes::Goes"])
def test_who_keeps_a_lambda(engine: Engine, home: str) -> None:
    program = engine.program
    closure = next(u for u, x in program.functions.items() if x.name == f"{home}::(lambda)")
    hook = next(u for u, v in program.variables.items() if v.name == "Bus::hook")
    found = engine.stored.owners(closure, hook)
    assert [path.steps[-1].rpartition("@")[2] for path in found] == ["bus"]


@pytest.mark.parametrize(("name", "free"), [("any0", True), ("sorted0", False)])
def test_which_callers_choose_two_elements(engine: Engine, name: str, free: bool) -> None:
    (usr,) = engine.program.named(name)
    function = engine.program.functions[usr]
    body = engine.indexes.body(function)
    uses = [s for s in f.walk(function.body) if isinstance(s, f.Call)]
    one, other = (body.index_at(s.line, s.column) for s in uses)
    assert one is not None
    assert other is not None
    assert engine.indexes.are_free(function, one, other) is free


@pytest.mark.parametrize(
    ("one", "other", "opposite"),
    [("Parent::child", "Child::parent", True), ("Apart::left", "Apart::right", False)],
)
def test_members_that_lead_opposite_ways(
    engine: Engine, one: str, other: str, opposite: bool
) -> None:
    keys = {v.name: u for u, v in engine.program.variables.items()}
    opposites = engine.found._ways._opposites
    assert (opposites.of(keys[one], keys[other]) is not None) is opposite


@pytest.mark.parametrize(("name", "lent"), [("lends", True), ("hands", False)])
def test_who_keeps_an_address(engine: Engine, name: str, lent: bool) -> None:
    (usr,) = engine.program.named(name)
    function = engine.program.functions[usr]
    found = Lent(engine.program, function, engine.keepers).find()
    assert any(engine.program.variables[u].name == "fired" for u in found) is lent


def test_members_on_the_way_to_a_place() -> None:
    place = Place("root")
    for i in range(FAR):
        place = place.then(f"m{i}")
    assert len(place.steps) == FAR
    again = place.then("m3")
    assert again.steps == ("m0", "m1", "m2", "m3", ELEMENT)
    assert again.then(ELEMENT) == again
    assert Place("x", ("m1", "next")).within(place).steps == ("m0", "m1", ELEMENT, "next")


def test_macros_that_name_macros() -> None:
    defines = "".join(f"#define M{i} M{i - 1}\n" for i in range(1, FAR + 1))
    text = f"#define M0 1\n{defines}#if M{FAR}\nint on;\n#else\nint off;\n#endif\n".encode()
    ((start, end),) = switched_off(text, ())
    assert text[start:end].strip() == b"int off;"
    own = b"#define A B\n#define B A\n#if A\nint off;\n#endif\n"
    ((start, end),) = switched_off(own, ())
    assert own[start:end].strip() == b"int off;"


def test_names_that_stand_for_names() -> None:
    aliases = "".join(f"using T{i} = T{i - 1};\n" for i in range(1, FAR + 1))
    text = f"using T0 = std::mutex;\n{aliases}typedef Ring<Self> Self;\n"
    spellings = Spellings([Syntax(text.encode())])
    assert spellings.full(f"T{FAR}") == "std::mutex"
    assert spellings.full("Self") == "Ring<Self>"


def test_objects_that_point_to_each_other_end(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Members can be put in rows in very many ways; each function hands up what it locks."""
    names = "abcdefgh"
    parts = [f"struct {n.upper()};" for n in names]
    for n in names:
        fields = " ".join(f"{m.upper()} *to_{m};" for m in names if m != n)
        calls = " ".join(f"to_{m}->stop();" for m in names if m != n)
        parts.append(f"struct {n.upper()} {{ std::mutex mu; {fields} void stop(); }};")
        parts.append(f"inline void {n.upper()}::stop() {{ mu.lock(); mu.unlock(); {calls} }}")
    folder = tmp_path_factory.mktemp("ring")
    bodies = [p for p in parts if "inline" in p]
    text = "#include <mutex>\n" + "\n".join([*(p for p in parts if p not in bodies), *bodies])
    (folder / "a.cpp").write_text(text)
    program = analyse([folder / "a.cpp"], Options(root=folder, inline=True, cache=False)).engine
    assert len(program.identities.locks) == len(names)
