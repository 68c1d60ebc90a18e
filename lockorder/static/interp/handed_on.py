"""Acquisitions that callers get as they are, and the calls that these came by.

Functions that call each other take the same hundreds of locks.  Where nothing is held around a
call, what the callee takes means the same to the caller: it is kept once, and not once for each
function on each way to it.  The way is not written down either: a gap stands for it.  It is
searched for where somebody is told of it: the shortest one, of calls that are as certain as the
acquisition is.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import NamedTuple

from lockorder.model import Certainty
from lockorder.static.interp.frame import Frame
from lockorder.static.interp.summary import Site, Taken
from lockorder.static.parse import facts as f
from lockorder.static.program.effects import Effect, Wait
from lockorder.static.program.identities import Identities
from lockorder.static.program.paths import UNKNOWN, Path
from lockorder.static.program.steps import CALLED, GUARDED, LOCKED


class _Call(NamedTuple):
    #: lines and columns from the caller to the call
    places: tuple[tuple[int, int], ...]
    #: file and line of the callee, which decide between two that one place calls
    there: tuple[str, int]
    callee: str
    site: Site


class HandedOn:
    """What functions hand on to their callers, and by which calls."""

    def __init__(self, functions: Mapping[str, f.Function], identities: Identities) -> None:
        self._functions = functions
        self._identities = identities
        self._settled: dict[Effect, bool] = {}
        #: Acquisitions that a call made less certain, each kept once.
        self.doubts: dict[tuple[int, Certainty, str], tuple[Taken, Taken]] = {}
        self._calls: dict[str, dict[_Call, Certainty]] = {}
        #: the same in the order of the sources
        self._sorted: dict[str, list[tuple[_Call, Certainty]]] = {}
        #: by where ways begin, and how certain they are: the last call of each
        self._last: dict[tuple[str, Certainty], dict[str, tuple[str, Site]]] = {}

    def is_settled(self, taken: Taken) -> bool:
        """Whether a caller has the same name for the lock, and nothing was given up before."""
        if taken.released:
            return False
        path = taken.path
        found = self._settled.get(path)
        if found is None:
            found = self._settled[path] = isinstance(path, Wait) or (
                isinstance(path, Path) and self._has_name(path)
            )
        return found

    def _has_name(self, path: Path) -> bool:
        return (
            path != UNKNOWN
            and not path.is_numbered
            and not {CALLED, GUARDED, LOCKED}.intersection(path.steps)
            and self._identities.outer(path) is path
            and bool(self._identities.of(path))
        )

    def doubted(self, taken: Taken, certainty: Certainty, why: str) -> Taken:
        """The same acquisition, which is no more certain than that."""
        if certainty == taken.certainty and why == taken.why:
            return taken
        key = id(taken), certainty, why
        found = self.doubts.get(key)
        if found is None:
            found = taken, taken._replace(certainty=certainty, why=why)
            self.doubts[key] = found
        return found[1]

    def note(self, caller: str, callee: str, frame: Frame) -> None:
        """*caller* hands on what *callee* takes."""
        calls = self._calls.setdefault(caller, {})
        there = self._functions[callee]
        call = _Call(
            tuple(s[1:3] for s in frame.site.along()), (there.file, there.line), callee, frame.site
        )
        known = calls.get(call)
        if known is None or known < frame.certainty:
            calls[call] = frame.certainty
            self._sorted.pop(caller, None)

    def whole(self, callee: str, taken: Taken) -> Site:
        """The call chain to an acquisition of *callee*, which may have been handed on to it."""
        return self.filled(with_gap(callee, taken.site, taken.certainty))

    def filled(self, site: Site) -> Site:
        """The call chain *site* with the ways that gaps in it stand for.

        Only when the summaries of all functions on them are done is a way the shortest.
        """
        if all(here.line != _GAP for here in site.along()):
            return site
        chain: list[Site] = []
        for here in site.along():
            if here.line == _GAP and here.inner is not None:
                sure = Certainty(here.column)
                for call in self._way(here.function, here.inner.function, sure):
                    chain.extend(call.along())
            else:
                chain.append(here)
        whole: Site | None = None
        for each in reversed(chain):
            whole = Site(each.function, each.line, each.column, whole)
        assert whole is not None
        return whole

    def _way(self, start: str, end: str, certainty: Certainty) -> tuple[Site, ...]:
        """The calls of a shortest way from *start* to *end*."""
        key = start, certainty
        last = self._last.get(key)
        if last is None or (end not in last and end != start):
            while len(self._last) >= _REMEMBERED:
                del self._last[next(iter(self._last))]
            last = self._last[key] = self._search(start, certainty)
        way: list[Site] = []
        while end != start and end in last:
            end, site = last[end]
            way.append(site)
        return tuple(reversed(way))

    def _search(self, start: str, certainty: Certainty) -> dict[str, tuple[str, Site]]:
        """By what *start* reaches: the last call of a shortest way, and who makes it."""
        last: dict[str, tuple[str, Site]] = {}
        pending = deque([start])
        while pending:
            function = pending.popleft()
            for call, sure in self._calls_of(function):
                if sure >= certainty and call.callee not in last and call.callee != start:
                    last[call.callee] = function, call.site
                    pending.append(call.callee)
        return last

    def _calls_of(self, function: str) -> list[tuple[_Call, Certainty]]:
        found = self._sorted.get(function)
        if found is None:
            calls = self._calls.get(function, {})
            found = self._sorted[function] = sorted(calls.items(), key=_place)
        return found


#: So many functions' ways are kept: those of one are asked for one after the other.
_REMEMBERED = 64
#: Stands for a line: somewhere in the function, by calls that are not written down.  How certain
#: these must be stands in place of a column.
_GAP = -1


def with_gap(callee: str, site: Site, certainty: Certainty) -> Site:
    """*site*, of an acquisition of *callee*: after a gap, where it was handed on to that."""
    return site if site.function == callee else Site(callee, _GAP, int(certainty), site)


def _place(call: tuple[_Call, Certainty]) -> tuple[object, ...]:
    return call[0][:-1]
