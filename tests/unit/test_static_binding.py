"""Names that were read by their syntax, bound to what declares them: each part by itself."""

from __future__ import annotations

import functools

import pytest

from lockorder.knowledge import builtin
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Facts
from lockorder.static.parse.names import substituted
from lockorder.static.parse.recovery.whole_expressions import (
    ADDRESS,
    ARROW,
    CAST,
    DEREFERENCE,
    LISTED,
)
from lockorder.static.parse.unit import SYNTAX_ALONE, Job, read_unit
from lockorder.static.program.binding.bind import bind
from lockorder.static.program.binding.calls import Body
from lockorder.static.program.binding.lookup import Lookup, bare
from lockorder.static.program.binding.made import Constructions
from lockorder.static.program.binding.types import Types
from lockorder.static.program.binding.values import Shared, Values
from lockorder.static.program.link import Program
from walks import facts_of, folder

TEXT = """
int global;
void fun(int); void fun(int, int); void fun(char *);
namespace ns {
  int inner; void fun(double);
  struct Base { int kept; virtual void run(int); static int shared; };
  struct Derived : Base { int own; void run(int) override; Derived(); Derived(int); };
  enum Color { RED };
}
namespace other { int far; void lonely(); }
template <class T> struct Box { T inside; };
struct Plain { int a; int b; };
struct Listed { int x; int y; };
struct Smart { Plain *operator->(); explicit operator bool(); int operator[](int); };
Plain plain; Smart smart; ns::Derived derived; Box<Plain> box; std::unique_ptr<Plain> owner;
std::vector<Plain> many; std::map<int, Plain> table;
void f(ns::Derived &d, Plain *p) {}
"""


@pytest.fixture(scope="module")
def program() -> Program:
    return Program([facts_of(TEXT)])


@pytest.fixture(scope="module")
def lookup(program: Program) -> Lookup:
    return Lookup(program)


@pytest.fixture
def values(program: Program, lookup: Lookup) -> Body:
    shared = Shared(program, builtin(), lookup, {})
    (usr,) = program.named("f")
    return Body(shared, program.functions[usr])


# -- lookup ----------------------------------------------------------------------------------------


def named(lookup: Lookup, program: Program, text: str, scope: str = "", *spaces: str) -> str:
    found = lookup.name(text, scope, "small.cpp", spaces)
    if found is None:
        return ""
    key = found.keys[0]
    variable = program.variables.get(key)
    return variable.name if variable is not None else program.name_of(key)


@pytest.mark.parametrize(
    ("text", "scope", "spaces", "found"),
    [
        ("global", "", (), "global"),
        ("::global", "ns::Derived", (), "global"),
        ("inner", "ns", (), "ns::inner"),
        ("inner", "ns::Derived", (), "ns::inner"),
        ("kept", "ns::Derived", (), "ns::Base::kept"),
        ("own", "ns::Derived", (), "ns::Derived::own"),
        ("own", "ns::Base", (), ""),
        ("ns::inner", "", (), "ns::inner"),
        ("Derived::kept", "ns", (), "ns::Base::kept"),
        ("far", "", ("other",), "other::far"),
        ("far", "ns", (), "other::far"),  # the only one of that name
        ("Plain", "", (), "Plain"),
        ("fun", "ns", (), "ns::fun"),
        ("fun", "other", (), "fun"),
        ("nowhere", "ns", (), ""),
    ],
)
def test_names_are_looked_up_from_the_inside(
    lookup: Lookup, program: Program, text: str, scope: str, spaces: tuple[str, ...], found: str
) -> None:
    assert named(lookup, program, text, scope, *spaces) == found


@pytest.mark.parametrize(
    ("text", "kind"),
    [("global", "variable"), ("Plain", "class"), ("fun", "function"), ("ns::Base::kept", "field")],
)
def test_what_sort_of_thing_it_is(lookup: Lookup, text: str, kind: str) -> None:
    found = lookup.name(text, "", "small.cpp", ())
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    ("cls", "text", "found"),
    [
        ("ns::Derived", "own", True),
        ("ns::Derived", "kept", True),
        ("ns::Derived", "Base::kept", True),
        ("ns::Base", "own", False),
        ("Plain", "own", False),
    ],
)
def test_members_are_those_of_bases_too(lookup: Lookup, cls: str, text: str, found: bool) -> None:
    assert (lookup.member(cls, text, "small.cpp") is not None) is found


def test_bases_come_after_the_class(lookup: Lookup) -> None:
    assert lookup.lineage("ns::Derived") == ("ns::Derived", "ns::Base")


@pytest.mark.parametrize(
    ("types", "params"),
    [(["int"], ["int"]), (["char *"], ["char *"]), (["int", "int"], ["int", "int"]), ([], None)],
)
def test_arguments_choose_the_function(
    lookup: Lookup, program: Program, types: list[str], params: list[str] | None
) -> None:
    found = lookup.name("fun", "", "small.cpp", ())
    assert found is not None
    decls = {u: program.decls[u] for u in found.keys}
    for usr, decl in decls.items():  # clang says no types: the reader of syntax does
        decl.types = {"I": ["int"], "I#I": ["int", "int"], "*C": ["char *"]}[
            usr.partition("@F@fun#")[2].rstrip("#")
        ]
    chosen = lookup.choose(found.keys, types)
    assert (program.decls[chosen].types if chosen else None) == params


def test_what_overrides_a_virtual_method_is_virtual(lookup: Lookup, program: Program) -> None:
    (run,) = (u for u, d in program.decls.items() if d.name == "ns::Derived::run")
    decl = program.decls[run]
    assert [program.name_of(u) for u in lookup.overridden(decl)] == ["ns::Base::run"]
    assert lookup.virtual(run)
    (plain,) = (u for u, d in program.decls.items() if d.name == "other::lonely")
    assert not lookup.virtual(plain)


def test_constructors_of_a_class(lookup: Lookup) -> None:
    assert len(lookup.constructors("ns::Derived")) == 2
    assert lookup.constructors("Listed") == ()


@pytest.mark.parametrize(
    ("spelling", "found"),
    [("const Plain &", "Plain"), ("unsigned long", "unsignedlong"), ("Plain *const", "Plain")],
)
def test_bare_types(spelling: str, found: str) -> None:
    assert bare(spelling) == found


# -- types -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def types(program: Program) -> Types:
    return Types(program, builtin())


@pytest.mark.parametrize(
    ("spelling", "found"),
    [
        ("Plain", True),
        ("const Plain", True),
        ("std::mutex", True),
        ("std::vector<int>", True),
        ("Plain *", False),
        ("Plain &", False),
        ("Plain[3]", False),
        ("int", False),
        ("Nobody", False),
    ],
)
def test_which_variables_are_objects(types: Types, spelling: str, found: bool) -> None:
    assert types.is_object(spelling) is found


@pytest.mark.parametrize(
    ("spelling", "found"),
    [
        ("Plain *", "Plain"),
        ("Plain **", "Plain *"),
        ("Plain[3]", "Plain"),
        ("std::unique_ptr<Plain>", "Plain"),
        ("std::unique_ptr<Plain> &", "Plain"),
        ("Plain", "Plain"),
        ("std::unique_lock<std::mutex>", "std::unique_lock<std::mutex>"),
    ],
)
def test_what_a_star_is_about(types: Types, spelling: str, found: str) -> None:
    assert types.pointed(spelling) == found


@pytest.mark.parametrize(
    ("spelling", "index", "found"),
    [
        ("Plain[3]", "", "Plain"),
        ("std::vector<Plain>", "", "Plain"),
        ("std::map<int, Plain>", "", "Plain"),
        ("std::tuple<int, Plain>", "1", "Plain"),
        ("std::tuple<int, Plain>", "0", "int"),
        ("Plain *", "", "Plain"),
    ],
)
def test_elements(types: Types, spelling: str, index: str, found: str) -> None:
    assert types.element(spelling, index) == found


@pytest.mark.parametrize(
    ("name", "written", "given", "found"),
    [
        ("std::make_unique", "std::make_unique<Plain>", [], "std::unique_ptr<Plain>"),
        ("std::make_shared", "std::make_shared<Plain>", [], "std::shared_ptr<Plain>"),
        ("std::move", "std::move", ["Plain"], "Plain"),
        ("std::min", "std::min", ["int", "int"], "int"),
        ("strlen", "strlen", ["char *"], ""),
    ],
)
def test_what_functions_of_libraries_return(
    types: Types, name: str, written: str, given: list[str], found: str
) -> None:
    assert types.of_function(name, written, given) == found


@pytest.mark.parametrize(
    ("spelling", "method", "found"),
    [
        ("std::vector<Plain>", "front", "Plain"),
        ("std::unique_ptr<Plain>", "get", "Plain *"),
        ("std::unique_lock<std::mutex>", "mutex", "std::mutex *"),
        ("Plain", "front", ""),
    ],
)
def test_what_methods_of_libraries_return(
    types: Types, spelling: str, method: str, found: str
) -> None:
    assert types.of_method(spelling, method) == found


@pytest.mark.parametrize(
    ("spelling", "names", "arguments", "found"),
    [
        ("std::vector<T>", ["T"], ["int"], "std::vector<int>"),
        ("std::map<T, U>", ["T", "U"], ["U", "T"], "std::map<U, T>"),
        ("Tree", ["T"], ["int"], "Tree"),
        ("T *", ["T"], [], "T *"),
        ("T", ["", "T"], ["x", "y"], "y"),
    ],
)
def test_parameters_are_replaced_all_at_once(
    spelling: str, names: list[str], arguments: list[str], found: str
) -> None:
    assert substituted(spelling, names, arguments) == found


# -- values ----------------------------------------------------------------------------------------


def variable(program: Program, name: str) -> str:
    (usr,) = (u for u, v in program.variables.items() if v.name == name)
    return usr


def test_a_name_is_its_variable(values: Values, program: Program) -> None:
    assert values.value(f.Name("global")) == (f.Var(variable(program, "global")), "int")


def test_a_name_that_nothing_declares_stays(values: Values) -> None:
    assert values.value(f.Name("nowhere")) == (f.Name("nowhere"), "")


def test_a_shouted_name_is_a_literal(values: Values) -> None:
    assert values.value(f.Name("MAX_SIZE")) == (f.Lit("MAX_SIZE"), "")


def test_a_member_is_one_of_its_object(values: Values, program: Program) -> None:
    value, kind = values.value(f.Name("kept", f.Var(variable(program, "derived"))))
    assert value == f.Field(
        f.Var(variable(program, "derived")), variable(program, "ns::Base::kept")
    )
    assert kind == "int"


def test_a_member_of_a_class_that_is_not_here_stays_a_name(values: Values) -> None:
    value, _ = values.value(f.Name("x", f.Name("nowhere")))
    assert value == f.Name("x", f.Name("nowhere"))


def test_a_members_type_has_the_arguments_of_its_object(values: Values, program: Program) -> None:
    box = f.Var(variable(program, "box"))
    assert values.value(f.Name("inside", box))[1] == "Plain"


def test_an_address_is_of_a_pointer_type(values: Values) -> None:
    assert values.value(f.Name(ADDRESS, f.Name("global")))[1] == "int *"


def test_behind_a_smart_pointer_is_what_it_points_to(values: Values) -> None:
    value, kind = values.value(f.Name("a", f.Name(ARROW, f.Name("owner"))))
    assert isinstance(value, f.Field)
    assert kind == "int"
    assert values.value(f.Name(DEREFERENCE, f.Name("owner")))[1] == "Plain"


def test_a_cast_has_the_type_that_it_names(values: Values) -> None:
    assert values.value(f.Name(f"{CAST}ns::Derived *", f.Name("global")))[1] == "ns::Derived *"


@pytest.mark.parametrize(
    ("name", "kind"), [("many", "Plain"), ("table", "Plain"), ("smart", "int")]
)
def test_an_index_calls_the_operator(values: Values, name: str, kind: str) -> None:
    value, found = values.value(f.Elem(f.Name(name), f.Lit("1")))
    assert isinstance(value, f.Result)
    assert found == kind
    assert isinstance(values.out[-1], f.Call)


def test_an_object_is_asked_by_its_conversion(values: Values) -> None:
    assert isinstance(values.condition(f.Name("smart")), f.Result)
    assert isinstance(values.condition(f.Name("global")), f.Var)


@pytest.mark.parametrize(
    ("condition", "kind"),
    [
        (f.Not(f.Name("global")), f.Not),
        (f.Both(f.Name("global"), f.Lit("1")), f.Both),
        (f.Less(f.Name("global"), f.Lit("1")), f.Less),
        (f.Compare(f.Name("global"), f.Lit("1")), f.Compare),
    ],
)
def test_conditions_keep_their_form(values: Values, condition: f.Value, kind: type) -> None:
    found = values.condition(condition)
    assert isinstance(found, kind)
    assert "Name" not in repr(found)


def test_new_numbers_are_new(values: Values) -> None:
    assert values.next_call() < values.next_call()
    assert values.next_make() < values.next_make()


# -- calls -----------------------------------------------------------------------------------------


def bound_call(values: Body, target: f.Value, *args: f.Value) -> f.Stmt:
    values.call(f.Call(0, target, list(args), 3))
    return values.out[-1]


def test_a_call_by_name_is_of_a_function(values: Body, program: Program) -> None:
    call = bound_call(values, f.Name("other::lonely"))
    assert isinstance(call, f.Call)
    assert program.called(call) == "other::lonely"


def test_a_method_has_its_object(values: Body, program: Program) -> None:
    call = bound_call(values, f.Name("run", f.Name("derived")), f.Lit("1"))
    assert isinstance(call, f.Call)
    assert isinstance(call.target, f.Fn)
    assert (program.called(call), call.virtual) == ("ns::Derived::run", True)
    assert call.target.base == f.Var(variable(program, "derived"))


def test_a_call_of_a_class_makes_an_object(values: Body) -> None:
    made = bound_call(values, f.Name("ns::Derived"), f.Lit("1"))
    assert isinstance(made, f.Make)
    assert made.type == "ns::Derived"
    assert made.ctor


def test_a_function_of_a_library_has_its_name(values: Body, program: Program) -> None:
    call = bound_call(values, f.Name("std::this_thread::yield"))
    assert isinstance(call, f.Call)
    assert program.called(call) == "std::this_thread::yield"


def test_a_method_of_a_library_has_its_class(values: Body, program: Program) -> None:
    call = bound_call(values, f.Name("push_back", f.Name("many")), f.Lit("1"))
    assert isinstance(call, f.Call)
    assert program.called(call) == "std::vector::push_back"


# -- constructions ---------------------------------------------------------------------------------


def construction(values: Constructions, spelling: str, *args: f.Value) -> list[f.Stmt]:
    values.construction(f.Make(0, spelling, "", list(args), 3))
    return values.out


def test_a_class_without_constructors_takes_its_members_in_order(
    values: Body, program: Program
) -> None:
    out = construction(values, "Listed", f.Lit("1"), f.Lit("2"))
    assert [s.target.usr for s in out if isinstance(s, f.Assign)] == [  # type: ignore[union-attr]
        variable(program, "Listed::x"),
        variable(program, "Listed::y"),
    ]


def test_the_number_of_arguments_chooses_the_constructor(values: Body, program: Program) -> None:
    (made,) = construction(values, "ns::Derived", f.Lit("1"))
    assert isinstance(made, f.Make)
    assert program.decls[made.ctor].params == 1


def test_of_what_is_no_object_the_value_remains(values: Body) -> None:
    assert construction(values, "int", f.Lit("1")) == []
    assert values.value(f.Made(0)) == (f.Lit("1"), "int")


def test_a_guard_of_a_library_is_made(values: Body, program: Program) -> None:
    (made,) = construction(values, "std::lock_guard<std::mutex>", f.Name("global"))
    assert isinstance(made, f.Make)
    assert made.args == [f.Var(variable(program, "global"))]


@pytest.mark.parametrize(
    ("spelling", "names", "fields"),
    [
        ("Plain", ["", ""], ["Plain::a", "Plain::b"]),
        ("Plain", ["b", "a"], ["Plain::b", "Plain::a"]),
        ("Plain", [""], ["Plain::a"]),
        ("Plain", ["", "", ""], None),
        ("int", ["", ""], None),
    ],
)
def test_lists_start_fields_in_order_or_by_name(
    values: Body, program: Program, spelling: str, names: list[str], fields: list[str] | None
) -> None:
    listed = f.AnyOf([f.Lit(str(n)) for n in range(len(names))], [LISTED + n for n in names])
    found = values.listed(listed, spelling)
    if fields is None:
        assert not isinstance(found, f.AnyOf) or found.fields == []
    else:
        assert isinstance(found, f.AnyOf)
        assert [program.variables[u].name for u in found.fields] == fields


# -- whole bodies ----------------------------------------------------------------------------------


@functools.cache
def alone(text: str) -> tuple[Program, Facts]:
    """The program of this text, read by its syntax alone."""
    main = folder() / "alone.cpp"
    main.write_text(text)
    job = Job(
        str(main), (str(main),), ("-x", "c++"), False, True, clang=False, reading=SYNTAX_ALONE
    )
    unit = read_unit(job).facts
    program = Program([unit])
    assert bind(program, [unit], builtin()) == []
    return program, unit


def body_of(text: str) -> list[f.Stmt]:
    program, _ = alone(text)
    (usr,) = program.named("f")
    return f.walk(program.functions[usr].body)


def test_a_lambda_sees_the_variables_around_it() -> None:
    program, _ = alone("int g(int); void f() { int n = 1; auto l = [&] { g(n); }; l(); }")
    (inner,) = (x for x in program.functions.values() if x.kind == "lambda")
    (call,) = (s for s in f.walk(inner.body) if isinstance(s, f.Call))
    assert program.called(call) == "g"
    assert isinstance(call.args[0], f.Var)


def test_auto_is_what_the_call_returns() -> None:
    text = "struct P { int n; }; P *make(); void f() { auto p = make(); p->n = 1; }"
    program, _ = alone(text)
    (local,) = (v for v in program.variables.values() if v.name == "p")
    assert local.type == "P *"
    (assign,) = (s for s in body_of(text) if isinstance(s, f.Assign))
    assert isinstance(assign.target, f.Field)


def test_an_argument_by_value_is_copied() -> None:
    text = "struct P { P(const P &); }; void g(P); void f(P &p) { g(p); }"
    made, call = (s for s in body_of(text) if isinstance(s, f.Make | f.Call))
    assert isinstance(made, f.Make)
    assert isinstance(call, f.Call)
    assert call.args == [f.Made(made.id)]


def test_an_argument_by_reference_is_not() -> None:
    text = "struct P { P(const P &); }; void g(P &); void f(P &p) { g(p); }"
    assert not [s for s in body_of(text) if isinstance(s, f.Make)]
