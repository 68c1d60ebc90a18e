"""What can be handed to which parameter, and which callables can be where one is kept."""

from __future__ import annotations

import pytest

from lockorder.static.program.conversions import Conversions
from lockorder.static.program.signatures import Signature, Signatures
from lockorder.static.program.tokens import Tokens
from walks import Walking, walking

TEXT = """
struct base { int a; };
struct derived : base { int b; };
struct other { other(); other(const other &); int c; };
struct from_number { explicit from_number(int n, int m = 0); };
struct from_anything { template <class T> from_anything(T t); };
struct becomes { operator other() const; };
struct two { two(int a, int b); };
struct worker { void step(int n); static void all(int n); };
void takes_two(int a, int b);
void worker::step(int n) {}
void worker::all(int n) {}
void takes_two(int a, int b) {}
int answers() { return 1; }
void silent() {}
void f() { auto d = [](int a, bool b = false) {}; d(1); auto g = [](auto x) {}; g(1); }
"""


@pytest.fixture(name="here", scope="module")
def fixture_here() -> Walking:
    return walking(TEXT)


@pytest.mark.parametrize(
    ("given", "wanted", "may"),
    [
        ("int", "double", True),
        ("int &", "const long &", True),
        ("derived", "const base &", True),
        ("base", "derived", False),
        ("derived *", "base *", True),
        ("base *", "derived *", False),
        ("base *", "void *", True),
        ("base *", "other *", False),
        ("base **", "other *", False),
        ("base", "other", False),
        ("base *", "base", False),
        ("base", "base *", False),
        ("base *", "bool", True),
        ("base *", "int", False),
        ("int", "from_number", True),
        ("base", "from_number", False),
        ("int", "two", False),
        ("base", "from_anything", True),
        ("becomes", "base", True),
        ("base", "T", True),
        ("T &&", "base", True),
        ("base", "auto &", True),
        ("base", "no::such", True),
        ("no::such", "base", True),
        ("const char *", "std::basic_string<char>", True),
        ("int", "std::basic_string<char>", False),
        ("base", "std::basic_string<char>", False),
        ("std::basic_string<char>", "std::basic_string_view<char>", True),
        ("std::basic_string<char>", "int", False),
        ("std::atomic<int>", "int", True),
        ("int", "std::optional<long>", True),
        ("derived", "std::optional<base>", True),
        ("base", "std::optional<derived>", False),
        ("int", "std::vector<long>", False),
        ("std::shared_ptr<derived>", "std::shared_ptr<base>", True),
        ("std::unique_ptr<derived>", "std::shared_ptr<base>", True),
        ("std::shared_ptr<base>", "std::shared_ptr<other>", False),
        ("std::array<int, 2>", "std::array<int, 2>", True),
        ("std::array<int, 2>", "std::array<int, 3>", False),
    ],
)
def test_conversions(here: Walking, given: str, wanted: str, may: bool) -> None:
    assert Conversions(here.program).may(given, wanted) is may


@pytest.mark.parametrize(
    ("spelling", "signature"),
    [
        ("std::function<void ()>", Signature("void", ())),
        ("std::function<int (const base &, int *)>", Signature("int", ("base &", "int *"))),
        ("std::function<void (std::map<int, base>, int)>",
         Signature("void", ("std::map<int, base>", "int"))),
        ("std::function<base *(std::function<void (int)>)>",
         Signature("base *", ("std::function<void (int)>",))),
        ("const std::vector<std::function<void (int)>> &", Signature("void", ("int",))),
        ("std::map<base, std::function<void (int)>>", Signature("void", ("int",))),
        ("std::shared_ptr<std::function<void (int)>>", Signature("void", ("int",))),
        ("std::tuple<std::function<void (int)>, std::function<void ()>>", None),
        ("std::function<void (A...)>", None),
        ("std::function<F>", None),
        ("void (*)(int)", None),
        ("worker", None),
    ],
)  # fmt: skip
def test_how_what_is_kept_is_called(
    here: Walking, spelling: str, signature: Signature | None
) -> None:
    found = Signatures(here.program).of(spelling)
    if found is not None:
        found = found._replace(args=tuple(a.replace("const ", "") for a in found.args))
    assert found == signature


@pytest.mark.parametrize(
    ("result", "args", "function", "fits"),
    [
        ("void", ("int", "int"), "takes_two", True),
        ("void", ("int",), "takes_two", False),
        ("void", ("int", "int", "int"), "takes_two", False),
        ("void", ("int", "base"), "takes_two", False),
        ("void", ("worker *", "int"), "worker::step", True),
        ("void", ("std::shared_ptr<worker>", "int"), "worker::step", True),
        ("void", ("int",), "worker::step", False),
        ("void", ("base &", "int"), "worker::step", False),
        ("void", ("int",), "worker::all", True),
        ("int", (), "answers", True),
        ("void", (), "answers", True),
        ("int", (), "silent", False),
    ],
)
def test_what_fits(
    here: Walking, result: str, args: tuple[str, ...], function: str, fits: bool
) -> None:
    found = Signatures(here.program).fits(Signature(result, args), here.usr(function))
    assert found is fits


def test_a_default_stands_for_what_is_not_given(here: Walking) -> None:
    signatures = Signatures(here.program)
    first, second = sorted(
        (u for u, fun in here.program.functions.items() if fun.kind == "lambda"),
        key=lambda u: here.program.functions[u].params,
    )
    for args, default, generic in (
        (("int",), True, True),
        (("int", "bool"), True, False),
        (("base",), False, True),
        ((), False, False),
    ):
        fits = {u: signatures.fits(Signature("void", args), u) for u in (first, second)}
        by_count = {len(here.program.functions[u].params): fits[u] for u in fits}
        assert by_count == {2: default, 1: generic}, args


def test_functions_that_are_bound_are_other_tokens() -> None:
    tokens = Tokens()
    both = tokens.bit("fn:a") | tokens.bit("lock:m")
    moved = tokens.moved(both, "fn:", "partial:")
    assert tokens.named(moved, "partial:") == ("a",)
    assert "partial:a" in tokens
    assert "partial:m" not in tokens
