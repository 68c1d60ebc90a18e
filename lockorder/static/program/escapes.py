"""Which objects only the function has that made them: escape analysis.

A local object, or one fresh from ``new`` or ``make_unique``, is its function's own until a name of
it goes where somebody else can find it: into a global, another object, a thread, a callable that is
kept, a function that nobody can read.  After Choi, Gupta, Serrano, Sreedhar and Midkiff, "Escape
Analysis for Java" (OOPSLA 1999):

* the nodes are a function's names: variables, its object, what it makes and what calls return;
* ``b = a``, ``b.next = &a`` and ``g(a)`` with ``b`` as g's parameter are edges from a to b;
* what is put into what a call returns goes where that lies (``leads``): ``map[key] = a``,
  ``Registry::get().add(&a)``;
* what a pointer or a shared owner in an object leads to is others' as well: ``store->watch(&a)``;
* a closure holds what it captures, and its body does what it does with that;
* an object is its function's own if no way leads from it to OUT.

Whoever asks for a place in the function is answered by what it may have done before that: an object
that is published later is its own until then.  All else goes without regard to the order of
statements.

Edges of a function are made when somebody asks for a way through it; most are never asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lockorder.knowledge import Knowledge
from lockorder.knowledge.schema import Owner
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Variable
from lockorder.static.parse.facts import walk
from lockorder.static.program.earlier import Earlier, Place
from lockorder.static.program.leads import Behind, Leads, is_scalar
from lockorder.static.program.lifetimes import Lifetimes
from lockorder.static.program.link import Program

#: A function, and a name in it: a variable's USR, THIS, ``made:N`` or ``result:N``.
Node = tuple[str, str]
THIS = "this"
#: Where others can find it.
OUT: Node = ("", "")


class Edges:
    """Where the names of one function lead; some only if a callee keeps a parameter."""

    __slots__ = ("conditional", "plain")

    def __init__(self) -> None:
        self.plain: dict[str, list[Node]] = {}
        self.conditional: list[tuple[str, Node, Node]] = []


class Escapes:
    """Answers for the objects of one program; what was asked is remembered."""

    def __init__(self, program: Program, knowledge: Knowledge, lifetimes: Lifetimes) -> None:
        self._program = program
        self._knowledge = knowledge
        self._lifetimes = lifetimes
        self._leads = Leads(program, knowledge)
        self._edges: dict[str, Edges] = {}
        self._own: dict[Node, bool] = {}
        self._made_there: dict[Node, bool] = {}
        self._kept: dict[Node, bool] = {}
        self._lambdas: dict[str, list[f.Function]] | None = None
        self._earlier = Earlier()
        self._before: dict[tuple[str, str, Place], Edges] = {}
        #: Whether a function returns nothing but new objects, which nobody has had.
        self._gives_new: dict[str, bool] = {}

    def is_own(self, function: str, name: str, place: Place | None = None) -> bool:
        """Whether what *name* means in *function* was made there and is nobody else's.

        A variable must be the object, or a smart pointer to one that is made for it.  With a
        *place* of a call in the function: whether it is nobody else's until that call is made.
        """
        node = (function, name)
        known = self._own.get(node)
        if known is None:
            known = self._own[node] = self._is_made(node) and not self._gets_out(node)
        if known or place is None:
            return known
        return self._is_made(node) and not self.is_handed_out(function, name, place)

    def is_made(self, function: str, name: str) -> bool:
        """Whether what *name* means in *function* was made there, whoever may have it."""
        return self._is_made((function, name))

    def is_handed_out(self, function: str, name: str, place: Place | None = None) -> bool:
        """Whether others may have what *name* leads to in *function*, by what that does itself.

        With a *place*, by what it may have done before the call there.
        """
        return self._gets_out((function, name), place)

    def results(self, function: str, maker: str) -> list[str]:
        """Names of the calls in *function* that may return what *maker* has made."""
        body = self._program.functions.get(function)
        calls = (s for s in walk(body.body) if isinstance(s, f.Call)) if body is not None else ()
        return [
            f"result:{call.id}"
            for call in calls
            if isinstance(call.target, f.Fn) and maker in self._returning(call.target.usr, set())
        ]

    def _returning(self, usr: str, seen: set[str]) -> set[str]:
        """Functions whose new objects a call of *usr* may return."""
        for body in self._program.body_of(usr):
            if body in seen:
                continue
            seen.add(body)
            function = self._program.functions[body]
            for statement in walk(function.body):
                target = statement.target if isinstance(statement, f.Call) else None
                if not isinstance(target, f.Fn):
                    continue
                if not is_scalar(self._program.result_of(target.usr) or "int"):
                    self._returning(target.usr, seen)
        return seen

    def _gets_out(self, start: Node, place: Place | None = None) -> bool:
        # In its own function's object or parameters it is others' as well.
        home = self._program.functions[start[0]]
        edges = self._until(start, place) if place is not None else None
        seen = {start}
        pending = [start]
        while pending:
            here = pending.pop()
            for node in self._from(here, edges if here[0] == start[0] else None):
                if node == OUT or (node[0] == start[0] and self._is_callers(home, node[1])):
                    return True
                if node not in seen:
                    seen.add(node)
                    pending.append(node)
        return False

    @staticmethod
    def _is_callers(function: f.Function, name: str) -> bool:
        return name == THIS or name in function.params

    def _from(self, node: Node, edges: Edges | None = None) -> list[Node]:
        edges = edges or self._edges_of(node[0])
        found = [*edges.plain.get(node[1], ())]
        for source, place, condition in edges.conditional:
            if source == node[1] and self._is_kept(condition):
                found.append(place)
        return found

    def _edges_of(self, usr: str) -> Edges:
        edges = self._edges.get(usr)
        if edges is None:
            edges = self._edges[usr] = Edges()
            function = self._program.functions.get(usr)
            if function is not None:
                self._add(edges, function, walk(function.body))
        return edges

    def _until(self, start: Node, place: Place) -> Edges | None:
        """Edges by what a function may do before a call, since the object *start* was made."""
        key = (*start, place)
        known = self._before.get(key)
        if known is None:
            function = self._program.functions[start[0]]
            jumps = any(isinstance(s, f.Goto) for s, *_ in self._earlier.flat(function))
            before = self._earlier.before(function, place, self._values(start), True)
            if before is None or jumps:
                return None
            known = self._before[key] = Edges()
            self._add(known, function, before)
        return known

    def _values(self, node: Node) -> list[f.Value]:
        """What the text calls an object."""
        kind, _, number = node[1].rpartition(":")
        if kind in ("made", "result") and number.isdecimal():
            return [f.Made(int(number)) if kind == "made" else f.Result(int(number))]
        if node[1] == THIS or node[1] in self._program.functions[node[0]].params:
            return []  # it is there from the start
        body = self._program.functions[node[0]].body
        begun = (s.value for s in walk(body) if isinstance(s, f.Local) and s.usr == node[1])
        return [f.Var(node[1]), *(v for v in begun if isinstance(v, f.Made | f.Result))]

    def _add(self, edges: Edges, function: f.Function, statements: Iterable[f.Stmt]) -> None:
        for source, target in self._flows(function, statements, edges):
            if (function.usr, source) != target:
                edges.plain.setdefault(source, []).append(target)

    # -- what a name is ---------------------------------------------------------------------------

    def _is_made(self, node: Node) -> bool:
        """Whether a name means an object that its function makes, and no other."""
        known = self._made_there.get(node)
        if known is None:
            known = self._made_there[node] = self._makes(node)
        return known

    def _makes(self, node: Node) -> bool:
        function = self._program.functions.get(node[0])
        if function is None:
            return False
        kind, _, number = node[1].rpartition(":")
        if kind in ("made", "result") and number.isdecimal():
            wanted = f.Made(int(number)) if kind == "made" else f.Result(int(number))
            return self._is_fresh(function, wanted)
        variable = self._program.variables.get(node[1])
        if variable is None or variable.kind != "local" or variable.type.endswith("&"):
            return False
        values = [
            s.value
            for s in walk(function.body)
            if (isinstance(s, f.Local) and s.usr == node[1])
            or (isinstance(s, f.Assign) and s.target == f.Var(node[1]))
        ]
        if variable.type.endswith("*"):
            return self._is_only_allocated(function, variable, values)
        owner = self._owner(variable.type)
        if owner is not None and owner.pointer:  # pointer.reset(other)
            values += [
                argument
                for s in walk(function.body)
                if isinstance(s, f.Call)
                and isinstance(s.target, f.Fn)
                and s.target.base == f.Var(node[1])
                for argument in s.args
            ]
        return bool(values) and all(v is None or self._is_fresh(function, v) for v in values)

    def _is_fresh(self, function: f.Function, value: f.Value) -> bool:
        """Whether *value* is a new object, a smart pointer to one, or null."""
        if isinstance(value, f.Lit):
            return True
        for statement in walk(function.body):
            if isinstance(value, f.Made) and isinstance(statement, f.Make):
                if statement.id == value.make:
                    owner = self._owner(statement.type)
                    pointer = owner is not None and owner.pointer
                    return not pointer or all(
                        self._is_new_there(function, a)
                        if isinstance(a, f.Var)
                        else isinstance(a, f.Closure | f.Fn)  # what ends it
                        or (
                            isinstance(a, f.Made | f.Result | f.Lit) and self._is_fresh(function, a)
                        )
                        for a in statement.args
                    )
            elif (
                isinstance(value, f.Result)
                and isinstance(statement, f.Call)
                and statement.id == value.call
            ):
                # make_unique and its like, malloc and its like
                return bool(statement.type) or self._allocates(statement) or self._is_new(statement)
        return False

    def _allocates(self, call: f.Call) -> bool:
        return self._program.called(call) in self._knowledge.allocates

    def _is_only_allocated(
        self, function: f.Function, pointer: Variable, values: list[f.Value | None]
    ) -> bool:
        """Whether a pointer has nothing but new memory: nobody else is lent it to write to."""
        given = [v for v in values if v is not None and not f.is_null(v)]
        if not given or not all(
            isinstance(v, f.Result) and self._is_fresh(function, v) for v in given
        ):
            return False
        name, stars = f.Var(pointer.usr), pointer.type.count("*")
        for statement in walk(function.body):
            for value in f.values(statement):
                if isinstance(value, f.Closure) and pointer.usr in self._captured(value.usr):
                    return False
            if isinstance(statement, f.Written) and statement.target == name:
                return False  # its address is handed on
            if (
                isinstance(statement, f.Local)
                and name == statement.value
                and _leads_to_pointer(self._program.type_of(statement.usr), stars)
            ):
                return False
            if isinstance(statement, f.Call) and not all(
                self._keeps_pointer(statement, number, stars)
                for number, argument in enumerate(statement.args)
                if argument == name
            ):
                return False
        return True

    def _keeps_pointer(self, call: f.Call, number: int, stars: int) -> bool:
        """Whether a pointer that a call is given is a value there, and is not written to."""
        target = call.target
        if not isinstance(target, f.Fn):
            return False
        bodies = self._program.body_of(target.usr)
        for body in bodies:
            params = self._program.functions[body].params
            if number >= len(params):
                return False
            if _leads_to_pointer(self._program.type_of(params[number]), stars):
                return False
        return bool(bodies) or not self._leaks(target, target.base)

    def _is_new(self, call: f.Call) -> bool:
        """Whether all that a call can run returns nothing but new objects."""
        target = call.target
        if not isinstance(target, f.Fn):
            return False
        bodies = [*self._program.body_of(target.usr)]
        if call.virtual:
            bodies += self._program.overriders(target.usr)
        return bool(bodies) and all(map(self._returns_new, bodies))

    def _returns_new(self, usr: str) -> bool:
        known = self._gives_new.get(usr)
        if known is None:
            self._gives_new[usr] = False  # by itself it makes nothing
            function = self._program.functions[usr]
            returned = [s.value for s in walk(function.body) if isinstance(s, f.Return)]
            known = bool(returned) and all(self._is_new_there(function, v) for v in returned)
            self._gives_new[usr] = known
        return known

    def _is_new_there(self, function: f.Function, value: f.Value | None) -> bool:
        if isinstance(value, f.Var):
            return self.is_own(function.usr, value.usr)
        if isinstance(value, f.Made | f.Result):
            (name,) = self._names(value)
            return self.is_own(function.usr, name)
        return isinstance(value, f.Lit)

    def _owner(self, spelling: str) -> Owner | None:
        return self._knowledge.owners.get(self._program.split(self._program.plain(spelling))[0])

    # -- edges ------------------------------------------------------------------------------------

    def _flows(
        self, function: f.Function, statements: Iterable[f.Stmt], edges: Edges
    ) -> Iterator[tuple[str, Node]]:
        if function.parent:
            yield THIS, OUT
        for statement in statements:
            for value in f.values(statement):
                if isinstance(value, f.Closure):
                    yield from self._closed(function, value)
            if isinstance(statement, f.Local):
                yield from self._local(function, statement)
            elif isinstance(statement, f.Assign):
                yield from self._assign(function, statement.target, statement.value)
            elif isinstance(statement, f.Make):
                yield from self._make(function, statement, edges)
            elif isinstance(statement, f.Call):
                yield from self._call(function, statement, edges)

    def _closed(self, function: f.Function, closure: f.Closure) -> Iterator[tuple[str, Node]]:
        """What a closure has: whoever has it has that, and its body does something with it."""
        for name in self._captured(closure.usr):
            if name == THIS:
                yield THIS, OUT
            elif not is_scalar(self._program.type_of(name)):
                yield name, (function.usr, _of(closure))
                yield name, (closure.usr, name)

    def _local(self, function: f.Function, local: f.Local) -> Iterator[tuple[str, Node]]:
        here = (function.usr, local.usr)
        if is_scalar(self._program.type_of(local.usr)):
            return
        for source in self._names(local.value):
            yield source, here
            if isinstance(local.value, (f.Made, f.Result)):
                yield local.usr, (function.usr, source)  # two names of one object

    def _assign(
        self, function: f.Function, target: f.Value, value: f.Value
    ) -> Iterator[tuple[str, Node]]:
        if isinstance(target, (f.Var, f.Field)) and is_scalar(self._program.type_of(target.usr)):
            return
        sources = list(self._names(value))
        if sources:
            for place in self._assigned(function, target):
                for source in sources:
                    yield source, place

    def _assigned(self, function: f.Function, target: f.Value) -> list[Node]:
        """What holds what is assigned to *target*."""
        if isinstance(target, f.Field | f.Elem):
            return self._into(function, target.base)
        variable = isinstance(target, f.Var) and not self._program.type_of(target.usr).endswith("&")
        if variable:  # a pointer leads elsewhere from now on
            return self._places(function, target)
        return self._into(function, target, Behind.NONE)

    def _into(
        self, function: f.Function, value: f.Value | None, behind: Behind = Behind.ALL
    ) -> list[Node]:
        """What holds what is put into that which *value* is, or leads to."""
        places = list[Node]()
        for root in self._leads.roots(function, value, behind):
            places += [OUT] if root is None else self._places(function, root)
        return places

    def _places(self, function: f.Function, target: f.Value) -> list[Node]:
        """What holds what is written to *target*."""
        names = list(self._names(target))
        if not names:
            return [OUT]
        return [OUT if n in function.params else (function.usr, n) for n in names]

    def _make(self, function: f.Function, make: f.Make, edges: Edges) -> Iterator[tuple[str, Node]]:
        name = self._program.split(make.type)[0]
        if name in self._knowledge.guards:
            return
        made = f"made:{make.id}"
        if name in self._knowledge.starter_types:
            yield from ((n, OUT) for a in make.args for n in self._names(a))
            return
        bodies = self._program.body_of(make.ctor) if make.ctor else ()
        if not bodies:
            plain = self._program.split(make.type.partition("[")[0])[0]
            for body in self._lifetimes.constructors(plain):
                yield made, (body, THIS)
        for body in bodies:
            yield made, (body, THIS)
            yield from self._arguments(body, make.args, [(function.usr, made)], edges)
            for each in self._lifetimes.implied(name):
                yield made, (each, THIS)
        if not bodies:
            kept = self._is_known(name)
            for source in (n for a in make.args for n in self._names(a)):
                yield source, (function.usr, made) if kept else OUT

    def _is_known(self, name: str) -> bool:
        """Whether what such an object is made from goes nowhere but into it."""
        known = self._program.classes.get(name)
        k = self._knowledge
        return k.is_standard(name) or name in k.owners or known is not None

    def _call(self, function: f.Function, call: f.Call, edges: Edges) -> Iterator[tuple[str, Node]]:
        target = call.target
        base = target.base if isinstance(target, (f.Fn, f.Name)) else None
        result: Node = (function.usr, f"result:{call.id}")
        if isinstance(target, f.Fn):
            bodies = self._leads.bodies(call)
        else:
            bodies = [target.usr] if isinstance(target, f.Closure) else []
        if call.type:
            yield from self._made_by(call, result, edges)
            return
        if bodies:
            yield from self._followed(function, call, bodies, result, edges)
            return
        given = [n for a in call.args for n in self._names(a)]
        own = list(self._names(base))
        if isinstance(target, f.Fn) and not self._leaks(target, base):
            places = self._into(function, base, Behind.PLAIN)
            for source in given:
                yield from ((source, place) for place in (*places, result))
            yield from ((source, result) for source in own)
            return
        if not (isinstance(target, f.Name) and self._is_operation(target)):
            # An algorithm calls what it is given, and keeps none of it.
            runs = isinstance(target, f.Fn) and self._only_calls(target)
            if isinstance(target, f.Fn) and self._program.called(call).endswith("::operator()"):
                own = []  # what a callable holds is called
            yield from ((n, OUT) for n in (*given, *own) if not (runs and n.startswith(_CLOSURE)))

    def _only_calls(self, target: f.Fn) -> bool:
        k, name = self._knowledge, self._program.name_of(target.usr)
        return k.is_standard(name) and not (name in k.starters or name in k.registers)

    def _followed(
        self,
        function: f.Function,
        call: f.Call,
        bodies: Iterable[str],
        result: Node,
        edges: Edges,
    ) -> Iterator[tuple[str, Node]]:
        target = call.target
        base = target.base if isinstance(target, (f.Fn, f.Name)) else None
        own = list(self._names(base))
        for body in bodies:
            if not self._program.functions[body].parent:  # in a closure that is another's object
                yield from ((n, (body, THIS)) for n in own)
            yield from self._arguments(body, call.args, self._into(function, base), edges)
            if not is_scalar(self._program.result_of(body) or "int"):
                for source in (*own, *(n for a in call.args for n in self._names(a))):
                    yield source, result

    def _arguments(
        self, body: str, args: Iterable[f.Value], places: list[Node], edges: Edges
    ) -> Iterator[tuple[str, Node]]:
        """What is handed to *body*; *places* hold what that keeps in its object."""
        callee = self._program.functions.get(body)
        for number, argument in enumerate(args):
            names = list(self._names(argument))
            if not names or callee is None:
                continue
            if number >= len(callee.params):
                yield from ((n, OUT) for n in names)
                continue
            parameter = (body, callee.params[number])
            for name in names:
                yield name, parameter
                for place in places:
                    edges.conditional.append((name, place, parameter))

    def _is_kept(self, parameter: Node) -> bool:
        """Whether a method keeps a parameter in its object."""
        if parameter not in self._kept:
            self._find_kept(parameter)
        return self._kept[parameter]

    def _find_kept(self, parameter: Node) -> None:
        """Decide that for *parameter* and for all that it depends on: the least fixed point."""
        asked = [parameter]
        for each in asked:  # which grows meanwhile
            for _, _, condition in self._edges_of(each[0]).conditional:
                if condition not in self._kept and condition not in asked:
                    asked.append(condition)
        kept: set[Node] = set()
        grown = True
        while grown:
            fresh = [p for p in asked if p not in kept and self._reaches_this(p, kept)]
            kept.update(fresh)
            grown = bool(fresh)
        self._kept.update((p, p in kept) for p in asked)

    def _reaches_this(self, parameter: Node, kept: set[Node]) -> bool:
        function = parameter[0]
        edges = self._edges_of(function)
        seen, pending = {parameter}, [parameter]
        while pending:
            here = pending.pop()[1]
            after = [*edges.plain.get(here, ())]
            for source, place, condition in edges.conditional:
                if source == here and (condition in kept or self._kept.get(condition)):
                    after.append(place)
            for node in after:
                if node == (function, THIS):
                    return True
                if node[0] == function and node not in seen:
                    seen.add(node)
                    pending.append(node)
        return False

    def _made_by(self, call: f.Call, result: Node, edges: Edges) -> Iterator[tuple[str, Node]]:
        """``std::make_unique<T>(args...)``: arguments go to a constructor."""
        for spelling in self._lifetimes.owned(call.type)[:1]:
            cls = self._program.split(spelling)[0]
            bodies = self._lifetimes.constructors(cls)
            for body in bodies:
                yield result[1], (body, THIS)
                if len(self._program.functions[body].params) == len(call.args):
                    yield from self._arguments(body, call.args, [result], edges)
            for source in (n for a in call.args for n in self._names(a)):
                yield source, result if bodies or self._is_known(cls) else OUT

    def _leaks(self, target: f.Fn, base: f.Value | None) -> bool:
        """Whether a function without a body may hand on what it is given.

        Those that the knowledge files speak of do not, nor do methods of the standard library.
        """
        k = self._knowledge
        name = self._program.name_of(target.usr)
        if name in k.starters or name in k.registers or name in k.binders:
            return True
        known = (
            k.functions, k.waits, k.blocks, k.notifies, k.onces, k.recursive_set, k.recursive_init,
            k.same_functions, k.never_returns, k.throws,
        )  # fmt: skip
        if any(name in each for each in known) or name in k.harmless:
            return False
        cls, _, method = name.rpartition("::")
        if base is None:
            return True
        owned = cls in k.locks or cls in k.guards or cls in k.owners
        return not (owned or k.operation(cls, method) or k.is_standard(cls))

    def _is_operation(self, target: f.Name) -> bool:
        """Whether a name that is not resolved is a method of a lock, by the type of its object."""
        if not isinstance(target.base, (f.Var, f.Field)):
            return False
        cls = self._program.split(self._program.pointee(self._program.type_of(target.base.usr)))[0]
        return self._knowledge.operation(cls, target.text) is not None

    # -- names ------------------------------------------------------------------------------------

    def _names(self, value: f.Value | None) -> Iterator[str]:
        """The names of a function by which *value* leads to an object of it."""
        if isinstance(value, f.Var):
            variable = self._program.variables.get(value.usr)
            if variable is None or variable.kind in ("local", "param"):
                yield value.usr
        elif isinstance(value, f.This):
            yield THIS
        elif isinstance(value, f.Field):
            if not is_scalar(self._program.type_of(value.usr)):
                yield from self._names(value.base)
        elif isinstance(value, (f.Elem, f.Whole, f.Name)):
            yield from self._names(value.base)
        elif isinstance(value, f.Made):
            yield f"made:{value.make}"
        elif isinstance(value, f.Result):
            yield f"result:{value.call}"
        elif isinstance(value, f.Closure):
            yield _of(value)
        elif isinstance(value, f.AnyOf):
            for each in value.values:
                yield from self._names(each)
        elif isinstance(value, f.Fn):
            yield from self._names(value.base)

    def _captured(self, closure: str) -> set[str]:
        """Names of the function around a closure that it uses, or those in it do."""
        if self._lambdas is None:
            self._lambdas = {}
            for each in self._program.functions.values():
                if each.parent:
                    self._lambdas.setdefault(each.parent, []).append(each)
        inner = self._program.functions.get(closure)
        pending = [inner] if inner is not None else []
        found, own = set[str](), set[str]()
        while pending:
            here = pending.pop()
            found.update(_mentioned(here.body))
            own.update(here.params)
            own.update(s.usr for s in walk(here.body) if isinstance(s, f.Local))
            pending.extend(self._lambdas.get(here.usr, ()))
        return found - own


_CLOSURE = "closure:"


def _of(closure: f.Closure) -> str:
    """The name of a closure in the function that makes it."""
    return f"{_CLOSURE}{closure.usr}"


def _leads_to_pointer(spelling: str, stars: int) -> bool:
    """Whether a pointer with that many *stars* can be written to through a variable of the type."""
    return spelling.count("*") + ("&" in spelling) > stars or not spelling


def _mentioned(block: f.Block) -> set[str]:
    """Variables, and the object, that the statements of a body name."""
    found: set[str] = set()
    pending: list[object] = [block]
    while pending:
        here = pending.pop()
        if isinstance(here, (f.Var, f.Local)):
            found.add(here.usr)
        if isinstance(here, f.This):
            found.add(THIS)
        elif isinstance(here, (list, tuple)):
            pending.extend(here)
        elif isinstance(here, f.Fact):
            pending.extend(getattr(here, name) for name in here.__struct_fields__)
    return found
