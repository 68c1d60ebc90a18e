"""How a program calls an object: by the variables and attributes through which it is reached."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from lockorder.hang.pyframes import Look, PyFrame

#: Steps from a variable to an object, objects that are looked at for one frame, things of one
#: container, and frames that are asked, the innermost ones: a name that is farther away says
#: nothing.
_STEPS, _OBJECTS, _ITEMS, _FRAMES = 3, 2000, 200, 12
_SEQUENCES = ("list", "tuple", "collections.deque")
_NOT_INSIDE = (
    "module", "function", "builtin_function_or_method", "method", "type", "code", "frame", "str",
    "int", "float", "bool", "bytes", "NoneType", "cell", "property", "staticmethod", "classmethod",
    "_thread.lock", "_thread.RLock", "generator", "coroutine", "async_generator",
)  # fmt: skip
_LONGEST_KEY = 40


class Named(NamedTuple):
    """``name`` is an expression, as the code of ``frame`` could write it: ``self.locks[1]``.

    ``of`` is the class of the object that its first variable is; "": the variable is it itself.
    """

    name: str
    frame: PyFrame
    of: str


class Naming:
    """Names of the objects of one look."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._inside: dict[int, list[tuple[str, int]]] = {}
        self._globals: dict[int, dict[str, int]] = {}

    def in_frame(self, frame: PyFrame, wanted: Collection[int]) -> dict[int, Named]:
        """What *frame* calls the *wanted* objects, as far as it reaches them."""
        found: dict[int, Named] = {}
        locals_of = self._look.locals(frame)
        for roots, steps in ((locals_of, _STEPS), (self._module(frame), _STEPS - 1)):
            for name, of, value in self._reached(roots.items(), steps):
                if value in wanted and value not in found:
                    found[value] = Named(name, frame, of)
                    if len(found) == len(wanted):
                        return found
        return found

    def of(self, wanted: Collection[int], frames: Iterable[PyFrame]) -> dict[int, Named]:
        """The first name that one of *frames* has for each object."""
        found: dict[int, Named] = {}
        for frame in islice(frames, _FRAMES):
            missing = [each for each in wanted if each not in found]
            if not missing:
                break
            found.update(self.in_frame(frame, missing))
        return found

    def _module(self, frame: PyFrame) -> dict[str, int]:
        if frame.names not in self._globals:
            names = self._look.globals(frame).items()
            known = {n: v for n, v in names if not n.startswith("__")}
            self._globals[frame.names] = known
        return self._globals[frame.names]

    def _reached(
        self, roots: Iterable[tuple[str, int]], steps: int
    ) -> Iterator[tuple[str, str, int]]:
        """Names and objects, the nearest ones first, with the class that each is reached by."""
        objects = self._look.objects
        seen: set[int] = set()
        level = [(name, "", value) for name, value in roots]
        for step in range(steps + 1):
            following: list[tuple[str, str, int]] = []
            for name, of, value in level:
                if value in seen or len(seen) > _OBJECTS:
                    continue
                yield name, of, value
                seen.add(value)
                if step < steps and len(following) < _OBJECTS:
                    kind = of or objects.qualified(objects.type_of(value))
                    following += [(name + more, kind, at) for more, at in self._parts(value)]
            level = following

    def _parts(self, value: int) -> list[tuple[str, int]]:
        if value not in self._inside:
            self._inside[value] = list(self._read_parts(value))
        return self._inside[value]

    def _read_parts(self, value: int) -> Iterator[tuple[str, int]]:
        objects = self._look.objects
        kind = objects.type_name(value)
        if not kind or (kind in _NOT_INSIDE and not objects.is_class(value)):
            return
        if kind in _SEQUENCES:
            for place, item in enumerate(objects.items(value, _ITEMS) or []):
                yield f"[{place}]", item
            return
        for key, item in objects.entries(value, _ITEMS) or []:
            text, number = objects.text(key), objects.integer(key)
            if text is not None and len(text) <= _LONGEST_KEY:
                yield f"[{text!r}]", item
            elif number is not None:
                yield f"[{number}]", item
        for name, item in list(objects.attributes(value).items())[:_ITEMS]:
            if not name.startswith("__"):
                yield f".{name}", item
