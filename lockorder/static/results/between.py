"""How the objects of two locks are related that one thread takes one after the other.

Both locks are parts of one object, or the second one's object is reached from the first one's over
members that lead to younger objects only (`program/younger`): the children of a tree.  Where the
object is known by a name of a callee, its text says where that comes from, and the call chain what
the callee's parameters are.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lockorder.model import Between
from lockorder.static.interp.collected import Emitted
from lockorder.static.interp.engine import Engine
from lockorder.static.interp.summary import Site
from lockorder.static.parse import facts as f
from lockorder.static.program import roots
from lockorder.static.program.ages import Age, Text, leads_nowhere
from lockorder.static.program.paths import Path
from lockorder.static.program.steady import first_steady
from lockorder.static.program.steps import ELEMENT, Step, Steps, Whole, is_element, member

#: The root of a way that begins at the object of a method.
_THIS = "this"
_SAME = Between(same=True)


class _Way(NamedTuple):
    """Where something is, as the text of a function says: a variable, and the steps from there.

    *again* are the steps that a loop goes on by, from one element of a list to the next.
    """

    root: str
    steps: Steps = ()
    again: Steps = ()


class Relations:
    """Answers for the orders of one analysis."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._program = engine.program
        self._younger = engine.younger
        #: by call, callee and parameter: where what is handed over is
        self._ways: dict[tuple[str, int, int, str, str], _Way | None] = {}
        #: by call: where the one object that it is handed is
        self._only: dict[tuple[str, int, int], _Way | None] = {}
        self._ages: dict[tuple[Steps, Steps], tuple[Age, str]] = {}

    def of(self, emitted: Emitted) -> Between | None:
        """How the two objects of an order are related; None where nobody can say."""
        both = emitted.order.locks
        if both is None or any(p.is_some_object and not p.steps for p in both):
            return None
        held, taken = map(self._whole, both)
        if held == taken:
            return _SAME if self._is_one(emitted.function, held) else None
        site = self._engine.handed_on.filled(emitted.order.taken.site)
        first = self._way(emitted.function, held, site)
        second = self._way(emitted.function, taken, site)
        if second is None and both[1].last:
            second = self._by_text(emitted.function, both[1].last, site)
        if first is None or second is None or first.again or first.root != second.root:
            return None
        before = self._outside(first.steps)
        number = len(before)
        if second.steps[:number] != before:
            return None
        below = second.steps[number:], second.again
        if below not in self._ages:
            self._ages[below] = self._descends(*below)
        age, home = self._ages[below]
        if age is Age.OLD:
            return None
        name = self._program.variables[home].name
        if age is Age.NEW:
            return Between(why=f"{name} leads to objects that were made after those they are in")
        why = f"an object would have to be in its own {name}, over others perhaps"
        return Between(why=why, sure=False)

    def _whole(self, path: Path) -> Path:
        """The object that *path* is a part of, as far as members are parts of it."""
        return Path(path.root, self._outside(path.steps))

    def _outside(self, steps: Steps) -> Steps:
        """*steps* to an object, without those that lead on to its parts, or to what it lies in."""
        while steps:
            last = steps[-1]
            part = member(last)
            if not isinstance(last, Whole) and (not part or not self._is_part(part)):
                break
            steps = steps[:-1]
        return steps

    def _is_part(self, usr: str) -> bool:
        """Whether a member lies in its object, and does not only lead to another."""
        spelling = self._program.type_of(usr)
        return bool(spelling) and not (
            self._program.is_indirect(spelling) or self._is_container(spelling)
        )

    def _is_container(self, spelling: str) -> bool:
        name, arguments = self._program.split(spelling)
        return bool(arguments) and name not in self._program.classes

    def _is_one(self, function: str, whole: Path) -> bool:
        """Whether *whole* is one object for as long as *function* runs."""
        if whole.is_some_object or isinstance(whole.root, roots.Unknown):
            return False
        if first_steady(self._engine.identities.steady, whole.steps):
            return False
        variable = self._program.variables.get(whole.variable)
        if variable is None or variable.kind not in ("local", "param"):
            return True
        body = self._program.functions.get(variable.owner)
        if body is None:
            return False
        text = self._younger.text(body.usr)
        given = len(text.given.get(variable.usr, ())) + len(text.lent.get(variable.usr, ()))
        return given <= (variable.kind == "local")

    # -- where an object comes from ---------------------------------------------------------------

    def _way(self, function: str, path: Path, site: Site) -> _Way | None:
        """Where *path* is, in the terms of *function*, from where *site* is a call chain."""
        root = path.root
        if isinstance(root, roots.This):
            owner, way = root.key, _Way(_THIS)
        elif isinstance(root, roots.Variable):
            variable = self._program.variables.get(root.key)
            if variable is None:
                return None
            owner = variable.owner if variable.kind in ("local", "param") else function
            found = self._of(owner, f.Var(root.key), ()) if owner else None
            if found is None:
                return None
            way = found
        else:
            return None
        found = self._in_caller(function, owner, way, site)
        return None if found is None else self._on(found, path.steps)

    def _by_text(self, function: str, lock: str, site: Site) -> _Way | None:
        """Where the object with the member *lock* is, by what the calls of a chain are handed.

        It is asked where the walk of the function had more objects than it can tell apart.
        """
        *_, last = site.along()
        if last.function not in self._program.functions:
            return None
        place = last.function, last.line, last.column
        if place not in self._only:
            self._only[place] = self._only_object(*place)
        found = self._only[place]
        found = found and self._in_caller(function, last.function, found, site)
        if found is None or lock not in found.steps:
            return None
        return found._replace(steps=found.steps[: found.steps.index(lock)])

    def _only_object(self, function: str, line: int, column: int) -> _Way | None:
        """Where the one object is that is handed to what is called at a place of *function*."""
        text = self._younger.text(function)
        calls: list[f.Call | f.Make] = [*text.calls.values(), *text.makes.values()]
        handed = [
            a
            for call in calls
            if (call.line, call.column) == (line, column)
            for a in _arguments(call)
            if not leads_nowhere(self._program, a)
        ]
        return self._of(function, handed[0], ()) if len(handed) == 1 else None

    def _on(self, way: _Way, steps: Steps) -> _Way:
        """*way*, and *steps* from there."""
        for step in steps:
            way = way._replace(steps=_then(way.steps, step))
        return way

    def _in_caller(self, function: str, owner: str, way: _Way, site: Site) -> _Way | None:
        """*way*, which begins in *owner*, in the terms of *function*, which calls that."""
        chain = list(site.along())
        while owner != function:
            variable = self._program.variables.get(way.root)
            if variable is not None and variable.kind not in ("local", "param"):
                return way
            places = [n for n, here in enumerate(chain) if here.function == owner]
            if len(places) != 1 or places[0] == 0:
                return None
            caller = chain[places[0] - 1]
            found = self._given(caller, owner, way)
            if found is None:
                return None
            owner, way = caller.function, found
        return way

    def _given(self, caller: Site, callee: str, way: _Way) -> _Way | None:
        """What a call hands over for what *way* begins at in its callee."""
        key = caller.function, caller.line, caller.column, callee, way.root
        if key not in self._ways:
            self._ways[key] = self._handed(*key)
        found = self._ways[key]
        if found is None or (found.again and way.again):
            return None
        return self._on(found, way.steps)._replace(again=found.again or way.again)

    def _handed(self, function: str, line: int, column: int, callee: str, root: str) -> _Way | None:
        """Where, in *function*, that is which a call hands over for *root* of *callee*."""
        body = self._program.functions.get(callee)
        if body is None or function not in self._program.functions:
            return None
        text = self._younger.text(function)
        values = []
        for call in text.calls.values():
            if (call.line, call.column) != (line, column):
                continue
            if callee not in (self._younger.targets(text, call) or ()):
                continue
            target = call.target
            if root == _THIS:
                values.append(target.base if isinstance(target, f.Fn | f.Name) else None)
            elif root in body.params:
                at = body.params.index(root)
                values.append(call.args[at] if at < len(call.args) else None)
        if len(values) != 1 or values[0] is None:
            return None
        return self._of(function, values[0], ())

    def _of(self, function: str, value: f.Value, seen: tuple[str, ...]) -> _Way | None:
        """Where *value* of a function is; a variable in *seen* is where that begins itself."""
        if isinstance(value, f.This):
            return _Way(_THIS)
        if isinstance(value, f.Field | f.Whole | f.Elem):
            found = self._of(function, value.base, seen)
            if found is None or (found.again and found.root in seen):
                return None
            step: Step = ELEMENT
            if isinstance(value, f.Field):
                step = value.usr
            elif isinstance(value, f.Whole):
                step = Whole(value.usr)
            return found._replace(steps=_then(found.steps, step))
        if isinstance(value, f.Result):
            return self._returned(function, value, seen)
        if isinstance(value, f.Var):
            return self._variable(function, value.usr, seen)
        return None

    def _returned(self, function: str, value: f.Result, seen: tuple[str, ...]) -> _Way | None:
        """An element of a container, or what a smart pointer leads to."""
        call = self._younger.text(function).calls.get(value.call)
        target = call.target if call is not None else None
        if not isinstance(target, f.Fn) or target.base is None:
            return None
        if self._program.body_of(target.usr):
            return None
        method = self._program.name_of(target.usr).rpartition("::")[2]
        found = self._of(function, target.base, seen)
        known = self._engine.knowledge
        if found is None or method in known.same_methods:
            return found
        return self._on(found, (ELEMENT,)) if method in known.element_methods else None

    def _variable(self, function: str, usr: str, seen: tuple[str, ...]) -> _Way | None:
        if usr in seen:
            return _Way(usr)
        variable = self._program.variables.get(usr)
        if variable is None or variable.kind != "local" or variable.owner != function:
            return _Way(usr)
        text = self._younger.text(function)
        given = [v for v in text.given.get(usr, ()) if not isinstance(v, f.Lit)]
        if text.lent.get(usr):
            return _Way(usr) if not given else None
        return self._joined(function, text, usr, given, (*seen, usr))

    def _joined(
        self,
        function: str,
        text: Text,
        usr: str,
        given: Sequence[f.Value | None],
        seen: tuple[str, ...],
    ) -> _Way | None:
        """The one way that all values of a local go, but those that go on from itself."""
        ways: dict[_Way | None, None] = {}
        again: dict[Steps, None] = {}
        for value in given:
            found = self._of(function, value, seen) if value is not None else None
            if found is not None and found.root == usr:
                again[found.steps] = None
            else:
                ways[found] = None
        if len(ways) != 1 or len(again) > 1:
            return _Way(usr) if not again and len(given) == 1 else None
        (way,) = ways
        if way is None:
            return _Way(usr) if len(given) == 1 else None
        if way.root in seen[:-1] or (way.again and again):
            return None
        return way._replace(again=next(iter(again), way.again))

    # -- whether a way leads down -----------------------------------------------------------------

    def _descends(self, steps: Steps, again: Steps) -> tuple[Age, str]:
        """Whether *steps* from an object lead to a younger one, and by which member first."""
        found, home, parts = Age.NEW, "", list[str]()
        listed: Step = ""
        for step in steps:
            usr = member(step)
            if isinstance(step, Whole):
                if not listed and self._is_list(home):
                    found = min(found, self._younger.listed(step.key, home))
                listed, parts = listed or (step if home else ""), []
            elif usr and self._is_part(usr):
                parts.append(usr)
            elif usr:
                age, through = self._hop(usr, parts, home)
                found, home, parts = min(found, age), home or through, []
            if found is Age.OLD:
                return Age.OLD, ""
        if not home:
            return Age.OLD, ""
        if not listed and self._is_list(home):
            found = min(found, Age.PERHAPS)  # what is linked beside an element is not looked at
        if again and not self._is_next(again, listed):
            return Age.OLD, ""
        return found, home

    def _hop(self, usr: str, parts: list[str], home: str) -> tuple[Age, str]:
        """What a pointer, or a container, leads to, by itself or as the head of a list."""
        ways = [(self._younger.of(usr), usr)]
        for part in reversed(parts):
            if self._is_within(usr, part):
                ways.append((self._younger.of(part), part))
        if home:
            ways.append((self._younger.hands_on(usr, home), home))
        return max(ways, key=lambda w: w[0])

    def _is_list(self, home: str) -> bool:
        """Whether a member is the head of a list, and no pointer or container."""
        return bool(home) and self._is_part(home)

    def _is_within(self, usr: str, part: str) -> bool:
        """Whether a pointer is one of a list's own: of the class that the member *part* is."""
        cls = self._program.variables[usr].name.rpartition("::")[0]
        return self._program.split(self._program.type_of(part))[0] == cls

    def _is_next(self, again: Steps, listed: Step) -> bool:
        """Whether a loop goes on to the next element of the list that it is in."""
        if len(again) != 3 or not isinstance(listed, Whole):
            return False
        entry, link, back = again
        held, pointer = member(entry), member(link)
        if back != listed or listed.key != held or not pointer:
            return False
        return self._is_within(pointer, held)


def _arguments(call: f.Call | f.Make) -> list[f.Value]:
    """What a call gets, the object that it is called on included."""
    target = call.target if isinstance(call, f.Call) else None
    base = target.base if isinstance(target, f.Fn | f.Name) else None
    return [base, *call.args] if base is not None else call.args


def _then(steps: Steps, step: Step) -> Steps:
    """*steps* and *step*; from a member to the object that it is one of is the way back."""
    if isinstance(step, Whole) and steps and steps[-1] == step.key:
        return steps[:-1]
    if is_element(step) and steps and is_element(steps[-1]):
        return steps
    return (*steps, step)
