"""Functions made from templates, each with its arguments, where those decide what it does.

libclang shows a template's body once, as it is written.  Where that tests a value that it is
given, uses a static variable of which each instance has its own, or makes an object of a type that
it is given, a copy for each list of arguments says what a call does.  All else is one function:
what a parameter's type means is resolved at the call.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec

from lockorder.bounds import INSTANCES
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program
from lockorder.static.program.traits import Traits

_STRING = re.compile(rb'"((?:[^"\\]|\\.)*)"')
#: A name in a class or namespace, none of them with arguments of a template.
_PLAIN = re.compile(r"[A-Za-z_]\w*(?:::[A-Za-z_]\w*)+")


def instantiate(program: Program) -> None:
    """Give *program* a copy of each template for each list of arguments that matters."""
    _Instances(program).run()
    for usr, function in program.functions.items():
        names = program.template_parameters(usr)
        for statement in walk(function.body) if names else ():
            if isinstance(statement, f.Call):
                _leave_open(statement.target, names)


def _leave_open(target: f.Value, names: AbstractSet[str]) -> None:
    """``T::run()`` where nobody says what T is: a member of it, and no function called ``run``."""
    if not isinstance(target, f.Name) or not target.whole or "::" in target.text:
        return
    text = target.whole.removeprefix(f.TEMPLATE_VALUE)
    if text.partition("::")[0] in names:
        target.text = text


class _Instances:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._lambdas: dict[str, list[str]] = {}
        self._depends: dict[str, bool] = {}
        self._texts: dict[str, frozenset[str]] = {}
        self._made: dict[str, str] = {}
        self._copies: Counter[str] = Counter()
        self._traits = Traits(program)
        self._pending: list[str] = []

    def run(self) -> None:
        functions = self._program.functions
        calling = [u for u, x in functions.items() if any(_instances(x))]
        if not calling:
            return
        for usr, function in functions.items():
            if function.parent:
                self._lambdas.setdefault(function.parent, []).append(usr)
        self._pending = calling
        while self._pending:
            self._bind(self._pending.pop())
        if not self._made:
            return
        self._program.copies.update(self._made)
        self._remove(set(self._made.values()))
        self._program.index_again()

    def _remove(self, templates: set[str]) -> None:
        """Drop those of *templates* that nothing calls any more, but for what was made of them."""
        functions = self._program.functions
        named = {n for x in functions.values() for n in _names(x)}
        # One whose name a call has that is not bound may be meant by a template.
        templates = {t for t in templates if functions[t].name.rpartition("::")[2] not in named}
        while templates:
            called = {v.usr for u, x in functions.items() if u not in templates
                      for v in _functions(x)}  # fmt: skip
            kept = {t for t in templates if t in called}
            if not kept:
                break
            templates -= kept
        for usr in templates:
            for each in (usr, *self._lambdas_of(usr)):
                del functions[each]

    def _bind(self, usr: str) -> None:
        """Let calls in a function call the copies."""
        function = self._program.functions[usr]
        targets: dict[tuple[str, ...], str] = {}
        for target in _instances(function):
            bodies = self._program.body_of(target.usr)
            if len(bodies) == 1 and self._decides(bodies[0]):
                given = self._given(bodies[0], target.args, target.outer)
                key = (target.usr, *target.args, "", *target.outer)
                targets[key] = self._copy(bodies[0], given, target)
        if targets:

            def change(value: Any) -> Any:
                if isinstance(value, (list, tuple)):
                    if len(value) == 5 and value[0] == "Instance":
                        found = targets.get((value[1], *value[3], "", *value[4]))
                        if found is not None:
                            return ["Fn", found, change(value[2])]
                    return [change(v) for v in value]
                return value

            function.body = msgspec.convert(change(msgspec.to_builtins(function.body)), f.Block)

    # -- which --------------------------------------------------------------------------------

    def _decides(self, usr: str) -> bool:
        """Whether a template's arguments decide what a function does."""
        known = self._depends.get(usr)
        if known is None:
            self._depends[usr] = False  # meanwhile: by itself it does not
            known = self._depends[usr] = self._find(usr)
        return known

    def _find(self, usr: str) -> bool:
        function = self._program.functions[usr]
        decl = self._program.decls.get(usr)
        if function.filled or decl is None or decl.virtual:
            return False
        names = self._program.template_parameters(usr)
        return any(
            text.startswith(f.TEMPLATE_VALUE) or text in names or self._is_static(function, text)
            for text in self._strings(usr)
        ) or any(self._decides(s) for s in self._siblings(usr))

    def _is_static(self, function: f.Function, usr: str) -> bool:
        """Whether each instance has a variable of its own."""
        variable = self._program.variables.get(usr)
        if variable is None:
            return False
        if variable.kind == "static":
            return variable.name.startswith(f"{function.name}()::")
        owner = self._program.classes.get(function.cls)
        own = variable.name == f"{function.cls}::{variable.name.rpartition('::')[2]}"
        return variable.kind == "member" and owner is not None and bool(owner.tparams) and own

    def _siblings(self, usr: str) -> list[str]:
        """Other methods of the same class template that a method names."""
        cls = self._program.functions[usr].cls
        known = self._program.classes.get(cls)
        if known is None or not known.tparams:
            return []
        functions = self._program.functions
        return sorted(
            s
            for s in self._strings(usr)
            if s != usr and s in functions and functions[s].cls == cls
            and functions[s].kind == "method"
        )  # fmt: skip

    def _strings(self, usr: str) -> frozenset[str]:
        """All texts in the facts of a function and of its lambdas."""
        found = self._texts.get(usr)
        if found is None:
            bodies = [self._program.functions[u].body for u in (usr, *self._lambdas_of(usr))]
            raw = b"".join(msgspec.json.encode(b) for b in bodies)
            texts = {t.decode().replace('\\"', '"') for t in _STRING.findall(raw)}
            found = self._texts[usr] = frozenset(texts)
        return found

    def _lambdas_of(self, usr: str) -> list[str]:
        found = list(self._lambdas.get(usr, ()))
        for each in found:
            found.extend(self._lambdas.get(each, ()))
        return found

    # -- copies -------------------------------------------------------------------------------

    def _given(self, usr: str, args: list[str], outer: list[str]) -> dict[str, str]:
        """Template parameters and what they are."""
        function, decl = self._program.functions[usr], self._program.decls[usr]
        cls = self._program.classes.get(function.cls)
        found = dict(zip(cls.tparams if cls is not None else (), outer, strict=False))
        found.update(zip(decl.tparams, args, strict=False))
        return {name: given for name, given in found.items() if given}

    def _copy(self, usr: str, given: dict[str, str], target: f.Instance) -> str:
        suffix = f"<{','.join((*target.outer, '', *target.args))}>"
        key = usr + suffix
        if key in self._made:
            return key
        program = self._program
        self._copies[usr] += 1
        if self._copies[usr] > INSTANCES.limit:
            program.uncopied.add(usr)
            return usr
        self._made[key] = usr
        copied = (usr, *self._lambdas_of(usr))
        names = {u: u + suffix for u in copied}
        for text in {t for u in copied for t in (*self._strings(u), *program.functions[u].params)}:
            variable = program.variables.get(text)
            if variable is None:
                continue
            own = variable.owner in names and variable.kind in ("local", "param", "static")
            static = self._is_static(program.functions[usr], text)
            if not (own or static):
                continue
            shown = suffix if variable.kind != "member" else f"<{','.join(target.outer)}>"
            names[text] = text + shown
            name = variable.name
            if static:
                scope, _, last = name.rpartition("::")
                name = f"{scope}{shown.replace('<,', '<')}::{last}"
            if names[text] not in program.variables:
                program.variables[names[text]] = msgspec.structs.replace(
                    variable, usr=names[text], name=name, type=_filled(variable.type, given),
                    owner=names.get(variable.owner, variable.owner),
                )  # fmt: skip
        for sibling in self._siblings(usr):
            if self._decides(sibling):
                inner = f.Instance(sibling, None, [], target.outer)
                names[sibling] = self._copy(sibling, self._given(sibling, [], target.outer), inner)
        for each in copied:
            old = program.functions[each]
            changed = _changed(
                msgspec.to_builtins(old), names, given, self._traits, self._instance_of,
                target.outer,
            )  # fmt: skip
            program.functions[names[each]] = msgspec.convert(changed, f.Function)
            decl = program.decls.get(each)
            if decl is not None:
                program.decls[names[each]] = msgspec.structs.replace(decl, usr=names[each])
            self._pending.append(names[each])
        return key

    def _instance_of(self, text: str) -> f.Fn | None:
        """The function that is written ``Maker<Type>::make<3>``, or ``Type::make`` of a class that
        is no template, if there is one of that name."""
        parts = [self._program.split(p) for p in _segments(text)]
        name = "::".join(own for own, _ in parts)
        if len(parts) < 2:
            return None
        if not any(arguments for _, arguments in parts):
            cls, _, last = name.rpartition("::")
            own = self._program.nearest(cls, last) if cls in self._program.classes else []
            return f.Fn(own[0]) if len(own) == 1 else None
        found = self._program.namesakes(name, None, 0)
        if len(found) != 1:
            return None
        return f.Instance(found[0], None, list(parts[-1][1]), list(parts[-2][1]))


def _segments(text: str) -> list[str]:
    """The parts of a qualified name, each with its arguments."""
    found, depth, start = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign == "<") - (sign == ">")
        if depth == 0 and text.startswith("::", at):
            found.append(text[start:at])
            start = at + 2
    found.append(text[start:])
    return [part.strip().removeprefix("template ").strip() for part in found]


def _changed(
    value: Any,
    names: dict[str, str],
    given: dict[str, str],
    traits: Traits,
    instance_of: Callable[[str], f.Fn | None],
    outer: list[str],
) -> Any:
    """Facts as plain lists, with other keys, and with what parameters of templates are."""
    if isinstance(value, str):
        return names.get(value, value)
    if not isinstance(value, (list, tuple)):
        return value
    if len(value) == 2 and value[0] == "Var" and value[1].startswith(f.TEMPLATE_VALUE):
        known = given.get(value[1].removeprefix(f.TEMPLATE_VALUE))
        return ["Lit", known] if known is not None else list(value)
    if len(value) == 4 and value[0] == "Name" and value[3]:
        text = _filled(value[3].removeprefix(f.TEMPLATE_VALUE), given)
        told = traits.value(text)
        if told is not None:
            return ["Lit", told]
        meant = instance_of(text) if value[2] is None else None
        if meant is not None:
            return msgspec.to_builtins(meant)
        return ["Name", text if _PLAIN.fullmatch(text) else value[1], *value[2:]]
    found = [_changed(v, names, given, traits, instance_of, outer) for v in value]
    if len(value) == 5 and value[0] == "Instance":
        # The template itself with arguments of its own, not the copy that these facts go into.
        found[1] = value[1]
        found[3], found[4] = ([_filled(a, given) for a in value[i]] for i in (3, 4))
        if not found[4] and value[1] in names:
            found[4] = outer
    if found and found[0] == "Make":
        found[2] = _filled(found[2], given)
    return found


def _filled(spelling: str, given: dict[str, str]) -> str:
    """A type with its template parameters replaced."""
    return re.sub(r"\b[A-Za-z_]\w*\b", lambda m: given.get(m[0], m[0]), spelling)


def _functions(function: f.Function) -> Iterator[f.Fn]:
    """Functions that a body names."""
    for statement in walk(function.body):
        values: list[f.Value | None] = []
        if isinstance(statement, f.Call):
            values = [statement.target, *statement.args]
        elif isinstance(statement, f.Make):
            values = [*statement.args]
        elif isinstance(statement, (f.Local, f.Assign, f.Return)):
            values = [statement.value]
        for value in values:
            if isinstance(value, f.Fn):
                yield value


def _names(function: f.Function) -> Iterator[str]:
    """Names of functions that a body calls without saying which."""
    for statement in walk(function.body):
        if isinstance(statement, f.Call) and isinstance(statement.target, f.Name):
            yield statement.target.text.rpartition("::")[2]


def _instances(function: f.Function) -> Iterator[f.Instance]:
    return (v for v in _functions(function) if isinstance(v, f.Instance))
