"""The operations of one dump: each kind once, with the stack that issued it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lockorder.hang.errors import DumpError
from lockorder.hang.flight_recorder import Dump
from lockorder.hang.operation_names import Call, Sizes, call_of, count_of, type_of
from lockorder.model.communicators import Operation
from lockorder.model.locks import Frame

# Completed, started, or neither; not known.
DONE, RUNNING, WAITING, UNKNOWN = 2, 1, 0, -1


class Calls:
    """Numbers for the operations of *dump*, in order of appearance.

    Lists may be in a file once and in many entries, so what is read of them in all is bounded by
    the file's size: a recorder writes each list of each entry out.
    """

    def __init__(self, dump: Dump) -> None:
        self.operations: list[Operation] = []
        self._path = dump.path
        self._left = 1_000_000 + 16 * dump.size
        self._calls: dict[str, Call] = {}
        self._numbers: dict[Operation, int] = {}
        self._known: dict[tuple[object, ...], int] = {}
        self._frames: dict[int, Frame] = {}

    def call(self, entry: dict[str, Any]) -> Call:
        """What the entry's profiling name says."""
        name = entry["profiling_name"]
        call = self._calls.get(name)
        if call is None:
            call = self._calls[name] = call_of(name)
        return call

    def number(self, entry: dict[str, Any], call: Call) -> int:
        """The number of the entry's operation."""
        get = entry.get
        frames = get("frames")
        if type(frames) is not list:
            frames = []
        inputs = self._sizes(get("input_sizes"))
        outputs = self._sizes(get("output_sizes"))
        thread = _thread(entry)
        # A frame's dictionary is the same object in all stacks that PyTorch wrote it for.
        places = tuple(map(id, frames))
        kinds = _kinds(get("input_dtypes")), _kinds(get("output_dtypes"))
        self._left -= len(places) + len(kinds[0]) + len(kinds[1])
        if self._left < 0:
            raise DumpError(self._path, "its entries share lists, which no recorder does")
        key = (call, inputs, outputs, kinds, thread, places)
        number = self._known.get(key)
        if number is None:
            number = self._known[key] = self.intern(
                Operation(
                    name=call.name,
                    count=count_of(call.name, inputs, outputs),
                    type=type_of(call.name, *kinds),
                    root=call.peer,
                    chain=self._chain(frames),
                    thread=thread,
                )
            )
        return number

    def intern(self, operation: Operation) -> int:
        """The number of *operation*."""
        number = self._numbers.setdefault(operation, len(self.operations))
        if number == len(self.operations):
            self.operations.append(operation)
        return number

    def group(self, members: Sequence[int], end: Call | None) -> int:
        """The number of the operation that a group of coalesced collectives is.

        A group has one place in its communicator's sequence.  Where all members are of one kind,
        it is that kind's coalesced form, of as many elements as all of them; what an uneven
        all_gather is made of depends on no rank's own data, so it is an all_gather.
        """
        parts = [self.operations[member] for member in members]
        names = list(dict.fromkeys(part.name for part in parts))
        if end is not None and end.name != "coalesced":
            name, count = end.name, -1
        else:
            name = f"{'+'.join(names)}_coalesced"
            unknown = any(part.count < 0 for part in parts)
            count = -1 if unknown else sum(part.count for part in parts)
        kinds = dict.fromkeys(kind for part in parts for kind in part.type.split("+") if kind)
        first = parts[0]
        return self.intern(
            Operation(name, count, "+".join(kinds), chain=first.chain, thread=first.thread)
        )

    def _sizes(self, value: Any) -> Sizes:
        """Tensors' sizes; () where any is no size."""
        if type(value) not in (list, tuple):
            return ()
        self._left -= len(value)
        sizes: list[tuple[int, ...]] = []
        if self._left < 0:
            return ()
        for tensor in value:
            if type(tensor) not in (list, tuple) or len(tensor) > 64:
                return ()
            for extent in tensor:
                if type(extent) is not int or not 0 <= extent < 1 << 62:
                    return ()
            sizes.append(tuple(tensor))
        return tuple(sizes)

    def _chain(self, frames: list[Any]) -> tuple[Frame, ...]:
        """The stack, outermost frame first: the recorder has the innermost first."""
        chain = []
        for about in reversed(frames):
            frame = self._frames.get(id(about))
            if frame is None:
                frame = self._frames[id(about)] = _frame(about)
            chain.append(frame)
        return tuple(chain)


def state_of(entry: dict[str, Any], backend: str) -> int:
    """How far the entry's operation is.

    ``retired`` alone means that a watchdog has looked away (a timeout) where the backend has device
    events; Gloo has none and retires what is complete (ProcessGroupGloo.cpp, runLoop); a hook's
    entries may be retired when they are issued (hooks/FlightRecorderHook.hpp).
    """
    state = entry.get("state")
    if state == "completed":
        return DONE
    if state == "started" or entry.get("time_discovered_started_ns"):
        return RUNNING
    if state != "scheduled":
        return UNKNOWN
    if entry.get("retired") is True and "nccl" not in backend and "xccl" not in backend:
        return DONE if backend == "gloo" else UNKNOWN
    return WAITING


def _thread(entry: dict[str, Any]) -> str:
    name = entry.get("thread_name")
    if type(name) is str and name:
        return name
    number = entry.get("thread_id")
    return number if type(number) is str else ""


def _kinds(value: Any) -> tuple[str, ...]:
    if type(value) not in (list, tuple):
        return ()
    return tuple(kind for kind in value if type(kind) is str)


def _frame(about: Any) -> Frame:
    if type(about) is not dict:
        return Frame("?")
    name, file, line = about.get("name"), about.get("filename"), about.get("line")
    return Frame(
        name if type(name) is str else "?",
        file if type(file) is str else "",
        line if type(line) is int and 0 <= line < 1 << 31 else 0,
    )
