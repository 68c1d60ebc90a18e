"""Which functions and which locks a variable can stand for.

Flow-insensitive and field-based, after Andersen ("Program Analysis and Specialization for the C
Programming Language", 1994) with Heintze and Tardieu's field-based reading (PLDI 2001): one node
for each variable, field, parameter and return value, and a container is one node with all its
elements.  The only tokens that flow are functions (``fn:``; ``partial:`` for those that have some
arguments already; ``library:`` for those that lock), lock objects (``lock:``), the classes whose
``this`` it is (``this:``), and that a lock may be recursive (``recursive:``).  What is said of how
the callables in a node are called keeps all others out of it (types as filters: Lhotak and Hendren,
"Scaling Java Points-to Analysis Using Spark", CC 2003).

Tokens are numbered and a set of them is an integer, a bit for each: thousands of nodes have the
same set (it is kept once), and what is new in one is found by a single operation.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence, Set

from lockorder.knowledge import Knowledge
from lockorder.static.parse import facts as f
from lockorder.static.parse.facts import walk
from lockorder.static.program.link import Program
from lockorder.static.program.rooms import Room, Rooms
from lockorder.static.program.signatures import Signature, Signatures
from lockorder.static.program.tokens import Tokens
from lockorder.static.program.wrappers import Wrappers

#: Keys of what the standard library declares.
#: Nodes of what was registered with functions of a library; the table's number follows.
REGISTRY = "registry:"
_THIS, _FUNCTION, _LOCK = "this:", "fn:", "lock:"
#: A token: a function that has some of its arguments, and is called with others than it takes.
_PARTIAL = "partial:"
#: A token: a function of a library, by name.
_LIBRARY = "library:"
#: How the node of what a function returns begins.
_RETURN = "return:"
_CALLABLES = (_FUNCTION, _PARTIAL, _LIBRARY)
#: A token: an attribute of locks that their holders may take again, or such a lock.
_RECURSIVE = "recursive:"
#: How clang writes a template's parameter in the type of a result.
_PARAMETER = "type-parameter-"
#: The node of what is bound to arguments, by functions of these names.
_BOUND, _BINDS = "bound:", ("bind", "bind_front", "bind_back", "partial", "Bind", "curry")


class PointsTo:
    """The solved constraints of a program."""

    def __init__(
        self, program: Program, knowledge: Knowledge, wrappers: Wrappers | None = None
    ) -> None:
        self._wrappers = wrappers
        self._program = program
        self._knowledge = knowledge
        self._tokens = Tokens()
        self._sets: dict[str, int] = {}
        self._fresh: dict[str, int] = {}
        self._flows: dict[str, set[str]] = {}
        #: nodes that something flows to: one text for each, however many flows lead there
        self._nodes: dict[str, str] = {}
        self._indirect: dict[str, list[tuple[f.Call, str]]] = {}
        #: by call through a value: the functions that it is known to reach
        self._bound: dict[tuple[str, int], int] = {}
        self._pending: deque[str] = deque()
        #: by node: nodes that stand for the same functions, bound to arguments
        self._binding: dict[str, set[str]] = {}
        self._signatures = Signatures(program)
        self._callable_as: dict[str, Signature | None] = {}
        self._rooms = Rooms(program)
        #: by result and made object: the type of what is there, where that is known
        self._typed: dict[str, str] = {}
        self._room_of: dict[str, Room] = {}
        #: by signature: functions that were looked at, and those of them that fit, as tokens
        self._fitting: dict[Signature, tuple[int, int]] = {}
        #: Functions whose address is taken, so that anyone may call them.
        self.taken: set[str] = set()
        self._deleters: dict[str, set[str]] = {}
        #: by deleter: what the pointers point to that were given it
        self._deleter_of: dict[str, set[str]] = {}
        #: whether any function of a library that locks is stored anywhere
        self._knows_library = False
        self._makes: dict[str, dict[int, f.Make]] = {}
        for function in program.functions.values():
            for statement in walk(function.body):
                self._constrain(function, statement)
        self._solve()
        shared: dict[int, int] = {}
        for node, tokens in self._sets.items():
            self._sets[node] = shared.setdefault(tokens, tokens)
        self._spread_deleters()

    def deleted_types(self) -> frozenset[str]:
        """Classes that deleters given to smart pointers take; "*" where one takes anything."""
        found: set[str] = set()
        for usr in self.all_deleters():
            function = self._program.functions.get(usr)
            for parameter in function.params[:1] if function is not None else ():
                taken = self._program.pointee(self._program.type_of(parameter))
                cls = self._program.split(taken)[0]
                found.add("*" if cls in ("void", "auto") else cls)
        return frozenset(found)

    def all_deleters(self) -> frozenset[str]:
        """Keys of all functions that smart pointers were given as deleters."""
        return frozenset().union(*self._deleters.values())

    def deleters(self, node: str) -> list[str]:
        """Keys of the functions that a smart pointer *node* may have been given as deleter."""
        return sorted(self._deleters.get(node, ()))

    def may_delete_of(self, deleter: str, spelling: str) -> bool:
        """Whether a pointer of that type can have a deleter that was given to others."""
        behind = self._program.pointee(spelling)
        if self._rooms.of(spelling) is not Room.ANYTHING and behind == spelling:
            return False  # no pointer
        cls, arguments = self._program.split(behind)
        if behind in ("", "void") or any(map(self._is_open, (behind, *arguments))):
            return True
        return any(
            each == behind or cls in self._program.ancestors(self._program.split(each)[0])
            for each in self._deleter_of.get(deleter, ())
        )

    def functions(self, node: str) -> tuple[str, ...]:
        """Keys of the functions that *node* can stand for, sorted."""
        whole, bound = self._named(node, _FUNCTION), self._named(node, _PARTIAL)
        return tuple(sorted({*whole, *bound})) if bound else whole

    def library(self, node: str) -> tuple[str, ...]:
        """Functions of libraries that lock which *node* can stand for, by name, sorted."""
        return self._named(node, _LIBRARY) if self._knows_library else ()

    def is_bound(self, function: str) -> bool:
        """Whether it is given arguments beforehand somewhere, so that calls of it have others."""
        token = f"{_FUNCTION}{function}"
        bound = self._sets.get(_BOUND, 0)
        return _PARTIAL + function in self._tokens or bool(bound & self._tokens.bit(token))

    def called_as(self, spelling: str, functions: Sequence[str]) -> Sequence[str]:
        """Those of *functions* that can be in an object of type *spelling*."""
        signature = self._signatures.of(spelling)
        if signature is None:
            return functions
        return [u for u in functions if self.is_bound(u) or self._signatures.fits(signature, u)]

    def locks(self, node: str) -> tuple[str, ...]:
        """Nodes of the lock objects that *node* can stand for, sorted."""
        return self._named(node, _LOCK)

    def may_be_recursive(self, node: str) -> bool:
        """Whether a lock that is made so that its holder may take it again can be at *node*."""
        return bool(self._named(node, _RECURSIVE))

    def makers(self, node: str) -> set[str]:
        """Classes whose ``this`` *node* can stand for."""
        return set(self._named(node, _THIS))

    def _named(self, node: str, kind: str) -> tuple[str, ...]:
        return self._tokens.named(self._sets.get(node, 0), kind)

    def flows(self) -> Iterable[tuple[str, Set[str]]]:
        """Each node, and those that stand for all that it does."""
        return self._flows.items()

    # -- nodes ------------------------------------------------------------------------------------

    def node(self, function: f.Function, value: f.Value | None) -> str | None:
        """The node of a value as seen in *function*; None for what can never carry a token."""
        while isinstance(value, f.Elem) or (
            isinstance(value, f.Field) and self._program.is_standard(value.usr)
        ):
            value = value.base  # an element, or the second of a map's pair: the container
        if isinstance(value, (f.Var, f.Field)):
            return value.usr
        if isinstance(value, f.Result):
            return f"result:{function.usr}:{value.call}"
        if isinstance(value, f.Made):
            return f"made:{function.usr}:{value.make}"
        if isinstance(value, f.Name) and value.base is not None:
            return self.node(function, value.base)
        return None

    # -- constraints ------------------------------------------------------------------------------

    def _constrain(self, function: f.Function, statement: f.Stmt) -> None:
        if isinstance(statement, f.Assign):
            self._flow_value(function, statement.value, self.node(function, statement.target))
        elif isinstance(statement, f.Local):
            self._flow_value(function, statement.value, statement.usr)
        elif isinstance(statement, f.Return):
            self._flow_value(function, statement.value, f"{_RETURN}{function.usr}")
        elif isinstance(statement, f.Call):
            self._constrain_call(function, statement)
        elif isinstance(statement, f.Make):
            self._constrain_make(function, statement)

    def _constrain_call(self, function: f.Function, call: f.Call) -> None:
        result = f"result:{function.usr}:{call.id}"
        target = call.target
        if isinstance(target, f.Fn):
            decl = self._program.decls.get(target.usr)
            if decl is not None and decl.result and not decl.tparams:
                self._typed[result] = decl.result
        called = self._program.called(call)
        if called.rpartition("::")[2] in _BINDS:
            for argument in call.args[:1]:
                self._flow_value(function, argument, _BOUND)
        if called in self._knowledge.recursive_set | self._knowledge.recursive_init:
            self._note_kind(function, called, call.args)
        if called in self._knowledge.starters:
            self._bind_started(function, call.args)
        if self._knowledge.registers:
            made = [self._program.split(t)[0] for t in self._program.split(call.type)[1]]
            for name in (called, *made):
                self._register(function, name, call.args)
        for cls in self._made_by(function, call):
            self._bind_constructors(function, cls, call.args, result)
        self._note_reset(function, call)
        if isinstance(target, f.Fn):
            bodies = list(self._program.body_of(target.usr))
            if call.virtual:
                bodies += [u for u in self._program.overriders(target.usr) if u not in bodies]
            for body in bodies:
                self._bind(function, body, call.args, result)
            is_call_operator = self._program.name_of(target.usr).endswith("operator()")
            if not bodies and not is_call_operator:  # what is called keeps no argument
                self._outside(function, call, target.base, result)
            if not is_call_operator or bodies:
                return
            node = self.node(function, target.base)
        else:
            node = self.node(function, target)
            if isinstance(target, f.Name):
                bodies = self._methods(function, target)
                for body in bodies:
                    self._bind(function, body, call.args, result)
                if not bodies:
                    self._outside(function, call, target.base, result)
                if self._is_container(target.base):
                    return  # its methods are called, and not what is in it
            if isinstance(target, f.Closure):
                self._bind(function, target.usr, call.args, result)
        if node is not None:
            self._indirect.setdefault(node, []).append((call, function.usr))

    def _bind_started(self, function: f.Function, args: list[f.Value]) -> None:
        """A thread's function gets what stands behind it in the call that starts the thread."""
        for at, argument in enumerate(args):
            usrs: tuple[str, ...] = ()
            if isinstance(argument, f.Closure):
                usrs = (argument.usr,)
            elif isinstance(argument, f.Fn):
                usrs = self._program.body_of(argument.usr)
            for usr in usrs:
                self._bind(function, usr, args[at + 1 :], f"started:{function.usr}")
            if usrs:
                return

    def _note_kind(self, function: f.Function, name: str, args: list[f.Value]) -> None:
        """A lock, or an attribute of locks, gets its kind: wherever it goes, it keeps that."""
        made = self.node(function, args[0]) if len(args) > 1 else None
        if made is None:
            return
        names = args[1].names if isinstance(args[1], f.Lit) else ()
        if not self._knowledge.recursive_values.isdisjoint(names):
            self._put(made, _RECURSIVE)
        elif name in self._knowledge.recursive_init:
            self._flow_value(function, args[1], made)

    def _methods(self, function: f.Function, target: f.Name) -> list[str]:
        """Bodies of a method that only its name and its object's type tell (in a template)."""
        base = target.base
        if isinstance(base, f.This):
            return self._program.methods(self._class_around(function), target.text)
        if not isinstance(base, (f.Var, f.Field)):
            return []
        owned = self._program.pointee(self._program.type_of(base.usr))
        return self._program.methods(self._program.split(owned)[0], target.text)

    def _constrain_make(self, function: f.Function, make: f.Make) -> None:
        bodies = self._program.body_of(make.ctor) if make.ctor else ()
        starts = self._program.split(make.type)[0] in self._knowledge.starter_types
        if starts:
            self._bind_started(function, make.args)
        made = f"made:{function.usr}:{make.id}"
        self._typed[made] = make.type
        self._note_deleter(function, make.type, make.args, made)
        self._register(function, self._program.split(make.type)[0], make.args)
        for body in bodies:
            self._bind(function, body, make.args, made)
        if not bodies:
            for at, argument in enumerate(make.args):
                bound = not starts and _is_bound(make.args, at)  # nobody calls a thread
                self._flow_value(function, argument, made, bound)

    def _made_by(self, function: f.Function, call: f.Call) -> list[str]:
        """Classes of which a call makes an object: ``make_unique<T>(...)``, ``emplace(...)``."""
        spelling, target = call.type, call.target
        if not spelling and isinstance(target, f.Fn) and isinstance(target.base, (f.Var, f.Field)):
            declared = self._program.plain(self._program.type_of(target.base.usr))
            owner = self._knowledge.owners.get(self._program.split(declared)[0])
            name = self._program.name_of(target.usr).rsplit("::", 1)[-1]
            spelling = declared if owner is not None and name in owner.makes else ""
        if not spelling:
            return []
        owned = self._program.split(spelling)[1][:2]
        return [c for a in owned if (c := self._program.split(a)[0]) in self._program.classes]

    def _bind_constructors(
        self, function: f.Function, cls: str, args: list[f.Value], result: str
    ) -> None:
        for ctor in self._program.classes[cls].ctors:
            for body in self._program.body_of(ctor):
                if len(self._program.functions[body].params) == len(args):
                    self._bind(function, body, args, result)

    def _note_deleter(
        self, function: f.Function, spelling: str, args: list[f.Value], owner_node: str
    ) -> None:
        """``shared_ptr<T>(pointer, deleter)``: runs instead of delete, at the last release."""
        owner = self._knowledge.owners.get(self._program.split(spelling)[0])
        if owner is None or not owner.pointer:
            return
        for argument in args[1:2]:
            tokens: set[str] = set()
            if isinstance(argument, f.Closure):
                tokens.add(argument.usr)
            elif isinstance(argument, f.Fn):
                tokens.update(self._program.body_of(argument.usr))
            elif isinstance(argument, f.Made):
                made = (
                    s.type
                    for s in walk(function.body)
                    if isinstance(s, f.Make) and s.id == argument.make
                )
                for cls in made:
                    tokens.update(self._program.call_operators(self._program.split(cls)[0]))
            if tokens:
                self._deleters.setdefault(owner_node, set()).update(tokens)
                for usr in tokens:
                    self._deleter_of.setdefault(usr, set()).add(self._program.pointee(spelling))

    def _note_reset(self, function: f.Function, call: f.Call) -> None:
        """``owner.reset(pointer, deleter)``."""
        target = call.target
        if len(call.args) < 2 or not isinstance(target, f.Fn):
            return
        home = self.node(function, target.base)
        if home is None or not isinstance(target.base, f.Var | f.Field):
            return
        spelling = self._program.plain(self._program.type_of(target.base.usr))
        owner = self._knowledge.owners.get(self._program.split(spelling)[0])
        if (
            owner is not None
            and self._program.name_of(target.usr).rsplit("::", 1)[-1] in owner.destroys
        ):
            self._note_deleter(function, spelling, call.args, home)

    def _spread_deleters(self) -> None:
        """Deleters go wherever their pointers go."""
        pending = deque(sorted(self._deleters))
        while pending:
            node = pending.popleft()
            for target in sorted(self._flows.get(node, ())):
                known = self._deleters.get(target, set())
                more = {
                    usr for usr in self._deleters[node] - known if self._may_delete(usr, target)
                }
                if more:
                    self._deleters[target] = known | more
                    pending.append(target)

    def _may_delete(self, deleter: str, node: str) -> bool:
        """Whether a pointer with that deleter can be at *node*: ``void`` becomes nothing else."""
        spelling = self._type_at(node)
        return not spelling or any(
            self.may_delete_of(deleter, each) for each in self._owning(spelling)
        )

    def _owning(self, spelling: str) -> Iterator[str]:
        """What owns something in a place of that type: of a container, what its elements are."""
        name, arguments = self._program.split(self._program.plain(spelling))
        owner = self._knowledge.owners.get(name)
        if owner is None or owner.pointer or owner.callable or not arguments:
            yield spelling
            return
        for each in arguments:
            yield from self._owning(each)

    def _is_open(self, spelling: str) -> bool:
        """Whether a type is a template's parameter, as clang writes it or by its name."""
        return _PARAMETER in spelling or self._program.is_dependent(spelling)

    def _outside(
        self, function: f.Function, call: f.Call, base: f.Value | None, result: str
    ) -> None:
        """A call with no body: its arguments can end up in its object and in its result."""
        home = self.node(function, base)
        if home is not None:
            self._flow(home, result)
            if isinstance(call.target, f.Fn):
                method = self._program.name_of(call.target.usr).rsplit("::", 1)[-1]
                if method in self._knowledge.element_methods | self._knowledge.same_methods:
                    self._flow(result, home)  # what is assigned to an element is in the container
        elif isinstance(base, f.This) and isinstance(call.target, f.Fn):
            name = self._program.name_of(call.target.usr).rsplit("::", 1)[-1]
            if name in self._knowledge.same_methods:  # shared_from_this()
                self._flow_value(function, base, result)
        handle = self._handle(function, call)
        binds = self._program.method_called(call) in _BINDS
        kept = self._kept(call)
        for at, argument in enumerate(call.args):
            bound = binds or (base is None and _is_bound(call.args, at))
            if at not in kept:
                self._flow_value(function, argument, result, bound)
            if handle is not None:
                self._flow_value(function, argument, handle)
            if home is not None:
                self._flow_value(function, argument, home)

    def _is_container(self, base: f.Value | None) -> bool:
        """Whether the object itself, and no element of it, is one that holds others."""
        if not isinstance(base, f.Var | f.Field):
            return False
        spelling = self._program.plain(self._program.type_of(base.usr))
        owner = self._knowledge.owners.get(self._program.split(spelling)[0])
        return owner is not None and not (owner.pointer or owner.callable or owner.single)

    def _kept(self, call: f.Call) -> set[int]:
        """Arguments that a library keeps for calls of its own: by number.

        The program gets back from it what the library knows nothing of (``PyCapsule_New``).
        """
        target = call.target
        if (
            not isinstance(target, f.Fn)
            or self._program.called(call) not in self._knowledge.keepers
        ):
            return set()
        decl = self._program.decls.get(target.usr)
        opaque = decl.opaque if decl is not None else ()
        return {at for at in range(len(call.args)) if at not in opaque} if opaque else set()

    def _handle(self, function: f.Function, call: f.Call) -> str | None:
        """``pthread_create(&thread, ...)``: the thread runs what the call is given."""
        number = self._knowledge.handles.get(self._program.called(call))
        if number is None or number >= len(call.args):
            return None
        return self.node(function, call.args[number])

    def _register(self, function: f.Function, name: str, args: list[f.Value]) -> None:
        """What is handed to *name* is kept by a library, if somebody said so."""
        for number in self._knowledge.registers.get(name, ()):
            which = self._knowledge.callbacks[number].arguments
            for i, argument in enumerate(args):
                if not which or i in which:
                    self._flow_value(function, argument, f"{REGISTRY}{number}")
                    for operator in self._call_operators(function, argument):
                        self._put(f"{REGISTRY}{number}", f"fn:{operator}")

    def _call_operators(self, function: f.Function, value: f.Value) -> list[str]:
        """``operator()`` of a function object, or of the one that a std::function is made from."""
        if isinstance(value, f.Var | f.Field):
            spelling = self._program.plain(self._program.type_of(value.usr))
            return self._program.call_operators(self._program.split(spelling)[0])
        if not isinstance(value, f.Made):
            return []
        made = self._made_in(function).get(value.make)
        if made is None:
            return []
        found = [*self._program.call_operators(self._program.split(made.type)[0])]
        for argument in made.args:
            found += self._call_operators(function, argument)
        return found

    def _made_in(self, function: f.Function) -> dict[int, f.Make]:
        """The objects that *function* makes, by number."""
        known = self._makes.get(function.usr)
        if known is None:
            known = {m.id: m for m in walk(function.body) if isinstance(m, f.Make)}
            self._makes[function.usr] = known
        return known

    def _bind(self, function: f.Function, callee: str, args: list[f.Value], result: str) -> None:
        body = self._program.functions.get(callee)
        if body is None:
            return
        if len(args) == len(body.params) + 1 and body.kind == "method":
            args = args[1:]  # (&Class::method)(object, ...)
        for argument, parameter in zip(args, body.params, strict=False):
            self._flow_value(function, argument, parameter)
        self._flow(f"{_RETURN}{callee}", result)

    def _flow_value(
        self, function: f.Function, value: f.Value | None, to: str | None, bound: bool = False
    ) -> None:
        """*to* stands for *value*; where it is a function it may be *bound* to arguments."""
        kind = _PARTIAL if bound else _FUNCTION
        if to is None or value is None:
            return
        if isinstance(value, f.AnyOf):
            for each in value.values:
                self._flow_value(function, each, to, bound)
            for each, field in zip(value.values, value.fields, strict=False):
                self._flow_value(function, each, field)
        elif isinstance(value, f.Closure):
            self._put(to, kind + value.usr)
        elif isinstance(value, f.Fn):
            bodies = self._program.body_of(value.usr)
            for body in bodies:
                self.taken.add(body)
                self._put(to, kind + body)
            name = "" if bodies else self._program.name_of(value.usr)
            if name in self._knowledge.functions:
                self._knows_library = True
                self._put(to, _LIBRARY + name)
        elif isinstance(value, f.This):
            cls = self._class_around(function)
            if cls:
                self._put(to, f"{_THIS}{cls}")
        elif isinstance(value, (f.Not, f.Both, f.Compare, f.Lit, f.Op)):
            return
        else:
            node = self.node(function, value)
            if node is not None:
                if isinstance(value, (f.Var, f.Field)) and self._is_lock(value.usr):
                    self._put(to, f"lock:{value.usr}")
                self._flow(node, to)
                if bound:
                    self._flow_bound(node, to)
            for operator in self._call_operators(function, value):
                self._put(to, kind + operator)

    def _class_around(self, function: f.Function) -> str:
        """The class of a method, and of the lambdas in it."""
        home = self._program.home(function)
        return home.cls if home is not None else ""

    def _is_lock(self, usr: str) -> bool:
        spelling = self._program.type_of(usr)
        if not spelling or spelling.endswith(("*", "&")):
            return False
        if self._wrappers is not None and self._wrappers.kind_of(spelling) is not None:
            return True
        return self._program.split(spelling)[0] in self._knowledge.locks

    # -- solving ----------------------------------------------------------------------------------

    def _put(self, node: str, token: str) -> None:
        self._spread(self._tokens.bit(token), node)

    def _spread(self, tokens: int, node: str) -> None:
        """Add *tokens* to *node*; what is new there will flow on (difference propagation)."""
        known = self._sets.get(node, 0)
        new = tokens & ~known
        if new:
            new = self._callable(new, node)
        if new:
            self._sets[node] = known | new if known else (tokens if new == tokens else new)
            fresh = self._fresh.get(node, 0)
            if not fresh:
                self._pending.append(node)
            self._fresh[node] = fresh | new

    def _callable(self, tokens: int, node: str) -> int:
        """Those of *tokens* that can be at *node*, by how the callables there are called.

        Where there is no room for callables, none is.
        """
        room = self._room(node)
        if room is Room.NOTHING:
            return 0
        if room is Room.OBJECTS:
            return tokens & ~self._tokens.all_of(_CALLABLES)
        if node not in self._callable_as:
            self._callable_as[node] = self._signatures.of_variable(node)
        signature = self._callable_as[node]
        if signature is None:
            return tokens
        seen, fitting = self._fitting.get(signature, (0, 0))
        fresh = tokens & ~seen
        if fresh:
            wrong = 0
            for name in self._tokens.each(fresh, _FUNCTION):
                if not self._signatures.fits(signature, name):
                    wrong |= self._tokens.bit(_FUNCTION + name)
            seen, fitting = seen | fresh, fitting | fresh & ~wrong
            self._fitting[signature] = seen, fitting
        return tokens & fitting

    def _room(self, node: str) -> Room:
        room = self._room_of.get(node)
        if room is None:
            spelling = self._type_at(node)
            room = self._rooms.of(spelling) if spelling else Room.ANYTHING
            self._room_of[node] = room
        return room

    def _type_at(self, node: str) -> str:
        """The type of what is at *node*; "" where it is not known."""
        variable = self._program.variables.get(node)
        if variable is not None:
            return variable.type
        if node.startswith(_RETURN):
            return self._program.result_of(node.removeprefix(_RETURN))
        return self._typed.get(node, "")

    def _may_flow(self, source: str, target: str) -> bool:
        """Whether a value of the one's type may become one of the other's.

        A number of a pointer's size may be a pointer where a variable is set to one, or to it: by
        a cast.  What a call gives back as a number is none of what it was given.
        """
        here, there = self._room(source), self._room(target)
        if Room.NOTHING in (here, there):
            return False
        if Room.NUMBER not in (here, there):
            return True
        if there is Room.NUMBER is not here and target not in self._program.variables:
            return False
        return all(self._rooms.is_pointer(self._type_at(n)) for n in (source, target))

    def _flow(self, source: str, target: str) -> None:
        if source == target or not self._may_flow(source, target):
            return
        targets = self._flows.setdefault(source, set())
        if target not in targets:
            target = self._nodes.setdefault(target, target)
            targets.add(target)
            tokens = self._sets.get(source)
            if tokens:
                self._spread(tokens, target)

    def _flow_bound(self, source: str, target: str) -> None:
        """The functions at *source* go to *target* with some of their arguments."""
        self._binding.setdefault(source, set()).add(target)
        tokens = self._sets.get(source)
        if tokens:
            self._spread(self._tokens.moved(tokens, _FUNCTION, _PARTIAL), target)

    def _solve(self) -> None:
        known = self._sets.get
        while self._pending:
            node = self._pending.popleft()
            tokens = self._fresh.pop(node)
            for target in self._flows.get(node, ()):
                if tokens & known(target, 0) != tokens:  # mostly there is nothing new
                    self._spread(tokens, target)
            for target in self._binding.get(node, ()):
                self._spread(self._tokens.moved(tokens, _FUNCTION, _PARTIAL), target)
            for call, owner in self._indirect.get(node, ()):
                function = self._program.functions[owner]
                before = self._bound.get((owner, call.id), 0)
                self._bound[owner, call.id] = before | tokens
                for kind in (_FUNCTION, _PARTIAL):
                    for callee in self._tokens.each(tokens & ~before, kind):
                        self._bind(function, callee, call.args, f"result:{owner}:{call.id}")


def _is_bound(args: Sequence[f.Value], at: int) -> bool:
    """Whether a call without a body may bind a function to the arguments that follow it."""
    return at + 1 < len(args) and isinstance(args[at], f.Fn | f.Closure)
