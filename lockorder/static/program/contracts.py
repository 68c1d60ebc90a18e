"""What thread-safety attributes say, as access paths: which lock each of their arguments means."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lockorder.model import Mode
from lockorder.static.parse.declarations import Contract
from lockorder.static.program.link import Program
from lockorder.static.program.paths import UNKNOWN, Path
from lockorder.static.program.steps import ELEMENT

_EXPRESSION = re.compile(r"((?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)((?:\.[A-Za-z_][\w:]*|\[\])*)")
_STEP = re.compile(r"\.([A-Za-z_][\w:]*)|\[\]")
_GETTER = re.compile(r"\.(?:get|operator\.|value)\(\)")
_CALL = re.compile(r"\w\(")
_FALSE = frozenset(("false", "0", "nullptr", "NULL"))
_LASTING = ("global", "member")
_Key = tuple[str, str, tuple[str, ...], str, int]


class ContractPaths(NamedTuple):
    """The contract of one function, by what it says; the locks as paths of that function.

    A release of ``None`` releases in whichever mode the lock is held.  ``tries`` start with the
    returned value that means success.  An attribute without arguments means ``this``.
    """

    requires: tuple[tuple[Path, Mode], ...] = ()
    excludes: tuple[Path, ...] = ()
    acquires: tuple[tuple[Path, Mode], ...] = ()
    releases: tuple[tuple[Path, Mode | None], ...] = ()
    tries: tuple[tuple[bool, Path, Mode], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it says nothing."""
        return self == NO_CONTRACT


NO_CONTRACT = ContractPaths()


class _Scope(NamedTuple):
    """Where an argument is read: its class, the names around it, its object and parameters."""

    cls: str
    name: str
    this: Path
    file: str
    params: dict[str, tuple[str, str]]


class Contracts:
    """The contracts of a program's functions; ``unresolved`` are arguments that name no object."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._of_functions: dict[str, dict[_Key, Contract]] = {}
        self._of_variables: dict[_Key, Contract] = {}
        self._by_name: dict[str, list[str]] = {}
        self._known: dict[str, ContractPaths] = {}
        self.unresolved: list[Contract] = []
        if not program.contracts:
            return
        for usr, variable in program.variables.items():
            if variable.kind in (*_LASTING, "field"):
                self._by_name.setdefault(variable.name, []).append(usr)
        for contract in program.contracts:
            if contract.what in ("before", "after"):
                self._of_variables[_key(contract)] = contract
                continue
            homes = {contract.usr: None}
            bodies = program.body_of(contract.usr)
            if len(bodies) == 1:  # a missing header can give declaration and body two names
                homes[bodies[0]] = None
            for home in homes:
                self._of_functions.setdefault(home, {})[_key(contract)] = contract

    def of(self, usr: str) -> ContractPaths:
        """The contract of a function, from all of its declarations; empty where it has none.

        Paths start at ``this:USR``, at ``v:`` and a parameter of the body, at ``v:`` and a global,
        or at ``?`` for another class's member that has no object.  Parameters of a function
        without a body are ``v:USR@0``, ``v:USR@1`` and so on.
        """
        said = self._of_functions.get(usr)
        if said is None:
            return NO_CONTRACT
        found = self._known.get(usr)
        if found is None:
            found = self._known[usr] = self._read(usr, said.values())
        return found

    def is_capability(self, callee: str) -> bool:
        """Whether a method says that it takes or releases its own object: a lock of the program.

        The object is the lock then, and not the mutex inside it, whose name nobody declares orders
        by.
        """
        contract = self.of(callee)
        own = Path.of_this(callee)
        said = (*contract.acquires, *contract.releases)
        return any(p == own for p, _ in said) or any(p == own for _, p, _ in contract.tries)

    @property
    def functions(self) -> list[str]:
        """Keys of the functions that have a contract, sorted."""
        return sorted(self._of_functions)

    def orders(self) -> list[tuple[Path, Path, Contract]]:
        """What ACQUIRED_BEFORE and ACQUIRED_AFTER declare: the first path before the second."""
        found = []
        for contract in self._of_variables.values():
            variable = self._program.variables.get(contract.usr)
            if variable is None:
                continue
            field = variable.kind == "field"
            own = Path(UNKNOWN.root, (variable.usr,)) if field else Path.of_variable(variable.usr)
            cls = variable.name.rpartition("::")[0] if variable.kind in ("field", "member") else ""
            scope = _Scope(cls, variable.name, UNKNOWN, contract.file, {})
            for text in contract.args:
                other = self._path(text, scope)
                if other is None:
                    self.unresolved.append(contract)
                elif contract.what == "before":
                    found.append((own, other, contract))
                else:
                    found.append((other, own, contract))
        return found

    # -- one function -----------------------------------------------------------------------------

    def _read(self, usr: str, said: Iterable[Contract]) -> ContractPaths:
        requires: dict[tuple[Path, Mode], None] = {}
        excludes: dict[Path, None] = {}
        acquires: dict[tuple[Path, Mode], None] = {}
        releases: dict[tuple[Path, Mode | None], None] = {}
        tries: dict[tuple[bool, Path, Mode], None] = {}
        for contract in said:
            scope = self._scope(usr, contract)
            what, _, suffix = contract.what.partition("_")
            mode = Mode.SHARED if suffix == "shared" else Mode.EXCLUSIVE
            args = contract.args
            success = True
            if what == "tries":
                success = not args or args[0] not in _FALSE
                args = args[1:]
            for text in args or ["this"]:
                path = self._path(text, scope)
                if path is None:
                    self.unresolved.append(contract)
                elif what == "excludes" or text.lstrip("( ").startswith("!"):
                    excludes[path] = None  # REQUIRES(!mu) is how Clang says the same
                elif what == "requires":
                    requires[path, mode] = None
                elif what == "acquires":
                    acquires[path, mode] = None
                elif what == "releases":
                    releases[path, None if suffix == "generic" else mode] = None
                else:
                    tries[success, path, mode] = None
        return ContractPaths(
            tuple(requires), tuple(excludes), tuple(acquires), tuple(releases), tuple(tries)
        )

    def _scope(self, usr: str, contract: Contract) -> _Scope:
        function = self._program.functions.get(usr)
        decl = self._program.decls.get(usr) or self._program.decls.get(contract.usr)
        keys = function.params if function is not None else ()
        params: dict[str, tuple[str, str]] = {}
        for i, (name, kind) in enumerate(zip(contract.names, contract.types, strict=True)):
            params[name] = (keys[i] if i < len(keys) else f"{usr}@{i}", kind)
        cls = function.cls if function is not None else decl.cls if decl is not None else ""
        return _Scope(cls, self._program.name_of(usr), Path.of_this(usr), contract.file, params)

    # -- one argument -----------------------------------------------------------------------------

    def _path(self, text: str, scope: _Scope) -> Path | None:
        """The object that an argument means; None for what is no name (a call, say)."""
        match = _EXPRESSION.fullmatch(_plain(text))
        if match is None:
            return None
        start = self._start(match.group(1), scope)
        if start is None:
            return None
        path, spelling = start
        for step in _STEP.finditer(match.group(2)):
            if step.group(1) is None:
                path, spelling = path.then(ELEMENT), self._program.element_type(spelling)
                continue
            cls = self._program.split(self._program.pointee(spelling))[0]
            field = self._program.field(cls, step.group(1).rsplit("::", 1)[-1])
            if field is None:
                return None
            path, spelling = path.then(field), self._program.type_of(field)
        return path

    def _start(self, name: str, scope: _Scope) -> tuple[Path, str] | None:
        """The path and the type of what the first name of an expression means."""
        if name == "this":
            return scope.this, scope.cls
        if name in scope.params:
            usr, spelling = scope.params[name]
            return Path.of_variable(usr), spelling
        if "::" not in name and scope.cls:
            field = self._program.field(scope.cls, name)
            if field is not None:
                return self._variable(field, scope)
        found = self._by_scope(name, scope)
        if found is None:
            found = self._program.global_named(name.removeprefix("::"), scope.file)
        return self._variable(found, scope) if found is not None else None

    def _by_scope(self, name: str, scope: _Scope) -> str | None:
        """A variable by a name that may lack what stands around it: the innermost that fits."""
        around = "" if name.startswith("::") else scope.name
        name = name.removeprefix("::")
        around_all = [*sorted(self._program.ancestors(scope.cls))] if scope.cls else []
        while around:
            around = around.rpartition("::")[0]
            around_all.append(around)
        for prefix in around_all or [""]:
            found = self._named(f"{prefix}::{name}" if prefix else name)
            here = [u for u in found if self._program.variables[u].file == scope.file]
            if len(found) == 1 or len(here) == 1:
                return here[0] if len(here) == 1 else found[0]
        return None

    def _named(self, name: str) -> list[str]:
        """Variables of that whole name; a member may be named after a derived class."""
        found = self._by_name.get(name, [])
        cls, _, last = name.rpartition("::")
        if not found and cls in self._program.classes:
            bases = sorted(self._program.ancestors(cls))
            found = [u for b in bases for u in self._by_name.get(f"{b}::{last}", ())]
        return found

    def _variable(self, usr: str, scope: _Scope) -> tuple[Path, str]:
        variable = self._program.variables[usr]
        if variable.kind != "field":
            return Path.of_variable(usr), variable.type
        owner = variable.name.rpartition("::")[0]
        mine = bool(scope.cls) and owner in self._program.ancestors(scope.cls)
        return (scope.this if mine else UNKNOWN).then(usr), variable.type


def _key(contract: Contract) -> _Key:
    return contract.usr, contract.what, tuple(contract.args), contract.file, contract.line


def _plain(text: str) -> str:
    """An argument's text without what does not change which object it means.

    Arrows, dots, dereferences and addresses look alike; template arguments, white space and
    parentheses go; a subscript is ``[]``.
    """
    text = text.replace("->", ".").strip()
    if text[:1] == text[-1:] == '"':
        text = text[1:-1]  # the older attributes take names as strings
    count = 1
    while count:
        text, count = re.subn(r"<[^<>]*>", "", text)
    text = re.sub(r"\s+", "", text)
    text = _GETTER.sub("", re.sub(r"\[[^\[\]]*\]", "[]", text))
    return text if _CALL.search(text) else re.sub(r"[()&*!]", "", text)
