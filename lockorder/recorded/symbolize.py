"""From addresses in a recorded process to places and names.

Symbols are looked up once for all processes: the same library is loaded elsewhere in each rank,
so what is kept is the address in the file, with the file's build id.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import os
import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from lockorder.model import Frame
from lockorder.recorded import python_stacks
from lockorder.recorded.whose import Owned, Owners
from runtime_probe.records import Module, PythonFrame

#: Frames of one chain that are told, from the lock outwards.
MAX_CHAIN = 64
_PROBE = "liblockorder_probe.so"
#: What stands between a lock and the line that takes it, or between two such lines.
_WRAPPER = re.compile(
    r"(std|__gnu_cxx|__cxxabiv1)::|__gthr|pthread_(mutex|rwlock|spin|cond|once|create|join)|sem_"
    r"|__pthread_|___pthread_|__sem_|__cxa_guard|__static_init"
)
#: How threads and programs begin, which says nothing about them.
_START = re.compile(
    r"_start$|__libc_start|start_thread$|__?clone3?$|clone3?$|execute_native_thread_routine"
)
#: Modules of the system: a lock that they make belongs to whoever asked them to.
_SYSTEM = re.compile(
    r"(lib(c|m|pthread|dl|rt|stdc\+\+|c\+\+|c\+\+abi|gcc_s|ffi)[.-]|ld-linux|ld-musl)"
)


def tells_nothing(function: str) -> bool:
    """Whether a frame says nothing of the program: how threads begin, how locks are taken."""
    return bool(_START.match(function) or _WRAPPER.match(function))


class Names(Protocol):
    """Who knows names: runtime_probe.symbols.Symbols, or a stand-in for it."""

    #: What could not be used and why, a line each.
    problems: list[str]

    def lookup(self, path: str, build_id: str, offset: int) -> list[tuple[str, str, int]]:
        """Function, file and line at a link-time address, innermost inlined first."""

    def data_symbol(self, path: str, build_id: str, offset: int) -> str | None:
        """The global object that covers a link-time address; ``name+0x10`` inside of it."""


class Symbolizer:
    """Answers of *symbols* in the model's terms, each asked for once."""

    def __init__(self, symbols: Names) -> None:
        self._symbols = symbols
        self._frames: dict[tuple[str, str, int], tuple[Frame, ...]] = {}
        self._objects: dict[tuple[str, str, int], str | None] = {}

    def frame(self, module: Module, offset: int) -> tuple[Frame, ...]:
        """The frames at a link-time address, innermost inlined first; wrappers left out."""
        key = (module.path, module.build_id, offset)
        known = self._frames.get(key)
        if known is None:
            known = self._frames[key] = self._look_up(module, offset)
        return known

    def _look_up(self, module: Module, offset: int) -> tuple[Frame, ...]:
        name = os.path.basename(module.path)
        if name.endswith(_PROBE):
            return ()
        found = self._symbols.lookup(module.path, module.build_id, offset)
        if not found:
            return (Frame(f"{name}+{offset:#x}"),)
        frames = (
            Frame(plain(function) if function else f"{name}+{offset:#x}", file, line)
            for function, file, line in found
        )
        return tuple(f for f in frames if not _WRAPPER.match(f.function))

    def object_at(self, module: Module, offset: int) -> str:
        """The global object at a link-time address, with the offset in it where that is not 0."""
        key = (module.path, module.build_id, offset)
        if key not in self._objects:
            self._objects[key] = self._symbols.data_symbol(*key)
        return self._objects[key] or f"{os.path.basename(module.path)}+{offset:#x}"


@functools.lru_cache(maxsize=65536)
def plain(function: str) -> str:
    """A demangled function without its return type and its parameters.

    ``std::vector<int> util::copy<int>(int const*)`` is ``util::copy<int>``.
    """
    depth, start = 0, 0
    for at, c in enumerate(function):
        if c == "(" and depth == 0 and at > start:
            if not function.endswith(("operator", "::"), start, at):
                return function[start:at]
            depth += 1
        elif c in "<({[":
            depth += 1
        elif c in ">)}]":
            depth -= 1
        elif c == " " and depth == 0 and not function.endswith("operator", start, at):
            start = at + 1
    return function[start:] or function


class Places:
    """The addresses of one process."""

    def __init__(self, modules: Sequence[Module], symbolizer: Symbolizer) -> None:
        # Of two that were loaded one after the other at one place, the later one is asked.
        self._modules = sorted(modules, key=lambda m: (m.start, m.number))
        self._starts = [m.start for m in self._modules]
        #: how far the modules reach that begin no later
        self._reach = list(itertools.accumulate((m.end for m in self._modules), max))
        self._symbolizer = symbolizer
        self._interpreters = python_stacks.Interpreters()

    def module(self, address: int) -> Module | None:
        """The module that *address* lies in."""
        at = bisect.bisect_right(self._starts, address) - 1
        # Segments of one file may lie between those of another, however many.
        while at >= 0 and self._reach[at] > address:
            if self._modules[at].end > address:
                return self._modules[at]
            at -= 1
        return None

    def global_at(self, address: int) -> str | None:
        """The global object at *address*; None where no module lies there."""
        module = self.module(address)
        if module is None:
            return None
        return self._symbolizer.object_at(module, address - module.bias)

    def frames(self, pc: int) -> tuple[Frame, ...]:
        """What was executed when the call returned to *pc*, innermost first."""
        module = self.module(pc - 1)
        if module is None:
            return (Frame(f"{pc:#x}"),) if pc else ()
        # The call itself: the byte after it may belong to the next line, or function.
        return self._symbolizer.frame(module, pc - 1 - module.bias)

    def caller(self, stack: Sequence[int]) -> Module | None:
        """Who made the call that the probe saw at the end of *stack*."""
        for pc in stack:
            module = self.module(pc - 1)
            if module is not None and not module.path.endswith(_PROBE):
                return module
        return None

    def chain(self, stack: Sequence[int], python: Sequence[PythonFrame] = ()) -> tuple[Frame, ...]:
        """A stack as a call chain, outermost first, without how threads begin."""
        frames = [frame for frame, _ in self._steps(stack, python)]
        return tuple(reversed(frames[:MAX_CHAIN]))

    def owned(self, stack: Sequence[int], python: Sequence[PythonFrame], owners: Owners) -> Owned:
        """The same, all of it, each with whose code it is."""
        steps = list(self._steps(stack, python))
        return tuple(
            (frame, owners.of_module(module.path) if module is not None else
             owners.of_file(frame.file))
            for frame, module in reversed(steps)
        )  # fmt: skip

    def _steps(
        self, stack: Sequence[int], python: Sequence[PythonFrame]
    ) -> Iterator[tuple[Frame, Module | None]]:
        """Functions, innermost first, with their modules; those of Python have none."""
        stack = self._without_start(stack)
        if python:
            yield from self._merged(stack, python)
            return
        for pc in stack:
            module = self.module(pc - 1)
            for frame in self.frames(pc):
                if not _START.match(frame.function):
                    yield frame, module

    def _without_start(self, stack: Sequence[int]) -> Sequence[int]:
        """Without the outermost frames of the system's libraries, which begin threads, and without
        the program's entry, which calls them."""
        end = len(stack)
        if end > 2 and self._is_system(stack[end - 2]) and not self._is_system(stack[end - 1]):
            end -= 1
        while end > 1 and self._is_system(stack[end - 1]):
            end -= 1
        return stack[:end]

    def _is_system(self, pc: int) -> bool:
        module = self.module(pc - 1)
        return module is not None and bool(_SYSTEM.match(os.path.basename(module.path)))

    def _merged(
        self, stack: Sequence[int], python: Sequence[PythonFrame]
    ) -> Iterator[tuple[Frame, Module | None]]:
        """Functions of Python stand where the interpreter's loop runs them.

        Where no frame of that is known (an interpreter without its name), each row of the
        interpreter's frames stands for one call of it, and the outermost for all that are left.
        """
        own = [self._is_interpreter(pc) for pc in stack]
        loops = [
            is_own and any(python_stacks.is_loop(f.function) for f in self.frames(pc))
            for pc, is_own in zip(stack, own, strict=True)
        ]
        named = any(loops)
        if not named:
            following = [*own[1:], False]
            loops = [is_own and not after for is_own, after in zip(own, following, strict=True)]
        last = max((i for i, loop in enumerate(loops) if loop), default=-1)
        functions = python_stacks.Functions(python)
        for i, pc in enumerate(stack):
            if loops[i]:
                for frame in functions.rest() if i == last and not named else functions.of_loop():
                    yield frame, None
            elif not own[i] and (i < last or not self._is_system(pc)):
                for frame in self.frames(pc):
                    if not _START.match(frame.function):
                        yield frame, self.module(pc - 1)
        for frame in functions.rest():
            yield frame, None

    def _is_interpreter(self, pc: int) -> bool:
        module, frames = self.module(pc - 1), self.frames(pc)
        function = frames[-1].function if frames else ""
        return module is not None and self._interpreters.own(module.path, function)

    def interpreters(self, stack: Sequence[int]) -> list[str]:
        """The interpreter's own functions in a stack, innermost first."""
        return [f.function for pc in stack if self._is_interpreter(pc) for f in self.frames(pc)]

    def is_python(self, stack: Sequence[int], python: Sequence[PythonFrame]) -> bool:
        """Whether the innermost place of the program itself is one of Python."""
        for pc in stack if python else ():
            if not self.frames(pc):
                continue
            if self._is_interpreter(pc):
                return True
            if not self._is_system(pc) and self.module(pc - 1) is not None:
                return False
        return False

    def site(self, stack: Sequence[int], python: Sequence[PythonFrame] = ()) -> Frame | None:
        """The innermost place of the program itself; of anything where it has none."""
        first = None
        for pc in stack:
            if python and self._is_interpreter(pc):
                place = python_stacks.owner(python)
                return Frame(place.function, place.file, place.line)
            frames = self.frames(pc)
            if not frames:
                continue
            first = first or frames[0]
            if not self._is_system(pc) and self.module(pc - 1) is not None:
                return frames[0]
        return first
