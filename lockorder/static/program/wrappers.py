"""Locks that a program makes itself: which object is the lock, by what functions do to it.

A class may hold a mutex and lend it: its methods, or functions that are given a pointer to it, take
the mutex and return with it, others give it up.  Then the object is the lock and not its field:
``A::mu`` and ``B::mu`` are two locks, whatever the class calls what is inside.  The same is true of
a flag that is spun on: whoever leaves a loop that swaps a one in has it, storing a zero gives it
back.

What a function does to a place (a member of ``this``, of a parameter, of a global) is summed up
without regard to branches: it takes it, gives it up, or both.  That is enough to tell functions
that lend a lock from those that use it, it depends on no name, and it costs one look at each call.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import starmap
from typing import NamedTuple

from lockorder.knowledge import Knowledge
from lockorder.knowledge.load import Operation
from lockorder.knowledge.schema import Atomic
from lockorder.model import How, LockKind
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program import siblings
from lockorder.static.program.attributes import RecursiveLocks
from lockorder.static.program.by_member import ByMember
from lockorder.static.program.link import Program
from lockorder.static.program.places import (
    LASTING,
    THIS,
    Place,
    argument_for,
    near,
    place_of,
    result_of,
)
from lockorder.static.program.steps import ELEMENT, member
from lockorder.static.program.takers import Answers, Deciders, Takers, strictest

#: What a function does to a place on every way, and on some.
_TAKES, _GIVES, _MAY_TAKE, _MAY_GIVE = 1, 2, 4, 8
_BOTH = _TAKES | _GIVES
#: How the name of a union or structure ends that has none.
_UNNAMED = "::(anonymous)"


class _Event(NamedTuple):
    """A statement, whether only some ways come to it, and whether it is in a loop."""

    statement: f.Stmt
    maybe: bool
    looped: bool


#: Who swaps what by which call, whether that tells by its result if it did, and where it stands.
_Swap = tuple[f.Function, f.Call, Place, bool, _Event]


class Wrappers:
    """Fields that are what is inside a lock, and flags that are locks."""

    def __init__(self, program: Program, knowledge: Knowledge) -> None:
        self._program = program
        self._knowledge = knowledge
        #: the field of each class that is what is inside of it
        self.inside: dict[str, str] = {}
        #: locks that lie on another one in a union, by that
        self.on_another: dict[str, str] = {}
        #: members of a union that are locks of their own kind each, by the first of them
        self.rivals: dict[str, str] = {}
        #: classes whose objects are locks, and of which kind
        self.classes: dict[str, LockKind] = {}
        #: flags that are locks, by the key of the variable or field
        self.flags: set[str] = set()
        #: calls that may take a flag, by function and number: the truth of the result if they do
        self.tries: dict[tuple[str, int], bool] = {}
        #: what is said of locks where they are made
        self._said = RecursiveLocks(program, knowledge)
        #: locks that their holder may take again, by the key of the variable or field
        self.recursive: set[str] = set(self._said.keys)
        #: calls that give a flag back
        self.stores: set[tuple[str, int]] = set()
        #: class templates that are locks: the argument that says of which kind
        self._by_argument: dict[str, int] = {}
        self._holding: dict[str, LockKind | None] = {}
        #: by a class that is a lock: functions that take what is their own object
        self._own: dict[str, list[tuple[str, Place]]] = {}
        self._effects: dict[str, dict[Place, int]] = {}
        self._aliases: dict[str, dict[str, f.Value | None]] = {}
        self._callers: dict[str, list[tuple[str, f.Call | f.Make, bool]]] = {}
        self._mentioned: dict[str, frozenset[str]] = {}
        #: calls that take what is at a place, by function; none where a guard has it
        self._takings: dict[str, dict[Place, set[int]]] = {}
        #: what is given to functions that lock it, whatever its type is called
        self._given: set[str] = set()
        self._numbers: dict[str, list[f.Lit]] = {}
        #: types of what the function that is read has made, by number
        self._types: dict[int, str] = {}
        #: fields that are pointers: whether each gets new objects of its own object only
        self._owning: dict[str, bool] = {}
        self._zeroes: list[tuple[f.Function, f.Value, int, bool]] = []
        self._swaps: dict[str, list[tuple[str, int, bool]]] = {}
        #: swaps of what is expected to be a value, by that
        self._compared: list[tuple[f.Value | None, _Swap]] = []
        self._frees: dict[str, list[tuple[str, int]]] = {}
        #: by a parameter that is swapped, or that a zero is stored into: what callers hand in
        self._lent: dict[str, set[str]] = {}
        #: classes that are locks, as far as what is declared of them tells
        self.declared = self._declared()
        self.classes.update(dict.fromkeys(self.declared, LockKind.MUTEX))
        ask = Answers(self._place, self._lock_at, self._asked, self._inside_kind)
        self._takers = Takers(program, self._takings, ask)
        self._read_all()
        self._spread()
        self._choose_flags()
        self._choose_recursive()
        self._choose_in_unions()
        self._choose_classes()
        self._find_rivals()
        self._own, using = self._own_functions()
        self._holding.clear()
        #: classes that remember who has a lock of theirs, in some object at least
        self._counting = {
            c for c, own in self._own.items() if any(starmap(self._takers.is_by_hand, own))
        }
        deciders = Deciders(program, self._takers, ask, self._own, using)
        self._by_member = ByMember(program, knowledge, deciders, self._lock_at)
        #: what is no recursive lock of those that are one object of a class
        self._once = deciders.once
        #: by variable or field: whether the mutex inside is made recursive
        self._made = self._said.seen(self._lock_at)
        self.recursive.update(key for key, again in self._made.items() if again)
        #: by function: locks that may be had several times, which it takes (True) or gives up
        #: once, whether or not this is the time that counts
        self.counted: dict[str, dict[Place, bool]] = self._choose_counted()
        del self._callers, self._mentioned, self._zeroes, self._numbers, self._compared

    def methods(self) -> dict[str, Operation]:
        """Methods by which locks of the program's own are taken and given up, by bare name."""
        found: dict[str, Operation] = {}
        for usr, effects in self._effects.items():
            function = self._program.functions.get(usr)
            if function is None or function.kind != "method" or function.params:
                continue
            if function.cls not in self.classes:
                continue
            done = {bits & (_TAKES | _GIVES | _MAY_TAKE | _MAY_GIVE) for bits in effects.values()}
            name = function.name.rpartition("::")[2]
            if done == {_TAKES}:
                found[name] = Operation("acquire")
            elif done == {_GIVES}:
                found.setdefault(name, Operation("release"))
        return found

    def of_own_object(self, takes: bool) -> Iterator[str]:
        """Functions that take the lock which their object is, and keep it, or that give it up."""
        wanted = _TAKES if takes else _GIVES
        own = Place(THIS)
        yield from (u for u, done in self._effects.items() if _net(done.get(own, 0)) == wanted)

    def knows(self, usr: str) -> bool:
        """Whether a function takes any lock, or gives one up, as far as one look tells."""
        return bool(self._effects.get(usr))

    def kind_of(self, spelling: str) -> LockKind | None:
        """The kind of lock that an object of this type is; None where it is none."""
        found = self._holding.get(spelling, LockKind.ONCE)
        if found is LockKind.ONCE:
            found = self._holding[spelling] = self._kind_of(spelling)
        return found

    def kind_made(self, usr: str, spelling: str) -> LockKind | None:
        """The kind of the lock in a variable or field, where those who make it say which."""
        if usr in self.recursive:
            return LockKind.RECURSIVE
        again = self._by_member.objects.get(usr)
        cls = self._program.split(spelling.partition("[")[0].strip())[0]
        if again is None and usr not in self._made and not spelling.endswith(("*", "&")):
            again = self._by_default(cls)
        if again is None:
            return None
        return (
            LockKind.RECURSIVE if again else self._once.get(self._lock_class(cls), LockKind.MUTEX)
        )

    def _by_default(self, cls: str) -> bool | None:
        """Whether an object that is made of nothing is a recursive lock, where that is said."""
        for each in (cls, *sorted(self._program.ancestors(cls) - {cls})):
            again = self._by_member.by_default(each)
            if again is not None:
                return again
            if self._said.by_default(each):
                return True
        inner = [field for field, owner in self.inside.items() if owner == cls]
        spelling = self._program.type_of(inner[0]) if len(inner) == 1 else "*"
        return (
            None if spelling.endswith("*") else self._by_default(self._program.split(spelling)[0])
        )

    def _lock_class(self, cls: str) -> str:
        return next((c for c in sorted(self._program.ancestors(cls)) if c in self.classes), "")

    def _lock_at(self, place: Place) -> Place:
        """The lock that what is at a place is inside of, or lies on."""
        while place.last:
            last = self.on_another.get(place.last, place.last)
            if last not in self.inside:
                return place.owner.then(last)
            place = place.owner
        return place

    def _own_functions(self) -> tuple[dict[str, list[tuple[str, Place]]], dict[str, list[str]]]:
        """By a class that is a lock: functions that take it, and all that take it or give it up."""
        taking: dict[str, list[tuple[str, Place]]] = {}
        using: dict[str, list[str]] = {}
        for usr, places in self._effects.items():
            for place, bits in places.items():
                cls = self._own_class(usr, place)
                if cls and _net(bits) != _BOTH:
                    using.setdefault(cls, []).append(usr)
                    if _net(bits) == _TAKES and place in self._takings.get(usr, ()):
                        taking.setdefault(cls, []).append((usr, place))
        return taking, using

    def _own_class(self, usr: str, place: Place) -> str:
        """The class that is a lock, where that is what a function gets as its object."""
        return "" if place.steps else self._lock_class(self._class_at(usr, place))

    def frees(self, assign: f.Assign, key: str) -> bool:
        """Whether an assignment to flag *key* gives the lock up, and is no call that does."""
        return _is_zero(assign.value) and self._is_plain(key)

    def _kind_of(self, spelling: str) -> LockKind | None:
        if not self.classes or spelling.endswith(("*", "&")):
            return None
        name, arguments = self._program.split(spelling.partition("[")[0].strip())
        if "(" in name:
            name = self._program.unnamed(spelling)
        made = self._of_instance(name, arguments)
        if made is not None:
            return made
        number = self._by_argument.get(name)
        if number is not None and number < len(arguments):
            known = self._knowledge.locks.get(self._program.split(arguments[number])[0])
            return known.kind if known is not None else self.kind_of(arguments[number])
        for cls in sorted(self._program.ancestors(name)):
            if cls in self.classes:
                return self.classes[cls]
        return None

    def _of_instance(self, name: str, arguments: tuple[str, ...]) -> LockKind | None:
        """The kind of a lock whose class template's arguments decide what its functions do."""
        if not arguments or not self._own:
            return None
        suffix = f"<{','.join((*arguments, ''))}>"
        return strictest(
            self._takers.kind(usr, place)
            for usr, place in self._own.get(name, ())
            if usr in self._program.copies and usr.endswith(suffix)
        )

    def _declared(self) -> frozenset[str]:
        """Classes without bodies for their methods that lock and unlock."""
        found: dict[str, set[str]] = {}
        for decl in self._program.decls.values():
            operation = self._knowledge.lockable.get(decl.name.rpartition("::")[2])
            if operation is None or not decl.cls or decl.params:
                continue
            waits = operation.what == "release" or operation.how is How.BLOCKING
            if decl.result == ("void" if waits else "bool"):
                found.setdefault(decl.name.rpartition("::")[0], set()).add(operation.what)
        return frozenset(
            cls
            for cls, what in found.items()
            if what == {"acquire", "release"}
            and cls in self._program.classes
            and not self._has_bodies(cls)
        )

    def _has_bodies(self, cls: str) -> bool:
        methods = self._knowledge.lockable
        lineage = self._program.ancestors(cls)
        return any(self._program.named(f"{c}::{m}") for c in lineage for m in methods)

    # -- what functions do themselves -------------------------------------------------------------

    def _read_all(self) -> None:
        for function in self._program.functions.values():
            self._read(function)
        for expected, swap in self._compared:
            if self._is_expected_zero(expected):
                self._swap(*swap)
        self._give_back()

    def _read(self, function: f.Function) -> None:
        aliases: dict[str, f.Value | None] = {}
        self._aliases[function.usr] = aliases
        self._types.clear()
        for event in _events(function.body, False, False):
            statement = event.statement
            if isinstance(statement, f.Call):
                self._read_call(function, statement, event)
            elif isinstance(statement, f.Make):
                self._read_make(function, statement, event)
            elif isinstance(statement, f.Local):
                aliases[statement.usr] = statement.value
                self._note_number(statement.usr, statement.value)
            elif isinstance(statement, f.Assign):
                self._read_assign(function, statement, event, aliases)

    def _read_assign(
        self,
        function: f.Function,
        assign: f.Assign,
        event: _Event,
        aliases: dict[str, f.Value | None],
    ) -> None:
        target = assign.target
        if isinstance(target, f.Field) and not f.is_null(assign.value):
            own = isinstance(assign.value, f.Made) and isinstance(target.base, f.This)
            self._owning[target.usr] = self._owning.get(target.usr, True) and own
        if isinstance(target, f.Var):
            self._note_number(target.usr, assign.value)
        if isinstance(target, f.Var) and target.usr in aliases:
            same = aliases[target.usr] == assign.value
            aliases[target.usr] = assign.value if same else None
        if _is_zero(assign.value):
            self._zeroes.append((function, target, -1, event.maybe))

    def _note_number(self, usr: str, value: f.Value | None) -> None:
        if isinstance(value, f.Lit) and value.text:  # an empty text: somebody else has written it
            self._numbers.setdefault(usr, []).append(value)

    def _is_plain(self, key: str) -> bool:
        """A number, whose assignment is no call."""
        spelling = self._program.plain(self._program.type_of(key)).replace("volatile ", "")
        return not spelling.endswith(("*", "&", "]")) and not self._program.split(spelling)[1]

    def _read_call(self, function: f.Function, call: f.Call, event: _Event) -> None:
        target = call.target
        if isinstance(target, f.Fn):
            bodies = self._program.body_of(target.usr)
            for body in bodies:
                self._callers.setdefault(body, []).append((function.usr, call, event.maybe))
        elif not isinstance(target, f.Name):
            return
        else:
            bodies = ()
        name = self._program.called(call)
        if not self._knowledge.speaks_of(name, bool(bodies)):
            return
        atomic = self._knowledge.atomics.get(name)
        if atomic is not None:
            self._read_atomic(function, call, atomic, event)
            return
        known = self._knowledge.functions.get(name)
        if known is not None:
            for which, bit in ((known.acquires, _TAKES), (known.releases, _GIVES)):
                value = _argument(call, which)
                if value is not None:
                    place = self._place(function, value)
                    self._note(function.usr, place, bit, event.maybe)
                    self._given.add(_key(place))
                    self._take(function, place, call, bit)
            return
        cls, _, method = name.rpartition("::")
        operation = self._knowledge.operation(cls, method) if cls else None
        if operation is None and (cls in self.declared or self._is_dependent(target)):
            operation = self._knowledge.lockable.get(method)
        if operation is None and target.base is not None and not bodies:
            if method in self._knowledge.same_methods:
                self._aliases[function.usr][result_of(call.id)] = target.base
            elif method in self._knowledge.element_methods:
                self._aliases[function.usr][result_of(call.id)] = f.Elem(target.base)
        if operation is None or cls in self._knowledge.guards:
            return
        base = target.base
        bits = {"acquire": _TAKES, "release": _GIVES, "guard": _BOTH, "with": _BOTH}
        bit = bits.get(operation.what, 0)
        if base is not None and bit:
            place = self._place(function, base)
            self._note(function.usr, place, bit, event.maybe)
            self._take(function, place, call, bit)

    def _is_dependent(self, target: f.Value) -> bool:
        """A method of a field whose type is a parameter of its class template."""
        base = target.base if isinstance(target, f.Name) else None
        return isinstance(base, f.Field) and self._parameter(base.usr) is not None

    def _take(self, function: f.Function, place: Place | None, call: f.Call, bit: int) -> None:
        if bit == _TAKES and place is not None:
            self._takings.setdefault(function.usr, {}).setdefault(place, set()).add(call.id)

    def _read_make(self, function: f.Function, make: f.Make, event: _Event) -> None:
        self._types[make.id] = self._program.split(make.type)[0]
        known = self._knowledge.guards.get(self._types[make.id])
        if known is None:
            for body in self._program.body_of(make.ctor) if make.ctor else ():
                self._callers.setdefault(body, []).append((function.usr, make, event.maybe))
            return
        tags = {*known.adopt, *known.defer}
        if tags & {self._tag(a) for a in make.args}:
            return
        for argument in make.args:
            for value in argument.values if isinstance(argument, f.AnyOf) else (argument,):
                place = self._place(function, value)
                self._note(function.usr, place, _BOTH, event.maybe)
                if place is not None:
                    self._takings.setdefault(function.usr, {}).setdefault(place, set())

    def _tag(self, value: f.Value) -> str:
        """What an argument can be known by as a tag: its name, or its type."""
        if isinstance(value, f.Made):
            return self._types.get(value.make, "")
        variable = self._program.variables.get(value.usr) if isinstance(value, f.Var) else None
        return variable.name if variable is not None else ""

    def _read_atomic(
        self, function: f.Function, call: f.Call, known: Atomic, event: _Event
    ) -> None:
        value = _argument(call, known.object)
        place = self._place(function, value) if value is not None else None
        if place is None:
            return
        new = _argument(call, known.sets)
        zero = known.sets is None and not known.result if new is None else _is_zero(new)
        if zero:
            if value is not None:
                self._zeroes.append((function, value, call.id, event.maybe))
            return
        if not known.result or (known.sets is not None and not isinstance(new, f.Lit)):
            return  # a number that is computed: no flag
        success = known.result == "success"
        if known.expects is None:
            self._swap(function, call, place, success, event)
        else:  # all values of a variable are known when all is read
            expected = call.args[known.expects] if known.expects < len(call.args) else None
            self._compared.append((expected, (function, call, place, success, event)))

    def _swap(
        self, function: f.Function, call: f.Call, place: Place, success: bool, event: _Event
    ) -> None:
        self._swaps.setdefault(_key(place), []).append((function.usr, call.id, success))
        if event.looped:
            self._note(function.usr, place, _TAKES, event.maybe)
            self._take(function, place, call, _TAKES)

    def _give_back(self) -> None:
        """Zeroes that are stored into what is swapped elsewhere: only these matter."""
        for function, target, call, maybe in self._zeroes:
            if function.kind in ("constructor", "destructor"):
                continue
            if function.usr.startswith(("init:", "nsdmi:")):
                continue
            place = self._place(function, target)
            key = _key(place)
            lent = call >= 0 and key in function.params
            if not lent and (key not in self._swaps or (call < 0 and not self._is_plain(key))):
                continue
            if call >= 0:
                self._frees.setdefault(key, []).append((function.usr, call))
            self._note(function.usr, place, _GIVES, maybe)

    def _is_expected_zero(self, value: f.Value | None) -> bool:
        if isinstance(value, f.Var):
            numbers = self._numbers.get(value.usr, ())
            return bool(numbers) and all(_is_zero(n) for n in numbers)
        return value is not None and _is_zero(value)

    def _note(self, function: str, place: Place | None, bits: int, maybe: bool) -> bool:
        """Remember what *function* does to *place*; whether that is new."""
        if place is None or (place.root == THIS and not place.steps and bits == 0):
            return False
        here = self._effects.setdefault(function, {})
        old = here.get(place, 0)
        here[place] = new = old | (bits << 2 if maybe else bits)
        return new != old

    def _place(self, function: f.Function, value: f.Value | None) -> Place | None:
        return place_of(self._program, function, value, self._aliases[function.usr])

    # -- what they do by what they call -----------------------------------------------------------

    def _spread(self) -> None:
        pending = deque(sorted(self._effects))
        waiting = set(pending)
        while pending:
            callee = pending.popleft()
            waiting.discard(callee)
            for caller, call, maybe in self._callers.get(callee, ()):
                if self._pass_on(callee, caller, call, maybe) and caller not in waiting:
                    waiting.add(caller)
                    pending.append(caller)

    def _pass_on(self, callee: str, caller: str, call: f.Call | f.Make, maybe: bool) -> bool:
        body, function = self._program.functions[callee], self._program.functions[caller]
        grown = False
        for place, bits in list(self._effects[callee].items()):
            mine, value = argument_for(place.root, body, call)
            if not mine:
                continue  # a global: who uses it says nothing of what it is inside of
            base = self._place(function, value)
            if base is None:
                continue
            here = near(self._program, place.within(base))
            key = _key(place)
            known = key in self._swaps or key in self._frees or key in self._lent
            if known and key in body.params:
                self._lent.setdefault(key, set()).add(_key(here))
            # An object that is made may give up at its end what its constructor takes.
            net = _BOTH if isinstance(call, f.Make) else _net(bits)
            if isinstance(call, f.Call):
                self._take(function, here, call, net)
            grown |= self._note(caller, here, net, maybe)
        return grown

    # -- which of it are locks --------------------------------------------------------------------

    def _choose_flags(self) -> None:
        """A flag is a lock if whoever takes it in a loop gives it back, in some function.

        What an object takes when it is made, it may give back at its end.
        """
        made: dict[tuple[str, Place], int] = {}
        candidates = self._swaps.keys() | self._frees.keys() | set().union(*self._lent.values())
        for usr, places in self._effects.items():
            body = self._program.functions[usr]
            for place, bits in places.items():
                key = _key(place)
                done = _all(bits)
                if body.kind in ("constructor", "destructor") and place.root == THIS:
                    taken = _TAKES if body.kind == "constructor" else _GIVES
                    of_class = (body.cls, place)
                    made[of_class] = made.get(of_class, 0) | done & taken
                    done |= made[of_class]
                if key in candidates and done == _BOTH:
                    self.flags.add(key)
        self._choose_lent()
        for key in sorted(self.flags):
            for function, call, success in self._swaps.get(key, ()):
                self.tries[function, call] = success
            self.stores.update(self._frees.get(key, ()))
        for places in self._effects.values():
            for place in [p for p in places if _key(p) in candidates - self.flags]:
                del places[place]

    def _choose_lent(self) -> None:
        """Functions that swap or clear what they are handed do that to a lock if one is a lock."""
        grown = True
        while grown:
            parameters = {p for p, given in self._lent.items() if not given.isdisjoint(self.flags)}
            grown = not parameters <= self.flags
            self.flags |= parameters

    def _choose_recursive(self) -> None:
        """Locks that are passed by in every function that takes and keeps them."""
        passed: dict[str, bool] = {}
        for function, places in self._effects.items():
            for place, bits in places.items():
                if place in self._takings.get(function, ()):
                    key = _key(place)
                    by_hand = self._is_by_hand(function, place, bits)
                    passed[key] = passed.get(key, True) and by_hand
        self.recursive.update(key for key, by_hand in passed.items() if by_hand)

    def _choose_counted(self) -> dict[str, dict[Place, bool]]:
        found: dict[str, dict[Place, bool]] = {}
        for function, places in self._effects.items():
            for place, bits in places.items():
                if not self._is_counted(function, place):
                    continue
                if self._is_by_hand(function, place, bits):
                    found.setdefault(function, {})[place] = True
                elif _net(bits) == _GIVES:
                    found.setdefault(function, {})[place] = False
        return found

    def _is_counted(self, function: str, place: Place) -> bool:
        """Whether the program itself remembers who has the lock at *place*, and how often."""
        if place.key in self.recursive or self._own_class(function, place) in self._counting:
            return True
        own = place.root == THIS and not place.steps
        spelling = (
            self._program.functions[function].cls if own else self._program.type_of(place.key)
        )
        return self.kind_of(spelling.rstrip("*& ")) is LockKind.RECURSIVE

    def _is_by_hand(self, function: str, place: Place, bits: int) -> bool:
        return _net(bits) == _TAKES and self._takers.is_by_hand(function, place)

    def _asked(self, call: f.Call) -> frozenset[str]:
        """Fields that the result of a call depends on, as far as its body tells."""
        target = call.target
        bodies = self._program.body_of(target.usr) if isinstance(target, f.Fn) else ()
        return frozenset().union(*(self._mentions(b) for b in bodies))

    def _choose_in_unions(self) -> None:
        """An object has one of the locks of a union: the first of them stands for all.

        Which one it is, a member beside the union says, and all who lock it go by that.
        """
        for fields in self._program.unions.values():
            locks = [usr for usr in fields if self._is_lock(usr)]
            self.on_another.update((usr, locks[0]) for usr in locks[1:])
        self.on_another.update(self._choose_siblings())
        first = self.on_another
        if first:
            self._rename(first, lambda p: p.owner.then(first[p.last]))

    def _choose_siblings(self) -> Iterator[tuple[str, str]]:
        """Members of a class of which an object only ever uses one, as one beside them says."""
        locks: dict[str, set[str]] = {}
        uses: dict[str, dict[tuple[str, Place], None]] = {}
        for usr, places in self._effects.items():
            for place in places:
                last = self._program.variables.get(place.last)
                cls = last.name.rpartition("::")[0] if last is not None else ""
                if cls in self._program.classes and self._is_lock(place.last):
                    locks.setdefault(cls, set()).add(place.last)
                    uses.setdefault(cls, {})[usr, place.owner] = None
        several = {cls: fields for cls, fields in locks.items() if len(fields) > 1}
        several = {c: x for c, x in several.items() if not self._program.classes[c].union}
        return siblings.find(self._program, several, uses, self._place, _fields)

    def _rename(self, fields: Container[str], new: Callable[[Place], Place]) -> None:
        """What is done at places that end in one of *fields* is done at the *new* ones."""
        for places in self._effects.values():
            for place in [p for p in places if p.last in fields]:
                there = new(place)
                places[there] = places.get(there, 0) | places.pop(place)
        for taken in self._takings.values():
            for place in [p for p in taken if p.last in fields]:
                there = new(place)
                taken[there] = taken.get(there, set()) | taken.pop(place)

    def _choose_classes(self) -> None:
        while True:
            uses: dict[str, list[tuple[str, Place, int]]] = {}
            ways: set[str] = set()
            for function, places in self._effects.items():
                for place, bits in places.items():
                    ways.update(map(member, place.steps[:-1]))
                    last = place.last
                    if last:
                        uses.setdefault(last, []).append((function, place, bits))
            owners: dict[str, list[str]] = {}
            for field, used in uses.items():
                cls = self._owner_class(field, used)
                if cls in self._program.classes and cls not in self.classes:
                    owners.setdefault(cls, []).append(field)
            chosen = [
                (cls, fields[0])
                for cls, fields in sorted(owners.items())
                if len(fields) == 1 and self._is_inside(cls, fields[0], uses[fields[0]])
            ]
            if not chosen:
                return
            # What else of a union leads to a lock may be one in the next round.
            now = [each for each in chosen if ways.isdisjoint(self._beside(each[1]))]
            for cls, field in now or chosen:
                kind = self._inner_kind(field, uses[field])
                self.classes[cls] = kind
                self.inside[field] = cls
                number = self._parameter(field)
                if number is not None:
                    self._by_argument[cls] = number
            self._holding.clear()
            self._rename(self.inside, lambda p: p.owner)

    def _owner_class(self, field: str, uses: list[tuple[str, Place, int]]) -> str:
        """The class that has a field; members of an unnamed union are those of the class around."""
        variable = self._program.variables.get(field)
        cls = variable.name.rpartition("::")[0] if variable is not None else ""
        around = {self._class_at(usr, place.owner) for usr, place, _ in uses}
        home = around.pop() if len(around) == 1 else ""
        return home if home and _UNNAMED in cls and cls.startswith(home + _UNNAMED) else cls

    def _class_at(self, usr: str, place: Place) -> str:
        if place.root == THIS and not place.steps:
            return self._program.functions[usr].cls
        spelling = self._program.pointee(self._program.type_of(place.key))
        return self._program.split(spelling)[0]

    def _beside(self, field: str) -> list[str]:
        """What else lies where *field* does."""
        unions = self._program.unions.values()
        return [other for u in unions if field in u for other in u if other != field]

    def _find_rivals(self) -> None:
        """Locks of one union that have more in them: an object only ever has one of these, too.

        They are told as one lock, which its holder may take again if that is so of each.
        """
        for fields in self._program.unions.values():
            locks = [u for u in fields if u not in self.on_another and self._is_lock(u)]
            once = [u for u in locks if self._kind(u) is not LockKind.RECURSIVE]
            first = next(iter(once or locks), "")
            self.rivals.update((lock, first) for lock in locks if len(locks) > 1)

    def _kind(self, field: str) -> LockKind | None:
        return LockKind.RECURSIVE if field in self.recursive else self._lock_type(field)

    def _inside_kind(self, field: str) -> LockKind | None:
        """The kind of what is taken in a field, whatever its type is called."""
        return self._kind(field) or (LockKind.SPIN if self._is_lock(field) else None)

    def _inner_kind(self, field: str, uses: list[tuple[str, Place, int]]) -> LockKind:
        lent = [u for u in uses if len(u[1].steps) == 1 and _net(u[2]) == _TAKES]
        by_hand = lent and all(self._is_by_hand(*u) for u in lent)
        if by_hand or field in self.recursive:
            return LockKind.RECURSIVE
        return self._lock_type(field) or LockKind.SPIN

    def _is_inside(self, cls: str, field: str, uses: list[tuple[str, Place, int]]) -> bool:
        """Whether *field* is only what is inside of the lock that an object of *cls* is.

        Either functions lend it, and nobody who uses what they lend looks at anything else in the
        object; or every object is part of a named one, so that it has a name.
        """
        if not self._is_lock(field):
            return False
        lent = 0
        posted = self._kind(field) is LockKind.SEMAPHORE
        for function, place, bits in uses:
            owner = place.owner
            if _net(bits) != _BOTH:
                if posted and len(self._effects[function]) > 1:
                    continue  # it waits for what another one does, who posts, among other locks
                if not self._is_behind(owner):  # else the class that leads to it is a lock
                    lent |= _net(bits)
            elif not self._is_embedded(owner) and self._looks_inside(function, owner, cls, field):
                return False
        owners = {p.owner for _, p, _ in uses}
        many = len({o.key for o in owners}) > 1 or any(o.steps[-1:] == (ELEMENT,) for o in owners)
        return lent == _BOTH or (many and all(map(self._is_embedded, owners)))

    def _is_behind(self, owner: Place) -> bool:
        """Whether the object is one that another object only points to, and does not own."""
        last = owner.last
        if not last or self._owning.get(last):
            return False
        spelling = self._program.type_of(last)
        known = self._knowledge.owners.get(self._program.split(spelling)[0])
        alone = known is not None and known.pointer and not known.shared
        return self._program.is_indirect(spelling) and not alone

    def _is_lock(self, field: str) -> bool:
        spelling = self._program.type_of(field)
        if spelling.endswith("*") and self._owning.get(field):
            spelling = self._program.pointee(spelling)
        elif spelling.endswith(("*", "&")):
            return False
        return field in self.flags or field in self._given or self._lock_type(field) is not None

    def _lock_type(self, field: str) -> LockKind | None:
        """The kind of lock that a field's object is by its type, as far as its class knows."""
        spelling = self._program.type_of(field)
        owner = self._knowledge.owners.get(self._program.split(spelling)[0])
        alone = owner is not None and owner.pointer and not owner.shared
        if alone or (spelling.endswith("*") and self._owning.get(field)):
            spelling = self._program.pointee(spelling).rstrip("* ")
        known = self._knowledge.locks.get(self._program.split(spelling)[0])
        if known is not None:
            return known.kind
        if self._parameter(field) is not None:
            return LockKind.MUTEX
        return self.kind_of(spelling)

    def _parameter(self, field: str) -> int | None:
        """Which parameter of its class template the type of a field is."""
        variable = self._program.variables.get(field)
        known = self._program.classes.get(variable.name.rpartition("::")[0]) if variable else None
        names = known.tparams if known is not None else []
        return names.index(variable.type) if variable and variable.type in names else None

    def _is_embedded(self, owner: Place) -> bool:
        """Whether the object is part of one that has a name: a member, a global, their elements."""
        steps = [s for s in owner.steps if isinstance(s, str)]
        variable = self._program.variables.get(steps[-1] if steps else owner.root)
        if variable is None or (not steps and variable.kind not in LASTING):
            return False
        spelling = variable.type
        if owner.steps and owner.steps[-1] == ELEMENT:
            arguments = self._program.split(self._program.plain(spelling))[1]
            spelling = arguments[-1] if arguments else spelling.partition("[")[0].strip()
        return not self._program.is_indirect(spelling)

    def _looks_inside(self, usr: str, owner: Place, cls: str, field: str) -> bool:
        """Whether a function that uses a lock is about the object that it is in."""
        if not owner.steps and owner.root == THIS:
            return True
        function = self._program.functions[usr]
        mine = {*self._program.classes[cls].fields} - {field}
        if mine & self._mentions(usr):
            return True
        for statement in walk(function.body):
            target = statement.target if isinstance(statement, f.Call) else None
            for body in self._program.body_of(target.usr) if isinstance(target, f.Fn) else ():
                called = self._program.functions[body]
                lends = any(
                    _net(bits) != _BOTH and not p.steps[:-1] and p.steps[-1:] in ((field,), ())
                    for p, bits in self._effects.get(body, {}).items()
                )
                if called.cls == cls and not lends and mine & self._mentions(body):
                    return True
        return False

    def _mentions(self, usr: str) -> frozenset[str]:
        """Fields that a function names, the lambdas in it included."""
        found = self._mentioned.get(usr)
        if found is None:
            function = self._program.functions[usr]
            fields = frozenset(_fields(function.body, self._program))
            found = self._mentioned[usr] = fields
        return found


def _net(bits: int) -> int:
    """What a function does on every way; where that is nothing, what it does on some."""
    return bits & _BOTH or bits >> 2


def _all(bits: int) -> int:
    return (bits | bits >> 2) & _BOTH


def _key(place: Place | None) -> str:
    return place.key if place is not None else ""


def _is_zero(value: f.Value) -> bool:
    return isinstance(value, f.Lit) and value.text in ("0", "false")


def _argument(call: f.Call, which: int | str | None) -> f.Value | None:
    if which is None:
        return None
    if which == "this":
        return call.target.base if isinstance(call.target, f.Fn | f.Name) else None
    return call.args[which] if isinstance(which, int) and which < len(call.args) else None


def _events(block: f.Block, maybe: bool, looped: bool) -> Iterator[_Event]:
    for statement in block.body:
        yield _Event(statement, maybe, looped)
        if isinstance(statement, f.Block):
            yield from _events(statement, maybe, looped)
        elif isinstance(statement, f.Loop):
            yield from _events(statement.head, maybe, True)
            yield from _events(statement.body, True, True)
            yield from _events(statement.step, True, True)
        elif isinstance(statement, f.Try):
            yield from _events(statement.body, maybe, looped)
            for handler in statement.handlers:
                yield from _events(handler, True, looped)
        else:
            for part in f.parts(statement):
                yield from _events(part, True, looped)


def _fields(block: f.Block, program: Program) -> Iterable[str]:
    for statement in walk(block):
        for name in statement.__struct_fields__:
            yield from _fields_of(getattr(statement, name), program)


def _fields_of(value: object, program: Program) -> Iterable[str]:
    if isinstance(value, f.Field):
        yield value.usr
        yield from _fields_of(value.base, program)
    elif isinstance(value, f.Closure):
        body = program.functions.get(value.usr)
        if body is not None:
            yield from _fields(body.body, program)
    elif isinstance(value, list):
        for each in value:
            yield from _fields_of(each, program)
    elif isinstance(value, f.Fact) and not isinstance(value, f.Block):
        for name in value.__struct_fields__:
            yield from _fields_of(getattr(value, name), program)
