"""Lock orders that people declare, in a configuration or by attributes in the sources.

A declaration says that one lock is taken before another, and so that nobody takes them the other
way round, whether or not anything takes both.  Orders are transitive.  Names are what a person
writes: a lock's declared name, or its last parts where only one lock ends with them.
"""

from __future__ import annotations

import difflib
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from lockorder.model import Lock


class Declaration(msgspec.Struct, frozen=True, order=True):
    """*before* is to be taken before *after*; said at *file*:*line*.

    Lock ids in ``Orders``, names in what ``resolve`` is given.
    """

    before: str
    after: str
    file: str = ""
    line: int = 0


class Orders:
    """Declared orders over lock ids, closed under transitivity."""

    def __init__(self, declarations: Iterable[Declaration] = ()) -> None:
        self._steps: dict[str, dict[str, Declaration]] = {}
        for said in sorted(set(declarations), key=lambda d: (d.file, d.line, d.before, d.after)):
            self._steps.setdefault(said.before, {}).setdefault(said.after, said)

    def __bool__(self) -> bool:
        return bool(self._steps)

    def chain(self, before: str, after: str) -> tuple[Declaration, ...]:
        """The fewest declarations that put *before* before *after*; empty where none do.

        Empty too where they say the opposite as well: contradictions decide nothing.
        """
        found = self._shortest(before, after)
        return () if found and self._shortest(after, before) else found

    def contradictions(self) -> list[tuple[Declaration, ...]]:
        """Circles of declarations, one for each set of locks that are before each other."""
        found: list[tuple[Declaration, ...]] = []
        told: set[str] = set()
        for lock in sorted(self._steps):
            if lock not in told:
                circle = self._shortest(lock, lock)
                if circle:
                    found.append(circle)
                    told.update(d.before for d in circle)
        return found

    def _shortest(self, before: str, after: str) -> tuple[Declaration, ...]:
        came: dict[str, Declaration] = {}
        queue = deque([before])
        while queue:
            here = queue.popleft()
            for following, said in self._steps.get(here, {}).items():
                if following in came:
                    continue
                came[following] = said
                if following == after:
                    return _back(came, before, after)
                queue.append(following)
        return ()


def _back(came: dict[str, Declaration], before: str, after: str) -> tuple[Declaration, ...]:
    steps = [came[after]]
    while steps[-1].before != before:
        steps.append(came[steps[-1].before])
    return tuple(reversed(steps))


def describe(circle: Sequence[Declaration]) -> str:
    """A contradiction in words, with its places."""
    steps = (f"{d.before} before {d.after} ({d.file}:{d.line})" for d in circle)
    return f"the declared order contradicts itself: {', '.join(steps)}"


def in_sequence(names: Sequence[tuple[str, int]], file: str) -> list[Declaration]:
    """What a list of names with their lines declares: each before the next."""
    return [
        Declaration(before, after, file, line) for (before, _), (after, line) in pairwise(names)
    ]


def resolve(
    named: Iterable[Declaration], locks: Iterable[Lock]
) -> tuple[list[Declaration], list[str]]:
    """Declarations by name as declarations by lock id, and a warning for each useless name.

    A name that means no lock, or several, is bridged: with ``A, typo, B`` A is still before B.
    """
    known = _Names(locks)
    named = list(named)
    warned: dict[str, str] = {}
    ids: dict[str, str] = {}
    for said in named:
        for name in (said.before, said.after):
            if name in ids or name in warned:
                continue
            found = known.find(name)
            if len(found) == 1:
                ids[name] = found[0].id
            else:
                warned[name] = f"{said.file}:{said.line}: {known.explain(name, found)}"
    by_name = Orders(named)
    resolved = [
        msgspec.structs.replace(said, before=ids[said.before], after=ids[said.after])
        for said in named
        if said.before in ids and said.after in ids
    ]
    resolved += [
        Declaration(ids[before], ids[after], chain[-1].file, chain[-1].line)
        for before in ids
        for after in ids
        if before != after
        and len(chain := by_name.chain(before, after)) > 1
        and all(d.after in warned for d in chain[:-1])
    ]
    return resolved, list(warned.values())


class _Names:
    """Finds locks by what people call them."""

    def __init__(self, locks: Iterable[Lock]) -> None:
        self._locks = list({lock.id: lock for lock in locks}.values())
        self._by_last: dict[str, list[Lock]] = {}
        for lock in self._locks:
            self._by_last.setdefault(_last(lock.name), []).append(lock)

    def find(self, name: str) -> list[Lock]:
        """The locks of that very name, else those whose names end with it, else by id."""
        wanted = name.removesuffix("[]").removeprefix("::")
        candidates = self._by_last.get(_last(wanted), [])
        exact = [k for k in candidates if k.name.removesuffix("[]") == wanted]
        if exact:
            return exact
        ending = [k for k in candidates if k.name.removesuffix("[]").endswith(f"::{wanted}")]
        return ending or [k for k in self._locks if k.id == name]

    def explain(self, name: str, found: Sequence[Lock]) -> str:
        """Why *name* means none or several."""
        if found:
            which = ", ".join(sorted(_placed(k) for k in found))
            return f"{name!r} in the declared order can be any of {which}: write more of its name"
        names = {k.name for k in self._locks} | {_last(k.name) for k in self._locks}
        near = difflib.get_close_matches(name, sorted(names), 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        return f"no lock seen here is called {name!r} in the declared order{hint}"


def _last(name: str) -> str:
    return name.removesuffix("[]").rsplit("::", 1)[-1]


def _placed(lock: Lock) -> str:
    place = f"{lock.file}:{lock.line}" if lock.file else "unknown place"
    return lock.id if place in lock.id else f"{lock.name} ({place})"
