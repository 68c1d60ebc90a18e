"""Asks pystack for the stacks of one process or core, in a process of its own.

``python -m lockorder.hang.stack_worker [variables] pid PID | core CORE EXE`` writes JSON: stacks,
or where the objects are that Python's functions have in their variables.  pystack reads other
people's memory in C++: what it does not survive must not take the caller along.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

import msgspec
from pystack.engine import (
    NativeReportingMode,
    get_process_threads,
    get_process_threads_for_core,
)
from pystack.types import NativeFrame, PyFrame, PyThread, frame_type

from lockorder.hang.stacks import ThreadStack, Variables
from lockorder.model import Frame

_PATHS = 1000  # frames of a stack that are kept
_OBJECT = re.compile(r"<[\w.]+ at (0x[0-9a-f]+)>$")


def main(arguments: list[str]) -> None:
    """Write the stacks of the process or core that the arguments name."""
    variables = arguments[0] == "variables"
    arguments = arguments[1:] if variables else arguments
    mode = NativeReportingMode.OFF if variables else NativeReportingMode.ALL
    threads: Iterable[PyThread]
    if arguments[0] == "pid":
        threads = get_process_threads(
            int(arguments[1]), stop_process=True, native_mode=mode, locals=variables
        )
    else:
        threads = get_process_threads_for_core(
            arguments[1], arguments[2], native_mode=mode, locals=variables
        )
    if variables:
        told = [each for thread in threads for each in _variables(thread)]
        sys.stdout.buffer.write(msgspec.json.encode(told))
        return
    # A thread of several interpreters comes several times; the first says all that is native.
    found: dict[int, ThreadStack] = {}
    for thread in threads:
        if thread.tid:
            found.setdefault(thread.tid, _stack(thread))
    sys.stdout.buffer.write(msgspec.json.encode(list(found.values())))


def _variables(thread: PyThread) -> Iterable[Variables]:
    """Only where objects are: what is in them is nobody's business."""
    for frame in thread.frames:
        objects = {}
        for name, text in {**frame.locals, **frame.arguments}.items():
            found = _OBJECT.match(text)
            if found:
                objects[name] = int(found[1], 16)
        if objects:
            yield Variables(thread.tid, _python(frame), objects)


def _stack(thread: PyThread) -> ThreadStack:
    return ThreadStack(
        tid=thread.tid,
        name=thread.name or "",
        chain=tuple(_merged(thread))[:_PATHS],
        functions=tuple(f.symbol for f in reversed(thread.native_frames))[:_PATHS],
        gil=bool(thread.holds_the_gil > 0),
        python=thread.frame is not None,
    )


def _merged(thread: PyThread) -> list[Frame]:
    """Python's functions where the interpreter's loop runs them; outermost first."""
    python: PyFrame | None = thread.first_frame
    kinds = [frame_type(f, thread.python_version) for f in thread.native_frames]
    entries = sum(1 for f in thread.all_frames if f.is_entry)
    if sum(k is NativeFrame.FrameType.EVAL for k in kinds) != entries:
        # Without the interpreter's symbols: what is native is behind what is Python's.
        chain = [_python(f) for f in thread.frames]
        return chain + [_native(f) for f in thread.native_frames if not _own(f)]
    chain = []
    for frame, kind in zip(thread.native_frames, kinds, strict=True):
        if kind is NativeFrame.FrameType.OTHER:
            chain.append(_native(frame))
        elif kind is NativeFrame.FrameType.EVAL and python is not None:
            chain.append(_python(python))
            python = python.next
            while python is not None and not python.is_entry:
                if not python.is_shim:
                    chain.append(_python(python))
                python = python.next
    return chain


def _own(frame: NativeFrame) -> bool:
    """Whether it is the interpreter's."""
    return "python" in frame.library and frame.symbol.startswith(("Py", "_Py"))


def _python(frame: PyFrame) -> Frame:
    return Frame(frame.code.scope, frame.code.filename, max(0, frame.code.location.lineno))


def _native(frame: NativeFrame) -> Frame:
    library = frame.library.rpartition("/")[2]
    return Frame(
        frame.symbol or (f"?? in {library}" if library else f"{frame.address:#x}"),
        frame.path if frame.linenumber > 0 else "",
        max(0, frame.linenumber),
    )


if __name__ == "__main__":
    main(sys.argv[1:])
