"""Values of expressions in a state: facts' values to access paths, and conditions to truth."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lockorder.bounds import Bound
from lockorder.static.interp import bits, clauses, conditions
from lockorder.static.interp.evaluations import Evaluations
from lockorder.static.interp.known import Measure, Operation, Repeated, Term, is_void
from lockorder.static.interp.summary import State
from lockorder.static.interp.truths import Truths
from lockorder.static.parse import facts as f
from lockorder.static.parse import numbers
from lockorder.static.program.identities import Identities
from lockorder.static.program.iterations import Iterations
from lockorder.static.program.link import Program
from lockorder.static.program.paths import UNKNOWN, Path, Paths, element, few, mask_of
from lockorder.static.program.steps import Element, ElementBy, Got, Step

_TRUE = frozenset(("true", "1"))
_NULL = (Path.of_literal("nullptr"),)
_POINTERS = frozenset(("nullptr", "NULL"))
_FALSE = frozenset(("false", "0", "nullptr", "NULL"))
#: Roots of paths that name no object whose truth could be remembered.
#: Facts about an object that outlive an assignment to it (assignments of owners see to them).


class Values:
    """Evaluates the values of one function's events."""

    def __init__(
        self,
        program: Program,
        identities: Identities,
        function: f.Function,
        cut: Callable[[Bound], None],
    ) -> None:
        self.program = program
        self.identities = identities
        self.function = function
        self._cut = cut
        self.this = self._this(function)
        self._calls: dict[int, f.Call] | None = None
        self._loops: int | None = None
        self._steady: frozenset[str] | None = None
        self._unmoved: frozenset[str] | None = None
        self._constants: frozenset[str] | None = None
        self._truths: Truths | None = None
        self._evaluations: Evaluations | None = None
        self._iterations: Iterations | None = None
        self._makes: dict[int, f.Make] | None = None
        #: By number: what calls return, and what is made.
        self._results: dict[int, Path] = {}
        self._made: dict[int, Path] = {}
        #: Volatile variables that are not read again until the condition is evaluated.
        self.read_once: frozenset[str] = frozenset()

    def _this(self, function: f.Function) -> Path:
        """A lambda's ``this`` is the enclosing member function's."""
        home = self.program.home(function)
        return Path.of_this(home.usr if home is not None else function.usr)

    def result(self, call: int) -> Path:
        """Where the result of call number *call* is kept."""
        known = self._results.get(call)
        if known is None:
            known = self._results[call] = Path.of_made(self.function.usr, f"r{call}")
        return known

    def _few(self, found: Sequence[Path]) -> Paths:
        return few(found, self._cut)

    def made(self, make: int) -> Path:
        """The object that construction number *make* makes."""
        known = self._made.get(make)
        if known is None:
            known = self._made[make] = Path.of_made(self.function.usr, str(make))
        return known

    def of(self, value: f.Value | None, state: State) -> Paths:
        """The paths that *value* can mean; empty where nothing is known."""
        if value is None:
            return ()
        if isinstance(value, f.Var):
            return self._variable(value.usr, state)
        if isinstance(value, f.This):
            return self.read(self.this, state)
        if isinstance(value, f.Field):
            if value.usr in self.identities.vacant:
                return _NULL
            bases = self.of(value.base, state) or (UNKNOWN,)
            return self._each(bases, value.usr, state)
        if isinstance(value, f.Whole):
            found = [p.whole(value.usr) for p in self.of(value.base, state) if not p.is_plain]
            named = [p for p in found if p.root != UNKNOWN.root]
            return self._few([q for p in named for q in self.read(p, state)])
        if isinstance(value, f.Elem):
            bound = self.places(value, state)
            if bound:
                return self._few([q for p in bound for q in self.read(p, state)])
            if _is_list(value.base):
                return self.of(value.base, state)  # each of what is listed
            return self._each(self.of(value.base, state), self._step(value.index, state), state)
        if isinstance(value, f.Fn):
            bodies = self.program.body_of(value.usr)
            return tuple(Path.of_function(b) for b in bodies)
        if isinstance(value, f.Closure):
            return (Path.of_function(value.usr),)
        if isinstance(value, f.Result):
            return state.env.get(self.result(value.call), ())
        if isinstance(value, f.Made):
            made = self.made(value.make)
            return state.env.get(made, (made,))
        if isinstance(value, f.AnyOf):
            chosen = self.known(value.cond, state) if value.cond is not None else None
            if chosen is not None and len(value.values) == 2:
                return self.of(value.values[0 if chosen else 1], state)
            each = [self.of(v, state) for v in value.values]
            found = [p for paths in each for p in paths]
            if () in each and all(p.literal in _POINTERS for p in found):
                return ()  # null, or what nobody knows
            return self._few(found)
        if isinstance(value, f.Lit):
            return (Path.of_literal(value.text),) if value.text else ()
        if isinstance(value, f.Name):
            return self._named(value, state)
        if isinstance(value, (f.Not, f.Both, f.Compare, f.Less)):
            known = self.known(value, state)
            return () if known is None else (Path.of_literal("true" if known else "false"),)
        return (Path.of_literal("%"),) if value.text == "%" else self._bits(value, state)

    def _bits(self, value: f.Op, state: State) -> Paths:
        """``a & b`` or ``a | b`` of a constant and a number that is one, or a variable's own."""
        if value.text not in ("&", "|"):
            return ()
        sides = self.of(value.left, state), self.of(value.right, state)
        if len(sides[0]) != 1 or len(sides[1]) != 1 or not all(map(self._is_number, sides)):
            return ()
        found = bits.combined(value.text, sides[0][0], sides[1][0])
        return (found,) if found is not None else ()

    def _is_number(self, value: Paths) -> bool:
        base = mask_of(value[0])[0]
        own = base.is_variable and not base.steps
        return base.is_literal or (own and conditions.is_own_number(self.program, base.variable))

    def _index(self, index: f.Value | None, state: State) -> Paths:
        """Only numbers written down and remainders tell elements apart; variables change."""
        if isinstance(index, f.Op) and index.text == "%":
            return (Path.of_literal("%"),)  # the next one of a ring
        if isinstance(index, f.Var):
            return tuple(p for p in self.of(index, state) if p.literal == "%")
        return self.of(index, state) if isinstance(index, f.Lit) else ()

    def _step(self, index: f.Value | None, state: State) -> Element | ElementBy:
        """The step to the element of that *index*."""
        found = self.of(index, state) if isinstance(index, f.Var) else ()
        if len(found) == 1 and self.is_name(found[0]):
            return ElementBy(found[0].variable)
        return element(self._index(index, state))

    def is_name(self, path: Path) -> bool:
        """Whether *path* is a parameter that is an enumerator, and that nothing writes to.

        A number that is an index is compared with others; these have an order (see elements).
        """
        if self._constants is None:
            changed = {
                s.target.usr
                for s in f.walk(self.function.body)
                if isinstance(s, f.Assign | f.Written) and isinstance(s.target, f.Var)
            }
            self._constants = frozenset(
                usr
                for usr in self.steady.intersection(self.function.params) - changed
                if not conditions.is_counted(self.program, usr)
            )
        return not path.steps and path.variable in self._constants

    def read(self, path: Path, state: State) -> Paths:
        """What is stored at *path*, or *path* itself: the object of that name."""
        found = state.env.get(path)
        return found if found is not None else (path,)

    def _variable(self, usr: str, state: State) -> Paths:
        """What a variable holds; of a reference to a number, that number."""
        start = self.identities.starts.get(usr)
        if start is not None:
            return (Path.of_literal(start.text),)
        found = self.read(Path.of_variable(usr), state)
        refers = len(found) == 1 and found[0] in state.env
        if refers and self.program.type_of(usr).rstrip().endswith("&"):
            inner = state.env[found[0]]
            return inner if all(p.is_literal for p in inner) else found
        return found

    def places(self, value: f.Value, state: State) -> Paths:
        """Where *value* is kept: the variable or member, not what it stands for."""
        if isinstance(value, f.Var):
            path = Path.of_variable(value.usr)
            bound = state.env.get(path, ())
            refers = self.program.type_of(value.usr).rstrip().endswith("&")
            if refers and not any(p.is_literal for p in bound):
                return bound or (path,)
            return (path,)
        if isinstance(value, f.Field):
            return tuple(b.then(value.usr) for b in self.of(value.base, state) if not b.is_plain)
        return self._bound(value, state) if isinstance(value, f.Elem) else ()

    def _bound(self, value: f.Elem, state: State) -> Paths:
        """The member of an object that a name in ``auto &[a, b] = object`` stands for."""
        base, index = value.base, value.index
        variable = self.program.variables.get(base.usr) if isinstance(base, f.Var) else None
        if variable is None or not variable.name.startswith("[") or not isinstance(index, f.Lit):
            return ()
        found: list[Path] = []
        for path in self.of(base, state):
            known = self.program.classes.get(self.identities.class_of(path))
            if known is not None and int(index.text) < len(known.fields):
                found.append(path.then(known.fields[int(index.text)]))
        return tuple(found)

    def _each(self, bases: Paths, step: Step, state: State) -> Paths:
        found: list[Path] = []
        for base in bases:
            if base.is_plain:
                continue
            found.extend(self.read(base.then(step), state))
        return self._few(found)

    def _named(self, value: f.Name, state: State) -> Paths:
        if value.base is None:
            return self._unqualified(value.text, state)
        found: list[Path] = []
        for base in self.of(value.base, state):
            field = self.program.field(self.identities.class_of(base), value.text)
            if field is not None:
                found.extend(self.read(base.then(field), state))
        return self._few(found)

    def _unqualified(self, text: str, state: State) -> Paths:
        """A plain name that was read by its syntax: a member of the own class, or a global."""
        cls = self.identities.class_of(self.this)
        field = self.program.field(cls, text) if cls else None
        if field is not None:
            return self.read(self.this.then(field), state)
        usr = self.program.global_named(text, self.function.file)
        return self.read(Path.of_variable(usr), state) if usr is not None else ()

    # -- conditions -------------------------------------------------------------------------------

    def assume(self, condition: f.Value | None, truth: bool, state: State) -> State | None:
        """*state* with *condition* known to be *truth*; None where that cannot be."""
        after = self._assumed(condition, truth, state)
        return after if after is None or after.facts is state.facts else clauses.settled(after)

    def _assumed(self, condition: f.Value | None, truth: bool, state: State) -> State | None:
        if condition is None:
            return state
        if isinstance(condition, f.Not):
            return self.assume(condition.value, not truth, state)
        if isinstance(condition, f.Both):
            return self._assume_both(condition, truth, state)
        if isinstance(condition, f.AnyOf):
            return self._assume_chosen(condition, truth, state)
        if isinstance(condition, f.Compare) and _compared(condition) is None:
            condition = conditions.turned(condition)
            literal = _truth(condition.right)
            if literal is not None and self._is_flag(condition, state):
                return self.assume(condition.left, truth == (condition.equal == literal), state)
        known = self.known(condition, state)
        if known is not None:
            return state if known == truth else None
        if isinstance(condition, f.Compare):
            return conditions.compared(self, condition, truth, state)
        if isinstance(condition, f.Less):
            return conditions.ordered(self, condition, truth, state)
        key = self._key(condition, state)
        if key is None:
            return state
        if truth and any(h.undo == key for h in state.held):
            # A result that is not zero: the call that should have taken the lock failed.
            state = state.but(held=tuple(h for h in state.held if h.undo != key))
        if truth and isinstance(condition, f.Var) and self._is_pointer(condition.usr):
            state = _without_null(Path.of_variable(condition.usr), state)
        return state.but(facts={**state.facts, key: truth})

    def _is_flag(self, condition: f.Compare, state: State) -> bool:
        """Whether a comparison with 0, 1, true or false asks for the truth of the other side.

        Not being 1 makes only a flag 0.
        """
        if not isinstance(condition.right, f.Lit) or condition.right.text != "1":
            return True
        return self.truths.has(condition.left)

    def _assume_chosen(self, chosen: f.AnyOf, truth: bool, state: State) -> State | None:
        """``c ? a : b`` as a condition: only what both ways leave known is."""
        if chosen.cond is None or len(chosen.values) != 2:
            return state
        ways = []
        for way, value in ((True, chosen.values[0]), (False, chosen.values[1])):
            here = self.assume(chosen.cond, way, state)
            after = self.assume(value, truth, here) if here is not None else None
            if after is not None:
                ways.append(after)
        if len(ways) == 2:
            return state
        return ways[0] if ways else None

    def split(self, value: f.Value | None, state: State) -> list[State]:
        """*state*, or two of it where a condition decides what *value* is."""
        if not isinstance(value, f.AnyOf) or value.cond is None:
            return [state]
        ways = (self.assume(value.cond, truth, state) for truth in (True, False))
        return [w for w in ways if w is not None]

    def _assume_both(self, condition: f.Both, truth: bool, state: State) -> State | None:
        if condition.either != truth:  # a && b holds, or a || b does not: both sides are known
            whole = conditions.whole(self, condition, state)
            if whole is not None and state.facts.get(whole, truth) != truth:
                return None
            left = self.assume(condition.left, truth, state)
            return None if left is None else self.assume(condition.right, truth, left)
        left_known = self.known(condition.left, state)
        if left_known is not None and left_known != truth:
            return self.assume(condition.right, truth, state)
        right_known = self.known(condition.right, state)
        if right_known is not None and right_known != truth:
            return self.assume(condition.left, truth, state)
        whole = conditions.whole(self, condition, state)
        if whole is None:
            return state
        known = state.facts.get(whole)
        if known is None:
            return state.but(facts={**state.facts, whole: truth})
        return state if known == truth else None

    def known(self, condition: f.Value | None, state: State) -> bool | None:
        """The truth of *condition* where *state* decides it."""
        if condition is None:
            return None
        if isinstance(condition, f.Not):
            inner = self.known(condition.value, state)
            return None if inner is None else not inner
        literal = _truth(condition)
        if literal is None and isinstance(condition, f.Lit):
            literal = number_truth(condition.text)
        if literal is None and isinstance(condition, f.Compare):
            literal = _compared(condition)
        if literal is not None:
            return literal
        if isinstance(condition, f.Both):
            sides = self.known(condition.left, state), self.known(condition.right, state)
            if condition.either in sides:  # one true is enough for ||, one false for &&
                return condition.either
            if None not in sides:
                return not condition.either
            whole = conditions.whole(self, condition, state)
            return state.facts.get(whole) if whole is not None else None
        if isinstance(condition, f.Compare):
            equal = conditions.are_equal(self, condition, state)
            return self._known_bits(condition, state) if equal is None else equal
        if isinstance(condition, f.Less):
            return conditions.is_less(self, condition, state)
        if isinstance(condition, f.AnyOf):
            return self._chosen(condition, state)
        if isinstance(condition, f.Var | f.Field):
            if self._is_lock(condition):
                return True  # its address, which is tested for null
            if condition.usr in self.identities.vacant:
                return False
        key = self._key(condition, state)
        if key is not None and key in state.facts:
            return state.facts[key]
        if isinstance(condition, f.Op):
            told = self._tested(condition, state)
            if isinstance(told, bool):
                return told
        if isinstance(condition, (f.Var, f.Field, f.Result, f.Op)):
            pointer = isinstance(condition, f.Var | f.Field) and self._is_pointer(condition.usr)
            in_itself = isinstance(condition, f.Field)  # the next one of a node may be null
            truths = {
                True
                if pointer and not (in_itself and p.is_some_object) and self._is_object(p, state)
                else _is_true(p)
                for p in self.of(condition, state)
            }
            if len(truths) == 1:
                return truths.pop()
        return None

    def _known_bits(self, condition: f.Compare, state: State) -> bool | None:
        """The truth of ``(flags & bit) == 0`` where that of ``flags & bit`` is known."""
        condition = conditions.turned(condition)
        literal = _truth(condition.right)
        if literal is None or not isinstance(condition.left, f.Op):
            return None
        inner = self.known(condition.left, state) if self._is_flag(condition, state) else None
        return None if inner is None else inner == (condition.equal == literal)

    def _is_pointer(self, usr: str) -> bool:
        return self.program.type_of(usr).endswith("*")

    def _is_object(self, path: Path, state: State) -> bool:
        """Whether there is an object at *path*: a global one, which no pointer leads to, or one
        that has a lock that is held."""
        for held in state.held:
            if isinstance(held.path, Path) and held.path != path and held.path.is_within(path):
                return True
        variable = self.program.variables.get(path.variable) if path.is_variable else None
        if path.steps or variable is None or variable.kind not in ("global", "static", "member"):
            return False
        return not self.program.is_indirect(variable.type)

    def _is_lock(self, value: f.Var | f.Field) -> bool:
        """Whether a variable is a lock itself, and no pointer or reference to one."""
        spelling = self.program.type_of(value.usr).removeprefix("const ")
        return bool(spelling) and self.identities.is_lock_type(spelling)

    def _chosen(self, chosen: f.AnyOf, state: State) -> bool | None:
        if chosen.cond is None or len(chosen.values) != 2:
            return None
        which = self.known(chosen.cond, state)
        if which is not None:
            return self.known(chosen.values[0 if which else 1], state)
        both = {self.known(v, state) for v in chosen.values}
        return both.pop() if len(both) == 1 else None

    @property
    def steady(self) -> frozenset[str]:
        """Local numbers that only statements of the function change."""
        if self._steady is None:
            self._steady = conditions.steady(self.program, self.function)
        return self._steady

    @property
    def unmoved(self) -> frozenset[str]:
        """Pointers that have one value."""
        if self._unmoved is None:
            self._unmoved = conditions.unmoved(self.program, self.function)
        return self._unmoved

    @property
    def truths(self) -> Truths:
        """The values that are either 0 or 1."""
        if self._truths is None:
            self._truths = Truths(self.program, self.function)
        return self._truths

    @property
    def evaluations(self) -> Evaluations:
        """Which branches evaluate one condition together."""
        if self._evaluations is None:
            self._evaluations = Evaluations(self.function, self.is_volatile)
        return self._evaluations

    @property
    def iterations(self) -> Iterations:
        """Which loops go over all of a container by an iterator."""
        if self._iterations is None:
            self._iterations = Iterations(self.program, self.function)
        return self._iterations

    def origin(self, value: f.Value) -> f.Value:
        """What a value is a copy of, or a conversion, where it is made of that alone."""
        while isinstance(value, f.Made):
            made = self.makes.get(value.make)
            if made is None or len(made.args) != 1:
                break
            value = made.args[0]
        return value

    @property
    def calls(self) -> dict[int, f.Call]:
        """The function's calls, by number."""
        if self._calls is None:
            statements = f.walk(self.function.body)
            self._calls = {c.id: c for c in statements if isinstance(c, f.Call)}
        return self._calls

    @property
    def makes(self) -> dict[int, f.Make]:
        """The objects that the function makes, by number."""
        if self._makes is None:
            statements = f.walk(self.function.body)
            self._makes = {m.id: m for m in statements if isinstance(m, f.Make)}
        return self._makes

    @property
    def loops(self) -> int:
        """How many loops the function has."""
        if self._loops is None:
            self._loops = sum(isinstance(s, f.Loop) for s in f.walk(self.function.body))
        return self._loops

    def repeats(self, loop: f.Loop, state: State) -> Repeated | None:
        """What decides how often a counting or range loop goes round, as a key for facts.

        Two loops with one key go round equally often: ``for (i = 0; i < n; ...)`` twice.
        """
        cond = loop.cond
        if isinstance(cond, f.Not) and isinstance(cond.value, f.Less):  # i <= n
            cond = f.Less(cond.value.right, cond.value.left)
        if isinstance(cond, f.Less):
            start = self.of(cond.left, state)
            over = self._measured(cond.right, state)
            literal = len(start) == 1 and start[0].is_literal
            return Repeated(start[0], over) if literal and over else None
        first = loop.body.body[0] if cond is None and loop.body.body else None
        element: f.Value | None = None
        if isinstance(first, f.Make) and first.args:
            element = first.args[0]
        elif isinstance(first, f.Local):
            element = first.value
        if isinstance(element, f.Elem) and element.index is None:
            over = self._measured(element.base, state)
            return Repeated(None, over) if over else None
        return None

    def is_volatile(self, usr: str) -> bool:
        """Whether a variable's value may change at any time."""
        variable = self.program.variables.get(usr)
        return (
            variable is not None
            and variable.kind not in ("local", "param")
            and variable.type.startswith("volatile ")
        )

    def _may_have_changed(self, usr: str) -> bool:
        """Whether a variable may be another at every reading, and is read anew."""
        return self.is_volatile(usr) and usr not in self.read_once

    def _measured(self, value: f.Value | None, state: State) -> Measure:
        """A variable, or a call on one or of one (``v.size()``, ``range(n)``)."""
        if isinstance(value, (f.Var, f.Field)):
            paths = self.of(value, state)
            known = len(paths) == 1 and paths[0].is_object
            return paths if known else ()
        if isinstance(value, f.Result):
            call = self.calls.get(value.call)
            if call is None or not isinstance(call.target, f.Fn):
                return ()
            given = [*([call.target.base] if call.target.base is not None else ()), *call.args]
            inner = self._measured(given[0], state) if len(given) == 1 else ()
            return (call.target.usr, *inner) if inner else ()
        return ()

    def term(self, value: f.Value | None, state: State) -> Term | None:
        """What *value* is called in facts: a literal, what it stands for, or a place."""
        if isinstance(value, f.Lit):
            return conditions.plain(Path.of_literal(value.text)) if value.text else None
        if isinstance(value, f.This):
            found = self.of(value, state)
            return found[0] if len(found) == 1 else None
        if isinstance(value, (f.Var, f.Field, f.Result, f.Op)):
            found = self.of(value, state)
            if len(found) == 1 and conditions.is_decided(found[0]):
                return conditions.plain(found[0])
        return self._key(value, state) if value is not None else None

    def _key(self, condition: f.Value, state: State) -> Term | None:
        if isinstance(condition, f.Result):
            result = self.result(condition.call)
            same = state.env.get(result, ())
            if len(same) == 1 and result not in state.facts and _is_object(same[0]):
                return same[0]  # operator bool of a smart pointer
            return result
        if isinstance(condition, (f.Var, f.Field, f.Elem)):
            if not isinstance(condition, f.Elem) and self._may_have_changed(condition.usr):
                return None
            paths = self.of(condition, state)
            if isinstance(condition, f.Var) and conditions.is_copy(self.program, condition, paths):
                return Path.of_variable(condition.usr)
            if len(paths) == 1 and _is_returned(paths[0]):
                # What a call returned this time; the next one may return something else.
                return Path.of_variable(condition.usr) if isinstance(condition, f.Var) else None
            if len(paths) == 1 and not paths[0].is_literal:
                return paths[0]
            if len(paths) > 1 and isinstance(condition, f.Var):
                return Path.of_variable(condition.usr)  # one of several, or null
        if isinstance(condition, f.Name) and condition.whole:
            return Path.of_variable(condition.whole)
        if isinstance(condition, f.Op):
            told = self._tested(condition, state)
            return None if isinstance(told, bool) else told
        return None

    def _tested(self, condition: f.Op, state: State) -> bool | Operation | None:
        """Whether an operation on bits gives any: as far as that is known, or what it is called."""
        left, right = self.term(condition.left, state), self.term(condition.right, state)
        if condition.text == "&":
            found = self._bits(condition, state)
            if found and found[0].is_literal:
                return number_truth(found[0].literal)
            if found and found[0].is_masked and mask_of(found[0])[2]:
                return True
            left = self._whole(condition.left, state) or left
            right = self._whole(condition.right, state) or right
            return bits.test(left, right, state) if left is not None and right is not None else None
        if left is None or right is None:
            return None
        return Operation(condition.text, left, right)

    def _whole(self, value: f.Value, state: State) -> Path | None:
        """A number with bits of its own, as a path."""
        found = self.of(value, state) if isinstance(value, (f.Var, f.Op)) else ()
        return found[0] if len(found) == 1 and found[0].is_masked else None


def _is_list(value: f.Value) -> bool:
    """Whether it is a list as it is written: ``{a, b}``."""
    return isinstance(value, f.AnyOf) and not value.fields and value.cond is None


def _is_returned(path: Path) -> bool:
    """Whether a path is what a function without a body returned."""
    return path.is_returned or any(isinstance(s, Got) for s in path.steps[-1:])


def _is_object(path: Path) -> bool:
    return path.is_object and not _is_returned(path)


def forget(state: State, path: Path) -> State:
    """Drop the facts that an assignment to *path* makes void."""
    stale = [fact for fact in state.facts if is_void(fact, path)]
    if any(h.undo == path for h in state.held):  # another call's status from now on
        held = tuple(h._replace(undo=None) if h.undo == path else h for h in state.held)
        state = state.but(held=held)
    return state.without(stale)


def _compared(condition: f.Compare) -> bool | None:
    """The truth of a comparison of two numbers that are written down."""
    left, right = condition.left, condition.right
    if not (isinstance(left, f.Lit) and isinstance(right, f.Lit)):
        return None
    numbers_of = numbers.number_of(left.text), numbers.number_of(right.text)
    if None in numbers_of or any(v.text in _POINTERS for v in (left, right)):
        return None
    return (numbers_of[0] == numbers_of[1]) == condition.equal


def _truth(value: f.Value) -> bool | None:
    return truth_of(value.text) if isinstance(value, f.Lit) else None


def truth_of(text: str) -> bool | None:
    """The truth of a literal by its text, where it is one of the usual."""
    if text in _TRUE:
        return True
    return False if text in _FALSE else None


def number_truth(literal: str) -> bool | None:
    """Whether a number, a flag or a null pointer counts as true."""
    number = numbers.number_of(literal)
    return None if number is None else number != 0


def _is_true(path: Path) -> bool | None:
    if path.is_masked and mask_of(path)[2]:
        return True
    return number_truth(path.literal) if path.is_literal else None


def _without_null(pointer: Path, state: State) -> State:
    """*state* in which *pointer*, which may be null or lead to objects, leads to one of these."""
    value = state.env.get(pointer, ())
    objects = tuple(p for p in value if not p.is_literal)
    return state.with_value(pointer, objects) if 0 < len(objects) < len(value) else state
