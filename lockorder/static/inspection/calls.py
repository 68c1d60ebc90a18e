"""How a call's targets were found, or what is missing where none was.

This tells the steps of ``interp/calls`` in their order; what the walk did there is taken from what
was watched.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lockorder.bounds import NAMESAKES
from lockorder.knowledge import Knowledge
from lockorder.static.inspection.names import Names
from lockorder.static.inspection.view import CallView, Candidate
from lockorder.static.inspection.watch import Followed, WatchedEngine
from lockorder.static.parse import facts as f
from lockorder.static.program.paths import Path

#: Bodies of other shapes that are named.
_NAMED = 4


def call_of(engine: WatchedEngine, usr: str, call: f.Call, names: Names) -> CallView:
    """What is known of one call of the watched function *usr*."""
    return _Asked(engine, usr, call, names).view()


def known_as(knowledge: Knowledge, name: str) -> tuple[str, ...]:
    """What the knowledge files and the configuration say of a function, by its qualified name."""
    if not name:
        return ()
    cls, _, method = name.rpartition("::")
    operation = knowledge.operation(cls, method) if cls else None
    blocks = knowledge.blocks.get(name)
    said = {
        "it never returns": name in knowledge.never_returns,
        "it always throws": name in knowledge.throws,
        "it keeps what it is given, for a library to call": name in knowledge.registers,
        "it runs what a library has kept": name in knowledge.runs,
        "it binds functions to an interpreter": name in knowledge.binders,
        "it waits on a condition": name in knowledge.waits,
        "it wakes who waits": name in knowledge.notifies,
        "it runs its callable once": name in knowledge.onces,
        "it takes or releases a lock": name in knowledge.functions,
        f"it waits for {blocks.waits_for if blocks is not None else ''}": blocks is not None,
        "it is a collective": name in knowledge.collectives,
        "it begins a group": name in knowledge.group_begin,
        "it ends a group": name in knowledge.group_end,
        "it starts a thread": name in knowledge.starters,
        "what it returns is its first argument": name in knowledge.same_functions,
        **{
            f"what it returns is its first argument, as of {space}{name}": (
                not cls and f"{space}{name}" in knowledge.same_functions
            )
            for space in knowledge.namespaces
        },
        "it keeps a callable and does not run it": name in knowledge.keepers,
        "it is a macro that may leave the function": name in knowledge.checks,
        f"a method of a lock or guard: {operation.what if operation is not None else ''}": (
            operation is not None
        ),
    }
    return tuple(text for text, is_so in said.items() if is_so)


class _Asked:
    def __init__(self, engine: WatchedEngine, usr: str, call: f.Call, names: Names) -> None:
        self._engine = engine
        self._program = engine.program
        self._usr = usr
        self._call = call
        self._names = names
        self._here = engine.program.functions[usr]
        place = (call.line, call.column)
        #: In a macro all that is written has one place.
        self._alone = (
            sum(
                isinstance(s, (f.Call, f.Make)) and (s.line, s.column) == place
                for s in f.walk(self._here.body)
            )
            == 1
        )
        self._followed = [x for x in engine.watched.followed.get(usr, ()) if x.site[1:3] == place]

    def view(self) -> CallView:
        target = self._call.target
        bodies: Sequence[str]
        text = f"{self._names.value(target, self._here).rstrip('?')}()"
        if isinstance(target, f.Fn):
            text = f"{self._program.name_of(target.usr)}()"
            how, bodies, missing = self._declared(target)
        elif isinstance(target, f.Name):
            how, bodies, missing = self._by_name(target)
        else:
            how, bodies, missing = self._through_value(target)
        if not self._alone:
            self._followed = [x for x in self._followed if x.callee in bodies]
        known = known_as(self._engine.knowledge, self._name())
        resolved = (self._usr, self._call.id) in self._engine.watched.resolved
        if known and not any(not x.inner for x in self._followed):
            how, missing, resolved = "by what is known of its library", "", True
        return CallView(
            text,
            self._call.line,
            self._call.column,
            how,
            resolved,
            tuple(self._candidates(bodies)),
            known,
            missing if not self._followed else "",
            bool(self._engine.watched.at(self._usr, self._call)),
        )

    def _name(self) -> str:
        """The qualified name that knowledge goes by."""
        target = self._call.target
        if not isinstance(target, f.Name) or target.base is None:
            return self._program.called(self._call)
        walk = self._engine.watched.walks.get(self._usr)
        for visit in self._engine.watched.at(self._usr, self._call) if walk is not None else ():
            for state in visit.before if walk is not None else ():
                bases = walk.values.of(target.base, state) if walk is not None else ()
                cls = self._engine.identities.class_of(bases[0]) if bases else ""
                if cls:
                    return f"{cls}::{target.text}"
        return self._program.called(self._call)

    def _candidates(self, bodies: Iterable[str]) -> Iterable[Candidate]:
        first: dict[str, Followed] = {}
        for each in self._followed:
            first.setdefault(each.callee, each)
        for usr in dict.fromkeys((*bodies, *first)):
            function = self._program.functions.get(usr)
            file = self._names.relative(function.file) if function is not None else ""
            seen = first.get(usr)
            why = seen.why if seen is not None else ""
            if seen is not None and seen.inner:
                why = "called inside, by what is called here"
            elif seen is None and self._followed:
                why = why or "not what this object can be"
            line = function.line if function is not None else 0
            yield Candidate(self._names.function(usr), file, line, seen is not None, why)

    # -- by its declaration -----------------------------------------------------------------------

    def _declared(self, target: f.Fn) -> tuple[str, list[str], str]:
        bodies = list(self._program.body_of(target.usr))
        how = "its declaration names it"
        if bodies and target.usr not in bodies:
            how = (
                "by name and number of parameters: the declaration that was read here differs from "
                "the one with the body, as where a header is missing"
            )
        over = self._program.overriders(target.usr) if self._call.virtual else []
        if over:
            how += ", or what overrides it"
        bodies += [u for u in over if u not in bodies]
        if not bodies and self._program.is_standard(target.usr):
            return f"{how}: the standard library's, and nothing is said of its locks", [], ""
        return how, bodies, "" if bodies else self._without_body(target)

    def _without_body(self, target: f.Fn) -> str:
        name = self._program.name_of(target.usr)
        other = self._program.named(name)
        if other:
            places = "; ".join(
                f"{self._names.at(u)} with {len(self._program.functions[u].params)}"
                for u in other[:_NAMED]
            )
            return f"bodies of that name have other numbers of parameters: {places}"
        if self._call.virtual:
            return "it is pure virtual, or its body was not read, and no class read overrides it"
        return (
            "its declaration was read and no body: it is defined outside of the PATHS that were "
            "read, or in a library, and is taken to do nothing to locks"
        )

    # -- by name alone ----------------------------------------------------------------------------

    def _by_name(self, target: f.Name) -> tuple[str, list[str], str]:
        cls = None if target.base is None else self._name().rpartition("::")[0]
        count = len(self._call.args)
        if cls and (bodies := list(self._program.of_class(target.text, cls, count))):
            how = (
                f"by the object's class, {cls}: in a template it depends on the arguments, "
                "elsewhere no declaration of it was read"
            )
            return how, bodies, ""
        bodies = list(self._program.by_bare_name(target.text, cls, count))
        how = (
            "by name alone: in a template it depends on the arguments, elsewhere no declaration of "
            "it was read (a header that is missing?)"
        )
        if target.base is not None:
            how += f"; the object's class is {cls}" if cls else "; the object's class is not known"
        return how, bodies, "" if bodies else self._unfit(target.text, cls)

    def _unfit(self, text: str, cls: str | None) -> str:
        """Which condition leaves no body of that name (those of ``Program.by_bare_name``)."""
        last, count = text.rpartition("::")[2], len(self._call.args)
        if not last:
            return "its name was not read"
        here = [
            x
            for x in self._program.functions.values()
            if x.name.rpartition("::")[2] == last and x.kind != "lambda"
        ]
        if not here:
            return f"no body that was read is called {last}"
        family = self._program.family(cls) if cls else set[str]()
        steps: list[tuple[str, Callable[[f.Function], bool]]] = [
            (f"none is called {text} in full", lambda x: x.name.endswith(text)),
            (
                "none is a method" if cls is not None else "all are methods of objects",
                lambda x: bool(x.cls) if cls is not None else not x.cls or x.static,
            ),
            (
                f"none is a method of {cls}, or of a class above or below it",
                lambda x: not cls or x.cls in family,
            ),
            (f"none has {count} parameters", lambda x: len(x.params) >= count),
        ]
        for why, fits in steps:
            left = [x for x in here if fits(x)]
            if not left:
                return f"{why}; of that name there {_are(len(here))} {self._listed(here)}"
            here = left
        return (
            f"{len(here)} fit, too many to follow (more than {NAMESAKES.limit}, or than one of a "
            f"usual name where the object's class is not known): {self._listed(here)}"
        )

    def _listed(self, functions: Sequence[f.Function]) -> str:
        named = "; ".join(sorted(self._names.at(x.usr) for x in functions)[:_NAMED])
        return named + (f" and {len(functions) - _NAMED} more" if len(functions) > _NAMED else "")

    # -- through a pointer, a std::function, a lambda ---------------------------------------------

    def _through_value(self, target: f.Value) -> tuple[str, Sequence[str], str]:
        node = self._engine.points_to.node(self._here, target)
        stored = self._engine.points_to.functions(node) if node is not None else ()
        what = self._names.value(target, self._here)
        paths = self._paths(target)
        if any(not p.steps and self._engine.is_parameter(p) for p in paths):
            how = f"{what} is a parameter: each caller says what it hands over"
            return how, stored, "" if stored else "no caller that was read hands over a function"
        if stored or not paths:
            how = f"a value is called: what is stored in {what} anywhere (points-to)"
        else:
            how = f"a value is called: {' or '.join(map(self._names.path, paths))}"
        missing = "" if stored else f"nothing that was read stores a function in {what}"
        return how, stored, missing

    def _paths(self, target: f.Value) -> list[Path]:
        walk = self._engine.watched.walks.get(self._usr)
        if walk is None:
            return []
        return list(
            dict.fromkeys(
                path
                for visit in self._engine.watched.at(self._usr, self._call)
                for state in visit.before
                for path in walk.values.of(target, state)
            )
        )


def _are(number: int) -> str:
    return "is" if number == 1 else "are"
