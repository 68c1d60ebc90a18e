"""Names of locks: the only place that decides what counts as the same lock.

A path says which object is meant; a lock is named by the variable or member that it ends in, and
told apart from others of that class by its object, as far as it is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

import msgspec

from lockorder.knowledge import Knowledge
from lockorder.model import Instance, Lock, LockKind
from lockorder.static.parse import facts as f
from lockorder.static.parse.declarations import Variable, is_python
from lockorder.static.parse.names import substituted
from lockorder.static.program import arguments, roots
from lockorder.static.program.effects import Wait, What
from lockorder.static.program.link import Program
from lockorder.static.program.paths import Path, Paths
from lockorder.static.program.places import variables_of
from lockorder.static.program.pointsto import PointsTo
from lockorder.static.program.roots import Root
from lockorder.static.program.steady import Steady, first_steady
from lockorder.static.program.steps import (
    GUARDED,
    LOCKED,
    RUNS,
    Element,
    ElementBy,
    Ends,
    Method,
    Steps,
    Whole,
    is_element,
    member,
)
from lockorder.static.program.wrappers import Wrappers

_WORD = re.compile(r"[A-Za-z_]\w*")
#: Of a name: where it stands.
_QUALIFIER = re.compile(r"(?:\b(?:class|struct|enum|union) |\b\w+::)")
#: Inline namespaces of the standard libraries, in a USR.
_INLINE = re.compile(r"@N@(?:__cxx11|__1|__2|_V2|__ndk1|__debug|__8)(?=@)")


def _owner(place: str) -> str:
    """*place* as a result names it: the same with any standard library."""
    return _INLINE.sub("", place)


class Identified(NamedTuple):
    """A lock class and, as far as it is known, which object of it."""

    lock: str
    instance: Instance | None


class Identities:
    """Names locks.  The only place that decides what counts as the same lock."""

    def __init__(
        self,
        program: Program,
        knowledge: Knowledge,
        points_to: PointsTo,
        wrappers: Wrappers | None = None,
    ) -> None:
        self._wrappers = wrappers
        self._inside = wrappers.inside if wrappers is not None else {}
        self._on_another = wrappers.on_another if wrappers is not None else {}
        self._rivals = wrappers.rivals if wrappers is not None else {}
        #: members that are no lock of their own
        self._leads_on = frozenset((*self._inside, *self._on_another))
        self._program = program
        self._knowledge = knowledge
        self._points_to = points_to
        self.locks: dict[str, Lock] = {}
        #: those for which tasks wait, and never their thread
        self.of_tasks: set[str] = set()
        #: threads of pools, and whether a pool has "one" or "several"
        self.workers: dict[str, str] = {}
        self._known: dict[Path, tuple[Identified, ...]] = {}
        self._keys: dict[str, str] = {}
        self._namesakes: dict[str, set[tuple[str, int]]] | None = None
        self.made_types: dict[Root, str] = {}
        #: by the root of a new lock: the variable that has it, where closures know it by that
        self.kept_in: dict[Root, str] = {}
        self._captured: frozenset[str] | None = None
        #: Whether a member of a global is always null, where somebody knows.
        self.is_empty: Callable[[str, Steps], bool] = lambda variable, steps: False
        #: Members and variables that nothing is ever put into, where somebody knows.
        self.vacant: Collection[str] = ()
        #: Globals that have the literal for good that they start with, where somebody knows.
        self.starts: Mapping[str, f.Lit] = {}
        #: Whether a global has one value as long as the program runs, where somebody knows.
        self.keeps_value: Callable[[str], bool] = lambda variable: False
        self._made_with: dict[str, set[tuple[str, ...]]] | None = None
        self._steady: Steady | None = None

    def is_named(self, what: What) -> bool:
        """Whether callers of a function know *what* by the same name: a named lock, a wait."""
        return isinstance(what, Wait) or bool(self.of(what))

    def of(self, path: What) -> tuple[Identified, ...]:
        """The locks that *path* can be; empty where it has no name of its own (a parameter)."""
        if not isinstance(path, Path):
            return ()
        found = self._known.get(path)
        if found is None:
            found = self._known[path] = self._identify(path)
        return found

    def outer(self, path: Path) -> Path:
        """The lock that *path* is, where it leads to what is inside of one, or lies on it."""
        steps = path.steps
        if not steps or steps[-1] not in self._leads_on:
            return path
        while steps:
            last = member(steps[-1])
            last = self._on_another.get(last, last)
            if last not in self._inside:
                return Path(path.root, (*steps[:-1], last or steps[-1]))
            steps = steps[:-1]
        return Path(path.root, steps)

    def are_rivals(self, one: Path, other: Path) -> bool:
        """Whether both are locks of one object, which has only one of them."""
        if one.steps[:-1] != other.steps[:-1] or one.root != other.root or one == other:
            return False
        first = self._rivals.get(one.last)
        return first is not None and first == self._rivals.get(other.last)

    def outers(self, paths: Paths) -> Paths:
        """The locks that *paths* are."""
        if not any(p.last in self._leads_on for p in paths):
            return paths
        return tuple(dict.fromkeys(map(self.outer, paths)))

    def _identify(self, path: Path) -> tuple[Identified, ...]:
        path = self.outer(path)
        steps = path.steps
        if steps and (isinstance(steps[-1], Method) or steps[-1] in (LOCKED, RUNS)):
            return ()
        if path.root in self.kept_in and not steps:
            path = Path.of_variable(self.kept_in[path.root])
        if not path.is_object:
            return self._identify_special(path)
        while steps and (steps[-1] == GUARDED or is_element(steps[-1])):
            steps = steps[:-1]
        if path.steps and path.steps[-1] == GUARDED:
            return ()
        usr = member(steps[-1]) if steps else path.variable
        if path.is_returned and not steps:
            call = path.returned + "()"
            return (self._declare(call, call, "", "", 0, path),)
        usr = self._rivals.get(usr, usr)
        variable = self._program.variables.get(usr)
        if variable is None:
            return ()
        if variable.kind == "param" and not steps:
            return ()  # only a caller knows
        if not self._holds_lock(variable.type):
            if usr in self.vacant or self.is_empty(path.variable, steps):
                return ()
            targets = self._points_to.locks(usr)
            found = [i for t in targets for i in self.of(Path.of_variable(t))]
            if found:
                return tuple(found)
            if variable.kind == "local" and not steps and usr not in self.captured:
                return ()
        name = self._name(variable)
        suffix = "[]" if path.steps and is_element(path.steps[-1]) else ""
        spelling = self.type_of(path) if suffix else variable.type
        return (
            self._declare(usr, name + suffix, spelling, variable.file, variable.line, path, suffix),
        )

    def of_parameter(self, path: Path) -> str | None:
        """The key of a lock that a function is handed, and that no caller has a name for."""
        variable = self._program.variables.get(path.variable)
        spelling = self._program.pointee(variable.type) if variable is not None else ""
        if variable is None or path.steps or not self._holds_lock(spelling):
            return None
        name = f"{self._program.name_of(variable.owner)}::{variable.name}"
        return self._declare(variable.usr, name, spelling, variable.file, variable.line, path).lock

    def _identify_special(self, path: Path) -> tuple[Identified, ...]:
        absolute = Instance("", absolute=True)
        root = path.root
        if isinstance(root, roots.Named):
            name = root.key
            known = self._knowledge.named.get(name)
            sort = known.kind if known is not None else LockKind.MUTEX
            self.locks.setdefault(name, Lock(name, name, sort))
            return (Identified(name, absolute),)
        guarded = root.key if isinstance(root, roots.Initialiser) else ""
        variable = self._program.variables.get(guarded)
        if variable is None:
            return ()
        key = f"{self._apart(variable.name, variable.file, variable.line)} (initialiser)"
        lock = Lock(key, key, LockKind.STATIC_INIT, variable.file, variable.line)
        self.locks.setdefault(key, lock)
        return (Identified(key, absolute),)

    @property
    def captured(self) -> frozenset[str]:
        """Locals that own a lock by a pointer and that closures have, too."""
        if self._captured is None:
            owners = {
                usr
                for usr, variable in self._program.variables.items()
                if variable.kind == "local"
                and self._program.is_indirect(variable.type)
                and self._holds_lock(self._program.pointee(variable.type))
            }
            lambdas = [x for x in self._program.functions.values() if x.kind == "lambda"]
            used = {u for x in lambdas for u in variables_of(x.body)} if owners else set[str]()
            self._captured = frozenset(owners & used)
        return self._captured

    def is_semaphore(self, path: Path) -> bool:
        """Whether the lock at *path* can be given up by others than who took it."""
        if not self.of(path):  # a parameter
            return self.kind_of(self.type_of(path)) is LockKind.SEMAPHORE
        return any(
            i.lock in self.locks and self.locks[i.lock].kind is LockKind.SEMAPHORE
            for i in self.of(path)
        )

    def make_recursive(self, path: Path) -> None:
        """The lock at *path* was made one that its holder may take again."""
        for found in self.of(path):
            known = self.locks.get(found.lock)
            if known is not None and known.kind is LockKind.MUTEX:
                recursive = msgspec.structs.replace(known, kind=LockKind.RECURSIVE)
                self.locks[found.lock] = recursive

    def reentrant(self, path: What) -> bool:
        """Whether the lock at *path* can be taken again by its holder."""
        found = self.of(path)
        return bool(found) and all(
            i.lock in self.locks and self.locks[i.lock].kind.reentrant for i in found
        )

    def is_lock_type(self, name: str) -> bool:
        """Whether a class is known to be a lock."""
        return name in self._knowledge.locks

    def holds_lock(self, usr: str) -> bool:
        """Whether a variable or field is a lock, and no pointer to one."""
        return self._holds_lock(self._program.type_of(usr))

    def _holds_lock(self, spelling: str) -> bool:
        text = spelling.strip()
        if text.endswith(("*", "&")):
            return False
        if self._wrappers is not None and self._wrappers.kind_of(text) is not None:
            return True
        return self._program.split(text)[0] in self._knowledge.locks

    def _declare(
        self, usr: str, name: str, spelling: str, file: str, line: int, path: Path, suffix: str = ""
    ) -> Identified:
        key = self._keys.get(usr + suffix)
        if key is None:
            name = name.replace("::", ".") if is_python(usr) else name
            key = self._apart(name.removesuffix(suffix), file, line) + suffix
            self._keys[usr + suffix] = key
            kind = self._kind_of(usr, spelling)
            self.locks.setdefault(key, Lock(key, name, kind, file, line))
            self._note_use(key, spelling)
        return Identified(key, self._instance(path))

    def _note_use(self, key: str, spelling: str) -> None:
        """Remember what is known of who waits for a lock."""
        text = self._program.pointee(spelling)
        known = self._knowledge.locks.get(self._program.split(text)[0])
        if known is not None and known.tasks:
            self.of_tasks.add(key)
        if known is not None and known.worker:
            self.workers[key] = known.worker

    def _name(self, variable: Variable) -> str:
        if variable.kind == "local":
            return f"{self._program.name_of(variable.owner)}::{variable.name}"
        return variable.name

    def _apart(self, name: str, file: str, line: int) -> str:
        """*name*, with as much of its place as tells it from others of that name, if there are any:
        two files may each have their own ``static std::mutex mu``.

        All variables are asked, so that it depends neither on which are used nor on which come
        first; and only what differs of their files is in it, so that it is the same anywhere.
        """
        if self._namesakes is None:
            self._namesakes = {}
            for variable in self._program.variables.values():
                if variable.kind != "param" and variable.file:
                    place = variable.file, variable.line
                    self._namesakes.setdefault(self._name(variable), set()).add(place)
        places = self._namesakes.get(name, set()) | {(file, line)}
        if len(places) < 2 or not file:
            return name
        parts = file.split("/")
        others = [other.split("/") for other in {f for f, _ in places} - {file}]
        length = 1
        while length < len(parts) and any(o[-length:] == parts[-length:] for o in others):
            length += 1
        where = "/".join(parts[-length:])
        twice = sum(f == file for f, _ in places) > 1
        return f"{name} ({where}:{line})" if twice else f"{name} ({where})"

    def _kind_of(self, usr: str, spelling: str) -> LockKind:
        made = self._wrappers.kind_made(usr, spelling) if self._wrappers is not None else None
        if made is not None:
            return made
        if self._wrappers is not None and usr in self._wrappers.flags:
            return LockKind.SPIN
        kinds = {self.kind_of(t) for t in self._given_types(usr, spelling)}
        return kinds.pop() if len(kinds) == 1 else self.kind_of(spelling)

    def _given_types(self, usr: str, spelling: str) -> set[str]:
        """What a field's type is where it is a parameter of its class: all that it is made with."""
        variable = self._program.variables.get(usr)
        cls = variable.name.rpartition("::")[0] if variable is not None else ""
        known = self._program.classes.get(cls)
        name = self._program.plain(spelling).strip()
        if known is None or name not in known.tparams:
            return set()
        if not all(self._says_with_what(each, cls) for each in self._program.children(cls)):
            return set()  # nobody knows with what it is a base
        if self._made_with is None:
            self._made_with = arguments.find(self._program)
        at = known.tparams.index(name)
        return {a[at] for a in self._made_with.get(cls, ()) if at < len(a)}

    def _says_with_what(self, cls: str, base: str) -> bool:
        """Whether *cls* gives its *base*, a template, arguments that depend on nothing."""
        for spelling in self._program.classes[cls].base_types:
            name, given = self._program.split(spelling)
            if name == base:
                return bool(given) and not any(map(self._program.is_dependent, given))
        return False

    def kind_of(self, spelling: str) -> LockKind:
        """The kind of a lock from its type; plain mutex where the type is not known."""
        text = self._program.pointee(spelling)
        known = self._knowledge.locks.get(self._program.split(text)[0])
        if known is None:
            made = self._wrappers.kind_of(text) if self._wrappers is not None else None
            return made if made is not None else LockKind.MUTEX
        return known.kind

    def _instance(self, path: Path) -> Instance | None:
        steps = path.steps
        if path.is_some_object:
            return None
        if not steps:
            variable = self._program.variables.get(path.variable)
            if path.is_returned:
                return Instance("", absolute=True)
            if variable is not None and variable.kind in ("global", "static", "member"):
                return Instance("", absolute=True)
            return Instance(_owner(str(path.root)))
        made_of = self.made_of(path)
        last = len(steps) if is_element(steps[-1]) else len(steps) - 1
        owner = _owner(".".join(map(str, (path.root, *steps[:last]))))
        absolute = self._is_global(path) and self._is_one(path)
        anchor = self._anchor(path.root, steps[:last])
        classes = self._classes(path) if not absolute else ()
        return Instance(owner, absolute, self.slot(path), anchor, made_of, classes)

    def _classes(self, path: Path) -> tuple[str, ...]:
        """Classes that the owner of a member can have; nothing where that can be any."""
        steps = path.steps
        while steps and is_element(steps[-1]):
            steps = steps[:-1]
        if not steps:
            return ()
        owner = Path(path.root, steps[:-1])
        variable = self._program.variables.get(member(steps[-1]))
        base = variable.name.rpartition("::")[0] if variable is not None else ""
        cls = self.class_of(owner)
        if cls == base or cls not in self._program.classes:
            return ()
        return tuple(sorted(self._program.derived(cls)))

    def made_of(self, path: Path) -> tuple[str, ...]:
        """The arguments of the class template that has the member *path*, where they are known.

        Without namespaces: what stands in two of one name is not told apart.
        """
        steps = path.steps
        while steps and is_element(steps[-1]):
            steps = steps[:-1]
        variable = self._program.variables.get(member(steps[-1])) if steps else None
        cls = variable.name.rpartition("::")[0] if variable is not None else ""
        known = self._program.classes.get(cls)
        if known is None or not known.tparams:
            return ()
        owner = Path(path.root, steps[:-1])
        found = self._arguments(self._program.pointee(self.type_of(owner)), cls)
        names = self._template_names(owner)
        words = {w for argument in found for w in _WORD.findall(argument)}
        return tuple(_QUALIFIER.sub("", a) for a in found) if words.isdisjoint(names) else ()

    def _arguments(self, spelling: str, cls: str) -> tuple[str, ...]:
        """The arguments of *cls*, which the type *spelling* is or derives from."""
        name, given = self._program.split(spelling)
        if name == cls:
            return tuple(given)
        known = self._program.classes.get(name)
        if known is None or cls not in self._program.ancestors(name):
            return ()
        known_as = dict(zip(known.tparams, given, strict=False))
        if known.tparams and not known_as:
            return ()
        for base in known.base_types:
            full = _WORD.sub(lambda m: known_as.get(m[0], m[0]), base)
            if found := self._arguments(full, cls):
                return found
        return ()

    def _template_names(self, owner: Path) -> frozenset[str]:
        """Names of template parameters that may stand in the type of *owner*."""
        home = owner.method or owner.maker[0]
        variable = self._program.variables.get(owner.variable)
        home = home or (variable.owner if variable is not None else "")
        names = set(self._program.template_parameters(home)) if home else set[str]()
        for usr in owner.members:
            names.update(self._program.template_parameters_of_member(usr))
        return frozenset(names)

    @property
    def steady(self) -> Steady:
        """Which pointers always lead to one object."""
        if self._steady is None:
            self._steady = Steady(self._program)
        return self._steady

    def is_fixed(self, path: Path) -> bool:
        """Whether *path* begins at a global that is, or always leads to, one object."""
        return path.is_variable and self._is_global(path) and self._is_one(path)

    def _is_one(self, path: Path) -> bool:
        """Whether a global is, or always leads to, one object."""
        return not path.is_variable or self.steady.is_steady(path.variable)

    def _anchor(self, root: Root, steps: Steps) -> str:
        """The first object on the way from which it always leads to one; empty for the last."""
        number = first_steady(self.steady, steps)
        return _owner(".".join(map(str, (root, *steps[:number])))) if number < len(steps) else ""

    def _is_global(self, path: Path) -> bool:
        if path.is_returned:
            return True
        variable = self._program.variables.get(path.variable)
        return variable is not None and variable.kind in ("global", "static", "member")

    def slot(self, path: Path) -> str:
        """Where the lock's owner is embedded by value, or empty."""
        if path.steps and is_element(path.steps[-1]):
            holder = self._slot(path, within=False)
            return f"{holder}{path.steps[-1]}" if holder else ""  # told apart by their numbers
        return self._slot(path, within=True)

    def _slot(self, path: Path, within: bool) -> str:
        """The name of what the last step leads on from; *within*: where it holds that by value."""
        usr = member(path.steps[-2]) if len(path.steps) > 1 else path.variable
        variable = self._program.variables.get(usr)
        if variable is None or variable.kind in ("param", "local"):
            return ""
        indirect = self._program.is_indirect(variable.type) or self._is_container(variable.type)
        if within and indirect:
            return ""
        return variable.name

    def _is_container(self, spelling: str) -> bool:
        name, arguments = self._program.split(spelling)
        return "[" in spelling or (bool(arguments) and name not in self._program.classes)

    # -- types ------------------------------------------------------------------------------------

    def type_of(self, path: Path) -> str:
        """The spelling of the type of the object that *path* means; empty where not known."""
        steps = path.steps
        if not steps:
            if path.is_variable:
                return self._program.type_of(path.variable)
            if path.is_this:
                function = self._program.functions.get(path.method)
                return function.cls if function is not None else ""
            return self.made_types.get(path.root, "")
        last = steps[-1]
        if isinstance(last, Element | ElementBy):
            return self._program.element_type(self.type_of(path.owner), str(last)[1:-1])
        if isinstance(last, Ends):
            return last.key
        if isinstance(last, Whole):
            part = self._program.variables.get(last.key)
            return part.name.rpartition("::")[0] if part is not None else ""
        spelling = self._program.type_of(path.last)
        return self._instantiated(spelling, path.owner, path.last)

    def _instantiated(self, spelling: str, owner: Path, field: str) -> str:
        """The type of a class template's field, with the arguments of the object it is in."""
        variable = self._program.variables.get(field)
        cls = variable.name.rpartition("::")[0] if variable is not None else ""
        known = self._program.classes.get(cls)
        if known is None or not known.tparams:
            return spelling
        made = self.type_of(owner)
        name, arguments = self._program.split(made)
        if name != cls:  # the object is behind a pointer, and no pointer of that class itself
            arguments = self._program.split(self._program.pointee(made))[1]
        return substituted(spelling, known.tparams, arguments)

    def class_of(self, path: Path) -> str:
        """The qualified class name of the object, through pointers and references."""
        return self._program.split(self._program.pointee(self.type_of(path)))[0]
