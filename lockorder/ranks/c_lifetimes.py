"""Where the life of an object of C++ ends, and what its destructor does there.

A variable that holds an object guards what comes after it in its block.  Where the block is left by
``return``, ``break``, ``continue`` or ``goto``, what it guards is ended right there, as a compiler
has it: an object may be handed on, or told to do nothing, on one way out and not on another.  An
exception is caught for that, and passed on.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Callable
from typing import Any

import msgspec

from lockorder.ranks.effects import Attempt, Exit, Scope, acts, exits, raises
from lockorder.ranks.expressions import NO_VALUE
from lockorder.ranks.interpreter import Interpreter
from lockorder.ranks.machine import Key, Pointer
from lockorder.ranks.values import Class, Const, Either, Function, Obj, Unknown, Value

#: How a variable holds an object, and the class that it is declared with.
Holding = tuple[str, str]
_NOTHING: Holding = ("", "")
#: Where an object notes that it was moved away.
_GONE = " gone"
#: Those that can be made to hold another object, or none.
_POINTERS = frozenset(("unique", "shared", "optional"))
_HOLDING = _POINTERS | {"value", "row"}


class Guard(msgspec.Struct, eq=False):
    """A variable that ends an object at the end of its block."""

    key: Key
    kind: str
    #: what it was declared with
    value: Value
    line: int
    #: how many branches were open
    held: int
    #: something is done on a way out that is hidden from who asks whether a branch does anything
    silent: bool = False


class Lifetimes(Interpreter):
    """Ends objects where they end."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.guards: list[Guard] = []
        #: by construct: how many objects are alive where it begins
        self.floors: dict[int, int] = {}
        self.holders: dict[Key, Holding] = {}
        self.mortal: dict[int, bool] = {}

    def _found(self, name: str) -> Value | None:
        """What a name stands for where we are; None where that is not known."""
        raise NotImplementedError

    # -- what holds an object ---------------------------------------------------------------------

    def class_of(self, name: str) -> Class | None:
        found = self.lookup(name) if name else None
        return found if isinstance(found, Class) else None

    def ends_with_code(self, cls: Class) -> bool:
        """Whether something is run where an object of a class ends."""
        known = self.mortal.get(cls.number)
        if known is None:
            self.mortal[cls.number] = False  # a class that has itself as a part
            known = self._destructor(cls) is not None
            known = known or any(isinstance(b, Class) and self.ends_with_code(b) for b in cls.bases)
            for _, (_, of) in _fields(cls):
                part = None if known else self.class_of(of)
                known = known or (part is not None and self.ends_with_code(part))
            self.mortal[cls.number] = known
        return known

    def _has_code(self, cls: Class) -> bool:
        """Whether something is run where an object of a class begins or ends."""
        return self.in_class(cls, "__init__") is not None or self.ends_with_code(cls)

    def _destructor(self, cls: Class) -> Function | None:
        found = self.get((cls.number, f"~{cls.name.rpartition('.')[2]}"))
        return found if isinstance(found, Function) else None

    def _is_mortal(self, value: Value) -> bool:
        if isinstance(value, Either):
            return self._is_mortal(value.first) or self._is_mortal(value.second)
        if isinstance(value, Obj) and isinstance(value.cls, Class):
            return self.ends_with_code(value.cls)
        return False

    def holding(self, node: ast.AST) -> Holding:
        """How the value of an expression is held by who gets it."""
        held = getattr(node, "held", "")
        if held:
            return held, ""
        if isinstance(node, ast.IfExp):
            first = self.holding(node.body)
            return first if first[0] else self.holding(node.orelse)
        if not isinstance(node, ast.Call):
            key = self._holder_key(node)
            return self.holders.get(key, _NOTHING) if key is not None else _NOTHING
        if _is_call(node, "__moved__", "__cast__"):
            return self.holding(node.args[0])
        if _is_call(node, "__object__"):
            return "value", ""
        if not isinstance(node.func, ast.Name | ast.Attribute) or _calls(node.func):
            return _NOTHING
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        # A macro that stands for a call is not called for that.
        what = self._found(name.rpartition("::")[2]) if name else self.eval(node.func)
        if isinstance(what, Class):
            return "value", ""
        gives: Holding = getattr(getattr(what, "node", None), "gives", _NOTHING)
        return gives

    def _holder_key(self, node: ast.AST) -> Key | None:
        """The place that a name or a member stands for."""
        if isinstance(node, ast.Name):
            key, bound = self._home(node.id), self.top.bound
            if isinstance(bound, Obj) and key[0] == bound.number:
                self._hold_member(bound, key)
            return key
        if isinstance(node, ast.Attribute) and not _calls(node):
            base = self.eval(node.value)
            if isinstance(base, Pointer):
                base = self.get(base.key) or base
            if isinstance(base, Obj):
                key = base.number, node.attr
                self._hold_member(base, key)
                return key
        return None

    def _hold_member(self, of: Obj, key: Key) -> None:
        if key in self.holders or not isinstance(of.cls, Class):
            return
        for one in self.order(of.cls):
            holds = dict(_fields(one)).get(key[1])
            if holds is not None:
                self.holders[key] = holds

    # -- blocks -----------------------------------------------------------------------------------

    def block(self, body: Any) -> bool:
        for at, node in enumerate(body):
            if not self.run_statement(node):
                return False
            guard = self._declared(node) if getattr(node, "declares", False) else None
            if guard is not None:
                return self.guarded(guard, functools.partial(self.block, body[at + 1 :]))
        return True

    def body_of(self, node: Any) -> bool:
        if not self.top.source.c:
            return super().body_of(node)
        return self._with_parameters(list(node.args.args), node)

    def _with_parameters(self, left: list[ast.arg], node: Any) -> bool:
        """The function's body, with the parameters that are objects of its own."""
        while left:
            one = left.pop(0)
            key = self.top.number, one.arg
            guard = self._guard(key, getattr(one, "holds", _NOTHING), node.lineno)
            if guard is not None:
                return self.guarded(guard, lambda: self._with_parameters(left, node))
        return super().body_of(node)

    def _declared(self, node: ast.stmt) -> Guard | None:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if not isinstance(node, ast.Assign) or not isinstance(target, ast.Name):
            return None
        holds: Holding = getattr(node, "holds", _NOTHING)
        if holds[0] == "auto":
            holds = self.holding(node.value)
        return self._guard((self.top.number, target.id), holds, node.lineno)

    def _guard(self, key: Key, holds: Holding, line: int) -> Guard | None:
        kind, of = holds
        value = self.get(key) if kind in _HOLDING else None
        if value is None:
            return None
        if not self._is_mortal(value):
            cls = self.class_of(of) if kind in _POINTERS or kind == "row" else None
            if cls is None or not self.ends_with_code(cls):
                return None
        self.holders[key] = holds
        if kind == "value":
            if not isinstance(value, Obj):
                return None
            self.set((value.number, _GONE), Const(False))
        return Guard(key, kind, value, line, len(self.held))

    def guarded(self, guard: Guard, run: Callable[[], bool]) -> bool:
        """Run what comes while an object is alive, and its end."""
        kept, self.out = self.out, []
        self.guards.append(guard)
        try:
            alive = run()
        except BaseException:
            self.out = [*kept, *self.out]
            raise
        finally:
            self.guards.pop()
        body, self.out = self.out, []
        caught = self.tries or self.data_tries
        if caught and (raises(body) or any(kind == "raise" for kind, _ in exits(body))):
            # Where nobody catches it, the program is ended without that.
            self.open()
            self._end(guard, None)
            self.close()
            if acts(self.out):
                passed = [*self.out, Exit("raise", 0, self.chain())]
                body = [Attempt(body, passed, [], raising=raises(body))]
            self.out = []
        if alive:
            self.ended = False
            self._end(guard, None)
            alive = not self._has_ended()
        body += self.out
        self.out = kept
        if guard.silent:
            self.out.append(Scope(self.number(), body, acting=True))
        else:
            self.out += body
        return alive

    # -- ways out ---------------------------------------------------------------------------------

    def construct(self) -> int:
        label = super().construct()
        self.floors[label] = len(self.guards)
        return label

    def arrive(self, label: int, alive: bool) -> bool:
        self.floors.pop(label, None)
        return super().arrive(label, alive)

    def leave(self, kind: str, label: int = 0) -> None:
        floor = self.floors.get(label, len(self.guards))
        if floor < len(self.guards):
            given = self.get((label, "return")) if kind == "return" else None
            self._unwind(floor, given)
        super().leave(kind, label)

    def _unwind(self, floor: int, given: Value | None) -> None:
        """End what was made since there were *floor* objects, the last one first."""
        alive, kept = self.guards, self.out
        self.out = []
        try:
            for at in range(len(alive) - 1, floor - 1, -1):
                self.guards = alive[:at]
                self._end(alive[at], given)
        finally:
            self.guards = alive
            done, self.out = self.out, kept
        if acts(done) and len(self.held) > alive[floor].held:
            # A branch that leaves early is not one that does something: what all do comes later.
            alive[floor].silent = True
            self.out.append(Scope(self.number(), done, acting=False))
        else:
            self.out += done

    # -- ends -------------------------------------------------------------------------------------

    def _end(self, guard: Guard, given: Value | None) -> None:
        """The end of a variable; *given* is returned, and lives on."""
        value = guard.value if guard.kind == "value" else self.get(guard.key)
        if value is None or (given is not None and given is value):
            return
        here = self.top
        before, here.line = here.line, guard.line
        if guard.kind == "value" and isinstance(value, Obj):
            self._unless_gone(value)
        elif guard.kind != "shared" or not self._elsewhere(value, guard.key):
            self.destroy(value)
        if guard.kind in _POINTERS:
            self.set(guard.key, NO_VALUE)
        here.line = before

    def _unless_gone(self, value: Obj) -> None:
        gone = self.get((value.number, _GONE)) or Const(False)

        def act() -> bool:
            self.destroy(value)
            return True

        self.branch(self.truth(gone), gone.depends, f"{value.id} is moved", lambda: True, act)

    def _elsewhere(self, value: Value, key: Key) -> bool:
        """Whether something else that is alive has this object."""
        if not isinstance(value, Obj):
            return True
        frames = {a.number for a in self.stack}
        for other, held in self.store.items():
            home: object = other[0]
            if held is value and other != key and isinstance(home, int):
                name = other[1]
                passed = other in self.holders and home not in frames and name != "[]"
                if not passed and name != "return":
                    return True
        return False

    def destroy(self, value: Value) -> None:
        """End what a variable has: an object, one of two, or several."""
        if isinstance(value, Either):

            def end(one: Value) -> Callable[[], bool]:
                def act() -> bool:
                    self.destroy(one)
                    return True

                return act

            text = value.condition.written or value.id
            self.branch(value.condition, value.deps, text, end(value.first), end(value.second))
        elif isinstance(value, Pointer):
            self.destroy(self.get(value.key) or NO_VALUE)
        elif isinstance(value, Obj) and isinstance(value.cls, Class):
            if self.ends_with_code(value.cls):
                self._destroy_as(value, value.cls)
        elif isinstance(value, Obj):
            for one in self.items(value) or ():
                if self._is_mortal(one):
                    self.destroy(one)

    def _destroy_as(self, value: Obj, cls: Class) -> None:
        """What a class does at the end of an object: its own code, its parts, its bases."""
        own = self._destructor(cls)
        if own is not None:
            self.run(self._bound(own, value), [], {})
        for name, (kind, _) in reversed(_fields(cls)):
            part = self.get((value.number, name)) if kind else None
            if part is not None and (
                kind != "shared" or not self._elsewhere(part, (value.number, name))
            ):
                self.destroy(part)
        for base in reversed(cls.bases):
            if isinstance(base, Class) and self.ends_with_code(base):
                self._destroy_as(value, base)

    # -- beginnings -------------------------------------------------------------------------------

    def begun(self, found: Obj, cls: Class) -> None:
        if not cls.module.c:
            return
        own = self.get((cls.number, "__init__"))
        told = _told(own.node) if isinstance(own, Function) else set()
        for base in cls.bases:
            if isinstance(base, Class):
                self.begun(found, base)
                begin = self.in_class(base, "__init__")
                implied = own is not None and base.name.rpartition(".")[2] not in told
                if implied and isinstance(begin, Function) and not _wants(begin.node):
                    self.run(self._bound(begin, found), [], {})
        for name, (kind, of) in _fields(cls):
            part = self.class_of(of) if kind == "value" and name not in told else None
            if part is not None and self.ends_with_code(part):
                self.set((found.number, name), self.make(part, [], {}))
            elif kind in _POINTERS and name not in told and self._ends_as(of):
                self.set((found.number, name), NO_VALUE)

    def _ends_as(self, name: str) -> bool:
        cls = self.class_of(name)
        return cls is not None and self.ends_with_code(cls)

    def _c__begin__(self, node: ast.Call) -> Value:
        """A part or a base in a constructor's head."""
        target, bound, cls = node.args[0], self.top.bound, self.top.owner
        assert isinstance(target, ast.Attribute)
        args = [self.eval(a) for a in node.args[1:]]
        name = target.attr
        if isinstance(cls, Class) and isinstance(bound, Obj):
            for base in cls.bases:
                if isinstance(base, Class) and base.name.rpartition(".")[2] == name:
                    begin = self.in_class(base, "__init__")
                    if isinstance(begin, Function):
                        self.run(self._bound(begin, bound), args, {})
                    return NO_VALUE
            kind, of = dict(_fields(cls)).get(name, _NOTHING)
            part = self.class_of(of) if kind == "value" else None
            own = len(args) == 1 and isinstance(args[0], Obj)
            if part is not None and not own and self._has_code(part):
                self.set_member(bound, name, self.make(part, args, {}))
                return NO_VALUE
            if not args and kind in _POINTERS and self._ends_as(of):
                args = [NO_VALUE]
        held = self.get((bound.number, name)) if isinstance(bound, Obj) else None
        if isinstance(held, Obj) and held.kind == "list":
            self.assign(target, self.sized(args, self.site(node)))
        elif len(args) == 1:
            self.assign(target, args[0])
        return NO_VALUE

    def sized(self, args: list[Value], site: str) -> Value:
        """A row with so many parts."""
        raise NotImplementedError

    def _c__empty__(self, node: ast.Call) -> Value:
        """A pointer that has nothing yet; what ends with no code is taken to be there."""
        name = node.args[0]
        if isinstance(name, ast.Constant) and self._ends_as(str(name.value)):
            return NO_VALUE
        return self.eval(node.args[1])

    # -- moves, and ends that are asked for -------------------------------------------------------

    def _c__moved__(self, node: ast.Call) -> Value:
        value = self.eval(node.args[0])
        key = self._holder_key(node.args[0])
        kind = self.holders.get(key, _NOTHING)[0] if key is not None else ""
        if key is not None and kind in _POINTERS:
            self.set(key, NO_VALUE)
        elif kind == "value" and isinstance(value, Obj):
            self.set((value.number, _GONE), Const(True))
        return value

    def _c__delete__(self, node: ast.Call) -> Value:
        for one in node.args:
            self.destroy(self.eval(one))
        return NO_VALUE

    def stored(self, target: ast.expr, value: Value) -> None:
        """``target = value``: what a smart pointer had ends."""
        key = (
            self._holder_key(target) if self.holders or isinstance(target, ast.Attribute) else None
        )
        kind = self.holders.get(key, _NOTHING)[0] if key is not None else ""
        old = self.get(key) if key is not None and kind in _POINTERS else None
        self.assign(target, value)
        if old is None or key is None or old is value:
            return
        if kind != "shared" or not self._elsewhere(old, key):
            self.destroy(old)

    def of_pointer(self, node: ast.Call) -> Value | None:
        """``p.reset(...)`` and its like, of a smart pointer or an optional."""
        func = node.func
        if not isinstance(func, ast.Attribute) or func.attr not in _METHODS:
            return None
        key = self._holder_key(func.value)
        kind, of = self.holders.get(key, _NOTHING) if key is not None else _NOTHING
        value = self.get(key) if key is not None and kind in _POINTERS else None
        if key is None or value is None:
            return None
        cls = self.class_of(of)
        if not self._is_mortal(value) and not (cls is not None and self.ends_with_code(cls)):
            return None
        if func.attr in ("get", "value"):
            return value
        if func.attr == "has_value":
            return Const(True) if isinstance(value, Obj) else None
        if func.attr == "release":
            self.set(key, NO_VALUE)
            return value
        args = [self.eval(a) for a in node.args]
        made: Value = args[0] if args else NO_VALUE
        if func.attr == "emplace":
            made = self.make(cls, args, {}) if cls is not None else Unknown(self.site(node))
        self.set(key, self.under(made, key[1]))
        if kind != "shared" or not self._elsewhere(value, key):
            self.destroy(value)
        return NO_VALUE

    def _do_Expr(self, node: ast.Expr) -> bool:
        value = node.value
        if not self.top.source.c or not isinstance(value, ast.Call):
            return super()._do_Expr(node)
        kind = self.holding(value)[0]
        self.ended = False
        found = self.eval(value)
        if kind in ("value", "unique") and self._is_mortal(found):
            self.destroy(found)  # nobody has it
        return not self._has_ended()


#: Methods of smart pointers that are looked at.
_METHODS = frozenset(("reset", "release", "get", "emplace", "value", "has_value"))


def _fields(cls: Class) -> list[tuple[str, Holding]]:
    """The variables of a class, and how each holds an object."""
    return [
        (s.targets[0].id, getattr(s, "holds", _NOTHING))
        for s in cls.node.body
        if isinstance(s, ast.Assign) and isinstance(s.targets[0], ast.Name)
    ]


def _calls(node: ast.AST) -> bool:
    """Whether something is called to find what an expression names."""
    return any(isinstance(x, ast.Call) for x in ast.walk(node))


def _is_call(node: ast.AST | None, *names: str) -> bool:
    """Whether one of these functions, which no program has, is called."""
    func = node.func if isinstance(node, ast.Call) else None
    return isinstance(func, ast.Name) and func.id in names


def _told(node: Any) -> set[str]:
    """The parts and bases that a constructor begins itself."""
    found = set()
    for one in node.body:
        call = one.value if isinstance(one, ast.Expr) else None
        target = call.args[0] if isinstance(call, ast.Call) and call.args else None
        if isinstance(target, ast.Attribute) and _is_call(call, "__begin__"):
            found.add(target.attr)
    return found


def _wants(node: Any) -> bool:
    """Whether a constructor has to be handed something."""
    return len(node.args.args) > len(node.args.defaults)
