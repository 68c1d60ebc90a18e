"""Declarations: the variables, functions and classes that one translation unit names.

``Facts`` holds them together with the functions whose bodies the unit has.
"""

from __future__ import annotations

import msgspec

from lockorder.static.parse.facts import Fact, Function


class Variable(Fact):
    """A variable, parameter or field.

    ``kind`` is one of global, static (a function's), local, param, field, member (static data
    member), enumerator (only where the syntax alone shows it; ``type`` is its value, if known).
    ``type`` is the canonical spelling; ``owner`` the USR of the function or class.
    """

    usr: str
    name: str
    kind: str
    type: str
    owner: str = ""
    file: str = ""
    line: int = 0
    #: a global whose definition this is (and not an extern declaration)
    defined: bool = False
    #: a field that only its class and friends can name
    private: bool = False


class Decl(Fact):
    """A function that is called or named, whether or not its body is here."""

    usr: str
    name: str
    params: int = 0
    cls: str = ""
    virtual: bool = False
    result: str = ""
    #: of constructors, and where bodies are read by their syntax: parameters without a default
    #: (of lambdas, too), and types of all
    required: int = -1
    types: list[str] = msgspec.field(default_factory=list)
    static: bool = False
    #: literals that are defaults of parameters, in order; empty texts for other defaults
    defaults: list[str] = msgspec.field(default_factory=list)
    #: how arguments are passed, as ``passing`` says
    passed: str = ""
    #: names of its own template parameters
    tparams: list[str] = msgspec.field(default_factory=list)
    #: a private member: nobody outside of its class and of its friends calls it
    private: bool = False
    #: a header of the C library declares it
    libc: bool = False
    #: of a library's function: parameters that point to it knows not what, and so calls none of
    opaque: list[int] = msgspec.field(default_factory=list)


class Class(Fact):
    """A class: its bases (qualified names), fields (USRs, in order), destructor, constructors.

    *methods* are those that somebody has to write a body for (constructors, destructors and
    templates too); *friends* where others may call what is private.  The fields of a *union* lie on
    each other.
    """

    usr: str
    name: str
    bases: list[str]
    fields: list[str]
    dtor: str = ""
    file: str = ""
    line: int = 0
    ctors: list[str] = msgspec.field(default_factory=list)
    #: names of its template parameters
    tparams: list[str] = msgspec.field(default_factory=list)
    methods: list[str] = msgspec.field(default_factory=list)
    friends: bool = False
    union: bool = False
    #: its bases once more, as types: with the arguments of templates
    base_types: list[str] = msgspec.field(default_factory=list)
    #: the literals that fields begin as by their declarations
    starts: dict[str, str] = msgspec.field(default_factory=dict)

    @property
    def managed(self) -> list[str]:
        """Fields that live and die with the object ([class.union]/4: a union's do not)."""
        return [] if self.union else self.fields


class Contract(Fact):
    """A thread-safety attribute of a function or variable: *what* it says (see annotations).

    *args* are its arguments as written; *names* and *types* those of the function's parameters.
    """

    usr: str
    what: str
    args: list[str]
    line: int
    file: str
    names: list[str] = msgspec.field(default_factory=list)
    types: list[str] = msgspec.field(default_factory=list)


class FileFacts(Fact):
    """Counts of one file (see model.FileCoverage) made while its facts were read."""

    file: str
    calls: int = 0
    calls_seen: int = 0
    filled: int = 0
    locks: int = 0
    locks_seen: int = 0
    inactive: int = 0
    headers_missing: list[str] = msgspec.field(default_factory=list)
    errors: int = 0
    #: how it was read where libclang crashed
    reading: str = ""
    #: where each of ``locks`` stands: first line and column, last line and column
    extents: list[tuple[int, int, int, int]] = msgspec.field(default_factory=list)


class Facts(Fact):
    """Everything one translation unit says."""

    main: str
    functions: list[Function]
    classes: list[Class]
    variables: list[Variable]
    decls: list[Decl]
    files: list[FileFacts]
    problem: str = ""
    foreign: bool = False  # ``problem``: nothing in it is C or C++
    contracts: list[Contract] = msgspec.field(default_factory=list)
    #: namespaces that directives make visible where bodies were read by their syntax
    spaces: list[str] = msgspec.field(default_factory=list)
    #: names of enumerations
    enums: list[str] = msgspec.field(default_factory=list)


#: How the keys of Python's declarations begin; Clang's begin with "c:".
PYTHON_KEY = "py:"


def is_python(usr: str) -> bool:
    """Whether a declaration is one of a Python source."""
    return usr.startswith(PYTHON_KEY)


def renamed(unit: Facts, names: dict[str, str]) -> Facts:
    """*unit* with other keys for some declarations, wherever they occur."""

    def change(value: object) -> object:
        if isinstance(value, str):
            return names.get(value, value)
        if isinstance(value, (list, tuple)):
            return [change(v) for v in value]
        return value

    return msgspec.convert(change(msgspec.to_builtins(unit)), Facts)
