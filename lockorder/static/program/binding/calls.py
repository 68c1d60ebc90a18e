"""Calls that were read by their syntax: which function, on which object, and what that returns."""

from __future__ import annotations

from collections.abc import Sequence

from lockorder.static.parse import facts as f
from lockorder.static.parse.recovery.spellings import plain_name
from lockorder.static.parse.recovery.whole_expressions import ADDRESS
from lockorder.static.program.binding.lookup import Found, bare
from lockorder.static.program.binding.made import Constructions
from lockorder.static.program.binding.values import LIBRARY

_STEPS = {"operator++": 1, "operator--": -1}


class Body(Constructions):
    """Binds the calls of one function."""

    def call(self, call: f.Call) -> None:
        """Bind one call; some turn out to be constructions, or nothing at all."""
        target = call.target
        if isinstance(target, f.Name) and target.base is None:
            self._named(call, target.text)
        elif isinstance(target, f.Name) and not self.is_mark(target.text):
            self._member(call, target)
        else:
            callee, kind = self.value(target)
            self._value(call, callee, kind)

    def _arguments(self, call: f.Call) -> tuple[list[f.Value], list[str]]:
        found = [self.value(a) for a in call.args]
        return [v or f.Lit("") for v, _ in found], [k for _, k in found]

    # -- by name ----------------------------------------------------------------------------------

    def _named(self, call: f.Call, text: str) -> None:
        found = self.find(text) if text else None
        if found is None:
            self._unknown(call, text)
        elif found.kind == "class":
            self._construct(call, self._with_arguments(found.keys[0], text))
        elif found.kind == "function":
            self._function(call, found, f.This() if found.cls else None, self.cls, "::" in text)
        else:
            callee, kind = self.bound(found, f.This(), self.cls)
            self._value(call, callee, kind)

    def _with_arguments(self, cls: str, text: str) -> str:
        return cls + self.full(text[text.find("<") :]) if "<" in text else cls

    def _construct(self, call: f.Call, spelling: str) -> None:
        number = self.next_make()
        made = f.Make(number, spelling, "", call.args, call.line, call.column)
        self.construction(made)
        self.results[call.id] = self.makes[number]

    def _unknown(self, call: f.Call, text: str) -> None:
        name = self.standard(text)
        if self.types.is_class(name) or (not call.args and self._carries_guard(text)):
            self._construct(call, self._with_arguments(name, text))
            return
        args, kinds = self._arguments(call)
        target: f.Value = f.Name(plain_name(text))
        guessed = text in self.knowledge.checks or (
            "::" not in name and self.program.by_bare_name(name, None, len(args))
        )
        if text and not guessed:
            target = self.library(name)
        result = self.types.of_function(name, self.full(text), kinds)
        if not result and not args and "<" in text:
            result = name + self.full(text[text.find("<") :])  # a function object, if anything
        made = result if "make_" in name or "allocate_" in name else ""
        if name in self.knowledge.moves and args:
            self.moved.add(call.id)
        self._emitted(call, target, args, result, False, made)

    def _carries_guard(self, text: str) -> bool:
        """``call_guard<Guard>()``: an object that has the type of a guard as an argument."""
        arguments = self.program.split(self.full(text))[1] if "<" in text else ()
        return any(self.program.split(a)[0] in self.knowledge.guards for a in arguments)

    def _function(
        self, call: f.Call, found: Found, base: f.Value | None, owner: str, qualified: bool
    ) -> None:
        args, kinds = self._arguments(call)
        usr = self.lookup.choose(found.keys, kinds) or found.keys[0]
        decl = self.program.decls[usr]
        if base is not None and decl.cls and self.lookup.is_static(usr):
            base = None
        args = self._passed(args, kinds, decl.types, call.line)
        for default in decl.defaults[len(decl.defaults) - decl.params + len(args) :]:
            if not default or len(args) >= decl.params:
                break
            args.append(f.Lit(default))
        virtual = base is not None and not qualified and self.lookup.virtual(usr)
        result = self.instantiated(decl.result, usr, owner)
        made = ""
        if "make_" in decl.name or "allocate_" in decl.name:
            made = result
        self._emitted(call, f.Fn(usr, base), args, result, virtual, made)

    def _passed(
        self, args: list[f.Value], kinds: Sequence[str], wanted: Sequence[str], line: int
    ) -> list[f.Value]:
        """Arguments as parameters get them: copied, or converted."""
        found = list(args)
        for i, (arg, kind, parameter) in enumerate(zip(args, kinds, wanted, strict=False)):
            reference = parameter.endswith("&") and not parameter.endswith("* &")
            if reference and (not kind or bare(kind) == bare(parameter)):
                continue
            spelling = parameter.rstrip(" &").removeprefix("const ")
            if not self.types.is_object(spelling):
                continue
            if reference and self.class_named(spelling) not in self.program.classes:
                continue
            passed = self.object_from(spelling, arg, kind, line)
            if passed is not arg and isinstance(passed, f.Made):
                self.passing.append(passed.make)
            found[i] = passed
        return found

    def _emitted(
        self,
        call: f.Call,
        target: f.Value,
        args: list[f.Value],
        kind: str,
        virtual: bool = False,
        made: str = "",
    ) -> None:
        for at, (argument, value) in enumerate(zip(call.args, args, strict=False)):
            pointed = isinstance(argument, f.Name) and argument.text == ADDRESS
            if pointed and isinstance(value, f.Var) and self._is_plain(value.usr):
                self.out.append(f.Written(value, call.id, at, call.line))
        self.out.append(
            f.Call(
                call.id,
                target,
                args,
                call.line,
                call.column,
                virtual,
                made,
                call.texts,
                call.awaited,
            )
        )
        self.results[call.id] = (f.Result(call.id), kind)

    def _is_plain(self, usr: str) -> bool:
        """Whether a variable is no object of a class, as far as its type is known."""
        spelling = self.program.type_of(usr)
        known = bool(spelling) and not usr.startswith(LIBRARY)
        return known and not (
            self.types.is_object(spelling) or bare(spelling) in self.knowledge.locks
        )

    # -- members ----------------------------------------------------------------------------------

    def _member(self, call: f.Call, target: f.Name) -> None:
        base, kind = self.value(target.base)
        text = target.text
        if text == f.ASSIGNMENT:
            self._assignment(call, base, kind)
            return
        if text.startswith("operator") and not text[8:9].isalnum() and text[8:9] != "(":
            called = self.overloaded(text, base, kind, [self.known(a) for a in call.args])
            self.results[call.id] = called if called is not None else (None, "")
            number = text in _STEPS and not self.types.is_object(kind.rstrip(" &"))
            if called is None and number and isinstance(base, (f.Var, f.Field, f.Elem)):
                by = _STEPS[text]  # no longer what it was
                self.out.append(f.Assign(base, f.Lit(""), call.line, by))
            return
        if text in self.knowledge.part_names and self.class_named(kind) not in self.program.classes:
            self._value(call, *self.value(target))
            return
        found = self.member_of(kind, text)
        if found is not None and found.kind == "function":
            self._function(call, found, base or f.Name(""), kind, "::" in text)
            return
        if found is not None:
            callee, type_ = self.bound(found, base or f.Name(""), kind)
            self._value(call, callee, type_)
            return
        args, _ = self._arguments(call)
        cls = self._library_class(kind)
        name = plain_name(text)
        if not cls or base is None:
            self._emitted(call, f.Name(name, base or f.Name("")), args, "")
            return
        result = self.types.of_method(kind.rstrip(" &"), name)
        if f"{cls}::{name}" in self.knowledge.binders:
            result = kind  # they are chained
        self._emitted(call, self.library(f"{cls}::{name}", base), args, result)

    def _library_class(self, kind: str) -> str:
        """The library's class that an object's methods are of: its own or a base."""
        cls = self.class_named(kind)
        for each in self.lookup.lineage(cls):
            if each not in self.program.classes and ("::" in each or self.types.is_class(each)):
                return each
        return ""

    def _assignment(self, call: f.Call, base: f.Value | None, kind: str) -> None:
        self.results[call.id] = (base, kind)
        plain = kind.removeprefix("const ").rstrip(" &")
        if base is None:
            return
        if not self.types.is_object(plain):
            parameter = plain.isidentifier() and self.program.is_dependent(plain)
            if parameter and isinstance(base, (f.Var, f.Field)):
                args, _ = self._arguments(call)
                before = self.out[-1] if self.out else None
                assigned = self.out.pop() if isinstance(before, f.Assign) else None
                self._emitted(call, f.Name(f.ASSIGNMENT, base), args, kind)
                self.out.extend([assigned] if assigned is not None else [])
            return
        args, kinds = self._arguments(call)
        found = self.member_of(plain, f.ASSIGNMENT)
        usr = self.lookup.choose(found.keys, kinds) if found is not None else None
        cls = self.class_named(plain)
        target = f.Fn(usr, base) if usr else self.library(f"{cls}::{f.ASSIGNMENT}", base)
        self._emitted(call, target, args, f"{plain} &")

    # -- callables --------------------------------------------------------------------------------

    def _value(self, call: f.Call, callee: f.Value | None, kind: str) -> None:
        args, kinds = self._arguments(call)
        if isinstance(callee, f.AnyOf) and len(callee.values) == 2:  # (object->*member)(...)
            first, second = callee.values
            if isinstance(second, f.Fn):
                callee = f.Fn(second.usr, first)
        cls = self.types.of_class(kind.rstrip(" &"))
        if not cls and "::" in kind and not kind.endswith(("*", ")", "]")):
            cls = self.class_named(kind)  # of a library of which nothing is known
        if callee is not None and cls:
            found = self.member_of(kind, "operator()")
            usr = self.lookup.choose(found.keys, kinds) if found is not None else None
            result = self.program.result_of(usr) if usr else ""
            if usr:
                self._emitted(call, f.Fn(usr, callee), args, result)
                return
            if cls not in self.program.classes:
                self._emitted(call, self.library(f"{cls}::operator()", callee), args, "")
                return
        self._emitted(call, callee if callee is not None else f.Name(""), args, "")
